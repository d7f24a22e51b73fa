#include "support/pty.h"

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
#include <vterm.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "support/check.h"
#include "support/environment.h"
#include "support/home.h"

#define LAST_BYTES_MS 30000 /* limit for the last output of a program that has ended */
#define OUTPUT_LIMIT ((size_t)256 << 20)

struct pty {
	int master, slave; /* `slave` stays open, so that modes and the last output can be read after the program's end */
	pid_t pid;
	bool ended, failed, held;
	bool marked, all_came; /* a mark was written after its last bytes; all of them have been read */
	int status;
	struct termios found;
	char *home;
	bool owns_home;
	unsigned rows, columns;
	VTerm *vterm;
	VTermScreen *screen;
	bool alternate, cursor_shown;
	pty_look *look;
	void *look_ctx;
	size_t shown; /* bytes of the output that the terminal got */
	size_t frame; /* where the current frame begins in `output` */
	struct buf output, row, dump;
	const char *draws_images;
	bool draws_sixels, tells_cell;
	bool in_graphics; /* what comes belongs to a graphics command, which libvterm would print */
	struct buf text;  /* what comes, without such commands */
};

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

static void run_program(const struct pty_options *o, const char *home, int slave)
{
	const char *program = getenv("WEIR") ? getenv("WEIR") : "build/weir";
	const char *arguments[64] = { "weir" };
	size_t first = 1;

	if (o->script) {
		static const char *const shell[] = { "sh", "-c" };

		memcpy(arguments, shell, sizeof shell);
		arguments[2] = o->script;
		arguments[3] = program;
		first = 4;
	}
	for (size_t i = 0; o->arguments && o->arguments[i] && first + i < 63; i++)
		arguments[first + i] = o->arguments[i];
	signal(SIGPIPE, SIG_DFL);
	environment_of_child(home, o->environment);
	if (login_tty(slave) == 0)
		execv(o->script ? "/bin/sh" : program, (char *const *)arguments);
	fprintf(stderr, "cannot run %s: %s\n", program, strerror(errno));
	_exit(126);
}

struct pty *pty_start(const struct pty_options *o)
{
	struct pty *p = mem_new(sizeof *p);

	p->draws_images = o->draws_images;
	p->draws_sixels = o->draws_sixels;
	p->tells_cell = o->tells_cell;
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
	p->pid = fork();
	if (p->pid == 0)
		run_program(o, p->home, p->slave);
	fcntl(p->slave, F_SETFD, FD_CLOEXEC);
	return p;
}

static void look_at_program(struct pty *p)
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
	look_at_program(p);
	if (!p->ended && p->pid > 0) {
		kill(p->pid, SIGKILL);
		while (waitpid(p->pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (p->master >= 0)
		close(p->master);
	if (p->slave >= 0)
		close(p->slave);
	vterm_free(p->vterm);
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

#define FRAME_BEGIN "\x1B[?2026h"
#define FRAME_END "\x1B[?2026l"

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
		size_t end = str_find(rest, STR(FRAME_END)), len = end < rest.len ? end + sizeof FRAME_END - 1 : rest.len;
		bool is_whole = end < rest.len || str_find(rest, STR(FRAME_BEGIN)) == rest.len;

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

void pty_hang_up(struct pty *p)
{
	close(p->slave);
	close(p->master);
	p->slave = p->master = -1;
}

/* --- waiting --- */

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
		look_at_program(p);
		if (p->ended && !was_ended)
			end_ms = check_now_ms() + LAST_BYTES_MS;
		was_ended = p->ended;
		if (check_now_ms() >= end_ms)
			break;
		struct pollfd fd = { .fd = p->master, .events = POLLIN };
		poll(&fd, p->master >= 0, 10);
	}
	if (!p->failed)
		fail_wait(p, what, file, line);
	p->failed = true;
	return false;
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
		char c = p->dump.ptr[i] == '\n' ? ' ' : p->dump.ptr[i];

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
	look_at_program(p);
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
	return str_find(later, STR(FRAME_END)) < later.len && str_find(under_way, STR(FRAME_BEGIN)) == under_way.len;
}

bool pty_settle(struct pty *p)
{
	pty_pump(p);
	size_t start = p->output.len;
	pty_send(p, "\f");
	return PTY_WAIT(p, has_redrawn, &start);
}

void pty_check_redraw(struct pty *p, const char *file, int line)
{
	if (!pty_settle(p)) /* everything in flight has arrived */
		return;
	char *before = mem_dup_z(pty_dump(p));
	if (pty_settle(p))
		check_that(!strcmp(before, pty_dump(p)), "redraw", file, line, "shows another screen\n%s\n%s", before, pty_dump(p));
	mem_free(before);
}

/* --- the screen --- */

unsigned pty_rows(const struct pty *p) { return p->rows; }
unsigned pty_columns(const struct pty *p) { return p->columns; }
bool pty_cursor_is_shown(const struct pty *p) { return p->cursor_shown; }
bool pty_is_alternate(const struct pty *p) { return p->alternate; }
const char *pty_home(const struct pty *p) { return p->home; }
int pty_pid(const struct pty *p) { return p->pid; }
bool pty_has_failed(const struct pty *p) { return p->failed; }
struct str pty_output(const struct pty *p) { return buf_str(&p->output); }

static VTermPos cursor(const struct pty *p)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(p->vterm), &at);
	return at;
}

unsigned pty_cursor_row(const struct pty *p) { return (unsigned)cursor(p).row; }
unsigned pty_cursor_column(const struct pty *p) { return (unsigned)cursor(p).col; }

static size_t encode(uint32_t c, char *out)
{
	if (c < 0x80) {
		out[0] = (char)c;
		return 1;
	}
	size_t len = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
	static const unsigned char heads[] = { 0, 0, 0xC0, 0xE0, 0xF0 };
	for (size_t i = len - 1; i > 0; i--, c >>= 6)
		out[i] = (char)(0x80 | (c & 0x3F));
	out[0] = (char)(heads[len] | c);
	return len;
}

static int colour_index(const VTermColor *colour)
{
	bool own = VTERM_COLOR_IS_DEFAULT_FG(colour) || VTERM_COLOR_IS_DEFAULT_BG(colour);

	return own ? -1 : VTERM_COLOR_IS_INDEXED(colour) ? colour->indexed.idx : -2;
}

struct pty_cell pty_cell(const struct pty *p, unsigned row, unsigned column)
{
	VTermScreenCell from;
	struct pty_cell cell = { .width = 1, .foreground = -1, .background = -1 };

	if (!vterm_screen_get_cell(p->screen, (VTermPos){ (int)row, (int)column }, &from))
		return cell;
	size_t len = 0;
	for (size_t i = 0; i < VTERM_MAX_CHARS_PER_CELL && from.chars[i] && from.chars[i] != (uint32_t)-1; i++)
		len += encode(from.chars[i], cell.text + len);
	cell.width = (unsigned)from.width;
	cell.foreground = colour_index(&from.fg);
	cell.background = colour_index(&from.bg);
	cell.bold = from.attrs.bold;
	cell.underline = from.attrs.underline;
	cell.reverse = from.attrs.reverse;
	cell.italic = from.attrs.italic;
	return cell;
}

static void add_row(const struct pty *p, unsigned row, struct buf *out)
{
	size_t start = out->len;

	for (unsigned column = 0; column < p->columns;) {
		struct pty_cell cell = pty_cell(p, row, column);

		buf_add_z(out, *cell.text ? cell.text : " ");
		column += cell.width ? cell.width : 1;
	}
	size_t end = out->len;
	while (end > start && out->ptr[end - 1] == ' ')
		end--;
	buf_remove(out, end, out->len - end);
}

const char *pty_row(struct pty *p, unsigned row)
{
	buf_clear(&p->row);
	add_row(p, row, &p->row);
	return buf_z(&p->row);
}

const char *pty_dump(struct pty *p)
{
	buf_clear(&p->dump);
	for (unsigned row = 0; row < p->rows; row++) {
		add_row(p, row, &p->dump);
		buf_add_byte(&p->dump, '\n');
	}
	return buf_z(&p->dump);
}

int pty_find_row(struct pty *p, const char *text)
{
	for (unsigned row = 0; row < p->rows; row++)
		if (strstr(pty_row(p, row), text))
			return (int)row;
	return -1;
}

bool pty_find(struct pty *p, const char *text, unsigned *row, unsigned *column)
{
	int at = pty_find_row(p, text);

	if (at < 0)
		return false;
	*row = (unsigned)at;
	size_t bytes = (size_t)(strstr(pty_row(p, *row), text) - buf_z(&p->row)), seen = 0;
	for (*column = 0; seen < bytes;) {
		struct pty_cell cell = pty_cell(p, *row, *column);

		seen += *cell.text ? strlen(cell.text) : 1;
		*column += cell.width ? cell.width : 1;
	}
	return true;
}

bool pty_is_coloured(const struct pty *p)
{
	for (unsigned row = 0; row < p->rows; row++) {
		for (unsigned column = 0; column < p->columns; column++) {
			struct pty_cell cell = pty_cell(p, row, column);

			if (cell.foreground != -1 || cell.background != -1)
				return true;
		}
	}
	return false;
}

/* --- output and modes --- */

bool pty_has_written(const struct pty *p, const char *bytes)
{
	struct str all = buf_str(&p->output);

	return str_find(all, str_from(bytes)) < all.len;
}

/* libvterm does not report these modes, so the last change in the output counts. */
static bool mode_is_on(const struct pty *p, const char *mode)
{
	struct str rest = buf_str(&p->output);
	bool on = false;

	for (size_t at; (at = str_find(rest, str_from(mode))) < rest.len; rest = str_skip(rest, at + strlen(mode)))
		on = str_starts(str_skip(rest, at + strlen(mode)), "h");
	return on;
}

bool pty_takes_paste(const struct pty *p)
{
	return mode_is_on(p, "\x1B[?2004");
}

bool pty_takes_mouse(const struct pty *p)
{
	return mode_is_on(p, "\x1B[?1000") && mode_is_on(p, "\x1B[?1006");
}

static bool same_modes(const struct termios *a, const struct termios *b)
{
	return a->c_iflag == b->c_iflag && a->c_oflag == b->c_oflag && a->c_cflag == b->c_cflag && a->c_lflag == b->c_lflag &&
	       !memcmp(a->c_cc, b->c_cc, sizeof a->c_cc);
}

static bool pen_is_plain(const struct pty *p)
{
	VTermValue bold, reverse, colour;
	VTermState *state = vterm_obtain_state(p->vterm);

	return vterm_state_get_penattr(state, VTERM_ATTR_BOLD, &bold) && !bold.boolean &&
	       vterm_state_get_penattr(state, VTERM_ATTR_REVERSE, &reverse) && !reverse.boolean &&
	       vterm_state_get_penattr(state, VTERM_ATTR_FOREGROUND, &colour) && colour_index(&colour.color) == -1;
}

size_t pty_unread(const struct pty *p)
{
	int unread = 0;

	return ioctl(p->slave, FIONREAD, &unread) == 0 && unread > 0 ? (size_t)unread : 0;
}

void pty_check_restored(struct pty *p, const char *file, int line)
{
	struct termios modes;

	pty_pump(p);
	bool read = tcgetattr(p->slave, &modes) == 0;
	check_that(read && same_modes(&modes, &p->found), "terminal modes", file, line, "are not as they were found");
	check_that(!p->alternate, "alternate screen", file, line, "was not left");
	check_that(!pty_takes_paste(p), "bracketed paste", file, line, "was not switched off");
	check_that(!mode_is_on(p, "\x1B[?1000") && !mode_is_on(p, "\x1B[?1006"), "the mouse", file, line, "was not given back");
	check_that(p->cursor_shown, "cursor", file, line, "is hidden");
	check_that(pen_is_plain(p), "pen", file, line, "is not plain");
}
