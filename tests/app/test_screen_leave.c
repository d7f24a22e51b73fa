/* The bare view, and what remains in the terminal after the program has ended. */
#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

#define ANSWER "Some **bold** words.\n\n```c\nint a;\n```\n\nthe end \x1B[31m\x07of it"

static bool is_bare(struct pty *p, const void *text)
{
	return pty_shows(p, text) && pty_hides(p, "m-1") && !pty_takes_mouse(p);
}

static bool is_back(struct pty *p, const void *text)
{
	return pty_shows(p, text) && pty_shows(p, "m-1") && pty_takes_mouse(p);
}

/* --- the bare view --- */

static void the_text_stands_alone(void)
{
	static const char *const back[] = { K_ESC, "q", "x", "\x03", K_ALT("x") };
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, K_ALT("x"));
	PTY_SEES(s.pty, "the conversation is empty");
	stage_turn(&s, "hello", ANSWER);
	for (size_t i = 0; i < sizeof back / sizeof *back; i++) {
		pty_send(s.pty, K_ALT("x"));
		PTY_WAIT(s.pty, is_bare, "Some **bold** words.");
		CHECK_STR(str_from(pty_row(s.pty, 0)), "hello");
		CHECK_STR(str_from(pty_row(s.pty, 2)), "Some **bold** words.");
		CHECK_STR(str_from(pty_row(s.pty, 5)), "int a;");
		CHECK_STR(str_from(pty_row(s.pty, 22)), "");
		CU_ASSERT_FALSE(pty_cursor_is_shown(s.pty));
		PTY_LOSES(s.pty, "Esc goes back"); /* the message disappears; only the text remains */
		CHECK_STR(str_from(pty_row(s.pty, 23)), "");
		pty_send(s.pty, back[i]);
		PTY_WAIT(s.pty, is_back, "Some bold words.");
		if (i == 1) /* waiting for it once is enough */
			break;
	}
	pty_send(s.pty, "typed");
	PTY_SEES(s.pty, "> typed");
	stage_close(&s);
}

static void it_begins_where_one_reads_and_goes_back_there(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "first", "the first answer");
	stage_ask(&s, "second");
	hand_begin(s.server);
	stage_rows(&s, 1, 100);
	PTY_SEES(s.pty, "row 100");
	pty_send(s.pty, K_PGUP K_PGUP);
	PTY_SEES(s.pty, " row 42");
	PTY_LOSES(s.pty, " row 63");
	char *top = mem_dup_z(pty_row(s.pty, 0));
	pty_send(s.pty, "\t" K_ALT("x"));
	PTY_WAIT(s.pty, is_bare, "row 50");
	CHECK(strstr(pty_row(s.pty, 0), str_trim(str_from(top)).ptr) != NULL, "%s, not %s", pty_row(s.pty, 0), top);
	stage_rows(&s, 101, 20); /* nothing moves */
	pty_send(s.pty, K_PGDN);
	PTY_SEES(s.pty, "row 70");
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "the first answer");
	CHECK_STR(str_from(pty_row(s.pty, 0)), "first");
	pty_send(s.pty, "}}");
	PTY_LOSES(s.pty, "the first answer");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "row 120");
	pty_send(s.pty, K_ESC);
	PTY_WAIT(s.pty, is_back, "row 50");
	CHECK_STR(str_from(pty_row(s.pty, 0)), top);
	mem_free(top);
	hand_finish(s.server, "stop");
	STAGE_OVER(&s);
	stage_close(&s);
}

static void the_whole_width_is_taken(void)
{
	struct stage s;
	char answer[121];

	memset(answer, 'x', 120);
	answer[120] = 0;
	stage_open(&s, NULL);
	stage_turn(&s, "hello", answer);
	pty_send(s.pty, K_ALT("x"));
	PTY_WAIT(s.pty, is_bare, "hello");
	CHECK(strlen(pty_row(s.pty, 2)) == 80 && strlen(pty_row(s.pty, 3)) == 40, "%s", pty_dump(s.pty));
	pty_resize(s.pty, 24, 130);
	PTY_WAIT(s.pty, pty_shows, answer);
	pty_send(s.pty, K_ESC);
	PTY_WAIT(s.pty, is_back, "hello");
	stage_close(&s);
}

/* --- leaving --- */

static void end(struct stage *s)
{
	pty_free(s->pty);
	hand_free(s->server);
	home_free(s->home);
}

static void open_and_leave(struct stage *s, const struct stage_options *options)
{
	stage_open(s, options);
	stage_turn(s, "first", "the first answer");
	stage_turn(s, "second", ANSWER);
	pty_send(s->pty, "\x04");
	PTY_ENDS(s->pty, 0);
	PTY_RESTORED(s->pty);
}

static void the_last_exchange_stays(void)
{
	struct stage s;

	open_and_leave(&s, NULL);
	CHECK(pty_find_row(s.pty, "second") >= 0 && pty_find_row(s.pty, "Some bold words.") >= 0 && pty_find_row(s.pty, "the end") >= 0, "%s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "first") < 0 && pty_find_row(s.pty, "Ctrl-") < 0, "%s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "the end \xE2\x90\x9B[31m\xE2\x90\x87of it") >= 0, "safe: %s", pty_dump(s.pty));
	unsigned row, column;
	CHECK(pty_find(s.pty, "bold", &row, &column) && pty_cell(s.pty, row, column).bold, "styled");
	end(&s);
}

static void all_or_nothing_stays_if_one_wants(void)
{
	struct stage s;

	open_and_leave(&s, &(struct stage_options){ .top = "leave = all\n" });
	CHECK(pty_find_row(s.pty, "the first answer") >= 0 && pty_find_row(s.pty, "the end") >= 0, "%s", pty_dump(s.pty));
	end(&s);
	open_and_leave(&s, &(struct stage_options){ .top = "leave = nothing\n" });
	CHECK(pty_find_row(s.pty, "first") < 0 && pty_find_row(s.pty, "the end") < 0, "%s", pty_dump(s.pty));
	end(&s);
}

static void colours_are_those_of_the_screen(void)
{
	static const struct { const char *arguments[3]; bool coloured; } cases[] = {
		{ { "--theme", "default" }, true }, { { "--color", "never" }, false },
		{ { "--theme", "dark" }, false }, /* this theme has its own background, which must not remain */
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		open_and_leave(&s, &(struct stage_options){ .arguments = LIST(cases[i].arguments[0], cases[i].arguments[1]) });
		CHECK(pty_is_coloured(s.pty) == cases[i].coloured, "case %zu: %s", i, pty_dump(s.pty));
		end(&s);
	}
}

static void a_long_exchange_keeps_its_end(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "rows");
	hand_begin(s.server);
	stage_rows(&s, 1, 3000);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 3000");
	STAGE_OVER(&s);
	size_t start = pty_output(s.pty).len;
	pty_send(s.pty, "\x04");
	PTY_ENDS(s.pty, 0);
	PTY_SEES(s.pty, "row 3000");
	struct str printed = str_skip(pty_output(s.pty), start);
	CHECK(str_find(printed, STR(" ...\r\n")) < printed.len && str_find(printed, STR("row 2002\r\n")) < printed.len &&
	      str_find(printed, STR("row 1999\r\n")) == printed.len, "the last 1,000 rows");
	end(&s);
}

static void nothing_stays_of_nothing_or_behind_a_signal(void)
{
	struct stage s;

	stage_open(&s, NULL);
	size_t start = pty_output(s.pty).len;
	pty_send(s.pty, "\x04");
	PTY_ENDS(s.pty, 0);
	CHECK(str_find(str_skip(pty_output(s.pty), start), STR("You")) == pty_output(s.pty).len - start, "%s", pty_dump(s.pty));
	end(&s);
	stage_open(&s, NULL);
	stage_turn(&s, "first", "the first answer");
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	PTY_RESTORED(s.pty);
	CHECK(pty_find_row(s.pty, "first") < 0, "%s", pty_dump(s.pty));
	end(&s);
}

const struct suite suite_screen_leave = { "screen_leave", (const struct test[]){
	TEST(the_text_stands_alone),
	TEST(it_begins_where_one_reads_and_goes_back_there),
	TEST(the_whole_width_is_taken),
	TEST(the_last_exchange_stays),
	TEST(all_or_nothing_stays_if_one_wants),
	TEST(colours_are_those_of_the_screen),
	TEST(a_long_exchange_keeps_its_end),
	TEST(nothing_stays_of_nothing_or_behind_a_signal),
	{ 0 } } };
