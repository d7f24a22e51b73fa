#include "wire/guard.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "wire/error_body.h"
#include "wire/guard_inside.h"

struct guard *guard_new(delta_sink *sink, void *ctx)
{
	struct guard *g = mem_new(sizeof *g);

	g->sink = sink;
	g->ctx = ctx;
	g->latest = g->legible = GUARD_NEW_PART;
	g->media_limit = MEDIA_BYTES_DEFAULT;
	think_init(&g->think);
	return g;
}

void guard_free(struct guard *g)
{
	if (!g)
		return;
	guard_drop_tools(g);
	guard_drop_media(g);
	guard_drop_server_tools(g);
	mem_free(g->tools);
	mem_free(g->media);
	mem_free(g->server_tools);
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

void guard_limit_media(struct guard *g, size_t bytes)
{
	g->media_limit = bytes;
}

void guard_set_time(struct guard *g, double at_ms)
{
	g->at_ms = at_ms;
}

bool guard_takes(const struct guard *g)
{
	return !g->done && !g->failing && !g->ended;
}

struct str guard_known(const struct buf *buf)
{
	return buf->len ? buf_str(buf) : STR_NONE;
}

static void guard_emit(struct guard *g, struct delta *delta)
{
	assert(!g->ended);
	assert(!g->failed || delta->kind == DELTA_END);
	assert(g->begun == (delta->kind != DELTA_BEGIN));
	delta->at_ms = g->at_ms;
	g->sink(g->ctx, delta);
}

static void guard_begin(struct guard *g)
{
	if (g->begun)
		return;
	guard_emit(g, &(struct delta){ .kind = DELTA_BEGIN, .meta = { guard_known(&g->id), guard_known(&g->model) } });
	g->begun = true;
}

void guard_give(struct guard *g, struct delta *delta)
{
	guard_begin(g);
	guard_emit(g, delta);
}

bool guard_replace(struct buf *buf, struct str text)
{
	if (!text.len || str_equal(text, buf_str(buf)))
		return false;
	buf_clear(buf);
	return buf_add(buf, text);
}

void guard_identity(struct guard *g, struct str id, struct str model)
{
	bool new_id = id.len && !g->id.len, new_model = model.len && !g->model.len;

	if ((!new_id && !new_model) || !guard_takes(g))
		return;
	if (new_id)
		buf_add(&g->id, id);
	if (new_model)
		buf_add(&g->model, model);
	if (g->begun)
		guard_emit(g, &(struct delta){ .kind = DELTA_META, .meta = { guard_known(&g->id), guard_known(&g->model) } });
	else
		guard_begin(g);
}

void guard_opaque(struct guard *g, unsigned part, int tool_index, const char *format, struct str data)
{
	if (guard_takes(g))
		guard_give(g, &(struct delta){ .kind = DELTA_OPAQUE, .part = part, .opaque = { str_from(format), data, tool_index } });
}

void guard_citation(struct guard *g, struct str url, struct str title, struct str text)
{
	guard_cite(g, GUARD_UNNUMBERED, &(struct citation){ .url = url, .title = title, .text = text });
}

/* A citation may come before the text of its part: that text is the next to get a number. */
void guard_cite(struct guard *g, unsigned key, const struct citation *citation)
{
	unsigned part = key == GUARD_UNNUMBERED ? DELTA_NO_PART : guard_part(g, DELTA_TEXT, key);

	if (key != GUARD_UNNUMBERED && part == GUARD_NEW_PART)
		part = g->next_number;
	if (guard_takes(g))
		guard_give(g, &(struct delta){ .kind = DELTA_CITATION, .part = part, .citation = *citation });
}

static bool guard_knows_usage(const struct guard *g, const struct usage *usage, struct money cost)
{
	return usage_equal(usage, &g->usage) && (!cost.known || (g->cost.known && cost.usd == g->cost.usd));
}

void guard_usage(struct guard *g, const struct usage *usage, struct money cost)
{
	if (!guard_takes(g) || !usage_is_known(usage) || guard_knows_usage(g, usage, cost))
		return;
	if (!usage_is_positive(usage) && usage_is_positive(&g->usage))
		return;
	g->usage = *usage;
	if (cost.known)
		g->cost = cost;
	guard_give(g, &(struct delta){ .kind = DELTA_USAGE, .usage = *usage, .cost = g->cost });
}

void guard_route(struct guard *g, const struct route *route)
{
	if (guard_takes(g))
		guard_give(g, &(struct delta){ .kind = DELTA_ROUTE, .route = *route });
}

static bool note_rule(struct guard *g, const char *rule)
{
	for (size_t i = 0; i < g->notice_count; i++)
		if (!strcmp(g->notices[i], rule))
			return false;
	if (g->notice_count == GUARD_NOTICES_MOST)
		return false;
	g->notices[g->notice_count++] = rule;
	return true;
}

void guard_watch_repairs(struct guard *g, guard_watch *watch, void *ctx)
{
	g->watch = watch;
	g->watch_ctx = ctx;
}

void guard_repair(struct guard *g, enum guard_mended repair)
{
	if (g->watch)
		g->watch(g->watch_ctx, repair);
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
	struct buf repaired = { 0 };
	utf8_repair(cut, &repaired);
	guard_give(g, &(struct delta){ .kind = DELTA_NOTICE, .notice = { str_from(rule), buf_str(&repaired) } });
	buf_fini(&repaired);
}

void guard_restart(struct guard *g)
{
	if (!guard_takes(g))
		return;
	guard_give(g, &(struct delta){ .kind = DELTA_RESTART });
	guard_drop_tools(g);
	guard_drop_media(g);
	guard_drop_server_tools(g);
	g->part_count = 0;
	g->next_number = 0;
	g->latest = g->legible = GUARD_NEW_PART;
	think_restart(&g->think);
	g->has_text = g->has_answer = g->has_refusal = false;
	g->answer_bytes = 0;
	g->usage = (struct usage){ 0 };
	g->cost = MONEY_UNKNOWN;
	g->unread = 0;
	buf_clear(&g->id);
	buf_clear(&g->model);
	buf_clear(&g->finish);
	buf_clear(&g->finish_message);
	buf_clear(&g->blocked);
}

void guard_finish(struct guard *g, struct str word)
{
	if (!guard_takes(g) || !word.len)
		return;
	if (g->finish.len && outcome_is_plain_stop(word) && !outcome_is_plain_stop(buf_str(&g->finish)))
		return;
	guard_replace(&g->finish, word);
}

void guard_finish_message(struct guard *g, struct str message)
{
	if (guard_takes(g))
		guard_replace(&g->finish_message, message);
}

void guard_blocked(struct guard *g, struct str reason)
{
	if (guard_takes(g))
		guard_replace(&g->blocked, reason);
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
		guard_give(g, &(struct delta){ .kind = DELTA_FINISH, .finish = { finish_word(g) } });
}

/* Our own message for an error without one. */
static struct str guard_own_words(const struct error_report *report, char *text, size_t size)
{
	int len = report->status
		? snprintf(text, size, "The server answered with HTTP status %d and no explanation.", report->status)
		: snprintf(text, size, "The server reported an error without an explanation.");

	return str_of(text, (size_t)len);
}

static void give_error(struct guard *g, const struct error_report *report)
{
	char words[96];
	struct delta delta = { .kind = DELTA_ERROR, .error = *report };

	if (!report->message.len)
		delta.error.message = guard_own_words(report, words, sizeof words);
	guard_give(g, &delta);
	g->failed = true;
}

static void guard_end_all(struct guard *g)
{
	guard_end_tools(g);
	guard_end_media(g);
	guard_end_server_tools(g);
}

void guard_error(struct guard *g, const struct error_report *report)
{
	if (!guard_takes(g))
		return;
	g->failing = true;
	guard_flush_text(g);
	guard_end_all(g);
	give_finish(g);
	give_error(g, report);
}

void guard_unread(struct guard *g)
{
	if (guard_takes(g))
		g->unread++;
}

bool guard_failed(const struct guard *g)
{
	return g->failed;
}

void guard_done(struct guard *g)
{
	if (guard_takes(g))
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
	return how == END_CLOSED && ending->close_is_end && (g->has_answer || g->tool_count || g->media_count || g->server_tool_count);
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

	if (proper && outcome_of_end(g) == OUTCOME_ERROR) {
		report.message = g->finish_message.len ? buf_str(&g->finish_message) : buf_str(&g->finish);
		give_error(g, &report);
		return;
	}
	if (proper) {
		report.message = g->unread > 1 ? STR("Frames of the answer could not be read; parts of it may be missing.")
		                                    : STR("A frame of the answer could not be read; a part of it may be missing.");
		give_error(g, &report);
		return;
	}
	const char *what = str_starts(str_trim(ending->strange), "<") ? "a web page instead of an answer"
	                                                               : "something that is not an answer of this protocol";
	struct str shown = error_text(ending->strange, &g->scratch);
	struct buf words = { 0 };
	buf_printf(&words, "The server sent %s: %.*s", what, STR_ARG(shown));
	report.message = buf_str(&words);
	give_error(g, &report);
	buf_fini(&words);
}

static void note_end(struct guard *g, enum outcome outcome, bool proper, const struct guard_ending *ending)
{
	if (proper && ending->inside_frame)
		guard_notice(g, "open-frame", "The body ended inside a frame, which was ignored.");
	if (proper && !g->done && !guard_finish_seen(g))
		guard_notice(g, "no-finish", "The connection was closed without a finish reason; this gateway ends its answers this way.");
	struct str word = buf_str(&g->finish);
	if (outcome == OUTCOME_COMPLETE && (str_is(word, "tool_calls") || str_is(word, "tool_use")))
		guard_notice(g, "no-calls", "The server announced tool calls but sent none.");
	if (proper && g->done && !guard_finish_seen(g))
		guard_notice(g, "no-finish", "The answer ended without a finish reason.");
}

void guard_end(struct guard *g, enum end_how how, const struct guard_ending *ending)
{
	if (g->ended)
		return;
	enum outcome outcome = OUTCOME_ERROR;
	guard_begin(g);
	if (!g->failed) {
		g->failing = true;
		guard_flush_text(g);
		bool proper = is_proper_end(g, how, ending);
		outcome = !proper ? outcome_of_break(how, ending) : g->unread ? OUTCOME_ERROR : outcome_of_end(g);
		note_end(g, outcome, proper, ending);
		guard_end_all(g);
		give_finish(g);
		if (outcome == OUTCOME_ERROR)
			explain_error(g, proper, ending);
	}
	guard_emit(g, &(struct delta){ .kind = DELTA_END, .end = { outcome } });
	g->ended = true;
}
