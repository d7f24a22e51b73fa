/*
 * INI files: settings and themes. inih reads them; what it would cut silently is an error here.
 *
 * inih 56 cuts lines at 200 bytes and values at " ;": both are checked before and
 * named with their line (a value that needs " ;" cannot be written). A line that
 * begins with a blank continues the value above it and is joined with one blank.
 * Comments are lines that begin with ; or #. A section's name has 49 bytes at most.
 */
#ifndef WEIR_BASE_INI_H
#define WEIR_BASE_INI_H

#include "base/text.h"

/* One `name = value` of a file. Section and name are never NULL; "" before the first section. */
struct ini_entry {
	const char *file;
	const char *section;
	const char *name;
	const char *value;
	int line;
};

/* Returns false after filling `err` to stop the reading; file and line are put before its words. */
typedef bool ini_visit(void *ctx, const struct ini_entry *entry, struct error *err);

/* Calls `visit` for every entry in order, values complete. On false `err` names file and line. A missing file is an error. */
MUST_USE bool ini_read_file(const char *path, ini_visit *visit, void *ctx, struct error *err);

/* The same for a text in memory; `name` stands for the file in errors. */
MUST_USE bool ini_read_text(struct str text, const char *name, ini_visit *visit, void *ctx, struct error *err);

#endif
