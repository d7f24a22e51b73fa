/* The tape that a program left which ended in the middle of an answer. */
#ifndef WEIR_APP_RESUME_TAPE_H
#define WEIR_APP_RESUME_TAPE_H

#include <stdbool.h>

struct turn;

/* Takes in the tape of a turn that was cut where it holds more than the turn. True: the turn has changed. */
bool resume_take_tape(struct turn *t);

#endif
