/*
 * Untrusted text in every channel, shown in every way: on a terminal nothing of it acts, is hidden or reverses other text; in a pipe its
 * bytes are unchanged.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "lines.h"
#include "program.h"
#include "stage.h"
#include "support/check.h"

/* --- poison --- */

struct range { uint32_t first, last; };

/* Characters from outside that must never reach a terminal; LF and tab may. */
static const struct range bad[] = {
	{ 0x00, 0x08 }, { 0x0B, 0x1F }, { 0x7F, 0x9F }, { 0x061C, 0x061C }, { 0x115F, 0x1160 }, { 0x180E, 0x180E }, { 0x200E, 0x200F }, { 0x2028, 0x202E },
	{ 0x2061, 0x206F }, { 0x3164, 0x3164 }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFFA, 0xFFFA }, { 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE007F },
};
/* Those that the screen itself writes: backspace, CR, and the ESC of its own sequences. */
static const uint32_t own[] = { '\b', '\r', 0x1B };

/* Sequences with an effect: titles, the clipboard, the cursor, queries, a reset, colours by C1, links, a reply that types. */
static const char *const acts[] = {
	"\x1B]0;pwn", "\x1B]2;pwn", "\x1B]52;c;cHdu", "\x1B[77;77H", "\x1BPpwn", "\x1B\x63", "\xC2\x9B\x37\x37m", "\x1B]8;;http://pwn", "\x1B[99n", "\x1B[?1049lpwn",
};
#define ACTS (sizeof acts / sizeof *acts)
#define MARKS 100 /* combining acutes over one letter */

/* "A", all poison, "Z": as bytes, and as a JSON string. */
static struct buf raw, json;

static void add_code(uint32_t code)
{
	char bytes[4];

	buf_add(&raw, str_of(bytes, utf8_put(bytes, code)));
	if (code < 0x10000)
		buf_printf(&json, "\\u%04x", code);
	else
		buf_printf(&json, "\\u%04x\\u%04x", 0xD800 + ((code - 0x10000) >> 10), 0xDC00 + ((code - 0x10000) & 0x3FF));
}

/* `nul`: with U+0000, which HTTP and arguments cannot hold. */
static void mix_poison(bool nul)
{
	buf_init(&raw, 1 << 16);
	buf_init(&json, 1 << 16);
	add_code('A');
	for (size_t i = 0; i < ACTS; i++)
		for (struct str rest = str_from(acts[i]); rest.len;)
			add_code(utf8_next(&rest));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		for (uint32_t code = bad[i].first; code <= bad[i].last; code++)
			if (code || nul)
				add_code(code);
	add_code('a');
	for (unsigned i = 0; i < MARKS; i++)
		add_code(0x301);
	add_code('Z');
}

static void spill_poison(void)
{
	buf_fini(&raw);
	buf_fini(&json);
}

static bool is_bad(uint32_t code, bool screen)
{
	for (size_t i = 0; screen && i < sizeof own / sizeof *own; i++)
		if (code == own[i])
			return false;
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		if (code >= bad[i].first && code <= bad[i].last)
			return true;
	return false;
}

/* Checks the bytes; CR LF is written by the terminal itself. */
static void check_clean(struct str bytes, bool screen, const char *channel, const char *way)
{
	unsigned marks = 0;

	for (size_t i = 0; i < ACTS; i++)
		CHECK(str_find(bytes, str_from(acts[i])) == bytes.len, "%s, %s: act %zu", channel, way, i);
	for (struct str rest = bytes; rest.len;) {
		uint32_t code = utf8_next(&rest);

		marks = code == 0x301 ? marks + 1 : 0;
		if (is_bad(code, screen) && !(code == '\r' && rest.len && *rest.ptr == '\n')) {
			CHECK(false, "%s, %s: U+%04X before %.20s", channel, way, code, rest.ptr);
			return;
		}
		if (marks > 8) {
			CHECK(false, "%s, %s: a pile of marks", channel, way);
			return;
		}
	}
}

/* --- channels of an answer --- */

#define STREAM 200, "text/event-stream"
#define CHUNK(members) "data: {\"id\":\"i\",\"model\":\"m\",\"choices\":[{\"index\":0," members "}]}\n\n"
#define STOP CHUNK("\"delta\":{},\"finish_reason\":\"stop\"") "data: [DONE]\n\n"
#define CALL(id, name, arguments) \
	CHUNK("\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"" id "\",\"type\":\"function\",\"function\":{\"name\":\"" name "\",\"arguments\":\"" arguments "\"}}]}")
#define CALLS CHUNK("\"delta\":{},\"finish_reason\":\"tool_calls\"") "data: [DONE]\n\n"
#define LATER STREAM, CHUNK("\"delta\":{\"content\":\"ok\"}")

/* @ stands for the poison as JSON, ^ for its bytes. */
static const struct channel { const char *name; int status; const char *type, *body; } channels[] = {
	{ "text", STREAM, CHUNK("\"delta\":{\"content\":\"@\"}") STOP },
	{ "text in code", STREAM, CHUNK("\"delta\":{\"content\":\"```@\\n@\\n```\\n`@`\"}") STOP },
	{ "text in a table", STREAM, CHUNK("\"delta\":{\"content\":\"| a@ | b |\\n|---|---|\\n| @ | 2 |\\n\"}") STOP },
	{ "a link", STREAM, CHUNK("\"delta\":{\"content\":\"[a@](http://x/@) <http://y/@>\"}") STOP },
	{ "math", STREAM, CHUNK("\"delta\":{\"content\":\"$$\\\\frac{@}{b}$$ \\\\(x@\\\\)\"}") STOP },
	{ "broken UTF-8", STREAM, CHUNK("\"delta\":{\"content\":\"x\x9B" "77m\xED\xA0\x80\xFE\xC0\x9B y\"}") STOP },
	{ "reasoning", STREAM, CHUNK("\"delta\":{\"reasoning_content\":\"@\"}") CHUNK("\"delta\":{\"content\":\"ok\"}") STOP },
	{ "a refusal", STREAM, CHUNK("\"delta\":{\"refusal\":\"@\"}") STOP },
	{ "a call's name", STREAM, CALL("c", "n@", "{}") CALLS },
	{ "a call's id", STREAM, CALL("c@", "n", "{}") CALLS },
	{ "a call's arguments", STREAM, CALL("c", "n", "{\\\"a\\\":\\\"^\\\"}") CALLS },
	{ "arguments that are broken", STREAM, CALL("c", "n", "@") CALLS },
	{ "an id", STREAM, "data: {\"id\":\"@\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"}}]}\n\n" STOP },
	{ "a model", STREAM, "data: {\"id\":\"i\",\"model\":\"@\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"}}]}\n\n" STOP },
	{ "a route", STREAM, "data: {\"id\":\"i\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"}}],"
	                     "\"routing\":{\"routed\":true,\"routed_model\":\"@\",\"routing_latency_ms\":3}}\n\n" STOP },
	{ "a finish reason", LATER CHUNK("\"delta\":{},\"finish_reason\":\"@\"") "data: [DONE]\n\n" },
	{ "a citation", STREAM, CHUNK("\"delta\":{\"content\":\"ok\",\"annotations\":[{\"type\":\"url_citation\",\"url_citation\":{\"url\":\"http://x/@\",\"title\":\"@\"}}]}") STOP },
	{ "an error in the stream", LATER "data: {\"error\":{\"message\":\"@\",\"type\":\"@\",\"code\":\"@\"}}\n\n" },
	{ "an event's name", LATER "event: ^\n: ^\nfield^: x\n\n" STOP },
	{ "no stream at all", STREAM, "^\n\n" },
	{ "a refusal by status", 400, "application/json", "{\"error\":{\"message\":\"@\",\"type\":\"@\",\"code\":\"@\",\"param\":\"@\"}}" },
	{ "an unknown model", 404, "application/json", "{\"error\":{\"message\":\"The model @ does not exist\",\"code\":\"model_not_found\"}}" },
	{ "a page", 502, "text/html", "<html><title>^</title><body>^</body></html>" },
	{ "plain words", 500, "text/plain", "^" },
	{ "a content type", 200, "text/x-^", "hm" },
	{ "a header", 200, "text/event-stream\r\nx-request-id: r^\r\nretry-after: ^", "hm" },
	{ "a redirection", 302, "text/plain\r\nlocation: http://x/^", "" },
};
#define CHANNELS (sizeof channels / sizeof *channels)

/* Fills in the poison; in a header without line breaks, which would end it. */
static void fill(const char *pattern, bool header, struct buf *out)
{
	buf_init(out, 1 << 20);
	for (const char *c = pattern; *c; c++) {
		if (*c == '@')
			buf_add(out, buf_str(&json));
		else if (*c == '^')
			for (size_t i = 0; i < raw.len; i++)
				buf_add_byte(out, header && (raw.ptr[i] == '\n' || raw.ptr[i] == '\r' || !raw.ptr[i]) ? ' ' : raw.ptr[i]);
		else
			buf_add_byte(out, *c);
	}
}

/* Whether the program offers another model for this error. */
static bool opens_menu(const struct channel *channel)
{
	return strstr(channel->body, "model_not_found") != NULL;
}

static void answer(struct hand *server, const struct channel *channel)
{
	struct buf type, body;

	fill(channel->type, true, &type);
	fill(channel->body, false, &body);
	hand_answer(server, channel->status, buf_z(&type));
	hand_send_bytes(server, buf_str(&body));
	hand_close(server);
	buf_fini(&type);
	buf_fini(&body);
}

/* --- ways of showing it --- */

static void check_asked(const struct channel *channel, bool page)
{
	char url[80];
	struct hand *server = hand_new();

	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", hand_port(server));
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("ask", "--base-url", url, "-m", "m-1", "--retries", "0", "hi", page ? NULL : "--raw") });
	hand_accept(server);
	answer(server, channel);
	PTY_WAIT(p, pty_is_over, NULL);
	CHECK(pty_output(p).len > 0, "%s: not a word", channel->name);
	check_clean(pty_output(p), page, channel->name, page ? "ask" : "ask --raw");
	pty_free(p);
	hand_free(server);
}

static void check_ask(const struct channel *channel) { check_asked(channel, true); }
static void check_ask_raw(const struct channel *channel) { check_asked(channel, false); }

static void check_plain(const struct channel *channel)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "go");
	answer(l.server, channel);
	SAYS(&l, "Status: ");
	if (opens_menu(channel)) {
		SAYS(&l, "Choice: ");
		pty_send(l.pty, "\x03");
	}
	SAYS(&l, "You: ");
	pty_send(l.pty, "/details\n/reasoning-text\n/calls\n/quit\n");
	PTY_ENDS(l.pty, 0);
	check_clean(pty_output(l.pty), false, channel->name, "linear");
	lines_drop(&l);
}

static void check_screen(const struct channel *channel)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "go");
	answer(s.server, channel);
	STAGE_OVER(&s);
	if (opens_menu(channel)) {
		PTY_SEES(s.pty, "Enter choose");
		pty_send(s.pty, K_ESC);
		PTY_LOSES(s.pty, "Enter choose");
	}
	pty_send(s.pty, K_CTRL('t'));
	pty_settle(s.pty);
	pty_send(s.pty, K_CTRL('o'));
	PTY_SEES(s.pty, "Details");
	pty_settle(s.pty);
	pty_send(s.pty, K_PGDN);
	pty_settle(s.pty);
	check_clean(pty_output(s.pty), true, channel->name, "the screen");
	CHECK(!pty_has_written(s.pty, "\x1B]52;") && pty_rows(s.pty) == 24, "%s", channel->name);
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "Details of");
	PTY_REDRAWS(s.pty);
	stage_drop(&s);
}

static void every_channel_is_only_text(void (*check)(const struct channel *channel))
{
	mix_poison(true);
	for (size_t i = 0; i < CHANNELS; i++)
		check(&channels[i]);
	spill_poison();
}

static void ask_on_a_terminal(void) { every_channel_is_only_text(check_ask); }
static void ask_raw_on_a_terminal(void) { every_channel_is_only_text(check_ask_raw); }
static void the_linear_mode(void) { every_channel_is_only_text(check_plain); }
static void the_screen(void) { every_channel_is_only_text(check_screen); }

/* --- a pipe --- */

static void bytes_in_a_pipe_are_exact(void)
{
	char url[80];
	struct hand *server = hand_new();
	struct program p;

	mix_poison(true);
	snprintf(url, sizeof url, "http://127.0.0.1:%u/v1", hand_port(server));
	program_start(&p, ARGS("ask", "--base-url", url, "-m", "m-1", "--no-stdin", "hi"), NULL);
	hand_accept(server);
	answer(server, &channels[0]);
	CHECK(program_wait(&p) == 0, "status %d", p.status);
	buf_add_byte(&raw, '\n'); /* the poison has none at its end */
	CHECK(str_equal(buf_str(&p.output), buf_str(&raw)), "%zu bytes, not %zu", p.output.len, raw.len);
	program_free(&p);
	hand_free(server);
	folder_remove();
	spill_poison();
}

/* --- names and files --- */

/* A file name with the poison: without slash and NUL, within 255 bytes. */
static const char *poisoned_name(const char *end)
{
	static char name[256];
	static const char some[] = "A\x1B]0;pwn\a\x1B]52;c;cHdu\a\x1B[77;77H\xC2\x9B" "77m\x9B" "1m\xE2\x80\xAE\xE2\x81\xA6\b\r\n\x7F\xE2\x80\x8F\xE2\x80\xA8\xF3\xA0\x81\x81\xE3\x85\xA4Z";

	snprintf(name, sizeof name, "%s%s", some, end);
	return name;
}

#define TAPE_HEAD "{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"dialect\":\"generic\",\"provider\":\"p@\",\"model\":\"m@\",\"url\":\"http://x/@\",\"started\":\"@\",\"request\":{\"@\":1}}\n" \
	"{\"t\":1,\"attempt\":{\"status\":429,\"headers\":{\"retry-after\":\"@\"},\"body\":\"@\",\"t\":0,\"wait\":1}}\n" \
	"{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream@\",\"headers\":{\"x-request-id\":\"@\"}}}\n"
#define TAPE TAPE_HEAD "{\"t\":2,\"body\":\"data: {\\\"id\\\":\\\"i\\\",\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"Told.\\\"},\\\"finish_reason\\\":\\\"stop\\\"}]}\\n\\n^data: [DONE]\\n\\n\"}\n{\"t\":3,\"end\":\"closed\"}\n"

/* `%` stands for HOME. Each command must end by itself. */
static const struct { const char *name; const char *arguments[10]; } commands[] = {
	{ "decode", { "decode", "%evil.tape" } },
	{ "decode --events", { "decode", "--events", "%evil.tape" } },
	{ "decode of another name", { "decode", "%NAME" } },
	{ "decode of nothing", { "decode", "%NAME.not" } },
	{ "lint", { "lint", "%evil.tape" } },
	{ "lint --json", { "lint", "--json", "%evil.tape" } },
	{ "replay --plain", { "replay", "--plain", "--speed", "max", "%evil.tape" } },
	{ "replay --plain of another name", { "replay", "--plain", "--speed", "max", "%NAME" } },
	{ "replay of nothing", { "replay", "%NAME.not" } },
	{ "serve of nothing", { "serve", "%NAME.not" } },
	{ "a settings file", { "providers", "--config", "%evil.conf" } },
	{ "settings that are wrong", { "providers", "--config", "%wrong.conf" } },
	{ "no settings file", { "providers", "--config", "%NAME.not" } },
	{ "a provider", { "ask", "-p", "NAME", "hi" } },
	{ "a protocol", { "ask", "--protocol", "NAME", "hi" } },
	{ "a dialect", { "ask", "--dialect", "NAME", "hi" } },
	{ "a theme", { "--theme", "NAME" } },
	{ "a theme's file", { "--theme", "evil" } },
	{ "an option", { "ask", "--NAME" } },
	{ "a number", { "ask", "--max-tokens", "NAME", "hi" } },
	{ "a command", { "NAME" } },
	{ "a URL", { "ask", "--base-url", "http://NAME/v1", "-m", "m", "hi" } },
	{ "a file", { "ask", "--file", "%NAME.not", "hi" } },
	{ "a schema", { "ask", "--schema", "%NAME", "hi" } },
	{ "tools", { "ask", "--tools", "%NAME", "hi" } },
	{ "a tape", { "ask", "--tape", "%NAME", "hi" } },
	{ "a log", { "ask", "--debug", "%NAME", "hi" } },
};

static void write_files(const char *home)
{
	static const struct { const char *name, *content; } files[] = {
		{ "evil.tape", TAPE },
		{ "evil.conf", "[provider A\x1B]0;pwn\a\xC2\x9B" "77m]\nbase_url = http://x/^\nprotocol = openai-chat\nmodel = ^\n" },
		{ "wrong.conf", "theme = x\n^ = ^\n[^]\n" },
		{ ".config/weir/themes/evil.theme", "^ = ^\ntext = ^\n" },
	};
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		struct buf content;

		fill(files[i].content, true, &content);
		home_write(home, files[i].name, buf_z(&content));
		buf_fini(&content);
	}
	struct buf tape;
	fill(TAPE, true, &tape);
	home_write(home, poisoned_name(""), buf_z(&tape));
	buf_fini(&tape);
}

static char *argument(const char *home, const char *pattern)
{
	struct buf text;
	const char *name = strstr(pattern, "NAME");

	buf_init(&text, 4096);
	if (*pattern == '%')
		buf_printf(&text, "%s/", home);
	pattern += *pattern == '%';
	if (name)
		buf_printf(&text, "%.*s%s%s", (int)(name - pattern), pattern, poisoned_name(""), name + 4);
	else
		buf_add_z(&text, pattern);
	return buf_take(&text);
}

static void names_and_files_are_only_text(void)
{
	char *home = home_new();

	mix_poison(false);
	write_files(home);
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		char *arguments[11] = { NULL };

		for (size_t a = 0; commands[i].arguments[a]; a++)
			arguments[a] = argument(home, commands[i].arguments[a]);
		struct pty *p = pty_start(&(struct pty_options){ .home = home, .arguments = (const char *const *)arguments });
		pty_send(p, "\x04");
		PTY_WAIT(p, pty_is_over, NULL);
		CHECK(pty_output(p).len > 0, "%s: not a word", commands[i].name);
		check_clean(pty_output(p), false, commands[i].name, "a terminal");
		pty_free(p);
		for (size_t a = 0; arguments[a]; a++)
			mem_free(arguments[a]);
	}
	spill_poison();
	home_free(home);
}

/* --- links --- */

/* A link's text that looks like another address does not hide its target. */
static void links_show_where_they_lead(void)
{
	struct stage s;

	stage_open(&s, NULL);
	stage_turn(&s, "go", "See [https://bank.example/login](https://evil.example/steal), [bank.example](http://evil.example), and [a page](https://ok.example/x).");
	PTY_SEES(s.pty, "evil.example/steal");
	PTY_SEES(s.pty, "http://evil.example");
	CHECK(!pty_has_written(s.pty, "\x1B]8;id=1;https://bank.example"), "the terminal is told the real one");
	stage_close(&s);
}

const struct suite suite_untrusted = { "untrusted", (const struct test[]){
	TEST(ask_on_a_terminal),
	TEST(ask_raw_on_a_terminal),
	TEST(the_linear_mode),
	TEST(the_screen),
	TEST(bytes_in_a_pipe_are_exact),
	TEST(names_and_files_are_only_text),
	TEST(links_show_where_they_lead),
	{ 0 },
} };
