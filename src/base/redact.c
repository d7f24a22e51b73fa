#include "base/redact.h"

#include <string.h>

#include "base/mem.h"

void redactor_init(struct redactor *r, struct str secret)
{
	*r = (struct redactor){ .len = 0 };
	buf_init(&r->text, BUF_LIMIT_DEFAULT);
	if (secret.len < REDACT_LEN_MIN)
		return;
	r->secret = mem_dup(secret.ptr, secret.len);
	r->len = secret.len;
}

void redactor_fini(struct redactor *r)
{
	if (r->secret)
		explicit_bzero(r->secret, r->len);
	mem_free(r->secret);
	buf_fini(&r->text);
}

/* How many bytes at the end may be the beginning of the secret. */
static size_t open_end(const struct redactor *r, struct str bytes)
{
	size_t most = bytes.len < r->len ? bytes.len : r->len - 1;
	const char *end = bytes.ptr + bytes.len;

	for (size_t len = most; len > 0; len--)
		if (end[-(ptrdiff_t)len] == r->secret[0] && !memcmp(end - len, r->secret, len))
			return len;
	return 0;
}

static void hide(struct redactor *r)
{
	char *at = r->text.ptr, *end = r->text.ptr + r->text.len;

	while ((at = memmem(at, (size_t)(end - at), r->secret, r->len)))
		memset(at, '*', r->len);
}

struct str redactor_feed(struct redactor *r, struct str bytes)
{
	bool nothing_kept = r->given == r->text.len;

	if (!r->secret || !bytes.len)
		return bytes;
	if (nothing_kept && !memmem(bytes.ptr, bytes.len, r->secret, r->len) && !open_end(r, bytes))
		return bytes;
	buf_drop(&r->text, r->given);
	buf_add(&r->text, bytes);
	hide(r);
	r->given = r->text.len - open_end(r, buf_str(&r->text));
	return str_head(buf_str(&r->text), r->given);
}

struct str redactor_end(struct redactor *r)
{
	struct str kept = str_skip(buf_str(&r->text), r->given);

	r->given = r->text.len;
	return kept;
}

/* --- by name --- */

bool redact_is_telling(struct str name)
{
	static const char *const words[] = { "key", "token", "secret", "sig", "pass", "auth", "code", "cookie" };

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (str_has_nocase(name, str_from(words[i])))
			return true;
	return false;
}

/* Who stands before the host: "https://...@host/path". A proxy may be named without a scheme: there it takes a password to be one. */
static void add_base(struct str base, struct buf *out)
{
	size_t scheme = str_find(base, STR("://"));
	size_t host = scheme < base.len ? scheme + 3 : 0;
	size_t end = host + str_find(str_skip(base, host), STR("/"));
	const char *at = host < end ? memrchr(base.ptr + host, '@', end - host) : NULL;

	if (at && (host || memchr(base.ptr, ':', (size_t)(at - base.ptr)))) {
		buf_add(out, str_head(base, host));
		buf_add(out, STR("..."));
		base = str_skip(base, (size_t)(at - base.ptr));
	}
	buf_add(out, base);
}

void redact_url(struct str url, struct buf *out)
{
	struct str base, pair, name;
	char separator = '?';

	if (!str_split(&url, '?', &base))
		return;
	add_base(base, out);
	while (str_split(&url, '&', &pair)) {
		struct str value = pair;

		buf_add_byte(out, separator);
		separator = '&';
		if (str_split(&value, '=', &name) && redact_is_telling(name))
			buf_printf(out, "%.*s=...", STR_ARG(name));
		else
			buf_add(out, pair);
	}
}
