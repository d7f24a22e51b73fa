#include "net/har.h"

#include "base/base64.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "net/tape_frames.h"
#include "net/tape_lines.h"
#include "wire/stream.h"

/* --- recognising --- */

/* Drops `word` and the blanks before it. */
static bool har_skip(struct str *text, const char *word)
{
	*text = str_trim_start(*text);
	if (!str_starts(*text, word))
		return false;
	*text = str_skip(*text, str_from(word).len);
	return true;
}

bool har_begins(struct str text)
{
	if (str_starts(text, "\xEF\xBB\xBF"))
		text = str_skip(text, 3);
	return har_skip(&text, "{") && har_skip(&text, "\"log\"") && har_skip(&text, ":") && har_skip(&text, "{");
}

/* --- members --- */

#define PATH(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Replaces `out` with the string at a path; false if there is none. */
static bool har_string(struct str entry, const char *const *path, struct buf *out)
{
	struct str value = json_scan_find(entry, path);

	buf_clear(out);
	if (!str_starts(value, "\""))
		return false;
	json_scan_unescape(str_of(value.ptr + 1, value.len - 2), false, out);
	return true;
}

/* A value that is an object or an array, or STR_NONE. */
static struct str har_container(struct str entry, const char *const *path, const char *bracket)
{
	struct str value = json_scan_find(entry, path);

	return str_starts(value, bracket) ? value : STR_NONE;
}

static int har_status(struct str entry)
{
	long long status;

	return str_to_int(json_scan_find(entry, PATH("response", "status")), &status) && status >= 100 && status <= 999 ? (int)status : 0;
}

/* False if the entry has no body, or one that is not what it says. */
static bool har_body(struct str entry, struct buf *body)
{
	struct buf coded, coding = { 0 };
	bool good = true;

	if (!har_string(entry, PATH("response", "content", "text"), body))
		return false;
	if (har_string(entry, PATH("response", "content", "encoding"), &coding) && str_is_nocase(buf_str(&coding), "base64")) {
		coded = *body;
		buf_init(body, TAPE_LIMIT);
		good = base64_decode(buf_str(&coded), body);
		buf_fini(&coded);
	}
	buf_fini(&coding);
	return good;
}

/* --- which entry --- */

#define LOOK_BYTES ((size_t)64 << 10) /* of a body, to tell what it is */

/* A body that nothing is recognised in gets deltas too: an error and the end. */
static void har_notice_answer(void *answer, const struct delta *delta)
{
	if (delta->kind != DELTA_BEGIN && delta->kind != DELTA_NOTICE && delta->kind != DELTA_ERROR && delta->kind != DELTA_END)
		*(bool *)answer = true;
}

static bool har_is_answer(struct str entry, struct buf *scratch)
{
	struct stream *stream;
	bool answer = har_container(entry, PATH("_weir", "tape"), "{").len > 0;

	if (answer || !har_body(entry, scratch))
		return answer;
	stream = stream_new(&(struct stream_options){ .untimed = true }, har_notice_answer, &answer);
	stream_body(stream, str_head(buf_str(scratch), LOOK_BYTES), -1);
	answer |= stream_protocol(stream) != NULL;
	stream_end(stream, END_CLOSED, -1);
	stream_free(stream);
	return answer;
}

/* The entry that is wanted, or STR_NONE. Notes which entries hold answers. */
static struct str har_choose(struct har_exchange *e, struct str entries, size_t wanted)
{
	struct json_spans spans = json_spans_of(entries);
	struct tape_archive *where = &e->where;
	struct str key, item, found = STR_NONE, only = STR_NONE;
	struct buf scratch;

	buf_init(&scratch, TAPE_LIMIT);
	while (json_spans_next(&spans, &key, &item)) {
		only = ++where->entries == 1 ? item : STR_NONE;
		bool answer = har_is_answer(item, &scratch);
		if (answer && where->answer_count < TAPE_ANSWERS_NAMED)
			where->answers[where->answer_count] = where->entries;
		where->answer_count += answer;
		if (!where->entry && (wanted ? where->entries == wanted : answer)) {
			where->entry = where->entries;
			found = item;
		}
	}
	buf_fini(&scratch);
	if (!found.len && only.len && !wanted) {
		where->entry = 1;
		found = only;
	}
	return found;
}

/* --- the tape --- */

/* The first line. Of an entry that was a tape it says more; its request stands elsewhere. */
static void har_write_facts(struct har_exchange *e, struct str entry)
{
	struct str first = har_container(entry, PATH("_weir", "tape"), "{"), request;
	struct buf url = { 0 }, started = { 0 }, sent;

	buf_init(&sent, TAPE_LIMIT);
	(void)har_string(entry, PATH("request", "url"), &url);
	(void)har_string(entry, PATH("startedDateTime"), &started);
	request = har_string(entry, PATH("request", "postData", "text"), &sent) && json_scan_is_whole(buf_str(&sent)) ? buf_str(&sent) : STR_NONE;
	if (first.len) {
		struct json_parser *parser = json_parser_new();
		size_t used;
		const struct json *value = json_parse(parser, first, &used);

		tape_line_facts(&e->lines, &(struct tape_info){ json_get_text(value, "protocol"), json_get_text(value, "dialect"), json_get_text(value, "provider"),
		                                                json_get_text(value, "model"), json_get_text(value, "url"), request, json_get_text(value, "started") });
		json_parser_free(parser);
	} else {
		tape_line_facts(&e->lines, &(struct tape_info){ .url = buf_str(&url), .request = request, .started = started.len ? buf_str(&started) : STR("") });
	}
	buf_fini(&url);
	buf_fini(&started);
	buf_fini(&sent);
}

#define HEADERS_MOST 500

/* The head at the start: its time is not known. */
static void har_write_head(struct har_exchange *e, struct str entry)
{
	struct str listed = har_container(entry, PATH("response", "headers"), "[");
	struct json_parser *parser = json_parser_new();
	size_t used, count = 0;
	const struct json *list = listed.len ? json_parse(parser, listed, &used) : NULL;
	struct response_header *headers = mem_new(HEADERS_MOST * sizeof *headers);
	char **names = mem_new(HEADERS_MOST * sizeof *names);
	struct buf type = { 0 };
	struct response_head head = { .status = har_status(entry), .headers = headers };

	for (; count < json_length(list) && count < HEADERS_MOST; count++) {
		names[count] = str_dup(json_get_text(json_at(list, count), "name"));
		for (char *c = names[count]; *c; c++)
			*c = char_lower(*c);
		headers[count] = (struct response_header){ str_from(names[count]), json_get_text(json_at(list, count), "value") };
	}
	head.header_count = count;
	if (har_string(entry, PATH("response", "content", "mimeType"), &type))
		head.content_type = buf_str(&type);
	if (head.status)
		tape_line_head(&e->lines, &head, 0);
	while (count)
		mem_free(names[--count]);
	mem_free(names);
	mem_free(headers);
	json_parser_free(parser);
	buf_fini(&type);
}

/* The reads as [time, length] each; false if they do not make up the body. */
static bool har_write_reads(struct har_exchange *e, struct str reads)
{
	struct json_parser *parser = json_parser_new();
	struct json_spans spans = json_spans_of(reads);
	struct str key, item, rest = buf_str(&e->body);
	size_t used;
	bool good = reads.len > 0;

	while (good && json_spans_next(&spans, &key, &item)) {
		const struct json *pair = json_parse(parser, item, &used);
		int64_t length = 0;
		double t = 0;

		good = json_number(json_at(pair, 0), &t) && json_count(json_at(pair, 1), &length) && (uint64_t)length <= rest.len;
		if (good)
			tape_line_body(&e->lines, str_head(rest, (size_t)length), t);
		rest = str_skip(rest, good ? (size_t)length : 0);
	}
	json_parser_free(parser);
	return good && !rest.len;
}

static void har_write_line(struct har_exchange *e, struct str value)
{
	if (!value.len)
		return;
	json_scan_compact(value, &e->lines);
	buf_add_byte(&e->lines, '\n');
}

static void har_write_untimed(struct har_exchange *e, struct str entry)
{
	struct tape_frames frames = tape_frames_of(buf_str(&e->body));
	struct str frame;

	har_write_head(e, entry);
	for (size_t steps = 0; steps + 4 < TAPE_STEPS_LIMIT && tape_frames_next(&frames, &frame); steps++)
		tape_line_body(&e->lines, frame, 0);
	if (frames.rest.len)
		tape_line_body(&e->lines, frames.rest, 0);
	tape_line_end(&e->lines, END_CLOSED, 0);
}

static void har_write_tape(struct har_exchange *e, struct str entry)
{
	struct str end = har_container(entry, PATH("_weir", "end"), "{");
	size_t behind_facts;

	har_write_facts(e, entry);
	behind_facts = e->lines.len;
	har_write_line(e, har_container(entry, PATH("_weir", "head"), "{"));
	e->timed = end.len && har_write_reads(e, har_container(entry, PATH("_weir", "reads"), "["));
	if (e->timed) {
		har_write_line(e, end);
		return;
	}
	buf_remove(&e->lines, behind_facts, e->lines.len - behind_facts);
	har_write_untimed(e, entry);
}

bool har_read(struct har_exchange *e, struct str text, size_t wanted, struct error *err)
{
	struct str entries, entry;

	*e = (struct har_exchange){ .timed = false };
	buf_init(&e->lines, 2 * TAPE_LIMIT);
	buf_init(&e->body, TAPE_LIMIT);
	if (str_starts(text, "\xEF\xBB\xBF"))
		text = str_skip(text, 3);
	if (!json_scan_is_whole(text))
		return error_set(err, json_scan_is_too_deep(text) ? "the HTTP Archive (HAR) is nested too deeply" : "the HTTP Archive (HAR) is not whole, or not valid JSON");
	entries = har_container(text, PATH("log", "entries"), "[");
	entry = entries.len ? har_choose(e, entries, wanted) : STR_NONE;
	if (!e->where.entries)
		return error_set(err, "the HTTP Archive (HAR) has no entries");
	if (wanted && !entry.len)
		return error_set(err, "there is no entry %zu: the HTTP Archive (HAR) has %zu", wanted, e->where.entries);
	if (!entry.len)
		return error_set(err, "none of the %zu entries of the HTTP Archive (HAR) holds a model's answer; --entry N takes one anyway", e->where.entries);
	if (!har_body(entry, &e->body))
		return error_set(err, "entry %zu of the HTTP Archive (HAR) has no body: export it with content", e->where.entry);
	har_write_tape(e, entry);
	return true;
}

void har_exchange_fini(struct har_exchange *e)
{
	buf_fini(&e->lines);
	buf_fini(&e->body);
}
