/*
 * Representation of JSON values, for json.c and json_parse.c only. Other files include base/json.h.
 *
 * A `struct json` is a json_object, or the address of json_inside_null for a document that is just `null`, which json-c represents as
 * NULL. Details of a value that json-c does not keep are attached to it as a `struct json_sent`.
 */
#ifndef WEIR_BASE_JSON_INSIDE_H
#define WEIR_BASE_JSON_INSIDE_H

#include <json-c/json.h>

#include "base/json.h"

extern const char json_inside_null;

/* json-c's API is not const-correct; no read modifies a value. */
static inline struct json_object *json_inside_object(const struct json *value)
{
	return (const void *)value == &json_inside_null ? NULL : (struct json_object *)(uintptr_t)value;
}

static inline const struct json *json_inside_value(struct json_object *object)
{
	return (const struct json *)object;
}

/* User data of a json_object: the text of a double, a string with its lone surrogates, or the pack of a string, which lacks it. */
struct json_sent {
	struct blob *packed;   /* NULL: `text` is what was sent */
	size_t at;             /* where the pack stands */
	struct buf whole;      /* the string as it was sent; empty until it is asked for */
	size_t len;
	char text[]; /* NUL-terminated */
};

#endif
