#include "app/chat/on_exit.h"

#include <unistd.h>

#include "app/output.h"

#define ROWS_MOST 1000 /* of one exchange: what is longer would push out what the terminal remembers from before */

static void write_line(void *output, struct str line)
{
	output_safe(output, line);
}

/* The turn that the last question is. */
static size_t last_exchange(const struct conversation *conversation)
{
	size_t turn = conversation->count - 1;

	while (turn && conversation->turns[turn]->role != TURN_USER)
		turn--;
	return turn;
}

void on_exit_print(const struct view *view, const struct printout *look, enum leave leave)
{
	struct printout what = *look;
	struct view still = *view;
	struct output out;

	if (!view->conversation->count || leave == LEAVE_NOTHING)
		return;
	still.live = NULL;
	what.first = leave == LEAVE_ALL ? 0 : last_exchange(view->conversation);
	what.most = leave == LEAVE_ALL ? 0 : ROWS_MOST;
	output_init(&out, STDOUT_FILENO);
	printout_conversation(&what, &still, write_line, &out);
}
