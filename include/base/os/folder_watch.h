/*
 * Notices when a file of a folder is written, without looking again and again.
 */
#ifndef WEIR_BASE_OS_FOLDER_WATCH_H
#define WEIR_BASE_OS_FOLDER_WATCH_H

/*
 * A descriptor that becomes readable when a file of the folder is written or gets its name; what is read from it tells nothing more, and
 * does not block. -1: the folder cannot be watched, or the system cannot watch.
 */
int folder_watch_open(const char *folder);

#endif
