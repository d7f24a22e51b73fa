#include "net/http.h"

#include <assert.h>
#include <curl/curl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/descriptors.h"
#include "base/mem.h"
#include "base/redact.h"
#include "net/head.h"
#include "net/http_failure.h"

/* curl hands out at most 16 KB at once; a larger buffer saves reads when a server sends faster than the screen takes. */
#define READ_BUFFER_BYTES (64L << 10)
#define DESCRIPTORS 7 /* of a request: curl's own, its resolver's, sockets for both families, certificates */
#define REST_BYTES_MOST (16u << 10) /* more at one look: the server sends faster than the kernel should keep */

struct http {
	CURLM *multi;              /* NULL before the first request */
	struct transfer *transfers;
	struct pollfd *sockets;    /* what curl waits for, */
	size_t socket_count, socket_capacity;
	int64_t timer_ms;          /* and when it wants to be called without anything ready */
	struct pollfd *polled;     /* scratch */
	size_t polled_capacity;
	size_t running;            /* transfers that have not ended */
	size_t came;               /* bytes of bodies at the last look */
	int64_t rest_until_ms;
	bool moved;                /* something was called back at the last look */
	bool again;                /* and libcurl may hold more than the sockets tell */
	bool in_callback;          /* inside curl, which may not be entered again */
	struct wire_log *log;      /* borrowed; NULL: none */
	unsigned started;          /* transfers, for their numbers in it */
};

struct transfer {
	struct source source;
	struct http *http;
	struct transfer *next;
	CURL *easy;
	bool attached;             /* curl works on it */
	bool over;                 /* ended or cancelled: nothing is called back any more */
	struct curl_slist *headers;
	char *body, *ca_file;
	char *place;               /* host, and port where the URL names one: for sentences, the rest of a URL may hold a key */
	bool secure, local;        /* https; this machine */
	int64_t connect_timeout_ms;
	struct source_sink sink;
	struct head_reader head;
	struct redactor head_secret, body_secret; /* a server may say the key back: it goes no further */
	struct redactor log_secret;
	unsigned number;
	double started_ms;
	bool may_pass, advised;    /* what it ended of; and the sentence about it says what to check */
	char reason[CURL_ERROR_SIZE];
};

/* --- the multi handle --- */

struct http *http_new(void)
{
	struct http *http = mem_new(sizeof *http);

	http->timer_ms = NO_DEADLINE;
	return http;
}

void http_free(struct http *http)
{
	if (!http)
		return;
	assert(!http->transfers);
	if (http->multi) {
		curl_multi_cleanup(http->multi);
		curl_global_cleanup();
	}
	mem_free(http->sockets);
	mem_free(http->polled);
	mem_free(http);
}

void http_log_to(struct http *http, struct wire_log *log)
{
	http->log = log;
}

bool http_is_busy(const struct http *http)
{
	return http->running > 0;
}

static int on_socket(CURL *easy, curl_socket_t fd, int what, void *ctx, void *unused)
{
	struct http *http = ctx;
	size_t i = 0;

	(void)easy, (void)unused;
	while (i < http->socket_count && http->sockets[i].fd != fd)
		i++;
	if (what == CURL_POLL_REMOVE) {
		if (i < http->socket_count)
			http->sockets[i] = http->sockets[--http->socket_count];
		return 0;
	}
	mem_reserve(&http->sockets, &http->socket_capacity, i + 1, sizeof *http->sockets);
	http->socket_count += i == http->socket_count;
	http->sockets[i] = (struct pollfd){ .fd = fd, .events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0)) };
	return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct http *http = ctx;

	(void)multi;
	/* Both clocks cut off: one more, or it would be too early. */
	http->timer_ms = timeout_ms < 0 ? NO_DEADLINE : clock_now_ms() + timeout_ms + (timeout_ms > 0);
	return 0;
}

static bool set_up(struct http *http, struct error *err)
{
	if (http->multi)
		return true;
	if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
		return error_set(err, "libcurl cannot be set up");
	http->multi = curl_multi_init();
	if (http->multi) {
		curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
		curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
		curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, on_timer);
		curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
		return true;
	}
	curl_global_cleanup();
	return error_set(err, "libcurl cannot be set up");
}

/* Makes curl's view of a transfer that of ours; what callbacks asked for waits until curl has returned. */
static void settle(struct transfer *t)
{
	if (t->http->in_callback || t->attached == !t->over)
		return;
	if (t->over)
		curl_multi_remove_handle(t->http->multi, t->easy);
	else
		curl_multi_add_handle(t->http->multi, t->easy);
	t->attached = !t->over;
}

static void settle_all(struct http *http)
{
	for (struct transfer *t = http->transfers; t; t = t->next)
		settle(t);
}

static void stop(struct transfer *t)
{
	if (!t->over)
		t->http->running--;
	t->over = true;
	settle(t);
}

/* --- what broke --- */

/* The variable by which curl finds a proxy for a URL: NAME_proxy, but for http NAME_PROXY only where no server sets it from a header. */
static const char *proxy_variable(const struct transfer *t)
{
	static const char *const of_http[] = { "http_proxy", "all_proxy", "ALL_PROXY", NULL };
	static const char *const of_https[] = { "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", NULL };
	const char *const *name = t->secure ? of_https : of_http;

	while (*name && (t->local || !getenv(*name) || !*getenv(*name)))
		name++;
	return *name;
}

static void explain(struct transfer *t, CURLcode code, struct error *err)
{
	long system_error = 0, proxy_status = 0, verify_result = 0;

	curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &system_error);
	curl_easy_getinfo(t->easy, CURLINFO_HTTP_CONNECTCODE, &proxy_status);
	curl_easy_getinfo(t->easy, CURLINFO_SSL_VERIFYRESULT, &verify_result);
	t->advised = http_failure_explain(&(struct http_failure){
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
	}, err);
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

/* Bodies that come are logged when they are told, without the key that may stand across two reads. */
static int on_words(CURL *easy, curl_infotype type, char *text, size_t size, void *ctx)
{
	static const int kinds[CURLINFO_END] = {
		[CURLINFO_TEXT] = WIRE_SAID + 1, [CURLINFO_HEADER_OUT] = WIRE_HEAD_OUT + 1, [CURLINFO_HEADER_IN] = WIRE_HEAD_IN + 1,
		[CURLINFO_DATA_OUT] = WIRE_BODY_OUT + 1,
	};
	struct transfer *t = ctx;
	struct str shown;

	(void)easy;
	if (!kinds[type])
		return 0;
	shown = redactor_feed(&t->log_secret, str_of(text, size));
	wire_log_add(t->http->log, t->number, (enum wire_log_kind)(kinds[type] - 1), shown);
	wire_log_add(t->http->log, t->number, (enum wire_log_kind)(kinds[type] - 1), redactor_end(&t->log_secret));
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

static void finish(struct transfer *t, CURLcode code)
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
	t->may_pass = !good && http_failure_may_pass((int)code);
	stop(t);
	t->sink.end(t->sink.ctx, good ? END_CLOSED : END_CUT, str_from(err.text), at_ms);
}

/* --- waiting --- */

void http_rest(struct http *http, int64_t until_ms)
{
	if (http->came < REST_BYTES_MOST)
		http->rest_until_ms = until_ms;
}

/* Milliseconds until `due_ms`, for poll(). */
static int left_ms(int64_t due_ms)
{
	int64_t left = due_ms == NO_DEADLINE ? -1 : due_ms - clock_now_ms();

	return due_ms == NO_DEADLINE ? -1 : left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static int sooner(int timeout_ms, int other_ms)
{
	return timeout_ms < 0 || (other_ms >= 0 && other_ms < timeout_ms) ? other_ms : timeout_ms;
}

/* A signal ends poll() without a word about the descriptors. */
static int wait_for(struct pollfd *fds, size_t count, int timeout_ms)
{
	int ready = poll(fds, count, timeout_ms);

	if (ready < 0)
		ready = poll(fds, count, 0);
	for (size_t i = 0; ready < 0 && i < count; i++)
		fds[i].revents = 0;
	return ready < 0 ? 0 : ready;
}

static int what_came(short revents)
{
	return (revents & POLLIN ? CURL_CSELECT_IN : 0) | (revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
	       (revents & (POLLERR | POLLHUP | POLLNVAL) ? CURL_CSELECT_ERR : 0);
}

/* Of a frame of HTTP/2 that came with others libcurl (7.88) keeps the end of a stream to itself, until it is made to read once more. */
static bool has_http2(const struct http *http)
{
	long version = 0;

	for (const struct transfer *t = http->transfers; t && version != CURL_HTTP_VERSION_2; t = t->next)
		if (t->attached)
			curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version);
	return version == CURL_HTTP_VERSION_2;
}

/* Lets curl deal with what has come and with what is due, and tells of the transfers that are over. */
static void run(struct http *http, const struct pollfd *sockets, size_t count)
{
	int running, left;
	const CURLMsg *message;

	http->came = 0;
	http->moved = false;
	http->in_callback = true;
	for (size_t i = 0; i < count; i++)
		if (sockets[i].revents || http->again)
			curl_multi_socket_action(http->multi, sockets[i].fd, what_came(sockets[i].revents) | (http->again ? CURL_CSELECT_IN : 0), &running);
	if (left_ms(http->timer_ms) == 0) {
		http->timer_ms = NO_DEADLINE; /* once: curl sets it anew, but does not say that there is none any more */
		curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	}
	http->in_callback = false;
	settle_all(http);
	http->again = http->moved && has_http2(http);
	while ((message = curl_multi_info_read(http->multi, &left))) {
		struct transfer *t = NULL;
		CURLcode code = message->data.result;

		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
		finish(t, code);
	}
}

/* Waits for the sockets of the transfers too, and runs those that moved. */
static int wait_for_transfers(struct http *http, struct pollfd *fds, size_t count, int timeout_ms)
{
	size_t all = count + http->socket_count;
	int ready;

	mem_reserve(&http->polled, &http->polled_capacity, all + 1, sizeof *http->polled); /* never NULL */
	if (count)
		memcpy(http->polled, fds, count * sizeof *fds);
	if (http->socket_count)
		memcpy(http->polled + count, http->sockets, http->socket_count * sizeof *fds);
	ready = wait_for(http->polled, all, http->again ? 0 : sooner(timeout_ms, left_ms(http->timer_ms)));
	for (size_t i = 0; i < count; i++)
		fds[i].revents = http->polled[i].revents;
	for (size_t i = count; i < all; i++)
		ready -= http->polled[i].revents != 0;
	run(http, all > count ? http->polled + count : NULL, all - count);
	return ready;
}

int http_wait(struct http *http, struct pollfd *fds, size_t count, int timeout_ms)
{
	int rest_ms = http->running ? left_ms(http->rest_until_ms) : 0, ready;

	if (!http->running)
		return wait_for(fds, count, timeout_ms);
	if (rest_ms == 0)
		return wait_for_transfers(http, fds, count, timeout_ms);
	ready = wait_for(fds, count, sooner(timeout_ms, rest_ms));
	if (left_ms(http->rest_until_ms) == 0)
		wait_for_transfers(http, NULL, 0, 0);
	return ready;
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
	stop((struct transfer *)s);
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
	stop(t);
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
		is_number = is_number && ((host.ptr[i] >= '0' && host.ptr[i] <= '9') || host.ptr[i] == '.');
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

	if (!descriptors_ensure(DESCRIPTORS, err) || !set_up(http, err))
		return false;
	t = mem_new(sizeof(*t));
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
	settle(t);
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

bool http_is_connected(const struct source *transfer)
{
	const struct transfer *t = (const struct transfer *)transfer;
	curl_off_t before_sending_us = 0;

	curl_easy_getinfo(t->easy, CURLINFO_PRETRANSFER_TIME_T, &before_sending_us);
	return before_sending_us > 0;
}
