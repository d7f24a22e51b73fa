/*
 * The Gemini generateContent protocol: gemini.c decodes, gemini_request.c builds and reads the model list.
 */
#ifndef WEIR_WIRE_GEMINI_H
#define WEIR_WIRE_GEMINI_H

#include "wire/protocol/protocol.h"

extern const struct usage_member gemini_usage[];

void gemini_build(const struct request *request, struct json_writer *w);
bool gemini_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next);

#endif
