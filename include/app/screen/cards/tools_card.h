/*
 * The card of the tools that may run: from where each is, what holds for it in this conversation, and whether it is offered; what it says of
 * itself is below. Enter turns the marked one on or off, Ctrl-X takes back what was allowed. What one types filters the rows.
 *
 * MCP servers that are still asked for their tools are the last rows. As they answer, their tools come below
 * those that were there: no other row moves.
 */
#ifndef WEIR_APP_TOOLS_CARD_H
#define WEIR_APP_TOOLS_CARD_H

#include "app/screen/cards/card_kind.h"
#include "ui/list.h"

struct tool;

enum tools_row_kind { ROW_TOOL, ROW_FILE, ROW_SERVER }; /* ROW_FILE: definitions of a file, whose calls the user answers */
struct tools_row { enum tools_row_kind kind; char *name; };

struct tools_card {
	const struct host *host;
	bool open;
	bool narrow;                     /* the last frame was */
	struct edit filter;
	struct tools_row *rows;          /* in the order in which they came */
	size_t count, capacity;
	size_t *shown, shown_count;      /* those that match the filter */
	uint64_t seen;                   /* changes of what they were made of */
	struct list_state list;
	struct buf words;                /* of one row */
};

void tools_card_open(struct tools_card *c);
extern const struct card_kind tools_card_kind;

#endif
