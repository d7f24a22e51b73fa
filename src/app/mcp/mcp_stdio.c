#include "app/mcp/mcp_stdio.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/system/supervised.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/mcp/rpc_lines.h"

#define LEAVE_MS 1000     /* from the end of its input until it is ended */
#define ENDS_MS 3000      /* from the end of its output until that is told: it is to be the end of the program, which says more */
#define WORDS_MOST 300u   /* bytes of its last line of errors */

struct mcp_stdio {
	struct mcp_link link;
	struct mcp_link_sink sink;
	struct supervised program;
	char *name;               /* of the program */
	struct rpc_lines lines;
	struct buf words;         /* the last line of its errors */
	bool words_end;           /* it is complete: the next byte begins another */
	bool closing, is_lost;
	int64_t leave_ms;         /* closing: when the program is ended */
	int64_t closed_ms;        /* its output is closed: when that counts */
	bool is_full;             /* what was sent last could not be kept: it does not read */
};

static struct mcp_stdio *stdio_of(struct mcp_link *link)
{
	return (struct mcp_stdio *)link;
}

/* --- what comes --- */

static void PRINTF_LIKE(3, 4) stdio_is_lost(struct mcp_stdio *s, enum mcp_ending ending, const char *format, ...)
{
	struct error words;
	va_list args;

	if (s->is_lost || s->closing)
		return;
	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	s->is_lost = true;
	supervised_stop(&s->program);
	s->sink.lost(s->sink.ctx, ending, str_from(words.text));
}

static void stdio_take_line(void *ctx, struct str line)
{
	struct mcp_stdio *s = ctx;

	if (!s->is_lost)
		s->sink.message(s->sink.ctx, line, 0);
}

static void stdio_take_output(void *ctx, struct str bytes)
{
	struct mcp_stdio *s = ctx;

	if (!bytes.len)
		s->closed_ms = clock_now_ms() + ENDS_MS;
	if (s->is_lost)
		return;
	if (!rpc_lines_take(&s->lines, bytes, stdio_take_line, s))
		stdio_is_lost(s, MCP_VIOLATION, "the program sent a line of more than %zu MB and was ended", RPC_MESSAGE_MOST >> 20);
}

/* Keeps the last line that is not blank. */
static void stdio_take_errors(void *ctx, struct str bytes)
{
	struct mcp_stdio *s = ctx;

	for (size_t i = 0; i < bytes.len; i++) {
		char c = bytes.ptr[i];

		if (c == '\n' || c == '\r') {
			s->words_end = true;
			continue;
		}
		if (s->words_end && char_is_blank(c))
			continue;
		if (s->words_end)
			buf_clear(&s->words);
		s->words_end = false;
		if (s->words.len < WORDS_MOST)
			buf_add_byte(&s->words, c);
	}
}

static void stdio_take_end(void *ctx, int failure, struct child_end end)
{
	struct mcp_stdio *s = ctx;
	struct buf how = { 0 }, words = { 0 };

	supervised_write_end(end, &how);
	(void)utf8_repair(buf_str(&s->words), &words);
	if (failure)
		stdio_is_lost(s, MCP_ERROR, "%s cannot be started: %s", s->name, strerror(failure));
	else if (words.len)
		stdio_is_lost(s, MCP_CUT, "the program has gone: %s; its last words were: %s", buf_z(&how), buf_z(&words));
	else
		stdio_is_lost(s, MCP_CUT, "the program has gone: %s", buf_z(&how));
	buf_fini(&how);
	buf_fini(&words);
}

/* --- the link --- */

static void stdio_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct mcp_stdio *s = stdio_of(link);
	struct buf line;

	buf_init(&line, message->text.len + 1);
	buf_add(&line, message->text);
	buf_add_byte(&line, '\n');
	if (!s->is_lost && !s->closing && s->program.in && !supervised_write(&s->program, buf_str(&line)))
		s->is_full = true;
	buf_fini(&line);
}

static void stdio_dropped(struct mcp_link *link, int64_t id)
{
	(void)link, (void)id; /* the server was told in a message */
}

static void stdio_ready(struct mcp_link *link, enum mcp_revision revision)
{
	(void)link, (void)revision;
}

static void stdio_close(struct mcp_link *link)
{
	struct mcp_stdio *s = stdio_of(link);

	if (s->closing)
		return;
	s->closing = true;
	s->leave_ms = clock_now_ms() + LEAVE_MS;
	supervised_end_input(&s->program);
}

static bool stdio_is_over(const struct mcp_link *link)
{
	return !((const struct mcp_stdio *)link)->program.runs;
}

static size_t stdio_fds(const struct mcp_link *link, struct pollfd *fds, size_t room)
{
	return supervised_fds(&((const struct mcp_stdio *)link)->program, fds, room);
}

static int64_t stdio_deadline(const struct mcp_link *link, int64_t now_ms)
{
	const struct mcp_stdio *s = (const struct mcp_stdio *)link;
	int64_t due_ms = supervised_deadline(&s->program, now_ms);

	if (s->is_full)
		return now_ms;
	if (s->program.runs && !s->program.out && !s->is_lost && !s->closing && s->closed_ms < due_ms)
		due_ms = s->closed_ms;
	return s->closing && s->program.runs && !s->program.stopping && s->leave_ms < due_ms ? s->leave_ms : due_ms;
}

static void stdio_run(struct mcp_link *link, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct mcp_stdio *s = stdio_of(link);

	supervised_run(&s->program, fds, count, now_ms);
	if (s->is_full)
		stdio_is_lost(s, MCP_STALLED, "the program does not read what is sent to it, and was ended");
	s->is_full = false;
	if (s->program.runs && !s->program.out && now_ms >= s->closed_ms)
		stdio_is_lost(s, MCP_CUT, "the program closed its output");
	if (s->closing && now_ms >= s->leave_ms && !s->program.stopping)
		supervised_stop(&s->program);
}

static void stdio_free(struct mcp_link *link)
{
	struct mcp_stdio *s = stdio_of(link);

	supervised_fini(&s->program);
	rpc_lines_fini(&s->lines);
	buf_fini(&s->words);
	mem_free(s->name);
	mem_free(s);
}

static const struct mcp_link_ops stdio_ops = {
	.name = "stdio", .send = stdio_send, .dropped = stdio_dropped, .ready = stdio_ready, .close = stdio_close, .is_over = stdio_is_over,
	.fds = stdio_fds, .deadline = stdio_deadline, .run = stdio_run, .free = stdio_free,
};

struct mcp_link *mcp_stdio_new(const char *const *argv, const char *const *variables, const struct mcp_link_sink *sink, struct error *err)
{
	struct mcp_stdio *s = mem_new(sizeof *s);

	s->link.ops = &stdio_ops;
	s->sink = *sink;
	s->name = mem_dup_z(argv[0]);
	if (supervised_start(&s->program, &(struct supervised_options){ .argv = argv, .variables = variables },
	                     &(struct supervised_sink){ s, stdio_take_output, stdio_take_errors, stdio_take_end }, err))
		return &s->link;
	stdio_free(&s->link);
	return NULL;
}
