/*
 * What servers and browsers say of authorization. Rules: an address that is taken has https, or http to loopback where that is allowed; what is
 * taken is bounded; what is refused has a sentence; no control bytes in either.
 *
 * input: which text it is, and whether plain http to loopback is allowed; the text
 */
#include "fuzz.h"
#include "wire/mcp/oauth_request.h"

#define ISSUER "https://b.example"

static void check_text(const char *text, size_t most)
{
	size_t len = text ? strlen(text) : 0;

	FUZZ_CHECK(len <= most, "what is taken is bounded");
	for (size_t i = 0; i < len; i++)
		FUZZ_CHECK((unsigned char)text[i] >= 0x20 && text[i] != 0x7F, "without control bytes");
}

static void check_url(const char *url, bool plain)
{
	struct str text = str_from(url);

	check_text(url, OAUTH_URL_MOST);
	FUZZ_CHECK(!url || str_has_nocase(str_head(text, 8), STR("https://")) || (plain && oauth_url_is_plain(text)), "an address is https or loopback");
}

static void check_sentence(bool good, const struct error *err)
{
	FUZZ_CHECK(good || *err->text, "a refusal has a sentence");
	check_text(err->text, sizeof err->text);
}

static void challenge(struct str text, bool plain)
{
	struct oauth_challenge c = { 0 };

	oauth_challenge_take(&c, text);
	if (oauth_url_check(str_from(c.metadata), plain)) /* as the login does before it asks there */
		check_url(c.metadata, plain);
	check_text(c.scope, OAUTH_SCOPE_MOST);
	oauth_challenge_fini(&c);
}

static void resource(struct str text, bool plain)
{
	struct oauth_resource r = { 0 };
	struct error err = { "" };
	bool good = oauth_resource_read(&r, text, plain ? STR("http://127.0.0.1:1/mcp") : STR("https://a.example/mcp"), &err);

	check_sentence(good, &err);
	if (good)
		check_url(r.issuer, plain);
	check_text(r.scope, OAUTH_SCOPE_MOST);
	oauth_resource_fini(&r);
}

static void server(struct str text, bool plain)
{
	struct oauth_server s = { 0 };
	struct error err = { "" };
	bool good = oauth_server_read(&s, text, STR(ISSUER), plain, &err);

	check_sentence(good, &err);
	if (good) {
		check_url(s.authorization, plain);
		check_url(s.token, plain);
		check_url(s.registration, plain);
	}
	oauth_server_fini(&s);
}

static void token(struct str text)
{
	struct oauth_token t = { 0 };
	struct error err = { "" };
	struct buf words = { 0 };
	bool good = oauth_token_read(&t, text, &err);

	check_sentence(good, &err);
	FUZZ_CHECK(!good || t.access, "a token is one");
	check_text(t.access, OAUTH_SECRET_MOST);
	check_text(t.refresh, OAUTH_SECRET_MOST);
	check_text(t.scope, OAUTH_SCOPE_MOST);
	oauth_token_fini(&t);
	oauth_error_write(text, &(struct redact_set){ 0 }, &words);
	error_set(&err, "%s", buf_z(&words)); /* as all who tell of it do */
	check_text(err.text, sizeof err.text);
	buf_fini(&words);
}

static void callback(struct str target)
{
	struct oauth_server s = { .issuer = (char[]){ ISSUER }, .names_issuer = true };
	struct oauth_client client = { .id = (char[]){ "c" } };
	struct oauth_attempt a = { .server = &s, .client = &client, .resource = "r", .redirect = "http://127.0.0.1:1/callback", .verifier = "v", .state = "s" };
	struct error err = { "" };
	struct buf code = { 0 };
	enum oauth_return how = oauth_return_read(&a, target, &code, &err);

	check_sentence(how != OAUTH_REFUSED, &err);
	FUZZ_CHECK(how != OAUTH_CODE || code.len, "a code is one");
	oauth_wipe(&code);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned how = fuzz_byte(&in);
	bool plain = how & 0x80;

	switch ((how & 0x7F) % 5) {
	case 0: challenge(in.rest, plain); break;
	case 1: resource(in.rest, plain); break;
	case 2: server(in.rest, plain); break;
	case 3: token(in.rest); break;
	default: callback(in.rest); break;
	}
	return 0;
}
