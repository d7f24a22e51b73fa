/*
 * The Ollama protocol: ollama.c decodes, ollama_request.c builds and reads the model list.
 */
#ifndef WEIR_WIRE_OLLAMA_H
#define WEIR_WIRE_OLLAMA_H

#include "wire/protocol/protocol.h"

/* The figures are members of the answer itself. */
extern const struct usage_member ollama_usage[];

void ollama_build(const struct request *request, struct json_writer *w);
bool ollama_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next);

#endif
