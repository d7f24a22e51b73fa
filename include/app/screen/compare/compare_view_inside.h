/*
 * What the files of a comparison's view share: compare_view.c (life cycle and keys), compare_draw.c (the screen), compare_foot.c (the
 * lines of figures) and compare_sheets.c (table and help).
 */
#ifndef WEIR_APP_COMPARE_VIEW_INSIDE_H
#define WEIR_APP_COMPARE_VIEW_INSIDE_H

#include "app/screen/compare/compare_view.h"
#include "chat/conversation/conversation.h"
#include "ui/view.h"

struct compare_column {
	struct transcript *transcript;  /* of this answer alone; NULL: not made yet */
	struct conversation shown;      /* the session's conversation with another path: the answer alone */
	struct turn **path;             /* of it; owned */
	size_t path_capacity;
	struct look look;
	struct area area;               /* of its page, as last drawn; 0 rows: it is not shown */
};

#define FIGURES_MS 250 /* how long figures stand still while answers are under way */

void compare_take_figures(struct compare_view *v); /* unless those that are shown are new enough */
/* Sets `own` to what the page of a column may read: the answer alone, without keys that do not work here. It borrows from the column. */
void compare_column_view(struct compare_view *v, size_t index, const struct view *view, struct view *own);
/* "streaming", or "quiet 7 s" while nothing comes; or how it ended. */
void compare_write_state(const struct compared_answer *a, struct buf *out);
/*
 * Appends what tells a target from the others, in at most so many columns: the provider only if these differ. What all names begin with is cut off
 * where there is no room for it.
 */
void compare_name(const struct compare *c, size_t index, unsigned columns, struct buf *out);
unsigned compare_foot_rows(const struct compare_view *v, unsigned height); /* on a screen of this height */
void compare_foot_draw(const struct compare_view *v, const struct look *look, struct canvas *canvas, struct area area);
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
