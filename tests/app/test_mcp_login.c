/* `weir mcp login` and what uses its token, with a server and an authorization server that the test plays, and a browser that it plays too. */
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/digest.h"
#include "base/mem.h"
#include "base/percent.h"
#include "program.h"
#include "support/check.h"
#include "support/connect.h"
#include "support/hand.h"
#include "support/pty.h"

#define TOKEN "a-token-of-this-test"
#define SECOND "another-token-of-this-test"
#define REFRESH "a-refresh-token-of-this-test"

/* --- the play --- */

struct play {
	struct program p;
	struct hand *h;
	char origin[64];
	const char *config;
	char page[3000];      /* the address that the browser is to open */
	struct buf told;      /* all that the program wrote so far */
};

static void play_begin(struct play *play, const char *more)
{
	char settings[500];

	*play = (struct play){ .h = hand_new() };
	snprintf(play->origin, sizeof play->origin, "http://127.0.0.1:%u", hand_port(play->h));
	snprintf(settings, sizeof settings, "[mcp web]\nurl = %s/mcp\n%s", play->origin, more);
	play->config = folder_file("weir.conf", settings);
}

static void play_end(struct play *play)
{
	buf_fini(&play->told);
	hand_free(play->h);
	folder_remove();
}

static void play_start(struct play *play, const char *const *words)
{
	const char *all[20] = { "mcp" };
	size_t count = 1;

	while (*words)
		all[count++] = *words++;
	all[count++] = "--config";
	all[count++] = play->config;
	program_start(&play->p, all, (const char *const[]){ "BROWSER=", "WEB_SECRET=s3cr3t&", NULL });
}

static void play_stop(struct play *play, int status, const char *words)
{
	program_wait(&play->p);
	CHECK(play->p.status == status, "status %d, not %d: %s", play->p.status, status, buf_z(&play->p.errors));
	CHECK(strstr(buf_z(&play->p.errors), words) != NULL, "\"%s\" is not in \"%s\"", words, buf_z(&play->p.errors));
	buf_add(&play->told, buf_str(&play->p.errors));
	buf_add(&play->told, buf_str(&play->p.output));
	program_free(&play->p);
}

/* Sends a response in whose texts @ is the origin of the server. */
static void play_reply(struct play *play, int status, const char *header, const char *body)
{
	struct buf text = { 0 }, all = { 0 };
	const char *const parts[] = { header, body };
	size_t body_at = 0;

	for (size_t i = 0; i < 2; i++) {
		body_at = text.len;
		for (const char *c = parts[i]; *c; c++)
			if (*c == '@')
				buf_add_z(&text, play->origin);
			else
				buf_add_byte(&text, *c);
	}
	buf_printf(&all, "HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %zu\r\nConnection: close\r\n%.*s\r\n%s", status,
	           text.len - body_at, (int)body_at, buf_z(&text), buf_z(&text) + body_at);
	hand_send_bytes(play->h, buf_str(&all));
	hand_close(play->h);
	buf_fini(&text);
	buf_fini(&all);
}

/* --- a login --- */

struct step { const char *request; int status; const char *header, *body; };

enum { PROBE, RESOURCE, ISSUER, REGISTER, TOKENS, STEPS };

static const struct step good[STEPS] = {
	[PROBE] = { "POST /mcp ", 401, "WWW-Authenticate: Bearer resource_metadata=\"@/.well-known/oauth-protected-resource/mcp\", scope=\"read\"\r\n", "" },
	[RESOURCE] = { "GET /.well-known/oauth-protected-resource/mcp ", 200, "", "{\"resource\":\"@/mcp\",\"authorization_servers\":[\"@\"]}" },
	[ISSUER] = { "GET /.well-known/oauth-authorization-server ", 200, "",
	             "{\"issuer\":\"@\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"@/token\",\"registration_endpoint\":\"@/register\","
	             "\"code_challenge_methods_supported\":[\"S256\"],\"authorization_response_iss_parameter_supported\":true}" },
	[REGISTER] = { "POST /register ", 201, "", "{\"client_id\":\"c-1\"}" },
	[TOKENS] = { "POST /token ", 200, "", "{\"access_token\":\"" TOKEN "\",\"token_type\":\"Bearer\",\"refresh_token\":\"" REFRESH "\",\"expires_in\":3600}" },
};

static bool play_step(struct play *play, const struct step *step)
{
	bool came = hand_accept(play->h) && str_starts(str_from(hand_head(play->h)), step->request);

	CHECK(came, "%s was awaited, and came: %s", step->request, hand_head(play->h));
	play_reply(play, step->status, step->header, step->body);
	return came;
}

/* The steps of a good login, from the first one to the one before `end`. */
static void play_steps(struct play *play, int end)
{
	for (int at = PROBE; at < end; at++)
		(void)!play_step(play, &good[at]);
}

/* A parameter of the page's address, decoded, into `value`. */
static const char *page_value(const struct play *play, const char *name, char value[300])
{
	char key[40];
	const char *at;
	struct buf text = { 0 };

	snprintf(key, sizeof key, "%s=", name);
	for (at = strchr(play->page, '?'); at && strncmp(at + 1, key, strlen(key)) != 0;)
		at = strchr(at + 1, '&');
	value[0] = '\0';
	if (at) {
		at += 1 + strlen(key);
		percent_decode(str_of(at, strcspn(at, "&")), &text);
		snprintf(value, 300, "%s", buf_z(&text));
	}
	buf_fini(&text);
	return value;
}

static bool play_await_page(struct play *play)
{
	const char *at;
	struct buf start = { 0 };

	buf_printf(&start, "%s/agree?", play->origin);
	bool came = program_await_errors(&play->p, "code_challenge_method=S256&state=") && program_await_errors(&play->p, "&scope=");
	CHECK(came, "%s", buf_z(&play->p.errors));
	while (came && !strchr(strstr(buf_z(&play->p.errors), "&scope="), '\n'))
		came = program_await_errors(&play->p, "\n");
	at = strstr(buf_z(&play->p.errors), buf_z(&start));
	CHECK(at != NULL, "%s", buf_z(&play->p.errors));
	if (at)
		snprintf(play->page, sizeof play->page, "%.*s", (int)strcspn(at, "\n"), at);
	buf_fini(&start);
	return at != NULL;
}

/* Sends the browser back with this query, in which $ is the right state and @ the issuer; returns the status of the response. */
static int browse(struct play *play, const char *query)
{
	char redirect[300], state[300], bytes[300] = "";
	struct buf request = { 0 };
	unsigned port = 0;
	int fd;

	page_value(play, "redirect_uri", redirect);
	page_value(play, "state", state);
	CHECK(sscanf(redirect, "http://127.0.0.1:%u/callback", &port) == 1, "%s", redirect);
	buf_add_z(&request, "GET /callback?");
	for (const char *c = query; *c; c++)
		if (*c == '$')
			buf_add_z(&request, state);
		else if (*c == '@')
			percent_encode(str_from(play->origin), "", &request);
		else
			buf_add_byte(&request, *c);
	buf_printf(&request, " HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nSec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n\r\n", port);
	fd = connect_to(port);
	CU_ASSERT_EQUAL(str_write(buf_str(&request), fd), 0);
	buf_fini(&request);
	CU_ASSERT(read(fd, bytes, sizeof bytes - 1) > 12);
	close(fd);
	return str_starts(str_from(bytes), "HTTP/1.1 ") ? (bytes[9] - '0') * 100 + (bytes[10] - '0') * 10 + bytes[11] - '0' : 0;
}

static void play_login(struct play *play)
{
	play_start(play, ARGS("login", "web"));
	play_steps(play, TOKENS);
	if (!play_await_page(play))
		return;
	CU_ASSERT_EQUAL(browse(play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(play, &good[TOKENS]);
	play_stop(play, 0, "web: logged in at http://127.0.0.1:");
}

/* --- the token in use --- */

#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}}"
#define PONG_AGAIN "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"

static void play_is_asked_with(struct play *play, const char *token, int status, const char *header, const char *body)
{
	char line[100];

	snprintf(line, sizeof line, "authorization: Bearer %s", token);
	CU_ASSERT(hand_accept(play->h));
	CHECK(hand_head_has(play->h, line), "%s is not in %s", line, hand_head(play->h));
	play_reply(play, status, header, body);
}

static void play_ping(struct play *play, const char *token)
{
	play_start(play, ARGS("ping", "web"));
	play_is_asked_with(play, token, 200, "", PONG);
	play_is_asked_with(play, token, 200, "", PONG_AGAIN);
	play_stop(play, 0, "");
}

static glob_t tokens(void)
{
	glob_t found;
	char pattern[400];

	snprintf(pattern, sizeof pattern, "%s/.local/state/weir/mcp-tokens/*", folder_path());
	if (glob(pattern, 0, NULL, &found) != 0)
		found.gl_pathc = 0;
	return found;
}

static void a_login_gets_a_token_that_is_kept_and_sent(void)
{
	struct play play;
	struct stat facts;
	char value[300], challenge[DIGEST_BASE64URL + 1];
	const char *verifier;
	glob_t found;

	play_begin(&play, "header.X-Team = blue\n");
	play_start(&play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play.h));
	CHECK(!str_has_nocase(str_from(hand_head(play.h)), STR("authorization:")), "%s", hand_head(play.h));
	play_reply(&play, 401, "", "");
	play_stop(&play, 4, "weir: web: the server wants authorization (HTTP 401): weir mcp login web, or set key_env, key_file or key_command in [mcp web]");

	play_start(&play, ARGS("login", "web"));
	for (size_t i = PROBE; i < TOKENS; i++) {
		(void)!play_step(&play, &good[i]);
		CHECK(!strstr(hand_head(play.h), "blue"), "%s", hand_head(play.h));
	}
	CHECK(strstr(hand_body(play.h), "\"redirect_uris\":[\"http://127.0.0.1:") && strstr(hand_body(play.h), "\"scope\":\"read\""), "%s", hand_body(play.h));
	if (!play_await_page(&play))
		return;
	CHECK(!strcmp(page_value(&play, "client_id", value), "c-1"), "%s", value);
	CHECK(str_starts(str_from(page_value(&play, "resource", value)), play.origin) && str_ends(str_from(value), "/mcp"), "%s", value);
	CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=wrong&iss=@"), 400);
	CU_ASSERT_EQUAL(browse(&play, "code=the-code&iss=@"), 400);
	CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &good[TOKENS]);
	CHECK(hand_head_has(play.h, "content-type: application/x-www-form-urlencoded"), "%s", hand_head(play.h));
	CHECK(strstr(hand_body(play.h), "grant_type=authorization_code&code=the-code&") && strstr(hand_body(play.h), "&client_id=c-1"), "%s", hand_body(play.h));
	verifier = strstr(hand_body(play.h), "code_verifier=");
	CU_ASSERT_PTR_NOT_NULL_FATAL(verifier);
	digest_base64url(str_of(verifier + 14, strcspn(verifier + 14, "&")), challenge);
	CHECK(!strcmp(page_value(&play, "code_challenge", value), challenge), "%s", value);
	play_stop(&play, 0, "web: logged in at http://127.0.0.1:");

	found = tokens();
	CU_ASSERT_EQUAL_FATAL(found.gl_pathc, 1);
	CU_ASSERT(stat(found.gl_pathv[0], &facts) == 0 && (facts.st_mode & 07777) == 0600);
	*strrchr(found.gl_pathv[0], '/') = '\0';
	CU_ASSERT(stat(found.gl_pathv[0], &facts) == 0 && (facts.st_mode & 07777) == 0700);
	globfree(&found);
	play_ping(&play, TOKEN);
	play_start(&play, ARGS("logout", "web"));
	play_stop(&play, 0, "web: its token is deleted here");
	found = tokens();
	CU_ASSERT_EQUAL(found.gl_pathc, 0);
	play_start(&play, ARGS("logout", "web"));
	play_stop(&play, 1, "no token is kept");
	CHECK(!strstr(buf_z(&play.told), TOKEN) && !strstr(buf_z(&play.told), REFRESH), "%s", buf_z(&play.told));
	play_end(&play);
}

static void a_token_is_renewed_once_and_then_a_login_is_asked_for(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, TOKEN, 401, "WWW-Authenticate: Bearer error=\"invalid_token\"\r\n", "");
	CU_ASSERT(hand_accept(play.h));
	CHECK(str_starts(str_from(hand_head(play.h)), "POST /token ") && strstr(hand_body(play.h), "grant_type=refresh_token&refresh_token=" REFRESH), "%s",
	      hand_body(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}");
	play_is_asked_with(&play, SECOND, 200, "", PONG);
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_ping(&play, SECOND); /* it was kept, and so was what renews it */
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, SECOND, 401, "", "");
	CU_ASSERT(hand_accept(play.h));
	play_reply(&play, 400, "", "{\"error\":\"invalid_grant\"}");
	play_is_asked_with(&play, SECOND, 401, "", "");
	play_stop(&play, 4, "does not take the kept token (HTTP 401), it could not be renewed (HTTP 400, invalid_grant): weir mcp login web gets another one");
	CHECK(!strstr(buf_z(&play.told), TOKEN) && !strstr(buf_z(&play.told), REFRESH), "%s", buf_z(&play.told));
	play_end(&play);
}

/* With a token that expires at once. */
static void play_login_shortly(struct play *play)
{
	struct step soon = good[TOKENS];

	soon.body = "{\"access_token\":\"" TOKEN "\",\"token_type\":\"Bearer\",\"refresh_token\":\"" REFRESH "\",\"expires_in\":1}";
	play_start(play, ARGS("login", "web"));
	play_steps(play, TOKENS);
	if (play_await_page(play))
		CU_ASSERT_EQUAL(browse(play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(play, &soon);
	play_stop(play, 0, "logged in");
}

/* It is renewed before it is refused. */
static void a_token_that_has_expired_is_not_sent(void)
{
	struct play play;

	play_begin(&play, "");
	play_login_shortly(&play);
	play_start(&play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play.h));
	CHECK(str_starts(str_from(hand_head(play.h)), "POST /token ") && strstr(hand_body(play.h), REFRESH), "%s", hand_head(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
	play_is_asked_with(&play, SECOND, 200, "", PONG);
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_end(&play);
}

/* Answers a request by its number, with the new token; there is no second renewal. */
static void play_serve(struct play *play)
{
	bool begins;

	CU_ASSERT(hand_accept(play->h));
	begins = strstr(hand_body(play->h), "\"id\":1") != NULL;
	CHECK(hand_head_has(play->h, "authorization: Bearer " SECOND), "%s", hand_head(play->h));
	play_reply(play, str_starts(str_from(hand_head(play->h)), "POST /token ") ? 400 : 200, "", begins ? PONG : PONG_AGAIN);
}

/* The server takes what renews a token once: who comes second waits for the first one, and takes what that one got. */
static void two_programs_renew_a_token_once(void)
{
	struct program first;
	struct play play;

	play_begin(&play, "");
	play_login_shortly(&play);
	play_start(&play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play.h));
	CHECK(str_starts(str_from(hand_head(play.h)), "POST /token ") && strstr(hand_body(play.h), REFRESH), "%s", hand_head(play.h));
	first = play.p;
	play_start(&play, ARGS("ping", "web"));
	usleep(300000); /* in which it would ask, too */
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\",\"refresh_token\":\"next\",\"expires_in\":3600}");
	for (size_t i = 0; i < 4; i++)
		play_serve(&play);
	play_stop(&play, 0, "");
	play.p = first;
	play_stop(&play, 0, "");
	play_end(&play);
}

/* The file comes while the first request is on its way, as from a login in another terminal. */
static void a_login_elsewhere_is_used_without_a_restart(void)
{
	struct play play;
	glob_t found;
	const char *away;

	play_begin(&play, "");
	play_login(&play);
	away = folder_file("away", NULL);
	found = tokens();
	CU_ASSERT_EQUAL_FATAL(found.gl_pathc, 1);
	CU_ASSERT(rename(found.gl_pathv[0], away) == 0);
	play_start(&play, ARGS("ping", "web"));
	CU_ASSERT(hand_accept(play.h));
	CHECK(!str_has_nocase(str_from(hand_head(play.h)), STR("authorization:")), "%s", hand_head(play.h));
	CU_ASSERT(rename(away, found.gl_pathv[0]) == 0);
	globfree(&found);
	play_reply(&play, 401, "", "");
	play_is_asked_with(&play, TOKEN, 200, "", PONG);
	play_is_asked_with(&play, TOKEN, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	play_end(&play);
}

/* The servers of the chat and of `weir ask` are asked as those of `weir tools` are. */
static void a_source_of_tools_has_the_token(void)
{
	struct play play;

	play_begin(&play, "");
	play_login(&play);
	program_start(&play.p, ARGS("tools", "--config", play.config), NULL);
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}}");
	play_stop(&play, 0, "");
	CHECK(strstr(buf_z(&play.told), "web__look") != NULL, "%s", buf_z(&play.told));
	play_end(&play);
}

/* What it wants is told, and is asked for in the next login, with what was asked for before. */
static void a_token_that_allows_too_little_is_asked_for_again(void)
{
	struct play play;
	char scope[300];

	play_begin(&play, "");
	play_login(&play);
	play_start(&play, ARGS("ping", "web"));
	play_is_asked_with(&play, TOKEN, 403, "WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"write\"\r\n", "{}");
	play_stop(&play, 4, "the server wants more: write (HTTP 403): weir mcp login web asks for it");
	play_start(&play, ARGS("login", "web"));
	play_steps(&play, TOKENS);
	if (play_await_page(&play))
		CHECK(!strcmp(page_value(&play, "scope", scope), "read write"), "%s", scope);
	program_free(&play.p);
	play_end(&play);
}

static void a_client_of_the_settings_is_for_one_issuer(void)
{
	struct step other = good[ISSUER];
	struct play play;
	char id[300];

	play_begin(&play, "client_id = my id\n");
	play_start(&play, ARGS("login", "web"));
	play_stop(&play, 2, "client_id: it has a blank");
	play_end(&play);
	play_begin(&play, "client_id = mine\nclient_secret_env = WEB_SECRET\n");
	play_start(&play, ARGS("login", "web"));
	play_steps(&play, REGISTER);
	if (play_await_page(&play))
		CHECK(!strcmp(page_value(&play, "client_id", id), "mine"), "%s", id);
	CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &good[TOKENS]);
	CHECK(hand_head_has(play.h, "authorization: Basic bWluZTpzM2NyM3QlMjY="), "%s", hand_head(play.h));
	CHECK(!strstr(hand_body(play.h), "s3cr3t"), "%s", hand_body(play.h));
	play_stop(&play, 0, "logged in");
	/* The same server now names another issuer. */
	play_start(&play, ARGS("login", "web"));
	(void)!play_step(&play, &good[PROBE]);
	(void)!play_step(&play, &(struct step){ good[RESOURCE].request, 200, "", "{\"resource\":\"@/mcp\",\"authorization_servers\":[\"@/other\"]}" });
	other.request = "GET /.well-known/oauth-authorization-server/other ";
	other.body = "{\"issuer\":\"@/other\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"@/token\",\"code_challenge_methods_supported\":[\"S256\"]}";
	(void)!play_step(&play, &other);
	play_stop(&play, 4, "client_id belongs to that one");
	play_end(&play);
}

/* --- hostile servers --- */

static char huge[300000];

static void what_a_hostile_server_says_is_not_used(void)
{
	static const struct { int at, status; const char *header, *body, *words; } cases[] = {
		{ PROBE, 401, "WWW-Authenticate: Bearer resource_metadata=\"http://evil.example/m\"\r\n", "", "without https for its metadata" },
		{ PROBE, 401, "WWW-Authenticate: Bearer resource_metadata=\"file:///etc/passwd\"\r\n", "", "without https for its metadata" },
		{ RESOURCE, 200, "", "{\"resource\":\"https://evil.example/mcp\",\"authorization_servers\":[\"@\"]}", "another resource" },
		{ RESOURCE, 200, "", "{\"resource\":\"@/mcp\",\"authorization_servers\":[\"http://evil.example\"]}", "without https" },
		{ RESOURCE, 302, "Location: @/.well-known/oauth-protected-resource/mcp\r\n", "", "redirects are not followed" },
		{ RESOURCE, 200, "", huge, "more than 256 KB" },
		{ ISSUER, 200, "", "{\"issuer\":\"https://evil.example\"}", "another issuer" },
		{ ISSUER, 200, "", "{\"issuer\":\"@\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"@/token\"}", "PKCE with S256" },
		{ ISSUER, 200, "", "{\"issuer\":\"@\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"http://evil.example/\","
		  "\"code_challenge_methods_supported\":[\"S256\"]}", "token_endpoint is no address with https" },
		{ ISSUER, 200, "", "{\"issuer\":\"@\",\"authorization_endpoint\":\"@/agree\",\"token_endpoint\":\"@/token\","
		  "\"code_challenge_methods_supported\":[\"S256\"]}", "registers nobody by itself" },
		{ REGISTER, 302, "Location: @/register\r\n", "", "HTTP 302" },
		{ REGISTER, 400, "", "{\"error\":\"invalid_redirect_uri\",\"error_description\":\"no\\u001b[31m ports\"}", "invalid_redirect_uri: no" },
		{ REGISTER, 201, "", "{\"client_id\":7}", "gave it no client_id" },
		{ TOKENS, 307, "Location: @/elsewhere\r\n", "", "HTTP 307" },
		{ TOKENS, 200, "", "{\"access_token\":\"x\\ny\",\"token_type\":\"Bearer\"}", "no token that can be sent" },
		{ TOKENS, 200, "", huge, "more than 256 KB" },
	};

	memset(huge, ' ', sizeof huge - 1);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct play play;

		play_begin(&play, "");
		play_start(&play, ARGS("login", "web"));
		play_steps(&play, cases[i].at < TOKENS ? cases[i].at : TOKENS);
		if (cases[i].at == TOKENS && play_await_page(&play))
			CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=$&iss=@"), 200);
		(void)!play_step(&play, &(struct step){ good[cases[i].at].request, cases[i].status, cases[i].header, cases[i].body });
		play_stop(&play, 4, cases[i].words);
		CHECK(!strchr(buf_z(&play.told), '\033'), "%s", buf_z(&play.told));
		glob_t found = tokens();
		CHECK(found.gl_pathc == 0, "case %zu", i);
		play_end(&play);
	}
}

static void an_answer_of_the_browser_is_not_believed(void)
{
	static const struct { const char *query, *words; } cases[] = {
		{ "code=c&state=$", "does not say which issuer" }, { "code=c&state=$&iss=https://evil.example", "another issuer" },
		{ "error=access_denied&error_description=You+said+no&state=$&iss=@", "refuses: access_denied: You said no" },
		{ "error=lies&state=$&iss=evil", "another issuer" }, { "state=$&iss=@", "without a code" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct play play;

		play_begin(&play, "");
		play_start(&play, ARGS("login", "web"));
		play_steps(&play, TOKENS);
		if (play_await_page(&play))
			CU_ASSERT_EQUAL(browse(&play, cases[i].query), 200);
		play_stop(&play, 4, cases[i].words);
		CHECK(!strstr(buf_z(&play.told), "lies"), "%s", buf_z(&play.told));
		play_end(&play);
	}
}

static void the_browser_gets_the_page_and_nothing_else(void)
{
	struct play play;
	char script[500], browser[500];
	struct buf seen = { 0 };
	const char *out;

	play_begin(&play, "client_id = mine\nclient_secret_env = WEB_SECRET\n");
	out = folder_file("seen", NULL);
	snprintf(script, sizeof script, "{ printf '%%s\\n' \"$#\" \"$@\"; env; } >%s.new\nmv %s.new %s\n", out, out, out);
	snprintf(browser, sizeof browser, "BROWSER=sh %s", folder_file("browser.sh", script));
	program_start(&play.p, ARGS("mcp", "login", "web", "--config", play.config), (const char *const[]){ browser, "WEB_SECRET=s3cr3t&", NULL });
	play_steps(&play, REGISTER);
	if (play_await_page(&play))
		for (unsigned i = 0; i < 500 && access(out, R_OK) != 0; i++)
			usleep(10000);
	CU_ASSERT(buf_read_file(&seen, out, NULL));
	CHECK(str_starts(buf_str(&seen), "1\n") && str_starts(str_skip(buf_str(&seen), 2), play.page), "%s", buf_z(&seen));
	CHECK(!strstr(buf_z(&seen), "s3cr3t"), "%s", buf_z(&seen));
	buf_fini(&seen);
	CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &good[TOKENS]);
	play_stop(&play, 0, "logged in");
	play_end(&play);
}

static void a_login_that_nobody_ends_is_given_up(void)
{
	struct play play;

	play_begin(&play, "");
	play_start(&play, ARGS("login", "web", "--timeout", "0.3"));
	play_steps(&play, TOKENS);
	play_stop(&play, 3, "the browser did not come back in time (--timeout)");
	play_end(&play);
}

static void a_login_is_for_a_server_with_a_secure_address_and_no_key(void)
{
	static const struct { const char *settings, *words; } cases[] = {
		{ "[mcp web]\nurl = http://a.example/mcp\n", "a token is not sent over plain http" }, { "[mcp web]\ncommand = true\n", "needs no login" },
		{ "[mcp web]\nurl = https://a.example/mcp\nkey_env = WEB_SECRET\n", "has a key" },
		{ "[mcp web]\nurl = https://a.example/mcp\nclient_secret_env = s3cr3t&\n", "name of a variable" }, { "", "there is no MCP server web" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program p;

		program_run(&p, STR_NONE, ARGS("mcp", "login", "web", "--config", folder_file("weir.conf", cases[i].settings)), NULL);
		CHECK(p.status == 2 && strstr(buf_z(&p.errors), cases[i].words) && !strstr(buf_z(&p.errors), "s3cr3t"), "%s: %s", cases[i].words, buf_z(&p.errors));
		program_free(&p);
		folder_remove();
	}
}

/* A token of this test is looked for in all that is written, but for its own file. */
static void a_token_stands_in_no_tape_and_no_log(void)
{
	struct play play;
	const char *tape, *logs[2];
	struct buf text = { 0 };

	play_begin(&play, "");
	tape = folder_file("t.tape", NULL);
	logs[0] = folder_file("0.log", NULL);
	logs[1] = folder_file("1.log", NULL);
	play_start(&play, ARGS("login", "web", "--debug", logs[0]));
	play_steps(&play, TOKENS);
	if (play_await_page(&play))
		CU_ASSERT_EQUAL(browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &good[TOKENS]);
	play_stop(&play, 0, "logged in");
	play_start(&play, ARGS("ping", "web", "--debug", logs[1], "--tape", tape));
	play_is_asked_with(&play, TOKEN, 401, "", "");
	CU_ASSERT(hand_accept(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}");
	play_is_asked_with(&play, SECOND, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{},"
	                   "\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"" SECOND "\"}}}}");
	play_is_asked_with(&play, SECOND, 200, "", PONG_AGAIN);
	play_stop(&play, 0, "");
	CU_ASSERT(buf_read_file(&text, tape, NULL) && buf_read_file(&text, logs[0], NULL) && buf_read_file(&text, logs[1], NULL));
	buf_add(&text, buf_str(&play.told));
	CHECK(strstr(buf_z(&text), "POST /token") != NULL, "%zu bytes", text.len);
	CHECK(!strstr(buf_z(&text), TOKEN) && !strstr(buf_z(&text), SECOND) && !strstr(buf_z(&text), REFRESH) && !strstr(buf_z(&text), "code_verifier"), "%s",
	      buf_z(&text));
	buf_fini(&text);
	play_end(&play);
}

/* --- in a turn of the chat --- */

static bool holds_token(struct str text)
{
	return str_find(text, STR(TOKEN)) < text.len || str_find(text, STR(SECOND)) < text.len || str_find(text, STR(REFRESH)) < text.len;
}

static unsigned searched;

static int search_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
	struct buf file = { 0 };
	struct error err = { "" };

	(void)status, (void)where;
	if (type != FTW_F || strstr(path, "/mcp-tokens/"))
		return 0;
	searched++;
	CHECK(buf_read_file(&file, path, &err), "%s", err.text);
	CHECK(!holds_token(buf_str(&file)), "a token is in %s", path);
	buf_fini(&file);
	return 0;
}

#define RESULT(text) "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"" text "\"}]}}"

/* The server refuses the token in the middle of the turn, and says in its result which one it got then. */
static void a_call_in_a_turn_has_the_token_and_nothing_else_has(void)
{
	struct play play;
	struct buf settings = { 0 };
	const char *log;

	play_begin(&play, "");
	play_login(&play);
	buf_printf(&settings, "%s\n[mcp web]\nurl = %s/mcp\n", hand_settings(play.h, ""), play.origin);
	play.config = folder_file("weir.conf", buf_z(&settings));
	log = folder_file("0.log", NULL);
	struct pty *p = pty_start(&(struct pty_options){ .home = folder_path(), .arguments = LIST("--config", play.config, "--debug", log), .columns = 120, .turns = true });
	PTY_SEES(p, "ready");
	pty_enter(p, "look");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	play_is_asked_with(&play, TOKEN, 200, "", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"look\",\"inputSchema\":{\"type\":\"object\"}}]}}");
	CU_ASSERT(hand_accept(play.h));
	CHECK(strstr(hand_body(play.h), "web__look") != NULL && !str_has_nocase(str_from(hand_head(play.h)), STR("authorization:")), "%s", hand_head(play.h));
	hand_begin(play.h);
	hand_delta(play.h, "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"function\":{\"name\":\"web__look\",\"arguments\":\"{}\"}}]}");
	hand_finish(play.h, "tool_calls");
	PTY_SEES(p, "Run web__look?");
	PTY_SEES_LATER(p, "y once");
	pty_send(p, "y");
	play_is_asked_with(&play, TOKEN, 401, "", "");
	CU_ASSERT(hand_accept(play.h));
	play_reply(&play, 200, "", "{\"access_token\":\"" SECOND "\",\"token_type\":\"Bearer\"}");
	play_is_asked_with(&play, SECOND, 200, "", RESULT("seen with " SECOND));
	CU_ASSERT(hand_accept(play.h));
	CHECK(strstr(hand_body(play.h), "seen with") != NULL && !holds_token(str_from(hand_body(play.h))), "%s", hand_body(play.h));
	hand_whole(play.h, "Looked.", "stop");
	PTY_SEES(p, "Looked.");
	pty_send(p, "\t[\x1b[19~"); /* the inspector, on the answer with the call */
	PTY_SEES(p, "web: request");
	CU_ASSERT(!holds_token(pty_output(p)));
	pty_send(p, K_ESC);
	PTY_LOSES(p, "web: request");
	pty_send(p, "\x03\x03");
	PTY_ENDS(p, 0);
	pty_free(p);
	searched = 0;
	nftw(folder_path(), search_file, 16, FTW_PHYS);
	CHECK(searched >= 4, "%u files: the settings, the log, two tapes, the history", searched);
	buf_fini(&settings);
	play_end(&play);
}

const struct suite suite_mcp_login = { "mcp_login", (const struct test[]){
	TEST(a_login_gets_a_token_that_is_kept_and_sent), TEST(a_token_is_renewed_once_and_then_a_login_is_asked_for),
	TEST(a_token_that_has_expired_is_not_sent), TEST(two_programs_renew_a_token_once), TEST(a_login_elsewhere_is_used_without_a_restart),
	TEST(a_source_of_tools_has_the_token), TEST(a_call_in_a_turn_has_the_token_and_nothing_else_has),
	TEST(a_token_that_allows_too_little_is_asked_for_again), TEST(a_client_of_the_settings_is_for_one_issuer),
	TEST(what_a_hostile_server_says_is_not_used), TEST(an_answer_of_the_browser_is_not_believed), TEST(the_browser_gets_the_page_and_nothing_else), TEST(a_login_that_nobody_ends_is_given_up),
	TEST(a_login_is_for_a_server_with_a_secure_address_and_no_key), TEST(a_token_stands_in_no_tape_and_no_log), { 0 } } };
