#include <inttypes.h>
#include <limits.h>
#include <string.h>

#include "render/markdown/markdown_layout.h"

#define TAB_COLUMNS 4
#define INDENT 2
#define LONG_LINES 10 /* minimum number of lines to be shown in the label */

struct code {
	struct layouter *layouter;
	const struct language *language;
	struct str line;        /* the text to highlight */
	size_t source;          /* offset of its first byte */
	bool exact;
	uint8_t role;
	struct buf expanded;
};

static void on_span(void *ctx, const struct span *span)
{
	struct code *code = ctx;
	size_t at = (size_t)(span->text.ptr - code->line.ptr);
	struct strip_style style = { .role = span->role == ROLE_TEXT ? code->role : span->role, .attributes = span->attributes };

	if (span->text.len)
		strip_add(&code->layouter->strip, span->text, style, code->exact ? code->source + at : code->source, code->exact);
}

static void drop_span(void *ctx, const struct span *span)
{
	(void)ctx, (void)span;
}

/* Prepares a line for display: expands tabs, removes the indentation of the fence. */
static void read_code_line(struct code *code, const struct markdown_body *body, struct str line, unsigned indent)
{
	struct line_cursor cursor = { .rest = line, .spare = body->spare };
	struct str *rest = &cursor.rest;
	struct buf *out = &code->expanded;
	unsigned column = 0;

	line_skip_blanks(&cursor, indent);
	code->source = (size_t)(rest->ptr - body->text.ptr);
	code->exact = !cursor.spare && (!rest->len || !memchr(rest->ptr, '\t', rest->len));
	code->line = *rest;
	if (code->exact)
		return;
	buf_clear(out);
	for (; cursor.spare; cursor.spare--, column++)
		buf_add_byte(out, ' ');
	for (size_t i = 0; i < rest->len; i++) {
		unsigned blanks = rest->ptr[i] == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 0;

		column += blanks;
		for (; blanks; blanks--)
			buf_add_byte(out, ' ');
		if (rest->ptr[i] == '\t')
			continue;
		buf_add_byte(out, rest->ptr[i]);
		column += !utf8_is_inside(rest->ptr[i]);
	}
	code->line = buf_str(out);
}

static highlight_state highlight(struct code *code, highlight_state state, highlight_sink *sink)
{
	if (code->language)
		return highlight_line(code->language, state, code->line, sink, code);
	sink(code, &(struct span){ .text = code->line });
	return state;
}

static const struct language *language_of(const struct markdown_scan *scan, const struct markdown_record *record)
{
	size_t length = record->block.language.len;

	return length ? language_find(str_of(scan->text.ptr + record->language, length)) : NULL;
}

highlight_state layout_code_state(struct layouter *layouter, const struct markdown_scan *scan, const struct markdown_record *record,
                                  highlight_state state)
{
	struct code code = { .layouter = layouter, .language = language_of(scan, record) };
	struct markdown_body body;
	struct str line;

	if (!code.language)
		return 0;
	body_open(&body, scan, record);
	while (body_line(&body, &line)) {
		read_code_line(&code, &body, line, record->level);
		state = highlight(&code, state, drop_span);
	}
	buf_fini(&code.expanded);
	return state;
}

unsigned layout_code_column(const struct markdown_scan *scan, const struct markdown_record *record, size_t offset)
{
	struct code code = { .layouter = NULL };
	struct markdown_body body;
	struct str line;
	unsigned column = 0;
	bool found = false;

	body_open(&body, scan, record);
	while (!found && body_line(&body, &line)) {
		size_t start = (size_t)(line.ptr - body.text.ptr);

		found = offset <= start + line.len;
		if (found)
			read_code_line(&code, &body, str_head(line, offset > start ? offset - start : 0), record->level);
	}
	if (found)
		column = flow_columns(code.line, UINT_MAX);
	buf_fini(&code.expanded);
	return column;
}

/* The number of lines of the whole block if it is complete and long; else 0. */
static uint32_t count_of(const struct layout_job *job)
{
	size_t last = scan_last_chunk(job->scan, job->record->first);
	const struct markdown_record *end = &job->scan->records[last];
	bool open = last + 1 == job->scan->state.record_count && end->block.open && !end->closed;

	return open || end->lines < LONG_LINES ? 0 : end->lines;
}

/* The count appears when the block closes. It is omitted if it would need a row of its own, because nothing may move then. */
static void lay_label(struct layouter *layouter, struct layout_job *job)
{
	struct str language = str_of(job->scan->text.ptr + job->record->language, job->record->block.language.len);
	struct strip_style style = { .role = ROLE_CODE_LABEL };
	struct strip *strip = &layouter->strip;
	struct buf *count = &layouter->scratch;
	bool first = true;

	if (!language.len)
		return;
	strip_add(strip, language, style, job->record->block.start, false);
	buf_clear(count);
	if (job->layout->counted)
		buf_printf(count, " \u00B7 %" PRIu32 " lines", job->layout->counted);
	if (flow_columns(language, job->content) + flow_columns(buf_str(count), job->content) <= job->content)
		strip_add(strip, buf_str(count), style, job->record->block.start, false);
	layout_wrap(job->layout, strip, &job->margin, &first, job->content);
}

/* On a band the label takes no row and no width: who draws puts it where there is room. */
static bool is_band(const struct layout_job *job)
{
	return job->options->code_band && !job->options->raw;
}

/* Resumes the layout of the block when it was shorter, unless the label has changed. */
static void check_label(struct layouter *layouter, struct layout_job *job)
{
	if (job->record->block.continues || job->options->raw)
		return;
	job->layout->view.lines = is_band(job) ? count_of(job) : 0;
	if (is_band(job))
		return;
	uint32_t count = job->record->block.language.len ? count_of(job) : 0;
	if (job->layout->resume && job->layout->counted != count) {
		job->layout->resume = 0;
		layout_restart(layouter, job);
	}
	job->layout->counted = count;
	if (!job->layout->resume)
		lay_label(layouter, job);
}

/* On a band, rows that continue a line are indented without a sign, which selecting in the terminal would copy. */
static void band_margin(struct layout_job *job)
{
	static const struct span none = { .text = { "", 0 }, .role = ROLE_CODE }, wrapped = { .text = { "  ", INDENT }, .role = ROLE_CODE };
	bool within = job->record->block.continues && job->scan->records[job->block - 1].cut;
	struct margin *margin = &job->margin;

	job->layout->view.code_at = margin->columns;
	if (job->content < INDENT * 4 || job->options->clip_code)
		return;
	margin->continued = &wrapped;
	margin->first[margin->first_count++] = within ? wrapped : none;
	margin->rest[margin->rest_count++] = none;
	job->content -= INDENT;
}

/* Code is indented, so that it is recognizable without colour. */
static void indent_margin(struct layout_job *job, bool first)
{
	static const struct span indent = { .text = { "  ", INDENT }, .role = ROLE_CODE };
	static const struct span wrapped = { .text = { "\u21B3 ", 4 }, .role = ROLE_CODE_LABEL };
	struct margin *margin = &job->margin;
	bool within = job->record->block.continues && job->scan->records[job->block - 1].cut;

	if (!first) {
		memcpy(margin->first, margin->rest, sizeof margin->first);
		margin->first_count = margin->rest_count;
	}
	if (is_band(job))
		band_margin(job);
	if (job->options->raw || is_band(job))
		return;
	if (job->content >= INDENT * 4) {
		margin->continued = &wrapped;
		margin->first[margin->first_count++] = within ? wrapped : indent;
		margin->rest[margin->rest_count++] = indent;
		margin->columns += INDENT;
		job->content -= INDENT;
	}
	job->layout->view.code_at = margin->columns;
}

/* The band ends with the longest line. What continues one is indented. */
static void widen_band(struct layout_job *job, struct str line)
{
	unsigned columns = flow_columns(line, job->content + 1);
	unsigned end = job->margin.columns + (columns > job->content ? job->content + INDENT : columns);

	if (end > job->layout->view.band_end)
		job->layout->view.band_end = end;
}

static void lay_line(struct code *code, struct layout_job *job, bool *first)
{
	struct strip *strip = &code->layouter->strip;

	if (is_band(job))
		widen_band(job, code->line);
	if (job->options->clip_code && !job->options->raw) {
		layout_clip(job->layout, strip, &job->margin, *first, job->options->sideways, job->content);
		if (!strip->text.len) /* its strip has no source offset */
			job->layout->rows[job->layout->view.count - 1].source = job->layout->rows[job->layout->view.count - 1].shown = code->source;
		*first = false;
		return;
	}
	if (!strip->text.len) /* an empty line takes a row */
		strip_end_line(strip, code->source);
	layout_wrap(job->layout, strip, &job->margin, first, job->content);
}

void layout_code(struct layouter *layouter, struct layout_job *job)
{
	const struct markdown_record *record = job->record;
	struct code code = { .layouter = layouter, .language = language_of(job->scan, record),
		.role = job->options->raw ? ROLE_TEXT : ROLE_CODE };
	struct layout *layout = job->layout;
	highlight_state state;
	struct markdown_body body;
	bool first;
	struct str line;

	check_label(layouter, job);
	state = layout->resume ? layout->state : job->state;
	first = layout->view.count <= job->gap;
	job->content += job->options->raw ? 0 : layout_spare(job);
	indent_margin(job, first);
	body_open(&body, job->scan, record);
	body_resume(&body, layout->resume);
	for (;;) {
		size_t start = body.at;

		/* its gap comes with its first row */
		if (start <= job->scan->complete.at && start != layout->resume && !scan_shows_nothing(record)) {
			layout->mark = layout_mark_of(layout);
			layout->resume = start;
			layout->state = state;
		}
		if (!body_line(&body, &line))
			break;
		size_t from = layout->view.count;

		strip_clear(&layouter->strip);
		read_code_line(&code, &body, line, record->level);
		state = highlight(&code, state, on_span);
		lay_line(&code, job, &first);
		if (is_band(job))
			for (size_t i = from; i < layout->view.count; i++)
				layout->rows[i].band = true;
	}
	if (is_band(job) && first && !record->block.continues && !scan_shows_nothing(record)) {
		/* A block with a label that has no line yet gets an empty row. */
		for (unsigned i = 0; i < job->margin.first_count; i++)
			layout_add(layout, job->margin.first[i]);
		layout_end_row(layout, record->block.start, false);
		layout->rows[layout->view.count - 1].band = true;
	}
	if (record->cut && layout->view.count)
		layout->rows[layout->view.count - 1].wraps = true;
	buf_fini(&code.expanded);
}
