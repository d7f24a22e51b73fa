/*
 * The Anthropic Messages protocol: anthropic.c decodes, anthropic_request.c builds and reads the model list.
 */
#ifndef WEIR_WIRE_ANTHROPIC_H
#define WEIR_WIRE_ANTHROPIC_H

#include "wire/protocol/protocol.h"

extern const struct usage_member anthropic_usage[];

void anthropic_build(const struct request *request, struct json_writer *w);
bool anthropic_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next);

#endif
