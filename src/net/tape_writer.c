#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crash_handler.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "net/tape.h"
#include "net/tape_lines.h"

#define BODY_LINES_MOST (TAPE_STEPS_LIMIT - 100) /* reserves lines for what is not a body */
#define PENDING_BYTES ((size_t)64 << 10) /* written without waiting for the flush */
#define PENDING_KEPT_BYTES ((size_t)16 << 10) /* memory that is kept for the next lines: there may be many tapes */

struct tape_writer {
	int fd;
	int failure;             /* the first errno; nothing is written after it */
	char *path;
	size_t flushed, most;    /* size of the file, and its limit before the last body */
	size_t body_lines;
	bool in_request;         /* between tape_start_request() and tape_end_request() */
	size_t request_at;       /* where its member begins in the file */
	bool request_excess;     /* it does not fit: it is dropped */
	struct buf pending;      /* not written yet: complete lines, but for the request */
	struct crash_handler on_crash;
	struct buf crash_message; /* the message of the crash handler */
};

/* Async-signal-safe. The last line may be incomplete; readers take it as the end. */
static void tape_writer_on_crash(void *ctx)
{
	struct tape_writer *w = ctx;
	ssize_t written = write(w->fd, w->pending.ptr, w->pending.len);

	if (written >= 0)
		written = write(STDERR_FILENO, w->crash_message.ptr, w->crash_message.len);
	(void)written;
}

static struct tape_writer *tape_writer_new(int fd, const char *path)
{
	struct tape_writer *w = mem_new(sizeof *w);

	w->fd = fd;
	w->most = TAPE_BYTES_MOST;
	w->path = mem_dup_z(path);
	buf_init(&w->pending, 2 * BUF_LIMIT_DEFAULT); /* a request alone may be as large as the default limit */
	buf_init(&w->crash_message, strlen(path) + 200);
	buf_printf(&w->crash_message, "weir: it crashed during an answer; what had arrived is in %s (weir replay shows it)\n", path);
	w->on_crash = (struct crash_handler){ .run = tape_writer_on_crash, .ctx = w };
	crash_handler_add(&w->on_crash);
	return w;
}

#define TAPE_END ".tape"
#define NAMES_MOST 100u /* that are tried */

/* Sets errno if it fails. */
static bool open_at(struct tape_writer **writer, int folder, const char *name, const char *path, struct error *err)
{
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	int why = errno;
	if (fd < 0) {
		if (why == EEXIST)
			error_set(err, "%s exists already: a tape is never overwritten, choose another name", path);
		else
			error_set(err, "cannot create the tape %s: %s", path, strerror(why));
		errno = why;
		return false;
	}
	(void)flock(fd, LOCK_EX | LOCK_NB); /* tells the removal of old tapes that this one is in use */
	*writer = tape_writer_new(fd, path);
	return true;
}

bool tape_writer_open(struct tape_writer **writer, const char *path, struct error *err)
{
	return open_at(writer, AT_FDCWD, path, path, err);
}

bool tape_writer_open_in(struct tape_writer **writer, int folder, char **path, struct error *err)
{
	struct str whole = str_from(*path), stem = str_ends(whole, TAPE_END) ? str_of(whole.ptr, whole.len - strlen(TAPE_END)) : whole;
	struct buf other = { 0 };
	bool good;

	buf_add(&other, whole);
	for (unsigned n = 1;; n++) {
		const char *slash = strrchr(buf_z(&other), '/');

		good = open_at(writer, folder, slash ? slash + 1 : buf_z(&other), buf_z(&other), err);
		if (good || errno != EEXIST || n > NAMES_MOST)
			break;
		buf_clear(&other);
		buf_printf(&other, "%.*s-%u%s", STR_ARG(stem), n, TAPE_END);
	}
	if (good)
		str_replace(path, buf_str(&other));
	buf_fini(&other);
	return good;
}

/* The file as it must be: nobody else wrote it, and each of its lines is whole. */
static bool resume_is_tape(int fd, size_t *size)
{
	static const char mark[] = "{\"weir_tape\":";
	char begin[sizeof mark - 1], end;
	struct stat facts;

	if (fstat(fd, &facts) != 0 || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid() || facts.st_nlink != 1 ||
	    facts.st_mode & (S_IWGRP | S_IWOTH) || facts.st_size <= (off_t)sizeof begin)
		return false;
	*size = (size_t)facts.st_size;
	return pread(fd, begin, sizeof begin, 0) == sizeof begin && !memcmp(begin, mark, sizeof begin) &&
	       pread(fd, &end, 1, facts.st_size - 1) == 1 && end == '\n';
}

bool tape_writer_resume(struct tape_writer **writer, const char *path, size_t bytes, struct error *err)
{
	int fd = open(path, O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct tape_writer *w;
	size_t size = 0;

	if (fd < 0)
		return error_set(err, "cannot add to the tape %s: %s", path, strerror(errno));
	if (!resume_is_tape(fd, &size) || flock(fd, LOCK_EX | LOCK_NB) != 0) {
		close(fd);
		return error_set(err, "cannot add to the tape %s: it is another file by now, or in use", path);
	}
	w = tape_writer_new(fd, path);
	w->flushed = size;
	tape_writer_limit(w, size + bytes);
	*writer = w;
	return true;
}

void tape_writer_limit(struct tape_writer *w, size_t bytes)
{
	w->most = bytes < TAPE_BYTES_MOST ? bytes : TAPE_BYTES_MOST;
}

void tape_flush(struct tape_writer *w)
{
	if (!w->failure)
		w->failure = str_write(buf_str(&w->pending), w->fd);
	w->flushed += w->pending.len;
	if (w->pending.capacity > PENDING_KEPT_BYTES)
		buf_fini(&w->pending);
	buf_clear(&w->pending);
}

static void tape_writer_cut(struct tape_writer *w, size_t bytes)
{
	buf_clear(&w->pending);
	w->flushed = bytes;
	if (ftruncate(w->fd, (off_t)bytes) != 0 || lseek(w->fd, (off_t)bytes, SEEK_SET) < 0)
		w->failure = errno;
}

static void tape_writer_begin(struct tape_writer *w, const struct tape_info *info)
{
	w->in_request = w->request_excess = false;
	w->body_lines = 0;
	tape_writer_cut(w, 0);
	tape_line_facts(&w->pending, info);
}

void tape_start(struct tape_writer *w, const struct tape_info *info)
{
	tape_writer_begin(w, info);
	tape_flush(w);
}

/* --- a request in pieces: the last member of the first line --- */

#define LINE_END "}\n"

void tape_start_request(struct tape_writer *w, const struct tape_info *info)
{
	tape_writer_begin(w, info);
	buf_remove(&w->pending, w->pending.len - strlen(LINE_END), strlen(LINE_END));
	tape_flush(w);
	w->in_request = true;
	w->request_at = w->flushed;
	buf_add_z(&w->pending, ",\"request\":");
}

void tape_request(struct tape_writer *w, struct str piece)
{
	bool breaks = piece.len && (memchr(piece.ptr, '\n', piece.len) || memchr(piece.ptr, '\r', piece.len));

	w->request_excess |= w->flushed + w->pending.len + piece.len > w->most;
	if (w->request_excess)
		return;
	/* A line break between tokens, for example in data that a server wants back, would end the tape's line. */
	if (breaks)
		for (size_t i = 0; i < piece.len; i++)
			buf_add_byte(&w->pending, char_is_blank(piece.ptr[i]) ? ' ' : piece.ptr[i]);
	tape_flush(w);
	if (breaks)
		return;
	if (!w->failure)
		w->failure = str_write(piece, w->fd);
	w->flushed += piece.len;
}

void tape_end_request_late(struct tape_writer *w, bool is_json, struct str model)
{
	if (!is_json || w->request_excess)
		tape_writer_cut(w, w->request_at);
	if (model.len) {
		buf_add_z(&w->pending, ",\"model\":");
		json_escape(&w->pending, model);
	}
	w->in_request = false;
	buf_add_z(&w->pending, LINE_END);
	tape_flush(w);
}

void tape_end_request(struct tape_writer *w)
{
	tape_end_request_late(w, true, STR_NONE);
}

/* Before each line: a request that lacks its end is dropped. */
static void tape_writer_settle(struct tape_writer *w)
{
	if (w->in_request)
		tape_end_request_late(w, false, STR_NONE);
}

/* --- lines --- */

void tape_attempts(struct tape_writer *w, struct str lines)
{
	tape_writer_settle(w);
	buf_add(&w->pending, lines);
	tape_flush(w);
}

/* Behind each line: the pending ones are written once they are many. */
static void tape_writer_add_line(struct tape_writer *w)
{
	if (w->pending.len > PENDING_BYTES)
		tape_flush(w);
}

void tape_head(struct tape_writer *w, const struct response_head *head, double at_ms)
{
	tape_writer_settle(w);
	tape_line_head(&w->pending, head, at_ms);
	tape_writer_add_line(w);
}

/* Before a line of a body or a message. False: the limit is reached. */
static bool tape_writer_may_add(struct tape_writer *w)
{
	if (w->flushed + w->pending.len > w->most || w->body_lines == BODY_LINES_MOST)
		return false;
	w->body_lines++;
	tape_writer_settle(w);
	return true;
}

bool tape_body(struct tape_writer *w, struct str bytes, double at_ms)
{
	if (!tape_writer_may_add(w))
		return false;
	tape_line_body(&w->pending, bytes, at_ms);
	tape_writer_add_line(w);
	return true;
}

bool tape_add_behind(struct tape_writer *w, const struct tape_step *step)
{
	if (!tape_writer_may_add(w))
		return false;
	tape_line_behind(&w->pending, step);
	tape_writer_add_line(w);
	return true;
}

bool tape_message(struct tape_writer *w, bool sent, struct str text, double at_ms)
{
	if (!tape_writer_may_add(w))
		return false;
	tape_line_message(&w->pending, sent, text, at_ms);
	tape_writer_add_line(w);
	return true;
}

void tape_end(struct tape_writer *w, enum end_how how, double at_ms)
{
	tape_writer_settle(w);
	tape_line_end(&w->pending, how, at_ms);
	tape_writer_add_line(w);
}

bool tape_writer_close(struct tape_writer *w, struct error *err)
{
	bool good;

	if (!w)
		return true;
	tape_writer_settle(w);
	tape_flush(w);
	crash_handler_remove(&w->on_crash);
	if (close(w->fd) != 0 && !w->failure)
		w->failure = errno;
	good = !w->failure || error_set(err, "cannot write the tape %s: %s", w->path, strerror(w->failure));
	buf_fini(&w->pending);
	buf_fini(&w->crash_message);
	mem_free(w->path);
	mem_free(w);
	return good;
}
