#include "app/ask/ask_compare.h"

#include <unistd.h>

#include "app/ask/ask_page.h"
#include "app/ask/ask_ran.h"
#include "app/ask/ask_request.h"
#include "app/ask/ask_tools.h"
#include "app/compare/compare_figures.h"
#include "app/setup/setup.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/json_write.h"
#include "chat/conversation/conversation.h"
#include "wire/summary.h"

#define SETTLE_MS 5000

/* One of the models that are asked. */
struct ask_compared {
	struct ask_comparison *all;
	struct compared_answer answer;
	struct summary *summary; /* of the last answer */
	struct buf earlier;      /* texts of those before it, whose calls ran */
	struct ask_ran ran;
	bool ended, printed;
	bool cut;                /* while calls ran */
};

struct ask_comparison {
	struct setup *setup;
	struct ask_talk *talk;
	const struct ask_input *question;
	struct compare_targets targets;
	struct ask_compared items[COMPARE_MOST];
	size_t count;
	unsigned tapes;           /* that were chosen so far */
	struct output out;
	struct ask_page *page;    /* of one answer at a time; NULL: texts are printed as they are */
	bool stopped;
};

/* --- asking --- */

static void ask_compared_delta(void *compared, const struct delta *delta)
{
	summary_delta(((struct ask_compared *)compared)->summary, delta);
}

static void ask_compared_changed(void *compared)
{
	ask_talk_changed(((struct ask_compared *)compared)->all->talk);
}

static void ask_compared_retry(void *compared, const struct exchange_retry *retry)
{
	struct ask_compared *c = compared;

	complain("%s: %.*s; asking again in %.1f s (%u of %u)", c->answer.target->label, STR_ARG(retry->why), (double)retry->wait_ms / 1000,
	         retry->number, retry->most);
}

static void ask_compared_init(struct ask_compared *c, struct ask_comparison *all, struct compare_target *target)
{
	*c = (struct ask_compared){ .all = all, .summary = summary_new() };
	compared_answer_init(&c->answer, target, all->setup, &(struct awaited_owner){
		.models = ask_talk_prices(all->talk), .delta = ask_compared_delta, .changed = ask_compared_changed, .retry = ask_compared_retry,
		.note = ask_talk_tell, .ctx = c,
	});
}

/* Checks what is sent to the target, and begins its answer. */
static bool ask_compared_prepare(struct ask_compared *c, const struct ask_input *question, struct turn **answer, struct error *err)
{
	struct setup *s = c->all->setup;
	struct compare_target *t = c->answer.target;
	struct target before;

	compare_target_enter(t, s, &before);
	bool good = ask_request_check(s, question, err);
	compare_target_leave(t, s, &before);
	if (!good || !compared_answer_prepare(&c->answer, err))
		return false;
	const struct target target = { .provider = t->provider, .protocol = t->protocol, .model = t->model };
	*answer = ask_talk_answer(c->all->talk, &target, question, &c->answer.awaited.owned);
	return true;
}

static void ask_compared_keep(struct ask_compared *c)
{
	struct buf details = { 0 };

	exchange_details(c->answer.awaited.exchange, &details);
	ask_talk_end(c->all->talk, c->answer.awaited.turn, buf_str(&details));
	buf_fini(&details);
}

/* --- calls that run --- */

static void ask_compared_tell_runs(struct ask_compared *c)
{
	for (size_t i = 0; i < c->answer.rounds.calls.count; i++) {
		const struct tool_call *call = &c->answer.rounds.calls.items[i];
		double ms = tool_run_ms(&call->run, clock_now_ms());

		ask_ran_add(&c->ran, call, ms);
		complain("note: %s: %s ran: %s, %.1f s, %zu bytes", c->answer.target->label, call->name, tool_outcome_name(call->outcome), ms / 1000,
		         call->result.len);
	}
}

static void ask_compared_close_tape(struct ask_compared *c)
{
	struct str failed = awaited_close_tape(&c->answer.awaited);

	if (failed.len)
		complain("note: %.*s", STR_ARG(failed));
}

/* Asks the target again, with the results. */
static void ask_compared_send_results(struct ask_compared *c)
{
	struct compared_answer *a = &c->answer;
	struct ask_talk *talk = c->all->talk;
	const struct target target = { .provider = a->target->provider, .protocol = a->target->protocol, .model = a->target->model };
	struct error err;

	ask_compared_keep(c);
	ask_compared_close_tape(c);
	buf_add(&c->earlier, summary_text(c->summary));
	buf_add(&c->earlier, c->earlier.len && !str_ends(buf_str(&c->earlier), "\n") ? STR("\n") : STR_NONE);
	awaited_drop(&a->awaited);
	if (!compared_answer_prepare(a, &err)) { /* the answer before was whole: it is the last one */
		complain("%s: %s", a->target->label, err.text);
		c->ended = true;
		return;
	}
	summary_free(c->summary);
	c->summary = summary_new();
	conversation_branch(talk->conversation, a->awaited.turn);
	tool_calls_add_results(&a->rounds.calls, ask_talk_results(talk));
	tool_rounds_leave(&a->rounds);
	a->rounds.sent++;
	compared_answer_begin(a, ask_talk_answer(talk, &target, c->all->question, &a->awaited.owned), c->all->tapes++);
}

/* Its calls run, if they may, and their results are sent. False: the answer is the last one. */
static bool ask_compared_goes_on(struct ask_compared *c)
{
	struct tool_rounds *r = &c->answer.rounds;
	struct setup *s = c->all->setup;

	if (!r->answer && !c->all->stopped && ask_tools_may_run(s, c->answer.awaited.turn, r->sent)) {
		(void)exchange_tape_error(c->answer.awaited.exchange); /* closes the tape: what runs is added to it */
		tool_rounds_begin(r, c->answer.awaited.turn, setup_tool_set(s), &s->approvals, TOOL_CALLS_RUN);
	}
	if (!r->answer || !tool_calls_are_over(&r->calls))
		return r->answer != NULL;
	ask_compared_tell_runs(c);
	c->cut = c->all->stopped;
	if (!c->cut)
		ask_compared_send_results(c);
	tool_rounds_leave(r);
	return !c->cut && !c->ended;
}

static size_t comparison_fds(void *ctx, struct pollfd *fds, size_t room)
{
	struct ask_comparison *all = ctx;
	size_t used = 0;

	for (size_t i = 0; i < all->count; i++)
		used += tool_calls_fds(&all->items[i].answer.rounds.calls, fds + used, room - used);
	return used;
}

static int64_t comparison_deadline(void *ctx)
{
	struct ask_comparison *all = ctx;
	int64_t first_ms = NO_DEADLINE, now_ms = clock_now_ms();

	for (size_t i = 0; i < all->count; i++) {
		int64_t due_ms = tool_calls_deadline(&all->items[i].answer.rounds.calls, now_ms);

		first_ms = due_ms < first_ms ? due_ms : first_ms;
	}
	return first_ms;
}

static void comparison_turn(void *ctx, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct ask_comparison *all = ctx;

	for (size_t i = 0; i < all->count; i++)
		tool_calls_turn(&all->items[i].answer.rounds.calls, fds, count, now_ms);
}

/* --- printing --- */

static void ask_compared_print_text(struct ask_compared *c)
{
	struct ask_page *page = c->all->page;
	struct output *out = &c->all->out;

	if (page) {
		ask_page_add(page, buf_str(&c->earlier));
		ask_page_add(page, summary_text(c->summary));
		ask_page_finish(page);
		ask_page_restart(page);
		return;
	}
	output_text(out, buf_str(&c->earlier));
	output_text(out, summary_text(c->summary));
	output_break(out);
}

/* The answer below a line that names the model. Errors go to standard error. */
static void ask_compared_print(struct ask_compared *c)
{
	struct output *out = &c->all->out;
	const char *label = c->answer.target->label;
	struct buf words = { 0 };
	const struct error_report *error = summary_error(c->summary);

	c->printed = true;
	if (c->all->setup->options->json)
		return;
	output_printf(out, "--- %s ---\n", label);
	ask_compared_print_text(c);
	if (error) {
		outcome_say_error(error->message, summary_finish(c->summary), &words);
		complain("%s: %s", label, buf_z(&words));
	}
	output_text(out, STR("\n"));
	buf_fini(&words);
}

static void tell_table(struct ask_comparison *all)
{
	struct compare_figures rows[COMPARE_MOST];
	struct buf table = { 0 };

	for (size_t i = 0; i < all->count; i++) {
		const struct compared_answer *a = &all->items[i].answer;

		compare_figures_take(&rows[i], a);
	}
	if (all->page && compare_table_columns(rows, all->count) > output_columns())
		compare_write_facts(rows, all->count, &table);
	else
		compare_write_table(rows, all->count, &table);
	output_text(&all->out, buf_str(&table));
	buf_fini(&table);
}

/* The summary object with four more members. */
static void write_item(struct ask_compared *c, struct buf *out)
{
	const struct compare_target *target = c->answer.target;
	const struct turn *turn = c->answer.awaited.turn;
	struct json_writer w;
	struct buf more = { 0 };

	summary_write(c->summary, str_from(target->protocol->name), str_from(target->dialect->name), out);
	json_writer_init(&w, &more);
	json_open_object(&w);
	json_member_string(&w, "provider", str_from(target->provider->name));
	json_member_string(&w, "asked_model", str_from(target->model));
	json_member_milliseconds_or_null(&w, "first_ms", turn->meter.begun ? turn->meter.first_ms : -1);
	json_member_milliseconds_or_null(&w, "total_ms", turn->ended_ms);
	json_close_object(&w);
	out->ptr[out->len - 1] = ',';
	buf_add(out, str_skip(buf_str(&more), 1));
	ask_ran_close(&c->ran, out);
	buf_fini(&more);
}

static void tell_json(struct ask_comparison *all)
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

/* Prints the answers that have ended, in the order asked: one waits for those before it. False: all have. */
static bool comparison_goes_on(struct ask_comparison *all)
{
	bool goes_on = false;

	for (size_t i = 0; i < all->count; i++) {
		struct ask_compared *c = &all->items[i];

		if (all->stopped)
			compared_answer_stop(&c->answer);
		if (awaited_is_over(&c->answer.awaited) && !c->ended && !ask_compared_goes_on(c) && !c->ended) {
			ask_compared_keep(c);
			c->ended = true;
		}
		goes_on |= !c->ended;
		if (!goes_on && !c->printed)
			ask_compared_print(c);
	}
	return goes_on;
}

static void comparison_run(struct ask_comparison *all)
{
	struct loop *loop = all->setup->loop;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &all->stopped };
	struct loop_member signals = signals_member(&listener), reader = output_reader_member(&all->stopped);
	struct loop_member tools = { .ctx = all, .fds = comparison_fds, .deadline = comparison_deadline, .run = comparison_turn };
	struct writer *writer = all->talk->writer;

	loop_add(loop, &signals);
	if (writer)
		loop_add(loop, (struct loop_member[]){ writer_member(writer) });
	loop_add(loop, &reader);
	loop_add(loop, &tools);
	for (size_t i = 0; i < all->count; i++)
		loop_add(loop, (struct loop_member[]){ awaited_member(&all->items[i].answer.awaited) });
	while (comparison_goes_on(all))
		loop_turn(loop);
	for (size_t i = 0; i < all->count; i++)
		loop_remove(loop, &all->items[i].answer.awaited);
	loop_remove(loop, all);
	loop_remove(loop, reader.ctx);
	loop_remove(loop, writer);
	loop_remove(loop, &listener);
}

/* --- the whole --- */

static bool comparison_begin(struct ask_comparison *all, const struct ask_input *question, struct error *err)
{
	struct turn *answers[COMPARE_MOST];
	struct error why;

	if (!compare_targets_read(&all->targets, all->setup, str_from(all->setup->options->compare), &why))
		return error_set(err, "--compare: %s", why.text);
	for (; all->count < all->targets.count; all->count++) {
		struct ask_compared *c = &all->items[all->count];

		ask_compared_init(c, all, &all->targets.of[all->count]);
		if (!ask_compared_prepare(c, question, &answers[all->count], err)) {
			all->count++;
			return false;
		}
	}
	for (size_t i = 0; i < all->count; i++) {
		all->items[i].answer.first = answers[i];
		compared_answer_begin(&all->items[i].answer, answers[i], all->tapes++);
	}
	return true;
}

static int ask_compared_status(const struct ask_compared *c)
{
	return outcome_exit_status(c->cut ? OUTCOME_CANCELLED : summary_outcome(c->summary));
}

static int comparison_end(struct ask_comparison *all)
{
	int status = ask_compared_status(&all->items[0]);

	if (all->setup->options->json)
		tell_json(all);
	else
		tell_table(all);
	for (size_t i = 0; i < all->count; i++) {
		struct ask_compared *c = &all->items[i];

		ask_compared_close_tape(c);
		ask_talk_tell_budget(all->talk, c->answer.awaited.turn);
		if (ask_compared_status(c) == EXIT_DONE)
			status = EXIT_DONE;
	}
	return output_status(&all->out, status);
}

static void comparison_fini(struct ask_comparison *all)
{
	for (size_t i = 0; i < all->count; i++) {
		compared_answer_fini(&all->items[i].answer);
		summary_free(all->items[i].summary);
		buf_fini(&all->items[i].earlier);
		ask_ran_fini(&all->items[i].ran);
	}
	compare_targets_fini(&all->targets);
	ask_page_free(all->page);
}

static int comparison_ask(struct ask_comparison *all, const struct ask_input *question)
{
	struct error err;

	all->question = question;
	ask_talk_question(all->talk, question);
	if (!comparison_begin(all, question, &err))
		return usage_error("%s", err.text);
	comparison_run(all);
	conversation_select(all->talk->conversation, all->items[0].answer.awaited.turn); /* the first one goes on */
	if (all->talk->writer) {
		writer_note(all->talk->writer);
		if (!writer_settle(all->talk->writer, SETTLE_MS))
			writer_tell_wait(all->talk->writer);
	}
	return comparison_end(all);
}

int ask_compare(struct setup *s, struct ask_input *question, const struct template *template, struct ask_talk *talk)
{
	struct ask_comparison all = { .setup = s, .talk = talk };
	struct error err;
	int status;

	output_init(&all.out, STDOUT_FILENO);
	if (all.out.terminal && !s->options->json && !s->options->raw)
		all.page = ask_page_new(s->options, &s->settings, &all.out);
	switch (ask_input_read(question, s->options, template, &err)) {
	case ASK_INPUT_READY: status = comparison_ask(&all, question); break;
	case ASK_INPUT_STOPPED: status = EXIT_CANCELLED; break;
	case ASK_INPUT_BAD:
	default: status = usage_error("%s", err.text); break;
	}
	comparison_fini(&all);
	return status;
}
