#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/crash_handler.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "net/head.h"
#include "net/tape.h"

#define BODY_LINES_MOST (TAPE_STEPS_LIMIT - 100) /* reserves lines for what is not a body */
#define PENDING_BYTES ((size_t)64 << 10) /* written without waiting for the flush */

struct tape_writer {
	int fd;
	int failure;             /* the first errno; nothing is written after it */
	char *path;
	size_t flushed, most;    /* size of the file, and its limit before the last body */
	size_t body_lines;
	struct buf pending;      /* complete lines not written yet, and the one being built */
	struct json_writer json; /* writes into `pending` */
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

static bool open_at(struct tape_writer **writer, int folder, const char *name, const char *path, struct error *err)
{
	struct tape_writer *w;
	int fd = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);

	if (fd < 0 && errno == EEXIST)
		return error_set(err, "%s exists already: a tape is never overwritten, choose another name", path);
	if (fd < 0)
		return error_set(err, "cannot create the tape %s: %s", path, strerror(errno));
	w = mem_new(sizeof *w);
	w->fd = fd;
	w->most = TAPE_BYTES_MOST;
	w->path = mem_dup_z(path);
	(void)flock(fd, LOCK_EX | LOCK_NB); /* tells the removal of old tapes that this one is in use */
	buf_init(&w->pending, 2 * BUF_LIMIT_DEFAULT); /* a request alone may be as large as the default limit */
	buf_init(&w->crash_message, strlen(path) + 200);
	buf_printf(&w->crash_message, "weir: it crashed during an answer; what had arrived is in %s (weir replay shows it)\n", path);
	w->on_crash = (struct crash_handler){ tape_writer_on_crash, w, NULL };
	crash_handler_add(&w->on_crash);
	*writer = w;
	return true;
}

bool tape_writer_open(struct tape_writer **writer, const char *path, struct error *err)
{
	return open_at(writer, AT_FDCWD, path, path, err);
}

bool tape_writer_open_in(struct tape_writer **writer, int folder, const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');

	return open_at(writer, folder, slash ? slash + 1 : path, path, err);
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
	buf_clear(&w->pending);
}

static void open_line(struct tape_writer *w)
{
	json_writer_init(&w->json, &w->pending);
	json_open_object(&w->json);
}

static void close_line(struct tape_writer *w)
{
	json_close_object(&w->json);
	buf_add_byte(&w->pending, '\n');
	if (w->pending.len > PENDING_BYTES)
		tape_flush(w);
}

static void open_timed_line(struct tape_writer *w, double at_ms)
{
	open_line(w);
	json_key(&w->json, "t");
	json_milliseconds(&w->json, at_ms);
}

static void add_known(struct tape_writer *w, const char *key, struct str text)
{
	if (text.ptr)
		json_member_string(&w->json, key, text);
}

/* Names of parameters that cannot be keys. */
static bool is_plain_parameter(struct str pair)
{
	return str_starts(pair, "alt=") || str_starts(pair, "api-version=");
}

/* Adds the URL without user, password and parameters that may hold a key. */
static void add_url(struct tape_writer *w, struct str url)
{
	struct buf clean = { 0 };
	struct str base, pair;
	size_t host, at;
	char separator = '?';

	if (!url.ptr)
		return;
	str_split(&url, '?', &base);
	host = str_find(base, STR("://"));
	host = host < base.len ? host + 3 : 0;
	at = str_find(str_skip(base, host), STR("@"));
	if (at < str_find(str_skip(base, host), STR("/"))) {
		buf_add(&clean, str_head(base, host));
		base = str_skip(base, host + at + 1);
	}
	buf_add(&clean, base);
	while (str_split(&url, '&', &pair)) {
		if (!is_plain_parameter(pair))
			continue;
		buf_add_byte(&clean, separator);
		buf_add(&clean, pair);
		separator = '&';
	}
	json_member_string(&w->json, "url", buf_str(&clean));
	buf_fini(&clean);
}

static void add_started(struct tape_writer *w)
{
	struct timeval now;
	struct tm utc;
	char text[40];
	size_t len;

	gettimeofday(&now, NULL);
	gmtime_r(&now.tv_sec, &utc);
	len = strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_member_string(&w->json, "started", str_of(text, len));
}

/* Removes line breaks from the body, for example in a user's schema: they would end the tape's line. */
static void add_request(struct tape_writer *w, struct str request)
{
	struct buf compact = { 0 };

	if (!request.ptr)
		return;
	if (!json_scan_is_whole(request))
		request = STR("null");
	else if (memchr(request.ptr, '\n', request.len) || memchr(request.ptr, '\r', request.len)) {
		json_scan_compact(request, &compact);
		request = buf_str(&compact);
	}
	json_member_verbatim(&w->json, "request", request);
	buf_fini(&compact);
}

void tape_start(struct tape_writer *w, const struct tape_info *info)
{
	buf_clear(&w->pending);
	w->flushed = w->body_lines = 0;
	if (ftruncate(w->fd, 0) != 0 || lseek(w->fd, 0, SEEK_SET) != 0)
		w->failure = errno;
	open_line(w);
	json_member_integer(&w->json, "weir_tape", 1);
	add_known(w, "protocol", info->protocol);
	add_known(w, "dialect", info->dialect);
	add_known(w, "provider", info->provider);
	add_known(w, "model", info->model);
	add_url(w, info->url);
	add_started(w);
	add_request(w, info->request);
	close_line(w);
	tape_flush(w);
}

static void tape_writer_add_text(struct json_writer *json, const char *plain, struct str text)
{
	struct buf coded = { 0 };

	if (utf8_is_valid(text)) {
		json_member_string(json, plain, text);
		return;
	}
	base64_encode(text, &coded);
	json_member_string(json, "b64", buf_str(&coded));
	buf_fini(&coded);
}

static void tape_writer_add_headers(struct json_writer *json, struct str lines)
{
	struct str line, name;

	json_key(json, "headers");
	json_open_object(json);
	while (str_split(&lines, '\n', &line)) {
		if (!utf8_is_valid(line) || !str_split(&line, ':', &name))
			continue;
		json_key_str(json, name);
		json_string(json, str_trim(line));
	}
	json_close_object(json);
}

void tape_attempt_write(struct buf *lines, const struct tape_attempt *attempt)
{
	struct json_writer json;

	json_writer_init(&json, lines);
	json_open_object(&json);
	json_key(&json, "attempt");
	json_open_object(&json);
	if (attempt->status) {
		json_member_integer(&json, "status", attempt->status);
		tape_writer_add_headers(&json, attempt->headers);
	}
	if (attempt->body.len)
		tape_writer_add_text(&json, "body", attempt->body);
	if (attempt->failure.len)
		json_member_string(&json, "failure", attempt->failure);
	json_key(&json, "t");
	json_milliseconds(&json, attempt->at_ms);
	json_member_integer(&json, "wait", attempt->wait_ms);
	json_close_object(&json);
	json_close_object(&json);
	buf_add_byte(lines, '\n');
}

void tape_attempts(struct tape_writer *w, struct str lines)
{
	buf_add(&w->pending, lines);
	tape_flush(w);
}

void tape_head(struct tape_writer *w, const struct response_head *head, double at_ms)
{
	open_timed_line(w, at_ms);
	json_key(&w->json, "head");
	json_open_object(&w->json);
	json_member_integer(&w->json, "status", head->status);
	if (utf8_is_valid(head->content_type))
		add_known(w, "content_type", head->content_type);
	json_key(&w->json, "headers");
	json_open_object(&w->json);
	for (size_t i = 0; i < head->header_count; i++) {
		const struct response_header *header = &head->headers[i];

		if (!head_is_listed(header->name) || !utf8_is_valid(header->value))
			continue;
		json_key_str(&w->json, header->name);
		json_string(&w->json, header->value);
	}
	json_close_object(&w->json);
	json_close_object(&w->json);
	close_line(w);
}

bool tape_body(struct tape_writer *w, struct str bytes, double at_ms)
{
	if (w->flushed + w->pending.len > w->most || w->body_lines == BODY_LINES_MOST)
		return false;
	w->body_lines++;
	open_timed_line(w, at_ms);
	tape_writer_add_text(&w->json, "body", bytes);
	close_line(w);
	return true;
}

void tape_end(struct tape_writer *w, enum end_how how, double at_ms)
{
	open_timed_line(w, at_ms);
	json_member_string(&w->json, "end", str_from(end_how_name(how)));
	close_line(w);
}

bool tape_writer_close(struct tape_writer *w, struct error *err)
{
	bool good;

	if (!w)
		return true;
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
