#include "wire/media_keeper.h"

#include "base/mem.h"

static void keeper_drop(struct media_keeper *k)
{
	for (size_t i = 0; i < k->count; i++) {
		blob_drop(k->items[i].data);
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
		k->items[k->count++] = (struct kept_media){ NULL, { 0 } };
	}
	return &k->items[index];
}

void media_keeper_add(struct media_keeper *k, struct buf *bytes, struct str type)
{
	struct blob *data = blob_of(bytes);

	media_keeper_hold(k, data, type);
	blob_drop(data);
}

void media_keeper_hold(struct media_keeper *k, struct blob *data, struct str type)
{
	struct kept_media *item = keeper_at(k, (unsigned)k->count);

	item->data = blob_hold(data);
	buf_add(&item->type, type);
}

void media_keeper_delta(void *keeper, const struct delta *d)
{
	struct media_keeper *k = keeper;

	if (d->kind == DELTA_RESTART)
		keeper_drop(k);
	if (d->kind == DELTA_MEDIA_BEGIN)
		keeper_at(k, d->media.index);
	if (d->kind == DELTA_MEDIA)
		delta_media_collect(&d->media, &keeper_at(k, d->media.index)->data);
	if (d->kind != DELTA_MEDIA_END)
		return;
	struct buf *type = &keeper_at(k, d->media.index)->type;
	buf_clear(type);
	buf_add(type, d->media.facts.type);
}
