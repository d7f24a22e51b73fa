/* Sends a request again: after a refusal that can be repaired, or a failure that may be temporary. */
#include "chat/exchange/exchange_inside.h"

#include <stdint.h>
#include <stdlib.h>

#include "base/os/random.h"
#include "chat/exchange/retry.h"
#include "net/tape_lines.h"

struct refusal exchange_refusal(const struct exchange *x)
{
	return (struct refusal){
		.status = x->answer.status,
		.body = buf_str(&x->answer.held),
		.request_id = str_from(x->answer.request_id),
		.retry_after = answer_header(&x->answer, "retry-after"),
		.location = str_from(x->answer.location),
		.url = buf_str(&x->url),
		.had_key = x->had_key,
		.provider = x->o.provider,
		.protocol = x->o.protocol,
		.request = &x->request,
	};
}

/* Keeps the failed attempt for the tape, which starts over. */
static void keep_attempt(struct exchange *x, struct str failure, double at_ms)
{
	tape_line_attempt(&x->attempts, &(struct tape_attempt){
		.status = x->answer.status,
		.headers = buf_str(&x->answer.headers),
		.body = buf_str(&x->answer.held),
		.failure = failure,
		.at_ms = at_ms,
		.wait_ms = x->wait_ms,
	});
}

/* --- repairs --- */

static bool repairs(struct exchange *x, double at_ms)
{
	struct refusal refusal = exchange_refusal(x);
	enum repair repair = refusal_repair(&refusal);

	if (repair == REPAIR_NONE || x->o.body.ptr)
		return false;
	if (repair == REPAIR_OPAQUE)
		stripped_init(&x->stripped, &x->request);
	refusal_remember(x->o.provider, repair);
	answer_note(&x->answer, "sent-again", str_from(refusal_notice(repair)));
	x->wait_ms = 0;
	keep_attempt(x, STR_NONE, at_ms);
	exchange_enter(x, STEP_REPAIR);
	return true;
}

/* --- retries --- */

/* From 0 to below 1: clients that failed together do not come back together. */
static double retry_dice(void)
{
	uint32_t number;

	return random_fill(&number, sizeof number) ? number / 4294967296.0 : 0.5;
}

static int64_t exchange_wait_for(const struct exchange *x)
{
	return retry_wait_ms(&(struct retry_case){
		.status = x->answer.holding ? x->answer.status : 0,
		.body = buf_str(&x->answer.held),
		.after_ms = answer_header(&x->answer, "retry-after-ms"),
		.after = answer_header(&x->answer, "retry-after"),
		.should = answer_header(&x->answer, "x-should-retry"),
		.protocol = x->o.protocol,
		.tries = x->retries,
		.date = str_from(x->answer.date),
		.dice = retry_dice(),
		.now = time(NULL),
	});
}

/* Sets `why` without a full stop, because the sentence continues. */
static void set_why(struct exchange *x, struct str detail)
{
	struct refusal refusal = exchange_refusal(x);
	struct buf words;

	buf_init(&words, sizeof x->why.text);
	if (x->answer.holding)
		refusal_words(&refusal, &words);
	if (words.len)
		detail = buf_str(&words);
	detail = str_without_stop(detail);
	error_set(&x->why, "%.*s", STR_ARG(detail));
	buf_fini(&words);
}

/* Nothing of an answer has arrived: a refusal, or a broken connection. A response that ended properly is not retried. */
static bool may_pass(const struct exchange *x, enum end_how how)
{
	if (x->answer.holding)
		return how != END_CANCELLED;
	return how == END_CUT && !x->answer.has_body && http_may_pass(x->source);
}

static bool waits_to_retry(struct exchange *x, enum end_how how, struct str detail, double at_ms)
{
	if (x->retries >= x->o.retries || !may_pass(x, how))
		return false;
	x->wait_ms = exchange_wait_for(x);
	if (x->wait_ms == RETRY_NEVER)
		return false;
	set_why(x, detail);
	keep_attempt(x, x->answer.status ? STR_NONE : detail, at_ms);
	answer_release_tape(&x->answer);
	x->again_ms = x->started_ms + (int64_t)at_ms + x->wait_ms;
	exchange_enter(x, STEP_RETRY);
	return true;
}

bool exchange_goes_again(struct exchange *x, enum end_how how, struct str detail, double at_ms)
{
	if (x->answer.ended)
		return false;
	return (x->answer.holding && how == END_CLOSED && repairs(x, at_ms)) || waits_to_retry(x, how, detail, at_ms);
}

void exchange_note_given_up(struct exchange *x)
{
	struct error line;

	error_set(&line, "%s; no further attempt was made", x->why.text);
	answer_note(&x->answer, "retried", str_from(line.text));
}

void exchange_note_retry(struct exchange *x)
{
	struct error line;

	error_set(&line, "%s; asked again after %.1f s", x->why.text, (double)x->wait_ms / 1000);
	answer_note(&x->answer, "retried", str_from(line.text));
	x->retries++;
}
