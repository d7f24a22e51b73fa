/* Converts the roles and rows of a canvas for ncurses. */
#include <string.h>

#include "base/array.h"
#include "base/least.h"
#include "ui/picture.h"
#include "ui/term/screen_inside.h"

#define MOVED_ROWS_LEAST 4
#define NO_CELL_SUBSTITUTE 0x3013 /* the geta mark, the conventional substitute for an unavailable character */

/* --- looks --- */

static attr_t screen_attributes(const struct screen *screen, uint8_t attributes)
{
	static const struct { uint8_t bit; attr_t attribute; } table[] = {
		{ STYLE_BOLD, A_BOLD }, { STYLE_DIM, A_DIM }, { STYLE_ITALIC, A_ITALIC }, { STYLE_UNDERLINE, A_UNDERLINE },
		{ STYLE_REVERSE, A_REVERSE },
	};
	attr_t result = attributes & STYLE_STRIKE && !screen->strikes ? A_DIM : A_NORMAL;

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if (attributes & table[i].bit)
			result |= table[i].attribute;
	return result;
}

static bool screen_same_theme(const struct theme *a, const struct theme *b)
{
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		const struct style *x = &a->styles[role], *y = &b->styles[role];

		if (x->fg != y->fg || x->bg != y->bg || x->attributes != y->attributes)
			return false;
	}
	return true;
}

void screen_take_theme(struct screen *screen, const struct theme *theme)
{
	if (screen->theme.name[0] && screen_same_theme(&screen->theme, theme))
		return;
	screen->theme = *theme;
	screen->theme.name[0] = '*';
	screen->whole = true;
	palette_make(&screen->palette, theme, screen->colours);
	if (screen->colours)
		reset_color_pairs();
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		const struct style *style = &screen->palette.styles[role];
		bool plain = style->fg == COLOUR_DEFAULT && style->bg == COLOUR_DEFAULT;
		int pair = screen->colours && !plain ? alloc_pair(style->fg, style->bg) : 0;

		pair = pair > 0 ? pair : 0;
		setcchar(&screen->looks[role], L" ", screen_attributes(screen, style->attributes), (short)pair, &pair);
	}
}

/* --- cells --- */

/* True if ncurses would compute another width for a cluster than the cell has. */
static bool screen_needs_stand_in(const struct cell *cell)
{
	struct str rest = str_of(cell->text, cell->len);
	int width;

	if (cell->width != 2 || cell->len < 4)
		return false;
	width = wcwidth((wchar_t)utf8_next(&rest));
	while (rest.len && width == 2)
		width += wcwidth((wchar_t)utf8_next(&rest));
	return width != 2;
}

/* Returns the base character, which determines the width in ncurses, and removes what it represents from `*cluster`. */
static wchar_t screen_take_base(struct screen *screen, const struct cell *cell, struct str *cluster)
{
	uint32_t code;

	if (!screen_needs_stand_in(cell))
		return (wchar_t)utf8_next(cluster);
	code = cell_substitute_for(&screen->substitutes, *cluster);
	cluster->len = 0;
	return code ? (wchar_t)code : NO_CELL_SUBSTITUTE;
}

/* Sets the characters directly, because setcchar() stops at a second character with a width. */
static void screen_make_cell(struct screen *screen, const struct cell *cell, cchar_t *to)
{
	bool strike = (cell->attributes | screen->palette.styles[cell->role].attributes) & STYLE_STRIKE && screen->strikes;
	bool link = cell->link && screen->takes_links;
	struct str rest = str_of(cell->text, cell->len);
	size_t count = 1;

	if (cell->colours[0] && screen->colours >= 256) {
		/* The base is the same for a half block and a part of an image, which frame_tidy() replaces. */
		*to = screen->looks[cell->role];
		to->chars[0] = L'\u2580';
		for (unsigned i = 0; i < CELL_COLOURS && cell->colours[i]; i++)
			to->chars[1 + i] = (wchar_t)(PICTURE_MARKS / 0x10000 * 0x10000 + cell->colours[i]);
		return;
	}
	*to = screen->looks[cell->role];
	to->attr |= screen_attributes(screen, cell->attributes);
	to->chars[0] = cell->len == 1 ? cell->text[0] : screen_take_base(screen, cell, &rest);
	if (link)
		to->chars[count++] = (wchar_t)MARK_LINK(cell->link);
	if (strike)
		to->chars[count++] = (wchar_t)MARK_STRIKE;
	while (cell->len > 1 && count < CCHARW_MAX && rest.len)
		to->chars[count++] = (wchar_t)utf8_next(&rest);
}

/* --- rows --- */

/*
 * Passes the part of a row that differs to ncurses, and leaves its cursor where the text most often goes on, so that it need not move it. If
 * automatic margins cannot be turned off (tmux, screen), ncurses fills the lower right corner by inserting before it, which would split a wide
 * cluster there: that cluster is replaced by blanks. The part never begins with the right half of a cluster, because both halves of a cluster change
 * together.
 */
static void screen_push_row(struct screen *screen, const struct canvas *canvas, unsigned row)
{
	const struct cell *new = canvas_cell(canvas, row, 0);
	struct cell *old = &screen->shown->cells[(size_t)row * canvas->columns];
	unsigned first = 0, end = canvas->columns;
	int count = 0;

	while (!screen->whole && first + 1 < end && memcmp(&new[first], &old[first], sizeof *new) == 0)
		first++;
	while (!screen->whole && end - 1 > first && memcmp(&new[end - 1], &old[end - 1], sizeof *new) == 0)
		end--;
	for (unsigned c = first; c < end; c++) {
		bool torn = screen->corner_by_insertion && row + 1 == canvas->rows && c + 3 == canvas->columns && new[c].width == 2;

		for (unsigned i = 0; torn && i < 2; i++)
			screen->line[count++] = screen->looks[new[c].role];
		if (!torn && new[c].width)
			screen_make_cell(screen, &new[c], &screen->line[count++]);
	}
	mvwadd_wchnstr(stdscr, (int)row, (int)first, screen->line, count);
	/* After a word the cursor moves on by a column: most often a blank follows, which needs no output. */
	wmove(stdscr, (int)row, (int)least(end + (new[end - 1].len == 1 && new[end - 1].text[0] != ' '), canvas->columns - 1));
	memcpy(&old[first], &new[first], (end - first) * sizeof *new);
	screen->versions[row] = canvas_row_version(canvas, row);
}

/* The rows [first, end) of the canvas, which were `by` rows further down in the last frame. */
struct shift { unsigned first, end, by; };

static struct shift screen_shift_at(const struct screen *screen, const struct canvas *canvas, unsigned row)
{
	struct shift s = { row, row, 1 };

	if (!screen->differs[row])
		return s;
	while (row + s.by < canvas->rows && !canvas_rows_equal(canvas, row, screen->shown, row + s.by))
		s.by++;
	while (s.end + s.by < canvas->rows && canvas_rows_equal(canvas, s.end, screen->shown, s.end + s.by))
		s.end++;
	return s;
}

/* Scrolls the largest block of moved rows, which is much cheaper than redrawing it. Returns the number of vacated rows. */
static unsigned screen_move_rows(struct screen *screen, const struct canvas *canvas)
{
	struct shift most = { 0 };

	for (unsigned r = 0; r < canvas->rows;) {
		struct shift s = screen_shift_at(screen, canvas, r);

		if (s.end - s.first > most.end - most.first)
			most = s;
		r = s.end > r ? s.end : r + 1;
	}
	if (most.end - most.first < MOVED_ROWS_LEAST)
		return 0;
	scrollok(stdscr, TRUE);
	setscrreg((int)most.first, (int)(most.end + most.by) - 1);
	scrl((int)most.by);
	setscrreg(0, (int)canvas->rows - 1);
	scrollok(stdscr, FALSE);
	size_t row = screen->shown->columns * sizeof *screen->shown->cells;
	char *bytes = (char *)screen->shown->cells;

	/* Applies the scroll to `shown`. The vacated rows are zeroed: they equal no row of a canvas, so they are pushed completely. */
	memmove(bytes + most.first * row, bytes + (most.first + most.by) * row, (most.end - most.first) * row);
	memset(bytes + most.end * row, 0, most.by * row);
	memset(screen->versions + most.first, 0, (most.end + most.by - most.first) * sizeof *screen->versions);
	return most.by;
}

/* Sets screen->differs. Returns the number of rows that differ. */
static unsigned screen_find_changes(struct screen *screen, const struct canvas *canvas)
{
	unsigned changed = 0;

	for (unsigned r = 0; r < canvas->rows; r++) {
		uint64_t version = canvas_row_version(canvas, r);

		screen->differs[r] = screen->whole || (version != screen->versions[r] && !canvas_row_equal(canvas, screen->shown, r));
		screen->versions[r] = screen->differs[r] ? 0 : version;
		changed += screen->differs[r];
	}
	return changed;
}

unsigned screen_push_rows(struct screen *screen, const struct canvas *canvas, bool moves)
{
	unsigned changed = screen_find_changes(screen, canvas), moved = 0;

	if (moves && changed >= MOVED_ROWS_LEAST && !screen->whole)
		moved = screen_move_rows(screen, canvas);
	if (moved)
		changed = moved + screen_find_changes(screen, canvas);
	for (unsigned r = 0; r < canvas->rows; r++)
		if (screen->differs[r])
			screen_push_row(screen, canvas, r);
	if (canvas->cursor_shown && screen->differs[canvas->cursor_row]) /* somebody types */
		wmove(stdscr, (int)canvas->cursor_row, (int)canvas->cursor_column);
	return changed;
}
