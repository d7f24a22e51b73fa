#include "app/keeper_inside.h"

#include <unistd.h>

#include "base/array.h"
#include "base/descriptors.h"
#include "base/mem.h"

#define PAUSE_BUSY_MS 10  /* less than TEND_GAP_MS: a process that tends is in the way for one transaction at most */
#define PAUSE_FIRST_MS 1000
#define PAUSE_LAST_MS 30000
#define BUSY_LOOKS 32     /* the next try is after a part of the time that it has waited */
#define BUSY_TOLD_MS 5000 /* a short wait for another program is no trouble */
#define SETTLE_LOOK_MS 20
#define CHARACTERS_MOST 1000000 /* of an answer that wait for the next write: it takes a few milliseconds */
#define DESCRIPTORS 16 /* the file, its WAL, the process that tends, and a request to a provider, which goes first */

struct keeper *keeper_new(int patience_ms, keeper_tell *tell, void *ctx)
{
	struct keeper *k = mem_new(sizeof *k);

	k->patience_ms = patience_ms;
	k->tell = tell;
	k->ctx = ctx;
	k->child.fd = k->words = -1;
	return k;
}

static void keeper_set(const char **member, const char *text)
{
	char *old = (char *)(uintptr_t)*member;

	*member = mem_dup_z(text);
	mem_free(old);
}

static void keeper_drop_facts(struct keeper *k)
{
	const char **texts[] = { &k->facts.title, &k->facts.titled_by, &k->facts.system_prompt, &k->facts.parameters, &k->facts.tools, &k->facts.schema };

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		keeper_set(texts[i], NULL);
	k->facts_due = false;
}

static void keeper_leave_child(struct keeper *k)
{
	if (k->words >= 0)
		close(k->words);
	if (k->child.fd >= 0)
		close(k->child.fd);
}

void keeper_free(struct keeper *k)
{
	if (!k)
		return;
	history_close(k->history);
	keeper_drop_facts(k);
	keeper_leave_child(k);
	mem_free(k->key);
	mem_free(k->kept);
	mem_free(k->trouble);
	mem_free(k);
}

/* --- trouble --- */

static void keeper_close(struct keeper *k)
{
	history_close(k->history);
	k->history = NULL;
}

static void keeper_tell_trouble(struct keeper *k, const char *sentence)
{
	bool is_new = !k->trouble;

	str_replace(&k->trouble, str_from(sentence));
	if (is_new)
		k->tell(k->ctx, k->trouble);
}

static void keeper_is_well(struct keeper *k)
{
	bool told = k->trouble != NULL;

	mem_free(k->trouble);
	k->trouble = NULL;
	k->status = HISTORY_OK;
	k->pause_ms = k->trouble_ms = 0;
	k->was_tended = false;
	if (told)
		k->tell(k->ctx, "the conversation is kept again");
}

/* The next try comes later each time. */
static void keeper_wait(struct keeper *k, int64_t first_ms)
{
	k->pause_ms = k->pause_ms >= first_ms ? 2 * k->pause_ms : first_ms;
	if (k->pause_ms > PAUSE_LAST_MS)
		k->pause_ms = PAUSE_LAST_MS;
	k->due_ms = clock_now_ms() + k->pause_ms;
}

static void keeper_is_in_trouble(struct keeper *k, const struct error *err)
{
	keeper_tell_trouble(k, err->text);
	keeper_wait(k, PAUSE_FIRST_MS);
}

static void keeper_is_busy(struct keeper *k, const struct error *err)
{
	int64_t now_ms = clock_now_ms(), waited_ms = now_ms - k->trouble_ms;

	if (waited_ms >= BUSY_TOLD_MS)
		keeper_tell_trouble(k, err->text);
	k->pause_ms = waited_ms / BUSY_LOOKS;
	if (k->pause_ms < PAUSE_BUSY_MS)
		k->pause_ms = PAUSE_BUSY_MS;
	if (k->pause_ms > PAUSE_FIRST_MS)
		k->pause_ms = PAUSE_FIRST_MS;
	k->due_ms = now_ms + k->pause_ms;
}

/* The file is to be created, migrated or recovered first. Where that was done already, it is of no help. */
static void keeper_needs_tending(struct keeper *k, const struct error *err)
{
	struct error why = *err;

	keeper_close(k);
	if (keeper_is_tending(k))
		return;
	if (!k->was_tended && keeper_tend_start(k, k->status == HISTORY_DAMAGED ? KEEPER_REPAIR : KEEPER_PREPARE, &why)) {
		k->was_tended = true;
		return;
	}
	k->was_tended = false; /* it may help after the pause */
	keeper_is_in_trouble(k, &why);
}

static void keeper_was_deleted(struct keeper *k)
{
	k->gone = true;
	k->behind = false;
	k->tell(k->ctx, "this conversation was deleted by another program: it is not kept any more");
}

void keeper_failed(struct keeper *k, enum history_status status, const struct error *err)
{
	if (status != k->status || !k->trouble_ms)
		k->trouble_ms = clock_now_ms();
	k->status = status;
	switch (status) {
	case HISTORY_OK:
		break;
	case HISTORY_BUSY:
		keeper_is_busy(k, err);
		break;
	case HISTORY_ABSENT:
	case HISTORY_OLDER:
	case HISTORY_DAMAGED:
		keeper_needs_tending(k, err);
		break;
	case HISTORY_REPLACED:
		keeper_close(k);
		k->replaced = true;
		keeper_wait(k, PAUSE_BUSY_MS);
		break;
	case HISTORY_GONE:
		keeper_was_deleted(k);
		break;
	case HISTORY_NEWER:
	case HISTORY_READ_ONLY:
	case HISTORY_FULL:
	case HISTORY_FAILED:
		keeper_close(k);
		keeper_is_in_trouble(k, err);
		break;
	}
}

const char *keeper_trouble(const struct keeper *k)
{
	return k->trouble;
}

/* --- the conversation --- */

void keeper_forget_kept(struct keeper *k)
{
	for (size_t i = 0; i < k->kept_count; i++)
		k->kept[i] = (struct kept){ 0 };
}

static void keeper_begin_kept(struct keeper *k)
{
	k->kept_count = 0;
	for (size_t i = 0; k->row && i < k->conversation->node_count; i++)
		if (k->conversation->nodes[i]->stored)
			keeper_trust(k, k->conversation->nodes[i]);
}

static void keeper_work(struct keeper *k);

void keeper_take(struct keeper *k, struct conversation *c, int64_t row)
{
	const struct turn *last = c ? conversation_last(c) : NULL;

	if (k->behind)
		keeper_work(k);
	keeper_drop_facts(k);
	mem_free(k->key);
	k->key = NULL;
	k->conversation = c;
	k->row = row;
	k->leaf = row && last ? last->stored : 0;
	k->gone = k->replaced = k->behind = false;
	if (c) {
		keeper_begin_kept(k);
		keeper_note(k);
	}
}

void keeper_facts(struct keeper *k, const struct history_conversation *facts)
{
	const struct { const char **to; const char *from; } texts[] = {
		{ &k->facts.title, facts->title }, { &k->facts.titled_by, facts->titled_by }, { &k->facts.system_prompt, facts->system_prompt },
		{ &k->facts.parameters, facts->parameters }, { &k->facts.tools, facts->tools }, { &k->facts.schema, facts->schema },
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i].from)
			keeper_set(texts[i].to, texts[i].from);
	k->facts_due = true;
	keeper_note(k);
}

void keeper_trust(struct keeper *k, const struct turn *t)
{
	mem_reserve(&k->kept, &k->kept_capacity, t->number + 1, sizeof *k->kept);
	while (k->kept_count <= t->number)
		k->kept[k->kept_count++] = (struct kept){ 0 };
	k->kept[t->number] = keeper_kept(t);
}

/* What must not wait: a new turn, the end of one, and an answer that grew by so much that writing it later would take long. */
static bool keeper_is_urgent(const struct keeper *k)
{
	const struct turn *last = conversation_last(k->conversation);
	const struct kept *kept;

	if (k->conversation->node_count > k->kept_count)
		return true;
	kept = last ? &k->kept[last->number] : NULL;
	return kept && (kept->ended != last->ended || keeper_characters(last) > kept->characters + CHARACTERS_MOST);
}

void keeper_note(struct keeper *k)
{
	int64_t due_ms;

	if (!k->conversation || k->gone)
		return;
	due_ms = keeper_is_urgent(k) ? 0 : k->written_ms + KEEPER_PAUSE_MS;
	if (k->pause_ms) /* trouble has its own pauses */
		due_ms = k->due_ms;
	if (!k->behind || due_ms < k->due_ms)
		k->due_ms = due_ms;
	k->behind = true;
}

int64_t keeper_row(const struct keeper *k)
{
	return k->row;
}

const char *keeper_key(const struct keeper *k)
{
	return k->key;
}

bool keeper_is_behind(const struct keeper *k)
{
	return k->behind;
}

/* --- driving --- */

static enum history_status keeper_open(struct keeper *k, struct error *err)
{
	enum history_status status = HISTORY_OK;

	if (!k->history && !descriptors_ensure(DESCRIPTORS, err))
		return HISTORY_FAILED;
	if (!k->history)
		k->history = history_open(k->patience_ms, &status, err);
	if (status == HISTORY_OK && k->replaced)
		status = keeper_find_again(k, err);
	return status;
}

struct history *keeper_history(struct keeper *k)
{
	struct error err;
	enum history_status status = keeper_is_tending(k) && !k->history ? HISTORY_BUSY : keeper_open(k, &err);

	return status == HISTORY_OK ? k->history : NULL;
}

static void keeper_work(struct keeper *k)
{
	struct error err = { "" };
	enum history_status status;

	if (!k->history && keeper_is_tending(k))
		return;
	status = keeper_open(k, &err);
	if (status == HISTORY_OK)
		status = keeper_write(k, &err);
	if (status != HISTORY_OK) {
		keeper_failed(k, status, &err);
		return;
	}
	keeper_is_well(k);
	k->written_ms = clock_now_ms();
	k->due_ms = k->written_ms;
}

/* The child has done what the file needed, or said why it could not. */
static void keeper_take_child(struct keeper *k)
{
	struct error words = { "" };
	bool good;

	if (!keeper_is_tending(k) || !keeper_tend_has_ended(k, &good, &words))
		return;
	k->due_ms = 0;
	if (good && *words.text)
		k->tell(k->ctx, words.text);
	else if (!good && !k->history && k->behind) {
		k->was_tended = false;
		keeper_is_in_trouble(k, &words);
	}
	if (k->purge_next)
		keeper_tend(k, true);
}

size_t keeper_fds(void *keeper, struct pollfd *fds, size_t room)
{
	const struct keeper *k = keeper;

	return room ? child_fds(&k->child, fds) : 0;
}

int64_t keeper_deadline(void *keeper)
{
	const struct keeper *k = keeper;
	int64_t look_ms = keeper_is_tending(k) ? child_deadline(&k->child, clock_now_ms()) : NO_DEADLINE;
	bool waits_for_child = keeper_is_tending(k) && !k->history;

	return k->behind && !waits_for_child && k->due_ms < look_ms ? k->due_ms : look_ms;
}

void keeper_run(void *keeper, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct keeper *k = keeper;

	(void)fds, (void)count;
	keeper_take_child(k);
	if (k->behind && now_ms >= k->due_ms)
		keeper_work(k);
}

struct loop_member keeper_member(struct keeper *k)
{
	return (struct loop_member){ k, keeper_fds, keeper_deadline, keeper_run };
}

/* --- waiting --- */

/* Sleeps until there is reason to try again. False: trying again soon is of no use. */
static bool keeper_sleep(const struct keeper *k, int64_t left_ms)
{
	bool waits_for_child = keeper_is_tending(k) && !k->history;
	struct pollfd fd;

	if (!waits_for_child && k->status == HISTORY_OK)
		return true;
	if (!waits_for_child && k->status != HISTORY_BUSY && k->status != HISTORY_REPLACED)
		return false;
	poll(&fd, waits_for_child ? child_fds(&k->child, &fd) : 0, (int)(left_ms < SETTLE_LOOK_MS ? left_ms : SETTLE_LOOK_MS));
	return true;
}

bool keeper_settle(struct keeper *k, int64_t limit_ms)
{
	int64_t end_ms = clock_now_ms() + limit_ms;

	while (k->behind) {
		keeper_take_child(k);
		keeper_work(k);
		if (k->behind && (clock_now_ms() >= end_ms || !keeper_sleep(k, end_ms - clock_now_ms())))
			return false;
	}
	return true;
}

/* --- tending --- */

void keeper_tend(struct keeper *k, bool purge)
{
	struct error ignored; /* the next one does the work */

	if (keeper_is_tending(k)) {
		k->purge_next |= purge;
		return;
	}
	k->purge_next = false;
	(void)keeper_tend_start(k, purge ? KEEPER_PURGE : KEEPER_TEND, &ignored);
}

bool keeper_wants_tending(const struct keeper *k)
{
	return k->history && history_wants_tending(k->history);
}
