#include "net/serve.h"

#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "net/httpd.h"

#define REQUEST_LIMIT ((size_t)64 << 20) /* of one request, and of all being received at a time */
#define SNIFFED_MOST ((size_t)1 << 20)
#define RUN_BYTES ((size_t)4 << 20)      /* of one serve_run(); remaining work is due at once */

struct serve {
	struct httpd *httpd;
	double speed;
	serve_choose *choose;
	serve_done *done;         /* NULL: nobody wants to know */
	void *ctx;
	struct fault fault;       /* for all requests */
	size_t turn;              /* number of requests so far */
	int64_t now_ms;
	size_t sent_bytes;        /* in this run */
	size_t body_bytes;        /* of all requests whose bodies are being received */
	struct play *plays;
};

/* A request, and the tape that answers it. */
struct play {
	struct play *next;
	struct serve *serve;
	struct visit *visit;
	char *method, *path;          /* with its query */
	struct buf body;
	const struct tape *tape;      /* NULL until the request is complete */
	struct fault fault;           /* for this request */
	bool has_fault;               /* the request orders it */
	struct fault_body filter;
	int64_t head_due_ms, piece_due_ms;
	struct source *player;
	struct str rest;              /* the rest of the last body step, not in `out` yet; borrowed from the tape */
	struct buf out;               /* what is due, and how much of it was sent */
	size_t out_sent;
	bool ended, over;             /* the tape has ended; nothing more is sent */
	enum end_how how;
};

/* --- heads --- */

/* The media type for a body saved without its head. A large body is not examined: its steps are lines. */
static const char *play_sniff(const struct tape *tape, struct str body)
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

/* Begins the response, if it has not begun. */
static void play_begin(struct play *p, const struct response_head *head)
{
	struct response_header *fields = mem_new((head->header_count + 2) * sizeof *fields);
	struct visit_head all = { .fields = fields, .length = p->fault.length == FAULT_NOWHERE ? -1 : (int64_t)p->fault.length };

	all.status = (unsigned)(p->fault.status ? p->fault.status : head->status >= 200 && head->status <= 599 ? head->status : 502);
	if (head->content_type.len)
		fields[all.field_count++] = (struct response_header){ STR("content-type"), head->content_type };
	if (p->fault.gzip)
		fields[all.field_count++] = (struct response_header){ STR("content-encoding"), STR("gzip") };
	for (size_t i = 0; i < head->header_count; i++)
		fields[all.field_count++] = head->headers[i];
	visit_send_head(p->visit, &all);
	mem_free(fields);
}

/* --- the player's callbacks --- */

static void play_on_head(void *ctx, const struct response_head *head, double at_ms)
{
	(void)at_ms;
	play_begin(ctx, head);
}

static void play_on_body(void *ctx, struct str bytes, double at_ms)
{
	struct play *p = ctx;

	(void)at_ms;
	if (!visit_has_head(p->visit)) {
		struct str sample = tape_is_plain(p->tape) ? tape_plain_body(p->tape) : bytes;

		play_begin(p, &(struct response_head){ .status = 200, .content_type = str_from(play_sniff(p->tape, sample)) });
	}
	p->rest = bytes;
}

static void play_on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct play *p = ctx;

	(void)detail;
	(void)at_ms;
	p->ended = true;
	p->how = how;
	if (how == END_CLOSED)
		fault_body_end(&p->filter, &p->out);
	/* A tape that consists of an end only. */
	if (how == END_CLOSED && !visit_has_head(p->visit))
		play_begin(p, &(struct response_head){ .status = 200, .content_type = STR("text/event-stream") });
}

/* --- playing --- */

static void play_end_by_fault(struct play *p)
{
	static const enum end_how hows[] = {
		[FAULT_CUT] = END_CUT, [FAULT_RESET] = END_CUT, [FAULT_STALL] = END_STALLED, [FAULT_END] = END_CLOSED,
	};

	p->ended = true;
	p->how = hows[p->fault.end];
}

/* Adds what is due to `out`, one piece of it at most. */
static void play_fill(struct play *p)
{
	while (p->out.len < FAULT_PIECE_BYTES && !p->ended)
		if (p->rest.len) {
			p->rest = str_skip(p->rest, fault_body_add(&p->filter, p->rest, &p->out));
			if (p->filter.over)
				play_end_by_fault(p);
		} else if (!tape_player_run_step(p->player, p->serve->now_ms)) {
			break;
		}
}

static void play_send_piece(struct play *p)
{
	struct str piece = str_skip(buf_str(&p->out), p->out_sent);

	if (p->fault.piece)
		piece = str_head(piece, p->fault.piece);
	p->piece_due_ms = p->serve->now_ms + p->fault.pace_ms;
	p->serve->sent_bytes += piece.len;
	visit_send(p->visit, piece);
	visit_flush(p->visit); /* pieces are packets of their own */
	p->out_sent += piece.len;
	if (p->out_sent == p->out.len) {
		buf_clear(&p->out);
		p->out_sent = 0;
	}
}

static void play_finish(struct play *p)
{
	p->over = true;
	if (p->how == END_CLOSED)
		visit_end(p->visit, NULL, 0);
	else if (p->how != END_STALLED)
		visit_break(p->visit, p->filter.over && p->fault.end == FAULT_RESET);
}

/* When it goes on by itself; NO_DEADLINE: when the client reads, or never. */
static int64_t play_due_ms(const struct play *p)
{
	if (!p->player || p->over || visit_is_full(p->visit))
		return NO_DEADLINE;
	if (p->serve->now_ms < p->head_due_ms)
		return p->head_due_ms;
	if (p->out.len)
		return p->piece_due_ms;
	return p->ended || p->rest.len ? p->serve->now_ms : source_deadline(p->player);
}

/* Sends what is due. */
static void play_run(struct play *p)
{
	while (play_due_ms(p) <= p->serve->now_ms && p->serve->sent_bytes < RUN_BYTES) {
		if (!p->out.len)
			play_fill(p);
		if (p->out.len && p->piece_due_ms <= p->serve->now_ms)
			play_send_piece(p);
		else if (p->ended && !p->out.len)
			play_finish(p);
	}
}

/* --- requests --- */

static void *play_new(void *ctx, struct visit *v, const struct request_head *head)
{
	struct serve *serve = ctx;
	struct str order = request_head_value(head, SERVE_FAULT_HEADER);
	struct play *p = mem_new(sizeof *p);
	struct error err;

	*p = (struct play){ .next = serve->plays, .serve = serve, .visit = v, .method = str_dup(head->method), .path = str_dup(head->path) };
	buf_init(&p->body, REQUEST_LIMIT);
	buf_init(&p->out, 4 * FAULT_PIECE_BYTES); /* at most two pieces and gzip framing */
	fault_init(&p->fault);
	p->has_fault = order.ptr;
	serve->plays = p;
	if (!fault_read(&p->fault, order, &err))
		visit_refuse(v, 400, err.text);
	else if (head->expects)
		visit_send_interim(v, &(struct visit_head){ .status = 100 });
	return p;
}

static void play_forget_body(struct play *p)
{
	p->serve->body_bytes -= p->body.len;
	buf_fini(&p->body);
	buf_init(&p->body, REQUEST_LIMIT);
}

static void play_take_body(void *play, struct str bytes)
{
	struct play *p = play;

	visit_forget_all(p->visit);
	if (p->body.len + bytes.len > REQUEST_LIMIT)
		visit_refuse(p->visit, 413, "the request is larger than 64 MB");
	else if (p->serve->body_bytes + bytes.len > REQUEST_LIMIT)
		visit_refuse(p->visit, 503, "the requests that come in are larger than 64 MB together: try again");
	else if (buf_add(&p->body, bytes))
		p->serve->body_bytes += bytes.len;
	if (visit_has_head(p->visit))
		play_forget_body(p);
}

static void play_start(void *play, struct str trailers)
{
	struct play *p = play;
	struct serve *serve = p->serve;
	const struct serve_request request = { str_from(p->method), str_from(p->path), buf_str(&p->body) };
	const struct source_sink sink = { .ctx = p, .head = play_on_head, .body = play_on_body, .end = play_on_end };

	(void)trailers;
	if (visit_has_head(p->visit)) /* refused */
		return;
	p->tape = serve->choose(serve->ctx, &request);
	play_forget_body(p);
	if (!p->tape) {
		visit_refuse(p->visit, 404, "nothing is served here");
		return;
	}
	if (!p->has_fault)
		p->fault = serve->fault;
	fault_body_init(&p->filter, &p->fault, serve->turn++);
	p->head_due_ms = serve->now_ms + p->fault.wait_ms;
	p->player = tape_player_new(p->tape, &sink, serve->speed, serve->now_ms);
	play_run(p);
}

static void play_free(void *play)
{
	struct play *p = play, **link = &p->serve->plays;

	while (*link != p)
		link = &(*link)->next;
	*link = p->next;
	play_forget_body(p);
	source_free(p->player);
	if (p->tape && p->serve->done)
		p->serve->done(p->serve->ctx, p->tape);
	if (p->player)
		fault_body_fini(&p->filter);
	mem_free(p->method);
	mem_free(p->path);
	buf_fini(&p->out);
	mem_free(p);
}

static void play_go_on(void *play)
{
	play_run(play);
}

static const struct httpd_ops play_ops = {
	.begin = play_new, .body = play_take_body, .whole = play_start, .room = play_go_on, .free = play_free,
};

/* --- the server --- */

bool serve_open(struct serve **serve, unsigned port, double speed, serve_choose *choose, void *ctx, struct error *err)
{
	struct serve *s = mem_new(sizeof *s);

	*s = (struct serve){ .speed = speed, .choose = choose, .ctx = ctx };
	fault_init(&s->fault);
	if (!httpd_open(&s->httpd, port, &play_ops, s, err)) {
		mem_free(s);
		return false;
	}
	*serve = s;
	return true;
}

void serve_free(struct serve *serve)
{
	if (!serve)
		return;
	httpd_free(serve->httpd);
	mem_free(serve);
}

void serve_set_fault(struct serve *serve, const struct fault *fault)
{
	serve->fault = *fault;
}

void serve_set_done(struct serve *serve, serve_done *done)
{
	serve->done = done;
}

unsigned serve_port(const struct serve *serve)
{
	return httpd_port(serve->httpd);
}

size_t serve_fds(const struct serve *serve, struct pollfd *fds, size_t room)
{
	return httpd_fds(serve->httpd, fds, room);
}

int64_t serve_answer_deadline(const struct serve *serve)
{
	int64_t first = NO_DEADLINE;

	for (const struct play *p = serve->plays; p; p = p->next)
		if (play_due_ms(p) < first)
			first = play_due_ms(p);
	return first;
}

int64_t serve_deadline(const struct serve *serve)
{
	int64_t answer_ms = serve_answer_deadline(serve), other_ms = httpd_deadline(serve->httpd);

	return answer_ms < other_ms ? answer_ms : other_ms;
}

void serve_run(struct serve *serve, int64_t now_ms)
{
	serve->now_ms = now_ms;
	serve->sent_bytes = 0;
	for (struct play *p = serve->plays; p; p = p->next)
		play_run(p);
	httpd_run(serve->httpd, now_ms);
}
