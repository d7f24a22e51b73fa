/*
 * Prompts: the history of sent prompts, kept in the XDG state folder, and the draft left unsent at exit.
 *
 * The file "prompts" holds one JSON string per line, the newest last, with mode 0600. A prompt is appended with one write(), so that
 * several running programs can share the file. At most PROMPTS_MOST are kept: a longer file is replaced by a shorter one the next time it
 * is read. The file is read when the first prompt is needed.
 *
 * If the folder or file is not private (store/files/private_folder.h), it is not used, and prompts are kept in memory only.
 */
#ifndef WEIR_STORE_PROMPTS_H
#define WEIR_STORE_PROMPTS_H

#include "base/text.h"

#define PROMPTS_MOST 1000
#define PROMPTS_ENTRY_LIMIT ((size_t)128 << 10) /* a longer prompt is kept in memory only */
#define PROMPTS_FILE_LIMIT ((size_t)8 << 20)    /* only the end of a longer file is read */
#define PROMPTS_DRAFT_LIMIT ((size_t)16 << 20)  /* a larger draft is not kept */

struct prompts; /* heap */

struct prompts *prompts_new(bool keeps); /* false: neither reads nor writes the file */
void prompts_set_keeps(struct prompts *p, bool keeps); /* from now on; what was read stays */
void prompts_free(struct prompts *p);
size_t prompts_count(struct prompts *p);
struct str prompts_at(struct prompts *p, size_t index); /* 0 is the oldest; borrowed until the next prompts_add() */

/* Adds a prompt, unless it equals the newest. Returns false if writing failed; the prompt is kept in memory all the same. */
MUST_USE bool prompts_add(struct prompts *p, struct str prompt, struct error *err);

/*
 * Removes prompts from the file: many are gathered, because the file is written anew for them. A running program keeps what it has in memory
 * until it ends, and does not write it again.
 */
struct prompts_removal { /* embedded; zeroed: none is gathered */
	char **texts;
	size_t count, capacity, bytes;
};
void prompts_removal_add(struct prompts_removal *removal, struct str prompt);
void prompts_removal_fini(struct prompts_removal *removal); /* removes those that are left; a file that cannot be written stays as it is */

/* Keeps a draft for the next run. An empty one removes the kept draft. */
MUST_USE bool prompts_keep_draft(struct str draft, struct error *err);
/*
 * Replaces the content of `out` with the kept draft and removes it. False if there is none; `err` says why a draft was not used, else it
 * is "".
 */
bool prompts_take_draft(struct buf *out, struct error *err);

#endif
