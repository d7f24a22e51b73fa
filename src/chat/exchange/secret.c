#include "chat/exchange/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/child.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/regular_file.h"
#include "net/source.h"

#define KEY_LIMIT ((size_t)16 << 10)
#define COMMAND_LIMIT_MS 10000
/* Polling interval for a child that has closed its output but not exited yet: no event reports that. */
#define REAP_MS 5

struct secret {
	enum secret_state state;
	char text[KEY_LIMIT + 1]; /* the output so far, then the key */
	size_t len;
	char *provider, *source;  /* names for error messages */
	struct error error;

	struct child child;
	int fd;                   /* the child's output; -1 once it has ended */
	int64_t deadline_ms, reap_ms;
};

/* --- result --- */

static bool has_line(const struct secret *s)
{
	return memchr(s->text, '\n', s->len) != NULL;
}

static void secret_failed(struct secret *s)
{
	mem_wipe(s->text, sizeof s->text);
	s->len = 0;
	s->state = SECRET_FAILED;
}

static bool secret_is_key(struct str line)
{
	for (size_t i = 0; i < line.len; i++)
		if ((unsigned char)line.ptr[i] <= 0x20 || (unsigned char)line.ptr[i] >= 0x7F)
			return false;
	return line.len > 0;
}

/* Takes the first line of the output as the key. */
static void found(struct secret *s)
{
	struct str line = STR_NONE, rest = str_of(s->text, s->len);

	str_split(&rest, '\n', &line);
	line = str_trim(line);
	if (!secret_is_key(line)) {
		error_set(&s->error, line.len ? "the key of %s: the value from %s is not a key, because it has blanks or special characters"
		                              : "the key of %s: %s printed no key: its first line is empty", s->provider, s->source);
		secret_failed(s);
		return;
	}
	memmove(s->text, line.ptr, line.len);
	mem_wipe(s->text + line.len, sizeof s->text - line.len);
	s->len = line.len;
	s->state = SECRET_FOUND;
}

/* --- a variable, a file --- */

static void read_variable(struct secret *s, const struct provider *p, environment *env)
{
	struct str value = p->key_env ? str_trim(str_from(env(p->key_env))) : STR_NONE;

	if (!value.len && p->key_optional) {
		s->state = SECRET_ABSENT;
	} else if (!value.len) {
		error_set(&s->error, "no key for %s: set %s, or key_file or key_command in [%s %s]", p->name, s->source, p->section, p->name);
		s->state = SECRET_FAILED;
	} else if (value.len > KEY_LIMIT) {
		error_set(&s->error, "%s is too long for a key of %s", s->source, p->name);
		s->state = SECRET_FAILED;
	} else {
		memcpy(s->text, value.ptr, value.len);
		s->len = value.len;
		found(s);
	}
}

static ssize_t read_some(struct secret *s, int fd)
{
	ssize_t count;

	do
		count = read(fd, s->text + s->len, KEY_LIMIT - s->len);
	while (count < 0 && errno == EINTR);
	if (count > 0)
		s->len += (size_t)count;
	return count;
}

static void read_file(struct secret *s, const struct provider *p, environment *env)
{
	char *path = str_expand_home(str_from(p->key_file), env("HOME"));
	struct error why = { "" };
	struct stat status;
	int fd = regular_file_open(path, &status, &why);

	mem_free(path);
	if (fd < 0) {
		error_set(&s->error, "the key of %s: %s", p->name, why.text);
	} else if (status.st_mode & (S_IRWXG | S_IRWXO)) {
		error_set(&s->error, "the key of %s is not taken from %s: others may read it (mode %04o). Run: chmod 600 %s", p->name, s->source,
		          (unsigned)status.st_mode & 07777, p->key_file);
	} else {
		while (!has_line(s) && s->len < KEY_LIMIT && read_some(s, fd) > 0)
			;
		found(s);
	}
	if (fd >= 0)
		close(fd);
	if (s->state == SECRET_WAITING)
		secret_failed(s);
}

/* --- a command --- */

static void start_command(struct secret *s, const struct provider *p, int64_t now_ms)
{
	struct error err = { "" };
	char **argv = child_words(str_from(p->key_command), &err);
	int ends[2] = { -1, -1 };
	int failure;

	if (!argv) {
		error_set(&s->error, "key_command of %s: %s", p->name, err.text);
		goto out;
	}
	if (!descriptor_pipe(ends)) {
		error_set(&s->error, "key_command of %s: %s", p->name, strerror(errno));
		goto out;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	failure = child_start(&s->child, (const char *const *)argv, &(struct child_options){ .place = CHILD_APART, .output = ends[1] });
	close(ends[1]);
	if (failure) {
		close(ends[0]);
		error_set(&s->error, "key_command of %s: cannot run %s: %s", p->name, argv[0], strerror(failure));
		goto out;
	}
	s->fd = ends[0];
	s->deadline_ms = now_ms + COMMAND_LIMIT_MS;
out:
	if (!s->child.pid)
		secret_failed(s);
	mem_free(argv);
}

static void close_output(struct secret *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void end_child(struct secret *s)
{
	close_output(s);
	child_kill(&s->child);
}

/* Discards what follows the first line: a child that writes more must not block on a full pipe. */
static void drain(struct secret *s)
{
	char rest[4096];
	ssize_t count = 1;

	while (s->fd >= 0 && count > 0) {
		bool enough = has_line(s) || s->len == KEY_LIMIT;

		count = enough ? read(s->fd, rest, sizeof rest) : read_some(s, s->fd);
		if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR))
			close_output(s);
	}
	mem_wipe(rest, sizeof rest);
}

static void check_child(struct secret *s)
{
	struct child_end end;

	if (!child_has_ended(&s->child, &end))
		return;
	drain(s);
	close_output(s);
	if (end.signal)
		error_set(&s->error, "the key of %s: %s was ended by signal %d", s->provider, s->source, end.signal);
	else if (end.status)
		error_set(&s->error, "the key of %s: %s failed with exit status %d; run it in a terminal to see why", s->provider, s->source,
		          end.status);
	else if (!has_line(s) && s->len == KEY_LIMIT)
		error_set(&s->error, "the key of %s: the first line of %s is too long for a key", s->provider, s->source);
	else
		found(s);
	if (s->state == SECRET_WAITING)
		secret_failed(s);
}

/* --- the lookup --- */

static struct secret *secret_begin(const struct provider *p)
{
	struct secret *s = mem_new(sizeof *s);

	s->fd = -1;
	s->provider = mem_dup_z(p->name);
	return s;
}

struct secret *secret_new(const struct provider *p, environment *env, int64_t now_ms)
{
	struct secret *s = secret_begin(p);
	struct buf source;

	buf_init(&source, KEY_LIMIT);
	provider_key_source(p, &source);
	s->source = buf_take(&source);
	if (p->auth == AUTH_NONE)
		s->state = SECRET_ABSENT;
	else if (p->key_command)
		start_command(s, p, now_ms);
	else if (p->key_file)
		read_file(s, p, env);
	else
		read_variable(s, p, env);
	return s;
}

struct secret *secret_given(const struct provider *p, struct str key)
{
	struct secret *s = secret_begin(p);

	s->source = mem_dup_z("the form");
	if (key.len > KEY_LIMIT) {
		error_set(&s->error, "that is too long for a key of %s", p->name);
		secret_failed(s);
		return s;
	}
	memcpy(s->text, key.ptr, key.len);
	s->len = key.len;
	found(s);
	return s;
}

void secret_free(struct secret *s)
{
	if (!s)
		return;
	end_child(s);
	mem_wipe(s->text, sizeof s->text);
	mem_free(s->provider);
	mem_free(s->source);
	mem_free(s);
}

enum secret_state secret_state(const struct secret *s)
{
	return s->state;
}

bool secret_fd(const struct secret *s, struct pollfd *fd)
{
	if (s->state != SECRET_WAITING || s->fd < 0)
		return false;
	*fd = (struct pollfd){ .fd = s->fd, .events = POLLIN };
	return true;
}

int64_t secret_deadline(const struct secret *s)
{
	if (s->state != SECRET_WAITING)
		return NO_DEADLINE;
	return s->reap_ms && s->reap_ms < s->deadline_ms ? s->reap_ms : s->deadline_ms;
}

void secret_run(struct secret *s, int64_t now_ms)
{
	if (s->state != SECRET_WAITING)
		return;
	drain(s);
	check_child(s);
	/* After its line a child may leave other processes that hold the pipe open: its own exit counts. */
	s->reap_ms = s->fd < 0 || has_line(s) ? now_ms + REAP_MS : 0;
	if (s->state != SECRET_WAITING || now_ms < s->deadline_ms)
		return;
	end_child(s);
	error_set(&s->error, "the key of %s: %s did not end within %d s", s->provider, s->source, COMMAND_LIMIT_MS / 1000);
	secret_failed(s);
}

struct str secret_value(const struct secret *s)
{
	return s->state == SECRET_FOUND ? str_of(s->text, s->len) : STR_NONE;
}

const struct error *secret_error(const struct secret *s)
{
	return &s->error;
}
