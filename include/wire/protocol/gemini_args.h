/*
 * Assembles the arguments of a Gemini call from pieces that name their place by JSONPath (wire.md 8, "Partial mode").
 *
 *   $.a.b[0]  $['a']["b"]      the same path again appends to a string, else it replaces; keys stay in order of arrival
 *
 * It owns copies. What a hostile server may make it hold is bounded; pieces beyond that and malformed paths are refused.
 */
#ifndef WEIR_WIRE_GEMINI_ARGS_H
#define WEIR_WIRE_GEMINI_ARGS_H

#include "base/json.h"

struct gemini_args;

struct gemini_args *gemini_args_new(void);
void gemini_args_free(struct gemini_args *args);

/* Takes one element of `partialArgs`. False when it was refused. */
bool gemini_args_add(struct gemini_args *args, const struct json *piece);

/* Appends what is there as one JSON value, `{}` when nothing came. */
void gemini_args_write(const struct gemini_args *args, struct buf *out);

#endif
