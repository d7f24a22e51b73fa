/* The items of a page, and the words that are generated for them. */
#include "ui/page/page_inside.h"

#include "base/mem.h"

#define NO_WORDS ((size_t)-1)

struct item *page_add_item(struct page *p, enum item_kind kind, size_t part, enum role_name role)
{
	struct item *item = ARRAY_ADD(p->items, p->count, p->capacity);
	*item = (struct item){
		.kind = kind, .part = part, .role = role, .fold = PAGE_NO_PART, .result = PAGE_NO_PART,
		.words_at = NO_WORDS, .figures_at = NO_WORDS, .text_at = NO_WORDS,
	};
	return item;
}

void page_end_words(struct page *p, size_t start, size_t *at, struct str *view)
{
	*at = start;
	view->len = p->words.len - start;
}

void page_add_siblings(struct page *p, struct item *item)
{
	size_t start = p->words.len;

	page_words_siblings(p->siblings, p->ascii, &p->words);
	item->kept = (unsigned)utf8_width(str_skip(buf_str(&p->words), start));
	buf_add_z(&p->words, item->kept ? "  " : "");
}

void page_end_figures(struct page *p, size_t start, struct item *item)
{
	page_end_words(p, start, &item->figures_at, &item->figures);
	while (item->figures.len && buf_z(&p->words)[start + item->figures.len - 1] == ' ')
		item->figures.len--;
}

static struct str page_settle_words(const struct page *p, size_t at, struct str view)
{
	return at == NO_WORDS ? view : str_of(buf_z(&p->words) + at, view.len);
}

/* An unfolded text is separated from what follows, except from the result of the same call. So is a sentence between two texts. */
static bool page_is_parted(const struct item *item, const struct item *next)
{
	bool is_text = next->kind == ITEM_TEXT && next->piece_count;

	if (item->joint || (item->kind == ITEM_FOLD && item->role == ROLE_REASONING && is_text && !item->tail))
		return true;
	if (item->kind == ITEM_HEAD || next->body) /* which looks like a heading */
		return is_text && next->markdown && markdown_block_at(next->markdown, 0)->kind == MARKDOWN_HEADING;
	if (item->kind != ITEM_FOLD || (!item->flow && !item->image.len && !item->body))
		return false;
	return next->kind == ITEM_FOLD ? next->fold != item->fold : next->kind != ITEM_TEXT || next->piece_count;
}

void page_settle_items(struct page *p)
{
	p->pieces = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct item *item = &p->items[i];

		item->words = page_settle_words(p, item->words_at, item->words);
		item->figures = page_settle_words(p, item->figures_at, item->figures);
		item->text = page_settle_words(p, item->text_at, item->text);
		if (item->flow)
			flow_text_update(item->flow, item->text, item->tail > 0);
		item->first_piece = p->pieces;
		item->piece_count = item->markdown ? markdown_count(item->markdown) : item->flow ? item->flow->count : 1;
		p->pieces += item->piece_count;
	}
	for (size_t i = 0; i + 1 < p->count; i++) {
		p->items[i].parted = page_is_parted(&p->items[i], &p->items[i + 1]);
		/* A sentence about an error or between two texts is separated from what is before it. */
		p->items[i + 1].spaced = p->items[i + 1].kind == ITEM_WORDS && (p->items[i + 1].sign.len || p->items[i + 1].joint) &&
		                         (p->items[i].kind == ITEM_TEXT || p->items[i].kind == ITEM_FOLD) && !p->items[i].parted;
	}
	p->pieces++; /* the blank row between turns: a turn without rows has none */
}
