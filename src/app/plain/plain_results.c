#include "app/plain/plain_results.h"

#include "app/command/actions.h"
#include "app/session/session.h"
#include "app/session/session_prompts.h"
#include "chat/conversation/turn.h"

static const struct plain_question result_question;

/* Asks for the result of the next waiting call, or sends the results if none waits. */
static void results_ask_next(struct plain_results *r)
{
	struct plain_host *h = r->host;
	struct error err = { "" };
	const struct part *call = session_waiting_call(h->session, &r->call);
	struct buf words = { 0 };

	if (!call) {
		plain_ask_prompt(h);
		if (!session_send_results(h->session, &err))
			plain_fail(h, err.text);
		return;
	}
	plain_call_words(call, BUF_LIMIT_DEFAULT, &words);
	plain_tell_line(h->tell, "Tool call %u of %zu. %s", r->call + 1, turn_call_count(session_last_answer(h->session)), buf_z(&words));
	plain_tell_line(h->tell, "Type its result, /skip to send it back as not run, or /later.");
	buf_fini(&words);
	plain_ask(h, &result_question, r);
}

static void results_take(void *results, struct str line)
{
	struct plain_results *r = results;
	struct plain_host *h = r->host;
	struct str word = str_trim(line);

	if (!word.len || str_is(word, "/later")) {
		plain_ask_prompt(h);
		plain_tell_line(h->tell, "Left for later: /answer asks again.");
		return;
	}
	if (str_is(word, "/skip"))
		session_skip_call(h->session, r->call);
	else
		session_answer_call(h->session, r->call, line, false);
	r->call++;
	results_ask_next(r);
}

static const struct plain_question result_question = { .label = "Result: ", .take = results_take };

void plain_results_ask(struct plain_results *r)
{
	struct actor actor = plain_actor(r->host);

	r->call = 0;
	if (!act_asks(&actor))
		return;
	if (session_waiting_call(r->host->session, &r->call))
		results_ask_next(r);
	else
		plain_tell_line(r->host->tell, "No tool call waits for an answer.");
}
