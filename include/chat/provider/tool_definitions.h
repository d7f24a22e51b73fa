/*
 * Definitions of tools as files have them, in the shape that requests are made from (wire/request.h): OpenAI's, nested.
 *
 * Taken are an array of definitions, one alone, and an object with `tools` (a request, MCP's tools/list, also within its `result`). A definition is
 * OpenAI's, nested or flat (Responses), Anthropic's with `input_schema`, MCP's with `inputSchema`, or Gemini's, which has several in
 * `functionDeclarations`. Tools that a server runs are refused.
 */
#ifndef WEIR_CHAT_TOOL_DEFINITIONS_H
#define WEIR_CHAT_TOOL_DEFINITIONS_H

#include "base/error.h"
#include "base/json.h"

/* Appends a JSON array, and sets the number of its definitions. False with an error that begins with the file's name. */
MUST_USE bool tool_definitions_read(const struct json *value, const char *file, struct buf *out, size_t *count, struct error *err);

#endif
