#include "wire/media_keeper.h"

#include "base/mem.h"

static void keeper_drop(struct media_keeper *k)
{
	for (size_t i = 0; i < k->count; i++) {
		buf_fini(&k->items[i].data);
		buf_fini(&k->items[i].type);
	}
	k->count = 0;
}

void media_keeper_fini(struct media_keeper *k)
{
	keeper_drop(k);
	mem_free(k->items);
}

static struct kept_media *keeper_at(struct media_keeper *k, unsigned index)
{
	while (index >= k->count) {
		mem_reserve(&k->items, &k->capacity, k->count + 1, sizeof *k->items);
		k->items[k->count++] = (struct kept_media){ { 0 }, { 0 } };
	}
	return &k->items[index];
}

/* A picture takes the place of the one before it; of data in pieces the facts count all bytes so far. */
static void keeper_take_data(struct kept_media *item, const struct delta_media *media)
{
	if (media->facts.bytes == media->data.len)
		buf_clear(&item->data);
	buf_add(&item->data, media->data);
}

void media_keeper_delta(void *keeper, const struct delta *d)
{
	struct media_keeper *k = keeper;

	if (d->kind == DELTA_RESTART)
		keeper_drop(k);
	if (d->kind == DELTA_MEDIA_BEGIN)
		keeper_at(k, d->media.index);
	if (d->kind == DELTA_MEDIA)
		keeper_take_data(keeper_at(k, d->media.index), &d->media);
	if (d->kind != DELTA_MEDIA_END)
		return;
	struct buf *type = &keeper_at(k, d->media.index)->type;
	buf_clear(type);
	buf_add(type, d->media.facts.type);
}
