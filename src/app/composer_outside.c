/* The input in the user's own editor: a file that only the user can read, the terminal given away, the loop going on. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/chat.h"
#include "app/outside.h"
#include "base/mem.h"

#define FALLBACK_EDITOR "vi"
#define PATH_LIMIT ((size_t)64 << 10)

static const char *variable(const char *name)
{
	const char *value = process_environment(name);

	return value && *value ? value : NULL;
}

static const char *editor_command(void)
{
	const char *visual = variable("VISUAL"), *editor = variable("EDITOR");

	return visual ? visual : editor ? editor : FALLBACK_EDITOR;
}

/* A new file, 0600, where files of a session belong; its path is the caller's. NULL when none can be made. */
static char *temporary_file(int *fd)
{
	const char *const folders[] = { variable("XDG_RUNTIME_DIR"), variable("TMPDIR"), "/tmp" };
	struct buf path;

	buf_init(&path, PATH_LIMIT);
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
		buf_clear(&path);
		if (!folders[i] || *folders[i] != '/' || !buf_printf(&path, "%s/weir-XXXXXX.md", folders[i]))
			continue;
		*fd = mkostemps(path.ptr, 3, O_CLOEXEC);
		if (*fd >= 0)
			return buf_take(&path);
	}
	buf_fini(&path);
	return NULL;
}

static bool write_text(int fd, struct str text)
{
	while (text.len) {
		ssize_t n = write(fd, text.ptr, text.len);

		if (n <= 0)
			return false;
		text = str_skip(text, (size_t)n);
	}
	return true;
}

/* The prompt as it is meant, in a file; false: it is said why not. */
static bool write_prompt(struct chat *c)
{
	struct buf text;
	int fd = -1;
	bool good;

	c->composer->outside_path = temporary_file(&fd);
	if (!c->composer->outside_path) {
		chat_say(c, "no file for the editor could be made; is /tmp writable?");
		return false;
	}
	buf_init(&text, BUF_LIMIT_DEFAULT);
	edit_expand(&c->input, &text);
	good = write_text(fd, buf_str(&text)) && (!text.len || str_ends(buf_str(&text), "\n") || write_text(fd, STR("\n")));
	buf_fini(&text);
	close(fd);
	if (!good)
		chat_say(c, "the prompt could not be written for the editor: %s", c->composer->outside_path);
	return good;
}

static void drop_file(struct composer *w)
{
	if (w->outside_path)
		unlink(w->outside_path);
	mem_free(w->outside_path);
	w->outside_path = NULL;
}

void composer_edit_outside(struct chat *c)
{
	struct composer *w = c->composer;
	struct error err = { "" };

	if (c->tape || w->outside)
		return;
	composer_leave_search(c);
	if (!write_prompt(c)) {
		drop_file(w);
		return;
	}
	chat_lend_terminal(c);
	if (outside_start(&w->outside, editor_command(), w->outside_path, &err))
		return;
	chat_take_terminal(c);
	chat_say(c, "%s ($VISUAL, $EDITOR)", err.text);
	drop_file(w);
}

/* What an editor left behind becomes text of ours: valid UTF-8, LF, and without the line end that editors add. */
static void read_prompt(struct chat *c)
{
	struct error err = { "" };
	struct buf bytes, text, before;
	size_t kept = 0;

	buf_init(&bytes, EDIT_LIMIT);
	buf_init(&text, 3 * EDIT_LIMIT);
	buf_init(&before, BUF_LIMIT_DEFAULT);
	edit_expand(&c->input, &before);
	if (!buf_read_file(&bytes, c->composer->outside_path, &err)) {
		chat_say(c, "%s", err.text);
		goto out;
	}
	utf8_repair(buf_str(&bytes), &text);
	for (size_t i = 0; i < text.len; i++)
		if (text.ptr[i] != '\r')
			text.ptr[kept++] = text.ptr[i];
	kept -= kept && text.ptr[kept - 1] == '\n' && !str_ends(buf_str(&before), "\n");
	if (!str_equal(str_of(text.ptr, kept), buf_str(&before)))
		edit_set(&c->input, str_of(text.ptr, kept));
out:
	buf_fini(&bytes);
	buf_fini(&text);
	buf_fini(&before);
}

size_t composer_fds(void *chat, struct pollfd *fds, size_t room)
{
	const struct chat *c = chat;

	return c->composer->outside && room ? outside_fds(c->composer->outside, fds) : 0;
}

int64_t composer_deadline(void *chat)
{
	const struct chat *c = chat;

	return c->composer->outside ? outside_deadline(c->composer->outside, clock_now_ms()) : NO_DEADLINE;
}

void composer_run(void *chat, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = chat;
	struct composer *w = c->composer;
	int status;

	(void)fds, (void)count, (void)now_ms;
	if (!w->outside || !outside_has_ended(w->outside, &status))
		return;
	outside_free(w->outside);
	w->outside = NULL;
	chat_take_terminal(c);
	if (status == 0)
		read_prompt(c);
	else if (status == 127)
		chat_say(c, "%s could not be run ($VISUAL, $EDITOR)", editor_command());
	else
		chat_say(c, "the editor failed (status %d): the prompt is as it was", status);
	drop_file(w);
}
