/* The rows of a page. A piece is laid out when its rows are requested. */
#include "ui/page/page.h"

#include "ui/page/hits.h"
#include "ui/rows.h"

size_t page_pieces(const struct page *p)
{
	return p->pieces;
}

const struct item *page_item(const struct page *p, size_t piece)
{
	size_t low = 0, high = p->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (p->items[middle].first_piece + p->items[middle].piece_count > piece)
			high = middle;
		else
			low = middle + 1;
	}
	return low < p->count ? &p->items[low] : NULL;
}

unsigned page_item_width(const struct page *p, const struct item *item)
{
	return p->width > item->indent + 1 ? p->width - item->indent : 1;
}

bool page_item_has_line(const struct item *item)
{
	return item->kind == ITEM_HEADER || item->kind == ITEM_FOLD;
}

size_t page_item_rows_before(const struct item *item)
{
	return item->tail && item->flow->count > item->tail ? item->flow->count - item->tail : 0;
}

size_t page_piece_rows(struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	if (!item)
		return 1;
	if (item->markdown)
		return markdown_rows(item->markdown, piece - item->first_piece, page_item_width(p, item));
	if (item->flow)
		flow_update(item->flow, item->text, page_item_width(p, item));
	return page_item_has_line(item) + (item->flow ? item->flow->count - page_item_rows_before(item) : 0) + item->parted;
}

static void page_draw_line(const struct item *item, const struct page *p, struct canvas *canvas, unsigned row, unsigned column,
                           unsigned columns)
{
	unsigned width = p->width < columns ? p->width : columns;
	unsigned used = canvas_put(canvas, row, column, columns, item->role, item->words);
	unsigned needed = (unsigned)utf8_width(item->figures) + 2;

	if (item->figures.len && used + needed <= width)
		canvas_put_right(canvas, row, column, width, ROLE_MUTED, item->figures);
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

	return (struct hits_row){ p->hits_turn, item->part, layout->rows[row].shown, end };
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

static void page_draw_markdown(const struct page *p, const struct item *item, size_t block, size_t row, struct canvas *canvas,
                               unsigned canvas_row, unsigned column, unsigned columns)
{
	const struct markdown_layout *layout = markdown_lay_out(item->markdown, block, page_item_width(p, item));

	canvas_use_links(canvas, layout->links, layout->link_count);
	if (row >= layout->count)
		return;
	size_t count = layout->rows[row].count;
	const struct span *spans = p->hits ? page_mark_markdown(p, item, block, layout, row, &count) : layout->rows[row].spans;
	canvas_put_spans(canvas, canvas_row, column, columns, spans, count);
}

void page_draw_row(struct page *p, size_t piece, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column,
                   unsigned columns)
{
	const struct item *item = page_item(p, piece);

	if (!item)
		return;
	if (item->markdown) {
		page_draw_markdown(p, item, piece - item->first_piece, row, canvas, canvas_row, column, columns);
		return;
	}
	if (page_item_has_line(item) && !row) {
		page_draw_line(item, p, canvas, canvas_row, column, columns);
		return;
	}
	if (item->parted && row + 1 == page_piece_rows(p, piece))
		return;
	if (!row && item->sign.len)
		canvas_put(canvas, canvas_row, column, columns, item->role, item->sign);
	if (columns <= item->indent)
		return;
	struct area at = { canvas_row, column + item->indent, 1, columns - item->indent };
	rows_put_marked(canvas, at, item->role, item->flow, item->text, page_item_rows_before(item) + row - page_item_has_line(item),
	                item->part == PAGE_NO_PART ? NULL : p->hits, (struct hits_place){ p->hits_turn, item->part, 0 });
}

/* --- marks --- */

struct page_mark page_mark_of(struct page *p, size_t piece, size_t row)
{
	const struct item *item = page_item(p, piece);
	struct page_mark mark = { PAGE_NO_PART, 0, 1, false };

	for (size_t i = 0; i < p->count && &p->items[i] != item; i++)
		mark.ordinal += p->items[i].part == PAGE_NO_PART;
	if (!item)
		return mark;
	mark.part = item->part;
	mark.on_line = page_item_has_line(item) && !row;
	if (item->markdown) {
		const struct markdown_layout *layout = markdown_lay_out(item->markdown, piece - item->first_piece, page_item_width(p, item));

		mark.offset = row < layout->count ? layout->rows[row].source : 0;
	} else {
		size_t at = item->flow ? page_item_rows_before(item) + row - page_item_has_line(item) : 0;

		mark.offset = mark.on_line || !item->flow ? 0 : at < item->flow->count ? item->flow->starts[at] : item->text.len + 1;
	}
	return mark;
}

void page_find(struct page *p, struct page_mark mark, size_t *piece, size_t *row)
{
	size_t ordinal = 0;
	bool is_start = mark.part == PAGE_NO_PART && !mark.ordinal; /* a bare page has no header */

	*piece = is_start ? 0 : p->pieces - 1;
	*row = 0;
	page_piece_rows(p, *piece); /* lays the piece out, because the caller may draw it */
	for (size_t i = 0; i < p->count; i++) {
		const struct item *item = &p->items[i];
		bool mine = item->part == mark.part && (item->part != PAGE_NO_PART || ordinal == mark.ordinal);

		ordinal += item->part == PAGE_NO_PART;
		bool behind = mark.part != PAGE_NO_PART && item->part != PAGE_NO_PART && item->part > mark.part; /* marked part not shown */
		if (!mine && !behind)
			continue;
		*piece = item->first_piece;
		if (!mine)
			return;
		if (item->markdown && item->piece_count) {
			size_t block = markdown_block_of(item->markdown, mark.offset);

			*piece += block;
			*row = markdown_row_of(item->markdown, block, page_item_width(p, item), mark.offset);
		} else if (item->flow && !mark.on_line) {
			size_t rows = page_piece_rows(p, *piece), first = page_item_rows_before(item);
			size_t at = flow_row_of(item->flow, mark.offset);

			*row = page_item_has_line(item) + (at > first ? at - first : 0);
			if (rows && (*row >= rows || (item->parted && mark.offset > item->text.len)))
				*row = rows - 1;
		}
		return;
	}
}

static const struct markdown_block *page_block(const struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	return item && item->markdown ? markdown_block_at(item->markdown, piece - item->first_piece) : NULL;
}

bool page_begins(const struct page *p, size_t piece, enum page_landmark what)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	switch (what) {
	case PAGE_TURN:
		return !piece;
	case PAGE_CODE:
		return block && block->kind == MARKDOWN_CODE && !block->continues;
	case PAGE_TROUBLE:
		return item && item->kind == ITEM_WORDS && str_is(item->sign, "!");
	}
	return false;
}

bool page_code(const struct page *p, size_t piece, struct buf *out)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	if (!block || block->kind != MARKDOWN_CODE)
		return false;
	markdown_code(item->markdown, piece - item->first_piece, out);
	return true;
}

bool page_code_columns(const struct page *p, size_t piece, size_t from, size_t to, unsigned *first, unsigned *last)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	if (!p->options.clip_code || p->options.raw || !block || block->kind != MARKDOWN_CODE)
		return false;
	*first = markdown_code_column(item->markdown, piece - item->first_piece, from);
	*last = markdown_code_column(item->markdown, piece - item->first_piece, to);
	return true;
}

unsigned page_beyond(struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	if (!block || block->kind != MARKDOWN_CODE)
		return 0;
	return markdown_lay_out(item->markdown, piece - item->first_piece, page_item_width(p, item))->beyond;
}

size_t page_fold_at(const struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	return item && item->kind == ITEM_FOLD ? item->part : PAGE_NO_PART;
}
