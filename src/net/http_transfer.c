/* One transfer: its start, its curl callbacks, its end. */
#include "net/http_inside.h"

#include <assert.h>
#include <string.h>

#include "base/descriptors.h"
#include "base/mem.h"
#include "net/http_failure.h"

#define WAITING_MOST ((size_t)128 << 10) /* bytes that wait to be delivered, beyond which curl is paused at once */
#define TUNNEL_BYTES_MOST ((size_t)16 << 10) /* of a proxy's response to CONNECT in one pass, as curl reads it byte by byte */
#define DESCRIPTORS 7 /* used by a request: curl's own, its resolver's, sockets for both address families, certificates */

/* --- failures --- */

/* curl's message may quote the server, and is truncated at the end of its buffer: a partial secret at the end is masked too. */
static void redact_reason(struct transfer *t)
{
	struct str reason = str_from(t->reason), shown, kept;
	struct redactor redactor;
	struct buf safe;

	buf_init(&safe, sizeof t->reason);
	redactor_init(&redactor, &t->secrets);
	shown = redactor_feed(&redactor, reason);
	buf_add(&safe, shown);
	kept = redactor_end(&redactor);
	if (reason.len + 1 < sizeof t->reason)
		buf_add(&safe, kept);
	memcpy(t->reason, buf_z(&safe), safe.len + 1);
	redactor_fini(&redactor);
	buf_fini(&safe);
}

static void explain(struct transfer *t, CURLcode code, struct error *err)
{
	struct http_failure failure;
	long system_error = 0, proxy_status = 0, verify_result = 0, at_proxy = 0;

	redact_reason(t);
	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &system_error);
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &verify_result);
	/* Not 0 from the start of a handshake until it succeeds. */
	curl_easy_getinfo(t->easy, CURLINFO_PROXY_SSL_VERIFYRESULT, &at_proxy);
	failure = (struct http_failure){
		.code = (int)(t->verdict ? t->verdict : code),
		.reason = t->verdict ? t->why.text : t->reason,
		.place = t->place,
		.ca_file = at_proxy ? t->proxy_ca_file : t->ca_file,
		.proxy_variable = t->proxy.variable,
		.proxy_unusable = t->proxy.variable && !t->proxy.usable,
		.proxy_secure = t->proxy.secure,
		.at_proxy = at_proxy != 0,
		.proxy_status = (int)proxy_status,
		.system_error = t->verdict ? 0 : (int)system_error,
		.verify_result = (int)(at_proxy ? at_proxy : verify_result),
		.connect_timeout_ms = t->connect_timeout_ms,
		.answered = t->head.whole,
	};
	t->advised = http_failure_explain(&failure, err);
	t->may_pass = http_failure_may_pass(&failure);
	t->garbled = http_failure_is_garbled(&failure);
}

/* --- callbacks of curl --- */

static double elapsed_ms(const struct transfer *t)
{
	return clock_precise_ms() - t->started_ms;
}

static void transfer_refuse(struct transfer *t, CURLcode verdict, const char *why)
{
	t->verdict = verdict;
	error_set(&t->why, "%s", why);
}

static double transfer_step_ms(const struct transfer *t, CURLINFO step)
{
	curl_off_t us = 0;

	return curl_easy_getinfo(t->easy, step, &us) == CURLE_OK && us > 0 ? (double)us / 1000 : 0;
}

static struct str transfer_version(const struct transfer *t)
{
	long version = 0;

	curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
	switch (version) {
	case CURL_HTTP_VERSION_1_0: return STR("1.0");
	case CURL_HTTP_VERSION_1_1: return STR("1.1");
	case CURL_HTTP_VERSION_2_0: return STR("2");
	case CURL_HTTP_VERSION_3:   return STR("3");
	default:                    return STR_NONE;
	}
}

/* Of a connection that was kept, curl tells when it was looked up: no step of the network. */
static void transfer_add_timings(const struct transfer *t, struct response_head *head, double at_ms)
{
	long connections = 0;
	double first_byte_ms = transfer_step_ms(t, CURLINFO_STARTTRANSFER_TIME_T);

	curl_easy_getinfo(t->easy, CURLINFO_NUM_CONNECTS, &connections);
	head->http = transfer_version(t);
	head->is_timed = true;
	head->reused = connections == 0;
	head->timings.sent_ms = transfer_step_ms(t, CURLINFO_PRETRANSFER_TIME_T);
	head->timings.first_byte_ms = first_byte_ms > 0 ? first_byte_ms : at_ms;
	if (head->reused)
		return;
	head->timings.name_ms = transfer_step_ms(t, CURLINFO_NAMELOOKUP_TIME_T);
	head->timings.connect_ms = transfer_step_ms(t, CURLINFO_CONNECT_TIME_T);
	head->timings.tls_ms = t->secure ? transfer_step_ms(t, CURLINFO_APPCONNECT_TIME_T) : 0;
}

/* Also counts interim heads and trailers: a server may send them without end, and curl keeps them all. */
static size_t on_header(char *ptr, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;
	struct response_head head;

	t->http->moved = true;
	t->head_bytes += size * count;
	if (t->head_bytes > HEAD_LIMIT || ++t->head_lines > HEAD_LINES_MOST) {
		transfer_refuse(t, CURLE_RECV_ERROR, HTTP_FAILURE_LARGE_HEAD);
		return CURL_WRITEFUNC_ERROR;
	}
	if (!t->over && t->relays)
		t->relay.line(t->relay.ctx, str_of(ptr, size * count));
	/* A line ends with bytes that no key contains, so the redactor holds nothing back. */
	if (!t->over && head_reader_line(&t->head, redactor_feed(&t->head_secret, str_of(ptr, size * count)), &head)) {
		double at_ms = elapsed_ms(t);

		t->unpack = unpack_new(t->relays ? &(struct response_head){ .status = 0 } : &head);
		transfer_add_timings(t, &head, at_ms);
		t->sink.head(t->sink.ctx, &head, at_ms);
	}
	return t->over ? CURL_WRITEFUNC_ERROR : size * count;
}

/*
 * curl reads a proxy's response to CONNECT byte by byte, including the body of a refusal, and calls this for each byte. Otherwise it is
 * called a few times per pass.
 */
static int transfer_on_progress(void *ctx, curl_off_t unused, curl_off_t unused2, curl_off_t unused3, curl_off_t unused4)
{
	struct transfer *t = ctx;
	long status = 0;

	(void)unused, (void)unused2, (void)unused3, (void)unused4;
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &status);
	if (status / 100 > 2) /* the proxy refused: curl would read on, to try another authentication on the same connection */
		return 1;
	if (++t->progress <= TUNNEL_BYTES_MOST)
		return 0;
	transfer_refuse(t, CURLE_RECV_ERROR, "the proxy's answer to CONNECT has no end");
	return 1;
}

/* Returns false for what is not logged. Received bodies are logged on delivery instead, after a key that spans two reads is masked. */
static bool log_kind(curl_infotype type, enum wire_log_kind *kind)
{
	switch (type) {
	case CURLINFO_TEXT: *kind = WIRE_SAID; return true;
	case CURLINFO_HEADER_OUT: *kind = WIRE_HEAD_OUT; return true;
	case CURLINFO_HEADER_IN: *kind = WIRE_HEAD_IN; return true;
	case CURLINFO_DATA_OUT: *kind = WIRE_BODY_OUT; return true;
	case CURLINFO_DATA_IN:
	case CURLINFO_SSL_DATA_IN:
	case CURLINFO_SSL_DATA_OUT:
	case CURLINFO_END:
	default: return false;
	}
}

static int on_words(CURL *easy, curl_infotype type, char *text, size_t size, void *ctx)
{
	struct transfer *t = ctx;
	enum wire_log_kind kind;

	(void)easy;
	if (log_kind(type, &kind) && !((t->relays || t->bodies_are_secret) && kind == WIRE_BODY_OUT)) {
		wire_log_add(t->http->log, t->number, kind, redactor_feed(&t->log_secret, str_of(text, size)));
		wire_log_add(t->http->log, t->number, kind, redactor_end(&t->log_secret));
	}
	return 0;
}

/* `bytes` came now, `safe` is what may be shown of them and what came before. */
static void deliver_body(struct transfer *t, struct str bytes, struct str safe, double at_ms)
{
	struct str given = t->relays ? bytes : safe;

	if (safe.len && t->http->log && !t->bodies_are_secret)
		wire_log_add(t->http->log, t->number, WIRE_BODY_IN, safe);
	if (given.len)
		t->sink.body(t->sink.ctx, given, at_ms);
}

/*
 * Where libcurl 8.5 is to pause one direction, it goes on with both once more, and loses what it reads then if that is the end. So both are
 * paused, unless a relay still uploads: a client that reads only behind its upload would wait for ever.
 */
CURLcode http_tell_pause(const struct transfer *t)
{
	int directions = t->paused ? CURLPAUSE_RECV | (t->uploads ? 0 : CURLPAUSE_SEND) : CURLPAUSE_CONT;

	return t->ended ? t->end : curl_easy_pause(t->easy, directions | (t->upload_paused ? CURLPAUSE_SEND : 0));
}

void http_pause(struct transfer *t)
{
	if (!t->waiting || t->paused || t->over)
		return;
	t->paused = true;
	(void)http_tell_pause(t);
}

/* Delivers the bytes fed to `unpack`, within the limit of this pass. The rest waits. */
static void deliver_fed(struct transfer *t)
{
	enum unpack_result result = UNPACK_STEP;
	struct str piece;
	size_t cost;

	while (!t->over && !t->held && result == UNPACK_STEP && t->left) {
		result = unpack_step(t->unpack, &piece, &cost, &t->why);
		deliver_body(t, piece, redactor_feed(&t->body_secret, piece), elapsed_ms(t));
		t->http->came += piece.len;
		t->left -= cost < t->left ? cost : t->left;
	}
	if (result == UNPACK_BROKEN)
		t->verdict = CURLE_BAD_CONTENT_ENCODING;
	else if (result == UNPACK_EXCESS)
		t->verdict = CURLE_WRITE_ERROR;
	t->waiting = !t->over && result == UNPACK_STEP;
}

static size_t transfer_on_body(char *ptr, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;

	t->http->moved = true;
	if (t->unpack && !t->over && !t->verdict) {
		unpack_feed(t->unpack, str_of(ptr, size * count));
		if (!t->waiting)
			deliver_fed(t);
		else if (unpack_left(t->unpack) > WAITING_MOST)
			http_pause(t);
		if (t->waiting)
			unpack_keep(t->unpack);
	}
	return t->over || t->verdict ? CURL_WRITEFUNC_ERROR : size * count;
}

void http_resume(struct transfer *t)
{
	CURLcode code = t->end;

	t->left = PASS_BYTES;
	t->progress = 0;
	if (!t->waiting || t->held || t->over)
		return;
	deliver_fed(t);
	if (t->paused && !t->waiting && !t->over && !t->verdict && !t->ended) {
		t->paused = false;
		code = http_tell_pause(t); /* may call back */
	}
	if (!t->over && (code || t->verdict || t->ended))
		http_finish(t, code);
}

void http_finish(struct transfer *t, CURLcode code)
{
	t->ended = true;
	t->end = code;
	if (t->waiting && !t->over)
		return; /* until what is kept is delivered */
	double at_ms = elapsed_ms(t);
	/* curl reports success for a truncated head. */
	bool good = code == CURLE_OK && !t->verdict && t->head.whole;
	struct error err = { "" };
	struct str kept = redactor_end(&t->body_secret);

	if (!good)
		explain(t, code, &err);
	deliver_body(t, STR_NONE, kept, at_ms);
	if (t->over)
		return;
	http_stop(t);
	t->sink.end(t->sink.ctx, good ? END_CLOSED : END_CUT, str_from(err.text), at_ms);
}

void http_finish_starved(struct transfer *t)
{
	transfer_refuse(t, CURLE_FAILED_INIT, "out of memory");
	http_finish(t, t->verdict);
}

/* --- start --- */

static CURLcode on_ssl_ctx(CURL *easy, void *ssl_ctx, void *ctx)
{
	struct http *http = ctx;

	(void)easy;
	tls_limit_apply(http->tls, ssl_ctx);
	return CURLE_OK;
}

static void limit_tls(struct transfer *t)
{
	const char *library = curl_version_info(CURLVERSION_NOW)->ssl_version;

	if (!library || !tls_limit_is_for(library))
		return;
	curl_easy_setopt(t->easy, CURLOPT_SSL_CTX_FUNCTION, on_ssl_ctx);
	curl_easy_setopt(t->easy, CURLOPT_SSL_CTX_DATA, t->http);
}

static int64_t transfer_deadline(const struct source *s)
{
	(void)s;
	return NO_DEADLINE;
}

static void transfer_run(struct source *s, int64_t now_ms)
{
	(void)s;
	(void)now_ms;
}

static void transfer_cancel(struct source *s)
{
	http_stop((struct transfer *)s);
}

static void transfer_release(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	mem_free(t->place);
	mem_free(t->body);
	mem_free(t->ca_file);
	mem_free(t->proxy_ca_file);
	proxy_fini(&t->proxy);
	head_reader_fini(&t->head);
	unpack_free(t->unpack);
	redactor_fini(&t->head_secret);
	redactor_fini(&t->body_secret);
	redactor_fini(&t->log_secret);
	redactor_fini(&t->upload_secret);
	redact_set_fini(&t->secrets);
	mem_free(t);
}

static void transfer_free(struct source *s)
{
	struct transfer *t = (struct transfer *)s;
	struct http *http = t->http;
	struct transfer **link = &http->transfers;

	assert(!http->in_callback);
	http_stop(t);
	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	http->stained |= t->body_secret.found || t->head_secret.found || (t->waiting && t->secrets.count);
	transfer_release(t);
	http_forget(http);
}

static const struct source_ops transfer_ops = {
	.deadline = transfer_deadline,
	.run = transfer_run,
	.cancel = transfer_cancel,
	.free = transfer_free,
};

bool http_is_loopback(struct str host)
{
	bool is_number = true;

	for (size_t i = 0; i < host.len; i++)
		is_number = is_number && (char_is_digit(host.ptr[i]) || host.ptr[i] == '.');
	return (is_number && str_starts(host, "127.")) || str_is_nocase(host, "localhost") || str_is(host, "[::1]");
}

static void set_place(struct transfer *t, const char *host, const char *port)
{
	struct buf place = { 0 };

	buf_add_z(&place, host);
	if (port)
		buf_printf(&place, ":%s", port);
	t->place = buf_take(&place);
}

static bool read_url(struct transfer *t, const char *url, struct error *err)
{
	CURLU *parts = curl_url();
	char *scheme = NULL, *host = NULL, *port = NULL;
	bool good = parts && curl_url_set(parts, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) == CURLUE_OK &&
	            curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) == CURLUE_OK &&
	            curl_url_get(parts, CURLUPART_HOST, &host, 0) == CURLUE_OK;

	if (!good) {
		error_set(err, "the URL cannot be used: it needs the form https://host/path");
	} else if (strcmp(scheme, "http") && strcmp(scheme, "https")) {
		good = error_set(err, "the URL of %s is neither http nor https", host);
	} else {
		curl_url_get(parts, CURLUPART_PORT, &port, 0);
		set_place(t, host, port);
		t->secure = !strcmp(scheme, "https");
		t->local = http_is_loopback(str_from(host));
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(parts);
	return good;
}

/*
 * "" keeps curl from finding a proxy itself, while it still applies no_proxy. An unusable proxy is replaced by another unusable one, so
 * that curl's messages do not quote it.
 */
static void use_proxy(struct transfer *t)
{
	if (!t->local)
		proxy_find(&t->proxy, t->secure);
	if (!t->proxy.url) {
		curl_easy_setopt(t->easy, CURLOPT_PROXY, "");
		return;
	}
	curl_easy_setopt(t->easy, CURLOPT_PROXY, t->proxy.usable ? t->proxy.url : "unusable://proxy");
	curl_easy_setopt(t->easy, CURLOPT_PROXYUSERPWD, t->proxy.credentials); /* decoded by every libcurl, unlike CURLOPT_PROXYUSERNAME */
	if (t->proxy_ca_file)
		curl_easy_setopt(t->easy, CURLOPT_PROXY_CAINFO, t->proxy_ca_file);
}

static bool transfer_add_headers(struct transfer *t, const struct http_request *request, struct error *err)
{
	t->headers = curl_slist_append(NULL, request->relay && request->relay->expects ? "Expect: 100-continue" : "Expect:");
	if (request->relay && request->relay->has_body && request->relay->length < 0)
		t->headers = curl_slist_append(t->headers, "Transfer-Encoding: chunked");
	for (size_t i = 0; i < request->header_count; i++) {
		const char *header = request->headers[i];

		if (strpbrk(header, "\r\n"))
			return error_set(err, "the header %.*s holds a line break: check the key or setting that it comes from",
			                 (int)strcspn(header, ":\r\n"), header);
		t->headers = curl_slist_append(t->headers, header);
	}
	return true;
}

static void set_options(struct transfer *t, const struct http_request *request)
{
	CURL *easy = t->easy;

	curl_easy_setopt(easy, CURLOPT_URL, request->url);
	curl_easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(easy, CURLOPT_HTTP_VERSION, request->http2 ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1);
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	curl_easy_setopt(easy, CURLOPT_PROXY_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
	limit_tls(t);
	curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	/*
	 * Compression is not requested. Compressed bodies are decompressed here: curl would not return before it has delivered all of a
	 * read.
	 */
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
	curl_easy_setopt(easy, CURLOPT_HTTP_CONTENT_DECODING, 0L);
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, READ_BUFFER_BYTES);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)t->connect_timeout_ms);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->reason);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, transfer_on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(easy, CURLOPT_NOPROGRESS, 0L);
	curl_easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, transfer_on_progress);
	curl_easy_setopt(easy, CURLOPT_XFERINFODATA, t);
	curl_easy_setopt(easy, CURLOPT_SOCKS5_AUTH, CURLAUTH_BASIC); /* with GSSAPI curl blocks on the proxy */
	if (t->ca_file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, t->ca_file);
	if (t->http->log) {
		curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
		curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_words);
		curl_easy_setopt(easy, CURLOPT_DEBUGDATA, t);
	}
	if (t->relays)
		http_set_relay(t, request->method);
	if (t->relays || !strcmp(request->method, "GET"))
		return;
	if (!request->body_stays || !request->body.ptr)
		t->body = str_dup(request->body);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, t->body ? t->body : request->body.ptr);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body.len);
	curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
}

bool http_start(struct http *http, const struct http_request *request, const struct source_sink *sink, struct source **transfer,
                struct error *err)
{
	struct transfer *t;

	if (!descriptors_ensure(DESCRIPTORS, err) || !http_set_up(http, err))
		return false;
	t = mem_new(sizeof *t);
	*t = (struct transfer){ .source = { &transfer_ops }, .http = http, .sink = *sink, .socket = -1 };
	t->left = PASS_BYTES;
	t->relays = request->relay;
	if (t->relays)
		t->relay = *request->relay;
	t->bodies_are_secret = request->bodies_are_secret;
	t->connect_timeout_ms = request->connect_timeout_ms;
	t->ca_file = mem_dup_z(request->ca_file);
	t->proxy_ca_file = mem_dup_z(request->proxy_ca_file);
	head_reader_init(&t->head);
	if (request->secrets)
		redact_set_add_all(&t->secrets, request->secrets);
	proxy_add_secrets(&t->secrets);
	redactor_init(&t->head_secret, &t->secrets);
	redactor_init(&t->body_secret, &t->secrets);
	redactor_init(&t->log_secret, &t->secrets);
	redactor_init(&t->upload_secret, &t->secrets);
	t->number = ++http->started;
	t->easy = curl_easy_init();
	if (!t->easy || !read_url(t, request->url, err) || !transfer_add_headers(t, request, err)) {
		if (!t->easy)
			error_set(err, "libcurl cannot make a request");
		transfer_release(t);
		return false;
	}
	set_options(t, request);
	use_proxy(t);
	t->started_ms = clock_precise_ms();
	t->next = http->transfers;
	http->transfers = t;
	http->running++;
	http->deferred_until_ms = 0;
	http_settle(t);
	*transfer = &t->source;
	return true;
}

bool http_may_pass(const struct source *transfer)
{
	return ((const struct transfer *)transfer)->may_pass;
}

bool http_is_advised(const struct source *transfer)
{
	return ((const struct transfer *)transfer)->advised;
}

bool http_is_garbled(const struct source *transfer)
{
	return ((const struct transfer *)transfer)->garbled;
}

bool http_is_connected(const struct source *transfer)
{
	const struct transfer *t = (const struct transfer *)transfer;
	curl_off_t before_sending_us = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &before_sending_us);
	return before_sending_us > 0;
}
