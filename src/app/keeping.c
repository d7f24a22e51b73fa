#include "app/keeping.h"

#include <string.h>

#include "app/output.h"

#define IDLE_MS 20000   /* without a change, until the history is tended */
#define LEAVE_MS 150    /* how long another conversation waits until this one is kept */
#define SETTLE_MS 2000  /* the same at the end of the program */

/* --- which conversation is kept --- */

/* What was private stays so. */
static void keeping_take(struct keeping *k)
{
	struct conversation *c = session_conversation(k->session);

	k->private_from = c->is_private ? SIZE_MAX : c->node_count;
	c->is_private |= !setup_keeps(k->setup);
	k->is_kept = !c->is_private;
	k->facts_known = false;
	k->is_new = true;
	k->changes = session_changes(k->session);
	keeper_take(k->keeper, k->is_kept ? c : NULL, k->is_kept ? c->stored : 0);
}

/* A copy that is undone goes from the history too. */
static void keeping_drop(struct keeping *k, int64_t row)
{
	struct history *h = row ? keeper_history(k->keeper) : NULL;
	enum history_status status = HISTORY_OK;
	struct error err = { "" };
	int64_t mark;

	if (h)
		status = history_delete(h, row, 0, &mark, &err);
	if (status != HISTORY_OK && status != HISTORY_GONE)
		keeper_failed(k->keeper, status, &err);
	k->purges |= h != NULL;
}

static void keeping_leave(void *ctx, bool drop)
{
	struct keeping *k = ctx;
	struct conversation *c = session_conversation(k->session);

	k->purges |= c->removals > 0;
	if (!k->is_kept)
		return;
	keeper_note(k->keeper);
	(void)keeper_settle(k->keeper, LEAVE_MS); /* trouble was told */
	c->stored = keeper_row(k->keeper);
	keeper_take(k->keeper, NULL, 0);
	k->is_kept = false;
	if (drop)
		keeping_drop(k, c->stored);
}

static void keeping_enter(void *ctx)
{
	struct keeping *k = ctx;

	keeping_take(k);
	k->ways.entered(k->ways.ctx);
}

static bool keeping_complete(void *ctx, struct error *err)
{
	return resume_finish(((struct keeping *)ctx)->resume, err);
}

/* --- what is private --- */

bool keeping_is_private(const struct keeping *k)
{
	return !setup_keeps(k->setup) || session_conversation(k->session)->is_private;
}

const char *keeping_unkept(const struct keeping *k)
{
	return keeping_is_private(k) ? "private" : keeper_trouble(k->keeper) ? "not kept" : NULL;
}

static void keeping_end_private(struct keeping *k, struct error *sentence)
{
	struct conversation *c = session_conversation(k->session);

	k->setup->private = false;
	if (!setup_keeps(k->setup)) {
		error_set(sentence, "the setting history is no: nothing is kept");
	} else if (c->node_count != k->private_from) {
		error_set(sentence, "this conversation stays private; the next one is kept (/new)");
	} else {
		c->is_private = false;
		keeping_take(k);
		error_set(sentence, "not private any more: this conversation is kept");
	}
}

static void keeping_begin_private(struct keeping *k, struct error *sentence)
{
	bool was_stored = session_conversation(k->session)->node_count && k->is_kept;

	keeping_leave(k, false);
	k->setup->private = true;
	keeping_take(k);
	error_set(sentence, was_stored ? "private from here on: what was said so far stays in the history, what follows is kept nowhere"
	                               : "private: nothing of this conversation is kept, tapes included");
}

void keeping_toggle_private(struct keeping *k, struct error *sentence)
{
	if (session_live(k->session)) {
		error_set(sentence, "an answer is under way: /stop ends it first");
		return;
	}
	if (k->setup->private)
		keeping_end_private(k, sentence);
	else
		keeping_begin_private(k, sentence);
	if (k->ways.toggled)
		k->ways.toggled(k->ways.ctx);
}

/* history = no may be set at any time. */
static void keeping_heed_setting(struct keeping *k)
{
	if (!k->is_kept || setup_keeps(k->setup))
		return;
	keeping_leave(k, false);
	keeping_take(k);
}

/* --- what has changed --- */

static bool keeping_is_same(const struct buf *a, const struct buf *b)
{
	return str_equal(buf_str(a), buf_str(b));
}

static void keeping_tell_facts(struct keeping *k)
{
	struct history_conversation lent = { 0 };
	struct facts now = { 0 };

	facts_take(k->setup, &now);
	bool is_first = !k->facts_known;
	bool same = k->facts_known && keeping_is_same(&now.system, &k->facts.system) && keeping_is_same(&now.parameters, &k->facts.parameters) &&
	            keeping_is_same(&now.tools, &k->facts.tools) && keeping_is_same(&now.schema, &k->facts.schema);
	facts_fini(&k->facts);
	k->facts = now;
	k->facts_known = true;
	facts_lend(&k->facts, !keeper_row(k->keeper) && is_first, &lent);
	if (!same)
		keeper_facts(k->keeper, &lent);
}

/* A conversation that was only opened is not written. */
static void keeping_follow_facts(struct keeping *k)
{
	bool live = session_live(k->session) != NULL, begins = live && !k->live;

	k->live = live;
	if (begins || (k->is_new ? !session_conversation(k->session)->stored : k->setup_changes != k->setup->changes))
		keeping_tell_facts(k);
	k->is_new = false;
	k->setup_changes = k->setup->changes;
}

static void keeping_follow(struct keeping *k, int64_t now_ms)
{
	keeping_heed_setting(k);
	if (!k->is_kept)
		return;
	keeping_follow_facts(k);
	if (k->changes == session_changes(k->session))
		return;
	k->changes = session_changes(k->session);
	k->idle_ms = now_ms;
	k->tends = true;
	keeper_note(k->keeper);
}

static void keeping_tend(struct keeping *k, int64_t now_ms)
{
	bool idle = k->tends && !session_live(k->session) && now_ms >= k->idle_ms + IDLE_MS;

	if (!idle && !keeper_wants_tending(k->keeper))
		return;
	k->tends = false;
	keeper_tend(k->keeper, false);
}

/* --- the loop's member --- */

static bool keeping_see_title(void *by_user, const struct history_conversation *c)
{
	*(bool *)by_user = c->titled_by && !strcmp(c->titled_by, "user");
	return true;
}

void keeping_title(struct keeping *k, const char *title)
{
	struct history *h = k->keeper ? keeper_history(k->keeper) : NULL;
	int64_t row = k->is_kept && h ? keeper_row(k->keeper) : 0;
	struct error err = { "" };
	bool by_user = false;

	enum history_status status = row ? history_look(h, row, keeping_see_title, &by_user, &err) : HISTORY_OK;
	if (status != HISTORY_OK)
		keeper_failed(k->keeper, status, &err);
	if (k->is_kept && !by_user)
		keeper_facts(k->keeper, &(struct history_conversation){ .title = title, .titled_by = "model" });
	session_note_change(k->session);
}

static size_t keeping_fds(void *ctx, struct pollfd *fds, size_t room)
{
	return keeper_fds(((struct keeping *)ctx)->keeper, fds, room);
}

static int64_t keeping_deadline(void *ctx)
{
	struct keeping *k = ctx;
	struct loop_member reader = resume_member(k->resume);
	int64_t due_ms = keeper_deadline(k->keeper), reader_ms = reader.deadline(reader.ctx);

	if (reader_ms < due_ms)
		due_ms = reader_ms;
	if (k->tends && !session_live(k->session) && k->idle_ms + IDLE_MS < due_ms)
		due_ms = k->idle_ms + IDLE_MS;
	return due_ms;
}

static void keeping_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct keeping *k = ctx;
	struct loop_member reader = resume_member(k->resume);

	keeping_follow(k, now_ms);
	keeper_run(k->keeper, fds, count, now_ms);
	reader.run(reader.ctx, NULL, 0, now_ms);
	keeping_tend(k, now_ms);
}

struct loop_member keeping_member(struct keeping *k)
{
	return (struct loop_member){ k, keeping_fds, keeping_deadline, keeping_run };
}

/* --- the library --- */

static struct history *keeping_history(void *ctx, struct error *err)
{
	struct keeping *k = ctx;
	struct history *h = k->keeper ? keeper_history(k->keeper) : NULL;
	const char *trouble = k->keeper ? keeper_trouble(k->keeper) : "a replay has no stored conversations";

	if (!h)
		error_set(err, "%s", trouble ? trouble : "no conversation is stored yet");
	return h;
}

static void keeping_failed(void *ctx, enum history_status status, const struct error *err)
{
	keeper_failed(((struct keeping *)ctx)->keeper, status, err);
}

static int64_t keeping_current(void *ctx)
{
	struct keeping *k = ctx;

	return k->is_kept ? keeper_row(k->keeper) : session_conversation(k->session)->stored;
}

static void keeping_deleted(void *ctx)
{
	((struct keeping *)ctx)->purges = true;
}

static bool keeping_open(void *ctx, int64_t row, struct error *err)
{
	return resume_open(((struct keeping *)ctx)->resume, row, err);
}

const struct library_ops keeping_library = { keeping_history, keeping_failed, keeping_current, keeping_deleted, keeping_open };

/* --- start and end --- */

void keeping_init(struct keeping *k, struct setup *setup, struct session *session, const struct keeping_ways *ways)
{
	*k = (struct keeping){ .ways = *ways, .setup = setup, .session = session, .keeper = keeper_new(0, ways->tell, ways->ctx) };
	k->resume = resume_new(setup, session, k->keeper, ways->tell, ways->ctx);
	session_watch(session, &(struct session_watch){ keeping_leave, keeping_enter, keeping_complete, k });
	keeping_take(k);
}

void keeping_fini(struct keeping *k)
{
	const char *trouble;

	if (!k->keeper) /* a replay */
		return;
	session_halt(k->session);
	keeping_follow(k, clock_now_ms());
	k->purges |= session_conversation(k->session)->removals > 0;
	if (!keeper_settle(k->keeper, SETTLE_MS) && (trouble = keeper_trouble(k->keeper)))
		complain_leaving("the conversation is not in the history, or not all of it: %s", trouble);
	if (k->purges || k->tends)
		keeper_tend(k->keeper, k->purges);
	session_watch(k->session, &(struct session_watch){ 0 });
	resume_free(k->resume);
	keeper_free(k->keeper);
	facts_fini(&k->facts);
	*k = (struct keeping){ 0 };
}
