#include "chat/exchange/outgoing.h"

#include <string.h>
#include <strings.h>

#include "base/base64.h"
#include "base/mem.h"
#include "chat/provider/server_tools.h"

#define HEADERS_OF_OURS 5

/* --- destination --- */

/* The host of a URL made by protocol_url(): it has no user; an IPv6 address keeps its brackets. */
static struct str url_host(struct str url)
{
	struct str rest = str_skip(url, str_find(url, STR("://")) + 3);
	size_t len = 0;

	if (str_starts(rest, "["))
		return str_head(rest, str_find(rest, STR("]")) + 1);
	while (len < rest.len && !strchr(":/?#", rest.ptr[len]))
		len++;
	return str_head(rest, len);
}

bool outgoing_is_exposed(struct str url)
{
	return str_is_nocase(str_head(url, 7), "http://") && !http_is_loopback(url_host(url));
}

bool outgoing_check(const struct outgoing *o, bool *exposed, struct error *err)
{
	struct str host = url_host(str_from(o->url));

	*exposed = outgoing_is_exposed(str_from(o->url));
	if (!*exposed || !o->key.len || o->allow_http || o->provider->allow_http)
		return true;
	return error_set(err,
	                 "the key of %s is not sent to %.*s over plain http: use https, or allow it with --allow-http "
	                 "or allow_http = yes in [%s %s]", o->provider->name, STR_ARG(host), o->provider->section, o->provider->name);
}

/* --- headers --- */

const char *outgoing_key_header(const struct outgoing *o)
{
	static const char *const of[] = {
		[AUTH_PROTOCOL] = "authorization: Bearer ",
#define X(upper, word, header) [AUTH_##upper] = header,
		AUTHS(X)
#undef X
	};

	if (o->provider->auth == AUTH_PROTOCOL && o->protocol == &protocol_anthropic)
		return of[AUTH_X_API_KEY];
	if (o->provider->auth == AUTH_PROTOCOL && o->protocol == &protocol_gemini)
		return of[AUTH_X_GOOG_API_KEY];
	return of[o->provider->auth];
}

/* Not built in a buf, which leaves copies of the key behind when it grows. */
static char *make_key_header(const struct outgoing *o, size_t *size)
{
	const char *name = outgoing_key_header(o);
	size_t name_len = name ? strlen(name) : 0;
	char *header;

	*size = name_len + o->key.len;
	if (!name || !o->key.len)
		return NULL;
	header = mem_new(*size + 1);
	memcpy(header, name, name_len);
	memcpy(header + name_len, o->key.ptr, o->key.len);
	return header;
}

/* A header set by the user replaces ours. */
static bool is_replaced(const struct provider *p, const char *header)
{
	size_t name_len = strcspn(header, ":") + 1;

	for (size_t i = 0; i < p->header_count; i++)
		if (strncasecmp(p->headers[i], header, name_len) == 0)
			return true;
	return false;
}

void outgoing_each_header(const struct outgoing *o, void (*line)(void *ctx, const char *header), void *ctx)
{
	const struct provider *p = o->provider;

	line(ctx, o->accept ? o->accept : o->stream ? "accept: text/event-stream" : "accept: application/json");
	if (o->body.ptr)
		line(ctx, o->content_type ? o->content_type : "content-type: application/json");
	if (o->protocol && o->protocol->headers && !is_replaced(p, o->protocol->headers))
		line(ctx, o->protocol->headers);
	bool has_beta = o->beta && *o->beta;
	if (has_beta)
		line(ctx, o->beta);
	for (size_t i = 0; i < p->header_count; i++)
		if (!has_beta || strncasecmp(p->headers[i], SERVER_TOOLS_HEADER, sizeof SERVER_TOOLS_HEADER - 1) != 0)
			line(ctx, p->headers[i]);
	for (size_t i = 0; i < o->header_count; i++)
		line(ctx, o->headers[i]);
}

/* SSL_CERT_FILE, as in OpenSSL's programs. NULL: the system's certificates. */
static const char *environment_ca_file(environment *env)
{
	const char *file = env("SSL_CERT_FILE");

	return file && *file ? file : NULL;
}

char *outgoing_ca_file(const struct provider *p, environment *env)
{
	return p->ca_file ? str_expand_home(str_from(p->ca_file), env("HOME")) : mem_dup_z(environment_ca_file(env));
}

/* --- secrets --- */

/* "user:password" in base64. */
static void add_basic_secrets(struct redact_set *set, struct str coded)
{
	struct buf plain = { 0 };

	base64_decode(coded, &plain);
	redact_set_add_forms(set, buf_str(&plain));
	redact_set_add_forms(set, str_skip(buf_str(&plain), str_find(buf_str(&plain), STR(":")) + 1));
	if (plain.ptr)
		mem_wipe(plain.ptr, plain.capacity);
	buf_fini(&plain);
}

/* `a=SECRET; b="SECRET"`, with commas too. */
static void add_values(struct redact_set *set, struct str pairs)
{
	struct str list, value, name;

	while (str_split(&pairs, ';', &list)) {
		while (str_split(&list, ',', &value)) {
			if (str_find(value, STR("=")) == value.len || !str_split(&value, '=', &name))
				continue;
			value = str_trim(value);
			if (value.len > 1 && str_starts(value, "\"") && str_ends(value, "\""))
				value = str_of(value.ptr + 1, value.len - 2);
			redact_set_add_forms(set, value);
		}
	}
}

void outgoing_add_secrets(struct redact_set *set, const char *header)
{
	struct str value = str_from(header), name, rest, word;
	bool basic = false;

	if (!str_split(&value, ':', &name) || !redact_is_telling(name))
		return;
	rest = value = str_trim(value);
	redact_set_add_forms(set, value);
	add_values(set, value);
	for (; str_split(&rest, ' ', &word); basic = str_is_nocase(word, "Basic")) {
		redact_set_add_forms(set, word);
		if (basic)
			add_basic_secrets(set, word);
	}
}

void outgoing_find_secrets(const struct outgoing *o, struct redact_set *set)
{
	if (o->secrets)
		redact_set_add_all(set, o->secrets);
	redact_set_add_forms(set, o->key);
	/* Not page tokens: one may be the beginning of the next. */
	redact_set_add_url(set, str_from(o->url), o->protocol ? o->protocol->models_next : NULL);
	for (size_t i = 0; i < o->provider->header_count; i++)
		outgoing_add_secrets(set, o->provider->headers[i]);
}

/* --- sending --- */

struct header_list { const char **headers; size_t count; };

static void add_to_list(void *ctx, const char *header)
{
	struct header_list *list = ctx;

	list->headers[list->count++] = header;
}

bool outgoing_start(const struct outgoing *o, struct http *http, const struct source_sink *sink, struct source **transfer,
                    struct error *err)
{
	const struct provider *p = o->provider;
	struct header_list list = { mem_resize(NULL, p->header_count + o->header_count + HEADERS_OF_OURS, sizeof *list.headers), 0 };
	char *ca_file = outgoing_ca_file(p, o->env);
	size_t key_size;
	char *key = make_key_header(o, &key_size);
	struct redact_set secrets = { 0 };
	struct http_request request;
	bool started;

	outgoing_each_header(o, add_to_list, &list);
	if (key)
		list.headers[list.count++] = key;
	request = (struct http_request){
		.method = o->method ? o->method : o->body.ptr ? "POST" : "GET",
		.url = o->url,
		.headers = list.headers,
		.header_count = list.count,
		.body = o->body,
		.body_stays = true,
		.bodies_are_secret = o->bodies_are_secret,
		.http2 = p->http2,
		.connect_timeout_ms = p->limits.connect_ms,
		.ca_file = ca_file,
		.proxy_ca_file = environment_ca_file(o->env),
		.secrets = &secrets,
	};
	outgoing_find_secrets(o, &secrets);
	started = http_start(http, &request, sink, transfer, err);
	if (key)
		mem_wipe(key, key_size);
	mem_free(key);
	redact_set_fini(&secrets);
	mem_free(ca_file);
	mem_free(list.headers);
	return started;
}
