#include "base/names.h"

#include <fnmatch.h>
#include <string.h>

#include "base/least.h"
#include "base/mem.h"

#define NAME_BYTES_MOST 60
#define LIST_LIMIT 1000 /* longer lists are cut between two names */
#define WORD_BYTES 24   /* longer words are not misspelled names */
#define SHORT_BYTES 4   /* a shorter word may have one slip */

bool str_is_among(struct str s, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_is(s, words[i]))
			return true;
	return false;
}

bool str_is_among_nocase(struct str s, const char *const *words, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (str_is_nocase(s, words[i]))
			return true;
	return false;
}

bool names_fit(struct str patterns, const char *name)
{
	struct str pattern;
	bool fits = false;

	while (!fits && patterns.len && str_split(&patterns, ',', &pattern)) {
		char *text = str_dup(str_trim(pattern));

		fits = fnmatch(text, name, 0) == 0;
		mem_free(text);
	}
	return fits;
}

/* --- the nearest name --- */

/* The edit distance: insertions, deletions, substitutions and swaps of neighbours. Both strings have at most WORD_BYTES bytes. */
static size_t nearest_slips(struct str a, struct str b)
{
	size_t d[WORD_BYTES + 1][WORD_BYTES + 1];

	for (size_t i = 0; i <= a.len; i++)
		for (size_t j = 0; j <= b.len; j++) {
			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			d[i][j] = least_size(least_size(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + (a.ptr[i - 1] != b.ptr[j - 1]));
			if (i > 1 && j > 1 && a.ptr[i - 1] == b.ptr[j - 2] && a.ptr[i - 2] == b.ptr[j - 1])
				d[i][j] = least_size(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[a.len][b.len];
}

struct nearest nearest_below(struct str word, size_t limit)
{
	return (struct nearest){ word, NULL, limit };
}

struct nearest nearest_to(struct str word)
{
	return nearest_below(word, word.len < SHORT_BYTES ? 2 : word.len / 3 + 2);
}

void nearest_try(struct nearest *n, const char *name)
{
	struct str tried = str_from(name);

	if (!n->word.len || n->word.len > WORD_BYTES || tried.len > WORD_BYTES)
		return;
	size_t slips = str_equal(str_head(tried, n->word.len), n->word) ? 0 : nearest_slips(n->word, tried);
	if (slips < n->slips) {
		n->name = name;
		n->slips = slips;
	}
}

/* --- lists --- */

int names_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *name_in_words(const void *words, size_t index)
{
	return ((const char *const *)words)[index];
}

void names_write(name_at *at, const void *list, struct buf *out)
{
	for (size_t i = 0; at(list, i); i++)
		buf_printf(out, "%s%s", i ? ", " : "", at(list, i));
}

void names_write_choice(name_at *at, const void *list, struct buf *out)
{
	for (size_t i = 0; at(list, i); i++)
		buf_printf(out, "%s%s", !i ? "" : at(list, i + 1) ? ", " : " or ", at(list, i));
}

bool names_refuse(const char *kind, struct str name, name_at *at, const void *list, struct error *err)
{
	struct buf known;

	buf_init(&known, LIST_LIMIT);
	names_write(at, list, &known);
	error_set(err, "there is no %s '%.*s'; known are %s", kind, STR_ARG(str_head(name, NAME_BYTES_MOST)), buf_z(&known));
	buf_fini(&known);
	return false;
}

bool names_refuse_value(struct str setting, struct str value, name_at *at, const void *list, struct error *err)
{
	struct buf known;

	buf_init(&known, LIST_LIMIT);
	names_write_choice(at, list, &known);
	error_set(err, "%.*s = %.*s: it must be %s", STR_ARG(setting), STR_ARG(value), buf_z(&known));
	buf_fini(&known);
	return false;
}
