/* Sends the request of an exchange: key, URL, body, and the beginning of the tape. */
#include "chat/exchange/exchange_inside.h"

#include "base/json_scan.h"
#include "base/mem.h"
#include "base/redact.h"
#include "chat/exchange/outgoing.h"
#include "chat/provider/server_tools.h"

#define PART_BYTES ((size_t)1 << 20) /* of a body that are made at once, in a few milliseconds */
#define URL_LIMIT ((size_t)1 << 20)

/* Without URL and body. */
static struct outgoing exchange_outgoing(const struct exchange *x)
{
	return (struct outgoing){
		.provider = x->o.provider,
		.protocol = x->o.protocol,
		.key = secret_value(x->secret),
		.env = x->o.env,
		.allow_http = x->o.allow_http,
		.stream = x->request.stream,
	};
}

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

static bool open_tape(struct exchange *x, struct tape_writer **writer, struct error *err)
{
	return x->o.tape_folder ? tape_writer_open_in(writer, x->o.tape_folder, &x->tape_path, err) : tape_writer_open(writer, x->tape_path, err);
}

/*
 * Creates the tape with the first request, and starts it over when the request is sent again. The request follows with its parts, unless
 * it is nested too deeply for a reader.
 */
static bool start_tape(struct exchange *x, struct error *err)
{
	const struct dialect *dialect = x->o.dialect ? x->o.dialect : x->o.provider->dialect;
	struct tape_info info = {
		.protocol = str_from(x->o.protocol->name),
		.dialect = str_from(dialect->name),
		.provider = str_from(x->o.provider->name),
		.model = x->request.model,
		.url = buf_str(&x->url),
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
	x->tapes_request = json_scan_is_whole(buf_str(&x->draft.frame));
	if (!x->tapes_request)
		info.request = STR("null");
	(x->tapes_request ? tape_start_request : tape_start)(x->answer.tape, &info);
	return true;
}

/* Drafts the body, unless it is given. The messages depend on what the server has refused so far. */
static void draft_body(struct exchange *x)
{
	struct request request = x->request;
	struct continuation continuation = { 0 };

	buf_clear(&x->body);
	json_draft_init(&x->draft);
	if (x->o.body.ptr) {
		json_verbatim(&x->draft.writer, x->o.body);
		return;
	}
	x->way = continuation_of(x->o.provider, x->o.protocol, &request);
	continuation_init(&continuation, x->way, &request);
	protocol_write(x->o.protocol, &request, &x->draft.writer);
	continuation_fini(&continuation); /* its texts are those of the request */
}

static bool prepare(struct exchange *x, struct buf *url, struct error *err)
{
	struct outgoing o = exchange_outgoing(x);
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
	draft_body(x);
	findings_set_request(x->findings, buf_str(&x->draft.frame)); /* all but long strings, which lint does not look at */
	return start_tape(x, err);
}

static void send_request(struct exchange *x, int64_t now_ms)
{
	struct buf url;

	buf_init(&url, URL_LIMIT);
	x->started_ms = now_ms;
	exchange_enter(x, STEP_BUILD);
	if (prepare(x, &url, &x->failure))
		exchange_build(x, now_ms);
	else
		exchange_enter(x, STEP_FAIL);
	buf_fini(&url);
}

/* Sends the body. Its URL was found before, and is found again because it may hold a key: it is not kept. */
static bool start_transfer(struct exchange *x, struct buf *url, struct error *err)
{
	struct source_sink sink = exchange_sink(x);
	struct outgoing o = exchange_outgoing(x);
	struct buf beta = { 0 };
	bool good;

	if (x->answer.tape && x->tapes_request)
		tape_end_request(x->answer.tape);
	if (x->answer.tape)
		tape_attempts(x->answer.tape, buf_str(&x->attempts));
	if (!exchange_find_url(x, url, err))
		return false;
	o.url = buf_z(url);
	o.body = buf_str(&x->body);
	x->had_key = o.key.len > 0;
	server_tools_write_header(o.provider, o.protocol, x->o.body.ptr ? x->o.body : x->request.added, &beta);
	o.beta = buf_z(&beta);
	good = outgoing_start(&o, x->o.http, &sink, &x->source, err);
	buf_fini(&beta);
	return good;
}

void exchange_build(struct exchange *x, int64_t now_ms)
{
	size_t made = x->body.len;
	enum json_draft_state state = json_draft_write(&x->draft, &x->body, PART_BYTES);
	struct buf url;
	bool good;

	if (x->answer.tape && x->tapes_request)
		tape_request(x->answer.tape, str_skip(buf_str(&x->body), made));
	if (state == JSON_DRAFT_MORE)
		return;
	json_draft_fini(&x->draft);
	buf_init(&url, URL_LIMIT);
	x->started_ms = now_ms;
	good = state == JSON_DRAFT_DONE
	               ? start_transfer(x, &url, &x->failure)
	               : error_set(&x->failure, "the request is larger than %zu MB: send fewer or smaller files, or begin a new conversation",
	                           buf_limit(&x->body) >> 20);
	exchange_enter(x, good ? STEP_CONNECT : STEP_FAIL);
	buf_fini(&url);
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
