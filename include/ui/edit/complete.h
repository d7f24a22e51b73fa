/*
 * Completion: a list above the input of what the word at the cursor could become. Earlier prompts are searched with it too.
 *
 * Pure: it holds copies of its rows, keeps those that match what was typed, the best first, and says which one was taken.
 */
#ifndef WEIR_UI_COMPLETE_H
#define WEIR_UI_COMPLETE_H

#include "ui/canvas.h"
#include "ui/term/key.h"

#define COMPLETE_MOST 2000      /* rows kept */
#define COMPLETE_TEXT_BYTES 512 /* of a row */
#define COMPLETE_ROWS 8         /* shown at once */

struct complete; /* heap */

struct complete *complete_new(void);
void complete_free(struct complete *l);

/* Fills it anew: rows that do not match `needle` (fuzzily; STR_NONE matches all) are left out, end() puts them in order. */
void complete_begin(struct complete *l, struct str needle);
void complete_add(struct complete *l, struct str text, struct str fact, size_t id);
void complete_end(struct complete *l);
void complete_close(struct complete *l);       /* no rows */

size_t complete_count(const struct complete *l);
/* The row that is chosen: its text (borrowed) and what it was added with. There must be one. */
struct str complete_choice(const struct complete *l, size_t *id);

enum complete_result { COMPLETE_OPEN, COMPLETE_TAKEN, COMPLETE_LEFT, COMPLETE_NOT_MINE };
/*
 * Up and Down choose, Tab takes, Esc leaves; Enter takes once a row was chosen with the arrows: until then it is the input's.
 * Without rows no key is its own.
 */
enum complete_result complete_key(struct complete *l, const struct key *key);
void complete_step(struct complete *l, int by); /* chooses the next row or the one before, round the ends */

unsigned complete_rows(const struct complete *l, unsigned most);
void complete_draw(struct complete *l, struct canvas *canvas, struct area area);

#endif
