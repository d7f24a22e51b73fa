/*
 * The history: conversations in one SQLite file, `history.db` in the XDG data folder. It is the one owner of what was said.
 *
 * A conversation is a tree of nodes, and a node is a turn (chat/conversation/conversation.h). Rows are named by their row ids, which are
 * never 0. Text is stored once, in pieces, so that a growing answer costs what it grew by. `history_schema()` documents the tables.
 *
 * A handle belongs to one thread. Only history_checkpoint() waits for a disk: commits are writes into the WAL. Work that syncs or takes long
 * (creating and migrating the file, indexing text for the search, deleting for good, checkpoints, recovery) is that of history_maintain()
 * (store/maintain/maintain.h), which the program runs in another process.
 *
 * Every operation returns a status and, unless it is HISTORY_OK, a sentence in `err` (not NULL). An operation that fails has changed
 * nothing and may be called again with the same arguments.
 */
#ifndef WEIR_STORE_HISTORY_H
#define WEIR_STORE_HISTORY_H

#include <stdint.h>
#include <time.h>

#include "base/error.h"
#include "base/text.h"
#include "chat/conversation/cost.h"
#include "wire/outcome.h"
#include "wire/request.h"

struct turn;

enum history_status {
	HISTORY_OK,
	HISTORY_BUSY,      /* another program writes: try again later */
	HISTORY_ABSENT,    /* there is no file: history_maintain() creates it */
	HISTORY_OLDER,     /* of an earlier version: history_maintain() migrates it */
	HISTORY_NEWER,     /* of a later version: it is left alone */
	HISTORY_READ_ONLY,
	HISTORY_FULL,      /* the disk is full */
	HISTORY_DAMAGED,   /* history_maintain() recovers what can be read */
	HISTORY_GONE,      /* the row is not there: somebody deleted it */
	HISTORY_REPLACED,  /* somebody removed, replaced or cut the file or its WAL: close, and open again; what was written last may be missing */
	HISTORY_STOPPED,   /* the user does not want to wait (history_stop_when()) */
	HISTORY_FAILED,
};

struct history; /* heap */

/* The path of the file, on the heap; NULL without a home folder. */
char *history_path(void);

/*
 * Opens the file; never creates it. `patience_ms` is how long an operation waits for other programs: 0 in the event loop. NULL on failure.
 */
struct history *history_open(int patience_ms, enum history_status *status, struct error *err);
void history_close(struct history *h); /* NULL is allowed */
/*
 * The same for a program that may wait for the disk: what is in the WAL is moved into the file, which then holds all by itself. Every program
 * that writes ends so, or has the file maintained.
 */
void history_finish(struct history *h); /* NULL is allowed */

/* Operations that take long end when it holds. The history asks between steps; a signal handler may set what it looks at. */
void history_stop_when(struct history *h, bool (*wants_stop)(void));

/* Whether its files are still those that were opened: HISTORY_OK, or HISTORY_REPLACED. Each operation that writes looks too. Cheap. */
enum history_status history_look_at_files(struct history *h, struct error *err);

/* Some operation has failed with HISTORY_DAMAGED. */
bool history_was_damaged(const struct history *h);

/* The tables as SQL with comments, for people who query the file with `sqlite3`. Borrowed, static. */
const char *history_schema(void);

/*
 * Joins operations to one transaction, for imports and for a conversation with its first turn. Operations between them hold the lock for
 * writing. A failure ends the whole: history_commit() returns it, and nothing is kept.
 */
enum history_status history_batch(struct history *h, struct error *err);
enum history_status history_commit(struct history *h, struct error *err);

/*
 * Copies all that is not hidden, as it is at this moment, into an empty file at an absolute path: one file, without a WAL. Others may write
 * meanwhile. What a failure leaves in the file is of no use.
 */
enum history_status history_backup(struct history *h, const char *path, struct error *err);

/* Whether history_maintain() has work that should not wait: a large WAL, or many texts that are not indexed. Costs nothing. */
bool history_wants_maintenance(const struct history *h);
void history_is_maintained(struct history *h); /* history_maintain() has begun: it need not be asked for again */
/* Moves the WAL into the file, as far as no other program reads it. Waits for the disk: not for the event loop. Not in a batch. */
void history_checkpoint(struct history *h);

/*
 * Indexes what this handle has stored, where that is some megabytes: for imports, so that a search has little to read of what is not indexed
 * yet. Not in a batch.
 */
enum history_status history_index_fresh(struct history *h, struct error *err);

/* --- conversations --- */

struct history_cost { bool known; double amount; const char *currency; bool exact; }; /* currency: not NULL if known */

/*
 * The programs that have added to a conversation: only `weir ask`, or also a chat. An imported conversation counts as a chat's. When a
 * conversation is written, HISTORY_HELD_AS_BEFORE keeps the value, and HISTORY_HELD_BY_ASK has an effect on a new conversation only.
 */
enum history_held { HISTORY_HELD_AS_BEFORE, HISTORY_HELD_BY_ASK, HISTORY_HELD_BY_CHAT };

/* A conversation. Texts may be NULL. Those passed by the history are borrowed for the call. */
struct history_conversation {
	int64_t id;
	const char *key;          /* the id for users, 16 hexadecimal digits; NULL for a new one. An import sets its own */
	const char *title, *titled_by; /* by "prompt", "model", "user", "import" */
	int64_t created_ms, updated_ms; /* since 1970; 0 for a new one: now */
	bool pinned;
	enum history_held held;
	int64_t leaf;             /* the node that is shown last; 0: none */
	const char *provider, *model, *protocol; /* of the last answer */
	const char *system_prompt, *parameters, *tools, *schema; /* parameters: a JSON object; not set in lists */
	/* sums, ignored in a new one */
	int64_t turns;            /* prompts */
	struct usage usage;
	struct history_cost cost;
};

/* A key that a hidden conversation has passes to the new one. */
enum history_status history_begin(struct history *h, const struct history_conversation *facts, int64_t *conversation, struct error *err);
/* Replaces title, provider, model, protocol, system prompt, parameters, tools and schema, where they are not NULL, and who has spoken. */
enum history_status history_change(struct history *h, int64_t conversation, const struct history_conversation *facts, struct error *err);
/* Sets when it was changed last, for imports: every change sets it to now. */
enum history_status history_date(struct history *h, int64_t conversation, int64_t updated_ms, struct error *err);
enum history_status history_pin(struct history *h, int64_t conversation, bool pinned, struct error *err);
/* The node that is shown last. Each node above it remembers its child on the way. */
enum history_status history_set_leaf(struct history *h, int64_t conversation, int64_t leaf, struct error *err);

/* For imports: the same for one node, or for the conversation (node 0) without the nodes above the leaf. */
enum history_status history_choose(struct history *h, int64_t conversation, int64_t node, int64_t child, struct error *err);

typedef bool history_visit_conversation(void *ctx, const struct history_conversation *conversation); /* false ends the list */

/* The newest first. Begins behind `after` (its updated_ms and id), or at the newest if it is NULL. */
enum history_status history_list(struct history *h, const struct history_conversation *after, size_t limit, history_visit_conversation *visit,
                                 void *ctx, struct error *err);
/* Those that are pinned, the newest first. */
enum history_status history_list_pinned(struct history *h, size_t limit, history_visit_conversation *visit, void *ctx, struct error *err);
/* One conversation with all its facts; HISTORY_GONE also if it is hidden. */
enum history_status history_look(struct history *h, int64_t conversation, history_visit_conversation *visit, void *ctx, struct error *err);
#define HISTORY_LAST "last"           /* the first of the list */
#define HISTORY_LAST_CHAT "last chat" /* the first one there in which a chat has spoken */
/*
 * Finds a conversation by one of these, its place in the list from 1, its key or the beginning of its key, which has at least six characters if
 * all are digits.
 */
enum history_status history_find(struct history *h, struct str name, int64_t *conversation, struct error *err);

/* Finds a conversation by its whole key. `*conversation` is 0 if there is none, which is not a failure. */
enum history_status history_find_key(struct history *h, struct str key, int64_t *conversation, struct error *err);

/* --- turns --- */

/*
 * Stores a turn as a child of `parent` (0: as a root). `*node` is 0 for a turn that is not stored yet, and receives its row. For a stored
 * one only what has changed is written: text that grew is appended. May be called at any time while the turn grows, and again. HISTORY_GONE:
 * the turn, its parent or the conversation was deleted, also if it is only hidden yet.
 */
enum history_status history_put_turn(struct history *h, int64_t conversation, int64_t parent, const struct turn *t, int64_t *node, struct error *err);

/* What a node is called in the tree; NULL removes it. */
enum history_status history_label(struct history *h, int64_t node, const char *label, struct error *err);

struct history_node {
	int64_t id, parent;       /* parent 0: a root */
	int64_t child;            /* the child shown last; 0: none */
	enum turn_role role;
	time_t wall;
	bool ended;               /* false: it is being written, or was broken off */
	enum outcome outcome;     /* if it ended */
	const char *model;        /* as requested; NULL in prompts */
	const char *label;        /* NULL: none */
};

bool history_node_is_aside(const struct history_node *node); /* as turn_is_aside(): no path leads through it */

/* The row of the node that was stored last, by whatever program; 0: none. */
enum history_status history_newest_node(struct history *h, int64_t conversation, int64_t *node, struct error *err);

typedef bool history_visit_node(void *ctx, const struct history_node *node);
/* All nodes of a conversation, without their texts; each after its parent. */
enum history_status history_nodes(struct history *h, int64_t conversation, history_visit_node *visit, void *ctx, struct error *err);

/*
 * Reads a node into a new turn of the same role, made by conversation_ask() or conversation_answer(). A turn that never ended is read as one
 * that was cut.
 */
enum history_status history_read_turn(struct history *h, int64_t node, struct turn *t, struct error *err);

/* --- searching and counting --- */

/* Around each word of a snippet that was searched for. Snippets are not safe to show as they are. */
#define HISTORY_HIT_BEGIN "\x02"
#define HISTORY_HIT_END "\x03"

/*
 * Appends what a reader sees of an answer's text, of which snippets are then made: where it has not the words (they are in an address), and of
 * other texts, they are made of the text as it is. NULL: always.
 */
typedef void history_rendered(struct str source, struct buf *out);

struct history_hit {
	struct history_conversation conversation; /* as in lists */
	int64_t node;             /* where it was found; 0: in the title */
	int64_t text;             /* for history_snippet(); 0: in the title */
	const char *snippet;      /* some words around it; NULL: in the title */
};
typedef bool history_visit_hit(void *ctx, const struct history_hit *hit); /* false ends the search */

/*
 * Conversations that hold all the words, in one piece of text or in their title, each once: first those with such titles, then the others, both
 * in the order of the list; then those whose texts nobody has indexed yet, after an import or a migration, the newest texts first. Case and
 * accents do not count; `pre*` is the beginning of a word, `"a phrase"` words in a row. In scripts without blanks a word is any part of a
 * sentence (base/words.h). Nothing else has a meaning, so no words are an error.
 */
enum history_status history_search(struct history *h, struct str words, size_t limit, history_rendered *rendered, history_visit_hit *visit,
                                   void *ctx, struct error *err);

/*
 * The same in steps of some 10 ms of work, for the event loop. Hits have no snippets: those of the rows in view are made by history_snippet().
 */
struct history_search; /* heap */
struct history_search *history_search_new(struct str words, size_t limit);
/* Before the first step: hits are in texts only, and none in a conversation that is left out. */
void history_search_skip_titles(struct history_search *s);
void history_search_leave_out(struct history_search *s, int64_t conversation);
void history_search_free(struct history_search *s); /* NULL is allowed */
/* Visits what is found next. `*more`: call it again. */
enum history_status history_search_step(struct history *h, struct history_search *s, history_visit_hit *visit, void *ctx, bool *more,
                                        struct error *err);

/* Heap; NULL if the text does not hold the words, or is gone. */
char *history_snippet(struct history *h, struct str words, int64_t text, history_rendered *rendered);

/* Where the words of a snippet are: in a part of a node, by its place among them, at a byte of it. */
struct history_place { int64_t node, part, offset; };
/* Appends the first of the words as they stand there. False as history_snippet(). */
bool history_locate(struct history *h, struct str words, int64_t text, struct history_place *place, struct buf *found);

enum history_by { HISTORY_BY_DAY, HISTORY_BY_MODEL, HISTORY_BY_PROVIDER, HISTORY_BY_CONVERSATION };

struct history_sum {
	const char *key;          /* "2026-01-31" in local time, a model, a provider, a conversation's key; "": not known */
	const char *title;        /* by conversation; NULL: none */
	int64_t answers;
	struct usage usage;
	struct history_cost cost; /* of those answers whose cost is known in that currency */
	int64_t unpriced;         /* answers whose cost is not known, or is in another currency */
};
typedef void history_visit_sum(void *ctx, const struct history_sum *sum);

/* What answers took since a time (0: ever), copies left out: days in order, else the largest total first. */
enum history_status history_usage(struct history *h, enum history_by by, time_t since, history_visit_sum *visit, void *ctx, struct error *err);

/* --- deleting --- */

/*
 * Hides a node with all below it, or the whole conversation if `node` is 0, until history_maintain() deletes it for good. `*mark` names what was
 * hidden, for history_undelete().
 */
enum history_status history_delete(struct history *h, int64_t conversation, int64_t node, int64_t *mark, struct error *err);
enum history_status history_undelete(struct history *h, int64_t mark, struct error *err);

#endif
