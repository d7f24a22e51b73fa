/* What MCP servers and authorization servers say about authorization, and what is sent to them. */
#include "wire/mcp/oauth_request.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"

static void an_address_has_https_or_is_of_this_machine(void)
{
	static const struct { const char *url; bool good, plain; } cases[] = {
		{ "https://a.example/x?y=1", true, true }, { "https://a.example", true, true }, { "HTTPS://A.example", true, true },
		{ "http://a.example/", false, false }, { "http://localhost:8/x", false, true }, { "http://127.0.0.1", false, true },
		{ "http://[::1]:9/", false, true }, { "http://localhost.evil.example/", false, false }, { "http://127.0.0.1.evil.example", false, false },
		{ "http://127.0.0.1@evil.example/", false, false }, { "https://u@a.example/", false, false }, { "https://a.example/#f", false, false },
		{ "https://a.example/a b", false, false }, { "https://a.example/\n", false, false }, { "https://a.example/\"", false, false },
		{ "https:///x", false, false }, { "ftp://a.example", false, false }, { "javascript:alert(1)", false, false }, { "file:///etc/passwd", false, false },
		{ "", false, false }, { "-x", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(oauth_url_check(str_from(cases[i].url), false) == cases[i].good, "%s", cases[i].url);
		CHECK(oauth_url_check(str_from(cases[i].url), true) == cases[i].plain, "%s", cases[i].url);
	}
}

static void metadata_are_looked_for_in_order(void)
{
	static const struct { bool of_issuer; const char *base, *urls[4]; } cases[] = {
		{ false, "https://a.example/public/mcp?x=1", { "https://a.example/.well-known/oauth-protected-resource/public/mcp",
		                                               "https://a.example/.well-known/oauth-protected-resource" } },
		{ false, "https://a.example/", { "https://a.example/.well-known/oauth-protected-resource" } },
		{ true, "https://a.example", { "https://a.example/.well-known/oauth-authorization-server", "https://a.example/.well-known/openid-configuration" } },
		{ true, "https://a.example/t1/", { "https://a.example/.well-known/oauth-authorization-server/t1",
		                                  "https://a.example/.well-known/openid-configuration/t1", "https://a.example/t1/.well-known/openid-configuration" } },
	};
	struct buf url = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool (*place)(struct str base, unsigned step, struct buf *out) = cases[i].of_issuer ? oauth_issuer_url : oauth_resource_url;
		unsigned step = 0;

		for (; cases[i].urls[step]; step++) {
			CU_ASSERT(place(str_from(cases[i].base), step, &url));
			CHECK_STR(buf_str(&url), cases[i].urls[step]);
		}
		CHECK(!place(str_from(cases[i].base), step, &url), "%s", buf_z(&url));
	}
	buf_fini(&url);
}

static void a_challenge_is_found_among_others(void)
{
	static const struct { const char *value, *metadata, *scope; bool bearer, lacks; } cases[] = {
		{ "Bearer", "", "", true, false },
		{ "Bearer resource_metadata=\"https://a/\", scope=\"a b\"", "https://a/", "a b", true, false },
		{ "bearer scope = a , error=insufficient_scope", "", "a", true, true },
		{ "Basic realm=\"x, Bearer scope=z\", Bearer error=\"insufficient_scope\", scope=\"w\"", "", "w", true, true },
		{ "Negotiate abc==, Basic scope=\"q\"", "", "", false, false },
		{ "Bearer scope=\"a\\\"b c\"", "", "c", true, false }, /* no scope has a quote */
		{ "Bearer resource_metadata=\"x", "x", "", true, false },
		{ "Bearer scope=\"a\", Basic scope=\"b\"", "", "a", true, false },
		{ "=\"x\"", "", "", false, false }, { ",,, ,", "", "", false, false }, { "", "", "", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct oauth_challenge c = { 0 };

		oauth_challenge_take(&c, str_from(cases[i].value));
		CHECK(c.is_bearer == cases[i].bearer && c.lacks_scope == cases[i].lacks, "%s", cases[i].value);
		CHECK(!strcmp(c.metadata ? c.metadata : "", cases[i].metadata), "%s: %s", cases[i].value, c.metadata);
		CHECK(!strcmp(c.scope ? c.scope : "", cases[i].scope), "%s: %s", cases[i].value, c.scope);
		oauth_challenge_fini(&c);
	}
}

#define RESOURCE(resource, servers) "{\"resource\":\"" resource "\",\"authorization_servers\":[" servers "],\"scopes_supported\":[\"a\",\"b\",7,\"a\"]}"

static void metadata_of_another_resource_are_refused(void)
{
	static const struct { const char *text, *words; } cases[] = {
		{ RESOURCE("https://a.example/mcp", "\"https://as.example\""), "" },
		{ RESOURCE("https://A.EXAMPLE/mcp/", "\"https://as.example\""), "" },
		{ RESOURCE("https://a.example", "\"https://as.example\""), "" },
		{ RESOURCE("https://a.example/mcp", "\"http://as.example\",\"https://as.example\""), "" },
		{ RESOURCE("https://a.example/mc", "\"https://as.example\""), "another resource" },
		{ RESOURCE("https://a.example/mcp/x", "\"https://as.example\""), "another resource" },
		{ RESOURCE("https://evil.example/mcp", "\"https://as.example\""), "another resource" },
		{ RESOURCE("https://a.example.evil.example/mcp", "\"https://as.example\""), "another resource" },
		{ RESOURCE("http://a.example/mcp", "\"https://as.example\""), "another resource" },
		{ RESOURCE("https://a.example/mcp?x=1", "\"https://as.example\""), "another resource" },
		{ RESOURCE("https://a.example/mcp", "\"http://as.example\""), "without https" },
		{ RESOURCE("https://a.example/mcp", "\"http://127.0.0.1:1/\""), "without https" }, /* a remote server does not reach into this machine */
		{ RESOURCE("https://a.example/mcp", ""), "no authorization server" },
		{ "{\"authorization_servers\":[]}", "no resource" }, { "[]", "no resource" }, { "", "no resource" }, { "<html>", "no resource" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct oauth_resource r;
		struct error err = { "" };
		bool good = oauth_resource_read(&r, str_from(cases[i].text), STR("https://a.example/mcp"), &err);

		CHECK(good == !*cases[i].words && strstr(err.text, cases[i].words), "%s: %s", cases[i].text, err.text);
		if (good)
			CHECK(!strcmp(r.issuer, "https://as.example") && !strcmp(r.scope, "a b"), "%s %s", r.issuer, r.scope);
		oauth_resource_fini(&r);
	}
}

#define ISSUER(issuer, token, methods) "{\"issuer\":\"" issuer "\",\"authorization_endpoint\":\"https://as.example/a\",\"token_endpoint\":\"" token \
	"\",\"code_challenge_methods_supported\":[" methods "],\"token_endpoint_auth_methods_supported\":[\"client_secret_post\"]}"

static void metadata_of_another_issuer_or_without_pkce_are_refused(void)
{
	static const struct { const char *text, *words; } cases[] = {
		{ ISSUER("https://as.example", "https://as.example/t", "\"plain\",\"S256\""), "" },
		{ ISSUER("https://as.example/", "https://as.example/t", "\"S256\""), "another issuer" },
		{ ISSUER("https://AS.example", "https://as.example/t", "\"S256\""), "another issuer" },
		{ ISSUER("https://evil.example", "https://as.example/t", "\"S256\""), "another issuer" },
		{ ISSUER("https://as.example", "https://as.example/t", "\"plain\""), "PKCE" },
		{ "{\"issuer\":\"https://as.example\",\"authorization_endpoint\":\"https://as.example/a\",\"token_endpoint\":\"https://as.example/t\"}", "PKCE" },
		{ ISSUER("https://as.example", "http://as.example/t", "\"S256\""), "token_endpoint is no address" },
		{ ISSUER("https://as.example", "http://127.0.0.1/t", "\"S256\""), "token_endpoint is no address" },
		{ ISSUER("https://as.example", "javascript:x", "\"S256\""), "token_endpoint is no address" },
		{ "null", "another issuer" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct oauth_server s;
		struct error err = { "" };
		bool good = oauth_server_read(&s, str_from(cases[i].text), STR("https://as.example"), false, &err);

		CHECK(good == !*cases[i].words && strstr(err.text, cases[i].words), "%s: %s", cases[i].text, err.text);
		if (good)
			CU_ASSERT(oauth_method_to_ask(&s) == OAUTH_POST && oauth_method_with_secret(&s) == OAUTH_POST && !s.registration);
		oauth_server_fini(&s);
	}
}

/* --- an attempt --- */

/* The example of RFC 7636, appendix B. */
#define VERIFIER "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

static struct oauth_server server = { .issuer = (char *)"https://as.example", .authorization = (char *)"https://as.example/a?t=1", .token = (char *)"https://as.example/t" };
static struct oauth_client client = { .id = (char *)"me:&", .secret = (char *)"s/+", .method = OAUTH_BASIC };
static const struct oauth_attempt attempt = {
	.server = &server, .client = &client, .resource = "https://a.example/mcp", .redirect = "http://127.0.0.1:5/callback", .scope = "a b",
	.verifier = VERIFIER, .state = "S",
};

static void a_page_has_all_that_protects_the_answer(void)
{
	struct buf url = { 0 };

	oauth_write_page(&attempt, &url);
	CHECK_STR(buf_str(&url), "https://as.example/a?t=1&response_type=code&client_id=me%3A%26&redirect_uri=http%3A%2F%2F127.0.0.1%3A5%2Fcallback"
	          "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256&state=S"
	          "&resource=https%3A%2F%2Fa.example%2Fmcp&scope=a%20b");
	buf_fini(&url);
}

static void an_answer_of_the_browser_belongs_to_the_attempt(void)
{
	static const struct { bool names_issuer; const char *target; enum oauth_return how; const char *words; } cases[] = {
		{ false, "/callback?code=c%2B1&state=S", OAUTH_CODE, "c+1" },
		{ true, "/callback?state=S&code=c%2B1&iss=https%3A%2F%2Fas.example", OAUTH_CODE, "c+1" },
		{ false, "/callback?code=c&state=T", OAUTH_STRAY, "" }, { false, "/callback?code=c", OAUTH_STRAY, "" },
		{ false, "/callback?code=c&state=S&state=S", OAUTH_STRAY, "" }, { false, "/callback", OAUTH_STRAY, "" },
		{ false, "/callback?code=c&state=S%00", OAUTH_STRAY, "" },
		{ true, "/callback?code=c&state=S", OAUTH_REFUSED, "does not say which issuer" },
		{ false, "/callback?code=c&state=S&iss=https%3A%2F%2Fas.example%2F", OAUTH_REFUSED, "another issuer" },
		{ false, "/callback?code=c&state=S&iss=", OAUTH_REFUSED, "another issuer" },
		{ false, "/callback?code=c&state=S&iss=https%3A%2F%2Fas.example&iss=x", OAUTH_REFUSED, "issuer" },
		{ false, "/callback?error=access_denied&error_description=no+way&state=S", OAUTH_REFUSED, "refuses: access_denied: no way" },
		{ false, "/callback?error=lies&state=S&iss=evil", OAUTH_REFUSED, "the answer came from another issuer than the one that was asked: it is not used" },
		{ false, "/callback?code=a&code=b&state=S", OAUTH_REFUSED, "without a code" },
		{ false, "/callback?code=a%0Db&state=S", OAUTH_REFUSED, "without a code" }, { false, "/callback?state=S", OAUTH_REFUSED, "without a code" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf code = { 0 };
		struct error err = { "" };
		enum oauth_return how;

		server.names_issuer = cases[i].names_issuer;
		how = oauth_return_read(&attempt, str_from(cases[i].target), &code, &err);
		CHECK(how == cases[i].how, "%s: %d", cases[i].target, how);
		if (how == OAUTH_CODE)
			CHECK_STR(buf_str(&code), cases[i].words);
		else
			CHECK(strstr(err.text, cases[i].words), "%s: %s", cases[i].target, err.text);
		oauth_wipe(&code);
	}
	server.names_issuer = false;
}

static void the_client_says_who_it_is_as_the_server_wants_it(void)
{
	static const struct { enum oauth_method method; const char *header, *more; } cases[] = {
		{ OAUTH_NONE, "", "&client_id=me%3A%26" },
		{ OAUTH_POST, "", "&client_id=me%3A%26&client_secret=s%2F%2B" },
		{ OAUTH_BASIC, "authorization: Basic bWUlM0ElMjY6cyUyRiUyQg==", "" },
	};
	struct buf body = { 0 }, header = { 0 }, expected = { 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		client.method = cases[i].method;
		oauth_write_code(&attempt, STR("c&"), &body, &header);
		buf_clear(&expected);
		buf_printf(&expected, "grant_type=authorization_code&code=c%%26&redirect_uri=http%%3A%%2F%%2F127.0.0.1%%3A5%%2Fcallback&code_verifier=" VERIFIER
		           "&resource=https%%3A%%2F%%2Fa.example%%2Fmcp%s", cases[i].more);
		CHECK_STR(buf_str(&body), buf_z(&expected));
		CHECK_STR(buf_str(&header), cases[i].header);
		oauth_write_refresh(&client, STR("r"), "https://a.example/mcp", &body, &header);
		buf_clear(&expected);
		buf_printf(&expected, "grant_type=refresh_token&refresh_token=r&resource=https%%3A%%2F%%2Fa.example%%2Fmcp%s", cases[i].more);
		CHECK_STR(buf_str(&body), buf_z(&expected));
	}
	buf_fini(&body);
	buf_fini(&header);
	buf_fini(&expected);
}

static void a_registration_is_of_a_program_on_this_machine(void)
{
	struct buf body = { 0 };
	struct oauth_client c;
	struct error err = { "" };

	oauth_write_registration("http://127.0.0.1:5/callback", OAUTH_NONE, NULL, &body);
	CHECK_STR(buf_str(&body), "{\"client_name\":\"weir\",\"application_type\":\"native\",\"grant_types\":[\"authorization_code\",\"refresh_token\"],"
	          "\"response_types\":[\"code\"],\"token_endpoint_auth_method\":\"none\",\"redirect_uris\":[\"http://127.0.0.1:5/callback\"]}");
	buf_fini(&body);
	CU_ASSERT(oauth_client_read(&c, STR("{\"client_id\":\"x\",\"client_secret\":\"s\"}"), OAUTH_NONE, &err) && !c.secret && c.method == OAUTH_NONE);
	oauth_client_fini(&c);
	CU_ASSERT(oauth_client_read(&c, STR("{\"client_id\":\"x\",\"client_secret\":\"s\",\"token_endpoint_auth_method\":\"client_secret_post\"}"), OAUTH_NONE, &err));
	CU_ASSERT(c.method == OAUTH_POST && c.secret && !strcmp(c.secret, "s"));
	oauth_client_fini(&c);
	CU_ASSERT(!oauth_client_read(&c, STR("{\"client_id\":\"x\"}"), OAUTH_BASIC, &err));
	oauth_client_fini(&c);
	CU_ASSERT(!oauth_client_read(&c, STR("{\"client_id\":\"a b\"}"), OAUTH_NONE, &err));
	oauth_client_fini(&c);
	CU_ASSERT(!oauth_client_read(&c, STR("nonsense"), OAUTH_NONE, &err));
	oauth_client_fini(&c);
}

static void a_token_is_a_bearer_that_can_be_sent(void)
{
	static const struct { const char *text; const char *access, *refresh; long expires; const char *words; } cases[] = {
		{ "{\"access_token\":\"a\\u002fb\",\"token_type\":\"bearer\",\"expires_in\":60,\"refresh_token\":\"r\",\"scope\":\"x y\"}", "a/b", "r", 60, "" },
		{ "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":\"60\"}", "a", "", 60, "" },
		{ "{\"access_token\":\"a\",\"token_type\":\"Bearer\",\"expires_in\":99999999999999}", "a", "", -1, "" },
		{ "{\"access_token\":\"a\",\"token_type\":\"DPoP\"}", NULL, "", 0, "another type than Bearer" },
		{ "{\"access_token\":\"a\"}", NULL, "", 0, "another type than Bearer" },
		{ "{\"access_token\":\"a\\r\\nX-Evil: 1\",\"token_type\":\"Bearer\"}", NULL, "", 0, "no token that can be sent" },
		{ "{\"access_token\":7,\"token_type\":\"Bearer\"}", NULL, "", 0, "no token that can be sent" },
		{ "{\"token_type\":\"Bearer\"}", NULL, "", 0, "no token that can be sent" },
		{ "access_token=a&token_type=bearer", NULL, "", 0, "no JSON" }, { "", NULL, "", 0, "no JSON" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct oauth_token t;
		struct error err = { "" };
		bool good = oauth_token_read(&t, str_from(cases[i].text), &err);

		CHECK(good == (cases[i].access != NULL) && strstr(err.text, cases[i].words), "%s: %s", cases[i].text, err.text);
		if (good)
			CHECK(!strcmp(t.access, cases[i].access) && !strcmp(t.refresh ? t.refresh : "", cases[i].refresh) && t.expires_in_s == cases[i].expires,
			      "%s: %s %ld", cases[i].text, t.access, (long)t.expires_in_s);
		oauth_token_fini(&t);
	}
}

static void scopes_are_joined_within_a_limit(void)
{
	char *scope = NULL;
	char many[8000];

	oauth_scope_join(&scope, STR_NONE);
	CU_ASSERT_PTR_NULL(scope);
	oauth_scope_join(&scope, STR("b a  b \x01 c\"d \xC3\xA9"));
	CU_ASSERT_STRING_EQUAL(scope, "b a");
	oauth_scope_join(&scope, STR("a c"));
	CU_ASSERT_STRING_EQUAL(scope, "b a c");
	for (size_t i = 0; i + 8 < sizeof many; i += 8)
		snprintf(many + i, 9, "s%06zu ", i);
	oauth_scope_join(&scope, str_from(many));
	CU_ASSERT(strlen(scope) <= OAUTH_SCOPE_MOST && strlen(scope) > OAUTH_SCOPE_MOST - 16);
	mem_free(scope);
}

const struct suite suite_oauth = { "oauth", (const struct test[]){
	TEST(an_address_has_https_or_is_of_this_machine), TEST(metadata_are_looked_for_in_order), TEST(a_challenge_is_found_among_others),
	TEST(metadata_of_another_resource_are_refused), TEST(metadata_of_another_issuer_or_without_pkce_are_refused),
	TEST(a_page_has_all_that_protects_the_answer), TEST(an_answer_of_the_browser_belongs_to_the_attempt),
	TEST(the_client_says_who_it_is_as_the_server_wants_it), TEST(a_registration_is_of_a_program_on_this_machine),
	TEST(a_token_is_a_bearer_that_can_be_sent), TEST(scopes_are_joined_within_a_limit), { 0 } } };
