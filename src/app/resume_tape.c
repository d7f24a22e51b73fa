/* Tapes that a crash left: what a turn has on its tape and not in the history. */
#include "app/resume_inside.h"

#include "chat/answer.h"
