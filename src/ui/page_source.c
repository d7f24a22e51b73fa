/* The source of a page: which lines of what was written its rows stand for. */
#include "ui/page.h"

#include <string.h>

static size_t line_start(struct str text, size_t at)
{
	const char *feed = at ? memrchr(text.ptr, '\n', at) : NULL;

	return feed ? (size_t)(feed - text.ptr) + 1 : 0;
}

static size_t line_end(struct str text, size_t at)
{
	const char *feed = at < text.len ? memchr(text.ptr + at, '\n', text.len - at) : NULL;

	return feed ? (size_t)(feed - text.ptr) : text.len;
}

/* --- blocks of markdown --- */

/* A block with the chunks that go on from it. */
struct group { size_t first, last, start, end; };

static struct group group_of(const struct markdown *m, size_t block)
{
	struct group g = { .first = block, .last = block };

	while (g.first && markdown_block_at(m, g.first)->continues)
		g.first--;
	while (g.last + 1 < markdown_count(m) && markdown_block_at(m, g.last + 1)->continues)
		g.last++;
	g.start = markdown_block_at(m, g.first)->start;
	g.end = markdown_block_at(m, g.last)->end;
	return g;
}

/* Bytes of a text. */
struct range { size_t from, to; };

/* Text flows: a row ends where the next one begins, perhaps in the middle of the next line. */
static struct range text_range(struct str text, const struct markdown_layout *layout, size_t row, size_t block_end)
{
	size_t at = row < layout->count ? layout->rows[row].source : block_end;
	size_t next = row + 1 < layout->count ? layout->rows[row + 1].source : block_end;

	return (struct range){ line_start(text, at), line_end(text, next > at ? next - 1 : at) };
}

static struct range markdown_range(const struct page *p, const struct item *b, size_t block, size_t row)
{
	const struct markdown_block *info = markdown_block_at(b->markdown, block);
	struct group g = group_of(b->markdown, block);
	const struct markdown_layout *layout = markdown_lay_out(b->markdown, block, page_item_width(p, b));
	size_t at = row < layout->count ? layout->rows[row].source : info->start;
	struct range range = { line_start(b->text, at), line_end(b->text, at) };

	switch (p->look.raw ? MARKDOWN_CODE : info->kind) {
	case MARKDOWN_PARAGRAPH:
	case MARKDOWN_HEADING:
	case MARKDOWN_LIST_ITEM:
	case MARKDOWN_QUOTE:
		range = text_range(b->text, layout, row, info->end);
		break;
	case MARKDOWN_RULE:
	case MARKDOWN_MATH:
	case MARKDOWN_DEFINITION:
	case MARKDOWN_BLANK:
		return (struct range){ line_start(b->text, g.start), g.end };
	case MARKDOWN_CODE:
		return range;
	case MARKDOWN_TABLE:
		break;
	}
	if (block == g.first && !row && line_start(b->text, g.start) < range.from)
		range.from = line_start(b->text, g.start);
	return range;
}

/* The end of the block whose last row this is and that begins at `from` or behind it; else 0. */
static size_t block_end(const struct page *p, const struct item *b, struct page_row at, size_t from)
{
	size_t block = at.piece - b->first_piece;
	struct group g = group_of(b->markdown, block);
	size_t rows = markdown_rows(b->markdown, block, page_item_width(p, b));

	return block == g.last && at.row + 1 >= rows && from <= g.start ? g.end : 0;
}

/* --- rows --- */

/* Whether rows of an item stand for a text at all. */
static bool has_source(const struct item *b)
{
	return b && b->kind != ITEM_HEADER && b->kind != ITEM_WORDS && (b->markdown || b->flow);
}

/* False for a row of weir's own: the range is empty then, and where the row stands: before the text, or behind it. */
static bool range_of(struct page *p, const struct item *b, struct page_row at, struct range *range)
{
	*range = (struct range){ 0, 0 };
	if (!has_source(b))
		return false;
	if (b->markdown) {
		*range = markdown_range(p, b, at.piece - b->first_piece, at.row);
		return true;
	}
	page_piece_rows(p, at.piece);
	size_t row = page_item_rows_before(b) + at.row - page_item_has_line(b);
	if (at.row < page_item_has_line(b))
		return false;
	if (row >= b->flow->count) {
		*range = (struct range){ b->text.len, b->text.len };
		return false;
	}
	size_t next = row + 1 < b->flow->count ? b->flow->starts[row + 1] : b->text.len;
	*range = (struct range){ line_start(b->text, b->flow->starts[row]), line_end(b->text, next ? next - 1 : 0) };
	if (b->source.len)
		*range = (struct range){ 0, b->text.len };
	return true;
}

static bool is_before(struct page_row a, struct page_row b)
{
	return a.piece != b.piece ? a.piece < b.piece : a.row < b.row;
}

static struct page_row next_row(struct page *p, struct page_row at)
{
	if (++at.row < page_piece_rows(p, at.piece))
		return at;
	return (struct page_row){ at.piece + 1, 0 };
}

bool page_line(struct page *p, struct page_row at, struct page_row *first, struct page_row *last)
{
	const struct item *b = page_item(p, at.piece);
	struct page_row from, to;
	struct range range, other;

	*first = *last = at;
	if (!range_of(p, b, at, &range))
		return false;
	page_find(p, (struct page_mark){ .part = b->part, .offset = range.from }, &from.piece, &from.row);
	page_find(p, (struct page_mark){ .part = b->part, .offset = range.to > range.from ? range.to - 1 : range.from }, &to.piece, &to.row);
	/* What a line begins with, blanks and signs, is no row's: the one found may show the end of the line before. */
	while (is_before(from, at) && !(range_of(p, b, from, &other) && other.from >= range.from))
		from = next_row(p, from);
	*first = is_before(from, at) ? from : at;
	*last = is_before(at, to) ? to : at;
	return true;
}

/* --- text --- */

static struct str without_blank_lines(struct str text)
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

/* Where the lines of an item end, if its rows up to `last` are taken from byte `from` on. */
static size_t end_of(struct page *p, const struct item *b, struct page_row last, size_t from)
{
	struct range range;
	(void)range_of(p, b, last, &range);
	size_t end = b->markdown && range.to ? block_end(p, b, last, from) : 0;

	return end > range.to ? end : range.to;
}

void page_source(struct page *p, struct page_row first, struct page_row last, struct buf *out)
{
	for (size_t i = 0; i < p->count; i++) {
		const struct item *b = &p->items[i];
		size_t behind = b->first_piece + b->piece_count;
		struct range range = { 0, b->text.len };

		if (!has_source(b) || behind <= first.piece || b->first_piece > last.piece)
			continue;
		if (first.piece >= b->first_piece)
			range_of(p, b, first, &range);
		range.to = last.piece < behind ? end_of(p, b, last, range.from) : b->text.len;
		struct str source = str_head(str_skip(b->text, range.from), range.to > range.from ? range.to - range.from : 0);
		source = without_blank_lines(b->source.len && source.len ? b->source : source);
		if (source.len && out->len)
			buf_add_z(out, "\n\n");
		buf_add(out, source);
	}
}
