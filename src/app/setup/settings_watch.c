#include "app/setup/settings_watch.h"

#include <string.h>
#include <unistd.h>

#include "app/setup/setup.h"
#include "base/mem.h"
#include "base/os/folder_watch.h"
#include "net/source.h"

void settings_watch_open(struct settings_watch *w, const struct setup *s, bool (*take)(void *ctx), void *ctx)
{
	char *path = setup_settings_path(s), *slash = path ? strrchr(path, '/') : NULL;

	if (slash) /* the folder, since most editors write another file and rename it */
		*slash = '\0';
	*w = (struct settings_watch){ .fd = path ? folder_watch_open(!slash ? "." : *path ? path : "/") : -1, .take = take, .ctx = ctx,
	                              .look_ms = path ? clock_now_ms() + SETTINGS_LOOK_MS : NO_DEADLINE };
	mem_free(path);
}

void settings_watch_close(struct settings_watch *w)
{
	if (w->fd >= 0)
		close(w->fd);
	w->fd = -1;
}

static size_t settings_watch_fds(void *watch, struct pollfd *fds, size_t room)
{
	const struct settings_watch *w = watch;

	if (w->fd < 0 || !room)
		return 0;
	*fds = (struct pollfd){ .fd = w->fd, .events = POLLIN };
	return 1;
}

static int64_t settings_watch_deadline(void *watch)
{
	const struct settings_watch *w = watch;

	return w->fd < 0 ? w->look_ms : NO_DEADLINE;
}

static void settings_watch_run(void *watch, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct settings_watch *w = watch;
	char events[4096];

	if (now_ms >= settings_watch_deadline(w)) {
		w->look_ms = now_ms + SETTINGS_LOOK_MS;
		w->written = true;
	}
	if (count && fds->revents) {
		while (read(w->fd, events, sizeof events) > 0)
			continue;
		w->written = true;
	}
	if (w->written)
		w->written = !w->take(w->ctx);
}

struct loop_member settings_watch_member(struct settings_watch *w)
{
	return (struct loop_member){ .ctx = w, .fds = settings_watch_fds, .deadline = settings_watch_deadline, .run = settings_watch_run };
}
