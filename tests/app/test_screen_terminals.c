/*
 * Terminals of all types, sizes and character sets: the screen shows the same, except what the terminal cannot display. If no screen can
 * be drawn, a message says what to do.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "stage.h"
#include "support/check.h"

#define EXEC "exec \"$0\" \"$@\""
#define ANSWER "A **bold** word, `code`, a [link](https://example.org) and \u65e5\u672c\u8a9e.\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"

/* --- types --- */

/* ncurses leaks some memory of a terminal that it could not start. */
#define LEAKS "ASAN_OPTIONS=detect_leaks=0"

static const struct { const char *variable; bool coloured, asks, links; } types[] = {
	{ "TERM=xterm", true, true, true },
	{ "TERM=xterm-mono", false, true, true },
	{ "TERM=vt100", false, false, false },
	{ "TERM=vt220", false, false, false },
	{ "TERM=linux", true, false, false },
	{ "TERM=screen", true, true, false },
	{ "TERM=screen-256color", true, true, false },
	{ "TERM=tmux", true, true, true },
	{ "TERM=tmux-256color", true, true, true },
	{ "TERM=rxvt-unicode", true, true, true },
	{ "TERM=no-such-terminal", true, true, true },
	{ "TERM=../../../etc/passwd", true, true, true },
	{ "TERM=\x1B]0;pwn\a", true, true, true },
};

static void every_type_shows_the_answer(void)
{
	for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(types[i].variable, LEAKS) });
		stage_turn(&s, "go", ANSWER);
		PTY_SEES(s.pty, "A bold word, code, a link");
		PTY_SEES(s.pty, "\u65e5\u672c\u8a9e");
		PTY_SEES(s.pty, "two");
		CHECK(pty_is_coloured(s.pty) == types[i].coloured, "%s", types[i].variable);
		CHECK(pty_has_written(s.pty, "\x1B[c") == types[i].asks, "%s: asked who it is", types[i].variable);
		CHECK(pty_has_written(s.pty, "\x1B]8;") == types[i].links, "%s: links", types[i].variable);
		CHECK(stage_titles_are_its_own(s.pty), "%s: no title but its own is set", types[i].variable);
		pty_resize(s.pty, 12, 40);
		PTY_SEES(s.pty, "two");
		PTY_REDRAWS(s.pty);
		stage_close(&s);
	}
}

/* Such a terminal gets the linear mode. */
static void without_a_cursor_there_are_lines(void)
{
	static const struct { const char *script, *said; } cases[] = {
		{ "unset TERM; " EXEC, "(TERM is \"\"), so weir writes lines" },
		{ "export TERM=; " EXEC, "(TERM is \"\"), so weir writes lines" },
		{ "export TERM=dumb; " EXEC, "(TERM is \"dumb\"), so weir writes lines" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .script = cases[i].script });

		pty_wait(p, pty_shows, cases[i].said, cases[i].said, __FILE__, __LINE__);
		PTY_SEES(p, "You:");
		CHECK(!pty_has_written(p, "\x1B"), "%s", cases[i].script);
		pty_send(p, "\x04");
		PTY_ENDS(p, 0);
		PTY_RESTORED(p);
		pty_free(p);
	}
}

/* --- character sets --- */

static void every_locale_shows_the_same(void)
{
	static const char *const locales[] = {
		"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=C.UTF-8", "LC_ALL=de_DE.ISO-8859-1", "LC_ALL=ja_JP.eucJP", "LC_ALL=no_SUCH.locale", "LC_ALL=../../etc",
		"LC_NUMERIC=de_DE.UTF-8",
	};

	for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(locales[i]) });
		pty_send(s.pty, "\u00e4\u65e5");
		PTY_SEES(s.pty, "> \u00e4\u65e5");
		stage_turn(&s, "", ANSWER);
		CHECK(stage_sent(&s, "\u00e4\u65e5"), "%s", locales[i]);
		PTY_SEES(s.pty, "\u65e5\u672c\u8a9e");
		PTY_SEES(s.pty, "\u2500\u2500\u2500");
		PTY_REDRAWS(s.pty);
		stage_close(&s);
	}
}

/* --- descriptors --- */

static void the_terminal_is_found_without_standard_input(void)
{
	static const char *const scripts[] = { EXEC " </dev/null", EXEC " <&-", EXEC " 2>&-", EXEC " <&- 2>&-", EXEC " </dev/null 2>/dev/full" };

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .script = scripts[i] });
		stage_turn(&s, "go", "Answer one.");
		pty_send(s.pty, "abc");
		PTY_SEES(s.pty, "> abc");
		pty_send(s.pty, "\x03");
		PTY_REDRAWS(s.pty);
		stage_close(&s);
	}
}

static void without_a_terminal_to_draw_on_it_is_a_sentence(void)
{
	static const char *const scripts[] = { EXEC " | cat", EXEC " >/dev/null", EXEC " >&-", EXEC " </dev/null >/dev/null" };

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .script = scripts[i] });

		PTY_SEES(p, "weir: ");
		PTY_SEES(p, "weir ask`");
		PTY_ENDS(p, i ? 2 : 0); /* a pipeline has the status of its last command */
		CHECK(!pty_has_written(p, "\x1B"), "%s", scripts[i]);
		PTY_RESTORED(p);
		pty_free(p);
	}
}

/* --- sizes --- */

static const char *const too_small[] = { "weir needs 20 x 6", "needs 20 x 6", "20 x 6", "20x6" };

static const struct { unsigned rows, columns; } sizes[] = {
	{ 4, 15 }, { 4, 8 }, { 1, 5 }, { 1, 1 }, { 1, 2 }, { 2, 1 }, { 1, 1000 }, { 300, 1 }, { 5, 80 }, { 24, 19 }, { 6, 20 }, { 6, 1000 }, { 7, 21 }, { 24, 80 }, { 300, 20 }, { 300, 1000 },
};
#define SIZES (sizeof sizes / sizeof *sizes)

static bool is_too_small(size_t i)
{
	return sizes[i].rows < 6 || sizes[i].columns < 20;
}

/* Whether the screen shows only the sentence, in words that have room: a part of the last one if none have. */
static bool is_calm(struct pty *p, const void *ctx)
{
	char words[32];
	size_t i = 0;

	(void)ctx;
	while (i + 1 < ARRAY_LEN(too_small) && strlen(too_small[i]) > pty_columns(p))
		i++;
	snprintf(words, sizeof words, "%.*s", pty_columns(p) < 31 ? (int)pty_columns(p) : 31, too_small[i]);
	for (unsigned row = 1; row < pty_rows(p); row++)
		if (*pty_row(p, row))
			return false;
	return !strcmp(pty_row(p, 0), words);
}

static void every_size_is_drawn_from_the_start(void)
{
	for (size_t i = 0; i < SIZES; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .rows = sizes[i].rows, .columns = sizes[i].columns });

		PTY_WAIT(p, is_too_small(i) ? is_calm : stage_has_state, "ready");
		if (sizes[i].rows > 1) /* a single row is drawn without brackets, so its end cannot be detected */
			PTY_REDRAWS(p);
		pty_resize(p, 24, 80);
		PTY_SEES(p, "A live view of what models say.");
		PTY_REDRAWS(p);
		pty_send(p, "\x04");
		PTY_ENDS(p, 0);
		PTY_RESTORED(p);
		pty_free(p);
	}
}

/* From each size to each other during an answer: enlarging shows everything again. */
static void every_size_is_drawn_while_text_comes(void)
{
	struct stage s;
	char row[32];
	unsigned n = 0;

	stage_open(&s, NULL);
	stage_ask(&s, "go");
	hand_begin(s.server);
	for (size_t from = 0; from < SIZES; from++) {
		for (size_t to = 0; to < SIZES; to += 1 + from % 3) {
			pty_resize(s.pty, sizes[to].rows, sizes[to].columns);
			snprintf(row, sizeof row, "row %u\n\n", n++);
			hand_text(s.server, row);
			if (is_too_small(to))
				PTY_WAIT(s.pty, is_calm, NULL);
			else
				PTY_WAIT(s.pty, stage_has_state, "streaming");
		}
		pty_resize(s.pty, sizes[from].rows, sizes[from].columns);
	}
	pty_resize(s.pty, 24, 80);
	snprintf(row, sizeof row, "row %u", n - 1);
	pty_wait(s.pty, pty_shows, row, row, __FILE__, __LINE__);
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* Open cards stay open, and keys work in the smallest window. */
static void what_is_open_survives_the_smallest_window(void)
{
	static const struct { const char *keys, *sees; } cases[] = {
		{ K_F1, "Help" }, { K_F5, "default" }, { "\x10", "\u2500 Commands" }, { "typed", "> typed" }, { "\x06", "Enter stay" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct stage s;

		stage_open(&s, NULL);
		pty_send(s.pty, cases[i].keys);
		pty_wait(s.pty, pty_shows, cases[i].sees, cases[i].sees, __FILE__, __LINE__);
		pty_resize(s.pty, 1, 1);
		PTY_WAIT(s.pty, is_calm, NULL);
		pty_send(s.pty, i ? "x\x7F" K_DOWN K_UP : K_DOWN K_UP); /* a letter closes the help */
		pty_resize(s.pty, 24, 80);
		pty_wait(s.pty, pty_shows, cases[i].sees, cases[i].sees, __FILE__, __LINE__);
		PTY_REDRAWS(s.pty);
		stage_drop(&s);
	}
}

const struct suite suite_screen_terminals = { "screen_terminals", (const struct test[]){
	TEST(every_type_shows_the_answer),
	TEST(without_a_cursor_there_are_lines),
	TEST(every_locale_shows_the_same),
	TEST(the_terminal_is_found_without_standard_input),
	TEST(without_a_terminal_to_draw_on_it_is_a_sentence),
	TEST(every_size_is_drawn_from_the_start),
	TEST(every_size_is_drawn_while_text_comes),
	TEST(what_is_open_survives_the_smallest_window),
	{ 0 },
} };
