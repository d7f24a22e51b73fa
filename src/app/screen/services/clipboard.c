#include "app/screen/services/clipboard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "net/source.h"
#include "store/config/settings.h"
#include "chat/conversation/figure.h"

#define PROGRAM_MS 2000
#define LEAVING_MS 500

/* Clipboard programs, the preferred one first. Each is tried only if its variable is set. */
static const struct { const char *variable; const char *words[5]; } programs[] = {
	{ "WAYLAND_DISPLAY", { "wl-copy" } },
	{ "DISPLAY",         { "xclip", "-selection", "clipboard" } },
	{ "DISPLAY",         { "xsel", "--clipboard", "--input" } },
	{ NULL,              { "pbcopy" } },
	{ "TMUX",            { "tmux", "load-buffer", "-w", "-" } }, /* also sets the clipboard of the outer terminal */
	{ "TMUX",            { "tmux", "load-buffer", "-" } },       /* for older versions without -w */
};

/* Those that take images: the type follows their words. */
static const struct { const char *variable; const char *words[5]; } image_programs[] = {
	{ "WAYLAND_DISPLAY", { "wl-copy", "--type" } },
	{ "DISPLAY",         { "xclip", "-selection", "clipboard", "-t" } },
};

void clipboard_init(struct clipboard *b, const struct host *host)
{
	*b = (struct clipboard){ .host = host, .child.fd = -1, .fd = -1 };
}

static void close_input(struct clipboard *b)
{
	if (b->fd >= 0)
		close(b->fd);
	b->fd = -1;
}

static void give_up(struct clipboard *b)
{
	close_input(b);
	child_kill(&b->child);
	mem_free(b->words);
	b->words = NULL;
	buf_fini(&b->text);
}

/* --- messages --- */

static void name_subject(struct clipboard *b, const char *what, struct str text, bool shown)
{
	char figure[FIGURE_SIZE];

	figure_of(figure, (int64_t)utf8_count(text), "character");
	if (shown)
		snprintf(b->subject, sizeof b->subject, "%s %.*s", what, STR_ARG(text));
	else if (!what)
		snprintf(b->subject, sizeof b->subject, "%s", figure);
	else
		snprintf(b->subject, sizeof b->subject, "%s, %s,", what, figure);
}

/* Says what was done. `program`: what took it; NULL: nothing did. What a command of the settings does with it is not known. */
static void clipboard_tell(struct clipboard *b, const char *program)
{
	if (program && b->words)
		host_say(b->host, "copied %s to %s", b->subject, program);
	else if (program)
		host_say(b->host, b->to_terminal ? "copied %s via %s and the terminal" : "copied %s to the clipboard via %s", b->subject, program);
	else if (b->to_terminal && *b->failure)
		host_fail(b->host, "sent %s to the terminal (OSC 52); %s %s", b->subject, b->name, b->failure);
	else if (b->to_terminal)
		host_say(b->host, "sent %s to the terminal (OSC 52)", b->subject);
	else if (*b->failure)
		host_fail(b->host, "nothing was copied: %s %s", b->name, b->failure);
	else
		host_fail(b->host, "nothing was copied: %s which is more than terminals take (OSC 52)", b->subject);
	give_up(b);
}

/* --- programs --- */

static bool is_set(const char *name)
{
	const char *value = process_environment(name);

	return value && *value;
}

static bool clipboard_failed(struct clipboard *b, const char *name, const char *what, int failure)
{
	snprintf(b->name, sizeof b->name, "%s", name);
	snprintf(b->failure, sizeof b->failure, "%s: %s", what, strerror(failure));
	return false;
}

static bool clipboard_start(struct clipboard *b, const char *const *words)
{
	int ends[2], failure;

	if (!descriptor_pipe(ends))
		return clipboard_failed(b, words[0], "got no pipe", errno);
	fcntl(ends[1], F_SETFL, O_NONBLOCK);
	failure = child_start(&b->child, words, &(struct child_options){ .place = CHILD_APART, .input = ends[0] });
	close(ends[0]);
	if (failure) {
		close(ends[1]);
		/* Most of the programs tried in turn are not installed, or in a folder of PATH that is forbidden: that is not an error. */
		bool is_absent = failure == ENOENT || failure == EACCES || failure == ENOTDIR;

		return is_absent && !b->words ? false : clipboard_failed(b, words[0], "could not be started", failure);
	}
	snprintf(b->name, sizeof b->name, "%s", words[0]);
	b->fd = ends[1];
	b->written = 0;
	b->deadline_ms = clock_now_ms() + PROGRAM_MS;
	return true;
}

/* Starts the next installed program; false: none is left. */
static bool clipboard_start_next(struct clipboard *b)
{

	while (!b->words && b->next < ARRAY_LEN(programs)) {
		size_t i = b->next++;

		if ((!programs[i].variable || is_set(programs[i].variable)) && clipboard_start(b, programs[i].words))
			return true;
	}
	return false;
}

static void clipboard_to_terminal(struct clipboard *b)
{

	b->to_terminal = b->to_terminal || screen_copy(b->host->screen, buf_str(&b->text));
}

/* Called when a program failed: tries the next one, and finally the terminal. */
static void clipboard_go_on(struct clipboard *b)
{
	if (clipboard_start_next(b))
		return;
	if (!b->words && !*b->type)
		clipboard_to_terminal(b);
	clipboard_tell(b, NULL);
}

static bool clipboard_start_for_image(struct clipboard *b)
{
	for (size_t i = 0; i < ARRAY_LEN(image_programs); i++) {
		const char *words[7] = { NULL };
		size_t count = 0;

		for (; image_programs[i].words[count]; count++)
			words[count] = image_programs[i].words[count];
		words[count] = b->type;
		if (is_set(image_programs[i].variable) && clipboard_start(b, words))
			return true;
	}
	return false;
}

/* Ends what was being copied. */
static void clipboard_begin(struct clipboard *b, struct str bytes, const char *type)
{
	give_up(b);
	buf_add(&b->text, bytes);
	snprintf(b->type, sizeof b->type, "%s", type);
	*b->failure = 0;
	b->to_terminal = false;
	b->next = ARRAY_LEN(programs); /* none of these */
}

bool clipboard_send_image(struct clipboard *b, const char *what, struct str image, const char *type)
{
	char bytes[FIGURE_SIZE];

	clipboard_begin(b, image, type);
	snprintf(b->subject, sizeof b->subject, "%s, %s,", what, figure_bytes(bytes, image.len));
	return str_is(str_from(b->host->setup->settings.copy), COPY_AUTO) && clipboard_start_for_image(b);
}

void clipboard_send(struct clipboard *b, const char *what, struct str text, bool shown)
{
	struct str way = str_from(b->host->setup->settings.copy);
	struct error err = { "" };
	bool automatic = str_is(way, COPY_AUTO), terminal = str_is(way, COPY_TERMINAL);

	clipboard_begin(b, text, "");
	name_subject(b, what, text, shown);
	b->next = automatic ? 0 : b->next;
	if (!automatic && !terminal) {
		b->words = child_words(way, &err); /* cannot fail: checked with the settings */
		if (!b->words || !clipboard_start(b, (const char *const *)b->words))
			clipboard_tell(b, NULL);
		return;
	}
	if (terminal || !is_set("TMUX"))
		clipboard_to_terminal(b);
	clipboard_go_on(b);
}

/* --- the running program --- */

static size_t clipboard_wait(const struct clipboard *b, struct pollfd *fds)
{
	size_t count = child_fds(&b->child, fds);

	if (b->fd >= 0)
		fds[count++] = (struct pollfd){ .fd = b->fd, .events = POLLOUT };
	return count;
}

size_t clipboard_fds(void *clipboard, struct pollfd *fds, size_t room)
{
	const struct clipboard *b = clipboard;

	return room >= 2 ? clipboard_wait(b, fds) : 0;
}

int64_t clipboard_deadline(void *clipboard)
{
	const struct clipboard *b = clipboard;
	int64_t look = child_deadline(&b->child, clock_now_ms());

	return !b->child.pid ? NO_DEADLINE : look < b->deadline_ms ? look : b->deadline_ms;
}

/* Writes to the program. If it closes its input early, its exit status says whether it succeeded. */
static void clipboard_feed(struct clipboard *b, int64_t now_ms)
{
	while (b->fd >= 0 && b->written < b->text.len) {
		ssize_t n = write(b->fd, b->text.ptr + b->written, b->text.len - b->written);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < 0)
			break;
		b->written += (size_t)n;
		b->deadline_ms = now_ms + PROGRAM_MS;
	}
	close_input(b);
}

void clipboard_run(void *clipboard, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct clipboard *b = clipboard;
	struct child_end end;

	(void)fds, (void)count;
	if (!b->child.pid)
		return;
	clipboard_feed(b, now_ms);
	if (child_has_ended(&b->child, &end)) {
		close_input(b);
		if (!end.signal && !end.status && b->written == b->text.len) {
			clipboard_tell(b, b->name);
			return;
		}
		if (end.signal)
			snprintf(b->failure, sizeof b->failure, "was ended by signal %d", end.signal);
		else if (end.status)
			snprintf(b->failure, sizeof b->failure, "failed (status %d)", end.status);
		else
			snprintf(b->failure, sizeof b->failure, "did not read all of it");
		clipboard_go_on(b);
	} else if (now_ms >= b->deadline_ms) {
		snprintf(b->failure, sizeof b->failure, "hung and was ended");
		close_input(b);
		child_kill(&b->child);
		clipboard_go_on(b);
	}
}

/* --- the end --- */

/* Gives a running copy time to finish before the program exits. */
static void clipboard_end(struct clipboard *b)
{
	int64_t now_ms = clock_now_ms(), end_ms = now_ms + LEAVING_MS;
	struct pollfd fds[2];
	struct child_end end;

	while (b->child.pid && !child_has_ended(&b->child, &end) && now_ms < end_ms) {
		int64_t look_ms = child_deadline(&b->child, now_ms);

		poll(fds, (nfds_t)clipboard_wait(b, fds), (int)((look_ms < end_ms ? look_ms : end_ms) - now_ms));
		now_ms = clock_now_ms();
		clipboard_feed(b, now_ms);
	}
}

void clipboard_fini(struct clipboard *b)
{
	clipboard_end(b);
	give_up(b);
	buf_fini(&b->text);
}
