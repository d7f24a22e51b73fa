/* What the writer does when the history cannot be written. */
#include "app/keep/writer_inside.h"

#include "base/mem.h"

#define PAUSE_BUSY_MS 10  /* less than MAINTAIN_GAP_MS: a process that maintains is in the way for one transaction at most */
#define PAUSE_FIRST_MS 1000
#define PAUSE_LAST_MS 30000
#define BUSY_LOOKS 32     /* the next try is after a part of the time that it has waited */
#define WAIT_TOLD_MS 5000 /* a short wait is no trouble */

const char *writer_trouble(const struct writer *w)
{
	return w->trouble;
}

void writer_tell_event(struct writer *w, const char *sentence)
{
	struct error words;

	error_set(&words, "%s", sentence);
	writer_shorten_paths(&words);
	w->tell(w->ctx, WRITER_EVENT, words.text);
}

/* The reason may change while the trouble lasts: it is told once. */
static void writer_tell_reason(struct writer *w, const char *reason, const char *advice)
{
	bool is_new = !w->trouble;
	struct error sentence;

	str_replace(&w->trouble, str_from(reason));
	if (!is_new)
		return;
	error_set(&sentence, "%s is not saved: %s%s%s", w->now.conversation ? "this conversation" : "what you left", reason,
	          advice ? ". " : "", advice ? advice : "");
	w->tell(w->ctx, WRITER_TROUBLE, sentence.text);
}

static void writer_tell_trouble(struct writer *w, const struct error *err)
{
	struct error reason;

	writer_reason(w->status, err, &reason);
	writer_tell_reason(w, reason.text, writer_advice(w->status));
}

void writer_tell_wait(struct writer *w)
{
	const struct error nothing = { "" };

	if (w->trouble || !writer_is_behind(w))
		return;
	if (writer_waits_for_child(w))
		writer_tell_reason(w, writer_work_of_child(w->status), NULL);
	else if (w->status == HISTORY_BUSY)
		writer_tell_trouble(w, &nothing);
}

int64_t writer_wait_told_ms(const struct writer *w)
{
	return w->trouble || !writer_is_behind(w) || !writer_waits_for_child(w) ? NO_DEADLINE : w->trouble_ms + WAIT_TOLD_MS;
}

void writer_is_well(struct writer *w)
{
	bool told = w->trouble != NULL;

	mem_free(w->trouble);
	w->trouble = NULL;
	w->status = HISTORY_OK;
	w->pause_ms = w->trouble_ms = 0;
	w->was_maintained = w->told_recovered = false;
	if (told)
		w->tell(w->ctx, WRITER_WELL, w->now.conversation ? "this conversation is saved now: all of it is in the history" :
		                                                   "what you left is saved now: all of it is in the history");
}

/* The next try comes later each time. */
static void writer_wait(struct writer *w, int64_t first_ms)
{
	w->pause_ms = w->pause_ms >= first_ms ? 2 * w->pause_ms : first_ms;
	if (w->pause_ms > PAUSE_LAST_MS)
		w->pause_ms = PAUSE_LAST_MS;
	w->due_ms = clock_now_ms() + w->pause_ms;
}

void writer_is_in_trouble(struct writer *w, const struct error *err)
{
	writer_tell_trouble(w, err);
	writer_wait(w, PAUSE_FIRST_MS);
}

static void writer_is_busy(struct writer *w, const struct error *err)
{
	int64_t now_ms = clock_now_ms(), waited_ms = now_ms - w->trouble_ms;

	if (waited_ms >= WAIT_TOLD_MS)
		writer_tell_trouble(w, err);
	w->pause_ms = waited_ms / BUSY_LOOKS;
	if (w->pause_ms < PAUSE_BUSY_MS)
		w->pause_ms = PAUSE_BUSY_MS;
	if (w->pause_ms > PAUSE_FIRST_MS)
		w->pause_ms = PAUSE_FIRST_MS;
	w->due_ms = now_ms + w->pause_ms;
}

static void writer_close(struct writer *w)
{
	history_close(w->history);
	w->history = NULL;
}

/* The file is to be created, migrated or recovered first. Where that was done already, it is of no help. */
static void writer_needs_maintenance(struct writer *w, const struct error *err)
{
	struct error why = *err;

	writer_close(w);
	if (writer_is_maintaining(w))
		return;
	if (!w->was_maintained && writer_maintain_start(w, w->status == HISTORY_DAMAGED ? WRITER_REPAIR : WRITER_PREPARE, &why)) {
		w->was_maintained = true;
		return;
	}
	w->was_maintained = false; /* it may help after the pause */
	writer_is_in_trouble(w, &why);
}

/* Rows may be missing: what is in memory is compared with those that are there, and written where they are not. */
static void writer_was_replaced(struct writer *w)
{
	w->now.replaced = w->now.lost = true;
	w->now.behind |= w->now.conversation && w->now.row;
	for (size_t i = 0; i < w->left_count; i++)
		w->left[i].replaced = w->left[i].lost = true;
}

/* A process that maintains has said why it did that. */
static void writer_tell_replaced(struct writer *w, const struct error *err)
{
	struct error words;

	if (w->told_recovered)
		return;
	error_set(&words, "%s. %s", err->text, w->now.conversation ? "This conversation is written again" : "What you left is written again");
	writer_tell_event(w, words.text);
}

void writer_heed(struct writer *w, enum history_status status, const struct error *err)
{
	if (status != w->status || !w->trouble_ms)
		w->trouble_ms = clock_now_ms();
	w->status = status;
	switch (status) {
	case HISTORY_OK:
		break;
	case HISTORY_BUSY:
		writer_is_busy(w, err);
		break;
	case HISTORY_DAMAGED:
		writer_was_replaced(w);
		writer_needs_maintenance(w, err);
		break;
	case HISTORY_ABSENT:
	case HISTORY_OLDER:
		writer_needs_maintenance(w, err);
		break;
	case HISTORY_REPLACED:
		writer_tell_replaced(w, err);
		writer_close(w);
		writer_was_replaced(w);
		writer_wait(w, PAUSE_BUSY_MS);
		break;
	case HISTORY_GONE:
		w->now.gone = true;
		w->now.behind = false;
		writer_tell_event(w, "this conversation was deleted by another program: it is not kept any more");
		break;
	case HISTORY_NEWER:
	case HISTORY_READ_ONLY:
	case HISTORY_FULL:
	case HISTORY_STOPPED:
	case HISTORY_FAILED:
		writer_close(w);
		writer_is_in_trouble(w, err);
		break;
	}
}

/* A row that is gone is not the conversation's, and who could not write says so. */
void writer_failed(struct writer *w, enum history_status status, const struct error *err)
{
	if (status == HISTORY_OLDER || status == HISTORY_DAMAGED || status == HISTORY_REPLACED)
		writer_heed(w, status, err);
}
