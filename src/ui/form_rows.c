/* The rows of a form: what stands where in the width that there is, and how it is drawn. */
#include "ui/form_inside.h"

#include "base/least.h"
#include "render/flow.h"

#define COLUMNS_MOST 100u
#define LABEL_GAP 3u
#define VALUE_LEAST 20u      /* columns beside a label or a note; else it stands above or below */
#define NOTE_GAP 3u
#define VALUE_ROWS_MOST 6u   /* of a long text, such as a system prompt; a longer one scrolls in them */
#define BULLET "\u2022"

/* --- layout --- */

static struct form_row *add_row(struct form_rows *rows, enum form_row_kind kind, const struct form_field *field)
{
	size_t at = rows->count < FORM_ROWS ? rows->count++ : FORM_ROWS - 1;

	rows->items[at] = (struct form_row){ .kind = kind, .field = field, .indent = rows->indent };
	return &rows->items[at];
}

static void add_words(struct form_rows *rows, const struct form_field *field, enum role_name role, unsigned indent, struct str words, bool has_label)
{
	size_t start = rows->words.len;
	struct flow flow;
	struct str text;

	if (!buf_add(&rows->words, words))
		return;
	text = str_skip(buf_str(&rows->words), start);
	flow_init(&flow);
	flow_update(&flow, text, rows->columns > indent ? rows->columns - indent : 1);
	for (size_t i = 0; i < flow.count; i++) {
		struct form_row *row = add_row(rows, ROW_WORDS, field);

		row->indent = indent;
		row->role = role;
		row->from = start + (size_t)(flow_row(&flow, text, i).ptr - text.ptr);
		row->len = flow_row(&flow, text, i).len;
		row->has_label = has_label && i == 0;
	}
	flow_fini(&flow);
}

/* The other words stand below the choice with the focus; below the last one always, so that one knows of them. */
static void add_choice(struct form_rows *rows, const struct form_field *f, bool focused, bool last)
{
	struct buf others = { 0 };
	bool any = false;

	add_words(rows, f, ROLE_SHEET, rows->indent, str_from(f->words[f->chosen].text), !rows->stacked);
	for (size_t i = 0; (focused || last) && i < f->word_count; i++) {
		if (i == f->chosen)
			continue;
		buf_printf(&others, "%s%s", any ? " \u00b7 " : focused ? "Left Right: " : "or ", f->words[i].name);
		any = true;
	}
	if (any)
		add_words(rows, f, ROLE_SHEET_MUTED, rows->indent, buf_str(&others), false);
	buf_fini(&others);
}

static const struct form_field *last_choice(const struct form *form)
{
	const struct form_field *last = NULL;

	for (size_t i = 0; i < form->count; i++)
		if (form->fields[i].kind == FORM_CHOICE && !form->fields[i].hidden)
			last = &form->fields[i];
	return last;
}

/* A text that is longer than its row has further ones; an address, which has no blank, is not broken. */
static void add_value(struct form_rows *rows, const struct form_field *f, unsigned note)
{
	unsigned room = rows->columns > rows->indent ? rows->columns - rows->indent : 1, width = note ? room - note - NOTE_GAP : room;
	struct form_row *row = add_row(rows, ROW_VALUE, f);

	row->has_label = !rows->stacked;
	row->note_columns = note;
	struct str text = f->kind == FORM_TEXT ? buf_str(&f->edit.text) : STR_NONE;
	bool wraps = str_find(text, STR(" ")) < text.len || str_find(text, STR("\n")) < text.len;
	row->value_rows = wraps ? least(edit_rows(&f->edit, width), VALUE_ROWS_MOST) : 1;
	for (unsigned more = row->value_rows; more > 1; more--)
		add_row(rows, ROW_MORE, f);
}

static void add_field(struct form_rows *rows, const struct form *form, const struct form_field *f)
{
	bool focused = f == &form->fields[form->focus];
	unsigned note = flow_columns(str_from(f->note), COLUMNS_MOST);
	bool beside = note && rows->indent + VALUE_LEAST + NOTE_GAP + note <= rows->columns;

	if (rows->stacked)
		add_row(rows, ROW_LABEL, f)->indent = 0;
	if (f->kind == FORM_CHOICE)
		add_choice(rows, f, focused, f == last_choice(form));
	else
		add_value(rows, f, beside ? note : 0);
	if (note && !beside && focused)
		add_words(rows, f, ROLE_SHEET_MUTED, rows->indent, str_from(f->note), false);
}

static unsigned label_columns(const struct form *form)
{
	unsigned most = 0;

	for (size_t i = 0; i < form->count; i++) {
		unsigned columns = form->fields[i].hidden ? 0 : flow_columns(str_from(form->fields[i].label), COLUMNS_MOST);

		most = columns > most ? columns : most;
	}
	return most + LABEL_GAP;
}

void form_lay_out(struct form *form, struct form_rows *rows, unsigned columns)
{
	unsigned labels = label_columns(form);

	rows->count = 0;
	rows->columns = columns;
	rows->stacked = labels + VALUE_LEAST > columns;
	rows->indent = rows->stacked ? 2 : labels;
	buf_clear(&rows->words);
	if (form->intro) {
		add_words(rows, NULL, ROLE_SHEET, 0, str_from(form->intro), false);
		form->intro_rows = rows->count;
		add_row(rows, ROW_WORDS, NULL);
	}
	for (size_t i = 0; i < form->count; i++)
		if (!form->fields[i].hidden)
			add_field(rows, form, &form->fields[i]);
	rows->fields_end = rows->count;
	if (form->said)
		add_words(rows, NULL, ROLE_SHEET_TITLE, 0, str_from(form->said), false);
}

size_t form_first_row(const struct form *form, const struct form_rows *rows, unsigned height)
{
	const struct form_field *focus = &form->fields[form->focus];
	size_t top = rows->fields_end > height ? rows->fields_end - height : 0;

	if (form->reads && form->intro)
		return form->top < top ? form->top : top;
	for (size_t i = 0; i < rows->fields_end; i++)
		if (rows->items[i].field == focus)
			return form->intro && i + 2 < height ? 0 : i < top ? i : top;
	return top;
}

/* --- drawing --- */

static void draw_secret(const struct form_field *f, struct canvas *canvas, struct area line, bool focused)
{
	unsigned count = f->secret_len < line.columns ? (unsigned)f->secret_len : line.columns - 1;

	for (unsigned i = 0; i < count; i++)
		canvas_put(canvas, line.row, line.column + i, 1, ROLE_SHEET, STR(BULLET));
	if (focused)
		canvas_cursor(canvas, line.row, line.column + count);
}

static void draw_value(const struct form_row *row, struct canvas *canvas, struct area line, bool focused)
{
	const struct form_field *f = row->field;
	unsigned room = line.columns > row->indent ? line.columns - row->indent : 1;
	unsigned rows = least(row->value_rows, line.rows);
	struct area value = { line.row, line.column + row->indent, rows, row->note_columns ? room - row->note_columns - NOTE_GAP : room };

	if (f->kind == FORM_SECRET)
		draw_secret(f, canvas, value, focused);
	else if (focused || rows > 1)
		edit_draw(&f->edit, canvas, value, ROLE_SHEET, focused);
	else
		canvas_put(canvas, value.row, value.column, value.columns, ROLE_SHEET, buf_str(&f->edit.text));
	if (row->note_columns)
		canvas_put(canvas, line.row, line.column + line.columns - row->note_columns, row->note_columns, ROLE_SHEET_MUTED, str_from(f->note));
}

static void draw_row(const struct form *form, const struct form_rows *rows, const struct form_row *row, struct canvas *canvas, struct area line)
{
	bool focused = row->field == &form->fields[form->focus];

	if (row->has_label || row->kind == ROW_LABEL)
		canvas_put(canvas, line.row, line.column, line.columns, focused ? ROLE_SHEET_MATCH : ROLE_SHEET_MUTED, str_from(row->field->label));
	if (row->kind == ROW_VALUE)
		draw_value(row, canvas, line, focused);
	if (row->kind == ROW_WORDS && line.columns > row->indent)
		canvas_put(canvas, line.row, line.column + row->indent, line.columns - row->indent, row->role,
		           str_head(str_skip(buf_str(&rows->words), row->from), row->len));
	if (focused && (row->has_label || row->kind == ROW_LABEL)) /* the sign of the focus, where there are no colours */
		canvas_put(canvas, line.row, line.column - 2, 1, ROLE_SHEET_MATCH, STR(">"));
}

void form_draw_rows(const struct form *form, const struct form_rows *rows, size_t from, struct canvas *canvas, struct area area)
{
	size_t end = from < rows->fields_end ? rows->fields_end : rows->count;

	for (unsigned r = 0; r < area.rows && from + r < end; r++)
		draw_row(form, rows, &rows->items[from + r], canvas, (struct area){ area.row + r, area.column, area.rows - r, area.columns });
}
