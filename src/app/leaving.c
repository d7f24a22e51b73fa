#include "app/leaving.h"

#include <unistd.h>

#include "app/output.h"
#include "ui/printout.h"

#define ROWS_MOST 1000 /* of one exchange: what is longer would push out what the terminal remembers from before */

static void write_line(void *output, struct str line)
{
	output_safe(output, line);
}

/* The turn that the last question is. */
static size_t last_exchange(const struct conversation *conversation)
{
	size_t turn = conversation->count - 1;

	while (turn && conversation->turns[turn]->role != ROLE_USER)
		turn--;
	return turn;
}

void leaving_print(struct chat *c)
{
	const struct conversation *conversation = session_conversation(c->session);
	bool all = c->setup.settings.leave == LEAVE_ALL;
	struct printout what = { .columns = c->canvas->columns, .theme = &c->theme, .colours = c->colours, .most = all ? 0 : ROWS_MOST };
	struct output out;
	struct view view;

	if (c->ended_by || !conversation->count || c->setup.settings.leave == LEAVE_NOTHING)
		return;
	chat_fill_view(c, &view);
	view.live = NULL;
	what.first = all ? 0 : last_exchange(conversation);
	output_init(&out, STDOUT_FILENO);
	printout_conversation(&what, &view, write_line, &out);
}
