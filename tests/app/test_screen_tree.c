/* Branches on the full screen: versions of a turn, and the tree of all turns. */
#include <stdio.h>
#include <string.h>

#include "stage.h"
#include "support/check.h"
#include "support/golden.h"

#define VERSION(figures) "\u2039 " figures " \u203A"

static void answer(struct stage *s, const char *text)
{
	hand_accept(s->server);
	hand_whole(s->server, text, "stop");
	pty_wait(s->pty, pty_shows, text, text, __FILE__, __LINE__);
	STAGE_OVER(s);
	STAGE_STATE(s, "ready");
}

/* Two prompts; the answer to the second one has two versions. */
static void open_with_versions(struct stage *s, unsigned rows, unsigned columns)
{
	stage_open(s, &(struct stage_options){ .rows = rows, .columns = columns, .turns = true });
	stage_turn(s, "alpha", "First answer.");
	stage_turn(s, "beta", "Second answer.");
	pty_send(s->pty, K_ALT("r"));
	answer(s, "Other answer.");
	PTY_SEES(s->pty, VERSION("2/2"));
}

static void versions_are_walked_by_keys(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	PTY_LOSES(s.pty, "Second answer.");
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "Second answer.");
	PTY_SEES(s.pty, VERSION("1/2"));
	PTY_SEES(s.pty, "answer 1 of 2");
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "there is no older version");
	pty_send(s.pty, "\t" K_ALT(">"));
	PTY_SEES(s.pty, "Other answer.");
	PTY_SEES(s.pty, "Alt-< older version");
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "Second answer.");
	stage_turn(&s, "gamma", "Third answer.");
	CHECK(stage_sent(&s, "Second answer.") && !stage_sent(&s, "Other answer."), "%s", hand_body(s.server));
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void click(const struct stage *s, const char *text, unsigned aside)
{
	unsigned row, column;
	char bytes[64];

	if (!pty_find(s->pty, text, &row, &column)) {
		CHECK(false, "%s is not on the screen", text);
		return;
	}
	snprintf(bytes, sizeof bytes, "\x1B[<0;%u;%uM\x1B[<0;%u;%um", column + 1 + aside, row + 1, column + 1 + aside, row + 1);
	pty_send(s->pty, bytes);
}

static void versions_are_walked_by_clicks(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	click(&s, VERSION("2/2"), 0);
	PTY_SEES(s.pty, "Second answer.");
	click(&s, VERSION("1/2"), 6);
	PTY_SEES(s.pty, "Other answer.");
	click(&s, "Other answer.", 0); /* nothing of versions is there */
	pty_settle(s.pty);
	PTY_SEES(s.pty, VERSION("2/2"));
	stage_close(&s);
}

/* The turn that the page is on is marked, and what it is called stands in the hairline. */
static void keys_act_on_the_turn_that_the_page_is_on(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	pty_send(s.pty, "\t{{{");
	PTY_SEES(s.pty, "turn 1 of 2");
	PTY_SEES(s.pty, ">m-1");
	pty_send(s.pty, K_ALT("r"));
	hand_accept(s.server);
	CHECK(stage_sent(&s, "alpha") && !stage_sent(&s, "beta"), "%s", hand_body(s.server));
	hand_whole(s.server, "Fourth answer.", "stop");
	PTY_SEES(s.pty, "Fourth answer.");
	PTY_LOSES(s.pty, "beta");
	STAGE_OVER(&s);
	pty_send(s.pty, K_ALT("<"));
	PTY_SEES(s.pty, "Other answer."); /* with what is below it */
	pty_send(s.pty, K_HOME "}{" K_ALT("u"));
	PTY_SEES_LATER(s.pty, "prompt 1 of 2");
	PTY_SEES(s.pty, "> alpha");
	pty_send(s.pty, " too\r");
	hand_accept(s.server);
	CHECK(stage_sent(&s, "alpha too") && !stage_sent(&s, "First answer."), "%s", hand_body(s.server));
	hand_whole(s.server, "Fifth answer.", "stop");
	PTY_SEES(s.pty, "Fifth answer.");
	PTY_SEES(s.pty, VERSION("2/2"));
	stage_close(&s);
}

/* Three turns of which the page is on the first answer. */
static void open_on_the_first_answer(struct stage *s)
{
	stage_open(s, NULL);
	stage_turn(s, "alpha", "First answer.");
	stage_turn(s, "beta", "Second answer.");
	pty_send(s->pty, "\t{{{");
	PTY_SEES(s->pty, "turn 1 of 2");
}

static void details_and_copies_are_of_the_turn_that_the_page_is_on(void)
{
	struct stage s;

	open_on_the_first_answer(&s);
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "sent 13 characters");
	CHECK(pty_has_written(s.pty, "\x1B]52;c;Rmlyc3QgYW5zd2VyLg==\a"), "First answer.");
	pty_send(s.pty, "d");
	PTY_SEES(s.pty, "Details of turn 1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of turn 1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	pty_send(s.pty, "{");
	PTY_SEES(s.pty, "prompt 1 of 2");
	pty_send(s.pty, "d"); /* of a prompt: those of its answer */
	PTY_SEES(s.pty, "Details of turn 1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "prompt 1 of 2");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of the last turn");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	stage_close(&s);
}

static void a_click_on_its_head_puts_the_page_on_a_turn(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "alpha", "First answer.");
	stage_turn(&s, "beta", "Second answer.");
	click(&s, "First answer.", 0); /* the text is not the head */
	pty_settle(s.pty);
	CHECK(pty_find_row(s.pty, "turn 1 of 2") < 0, "%s", pty_dump(s.pty));
	click(&s, "m-1", 0);
	PTY_SEES(s.pty, "turn 1 of 2");
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details of turn 1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	click(&s, "alpha", 0);
	PTY_SEES(s.pty, "prompt 1 of 2");
	stage_close(&s);
}

static void without_the_focus_keys_act_on_the_last_turn(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	pty_send(s.pty, "\t{{{");
	PTY_SEES(s.pty, "turn 1 of 2");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "turn 1 of 2");
	pty_send(s.pty, K_ALT("r"));
	hand_accept(s.server);
	CHECK(stage_sent(&s, "beta"), "%s", hand_body(s.server));
	hand_whole(s.server, "Third version.", "stop");
	PTY_SEES(s.pty, VERSION("3/3"));
	stage_close(&s);
}

static void nothing_branches_while_an_answer_runs(void)
{
	static const char *const keys[] = { K_ALT("<"), K_ALT("r"), K_ALT("u"), "/undo\r", "/tree\r" K_UP "dy" };
	struct stage s;

	open_with_versions(&s, 24, 80);
	stage_begin(&s, "gamma");
	hand_text(s.server, "Still going.");
	PTY_SEES(s.pty, "Still going.");
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
		pty_send(s.pty, keys[i]);
		PTY_SEES(s.pty, "an answer is under way");
		if (i + 1 < sizeof keys / sizeof *keys) { /* another sentence takes its place */
			pty_send(s.pty, K_ALT("z"));
			PTY_SEES(s.pty, "long lines of code");
		}
	}
	stage_drop(&s);
}

/* --- the tree --- */

static void the_tree_opens_branches(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	pty_send(s.pty, K_ALT("t"));
	PTY_SEES(s.pty, "Tree");
	PTY_SEES(s.pty, "* > alpha");
	PTY_SEES(s.pty, ">   * Other answer.");
	PTY_SEES(s.pty, "answer 2 of 2, m-1, complete, now");
	pty_send(s.pty, K_UP "\r");
	PTY_LOSES(s.pty, "Tree");
	PTY_SEES(s.pty, VERSION("1/2"));
	PTY_SEES(s.pty, "Second answer.");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void the_tree_folds_and_labels(void)
{
	struct stage s;

	open_with_versions(&s, 12, 40);
	pty_enter(s.pty, "/tree");
	PTY_SEES(s.pty, "Second answer.");
	pty_send(s.pty, K_LEFT); /* nothing is below it: the one above it */
	PTY_SEES(s.pty, "> * > beta");
	pty_send(s.pty, K_LEFT);
	PTY_SEES(s.pty, "* +2 > beta");
	PTY_LOSES(s.pty, "Second answer.");
	pty_send(s.pty, K_RIGHT "l");
	PTY_SEES(s.pty, "Label");
	pty_send(s.pty, "key\r");
	PTY_SEES(s.pty, "> [key] beta");
	PTY_SEES(s.pty, "Second answer.");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Tree");
	stage_close(&s);
}

/* The smallest screens: nothing but the card and what does not depend on time is in view. */
static void the_tree_looks_as_it_did(void)
{
	static const unsigned sizes[][2] = { { 12, 40 }, { 6, 20 } };

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct stage s;
		char name[32];

		open_with_versions(&s, sizes[i][0], sizes[i][1]);
		pty_send(s.pty, K_ALT("t") K_UP K_LEFT K_LEFT);
		PTY_SEES(s.pty, "* +2 > b");
		PTY_REDRAWS(s.pty);
		snprintf(name, sizeof name, "tree-%ux%u", sizes[i][1], sizes[i][0]);
		golden_check(name, str_from(pty_dump(s.pty)));
		stage_drop(&s);
	}
}

static void what_the_tree_deletes_comes_back(void)
{
	struct stage s;

	open_with_versions(&s, 24, 100);
	pty_send(s.pty, K_ALT("t") "d");
	PTY_SEES(s.pty, "delete this answer?");
	pty_send(s.pty, "n");
	PTY_LOSES(s.pty, "delete this answer?");
	CHECK(pty_find_row(s.pty, "u undo") < 0, "nothing is deleted yet: %s", pty_dump(s.pty));
	pty_send(s.pty, K_UP K_UP "d");
	PTY_SEES(s.pty, "delete this prompt and the 2 turns below it?");
	pty_send(s.pty, "y");
	PTY_SEES(s.pty, "deleted; /undo brings it back");
	PTY_LOSES(s.pty, "beta");
	PTY_SEES(s.pty, "u undo");
	pty_send(s.pty, "q");
	PTY_LOSES(s.pty, "Tree");
	pty_enter(s.pty, "/undo");
	PTY_SEES(s.pty, "what was deleted is back");
	PTY_SEES(s.pty, "Other answer.");
	PTY_SEES(s.pty, VERSION("2/2"));
	pty_enter(s.pty, "/undo");
	PTY_SEES(s.pty, "there is nothing to undo");
	stage_close(&s);
}

/* Down to the last turn, and back from nothing. */
static void the_whole_tree_can_be_deleted(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	pty_send(s.pty, K_ALT("t") K_HOME "d" "y");
	PTY_LOSES(s.pty, "\u258C alpha");
	PTY_LOSES(s.pty, "Tree");
	PTY_SEES(s.pty, "A live view of what models say.");
	pty_enter(s.pty, "/undo");
	PTY_SEES(s.pty, "Other answer.");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void a_path_becomes_a_new_conversation(void)
{
	struct stage s;

	open_with_versions(&s, 24, 80);
	pty_send(s.pty, K_ALT("t") K_UP "cy");
	PTY_SEES(s.pty, "a new conversation of 2 turns; /undo goes back");
	PTY_SEES(s.pty, "Second answer.");
	PTY_LOSES(s.pty, VERSION("2/2"));
	pty_enter(s.pty, "/undo");
	PTY_SEES(s.pty, "back in the conversation that was copied");
	PTY_SEES(s.pty, VERSION("2/2"));
	pty_send(s.pty, K_ALT("t") K_UP "cy");
	PTY_SEES(s.pty, "a new conversation");
	stage_turn(&s, "gamma", "Third answer.");
	CHECK(stage_sent(&s, "Second answer.") && !stage_sent(&s, "Other answer."), "%s", hand_body(s.server));
	pty_enter(s.pty, "/undo");
	PTY_SEES(s.pty, "the copy has gone on since");
	stage_close(&s);
}

const struct suite suite_screen_tree = { "screen_tree", (const struct test[]){
	TEST(versions_are_walked_by_keys),
	TEST(versions_are_walked_by_clicks),
	TEST(keys_act_on_the_turn_that_the_page_is_on),
	TEST(details_and_copies_are_of_the_turn_that_the_page_is_on),
	TEST(a_click_on_its_head_puts_the_page_on_a_turn),
	TEST(without_the_focus_keys_act_on_the_last_turn),
	TEST(nothing_branches_while_an_answer_runs),
	TEST(the_tree_opens_branches),
	TEST(the_tree_folds_and_labels),
	TEST(the_tree_looks_as_it_did),
	TEST(what_the_tree_deletes_comes_back),
	TEST(the_whole_tree_can_be_deleted),
	TEST(a_path_becomes_a_new_conversation),
	{ 0 },
} };
