#include "app/screen/on_exit.h"

#include <unistd.h>

#include "app/system/output.h"
#include "chat/conversation/conversation.h"

#define ROWS_MOST 1000 /* limit for one exchange: more would push earlier output out of the terminal's scrollback */

static void write_line(void *output, struct str line)
{
	output_safe(output, line);
}

/* The index of the last question. */
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
