/* The trace: rows leave no byte out, their deltas are those of the stream, and each has its own. */
#include <stdio.h>
#include <unistd.h>

#include "base/least.h"
#include "chat/conversation/turn.h"
#include "chat/player/trace.h"
#include "support/cases.h"
#include "support/check.h"
#include "talk_tapes.h"
#include "wire/event.h"

/* --- all streams --- */

static void take_event(void *out, const struct delta *d)
{
	event_write(d, out);
}

/* What the stream gives without a trace, and what its rows give together. */
static void check_deltas(const char *path, const struct tape *tape, const struct stream_options *options, int status, const struct trace *trace)
{
	struct buf expected = { 0 }, given = { 0 };
	struct stream *stream = stream_new(options, take_event, &expected);
	size_t row = 0;

	(void)tape_feed(tape, stream, status, NULL, NULL);
	for (size_t i = 0; i < delta_log_count(trace_log(trace)); i++) {
		struct delta d = delta_log_at(trace_log(trace), i);

		while (row < trace_count(trace) && trace_at(trace, row)->deltas_end <= i)
			row++;
		CHECK(trace_row_of_delta(trace, i) == row, "%s: delta %zu", path, i);
		CHECK(trace_at(trace, row)->kinds & 1u << d.kind, "%s: delta %zu", path, i);
		if (delta_log_text(trace_log(trace), i))
			CHECK(trace_row_of_text(trace, delta_log_part(trace_log(trace), i), delta_log_start(trace_log(trace), i)) == row ||
			      d.kind == DELTA_TOOL_ARGUMENTS, "%s: delta %zu", path, i);
		event_write(&d, &given);
	}
	CHECK(str_equal(buf_str(&given), buf_str(&expected)), "%s: %s", path, buf_z(&given));
	stream_free(stream);
	buf_fini(&expected);
	buf_fini(&given);
}

/* Rows in their order have every byte, and each begins where it says. */
static void check_bytes(const char *path, const struct tape *tape, const struct trace *trace)
{
	struct buf body, rows;

	buf_init(&body, TAPE_LIMIT);
	buf_init(&rows, TAPE_LIMIT);
	for (size_t i = 0; i < tape_length(tape); i++)
		buf_add(&body, tape_at(tape, i).bytes);
	for (size_t i = 0; i < trace_count(trace); i++) {
		CHECK(trace_at(trace, i)->offset == rows.len, "%s: row %zu", path, i);
		CHECK(!trace_length(trace, i) || trace_row_of_byte(trace, rows.len) == i, "%s: row %zu", path, i);
		trace_bytes(trace, i, 0, SIZE_MAX, &rows);
	}
	CHECK(str_equal(buf_str(&rows), buf_str(&body)), "%s: %zu of %zu bytes", path, rows.len, body.len);
	buf_fini(&body);
	buf_fini(&rows);
}

static void check_tape(const char *path, const struct tape *tape, const struct stream_options *options, int status)
{
	struct trace *trace = trace_new(tape, options, status, LINT_LEVEL_OFF);
	size_t settled = 0;

	while (trace_read(trace, 1)) {
		CHECK(trace_settled(trace) >= settled && trace_settled(trace) <= trace_count(trace), "%s", path);
		settled = trace_settled(trace);
	}
	CHECK(trace_is_read(trace) && settled == trace_count(trace), "%s", path);
	CHECK(trace_at(trace, settled - 1)->kind == TRACE_END, "%s", path);
	check_deltas(path, tape, options, status, trace);
	check_bytes(path, tape, trace);
	trace_free(trace);
}

static void check_stream(const char *path, struct str protocol, int status)
{
	struct tape *tape;
	struct error err;

	if (!tape_open(&tape, path, &err))
		return;
	struct str name = tape_is_plain(tape) ? protocol : tape_facts(tape)->protocol;
	check_tape(path, tape, &(struct stream_options){ .protocol = protocol_find(name), .asked = tape_asked(tape),
	                                                 .untimed = tape_is_plain(tape) }, status == 200 ? 0 : status);
	check_tape(path, tape, &(struct stream_options){ .untimed = tape_is_plain(tape) }, 0);
	tape_free(tape);
}

static void check_collection(const char *dir, const char *list, size_t least)
{
	char path[600];
	struct buf text = { 0 };
	struct error err;
	struct str line, column[4];
	size_t count = 0;

	snprintf(path, sizeof path, "%s/%s", dir, list);
	if (access(path, R_OK)) {
		check_skip("the streams are absent");
		return;
	}
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	struct str rest = buf_str(&text);
	while (str_split(&rest, '\n', &line)) {
		long long status = 200;

		if (str_is_blank(line) || str_starts(line, "#"))
			continue;
		for (size_t i = 0; i < 4; i++)
			if (!str_split(&line, '\t', &column[i]))
				column[i] = STR_NONE;
		str_to_int(str_trim(column[3]), &status);
		snprintf(path, sizeof path, "%s/%.*s", dir, STR_ARG(column[0]));
		check_stream(path, column[1], (int)status);
		count++;
	}
	CHECK(count >= least, "%zu", count);
	buf_fini(&text);
}

static void own_streams(void)
{
	check_collection("tests/streams", "cases.tsv", 300);
}

static void shared_streams(void)
{
	check_collection(cases_shared_folder(), "expected/cases.tsv", 100);
}

/* --- single rows --- */

#define CHUNK(content) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" content "\"}}]}\n\n"

/* Each row as "kind marks, bytes without what is blank behind them, kinds of deltas". */
static void describe(const struct trace *trace, struct buf *out)
{
	for (size_t i = 0; i < trace_count(trace); i++) {
		const struct trace_row *row = trace_at(trace, i);
		struct buf bytes = { 0 };

		buf_printf(out, "%s", trace_kind_name((enum trace_kind)row->kind));
		for (unsigned mark = 0; mark < TRACE_MARKS; mark++)
			if (row->marks & 1u << mark)
				buf_printf(out, " %s", trace_mark_id(mark));
		trace_bytes(trace, i, 0, 12, &bytes);
		bytes.len = least_size(bytes.len, str_find(buf_str(&bytes), STR("\n")));
		buf_printf(out, " @%zu %.*s:", row->offset, STR_ARG(str_trim(buf_str(&bytes))));
		for (size_t d = trace_first_delta(trace, i); d < row->deltas_end; d++)
			buf_printf(out, " %s", delta_kind_name(delta_log_kind(trace_log(trace), d)));
		buf_add_byte(out, '\n');
		buf_fini(&bytes);
	}
}

static void expect_rows(const char *body, int status, const char *expected)
{
	struct tape *tape;
	struct error err;
	struct buf rows = { 0 };

	CHECK(tape_from_text(&tape, str_from(body), &err), "%s", err.text);
	struct trace *trace = trace_new(tape, &(struct stream_options){ .untimed = tape_is_plain(tape) }, status, LINT_LEVEL_OFF);
	while (trace_read(trace, SIZE_MAX))
		;
	describe(trace, &rows);
	CHECK_STR(buf_str(&rows), expected);
	buf_fini(&rows);
	trace_free(trace);
	tape_free(tape);
}

static void what_makes_no_frame_has_a_row(void)
{
	expect_rows(": warm up\n\n" CHUNK("a") ": still here\n\nretry: 5\n\nevent: ping\n\ndata: [DONE]\n\n", 0,
	            "comment comment @0 : warm up:\nevent @11 data: {\"choi: begin text\ncomment comment @68 : still here:\n"
	            "fields fields @82 retry: 5:\nfields no-data @92 event: ping:\nevent done @105 data: [DONE]:\nend @119 : notice end\n");
}

static void remarkable_frames_have_marks(void)
{
	expect_rows("data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"\xff\"}}]}\n\ndata: {oops}\n\nerror: {\"message\":\"no\"}\n\n", 0,
	            "event invalid-utf8 @0 data: {\"choi: begin text\nevent broken-json @57 data: {oops}: notice\n"
	            "event error-field @71 error: {\"mes: error\nend @96 : end\n");
	expect_rows(CHUNK("a") "data: {\"cho", 0, "event @0 data: {\"choi: begin text\nevent unclosed @57 data: {\"cho:\nend @68 : end\n");
}

#define DELTA(json) "data: {\"choices\":[{\"index\":0,\"delta\":" json "}]}\n\n"

/* What no notice tells: the decoder takes it as it is. */
static void what_is_mended_has_marks(void)
{
	expect_rows(DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"a\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]}")
	            DELTA("{\"tool_calls\":[{\"index\":0,\"id\":\"b\",\"function\":{\"name\":\"g\",\"arguments\":\"{\"}}]}")
	            DELTA("{\"tool_calls\":[{\"function\":{\"arguments\":\"}\"}}]}"), 0,
	            "event @0 data: {\"choi: begin tool_begin tool_arguments\nevent call-index @120 data: {\"choi: tool_begin tool_arguments\n"
	            "event call-index @239 data: {\"choi: tool_arguments\nend @328 : tool_end tool_end end\n");
	expect_rows(DELTA("{\"reasoning\":\"hm\",\"reasoning_content\":\"hm\"}"), 0,
	            "event reasoning-mirrored @0 data: {\"choi: begin reasoning opaque\nend @85 : end\n");
	expect_rows(DELTA("{\"content\":\"<think>so\"}"), 0, "event think @0 data: {\"choi: begin reasoning\nend @65 : end\n");
}

/* The guard tells a finish word with the end only. */
static void the_frame_of_the_finish_word_has_a_mark(void)
{
	expect_rows(CHUNK("a") "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", 0,
	            "event @0 data: {\"choi: begin text\nevent finish @57 data: {\"choi:\nevent done @124 data: [DONE]:\nend @138 : finish end\n");
}

/* What frames say before the protocol is known comes later, and belongs to them. */
static void late_deltas_belong_to_their_frame(void)
{
	expect_rows("data: {\"x\":1}\n\n: c\n\n" CHUNK("a") CHUNK("b"), 0,
	            "event @0 data: {\"x\":1:\ncomment comment @15 : c:\nevent @20 data: {\"choi: begin text\n"
	            "event @77 data: {\"choi: text\nend @134 : end\n");
	expect_rows("data: {\"error\":{\"message\":\"late\"}}\n\n", 0, "event @0 data: {\"erro: begin error\nend @36 : end\n");
}

static void bodies_without_frames_are_one_row(void)
{
	expect_rows("<html>oops</html>", 0, "body @0 <html>oops</:\nend @17 : begin error end\n");
	expect_rows("{\"error\":{\"message\":\"no key\"}}", 401, "head @0 :\nbody @0 {\"error\":{\"m: begin error\nend @30 : end\n");
	expect_rows("", 0, "end @0 : begin end\n");
}

/* A tape of a second request has two heads: rows count on, and each body has frames of its own. */
static void a_second_head_begins_another_body(void)
{
	expect_rows(SSE CHAT_TEXT(1, "old") SSE CHAT_TEXT(3, "new") END(4, "cut"), 0,
	            "head @0 :\nevent @0 data: {\"id\":: begin text\nhead @83 : restart\nevent @83 data: {\"id\":: meta text\nend @166 : end\n");
}

static void a_row_of_a_long_tape_is_found_fast(void)
{
	struct buf body;
	struct tape *tape;
	struct error err;

	buf_init(&body, TAPE_LIMIT);
	for (int i = 0; i < 100000; i++)
		buf_add_z(&body, CHUNK("word "));
	CHECK(tape_from_text(&tape, buf_str(&body), &err), "%s", err.text);
	struct trace *trace = trace_new(tape, &(struct stream_options){ .untimed = true }, 0, LINT_LEVEL_OFF);
	while (trace_read(trace, SIZE_MAX))
		;
	CU_ASSERT_EQUAL(trace_count(trace), 100001);
	CU_ASSERT_EQUAL(trace_row_of_text(trace, 0, 5 * 77777 + 3), 77777);
	CU_ASSERT_EQUAL(trace_row_of_byte(trace, trace_at(trace, 4711)->offset + 9), 4711);
	trace_free(trace);
	tape_free(tape);
	buf_fini(&body);
}

/* A session with an MCP server: each message is a frame, a row and a line of the answer. */
static void messages_are_rows_and_lines(void)
{
	static const char text[] = "{\"weir_tape\":1,\"protocol\":\"mcp\",\"transport\":\"http\"}\n"
		"{\"t\":1,\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}\n"
		"{\"t\":2,\"head\":{\"status\":200}}\n{\"t\":3,\"in\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"result\\\":{}}\"}\n"
		"{\"t\":4,\"in\":\"\"}\n" END(9, "stalled");
	static const char *const words[] = { "request 1 ping", "answer 1 ping", "no message it is no JSON", "" };
	struct buf bytes = { 0 };
	struct tape *tape;
	struct error err;

	CHECK(tape_from_text(&tape, str_from(text), &err), "%s", err.text);
	struct trace *trace = trace_new(tape, &(struct stream_options){ .untimed = false }, 0, LINT_LEVEL_OFF);
	while (trace_read(trace, 1))
		CU_ASSERT_EQUAL(trace_settled(trace), trace_count(trace));
	CU_ASSERT_EQUAL_FATAL(trace_count(trace), 4);
	CU_ASSERT_EQUAL(trace_frames(trace), 3);
	for (size_t i = 0; i < 4; i++) {
		CHECK_STR(trace_words(trace, i), words[i]);
		CU_ASSERT_EQUAL(trace_frame(trace, i), i < 3 ? i + 1 : 0);
		CU_ASSERT_EQUAL(trace_at(trace, i)->kind, i == 0 ? TRACE_CLIENT : i < 3 ? TRACE_SERVER : TRACE_END);
	}
	trace_bytes(trace, 1, 0, SIZE_MAX, &bytes);
	CHECK_STR(buf_str(&bytes), "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}");
	const struct turn *answer = delta_log_answer(trace_log(trace));
	CU_ASSERT(answer->ended && answer->outcome == OUTCOME_STALLED);
	CHECK_STR(buf_str(&answer->parts[0].text), "```\nclient  request        1  ping\nserver  answer         1  ping\n"
	                                           "server  no message        it is no JSON\n");
	CU_ASSERT_EQUAL(trace_row_of_text(trace, 0, 40), 1);
	buf_fini(&bytes);
	trace_free(trace);
	tape_free(tape);
}

/* Steps behind the end are frames and rows, after all deltas. */
static void what_ran_has_rows_behind_the_end(void)
{
	static const char text[] = SSE CHAT_TEXT(1, "hi") CHAT_STOP(3) CHAT_DONE(4) END(5, "closed")
		"{\"t\":6,\"run\":1,\"call\":0,\"name\":\"f\\u001b\",\"origin\":\"settings\",\"arguments\":\"{}\"}\n"
		"{\"t\":7,\"mcp\":\"s\",\"out\":\"{\\\"jsonrpc\\\":\\\"2.0\\\",\\\"id\\\":1,\\\"method\\\":\\\"ping\\\"}\"}\n"
		"{\"t\":8,\"run\":1,\"from\":\"output\",\"text\":\"a\\nb\"}\n{\"t\":9,\"run\":1,\"state\":\"ok\",\"ms\":3,\"result\":\"a\\nb\"}\n";
	static const char *const words[] = { "1 begins: f\xEF\xBF\xBD (settings)", "s: request 1 ping", "1 output: a b", "1 ends: ok after 3 ms" };
	struct buf bytes = { 0 };
	struct tape *tape;
	struct error err;

	CHECK(tape_from_text(&tape, str_from(text), &err), "%s", err.text);
	struct trace *trace = trace_new(tape, &(struct stream_options){ .protocol = NULL }, 0, LINT_LEVEL_OFF);
	while (trace_read(trace, 1))
		;
	size_t count = trace_count(trace), first = count - 4;
	CU_ASSERT_EQUAL(trace_settled(trace), count);
	CU_ASSERT_EQUAL(trace_at(trace, first - 1)->kind, TRACE_END);
	for (size_t i = 0; i < 4; i++) {
		CHECK_STR(trace_words(trace, first + i), words[i]);
		CU_ASSERT_EQUAL(trace_frame(trace, first + i), 4 + i);
		CU_ASSERT_EQUAL(trace_at(trace, first + i)->deltas_end, delta_log_count(trace_log(trace)));
		CU_ASSERT_FALSE(trace_at(trace, first + i)->kinds);
	}
	trace_bytes(trace, count - 2, 0, SIZE_MAX, &bytes);
	CHECK_STR(buf_str(&bytes), "a\nb");
	CU_ASSERT_EQUAL(delta_log_moment(trace_log(trace), delta_log_moments(trace_log(trace))).behind, 4);
	buf_fini(&bytes);
	trace_free(trace);
	tape_free(tape);
}

const struct suite suite_trace = { "trace", (const struct test[]){
	TEST(own_streams), TEST(shared_streams), TEST(what_makes_no_frame_has_a_row), TEST(remarkable_frames_have_marks),
	TEST(the_frame_of_the_finish_word_has_a_mark), TEST(what_is_mended_has_marks), TEST(late_deltas_belong_to_their_frame), TEST(bodies_without_frames_are_one_row), TEST(a_second_head_begins_another_body),
	TEST(a_row_of_a_long_tape_is_found_fast), TEST(messages_are_rows_and_lines), TEST(what_ran_has_rows_behind_the_end), { 0 },
} };
