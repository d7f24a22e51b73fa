/* The texts of a page: what is kept of each part between two layouts, and adjacent parts as one text. */
#include "ui/page/page_inside.h"

#include "base/mem.h"
#include "chat/conversation/turn.h"

void page_text_fini(struct page_text *text)
{
	markdown_free(text->markdown);
	markdown_free(text->source);
	buf_fini(&text->joined);
	page_cites_fini(&text->cites);
	buf_fini(&text->lines);
	buf_fini(&text->fenced);
	page_sources_fini(&text->list);
	buf_fini(&text->list_text);
	buf_fini(&text->list_strings);
	member_marks_fini(&text->marks);
	buf_fini(&text->brief);
}

/* Flows and texts are indexed by part, so that layout of a growing text resumes. */
static void page_reserve_texts(struct page *p, size_t count)
{
	if (count <= p->flow_count)
		return;
	p->flows = mem_resize(p->flows, count, sizeof *p->flows);
	p->texts = mem_resize(p->texts, count, sizeof *p->texts);
	for (; p->flow_count < count; p->flow_count++) {
		flow_text_init(&p->flows[p->flow_count]);
		p->texts[p->flow_count] = (struct page_text){ 0 };
	}
}

size_t page_slot(size_t part)
{
	return PAGE_SENTENCES_MAX + (part == PAGE_SOURCES ? 0 : 1 + part);
}

struct page_text *page_text_of(const struct page *p, size_t part)
{
	return &p->texts[page_slot(part)];
}

struct flow_text *page_flow_of(const struct page *p, size_t part)
{
	return &p->flows[page_slot(part)];
}

/* --- one text of adjacent parts --- */

/* True at a visible joint: the text after it is a text of its own. */
static bool page_separates_texts(const struct turn *t, size_t part)
{
	const struct joint *joint = turn_joint_at(t, part);

	return joint && joint->by_words;
}

size_t page_last_of_text(const struct turn *t, size_t first)
{
	size_t behind = first + 1;

	while (t->parts[first].kind == PART_TEXT && behind < t->part_count && t->parts[behind].kind == PART_TEXT &&
	       behind != t->restarted_at && !page_separates_texts(t, behind))
		behind++;
	return behind - 1;
}

/* Parts can grow at the same time. If an earlier part grew, the text after it moved, and layout cannot resume. */
static bool page_only_the_end_grew(const struct page *p, const struct turn *t, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		if (page_text_of(p, i)->laid != t->parts[i].text.len)
			return false;
	return true;
}

static struct str page_join_text(struct page *p, const struct turn *t, size_t first, size_t last, bool *continues)
{
	struct page_text *text = page_text_of(p, first);

	*continues = true;
	if (first == last)
		return buf_str(&t->parts[first].text);
	*continues = page_only_the_end_grew(p, t, first, last);
	size_t known = text->joined_last == last && *continues ? page_text_of(p, last)->laid : 0;
	if (known) {
		buf_add(&text->joined, str_skip(buf_str(&t->parts[last].text), known));
		return buf_str(&text->joined);
	}
	buf_clear(&text->joined);
	text->joined_last = last;
	for (size_t i = first; i <= last; i++)
		buf_add(&text->joined, buf_str(&t->parts[i].text));
	return buf_str(&text->joined);
}

/* Code of a tool stands in from the edge. */
static void page_set_document_options(const struct page_text *text, const struct markdown_options *options)
{
	struct markdown_options rendered = *options, source = *options;

	rendered.raw = false;
	rendered.wide -= text->fence && rendered.wide > PAGE_CODE_INDENT ? PAGE_CODE_INDENT : 0;
	source.raw = true;
	if (text->markdown)
		markdown_set_options(text->markdown, &rendered);
	if (text->source)
		markdown_set_options(text->source, &source);
}

struct markdown *page_document_of(const struct page *p, struct page_text *text, bool continues)
{
	struct markdown **m = p->options.raw ? &text->source : &text->markdown;

	if (!continues && text->markdown)
		markdown_reset(text->markdown);
	if (!continues && text->source)
		markdown_reset(text->source);
	if (!*m) {
		*m = markdown_new();
		page_set_document_options(text, &p->options);
	}
	return *m;
}

/* Numbers stand in the text once the answer has ended. Returns false if the text that is shown was another one. */
static bool page_add_cites(struct page *p, const struct turn *t, size_t last, struct item *item)
{
	struct page_text *text = page_text_of(p, item->part);
	size_t cited = text->cited;
	bool wanted = t->ended && t->citations.place_count && !p->options.raw;

	text->cited = 0;
	if (wanted && page_cites_update(&text->cites, t, item->part, last, item->text)) {
		item->cites = &text->cites;
		item->received = item->text;
		item->text = buf_str(&text->cites.text);
		text->cited = text->cites.count;
	}
	return cited == text->cited;
}

size_t page_add_text(struct page *p, const struct turn *t, size_t first)
{
	size_t last = page_last_of_text(t, first);
	bool continues, is_answer = t->role == TURN_ASSISTANT;
	struct item *item = page_add_item(p, ITEM_TEXT, first, is_answer ? ROLE_TEXT : ROLE_PROMPT);
	struct page_text *text = page_text_of(p, first);

	item->text = page_join_text(p, t, first, last, &continues);
	if (!is_answer) {
		item->flow = page_flow_of(p, first);
		return last;
	}
	continues &= page_add_cites(p, t, last, item);
	item->markdown = page_document_of(p, text, continues && (!text->whole || text->whole == item->text.len));
	markdown_update(item->markdown, item->text);
	text->whole = t->ended || last < t->open_from ? item->text.len : 0;
	if (text->whole)
		markdown_finish(item->markdown);
	return last;
}

/* --- between layouts --- */

void page_reserve_parts(struct page *p, const struct turn *t)
{
	page_reserve_texts(p, page_slot(t->part_count) + (p->after ? p->after->part_count : 0));
	for (size_t i = page_slot(p->own_parts); p->own_parts != t->part_count && i < p->flow_count; i++)
		flow_text_reset(&p->flows[i]); /* numbers of results become numbers of parts */
	p->own_parts = t->part_count;
}

void page_forget_results(struct page *p)
{
	for (size_t i = page_slot(p->own_parts); i < p->flow_count; i++) {
		page_text_fini(&p->texts[i]);
		p->texts[i] = (struct page_text){ 0 };
		flow_text_reset(&p->flows[i]);
	}
}

void page_rewind(struct page *p, const struct turn *t)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		struct page_text *text = &p->texts[i];

		flow_text_reset(&p->flows[i]);
		if (text->markdown)
			markdown_reset(text->markdown);
		if (text->source)
			markdown_reset(text->source);
		text->lines_of = text->fenced_of = text->found_of = text->list_of = 0;
		text->room = (struct image_size){ 0 };
		text->brief_whole = false;
		text->whole = text->laid = text->cited = 0;
		buf_clear(&text->joined);
	}
	p->live_words_ms = -1;
	p->rewinds = t->rewinds;
}

void page_release_layout(struct page *p)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		if (p->texts[i].markdown)
			markdown_rest(p->texts[i].markdown);
		if (p->texts[i].source)
			markdown_rest(p->texts[i].source);
	}
}

struct markdown_options page_options(enum page_form form, const struct look *look, unsigned sideways)
{
	bool by_look = form == PAGE_ON_SCREEN;

	return (struct markdown_options){
		.raw = by_look && look->raw, .clip_code = by_look && look->clip_code, .scroll_tables = by_look, .sideways = sideways,
		.code_band = by_look && look->code_band, .strikes = by_look && look->strikes,
	};
}

static void page_hold_tables(struct page *p, unsigned reading)
{
	if (p->options.hold_tables == reading)
		return;
	p->options.hold_tables = reading;
	for (size_t i = 0; i < p->flow_count; i++)
		if (p->texts[i].markdown)
			markdown_hold_tables(p->texts[i].markdown, reading);
}

void page_set_options(struct page *p, const struct markdown_options *options)
{
	bool same_text = p->options.raw == options->raw;

	if (same_text && p->options.clip_code == options->clip_code && p->options.scroll_tables == options->scroll_tables &&
	    p->options.wide == options->wide && p->options.sideways == options->sideways &&
	    p->options.code_band == options->code_band && p->options.strikes == options->strikes) {
		page_hold_tables(p, options->hold_tables);
		return;
	}
	if (!same_text)
		page_release_layout(p);
	p->laid_out = p->laid_out && same_text;
	p->options = *options;
	for (size_t i = 0; i < p->flow_count; i++)
		page_set_document_options(&p->texts[i], options);
}
