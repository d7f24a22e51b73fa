#include "app/mcp/mcp_auth.h"

#include <string.h>
#include <time.h>

#include "app/mcp/oauth_fetch.h"
#include "base/array.h"
#include "base/mem.h"
#include "chat/exchange/outgoing.h"
#include "store/config/mcp_tokens.h"

#define EARLY_S 20     /* a token that is about to expire is renewed */
#define LOOK_MS 50     /* how often one looks whether another program has renewed it */
#define PATIENCE_MS (OAUTH_FETCH_MS + 5000) /* and how long: it may have been stopped */

struct mcp_auth {
	const struct mcp_server *server;
	struct http *http;
	environment *env;
	struct redact_set *secrets;
	struct mcp_token token;      /* without `access`: there is none */
	int lock;                    /* mcp_token_lock(); held as long as it is renewed */
	int64_t since_ms, look_ms;   /* another program renews it: since when, when to look again; 0: none does */
	struct oauth_fetch *renewal; /* NULL: none is on the way */
	struct buf body, header;     /* of it */
	bool tried;                  /* to renew it, since it was last of use */
	struct error trouble;        /* why the token is not of use; "": not known */
};

static void auth_add_secrets(struct mcp_auth *a)
{
	const struct mcp_token *t = &a->token;
	const char *const all[] = { t->access, t->refresh, t->client.secret };

	for (size_t i = 0; i < ARRAY_LEN(all); i++)
		redact_set_add_forms(a->secrets, str_from(all[i]));
}

struct mcp_auth *mcp_auth_new(const struct mcp_server *server, struct http *http, environment *env, struct redact_set *secrets)
{
	struct mcp_auth *a = mem_new(sizeof *a);

	a->server = server;
	a->http = http;
	a->env = env;
	a->secrets = secrets;
	a->lock = MCP_TOKEN_UNLOCKED;
	(void)!mcp_token_read(&a->token, server->url, &a->trouble);
	auth_add_secrets(a);
	return a;
}

static void renewal_end(struct mcp_auth *a)
{
	oauth_fetch_free(a->renewal);
	a->renewal = NULL;
	oauth_wipe(&a->body);
	oauth_wipe(&a->header);
	private_file_unlock(a->lock);
	a->lock = MCP_TOKEN_UNLOCKED;
	a->since_ms = a->look_ms = 0;
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
	return a->renewal || a->look_ms;
}

void mcp_auth_works(struct mcp_auth *a)
{
	a->tried = false;
}

int64_t mcp_auth_deadline(const struct mcp_auth *a)
{
	return a->renewal ? oauth_fetch_deadline(a->renewal) : a->look_ms ? a->look_ms : NO_DEADLINE;
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
	auth_add_secrets(a);
	a->tried = false;
	a->trouble = (struct error){ "" };
	return true;
}

/* Those of the last renewals are known to what servers say now; all of a long session would be too many to search for. */
static void renewal_add_secrets(struct mcp_auth *a, const struct oauth_client *client)
{
	if (a->secrets->bytes > REDACT_BYTES_MOST)
		redact_set_fini(a->secrets);
	auth_add_secrets(a);
	redact_set_add_forms(a->secrets, str_from(client->secret));
	outgoing_add_secrets(a->secrets, buf_z(&a->header));
}

static void renewal_begin(struct mcp_auth *a)
{
	struct oauth_client client = a->token.client;
	const char *secret = a->server->client_secret_env ? a->env(a->server->client_secret_env) : NULL;

	if (client.method != OAUTH_NONE && !client.secret)
		client.secret = (char *)(uintptr_t)(secret ? secret : "");
	oauth_write_refresh(&client, str_from(a->token.refresh), a->token.resource, &a->body, &a->header);
	renewal_add_secrets(a, &client);
	a->renewal = oauth_fetch_new(a->http, &(struct oauth_ask){
		.sending = a->server->sending, .env = a->env, .url = a->token.endpoint, .body = buf_str(&a->body), .is_form = true,
		.header = buf_z(&a->header),
	});
}

/* One program renews it, and the others take the new one. */
static void renewal_try(struct mcp_auth *a, int64_t now_ms)
{
	a->lock = mcp_token_lock(a->server->url);
	a->since_ms = a->since_ms ? a->since_ms : now_ms;
	if (a->lock == MCP_TOKEN_HELD && now_ms < a->since_ms + PATIENCE_MS)
		a->look_ms = now_ms + LOOK_MS;
	else if (auth_takes_fresh(a))
		renewal_end(a);
	else
		renewal_begin(a);
}

bool mcp_auth_renew(struct mcp_auth *a)
{
	if (mcp_auth_is_renewing(a) || auth_takes_fresh(a))
		return true;
	if (!a->token.refresh || a->tried)
		return false;
	a->tried = true;
	renewal_try(a, clock_now_ms());
	return true;
}

static void renewal_take(struct mcp_auth *a, struct oauth_token *fresh)
{
	struct mcp_token kept;
	struct error err = { "" };

	if (auth_takes_fresh(a)) /* of a login meanwhile, which is newer */
		return;
	bool is_kept = mcp_token_read(&kept, a->server->url, &err); /* else the user has logged out meanwhile */
	oauth_scope_join(&a->token.wanted, str_from(kept.wanted));
	mcp_token_fini(&kept);
	oauth_drop(&a->token.access);
	a->token.access = fresh->access;
	fresh->access = NULL;
	if (fresh->refresh) {
		oauth_drop(&a->token.refresh);
		a->token.refresh = fresh->refresh;
		fresh->refresh = NULL;
	}
	auth_add_secrets(a);
	a->token.expires_s = fresh->expires_in_s >= 0 ? (int64_t)time(NULL) + fresh->expires_in_s : 0;
	if (is_kept && !mcp_token_keep(&a->token, a->server->url, &err))
		error_set(&a->trouble, "the renewed token cannot be kept: %.800s", err.text);
}

void mcp_auth_run(struct mcp_auth *a, int64_t now_ms)
{
	struct oauth_token fresh = { 0 };
	struct buf words = { 0 };

	if (!a->renewal && a->look_ms && now_ms >= a->look_ms) {
		a->look_ms = 0;
		renewal_try(a, now_ms);
	}
	if (!a->renewal || !oauth_fetch_is_over(a->renewal, now_ms))
		return;
	if (!oauth_fetch_status(a->renewal)) {
		error_set(&a->trouble, "it could not be renewed, %s", oauth_fetch_failure(a->renewal));
	} else if (oauth_fetch_status(a->renewal) / 100 != 2) {
		oauth_error_write(oauth_fetch_body(a->renewal), a->secrets, &words);
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
	struct mcp_token kept;
	struct error err = { "" };

	if (!a->token.access)
		return;
	int lock = mcp_token_lock(a->server->url);
	/* Of what is kept by now: it may have been renewed. If that fails, the next login asks for less than it could. */
	if (lock != MCP_TOKEN_HELD && mcp_token_read(&kept, a->server->url, &err)) {
		oauth_scope_join(&kept.wanted, str_from(scope));
		(void)!mcp_token_keep(&kept, a->server->url, &err);
		mcp_token_fini(&kept);
	}
	private_file_unlock(lock);
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
