/*
 * What a step of a tape is that is no part of a model's answer, as one line for people: a message of an MCP session, or what a run of a tool did.
 * Tapes are untrusted: the line has no control characters, and bounded length.
 */
#ifndef WEIR_CHAT_STEP_WORDS_H
#define WEIR_CHAT_STEP_WORDS_H

#include "net/tape.h"
#include "wire/mcp/said.h"

/* Appends it. `said` has read the messages before. */
void step_write_words(const struct tape_step *step, struct said *said, struct buf *out);

#endif
