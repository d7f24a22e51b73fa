/* Branches on the full screen: versions of a turn, and the tree of all turns. */

#include "stage.h"
#include "support/check.h"

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

const struct suite suite_screen_tree = { "screen_tree", (const struct test[]){
	TEST(nothing_branches_while_an_answer_runs),
	{ 0 },
} };
