/*
 * What the linear mode says about a conversation: lines that are only ever added to, no control bytes but LF and tab, no signs of
 * our own but letters, digits and punctuation.
 *
 * Text goes out in whole lines or sentences. Reasoning is announced when it ends, with its time and size; a tool call is a sentence.
 * The state is a line when it changes, and while a turn takes long a line says so every 30 s.
 */
#ifndef WEIR_APP_PLAIN_TELL_H
#define WEIR_APP_PLAIN_TELL_H

#include "app/output.h"
#include "chat/conversation.h"

#define PLAIN_WORK_MS 30000

struct plain_tell {
	struct output out;
	size_t turn;          /* those before it are told */
	size_t *told;         /* of each part of it: bytes of text; of others, 1: it was told */
	size_t told_count, told_capacity;
	size_t restarted_at;  /* of that turn, as was told */
	bool labelled;        /* who answers was said */
	bool in_text;         /* the last line is text of the answer, which may go on there */
	bool typed;           /* the next question stands there already */
	const char *state;    /* told last; NULL: none since the last end */
	const struct turn *working; /* the turn that the next two are of, NULL: none */
	int64_t began_ms;     /* on the real clock */
	int64_t next_work_ms;
};

void plain_tell_init(struct plain_tell *t, int fd);
void plain_tell_fini(struct plain_tell *t);

void plain_tell_line(struct plain_tell *t, const char *format, ...) PRINTF_LIKE(2, 3); /* a line of its own */
void plain_tell_block(struct plain_tell *t, struct str text);                        /* lines as they stand */
void plain_tell_prompt(struct plain_tell *t, const char *label);                     /* what is typed stands behind it */
void plain_tell_echoed(struct plain_tell *t, bool line);                             /* the terminal wrote a line, or part of one */
void plain_tell_typed(struct plain_tell *t, bool typed);                              /* the next question stands there as it was typed */

/* All that is new in the conversation; what is under way up to the last line or sentence. */
void plain_tell_follow(struct plain_tell *t, const struct conversation *c);
void plain_tell_forget(struct plain_tell *t);                       /* another conversation */
void plain_tell_state(struct plain_tell *t, const char *state);     /* a literal; nothing where it is the last one told */

/* For how long no byte has come, and after how long it counts as stalled; 0: no limit. */
struct plain_quiet { int64_t ms, limit_ms; };

/* A turn is under way, or NULL: none. Says how long it has taken every 30 s, and for how long it has been quiet. */
void plain_tell_work(struct plain_tell *t, const struct turn *live, struct plain_quiet quiet, int64_t now_ms);
int64_t plain_tell_deadline(const struct plain_tell *t);

/* The same words elsewhere: "The model calls NAME with {...}." in full. */
void plain_call_words(const struct part *call, size_t most, struct buf *out);

#endif
