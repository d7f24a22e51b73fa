/*
 * The output of the linear mode about a conversation: append-only lines, no control bytes except LF and tab, and in weir's own texts
 * only letters, digits and punctuation.
 *
 * Text is printed in whole lines or sentences, on a terminal wrapped at words. Reasoning is announced when it ends, with its time and
 * size. A tool call is a sentence. A changed state is a line, and in a long turn a line reports the elapsed time every 30 s.
 */
#ifndef WEIR_APP_PLAIN_TELL_H
#define WEIR_APP_PLAIN_TELL_H

#include <stdint.h>

#include "app/system/line_wrap.h"
#include "app/system/output.h"

struct conversation;
struct part;
struct turn;

#define PLAIN_WORK_MS 30000

struct plain_tell {
	struct output out;
	struct line_wrap wrap;
	bool wraps;           /* `out` is a terminal: it gets no word broken */
	size_t turn;          /* index of the current turn in the path; earlier turns are printed */
	size_t nodes;         /* turns with smaller numbers are printed, or were passed over with their branch */
	size_t *told;         /* for each part of that turn: printed bytes of a text, or 1 for another part that was printed */
	size_t told_count, told_capacity;
	size_t restarted_at;  /* restarted_at of that turn when it was last printed */
	bool labelled;        /* the label with the model's name was printed */
	bool in_text;         /* the last line is text of the answer and may be continued */
	bool typed;           /* the next question is on the terminal already, as it was typed */
	const char *state;    /* the state printed last; NULL: none since the last end of a turn */
	const struct turn *working; /* the running turn that the next two members belong to; NULL: none */
	int64_t began_ms;     /* start of `working`, on the real clock */
	int64_t next_work_ms; /* when the next report of elapsed time is due */
};

void plain_tell_init(struct plain_tell *t, int fd);
void plain_tell_fini(struct plain_tell *t);

void plain_tell_line(struct plain_tell *t, const char *format, ...) PRINTF_LIKE(2, 3); /* prints a separate line */
void plain_tell_block(struct plain_tell *t, struct str text);                        /* prints lines unchanged */
void plain_tell_prompt(struct plain_tell *t, const char *label);                     /* prints a prompt, without a line end */
void plain_tell_echoed(struct plain_tell *t, bool line);                             /* call when the terminal echoed a line or a part */
void plain_tell_typed(struct plain_tell *t, bool typed);                             /* sets `typed` */

/* Prints all news of the conversation; of a running text only up to the last complete line or sentence. */
void plain_tell_follow(struct plain_tell *t, const struct conversation *c);
/* Prints a turn that is not new, whole. All others count as printed: what is printed next is what comes after them. */
void plain_tell_again(struct plain_tell *t, const struct conversation *c, const struct turn *turn);
/* Prints the rest of an answer that has ended and from which the path may lead away. All other turns count as printed. */
void plain_tell_over(struct plain_tell *t, const struct conversation *c, const struct turn *answer);
void plain_tell_forget(struct plain_tell *t);                       /* call when another conversation begins */
void plain_tell_state(struct plain_tell *t, const char *state);     /* prints a state (a literal) unless it was printed last */

/* How long no byte has arrived, and after how long the stream counts as stalled; limit 0: never. */
struct plain_quiet { int64_t ms, limit_ms; };

/* Reports every 30 s how long the running turn has taken and how long it has been quiet. `live` NULL: no turn is running. */
void plain_tell_work(struct plain_tell *t, const struct turn *live, struct plain_quiet quiet, int64_t now_ms);
int64_t plain_tell_deadline(const struct plain_tell *t);

/* Appends the sentence about a call, for other modules: "The model calls NAME with {...}.", with at most `most` bytes of arguments. */
void plain_call_words(const struct part *call, size_t most, struct buf *out);

#endif
