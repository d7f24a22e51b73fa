#include "app/plain/plain_tell.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/totals.h"
#include "net/source.h"
#include "chat/conversation/figure.h"
#include "ui/page/page_words.h"
#include "ui/view.h"

#define SENTENCE_MOST 4096 /* how many bytes wait for the end of their sentence */
#define ARGUMENTS_MOST 600 /* how many bytes of a call's arguments a sentence shows */

void plain_tell_init(struct plain_tell *t, int fd)
{
	*t = (struct plain_tell){ 0 };
	output_init(&t->out, fd);
	t->out.terminal = true; /* a pipe may lead to a terminal or a speech synthesizer: it gets no control bytes either */
	t->out.patient = true;
	t->wraps = isatty(fd);
	line_wrap_init(&t->wrap);
}

void plain_tell_fini(struct plain_tell *t)
{
	line_wrap_fini(&t->wrap);
	mem_free(t->told);
}

/* --- writing --- */

/* Whatever is written has whole words: a terminal gets them unbroken. */
static void plain_write(struct plain_tell *t, struct str text)
{
	struct buf lines = { 0 };

	if (!t->out.mid_line)
		line_wrap_begin(&t->wrap);
	if (t->wraps)
		line_wrap_add(&t->wrap, text, output_columns(), &lines);
	output_text(&t->out, t->wraps ? buf_str(&lines) : text);
	buf_fini(&lines);
}

/* Writes text without the CR of CR LF, which would become a visible character. */
static void plain_put(struct plain_tell *t, struct str text)
{
	while (text.len) {
		size_t end = str_find(text, STR("\r\n"));

		plain_write(t, str_head(text, end));
		text = str_skip(text, end < text.len ? end + 1 : end);
	}
}

static void plain_begin_line(struct plain_tell *t)
{
	output_break(&t->out);
	t->in_text = false;
}

void plain_tell_line(struct plain_tell *t, const char *format, ...)
{
	struct buf line = { 0 };
	struct buf text = { 0 };
	va_list args;

	va_start(args, format);
	buf_printf_args(&text, format, args);
	va_end(args);
	for (size_t i = 0; i < text.len; i++)
		text.ptr[i] = char_is_blank(text.ptr[i]) ? ' ' : text.ptr[i];
	output_field(&line, buf_str(&text));
	buf_fini(&text);
	plain_begin_line(t);
	buf_add_byte(&line, '\n');
	plain_write(t, buf_str(&line));
	buf_fini(&line);
}

void plain_tell_block(struct plain_tell *t, struct str text)
{
	plain_begin_line(t);
	plain_put(t, text);
	output_break(&t->out);
}

void plain_tell_prompt(struct plain_tell *t, const char *label)
{
	plain_begin_line(t);
	plain_write(t, str_from(label));
}

void plain_tell_echoed(struct plain_tell *t, bool line)
{
	t->out.mid_line = !line;
	t->in_text = false;
}

void plain_tell_typed(struct plain_tell *t, bool typed)
{
	t->typed = typed;
}

/* --- sentences --- */

static bool tell_ends_wide_sentence(struct str text)
{
	static const char *const signs[] = { "\u3002", "\uff01", "\uff1f" };

	for (size_t i = 0; i < ARRAY_LEN(signs); i++)
		if (str_ends(text, signs[i]))
			return true;
	return false;
}

/* Whether a text ends with a full stop, possibly followed by closing punctuation. After a digit it may be the number of an item. */
static bool tell_ends_sentence(struct str text)
{
	while (text.len && strchr("\"')]*_`", text.ptr[text.len - 1]))
		text.len--;
	if (!text.len || !strchr(".!?:", text.ptr[text.len - 1]))
		return false;
	return text.len < 2 || text.ptr[text.len - 2] < '0' || text.ptr[text.len - 2] > '9';
}

/* How much of an unfinished text can be printed: complete lines and sentences. A sentence that is too long is printed in pieces. */
static size_t tell_length(struct str text)
{
	for (size_t at = text.len; at > 0; at--) {
		char c = text.ptr[at - 1];
		struct str before = str_head(text, at - 1);

		if (c == '\n' || ((c == ' ' || c == '\t') && tell_ends_sentence(before)) || tell_ends_wide_sentence(str_head(text, at)))
			return at;
	}
	if (text.len < SENTENCE_MOST)
		return 0;
	size_t behind = str_behind_last(text, ' ');
	return behind ? behind : utf8_cluster_before(text, text.len);
}

/* --- parts --- */

static void tell_label(struct plain_tell *t, const struct turn *turn)
{
	struct buf who = { 0 };

	if (t->labelled)
		return;
	t->labelled = true;
	page_words_header(turn, &who);
	buf_add_z(&who, ": ");
	plain_begin_line(t);
	plain_write(t, buf_str(&who));
	buf_fini(&who);
}

static void plain_tell_text(struct plain_tell *t, const struct turn *turn, size_t index, bool closed)
{
	const struct part *part = &turn->parts[index];
	struct str rest = str_skip(buf_str(&part->text), t->told[index]);

	rest.len = closed ? rest.len : tell_length(rest);
	if (!rest.len)
		return;
	if (!t->told[index] || !t->in_text)
		plain_begin_line(t);
	tell_label(t, turn);
	plain_put(t, rest);
	t->in_text = true;
	t->told[index] += rest.len;
}

static void tell_reasoning(struct plain_tell *t, const struct part *part)
{
	char time[FIGURE_SIZE], count[FIGURE_SIZE];

	figure_of(count, estimate_tokens(&part->size), "token");
	if (part->begun_ms >= 0)
		plain_tell_line(t, "Reasoning, %s, about %s.", figure_seconds(time, part->ended_ms - part->begun_ms), count);
	else
		plain_tell_line(t, "Reasoning, about %s.", count);
}

void plain_call_words(const struct part *call, size_t most, struct buf *out)
{
	char bytes[FIGURE_SIZE];
	struct buf arguments = { 0 };

	if (call->valid)
		json_scan_compact(buf_str(&call->text), &arguments);
	else
		buf_add(&arguments, buf_str(&call->text));
	struct str shown = utf8_head(buf_str(&arguments), most);
	buf_printf(out, "The model calls %s", call->name && *call->name ? call->name : "a tool without a name");
	if (str_is_blank(buf_str(&arguments)) || str_is(buf_str(&arguments), "{}"))
		buf_add_z(out, " without arguments");
	else
		buf_printf(out, "%s %.*s", call->valid ? " with" : ", but its arguments are incomplete:", STR_ARG(shown));
	if (shown.len < arguments.len)
		buf_printf(out, " and so on, %s in all; /calls reads them", figure_bytes(bytes, arguments.len));
	buf_add_byte(out, '.');
	buf_fini(&arguments);
}

static void plain_tell_call(struct plain_tell *t, const struct part *part)
{
	struct buf words = { 0 };

	plain_call_words(part, ARGUMENTS_MOST, &words);
	plain_tell_line(t, "%s", buf_z(&words));
	buf_fini(&words);
}

static void tell_media(struct plain_tell *t, const struct turn *turn, const struct part *part)
{
	struct buf words = { 0 };

	part_words_media(turn, part, ", ", &words);
	plain_tell_line(t, turn->role == TURN_USER ? "A tool gave %s." : "The model sent %s.", buf_z(&words));
	if (part->media_kind == MEDIA_AUDIO && part->text.len) {
		plain_put(t, buf_str(&part->text));
		output_break(&t->out);
	}
	buf_fini(&words);
}

static void tell_server_tool(struct plain_tell *t, const struct turn *turn, const struct part *part)
{
	size_t result = part_words_server_result(turn, part);
	struct buf words = { 0 };

	part_words_arguments(part, &words);
	buf_add_z(&words, words.len ? "; " : "");
	part_words_call(turn, part, NULL, &words);
	plain_tell_line(t, "The server ran %s: %s.", part->name && *part->name ? part->name : "a tool without a name", buf_z(&words));
	buf_clear(&words);
	if (result != PAGE_NO_PART) {
		part_words_server_result_line(&turn->parts[result], &words);
		plain_tell_line(t, "It gave: %s", buf_z(&words));
	}
	buf_fini(&words);
}

/* `closed`: the next part has begun or the turn has ended. Text that arrives for the part after that is printed later. */
static void tell_part(struct plain_tell *t, const struct turn *turn, size_t index, bool closed)
{
	const struct part *part = &turn->parts[index];

	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		plain_tell_text(t, turn, index, closed);
		break;
	case PART_REASONING:
		if (closed && !t->told[index])
			tell_reasoning(t, part);
		t->told[index] = closed || t->told[index];
		break;
	case PART_TOOL_CALL:
		if (!part->open && !t->told[index])
			plain_tell_call(t, part);
		t->told[index] = !part->open;
		break;
	case PART_MEDIA:
		if (!part->open && !t->told[index])
			tell_media(t, turn, part);
		t->told[index] = !part->open;
		break;
	case PART_SERVER_TOOL:
		if (!part->open && !t->told[index])
			tell_server_tool(t, turn, part);
		t->told[index] = !part->open;
		break;
	case PART_SERVER_RESULT:
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
	case PART_OPAQUE:
		break;
	}
}

/* --- turns --- */

static void tell_question(struct plain_tell *t, const struct turn *turn)
{
	char bytes[FIGURE_SIZE];
	struct buf file = { 0 };

	for (size_t i = 0; i < turn->part_count; i++) {
		const struct part *part = &turn->parts[i];
		const char *name = part->name && *part->name ? part->name : "a tool without a name";

		if (part->kind == PART_TEXT && !t->typed) {
			plain_tell_prompt(t, "You: ");
			plain_put(t, buf_str(&part->text));
			output_break(&t->out);
		} else if (part->kind == PART_ATTACHMENT) {
			buf_clear(&file);
			page_words_file(part, ", ", &file);
			plain_tell_line(t, "Attached: %s.", buf_z(&file));
		} else if (part->kind == PART_MEDIA) {
			tell_media(t, turn, part);
		} else if (part_is_skipped(part)) {
			plain_tell_line(t, "Sent back as not run: %s.", name);
		} else if (part->kind == PART_TOOL_RESULT) {
			plain_tell_line(t, "Sent back: the %s of %s, %s.", part->is_error ? "failure" : "result", name,
			                figure_bytes(bytes, part->text.len));
		}
	}
	buf_fini(&file);
	t->typed = false;
}

static void tell_restart(struct plain_tell *t, const struct turn *turn)
{
	if (turn->restarted_at == t->restarted_at)
		return;
	t->restarted_at = turn->restarted_at;
	t->labelled = false;
	plain_tell_line(t, "The server restarted the answer; the text before this does not count.");
}

static void tell_answer(struct plain_tell *t, const struct turn *turn)
{
	mem_reserve(&t->told, &t->told_capacity, turn->part_count, sizeof *t->told);
	while (t->told_count < turn->part_count)
		t->told[t->told_count++] = 0;
	size_t last = turn->part_count;
	while (last > 0 && turn->parts[last - 1].kind == PART_OPAQUE)
		last--;
	for (size_t i = 0; i < turn->part_count; i++) {
		if (i == turn->restarted_at)
			tell_restart(t, turn);
		tell_part(t, turn, i, turn->ended || i < turn->restarted_at || i + 1 < last);
	}
	if (turn->restarted_at == turn->part_count)
		tell_restart(t, turn);
}

/* A sentence of the page, without its margin sign and indentation. */
static void tell_sentence(void *ctx, enum role_name role, struct str text)
{
	text = str_trim(text);
	text = str_trim(str_skip(text, page_words_sign(text).len));
	plain_tell_line(ctx, "%s%.*s", role == ROLE_TROUBLE ? "Attention: " : role == ROLE_NOTICE ? "Note: " : "", STR_ARG(text));
}

static void tell_figures(struct plain_tell *t, const struct turn *turn)
{
	char figure[FIGURE_SIZE];
	struct buf line;
	struct count prompt = turn->usage.of[USAGE_PROMPT], completion = turn->usage.of[USAGE_COMPLETION];
	int64_t estimate = meter_tokens(&turn->meter);

	buf_init(&line, 512);
	buf_printf(&line, "Status: %s", outcome_is_trouble(turn->outcome) ? "ended" : "done");
	if (prompt.sent && prompt.number)
		buf_printf(&line, ", %s in", figure_of(figure, prompt.number, "token"));
	if (completion.sent && completion.number)
		buf_printf(&line, ", %s out", figure_of(figure, completion.number, "token"));
	else if (!completion.sent && estimate)
		buf_printf(&line, ", about %s out", figure_of(figure, estimate, "token"));
	if (turn->ended_ms >= FIGURE_SHORT_MS)
		buf_printf(&line, ", %s", figure_seconds(figure, turn->ended_ms));
	if (*figure_cost(figure, turn_spending(turn).cost))
		buf_printf(&line, ", %s", figure);
	plain_tell_line(t, "%s.", buf_z(&line));
	buf_fini(&line);
}

static void tell_sources(struct plain_tell *t, const struct turn *turn)
{
	for (size_t i = 0; i < turn->citations.source_count; i++) {
		const struct citation_source *source = &turn->citations.sources[i];
		const char *title = *source->title || *source->url ? source->title : source->text;

		plain_tell_line(t, "Source %zu: %s%s%s", i + 1, title, *title && *source->url ? ", " : "", source->url);
	}
}

static void tell_ending(struct plain_tell *t, const struct turn *turn)
{
	tell_sources(t, turn);
	page_words_again(turn, 0, turn->part_count, tell_sentence, t);
	page_words_ending(turn, NULL, PAGE_OFFERS_NOTHING, NULL, tell_sentence, t);
	tell_figures(t, turn);
	t->state = NULL;
}

static void tell_next_turn(struct plain_tell *t)
{
	t->turn++;
	t->told_count = t->restarted_at = 0;
	t->labelled = false;
}

/* A printed answer is continued: its earlier text is not printed again. */
static void plain_tell_resumed(struct plain_tell *t, const struct turn *turn)
{
	size_t before = turn->joints[turn->joint_count - 1].part;

	t->turn--;
	t->nodes = turn->number;
	mem_reserve(&t->told, &t->told_capacity, before + 1, sizeof *t->told);
	for (t->told_count = 0; t->told_count < before; t->told_count++)
		t->told[t->told_count] = turn->parts[t->told_count].text.len + 1;
	t->restarted_at = turn->restarted_at;
	t->labelled = false;
	plain_tell_line(t, "The answer continues.");
}

/* The path may lead through another branch now. A turn has a greater number than those that were there before it. */
static void tell_find_place(struct plain_tell *t, const struct conversation *c)
{
	t->turn = t->turn < c->count ? t->turn : c->count;
	while (t->turn && c->turns[t->turn - 1]->number >= t->nodes)
		t->turn--;
	while (t->turn < c->count && c->turns[t->turn]->number < t->nodes)
		t->turn++;
}

void plain_tell_again(struct plain_tell *t, const struct conversation *c, const struct turn *turn)
{
	t->typed = false;
	t->told_count = t->restarted_at = 0;
	t->labelled = false;
	if (turn->role == TURN_USER) {
		tell_question(t, turn);
	} else {
		tell_answer(t, turn);
		tell_ending(t, turn);
	}
	tell_next_turn(t);
	t->turn = c->count;
	t->nodes = c->node_count;
}

void plain_tell_over(struct plain_tell *t, const struct conversation *c, const struct turn *answer)
{
	tell_answer(t, answer);
	tell_ending(t, answer);
	tell_next_turn(t);
	t->turn = c->count;
	t->nodes = c->node_count;
}

void plain_tell_follow(struct plain_tell *t, const struct conversation *c)
{
	tell_find_place(t, c);
	if (t->turn && t->turn == c->count && !c->turns[t->turn - 1]->ended)
		plain_tell_resumed(t, c->turns[t->turn - 1]);
	while (t->turn < c->count) {
		const struct turn *turn = c->turns[t->turn];

		if (turn->role == TURN_USER) {
			tell_question(t, turn);
		} else {
			tell_answer(t, turn);
			if (!turn->ended)
				return;
			tell_ending(t, turn);
		}
		t->nodes = turn->number + 1 > t->nodes ? turn->number + 1 : t->nodes;
		tell_next_turn(t);
	}
}

void plain_tell_forget(struct plain_tell *t)
{
	tell_next_turn(t);
	t->turn = t->nodes = 0;
	t->typed = false;
	t->state = NULL;
}

/* --- states --- */

void plain_tell_state(struct plain_tell *t, const char *state)
{
	if (!state || (t->state && !strcmp(t->state, state)))
		return;
	t->state = state;
	plain_tell_line(t, "Status: %s.", state);
}

/* ", quiet for 25 s, stalled at 300 s" */
static void tell_add_quiet(struct plain_quiet quiet, struct buf *out)
{
	if (quiet.ms < VIEW_QUIET_MS)
		return;
	buf_printf(out, ", quiet for %lld s", (long long)quiet.ms / 1000);
	if (quiet.limit_ms)
		buf_printf(out, ", stalled at %lld s", (long long)quiet.limit_ms / 1000);
}

void plain_tell_work(struct plain_tell *t, const struct turn *live, struct plain_quiet quiet, int64_t now_ms)
{
	char time[FIGURE_SIZE], count[FIGURE_SIZE];
	struct buf line;

	if (live != t->working) {
		t->working = live;
		t->began_ms = now_ms;
		t->next_work_ms = now_ms + PLAIN_WORK_MS;
	}
	if (!live || now_ms < t->next_work_ms)
		return;
	int64_t tokens = meter_tokens(&live->meter);
	buf_init(&line, 512);
	buf_printf(&line, "Still working, %s", figure_seconds(time, (double)(now_ms - t->began_ms)));
	if (tokens)
		buf_printf(&line, ", about %s so far", figure_of(count, tokens, "token"));
	tell_add_quiet(quiet, &line);
	plain_tell_line(t, "%s.", buf_z(&line));
	buf_fini(&line);
	while (t->next_work_ms <= now_ms) /* the program may have been stopped for a long time */
		t->next_work_ms += PLAIN_WORK_MS;
}

int64_t plain_tell_deadline(const struct plain_tell *t)
{
	return t->working ? t->next_work_ms : NO_DEADLINE;
}
