/*
 * Decodes every saved stream whole, byte by byte, split and truncated: small ones at every offset, others at some (our own at all with
 * WEIR_SWEEP=more, all of them with WEIR_SWEEP=full). There are two collections with the same layout:
 * the shared one (WEIR_STREAMS; skipped if absent) and our own, tests/streams. Each has a cases.tsv with one line per stream: path,
 * protocol, dialect, HTTP status. If the status is not 200 the decoder is told the protocol; else it detects it.
 */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/mem.h"
#include "support/cases.h"
#include "support/check.h"
#include "support/members.h"
#include "wire/encoded.h"
#include "wire/grammar.h"
#include "wire/scrub.h"
#include "wire/stream.h"
#include "wire/summary.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* A stream of at most two reads of this size is split in two at every offset. In a longer one each run splits every read at one offset. */
#define READ_BYTES ((size_t)512)
#define WHOLE_UP_TO ((size_t)3000) /* a stream up to this size is truncated at every offset; a longer one at line ends and random offsets */
#define OFFSETS_OF_LONG 400
#define STEP 8 /* sanitizers test every 8th offset only, as they are that much slower; so do all where the stream is not our own */
#define SMALL ((size_t)400) /* a stream up to this size is cut at every offset; a longer one of our own at every fifth, and at all by `make sweep-smoke` */
#define STEP_OWN 5
#define SHORT_READ ((size_t)7)
#define PACK_FROM 8 /* long words and names are packed, too: what is not whole in a read must be the same as what is */
#define FILE_LIMIT ((size_t)64 << 20)

struct corpus_case {
	char path[600];          /* the stream's file */
	char expected[620];
	const struct protocol *protocol; /* NULL: detect it */
	const struct dialect *dialect;
	int status;
	bool own;                /* of our own streams */
	struct asked_for asked;      /* of a tape */
	struct buf body;
	enum end_how how;
	struct buf summary;      /* summary of the whole stream */
};

typedef void case_test(struct corpus_case *c);

struct run {
	struct summary *summary;
	struct grammar grammar;
	struct stream *stream;
};

static void run_begin(struct run *r, const struct corpus_case *c)
{
	r->summary = summary_new();
	r->grammar = (struct grammar){ .next = summary_delta, .ctx = r->summary };
	struct stream_options options = { .protocol = c->protocol, .dialect = c->dialect, .asked = c->asked,
	                                  .untimed = true, .pack_from = PACK_FROM };
	r->stream = stream_new(&options, grammar_delta, &r->grammar);
	if (c->status != 200)
		stream_head(r->stream, &(struct response_head){ .status = c->status }, 0);
}

static void run_feed(struct run *r, struct str bytes)
{
	stream_body(r->stream, bytes, 0);
}

/* Ends the run. Writes its summary to `out` unless that is NULL. Returns the grammar's fault. */
static const char *run_end(struct run *r, const struct corpus_case *c, enum end_how how, struct buf *out)
{
	stream_end(r->stream, how, 0);
	if (out) {
		buf_clear(out);
		const struct protocol *protocol = stream_protocol(r->stream);
		summary_write(r->summary, str_from(protocol ? protocol->name : NULL), str_from(c->dialect->name), out);
	}
	const char *fault = grammar_fault(&r->grammar);
	stream_free(r->stream);
	summary_free(r->summary);
	return fault;
}

/* test_summary.c checks the other members of the summary. */
static void check_summary(const struct corpus_case *c)
{
	struct buf text;
	struct error err;

	buf_init(&text, FILE_LIMIT);
	bool read = buf_read_file(&text, c->expected, &err);
	CHECK(read, "%s: %s", c->expected, err.text);
	if (read)
		CHECK_MEMBERS(buf_str(&c->summary), buf_str(&text), "%s", c->path);
	buf_fini(&text);
}

static void run_whole(struct corpus_case *c)
{
	struct run r;

	run_begin(&r, c);
	run_feed(&r, buf_str(&c->body));
	const char *fault = run_end(&r, c, c->how, &c->summary);
	CHECK(!fault, "%s: %s", c->path, fault);
}

static void test_whole(struct corpus_case *c)
{
	check_summary(c);
}

static void test_byte_by_byte(struct corpus_case *c)
{
	struct run r;
	struct buf summary;

	buf_init(&summary, FILE_LIMIT);
	run_begin(&r, c);
	for (size_t i = 0; i < c->body.len; i++)
		run_feed(&r, str_of(c->body.ptr + i, 1));
	const char *fault = run_end(&r, c, c->how, &summary);
	CHECK(!fault, "%s: %s", c->path, fault);
	CHECK(str_equal(buf_str(&summary), buf_str(&c->summary)), "%s: byte by byte: %s", c->path, buf_z(&summary));
	buf_fini(&summary);
}

/* What the stream decodes to, in every protocol and back (wire/encoded.h). */
static void test_encoded(struct corpus_case *c)
{
	struct stream_options options = { .protocol = c->protocol, .dialect = c->dialect, .asked = c->asked };
	struct kept *kept = kept_new();
	struct stream *stream = stream_new(&options, kept_delta, kept);

	if (c->status != 200)
		stream_head(stream, &(struct response_head){ .status = c->status }, 0);
	stream_body(stream, buf_str(&c->body), 0);
	stream_end(stream, c->how, 0);
	check_encoded(kept, stream_protocol(stream), c->path);
	stream_free(stream);
	kept_free(kept);
}

/* --- scrubbed --- */

/* What a scrubbed stream must keep, as lines: deltas, their texts scrubbed (those of calls by length), figures, outcome. */
struct shape { const struct scrub *scrub; struct buf lines; bool scrubbed; unsigned part; enum delta_kind kind; };

static void add_reason(struct shape *s, struct str reason)
{
	buf_add_byte(&s->lines, ' ');
	if (s->scrubbed)
		buf_add(&s->lines, reason);
	else
		scrub_word(s->scrub, reason, &s->lines);
}

static void shape_delta(void *shape, const struct delta *d)
{
	struct shape *s = shape;
	bool text = d->kind == DELTA_TEXT || d->kind == DELTA_REASONING || d->kind == DELTA_REFUSAL;
	bool joins = text && s->kind == d->kind && s->part == d->part;

	s->kind = d->kind;
	s->part = d->part;
	if (d->kind == DELTA_TOOL_ARGUMENTS)
		return;
	buf_printf(&s->lines, "%s%s", joins ? "" : "\n", joins ? "" : delta_kind_name(d->kind));
	if (text && s->scrubbed)
		buf_add(&s->lines, d->text);
	else if (text)
		scrub_text(d->text, &s->lines);
	else if (d->kind == DELTA_TOOL_BEGIN)
		buf_printf(&s->lines, " %u %zu %zu", d->tool.index, d->tool.id.len, d->tool.name.len);
	else if (d->kind == DELTA_TOOL_END)
		buf_printf(&s->lines, " %zu %d", d->text.len, d->tool.valid);
	else if (d->kind == DELTA_FINISH)
		add_reason(s, d->finish.reason);
	else if (d->kind == DELTA_USAGE)
		buf_printf(&s->lines, " %lld", (long long)d->usage.of[USAGE_TOTAL].number);
	else if (d->kind == DELTA_END)
		buf_printf(&s->lines, " %s", outcome_name(d->end.outcome));
}

static void take_shape(const struct corpus_case *c, struct str body, struct shape *shape)
{
	struct stream_options options = { .protocol = c->protocol, .dialect = c->dialect, .asked = c->asked, .untimed = true };
	struct stream *stream = stream_new(&options, shape_delta, shape);

	if (c->status != 200)
		stream_head(stream, &(struct response_head){ .status = c->status }, 0);
	stream_body(stream, body, 0);
	stream_end(stream, c->how, 0);
	stream_free(stream);
}

#define THINK_IN_PIECES "think-tag-split.sse" /* scrub.h: the tag stays only in one piece */

static void test_scrubbed(struct corpus_case *c)
{
	struct scrub *scrub = scrub_new(1);
	struct shape before = { .scrub = scrub }, after = { .scrubbed = true };
	struct buf scrubbed;

	buf_init(&scrubbed, FILE_LIMIT);
	scrub_body(scrub, buf_str(&c->body), &scrubbed);
	CHECK(scrubbed.len == c->body.len, "%s: %zu bytes became %zu", c->path, c->body.len, scrubbed.len);
	take_shape(c, buf_str(&c->body), &before);
	take_shape(c, buf_str(&scrubbed), &after);
	size_t at = 0;
	while (at < before.lines.len && buf_z(&before.lines)[at] == buf_z(&after.lines)[at])
		at++;
	CHECK(str_equal(buf_str(&before.lines), buf_str(&after.lines)) || str_ends(str_from(c->path), THINK_IN_PIECES), "%s: \"%.80s\" became \"%.80s\"",
	      c->path, buf_z(&before.lines) + at, buf_z(&after.lines) + at);
	buf_fini(&scrubbed);
	buf_fini(&before.lines);
	buf_fini(&after.lines);
	scrub_free(scrub);
}

static size_t step_of(const struct corpus_case *c)
{
	if (SANITIZED)
		return STEP;
	if (check_depth() == CHECK_ALL || c->body.len <= SMALL)
		return 1;
	return !c->own ? STEP : check_depth() == CHECK_MORE ? 1 : STEP_OWN;
}

/* Feeds the body in reads that end at `first` and then after every `size` bytes. */
static bool cut_at(struct corpus_case *c, size_t first, size_t size, struct buf *summary)
{
	struct str rest = str_skip(buf_str(&c->body), first);
	struct run r;

	run_begin(&r, c);
	for (run_feed(&r, str_head(buf_str(&c->body), first)); rest.len; rest = str_skip(rest, size))
		run_feed(&r, str_head(rest, size));
	const char *fault = run_end(&r, c, c->how, summary);
	bool same = str_equal(buf_str(summary), buf_str(&c->summary));
	if (fault || !same)
		CHECK(false, "%s: cut at %zu: %s%s", c->path, first, fault ? fault : "", buf_z(summary));
	return !fault && same;
}

static void test_cut_in_two(struct corpus_case *c)
{
	size_t size = check_depth() == CHECK_ALL || c->body.len <= 2 * READ_BYTES ? c->body.len : READ_BYTES;
	struct buf summary;
	bool going = true;

	buf_init(&summary, FILE_LIMIT);
	for (size_t first = 0; going && first <= size; first += step_of(c))
		going = cut_at(c, first, size, &summary);
	buf_fini(&summary);
}

static bool truncate_at(struct corpus_case *c, size_t offset)
{
	static const enum end_how hows[] = { END_CLOSED, END_CUT, END_STALLED, END_CANCELLED };
	struct buf summaries[2] = { { 0 }, { 0 } };
	const char *fault = NULL;

	for (size_t i = 0; i < 2 && !fault; i++) {
		struct run r;

		run_begin(&r, c);
		for (struct str rest = str_head(buf_str(&c->body), offset); rest.len; rest = str_skip(rest, i ? SHORT_READ : rest.len))
			run_feed(&r, i ? str_head(rest, SHORT_READ) : rest);
		fault = run_end(&r, c, hows[offset % 4], &summaries[i]);
	}
	bool same = str_equal(buf_str(&summaries[0]), buf_str(&summaries[1]));
	if (fault || !same)
		CHECK(false, "%s: truncated at %zu: %s%s", c->path, offset, fault ? fault : "", buf_z(&summaries[1]));
	buf_fini(&summaries[0]);
	buf_fini(&summaries[1]);
	return !fault && same;
}

/* Truncates after each line and at random offsets. */
static void truncate_long(struct corpus_case *c)
{
	unsigned seed = 1;
	bool going = true;

	for (size_t i = 0; going && i < OFFSETS_OF_LONG / step_of(c); i++)
		going = truncate_at(c, check_random(&seed) % (c->body.len + 1));
	for (size_t i = 0; going && step_of(c) != STEP && i < c->body.len; i++)
		going = c->body.ptr[i] != '\n' || truncate_at(c, i + 1);
}

static void test_truncated(struct corpus_case *c)
{
	bool going = true;

	if (c->body.len > WHOLE_UP_TO && check_depth() != CHECK_ALL)
		truncate_long(c);
	else
		for (size_t i = 0; going && i <= c->body.len; i += step_of(c))
			going = truncate_at(c, i);
}

/* Reads a tape: the bytes of its reads, its status, how it ended. Its timing is ignored. */
static void read_tape(struct corpus_case *c)
{
	struct buf lines = c->body;
	struct str rest = buf_str(&lines), line;
	struct json_parser *parser = json_parser_new();

	buf_init(&c->body, FILE_LIMIT);
	c->how = END_CUT;
	while (str_split(&rest, '\n', &line)) {
		size_t used;
		int64_t status;
		const struct json *value = json_parse(parser, line, &used);

		if (json_count(json_get(json_get(value, "head"), "status"), &status))
			c->status = (int)status;
		buf_add(&c->body, json_get_text(value, "body"));
		base64_decode(json_get_text(value, "b64"), &c->body);
		end_how_from(json_get_text(value, "end"), &c->how);
		if (json_get(value, "weir_tape")) {
			const struct json *request = json_get(value, "request");

			c->protocol = protocol_find(json_get_text(value, "protocol"));
			c->asked = asked_for_by(request);
		}
	}
	json_parser_free(parser);
	buf_fini(&lines);
}

/* "DIR/expected/PATH.json" in the shared collection, "DIR/PATH.expected.json" in our own. */
static void name_expected(struct corpus_case *c, const struct stream_case *row, bool own)
{
	if (own)
		snprintf(c->expected, sizeof c->expected, "%s.expected.json", c->path);
	else
		snprintf(c->expected, sizeof c->expected, "%s/expected/%.*s.json", row->folder, STR_ARG(row->name));
}

static bool read_case(struct corpus_case *c, const struct stream_case *row, bool own)
{
	struct error err;

	*c = (struct corpus_case){ .own = own, .how = END_CLOSED, .status = row->status, .dialect = dialect_find(row->dialect) };
	snprintf(c->path, sizeof c->path, "%s", row->path);
	name_expected(c, row, own);
	c->protocol = row->status == 200 ? NULL : protocol_find(row->protocol);
	buf_init(&c->summary, FILE_LIMIT);
	buf_init(&c->body, FILE_LIMIT);
	bool read = c->dialect && buf_read_file(&c->body, c->path, &err);
	CHECK(read, "%s: not read, or its dialect is unknown", c->path);
	if (read && str_ends(row->name, ".tape"))
		read_tape(c);
	return read;
}

struct testing { case_test *test; bool own; };

static void run_case(void *testing, const struct stream_case *row)
{
	const struct testing *t = testing;
	struct corpus_case c;

	if (read_case(&c, row, t->own)) {
		run_whole(&c);
		t->test(&c);
	}
	buf_fini(&c.body);
	buf_fini(&c.summary);
}

static void each_shared(case_test *test)
{
	cases_of_shared(run_case, &(struct testing){ test, false });
}

static void each_own(case_test *test)
{
	cases_of_own(run_case, &(struct testing){ test, true });
}

/* What lies in tests/streams is run: it has a row, and what is expected beside it. */
static void own_files_have_their_row(void)
{
	struct buf list = { 0 };
	struct error err = { "" };
	glob_t found;

	CHECK(buf_read_file(&list, "tests/streams/cases.tsv", &err), "%s", err.text);
	CU_ASSERT_FATAL(glob("tests/streams/*/*", 0, NULL, &found) == 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		const char *path = found.gl_pathv[i];
		char row[600], expected[600];

		if (str_ends(str_from(path), ".expected.json"))
			continue;
		snprintf(row, sizeof row, "\n%s\t", path + strlen("tests/streams/"));
		snprintf(expected, sizeof expected, "%s.expected.json", path);
		CHECK(str_find(buf_str(&list), str_from(row)) < list.len, "%s has no row in cases.tsv", path);
		CHECK(!access(expected, R_OK), "%s is absent", expected);
	}
	globfree(&found);
	buf_fini(&list);
}

static void shared_whole(void) { each_shared(test_whole); }
static void shared_byte_by_byte(void) { each_shared(test_byte_by_byte); }
static void shared_split_in_two(void) { each_shared(test_cut_in_two); }
static void shared_truncated(void) { each_shared(test_truncated); }
static void shared_encoded(void) { each_shared(test_encoded); }
static void shared_scrubbed(void) { each_shared(test_scrubbed); }
static void own_whole(void) { each_own(test_whole); }
static void own_byte_by_byte(void) { each_own(test_byte_by_byte); }
static void own_split_in_two(void) { each_own(test_cut_in_two); }
static void own_truncated(void) { each_own(test_truncated); }
static void own_encoded(void) { each_own(test_encoded); }
static void own_scrubbed(void) { each_own(test_scrubbed); }

const struct suite suite_corpus = { "corpus", (const struct test[]){
	TEST(shared_whole), TEST(shared_byte_by_byte), TEST(shared_split_in_two), TEST(shared_truncated), TEST(shared_encoded),
	TEST(shared_scrubbed), TEST(own_scrubbed),
	TEST(own_files_have_their_row), TEST(own_whole), TEST(own_byte_by_byte), TEST(own_split_in_two), TEST(own_truncated),
	TEST(own_encoded), { 0 },
} };
