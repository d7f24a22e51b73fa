#include "chat/exchange/retry.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/timestamp.h"
#include "wire/error_body.h"

#define FIRST_MS 500.0
#define MOST_MS 8000.0
#define ASKED_MOST_MS 60000.0

static bool is_temporary(int status)
{
	static const int statuses[] = { 0, 408, 429, 500, 502, 503, 504, 529 };

	for (size_t i = 0; i < ARRAY_LEN(statuses); i++)
		if (status == statuses[i])
			return true;
	return false;
}

/* --- the body --- */

/* Whether the error is about an account without credit. The message alone is not enough: it may mention billing for a rate limit. */
static bool is_account_error(const struct error_report *report)
{
	static const struct { const char *word; bool in_message; } words[] = {
		{ "insufficient_quota", true },   { "insufficient_balance", true },    { "insufficient balance", true },
		{ "insufficient_credit", true },  { "insufficient credit", true },     { "credit balance", true },
		{ "billing", false },             { "exceeded_current_quota", false }, { "account_deactivated", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		struct str word = str_from(words[i].word);

		if (str_has_nocase(report->type, word) || str_has_nocase(report->code, word) ||
		    (words[i].in_message && str_has_nocase(report->message, word)))
			return true;
	}
	return false;
}

/* Google's RetryInfo: an element of error.details whose type ends in RetryInfo, with "48s" or "1.5s". */
static struct str find_retry_delay(const struct json *value)
{
	const struct json *first = json_kind(value) == JSON_ARRAY ? json_at(value, 0) : value;
	const struct json *details = json_get(json_get(first, "error"), "details");
	const struct json *item;

	for (size_t i = 0; (item = json_at(details, i)); i++)
		if (str_ends(json_get_text(item, "@type"), "google.rpc.RetryInfo"))
			return json_get_text(item, "retryDelay");
	return STR_NONE;
}

/* --- times --- */

/* Parses a decimal number, independent of the locale. */
static bool retry_read_number(struct str text, double *number)
{
	struct str whole, fraction = str_trim(text);
	long long high, low = 0;

	if (!str_split(&fraction, '.', &whole) || !str_to_int(whole, &high) || fraction.len > 15)
		return false;
	if (fraction.len && !str_to_int(fraction, &low))
		return false;
	*number = (double)high + (double)low / pow(10, (double)fraction.len);
	return true;
}

/* Parses a date in one of the three formats of HTTP. */
static bool read_date(struct str text, time_t *date)
{
	static const char *const forms[] = { "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %d %H:%M:%S %Y" };
	char copy[64];

	text = str_trim(text);
	if (text.len >= sizeof copy)
		return false;
	memcpy(copy, text.ptr, text.len);
	copy[text.len] = '\0';
	for (size_t i = 0; i < ARRAY_LEN(forms); i++) {
		struct tm tm = { 0 };
		const char *end = strptime(copy, forms[i], &tm);

		if (end && !*end) {
			*date = (time_t)timestamp_seconds(&tm);
			return true;
		}
	}
	return false;
}

static time_t server_now(const struct retry_case *c)
{
	time_t now;

	return c->date.len && read_date(c->date, &now) ? now : c->now;
}

/* The delay requested by the server; 0 when it gives none or an invalid one. */
static double requested_ms(const struct retry_case *c, struct str delay)
{
	double number;
	time_t date;

	if (c->after_ms.len && retry_read_number(c->after_ms, &number))
		return number;
	if (c->after.len && retry_read_number(c->after, &number))
		return number * 1000;
	if (c->after.len && read_date(c->after, &date))
		return fmax(difftime(date, server_now(c)), 0) * 1000;
	if (str_ends(delay, "s") && retry_read_number(str_head(delay, delay.len - 1), &number))
		return number * 1000;
	return 0;
}

static double back_off_ms(const struct retry_case *c)
{
	double ms = FIRST_MS;

	for (unsigned i = 0; i < c->tries && ms < MOST_MS; i++)
		ms *= 2;
	return fmin(ms, MOST_MS) * (1 - c->dice / 4);
}

/* --- the decision --- */

static int64_t decide(const struct retry_case *c, const struct error_report *report, struct str delay)
{
	double asked = requested_ms(c, delay);
	bool is_forced = str_is_nocase(c->should, "true");

	if (str_is_nocase(c->should, "false") || is_account_error(report))
		return RETRY_NEVER;
	if (!is_forced && !is_temporary(c->status))
		return RETRY_NEVER;
	if (!is_forced && c->status == 429 && c->protocol == &protocol_anthropic && !c->after.len && !c->after_ms.len)
		return RETRY_NEVER;
	if (asked > ASKED_MOST_MS)
		return RETRY_NEVER;
	return (int64_t)ceil(asked > 0 ? asked : back_off_ms(c));
}

int64_t retry_wait_ms(const struct retry_case *c)
{
	struct json_parser *parser = json_parser_new();
	struct error_report report = { 0 };
	struct buf scratch = { 0 };
	size_t used;
	const struct json *value = json_parse(parser, c->body, &used);
	int64_t wait_ms;

	if (value && !error_body_read(value, &scratch, &report))
		report = (struct error_report){ 0 };
	wait_ms = decide(c, &report, value ? find_retry_delay(value) : STR_NONE);
	buf_fini(&scratch);
	json_parser_free(parser);
	return wait_ms;
}
