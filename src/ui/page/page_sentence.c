/* Generated sentences: notices, what stands between two texts, the sources. */
#include "chat/conversation/turn.h"
#include "ui/page/page_inside.h"

#include "ui/rows.h"

#define SENTENCE_MARGIN 2
#define SOURCES_LABEL "sources"
#define SOURCES_SHOWN ((size_t)3) /* of more than one further source, before they are unfolded */

/* NULL if there are too many. */
static struct item *page_add_generated(struct page *p, enum role_name role)
{
	size_t sentences = 0;

	for (size_t i = 0; i < p->count; i++)
		sentences += p->items[i].kind == ITEM_WORDS;
	if (sentences == PAGE_SENTENCES_MAX)
		return NULL;
	struct item *item = page_add_item(p, ITEM_WORDS, PAGE_NO_PART, role);
	item->flow = &p->flows[sentences];
	item->flow->by_gaps = true;
	flow_text_reset(item->flow);
	item->text_at = p->words.len;
	return item;
}

static struct item *page_put_sentence(struct page *p, enum role_name role, struct str text)
{
	struct item *item = page_add_generated(p, role);

	if (!item)
		return NULL;
	item->sign = page_words_sign(text);
	item->indent = item->sign.len || str_starts(text, "  ") ? SENTENCE_MARGIN : 0;
	text = str_skip(text, item->sign.len ? item->sign.len + 1 : item->indent);
	item->text.len = text.len;
	buf_add(&p->words, text);
	return item;
}

void page_add_sentence(void *ctx, enum role_name role, struct str text)
{
	page_put_sentence(ctx, role, text);
}

void page_add_between(struct page *p, struct str text)
{
	struct item *item = page_put_sentence(p, ROLE_NOTICE, text);

	if (item)
		item->joint = true;
}

void page_add_joint(struct page *p, const struct turn *t, size_t part)
{
	struct buf words;

	buf_init(&words, 1024);
	if (page_words_joint(t, part, &words))
		page_add_between(p, buf_str(&words));
	buf_fini(&words);
}

/* The line that unfolds the sources behind the first ones. */
static void page_add_more_sources(struct page *p, size_t more, unsigned indent, bool open)
{
	struct item *item = page_add_item(p, ITEM_FOLD, PAGE_SOURCES, ROLE_MUTED);
	size_t start = p->words.len;

	item->fold = PAGE_SOURCES;
	item->line_indent = indent;
	buf_printf(&p->words, open ? "- the last %zu" : "+ %zu more", more);
	page_end_words(p, start, &item->words_at, &item->words);
}

void page_add_sources(struct page *p, const struct turn *t)
{
	size_t count = t->citations.source_count, shown = count;
	bool narrow = p->width < PAGE_WIDE_COLUMNS, printed = p->form == PAGE_PRINTED;
	bool folds = p->form == PAGE_ON_SCREEN && count > SOURCES_SHOWN + 1, open = page_is_open(p, PAGE_SOURCES);
	struct item *item = count ? page_add_generated(p, ROLE_MUTED) : NULL;

	p->sources_columns = 0;
	if (!item)
		return;
	item->sign = STR(SOURCES_LABEL);
	item->indent = (narrow ? PAGE_FOLD_INDENT : sizeof SOURCES_LABEL + 1) + PAGE_SOURCES_HANG;
	item->sources = &p->sources;
	shown = folds && !open ? SOURCES_SHOWN : count;
	buf_add_z(&p->words, narrow ? "\n" : "");
	size_t begin = p->words.len;
	page_sources_write(&p->sources, t, shown, narrow || printed, printed, &p->words, item->text_at);
	p->sources_columns = narrow || printed ? 0 : (unsigned)utf8_width(str_skip(buf_str(&p->words), begin)) + item->indent;
	if (p->width < p->sources_columns) {
		buf_remove(&p->words, begin, p->words.len - begin);
		page_sources_write(&p->sources, t, shown, true, false, &p->words, item->text_at);
	}
	item->text.len = p->words.len - item->text_at;
	if (folds)
		page_add_more_sources(p, count - SOURCES_SHOWN, item->indent - PAGE_SOURCES_HANG, open);
}
