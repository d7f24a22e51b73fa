/*
 * The notice: tells a user who is elsewhere that a long answer has ended (notify = bell | osc | command NAME | no). The terminal says
 * whether it has the focus; one that never does counts as having it.
 */
#ifndef WEIR_APP_NOTICE_H
#define WEIR_APP_NOTICE_H

#include "app/chat/host.h"
#include "base/child.h"

#define NOTICE_AFTER_MS 10000 /* an answer that took no longer was waited for */

struct notice {
	const struct host *host;
	bool away;            /* the terminal has lost the focus */
	struct child child;   /* of `command` */
	int64_t deadline_ms;  /* then it is ended */
};

void notice_init(struct notice *n, const struct host *host);
void notice_fini(struct notice *n);
void notice_focus(struct notice *n, bool has_focus);
void notice_ended(struct notice *n, const struct turn *turn, bool lent); /* lent: another program has the terminal */

size_t notice_fds(void *notice, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t notice_deadline(void *notice);
void notice_run(void *notice, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
