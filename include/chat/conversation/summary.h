/* A summary that takes the place of older turns (/compact). It is recognised by the words that asked for it: the history needs no member for it. */
#ifndef WEIR_CHAT_SUMMARY_H
#define WEIR_CHAT_SUMMARY_H

#include <stdbool.h>

struct turn;

#define SUMMARY_WORDS \
	"Summarize our conversation so far. The summary takes its place from now on, so keep what is needed to go on: what was asked, what " \
	"was decided and why, facts, names, figures and code that later turns may refer to, and what is still open. Write nothing else."

bool turn_is_summary(const struct turn *t); /* a question that asked for a summary, or its answer */

#endif
