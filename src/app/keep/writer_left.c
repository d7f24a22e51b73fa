/* Conversations that were left before all of them was written. */
#include "app/keep/writer_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

size_t writer_find_left(const struct writer *w, const struct conversation *c)
{
	size_t i = 0;

	while (i < w->left_count && w->left[i].conversation != c)
		i++;
	return i;
}

struct kept_conversation writer_remove_left(struct writer *w, size_t index)
{
	struct kept_conversation c = w->left[index];

	w->left_count--;
	for (; index < w->left_count; index++)
		w->left[index] = w->left[index + 1];
	return c;
}

static void writer_exchange(struct kept_conversation *a, struct kept_conversation *b)
{
	struct kept_conversation c = *a;

	*a = *b;
	*b = c;
}

/* It is the writer's current one while it is written. One that somebody deleted meanwhile is not written any more. */
static enum history_status writer_write_left(struct writer *w, size_t index, struct error *err)
{
	struct kept_conversation *left = &w->left[index];
	enum history_status status = HISTORY_OK;

	writer_exchange(&w->now, left);
	if (w->now.lost)
		status = writer_find_again(w, err);
	if (status == HISTORY_OK)
		status = writer_write(w, err);
	writer_exchange(&w->now, left);
	left->conversation->stored = left->row;
	if (status != HISTORY_GONE)
		return status;
	left->behind = false;
	return HISTORY_OK;
}

enum history_status writer_write_all_left(struct writer *w, struct error *err)
{
	enum history_status status = HISTORY_OK;
	size_t i = 0;

	while (i < w->left_count && (status = writer_write_left(w, i, err)) == HISTORY_OK) {
		struct kept_conversation done;

		if (w->left[i].behind) {
			i++;
			continue;
		}
		done = writer_remove_left(w, i);
		kept_conversation_fini(&done);
	}
	return status;
}

void writer_leave(struct writer *w)
{
	struct kept_conversation *now = &w->now;

	if (!now->conversation)
		return;
	if (now->behind)
		writer_work(w);
	now->conversation->stored = now->row;
	if (now->behind && now->conversation->node_count) {
		w->left = mem_resize(w->left, w->left_count + 1, sizeof *w->left);
		w->left[w->left_count++] = *now;
		*now = (struct kept_conversation){ 0 };
	}
	kept_conversation_fini(now);
}

bool writer_release(struct writer *w, struct conversation *c)
{
	size_t index = writer_find_left(w, c);

	if (index < w->left_count)
		w->left[index].owned = true;
	return index == w->left_count;
}

struct conversation *writer_reclaim(struct writer *w, int64_t row)
{
	for (size_t i = 0; i < w->left_count; i++)
		if (row && w->left[i].row == row && w->left[i].owned) {
			w->left[i].owned = false;
			return w->left[i].conversation;
		}
	return NULL;
}

const struct conversation *writer_unwritten(const struct writer *w, size_t index)
{
	if (index < w->left_count)
		return w->left[index].conversation;
	return index == w->left_count && w->now.behind && w->now.conversation->node_count ? w->now.conversation : NULL;
}
