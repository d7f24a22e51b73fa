/*
 * Keeping: joins the session of a chat with the history. It tells the writer (app/keep/writer.h) which conversation goes on and when it has
 * changed, has the history tended while nothing else is to be done, and knows when nothing is to be kept.
 *
 * A conversation that was private for a while, and in which something was said then, is never stored again: only what was stored before.
 */
#ifndef WEIR_APP_KEEP_H
#define WEIR_APP_KEEP_H

#include "app/keep/keep_change.h"
#include "app/keep/keep_open.h"
#include "app/keep/request_context.h"

/*
 * What the writer and resuming tell goes to tell(), as sentences without a full stop, not safe for a terminal. With noted()
 * it becomes a note in the page instead, at the end of the last turn, if there is one. entered(): the session has another conversation now. resumed(): the one
 * that had to wait for the history is open; false: it cannot be, which was told. toggled(): a private time began or ended.
 */
struct keep_ways {
	void (*tell)(void *ctx, const char *sentence);
	void (*noted)(void *ctx);    /* NULL: sentences are told only */
	void (*entered)(void *ctx);
	void (*resumed)(void *ctx, bool good);
	void (*toggled)(void *ctx); /* NULL: nobody is told */
	void *ctx;
};

struct keep { /* embedded */
	struct keep_ways ways;
	struct setup *setup;
	struct session *session;
	struct writer *writer;
	struct resume *resume;
	struct request_context facts;          /* as last told to the writer */
	bool facts_known;
	bool is_new;                 /* the conversation was entered, and not looked at since */
	uint64_t changes;            /* those of the session that the writer knows */
	uint64_t setup_changes;      /* those of the setup that were looked at */
	size_t private_from;         /* number of turns when the conversation became private */
	bool is_kept;                /* the writer has the conversation */
	bool live;                   /* an answer ran when it looked last */
	bool tends;                  /* something was written since the history was tended */
	bool purges;                 /* something was deleted */
	bool leaves;                 /* the program ends: pages are not seen any more */
	struct buf untold;           /* notes that wait for a turn in whose page they can stand, a line each */
	bool told_others;            /* that another program goes on with the conversation */
	int64_t others_ms;           /* when to look next for turns of another program */
	int64_t idle_ms;             /* when the conversation changed last */
};

/* Watches the session until keep_fini(). */
void keep_init(struct keep *k, struct setup *setup, struct session *session, const struct keep_ways *ways);
/* Writes what is missing, waiting a short time at most, and has the history tended by another process. */
void keep_fini(struct keep *k);

/* "private", "not kept" or "waiting": the current conversation is not stored, or not now, or is not there yet; NULL: it is. */
const char *keep_unkept(const struct keep *k);
/* What the user should know about the history or the conversation, as keeping itself tells it. */
void keep_say(struct keep *k, const char *sentence);
/* Something that was said is not in the history, and quitting would lose it: writes what to do. Tries once more to write it. */
bool keep_would_lose(struct keep *k, struct error *sentence);
/* Nothing of the current conversation is kept from here on. */
bool keep_is_private(const struct keep *k);
/* Begins or ends a private time. Writes a sentence about what happens to the conversation. */
void keep_toggle_private(struct keep *k, struct error *sentence);

/* A model wrote a title. Takes the place of that made of the prompt, not of one that the user wrote. */
void keep_title(struct keep *k, const char *title);

/* The library of a chat; its ctx is a struct keep. */
extern const struct library_ops keep_library;

struct loop_member keep_member(struct keep *k);

#endif
