/*
 * Assembles the arguments of a Gemini call from pieces whose position is a JSONPath (src/wire/README.md, "Partial arguments").
 *
 *   $.a.b[0]  $['a']["b"]      a repeated path appends to a string and replaces other values; keys keep their order of arrival
 *
 * It owns copies. Its memory is bounded; pieces beyond the limits and malformed paths are refused.
 */
#ifndef WEIR_WIRE_GEMINI_ARGS_H
#define WEIR_WIRE_GEMINI_ARGS_H

#include "base/json.h"

struct gemini_args;

struct gemini_args *gemini_args_new(void);
void gemini_args_free(struct gemini_args *args);

/* Adds an element of `partialArgs`. False if it was refused. */
bool gemini_args_add(struct gemini_args *args, const struct json *piece);

/* Appends the arguments as one JSON value; `{}` if there were no pieces. */
void gemini_args_write(const struct gemini_args *args, struct buf *out);

#endif
