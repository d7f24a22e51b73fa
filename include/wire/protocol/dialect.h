/*
 * Dialects: what each OpenAI-style gateway promises. Data, not code: one row each, from the gateway's documentation.
 *
 * A row determines how requests are built and whether a missing end mark is reported. Decoding does not depend on it, with one
 * exception from a gateway's documentation: in `runtime` a clean close after content is a proper end.
 */
#ifndef WEIR_WIRE_DIALECT_H
#define WEIR_WIRE_DIALECT_H

#include "wire/request.h"

struct dialect {
	const char *name;
	bool sends_done;             /* `data: [DONE]` ends the stream */
	bool close_is_end;           /* a clean close after content is a proper end */
	struct sending sending;
};

const struct dialect *dialect_find(struct str name); /* NULL if there is none; "generic" always exists */
const struct dialect *dialect_at(size_t index);      /* NULL after the last */

#endif
