/*
 * The message that `weir ask` sends: PROMPT words, standard input and attached files.
 *
 * Words are joined by spaces. Standard input, unless it is a terminal, follows them after a blank line, without its final line end.
 * Invalid UTF-8 is repaired. A template takes both in place of that (store/config/templates.h).
 */
#ifndef WEIR_APP_ASK_INPUT_H
#define WEIR_APP_ASK_INPUT_H

#include "app/options/options.h"
#include "store/config/templates.h"

struct ask_input {
	struct buf text;
	struct request_part *parts; /* the text, followed by the files */
	struct buf *files;
	size_t file_count;
	struct request_message message;
};

enum ask_input_state {
	ASK_INPUT_READY,
	ASK_INPUT_STOPPED, /* a signal arrived while input was read */
	ASK_INPUT_BAD,     /* a usage error: exit 2 */
};

void ask_input_init(struct ask_input *q);
void ask_input_fini(struct ask_input *q);

/*
 * Reads all input; `template` NULL: none. After 2 s without a byte on standard input, a line on standard error says that weir waits for it.
 * Requires signals_open().
 */
enum ask_input_state ask_input_read(struct ask_input *q, const struct options *o, const struct template *template, struct error *err);

#endif
