/*
 * Notices when a file of a folder is written, without looking again and again.
 */
#ifndef WEIR_BASE_OS_FOLDER_WATCH_H
#define WEIR_BASE_OS_FOLDER_WATCH_H

#include <stdbool.h>

/* False in POSIX's form: the system cannot watch. */
extern const bool folder_watch_is_there;

/*
 * A descriptor that becomes readable when a file of the folder is written or gets its name; what is read from it tells nothing more, and
 * does not block. -1: the folder cannot be watched.
 */
int folder_watch_open(const char *folder);

#endif
