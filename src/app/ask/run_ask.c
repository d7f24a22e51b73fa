#include "app/options/subcommand.h"

#include <unistd.h>

#include "app/ask/ask_compare.h"
#include "app/ask/ask_input.h"
#include "app/ask/ask_output.h"
#include "app/ask/ask_request.h"
#include "app/ask/ask_talk.h"
#include "app/session/tape_choice.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/crash_handler.h"
#include "base/mem.h"
#include "chat/exchange/exchange.h"

struct asking {
	struct exchange *exchange;
	struct ask_output *output;
	struct ask_talk *talk;
	struct ask_answer answer;
	bool stopped;
	unsigned retry; /* number of the retry that was reported last */
};

/* Watches the reader of standard output, so that its exit is detected without a write. */
static size_t asking_fds(void *asking, struct pollfd *fds, size_t room)
{
	const struct asking *a = asking;

	if (room < 2)
		return 0;
	fds[0] = (struct pollfd){ .fd = STDOUT_FILENO };
	return 1 + exchange_fds(a->exchange, fds + 1);
}

static void asking_take_signals(void *asking, struct signals came)
{
	struct asking *a = asking;

	a->stopped |= came.interrupt || came.terminate;
}

static int64_t asking_deadline(void *asking)
{
	return exchange_deadline(((struct asking *)asking)->exchange);
}

/* Reports each retry once. */
static void asking_tell_retry(struct asking *a, int64_t now_ms)
{
	struct exchange_retry retry;

	if (!exchange_retry(a->exchange, now_ms, &retry) || retry.number == a->retry)
		return;
	a->retry = retry.number;
	ask_output_retry(a->output, &retry);
}

static void asking_run(void *asking, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct asking *a = asking;

	if (count && fds[0].revents & (POLLERR | POLLHUP | POLLNVAL))
		ask_output_reader_left(a->output);
	exchange_run(a->exchange, now_ms);
	ask_talk_tape(a->talk, &a->answer, exchange_tape_path(a->exchange));
	asking_tell_retry(a, now_ms);
	if (a->stopped || ask_output_is_unheard(a->output))
		exchange_cancel(a->exchange, now_ms);
}

static void asking_delta(void *asking, const struct delta *delta)
{
	struct asking *a = asking;

	ask_talk_delta(a->talk, &a->answer, delta);
	ask_output_delta(a->output, delta);
}

/* Finds the request id in the details, which are lines "name: value": the first id that a gateway's log can be searched for. */
static struct str asking_find_request_id(struct str details)
{
	struct str line, name;

	while (str_split(&details, '\n', &line))
		if (str_split(&line, ':', &name) && str_ends(name, "request-id"))
			return str_trim(line);
	return STR_NONE;
}

static int asking_end(struct asking *a)
{
	struct buf details = { 0 };
	int status;

	exchange_details(a->exchange, &details);
	ask_talk_end(a->talk, &a->answer, buf_str(&details));
	status = ask_output_finish(a->output, asking_find_request_id(buf_str(&details)));
	buf_fini(&details);
	return status;
}

/* Reports a tape that could not be written. It changes the exit status only if the user asked for the tape. */
static int asking_tell_tape(const struct asking *a, struct tape_choice *tapes, int status)
{
	struct str failed = exchange_tape_error(a->exchange);
	bool spare = tape_choice_may_fail(tapes);

	if (failed.len)
		complain(spare ? "note: %.*s" : "%.*s", STR_ARG(failed));
	tape_choice_over(tapes, failed);
	return failed.len && !spare && status == EXIT_DONE ? EXIT_LOCAL : status;
}

static void run_exchange(struct setup *s, struct asking *a, const struct exchange_options *options)
{
	struct signals_listener listener = { asking_take_signals, a };
	struct loop_member signals = signals_member(&listener);

	a->exchange = exchange_new(options, clock_now_ms());
	loop_add(s->loop, &signals);
	if (a->talk->writer)
		loop_add(s->loop, (struct loop_member[]){ writer_member(a->talk->writer) });
	loop_add(s->loop, &(struct loop_member){ a, asking_fds, asking_deadline, asking_run });
	while (!exchange_is_over(a->exchange))
		loop_turn(s->loop);
	loop_remove(s->loop, a);
	loop_remove(s->loop, a->talk->writer);
	loop_remove(s->loop, &listener);
}

static int ask_once(struct setup *s, const struct ask_input *question, struct ask_output *output, struct ask_talk *talk)
{
	struct tape_choice tapes;
	struct asking a = { .output = output, .talk = talk };
	struct request request = { 0 };
	struct exchange_options options = {
		.http = s->http, .provider = s->target.provider, .protocol = s->target.protocol, .dialect = s->target.dialect,
		.request = &request, .env = process_environment, .retries = setup_retries(s),
		.allow_http = s->options->allow_http, .sink = asking_delta, .ctx = &a,
	};
	struct error err;
	char *tape;
	int status;

	if (!ask_request_fill(s, question, &request, &err) || !setup_check_tape(s, &err) || !setup_has_provider(s, &err))
		return usage_error("%s", err.text);
	if (!setup_base_url(s, &options.base_url, &err)) {
		complain("%s", err.text);
		return EXIT_LOCAL;
	}
	if (!ask_output_open_file(output, &err))
		return usage_error("%s", err.text);
	ask_talk_question(talk, question);
	ask_talk_answer(talk, &a.answer, question, &request);
	tape_choice_init(&tapes, s);
	options.tape_path = tape = tape_choice_next(&tapes, &err);
	options.tape_folder = tape_choice_folder(&tapes);
	options.tape_bytes = tape_choice_bytes(&tapes);
	options.tape_may_fail = tape_choice_may_fail(&tapes);
	if (*err.text)
		complain("note: %s", err.text);
	run_exchange(s, &a, &options);
	status = asking_end(&a);
	ask_output_schema(output, request.schema);
	status = asking_tell_tape(&a, &tapes, status);
	exchange_free(a.exchange);
	ask_answer_fini(&a.answer);
	tape_choice_fini(&tapes);
	mem_free(tape);
	return status;
}

/* Handles a stop before anything was sent; it is an outcome like any other. */
static int asking_cancelled(struct ask_output *output)
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
	output = ask_output_new(o, s->target.protocol->name, s->target.dialect->name);
	switch (ask_input_read(question, o, template, &err)) {
	case ASK_INPUT_READY: status = ask_once(s, question, output, talk); break;
	case ASK_INPUT_STOPPED: status = asking_cancelled(output); break;
	case ASK_INPUT_BAD:
	default: status = usage_error("%s", err.text); break;
	}
	ask_output_free(output);
	return status;
}

static int ask_in_conversation(struct setup *s, struct ask_input *question)
{
	struct ask_talk talk;
	struct error err;
	int status;

	if (!ask_talk_open(&talk, s, &err)) {
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
