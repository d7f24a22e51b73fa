/*
 * Files that are read as a whole: settings, themes, keys, attachments, tools, schemas. Only regular files and /dev/null are accepted,
 * which is checked on the open descriptor: a FIFO, a terminal or another device could block the reader.
 *
 * Reading a regular file on a file system that does not respond still blocks; the kernel offers no alternative.
 */
#ifndef WEIR_BASE_REGULAR_FILE_H
#define WEIR_BASE_REGULAR_FILE_H

#include <sys/stat.h>

#include "base/text.h"

/*
 * Opens a file for reading. Follows links, does not block in open() and does not acquire a controlling terminal. `facts` (may be NULL)
 * receives the descriptor's fstat() result. Returns a descriptor that the caller closes, or -1 with an error that names the path.
 */
MUST_USE int regular_file_open(const char *path, struct stat *facts, struct error *err);

/* The same for a name in an open directory. `path` is used in error messages. */
MUST_USE int regular_file_open_in(int folder, const char *name, const char *path, struct stat *facts, struct error *err);
/* Replaces the content of `out` with that of a file opened by the functions above. Fails if it exceeds the limit of `out`. */
MUST_USE bool regular_file_read_fd(struct buf *out, int fd, const struct stat *facts, const char *path, struct error *err);

/* Replaces the content of `out` with that of the file. Fails if it exceeds the limit of `out`. "-" is an ordinary file name here. */
MUST_USE bool regular_file_read(struct buf *out, const char *path, struct error *err);

#endif
