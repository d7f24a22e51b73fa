/* `weir mcp login`, with a server and an authorization server that the test plays, and a browser that it plays too. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/mcp_play.h"
#include "base/array.h"
#include "base/digest.h"
#include "support/check.h"
#include "support/connect.h"

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
		(void)!play_step(&play, &play_good[i]);
		CHECK(!strstr(hand_head(play.h), "blue"), "%s", hand_head(play.h));
	}
	CHECK(strstr(hand_body(play.h), "\"redirect_uris\":[\"http://127.0.0.1:") && strstr(hand_body(play.h), "\"scope\":\"read\""), "%s", hand_body(play.h));
	if (!play_await_page(&play))
		return;
	CHECK(!strcmp(play_page_value(&play, "client_id", value), "c-1"), "%s", value);
	CHECK(str_starts(str_from(play_page_value(&play, "resource", value)), play.origin) && str_ends(str_from(value), "/mcp"), "%s", value);
	CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&state=wrong&iss=@"), 400);
	CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&iss=@"), 400);
	CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &play_good[TOKENS]);
	CHECK(hand_head_has(play.h, "content-type: application/x-www-form-urlencoded"), "%s", hand_head(play.h));
	CHECK(strstr(hand_body(play.h), "grant_type=authorization_code&code=the-code&") && strstr(hand_body(play.h), "&client_id=c-1"), "%s", hand_body(play.h));
	verifier = strstr(hand_body(play.h), "code_verifier=");
	CU_ASSERT_PTR_NOT_NULL_FATAL(verifier);
	digest_base64url(str_of(verifier + 14, strcspn(verifier + 14, "&")), challenge);
	CHECK(!strcmp(play_page_value(&play, "code_challenge", value), challenge), "%s", value);
	play_stop(&play, 0, "web: logged in at http://127.0.0.1:");

	found = play_tokens();
	CU_ASSERT_EQUAL_FATAL(found.gl_pathc, 1);
	CU_ASSERT(stat(found.gl_pathv[0], &facts) == 0 && (facts.st_mode & 07777) == 0600);
	*strrchr(found.gl_pathv[0], '/') = '\0';
	CU_ASSERT(stat(found.gl_pathv[0], &facts) == 0 && (facts.st_mode & 07777) == 0700);
	globfree(&found);
	play_ping(&play, TOKEN);
	play_start(&play, ARGS("logout", "web"));
	play_stop(&play, 0, "web: its token is deleted here");
	found = play_tokens();
	CU_ASSERT_EQUAL(found.gl_pathc, 0);
	play_start(&play, ARGS("logout", "web"));
	play_stop(&play, 1, "no token is kept");
	CHECK(!strstr(buf_z(&play.told), TOKEN) && !strstr(buf_z(&play.told), REFRESH), "%s", buf_z(&play.told));
	play_end(&play);
}

static void a_client_of_the_settings_is_for_one_issuer(void)
{
	struct step other = play_good[ISSUER];
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
		CHECK(!strcmp(play_page_value(&play, "client_id", id), "mine"), "%s", id);
	CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &play_good[TOKENS]);
	CHECK(hand_head_has(play.h, "authorization: Basic bWluZTpzM2NyM3QlMjY="), "%s", hand_head(play.h));
	CHECK(!strstr(hand_body(play.h), "s3cr3t"), "%s", hand_body(play.h));
	play_stop(&play, 0, "logged in");
	/* The same server now names another issuer. */
	play_start(&play, ARGS("login", "web"));
	(void)!play_step(&play, &play_good[PROBE]);
	(void)!play_step(&play, &(struct step){ play_good[RESOURCE].request, 200, "", "{\"resource\":\"@/mcp\",\"authorization_servers\":[\"@/other\"]}" });
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
			CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&state=$&iss=@"), 200);
		(void)!play_step(&play, &(struct step){ play_good[cases[i].at].request, cases[i].status, cases[i].header, cases[i].body });
		play_stop(&play, 4, cases[i].words);
		CHECK(!strchr(buf_z(&play.told), '\033'), "%s", buf_z(&play.told));
		glob_t found = play_tokens();
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
			CU_ASSERT_EQUAL(play_browse(&play, cases[i].query), 200);
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
	CU_ASSERT_EQUAL(play_browse(&play, "code=the-code&state=$&iss=@"), 200);
	(void)!play_step(&play, &play_good[TOKENS]);
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

const struct suite suite_mcp_login = { "mcp_login", (const struct test[]){
	TEST(a_login_gets_a_token_that_is_kept_and_sent), TEST(a_client_of_the_settings_is_for_one_issuer),
	TEST(what_a_hostile_server_says_is_not_used), TEST(an_answer_of_the_browser_is_not_believed), TEST(the_browser_gets_the_page_and_nothing_else),
	TEST(a_login_that_nobody_ends_is_given_up), TEST(a_login_is_for_a_server_with_a_secure_address_and_no_key), { 0 } } };
