#include "chat/exchange/exchange_inside.h"

#include <assert.h>

#include "base/mem.h"

/* Limits of the time and the bytes in which a connection may end by itself after the end mark, so that it can be reused. */
#define LINGER_MS 500
#define LINGER_BYTES ((size_t)64 << 10)

/* --- states --- */

#define TO(step) (1u << STEP_##step)

/* The transitions: the steps that may follow each step. */
static const unsigned leads_to[] = {
	[STEP_KEY] = TO(FAIL) | TO(BUILD) | TO(OVER),
	[STEP_FAIL] = TO(OVER),
	[STEP_BUILD] = TO(FAIL) | TO(CONNECT) | TO(OVER),
	[STEP_REPAIR] = TO(BUILD) | TO(OVER),
	[STEP_CONNECT] = TO(WAIT) | TO(REPAIR) | TO(RETRY) | TO(OVER),
	[STEP_WAIT] = TO(STREAM) | TO(REPAIR) | TO(RETRY) | TO(LINGER) | TO(OVER),
	[STEP_STREAM] = TO(LINGER) | TO(OVER),
	[STEP_RETRY] = TO(BUILD) | TO(OVER),
	[STEP_LINGER] = TO(OVER),
	[STEP_OVER] = 0,
	[STEP_HELD] = TO(KEY) | TO(OVER),
};

void exchange_enter(struct exchange *x, enum exchange_step step)
{
	assert(leads_to[x->step] & 1u << step);
	x->step = step;
}

/* --- time --- */

static double at(const struct exchange *x, int64_t now_ms)
{
	double ms = (double)(now_ms - x->started_ms);

	return ms > x->answer.last_ms ? ms : x->answer.last_ms;
}

/* When the last byte arrived or the request was sent. */
static int64_t last_activity_ms(const struct exchange *x)
{
	return x->started_ms + (int64_t)x->answer.last_ms;
}

/* --- refusals --- */

static void explain_refusal(struct exchange *x)
{
	struct refusal refusal = exchange_refusal(x);
	struct buf hint;

	buf_init(&hint, 16384);
	refusal_hint(&refusal, &hint);
	answer_note(&x->answer, "hint", buf_str(&hint));
	buf_fini(&hint);
	x->model_unknown = refusal_is_of_model(&refusal);
}

/* --- callbacks of the source --- */

static void drop_key(struct exchange *x)
{
	secret_free(x->secret);
	x->secret = NULL;
}

static void exchange_on_head(void *ctx, const struct response_head *head, double at_ms)
{
	struct exchange *x = ctx;

	answer_head(&x->answer, head, at_ms);
	if (x->step == STEP_CONNECT)
		exchange_enter(x, STEP_WAIT);
}

static void end_answer(struct exchange *x, enum end_how how, double at_ms)
{
	if (x->answer.holding && how != END_CANCELLED)
		explain_refusal(x);
	answer_end(&x->answer, how, at_ms);
	exchange_enter(x, STEP_OVER);
}

static void cancel_source(struct exchange *x)
{
	if (x->source)
		source_cancel(x->source);
}

/* Ends STEP_LINGER without waiting for the connection's end. */
static void end_lingering(struct exchange *x)
{
	cancel_source(x);
	answer_tape_end(&x->answer, END_CLOSED, x->answer.last_ms);
	exchange_enter(x, STEP_OVER);
}

/* Ends a refusal that the server has not ended: its size and its silence have shorter limits than an answer's. */
static void end_refusal(struct exchange *x, enum end_how how, double at_ms)
{
	cancel_source(x);
	if (!exchange_goes_again(x, how, STR_NONE, at_ms))
		end_answer(x, how, at_ms);
}

static void exchange_on_body(void *ctx, struct str bytes, double at_ms)
{
	struct exchange *x = ctx;

	if (!x->answer.holding)
		drop_key(x);
	x->after_end += x->answer.ended ? bytes.len : 0;
	answer_body(&x->answer, bytes, at_ms);
	if (x->answer.holding && x->answer.held_all)
		end_refusal(x, END_CLOSED, at_ms);
	else if (x->answer.ended && x->step != STEP_LINGER)
		exchange_enter(x, STEP_LINGER);
	else if (x->after_end > LINGER_BYTES)
		end_lingering(x);
	else if (!x->answer.holding && x->step == STEP_WAIT)
		exchange_enter(x, STEP_STREAM);
}

/* The transfer worked, but its body cannot be decoded. */
static bool is_garbled(const struct exchange *x, enum end_how how)
{
	return how == END_CUT && !x->answer.holding && http_is_garbled(x->source) && !stream_finish_seen(x->answer.stream);
}

static void exchange_fail(struct exchange *x, enum end_how how, struct str detail, double at_ms)
{
	struct error sentence;

	answer_tape_end(&x->answer, how, at_ms);
	error_set(&sentence, x->answer.status || http_is_advised(x->source) ? "%.*s" : "%.*s (check that the server runs, and the base URL)",
	          STR_ARG(detail));
	answer_fail(&x->answer, sentence.text, at_ms);
	exchange_enter(x, STEP_OVER);
}

static void exchange_on_end(void *ctx, enum end_how how, struct str detail, double at_ms)
{
	struct exchange *x = ctx;

	if (exchange_goes_again(x, how, detail, at_ms))
		return;
	if (!x->answer.status || is_garbled(x, how)) {
		exchange_fail(x, how, detail, at_ms);
		return;
	}
	/* A lost connection needs no notice besides the outcome. */
	if (how == END_CUT && !http_may_pass(x->source))
		answer_note(&x->answer, "broken", detail);
	end_answer(x, how, at_ms);
}

struct source_sink exchange_sink(struct exchange *x)
{
	return (struct source_sink){ .ctx = x, .head = exchange_on_head, .body = exchange_on_body, .end = exchange_on_end };
}

/* --- creation --- */

static void begin_with_key(struct exchange *x, int64_t now_ms)
{
	x->secret = secret_new(x->o.provider, x->o.env, now_ms);
	exchange_use_key(x, now_ms);
}

static void leave_hold(struct exchange *x, int64_t now_ms)
{
	if (x->o.held(x->o.ctx, &x->request.tools))
		return;
	exchange_enter(x, STEP_KEY);
	begin_with_key(x, now_ms);
}

struct exchange *exchange_new(const struct exchange_options *options, int64_t now_ms)
{
	struct exchange *x = mem_new(sizeof *x);
	struct stream_options stream = {
		.protocol = options->protocol,
		.dialect = options->dialect ? options->dialect : options->provider->dialect,
		.asked = options->body.ptr ? tape_asked_by(options->body) : (struct asked_for){ .single_choice = true },
		.media_bytes = options->media_bytes,
	};

	x->started_ms = now_ms;
	buf_init(&x->url, (size_t)1 << 20);
	x->o = *options;
	x->findings = findings_new(options->lint, &(struct lint_options){ .dialect = stream.dialect, .stops_early = true });
	stream.tap = findings_tap(x->findings);
	x->base_url = str_dup(options->base_url);
	x->tape_path = mem_dup_z(options->tape_path);
	if (options->body.ptr)
		x->o.body.ptr = x->given_body = str_dup(options->body);
	x->request = *options->request;
	answer_init(&x->answer, &stream, true, options->sink, options->ctx);
	x->answer.defers_tape = options->defers_tape;
	if (options->held)
		x->step = STEP_HELD;
	else
		begin_with_key(x, now_ms);
	return x;
}

void exchange_free(struct exchange *x)
{
	if (!x)
		return;
	source_free(x->source);
	secret_free(x->secret);
	answer_fini(&x->answer);
	findings_free(x->findings);
	stripped_fini(&x->stripped);
	json_draft_fini(&x->draft);
	buf_fini(&x->body);
	mem_free(x->base_url);
	mem_free(x->tape_path);
	mem_free(x->given_body);
	buf_fini(&x->url);
	buf_fini(&x->attempts);
	mem_free(x);
}

/* --- limits --- */

static int64_t after(int64_t start_ms, int64_t limit_ms)
{
	return limit_ms > 0 ? start_ms + limit_ms : NO_DEADLINE;
}

/* Only little is expected: the end mark after a finish reason, or the message of a refusal. */
static bool is_nearly_over(const struct exchange *x)
{
	return (x->answer.holding || stream_finish_seen(x->answer.stream)) && x->o.provider->limits.finish_ms > 0;
}

int64_t exchange_quiet_limit_ms(const struct exchange *x)
{
	const struct limits *limits;

	limits = &x->o.provider->limits;
	if (is_nearly_over(x))
		return limits->finish_ms;
	if (!x->answer.has_body)
		return x->request.stream ? limits->first_byte_ms : limits->first_byte_whole_ms;
	return limits->idle_ms;
}

/* When the current silence exceeds its limit. Comments count as activity during an answer, but not after its finish reason. */
static int64_t silence_ends_ms(const struct exchange *x)
{
	int64_t since_ms = x->answer.has_body || x->answer.holding ? last_activity_ms(x) : x->started_ms;

	if (stream_finish_seen(x->answer.stream) && is_nearly_over(x))
		since_ms = x->started_ms + (int64_t)stream_spoke_ms(x->answer.stream);
	return after(since_ms, exchange_quiet_limit_ms(x));
}

static void note_silence(struct exchange *x)
{
	struct error line;
	const char *setting = x->answer.has_body ? "idle" : x->request.stream ? "first_byte" : "first_byte_no_stream";

	error_set(&line, "nothing arrived for %.8g s (the setting %s)", (double)exchange_quiet_limit_ms(x) / 1000, setting);
	answer_note(&x->answer, "stalled", str_from(line.text));
}

static void end_silence(struct exchange *x, int64_t now_ms)
{
	double at_ms = at(x, now_ms);

	if (x->answer.holding) {
		end_refusal(x, END_STALLED, at_ms);
		return;
	}
	cancel_source(x);
	if (stream_finish_seen(x->answer.stream) && x->o.protocol->finish_is_end) {
		end_answer(x, END_CLOSED, at_ms);
		return;
	}
	if (!stream_finish_seen(x->answer.stream))
		note_silence(x);
	stream_settle(x->answer.stream, at_ms);
	end_answer(x, END_STALLED, at_ms);
}

int64_t exchange_deadline(const struct exchange *x)
{
	switch (x->step) {
	case STEP_KEY:     return secret_deadline(x->secret);
	case STEP_FAIL:
	case STEP_BUILD:
	case STEP_REPAIR:  return 0;
	case STEP_CONNECT:
	case STEP_WAIT:
	case STEP_STREAM:  return silence_ends_ms(x);
	case STEP_RETRY:   return x->again_ms;
	case STEP_LINGER:  return last_activity_ms(x) + LINGER_MS;
	case STEP_OVER:
	case STEP_HELD:    return NO_DEADLINE;
	}
	return NO_DEADLINE;
}

size_t exchange_fds(const struct exchange *x, struct pollfd *fds)
{
	return x->step == STEP_KEY && secret_fd(x->secret, fds) ? 1 : 0;
}

/* --- running --- */

static void run_live(struct exchange *x, int64_t now_ms)
{
	bool is_due = now_ms >= exchange_deadline(x);

	if (x->step == STEP_CONNECT && http_is_connected(x->source))
		exchange_enter(x, STEP_WAIT);
	if (x->step == STEP_HELD) {
		leave_hold(x, now_ms);
	} else if (x->step == STEP_KEY) {
		secret_run(x->secret, now_ms);
		exchange_use_key(x, now_ms);
	} else if (x->step == STEP_FAIL) {
		answer_tape_end(&x->answer, END_CUT, at(x, now_ms));
		answer_fail(&x->answer, x->failure.text, at(x, now_ms));
		exchange_enter(x, STEP_OVER);
	} else if (x->step == STEP_BUILD) {
		exchange_build(x, now_ms);
	} else if (is_due && (x->step == STEP_REPAIR || x->step == STEP_RETRY)) {
		exchange_send_again(x, now_ms);
	} else if (is_due && (x->step == STEP_CONNECT || x->step == STEP_WAIT || x->step == STEP_STREAM)) {
		end_silence(x, now_ms);
	} else if (is_due && x->step == STEP_LINGER) {
		end_lingering(x);
	}
}

void exchange_run(struct exchange *x, int64_t now_ms)
{
	run_live(x, now_ms);
	answer_tape_flush(&x->answer);
}

void exchange_cancel(struct exchange *x, int64_t now_ms)
{
	double at_ms = at(x, now_ms);

	if (exchange_is_over(x))
		return;
	if (x->step == STEP_RETRY)
		exchange_note_given_up(x);
	cancel_source(x);
	end_answer(x, END_CANCELLED, at_ms);
	drop_key(x);
}

/* --- asking --- */

bool exchange_is_over(const struct exchange *x)
{
	return x->step == STEP_LINGER || x->step == STEP_OVER;
}

enum exchange_state exchange_state(const struct exchange *x)
{
	static const enum exchange_state states[] = {
		[STEP_HELD] = EXCHANGE_HELD, [STEP_KEY] = EXCHANGE_KEY, [STEP_FAIL] = EXCHANGE_CONNECTING, [STEP_BUILD] = EXCHANGE_CONNECTING,
		[STEP_REPAIR] = EXCHANGE_CONNECTING, [STEP_CONNECT] = EXCHANGE_CONNECTING, [STEP_WAIT] = EXCHANGE_WAITING,
		[STEP_STREAM] = EXCHANGE_STREAMING, [STEP_RETRY] = EXCHANGE_RETRYING, [STEP_LINGER] = EXCHANGE_OVER, [STEP_OVER] = EXCHANGE_OVER,
	};

	return states[x->step];
}

bool exchange_retry(const struct exchange *x, int64_t now_ms, struct exchange_retry *retry)
{
	*retry = (struct exchange_retry){
		.number = x->retries + 1,
		.most = x->o.retries,
		.wait_ms = x->wait_ms,
		.left_ms = x->again_ms > now_ms ? x->again_ms - now_ms : 0,
		.why = str_from(x->why.text),
	};
	return x->step == STEP_RETRY;
}

enum continuation_way exchange_way(const struct exchange *x)
{
	return x->way;
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

bool exchange_sent(const struct exchange *x, struct exchange_sent *sent)
{
	*sent = (struct exchange_sent){
		.protocol = x->o.protocol, .provider = x->o.provider, .env = x->o.env, .stream = x->request.stream,
		.url = buf_str(&x->url), .body = buf_str(&x->body),
	};
	return x->source != NULL;
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
	if (x->step == STEP_LINGER && x->answer.tape)
		end_lingering(x);
	return str_from(x->answer.tape_error.text);
}

const struct findings *exchange_findings(const struct exchange *x)
{
	return x->findings;
}
