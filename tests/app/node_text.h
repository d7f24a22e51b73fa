/* The first text of a stored turn, for tests that look at what a conversation holds. */
#ifndef WEIR_TESTS_APP_NODE_TEXT_H
#define WEIR_TESTS_APP_NODE_TEXT_H

#include "store/history/history.h"

void node_text_add(struct history *h, const struct history_node *node, struct buf *out);

#endif
