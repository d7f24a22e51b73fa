#include "ui/edit/complete.h"

#include <stdlib.h>

#include "base/mem.h"
#include "ui/list.h"

struct row {
	char *text, *fact;
	size_t id, order;
	int score;
};

struct complete {
	struct row *rows;
	size_t count, capacity;
	struct list_state list;
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
	l->count = 0;
	l->list = (struct list_state){ .marked = 0 };
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
	*id = l->rows[l->list.marked].id;
	return str_from(l->rows[l->list.marked].text);
}

void complete_step(struct complete *l, int by)
{
	if (!l->count)
		return;
	l->list.marked = by > 0 ? (l->list.marked + 1) % l->count : (l->list.marked + l->count - 1) % l->count;
	l->picked = true;
}

enum complete_result complete_key(struct complete *l, const struct key *key)
{
	if (!l->count || key->modifiers)
		return COMPLETE_NOT_MINE;
	long step = scroll_rows(key, 0, 0);
	if (step)
		complete_step(l, (int)step);
	if (key->code == KEY_TAB || (key->code == KEY_ENTER && l->picked))
		return COMPLETE_TAKEN;
	return step ? COMPLETE_OPEN : key->code == KEY_ESCAPE ? COMPLETE_LEFT : COMPLETE_NOT_MINE;
}

unsigned complete_rows(const struct complete *l, unsigned most)
{
	size_t lines = l->count + complete_is_cut(l);

	most = most < COMPLETE_ROWS ? most : COMPLETE_ROWS;
	return lines < most ? (unsigned)lines : most;
}

static void complete_item(void *ctx, size_t index, struct list_item *out)
{
	const struct row *row = &((const struct complete *)ctx)->rows[index];

	out->text = str_from(row->text);
	out->facts[0] = str_from(row->fact);
}

void complete_draw(struct complete *l, struct canvas *canvas, struct area area)
{
	list_draw_rows(&(struct list){ .item = complete_item, .ctx = l, .count = l->count, .more = l->left_out, .fit = LIST_BESIDE },
	               &l->list, canvas, area);
}
