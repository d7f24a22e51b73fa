/*
 * The ring of tapes: every live turn leaves one in the state folder, and the oldest make room.
 *
 * Names are the time and the process, `20260131-124501.250-4711.tape`, so that they sort by age. A tape that runs, of this
 * process or another, is locked (net/tape.h) and never removed. Links are never followed; what is no tape of ours is left alone. A
 * folder that is not ours alone (store/private_folder.h) is not used.
 */
#ifndef WEIR_STORE_TAPES_H
#define WEIR_STORE_TAPES_H

#include "store/private_folder.h"

#define TAPES_LIMIT_MB 200       /* without a setting */
#define TAPES_COUNT_MOST 4096    /* however small they are: the folder is read before the first turn and after each */

/* The path of a new tape, heap, and the folder that it goes into, made if need be; both are the caller's. False: no tape can be kept there. */
MUST_USE bool tapes_new_path(char **path, struct private_folder *folder, struct error *err);

/* Removes the oldest until the rest has at most so many bytes. The newest stays, however large it is. */
void tapes_clear_away(long long limit_bytes);

#endif
