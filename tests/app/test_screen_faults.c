/* Many cases of fault_cases.c on the screen: the kept text is shown, followed by a sentence about the end. */
#include <string.h>

#include "app/fault_cases.h"
#include "app/stored.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/home.h"
#include "support/pty.h"

/* The transcript's sentence about an outcome. */
static const char *words_of(const char *outcome)
{
	if (!strcmp(outcome, "cut"))
		return "The stream was cut";
	if (!strcmp(outcome, "stalled"))
		return "The stream stalled";
	if (!strcmp(outcome, "error"))
		return " ! ";
	if (!strcmp(outcome, "tool_calls"))
		return "tool call";
	return NULL;
}

static void check_case(const struct fault_case *c)
{
	struct faulty *server = FAULTY_ONE(c->script);
	char *home = home_new();
	struct buf settings;
	struct pty *p;

	buf_init(&settings, 4096);
	fault_settings(c, faulty_port(server), &settings);
	home_write(home, ".config/weir/weir.conf", buf_z(&settings));
	stored_prepare(home);
	p = pty_start(&(struct pty_options){ .home = home, .columns = 200 }); /* sentences are not wrapped */
	PTY_SEES(p, "ready");
	pty_send(p, "hi\r");
	if (words_of(c->outcome))
		pty_wait(p, pty_shows, words_of(c->outcome), c->what, __FILE__, __LINE__);
	if (!c->text || *c->text)
		pty_wait(p, pty_shows, "Hel", c->what, __FILE__, __LINE__);
	if (c->words && (!strcmp(c->outcome, "cut") || !strcmp(c->outcome, "error")))
		pty_wait(p, pty_shows, c->words, c->what, __FILE__, __LINE__);
	PTY_LOSES(p, "Esc stop");
	CHECK(!pty_has_failed(p) && faulty_accepted(server) > 0, "%s", c->what);
	CHECK(!pty_has_written(p, "\x1B]52;"), "%s: the clipboard was reached", c->what);
	pty_send(p, "\x03\x04");
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
	buf_fini(&settings);
	home_free(home);
	faulty_free(server);
}

static void every_fault_is_told(void)
{
	for (const struct fault_case *c = fault_cases; c->what; c++)
		if (c->on_screen)
			check_case(c);
}

/* --- one connection for the turns of a conversation --- */

#define EVENTS(word) "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" word "\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"
#define ANSWER(word) "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n" "62\r\n" EVENTS(word) "\r\n0\r\n\r\n"

static void turns_share_a_connection(void)
{
	struct faulty *server = FAULTY_ONE(ANSWER("first") FAULTY_REQUEST ANSWER("other") FAULTY_REQUEST ANSWER("third") FAULTY_HANG);
	static const char *const words[] = { "first", "other", "third" };
	char *home = home_new();
	struct buf settings;
	struct pty *p;

	buf_init(&settings, 4096);
	fault_settings(&fault_cases[0], faulty_port(server), &settings);
	home_write(home, ".config/weir/weir.conf", buf_z(&settings));
	p = pty_start(&(struct pty_options){ .home = home });
	PTY_SEES(p, "ready");
	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
		pty_send(p, "hi\r");
		PTY_SEES(p, words[i]);
		PTY_LOSES(p, "Esc stop");
	}
	CHECK(faulty_accepted(server) == 1, "%u connections", faulty_accepted(server));
	pty_send(p, "\x03\x04");
	PTY_ENDS(p, 0);
	pty_free(p);
	buf_fini(&settings);
	home_free(home);
	faulty_free(server);
}

const struct suite suite_screen_faults = { "screen_faults", (const struct test[]){ TEST(every_fault_is_told), TEST(turns_share_a_connection), { 0 } } };
