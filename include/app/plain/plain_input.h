/*
 * What is typed in the linear mode: bytes in, texts out. A line that ends with a backslash goes on in the next one; two backslashes at the
 * end stand for one.
 */
#ifndef WEIR_APP_PLAIN_INPUT_H
#define WEIR_APP_PLAIN_INPUT_H

#include "base/text.h"

struct plain_input {
	struct buf bytes; /* not taken yet */
	struct buf text;  /* lines so far, then what was taken last */
	size_t lines;     /* taken so far; a text may be several */
	bool goes_on;     /* the last line ended with a backslash */
	bool too_long;    /* bytes were lost */
};

void plain_input_init(struct plain_input *in);
void plain_input_fini(struct plain_input *in);
void plain_input_add(struct plain_input *in, struct str bytes);
void plain_input_wipe(struct plain_input *in); /* what was taken, from memory */
void plain_input_drop(struct plain_input *in); /* all of it */

/* The next text, valid UTF-8 without NUL, until the next call; false when there is none yet. `last`: nothing follows the bytes. */
bool plain_input_take(struct plain_input *in, bool last, struct str *text);

#endif
