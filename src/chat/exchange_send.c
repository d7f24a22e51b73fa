/* Sends the request of an exchange: key, URL, body, and the beginning of the tape. */
#include "chat/exchange_inside.h"

#include "base/mem.h"
#include "base/redact.h"
#include "chat/outgoing.h"

static bool exchange_find_url(struct exchange *x, struct buf *url, struct error *err)
{
	const struct provider *p = x->o.provider;
	struct str base;

	return provider_find_base_url(p, x->o.protocol, str_from(x->base_url), &base, err) &&
	       protocol_url(x->o.protocol, base, str_from(p->path), x->request.model, x->request.stream, url, err);
}

/* Continues without a tape. False if the tape is required. */
static bool do_without_tape(struct exchange *x, const struct error *err)
{
	if (!x->o.tape_may_fail)
		return false;
	answer_note(&x->answer, "weir", str_from(err->text));
	mem_free(x->tape_path);
	x->tape_path = NULL;
	return true;
}

static bool open_tape(const struct exchange *x, struct tape_writer **writer, struct error *err)
{
	return x->o.tape_folder ? tape_writer_open_in(writer, x->o.tape_folder, x->tape_path, err) : tape_writer_open(writer, x->tape_path, err);
}

/* Creates the tape with the first request, and starts it over when the request is sent again. */
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
		if (!open_tape(x, &writer, err))
			return do_without_tape(x, err);
		if (x->o.tape_bytes)
			tape_writer_limit(writer, x->o.tape_bytes);
		answer_tape(&x->answer, writer);
	}
	tape_start(x->answer.tape, &info);
	tape_attempts(x->answer.tape, buf_str(&x->attempts));
	return true;
}

/* Builds the body. The messages depend on what the server has refused so far. */
static bool build(struct exchange *x, struct buf *body, struct error *err)
{
	struct request request = x->request;
	struct continuation continuation = { 0 };
	bool fits;

	x->way = continuation_of(x->o.provider, x->o.protocol, &request);
	continuation_init(&continuation, x->way, &request);
	fits = x->o.protocol->build(&request, body);
	continuation_fini(&continuation);
	return fits || error_set(err, "the request is larger than %zu MB: send fewer or smaller files, or begin a new conversation",
	                         buf_limit(body) >> 20);
}

static bool try_send(struct exchange *x, struct buf *url, struct buf *body, struct error *err)
{
	struct source_sink sink = exchange_sink(x);
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
	if (!exchange_find_url(x, url, err))
		return false;
	buf_clear(&x->url);
	redact_url(buf_str(url), &x->url);
	o.url = buf_z(url);
	if (!outgoing_check(&o, &exposed, err))
		return false;
	if (exposed)
		answer_note(&x->answer, "plain-http", STR("plain http: requests and answers cross the network without TLS"));
	if (!build(x, body, err))
		return false;
	o.body = buf_str(body);
	if (x->lint)
		lint_set_request(x->lint, o.body);
	if (!start_tape(x, o.body, err))
		return false;
	x->had_key = o.key.len > 0;
	return outgoing_start(&o, x->o.http, &sink, &x->source, err);
}

static void send_request(struct exchange *x, int64_t now_ms)
{
	struct buf url, body = { 0 };

	buf_init(&url, (size_t)1 << 20);
	x->started_ms = now_ms;
	exchange_enter(x, try_send(x, &url, &body, &x->failure) ? STEP_CONNECT : STEP_FAIL);
	buf_fini(&url);
	buf_fini(&body);
}

void exchange_send_again(struct exchange *x, int64_t now_ms)
{
	if (x->step == STEP_RETRY)
		exchange_note_retry(x);
	source_free(x->source);
	x->source = NULL;
	answer_forget(&x->answer);
	send_request(x, now_ms);
}

void exchange_use_key(struct exchange *x, int64_t now_ms)
{
	switch (secret_state(x->secret)) {
	case SECRET_WAITING:
		break;
	case SECRET_FAILED:
		x->failure = *secret_error(x->secret);
		exchange_enter(x, STEP_FAIL);
		break;
	case SECRET_FOUND:
	case SECRET_ABSENT:
		send_request(x, now_ms);
		break;
	}
}
