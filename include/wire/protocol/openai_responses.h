/*
 * The OpenAI Responses protocol: openai_responses.c decodes, openai_responses_request.c builds. Its model list is openai-chat's.
 */
#ifndef WEIR_WIRE_OPENAI_RESPONSES_H
#define WEIR_WIRE_OPENAI_RESPONSES_H

#include "wire/protocol/protocol.h"

extern const struct usage_member openai_responses_usage[];

void openai_responses_build(const struct request *request, struct json_writer *w);

#endif
