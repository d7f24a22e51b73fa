#include "base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/os/bytes.h"

struct str str_from(const char *text)
{
	return text ? (struct str){ text, strlen(text) } : STR_NONE;
}

bool str_equal(struct str a, struct str b)
{
	return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool str_is(struct str s, const char *text)
{
	return str_equal(s, str_from(text));
}

/* Compares the first `count` bytes of both, ignoring the case of ASCII letters. */
static bool same_letters(const char *a, const char *b, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (char_lower(a[i]) != char_lower(b[i]))
			return false;
	return true;
}

bool str_is_nocase(struct str s, const char *text)
{
	struct str other = str_from(text);

	return s.len == other.len && same_letters(s.ptr, other.ptr, s.len);
}

bool str_starts(struct str s, const char *prefix)
{
	struct str p = str_from(prefix);

	return s.len >= p.len && str_equal(str_head(s, p.len), p);
}

bool str_ends(struct str s, const char *suffix)
{
	struct str e = str_from(suffix);

	return s.len >= e.len && str_equal(str_skip(s, s.len - e.len), e);
}

bool str_has_at(struct str s, size_t at, struct str part)
{
	return str_equal(str_head(str_skip(s, at), part.len), part);
}

struct str str_without_stop(struct str s)
{
	return str_ends(s, ".") && !str_ends(s, "..") ? str_head(s, s.len - 1) : s;
}

struct str str_trim_start(struct str s)
{
	size_t blanks = 0;

	while (blanks < s.len && char_is_blank(s.ptr[blanks]))
		blanks++;
	return str_skip(s, blanks);
}

struct str str_trim(struct str s)
{
	s = str_trim_start(s);
	while (s.len && char_is_blank(s.ptr[s.len - 1]))
		s.len--;
	return s;
}

bool str_is_blank(struct str s)
{
	return str_trim(s).len == 0;
}

bool str_is_token(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (!char_is_word(s.ptr[i]) && (!s.ptr[i] || !strchr("!#$%&'*+-.^_`|~", s.ptr[i])))
			return false;
	return s.len > 0;
}

bool str_is_variable(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if (s.ptr[i] != '_' && !char_is_word(s.ptr[i]))
			return false;
	return s.len && !char_is_digit(*s.ptr);
}

size_t str_find(struct str s, struct str needle)
{
	const char *at;

	if (needle.len == 0)
		return 0;
	if (s.len < needle.len)
		return s.len;
	at = bytes_find(s.ptr, s.len, needle.ptr, needle.len);
	return at ? (size_t)(at - s.ptr) : s.len;
}

size_t str_behind_last(struct str s, char byte)
{
	while (s.len && s.ptr[s.len - 1] != byte)
		s.len--;
	return s.len;
}

bool str_has_nocase(struct str s, struct str needle)
{
	if (needle.len == 0)
		return true;
	for (size_t i = 0; i + needle.len <= s.len; i++)
		if (same_letters(s.ptr + i, needle.ptr, needle.len))
			return true;
	return false;
}

struct str str_first_word(struct str s, struct str *rest)
{
	struct str trimmed = str_trim(s);
	size_t end = 0;

	while (end < trimmed.len && !char_is_blank(trimmed.ptr[end]))
		end++;
	*rest = str_trim(str_skip(trimmed, end));
	return str_head(trimmed, end);
}

bool str_split(struct str *rest, char separator, struct str *item)
{
	const char *at;

	if (rest->len == 0)
		return false;
	at = memchr(rest->ptr, separator, rest->len);
	*item = at ? str_head(*rest, (size_t)(at - rest->ptr)) : *rest;
	*rest = str_skip(*rest, item->len + 1);
	return true;
}

bool str_to_int(struct str s, long long *value)
{
	int64_t number = 0;

	if (s.len == 0)
		return false;
	for (size_t i = 0; i < s.len; i++) {
		int digit = s.ptr[i] - '0';

		if (digit < 0 || digit > 9 || number > (INT64_MAX - digit) / 10)
			return false;
		number = number * 10 + digit;
	}
	*value = number;
	return true;
}

/* The C library is not used, because its decimal point depends on the locale. */
bool str_to_millionths(struct str value, long long *millionths)
{
	struct str whole, fraction = value;
	long long high, low = 0;

	if (!str_split(&fraction, '.', &whole) || !str_to_int(whole, &high) || high > 1000000000 || fraction.len > 6)
		return false;
	if (fraction.len && !str_to_int(fraction, &low))
		return false;
	if (!fraction.len && whole.len != value.len)
		return false;
	for (size_t i = fraction.len; i < 6; i++)
		low *= 10;
	*millionths = high * 1000000 + low;
	return true;
}

bool str_to_bool(struct str s, bool *value)
{
	static const struct { const char *word; bool value; } words[] = {
		{ "yes", true }, { "no", false }, { "true", true }, { "false", false }, { "on", true }, { "off", false },
	};

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_is_nocase(s, words[i].word)) {
			*value = words[i].value;
			return true;
		}
	return false;
}

char *str_dup(struct str s)
{
	return mem_dup(s.ptr, s.len);
}

char *str_expand_home(struct str path, const char *home)
{
	struct buf expanded = { 0 };

	if (!home || home[0] != '/' || !(str_is(path, "~") || str_starts(path, "~/")))
		return str_dup(path);
	buf_add_z(&expanded, home);
	buf_add(&expanded, str_skip(path, 1));
	return buf_take(&expanded);
}

void str_replace(char **copy, struct str s)
{
	char *old = *copy;

	*copy = s.ptr ? str_dup(s) : NULL;
	mem_free(old);
}

void buf_init(struct buf *buf, size_t limit_bytes)
{
	*buf = (struct buf){ .limit = limit_bytes };
}

size_t buf_limit(const struct buf *buf)
{
	return buf->limit ? buf->limit : BUF_LIMIT_DEFAULT;
}

void buf_fini(struct buf *buf)
{
	mem_free(buf->ptr);
	buf_init(buf, buf->limit);
}

void buf_clear(struct buf *buf)
{
	buf->len = 0;
	if (buf->ptr)
		buf->ptr[0] = '\0';
}

/* Ensures room for `more` bytes and a NUL; false when that exceeds the limit. */
static bool buf_make_room(struct buf *buf, size_t more)
{
	size_t limit = buf_limit(buf), grown = buf->capacity + buf->capacity / 2;

	if (more > limit - buf->len)
		return false;
	if (buf->len + more < buf->capacity)
		return true;
	if (grown < 64)
		grown = 64;
	if (grown > limit)
		grown = limit;
	if (grown < buf->len + more)
		grown = buf->len + more;
	buf->ptr = mem_resize(buf->ptr, grown + 1, 1);
	buf->capacity = grown + 1;
	return true;
}

static void set_length(struct buf *buf, size_t len)
{
	buf->len = len;
	buf->ptr[len] = '\0';
}

bool buf_add(struct buf *buf, struct str text)
{
	if (text.len == 0)
		return true;
	if (!buf_make_room(buf, text.len))
		return false;
	memcpy(buf->ptr + buf->len, text.ptr, text.len);
	set_length(buf, buf->len + text.len);
	return true;
}

bool buf_add_z(struct buf *buf, const char *text)
{
	return buf_add(buf, str_from(text));
}

bool buf_add_byte(struct buf *buf, char byte)
{
	if (!buf_make_room(buf, 1))
		return false;
	buf->ptr[buf->len] = byte;
	set_length(buf, buf->len + 1);
	return true;
}

char *buf_extend(struct buf *buf, size_t count)
{
	if (!buf_make_room(buf, count))
		return NULL;
	set_length(buf, buf->len + count);
	return buf->ptr + buf->len - count;
}

bool buf_printf(struct buf *buf, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	bool good = buf_printf_args(buf, format, args);
	va_end(args);
	return good;
}

bool buf_printf_args(struct buf *buf, const char *format, va_list args)
{
	va_list again;

	va_copy(again, args);
	int size = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (size < 0 || !buf_make_room(buf, (size_t)size))
		return false;
	vsnprintf(buf->ptr + buf->len, (size_t)size + 1, format, args);
	buf->len += (size_t)size;
	return true;
}

void buf_drop(struct buf *buf, size_t count)
{
	buf_remove(buf, 0, count);
}

void buf_insert(struct buf *buf, size_t at, struct str text)
{
	if (text.len == 0 || !buf_make_room(buf, text.len))
		return;
	if (at > buf->len)
		at = buf->len;
	memmove(buf->ptr + at + text.len, buf->ptr + at, buf->len - at);
	memcpy(buf->ptr + at, text.ptr, text.len);
	set_length(buf, buf->len + text.len);
}

void buf_remove(struct buf *buf, size_t at, size_t count)
{
	if (at >= buf->len)
		return;
	if (count > buf->len - at)
		count = buf->len - at;
	memmove(buf->ptr + at, buf->ptr + at + count, buf->len - at - count);
	set_length(buf, buf->len - count);
}

const char *buf_z(const struct buf *buf)
{
	return buf->ptr ? buf->ptr : "";
}

char *buf_take(struct buf *buf)
{
	char *taken = buf->ptr ? buf->ptr : mem_dup(NULL, 0);

	buf_init(buf, buf->limit);
	return taken;
}

int str_write(struct str text, int fd)
{
	while (text.len) {
		ssize_t count = write(fd, text.ptr, text.len);

		if (count < 0 && errno != EINTR)
			return errno;
		text = str_skip(text, count > 0 ? (size_t)count : 0);
	}
	return 0;
}

static int read_all(struct buf *out, int fd)
{
	char block[65536];

	for (;;) {
		ssize_t got = read(fd, block, sizeof block);

		if (got == 0)
			return 0;
		if (got < 0 && errno != EINTR)
			return errno;
		if (got < 0)
			continue;
		if (!buf_add(out, str_of(block, (size_t)got)))
			return EFBIG;
	}
}

bool buf_read_fd(struct buf *out, int fd, const char *name, struct error *err)
{
	int failure;

	buf_clear(out);
	failure = read_all(out, fd);
	if (failure == EFBIG)
		return error_set(err, "%s is too large: at most %zu bytes are read", name, buf_limit(out));
	return !failure || error_set(err, "cannot read %s: %s", name, strerror(failure));
}

bool buf_read_file(struct buf *out, const char *path, struct error *err)
{
	bool from_input = strcmp(path, "-") == 0, good;
	const char *name = from_input ? "standard input" : path;
	int fd = from_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	buf_clear(out);
	if (fd < 0)
		return error_set(err, "cannot open %s: %s", name, strerror(errno));
	good = buf_read_fd(out, fd, name, err);
	if (!from_input)
		close(fd);
	return good;
}
