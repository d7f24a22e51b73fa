#include "chat/queue.h"

#include "base/mem.h"

/*
 * A queued delta stores its strings as offsets into one byte buffer, because the buffer moves while it grows. delta_strings() lists the
 * strings of a delta, so that queueing and draining are the same for every kind.
 */
#define STRINGS_MAX 4

struct queued {
	struct delta delta;
	size_t offsets[STRINGS_MAX];
};

struct queue {
	delta_sink *sink;
	void *ctx;
	struct queued *items;
	size_t count, capacity;
	struct buf bytes;
};

static size_t delta_strings(struct delta *d, struct str *out[STRINGS_MAX])
{
	size_t n = 0;

	out[n++] = &d->text;
	switch (d->kind) {
	case DELTA_BEGIN:
	case DELTA_META:
		out[n++] = &d->meta.id;
		out[n++] = &d->meta.model;
		break;
	case DELTA_TOOL_BEGIN:
	case DELTA_TOOL_NAME:
	case DELTA_TOOL_ARGUMENTS:
	case DELTA_TOOL_END:
		out[n++] = &d->tool.id;
		out[n++] = &d->tool.name;
		break;
	case DELTA_OPAQUE:
		out[n++] = &d->opaque.format;
		out[n++] = &d->opaque.data;
		break;
	case DELTA_CITATION:
		out[n++] = &d->citation.url;
		out[n++] = &d->citation.title;
		out[n++] = &d->citation.text;
		break;
	case DELTA_ROUTE:
		out[n++] = &d->route.routed_model;
		break;
	case DELTA_NOTICE:
		out[n++] = &d->notice.rule;
		out[n++] = &d->notice.text;
		break;
	case DELTA_FINISH:
		out[n++] = &d->finish.reason;
		break;
	case DELTA_ERROR:
		out[n++] = &d->error.message;
		out[n++] = &d->error.type;
		out[n++] = &d->error.code;
		break;
	case DELTA_TEXT:
	case DELTA_REASONING:
	case DELTA_REFUSAL:
	case DELTA_USAGE:
	case DELTA_RESTART:
	case DELTA_END:
		break;
	}
	return n;
}

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
		struct str *strings[STRINGS_MAX];
		size_t n = delta_strings(&item->delta, strings);

		for (size_t s = 0; s < n; s++)
			if (strings[s]->ptr || strings[s]->len)
				strings[s]->ptr = buf_z(&q->bytes) + item->offsets[s];
		q->sink(q->ctx, &item->delta);
	}
	q->count = 0;
	buf_clear(&q->bytes);
}

static bool queue_is_text(enum delta_kind kind)
{
	return kind == DELTA_TEXT || kind == DELTA_REASONING || kind == DELTA_REFUSAL;
}

/* Text directly after text of the same part extends it; the time stays that of the first byte. */
static bool joins_last(struct queue *q, const struct delta *d)
{
	struct delta *last = q->count ? &q->items[q->count - 1].delta : NULL;

	if (!last || !queue_is_text(d->kind) || last->kind != d->kind || last->part != d->part)
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
	struct str *strings[STRINGS_MAX];
	size_t n = delta_strings(&item.delta, strings);
	for (size_t s = 0; s < n; s++) {
		item.offsets[s] = q->bytes.len;
		if (!buf_add(&q->bytes, *strings[s]))
			return false;
	}
	mem_reserve(&q->items, &q->capacity, q->count + 1, sizeof *q->items);
	q->items[q->count++] = item;
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
