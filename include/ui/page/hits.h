/*
 * Hits: the occurrences of a needle in a conversation - in texts, reasoning, tool calls and results, as shown unfolded.
 *
 * ASCII letters match in either case unless the needle contains an upper-case letter. The search is incremental: unchanged turns are
 * not searched again, and of the last turn only the new bytes are. So the cost per frame depends only on what was added. One hit is
 * the current one; it stays current when hits before it are added.
 */
#ifndef WEIR_UI_HITS_H
#define WEIR_UI_HITS_H

#include "render/span.h"
#include "ui/page/members.h"

struct conversation;

#define HITS_MAX ((size_t)1 << 20)

/* A byte of the text that begins with part `part`. Adjacent text parts form one text. */
struct hit { size_t turn, part, offset; };

/* The progress of the search in a text of the newest turn. */
struct hits_text {
	size_t last;               /* last part of the text */
	size_t before;             /* bytes of the parts before `last` */
	size_t bytes;              /* searched bytes of part `last` */
	size_t shown;              /* searched bytes of all parts, as shown (ui/page/members.h) */
	size_t behind;             /* offset of the end of the last hit, counted like `shown` */
	struct members members;    /* of a call or of the input of a server's tool */
	struct buf tail;           /* the last searched bytes: a hit may begin in them */
};

struct hits {
	struct buf needle;       /* empty: no search */
	bool any_case;
	bool without_reasoning;  /* reasoning is not searched; set by hits_skip_reasoning() */
	bool as_sent;            /* arguments of calls are searched as they were sent; set by hits_read_source() */
	struct hit *list;        /* in the order of the conversation */
	size_t count, capacity;
	size_t current;          /* index of the current hit; meaningless when count is 0 */
	struct hits_turn { size_t number; uint64_t revision, rewinds; } *searched; /* the turns of the path as they were searched */
	size_t turns, turn_capacity;
	struct hits_text *texts; /* texts of the newest turn, indexed by their first part */
	size_t text_count, text_capacity;
	size_t restarted_at;     /* restarted_at of the newest turn: a change regroups its texts */
	struct buf scratch;
	struct span *marked;     /* result of hits_mark() */
	size_t marked_capacity;
};

void hits_init(struct hits *h);
void hits_fini(struct hits *h);
void hits_forget(struct hits *h);                     /* ends the search */
void hits_search(struct hits *h, struct str needle);  /* sets a new needle; hits_update() finds the hits */
void hits_skip_reasoning(struct hits *h, bool skip);  /* for when reasoning is not shown */
void hits_read_source(struct hits *h, bool as_sent);  /* for when calls are shown as they were sent */
void hits_update(struct hits *h, const struct conversation *c);

/* A text that is drawn as rows. It begins with part `part`; its first `shift` bytes are not drawn. */
struct hits_place { size_t turn, part, shift; };

/* The bytes of a text that a row shows. */
struct hits_row { size_t turn, part, start, end; };
#define HITS_NO_CURRENT (-2)
/*
 * The index of the current hit among the hits that begin in a row, from 0; -1 if the current hit begins before the row and reaches
 * into it; else HITS_NO_CURRENT.
 */
int hits_current_in(const struct hits *h, struct hits_row row);

/*
 * Returns the spans of a row with its hits in ROLE_HIT and the current hit in ROLE_HIT_CURRENT; `current` is the result of
 * hits_current_in(). Without a hit it returns `spans` itself. `before` and `after` are the text around the row, for hits that span a
 * line break. The result is valid until the next call.
 */
const struct span *hits_mark(struct hits *h, struct str before, const struct span *spans, size_t *count, struct str after,
                             int current);

#endif
