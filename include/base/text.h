/*
 * Text: `struct str`, a borrowed view, and `struct buf`, a growable owner.
 *
 * A `str` borrows: it is valid as long as what it points into. It is not
 * NUL-terminated and may hold any byte. An empty one may have a NULL pointer
 * ("absent"); functions treat absent and empty alike unless they say so.
 * A `buf` owns its bytes and has a ceiling fixed at birth, so that no input can
 * make it grow without bound: adding beyond it adds nothing and returns false.
 * A zeroed one is empty and has the default ceiling.
 */
#ifndef WEIR_BASE_TEXT_H
#define WEIR_BASE_TEXT_H

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

/* A blank, tab, CR or LF; what a blank is in all of the functions below. */
static inline bool char_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Of ASCII, whatever the locale. */
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

struct str str_from(const char *text); /* NULL: STR_NONE */
struct str str_of(const char *ptr, size_t len);
bool str_equal(struct str a, struct str b);
bool str_is(struct str s, const char *text);
bool str_is_nocase(struct str s, const char *text); /* ASCII letters */
bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
struct str str_skip(struct str s, size_t count); /* without the first `count` bytes (all of them at most) */
struct str str_head(struct str s, size_t count); /* at most the first `count` bytes */
struct str str_trim(struct str s);               /* without blanks at both ends */
struct str str_trim_start(struct str s);
struct str str_without_stop(struct str s);       /* without a full stop at its end, where more of the sentence follows; "..." stays */
bool str_is_blank(struct str s);                 /* nothing but blanks */
size_t str_find(struct str s, struct str needle); /* offset, or s.len when it is not there */
bool str_has_nocase(struct str s, struct str needle); /* ASCII letters */

/* Cuts the next item off `*rest` at `separator`; false when nothing is left. "a,,b" gives "a", "", "b". */
bool str_split(struct str *rest, char separator, struct str *item);

/* A decimal number of digits only, at most INT64_MAX. */
bool str_to_int(struct str s, long long *value);
/* A truth as people write it: yes, true or on; no, false or off; in capitals or not. Untouched when it is none of them. */
bool str_to_bool(struct str s, bool *value);

/* A heap copy with a NUL behind it; "" for an absent one. */
char *str_dup(struct str s);
/* A path as people write it, heap: "~" and "~/" at its start are `home`, where that is an absolute path. NULL: there is none. */
char *str_expand_home(struct str path, const char *home);

/* Puts such a copy in the place of `*copy`, which is freed; NULL for an absent one. `s` may lie in the old copy. */
void str_replace(char **copy, struct str s);

struct buf {
	char *ptr;       /* NULL, or NUL-terminated at ptr[len] */
	size_t len;
	size_t capacity;
	size_t limit;    /* 0 stands for BUF_LIMIT_DEFAULT; read it with buf_limit() */
};

#define BUF_LIMIT_DEFAULT ((size_t)256 << 20) /* as large as an answer may get */

void buf_init(struct buf *buf, size_t limit_bytes); /* for another ceiling than the default one */
size_t buf_limit(const struct buf *buf);            /* the most bytes that it will ever hold */
void buf_fini(struct buf *buf);
void buf_clear(struct buf *buf); /* keeps the memory */

/* Each adds all or, at the ceiling, nothing and returns false. The text must not lie in the same buffer. */
bool buf_add(struct buf *buf, struct str text);
bool buf_add_z(struct buf *buf, const char *text);
bool buf_add_byte(struct buf *buf, char byte);
char *buf_extend(struct buf *buf, size_t count);       /* bytes for the caller to write, all of them and at once; NULL: the ceiling */
bool buf_printf(struct buf *buf, const char *format, ...) PRINTF_LIKE(2, 3);

void buf_drop(struct buf *buf, size_t count);          /* removes bytes at the front */
void buf_insert(struct buf *buf, size_t at, struct str text); /* dies never: beyond the ceiling nothing happens */
void buf_remove(struct buf *buf, size_t at, size_t count);
struct str buf_str(const struct buf *buf);             /* borrowed until the next change */
const char *buf_z(const struct buf *buf);              /* the same as a C string, never NULL */
char *buf_take(struct buf *buf);                       /* gives the bytes away; the buf is empty then, its ceiling stays */

/* Writes all of it to a descriptor that blocks. Returns 0 or an errno value; a part may have been written then. */
MUST_USE int str_write(struct str text, int fd);

/*
 * Replaces what is in `out` by all that a path gives, not larger than its ceiling; "-" is standard input. Waits for as long as a pipe
 * has not ended: for the files of a command line. Whatever is read while there is a screen goes through base/regular_file.h.
 */
MUST_USE bool buf_read_file(struct buf *out, const char *path, struct error *err);
/* The same from a descriptor, to its end; `name` is for the sentence. */
MUST_USE bool buf_read_fd(struct buf *out, int fd, const char *name, struct error *err);

#endif
