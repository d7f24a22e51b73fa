#include "ui/page/page_words.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/image_size.h"
#include "base/names.h"
#include "chat/conversation/attachments.h"
#include "chat/conversation/totals.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/figure.h"
#include "ui/rows.h"

/* Whether another model answered than the one that was asked: a date or a number of its version behind the name is none. */
static bool page_words_is_other(struct str asked, struct str routed)
{
	struct str name = str_ends(asked, "-latest") ? str_head(asked, asked.len - strlen("-latest")) : asked, version = str_skip(routed, name.len);

	if (str_equal(asked, routed))
		return false;
	if (!str_equal(str_head(routed, name.len), name) || version.len < 4 || (*version.ptr != '-' && *version.ptr != '@'))
		return true;
	for (size_t i = 1; i < version.len; i++)
		if ((version.ptr[i] < '0' || version.ptr[i] > '9') && version.ptr[i] != '-')
			return true;
	return false;
}

static void page_words_speaker(const struct turn *t, const char *arrow, struct buf *out)
{
	const char *asked = t->scope.model && *t->scope.model ? t->scope.model : NULL;
	const char *routed = t->routed_model && *t->routed_model ? t->routed_model : t->model;
	buf_add_z(out, asked ? asked : routed ? routed : "answer");
	if (asked && routed && page_words_is_other(str_from(asked), str_from(routed)))
		buf_printf(out, " %s %s", arrow, routed);
}

void page_words_header(const struct turn *t, struct buf *out)
{
	if (t->role == TURN_USER)
		buf_add_z(out, "You");
	else
		page_words_speaker(t, "->", out);
}

void page_words_head(const struct turn *t, struct buf *out)
{
	page_words_speaker(t, "\u2192", out);
}

void page_words_figures(const struct turn *t, struct buf *out)
{
	struct count tokens = t->usage.of[USAGE_COMPLETION];
	int64_t number = tokens.sent ? tokens.number : meter_tokens(&t->meter);
	char figure[FIGURE_SIZE];

	if (!t->ended)
		return;
	size_t start = out->len;
	if (number)
		buf_printf(out, "%s%s", tokens.sent ? "" : "~", figure_of(figure, number, "token"));
	if (t->ended_ms >= FIGURE_SHORT_MS)
		buf_printf(out, "%s%s", out->len > start ? "  " : "", figure_seconds(figure, t->ended_ms));
	if (*figure_cost(figure, turn_spending(t).cost))
		buf_printf(out, "%s%s", out->len > start ? "  " : "", figure);
}

void page_words_siblings(struct siblings siblings, bool ascii, struct buf *out)
{
	if (siblings.count > 1)
		buf_printf(out, "%s %zu/%zu %s", ascii ? "<" : "\u2039", siblings.at + 1, siblings.count, ascii ? ">" : "\u203a");
}

void page_words_time(const struct turn *t, struct buf *out)
{
	struct tm tm;
	char text[16];

	if (t->wall && localtime_r(&t->wall, &tm) && strftime(text, sizeof text, "%H:%M", &tm))
		buf_add_z(out, text);
}

static const struct part *page_words_next_shown(const struct turn *t, size_t after)
{
	for (size_t i = after + 1; i < t->part_count; i++)
		if (t->parts[i].kind != PART_OPAQUE)
			return &t->parts[i];
	return NULL;
}

bool page_part_is_live(const struct turn *t, size_t index)
{
	const struct part *part = &t->parts[index];

	if (!part->open || t->ended || index < t->restarted_at)
		return false;
	return part->kind == PART_TOOL_CALL || part->kind == PART_SERVER_TOOL || (part->kind == PART_REASONING && !page_words_next_shown(t, index));
}

void page_words_live(const struct part *part, double at_ms, char *out, size_t size)
{
	char time[FIGURE_SIZE], count[FIGURE_SIZE + 1] = "~";

	int64_t tokens = estimate_tokens(&part->size);
	figure_count(count + 1, tokens);
	snprintf(out, size, "%s  %7s %-6s", figure_clock(time, at_ms - part->begun_ms), count, tokens == 1 ? "token" : "tokens");
}

/* --- folds --- */

static void page_words_fold_reasoning(const struct turn *t, const struct part *part, struct buf *out)
{
	char time[FIGURE_SIZE], count[FIGURE_SIZE];
	size_t parts = 0;

	for (size_t i = t->restarted_at; i < t->part_count; i++)
		parts += t->parts[i].kind == PART_REASONING;
	int64_t reasoned = parts == 1 ? t->usage.of[USAGE_REASONING].number : 0;
	buf_add_z(out, "reasoned ");
	if (part_words_lasted(part))
		buf_printf(out, "%s, ", figure_seconds(time, part->ended_ms - part->begun_ms));
	buf_printf(out, "%s%s", reasoned ? "" : "~", figure_of(count, reasoned ? reasoned : estimate_tokens(&part->size), "token"));
}

void page_words_file(const struct part *file, const char *between, struct buf *out)
{
	char bytes[FIGURE_SIZE];
	struct image_size size;

	buf_printf(out, "%s%s", attachments_name(file->name ? file->name : ""), between);
	if (image_size_read(buf_str(&file->text), &size))
		buf_printf(out, "%ux%u%s", size.width, size.height, between);
	buf_add_z(out, figure_bytes(bytes, file->text.len));
}

void page_words_fold(const struct turn *t, const struct part *part, struct buf *out)
{
	char bytes[FIGURE_SIZE];

	switch (part->kind) {
	case PART_REASONING:
		page_words_fold_reasoning(t, part, out);
		break;
	case PART_TOOL_RESULT:
		buf_printf(out, "%s  %s  %s", part_is_skipped(part) ? "not run" : part->is_error ? "failed" : "result", part->name ? part->name : "",
		           figure_bytes(bytes, part->text.len));
		break;
	case PART_ATTACHMENT:
		buf_add_z(out, "attached  ");
		page_words_file(part, "  ", out);
		break;
	case PART_MEDIA:
		part_words_media(t, part, "  ", out);
		break;
	case PART_SERVER_RESULT:
		buf_printf(out, "%s  %s", part->is_error ? "failed" : "result", figure_bytes(bytes, part->text.len));
		break;
	case PART_SERVER_TOOL:
	case PART_TOOL_CALL:
	case PART_TEXT:
	case PART_REFUSAL:
	case PART_OPAQUE:
		break;
	}
}

void page_words_reasoned(const struct part *part, struct buf *out)
{
	char time[FIGURE_SIZE];

	buf_printf(out, "reasoned%s%s  ", part_words_lasted(part) ? " " : "",
	           part_words_lasted(part) ? figure_seconds(time, part->ended_ms - part->begun_ms) : "");
	page_words_first(buf_str(&part->text), out);
}

void page_words_first(struct str text, struct buf *out)
{
	size_t start = out->len;

	text = str_trim(text);
	bool is_strong = str_starts(text, "**");
	while (text.len && (*text.ptr == '*' || *text.ptr == '#')) /* markers of a heading */
		text = str_trim_start(str_skip(text, 1));
	part_words_flat(text, PART_WORDS_BRIEF, out);
	size_t closing = start + str_find(str_skip(buf_str(out), start), STR("**"));
	if (is_strong && closing < out->len)
		buf_remove(out, closing, 2);
}

/* --- sentences --- */

/* The number of code points of visible text before a part: an approximation of what a reader calls characters. */
static int64_t page_words_characters_before(const struct turn *t, size_t part)
{
	uint64_t n = 0;

	for (size_t i = t->restarted_at; i < part; i++)
		if (t->parts[i].kind == PART_TEXT || t->parts[i].kind == PART_REFUSAL)
			n += t->parts[i].size.narrow + t->parts[i].size.wide;
	return (int64_t)n;
}

static int64_t page_words_characters(const struct turn *t)
{
	return page_words_characters_before(t, t->part_count);
}

/* "! The stream was cut after 12 characters: the reason. What arrived is kept." */
static void page_words_say_broken(const struct turn *t, const char *what, const char *rule, const char *otherwise, struct buf *out)
{
	const char *why = turn_noted(t, rule) ? turn_noted(t, rule) : otherwise;
	int64_t characters = page_words_characters(t);
	char figure[FIGURE_SIZE];

	buf_printf(out, "! The stream %s ", what);
	if (characters)
		buf_printf(out, "after %s: %s. What arrived is kept.", figure_of(figure, characters, "character"), why);
	else
		buf_printf(out, "before any text had arrived: %s.", why);
}

void page_words_error(const struct turn *t, struct buf *out)
{
	if (t->error_status)
		buf_printf(out, "HTTP %d: ", t->error_status);
	if (t->error_message)
		outcome_say_error(str_from(t->error_message), str_from(t->finish_reason), out);
	else
		buf_add_z(out, "The server reported an error without a message.");
	if (t->error_type || t->error_code)
		out->len = str_without_stop(buf_str(out)).len;
	if (t->error_type && t->error_code && strcmp(t->error_type, t->error_code))
		buf_printf(out, " (%s, %s)", t->error_type, t->error_code);
	else if (t->error_type || t->error_code)
		buf_printf(out, " (%s)", t->error_type ? t->error_type : t->error_code);
}

#define STOPPED_SIGN "\u00b7"

struct str page_words_sign(struct str sentence)
{
	static const char *const signs[] = { "!", STOPPED_SIGN };

	for (size_t i = 0; i < ARRAY_LEN(signs); i++) {
		struct str sign = str_from(signs[i]);

		if (str_starts(sentence, signs[i]) && str_starts(str_skip(sentence, sign.len), " "))
			return sign;
	}
	return STR_NONE;
}

static void page_words_say_outcome(const struct turn *t, struct buf *out)
{
	char figure[FIGURE_SIZE];
	const char *count = figure_of(figure, page_words_characters(t), "character");

	switch (t->outcome) {
	case OUTCOME_COMPLETE:
	case OUTCOME_TOOL_CALLS:
		break;
	case OUTCOME_LENGTH:
		buf_printf(out, "! The answer reached its token limit after %s (%s).", count,
		           t->finish_reason ? t->finish_reason : "length");
		break;
	case OUTCOME_FILTERED:
		if (t->finish_reason && outcome_of_finish(str_from(t->finish_reason)) == OUTCOME_FILTERED)
			buf_printf(out, "! The model or its server declined (%s).", t->finish_reason);
		else
			buf_add_z(out, "! The model declined.");
		break;
	case OUTCOME_PAUSED:
		buf_add_z(out, "! The server paused this turn; it can be continued.");
		break;
	case OUTCOME_ERROR:
		buf_add_z(out, "! ");
		if (turn_noted(t, "hint"))
			buf_add_z(out, turn_noted(t, "hint"));
		else
			page_words_error(t, out);
		if (page_words_characters(t)) {
			char last = out->len ? out->ptr[out->len - 1] : '.';

			/* A server's message, or the facts in brackets after it, often lacks the full stop before our next sentence. */
			if (isalnum((unsigned char)last) || last == ')' || last == '"')
				buf_add_byte(out, '.');
			buf_add_z(out, " What arrived is kept.");
		}
		break;
	case OUTCOME_CUT:
		page_words_say_broken(t, "was cut", "broken", "the connection closed without an end marker", out);
		break;
	case OUTCOME_STALLED:
		page_words_say_broken(t, "stalled", "stalled", "nothing arrived for longer than the limit", out);
		break;
	case OUTCOME_CANCELLED:
		if (page_words_characters(t)) {
			buf_printf(out, STOPPED_SIGN " You stopped the answer after %s. What arrived is kept.", count);
		} else {
			buf_add_z(out, STOPPED_SIGN " You stopped the answer before any text had arrived.");
		}
		break;
	}
}

static void page_words_say_nothing_came(const struct turn *t, page_sentence *say, void *ctx, struct buf *scratch)
{
	if (t->outcome != OUTCOME_COMPLETE || !turn_is_empty(t))
		return;
	buf_clear(scratch);
	buf_printf(scratch, "  The answer is empty (%s).", t->finish_reason && *t->finish_reason ? t->finish_reason : "complete");
	say(ctx, ROLE_MUTED, buf_str(scratch));
}

static void page_words_say_calls(const struct turn *t, const struct turn *after, const char *answer, page_sentence *say, void *ctx,
                                 struct buf *scratch)
{
	size_t calls = turn_call_count(t), whole = 0, open = 0, running = 0;

	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		const struct part *part = &t->parts[i];

		whole += part->kind == PART_TOOL_CALL && part->valid;
		open += part->kind == PART_TOOL_CALL && part->valid && part->run <= CALL_RUN_ASKS;
		running += part->run == CALL_RUN_RUNS || part->run == CALL_RUN_WAITS;
	}
	if (!calls || t->outcome != OUTCOME_TOOL_CALLS || after)
		return;
	buf_clear(scratch);
	buf_printf(scratch, "The model asks for %zu tool call%s.", calls, calls == 1 ? "" : "s");
	if (!whole)
		buf_printf(scratch, " %s arguments are incomplete, so %s cannot be run.", calls == 1 ? "Its" : "Their",
		           calls == 1 ? "it" : "they");
	say(ctx, ROLE_TOOL, buf_str(scratch));
	if (!whole || !answer || (running && !open))
		return;
	buf_clear(scratch);
	if (open)
		buf_printf(scratch, "  %s%s new prompt reports %s as not run", answer, *answer ? " answer; a" : "A", open == 1 ? "it" : "them");
	else
		buf_printf(scratch, "  %s%s new prompt sends what came of %s", answer, *answer ? " or a" : "A", calls == 1 ? "it" : "them");
	say(ctx, ROLE_MUTED, buf_str(scratch));
}

/* True for notes that the page shows. The others, deviations from the protocol, are shown in the details. */
static bool page_words_is_for_reader(const struct note *n)
{
	static const char *const rules[] = { "lint", "plain-http", "schema", "sent-as-edited", "weir", NOTE_OF_RUN };

	return str_is_among(str_from(n->rule), rules, ARRAY_LEN(rules));
}

/* Names the keys that apply to an incomplete answer. */
static void page_words_say_keys(const struct turn *t, enum page_offer offer, const struct view_keys *keys, page_sentence *say, void *ctx,
                                struct buf *scratch)
{
	if (t->outcome == OUTCOME_COMPLETE || t->outcome == OUTCOME_TOOL_CALLS || offer == PAGE_OFFERS_NOTHING)
		return;
	buf_clear(scratch);
	buf_add_z(scratch, "  ");
	size_t start = scratch->len;
	if (offer == PAGE_OFFERS_ALL) {
		hints_add(scratch, start, keys->retry, "retry");
		hints_add(scratch, start, turn_can_continue(t) ? keys->proceed : NULL, "continue");
		hints_add(scratch, start, keys->edit, "edit");
	}
	hints_add(scratch, start, keys->details, "details");
	if (scratch->len > start)
		say(ctx, ROLE_MUTED, buf_str(scratch));
}

static const char *page_words_outcome_clause(enum outcome outcome)
{
	static const char *const words[] = {
		[OUTCOME_COMPLETE] = "it had ended",           [OUTCOME_TOOL_CALLS] = "it had ended",
		[OUTCOME_LENGTH] = "it had reached its token limit", [OUTCOME_FILTERED] = "it had been filtered",
		[OUTCOME_PAUSED] = "the server had paused it", [OUTCOME_ERROR] = "it had failed",
		[OUTCOME_CUT] = "it had been cut",             [OUTCOME_STALLED] = "it had stalled",
		[OUTCOME_CANCELLED] = "you had stopped it",
	};

	return words[outcome];
}

bool page_words_joint(const struct turn *t, size_t part, struct buf *out)
{
	const struct joint *joint = turn_joint_at(t, part);

	if (!joint || !joint->by_words)
		return false;
	buf_printf(out, "  Continued here, where %s: the model was asked to continue.", page_words_outcome_clause(joint->outcome));
	return true;
}

/* Names the joints that are invisible in the text. */
static void page_words_say_joints(const struct turn *t, page_sentence *say, void *ctx, struct buf *scratch)
{
	for (size_t i = 0; i < t->joint_count; i++) {
		const struct joint *joint = &t->joints[i];
		char figure[FIGURE_SIZE];

		if (joint->by_words)
			continue;
		buf_clear(scratch);
		buf_printf(scratch, "  Continued after %s, where %s: what had arrived was sent back as its beginning.",
		           figure_of(figure, page_words_characters_before(t, joint->part), "character"), page_words_outcome_clause(joint->outcome));
		say(ctx, ROLE_NOTICE, buf_str(scratch));
	}
}

void page_words_ending(const struct turn *t, const struct turn *after, enum page_offer offer, const struct view_keys *keys,
                       page_sentence *say, void *ctx)
{
	struct buf text;

	buf_init(&text, (size_t)1 << 20);
	if (t->ended && t->role == TURN_ASSISTANT) {
		page_words_say_outcome(t, &text);
		if (text.len)
			say(ctx, t->outcome == OUTCOME_CANCELLED ? ROLE_MUTED : ROLE_TROUBLE, buf_str(&text));
	}
	if (t->waiting) {
		buf_printf(&text, "%c %s", t->is_held ? ' ' : '!', t->waiting);
		say(ctx, t->is_held ? ROLE_NOTICE : ROLE_TROUBLE, buf_str(&text));
		if (offer == PAGE_OFFERS_ALL)
			say(ctx, ROLE_MUTED, STR("  Esc stop"));
	}
	page_words_say_joints(t, say, ctx, &text);
	for (size_t i = 0; i < t->note_count; i++) {
		if (!page_words_is_for_reader(&t->notes[i]))
			continue;
		buf_clear(&text);
		buf_printf(&text, "  %s", t->notes[i].text);
		say(ctx, ROLE_NOTICE, buf_str(&text));
	}
	if (t->ended && t->role == TURN_ASSISTANT) {
		page_words_say_nothing_came(t, say, ctx, &text);
		page_words_say_calls(t, after, offer == PAGE_OFFERS_ALL ? keys->answer ? keys->answer : "" : NULL, say, ctx, &text);
		page_words_say_keys(t, offer, keys, say, ctx, &text);
	}
	buf_fini(&text);
}
