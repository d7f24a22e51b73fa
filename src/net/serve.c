#include "net/serve.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/mem.h"

#define REQUEST_LIMIT ((size_t)64 << 20)
/* The write buffer is a part of it: a chunk may be about as large. */
#define CONNECTION_MEMORY_BYTES ((size_t)128 << 10)
/* Rounds of MHD_run() in one serve_run(); what is left is due at once. */
#define ROUNDS_MAX 16

struct serve {
	struct MHD_Daemon *daemon;
	int watch_fd;             /* an epoll of MHD's own and of the sockets that MHD does not look at */
	double speed;
	serve_choose *choose;
	void *ctx;
	struct fault fault;       /* that was ordered for all requests */
	size_t turn;              /* requests so far */
	struct visit *visits;
	int64_t now_ms;
	bool unfinished;          /* MHD has more to do at once */
};

/* One request and its answer. */
struct visit {
	struct visit *next;
	struct serve *serve;
	struct MHD_Connection *connection;
	bool begun;
	char *path;               /* with its query, which MHD cuts off later */
	struct buf body;
	bool body_too_large;
	const struct tape *tape;
	struct fault fault;           /* of this request */
	struct fault_body filter;
	int64_t head_due_ms, piece_due_ms;
	struct source *player;        /* NULL until the request is whole */
	struct MHD_Response *response;/* as soon as the tape gave a head or a body */
	unsigned status;
	struct buf out;               /* what is due, and how much of it was sent */
	size_t out_sent;
	bool ended;
	enum end_how how;
	bool suspended;
	int64_t due_ms;               /* while suspended */
	bool client_left;
};

/* --- suspended connections --- */

static int socket_of(const struct visit *v)
{
	return MHD_get_connection_info(v->connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* MHD forgets the socket of a suspended connection: that the client left is noticed here. */
static void suspend(struct visit *v, int64_t due_ms)
{
	struct epoll_event event = { .events = EPOLLRDHUP | EPOLLONESHOT, .data.ptr = v };

	epoll_ctl(v->serve->watch_fd, EPOLL_CTL_ADD, socket_of(v), &event);
	v->suspended = true;
	v->due_ms = due_ms;
	MHD_suspend_connection(v->connection);
}

static void resume(struct visit *v)
{
	epoll_ctl(v->serve->watch_fd, EPOLL_CTL_DEL, socket_of(v), NULL);
	v->suspended = false;
	MHD_resume_connection(v->connection);
}

static void notice_leavers(struct serve *serve)
{
	struct epoll_event events[32];
	int count = epoll_wait(serve->watch_fd, events, 32, 0);

	for (int i = 0; i < count; i++) {
		struct visit *v = events[i].data.ptr;

		if (v)
			v->client_left = true;
	}
}

/* --- the answer --- */

/* The type that a server would have sent for a body saved without its head. */
static const char *sniff(struct str body)
{
	if (str_starts(body, "\xEF\xBB\xBF"))
		body = str_skip(body, 3);
	body = str_trim(body);
	if (str_starts(body, "<"))
		return "text/html; charset=utf-8";
	if (str_starts(body, "[") || json_scan_is_whole(body))
		return "application/json";
	return str_starts(body, "{") ? "application/x-ndjson" : "text/event-stream";
}

static void add_header(struct MHD_Response *response, struct str name, struct str value)
{
	char *name_z = str_dup(name), *value_z = str_dup(value);

	/* MHD refuses what is no legal header; an answer without it will do. */
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
	v->response = MHD_create_response_from_callback(size, CONNECTION_MEMORY_BYTES, next_bytes, v, NULL);
	if (v->response && content_type.len)
		add_header(v->response, STR("content-type"), content_type);
	if (v->response && v->fault.gzip)
		add_header(v->response, STR("content-encoding"), STR("gzip"));
}

static void end_by_fault(struct visit *v)
{
	static const enum end_how hows[] = {
		[FAULT_CUT] = END_CUT, [FAULT_RESET] = END_CUT, [FAULT_STALL] = END_STALLED, [FAULT_END] = END_CLOSED,
	};

	v->ended = true;
	v->how = hows[v->fault.end];
}

static void on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct visit *v = ctx;

	(void)at_ms;
	if (v->response)
		return;
	make_response(v, head->status, head->content_type);
	for (size_t i = 0; v->response && i < head->header_count; i++)
		add_header(v->response, head->headers[i].name, head->headers[i].value);
}

static void on_body(void *ctx, struct str bytes, double at_ms)
{
	struct visit *v = ctx;

	(void)at_ms;
	if (!v->response)
		make_response(v, 200, str_from(sniff(tape_is_plain(v->tape) ? tape_plain_body(v->tape) : bytes)));
	fault_body_add(&v->filter, bytes, &v->out);
	if (v->filter.over)
		end_by_fault(v);
}

static void on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct visit *v = ctx;

	(void)detail;
	(void)at_ms;
	if (v->filter.over)
		return;
	v->ended = true;
	v->how = how;
	if (how == END_CLOSED)
		fault_body_end(&v->filter, &v->out);
	/* A tape that holds an end and nothing else. */
	if (!v->response && how == END_CLOSED)
		make_response(v, 200, STR("text/event-stream"));
}

/* Plays what is due, without ever holding more than a portion of it. */
static void play(struct visit *v)
{
	if (!v->ended && !v->out.len)
		source_run(v->player, v->serve->now_ms);
}

static int64_t next_due_ms(const struct visit *v)
{
	return v->ended ? NO_DEADLINE : source_deadline(v->player);
}

static ssize_t take_out(struct visit *v, char *to, size_t size)
{
	struct str piece = str_head(str_skip(buf_str(&v->out), v->out_sent), size);

	if (v->fault.piece)
		piece = str_head(piece, v->fault.piece);
	v->piece_due_ms = v->serve->now_ms + v->fault.pace_ms;
	memcpy(to, piece.ptr, piece.len);
	v->out_sent += piece.len;
	if (v->out_sent == v->out.len) {
		buf_clear(&v->out);
		v->out_sent = 0;
	}
	return (ssize_t)piece.len;
}

/* A socket that is told to forget its peer resets the connection. */
static void reset(struct visit *v)
{
	connect(socket_of(v), &(struct sockaddr){ .sa_family = AF_UNSPEC }, sizeof(struct sockaddr));
}

static ssize_t next_bytes(void *ctx, uint64_t position, char *to, size_t size)
{
	struct visit *v = ctx;

	(void)position;
	if (v->client_left)
		return MHD_CONTENT_READER_END_WITH_ERROR;
	play(v);
	if (v->out.len && v->piece_due_ms <= v->serve->now_ms)
		return take_out(v, to, size);
	if (v->out.len || !v->ended || v->how == END_STALLED) {
		suspend(v, v->out.len ? v->piece_due_ms : next_due_ms(v));
		return 0;
	}
	if (v->filter.over && v->fault.end == FAULT_RESET)
		reset(v);
	return v->how == END_CLOSED ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
}

/* --- requests --- */

static enum MHD_Result refuse(struct visit *v, unsigned status, const char *sentence)
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
	add_header(response, STR("content-type"), STR("application/json"));
	result = MHD_queue_response(v->connection, status, response);
	MHD_destroy_response(response);
	return result;
}

/* Again after each suspension, until the tape gives a head or ends. MHD_NO closes the connection without an answer. */
static enum MHD_Result answer(struct visit *v)
{
	if (v->client_left)
		return MHD_NO;
	if (v->serve->now_ms < v->head_due_ms) {
		suspend(v, v->head_due_ms);
		return MHD_YES;
	}
	play(v);
	if (v->response)
		return MHD_queue_response(v->connection, v->status, v->response);
	if (v->ended && v->how != END_STALLED)
		return MHD_NO;
	suspend(v, next_due_ms(v));
	return MHD_YES;
}

/* The order in the request's own header counts, else that for all. */
static bool find_fault(struct visit *v, struct error *err)
{
	struct serve *serve = v->serve;
	const char *order = MHD_lookup_connection_value(v->connection, MHD_HEADER_KIND, SERVE_FAULT_HEADER);

	v->fault = serve->fault;
	if (order)
		fault_init(&v->fault);
	if (!fault_read(&v->fault, str_from(order), err))
		return false;
	fault_body_init(&v->filter, &v->fault, serve->turn++);
	v->head_due_ms = serve->now_ms + v->fault.wait_ms;
	return true;
}

static enum MHD_Result choose(struct visit *v, struct str method)
{
	const struct source_sink sink = { v, on_head, on_body, on_end };
	struct serve *serve = v->serve;
	struct serve_request request = { method, str_from(v->path), buf_str(&v->body) };
	struct error err;

	if (v->body_too_large)
		return refuse(v, MHD_HTTP_CONTENT_TOO_LARGE, "the request is larger than 64 MB");
	if (!find_fault(v, &err))
		return refuse(v, MHD_HTTP_BAD_REQUEST, err.text);
	v->tape = serve->choose(serve->ctx, &request);
	if (!v->tape)
		return refuse(v, MHD_HTTP_NOT_FOUND, "nothing is served here");
	v->player = tape_player_new(v->tape, &sink, serve->speed, serve->now_ms);
	return answer(v);
}

/* The request's slot, before its first on_request(). */
static void *on_uri(void *ctx, const char *uri, struct MHD_Connection *connection)
{
	struct serve *serve = ctx;
	struct visit *v = mem_new(sizeof *v);
	int yes = 1;

	*v = (struct visit){ .next = serve->visits, .serve = serve, .connection = connection, .path = mem_dup_z(uri) };
	buf_init(&v->body, REQUEST_LIMIT);
	buf_init(&v->out, TAPE_LIMIT);
	serve->visits = v;
	setsockopt(socket_of(v), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	return v;
}

static enum MHD_Result on_request(void *ctx, struct MHD_Connection *connection, const char *url, const char *method,
                                  const char *version, const char *upload, size_t *upload_size, void **slot)
{
	struct visit *v = *slot;

	(void)ctx;
	(void)connection;
	(void)url;
	(void)version;
	if (!v->begun) {
		v->begun = true;
		return MHD_YES;
	}
	if (*upload_size) {
		v->body_too_large |= !buf_add(&v->body, str_of(upload, *upload_size));
		*upload_size = 0;
		return MHD_YES;
	}
	return v->player ? answer(v) : choose(v, str_from(method));
}

static void on_completed(void *ctx, struct MHD_Connection *connection, void **slot, enum MHD_RequestTerminationCode code)
{
	struct serve *serve = ctx;
	struct visit *v = *slot, **link = &serve->visits;

	(void)connection;
	(void)code;
	if (!v)
		return;
	while (*link != v)
		link = &(*link)->next;
	*link = v->next;
	if (v->response)
		MHD_destroy_response(v->response);
	source_free(v->player);
	mem_free(v->path);
	buf_fini(&v->body);
	buf_fini(&v->out);
	fault_body_fini(&v->filter);
	mem_free(v);
	*slot = NULL;
}

/* --- the server --- */

static bool start_daemon(struct serve *serve, unsigned port)
{
	struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((uint16_t)port) };

	address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	serve->daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, (uint16_t)port, NULL, NULL, on_request, serve,
	                                 MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address, MHD_OPTION_NOTIFY_COMPLETED, on_completed,
	                                 serve, MHD_OPTION_URI_LOG_CALLBACK, on_uri, serve, MHD_OPTION_CONNECTION_MEMORY_LIMIT,
	                                 CONNECTION_MEMORY_BYTES, MHD_OPTION_END);
	return serve->daemon;
}

static bool watch_daemon(struct serve *serve)
{
	struct epoll_event event = { .events = EPOLLIN };
	int fd = MHD_get_daemon_info(serve->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;

	serve->watch_fd = epoll_create1(EPOLL_CLOEXEC);
	return serve->watch_fd >= 0 && epoll_ctl(serve->watch_fd, EPOLL_CTL_ADD, fd, &event) == 0;
}

bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose_tape, void *ctx, struct error *err)
{
	struct serve *s;

	if (port > 65535)
		return error_set(err, "%u is no port: it must be 0 to 65535", port);
	s = mem_new(sizeof *s);
	*s = (struct serve){ .watch_fd = -1, .speed = speed, .choose = choose_tape, .ctx = ctx };
	fault_init(&s->fault);
	errno = 0;
	if (!start_daemon(s, port) || !watch_daemon(s)) {
		error_set(err, "cannot listen on 127.0.0.1 port %u: %s", port, errno ? strerror(errno) : "libmicrohttpd refuses");
		serve_free(s);
		return false;
	}
	*serve = s;
	return true;
}

void serve_free(struct serve *serve)
{
	if (!serve)
		return;
	/* MHD_stop_daemon() aborts the program when a connection is suspended. */
	for (struct visit *v = serve->visits; v; v = v->next)
		if (v->suspended)
			resume(v);
	if (serve->daemon)
		MHD_stop_daemon(serve->daemon);
	if (serve->watch_fd >= 0)
		close(serve->watch_fd);
	mem_free(serve);
}

void serve_order(struct serve *serve, const struct fault *fault)
{
	serve->fault = *fault;
}

unsigned serve_port(const struct serve *serve)
{
	return MHD_get_daemon_info(serve->daemon, MHD_DAEMON_INFO_BIND_PORT)->port;
}

int serve_fd(const struct serve *serve)
{
	return serve->watch_fd;
}

int64_t serve_deadline(const struct serve *serve)
{
	int64_t first = serve->unfinished ? 0 : NO_DEADLINE;

	for (const struct visit *v = serve->visits; v; v = v->next)
		if (v->suspended && v->due_ms < first)
			first = v->due_ms;
	return first;
}

void serve_run(struct serve *serve, int64_t now_ms)
{
	MHD_UNSIGNED_LONG_LONG wait_ms;
	bool more = true;

	serve->now_ms = now_ms;
	notice_leavers(serve);
	for (struct visit *v = serve->visits; v; v = v->next)
		if (v->suspended && (v->client_left || v->due_ms <= now_ms))
			resume(v);
	for (int round = 0; more && round < ROUNDS_MAX; round++) {
		MHD_run(serve->daemon);
		more = MHD_get_timeout(serve->daemon, &wait_ms) == MHD_YES && wait_ms == 0;
	}
	serve->unfinished = more;
}
