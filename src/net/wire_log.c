#include "net/wire_log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/redact.h"
#include "base/utf8.h"

struct wire_log {
	int fd, keys_fd; /* `keys_fd` -1: none */
	int failure;     /* the first errno; nothing is written after it */
	size_t left;     /* bytes until the limit */
	char *path;
	struct buf line;
};

static bool create(const char *path, int *fd, struct error *err)
{
	*fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (*fd < 0 && errno == EEXIST)
		return error_set(err, "%s exists already: a log is never overwritten, choose another name", path);
	return *fd >= 0 || error_set(err, "cannot create the log %s: %s", path, strerror(errno));
}

bool wire_log_open(struct wire_log **log, const char *path, struct error *err)
{
	int fd;

	*log = NULL;
	if (!create(path, &fd, err))
		return false;
	*log = mem_new(sizeof **log);
	(*log)->fd = fd;
	(*log)->keys_fd = -1;
	(*log)->path = mem_dup_z(path);
	(*log)->left = WIRE_LOG_BYTES_MOST;
	buf_init(&(*log)->line, 2 * BUF_LIMIT_DEFAULT);
	return true;
}

bool wire_log_keys(struct wire_log *log, const char *path, struct error *err)
{
	return create(path, &log->keys_fd, err);
}

int wire_log_keys_fd(const struct wire_log *log)
{
	return log ? log->keys_fd : -1;
}

void wire_log_limit(struct wire_log *log, size_t bytes)
{
	log->left = bytes;
}

/* --- building a line --- */

static void wire_log_add_byte(struct buf *out, unsigned char byte)
{
	static const char names[] = { ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't', ['\\'] = '\\' };

	if (byte < sizeof names && names[byte])
		buf_printf(out, "\\%c", names[byte]);
	else
		buf_printf(out, "\\x%02X", byte);
}

/* Adds the bytes; those unsafe to show are escaped. */
static void wire_log_add_text(struct buf *out, struct str text)
{
	while (text.len) {
		struct utf8_cell cell;
		size_t len = utf8_cell(text, &cell);
		struct str cluster = str_head(text, len);

		if (str_equal(cluster, str_of(cell.text, cell.len)) && *cluster.ptr != '\\')
			buf_add(out, cluster);
		else
			for (size_t i = 0; i < len; i++)
				wire_log_add_byte(out, (unsigned char)cluster.ptr[i]);
		text = str_skip(text, len);
	}
}

/* curl's messages about proxies and HTTP/2 paths contain URLs between blanks and brackets. A quote may be part of a password. */
static void add_urls(struct buf *out, struct str line)
{
	struct buf masked = { 0 };

	while (line.len) {
		size_t len = 0;

		while (len < line.len && !strchr(" []", line.ptr[len]))
			len++;
		redact_url(str_head(line, len), &masked);
		buf_add(&masked, str_head(str_skip(line, len), 1));
		line = str_skip(line, len + 1);
	}
	wire_log_add_text(out, buf_str(&masked));
	buf_fini(&masked);
}

/* A header, or one as curl prints it: "[authorization: Bearer ...]". */
static void wire_log_add_words(struct buf *out, struct str line)
{
	size_t colon = str_find(line, STR(":"));
	size_t start = colon;

	if (str_starts(line, "Proxy auth using ")) { /* "Basic with user 'name'" */
		wire_log_add_text(out, str_head(line, str_find(line, STR(" with user"))));
		return;
	}
	while (start > 0 && line.ptr[start - 1] != '[' && line.ptr[start - 1] != ' ')
		start--;
	if (colon == line.len || colon == start || !redact_is_telling(str_of(line.ptr + start, colon - start))) {
		add_urls(out, line);
		return;
	}
	wire_log_add_text(out, str_head(line, colon));
	buf_add_z(out, ": ...");
}

/* "POST /path?key=... HTTP/1.1" */
static void add_request_line(struct buf *out, struct str line)
{
	struct str method, target;
	struct buf masked = { 0 };

	if (str_split(&line, ' ', &method) && str_split(&line, ' ', &target)) {
		redact_url(target, &masked);
		wire_log_add_text(out, method);
		buf_add_byte(out, ' ');
		wire_log_add_text(out, buf_str(&masked));
		buf_add_byte(out, ' ');
		wire_log_add_text(out, line);
	}
	buf_fini(&masked);
}

static void add_start(struct buf *out, unsigned transfer, enum wire_log_kind kind)
{
	static const char signs[] = { [WIRE_SAID] = '*', [WIRE_HEAD_OUT] = '>', [WIRE_HEAD_IN] = '<', [WIRE_BODY_OUT] = '}',
	                              [WIRE_BODY_IN] = '{' };
	struct timespec now;
	struct tm local;
	char clock[16];

	clock_gettime(CLOCK_REALTIME, &now);
	localtime_r(&now.tv_sec, &local);
	strftime(clock, sizeof clock, "%H:%M:%S", &local);
	buf_printf(out, "%s.%03ld %u %c ", clock, now.tv_nsec / 1000000, transfer, signs[kind]);
}

static void write_out(struct wire_log *log)
{
	if (!log->failure && log->line.len > log->left)
		log->failure = EFBIG;
	if (!log->failure)
		log->failure = str_write(buf_str(&log->line), log->fd);
	log->left -= log->line.len < log->left ? log->line.len : log->left;
	buf_clear(&log->line);
}

void wire_log_add(struct wire_log *log, unsigned transfer, enum wire_log_kind kind, struct str bytes)
{
	bool is_body = kind == WIRE_BODY_OUT || kind == WIRE_BODY_IN, is_first = true;
	struct str line;

	while (is_body ? bytes.len > 0 : str_split(&bytes, '\n', &line)) {
		add_start(&log->line, transfer, kind);
		if (is_body)
			wire_log_add_text(&log->line, bytes);
		else if (kind == WIRE_HEAD_OUT && is_first)
			add_request_line(&log->line, str_trim(line));
		else
			wire_log_add_words(&log->line, str_trim(line));
		buf_add_byte(&log->line, '\n');
		is_first = false;
		if (is_body)
			break;
	}
	write_out(log);
}

bool wire_log_close(struct wire_log *log, struct error *err)
{
	int failure;

	if (!log)
		return true;
	if (close(log->fd) != 0 && !log->failure)
		log->failure = errno;
	if (log->keys_fd >= 0)
		close(log->keys_fd); /* writers had their own descriptor */
	failure = log->failure;
	if (failure)
		error_set(err, "the log %s is incomplete: %s", log->path, strerror(failure));
	buf_fini(&log->line);
	mem_free(log->path);
	mem_free(log);
	return !failure;
}
