/* Signals, and giving the terminal away: to the shell, to another program, for good. */
#include <signal.h>
#include <unistd.h>

#include "app/chat.h"
#include "ui/term.h"

void chat_end_by(struct chat *c, int number)
{
	c->quit = true;
	c->ended_by = c->ended_by ? c->ended_by : number;
}

void chat_lend_terminal(struct chat *c)
{
	chat_await_answers(c);
	screen_suspend(c->screen);
	term_restore(c->term);
}

/* In the background it stops here until the shell gives the terminal back; false: a signal wants the end instead. */
static bool make_raw(struct chat *c)
{
	while (!signals_want_end())
		if (term_raw(c->term))
			return true;
	return false;
}

void chat_take_terminal(struct chat *c)
{
	unsigned rows, columns;

	if (!make_raw(c)) {
		chat_end_by(c, signals_take().terminate);
		return;
	}
	term_size(c->term, &rows, &columns);
	canvas_resize(c->canvas, rows, columns);
	screen_resume(c->screen, rows, columns);
	c->dirty = true;
}

/* Who is the first of a session was started by no shell: nobody would ever let it go on. */
void chat_suspend(struct chat *c)
{
	if (getsid(0) == getpid()) {
		chat_say(c, "no shell started weir: there is nothing to go back to");
		return;
	}
	chat_lend_terminal(c);
	raise(SIGSTOP); /* the shell has the terminal until SIGCONT */
	c->is_back = true;
	chat_take_terminal(c);
}

static void stop(struct chat *c)
{
	if (c->lending.program) /* it stops, too, and knows what to do with the terminal */
		raise(SIGSTOP);
	else
		chat_suspend(c);
}

/* It was stopped without a warning: others may have drawn meanwhile, and changed the terminal's modes. */
static void come_back(struct chat *c)
{
	bool knows = c->is_back;

	c->is_back = false;
	if (knows || c->lending.program || !c->screen)
		return;
	if (make_raw(c))
		screen_suspend(c->screen);
	chat_take_terminal(c);
}

void chat_take_signals(void *ctx, struct signals came)
{
	struct chat *c = ctx;

	if (came.terminate)
		chat_end_by(c, came.terminate);
	c->resized |= came.window || came.resumed;
	if (came.interrupt && !c->lending.program) /* Ctrl-C was meant for who has the terminal */
		session_stop(c->session);
	if (came.stop && !c->quit)
		stop(c);
	if (came.resumed && !c->quit)
		come_back(c);
}
