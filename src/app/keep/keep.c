#include "app/keep/budget.h"
#include "app/keep/keep_inside.h"

#include <ctype.h>
#include <string.h>

#include "app/keep/foreign_turns.h"
#include "app/session/session.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/title.h"
#include "store/files/paths.h"
#include "store/files/prompts.h"
#include "store/files/tapes.h"

#define IDLE_MS 20000   /* without a change, until the history is maintained */
#define FOREIGN_MS 2000  /* between looks whether another program's answer has ended */
#define LEAVE_MS 150    /* how long another conversation waits until this one is kept */
#define SETTLE_MS 2000  /* the same at the end of the program */

/* --- which conversation is kept --- */

/* What was private stays so. */
static void keep_take(struct keep *k)
{
	struct conversation *c = session_conversation(k->session);

	k->private_from = c->is_private ? SIZE_MAX : c->node_count;
	c->is_private |= !setup_keeps(k->setup);
	k->is_kept = !c->is_private;
	k->context_known = false;
	k->foreign_announced = false;
	k->is_new = true;
	k->changes = session_changes(k->session);
	writer_take(k->writer, k->is_kept ? c : NULL, k->is_kept ? c->stored : 0);
}

/* A copy that is undone goes from the history too. */
static void keep_drop(struct keep *k, int64_t row)
{
	struct history *h = row ? writer_history(k->writer) : NULL;
	enum history_status status = HISTORY_OK;
	struct error err = { "" };
	int64_t mark;

	if (h)
		status = history_delete(h, row, 0, &mark, &err);
	if (status != HISTORY_OK && status != HISTORY_GONE)
		writer_failed(k->writer, status, &err);
	k->purges |= h != NULL;
}

/* All of its turns were deleted: its title and its settings are deleted too. */
static bool keep_is_emptied(const struct conversation *c)
{
	return c->removals && !conversation_child(c, NULL);
}

/* Turns that were deleted before they could be stored: the history does not know that they left a tape and a prompt. */
static void keep_forget_unstored(const struct conversation *c)
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

static void keep_leave(void *ctx, bool drop)
{
	struct keep *k = ctx;
	struct conversation *c = session_conversation(k->session);

	k->purges |= c->removals > 0;
	drop |= keep_is_emptied(c);
	keep_forget_unstored(c);
	if (!k->is_kept)
		return;
	writer_note(k->writer);
	(void)writer_settle(k->writer, LEAVE_MS); /* trouble was told */
	c->stored = writer_row(k->writer);
	if (drop)
		writer_take(k->writer, NULL, 0);
	else
		writer_leave(k->writer);
	k->is_kept = false;
	if (drop)
		keep_drop(k, c->stored);
}

static bool keep_release(void *ctx, struct conversation *c)
{
	return writer_release(((struct keep *)ctx)->writer, c);
}

/* Nothing of what follows is kept. What was said so far is, if it can be written now: false, it cannot. */
static bool keep_forget(struct keep *k)
{
	struct conversation *c = session_conversation(k->session);
	bool good;

	k->purges |= c->removals > 0;
	if (!k->is_kept)
		return true;
	writer_note(k->writer);
	good = writer_settle(k->writer, LEAVE_MS);
	c->stored = writer_row(k->writer);
	writer_take(k->writer, NULL, 0);
	k->is_kept = false;
	return good;
}

static void keep_enter(void *ctx)
{
	struct keep *k = ctx;

	keep_stop_waiting(k);
	keep_take(k);
	k->ways.entered(k->ways.ctx);
}

static bool keep_complete(void *ctx, struct error *err)
{
	struct keep *k = ctx;

	if (keep_is_waiting(k))
		return error_set(err, "the conversation opens as soon as the history can be read; /new begins another one");
	return keep_read_all(k, err);
}

/* --- what is told --- */

/* A note stands at the end of the last turn. It is about this run of the program: it is not stored. */
static void keep_put_note(struct keep *k, struct turn *last, const char *sentence)
{
	struct buf text = { 0 };

	buf_printf(&text, "%c%s%s", toupper((unsigned char)*sentence), sentence + 1, str_ends(str_from(sentence), ".") ? "" : ".");
	writer_add_note(k->writer, last, buf_str(&text));
	buf_fini(&text);
	k->ways.noted(k->ways.ctx);
}

/* Before the first turn, the sentence is shown now and repeated below that turn. */
void keep_say(struct keep *k, const char *sentence)
{
	struct turn *last = conversation_last(session_conversation(k->session));

	if (last && k->ways.noted) {
		keep_put_note(k, last, sentence);
		return;
	}
	k->ways.tell(k->ways.ctx, sentence);
	if (k->ways.noted)
		buf_printf(&k->untold, "%s\n", sentence);
}

/* That something is well again takes the place of what was wrong. */
static void keep_hear(void *ctx, enum writer_news news, const char *sentence)
{
	struct keep *k = ctx;
	struct error words;

	if (k->leaves && news == WRITER_EVENT)
		complain_leaving("%s", sentence);
	if (k->leaves) /* what is lost is told in the end */
		return;
	if (news == WRITER_TROUBLE)
		error_set(&words, "%s. Weir saves it as soon as it can; /save FILE writes a copy", sentence);
	else
		error_set(&words, "%s", sentence);
	if (news == WRITER_WELL)
		buf_clear(&k->untold);
	keep_say(k, words.text);
}

/* What was told while the page was empty stands below the first prompt. */
static void keep_note_untold(struct keep *k)
{
	struct turn *last = conversation_last(session_conversation(k->session));
	struct str rest = buf_str(&k->untold), line;
	struct error sentence;

	if (!rest.len || !last)
		return;
	while (str_split(&rest, '\n', &line)) {
		error_set(&sentence, "%.*s", STR_ARG(line));
		keep_put_note(k, last, sentence.text);
	}
	buf_clear(&k->untold);
}

/* --- what is private --- */

const char *keep_unkept(const struct keep *k)
{
	if (keep_is_waiting(k))
		return "waiting";
	if (!setup_keeps(k->setup) || session_conversation(k->session)->is_private)
		return "private";
	return writer_trouble(k->writer) ? "not kept" : NULL;
}

static void keep_end_private(struct keep *k, struct error *sentence)
{
	struct conversation *c = session_conversation(k->session);

	k->setup->private = false;
	if (!setup_keeps(k->setup)) {
		error_set(sentence, "the setting history is no: nothing is kept");
	} else if (c->node_count != k->private_from) {
		error_set(sentence, "this conversation stays private; the next one is kept (/new)");
	} else {
		c->is_private = false;
		keep_take(k);
		error_set(sentence, "not private any more: this conversation is kept");
	}
}

static void keep_begin_private(struct keep *k, struct error *sentence)
{
	bool was_stored = session_conversation(k->session)->node_count && k->is_kept, good = keep_forget(k);

	k->setup->private = true;
	keep_take(k);
	if (was_stored && !good)
		error_set(sentence, "private from here on: nothing more is kept, and what was said last could not be written to the history");
	else
		error_set(sentence, was_stored ? "private from here on: what was said so far stays in the history, what follows is kept nowhere"
	                               : "private: nothing of this conversation is kept, tapes included");
}

void keep_toggle_private(struct keep *k, struct error *sentence)
{
	if (session_is_busy(k->session)) {
		error_set(sentence, "an answer is under way: /stop ends it first");
		return;
	}
	if (k->setup->private)
		keep_end_private(k, sentence);
	else
		keep_begin_private(k, sentence);
	if (k->ways.toggled)
		k->ways.toggled(k->ways.ctx);
}

/* history = no may be set at any time. */
static void keep_heed_setting(struct keep *k)
{
	if (!k->is_kept || setup_keeps(k->setup))
		return;
	(void)keep_forget(k);
	keep_take(k);
}

/* --- what has changed --- */

static bool keep_is_same(const struct buf *a, const struct buf *b)
{
	return str_equal(buf_str(a), buf_str(b));
}

static void keep_tell_context(struct keep *k)
{
	struct history_conversation lent = { .held = HISTORY_HELD_BY_CHAT };
	struct request_context now = { 0 };

	request_context_take(k->setup, &now);
	bool is_first = !k->context_known;
	bool same = k->context_known && keep_is_same(&now.system, &k->context.system) && keep_is_same(&now.parameters, &k->context.parameters) &&
	            keep_is_same(&now.tools, &k->context.tools) && keep_is_same(&now.schema, &k->context.schema);
	request_context_fini(&k->context);
	k->context = now;
	k->context_known = true;
	request_context_lend(&k->context, !writer_row(k->writer) && is_first, &lent);
	if (!same)
		writer_describe(k->writer, &lent);
}

/* A conversation that was only opened is not written. */
static void keep_follow_context(struct keep *k)
{
	bool live = session_is_busy(k->session), begins = live && !k->live;

	k->live = live;
	if (begins || (k->is_new ? !session_conversation(k->session)->stored : k->setup_changes != k->setup->changes))
		keep_tell_context(k);
	k->is_new = false;
	k->setup_changes = k->setup->changes;
}

static void keep_follow(struct keep *k, int64_t now_ms)
{
	keep_heed_setting(k);
	if (!k->is_kept)
		return;
	keep_follow_context(k);
	if (k->changes == session_changes(k->session))
		return;
	k->changes = session_changes(k->session);
	k->idle_ms = now_ms;
	k->maintains = true;
	writer_note(k->writer);
}

/* Another program goes on with the same conversation: its turns are branches here, and those from here are there, when it looks. */
static void keep_take_foreign_turns(struct keep *k, int64_t now_ms)
{
	if (!k->is_kept || !writer_has_foreign_turns(k->writer) || session_is_partly(k->session) || now_ms < k->foreign_ms)
		return;
	k->foreign_ms = now_ms + FOREIGN_MS;
	if (!foreign_turns_add(k->writer, session_conversation(k->session), writer_row(k->writer)))
		return;
	session_note_change(k->session);
	if (!k->foreign_announced)
		keep_say(k, "another program goes on with this conversation, too: what is said there is another branch here (/tree)");
	k->foreign_announced = true;
}

static void keep_maintain(struct keep *k, int64_t now_ms)
{
	bool idle = k->maintains && !session_is_busy(k->session) && now_ms >= k->idle_ms + IDLE_MS;

	if (!idle && !writer_wants_maintenance(k->writer))
		return;
	k->maintains = false;
	writer_maintain(k->writer, false);
}

/* --- the loop's member --- */

static bool keep_see_title(void *by_user, const struct history_conversation *c)
{
	*(bool *)by_user = c->titled_by && !strcmp(c->titled_by, "user");
	return true;
}

void keep_title(struct keep *k, const char *title)
{
	struct history *h = k ? writer_history(k->writer) : NULL;
	int64_t row = h && k->is_kept ? writer_row(k->writer) : 0;
	struct error err = { "" };
	bool by_user = false;

	enum history_status status = row ? history_look(h, row, keep_see_title, &by_user, &err) : HISTORY_OK;
	if (status != HISTORY_OK)
		writer_failed(k->writer, status, &err);
	if (k->is_kept && !by_user)
		writer_describe(k->writer, &(struct history_conversation){ .title = title, .titled_by = "model" });
	session_note_change(k->session);
}

static size_t keep_fds(void *ctx, struct pollfd *fds, size_t room)
{
	return writer_fds(((struct keep *)ctx)->writer, fds, room);
}

/* The end of an answer is taken in when it is painted, after keep_run(): it is written although nothing else wakes the loop. */
static int64_t keep_deadline(void *ctx)
{
	struct keep *k = ctx;

	if (k->is_kept && !session_is_busy(k->session) && k->changes != session_changes(k->session))
		return 0;
	int64_t due_ms = writer_deadline(k->writer), opening_ms = keep_opening_deadline(k);

	if (opening_ms < due_ms)
		due_ms = opening_ms;
	if (writer_has_foreign_turns(k->writer) && k->foreign_ms < due_ms)
		due_ms = k->foreign_ms;
	if (k->maintains && !session_is_busy(k->session) && k->idle_ms + IDLE_MS < due_ms)
		due_ms = k->idle_ms + IDLE_MS;
	return due_ms;
}

static void keep_run(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct keep *k = ctx;

	keep_follow(k, now_ms);
	keep_note_untold(k);
	writer_run(k->writer, fds, count, now_ms);
	keep_opening_run(k, now_ms);
	keep_take_foreign_turns(k, now_ms);
	keep_maintain(k, now_ms);
}

struct loop_member keep_member(struct keep *k)
{
	return (struct loop_member){ .ctx = k, .fds = keep_fds, .deadline = keep_deadline, .run = keep_run };
}

/* --- start and end --- */

struct keep *keep_new(struct setup *setup, struct session *session, const struct keep_ways *ways)
{
	struct keep *k = mem_new(sizeof *k);

	*k = (struct keep){ .ways = *ways, .setup = setup, .session = session, .writer = writer_new(0, keep_hear, k) };
	session_watch(session, &(struct session_watch){
		.leave = keep_leave, .release = keep_release, .enter = keep_enter, .complete = keep_complete,
		.go_on = budget_lets_go_on, .ctx = k });
	keep_take(k);
	return k;
}

static const char *last_tape(const struct conversation *c)
{
	for (size_t i = c->node_count; i > 0; i--)
		if (c->nodes[i - 1]->tape)
			return c->nodes[i - 1]->tape;
	return NULL;
}

/* One line for each conversation that goes with the program, and where its last answer still is. */
static void keep_tell_lost(const struct keep *k)
{
	const char *trouble = writer_trouble(k->writer);
	const struct conversation *c;

	for (size_t i = 0; (c = writer_unwritten(k->writer, i)); i++) {
		const char *tape = last_tape(c);
		char *title = title_of_prompt(c->nodes[0]), *shown = tape ? path_shown(tape) : NULL;

		complain_leaving("the conversation \"%s\" is not in the history, or not all of it: %s%s%s%s", title, trouble ? trouble : "it is busy",
		                 shown ? "; its last answer is on tape in " : "", shown ? shown : "", shown ? " (weir replay shows it)" : "");
		mem_free(title);
		mem_free(shown);
	}
}

bool keep_would_lose(struct keep *k, struct error *sentence)
{
	size_t count = 0;

	if (k)
		keep_follow(k, clock_now_ms()); /* the answer that has just ended counts */
	if (!k || writer_settle(k->writer, writer_trouble(k->writer) ? 0 : SETTLE_MS))
		return false;
	writer_tell_wait(k->writer);
	if (!writer_trouble(k->writer))
		return false;
	while (writer_unwritten(k->writer, count))
		count++;
	if (count > 1)
		error_set(sentence, "%zu conversations are not saved: %s. Quit again to lose them", count, writer_trouble(k->writer));
	else
		error_set(sentence, "this conversation is not saved: %s. /save FILE writes a copy; quit again to lose it", writer_trouble(k->writer));
	return count > 0;
}

void keep_free(struct keep *k)
{
	if (!k)
		return;
	session_halt(k->session);
	k->leaves = true;
	keep_follow(k, clock_now_ms());
	k->purges |= session_conversation(k->session)->removals > 0;
	if (!writer_settle(k->writer, SETTLE_MS)) {
		writer_tell_wait(k->writer);
		keep_tell_lost(k);
	}
	keep_forget_unstored(session_conversation(k->session));
	if (k->is_kept && keep_is_emptied(session_conversation(k->session)))
		keep_drop(k, writer_row(k->writer));
	if (k->purges || k->maintains)
		writer_maintain(k->writer, k->purges);
	session_watch(k->session, &(struct session_watch){ 0 });
	writer_free(k->writer);
	request_context_fini(&k->context);
	buf_fini(&k->untold);
	mem_free(k->opening.wanted);
	mem_free(k->unpriced);
	mem_free(k->deletions);
	mem_free(k);
}
