#include "app/ask/ask_compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/ask/ask_request.h"
#include "app/output.h"
#include "app/recording.h"
#include "app/signals.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "chat/exchange.h"
#include "ui/figure.h"
#include "wire/summary.h"

#define SETTLE_MS 5000

/* One of the models that are asked. */
struct compared {
	struct comparing *all;
	struct provider *provider;
	const struct protocol *protocol;
	const struct dialect *dialect;
	char *model, *base_url, *label; /* "openai/gpt-5:openai-responses" */
	struct request request;
	struct ask_answer answer;
	struct recording recording;
	char *tape;
	struct exchange *exchange;
	struct summary *summary;
	struct usage usage;
	double total_ms;
	unsigned retry;      /* number of the retry that was reported last */
	bool told;           /* its answer was printed */
};

struct comparing {
	struct setup *setup;
	struct ask_talk *talk;
	struct compared items[COMPARE_MOST];
	size_t count;
	struct output out;
	bool stopped;
};

/* --- targets --- */

/* What stands behind the last colon, if it is a protocol: models have colons too ("qwen3:4b"). */
static const struct protocol *split_protocol(struct str *model)
{
	for (size_t i = model->len; i-- > 0;) {
		const struct protocol *protocol = model->ptr[i] == ':' ? protocol_find(str_skip(*model, i + 1)) : NULL;

		if (model->ptr[i] != ':')
			continue;
		if (protocol)
			model->len = i;
		return protocol;
	}
	return NULL;
}

static bool use_target(struct compared *c, struct setup *s, struct str target, struct error *err)
{
	struct str model = target, name;
	const struct protocol *protocol = split_protocol(&model);

	str_split(&model, '/', &name);
	c->provider = providers_find(s->providers, name);
	if (!c->provider)
		return error_set(err, "--compare: there is no provider '%.*s'; weir providers lists them", STR_ARG(name));
	if (protocol && !provider_offers(c->provider, protocol))
		return error_set(err, "--compare: %s does not speak %s", c->provider->name, protocol->name);
	setup_use_provider(s, c->provider);
	if (protocol)
		setup_use_protocol(s, protocol);
	if (model.len)
		setup_use_model(s, model);
	if (!*s->target.model)
		return error_set(err, "--compare: name a model, as in %s/MODEL; weir models -p %s lists them", c->provider->name, c->provider->name);
	return true;
}

/* The setup is that of the target now: keeps what the request needs of it. */
static bool take_target(struct compared *c, struct setup *s, const struct ask_input *question, struct error *err)
{
	struct buf label = { 0 };
	struct str base_url;

	if (!ask_request_fill(s, question, &c->request, err) || !setup_base_url(s, &base_url, err))
		return false;
	c->protocol = s->target.protocol;
	c->dialect = s->target.dialect;
	c->model = mem_dup_z(s->target.model);
	c->base_url = str_dup(base_url);
	c->request.model = str_from(c->model);
	buf_printf(&label, "%s/%s", c->provider->name, c->model);
	if (c->protocol != c->provider->protocols[0])
		buf_printf(&label, ":%s", c->protocol->name);
	c->label = buf_take(&label);
	ask_talk_answer(c->all->talk, &c->answer, question, &c->request);
	return true;
}

/* --- asking --- */

static void compared_delta(void *compared, const struct delta *delta)
{
	struct compared *c = compared;

	ask_talk_delta(c->all->talk, &c->answer, delta);
	summary_delta(c->summary, delta);
	if (delta->kind == DELTA_USAGE)
		c->usage = delta->usage;
	if (delta->kind == DELTA_END)
		c->total_ms = delta->at_ms;
}

static void compared_start(struct compared *c, unsigned number)
{
	struct exchange_options options = {
		.http = c->all->setup->http, .provider = c->provider, .protocol = c->protocol, .dialect = c->dialect, .base_url = str_from(c->base_url),
		.request = &c->request, .env = process_environment, .retries = setup_retries(c->all->setup),
		.allow_http = c->all->setup->options->allow_http, .sink = compared_delta, .ctx = c,
	};
	struct error note;

	c->summary = summary_new();
	recording_init(&c->recording, c->all->setup);
	c->recording.turns = number; /* --tape FILE, FILE-2 ... */
	c->tape = recording_next(&c->recording, &note);
	if (*note.text)
		complain("note: %s", note.text);
	options.tape_path = c->tape;
	options.tape_folder = recording_folder(&c->recording);
	options.tape_bytes = recording_bytes(&c->recording);
	options.tape_may_fail = recording_may_fail(&c->recording);
	c->exchange = exchange_new(&options, clock_now_ms());
}

static void tell_retry(struct compared *c, int64_t now_ms)
{
	struct exchange_retry retry;

	if (!exchange_retry(c->exchange, now_ms, &retry) || retry.number == c->retry)
		return;
	c->retry = retry.number;
	complain("%s: %.*s; asking again in %.1f s (%u of %u)", c->label, STR_ARG(retry.why), (double)retry.wait_ms / 1000, retry.number, retry.most);
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
	output_printf(out, "--- %s ---\n", c->label);
	output_text(out, summary_text(c->summary));
	output_break(out);
	if (error) {
		outcome_say_error(error->message, summary_finish(c->summary), &words);
		complain("%s: %s", c->label, buf_z(&words));
	}
	output_text(out, STR("\n"));
	buf_fini(&words);
}

static void add_seconds(struct buf *line, double ms)
{
	char text[16] = "-";

	if (ms >= 0)
		snprintf(text, sizeof text, "%.2f s", ms / 1000);
	buf_printf(line, " %10s", text);
}

/* As reported, else estimated. */
static void add_tokens(struct buf *line, const struct compared *c)
{
	struct count reported = c->usage.of[USAGE_COMPLETION];
	int64_t estimated = meter_tokens(&c->answer.turn->meter);
	char figure[FIGURE_SIZE], text[FIGURE_SIZE + 1] = "-";

	if (reported.sent || estimated)
		snprintf(text, sizeof text, "%s%s", reported.sent ? "" : "~", figure_count(figure, reported.sent ? reported.number : estimated));
	buf_printf(line, " %8s", text);
}

static void tell_table(struct comparing *all)
{
	struct buf line = { 0 };
	int width = 8;

	for (size_t i = 0; i < all->count; i++)
		width = (int)strlen(all->items[i].label) > width ? (int)strlen(all->items[i].label) : width;
	output_printf(&all->out, "%-*s  %-10s %10s %10s %8s %8s\n", width, "", "outcome", "first", "whole", "tokens", "tokens/s");
	for (size_t i = 0; i < all->count; i++) {
		const struct compared *c = &all->items[i];
		double rate = meter_rate(&c->answer.turn->meter, &c->usage);

		buf_clear(&line);
		buf_printf(&line, "%-*s  %-10s", width, c->label, outcome_name(summary_outcome(c->summary)));
		add_seconds(&line, first_ms(c));
		add_seconds(&line, c->total_ms);
		add_tokens(&line, c);
		if (rate > 0)
			buf_printf(&line, " %8.1f\n", rate);
		else
			buf_printf(&line, " %8s\n", "-");
		output_text(&all->out, buf_str(&line));
	}
	buf_fini(&line);
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

	summary_write(c->summary, str_from(c->protocol->name), str_from(c->dialect->name), out);
	json_writer_init(&w, &more);
	json_open_object(&w);
	json_member_string(&w, "provider", str_from(c->provider->name));
	json_member_string(&w, "asked_model", str_from(c->model));
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
	struct keeper *keeper = all->talk->keeper;

	for (size_t i = 0; i < all->count; i++)
		compared_start(&all->items[i], (unsigned)i);
	loop_add(loop, &signals);
	if (keeper)
		loop_add(loop, &(struct loop_member){ keeper, keeper_fds, keeper_deadline, keeper_run });
	loop_add(loop, &(struct loop_member){ all, comparing_fds, comparing_deadline, comparing_run });
	while (!is_over(all))
		loop_turn(loop);
	loop_remove(loop, all);
	loop_remove(loop, keeper);
	loop_remove(loop, &listener);
}

/* --- the whole --- */

static bool take_all(struct comparing *all, const struct ask_input *question, struct error *err)
{
	struct str rest = str_from(all->setup->options->compare), target;

	for (; str_split(&rest, ',', &target); all->count++) {
		struct compared *c = &all->items[all->count];

		if (all->count == COMPARE_MOST)
			return error_set(err, "--compare takes at most %d models", COMPARE_MOST);
		*c = (struct compared){ .all = all, .total_ms = -1 };
		if (!use_target(c, all->setup, str_trim(target), err) || !take_target(c, all->setup, question, err))
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
		recording_over(&c->recording, failed);
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
			recording_fini(&c->recording);
		mem_free(c->tape);
		mem_free(c->model);
		mem_free(c->base_url);
		mem_free(c->label);
	}
}

static int ask_all(struct comparing *all, const struct ask_input *question)
{
	struct error err;

	ask_talk_question(all->talk, question);
	if (!take_all(all, question, &err))
		return usage_error("%s", err.text);
	run_all(all);
	conversation_select(all->talk->conversation, all->items[0].answer.turn); /* the first one goes on */
	if (all->talk->keeper) {
		keeper_note(all->talk->keeper);
		(void)keeper_settle(all->talk->keeper, SETTLE_MS);
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
