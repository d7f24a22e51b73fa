#include "wire/guard.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/surrogate.h"
#include "wire/think.h"

#define PARTS_MOST 4096   /* parts, and calls, of one answer: more are no answer */
#define NOTICES_MOST 64
#define THINK_KEY (~0u - 1) /* of the reasoning that <think> made */
#define ANSWER_LIMIT_MB (GUARD_ANSWER_LIMIT >> 20)
#define ARGUMENTS_LIMIT_MB (GUARD_ARGUMENTS_LIMIT >> 20)

struct part {
	enum delta_kind kind;
	unsigned key;
	unsigned number;        /* GUARD_NEW_PART until its first text */
	struct surrogate surrogate;
};

struct tool {
	struct buf id, name, arguments;
	struct json_scan scan;
	struct surrogate surrogate;
	bool open;
};

struct guard {
	delta_sink *sink;
	void *ctx;
	double at_ms;

	bool begun, done, failing, failed, ended;
	struct buf id, model;
	struct buf scratch;      /* joined surrogates, notices */

	struct part *parts;
	size_t part_count, part_capacity;
	size_t last_part;        /* the one that was asked for last */
	unsigned next_number;
	struct think think;
	unsigned think_key;      /* of the text part whose beginning is looked at for <think> */
	bool has_text, has_answer, has_refusal;
	size_t answer_bytes;

	struct tool *tools;
	size_t tool_count, tool_capacity;

	struct usage usage;
	struct buf finish, finish_message, blocked;
	const char *notices[NOTICES_MOST];
	size_t notice_count;
};

struct guard *guard_new(delta_sink *sink, void *ctx)
{
	struct guard *g = mem_new(sizeof *g);
	g->sink = sink;
	g->ctx = ctx;
	g->usage = USAGE_NONE;
	buf_init(&g->id, BUF_LIMIT_DEFAULT);
	buf_init(&g->model, BUF_LIMIT_DEFAULT);
	buf_init(&g->scratch, BUF_LIMIT_DEFAULT);
	buf_init(&g->finish, BUF_LIMIT_DEFAULT);
	buf_init(&g->finish_message, BUF_LIMIT_DEFAULT);
	buf_init(&g->blocked, BUF_LIMIT_DEFAULT);
	think_init(&g->think);
	return g;
}

static void drop_tools(struct guard *g)
{
	for (size_t i = 0; i < g->tool_count; i++) {
		buf_fini(&g->tools[i].id);
		buf_fini(&g->tools[i].name);
		buf_fini(&g->tools[i].arguments);
	}
	g->tool_count = 0;
}

void guard_free(struct guard *g)
{
	if (!g)
		return;
	drop_tools(g);
	mem_free(g->tools);
	mem_free(g->parts);
	buf_fini(&g->id);
	buf_fini(&g->model);
	buf_fini(&g->scratch);
	buf_fini(&g->finish);
	buf_fini(&g->finish_message);
	buf_fini(&g->blocked);
	think_fini(&g->think);
	mem_free(g);
}

void guard_set_time(struct guard *g, double at_ms)
{
	g->at_ms = at_ms;
}

/* --- grammar --------------------------------------------------------------------------------------------------------- */

static bool takes(const struct guard *g)
{
	return !g->done && !g->failing && !g->ended;
}

static struct str known(const struct buf *buf)
{
	return buf->len ? buf_str(buf) : STR_NONE;
}

static void give(struct guard *g, struct delta *delta)
{
	assert(!g->ended);
	assert(!g->failed || delta->kind == DELTA_END);
	assert(g->begun == (delta->kind != DELTA_BEGIN));
	delta->at_ms = g->at_ms;
	g->sink(g->ctx, delta);
}

static void begin(struct guard *g)
{
	if (g->begun)
		return;
	give(g, &(struct delta){ .kind = DELTA_BEGIN, .meta = { known(&g->id), known(&g->model) } });
	g->begun = true;
}

static void begin_and_give(struct guard *g, struct delta *delta)
{
	begin(g);
	give(g, delta);
}

void guard_identity(struct guard *g, struct str id, struct str model)
{
	bool new_id = id.len && !g->id.len, new_model = model.len && !g->model.len;
	if ((!new_id && !new_model) || !takes(g))
		return;
	if (new_id)
		buf_add(&g->id, id);
	if (new_model)
		buf_add(&g->model, model);
	if (g->begun)
		give(g, &(struct delta){ .kind = DELTA_META, .meta = { known(&g->id), known(&g->model) } });
	else
		begin(g);
}

/* --- text ------------------------------------------------------------------------------------------------------------ */

/* NULL when it is not there. The one asked for last is looked at first: streams stay in one part for long. */
static struct part *find_part(const struct guard *g, enum delta_kind kind, unsigned key)
{
	if (g->last_part < g->part_count) {
		struct part *last = &g->parts[g->last_part];
		if (last->kind == kind && last->key == key)
			return last;
	}
	for (size_t i = g->part_count; i-- > 0;)
		if (g->parts[i].kind == kind && g->parts[i].key == key)
			return &g->parts[i];
	return NULL;
}

/* NULL after too many. */
static struct part *take_part(struct guard *g, enum delta_kind kind, unsigned key)
{
	struct part *part = find_part(g, kind, key);
	if (!part && g->part_count == PARTS_MOST) {
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many parts to be one.") });
		return NULL;
	}
	if (!part) {
		mem_reserve(&g->parts, &g->part_capacity, g->part_count + 1, sizeof *g->parts);
		part = &g->parts[g->part_count++];
		*part = (struct part){ .kind = kind, .key = key, .number = GUARD_NEW_PART };
	}
	g->last_part = (size_t)(part - g->parts);
	return part;
}

unsigned guard_part(const struct guard *g, enum delta_kind kind, unsigned key)
{
	const struct part *part = find_part(g, kind, key);
	return part ? part->number : GUARD_NEW_PART;
}

static void give_text(struct guard *g, struct part *part, struct str text)
{
	if (part->number == GUARD_NEW_PART)
		part->number = g->next_number++;
	g->has_text = true;
	g->has_answer |= part->kind == DELTA_TEXT;
	g->has_refusal |= part->kind == DELTA_REFUSAL;
	begin_and_give(g, &(struct delta){ .kind = part->kind, .part = part->number, .text = text });
	g->answer_bytes += text.len;
}

static void give_thought_or_text(void *ctx, bool is_reasoning, struct str text)
{
	struct guard *g = ctx;
	struct part *part = is_reasoning ? take_part(g, DELTA_REASONING, THINK_KEY) : take_part(g, DELTA_TEXT, g->think_key);
	if (part)
		give_text(g, part, text);
}

static void check_answer_size(struct guard *g)
{
	if (g->answer_bytes <= GUARD_ANSWER_LIMIT || g->failing)
		return;
	char message[128];
	int len = snprintf(message, sizeof message, "The answer is longer than %zu MB; the rest was not read.", ANSWER_LIMIT_MB);
	guard_error(g, &(struct error_report){ .message = str_of(message, (size_t)len) });
}

static void add_text(struct guard *g, enum delta_kind kind, unsigned key, struct str raw)
{
	if (!raw.len || !takes(g))
		return;
	struct part *part = take_part(g, kind, key);
	if (!part)
		return;
	struct str text = surrogate_join(&part->surrogate, raw, &g->scratch);
	if (!text.len)
		return;
	if (kind != DELTA_TEXT || g->think.state == THINK_AFTER) {
		give_text(g, part, text);
	} else {
		if (g->think.held.len && key != g->think_key)
			think_flush(&g->think, give_thought_or_text, g);
		g->think_key = key;
		think_feed(&g->think, text, give_thought_or_text, g);
	}
	check_answer_size(g);
}

void guard_text(struct guard *g, unsigned key, struct str raw)
{
	add_text(g, DELTA_TEXT, key, raw);
}

void guard_reasoning(struct guard *g, unsigned key, struct str raw)
{
	add_text(g, DELTA_REASONING, key, raw);
}

void guard_refusal(struct guard *g, unsigned key, struct str raw)
{
	add_text(g, DELTA_REFUSAL, key, raw);
}

bool guard_has_text(const struct guard *g)
{
	return g->has_text || g->think.held.len;
}

/* Gives what surrogates and tags held back. */
static void flush_text(struct guard *g)
{
	for (size_t i = 0; i < g->part_count; i++) {
		struct str held = surrogate_flush(&g->parts[i].surrogate);
		if (!held.len)
			continue;
		if (g->parts[i].kind == DELTA_TEXT && g->parts[i].key == g->think_key)
			think_feed(&g->think, held, give_thought_or_text, g);
		else
			give_text(g, &g->parts[i], held);
	}
	think_flush(&g->think, give_thought_or_text, g);
}

/* --- tool calls ------------------------------------------------------------------------------------------------------ */

static struct tool *tool_at(const struct guard *g, unsigned index)
{
	return index < g->tool_count ? &g->tools[index] : NULL;
}

unsigned guard_tool_begin(struct guard *g, struct str id, struct str name)
{
	if (takes(g) && g->tool_count == PARTS_MOST)
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many tool calls to be one.") });
	if (!takes(g))
		return GUARD_NEW_PART;
	mem_reserve(&g->tools, &g->tool_capacity, g->tool_count + 1, sizeof *g->tools);
	unsigned index = (unsigned)g->tool_count++;
	struct tool *tool = &g->tools[index];
	*tool = (struct tool){ .open = true };
	buf_init(&tool->id, BUF_LIMIT_DEFAULT);
	buf_init(&tool->name, BUF_LIMIT_DEFAULT);
	buf_init(&tool->arguments, GUARD_ARGUMENTS_LIMIT);
	json_scan_init(&tool->scan);
	buf_add(&tool->id, id);
	buf_add(&tool->name, name);
	begin_and_give(g, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { index, known(&tool->id), buf_str(&tool->name), false } });
	return index;
}

static bool replace(struct buf *buf, struct str text)
{
	if (!text.len || str_equal(text, buf_str(buf)))
		return false;
	buf_clear(buf);
	return buf_add(buf, text);
}

void guard_tool_name(struct guard *g, unsigned index, struct str id, struct str name)
{
	struct tool *tool = tool_at(g, index);
	if (!tool || !tool->open || !takes(g))
		return;
	bool new_id = replace(&tool->id, id), new_name = replace(&tool->name, name);
	if (new_id || new_name)
		give(g, &(struct delta){ .kind = DELTA_TOOL_NAME, .tool = { index, known(&tool->id), buf_str(&tool->name), false } });
}

static void add_arguments(struct guard *g, unsigned index, struct str text)
{
	struct tool *tool = &g->tools[index];
	if (!text.len)
		return;
	json_scan_feed(&tool->scan, text);
	give(g, &(struct delta){
		.kind = DELTA_TOOL_ARGUMENTS,
		.text = text,
		.tool = { index, known(&tool->id), buf_str(&tool->name), false },
	});
}

static void refuse_arguments(struct guard *g, const struct tool *tool)
{
	char message[256];
	struct str name = str_head(buf_str(&tool->name), 64);
	int len = snprintf(message, sizeof message, "The arguments of the tool call '%.*s' are larger than %zu MB; the rest was not read.",
	                   STR_ARG(name), ARGUMENTS_LIMIT_MB);
	guard_error(g, &(struct error_report){ .message = str_of(message, (size_t)len) });
}

void guard_tool_arguments(struct guard *g, unsigned index, struct str raw)
{
	struct tool *tool = tool_at(g, index);
	if (!tool || !raw.len || !takes(g))
		return;
	if (!tool->open) {
		guard_notice(g, "late-arguments", "Arguments came for a tool call that had ended; they were left out.");
		return;
	}
	struct str text = surrogate_join(&tool->surrogate, raw, &g->scratch);
	if (buf_add(&tool->arguments, text))
		add_arguments(g, index, text);
	else
		refuse_arguments(g, tool);
}

static void end_tool(struct guard *g, unsigned index)
{
	struct tool *tool = &g->tools[index];
	struct str held = surrogate_flush(&tool->surrogate);
	if (buf_add(&tool->arguments, held))
		add_arguments(g, index, held);
	struct str arguments = buf_str(&tool->arguments), trimmed = str_trim(arguments);
	bool none = !trimmed.len || str_is(trimmed, "null");
	bool valid = none || json_scan_whole(&tool->scan);
	tool->open = false;
	give(g, &(struct delta){
		.kind = DELTA_TOOL_END,
		.text = none ? STR("{}") : arguments,
		.tool = { index, known(&tool->id), buf_str(&tool->name), valid },
	});
}

void guard_tool_end(struct guard *g, unsigned index)
{
	struct tool *tool = tool_at(g, index);
	if (tool && tool->open && takes(g))
		end_tool(g, index);
}

size_t guard_tool_count(const struct guard *g)
{
	return g->tool_count;
}

struct str guard_tool_id(const struct guard *g, unsigned index)
{
	const struct tool *tool = tool_at(g, index);
	return tool ? known(&tool->id) : STR_NONE;
}

struct str guard_tool_name_of(const struct guard *g, unsigned index)
{
	const struct tool *tool = tool_at(g, index);
	return tool ? buf_str(&tool->name) : STR_NONE;
}

struct str guard_tool_text(const struct guard *g, unsigned index)
{
	const struct tool *tool = tool_at(g, index);
	return tool ? buf_str(&tool->arguments) : STR_NONE;
}

bool guard_tool_whole(const struct guard *g, unsigned index)
{
	const struct tool *tool = tool_at(g, index);
	return tool && json_scan_whole(&tool->scan);
}

bool guard_tool_open(const struct guard *g, unsigned index)
{
	const struct tool *tool = tool_at(g, index);
	return tool && tool->open;
}

static void end_tools(struct guard *g)
{
	for (size_t i = 0; i < g->tool_count; i++)
		if (g->tools[i].open)
			end_tool(g, (unsigned)i);
}

/* --- the rest of a turn ---------------------------------------------------------------------------------------------- */

void guard_opaque(struct guard *g, unsigned part, int tool_index, const char *format, struct str data)
{
	if (takes(g))
		begin_and_give(g, &(struct delta){ .kind = DELTA_OPAQUE, .part = part, .opaque = { str_from(format), data, tool_index } });
}

void guard_citation(struct guard *g, struct str url, struct str title, struct str text)
{
	if (takes(g))
		begin_and_give(g, &(struct delta){ .kind = DELTA_CITATION, .citation = { url, title, text } });
}

static bool usage_above(const struct usage *usage, int64_t least)
{
	return usage->prompt_tokens > least || usage->completion_tokens > least || usage->total_tokens > least ||
	       usage->cached_tokens > least || usage->cache_write_tokens > least || usage->reasoning_tokens > least;
}

static bool usage_equal(const struct usage *a, const struct usage *b)
{
	return a->prompt_tokens == b->prompt_tokens && a->completion_tokens == b->completion_tokens &&
	       a->total_tokens == b->total_tokens && a->cached_tokens == b->cached_tokens &&
	       a->cache_write_tokens == b->cache_write_tokens && a->reasoning_tokens == b->reasoning_tokens;
}

void guard_usage(struct guard *g, const struct usage *usage)
{
	if (!takes(g) || !usage_above(usage, -1) || usage_equal(usage, &g->usage))
		return;
	if (!usage_above(usage, 0) && usage_above(&g->usage, 0))
		return;
	g->usage = *usage;
	begin_and_give(g, &(struct delta){ .kind = DELTA_USAGE, .usage = *usage });
}

void guard_route(struct guard *g, const struct route *route)
{
	if (takes(g))
		begin_and_give(g, &(struct delta){ .kind = DELTA_ROUTE, .route = *route });
}

static bool note_rule(struct guard *g, const char *rule)
{
	for (size_t i = 0; i < g->notice_count; i++)
		if (!strcmp(g->notices[i], rule))
			return false;
	if (g->notice_count == NOTICES_MOST)
		return false;
	g->notices[g->notice_count++] = rule;
	return true;
}

void guard_notice(struct guard *g, const char *rule, const char *format, ...)
{
	if (g->failed || g->ended || !note_rule(g, rule))
		return;
	char text[512];
	va_list args;
	va_start(args, format);
	int len = vsnprintf(text, sizeof text, format, args);
	va_end(args);
	struct str cut = str_of(text, len < 0 ? 0 : (size_t)len < sizeof text ? (size_t)len : sizeof text - 1);
	struct buf repaired;
	buf_init(&repaired, BUF_LIMIT_DEFAULT);
	utf8_repair(cut, &repaired);
	begin_and_give(g, &(struct delta){ .kind = DELTA_NOTICE, .notice = { str_from(rule), buf_str(&repaired) } });
	buf_fini(&repaired);
}

void guard_restart(struct guard *g)
{
	if (!takes(g))
		return;
	begin_and_give(g, &(struct delta){ .kind = DELTA_RESTART });
	drop_tools(g);
	g->part_count = 0;
	g->next_number = 0;
	think_restart(&g->think);
	g->has_text = g->has_answer = g->has_refusal = false;
	g->answer_bytes = 0;
	g->usage = USAGE_NONE;
	buf_clear(&g->id);
	buf_clear(&g->model);
	buf_clear(&g->finish);
	buf_clear(&g->finish_message);
	buf_clear(&g->blocked);
}

void guard_finish(struct guard *g, struct str word)
{
	if (!takes(g) || !word.len)
		return;
	if (g->finish.len && outcome_is_plain_stop(word) && !outcome_is_plain_stop(buf_str(&g->finish)))
		return;
	replace(&g->finish, word);
}

void guard_finish_message(struct guard *g, struct str message)
{
	if (takes(g))
		replace(&g->finish_message, message);
}

void guard_blocked(struct guard *g, struct str reason)
{
	if (takes(g))
		replace(&g->blocked, reason);
}

static struct str finish_word(const struct guard *g)
{
	return buf_str(g->finish.len ? &g->finish : &g->blocked);
}

bool guard_finish_seen(const struct guard *g)
{
	return finish_word(g).len > 0;
}

static void give_finish(struct guard *g)
{
	if (guard_finish_seen(g))
		begin_and_give(g, &(struct delta){ .kind = DELTA_FINISH, .finish = { finish_word(g) } });
}

/* --- how it ends ----------------------------------------------------------------------------------------------------- */

/* The program's own words where the server sent none. */
static struct str own_words(const struct error_report *report, char *text, size_t size)
{
	int len = report->status ? snprintf(text, size, "The server answered with HTTP status %d and no explanation.", report->status)
	                         : snprintf(text, size, "The server reported an error without an explanation.");
	return str_of(text, (size_t)len);
}

static void give_error(struct guard *g, const struct error_report *report)
{
	char words[96];
	struct delta delta = { .kind = DELTA_ERROR, .error = *report };
	if (!report->message.len)
		delta.error.message = own_words(report, words, sizeof words);
	begin_and_give(g, &delta);
	g->failed = true;
}

void guard_error(struct guard *g, const struct error_report *report)
{
	if (!takes(g))
		return;
	g->failing = true;
	flush_text(g);
	end_tools(g);
	give_finish(g);
	give_error(g, report);
}

bool guard_failed(const struct guard *g)
{
	return g->failed;
}

void guard_done(struct guard *g)
{
	if (takes(g))
		g->done = true;
}

bool guard_is_done(const struct guard *g)
{
	return g->done || g->failed;
}

static bool is_proper_end(const struct guard *g, enum end_how how, const struct guard_ending *ending)
{
	if (g->done)
		return true;
	if (how == END_CANCELLED)
		return false;
	if (guard_finish_seen(g))
		return how == END_CLOSED ? ending->finish_is_end || ending->close_is_end : ending->finish_outlives_break;
	return how == END_CLOSED && ending->close_is_end && (g->has_answer || g->tool_count);
}

static enum outcome outcome_of_break(enum end_how how, const struct guard_ending *ending)
{
	switch (how) {
	case END_CANCELLED:
		return OUTCOME_CANCELLED;
	case END_STALLED:
		return OUTCOME_STALLED;
	case END_CUT:
		return OUTCOME_CUT;
	case END_CLOSED:
		break;
	}
	return !ending->understood && ending->strange.len ? OUTCOME_ERROR : OUTCOME_CUT;
}

static enum outcome outcome_of_end(const struct guard *g)
{
	enum outcome outcome = g->blocked.len ? OUTCOME_FILTERED : outcome_of_finish(buf_str(&g->finish));
	if (outcome == OUTCOME_ERROR || outcome == OUTCOME_LENGTH || outcome == OUTCOME_FILTERED)
		return outcome;
	if (g->tool_count)
		return OUTCOME_TOOL_CALLS;
	return g->has_refusal ? OUTCOME_FILTERED : outcome;
}

static void explain_error(struct guard *g, bool proper, const struct guard_ending *ending)
{
	struct error_report report = { 0 };
	if (proper) {
		report.message = g->finish_message.len ? buf_str(&g->finish_message) : buf_str(&g->finish);
		give_error(g, &report);
		return;
	}
	char words[512];
	bool is_page = str_starts(str_trim(ending->strange), "<");
	int len = snprintf(words, sizeof words, "%s%.*s", is_page ? "The server sent a web page instead of an answer: " :
	                   "The server sent something that is no answer of this protocol: ", STR_ARG(ending->strange));
	for (int i = 0; i < len; i++)
		if ((unsigned char)words[i] < ' ')
			words[i] = ' ';
	buf_clear(&g->scratch);
	utf8_repair(str_of(words, len < (int)sizeof words ? (size_t)len : sizeof words - 1), &g->scratch);
	report.message = buf_str(&g->scratch);
	give_error(g, &report);
}

static void note_end(struct guard *g, enum outcome outcome, bool proper)
{
	if (proper && !g->done && !guard_finish_seen(g))
		guard_notice(g, "no-finish", "The connection was closed without a finish reason; this gateway ends its answers so.");
	if (outcome == OUTCOME_COMPLETE && (str_is(buf_str(&g->finish), "tool_calls") || str_is(buf_str(&g->finish), "tool_use")))
		guard_notice(g, "no-calls", "The server said that tools are called, but sent no call.");
	if (proper && g->done && !guard_finish_seen(g))
		guard_notice(g, "no-finish", "The answer ended without a finish reason.");
}

void guard_end(struct guard *g, enum end_how how, const struct guard_ending *ending)
{
	if (g->ended)
		return;
	enum outcome outcome = OUTCOME_ERROR;
	begin(g);
	if (!g->failed) {
		g->failing = true;
		flush_text(g);
		bool proper = is_proper_end(g, how, ending);
		outcome = proper ? outcome_of_end(g) : outcome_of_break(how, ending);
		note_end(g, outcome, proper);
		end_tools(g);
		give_finish(g);
		if (outcome == OUTCOME_ERROR)
			explain_error(g, proper, ending);
	}
	give(g, &(struct delta){ .kind = DELTA_END, .end = { outcome } });
	g->ended = true;
}
