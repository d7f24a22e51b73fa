/*
 * What a relay sends: its method, and a body that it gives to libcurl in pieces, when it has them.
 */
#include "net/http_inside.h"

#include <string.h>

static size_t relay_on_upload(char *to, size_t size, size_t count, void *ctx)
{
	struct transfer *t = ctx;
	bool later = false;
	size_t given = t->over ? 0 : t->relay.upload(t->relay.ctx, to, size * count, &later);

	t->upload_paused = !given && later;
	t->uploaded += given;
	t->uploads = (given || later) && (t->relay.length < 0 || t->uploaded < (uint64_t)t->relay.length);
	if (t->http->log && !t->upload_paused) {
		/* Instead of what libcurl reports for its log: there a key may be split over two pieces. */
		struct str safe = given ? redactor_feed(&t->upload_secret, str_of(to, given)) : redactor_end(&t->upload_secret);

		if (safe.len)
			wire_log_add(t->http->log, t->number, WIRE_BODY_OUT, safe);
	}
	return t->upload_paused ? CURL_READFUNC_PAUSE : given;
}

static int relay_on_seek(void *ctx, curl_off_t offset, int origin)
{
	struct transfer *t = ctx;

	t->uploaded = 0;
	t->uploads = true;
	return !offset && origin == SEEK_SET && t->relay.again && t->relay.again(t->relay.ctx) ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static void relay_add_trailer(void *list, const char *line)
{
	struct curl_slist **trailers = list;

	*trailers = curl_slist_append(*trailers, line);
}

static int relay_on_trailers(struct curl_slist **trailers, void *ctx)
{
	const struct transfer *t = ctx;

	t->relay.trailers(t->relay.ctx, relay_add_trailer, trailers);
	return CURL_TRAILERFUNC_OK;
}

static void relay_set_upload(struct transfer *t)
{
	t->uploads = true;
	curl_easy_setopt(t->easy, CURLOPT_UPLOAD, 1L);
	curl_easy_setopt(t->easy, CURLOPT_UPLOAD_BUFFERSIZE, READ_BUFFER_BYTES);
	curl_easy_setopt(t->easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)t->relay.length);
	curl_easy_setopt(t->easy, CURLOPT_READFUNCTION, relay_on_upload);
	curl_easy_setopt(t->easy, CURLOPT_READDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_SEEKFUNCTION, relay_on_seek);
	curl_easy_setopt(t->easy, CURLOPT_SEEKDATA, t);
	curl_easy_setopt(t->easy, CURLOPT_FRESH_CONNECT, (long)!t->relay.again);
	if (t->relay.length >= 0)
		return;
	curl_easy_setopt(t->easy, CURLOPT_TRAILERFUNCTION, relay_on_trailers);
	curl_easy_setopt(t->easy, CURLOPT_TRAILERDATA, t);
}

void http_set_relay(struct transfer *t, const char *method)
{
	curl_easy_setopt(t->easy, CURLOPT_ACCEPT_ENCODING, NULL);
	curl_easy_setopt(t->easy, CURLOPT_PATH_AS_IS, 1L);
	if (t->relay.has_body)
		relay_set_upload(t);
	else if (!strcmp(method, "HEAD"))
		curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
	curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, method);
}

void http_hold(struct source *transfer, bool held)
{
	((struct transfer *)transfer)->held = held;
}

void http_upload(struct source *transfer)
{
	struct transfer *t = (struct transfer *)transfer;

	if (!t->upload_paused || t->over)
		return;
	t->upload_paused = false;
	(void)http_tell_pause(t);
}
