/*
 * The OpenAI Chat Completions protocol: openai_chat.c decodes, openai_chat_request.c builds and reads the model list.
 */
#ifndef WEIR_WIRE_OPENAI_CHAT_H
#define WEIR_WIRE_OPENAI_CHAT_H

#include "wire/protocol/protocol.h"

extern const struct usage_member openai_chat_usage[];

void openai_chat_build(const struct request *request, struct json_writer *w);

/* Reads the list of any OpenAI-style server, including OpenRouter's prices, llama.cpp's meta, and vLLM's, Mistral's and Groq's limits. */
bool openai_read_models(const struct json *value, model_visit *visit, void *ctx, struct buf *next);

#endif
