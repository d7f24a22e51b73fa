#include "base/redact.h"

#include <string.h>

#include "base/array.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/percent.h"

/* For what may hold a secret. */
static void redact_wipe(struct buf *text)
{
	if (text->ptr)
		mem_wipe(text->ptr, text->capacity);
	buf_fini(text);
}

/* --- the set of secrets --- */

static bool has(const struct redact_set *set, struct str secret)
{
	for (size_t i = 0; i < set->count; i++)
		if (str_equal(secret, str_of(set->secrets[i].ptr, set->secrets[i].len)))
			return true;
	return false;
}

void redact_set_add(struct redact_set *set, struct str secret)
{
	if (secret.len < REDACT_LEN_MIN || memchr(secret.ptr, '\n', secret.len) || memchr(secret.ptr, '\r', secret.len))
		return;
	bool is_one_byte_repeated = !memcmp(secret.ptr, secret.ptr + 1, secret.len - 1);
	if (is_one_byte_repeated || set->excess || has(set, secret))
		return;
	set->excess = set->is_bounded && (set->count >= REDACT_SECRETS_MOST || set->bytes + secret.len > REDACT_BYTES_MOST);
	if (set->excess)
		return;
	set->bytes += secret.len;
	*ARRAY_ADD(set->secrets, set->count, set->capacity) = (struct redact_secret){ mem_dup(secret.ptr, secret.len), secret.len };
}

/* As a JSON string. `escaped`: bytes that are escaped as \\u00XX, too; a slash as \\/ if it is among them. */
static void add_json_form(struct redact_set *set, struct str secret, const char *escaped)
{
	struct buf form = { 0 };

	for (size_t i = 0; i < secret.len; i++) {
		struct str byte = str_of(secret.ptr + i, 1);

		if (!*byte.ptr || !strchr(escaped, *byte.ptr))
			json_escape_piece(&form, byte);
		else
			buf_printf(&form, *byte.ptr == '/' ? "\\/" : "\\u%04x", (unsigned char)*byte.ptr);
	}
	redact_set_add(set, buf_str(&form));
	redact_wipe(&form);
}

static void add_decoded_forms(struct redact_set *set, struct str secret)
{
	struct buf encoded = { 0 };

	redact_set_add(set, secret);
	percent_encode(secret, "-._~", &encoded);
	redact_set_add(set, buf_str(&encoded));
	redact_wipe(&encoded);
	add_json_form(set, secret, "");
	add_json_form(set, secret, "/");
	add_json_form(set, secret, "<>&");
	add_json_form(set, secret, "<>&'+=");
}

void redact_set_add_forms(struct redact_set *set, struct str secret)
{
	struct buf decoded = { 0 };

	redact_set_add(set, secret);
	percent_decode(secret, &decoded);
	add_decoded_forms(set, buf_str(&decoded));
	redact_wipe(&decoded);
}

void redact_set_add_all(struct redact_set *set, const struct redact_set *other)
{
	for (size_t i = 0; i < other->count; i++)
		redact_set_add(set, str_of(other->secrets[i].ptr, other->secrets[i].len));
}

void redact_set_fini(struct redact_set *set)
{
	for (size_t i = 0; i < set->count; i++) {
		mem_wipe(set->secrets[i].ptr, set->secrets[i].len);
		mem_free(set->secrets[i].ptr);
	}
	mem_free(set->secrets);
	*set = (struct redact_set){ 0 };
}

static bool redact_is_in(const struct redact_set *set, struct str bytes)
{
	for (size_t i = 0; i < set->count; i++)
		if (str_find(bytes, str_of(set->secrets[i].ptr, set->secrets[i].len)) < bytes.len)
			return true;
	return false;
}

/* Length of the longest secret at the start of the bytes; 0: none. */
static size_t secret_at(const struct redact_set *set, struct str bytes)
{
	size_t longest = 0;

	for (size_t i = 0; i < set->count; i++) {
		const struct redact_secret *secret = &set->secrets[i];

		if (secret->len > longest && secret->len <= bytes.len && *secret->ptr == *bytes.ptr && !memcmp(secret->ptr, bytes.ptr, secret->len))
			longest = secret->len;
	}
	return longest;
}

/* Number of trailing bytes that may begin this secret. */
static size_t partial_match_of(const struct redact_secret *secret, struct str bytes)
{
	size_t most = bytes.len < secret->len ? bytes.len : secret->len - 1;
	const char *end = bytes.ptr + bytes.len;

	for (size_t len = most; len > 0; len--)
		if (end[-(ptrdiff_t)len] == secret->ptr[0] && !memcmp(end - len, secret->ptr, len))
			return len;
	return 0;
}

/* The same for all secrets of the set. */
static size_t partial_match(const struct redact_set *set, struct str bytes)
{
	size_t longest = 0;

	for (size_t i = 0; i < set->count; i++) {
		size_t len = partial_match_of(&set->secrets[i], bytes);

		longest = len > longest ? len : longest;
	}
	return longest;
}

/* --- the redactor --- */

void redactor_init(struct redactor *r, const struct redact_set *set)
{
	*r = (struct redactor){ .set = set };
}

void redactor_fini(struct redactor *r)
{
	redact_wipe(&r->text);
}

/* Returns the next `count` held bytes, redacted. Each position is examined once, while the bytes after it are still unredacted. */
static struct str redact_give(struct redactor *r, size_t count)
{
	size_t start = r->given;

	for (; r->given < start + count; r->given++) {
		size_t len = secret_at(r->set, str_skip(buf_str(&r->text), r->given));

		r->hidden = len > r->hidden ? len : r->hidden;
		if (!r->hidden)
			continue;
		r->text.ptr[r->given] = '*';
		r->found = true;
		r->hidden--;
	}
	return str_head(str_skip(buf_str(&r->text), start), count);
}

struct str redactor_feed(struct redactor *r, struct str bytes)
{
	bool nothing_kept = r->given == r->text.len;

	if (!r->set->count || !bytes.len)
		return bytes;
	if (nothing_kept && !redact_is_in(r->set, bytes) && !partial_match(r->set, bytes))
		return bytes;
	buf_drop(&r->text, r->given);
	r->given = 0;
	buf_add(&r->text, bytes);
	return redact_give(r, r->text.len - partial_match(r->set, buf_str(&r->text)));
}

/* What is held back begins a secret. */
struct str redactor_end(struct redactor *r)
{
	size_t held = r->text.len - r->given;

	if (held >= REDACT_LEN_MIN && held > r->hidden)
		r->hidden = held;
	return redact_give(r, held);
}

static void add_masked(const struct redact_set *set, struct str text, struct buf *out)
{
	struct redactor r;

	redactor_init(&r, set);
	buf_add(out, redactor_feed(&r, text));
	buf_add(out, redactor_end(&r));
	redactor_fini(&r);
}

void redact_add(const struct redact_set *set, struct str text, struct buf *out)
{
	struct buf decoded = { 0 };

	percent_decode(text, &decoded);
	add_masked(set, redact_is_in(set, buf_str(&decoded)) ? buf_str(&decoded) : text, out);
	redact_wipe(&decoded);
}

struct str redact_text(const struct redact_set *set, struct str text, struct buf *room)
{
	size_t start = room->len;

	if (!redact_is_in(set, text))
		return text;
	add_masked(set, text, room);
	return str_skip(buf_str(room), start);
}

/* --- names and URLs --- */

bool redact_is_telling(struct str name)
{
	static const char *const words[] = { "key", "token", "secret", "sig", "pass", "auth", "code", "cookie" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (str_has_nocase(name, str_from(words[i])))
			return true;
	return false;
}

/* Of a parameter: a server decodes it. */
static bool is_telling_coded(struct str name)
{
	struct buf plain = { 0 };

	percent_decode(name, &plain);
	bool telling = redact_is_telling(buf_str(&plain));
	buf_fini(&plain);
	return telling;
}

/*
 * Replaces user and password before the host: "https://...@host/path". A proxy may be named without a scheme; then they are recognised
 * only with a password.
 */
static void add_base(struct str base, struct buf *out)
{
	size_t scheme = str_find(base, STR("://"));
	size_t host = scheme < base.len ? scheme + 3 : 0;
	size_t end = host + str_find(str_skip(base, host), STR("/"));
	size_t behind = str_behind_last(str_skip(str_head(base, end), host), '@');
	size_t at = host + behind - 1;

	if (behind && (host || memchr(base.ptr, ':', at))) {
		buf_add(out, str_head(base, host));
		buf_add(out, STR("..."));
		base = str_skip(base, at);
	}
	buf_add(out, base);
}

void redact_set_add_url(struct redact_set *set, struct str url, const char *but)
{
	struct str pair, name;

	url = str_skip(url, str_find(url, STR("?")) + 1);
	while (str_split(&url, '&', &pair))
		if (str_split(&pair, '=', &name) && is_telling_coded(name) && !(but && str_is(name, but)))
			redact_set_add_forms(set, pair);
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
		if (str_split(&value, '=', &name) && is_telling_coded(name))
			buf_printf(out, "%.*s=...", STR_ARG(name));
		else
			buf_add(out, pair);
	}
}
