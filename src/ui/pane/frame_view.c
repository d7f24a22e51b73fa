#include "ui/pane/frame_view.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/least.h"
#include "base/mem.h"
#include "base/search.h"
#include "render/highlight.h"
#include "chat/conversation/figure.h"

#define SHOWN_BYTES ((size_t)64 << 10)   /* of the frame */
#define DELTAS_SHOWN 20u
#define DELTA_BYTES 400u                 /* of what one delta says */
#define TEXT_BYTES ((size_t)4 << 20)     /* pretty-printed, the bytes may be many more */
#define FOLD_LEVEL 1u                    /* deeper values are folded */
#define LEXED_BYTES ((size_t)8 << 10)    /* of a line that are coloured */

void frame_view_init(struct frame_view *v)
{
	*v = (struct frame_view){ 0 };
	buf_init(&v->text, TEXT_BYTES);
	flow_init(&v->flow);
}

void frame_view_fini(struct frame_view *v)
{
	buf_fini(&v->text);
	flow_fini(&v->flow);
	mem_free(v->lines);
}

void frame_view_forget(struct frame_view *v)
{
	v->trace = NULL;
}

/* --- lines --- */

static void frame_begin_line(struct frame_view *v, enum role_name role, bool is_json)
{
	*ARRAY_ADD(v->lines, v->count, v->capacity) = (struct frame_line){ v->text.len, (uint8_t)role, is_json };
}

static void frame_add_line(struct frame_view *v, enum role_name role, bool is_json, struct str text)
{
	frame_begin_line(v, role, is_json);
	buf_add(&v->text, text);
	buf_add_byte(&v->text, '\n');
}

static void PRINTF_LIKE(3, 4) frame_say(struct frame_view *v, enum role_name role, const char *format, ...)
{
	char words[400];
	va_list args;

	va_start(args, format);
	vsnprintf(words, sizeof words, format, args);
	va_end(args);
	frame_add_line(v, role, false, str_from(words));
}

/* Invalid bytes become their values: <ff>. */
static void frame_mark_invalid(struct str bytes, struct buf *out)
{
	while (bytes.len) {
		size_t bad = 0, valid = utf8_valid_length(bytes, &bad);

		buf_add(out, str_head(bytes, valid));
		bytes = str_skip(bytes, valid);
		for (; bytes.len && bad; bad--, bytes = str_skip(bytes, 1))
			buf_printf(out, "\u2039%02x\u203a", (unsigned char)*bytes.ptr);
	}
}

static size_t frame_indent(struct str line)
{
	size_t indent = 0;

	while (indent < line.len && line.ptr[indent] == ' ')
		indent++;
	return indent;
}

/* Leaves out the lines up to the one that closes a value which begins at the end of `line`. */
static void frame_fold_value(struct frame_view *v, struct str line, struct str *rest)
{
	struct str next = STR_NONE;

	do
		if (!str_split(rest, '\n', &next))
			break;
	while (frame_indent(next) > frame_indent(line));
	frame_begin_line(v, ROLE_TEXT, true);
	buf_printf(&v->text, "%.*s \u2026 %.*s\n", STR_ARG(line), STR_ARG(str_trim(next)));
}

static void frame_add_json(struct frame_view *v, struct str json)
{
	struct buf pretty;
	struct str rest, line;

	buf_init(&pretty, TEXT_BYTES / 2);
	json_scan_pretty(json, &pretty);
	rest = buf_str(&pretty);
	while (str_split(&rest, '\n', &line)) {
		bool opens = line.len && strchr("{[", line.ptr[line.len - 1]);

		if (v->folded && opens && frame_indent(line) / 2 >= FOLD_LEVEL)
			frame_fold_value(v, line, &rest);
		else
			frame_add_line(v, ROLE_TEXT, true, line);
	}
	buf_fini(&pretty);
}

static bool frame_begins_json(struct str text)
{
	text = str_trim_start(text);
	return text.len && strchr("{[", *text.ptr);
}

/* A line of an event stream: its field, and its value behind it, or below if it is JSON. */
static void frame_add_field(struct frame_view *v, struct str line)
{
	size_t colon = str_find(line, STR(":"));
	struct str name = str_head(line, colon), value = str_trim_start(str_skip(line, colon + 1));

	if (str_is_blank(line))
		return;
	if (!colon) {
		frame_add_line(v, ROLE_COMMENT, false, line);
	} else if (frame_begins_json(value) && colon < line.len) {
		frame_add_line(v, ROLE_LABEL, false, name);
		frame_add_json(v, value);
	} else {
		frame_add_line(v, ROLE_LABEL, false, line);
	}
}

static void frame_add_fields(struct frame_view *v, struct str text)
{
	while (text.len) {
		size_t end = 0;

		while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
			end++;
		frame_add_field(v, str_head(text, end));
		text = str_skip(text, end + 1);
	}
}

static void frame_add_bytes(struct frame_view *v, const struct trace_row *row)
{
	struct buf bytes, text;

	buf_init(&bytes, SHOWN_BYTES);
	buf_init(&text, SHOWN_BYTES * 9);
	trace_bytes(v->trace, v->row, 0, SHOWN_BYTES, &bytes);
	frame_mark_invalid(buf_str(&bytes), &text);
	v->is_invalid = text.len > bytes.len;
	struct str shown = str_trim(buf_str(&text));
	bool is_plain = row->kind == TRACE_JSON || row->kind == TRACE_BODY || trace_words(v->trace, v->row).len;
	if (is_plain && frame_begins_json(shown))
		frame_add_json(v, shown);
	else
		frame_add_fields(v, shown);
	buf_fini(&bytes);
	buf_fini(&text);
	if (v->length > SHOWN_BYTES) {
		char figure[FIGURE_SIZE];

		frame_say(v, ROLE_MUTED, "\u2026 %s more: y copies the frame", figure_bytes(figure, v->length - SHOWN_BYTES));
	}
}

/* --- what is known about it --- */

static void frame_add_head(struct frame_view *v, const struct trace_row *row)
{
	char figure[FIGURE_SIZE];

	frame_begin_line(v, ROLE_MUTED, false);
	if (trace_frame(v->trace, v->row))
		buf_printf(&v->text, "frame %zu", trace_frame(v->trace, v->row));
	else
		buf_add_z(&v->text, trace_kind_name((enum trace_kind)row->kind));
	if (row->at_ms >= 0)
		buf_printf(&v->text, "   %.3f s", row->at_ms / 1000);
	if (row->at_ms >= 0 && v->row)
		buf_printf(&v->text, "   +%.1f ms", row->at_ms - trace_at(v->trace, v->row - 1)->at_ms);
	if (v->length)
		buf_printf(&v->text, "   %s at %s", figure_bytes(figure, v->length), figure_count((char[FIGURE_SIZE]){ 0 }, (int64_t)row->offset));
	buf_add_byte(&v->text, '\n');
}

/* What came, then the rule and what it promises. */
static void frame_add_finding(struct frame_view *v, enum lint_severity severity, const char *came, const char *rule, const char *promise)
{
	frame_say(v, severity == LINT_BREAKS_CLIENTS ? ROLE_TROUBLE : ROLE_NOTICE, "! %s: %s", lint_severity_words(severity), came);
	frame_say(v, ROLE_MUTED, "  %s: %s", rule, promise);
}

static void frame_add_findings(struct frame_view *v)
{
	const struct session_finding *s;
	const struct finding *f;

	for (size_t next = 0; (f = trace_finding(v->trace, v->row, &next));)
		frame_add_finding(v, lint_rule_severity(f->rule), f->message, lint_rule_id(f->rule), lint_rule_promise(f->rule));
	for (size_t next = 0; (s = trace_session_finding(v->trace, v->row, &next));)
		frame_add_finding(v, s->rule->severity, s->words, s->rule->id, s->rule->promise);
}

static void frame_add_deltas(struct frame_view *v)
{
	size_t first = trace_first_delta(v->trace, v->row), shown = least_size(v->deltas - first, DELTAS_SHOWN);
	struct buf says;

	buf_init(&says, TEXT_BYTES);
	for (size_t i = first; i < first + shown; i++) {
		buf_clear(&says);
		trace_write_delta(v->trace, i, &says);
		enum delta_kind kind = delta_log_kind(trace_log(v->trace), i);
		frame_begin_line(v, kind == DELTA_NOTICE ? ROLE_NOTICE : kind == DELTA_ERROR ? ROLE_TROUBLE : ROLE_ACCENT, false);
		buf_printf(&v->text, "%s%s", i == first ? "became " : "       ", delta_kind_name(kind));
		if (says.len > 2)
			buf_printf(&v->text, " %.*s", STR_ARG(utf8_head(buf_str(&says), DELTA_BYTES)));
		buf_add_byte(&v->text, '\n');
	}
	if (first + shown < v->deltas)
		frame_say(v, ROLE_MUTED, "\u2026 and %zu more: weir decode --frames has all", v->deltas - first - shown);
	buf_fini(&says);
}

bool frame_view_show(struct frame_view *v, const struct trace *trace, size_t at, bool folded)
{
	const struct trace_row *row = trace_at(trace, at);
	bool another = v->trace != trace || v->row != at || v->folded != folded;

	if (!another && v->length == trace_length(trace, at) && v->deltas == row->deltas_end && v->findings == trace_findings(trace))
		return false;
	v->trace = trace;
	v->row = at;
	v->folded = folded;
	v->length = trace_length(trace, at);
	v->deltas = row->deltas_end;
	v->findings = trace_findings(trace);
	v->count = 0;
	buf_clear(&v->text);
	flow_reset(&v->flow);
	frame_add_head(v, row);
	/* Deviations that the decoder accepted. */
	for (unsigned mark = 0; mark < TRACE_MARKS; mark++)
		if (row->marks & 1u << mark && mark != FRAMER_COMMENT && mark != FRAMER_FIELDS && mark != TRACE_FINDING)
			frame_say(v, trace_mark_is_usual(mark) ? ROLE_MUTED : ROLE_NOTICE, "%s %s", trace_mark_is_usual(mark) ? "-" : "!",
			          trace_mark_words(mark));
	frame_add_findings(v);
	if (trace_words(trace, at).len)
		frame_say(v, ROLE_ACCENT, "%s: %.*s", trace_kind_name((enum trace_kind)row->kind), STR_ARG(trace_words(trace, at)));
	else
		frame_add_deltas(v);
	if (v->length) {
		frame_add_line(v, ROLE_TEXT, false, STR_NONE);
		frame_add_bytes(v, row);
	}
	return another;
}

/* --- drawing --- */

size_t frame_view_rows(struct frame_view *v, unsigned columns)
{
	flow_update(&v->flow, buf_str(&v->text), columns);
	return v->flow.count;
}

static size_t frame_line_of(const struct frame_view *v, size_t offset)
{
	struct search s = search_in(0, v->count);

	while (search_next(&s))
		search_take(&s, v->lines[s.middle].start <= offset);
	return s.low ? s.low - 1 : 0;
}

/* Spans of a line that a row shows. */
#define SPANS_MOST 512
struct frame_spans {
	struct str row;
	struct span spans[SPANS_MOST];
	size_t count;
	const char *end;   /* of the last span */
};

static void frame_add_span(struct frame_spans *s, struct str text, enum role_name role)
{
	if (text.len && s->count < SPANS_MOST)
		s->spans[s->count++] = (struct span){ .text = text, .role = (uint8_t)role };
}

static void frame_take_span(void *ctx, const struct span *span)
{
	struct frame_spans *s = ctx;
	const char *from = span->text.ptr, *to = from + span->text.len, *end = s->row.ptr + s->row.len;

	from = from < s->row.ptr ? s->row.ptr : from;
	to = to > end ? end : to;
	if (from < to)
		frame_add_span(s, str_of(from, (size_t)(to - from)), span->role == ROLE_TEXT ? ROLE_CODE : (enum role_name)span->role);
	s->end = to > s->end ? to : s->end;
}

/* Draws it again where it is in a row: over what is there. */
static void frame_mark_all(struct canvas *canvas, struct area at, struct str row, struct str needle, enum role_name role, size_t extra)
{
	for (size_t i = str_find(row, needle); needle.len && i < row.len;) {
		size_t length = least_size(needle.len + extra, row.len - i);
		unsigned column = flow_columns(str_head(row, i), at.columns);

		canvas_put(canvas, at.row, at.column + column, at.columns - column, role, str_of(row.ptr + i, length));
		i += length + str_find(str_skip(row, i + length), needle);
	}
}

static void frame_draw_row(const struct frame_view *v, struct canvas *canvas, struct area at, size_t index, struct str needle)
{
	const struct frame_line *line = &v->lines[frame_line_of(v, v->flow.starts[index])];
	struct str text = str_skip(buf_str(&v->text), line->start), row = flow_row(&v->flow, buf_str(&v->text), index);
	struct frame_spans spans = { .row = row, .end = row.ptr };

	if (!line->is_json) {
		canvas_put(canvas, at.row, at.column, at.columns, (enum role_name)line->role, row);
	} else {
		canvas_fill(canvas, at, ROLE_CODE);
		highlight_line(language_find(STR("json")), 0, str_head(text, least_size(str_find(text, STR("\n")), LEXED_BYTES)), frame_take_span,
		               &spans);
		frame_add_span(&spans, str_of(spans.end, (size_t)(row.ptr + row.len - spans.end)), ROLE_CODE);
		canvas_put_spans(canvas, at.row, at.column, at.columns, spans.spans, spans.count);
	}
	if (v->is_invalid)
		frame_mark_all(canvas, at, row, STR("\u2039"), ROLE_TROUBLE, 5);
	frame_mark_all(canvas, at, row, needle, ROLE_HIT, 0);
}

void frame_view_draw(struct frame_view *v, struct canvas *canvas, struct area area, size_t first, struct str needle)
{
	size_t rows = frame_view_rows(v, area.columns);

	for (unsigned r = 0; r < area.rows && first + r < rows; r++)
		frame_draw_row(v, canvas, (struct area){ area.row + r, area.column, 1, area.columns }, first + r, needle);
}
