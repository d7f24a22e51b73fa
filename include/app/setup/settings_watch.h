/*
 * Notices when the settings file is written while the program waits. It sleeps in the kernel: without a change the loop does not wake.
 * Where the folder of the file cannot be watched, the loop wakes once a second to look at the file; what is half written by then is read at
 * the next look.
 */
#ifndef WEIR_APP_SETTINGS_WATCH_H
#define WEIR_APP_SETTINGS_WATCH_H

#include "app/system/loop.h"

struct setup;

#define SETTINGS_LOOK_MS 1000

struct settings_watch {
	int fd;          /* -1: the folder is not watched */
	int64_t look_ms; /* when the file is looked at then */
	bool written;    /* a file of the folder was written since it was taken, or it is time to look */
	bool (*take)(void *ctx);
	void *ctx;
};

/*
 * Watches the folder of the file. After a file in it was written, and at each look, `take` is called in each turn of the loop until it returns
 * true: before, it is no time to read the file. Whether the file has changed is for `take` to find out.
 */
void settings_watch_open(struct settings_watch *w, const struct setup *s, bool (*take)(void *ctx), void *ctx);
void settings_watch_close(struct settings_watch *w);
struct loop_member settings_watch_member(struct settings_watch *w);

#endif
