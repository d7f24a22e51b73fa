#include "net/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "loopback.h"
#include "support/cases.h"
#include "support/check.h"
#include "wire/summary.h"

/* --- specifications --- */

static void reads_orders(void)
{
	struct fault fault;
	struct error err;

	fault_init(&fault);
	CU_ASSERT(fault_read(&fault, STR(""), &err));
	CU_ASSERT(fault.end_at == FAULT_NOWHERE && !fault.piece && !fault.gzip);
	CU_ASSERT(fault_read(&fault, STR(" bytes, wait=20,reset=next ,gzip"), &err));
	CU_ASSERT(fault.piece == 1 && fault.wait_ms == 20 && fault.end == FAULT_RESET && fault.end_moves && fault.end_at == 0 && fault.gzip);
	CU_ASSERT(fault_read(&fault, STR("cut=12,status=503,length=9"), &err));
	CU_ASSERT(fault.piece == 1 && fault.end == FAULT_CUT && !fault.end_moves && fault.end_at == 12 && fault.status == 503 && fault.length == 9);
}

/* Each word does something, and says by its argument what it takes. */
static void reads_every_word(void)
{
	for (size_t i = 0; fault_word_at(i).name; i++) {
		const struct fault_word word = fault_word_at(i);
		struct fault none, fault;
		struct error err = { "" };
		char order[64];

		fault_init(&none);
		fault_init(&fault);
		snprintf(order, sizeof order, "%s%s", word.name, word.argument ? "=234" : "");
		CHECK(fault_read(&fault, str_from(order), &err), "%s: %s", order, err.text);
		CHECK(memcmp(&fault, &none, sizeof fault) != 0, "%s changes nothing", order);
		CHECK(word.help && *word.help, "%s", word.name);
	}
}

static void refuses_orders(void)
{
	static const struct { const char *order, *words; } cases[] = {
		{ "explode", "there is no fault 'explode'" },
		{ "bytes,explode=1", "there is no fault 'explode'" },
		{ "cut", "cut=N" },
		{ "cut=", "cut=N" },
		{ "cut=-1", "'-1'" },
		{ "cut=1x", "'1x'" },
		{ "cut=999999999999", "a number from 0 to 268435456 or 'next'" },
		{ "pieces=next", "takes a number from 0 to" },
		{ "bytes=1", "bytes takes no value" },
		{ "status=99", "a number from 200 to 599: status=N" },
		{ "status=600", "a number from 200 to 599: status=N" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct fault fault;
		struct error err = { "" };

		fault_init(&fault);
		CHECK(!fault_read(&fault, str_from(cases[i].order), &err), "%s", cases[i].order);
		CHECK(strstr(err.text, cases[i].words) != NULL, "%s: %s", cases[i].order, err.text);
	}
}

/* --- bodies --- */

static void send_through(const char *order, struct str body, size_t turn, size_t read, struct buf *out)
{
	struct fault fault;
	struct fault_body filter;
	struct error err;

	fault_init(&fault);
	CU_ASSERT_FATAL(fault_read(&fault, str_from(order), &err));
	fault_body_init(&filter, &fault, turn);
	while (body.len)
		body = str_skip(body, fault_body_add(&filter, str_head(body, read), out));
	fault_body_end(&filter, out);
	fault_body_fini(&filter);
}

static void changes_bodies(void)
{
	static const struct { const char *order; size_t turn; const char *body, *out; } cases[] = {
		{ "", 0, "data: a\n\ndata: b\n\n", "data: a\n\ndata: b\n\n" },
		{ "crlf", 0, "data: a\n\r\n", "data: a\r\n\r\n" },
		{ "cr", 0, "data: a\n\ndata: b\n\n", "data: a\r\rdata: b\r\r" },
		{ "bom", 0, "data: a\n\n", "\xEF\xBB\xBF" "data: a\n\n" },
		{ "comments", 0, "data: a\n\ndata: b\n\n", ": a comment\ndata: a\n\n: a comment\ndata: b\n\n: a comment\n" },
		{ "comments,crlf", 0, "data: a\r\n\r\n", ": a comment\ndata: a\r\n\r\n: a comment\n" },
		{ "bad=2", 0, "data", "da\xFFta" },
		{ "giant=3", 0, "data: a\n\n", "data: {\"giant\":\"xxx\"}\n\ndata: a\n\n" },
		{ "giant=3", 0, "{}\n", "{\"giant\":\"xxx\"}\n{}\n" },
		{ "deep=3", 0, "data: a\n\n", "data: {\"deep\":[[[]]]}\n\ndata: a\n\n" },
		{ "cut=3", 0, "data", "dat" },
		{ "reset=0", 0, "data", "" },
		{ "cut=next", 2, "data", "da" },
		{ "cut=9", 0, "data", "data" },
		{ "bom,cut=4", 0, "data", "\xEF\xBB\xBF" "d" },
	};
	struct buf out;

	buf_init(&out, 1 << 20);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t read = 1; read < 10; read++) {
			buf_clear(&out);
			send_through(cases[i].order, str_from(cases[i].body), cases[i].turn, read, &out);
			CHECK(str_is(buf_str(&out), cases[i].out), "%s, reads of %zu: %s", cases[i].order, read, buf_z(&out));
		}
	buf_clear(&out);
	send_through("nul=1", STR("ab"), 0, 1, &out);
	CU_ASSERT(str_equal(buf_str(&out), str_of("a\0b", 3)));
	buf_fini(&out);
}

static void makes_large_bodies_piece_by_piece(void)
{
	static const struct { const char *order; size_t bytes; } cases[] = {
		{ "giant=3000000", 3000000 + sizeof "data: {\"giant\":\"\"}\n\ndata: a\n\n" - 1 },
		{ "deep=1500000", 3000000 + sizeof "data: {\"deep\":}\n\ndata: a\n\n" - 1 },
		{ "giant=268435456,cut=3000000", 3000000 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str body = STR("data: a\n\n");
		struct fault fault;
		struct fault_body filter;
		struct error err;
		struct buf out;
		size_t made = 0;

		buf_init(&out, 1 << 20);
		fault_init(&fault);
		CU_ASSERT_FATAL(fault_read(&fault, str_from(cases[i].order), &err));
		fault_body_init(&filter, &fault, 0);
		while (body.len) {
			buf_clear(&out);
			body = str_skip(body, fault_body_add(&filter, body, &out));
			CHECK(out.len <= FAULT_PIECE_BYTES, "%s: %zu bytes at once", cases[i].order, out.len);
			made += out.len;
		}
		CHECK(made == cases[i].bytes, "%s: %zu", cases[i].order, made);
		fault_body_fini(&filter);
		buf_fini(&out);
	}
}

/* --- over HTTP --- */

struct place {
	struct loop loop;
	struct tape *tape;
	char url[64];
};

static const struct tape *always(void *ctx, const struct serve_request *request)
{
	(void)request;
	return *(struct tape **)ctx;
}

static void open_place(struct place *p, const char *text)
{
	struct error err;

	*p = (struct place){ .loop = { .http = http_new() }, .tape = text ? tape_of(text) : NULL };
	CU_ASSERT_FATAL(serve_open(&p->loop.serve, 0, 0, always, &p->tape, &err));
	snprintf(p->url, sizeof p->url, "http://127.0.0.1:%u/", serve_port(p->loop.serve));
}

static void close_place(struct place *p)
{
	http_free(p->loop.http);
	serve_free(p->loop.serve);
	tape_free(p->tape);
}

static struct source *start(struct place *p, const char *order, const struct source_sink *sink)
{
	char header[200];
	const char *const headers[] = { header };
	struct http_request request = { .method = "POST", .url = p->url, .headers = headers, .header_count = order != NULL, .body = STR("{}"),
		                        .connect_timeout_ms = CHECK_PATIENCE_MS };
	struct source *source = NULL;
	struct error err;

	snprintf(header, sizeof header, SERVE_FAULT_HEADER ": %s", order ? order : "");
	CU_ASSERT_FATAL(http_start(p->loop.http, &request, sink, &source, &err));
	return source;
}

static void ask(struct place *p, const char *order, struct recorder *r)
{
	struct source_sink sink = recorder_sink(r);
	struct source *source;

	recorder_init(r);
	source = start(p, order, &sink);
	loop_until(&p->loop, &r->ends, 1);
	source_free(source);
}

#define BODY "data: one\n\ndata: two\n\n"
#define HEAD "head 200 text/event-stream\n"

static void applies_faults_over_http(void)
{
	static const struct { const char *order, *log; } cases[] = {
		{ NULL, HEAD "body " BODY "\nend closed\n" },
		{ "", HEAD "body " BODY "\nend closed\n" },
		{ "bytes", HEAD "body " BODY "\nend closed\n" },
		{ "pieces=7,pace=1", HEAD "body " BODY "\nend closed\n" },
		{ "gzip", HEAD "body " BODY "\nend closed\n" },
		{ "gzip,bytes", HEAD "body " BODY "\nend closed\n" },
		{ "gzip,end=5", HEAD "body data:\nend closed\n" },
		{ "gzip,cut=5", HEAD "body data:\nend cut\n" },
		{ "status=529", "head 529 text/event-stream\nbody " BODY "\nend closed\n" },
		{ "cut=0", HEAD "end cut\n" },
		{ "cut=5", HEAD "body data:\nend cut\n" },
		{ "reset=0", HEAD "end cut\n" },
		{ "reset=5,pace=5", HEAD "body data:\nend cut\n" },
		{ "end=5", HEAD "body data:\nend closed\n" },
		{ "length=5", HEAD "body data:\nend closed\n" },
		{ "length=100", HEAD "body " BODY "\nend cut\n" },
		{ "comments,bytes", HEAD "body : a comment\ndata: one\n\n: a comment\ndata: two\n\n: a comment\n\nend closed\n" },
		{ "explode", "head 400 application/json\nbody {\"error\":{\"message\":\"there is no fault 'explode'\"}}\nend closed\n" },
	};
	struct place place;

	open_place(&place, BODY);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct recorder r;

		ask(&place, cases[i].order, &r);
		CHECK(str_is(buf_str(&r.log), cases[i].log), "%s: %s", cases[i].order ? cases[i].order : "none", buf_z(&r.log));
		recorder_fini(&r);
	}
	close_place(&place);
}

static void cuts_everywhere_in_turn(void)
{
	struct fault fault;
	struct place place;
	struct error err;

	open_place(&place, BODY);
	fault_init(&fault);
	CU_ASSERT(fault_read(&fault, STR("cut=next"), &err));
	serve_set_fault(place.loop.serve, &fault);
	for (size_t at = 0; at <= strlen(BODY) + 1; at++) {
		struct recorder r;

		ask(&place, NULL, &r);
		CHECK(str_equal(buf_str(&r.body), str_head(STR(BODY), at)), "%zu: %s", at, buf_z(&r.body));
		CHECK(str_ends(buf_str(&r.log), at <= strlen(BODY) ? "end cut\n" : "end closed\n"), "%zu: %s", at, buf_z(&r.log));
		recorder_fini(&r);
	}
	close_place(&place);
}

static void waits_and_stalls(void)
{
	struct place place;
	struct recorder r;
	struct source_sink sink = recorder_sink(&r);
	struct source *source;

	open_place(&place, BODY);
	ask(&place, "wait=40,pieces=11,pace=30", &r);
	CHECK(r.last_ms >= 69, "it took %g ms", r.last_ms);
	recorder_fini(&r);
	recorder_init(&r);
	source = start(&place, "stall=5", &sink);
	loop_until(&place.loop, &r.bodies, 1);
	for (int i = 0; i < 5; i++)
		http_wait(place.loop.http, NULL, 0, 2);
	CHECK_STR(buf_str(&r.log), HEAD "body data:");
	source_free(source);
	recorder_fini(&r);
	close_place(&place);
}

/* --- every saved stream decodes to the same deltas under every harmless fault --- */

struct reading {
	struct summary *summary;
	struct stream *stream;
	unsigned ends;
};

static void on_head(void *ctx, const struct response_head *head, double at_ms)
{
	stream_head(((struct reading *)ctx)->stream, head, at_ms);
}

static void on_body(void *ctx, struct str bytes, double at_ms)
{
	stream_body(((struct reading *)ctx)->stream, bytes, at_ms);
}

static void on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct reading *r = ctx;

	(void)detail;
	stream_end(r->stream, how, at_ms);
	r->ends++;
}

static void reading_begin(struct reading *r, const struct tape *tape, struct str protocol, struct str dialect)
{
	struct stream_options options = { .protocol = protocol_find(protocol), .dialect = dialect_find(dialect),
		                          .asked = tape_asked(tape), .untimed = true };

	*r = (struct reading){ .summary = summary_new() };
	r->stream = stream_new(&options, summary_delta, r->summary);
}

/* Leaves out notices, which a fault may cause. */
static void reading_end(struct reading *r, struct buf *out)
{
	buf_clear(out);
	summary_write(r->summary, STR_NONE, STR_NONE, out);
	buf_remove(out, str_find(buf_str(out), STR(",\"notices\":")), out->len);
	stream_free(r->stream);
	summary_free(r->summary);
}

static void read_directly(const struct tape *tape, struct str protocol, struct str dialect, int status, struct buf *out)
{
	struct reading r;

	reading_begin(&r, tape, protocol, dialect);
	tape_feed(tape, r.stream, status == 200 ? 0 : status, NULL, NULL);
	reading_end(&r, out);
}

static void read_served(struct place *place, const char *order, struct str protocol, struct str dialect, struct buf *out)
{
	struct reading r;
	struct source_sink sink = { &r, on_head, on_body, on_end };
	struct source *source;

	reading_begin(&r, place->tape, protocol, dialect);
	source = start(place, order, &sink);
	loop_until(&place->loop, &r.ends, 1);
	source_free(source);
	reading_end(&r, out);
}

static void check_disguises(struct place *place, const char *path, struct str protocol, struct str dialect, int status)
{
	static const char *const orders[] = { "", "bytes", "pieces=13,crlf", "cr", "bom,gzip", "comments", "gzip,pieces=3",
		                             "giant=70000,pieces=9000", "deep=200", "deep=300" };
	size_t count = sizeof orders / sizeof orders[0] - (str_ends(str_from(path), ".sse") ? 0 : 3); /* .sse only: they add an event */
	struct buf expected = { 0 }, got = { 0 };

	read_directly(place->tape, protocol, dialect, status, &expected);
	for (size_t i = 0; i < count; i++) {
		char order[80];

		snprintf(order, sizeof order, status == 200 ? "%s" : "%s,status=%d", orders[i], status);
		read_served(place, order, protocol, dialect, &got);
		CHECK(str_equal(buf_str(&got), buf_str(&expected)), "%s, %s:\n%s\n%s", path, order, buf_z(&expected), buf_z(&got));
	}
	buf_fini(&expected);
	buf_fini(&got);
}

/* Checks an error body under every status that servers use. */
static void check_statuses(struct place *place, const char *path, struct str protocol, struct str dialect, int status)
{
	static const int statuses[] = { 400, 401, 402, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 529 };
	struct buf got = { 0 };

	(void)status;
	if (!strstr(path, "/errors/"))
		return;
	for (size_t i = 0; i < sizeof statuses / sizeof statuses[0]; i++) {
		char order[32], told[32];
		struct buf expected = { 0 };

		snprintf(order, sizeof order, "status=%d", statuses[i]);
		snprintf(told, sizeof told, "\"status\":%d", statuses[i]);
		read_directly(place->tape, protocol, dialect, statuses[i], &expected);
		read_served(place, order, protocol, dialect, &got);
		CHECK(str_equal(buf_str(&got), buf_str(&expected)), "%s, %s:\n%s\n%s", path, order, buf_z(&expected), buf_z(&got));
		CHECK(strstr(buf_z(&got), "\"outcome\":\"error\"") && strstr(buf_z(&got), told), "%s, %s: %s", path, order, buf_z(&got));
		buf_fini(&expected);
	}
	buf_fini(&got);
}

/* A stalled tape never ends, and a cancelled one records that. */
static bool ends_by_itself(const struct tape *tape)
{
	enum end_how how = tape_at(tape, tape_length(tape) - 1).how;

	return how == END_CLOSED || how == END_CUT;
}

typedef void stream_check(struct place *place, const char *path, struct str protocol, struct str dialect, int status);

struct faulting { struct place place; stream_check *check; };

static void check_case(void *faulting, const struct stream_case *c)
{
	struct faulting *f = faulting;
	struct error err;

	CU_ASSERT_FATAL(tape_open(&f->place.tape, c->path, &err));
	if (ends_by_itself(f->place.tape))
		f->check(&f->place, c->path, c->protocol, c->dialect, c->status);
	tape_free(f->place.tape);
	f->place.tape = NULL;
}

static void check_saved_streams(stream_check *check)
{
	struct faulting f = { .check = check };

	open_place(&f.place, NULL);
	cases_of_own(check_case, &f);
	close_place(&f.place);
}

static void harmless_faults_change_nothing(void)
{
	check_saved_streams(check_disguises);
}

static void every_error_body_under_every_status(void)
{
	check_saved_streams(check_statuses);
}

/* A connection that breaks anywhere delivers exactly the bytes sent before. */
static void breaks_anywhere(void)
{
	static const struct { const char *path, *protocol; } streams[] = {
		{ "tests/streams/openai-chat/sansa-tool.sse", "openai-chat" },
		{ "tests/streams/anthropic/thinking-signature.sse", "anthropic" },
		{ "tests/streams/gemini/calls-parallel.sse", "gemini" },
		{ "tests/streams/openai-responses/calls-parallel.sse", "openai-responses" },
		{ "tests/streams/ollama/text.ndjson", "ollama" },
	};
	static const char *const ends[] = { "cut", "reset" };

	for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
		struct str protocol = str_from(streams[i].protocol), dialect = STR("generic"), body;
		struct buf expected = { 0 }, got = { 0 };
		struct place place;
		struct error err;

		open_place(&place, NULL);
		CU_ASSERT_FATAL(tape_open(&place.tape, streams[i].path, &err));
		body = tape_plain_body(place.tape);
		for (size_t at = 0; at <= body.len; at += 1 + body.len / 150) {
			struct reading r;
			char order[40];

			reading_begin(&r, place.tape, protocol, dialect);
			stream_body(r.stream, str_head(body, at), 0);
			stream_end(r.stream, END_CUT, 0);
			reading_end(&r, &expected);
			snprintf(order, sizeof order, "%s=%zu", ends[at % 2], at);
			read_served(&place, order, protocol, dialect, &got);
			CHECK(str_equal(buf_str(&got), buf_str(&expected)), "%s, %s:\n%s\n%s", streams[i].path, order, buf_z(&expected), buf_z(&got));
		}
		buf_fini(&expected);
		buf_fini(&got);
		close_place(&place);
	}
}

const struct suite suite_fault = { "fault", (const struct test[]){
	TEST(reads_orders), TEST(reads_every_word), TEST(refuses_orders), TEST(changes_bodies), TEST(makes_large_bodies_piece_by_piece),
	TEST(applies_faults_over_http), TEST(cuts_everywhere_in_turn),
	TEST(waits_and_stalls), TEST(harmless_faults_change_nothing),
	TEST(every_error_body_under_every_status), TEST(breaks_anywhere), { 0 } } };
