/*
 * The arguments of a call, or the input of a server's tool, as they are shown and searched: each member of an object is a line, "name  value",
 * strings without quotes and with their escapes decoded, nested values compact. What is no object stands as it was sent, and so does what
 * follows an invalid byte.
 *
 * It is written while it arrives; what was written does not change. Where it is drawn, names are muted, and values begin in one column.
 */
#ifndef WEIR_UI_MEMBERS_H
#define WEIR_UI_MEMBERS_H

#include "base/json_scan.h"

#define MEMBERS_NAMES_MOST 24u /* columns of names, gap included */

enum members_form { MEMBERS_UNKNOWN, MEMBERS_LINES, MEMBERS_AS_SENT };

struct members { /* initialise to zero; or .form MEMBERS_AS_SENT: nothing becomes a line */
	enum members_form form;  /* else decided by the first byte that is not blank */
	struct json_scan scan;
	bool in_member;          /* between the start of a name and the end of its value */
	char escape[12];         /* an escape that is not complete: a surrogate pair has 12 bytes */
	size_t escape_bytes;
	size_t written;          /* bytes of the text so far */
};

enum member_kind { MEMBER_BEGINS, MEMBER_GOES_ON, MEMBER_NONE };

/* Where the lines of members begin in the text. */
struct member_marks { /* initialise to zero */
	struct member_mark {
		size_t at, name;     /* offset in the text, length of the name there */
		enum member_kind kind;
	} *list;
	size_t count, capacity;
	unsigned columns;        /* of the names, in steps, so that a longer name seldom moves what stands */
	unsigned width;          /* of the rows; set by the owner */
	const char *text;        /* what is laid out, and the offset in the whole text at which it begins; set by the owner */
	size_t shift;
};
void member_marks_fini(struct member_marks *marks);

/* Appends what `piece`, the next bytes, adds to the text. `marks` NULL: none are wanted. */
void members_add(struct members *m, struct str piece, struct buf *out, struct member_marks *marks);

/* The text from `at` on is kept only: marks before it are forgotten. */
void member_marks_drop(struct member_marks *marks, size_t at);
/* For a flow of the text (flow.inset): the columns that a row leaves free. `marks` is its ctx. */
unsigned member_marks_inset(const void *marks, const char *row);

/* How a row is drawn: the bytes of the name in it, the blanks that follow its gap, and its own indent. */
struct member_row { size_t name; unsigned pad, indent; };
struct member_row member_marks_row(const struct member_marks *marks, struct str row);

#endif
