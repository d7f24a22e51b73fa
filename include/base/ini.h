/*
 * INI files: settings and themes. inih parses them; what inih would silently truncate is an error here.
 *
 * inih 56 truncates lines at 200 bytes and values at " ;". Both are checked first and reported with the line number, so a value cannot
 * contain " ;". A line that begins with a blank continues the value above it and is joined to it with one blank. Lines that begin with ;
 * or # are comments. A section name has at most 49 bytes.
 *
 * Where the caller allows blocks (ini_read_blocks()), a value that is INI_BLOCK alone begins one: each line that continues it is a line of the
 * text. A "|" in front of such a line is not part of it, and keeps blanks and empty lines; a backslash at its end joins it to the next one with
 * nothing between.
 */
#ifndef WEIR_BASE_INI_H
#define WEIR_BASE_INI_H

#include "base/text.h"

#define INI_BLOCK "|"

/* One `name = value` of a file. `section` and `name` are never NULL; `section` is "" before the first section. */
struct ini_entry {
	const char *file;
	const char *section;
	const char *name;
	const char *value;
	int line;
};

/* What a table of settings says of one, for help and man pages. `name` is NULL after the last. */
struct ini_help {
	const char *name;
	const char *fallback; /* the default; NULL: there is none, or `help` says it */
	const char *help;
};

/* Returns false with `err` set to stop reading. The reader prefixes the message with file and line. */
typedef bool ini_visit(void *ctx, const struct ini_entry *entry, struct error *err);

/* Calls `visit` for every entry in order, with complete values. On failure `err` names file and line. A missing file is an error. */
MUST_USE bool ini_read_file(const char *path, ini_visit *visit, void *ctx, struct error *err);

/* The same for a text in memory. Errors give `name` in place of a file name. */
MUST_USE bool ini_read_text(struct str text, const char *name, ini_visit *visit, void *ctx, struct error *err);

/* The same; `may_be_block` says of the name of an entry whether its value may be a block. */
MUST_USE bool ini_read_blocks(struct str text, const char *name, bool (*may_be_block)(const char *name), ini_visit *visit, void *ctx,
                              struct error *err);

#endif
