/*
 * Prompts: what was sent, kept in XDG state over program runs, and the draft that was not sent when the program was left.
 *
 * "prompts" holds one JSON string a line, the newest last, readable by its owner only (0600). A prompt is appended by one write,
 * so programs that run side by side share the file. At most PROMPTS_MOST are kept; a file that has grown beyond is replaced by a
 * shorter one when it is read next. The file is read when the first prompt is asked for, not before.
 *
 * A folder or file that is not ours alone (store/private_folder.h) is not used: prompts are in memory only then.
 */
#ifndef WEIR_STORE_PROMPTS_H
#define WEIR_STORE_PROMPTS_H

#include "base/text.h"

#define PROMPTS_MOST 1000
#define PROMPTS_ENTRY_LIMIT ((size_t)128 << 10) /* longer ones are known to this run, but do not go into the file */
#define PROMPTS_FILE_LIMIT ((size_t)8 << 20)    /* of a longer file only the end is read */
#define PROMPTS_DRAFT_LIMIT ((size_t)16 << 20)  /* a larger draft is not kept */

struct prompts; /* heap */

struct prompts *prompts_new(bool keeps); /* false: the file is neither read nor written */
void prompts_free(struct prompts *p);
size_t prompts_count(struct prompts *p);
struct str prompts_at(struct prompts *p, size_t index); /* 0 the oldest; borrowed until the next prompts_add() */

/* Remembers a prompt that is not the same as the newest. False when it could not be written: it is remembered all the same. */
MUST_USE bool prompts_add(struct prompts *p, struct str prompt, struct error *err);

/* Keeps a draft for the next run; an empty one leaves none behind. */
MUST_USE bool prompts_keep_draft(struct str draft, struct error *err);
/* Replaces what is in `out` by the draft that was kept, and forgets it. False: there is none; `err` tells of one that is not used, else "". */
bool prompts_take_draft(struct buf *out, struct error *err);

#endif
