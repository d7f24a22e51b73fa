/* Builds the URL of a request from a base URL and a protocol (protocol.h has the rules). */
#include <string.h>

#include "base/percent.h"
#include "base/redact.h"
#include "base/utf8.h"
#include "wire/protocol/protocol.h"

#define MODEL_MARK STR("{model}")
#define URL_LIMIT ((size_t)64 << 10)
#define DECODED_MOST 8 /* times: nobody encodes a path so often, and each time costs as much as it is long */

/* The parts of a base URL. The path does not end with a slash. */
struct base_url {
	struct str origin; /* "https://host:port" */
	struct str path;   /* "/v1" */
	struct str query;  /* without the question mark */
};

static size_t find_byte(struct str s, char byte)
{
	const char *found = s.len ? memchr(s.ptr, byte, s.len) : NULL;

	return found ? (size_t)(found - s.ptr) : s.len;
}

static bool has_odd_byte(struct str s)
{
	for (size_t i = 0; i < s.len; i++)
		if ((unsigned char)s.ptr[i] <= ' ' || s.ptr[i] == 0x7F || s.ptr[i] == '\\')
			return true;
	return false;
}

/* Reports an error in a base URL. The URL is masked, because it may contain a key or a password. */
static bool url_refuse(struct str base, const char *why, struct error *err)
{
	struct buf shown = { 0 };

	redact_url(base, &shown);
	error_set(err, "the base URL '%s' %s", buf_z(&shown), why);
	buf_fini(&shown);
	return false;
}

static bool split_base(struct str base, struct base_url *url, struct error *err)
{
	base = str_trim(base);
	size_t scheme = str_is_nocase(str_head(base, 8), "https://") ? 8 : str_is_nocase(str_head(base, 7), "http://") ? 7 : 0;
	if (!base.len)
		return error_set(err, "there is no base URL; set one with --base-url or base_url");
	if (has_odd_byte(base))
		return error_set(err, "the base URL holds a blank or a control character; write it as https://host/path");
	if (!scheme)
		return url_refuse(base, "does not begin with https:// or http://", err);
	struct str rest = str_skip(base, scheme);
	struct str whole = str_head(rest, find_byte(rest, '#'));
	if (whole.len < rest.len)
		return url_refuse(base, "has a fragment (#...); leave it out", err);
	struct str before_query = str_head(rest, find_byte(rest, '?'));
	struct str host = str_head(before_query, find_byte(before_query, '/'));
	if (find_byte(host, '@') < host.len)
		return error_set(err, "the base URL holds a user name or password; keys go into the environment or a key file");
	if (!host.len)
		return url_refuse(base, "names no host", err);
	url->origin = str_head(base, scheme + host.len);
	url->path = str_skip(before_query, host.len);
	url->query = str_skip(rest, before_query.len + 1);
	while (str_ends(url->path, "/"))
		url->path.len--;
	return true;
}

static bool ends_in(struct str text, struct str end)
{
	return end.len && text.len >= end.len && str_equal(str_skip(text, text.len - end.len), end);
}

/* Appends a tail such as "/v1beta/models/{model}:streamGenerateContent?alt=sse". */
static void add_tail(struct buf *out, struct str tail, struct str model)
{
	if (!str_starts(tail, "/"))
		buf_add_byte(out, '/');
	for (;;) {
		size_t mark = str_find(tail, MODEL_MARK);

		buf_add(out, str_head(tail, mark));
		if (mark == tail.len)
			return;
		percent_encode(model, "-._~/", out);
		tail = str_skip(tail, mark + MODEL_MARK.len);
	}
}

static void add_query(struct buf *out, struct str query)
{
	if (!query.len)
		return;
	buf_add_byte(out, find_byte(buf_str(out), '?') < out->len ? '&' : '?');
	buf_add(out, query);
}

/* The end of a tail's path that every URL has: without the query, and after the model. */
static struct str fixed_end(struct str tail)
{
	struct str path = str_head(tail, find_byte(tail, '?'));
	size_t mark = str_find(path, MODEL_MARK);

	return mark < path.len ? str_skip(path, mark + MODEL_MARK.len) : path;
}

/* The tail without the version that the base already has. */
static struct str without_version(const struct protocol *protocol, struct str path, struct str tail)
{
	struct str version = str_from(protocol->version_segment);
	bool twice = version.len && str_starts(tail, protocol->version_segment) && ends_in(path, version);

	return twice ? str_skip(tail, version.len) : tail;
}

/* Appends the URL; nothing if it is too long. */
static bool give_url(const struct buf *made, struct buf *out, struct error *err)
{
	if (made->len > URL_LIMIT)
		return error_set(err, "the URL of the request is longer than %zu KB", URL_LIMIT >> 10);
	return buf_add(out, buf_str(made)) || error_set(err, "the URL of the request is too long");
}

bool protocol_url(const struct protocol *protocol, struct str base, struct str path_override, struct str model,
                  bool stream, struct buf *out, struct error *err)
{
	struct base_url url = { .origin = STR_NONE };

	if (!split_base(base, &url, err))
		return false;
	struct str tail = path_override;
	if (!tail.len)
		tail = str_from(stream || !protocol->path_no_stream ? protocol->path : protocol->path_no_stream);
	struct buf made = { 0 };
	buf_add(&made, url.origin);
	buf_add(&made, url.path);
	bool complete = ends_in(url.path, fixed_end(tail)) || ends_in(url.path, fixed_end(str_from(protocol->path)));
	if (!complete)
		add_tail(&made, path_override.len ? tail : without_version(protocol, url.path, tail), model);
	add_query(&made, url.query);
	bool fits = give_url(&made, out, err);
	buf_fini(&made);
	return fits;
}

/* The path of the base without the protocol's tail, if the base has it. */
static struct str without_tail(const struct protocol *protocol, struct str path)
{
	struct str tail = str_from(protocol->path), end = fixed_end(tail);

	if (!ends_in(path, end))
		return path;
	struct str own = str_head(tail, str_find(tail, MODEL_MARK));
	if (own.len == tail.len)
		return str_head(path, path.len - end.len);
	for (size_t at = path.len; at-- > 0;)
		if (str_starts(str_skip(path, at), "/models/"))
			return str_head(path, at);
	return str_head(path, path.len - end.len);
}

bool protocol_models_url(const struct protocol *protocol, struct str base, struct str page, struct buf *out,
                         struct error *err)
{
	struct base_url url = { .origin = STR_NONE };

	if (!split_base(base, &url, err))
		return false;
	url.path = without_tail(protocol, url.path);
	struct buf made = { 0 };
	buf_add(&made, url.origin);
	buf_add(&made, url.path);
	buf_add(&made, without_version(protocol, url.path, str_from(protocol->models_path)));
	if (page.len && protocol->models_next) {
		buf_add_byte(&made, find_byte(buf_str(&made), '?') < made.len ? '&' : '?');
		buf_printf(&made, "%s=", protocol->models_next);
		percent_encode(page, "-._~", &made);
	}
	add_query(&made, url.query);
	bool fits = give_url(&made, out, err);
	buf_fini(&made);
	return fits;
}

/* Whether a query has a parameter of the same name. */
static bool has_parameter(struct str query, struct str pair)
{
	struct str other, name = str_head(pair, find_byte(pair, '='));

	while (str_split(&query, '&', &other))
		if (str_equal(str_head(other, find_byte(other, '=')), name))
			return true;
	return false;
}

bool protocol_pass_url(struct str base, struct str path, struct buf *out, struct error *err)
{
	struct base_url url = { .origin = STR_NONE };
	struct str own = str_head(path, find_byte(path, '?')), query = str_skip(path, own.len + 1), pair;

	if (!split_base(base, &url, err))
		return false;
	struct buf made = { 0 };
	buf_add(&made, url.origin);
	if (!str_equal(str_head(own, url.path.len), url.path) || (own.len > url.path.len && own.ptr[url.path.len] != '/'))
		buf_add(&made, url.path);
	buf_add(&made, own);
	while (str_split(&url.query, '&', &pair))
		if (!has_parameter(query, pair))
			add_query(&made, pair);
	if (own.len < path.len)
		buf_add_byte(&made, find_byte(buf_str(&made), '?') < made.len ? '&' : '?');
	buf_add(&made, query);
	bool fits = give_url(&made, out, err);
	buf_fini(&made);
	return fits;
}

/* A segment of a decoded path that goes up, also with parameters or blanks behind the dots. */
static bool goes_up(struct str segment)
{
	segment = str_head(segment, find_byte(segment, ';'));
	while (segment.len && (unsigned char)segment.ptr[segment.len - 1] <= ' ')
		segment.len--;
	return str_is(segment, "..");
}

bool protocol_path_leaves(struct str path)
{
	struct buf plain = { 0 }, decoded = { 0 };
	struct str rest, segment;
	unsigned times = 0;
	bool leaves;

	buf_add(&decoded, str_head(path, find_byte(path, '?')));
	do { /* what is encoded twice is decoded twice by some servers */
		struct buf before = plain;

		plain = decoded;
		decoded = before;
		buf_clear(&decoded);
		percent_decode(buf_str(&plain), &decoded);
	} while (decoded.len < plain.len && ++times < DECODED_MOST);
	leaves = times == DECODED_MOST || !utf8_is_valid(buf_str(&plain)); /* as a dot or slash in more bytes than it needs */
	for (size_t i = 0; i < plain.len; i++)
		plain.ptr[i] = plain.ptr[i] == '\\' ? '/' : plain.ptr[i];
	rest = buf_str(&plain);
	while (str_split(&rest, '/', &segment))
		leaves |= goes_up(segment);
	buf_fini(&plain);
	buf_fini(&decoded);
	return leaves;
}

const struct protocol *protocol_of_path(struct str path)
{
	static const struct { const char *end; const struct protocol *protocol; } ends[] = {
		{ "/chat/completions", &protocol_openai_chat }, { "/responses", &protocol_openai_responses }, { "/messages", &protocol_anthropic },
		{ ":streamGenerateContent", &protocol_gemini }, { ":generateContent", &protocol_gemini }, { "/api/chat", &protocol_ollama },
	};

	path = str_head(path, str_find(path, STR("?")));
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (str_ends(path, ends[i].end))
			return ends[i].protocol;
	return NULL;
}
