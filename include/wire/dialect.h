/*
 * Dialects: what one OpenAI-style gateway promises. Data, not code: one row each, from the gateways' own documents.
 *
 * Requests are built from the promises, lint and notices check them. Decoding does not depend on them, but for the one
 * rule that a gateway's document makes: in `runtime` a clean close after content is a proper end.
 */
#ifndef WEIR_WIRE_DIALECT_H
#define WEIR_WIRE_DIALECT_H

#include "wire/request.h"

enum usage_place { USAGE_ANYWHERE, USAGE_ON_FINISH, USAGE_OWN_CHUNK };

struct dialect {
	const char *name;
	bool sends_done;             /* data: [DONE] closes the stream */
	bool close_is_end;           /* a clean close after content is a proper end */
	enum usage_place usage_place;
	bool usage_always;           /* without being asked */
	const char *reasoning_key;   /* the delta's member that carries reasoning, NULL: none promised */
	const char *route_key;       /* the routing object's member, NULL: none */
	struct sending sending;
};

const struct dialect *dialect_find(struct str name); /* NULL when there is none; "generic" is always there */
const struct dialect *dialect_at(size_t index);      /* NULL beyond the last; for lists */

#endif
