/*
 * The text of an answer on a terminal, rendered as in the page of the chat: rows of markdown in colours.
 *
 * Rows of finished blocks stay. Those of the block that still grows are drawn again in place, as far as they fit into the window. Cells are
 * drawn (ui/canvas.h), so no control byte of the answer reaches the terminal.
 */
#ifndef WEIR_APP_ASK_PAGE_H
#define WEIR_APP_ASK_PAGE_H

#include "app/options/options.h"
#include "app/system/output.h"

struct settings;

struct ask_page; /* heap */

/* NULL: the terminal cannot place its cursor, or the theme cannot be loaded: the text is printed as it is. `out` is borrowed. */
struct ask_page *ask_page_new(const struct options *o, const struct settings *settings, struct output *out);
void ask_page_free(struct ask_page *p); /* NULL is allowed */

void ask_page_add(struct ask_page *p, struct str text); /* drawn soon: within ask_page_member() */
void ask_page_settle(struct ask_page *p);  /* before others write to the terminal: draws what came; rows so far are not touched again */
void ask_page_restart(struct ask_page *p); /* another text begins */
void ask_page_finish(struct ask_page *p);  /* the text is complete */
struct loop_member ask_page_member(struct ask_page *p);

#endif
