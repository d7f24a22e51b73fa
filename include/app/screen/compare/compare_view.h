/*
 * The view of a comparison (app/compare/compare.h): its answers in columns, each a page that scrolls by itself, with its state above; below the
 * columns a line for each shows its figures, with a bar of its rate. It has the whole screen and takes all keys; other text goes to the input if
 * no answer is under way.
 * Where not all columns fit, those around the one with the focus are shown.
 */
#ifndef WEIR_APP_COMPARE_VIEW_H
#define WEIR_APP_COMPARE_VIEW_H

#include "app/compare/compare_figures.h"
#include "app/screen/compare/compare_diff.h"
#include "app/screen/services/host.h"
#include "app/screen/services/mode.h"
#include "ui/sheet.h"

struct compare_view {
	const struct host *host;
	struct compare *compare;
	struct compare_column *columns; /* COMPARE_MOST of them; owned */
	struct compare_figures figures[COMPARE_MOST]; /* as shown: they change at most four times a second */
	int64_t figures_ms;             /* when they were taken */
	size_t running;                 /* answers under way then */
	bool open, warned;              /* warned: that leaving stops answers */
	bool wrote;                     /* the last key was text for which there is no input */
	size_t focus;                   /* the column with the focus */
	unsigned width;                 /* of the screen, as last drawn */
	size_t first;                   /* the first column that is shown */
	size_t second;                  /* the column that the focused one is compared with; the one last focused before it */
	struct compared_answer *chosen;    /* is gone on with as soon as it has ended well; NULL: none */
	struct compare_diff diff;       /* in the place of the columns, if it is open */
	struct sheet *sheet;            /* over it: the table or the keys; NULL: none */
};

void compare_view_init(struct compare_view *v, const struct host *host, struct compare *compare);
void compare_view_fini(struct compare_view *v);
void compare_view_open(struct compare_view *v);  /* the comparison has answers */
void compare_view_ended(struct compare_view *v); /* all answers are over */
bool compare_view_is_open(const void *view);
bool compare_view_shows_columns(const struct compare_view *v); /* nothing lies over them */
/* `docked`: a card about one of the answers, in place of the figures; NULL: none. */
void compare_view_draw(struct compare_view *v, const struct view *view, struct sheet *docked, struct canvas *canvas);
int64_t compare_view_deadline(const struct compare_view *v); /* when figures next change; NO_DEADLINE: they stand still */
extern const struct mode compare_view_mode;      /* takes all keys */

#endif
