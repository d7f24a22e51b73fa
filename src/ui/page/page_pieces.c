/* What a piece of a page is: what begins there, its code or table, its fold. */
#include "ui/page/page_inside.h"

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
		return !piece && p->count;
	case PAGE_BLOCK:
		return block && (block->kind == MARKDOWN_CODE || block->kind == MARKDOWN_TABLE) && !block->continues;
	case PAGE_TROUBLE:
		return item && item->kind == ITEM_WORDS && str_is(item->sign, "!");
	case PAGE_FOLD:
		return item && item->fold != PAGE_NO_PART && item->fold == item->part && piece == item->first_piece && !item->body;
	}
	return false;
}

size_t page_first_row(const struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	return item && item->spaced && piece == item->first_piece;
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

bool page_table(const struct page *p, size_t piece, struct buf *out)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	if (!block || block->kind != MARKDOWN_TABLE)
		return false;
	markdown_table(item->markdown, piece - item->first_piece, out);
	return true;
}

bool page_columns_of(struct page *p, size_t piece, size_t from, size_t to, unsigned *first, unsigned *last)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	if (block && block->kind == MARKDOWN_TABLE)
		return markdown_cell_columns(item->markdown, piece - item->first_piece, page_item_width(p, item), from, first, last);
	if (!p->options.clip_code || p->options.raw || !block || block->kind != MARKDOWN_CODE)
		return false;
	*first = markdown_code_column(item->markdown, piece - item->first_piece, from);
	*last = markdown_code_column(item->markdown, piece - item->first_piece, to);
	return true;
}

bool page_ends_in_table(const struct page *p)
{
	size_t i = p->count;

	while (i && !p->items[i - 1].markdown)
		i--;
	const struct markdown *m = i ? p->items[i - 1].markdown : NULL;
	return m && markdown_count(m) && markdown_block_at(m, markdown_count(m) - 1)->kind == MARKDOWN_TABLE;
}

const struct markdown_layout *page_scrolled(struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);
	const struct markdown_block *block = page_block(p, piece);

	return block ? markdown_lay_out(item->markdown, piece - item->first_piece, page_item_width(p, item)) : NULL;
}

size_t page_fold_at(const struct page *p, size_t piece)
{
	const struct item *item = page_item(p, piece);

	return item ? item->fold : PAGE_NO_PART;
}

size_t page_fold_of(const struct page *p, size_t part)
{
	for (size_t i = 0; i < p->count && part != PAGE_NO_PART; i++)
		if (p->items[i].part == part || p->items[i].result == part)
			return p->items[i].fold;
	return PAGE_NO_PART;
}

size_t page_result_of(const struct page *p, size_t part)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].result == p->own_parts + part)
			return p->items[i].result;
	return PAGE_NO_PART;
}
