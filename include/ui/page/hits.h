/*
 * Hits: where a text occurs in a conversation - in texts, reasoning, tool calls and results, as they are shown unfolded.
 *
 * ASCII letters match in either case while the needle holds no upper-case one. What was searched is not searched again: of turns
 * that did not change nothing, of the last one only what came since, so a frame costs what the answer grew by. One hit is
 * the current one; it stays so whatever is found before it.
 */
#ifndef WEIR_UI_HITS_H
#define WEIR_UI_HITS_H

#include "base/json_scan.h"
#include "chat/conversation.h"
#include "render/span.h"

#define HITS_MAX ((size_t)1 << 20)

/* A byte of the text that begins with a part (texts that touch are one). */
struct hit { size_t turn, part, offset; };

/* How far a text of the newest turn has been searched. */
struct hits_text {
	size_t last;               /* part that it ends with */
	size_t before;             /* bytes of the parts before that one */
	size_t bytes;              /* of that one, searched */
	size_t shown, behind;      /* the same as shown, all parts; the end of the last hit there */
	struct json_pretty pretty; /* a call's arguments */
	struct buf tail;           /* the last bytes, in which a hit may begin */
};

struct hits {
	struct buf needle;       /* empty: nothing is searched */
	bool any_case;
	bool without_reasoning;  /* it is not shown; set it with hits_skip_reasoning() */
	struct hit *list;        /* oldest first */
	size_t count, capacity;
	size_t current;          /* index of the one that is shown, if there are any */
	uint64_t *revisions;     /* of the turns that were searched */
	size_t turns, turn_capacity;
	struct hits_text *texts; /* of the newest turn, by first part */
	size_t text_count, text_capacity;
	size_t restarted_at;     /* of the newest turn: another one parts its texts anew */
	struct buf scratch;
	struct span *marked;     /* of hits_mark() */
	size_t marked_capacity;
};

void hits_init(struct hits *h);
void hits_fini(struct hits *h);
void hits_forget(struct hits *h);                     /* nothing is searched any more */
void hits_search(struct hits *h, struct str needle);  /* something else; hits_update() finds it */
void hits_skip_reasoning(struct hits *h, bool skip);
void hits_update(struct hits *h, const struct conversation *c);

/* A text that rows are shown of: it begins with a part, its first `shift` bytes are left out. */
struct hits_place { size_t turn, part, shift; };

/* The bytes of a text that a row shows. */
struct hits_row { size_t turn, part, start, end; };
#define HITS_NO_CURRENT (-2)
/* Which of the hits that begin in a row is the current one: 0 the first, -1 that which began before it. Else HITS_NO_CURRENT. */
int hits_current_in(const struct hits *h, struct hits_row row);

/*
 * The spans of a row with its hits in ROLE_HIT, the current one (as above) in ROLE_HIT_CURRENT; the result is valid until the next call.
 * No hit: `spans` itself. `before` and `after` are what the text says around the row, for hits that a line break cuts.
 */
const struct span *hits_mark(struct hits *h, struct str before, const struct span *spans, size_t *count, struct str after,
                             int current);

#endif
