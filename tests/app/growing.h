/*
 * A conversation that grows at random: every kind of part, of every protocol, answers that are retried, edited, continued, summarised and
 * removed.
 */
#ifndef WEIR_TESTS_GROWING_H
#define WEIR_TESTS_GROWING_H

#include "chat/conversation/conversation.h"

#define GROWING_MODELS 2
extern const char *const growing_models[GROWING_MODELS]; /* who answers, of a provider "box" */

/* The same for the same seed. `keep` is called now and then, also within an answer, and at the end. */
void growing(struct conversation *c, unsigned seed, void (*keep)(void));

#endif
