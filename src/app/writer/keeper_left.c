/* Conversations that were left before all of them was written. */
#include "app/writer/keeper_inside.h"

#include "base/mem.h"

size_t keeper_find_left(const struct keeper *k, const struct conversation *c)
{
	size_t i = 0;

	while (i < k->left_count && k->left[i].conversation != c)
		i++;
	return i;
}

struct kept_conversation keeper_remove_left(struct keeper *k, size_t index)
{
	struct kept_conversation c = k->left[index];

	k->left_count--;
	for (; index < k->left_count; index++)
		k->left[index] = k->left[index + 1];
	return c;
}

static void keeper_exchange(struct kept_conversation *a, struct kept_conversation *b)
{
	struct kept_conversation c = *a;

	*a = *b;
	*b = c;
}

/* It is the keeper's current one while it is written. One that somebody deleted meanwhile is not written any more. */
static enum history_status keeper_write_left(struct keeper *k, size_t index, struct error *err)
{
	struct kept_conversation *left = &k->left[index];
	enum history_status status = HISTORY_OK;

	keeper_exchange(&k->now, left);
	if (k->now.lost)
		status = keeper_find_again(k, err);
	if (status == HISTORY_OK)
		status = keeper_write(k, err);
	keeper_exchange(&k->now, left);
	left->conversation->stored = left->row;
	if (status != HISTORY_GONE)
		return status;
	left->behind = false;
	return HISTORY_OK;
}

enum history_status keeper_write_all_left(struct keeper *k, struct error *err)
{
	enum history_status status = HISTORY_OK;
	size_t i = 0;

	while (i < k->left_count && (status = keeper_write_left(k, i, err)) == HISTORY_OK) {
		struct kept_conversation done;

		if (k->left[i].behind) {
			i++;
			continue;
		}
		done = keeper_remove_left(k, i);
		kept_conversation_fini(&done);
	}
	return status;
}

void keeper_leave(struct keeper *k)
{
	struct kept_conversation *now = &k->now;

	if (!now->conversation)
		return;
	if (now->behind)
		keeper_work(k);
	now->conversation->stored = now->row;
	if (now->behind && now->conversation->node_count) {
		k->left = mem_resize(k->left, k->left_count + 1, sizeof *k->left);
		k->left[k->left_count++] = *now;
		*now = (struct kept_conversation){ 0 };
	}
	kept_conversation_fini(now);
}

bool keeper_release(struct keeper *k, struct conversation *c)
{
	size_t index = keeper_find_left(k, c);

	if (index < k->left_count)
		k->left[index].owned = true;
	return index == k->left_count;
}

struct conversation *keeper_reclaim(struct keeper *k, int64_t row)
{
	for (size_t i = 0; i < k->left_count; i++)
		if (row && k->left[i].row == row && k->left[i].owned) {
			k->left[i].owned = false;
			return k->left[i].conversation;
		}
	return NULL;
}

const struct conversation *keeper_unwritten(const struct keeper *k, size_t index)
{
	if (index < k->left_count)
		return k->left[index].conversation;
	return index == k->left_count && k->now.behind && k->now.conversation->node_count ? k->now.conversation : NULL;
}
