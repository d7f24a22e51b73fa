/*
 * Internals of resuming, only for resume.c (opening and reading) and resume_tape.c (tapes that a crash left).
 */
#ifndef WEIR_APP_RESUME_INSIDE_H
#define WEIR_APP_RESUME_INSIDE_H

#include "chat/conversation.h"

/* Takes in the tape of a turn that was cut where it holds more than the turn. True: the turn has changed. */
bool resume_take_tape(struct turn *t);

#endif
