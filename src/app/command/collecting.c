#include "app/command/collecting_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/command/actions_inside.h"
#include "app/session/session_prompts.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "base/os/descriptor.h"
#include "base/utf8.h"
#include "net/http.h"
#include "net/source.h"
#include "render/markdown/html_text.h"
#include "chat/conversation/figure.h"
#include "wire/attachment.h"

#define FETCH_MS 30000
#define RUN_MS 60000
#define CONNECT_MS 10000
#define RUN_BYTES ((size_t)256 << 10)
#define READ_BYTES 65536

void collecting_init(struct collecting *c)
{
	*c = (struct collecting){ .child.fd = -1, .fd = -1 };
}

bool collecting_stop(struct collecting *c)
{
	bool was = c->name != NULL;

	source_free(c->transfer);
	mcp_call_cancel(&c->call, STR("the user stopped it"));
	if (c->fd >= 0)
		close(c->fd);
	child_kill(&c->child);
	buf_fini(&c->bytes);
	mem_free(c->name);
	mem_free(c->line);
	mem_free(c->server);
	mem_free(c->type);
	mem_free(c->location);
	collecting_init(c);
	return was;
}

void collecting_fini(struct collecting *c)
{
	collecting_stop(c);
}

const char *collecting_name(const struct collecting *c)
{
	return c->name;
}

void collecting_begin(struct collecting *c, const struct actor *actor, char *name, size_t limit, int64_t ms)
{
	collecting_stop(c);
	c->actor = *actor;
	c->name = name;
	buf_init(&c->bytes, limit);
	c->deadline_ms = clock_now_ms() + ms;
}

/* Adds within the limit. */
static void collecting_add(struct collecting *c, struct str bytes)
{
	size_t room = buf_limit(&c->bytes) - c->bytes.len;

	c->cut |= bytes.len > room;
	buf_add(&c->bytes, str_head(bytes, room));
}

/* The text is complete: attached under its name, in place of an earlier one. */
static void collecting_attach(struct collecting *c, struct str text, const char *type)
{
	struct actor actor = c->actor;
	char size[FIGURE_SIZE];
	struct error words;

	session_attach_bytes(actor.session, text, c->name, type);
	error_set(&words, "%s, %s%s, goes with the next prompt; /attach shows it", c->name, figure_bytes(size, text.len),
	          c->cut ? " and no more of it" : "");
	collecting_stop(c);
	actor.say(actor.ctx, SEVERITY_INFORMATION, words.text);
}

void collecting_fail(struct collecting *c, const char *format, ...)
{
	struct actor actor = c->actor;
	struct error words;
	char text[sizeof words.text];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof text, format, args);
	va_end(args);
	error_set(&words, "%s", text);
	collecting_stop(c);
	actor.say(actor.ctx, SEVERITY_ERROR, words.text);
}

/* --- an address --- */

static void collecting_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct collecting *c = ctx;

	(void)at_ms;
	c->status = head->status;
	str_replace(&c->type, head->content_type);
	for (size_t i = 0; i < head->header_count; i++)
		if (str_is(head->headers[i].name, "location"))
			str_replace(&c->location, head->headers[i].value);
}

static void collecting_body(void *ctx, struct str bytes, double at_ms)
{
	(void)at_ms;
	collecting_add(ctx, bytes);
}

static void collecting_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct collecting *c = ctx;

	(void)at_ms;
	c->over = true;
	if (how != END_CLOSED)
		snprintf(c->failure, sizeof c->failure, "%.*s", STR_ARG(detail.len ? detail : STR("the connection broke off")));
}

static bool collecting_may_fetch(const struct actor *actor, struct str address)
{
	struct str host = str_skip(address, sizeof "http://" - 1);
	size_t end = 0;

	if (!str_starts(address, "http://") || setup_allows_http(actor->setup))
		return true;
	while (end < host.len && !strchr("/?#", host.ptr[end]))
		end++;
	host = str_head(host, end);
	if (str_find(host, STR("@")) < host.len)
		return false;
	return http_is_loopback(str_starts(host, "[") ? str_head(host, str_find(host, STR("]")) + 1) : str_head(host, str_find(host, STR(":"))));
}

void collecting_fetch(struct collecting *c, const struct actor *actor, struct str address)
{
	static const char *const headers[] = { "Accept: text/html, text/*;q=0.9, */*;q=0.8" };
	struct str plain = str_head(address, str_find(address, STR("#")));
	struct source_sink sink = { .ctx = c, .head = collecting_head, .body = collecting_body, .end = collecting_end };
	struct error err = { "" };

	if (!collecting_may_fetch(actor, address)) {
		act_fail(actor, "%.*s is not encrypted: take https, or start weir with --allow-http", STR_ARG(str_head(address, 200)));
		return;
	}
	collecting_begin(c, actor, str_dup(address), COLLECTING_BYTES, FETCH_MS);
	char *url = str_dup(plain);
	bool good = http_start(actor->setup->http, &(struct http_request){
		.method = "GET", .url = url, .headers = headers, .header_count = 1, .http2 = true, .connect_timeout_ms = CONNECT_MS,
		.proxy_ca_file = process_environment("SSL_CERT_FILE"),
	}, &sink, &c->transfer, &err);
	mem_free(url);
	if (!good)
		collecting_fail(c, "%s", err.text);
	else
		act_say(actor, "fetching %.*s ...", STR_ARG(str_head(address, 200)));
}

static void collecting_take_page(struct collecting *c)
{
	struct str type = str_from(c->type);
	const char *media = attachment_media(buf_str(&c->bytes));
	struct buf repaired = { 0 }, text;

	if (media) {
		collecting_attach(c, buf_str(&c->bytes), media);
		return;
	}
	if (c->bytes.len && memchr(c->bytes.ptr, 0, c->bytes.len)) {
		collecting_fail(c, "%s is neither a text nor an image, a sound or a PDF, so it cannot be attached", c->name);
		return;
	}
	buf_init(&repaired, 4 * COLLECTING_BYTES);
	buf_init(&text, COLLECTING_TEXT_BYTES);
	c->cut |= !utf8_repair(buf_str(&c->bytes), &repaired);
	struct str all = buf_str(&repaired);
	bool html = str_has_nocase(type, STR("html")) || (!type.len && str_has_nocase(str_head(all, 256), STR("<html")));
	if (html) {
		html_text(all, &text);
		c->cut |= text.len + 16 > COLLECTING_TEXT_BYTES;
	} else {
		c->cut |= all.len > COLLECTING_TEXT_BYTES;
		buf_add(&text, utf8_head(all, COLLECTING_TEXT_BYTES));
	}
	if (text.len)
		collecting_attach(c, buf_str(&text), !html && str_has_nocase(type, STR("json")) ? "application/json" : "text/plain");
	else
		collecting_fail(c, "%s holds no text", c->name);
	buf_fini(&repaired);
	buf_fini(&text);
}

static void collecting_take_response(struct collecting *c)
{
	if (*c->failure && !c->cut)
		collecting_fail(c, "%s was not fetched: %s", c->name, c->failure);
	else if (c->status / 100 == 3 && c->location)
		collecting_fail(c, "%s was not fetched: redirects are not followed, this one leads to %s", c->name, c->location);
	else if (c->status / 100 != 2)
		collecting_fail(c, "%s was not fetched: HTTP %d", c->name, c->status);
	else
		collecting_take_page(c);
}

/* --- a command --- */

void collecting_run(struct collecting *c, const struct actor *actor, struct str command)
{
	struct buf name = { 0 };
	int ends[2];

	buf_printf(&name, "!%.*s", STR_ARG(command));
	collecting_begin(c, actor, buf_take(&name), RUN_BYTES, RUN_MS);
	if (!descriptor_pipe(ends)) {
		collecting_fail(c, "the command cannot be run: %s", strerror(errno));
		return;
	}
	fcntl(ends[0], F_SETFL, O_NONBLOCK);
	const char *const words[] = { "sh", "-c", c->name + 1, NULL };
	int failure = child_start(&c->child, words, &(struct child_options){ .place = CHILD_CAPTURED, .output = ends[1] });
	close(ends[1]);
	c->fd = ends[0];
	if (failure)
		collecting_fail(c, "the command cannot be run: %s", strerror(failure));
	else
		act_say(actor, "running %s ...", c->name + 1);
}

/* The output, and how it ended, where that is worth a word: `stopped`, else `end`. */
static void collecting_take_output(struct collecting *c, const char *stopped, const struct child_end *end)
{
	struct buf text = { 0 };

	buf_printf(&text, "$ %s\n", c->name + 1);
	(void)utf8_repair(buf_str(&c->bytes), &text);
	if (text.len && text.ptr[text.len - 1] != '\n')
		buf_add_byte(&text, '\n');
	if (stopped)
		buf_printf(&text, "[%s]\n", stopped);
	else if (end->signal || end->status)
		buf_printf(&text, end->signal ? "[ended by signal %d]\n" : "[exit status %d]\n", end->signal ? end->signal : end->status);
	collecting_attach(c, buf_str(&text), "text/plain");
	buf_fini(&text);
}

static void collecting_read_output(struct collecting *c)
{
	char bytes[READ_BYTES];
	ssize_t n = read(c->fd, bytes, sizeof bytes);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n > 0)
		collecting_add(c, str_of(bytes, (size_t)n));
	if (c->cut)
		collecting_take_output(c, "it wrote more, and was ended", NULL);
	else if (n <= 0)
		c->over = true;
}

/* --- the loop --- */

static size_t collecting_fds(void *ctx, struct pollfd *fds, size_t room)
{
	const struct collecting *c = ctx;

	if (!room || c->fd < 0)
		return 0;
	if (c->over) /* its output is closed: it ends */
		return child_fds(&c->child, fds);
	fds[0] = (struct pollfd){ .fd = c->fd, .events = POLLIN };
	return 1;
}

static int64_t collecting_deadline(void *ctx)
{
	const struct collecting *c = ctx;
	int64_t now_ms = clock_now_ms(), look_ms = c->over ? child_deadline(&c->child, now_ms) : NO_DEADLINE;

	if (!c->name || c->server)
		return NO_DEADLINE;
	return look_ms < c->deadline_ms ? look_ms : c->deadline_ms;
}

static void collecting_turn(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct collecting *c = ctx;
	struct child_end end;

	if (c->line && !c->call.on)
		collecting_look_for_prompt(c);
	if (!c->name || c->server)
		return;
	if (c->transfer) {
		if (c->over)
			collecting_take_response(c);
		else if (c->cut)
			collecting_take_page(c);
		else if (now_ms >= c->deadline_ms)
			collecting_fail(c, "%s was not fetched: it takes longer than %d s", c->name, FETCH_MS / 1000);
		return;
	}
	if (c->fd >= 0 && !c->over && count && fds[0].revents)
		collecting_read_output(c);
	if (!c->name)
		return;
	if (c->over && child_has_ended(&c->child, &end))
		collecting_take_output(c, NULL, &end);
	else if (now_ms >= c->deadline_ms)
		collecting_take_output(c, "it took too long, and was ended", NULL);
}

struct loop_member collecting_member(struct collecting *c)
{
	return (struct loop_member){ .ctx = c, .fds = collecting_fds, .deadline = collecting_deadline, .run = collecting_turn };
}
