/*
 * Arguments of a tool call that is still streaming, as rows of their members (ui/page/members.h).
 *
 * The text only grows at its end. Beyond ARGUMENTS_SHOWN bytes only the end is kept, below a line that says how much was dropped. So the
 * cost of an update depends only on the new bytes.
 */
#ifndef WEIR_UI_ARGUMENTS_H
#define WEIR_UI_ARGUMENTS_H

#include "ui/page/members.h"
#include "ui/pane/tail.h"

#define ARGUMENTS_SHOWN ((size_t)1 << 20) /* maximum size of the text */

struct arguments {
	bool as_sent;             /* nothing becomes a line: the source is shown */
	struct members members;
	struct member_marks marks;
	struct buf text;          /* what is shown, preceded by the notice if the front was dropped */
	struct flow flow;
	struct tail tail;
	size_t bytes;             /* bytes of the arguments processed so far */
	size_t dropped;           /* bytes dropped from the front of the text, without the notice */
	size_t notice;            /* length of the notice line at the start of `text`; 0: none */
};

void arguments_init(struct arguments *a);
void arguments_fini(struct arguments *a);
void arguments_begin(struct arguments *a, bool as_sent);      /* starts over, for another call */
/* `whole`: all arguments received so far. Only its new bytes are read; a shorter `whole` starts over. Lays the text out in `columns`. */
void arguments_update(struct arguments *a, struct str whole, unsigned columns);
const char *arguments_state(const struct arguments *a);       /* "assembling", "whole", "not JSON" */
/* The last member: its name and its value so far. False if there is none. */
bool arguments_last(const struct arguments *a, struct str *name, struct str *value);

#endif
