#include "wire/mcp/oauth_request.h"

#include <string.h>

#include "base/base64.h"
#include "base/json.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "base/percent.h"
#include "base/utf8.h"

#define KEPT "-._~"          /* RFC 3986: not encoded */
#define SHOWN_MOST 200u      /* bytes of a server's words in a sentence */
#define BODY_ROOM (8 * OAUTH_SECRET_MOST)
#define EXPIRES_MOST ((int64_t)10 * 365 * 86400)

/* --- secrets --- */

void oauth_wipe(struct buf *secret)
{
	if (secret->ptr)
		mem_wipe(secret->ptr, secret->capacity);
	buf_fini(secret);
}

void oauth_drop(char **secret)
{
	if (*secret)
		mem_wipe(*secret, strlen(*secret));
	mem_free(*secret);
	*secret = NULL;
}

/* It does not grow later, which would leave a copy. */
static void secret_make_room(struct buf *out, size_t room)
{
	buf_fini(out);
	buf_init(out, room);
	(void)buf_extend(out, room - 1);
	buf_clear(out);
}

static bool is_visible(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] <= ' ' || (unsigned char)text.ptr[i] >= 0x7F)
			return false;
	return text.len != 0;
}

char *oauth_secret_of(struct str object, const char *name)
{
	struct str raw = json_scan_is_whole(object) ? json_scan_find(object, (const char *const[]){ name, NULL }) : STR_NONE;
	struct buf text = { 0 };
	char *secret = NULL;

	if (raw.len < 3 || *raw.ptr != '"' || raw.len > OAUTH_SECRET_MOST)
		return NULL;
	secret_make_room(&text, OAUTH_SECRET_MOST + 8);
	json_scan_unescape(str_of(raw.ptr + 1, raw.len - 2), false, &text);
	if (is_visible(buf_str(&text)))
		secret = str_dup(buf_str(&text));
	oauth_wipe(&text);
	return secret;
}

/* --- the client --- */

static const char *const methods[] = { [OAUTH_NONE] = "none", [OAUTH_BASIC] = "client_secret_basic", [OAUTH_POST] = "client_secret_post" };

const char *oauth_method_name(enum oauth_method method)
{
	return methods[method];
}

void oauth_client_fini(struct oauth_client *c)
{
	oauth_drop(&c->id);
	oauth_drop(&c->secret);
	*c = (struct oauth_client){ 0 };
}

/* A program on the user's machine can keep no secret from the user: it asks for none where the server lets it. */
enum oauth_method oauth_method_to_ask(const struct oauth_server *server)
{
	if (!server->has_methods || server->has_none)
		return OAUTH_NONE;
	return oauth_method_with_secret(server);
}

enum oauth_method oauth_method_with_secret(const struct oauth_server *server)
{
	return server->has_post && !server->has_basic ? OAUTH_POST : OAUTH_BASIC;
}

void oauth_write_registration(const char *redirect, enum oauth_method method, const char *scope, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_string(&w, "client_name", STR("weir"));
	json_member_string(&w, "application_type", STR("native"));
	json_member_verbatim(&w, "grant_types", STR("[\"authorization_code\",\"refresh_token\"]"));
	json_member_verbatim(&w, "response_types", STR("[\"code\"]"));
	json_member_string(&w, "token_endpoint_auth_method", str_from(methods[method]));
	json_key(&w, "redirect_uris");
	json_open_array(&w);
	json_string(&w, str_from(redirect));
	json_close_array(&w);
	if (scope)
		json_member_string(&w, "scope", str_from(scope));
	json_close_object(&w);
}

bool oauth_client_read(struct oauth_client *c, struct str text, enum oauth_method asked, struct error *err)
{
	char *method = oauth_secret_of(text, "token_endpoint_auth_method");

	*c = (struct oauth_client){ .id = oauth_secret_of(text, "client_id"), .secret = oauth_secret_of(text, "client_secret"), .method = asked };
	for (enum oauth_method m = 0; method && m < OAUTH_METHOD_COUNT; m++)
		if (!strcmp(method, methods[m]))
			c->method = m;
	mem_free(method);
	if (!c->id)
		return error_set(err, "the authorization server registered weir, but gave it no client_id");
	if (c->method != OAUTH_NONE && !c->secret)
		return error_set(err, "the authorization server registered weir with a secret (%s), but gave it none", methods[c->method]);
	if (c->method == OAUTH_NONE)
		oauth_drop(&c->secret);
	return true;
}

/* --- forms --- */

static void form_add(struct buf *out, const char *name, struct str value)
{
	buf_printf(out, "%s%s=", out->len && !str_ends(buf_str(out), "?") ? "&" : "", name);
	percent_encode(value, KEPT, out);
}

/* The first member of that name, decoded. False: there is none, or there are two, of which one could be believed by others. */
static bool form_get(struct str form, const char *name, struct buf *value)
{
	struct str pair;
	unsigned found = 0;

	buf_clear(value);
	while (str_split(&form, '&', &pair)) {
		size_t at = str_find(pair, STR("="));

		if (!str_is(str_head(pair, at), name))
			continue;
		if (!found++) {
			char *text = str_dup(str_skip(pair, at + 1));

			for (char *c = text; *c; c++)
				*c = *c == '+' ? ' ' : *c;
			percent_decode(str_from(text), value);
			oauth_drop(&text);
		}
	}
	return found == 1;
}

void oauth_write_page(const struct oauth_attempt *a, struct buf *url)
{
	struct str place = str_from(a->server->authorization);
	char challenge[DIGEST_BASE64URL + 1];

	digest_base64url(str_from(a->verifier), challenge);
	buf_clear(url);
	buf_add(url, place);
	if (str_find(place, STR("?")) == place.len)
		buf_add_byte(url, '?');
	form_add(url, "response_type", STR("code"));
	form_add(url, "client_id", str_from(a->client->id));
	form_add(url, "redirect_uri", str_from(a->redirect));
	form_add(url, "code_challenge", str_from(challenge));
	form_add(url, "code_challenge_method", STR("S256"));
	form_add(url, "state", str_from(a->state));
	form_add(url, "resource", str_from(a->resource));
	if (a->scope)
		form_add(url, "scope", str_from(a->scope));
}

static void refused_words(struct str form, struct buf *scratch, struct error *err)
{
	struct buf words = { 0 };

	(void)form_get(form, "error", scratch);
	(void)utf8_repair(str_head(str_trim(buf_str(scratch)), SHOWN_MOST), &words);
	if (form_get(form, "error_description", scratch) && scratch->len) {
		buf_add_z(&words, ": ");
		(void)utf8_repair(str_head(str_trim(buf_str(scratch)), SHOWN_MOST), &words);
	}
	error_set(err, "the authorization server refuses: %s", buf_z(&words));
	buf_fini(&words);
}

enum oauth_return oauth_return_read(const struct oauth_attempt *a, struct str target, struct buf *code, struct error *err)
{
	struct str form = str_skip(target, str_find(target, STR("?")) + 1);
	struct buf value = { 0 };
	enum oauth_return result = OAUTH_REFUSED;
	bool names_issuer;

	if (!form_get(form, "state", &value) || !str_is(buf_str(&value), a->state)) {
		buf_fini(&value);
		return OAUTH_STRAY;
	}
	names_issuer = form_get(form, "iss", &value);
	if (names_issuer ? !str_is(buf_str(&value), a->server->issuer) : a->server->names_issuer || value.len)
		error_set(err, names_issuer ? "the answer came from another issuer than the one that was asked: it is not used"
		                            : "the answer does not say which issuer it is from, although it should: it is not used");
	else if (form_get(form, "code", code) && is_visible(buf_str(code)) && code->len <= OAUTH_SECRET_MOST)
		result = OAUTH_CODE;
	else if (form_get(form, "error", &value))
		refused_words(form, &value, err);
	else
		error_set(err, "the authorization server sent the browser back without a code");
	buf_fini(&value);
	return result;
}

/* --- tokens --- */

static void form_add_client(const struct oauth_client *c, struct buf *body, struct buf *header)
{
	struct buf pair = { 0 };

	if (c->method != OAUTH_BASIC)
		form_add(body, "client_id", str_from(c->id));
	if (c->method == OAUTH_POST)
		form_add(body, "client_secret", str_from(c->secret));
	if (c->method != OAUTH_BASIC)
		return;
	secret_make_room(&pair, BODY_ROOM);
	percent_encode(str_from(c->id), KEPT, &pair);
	buf_add_byte(&pair, ':');
	percent_encode(str_from(c->secret), KEPT, &pair);
	buf_add_z(header, "authorization: Basic ");
	base64_encode(buf_str(&pair), header);
	oauth_wipe(&pair);
}

static void form_begin(struct buf *body, struct buf *header, const char *grant)
{
	secret_make_room(body, BODY_ROOM);
	secret_make_room(header, 2 * BODY_ROOM);
	form_add(body, "grant_type", str_from(grant));
}

void oauth_write_code(const struct oauth_attempt *a, struct str code, struct buf *body, struct buf *header)
{
	form_begin(body, header, "authorization_code");
	form_add(body, "code", code);
	form_add(body, "redirect_uri", str_from(a->redirect));
	form_add(body, "code_verifier", str_from(a->verifier));
	form_add(body, "resource", str_from(a->resource));
	form_add_client(a->client, body, header);
}

void oauth_write_refresh(const struct oauth_client *client, struct str refresh, const char *resource, struct buf *body, struct buf *header)
{
	form_begin(body, header, "refresh_token");
	form_add(body, "refresh_token", refresh);
	form_add(body, "resource", str_from(resource));
	form_add_client(client, body, header);
}

static int64_t expires_of(struct str text)
{
	struct str raw = json_scan_find(text, (const char *const[]){ "expires_in", NULL });
	long long seconds;

	if (str_starts(raw, "\"") && raw.len > 2) /* some write it as a string */
		raw = str_of(raw.ptr + 1, raw.len - 2);
	raw = str_head(raw, str_find(raw, STR(".")));
	return str_to_int(raw, &seconds) && seconds <= EXPIRES_MOST ? seconds : -1;
}

static char *scope_of(struct str text)
{
	struct str raw = json_scan_find(text, (const char *const[]){ "scope", NULL });
	char *scope = NULL;

	if (str_starts(raw, "\"") && raw.len > 2)
		oauth_scope_join(&scope, str_of(raw.ptr + 1, raw.len - 2)); /* a scope has no character that JSON escapes, but for the slash */
	return scope;
}

bool oauth_token_read(struct oauth_token *t, struct str text, struct error *err)
{
	char *type;

	*t = (struct oauth_token){ .expires_in_s = -1 };
	if (!json_scan_is_whole(text))
		return error_set(err, "the authorization server's answer about the token is no JSON");
	type = oauth_secret_of(text, "token_type");
	t->access = oauth_secret_of(text, "access_token");
	bool is_bearer = type && str_is_nocase(str_from(type), "Bearer");
	mem_free(type);
	if (!t->access)
		return error_set(err, "the authorization server's answer holds no token that can be sent");
	if (!is_bearer)
		return error_set(err, "the authorization server gave a token of another type than Bearer, which weir cannot use");
	t->refresh = oauth_secret_of(text, "refresh_token");
	t->scope = scope_of(text);
	t->expires_in_s = expires_of(text);
	return true;
}

void oauth_token_fini(struct oauth_token *t)
{
	oauth_drop(&t->access);
	oauth_drop(&t->refresh);
	mem_free(t->scope);
	*t = (struct oauth_token){ 0 };
}

/* Masked before it is cut: the beginning of a secret would not be found. */
static void error_add_words(struct str words, const struct redact_set *secrets, struct buf *out)
{
	struct buf room = { 0 };

	(void)utf8_repair(str_head(str_trim(redact_text(secrets, words, &room)), SHOWN_MOST), out);
	buf_fini(&room);
}

void oauth_error_write(struct str text, const struct redact_set *secrets, struct buf *out)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	const struct json *object = json_parse(parser, text, &used);
	struct str code = json_get_text(object, "error"), words = json_get_text(object, "error_description");

	error_add_words(code, secrets, out);
	if (code.len && words.len)
		buf_add_z(out, ": ");
	error_add_words(words, secrets, out);
	json_parser_free(parser);
}
