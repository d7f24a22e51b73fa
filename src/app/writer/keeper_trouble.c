/* What the keeper does when the history cannot be written. */
#include "app/writer/keeper_inside.h"

#include "base/mem.h"

#define PAUSE_BUSY_MS 10  /* less than TEND_GAP_MS: a process that tends is in the way for one transaction at most */
#define PAUSE_FIRST_MS 1000
#define PAUSE_LAST_MS 30000
#define BUSY_LOOKS 32     /* the next try is after a part of the time that it has waited */
#define WAIT_TOLD_MS 5000 /* a short wait is no trouble */

const char *keeper_trouble(const struct keeper *k)
{
	return k->trouble;
}

void keeper_tell_event(struct keeper *k, const char *sentence)
{
	struct error words;

	error_set(&words, "%s", sentence);
	keeper_shorten_paths(&words);
	k->tell(k->ctx, KEEPER_EVENT, words.text);
}

/* The reason may change while the trouble lasts: it is told once. */
static void keeper_tell_reason(struct keeper *k, const char *reason, const char *advice)
{
	bool is_new = !k->trouble;
	struct error sentence;

	str_replace(&k->trouble, str_from(reason));
	if (!is_new)
		return;
	error_set(&sentence, "%s is not saved: %s%s%s", k->now.conversation ? "this conversation" : "what you left", reason,
	          advice ? ". " : "", advice ? advice : "");
	k->tell(k->ctx, KEEPER_TROUBLE, sentence.text);
}

static void keeper_tell_trouble(struct keeper *k, const struct error *err)
{
	struct error reason;

	keeper_reason(k->status, err, &reason);
	keeper_tell_reason(k, reason.text, keeper_advice(k->status));
}

void keeper_tell_wait(struct keeper *k)
{
	const struct error nothing = { "" };

	if (k->trouble || !keeper_is_behind(k))
		return;
	if (keeper_waits_for_child(k))
		keeper_tell_reason(k, keeper_work_of_child(k->status), NULL);
	else if (k->status == HISTORY_BUSY)
		keeper_tell_trouble(k, &nothing);
}

int64_t keeper_wait_told_ms(const struct keeper *k)
{
	return k->trouble || !keeper_is_behind(k) || !keeper_waits_for_child(k) ? NO_DEADLINE : k->trouble_ms + WAIT_TOLD_MS;
}

void keeper_is_well(struct keeper *k)
{
	bool told = k->trouble != NULL;

	mem_free(k->trouble);
	k->trouble = NULL;
	k->status = HISTORY_OK;
	k->pause_ms = k->trouble_ms = 0;
	k->was_tended = k->told_recovered = false;
	if (told)
		k->tell(k->ctx, KEEPER_WELL, k->now.conversation ? "this conversation is saved now: all of it is in the history" :
		                                                   "what you left is saved now: all of it is in the history");
}

/* The next try comes later each time. */
static void keeper_wait(struct keeper *k, int64_t first_ms)
{
	k->pause_ms = k->pause_ms >= first_ms ? 2 * k->pause_ms : first_ms;
	if (k->pause_ms > PAUSE_LAST_MS)
		k->pause_ms = PAUSE_LAST_MS;
	k->due_ms = clock_now_ms() + k->pause_ms;
}

void keeper_is_in_trouble(struct keeper *k, const struct error *err)
{
	keeper_tell_trouble(k, err);
	keeper_wait(k, PAUSE_FIRST_MS);
}

static void keeper_is_busy(struct keeper *k, const struct error *err)
{
	int64_t now_ms = clock_now_ms(), waited_ms = now_ms - k->trouble_ms;

	if (waited_ms >= WAIT_TOLD_MS)
		keeper_tell_trouble(k, err);
	k->pause_ms = waited_ms / BUSY_LOOKS;
	if (k->pause_ms < PAUSE_BUSY_MS)
		k->pause_ms = PAUSE_BUSY_MS;
	if (k->pause_ms > PAUSE_FIRST_MS)
		k->pause_ms = PAUSE_FIRST_MS;
	k->due_ms = now_ms + k->pause_ms;
}

static void keeper_close(struct keeper *k)
{
	history_close(k->history);
	k->history = NULL;
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
	k->now.gone = true;
	k->now.behind = false;
	keeper_tell_event(k, "this conversation was deleted by another program: it is not kept any more");
}

/* Rows may be missing: what is in memory is compared with those that are there, and written where they are not. */
static void keeper_was_replaced(struct keeper *k)
{
	k->now.replaced = k->now.lost = true;
	k->now.behind |= k->now.conversation && k->now.row;
	for (size_t i = 0; i < k->left_count; i++)
		k->left[i].replaced = k->left[i].lost = true;
}

/* A process that tends has said why it did that. */
static void keeper_tell_replaced(struct keeper *k, const struct error *err)
{
	struct error words;

	if (k->told_recovered)
		return;
	error_set(&words, "%s. %s", err->text, k->now.conversation ? "This conversation is written again" : "What you left is written again");
	keeper_tell_event(k, words.text);
}

void keeper_heed(struct keeper *k, enum history_status status, const struct error *err)
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
	case HISTORY_DAMAGED:
		keeper_was_replaced(k);
		keeper_needs_tending(k, err);
		break;
	case HISTORY_ABSENT:
	case HISTORY_OLDER:
		keeper_needs_tending(k, err);
		break;
	case HISTORY_REPLACED:
		keeper_tell_replaced(k, err);
		keeper_close(k);
		keeper_was_replaced(k);
		keeper_wait(k, PAUSE_BUSY_MS);
		break;
	case HISTORY_GONE:
		keeper_was_deleted(k);
		break;
	case HISTORY_NEWER:
	case HISTORY_READ_ONLY:
	case HISTORY_FULL:
	case HISTORY_STOPPED:
	case HISTORY_FAILED:
		keeper_close(k);
		keeper_is_in_trouble(k, err);
		break;
	}
}

/* A row that is gone is not the conversation's, and who could not write says so. */
void keeper_failed(struct keeper *k, enum history_status status, const struct error *err)
{
	if (status == HISTORY_OLDER || status == HISTORY_DAMAGED || status == HISTORY_REPLACED)
		keeper_heed(k, status, err);
}
