#include "chat/exchange.h"

#include "base/mem.h"
#include "base/redact.h"
#include "chat/answer.h"
#include "chat/outgoing.h"
#include "chat/refusal.h"
#include "chat/secret.h"

/* How long a connection may take to end by itself after the protocol's end mark, to be used again. */
#define LINGER_MS 500

/* What exchange_run() does first: a source cannot be freed inside its callback, and nothing is told before the first run. */
enum next_step { NEXT_NOTHING, NEXT_FAIL, NEXT_SEND_AGAIN };

struct exchange {
	struct exchange_options o;
	char *base_url, *tape_path;  /* copies of the options' */
	struct request request;      /* as it goes out */
	struct stripped stripped;    /* its messages without opaque parts, when they were refused */
	bool is_replay;

	enum next_step next;
	struct error failure;        /* NEXT_FAIL */
	struct secret *secret;       /* NULL once an answer began */
	struct source *source;
	bool source_over;            /* it ended or was cancelled */
	struct answer answer;
	struct buf url;              /* for people: no key in it */
	bool had_key, model_unknown;

	int64_t started_ms;          /* at_ms 0: the request was sent, the replay began */
};

/* --- time --- */

static double at(const struct exchange *x, int64_t now_ms)
{
	double ms = x->is_replay ? tape_player_position_ms(x->source, now_ms) : (double)(now_ms - x->started_ms);

	return ms > x->answer.last_ms ? ms : x->answer.last_ms;
}

/* When the last byte came, or the request was sent. */
static int64_t last_sign_ms(const struct exchange *x)
{
	return x->started_ms + (int64_t)x->answer.last_ms;
}

/* --- a refusal --- */

static struct refusal view_refusal(const struct exchange *x)
{
	return (struct refusal){
		.status = x->answer.status,
		.body = buf_str(&x->answer.held),
		.request_id = str_from(x->answer.request_id),
		.retry_after = str_from(x->answer.retry_after),
		.location = str_from(x->answer.location),
		.url = buf_str(&x->url),
		.had_key = x->had_key,
		.provider = x->o.provider,
		.protocol = x->o.protocol,
		.request = &x->request,
	};
}

/* True when the request is sent again instead. */
static bool repair(struct exchange *x, const struct refusal *refusal)
{
	enum repair repair = refusal_repair(refusal);

	if (repair == REPAIR_NONE)
		return false;
	if (repair == REPAIR_OPAQUE)
		stripped_init(&x->stripped, &x->request);
	refusal_remember(x->o.provider, repair);
	answer_note(&x->answer, "sent-again", str_from(refusal_notice(repair)));
	x->next = NEXT_SEND_AGAIN;
	return true;
}

static void explain_refusal(struct exchange *x, const struct refusal *refusal)
{
	struct buf hint;

	buf_init(&hint, 16384);
	refusal_hint(refusal, &hint);
	answer_note(&x->answer, "hint", buf_str(&hint));
	buf_fini(&hint);
	x->model_unknown = refusal_is_of_model(refusal);
}

/* --- the source's callbacks --- */

static void drop_key(struct exchange *x)
{
	secret_free(x->secret);
	x->secret = NULL;
}

static void on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct exchange *x = ctx;

	answer_head(&x->answer, head, at_ms);
	if (x->answer.holding)
		return;
	drop_key(x);
}

static void on_body(void *ctx, struct str bytes, double at_ms)
{
	struct exchange *x = ctx;

	answer_body(&x->answer, bytes, at_ms);
}

static void end_answer(struct exchange *x, enum end_how how, double at_ms)
{
	struct refusal refusal = view_refusal(x);

	if (x->answer.holding && how == END_CLOSED && repair(x, &refusal))
		return;
	if (x->answer.holding && how != END_CANCELLED)
		explain_refusal(x, &refusal);
	answer_end(&x->answer, how, at_ms);
}

static void on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct exchange *x = ctx;
	struct error sentence;

	if (!detail.len)
		detail = STR("the server closed the connection without an answer");
	x->source_over = true;
	if (x->is_replay || x->answer.status) {
		end_answer(x, how, at_ms);
		return;
	}
	answer_tape_end(&x->answer, how, at_ms);
	if (str_find(detail, STR("(")) < detail.len)
		error_set(&sentence, "%.*s", STR_ARG(detail));
	else
		error_set(&sentence, "%.*s (check that the server runs, and the base URL)", STR_ARG(detail));
	answer_fail(&x->answer, sentence.text, at_ms);
}

static struct source_sink callbacks(struct exchange *x)
{
	return (struct source_sink){ .ctx = x, .head = on_head, .body = on_body, .end = on_end };
}

/* --- sending --- */

static bool find_url(struct exchange *x, struct buf *url, struct error *err)
{
	const struct provider *p = x->o.provider;
	struct str base;

	return provider_find_base_url(p, x->o.protocol, str_from(x->base_url), &base, err) &&
	       protocol_url(x->o.protocol, base, str_from(p->path), x->request.model, x->request.stream, url, err);
}

/* False when it must be there. */
static bool do_without_tape(struct exchange *x, const struct error *err)
{
	if (!x->o.tape_may_fail)
		return false;
	answer_note(&x->answer, "weir", str_from(err->text));
	mem_free(x->tape_path);
	x->tape_path = NULL;
	return true;
}

/* The tape is made when there is something to write, and started over when the request is sent again. */
static bool start_tape(struct exchange *x, struct str body, struct error *err)
{
	const struct dialect *dialect = x->o.dialect ? x->o.dialect : x->o.provider->dialect;
	struct tape_info info = {
		.protocol = str_from(x->o.protocol->name),
		.dialect = str_from(dialect->name),
		.provider = str_from(x->o.provider->name),
		.model = x->request.model,
		.url = buf_str(&x->url),
		.request = body,
	};
	struct tape_writer *writer;

	if (!x->tape_path)
		return true;
	if (!x->answer.tape) {
		if (!tape_writer_open(&writer, x->tape_path, err))
			return do_without_tape(x, err);
		answer_tape(&x->answer, writer);
	}
	tape_start(x->answer.tape, &info);
	return true;
}

static bool try_send(struct exchange *x, struct buf *url, struct buf *body, struct error *err)
{
	struct source_sink sink = callbacks(x);
	struct outgoing o = {
		.provider = x->o.provider,
		.protocol = x->o.protocol,
		.key = secret_value(x->secret),
		.env = x->o.env,
		.allow_http = x->o.allow_http,
		.stream = x->request.stream,
	};
	bool exposed;

	refusal_apply(x->o.provider, x->o.dialect, &x->request);
	if (!find_url(x, url, err))
		return false;
	buf_clear(&x->url);
	redact_url(buf_str(url), &x->url);
	o.url = buf_z(url);
	if (!outgoing_check(&o, &exposed, err))
		return false;
	if (exposed)
		answer_note(&x->answer, "plain-http", STR("plain http: what is asked and answered crosses the network without TLS"));
	x->o.protocol->build(&x->request, body);
	o.body = buf_str(body);
	if (!start_tape(x, o.body, err))
		return false;
	x->had_key = o.key.len > 0;
	return outgoing_start(&o, x->o.http, &sink, &x->source, err);
}

static void send_request(struct exchange *x, int64_t now_ms)
{
	struct buf url, body;

	buf_init(&url, (size_t)1 << 20);
	buf_init(&body, BUF_LIMIT_DEFAULT);
	x->started_ms = now_ms;
	if (!try_send(x, &url, &body, &x->failure))
		x->next = NEXT_FAIL;
	buf_fini(&url);
	buf_fini(&body);
}

static void send_again(struct exchange *x, int64_t now_ms)
{
	source_free(x->source);
	x->source = NULL;
	x->source_over = false;
	answer_forget(&x->answer);
	send_request(x, now_ms);
}

/* Sends as soon as the key is there. */
static void use_key(struct exchange *x, int64_t now_ms)
{
	switch (secret_state(x->secret)) {
	case SECRET_WAITING:
		break;
	case SECRET_FAILED:
		x->failure = *secret_error(x->secret);
		x->next = NEXT_FAIL;
		break;
	case SECRET_FOUND:
	case SECRET_ABSENT:
		send_request(x, now_ms);
		break;
	}
}

/* --- life --- */

static struct exchange *new_exchange(int64_t now_ms)
{
	struct exchange *x = mem_new(sizeof(*x));

	x->started_ms = now_ms;
	buf_init(&x->url, (size_t)1 << 20);
	return x;
}

struct exchange *exchange_new(const struct exchange_options *options, int64_t now_ms)
{
	struct exchange *x = new_exchange(now_ms);
	struct stream_options stream = {
		.protocol = options->protocol,
		.dialect = options->dialect ? options->dialect : options->provider->dialect,
		.single_choice = true,
	};

	x->o = *options;
	x->base_url = str_dup(options->base_url);
	x->tape_path = mem_dup_z(options->tape_path);
	x->request = *options->request;
	answer_init(&x->answer, &stream, true, options->sink, options->ctx);
	x->secret = secret_new(options->provider, options->env, now_ms);
	use_key(x, now_ms);
	return x;
}

struct exchange *exchange_replay(const struct tape *tape, const struct stream_options *stream, double speed,
                                 delta_sink *sink, void *ctx, int64_t now_ms)
{
	struct exchange *x = new_exchange(now_ms);
	struct source_sink sink_of_source = callbacks(x);

	x->is_replay = true;
	answer_init(&x->answer, stream, false, sink, ctx);
	x->source = tape_player_new(tape, &sink_of_source, speed, now_ms);
	return x;
}

void exchange_free(struct exchange *x)
{
	if (!x)
		return;
	source_free(x->source);
	secret_free(x->secret);
	answer_fini(&x->answer);
	stripped_fini(&x->stripped);
	mem_free(x->base_url);
	mem_free(x->tape_path);
	buf_fini(&x->url);
	mem_free(x);
}

/* --- limits --- */

static int64_t after(int64_t start_ms, int64_t limit_ms)
{
	return limit_ms > 0 ? start_ms + limit_ms : NO_DEADLINE;
}

/* When silence has lasted too long. */
static int64_t silence_ends_ms(const struct exchange *x)
{
	const struct limits *limits = &x->o.provider->limits;

	if (!x->answer.has_body)
		return after(x->started_ms, x->request.stream ? limits->first_byte_ms : limits->first_byte_whole_ms);
	if (stream_finish_seen(x->answer.stream) && limits->finish_ms > 0)
		return after(last_sign_ms(x), limits->finish_ms);
	return after(last_sign_ms(x), limits->idle_ms);
}

static void cancel_source(struct exchange *x)
{
	if (x->source)
		source_cancel(x->source);
	x->source_over = true;
}

static void end_silence(struct exchange *x, int64_t now_ms)
{
	double at_ms = at(x, now_ms);

	cancel_source(x);
	if (stream_finish_seen(x->answer.stream) && x->o.protocol->finish_is_end) {
		end_answer(x, END_CLOSED, at_ms);
		return;
	}
	stream_settle(x->answer.stream, at_ms);
	end_answer(x, END_STALLED, at_ms);
}

int64_t exchange_deadline(const struct exchange *x)
{
	if (x->next != NEXT_NOTHING)
		return 0;
	if (x->is_replay)
		return source_deadline(x->source);
	if (!x->source)
		return x->answer.ended ? NO_DEADLINE : secret_deadline(x->secret);
	if (x->source_over)
		return NO_DEADLINE;
	return x->answer.ended ? last_sign_ms(x) + LINGER_MS : silence_ends_ms(x);
}

size_t exchange_fds(const struct exchange *x, struct pollfd *fds)
{
	return x->secret && !x->answer.ended && secret_fd(x->secret, fds) ? 1 : 0;
}

/* --- running --- */

static void run_next(struct exchange *x, int64_t now_ms)
{
	enum next_step next = x->next;

	x->next = NEXT_NOTHING;
	if (next == NEXT_SEND_AGAIN) {
		send_again(x, now_ms);
	} else if (next == NEXT_FAIL) {
		answer_tape_end(&x->answer, END_CUT, at(x, now_ms));
		answer_fail(&x->answer, x->failure.text, at(x, now_ms));
	}
}

static void run_live(struct exchange *x, int64_t now_ms)
{
	if (!x->source && x->answer.ended)
		return;
	if (!x->source) {
		secret_run(x->secret, now_ms);
		use_key(x, now_ms);
	} else if (!x->source_over && now_ms >= exchange_deadline(x)) {
		if (!x->answer.ended) {
			end_silence(x, now_ms);
			return;
		}
		cancel_source(x);
		answer_tape_end(&x->answer, END_CLOSED, x->answer.last_ms);
	}
}

void exchange_run(struct exchange *x, int64_t now_ms)
{
	answer_tape_flush(&x->answer); /* what came while the loop slept: before any of it is on a screen */
	if (x->next != NEXT_NOTHING)
		run_next(x, now_ms);
	else if (x->is_replay)
		source_run(x->source, now_ms);
	else
		run_live(x, now_ms);
}

void exchange_cancel(struct exchange *x, int64_t now_ms)
{
	double at_ms = at(x, now_ms);

	if (x->answer.ended)
		return;
	x->next = NEXT_NOTHING;
	cancel_source(x);
	end_answer(x, END_CANCELLED, at_ms);
	drop_key(x);
}

/* --- asking --- */

bool exchange_is_over(const struct exchange *x)
{
	return x->answer.ended;
}

enum exchange_state exchange_state(const struct exchange *x)
{
	if (x->answer.ended)
		return EXCHANGE_OVER;
	if (!x->source)
		return EXCHANGE_KEY;
	if (x->answer.has_body)
		return EXCHANGE_STREAMING;
	return x->is_replay || x->answer.status || http_is_connected(x->source) ? EXCHANGE_WAITING : EXCHANGE_CONNECTING;
}

double exchange_elapsed_ms(const struct exchange *x, int64_t now_ms)
{
	return x->answer.ended ? x->answer.ended_ms : at(x, now_ms);
}

int64_t exchange_quiet_ms(const struct exchange *x, int64_t now_ms)
{
	return (int64_t)(exchange_elapsed_ms(x, now_ms) - x->answer.last_ms);
}

const struct protocol *exchange_protocol(const struct exchange *x)
{
	return stream_protocol(x->answer.stream);
}

struct source *exchange_player(const struct exchange *x)
{
	return x->is_replay ? x->source : NULL;
}

void exchange_details(const struct exchange *x, struct buf *out)
{
	if (x->url.len)
		buf_printf(out, "POST %s\n", buf_z(&x->url));
	answer_details(&x->answer, out);
}

bool exchange_model_unknown(const struct exchange *x)
{
	return x->model_unknown;
}

struct str exchange_tape_path(const struct exchange *x)
{
	return str_from(x->tape_path);
}

struct str exchange_tape_error(struct exchange *x)
{
	if (x->answer.ended && x->answer.tape) {
		cancel_source(x);
		answer_tape_end(&x->answer, END_CLOSED, x->answer.last_ms);
	}
	return str_from(x->answer.tape_error.text);
}
