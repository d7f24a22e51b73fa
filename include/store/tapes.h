/*
 * The ring of tapes: every live turn leaves one in the state folder, and the oldest make room.
 *
 * Names are the time and the process, `20260131-124501.250-4711.tape`, so that they sort by age. A tape that runs, of this
 * process or another, is locked (net/tape.h) and never removed. Links are never followed; what is no tape of ours is left alone.
 */
#ifndef WEIR_STORE_TAPES_H
#define WEIR_STORE_TAPES_H

#include "base/error.h"

#define TAPES_LIMIT_MB 200       /* without a setting */
#define TAPES_COUNT_MOST 4096    /* however small they are: the folder is read before the first turn and after each */

/* The path of a new tape, heap; its folder is made, 0700. False, with a sentence, when no tape can be kept there. */
MUST_USE bool tapes_new_path(char **path, struct error *err);

/* Removes the oldest until the rest has at most so many bytes. The newest stays, however large it is. */
void tapes_clear_away(long long limit_bytes);

#endif
