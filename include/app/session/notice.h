/*
 * The notice: notifies a user who is elsewhere that a long answer has ended (notify = bell | osc | command NAME | no). Its owner knows
 * whether the user is elsewhere.
 */
#ifndef WEIR_APP_NOTICE_H
#define WEIR_APP_NOTICE_H

#include "app/system/loop.h"
#include "base/child.h"
#include "store/config/settings.h"

struct turn;

#define NOTICE_AFTER_MS 10000 /* shorter answers cause no notice: the user is assumed to have waited */

struct notice_ways {
	void (*ring)(void *ctx, const char *sentence); /* through the terminal: bell or osc. The sentence contains no untrusted text */
	void (*say)(void *ctx, const char *sentence);  /* an error, to the user */
	void *ctx;
};

struct notice {
	const struct settings *settings;
	struct notice_ways ways;
	bool away;            /* the user is elsewhere; set by the owner */
	struct child child;   /* the program of notify = command NAME */
	int64_t deadline_ms;  /* when `child` is terminated */
};

void notice_init(struct notice *n, const struct settings *settings, const struct notice_ways *ways); /* copies `ways` */
void notice_fini(struct notice *n);
void notice_ended(struct notice *n, const struct turn *turn); /* call when a turn has ended that was not replayed */

struct loop_member notice_member(struct notice *n);

#endif
