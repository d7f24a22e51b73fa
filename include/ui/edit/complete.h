/*
 * Completion: a list of candidates above the input. The search in earlier prompts uses it too.
 *
 * Pure: it holds copies of its rows, keeps those that match the needle, best match first, and reports the row that was accepted.
 */
#ifndef WEIR_UI_COMPLETE_H
#define WEIR_UI_COMPLETE_H

#include "ui/canvas.h"
#include "ui/term/key.h"

#define COMPLETE_MOST 2000      /* maximum number of rows; a row below them says that there are more */
#define COMPLETE_TEXT_BYTES 512 /* maximum length of a row's text */
#define COMPLETE_ROWS 8         /* maximum number of visible rows */

struct complete; /* heap */

struct complete *complete_new(void);
void complete_free(struct complete *l);

/* Refills the list. complete_add() ignores rows that do not match `needle` (STR_NONE matches all); complete_end() sorts the rest. */
void complete_begin(struct complete *l, struct str needle);
void complete_add(struct complete *l, struct str text, struct str fact, size_t id);
void complete_end(struct complete *l);
/* There are candidates that were not added: a row below the last one says so. `words` is a literal. Call between begin and end. */
void complete_leave_out(struct complete *l, const char *words);
bool complete_is_cut(const struct complete *l); /* the list has that row; complete_add() adds one when it is full */
void complete_close(struct complete *l);       /* removes all rows */

size_t complete_count(const struct complete *l);
/* The selected row: its text (borrowed) and the `id` it was added with. The list must not be empty. */
struct str complete_choice(const struct complete *l, size_t *id);

enum complete_result { COMPLETE_OPEN, COMPLETE_TAKEN, COMPLETE_LEFT, COMPLETE_NOT_MINE };
/*
 * Up and Down select, Tab accepts, Esc closes. Enter accepts only after Up or Down was used; before that it belongs to the input.
 * An empty list uses no key.
 */
enum complete_result complete_key(struct complete *l, const struct key *key);
void complete_step(struct complete *l, int by); /* selects the next (1) or previous (-1) row, wrapping around */

unsigned complete_rows(const struct complete *l, unsigned most);
void complete_draw(struct complete *l, struct canvas *canvas, struct area area);

#endif
