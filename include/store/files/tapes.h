/*
 * The rings of tapes: every live turn, and every exchange of `weir proxy`, is recorded in the state folder, and the oldest tapes are removed.
 *
 * Names consist of the time and the process id, `20260131-124501.250123-4711.tape`, so that they sort by age. A tape in use, by this process
 * or another, is locked (net/tape.h) and never removed. Links are never followed, and files that are not our tapes are not touched. A
 * folder that is not private (store/files/private_folder.h) is not used.
 */
#ifndef WEIR_STORE_TAPES_H
#define WEIR_STORE_TAPES_H

#include "store/files/private_folder.h"

/* Other clients' tapes never displace those of the user's conversations. */
enum tapes_ring { TAPES_OF_CHAT, TAPES_OF_PROXY };

#define TAPES_COUNT_MOST 4096    /* bounds the time to read the folder, before the first turn and after each */

/* Returns the path of a new tape (heap) and its folder, created if necessary. The caller owns both. False if no tape can be kept there. */
MUST_USE bool tapes_new_path(enum tapes_ring ring, char **path, struct private_folder *folder, struct error *err);

/* Removes the oldest tapes until the rest has at most `limit_bytes`. The newest is always kept. */
void tapes_clear_away(enum tapes_ring ring, long long limit_bytes);

/* Removes the tape at that path if it is one of the chat's ring and not in use; any other path is left alone. */
void tapes_remove(const char *path);

/*
 * Replaces the content of `out` with a tape of the chat's ring that no program writes any more. False: there is none at that path, or it is larger
 * than the limit of `out`.
 */
MUST_USE bool tapes_read_left(const char *path, struct buf *out);
bool tapes_is_being_written(const char *path); /* a tape of the chat's ring, by another program or this one */

#endif
