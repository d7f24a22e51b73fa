#include "store/files/json_file.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "wire/brackets.h"

#define READ_BYTES ((size_t)256 << 10)

void json_file_init(struct json_file *f, int fd)
{
	*f = (struct json_file){ .fd = fd };
	buf_init(&f->window, JSON_FILE_VALUE_MOST + READ_BYTES);
}

void json_file_fini(struct json_file *f)
{
	buf_fini(&f->window);
}

void json_file_rewind(struct json_file *f)
{
	buf_clear(&f->window);
	f->at = 0;
	f->before = 0;
	f->ended = false;
	if (lseek(f->fd, 0, SEEK_SET) != 0)
		f->failed = !error_set(&f->err, "cannot read: %s", strerror(errno));
}

uint64_t json_file_offset(const struct json_file *f)
{
	return f->before + f->at;
}

static struct str json_file_rest(const struct json_file *f)
{
	return str_skip(buf_str(&f->window), f->at);
}

/* Reads more behind what is not used yet. */
static bool json_file_more(struct json_file *f)
{
	ssize_t got;
	char *room;

	if (f->failed || f->ended)
		return false;
	f->before += f->at;
	buf_drop(&f->window, f->at);
	f->at = 0;
	room = buf_extend(&f->window, READ_BYTES);
	if (!room) {
		f->failed = !error_set(&f->err, "the value at byte %llu is too large: at most %zu MB are read", (unsigned long long)f->before,
		                       JSON_FILE_VALUE_MOST >> 20);
		return false;
	}
	do
		got = read(f->fd, room, READ_BYTES);
	while (got < 0 && errno == EINTR);
	f->window.len -= READ_BYTES - (got > 0 ? (size_t)got : 0);
	if (got < 0)
		f->failed = !error_set(&f->err, "cannot read: %s", strerror(errno));
	f->ended = got == 0;
	return got > 0;
}

struct str json_file_head(struct json_file *f, size_t count)
{
	while (json_file_rest(f).len < count && json_file_more(f))
		;
	return str_head(json_file_rest(f), count);
}

int json_file_peek(struct json_file *f)
{
	if (!json_file_offset(f) && str_starts(json_file_head(f, 3), "\xEF\xBB\xBF"))
		f->at = 3;
	do {
		struct str rest = json_file_rest(f);

		f->at += rest.len - str_trim_start(rest).len;
		if (f->at < f->window.len)
			return (unsigned char)f->window.ptr[f->at];
	} while (json_file_more(f));
	return -1;
}

bool json_file_take(struct json_file *f, char byte)
{
	if (json_file_peek(f) != (unsigned char)byte)
		return false;
	f->at++;
	return true;
}

/* Whether the value that begins with `first` ends in `text`, of which `*seen` bytes were looked at before. */
static bool value_ends(int first, struct brackets *brackets, struct str text, size_t *seen)
{
	size_t used;
	bool escaped = brackets->escaped;

	if (first == '{' || first == '[') {
		if (brackets_close(brackets, str_skip(text, *seen), &used)) {
			*seen += used;
			return true;
		}
		*seen = text.len;
		return false;
	}
	for (; *seen < text.len; ++*seen) {
		char c = text.ptr[*seen];

		if (first != '"' && *seen && (char_is_blank(c) || strchr(",:]}\"", c)))
			return true;
		if (first == '"' && *seen && c == '"' && !escaped) {
			++*seen;
			return true;
		}
		escaped = !escaped && c == '\\';
	}
	brackets->escaped = escaped;
	return false;
}

bool json_file_value(struct json_file *f, struct str *value)
{
	struct brackets brackets = { 0 };
	size_t seen = 0;
	int first = json_file_peek(f);
	bool whole = false;

	if (first < 0)
		return false;
	while (!(whole = value_ends(first, &brackets, json_file_rest(f), &seen)) && json_file_more(f))
		;
	if (f->failed)
		return false;
	if (!whole && (first == '{' || first == '[' || first == '"')) {
		f->failed = !error_set(&f->err, "the file ends within the value that begins at byte %llu", (unsigned long long)json_file_offset(f));
		return false;
	}
	*value = str_head(json_file_rest(f), seen);
	f->at += seen;
	return true;
}
