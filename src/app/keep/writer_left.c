/* Conversations that were left before all of them was written. */
#include "app/keep/writer_inside.h"

#include "base/mem.h"
#include "chat/conversation/conversation.h"

size_t writer_find_left(const struct writer *k, const struct conversation *c)
{
	size_t i = 0;

	while (i < k->left_count && k->left[i].conversation != c)
		i++;
	return i;
}

struct kept_conversation writer_remove_left(struct writer *k, size_t index)
{
	struct kept_conversation c = k->left[index];

	k->left_count--;
	for (; index < k->left_count; index++)
		k->left[index] = k->left[index + 1];
	return c;
}

static void writer_exchange(struct kept_conversation *a, struct kept_conversation *b)
{
	struct kept_conversation c = *a;

	*a = *b;
	*b = c;
}

/* It is the writer's current one while it is written. One that somebody deleted meanwhile is not written any more. */
static enum history_status writer_write_left(struct writer *k, size_t index, struct error *err)
{
	struct kept_conversation *left = &k->left[index];
	enum history_status status = HISTORY_OK;

	writer_exchange(&k->now, left);
	if (k->now.lost)
		status = writer_find_again(k, err);
	if (status == HISTORY_OK)
		status = writer_write(k, err);
	writer_exchange(&k->now, left);
	left->conversation->stored = left->row;
	if (status != HISTORY_GONE)
		return status;
	left->behind = false;
	return HISTORY_OK;
}

enum history_status writer_write_all_left(struct writer *k, struct error *err)
{
	enum history_status status = HISTORY_OK;
	size_t i = 0;

	while (i < k->left_count && (status = writer_write_left(k, i, err)) == HISTORY_OK) {
		struct kept_conversation done;

		if (k->left[i].behind) {
			i++;
			continue;
		}
		done = writer_remove_left(k, i);
		kept_conversation_fini(&done);
	}
	return status;
}

void writer_leave(struct writer *k)
{
	struct kept_conversation *now = &k->now;

	if (!now->conversation)
		return;
	if (now->behind)
		writer_work(k);
	now->conversation->stored = now->row;
	if (now->behind && now->conversation->node_count) {
		k->left = mem_resize(k->left, k->left_count + 1, sizeof *k->left);
		k->left[k->left_count++] = *now;
		*now = (struct kept_conversation){ 0 };
	}
	kept_conversation_fini(now);
}

bool writer_release(struct writer *k, struct conversation *c)
{
	size_t index = writer_find_left(k, c);

	if (index < k->left_count)
		k->left[index].owned = true;
	return index == k->left_count;
}

struct conversation *writer_reclaim(struct writer *k, int64_t row)
{
	for (size_t i = 0; i < k->left_count; i++)
		if (row && k->left[i].row == row && k->left[i].owned) {
			k->left[i].owned = false;
			return k->left[i].conversation;
		}
	return NULL;
}

const struct conversation *writer_unwritten(const struct writer *k, size_t index)
{
	if (index < k->left_count)
		return k->left[index].conversation;
	return index == k->left_count && k->now.behind && k->now.conversation->node_count ? k->now.conversation : NULL;
}
