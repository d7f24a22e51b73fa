/* Random turns for tests of the history, and whether two are equal. */
#ifndef WEIR_TESTS_STORE_TURNS_H
#define WEIR_TESTS_STORE_TURNS_H

#include "chat/conversation/turn.h"

/* A prompt with texts, attachments and results of tools. */
void turns_random_prompt(struct turn *t, unsigned *seed);
/* One more event of an answer that streams: any delta but the end. */
void turns_random_event(struct turn *t, unsigned *seed, double at_ms);
void turns_end(struct turn *t, enum outcome outcome, double at_ms);

/* Asserts that a turn was read back whole. A turn that never ended is expected to be read as cut. */
void turns_check_equal(const struct turn *read, const struct turn *written);

#endif
