/*
 * The words of a tool's command, with the arguments of a call in their places: {name} in a word is that argument, {./name} the path of a file
 * below the folder. No shell is involved, so a value is one word, or a part of one, whatever it holds. Pure but for {./name}, which looks at
 * files.
 */
#ifndef WEIR_STORE_TOOL_WORDS_H
#define WEIR_STORE_TOOL_WORDS_H

#include "base/json.h"

struct tool_command { /* borrowed for a call */
	const char *const *words;  /* NULL after the last */
	const char *schema;        /* of the arguments */
	const char *folder;        /* NULL: where weir is */
	bool knows_arguments;      /* the schema is its own: other names in braces are text */
};

bool tool_words_has_place(struct str word);
/* Appends a schema with a text for each place. */
void tool_words_schema(const char *const *words, struct buf *out);

/*
 * Fills the places with members of `arguments`, an object. A word with a place whose argument is missing or null is left out; a value that is no
 * string is its compact JSON. Returns the words, NULL after the last, each on the heap, in a list on the heap. NULL, with a sentence for the
 * model: a value holds a NUL byte, begins a word with a dash where no word -- stands before it, or names no file below the folder. `*paths` gets
 * the files of {./name} in such a list, or NULL: there are none.
 */
char **tool_words_fill(const struct tool_command *command, const struct json *arguments, char ***paths, struct error *why);
/* The first of `paths` that is gone, or has become a link or stands behind one since; NULL: none. */
const char *tool_words_moved(char *const *paths);
void tool_words_free(char **words); /* NULL is allowed */

#endif
