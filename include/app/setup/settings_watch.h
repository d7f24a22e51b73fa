/*
 * Notices when the settings file is written while the program waits. It sleeps in the kernel: without a change the loop does not wake.
 * Where the folder of the file cannot be watched, nothing is noticed; setup_reread() is called before each prompt anyway.
 */
#ifndef WEIR_APP_SETTINGS_WATCH_H
#define WEIR_APP_SETTINGS_WATCH_H

#include "app/system/loop.h"

struct setup;

struct settings_watch {
	int fd;       /* -1: nothing is watched */
	bool written; /* a file of the folder was written since it was taken */
	bool (*take)(void *ctx);
	void *ctx;
};

/*
 * Watches the folder of the file. After a file in it was written, `take` is called in each turn of the loop until it returns true:
 * before, it is no time to read the file.
 */
void settings_watch_open(struct settings_watch *w, const struct setup *s, bool (*take)(void *ctx), void *ctx);
void settings_watch_close(struct settings_watch *w);
struct loop_member settings_watch_member(struct settings_watch *w);

#endif
