/* Sends the requests of a probe one case after another, and judges the answers. */
#include "app/probe/probe_inside.h"

#include <assert.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/request/awaited.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/output.h"
#include "app/system/signals.h"
#include "base/array.h"
#include "base/names.h"
#include "chat/conversation/conversation.h"

#define REQUEST_MOST_MS 180000
#define TAPE_MOST_BYTES ((size_t)16 << 20)
#define WRONG_KEY_VARIABLE "WEIR_PROBE_WRONG_KEY"
#define RESULT "18 degrees, light rain"
#define CALL_ID "call_weir_1"
#define CALL_NAME "get_weather"
#define CALL_ARGUMENTS "{\"city\":\"Tokyo\"}"

/* One request. */
struct probe_request {
	const struct probe_case *c;
	struct provider *provider;        /* a copy of the column's */
	struct conversation *conversation;
	struct awaited awaited;
	bool cancels, has_content;
};

/* The requests of a cell. */
struct probe_round {
	struct probe *probe;
	struct probe_column *column;
	struct probe_cell *cell;
	const struct probe_case *c;
	struct probe_request of[PROBE_REQUESTS_MOST];
	size_t count;
};

static const char *probe_environment(const char *name)
{
	return strcmp(name, WRONG_KEY_VARIABLE) ? process_environment(name) : PROBE_WRONG_KEY;
}

/* --- the request --- */

/*
 * Whether a header or a parameter of that name is a key: its last word is one for keys. Others are sent as they are: "x-portkey-provider"
 * says where a request goes.
 */
static bool is_key_name(struct str name)
{
	static const char *const words[] = {
		"key", "apikey", "token", "accesstoken", "authtoken", "secret", "sig", "signature", "pass", "password", "auth", "authorization",
		"cookie",
	};
	size_t start = name.len;

	while (start && name.ptr[start - 1] != '-' && name.ptr[start - 1] != '_' && name.ptr[start - 1] != '.')
		start--;
	return str_is_among_nocase(str_skip(name, start), words, ARRAY_LEN(words)) || str_is_nocase(name, "code"); /* of Azure's functions */
}

/* Replaces keys in configured headers by a wrong one. */
static void provider_spoil_headers(struct provider *provider)
{
	for (size_t i = 0; i < provider->header_count; i++) {
		struct str value = str_from(provider->headers[i]), name;
		struct buf line = { 0 };

		if (!str_split(&value, ':', &name) || !is_key_name(name))
			continue;
		buf_printf(&line, "%.*s: " PROBE_WRONG_KEY, STR_ARG(name));
		str_replace(&provider->headers[i], buf_str(&line));
		buf_fini(&line);
	}
}

/* With a wrong key, keys in the query of the base URL are replaced, too. */
static char *probe_request_base_url(const struct probe_case *c, const struct probe_column *column)
{
	struct str base = str_from(column->base_url), rest, pair;
	struct buf spoiled = { 0 };

	if (!c->wrong_key)
		return str_dup(base);
	rest = base.len ? base : provider_base_url(column->provider, column->protocol);
	if (str_split(&rest, '?', &pair))
		buf_add(&spoiled, pair);
	for (char separator = '?'; str_split(&rest, '&', &pair); separator = '&') {
		struct str value = pair, name;

		buf_add_byte(&spoiled, separator);
		if (str_split(&value, '=', &name) && is_key_name(name))
			buf_printf(&spoiled, "%.*s=" PROBE_WRONG_KEY, STR_ARG(name));
		else
			buf_add(&spoiled, pair);
	}
	return buf_take(&spoiled);
}

static struct provider *probe_request_provider(const struct probe_case *c, const struct probe_column *column)
{
	struct provider *provider = provider_copy(column->provider);
	struct error err;

	provider->sending.usage_opt_in &= !c->asks_no_usage;
	if (!c->wrong_key)
		return provider;
	bool good = provider_set(provider, STR("key_command"), STR(""), &err) && provider_set(provider, STR("key_file"), STR(""), &err) &&
	            provider_set(provider, STR("key_env"), STR(WRONG_KEY_VARIABLE), &err);
	assert(good);
	(void)good;
	provider_spoil_headers(provider);
	return provider;
}

static void answer_end_as_call(struct turn *answer)
{
	struct part *call = turn_add(answer, PART_TOOL_CALL, STR(CALL_ARGUMENTS), STR(CALL_ID), STR(CALL_NAME));

	call->call = 0;
	call->valid = true;
	answer->ended = true;
	answer->outcome = OUTCOME_TOOL_CALLS;
}

/* Adds results for all calls of the last answer. */
static void conversation_add_results(struct conversation *conversation)
{
	const struct turn *answer = conversation_last_answer(conversation);
	struct turn *question = conversation_ask(conversation);

	for (size_t i = 0; i < answer->part_count; i++) {
		const struct part *call = &answer->parts[i];

		if (call->kind == PART_TOOL_CALL)
			turn_add(question, PART_TOOL_RESULT, STR(RESULT), str_from(call->id), str_from(call->name))->call = call->call;
	}
}

static struct conversation *probe_request_conversation(const struct probe_case *c, struct probe_column *column)
{
	struct conversation *conversation = c->sends_result ? column->called : NULL;

	if (conversation) {
		column->called = NULL;
	} else {
		struct buf prompt = { 0 };

		conversation = conversation_new();
		probe_case_write_prompt(c, &prompt);
		turn_add(conversation_ask(conversation), PART_TEXT, buf_str(&prompt), STR_NONE, STR_NONE);
		buf_fini(&prompt);
		if (c->sends_result)
			answer_end_as_call(conversation_answer(conversation, str_from(column->provider->name), column->protocol,
			                                       str_from(column->model)));
	}
	if (c->sends_result)
		conversation_add_results(conversation);
	return conversation;
}

static void probe_request_fill(struct probe_request *r, const struct probe_column *column)
{
	const struct probe_case *c = r->c;
	struct owned_request *owned = &r->awaited.owned;
	struct scope scope = { .provider = column->provider->name, .model = column->model, .protocol = column->protocol };
	struct buf added = { 0 };

	owned->base_url = probe_request_base_url(c, column);
	probe_case_write_added(c, column, &added);
	owned->request = (struct request){
		.system = c->system ? str_from(c->system) : STR(""), .tools = str_from(c->tools), .schema = str_from(c->schema),
		.stop = str_from(c->stop),
		.max_tokens = c->max_tokens, .temperature = column->provider->temperature, .reasoning = c->reasoning, .stream = true,
	};
	if (added.len) {
		owned->added = buf_take(&added);
		owned->request.added = str_from(owned->added);
		owned->request.server_tools = c->server_tools;
	}
	owned_request_project(owned, r->conversation, &scope);
}

static void probe_request_delta(void *request, const struct delta *delta)
{
	((struct probe_request *)request)->has_content |= delta->kind == DELTA_TEXT || delta->kind == DELTA_REASONING;
}

/* The file name of a tape. It consists of names of our own tables, so it is safe. */
static char *probe_round_tape(const struct probe_round *all, size_t number)
{
	struct buf name = { 0 };

	if (all->probe->compares)
		buf_printf(&name, "%c-", 'a' + (int)(all->column - all->probe->columns));
	buf_printf(&name, "%s-%s%s.tape", all->column->protocol->name, all->c->name, number ? "-2" : "");
	return buf_take(&name);
}

static void probe_round_start(struct probe_round *all, const struct probe_case *c, bool cancels)
{
	size_t number = all->count++;
	struct probe_request *r = &all->of[number];
	struct probe_column *column = all->column;

	*r = (struct probe_request){ .c = c, .cancels = cancels, .provider = probe_request_provider(c, column) };
	r->conversation = probe_request_conversation(c, column);
	awaited_init(&r->awaited, all->probe->setup, &(struct awaited_owner){ .delta = probe_request_delta, .ctx = r });
	probe_request_fill(r, column);
	all->cell->tapes[number] = probe_round_tape(all, number);
	struct turn *answer = conversation_answer(r->conversation, str_from(column->provider->name), column->protocol, str_from(column->model));
	awaited_begin(&r->awaited, answer, &(struct awaited_how){
		.target = &(struct target){ .provider = r->provider, .protocol = column->protocol, .dialect = column->dialect },
		.model = c->wrong_model ? STR(PROBE_WRONG_MODEL) : STR_NONE, .env = probe_environment, .once = c->wants_refusal || c->at_once,
		.limit_ms = REQUEST_MOST_MS, .tape = all->cell->tapes[number], .tape_folder = all->probe->folder.fd, .tape_bytes = TAPE_MOST_BYTES,
	});
}

static void probe_request_fini(struct probe_request *r)
{
	awaited_fini(&r->awaited);
	conversation_free(r->conversation);
	provider_free(r->provider);
}

/* Waits for the connections, too: bytes after the end mark belong on the tape. */
static bool probe_round_is_over(struct probe_round *all)
{
	bool over = true;

	for (size_t i = 0; i < all->count; i++) {
		struct probe_request *r = &all->of[i];

		if (all->probe->stopped || (r->cancels && r->has_content))
			awaited_stop(&r->awaited);
		over &= awaited_is_closed(&r->awaited);
	}
	return over;
}

static void probe_round_wait(struct probe_round *all)
{
	struct loop *loop = all->probe->setup->loop;

	for (size_t i = 0; i < all->count; i++)
		loop_add(loop, (struct loop_member[]){ awaited_member(&all->of[i].awaited) });
	while (!probe_round_is_over(all))
		loop_turn(loop);
	for (size_t i = 0; i < all->count; i++)
		loop_remove(loop, &all->of[i].awaited);
}

/* --- judging --- */

static void cell_verdict(struct probe_cell *cell, enum probe_verdict verdict)
{
	cell->verdict = verdict > cell->verdict ? verdict : cell->verdict;
}

/* False: the endpoint or the model does not exist, so there is nothing to judge. */
static bool probe_round_find(struct probe_round *all, const struct probe_request *r, struct buf *words)
{
	if (all->column->found || !probe_case_finds_nothing(r->c, r->awaited.turn, words))
		return true;
	cell_verdict(all->cell, PROBE_ABSENT);
	all->column->given_up = true;
	return false;
}

static void probe_round_lint(struct probe_round *all, const struct probe_request *r, const char *tape)
{
	struct error err;
	bool reached;

	if (!probe_lint_tape(all->probe, all->column, tape, all->cell, &reached, &err) && !r->awaited.turn->has_error)
		complain("note: %s", err.text);
	all->column->found |= reached;
	all->column->given_up |= !reached;
}

static void probe_round_judge(struct probe_round *all, size_t number)
{
	struct probe_request *r = &all->of[number];
	const struct turn *answer = r->awaited.turn;
	struct probe_cell *cell = all->cell;
	struct buf words;
	bool found;

	buf_init(&words, 1000);
	found = probe_round_find(all, r, &words);
	if (found && r->awaited.late) {
		buf_printf(&words, "the answer was not over after %d s", REQUEST_MOST_MS / 1000);
		cell_verdict(cell, PROBE_FAILED);
	} else if (found) {
		cell_verdict(cell, probe_case_judge(r->c, all->column, answer, number > 0, &words));
	}
	if (words.len && str_find(buf_str(&cell->words), buf_str(&words)) == cell->words.len)
		buf_printf(&cell->words, "%s%s", cell->words.len ? "; " : "", buf_z(&words));
	buf_fini(&words);
	struct str failed = exchange_tape_error(r->awaited.exchange);
	if (failed.len)
		complain("note: %.*s", STR_ARG(failed));
	if (found)
		probe_round_lint(all, r, cell->tapes[number]);
	cell->total_ms = answer->ended_ms > cell->total_ms ? answer->ended_ms : cell->total_ms;
	/* Later cases do not send again what the server refused by name, unless they test it. */
	all->column->provider->refuses_max_tokens_field |= r->provider->refuses_max_tokens_field;
	all->column->provider->refuses_temperature |= r->provider->refuses_temperature;
	for (int i = 0; i < USAGE_FIGURE_COUNT; i++)
		all->column->spent.of[i] = count_sum(all->column->spent.of[i], answer->usage.of[i]);
	all->column->cost = cost_sum(all->column->cost, cost_of(&answer->usage, answer->reported, &all->column->prices));
}

/* The next case sends the result of its calls. */
static void probe_round_keep_call(struct probe_round *all)
{
	struct probe_request *r = &all->of[0];

	if (!all->c->keeps_calls || all->cell->verdict == PROBE_FAILED)
		return;
	conversation_free(all->column->called);
	all->column->called = r->conversation;
	r->conversation = NULL;
}

static void probe_run_cell(struct probe *p, struct probe_column *column, size_t index)
{
	const struct probe_case *c = probe_case_at(index);
	struct probe_round all = { .probe = p, .column = column, .cell = &column->cells[index], .c = c };

	all.cell->total_ms = -1;
	if (!probe_case_applies(c, column, &all.cell->words)) {
		all.cell->verdict = PROBE_NOT_OFFERED;
		return;
	}
	probe_round_start(&all, c, c->cancels);
	if (c->at_once)
		probe_round_start(&all, c, false);
	probe_round_wait(&all);
	if (c->cancels && !p->stopped) {
		probe_round_start(&all, probe_case_at(0), false);
		probe_round_wait(&all);
	}
	for (size_t i = 0; !p->stopped && i < all.count; i++)
		probe_round_judge(&all, i);
	if (all.cell->verdict == PROBE_PROMISED && all.cell->finding_count)
		all.cell->verdict = PROBE_FINDINGS;
	probe_round_keep_call(&all);
	for (size_t i = 0; i < all.count; i++)
		probe_request_fini(&all.of[i]);
}

/* --- the whole --- */

/* Shows progress on a terminal, in a line that the next call replaces; `column` NULL: removes it. */
static void probe_tell(const struct probe_column *column, const char *name)
{
	struct output err;
	struct winsize size;
	struct buf words = { 0 }, line = { 0 };

	output_init(&err, STDERR_FILENO);
	if (!err.terminal || ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 2)
		return;
	if (column)
		buf_printf(&words, "%s: %s", column->label, name);
	output_field(&line, str_head(buf_str(&words), size.ws_col - 1u));
	output_safe(&err, STR("\r"));
	buf_clear(&words);
	buf_printf(&words, "%-*s", (int)size.ws_col - 1, buf_z(&line));
	output_safe(&err, buf_str(&words));
	output_safe(&err, STR("\r"));
	buf_fini(&words);
	buf_fini(&line);
}

static void probe_run_column(struct probe *p, struct probe_column *column)
{
	for (size_t i = 0; probe_case_at(i) && !p->stopped && !column->given_up; i++) {
		if (!p->chosen[i])
			continue;
		probe_tell(column, probe_case_at(i)->name);
		probe_run_cell(p, column, i);
	}
}

void probe_run(struct probe *p)
{
	struct signals_listener listener = { .take = signals_take_end, .ctx = &p->stopped };
	struct loop_member signals = signals_member(&listener);

	loop_add(p->setup->loop, &signals);
	for (size_t i = 0; i < p->count; i++)
		probe_run_column(p, &p->columns[i]);
	probe_tell(NULL, NULL);
	loop_remove(p->setup->loop, &listener);
}
