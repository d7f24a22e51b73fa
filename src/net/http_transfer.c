/* One transfer: what it is started with, what curl calls back for it, how it ends. */
#include "net/http_inside.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/descriptors.h"
#include "base/mem.h"
#include "net/http_failure.h"

/*
 * curl reads up to a hundred times at one look when a server sends faster than it is read: with a larger buffer a key that is pressed
 * meanwhile would wait for megabytes.
 */
#define READ_BUFFER_BYTES (16L << 10)
#define DESCRIPTORS 7 /* of a request: curl's own, its resolver's, sockets for both families, certificates */

/* --- what broke --- */

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);

	return value && *value;
}

/* The variable by which curl finds a proxy for a URL: NAME_proxy, but for http NAME_PROXY only where no server sets it from a header. */
static const char *proxy_variable(const struct transfer *t)
{
	static const char *const of_http[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
	static const char *const of_https[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL };
	const char *const *name = t->secure ? of_https : of_http;

	while (*name && (t->local || !is_set(*name)))
		name++;
	return *name;
}

static void explain(struct transfer *t, CURLcode code, struct error *err)
{
	struct http_failure failure;
	long system_error = 0, proxy_status = 0, verify_result = 0;

	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &system_error);
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &verify_result);
	failure = (struct http_failure){
		.code = (int)code,
		.reason = t->reason,
		.place = t->place,
		.ca_file = t->ca_file,
		.proxy_variable = proxy_variable(t),
		.proxy_status = (int)proxy_status,
		.system_error = (int)system_error,
		.verify_result = (int)verify_result,
		.connect_timeout_ms = t->connect_timeout_ms,
		.answered = t->head.whole,
	};
	t->advised = http_failure_explain(&failure, err);
	t->may_pass = http_failure_may_pass(&failure);
	t->garbled = http_failure_is_garbled(&failure);
}

/* --- a transfer's callbacks --- */

static double elapsed_ms(const struct transfer *t)
{
	return clock_precise_ms() - t->started_ms;
}

static size_t on_header(char *ptr, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;
	struct response_head head;

	t->http->moved = true;
	/* A line ends with what no key holds: nothing is kept back. */
	if (!t->over && head_reader_line(&t->head, redactor_feed(&t->head_secret, str_of(ptr, size * count)), &head))
		t->sink.head(t->sink.ctx, &head, elapsed_ms(t));
	return t->over ? CURL_WRITEFUNC_ERROR : size * count;
}

/* False: not a line of the log's. Bodies that come are logged when they are told, without the key that may stand across two reads. */
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
	if (log_kind(type, &kind)) {
		wire_log_add(t->http->log, t->number, kind, redactor_feed(&t->log_secret, str_of(text, size)));
		wire_log_add(t->http->log, t->number, kind, redactor_end(&t->log_secret));
	}
	return 0;
}

static void tell_body(struct transfer *t, struct str bytes, double at_ms)
{
	if (t->http->log)
		wire_log_add(t->http->log, t->number, WIRE_BODY_IN, bytes);
	t->sink.body(t->sink.ctx, bytes, at_ms);
}

static size_t on_body(char *ptr, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;
	struct str bytes = redactor_feed(&t->body_secret, str_of(ptr, size * count));

	t->http->moved = true;
	t->http->came += size * count;
	if (!t->over && bytes.len > 0)
		tell_body(t, bytes, elapsed_ms(t));
	return t->over ? CURL_WRITEFUNC_ERROR : size * count;
}

void http_finish(struct transfer *t, CURLcode code)
{
	double at_ms = elapsed_ms(t);
	/* To curl a head that was cut off is a good end. */
	bool good = code == CURLE_OK && t->head.whole;
	struct error err = { "" };
	struct str kept = redactor_end(&t->body_secret);

	if (!good)
		explain(t, code, &err);
	if (kept.len)
		tell_body(t, kept, at_ms);
	if (t->over)
		return;
	http_stop(t);
	t->sink.end(t->sink.ctx, good ? END_CLOSED : END_CUT, str_from(err.text), at_ms);
}

/* --- starting --- */

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

static void release(struct transfer *t)
{
	curl_easy_cleanup(t->easy);
	curl_slist_free_all(t->headers);
	mem_free(t->place);
	mem_free(t->body);
	mem_free(t->ca_file);
	head_reader_fini(&t->head);
	redactor_fini(&t->head_secret);
	redactor_fini(&t->body_secret);
	redactor_fini(&t->log_secret);
	mem_free(t);
}

static void transfer_free(struct source *s)
{
	struct transfer *t = (struct transfer *)s;
	struct transfer **link = &t->http->transfers;

	assert(!t->http->in_callback);
	http_stop(t);
	while (*link != t)
		link = &(*link)->next;
	*link = t->next;
	release(t);
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
	struct buf place;

	buf_init(&place, BUF_LIMIT_DEFAULT);
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
		if (t->local)
			curl_easy_setopt(t->easy, CURLOPT_PROXY, "");
	}
	curl_free(scheme);
	curl_free(host);
	curl_free(port);
	curl_url_cleanup(parts);
	return good;
}

static bool add_headers(struct transfer *t, const struct http_request *request, struct error *err)
{
	t->headers = curl_slist_append(NULL, "Expect:");
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
	curl_easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl_easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L);
	curl_easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L);
	curl_easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
	curl_easy_setopt(easy, CURLOPT_TCP_KEEPALIVE, 1L);
	curl_easy_setopt(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
	/* Nothing compressed is asked for, but what comes compressed is understood: with no word at all curl would not decode it. */
	curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "identity");
	curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, READ_BUFFER_BYTES);
	curl_easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, (long)t->connect_timeout_ms);
	curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, t->reason);
	curl_easy_setopt(easy, CURLOPT_PRIVATE, t);
	curl_easy_setopt(easy, CURLOPT_HTTPHEADER, t->headers);
	curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(easy, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(easy, CURLOPT_WRITEDATA, t);
	if (t->ca_file)
		curl_easy_setopt(easy, CURLOPT_CAINFO, t->ca_file);
	if (t->http->log) {
		curl_easy_setopt(easy, CURLOPT_VERBOSE, 1L);
		curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_words);
		curl_easy_setopt(easy, CURLOPT_DEBUGDATA, t);
	}
	if (!strcmp(request->method, "GET"))
		return;
	t->body = mem_dup(request->body.ptr ? request->body.ptr : "", request->body.len);
	curl_easy_setopt(easy, CURLOPT_POSTFIELDS, t->body);
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
	*t = (struct transfer){ .source = { &transfer_ops }, .http = http, .sink = *sink };
	t->connect_timeout_ms = request->connect_timeout_ms;
	t->ca_file = mem_dup_z(request->ca_file);
	head_reader_init(&t->head);
	redactor_init(&t->head_secret, request->secret);
	redactor_init(&t->body_secret, request->secret);
	redactor_init(&t->log_secret, request->secret);
	t->number = ++http->started;
	t->easy = curl_easy_init();
	if (!t->easy || !read_url(t, request->url, err) || !add_headers(t, request, err)) {
		if (!t->easy)
			error_set(err, "libcurl cannot make a request");
		release(t);
		return false;
	}
	set_options(t, request);
	t->started_ms = clock_precise_ms();
	t->next = http->transfers;
	http->transfers = t;
	http->running++;
	http->rest_until_ms = 0;
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
