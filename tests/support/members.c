#include "support/members.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"

#define SHOWN_BYTES 200 /* of a text in messages */
#define PATH_BYTES 200

/* --- one value --- */

static void tell(const struct json *value, struct buf *out)
{
	double number = 0;
	bool flag = false;

	switch (json_kind(value)) {
	case JSON_NULL:
		buf_add_z(out, "null");
		break;
	case JSON_BOOL:
		buf_add_z(out, json_flag(value, &flag) && flag ? "true" : "false");
		break;
	case JSON_NUMBER:
		json_number(value, &number);
		buf_printf(out, "%.17g", number);
		break;
	case JSON_STRING:
		buf_printf(out, "\"%.*s\"", STR_ARG(str_head(json_text(value), SHOWN_BYTES)));
		break;
	case JSON_ARRAY:
		buf_printf(out, "an array of %zu", json_length(value));
		break;
	case JSON_OBJECT:
		buf_add_z(out, "an object");
		break;
	}
}

static bool differs(const char *path, const struct json *actual, const struct json *expected, struct buf *out)
{
	buf_printf(out, "%s is ", *path ? path : "the value");
	tell(actual, out);
	buf_add_z(out, ", not ");
	tell(expected, out);
	return false;
}

static bool is_same_scalar(const struct json *a, const struct json *b)
{
	double x = 0, y = 0;
	bool f = false, g = false;

	switch (json_kind(a)) {
	case JSON_BOOL:
		return json_flag(a, &f) && json_flag(b, &g) && f == g;
	case JSON_NUMBER:
		return json_number(a, &x) && json_number(b, &y) && !(x < y) && !(x > y);
	case JSON_STRING:
		return str_equal(json_text(a), json_text(b));
	case JSON_ARRAY:
		return json_length(a) == json_length(b);
	case JSON_NULL:
	case JSON_OBJECT:
		break;
	}
	return true;
}

/* Whether the key is present, possibly with null, which json_get() treats as absent. */
static bool has_member(const struct json *object, struct str key)
{
	struct json_member m = { 0 };

	while (json_next(object, &m))
		if (str_equal(m.key, key))
			return true;
	return false;
}

static bool match(const char *path, const struct json *actual, const struct json *expected, struct buf *out)
{
	struct json_member m = { 0 };
	char below[PATH_BYTES];
	bool same = true;

	if (json_kind(actual) != json_kind(expected) || !is_same_scalar(actual, expected))
		return differs(path, actual, expected, out);
	for (size_t i = 0; same && json_kind(expected) == JSON_ARRAY && i < json_length(expected); i++) {
		snprintf(below, sizeof below, "%s[%zu]", path, i);
		same = match(below, json_at(actual, i), json_at(expected, i), out);
	}
	while (same && json_kind(expected) == JSON_OBJECT && json_next(expected, &m)) {
		char *key = str_dup(m.key);

		snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", key);
		same = has_member(actual, m.key) && match(below, json_get(actual, key), m.value, out);
		if (!same && !out->len)
			buf_printf(out, "there is no %s", below);
		mem_free(key);
	}
	return same;
}

bool members_match(const struct json *actual, const struct json *expected, struct buf *difference)
{
	buf_clear(difference);
	return match("", actual, expected, difference);
}

/* --- assertions --- */

static void check(struct str actual, struct str expected, const char *file, int line, const char *what)
{
	struct json_parser *parsers[2] = { json_parser_new(), json_parser_new() };
	struct buf difference = { 0 };
	size_t used;

	const struct json *wanted = json_parse(parsers[0], expected, &used), *found = json_parse(parsers[1], actual, &used);
	check_that(wanted != NULL, "what is expected is JSON", file, line, "%s: %.*s", what, STR_ARG(expected));
	bool same = wanted && members_match(found, wanted, &difference);
	if (wanted)
		check_that(same, "every member is as expected", file, line, "%s: %s, in\n%.*s", what,
		           buf_z(&difference), STR_ARG(actual));
	buf_fini(&difference);
	json_parser_free(parsers[0]);
	json_parser_free(parsers[1]);
}

void check_members(struct str actual, struct str expected, const char *file, int line, const char *format, ...)
{
	char what[PATH_BYTES];
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	check(actual, expected, file, line, what);
}

void check_lines(struct str actual, struct str expected, const char *file, int line, const char *format, ...)
{
	struct str all = actual, a = STR_NONE, b = STR_NONE;
	char what[PATH_BYTES];
	bool more, wanted;
	va_list args;

	va_start(args, format);
	vsnprintf(what, sizeof what, format, args);
	va_end(args);
	do {
		more = str_split(&actual, '\n', &a);
		wanted = str_split(&expected, '\n', &b);
		if (more && wanted)
			check(a, b, file, line, what);
	} while (more && wanted);
	check_that(!more && !wanted, "as many lines as expected", file, line, "%s: %s \"%.*s\" in\n%.*s", what, more ? "unexpected" : "missing",
	           STR_ARG(more ? a : b), STR_ARG(all));
}
