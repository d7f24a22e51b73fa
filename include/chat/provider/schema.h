/*
 * Checks a complete answer against the JSON Schema it was requested with, and explains the result to the user.
 *
 * Supported keywords: type, enum, const, properties, required, additionalProperties, items, prefixItems, bounds of numbers, strings and
 * arrays, anyOf, oneOf, allOf, and $ref to #, #/$defs/NAME and #/definitions/NAME. Other keywords and other references are ignored.
 * Nesting and work are bounded, because the answer comes from the server.
 */
#ifndef WEIR_CHAT_SCHEMA_H
#define WEIR_CHAT_SCHEMA_H

#include "base/text.h"

/*
 * Returns true when `answer` is strict JSON that follows the schema. Otherwise `why` is the first violation, as part of a sentence:
 * "$.items[2].price is a string, the schema wants a number".
 */
MUST_USE bool schema_check(struct str schema, struct str answer, struct error *why);

/* Appends the result as a sentence, also if there is no violation. */
void schema_explain(struct str schema, struct str answer, struct buf *out);

#endif
