#include "app/mcp/mcp_auth.h"

#include <string.h>
#include <time.h>

#include "app/mcp/oauth_fetch.h"
#include "base/mem.h"
#include "store/config/mcp_tokens.h"

#define EARLY_S 20 /* a token that is about to expire is renewed */

struct mcp_auth {
	const struct mcp_server *server;
	struct http *http;
	environment *env;
	struct mcp_token token;      /* without `access`: there is none */
	struct oauth_fetch *renewal; /* NULL: none is on the way */
	struct buf body, header;     /* of it */
	bool tried;                  /* to renew it, since it was last of use */
	struct error trouble;        /* why the token is not of use; "": not known */
};

struct mcp_auth *mcp_auth_new(const struct mcp_server *server, struct http *http, environment *env)
{
	struct mcp_auth *a = mem_new(sizeof *a);

	a->server = server;
	a->http = http;
	a->env = env;
	(void)!mcp_token_read(&a->token, server->url, &a->trouble);
	return a;
}

static void renewal_end(struct mcp_auth *a)
{
	oauth_fetch_free(a->renewal);
	a->renewal = NULL;
	oauth_wipe(&a->body);
	oauth_wipe(&a->header);
}

void mcp_auth_free(struct mcp_auth *a)
{
	if (!a)
		return;
	renewal_end(a);
	mcp_token_fini(&a->token);
	mem_free(a);
}

struct str mcp_auth_token(const struct mcp_auth *a)
{
	return str_from(a->token.access);
}

bool mcp_auth_is_due(const struct mcp_auth *a)
{
	return a->token.refresh && a->token.expires_s && !a->tried && time(NULL) + EARLY_S >= a->token.expires_s;
}

bool mcp_auth_is_renewing(const struct mcp_auth *a)
{
	return a->renewal != NULL;
}

void mcp_auth_works(struct mcp_auth *a)
{
	a->tried = false;
}

int64_t mcp_auth_deadline(const struct mcp_auth *a)
{
	return a->renewal ? oauth_fetch_deadline(a->renewal) : NO_DEADLINE;
}

/* --- renewal --- */

/* Another program may have renewed it, and the server took back the old one then; or the user has logged in elsewhere. */
static bool auth_takes_fresh(struct mcp_auth *a)
{
	struct mcp_token kept;
	struct error err = { "" };
	bool fresh = mcp_token_read(&kept, a->server->url, &err) && (!a->token.access || strcmp(kept.access, a->token.access) != 0);

	if (!fresh) {
		mcp_token_fini(&kept);
		return false;
	}
	mcp_token_fini(&a->token);
	a->token = kept;
	a->tried = false;
	a->trouble = (struct error){ "" };
	return true;
}

bool mcp_auth_renew(struct mcp_auth *a)
{
	struct oauth_client client = a->token.client;
	const char *secret = a->server->client_secret_env ? a->env(a->server->client_secret_env) : NULL;

	if (a->renewal)
		return true;
	if (auth_takes_fresh(a))
		return true;
	if (!a->token.refresh || a->tried)
		return false;
	a->tried = true;
	if (client.method != OAUTH_NONE && !client.secret)
		client.secret = (char *)(uintptr_t)(secret ? secret : "");
	oauth_write_refresh(&client, str_from(a->token.refresh), a->token.resource, &a->body, &a->header);
	a->renewal = oauth_fetch_new(a->http, &(struct oauth_ask){
		.sending = a->server->sending, .env = a->env, .url = a->token.endpoint, .body = buf_str(&a->body), .is_form = true,
		.header = buf_z(&a->header),
	});
	return true;
}

static void renewal_take(struct mcp_auth *a, struct oauth_token *fresh)
{
	struct error err = { "" };

	oauth_drop(&a->token.access);
	a->token.access = fresh->access;
	fresh->access = NULL;
	if (fresh->refresh) {
		oauth_drop(&a->token.refresh);
		a->token.refresh = fresh->refresh;
		fresh->refresh = NULL;
	}
	a->token.expires_s = fresh->expires_in_s >= 0 ? (int64_t)time(NULL) + fresh->expires_in_s : 0;
	if (!mcp_token_keep(&a->token, a->server->url, &err))
		error_set(&a->trouble, "the renewed token cannot be kept: %.800s", err.text);
}

void mcp_auth_run(struct mcp_auth *a, int64_t now_ms)
{
	struct oauth_token fresh = { 0 };
	struct buf words = { 0 };

	if (!a->renewal || !oauth_fetch_is_over(a->renewal, now_ms))
		return;
	if (!oauth_fetch_status(a->renewal)) {
		error_set(&a->trouble, "it could not be renewed, %s", oauth_fetch_failure(a->renewal));
	} else if (oauth_fetch_status(a->renewal) / 100 != 2) {
		oauth_error_write(oauth_fetch_body(a->renewal), &words);
		error_set(&a->trouble, "it could not be renewed (HTTP %d%s%s)", oauth_fetch_status(a->renewal), words.len ? ", " : "", buf_z(&words));
	} else if (oauth_token_read(&fresh, oauth_fetch_body(a->renewal), &a->trouble)) {
		renewal_take(a, &fresh);
	}
	oauth_token_fini(&fresh);
	buf_fini(&words);
	renewal_end(a);
}

/* --- refusals --- */

static void auth_wants(struct mcp_auth *a, const char *scope)
{
	struct error err = { "" };

	oauth_scope_join(&a->token.wanted, str_from(scope));
	if (a->token.access)
		(void)!mcp_token_keep(&a->token, a->server->url, &err); /* the next login then asks for less than it could */
}

void mcp_auth_explain(struct mcp_auth *a, int status, const struct oauth_challenge *c, struct error *words)
{
	const char *target = a->server->file ? a->server->name : a->server->url;

	if (status == 403) {
		auth_wants(a, c->scope);
		error_set(words, "the token does not allow this, the server wants more%s%.400s (HTTP 403): weir mcp login %.300s asks for it",
		          c->scope ? ": " : "", c->scope ? c->scope : "", target);
	} else if (a->token.access) {
		error_set(words, "the server does not take the kept token (HTTP 401)%s%.400s: weir mcp login %.300s gets another one",
		          *a->trouble.text ? ", " : "", a->trouble.text, target);
	} else {
		error_set(words, "the server wants authorization (HTTP 401): weir mcp login %.300s, or set key_env, key_file or key_command in "
		          "[mcp %s]", target, a->server->name);
	}
}
