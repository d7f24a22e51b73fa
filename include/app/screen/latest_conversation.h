/*
 * The newest stored conversation of a chat, for the welcome page. It is read in the loop, after the first frame, so that the start does not wait
 * for it, and once: only while the history is not ready (another program is in the way, or it is migrated or recovered) it is tried again.
 */
#ifndef WEIR_APP_LATEST_CONVERSATION_H
#define WEIR_APP_LATEST_CONVERSATION_H

#include "app/keep/keep.h"
#include "app/screen/services/host.h"
#include "app/system/loop.h"

struct latest_conversation {
	const struct host *host;
	int64_t due_ms;          /* when to read it; NO_DEADLINE: not any more */
	unsigned looks;          /* that came too early */
	char *title;             /* clean; NULL: there is none, or it was not read yet */
	int64_t updated_ms, turns;
};

void latest_conversation_init(struct latest_conversation *n, const struct host *host); /* borrowed */
void latest_conversation_fini(struct latest_conversation *n);
struct loop_member latest_conversation_member(struct latest_conversation *n);

#endif
