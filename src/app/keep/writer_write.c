/* What the writer writes: turns that are new or have changed, labels, the leaf, removals. */
#include "app/keep/writer_inside.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/meter.h"
#include "chat/conversation/title.h"

#define TURNS_AT_ONCE 32

/* --- the conversation --- */

static bool writer_copy_key(void *ctx, const struct history_conversation *c)
{
	struct writer *w = ctx;

	str_replace(&w->now.key, str_from(c->key));
	return false;
}

/* The title of a conversation that has none is made of its first prompt. */
static enum history_status writer_begin(struct writer *w, int64_t *row, struct error *err)
{
	struct history_conversation facts = w->now.facts;
	const struct turn *first = conversation_child(w->now.conversation, NULL);
	char *title = title_of_prompt(first ? first : w->now.conversation->nodes[0]);
	enum history_status status;

	facts.key = w->now.key; /* set if it was there before the file was recovered */
	if (!facts.title && *title) {
		facts.title = title;
		facts.titled_by = "prompt";
	}
	status = history_begin(w->history, &facts, row, err);
	mem_free(title);
	return status;
}

/* --- turns --- */

bool writer_is_due(const struct writer *w, const struct turn *t)
{
	const struct kept *kept = &w->now.kept[t->number];

	return !t->removed && !t->is_unread &&
	       (!kept->written || kept->revision != t->revision || kept->ended != t->ended || kept->taped != (t->tape != NULL) ||
	        kept->detailed != (t->details != NULL));
}

uint64_t writer_characters(const struct turn *t)
{
	const struct meter *m = &t->meter;

	return m->text.narrow + m->text.wide + m->reasoning.narrow + m->reasoning.wide + m->tools.narrow + m->tools.wide;
}

struct kept writer_kept(const struct turn *t)
{
	return (struct kept){ .revision = t->revision, .characters = writer_characters(t), .written = true, .ended = t->ended,
	                      .labelled = t->label != NULL, .taped = t->tape != NULL, .detailed = t->details != NULL };
}

/* A transaction: the turns that were written in it become known as stored when it has been committed. */
struct writing {
	struct writer *w;
	int64_t row;                       /* of the conversation */
	int64_t leaf;
	struct turn *turns[TURNS_AT_ONCE];
	size_t count;
	struct turn *failed;               /* the turn that could not be written; NULL: none */
	bool all;                          /* nothing is left to be written */
	bool others;                       /* there are rows that nobody here has written */
};

static int64_t writer_row_of(const struct writer *w, const struct turn *t)
{
	return !t ? 0 : w->now.kept[t->number].pending ? w->now.kept[t->number].pending : t->stored;
}

/* Every turn has a row. */
static bool writer_is_whole(const struct writer *w)
{
	size_t i = w->now.conversation->node_count;

	while (i && w->now.conversation->nodes[i - 1]->stored)
		i--;
	return !i;
}

static enum history_status writer_put(struct writing *batch, struct turn *t, struct error *err)
{
	struct writer *w = batch->w;
	struct kept *kept = &w->now.kept[t->number];
	enum history_status status;

	kept->pending = t->stored;
	batch->turns[batch->count++] = t;
	status = history_put_turn(w->history, batch->row, writer_row_of(w, t->parent), t, &kept->pending, err);
	if (status == HISTORY_OK && !t->stored)
		batch->leaf = kept->pending;
	if (status == HISTORY_OK && (t->label || kept->labelled))
		status = history_label(w->history, kept->pending, t->label, err);
	if (status != HISTORY_OK)
		batch->failed = t;
	return status;
}

/* Rows of others are looked for before a new one of ours is behind them. */
static enum history_status writer_see_others(struct writing *batch, struct error *err)
{
	struct writer *w = batch->w;
	enum history_status status;
	int64_t newest;

	if (!batch->row || writer_is_whole(w))
		return HISTORY_OK;
	status = history_newest_node(w->history, batch->row, &newest, err);
	batch->others = status == HISTORY_OK && newest > w->now.newest;
	return status;
}

static enum history_status writer_put_turns(struct writing *batch, struct error *err)
{
	enum history_status status = HISTORY_OK;
	size_t i = 0;

	for (; i < batch->w->now.conversation->node_count && status == HISTORY_OK && batch->count < TURNS_AT_ONCE; i++)
		if (writer_is_due(batch->w, batch->w->now.conversation->nodes[i]))
			status = writer_put(batch, batch->w->now.conversation->nodes[i], err);
	batch->all = i == batch->w->now.conversation->node_count;
	return status;
}

static enum history_status writer_put_leaf(struct writing *batch, struct error *err)
{
	int64_t leaf = writer_row_of(batch->w, conversation_last(batch->w->now.conversation));

	if (!leaf || leaf == batch->leaf)
		return HISTORY_OK;
	batch->leaf = leaf;
	return history_set_leaf(batch->w->history, batch->row, leaf, err);
}

static enum history_status writer_put_all(struct writing *batch, struct error *err)
{
	struct writer *w = batch->w;
	enum history_status status = HISTORY_OK;

	if (!batch->row)
		status = writer_begin(w, &batch->row, err);
	else if (w->now.facts_due)
		status = history_change(w->history, batch->row, &w->now.facts, err);
	if (status == HISTORY_OK)
		status = writer_see_others(batch, err);
	if (status == HISTORY_OK)
		status = writer_put_turns(batch, err);
	return status == HISTORY_OK && batch->all ? writer_put_leaf(batch, err) : status;
}

static void writer_adopt(const struct writing *batch, bool committed)
{
	struct writer *w = batch->w;

	for (size_t i = 0; i < batch->count; i++) {
		struct turn *t = batch->turns[i];
		struct kept *kept = &w->now.kept[t->number];

		if (committed) {
			int64_t mark = kept->mark;

			t->stored = kept->pending;
			w->now.newest = t->stored > w->now.newest ? t->stored : w->now.newest;
			*kept = writer_kept(t);
			kept->mark = mark;
		}
		kept->pending = 0;
	}
	if (!committed)
		return;
	w->now.row = batch->row;
	w->now.leaf = batch->leaf;
	w->now.facts_due = false;
	w->now.others |= batch->others;
}

static enum history_status writer_write_turns(struct writer *w, bool *all, struct error *err)
{
	struct writing batch = { .w = w, .row = w->now.row, .leaf = w->now.leaf };
	struct error why = { "" };
	enum history_status status = history_batch(w->history, err), committed;

	if (status == HISTORY_OK)
		status = writer_put_all(&batch, err);
	committed = history_commit(w->history, &why);
	if (status == HISTORY_OK && committed != HISTORY_OK)
		*err = why;
	if (committed != HISTORY_OK && status != HISTORY_GONE)
		status = committed;
	writer_adopt(&batch, status == HISTORY_OK);
	*all = batch.all;
	if (status == HISTORY_GONE && w->now.replaced && batch.failed && batch.failed->stored) {
		batch.failed->stored = 0; /* lost with the file that was damaged: the next try writes it anew */
		return HISTORY_BUSY;
	}
	return status;
}

/* --- removals --- */

/* It was deleted for good meanwhile: it is written anew, with all below it. A parent precedes what is below it. */
static void writer_write_anew(struct writer *w, struct turn *top)
{
	top->stored = 0;
	for (size_t i = top->number; i < w->now.conversation->node_count; i++) {
		struct turn *t = w->now.conversation->nodes[i];

		if (t != top && (!t->parent || t->parent->stored || w->now.kept[t->parent->number].written))
			continue;
		t->stored = 0;
		w->now.kept[i] = (struct kept){ 0 };
	}
}

static enum history_status writer_undelete(struct writer *w, struct turn *t, struct error *err)
{
	struct kept *kept = &w->now.kept[t->number];
	enum history_status status = history_undelete(w->history, kept->mark, err);

	if (status == HISTORY_GONE)
		writer_write_anew(w, t);
	if (status == HISTORY_OK)
		kept->mark = 0;
	return status == HISTORY_GONE ? HISTORY_OK : status;
}

static bool writer_see_titled_by(void *titled_by_prompt, const struct history_conversation *c)
{
	*(bool *)titled_by_prompt = c->titled_by && !strcmp(c->titled_by, "prompt");
	return false;
}

/* A title has words of the first prompt: another prompt is the first one now. */
static enum history_status writer_change_title(struct writer *w, struct error *err)
{
	const struct turn *first = conversation_child(w->now.conversation, NULL);
	bool by_prompt = false;
	enum history_status status = history_look(w->history, w->now.row, writer_see_titled_by, &by_prompt, err);
	char *title = status == HISTORY_OK && by_prompt && first ? title_of_prompt(first) : NULL;

	if (title && *title)
		status = history_change(w->history, w->now.row, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, err);
	mem_free(title);
	return status;
}

static enum history_status writer_write_removals(struct writer *w, struct error *err)
{
	enum history_status status = HISTORY_OK;
	bool first_changes = false;

	for (size_t i = 0; status == HISTORY_OK && i < w->now.conversation->node_count; i++) {
		struct turn *t = w->now.conversation->nodes[i];
		struct kept *kept = &w->now.kept[i];

		if (kept->mark && !t->removed) {
			status = writer_undelete(w, t, err);
			first_changes |= !t->parent;
		} else if (!kept->mark && t->stored && t->removed && (!t->parent || t->parent->removed != t->removed)) {
			/* the top of a removed subtree: the only turn of it whose parent was not removed with it */
			status = history_delete(w->history, w->now.row, t->stored, &kept->mark, err);
			kept->mark = status == HISTORY_OK ? kept->mark : 0;
			first_changes |= !t->parent;
		}
	}
	return status == HISTORY_OK && first_changes ? writer_change_title(w, err) : status;
}

/* --- all of it --- */

enum history_status writer_write(struct writer *w, struct error *err)
{
	enum history_status status = HISTORY_OK;
	bool all = true;

	if (!w->now.conversation || !w->now.conversation->node_count) {
		w->now.behind = false;
		return HISTORY_OK;
	}
	mem_reserve(&w->now.kept, &w->now.kept_capacity, w->now.conversation->node_count, sizeof *w->now.kept);
	while (w->now.kept_count < w->now.conversation->node_count)
		w->now.kept[w->now.kept_count++] = (struct kept){ 0 };
	if (w->now.row) /* first, because what is shown then may lie in what is restored */
		status = writer_write_removals(w, err);
	if (status == HISTORY_OK)
		status = writer_write_turns(w, &all, err);
	if (status == HISTORY_OK && !w->now.key)
		status = history_look(w->history, w->now.row, writer_copy_key, w, err);
	if (status == HISTORY_OK)
		w->now.behind = !all;
	return status;
}

/* --- after a recovery --- */

enum history_status writer_find_again(struct writer *w, struct error *err)
{
	enum history_status status;
	int64_t row = 0;

	if (!w->now.conversation || !w->now.row || !w->now.key) {
		w->now.lost = false;
		return HISTORY_OK;
	}
	status = history_find(w->history, str_from(w->now.key), &row, err);
	if (status != HISTORY_OK && status != HISTORY_GONE)
		return status;
	w->now.lost = false;
	if (row != w->now.row) {
		for (size_t i = 0; i < w->now.conversation->node_count; i++)
			w->now.conversation->nodes[i]->stored = 0;
		for (size_t i = 0; i < w->now.kept_count; i++)
			w->now.kept[i] = (struct kept){ 0 };
		w->now.row = w->now.leaf = w->now.newest = 0;
	}
	for (size_t i = 0; i < w->now.kept_count; i++) /* what the file lost is found out by writing all again */
		w->now.kept[i].written = false;
	w->now.leaf = 0;
	return HISTORY_OK;
}
