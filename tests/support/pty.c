#include "support/pty_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utmp.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "support/check.h"
#include "support/environment.h"
#include "support/home.h"
#include "support/ready.h"
#include "support/turned.h"

#define LISTED_MOST 64 /* arguments or variables */
#define OUTPUT_LIMIT ((size_t)256 << 20)

/* --- the terminal --- */

static int on_property(VTermProp property, VTermValue *value, void *user)
{
	struct pty *p = user;

	if (property == VTERM_PROP_ALTSCREEN)
		p->alternate = value->boolean;
	else if (property == VTERM_PROP_CURSORVISIBLE)
		p->cursor_shown = value->boolean;
	return 1;
}

static void write_all(struct pty *p, const char *bytes, size_t len)
{
	while (len && p->master >= 0 && !p->failed) {
		ssize_t n = write(p->master, bytes, len);

		if (n < 0 && errno == EAGAIN)
			pty_pump(p);
		else if (n < 0 && errno != EINTR)
			return;
		bytes += n > 0 ? n : 0;
		len -= n > 0 ? (size_t)n : 0;
	}
}

static void answer_graphics(struct pty *p)
{
	char answers[120];

	if (!p->draws_images)
		return;
	snprintf(answers, sizeof answers, "\x1B_Gi=31;OK\x1B\\\x1BP>|%s\x1B\\", p->draws_images);
	write_all(p, answers, strlen(answers));
}

/* libvterm does not know the question; it precedes one that it answers. */
static void answer_cell(struct pty *p)
{
	struct str asked = buf_str(&p->output);

	if (p->tells_cell && str_find(asked, STR("\x1B[16t")) < asked.len)
		write_all(p, "\x1B[6;20;10t", strlen("\x1B[6;20;10t"));
}

/* libvterm reports synchronized output as unknown; the tests recognize the end of a frame by it. */
static void on_reply(const char *bytes, size_t len, void *user)
{
	struct pty *p = user;
	bool asks_sync = str_is(str_of(bytes, len), "\x1B[?2026;0$y");
	struct str reply = asks_sync ? STR("\x1B[?2026;2$y") : str_of(bytes, len);

	if (str_ends(reply, "c"))
		answer_graphics(user);
	if (str_ends(reply, "c") && p->draws_sixels) {
		answer_cell(p);
		reply = STR("\x1B[?62;4;22c");
	}
	write_all(user, reply.ptr, reply.len);
}

static void open_terminal(struct pty *p)
{
	static const VTermScreenCallbacks callbacks = { .settermprop = on_property };

	p->vterm = vterm_new((int)p->rows, (int)p->columns);
	vterm_set_utf8(p->vterm, 1);
	vterm_output_set_callback(p->vterm, on_reply, p);
	p->screen = vterm_obtain_screen(p->vterm);
	vterm_screen_enable_altscreen(p->screen, 1);
	vterm_screen_set_callbacks(p->screen, &callbacks, p);
	vterm_screen_reset(p->screen, 1);
	p->cursor_shown = true;
}

/* --- the program --- */

static void run_program(const char *program, const char *const *arguments, const char *home, const char *const *more, int slave)
{
	signal(SIGPIPE, SIG_DFL);
	environment_of_child(home, more);
	if (login_tty(slave) == 0)
		execv(program, (char *const *)arguments);
	fprintf(stderr, "cannot run %s: %s\n", program, strerror(errno));
	_exit(126);
}

static pid_t start_program(const struct pty_options *o, const char *home, const struct turned *turned, int slave)
{
	const char *program = getenv("WEIR") ? getenv("WEIR") : "build/weir";
	const char *arguments[LISTED_MOST] = { program }, *more[LISTED_MOST] = { NULL };
	size_t first = 1;
	pid_t pid = 0;

	if (o->script) {
		static const char *const shell[] = { "sh", "-c" };

		memcpy(arguments, shell, sizeof shell);
		arguments[2] = o->script;
		arguments[3] = program;
		first = 4;
	}
	environment_append(arguments, first, LISTED_MOST, o->arguments);
	environment_append(more, environment_append(more, 0, LISTED_MOST, o->environment), LISTED_MOST, turned ? turned_variables(turned) : NULL);
	if (!o->script)
		pid = ready_start(program, arguments, home, more, &slave, 1);
	if (!pid && (pid = fork()) == 0)
		run_program(o->script ? "/bin/sh" : program, arguments, home, more, slave);
	return pid;
}

struct pty *pty_start(const struct pty_options *o)
{
	struct pty *p = mem_new(sizeof *p);

	p->draws_images = o->draws_images;
	p->draws_sixels = o->draws_sixels;
	p->tells_cell = o->tells_cell;
	p->turned = o->turns ? turned_new() : NULL;
	p->rows = o->rows ? o->rows : 24;
	p->columns = o->columns ? o->columns : 80;
	p->owns_home = !o->home;
	p->home = o->home ? mem_dup_z(o->home) : home_new();
	buf_init(&p->output, OUTPUT_LIMIT);
	buf_init(&p->row, OUTPUT_LIMIT);
	buf_init(&p->dump, OUTPUT_LIMIT);
	open_terminal(p);
	struct winsize size = { .ws_row = (unsigned short)p->rows, .ws_col = (unsigned short)p->columns };
	if (o->draws_sixels && !o->tells_cell) {
		size.ws_xpixel = (unsigned short)(p->columns * 10);
		size.ws_ypixel = (unsigned short)(p->rows * 20);
	}
	p->failed = openpty(&p->master, &p->slave, NULL, NULL, &size) != 0;
	CU_ASSERT_FALSE(p->failed);
	if (p->failed)
		return p;
	fcntl(p->master, F_SETFD, FD_CLOEXEC);
	fcntl(p->master, F_SETFL, O_NONBLOCK);
	tcgetattr(p->slave, &p->found);
	p->pid = start_program(o, p->home, p->turned, p->slave);
	fcntl(p->slave, F_SETFD, FD_CLOEXEC);
	return p;
}

void pty_look_at_program(struct pty *p)
{
	int status;

	if (p->ended || p->pid <= 0 || waitpid(p->pid, &status, WNOHANG) != p->pid)
		return;
	p->ended = true;
	p->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void pty_free(struct pty *p)
{
	if (!p)
		return;
	pty_look_at_program(p);
	if (!p->ended && p->pid > 0) {
		pid_t front = tcgetpgrp(p->master); /* a shell starts the program in a group of its own, where it would live on in a home that is gone */

		if (front > 0 && front != p->pid)
			kill(-front, SIGKILL);
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (p->master >= 0)
		close(p->master);
	if (p->slave >= 0)
		close(p->slave);
	vterm_free(p->vterm);
	turned_free(p->turned);
	if (p->owns_home)
		home_free(p->home);
	else
		mem_free(p->home);
	buf_fini(&p->output);
	buf_fini(&p->text);
	buf_fini(&p->row);
	buf_fini(&p->dump);
	mem_free(p);
}

void pty_watch(struct pty *p, pty_look *look, void *ctx)
{
	p->look = look;
	p->look_ctx = ctx;
}

/* Returns how many of the bytes form whole characters, an ESC not being one. Where a write ends within a character, libvterm may show others. */
static size_t whole_characters(struct str bytes)
{
	size_t behind = 0;

	if (str_ends(bytes, "\x1B"))
		return bytes.len - 1;
	while (behind < bytes.len && behind < 3 && ((unsigned char)bytes.ptr[bytes.len - 1 - behind] & 0xC0) == 0x80)
		behind++;
	if (behind == bytes.len)
		return bytes.len;
	unsigned char lead = (unsigned char)bytes.ptr[bytes.len - 1 - behind];
	size_t wanted = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
	return wanted > behind ? bytes.len - 1 - behind : bytes.len;
}

/* A command may come in several pieces. */
static void show(struct pty *p, struct str bytes)
{
	buf_clear(&p->text);
	while (p->draws_images && bytes.len) {
		size_t len = str_find(bytes, p->in_graphics ? STR("\x1B\\") : STR("\x1B_"));

		if (!p->in_graphics)
			buf_add(&p->text, str_head(bytes, len));
		if (len < bytes.len)
			p->in_graphics = !p->in_graphics;
		bytes = str_skip(bytes, len < bytes.len ? len + 2 : len);
	}
	buf_add(&p->text, bytes);
	vterm_input_write(p->vterm, p->text.ptr, p->text.len);
}

/* Passes new output on to the terminal, frame by frame. Output outside of synchronized updates is one frame as read. */
static void show_frames(struct pty *p)
{
	size_t whole = whole_characters(buf_str(&p->output)), at = p->shown;

	p->shown = whole;
	while (at < whole) {
		struct str rest = str_skip(str_head(buf_str(&p->output), whole), p->frame);
		size_t end = str_find(rest, STR(PTY_FRAME_END)), len = end < rest.len ? end + sizeof PTY_FRAME_END - 1 : rest.len;
		bool is_whole = end < rest.len || str_find(rest, STR(PTY_FRAME_BEGIN)) == rest.len;

		show(p, str_of(p->output.ptr + at, p->frame + len - at));
		at = p->frame + len;
		if (end < rest.len)
			p->frame = at;
		if (is_whole && p->look)
			p->look(p, p->look_ctx);
	}
}

void pty_pump(struct pty *p)
{
	char bytes[65536];
	ssize_t n;

	while (p->master >= 0 && !p->failed && (n = read(p->master, bytes, sizeof bytes)) > 0) {
		buf_add(&p->output, str_of(bytes, (size_t)n));
		show_frames(p);
	}
}

void pty_send(struct pty *p, const char *bytes)
{
	write_all(p, bytes, strlen(bytes));
}

/* The kernel passes on terminal output with a delay; poll() makes it do so at once. */
static bool has_read_all(struct pty *p, const void *ctx)
{
	struct pollfd slave = { .fd = p->slave, .events = POLLIN };

	(void)ctx;
	(void)poll(&slave, 1, 0);
	return !pty_unread(p);
}

void pty_press(struct pty *p, const char *bytes)
{
	pty_send(p, bytes);
	pty_wait(p, has_read_all, NULL, "the program reads its keys", __FILE__, __LINE__);
}

void pty_type(struct pty *p, const char *text)
{
	for (struct str rest = str_from(text), next; rest.len; rest = next) {
		char key[16] = "";

		next = rest;
		utf8_next(&next);
		memcpy(key, rest.ptr, rest.len - next.len);
		pty_press(p, key);
	}
}

void pty_enter(struct pty *p, const char *line)
{
	pty_press(p, line);
	pty_press(p, "\r"); /* read before anything else is sent: a line that arrives in one read with others counts as pasted */
}

void pty_paste(struct pty *p, const char *text)
{
	struct buf all;

	buf_init(&all, OUTPUT_LIMIT);
	buf_printf(&all, "\x1B[200~%s\x1B[201~", text);
	pty_press(p, buf_z(&all));
	buf_fini(&all);
}

void pty_claim_size(struct pty *p, unsigned rows, unsigned columns)
{
	struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };

	ioctl(p->master, TIOCSWINSZ, &size);
}

void pty_resize(struct pty *p, unsigned rows, unsigned columns)
{
	pty_pump(p);
	p->rows = rows;
	p->columns = columns;
	vterm_set_size(p->vterm, (int)rows, (int)columns);
	pty_claim_size(p, rows, columns);
}

void pty_signal(struct pty *p, int number)
{
	if (!p->ended && p->pid > 0)
		kill(p->pid, number);
}

void pty_hold(struct pty *p, bool held)
{
	tcflow(p->slave, held ? TCOOFF : TCOON);
	p->held = held;
}

void pty_turn(struct pty *p, int64_t ms)
{
	turned_by(p->turned, ms);
}

void pty_hang_up(struct pty *p)
{
	close(p->slave);
	close(p->master);
	p->slave = p->master = -1;
}

/* --- what it is --- */

const char *pty_home(const struct pty *p) { return p->home; }
int pty_pid(const struct pty *p) { return p->pid; }
bool pty_has_failed(const struct pty *p) { return p->failed; }
struct str pty_output(const struct pty *p) { return buf_str(&p->output); }
