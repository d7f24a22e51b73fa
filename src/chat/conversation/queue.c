#include "chat/conversation/queue.h"

#include "base/mem.h"

/*
 * A queued delta stores its strings as offsets into one byte buffer, because the buffer moves while it grows.
 */
struct queued {
	struct delta delta;
	size_t offsets[DELTA_STRINGS_MAX];
};

struct queue {
	delta_sink *sink;
	void *ctx;
	struct queued *items;
	size_t count, capacity;
	struct buf bytes;
};

struct queue *queue_new(size_t limit_bytes, delta_sink *sink, void *ctx)
{
	struct queue *q = mem_new(sizeof *q);

	q->sink = sink;
	q->ctx = ctx;
	buf_init(&q->bytes, limit_bytes);
	return q;
}

void queue_free(struct queue *q)
{
	if (!q)
		return;
	mem_free(q->items);
	buf_fini(&q->bytes);
	mem_free(q);
}

bool queue_is_empty(const struct queue *q)
{
	return q->count == 0;
}

void queue_drain(struct queue *q)
{
	size_t count = q->count;

	for (size_t i = 0; i < count; i++) {
		struct queued *item = &q->items[i];
		struct str *strings[DELTA_STRINGS_MAX];
		size_t n = delta_strings(&item->delta, strings);

		for (size_t s = 0; s < n; s++)
			if (strings[s]->ptr || strings[s]->len)
				strings[s]->ptr = buf_z(&q->bytes) + item->offsets[s];
		q->sink(q->ctx, &item->delta);
	}
	q->count = 0;
	buf_clear(&q->bytes);
}

/* Text directly after text of the same part extends it; the time stays that of the first byte. */
static bool joins_last(struct queue *q, const struct delta *d)
{
	struct delta *last = q->count ? &q->items[q->count - 1].delta : NULL;

	if (!last || last->kind != d->kind || last->part != d->part ||
	    (d->kind != DELTA_TEXT && d->kind != DELTA_REASONING && d->kind != DELTA_REFUSAL))
		return false;
	if (!buf_add(&q->bytes, d->text))
		return false;
	last->text.len += d->text.len;
	return true;
}

static bool queue_keep(struct queue *q, const struct delta *d)
{
	struct queued item = { .delta = *d };

	if ((q->count + 1) * sizeof item > buf_limit(&q->bytes))
		return false;
	struct str *strings[DELTA_STRINGS_MAX];
	size_t n = delta_strings(&item.delta, strings);
	for (size_t s = 0; s < n; s++) {
		item.offsets[s] = q->bytes.len;
		if (!buf_add(&q->bytes, *strings[s]))
			return false;
	}
	*ARRAY_ADD(q->items, q->count, q->capacity) = item;
	return true;
}

void queue_delta(void *queue, const struct delta *delta)
{
	struct queue *q = queue;

	if (joins_last(q, delta))
		return;
	if (queue_keep(q, delta))
		return;
	queue_drain(q);
	if (!queue_keep(q, delta)) {
		buf_clear(&q->bytes);
		q->sink(q->ctx, delta); /* larger than the whole queue: not queued */
	}
}
