#include "chat/exchange/sent_request.h"

#include <string.h>

#include "base/json.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "chat/exchange/outgoing.h"
#include "chat/exchange/secret.h"
#include "chat/provider/server_tools.h"

#define BODY_LIMIT TAPE_LIMIT
#define ARGUMENT_BYTES_MOST ((size_t)100 << 10) /* Linux takes 128 KiB, and quotes need room */
#define PLACEHOLDER "API_KEY"

/* --- where it comes from --- */

/* A key that has to be asked for (a command) is not looked up: it then stands in the body only if somebody pasted it there. */
static void add_known_key(struct redact_set *set, const struct provider *p, environment *env)
{
	struct secret *secret;

	if (!p || p->key_command || p->auth == AUTH_NONE)
		return;
	secret = secret_new(p, env, 0);
	if (secret_state(secret) == SECRET_FOUND)
		redact_set_add(set, secret_value(secret));
	secret_free(secret);
}

static void sent_request_take_body(struct sent_request *r, struct str body)
{
	struct redact_set set = { 0 };
	struct redactor redactor;

	add_known_key(&set, r->provider, r->env);
	for (size_t i = 0; r->provider && i < r->provider->header_count; i++)
		outgoing_add_secrets(&set, r->provider->headers[i]);
	redactor_init(&redactor, &set);
	buf_init(&r->body, BODY_LIMIT);
	buf_add(&r->body, redactor_feed(&redactor, body));
	buf_add(&r->body, redactor_end(&redactor));
	redactor_fini(&redactor);
	redact_set_fini(&set);
}

/* A file may hold any URL: what has no place in one is encoded. */
static void sent_request_take_url(struct sent_request *r, struct str url)
{
	for (size_t i = 0; i < url.len; i++)
		if (url.ptr[i] > ' ' && url.ptr[i] < 0x7F)
			buf_add_byte(&r->url, url.ptr[i]);
		else
			buf_printf(&r->url, "%%%02X", (unsigned char)url.ptr[i]);
}

/* The URL of Gemini says it, the body of the others. */
static bool sent_request_streams(const struct sent_request *r)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool stream = !r->protocol->path_no_stream || str_find(buf_str(&r->url), STR("streamGenerateContent")) < r->url.len;

	(void)json_flag(json_get(json_parse(parser, buf_str(&r->body), &used), "stream"), &stream);
	json_parser_free(parser);
	return stream;
}

bool sent_request_of_exchange(struct sent_request *r, const struct exchange *x, struct error *err)
{
	struct exchange_sent sent;
	bool is_sent = exchange_sent(x, &sent);

	*r = (struct sent_request){ .protocol = sent.protocol, .provider = sent.provider, .env = sent.env, .stream = sent.stream };
	if (!is_sent)
		return error_set(err, "the request has not been sent yet");
	sent_request_take_url(r, sent.url);
	sent_request_take_body(r, sent.body);
	return true;
}

/* Anything else could be an option to curl. */
static bool is_http_url(struct str url)
{
	return str_is_nocase(str_head(url, 7), "http://") || str_is_nocase(str_head(url, 8), "https://");
}

/* "https://host:port", as written. */
static struct str url_origin(struct str url)
{
	size_t len = str_find(url, STR("://")) + 3;

	while (len < url.len && !strchr("/?#", url.ptr[len]))
		len++;
	return str_head(url, len);
}

static bool is_at(const struct provider *p, const struct protocol *protocol, struct str url)
{
	struct str own = url_origin(provider_base_url(p, protocol)), origin = url_origin(url);

	return own.len && own.len == origin.len && str_has_nocase(origin, own);
}

bool sent_request_of_tape(struct sent_request *r, const struct tape_info *facts, struct providers *providers, environment *env,
                          bool foreign, struct error *err)
{
	*r = (struct sent_request){ .protocol = protocol_find(facts->protocol), .provider = providers_find(providers, facts->provider), .env = env };
	if (!facts->request.len || !facts->url.len)
		return error_set(err, "the recording holds no request");
	if (!r->protocol)
		return error_set(err, "the recording is of a protocol that is not known here");
	if (!is_http_url(facts->url))
		return error_set(err, "the URL in the recording is not one of HTTP");
	sent_request_take_url(r, facts->url);
	sent_request_take_body(r, facts->request);
	if (foreign && r->provider && !is_at(r->provider, r->protocol, facts->url))
		r->provider = NULL;
	r->stream = sent_request_streams(r);
	return true;
}

void sent_request_fini(struct sent_request *r)
{
	buf_fini(&r->url);
	buf_fini(&r->body);
}

/* --- lines, for people and for a shell --- */

/* A line of text and variables. For a shell it is quoted; for people it is as it is. */
struct line { struct buf *out; bool quoted, open; };

static void line_text(struct line *l, struct str text)
{
	if (!l->quoted) {
		buf_add(l->out, text);
		return;
	}
	if (!l->open)
		buf_add_byte(l->out, '\'');
	l->open = true;
	for (size_t len; text.len; text = str_skip(text, len)) {
		len = str_find(text, STR("'"));
		buf_add(l->out, str_head(text, len));
		if (len < text.len)
			buf_add_z(l->out, "'\\''");
		len += len < text.len;
	}
}

static void line_end(struct line *l)
{
	if (l->open)
		buf_add_byte(l->out, '\'');
	l->open = false;
}

static void line_variable(struct line *l, struct str name)
{
	line_end(l);
	buf_printf(l->out, l->quoted ? "\"$%.*s\"" : "$%.*s", STR_ARG(name));
}

/* A name made of that of a header or parameter: "x-my-token" gives X_MY_TOKEN. */
static void line_variable_for(struct line *l, struct str name)
{
	struct buf variable = { 0 };

	for (size_t i = 0; i < name.len; i++)
		buf_add_byte(&variable, !char_is_word(name.ptr[i]) ? '_'
		                        : (char)(name.ptr[i] >= 'a' && name.ptr[i] <= 'z' ? name.ptr[i] - 32 : name.ptr[i]));
	line_variable(l, str_is_variable(buf_str(&variable)) ? buf_str(&variable) : STR(PLACEHOLDER));
	buf_fini(&variable);
}

static void line_url(struct line *l, struct str url)
{
	struct str base, pair, name;
	const char *separator = "?";

	if (str_split(&url, '?', &base))
		line_text(l, base);
	while (str_split(&url, '&', &pair)) {
		struct str value = pair;

		line_text(l, str_from(separator));
		separator = "&";
		if (str_split(&value, '=', &name) && redact_is_telling(name)) {
			line_text(l, name);
			line_text(l, STR("="));
			line_variable_for(l, name);
		} else {
			line_text(l, pair);
		}
	}
	line_end(l);
}

/* --- headers --- */

struct headers {
	const struct sent_request *request;
	const char *before, *behind; /* each line */
	struct line line;
};

static void add_header(void *ctx, const char *header)
{
	struct headers *h = ctx;
	struct str name, value = str_from(header);

	if (!str_split(&value, ':', &name) || *header == '@') /* curl reads the headers of a file of that name */
		return;
	buf_add_z(h->line.out, h->before);
	if (redact_is_telling(name)) {
		line_text(&h->line, name);
		line_text(&h->line, STR(": "));
		line_variable_for(&h->line, name);
	} else {
		line_text(&h->line, str_from(header));
	}
	line_end(&h->line);
	buf_add_z(h->line.out, h->behind);
}

/* The last header, which holds the key. `prefix`: its name and what stands before the key. */
static void add_key_header(struct headers *h, const char *prefix)
{
	const struct provider *p = h->request->provider;
	struct str variable = str_from(p ? p->key_env : NULL);

	if (p && p->key_optional && !provider_has_key(p, h->request->env))
		return;
	buf_add_z(h->line.out, h->before);
	line_text(&h->line, str_from(prefix));
	line_variable(&h->line, str_is_variable(variable) ? variable : STR(PLACEHOLDER));
	line_end(&h->line);
	buf_add_z(h->line.out, h->behind);
}

static void write_headers(const struct sent_request *r, struct headers *h)
{
	static const struct provider unknown = { .auth = AUTH_PROTOCOL };
	struct outgoing o = {
		.provider = r->provider ? r->provider : &unknown, .protocol = r->protocol, .env = r->env, .body = buf_str(&r->body),
		.stream = r->stream,
	};
	const char *prefix = outgoing_key_header(&o);
	struct buf beta = { 0 };

	server_tools_write_header(o.provider, o.protocol, o.body, &beta);
	o.beta = buf_z(&beta);
	outgoing_each_header(&o, add_header, h);
	if (prefix)
		add_key_header(h, prefix);
	buf_fini(&beta);
}

/* --- forms --- */

void sent_request_write_json(const struct sent_request *r, struct buf *out)
{
	json_scan_pretty(buf_str(&r->body), out);
	buf_add_byte(out, '\n');
}

/* Length of a string's content, up to the quote that ends it. */
static size_t string_len(struct str text)
{
	size_t at = 0;

	while (at < text.len && text.ptr[at] != '"')
		at += text.ptr[at] == '\\' ? 2 : 1;
	return at < text.len ? at : text.len;
}

/* Of a longer string: whole escapes and characters only. */
static struct str string_beginning(struct str text)
{
	size_t len = 0;

	while (len < SENT_REQUEST_SHOWN)
		len += text.ptr[len] != '\\' ? 1 : text.ptr[len + 1] == 'u' ? 6 : 2;
	while (len < text.len && ((unsigned char)text.ptr[len] & 0xC0) == 0x80)
		len++;
	return str_head(text, len);
}

void sent_request_show_json(const struct sent_request *r, struct buf *out)
{
	struct str rest = buf_str(&r->body), content;
	struct buf shown;

	buf_init(&shown, BODY_LIMIT);
	for (size_t len; rest.len; rest = str_skip(rest, len)) {
		len = str_find(rest, STR("\"")) + 1;
		buf_add(&shown, str_head(rest, len));
		rest = str_skip(rest, len);
		len = string_len(rest);
		content = str_head(rest, len);
		if (len > SENT_REQUEST_SHOWN) {
			buf_add(&shown, string_beginning(content));
			buf_printf(&shown, "... %zu KB more", (len - SENT_REQUEST_SHOWN + 1023) >> 10);
		} else {
			buf_add(&shown, content);
		}
		if (len < rest.len) {
			buf_add_byte(&shown, '"');
			len++;
		}
	}
	json_scan_pretty(buf_str(&shown), out);
	buf_add_byte(out, '\n');
	buf_fini(&shown);
}

void sent_request_write_head(const struct sent_request *r, struct buf *out)
{
	struct headers headers = { .request = r, .before = "", .behind = "\n", .line = { .out = out } };

	buf_add_z(out, "POST ");
	line_url(&headers.line, buf_str(&r->url));
	buf_add_byte(out, '\n');
	write_headers(r, &headers);
}

static void write_quoted(struct buf *out, const char *before, struct str text)
{
	struct line line = { .out = out, .quoted = true };

	buf_add_z(out, before);
	line_text(&line, text);
	line_end(&line);
}

/* Length of a control character that JSON may have in a string, DEL or U+0080 to U+009F; 0: none is there. */
static size_t acting_length(struct str text)
{
	unsigned char byte = (unsigned char)*text.ptr, next = text.len > 1 ? (unsigned char)text.ptr[1] : 0;

	return byte == 0x7F ? 1 : byte == 0xC2 && next >= 0x80 && next < 0xA0 ? 2 : 0;
}

/*
 * The same JSON without the control characters that may stand in its strings as they are. Terminals and line editors act on them when the
 * command is pasted: DEL takes back the quote before it.
 */
static void write_inert(struct str body, struct buf *out)
{
	for (size_t at, length; body.len; body = str_skip(body, at + length)) {
		length = 0;
		for (at = 0; at < body.len && !(length = acting_length(str_skip(body, at)));)
			at++;
		buf_add(out, str_head(body, at));
		if (length)
			buf_printf(out, "\\u00%02x", (unsigned char)body.ptr[at + length - 1]);
	}
}

/* In a URL these mean several URLs to curl. */
static bool has_globs(struct str url)
{
	for (size_t i = 0; i < url.len; i++)
		if (strchr("[]{}", url.ptr[i]))
			return true;
	return false;
}

void sent_request_write_curl(const struct sent_request *r, struct buf *out)
{
	struct headers headers = { .request = r, .before = " \\\n  -H ", .behind = "", .line = { .out = out, .quoted = true } };
	struct buf inert;
	buf_init(&inert, 2 * BODY_LIMIT);
	write_inert(buf_str(&r->body), &inert);
	struct str body = buf_str(&inert);
	bool piped = body.len > ARGUMENT_BYTES_MOST;
	char *ca_file = r->provider && r->provider->ca_file ? outgoing_ca_file(r->provider, r->env) : NULL;

	if (piped)
		write_quoted(out, "printf %s ", body);
	buf_printf(out, "%scurl -N%s%s ", piped ? " | " : "", has_globs(buf_str(&r->url)) ? " -g" : "",
	           r->provider && r->provider->http2 ? "" : " --http1.1");
	line_url(&headers.line, buf_str(&r->url));
	if (ca_file)
		write_quoted(out, " \\\n  --cacert ", str_from(ca_file));
	write_headers(r, &headers);
	if (piped)
		buf_add_z(out, " \\\n  --data-binary @-");
	else
		write_quoted(out, " \\\n  --data-binary ", body);
	buf_add_byte(out, '\n');
	buf_fini(&inert);
	mem_free(ca_file);
}
