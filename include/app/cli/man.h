/*
 * The tables of the man pages. Their texts are written by hand in src/man. Their tables are between the lines
 *
 *   .\" begin NAME [OF]   NAME: options, settings ...; OF: a subcommand, or a group of them
 *   .\" end NAME [OF]
 *
 * and are generated from the program's tables, as is the line of the title, with the version: `make man` writes them, a test fails when they are
 * stale.
 */
#ifndef WEIR_APP_MAN_H
#define WEIR_APP_MAN_H

#include "base/text.h"

/* Appends `page` with its tables regenerated. False when it has an unknown block, or one that does not end. */
MUST_USE bool man_render(struct str page, struct buf *out, struct error *err);

/* `weir --man FILE`: renders a file to standard output. Returns the exit status. */
int man_write(const char *path);

#endif
