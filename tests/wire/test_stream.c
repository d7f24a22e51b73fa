/*
 * Scripted cases, tests/wire/cases/NAME.txt: bytes in, deltas out, without C. A case is
 *
 *   == title [protocol=P] [dialect=D] [status=N] [end=closed|cut|stalled|cancelled] [eol=lf|crlf|cr] [single] [unclosed]
 *   the lines of the body; "> JSON" stands for an event `data: JSON` and its blank line
 *   --
 *   the events (weir-ask(1), "EVENTS"), one per line
 *
 * Options follow a tab. `unclosed` omits the last line end of the body. Between cases, lines that begin with "#" are comments.
 * Each case is run whole and byte by byte, and its deltas are encoded.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "support/members.h"
#include "wire/encoded.h"
#include "wire/event.h"
#include "wire/grammar.h"
#include "wire/stream.h"

#define TEXT_LIMIT ((size_t)1 << 20)

struct script {
	struct str name;
	struct stream_options options;
	int status;
	enum end_how how;
	struct str eol;
	bool unclosed;
	struct buf body, events;
};

static void write_event(void *ctx, const struct delta *delta)
{
	event_write(delta, ctx);
}

static void run_script(const struct script *s, const char *file, bool whole)
{
	struct buf events;

	buf_init(&events, TEXT_LIMIT);
	struct grammar grammar = { .next = write_event, .ctx = &events };
	struct stream *stream = stream_new(&s->options, grammar_delta, &grammar);
	if (s->status)
		stream_head(stream, &(struct response_head){ .status = s->status }, 0);
	for (size_t i = 0; i < s->body.len; i += whole ? s->body.len : 1)
		stream_body(stream, whole ? buf_str(&s->body) : str_of(s->body.ptr + i, 1), 0);
	stream_end(stream, s->how, 0);
	stream_end(stream, s->how, 0);
	const char *fault = grammar_fault(&grammar);
	CHECK(!fault, "%s: %.*s: %s", file, STR_ARG(s->name), fault);
	CHECK_LINES(buf_str(&events), buf_str(&s->events), "%s: %.*s (%s)", file, STR_ARG(s->name), whole ? "whole" : "byte by byte");
	stream_free(stream);
	buf_fini(&events);
}

/* The same deltas, in every protocol and back (wire/encoded.h). */
static void encode_script(const struct script *s)
{
	struct kept *kept = kept_new();
	struct stream *stream = stream_new(&s->options, kept_delta, kept);
	char what[128];

	if (s->status)
		stream_head(stream, &(struct response_head){ .status = s->status }, 0);
	stream_body(stream, buf_str(&s->body), 0);
	stream_end(stream, s->how, 0);
	snprintf(what, sizeof what, "%.*s", STR_ARG(s->name));
	check_encoded(kept, stream_protocol(stream), what);
	stream_free(stream);
	kept_free(kept);
}

static void read_option(struct script *s, struct str option)
{
	struct str key, value = option;
	long long number = 0;

	str_split(&value, '=', &key);
	if (str_is(key, "protocol"))
		s->options.protocol = protocol_find(value);
	else if (str_is(key, "dialect"))
		s->options.dialect = dialect_find(value);
	else if (str_is(key, "status") && str_to_int(value, &number))
		s->status = (int)number;
	else if (str_is(key, "eol"))
		s->eol = str_is(value, "crlf") ? STR("\r\n") : STR("\r");
	else if (str_is(key, "single"))
		s->options.asked.single_choice = true;
	else if (str_is(key, "unclosed"))
		s->unclosed = true;
	else
		CHECK(str_is(key, "end") && end_how_from(value, &s->how), "unknown option '%.*s'", STR_ARG(option));
}

static void read_title(struct script *s, struct str line)
{
	struct str option;

	*s = (struct script){ .options = { .untimed = true }, .eol = STR("\n") };
	buf_init(&s->body, TEXT_LIMIT);
	buf_init(&s->events, TEXT_LIMIT);
	line = str_skip(line, 3);
	str_split(&line, '\t', &s->name);
	while (str_split(&line, ' ', &option))
		read_option(s, option);
}

static void add_body_line(struct script *s, struct str line)
{
	bool is_event = str_starts(line, "> ");

	if (is_event)
		buf_add(&s->body, STR("data: "));
	buf_add(&s->body, is_event ? str_skip(line, 2) : line);
	buf_add(&s->body, s->eol);
	if (is_event)
		buf_add(&s->body, s->eol);
}

/* Reads a case, without its title, up to the next title. */
static void read_case(struct script *s, struct str *rest)
{
	struct str line;
	bool in_body = true;

	while (rest->len && !str_starts(*rest, "== ")) {
		str_split(rest, '\n', &line);
		if (in_body && str_is(line, "--")) {
			in_body = false;
		} else if (in_body) {
			add_body_line(s, line);
		} else if (line.len && !str_starts(line, "#")) {
			buf_add(&s->events, line);
			buf_add(&s->events, STR("\n"));
		}
	}
	if (s->unclosed && s->body.len)
		buf_remove(&s->body, s->body.len - s->eol.len, s->eol.len);
}

static void run_file(const char *path)
{
	struct buf text;
	struct error err;
	struct str line;

	buf_init(&text, TEXT_LIMIT);
	CHECK(buf_read_file(&text, path, &err), "%s", err.text);
	struct str rest = buf_str(&text);
	while (str_split(&rest, '\n', &line)) {
		struct script s;

		if (!str_starts(line, "== "))
			continue;
		read_title(&s, line);
		read_case(&s, &rest);
		run_script(&s, path, true);
		run_script(&s, path, false);
		encode_script(&s);
		buf_fini(&s.body);
		buf_fini(&s.events);
	}
	buf_fini(&text);
}

static void scripted_cases(void)
{
	glob_t found;
	int status = glob("tests/wire/cases/*.txt", 0, NULL, &found);
	CHECK(!status, "no cases in tests/wire/cases (run from the top of the repository)");
	for (size_t i = 0; !status && i < found.gl_pathc; i++)
		run_file(found.gl_pathv[i]);
	globfree(&found);
}

struct seen {
	struct buf events;
	double at_ms[8];
	size_t count;
};

static void see(void *ctx, const struct delta *delta)
{
	struct seen *seen = ctx;

	if (seen->count < 8)
		seen->at_ms[seen->count] = delta->at_ms;
	seen->count++;
	event_write(delta, &seen->events);
}

static struct stream *begin(struct seen *seen, const struct protocol *protocol)
{
	*seen = (struct seen){ 0 };
	buf_init(&seen->events, TEXT_LIMIT);
	return stream_new(&(struct stream_options){ .protocol = protocol }, see, seen);
}

static void carries_arrival_times(void)
{
	struct seen seen;
	struct stream *s = begin(&seen, NULL);

	stream_head(s, &(struct response_head){ .status = 200 }, 5);
	stream_body(s, STR("data: {\"usage\":{\"prompt_tokens\":1}}\n\n"), 10);
	CU_ASSERT_EQUAL(seen.count, 0);
	CU_ASSERT_PTR_NULL(stream_protocol(s));
	stream_body(s, STR("data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\n\n"), 20.5);
	CU_ASSERT_PTR_EQUAL(stream_protocol(s), &protocol_openai_chat);
	stream_end(s, END_CLOSED, 30);
	CU_ASSERT_EQUAL(seen.count, 4);
	CHECK_LINES(buf_str(&seen.events),
	            STR("{\"t\":10,\"type\":\"begin\",\"id\":null,\"model\":null}\n"
	                "{\"t\":10,\"type\":\"usage\",\"prompt_tokens\":1,\"completion_tokens\":null,\"total_tokens\":null,"
	                "\"cached_tokens\":null,\"cache_write_tokens\":null,\"reasoning_tokens\":null}\n"
	                "{\"t\":20.5,\"type\":\"text\",\"text\":\"a\"}\n"
	                "{\"t\":30,\"type\":\"end\",\"outcome\":\"cut\"}\n"), "detected");
	stream_free(s);
	buf_fini(&seen.events);
}

static void reports_when_it_is_done(void)
{
	struct seen seen;
	struct stream *s = begin(&seen, &protocol_openai_chat);

	stream_body(s, STR("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n"), 0);
	CU_ASSERT_TRUE(stream_finish_seen(s));
	CU_ASSERT_FALSE(stream_is_done(s));
	stream_body(s, STR("data: [DONE]\n\n"), 0);
	CU_ASSERT_TRUE(stream_is_done(s));
	CU_ASSERT_EQUAL(str_find(buf_str(&seen.events), STR("\"end\"")), seen.events.len);
	stream_end(s, END_CANCELLED, 0);
	CHECK_STR(str_skip(buf_str(&seen.events), str_find(buf_str(&seen.events), STR("{\"t\":0,\"type\":\"end\""))),
	          "{\"t\":0,\"type\":\"end\",\"outcome\":\"complete\"}\n");
	stream_free(s);
	buf_fini(&seen.events);
}

static void fails_without_a_server(void)
{
	struct seen seen;
	struct stream *s = begin(&seen, &protocol_gemini);

	stream_fail(s, STR("Cannot connect."), 3);
	stream_fail(s, STR("Twice."), 4);
	stream_end(s, END_CLOSED, 5);
	CHECK_STR(buf_str(&seen.events),
	          "{\"t\":3,\"type\":\"begin\",\"id\":null,\"model\":null}\n"
	          "{\"t\":3,\"type\":\"error\",\"message\":\"Cannot connect.\",\"error_type\":null,\"code\":null,\"status\":null}\n"
	          "{\"t\":3,\"type\":\"end\",\"outcome\":\"error\"}\n");
	stream_free(s);
	buf_fini(&seen.events);
}

static void a_second_head_starts_a_new_body(void)
{
	struct seen seen;
	struct stream *s = begin(&seen, &protocol_openai_chat);

	stream_head(s, &(struct response_head){ .status = 500 }, 0);
	stream_body(s, STR("{\"error\":\"first\"}"), 0);
	stream_head(s, &(struct response_head){ .status = 200 }, 0);
	stream_body(s, STR("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\n"), 0);
	stream_head(s, &(struct response_head){ .status = 200 }, 0);
	stream_body(s, STR("data: {\"choices\":[{\"delta\":{\"content\":\"y\"},\"finish_reason\":\"length\"}]}\n\ndata: [DONE]\n\n"), 0);
	stream_end(s, END_CLOSED, 0);
	CHECK_STR(buf_str(&seen.events),
	          "{\"t\":0,\"type\":\"begin\",\"id\":null,\"model\":null}\n"
	          "{\"t\":0,\"type\":\"text\",\"text\":\"x\"}\n"
	          "{\"t\":0,\"type\":\"restart\"}\n"
	          "{\"t\":0,\"type\":\"text\",\"text\":\"y\"}\n"
	          "{\"t\":0,\"type\":\"finish\",\"reason\":\"length\"}\n"
	          "{\"t\":0,\"type\":\"end\",\"outcome\":\"length\"}\n");
	stream_free(s);
	buf_fini(&seen.events);
}

static void an_event_has_a_limit(void)
{
	struct seen seen;
	struct stream *s = begin(&seen, &protocol_openai_chat);
	static char block[1 << 20];

	memset(block, 'x', sizeof block);
	stream_body(s, STR("data: {\"choices\":[{\"delta\":{\"content\":\"kept\"}}]}\n\ndata: \""), 0);
	for (size_t i = 0; i < 98 && !stream_is_done(s); i++)
		stream_body(s, str_of(block, sizeof block), 0);
	CU_ASSERT_TRUE(stream_is_done(s));
	stream_end(s, END_CLOSED, 0);
	CHECK_STR(buf_str(&seen.events),
	          "{\"t\":0,\"type\":\"begin\",\"id\":null,\"model\":null}\n"
	          "{\"t\":0,\"type\":\"text\",\"text\":\"kept\"}\n"
	          "{\"t\":0,\"type\":\"error\",\"message\":\"One event of the answer is larger than 96 MB; the rest was not read.\","
	          "\"error_type\":null,\"code\":null,\"status\":null}\n"
	          "{\"t\":0,\"type\":\"end\",\"outcome\":\"error\"}\n");
	stream_free(s);
	buf_fini(&seen.events);
}

const struct suite suite_stream = { "stream", (const struct test[]){
	TEST(scripted_cases), TEST(carries_arrival_times), TEST(reports_when_it_is_done), TEST(fails_without_a_server),
	TEST(a_second_head_starts_a_new_body), TEST(an_event_has_a_limit), { 0 },
} };
