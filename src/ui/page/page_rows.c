/* The rows of a page. A piece is laid out when its rows are requested. */
#include "ui/page/page_inside.h"

#include "base/search.h"
#include "ui/page/hits.h"
#include "ui/rows.h"

#define FIGURES_GAP 2          /* columns before them */
#define FIGURES_BETWEEN "  "
#define WORDS_LEAST 24u        /* columns of a fold's line that its figures leave to its words */

size_t page_pieces(const struct page *p)
{
	return p->pieces;
}

const struct item *page_item(const struct page *p, size_t piece)
{
	struct search s = search_in(0, p->count);

	while (search_next(&s))
		search_take(&s, p->items[s.middle].first_piece + p->items[s.middle].piece_count <= piece);
	return s.low < p->count ? &p->items[s.low] : NULL;
}

unsigned page_item_width(const struct page *p, const struct item *item)
{
	unsigned beside = item->indent + item->margin;

	return p->width > beside + 1 ? p->width - beside : 1;
}

bool page_has_line(const struct item *item, size_t piece)
{
	return piece == item->first_piece && (item->kind == ITEM_HEAD || item->kind == ITEM_FOLD || item->spaced);
}

size_t page_received_offset(const struct item *item, size_t offset)
{
	if (item->fence)
		return item->before + (offset > item->fence ? offset - item->fence : 0);
	return item->cites ? page_cites_received(item->cites, offset) : offset;
}

/* A part's flow may have shown its members before, and may have moved since. */
static void page_set_inset(struct flow *flow, struct member_marks *members)
{
	if (!flow->inset != !members)
		flow_reset(flow);
	flow->inset = members ? member_marks_inset : NULL;
	flow->ctx = members;
}

const struct flow *page_flow(const struct page *p, const struct item *item, size_t piece, struct str *text)
{
	size_t block = piece - item->first_piece;

	*text = flow_text_of(item->flow, item->text, block);
	if (item->members) {
		item->members->width = page_item_width(p, item);
		item->members->text = item->text.ptr;
	}
	page_set_inset(&item->flow->blocks[block].flow, item->members);
	return flow_text_lay_out(item->flow, item->text, block, page_item_width(p, item));
}

const struct flow *page_rows_of(const struct page *p, const struct item *item, size_t piece)
{
	struct str text;

	return page_flow(p, item, piece, &text);
}

size_t page_block_start(const struct item *item, size_t piece)
{
	return item->flow->blocks[piece - item->first_piece].start;
}

size_t page_rows_before(const struct page *p, const struct item *item, size_t piece)
{
	size_t count = item->tail ? page_rows_of(p, item, piece)->count : 0;

	return count > item->tail ? count - item->tail : 0;
}

bool page_has_gap(const struct item *item, size_t piece)
{
	return item->parted && piece + 1 == item->first_piece + item->piece_count;
}

/* An image may be as wide as the window, but for one in a prompt, which has a band. */
static unsigned page_image_columns(const struct page *p, const struct item *item)
{
	unsigned width = page_item_width(p, item);

	return item->band || p->options.wide < width + item->indent ? width : p->options.wide - item->indent;
}

/* Rows of an unfolded image: known from its head, before it is decoded. */
static size_t page_image_rows(const struct page *p, const struct item *item)
{
	return item->image.len ? (picture_fit(item->room, page_image_columns(p, item), p->picture_rows).height + 1) / 2 : 0;
}

static struct image_size page_image_size(const struct page *p, const struct item *item)
{
	struct image_size most = { item->image_size.width, (uint32_t)(2 * page_image_rows(p, item)) };

	return image_size_fit(picture_fit(item->image_size, page_image_columns(p, item), p->picture_rows), most);
}

size_t page_piece_rows(struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	if (!item)
		return p->count > 0;
	if (item->markdown)
		return markdown_rows(item->markdown, piece - item->first_piece, page_item_width(p, item)) + page_has_gap(item, piece);
	size_t rows = item->flow ? page_rows_of(p, item, piece)->count - page_rows_before(p, item, piece) : 0;
	return page_has_line(item, piece) + rows + page_image_rows(p, item) + page_has_gap(item, piece);
}

/* As many of the first figures as there is room for. */
static struct str page_figures_fitting(struct str figures, unsigned columns)
{
	while (figures.len && (unsigned)utf8_width(figures) + FIGURES_GAP > columns) {
		size_t at = figures.len;

		while (at && !str_starts(str_skip(figures, at), FIGURES_BETWEEN))
			at--;
		figures.len = at;
	}
	return figures;
}

/* At the right edge of the text, where `used` columns leave room for them. */
static void page_draw_figures(const struct item *item, struct canvas *canvas, struct area text, unsigned used)
{
	struct str figures = page_figures_fitting(item->figures, text.columns > used ? text.columns - used : 0);

	if (figures.len)
		canvas_put_right(canvas, text.row, text.column, text.columns, item->band ? ROLE_PROMPT_MUTED : ROLE_MUTED, figures);
}

/* A sign stands where the end has no room. Returns the columns used. */
static unsigned page_put_words(const struct item *item, struct canvas *canvas, struct area at)
{
	bool whole = (unsigned)utf8_width(item->words) <= at.columns;
	unsigned room = at.columns - (!whole && at.columns);
	unsigned used = canvas_put(canvas, at.row, at.column, room, item->role, str_head(item->words, item->lead));

	used += canvas_put(canvas, at.row, at.column + used, room - used, item->band ? ROLE_PROMPT_MUTED : ROLE_MUTED,
	                   str_skip(item->words, item->lead));
	return used + (whole ? 0 : canvas_put(canvas, at.row, at.column + used, at.columns - used, ROLE_MUTED, STR("\u2026")));
}

/* The figures beside a generated line. The words give way to those that are kept. */
static struct str page_line_figures(const struct item *item, unsigned columns)
{
	unsigned width = (unsigned)utf8_width(item->words), least = item->kind == ITEM_FOLD && width > WORDS_LEAST ? WORDS_LEAST : width;
	unsigned room = columns > item->line_indent ? columns - item->line_indent : 0, kept = item->kept ? item->kept + FIGURES_GAP : 0;

	if (kept && kept + 1 < room && least + kept > room)
		least = room - kept;
	return page_figures_fitting(item->figures, room > least ? room - least : 0);
}

static void page_draw_line(const struct item *item, struct canvas *canvas, struct area text)
{
	unsigned used = item->line_indent, room = text.columns > used ? text.columns - used : 0;
	struct str figures = page_line_figures(item, text.columns);

	if (figures.len)
		room -= (unsigned)utf8_width(figures) + FIGURES_GAP;
	used += page_put_words(item, canvas, (struct area){ text.row, text.column + used, 1, room });
	page_draw_figures(item, canvas, text, used);
}

int page_sibling_at(struct page *p, size_t piece, size_t row, unsigned column, unsigned columns)
{
	const struct item *item = page_item(p, piece);
	unsigned width = p->width < columns ? p->width : columns;

	if (!item || !item->kept || row || piece != item->first_piece)
		return 0;
	struct str figures = page_line_figures(item, width);
	if (!page_has_line(item, piece)) {
		struct str text;
		const struct flow *flow = page_flow(p, item, piece, &text);
		unsigned used = item->indent + (unsigned)utf8_width(flow_row(flow, text, 0));

		figures = page_figures_fitting(item->figures, width > used ? width - used : 0);
	}
	unsigned shown = (unsigned)utf8_width(figures), at = width - shown;
	if (shown < item->kept || column < at || column >= at + item->kept)
		return 0;
	return column - at < item->kept / 2 ? -1 : 1;
}

static void page_add_row_text(struct buf *out, const struct markdown_row *row)
{
	for (size_t i = 0; i < row->count; i++)
		buf_add(out, row->spans[i].text);
}

/* True if the line was broken at a blank, which neither row shows. */
static bool page_breaks_at_blank(const struct item *item, const struct markdown_row *next)
{
	return next->source && next->source <= item->text.len && char_is_blank(item->text.ptr[next->source - 1]);
}

/* The bytes of the source that a row shows: up to the next row or the end of the block. */
static struct hits_row page_hits_row(const struct page *p, const struct item *item, size_t block, const struct markdown_layout *layout,
                                     size_t row)
{
	size_t end = row + 1 < layout->count ? layout->rows[row + 1].source : markdown_block_at(item->markdown, block)->end;

	return (struct hits_row){ p->hits_turn, item->part, page_received_offset(item, layout->rows[row].shown), page_received_offset(item, end) };
}

static const struct span *page_mark_markdown(const struct page *p, const struct item *item, size_t block,
                                             const struct markdown_layout *layout, size_t row, size_t *count)
{
	const struct markdown_row *at = &layout->rows[row];
	struct buf before, after;

	buf_init(&before, FLOW_ROW_BYTES);
	buf_init(&after, FLOW_ROW_BYTES);
	if (row && at[-1].wraps) {
		page_add_row_text(&before, &at[-1]);
		buf_add_z(&before, page_breaks_at_blank(item, at) ? " " : "");
	}
	if (row + 1 < layout->count && at->wraps) {
		page_add_row_text(&after, &at[1]);
		while (char_is_blank(*buf_z(&after))) /* its margin */
			buf_drop(&after, 1);
		buf_insert(&after, 0, page_breaks_at_blank(item, &at[1]) ? STR(" ") : STR_NONE);
	}
	const struct span *spans = hits_mark(p->hits, buf_str(&before), at->spans, count, buf_str(&after),
	                                     hits_current_in(p->hits, page_hits_row(p, item, block, layout, row)));
	buf_fini(&before);
	buf_fini(&after);
	return spans;
}

/*
 * Language and lines, as far as the code's first row leaves room for them. They end in column `edge`, as in all code and while the longest line
 * grows; at the end of the longest line only if the first one goes beyond it.
 */
static void page_draw_code_label(const struct markdown_block *block, uint32_t lines, struct canvas *canvas, struct area text, unsigned edge,
                                 unsigned used)
{
	struct buf label;

	buf_init(&label, FLOW_ROW_BYTES);
	buf_add(&label, str_head(block->language, FLOW_ROW_BYTES / 2));
	if (lines)
		buf_printf(&label, "%s%u line%s", label.len ? FIGURES_BETWEEN : "", (unsigned)lines, lines == 1 ? "" : "s");
	struct str shown = page_figures_fitting(buf_str(&label), edge > used ? edge - used : 0);
	if (shown.len)
		text.columns = edge;
	else
		shown = page_figures_fitting(buf_str(&label), text.columns > used ? text.columns - used : 0);
	if (shown.len)
		canvas_put_right(canvas, text.row, text.column, text.columns, ROLE_CODE_LABEL, shown);
	buf_fini(&label);
}

static unsigned page_spans_width(const struct span *spans, size_t count)
{
	unsigned width = 0;

	for (size_t i = 0; i < count; i++)
		width += (unsigned)utf8_width(spans[i].text);
	return width;
}

static void page_draw_markdown(const struct page *p, const struct item *item, size_t block, size_t row, struct canvas *canvas,
                               unsigned canvas_row, unsigned column, unsigned columns)
{
	const struct markdown_layout *layout = markdown_lay_out(item->markdown, block, page_item_width(p, item));

	canvas_use_links(canvas, layout->links, layout->link_count);
	if (row >= layout->count || item->indent >= columns)
		return;
	column += item->indent;
	columns -= item->indent;
	size_t count = layout->rows[row].count;
	const struct span *spans = p->hits ? page_mark_markdown(p, item, block, layout, row, &count) : layout->rows[row].spans;
	bool band = layout->rows[row].band;
	unsigned own = page_item_width(p, item), width = layout->band_end > own ? layout->band_end : own;
	if (band) {
		unsigned gutter = !layout->code_at && column, right = width + 1 < columns ? width + 1 : columns;

		/* What the code is drawn on: over the width of the text or its longest line, and a column beyond it where that is the page's. */
		if (right > layout->code_at)
			canvas_fill(canvas, (struct area){ canvas_row, column + layout->code_at - gutter, 1, right - layout->code_at + gutter },
			            ROLE_CODE);
	}
	canvas_put_spans(canvas, canvas_row, column, columns, spans, count);
	const struct markdown_block *code = markdown_block_at(item->markdown, block);
	if (band && !p->alone && !code->continues && (!row || !layout->rows[row - 1].band))
		page_draw_code_label(code, layout->lines, canvas, (struct area){ canvas_row, column, 1, width < columns ? width : columns },
		                     own < columns ? own : columns, page_spans_width(layout->rows[row].spans, layout->rows[row].count));
}

/* As the search counts: a result is part of the turn behind. */
static struct hits_place page_hits_place(const struct page *p, const struct item *item)
{
	bool behind = item->part >= p->own_parts;

	return (struct hits_place){ p->hits_turn + behind, item->part - (behind ? p->own_parts : 0), 0 };
}

/* `row` counts the rows of the text in this piece. */
static void page_draw_text(struct page *p, const struct item *item, size_t piece, size_t row, struct canvas *canvas, struct area text)
{
	struct str part;
	const struct flow *flow = page_flow(p, item, piece, &part);
	size_t index = page_rows_before(p, item, piece) + row, block = page_block_start(item, piece);
	bool is_first = !row && piece == item->first_piece;

	if (is_first && item->sign.len)
		canvas_put(canvas, text.row, text.column, text.columns, item->role, item->sign);
	if (text.columns <= item->indent || index >= flow->count)
		return;
	struct area at = { text.row, text.column + item->indent, 1, text.columns - item->indent };
	struct str shown = flow_row(flow, part, index);
	size_t end = index + 1 < flow->count ? flow->starts[index + 1] : part.len;
	struct rows_part bytes = { block + flow->starts[index], shown.len, block + end };
	struct hits *hits = item->part == PAGE_NO_PART ? NULL : p->hits;
	if (item->sources)
		page_sources_draw(item->sources, canvas, at, item->text, bytes, hits, page_hits_place(p, item));
	else if (item->members)
		rows_put_member(canvas, at, MEMBER_ROLES, item->members, item->text, bytes, hits, page_hits_place(p, item));
	else
		rows_put_part(canvas, at, item->role, item->text, bytes, hits, page_hits_place(p, item));
	if (is_first && !page_has_line(item, piece) && !p->alone)
		page_draw_figures(item, canvas, text, item->indent + (unsigned)utf8_width(shown));
}

/*
 * Two rows of pixels. The last row of an odd height has one: its lower half is that of the upper. A partial picture stays until the next
 * one is decoded.
 */
static void page_draw_image(const struct page *p, const struct item *item, size_t row, struct canvas *canvas, struct area text)
{
	struct image_size size = page_image_size(p, item);
	struct page_text *shown = page_text_of(p, item->part);
	const struct picture *picture = p->pictures->find(p->pictures->ctx, item->image, item->image_blob, size, shown->drawn);

	if (row >= (size.height + 1) / 2)
		return;
	shown->drawn = picture ? picture->version : shown->drawn;
	if (!picture || picture->failed || picture->size.width != size.width || picture->size.height != size.height) {
		if (!row && picture)
			canvas_put(canvas, text.row, text.column + item->indent, text.columns, ROLE_NOTICE, STR("this image cannot be drawn"));
		return;
	}
	uint32_t columns = text.columns > item->indent ? text.columns - item->indent : 0;
	columns = columns < size.width ? columns : size.width;
	if (picture->fine && columns)
		canvas_place_row(canvas, &(struct placed){ picture, picture->version, text.row, text.column + item->indent, 1, columns,
		                                           (unsigned)row });
	for (uint32_t x = 0; x < columns; x++) {
		enum role_name role = item->band ? ROLE_PROMPT : ROLE_TEXT;
		unsigned column = text.column + item->indent + x;

		if (picture->image) {
			canvas_put_image(canvas, text.row, column, role, picture->image, (unsigned)row, x);
			continue;
		}
		const uint8_t *upper = picture->rgb + (2 * row * size.width + x) * 3;
		const uint8_t *lower = 2 * row + 1 < size.height ? upper + (size_t)size.width * 3 : upper;

		canvas_put_picture(canvas, text.row, column, role, (uint32_t)(upper[0] << 16 | upper[1] << 8 | upper[2]),
		                   (uint32_t)(lower[0] << 16 | lower[1] << 8 | lower[2]));
	}
}

void page_draw_row(struct page *p, size_t piece, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column,
                   unsigned columns)
{
	const struct item *item = page_item(p, piece);
	struct area text = { canvas_row, column, 1, p->width < columns ? p->width : columns };

	if (!item)
		return;
	if (item->band) {
		unsigned gutter = text.column > 0, behind = text.column + text.columns < canvas->columns;

		/* The bar is in the gutter. The background goes a column beyond the text at both sides. */
		canvas_fill(canvas, (struct area){ text.row, text.column - gutter, 1, text.columns + gutter + behind }, ROLE_PROMPT);
		if (gutter)
			canvas_put(canvas, text.row, text.column - 1, 1, ROLE_PROMPT_BAR, STR("\u258C"));
	}
	if (item->markdown)
		page_draw_markdown(p, item, piece - item->first_piece, row, canvas, canvas_row, column, columns);
	else if (page_has_line(item, piece) && !row && !item->spaced)
		page_draw_line(item, canvas, text);
	else if (item->image.len)
		page_draw_image(p, item, row - 1, canvas, (struct area){ canvas_row, column, 1, columns });
	else if (item->flow && row >= page_has_line(item, piece))
		page_draw_text(p, item, piece, row - page_has_line(item, piece), canvas, text);
	page_draw_written(p, piece, row, canvas, text);
}

void page_draw_texts(struct page *p, size_t piece, size_t row, struct canvas *canvas)
{
	struct hits *hits = p->hits;
	bool has_written = p->has_written;

	p->hits = NULL;
	p->has_written = false;
	p->alone = true;
	page_draw_row(p, piece, row, canvas, 0, 0, canvas->columns);
	p->hits = hits;
	p->has_written = has_written;
	p->alone = false;
}
