#include "chat/exchange/continuation.h"

#include <string.h>

#include "base/mem.h"
#include "chat/conversation/turn.h"

enum continuation_way continuation_of(const struct provider *p, const struct protocol *protocol, const struct request *request)
{
	bool last_is_answer = request->message_count && request->messages[request->message_count - 1].role == TURN_ASSISTANT;

	if (request->continues == CONTINUE_NOT || !last_is_answer)
		return CONTINUATION_NONE;
	if (request->continues == CONTINUE_PAUSED)
		return CONTINUATION_UNCHANGED;
	return protocol->continues_text && !p->refuses_beginning && request->reasoning < REASONING_LEVEL_LOW ? CONTINUATION_BEGINNING
	                                                                                                 : CONTINUATION_WORDS;
}

/* Anthropic rejects a beginning that ends in a blank; the model writes that itself. */
static void trim_end(struct continuation *c, struct request_message *last)
{
	struct request_part *text;

	c->parts = mem_resize(NULL, last->part_count, sizeof *c->parts);
	memcpy(c->parts, last->parts, last->part_count * sizeof *c->parts);
	last->parts = c->parts;
	for (; last->part_count; last->part_count--) {
		text = &c->parts[last->part_count - 1];
		if (text->kind != PART_TEXT)
			continue;
		while (text->text.len && char_is_blank(text->text.ptr[text->text.len - 1]))
			text->text.len--;
		if (text->text.len)
			return;
	}
}

void continuation_init(struct continuation *c, enum continuation_way way, struct request *request)
{
	size_t count = request->message_count;

	if (way != CONTINUATION_BEGINNING && way != CONTINUATION_WORDS)
		return;
	c->messages = mem_resize(NULL, count + 1, sizeof *c->messages);
	memcpy(c->messages, request->messages, count * sizeof *c->messages);
	if (way == CONTINUATION_BEGINNING) {
		trim_end(c, &c->messages[count - 1]);
	} else {
		c->words = (struct request_part){ .kind = PART_TEXT, .text = STR(CONTINUE_WORDS) };
		c->messages[count++] = (struct request_message){ .role = TURN_USER, .parts = &c->words, .part_count = 1 };
	}
	request->messages = c->messages;
	request->message_count = count;
}

void continuation_fini(struct continuation *c)
{
	mem_free(c->messages);
	mem_free(c->parts);
}
