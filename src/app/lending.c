#include "app/lending.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#include "app/chat.h"
#include "app/copying.h"
#include "app/output.h"
#include "base/mem.h"
#include "ui/term.h"

#define FALLBACK_EDITOR "vi"
#define PATH_LIMIT ((size_t)64 << 10)
#define STATUS_NOT_FOUND 127 /* of a shell */

static const char *variable(const char *name)
{
	const char *value = process_environment(name);

	return value && *value ? value : NULL;
}

const char *lending_editor(void)
{
	const char *visual = variable("VISUAL"), *editor = variable("EDITOR");

	return visual ? visual : editor ? editor : FALLBACK_EDITOR;
}

/* --- the file --- */

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

/* False: it is said why not. */
static bool write_file(struct chat *c, struct str text)
{
	struct lending *l = &c->lending;
	int fd = -1;
	int failure;

	l->path = temporary_file(&fd);
	if (!l->path) {
		chat_say(c, "no file for %s could be made; is /tmp writable?", l->command);
		return false;
	}
	failure = str_write(text, fd);
	if (!failure && text.len && !str_ends(text, "\n"))
		failure = str_write(STR("\n"), fd);
	close(fd);
	if (failure)
		chat_say(c, "the text could not be written for %s: %s: %s", l->command, l->path, strerror(failure));
	return !failure;
}

void lending_fini(struct lending *l)
{
	outside_free(l->program);
	if (l->path)
		unlink(l->path);
	mem_free(l->path);
	mem_free(l->command);
	*l = (struct lending){ 0 };
}

/* --- lending and taking back --- */

bool lending_begin(struct chat *c, const struct lending_offer *offer, bool quiet)
{
	struct lending *l = &c->lending;
	struct error err = { "" };

	if (l->program)
		return false;
	*l = (struct lending){ .command = mem_dup_z(offer->command), .variables = offer->variables, .back = offer->back, .kept = offer->kept };
	if (!write_file(c, offer->text)) {
		lending_fini(l);
		return false;
	}
	chat_lend_terminal(c);
	if (outside_start(&l->program, l->command, l->path, offer->variable, &err))
		return true;
	chat_take_terminal(c);
	if (!quiet)
		chat_say(c, "%s (%s)", err.text, l->variables);
	lending_fini(l);
	return false;
}

static bool has_bytes(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && facts.st_size > 0;
}

void lending_end(struct chat *c)
{
	struct lending *l = &c->lending;

	if (!l->program)
		return;
	outside_free(l->program);
	l->program = NULL;
	term_undo(c->term);
	if (l->back && has_bytes(l->path)) /* one that was killed while it wrote may have left nothing */
		l->back(c, l->path);
	lending_fini(l);
}

size_t lending_fds(void *chat, struct pollfd *fds, size_t room)
{
	const struct chat *c = chat;

	return c->lending.program && room ? outside_fds(c->lending.program, fds) : 0;
}

int64_t lending_deadline(void *chat)
{
	const struct chat *c = chat;

	return c->lending.program ? outside_deadline(c->lending.program, clock_now_ms()) : NO_DEADLINE;
}

void lending_run(void *chat, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct chat *c = chat;
	struct lending *l = &c->lending;
	int status;

	(void)fds, (void)count, (void)now_ms;
	if (!l->program || !outside_has_ended(l->program, &status))
		return;
	outside_free(l->program);
	l->program = NULL;
	chat_take_terminal(c);
	if (status == STATUS_NOT_FOUND)
		chat_say(c, "%s could not be run (%s)", l->command, l->variables);
	else if (status && l->kept)
		chat_say(c, "the editor failed (status %d): %s", status, l->kept);
	else if (!status && l->back)
		l->back(c, l->path);
	lending_fini(l);
}

/* --- reading --- */

/* What pagers let through reaches the terminal: control bytes become signs before. */
static void make_safe(struct str text, struct buf *safe)
{
	struct str line;

	while (str_split(&text, '\n', &line)) {
		output_line(safe, line);
		buf_add_byte(safe, '\n');
	}
}

/* less leaves at once when all fits on a screen, if it is told so: then nothing would be seen of it. */
static char *stay(void)
{
	const char *options = variable("LESS");
	struct buf value;

	buf_init(&value, PATH_LIMIT);
	buf_printf(&value, "LESS=%s -+F", options ? options : "-i");
	return buf_take(&value);
}

void lending_read(struct chat *c, struct str what)
{
	const char *const commands[] = { variable("PAGER"), "less", "more" };
	struct buf text, safe;
	char *less = stay();
	struct lending_offer offer = { .variables = "$PAGER", .variable = less };

	buf_init(&text, BUF_LIMIT_DEFAULT);
	buf_init(&safe, BUF_LIMIT_DEFAULT);
	if (copying_take(c, what, &text)) {
		make_safe(buf_str(&text), &safe);
		offer.text = buf_str(&safe);
		for (size_t i = *commands ? 0 : 1; i < sizeof commands / sizeof *commands; i++) {
			bool last = *commands || i + 1 == sizeof commands / sizeof *commands;

			offer.command = commands[i];
			if (lending_begin(c, &offer, !last) || last)
				break;
		}
	}
	buf_fini(&text);
	buf_fini(&safe);
	mem_free(less);
}

void lending_edit(struct chat *c, struct str what)
{
	struct buf text;
	struct lending_offer offer = { .command = lending_editor(), .variables = "$VISUAL, $EDITOR" };

	buf_init(&text, BUF_LIMIT_DEFAULT);
	if (copying_take(c, what, &text)) {
		offer.text = buf_str(&text);
		lending_begin(c, &offer, false);
	}
	buf_fini(&text);
}
