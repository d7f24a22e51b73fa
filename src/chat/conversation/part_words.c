#include "chat/conversation/part_words.h"

#include <string.h>

#include "base/array.h"
#include "base/image_size.h"
#include "base/json_scan.h"
#include "base/utf8.h"
#include "chat/conversation/figure.h"
#include "chat/conversation/sound.h"
#include "chat/conversation/turn.h"

#define PARSED_MOST ((size_t)1 << 20) /* bytes of arguments; larger ones are shown as received */
#define VALUE_MOST ((size_t)120)
#define MORE_SIGN "\u2026"
#define CAPTION_MOST ((size_t)200)
#define PAGES_MOST ((size_t)1 << 20) /* bytes of a list of pages that is read */

bool part_words_lasted(const struct part *part)
{
	return part->begun_ms >= 0 && part->ended_ms - part->begun_ms >= FIGURE_SHORT_MS;
}

void part_words_flat(struct str text, size_t most, struct buf *out)
{
	struct str head = utf8_head(text, most);
	bool blank = true; /* none at the start */

	for (size_t i = 0; i < head.len; i++) {
		bool is_blank = char_is_blank(head.ptr[i]);

		if (!is_blank || !blank)
			buf_add_byte(out, is_blank ? ' ' : head.ptr[i]);
		blank = is_blank;
	}
	if (head.len < text.len)
		buf_add_z(out, MORE_SIGN);
}

/* The first line of JSON that is laid out in several says nothing. */
static bool part_words_only_opens(struct str line)
{
	size_t i = 0;

	while (i < line.len && (line.ptr[i] == '[' || line.ptr[i] == '{'))
		i++;
	return line.len && i == line.len;
}

void part_words_first_line(struct str text, struct buf *out)
{
	struct str whole = str_trim(text), rest = whole, line = STR_NONE;

	str_split(&rest, '\n', &line);
	if (part_words_only_opens(str_trim(line)))
		line = whole;
	if (!whole.len)
		buf_add_z(out, "(empty)");
	part_words_flat(str_trim(line), PART_WORDS_BRIEF, out);
	if (str_trim(line).len < whole.len && line.len <= PART_WORDS_BRIEF)
		buf_add_z(out, " " MORE_SIGN);
}

static void part_words_value(struct str value, struct buf *out)
{
	struct buf text;
	char first = value.len ? *value.ptr : 0;

	if (first == '{' || first == '[') {
		bool empty = !str_trim(str_head(str_skip(value, 1), value.len - 2)).len;

		buf_printf(out, "%c%s%c", first, empty ? "" : MORE_SIGN, first == '{' ? '}' : ']');
		return;
	}
	buf_init(&text, BUF_LIMIT_DEFAULT);
	if (first == '"')
		json_scan_unescape(str_head(str_skip(value, 1), value.len - 2), false, &text);
	else
		buf_add(&text, value);
	part_words_flat(buf_str(&text), VALUE_MOST, out);
	buf_fini(&text);
}

void part_words_arguments(const struct part *call, struct buf *out)
{
	struct str whole = str_trim(buf_str(&call->text)), key, value;
	size_t start = out->len;

	if (call->kind == PART_SERVER_TOOL && whole.len && !str_starts(whole, "{")) { /* code */
		part_words_first_line(whole, out);
		return;
	}
	bool is_object = str_starts(whole, "{") && whole.len <= PARSED_MOST;
	if (!is_object || (call->kind == PART_TOOL_CALL ? !call->valid : !json_scan_is_whole(whole))) {
		part_words_flat(whole, PART_WORDS_BRIEF, out);
		return;
	}
	for (struct json_spans spans = json_spans_of(whole); json_spans_next(&spans, &key, &value);) {
		if (out->len - start > PART_WORDS_BRIEF) {
			buf_add_z(out, "  " MORE_SIGN);
			return;
		}
		buf_add_z(out, out->len > start ? "  " : "");
		part_words_flat(key, VALUE_MOST, out);
		buf_add_byte(out, '=');
		part_words_value(value, out);
	}
}

static size_t part_words_find_result(const struct turn *t, enum part_kind kind, int call)
{
	for (size_t i = 0; i < t->part_count; i++)
		if (t->parts[i].kind == kind && t->parts[i].call == call)
			return i;
	return PART_NONE;
}

size_t part_words_result(const struct part *call, const struct turn *after)
{
	return after && after->role == TURN_USER ? part_words_find_result(after, PART_TOOL_RESULT, call->call) : PART_NONE;
}

size_t part_words_server_result(const struct turn *t, const struct part *tool)
{
	return part_words_find_result(t, PART_SERVER_RESULT, tool->call);
}

static const char *const run_words[] = {
	[CALL_RUN_NONE] = "waiting", [CALL_RUN_UNKNOWN] = "no such tool", [CALL_RUN_UNOFFERED] = "not offered",
	[CALL_RUN_ASKS] = "asks", [CALL_RUN_WAITS] = "waits", [CALL_RUN_RUNS] = "running", [CALL_RUN_RAN] = "ran", [CALL_RUN_FAILED] = "failed",
	[CALL_RUN_REFUSED] = "not run", [CALL_RUN_LATE] = "timed out", [CALL_RUN_STOPPED] = "stopped",
};

static const char *part_words_state(const struct turn *t, const struct part *call, const struct turn *after)
{
	size_t result = part_words_result(call, after);
	bool whole_answer = t->outcome == OUTCOME_COMPLETE || t->outcome == OUTCOME_TOOL_CALLS;

	if (call->kind == PART_SERVER_TOOL)
		return call->open && !t->ended ? "running" : call->valid ? "completed" : call->is_error ? "failed" : "incomplete";
	if (call->run >= CALL_RUN_ASKS)
		return run_words[call->run];
	if (call->open && !t->ended)
		return "assembling";
	if (!call->valid)
		return t->ended && whole_answer ? "not JSON" : "incomplete";
	if (result != PART_NONE)
		return part_is_skipped(&after->parts[result]) ? "not run" : after->parts[result].is_error ? "failed" : "answered";
	return after || (t->ended && t->outcome != OUTCOME_TOOL_CALLS) ? "not run" : run_words[call->run];
}

static void part_words_time(const struct part *call, struct buf *out)
{
	char time[FIGURE_SIZE];

	if (call->run >= CALL_RUN_ASKS) {
		if (call->run_ms > 0 && call->run != CALL_RUN_RUNS)
			buf_printf(out, "  %s", figure_seconds(time, call->run_ms));
		return;
	}
	if (part_words_lasted(call))
		buf_printf(out, "  %s", figure_seconds(time, call->ended_ms - call->begun_ms));
}

void part_words_call(const struct turn *t, const struct part *call, const struct turn *after, struct buf *out)
{
	size_t result = call->kind == PART_SERVER_TOOL ? part_words_server_result(t, call) : PART_NONE;

	if (result != PART_NONE) {
		part_words_server_tool(t, call, part_words_found(buf_str(&t->parts[result].text)), out);
		return;
	}
	buf_add_z(out, part_words_state(t, call, after));
	part_words_time(call, out);
}

void part_words_server_tool(const struct turn *t, const struct part *tool, size_t found, struct buf *out)
{
	bool completed = tool->valid && !(tool->open && !t->ended);

	if (completed && found != PART_NONE)
		buf_printf(out, "%zu result%s", found, found == 1 ? "" : "s");
	else
		buf_add_z(out, part_words_state(t, tool, NULL));
	part_words_time(tool, out);
}

/* --- media --- */

/* "png" of "image/png; q=1". */
static struct str short_type(struct str type)
{
	struct str rest = str_skip(type, str_find(type, STR("/")) + 1), word = STR_NONE;

	return str_split(&rest, ';', &word) ? str_trim(word) : STR_NONE;
}

static size_t number_in_kind(const struct turn *t, const struct part *media)
{
	size_t number = 0;

	for (size_t i = t->restarted_at; i < t->part_count; i++) {
		number += t->parts[i].kind == PART_MEDIA && t->parts[i].media_kind == media->media_kind;
		if (&t->parts[i] == media)
			break;
	}
	return number;
}

static const char *state_of(const struct turn *t, const struct part *media)
{
	if (media->open && !t->ended)
		return NULL;
	return media->is_error ? "failed" : media->valid ? NULL : "incomplete";
}

void part_words_media(const struct turn *t, const struct part *media, const char *between, struct buf *out)
{
	struct str type = str_from(media->media), data = blob_str(media->data), shown = short_type(type);
	char figure[FIGURE_SIZE];
	struct image_size size;
	const char *state = state_of(t, media);
	double ms = media->media_kind == MEDIA_AUDIO ? sound_ms(type, data) : 0;

	buf_printf(out, "%s %zu", media_kind_name(media->media_kind), number_in_kind(t, media));
	if (shown.len) {
		buf_add_z(out, between);
		part_words_flat(shown, CAPTION_MOST, out);
	}
	if (image_size_read(data, &size))
		buf_printf(out, "%s%ux%u", between, size.width, size.height);
	if (ms > 0)
		buf_printf(out, "%s%.*s", between, STR_ARG(str_trim(str_from(figure_clock(figure, ms)))));
	if (data.len)
		buf_printf(out, "%s%s", between, figure_bytes(figure, data.len));
	if (media->open && !t->ended && media->partials)
		buf_printf(out, "%spartial %u", between, media->partials);
	if (state)
		buf_printf(out, "%s%s", between, state);
	if (media->thought)
		buf_printf(out, "%sthought", between);
	if (media->media_kind != MEDIA_AUDIO && media->text.len) {
		buf_add_z(out, between);
		part_words_flat(str_trim(buf_str(&media->text)), CAPTION_MOST, out);
	}
	if (!data.len && (media->name || media->id)) {
		buf_add_z(out, between);
		part_words_flat(str_from(media->name ? media->name : media->id), CAPTION_MOST, out);
	}
}

bool part_words_media_is_whole(const struct part *media)
{
	return media->media_kind != MEDIA_AUDIO && media->text.len <= CAPTION_MOST;
}

/* What a found page or file is known by: the first of its members that is a text. */
static struct str name_of_found(struct str item)
{
	static const char *const paths[][2] = { { "url", NULL }, { "filename", NULL }, { "title", NULL } };
	struct str name = STR_NONE;

	for (size_t i = 0; i < ARRAY_LEN(paths) && str_starts(item, "{") && !str_starts(name, "\""); i++)
		name = json_scan_find(item, paths[i]);
	return str_starts(name, "\"") ? name : STR_NONE;
}

static bool is_list(struct str text)
{
	return str_starts(text, "[") && text.len <= PAGES_MOST && json_scan_is_whole(text);
}

/* The name of the first page or file of a list, and how many there are. */
static size_t count_found(struct str list, struct str *first)
{
	struct json_spans items = json_spans_of(list);
	struct str key, item;
	size_t count = 0;

	*first = STR_NONE;
	while (json_spans_next(&items, &key, &item))
		if (!count++)
			*first = name_of_found(item);
	return !count || first->len ? count : PART_NONE;
}

size_t part_words_found(struct str result)
{
	struct str text = str_trim(result), first;

	return is_list(text) ? count_found(text, &first) : PART_NONE;
}

void part_words_server_result_line(const struct part *result, struct buf *out)
{
	struct str text = str_trim(buf_str(&result->text)), first = STR_NONE;
	size_t count = is_list(text) ? count_found(text, &first) : 0;
	struct buf name = { 0 };

	if (!first.len) {
		part_words_first_line(text, out);
		return;
	}
	json_scan_unescape(str_head(str_skip(first, 1), first.len - 2), false, &name);
	part_words_flat(buf_str(&name), CAPTION_MOST, out);
	buf_fini(&name);
	if (count > 1)
		buf_printf(out, " and %zu more", count - 1);
}
