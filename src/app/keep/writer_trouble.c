/* What the writer does when the history cannot be written. */
#include "app/keep/writer_inside.h"

#include "base/mem.h"

#define PAUSE_BUSY_MS 10  /* less than MAINTAIN_GAP_MS: a process that maintains is in the way for one transaction at most */
#define PAUSE_FIRST_MS 1000
#define PAUSE_LAST_MS 30000
#define BUSY_LOOKS 32     /* the next try is after a part of the time that it has waited */
#define WAIT_TOLD_MS 5000 /* a short wait is no trouble */

const char *writer_trouble(const struct writer *k)
{
	return k->trouble;
}

void writer_tell_event(struct writer *k, const char *sentence)
{
	struct error words;

	error_set(&words, "%s", sentence);
	writer_shorten_paths(&words);
	k->tell(k->ctx, WRITER_EVENT, words.text);
}

/* The reason may change while the trouble lasts: it is told once. */
static void writer_tell_reason(struct writer *k, const char *reason, const char *advice)
{
	bool is_new = !k->trouble;
	struct error sentence;

	str_replace(&k->trouble, str_from(reason));
	if (!is_new)
		return;
	error_set(&sentence, "%s is not saved: %s%s%s", k->now.conversation ? "this conversation" : "what you left", reason,
	          advice ? ". " : "", advice ? advice : "");
	k->tell(k->ctx, WRITER_TROUBLE, sentence.text);
}

static void writer_tell_trouble(struct writer *k, const struct error *err)
{
	struct error reason;

	writer_reason(k->status, err, &reason);
	writer_tell_reason(k, reason.text, writer_advice(k->status));
}

void writer_tell_wait(struct writer *k)
{
	const struct error nothing = { "" };

	if (k->trouble || !writer_is_behind(k))
		return;
	if (writer_waits_for_child(k))
		writer_tell_reason(k, writer_work_of_child(k->status), NULL);
	else if (k->status == HISTORY_BUSY)
		writer_tell_trouble(k, &nothing);
}

int64_t writer_wait_told_ms(const struct writer *k)
{
	return k->trouble || !writer_is_behind(k) || !writer_waits_for_child(k) ? NO_DEADLINE : k->trouble_ms + WAIT_TOLD_MS;
}

void writer_is_well(struct writer *k)
{
	bool told = k->trouble != NULL;

	mem_free(k->trouble);
	k->trouble = NULL;
	k->status = HISTORY_OK;
	k->pause_ms = k->trouble_ms = 0;
	k->was_maintained = k->told_recovered = false;
	if (told)
		k->tell(k->ctx, WRITER_WELL, k->now.conversation ? "this conversation is saved now: all of it is in the history" :
		                                                   "what you left is saved now: all of it is in the history");
}

/* The next try comes later each time. */
static void writer_wait(struct writer *k, int64_t first_ms)
{
	k->pause_ms = k->pause_ms >= first_ms ? 2 * k->pause_ms : first_ms;
	if (k->pause_ms > PAUSE_LAST_MS)
		k->pause_ms = PAUSE_LAST_MS;
	k->due_ms = clock_now_ms() + k->pause_ms;
}

void writer_is_in_trouble(struct writer *k, const struct error *err)
{
	writer_tell_trouble(k, err);
	writer_wait(k, PAUSE_FIRST_MS);
}

static void writer_is_busy(struct writer *k, const struct error *err)
{
	int64_t now_ms = clock_now_ms(), waited_ms = now_ms - k->trouble_ms;

	if (waited_ms >= WAIT_TOLD_MS)
		writer_tell_trouble(k, err);
	k->pause_ms = waited_ms / BUSY_LOOKS;
	if (k->pause_ms < PAUSE_BUSY_MS)
		k->pause_ms = PAUSE_BUSY_MS;
	if (k->pause_ms > PAUSE_FIRST_MS)
		k->pause_ms = PAUSE_FIRST_MS;
	k->due_ms = now_ms + k->pause_ms;
}

static void writer_close(struct writer *k)
{
	history_close(k->history);
	k->history = NULL;
}

/* The file is to be created, migrated or recovered first. Where that was done already, it is of no help. */
static void writer_needs_maintenance(struct writer *k, const struct error *err)
{
	struct error why = *err;

	writer_close(k);
	if (writer_is_maintaining(k))
		return;
	if (!k->was_maintained && writer_maintain_start(k, k->status == HISTORY_DAMAGED ? WRITER_REPAIR : WRITER_PREPARE, &why)) {
		k->was_maintained = true;
		return;
	}
	k->was_maintained = false; /* it may help after the pause */
	writer_is_in_trouble(k, &why);
}

static void writer_was_deleted(struct writer *k)
{
	k->now.gone = true;
	k->now.behind = false;
	writer_tell_event(k, "this conversation was deleted by another program: it is not kept any more");
}

/* Rows may be missing: what is in memory is compared with those that are there, and written where they are not. */
static void writer_was_replaced(struct writer *k)
{
	k->now.replaced = k->now.lost = true;
	k->now.behind |= k->now.conversation && k->now.row;
	for (size_t i = 0; i < k->left_count; i++)
		k->left[i].replaced = k->left[i].lost = true;
}

/* A process that maintains has said why it did that. */
static void writer_tell_replaced(struct writer *k, const struct error *err)
{
	struct error words;

	if (k->told_recovered)
		return;
	error_set(&words, "%s. %s", err->text, k->now.conversation ? "This conversation is written again" : "What you left is written again");
	writer_tell_event(k, words.text);
}

void writer_heed(struct writer *k, enum history_status status, const struct error *err)
{
	if (status != k->status || !k->trouble_ms)
		k->trouble_ms = clock_now_ms();
	k->status = status;
	switch (status) {
	case HISTORY_OK:
		break;
	case HISTORY_BUSY:
		writer_is_busy(k, err);
		break;
	case HISTORY_DAMAGED:
		writer_was_replaced(k);
		writer_needs_maintenance(k, err);
		break;
	case HISTORY_ABSENT:
	case HISTORY_OLDER:
		writer_needs_maintenance(k, err);
		break;
	case HISTORY_REPLACED:
		writer_tell_replaced(k, err);
		writer_close(k);
		writer_was_replaced(k);
		writer_wait(k, PAUSE_BUSY_MS);
		break;
	case HISTORY_GONE:
		writer_was_deleted(k);
		break;
	case HISTORY_NEWER:
	case HISTORY_READ_ONLY:
	case HISTORY_FULL:
	case HISTORY_STOPPED:
	case HISTORY_FAILED:
		writer_close(k);
		writer_is_in_trouble(k, err);
		break;
	}
}

/* A row that is gone is not the conversation's, and who could not write says so. */
void writer_failed(struct writer *k, enum history_status status, const struct error *err)
{
	if (status == HISTORY_OLDER || status == HISTORY_DAMAGED || status == HISTORY_REPLACED)
		writer_heed(k, status, err);
}
