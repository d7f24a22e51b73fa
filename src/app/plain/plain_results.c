#include "app/plain/plain_results.h"

#include "app/plain/plain_host.h"
#include "app/session/session.h"
#include "app/session/session_prompts.h"
#include "chat/conversation/turn.h"

static bool result_field(void *host, size_t field, struct form_field *out)
{
	unsigned call = (unsigned)field;
	const struct part *waits = session_waiting_call(((const struct plain_host *)host)->session, &call);

	out->prompt = "Result: ";
	out->empty = FORM_EMPTY_LEAVES;
	out->hidden = call != field;
	return waits != NULL;
}

static void result_ask(void *host, size_t field, struct buf *out)
{
	const struct plain_host *h = host;
	unsigned call = (unsigned)field;

	buf_printf(out, "Tool call %zu of %zu. ", field + 1, turn_call_count(session_last_answer(h->session)));
	const struct part *part = session_waiting_call(h->session, &call);
	plain_call_words(part, BUF_LIMIT_DEFAULT, out);
	for (size_t i = 0; i < out->len; i++)
		out->ptr[i] = out->ptr[i] == '\n' ? ' ' : out->ptr[i];
	if (part->run == CALL_RUN_UNKNOWN)
		buf_add_z(out, " There is no tool of this name here.");
	buf_add_z(out, "\nType its result, /skip to send it back as not run, or /later.");
}

static bool result_take(void *host, size_t field, struct str value, struct error *err)
{
	struct session *session = ((const struct plain_host *)host)->session;

	(void)err;
	if (str_is(str_trim(value), "/skip"))
		session_skip_call(session, (unsigned)field);
	else
		session_answer_call(session, (unsigned)field, value, false);
	return true;
}

static bool result_finish(void *host, struct form_end *end)
{
	return session_send_results(((const struct plain_host *)host)->session, &end->err);
}

const struct form_table result_form = {
	.leave = "/later", .left = "Left for later: /answer asks again.",
	.field = result_field, .ask = result_ask, .take = result_take, .finish = result_finish,
};
