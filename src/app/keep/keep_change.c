#include "app/keep/keep_change.h"

#include <poll.h>

#include "app/keep/saving.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "net/source.h"

#define TITLE_BYTES 400u
#define PATIENCE_MS 300 /* how long the chat stands still for another program that writes */
#define LOOK_MS 10

void library_init(struct library *l, const struct library_ops *ops, void *ctx)
{
	*l = (struct library){ .ops = ops, .ctx = ctx };
}

void library_fini(struct library *l)
{
	mem_free(l->marks);
	l->marks = NULL;
}

struct history *library_history(const struct library *l, struct error *err)
{
	return l->ops->history(l->ctx, err);
}

bool library_good(const struct library *l, enum history_status status, const struct error *err)
{
	if (status != HISTORY_OK && status != HISTORY_GONE) /* gone: the row, nothing is wrong with the history */
		l->ops->failed(l->ctx, status, err);
	return status == HISTORY_OK;
}

int64_t library_current(const struct library *l)
{
	return l->ops->current(l->ctx);
}

bool library_open(const struct library *l, int64_t row, struct error *err)
{
	return l->ops->open(l->ctx, row, err);
}

/* --- changing --- */

struct change { int64_t row; const struct history_conversation *facts; bool pinned; int64_t *mark; };
typedef enum history_status change_try(struct history *h, const struct change *c, struct error *err);

/* Whether to try again what failed because another program writes. Waits a moment. */
static bool library_tries_again(enum history_status status, int64_t end_ms)
{
	if (status != HISTORY_BUSY || clock_now_ms() >= end_ms)
		return false;
	poll(NULL, 0, LOOK_MS);
	return true;
}

/* `undone` says what is as it was on failure: "the title is not changed". */
static bool library_change(const struct library *l, change_try *try_it, const struct change *c, const char *undone, struct error *err)
{
	struct history *h = library_history(l, err);
	int64_t end_ms = clock_now_ms() + PATIENCE_MS;
	enum history_status status;

	if (!h)
		return false;
	do
		status = try_it(h, c, err);
	while (library_tries_again(status, end_ms));
	if (status == HISTORY_BUSY)
		return error_set(err, "%s: another program is writing to the history; try again when it has done so", undone);
	if (status == HISTORY_GONE)
		return error_set(err, "%s: another program deleted the conversation", undone);
	return library_good(l, status, err);
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

bool library_rename(const struct library *l, int64_t row, struct str title, struct error *err)
{
	char *copy = str_dup(utf8_head(str_trim(title), TITLE_BYTES));
	const struct history_conversation facts = { .title = copy, .titled_by = "user" };
	bool good = library_change(l, try_facts, &(struct change){ .row = row, .facts = &facts }, "the title is not changed", err);

	mem_free(copy);
	return good;
}

bool library_pin(const struct library *l, int64_t row, bool pinned, struct error *err)
{
	return library_change(l, try_pin, &(struct change){ .row = row, .pinned = pinned }, pinned ? "it is not pinned" : "it is still pinned", err);
}

bool library_save(const struct library *l, int64_t row, struct str path, struct error *err)
{
	struct history *h = library_history(l, err);

	return h && saving_stored(h, row, path, err);
}

/* --- deleting --- */

bool library_delete(struct library *l, int64_t row, size_t removals, struct error *err)
{
	int64_t mark = 0;

	if (row == library_current(l))
		return error_set(err, "this conversation is open: begin a new one with /new first");
	if (!library_change(l, try_delete, &(struct change){ .row = row, .mark = &mark }, "nothing is deleted", err))
		return false;
	mem_reserve(&l->marks, &l->mark_capacity, l->mark_count + 1, sizeof *l->marks);
	l->marks[l->mark_count++] = (struct library_mark){ mark, removals };
	l->ops->deleted(l->ctx);
	return true;
}

bool library_undoes(const struct library *l, size_t removals)
{
	return l->mark_count && removals <= l->marks[l->mark_count - 1].removals;
}

bool library_undo(struct library *l, struct error *err)
{
	const struct change last = { .mark = &l->marks[l->mark_count - 1].mark };

	if (!library_change(l, try_undelete, &last, "nothing is brought back", err))
		return false;
	l->mark_count--;
	return true;
}
