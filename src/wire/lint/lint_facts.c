#include "wire/lint/lint_facts.h"

#include <stdio.h>
#include <string.h>

static const char *const dialect_names[] = {
#define NAME(upper, name) name,
	LINT_DIALECTS(NAME)
#undef NAME
};

const struct dialect *lint_dialect_at(unsigned index)
{
	return index < LINT_DIALECT_COUNT ? dialect_find(str_from(dialect_names[index])) : NULL;
}

/* FNV-1a, 64 bit. */
struct lint_print lint_print_more(struct lint_print before, struct str text)
{
	uint64_t hash = before.hash;

	for (size_t i = 0; i < text.len; i++)
		hash = (hash ^ (unsigned char)text.ptr[i]) * 1099511628211u;
	return (struct lint_print){ before.len + text.len, hash };
}

struct lint_print lint_print(struct str text)
{
	return lint_print_more((struct lint_print){ 0, 14695981039346656037u }, text);
}

bool lint_print_equal(struct lint_print a, struct lint_print b)
{
	return a.len == b.len && a.hash == b.hash;
}

bool lint_print_differs(struct lint_print before, struct str text)
{
	return before.len && text.len && !lint_print_equal(before, lint_print(text));
}

bool lint_prints_has(const struct lint_prints *prints, struct str text)
{
	struct lint_print print = lint_print(text);

	for (size_t i = 0; i < LINT_PRINTS_MOST && i < prints->count; i++)
		if (lint_print_equal(prints->all[i], print))
			return true;
	return false;
}

void lint_prints_add(struct lint_prints *prints, struct str text)
{
	if (text.len && !lint_prints_has(prints, text))
		prints->all[prints->count++ % LINT_PRINTS_MOST] = lint_print(text);
}

/* Servers send members in the order of the tables: usually the next row matches. Keys of a tree end with NUL. */
void lint_take(const struct json *object, const char *const *keys, size_t count, struct lint_member *members, size_t *others)
{
	struct json_member member = { 0 };
	size_t row = 0;

	memset(members, 0, count * sizeof *members);
	*others = 0;
	while (json_next(object, &member)) {
		size_t tried = 0;

		for (; tried < count; tried++, row = row + 1 < count ? row + 1 : 0) {
			if (keys[row][0] != member.key.ptr[0] || strcmp(keys[row], member.key.ptr) != 0)
				continue;
			members[row] = (struct lint_member){ true, member.value };
			break;
		}
		*others += tried == count;
	}
}

bool lint_set_has(const struct lint_set *set, int64_t number)
{
	return number >= 0 && number < LINT_SET_MOST && (set->bits[number / 64] >> number % 64 & 1);
}

void lint_set_add(struct lint_set *set, int64_t number)
{
	if (number >= 0 && number < LINT_SET_MOST)
		set->bits[number / 64] |= (uint64_t)1 << number % 64;
}

size_t lint_set_count(const struct lint_set *set)
{
	size_t count = 0;

	for (int64_t i = 0; i < LINT_SET_MOST; i++)
		count += lint_set_has(set, i);
	return count;
}

struct lint_words lint_quote(struct str text)
{
	struct str shown = str_head(text, LINT_QUOTE_BYTES);
	struct lint_words words;

	snprintf(words.text, sizeof words.text, "%.*s%s", STR_ARG(shown), shown.len < text.len ? "..." : "");
	return words;
}

const char *lint_kind(const struct json *value)
{
	static const char *const kinds[] = {
		[JSON_NULL] = "null", [JSON_BOOL] = "a boolean", [JSON_NUMBER] = "a number", [JSON_STRING] = "a string", [JSON_ARRAY] = "an array",
		[JSON_OBJECT] = "an object",
	};

	return kinds[json_kind(value)];
}
