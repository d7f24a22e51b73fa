/* The rows of a page: made of a piece when it is looked at. */
#include "ui/page.h"

#include "ui/hits.h"
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

unsigned page_item_width(const struct page *p, const struct item *b)
{
	return p->width > b->indent + 1 ? p->width - b->indent : 1;
}

bool page_item_has_line(const struct item *b)
{
	return b->kind == ITEM_HEADER || b->kind == ITEM_FOLD;
}

/* Rows of the text that are not shown because only its end is. */
size_t page_item_rows_before(const struct item *b)
{
	return b->tail && b->flow->count > b->tail ? b->flow->count - b->tail : 0;
}

size_t page_piece_rows(struct page *p, size_t piece)
{
	const struct item *b = page_item(p, piece);

	if (!b)
		return 1;
	if (b->markdown)
		return markdown_rows(b->markdown, piece - b->first_piece, page_item_width(p, b));
	if (b->flow)
		flow_update(b->flow, b->text, page_item_width(p, b));
	return page_item_has_line(b) + (b->flow ? b->flow->count - page_item_rows_before(b) : 0) + b->parted;
}

static void put_line(const struct item *b, struct canvas *canvas, struct area area, unsigned width)
{
	unsigned used = canvas_put(canvas, area.row, area.column, area.columns, b->role, b->words);
	unsigned needed = (unsigned)utf8_width(b->figures) + 2;

	if (b->figures.len && used + needed <= width)
		canvas_put_right(canvas, area.row, area.column, width, ROLE_MUTED, b->figures);
}

static void draw_line(const struct item *b, const struct page *p, struct canvas *canvas, unsigned row, unsigned column,
                      unsigned columns)
{
	unsigned width = p->width < columns ? p->width : columns;
	const unsigned looks[] = { CANVAS_PAGE_LINE, column, columns, width, (unsigned)b->role, utf8_profile_number(), (unsigned)b->words.len };
	struct buf key;

	buf_init(&key, BUF_LIMIT_DEFAULT);
	buf_add(&key, str_of((const char *)looks, sizeof looks));
	buf_add(&key, b->words);
	buf_add(&key, b->figures);
	if (!canvas_row_stands(canvas, row, buf_str(&key)))
		put_line(b, canvas, (struct area){ row, column, 1, columns }, width);
	canvas_row_done(canvas, row, buf_str(&key));
	buf_fini(&key);
}

static void add_row(struct buf *out, const struct markdown_row *row)
{
	for (size_t i = 0; i < row->count; i++)
		buf_add(out, row->spans[i].text);
}

/* A blank that the line was broken at is shown in neither row. */
static bool breaks_at_blank(const struct item *b, const struct markdown_row *next)
{
	return next->source && next->source <= b->text.len && char_is_blank(b->text.ptr[next->source - 1]);
}

/* The bytes of the source that a row shows: up to the next row, or the end of its block. */
static struct hits_row row_of(const struct page *p, const struct item *b, size_t block, const struct markdown_layout *layout,
                              size_t row)
{
	size_t end = row + 1 < layout->count ? layout->rows[row + 1].source : markdown_block_at(b->markdown, block)->end;

	return (struct hits_row){ p->hits_turn, b->part, layout->rows[row].shown, end };
}

static const struct span *mark_markdown(const struct page *p, const struct item *b, size_t block, const struct markdown_layout *layout,
                                        size_t row, size_t *count)
{
	const struct markdown_row *at = &layout->rows[row];
	struct buf before, after;

	buf_init(&before, FLOW_ROW_BYTES);
	buf_init(&after, FLOW_ROW_BYTES);
	if (row && at[-1].wraps) {
		add_row(&before, &at[-1]);
		buf_add_z(&before, breaks_at_blank(b, at) ? " " : "");
	}
	if (row + 1 < layout->count && at->wraps) {
		add_row(&after, &at[1]);
		while (char_is_blank(*buf_z(&after))) /* its margin */
			buf_drop(&after, 1);
		buf_insert(&after, 0, breaks_at_blank(b, &at[1]) ? STR(" ") : STR_NONE);
	}
	const struct span *spans = hits_mark(p->hits, buf_str(&before), at->spans, count, buf_str(&after),
	                                     hits_current_in(p->hits, row_of(p, b, block, layout, row)));
	buf_fini(&before);
	buf_fini(&after);
	return spans;
}

static void draw_markdown(const struct page *p, const struct item *b, size_t block, size_t row, struct canvas *canvas,
                          unsigned canvas_row, unsigned column, unsigned columns)
{
	const struct markdown_layout *layout = markdown_lay_out(b->markdown, block, page_item_width(p, b));

	canvas_use_links(canvas, layout->links, layout->link_count);
	if (row >= layout->count)
		return;
	size_t count = layout->rows[row].count;
	const struct span *spans = p->hits ? mark_markdown(p, b, block, layout, row, &count) : layout->rows[row].spans;
	canvas_put_spans(canvas, canvas_row, column, columns, spans, count);
}

void page_draw_row(struct page *p, size_t piece, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column,
                   unsigned columns)
{
	const struct item *b = page_item(p, piece);

	if (!b)
		return;
	if (b->markdown) {
		draw_markdown(p, b, piece - b->first_piece, row, canvas, canvas_row, column, columns);
		return;
	}
	if (page_item_has_line(b) && !row) {
		draw_line(b, p, canvas, canvas_row, column, columns);
		return;
	}
	if (b->parted && row + 1 == page_piece_rows(p, piece))
		return;
	if (!row && b->sign.len)
		canvas_put(canvas, canvas_row, column, columns, b->role, b->sign);
	if (columns > b->indent)
		rows_put_marked(canvas, (struct area){ canvas_row, column + b->indent, 1, columns - b->indent }, b->role, b->flow, b->text,
		                page_item_rows_before(b) + row - page_item_has_line(b), b->part == PAGE_NO_PART ? NULL : p->hits,
		                (struct hits_place){ p->hits_turn, b->part, 0 });
}

/* --- marks --- */

struct page_mark page_mark_of(struct page *p, size_t piece, size_t row)
{
	const struct item *b = page_item(p, piece);
	struct page_mark mark = { PAGE_NO_PART, 0, 1, false };

	for (const struct item *i = p->items; i < (b ? b : p->items + p->count); i++)
		mark.ordinal += i->part == PAGE_NO_PART;
	if (!b)
		return mark;
	mark.part = b->part;
	mark.on_line = page_item_has_line(b) && !row;
	if (b->markdown) {
		const struct markdown_layout *layout = markdown_lay_out(b->markdown, piece - b->first_piece, page_item_width(p, b));

		mark.offset = row < layout->count ? layout->rows[row].source : 0;
	} else {
		size_t at = b->flow ? page_item_rows_before(b) + row - page_item_has_line(b) : 0;

		mark.offset = mark.on_line || !b->flow ? 0 : at < b->flow->count ? b->flow->starts[at] : b->text.len + 1;
	}
	return mark;
}

void page_find(struct page *p, struct page_mark mark, size_t *piece, size_t *row)
{
	size_t ordinal = 0;
	bool is_start = mark.part == PAGE_NO_PART && !mark.ordinal; /* a bare page has no header */

	*piece = is_start ? 0 : p->pieces - 1;
	*row = 0;
	page_piece_rows(p, *piece); /* who finds a row may draw it */
	for (const struct item *b = p->items; b < p->items + p->count; b++) {
		bool mine = b->part == mark.part && (b->part != PAGE_NO_PART || ordinal == mark.ordinal);

		ordinal += b->part == PAGE_NO_PART;
		bool behind = mark.part != PAGE_NO_PART && b->part != PAGE_NO_PART && b->part > mark.part; /* it is not shown here */
		if (!mine && !behind)
			continue;
		*piece = b->first_piece;
		if (!mine)
			return;
		if (b->markdown && b->piece_count) {
			size_t block = markdown_block_of(b->markdown, mark.offset);

			*piece += block;
			*row = markdown_row_of(b->markdown, block, page_item_width(p, b), mark.offset);
		} else if (b->flow && !mark.on_line) {
			size_t rows = page_piece_rows(p, *piece), first = page_item_rows_before(b);
			size_t at = flow_row_of(b->flow, mark.offset);

			*row = page_item_has_line(b) + (at > first ? at - first : 0);
			if (rows && (*row >= rows || (b->parted && mark.offset > b->text.len)))
				*row = rows - 1;
		}
		return;
	}
}

static const struct markdown_block *block_of(const struct page *p, size_t piece)
{
	const struct item *b = page_item(p, piece);

	return b && b->markdown ? markdown_block_at(b->markdown, piece - b->first_piece) : NULL;
}

bool page_begins(const struct page *p, size_t piece, enum page_landmark what)
{
	const struct item *b = page_item(p, piece);
	const struct markdown_block *block = block_of(p, piece);

	switch (what) {
	case PAGE_TURN:
		return !piece;
	case PAGE_CODE:
		return block && block->kind == MARKDOWN_CODE && !block->continues;
	case PAGE_TROUBLE:
		return b && b->kind == ITEM_WORDS && str_is(b->sign, "!");
	}
	return false;
}

bool page_code(const struct page *p, size_t piece, struct buf *out)
{
	const struct item *b = page_item(p, piece);
	const struct markdown_block *block = block_of(p, piece);

	if (!block || block->kind != MARKDOWN_CODE)
		return false;
	markdown_code(b->markdown, piece - b->first_piece, out);
	return true;
}

bool page_code_columns(const struct page *p, size_t piece, size_t from, size_t to, unsigned *first, unsigned *last)
{
	const struct item *b = page_item(p, piece);
	const struct markdown_block *block = block_of(p, piece);

	if (!p->look.clip_code || p->look.raw || !block || block->kind != MARKDOWN_CODE)
		return false;
	*first = markdown_code_column(b->markdown, piece - b->first_piece, from);
	*last = markdown_code_column(b->markdown, piece - b->first_piece, to);
	return true;
}

unsigned page_beyond(struct page *p, size_t piece)
{
	const struct item *b = page_item(p, piece);
	const struct markdown_block *block = block_of(p, piece);

	return block && block->kind == MARKDOWN_CODE ? markdown_lay_out(b->markdown, piece - b->first_piece, page_item_width(p, b))->beyond : 0;
}

size_t page_fold_at(const struct page *p, size_t piece)
{
	const struct item *b = page_item(p, piece);

	return b && b->kind == ITEM_FOLD ? b->part : PAGE_NO_PART;
}
