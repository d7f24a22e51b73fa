/* The forms of a request. The curl command is run by a shell, against a server that keeps what it gets. */
#include "chat/exchange/sent_request.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/child.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "support/check.h"
#include "support/hand.h"
#include "talk.h"

#define KEY "sk-test-0123456789abcdef"

static struct providers *providers;
static struct sent_request request;

static void begin(const char *team, const char *session)
{
	struct provider *box;
	struct error err;

	talk_set_variable("BOX_API_KEY", KEY);
	providers = providers_new(talk_environment);
	box = providers_add(providers, STR("box"));
	if (team)
		CHECK(provider_set(box, STR("header.x-team"), str_from(team), &err), "%s", err.text);
	if (session)
		CHECK(provider_set(box, STR("header.x-session-token"), str_from(session), &err), "%s", err.text);
}

static void take(const char *protocol, const char *provider, const char *url, struct str body)
{
	struct tape_info facts = { .protocol = str_from(protocol), .provider = str_from(provider), .url = str_from(url), .request = body };
	struct error err = { "" };

	CHECK(sent_request_of_tape(&request, &facts, providers, talk_environment, false, &err), "%s", err.text);
}

static void end(void)
{
	providers_free(providers);
	talk_set_variable("BOX_API_KEY", NULL);
}

static void expect(void (*form)(const struct sent_request *r, struct buf *out), const char *text)
{
	struct buf out = { 0 };

	form(&request, &out);
	CHECK_STR(buf_str(&out), text);
	buf_fini(&out);
}

static void a_request_has_three_forms(void)
{
	begin("a'b", "abc");
	take("openai-chat", "box", "https://h/v1/chat/completions", STR("{\"model\":\"m\",\"n\":1.50,\"stream\":true}"));
	expect(sent_request_write_json, "{\n  \"model\": \"m\",\n  \"n\": 1.50,\n  \"stream\": true\n}\n");
	expect(sent_request_write_head, "POST https://h/v1/chat/completions\naccept: text/event-stream\ncontent-type: application/json\n"
	       "x-team: a'b\nx-session-token: $X_SESSION_TOKEN\nauthorization: Bearer $BOX_API_KEY\n");
	expect(sent_request_write_curl, "curl -N --http1.1 'https://h/v1/chat/completions' \\\n  -H 'accept: text/event-stream' \\\n"
	       "  -H 'content-type: application/json' \\\n  -H 'x-team: a'\\''b' \\\n  -H 'x-session-token: '\"$X_SESSION_TOKEN\" \\\n"
	       "  -H 'authorization: Bearer '\"$BOX_API_KEY\" \\\n  --data-binary '{\"model\":\"m\",\"n\":1.50,\"stream\":true}'\n");
	sent_request_fini(&request);
	end();
}

/* Each protocol has its own headers, and says in its own way whether it streams. */
static void the_head_is_that_of_the_protocol(void)
{
	static const struct { const char *protocol, *url, *body, *head; } cases[] = {
		{ "anthropic", "https://h/v1/messages", "{\"stream\":false}",
		  "POST https://h/v1/messages\naccept: application/json\ncontent-type: application/json\nanthropic-version: 2023-06-01\nx-api-key: $BOX_API_KEY\n" },
		{ "gemini", "https://h/v1beta/models/m:streamGenerateContent?alt=sse", "{}",
		  "POST https://h/v1beta/models/m:streamGenerateContent?alt=sse\naccept: text/event-stream\ncontent-type: application/json\nx-goog-api-key: $BOX_API_KEY\n" },
		{ "gemini", "https://h/v1beta/models/m:generateContent", "{}",
		  "POST https://h/v1beta/models/m:generateContent\naccept: application/json\ncontent-type: application/json\nx-goog-api-key: $BOX_API_KEY\n" },
	};

	begin(NULL, NULL);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		take(cases[i].protocol, "box", cases[i].url, str_from(cases[i].body));
		expect(sent_request_write_head, cases[i].head);
		sent_request_fini(&request);
	}
	take("openai-chat", "gone", "https://h/v1/chat/completions", STR("{}"));
	expect(sent_request_write_head, "POST https://h/v1/chat/completions\naccept: text/event-stream\ncontent-type: application/json\n"
	       "authorization: Bearer $API_KEY\n");
	sent_request_fini(&request);
	end();
}

static void no_form_holds_a_secret(void)
{
	static void (*const forms[])(const struct sent_request *r, struct buf *out) = {
		sent_request_write_json, sent_request_write_head, sent_request_write_curl,
	};

	begin(NULL, "token-0123456789");
	take("gemini", "box", "https://h/x?key=...&alt=sse", STR("{\"contents\":\"" KEY " token-0123456789\"}"));
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
		struct buf out = { 0 };

		forms[i](&request, &out);
		CHECK(!strstr(buf_z(&out), "sk-test") && !strstr(buf_z(&out), "token-01"), "%s", buf_z(&out));
		CHECK(i == 0 || strstr(buf_z(&out), i == 1 ? "?key=$KEY&alt=sse" : "x?key='\"$KEY\"'&alt=sse'"), "%s", buf_z(&out));
		buf_fini(&out);
	}
	sent_request_fini(&request);
	end();
}

/* An image does not hide what stands behind it. */
static void a_long_string_is_shortened_to_be_looked_at(void)
{
	struct buf body = { 0 }, out = { 0 };

	begin(NULL, NULL);
	buf_add_z(&body, "{\"a\\\"\":\"b\\\\\",\"image\":\"");
	for (size_t i = 0; i < SENT_REQUEST_SHOWN / 2 - 1; i++)
		buf_add_z(&body, "ab");
	buf_add_z(&body, "a\xc3\xbc");
	for (size_t i = 0; i < 3000; i++)
		buf_add_z(&body, "z");
	buf_add_z(&body, "\",\"text\":\"look\",\"n\":[1,2]}");
	take("openai-chat", "box", "https://h/", buf_str(&body));
	sent_request_show_json(&request, &out);
	CHECK(strstr(buf_z(&out), "aba\xc3\xbc... 3 KB more\",\n  \"text\": \"look\",\n  \"n\": [\n    1,\n    2\n  ]\n}\n") != NULL, "%.300s", buf_z(&out) + SENT_REQUEST_SHOWN - 20);
	CHECK(str_starts(buf_str(&out), "{\n  \"a\\\"\": \"b\\\\\",\n  \"image\": \"ab"), "%.60s", buf_z(&out));
	buf_fini(&out);
	sent_request_fini(&request);
	take("openai-chat", "box", "https://h/", STR("{\"a\":\"b\",\"c\":[]}"));
	expect(sent_request_show_json, "{\n  \"a\": \"b\",\n  \"c\": []\n}\n");
	sent_request_fini(&request);
	buf_clear(&body);
	buf_add_z(&body, "{\"a\":\"");
	for (size_t i = 0; i < SENT_REQUEST_SHOWN; i++)
		buf_add_z(&body, i % 3 ? "\\u00e9" : "\\n");
	buf_add_z(&body, "\"}");
	take("openai-chat", "box", "https://h/", buf_str(&body));
	buf_clear(&out);
	sent_request_show_json(&request, &out);
	CHECK(str_ends(buf_str(&out), " KB more\"\n}\n"), "an escape is not cut: %s", buf_z(&out) + SENT_REQUEST_SHOWN);
	buf_fini(&out);
	sent_request_fini(&request);
	buf_fini(&body);
	end();
}

/* A tape may come from anybody. */
static void a_url_holds_no_control_bytes(void)
{
	begin(NULL, NULL);
	take("openai-chat", "box", "https://h/\x1b[2J x\n\xc2\x9b'", STR("{\"stream\":false}"));
	expect(sent_request_write_head, "POST https://h/%1B[2J%20x%0A%C2%9B'\naccept: application/json\ncontent-type: application/json\n"
	       "authorization: Bearer $BOX_API_KEY\n");
	sent_request_fini(&request);
	end();
}

/* A tape that names a provider and a host of its own gets no key of ours, should somebody run the command. */
static void a_foreign_tape_names_no_key_for_another_host(void)
{
	static const struct { const char *url; bool foreign, is_ours; } cases[] = {
		{ "https://box.example/v1/chat/completions", true, true }, { "https://BOX.example/other", true, true },
		{ "https://evil.example/v1/chat/completions", false, true }, { "https://evil.example/v1/chat/completions", true, false },
		{ "https://box.example@evil.example/v1", true, false }, { "https://box.example.evil.example/v1", true, false },
		{ "http://box.example/v1", true, false }, { "https://box.example:444/v1", true, false },
		{ "https://evil.example/?https://box.example/", true, false }, { "https://evil.example#https://box.example/", true, false },
	};
	struct error err = { "" };

	begin("team", NULL);
	CHECK(provider_set(providers_find(providers, STR("box")), STR("base_url"), STR("https://box.example/v1"), &err), "%s", err.text);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tape_info facts = { .protocol = STR("openai-chat"), .provider = STR("box"), .url = str_from(cases[i].url), .request = STR("{\"a\":\"" KEY "\"}") };
		struct buf out = { 0 };

		CHECK(sent_request_of_tape(&request, &facts, providers, talk_environment, cases[i].foreign, &err), "%s", err.text);
		sent_request_write_curl(&request, &out);
		CHECK(!strstr(buf_z(&out), "\"$BOX_API_KEY\"") == !cases[i].is_ours, "%zu: %s", i, buf_z(&out));
		CHECK(!strstr(buf_z(&out), "\"$API_KEY\"") == cases[i].is_ours, "%zu: %s", i, buf_z(&out));
		CHECK(!strstr(buf_z(&out), "x-team") == !cases[i].is_ours, "%zu: %s", i, buf_z(&out));
		CHECK(!strstr(buf_z(&out), KEY), "%zu: %s", i, buf_z(&out));
		buf_fini(&out);
		sent_request_fini(&request);
	}
	end();
}

static void what_is_no_request_is_refused(void)
{
	struct error err = { "" };

	begin(NULL, NULL);
	CU_ASSERT(!sent_request_of_tape(&request, &(struct tape_info){ .protocol = STR("openai-chat"), .url = STR("http://h/") }, providers, talk_environment, false, &err));
	CHECK_STR(str_from(err.text), "the recording holds no request");
	CU_ASSERT(!sent_request_of_tape(&request, &(struct tape_info){ .protocol = STR("telex"), .url = STR("http://h/"), .request = STR("{}") }, providers,
	                                talk_environment, false, &err));
	CHECK_STR(str_from(err.text), "the recording is of a protocol that is not known here");
	CU_ASSERT(!sent_request_of_tape(&request, &(struct tape_info){ .protocol = STR("openai-chat"), .url = STR("-Ktape"), .request = STR("{}") }, providers,
	                                talk_environment, false, &err));
	CHECK_STR(str_from(err.text), "the URL in the recording is not one of HTTP");
	end();
}

/* --- in a shell --- */

static bool has_curl(void)
{
	return access("/usr/bin/curl", X_OK) == 0 || access("/usr/local/bin/curl", X_OK) == 0;
}

/* Runs the command in `shell`, as if it were pasted, and checks what the server gets. */
static void run_in(const char *shell, struct hand *server, struct str body)
{
	struct child child;
	struct child_end how;
	struct buf script = { 0 };
	char *path = talk_path("command.sh");
	FILE *file = fopen(path, "w");

	buf_add_z(&script, "export no_proxy='*' BOX_API_KEY='the key'\n");
	sent_request_write_curl(&request, &script);
	CU_ASSERT_FATAL(file != NULL && fwrite(script.ptr, 1, script.len, file) == script.len && fclose(file) == 0);
	CU_ASSERT_EQUAL_FATAL(child_start(&child, (const char *const[]){ shell, path, NULL }, &(struct child_options){ .place = CHILD_APART }), 0);
	if (hand_accept(server)) {
		CHECK(strlen(hand_body(server)) == body.len && !memcmp(hand_body(server), body.ptr, body.len), "%s: %.300s", shell, hand_body(server));
		CHECK(strstr(hand_head(server), "\r\nauthorization: Bearer the key\r\n") != NULL, "%s", hand_head(server));
		CHECK(str_starts(str_from(hand_head(server)), "POST /v1/chat/completions?a[1]={b} HTTP/1.1\r\n"), "%s", hand_head(server));
		hand_reply(server, 200, "text/plain", "ok");
	}
	while (!child_has_ended(&child, &how))
		poll(NULL, 0, 1);
	CHECK(!how.signal && !how.status, "%s: status %d", shell, how.status);
	unlink(path);
	mem_free(path);
	buf_fini(&script);
}

/* Everything that means something to a shell, alone, doubled, and at the ends. */
static const char *const prompts[] = {
	"plain", "'", "''", "it's", "'quoted'", "\"", "$HOME ${HOME} $(id) $((1+1))", "`id`", "a\nb\n\nc", "\\", "\\\\'\\n", "!! !id", "# * ? [a] {a,b} ~",
	"; rm -rf x & | > < (", "%s %d %%", "@file", "EOF\n'\nEOF", "\t\r\b\x7f", "\xc3\xbc \xf0\x9f\x9a\xb2 \xe2\x80\xae", "-n", "",
};

#define URL_SIZE 100

/* NULL: the test is skipped. Otherwise the caller frees the server and calls end(). */
static struct hand *begin_with_server(char url[URL_SIZE])
{
	struct hand *server;

	if (!has_curl()) {
		check_skip("curl is not installed");
		return NULL;
	}
	begin(NULL, NULL);
	server = hand_new();
	snprintf(url, URL_SIZE, "http://127.0.0.1:%u/v1/chat/completions?a[1]={b}", hand_port(server));
	return server;
}

static void a_shell_sends_the_same_bytes(void)
{
	char url[URL_SIZE];
	struct hand *server = begin_with_server(url);

	if (!server)
		return;
	for (size_t i = 0; i < sizeof prompts / sizeof *prompts; i++) {
		struct buf body = { 0 }, sent = { 0 };

		buf_add_z(&body, i % 2 ? "{\"model\":\"m\",\n\t\"p\":" : "{\"p\":");
		json_escape(&body, str_from(prompts[i]));
		buf_add_z(&body, i % 2 ? "}\n" : "}");
		take("openai-chat", "box", url, buf_str(&body));
		for (size_t at = 0; at < body.len; at++)
			buf_printf(&sent, body.ptr[at] == 0x7F ? "\\u007f" : "%c", body.ptr[at]); /* as the next test says */
		run_in(i % 3 ? "/bin/sh" : "/bin/bash", server, buf_str(&sent));
		sent_request_fini(&request);
		buf_fini(&body);
		buf_fini(&sent);
	}
	hand_free(server);
	end();
}

/* A terminal or a line editor acts on these when the command is pasted; JSON says them with other bytes. */
static void a_pasted_command_has_no_control_characters(void)
{
	struct buf out = { 0 };

	begin(NULL, NULL);
	take("openai-chat", "box", "https://h/v1/chat/completions", STR("{\"p\":\"a'\x7f\x7f" "touch x\xc2\x9b\xc2\xa0\xc3\x9b\"}"));
	sent_request_write_curl(&request, &out);
	CHECK(str_ends(buf_str(&out), "--data-binary '{\"p\":\"a'\\''\\u007f\\u007ftouch x\\u009b\xc2\xa0\xc3\x9b\"}'\n"), "%s", buf_z(&out));
	buf_clear(&out);
	sent_request_write_json(&request, &out); /* a file has what was sent */
	CHECK(strstr(buf_z(&out), "a'\x7f\x7f" "touch x\xc2\x9b"), "%s", buf_z(&out));
	buf_fini(&out);
	sent_request_fini(&request);
	end();
}

/* One that is larger than an argument may be. */
static void a_large_body_goes_through_a_pipe(void)
{
	struct buf body = { 0 };
	char url[URL_SIZE];
	struct hand *server = begin_with_server(url);

	if (!server)
		return;
	buf_add_z(&body, "{\"p\":\"");
	while (body.len < 300000)
		buf_add_z(&body, "it's 100% $(id) \\n ");
	buf_add_z(&body, "\"}");
	take("openai-chat", "box", url, buf_str(&body));
	run_in("/bin/sh", server, buf_str(&body));
	sent_request_fini(&request);
	buf_fini(&body);
	hand_free(server);
	end();
}

const struct suite suite_sent_request = { "sent_request", (const struct test[]){
	TEST(a_request_has_three_forms), TEST(the_head_is_that_of_the_protocol), TEST(no_form_holds_a_secret), TEST(a_long_string_is_shortened_to_be_looked_at),
	TEST(a_url_holds_no_control_bytes), TEST(a_foreign_tape_names_no_key_for_another_host), TEST(what_is_no_request_is_refused),
	TEST(a_shell_sends_the_same_bytes), TEST(a_pasted_command_has_no_control_characters), TEST(a_large_body_goes_through_a_pipe), { 0 } } };
