/*
 * The inspector's pane: the rows of a trace (chat/player/trace.h) as a list, and the row under the cursor as it came and what it became, beside
 * the list or below it. It is shown while there is something to inspect. app/screen/replay/inspect.c opens it.
 *
 * The cursor follows the end while the trace grows, or holds. A filter leaves rows of other kinds out. Only what is visible is drawn, so the
 * cost of a frame does not grow with the trace.
 */
#ifndef WEIR_UI_INSPECTOR_H
#define WEIR_UI_INSPECTOR_H

#include "chat/player/trace.h"
#include "ui/pane/pane.h"

struct inspector; /* heap */

struct inspector *inspector_new(void);
struct pane *inspector_pane(struct inspector *inspector); /* the same object as a pane; pane_free() frees it too */

/* Shows a trace, which is borrowed, from its end on. NULL: a sentence in its place. */
void inspector_open(struct inspector *inspector, const struct trace *trace, const char *sentence);
void inspector_close(struct inspector *inspector);

/* The keys for its hairline, separated by three blanks, and the words of a search that is being typed; NULL: none. Borrowed. */
void inspector_set_words(struct inspector *inspector, const char *keys, const char *typed);

/* Takes in rows that were added, and goes to the last one if it follows. */
void inspector_update(struct inspector *inspector);
bool inspector_follows(const struct inspector *inspector);
void inspector_follow(struct inspector *inspector, bool follows);

/* The row of the trace under the cursor; false: there is none. */
bool inspector_at(const struct inspector *inspector, size_t *row);
/* Goes to a row of the trace; if the filter leaves it out, to all rows first. */
void inspector_go(struct inspector *inspector, size_t row);

/* Goes to the row of the list on a row of the screen, as last drawn; false: none is there. */
bool inspector_go_to_row(struct inspector *inspector, unsigned row, unsigned column);

void inspector_next_filter(struct inspector *inspector);
void inspector_toggle_fold(struct inspector *inspector);
/* Marks a needle in frames from now on, and goes to the next (1) or previous (-1) row with it; 0: this one or the next. False: none has it. */
void inspector_search(struct inspector *inspector, struct str needle);
bool inspector_find(struct inspector *inspector, int step);

/* The word for what a row became: "text", "call", "end mark". */
const char *inspector_word(const struct trace *trace, size_t row, enum role_name *role);
struct str inspector_text(const struct trace *trace, size_t row); /* the first text that it wrote */
bool inspector_is_odd(const struct trace *trace, size_t row);     /* it deviates, or was repaired */

#endif
