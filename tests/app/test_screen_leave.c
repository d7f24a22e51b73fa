/* What remains in the terminal after the program has ended. */
#include <signal.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"

#define ANSWER "Some **bold** words.\n\n```c\nint a;\n```\n\nthe end \x1B[31m\x07of it"

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
	stage_turn_rows(&s, "rows", 3000);
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
	TEST(the_last_exchange_stays),
	TEST(all_or_nothing_stays_if_one_wants),
	TEST(colours_are_those_of_the_screen),
	TEST(a_long_exchange_keeps_its_end),
	TEST(nothing_stays_of_nothing_or_behind_a_signal),
	{ 0 } } };
