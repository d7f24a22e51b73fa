#include "wire/decode.h"

#include <assert.h>

#include "base/json_write.h"
#include "wire/error_body.h"

struct str decode_type(const struct message *m)
{
	struct str type = json_get_text(m->value, "type");

	return type.len ? type : m->event;
}

const void *decode_row(const void *rows, size_t count, size_t size, struct str name)
{
	const char *row = rows;

	for (size_t i = 0; i < count; i++, row += size)
		if (str_is(name, *(const char *const *)(const void *)row))
			return row;
	return NULL;
}

/* False for an absent, null or empty value, and for false and 0. */
static bool says_something(const struct json *value)
{
	struct json_member first = { 0 };
	double number = 0;
	bool flag = false;

	switch (json_kind(value)) {
	case JSON_NULL:
		return false;
	case JSON_BOOL:
		return json_flag(value, &flag) && flag;
	case JSON_NUMBER:
		return !json_number(value, &number) || number < 0 || number > 0;
	case JSON_STRING:
		return json_raw_text(value).len > 0;
	case JSON_ARRAY:
		return json_length(value) > 0;
	case JSON_OBJECT:
		return json_next(value, &first);
	}
	return false;
}

bool decode_has_error(const struct message *m)
{
	return says_something(json_get(m->value, "error")) || str_is(decode_type(m), "error");
}

void decode_error(struct decoder *d, const struct message *m)
{
	struct error_report report = { 0 };
	struct buf scratch = { 0 };

	if (json_kind(m->value) == JSON_STRING)
		report.message = json_text(m->value);
	else
		error_body_read(m->value, &scratch, &report);
	guard_error(d->guard, &report);
	buf_fini(&scratch);
}

int64_t decode_count(const struct json *object, const char *key)
{
	int64_t count = -1;

	return json_count(json_get(object, key), &count) ? count : -1;
}

int64_t decode_index(const struct json *value)
{
	int64_t index;
	long long number;

	if (json_count(value, &index))
		return index;
	return str_to_int(json_text(value), &number) ? number : -1;
}

bool decode_is_of_answer(struct decoder *d, const struct json *index)
{
	int64_t number = decode_index(index);

	if (!d->choosing)
		d->choice = d->asked.single_choice && number > 0 ? number : 0;
	d->choosing = true;
	if (number < 0 || number == d->choice)
		return true;
	guard_notice(d->guard, "choice-ignored", "The server sent several answers: that with the index %lld is shown, that with the index %lld is "
	                                         "ignored.",
	             (long long)d->choice, (long long)number);
	return false;
}

struct str decode_id(const struct json *object, const char *key, struct buf *scratch)
{
	struct str id;

	return json_scalar(json_get(object, key), scratch, &id) ? id : STR_NONE;
}

static const struct json *decode_usage_value(const struct json *usage, const struct usage_member *row)
{
	const struct json *value = json_find(usage, row->path);

	if (!row->element.key)
		return value;
	for (size_t i = 0; i < json_length(value); i++)
		if (str_is(json_get_text(json_at(value, i), row->element.key), row->element.value))
			return json_get(json_at(value, i), row->element.member);
	return NULL;
}

bool decode_counts(const struct json *object, const struct usage_member *table, struct count *counts)
{
	bool positive = false;
	int64_t number;

	for (size_t i = 0; table[i].path; i++) {
		assert(i < USAGE_MEMBERS_MOST);
		if (!json_count(decode_usage_value(object, &table[i]), &number))
			continue;
		counts[i] = (struct count)COUNT_SENT(number);
		positive = positive || number > 0;
	}
	return positive;
}

#define TICKS_OF_A_DOLLAR 1e10
#define COST_MOST 1e6 /* more is no cost of an answer */

static bool decode_usd(const struct json *object, const char *path, double *usd)
{
	return json_number(json_find(object, path), usd) && *usd >= 0 && *usd <= COST_MOST;
}

struct money decode_cost(const struct json *usage)
{
	double usd, ticks, upstream;
	bool own_key = false;

	if (json_number(json_get(usage, "cost_in_usd_ticks"), &ticks) && ticks >= 0 && ticks / TICKS_OF_A_DOLLAR <= COST_MOST)
		return MONEY(ticks / TICKS_OF_A_DOLLAR);
	if (!decode_usd(usage, "cost", &usd) && !decode_usd(usage, "cost.total_cost", &usd))
		return MONEY_UNKNOWN;
	if (!json_flag(json_get(usage, "is_byok"), &own_key) || !own_key)
		return MONEY(usd);
	return decode_usd(usage, "cost_details.upstream_inference_cost", &upstream) ? MONEY(usd + upstream) : MONEY_UNKNOWN;
}

void decode_usage(struct decoder *d, const struct json *object, const struct usage_member *table)
{
	struct count counts[USAGE_MEMBERS_MOST] = { 0 };

	if (json_kind(object) != JSON_OBJECT)
		return;
	decode_counts(object, table, counts);
	struct usage usage = usage_from_counts(table, counts);
	guard_usage(d->guard, &usage, decode_cost(object));
}

struct str decode_arguments(const struct json *value, struct buf *scratch)
{
	enum json_kind kind = json_kind(value);

	if (kind == JSON_NULL)
		return STR_NONE;
	if (kind == JSON_STRING)
		return json_raw_text(value);
	buf_clear(scratch);
	json_dump(value, scratch);
	return buf_str(scratch);
}

void decode_citation_range(const struct json *annotation, struct citation *citation)
{
	int64_t end = decode_count(annotation, "end_index");

	citation->end = end >= 0 ? end : decode_count(annotation, "index");
	citation->unit = citation->end > 0 ? CITATION_CHARACTERS : CITATION_NO_PLACE;
}
