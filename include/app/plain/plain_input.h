/*
 * The input of the linear mode: bytes in, texts out. A line that ends with a backslash continues in the next line; two backslashes at the
 * end of a line stand for one.
 */
#ifndef WEIR_APP_PLAIN_INPUT_H
#define WEIR_APP_PLAIN_INPUT_H

#include "base/text.h"

struct plain_input {
	struct buf bytes; /* bytes not taken yet */
	struct buf text;  /* lines of an unfinished text, or the text taken last */
	size_t lines;     /* number of lines taken so far; a text may have several */
	bool goes_on;     /* the last line ended with a backslash */
	bool too_long;    /* bytes were dropped */
};

void plain_input_init(struct plain_input *in);
void plain_input_fini(struct plain_input *in);
void plain_input_add(struct plain_input *in, struct str bytes);
void plain_input_wipe(struct plain_input *in); /* what was taken, from memory */
void plain_input_drop(struct plain_input *in); /* all of it */

/* The next text, as valid UTF-8 without NUL; it lives until the next call. False: none yet. `last`: the input ends with these bytes. */
bool plain_input_take(struct plain_input *in, bool last, struct str *text);

#endif
