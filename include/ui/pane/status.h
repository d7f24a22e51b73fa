/*
 * The fields of the status bar: which there are, what they say, which the user wants. pane_status.c puts them on the screen.
 */
#ifndef WEIR_UI_STATUS_H
#define WEIR_UI_STATUS_H

#include "ui/view.h"

struct status_row {
	const char *word; /* of `status =` */
	int rank;         /* the lowest is dropped first; 0: shown only where it is asked for */
	unsigned gap;     /* blanks before it */
};
const struct status_row *status_row(enum status_field field);

/* From words such as "state model out rate"; no words: all but those of rank 0. Errors list the known words. */
MUST_USE bool status_choose(struct status_choice *choice, struct str words, struct error *err);
/* Appends the known words in the order of the screen. */
void status_write_words(const char *between, struct buf *out);

#define STATUS_TEXT 128
struct status_text { char of[STATUS_COUNT][STATUS_TEXT]; }; /* "": nothing to say */

/* What changes with the program's state and with the clock of silence. */
void status_tell_state(struct status_text *out, const struct view *view);
/* All others. While a turn runs, figures have columns of their own from the start, so that nothing moves when they come. */
void status_tell_turn(struct status_text *out, const struct view *view, const struct turn *t);

#endif
