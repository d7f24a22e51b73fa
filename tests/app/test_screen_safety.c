/*
 * Untrusted text never reaches the terminal as control bytes. Every route gets the same poison, and the bytes that the program writes
 * are searched for it.
 */
#include <stdio.h>

#include "stage.h"
#include "support/check.h"

/* A window title, a far cursor, a device string, a reset, C1's CSI, bidi controls, a backspace, a bell, DEL, a line separator, a tag, a filler. */
#define POISON_JSON "\\u001b]0;pwn\\u0007\\u001b[77;77H\\u001bPpwn\\u001b\\\\\\u001bc\\u009b77m\\u202e\\u2066\\b\\u007f\\u200f\\u2028\\udb40\\udc41\\u3164"
#define POISON_RAW "\x1B]0;pwn\a\x1B[77;77H\x1BPpwn\x1B\\\x1B" "c\xC2\x9B" "77m\xE2\x80\xAE\xE2\x81\xA6\b\x7F\xE2\x80\x8F\xE2\x80\xA8\xF3\xA0\x81\x81\xE3\x85\xA4"

static void check_clean(struct stage *s, const char *way)
{
	static const char *const poison[] = {
		"\x1B]0;", "\x1B[77;77H", "\x1BP", "\x1B\x63", "\xC2\x9B", "\xE2\x80\xAE", "\xE2\x81\xA6", "\xE2\x80\x8F", "\a", "\x7F",
		"\xE2\x80\xA8", "\xF3\xA0\x81\x81", "\xE3\x85\xA4",
	};

	pty_settle(s->pty);
	for (size_t i = 0; i < sizeof poison / sizeof *poison; i++)
		CHECK(!pty_has_written(s->pty, poison[i]), "%s: poison %zu reached the terminal", way, i);
	CHECK(stage_titles_are_its_own(s->pty), "%s: a title from outside", way);
	CHECK(pty_rows(s->pty) == 24 && pty_is_alternate(s->pty), "%s", way);
}

static void delta(struct stage *s, const char *member)
{
	char json[1024];

	snprintf(json, sizeof json, "{\"%s\":\"A" POISON_JSON "Z\"}", member);
	hand_delta(s->server, json);
}

static void text_and_reasoning_are_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	delta(&s, "reasoning_content");
	PTY_SEES(s.pty, "\u2500\u2500 reasoning");
	PTY_SEES(s.pty, "]0;pwn");
	delta(&s, "content");
	PTY_SEES(s.pty, "+ reasoned");
	PTY_SEES(s.pty, "]0;pwn");
	delta(&s, "refusal");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "- reasoned");
	check_clean(&s, "text");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void split_and_broken_bytes_are_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_text(s.server, "\x1B");
	hand_text(s.server, "]0;pwn");
	hand_text(s.server, "\a and \xC2");
	hand_text(s.server, "\x9B" "77m and \x9B" "1m and \xED\xA0\x80 over");
	PTY_SEES(s.pty, "over");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	check_clean(&s, "pieces");
	CHECK(!pty_has_written(s.pty, " \x9B"), "a lone C1 byte");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void names_and_arguments_of_calls_are_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c" POISON_JSON "\",\"type\":\"function\",\"function\":{\"name\":\"n" POISON_JSON "\","
	                     "\"arguments\":\"{\\\"a\\\":\\\"" POISON_JSON "\"}}]}");
	PTY_SEES(s.pty, "\u2500\u2500 call 1");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"\\\"}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "+ n");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "- n");
	check_clean(&s, "calls");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details");
	check_clean(&s, "details of calls");
	stage_close(&s);
}

static void the_sheet_of_a_call_is_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "go");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"n" POISON_JSON "\","
	                     "\"arguments\":\"{\\\"a\\\": \\\"b\xC2\x9B\xE2\x80\xAE\\\"}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_ALT("a"));
	PTY_SEES(s.pty, "Tool call 1 of 1");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Tool call 1 of 1");
	check_clean(&s, "sheet");
	stage_close(&s);
}

static void ids_models_and_finish_words_are_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "go");
	hand_answer(s.server, 200, "text/event-stream\r\nx-request-id: req\xC2\x9B" "77m\xE2\x80\xAE");
	hand_send(s.server, "data: {\"id\":\"i" POISON_JSON "\",\"model\":\"far" POISON_JSON "\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hm\"},"
	                    "\"finish_reason\":null}],\"routing\":{\"routed\":true,\"routed_model\":\"r" POISON_JSON "\",\"routing_latency_ms\":3}}\n\n");
	PTY_SEES(s.pty, "m-1 \u2192 ");
	hand_finish(s.server, POISON_JSON);
	STAGE_STATE(&s, "ready");
	check_clean(&s, "names");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "response id");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "response id");
	check_clean(&s, "details");
	pty_send(s.pty, "/id\r");
	PTY_WAIT(s.pty, pty_tells, "to the terminal (OSC 52)");
	CHECK(!pty_has_written(s.pty, "\x1B]0;") && !pty_has_written(s.pty, "\xC2\x9B"), "the id in words");
	stage_close(&s);
}

static void errors_are_only_text(void)
{
	static const struct { int status; const char *type, *body, *sees; } cases[] = {
		{ 400, "application/json", "{\"error\":{\"message\":\"Bad" POISON_JSON "\",\"type\":\"t" POISON_JSON "\",\"code\":\"c" POISON_JSON "\"}}", "Bad" },
		{ 502, "text/html", "<html><title>Gone" POISON_RAW "</title><body>" POISON_RAW "</body></html>", "502" },
		{ 500, "text/plain", "plain" POISON_RAW, "500" },
		{ 200, "text/event-stream", "data: {\"error\":{\"message\":\"Mid" POISON_JSON "\",\"code\":\"" POISON_JSON "\"}}\n\n", "Mid" },
		{ 200, "text/event-stream", "no stream at all " POISON_RAW "\n\n", "!" },
	};
	struct stage s;
	stage_open(&s, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		stage_ask(&s, "go");
		hand_reply(s.server, cases[i].status, cases[i].type, cases[i].body);
		pty_wait(s.pty, pty_shows, cases[i].sees, cases[i].sees, __FILE__, __LINE__);
		PTY_SEES(s.pty, " > go"); /* refused: the prompt has returned */
		pty_send(s.pty, K_CTRL('o'));
		PTY_SEES(s.pty, "Details");
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Details of");
		check_clean(&s, cases[i].sees);
		pty_send(s.pty, "\x15/new\r");
		PTY_SEES(s.pty, "A live view");
	}
	stage_close(&s);
}

static void lists_of_models_are_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_reply(s.server, 200, "application/json",
	           "{\"data\":[{\"id\":\"evil" POISON_JSON "\",\"name\":\"N" POISON_JSON "\",\"owned_by\":\"o" POISON_JSON "\"}]}");
	PTY_SEES(s.pty, "evil");
	pty_send(s.pty, K_DOWN K_UP "evil\r");
	PTY_SEES(s.pty, "from the next turn on");
	check_clean(&s, "models");
	stage_close(&s);
	stage_open(&s, &(struct stage_options){ .arguments = LIST("-m", "evil" POISON_RAW) });
	PTY_SEES(s.pty, "evil");
	check_clean(&s, "status");
	stage_close(&s);
}

static void what_is_pasted_is_only_text(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_paste(s.pty, "paste " POISON_RAW " end");
	PTY_SEES(s.pty, "end");
	check_clean(&s, "paste");
	stage_turn(&s, "", "ok");
	PTY_SEES(s.pty, "end");
	check_clean(&s, "prompt");
	stage_close(&s);
}

/* The first line of a tape names protocol, provider and model; the file name is shown, too. */
static void tapes_are_only_text(void)
{
	struct stage s = { .server = hand_new(), .home = home_new() };
	const char *path = home_write(s.home, "evil\x1B]0;pwn\a.tape",
		"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"generic\",\"provider\":\"p" POISON_JSON "\",\"model\":\"m" POISON_JSON "\","
		"\"url\":\"http://x/" POISON_JSON "\",\"started\":\"" POISON_JSON "\",\"request\":{}}\n"
		"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\",\"headers\":{\"x-request-id\":\"" POISON_JSON "\"}}}\n"
		"{\"t\":2,\"body\":\"data: {\\\"id\\\":\\\"i\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"Told.\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\ndata: [DONE]\\n\\n\"}\n"
		"{\"t\":3,\"end\":\"closed\"}\n");

	s.pty = pty_start(&(struct pty_options){ .home = s.home, .arguments = LIST("replay", "--speed", "max", path) });
	PTY_SEES(s.pty, "Told.");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	check_clean(&s, "tape");
	pty_send(s.pty, "q");
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

const struct suite suite_screen_safety = { "screen_safety", (const struct test[]){
	TEST(text_and_reasoning_are_only_text),
	TEST(split_and_broken_bytes_are_only_text),
	TEST(names_and_arguments_of_calls_are_only_text),
	TEST(the_sheet_of_a_call_is_only_text),
	TEST(ids_models_and_finish_words_are_only_text),
	TEST(errors_are_only_text),
	TEST(lists_of_models_are_only_text),
	TEST(what_is_pasted_is_only_text),
	TEST(tapes_are_only_text),
	{ 0 },
} };
