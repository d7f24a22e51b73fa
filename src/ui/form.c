#include "ui/form.h"

#include <assert.h>
#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "render/flow.h"
#include "ui/card.h"
#include "ui/edit/edit.h"
#include "ui/scroll.h"

#define WORDS_MOST 32
#define COLUMNS_MOST 100u
#define COLUMNS_WANTED 80u
#define NARROW_COLUMNS 56u   /* of the canvas */
#define LABEL_GAP 3u
#define VALUE_LEAST 20u      /* columns beside a label or a note; else it stands above or below */
#define NOTE_GAP 3u
#define VALUE_ROWS_MOST 6u   /* of a long text, such as a system prompt; a longer one scrolls in them */
#define ROWS_MOST 160u
#define BULLET "\u2022"

struct field {
	enum form_kind kind;
	char *label, *note;
	bool hidden;
	struct edit edit;        /* of a text */
	char *secret;            /* of FORM_SECRET_BYTES */
	size_t secret_len;
	struct { char *name, *text; } words[WORDS_MOST];
	size_t word_count, chosen;
};

struct form {
	char *title, *intro;
	const char *keys;
	char *said;
	bool drawn;
	bool reads;              /* `top` is the first row that is drawn; else the field with the focus is in view */
	size_t top, page;        /* page: rows of the last frame */
	size_t intro_rows, seen; /* of the intro; of them, how many were drawn */
	struct field fields[FORM_FIELDS];
	size_t count, focus;
};

/* --- life --- */

struct form *form_new(struct str title, const char *keys)
{
	struct form *form = mem_new(sizeof *form);

	form->title = str_dup(title);
	form->keys = keys;
	return form;
}

static void field_fini(struct field *f)
{
	if (f->secret)
		mem_wipe(f->secret, FORM_SECRET_BYTES);
	mem_free(f->secret);
	if (f->kind == FORM_TEXT)
		edit_fini(&f->edit);
	for (size_t i = 0; i < f->word_count; i++) {
		mem_free(f->words[i].name);
		mem_free(f->words[i].text);
	}
	mem_free(f->label);
	mem_free(f->note);
}

void form_free(struct form *form)
{
	if (!form)
		return;
	for (size_t i = 0; i < form->count; i++)
		field_fini(&form->fields[i]);
	mem_free(form->title);
	mem_free(form->intro);
	mem_free(form->said);
	mem_free(form);
}

void form_close(struct form **form)
{
	form_free(*form);
	*form = NULL;
}

/* --- what it holds --- */

size_t form_add(struct form *form, enum form_kind kind, const char *label)
{
	struct field *f = &form->fields[form->count];

	assert(form->count < FORM_FIELDS);
	f->kind = kind;
	f->label = mem_dup_z(label);
	if (kind == FORM_TEXT)
		edit_init(&f->edit, true);
	if (kind == FORM_SECRET)
		f->secret = mem_new(FORM_SECRET_BYTES);
	return form->count++;
}

void form_set_value(struct form *form, size_t field, struct str value)
{
	edit_set(&form->fields[field].edit, value);
	if (str_find(value, STR(" ")) == value.len)
		edit_mark_all(&form->fields[field].edit);
}

struct form *form_new_text(struct str title, const char *label, struct str value)
{
	struct form *form = form_new(title, "Enter set   Esc back");

	form_add(form, FORM_TEXT, label);
	form_set_value(form, 0, value);
	edit_mark_all(&form->fields[0].edit);
	return form;
}

void form_take_lines(struct form *form, size_t field)
{
	form->fields[field].edit.one_line = false;
}

bool form_writes(const struct form *form)
{
	return form->fields[form->focus].kind == FORM_TEXT;
}

void form_set_note(struct form *form, size_t field, struct str note)
{
	str_replace(&form->fields[field].note, note);
}

void form_set_word(struct form *form, size_t field, size_t index, struct str name, struct str text)
{
	struct field *f = &form->fields[field];

	assert(index <= f->word_count && index < WORDS_MOST);
	f->word_count += index == f->word_count;
	str_replace(&f->words[index].name, name);
	str_replace(&f->words[index].text, text);
}

void form_choose(struct form *form, size_t field, size_t index)
{
	form->fields[field].chosen = index;
}

void form_set_intro(struct form *form, struct str text)
{
	str_replace(&form->intro, text.len ? text : STR_NONE);
	form->reads = true;
}

void form_show(struct form *form, size_t field, bool shown)
{
	form->fields[field].hidden = !shown;
	for (size_t i = 0; form->fields[form->focus].hidden && i < form->count; i++)
		if (!form->fields[i].hidden)
			form->focus = i;
}

void form_say(struct form *form, struct str sentence)
{
	str_replace(&form->said, sentence.len ? sentence : STR_NONE);
}

void form_focus(struct form *form, size_t field)
{
	form->focus = field;
}

size_t form_focused(const struct form *form)
{
	return form->focus;
}

struct str form_value(const struct form *form, size_t field)
{
	const struct field *f = &form->fields[field];

	return f->kind == FORM_SECRET ? str_of(f->secret, f->secret_len) : str_trim(buf_str(&f->edit.text));
}

size_t form_choice(const struct form *form, size_t field)
{
	return form->fields[field].chosen;
}

/* --- keys --- */

static bool secret_add(struct field *f, struct str text)
{
	struct str first = STR_NONE;

	text = str_trim(text);
	str_split(&text, '\n', &first);
	first = str_trim(first);
	if (!first.len || first.len > FORM_SECRET_BYTES - f->secret_len)
		return false;
	memcpy(f->secret + f->secret_len, first.ptr, first.len);
	f->secret_len += first.len;
	return true;
}

static bool secret_drop(struct field *f, size_t count)
{
	bool any = f->secret_len > 0;

	count = count < f->secret_len ? count : f->secret_len;
	f->secret_len -= count;
	mem_wipe(f->secret + f->secret_len, count);
	return any;
}

/* A secret is written at its end only: nobody sees where else. */
static enum form_result secret_key(struct field *f, const struct key *key)
{
	struct str all = str_of(f->secret, f->secret_len);

	if (key->code == KEY_TEXT || key->code == KEY_PASTE)
		return secret_add(f, key->text) ? FORM_CHANGED : FORM_OPEN;
	if (key->code == KEY_BACKSPACE || key_is_control(key, 'h'))
		return secret_drop(f, all.len - utf8_cluster_before(all, all.len)) ? FORM_CHANGED : FORM_OPEN;
	if (key_is_control(key, 'u') || key_is_control(key, 'w'))
		return secret_drop(f, all.len) ? FORM_CHANGED : FORM_OPEN;
	return FORM_NOT_MINE;
}

static enum form_result text_key(struct field *f, const struct key *key)
{
	unsigned version = f->edit.version;

	if (!edit_key(&f->edit, key))
		return FORM_NOT_MINE;
	return f->edit.version != version ? FORM_CHANGED : FORM_OPEN;
}

static enum form_result step_choice(struct field *f, int step)
{
	if (f->word_count < 2)
		return FORM_OPEN;
	f->chosen = (f->chosen + f->word_count + (size_t)(step + (int)f->word_count)) % f->word_count;
	return FORM_CHANGED;
}

static enum form_result choice_key(struct field *f, const struct key *key)
{
	bool next = key->code == KEY_RIGHT || (key->code == KEY_TEXT && str_is(key->text, " "));

	return next || key->code == KEY_LEFT ? step_choice(f, next ? 1 : -1) : FORM_NOT_MINE;
}

/* To the next shown field, or the one before; `around`: behind the last one follows the first. */
static void form_move(struct form *form, int step, bool around)
{
	size_t at = form->focus;

	for (size_t i = 0; i < form->count; i++) {
		bool ends = step < 0 ? at == 0 : at + 1 == form->count;

		if (ends && !around)
			return;
		at = !ends ? at + (size_t)step : step < 0 ? form->count - 1 : 0;
		if (!form->fields[at].hidden) {
			form->focus = at;
			return;
		}
	}
}

/* The intro is read from its beginning to its end before anything is taken. */
static bool form_reads_on(struct form *form, const struct key *key)
{
	size_t step = form->page > 1 ? form->page - 1 : 1;
	bool on = key->code == KEY_PAGE_DOWN || (key->code == KEY_ENTER && form->seen < form->intro_rows);

	if (!form->intro || !(on || key->code == KEY_PAGE_UP))
		return false;
	if (key->code == KEY_ENTER)
		form->top = form->seen ? form->seen - 1 : 0;
	else
		form->top = on ? form->top + step : form->top > step ? form->top - step : 0;
	form->reads = true;
	return true;
}

enum form_result form_key(struct form *form, const struct key *key)
{
	struct field *f = &form->fields[form->focus];

	if (key->code == KEY_ESCAPE)
		return FORM_LEFT;
	if (form_reads_on(form, key))
		return FORM_OPEN;
	form->reads = false;
	if (key->code == KEY_ENTER)
		return FORM_DONE;
	long step = scroll_rows(key, SCROLL_TABS, 0);
	if (step) {
		form_move(form, (int)step, key->code == KEY_TAB || key->code == KEY_BACKTAB);
		return FORM_OPEN;
	}
	return f->kind == FORM_SECRET ? secret_key(f, key) : f->kind == FORM_TEXT ? text_key(f, key) : choice_key(f, key);
}

bool form_text_key(struct form **form, const struct key *key)
{
	enum form_result result = form_key(*form, key);

	if (result == FORM_LEFT)
		form_close(form);
	else if (result == FORM_CHANGED)
		form_say(*form, STR_NONE);
	return result == FORM_DONE;
}

/* --- rows --- */

enum row_kind { ROW_LABEL, ROW_VALUE, ROW_MORE /* of the value above */, ROW_WORDS };

struct row {
	enum row_kind kind;
	const struct field *field;   /* NULL: it is of none */
	bool has_label;
	unsigned indent, note_columns;
	unsigned value_rows;         /* of ROW_VALUE, with those of ROW_MORE */
	enum role_name role;
	size_t from, len;            /* of ROW_WORDS, in the words */
};

/* What is drawn, from top to bottom. */
struct rows {
	struct row items[ROWS_MOST];
	size_t count, fields_end;    /* behind these is what was said last */
	struct buf words;            /* the texts of rows that are no value, one behind the other */
	unsigned columns, indent;
	bool stacked;                /* values stand below their labels */
};

static struct row *add_row(struct rows *rows, enum row_kind kind, const struct field *field)
{
	size_t at = rows->count < ROWS_MOST ? rows->count++ : ROWS_MOST - 1;

	rows->items[at] = (struct row){ .kind = kind, .field = field, .indent = rows->indent };
	return &rows->items[at];
}

static void add_words(struct rows *rows, const struct field *field, enum role_name role, unsigned indent, struct str words, bool has_label)
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
		struct row *row = add_row(rows, ROW_WORDS, field);

		row->indent = indent;
		row->role = role;
		row->from = start + (size_t)(flow_row(&flow, text, i).ptr - text.ptr);
		row->len = flow_row(&flow, text, i).len;
		row->has_label = has_label && i == 0;
	}
	flow_fini(&flow);
}

/* The other words stand below the choice with the focus; below the last one always, so that one knows of them. */
static void add_choice(struct rows *rows, const struct field *f, bool focused, bool last)
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

static const struct field *last_choice(const struct form *form)
{
	const struct field *last = NULL;

	for (size_t i = 0; i < form->count; i++)
		if (form->fields[i].kind == FORM_CHOICE && !form->fields[i].hidden)
			last = &form->fields[i];
	return last;
}

/* A text that is longer than its row has further ones; an address, which has no blank, is not broken. */
static void add_value(struct rows *rows, const struct field *f, unsigned note)
{
	unsigned room = rows->columns > rows->indent ? rows->columns - rows->indent : 1, width = note ? room - note - NOTE_GAP : room;
	struct row *row = add_row(rows, ROW_VALUE, f);

	row->has_label = !rows->stacked;
	row->note_columns = note;
	struct str text = f->kind == FORM_TEXT ? buf_str(&f->edit.text) : STR_NONE;
	bool wraps = str_find(text, STR(" ")) < text.len || str_find(text, STR("\n")) < text.len;
	row->value_rows = wraps ? least(edit_rows(&f->edit, width), VALUE_ROWS_MOST) : 1;
	for (unsigned more = row->value_rows; more > 1; more--)
		add_row(rows, ROW_MORE, f);
}

static void add_field(struct rows *rows, const struct form *form, const struct field *f)
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

static void form_lay_out(struct form *form, struct rows *rows, unsigned columns)
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

/* The first row that is drawn above what was said last: the field that has the focus is in view, if there is room. */
static size_t first_row(const struct form *form, const struct rows *rows, unsigned height)
{
	const struct field *focus = &form->fields[form->focus];
	size_t top = rows->fields_end > height ? rows->fields_end - height : 0;

	if (form->reads && form->intro)
		return form->top < top ? form->top : top;
	for (size_t i = 0; i < rows->fields_end; i++)
		if (rows->items[i].field == focus)
			return form->intro && i + 2 < height ? 0 : i < top ? i : top;
	return top;
}

/* --- drawing --- */

static void draw_secret(const struct field *f, struct canvas *canvas, struct area line, bool focused)
{
	unsigned count = f->secret_len < line.columns ? (unsigned)f->secret_len : line.columns - 1;

	for (unsigned i = 0; i < count; i++)
		canvas_put(canvas, line.row, line.column + i, 1, ROLE_SHEET, STR(BULLET));
	if (focused)
		canvas_cursor(canvas, line.row, line.column + count);
}

static void draw_value(const struct row *row, struct canvas *canvas, struct area line, bool focused)
{
	const struct field *f = row->field;
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

static void draw_row(const struct form *form, const struct rows *rows, const struct row *row, struct canvas *canvas, struct area line)
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

static void draw_rows(const struct form *form, const struct rows *rows, size_t from, struct canvas *canvas, struct area area)
{
	size_t end = from < rows->fields_end ? rows->fields_end : rows->count;

	for (unsigned r = 0; r < area.rows && from + r < end; r++)
		draw_row(form, rows, &rows->items[from + r], canvas, (struct area){ area.row + r, area.column, area.rows - r, area.columns });
}

void form_set_keys(struct form *form, const char *keys)
{
	form->keys = keys;
}

bool form_was_drawn(const struct form *form)
{
	return form->drawn;
}

void form_draw(struct form *form, struct canvas *canvas)
{
	struct card card = { .title = str_from(form->title), .keys = str_from(form->keys), .columns = COLUMNS_WANTED, .rows = 1 };
	unsigned margin = canvas->columns < NARROW_COLUMNS ? 2 : 3;
	struct area area = card_area(canvas, &card);
	struct rows rows = { 0 };

	form_lay_out(form, &rows, area.columns > 2 * margin ? area.columns - 2 * margin : 1);
	card.rows = (unsigned)rows.count;
	area = card_draw(canvas, &card);
	canvas->cursor_shown = false;
	form->drawn = true;
	unsigned said = least((unsigned)(rows.count - rows.fields_end), area.rows), height = area.rows - said;
	size_t top = first_row(form, &rows, height);
	form->top = top;
	form->page = height;
	if (top <= form->seen && top + height > form->seen)
		form->seen = top + height;
	draw_rows(form, &rows, top, canvas, (struct area){ area.row, area.column + margin, height, rows.columns });
	draw_rows(form, &rows, rows.count - said, canvas,
	          (struct area){ area.row + least(height, (unsigned)(rows.fields_end - top)), area.column + margin, said, rows.columns });
	buf_fini(&rows.words);
}
