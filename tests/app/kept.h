/* The files of a history below folder_path()/data, as they are before each run of a sweep. */
#ifndef WEIR_TESTS_KEPT_H
#define WEIR_TESTS_KEPT_H

#include "base/text.h"

struct kept { struct buf file, wal; }; /* their bytes; empty: absent */

void kept_take(struct kept *kept);          /* reads the files */
void kept_restore(const struct kept *kept); /* empties the folder and writes the files; nothing if there is no file */
void kept_fini(struct kept *kept);

#endif
