#include "app/mcp/mcp_http.h"

#include <stdio.h>
#include <string.h>

#include "app/mcp/mcp_http_inside.h"
#include "base/mem.h"
#include "chat/exchange/outgoing.h"
#include "wire/mcp/content.h"

#define CLOSE_MS 2000    /* how long the end of a session is waited for */
#define ANSWERS_MOST 64u /* on their way to a server; one that asks for more at once is left */

static struct mcp_http *http_of(struct mcp_link *link)
{
	return (struct mcp_http *)link;
}

/* --- requests --- */

static struct mcp_post *post_add(struct mcp_http *m, enum mcp_post_kind kind)
{
	struct mcp_post *p = mem_new(sizeof *p), **at = &m->posts;

	while (*at)
		at = &(*at)->next;
	*at = p;
	p->link = m;
	p->kind = kind;
	return p;
}

static void post_add_revision(struct mcp_post *p, enum mcp_revision revision)
{
	if (revision < MCP_REVISION_COUNT)
		buf_printf(&p->headers, "mcp-protocol-version: %s\n", mcp_revision_name(revision));
}

/* The header fields that repeat what is in the message (transports, "Request Metadata"). */
static void post_add_metadata(struct mcp_post *p, const struct mcp_outgoing *message)
{
	post_add_revision(p, message->revision);
	if (message->revision == MCP_REVISION_COUNT || !mcp_is_modern(message->revision) || !message->method.len)
		return;
	buf_printf(&p->headers, "mcp-method: %.*s\n", STR_ARG(message->method));
	if (message->name.ptr) {
		buf_add_z(&p->headers, "mcp-name: ");
		mcp_header_write_value(message->name, &p->headers);
		buf_add_byte(&p->headers, '\n');
	}
	buf_add(&p->headers, message->headers);
}

/* Whether no other answer to what the server asks may be on its way: each takes a connection. */
static bool http_is_full(const struct mcp_http *m)
{
	unsigned answers = 0;

	for (const struct mcp_post *p = m->posts; p; p = p->next)
		answers += p->kind == MCP_POST && !p->method;
	return answers >= ANSWERS_MOST;
}

static void http_send(struct mcp_link *link, const struct mcp_outgoing *message)
{
	struct mcp_http *m = http_of(link);
	struct mcp_post *p;

	m->is_full |= !message->method.len && http_is_full(m);
	if (m->closing || m->is_full)
		return;
	p = post_add(m, str_is(message->method, "notifications/initialized") ? MCP_POST_BEGUN : MCP_POST);
	p->id = message->id;
	p->method = message->method.ptr ? str_dup(message->method) : NULL;
	buf_add(&p->body, message->text);
	post_add_metadata(p, message);
}

static void http_dropped(struct mcp_link *link, int64_t id)
{
	for (struct mcp_post *p = http_of(link)->posts; p; p = p->next)
		if (id && p->id == id && !p->dropped) {
			p->dropped = p->over = true;
			if (p->transfer)
				source_cancel(p->transfer);
		}
}

void mcp_post_listen(struct mcp_http *m, enum mcp_revision revision)
{
	post_add_revision(post_add(m, MCP_LISTEN), revision);
}

static void http_ready(struct mcp_link *link, enum mcp_revision revision)
{
	struct mcp_http *m = http_of(link);
	bool listens = false;

	m->revision = revision;
	for (const struct mcp_post *p = m->posts; p; p = p->next)
		listens |= p->kind == MCP_LISTEN && !p->dropped;
	if (!mcp_is_modern(revision) && !listens)
		mcp_post_listen(m, revision);
}

/* --- the end --- */

static void http_drop_all(struct mcp_http *m)
{
	for (struct mcp_post *p = m->posts; p; p = p->next) {
		if (m->closing && !p->over && p->kind == MCP_POST && !p->id)
			continue; /* a last word, that something is cancelled */
		p->dropped = p->over = true;
		if (p->transfer)
			source_cancel(p->transfer);
	}
}

static void http_close(struct mcp_link *link)
{
	struct mcp_http *m = http_of(link);

	if (m->closing)
		return;
	m->closing = true;
	m->close_ms = clock_now_ms() + CLOSE_MS;
	http_drop_all(m);
	if (m->session)
		post_add_revision(post_add(m, MCP_DELETE), m->revision);
}

static bool http_is_over(const struct mcp_link *link)
{
	const struct mcp_http *m = (const struct mcp_http *)link;

	return m->closing && !m->posts;
}

/* --- the loop --- */

static size_t http_fds(const struct mcp_link *link, struct pollfd *fds, size_t room)
{
	(void)link, (void)fds, (void)room;
	return 0; /* curl's are polled with all others (net/http.h) */
}

/* A message waits for the one by which the session begins, and for the address that it goes to. */
static bool post_is_held(const struct mcp_post *p)
{
	if (p->link->is_old && !p->link->endpoint && p->kind != MCP_LISTEN)
		return true;
	if (p->link->auth && mcp_auth_is_renewing(p->link->auth))
		return true;
	for (const struct mcp_post *before = p->link->posts; before != p; before = before->next)
		if (before->kind == MCP_POST_BEGUN && !before->over)
			return true;
	return false;
}

static bool post_has_news(const struct mcp_post *p)
{
	return p->over || (!p->transfer && !p->start_ms && !post_is_held(p));
}

static int64_t http_deadline(const struct mcp_link *link, int64_t now_ms)
{
	const struct mcp_http *m = (const struct mcp_http *)link;
	int64_t due_ms = m->closing && m->posts ? m->close_ms : NO_DEADLINE;
	int64_t auth_ms = m->auth ? mcp_auth_deadline(m->auth) : NO_DEADLINE;

	for (const struct mcp_post *p = m->posts; p; p = p->next) {
		if (post_has_news(p) || m->forgotten || (m->is_full && !m->is_lost))
			return now_ms;
		if (!p->transfer && p->start_ms && p->start_ms < due_ms)
			due_ms = p->start_ms;
		if (p->linger_ms && p->linger_ms < due_ms)
			due_ms = p->linger_ms;
	}
	return auth_ms < due_ms ? auth_ms : due_ms;
}

static void http_forget_session(struct mcp_http *m)
{
	m->forgotten = false;
	str_replace(&m->session, STR_NONE);
	http_drop_all(m);
	m->sink.forgotten(m->sink.ctx);
}

static void http_leave(struct mcp_http *m)
{
	char words[80];

	m->is_lost = true;
	http_drop_all(m);
	snprintf(words, sizeof words, "the server asks for more than %u things at once", ANSWERS_MOST);
	m->sink.lost(m->sink.ctx, MCP_VIOLATION, str_from(words));
}

static void http_run(struct mcp_link *link, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct mcp_http *m = http_of(link);
	struct mcp_post **at = &m->posts;

	(void)fds, (void)count;
	if (m->closing && now_ms >= m->close_ms)
		for (struct mcp_post *p = m->posts; p; p = p->next)
			p->dropped = p->over = true;
	if (m->auth)
		mcp_auth_run(m->auth, now_ms);
	if (m->auth && m->posts && mcp_auth_is_due(m->auth))
		(void)!mcp_auth_renew(m->auth); /* then the old one is refused, and that is told */
	while (*at) {
		struct mcp_post *p = *at;

		if (!p->transfer && !p->over && p->start_ms <= now_ms && !post_is_held(p))
			mcp_post_start(p);
		p->over |= p->linger_ms && now_ms >= p->linger_ms;
		if (p->over && !mcp_post_finish(p, now_ms)) {
			*at = p->next;
			mcp_post_free(p);
		} else {
			p->over = false;
			at = &p->next;
		}
	}
	if (m->forgotten)
		http_forget_session(m);
	if (m->is_full && !m->is_lost && !m->closing)
		http_leave(m);
}

static void http_free_link(struct mcp_link *link)
{
	struct mcp_http *m = http_of(link);

	while (m->posts) {
		struct mcp_post *p = m->posts;

		m->posts = p->next;
		mcp_post_free(p);
	}
	if (m->key)
		mem_wipe(m->key, m->key_size);
	if (m->session)
		mem_wipe(m->session, strlen(m->session));
	mem_free(m->key);
	mem_free(m->session);
	mem_free(m->endpoint);
	mcp_auth_free(m->auth);
	mem_free(m);
}

static const struct mcp_link_ops http_ops = {
	.name = "http", .send = http_send, .dropped = http_dropped, .ready = http_ready, .close = http_close, .is_over = http_is_over,
	.fds = http_fds, .deadline = http_deadline, .run = http_run, .free = http_free_link,
};

struct mcp_link *mcp_http_new(const struct mcp_http_options *options, const struct mcp_link_sink *sink, struct error *err)
{
	const struct outgoing o = {
		.provider = options->server->sending, .key = options->key, .allow_http = options->allow_http, .url = options->server->url,
	};
	struct mcp_http *m;
	bool exposed;

	if (!outgoing_check(&o, &exposed, err))
		return NULL;
	outgoing_find_secrets(&o, options->secrets);
	m = mem_new(sizeof *m);
	m->link.ops = &http_ops;
	m->sink = *sink;
	m->o = *options;
	m->key = options->key.len ? str_dup(options->key) : NULL;
	m->key_size = options->key.len;
	m->auth = m->key ? NULL : mcp_auth_new(options->server, options->http, options->env, options->secrets);
	m->revision = MCP_REVISION_COUNT;
	return &m->link;
}
