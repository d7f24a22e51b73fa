#include "ui/page/page_inside.h"

#include "base/mem.h"
#include "chat/conversation/summary.h"
#include "chat/conversation/turn.h"
#include "ui/page/page.h"

#define BAND_INDENT 1

void page_init(struct page *p)
{
	*p = (struct page){ .live_words_ms = -1, .left_at = { PAGE_NO_PART, 0, 0, true } };
}

void page_fini(struct page *p)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		flow_text_fini(&p->flows[i]);
		page_text_fini(&p->texts[i]);
	}
	mem_free(p->flows);
	mem_free(p->texts);
	mem_free(p->items);
	page_sources_fini(&p->sources);
	buf_fini(&p->words);
}

/* --- layout --- */

static void page_add_head(struct page *p, const struct turn *t)
{
	struct item *item = page_add_item(p, ITEM_HEAD, PAGE_NO_PART, ROLE_LABEL);
	size_t start = p->words.len;

	page_words_head(t, &p->words);
	item->lead = p->words.len - start;
	page_end_words(p, start, &item->words_at, &item->words);
	start = p->words.len;
	page_add_siblings(p, item);
	size_t first = p->words.len;
	page_words_figures(t, &p->words);
	if (!p->before && t->wall) { /* no prompt shows the time */
		buf_add_z(&p->words, p->words.len > first ? "  " : "");
		page_words_time(t, &p->words);
	}
	page_end_figures(p, start, item);
}

/* True if a part has no line in the page. */
static bool page_is_elsewhere(const struct page *p, const struct turn *t, size_t index, bool live)
{
	const struct part *part = &t->parts[index];

	if (part->kind == PART_TOOL_RESULT) /* shown with its call, on the page before */
		return p->before && p->before->role == TURN_ASSISTANT && part->call >= 0 && turn_call(p->before, (unsigned)part->call);
	if (part->kind != PART_REASONING)
		return live;
	if (p->reasoning == REASONING_VIEW_HIDDEN)
		return !p->options.raw;
	return live && p->reasoning == REASONING_VIEW_PANE;
}

/* What a text is called that is folded: a summary that stands for older turns, once it has ended, and what asked for it. NULL: it is not. */
static const char *page_folded_name(const struct page *p, const struct turn *t)
{
	if (p->form != PAGE_ON_SCREEN || (t->role == TURN_ASSISTANT && !t->ended) || !turn_is_summary(t))
		return NULL;
	return t->role == TURN_USER ? "compact" : "summary";
}

/* Adds a part and the adjacent ones that form one text with it. Returns the last part that was added. */
static size_t page_add_part(struct page *p, const struct turn *t, size_t index, bool live)
{
	const char *folded = page_folded_name(p, t);

	live = live && page_part_is_live(t, index);
	switch (t->parts[index].kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		return folded ? page_add_folded_text(p, t, index, folded) : page_add_text(p, t, index);
	case PART_REASONING:
	case PART_TOOL_CALL:
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
	case PART_MEDIA:
	case PART_SERVER_TOOL:
		if (!page_is_elsewhere(p, t, index, live))
			page_add_fold(p, t, index, live);
		break;
	case PART_SERVER_RESULT: /* shown with its tool */
	case PART_OPAQUE:
		break;
	}
	return index;
}

/* Adds the time at the right of the first row. Wide pages keep its columns free of text. */
static void page_add_time(struct page *p, const struct turn *t)
{
	struct item *first = &p->items[0];
	size_t start = p->words.len;

	page_add_siblings(p, first);
	page_words_time(t, &p->words);
	page_end_figures(p, start, first);
	unsigned wide = (unsigned)utf8_width(str_of(buf_z(&p->words) + start, first->figures.len));
	unsigned kept = p->width >= PAGE_WIDE_COLUMNS ? wide : first->kept;
	for (size_t i = 0; i < p->count && kept; i++)
		if (p->items[i].kind == ITEM_TEXT)
			p->items[i].margin = kept + 2;
}

/* Makes all items of a prompt a band. */
static void page_make_band(struct page *p, const struct turn *t)
{
	for (size_t i = 0; i < p->count; i++) {
		struct item *item = &p->items[i];

		item->band = true;
		item->role = item->role == ROLE_MUTED ? ROLE_PROMPT_MUTED : item->role;
		item->line_indent += BAND_INDENT;
		item->indent += BAND_INDENT;
	}
	if (p->count)
		page_add_time(p, t);
}

static void page_lay_out(struct page *p, const struct turn *t, bool live)
{
	size_t told = 0; /* notices of repeated requests are added up to this part */

	p->count = 0;
	p->shows_time = false;
	buf_clear(&p->words);
	page_reserve_parts(p, t);
	if (t->role == TURN_ASSISTANT)
		page_add_head(p, t);
	for (size_t i = 0; i < t->part_count; i++) {
		if (i == t->restarted_at && i)
			page_add_between(p, STR("! The server restarted the answer here; the text above does not count."));
		page_add_joint(p, t, i);
		page_words_again(t, told, i, page_add_sentence, p);
		told = i + 1;
		i = page_add_part(p, t, i, live);
	}
	page_add_sources(p, t);
	page_words_again(t, told, PAGE_NO_PART, page_add_sentence, p);
	page_words_ending(t, p->after, p->offer, &p->keys, page_add_sentence, p);
	if (t->role == TURN_USER)
		page_make_band(p, t);
	page_settle_items(p);
	for (size_t i = 0; i < t->part_count; i++)
		page_text_of(p, i)->laid = t->parts[i].text.len;
}

void page_update(struct page *p, const struct turn *t, bool live, unsigned width)
{
	bool same_margins = (p->width >= PAGE_WIDE_COLUMNS) == (width >= PAGE_WIDE_COLUMNS) &&
	                    (p->width >= p->sources_columns) == (width >= p->sources_columns);

	p->width = width; /* rows are laid out again when they are requested */
	if (p->laid_out && p->revision == t->revision && p->live == live && same_margins)
		return;
	if (p->rewinds != t->rewinds)
		page_rewind(p, t);
	p->laid_out = true;
	p->revision = t->revision;
	p->live = live;
	page_lay_out(p, t, live);
}

/* --- what it is told --- */

void page_set_offer(struct page *p, enum page_offer offer)
{
	p->laid_out = p->laid_out && p->offer == offer;
	p->offer = offer;
}

void page_set_neighbours(struct page *p, const struct turn *before, const struct turn *after)
{
	uint64_t revision = after ? after->revision : 0;

	if (p->after && p->after != after)
		page_forget_results(p);
	p->laid_out = p->laid_out && p->before == before && p->after == after && p->after_revision == revision;
	p->before = before;
	p->after = after;
	p->after_revision = revision;
}

void page_set_siblings(struct page *p, struct siblings siblings, bool ascii)
{
	p->laid_out = p->laid_out && p->siblings.at == siblings.at && p->siblings.count == siblings.count && p->ascii == ascii;
	p->siblings = siblings;
	p->ascii = ascii;
}

void page_set_reasoning(struct page *p, enum reasoning_view reasoning, double at_ms)
{
	p->laid_out = p->laid_out && p->reasoning == reasoning && (!p->shows_time || p->at_ms == at_ms);
	p->reasoning = reasoning;
	p->at_ms = at_ms;
}

void page_set_exact(struct page *p, bool exact)
{
	p->laid_out = p->laid_out && p->exact == exact;
	p->exact = exact;
	if (exact)
		p->live_words_ms = -1;
}

void page_set_images(struct page *p, enum images images, const struct pictures *pictures, unsigned rows)
{
	p->laid_out = p->laid_out && p->images == images && !p->pictures == !pictures && p->picture_rows == rows;
	p->images = images;
	p->pictures = pictures;
	p->picture_rows = rows;
}
