/*
 * Changes of weir.conf that the program makes for the user: single entries are set or removed, all other lines stay as they are, comments
 * and order included.
 *
 * An entry that exists is replaced in its place (the last one of its name, which is the one that counts). A new one goes behind the last
 * entry of its section; a new section goes to the end. A text of several lines is
 * written as a block (base/ini.h); what the file would not give back as it is (in other settings several lines, " ;") is refused.
 */
#ifndef WEIR_STORE_SETTINGS_EDIT_H
#define WEIR_STORE_SETTINGS_EDIT_H

#include "base/text.h"

struct settings_change {
	const char *section; /* "" above the first section, "provider NAME" */
	const char *name;    /* NULL: the header of the section, which has no entry any more, is removed */
	struct str value;    /* STR_NONE removes the entry */
};

/* Replaces the content of `out` with `text` as changed. False with an error; `out` is not to be used then. */
MUST_USE bool settings_edit_text(struct str text, const struct settings_change *changes, size_t count, struct buf *out, struct error *err);

/*
 * The same for a file. `path` NULL: the default one (store/config/settings_file.h), which is created where it is missing. On false the file is as it
 * was.
 */
MUST_USE bool settings_edit(const char *path, const struct settings_change *changes, size_t count, struct error *err);

/* One entry above the sections is set. `*line` is where it stands then. */
MUST_USE bool settings_edit_top(const char *path, const char *name, struct str value, int *line, struct error *err);

#endif
