#include "net/tape_lines.h"

#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "net/head.h"

static void tape_line_open(struct json_writer *w, struct buf *out)
{
	json_writer_init(w, out);
	json_open_object(w);
}

static void tape_line_open_timed(struct json_writer *w, struct buf *out, double at_ms)
{
	tape_line_open(w, out);
	json_key(w, "t");
	json_milliseconds(w, at_ms);
}

static void tape_line_close(struct json_writer *w)
{
	json_close_object(w);
	buf_add_byte(w->out, '\n');
}

/* --- the first line --- */

static void tape_line_add_known(struct json_writer *w, const char *key, struct str text)
{
	if (text.ptr)
		json_member_string(w, key, text);
}

/* Adds the URL without user, password and parameters that may hold a key. */
static void tape_line_add_url(struct json_writer *w, struct str url)
{
	struct buf clean = { 0 };
	struct str base, pair;
	size_t host, at;
	char separator = '?';

	if (!url.ptr)
		return;
	str_split(&url, '?', &base);
	host = str_find(base, STR("://"));
	host = host < base.len ? host + 3 : 0;
	at = str_find(str_skip(base, host), STR("@"));
	if (at < str_find(str_skip(base, host), STR("/"))) {
		buf_add(&clean, str_head(base, host));
		base = str_skip(base, host + at + 1);
	}
	buf_add(&clean, base);
	while (str_split(&url, '&', &pair)) {
		if (!str_starts(pair, "alt=") && !str_starts(pair, "api-version=")) /* these cannot be keys */
			continue;
		buf_add_byte(&clean, separator);
		buf_add(&clean, pair);
		separator = '&';
	}
	json_member_string(w, "url", buf_str(&clean));
	buf_fini(&clean);
}

static void tape_line_add_now(struct json_writer *w)
{
	struct timeval now;
	struct tm utc;
	char text[40];
	size_t len;

	gettimeofday(&now, NULL);
	gmtime_r(&now.tv_sec, &utc);
	len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_member_string(w, "started", str_of(text, len));
}

/* Removes line breaks from the body, for example in a user's schema: they would end the tape's line. */
static void tape_line_add_request(struct json_writer *w, struct str request)
{
	struct buf compact = { 0 };

	if (!request.ptr)
		return;
	if (!json_scan_is_whole(request))
		request = STR("null");
	else if (memchr(request.ptr, '\n', request.len) || memchr(request.ptr, '\r', request.len)) {
		json_scan_compact(request, &compact);
		request = buf_str(&compact);
	}
	json_member_verbatim(w, "request", request);
	buf_fini(&compact);
}

void tape_line_facts(struct buf *out, const struct tape_info *info)
{
	struct json_writer w;

	tape_line_open(&w, out);
	json_member_integer(&w, "weir_tape", 1);
	tape_line_add_known(&w, "protocol", info->protocol);
	tape_line_add_known(&w, "transport", info->transport);
	tape_line_add_known(&w, "dialect", info->dialect);
	tape_line_add_known(&w, "provider", info->provider);
	tape_line_add_known(&w, "model", info->model);
	tape_line_add_url(&w, info->url);
	if (info->started.ptr)
		json_member_string(&w, "started", info->started);
	else
		tape_line_add_now(&w);
	tape_line_add_request(&w, info->request);
	tape_line_close(&w);
}

/* --- attempts --- */

/* Or coded, if it is not UTF-8. */
static void tape_line_add_text(struct json_writer *json, const char *plain, struct str text)
{
	struct buf coded = { 0 };

	if (utf8_is_valid(text)) {
		json_member_string(json, plain, text);
		return;
	}
	base64_encode(text, &coded);
	json_member_string(json, "b64", buf_str(&coded));
	buf_fini(&coded);
}

static void tape_line_add_headers(struct json_writer *json, struct str lines)
{
	struct str line, name;

	json_key(json, "headers");
	json_open_object(json);
	while (str_split(&lines, '\n', &line)) {
		if (!utf8_is_valid(line) || !str_split(&line, ':', &name))
			continue;
		json_key_str(json, name);
		json_string(json, str_trim(line));
	}
	json_close_object(json);
}

void tape_line_attempt(struct buf *lines, const struct tape_attempt *attempt)
{
	struct json_writer json;

	json_writer_init(&json, lines);
	json_open_object(&json);
	json_key(&json, "attempt");
	json_open_object(&json);
	if (attempt->status) {
		json_member_integer(&json, "status", attempt->status);
		tape_line_add_headers(&json, attempt->headers);
	}
	if (attempt->body.len)
		tape_line_add_text(&json, "body", attempt->body);
	if (attempt->failure.len)
		json_member_string(&json, "failure", attempt->failure);
	json_key(&json, "t");
	json_milliseconds(&json, attempt->at_ms);
	json_member_integer(&json, "wait", attempt->wait_ms);
	json_close_object(&json);
	json_close_object(&json);
	buf_add_byte(lines, '\n');
}

/* --- the response --- */

static const struct { const char *name; size_t at; } tape_timings[] = {
	{ "name_ms", offsetof(struct response_timings, name_ms) },
	{ "connect_ms", offsetof(struct response_timings, connect_ms) },
	{ "tls_ms", offsetof(struct response_timings, tls_ms) },
	{ "sent_ms", offsetof(struct response_timings, sent_ms) },
	{ "first_byte_ms", offsetof(struct response_timings, first_byte_ms) },
};

static double *tape_timing(struct response_timings *timings, size_t i)
{
	return (double *)(void *)((char *)timings + tape_timings[i].at);
}

void tape_line_add_timings(struct json_writer *w, const struct response_head *head)
{
	struct response_timings timings = head->timings;

	json_key(w, "timings");
	json_open_object(w);
	for (size_t i = 0; i < ARRAY_LEN(tape_timings); i++)
		if (*tape_timing(&timings, i) > 0) {
			json_key(w, tape_timings[i].name);
			json_milliseconds(w, *tape_timing(&timings, i));
		}
	json_member_boolean(w, "reused", head->reused);
	json_close_object(w);
}

void tape_line_read_timings(const struct json *value, struct response_head *head)
{
	double ms;

	head->is_timed = json_kind(value) == JSON_OBJECT;
	json_flag(json_get(value, "reused"), &head->reused);
	for (size_t i = 0; i < ARRAY_LEN(tape_timings); i++)
		if (json_number(json_get(value, tape_timings[i].name), &ms) && ms > 0 && ms < TAPE_LATEST_MS)
			*tape_timing(&head->timings, i) = ms;
}

void tape_line_head(struct buf *out, const struct response_head *head, double at_ms)
{
	struct json_writer w;

	tape_line_open_timed(&w, out, at_ms);
	json_key(&w, "head");
	json_open_object(&w);
	json_member_integer(&w, "status", head->status);
	if (utf8_is_valid(head->content_type))
		tape_line_add_known(&w, "content_type", head->content_type);
	json_key(&w, "headers");
	json_open_object(&w);
	for (size_t i = 0; i < head->header_count; i++) {
		const struct response_header *header = &head->headers[i];

		if (!head_is_taped(header->name) || !utf8_is_valid(header->value))
			continue;
		json_key_str(&w, header->name);
		json_string(&w, header->value);
	}
	json_close_object(&w);
	tape_line_add_known(&w, "http", head->http);
	if (head->is_timed)
		tape_line_add_timings(&w, head);
	json_close_object(&w);
	tape_line_close(&w);
}

void tape_line_body(struct buf *out, struct str bytes, double at_ms)
{
	struct json_writer w;

	tape_line_open_timed(&w, out, at_ms);
	tape_line_add_text(&w, "body", bytes);
	tape_line_close(&w);
}

/* As valid UTF-8. */
static void tape_line_add_repaired(struct json_writer *w, const char *key, struct str text)
{
	struct buf repaired = { 0 };

	if (!utf8_is_valid(text)) {
		buf_init(&repaired, 3 * text.len + 1);
		(void)utf8_repair(text, &repaired);
		text = buf_str(&repaired);
	}
	json_member_string(w, key, text);
	buf_fini(&repaired);
}

void tape_line_message(struct buf *out, bool sent, struct str text, double at_ms)
{
	struct json_writer w;

	tape_line_open_timed(&w, out, at_ms);
	tape_line_add_repaired(&w, sent ? "out" : "in", text);
	tape_line_close(&w);
}

/* --- behind the end --- */

static void tape_line_add_run(struct json_writer *w, const struct tape_run *run, struct str bytes)
{
	static const char *const from[] = { [TAPE_RUN_OUTPUT] = "output", [TAPE_RUN_ERRORS] = "errors", [TAPE_RUN_PROGRESS] = "progress" };

	json_member_integer(w, "run", run->number);
	if (run->kind == TAPE_RUN_BEGUN) {
		json_member_integer(w, "call", run->call);
		tape_line_add_repaired(w, "id", run->id);
		tape_line_add_repaired(w, "name", run->name);
		tape_line_add_repaired(w, "origin", run->origin);
		tape_line_add_repaired(w, "arguments", bytes);
	} else if (run->kind == TAPE_RUN_ENDED) {
		tape_line_add_repaired(w, "state", run->state);
		json_key(w, "ms");
		json_milliseconds(w, run->ms);
		tape_line_add_repaired(w, "result", bytes);
	} else {
		json_member_string(w, "from", str_from(from[run->kind]));
		tape_line_add_text(w, "text", bytes);
	}
}

void tape_line_behind(struct buf *out, const struct tape_step *step)
{
	struct json_writer w;

	tape_line_open_timed(&w, out, step->at_ms);
	if (step->kind == TAPE_RUN) {
		tape_line_add_run(&w, step->run, step->bytes);
	} else {
		tape_line_add_repaired(&w, "mcp", step->run->name);
		tape_line_add_repaired(&w, step->kind == TAPE_SENT ? "out" : "in", step->bytes);
	}
	tape_line_close(&w);
}

void tape_line_end(struct buf *out, enum end_how how, double at_ms)
{
	struct json_writer w;

	tape_line_open_timed(&w, out, at_ms);
	json_member_string(&w, "end", str_from(end_how_name(how)));
	tape_line_close(&w);
}
