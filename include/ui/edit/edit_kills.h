/*
 * The kill ring: what was cut last and before that, to be yanked.
 */
#ifndef WEIR_UI_EDIT_KILLS_H
#define WEIR_UI_EDIT_KILLS_H

#include "base/text.h"

#define KILLS_MOST 16
#define KILLS_LIMIT ((size_t)32 << 20)

enum kill_place { KILL_NEW, KILL_BEHIND, KILL_BEFORE }; /* an entry of its own, or joined to the newest at one of its ends */

struct kill {
	struct buf text;
	unsigned origin;                 /* a number of the caller's; joined entries have the least */
};

struct kills {
	struct kill entries[KILLS_MOST]; /* the newest last */
	size_t count;
	size_t at;                      /* the one that was yanked last */
};

void kills_init(struct kills *k);
void kills_fini(struct kills *k);
void kills_add(struct kills *k, enum kill_place place, struct str text, unsigned origin);
const struct kill *kills_newest(struct kills *k); /* NULL: there is none. Borrowed until the next kill */
const struct kill *kills_older(struct kills *k);  /* than the one given last; behind the oldest comes the newest again */

#endif
