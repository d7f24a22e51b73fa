#include "ui/edit/edit.h"

#include <string.h>

#include "base/mem.h"
#include "ui/edit/edit_parts.h"

#define UNDRAWN_COLUMNS 4096

void edit_init(struct edit *e, bool one_line)
{
	*e = (struct edit){ .one_line = one_line, .parts = mem_new(sizeof *e->parts) };
	buf_init(&e->text, EDIT_LIMIT);
	buf_init(&e->parts->origins, EDIT_LIMIT);
	flow_init(&e->parts->flow);
	undo_init(&e->parts->undo);
	kills_init(&e->parts->kills);
	chips_init(&e->parts->chips);
	edit_vi_init(&e->parts->vi);
	e->parts->columns = UNDRAWN_COLUMNS;
	e->parts->sticky_column = EDIT_NO_COLUMN;
}

void edit_fini(struct edit *e)
{
	buf_fini(&e->text);
	buf_fini(&e->parts->origins);
	edit_forget_stashed(e);
	mem_free(e->parts->stashed);
	flow_fini(&e->parts->flow);
	undo_fini(&e->parts->undo);
	kills_fini(&e->parts->kills);
	chips_fini(&e->parts->chips);
	edit_vi_fini(&e->parts->vi);
	mem_free(e->parts);
	e->parts = NULL;
}

bool edit_is_empty(const struct edit *e)
{
	return e->text.len == 0;
}

/* --- changing --- */

enum edit_origin edit_origin(const struct edit *e, size_t from, size_t to)
{
	const struct buf *origins = &e->parts->origins;
	char least = EDIT_TYPED;

	for (size_t i = from; i < to && i < origins->len && least > EDIT_FOREIGN; i++)
		least = origins->ptr[i] < least ? origins->ptr[i] : least;
	return (enum edit_origin)least;
}

/* Every change of the text goes through this function. */
static void edit_put(struct edit *e, size_t from, size_t to, struct str text, unsigned origin)
{
	flow_cut(&e->parts->flow, from);
	buf_remove(&e->text, from, to - from);
	buf_insert(&e->text, from, text);
	buf_remove(&e->parts->origins, from, to - from);
	buf_insert(&e->parts->origins, from, text); /* makes room; memset() overwrites it */
	if (text.len)
		memset(e->parts->origins.ptr + from, (int)origin, text.len);
	e->cursor = from + text.len;
	e->version++;
	e->parts->sticky_column = EDIT_NO_COLUMN;
	e->parts->last = EDIT_ANY; /* `yanked_at` is no longer valid, so Alt-y must not use it */
}

void edit_change(struct edit *e, enum undo_kind kind, size_t from, size_t to, struct str text, unsigned origin)
{
	struct undo_text removed = { edit_between(e, from, to), edit_origin(e, from, to) }, inserted = { text, origin };

	if (text.len > EDIT_LIMIT - (e->text.len - (to - from)) || (from == to && !text.len))
		return;
	undo_add(&e->parts->undo, kind, from, e->cursor, removed, inserted);
	edit_put(e, from, to, text, origin);
}

static void edit_cut(struct edit *e, enum undo_kind kind, size_t from, size_t to)
{
	edit_change(e, kind, from, to, STR_NONE, EDIT_TYPED);
}

/* Inserts text from outside: chip marks are replaced, and line ends too in a one-line editor. */
static void edit_change_cleaned(struct edit *e, enum undo_kind kind, size_t from, size_t to, struct str text, enum edit_origin origin)
{
	struct buf clean;

	buf_init(&clean, EDIT_LIMIT);
	buf_add(&clean, text);
	chips_refuse_marks(clean.ptr, clean.len);
	for (size_t i = 0; e->one_line && i < clean.len; i++)
		if (clean.ptr[i] == '\n')
			clean.ptr[i] = ' ';
	edit_change(e, kind, from, to, buf_str(&clean), origin);
	buf_fini(&clean);
}

void edit_insert(struct edit *e, struct str text)
{
	edit_change_cleaned(e, UNDO_ALONE, e->cursor, e->cursor, text, EDIT_FOREIGN);
}

void edit_replace(struct edit *e, size_t from, size_t to, struct str text, enum edit_origin origin)
{
	edit_change_cleaned(e, UNDO_ALONE, from, to, text, origin);
}

void edit_set(struct edit *e, struct str text)
{
	edit_change_cleaned(e, UNDO_ALONE, 0, e->text.len, text, EDIT_FOREIGN);
	if (e->parts->vi.commands)
		e->cursor = 0;
}

void edit_clear(struct edit *e)
{
	edit_cut(e, UNDO_ALONE, 0, e->text.len);
	edit_vi_begin_again(e);
}

/* --- the stash --- */

static struct edit_stashed *edit_stashed_as(const struct edit *e, size_t as)
{
	struct edit_parts *p = e->parts;

	for (size_t i = 0; i < p->stashed_count; i++)
		if (p->stashed[i].as == as)
			return &p->stashed[i];
	return NULL;
}

bool edit_has_stashed(const struct edit *e, size_t as)
{
	return edit_stashed_as(e, as) != NULL;
}

static void edit_stashed_fini(struct edit_stashed *stashed)
{
	buf_fini(&stashed->text);
	buf_fini(&stashed->origins);
}

bool edit_is_stashed(const struct edit *e, size_t as)
{
	const struct edit_stashed *stashed = edit_stashed_as(e, as);

	return stashed && str_equal(buf_str(&stashed->text), buf_str(&e->text));
}

void edit_forget_stash(struct edit *e, size_t as)
{
	struct edit_stashed *stashed = edit_stashed_as(e, as);

	if (!stashed)
		return;
	edit_stashed_fini(stashed);
	*stashed = e->parts->stashed[--e->parts->stashed_count];
}

void edit_forget_stashed(struct edit *e)
{
	for (size_t i = 0; i < e->parts->stashed_count; i++)
		edit_stashed_fini(&e->parts->stashed[i]);
	e->parts->stashed_count = 0;
}

void edit_stash(struct edit *e, size_t as)
{
	struct edit_parts *p = e->parts;
	struct edit_stashed *stashed = edit_stashed_as(e, as);

	if (!stashed) {
		stashed = ARRAY_ADD(p->stashed, p->stashed_count, p->stashed_capacity);
		*stashed = (struct edit_stashed){ .as = as };
		buf_init(&stashed->text, EDIT_LIMIT);
		buf_init(&stashed->origins, EDIT_LIMIT);
	}
	buf_clear(&stashed->text);
	buf_clear(&stashed->origins);
	buf_add(&stashed->text, buf_str(&e->text));
	buf_add(&stashed->origins, buf_str(&p->origins));
	stashed->cursor = e->cursor;
}

void edit_unstash(struct edit *e, size_t as)
{
	struct edit_parts *p = e->parts;
	struct edit_stashed *found = edit_stashed_as(e, as), stashed = { 0 };

	if (found) {
		stashed = *found;
		*found = p->stashed[--p->stashed_count];
	}
	edit_change(e, UNDO_ALONE, 0, e->text.len, buf_str(&stashed.text), EDIT_FOREIGN);
	e->cursor = stashed.cursor < e->text.len ? stashed.cursor : e->text.len;
	buf_clear(&p->origins);
	buf_add(&p->origins, buf_str(&stashed.origins));
	edit_stashed_fini(&stashed);
	edit_vi_settle(e);
}

/* --- chips --- */

/* Frees the pastes that neither the text, what is stashed, a kill nor an undo step refers to. */
static void edit_drop_unused_chips(struct edit *e)
{
	struct edit_parts *p = e->parts;
	uint64_t used = chips_in(buf_str(&e->text)) | chips_in(buf_str(&p->vi.written));

	for (size_t i = 0; i < p->stashed_count; i++)
		used |= chips_in(buf_str(&p->stashed[i].text));
	for (size_t i = 0; i < p->kills.count; i++)
		used |= chips_in(buf_str(&p->kills.entries[i].text));
	for (size_t i = 0; i < p->undo.count; i++)
		used |= chips_in(buf_str(&p->undo.changes[i].removed)) | chips_in(buf_str(&p->undo.changes[i].inserted));
	chips_keep(&p->chips, used);
}

void edit_reset(struct edit *e)
{
	edit_put(e, 0, e->text.len, STR_NONE, EDIT_TYPED);
	undo_clear(&e->parts->undo);
	edit_vi_begin_again(e);
	edit_drop_unused_chips(e);
}

static bool edit_is_large_paste(struct str text)
{
	size_t lines = 1;

	for (size_t i = 0; i < text.len && text.len <= EDIT_CHIP_BYTES; i++)
		lines += text.ptr[i] == '\n' && i + 1 < text.len;
	return text.len > EDIT_CHIP_BYTES || lines > EDIT_CHIP_LINES;
}

void edit_paste(struct edit *e, struct str text)
{
	struct buf mark;

	if (!e->makes_chips || !edit_is_large_paste(text)) {
		edit_insert(e, text);
		return;
	}
	buf_init(&mark, CHIP_MARK_BYTES);
	edit_drop_unused_chips(e);
	if (chips_add(&e->parts->chips, text, &mark))
		edit_change(e, UNDO_ALONE, e->cursor, e->cursor, buf_str(&mark), EDIT_FOREIGN);
	else
		edit_insert(e, text);
	buf_fini(&mark);
}

/* Replaces the chip before the cursor, or else the one after it, by its pasted text. */
static bool edit_expand_chip(struct edit *e)
{
	struct str text = buf_str(&e->text);
	size_t start = chip_before(text, e->cursor), len = chip_length(str_skip(text, start));

	if (!len)
		return false;
	edit_replace(e, start, start + len, chips_find(&e->parts->chips, str_skip(text, start)), EDIT_FOREIGN);
	return true;
}

void edit_expand(const struct edit *e, struct buf *out)
{
	chips_expand(&e->parts->chips, buf_str(&e->text), out);
}

struct str edit_next_chip(const struct edit *e, size_t *at)
{
	struct str text = buf_str(&e->text);
	size_t start = chip_next(text, *at);

	*at = start + chip_length(str_skip(text, start));
	return chips_find(&e->parts->chips, str_skip(text, start));
}

/* --- killing and yanking --- */

/* Consecutive kills join: text from before the cursor is prepended, text from after it is appended. */
static void edit_kill(struct edit *e, enum edit_action before, size_t from, size_t to)
{
	enum kill_place place = before != EDIT_KILLED ? KILL_NEW : from < e->cursor ? KILL_BEFORE : KILL_BEHIND;

	if (from < to) {
		kills_add(&e->parts->kills, place, edit_between(e, from, to), edit_origin(e, from, to));
		edit_cut(e, UNDO_ALONE, from, to);
	}
	e->parts->last = EDIT_KILLED;
}

static bool edit_yank(struct edit *e, const struct kill *kill, size_t from)
{
	if (!kill)
		return false;
	edit_change(e, UNDO_ALONE, from, e->cursor, buf_str(&kill->text), kill->origin);
	e->parts->yanked_at = from;
	e->parts->last = EDIT_YANKED;
	return true;
}

/* --- undoing --- */

void edit_undo(struct edit *e)
{
	const struct undo_change *c;

	do {
		if (!(c = undo_step_back(&e->parts->undo)))
			return;
		edit_put(e, c->at, c->at + c->inserted.len, buf_str(&c->removed), c->removed_origin);
		e->cursor = c->cursor;
	} while (undo_goes_on(&e->parts->undo));
}

static void edit_redo(struct edit *e)
{
	const struct undo_change *c;

	do {
		if (!(c = undo_step_forward(&e->parts->undo)))
			return;
		edit_put(e, c->at, c->at + c->removed.len, buf_str(&c->inserted), c->inserted_origin);
	} while (undo_goes_on(&e->parts->undo));
}

/* --- keys --- */

static void edit_erase(struct edit *e, size_t from, size_t to)
{
	edit_cut(e, UNDO_ERASED, from, to);
}

static bool edit_new_line(struct edit *e)
{
	if (!e->one_line)
		edit_change(e, UNDO_TYPED, e->cursor, e->cursor, STR("\n"), EDIT_TYPED);
	return !e->one_line;
}

static bool edit_move_to(struct edit *e, size_t at)
{
	e->cursor = at;
	return true;
}

static bool edit_control_key(struct edit *e, char letter, enum edit_action before)
{
	size_t at = e->cursor, end = edit_line_end(e, at);

	switch (letter) {
	case 'a':
		return edit_move_to(e, edit_line_start(e, at));
	case 'b':
		return edit_move_to(e, edit_before(e, at));
	case 'd':
		edit_erase(e, at, edit_after(e, at));
		return true;
	case 'e':
		return edit_move_to(e, end);
	case 'h':
		edit_erase(e, edit_before(e, at), at);
		return true;
	case 'j':
		return edit_new_line(e);
	case 'k':
		edit_kill(e, before, at, end > at ? end : edit_after(e, at));
		return true;
	case 'u':
		if (before == EDIT_PREFIXED)
			edit_undo(e);
		else
			edit_kill(e, before, edit_line_start(e, at), at);
		return true;
	case 'w':
		edit_kill(e, before, edit_word_before(e, true), at);
		return true;
	case 'x':
		e->parts->last = EDIT_PREFIXED;
		return true;
	case 'y':
		return edit_yank(e, kills_newest(&e->parts->kills), at);
	case '_':
	case '/':
		edit_undo(e);
		return true;
	default:
		return false;
	}
}

static bool edit_alt_key(struct edit *e, struct str text, enum edit_action before)
{
	if (str_is(text, "b"))
		return edit_move_to(e, edit_word_before(e, false));
	if (str_is(text, "f"))
		return edit_move_to(e, edit_word_after(e));
	if (str_is(text, "_") || str_is(text, "/")) {
		edit_redo(e);
		return true;
	}
	if (str_is(text, "e"))
		return edit_expand_chip(e);
	if (str_is(text, "y"))
		return before == EDIT_YANKED && edit_yank(e, kills_older(&e->parts->kills), e->parts->yanked_at);
	if (!str_is(text, "d"))
		return false;
	edit_kill(e, before, e->cursor, edit_word_after(e));
	return true;
}

static bool edit_move_key(struct edit *e, const struct key *key, bool by_word)
{
	size_t at = e->cursor;

	switch ((int)key->code) {
	case KEY_LEFT:
		return edit_move_to(e, by_word ? edit_word_before(e, false) : edit_before(e, at));
	case KEY_RIGHT:
		return edit_move_to(e, by_word ? edit_word_after(e) : edit_after(e, at));
	case KEY_HOME:
		return edit_move_to(e, by_word ? 0 : edit_line_start(e, at));
	case KEY_END:
		return edit_move_to(e, by_word ? e->text.len : edit_line_end(e, at));
	default:
		return false;
	}
}

static bool edit_special_key(struct edit *e, const struct key *key, enum edit_action before)
{
	bool by_word = key->modifiers & (KEY_CTRL_HELD | KEY_ALT_HELD);
	size_t at = e->cursor;

	if (key->code == KEY_BACKSPACE && by_word)
		edit_kill(e, before, edit_word_before(e, false), at);
	else if (key->code == KEY_BACKSPACE)
		edit_erase(e, edit_before(e, at), at);
	else if (key->code == KEY_DELETE && by_word)
		edit_kill(e, before, at, edit_word_after(e));
	else if (key->code == KEY_DELETE)
		edit_erase(e, at, edit_after(e, at));
	else if (key->code == KEY_ENTER && key->modifiers)
		return edit_new_line(e);
	else
		return edit_move_key(e, key, by_word);
	return true;
}

static bool edit_other_key(struct edit *e, const struct key *key, enum edit_action before)
{
	size_t over = key->code == KEY_TEXT ? edit_vi_over(e, key->text) : e->cursor;
	enum undo_kind kind = over > e->cursor ? UNDO_ALONE : UNDO_TYPED;

	e->parts->sticky_column = EDIT_NO_COLUMN;
	if (key->code == KEY_TEXT)
		edit_change_cleaned(e, kind, e->cursor, over, key->text, key->at_once ? EDIT_AT_ONCE : EDIT_TYPED);
	else if (key->code == KEY_PASTE)
		edit_paste(e, key->text);
	else if (key->code == KEY_CONTROL)
		return !(key->letter == 'd' && edit_is_empty(e)) && edit_control_key(e, key->letter, before);
	else if (key->code == KEY_ALT)
		return edit_alt_key(e, key->text, before);
	else
		return edit_special_key(e, key, before);
	return true;
}

/* --- a text that is marked --- */

void edit_mark_all(struct edit *e)
{
	e->marked = edit_is_empty(e) ? 0 : e->version;
	e->anchor = 0;
	e->cursor = e->text.len;
}

bool edit_marked(const struct edit *e, size_t *from, size_t *to)
{
	*from = e->anchor < e->cursor ? e->anchor : e->cursor;
	*to = e->anchor < e->cursor ? e->cursor : e->anchor;
	return e->marked && e->marked == e->version && *from < *to;
}

bool edit_is_marked(const struct edit *e)
{
	size_t from, to;

	return edit_marked(e, &from, &to);
}

static bool edit_is_letter_of(const struct key *key, const char *letters)
{
	return key->code == KEY_CONTROL && strchr(letters, key->letter) != NULL;
}

static bool edit_key_kills(const struct key *key)
{
	bool erases = key->code == KEY_BACKSPACE || key->code == KEY_DELETE;

	return edit_is_letter_of(key, "kuw") || (key->code == KEY_ALT && str_is(key->text, "d")) || (erases && key->modifiers);
}

static bool edit_key_erases(const struct key *key)
{
	return edit_is_letter_of(key, "dh") || ((key->code == KEY_BACKSPACE || key->code == KEY_DELETE) && !key->modifiers);
}

static bool edit_key_inserts(const struct edit *e, const struct key *key)
{
	bool yanks = edit_is_letter_of(key, "y") && kills_newest(&e->parts->kills);

	return yanks || key->code == KEY_TEXT || key->code == KEY_PASTE || edit_is_letter_of(key, "j") || (key->code == KEY_ENTER && key->modifiers);
}

/* True when nothing of the key is left to do. */
static bool edit_marked_key(struct edit *e, const struct key *key, enum edit_action before)
{
	size_t from, to;

	(void)edit_marked(e, &from, &to);
	e->marked = 0;
	if (edit_key_kills(key))
		edit_kill(e, before, from, to);
	else if (edit_key_erases(key) || edit_key_inserts(e, key))
		edit_cut(e, UNDO_ALONE, from, to);
	return edit_key_kills(key) || edit_key_erases(key);
}

/* Shift with a key that moves: the range from where the cursor was is marked. */
static bool edit_extends(struct edit *e, const struct key *key)
{
	struct key move = *key;
	bool vertical = key->code == KEY_UP || key->code == KEY_DOWN, was = edit_is_marked(e);
	size_t anchor = was ? e->anchor : e->cursor;

	if (!(key->modifiers & KEY_SHIFT) || edit_is_empty(e) ||
	    !(vertical || key->code == KEY_LEFT || key->code == KEY_RIGHT || key->code == KEY_HOME || key->code == KEY_END))
		return false;
	move.modifiers &= ~(unsigned)KEY_SHIFT;
	if (!vertical)
		(void)edit_move_key(e, &move, move.modifiers & (KEY_CTRL_HELD | KEY_ALT_HELD));
	else if (!edit_move_rows(e, key->code == KEY_UP ? -1 : 1))
		e->cursor = key->code == KEY_UP ? 0 : e->text.len;
	e->anchor = anchor;
	e->marked = e->version;
	return true;
}

enum edit_wish edit_wish(const struct edit *e, unsigned *times)
{
	*times = e->parts->wished;
	return e->parts->wish;
}

static bool edit_row_key(struct edit *e, bool up)
{
	e->parts->wish = up ? EDIT_OLDER : EDIT_NEWER;
	e->parts->wished = 1;
	return edit_move_rows(e, up ? -1 : 1);
}

bool edit_key(struct edit *e, const struct key *key)
{
	enum edit_action before = e->parts->last;
	unsigned version = e->version;
	bool mine;

	e->parts->last = EDIT_ANY;
	e->parts->wish = EDIT_NO_WISH;
	if (edit_extends(e, key)) {
		undo_close(&e->parts->undo);
		return true;
	}
	if (e->parts->vi.commands && (key->code == KEY_TEXT || (key->code == KEY_BACKSPACE && !key->modifiers)))
		return edit_vi_key(e, key);
	buf_clear(&e->parts->vi.typed);
	if (edit_is_marked(e) && edit_marked_key(e, key, before))
		return true;
	if ((key->code == KEY_UP || key->code == KEY_DOWN) && !key->modifiers)
		mine = edit_row_key(e, key->code == KEY_UP);
	else
		mine = edit_other_key(e, key, before);
	if (e->version == version)
		undo_close(&e->parts->undo);
	edit_vi_settle(e);
	return mine;
}
