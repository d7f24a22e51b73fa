/*
 * Arguments of a tool call that is still streaming. The members of an object are lines, "name  value": strings without quotes and with
 * their escapes decoded, nested values compact. What is not an object is pretty-printed as far as it parses; behind an invalid byte the
 * rest follows as received.
 *
 * The text only grows at its end. Beyond ARGUMENTS_SHOWN bytes only the end is kept, below a line that says how much was dropped. So the
 * cost of an update depends only on the new bytes.
 */
#ifndef WEIR_UI_ARGUMENTS_H
#define WEIR_UI_ARGUMENTS_H

#include "base/json_scan.h"
#include "ui/pane/tail.h"

#define ARGUMENTS_SHOWN ((size_t)1 << 20) /* maximum size of the text */
#define ARGUMENTS_INDENT 2u               /* columns before the rows of a member behind its first one */

enum arguments_form { ARGUMENTS_UNKNOWN, ARGUMENTS_MEMBERS, ARGUMENTS_RAW };

/* A place in the text and the same place in the pretty-printed arguments, which hits are counted in. */
struct arguments_mark {
	size_t text, pretty;
	size_t name;              /* length of the member's name */
	bool begins;              /* a member begins here */
};

struct arguments {
	enum arguments_form form; /* decided by the first byte that is not blank */
	struct json_pretty pretty;
	struct buf scratch;       /* what the pretty-printer wrote last */
	size_t pretty_bytes;      /* all that it wrote */
	bool in_member;           /* between the start of a name and the end of its value */
	char escape[12];          /* an escape that is not complete: a surrogate pair has 12 bytes */
	size_t escape_bytes;
	struct buf text;          /* what is shown, preceded by the notice if the front was dropped */
	struct arguments_mark *marks; /* in their order; `text` and `pretty` grow alike between two */
	size_t mark_count, mark_capacity;
	struct flow flow;
	struct tail tail;
	size_t bytes;             /* bytes of the arguments processed so far */
	size_t dropped;           /* bytes dropped from the front of the text, without the notice */
	size_t notice;            /* length of the notice line at the start of `text`; 0: none */
};

void arguments_init(struct arguments *a);
void arguments_fini(struct arguments *a);
void arguments_begin(struct arguments *a);                    /* starts over, for another call */
/*
 * `whole`: all arguments received so far. Only its new bytes are read; a shorter `whole` starts over. Lays the text out in `columns`, of
 * which later rows of a member leave ARGUMENTS_INDENT free.
 */
void arguments_update(struct arguments *a, struct str whole, unsigned columns);
const char *arguments_state(const struct arguments *a);       /* "assembling", "whole", "not JSON" */

/* A row of the flow: the length of the member's name if the member begins in it, and its indentation. */
struct arguments_row { size_t name; unsigned indent; };
struct arguments_row arguments_row(const struct arguments *a, size_t row);
/* The last member: its name and its value so far. False if there is none. */
bool arguments_last(const struct arguments *a, struct str *name, struct str *value);

/*
 * Translates between offsets in `text` and in all pretty-printed arguments. Exact where a member begins and in what is not an object;
 * within a value they may differ by some bytes.
 */
size_t arguments_pretty_offset(const struct arguments *a, size_t text);
size_t arguments_text_offset(const struct arguments *a, size_t pretty); /* 0: dropped */

#endif
