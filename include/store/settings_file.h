/*
 * The settings file at its own place, weir.conf in the XDG folder for configuration.
 *
 * Settings name commands that are run (key_command, copy). So it is only read if nobody but us and root may write to it or to its
 * folder; a group that has the user's name and nobody else in it is the user. Both may be links. All is checked on open descriptors.
 * A file that --config names is the user's choice and not looked at here.
 */
#ifndef WEIR_STORE_SETTINGS_FILE_H
#define WEIR_STORE_SETTINGS_FILE_H

#include "base/text.h"

/* Replaces what is in `text` by it; empty where there is none. `path` (heap, the caller's; NULL without a home) is for sentences. */
MUST_USE bool settings_file_read(struct buf *text, char **path, struct error *err);

#endif
