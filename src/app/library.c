#include "app/library.h"

#include "app/history/saving.h"
#include "base/mem.h"
#include "base/utf8.h"

#define TITLE_BYTES 400u

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

bool library_rename(const struct library *l, int64_t row, struct str title, struct error *err)
{
	struct history *h = library_history(l, err);
	char *copy = str_dup(utf8_head(str_trim(title), TITLE_BYTES));
	const struct history_conversation facts = { .title = copy, .titled_by = "user" };
	bool good = h && library_good(l, history_change(h, row, &facts, err), err);

	mem_free(copy);
	return good;
}

bool library_pin(const struct library *l, int64_t row, bool pinned, struct error *err)
{
	struct history *h = library_history(l, err);

	return h && library_good(l, history_pin(h, row, pinned, err), err);
}

bool library_save(const struct library *l, int64_t row, struct str path, struct error *err)
{
	struct history *h = library_history(l, err);

	return h && saving_stored(h, row, path, err);
}

/* --- deleting --- */

bool library_delete(struct library *l, int64_t row, size_t removals, struct error *err)
{
	struct history *h = library_history(l, err);
	int64_t mark = 0;

	if (row == library_current(l))
		return error_set(err, "this conversation is open: begin a new one with /new first");
	if (!h || !library_good(l, history_delete(h, row, 0, &mark, err), err))
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
	struct history *h = library_history(l, err);

	if (!h || !library_good(l, history_undelete(h, l->marks[l->mark_count - 1].mark, err), err))
		return false;
	l->mark_count--;
	return true;
}
