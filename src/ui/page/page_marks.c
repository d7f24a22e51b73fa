/* Marks: places on a page that outlast a layout. */
#include "ui/page/page_inside.h"

static size_t page_shown_offset(const struct item *item, size_t received)
{
	if (item->fence)
		return item->fence + (received > item->before ? received - item->before : 0);
	return item->cites ? page_cites_shown(item->cites, received) : received;
}

/* The offset of a row of the text. The blank row behind the text is beyond its end. */
static size_t page_row_start(const struct page *p, const struct item *item, size_t piece, size_t row)
{
	const struct flow *flow = page_rows_of(p, item, piece);
	size_t at = page_rows_before(p, item, piece) + row;

	return at < flow->count ? page_block_start(item, piece) + flow->starts[at] : item->text.len + 1;
}

struct page_mark page_mark_of(struct page *p, size_t piece, size_t row)
{
	const struct item *item = page_item(p, piece);
	struct page_mark mark = { PAGE_NO_PART, 0, 1, false };

	for (size_t i = 0; i < p->count && &p->items[i] != item; i++)
		mark.ordinal += p->items[i].part == PAGE_NO_PART;
	if (!item) { /* the row between turns */
		mark.ordinal = PAGE_NO_PART;
		return mark;
	}
	mark.part = item->part;
	mark.on_line = page_has_line(item, piece) && (!row || (!item->flow && !item->image.len)); /* a line alone has its gap */
	if (item->markdown) {
		const struct markdown_layout *layout = markdown_lay_out(item->markdown, piece - item->first_piece, page_item_width(p, item));

		mark.offset = row < layout->count ? page_received_offset(item, layout->rows[row].source) : item->parted ? item->text.len + 1 : 0;
	} else if (item->image.len) {
		mark.offset = mark.on_line ? 0 : row - 1;
	} else {
		mark.offset = mark.on_line || !item->flow ? 0 : page_row_start(p, item, piece, row - page_has_line(item, piece));
	}
	return mark;
}

/* The row of a piece that shows an offset of the text. */
static size_t page_row_of(struct page *p, const struct item *item, size_t piece, size_t offset)
{
	size_t rows = page_piece_rows(p, piece), first = page_rows_before(p, item, piece);
	size_t at = flow_row_of(page_rows_of(p, item, piece), offset - page_block_start(item, piece));
	size_t row = page_has_line(item, piece) + (at > first ? at - first : 0);

	return rows && (row >= rows || (page_has_gap(item, piece) && offset > item->text.len)) ? rows - 1 : row;
}

static bool page_shows(const struct page *p, size_t part)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].part == part)
			return true;
	return false;
}

void page_find(struct page *p, struct page_mark mark, size_t *piece, size_t *row)
{
	size_t ordinal = 0;
	bool is_start = mark.part == PAGE_NO_PART && !mark.ordinal; /* a prompt, and a bare page, has no head */

	if (mark.part != PAGE_NO_PART && mark.part >= p->own_parts && !page_shows(p, mark.part))
		mark = (struct page_mark){ .part = page_fold_of(p, mark.part), .on_line = true }; /* a result that is folded away */
	*piece = is_start ? 0 : p->pieces - 1;
	*row = 0;
	page_piece_rows(p, *piece); /* lays the piece out, because the caller may draw it */
	for (size_t i = 0; i < p->count; i++) {
		const struct item *item = &p->items[i];
		bool mine = item->part == mark.part && (item->part != PAGE_NO_PART || ordinal == mark.ordinal) &&
		            (mark.on_line || i + 1 == p->count || !p->items[i + 1].body || p->items[i + 1].part != mark.part);

		ordinal += item->part == PAGE_NO_PART;
		bool is_part = mark.part != PAGE_NO_PART && item->part != PAGE_NO_PART && item->part < p->own_parts;
		bool behind = is_part && item->part > mark.part; /* the marked part is not shown */
		if (!mine && !behind)
			continue;
		*piece = item->first_piece;
		if (!mine)
			return;
		if (item->markdown && item->piece_count) {
			size_t offset = page_shown_offset(item, mark.offset);
			size_t block = markdown_block_of(item->markdown, offset);

			*piece += block;
			*row = markdown_row_of(item->markdown, block, page_item_width(p, item), offset);
		} else if (item->image.len && !mark.on_line) {
			size_t rows = page_piece_rows(p, *piece);

			*row = mark.offset + 1 < rows ? mark.offset + 1 : rows - 1;
		} else if (item->flow && !mark.on_line) {
			*piece += flow_text_block(item->flow, mark.offset);
			*row = page_row_of(p, item, *piece, mark.offset);
		}
		return;
	}
}
