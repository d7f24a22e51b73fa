#include "net/har.h"

#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "net/tape_pieces.h"
#include "net/tape_lines.h"
#include "net/unpack.h"
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

/* The members that an entry is read for, as they were sent. An archive may be large: each of its objects is walked once. */
struct har_entry {
	struct str request, response, started, own;          /* of the entry; own: `_weir` */
	struct str url, post, sent;                          /* of the request; sent: the text of its body */
	struct str status, headers, content;                 /* of the response */
	struct str text, type, encoding;                     /* of its content */
	struct str tape, head, reads, end;                   /* of `_weir` */
	bool cut;                                            /* `text` is only the beginning of what was sent */
	const struct protocol *protocol;                     /* that its body is recognised as; NULL: none */
};

struct har_member { const char *name; struct str *value; };

static void har_take(struct str object, const struct har_member *members, size_t count)
{
	struct json_spans spans = json_spans_of(object);
	struct str key, value;

	while (str_starts(object, "{") && json_spans_next(&spans, &key, &value))
		for (size_t i = 0; i < count; i++)
			if (str_is(key, members[i].name))
				*members[i].value = value;
}
#define HAR_TAKE(object, ...) \
	har_take((object), (const struct har_member[]){ __VA_ARGS__ }, sizeof (const struct har_member[]){ __VA_ARGS__ } / sizeof(struct har_member))

static struct har_entry har_entry_of(struct str text)
{
	struct har_entry e = { .request = STR_NONE };

	HAR_TAKE(text, { "request", &e.request }, { "response", &e.response }, { "startedDateTime", &e.started }, { "_weir", &e.own });
	HAR_TAKE(e.request, { "url", &e.url }, { "postData", &e.post });
	HAR_TAKE(e.post, { "text", &e.sent });
	HAR_TAKE(e.response, { "status", &e.status }, { "headers", &e.headers }, { "content", &e.content });
	HAR_TAKE(e.content, { "text", &e.text }, { "mimeType", &e.type }, { "encoding", &e.encoding });
	HAR_TAKE(e.own, { "tape", &e.tape }, { "head", &e.head }, { "reads", &e.reads }, { "end", &e.end });
	return e;
}

/* Replaces `out` with a string; false if the value is none. */
static bool har_string(struct str value, struct buf *out)
{
	buf_clear(out);
	if (!str_starts(value, "\""))
		return false;
	json_scan_unescape(str_of(value.ptr + 1, value.len - 2), false, out);
	return true;
}

static int har_status(struct str value)
{
	long long status;

	return str_to_int(value, &status) && status >= 100 && status <= 999 ? (int)status : 0;
}

/* Some break base64 into lines. Of a beginning only whole groups are kept. */
static void har_join_base64(struct buf *coded, bool cut)
{
	size_t kept = 0;

	for (size_t i = 0; i < coded->len; i++)
		if (!char_is_blank(coded->ptr[i]))
			coded->ptr[kept++] = coded->ptr[i];
	coded->len = cut ? kept / 4 * 4 : kept;
}

/* --- bodies that are still compressed --- */

#define MAGIC_BYTES ((size_t)256) /* that are looked at to tell text from other bytes */

static bool har_is_text(struct str body)
{
	struct str head = str_head(body, MAGIC_BYTES);
	size_t bad;

	for (size_t i = 0; i < head.len; i++)
		if ((unsigned char)head.ptr[i] < ' ' && !char_is_blank(head.ptr[i]))
			return false;
	return utf8_valid_length(head, &bad) + 3 >= head.len;
}

/* Appends what the body is without its coding. False if it does not have that coding, or it is none. */
static bool har_unpack_as(struct str coding, struct str body, struct buf *out)
{
	const struct response_header header = { STR("content-encoding"), coding };
	struct unpack *u = coding.len ? unpack_new(&(struct response_head){ .headers = &header, .header_count = 1 }) : NULL;
	enum unpack_result result = UNPACK_STEP;
	struct error ignored;
	struct str piece;
	size_t cost;

	if (!u)
		return false;
	unpack_feed(u, body);
	while (result == UNPACK_STEP && (result = unpack_step(u, &piece, &cost, &ignored)) == UNPACK_STEP)
		if (!buf_add(out, piece))
			result = UNPACK_BROKEN;
	unpack_free(u);
	return result != UNPACK_BROKEN && out->len && !str_equal(buf_str(out), body);
}

static struct str har_header(const struct json *list, const char *name)
{
	for (size_t i = 0; i < json_length(list); i++)
		if (str_is_nocase(json_get_text(json_at(list, i), "name"), name))
			return json_get_text(json_at(list, i), "value");
	return STR_NONE;
}

/* An archive holds bodies without their coding. Proxies that do not know it write them as they came, which is no text. */
static void har_unpack(const struct har_entry *entry, struct buf *body)
{
	static const struct { const char *magic, *coding; } known[] = { { "\x1F\x8B", "gzip" }, { "\x28\xB5\x2F\xFD", "zstd" } };
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *headers = str_starts(entry->headers, "[") ? json_parse(parser, entry->headers, &used) : NULL;
	struct buf plain;

	buf_init(&plain, TAPE_LIMIT);
	bool good = har_unpack_as(har_header(headers, "content-encoding"), buf_str(body), &plain);
	for (size_t i = 0; !good && i < ARRAY_LEN(known); i++) {
		buf_clear(&plain);
		good = str_starts(buf_str(body), known[i].magic) && har_unpack_as(str_from(known[i].coding), buf_str(body), &plain);
	}
	if (good) {
		struct buf packed = *body;

		*body = plain;
		plain = packed;
	}
	buf_fini(&plain);
	json_parser_free(parser);
}

/* False if the entry has no body, or one that is not what it says. */
static bool har_body(const struct har_entry *entry, struct buf *body)
{
	struct buf coded;
	bool good;

	if (!har_string(entry->text, body))
		return false;
	if (!str_is_nocase(entry->encoding, "\"base64\""))
		return true;
	coded = *body;
	har_join_base64(&coded, entry->cut);
	buf_init(body, TAPE_LIMIT);
	good = base64_decode(buf_str(&coded), body);
	buf_fini(&coded);
	if (good && !har_is_text(buf_str(body)))
		har_unpack(entry, body);
	return good;
}

/* --- which entry --- */

#define LOOK_BYTES ((size_t)64 << 10) /* of a body, to tell what it is */

/* The beginning of an entry. An escape that is cut there does no harm. */
static struct har_entry har_beginning(struct har_entry entry)
{
	entry.cut = entry.text.len > LOOK_BYTES + 2;
	entry.text = str_head(entry.text, LOOK_BYTES + 2);
	return entry;
}

/* A body that nothing is recognised in gets deltas too: an error and the end. */
static void har_notice_answer(void *answer, const struct delta *delta)
{
	if (delta->kind != DELTA_BEGIN && delta->kind != DELTA_NOTICE && delta->kind != DELTA_ERROR && delta->kind != DELTA_END)
		*(bool *)answer = true;
}

static bool har_is_answer(struct har_entry *entry, struct buf *scratch)
{
	const struct har_entry beginning = har_beginning(*entry);
	struct stream *stream;
	bool answer = str_starts(entry->tape, "{");

	if (answer || !har_body(&beginning, scratch))
		return answer;
	stream = stream_new(&(struct stream_options){ .untimed = true }, har_notice_answer, &answer);
	stream_body(stream, buf_str(scratch), -1);
	entry->protocol = stream_protocol(stream);
	answer |= entry->protocol != NULL;
	stream_end(stream, END_CLOSED, -1);
	if (answer)
		entry->protocol = stream_protocol(stream);
	stream_free(stream);
	return answer;
}

/* Finds the entry that is wanted, and notes which entries hold answers. */
static bool har_choose(struct tape_archive *where, struct str entries, size_t wanted, struct har_entry *found)
{
	struct json_spans spans = json_spans_of(entries);
	struct har_entry only = { .text = STR_NONE };
	struct str key, item;
	struct buf scratch = { 0 };

	while (json_spans_next(&spans, &key, &item)) {
		struct har_entry entry = har_entry_of(item);
		bool answer = har_is_answer(&entry, &scratch);

		only = entry;
		where->entries++;
		if (answer && where->answer_count < TAPE_ANSWERS_NAMED)
			where->answers[where->answer_count] = where->entries;
		where->answer_count += answer;
		if (!where->entry && (wanted ? where->entries == wanted : answer)) {
			where->entry = where->entries;
			*found = entry;
		}
	}
	buf_fini(&scratch);
	if (!where->entry && !wanted && where->entries == 1) {
		where->entry = 1;
		*found = only;
	}
	return where->entry > 0;
}

/* --- the tape --- */

/* The first line. Of an entry that was a tape it says more; its request stands elsewhere. */
static void har_write_facts(struct har_exchange *e, const struct har_entry *entry)
{
	struct str request;
	struct buf url = { 0 }, started = { 0 }, sent;

	buf_init(&sent, TAPE_LIMIT);
	(void)har_string(entry->url, &url);
	(void)har_string(entry->started, &started);
	request = har_string(entry->sent, &sent) && json_scan_is_whole(buf_str(&sent)) ? buf_str(&sent) : STR_NONE;
	if (str_starts(entry->tape, "{")) {
		struct json_parser *parser = json_parser_new();
		size_t used;
		const struct json *value = json_parse(parser, entry->tape, &used);

		tape_line_facts(&e->lines, &(struct tape_info){
			.protocol = json_get_text(value, "protocol"), .dialect = json_get_text(value, "dialect"),
			.provider = json_get_text(value, "provider"), .model = json_get_text(value, "model"), .url = json_get_text(value, "url"),
			.request = request, .started = json_get_text(value, "started"),
		});
		json_parser_free(parser);
	} else {
		tape_line_facts(&e->lines, &(struct tape_info){ .protocol = str_from(entry->protocol ? entry->protocol->name : NULL),
		                                                .url = buf_str(&url),
		                                                .request = request, .started = started.len ? buf_str(&started) : STR("") });
	}
	buf_fini(&url);
	buf_fini(&started);
	buf_fini(&sent);
}

#define HEADERS_MOST 500

/* The head at the start: its time is not known. */
static void har_write_head(struct har_exchange *e, const struct har_entry *entry)
{
	struct json_parser *parser = json_parser_new();
	size_t used, count = 0;
	const struct json *list = str_starts(entry->headers, "[") ? json_parse(parser, entry->headers, &used) : NULL;
	struct response_header *headers = mem_new(HEADERS_MOST * sizeof *headers);
	char **names = mem_new(HEADERS_MOST * sizeof *names);
	struct buf type = { 0 };
	struct response_head head = { .status = har_status(entry->status), .headers = headers };

	for (; count < json_length(list) && count < HEADERS_MOST; count++) {
		names[count] = str_dup(json_get_text(json_at(list, count), "name"));
		for (char *c = names[count]; *c; c++)
			*c = char_lower(*c);
		headers[count] = (struct response_header){ str_from(names[count]), json_get_text(json_at(list, count), "value") };
	}
	head.header_count = count;
	if (har_string(entry->type, &type))
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
	bool good = str_starts(reads, "[");

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
	if (!str_starts(value, "{"))
		return;
	json_scan_compact(value, &e->lines);
	buf_add_byte(&e->lines, '\n');
}

static void har_write_untimed(struct har_exchange *e, const struct har_entry *entry)
{
	struct tape_pieces pieces = tape_pieces_of(buf_str(&e->body));
	struct str piece;

	har_write_head(e, entry);
	for (size_t steps = 0; steps + 4 < TAPE_STEPS_LIMIT && tape_pieces_next(&pieces, &piece); steps++)
		tape_line_body(&e->lines, piece, 0);
	if (pieces.rest.len)
		tape_line_body(&e->lines, pieces.rest, 0);
	tape_line_end(&e->lines, END_CLOSED, 0);
}

static void har_write_tape(struct har_exchange *e, const struct har_entry *entry)
{
	size_t behind_facts;

	har_write_facts(e, entry);
	behind_facts = e->lines.len;
	har_write_line(e, entry->head);
	e->timed = str_starts(entry->end, "{") && har_write_reads(e, entry->reads);
	if (e->timed) {
		har_write_line(e, entry->end);
		return;
	}
	buf_remove(&e->lines, behind_facts, e->lines.len - behind_facts);
	har_write_untimed(e, entry);
}

static size_t har_line_of(struct str text, const char *at)
{
	size_t line = 1;

	for (const char *feed = text.ptr; (feed = memchr(feed, '\n', (size_t)(at - feed))); feed++)
		line++;
	return line;
}

bool har_read(struct har_exchange *e, struct str text, size_t wanted, struct error *err)
{
	struct str log = STR_NONE, entries = STR_NONE;
	struct har_entry entry = { .text = STR_NONE };
	bool found;

	*e = (struct har_exchange){ .timed = false };
	buf_init(&e->lines, 2 * TAPE_LIMIT);
	buf_init(&e->body, TAPE_LIMIT);
	if (str_starts(text, "\xEF\xBB\xBF"))
		text = str_skip(text, 3);
	if (!json_scan_is_whole(text))
		return error_set(err, json_scan_is_too_deep(text) ? "the HTTP Archive (HAR) is nested too deeply"
		                                                  : "the HTTP Archive (HAR) is not whole, or not valid JSON");
	HAR_TAKE(str_trim(text), { "log", &log });
	HAR_TAKE(log, { "entries", &entries });
	found = str_starts(entries, "[") && har_choose(&e->where, entries, wanted, &entry);
	if (!e->where.entries)
		return error_set(err, "the HTTP Archive (HAR) has no entries");
	if (wanted && !found)
		return error_set(err, "there is no entry %zu: the HTTP Archive (HAR) has %zu", wanted, e->where.entries);
	if (!found)
		return error_set(err, "none of the %zu entries of the HTTP Archive (HAR) holds a model's answer; --entry N takes one anyway",
		                 e->where.entries);
	if (entry.text.ptr)
		e->where.line = har_line_of(text, entry.text.ptr);
	if (!har_body(&entry, &e->body))
		return error_set(err, str_starts(entry.text, "\"") ? "the body of entry %zu of the HTTP Archive (HAR) is not base64, as it says"
		                                                  : "entry %zu of the HTTP Archive (HAR) has no body: export it with content",
		                 e->where.entry);
	har_write_tape(e, &entry);
	return true;
}

void har_exchange_fini(struct har_exchange *e)
{
	buf_fini(&e->lines);
	buf_fini(&e->body);
}
