/* The source of a page: maps rows to the lines of the source. */
#include "ui/page/page.h"

#include <string.h>

static size_t page_line_start(struct str text, size_t at)
{
	return str_behind_last(str_head(text, at), '\n');
}

static size_t page_line_end(struct str text, size_t at)
{
	const char *feed = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;

	return feed ? (size_t)(feed - text.ptr) : text.len;
}

/* --- blocks of markdown --- */

/* A block and the blocks that continue it: long blocks are split. */
struct block_group { size_t first, last, start, end; };

static struct block_group page_block_group(const struct markdown *m, size_t block)
{
	struct block_group g = { .first = block, .last = block };

	while (g.first && markdown_block_at(m, g.first)->continues)
		g.first--;
	while (g.last + 1 < markdown_count(m) && markdown_block_at(m, g.last + 1)->continues)
		g.last++;
	g.start = markdown_block_at(m, g.first)->start;
	g.end = markdown_block_at(m, g.last)->end;
	return g;
}

/* The bytes [from, to) of a text. */
struct byte_range { size_t from, to; };

/* Wrapped text: a row ends where the next one begins, which may be in the middle of a later source line. */
static struct byte_range page_text_range(struct str text, const struct markdown_layout *layout, size_t row, size_t block_end)
{
	size_t at = row < layout->count ? layout->rows[row].source : block_end;
	size_t next = row + 1 < layout->count ? layout->rows[row + 1].source : block_end;

	return (struct byte_range){ page_line_start(text, at), page_line_end(text, next > at ? next - 1 : at) };
}

static struct byte_range page_markdown_range(const struct page *p, const struct item *item, size_t block, size_t row)
{
	const struct markdown_block *info = markdown_block_at(item->markdown, block);
	struct block_group g = page_block_group(item->markdown, block);
	const struct markdown_layout *layout = markdown_lay_out(item->markdown, block, page_item_width(p, item));
	size_t at = row < layout->count ? layout->rows[row].source : info->start;
	struct byte_range range = { page_line_start(item->text, at), page_line_end(item->text, at) };

	switch (p->options.raw ? MARKDOWN_CODE : info->kind) {
	case MARKDOWN_PARAGRAPH:
	case MARKDOWN_HEADING:
	case MARKDOWN_LIST_ITEM:
	case MARKDOWN_QUOTE:
		range = page_text_range(item->text, layout, row, info->end);
		break;
	case MARKDOWN_RULE:
	case MARKDOWN_MATH:
	case MARKDOWN_DEFINITION:
	case MARKDOWN_BLANK:
		return (struct byte_range){ page_line_start(item->text, g.start), g.end };
	case MARKDOWN_CODE:
		return range;
	case MARKDOWN_TABLE:
		break;
	}
	if (block == g.first && !row && page_line_start(item->text, g.start) < range.from)
		range.from = page_line_start(item->text, g.start);
	return range;
}

/* The end of the row's block, if this is the block's last row and the block begins at or after `from`; else 0. */
static size_t page_block_end(const struct page *p, const struct item *item, struct page_row at, size_t from)
{
	size_t block = at.piece - item->first_piece;
	struct block_group g = page_block_group(item->markdown, block);
	size_t rows = markdown_rows(item->markdown, block, page_item_width(p, item));

	return block == g.last && at.row + 1 >= rows && from <= g.start ? g.end : 0;
}

/* --- rows --- */

/* True if the rows of an item show a source text. */
static bool page_has_source(const struct item *item)
{
	return item && item->kind != ITEM_HEAD && item->kind != ITEM_WORDS && (item->markdown || item->flow);
}

/* The bytes that a row shows. False for a generated row: the range is then empty, at the start or the end of the text. */
static bool page_range(struct page *p, const struct item *item, struct page_row at, struct byte_range *range)
{
	*range = (struct byte_range){ 0, 0 };
	if (!page_has_source(item))
		return false;
	if (item->markdown) {
		*range = page_markdown_range(p, item, at.piece - item->first_piece, at.row);
		return true;
	}
	if (at.row < page_has_line(item, at.piece))
		return false;
	struct str text;
	const struct flow *flow = page_flow(p, item, at.piece, &text);
	size_t row = page_rows_before(p, item, at.piece) + at.row - page_has_line(item, at.piece);
	if (row >= flow->count) {
		*range = (struct byte_range){ item->text.len, item->text.len };
		return false;
	}
	size_t block = (size_t)(text.ptr - item->text.ptr), next = block + (row + 1 < flow->count ? flow->starts[row + 1] : text.len);
	*range = (struct byte_range){ page_line_start(item->text, block + flow->starts[row]), page_line_end(item->text, next ? next - 1 : 0) };
	if (item->source.len)
		*range = (struct byte_range){ 0, item->text.len };
	return true;
}

static bool page_row_is_before(struct page_row a, struct page_row b)
{
	return a.piece != b.piece ? a.piece < b.piece : a.row < b.row;
}

static struct page_row page_next_row(struct page *p, struct page_row at)
{
	if (++at.row < page_piece_rows(p, at.piece))
		return at;
	return (struct page_row){ at.piece + 1, 0 };
}

bool page_line(struct page *p, struct page_row at, struct page_row *first, struct page_row *last)
{
	const struct item *item = page_item(p, at.piece);
	struct page_row from, to;
	struct byte_range range, other;

	*first = *last = at;
	if (!page_range(p, item, at, &range))
		return false;
	size_t begin = page_received_offset(item, range.from), end = page_received_offset(item, range.to > range.from ? range.to - 1 : range.from);
	page_find(p, (struct page_mark){ .part = item->part, .offset = begin }, &from.piece, &from.row);
	page_find(p, (struct page_mark){ .part = item->part, .offset = end }, &to.piece, &to.row);
	/* No row starts at a line's leading blanks and markers: the row that was found may show the end of the previous line. */
	while (page_row_is_before(from, at) && !(page_range(p, item, from, &other) && other.from >= range.from))
		from = page_next_row(p, from);
	*first = page_row_is_before(from, at) ? from : at;
	*last = page_row_is_before(at, to) ? to : at;
	return true;
}

/* --- text --- */

static struct str page_without_blank_lines(struct str text)
{
	const char *last = text.ptr;

	for (size_t i = 0; i < text.len && char_is_blank(text.ptr[i]); i++)
		if (text.ptr[i] == '\n')
			last = text.ptr + i + 1;
	text = str_skip(text, (size_t)(last - text.ptr));
	while (text.len && char_is_blank(text.ptr[text.len - 1]))
		text.len--;
	return text;
}

/* The end of the source range that begins at byte `from` and covers the rows up to `last`. */
static size_t page_row_end(struct page *p, const struct item *item, struct page_row last, size_t from)
{
	struct byte_range range;
	(void)page_range(p, item, last, &range);
	size_t end = item->markdown && range.to ? page_block_end(p, item, last, from) : 0;

	return end > range.to ? end : range.to;
}

/* Code is copied as it is shown. */
static size_t page_copied_offset(const struct item *item, size_t offset)
{
	return item->cites ? page_cites_received(item->cites, offset) : offset;
}

void page_source(struct page *p, struct page_row first, struct page_row last, struct buf *out)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct item *item = &p->items[i];
		size_t behind = item->first_piece + item->piece_count;
		struct byte_range range = { 0, item->text.len };

		if (!page_has_source(item) || behind <= first.piece || item->first_piece > last.piece)
			continue;
		if (first.piece >= item->first_piece)
			page_range(p, item, first, &range);
		range.to = last.piece < behind ? page_row_end(p, item, last, range.from) : item->text.len;
		range = (struct byte_range){ page_copied_offset(item, range.from), page_copied_offset(item, range.to) };
		struct str text = item->cites ? item->received : item->text;
		struct str source = str_head(str_skip(text, range.from), range.to > range.from ? range.to - range.from : 0);
		source = page_without_blank_lines(item->source.len && source.len ? item->source : source);
		if (source.len && out->len)
			buf_add_z(out, "\n\n");
		buf_add(out, source);
	}
}
