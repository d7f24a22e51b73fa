#include "ui/edit/complete.h"

#include <stdlib.h>

#include "base/mem.h"
#include "render/flow.h"
#include "ui/fuzzy.h"

struct row {
	char *text, *fact;
	size_t id, order;
	int score;
};

struct complete {
	struct row *rows;
	size_t count, capacity;
	size_t chosen, top;
	bool picked;            /* a row was selected with Up or Down */
	char *needle;
	const char *left_out;   /* says that there are more; NULL: there are not */
};

struct complete *complete_new(void)
{
	return mem_new(sizeof(struct complete));
}

void complete_close(struct complete *l)
{
	for (size_t i = 0; i < l->count; i++) {
		mem_free(l->rows[i].text);
		mem_free(l->rows[i].fact);
	}
	l->count = l->chosen = l->top = 0;
	l->picked = false;
	l->left_out = NULL;
}

void complete_free(struct complete *l)
{
	if (!l)
		return;
	complete_close(l);
	mem_free(l->rows);
	mem_free(l->needle);
	mem_free(l);
}

void complete_begin(struct complete *l, struct str needle)
{
	complete_close(l);
	mem_free(l->needle);
	l->needle = str_dup(needle);
}

void complete_leave_out(struct complete *l, const char *words)
{
	l->left_out = words;
}

bool complete_is_cut(const struct complete *l)
{
	return l->left_out != NULL;
}

void complete_add(struct complete *l, struct str text, struct str fact, size_t id)
{
	int score = fuzzy_score(str_from(l->needle), text);

	if (score >= 0 && l->count == COMPLETE_MOST)
		complete_leave_out(l, "there are more: type more to find them");
	if (score < 0 || l->count == COMPLETE_MOST)
		return;
	mem_reserve(&l->rows, &l->capacity, l->count + 1, sizeof *l->rows);
	l->rows[l->count] = (struct row){ .text = str_dup(str_head(text, COMPLETE_TEXT_BYTES)), .fact = str_dup(fact),
		.id = id, .order = l->count, .score = score };
	l->count++;
}

static int complete_by_score(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void complete_end(struct complete *l)
{
	if (l->count)
		qsort(l->rows, l->count, sizeof *l->rows, complete_by_score);
}

size_t complete_count(const struct complete *l)
{
	return l->count;
}

struct str complete_choice(const struct complete *l, size_t *id)
{
	*id = l->rows[l->chosen].id;
	return str_from(l->rows[l->chosen].text);
}

void complete_step(struct complete *l, int by)
{
	if (!l->count)
		return;
	l->chosen = by > 0 ? (l->chosen + 1) % l->count : (l->chosen + l->count - 1) % l->count;
	l->picked = true;
}

enum complete_result complete_key(struct complete *l, const struct key *key)
{
	if (!l->count || key->modifiers)
		return COMPLETE_NOT_MINE;
	switch ((int)key->code) {
	case KEY_UP:
	case KEY_DOWN:
		complete_step(l, key->code == KEY_UP ? -1 : 1);
		return COMPLETE_OPEN;
	case KEY_TAB:
		return COMPLETE_TAKEN;
	case KEY_ENTER:
		return l->picked ? COMPLETE_TAKEN : COMPLETE_NOT_MINE;
	case KEY_ESCAPE:
		return COMPLETE_LEFT;
	default:
		return COMPLETE_NOT_MINE;
	}
}

/* With the one that says that there are more. */
static size_t complete_lines(const struct complete *l)
{
	return l->count + complete_is_cut(l);
}

unsigned complete_rows(const struct complete *l, unsigned most)
{
	size_t lines = complete_lines(l);

	most = most < COMPLETE_ROWS ? most : COMPLETE_ROWS;
	return lines < most ? (unsigned)lines : most;
}

static void complete_draw_row(const struct row *row, struct canvas *canvas, struct area line, bool chosen)
{
	enum role_name role = chosen ? ROLE_SHEET_CHOSEN : ROLE_SHEET;
	struct str text = str_from(row->text), fact = str_from(row->fact);
	unsigned room = line.columns > 4 ? line.columns - 4 : 1, used;

	canvas_fill(canvas, line, role);
	if (chosen)
		canvas_put(canvas, line.row, line.column + 1, 1, role, STR(">"));
	used = canvas_put(canvas, line.row, line.column + 3, room, role, text);
	if (used + 2 + flow_columns(fact, room) <= room)
		canvas_put_right(canvas, line.row, line.column + 3, room, chosen ? role : ROLE_SHEET_MUTED, fact);
}

static void complete_draw_line(const struct complete *l, struct canvas *canvas, struct area line, size_t index)
{
	if (index < l->count) {
		complete_draw_row(&l->rows[index], canvas, line, index == l->chosen);
		return;
	}
	canvas_fill(canvas, line, ROLE_SHEET);
	canvas_put(canvas, line.row, line.column + 3, line.columns > 4 ? line.columns - 4 : 1, ROLE_SHEET_MUTED, str_from(l->left_out));
}

/* Where the last row is chosen, the line below it is in view. */
void complete_draw(struct complete *l, struct canvas *canvas, struct area area)
{
	size_t lines = complete_lines(l), shown = l->chosen + 1 == l->count && area.rows > 1 ? lines : l->chosen + 1;

	if (!area.rows)
		return;
	if (l->chosen < l->top)
		l->top = l->chosen;
	if (shown > l->top + area.rows)
		l->top = shown - area.rows;
	if (l->top + area.rows > lines)
		l->top = lines > area.rows ? lines - area.rows : 0;
	for (unsigned r = 0; r < area.rows && l->top + r < lines; r++)
		complete_draw_line(l, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, l->top + r);
}
