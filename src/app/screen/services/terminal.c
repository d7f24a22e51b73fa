#include "app/screen/services/terminal.h"

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "app/system/signals.h"
#include "base/descriptors.h"
#include "base/mem.h"

#define READ_SIZE 65536
#define SCREEN_DESCRIPTORS 15     /* descriptors of the screen, its first request and the following one */
#define PASTE_BYTES 64            /* larger reads are not keys: they do not cause an immediate frame */

void terminal_init(struct terminal *t, const struct terminal_events *events)
{
	*t = (struct terminal){ .events = *events, .keys = key_decoder_new() };
}

void terminal_fini(struct terminal *t)
{
	key_decoder_free(t->keys);
	canvas_free(t->canvas);
}

/* --- opening and closing --- */

bool terminal_open(struct terminal *t, enum colour_mode colour, struct error *err)
{
	unsigned rows, columns;

	if (!isatty(STDOUT_FILENO)) /* redirected output needs text, not a screen */
		return error_set(err, "standard output is not a terminal; `weir --plain` and `weir ask` write text");
	if (!descriptors_ensure(SCREEN_DESCRIPTORS, err) || !term_open(&t->term, err))
		return false;
	term_size(t->term, &rows, &columns);
	term_guard_crashes(t->term);
	while (!term_raw(t->term) && !signals_want_end())
		continue;
	if (!screen_open(&t->screen, term_fd(t->term), rows, columns, colour, err)) {
		term_restore(t->term);
		return false;
	}
	screen_set_cell(t->screen, term_cell(t->term));
	t->canvas = canvas_new(rows, columns);
	t->opened_ms = clock_now_ms();
	return true;
}

int terminal_close(struct terminal *t)
{
	int colours = 0;

	signal(SIGTTOU, SIG_IGN); /* must not stop here if a shell has the terminal */
	if (t->lent)
		term_undo(t->term);
	if (t->screen) {
		terminal_await_answers(t);
		colours = screen_colours(t->screen);
	}
	screen_close(t->screen);
	if (t->term)
		term_restore(t->term);
	term_close(t->term);
	t->screen = NULL;
	t->term = NULL;
	return colours;
}

/* --- lending and suspending --- */

void terminal_fit(struct terminal *t)
{
	unsigned rows, columns;

	if (!t->resized)
		return;
	t->resized = false;
	term_size(t->term, &rows, &columns);
	screen_set_cell(t->screen, term_cell(t->term));
	canvas_resize(t->canvas, rows, columns);
	screen_resize(t->screen, rows, columns);
}

/* In the background, the process stops here until the shell returns the terminal. False: a signal asks the program to end. */
static bool terminal_make_raw(struct terminal *t)
{
	while (!signals_want_end())
		if (term_raw(t->term))
			return true;
	return false;
}

void terminal_lend(struct terminal *t)
{
	terminal_await_answers(t);
	screen_suspend(t->screen);
	term_restore(t->term);
	t->lent = true;
}

void terminal_take_back(struct terminal *t)
{
	unsigned rows, columns;

	t->lent = false;
	if (!terminal_make_raw(t)) {
		t->events.gone(t->events.ctx, signals_take().terminate);
		return;
	}
	term_size(t->term, &rows, &columns);
	screen_set_cell(t->screen, term_cell(t->term));
	canvas_resize(t->canvas, rows, columns);
	screen_resume(t->screen, rows, columns);
	t->events.redraw(t->events.ctx);
}

bool terminal_suspend(struct terminal *t)
{
	if (t->lent) { /* the program stops, too, and restores the terminal itself */
		raise(SIGSTOP);
		return true;
	}
	if (getsid(0) == getpid()) /* a session leader: no shell could continue it */
		return false;
	terminal_lend(t);
	raise(SIGSTOP); /* returns after SIGCONT */
	t->resuming = true;
	terminal_take_back(t);
	return true;
}

/* If weir was stopped from outside, other programs may have drawn on the terminal and changed its modes. */
void terminal_resumed(struct terminal *t)
{
	bool knows = t->resuming;

	t->resuming = false;
	if (knows || t->lent || !t->screen)
		return;
	if (terminal_make_raw(t))
		screen_suspend(t->screen);
	terminal_take_back(t);
}

/* --- the loop's member --- */

size_t terminal_fds(void *terminal, struct pollfd *fds, size_t room)
{
	struct terminal *t = terminal;

	if (!room || t->lent)
		return 0;
	fds[0] = (struct pollfd){ .fd = term_fd(t->term), .events = POLLIN };
	if (t->screen && screen_wants_to_send(t->screen))
		fds[0].events |= POLLOUT;
	return 1;
}

int64_t terminal_deadline(void *terminal)
{
	return key_decoder_deadline(((struct terminal *)terminal)->keys);
}

void terminal_run(void *terminal, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct terminal *t = terminal;
	char bytes[READ_SIZE];

	if (count && fds[0].revents & POLLOUT && screen_send(t->screen))
		t->events.redraw(t->events.ctx);
	if (count && fds[0].revents & (POLLIN | POLLHUP | POLLERR)) {
		ssize_t n = read(term_fd(t->term), bytes, sizeof bytes);

		t->key_pressed |= n > 0 && n < PASTE_BYTES;
		if (n > 0) {
			terminal_feed(t, str_of(bytes, (size_t)n), now_ms);
			mem_wipe(bytes, (size_t)n); /* a key of a provider may be among them */
		} else if (fds[0].revents & (POLLHUP | POLLERR)) {
			t->events.gone(t->events.ctx, SIGHUP);
		}
	}
	key_decoder_tick(t->keys, now_ms, t->events.key, t->events.ctx);
}
