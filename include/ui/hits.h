/*
 * Hits: where a text occurs in a conversation - in texts, reasoning, tool calls and results, as they are shown unfolded.
 *
 * ASCII letters match in either case while the needle holds no upper-case one. What was searched is not searched again: only turns
 * that changed are, which is the last one while an answer streams.
 */
#ifndef WEIR_UI_HITS_H
#define WEIR_UI_HITS_H

#include "chat/conversation.h"
#include "render/span.h"

#define HITS_MAX ((size_t)1 << 20)

/* A byte of the text that begins with a part (texts that touch are one). */
struct hit { size_t turn, part, offset; };

/* The text that was searched last: when only it grew, searching goes on behind it. */
struct hits_tail { const struct turn *turn; size_t part, length, state_before; };

struct hits {
	struct buf needle;       /* empty: nothing is searched */
	bool any_case;
	struct hit *list;        /* oldest first */
	size_t count, capacity;
	uint64_t *revisions;     /* of the turns that were searched */
	size_t turns, turn_capacity;
	struct hits_tail tail;
	struct buf scratch;
	bool without_reasoning;  /* it is not shown; set it with hits_skip_reasoning() */
	struct span *marked;     /* of hits_mark() */
	size_t marked_capacity;
};

void hits_init(struct hits *h);
void hits_fini(struct hits *h);
void hits_forget(struct hits *h);                     /* nothing is searched any more */
void hits_search(struct hits *h, struct str needle);  /* something else; hits_update() finds it */
void hits_skip_reasoning(struct hits *h, bool skip);
void hits_update(struct hits *h, const struct conversation *c);

/*
 * The spans of a row with its hits in ROLE_HIT; the result is valid until the next call. No hit: `spans` itself. `before` and
 * `after` are what the text says around the row, for hits that a line break cuts.
 */
const struct span *hits_mark(struct hits *h, struct str before, const struct span *spans, size_t *count, struct str after);

#endif
