/*
 * Checks a finished answer against the JSON Schema that it was to follow, in words for whoever reads the answer.
 *
 * It knows what such schemas are made of: type, enum, const, properties, required, additionalProperties, items, prefixItems,
 * bounds of numbers, texts and arrays, anyOf, oneOf, allOf and $ref to #, #/$defs/NAME and #/definitions/NAME. Other keywords
 * are passed over, as is a $ref that leads elsewhere. Nesting and work are bounded, because the answer is the server's.
 */
#ifndef WEIR_CHAT_SCHEMA_H
#define WEIR_CHAT_SCHEMA_H

#include "base/text.h"

/*
 * True when `answer` is strict JSON that follows the schema. Else `why` is the first thing that does not, as a part of a
 * sentence: "$.items[2].price is a string, the schema wants a number".
 */
MUST_USE bool schema_check(struct str schema, struct str answer, struct error *why);

/* The same as a sentence, good or bad. Appended. */
void schema_tell(struct str schema, struct str answer, struct buf *out);

#endif
