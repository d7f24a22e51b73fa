#include "app/keep/keep_inside.h"

#include <poll.h>

#include "app/keep/saving.h"
#include "app/session/session.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "net/source.h"

#define TITLE_BYTES 400u
#define PATIENCE_MS 300 /* how long the chat stands still for another program that writes */
#define LOOK_MS 10

struct history *keep_history(const struct keep *k, struct error *err)
{
	if (k)
		return writer_history_or(k->writer, err);
	error_set(err, "a replay has no stored conversations");
	return NULL;
}

bool keep_is_preparing(const struct keep *k)
{
	return k && writer_preparation(k->writer);
}

bool keep_good(const struct keep *k, enum history_status status, const struct error *err)
{
	if (status != HISTORY_OK && status != HISTORY_GONE) /* gone: the row, nothing is wrong with the history */
		writer_failed(k->writer, status, err);
	return status == HISTORY_OK;
}

int64_t keep_current(const struct keep *k)
{
	if (!k)
		return 0;
	return k->is_kept ? writer_row(k->writer) : session_conversation(k->session)->stored;
}

/* --- changing --- */

struct change { int64_t row; const struct history_conversation *facts; bool pinned; int64_t *mark; };
typedef enum history_status change_try(struct history *h, const struct change *c, struct error *err);

/* Whether to try again what failed because another program writes. Waits a moment. */
static bool keep_tries_again(enum history_status status, int64_t end_ms)
{
	if (status != HISTORY_BUSY || clock_now_ms() >= end_ms)
		return false;
	poll(NULL, 0, LOOK_MS);
	return true;
}

/* `undone` says what is as it was on failure: "the title is not changed". */
static bool keep_change(const struct keep *k, change_try *try_it, const struct change *c, const char *undone, struct error *err)
{
	struct history *h = keep_history(k, err);
	int64_t end_ms = clock_now_ms() + PATIENCE_MS;
	enum history_status status;

	if (!h)
		return false;
	do
		status = try_it(h, c, err);
	while (keep_tries_again(status, end_ms));
	if (status == HISTORY_BUSY)
		return error_set(err, "%s: another program is writing to the history; try again when it has done so", undone);
	if (status == HISTORY_GONE)
		return error_set(err, "%s: another program deleted the conversation", undone);
	return keep_good(k, status, err);
}

static enum history_status try_facts(struct history *h, const struct change *c, struct error *err)
{
	return history_change(h, c->row, c->facts, err);
}

static enum history_status try_pin(struct history *h, const struct change *c, struct error *err)
{
	return history_pin(h, c->row, c->pinned, err);
}

static enum history_status try_delete(struct history *h, const struct change *c, struct error *err)
{
	return history_delete(h, c->row, 0, c->mark, err);
}

static enum history_status try_undelete(struct history *h, const struct change *c, struct error *err)
{
	return history_undelete(h, *c->mark, err);
}

bool keep_rename(const struct keep *k, int64_t row, struct str title, struct error *err)
{
	char *copy = str_dup(utf8_head(str_trim(title), TITLE_BYTES));
	const struct history_conversation facts = { .title = copy, .titled_by = "user" };
	bool is_kept = k && k->is_kept, good;

	if (row)
		good = keep_change(k, try_facts, &(struct change){ .row = row, .facts = &facts }, "the title is not changed", err);
	else
		good = is_kept || error_set(err, "nothing of this conversation is kept, a title neither (/private, and history in the settings)");
	if (good && is_kept && row == writer_row(k->writer)) /* what it writes later has this title, too */
		writer_describe(k->writer, &facts);
	mem_free(copy);
	return good;
}

static bool keep_take_title(void *title, const struct history_conversation *c)
{
	buf_add_z(title, c->title ? c->title : "");
	return true;
}

bool keep_read_title(const struct keep *k, int64_t row, struct buf *title, struct error *err)
{
	struct history *h = keep_history(k, err);

	return h && keep_good(k, history_look(h, row, keep_take_title, title, err), err);
}

bool keep_pin(const struct keep *k, int64_t row, bool pinned, struct error *err)
{
	return keep_change(k, try_pin, &(struct change){ .row = row, .pinned = pinned }, pinned ? "it is not pinned" : "it is still pinned", err);
}

bool keep_save(const struct keep *k, int64_t row, struct str path, struct error *err)
{
	struct history *h = keep_history(k, err);

	return h && saving_stored(h, row, path, err);
}

/* --- deleting --- */

bool keep_delete(struct keep *k, int64_t row, size_t removals, struct error *err)
{
	int64_t mark = 0;

	if (row == keep_current(k))
		return error_set(err, "this conversation is open: begin a new one with /new first");
	if (!keep_change(k, try_delete, &(struct change){ .row = row, .mark = &mark }, "nothing is deleted", err))
		return false;
	mem_reserve(&k->deletions, &k->deletion_capacity, k->deletion_count + 1, sizeof *k->deletions);
	k->deletions[k->deletion_count++] = (struct keep_deletion){ mark, removals };
	k->purges = true;
	return true;
}

bool keep_has_deleted(const struct keep *k)
{
	return k && k->deletion_count > 0;
}

bool keep_undoes(const struct keep *k, size_t removals)
{
	return k && k->deletion_count && removals <= k->deletions[k->deletion_count - 1].removals;
}

bool keep_undo(struct keep *k, struct error *err)
{
	const struct change last = { .mark = &k->deletions[k->deletion_count - 1].mark };

	if (!keep_change(k, try_undelete, &last, "nothing is brought back", err))
		return false;
	k->deletion_count--;
	return true;
}
