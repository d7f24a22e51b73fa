/*
 * Settings files: their form, and the default one, weir.conf in the XDG configuration folder.
 *
 * Settings name commands to run (key_command, copy). Therefore the file is read only if nobody but us and root may write to it or its
 * folder. A group named like the user with no other members is treated as the user. Both may be links; all checks are made on open
 * descriptors. A file named by --config is the user's choice and is not checked here.
 */
#ifndef WEIR_STORE_SETTINGS_FILE_H
#define WEIR_STORE_SETTINGS_FILE_H

#include "base/ini.h"

/* Whether the setting of this name is a text, which may have several lines: its value may be a block (base/ini.h). */
bool settings_file_is_text(const char *name);

/* ini_read_text() of the content of a settings file, in which texts may be blocks. */
MUST_USE bool settings_file_visit(struct str text, const char *name, ini_visit *visit, void *ctx, struct error *err);

/*
 * Replaces the content of `text` with the file's; empty if there is no file. `*path` is for error messages: heap, owned by the caller,
 * NULL without a home directory.
 */
MUST_USE bool settings_file_read(struct buf *text, char **path, struct error *err);

/*
 * Replaces the content of a settings file atomically: a reader sees the old one or the new one. `path` NULL: the default file, which must
 * pass the checks above and is created (0600) where it is missing. A link stays, the file that it names is replaced; its mode stays.
 */
MUST_USE bool settings_file_write(struct str text, const char *path, struct error *err);

#endif
