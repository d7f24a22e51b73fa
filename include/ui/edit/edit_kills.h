/*
 * The kill ring: texts that were killed and can be yanked.
 */
#ifndef WEIR_UI_EDIT_KILLS_H
#define WEIR_UI_EDIT_KILLS_H

#include "base/text.h"

#define KILLS_MOST 16
#define KILLS_LIMIT ((size_t)32 << 20)

enum kill_place { KILL_NEW, KILL_BEHIND, KILL_BEFORE }; /* a new entry, appended to the newest, prepended to the newest */

struct kill {
	struct buf text;
	unsigned origin;                 /* chosen by the caller; a joined entry has the lowest of its origins */
};

struct kills {
	struct kill entries[KILLS_MOST]; /* oldest first */
	size_t count;
	size_t at;                       /* index of the entry returned last */
};

void kills_init(struct kills *k);
void kills_fini(struct kills *k);
void kills_add(struct kills *k, enum kill_place place, struct str text, unsigned origin);
/* NULL when the ring is empty. Borrowed until the next kills_add(). */
const struct kill *kills_newest(struct kills *k);
const struct kill *kills_older(struct kills *k); /* the entry before the one returned last; wraps around to the newest */

#endif
