/*
 * A file that the user named for output. It is never overwritten unless he said so, and then only by a complete one: what is written goes to
 * a new file beside it, which takes its place in the end.
 */
#ifndef WEIR_APP_SAVE_FILE_H
#define WEIR_APP_SAVE_FILE_H

#include "base/text.h"

struct save_file { /* embedded; zero it before the first use */
	char *path, *written;  /* the file, and the one that is written: equal unless a file is overwritten */
	int fd;                /* 0: not open */
	int failure;           /* an errno value: the first write that failed */
};

MUST_USE bool save_file_open(struct save_file *f, const char *path, bool overwrite, struct error *err);
void save_file_add(struct save_file *f, struct str text);
void save_file_restart(struct save_file *f); /* what was written does not count */
/* Closes it. False: it could not be written whole. Without a byte in it, no file is left. Does nothing if it is not open. */
MUST_USE bool save_file_close(struct save_file *f, struct error *err);
void save_file_drop(struct save_file *f); /* closes it and leaves no file */

#endif
