#include "app/node_text.h"

#include "chat/conversation/conversation.h"
#include "support/check.h"

void node_text_add(struct history *h, const struct history_node *node, struct buf *out)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_add(c, NULL, node->role);
	struct error err;
	size_t i = 0;

	CHECK(history_read_turn(h, node->id, t, &err) == HISTORY_OK, "%s", err.text);
	while (i < t->part_count && t->parts[i].kind != PART_TEXT)
		i++;
	if (i < t->part_count)
		buf_add(out, buf_str(&t->parts[i].text));
	conversation_free(c);
}
