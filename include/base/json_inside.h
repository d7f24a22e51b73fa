/*
 * The inside of JSON values, for json.c and json_parse.c only. Everybody else includes base/json.h.
 *
 * A `struct json` is a json_object, or the one object that stands for a whole text `null`, for which json-c has none. What
 * json-c could not keep of a value stands beside it as a `struct json_sent`.
 */
#ifndef WEIR_BASE_JSON_INSIDE_H
#define WEIR_BASE_JSON_INSIDE_H

#include <json-c/json.h>

#include "base/json.h"

extern const char json_inside_null;

/* json-c knows no const; no read changes a value. */
static inline struct json_object *json_inside_object(const struct json *value)
{
	return (const void *)value == &json_inside_null ? NULL : (struct json_object *)(uintptr_t)value;
}

static inline const struct json *json_inside_value(struct json_object *object)
{
	return (const struct json *)object;
}

/* An integer as it was sent, or a string with its halves of surrogate pairs: the user data of the object. */
struct json_sent {
	size_t len;
	char text[]; /* NUL behind it */
};

#endif
