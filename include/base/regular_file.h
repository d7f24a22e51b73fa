/*
 * Files that are read whole: settings, themes, keys, attachments, tools, schemas. Only regular ones: what can keep a reader waiting
 * (a FIFO, a terminal, a device other than /dev/null) is refused, checked on the open descriptor.
 *
 * A regular file on a file system that does not answer still blocks: the kernel knows no other way to read one.
 */
#ifndef WEIR_BASE_REGULAR_FILE_H
#define WEIR_BASE_REGULAR_FILE_H

#include <sys/stat.h>

#include "base/text.h"

/*
 * Opens for reading, follows links, never blocks on the opening itself and takes no controlling terminal. `facts` (NULL: not wanted)
 * are the descriptor's. Returns the descriptor, which the caller closes; -1 with a sentence that names the path.
 */
MUST_USE int regular_file_open(const char *path, struct stat *facts, struct error *err);

/* The same for a name in an open folder; `path` is for the sentence. */
MUST_USE int regular_file_open_in(int folder, const char *name, const char *path, struct stat *facts, struct error *err);
/* Replaces what is in `out` by the whole of a file that was opened so, not larger than the ceiling of `out`. */
MUST_USE bool regular_file_read_fd(struct buf *out, int fd, const struct stat *facts, const char *path, struct error *err);

/* Replaces what is in `out` by the whole file, not larger than the ceiling of `out`. A path of "-" is a file of that name. */
MUST_USE bool regular_file_read(struct buf *out, const char *path, struct error *err);

#endif
