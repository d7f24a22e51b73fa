/* Counts the lines that arrive while the end is not visible. Each byte is counted once. */
#include "chat/conversation/conversation.h"
#include "ui/pane/transcript_inside.h"

#include <string.h>

static void news_count_lines(struct news *n, struct str text)
{
	const char *feed;

	while ((feed = memchr(text.ptr, '\n', text.len))) {
		n->lines++;
		n->tail = 0;
		text = str_skip(text, (size_t)(feed - text.ptr) + 1);
	}
	n->tail += text.len;
}

static void news_end_line(struct news *n)
{
	n->lines += n->tail > 0;
	n->tail = 0;
}

static bool news_is_shown(const struct part *part, bool without_reasoning)
{
	return (part->kind != PART_REASONING || !without_reasoning) && part->kind != PART_OPAQUE && part->kind != PART_ATTACHMENT;
}

/* Moves the position to the end of the conversation and resets the count. */
static void news_skip_all(struct news *n, const struct conversation *c)
{
	const struct turn *t = conversation_last(c);

	*n = (struct news){ 0 };
	if (!t)
		return;
	n->turn = c->count - 1;
	n->part = t->part_count ? t->part_count - 1 : 0;
	n->length = t->part_count ? t->parts[n->part].text.len : 0;
}

void news_update(struct news *n, const struct conversation *c, bool seen, bool without_reasoning)
{
	if (seen) {
		news_skip_all(n, c);
		return;
	}
	for (; n->turn < c->count; n->turn++) {
		const struct turn *t = c->turns[n->turn];

		for (; n->part < t->part_count; n->part++) {
			const struct part *part = &t->parts[n->part];

			if (news_is_shown(part, without_reasoning) && part->text.len > n->length)
				news_count_lines(n, str_skip(buf_str(&part->text), n->length));
			n->length = part->text.len;
			if (n->part + 1 == t->part_count)
				break;
			news_end_line(n);
			n->length = 0;
		}
		if (n->turn + 1 == c->count)
			return;
		news_end_line(n);
		n->part = n->length = 0;
	}
}

size_t transcript_new_lines(const struct transcript *p)
{
	return p->following ? 0 : p->news.lines + (p->news.tail > 0);
}
