/* What the terminal of the program shows, and the modes that it is in. */
#include "support/pty_inside.h"

#include <string.h>
#include <sys/ioctl.h>

#include "base/utf8.h"
#include "support/check.h"

unsigned pty_rows(const struct pty *p) { return p->rows; }
unsigned pty_columns(const struct pty *p) { return p->columns; }
bool pty_cursor_is_shown(const struct pty *p) { return p->cursor_shown; }
bool pty_is_alternate(const struct pty *p) { return p->alternate; }

static VTermPos cursor(const struct pty *p)
{
	VTermPos at;

	vterm_state_get_cursorpos(vterm_obtain_state(p->vterm), &at);
	return at;
}

unsigned pty_cursor_row(const struct pty *p) { return (unsigned)cursor(p).row; }
unsigned pty_cursor_column(const struct pty *p) { return (unsigned)cursor(p).col; }

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
		len += utf8_put(cell.text + len, from.chars[i]);
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

unsigned pty_times_written(const struct pty *p, const char *bytes)
{
	struct str rest = buf_str(&p->output), needle = str_from(bytes);
	unsigned times = 0;

	for (size_t at; (at = str_find(rest, needle)) < rest.len; rest = str_skip(rest, at + needle.len))
		times++;
	return times;
}

bool pty_has_written(struct pty *p, const void *bytes)
{
	return pty_times_written(p, bytes) > 0;
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
