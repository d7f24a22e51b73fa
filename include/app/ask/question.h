/*
 * What `weir ask` asks: PROMPT words, standard input and attached files as one message.
 *
 * Words are joined by a blank; standard input that is not a terminal follows them after a blank line, without the line end at
 * its very end. What is not UTF-8 in it is repaired.
 */
#ifndef WEIR_APP_QUESTION_H
#define WEIR_APP_QUESTION_H

#include "app/options.h"

struct question {
	struct buf text;
	struct request_part *parts; /* the text, then the files */
	struct buf *files;
	size_t file_count;
	struct request_message message;
};

enum question_state { QUESTION_READY, QUESTION_STOPPED /* a signal came while it was read */, QUESTION_BAD /* exit 2 */ };

void question_init(struct question *q);
void question_fini(struct question *q);

/* Reads all of it; after 2 s without a byte on standard input a line on standard error says what is waited for. Needs signals_open(). */
enum question_state question_read(struct question *q, const struct options *o, struct error *err);

#endif
