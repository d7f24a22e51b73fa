#include "wire/think.h"

#include <string.h>

#define OPENING STR("<think>")
#define CLOSING STR("</think>")

void think_init(struct think *t)
{
	*t = (struct think){ .state = THINK_BEFORE };
}

void think_fini(struct think *t)
{
	buf_fini(&t->held);
}

void think_restart(struct think *t)
{
	t->state = THINK_BEFORE;
	t->blanks = 0;
	buf_clear(&t->held);
}

static void think_give(think_emit *emit, void *ctx, bool is_reasoning, struct str text)
{
	if (text.len)
		emit(ctx, is_reasoning, text);
}

/* The number of bytes at the end of `text` that may begin the closing tag. */
static size_t tail_of_tag(struct str text)
{
	size_t most = text.len < CLOSING.len - 1 ? text.len : CLOSING.len - 1;

	for (size_t len = most; len; len--)
		if (!memcmp(text.ptr + text.len - len, CLOSING.ptr, len))
			return len;
	return 0;
}

/* `text` is inside the tags. Bytes that may begin the closing tag stay in `held`. */
static void feed_inside(struct think *t, struct str text, think_emit *emit, void *ctx)
{
	size_t at = str_find(text, CLOSING);

	if (at < text.len) {
		t->state = THINK_AFTER;
		think_give(emit, ctx, true, str_head(text, at));
		think_give(emit, ctx, false, str_skip(text, at + CLOSING.len));
		buf_clear(&t->held);
		return;
	}
	size_t tail = tail_of_tag(text);
	think_give(emit, ctx, true, str_head(text, text.len - tail));
	if (text.ptr == t->held.ptr) {
		buf_drop(&t->held, text.len - tail);
	} else {
		buf_clear(&t->held);
		buf_add(&t->held, str_skip(text, text.len - tail));
	}
}

static void feed_before(struct think *t, struct str text, think_emit *emit, void *ctx)
{
	if (!buf_add(&t->held, text))
		return;
	while (t->blanks < t->held.len && char_is_blank(t->held.ptr[t->blanks]))
		t->blanks++;
	struct str start = str_skip(buf_str(&t->held), t->blanks);
	size_t common = start.len < OPENING.len ? start.len : OPENING.len;
	if (common && memcmp(start.ptr, OPENING.ptr, common)) {
		t->state = THINK_AFTER;
		think_give(emit, ctx, false, buf_str(&t->held));
		buf_clear(&t->held);
	} else if (common == OPENING.len) {
		t->state = THINK_INSIDE;
		buf_drop(&t->held, t->blanks + OPENING.len);
		feed_inside(t, buf_str(&t->held), emit, ctx);
	}
}

void think_feed(struct think *t, struct str text, think_emit *emit, void *ctx)
{
	switch (t->state) {
	case THINK_BEFORE:
		feed_before(t, text, emit, ctx);
		break;
	case THINK_INSIDE:
		if (t->held.len && buf_add(&t->held, text))
			text = buf_str(&t->held);
		feed_inside(t, text, emit, ctx);
		break;
	case THINK_AFTER:
		think_give(emit, ctx, false, text);
		break;
	}
}

void think_flush(struct think *t, think_emit *emit, void *ctx)
{
	think_give(emit, ctx, t->state == THINK_INSIDE, buf_str(&t->held));
	buf_clear(&t->held);
	t->state = THINK_AFTER;
}
