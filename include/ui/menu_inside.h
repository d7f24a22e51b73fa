/*
 * What the menu's files share: menu.c (items, filter, keys), menu_facts.c (columns of facts) and menu_draw.c.
 */
#ifndef WEIR_UI_MENU_INSIDE_H
#define WEIR_UI_MENU_INSIDE_H

#include "ui/edit/edit.h"
#include "ui/fuzzy.h"
#include "ui/menu.h"

#define MENU_COLUMNS_MOST 100 /* longer texts and facts do not widen the card further */
#define MENU_FACTS_MOST 4u    /* columns of facts; more are part of the last one */

struct menu_entry {
	char *text, *fact;
	size_t name_at, name_len;
	const char *group;
	bool current, muted, filtered_only;
};

struct match {
	size_t item;
	int score;
};

struct menu {
	char *title, *typed_format, *figures, *keys;
	struct edit filter;
	struct menu_entry *items;
	size_t item_count, item_capacity;
	struct match *matches;   /* best score first, then in the order added */
	size_t match_count, match_capacity;
	size_t selected;         /* row index: the matches, then the typed row */
	char *kept;              /* text of the item that was selected before menu_clear(); NULL: none */
	bool anchored;           /* the selection follows its item when rows are inserted; else it stays on the first row */
	bool exact;              /* an item's text equals the filter, so there is no typed row */
	bool has_current;
	bool moved;              /* the user moved the selection since the filter changed */
	bool has_groups;
	bool waits;              /* no row is chosen until the user filters or moves */
	size_t top;              /* first visible line of the last frame; headings are lines */
};

struct str menu_filter(const struct menu *menu);       /* trimmed; borrowed until the next key */
bool menu_is_filtered(const struct menu *menu);        /* the slash of slash words alone is no filter */
/* How well an item matches, -1: not at all; and which bytes of its text do. */
int menu_match(const struct menu *menu, const struct menu_entry *item, bool matched[FUZZY_TEXT_BYTES]);

/* --- menu_facts.c --- */

/* Measured once a frame. */
struct menu_facts {
	unsigned of[MENU_FACTS_MOST]; /* the widest one; 0: no row has it */
	size_t shown;
};

/* All items count, not only the matches, so that nothing moves while the user types. */
struct menu_facts menu_measure_facts(const struct menu *menu);
/* From the first fact that an item has to the end of the first `most` columns. */
unsigned menu_facts_columns(const struct menu_entry *item, const struct menu_facts *facts, size_t most);
/* How many facts all rows show in so much room, so that they stand in line: at least one, which may be cut. */
size_t menu_facts_shown(const struct menu *menu, const struct menu_facts *facts, unsigned room);
/* Each fact ends where its column ends. */
void menu_draw_facts(struct canvas *canvas, struct area place, enum role_name role, const struct menu_entry *item,
                     const struct menu_facts *facts);

/* --- menu_draw.c --- */

/* Text that does not fit is cut and ends in an ellipsis. Returns the columns that it took. */
unsigned menu_put_cut(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, enum role_name role, struct str text);

#endif
