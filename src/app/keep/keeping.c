#include "app/keep/keeping.h"

#include <ctype.h>
#include <string.h>

#include "app/system/output.h"
#include "app/writer/others.h"
#include "base/mem.h"
#include "chat/conversation/title.h"
#include "store/files/paths.h"
#include "store/files/prompts.h"
#include "store/files/tapes.h"

#define IDLE_MS 20000   /* without a change, until the history is tended */
#define OTHERS_MS 2000  /* between looks whether another program's answer has ended */
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
	k->told_others = false;
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

/* All of its turns were deleted: what it was called and held with goes too. */
static bool keeping_is_emptied(const struct conversation *c)
{
	return c->removals && !conversation_child(c, NULL);
}

/* Turns that were deleted before they could be stored: the history does not know that they left a tape and a prompt. */
static void keeping_forget_unstored(const struct conversation *c)
{
	struct prompts_removal prompts = { 0 };

	for (size_t i = 0; i < c->node_count; i++) {
		const struct turn *t = c->nodes[i];

		if (!t->removed || t->stored)
			continue;
		if (t->tape)
			tapes_remove(t->tape);
		for (size_t j = 0; t->role == TURN_USER && j < t->part_count; j++)
			if (t->parts[j].kind == PART_TEXT)
				prompts_removal_add(&prompts, buf_str(&t->parts[j].text));
	}
	prompts_removal_fini(&prompts);
}

static void keeping_leave(void *ctx, bool drop)
{
	struct keeping *k = ctx;
	struct conversation *c = session_conversation(k->session);

	k->purges |= c->removals > 0;
	drop |= keeping_is_emptied(c);
	keeping_forget_unstored(c);
	if (!k->is_kept)
		return;
	keeper_note(k->keeper);
	(void)keeper_settle(k->keeper, LEAVE_MS); /* trouble was told */
	c->stored = keeper_row(k->keeper);
	if (drop)
		keeper_take(k->keeper, NULL, 0);
	else
		keeper_leave(k->keeper);
	k->is_kept = false;
	if (drop)
		keeping_drop(k, c->stored);
}

static bool keeping_release(void *ctx, struct conversation *c)
{
	return keeper_release(((struct keeping *)ctx)->keeper, c);
}

/* Nothing of what follows is kept. What was said so far is, if it can be written now: false, it cannot. */
static bool keeping_forget(struct keeping *k)
{
	struct conversation *c = session_conversation(k->session);
	bool good;

	k->purges |= c->removals > 0;
	if (!k->is_kept)
		return true;
	keeper_note(k->keeper);
	good = keeper_settle(k->keeper, LEAVE_MS);
	c->stored = keeper_row(k->keeper);
	keeper_take(k->keeper, NULL, 0);
	k->is_kept = false;
	return good;
}

static void keeping_enter(void *ctx)
{
	struct keeping *k = ctx;

	resume_stop_waiting(k->resume);
	keeping_take(k);
	k->ways.entered(k->ways.ctx);
}

static bool keeping_complete(void *ctx, struct error *err)
{
	const struct keeping *k = ctx;

	if (resume_waits(k->resume))
		return error_set(err, "the conversation opens as soon as the history can be read; /new begins another one");
	return resume_finish(k->resume, err);
}

/* --- what is told --- */

/* A note stands at the end of the last turn. It is about this run of the program: it is not stored. */
static void keeping_put_note(struct keeping *k, struct turn *last, const char *sentence)
{
	struct buf text = { 0 };

	buf_printf(&text, "%c%s%s", toupper((unsigned char)*sentence), sentence + 1, str_ends(str_from(sentence), ".") ? "" : ".");
	keeper_add_note(k->keeper, last, buf_str(&text));
	buf_fini(&text);
	k->ways.noted(k->ways.ctx);
}

/* Without a turn it is told, and waits for the first one. */
void keeping_say(struct keeping *k, const char *sentence)
{
	struct turn *last = conversation_last(session_conversation(k->session));

	if (last && k->ways.noted) {
		keeping_put_note(k, last, sentence);
		return;
	}
	k->ways.tell(k->ways.ctx, sentence);
	if (k->ways.noted)
		buf_printf(&k->untold, "%s\n", sentence);
}

/* That something is well again takes the place of what was wrong. */
static void keeping_hear(void *ctx, enum keeper_news news, const char *sentence)
{
	struct keeping *k = ctx;
	struct error words;

	if (k->leaves && news == KEEPER_EVENT)
		complain_leaving("%s", sentence);
	if (k->leaves) /* what is lost is told in the end */
		return;
	if (news == KEEPER_TROUBLE)
		error_set(&words, "%s. Weir saves it as soon as it can; /save FILE writes a copy", sentence);
	else
		error_set(&words, "%s", sentence);
	if (news == KEEPER_WELL)
		buf_clear(&k->untold);
	keeping_say(k, words.text);
}

static void keeping_hear_resume(void *ctx, const char *sentence)
{
	keeping_say(ctx, sentence);
}

static void keeping_resumed(void *ctx, bool good)
{
	const struct keeping *k = ctx;

	k->ways.resumed(k->ways.ctx, good);
}

/* What was told while the page was empty stands below the first prompt. */
static void keeping_note_untold(struct keeping *k)
{
	struct turn *last = conversation_last(session_conversation(k->session));
	struct str rest = buf_str(&k->untold), line;
	struct error sentence;

	if (!rest.len || !last)
		return;
	while (str_split(&rest, '\n', &line)) {
		error_set(&sentence, "%.*s", STR_ARG(line));
		keeping_put_note(k, last, sentence.text);
	}
	buf_clear(&k->untold);
}

/* --- what is private --- */

bool keeping_is_private(const struct keeping *k)
{
	return !setup_keeps(k->setup) || session_conversation(k->session)->is_private;
}

const char *keeping_unkept(const struct keeping *k)
{
	if (resume_waits(k->resume))
		return "waiting";
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
	bool was_stored = session_conversation(k->session)->node_count && k->is_kept, good = keeping_forget(k);

	k->setup->private = true;
	keeping_take(k);
	if (was_stored && !good)
		error_set(sentence, "private from here on: nothing more is kept, and what was said last could not be written to the history");
	else
		error_set(sentence, was_stored ? "private from here on: what was said so far stays in the history, what follows is kept nowhere"
	                               : "private: nothing of this conversation is kept, tapes included");
}

void keeping_toggle_private(struct keeping *k, struct error *sentence)
{
	if (session_is_busy(k->session)) {
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
	(void)keeping_forget(k);
	keeping_take(k);
}

/* --- what has changed --- */

static bool keeping_is_same(const struct buf *a, const struct buf *b)
{
	return str_equal(buf_str(a), buf_str(b));
}

static void keeping_tell_facts(struct keeping *k)
{
	struct history_conversation lent = { .held = HISTORY_HELD_BY_CHAT };
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
	bool live = session_is_busy(k->session), begins = live && !k->live;

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

/* Another program goes on with the same conversation: its turns are branches here, and those from here are there, when it looks. */
static void keeping_take_others(struct keeping *k, int64_t now_ms)
{
	if (!k->is_kept || !keeper_has_others(k->keeper) || session_is_partly(k->session) || now_ms < k->others_ms)
		return;
	k->others_ms = now_ms + OTHERS_MS;
	if (!others_add(k->keeper, session_conversation(k->session), keeper_row(k->keeper)))
		return;
	session_note_change(k->session);
	if (!k->told_others)
		keeping_say(k, "another program goes on with this conversation, too: what is said there is another branch here (/tree)");
	k->told_others = true;
}

static void keeping_tend(struct keeping *k, int64_t now_ms)
{
	bool idle = k->tends && !session_is_busy(k->session) && now_ms >= k->idle_ms + IDLE_MS;

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

/* The end of an answer is taken in when it is painted, after keeping_run(): it is written although nothing else wakes the loop. */
static int64_t keeping_deadline(void *ctx)
{
	struct keeping *k = ctx;

	if (k->is_kept && !session_is_busy(k->session) && k->changes != session_changes(k->session))
		return 0;
	struct loop_member reader = resume_member(k->resume);
	int64_t due_ms = keeper_deadline(k->keeper), reader_ms = reader.deadline(reader.ctx);

	if (reader_ms < due_ms)
		due_ms = reader_ms;
	if (keeper_has_others(k->keeper) && k->others_ms < due_ms)
		due_ms = k->others_ms;
	if (k->tends && !session_is_busy(k->session) && k->idle_ms + IDLE_MS < due_ms)
		due_ms = k->idle_ms + IDLE_MS;
	return due_ms;
}

static void keeping_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct keeping *k = ctx;
	struct loop_member reader = resume_member(k->resume);

	keeping_follow(k, now_ms);
	keeping_note_untold(k);
	keeper_run(k->keeper, fds, count, now_ms);
	reader.run(reader.ctx, NULL, 0, now_ms);
	keeping_take_others(k, now_ms);
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
	if (k->keeper)
		return keeper_history_or(k->keeper, err);
	error_set(err, "a replay has no stored conversations");
	return NULL;
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
	*k = (struct keeping){ .ways = *ways, .setup = setup, .session = session, .keeper = keeper_new(0, keeping_hear, k) };
	k->resume = resume_new(setup, session, k->keeper, &(struct resume_ways){ keeping_hear_resume, keeping_resumed, k });
	session_watch(session, &(struct session_watch){ keeping_leave, keeping_release, keeping_enter, keeping_complete, k });
	keeping_take(k);
}

static const char *last_tape(const struct conversation *c)
{
	for (size_t i = c->node_count; i > 0; i--)
		if (c->nodes[i - 1]->tape)
			return c->nodes[i - 1]->tape;
	return NULL;
}

/* One line for each conversation that goes with the program, and where its last answer still is. */
static void keeping_tell_lost(const struct keeping *k)
{
	const char *trouble = keeper_trouble(k->keeper);
	const struct conversation *c;

	for (size_t i = 0; (c = keeper_unwritten(k->keeper, i)); i++) {
		const char *tape = last_tape(c);
		char *title = title_of_prompt(c->nodes[0]), *shown = tape ? path_shown(tape) : NULL;

		complain_leaving("the conversation \"%s\" is not in the history, or not all of it: %s%s%s%s", title, trouble ? trouble : "it is busy",
		                 shown ? "; its last answer is on tape in " : "", shown ? shown : "", shown ? " (weir replay shows it)" : "");
		mem_free(title);
		mem_free(shown);
	}
}

bool keeping_would_lose(struct keeping *k, struct error *sentence)
{
	size_t count = 0;

	if (!k->keeper || keeper_settle(k->keeper, keeper_trouble(k->keeper) ? 0 : SETTLE_MS))
		return false;
	keeper_tell_wait(k->keeper);
	if (!keeper_trouble(k->keeper))
		return false;
	while (keeper_unwritten(k->keeper, count))
		count++;
	if (count > 1)
		error_set(sentence, "%zu conversations are not saved: %s. Quit again to lose them", count, keeper_trouble(k->keeper));
	else
		error_set(sentence, "this conversation is not saved: %s. /save FILE writes a copy; quit again to lose it", keeper_trouble(k->keeper));
	return count > 0;
}

void keeping_fini(struct keeping *k)
{
	if (!k->keeper) /* a replay */
		return;
	session_halt(k->session);
	k->leaves = true;
	keeping_follow(k, clock_now_ms());
	k->purges |= session_conversation(k->session)->removals > 0;
	if (!keeper_settle(k->keeper, SETTLE_MS)) {
		keeper_tell_wait(k->keeper);
		keeping_tell_lost(k);
	}
	keeping_forget_unstored(session_conversation(k->session));
	if (k->is_kept && keeping_is_emptied(session_conversation(k->session)))
		keeping_drop(k, keeper_row(k->keeper));
	if (k->purges || k->tends)
		keeper_tend(k->keeper, k->purges);
	session_watch(k->session, &(struct session_watch){ 0 });
	resume_free(k->resume);
	keeper_free(k->keeper);
	facts_fini(&k->facts);
	buf_fini(&k->untold);
	*k = (struct keeping){ 0 };
}
