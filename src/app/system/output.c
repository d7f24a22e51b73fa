#include "app/system/output.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/system/columns.h"
#include "app/system/signals.h"
#include "base/utf8.h"

#define STOPPED_MS 100

void output_init(struct output *out, int fd)
{
	*out = (struct output){ .fd = fd, .terminal = isatty(fd) };
}

#define COLUMNS_DEFAULT 80u

static unsigned columns_of(int fd)
{
	struct winsize size;

	return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : COLUMNS_DEFAULT;
}

unsigned output_columns(void)
{
	return columns_of(STDOUT_FILENO);
}

unsigned output_width(void)
{
	return isatty(STDOUT_FILENO) ? output_columns() : 0;
}

/* Waits until a non-blocking descriptor is writable: another process may have set O_NONBLOCK on a shared terminal. */
static bool output_wait_for_room(int fd)
{
	struct pollfd room = { .fd = fd, .events = POLLOUT };

	return poll(&room, 1, -1) >= 0 || errno == EINTR;
}

/* EIO means that the terminal is gone; EBADF, that the descriptor was closed from the start. */
static void output_fail(struct output *out, int failure)
{
	out->closed = true;
	if (failure != EPIPE && failure != EIO && failure != EBADF)
		out->failure = failure;
}

static void output_write_all(struct output *out, struct str bytes)
{
	while (bytes.len && !out->closed) {
		ssize_t n = write(out->fd, bytes.ptr, bytes.len);

		if (n >= 0)
			bytes = str_skip(bytes, (size_t)n);
		else if (errno == EINTR)
			out->closed = out->broken_off = out->patient ? signals_want_end() : signals_want_stop();
		else if (errno != EAGAIN || !output_wait_for_room(out->fd))
			output_fail(out, errno);
	}
}

static void output_add_safe(struct buf *safe, struct str text, bool keep_layout)
{
	while (text.len) {
		struct utf8_cell cell;
		size_t used;

		if (keep_layout && (*text.ptr == '\n' || *text.ptr == '\t')) {
			buf_add_byte(safe, *text.ptr);
			text = str_skip(text, 1);
			continue;
		}
		used = utf8_cell(text, &cell);
		buf_add(safe, str_of(cell.text, cell.len));
		text = str_skip(text, used);
	}
}

/* Keeps a combining mark that belongs to the last written character: it is checked with a space in place of that character. */
static void output_add_continued(struct buf *safe, struct str text)
{
	size_t at = safe->len;
	struct buf whole = { 0 };

	if (!((unsigned char)*text.ptr & 0x80)) {
		output_add_safe(safe, text, true);
		return;
	}
	buf_add_byte(&whole, ' ');
	buf_add(&whole, text);
	output_add_safe(safe, buf_str(&whole), true);
	buf_remove(safe, at, 1);
	buf_fini(&whole);
}

void output_text(struct output *out, struct str text)
{
	struct buf safe = { 0 };

	if (!text.len)
		return;
	out->mid_line = text.ptr[text.len - 1] != '\n';
	if (!out->terminal) {
		output_write_all(out, text);
		return;
	}
	output_add_continued(&safe, text);
	output_write_all(out, buf_str(&safe));
	buf_fini(&safe);
}

void output_safe(struct output *out, struct str bytes)
{
	if (!bytes.len)
		return;
	out->mid_line = bytes.ptr[bytes.len - 1] != '\n';
	output_write_all(out, bytes);
}

static void output_print_args(struct output *out, const char *format, va_list args)
{
	struct buf text = { 0 };

	buf_printf_args(&text, format, args);
	output_text(out, buf_str(&text));
	buf_fini(&text);
}

void output_printf(struct output *out, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	output_print_args(out, format, args);
	va_end(args);
}

void output_break(struct output *out)
{
	if (out->mid_line)
		output_text(out, STR("\n"));
}

void output_flush_json(struct output *out, struct buf *json)
{
	output_text(out, buf_str(json));
	buf_clear(json);
}

int output_status(const struct output *out, int status)
{
	if (!out->closed)
		return status;
	if (!out->failure)
		return out->broken_off ? status : EXIT_DONE;
	complain("cannot write to standard output: %s", strerror(out->failure));
	return EXIT_LOCAL;
}

int output_print(int fd, struct buf *text, int status)
{
	struct output out;

	output_init(&out, fd);
	output_text(&out, buf_str(text));
	buf_fini(text);
	return output_status(&out, status);
}

#define SAY_INDENT 6u /* "weir: " */

static void output_say(const char *format, va_list args)
{
	struct error line;
	struct output out;
	struct buf words = { 0 };
	char text[sizeof line.text];

	vsnprintf(text, sizeof text, format, args);
	error_set(&line, "%s", text);
	output_init(&out, STDERR_FILENO);
	columns_wrap(str_from(line.text), SAY_INDENT, SAY_INDENT, out.terminal ? columns_of(STDERR_FILENO) : 0, &words);
	output_printf(&out, "weir: %s\n", buf_z(&words));
	buf_fini(&words);
}

void complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	output_say(format, args);
	va_end(args);
}

int usage_error(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	output_say(format, args);
	va_end(args);
	return EXIT_USAGE;
}

bool confirm(const char *format, ...)
{
	char line[16] = "";
	struct output out;
	va_list args;

	output_init(&out, STDERR_FILENO);
	va_start(args, format);
	output_print_args(&out, format, args);
	va_end(args);
	output_text(&out, STR(" [y/N] "));
	bool whole = fgets(line, sizeof line, stdin) != NULL;
	struct str answer = str_trim(str_from(line));

	return whole && (str_is_nocase(answer, "y") || str_is_nocase(answer, "yes"));
}

void complain_leaving(const char *format, ...)
{
	struct pollfd room = { .fd = STDERR_FILENO, .events = POLLOUT };
	va_list args;

	va_start(args, format);
	if (poll(&room, 1, STOPPED_MS) > 0)
		output_say(format, args);
	va_end(args);
}

void output_line(struct buf *out, struct str line)
{
	output_add_safe(out, line, true);
}

void output_field(struct buf *line, struct str text)
{
	output_add_safe(line, text, false);
}

/* --- the reader --- */

static size_t output_reader_fds(void *gone, struct pollfd *fds, size_t room)
{
	(void)gone;
	if (room)
		fds[0] = (struct pollfd){ .fd = STDOUT_FILENO };
	return room ? 1 : 0;
}

static void output_reader_run(void *gone, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)now_ms;
	*(bool *)gone |= count && fds[0].revents & (POLLERR | POLLHUP | POLLNVAL);
}

struct loop_member output_reader_member(bool *gone)
{
	return (struct loop_member){ .ctx = gone, .fds = output_reader_fds, .run = output_reader_run };
}
