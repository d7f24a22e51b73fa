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
	struct writer *k = mem_new(sizeof *k);

	k->patience_ms = patience_ms;
	k->tell = tell;
	k->ctx = ctx;
	k->child.fd = k->words = -1;
	return k;
}

static void writer_set(const char **member, const char *text)
{
	char *old = (char *)(uintptr_t)*member;

	*member = mem_dup_z(text);
	mem_free(old);
}

void kept_conversation_fini(struct kept_conversation *c)
{
	const char **texts[] = { &c->facts.title, &c->facts.titled_by, &c->facts.system_prompt, &c->facts.parameters, &c->facts.tools, &c->facts.schema };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		writer_set(texts[i], NULL);
	mem_free(c->key);
	mem_free(c->kept);
	if (c->owned)
		conversation_free(c->conversation);
	*c = (struct kept_conversation){ 0 };
}

void writer_finish(struct writer *k)
{
	if (k) {
		history_finish(k->history);
		k->history = NULL;
	}
	writer_free(k);
}

void writer_free(struct writer *k)
{
	if (!k)
		return;
	history_close(k->history);
	kept_conversation_fini(&k->now);
	for (size_t i = 0; i < k->left_count; i++)
		kept_conversation_fini(&k->left[i]);
	mem_free(k->left);
	writer_maintain_leave(k);
	mem_free(k->trouble);
	mem_free(k);
}

/* --- the conversation --- */

void writer_forget_kept(struct writer *k)
{
	for (size_t i = 0; i < k->now.kept_count; i++)
		k->now.kept[i] = (struct kept){ 0 };
}

static void writer_begin_kept(struct writer *k)
{
	k->now.kept_count = 0;
	for (size_t i = 0; k->now.row && i < k->now.conversation->node_count; i++)
		if (k->now.conversation->nodes[i]->stored)
			writer_trust(k, k->now.conversation->nodes[i]);
}

/* What was left with turns to be written goes on as it was. */
void writer_take(struct writer *k, struct conversation *c, int64_t row)
{
	const struct turn *last = c ? conversation_last(c) : NULL;
	size_t index;

	if (k->now.behind)
		writer_work(k);
	kept_conversation_fini(&k->now);
	index = writer_find_left(k, c);
	if (c && index < k->left_count) {
		k->now = writer_remove_left(k, index);
	} else if (c) {
		k->now = (struct kept_conversation){ .conversation = c, .row = row, .leaf = row && last ? last->stored : 0 };
		writer_begin_kept(k);
	}
	if (c)
		writer_note(k);
}

void writer_add_note(struct writer *k, struct turn *t, struct str sentence)
{
	bool known = k->now.conversation && t->number < k->now.kept_count && !writer_is_due(k, t);

	turn_note(t, STR(NOTE_OF_RUN), sentence);
	if (known)
		k->now.kept[t->number].revision = t->revision;
}

void writer_describe(struct writer *k, const struct history_conversation *facts)
{
	const struct { const char **to; const char *from; } texts[] = {
		{ &k->now.facts.title, facts->title }, { &k->now.facts.titled_by, facts->titled_by }, { &k->now.facts.system_prompt, facts->system_prompt },
		{ &k->now.facts.parameters, facts->parameters }, { &k->now.facts.tools, facts->tools }, { &k->now.facts.schema, facts->schema },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].from)
			writer_set(texts[i].to, texts[i].from);
	if (facts->held)
		k->now.facts.held = facts->held;
	k->now.facts_due = true;
	writer_note(k);
}

void writer_trust(struct writer *k, const struct turn *t)
{
	mem_reserve(&k->now.kept, &k->now.kept_capacity, t->number + 1, sizeof *k->now.kept);
	while (k->now.kept_count <= t->number)
		k->now.kept[k->now.kept_count++] = (struct kept){ 0 };
	k->now.kept[t->number] = writer_kept(t);
	k->now.newest = t->stored > k->now.newest ? t->stored : k->now.newest;
}

bool writer_has_foreign_turns(const struct writer *k)
{
	return k->now.others;
}

void writer_knows_foreign_turns(struct writer *k)
{
	k->now.others = false;
}

/*
 * What must not wait: a new turn, the end of one, the name of its tape, which holds all that comes until the next write, and an answer that
 * grew by so much that writing it later would take long.
 */
static bool writer_is_urgent(const struct writer *k)
{
	const struct turn *last = conversation_last(k->now.conversation);
	const struct kept *kept;

	if (k->now.conversation->node_count > k->now.kept_count)
		return true;
	kept = last ? &k->now.kept[last->number] : NULL;
	return kept && (kept->ended != last->ended || kept->taped != (last->tape != NULL) ||
	                writer_characters(last) > kept->characters + CHARACTERS_MOST);
}

void writer_note(struct writer *k)
{
	int64_t due_ms;

	if (!k->now.conversation || k->now.gone)
		return;
	due_ms = writer_is_urgent(k) ? 0 : k->written_ms + WRITER_PAUSE_MS;
	if (k->pause_ms) /* trouble has its own pauses */
		due_ms = k->due_ms;
	if (!k->now.behind || due_ms < k->due_ms)
		k->due_ms = due_ms;
	k->now.behind = true;
}

int64_t writer_row(const struct writer *k)
{
	return k->now.row;
}

const char *writer_key(const struct writer *k)
{
	return k->now.key;
}

bool writer_is_behind(const struct writer *k)
{
	return k->now.behind || k->left_count;
}

const char *writer_preparation(const struct writer *k)
{
	if (!writer_waits_for_child(k))
		return k->looked == HISTORY_BUSY || k->looked == HISTORY_REPLACED ? "waiting for another program that uses the history" : NULL;
	return k->status == HISTORY_DAMAGED ? "recovering the history" : k->status == HISTORY_OLDER ? "bringing the history to this version" : NULL;
}

/* --- driving --- */

static enum history_status writer_open(struct writer *k, struct error *err)
{
	enum history_status status = HISTORY_OK;

	if (!k->history && !descriptors_ensure(DESCRIPTORS, err))
		return HISTORY_FAILED;
	if (!k->history)
		k->history = history_open(k->patience_ms, &status, err);
	if (status == HISTORY_OK && k->now.lost)
		status = writer_find_again(k, err);
	return status;
}

/* Other trouble is told when something is to be written. */
struct history *writer_history_or(struct writer *k, struct error *why)
{
	struct error err = { "" };
	enum history_status status = writer_waits_for_child(k) ? HISTORY_BUSY : writer_open(k, &err);

	k->looked = status;
	writer_failed(k, status, &err);
	if (status == HISTORY_OK)
		return k->history;
	if (writer_preparation(k))
		error_set(why, "the history is not ready yet: try again in a moment");
	else if (status == HISTORY_ABSENT || writer_waits_for_child(k))
		error_set(why, "no conversation is stored yet");
	else
		writer_reason(status, &err, why);
	return NULL;
}

struct history *writer_history(struct writer *k)
{
	struct error ignored;

	return writer_history_or(k, &ignored);
}

void writer_work(struct writer *k)
{
	struct error err = { "" };
	enum history_status status;

	if (writer_waits_for_child(k))
		return;
	status = writer_open(k, &err);
	if (status == HISTORY_OK)
		status = writer_write(k, &err);
	if (status == HISTORY_OK)
		status = writer_write_all_left(k, &err);
	if (status != HISTORY_OK) {
		writer_heed(k, status, &err);
		return;
	}
	writer_is_well(k);
	k->written_ms = clock_now_ms();
	k->due_ms = k->written_ms;
}

/* The child has done what the file needed, or said why it could not. False: it could not. */
static bool writer_take_child(struct writer *k)
{
	enum history_status status;
	struct error words = { "" };

	if (!writer_is_maintaining(k) || !writer_maintain_has_ended(k, &status, &words))
		return true;
	k->due_ms = 0;
	if (status == HISTORY_OK && *words.text) {
		writer_tell_event(k, words.text);
		k->told_recovered = true;
	} else if (status != HISTORY_OK && !k->history && writer_is_behind(k)) {
		k->was_maintained = false;
		k->status = status;
		writer_is_in_trouble(k, &words);
	}
	if (k->purge_next)
		writer_maintain(k, true);
	return status == HISTORY_OK;
}

size_t writer_fds(void *writer, struct pollfd *fds, size_t room)
{
	const struct writer *k = writer;

	return room ? child_fds(&k->child, fds) : 0;
}

int64_t writer_deadline(void *writer)
{
	const struct writer *k = writer;
	int64_t look_ms = writer_is_maintaining(k) ? child_deadline(&k->child, clock_now_ms()) : NO_DEADLINE;
	bool waits_for_child = writer_waits_for_child(k);

	if (waits_for_child && writer_wait_told_ms(k) < look_ms)
		return writer_wait_told_ms(k);
	return writer_is_behind(k) && !waits_for_child && k->due_ms < look_ms ? k->due_ms : look_ms;
}

void writer_run(void *writer, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct writer *k = writer;

	(void)fds, (void)count;
	(void)writer_take_child(k);
	if (writer_is_behind(k) && now_ms >= k->due_ms)
		writer_work(k);
	if (now_ms >= writer_wait_told_ms(k))
		writer_tell_wait(k);
}

struct loop_member writer_member(struct writer *k)
{
	return (struct loop_member){ k, writer_fds, writer_deadline, writer_run };
}

/* --- waiting --- */

/* Sleeps until there is reason to try again. False: trying again soon is of no use. */
static bool writer_sleep(const struct writer *k, int64_t left_ms)
{
	bool waits_for_child = writer_waits_for_child(k);
	struct pollfd fd;

	if (!waits_for_child && k->status == HISTORY_OK)
		return true;
	if (!waits_for_child && k->status != HISTORY_BUSY && k->status != HISTORY_REPLACED)
		return false;
	poll(&fd, waits_for_child ? child_fds(&k->child, &fd) : 0, (int)(left_ms < SETTLE_LOOK_MS ? left_ms : SETTLE_LOOK_MS));
	return true;
}

/* What was written is of use only if the files are still there. */
static void writer_look_at_files(struct writer *k)
{
	struct error err;
	enum history_status status = k->history ? history_look_at_files(k->history, &err) : HISTORY_OK;

	if (status != HISTORY_OK)
		writer_heed(k, status, &err);
}

bool writer_settle(struct writer *k, int64_t limit_ms)
{
	int64_t end_ms = clock_now_ms() + limit_ms;

	writer_look_at_files(k);
	while (writer_is_behind(k)) {
		if (!writer_take_child(k) && !k->history) /* and it would fail again */
			return false;
		writer_work(k);
		if (writer_is_behind(k) && (clock_now_ms() >= end_ms || !writer_sleep(k, end_ms - clock_now_ms())))
			return false;
	}
	return true;
}

/* --- maintenance --- */

void writer_maintain(struct writer *k, bool purge)
{
	struct error ignored; /* the next one does the work */

	if (writer_is_maintaining(k)) {
		k->purge_next |= purge;
		return;
	}
	k->purge_next = false;
	if (k->history)
		history_is_maintained(k->history);
	(void)writer_maintain_start(k, purge ? WRITER_PURGE : WRITER_MAINTAIN, &ignored);
}

bool writer_wants_maintenance(const struct writer *k)
{
	return k->history && history_wants_maintenance(k->history);
}
