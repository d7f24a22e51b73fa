#include "app/keep/keep_inside.h"

#include <string.h>

#include "app/keep/resume_tape.h"
#include "app/session/session.h"
#include "base/mem.h"
#include "base/search.h"
#include "chat/conversation/conversation.h"
#include "store/files/tapes.h"

#define FIRST_BYTES ((size_t)64 << 10) /* read at once: more than a screen shows */
#define PORTION_MS 5                   /* how long the loop reads before it looks for keys */
#define LOOK_MS 50                     /* between looks whether the history can be read */
#define PAUSE_MS 500                   /* before another try, when turns cannot be read */

/* --- the tree --- */

struct planting {
	struct conversation *conversation;
	int64_t *children;   /* by the number of a turn: the row of the turn below it that was shown last */
	size_t capacity;
};

/* Rows grow with their nodes, and a parent precedes what is below it. */
static struct turn *turn_of_row(const struct conversation *c, int64_t row)
{
	struct search s = search_in(0, c->node_count);

	while (search_next(&s))
		search_take(&s, c->nodes[s.middle]->stored < row);
	return s.low < c->node_count && c->nodes[s.low]->stored == row ? c->nodes[s.low] : NULL;
}

struct turn *keep_turn(const struct keep *k, int64_t node)
{
	return turn_of_row(session_conversation(k->session), node);
}

/* Of a turn that was not read, what the page needs is known: who said it, when, and how it ended. A node without its parent is left out. */
static bool keep_plant(void *ctx, const struct history_node *node)
{
	struct planting *p = ctx;
	struct turn *parent = node->parent ? turn_of_row(p->conversation, node->parent) : NULL, *t;

	if (node->parent && !parent)
		return true;
	t = conversation_add(p->conversation, parent, node->role);
	t->stored = node->id;
	t->is_unread = true;
	t->wall = node->wall;
	t->ended = node->ended;
	t->outcome = node->outcome;
	str_replace(&t->scope.model, str_from(node->model));
	str_replace(&t->label, node->label ? str_from(node->label) : STR_NONE);
	mem_reserve(&p->children, &p->capacity, p->conversation->node_count, sizeof *p->children);
	p->children[t->number] = node->child;
	return true;
}

static struct turn *keep_newest(const struct conversation *c)
{
	size_t count = c->node_count;

	while (count && turn_is_aside(c->nodes[count - 1]))
		count--;
	return count ? c->nodes[count - 1] : NULL;
}

/* Leads the path to the leaf; without one, as the tree says. */
static void keep_lead(struct planting *p, int64_t leaf)
{
	struct conversation *c = p->conversation;
	struct turn *last = turn_of_row(c, leaf), *newest = keep_newest(c);

	for (size_t i = 0; i < c->node_count; i++) {
		struct turn *child = turn_of_row(c, p->children[i]);

		if (child && child->parent == c->nodes[i])
			c->nodes[i]->chosen = child;
	}
	if (last)
		conversation_branch(c, last);
	else if (newest)
		conversation_select(c, newest);
}

static enum history_status keep_grow(struct history *h, const struct history_conversation *facts, struct conversation *c, struct error *err)
{
	struct planting p = { .conversation = c };
	enum history_status status = history_nodes(h, facts->id, keep_plant, &p, err);

	if (status == HISTORY_OK)
		keep_lead(&p, facts->leaf);
	mem_free(p.children);
	return status;
}

/* --- reading --- */

static size_t keep_bytes(const struct turn *t)
{
	size_t bytes = 0;

	for (size_t i = 0; i < t->part_count; i++)
		bytes += t->parts[i].text.len;
	return bytes;
}

static bool keep_read(struct keep *k, struct turn *t, struct error *err)
{
	struct history *h = writer_history_or(k->writer, err);
	uint64_t revision = t->revision;
	bool broken = !t->ended, changed = revision > 0; /* a label was set meanwhile */
	char *label = t->label;
	enum history_status status;

	if (!h)
		return error_set(err, "the conversation cannot be read: %s", err->text);
	t->label = NULL;
	status = history_read_turn(h, t->stored, t, err);
	mem_free(t->label);
	t->label = label;
	if (status != HISTORY_OK && status != HISTORY_GONE) { /* gone: another program deleted it meanwhile */
		t->revision = revision;
		writer_failed(k->writer, status, err);
		return false;
	}
	t->revision++;
	t->is_unread = false;
	changed |= broken && resume_take_tape(t);
	if (broken && t->outcome == OUTCOME_CUT)
		turn_note(t, STR("broken"), t->tape && tapes_is_being_written(t->tape) ? STR("another program is receiving it; it has the rest")
		                                                                       : STR("weir ended before the answer did"));
	if (!changed)
		writer_trust(k->writer, t);
	return true;
}

/* The next one: the path from its end to its start, then the other branches. NULL: all are read. */
static struct turn *keep_next(struct keep *k)
{
	struct conversation *c = session_conversation(k->session);

	if (k->opening.path_left > c->count)
		k->opening.path_left = c->count;
	while (k->opening.path_left && !c->turns[k->opening.path_left - 1]->is_unread)
		k->opening.path_left--;
	if (k->opening.path_left)
		return c->turns[k->opening.path_left - 1];
	while (k->opening.next < c->node_count && !c->nodes[k->opening.next]->is_unread)
		k->opening.next++;
	return k->opening.next < c->node_count ? c->nodes[k->opening.next] : NULL;
}

static void keep_is_over(struct keep *k)
{
	session_is_read(k->session);
	session_note_change(k->session); /* figures depend on all turns; and a tape that was taken in is to be kept */
}

static bool keep_is_reading(const struct keep *k)
{
	return session_is_partly(k->session);
}

bool keep_read_all(struct keep *k, struct error *err)
{
	struct turn *t;

	while (keep_is_reading(k)) {
		t = keep_next(k);
		if (!t)
			keep_is_over(k);
		else if (!keep_read(k, t, err))
			return false;
	}
	return true;
}

/* What is shown first. */
static bool keep_read_end(struct keep *k, struct error *err)
{
	size_t bytes = 0;

	k->opening.path_left = session_conversation(k->session)->count;
	k->opening.next = 0;
	k->opening.due_ms = 0;
	while (k->opening.path_left && bytes < FIRST_BYTES) {
		struct turn *t = session_conversation(k->session)->turns[--k->opening.path_left];

		if (t->is_unread && !keep_read(k, t, err))
			return false;
		bytes += keep_bytes(t);
	}
	return true;
}

/* --- opening --- */

static void keep_say_to(void *keep, const char *sentence)
{
	keep_say(keep, sentence);
}

struct opening {
	struct keep *keep;
	struct conversation *conversation;
	bool options_first;
	enum history_status status;
	struct error err;
};

static bool keep_use_facts(void *ctx, const struct history_conversation *facts)
{
	struct opening *o = ctx;

	o->status = keep_grow(writer_history(o->keep->writer), facts, o->conversation, &o->err);
	return false;
}

static bool keep_tell_facts(void *ctx, const struct history_conversation *facts)
{
	struct opening *o = ctx;
	const struct keep *k = o->keep;

	request_context_use(k->setup, facts, o->options_first, keep_say_to, (void *)k);
	return false;
}

static void keep_use_stored_facts(struct opening *o, int64_t row)
{
	struct history *h = writer_history(o->keep->writer);
	struct error ignored;

	if (h)
		(void)history_look(h, row, keep_tell_facts, o, &ignored);
}

/* What could not be written yet is in memory only. */
static enum history_status keep_open_left(struct opening *o, struct conversation *left, int64_t row, struct error *err)
{
	struct keep *k = o->keep;
	bool partly = false;

	for (size_t i = 0; i < left->node_count; i++)
		partly |= left->nodes[i]->is_unread;
	if (!session_take(k->session, left, partly, err)) {
		if (writer_release(k->writer, left))
			conversation_free(left);
		return HISTORY_FAILED;
	}
	keep_use_stored_facts(o, row);
	if (partly && !keep_read_end(k, err)) /* the rest of it is tried again */
		keep_say(k, err->text);
	return HISTORY_OK;
}

static enum history_status keep_read_tree(struct opening *o, struct history *h, int64_t row, struct error *err)
{
	enum history_status status = history_look(h, row, keep_use_facts, o, err);

	if (status == HISTORY_OK && (status = o->status) != HISTORY_OK)
		*err = o->err;
	if (status != HISTORY_OK)
		writer_failed(o->keep->writer, status, err);
	return status;
}

/* The facts are looked at again when the tree is there: they change the setup. Fails otherwise than the history does if an answer runs. */
static enum history_status keep_open_row(struct keep *k, int64_t row, bool options_first, struct error *err)
{
	struct history *h = writer_history_or(k->writer, err);
	struct opening o = { .keep = k, .options_first = options_first };
	struct conversation *left;
	enum history_status status = HISTORY_FAILED;

	if (session_is_busy(k->session)) {
		error_set(err, "an answer is under way: /stop ends it first");
		return HISTORY_FAILED;
	}
	if ((left = writer_reclaim(k->writer, row)))
		return keep_open_left(&o, left, row, err);
	if (!h)
		return HISTORY_FAILED;
	o.conversation = conversation_new();
	o.conversation->stored = row;
	status = keep_read_tree(&o, h, row, err);
	if (status == HISTORY_OK && !session_take(k->session, o.conversation, true, err))
		status = HISTORY_FAILED;
	if (status != HISTORY_OK) {
		conversation_free(o.conversation);
		return status;
	}
	keep_use_stored_facts(&o, row);
	if (!keep_read_end(k, err)) /* the rest of it is tried again */
		keep_say(k, err->text);
	return HISTORY_OK;
}

bool keep_open(struct keep *k, int64_t row, struct error *err)
{
	return keep_open_row(k, row, false, err) == HISTORY_OK;
}

/* Nothing that lasts is in the way: the loop tries again. */
static bool keep_begin_waiting(struct keep *k, struct str name, struct error *err)
{
	const char *what = writer_preparation(k->writer);

	str_replace(&k->opening.wanted, name);
	return error_set(err, "%s ...", what ? what : "waiting for another program that uses the history");
}

bool keep_open_named(struct keep *k, struct str name, struct error *err)
{
	struct history *h = writer_history_or(k->writer, err);
	const char *trouble = writer_trouble(k->writer);
	enum history_status status = writer_preparation(k->writer) ? HISTORY_BUSY : HISTORY_FAILED;
	int64_t row;

	if (h)
		status = history_find(h, name, &row, err);
	if (h && status == HISTORY_OK)
		status = keep_open_row(k, row, true, err);
	else if (h)
		writer_failed(k->writer, status, err);
	if (status != HISTORY_OK && !trouble && (status == HISTORY_BUSY || writer_preparation(k->writer) /* it is found damaged just now */))
		return keep_begin_waiting(k, name, err);
	return h ? status == HISTORY_OK : error_set(err, "the conversation cannot be opened: %s", trouble ? trouble : err->text);
}

/* --- waiting for the history --- */

bool keep_is_waiting(const struct keep *k)
{
	return k->opening.wanted != NULL;
}

void keep_stop_waiting(struct keep *k)
{
	mem_free(k->opening.wanted);
	k->opening.wanted = NULL;
}

/* Trouble ends the waiting: the chat goes on in memory. */
static void keep_try_again(struct keep *k, int64_t now_ms)
{
	const char *trouble = writer_trouble(k->writer);
	struct error err = { "" };
	bool ready = !trouble && writer_history(k->writer), good;
	char *name;

	k->opening.due_ms = now_ms + LOOK_MS;
	if (!ready && !trouble)
		return;
	name = k->opening.wanted;
	k->opening.wanted = NULL;
	good = keep_open_named(k, str_from(name), &err);
	mem_free(name);
	if (keep_is_waiting(k)) /* it was found damaged meanwhile */
		return;
	if (!good)
		keep_say(k, err.text);
	k->ways.resumed(k->ways.ctx, good);
}

/* --- in the loop --- */

int64_t keep_opening_deadline(const struct keep *k)
{
	return keep_is_reading(k) || keep_is_waiting(k) ? k->opening.due_ms : NO_DEADLINE;
}

void keep_opening_run(struct keep *k, int64_t now_ms)
{
	struct error err;
	int64_t end_ms = now_ms + PORTION_MS;

	if (now_ms < k->opening.due_ms)
		return;
	if (keep_is_waiting(k))
		keep_try_again(k, now_ms);
	if (!keep_is_reading(k))
		return;
	do {
		struct turn *t = keep_next(k);

		if (!t)
			keep_is_over(k);
		else if (!keep_read(k, t, &err))
			k->opening.due_ms = now_ms + PAUSE_MS;
	} while (keep_is_reading(k) && k->opening.due_ms <= now_ms && clock_now_ms() < end_ms);
}
