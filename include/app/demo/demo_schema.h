/*
 * An example that follows a JSON Schema, for the demo's structured answers: const, enum, type, properties, items, anyOf and
 * oneOf (the first), $ref inside the document, minimum, minItems. What it does not know is left out of account.
 */
#ifndef WEIR_APP_DEMO_SCHEMA_H
#define WEIR_APP_DEMO_SCHEMA_H

#include "base/text.h"

/* Appends an example, indented; `{}` when the schema is no JSON. */
void demo_schema_example(struct str schema, struct buf *out);

#endif
