/*
 * A temporary file: holds a text for another program. The file has mode 0600 and is in a new folder of its own with mode 0700. So no
 * other user can replace it while an editor renames it, and whatever the program leaves beside it (copies, swap files) is removed too.
 */
#ifndef WEIR_APP_TEMP_FILE_H
#define WEIR_APP_TEMP_FILE_H

#include "base/text.h"

struct temp_file { /* embedded */
	char *folder;
	char *path;  /* path of the file; NULL: there is none */
};

/* Creates the file `name` ("weir.md") in $XDG_RUNTIME_DIR, $TMPDIR or /tmp. The first one adds a final line end if there is none. */
MUST_USE bool temp_file_write(struct temp_file *scratch, const char *name, struct str text, struct error *err);
MUST_USE bool temp_file_write_bytes(struct temp_file *scratch, const char *name, struct str bytes, struct error *err);
void temp_file_drop(struct temp_file *scratch); /* removes file and folder; legal when there is none */

#endif
