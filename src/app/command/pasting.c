#include "app/command/pasting.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "app/session/session.h"
#include "app/session/session_prompts.h"
#include "app/system/environment.h"
#include "base/array.h"
#include "base/os/descriptor.h"
#include "chat/conversation/figure.h"
#include "wire/attachment.h"

#define PASTING_MS 5000
#define PASTING_BYTES ((size_t)32 << 20)
#define PASTING_READ 65536

/* Programs that write the clipboard's image to standard output. Each is tried only if its variable is set. */
static const struct { const char *variable; const char *words[7]; } pasting_programs[] = {
	{ "WAYLAND_DISPLAY", { "wl-paste", "--no-newline", "--type", "image/png" } },
	{ "DISPLAY",         { "xclip", "-selection", "clipboard", "-t", "image/png", "-o" } },
	{ NULL,              { "pngpaste", "-" } },
};

void pasting_init(struct pasting *p)
{
	*p = (struct pasting){ .child.fd = -1, .fd = -1 };
}

static void pasting_stop(struct pasting *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
	child_kill(&p->child);
	buf_fini(&p->bytes);
}

void pasting_fini(struct pasting *p)
{
	pasting_stop(p);
}

/* --- the programs --- */

static bool pasting_is_set(const char *variable)
{
	const char *value = process_environment(variable);

	return value && *value;
}

static bool pasting_run_program(struct pasting *p, const char *const *words)
{
	int ends[2];

	if (!descriptor_pipe(ends))
		return false;
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	int failure = child_start(&p->child, words, &(struct child_options){ .place = CHILD_APART, .output = ends[1] });
	close(ends[1]);
	if (failure) {
		close(ends[0]);
		return false;
	}
	p->fd = ends[0];
	p->ran = true;
	p->deadline_ms = clock_now_ms() + PASTING_MS;
	buf_fini(&p->bytes);
	buf_init(&p->bytes, PASTING_BYTES);
	return true;
}

static void pasting_say_none(const struct pasting *p)
{
	struct error words;

	if (p->too_large)
		error_set(&words, "no image was pasted: it has more than %zu MB", PASTING_BYTES >> 20);
	else if (p->hung)
		error_set(&words, "no image was pasted: %s hung and was ended", p->hung);
	else if (p->ran)
		error_set(&words, "there is no image in the clipboard; /attach FILE takes one from a file");
	else
		error_set(&words, "no program here reads images from the clipboard: wl-paste, xclip and pngpaste do; /attach FILE takes a file");
	p->actor.say(p->actor.ctx, SEVERITY_ERROR, words.text);
}

/* The next program that is installed; without one, says so. */
static void pasting_go_on(struct pasting *p)
{
	pasting_stop(p);
	while (!p->too_large && p->next < ARRAY_LEN(pasting_programs)) {
		size_t i = p->next++;

		if ((!pasting_programs[i].variable || pasting_is_set(pasting_programs[i].variable)) &&
		    pasting_run_program(p, pasting_programs[i].words))
			return;
	}
	pasting_say_none(p);
}

void pasting_start(struct pasting *p, const struct actor *actor)
{
	pasting_stop(p);
	p->actor = *actor;
	p->next = 0;
	p->ran = false;
	p->hung = NULL;
	p->too_large = false;
	pasting_go_on(p);
}

/* --- what came --- */

/* Attaches what came, if it is an image. */
static bool pasting_take(struct pasting *p)
{
	const char *media = attachment_media(buf_str(&p->bytes));
	char name[40], size[FIGURE_SIZE];
	struct error words;

	if (p->too_large || !media || !str_starts(str_from(media), "image/"))
		return false;
	snprintf(name, sizeof name, "pasted-%u.%s", ++p->number, media + sizeof "image/" - 1);
	session_attach_bytes(p->actor.session, buf_str(&p->bytes), name, media);
	error_set(&words, "%s, %s, goes with the next prompt", name, figure_bytes(size, p->bytes.len));
	pasting_stop(p);
	p->actor.say(p->actor.ctx, SEVERITY_INFORMATION, words.text);
	return true;
}

/* Reads what is there. False: the output ended, or is larger than any image that could be sent. */
static bool pasting_read(struct pasting *p)
{
	char bytes[PASTING_READ];
	ssize_t n = read(p->fd, bytes, sizeof bytes);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	p->too_large = n > 0 && !buf_add(&p->bytes, str_of(bytes, (size_t)n));
	return n > 0 && !p->too_large;
}

static void pasting_turn(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct pasting *p = ctx;

	(void)fds, (void)count;
	if (p->fd < 0)
		return;
	if (now_ms >= p->deadline_ms) {
		p->hung = pasting_programs[p->next - 1].words[0];
		pasting_go_on(p);
	} else if (!pasting_read(p) && !pasting_take(p)) {
		pasting_go_on(p);
	}
}

static size_t pasting_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct pasting *p = ctx;

	if (p->fd < 0 || !room)
		return 0;
	fds[0] = (struct pollfd){ .fd = p->fd, .events = POLLIN };
	return 1;
}

static int64_t pasting_deadline(void *ctx)
{
	const struct pasting *p = ctx;

	return p->fd >= 0 ? p->deadline_ms : NO_DEADLINE;
}

struct loop_member pasting_member(struct pasting *p)
{
	return (struct loop_member){ .ctx = p, .fds = pasting_fds, .deadline = pasting_deadline, .run = pasting_turn };
}
