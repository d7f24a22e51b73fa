#include "ui/sheet.h"

#include "base/mem.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/edit/edit.h"
#include "ui/rows.h"
#include "ui/scroll.h"

#define NARROW_COLUMNS 56u  /* a narrower canvas is laid out compactly */
#define COLUMNS_MOST 100u   /* longer lines do not widen the card further */
#define LABEL_MOST 32u      /* maximum width of a label in columns */
#define LABEL_GAP 2u
#define LABEL_SHARED 16u    /* maximum width of labels whose values stand in one column in all groups of a sheet */
#define VALUE_LEAST 16u     /* with fewer columns beside the label, values are placed in the rows below */
#define STACKED_INDENT 2u
#define AIRY_ROWS 8u        /* rows of a docked sheet with a blank row above its input */
#define SIGN_COLUMNS 2u     /* of the sign before the input */
#define MORE STR("PgDn more")

struct sheet_item {
	struct buf label, text;
	struct flow flow;    /* layout of `text` */
	bool heading;
	unsigned least;      /* columns that a drawing needs; 0: the text wraps */
	bool hidden;         /* a drawing that did not fit into the last layout */
	unsigned label_columns; /* width of the labels between two headings in the last layout, with the gap; 0: no label */
	unsigned indent;     /* indentation of the text in the last layout */
	bool stacked;        /* the text is below the label in the last layout */
	bool has_members;    /* the text is of members of arguments, and `marks` theirs */
	struct member_marks marks;
};

/* Rows of a docked sheet below its title. */
struct sheet_dock { unsigned text, air, label, input; };

struct sheet {
	char *title;
	const char *keys, *keys_before; /* before it was read; NULL: no others */
	const char *label;
	struct sheet_item *items;
	size_t count, capacity;
	unsigned columns;    /* width of the widest line */
	unsigned labels, values; /* the same of the labels, with the gap, and of what stands behind them, since the last heading */
	size_t rows;         /* rows of all items in the last layout */
	unsigned shared;     /* width of the widest label of all groups that is no wider than LABEL_SHARED, with the gap */
	struct edit edit;
	size_t top;          /* first visible row */
	unsigned height;     /* visible rows of text in the last frame */
	struct sheet_dock dock;
	bool docked;         /* without an input */
	bool drawn, read;    /* sheet_was_drawn(), sheet_was_read() */
};

struct sheet *sheet_new(struct str title, const char *keys, const char *label)
{
	struct sheet *s = mem_new(sizeof *s);

	s->title = str_dup(title);
	s->keys = keys;
	s->label = label;
	s->height = 1;
	edit_init(&s->edit, false);
	return s;
}

void sheet_free(struct sheet *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->count; i++) {
		buf_fini(&s->items[i].label);
		buf_fini(&s->items[i].text);
		flow_fini(&s->items[i].flow);
		member_marks_fini(&s->items[i].marks);
	}
	mem_free(s->items);
	mem_free(s->title);
	edit_fini(&s->edit);
	mem_free(s);
}

void sheet_set_keys(struct sheet *s, const char *keys)
{
	s->keys = keys;
	s->drawn = false;
}

void sheet_set_keys_before(struct sheet *s, const char *keys)
{
	s->keys_before = keys;
	s->drawn = false;
}

void sheet_dock(struct sheet *s)
{
	s->docked = true;
}

bool sheet_was_drawn(const struct sheet *s)
{
	return s->drawn;
}

bool sheet_was_read(const struct sheet *s)
{
	return s->drawn && s->read;
}

void sheet_write(struct sheet *s, struct str text)
{
	edit_set(&s->edit, text);
}

const struct edit *sheet_line(const struct sheet *s)
{
	return &s->edit;
}

static bool sheet_keeps_keys_back(const struct sheet *s)
{
	return s->keys_before && !s->read;
}

struct str sheet_keys(const struct sheet *s, unsigned columns)
{
	struct str rest = str_from(sheet_keeps_keys_back(s) ? s->keys_before : s->keys), line = STR_NONE;
	unsigned margin = card_keys_margin(columns), room = columns > margin ? columns - margin : 0;

	while (str_split(&rest, '\n', &line) && flow_columns(line, room + 1) > room && rest.len)
		;
	return line;
}

struct str sheet_input(const struct sheet *s)
{
	return buf_str(&s->edit.text);
}

/* --- content --- */

static unsigned sheet_widest_line(struct str text)
{
	unsigned most = 0;
	struct str line;

	while (most < COLUMNS_MOST && str_split(&text, '\n', &line)) {
		unsigned columns = flow_columns(line, COLUMNS_MOST);

		most = columns > most ? columns : most;
	}
	return most;
}

static struct sheet_item *sheet_add(struct sheet *s, struct str label, struct str text)
{
	struct sheet_item *item;

	item = ARRAY_ADD(s->items, s->count, s->capacity);
	*item = (struct sheet_item){ 0 };
	buf_add(&item->label, label);
	buf_add(&item->text, text);
	flow_init(&item->flow);
	return item;
}

void sheet_add_heading(struct sheet *s, struct str heading)
{
	sheet_add(s, STR_NONE, heading)->heading = true;
	s->labels = s->values = 0;
}

static unsigned sheet_label_columns(struct str label)
{
	return label.len ? flow_columns(label, LABEL_MOST) + LABEL_GAP : 0;
}

void sheet_add_fact(struct sheet *s, struct str label, struct str value)
{
	unsigned labels = sheet_label_columns(label), values = sheet_widest_line(value);

	sheet_add(s, label, value);
	if (labels > s->shared && labels <= LABEL_SHARED + LABEL_GAP)
		s->shared = labels;
	s->labels = labels > s->labels ? labels : s->labels;
	s->values = values > s->values ? values : s->values;
	labels = s->labels > s->shared ? s->labels : s->shared;
	s->columns = labels + s->values > s->columns ? labels + s->values : s->columns;
}

void sheet_add_text(struct sheet *s, struct str text)
{
	unsigned columns = sheet_widest_line(text);

	sheet_add(s, STR_NONE, text);
	s->columns = columns > s->columns ? columns : s->columns;
}

void sheet_add_members(struct sheet *s, struct str arguments)
{
	struct sheet_item *item = sheet_add(s, STR_NONE, STR_NONE);
	struct members members = { .written = 0 };

	item->has_members = true;
	members_add(&members, arguments, &item->text, &item->marks);
	buf_add(&item->text, item->text.len ? STR_NONE : arguments); /* "{}" */
	unsigned columns = item->marks.columns + sheet_widest_line(buf_str(&item->text));
	s->columns = columns > s->columns ? columns : s->columns;
}

void sheet_add_drawing(struct sheet *s, struct str heading, struct str lines)
{
	sheet_add_heading(s, heading);
	sheet_add_text(s, lines);
	s->items[s->count - 2].least = s->items[s->count - 1].least = sheet_widest_line(lines);
}

/* --- rows --- */

static size_t sheet_air_above(const struct sheet *s, const struct sheet_item *item)
{
	return item->heading && item != s->items;
}

static size_t sheet_item_rows(const struct sheet *s, const struct sheet_item *item)
{
	if (item->hidden)
		return 0;
	return sheet_air_above(s, item) + item->stacked + (item->flow.count ? item->flow.count : 1);
}

static void sheet_lay_members(struct sheet_item *item, unsigned columns)
{
	item->marks.width = columns;
	item->marks.text = item->text.ptr;
	item->flow.inset = member_marks_inset;
	item->flow.ctx = &item->marks;
}

/* The columns of the labels from an item to the next heading: those of the whole sheet, unless these labels are wider. */
static unsigned sheet_labels_from(const struct sheet *s, size_t index)
{
	unsigned most = s->shared;

	do {
		unsigned columns = sheet_label_columns(buf_str(&s->items[index].label));

		most = columns > most ? columns : most;
	} while (++index < s->count && !s->items[index].heading);
	return most;
}

static void sheet_lay_out(struct sheet *s, unsigned columns)
{
	unsigned labels = 0;

	s->rows = 0;
	for (size_t i = 0; i < s->count; i++) {
		struct sheet_item *item = &s->items[i];

		if (!i || item->heading)
			labels = sheet_labels_from(s, i);
		item->label_columns = item->label.len ? labels : 0;
		item->stacked = item->label_columns && item->label_columns + VALUE_LEAST > columns;
		item->hidden = item->least > columns;
		item->indent = item->stacked ? STACKED_INDENT : item->label_columns;
		if (item->has_members)
			sheet_lay_members(item, columns);
		flow_update(&item->flow, buf_str(&item->text), columns > item->indent ? columns - item->indent : 1);
		s->rows += sheet_item_rows(s, item);
	}
}

static void sheet_scroll(struct sheet *s, long rows)
{
	s->top = scroll_to(s->top, rows, s->rows > s->height ? s->rows - s->height : 0);
}

bool sheet_key(struct sheet *s, const struct key *key)
{
	bool edits = s->label && key->code != KEY_PAGE_UP && key->code != KEY_PAGE_DOWN && !key_is_wheel(key);

	if (edits)
		return key->code != KEY_ENTER && key->code != KEY_ESCAPE && edit_key(&s->edit, key);
	long rows = scroll_rows(key, SCROLL_TEXT, s->height > 1 ? s->height - 1 : 1);
	sheet_scroll(s, rows);
	return rows != 0;
}

/* --- drawing --- */

static void sheet_draw_member(const struct sheet_item *item, size_t row, struct canvas *c, struct area area)
{
	struct str text = buf_str(&item->text);

	rows_put_member(c, area, (struct member_roles){ ROLE_SHEET_MUTED, ROLE_SHEET }, &item->marks, text, rows_part_of(&item->flow, text, row),
	                NULL, (struct hits_place){ 0 });
}

static void sheet_draw_row(const struct sheet *s, const struct sheet_item *item, size_t row, struct canvas *c, struct area area)
{
	size_t air = sheet_air_above(s, item), first = air + item->stacked;

	if (row == air && item->label.len)
		canvas_put(c, area.row, area.column, item->stacked ? area.columns : item->label_columns, ROLE_SHEET_MUTED, buf_str(&item->label));
	if (row >= first && item->has_members)
		sheet_draw_member(item, row - first, c, area);
	else if (row >= first && item->indent < area.columns)
		rows_put(c, area.row, area.column + item->indent, area.columns - item->indent, item->heading ? ROLE_SHEET_TITLE : ROLE_SHEET,
		         &item->flow, buf_str(&item->text), row - first);
}

static void sheet_draw_text(struct sheet *s, struct canvas *c, struct area area)
{
	size_t at = 0;

	s->height = area.rows;
	sheet_scroll(s, 0);
	for (size_t i = 0; i < s->count && at < s->top + area.rows; i++) {
		size_t rows = sheet_item_rows(s, &s->items[i]);

		for (size_t r = at < s->top ? s->top - at : 0; r < rows && at + r < s->top + area.rows; r++)
			sheet_draw_row(s, &s->items[i], r, c, (struct area){ area.row + (unsigned)(at + r - s->top), area.column, 1, area.columns });
		at += rows;
	}
}

static unsigned sheet_margin(unsigned columns)
{
	return columns < NARROW_COLUMNS ? 1 : 3;
}

static unsigned sheet_text_columns(unsigned columns)
{
	unsigned margin = sheet_margin(columns);

	return columns > 2 * margin ? columns - 2 * margin : 1;
}

/* Whether rows of text are below those shown. */
static struct str sheet_more(const struct sheet *s)
{
	return s->top + s->height < s->rows ? MORE : STR_NONE;
}

void sheet_draw(struct sheet *s, struct canvas *c)
{
	unsigned margin = sheet_margin(c->columns);
	struct card card = { .title = str_from(s->title), .keys = str_from(s->keys), .columns = s->columns + 2 * margin, .rows = UINT16_MAX };
	struct area area = card_area(c, &card);
	unsigned columns = area.columns > 2 * margin ? area.columns - 2 * margin : 1;

	sheet_lay_out(s, columns);
	card.rows = (unsigned)(s->rows < area.rows ? s->rows : area.rows);
	s->height = card.rows;
	card.place = sheet_more(s);
	area = card_draw(c, &card);
	c->cursor_shown = false;
	sheet_draw_text(s, c, (struct area){ area.row, area.column + margin, s->height, columns });
}

/* --- docked --- */

/* Of few rows the input gets the first one, the text the second, then the label of the input gets one. */
unsigned sheet_dock_rows(struct sheet *s, unsigned columns, unsigned most)
{
	struct sheet_dock *d = &s->dock;
	unsigned width = sheet_text_columns(columns), left = most - 1;

	sheet_lay_out(s, width);
	unsigned wanted = s->label ? edit_rows(&s->edit, width > SIGN_COLUMNS ? width - SIGN_COLUMNS : 1) : 0;
	d->input = wanted < left - left / 2 ? wanted : left - left / 2;
	left -= d->input;
	d->label = s->label && left > 1;
	left -= d->label;
	d->air = s->label && left > s->rows && most >= AIRY_ROWS;
	left -= d->air;
	d->text = s->rows < left ? (unsigned)s->rows : left;
	s->height = d->text ? d->text : 1;
	return 1 + d->text + d->air + d->label + d->input;
}

static void sheet_draw_input(struct sheet *s, struct canvas *c, struct area area)
{
	struct area text = { area.row + s->dock.label, area.column + SIGN_COLUMNS, s->dock.input,
	                     area.columns > SIGN_COLUMNS ? area.columns - SIGN_COLUMNS : 1 };

	if (s->dock.label)
		canvas_put(c, area.row, area.column, area.columns, ROLE_SHEET_MUTED, str_from(s->label));
	canvas_put(c, text.row, area.column, SIGN_COLUMNS, ROLE_SHEET_MATCH, STR("> "));
	edit_draw(&s->edit, c, text, ROLE_SHEET, true);
}

void sheet_draw_docked(struct sheet *s, struct canvas *c, struct area area)
{
	unsigned margin = sheet_margin(c->columns), columns = sheet_text_columns(area.columns);
	struct area inside = { area.row + 1, area.column + margin, s->dock.text, columns };

	card_draw_docked(c, area, str_from(s->title));
	if (inside.rows)
		sheet_draw_text(s, c, inside);
	s->drawn = true;
	s->read |= s->top + inside.rows >= s->rows;
	inside.row += s->dock.text + s->dock.air;
	if (s->label)
		sheet_draw_input(s, c, inside);
}

void sheet_draw_keys(const struct sheet *s, struct canvas *c, struct area line, struct str words)
{
	struct str more = s->keys_before ? STR_NONE : sheet_more(s); /* those say so */

	card_draw_keys(c, line, words.len ? words : more, sheet_keys(s, line.columns));
}
