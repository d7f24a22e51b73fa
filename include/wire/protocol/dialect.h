/*
 * Dialects: what one OpenAI-style gateway promises. Data, not code: one row each, from the gateways' own documents.
 *
 * Requests are built from a row, and a missing end mark is noticed by it. Decoding does not depend on it, but for the one
 * rule that a gateway's document makes: in `runtime` a clean close after content is a proper end.
 */
#ifndef WEIR_WIRE_DIALECT_H
#define WEIR_WIRE_DIALECT_H

#include "wire/request.h"

struct dialect {
	const char *name;
	bool sends_done;             /* data: [DONE] closes the stream */
	bool close_is_end;           /* a clean close after content is a proper end */
	struct sending sending;
};

const struct dialect *dialect_find(struct str name); /* NULL when there is none; "generic" is always there */
const struct dialect *dialect_at(size_t index);      /* NULL beyond the last; for lists */

#endif
