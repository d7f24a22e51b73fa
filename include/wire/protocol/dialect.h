/*
 * Dialects: what each OpenAI-style gateway promises. Data, not code: one row each, from the gateway's documentation. The user adds rows
 * of their own, the sections [dialect NAME] of weir.conf (chat/provider/dialect_set.h). They stay where they are for the program's life, because
 * providers and streams refer to them.
 *
 * A row determines how requests are built and whether a missing end mark is reported. Decoding does not depend on it, with one
 * exception from a gateway's documentation: in `runtime` (`close_is_end`) a clean close after content is a proper end.
 */
#ifndef WEIR_WIRE_DIALECT_H
#define WEIR_WIRE_DIALECT_H

#include "wire/request.h"

struct dialect {
	const char *name;
	const struct dialect *like;  /* a row of the user's own: the built-in row it began as, whose rules lint checks; else NULL */
	bool sends_done;             /* `data: [DONE]` ends the stream */
	bool close_is_end;           /* a clean close after content is a proper end */
	struct sending sending;
};

const struct dialect *dialect_find(struct str name); /* NULL if there is none; "generic" always exists */
const struct dialect *dialect_at(size_t index);      /* NULL after the last; those of the user's own come last */
const char *dialect_name_at(const void *unused, size_t index); /* as base/names.h wants it */

#define DIALECT_OWN_MOST 32
#define DIALECT_NAME_MOST 40
/* The user's own row of that name; a new one is like "generic". NULL: the name is built in or too long, or there are too many rows. */
struct dialect *dialect_own(struct str name);
/* Removes all of them. What referred to one finds another there: it is for the start of the settings, and for tests. */
void dialect_forget_own(void);

#endif
