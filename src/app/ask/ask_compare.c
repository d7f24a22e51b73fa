#include "app/ask/ask_compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/ask/ask_request.h"
#include "app/compare/compare_figures.h"
#include "app/session/tape_choice.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "chat/exchange/exchange.h"
#include "wire/summary.h"

#define SETTLE_MS 5000

/* One of the models that are asked. */
struct compared {
	struct comparing *all;
	const struct compare_target *target;
	char *base_url;
	struct request request;
	struct ask_answer answer;
	struct tape_choice tapes;
	char *tape;
	struct exchange *exchange;
	struct summary *summary;
	double total_ms;
	unsigned retry;      /* number of the retry that was reported last */
	bool told;           /* its answer was printed */
};

struct comparing {
	struct setup *setup;
	struct ask_talk *talk;
	struct compare_targets targets;
	struct compared items[COMPARE_MOST];
	size_t count;
	struct output out;
	bool stopped;
};

/* --- targets --- */

/* The setup's target is this one now: keeps what the request needs of it. */
static bool take_target(struct compared *c, struct setup *s, const struct ask_input *question, struct error *err)
{
	struct str base_url;

	if (!ask_request_fill(s, question, &c->request, err) || !setup_base_url(s, &base_url, err))
		return false;
	c->base_url = str_dup(base_url);
	c->request.model = str_from(c->target->model);
	if (c->target->reasoning != REASONING_LEVEL_UNSET)
		c->request.reasoning = c->target->reasoning;
	ask_talk_answer(c->all->talk, &c->answer, question, &c->request);
	return true;
}

/* --- asking --- */

static void compared_delta(void *compared, const struct delta *delta)
{
	struct compared *c = compared;

	ask_talk_delta(c->all->talk, &c->answer, delta);
	summary_delta(c->summary, delta);
	if (delta->kind == DELTA_END)
		c->total_ms = delta->at_ms;
}

static void compared_start(struct compared *c, unsigned number)
{
	struct exchange_options options = {
		.http = c->all->setup->http, .provider = c->target->provider, .protocol = c->target->protocol, .dialect = c->target->dialect, .base_url = str_from(c->base_url),
		.request = &c->request, .env = process_environment, .retries = setup_retries(c->all->setup),
		.allow_http = c->all->setup->options->allow_http, .lint = c->all->setup->settings.lint, .sink = compared_delta, .ctx = c,
	};
	struct error note;

	c->summary = summary_new();
	tape_choice_init(&c->tapes, c->all->setup);
	c->tapes.turns = number; /* --tape FILE, FILE-2 ... */
	c->tape = tape_choice_next(&c->tapes, &note);
	if (*note.text)
		complain("note: %s", note.text);
	options.tape_path = c->tape;
	options.tape_folder = tape_choice_folder(&c->tapes);
	options.tape_bytes = tape_choice_bytes(&c->tapes);
	options.tape_may_fail = tape_choice_may_fail(&c->tapes);
	c->exchange = exchange_new(&options, clock_now_ms());
}

static void tell_retry(struct compared *c, int64_t now_ms)
{
	struct exchange_retry retry;

	if (!exchange_retry(c->exchange, now_ms, &retry) || retry.number == c->retry)
		return;
	c->retry = retry.number;
	complain("%s: %.*s; asking again in %.1f s (%u of %u)", c->target->label, STR_ARG(retry.why), (double)retry.wait_ms / 1000, retry.number, retry.most);
}

/* --- printing --- */

static double first_ms(const struct compared *c)
{
	return c->answer.turn->meter.begun ? c->answer.turn->meter.first_ms : -1;
}

/* The answer as it was received, below a line that names the model. Errors go to standard error. */
static void tell_answer(struct compared *c)
{
	struct output *out = &c->all->out;
	struct buf details = { 0 }, words = { 0 };
	const struct error_report *error = summary_error(c->summary);

	exchange_details(c->exchange, &details);
	ask_talk_end(c->all->talk, &c->answer, buf_str(&details));
	buf_fini(&details);
	c->told = true;
	if (c->all->setup->options->json)
		return;
	output_printf(out, "--- %s ---\n", c->target->label);
	output_text(out, summary_text(c->summary));
	output_break(out);
	if (error) {
		outcome_say_error(error->message, summary_finish(c->summary), &words);
		complain("%s: %s", c->target->label, buf_z(&words));
	}
	output_text(out, STR("\n"));
	buf_fini(&words);
}

static void tell_table(struct comparing *all)
{
	struct compare_figures rows[COMPARE_MOST];
	struct buf table = { 0 };

	for (size_t i = 0; i < all->count; i++)
		compare_figures_take(&rows[i], all->items[i].target->label, all->items[i].answer.turn, findings_count(exchange_findings(all->items[i].exchange)));
	compare_write_table(rows, all->count, &table);
	output_text(&all->out, buf_str(&table));
	buf_fini(&table);
}

static void write_number(struct json_writer *w, const char *key, double ms)
{
	json_key(w, key);
	if (ms >= 0 && isfinite(ms))
		json_milliseconds(w, ms);
	else
		json_null(w);
}

/* The summary object with four more members. */
static void write_item(const struct compared *c, struct buf *out)
{
	struct json_writer w;
	struct buf more = { 0 };

	summary_write(c->summary, str_from(c->target->protocol->name), str_from(c->target->dialect->name), out);
	json_writer_init(&w, &more);
	json_open_object(&w);
	json_member_string(&w, "provider", str_from(c->target->provider->name));
	json_member_string(&w, "asked_model", str_from(c->target->model));
	write_number(&w, "first_ms", first_ms(c));
	write_number(&w, "total_ms", c->total_ms);
	json_close_object(&w);
	out->ptr[out->len - 1] = ',';
	buf_add(out, str_skip(buf_str(&more), 1));
	buf_fini(&more);
}

static void tell_json(struct comparing *all)
{
	struct buf text = { 0 };

	buf_add_byte(&text, '[');
	for (size_t i = 0; i < all->count; i++) {
		if (i)
			buf_add_byte(&text, ',');
		write_item(&all->items[i], &text);
	}
	buf_add_z(&text, "]\n");
	output_flush_json(&all->out, &text);
	buf_fini(&text);
}

/* --- the loop --- */

static size_t comparing_fds(void *comparing, struct pollfd *fds, size_t room)
{
	const struct comparing *all = comparing;
	size_t used = 1;

	if (room < 1 + COMPARE_MOST)
		return 0;
	fds[0] = (struct pollfd){ .fd = STDOUT_FILENO }; /* its reader may leave */
	for (size_t i = 0; i < all->count; i++)
		used += exchange_fds(all->items[i].exchange, fds + used);
	return used;
}

static int64_t comparing_deadline(void *comparing)
{
	const struct comparing *all = comparing;
	int64_t first = NO_DEADLINE;

	for (size_t i = 0; i < all->count; i++) {
		int64_t deadline = exchange_deadline(all->items[i].exchange);

		first = deadline < first ? deadline : first;
	}
	return first;
}

static void comparing_run(void *comparing, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct comparing *all = comparing;

	all->stopped |= count && fds[0].revents & (POLLERR | POLLHUP | POLLNVAL);
	for (size_t i = 0; i < all->count; i++) {
		struct compared *c = &all->items[i];

		exchange_run(c->exchange, now_ms);
		ask_talk_tape(all->talk, &c->answer, exchange_tape_path(c->exchange));
		tell_retry(c, now_ms);
		if (all->stopped)
			exchange_cancel(c->exchange, now_ms);
		if (exchange_is_over(c->exchange) && !c->told)
			tell_answer(c);
	}
}

static void comparing_take_signals(void *comparing, struct signals came)
{
	((struct comparing *)comparing)->stopped |= came.interrupt || came.terminate;
}

static bool is_over(const struct comparing *all)
{
	for (size_t i = 0; i < all->count; i++)
		if (!all->items[i].told)
			return false;
	return true;
}

static void run_all(struct comparing *all)
{
	struct loop *loop = all->setup->loop;
	struct signals_listener listener = { comparing_take_signals, all };
	struct loop_member signals = signals_member(&listener);
	struct writer *writer = all->talk->writer;

	for (size_t i = 0; i < all->count; i++)
		compared_start(&all->items[i], (unsigned)i);
	loop_add(loop, &signals);
	if (writer)
		loop_add(loop, &(struct loop_member){ writer, writer_fds, writer_deadline, writer_run });
	loop_add(loop, &(struct loop_member){ all, comparing_fds, comparing_deadline, comparing_run });
	while (!is_over(all))
		loop_turn(loop);
	loop_remove(loop, all);
	loop_remove(loop, writer);
	loop_remove(loop, &listener);
}

/* --- the whole --- */

static bool take_all(struct comparing *all, const struct ask_input *question, struct error *err)
{
	struct error why;

	if (!compare_targets_read(&all->targets, all->setup, str_from(all->setup->options->compare), &why))
		return error_set(err, "--compare: %s", why.text);
	for (; all->count < all->targets.count; all->count++) {
		struct compared *c = &all->items[all->count];
		struct compare_target *target = &all->targets.of[all->count];
		struct target before;

		*c = (struct compared){ .all = all, .target = target, .total_ms = -1 };
		compare_target_enter(target, all->setup, &before);
		bool good = take_target(c, all->setup, question, err);
		compare_target_leave(target, all->setup, &before);
		if (!good)
			return false;
	}
	return true;
}

static int end_all(struct comparing *all)
{
	int status = outcome_exit_status(summary_outcome(all->items[0].summary));

	if (all->setup->options->json)
		tell_json(all);
	else
		tell_table(all);
	for (size_t i = 0; i < all->count; i++) {
		struct compared *c = &all->items[i];
		struct str failed = exchange_tape_error(c->exchange);

		if (failed.len)
			complain("note: %.*s", STR_ARG(failed));
		tape_choice_over(&c->tapes, failed);
		if (outcome_exit_status(summary_outcome(c->summary)) == EXIT_DONE)
			status = EXIT_DONE;
	}
	return output_status(&all->out, status);
}

static void comparing_fini(struct comparing *all)
{
	for (size_t i = 0; i < COMPARE_MOST; i++) {
		struct compared *c = &all->items[i];

		exchange_free(c->exchange);
		summary_free(c->summary);
		ask_answer_fini(&c->answer);
		if (c->exchange)
			tape_choice_fini(&c->tapes);
		mem_free(c->tape);
		mem_free(c->base_url);
	}
	compare_targets_fini(&all->targets);
}

static int ask_all(struct comparing *all, const struct ask_input *question)
{
	struct error err;

	ask_talk_question(all->talk, question);
	if (!take_all(all, question, &err))
		return usage_error("%s", err.text);
	run_all(all);
	conversation_select(all->talk->conversation, all->items[0].answer.turn); /* the first one goes on */
	if (all->talk->writer) {
		writer_note(all->talk->writer);
		if (!writer_settle(all->talk->writer, SETTLE_MS))
			writer_tell_wait(all->talk->writer);
	}
	return end_all(all);
}

int ask_compare(struct setup *s, struct ask_input *question, const struct template *template, struct ask_talk *talk)
{
	struct comparing all = { .setup = s, .talk = talk };
	struct error err;
	int status;

	output_init(&all.out, STDOUT_FILENO);
	switch (ask_input_read(question, s->options, template, &err)) {
	case ASK_INPUT_READY: status = ask_all(&all, question); break;
	case ASK_INPUT_STOPPED: status = EXIT_CANCELLED; break;
	case ASK_INPUT_BAD:
	default: status = usage_error("%s", err.text); break;
	}
	comparing_fini(&all);
	return status;
}
