#include "ui/edit/edit_kills.h"

#include <string.h>

void kills_init(struct kills *k)
{
	*k = (struct kills){ 0 };
	for (size_t i = 0; i < KILLS_MOST; i++)
		buf_init(&k->entries[i].text, KILLS_LIMIT);
}

void kills_fini(struct kills *k)
{
	for (size_t i = 0; i < KILLS_MOST; i++)
		buf_fini(&k->entries[i].text);
	k->count = 0;
}

static void kills_drop_oldest(struct kills *k)
{
	buf_fini(&k->entries[0].text);
	memmove(k->entries, k->entries + 1, (KILLS_MOST - 1) * sizeof *k->entries);
	buf_init(&k->entries[KILLS_MOST - 1].text, KILLS_LIMIT);
	k->count--;
}

static size_t kills_bytes(const struct kills *k)
{
	size_t sum = 0;

	for (size_t i = 0; i < k->count; i++)
		sum += k->entries[i].text.len;
	return sum;
}

void kills_add(struct kills *k, enum kill_place place, struct str text, unsigned origin)
{
	struct kill *newest;

	if (place == KILL_NEW || !k->count) {
		if (k->count == KILLS_MOST)
			kills_drop_oldest(k);
		k->entries[k->count++].origin = origin;
	}
	newest = &k->entries[k->count - 1];
	buf_insert(&newest->text, place == KILL_BEFORE ? 0 : newest->text.len, text);
	newest->origin = origin < newest->origin ? origin : newest->origin;
	while (k->count > 1 && kills_bytes(k) > KILLS_LIMIT)
		kills_drop_oldest(k);
}

const struct kill *kills_newest(struct kills *k)
{
	if (!k->count)
		return NULL;
	k->at = k->count - 1;
	return &k->entries[k->at];
}

const struct kill *kills_older(struct kills *k)
{
	if (!k->count)
		return NULL;
	k->at = k->at && k->at < k->count ? k->at - 1 : k->count - 1;
	return &k->entries[k->at];
}
