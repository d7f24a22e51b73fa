/*
 * What the files of a comparison's view share: compare_view.c (life cycle and keys), compare_draw.c (the screen), compare_bars.c (the line of
 * bars) and compare_sheets.c (table and help).
 */
#ifndef WEIR_APP_COMPARE_VIEW_INSIDE_H
#define WEIR_APP_COMPARE_VIEW_INSIDE_H

#include "app/screen/compare/compare_view.h"
#include "chat/conversation/conversation.h"
#include "ui/view.h"

struct compare_column {
	struct transcript *transcript;  /* of this answer alone; NULL: not made yet */
	struct conversation shown;      /* the session's conversation with another path: the answer alone */
	struct turn *path[1];
	struct look look;
	struct area area;               /* of its page, as last drawn; 0 rows: it is not shown */
};

#define FIGURES_MS 250 /* how long figures stand still while answers are under way */

void compare_take_figures(struct compare_view *v); /* unless those that are shown are new enough */
/* Sets `own` to what the page of a column may read: the answer alone, without keys that do not work here. It borrows from the column. */
void compare_column_view(struct compare_view *v, size_t index, const struct view *view, struct view *own);
void compare_bars_draw(const struct compare_view *v, const struct look *look, struct canvas *canvas, unsigned row);
/*
 * A key of the columns. `act` is run by `letter` (0: none) and by the keys of `command` (NULL: none). `keys` is its name in the help; NULL: the
 * first key of `command`.
 */
struct compare_key { char letter; void (*act)(struct compare_view *v); const char *command, *keys, *help; };
const struct compare_key *compare_key_at(size_t index); /* NULL beyond the last */
/* Open a sheet over the columns; none is open. */
void compare_table_open(struct compare_view *v);
void compare_help_open(struct compare_view *v);

#endif
