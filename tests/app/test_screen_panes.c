/* The parts of the screen around the page during an answer: the status bar, reasoning, tool calls. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "support/check.h"

#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* Starts the program with top-level settings, which precede those of a provider, in a new file. */
static struct pty *start_with(char *home, const char *settings)
{
	const char *path = home_write(home, "own.conf", settings);

	return pty_start(&(struct pty_options){ .home = home, .arguments = LIST("--config", path), .rows = 24, .columns = 120 });
}

/* A weir.conf of an earlier version goes on working, and what of it does nothing is told. */
static void settings_that_are_gone_are_told_once(void)
{
	char *home = home_new();
	struct pty *p = start_with(home, "status = state speed\nlinks = no\nsparkline = ascii\n");

	PTY_SEES(p, "settings that are gone and have no effect in ");
	PTY_SEES(p, "sparkline");
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	pty_free(p);
	home_free(home);
}

static bool bar_has(struct pty *p, const void *words)
{
	return strstr(pty_row(p, 23), words) != NULL;
}

#define BAR_HAS(s, words) pty_wait((s)->pty, bar_has, (words), "in the status bar: " words, __FILE__, __LINE__)

#define PRICED "{\"data\":[{\"id\":\"m-1\",\"context_length\":200,\"pricing\":{\"prompt\":\"0.001\",\"completion\":\"0.01\"}}]}"

/* While nothing runs: the sums, money and context once the model list is there, and indicators of what is set. */
static void the_status_bar_sums_up_the_conversation(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .columns = 140 });
	stage_turn(&s, "hello", "An answer.");
	BAR_HAS(&s, "m-1 \u00b7 hand  1 turn  tokens in 12  out 34   ");
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_reply(s.server, 200, "application/json", PRICED);
	PTY_SEES(s.pty, "1 model");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "1 model");
	BAR_HAS(&s, "out 34  ~$0.35  ctx 23 %   ");
	CHECK(strstr(pty_row(s.pty, (unsigned)pty_find_row(s.pty, " m-1  ")), "  ~$0.35"), "at the answer's head: %s", pty_dump(s.pty));
	stage_turn(&s, "again", "Another answer.");
	BAR_HAS(&s, "2 turns  tokens in 24  out 68  ~$0.70  ctx 23 %   ");
	pty_send(s.pty, "/system Be brief.\r");
	BAR_HAS(&s, "ctx 23 %   system   ");
	pty_send(s.pty, "/reasoning high\r");
	BAR_HAS(&s, "system  reasoning high   ");
	pty_send(s.pty, "\x1Bm");
	BAR_HAS(&s, "reasoning high  plain source   ");
	pty_send(s.pty, "/new\r");
	BAR_HAS(&s, "m-1 \u00b7 hand   system");
	stage_close(&s);
}

static void think(struct stage *s, unsigned first, unsigned count)
{
	char line[40];

	for (unsigned i = first; i < first + count; i++) {
		snprintf(line, sizeof line, "thought %u.\n", i);
		hand_reasoning(s->server, line);
	}
}

static void reasoning_is_shown_as_one_likes(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/thoughts sideways\r");
	PTY_SEES(s.pty, "reasoning is shown in one of these ways: pane, tail, folded, hidden");
	pty_send(s.pty, "/thoughts tail\r");
	PTY_SEES(s.pty, "reasoning: tail");
	stage_begin(&s, "why?");
	think(&s, 1, 9);
	PTY_SEES(s.pty, "+ reasoning ");
	PTY_SEES(s.pty, "thought 9.");
	CHECK(pty_find_row(s.pty, "thought 6.") == pty_find_row(s.pty, "+ reasoning") + 1, "its last four lines: %s", pty_dump(s.pty));
	CHECK(pty_find_row(s.pty, "\u2500 reasoning \u2500") < 0, "and no pane");
	pty_send(s.pty, "/thoughts folded\r");
	PTY_LOSES(s.pty, "thought 9.");
	PTY_SEES(s.pty, "+ reasoning ");
	pty_send(s.pty, "/thoughts hidden\r");
	PTY_LOSES(s.pty, "+ reasoning ");
	PTY_SEES(s.pty, " reasoning  "); /* counted in the status bar */
	pty_send(s.pty, "\x1Bm");
	PTY_SEES(s.pty, "+ reasoning "); /* with the source */
	pty_send(s.pty, "\x1Bm");
	PTY_LOSES(s.pty, "+ reasoning ");
	pty_send(s.pty, "/thoughts pane\r");
	PTY_SEES(s.pty, "\u2500 reasoning");
	hand_text(s.server, "So.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "+ reasoned ");
	pty_send(s.pty, "/thoughts hidden\r");
	PTY_LOSES(s.pty, "+ reasoned ");
	pty_send(s.pty, "/search thought\r");
	PTY_SEES(s.pty, "not found");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "not found");
	pty_send(s.pty, "\x0F");
	PTY_SEES(s.pty, "Details");
	pty_send(s.pty, K_END);
	PTY_SEES(s.pty, "thought 9."); /* in the details */
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "thought 9.");
	stage_close(&s);
}

/* The protocol does not number parts: text after reasoning ends it and is shown after it. */
static void text_and_reasoning_stand_as_they_came(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "why?");
	hand_text(s.server, "Let me think.");
	think(&s, 1, 3);
	PTY_SEES(s.pty, "\u2500 reasoning");
	hand_text(s.server, "That is why.");
	PTY_SEES(s.pty, "That is why.");
	PTY_LOSES(s.pty, "\u2500 reasoning");
	int first = pty_find_row(s.pty, "Let me think."), fold = pty_find_row(s.pty, "+ reasoned"), last = pty_find_row(s.pty, "That is why.");
	CHECK(first + 1 == fold && fold + 2 == last, "%s", pty_dump(s.pty));
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "   thought 3.");
	int thought = pty_find_row(s.pty, "   thought 3.");
	CHECK(pty_find_row(s.pty, "That is why.") == thought + 2, "a blank row parts them: %s", pty_dump(s.pty));
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void a_fold_the_user_made_stays(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "/thoughts folded\r");
	PTY_SEES(s.pty, "reasoning: folded");
	stage_begin(&s, "why?");
	think(&s, 1, 3);
	PTY_SEES(s.pty, "+ reasoning ");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "- reasoning ");
	PTY_SEES(s.pty, "thought 3.");
	think(&s, 4, 1);
	PTY_SEES(s.pty, "thought 4.");
	hand_text(s.server, "So.");
	PTY_SEES(s.pty, "- reasoned ");
	PTY_SEES(s.pty, "thought 4.");
	pty_send(s.pty, K_CTRL('t'));
	PTY_LOSES(s.pty, "   thought 4.");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	PTY_SEES(s.pty, "+ reasoned ");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* If the first row is inside an unfolded part, only that part is folded. */
static void folds_the_part_one_reads(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "why?");
	think(&s, 1, 40);
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\": 1}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "at      1");
	pty_send(s.pty, K_PGUP);
	PTY_LOSES(s.pty, "at      1");
	PTY_SEES(s.pty, "thought 20.");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, "+ reasoned");
	PTY_SEES(s.pty, "- look");
	PTY_SEES(s.pty, "at      1");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void click(struct stage *s, const char *text)
{
	char bytes[64];
	int row = pty_find_row(s->pty, text) + 1;

	snprintf(bytes, sizeof bytes, "\x1B[<0;3;%dM\x1B[<0;3;%dm", row, row);
	pty_send(s->pty, bytes);
}

/* One of the folds is current and marked; the others do not change. */
static void folding_acts_on_what_has_the_focus_or_was_clicked(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "why?");
	think(&s, 1, 3);
	hand_text(s.server, "So I look.");
	hand_delta(s.server, "{\"tool_calls\":[{\"index\":0,\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"at\\\": 1}\"}}]}");
	hand_finish(s.server, "tool_calls");
	STAGE_STATE(&s, "ready");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, ">+"), -1);
	pty_send(s.pty, "\t");
	PTY_SEES(s.pty, ">+ look  at=1");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, ">- look");
	PTY_SEES(s.pty, "   at      1");
	CHECK(pty_find_row(s.pty, " + reasoned") >= 0, "the other one stays: %s", pty_dump(s.pty));
	pty_send(s.pty, "[");
	PTY_SEES(s.pty, ">+ reasoned");
	pty_send(s.pty, K_CTRL('t'));
	PTY_SEES(s.pty, ">- reasoned");
	PTY_SEES(s.pty, "   thought 3.");
	CHECK(pty_find_row(s.pty, " - look") >= 0, "that one too: %s", pty_dump(s.pty));
	pty_send(s.pty, "[");
	PTY_SEES(s.pty, "there is no reasoning, call or item above");
	pty_send(s.pty, "]");
	PTY_SEES(s.pty, ">- look");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, " - look");
	PTY_LOSES(s.pty, ">- look");
	click(&s, "- reasoned");
	PTY_SEES(s.pty, "+ reasoned");
	PTY_LOSES(s.pty, "   thought 3.");
	click(&s, "So I look.");
	click(&s, "- look");
	PTY_SEES(s.pty, "+ look  at=1");
	CHECK(pty_find_row(s.pty, "+ reasoned") >= 0, "that one stays: %s", pty_dump(s.pty));
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static struct pty_cell cell_of(struct pty *p, const char *text)
{
	unsigned row = 0, column = 0;

	CHECK(pty_find(p, text, &row, &column), "'%s' is there", text);
	return pty_cell(p, row, column);
}

static bool is_current(struct pty *p, const void *text)
{
	unsigned row, column;

	if (!pty_find(p, text, &row, &column))
		return false;
	struct pty_cell cell = pty_cell(p, row, column);
	return cell.reverse && cell.bold;
}

/* Live panes are searched, too; the current hit has a style of its own. */
static void hits_are_marked_in_live_panes(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_begin(&s, "amber");
	hand_reasoning(s.server, "first amberly.\n");
	think(&s, 1, 20);
	hand_reasoning(s.server, "last ambers.\n");
	PTY_SEES(s.pty, "last ambers.");
	pty_send(s.pty, K_CTRL('f'));
	pty_send(s.pty, "amber");
	PTY_SEES(s.pty, "3 of 3");
	PTY_WAIT(s.pty, is_current, "ambers.");
	CHECK(cell_of(s.pty, "amber").reverse, "the others are marked");
	CHECK(!is_current(s.pty, "amber"), "as others");
	hand_reasoning(s.server, "more amber.\n");
	PTY_SEES(s.pty, "3 of 4");
	PTY_WAIT(s.pty, is_current, "ambers.");
	pty_send(s.pty, K_UP);
	PTY_SEES(s.pty, "2 of 4");
	PTY_WAIT(s.pty, is_current, "amberly."); /* the pane has scrolled to it */
	hand_text(s.server, "So.");
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "So.");
	pty_send(s.pty, K_DOWN);
	PTY_SEES(s.pty, "3 of 4");
	PTY_SEES(s.pty, "thought 20."); /* unfolded for the hit */
	PTY_WAIT(s.pty, is_current, "ambers.");
	pty_send(s.pty, K_ESC);
	PTY_SEES(s.pty, "+ reasoned");
	stage_close(&s);
}

static int colour_of(struct pty *p, const char *text)
{
	unsigned row = 0, column = 0;

	return pty_find(p, text, &row, &column) ? pty_cell(p, row, column).foreground : -3;
}

static void errors_are_drawn_as_trouble_and_other_messages_are_not(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .arguments = LIST("--theme", "default", "-p", "hand", "--color", "16") });
	pty_enter(s.pty, "/thoughts tail");
	PTY_SEES(s.pty, "reasoning: tail");
	CU_ASSERT_NOT_EQUAL(colour_of(s.pty, "reasoning: tail"), 1);
	pty_enter(s.pty, "/thoughts nosuch");
	PTY_SEES(s.pty, "one of these ways");
	CU_ASSERT_EQUAL(colour_of(s.pty, "reasoning is shown"), 1);
	stage_close(&s);
}

const struct suite suite_screen_panes = { "screen_panes", (const struct test[]){
	TEST(settings_that_are_gone_are_told_once),
	TEST(the_status_bar_sums_up_the_conversation),
	TEST(reasoning_is_shown_as_one_likes),
	TEST(text_and_reasoning_stand_as_they_came),
	TEST(a_fold_the_user_made_stays),
	TEST(folds_the_part_one_reads),
	TEST(folding_acts_on_what_has_the_focus_or_was_clicked),
	TEST(hits_are_marked_in_live_panes),
	TEST(errors_are_drawn_as_trouble_and_other_messages_are_not),
	{ 0 },
} };
