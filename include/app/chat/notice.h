/*
 * The notice: notifies a user who is elsewhere that a long answer has ended (notify = bell | osc | command NAME | no). The terminal
 * reports whether it has the focus; one that never reports it counts as focused.
 */
#ifndef WEIR_APP_NOTICE_H
#define WEIR_APP_NOTICE_H

#include "app/chat/host.h"
#include "base/child.h"

#define NOTICE_AFTER_MS 10000 /* shorter answers cause no notice: the user is assumed to have waited */

struct notice {
	const struct host *host;
	bool away;            /* the terminal has lost the focus */
	struct child child;   /* the program of notify = command NAME */
	int64_t deadline_ms;  /* when `child` is terminated */
};

void notice_init(struct notice *n, const struct host *host);
void notice_fini(struct notice *n);
void notice_focus(struct notice *n, bool has_focus);
/* Call when a turn has ended. `lent`: another program has the terminal. */
void notice_ended(struct notice *n, const struct turn *turn, bool lent);

size_t notice_fds(void *notice, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t notice_deadline(void *notice);
void notice_run(void *notice, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
