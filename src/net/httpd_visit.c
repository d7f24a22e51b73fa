/* Requests: reading them, and going on from one to the next. */
#include "net/httpd_inside.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "net/asker.h"

#define READ_BYTES ((size_t)16 << 10)
#define SHARE_MOST ((size_t)256 << 10)
#define SHARE_LEAST ((size_t)16 << 10)
#define KEPT_MOST ((size_t)4 << 20)

size_t visit_share(const struct visit *v)
{
	return v->peer->httpd->held_bytes < HTTPD_HELD_MOST ? SHARE_MOST : SHARE_LEAST;
}

/* Removes bytes at the front. An empty buffer keeps little memory: there may be many connections. */
static void drop_front(struct buf *buf, size_t count)
{
	buf_drop(buf, count);
	if (!buf->len && buf->capacity > SHARE_LEAST)
		buf_fini(buf);
}

/* --- the request --- */

static size_t body_left(const struct visit *v)
{
	return v->body.len - v->body_taken;
}

bool visit_wants_input(const struct visit *v)
{
	return !v->whole && !v->over && !v->peer->in.len && (v->keeps_body || body_left(v) < visit_share(v));
}

bool visit_is_whole(const struct visit *v)
{
	return v->whole;
}

size_t visit_take(struct visit *v, char *to, size_t room)
{
	struct str piece = str_head(str_skip(buf_str(&v->body), v->body_taken), room);

	if (piece.len)
		memcpy(to, piece.ptr, piece.len);
	v->body_taken += piece.len;
	if (!v->keeps_body && (v->body_taken == v->body.len || v->body_taken > SHARE_LEAST)) {
		drop_front(&v->body, v->body_taken);
		v->body_taken = 0;
	}
	return piece.len;
}

bool visit_keep(struct visit *v)
{
	struct httpd *httpd = v->peer->httpd;

	if (v->is_chunked || v->left > KEPT_MOST || httpd->held_bytes + v->left > HTTPD_HELD_MOST)
		return false;
	v->keeps_body = true;
	v->kept_most = (size_t)v->left;
	httpd->held_bytes += v->kept_most;
	return true;
}

bool visit_take_again(struct visit *v)
{
	if (v->keeps_body)
		v->body_taken = 0;
	return v->keeps_body;
}

void visit_forget(struct visit *v)
{
	v->keeps_body = false;
	v->kept_most = 0;
	drop_front(&v->body, v->body_taken);
	v->body_taken = 0;
}

void visit_forget_all(struct visit *v)
{
	v->body_taken = v->body.len;
	visit_forget(v);
}

/* Frees what answers: nothing more is asked of it. */
static void free_answer(struct visit *v)
{
	void *answer = v->answer;

	v->answer = NULL;
	if (answer)
		v->peer->httpd->ops->free(answer);
}

void visit_fini(struct visit *v)
{
	free_answer(v);
	chunk_reader_fini(&v->chunks);
	buf_fini(&v->body);
	*v = (struct visit){ .peer = NULL };
}

static void end_request(struct visit *v)
{
	v->whole = true;
	if (v->answer)
		v->peer->httpd->ops->whole(v->answer, buf_str(&v->chunks.trailers));
}

static void abandon(struct visit *v, unsigned status, const char *sentence)
{
	free_answer(v);
	if (visit_has_head(v))
		visit_break(v, false);
	else
		visit_refuse(v, status, sentence);
}

static void take_piece(struct visit *v, struct str piece)
{
	v->peer->active_ms = v->peer->httpd->now_ms;
	if (!v->answer)
		return;
	buf_add(&v->body, piece);
	v->peer->httpd->held_bytes += piece.len;
	v->peer->httpd->ops->body(v->answer, piece);
}

/* Hands on a part of the body that has been read. False: there is none, or no room for it. */
static bool read_body(struct visit *v)
{
	struct buf *in = &v->peer->in;
	struct str rest = buf_str(in), piece = STR_NONE;
	enum chunk_result result = CHUNK_BYTES;

	if (v->whole || !rest.len || (!v->keeps_body && body_left(v) >= visit_share(v)))
		return false;
	if (v->is_chunked) {
		result = chunk_reader_step(&v->chunks, &rest, &piece);
	} else {
		piece = str_head(rest, v->left < rest.len ? (size_t)v->left : rest.len);
		rest = str_skip(rest, piece.len);
		v->left -= piece.len;
	}
	if (result == CHUNK_BYTES)
		take_piece(v, piece);
	drop_front(in, in->len - rest.len);
	if (result == CHUNK_BROKEN)
		abandon(v, 400, "the body of the request is not in chunks as it says");
	else if (result == CHUNK_OVER || (!v->is_chunked && !v->left))
		end_request(v);
	return true;
}

static void begin_answer(struct visit *v, const struct request_head *head)
{
	struct httpd *httpd = v->peer->httpd;

	v->minor = head->minor;
	v->is_head = str_is(head->method, "HEAD");
	v->keeps = head->keeps;
	v->is_chunked = head->is_chunked;
	v->left = head->length;
	v->answer = httpd->ops->begin(httpd->ctx, v, head);
	if (!head->has_body || (!head->is_chunked && !head->length))
		end_request(v);
}

static void refuse_request(struct visit *v, struct request_refusal refusal)
{
	const struct httpd *httpd = v->peer->httpd;

	if (httpd->ops->refused)
		httpd->ops->refused(httpd->ctx, &refusal);
	v->keeps = false;
	visit_refuse(v, refusal.status, refusal.sentence);
}

/* Reads the next request. False: it is not complete. */
static bool begin_visit(struct peer *peer)
{
	struct visit *v = &peer->visit;
	struct request_refusal refusal = { 0 };
	struct request_head head = { 0 };
	size_t empty = 0, len;

	while (str_starts(str_skip(buf_str(&peer->in), empty), "\r\n")) /* lines before a request are skipped (RFC 9112, 2.2) */
		empty += 2;
	drop_front(&peer->in, empty);
	len = request_head_length(buf_str(&peer->in), peer->head_seen);
	peer->head_seen = len ? 0 : peer->in.len;
	if (!len && peer->in.len <= REQUEST_HEAD_BYTES_MOST) {
		peer->gone |= peer->input_over;
		return false;
	}
	peer->visited = true;
	*v = (struct visit){ .peer = peer, .minor = 1 };
	if (!len || len > REQUEST_HEAD_BYTES_MOST)
		refuse_request(v, (struct request_refusal){ 431, "the head of the request is larger than 64 KB" });
	else if (!request_head_read(&head, str_head(buf_str(&peer->in), len), &refusal) || !asker_check(&head, peer->httpd->ops->visitable, &refusal))
		refuse_request(v, refusal);
	else
		begin_answer(v, &head);
	request_head_fini(&head);
	drop_front(&peer->in, len);
	return true;
}

/* --- runs --- */

static void read_input(struct peer *peer)
{
	char bytes[READ_BYTES];
	ssize_t count = recv(peer->fd, bytes, sizeof bytes, 0);

	if (count > 0)
		buf_add(&peer->in, str_of(bytes, (size_t)count));
	else if (count == 0)
		peer->input_over = peer->half_closed = true;
	else
		peer->gone |= errno != EAGAIN && errno != EINTR;
}

static void send_output(struct peer *peer)
{
	struct str rest = str_skip(buf_str(&peer->out), peer->out_sent);
	ssize_t count = 1;

	while (rest.len && count > 0) {
		count = send(peer->fd, rest.ptr, rest.len, MSG_NOSIGNAL);
		if (count > 0) {
			rest = str_skip(rest, (size_t)count);
			peer->active_ms = peer->httpd->now_ms;
		}
	}
	peer->gone |= count < 0 && errno != EAGAIN && errno != EINTR;
	peer->out_sent = peer->out.len - rest.len;
	if (!rest.len || peer->out_sent > SHARE_LEAST) {
		drop_front(&peer->out, peer->out_sent);
		peer->out_sent = 0;
	}
}

void visit_flush(struct visit *v)
{
	send_output(v->peer);
}

static void ask_for_more(struct visit *v)
{
	if (!v->full || visit_waiting(v) > visit_share(v) / 2)
		return;
	v->full = false;
	if (v->answer && !v->over)
		v->peer->httpd->ops->room(v->answer);
}

static bool has_input(const struct peer *peer)
{
	char byte;

	return peer->in.len || recv(peer->fd, &byte, 1, MSG_PEEK) > 0;
}

/*
 * All is sent. What still comes of a request is discarded before the connection is closed: closing with unread bytes resets it, which may
 * take the response from the client.
 */
static void end_connection(struct peer *peer)
{
	struct linger none = { .l_onoff = 1 };

	if (peer->visit.reset)
		setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
	peer->gone = peer->visit.reset || (peer->visit.whole && !has_input(peer));
	if (peer->gone)
		return;
	shutdown(peer->fd, SHUT_WR);
	peer->lingers = true;
	peer->active_ms = peer->httpd->now_ms;
}

/* The response is over and sent: on to the next request. False: it is not sent yet. */
static bool end_visit(struct peer *peer)
{
	struct visit *v = &peer->visit;

	free_answer(v);
	if (peer->out.len)
		return false;
	if (v->keeps && v->whole && !v->broken)
		peer->active_ms = peer->httpd->now_ms;
	else
		end_connection(peer);
	visit_fini(v);
	peer->visited = false;
	return true;
}

/* One step on. False: it waits for the client or for what answers. */
static bool go_on(struct peer *peer)
{
	if (peer->lingers) {
		buf_clear(&peer->in);
		peer->gone |= peer->input_over;
		return false;
	}
	if (!peer->visited)
		return begin_visit(peer);
	if (peer->visit.over)
		return end_visit(peer);
	if (read_body(&peer->visit))
		return true;
	peer->gone |= peer->input_over && !peer->visit.whole && !peer->in.len;
	return false;
}

void visit_run(struct peer *peer)
{
	bool moves = !peer->gone;

	if (moves && peer->came & WATCH_INPUT && peer_wants_input(peer))
		read_input(peer);
	while (moves && !peer->gone) {
		send_output(peer);
		if (peer->visited)
			ask_for_more(&peer->visit);
		moves = !peer->gone && go_on(peer);
	}
	if (!peer->gone)
		send_output(peer);
}
