#include "app/subcommand.h"

#include <string.h>
#include <unistd.h>

#include "app/output.h"
#include "app/server.h"
#include "app/setup.h"
#include "app/signals.h"
#include "base/array.h"
#include "base/json.h"
#include "base/mem.h"
#include "chat/outgoing.h"
#include "store/tapes.h"

struct proxy {
	const struct options *o;
	struct setup setup;
	struct serve *serve;
	struct relayed *exchanges;
	struct output log;       /* standard error */
	size_t count;            /* exchanges so far, for names of tapes */
	bool untaped;            /* it was said that tapes cannot be kept */
};

/* One exchange: a source for the server, which forwards what the provider sends, and records it. */
struct relayed {
	struct source source;
	struct relayed *next;
	struct proxy *proxy;
	struct source *upstream;
	struct source_sink out;
	struct tape_writer *tape; /* NULL: none */
	char *path;               /* of the tape */
	struct buf request_line;  /* "POST /v1/messages" */
	struct stream *stream;    /* NULL: the path names no protocol */
	enum outcome outcome;
	int status;
	double started_ms;
	bool over;
};

/* --- what a request is --- */

/* "https://host/v1" and "/v1/messages" give "https://host/v1/messages": a client may put the path of the base URL into its own. */
static void join_url(struct str base, struct str path, struct buf *url)
{
	size_t host = str_find(base, STR("://")) + 3, own;
	struct str folder;

	while (str_ends(base, "/"))
		base.len--;
	own = host + str_find(str_skip(base, host), STR("/"));
	folder = str_skip(base, own);
	if (folder.len && path.len > folder.len && str_equal(str_head(path, folder.len), folder) && path.ptr[folder.len] == '/')
		base = str_head(base, own);
	buf_add(url, base);
	buf_add(url, path);
}

/* --- headers --- */

/* What concerns the client's connection to us only. Accept-encoding: compression would delay the bytes. */
static bool stays_here(struct str name)
{
	static const char *const names[] = { "host", "connection", "keep-alive", "content-length", "transfer-encoding", "accept-encoding", "expect", "te",
		"trailer", "upgrade", SERVE_FAULT_HEADER };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (str_is_nocase(name, names[i]))
			return true;
	return str_has_nocase(str_head(name, 6), STR("proxy-"));
}

struct passed_headers {
	char **lines;          /* heap */
	size_t count;
	struct redact_set secrets;
	bool has_key;
};

/* libcurl adds these, unless a line without a value tells it not to. */
static const struct { const char *name, *line; } unasked[] = { { "accept", "Accept:" }, { "content-type", "Content-Type:" } };

static bool sends_header(const struct serve_request *request, const char *name)
{
	for (size_t i = 0; i < request->header_count; i++)
		if (str_is_nocase(request->headers[i].name, name))
			return true;
	return false;
}

static void pass_headers(const struct serve_request *request, struct passed_headers *h)
{
	*h = (struct passed_headers){ .lines = mem_new((request->header_count + ARRAY_LEN(unasked)) * sizeof *h->lines) };
	for (size_t i = 0; i < request->header_count; i++) {
		const struct response_header *header = &request->headers[i];
		struct buf line = { 0 };

		if (stays_here(header->name))
			continue;
		buf_printf(&line, "%.*s: %.*s", STR_ARG(header->name), STR_ARG(header->value));
		outgoing_add_secrets(&h->secrets, buf_z(&line));
		h->has_key |= redact_is_telling(header->name);
		h->lines[h->count++] = buf_take(&line);
	}
	for (size_t i = 0; i < ARRAY_LEN(unasked); i++)
		if (!sends_header(request, unasked[i].name))
			h->lines[h->count++] = mem_dup_z(unasked[i].line);
}

/* Wipes the lines: one may hold a key. */
static void passed_headers_fini(struct passed_headers *h)
{
	for (size_t i = 0; i < h->count; i++) {
		explicit_bzero(h->lines[i], strlen(h->lines[i]));
		mem_free(h->lines[i]);
	}
	mem_free(h->lines);
	redact_set_fini(&h->secrets);
}

/* --- tapes --- */

/* What the ring of tapes may take, as in a chat; 0: no tapes are kept there. */
static long long ring_bytes(const struct proxy *p)
{
	return setup_keeps(&p->setup) ? (long long)p->setup.settings.tapes_mb << 20 : 0;
}

static void make_room(const struct proxy *p)
{
	if (!p->o->output && ring_bytes(p))
		tapes_clear_away(ring_bytes(p));
}

static bool open_tape(struct relayed *x, struct error *err)
{
	struct proxy *p = x->proxy;
	struct private_folder folder = { .fd = -1 };
	struct buf path = { 0 };
	bool good;

	if (p->o->output) {
		buf_printf(&path, "%s/%ld-%06zu.tape", p->o->output, (long)getpid(), ++p->count);
		x->path = buf_take(&path);
		return tape_writer_open(&x->tape, x->path, err);
	}
	if (!ring_bytes(p))
		return error_set(err, "the settings keep none (tapes, history); -o FOLDER does");
	good = tapes_new_path(&x->path, &folder, err) && tape_writer_open_in(&x->tape, folder.fd, x->path, err);
	private_folder_close(&folder);
	if (good)
		tape_writer_limit(x->tape, (size_t)ring_bytes(p));
	return good;
}

static struct str model_of(struct json_parser *parser, const struct serve_request *request)
{
	size_t used, begin = str_find(request->path, STR("/models/"));
	struct str of_path = str_skip(request->path, begin + 8);
	const struct json *body = json_parse(parser, request->body, &used);

	return json_get_text(body, "model").ptr ? json_get_text(body, "model") : str_head(of_path, str_find(of_path, STR(":")));
}

static void start_tape(struct relayed *x, const struct serve_request *request, const struct protocol *protocol, struct str url)
{
	const struct target *target = &x->proxy->setup.target;
	struct json_parser *parser = json_parser_new();
	struct error err;

	if (!open_tape(x, &err)) {
		if (!x->proxy->untaped)
			complain("no tapes are kept: %s", err.text);
		x->proxy->untaped = true;
		mem_free(x->path);
		x->path = NULL;
	} else {
		tape_start(x->tape, &(struct tape_info){
			.protocol = protocol ? str_from(protocol->name) : STR_NONE,
			.dialect = str_from(target->dialect->name),
			.provider = str_from(target->provider->name),
			.model = model_of(parser, request),
			.url = url,
			.request = request->body.len ? request->body : STR_NONE,
		});
	}
	json_parser_free(parser);
}

static void end_tape(struct relayed *x, enum end_how how, double at_ms)
{
	struct error err;

	if (!x->tape)
		return;
	tape_end(x->tape, how, at_ms);
	if (!tape_writer_close(x->tape, &err))
		complain("%s", err.text);
	x->tape = NULL;
	make_room(x->proxy);
}

/* --- the exchange --- */

static void take_delta(void *exchange, const struct delta *delta)
{
	struct relayed *x = exchange;

	if (delta->kind == DELTA_END)
		x->outcome = delta->end.outcome;
}

static void tell_end(struct relayed *x, enum end_how how, double at_ms)
{
	output_text(&x->proxy->log, buf_str(&x->request_line));
	if (x->status)
		output_printf(&x->proxy->log, " %d", x->status);
	output_printf(&x->proxy->log, " %s %.0f ms %s\n", x->stream ? outcome_name(x->outcome) : end_how_name(how), at_ms, x->path ? x->path : "");
}

static void finish(struct relayed *x, enum end_how how, double at_ms)
{
	if (x->over)
		return;
	x->over = true;
	if (x->stream)
		stream_end(x->stream, how, at_ms);
	end_tape(x, how, at_ms);
	tell_end(x, how, at_ms);
}

/* Forwarding comes first in each of them: recording must not delay a byte. */
static void upstream_on_head(void *exchange, const struct response_head *head, double at_ms)
{
	struct relayed *x = exchange;

	x->out.head(x->out.ctx, head, at_ms);
	x->status = head->status;
	if (x->tape)
		tape_head(x->tape, head, at_ms);
	if (x->stream)
		stream_head(x->stream, head, at_ms);
}

static void upstream_on_body(void *exchange, struct str bytes, double at_ms)
{
	struct relayed *x = exchange;

	x->out.body(x->out.ctx, bytes, at_ms);
	if (x->tape)
		(void)tape_body(x->tape, bytes, at_ms);
	if (x->stream)
		stream_body(x->stream, bytes, at_ms);
}

static void upstream_on_end(void *exchange, enum end_how how, struct str detail, double at_ms)
{
	struct relayed *x = exchange;

	x->out.end(x->out.ctx, how, detail, at_ms);
	finish(x, how, at_ms);
}

static struct relayed *relayed_of(const struct source *s)
{
	return (struct relayed *)(uintptr_t)s;
}

static int64_t relayed_deadline(const struct source *s)
{
	(void)s;
	return NO_DEADLINE;
}

static void relayed_run(struct source *s, int64_t now_ms)
{
	(void)s;
	(void)now_ms;
}

static void relayed_cancel(struct source *s)
{
	source_cancel(relayed_of(s)->upstream);
}

/* Before the end: the client has left. */
static void relayed_free(struct source *s)
{
	struct relayed *x = relayed_of(s), **link = &x->proxy->exchanges;

	while (*link != x)
		link = &(*link)->next;
	*link = x->next;
	if (x->upstream)
		finish(x, END_CANCELLED, clock_precise_ms() - x->started_ms);
	source_free(x->upstream);
	stream_free(x->stream);
	buf_fini(&x->request_line);
	mem_free(x->path);
	mem_free(x);
}

static const struct source_ops relayed_ops = {
	.deadline = relayed_deadline,
	.run = relayed_run,
	.cancel = relayed_cancel,
	.free = relayed_free,
};

/* Whether the key in a request may go to this URL. */
static bool may_send(const struct proxy *p, const char *url, const struct passed_headers *headers, struct error *err)
{
	if (!headers->has_key || !outgoing_is_exposed(str_from(url)) || p->o->allow_http || p->setup.target.provider->allow_http)
		return true;
	return error_set(err, "the key of a request is not sent on over plain http: use https, or allow it with --allow-http");
}

static bool start_upstream(struct relayed *x, const struct serve_request *request, const char *url, struct error *err)
{
	const struct source_sink sink = { x, upstream_on_head, upstream_on_body, upstream_on_end };
	const struct provider *provider = x->proxy->setup.target.provider;
	char *method = str_dup(request->method), *ca_file = outgoing_ca_file(provider, process_environment);
	struct passed_headers headers;
	struct http_request upstream;

	pass_headers(request, &headers);
	redact_set_add_url(&headers.secrets, request->path, NULL);
	upstream = (struct http_request){
		.method = method, .url = url, .headers = (const char *const *)headers.lines, .header_count = headers.count, .body = request->body,
		.connect_timeout_ms = provider->limits.connect_ms, .ca_file = ca_file,
		.proxy_ca_file = process_environment("SSL_CERT_FILE"), .secrets = &headers.secrets,
	};
	bool good = may_send(x->proxy, url, &headers, err) && http_start(x->proxy->setup.http, &upstream, &sink, &x->upstream, err);
	passed_headers_fini(&headers);
	mem_free(ca_file);
	mem_free(method);
	return good;
}

/*
 * The URL of the provider for a request: under its base URL for the protocol, or for the target's if the path names none. Another path
 * than "/..." would change the host: "@host" makes a user name of what stands before it.
 */
static bool find_url(struct proxy *p, const struct protocol *protocol, struct str path, struct buf *url, struct error *err)
{
	const struct target *target = &p->setup.target;
	struct str given, base;

	if (!str_starts(path, "/"))
		return error_set(err, "the path of a request must begin with a slash");
	if (!setup_base_url(&p->setup, &given, err) ||
	    !provider_find_base_url(target->provider, protocol ? protocol : target->protocol, given, &base, err))
		return false;
	join_url(base, path, url);
	return true;
}

static struct source *proxy_relay(void *proxy, const struct serve_request *request, const struct source_sink *sink, struct error *err)
{
	struct proxy *p = proxy;
	const struct protocol *protocol = protocol_of_path(request->path);
	struct relayed *x = mem_new(sizeof *x);
	struct buf url = { 0 };

	*x = (struct relayed){ .source = { &relayed_ops }, .proxy = p, .out = *sink, .next = p->exchanges, .started_ms = clock_precise_ms() };
	p->exchanges = x;
	buf_printf(&x->request_line, "%.*s %.*s", STR_ARG(request->method), STR_ARG(str_head(request->path, str_find(request->path, STR("?")))));
	bool good = find_url(p, protocol, request->path, &url, err) && start_upstream(x, request, buf_z(&url), err);
	if (good) {
		start_tape(x, request, protocol, buf_str(&url));
		if (protocol)
			x->stream = stream_new(&(struct stream_options){ .protocol = protocol, .dialect = p->setup.target.dialect }, take_delta, x);
	} else {
		source_free(&x->source);
	}
	buf_fini(&url);
	return good ? &x->source : NULL;
}

/* --- the program --- */

/* What arrived is on disk before the loop sleeps. */
static void proxy_run(void *proxy, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct proxy *p = proxy;

	(void)fds;
	(void)count;
	(void)now_ms;
	for (struct relayed *x = p->exchanges; x; x = x->next)
		if (x->tape)
			tape_flush(x->tape);
}

static int proxy_until_stopped(struct proxy *p)
{
	output_init(&p->log, STDERR_FILENO);
	make_room(p); /* one that crashed did not */
	loop_add(p->setup.loop, &(struct loop_member){ .ctx = p, .run = proxy_run });
	server_until_stopped(p->serve, p->setup.loop);
	loop_remove(p->setup.loop, p);
	return EXIT_DONE;
}

static int proxy_serve(struct proxy *p)
{
	struct error err;
	int status;

	signals_open();
	if (serve_open(&p->serve, p->o->port, 1, NULL, p, &err)) {
		serve_set_relay(p->serve, proxy_relay);
		status = proxy_until_stopped(p);
	} else {
		complain("%s", err.text);
		status = EXIT_LOCAL;
	}
	serve_free(p->serve);
	return status;
}

int run_proxy(const struct options *o)
{
	struct options target = *o;
	struct proxy p = { .o = o };
	struct error err;

	if (!o->to || o->argument_count)
		return usage_error("proxy needs --to NAME, a provider (`weir providers` lists them), and takes no arguments");
	target.provider = o->to;
	int status = setup_init(&p.setup, &target, &err) ? proxy_serve(&p) : usage_error("%s", err.text);
	setup_fini(&p.setup);
	signals_close();
	return status;
}
