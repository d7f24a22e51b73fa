/* Waiting for the program: for what its terminal shows, and for its end. */
#include "support/pty_inside.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"
#include "support/turned.h"

#define TURN_MS 250
#define TURNS_MOST (20000 / TURN_MS)
#define LAST_BYTES_MS 30000 /* limit for the last output of a program that has ended */

static void fail_wait(struct pty *p, const char *what, const char *file, int line)
{
	printf("\n%s:%d: waited in vain for: %s%s\n%s\n", file, line, what, p->ended ? " (the program has ended)" : "", pty_dump(p));
	CU_assertImplementation(CU_FALSE, (unsigned)line, what, file, "", CU_FALSE);
}

/* After a failed wait nothing can be expected, so further waits fail at once, without output. */
bool pty_wait(struct pty *p, pty_predicate *predicate, const void *ctx, const char *what, const char *file, int line)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	bool was_ended = false;

	while (!p->failed) {
		pty_pump(p);
		if (predicate(p, ctx))
			return true;
		pty_look_at_program(p);
		if (p->ended && !was_ended)
			end_ms = check_now_ms() + LAST_BYTES_MS;
		was_ended = p->ended;
		if (check_now_ms() >= end_ms)
			break;
		struct pollfd fd = { .fd = p->master, .events = POLLIN };
		if (poll(&fd, p->master >= 0, 10) == 0 && p->turns_left > 0 && p->turns_left--)
			pty_turn(p, TURN_MS);
	}
	if (!p->failed)
		fail_wait(p, what, file, line);
	p->failed = true;
	return false;
}

bool pty_wait_turning(struct pty *p, pty_predicate *predicate, const void *ctx, const char *what, const char *file, int line)
{
	p->turns_left = p->turned && turned_variables(p->turned)[0] ? TURNS_MOST : 0;
	bool good = pty_wait(p, predicate, ctx, what, file, line);
	p->turns_left = 0;
	return good;
}

bool pty_shows(struct pty *p, const void *text)
{
	return pty_find_row(p, text) >= 0;
}

bool pty_hides(struct pty *p, const void *text)
{
	return pty_find_row(p, text) < 0;
}

bool pty_tells(struct pty *p, const void *text)
{
	size_t len = 0;

	pty_dump(p);
	for (size_t i = 0; i < p->dump.len; i++) {
		bool side = str_starts(str_skip(buf_str(&p->dump), i), "\u2502"); /* of a card that the sentence wraps in */
		char c = side || p->dump.ptr[i] == '\n' ? ' ' : p->dump.ptr[i];

		i += side ? 2 : 0;
		if (c != ' ' || (len && p->dump.ptr[len - 1] != ' '))
			p->dump.ptr[len++] = c;
	}
	buf_remove(&p->dump, len, p->dump.len - len);
	return strstr(buf_z(&p->dump), text);
}

/*
 * The kernel passes on a program's output with a delay, possibly after the program's end. A mark written after it arrives after it. A
 * stopped terminal passes on nothing.
 */
static bool has_all_come(struct pty *p)
{
	static const char mark[8];
	struct str last = str_skip(buf_str(&p->output), p->output.len < sizeof mark ? 0 : p->output.len - sizeof mark);

	if (p->slave < 0 || p->held)
		return true;
	if (!p->marked) {
		int fd = open(ptsname(p->master), O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);

		p->marked = fd >= 0 && write(fd, mark, sizeof mark) == (ssize_t)sizeof mark;
		close(fd);
		return false;
	}
	if (str_equal(last, str_of(mark, sizeof mark)))
		buf_remove(&p->output, p->output.len - sizeof mark, sizeof mark);
	else if (!p->all_came)
		return false;
	p->all_came = true;
	return true;
}

bool pty_is_over(struct pty *p, const void *ctx)
{
	(void)ctx;
	pty_look_at_program(p);
	pty_pump(p);
	return p->ended && has_all_come(p);
}

bool pty_wait_end(struct pty *p, int status, const char *file, int line)
{
	if (!pty_wait(p, pty_is_over, NULL, "the program's end", file, line))
		return false;
	if (p->status != status)
		printf("\n%s:%d: exit status %d, not %d\n%s\n", file, line, p->status, status, pty_dump(p));
	CU_assertImplementation(p->status == status, (unsigned)line, "exit status", file, "", CU_FALSE);
	return p->status == status;
}

/*
 * ncurses clears with ED after CUP. The frame is complete at the end of the synchronized update. No later frame may be under way: a
 * program that was resumed draws twice.
 */
static bool has_redrawn(struct pty *p, const void *start)
{
	struct str later = str_skip(buf_str(&p->output), *(const size_t *)start), under_way = str_skip(buf_str(&p->output), p->frame);
	size_t cleared = str_find(later, STR("\x1B[2J"));

	if (cleared == later.len)
		cleared = str_find(later, STR("\x1B[J"));
	later = str_skip(later, cleared);
	return str_find(later, STR(PTY_FRAME_END)) < later.len && str_find(under_way, STR(PTY_FRAME_BEGIN)) == under_way.len;
}

bool pty_settle(struct pty *p)
{
	pty_pump(p);
	size_t start = p->output.len;
	pty_send(p, "\f");
	return PTY_WAIT(p, has_redrawn, &start);
}

/* What ends with its time, such as a message, may end between any two redraws: the wait is for two that are the same. */
void pty_check_redraw(struct pty *p, const char *file, int line)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;
	bool same = false, late = false;

	if (!pty_settle(p)) /* everything in flight has arrived */
		return;
	while (!same && !late) {
		char *before = mem_dup_z(pty_dump(p));
		bool good = pty_settle(p);

		same = !good || !strcmp(before, pty_dump(p)); /* the wait has told what is not good */
		late = check_now_ms() >= end_ms;
		check_that(same || !late, "redraw", file, line, "shows another screen\n%s\n%s", before, pty_dump(p));
		mem_free(before);
	}
}
