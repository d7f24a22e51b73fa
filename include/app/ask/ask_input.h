/*
 * What `weir ask` asks: PROMPT words, standard input and attached files as one message.
 *
 * Words are joined by a blank; standard input that is not a terminal follows them after a blank line, without the line end at
 * its very end. What is not UTF-8 in it is repaired.
 */
#ifndef WEIR_APP_ASK_INPUT_H
#define WEIR_APP_ASK_INPUT_H

#include "app/options.h"

struct ask_input {
	struct buf text;
	struct request_part *parts; /* the text, then the files */
	struct buf *files;
	size_t file_count;
	struct request_message message;
};

enum ask_input_state { ASK_INPUT_READY, ASK_INPUT_STOPPED /* a signal came while it was read */, ASK_INPUT_BAD /* exit 2 */ };

void ask_input_init(struct ask_input *q);
void ask_input_fini(struct ask_input *q);

/* Reads all of it; after 2 s without a byte on standard input a line on standard error says what is waited for. Needs signals_open(). */
enum ask_input_state ask_input_read(struct ask_input *q, const struct options *o, struct error *err);

#endif
