#include "net/tape.h"

#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/regular_file.h"
#include "net/har.h"
#include "net/head.h"
#include "net/tape_pieces.h"
#include "net/tape_inside.h"
#include "net/tape_lines.h"

#define TAPE_VERSION_MOST 3 /* bytes of a version of HTTP, "1.1" */
#define BLOCK_BYTES ((size_t)64 << 10)

/* Text of a tape, in blocks that never move, so that steps can borrow from them. */
struct block {
	struct block *next;
	size_t used, size;
	char bytes[];
};

static char *keep_room(struct tape *tape, size_t size)
{
	struct block *block = tape->blocks;

	if (!block || block->size - block->used < size) {
		size_t bytes = size > BLOCK_BYTES ? size : BLOCK_BYTES;

		block = mem_new(sizeof *block + bytes);
		block->size = bytes;
		block->next = tape->blocks;
		tape->blocks = block;
	}
	block->used += size;
	return block->bytes + block->used - size;
}

struct str tape_keep(struct tape *tape, struct str text)
{
	char *copy;

	if (!text.ptr)
		return STR_NONE;
	copy = keep_room(tape, text.len);
	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return str_of(copy, text.len);
}

bool tape_add_step(struct tape *tape, const struct tape_step *step)
{
	if (tape->count == TAPE_STEPS_LIMIT)
		return false;
	*ARRAY_ADD(tape->steps, tape->count, tape->capacity) = *step;
	return true;
}

/* --- lines --- */

struct asked_for tape_asked_by(struct str request)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	struct asked_for asked = asked_for_by(json_parse(parser, request, &used));

	json_parser_free(parser);
	return asked;
}

static void read_facts(struct tape_reader *r, const struct json *value, struct str line)
{
	struct tape *tape = r->tape;
	struct tape_info *facts = &tape->facts;

	facts->protocol = tape_keep(tape, json_get_text(value, "protocol"));
	facts->transport = tape_keep(tape, json_get_text(value, "transport"));
	facts->dialect = tape_keep(tape, json_get_text(value, "dialect"));
	facts->provider = tape_keep(tape, json_get_text(value, "provider"));
	facts->model = tape_keep(tape, json_get_text(value, "model"));
	facts->url = tape_keep(tape, json_get_text(value, "url"));
	facts->started = tape_keep(tape, json_get_text(value, "started"));
	if (json_get(value, "request"))
		facts->request = tape_keep(tape, json_scan_find(line, (const char *const[]){ "request", NULL }));
	tape->asked = asked_for_by(json_get(value, "request"));
}

static size_t count_listed(const struct json *headers)
{
	struct json_member member = { 0 };
	size_t count = 0;

	while (json_next(headers, &member))
		count += head_is_taped(member.key);
	return count;
}

/* "1.1", "2": what is behind it is left out. */
static struct str read_version(struct str text)
{
	size_t len = 0;

	while (len < text.len && len < TAPE_VERSION_MOST && (char_is_digit(text.ptr[len]) || text.ptr[len] == '.'))
		len++;
	return len ? str_head(text, len) : STR_NONE;
}

static void read_head(struct tape_reader *r, const struct json *value, struct response_head *head)
{
	struct json_member member = { 0 };
	const struct json *headers = json_get(value, "headers");
	size_t most = count_listed(headers);
	struct response_header *kept = NULL;
	int64_t status;

	head->status = json_count(json_get(value, "status"), &status) && status <= 999 ? (int)status : 200;
	head->content_type = tape_keep(r->tape, json_get_text(value, "content_type"));
	if (most)
		kept = mem_new(most * sizeof *kept);
	while (json_next(headers, &member)) {
		struct str text;

		if (head->header_count < most && head_is_taped(member.key) && json_scalar(member.value, &r->scratch, &text))
			kept[head->header_count++] = (struct response_header){ tape_keep(r->tape, member.key), tape_keep(r->tape, text) };
	}
	head->headers = kept;
	head->http = tape_keep(r->tape, read_version(json_get_text(value, "http")));
	tape_line_read_timings(json_get(value, "timings"), head);
}

/* Returns false when the line is invalid. A line of an unknown kind is skipped. */
static bool read_step(struct tape_reader *r, const struct json *value, size_t number)
{
	struct tape_step step = { .at_ms = r->at_ms, .line = r->tape->archived ? 0 : number };
	struct str coded = json_get_text(value, "b64");
	struct str end = json_get_text(value, "end");
	double t;

	if (json_number(json_get(value, "t"), &t) && t > step.at_ms)
		step.at_ms = t < TAPE_LATEST_MS ? t : TAPE_LATEST_MS;
	r->at_ms = step.at_ms;
	if (json_get(value, "head")) {
		step.kind = TAPE_HEAD;
		read_head(r, json_get(value, "head"), &step.head);
	} else if (json_kind(json_get(value, "body")) == JSON_STRING) {
		step.kind = TAPE_BODY;
		step.bytes = tape_keep(r->tape, json_get_text(value, "body"));
	} else if (coded.ptr) {
		step.kind = TAPE_BODY;
		buf_clear(&r->scratch);
		if (!base64_decode(coded, &r->scratch))
			return false;
		step.bytes = tape_keep(r->tape, buf_str(&r->scratch));
	} else if (json_kind(json_get(value, "out")) == JSON_STRING || json_kind(json_get(value, "in")) == JSON_STRING) {
		step.kind = json_get(value, "out") ? TAPE_SENT : TAPE_CAME;
		step.bytes = tape_keep(r->tape, json_get_text(value, step.kind == TAPE_SENT ? "out" : "in"));
	} else if (end.ptr) {
		step.kind = TAPE_END;
		r->ended = true;
		if (!end_how_from(end, &step.how))
			step.how = END_CUT;
	} else {
		return true;
	}
	return tape_add_step(r->tape, &step);
}

/* `number`: of the line, from 1. `last`: nothing follows it, so it may be incomplete. */
bool tape_read_line(struct tape_reader *r, struct str line, size_t number, bool last, struct error *err)
{
	size_t used = 0;
	const struct json *value = str_is_blank(line) ? NULL : json_parse(r->parser, line, &used);
	bool whole = json_kind(value) == JSON_OBJECT && str_is_blank(str_skip(line, used));
	bool good = whole;

	if (str_is_blank(line))
		return true;
	if (whole && number == 1)
		read_facts(r, value, line);
	else if (whole)
		good = read_step(r, value, number);
	if (r->tape->count == TAPE_STEPS_LIMIT)
		return error_set(err, "line %zu: the tape has more steps than can be played", number);
	return good || last || error_set(err, "line %zu is not a valid line of a tape", number);
}

static bool read_lines(struct tape_reader *r, struct str text, struct error *err)
{
	struct str line;
	size_t number = 0;

	while (!r->ended && str_split(&text, '\n', &line))
		if (!tape_read_line(r, line, ++number, str_is_blank(text), err))
			return false;
	while (r->ended && str_split(&text, '\n', &line) && tape_read_behind(r, line, ++number))
		;
	if (r->ended)
		return true;
	tape_add_step(r->tape, &(struct tape_step){ .kind = TAPE_END, .at_ms = r->at_ms, .line = r->tape->archived ? 0 : number, .how = END_CUT });
	return true;
}

/* --- tape or plain body --- */

/* Recognises a first line that is itself truncated. */
static bool has_mark(struct str line)
{
	static const char mark[] = "{\"weir_tape\":";
	size_t matched = 0;

	for (size_t i = 0; i < line.len && mark[matched]; i++) {
		if (line.ptr[i] == ' ')
			continue;
		if (line.ptr[i] != mark[matched])
			return false;
		matched++;
	}
	return !mark[matched];
}

bool tape_find_mark(struct tape_reader *r, struct str text, bool *is_tape, struct error *err)
{
	struct str line = str_head(text, str_find(text, STR("\n")));
	size_t used;
	const struct json *value = str_starts(line, "{") ? json_parse(r->parser, line, &used) : NULL;
	const struct json *version = json_get(value, "weir_tape");
	int64_t number;

	*is_tape = value ? version != NULL : has_mark(line);
	if (version && (!json_count(version, &number) || number != 1))
		return error_set(err, "the tape's version is not 1, the only one this program reads");
	return true;
}

/* --- a plain body --- */

/* Makes one step per piece; the last step within the limit takes the rest. */
static void make_plain(struct tape *tape)
{
	struct tape_pieces pieces = tape_pieces_of(buf_str(&tape->body));
	struct str rest = pieces.rest, piece;

	tape->plain = true;
	while (tape->count + 2 < TAPE_STEPS_LIMIT && tape_pieces_next(&pieces, &piece)) {
		tape_add_step(tape, &(struct tape_step){ .kind = TAPE_BODY, .bytes = piece });
		rest = pieces.rest;
	}
	if (rest.len)
		tape_add_step(tape, &(struct tape_step){ .kind = TAPE_BODY, .bytes = rest });
	tape_add_step(tape, &(struct tape_step){ .kind = TAPE_END, .how = END_CLOSED });
}

/* --- an HTTP Archive --- */

static bool load_archive(struct tape_reader *r, size_t entry, struct error *err)
{
	struct buf text = r->tape->body;
	struct har_exchange e;
	bool good;

	r->tape->body = (struct buf){ .len = 0 };
	r->tape->archived = true;
	good = har_read(&e, buf_str(&text), entry, err) && read_lines(r, buf_str(&e.lines), err);
	r->tape->plain = !e.timed;
	r->tape->archive = e.where;
	if (good && !e.timed) {
		r->tape->body = e.body;
		e.body = (struct buf){ .len = 0 };
	}
	har_exchange_fini(&e);
	buf_fini(&text);
	return good;
}

/* An asciicast begins with an object that names its version and the size of the screen. */
static bool is_cast(struct tape_reader *r, struct str text)
{
	struct str line = str_head(text, str_find(text, STR("\n")));
	size_t used;
	const struct json *value = str_starts(line, "{\"version\"") ? json_parse(r->parser, line, &used) : NULL;

	return json_get(value, "version") && (json_get(value, "width") || json_get(value, "term"));
}

/* Takes ownership of the text's memory. */
static bool load(struct tape **tape, struct buf *text, size_t entry, struct error *err)
{
	struct tape_reader r = { .tape = mem_new(sizeof(struct tape)), .parser = json_parser_new() };
	bool is_tape = false;
	bool good;

	buf_init(&r.scratch, TAPE_LIMIT);
	r.tape->body = *text;
	if (har_begins(buf_str(text)))
		good = load_archive(&r, entry, err);
	else if (entry)
		good = error_set(err, "--entry is for HTTP Archives (HAR)");
	else if (is_cast(&r, buf_str(text)))
		good = error_set(err, "an asciicast holds what a screen showed, not the stream: keep the tape for that");
	else
		good = tape_find_mark(&r, buf_str(&r.tape->body), &is_tape, err);
	if (good && is_tape) {
		good = read_lines(&r, buf_str(&r.tape->body), err);
		buf_fini(&r.tape->body);
	} else if (good && !r.tape->archived) {
		make_plain(r.tape);
	}
	json_parser_free(r.parser);
	buf_fini(&r.scratch);
	if (good)
		*tape = r.tape;
	else
		tape_free(r.tape);
	return good;
}

bool tape_open(struct tape **tape, const char *path, struct error *err)
{
	return tape_open_entry(tape, path, 0, err);
}

bool tape_open_entry(struct tape **tape, const char *path, size_t entry, struct error *err)
{
	struct buf text;
	struct error why = { "" };

	buf_init(&text, TAPE_LIMIT);
	if (!buf_read_file(&text, path, err)) {
		buf_fini(&text);
		return false;
	}
	if (load(tape, &text, entry, &why))
		return true;
	return error_set(err, "%s: %s", strcmp(path, "-") ? path : "standard input", why.text);
}

/* Appends the first line of a file. False if it cannot be read or is too long. */
static bool read_first_line(const char *path, struct buf *line, struct error *err)
{
	int fd = regular_file_open(path, NULL, err);
	char piece[16 << 10];
	const char *feed = NULL;
	ssize_t got = 1;

	if (fd < 0)
		return false;
	while (!feed && (got = read(fd, piece, sizeof piece)) > 0) {
		feed = memchr(piece, '\n', (size_t)got);
		if (!buf_add(line, str_of(piece, feed ? (size_t)(feed - piece) + 1 : (size_t)got)))
			break;
	}
	close(fd);
	return feed || got == 0 || error_set(err, "%s: its first line cannot be read", path);
}

bool tape_open_facts(struct tape **tape, const char *path, struct error *err)
{
	struct buf line;
	struct error why = { "" };

	buf_init(&line, TAPE_LIMIT);
	if (!read_first_line(path, &line, err)) {
		buf_fini(&line);
		return false;
	}
	return load(tape, &line, 0, &why) || error_set(err, "%s: %s", path, why.text);
}

bool tape_from_text(struct tape **tape, struct str text, struct error *err)
{
	struct buf copy;

	buf_init(&copy, TAPE_LIMIT);
	if (!buf_add(&copy, text))
		return error_set(err, "the tape is larger than %zu MB", TAPE_LIMIT >> 20);
	return load(tape, &copy, 0, err);
}

/* --- what it holds --- */

void tape_free(struct tape *tape)
{
	struct block *next;

	if (!tape)
		return;
	for (size_t i = 0; i < tape->count; i++) {
		mem_free((void *)(uintptr_t)tape->steps[i].head.headers);
		mem_free((void *)(uintptr_t)tape->steps[i].run);
	}
	for (struct block *block = tape->blocks; block; block = next) {
		next = block->next;
		mem_free(block);
	}
	buf_fini(&tape->body);
	mem_free(tape->steps);
	mem_free(tape);
}

bool tape_is_plain(const struct tape *tape)
{
	return tape->plain;
}

struct str tape_plain_body(const struct tape *tape)
{
	return buf_str(&tape->body);
}

bool tape_lacks_head(const struct tape *tape)
{
	return tape->plain && (!tape->count || tape->steps[0].kind != TAPE_HEAD);
}

const struct tape_archive *tape_archive(const struct tape *tape)
{
	return tape->archived ? &tape->archive : NULL;
}

const struct tape_info *tape_facts(const struct tape *tape)
{
	return &tape->facts;
}

struct asked_for tape_asked(const struct tape *tape)
{
	return tape->asked;
}

size_t tape_length(const struct tape *tape)
{
	return tape->count - tape->behind;
}

size_t tape_behind(const struct tape *tape)
{
	return tape->behind;
}

struct tape_step tape_at(const struct tape *tape, size_t index)
{
	return tape->steps[index];
}

void tape_feed_step(const struct tape_step *step, struct stream *stream)
{
	switch (step->kind) {
	case TAPE_HEAD:
		stream_head(stream, &step->head, step->at_ms);
		break;
	case TAPE_BODY:
		stream_body(stream, step->bytes, step->at_ms);
		break;
	case TAPE_SENT:
	case TAPE_CAME:
	case TAPE_RUN:
		break; /* of no stream */
	case TAPE_END:
		stream_end(stream, step->how, step->at_ms);
		break;
	}
}

bool tape_feed(const struct tape *tape, struct stream *stream, int status, bool (*stop)(void *ctx), void *ctx)
{
	if (tape_lacks_head(tape) && status)
		stream_head(stream, &(struct response_head){ .status = status }, 0);
	for (size_t i = 0; i < tape_length(tape); i++) {
		if (stop && stop(ctx))
			return false;
		tape_feed_step(&tape->steps[i], stream);
	}
	return true;
}
