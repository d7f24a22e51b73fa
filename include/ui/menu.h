/*
 * A menu: a sheet over the middle with a filter line, rows with facts at the right, and keys at the bottom (SCREEN.md).
 *
 * Pure: it holds copies of its items, filters them fuzzily as one types, and says what was chosen. Enter chooses, Esc changes nothing.
 */
#ifndef WEIR_UI_MENU_H
#define WEIR_UI_MENU_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct menu_item {
	struct str text;    /* what is filtered and chosen */
	struct str fact;    /* at the right */
	bool current;       /* marked with a dot */
	bool dimmed;        /* can be seen, but not chosen: Enter says why not (its fact) */
};

struct menu; /* heap */

/* `typed_format`: "use \"%s\" as typed" offers the filter's own text as a last row, NULL: never. */
struct menu *menu_new(const char *title, const char *typed_format);
void menu_free(struct menu *menu);
void menu_set_figures(struct menu *menu, struct str figures);   /* at the right of the title: "41 models, fetched 2 min ago" */
void menu_set_keys(struct menu *menu, const char *keys);        /* bottom line; default "Enter choose   Esc back" */
void menu_clear(struct menu *menu);                             /* the items; filter and, where possible, selection stay */
void menu_add(struct menu *menu, const struct menu_item *item);
size_t menu_count(const struct menu *menu);                     /* rows that the filter leaves, the typed one included */

enum menu_result { MENU_OPEN, MENU_CHOSEN, MENU_LEFT, MENU_NOT_MINE /* a key for the caller: Ctrl-R */ };
enum menu_result menu_key(struct menu *menu, const struct key *key);
/* What is chosen: the item's index as added, or -1 with `typed` set for the filter's own text. */
long menu_choice(const struct menu *menu, struct str *typed);
struct str menu_filter(const struct menu *menu);                /* what was typed, trimmed; borrowed until the next key */
const struct edit *menu_line(const struct menu *menu);          /* the line that it is typed in; borrowed as long as the menu */

void menu_draw(struct menu *menu, struct canvas *canvas);

#endif
