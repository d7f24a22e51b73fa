#include "app/keep/keep_open.h"

#include <string.h>

#include "app/keep/request_context.h"
#include "app/keep/resume_tape.h"
#include "base/mem.h"
#include "base/search.h"
#include "store/files/tapes.h"

#define FIRST_BYTES ((size_t)64 << 10) /* read at once: more than a screen shows */
#define PORTION_MS 5                   /* how long the loop reads before it looks for keys */
#define LOOK_MS 50                     /* between looks whether the history can be read */
#define PAUSE_MS 500                   /* before another try, when turns cannot be read */

struct resume {
	struct setup *setup;
	struct session *session;
	struct writer *writer;
	struct resume_ways ways;
	char *wanted;        /* the name of the conversation that waits for the history; NULL: none does */
	size_t path_left;    /* turns of the path from its start that are not read */
	size_t next;         /* the nodes from here on may not be read */
	int64_t due_ms;
};

struct resume *resume_new(struct setup *setup, struct session *session, struct writer *writer, const struct resume_ways *ways)
{
	struct resume *r = mem_new(sizeof *r);

	*r = (struct resume){ .setup = setup, .session = session, .writer = writer, .ways = *ways };
	return r;
}

void resume_free(struct resume *r)
{
	if (!r)
		return;
	mem_free(r->wanted);
	mem_free(r);
}

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

/* Of a turn that was not read, what the page needs is known: who said it, when, and how it ended. A node without its parent is left out. */
static bool resume_plant(void *ctx, const struct history_node *node)
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

static struct turn *resume_newest(const struct conversation *c)
{
	size_t count = c->node_count;

	while (count && turn_is_aside(c->nodes[count - 1]))
		count--;
	return count ? c->nodes[count - 1] : NULL;
}

/* Leads the path to the leaf; without one, as the tree says. */
static void resume_lead(struct planting *p, int64_t leaf)
{
	struct conversation *c = p->conversation;
	struct turn *last = turn_of_row(c, leaf), *newest = resume_newest(c);

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

static enum history_status resume_grow(struct history *h, const struct history_conversation *facts, struct conversation *c, struct error *err)
{
	struct planting p = { .conversation = c };
	enum history_status status = history_nodes(h, facts->id, resume_plant, &p, err);

	if (status == HISTORY_OK)
		resume_lead(&p, facts->leaf);
	mem_free(p.children);
	return status;
}

/* --- reading --- */

static size_t resume_bytes(const struct turn *t)
{
	size_t bytes = 0;

	for (size_t i = 0; i < t->part_count; i++)
		bytes += t->parts[i].text.len;
	return bytes;
}

static bool resume_read(struct resume *r, struct turn *t, struct error *err)
{
	struct history *h = writer_history_or(r->writer, err);
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
		writer_failed(r->writer, status, err);
		return false;
	}
	t->revision++;
	t->is_unread = false;
	changed |= broken && resume_take_tape(t);
	if (broken && t->outcome == OUTCOME_CUT)
		turn_note(t, STR("broken"), t->tape && tapes_is_being_written(t->tape) ? STR("another program is receiving it; it has the rest")
		                                                                       : STR("weir ended before the answer did"));
	if (!changed)
		writer_trust(r->writer, t);
	return true;
}

/* The next one: the path from its end to its start, then the other branches. NULL: all are read. */
static struct turn *resume_next(struct resume *r)
{
	struct conversation *c = session_conversation(r->session);

	if (r->path_left > c->count)
		r->path_left = c->count;
	while (r->path_left && !c->turns[r->path_left - 1]->is_unread)
		r->path_left--;
	if (r->path_left)
		return c->turns[r->path_left - 1];
	while (r->next < c->node_count && !c->nodes[r->next]->is_unread)
		r->next++;
	return r->next < c->node_count ? c->nodes[r->next] : NULL;
}

static void resume_is_over(struct resume *r)
{
	session_is_read(r->session);
	session_note_change(r->session); /* figures depend on all turns; and a tape that was taken in is to be kept */
}

static bool resume_is_reading(const struct resume *r)
{
	return session_is_partly(r->session);
}

bool resume_finish(struct resume *r, struct error *err)
{
	struct turn *t;

	while (resume_is_reading(r)) {
		t = resume_next(r);
		if (!t)
			resume_is_over(r);
		else if (!resume_read(r, t, err))
			return false;
	}
	return true;
}

/* What is shown first. */
static bool resume_read_end(struct resume *r, struct error *err)
{
	size_t bytes = 0;

	r->path_left = session_conversation(r->session)->count;
	r->next = 0;
	r->due_ms = 0;
	while (r->path_left && bytes < FIRST_BYTES) {
		struct turn *t = session_conversation(r->session)->turns[--r->path_left];

		if (t->is_unread && !resume_read(r, t, err))
			return false;
		bytes += resume_bytes(t);
	}
	return true;
}

/* --- opening --- */

struct opening {
	struct resume *resume;
	struct conversation *conversation;
	bool options_first;
	enum history_status status;
	struct error err;
};

static bool resume_use_facts(void *ctx, const struct history_conversation *facts)
{
	struct opening *o = ctx;

	o->status = resume_grow(writer_history(o->resume->writer), facts, o->conversation, &o->err);
	return false;
}

static bool resume_tell_facts(void *ctx, const struct history_conversation *facts)
{
	struct opening *o = ctx;
	const struct resume *r = o->resume;

	request_context_use(r->setup, facts, o->options_first, r->ways.tell, r->ways.ctx);
	return false;
}

static void resume_use_stored_facts(struct opening *o, int64_t row)
{
	struct history *h = writer_history(o->resume->writer);
	struct error ignored;

	if (h)
		(void)history_look(h, row, resume_tell_facts, o, &ignored);
}

/* What could not be written yet is in memory only. */
static enum history_status resume_open_left(struct opening *o, struct conversation *left, int64_t row, struct error *err)
{
	struct resume *r = o->resume;
	bool partly = false;

	for (size_t i = 0; i < left->node_count; i++)
		partly |= left->nodes[i]->is_unread;
	if (!session_take(r->session, left, partly, err)) {
		if (writer_release(r->writer, left))
			conversation_free(left);
		return HISTORY_FAILED;
	}
	resume_use_stored_facts(o, row);
	if (partly && !resume_read_end(r, err)) /* the rest of it is tried again */
		r->ways.tell(r->ways.ctx, err->text);
	return HISTORY_OK;
}

static enum history_status resume_read_tree(struct opening *o, struct history *h, int64_t row, struct error *err)
{
	enum history_status status = history_look(h, row, resume_use_facts, o, err);

	if (status == HISTORY_OK && (status = o->status) != HISTORY_OK)
		*err = o->err;
	if (status != HISTORY_OK)
		writer_failed(o->resume->writer, status, err);
	return status;
}

/* The facts are looked at again when the tree is there: they change the setup. Fails otherwise than the history does if an answer runs. */
static enum history_status resume_open_row(struct resume *r, int64_t row, bool options_first, struct error *err)
{
	struct history *h = writer_history_or(r->writer, err);
	struct opening o = { .resume = r, .options_first = options_first };
	struct conversation *left;
	enum history_status status = HISTORY_FAILED;

	if (session_is_busy(r->session)) {
		error_set(err, "an answer is under way: /stop ends it first");
		return HISTORY_FAILED;
	}
	if ((left = writer_reclaim(r->writer, row)))
		return resume_open_left(&o, left, row, err);
	if (!h)
		return HISTORY_FAILED;
	o.conversation = conversation_new();
	o.conversation->stored = row;
	status = resume_read_tree(&o, h, row, err);
	if (status == HISTORY_OK && !session_take(r->session, o.conversation, true, err))
		status = HISTORY_FAILED;
	if (status != HISTORY_OK) {
		conversation_free(o.conversation);
		return status;
	}
	resume_use_stored_facts(&o, row);
	if (!resume_read_end(r, err)) /* the rest of it is tried again */
		r->ways.tell(r->ways.ctx, err->text);
	return HISTORY_OK;
}

bool resume_open(struct resume *r, int64_t row, struct error *err)
{
	return resume_open_row(r, row, false, err) == HISTORY_OK;
}

/* Nothing that lasts is in the way: the loop tries again. */
static bool resume_begin_waiting(struct resume *r, struct str name, struct error *err)
{
	const char *what = writer_preparation(r->writer);

	str_replace(&r->wanted, name);
	return error_set(err, "%s ...", what ? what : "waiting for another program that uses the history");
}

bool resume_open_named(struct resume *r, struct str name, struct error *err)
{
	struct history *h = writer_history_or(r->writer, err);
	const char *trouble = writer_trouble(r->writer);
	enum history_status status = writer_preparation(r->writer) ? HISTORY_BUSY : HISTORY_FAILED;
	int64_t row;

	if (h)
		status = history_find(h, name, &row, err);
	if (h && status == HISTORY_OK)
		status = resume_open_row(r, row, true, err);
	else if (h)
		writer_failed(r->writer, status, err);
	if (status != HISTORY_OK && !trouble && (status == HISTORY_BUSY || writer_preparation(r->writer) /* it is found damaged just now */))
		return resume_begin_waiting(r, name, err);
	return h ? status == HISTORY_OK : error_set(err, "the conversation cannot be opened: %s", trouble ? trouble : err->text);
}

/* --- waiting for the history --- */

bool resume_waits(const struct resume *r)
{
	return r->wanted != NULL;
}

void resume_stop_waiting(struct resume *r)
{
	mem_free(r->wanted);
	r->wanted = NULL;
}

/* Trouble ends the waiting: the chat goes on in memory. */
static void resume_try_again(struct resume *r, int64_t now_ms)
{
	const char *trouble = writer_trouble(r->writer);
	struct error err = { "" };
	bool ready = !trouble && writer_history(r->writer), good;
	char *name;

	r->due_ms = now_ms + LOOK_MS;
	if (!ready && !trouble)
		return;
	name = r->wanted;
	r->wanted = NULL;
	good = resume_open_named(r, str_from(name), &err);
	mem_free(name);
	if (resume_waits(r)) /* it was found damaged meanwhile */
		return;
	if (!good)
		r->ways.tell(r->ways.ctx, err.text);
	r->ways.resumed(r->ways.ctx, good);
}

/* --- the loop's member --- */

static int64_t resume_deadline(void *ctx)
{
	const struct resume *r = ctx;

	return resume_is_reading(r) || resume_waits(r) ? r->due_ms : NO_DEADLINE;
}

static void resume_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct resume *r = ctx;
	struct error err;
	int64_t end_ms = now_ms + PORTION_MS;

	(void)fds, (void)count;
	if (now_ms < r->due_ms)
		return;
	if (resume_waits(r))
		resume_try_again(r, now_ms);
	if (!resume_is_reading(r))
		return;
	do {
		struct turn *t = resume_next(r);

		if (!t)
			resume_is_over(r);
		else if (!resume_read(r, t, &err))
			r->due_ms = now_ms + PAUSE_MS;
	} while (resume_is_reading(r) && r->due_ms <= now_ms && clock_now_ms() < end_ms);
}

struct loop_member resume_member(struct resume *r)
{
	return (struct loop_member){ r, NULL, resume_deadline, resume_run };
}
