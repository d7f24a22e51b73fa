/* One request of the HTTP transport: its headers, what its response brings, and how it ended. */
#include "app/mcp/mcp_http_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/exchange/outgoing.h"
#include "net/head.h"
#include "wire/mcp/content.h"

#define REFUSAL_MOST ((size_t)64 << 10)
#define SESSION_MOST 1024u   /* bytes of the id of a session */
#define HEADERS_MOST 80u
#define LINGER_MS 5000       /* until a response is closed that goes on behind the answer */
#define RESUME_MS 1000       /* until a stream is resumed, unless the server says when */
#define RESUME_LEAST_MS 250  /* whatever it says */
#define RESUME_MOST_MS 60000
#define RESUMES_MOST 5u      /* without an event */
#define SHOWN_MOST 200u      /* bytes of a body in a sentence */

/* --- the response --- */

/* Visible characters only. */
static bool is_session(struct str id)
{
	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.ptr[i] < 0x21 || (unsigned char)id.ptr[i] > 0x7E)
			return false;
	return id.len && id.len <= SESSION_MOST;
}

static void post_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct mcp_post *p = ctx;
	struct str session = head_value(head, "mcp-session-id");

	(void)at_ms;
	p->status = head->status;
	str_replace(&p->location, head_value(head, "location"));
	if (p->link->auth && head->status / 100 == 2)
		mcp_auth_works(p->link->auth);
	for (size_t i = 0; i < head->header_count; i++)
		if ((head->status == 401 || head->status == 403) && str_is(head->headers[i].name, "www-authenticate"))
			oauth_challenge_take(&p->challenge, head->headers[i].value);
	if (p->method && !strcmp(p->method, "initialize") && head->status / 100 == 2 && is_session(session))
		str_replace(&p->link->session, session);
	p->link->sink.head(p->link->sink.ctx, head);
}

/* The address in the first event of the old transport. Another host would get the key: it is not taken. */
static void take_endpoint(struct mcp_http *m, struct str target)
{
	struct str url = str_from(m->o.server->url), origin = str_head(url, str_find(url, STR("://")) + 3);
	struct buf endpoint = { 0 };

	origin = str_head(url, origin.len + str_find(str_skip(url, origin.len), STR("/")));
	if (str_starts(target, "/") && !str_starts(target, "//"))
		buf_printf(&endpoint, "%.*s%.*s", STR_ARG(origin), STR_ARG(target));
	else if (target.len > origin.len && str_equal(str_head(target, origin.len), origin) && target.ptr[origin.len] == '/')
		buf_add(&endpoint, target);
	if (endpoint.len && !m->endpoint)
		m->endpoint = buf_take(&endpoint);
	buf_fini(&endpoint);
}

/* The event that primes a client to resume has empty data. */
static void post_frame(void *ctx, const struct frame *frame)
{
	struct mcp_post *p = ctx;

	if (p->kind == MCP_LISTEN && p->link->is_old && str_is(frame->event, "endpoint")) {
		take_endpoint(p->link, str_trim(frame->data));
		return;
	}
	if (p->dropped || frame->unclosed || str_is_blank(frame->data))
		return;
	p->has_message = true;
	p->link->sink.message(p->link->sink.ctx, frame->data, p->id);
	if (p->id && !p->linger_ms && !p->link->sink.waits(p->link->sink.ctx, p->id))
		p->linger_ms = clock_now_ms() + LINGER_MS;
}

static void post_body(void *ctx, struct str bytes, double at_ms)
{
	struct mcp_post *p = ctx;

	(void)at_ms;
	if (p->status / 100 != 2) {
		buf_add(&p->refusal, str_head(bytes, REFUSAL_MOST - p->refusal.len));
		return;
	}
	p->attempts = 0;
	framer_feed(p->framer, bytes);
}

static void post_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct mcp_post *p = ctx;

	(void)at_ms;
	if (p->status / 100 == 2)
		framer_end(p->framer);
	p->over = true;
	p->how = how;
	snprintf(p->failure, sizeof p->failure, "%.*s", STR_ARG(detail));
}

/* --- the request --- */

struct headers { const char *lines[HEADERS_MOST]; size_t count; };

static void headers_add(struct headers *h, char *line)
{
	if (h->count < HEADERS_MOST)
		h->lines[h->count++] = line;
	else
		mem_free(line);
}

static void PRINTF_LIKE(2, 3) headers_print(struct headers *h, const char *format, ...)
{
	char line[SESSION_MOST + 100];
	va_list args;

	va_start(args, format);
	vsnprintf(line, sizeof line, format, args);
	va_end(args);
	headers_add(h, mem_dup_z(line));
}

static void headers_of(const struct mcp_post *p, struct headers *h)
{
	const struct mcp_http *m = p->link;
	struct str lines = buf_str(&p->headers), line;

	h->count = 0;
	if (m->session && !(p->method && !strcmp(p->method, "initialize")))
		headers_print(h, "mcp-session-id: %s", m->session);
	if (p->last_id)
		headers_print(h, "last-event-id: %s", p->last_id);
	/* libcurl takes a name without a value for one that is not to be sent, unless it ends in a semicolon. */
	while (str_split(&lines, '\n', &line))
		if (str_ends(line, ": "))
			headers_print(h, "%.*s;", (int)line.len - 2, line.ptr);
		else
			headers_add(h, str_dup(line));
}

void mcp_post_start(struct mcp_post *p)
{
	struct mcp_http *m = p->link;
	bool gets = p->kind == MCP_LISTEN || p->last_id;
	struct headers headers;
	struct error err = { "" };

	headers_of(p, &headers);
	struct outgoing o = {
		.provider = m->o.server->sending, .key = m->auth ? mcp_auth_token(m->auth) : str_of(m->key, m->key_size),
		.env = m->o.env, .allow_http = m->o.allow_http, .secrets = m->o.secrets,
		.url = m->endpoint && !gets ? m->endpoint : m->o.server->url,
		.body = gets || p->kind == MCP_DELETE ? STR_NONE : buf_str(&p->body),
		.method = p->kind == MCP_DELETE ? "DELETE" : NULL,
		.accept = gets ? "accept: text/event-stream" : "accept: application/json, text/event-stream",
		.headers = headers.lines, .header_count = headers.count,
	};
	p->over = false;
	p->status = 0;
	p->failure[0] = '\0';
	oauth_challenge_fini(&p->challenge);
	buf_fini(&p->refusal);
	buf_init(&p->refusal, REFUSAL_MOST);
	framer_free(p->framer);
	p->framer = framer_new(post_frame, p);
	if (!outgoing_start(&o, m->o.http, &(struct source_sink){ p, post_head, post_body, post_end }, &p->transfer, &err)) {
		p->over = true;
		p->how = END_CUT;
		snprintf(p->failure, sizeof p->failure, "%.290s", err.text);
	}
	for (size_t i = 0; i < headers.count; i++)
		mem_free((void *)(uintptr_t)headers.lines[i]);
}

void mcp_post_free(struct mcp_post *p)
{
	source_free(p->transfer);
	framer_free(p->framer);
	buf_fini(&p->body);
	buf_fini(&p->headers);
	buf_fini(&p->refusal);
	oauth_challenge_fini(&p->challenge);
	mem_free(p->method);
	mem_free(p->location);
	mem_free(p->last_id);
	mem_free(p);
}

/* --- its end --- */

static void PRINTF_LIKE(3, 4) post_unanswered(struct mcp_post *p, enum mcp_ending ending, const char *format, ...)
{
	struct error words;
	va_list args;

	va_start(args, format);
	vsnprintf(words.text, sizeof words.text, format, args);
	va_end(args);
	if (p->id)
		p->link->sink.unanswered(p->link->sink.ctx, p->id, ending, str_from(words.text));
}

/* Whether a body is one JSON object with a member `jsonrpc`: an error that the server has to say. */
static bool is_message(struct str body)
{
	return json_scan_is_whole(body) && json_scan_find(body, (const char *const[]){ "jsonrpc", NULL }).len;
}

/* Whether the server may have the old transport (transports, "Backward Compatibility"): then that is tried. */
static bool post_tries_old(struct mcp_post *p)
{
	bool begins = p->method && !strcmp(p->method, "initialize");

	if (!begins || p->link->is_old || (p->status != 400 && p->status != 404 && p->status != 405) || is_message(buf_str(&p->refusal)))
		return false;
	p->link->is_old = true;
	p->link->refused = p->status;
	source_free(p->transfer);
	p->transfer = NULL;
	mcp_post_listen(p->link, MCP_REVISION_COUNT);
	return true;
}

/* The one stream of the old transport has ended, or there is none. */
static void old_stream_ends(struct mcp_http *m)
{
	char words[100];

	if (m->endpoint) {
		m->sink.lost(m->sink.ctx, MCP_CUT, STR("the connection ended"));
		return;
	}
	snprintf(words, sizeof words, "the server answers with HTTP %d, and has no event stream either", m->refused);
	m->sink.lost(m->sink.ctx, MCP_VIOLATION, str_from(words));
}

static void post_is_refused(struct mcp_post *p)
{
	struct mcp_auth *auth = p->link->auth;
	struct buf words = { 0 };
	struct error told;

	(void)utf8_repair(str_head(str_trim(buf_str(&p->refusal)), SHOWN_MOST), &words);
	if (auth && (p->status == 401 || (p->status == 403 && p->challenge.lacks_scope))) {
		mcp_auth_explain(auth, p->status, &p->challenge, &told);
		post_unanswered(p, MCP_ERROR, "%s", told.text);
	} else if (p->status == 401)
		post_unanswered(p, MCP_ERROR, "the server does not take the key of [mcp %s] (HTTP 401)", p->link->o.server->name);
	else if (p->status == 403)
		post_unanswered(p, MCP_ERROR, "the server forbids it (HTTP 403)%s%s", words.len ? ": " : "", buf_z(&words));
	else if (p->status / 100 == 3)
		post_unanswered(p, MCP_ERROR, "the server redirects (HTTP %d) to %.200s; redirects are not followed: set that as the URL", p->status,
		                p->location ? p->location : "nowhere");
	else if (p->status == 404 && p->link->session)
		p->link->forgotten = true;
	else if (p->id && is_message(buf_str(&p->refusal)))
		p->link->sink.message(p->link->sink.ctx, buf_str(&p->refusal), p->id);
	else
		post_unanswered(p, MCP_VIOLATION, "the server answers with HTTP %d%s%s", p->status, words.len ? ": " : "", buf_z(&words));
	buf_fini(&words);
}

/* The token is renewed, and the request sent again, once. */
static bool post_renews(struct mcp_post *p)
{
	if (p->status != 401 || p->renewed || p->link->closing || !p->link->auth || !mcp_auth_renew(p->link->auth))
		return false;
	p->renewed = true;
	source_free(p->transfer);
	p->transfer = NULL;
	return true;
}

/* The stream has ended without the answer. True: the rest is asked for. */
static bool post_resumes(struct mcp_post *p, int64_t now_ms)
{
	bool sessions = p->link->revision < MCP_REVISION_COUNT && !mcp_is_modern(p->link->revision);
	struct str last = framer_last_id(p->framer);
	int64_t wait_ms = framer_retry_ms(p->framer);

	if (!sessions || p->link->closing || p->dropped || ++p->attempts > RESUMES_MOST)
		return false;
	if (last.len)
		str_replace(&p->last_id, last);
	else if (!p->last_id && p->kind != MCP_LISTEN)
		return false;
	source_free(p->transfer);
	p->transfer = NULL;
	wait_ms = wait_ms < 0 ? RESUME_MS : wait_ms < RESUME_LEAST_MS ? RESUME_LEAST_MS : wait_ms;
	p->start_ms = now_ms + (wait_ms < RESUME_MOST_MS ? wait_ms : RESUME_MOST_MS);
	return true;
}

bool mcp_post_finish(struct mcp_post *p, int64_t now_ms)
{
	bool accepted = p->status / 100 == 2;
	const char *what = p->method ? p->method : "a message";

	if (p->dropped || p->kind == MCP_DELETE)
		return false;
	if (post_renews(p))
		return true;
	if (p->kind == MCP_LISTEN && p->link->is_old)
		old_stream_ends(p->link);
	if (p->kind == MCP_LISTEN)
		return accepted && !p->link->is_old && post_resumes(p, now_ms);
	if (accepted && p->link->is_old)
		return false; /* the answer comes on the stream */
	if (post_tries_old(p))
		return true;
	if (accepted && p->id && !p->link->sink.waits(p->link->sink.ctx, p->id))
		return false;
	if (p->status && !accepted) {
		post_is_refused(p);
		return false;
	}
	if (framer_overflowed(p->framer)) {
		post_unanswered(p, MCP_VIOLATION, "the server sent an event of more than %zu MB", FRAMER_EVENT_LIMIT >> 20);
		return false;
	}
	if (p->id && accepted && post_resumes(p, now_ms))
		return true;
	if (!p->status)
		post_unanswered(p, MCP_ERROR, "%s", *p->failure ? p->failure : "the connection failed");
	else if (p->how != END_CLOSED || p->has_message || framer_framing(p->framer) == FRAMING_SSE)
		post_unanswered(p, MCP_CUT, "the connection ended before the answer to %s%s%s", what, *p->failure ? ": " : "", p->failure);
	else
		post_unanswered(p, MCP_VIOLATION, "the response to %s holds no message", what);
	return false;
}
