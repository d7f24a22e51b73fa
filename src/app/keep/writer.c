#include "app/keep/writer_inside.h"

#include <unistd.h>

#include "base/array.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"

#define SETTLE_LOOK_MS 20
#define CHARACTERS_MOST 1000000 /* of an answer that wait for the next write: it takes a few milliseconds */
#define DESCRIPTORS 16 /* the file, its WAL, the process that maintains, and a request to a provider, which goes first */

struct writer *writer_new(int patience_ms, writer_tell *tell, void *ctx)
{
	struct writer *w = mem_new(sizeof *w);

	w->patience_ms = patience_ms;
	w->tell = tell;
	w->ctx = ctx;
	w->child.fd = w->words = -1;
	return w;
}

static void writer_set(const char **member, const char *text)
{
	char *old = (char *)(uintptr_t)*member;

	*member = mem_dup_z(text);
	mem_free(old);
}

void kept_conversation_fini(struct kept_conversation *c)
{
	const char **texts[] = { &c->facts.title, &c->facts.titled_by, &c->facts.system_prompt, &c->facts.parameters, &c->facts.tools,
	                         &c->facts.schema };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		writer_set(texts[i], NULL);
	mem_free(c->key);
	mem_free(c->kept);
	if (c->owned)
		conversation_free(c->conversation);
	*c = (struct kept_conversation){ 0 };
}

void writer_finish(struct writer *w)
{
	if (w) {
		history_finish(w->history);
		w->history = NULL;
	}
	writer_free(w);
}

void writer_free(struct writer *w)
{
	if (!w)
		return;
	history_close(w->history);
	kept_conversation_fini(&w->now);
	for (size_t i = 0; i < w->left_count; i++)
		kept_conversation_fini(&w->left[i]);
	mem_free(w->left);
	writer_maintain_leave(w);
	mem_free(w->trouble);
	mem_free(w);
}

/* --- the conversation --- */


/* What was left with turns to be written goes on as it was. */
void writer_take(struct writer *w, struct conversation *c, int64_t row)
{
	const struct turn *last = c ? conversation_last(c) : NULL;
	size_t index;

	if (w->now.behind)
		writer_work(w);
	kept_conversation_fini(&w->now);
	index = writer_find_left(w, c);
	if (c && index < w->left_count) {
		w->now = writer_remove_left(w, index);
	} else if (c) {
		w->now = (struct kept_conversation){ .conversation = c, .row = row, .leaf = row && last ? last->stored : 0 };
		for (size_t i = 0; row && i < c->node_count; i++)
			if (c->nodes[i]->stored)
				writer_trust(w, c->nodes[i]);
	}
	if (c)
		writer_note(w);
}

void writer_add_note(struct writer *w, struct turn *t, struct str sentence)
{
	bool known = w->now.conversation && t->number < w->now.kept_count && !writer_is_due(w, t);

	turn_note(t, STR(NOTE_OF_RUN), sentence);
	if (known)
		w->now.kept[t->number].revision = t->revision;
}

void writer_describe(struct writer *w, const struct history_conversation *facts)
{
	const struct { const char **to; const char *from; } texts[] = {
		{ &w->now.facts.title, facts->title }, { &w->now.facts.titled_by, facts->titled_by },
		{ &w->now.facts.system_prompt, facts->system_prompt },
		{ &w->now.facts.parameters, facts->parameters }, { &w->now.facts.tools, facts->tools }, { &w->now.facts.schema, facts->schema },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].from)
			writer_set(texts[i].to, texts[i].from);
	if (facts->held)
		w->now.facts.held = facts->held;
	w->now.facts_due = true;
	writer_note(w);
}

void writer_trust(struct writer *w, const struct turn *t)
{
	mem_reserve(&w->now.kept, &w->now.kept_capacity, t->number + 1, sizeof *w->now.kept);
	while (w->now.kept_count <= t->number)
		w->now.kept[w->now.kept_count++] = (struct kept){ 0 };
	w->now.kept[t->number] = writer_kept(t);
	w->now.newest = t->stored > w->now.newest ? t->stored : w->now.newest;
}

bool writer_has_foreign_turns(const struct writer *w)
{
	return w->now.others;
}

void writer_knows_foreign_turns(struct writer *w)
{
	w->now.others = false;
}

/*
 * What must not wait: a new turn, the end of one, the name of its tape, which holds all that comes until the next write, and an answer that
 * grew by so much that writing it later would take long.
 */
static bool writer_is_urgent(const struct writer *w)
{
	const struct turn *last = conversation_last(w->now.conversation);
	const struct kept *kept;

	if (w->now.conversation->node_count > w->now.kept_count)
		return true;
	kept = last ? &w->now.kept[last->number] : NULL;
	return kept && (kept->ended != last->ended || kept->taped != (last->tape != NULL) ||
	                writer_characters(last) > kept->characters + CHARACTERS_MOST);
}

void writer_note(struct writer *w)
{
	int64_t due_ms;

	if (!w->now.conversation || w->now.gone)
		return;
	due_ms = writer_is_urgent(w) ? 0 : w->written_ms + WRITER_PAUSE_MS;
	if (w->pause_ms) /* trouble has its own pauses */
		due_ms = w->due_ms;
	if (!w->now.behind || due_ms < w->due_ms)
		w->due_ms = due_ms;
	w->now.behind = true;
}

int64_t writer_row(const struct writer *w)
{
	return w->now.row;
}

const char *writer_key(const struct writer *w)
{
	return w->now.key;
}

bool writer_is_behind(const struct writer *w)
{
	return w->now.behind || w->left_count;
}

const char *writer_preparation(const struct writer *w)
{
	if (!writer_waits_for_child(w))
		return w->looked == HISTORY_BUSY || w->looked == HISTORY_REPLACED ? "waiting for another program that uses the history" : NULL;
	return w->status == HISTORY_DAMAGED ? "recovering the history" : w->status == HISTORY_OLDER ? "bringing the history to this version" : NULL;
}

/* --- driving --- */

static enum history_status writer_open(struct writer *w, struct error *err)
{
	enum history_status status = HISTORY_OK;

	if (!w->history && !descriptors_ensure(DESCRIPTORS, err))
		return HISTORY_FAILED;
	if (!w->history)
		w->history = history_open(w->patience_ms, &status, err);
	if (status == HISTORY_OK && w->now.lost)
		status = writer_find_again(w, err);
	return status;
}

/* Other trouble is told when something is to be written. */
struct history *writer_history_or(struct writer *w, struct error *why)
{
	struct error err = { "" };
	enum history_status status = writer_waits_for_child(w) ? HISTORY_BUSY : writer_open(w, &err);

	w->looked = status;
	writer_failed(w, status, &err);
	if (status == HISTORY_OK)
		return w->history;
	if (writer_preparation(w))
		error_set(why, "the history is not ready yet: try again in a moment");
	else if (status == HISTORY_ABSENT || writer_waits_for_child(w))
		error_set(why, "no conversation is stored yet");
	else
		writer_reason(status, &err, why);
	return NULL;
}

struct history *writer_history(struct writer *w)
{
	struct error ignored;

	return writer_history_or(w, &ignored);
}

void writer_work(struct writer *w)
{
	struct error err = { "" };
	enum history_status status;

	if (writer_waits_for_child(w))
		return;
	status = writer_open(w, &err);
	if (status == HISTORY_OK)
		status = writer_write(w, &err);
	if (status == HISTORY_OK)
		status = writer_write_all_left(w, &err);
	if (status != HISTORY_OK) {
		writer_heed(w, status, &err);
		return;
	}
	writer_is_well(w);
	w->written_ms = clock_now_ms();
	w->due_ms = w->written_ms;
}

/* The child has done what the file needed, or said why it could not. False: it could not. */
static bool writer_take_child(struct writer *w)
{
	enum history_status status;
	struct error words = { "" };

	if (!writer_is_maintaining(w) || !writer_maintain_has_ended(w, &status, &words))
		return true;
	w->due_ms = 0;
	if (status == HISTORY_OK && *words.text) {
		writer_tell_event(w, words.text);
		w->told_recovered = true;
	} else if (status != HISTORY_OK && !w->history && writer_is_behind(w)) {
		w->was_maintained = false;
		w->status = status;
		writer_is_in_trouble(w, &words);
	}
	if (w->purge_next)
		writer_maintain(w, true);
	return status == HISTORY_OK;
}

size_t writer_fds(void *writer, struct pollfd *fds, size_t room)
{
	const struct writer *w = writer;

	return room ? child_fds(&w->child, fds) : 0;
}

int64_t writer_deadline(void *writer)
{
	const struct writer *w = writer;
	int64_t look_ms = writer_is_maintaining(w) ? child_deadline(&w->child, clock_now_ms()) : NO_DEADLINE;
	bool waits_for_child = writer_waits_for_child(w);

	if (waits_for_child && writer_wait_told_ms(w) < look_ms)
		return writer_wait_told_ms(w);
	return writer_is_behind(w) && !waits_for_child && w->due_ms < look_ms ? w->due_ms : look_ms;
}

void writer_run(void *writer, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct writer *w = writer;

	(void)fds, (void)count;
	(void)writer_take_child(w);
	if (writer_is_behind(w) && now_ms >= w->due_ms)
		writer_work(w);
	if (now_ms >= writer_wait_told_ms(w))
		writer_tell_wait(w);
}

struct loop_member writer_member(struct writer *w)
{
	return (struct loop_member){ .ctx = w, .fds = writer_fds, .deadline = writer_deadline, .run = writer_run };
}

/* --- waiting --- */

/* Sleeps until there is reason to try again. False: trying again soon is of no use. */
static bool writer_sleep(const struct writer *w, int64_t left_ms)
{
	bool waits_for_child = writer_waits_for_child(w);
	struct pollfd fd;

	if (!waits_for_child && w->status == HISTORY_OK)
		return true;
	if (!waits_for_child && w->status != HISTORY_BUSY && w->status != HISTORY_REPLACED)
		return false;
	poll(&fd, waits_for_child ? child_fds(&w->child, &fd) : 0, (int)(left_ms < SETTLE_LOOK_MS ? left_ms : SETTLE_LOOK_MS));
	return true;
}

/* What was written is of use only if the files are still there. */
static void writer_look_at_files(struct writer *w)
{
	struct error err;
	enum history_status status = w->history ? history_look_at_files(w->history, &err) : HISTORY_OK;

	if (status != HISTORY_OK)
		writer_heed(w, status, &err);
}

bool writer_settle(struct writer *w, int64_t limit_ms)
{
	int64_t end_ms = clock_now_ms() + limit_ms;

	writer_look_at_files(w);
	while (writer_is_behind(w)) {
		if (!writer_take_child(w) && !w->history) /* and it would fail again */
			return false;
		writer_work(w);
		if (writer_is_behind(w) && (clock_now_ms() >= end_ms || !writer_sleep(w, end_ms - clock_now_ms())))
			return false;
	}
	return true;
}

/* --- maintenance --- */

void writer_maintain(struct writer *w, bool purge)
{
	struct error ignored; /* the next one does the work */

	if (writer_is_maintaining(w)) {
		w->purge_next |= purge;
		return;
	}
	w->purge_next = false;
	if (w->history)
		history_is_maintained(w->history);
	(void)writer_maintain_start(w, purge ? WRITER_PURGE : WRITER_MAINTAIN, &ignored);
}

bool writer_wants_maintenance(const struct writer *w)
{
	return w->history && history_wants_maintenance(w->history);
}
