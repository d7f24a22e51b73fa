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
	struct writer *k = ctx;

	str_replace(&k->now.key, str_from(c->key));
	return false;
}

/* The title of a conversation that has none is made of its first prompt. */
static enum history_status writer_begin(struct writer *k, int64_t *row, struct error *err)
{
	struct history_conversation facts = k->now.facts;
	const struct turn *first = conversation_child(k->now.conversation, NULL);
	char *title = title_of_prompt(first ? first : k->now.conversation->nodes[0]);
	enum history_status status;

	facts.key = k->now.key; /* set if it was there before the file was recovered */
	if (!facts.title && *title) {
		facts.title = title;
		facts.titled_by = "prompt";
	}
	status = history_begin(k->history, &facts, row, err);
	mem_free(title);
	return status;
}

/* --- turns --- */

bool writer_is_due(const struct writer *k, const struct turn *t)
{
	const struct kept *kept = &k->now.kept[t->number];

	return !t->removed && !t->is_unread && (!kept->written || kept->revision != t->revision || kept->ended != t->ended || kept->taped != (t->tape != NULL) ||
	                       kept->detailed != (t->details != NULL));
}

uint64_t writer_characters(const struct turn *t)
{
	const struct meter *m = &t->meter;

	return m->text.narrow + m->text.wide + m->reasoning.narrow + m->reasoning.wide + m->tools.narrow + m->tools.wide;
}

struct kept writer_kept(const struct turn *t)
{
	return (struct kept){ .revision = t->revision, .characters = writer_characters(t), .written = true, .ended = t->ended, .labelled = t->label != NULL, .taped = t->tape != NULL,
	                      .detailed = t->details != NULL };
}

/* A transaction: the turns that were written in it become known as stored when it has been committed. */
struct writing {
	struct writer *k;
	int64_t row;                       /* of the conversation */
	int64_t leaf;
	struct turn *turns[TURNS_AT_ONCE];
	size_t count;
	struct turn *failed;               /* the turn that could not be written; NULL: none */
	bool all;                          /* nothing is left to be written */
	bool others;                       /* there are rows that nobody here has written */
};

static int64_t writer_row_of(const struct writer *k, const struct turn *t)
{
	return !t ? 0 : k->now.kept[t->number].pending ? k->now.kept[t->number].pending : t->stored;
}

/* Every turn has a row. */
static bool writer_is_whole(const struct writer *k)
{
	size_t i = k->now.conversation->node_count;

	while (i && k->now.conversation->nodes[i - 1]->stored)
		i--;
	return !i;
}

static enum history_status writer_put(struct writing *w, struct turn *t, struct error *err)
{
	struct writer *k = w->k;
	struct kept *kept = &k->now.kept[t->number];
	enum history_status status;

	kept->pending = t->stored;
	w->turns[w->count++] = t;
	status = history_put_turn(k->history, w->row, writer_row_of(k, t->parent), t, &kept->pending, err);
	if (status == HISTORY_OK && !t->stored)
		w->leaf = kept->pending;
	if (status == HISTORY_OK && (t->label || kept->labelled))
		status = history_label(k->history, kept->pending, t->label, err);
	if (status != HISTORY_OK)
		w->failed = t;
	return status;
}

/* Rows of others are looked for before a new one of ours is behind them. */
static enum history_status writer_see_others(struct writing *w, struct error *err)
{
	struct writer *k = w->k;
	enum history_status status;
	int64_t newest;

	if (!w->row || writer_is_whole(k))
		return HISTORY_OK;
	status = history_newest_node(k->history, w->row, &newest, err);
	w->others = status == HISTORY_OK && newest > k->now.newest;
	return status;
}

static enum history_status writer_put_turns(struct writing *w, struct error *err)
{
	enum history_status status = HISTORY_OK;
	size_t i = 0;

	for (; i < w->k->now.conversation->node_count && status == HISTORY_OK && w->count < TURNS_AT_ONCE; i++)
		if (writer_is_due(w->k, w->k->now.conversation->nodes[i]))
			status = writer_put(w, w->k->now.conversation->nodes[i], err);
	w->all = i == w->k->now.conversation->node_count;
	return status;
}

static enum history_status writer_put_leaf(struct writing *w, struct error *err)
{
	int64_t leaf = writer_row_of(w->k, conversation_last(w->k->now.conversation));

	if (!leaf || leaf == w->leaf)
		return HISTORY_OK;
	w->leaf = leaf;
	return history_set_leaf(w->k->history, w->row, leaf, err);
}

static enum history_status writer_put_all(struct writing *w, struct error *err)
{
	struct writer *k = w->k;
	enum history_status status = HISTORY_OK;

	if (!w->row)
		status = writer_begin(k, &w->row, err);
	else if (k->now.facts_due)
		status = history_change(k->history, w->row, &k->now.facts, err);
	if (status == HISTORY_OK)
		status = writer_see_others(w, err);
	if (status == HISTORY_OK)
		status = writer_put_turns(w, err);
	return status == HISTORY_OK && w->all ? writer_put_leaf(w, err) : status;
}

static void writer_adopt(const struct writing *w, bool committed)
{
	struct writer *k = w->k;

	for (size_t i = 0; i < w->count; i++) {
		struct turn *t = w->turns[i];
		struct kept *kept = &k->now.kept[t->number];

		if (committed) {
			int64_t mark = kept->mark;

			t->stored = kept->pending;
			k->now.newest = t->stored > k->now.newest ? t->stored : k->now.newest;
			*kept = writer_kept(t);
			kept->mark = mark;
		}
		kept->pending = 0;
	}
	if (!committed)
		return;
	k->now.row = w->row;
	k->now.leaf = w->leaf;
	k->now.facts_due = false;
	k->now.others |= w->others;
}

static enum history_status writer_write_turns(struct writer *k, bool *all, struct error *err)
{
	struct writing w = { .k = k, .row = k->now.row, .leaf = k->now.leaf };
	struct error why = { "" };
	enum history_status status = history_batch(k->history, err), committed;

	if (status == HISTORY_OK)
		status = writer_put_all(&w, err);
	committed = history_commit(k->history, &why);
	if (status == HISTORY_OK && committed != HISTORY_OK)
		*err = why;
	if (committed != HISTORY_OK && status != HISTORY_GONE)
		status = committed;
	writer_adopt(&w, status == HISTORY_OK);
	*all = w.all;
	if (status == HISTORY_GONE && k->now.replaced && w.failed && w.failed->stored) {
		w.failed->stored = 0; /* lost with the file that was damaged: the next try writes it anew */
		return HISTORY_BUSY;
	}
	return status;
}

/* --- removals --- */

/* The top of a removed subtree is the only one of it whose parent was not removed with it. */
static bool writer_is_top(const struct turn *t)
{
	return t->removed && (!t->parent || t->parent->removed != t->removed);
}

/* It was deleted for good meanwhile: it is written anew, with all below it. A parent precedes what is below it. */
static void writer_write_anew(struct writer *k, struct turn *top)
{
	top->stored = 0;
	for (size_t i = top->number; i < k->now.conversation->node_count; i++) {
		struct turn *t = k->now.conversation->nodes[i];

		if (t != top && (!t->parent || t->parent->stored || k->now.kept[t->parent->number].written))
			continue;
		t->stored = 0;
		k->now.kept[i] = (struct kept){ 0 };
	}
}

static enum history_status writer_undelete(struct writer *k, struct turn *t, struct error *err)
{
	struct kept *kept = &k->now.kept[t->number];
	enum history_status status = history_undelete(k->history, kept->mark, err);

	if (status == HISTORY_GONE)
		writer_write_anew(k, t);
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
static enum history_status writer_change_title(struct writer *k, struct error *err)
{
	const struct turn *first = conversation_child(k->now.conversation, NULL);
	bool by_prompt = false;
	enum history_status status = history_look(k->history, k->now.row, writer_see_titled_by, &by_prompt, err);
	char *title = status == HISTORY_OK && by_prompt && first ? title_of_prompt(first) : NULL;

	if (title && *title)
		status = history_change(k->history, k->now.row, &(struct history_conversation){ .title = title, .titled_by = "prompt" }, err);
	mem_free(title);
	return status;
}

static enum history_status writer_write_removals(struct writer *k, struct error *err)
{
	enum history_status status = HISTORY_OK;
	bool first_changes = false;

	for (size_t i = 0; status == HISTORY_OK && i < k->now.conversation->node_count; i++) {
		struct turn *t = k->now.conversation->nodes[i];
		struct kept *kept = &k->now.kept[i];

		if (kept->mark && !t->removed) {
			status = writer_undelete(k, t, err);
			first_changes |= !t->parent;
		} else if (!kept->mark && t->stored && writer_is_top(t)) {
			status = history_delete(k->history, k->now.row, t->stored, &kept->mark, err);
			kept->mark = status == HISTORY_OK ? kept->mark : 0;
			first_changes |= !t->parent;
		}
	}
	return status == HISTORY_OK && first_changes ? writer_change_title(k, err) : status;
}

/* --- all of it --- */

static void writer_count_turns(struct writer *k)
{
	mem_reserve(&k->now.kept, &k->now.kept_capacity, k->now.conversation->node_count, sizeof *k->now.kept);
	while (k->now.kept_count < k->now.conversation->node_count)
		k->now.kept[k->now.kept_count++] = (struct kept){ 0 };
}

enum history_status writer_write(struct writer *k, struct error *err)
{
	enum history_status status = HISTORY_OK;
	bool all = true;

	if (!k->now.conversation || !k->now.conversation->node_count) {
		k->now.behind = false;
		return HISTORY_OK;
	}
	writer_count_turns(k);
	if (k->now.row) /* first, because what is shown then may lie in what is restored */
		status = writer_write_removals(k, err);
	if (status == HISTORY_OK)
		status = writer_write_turns(k, &all, err);
	if (status == HISTORY_OK && !k->now.key)
		status = history_look(k->history, k->now.row, writer_copy_key, k, err);
	if (status == HISTORY_OK)
		k->now.behind = !all;
	return status;
}

/* --- after a recovery --- */

static void writer_forget_rows(struct writer *k)
{
	for (size_t i = 0; i < k->now.conversation->node_count; i++)
		k->now.conversation->nodes[i]->stored = 0;
	writer_forget_kept(k);
	k->now.row = k->now.leaf = k->now.newest = 0;
}

enum history_status writer_find_again(struct writer *k, struct error *err)
{
	enum history_status status;
	int64_t row = 0;

	if (!k->now.conversation || !k->now.row || !k->now.key) {
		k->now.lost = false;
		return HISTORY_OK;
	}
	status = history_find(k->history, str_from(k->now.key), &row, err);
	if (status != HISTORY_OK && status != HISTORY_GONE)
		return status;
	k->now.lost = false;
	if (row != k->now.row)
		writer_forget_rows(k);
	for (size_t i = 0; i < k->now.kept_count; i++) /* what the file lost is found out by writing all again */
		k->now.kept[i].written = false;
	k->now.leaf = 0;
	return HISTORY_OK;
}
