/*
 * A draft of a JSON text: all of it but its large strings, which are borrowed. It is small whatever the size of the text, which is written
 * from it in steps: the program can do something else between them.
 */
#ifndef WEIR_BASE_JSON_DRAFT_H
#define WEIR_BASE_JSON_DRAFT_H

#include "base/json_write.h"

#define JSON_DRAFT_LEAST 4096 /* bytes of a string that is borrowed; a shorter one is copied */

enum json_insert_kind { JSON_INSERT_TEXT /* to be escaped */, JSON_INSERT_BASE64 /* bytes to be encoded */ };

struct json_draft {
	struct json_writer writer; /* writes the draft */
	struct buf frame;          /* the text without the borrowed strings, but with their quotes */
	struct json_insert { enum json_insert_kind kind; size_t at; struct str bytes; } *inserts; /* `at`: offset in `frame`; ascending */
	size_t count, capacity;
	size_t framed;             /* bytes of `frame` that json_draft_write() has written */
	size_t insert, inserted;   /* the insert that it has reached, and how many bytes of that are written */
};

void json_draft_init(struct json_draft *d);
void json_draft_fini(struct json_draft *d); /* a zeroed draft is allowed */

/* For the writer: a string stands at the end of what is written so far. */
void json_draft_insert(struct json_draft *d, enum json_insert_kind kind, struct str bytes);

enum json_draft_state { JSON_DRAFT_MORE, JSON_DRAFT_DONE, JSON_DRAFT_FULL /* the limit of `out` was reached */ };
/* Appends the next bytes of the text: `most` or slightly more. */
enum json_draft_state json_draft_write(struct json_draft *d, struct buf *out, size_t most);

#endif
