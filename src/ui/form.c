#include "ui/form_inside.h"

#include <assert.h>
#include <string.h>

#include "base/least.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "ui/card.h"
#include "ui/scroll.h"

#define COLUMNS_WANTED 80u
#define NARROW_COLUMNS 56u   /* of the canvas */

/* --- life --- */

struct form *form_new(struct str title, const char *keys)
{
	struct form *form = mem_new(sizeof *form);

	form->title = str_dup(title);
	form->keys = keys;
	return form;
}

static void field_fini(struct form_field *f)
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
	struct form_field *f = &form->fields[form->count];

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
	struct form_field *f = &form->fields[field];

	assert(index <= f->word_count && index < FORM_WORDS);
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
	const struct form_field *f = &form->fields[field];

	return f->kind == FORM_SECRET ? str_of(f->secret, f->secret_len) : str_trim(buf_str(&f->edit.text));
}

size_t form_choice(const struct form *form, size_t field)
{
	return form->fields[field].chosen;
}

/* --- keys --- */

static bool secret_add(struct form_field *f, struct str text)
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

static bool secret_drop(struct form_field *f, size_t count)
{
	bool any = f->secret_len > 0;

	count = count < f->secret_len ? count : f->secret_len;
	f->secret_len -= count;
	mem_wipe(f->secret + f->secret_len, count);
	return any;
}

/* A secret is written at its end only: nobody sees where else. */
static enum form_result secret_key(struct form_field *f, const struct key *key)
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

static enum form_result text_key(struct form_field *f, const struct key *key)
{
	unsigned version = f->edit.version;

	if (!edit_key(&f->edit, key))
		return FORM_NOT_MINE;
	return f->edit.version != version ? FORM_CHANGED : FORM_OPEN;
}

static enum form_result step_choice(struct form_field *f, int step)
{
	if (f->word_count < 2)
		return FORM_OPEN;
	f->chosen = (f->chosen + f->word_count + (size_t)(step + (int)f->word_count)) % f->word_count;
	return FORM_CHANGED;
}

static enum form_result choice_key(struct form_field *f, const struct key *key)
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
	struct form_field *f = &form->fields[form->focus];

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

/* --- drawing --- */

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
	struct form_rows rows = { 0 };

	form_lay_out(form, &rows, area.columns > 2 * margin ? area.columns - 2 * margin : 1);
	card.rows = (unsigned)rows.count;
	area = card_draw(canvas, &card);
	canvas->cursor_shown = false;
	form->drawn = true;
	unsigned said = least((unsigned)(rows.count - rows.fields_end), area.rows), height = area.rows - said;
	size_t top = form_first_row(form, &rows, height);
	form->top = top;
	form->page = height;
	if (top <= form->seen && top + height > form->seen)
		form->seen = top + height;
	form_draw_rows(form, &rows, top, canvas, (struct area){ area.row, area.column + margin, height, rows.columns });
	form_draw_rows(form, &rows, rows.count - said, canvas,
	               (struct area){ area.row + least(height, (unsigned)(rows.fields_end - top)), area.column + margin, said, rows.columns });
	buf_fini(&rows.words);
}
