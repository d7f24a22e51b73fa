#include "base/names.h"

#include <fnmatch.h>

#include "base/mem.h"

#define NAME_BYTES_MOST 60
#define LIST_LIMIT 1000 /* longer lists are cut between two names */

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
