#include "app/options/subcommand.h"

#include <unistd.h>

#include "app/ask/ask_compare.h"
#include "app/ask/ask_input.h"
#include "app/ask/ask_output.h"
#include "app/ask/ask_request.h"
#include "app/ask/ask_talk.h"
#include "app/ask/ask_tools.h"
#include "app/keep/budget.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/crash_handler.h"

/* One request and its answer. */
struct ask_run {
	struct ask_output *output;
	struct ask_talk *talk;
	struct ask_tools tools;
	struct awaited awaited;
	bool stopped;
	bool cut;          /* while calls ran */
	int status;        /* of what went before the last answer */
};

/* --- what the answer tells --- */

static void ask_run_delta(void *run, const struct delta *delta)
{
	ask_output_delta(((struct ask_run *)run)->output, delta);
}

static void ask_run_changed(void *run)
{
	ask_talk_changed(((struct ask_run *)run)->talk);
}

static void ask_run_retry(void *run, const struct exchange_retry *retry)
{
	ask_output_retry(((struct ask_run *)run)->output, retry);
}

static void ask_run_note(void *run, struct str sentence)
{
	ask_output_note(((struct ask_run *)run)->output, sentence);
}

/* --- the loop --- */

static void ask_run_wait(struct ask_run *r, struct loop *loop)
{
	struct signals_listener listener = { .take = signals_take_end, .ctx = &r->stopped };
	struct loop_member signals = signals_member(&listener), answer = awaited_member(&r->awaited);

	loop_add(loop, &signals);
	if (r->talk->writer)
		loop_add(loop, (struct loop_member[]){ writer_member(r->talk->writer) });
	ask_output_listen(r->output, loop);
	loop_add(loop, &answer);
	while (!awaited_is_over(&r->awaited)) {
		loop_turn(loop);
		if (r->stopped || ask_output_is_unheard(r->output))
			awaited_stop(&r->awaited);
	}
	loop_remove(loop, answer.ctx);
	ask_output_leave(r->output, loop);
	loop_remove(loop, r->talk->writer);
	loop_remove(loop, &listener);
}

static void ask_run_wait_for_tools(struct ask_run *r)
{
	struct loop *loop = r->awaited.setup->loop;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &r->stopped };
	struct loop_member signals = signals_member(&listener);

	loop_add(loop, &signals);
	ask_output_listen(r->output, loop);
	ask_tools_run(&r->tools, loop, &r->stopped, r->output);
	ask_output_leave(r->output, loop);
	loop_remove(loop, &listener);
}

/* --- the end --- */

/* Finds the request id in the details, which are lines "name: value": the first id that a gateway's log can be searched for. */
static struct str ask_find_request_id(struct str details)
{
	struct str line, name;

	while (str_split(&details, '\n', &line))
		if (str_split(&line, ':', &name) && str_ends(name, "request-id"))
			return str_trim(line);
	return STR_NONE;
}

/* A tape that could not be written changes the exit status only if the user asked for the tape. */
static int ask_run_close_tape(struct ask_run *r, int status)
{
	bool spare = tape_choice_may_fail(&r->awaited.tapes);
	struct str failed = awaited_close_tape(&r->awaited);

	if (failed.len)
		complain(spare ? "note: %.*s" : "%.*s", STR_ARG(failed));
	return failed.len && !spare && status == EXIT_DONE ? EXIT_LOCAL : status;
}

static int ask_run_end(struct ask_run *r)
{
	struct awaited *a = &r->awaited;
	struct buf details = { 0 };

	exchange_details(a->exchange, &details);
	ask_talk_end(r->talk, a->turn, buf_str(&details));
	int status = ask_output_finish(r->output, ask_find_request_id(buf_str(&details)));
	buf_fini(&details);
	ask_output_schema(r->output, a->owned.request.schema);
	ask_talk_tell_budget(r->talk, a->turn);
	return ask_run_close_tape(r, status);
}

/* --- calls that run --- */

/* The answer is not the last one: what remains of it goes into the history and its tape. */
static void ask_run_leave_answer(struct ask_run *r)
{
	struct buf details = { 0 };

	exchange_details(r->awaited.exchange, &details);
	ask_talk_end(r->talk, r->awaited.turn, buf_str(&details));
	buf_fini(&details);
	r->status = ask_run_close_tape(r, r->status);
	awaited_drop(&r->awaited);
}

/* Runs the calls of the answer, if they may, and asks again with their results. False: the answer is the last one. */
static bool ask_run_goes_on(struct ask_run *r, const struct ask_input *question)
{
	struct awaited *a = &r->awaited;
	struct error err;

	(void)exchange_tape_error(a->exchange); /* closes the tape: what runs is added to it */
	if (r->stopped || !ask_tools_begin(&r->tools, a->setup, a->turn, r->output))
		return false;
	ask_run_wait_for_tools(r);
	r->cut = r->stopped || ask_output_is_unheard(r->output);
	if (r->cut)
		return false;
	ask_run_leave_answer(r);
	tool_calls_add_results(&r->tools.calls, ask_talk_results(r->talk));
	ask_tools_fini(&r->tools);
	ask_output_goes_on(r->output);
	if (!owned_request_fill(&a->owned, a->setup, &err)) {
		complain("%s", err.text);
		r->status = EXIT_LOCAL;
		return false;
	}
	awaited_begin(a, ask_talk_answer(r->talk, &a->setup->target, question, &a->owned), &(struct awaited_how){ 0 });
	ask_run_wait(r, a->setup->loop);
	return true;
}

static int ask_run_ask(struct ask_run *r, const struct ask_input *question)
{
	struct setup *s = r->awaited.setup;
	struct error err;

	if (!ask_request_check(s, question, &err) || !setup_check_tape(s, &err) || !setup_has_provider(s, &err))
		return usage_error("%s", err.text);
	if (!owned_request_fill(&r->awaited.owned, s, &err)) { /* the demo's server cannot be started */
		complain("%s", err.text);
		return EXIT_LOCAL;
	}
	if (!ask_output_open_files(r->output, &err))
		return usage_error("%s", err.text);
	ask_talk_question(r->talk, question);
	awaited_begin(&r->awaited, ask_talk_answer(r->talk, &s->target, question, &r->awaited.owned), &(struct awaited_how){ 0 });
	ask_run_wait(r, s->loop);
	while (ask_run_goes_on(r, question))
		;
	if (!awaited_runs(&r->awaited))
		return r->status;
	int status = ask_run_end(r);
	if (r->cut && r->stopped)
		return outcome_exit_status(OUTCOME_CANCELLED);
	return status == EXIT_DONE ? r->status : status;
}

static int ask_once(struct setup *s, const struct ask_input *question, struct ask_output *output, struct ask_talk *talk)
{
	struct ask_run run = { .output = output, .talk = talk };

	awaited_init(&run.awaited, s, &(struct awaited_owner){
		.models = ask_talk_prices(talk), .delta = ask_run_delta, .changed = ask_run_changed, .retry = ask_run_retry,
		.note = ask_run_note, .ctx = &run,
	});
	int status = ask_run_ask(&run, question);
	ask_tools_fini(&run.tools);
	awaited_fini(&run.awaited);
	return status;
}

/* Handles a stop before anything was sent; it is an outcome like any other. */
static int ask_cancelled(struct ask_output *output)
{
	struct stream_options options = { 0 };
	struct stream *stream = stream_new(&options, ask_output_delta, output);

	stream_end(stream, END_CANCELLED, 0);
	stream_free(stream);
	return ask_output_finish(output, STR_NONE);
}

static int read_and_ask(struct setup *s, struct ask_input *question, struct ask_talk *talk)
{
	const struct options *o = s->options;
	const char *model;
	const struct template *template = NULL;
	struct ask_output *output;
	struct error err;
	int status;

	if (o->template && !(template = setup_take_template(s, &err)))
		return usage_error("%s", err.text);
	model = s->target.model;
	if (o->compare)
		return ask_compare(s, question, template, talk);
	if (!*model && o->base_url)
		return usage_error("no model is chosen: name one with -m; `weir models` with the same --base-url lists them");
	if (!*model)
		return usage_error("no model is chosen: name one with -m; `weir models -p %s` lists them", s->target.provider->name);
	output = ask_output_new(s);
	switch (ask_input_read(question, o, template, &err)) {
	case ASK_INPUT_READY: status = ask_once(s, question, output, talk); break;
	case ASK_INPUT_STOPPED: status = ask_cancelled(output); break;
	case ASK_INPUT_BAD:
	default: status = usage_error("%s", err.text); break;
	}
	ask_output_free(output);
	return status;
}

/* Nobody is asked: it is refused, unless --yes. A history that cannot be read is no reason to. */
static bool ask_may_spend(const struct setup *s, struct error *err)
{
	enum history_status status;
	struct buf words = { 0 };

	if (s->options->yes || settings_budget_usd(&s->settings) <= 0)
		return true;
	struct history *h = history_open(0, &status, err);
	struct budget budget = budget_today(s, h);
	history_close(h);
	if (!budget_is_spent(&budget))
		return true;
	budget_write(&budget, &words);
	error_set(err, "the budget is spent: %s; --yes sends it all the same, budget in weir.conf sets another", buf_z(&words));
	buf_fini(&words);
	return false;
}

static int ask_in_conversation(struct setup *s, struct ask_input *question)
{
	struct ask_talk talk;
	struct error err;
	int status;

	if (!ask_may_spend(s, &err) || !ask_talk_open(&talk, s, &err)) {
		complain("%s", err.text);
		return EXIT_LOCAL;
	}
	status = read_and_ask(s, question, &talk);
	ask_talk_close(&talk);
	return status;
}

int run_ask(const struct options *o)
{
	struct ask_input question;
	struct setup setup;
	struct error err;
	int status;

	crash_handlers_install();
	signals_open();
	ask_input_init(&question);
	status = setup_init(&setup, o, &err) ? ask_in_conversation(&setup, &question) : usage_error("%s", err.text);
	setup_fini(&setup);
	ask_input_fini(&question);
	signals_close();
	return status;
}
