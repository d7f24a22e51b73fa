/* For the files of this module only: what the tables of menus share. */
#ifndef WEIR_APP_MENUS_INSIDE_H
#define WEIR_APP_MENUS_INSIDE_H

#include "app/screen/cards/menus.h"

struct chosen {
	long index;              /* result of menu_choice(); -1: the typed text was chosen */
	struct str typed;        /* the typed text, if index is -1 */
	const struct edit *line; /* the editor of the filter */
	const struct key *enter;
	bool meant, moved;       /* results of menu_is_meant() and menu_has_moved() */
};

void menus_close(void *menus);

/* The palette (palette.c) and help (help.c): rows of the table of menus. */
void palette_fill(struct menus *m);
void palette_filtered(struct menus *m);
void palette_choose(struct menus *m, const struct chosen *chosen);
bool palette_key(struct menus *m, const struct key *key);
void palette_run_row(struct menus *m, const struct command *command); /* runs it, or writes it into the input if it needs an argument */
void help_fill(struct menus *m);
void help_choose(struct menus *m, const struct chosen *chosen);
bool help_key(struct menus *m, const struct key *key);
void help_left(struct menus *m);

#endif
