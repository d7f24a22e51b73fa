#include "ui/edit_kills.h"

#include <string.h>

void kills_init(struct kills *k)
{
	*k = (struct kills){ 0 };
	for (size_t i = 0; i < KILLS_MOST; i++)
		buf_init(&k->entries[i], KILLS_LIMIT);
}

void kills_fini(struct kills *k)
{
	for (size_t i = 0; i < KILLS_MOST; i++)
		buf_fini(&k->entries[i]);
	k->count = 0;
}

static void drop_oldest(struct kills *k)
{
	buf_fini(&k->entries[0]);
	memmove(k->entries, k->entries + 1, (KILLS_MOST - 1) * sizeof *k->entries);
	buf_init(&k->entries[KILLS_MOST - 1], KILLS_LIMIT);
	k->count--;
}

static size_t bytes(const struct kills *k)
{
	size_t sum = 0;

	for (size_t i = 0; i < k->count; i++)
		sum += k->entries[i].len;
	return sum;
}

void kills_add(struct kills *k, enum kill_place place, struct str text)
{
	struct buf *newest;

	if (place == KILL_NEW || !k->count) {
		if (k->count == KILLS_MOST)
			drop_oldest(k);
		k->count++;
	}
	newest = &k->entries[k->count - 1];
	buf_insert(newest, place == KILL_BEFORE ? 0 : newest->len, text);
	while (k->count > 1 && bytes(k) > KILLS_LIMIT)
		drop_oldest(k);
}

struct str kills_newest(struct kills *k)
{
	if (!k->count)
		return STR_NONE;
	k->at = k->count - 1;
	return buf_str(&k->entries[k->at]);
}

struct str kills_older(struct kills *k)
{
	if (!k->count)
		return STR_NONE;
	k->at = k->at && k->at < k->count ? k->at - 1 : k->count - 1;
	return buf_str(&k->entries[k->at]);
}
