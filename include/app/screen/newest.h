/*
 * The newest stored conversation of a chat, for the welcome page. It is read once, in the loop, after the first frame, so that the start does
 * not wait for it.
 */
#ifndef WEIR_APP_NEWEST_H
#define WEIR_APP_NEWEST_H

#include "app/keep/library.h"
#include "app/screen/host.h"
#include "app/system/loop.h"

struct newest {
	const struct host *host;
	const struct library *library;
	bool was_read;
	char *title;             /* clean; NULL: there is none, or it was not read yet */
	int64_t updated_ms, turns;
};

void newest_init(struct newest *n, const struct host *host, const struct library *library); /* borrows both */
void newest_fini(struct newest *n);
struct loop_member newest_member(struct newest *n);

#endif
