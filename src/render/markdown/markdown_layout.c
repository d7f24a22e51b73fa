#include "render/markdown/markdown_layout.h"

#include <string.h>

#include "base/mem.h"
#include "render/markdown/markdown_link.h"
#include "render/markdown/markdown_math.h"

#define MATH_LIMIT ((size_t)1 << 18)

void layouter_init(struct layouter *layouter)
{
	*layouter = (struct layouter){ 0 };
	inline_init(&layouter->parser);
	writer_init(&layouter->writer);
	strip_init(&layouter->strip);
	layouter->cells = mem_new(MARKDOWN_COLUMNS * sizeof *layouter->cells);
	for (unsigned i = 0; i < MARKDOWN_COLUMNS; i++)
		strip_init(&layouter->cells[i]);
}

void layouter_fini(struct layouter *layouter)
{
	inline_fini(&layouter->parser);
	writer_fini(&layouter->writer);
	strip_fini(&layouter->strip);
	buf_fini(&layouter->scratch);
	for (unsigned i = 0; i < MARKDOWN_COLUMNS; i++)
		strip_fini(&layouter->cells[i]);
	mem_free(layouter->cells);
}

size_t layout_offset(const struct layout_job *job, const char *ptr)
{
	return (size_t)(ptr - job->scan->text.ptr);
}

unsigned layout_spare(const struct layout_job *job)
{
	return job->options->wide > job->width ? job->options->wide - job->width : 0;
}

/* --- margins --- */

static const struct span quote_bar = { .text = { "\u2502 ", 4 }, .role = ROLE_QUOTE };

static struct str blanks_of(struct layout *layout, unsigned columns)
{
	char *blanks = layout_room(layout, columns);

	memset(blanks, ' ', columns);
	return str_of(blanks, columns);
}

/* Adds the marker of a footnote: its raised number, as in the text, or its label as written. */
static void add_note_sign(const struct layout_job *job, const struct markdown_container *note, struct buf *sign)
{
	struct str label = str_of(job->scan->text.ptr + note->marker, note->marker_length);
	size_t digits = line_note_digits(label);

	for (size_t i = 0; i < digits; i++)
		buf_add_z(sign, math_letter(MATH_SUPERSCRIPT, (uint32_t)label.ptr[2 + i]));
	if (!digits)
		buf_add(sign, label);
	buf_add_byte(sign, ' ');
}

/* The marker of an item: its number, or a bullet for its depth, and its task box. */
static struct str sign_of(struct layouter *layouter, struct layout_job *job, const struct markdown_container *item, unsigned level)
{
	static const char *const bullets[] = { "\u2022 ", "\u25E6 ", "\u25AA " };
	struct buf *sign = &layouter->scratch;

	buf_clear(sign);
	if (item->footnote) {
		add_note_sign(job, item, sign);
		return layout_copy(job->layout, buf_str(sign));
	}
	if (item->ordered) {
		buf_add(sign, str_of(job->scan->text.ptr + item->marker, item->marker_length));
		buf_add_byte(sign, ' ');
	}
	if (item->task)
		buf_add_z(sign, item->task == ' ' ? "\u2610 " : "\u2611 ");
	else if (!item->ordered)
		buf_add_z(sign, bullets[(level - 1) % (sizeof bullets / sizeof *bullets)]);
	return layout_copy(job->layout, buf_str(sign));
}

static unsigned columns_of(const struct layout_job *job, const struct markdown_container *container)
{
	if (container->footnote) {
		size_t digits = line_note_digits(str_of(job->scan->text.ptr + container->marker, container->marker_length));

		return (unsigned)(digits ? digits : container->marker_length) + 1;
	}
	if (container->quote || (!container->ordered))
		return 2;
	return container->marker_length + 1u + (container->task ? 2 : 0);
}

/* Sets markers and indentation of the containers. Outer ones are omitted when all would take more than half of the width. */
static void set_margin(struct layouter *layouter, struct layout_job *job)
{
	const struct markdown_container *chain[MARKDOWN_DEPTH];
	unsigned depth = body_chain(job->scan, job->record, chain), skip = 0, level = 0;
	struct margin *margin = &job->margin;

	margin->columns = margin->first_count = margin->rest_count = 0;
	margin->continued = NULL;
	for (unsigned i = 0; i < depth; i++)
		margin->columns += columns_of(job, chain[i]);
	while (skip < depth && margin->columns > job->width / 2)
		margin->columns -= columns_of(job, chain[skip++]);
	for (unsigned i = 0; i < depth; i++) {
		bool begins = i + job->record->opened >= depth;
		struct span blanks;

		if (chain[i]->quote) {
			if (i >= skip)
				margin->first[margin->first_count++] = margin->rest[margin->rest_count++] = quote_bar;
			continue;
		}
		level += !chain[i]->ordered && !chain[i]->footnote;
		if (i < skip)
			continue;
		blanks = (struct span){ .text = blanks_of(job->layout, columns_of(job, chain[i])) };
		margin->rest[margin->rest_count++] = blanks;
		if (begins)
			blanks = (struct span){ .text = sign_of(layouter, job, chain[i], level),
				.role = chain[i]->footnote ? ROLE_ACCENT : ROLE_TABLE_EDGE };
		margin->first[margin->first_count++] = blanks;
	}
	job->content = job->width > margin->columns ? job->width - margin->columns : 1;
}

static bool is_quoted(const struct layout_job *job)
{
	const struct markdown_container *chain[MARKDOWN_DEPTH];
	unsigned depth = body_chain(job->scan, job->record, chain);

	for (unsigned i = 0; i < depth; i++)
		if (chain[i]->quote)
			return true;
	return false;
}

/* --- kinds --- */

void layout_inline(struct layouter *layouter, struct layout_job *job, struct strip *strip, struct str text, struct strip_style style, bool open)
{
	inline_begin(&layouter->parser);
	if (text.len)
		inline_add_line(&layouter->parser, text, layout_offset(job, text.ptr));
	inline_parse(&layouter->parser, open);
	write_inline(&layouter->writer, &layouter->parser, strip, job->layout, style, true);
}

/* Adds a row for a marker without text. */
static void add_sign_row(struct layout_job *job)
{
	for (unsigned i = 0; i < job->margin.first_count; i++)
		layout_add(job->layout, job->margin.first[i]);
	layout_end_row(job->layout, job->record->block.start, false);
}

/* Adds the rows of the strip; at least one. */
static void wrap(struct layouter *layouter, struct layout_job *job)
{
	bool first = true;

	layout_wrap(job->layout, &layouter->strip, &job->margin, &first, job->content);
	if (first)
		add_sign_row(job);
}

/*
 * The row at which layout may resume when the text has grown; 0: none. Its start must be outside of all constructs, after a blank of the
 * source (a lone CR is shown, so it is not a blank), and not inside a source unit (an entity). Since the end of a row depends on what
 * follows, the row after it must be settled too.
 */
static size_t row_to_resume(const struct layouter *layouter, const struct layout_job *job, struct strip_style style)
{
	const struct strip *strip = &layouter->strip;
	const size_t *starts = strip->flow.starts;
	const char *text = job->scan->text.ptr;
	size_t settled = inline_source(&layouter->parser, layouter->parser.settled);

	for (size_t row = strip->flow.count; row-- > 2;) {
		size_t source = strip_source(strip, starts[row - 1]);

		if (strip_source(strip, starts[row]) > settled || source >= settled || !strip_is_styled(strip, starts[row - 1], style))
			continue;
		if (text[source - 1] == '\r' || strip_source(strip, starts[row - 2]) >= source)
			continue;
		if (char_is_blank(text[source - 1]) && !char_is_blank(text[source]))
			return row - 1;
	}
	return 0;
}

/* Adds the rows of a text and sets the point from which layout may resume. */
static void wrap_text(struct layouter *layouter, struct layout_job *job, struct strip_style style)
{
	struct layout *layout = job->layout;
	const struct strip *strip = &layouter->strip;
	bool first = !layout->resume;
	size_t row = 0;

	strip_wrap(&layouter->strip, job->content);
	if (job->record->block.kind != MARKDOWN_HEADING) /* emphasis does not change a heading's style */
		row = row_to_resume(layouter, job, style);
	layout_add_rows(layout, strip, &job->margin, &first, 0, row);
	if (row) {
		layout->mark = layout_mark_of(layout);
		layout->resume = strip_source(strip, strip->flow.starts[row]);
	}
	layout_add_rows(layout, strip, &job->margin, &first, row, strip->flow.count);
	if (first)
		add_sign_row(job);
}

static void layout_text(struct layouter *layouter, struct layout_job *job)
{
	const struct markdown_record *record = job->record;
	struct strip_style style = { .role = is_quoted(job) ? ROLE_QUOTE : ROLE_TEXT };
	struct markdown_body body;
	struct str line;

	if (record->block.kind == MARKDOWN_HEADING) {
		style.role = ROLE_HEADING;
		style.attributes = STYLE_BOLD | (record->level == 1 ? STYLE_UNDERLINE : record->level > 2 ? STYLE_ITALIC : 0);
	}
	body_open(&body, job->scan, record);
	body_resume_within(&body, job->layout->resume);
	inline_begin(&layouter->parser);
	while (body_line(&body, &line))
		inline_add_line(&layouter->parser, line, layout_offset(job, line.ptr));
	inline_parse(&layouter->parser, record->block.open);
	write_inline(&layouter->writer, &layouter->parser, &layouter->strip, job->layout, style, false);
	wrap_text(layouter, job, style);
	if (record->cut && job->layout->view.count)
		job->layout->rows[job->layout->view.count - 1].wraps = true;
}

static void layout_blank(struct layouter *layouter, struct layout_job *job)
{
	if (job->spare)
		return;
	(void)layouter;
	for (unsigned i = 0; i < job->margin.rest_count; i++)
		layout_add(job->layout, job->margin.rest[i]);
	layout_end_row(job->layout, job->record->block.start, false);
}

static void layout_rule(struct layouter *layouter, struct layout_job *job)
{
	strip_clear(&layouter->strip);
	for (unsigned i = 0; i < job->content; i++)
		strip_add(&layouter->strip, STR("\u2500"), (struct strip_style){ .role = ROLE_TABLE_EDGE }, job->record->block.start, false);
	wrap(layouter, job);
}

/* Lays out display math as Unicode text, else as its source. */
static void layout_math(struct layouter *layouter, struct layout_job *job)
{
	struct strip_style style = { .role = ROLE_MATH };
	struct markdown_record record = *job->record;
	struct buf tex, text;
	struct markdown_body body;
	struct str line;

	if (!record.closed && !record.block.open && !record.block.continues && record.body >= 2)
		record.body -= 2;
	buf_init(&tex, MATH_LIMIT);
	buf_init(&text, MATH_LIMIT);
	body_open(&body, job->scan, &record);
	while (body_line(&body, &line)) {
		if (!str_is_blank(line))
			strip_add(&layouter->strip, str_trim(line), style, layout_offset(job, line.ptr), false);
		if (!str_is_blank(line))
			strip_end_line(&layouter->strip, layout_offset(job, line.ptr));
		buf_add(&tex, line);
		buf_add_byte(&tex, '\n');
	}
	if ((record.closed || record.block.open) && math_to_text(buf_str(&tex), !record.closed, &text) && text.len) {
		struct str rest = buf_str(&text);

		strip_clear(&layouter->strip);
		while (str_split(&rest, '\n', &line)) {
			strip_add(&layouter->strip, line, style, record_body(&record), false);
			strip_end_line(&layouter->strip, record_body(&record));
		}
	}
	wrap(layouter, job);
	buf_fini(&tex);
	buf_fini(&text);
}

/* Lays out a definition as written, with its destination as a link. */
static void layout_definition(struct layouter *layouter, struct layout_job *job)
{
	const struct markdown_record *record = job->record;
	struct strip_style muted = { .role = ROLE_MUTED }, link = { .role = ROLE_LINK, .attributes = STYLE_UNDERLINE };
	struct line_definition definition;
	struct markdown_body body;
	struct str line;
	size_t at;

	body_open(&body, job->scan, record);
	if (!body_line(&body, &line))
		return;
	line = str_trim(line);
	if (line_is_definition(line, record->block.open, &definition)) {
		if (link_is_address(definition.destination))
			link.link = layout_link(job->layout, definition.destination);
		at = (size_t)(definition.destination.ptr - line.ptr);
		strip_add(&layouter->strip, str_head(line, at), muted, layout_offset(job, line.ptr), true);
		strip_add(&layouter->strip, definition.destination, link, layout_offset(job, definition.destination.ptr), true);
		line = str_skip(line, at + definition.destination.len);
	}
	strip_add(&layouter->strip, line, muted, layout_offset(job, line.ptr), true);
	wrap(layouter, job);
}

/* Whether a heading begins with `#`. An underlined one was shown as a paragraph before. */
static bool has_heading_sign(const struct layout_job *job)
{
	size_t at = record_body(job->record);

	while (at > job->record->block.start && char_is_blank(job->scan->text.ptr[at - 1]))
		at--;
	return at > job->record->block.start && job->scan->text.ptr[at - 1] == '#';
}

/* Whether a blank row separates the block from the one above where the source has no blank line. None is added within lists and quotes. */
static bool needs_gap(const struct layout_job *job)
{
	static const bool apart[] = { [MARKDOWN_CODE] = true, [MARKDOWN_TABLE] = true, [MARKDOWN_RULE] = true, [MARKDOWN_MATH] = true,
		[MARKDOWN_BLANK] = false };
	const struct markdown_record *record = job->record;
	const struct markdown_container *chain[MARKDOWN_DEPTH];
	size_t at = scan_above(job->scan, job->block);

	if (at == job->block || job->options->raw || record->block.continues || record->block.kind == MARKDOWN_BLANK ||
	    scan_shows_nothing(record) || body_chain(job->scan, record, chain) > record->opened)
		return false;
	enum markdown_kind above = job->scan->records[at].block.kind;
	if (above == MARKDOWN_BLANK || above == MARKDOWN_HEADING)
		return false;
	return at + 1 < job->block || apart[above] || apart[record->block.kind] || (record->block.kind == MARKDOWN_HEADING && has_heading_sign(job));
}

void layout_restart(struct layouter *layouter, struct layout_job *job)
{
	layout_return(job->layout, job->layout->resume ? job->layout->mark : (struct layout_mark){ 0 });
	set_margin(layouter, job);
	job->gap = needs_gap(job);
	if (job->gap && !job->layout->resume)
		layout_end_row(job->layout, job->record->block.start, false);
}

void layout_block(struct layouter *layouter, struct layout_job *job)
{
	static void (*const by_kind[])(struct layouter *, struct layout_job *) = {
		[MARKDOWN_PARAGRAPH] = layout_text, [MARKDOWN_HEADING] = layout_text, [MARKDOWN_LIST_ITEM] = layout_text,
		[MARKDOWN_QUOTE] = layout_text, [MARKDOWN_CODE] = layout_code, [MARKDOWN_TABLE] = layout_table,
		[MARKDOWN_RULE] = layout_rule, [MARKDOWN_MATH] = layout_math, [MARKDOWN_DEFINITION] = layout_definition,
		[MARKDOWN_BLANK] = layout_blank,
	};

	job->record = &job->scan->records[job->block];
	layouter->writer.definitions = &job->scan->definitions;
	layouter->writer.definition_count = job->scan->state.definition_count;
	layouter->writer.document = job->scan->text;
	layouter->writer.strikes = job->options->strikes;
	layout_restart(layouter, job);
	strip_clear(&layouter->strip);
	if (job->options->raw)
		layout_code(layouter, job);
	else
		by_kind[job->record->block.kind](layouter, job);
	layout_finish(job->layout);
}
