#include "render/language.h"

#include <string.h>

#include "base/array.h"
#include "languages.inc"

#define WORD_LONGEST 40

const char *language_name_at(size_t index)
{
	return index < ARRAY_LEN(languages) ? languages[index].name : NULL;
}

static bool has_alias(const struct language *language, struct str name)
{
	struct str rest = str_from(language->aliases), alias;

	while (str_split(&rest, ' ', &alias))
		if (alias.len == name.len && str_has_nocase(alias, name))
			return true;
	return false;
}

const struct language *language_find(struct str name)
{
	size_t len = 0;

	while (len < name.len && !memchr(" ,{:;", name.ptr[len], 5))
		len++;
	name = str_head(name, len);
	for (size_t i = 0; len && i < ARRAY_LEN(languages); i++)
		if (str_is_nocase(name, languages[i].name) || has_alias(&languages[i], name))
			return &languages[i];
	return NULL;
}

/* languages.awk has the same formula, to sort words into buckets. */
static unsigned bucket_of(const char *text, size_t len)
{
	return ((unsigned)len * 11 + (unsigned char)text[0] * 3u + (unsigned char)text[len - 1] * 29u) % WORD_BUCKETS;
}

uint8_t language_word_role(const struct language *language, struct str word)
{
	char small[WORD_LONGEST];

	if (!word.len || word.len > sizeof small)
		return ROLE_CODE;
	if (language->ignore_case) {
		for (size_t i = 0; i < word.len; i++)
			small[i] = char_lower(word.ptr[i]);
		word.ptr = small;
	}
	unsigned bucket = bucket_of(word.ptr, word.len);
	for (unsigned i = language->buckets[bucket]; i < language->buckets[bucket + 1]; i++)
		if (language->words[i].len == word.len && !memcmp(language->words[i].text, word.ptr, word.len))
			return language->words[i].role;
	return ROLE_CODE;
}
