#include "wire/mcp/oauth_metadata.h"

#include <string.h>

#include "base/json.h"
#include "base/mem.h"

#define RESOURCE_PLACE "/.well-known/oauth-protected-resource"
#define SERVER_PLACE "/.well-known/oauth-authorization-server"
#define OPENID_PLACE "/.well-known/openid-configuration"

/* --- addresses --- */

static size_t url_scheme_len(struct str url)
{
	return str_is_nocase(str_head(url, 8), "https://") ? 8 : str_is_nocase(str_head(url, 7), "http://") ? 7 : 0;
}

struct str oauth_url_origin(struct str url)
{
	size_t len = url_scheme_len(url);

	while (len < url.len && !strchr("/?#", url.ptr[len]))
		len++;
	return str_head(url, len);
}

/* What stands behind the origin, without a query and without slashes at its end. */
static struct str url_path(struct str url)
{
	struct str path = str_skip(url, oauth_url_origin(url).len);

	path = str_head(path, str_find(path, STR("?")));
	while (str_ends(path, "/"))
		path.len--;
	return path;
}

bool oauth_url_is_plain(struct str url)
{
	struct str host = str_skip(oauth_url_origin(url), 7);

	if (url_scheme_len(url) != 7)
		return false;
	host = str_head(host, str_starts(host, "[") ? str_find(host, STR("]")) + 1 : str_find(host, STR(":")));
	return str_is_nocase(host, "localhost") || str_is(host, "127.0.0.1") || str_is(host, "[::1]");
}

bool oauth_url_check(struct str url, bool plain)
{
	size_t scheme = url_scheme_len(url);
	struct str authority = str_skip(oauth_url_origin(url), scheme);

	for (size_t i = 0; i < url.len; i++)
		if ((unsigned char)url.ptr[i] <= ' ' || (unsigned char)url.ptr[i] >= 0x7F || strchr("\"<>\\^`{|}#", url.ptr[i]))
			return false;
	if (!authority.len || url.len > OAUTH_URL_MOST || str_find(authority, STR("@")) < authority.len)
		return false;
	return scheme == 8 || (plain && oauth_url_is_plain(url));
}

static bool url_write(struct buf *out, struct str origin, const char *place, struct str path)
{
	buf_clear(out);
	return buf_printf(out, "%.*s%s%.*s", STR_ARG(origin), place, STR_ARG(path));
}

bool oauth_resource_url(struct str server, unsigned step, struct buf *out)
{
	struct str path = url_path(server);
	bool has_path = path.len != 0;

	if (step > has_path)
		return false;
	return url_write(out, oauth_url_origin(server), RESOURCE_PLACE, step < has_path ? path : STR_NONE);
}

bool oauth_issuer_url(struct str issuer, unsigned step, struct buf *out)
{
	struct str origin = oauth_url_origin(issuer), path = url_path(issuer);

	if (step == 0)
		return url_write(out, origin, SERVER_PLACE, path);
	if (step == 1)
		return url_write(out, origin, OPENID_PLACE, path);
	if (step > 2 || !path.len)
		return false;
	url_write(out, origin, "", path);
	return buf_add_z(out, OPENID_PLACE);
}

/* --- scopes --- */

static bool is_scope(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if ((unsigned char)word.ptr[i] <= ' ' || (unsigned char)word.ptr[i] >= 0x7F || word.ptr[i] == '"' || word.ptr[i] == '\\')
			return false;
	return word.len != 0;
}

static bool scope_has(struct str scope, struct str word)
{
	struct str one;

	while (str_split(&scope, ' ', &one))
		if (str_equal(one, word))
			return true;
	return false;
}

void oauth_scope_join(char **scope, struct str more)
{
	struct buf all;
	struct str word;

	buf_init(&all, OAUTH_SCOPE_MOST);
	buf_add(&all, str_from(*scope));
	while (str_split(&more, ' ', &word))
		if (is_scope(word) && !scope_has(buf_str(&all), word) && word.len + 1 < OAUTH_SCOPE_MOST - all.len)
			buf_printf(&all, "%s%.*s", all.len ? " " : "", STR_ARG(word));
	str_replace(scope, all.len ? buf_str(&all) : STR_NONE);
	buf_fini(&all);
}

/* --- the challenge --- */

/* A token, or a quoted string without its quotes and escapes. */
static struct str challenge_value(struct str *rest, struct buf *scratch)
{
	size_t len = 0;

	buf_clear(scratch);
	if (!str_starts(*rest, "\"")) {
		while (len < rest->len && !char_is_blank(rest->ptr[len]) && rest->ptr[len] != ',')
			len++;
		buf_add(scratch, str_head(*rest, len));
		*rest = str_skip(*rest, len);
		return buf_str(scratch);
	}
	for (len = 1; len < rest->len && rest->ptr[len] != '"'; len++) {
		len += rest->ptr[len] == '\\' && len + 1 < rest->len;
		buf_add_byte(scratch, rest->ptr[len]);
	}
	*rest = str_skip(*rest, len + 1);
	return buf_str(scratch);
}

static void challenge_set(struct oauth_challenge *c, struct str name, struct str value)
{
	if (str_is_nocase(name, "resource_metadata") && !c->metadata)
		c->metadata = str_dup(value);
	else if (str_is_nocase(name, "scope"))
		oauth_scope_join(&c->scope, value);
	else if (str_is_nocase(name, "error"))
		c->lacks_scope |= str_is(value, "insufficient_scope");
}

void oauth_challenge_take(struct oauth_challenge *c, struct str value)
{
	struct buf scratch = { 0 };
	bool is_ours = false;

	for (;;) {
		size_t len = 0;

		while (value.len && (char_is_blank(*value.ptr) || *value.ptr == ','))
			value = str_skip(value, 1);
		while (len < value.len && !char_is_blank(value.ptr[len]) && value.ptr[len] != ',' && value.ptr[len] != '=')
			len++;
		struct str name = str_head(value, len), after = str_trim_start(str_skip(value, len));
		if (!name.len)
			break;
		if (!str_starts(after, "=")) { /* the name of a scheme */
			is_ours = str_is_nocase(name, "Bearer");
			c->is_bearer |= is_ours;
			value = after;
			continue;
		}
		value = str_trim_start(str_skip(after, 1));
		struct str said = challenge_value(&value, &scratch);
		if (is_ours)
			challenge_set(c, name, said);
	}
	buf_fini(&scratch);
}

void oauth_challenge_fini(struct oauth_challenge *c)
{
	mem_free(c->metadata);
	mem_free(c->scope);
	*c = (struct oauth_challenge){ 0 };
}

/* --- metadata --- */

/* The address of a server is what the metadata name, or below it. */
static bool resource_covers(struct str resource, struct str server)
{
	struct str path = url_path(resource), whole = url_path(server);
	char *origin = str_dup(oauth_url_origin(resource));
	bool same = str_is_nocase(oauth_url_origin(server), origin);

	mem_free(origin);
	if (str_find(resource, STR("?")) < resource.len)
		return str_equal(resource, server);
	return same && whole.len >= path.len && str_equal(str_head(whole, path.len), path) && (whole.len == path.len || whole.ptr[path.len] == '/');
}

static void take_scopes(char **scope, const struct json *list)
{
	for (size_t i = 0; i < json_length(list); i++)
		oauth_scope_join(scope, json_text(json_at(list, i)));
}

static bool list_has(const struct json *list, const char *word)
{
	bool has = false;

	for (size_t i = 0; i < json_length(list) && !has; i++)
		has = str_is(json_text(json_at(list, i)), word);
	return has;
}

static bool resource_take(struct oauth_resource *r, const struct json *object, struct str server, struct error *err)
{
	struct str resource = json_get_text(object, "resource");
	const struct json *servers = json_get(object, "authorization_servers");
	bool plain = oauth_url_is_plain(server);

	if (json_kind(object) != JSON_OBJECT || !resource.len)
		return error_set(err, "the metadata of the server name no resource");
	if (!oauth_url_check(resource, plain) || !resource_covers(resource, server))
		return error_set(err, "the metadata of the server are those of another resource: nothing is asked for it");
	for (size_t i = 0; i < json_length(servers) && !r->issuer; i++)
		if (oauth_url_check(json_text(json_at(servers, i)), plain))
			r->issuer = str_dup(json_text(json_at(servers, i)));
	if (!r->issuer)
		return error_set(err, json_length(servers) ? "the metadata of the server name an authorization server without https"
		                                           : "the metadata of the server name no authorization server");
	r->resource = str_dup(resource);
	take_scopes(&r->scope, json_get(object, "scopes_supported"));
	return true;
}

bool oauth_resource_read(struct oauth_resource *r, struct str text, struct str server, struct error *err)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool good;

	*r = (struct oauth_resource){ 0 };
	good = resource_take(r, json_parse(parser, text, &used), server, err);
	json_parser_free(parser);
	return good;
}

void oauth_resource_fini(struct oauth_resource *r)
{
	mem_free(r->resource);
	mem_free(r->issuer);
	mem_free(r->scope);
	*r = (struct oauth_resource){ 0 };
}

static bool server_take(struct oauth_server *s, const struct json *object, struct str issuer, bool plain, struct error *err)
{
	static const char *const names[] = { "authorization_endpoint", "token_endpoint", "registration_endpoint" };
	char **const members[] = { &s->authorization, &s->token, &s->registration };
	const struct json *methods = json_get(object, "token_endpoint_auth_methods_supported");

	if (json_kind(object) != JSON_OBJECT || !str_equal(json_get_text(object, "issuer"), issuer))
		return error_set(err, "the metadata of the authorization server are those of another issuer: they are not used");
	if (!list_has(json_get(object, "code_challenge_methods_supported"), "S256"))
		return error_set(err, "the authorization server does not promise PKCE with S256, without which a code can be stolen");
	for (size_t i = 0; i < 3; i++) {
		struct str url = json_get_text(object, names[i]);

		if (i < 2 ? !oauth_url_check(url, plain) : url.len && !oauth_url_check(url, plain))
			return error_set(err, "the authorization server's %s is no address with https", names[i]);
		*members[i] = url.len ? str_dup(url) : NULL;
	}
	s->issuer = str_dup(issuer);
	json_flag(json_get(object, "authorization_response_iss_parameter_supported"), &s->names_issuer);
	json_flag(json_get(object, "client_id_metadata_document_supported"), &s->takes_documents);
	s->has_offline = list_has(json_get(object, "scopes_supported"), "offline_access");
	s->has_methods = json_length(methods) != 0;
	s->has_none = list_has(methods, "none");
	s->has_basic = list_has(methods, "client_secret_basic");
	s->has_post = list_has(methods, "client_secret_post");
	return true;
}

bool oauth_server_read(struct oauth_server *s, struct str text, struct str issuer, bool plain, struct error *err)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool good;

	*s = (struct oauth_server){ 0 };
	good = server_take(s, json_parse(parser, text, &used), issuer, plain, err);
	json_parser_free(parser);
	return good;
}

static char *place_at(struct str origin, const char *path)
{
	struct buf url = { 0 };

	buf_printf(&url, "%.*s%s", STR_ARG(origin), path);
	return buf_take(&url);
}

void oauth_server_assume(struct oauth_server *s, struct str origin)
{
	*s = (struct oauth_server){
		.issuer = str_dup(origin), .authorization = place_at(origin, "/authorize"), .token = place_at(origin, "/token"),
		.registration = place_at(origin, "/register"),
	};
}

void oauth_server_fini(struct oauth_server *s)
{
	mem_free(s->issuer);
	mem_free(s->authorization);
	mem_free(s->token);
	mem_free(s->registration);
	*s = (struct oauth_server){ 0 };
}
