/*
 * The man page. Its prose is written by hand in src/weir.1; its tables stand between lines
 *
 *   .\" begin NAME        NAME: commands, options, settings
 *   .\" end NAME
 *
 * and are written by the program from its own tables: `make man` puts them there, a test says when they are stale.
 */
#ifndef WEIR_APP_MAN_H
#define WEIR_APP_MAN_H

#include "base/text.h"

/* Appends `page` with its tables as they are now. False when it has a block that nobody knows or that does not end. */
MUST_USE bool man_render(struct str page, struct buf *out, struct error *err);

/* `weir --man FILE`: the same for a file, to standard output. Returns the exit status. */
int man_write(const char *path);

#endif
