/*
 * Text: `struct str`, a borrowed view, and `struct buf`, a growable buffer that owns its bytes.
 *
 * A `str` is valid as long as the bytes it points to. It is not NUL-terminated and may hold any byte. An empty one may have a NULL pointer
 * ("absent"); functions treat absent and empty alike unless they say otherwise.
 *
 * A `buf` has a limit set when it is initialised, so that input cannot make it grow without bound. Adding beyond the limit adds nothing
 * and returns false. A zeroed `buf` is empty and has the default limit.
 */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

struct str {
	const char *ptr;
	size_t len;
};

#define STR(literal) ((struct str){ "" literal, sizeof(literal) - 1 })
#define STR_NONE ((struct str){ NULL, 0 })
#define STR_ARG(s) (int)(s).len, (s).ptr ? (s).ptr : "" /* for "%.*s" */

/* A blank is a space, tab, CR or LF, in all functions below. */
static inline bool char_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* ASCII only, independent of the locale. */
static inline bool char_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool char_is_word(char c) /* a letter or a digit */
{
	return char_is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline char char_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static inline int char_hex(char c) /* the value of a hexadecimal digit in either case; -1: it is none */
{
	return char_is_digit(c) ? c - '0' : char_lower(c) >= 'a' && char_lower(c) <= 'f' ? char_lower(c) - 'a' + 10 : -1;
}

static inline struct str str_of(const char *ptr, size_t len)
{
	return (struct str){ ptr, len };
}

/* Without the first `count` bytes, or empty if shorter. */
static inline struct str str_skip(struct str s, size_t count)
{
	if (count > s.len)
		count = s.len;
	return count ? (struct str){ s.ptr + count, s.len - count } : s;
}

/* The first `count` bytes, or all if shorter. */
static inline struct str str_head(struct str s, size_t count)
{
	return (struct str){ s.ptr, count < s.len ? count : s.len };
}

struct str str_from(const char *text); /* NULL gives STR_NONE */
bool str_equal(struct str a, struct str b);
bool str_is(struct str s, const char *text);
bool str_is_nocase(struct str s, const char *text); /* ignores the case of ASCII letters */
bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
bool str_has_at(struct str s, size_t at, struct str part);
struct str str_trim(struct str s);               /* without blanks at both ends */
struct str str_trim_start(struct str s);
struct str str_without_stop(struct str s);       /* without a full stop at the end, to continue the sentence; "..." stays */
bool str_is_blank(struct str s);                 /* empty or only blanks */
bool str_is_token(struct str s);                 /* RFC 9110, 5.6.2: a method, the name of a field */
bool str_is_variable(struct str s);              /* the name of an environment variable: letters, digits, "_", no digit first */
size_t str_find(struct str s, struct str needle); /* offset of the first occurrence, or s.len if there is none */
size_t str_behind_last(struct str s, char byte); /* offset behind the last occurrence; 0 if there is none */
bool str_has_nocase(struct str s, struct str needle); /* ignores the case of ASCII letters */

/* The first word of "model gpt-x"; sets `rest` to what follows it. Both without blanks around them. */
struct str str_first_word(struct str s, struct str *rest);
/* Removes the next item from `*rest`, up to `separator`. Returns false when nothing is left. "a,,b" gives "a", "", "b". */
bool str_split(struct str *rest, char separator, struct str *item);

/* Parses a decimal number of digits only, up to INT64_MAX. */
bool str_to_int(struct str s, long long *value);
/* Parses a decimal number from 0 to 1000000000 with at most 6 places, such as 0.7, in millionths. On failure `*millionths` is unchanged. */
bool str_to_millionths(struct str s, long long *millionths);
/* Parses yes, true, on, no, false or off, in any case. On failure `*value` is unchanged. */
bool str_to_bool(struct str s, bool *value);

/* Returns a NUL-terminated copy on the heap; "" for an absent text. */
char *str_dup(struct str s);
/*
 * Returns a copy of the path on the heap, with a leading "~" or "~/" replaced by `home`. NULL if that is needed and `home` is not
 * absolute.
 */
char *str_expand_home(struct str path, const char *home);

/* Frees `*copy` and sets it to a copy of `s`, or to NULL if `s` is absent. `s` may point into the old copy. */
void str_replace(char **copy, struct str s);

struct buf {
	char *ptr;       /* NULL, or NUL-terminated at ptr[len] */
	size_t len;
	size_t capacity;
	size_t limit;    /* 0 means BUF_LIMIT_DEFAULT; read it with buf_limit() */
};

/* Borrowed until the next change. */
static inline struct str buf_str(const struct buf *buf)
{
	return (struct str){ buf->ptr, buf->len };
}

#define BUF_LIMIT_DEFAULT ((size_t)256 << 20) /* also the maximum size of an answer */

void buf_init(struct buf *buf, size_t limit_bytes); /* for a limit other than the default */
size_t buf_limit(const struct buf *buf);            /* the maximum number of bytes */
void buf_fini(struct buf *buf);
void buf_clear(struct buf *buf); /* keeps the memory */

/* Each appends everything, or appends nothing and returns false at the limit. `text` must not point into the same buffer. */
bool buf_add(struct buf *buf, struct str text);
bool buf_add_z(struct buf *buf, const char *text);
bool buf_add_byte(struct buf *buf, char byte);
char *buf_extend(struct buf *buf, size_t count);       /* appends bytes that the caller must write at once; NULL at the limit */
bool buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);
bool buf_printf_args(struct buf *buf, const char *format, va_list args) PRINTF_LIKE(2, 0);

void buf_drop(struct buf *buf, size_t count);          /* removes bytes at the front */
void buf_insert(struct buf *buf, size_t at, struct str text); /* does nothing when it would exceed the limit */
void buf_remove(struct buf *buf, size_t at, size_t count);
const char *buf_z(const struct buf *buf);              /* the same as a C string, never NULL */
char *buf_take(struct buf *buf);                       /* passes ownership to the caller; the buf is empty then and keeps its limit */

/* Writes all of the text to a blocking descriptor. Returns 0 or an errno value; a part may have been written then. */
MUST_USE int str_write(struct str text, int fd);

/*
 * Replaces the content of `out` with that of a file; "-" is standard input. Fails at the limit of `out`. Blocks on a pipe until its end:
 * only for files named on the command line. While the screen is active, use base/regular_file.h.
 */
MUST_USE bool buf_read_file(struct buf *out, const char *path, struct error *err);
/* The same from a descriptor, up to its end. `name` is used in error messages. */
MUST_USE bool buf_read_fd(struct buf *out, int fd, const char *name, struct error *err);

#endif
