#include "app/plain/plain_lines.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "app/command/command.h"
#include "base/mem.h"

#define READ_SIZE 65536
#define ALONE_MS 100        /* two lines within this time were not typed one by one */

void plain_lines_init(struct plain_lines *l, const struct plain_host *host)
{
	*l = (struct plain_lines){ .host = host, .read_ms = -ALONE_MS };
	plain_input_init(&l->input);
}

void plain_lines_fini(struct plain_lines *l)
{
	plain_input_fini(&l->input);
	buf_fini(&l->held);
}

static bool lines_take(struct plain_lines *l, struct str *line)
{
	size_t before = l->input.lines;
	bool whole = plain_input_take(&l->input, l->over, line);

	if (l->host->types && l->input.lines > before)
		plain_tell_echoed(l->host->tell, true);
	return whole;
}

/* --- lines that arrive alone --- */

/* Reads a file, or would run a command. */
static bool line_must_be_alone(struct str line)
{
	struct str text = str_trim(line), words;
	const struct command *command = str_starts(text, "/") ? command_by_name(COMMAND_PLAIN, str_first_word(str_skip(text, 1), &words)) : NULL;

	return str_starts(line, "!") || (command && command_reads(command, words));
}

/*
 * Pasted lines arrive together. So a slash word that reads a file, a "!command", or what allows a call, is held until it is clear that no other
 * line follows it.
 */
static bool lines_hold(struct plain_lines *l, struct str line)
{
	bool asked_for = l->host->question && l->host->question->alone;

	if (!l->host->types || !(asked_for || line_must_be_alone(line)))
		return false;
	buf_clear(&l->held);
	l->held_reads = l->reads;
	l->holds = buf_add(&l->held, line);
	return l->holds;
}

int64_t plain_lines_deadline(const struct plain_lines *l)
{
	return l->holds ? l->read_ms + ALONE_MS : NO_DEADLINE;
}

/* Whether nothing was typed shortly before the line, or a question, which is answered alone, was asked since then. */
static bool lines_had_rest(const struct plain_lines *l)
{
	const struct plain_question *question = l->host->question;

	return l->gap_ms >= ALONE_MS || (question && question->alone && l->host->asked_ms >= l->read_ms - l->gap_ms);
}

/* False while the line must still be held. */
static bool lines_release(struct plain_lines *l, int64_t now_ms, struct str *line, bool *alone)
{
	*alone = l->reads == l->held_reads && !l->input.bytes.len && lines_had_rest(l);
	if (*alone && !l->over && now_ms < plain_lines_deadline(l))
		return false;
	l->holds = false;
	*line = buf_str(&l->held);
	return true;
}

bool plain_lines_next(struct plain_lines *l, int64_t now_ms, struct str *line, bool *alone)
{
	*alone = false;
	if (!l->holds && !lines_take(l, line))
		return false;
	if (!l->holds && !lines_hold(l, *line))
		return true;
	return lines_release(l, now_ms, line, alone);
}

void plain_lines_drop(struct plain_lines *l)
{
	plain_input_drop(&l->input);
	l->holds = false;
}

void plain_lines_wipe(struct plain_lines *l)
{
	plain_input_wipe(&l->input);
}

void plain_lines_tell_loss(struct plain_lines *l)
{
	if (l->input.too_long)
		plain_tell_line(l->host->tell, "The input is too long: its end was dropped.");
	l->input.too_long = false;
}

/* --- the loop --- */

size_t plain_lines_fds(const struct plain_lines *l, struct pollfd *fds, size_t room)
{
	if (!room || l->over)
		return 0;
	fds[0] = (struct pollfd){ .fd = STDIN_FILENO, .events = POLLIN };
	return 1;
}

void plain_lines_run(struct plain_lines *l, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	char bytes[READ_SIZE];

	if (!count || !fds[0].revents)
		return;
	ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN))
		l->over = true;
	if (n <= 0)
		return;
	l->gap_ms = now_ms - l->read_ms;
	l->read_ms = now_ms;
	l->reads++;
	plain_input_add(&l->input, str_of(bytes, (size_t)n));
	if (l->host->question && l->host->question->hidden)
		mem_wipe(bytes, (size_t)n);
}
