/*
 * A menu: an overlay with a filter line, rows with facts at the right, and key hints at the bottom.
 *
 * Pure: it holds copies of its items, filters them and reports the choice. Enter chooses, Esc closes without a choice. First come the
 * items whose names begin with the filter, then those whose names contain its letters in order, then those with the filter elsewhere
 * in their text.
 */
#ifndef WEIR_UI_MENU_H
#define WEIR_UI_MENU_H

#include "ui/canvas.h"
#include "ui/term/key.h"

struct menu_item {
	struct str text;    /* matched by the filter */
	size_t name_at, name_len; /* bytes of `text` that are the item's name; 0, 0: all of it */
	const char *group;  /* heading above the first row of a group, while the filter is empty; a literal, NULL: none */
	struct str fact;    /* right-aligned note; several, parted by three blanks and maybe empty, are columns: a narrow menu shows the first ones */
	bool fact_is_group; /* the heading says the same: the fact is shown only while there is a filter */
	bool current;       /* marked with a dot */
	bool filtered_only; /* shown only while there is a filter */
	bool muted;         /* can be chosen, but something comes first: its fact says what */
};

struct menu; /* heap */

/* `typed_format` ("use \"%s\" as typed") adds a last row that offers the filter's text itself. NULL: no such row. */
struct menu *menu_new(const char *title, const char *typed_format);
void menu_free(struct menu *menu);
void menu_set_typed(struct menu *menu, const char *format);     /* replaces `typed_format` */
void menu_wait(struct menu *menu);                              /* no row is chosen until the user filters or moves */
void menu_set_figures(struct menu *menu, struct str figures);   /* right of the title: "41 models, fetched 2 min ago" */
void menu_set_keys(struct menu *menu, const char *keys);        /* key hints; default "Enter choose   Esc back" */
void menu_clear(struct menu *menu);                             /* removes the items; keeps the filter and, if possible, the selection */
void menu_add(struct menu *menu, const struct menu_item *item);
size_t menu_count(const struct menu *menu);                     /* rows that pass the filter, including the typed one */

enum menu_result { MENU_OPEN, MENU_CHOSEN, MENU_LEFT, MENU_NOT_MINE /* the menu does not use this key: Ctrl-R */ };
enum menu_result menu_key(struct menu *menu, const struct key *key);
/* Returns the chosen item's index, in the order added; or -1 with `typed` set to the filter's text. */
long menu_choice(const struct menu *menu, struct str *typed);
/* Whether that choice is meant: the user moved to it, or its name begins with the filter. */
bool menu_is_meant(const struct menu *menu);
bool menu_has_choice(const struct menu *menu);                  /* Enter would choose a row */
bool menu_has_moved(const struct menu *menu);                   /* the user moved the selection since the filter changed */
size_t menu_matches(const struct menu *menu);                   /* items that pass the filter */
const struct edit *menu_line(const struct menu *menu);          /* the filter's input line; borrowed for the menu's life */

void menu_draw(struct menu *menu, struct canvas *canvas);

#endif
