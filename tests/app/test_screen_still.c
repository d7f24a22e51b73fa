/*
 * The rows in view do not move, in any frame, whatever arrives, folds, opens or is typed. Frames are compared cell by cell, including
 * colours.
 */
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define ROWS 5 /* compared rows at the top; panes and the input take their rows at the bottom */
#define COLUMNS_MOST 120

struct still {
	unsigned columns, frames;
	struct pty_cell cells[ROWS][COLUMNS_MOST];
	const char *during;
	bool moved;
};

static bool same_cell(const struct pty_cell *a, const struct pty_cell *b)
{
	return !strcmp(a->text, b->text) && a->width == b->width && a->foreground == b->foreground && a->background == b->background &&
	       a->bold == b->bold && a->underline == b->underline && a->reverse == b->reverse && a->italic == b->italic;
}

static void look(struct pty *p, void *ctx)
{
	struct still *still = ctx;

	still->frames++;
	for (unsigned row = 0; row < ROWS && !still->moved; row++)
		for (unsigned column = 0; column < still->columns && !still->moved; column++) {
			struct pty_cell cell = pty_cell(p, row, column);

			still->moved = !same_cell(&cell, &still->cells[row][column]);
			CHECK(!still->moved, "%s: frame %u moved what is read, row %u column %u\n%s", still->during, still->frames, row, column, pty_dump(p));
		}
}

/* From now on the rows at the top must not change. */
static void hold(struct still *still, struct pty *p, const char *during)
{
	if (!pty_settle(p))
		return;
	*still = (struct still){ .columns = pty_columns(p), .during = during };
	for (unsigned row = 0; row < ROWS; row++)
		for (unsigned column = 0; column < still->columns; column++)
			still->cells[row][column] = pty_cell(p, row, column);
	pty_watch(p, look, still);
}

static void let_go(struct still *still, struct pty *p)
{
	pty_settle(p);
	CHECK(still->frames > 0, "%s: frames were looked at", still->during);
	pty_watch(p, NULL, NULL);
}

/* Shows a long turn with folds, starts another one that begins with reasoning or text, and scrolls back into the first. */
static void open_with(struct stage *s, void (*begin)(struct hand *h, const char *text))
{
	stage_open(s, NULL);
	stage_begin(s, "first");
	hand_reasoning(s->server, "Thought one.\nThought two.\nThought three.");
	stage_rows(s, 1, 60);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "row 60");
	STAGE_OVER(s);
	stage_begin(s, "second");
	begin(s->server, "Begun.\n\n");
	PTY_SEES(s->pty, "Begun.");
	pty_send(s->pty, K_PGUP K_PGUP);
	PTY_LOSES(s->pty, "row 60");
	PTY_SEES(s->pty, "End for the latest");
}

static void open_reading(struct stage *s)
{
	open_with(s, hand_text);
}

static void text_that_arrives_moves_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "text");
	for (unsigned i = 0; i < 50; i++) {
		stage_rows(&s, 100 + 20 * i, 20);
		pty_pump(s.pty);
	}
	PTY_SEES(s.pty, "1,000 new lines   End for the latest");
	hand_text(s.server, "\n```c\nint a;\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nThe end.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	let_go(&still, s.pty);
	stage_close(&s);
}

static void reasoning_that_comes_and_folds_moves_nothing(void)
{
	struct still still;
	struct stage s;

	open_with(&s, hand_reasoning);
	hold(&still, s.pty, "reasoning");
	PTY_SEES(s.pty, "\u2500\u2500 reasoning");
	for (int i = 0; i < 20; i++)
		hand_reasoning(s.server, "And another thought.\n");
	PTY_SEES(s.pty, "And another thought.");
	hand_text(s.server, "So be it.");
	PTY_LOSES(s.pty, "\u2500\u2500 reasoning");
	let_go(&still, s.pty);
	stage_close(&s);
}

static void calls_that_come_and_end_move_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "call");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"a\\\":\"}}]}");
	PTY_SEES(s.pty, "\u2500\u2500 call 1");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"[1,2,3,4,5],\\\"b\\\":{\"}}]}");
	PTY_SEES(s.pty, "b       {");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"}}\"}}]}");
	hand_finish(s.server, "tool_calls");
	PTY_LOSES(s.pty, "\u2500\u2500 call 1");
	STAGE_STATE(&s, "ready");
	let_go(&still, s.pty);
	stage_close(&s);
}

static void answers_that_break_off_move_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "a cut");
	hand_close(s.server);
	STAGE_STATE(&s, "ready");
	let_go(&still, s.pty);
	stage_close(&s);
	open_reading(&s);
	hold(&still, s.pty, "a stop");
	pty_send(s.pty, K_ESC);
	STAGE_STATE(&s, "ready");
	let_go(&still, s.pty);
	stage_close(&s);
}

/* The input grows upwards, lists open above it and messages are shown, without moving the rows in view. */
static void typing_moves_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "typing");
	pty_send(s.pty, "one\ntwo\nthree\nfour\nfive");
	PTY_SEES(s.pty, "   five");
	pty_send(s.pty, "\x15" K_HOME "x" K_LEFT "/mo");
	pty_settle(s.pty);
	pty_send(s.pty, K_ESC "\x03");
	let_go(&still, s.pty);
	stage_drop(&s);
}

static void a_search_of_prompts_moves_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "the search of prompts");
	pty_send(s.pty, K_CTRL('r'));
	PTY_SEES(s.pty, "earlier prompts");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "earlier prompts");
	let_go(&still, s.pty);
	stage_close(&s);
}

/* Reasoning is unfolded above the first row in view, in the same turn. */
static void folds_above_move_nothing(void)
{
	struct still still;
	struct stage s;

	open_reading(&s);
	hold(&still, s.pty, "folds");
	pty_send(s.pty, K_CTRL('t'));
	let_go(&still, s.pty);
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "   Thought two.");
	pty_send(s.pty, K_CTRL('t'));
	PTY_LOSES(s.pty, "   Thought two.");
	stage_close(&s);
}

/* After a card over the page is closed, every cell is as before. */
static void what_opens_leaves_no_trace(void)
{
	static const struct { const char *opens, *sees; } covers[] = {
		{ K_F1, "Help" }, { "\x10", "Commands" }, { K_F3, "Protocol" }, { K_F5, "Theme" }, { "\x0F", "Details of" }, { "\x06", "Esc back" },
	};
	struct still still;
	struct stage s;
	open_reading(&s);
	for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
		hold(&still, s.pty, covers[i].sees);
		pty_watch(s.pty, NULL, NULL);
		pty_send(s.pty, covers[i].opens);
		PTY_WAIT(s.pty, pty_shows, covers[i].sees);
		stage_rows(&s, 100, 30);
		pty_settle(s.pty);
		pty_send(s.pty, K_ESC);
		PTY_WAIT(s.pty, pty_hides, covers[i].sees);
		pty_watch(s.pty, look, &still);
		let_go(&still, s.pty);
	}
	stage_close(&s);
}

static void windows_that_change_keep_the_line(void)
{
	static const unsigned sizes[][2] = { { 30, 80 }, { 20, 80 }, { 24, 100 }, { 24, 60 }, { 12, 40 }, { 40, 100 }, { 24, 80 } };
	struct still still;
	struct stage s;

	open_reading(&s);
	pty_settle(s.pty);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		hold(&still, s.pty, "windows");
		pty_watch(s.pty, NULL, NULL);
		pty_resize(s.pty, sizes[i][0], sizes[i][1]);
		stage_rows(&s, 100, 5);
		pty_settle(s.pty);
		still.columns = 20; /* the rows in view are short, so they fit each size */
		pty_watch(s.pty, look, &still);
		let_go(&still, s.pty);
	}
	stage_close(&s);
}

const struct suite suite_screen_still = { "screen_still", (const struct test[]){
	TEST(text_that_arrives_moves_nothing),
	TEST(reasoning_that_comes_and_folds_moves_nothing),
	TEST(calls_that_come_and_end_move_nothing),
	TEST(answers_that_break_off_move_nothing),
	TEST(typing_moves_nothing),
	TEST(a_search_of_prompts_moves_nothing),
	TEST(folds_above_move_nothing),
	TEST(what_opens_leaves_no_trace),
	TEST(windows_that_change_keep_the_line),
	{ 0 },
} };
