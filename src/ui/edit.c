#include "ui/edit.h"

#include <limits.h>
#include <string.h>
#include <wctype.h>

#include "base/mem.h"
#include "render/flow.h"

#define NO_COLUMN UINT_MAX
#define UNDRAWN_COLUMNS 4096

struct edit_layout {
	struct flow flow;
	unsigned columns;
	size_t top;      /* the first row drawn */
};

void edit_init(struct edit *e, bool one_line)
{
	*e = (struct edit){ .one_line = one_line, .sticky_column = NO_COLUMN, .layout = mem_new(sizeof *e->layout) };
	buf_init(&e->text, EDIT_LIMIT);
	buf_init(&e->killed, EDIT_LIMIT);
	e->layout->columns = UNDRAWN_COLUMNS;
}

void edit_fini(struct edit *e)
{
	buf_fini(&e->text);
	buf_fini(&e->killed);
	flow_fini(&e->layout->flow);
	mem_free(e->layout);
	e->layout = NULL;
}

bool edit_is_empty(const struct edit *e)
{
	return e->text.len == 0;
}

/* --- changing --- */

/* The text between two offsets. */
static struct str between(const struct edit *e, size_t from, size_t to)
{
	return str_head(str_skip(buf_str(&e->text), from), to - from);
}

static void insert_bytes(struct edit *e, struct str text)
{
	if (text.len > EDIT_LIMIT - e->text.len)
		return;
	buf_insert(&e->text, e->cursor, text);
	flow_cut(&e->layout->flow, e->cursor);
	e->cursor += text.len;
}

void edit_insert(struct edit *e, struct str text)
{
	struct str line;

	if (!e->one_line) {
		insert_bytes(e, text);
		return;
	}
	for (bool first = true; str_split(&text, '\n', &line); first = false) {
		if (!first)
			insert_bytes(e, STR(" "));
		insert_bytes(e, line);
	}
}

static void remove_range(struct edit *e, size_t from, size_t to)
{
	buf_remove(&e->text, from, to - from);
	flow_cut(&e->layout->flow, from);
	e->cursor = from;
}

static void kill_range(struct edit *e, size_t from, size_t to)
{
	if (from == to)
		return;
	buf_clear(&e->killed);
	buf_add(&e->killed, between(e, from, to));
	remove_range(e, from, to);
}

void edit_clear(struct edit *e)
{
	remove_range(e, 0, e->text.len);
	e->sticky_column = NO_COLUMN;
}

void edit_set(struct edit *e, struct str text)
{
	edit_clear(e);
	edit_insert(e, text);
}

/* --- places in the text --- */

static size_t before(const struct edit *e, size_t at)
{
	return at ? utf8_cluster_before(buf_str(&e->text), at) : 0;
}

static size_t after(const struct edit *e, size_t at)
{
	return at + utf8_cluster(str_skip(buf_str(&e->text), at));
}

static size_t line_start(const struct edit *e, size_t at)
{
	while (at > 0 && e->text.ptr[at - 1] != '\n')
		at--;
	return at;
}

static size_t line_end(const struct edit *e, size_t at)
{
	const char *end = at < e->text.len ? memchr(e->text.ptr + at, '\n', e->text.len - at) : NULL;

	return end ? (size_t)(end - e->text.ptr) : e->text.len;
}

/* Whether what begins at `at` belongs to a word; with `blanks` everything does that is not blank. */
static bool in_word(const struct edit *e, size_t at, bool blanks)
{
	struct str rest = str_skip(buf_str(&e->text), at);
	uint32_t code = utf8_next(&rest);

	return blanks ? code != ' ' && code != '\n' && code != '\t' : iswalnum((wint_t)code);
}

static size_t word_before(const struct edit *e, bool blanks)
{
	size_t at = e->cursor;

	while (at > 0 && !in_word(e, before(e, at), blanks))
		at = before(e, at);
	while (at > 0 && in_word(e, before(e, at), blanks))
		at = before(e, at);
	return at;
}

static size_t word_after(const struct edit *e)
{
	size_t at = e->cursor;

	while (at < e->text.len && !in_word(e, at, false))
		at = after(e, at);
	while (at < e->text.len && in_word(e, at, false))
		at = after(e, at);
	return at;
}

/* --- rows --- */

/* The last column is the cursor's, behind a full row. */
static void lay_out(const struct edit *e, unsigned columns)
{
	flow_update(&e->layout->flow, buf_str(&e->text), columns > 1 ? columns - 1 : 1);
}

/* An empty text and one that ends in LF have a row more than the flow: the one for what comes next. */
static size_t row_count(const struct edit *e)
{
	return e->layout->flow.count + (e->text.len == 0 || e->text.ptr[e->text.len - 1] == '\n');
}

static size_t row_of_cursor(const struct edit *e)
{
	return e->cursor == e->text.len ? row_count(e) - 1 : flow_row_of(&e->layout->flow, e->cursor);
}

static size_t row_start(const struct edit *e, size_t row)
{
	return row < e->layout->flow.count ? e->layout->flow.starts[row] : e->text.len;
}

static struct str row_text(const struct edit *e, size_t row)
{
	return row < e->layout->flow.count ? flow_row(&e->layout->flow, buf_str(&e->text), row) : STR_NONE;
}

static unsigned cursor_column(const struct edit *e, size_t row)
{
	return flow_columns(between(e, row_start(e, row), e->cursor), UINT_MAX);
}

/* The offset in a row that is nearest to a column, not behind it. */
static size_t offset_at(const struct edit *e, size_t row, unsigned column)
{
	struct str rest = row_text(e, row);
	size_t start = row_start(e, row), end = start + rest.len;
	struct flow_cell next;
	unsigned used = 0;
	size_t at = start;

	while (flow_next(&rest, used, &next) && used + next.columns <= column) {
		used += next.columns;
		at = end - rest.len;
	}
	return at > start && at == row_start(e, row + 1) && at < e->text.len ? before(e, at) : at;
}

static bool move_rows(struct edit *e, int by)
{
	size_t row;

	if (e->one_line)
		return false;
	lay_out(e, e->layout->columns);
	row = row_of_cursor(e);
	if (by < 0 ? row == 0 : row + 1 >= row_count(e))
		return false;
	if (e->sticky_column == NO_COLUMN)
		e->sticky_column = cursor_column(e, row);
	e->cursor = offset_at(e, by < 0 ? row - 1 : row + 1, e->sticky_column);
	return true;
}

/* --- keys --- */

static bool control_key(struct edit *e, char letter)
{
	size_t end = line_end(e, e->cursor);

	switch (letter) {
	case 'a':
		e->cursor = line_start(e, e->cursor);
		return true;
	case 'b':
		e->cursor = before(e, e->cursor);
		return true;
	case 'd':
		if (edit_is_empty(e))
			return false;
		remove_range(e, e->cursor, after(e, e->cursor));
		return true;
	case 'e':
		e->cursor = end;
		return true;
	case 'h':
		remove_range(e, before(e, e->cursor), e->cursor);
		return true;
	case 'j':
		if (e->one_line)
			return false;
		insert_bytes(e, STR("\n"));
		return true;
	case 'k':
		kill_range(e, e->cursor, end > e->cursor ? end : after(e, e->cursor));
		return true;
	case 'u':
		kill_range(e, line_start(e, e->cursor), e->cursor);
		return true;
	case 'w':
		kill_range(e, word_before(e, true), e->cursor);
		return true;
	default:
		return false;
	}
}

static bool alt_key(struct edit *e, struct str text)
{
	if (str_is(text, "b"))
		e->cursor = word_before(e, false);
	else if (str_is(text, "f"))
		e->cursor = word_after(e);
	else if (str_is(text, "d"))
		kill_range(e, e->cursor, word_after(e));
	else
		return false;
	return true;
}

static bool special_key(struct edit *e, const struct key *key)
{
	bool by_word = key->modifiers & (KEY_CTRL_HELD | KEY_ALT_HELD);

	if (key->code == KEY_LEFT)
		e->cursor = by_word ? word_before(e, false) : before(e, e->cursor);
	else if (key->code == KEY_RIGHT)
		e->cursor = by_word ? word_after(e) : after(e, e->cursor);
	else if (key->code == KEY_HOME)
		e->cursor = by_word ? 0 : line_start(e, e->cursor);
	else if (key->code == KEY_END)
		e->cursor = by_word ? e->text.len : line_end(e, e->cursor);
	else if (key->code == KEY_BACKSPACE && by_word)
		kill_range(e, word_before(e, false), e->cursor);
	else if (key->code == KEY_BACKSPACE)
		remove_range(e, before(e, e->cursor), e->cursor);
	else if (key->code == KEY_DELETE && by_word)
		kill_range(e, e->cursor, word_after(e));
	else if (key->code == KEY_DELETE)
		remove_range(e, e->cursor, after(e, e->cursor));
	else if (key->code == KEY_ENTER && key->modifiers && !e->one_line)
		insert_bytes(e, STR("\n"));
	else
		return false;
	return true;
}

bool edit_key(struct edit *e, const struct key *key)
{
	if ((key->code == KEY_UP || key->code == KEY_DOWN) && !key->modifiers)
		return move_rows(e, key->code == KEY_UP ? -1 : 1);
	e->sticky_column = NO_COLUMN;
	if (key->code == KEY_TEXT || key->code == KEY_PASTE) {
		edit_insert(e, key->text);
		return true;
	}
	if (key->code == KEY_CONTROL)
		return control_key(e, key->letter);
	if (key->code == KEY_ALT)
		return alt_key(e, key->text);
	return special_key(e, key);
}

/* --- drawing --- */

unsigned edit_rows(const struct edit *e, unsigned columns)
{
	size_t rows;

	if (e->one_line)
		return 1;
	lay_out(e, columns);
	rows = row_count(e);
	return rows < UINT_MAX ? (unsigned)rows : UINT_MAX;
}

/* One line is scrolled sideways: from the first cluster on that leaves the cursor in sight. */
static void draw_line(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct str text = buf_str(&e->text);
	size_t start = e->cursor;
	unsigned used = 0;

	while (start > 0) {
		size_t at = before(e, start);

		used += flow_columns(between(e, at, start), UINT_MAX);
		if (used >= area.columns)
			break;
		start = at;
	}
	canvas_put(canvas, area.row, area.column, area.columns, role, str_skip(text, start));
	if (focused)
		canvas_cursor(canvas, area.row, area.column + flow_columns(between(e, start, e->cursor), area.columns - 1));
}

/* Scrolls as little as keeps the cursor in the area. */
static void scroll_to(struct edit_layout *layout, size_t row, size_t count, unsigned rows)
{
	if (layout->top + rows > count)
		layout->top = count > rows ? count - rows : 0;
	if (row < layout->top)
		layout->top = row;
	if (row >= layout->top + rows)
		layout->top = row - rows + 1;
}

void edit_draw(const struct edit *e, struct canvas *canvas, struct area area, enum role_name role, bool focused)
{
	struct edit_layout *layout = e->layout;
	size_t cursor_row;

	if (!area.rows || !area.columns)
		return;
	canvas_fill(canvas, area, role);
	if (e->one_line) {
		draw_line(e, canvas, area, role, focused);
		return;
	}
	layout->columns = area.columns;
	lay_out(e, area.columns);
	cursor_row = row_of_cursor(e);
	scroll_to(layout, cursor_row, row_count(e), area.rows);
	for (unsigned r = 0; r < area.rows; r++)
		canvas_put(canvas, area.row + r, area.column, area.columns, role, row_text(e, layout->top + r));
	if (focused) {
		unsigned column = cursor_column(e, cursor_row);

		canvas_cursor(canvas, area.row + (unsigned)(cursor_row - layout->top),
			area.column + (column < area.columns ? column : area.columns - 1));
	}
}
