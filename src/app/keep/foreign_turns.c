#include "app/keep/foreign_turns.h"

#include <stdlib.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"

struct known { int64_t row; struct turn *turn; };

struct adding {
	struct conversation *conversation;
	struct known *known;     /* by their rows; behind `sorted`, those that were added */
	size_t sorted, count, capacity;
	bool waits;              /* an answer has not ended, or the rows could not be read */
};

static int compare_rows(const void *a, const void *b)
{
	const struct known *x = a, *y = b;

	return (x->row > y->row) - (x->row < y->row);
}

static void foreign_turns_know(struct adding *a, struct turn *t)
{
	mem_reserve(&a->known, &a->capacity, a->count + 1, sizeof *a->known);
	a->known[a->count++] = (struct known){ t->stored, t };
}

static struct turn *foreign_turns_find(const struct adding *a, int64_t row)
{
	const struct known key = { .row = row }, *found = a->sorted ? bsearch(&key, a->known, a->sorted, sizeof key, compare_rows) : NULL;

	for (size_t i = a->sorted; !found && i < a->count; i++)
		if (a->known[i].row == row)
			found = &a->known[i];
	return found ? found->turn : NULL;
}

/* A node comes after its parent. What is below a turn that is not here, or was removed here, is left out. */
static bool foreign_turns_see(void *ctx, const struct history_node *node)
{
	struct adding *a = ctx;
	struct turn *parent = node->parent ? foreign_turns_find(a, node->parent) : NULL, *t;

	if (foreign_turns_find(a, node->id) || (node->parent && (!parent || parent->removed)))
		return true;
	a->waits |= !node->ended;
	if (!node->ended)
		return true;
	t = conversation_add(a->conversation, parent, node->role);
	t->stored = node->id;
	foreign_turns_know(a, t);
	return true;
}

/* One that cannot be read is there without its text, and is as little written as the others. */
static void foreign_turns_read(struct writer *w, struct turn *t)
{
	struct history *h = writer_history(w);
	struct error err = { "the history cannot be read" };

	if (!h || history_read_turn(h, t->stored, t, &err) != HISTORY_OK) {
		t->ended = true;
		t->outcome = OUTCOME_CUT;
		turn_note(t, STR("broken"), str_from(err.text));
	}
	t->revision++;
	writer_trust(w, t);
}

size_t foreign_turns_add(struct writer *w, struct conversation *c, int64_t row)
{
	struct adding a = { .conversation = c };
	struct history *h = writer_history(w);
	struct error err;
	size_t before;

	for (size_t i = 0; i < c->node_count; i++)
		if (c->nodes[i]->stored)
			foreign_turns_know(&a, c->nodes[i]);
	a.sorted = a.count;
	if (a.count)
		qsort(a.known, a.count, sizeof *a.known, compare_rows);
	before = c->node_count;
	a.waits = !h || history_nodes(h, row, foreign_turns_see, &a, &err) != HISTORY_OK || a.waits;
	for (size_t i = before; i < c->node_count; i++)
		foreign_turns_read(w, c->nodes[i]);
	if (!a.waits)
		writer_knows_foreign_turns(w);
	mem_free(a.known);
	return c->node_count - before;
}
