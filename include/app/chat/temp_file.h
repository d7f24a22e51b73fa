/*
 * A temporary file: a text in a file that another program gets for a while. The file is 0600 and lies in a new folder of its own, 0700, so nobody
 * else can put anything in its place while an editor renames it, and what the program leaves beside it (copies, swap files) goes with it.
 */
#ifndef WEIR_APP_TEMP_FILE_H
#define WEIR_APP_TEMP_FILE_H

#include "base/text.h"

struct temp_file { /* embedded */
	char *folder;
	char *path;  /* of the file in it; NULL: there is none */
};

/* In $XDG_RUNTIME_DIR, $TMPDIR or /tmp. A line end is added where there is none. */
MUST_USE bool temp_file_write(struct temp_file *scratch, struct str text, struct error *err);
void temp_file_drop(struct temp_file *scratch); /* removes it; legal when there is none */

#endif
