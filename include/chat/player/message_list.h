/* Makes an answer of a session with an MCP server: a list of its messages, a line each (wire/mcp/said.h), in the order of a tape. */
#ifndef WEIR_CHAT_MESSAGE_LIST_H
#define WEIR_CHAT_MESSAGE_LIST_H

#include "net/tape.h"

struct message_list; /* heap */

struct message_list *message_list_new(delta_sink *sink, void *ctx);
void message_list_free(struct message_list *l); /* NULL is allowed */
void message_list_step(struct message_list *l, const struct tape_step *step); /* gives its deltas; heads have none */

#endif
