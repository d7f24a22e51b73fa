#include "wire/lint/lint_shape.h"

#include <string.h>

#include "wire/lint/lint_inside.h"

/* A member of a shape. */
struct shape_member { struct str name, kinds; };

static bool shape_next(struct str *shape, struct shape_member *m)
{
	struct str word;

	if (!str_split(shape, ' ', &word))
		return false;
	m->kinds = word;
	return str_split(&m->kinds, ':', &m->name);
}

static bool shape_has(const struct shape_member *m, char letter)
{
	return memchr(m->kinds.ptr, letter, m->kinds.len);
}

const char *lint_shape_of(const struct lint_shape *rows, size_t count, struct str word)
{
	for (size_t i = 0; i < count; i++)
		if (*rows[i].word == '*' ? str_ends(word, rows[i].word + 1) : str_is(word, rows[i].word))
			return rows[i].members;
	return NULL;
}

static bool is_of_kinds(const struct shape_member *m, const struct json *value)
{
	static const char letters[] = { [JSON_NULL] = '?', [JSON_BOOL] = 'b', [JSON_NUMBER] = 'n', [JSON_STRING] = 's', [JSON_ARRAY] = 'a',
	                                [JSON_OBJECT] = 'o' };
	int64_t count;

	return shape_has(m, letters[json_kind(value)]) || shape_has(m, 'v') || (shape_has(m, 'c') && json_count(value, &count));
}

/* False: it is absent. `value` is NULL for null. */
static bool find_member(const struct json *object, struct str name, const struct json **value)
{
	struct json_member member = { 0 };

	while (json_next(object, &member))
		if (str_equal(member.key, name)) {
			*value = member.value;
			return true;
		}
	return false;
}

static void report_wrong(struct lint *l, const char *what, const struct shape_member *m, const struct json *value)
{
	bool counts = shape_has(m, 'c') && json_kind(value) == JSON_NUMBER;

	lint_report(l, "%.*s of %s is %s", STR_ARG(m->name), what, counts ? "no whole number from 0" : lint_kind(value));
}

void lint_check_shape(struct lint *l, enum lint_fault fault, const char *what, const struct json *object, const char *shape)
{
	struct str rest = str_from(shape);
	struct shape_member m;

	while (shape_next(&rest, &m)) {
		const struct json *value = NULL;
		bool present = find_member(object, m.name, &value);

		if (fault == LINT_WRONG_KIND && value && !is_of_kinds(&m, value))
			report_wrong(l, what, &m, value);
		if (fault == LINT_LACKING && shape_has(&m, '!') && !value && !(present && shape_has(&m, '?')))
			lint_report(l, present ? "%.*s of %s is null" : "there is no %.*s in %s", STR_ARG(m.name), what);
		if (fault == LINT_LACKING && shape_has(&m, '+') && json_kind(value) == JSON_STRING && !json_raw_text(value).len)
			lint_report(l, "%.*s of %s is empty", STR_ARG(m.name), what);
	}
}

void lint_check_shapes(struct lint *l, enum lint_fault fault, const char *what, const struct json *array, const char *shape)
{
	for (size_t i = 0; i < json_length(array); i++) {
		const struct json *element = json_at(array, i);

		if (json_kind(element) == JSON_OBJECT)
			lint_check_shape(l, fault, what, element, shape);
		else if (fault == LINT_WRONG_KIND)
			lint_report(l, "%s is %s", what, lint_kind(element));
	}
}

void lint_check_word(struct lint *l, const char *what, struct str text, const char *words)
{
	struct str rest = str_from(words), word;

	while (str_split(&rest, ' ', &word))
		if (str_equal(word, text))
			return;
	if (text.len)
		lint_report(l, "%s is %s", what, lint_quote(text).text);
}
