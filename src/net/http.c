#include "net/http_inside.h"

#include <assert.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/os/descriptor.h"
#include "net/http_memory.h"

/*
 * CURLMOPT_QUICK_EXIT. Since libcurl 8.20 the threads that look up names are the multi handle's, which else waits for them; older ones do not know
 * it.
 */
#define MULTI_QUICK_EXIT ((CURLMoption)21)
#define DEFER_BYTES_MOST (16u << 10) /* after a larger pass, the server sends faster than the kernel can buffer */

/* --- the multi handle --- */

struct http *http_new(void)
{
	struct http *http = mem_new(sizeof *http);

	http->timer_ms = NO_DEADLINE;
	return http;
}

static void tear_down(struct http *http)
{
	assert(!http->transfers);
	if (!http->multi)
		return;
	curl_multi_cleanup(http->multi);
	http->multi = NULL;
	tls_limit_free(http->tls);
	http->tls = NULL;
	curl_global_cleanup();
	http->socket_count = 0;
	http->timer_ms = NO_DEADLINE;
	http->stained = false;
}

void http_forget(struct http *http)
{
	if (http->stained && !http->transfers)
		tear_down(http);
}

void http_free(struct http *http)
{
	if (!http)
		return;
	tear_down(http);
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
	struct transfer *t = NULL;
	size_t i = 0;

	(void)unused;
	if (what != CURL_POLL_REMOVE && curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&t) == CURLE_OK && t)
		t->socket = fd;
	while (i < http->socket_count && http->sockets[i].fd != fd)
		i++;
	if (what == CURL_POLL_REMOVE) {
		if (i < http->socket_count)
			http->sockets[i] = http->sockets[--http->socket_count];
		return 0;
	}
	mem_reserve(&http->sockets, &http->socket_capacity, i + 1, sizeof *http->sockets);
	http->socket_count += i == http->socket_count;
	http->sockets[i] = (struct pollfd){ .fd = fd };
	http->sockets[i].events = (short)((what & CURL_POLL_IN ? POLLIN : 0) | (what & CURL_POLL_OUT ? POLLOUT : 0));
	return 0;
}

static int on_timer(CURLM *multi, long timeout_ms, void *ctx)
{
	struct http *http = ctx;

	(void)multi;
	/* Both clocks truncate: add 1 ms, to avoid calling too early. */
	http->timer_ms = timeout_ms < 0 ? NO_DEADLINE : clock_now_ms() + timeout_ms + (timeout_ms > 0);
	return 0;
}

/*
 * TLS libraries write all session keys to the file named by SSLKEYLOGFILE, whatever its permissions. The variable is always removed. While
 * libcurl is initialised it names the log's own file by its descriptor, which cannot be replaced by a link.
 */
static CURLcode init_curl(const struct wire_log *log)
{
	char path[DESCRIPTOR_PATH_BYTES];
	CURLcode code;

	descriptor_path(wire_log_keys_fd(log), path);
	unsetenv("SSLKEYLOGFILE");
	if (wire_log_keys_fd(log) >= 0)
		setenv("SSLKEYLOGFILE", path, 1);
	code = curl_global_init_mem(CURL_GLOBAL_DEFAULT, http_memory_new, http_memory_free, http_memory_resize, http_memory_copy,
	                            http_memory_zeroed);
	unsetenv("SSLKEYLOGFILE");
	return code;
}

bool http_set_up(struct http *http, struct error *err)
{
	if (http->multi)
		return true;
	if (init_curl(http->log) != CURLE_OK)
		return error_set(err, "libcurl cannot be set up");
	http->multi = curl_multi_init();
	if (http->multi) {
		http->tls = tls_limit_new();
		curl_multi_setopt(http->multi, CURLMOPT_SOCKETFUNCTION, on_socket);
		curl_multi_setopt(http->multi, CURLMOPT_SOCKETDATA, http);
		curl_multi_setopt(http->multi, CURLMOPT_TIMERFUNCTION, on_timer);
		curl_multi_setopt(http->multi, CURLMOPT_TIMERDATA, http);
		curl_multi_setopt(http->multi, MULTI_QUICK_EXIT, 1L);
		return true;
	}
	curl_global_cleanup();
	return error_set(err, "libcurl cannot be set up");
}

static void note_memory(struct http *http, CURLMcode code)
{
	http->starved |= code == CURLM_OUT_OF_MEMORY;
}

void http_settle(struct transfer *t)
{
	if (t->http->in_callback || t->attached == !t->over)
		return;
	if (t->over)
		curl_multi_remove_handle(t->http->multi, t->easy);
	else
		note_memory(t->http, curl_multi_add_handle(t->http->multi, t->easy));
	t->attached = !t->over;
}

void http_stop(struct transfer *t)
{
	if (!t->over)
		t->http->running--;
	t->over = true;
	http_settle(t);
}

/* --- waiting --- */

void http_defer_reading(struct http *http, int64_t until_ms)
{
	if (http->came < DEFER_BYTES_MOST)
		http->deferred_until_ms = until_ms;
}

/* Milliseconds until `due_ms`, as a timeout of poll(). */
static int left_ms(int64_t due_ms)
{
	int64_t left = due_ms == NO_DEADLINE ? -1 : due_ms - clock_now_ms();

	return due_ms == NO_DEADLINE ? -1 : left <= 0 ? 0 : left > INT_MAX ? INT_MAX : (int)left;
}

static int sooner(int timeout_ms, int other_ms)
{
	return timeout_ms < 0 || (other_ms >= 0 && other_ms < timeout_ms) ? other_ms : timeout_ms;
}

/* poll() that handles signals: when interrupted, it polls once more without waiting. */
static int http_wait_for(struct pollfd *fds, size_t count, int timeout_ms)
{
	int ready = poll(fds, count, timeout_ms);

	if (ready < 0)
		ready = poll(fds, count, 0);
	for (size_t i = 0; ready < 0 && i < count; i++)
		fds[i].revents = 0;
	return ready < 0 ? 0 : ready;
}

static int curl_events_of(short revents)
{
	return (revents & POLLIN ? CURL_CSELECT_IN : 0) | (revents & POLLOUT ? CURL_CSELECT_OUT : 0) |
	       (revents & (POLLERR | POLLHUP | POLLNVAL) ? CURL_CSELECT_ERR : 0);
}

static bool uses_http2(const struct transfer *t)
{
	long version = 0;

	return t->attached && curl_easy_getinfo(t->easy, CURLINFO_HTTP_VERSION, &version) == CURLE_OK && version == CURL_HTTP_VERSION_2;
}

/* With HTTP/2, libcurl (7.88) may withhold the end of a stream whose frames arrived together until it reads again. */
static bool has_http2(const struct http *http)
{
	const struct transfer *t = http->transfers;

	while (t && !uses_http2(t))
		t = t->next;
	return t;
}

static bool has_waiting(const struct http *http)
{
	const struct transfer *t = http->transfers;

	while (t && (!t->waiting || t->held || t->over))
		t = t->next;
	return t;
}

/*
 * What has come on the socket of a transfer that waits is left there, by not telling curl of it: libcurl 8.5 goes on reading for a transfer that
 * is paused, and loses that if the connection is closed then. With HTTP/2 others use the socket, and curl has to be told to pause.
 */
static bool is_left_alone(const struct http *http, int fd)
{
	const struct transfer *t = http->transfers;

	while (t && (t->socket != fd || !t->waiting || !t->attached || uses_http2(t)))
		t = t->next;
	return t;
}

/* Such a socket is polled for what is still to be sent only. */
static void leave_what_came(const struct http *http, struct pollfd *sockets, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_left_alone(http, sockets[i].fd)) {
			sockets[i].events &= POLLOUT;
			sockets[i].fd = sockets[i].events ? sockets[i].fd : -1;
		}
}

static struct transfer *find_starved(const struct http *http)
{
	struct transfer *t = http->transfers;

	while (t && (!t->starved || t->over || t->ended))
		t = t->next;
	return t;
}

/* libcurl does not say whose socket it forgot, and such a transfer would wait for ever: all that run end. What they report may start others. */
static void end_starved(struct http *http)
{
	struct transfer *t;

	http->starved = false;
	for (t = http->transfers; t; t = t->next)
		t->starved = t->attached;
	while ((t = find_starved(http)))
		http_finish_starved(t);
}

/* Lets curl handle socket events and due timers, then reports finished transfers. */
static void http_run(struct http *http, const struct pollfd *sockets, size_t count)
{
	int running, left;
	const CURLMsg *message;

	http->came = 0;
	http->moved = false;
	http->in_callback = true;
	tls_limit_refill(http->tls, PASS_BYTES);
	for (struct transfer *t = http->transfers; t; t = t->next)
		http_resume(t);
	for (size_t i = 0; i < count; i++) {
		int came = curl_events_of(sockets[i].revents) | (http->again ? CURL_CSELECT_IN : 0);

		if (came && sockets[i].fd >= 0)
			note_memory(http, curl_multi_socket_action(http->multi, sockets[i].fd, came, &running));
	}
	if (left_ms(http->timer_ms) == 0) {
		http->timer_ms = NO_DEADLINE; /* cleared: curl sets it again if needed, but does not report that it has none */
		note_memory(http, curl_multi_socket_action(http->multi, CURL_SOCKET_TIMEOUT, 0, &running));
	}
	for (struct transfer *t = http->transfers; t; t = t->next)
		if (uses_http2(t))
			http_pause(t);
	http->in_callback = false;
	for (struct transfer *t = http->transfers; t; t = t->next)
		http_settle(t);
	http->again = http->moved && has_http2(http);
	while ((message = curl_multi_info_read(http->multi, &left))) {
		struct transfer *t = NULL;
		CURLcode code = message->data.result;

		curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, (char **)&t);
		http_finish(t, code);
	}
	if (http->starved)
		end_starved(http);
}

/* Also polls the sockets of the transfers, and runs them. */
static int wait_for_transfers(struct http *http, struct pollfd *fds, size_t count, int timeout_ms)
{
	size_t all = count + http->socket_count;
	int ready;

	mem_reserve(&http->polled, &http->polled_capacity, all + 1, sizeof *http->polled); /* + 1: never NULL */
	if (count)
		memcpy(http->polled, fds, count * sizeof *fds);
	if (http->socket_count)
		memcpy(http->polled + count, http->sockets, http->socket_count * sizeof *fds);
	leave_what_came(http, http->polled + count, all - count);
	ready = http_wait_for(http->polled, all, http->again || http->starved || has_waiting(http) ? 0 : sooner(timeout_ms, left_ms(http->timer_ms)));
	for (size_t i = 0; i < count; i++)
		fds[i].revents = http->polled[i].revents;
	for (size_t i = count; i < all; i++) {
		ready -= http->polled[i].revents != 0;
		if (http->polled[i].fd >= 0 && is_left_alone(http, http->polled[i].fd))
			http->polled[i].revents &= POLLOUT;
	}
	http_run(http, http->polled + count, all - count);
	return ready;
}

int http_wait(struct http *http, struct pollfd *fds, size_t count, int timeout_ms)
{
	int deferred_ms = http->running ? left_ms(http->deferred_until_ms) : 0, ready;
	int64_t end_ms = timeout_ms < 0 ? NO_DEADLINE : clock_now_ms() + timeout_ms;

	if (!http->running)
		return http_wait_for(fds, count, timeout_ms);
	if (deferred_ms == 0)
		return wait_for_transfers(http, fds, count, timeout_ms);
	ready = http_wait_for(fds, count, sooner(timeout_ms, deferred_ms));
	if (left_ms(http->deferred_until_ms) > 0)
		return ready;
	return wait_for_transfers(http, fds, count, ready ? 0 : left_ms(end_ms));
}

void http_write_libraries(struct buf *out)
{
	const curl_version_info_data *info = curl_version_info(CURLVERSION_NOW);

	buf_printf(out, "libcurl %s (%s%s%s)\n", info->version, info->ssl_version ? info->ssl_version : "no TLS",
	           info->nghttp2_version ? ", nghttp2/" : "", info->nghttp2_version ? info->nghttp2_version : "");
}
