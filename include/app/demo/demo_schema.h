/*
 * Examples that conform to a JSON Schema, for the demo's structured answers. Supported: const, enum, type, properties, items, anyOf and
 * oneOf (the first alternative), $ref inside the document, minimum, minItems. Other keywords are ignored.
 */
#ifndef WEIR_APP_DEMO_SCHEMA_H
#define WEIR_APP_DEMO_SCHEMA_H

#include "base/text.h"

/* Appends an indented example; `{}` if the schema is not JSON. */
void demo_schema_example(struct str schema, struct buf *out);

#endif
