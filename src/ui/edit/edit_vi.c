/*
 * vi's keys. In the command state the letters that are typed are collected until they are a command, which then runs; `.` runs the letters of the
 * last change once more. Tables name the commands, the operators, and (edit_vi_move.c, edit_vi_object.c) what these work on.
 */
#include <string.h>
#include <wctype.h>

#include "base/array.h"
#include "ui/edit/edit_vi_inside.h"

#define VI_TIMES_MOST 999u

void edit_vi_init(struct edit_vi *vi)
{
	*vi = (struct edit_vi){ .from = SIZE_MAX };
	buf_init(&vi->written, EDIT_LIMIT);
}

void edit_vi_fini(struct edit_vi *vi)
{
	buf_fini(&vi->typed);
	buf_fini(&vi->again);
	buf_fini(&vi->written);
	buf_fini(&vi->found);
}

void edit_use_vi(struct edit *e, bool vi)
{
	e->parts->vi.on = vi;
	if (!vi)
		edit_vi_begin_again(e);
}

bool edit_takes_commands(const struct edit *e)
{
	return e->parts->vi.commands;
}

bool edit_wants_escape(const struct edit *e)
{
	return e->parts->vi.on && !e->parts->vi.commands;
}

void edit_vi_settle(struct edit *e)
{
	size_t start = edit_line_start(e, e->cursor);

	if (e->parts->vi.commands && e->cursor == edit_line_end(e, e->cursor) && e->cursor > start)
		e->cursor = edit_before(e, e->cursor);
}

/* --- inserting --- */

static void vi_begin_insert(struct edit *e, unsigned times)
{
	struct edit_vi *vi = &e->parts->vi;

	vi->commands = vi->opens = false;
	vi->more = times - 1;
	vi->from = e->cursor;
	vi->behind = e->text.len - e->cursor;
}

size_t edit_vi_over(const struct edit *e, struct str text)
{
	size_t to = e->cursor, end = edit_line_end(e, to);

	while (e->parts->vi.replaces && text.len && to < end) {
		text = str_skip(text, utf8_cluster(text));
		to = edit_after(e, to);
	}
	return to;
}

static void vi_write(struct edit *e, struct str text, unsigned origin)
{
	edit_change(e, UNDO_ALONE, e->cursor, edit_vi_over(e, text), text, origin);
}

/* Keeps what was inserted for `.`, unless the cursor was moved meanwhile. */
static void vi_keep_written(struct edit *e)
{
	struct edit_vi *vi = &e->parts->vi;
	size_t end = vi->replaces ? e->cursor : e->text.len - vi->behind;

	buf_clear(&vi->written);
	if (e->text.len < vi->behind || end != e->cursor || end < vi->from)
		return;
	buf_add(&vi->written, edit_between(e, vi->from, end));
	vi->written_origin = edit_origin(e, vi->from, end);
}

static void vi_end_insert(struct edit *e)
{
	struct edit_vi *vi = &e->parts->vi;

	if (vi->from != SIZE_MAX)
		vi_keep_written(e);
	for (; vi->from != SIZE_MAX && vi->more; vi->more--) {
		if (vi->opens)
			vi_write(e, STR("\n"), EDIT_TYPED);
		vi_write(e, buf_str(&vi->written), vi->written_origin);
	}
	vi->commands = true;
	vi->replaces = false;
	undo_ungroup(&e->parts->undo);
	if (e->cursor > edit_line_start(e, e->cursor))
		e->cursor = edit_before(e, e->cursor);
}

void edit_vi_begin_again(struct edit *e)
{
	struct edit_vi *vi = &e->parts->vi;

	vi->commands = vi->replaces = false;
	vi->from = SIZE_MAX;
	buf_clear(&vi->typed);
	undo_ungroup(&e->parts->undo);
}

bool edit_escape(struct edit *e)
{
	struct edit_vi *vi = &e->parts->vi;
	bool drops = vi->typed.len > 0;

	if (!vi->on)
		return false;
	buf_clear(&vi->typed);
	if (vi->commands)
		return drops;
	vi_end_insert(e);
	return true;
}

/* --- operators --- */

/* Killed lines end in a line feed: they are put back as lines. */
static void vi_keep(struct edit *e, size_t from, size_t to, bool lines)
{
	struct kills *kills = &e->parts->kills;

	if (from == to && !lines)
		return;
	kills_add(kills, KILL_NEW, edit_between(e, from, to), edit_origin(e, from, to));
	if (lines)
		kills_add(kills, KILL_BEHIND, STR("\n"), EDIT_TYPED);
}

static void vi_delete(struct edit *e, size_t from, size_t to, bool lines)
{
	vi_keep(e, from, to, lines);
	if (lines && to < e->text.len)
		to++;
	else if (lines && from)
		from--;
	edit_change(e, UNDO_ALONE, from, to, STR_NONE, EDIT_TYPED);
	e->cursor = lines ? vi_first_word(e, from < e->text.len || !from ? from : edit_line_start(e, from), NULL) : from;
}

static void vi_change(struct edit *e, size_t from, size_t to, bool lines)
{
	vi_keep(e, from, to, lines);
	edit_change(e, UNDO_ALONE, from, to, STR_NONE, EDIT_TYPED);
	e->cursor = from;
	vi_begin_insert(e, 1);
}

static void vi_yank(struct edit *e, size_t from, size_t to, bool lines)
{
	vi_keep(e, from, to, lines);
	if (!lines || from != edit_line_start(e, e->cursor))
		e->cursor = from;
}

static const struct vi_operator vi_operators[] = { { 'd', vi_delete }, { 'c', vi_change }, { 'y', vi_yank } };

/* --- commands --- */

static void vi_insert(struct edit *e, const struct vi_command *c)
{
	vi_begin_insert(e, c->times);
}

static void vi_insert_first(struct edit *e, const struct vi_command *c)
{
	e->cursor = vi_first_word(e, e->cursor, c);
	vi_begin_insert(e, c->times);
}

static void vi_append(struct edit *e, const struct vi_command *c)
{
	if (e->cursor < edit_line_end(e, e->cursor))
		e->cursor = edit_after(e, e->cursor);
	vi_begin_insert(e, c->times);
}

static void vi_append_last(struct edit *e, const struct vi_command *c)
{
	e->cursor = edit_line_end(e, e->cursor);
	vi_begin_insert(e, c->times);
}

static void vi_open(struct edit *e, const struct vi_command *c)
{
	bool below = c->action->letter == 'o';
	size_t at = below ? edit_line_end(e, e->cursor) : edit_line_start(e, e->cursor);

	edit_change(e, UNDO_ALONE, at, at, STR("\n"), EDIT_TYPED);
	e->cursor = below ? at + 1 : at;
	vi_begin_insert(e, c->times);
	e->parts->vi.opens = true;
}

static void vi_write_over(struct edit *e, const struct vi_command *c)
{
	(void)c;
	vi_begin_insert(e, 1);
	e->parts->vi.replaces = true;
}

/* All of them or none. */
static void vi_replace(struct edit *e, const struct vi_command *c)
{
	size_t to = e->cursor, end = edit_line_end(e, to);
	struct buf text = { 0 };

	for (unsigned i = 0; i < c->times && to < end; i++) {
		to = edit_after(e, to);
		buf_add(&text, c->character);
	}
	if (text.len == c->times * c->character.len) {
		edit_change(e, UNDO_ALONE, e->cursor, to, buf_str(&text), EDIT_TYPED);
		e->cursor = edit_before(e, e->cursor);
	}
	buf_fini(&text);
}

/* The other case; chips stay as they are. */
static void vi_turn_case(struct edit *e, const struct vi_command *c)
{
	for (unsigned i = 0; i < c->times && e->cursor < edit_line_end(e, e->cursor); i++) {
		size_t from = e->cursor;
		struct str rest = str_skip(buf_str(&e->text), from);
		wint_t code = (wint_t)utf8_next(&rest), other = iswupper(code) ? towlower(code) : towupper(code);
		size_t to = e->text.len - rest.len;
		char bytes[4];

		if (other != code && edit_word_kind(e, from, true) == WORD_LETTERS)
			edit_change(e, UNDO_ALONE, from, to, str_of(bytes, utf8_put(bytes, (uint32_t)other)), edit_origin(e, from, to));
		e->cursor = edit_after(e, from);
	}
}

/* Lines go below or above the cursor's, other text behind or before it. */
static void vi_put(struct edit *e, const struct vi_command *c)
{
	const struct kill *kill = kills_newest(&e->parts->kills);
	struct str text = kill ? buf_str(&kill->text) : STR_NONE;
	bool lines = str_ends(text, "\n"), behind = c->action->letter == 'p';
	size_t end = edit_line_end(e, e->cursor), at = e->cursor < end && behind ? edit_after(e, e->cursor) : e->cursor;
	struct buf all;

	if (!kill)
		return;
	buf_init(&all, EDIT_LIMIT);
	for (unsigned i = 0; i < c->times; i++)
		buf_add(&all, text);
	text = buf_str(&all);
	if (lines)
		at = behind ? end : edit_line_start(e, e->cursor);
	if (lines && behind) {
		buf_insert(&all, 0, STR("\n"));
		text = str_head(buf_str(&all), all.len - 1);
	}
	edit_change(e, UNDO_ALONE, at, at, text, kill->origin);
	e->cursor = lines ? vi_first_word(e, at + behind, c) : e->cursor > at ? edit_before(e, e->cursor) : e->cursor;
	buf_fini(&all);
}

static void vi_undo(struct edit *e, const struct vi_command *c)
{
	for (unsigned i = 0; i < c->times; i++)
		edit_undo(e);
}

static void vi_again(struct edit *e, const struct vi_command *c);

/* By rows as drawn, as far as there are some. */
static void vi_move_rows(struct edit *e, const struct vi_command *c)
{
	bool up = strchr("k-", c->action->letter) != NULL;

	for (unsigned i = 0; i < c->times && edit_move_rows(e, up ? -1 : 1); i++)
		e->parts->wish = EDIT_NO_WISH;
}

static const struct vi_action vi_actions[] = {
	{ 'i', .act = vi_insert }, { 'I', .act = vi_insert_first }, { 'a', .act = vi_append }, { 'A', .act = vi_append_last },
	{ 'o', .act = vi_open }, { 'O', .act = vi_open }, { 'R', .act = vi_write_over }, { 'r', true, .act = vi_replace },
	{ '~', .act = vi_turn_case }, { 'p', .act = vi_put }, { 'P', .act = vi_put },
	{ 'u', .is_no_change = true, .act = vi_undo }, { '.', .is_no_change = true, .act = vi_again },
	{ 'k', .is_no_change = true, .act = vi_move_rows, .wish = EDIT_OLDER },
	{ '-', .is_no_change = true, .act = vi_move_rows, .wish = EDIT_OLDER },
	{ 'j', .is_no_change = true, .act = vi_move_rows, .wish = EDIT_NEWER },
	{ '+', .is_no_change = true, .act = vi_move_rows, .wish = EDIT_NEWER },
	{ '/', .is_no_change = true, .wish = EDIT_SEARCH }, { '?', .is_no_change = true, .wish = EDIT_SEARCH },
	{ 'n', .is_no_change = true, .wish = EDIT_FIND_OLDER }, { 'N', .is_no_change = true, .wish = EDIT_FIND_NEWER },
	{ 'v', .is_no_change = true, .wish = EDIT_OUTSIDE },
};

/* Letters that are short for an operator and its motion. */
static const struct { char letter; const char *letters; } vi_short[] = {
	{ 'x', "dl" }, { 'X', "dh" }, { 's', "cl" }, { 'S', "cc" }, { 'D', "d$" }, { 'C', "c$" }, { 'Y', "y$" },
};

/* --- reading a command --- */

enum vi_parsed { VI_UNFINISHED, VI_WHOLE, VI_WRONG };

/* The first digit is not 0, which is a motion. 0: there is no count. */
static unsigned vi_take_count(struct str *rest)
{
	unsigned count = 0;

	for (; rest->len && char_is_digit(*rest->ptr) && (count || *rest->ptr != '0'); *rest = str_skip(*rest, 1)) {
		count = count * 10 + (unsigned)(*rest->ptr - '0');
		count = count < VI_TIMES_MOST ? count : VI_TIMES_MOST;
	}
	return count;
}

#define VI_ROW_OF(table, wanted, found) \
	for (size_t row = 0; !*(found) && row < ARRAY_LEN(table); row++) \
		*(found) = (table)[row].letter == (wanted) ? &(table)[row] : NULL

static void vi_find_row(struct vi_command *c, char letter)
{
	if (!c->operator) {
		VI_ROW_OF(vi_actions, letter, &c->action);
		VI_ROW_OF(vi_operators, letter, &c->operator);
		if (c->action || c->operator)
			return;
	}
	c->motion = vi_motion_of(c->operator && letter == c->operator->letter ? '_' : letter);
}

static enum vi_parsed vi_parse(struct str rest, struct vi_command *c)
{
	unsigned before = vi_take_count(&rest), behind = 0;

	*c = (struct vi_command){ .times = 1 };
	for (int letters = 0; letters < 2 && !c->action && !c->motion; letters++) {
		if (c->operator)
			behind = vi_take_count(&rest);
		if (!rest.len)
			return VI_UNFINISHED;
		vi_find_row(c, *rest.ptr);
		if (!c->action && !c->motion && (!c->operator || letters))
			return VI_WRONG;
		rest = str_skip(rest, 1);
	}
	c->is_counted = before || behind;
	c->times = (before ? before : 1) * (behind ? behind : 1);
	c->times = c->times < VI_TIMES_MOST ? c->times : VI_TIMES_MOST;
	c->character = rest;
	return (c->action ? c->action->takes_character : c->motion->takes_character) && !rest.len ? VI_UNFINISHED : VI_WHOLE;
}

/* --- running one --- */

/* As often as the count says, or as there is a place. */
static size_t vi_go(const struct edit *e, const struct vi_command *c)
{
	unsigned times = c->motion->counts ? 1 : c->times, i = 0;
	size_t at = e->cursor, to;

	for (; i < times && (to = c->motion->go(e, at, c)) != VI_NOWHERE; i++)
		at = to;
	return i ? at : VI_NOWHERE;
}

/* The end of the words from `from` on; `to` is where the next one begins. */
static size_t vi_words_end(const struct edit *e, size_t from, size_t to, bool changes)
{
	size_t end = to;

	while (end > from && edit_word_kind(e, edit_before(e, end), true) == WORD_BLANK)
		end = edit_before(e, end);
	if (changes && end > from)
		return end;
	end = edit_line_end(e, end);
	return end < to ? end : to;
}

static void vi_operate(struct edit *e, const struct vi_command *c, size_t place)
{
	size_t from = place < e->cursor ? place : e->cursor, to = place < e->cursor ? e->cursor : place;
	enum vi_reach reach = c->motion->reach;
	bool lines = reach == VI_LINES;

	if (lines) {
		from = edit_line_start(e, from);
		to = edit_line_end(e, to);
	} else if (reach == VI_WORDS) {
		to = vi_words_end(e, from, to, c->operator->letter == 'c');
	} else if ((reach == VI_ONTO || (reach == VI_ONTO_AHEAD && place >= e->cursor)) && to < e->text.len) {
		to = edit_after(e, to);
	}
	c->operator->act(e, from, to, lines);
}

static void vi_run(struct edit *e, const struct vi_command *c)
{
	struct vi_range object;
	size_t place;

	if (!c->action || c->action->act != vi_move_rows)
		e->parts->sticky_column = EDIT_NO_COLUMN;
	if (c->action) {
		e->parts->wish = c->action->wish;
		e->parts->wished = c->times;
		if (c->action->act)
			c->action->act(e, c);
		return;
	}
	if (c->motion->reach == VI_OBJECT) {
		if (vi_object(e, c, &object))
			c->operator->act(e, object.from, object.to, object.lines);
		return;
	}
	place = vi_go(e, c);
	if (place == VI_NOWHERE && c->operator && c->operator->act == vi_change && strchr("lwW", c->motion->letter))
		place = e->cursor; /* where nothing is left, there can be written */
	if (place == VI_NOWHERE)
		return;
	if (c->operator)
		vi_operate(e, c, place);
	else
		e->cursor = c->motion->reach == VI_LINES ? vi_first_word(e, place, c) : place;
}

/* A count replaces that of the command. */
static void vi_again(struct edit *e, const struct vi_command *c)
{
	struct edit_vi *vi = &e->parts->vi;
	struct vi_command last;

	if (!vi->again.len || vi_parse(buf_str(&vi->again), &last) != VI_WHOLE)
		return;
	last.times = c->is_counted ? c->times : last.times;
	last.is_counted |= c->is_counted;
	vi_run(e, &last);
	if (vi->commands)
		return;
	vi_write(e, buf_str(&vi->written), vi->written_origin);
	vi_end_insert(e);
}

/* Runs what was typed, once it is whole. */
static void vi_run_typed(struct edit *e)
{
	struct edit_vi *vi = &e->parts->vi;
	struct vi_command c;
	struct buf letters = { 0 };
	enum vi_parsed parsed = vi_parse(buf_str(&vi->typed), &c);
	unsigned version = e->version;

	if (parsed == VI_UNFINISHED)
		return;
	buf_add(&letters, buf_str(&vi->typed));
	buf_clear(&vi->typed);
	if (parsed == VI_WHOLE) {
		(void)vi_parse(buf_str(&letters), &c); /* its character is borrowed from the letters */
		undo_group(&e->parts->undo);
		vi_run(e, &c);
		if (vi->commands)
			undo_ungroup(&e->parts->undo);
	}
	if (parsed == VI_WHOLE && !(c.action && c.action->is_no_change) && (e->version != version || !vi->commands)) {
		buf_clear(&vi->again);
		buf_add(&vi->again, buf_str(&letters));
		buf_clear(&vi->written);
	}
	buf_fini(&letters);
}

/* An operator works on what is marked. */
static bool vi_takes_marked(struct edit *e, char letter)
{
	struct vi_command c = { .operator = NULL };
	size_t from, to;
	bool is_marked = edit_marked(e, &from, &to);

	e->marked = 0;
	VI_ROW_OF(vi_operators, letter, &c.operator);
	if (!is_marked || !c.operator)
		return false;
	undo_group(&e->parts->undo);
	c.operator->act(e, from, to, false);
	if (e->parts->vi.commands)
		undo_ungroup(&e->parts->undo);
	return true;
}

bool edit_vi_key(struct edit *e, const struct key *key)
{
	struct edit_vi *vi = &e->parts->vi;
	struct str letters = key->code == KEY_BACKSPACE ? STR("h") : key->text;
	struct str begun = buf_str(&vi->typed);

	(void)vi_take_count(&begun);
	for (size_t i = 0; !begun.len && i < ARRAY_LEN(vi_short); i++)
		if (str_is(letters, (char[]){ vi_short[i].letter, 0 }))
			letters = str_from(vi_short[i].letters);
	if (!begun.len && letters.len && vi_takes_marked(e, *letters.ptr)) {
		buf_clear(&vi->typed);
	} else {
		buf_add(&vi->typed, letters);
		vi_run_typed(e);
	}
	edit_vi_settle(e);
	return e->parts->wish == EDIT_NO_WISH;
}
