/*
 * Context: what a word behind "@" or /attach names.
 *
 *   src/a.c          a file             src/a.c:10-40   lines of it (also :10 and :10-)
 *   src/[ab].c       several files      src/            a folder, whose files are marked in a list
 *   https://host/    an address, which is fetched
 *
 * A file whose name has such signs comes first. What is none of these may be a resource of an MCP server, NAME:URI (setup_find_server()).
 * Names are looked up, nothing is read, before context_read_lines().
 */
#ifndef WEIR_APP_CONTEXT_H
#define WEIR_APP_CONTEXT_H

#include <stdint.h>

#include "base/error.h"
#include "base/text.h"

#define CONTEXT_FILES_MOST 64

enum context_kind { CONTEXT_NOTHING, CONTEXT_FILE, CONTEXT_LINES, CONTEXT_FILES, CONTEXT_FOLDER, CONTEXT_ADDRESS };

struct mentioned { /* embedded; owns its texts */
	enum context_kind kind;
	char *name;              /* as written, "~/" expanded */
	char *path;              /* of the file or folder */
	long long first, last;   /* lines, from 1; `last` 0: to the end */
	char **paths;            /* of several files, in the order of their names */
	size_t count;
};

/* False, with a sentence: a pattern names more files than CONTEXT_FILES_MOST. Fini it in any case. */
MUST_USE bool context_of(struct str word, struct mentioned *c, struct error *err);
/* The word of a mention (app/setup/mention.h): the full stop or bracket behind it belongs to it only if there is such a name. */
struct str context_word(struct str mention);
void context_fini(struct mentioned *c);
bool context_is_address(struct str word);

/*
 * What would be attached of files and lines, by the sizes of files: nothing but the beginning of a file is read. Lines are guessed. Of a folder,
 * whose files are chosen later, what there is: no more than some milliseconds are taken to look, which `cut` tells. Of what has to be fetched
 * nothing is known. Adds to `size`.
 */
struct context_size {
	size_t files;
	uint64_t text_bytes;
	struct { size_t count, files; uint64_t text_bytes; bool cut; } folders;
	size_t fetched;
};
void context_measure(const struct mentioned *c, struct context_size *size);

/* Replaces the content of `out` with the lines. False: there are none of that number, or it is no text. */
MUST_USE bool context_read_lines(const struct mentioned *c, struct buf *out, struct error *err);

/* A file below a folder, as a list of them shows it. */
struct context_file { char *path, *name; size_t bytes; bool is_text; }; /* `name`: below the folder */

/*
 * The files below a folder, by name: hidden ones, other kinds and what is too deep are left out, and what exceeds a limit, which `cut` tells.
 * A list on the heap: context_free_files().
 */
struct context_file *context_list(const char *folder, size_t *count, bool *cut);
void context_free_files(struct context_file *files, size_t count);

#endif
