/*
 * The rounds of a turn: the answers between a prompt and the next one, each of which but the first is the answer to the results of the calls of the
 * one before.
 */
#ifndef WEIR_APP_TURN_ROUNDS_H
#define WEIR_APP_TURN_ROUNDS_H

#include <stddef.h>

struct conversation;
struct turn;

#define TURN_ROUNDS_MOST 64u

/*
 * The rounds that `answer` is one of, in their order: those above it, and below it those of the path. If there are more than TURN_ROUNDS_MOST, those
 * nearest above it and below are given. Returns how many: `answer` is one of them.
 */
size_t turn_rounds(const struct conversation *c, const struct turn *answer, const struct turn *rounds[TURN_ROUNDS_MOST]);

#endif
