/*
 * `weir mcp login` and `weir mcp logout`. A login is a sequence of requests, each of which is awaited: what the server wants, the metadata, the
 * registration; then the browser, and the token. What the answers may be is decided in wire/mcp/oauth_metadata.h and oauth_request.h.
 */
#include "app/mcp/shell/mcp_shell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/mcp/oauth_fetch.h"
#include "app/mcp/shell/mcp_return.h"
#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/signals.h"
#include "base/array.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/os/random.h"
#include "store/config/mcp_tokens.h"

#define BROWSER_MS (5 * 60 * 1000) /* until the user has agreed, without --timeout */
#define PROBE "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\",\"params\":{}}"
#define RANDOM_BYTES 32u

struct login {
	struct setup *setup;
	const struct mcp_server *server;
	bool plain;                      /* the server is on this machine, over http */
	bool stopped;                    /* by a signal */
	int64_t until_ms;                /* of the browser; 0: it is not waited for */
	struct oauth_fetch *fetch;       /* the last one */
	bool wants_login;                /* the server refused a request without a token */
	struct oauth_challenge challenge;
	struct oauth_resource resource;
	struct oauth_server issuer;
	struct oauth_client client;
	struct mcp_token kept, fresh;    /* of an earlier login; of this one */
	struct mcp_return back;
	char verifier[2 * RANDOM_BYTES + 1], state[2 * RANDOM_BYTES + 1];
	char *scope;
	struct error why;                /* of the failure */
	int status;
};

static bool PRINTF_LIKE(2, 3) login_fails(struct login *l, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(l->why.text, sizeof l->why.text, format, args);
	va_end(args);
	return false;
}

/* --- requests --- */

static int64_t login_deadline(void *ctx)
{
	const struct login *l = ctx;
	int64_t due_ms = l->fetch ? oauth_fetch_deadline(l->fetch) : NO_DEADLINE;

	return l->until_ms && l->until_ms < due_ms ? l->until_ms : due_ms;
}

static void login_tick(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	(void)ctx, (void)fds, (void)count, (void)now_ms; /* whoever waits looks after each turn */
}

/* Waits for the response. False: it was interrupted, or nothing came, of which `why` tells. */
static bool login_ask(struct login *l, const char *what, struct oauth_ask ask)
{
	ask.sending = l->server->sending;
	ask.env = process_environment;
	oauth_fetch_free(l->fetch);
	l->fetch = oauth_fetch_new(l->setup->http, &ask);
	while (!l->stopped && !oauth_fetch_is_over(l->fetch, clock_now_ms()))
		loop_turn(l->setup->loop);
	if (l->stopped)
		return false;
	return oauth_fetch_status(l->fetch) || login_fails(l, "%s (%.300s): %.300s", what, ask.url, oauth_fetch_failure(l->fetch));
}

static bool login_is_answered(const struct login *l)
{
	return oauth_fetch_status(l->fetch) / 100 == 2;
}

/* What was sent, and what is kept of an earlier login. */
static void login_find_secrets(const struct login *l, struct redact_set *secrets)
{
	const char *const all[] = { l->client.secret, l->kept.access, l->kept.refresh, l->kept.client.secret, l->verifier };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		redact_set_add_forms(secrets, str_from(all[i]));
	redact_set_add_forms(secrets, buf_str(&l->back.code));
}

static bool login_is_refused(struct login *l, const char *what)
{
	struct redact_set secrets = { 0 };
	struct buf words = { 0 };

	login_find_secrets(l, &secrets);
	oauth_error_write(oauth_fetch_body(l->fetch), &secrets, &words);
	login_fails(l, "%s: the authorization server answers with HTTP %d%s%s", what, oauth_fetch_status(l->fetch), words.len ? ", " : "",
	            buf_z(&words));
	buf_fini(&words);
	redact_set_fini(&secrets);
	return false;
}

/* --- discovery --- */

static bool login_probe(struct login *l)
{
	const struct oauth_ask probe = {
		.url = l->server->url, .body = STR(PROBE), .accept = "accept: application/json, text/event-stream", .head_only = true,
	};

	if (!login_ask(l, "the server", probe))
		return false;
	l->wants_login = oauth_fetch_status(l->fetch) == 401;
	oauth_challenge_take(&l->challenge, oauth_fetch_challenge(l->fetch));
	return true;
}

/* Metadata at one address after the other. True: they are in the fetch. False without words: there are none. */
static bool login_look(struct login *l, const char *what, struct str base, bool (*place)(struct str base, unsigned step, struct buf *out))
{
	struct buf url = { 0 };
	bool found = false;

	for (unsigned step = 0; !found && !l->stopped && place(base, step, &url); step++)
		found = login_ask(l, what, (struct oauth_ask){ .url = buf_z(&url) }) && login_is_answered(l);
	if (found || (l->fetch && oauth_fetch_status(l->fetch) / 100 == 4))
		l->why.text[0] = '\0';
	else if (!l->stopped && !*l->why.text)
		login_fails(l, "%s (%.300s): HTTP %d, and redirects are not followed", what, buf_z(&url), oauth_fetch_status(l->fetch));
	buf_fini(&url);
	return found;
}

static bool login_find_resource(struct login *l)
{
	const char *what = "the metadata of the server";
	const char *named = l->challenge.metadata;
	bool found;

	if (named && !oauth_url_check(str_from(named), l->plain))
		return login_fails(l, "the server names an address without https for its metadata: it is not asked");
	if (named) {
		found = login_ask(l, what, (struct oauth_ask){ .url = named });
		if (found && !login_is_answered(l))
			return login_fails(l, "%s (%.300s): HTTP %d, and redirects are not followed", what, named, oauth_fetch_status(l->fetch));
	} else {
		found = login_look(l, what, str_from(l->server->url), oauth_resource_url);
	}
	return found && oauth_resource_read(&l->resource, oauth_fetch_body(l->fetch), str_from(l->server->url), &l->why);
}

static bool login_find_issuer(struct login *l)
{
	bool has_resource = l->resource.issuer != NULL;
	struct str issuer = has_resource ? str_from(l->resource.issuer) : oauth_url_origin(str_from(l->server->url));

	if (login_look(l, "the metadata of the authorization server", issuer, oauth_issuer_url))
		return oauth_server_read(&l->issuer, oauth_fetch_body(l->fetch), issuer, l->plain, &l->why);
	if (l->stopped || *l->why.text)
		return false;
	if (has_resource)
		return login_fails(l, "the authorization server %.*s has no metadata", STR_ARG(issuer));
	if (!l->wants_login)
		return login_fails(l, "the server answers without authorization: no login is needed");
	oauth_server_assume(&l->issuer, issuer);
	return true;
}

/* A server without metadata is one of the revision of 2025-03-26: its own host is the authorization server. */
static bool login_discover(struct login *l)
{
	if (!login_probe(l) || (!login_find_resource(l) && (l->stopped || *l->why.text)) || !login_find_issuer(l))
		return false;
	if (!l->resource.resource)
		l->resource.resource = mem_dup_z(l->server->url);
	return true;
}

/* --- the client --- */

static bool login_register(struct login *l)
{
	enum oauth_method method = oauth_method_to_ask(&l->issuer);
	struct buf body = { 0 };
	bool good;

	if (!l->issuer.registration)
		return login_fails(l, "the authorization server %.300s registers nobody by itself: get a client there, and set client_id (and "
		                      "client_secret_env) in [mcp %s]", l->issuer.issuer, l->server->name);
	oauth_write_registration(l->back.redirect, method, l->scope, &body);
	good = login_ask(l, "the registration", (struct oauth_ask){ .url = l->issuer.registration, .body = buf_str(&body) });
	if (good && !login_is_answered(l))
		good = login_is_refused(l, "the registration of weir failed");
	good = good && oauth_client_read(&l->client, oauth_fetch_body(l->fetch), method, &l->why);
	buf_fini(&body);
	return good;
}

/* The client of the settings belongs to one authorization server: another one does not get its secret. */
static bool login_use_client(struct login *l)
{
	const char *variable = l->server->client_secret_env, *secret = variable ? process_environment(variable) : NULL;

	if (l->kept.issuer && strcmp(l->kept.issuer, l->issuer.issuer) != 0)
		return login_fails(l, "the server names another authorization server (%.200s) than at the last login (%.200s), and client_id "
		                      "belongs to that one: if this is right, weir mcp logout first", l->issuer.issuer, l->kept.issuer);
	if (variable && (!secret || !*secret))
		return login_fails(l, "the variable %s (client_secret_env of [mcp %s]) is not set", variable, l->server->name);
	l->client.id = mem_dup_z(l->server->client_id);
	l->client.secret = mem_dup_z(secret);
	l->client.method = secret ? oauth_method_with_secret(&l->issuer) : OAUTH_NONE;
	return true;
}

static bool login_find_client(struct login *l)
{
	struct str id = str_from(l->server->client_id);
	bool is_document = str_starts(id, "https://");

	if (id.len && (!is_document || l->server->client_secret_env))
		return login_use_client(l);
	if (!is_document || !l->issuer.takes_documents)
		return login_register(l);
	l->client = (struct oauth_client){ .id = str_dup(id), .method = OAUTH_NONE };
	return true;
}

/* What was asked for before is asked for again: else it would be lost. */
static void login_choose_scope(struct login *l)
{
	if (l->kept.issuer && !strcmp(l->kept.issuer, l->issuer.issuer)) {
		oauth_scope_join(&l->scope, str_from(l->kept.scope));
		oauth_scope_join(&l->scope, str_from(l->kept.wanted));
	}
	oauth_scope_join(&l->scope, str_from(l->challenge.scope ? l->challenge.scope : l->resource.scope));
	if (l->issuer.has_offline)
		oauth_scope_join(&l->scope, STR("offline_access"));
}

/* --- the browser --- */

static bool login_random(struct login *l, char *text)
{
	unsigned char bytes[RANDOM_BYTES];

	if (!random_fill(bytes, sizeof bytes))
		return login_fails(l, "the system has no random numbers");
	for (size_t i = 0; i < sizeof bytes; i++)
		snprintf(text + 2 * i, 3, "%02x", bytes[i]);
	return true;
}

/* Where there is no screen, the address that is printed has to do. */
static void login_open_browser(struct login *l, const char *url)
{
	const char *browser = process_environment("BROWSER"), *opener = l->setup->settings.opener;
	bool has_screen = process_environment("DISPLAY") || process_environment("WAYLAND_DISPLAY");
	struct child child = { 0 };
	int failure;

	complain("%s: agree in the browser; if no page opens, open this one: %s", l->server->name, url);
	if (!browser || !*browser)
		browser = opener ? opener : has_screen ? OPENER_DEFAULT : NULL;
	if (!browser)
		return;
	failure = child_start_line(&child, str_from(browser), url, &(struct child_options){ .place = CHILD_APART });
	if (failure)
		complain("%s: the browser (%s) could not be started: %s", l->server->name, browser, strerror(failure));
	else
		child_leave(&child);
}

static bool login_agree(struct login *l, const struct oauth_attempt *attempt)
{
	double seconds = l->setup->options->timeout_s;
	struct buf url = { 0 };

	oauth_write_page(attempt, &url);
	l->back.attempt = attempt;
	login_open_browser(l, buf_z(&url));
	buf_fini(&url);
	oauth_fetch_free(l->fetch);
	l->fetch = NULL;
	l->until_ms = clock_now_ms() + (seconds > 0 ? (int64_t)(seconds * 1000 + 0.999) : BROWSER_MS);
	while (!l->stopped && !l->back.is_there && clock_now_ms() < l->until_ms)
		loop_turn(l->setup->loop);
	bool late = !l->stopped && !l->back.is_there;
	l->until_ms = 0;
	if (late) {
		l->status = EXIT_CUT;
		return login_fails(l, "the browser did not come back in time (--timeout)");
	}
	if (l->back.is_there && l->back.how == OAUTH_REFUSED)
		return login_fails(l, "%s", l->back.why.text);
	return l->back.is_there;
}

/* --- the token --- */

static void login_take(struct login *l, struct oauth_token *t)
{
	bool has_settings = l->server->client_id && l->server->client_secret_env;

	l->fresh = (struct mcp_token){
		.resource = mem_dup_z(l->resource.resource), .issuer = mem_dup_z(l->issuer.issuer), .endpoint = mem_dup_z(l->issuer.token),
		.scope = mem_dup_z(l->scope), .access = t->access, .refresh = t->refresh,
		.client = { .id = mem_dup_z(l->client.id), .secret = has_settings ? NULL : mem_dup_z(l->client.secret), .method = l->client.method },
		.expires_s = t->expires_in_s >= 0 ? (int64_t)time(NULL) + t->expires_in_s : 0,
	};
	oauth_scope_join(&l->fresh.scope, str_from(t->scope));
	t->access = t->refresh = NULL;
}

static bool login_get_token(struct login *l, const struct oauth_attempt *attempt)
{
	struct buf body = { 0 }, header = { 0 };
	struct oauth_token token = { 0 };
	bool good;

	oauth_write_code(attempt, buf_str(&l->back.code), &body, &header);
	good = login_ask(l, "the token", (struct oauth_ask){
		.url = l->issuer.token, .body = buf_str(&body), .is_form = true, .header = buf_z(&header),
	});
	if (good && !login_is_answered(l))
		good = login_is_refused(l, "no token came");
	good = good && oauth_token_read(&token, oauth_fetch_body(l->fetch), &l->why);
	if (good)
		login_take(l, &token);
	oauth_token_fini(&token);
	oauth_wipe(&body);
	oauth_wipe(&header);
	return good && mcp_token_keep(&l->fresh, l->server->url, &l->why);
}

/* --- the run --- */

static bool login_steps(struct login *l)
{
	struct oauth_attempt attempt;

	l->plain = oauth_url_is_plain(str_from(l->server->url));
	(void)!mcp_token_read(&l->kept, l->server->url, &l->why); /* an unreadable one is replaced */
	l->why.text[0] = '\0';
	if (!login_discover(l))
		return false;
	login_choose_scope(l);
	if (!mcp_return_open(&l->back, &l->why) || !login_find_client(l) || !login_random(l, l->verifier) || !login_random(l, l->state))
		return false;
	attempt = (struct oauth_attempt){
		.server = &l->issuer, .client = &l->client, .resource = l->resource.resource, .redirect = l->back.redirect, .scope = l->scope,
		.verifier = l->verifier, .state = l->state,
	};
	bool good = login_agree(l, &attempt) && login_get_token(l, &attempt);
	l->back.attempt = NULL;
	return good;
}

static void login_fini(struct login *l)
{
	oauth_fetch_free(l->fetch);
	oauth_challenge_fini(&l->challenge);
	oauth_resource_fini(&l->resource);
	oauth_server_fini(&l->issuer);
	oauth_client_fini(&l->client);
	mcp_token_fini(&l->kept);
	mcp_token_fini(&l->fresh);
	mcp_return_close(&l->back);
	mem_wipe(l->verifier, sizeof l->verifier);
	mem_free(l->scope);
}

static int login_run(struct setup *setup, const struct mcp_server *server)
{
	struct login l = { .setup = setup, .server = server, .status = EXIT_ERROR };
	struct signals_listener listener = { .take = signals_take_end, .ctx = &l.stopped };
	struct loop_member signals = signals_member(&listener), back = mcp_return_member(&l.back);
	struct loop_member member = { .ctx = &l, .deadline = login_deadline, .run = login_tick };
	int status;

	loop_add(setup->loop, &signals);
	loop_add(setup->loop, &back);
	loop_add(setup->loop, &member);
	if (login_steps(&l)) {
		complain("%s: logged in at %s%s%s", server->name, l.issuer.issuer, l.fresh.scope ? ", for " : "", l.fresh.scope ? l.fresh.scope : "");
		status = EXIT_DONE;
	} else {
		if (!l.stopped)
			complain("%s: %s", server->name, l.why.text);
		status = l.stopped ? EXIT_CANCELLED : l.status;
	}
	loop_remove(setup->loop, &l);
	loop_remove(setup->loop, &l.back);
	loop_remove(setup->loop, &listener);
	login_fini(&l);
	return status;
}

static int logout_run(struct setup *setup, const struct mcp_server *server)
{
	struct error err = { "" };

	(void)setup;
	if (mcp_token_forget(server->url, &err)) {
		complain("%s: its token is deleted here; the server may take it until it expires", server->name);
		return EXIT_DONE;
	}
	complain("%s: %s", server->name, *err.text ? err.text : "no token is kept for it");
	return EXIT_LOCAL;
}

static bool login_check(const struct mcp_server *server, struct error *err)
{
	const struct provider *p = server->sending;

	if (!server->url)
		return error_set(err, "[mcp %s] is a program, which needs no login", server->name);
	if (p->key_env || p->key_file || p->key_command)
		return error_set(err, "[mcp %s] has a key, which is sent instead of what a login would get", server->name);
	return oauth_url_check(str_from(server->url), true) ||
	       error_set(err, "a token is not sent over plain http: the server's url must begin with https://");
}

static int login_with(const struct options *o, const char *target, int (*run)(struct setup *setup, const struct mcp_server *server))
{
	struct mcp_server *unnamed = NULL;
	const struct mcp_server *server = NULL;
	struct setup setup;
	struct error err = { "" };
	int status;

	if (setup_init(&setup, o, &err))
		server = mcp_shell_server(&setup, NULL, target, &unnamed, &err);
	status = server && login_check(server, &err) ? run(&setup, server) : usage_error("%s", err.text);
	setup_fini(&setup);
	signals_close();
	mcp_server_free(unnamed);
	return status;
}

int mcp_login_run(const struct options *o, const char *target)
{
	return login_with(o, target, login_run);
}

int mcp_logout_run(const struct options *o, const char *target)
{
	return login_with(o, target, logout_run);
}
