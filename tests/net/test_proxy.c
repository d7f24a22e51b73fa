/* Proxies of the environment: which parts are secret, and what curl and the user see. */
#include "net/proxy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "loopback.h"
#include "net/http_failure.h"
#include "support/check.h"
#include "support/faulty.h"
#include "support/secure.h"

#define OK "HTTP/1.1 200 OK\r\nContent-Type: a/b\r\nContent-Length: 2\r\n\r\nok"
#define OK_LOG "head 200 a/b\nbody ok\nend closed\n"

static void forget_proxies(void)
{
	static const char *const variables[] = { "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY",
		                                 "no_proxy", "NO_PROXY" };

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
		unsetenv(variables[i]);
}

/* Sets a proxy; `before` precedes the port. */
static void set_proxy(const char *variable, const char *before, unsigned port)
{
	char value[200];

	snprintf(value, sizeof value, "%s:%u", before, port);
	setenv(variable, value, 1);
}

static void ask(const char *url, const char *proxy_ca_file, struct recorder *r)
{
	struct http_request request = { .method = "POST", .url = url, .body = STR("{}"), .connect_timeout_ms = 10000,
		                        .proxy_ca_file = proxy_ca_file };
	struct http *http = http_new();

	recorder_init(r);
	loop_ask(http, &request, r);
	http_free(http);
}

static void ask_and_expect(const char *url, const char *proxy_ca_file, const char *log, const char *words)
{
	struct recorder r;

	ask(url, proxy_ca_file, &r);
	CHECK_STR(buf_str(&r.log), log);
	CHECK(strstr(buf_z(&r.detail), words), "%s: %s", url, buf_z(&r.detail));
	recorder_fini(&r);
}

/* --- parsing --- */

static void separates_proxies_from_their_credentials(void)
{
	static const struct { const char *value, *url, *credentials; bool usable; } cases[] = {
		{ "http://host:3128", "http://host:3128", NULL, true },
		{ "host", "host", NULL, true },
		{ " host:1/ ", "host:1/", NULL, true },
		{ "user:word@host:1", "host:1", "user:word", true },
		{ "HTTPS://user@host", "HTTPS://host", "user:", true },
		{ "http://:word@host", "http://host", ":word", true },
		{ "http://@host", "http://host", ":", true },
		{ "socks5h://u%40v:w:x@[::1]:1", "socks5h://[::1]:1", "u%40v:w:x", true },
		{ "http://user:a/b@c?d#@host:1", "http://host:1", "user:a/b@c?d#", true },
		{ "user:a://b@host", "host", "user:a://b", true },
		{ "foo://user:word@host", "foo://host", "user:word", false },
		{ "http://user:word", "http://user:word", NULL, false },
		{ "http://user:0", "http://user:0", NULL, false },
		{ "http://user:65536", "http://user:65536", NULL, false },
		{ "http://[::1", "http://[::1", NULL, false },
		{ "http://[::1]1", "http://[::1]1", NULL, false },
		{ "http://", "http://", NULL, false },
		{ "user:word@", "", "user:word", false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct proxy p;

		forget_proxies();
		setenv("all_proxy", cases[i].value, 1);
		proxy_find(&p, true);
		CHECK_STR(str_from(p.variable), "all_proxy");
		CHECK(str_is(str_from(p.url), cases[i].url), "%s: %s", cases[i].value, p.url);
		CHECK(!p.credentials == !cases[i].credentials, "%s", cases[i].value);
		CHECK(!p.credentials || str_is(str_from(p.credentials), cases[i].credentials), "%s: %s", cases[i].value, p.credentials);
		CHECK(p.usable == cases[i].usable, "%s", cases[i].value);
		proxy_fini(&p);
	}
	forget_proxies();
}

static void looks_at_the_variables_that_curl_does(void)
{
	static const struct { const char *set; const char *http, *https; } cases[] = {
		{ "http_proxy", "http_proxy", NULL }, { "HTTP_PROXY", NULL, NULL }, { "https_proxy", NULL, "https_proxy" },
		{ "HTTPS_PROXY", NULL, "HTTPS_PROXY" }, { "all_proxy", "all_proxy", "all_proxy" }, { "ALL_PROXY", "ALL_PROXY", "ALL_PROXY" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct proxy p;

		forget_proxies();
		setenv("all_proxy", "", 1);
		setenv(cases[i].set, "host", 1);
		proxy_find(&p, false);
		CHECK(cases[i].http ? str_is(str_from(p.variable), cases[i].http) : !p.variable, "%s", cases[i].set);
		proxy_fini(&p);
		proxy_find(&p, true);
		CHECK(cases[i].https ? str_is(str_from(p.variable), cases[i].https) : !p.variable, "%s", cases[i].set);
		proxy_fini(&p);
	}
	forget_proxies();
}

static bool has(const struct redact_set *set, const char *secret)
{
	for (size_t i = 0; i < set->count; i++)
		if (str_is(str_of(set->secrets[i].ptr, set->secrets[i].len), secret))
			return true;
	return false;
}

/* A user name is an ordinary word: it is not a secret if there is a password. */
static void finds_what_is_a_secret(void)
{
	static const struct { const char *value, *secrets[6], *word; } cases[] = {
		{ "foo://alexander:hunter-2%2f2@h", { "alexander:hunter-2%2f2", "alexander:hunter-2/2", "hunter-2%2f2", "hunter-2/2", "hunter-2%2F2",
		  "YWxleGFuZGVyOmh1bnRlci0yLzI=" }, "alexander" },
		{ "token-4711@h", { "token-4711", "token-4711:", "dG9rZW4tNDcxMTo=" }, NULL },
		{ "token-4711:x@h", { "token-4711", "token-4711:x", "dG9rZW4tNDcxMTp4" }, "x" },
		{ "h:3128", { NULL }, "h:3128" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		static const char *const variables[] = { "http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY" };

		for (size_t v = 0; v < sizeof variables / sizeof *variables; v++) {
			struct redact_set set = { 0 };

			forget_proxies();
			setenv(variables[v], cases[i].value, 1);
			proxy_add_secrets(&set);
			for (size_t s = 0; s < sizeof cases[i].secrets / sizeof *cases[i].secrets && cases[i].secrets[s]; s++)
				CHECK(has(&set, cases[i].secrets[s]), "%s: %s", variables[v], cases[i].secrets[s]);
			CHECK(!cases[i].word || !has(&set, cases[i].word), "%s: %s", variables[v], cases[i].word);
			redact_set_fini(&set);
		}
	}
	forget_proxies();
}

/* --- credentials --- */

#define PROXY_USER "per%2Fsona"
#define PROXY_PASSWORD "pass-4711%40-word"
#define PROXY_CREDENTIALS PROXY_USER ":" PROXY_PASSWORD
#define PROXY_BASIC "cGVyL3NvbmE6cGFzcy00NzExQC13b3Jk"

static bool holds_credentials(const char *text)
{
	static const char *const forms[] = { "per%2Fsona", "per/sona", "pass-4711", "-word", PROXY_BASIC };

	for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
		if (strstr(text, forms[i]))
			return true;
	return false;
}

static void a_proxy_gets_them(void)
{
	static const char *const proxies[] = { "http://" PROXY_CREDENTIALS "@127.0.0.1", "per/sona:pass-4711@-word@127.0.0.1" };

	for (size_t i = 0; i < sizeof proxies / sizeof *proxies; i++) {
		struct faulty *proxy = FAULTY_ONE(OK);
		char *requests;

		forget_proxies();
		set_proxy("http_proxy", proxies[i], faulty_port(proxy));
		ask_and_expect("http://weir.invalid/v1", NULL, OK_LOG, "");
		requests = faulty_requests(proxy);
		CHECK(strstr(requests, "Proxy-Authorization: Basic " PROXY_BASIC "\r\n"), "%s", requests);
		mem_free(requests);
		forget_proxies();
		faulty_free(proxy);
	}
}

static void no_message_contains_them(void)
{
	static const struct { const char *proxy, *words; } cases[] = {
		{ "foo://" PROXY_CREDENTIALS "@127.0.0.1", "the proxy in https_proxy cannot be used (it has the form http://host:port" },
		{ "http://" PROXY_CREDENTIALS "@127.0.0.1:port", "the proxy in https_proxy cannot be used" },
		{ "http://" PROXY_CREDENTIALS "@", "the proxy in https_proxy cannot be used" },
		{ "http://" PROXY_CREDENTIALS, "the proxy in https_proxy cannot be used" },
		{ "http://per/sona:pass-4711/-word@127.0.0.1", "Connection refused" },
		{ PROXY_CREDENTIALS "@127.0.0.1", "Connection refused" },
		{ "http://" PROXY_CREDENTIALS "@127.0.0.1", "Connection refused" },
		{ "socks5h://" PROXY_CREDENTIALS "@127.0.0.1", "Connection refused" },
		{ "https://" PROXY_CREDENTIALS "@127.0.0.1", "Connection refused" },
		{ "http://" PROXY_CREDENTIALS "@proxy.invalid", "the name of the proxy cannot be resolved" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct recorder r;

		forget_proxies();
		set_proxy("https_proxy", cases[i].proxy, faulty_free_port());
		ask("https://weir.invalid/v1", NULL, &r);
		CHECK_STR(buf_str(&r.log), "end cut\n");
		CHECK(strstr(buf_z(&r.detail), cases[i].words), "%s: %s", cases[i].proxy, buf_z(&r.detail));
		CHECK(!holds_credentials(buf_z(&r.detail)), "%s: %s", cases[i].proxy, buf_z(&r.detail));
		recorder_fini(&r);
		forget_proxies();
	}
}

/* As in the variable, decoded, and as sent; also when a variable other than the proxy's holds them. */
static void a_proxy_that_repeats_them_is_masked(void)
{
	static const char *const variables[] = { "http_proxy", "https_proxy", "HTTPS_PROXY", "ALL_PROXY" };
	static const char said[] = "HTTP/1.1 200 OK\r\nContent-Type: " PROXY_BASIC "\r\nX-Request-Id: " PROXY_CREDENTIALS "\r\n\r\n"
	                           PROXY_PASSWORD " pass-4711@-word " PROXY_CREDENTIALS " per/sona:pass-4711@-word " PROXY_BASIC " and so on";

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		struct faulty *proxy = FAULTY_ONE(said);
		struct recorder r;

		forget_proxies();
		set_proxy("http_proxy", "http://127.0.0.1", faulty_port(proxy));
		set_proxy(variables[i], "http://" PROXY_CREDENTIALS "@127.0.0.1", faulty_port(proxy));
		ask("http://weir.invalid/v1", NULL, &r);
		CU_ASSERT_EQUAL(r.heads, 1);
		CHECK(str_ends(buf_str(&r.body), " and so on"), "%s", buf_z(&r.body));
		CHECK(!holds_credentials(buf_z(&r.body)), "%s: %s", variables[i], buf_z(&r.body));
		CHECK(!holds_credentials(buf_z(&r.log)), "%s: %s", variables[i], buf_z(&r.log));
		CHECK(!holds_credentials(buf_z(&r.headers)), "%s: %s", variables[i], buf_z(&r.headers));
		recorder_fini(&r);
		forget_proxies();
		faulty_free(proxy);
	}
}

/* --- proxies over TLS --- */

static struct secure *open_proxy(void)
{
	struct secure *proxy = secure_new(SECURE_BYTES, SECURE_OURS);

	forget_proxies();
	if (proxy)
		set_proxy("http_proxy", "https://127.0.0.1", secure_port(proxy));
	return proxy;
}

/* The hint names the setting that helps: the CA file of the last request. That uses another server, as the first may still be busy. */
static void a_proxy_behind_tls_is_verified(void)
{
	struct secure *proxy = open_proxy();
	struct recorder r;

	if (!proxy)
		return;
	ask("http://weir.invalid/v1", NULL, &r); /* libcurl's words for it depend on its version */
	CHECK_STR(buf_str(&r.log), "end cut\n");
	CHECK(strstr(buf_z(&r.detail), "TLS with the proxy in http_proxy failed: SSL certificate ") && strstr(buf_z(&r.detail), ": self-signed certificate"),
	      "%s", buf_z(&r.detail));
	CHECK(str_ends(buf_str(&r.detail), " (to trust it, name its CA's file in SSL_CERT_FILE; ca_file is the server's)"), "%s", buf_z(&r.detail));
	recorder_fini(&r);
	ask_and_expect("http://weir.invalid/v1", "/nowhere/ca.pem", "end cut\n", "the certificates in /nowhere/ca.pem cannot be read (check SSL_CERT_FILE)");
	secure_free(proxy);
	proxy = open_proxy();
	secure_send(proxy, STR(OK));
	ask_and_expect("http://weir.invalid/v1", secure_ca_file(proxy), OK_LOG, "");
	forget_proxies();
	secure_free(proxy);
}

static void no_credentials_go_over_what_is_too_old(void)
{
	struct secure *proxy = secure_new(SECURE_TLS_1_1, SECURE_OURS);
	char *received;

	if (!proxy)
		return;
	forget_proxies();
	set_proxy("http_proxy", "https://" PROXY_CREDENTIALS "@127.0.0.1", secure_port(proxy));
	secure_send(proxy, STR(OK));
	ask_and_expect("http://weir.invalid/v1", secure_ca_file(proxy), "end cut\n",
	               "TLS with the proxy in http_proxy failed: it does not offer TLS 1.2 or later");
	received = secure_received(proxy);
	CHECK(!strstr(received, "Proxy-Authorization"), "%s", received);
	mem_free(received);
	forget_proxies();
	secure_free(proxy);
}

/* libcurl's message about a server reached through such a proxy whose certificate is not trusted. */
static void tls_within_tls_names_the_servers_file(void)
{
	struct http_failure failure = { .code = 35, .reason = "OpenSSL SSL_connect: SSL_ERROR_SYSCALL in connection to box.invalid:443 ",
		                        .place = "box.invalid", .proxy_variable = "https_proxy", .proxy_status = 200, .proxy_secure = true };
	struct error err;

	CU_ASSERT_TRUE(http_failure_explain(&failure, &err));
	CHECK(strstr(err.text, "(to trust the server, name its CA's file in ca_file or SSL_CERT_FILE)"), "%s", err.text);
	failure.proxy_secure = false;
	CU_ASSERT_TRUE(http_failure_explain(&failure, &err));
	CHECK(!strstr(err.text, "ca_file"), "%s", err.text);
}

/* A proxy that is not used is not mentioned. */
static void a_host_without_a_proxy_ignores_an_invalid_one(void)
{
	forget_proxies();
	setenv("https_proxy", "foo://proxy", 1);
	setenv("no_proxy", ".invalid", 1);
	ask_and_expect("https://weir.invalid/v1", NULL, "end cut\n", "the name cannot be resolved");
	forget_proxies();
}

const struct suite suite_proxy = { "proxy", (const struct test[]){
	TEST(separates_proxies_from_their_credentials), TEST(looks_at_the_variables_that_curl_does), TEST(finds_what_is_a_secret),
	TEST(a_proxy_gets_them), TEST(no_message_contains_them), TEST(a_proxy_that_repeats_them_is_masked),
	TEST(a_proxy_behind_tls_is_verified), TEST(no_credentials_go_over_what_is_too_old), TEST(tls_within_tls_names_the_servers_file), TEST(a_host_without_a_proxy_ignores_an_invalid_one),
	{ 0 } } };
