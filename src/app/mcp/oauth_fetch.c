#include "app/mcp/oauth_fetch.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "chat/exchange/outgoing.h"

#define CHALLENGE_MOST ((size_t)16 << 10)

struct oauth_fetch {
	struct provider sending;   /* a copy without headers; its texts are borrowed for the start only */
	struct source *transfer;
	struct buf challenge;
	char *bytes;               /* OAUTH_FETCH_BYTES of room: it does not grow, which would leave copies of a token */
	size_t len;
	int status;
	bool over, head_only;
	int64_t until_ms;
	char failure[300];
};

static void fetch_fails(struct oauth_fetch *f, const char *why)
{
	f->over = true;
	f->status = 0;
	snprintf(f->failure, sizeof f->failure, "%.290s", why);
}

static void fetch_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct oauth_fetch *f = ctx;

	(void)at_ms;
	f->status = head->status;
	buf_clear(&f->challenge);
	for (size_t i = 0; i < head->header_count; i++)
		if (str_is(head->headers[i].name, "www-authenticate"))
			buf_printf(&f->challenge, "%s%.*s", f->challenge.len ? ", " : "", STR_ARG(head->headers[i].value));
	if (f->head_only) {
		source_cancel(f->transfer);
		f->over = true;
	}
}

static void fetch_body(void *ctx, struct str bytes, double at_ms)
{
	struct oauth_fetch *f = ctx;

	(void)at_ms;
	if (f->over)
		return;
	if (bytes.len > OAUTH_FETCH_BYTES - f->len) {
		source_cancel(f->transfer);
		fetch_fails(f, "the response has more than 256 KB");
		return;
	}
	memcpy(f->bytes + f->len, bytes.ptr, bytes.len);
	f->len += bytes.len;
}

static void fetch_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct oauth_fetch *f = ctx;
	char *words = str_dup(detail);

	(void)at_ms;
	if (how != END_CLOSED || !f->status)
		fetch_fails(f, *words ? words : "the connection failed");
	f->over = true;
	mem_free(words);
}

struct oauth_fetch *oauth_fetch_new(struct http *http, const struct oauth_ask *ask)
{
	struct oauth_fetch *f = mem_new(sizeof *f);
	struct error err = { "" };
	bool has_header = ask->header && *ask->header;
	const struct outgoing o = {
		.provider = &f->sending, .env = ask->env, .url = ask->url, .body = ask->body, .bodies_are_secret = true,
		.content_type = ask->is_form ? "content-type: application/x-www-form-urlencoded" : NULL,
		.accept = ask->accept, .headers = &ask->header, .header_count = has_header,
	};

	f->head_only = ask->head_only;
	f->sending = *ask->sending;
	f->sending.headers = NULL;
	f->sending.header_count = 0;
	f->bytes = mem_new(OAUTH_FETCH_BYTES);
	f->until_ms = clock_now_ms() + OAUTH_FETCH_MS;
	buf_init(&f->challenge, CHALLENGE_MOST);
	if (!outgoing_start(&o, http, &(struct source_sink){ f, fetch_head, fetch_body, fetch_end }, &f->transfer, &err))
		fetch_fails(f, err.text);
	return f;
}

void oauth_fetch_free(struct oauth_fetch *f)
{
	if (!f)
		return;
	source_free(f->transfer);
	mem_wipe(f->bytes, f->len);
	mem_free(f->bytes);
	buf_fini(&f->challenge);
	mem_free(f);
}

bool oauth_fetch_is_over(struct oauth_fetch *f, int64_t now_ms)
{
	if (!f->over && now_ms >= f->until_ms) {
		source_cancel(f->transfer);
		fetch_fails(f, "no answer came within 20 s");
	}
	return f->over;
}

int64_t oauth_fetch_deadline(const struct oauth_fetch *f)
{
	return f->over ? 0 : f->until_ms;
}

int oauth_fetch_status(const struct oauth_fetch *f)
{
	return f->status;
}

struct str oauth_fetch_body(const struct oauth_fetch *f)
{
	return str_of(f->bytes, f->len);
}

struct str oauth_fetch_challenge(const struct oauth_fetch *f)
{
	return buf_str(&f->challenge);
}

const char *oauth_fetch_failure(const struct oauth_fetch *f)
{
	return f->failure;
}
