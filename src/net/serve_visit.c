/* One request and its response: choosing a tape, sending what is due, refusals. */
#include "net/serve_inside.h"

#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"

#define REQUEST_LIMIT ((size_t)64 << 20) /* of one request, and of all being received at a time */
#define SNIFFED_MOST ((size_t)1 << 20)
#define RELAYED_LIMIT ((size_t)64 << 20) /* what a client has not read yet of a relayed response */

struct refusal { /* status 0: accepted */
	unsigned status;
	const char *sentence;
};

/* A relay's source calls back when it likes, so what it gives waits here. */
struct relayed {
	struct buf arrived, taken;    /* `rest` is borrowed from `taken` */
	bool over, failed;            /* ended; without a head: `detail` says why */
	enum end_how how;
	struct error detail;
};

struct visit {
	struct serve *serve;
	struct peer *peer;
	struct MHD_Connection *connection;
	bool begun;
	char *path;                   /* with its query, which MHD removes later */
	struct buf body;
	struct refusal refusal;       /* of the request so far */
	const struct tape *tape;
	struct fault fault;           /* for this request */
	struct fault_body filter;
	int64_t head_due_ms, piece_due_ms;
	struct source *player;        /* NULL until the request is complete */
	struct relayed *relayed;      /* what a relay's source gave and is not played yet; NULL: the player plays a tape */
	struct MHD_Response *response;/* created when the tape has given a head or a body */
	unsigned status;
	struct str rest;              /* the rest of the last body step, not in `out` yet; borrowed from the tape or `relayed` */
	struct buf out;               /* what is due, and how much of it was sent */
	size_t out_sent;
	bool ended;
	enum end_how how;
};

/* --- responses --- */

/* The media type for a body saved without its head. A large body is not examined: its steps are lines. */
static const char *visit_sniff(const struct tape *tape, struct str body)
{
	bool is_large = body.len > SNIFFED_MOST;

	if (str_starts(body, "\xEF\xBB\xBF"))
		body = str_skip(body, 3);
	body = str_trim(body);
	if (str_starts(body, "<"))
		return "text/html; charset=utf-8";
	if (str_starts(body, "[") || (is_large ? str_starts(body, "{") && tape_length(tape) == 2 : json_scan_is_whole(body)))
		return "application/json";
	return str_starts(body, "{") ? "application/x-ndjson" : "text/event-stream";
}

static void visit_add_header(struct MHD_Response *response, struct str name, struct str value)
{
	char *name_z = str_dup(name), *value_z = str_dup(value);

	/* MHD rejects an illegal header; the response works without it. */
	(void)MHD_add_response_header(response, name_z, value_z);
	mem_free(name_z);
	mem_free(value_z);
}

static ssize_t next_bytes(void *ctx, uint64_t position, char *to, size_t size);

static void make_response(struct visit *v, int status, struct str content_type)
{
	uint64_t size = v->fault.length == FAULT_NOWHERE ? MHD_SIZE_UNKNOWN : v->fault.length;

	if (v->fault.status)
		status = v->fault.status;
	v->status = status >= 200 && status <= 599 ? (unsigned)status : 502;
	v->response = MHD_create_response_from_callback(size, SERVE_MEMORY_BYTES, next_bytes, v, NULL);
	if (v->response && content_type.len)
		visit_add_header(v->response, STR("content-type"), content_type);
	if (v->response && v->fault.gzip)
		visit_add_header(v->response, STR("content-encoding"), STR("gzip"));
}

static void end_by_fault(struct visit *v)
{
	static const enum end_how hows[] = {
		[FAULT_CUT] = END_CUT, [FAULT_RESET] = END_CUT, [FAULT_STALL] = END_STALLED, [FAULT_END] = END_CLOSED,
	};

	v->ended = true;
	v->how = hows[v->fault.end];
}

/* Begins the response, if it has not begun, with the headers of `head` but for those that `drops` names. */
static bool visit_respond(struct visit *v, const struct response_head *head, bool (*drops)(struct str name))
{
	if (v->response)
		return false;
	make_response(v, head->status, head->content_type);
	for (size_t i = 0; v->response && i < head->header_count; i++)
		if (!drops || !drops(head->headers[i].name))
			visit_add_header(v->response, head->headers[i].name, head->headers[i].value);
	return true;
}

static void visit_on_head(void *ctx, const struct response_head *head, double at_ms)
{
	(void)at_ms;
	(void)visit_respond(ctx, head, NULL);
}

static void visit_on_body(void *ctx, struct str bytes, double at_ms)
{
	struct visit *v = ctx;

	(void)at_ms;
	if (!v->response)
		make_response(v, 200, str_from(visit_sniff(v->tape, tape_is_plain(v->tape) ? tape_plain_body(v->tape) : bytes)));
	v->rest = bytes;
}

static void visit_on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct visit *v = ctx;

	(void)detail;
	(void)at_ms;
	v->ended = true;
	v->how = how;
	if (how == END_CLOSED)
		fault_body_end(&v->filter, &v->out);
	/* A tape that consists of an end only. */
	if (!v->response && how == END_CLOSED)
		make_response(v, 200, STR("text/event-stream"));
}

/* --- a relay --- */

/* Of a connection, not of the whole response. */
static bool is_for_one_hop(struct str name)
{
	static const char *const names[] = { "connection", "keep-alive", "transfer-encoding", "content-length", "content-encoding", "content-type",
		"upgrade", "te", "trailer", "date", "alt-svc" };

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is_nocase(name, names[i]))
			return true;
	return str_starts(name, "proxy-");
}

static void relayed_on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct visit *v = ctx;

	(void)at_ms;
	if (visit_respond(v, head, is_for_one_hop))
		peer_wake(v->peer);
}

static void relayed_on_body(void *ctx, struct str bytes, double at_ms)
{
	struct visit *v = ctx;

	(void)at_ms;
	if (!v->relayed->over && !buf_add(&v->relayed->arrived, bytes)) {
		v->relayed->over = true; /* the client does not read: the connection is broken */
		v->relayed->how = END_CUT;
		source_cancel(v->player);
	}
	peer_wake(v->peer);
}

static void relayed_on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct visit *v = ctx;
	struct relayed *r = v->relayed;

	(void)at_ms;
	if (r->over)
		return;
	r->over = true;
	r->how = how;
	r->failed = !v->response;
	if (r->failed)
		error_set(&r->detail, "%.*s", STR_ARG(detail));
	peer_wake(v->peer);
}

/* Makes what has arrived the rest to be sent; false if there is none. */
static bool relayed_take(struct visit *v)
{
	struct relayed *r = v->relayed;
	struct buf empty = r->taken;

	if (r->arrived.len) {
		r->taken = r->arrived;
		r->arrived = empty;
		buf_clear(&r->arrived);
		v->rest = buf_str(&r->taken);
		return true;
	}
	if (r->over && !r->failed)
		visit_on_end(v, r->how, STR_NONE, 0);
	return r->over && !r->failed;
}

static void relayed_free(struct relayed *r)
{
	if (!r)
		return;
	buf_fini(&r->arrived);
	buf_fini(&r->taken);
	mem_free(r);
}

/* --- playing --- */

static void fill(struct visit *v)
{
	v->rest = str_skip(v->rest, fault_body_add(&v->filter, v->rest, &v->out));
	if (v->filter.over)
		end_by_fault(v);
}

/* Plays what is due, holding one piece of it at most. */
static void play(struct visit *v)
{
	if (v->out.len)
		return;
	while (v->out.len < FAULT_PIECE_BYTES && !v->ended)
		if (v->rest.len)
			fill(v);
		else if (v->relayed ? !relayed_take(v) : !tape_player_run_step(v->player, v->serve->now_ms))
			break;
}

static int64_t next_due_ms(const struct visit *v)
{
	return v->ended || v->relayed ? NO_DEADLINE : source_deadline(v->player);
}

static ssize_t take_out(struct visit *v, char *to, size_t size)
{
	struct str piece = str_head(str_skip(buf_str(&v->out), v->out_sent), size);

	if (v->fault.piece)
		piece = str_head(piece, v->fault.piece);
	v->piece_due_ms = v->serve->now_ms + v->fault.pace_ms;
	v->peer->active_ms = v->serve->now_ms;
	v->serve->sent_bytes += piece.len;
	memcpy(to, piece.ptr, piece.len);
	v->out_sent += piece.len;
	if (v->out_sent == v->out.len) {
		buf_clear(&v->out);
		v->out_sent = 0;
	}
	return (ssize_t)piece.len;
}

/* connect() to AF_UNSPEC disconnects the socket, which resets the connection. */
static void reset(const struct visit *v)
{
	connect(v->peer->fd, &(struct sockaddr){ .sa_family = AF_UNSPEC }, sizeof(struct sockaddr));
}

static ssize_t next_bytes(void *ctx, uint64_t position, char *to, size_t size)
{
	struct visit *v = ctx;

	(void)position;
	if (v->peer->left)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	play(v);
	if (v->out.len && v->piece_due_ms <= v->serve->now_ms)
		return take_out(v, to, size);
	if (v->out.len || !v->ended || v->how == END_STALLED) {
		peer_suspend(v->peer, v->out.len ? v->piece_due_ms : next_due_ms(v));
		return 0;
	}
	if (v->filter.over && v->fault.end == FAULT_RESET)
		reset(v);
	return v->how == END_CLOSED ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* --- refusals --- */

static enum MHD_Result visit_refuse(struct visit *v, unsigned status, const char *sentence)
{
	struct MHD_Response *response;
	struct json_writer w;
	struct buf json;
	enum MHD_Result result;

	buf_init(&json, (size_t)64 << 10);
	json_writer_init(&w, &json);
	json_open_object(&w);
	json_key(&w, "error");
	json_open_object(&w);
	json_key(&w, "message");
	json_string(&w, str_from(sentence));
	json_close_object(&w);
	json_close_object(&w);
	response = MHD_create_response_from_buffer(json.len, json.ptr, MHD_RESPMEM_MUST_COPY);
	buf_fini(&json);
	if (!response)
		return MHD_NO;
	visit_add_header(response, STR("content-type"), STR("application/json"));
	result = MHD_queue_response(v->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

static bool is_loopback_address(struct str name)
{
	bool is_six = str_starts(name, "[") && str_ends(name, "]");
	char *text = str_dup(is_six ? str_head(str_skip(name, 1), name.len - 2) : name);
	struct in_addr four;
	struct in6_addr six;
	bool good = is_six ? inet_pton(AF_INET6, text, &six) == 1 && IN6_IS_ADDR_LOOPBACK(&six)
	                   : inet_pton(AF_INET, text, &four) == 1 && ntohl(four.s_addr) >> 24 == IN_LOOPBACKNET;

	mem_free(text);
	return good;
}

/* Accepts "localhost", "127.x.y.z" and "[::1]", with any port. */
static bool is_loopback(struct str host)
{
	size_t end = str_starts(host, "[") ? str_find(host, STR("]")) + 1 : str_find(host, STR(":"));
	struct str name = str_head(host, end), port = str_skip(host, end);

	for (size_t i = 1; i < port.len; i++)
		if (!char_is_digit(port.ptr[i]))
			return false;
	return (!port.len || str_starts(port, ":")) && (str_is_nocase(name, "localhost") || is_loopback_address(name));
}

/*
 * Rejects other host names, against DNS rebinding: a page of such a name could read what is served. A request without a host (HTTP/1.0)
 * does not come from a browser.
 */
static enum MHD_Result check_host(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct visit *v = ctx;

	(void)kind;
	if (str_is_nocase(str_from(name), "host") && !is_loopback(str_trim(str_from(value))))
		v->refusal = (struct refusal){ MHD_HTTP_MISDIRECTED_REQUEST,
			                       "only requests to localhost, 127.0.0.1 or [::1] are answered here: the header Host names another host" };
	return MHD_YES;
}

/* --- requests --- */

/* Called again after each suspension, until the source gives a head or ends. MHD_NO closes the connection without a response. */
static enum MHD_Result answer(struct visit *v)
{
	if (v->peer->left)
		return MHD_NO;
	if (v->serve->now_ms < v->head_due_ms) {
		peer_suspend(v->peer, v->head_due_ms);
		return MHD_YES;
	}
	play(v);
	if (v->relayed && v->relayed->failed)
		return visit_refuse(v, MHD_HTTP_BAD_GATEWAY, v->relayed->detail.text);
	if (v->response)
		return MHD_queue_response(v->connection, v->status, v->response);
	if (v->ended && v->how != END_STALLED)
		return MHD_NO;
	peer_suspend(v->peer, next_due_ms(v));
	return MHD_YES;
}

/* The fault that the request orders in its header, if it does. */
static bool read_own_fault(struct visit *v, bool *own, struct error *err)
{
	const char *order = MHD_lookup_connection_value(v->connection, MHD_HEADER_KIND, SERVE_FAULT_HEADER);

	*own = order;
	fault_init(&v->fault);
	return fault_read(&v->fault, str_from(order), err);
}

static void take_fault(struct visit *v, bool own)
{
	if (!own)
		v->fault = v->serve->fault;
	fault_body_init(&v->filter, &v->fault, v->serve->turn++);
	v->head_due_ms = v->serve->now_ms + v->fault.wait_ms;
}

static void forget_body(struct visit *v)
{
	v->serve->body_bytes -= v->body.len;
	buf_fini(&v->body);
	buf_init(&v->body, REQUEST_LIMIT);
}

struct header_list { struct response_header *at; size_t count, capacity; };

static enum MHD_Result list_header(void *ctx, enum MHD_ValueKind kind, const char *name, const char *value)
{
	struct header_list *list = ctx;

	(void)kind;
	mem_reserve(&list->at, &list->capacity, list->count + 1, sizeof *list->at);
	list->at[list->count++] = (struct response_header){ str_from(name), str_from(value) };
	return MHD_YES;
}

/* Sets the source of the answer. Otherwise refuses the request: `*result` is what MHD gets then. */
static bool find_source(struct visit *v, struct str method, enum MHD_Result *result)
{
	const struct source_sink played = { v, visit_on_head, visit_on_body, visit_on_end };
	const struct source_sink relayed = { v, relayed_on_head, relayed_on_body, relayed_on_end };
	struct serve_request request = { .method = method, .path = str_from(v->path), .body = buf_str(&v->body) };
	struct serve *serve = v->serve;
	struct header_list headers = { .count = 0 };
	struct error err = { "" };

	MHD_get_connection_values(v->connection, MHD_HEADER_KIND, list_header, &headers);
	request.headers = headers.at;
	request.header_count = headers.count;
	if (serve->relay) {
		v->relayed = mem_new(sizeof *v->relayed);
		buf_init(&v->relayed->arrived, RELAYED_LIMIT);
		buf_init(&v->relayed->taken, RELAYED_LIMIT);
		v->player = serve->relay(serve->ctx, &request, &relayed, &err);
	} else if ((v->tape = serve->choose(serve->ctx, &request))) {
		v->player = tape_player_new(v->tape, &played, serve->speed, serve->now_ms);
	}
	mem_free(headers.at);
	forget_body(v);
	if (!v->player)
		*result = serve->relay ? visit_refuse(v, MHD_HTTP_BAD_GATEWAY, err.text) : visit_refuse(v, MHD_HTTP_NOT_FOUND, "nothing is served here");
	return v->player;
}

static enum MHD_Result begin_answer(struct visit *v, struct str method)
{
	enum MHD_Result result;
	struct error err;
	bool own;

	if (v->refusal.status)
		return visit_refuse(v, v->refusal.status, v->refusal.sentence);
	if (!read_own_fault(v, &own, &err))
		return visit_refuse(v, MHD_HTTP_BAD_REQUEST, err.text);
	if (!find_source(v, method, &result))
		return result;
	take_fault(v, own);
	return answer(v);
}

static void take_upload(struct visit *v, struct str bytes)
{
	v->peer->active_ms = v->serve->now_ms;
	if (v->refusal.status)
		return;
	if (v->body.len + bytes.len > REQUEST_LIMIT)
		v->refusal = (struct refusal){ MHD_HTTP_CONTENT_TOO_LARGE, "the request is larger than 64 MB" };
	else if (v->serve->body_bytes + bytes.len > REQUEST_LIMIT)
		v->refusal = (struct refusal){ MHD_HTTP_SERVICE_UNAVAILABLE, "the requests that come in are larger than 64 MB together: try again" };
	else if (buf_add(&v->body, bytes))
		v->serve->body_bytes += bytes.len;
	if (v->refusal.status)
		forget_body(v);
}

/* Allocates the request, before its first visit_request(). */
void *visit_begin(void *ctx, const char *uri, struct MHD_Connection *connection)
{
	struct visit *v = mem_new(sizeof *v);

	*v = (struct visit){ .serve = ctx, .peer = peer_of(connection), .connection = connection, .path = mem_dup_z(uri) };
	buf_init(&v->body, REQUEST_LIMIT);
	buf_init(&v->out, 4 * FAULT_PIECE_BYTES); /* at most two pieces and gzip framing */
	return v;
}

enum MHD_Result visit_request(void *ctx, struct MHD_Connection *connection, const char *url, const char *method, const char *version,
                              const char *upload, size_t *upload_size, void **slot)
{
	struct visit *v = *slot;

	(void)ctx;
	(void)url;
	(void)version;
	if (!v->begun) {
		v->begun = true;
		MHD_get_connection_values(connection, MHD_HEADER_KIND, check_host, v);
		return MHD_YES;
	}
	if (*upload_size) {
		take_upload(v, str_of(upload, *upload_size));
		*upload_size = 0;
		return MHD_YES;
	}
	v->peer->asking = false;
	return v->player ? answer(v) : begin_answer(v, str_from(method));
}

void visit_end(void *ctx, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode code)
{
	struct visit *v = *slot;

	(void)ctx;
	(void)connection;
	(void)code;
	if (!v)
		return;
	v->peer->asking = true;
	v->peer->active_ms = v->serve->now_ms;
	forget_body(v);
	if (v->response)
		MHD_destroy_response(v->response);
	source_free(v->player);
	if (v->tape && v->serve->done)
		v->serve->done(v->serve->ctx, v->tape);
	relayed_free(v->relayed);
	mem_free(v->path);
	buf_fini(&v->out);
	fault_body_fini(&v->filter);
	mem_free(v);
	*slot = NULL;
}
