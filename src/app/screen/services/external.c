#include "app/screen/services/external.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/os/process.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "net/source.h"
#include "ui/edit/edit.h"

#define PATH_LIMIT ((size_t)64 << 10)
#define STATUS_NOT_FOUND 127 /* exit status of a shell that did not find the command */

void external_init(struct external *l, const struct host *host, struct terminal *terminal)
{
	*l = (struct external){ .host = host, .terminal = terminal };
}

/* Releases an ended program and removes its file. */
static void external_drop(struct external *l)
{
	terminal_job_free(l->program);
	temp_file_drop(&l->file);
	mem_free(l->command);
	l->program = NULL;
	l->command = NULL;
}

/* --- starting and taking back --- */

bool external_begin(struct external *l, const struct external_offer *offer)
{
	struct error err = { "" };

	if (l->program)
		return false;
	l->offer = *offer;
	l->command = mem_dup_z(offer->command);
	if (!offer->path && !temp_file_write(&l->file, offer->name ? offer->name : "weir.md", offer->text, &err)) {
		host_fail(l->host, "cannot pass the text to %s: %s", l->command, err.text);
		external_drop(l);
		return false;
	}
	terminal_lend(l->terminal);
	if (terminal_job_start(&l->program, l->command, offer->path ? offer->path : l->file.path, &err))
		return true;
	terminal_take_back(l->terminal);
	host_fail(l->host, "%s (%s)", err.text, l->offer.variables);
	external_drop(l);
	return false;
}

static bool has_bytes(const char *path)
{
	struct stat facts;

	return stat(path, &facts) == 0 && facts.st_size > 0;
}

bool external_read_text(const char *path, struct str before, struct buf *text, struct error *err)
{
	struct buf bytes;
	size_t kept = 0;

	buf_init(&bytes, EDIT_LIMIT);
	buf_init(text, 3 * EDIT_LIMIT);
	bool good = regular_file_read(&bytes, path, err);
	utf8_repair(buf_str(&bytes), text);
	for (size_t i = 0; i < text->len; i++)
		if (text->ptr[i] != '\r')
			text->ptr[kept++] = text->ptr[i];
	kept -= kept && text->ptr[kept - 1] == '\n' && !str_ends(before, "\n");
	buf_remove(text, kept, text->len - kept);
	buf_fini(&bytes);
	return good;
}

void external_end(struct external *l)
{
	if (!l->program)
		return;
	terminal_job_free(l->program);
	l->program = NULL;
	/* an editor that was killed while it wrote may have left an empty file */
	if (l->offer.back && !l->offer.not_at_end && has_bytes(l->file.path))
		l->offer.back(l->offer.ctx, l->file.path);
	external_drop(l);
}

size_t external_fds(void *external, struct pollfd *fds, size_t room)
{
	const struct external *l = external;

	return l->program && room ? terminal_job_fds(l->program, fds) : 0;
}

int64_t external_deadline(void *external)
{
	const struct external *l = external;

	return l->program ? terminal_job_deadline(l->program, clock_now_ms()) : NO_DEADLINE;
}

void external_run(void *external, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct external *l = external;
	int status;

	(void)fds, (void)count, (void)now_ms;
	if (!l->program || !terminal_job_has_ended(l->program, &status))
		return;
	terminal_job_free(l->program);
	l->program = NULL;
	terminal_take_back(l->terminal);
	if (status == STATUS_NOT_FOUND)
		host_fail(l->host, "%s could not be run (%s)", l->command, l->offer.variables);
	else if (status && l->offer.kept)
		host_fail(l->host, "the editor failed (status %d): %s", status, l->offer.kept);
	else if (!status && l->offer.back)
		l->offer.back(l->offer.ctx, l->file.path);
	external_drop(l);
}

/* --- a replay --- */

/* In quotes of the shell. */
static void add_quoted(struct buf *out, const char *word)
{
	buf_add_byte(out, '\'');
	for (; *word; word++)
		buf_printf(out, *word == '\'' ? "'\\''" : "%c", *word);
	buf_add_byte(out, '\'');
}

void external_replay(struct external *l, const char *const *tapes, size_t count, size_t at, bool follow)
{
	const char *config = l->host->setup->options->config;
	char self[PATH_MAX];
	struct buf command;

	if (!process_program_path(self)) {
		host_fail(l->host, "cannot find the program itself: %s", strerror(errno));
		return;
	}
	buf_init(&command, PATH_LIMIT);
	add_quoted(&command, self);
	buf_add_z(&command, follow ? " replay --follow" : " replay");
	if (config) {
		buf_add_z(&command, " --config ");
		add_quoted(&command, config);
	}
	if (count > 1)
		buf_printf(&command, " --round %zu", at + 1);
	buf_add_z(&command, " --");
	for (size_t i = 0; i + 1 < count; i++) {
		buf_add_byte(&command, ' ');
		add_quoted(&command, tapes[i]);
	}
	external_begin(l, &(struct external_offer){ .command = buf_z(&command), .variables = "weir replay", .path = tapes[count - 1] });
	buf_fini(&command);
}
