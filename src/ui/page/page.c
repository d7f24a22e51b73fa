#include "ui/page/page.h"

#include "base/json_scan.h"
#include "base/mem.h"
#include "ui/figure.h"
#include "ui/page/page_words.h"
#include "ui/rows.h"

#define NO_WORDS ((size_t)-1)
#define TAIL_ROWS 4
#define SENTENCE_MARGIN 2
#define SOURCES_LABEL "sources"
#define FOLD_INDENT 2
#define RESULT_SIGN "\u2514 "
#define BAND_INDENT 1
#define WIDE_COLUMNS 60  /* from this width on, a prompt keeps the columns of its time free */
#define SENTENCES_MAX 24 /* flows reserved for sentences; the flows of the parts follow them */

/* What is kept for a part between two layouts. */
struct page_text {
	struct markdown *markdown; /* rendered view; updated only while it is shown */
	struct markdown *source;   /* source view; updated only while it is shown */
	struct buf joined;       /* the text of this part and of the adjacent parts after it */
	size_t joined_last;      /* the last part in `joined` */
	struct buf pretty;       /* a call's arguments, pretty-printed */
	bool is_pretty;          /* `pretty` contains all of the arguments */
	struct buf brief;        /* the arguments as one line */
	size_t brief_of;         /* length of the arguments in `brief`; 0: still growing */
	size_t whole;            /* length of the text when it was complete; 0: still streaming. Later text needs a new layout */
	size_t laid;             /* length of the part at the last layout */
	struct page_cites cites; /* the text with the numbers of its sources; updated when the turn has ended */
	size_t cited;            /* numbers in the text at the last layout */
	bool opens;              /* an image that is drawn unless it is folded */
	enum { FOLD_AS_ALL, FOLD_OPEN, FOLD_SHUT } fold;
};

void page_init(struct page *p)
{
	*p = (struct page){ .live_words_ms = -1, .left_at = { PAGE_NO_PART, 0, 0, true } };
}

static void page_text_fini(struct page_text *text)
{
	markdown_free(text->markdown);
	markdown_free(text->source);
	buf_fini(&text->joined);
	page_cites_fini(&text->cites);
	buf_fini(&text->pretty);
	buf_fini(&text->brief);
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

static struct page_text *page_text_of(const struct page *p, size_t part)
{
	return &p->texts[SENTENCES_MAX + part];
}

static struct item *page_add_item(struct page *p, enum item_kind kind, size_t part, enum role_name role)
{
	mem_reserve(&p->items, &p->capacity, p->count + 1, sizeof *p->items);
	struct item *item = &p->items[p->count++];
	*item = (struct item){
		.kind = kind, .part = part, .role = role, .fold = PAGE_NO_PART, .result = PAGE_NO_PART,
		.words_at = NO_WORDS, .figures_at = NO_WORDS, .text_at = NO_WORDS,
	};
	return item;
}

/* During layout, generated words are kept as offsets, because the buffer moves while it grows. */
static void page_end_words(struct page *p, size_t start, size_t *at, struct str *view)
{
	*at = start;
	view->len = p->words.len - start;
}

/* Begins the figures of an item with its place among its siblings, which stays when the row is short. */
static void page_add_siblings(struct page *p, struct item *item)
{
	size_t start = p->words.len;

	page_words_siblings(p->siblings, p->ascii, &p->words);
	item->kept = (unsigned)utf8_width(str_skip(buf_str(&p->words), start));
	buf_add_z(&p->words, item->kept ? "  " : "");
}

/* Ends the figures. The gap before the next one is not one of them. */
static void page_end_figures(struct page *p, size_t start, struct item *item)
{
	page_end_words(p, start, &item->figures_at, &item->figures);
	while (item->figures.len && buf_z(&p->words)[start + item->figures.len - 1] == ' ')
		item->figures.len--;
}

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

static void page_set_document_options(struct markdown *m, const struct markdown_options *options, bool raw)
{
	struct markdown_options own = *options;

	own.raw = raw;
	if (m)
		markdown_set_options(m, &own);
}

static struct markdown *page_document_of(const struct page *p, struct page_text *text, bool continues)
{
	struct markdown **m = p->options.raw ? &text->source : &text->markdown;

	if (!continues && text->markdown)
		markdown_reset(text->markdown);
	if (!continues && text->source)
		markdown_reset(text->source);
	if (!*m) {
		*m = markdown_new();
		page_set_document_options(*m, &p->options, p->options.raw);
	}
	return *m;
}

/* Numbers stand in the text once the answer has ended. Returns false if the text that is shown was another one. */
static bool page_add_cites(struct page *p, const struct turn *t, size_t last, struct item *item)
{
	struct page_text *text = page_text_of(p, item->part);
	size_t cited = text->cited;
	bool wanted = t->ended && t->citations.place_count && p->form != PAGE_BARE && !p->options.raw;

	text->cited = 0;
	if (wanted && page_cites_update(&text->cites, t, item->part, last, item->text)) {
		item->cites = &text->cites;
		item->received = item->text;
		item->text = buf_str(&text->cites.text);
		text->cited = text->cites.count;
	}
	return cited == text->cited;
}

static size_t page_add_text(struct page *p, const struct turn *t, size_t first)
{
	size_t last = page_last_of_text(t, first);
	bool continues, is_answer = t->role == TURN_ASSISTANT;
	struct item *item = page_add_item(p, ITEM_TEXT, first, is_answer ? ROLE_TEXT : ROLE_PROMPT);
	struct page_text *text = page_text_of(p, first);

	item->text = page_join_text(p, t, first, last, &continues);
	if (!is_answer) {
		item->flow = &p->flows[SENTENCES_MAX + first];
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

/* Complete arguments are pretty-printed once: they cannot change. */
static struct str page_pretty_arguments(struct page *p, const struct part *part, size_t index)
{
	struct page_text *text = page_text_of(p, index);

	if (!text->is_pretty) {
		buf_clear(&text->pretty);
		json_scan_pretty(buf_str(&part->text), &text->pretty);
		flow_text_reset(&p->flows[SENTENCES_MAX + index]);
		text->is_pretty = !part->open;
	}
	return buf_str(&text->pretty);
}

/* A part of the turn, or a result in the turn after it. */
static const struct part *page_part(const struct page *p, const struct turn *t, size_t index)
{
	return index < t->part_count ? &t->parts[index] : &p->after->parts[index - t->part_count];
}

/* Blank lines at the end are not shown: one blank row separates what follows. */
static struct str page_without_end(struct str text)
{
	while (text.len && char_is_blank(text.ptr[text.len - 1]))
		text.len--;
	return text;
}

/* Adds the text that an open fold shows below its line. */
static void page_add_fold_text(struct page *p, const struct turn *t, struct item *item)
{
	const struct part *part = page_part(p, t, item->part);

	item->indent = item->line_indent + FOLD_INDENT;
	item->flow = &p->flows[SENTENCES_MAX + item->part];
	item->text = part->kind == PART_TOOL_CALL ? page_pretty_arguments(p, part, item->part) : page_without_end(buf_str(&part->text));
	item->source = part->kind == PART_TOOL_CALL ? buf_str(&part->text) : STR_NONE;
}

static void page_add_live_words(struct page *p, const struct part *part, size_t index)
{
	if (p->live_words_ms != p->at_ms || p->live_words_part != index)
		page_words_live(part, p->at_ms, p->live_words, sizeof p->live_words);
	p->live_words_ms = p->at_ms;
	p->live_words_part = index;
	p->shows_time = true;
	buf_printf(&p->words, "reasoning  %s", p->live_words);
}

/* Closed arguments do not change: their line is made once. */
static void page_add_arguments(struct page *p, const struct part *part, size_t index)
{
	struct page_text *text = page_text_of(p, index);

	if (part->open || text->brief_of != part->text.len) {
		buf_clear(&text->brief);
		page_words_arguments(part, &text->brief);
	}
	text->brief_of = part->open ? 0 : part->text.len;
	buf_add(&p->words, buf_str(&text->brief));
}

/* Adds the line of a fold. Returns the length of its lead: what the fold is. */
static size_t page_add_fold_words(struct page *p, const struct turn *t, size_t index, bool live, bool open)
{
	const struct part *part = page_part(p, t, index);
	size_t start = p->words.len, lead;

	buf_add_z(&p->words, open ? "- " : "+ ");
	if (part->kind == PART_TOOL_CALL)
		buf_add_z(&p->words, part->name && *part->name ? part->name : "(no name)");
	else if (live)
		page_add_live_words(p, part, index);
	else if (part->kind == PART_REASONING && !open)
		page_words_reasoned(part, &p->words);
	else
		page_words_fold(t, part, &p->words);
	lead = p->words.len - start;
	if (part->kind == PART_TOOL_CALL && !open) {
		buf_add_z(&p->words, "  ");
		page_add_arguments(p, part, index);
	}
	return lead;
}

/* Adds the result of a call: its first line, or all of it if the call is unfolded. */
static void page_add_result(struct page *p, const struct turn *t, size_t call, size_t result)
{
	const struct part *part = page_part(p, t, result);
	bool open = page_is_open(p, call);
	char bytes[FIGURE_SIZE];
	size_t start = p->words.len;

	if (part->is_error && !open) /* the state of the call says so */
		return;
	struct item *item = page_add_item(p, ITEM_FOLD, result, ROLE_TOOL);
	item->fold = call;
	item->line_indent = FOLD_INDENT;
	buf_add_z(&p->words, RESULT_SIGN);
	if (open)
		buf_printf(&p->words, "%s  %s", part->is_error ? "sent back" : "result", figure_bytes(bytes, part->text.len));
	else
		page_words_first_line(buf_str(&part->text), &p->words);
	page_end_words(p, start, &item->words_at, &item->words);
	if (open)
		page_add_fold_text(p, t, item);
}

/* True for an image that can be unfolded; sets its size. */
static bool page_is_image(struct page *p, const struct part *part, size_t index, struct image_size *size)
{
	bool is = part->kind == PART_ATTACHMENT && p->form == PAGE_ON_SCREEN && p->images != IMAGES_NO && p->pictures &&
	          image_size_read(buf_str(&part->text), size);

	page_text_of(p, index)->opens = is && p->images == IMAGES_YES;
	return is;
}

/* Adds reasoning, a call, a result or an attachment: one line, followed by the text or the image if it is unfolded. */
static void page_add_fold(struct page *p, const struct turn *t, size_t index, bool live)
{
	static const enum role_name roles[] = {
		[PART_REASONING] = ROLE_REASONING, [PART_TOOL_CALL] = ROLE_TOOL, [PART_TOOL_RESULT] = ROLE_TOOL,
		[PART_ATTACHMENT] = ROLE_MUTED, [PART_TEXT] = ROLE_TEXT, [PART_REFUSAL] = ROLE_TEXT, [PART_OPAQUE] = ROLE_MUTED,
	};
	const struct part *part = &t->parts[index];
	struct image_size image = { 0 };
	bool is_image = page_is_image(p, part, index, &image), folds = is_image || part->kind != PART_ATTACHMENT;
	bool open = folds && page_is_open(p, index);
	size_t result = part->kind == PART_TOOL_CALL ? page_words_result(part, p->after) : PAGE_NO_PART;
	struct item *item = page_add_item(p, ITEM_FOLD, index, roles[part->kind]);
	size_t start = p->words.len;

	item->fold = folds ? index : PAGE_NO_PART;
	item->image = is_image && open ? buf_str(&part->text) : STR_NONE;
	item->image_size = image;
	item->result = result != PAGE_NO_PART ? t->part_count + result : PAGE_NO_PART;
	item->lead = page_add_fold_words(p, t, index, live, open);
	page_end_words(p, start, &item->words_at, &item->words);
	start = p->words.len;
	if (part->kind == PART_TOOL_CALL)
		page_words_call(t, part, p->after, &p->words);
	page_end_words(p, start, &item->figures_at, &item->figures);
	item->tail = live && !open && page_text_of(p, index)->fold != FOLD_SHUT && p->reasoning == REASONING_VIEW_TAIL ? TAIL_ROWS : 0;
	if (item->image.len)
		item->indent = item->line_indent + FOLD_INDENT;
	else if (open || item->tail)
		page_add_fold_text(p, t, item);
	if (result != PAGE_NO_PART)
		page_add_result(p, t, index, t->part_count + result);
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

/* Adds a part and the adjacent ones that form one text with it. Returns the last part that was added. */
static size_t page_add_part(struct page *p, const struct turn *t, size_t index, bool live)
{
	live = live && page_part_is_live(t, index);
	switch (t->parts[index].kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		return page_add_text(p, t, index);
	case PART_REASONING:
	case PART_TOOL_CALL:
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
		if (p->form != PAGE_BARE && !page_is_elsewhere(p, t, index, live))
			page_add_fold(p, t, index, live);
		break;
	case PART_OPAQUE:
		break;
	}
	return index;
}

/* NULL if there are too many. */
static struct item *page_add_generated(struct page *p, enum role_name role)
{
	size_t sentences = 0;

	for (size_t i = 0; i < p->count; i++)
		sentences += p->items[i].kind == ITEM_WORDS;
	if (sentences == SENTENCES_MAX)
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

static void page_add_sentence(void *ctx, enum role_name role, struct str text)
{
	page_put_sentence(ctx, role, text);
}

static void page_add_between(struct page *p, struct str text)
{
	struct item *item = page_put_sentence(p, ROLE_NOTICE, text);

	if (item)
		item->joint = true;
}

/* Adds the sources: beside their label, or below it if the page is narrow; in one row if they all fit, else each in a row of its own. */
static void page_add_sources(struct page *p, const struct turn *t)
{
	bool narrow = p->width < WIDE_COLUMNS, printed = p->form == PAGE_PRINTED;
	struct item *item = t->citations.source_count ? page_add_generated(p, ROLE_MUTED) : NULL;

	p->sources_columns = 0;
	if (!item)
		return;
	item->sign = STR(SOURCES_LABEL);
	item->indent = (narrow ? FOLD_INDENT : sizeof SOURCES_LABEL + 1) + PAGE_SOURCES_HANG;
	item->sources = &p->sources;
	buf_add_z(&p->words, narrow ? "\n" : "");
	size_t begin = p->words.len;
	page_sources_write(&p->sources, t, narrow || printed, printed, &p->words, item->text_at);
	p->sources_columns = narrow || printed ? 0 : (unsigned)utf8_width(str_skip(buf_str(&p->words), begin)) + item->indent;
	if (p->width < p->sources_columns) {
		buf_remove(&p->words, begin, p->words.len - begin);
		page_sources_write(&p->sources, t, true, false, &p->words, item->text_at);
	}
	item->text.len = p->words.len - item->text_at;
}

static struct str page_settle_words(const struct page *p, size_t at, struct str view)
{
	return at == NO_WORDS ? view : str_of(buf_z(&p->words) + at, view.len);
}

/* An unfolded text is separated from what follows, except from the result of the same call. So is a sentence between two texts. */
static bool page_is_parted(const struct item *item, const struct item *next)
{
	if (item->joint)
		return true;
	if (item->kind != ITEM_FOLD || (!item->flow && !item->image.len))
		return false;
	return next->kind == ITEM_FOLD ? next->fold != item->fold : next->kind != ITEM_TEXT || next->piece_count;
}

/* A sentence about an error or between two texts is separated from what is before it. */
static bool page_is_spaced(const struct item *before, const struct item *item)
{
	return item->kind == ITEM_WORDS && (item->sign.len || item->joint) && (before->kind == ITEM_TEXT || before->kind == ITEM_FOLD) && !before->parted;
}

/* Replaces the offsets by pointers now that `words` is complete, and assigns pieces to the items. */
static void page_settle_items(struct page *p)
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
		p->items[i + 1].spaced = page_is_spaced(&p->items[i], &p->items[i + 1]);
	}
	p->pieces++; /* the blank row between turns: a turn without rows has none */
}

static void page_add_joint(struct page *p, const struct turn *t, size_t part)
{
	struct buf words;

	buf_init(&words, 1024);
	if (page_words_joint(t, part, &words))
		page_add_between(p, buf_str(&words));
	buf_fini(&words);
}

/* Adds the time at the right of the first row. Wide pages keep its columns free of text. */
static void page_add_time(struct page *p, const struct turn *t)
{
	struct item *first = &p->items[0];
	size_t start = p->words.len;

	page_add_siblings(p, first);
	page_words_time(t, &p->words);
	page_end_figures(p, start, first);
	unsigned wide = (unsigned)utf8_width(str_of(buf_z(&p->words) + start, first->figures.len)), kept = p->width >= WIDE_COLUMNS ? wide : first->kept;
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

static void page_reserve_parts(struct page *p, const struct turn *t)
{
	page_reserve_texts(p, SENTENCES_MAX + t->part_count + (p->after ? p->after->part_count : 0));
	for (size_t i = SENTENCES_MAX + p->own_parts; p->own_parts != t->part_count && i < p->flow_count; i++)
		flow_text_reset(&p->flows[i]); /* numbers of results become numbers of parts */
	p->own_parts = t->part_count;
}

static void page_lay_out(struct page *p, const struct turn *t, bool live)
{
	size_t told = 0; /* notices of repeated requests are added up to this part */

	p->count = 0;
	p->shows_time = false;
	buf_clear(&p->words);
	page_reserve_parts(p, t);
	bool bare = p->form == PAGE_BARE;
	if (!bare && t->role == TURN_ASSISTANT)
		page_add_head(p, t);
	for (size_t i = 0; i < t->part_count; i++) {
		if (i == t->restarted_at && i && !bare)
			page_add_between(p, STR("! The server restarted the answer here; the text above does not count."));
		page_add_joint(p, t, i);
		if (!bare)
			page_words_again(t, told, i, page_add_sentence, p);
		told = i + 1;
		i = page_add_part(p, t, i, live);
	}
	if (!bare) {
		page_add_sources(p, t);
		page_words_again(t, told, PAGE_NO_PART, page_add_sentence, p);
		page_words_ending(t, p->after, p->offer, &p->keys, page_add_sentence, p);
	}
	if (!bare && t->role == TURN_USER)
		page_make_band(p, t);
	page_settle_items(p);
	for (size_t i = 0; i < t->part_count; i++)
		page_text_of(p, i)->laid = t->parts[i].text.len;
}

void page_set_offer(struct page *p, enum page_offer offer)
{
	p->laid_out = p->laid_out && p->offer == offer;
	p->offer = offer;
}

/* The turn after it is another one: what was kept for the parts of the former is of no use. */
static void page_forget_results(struct page *p)
{
	for (size_t i = SENTENCES_MAX + p->own_parts; i < p->flow_count; i++) {
		page_text_fini(&p->texts[i]);
		p->texts[i] = (struct page_text){ 0 };
		flow_text_reset(&p->flows[i]);
	}
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

void page_set_images(struct page *p, enum images images, const struct pictures *pictures)
{
	p->laid_out = p->laid_out && p->images == images && !p->pictures == !pictures;
	p->images = images;
	p->pictures = pictures;
}

/* What was laid out of longer texts cannot be continued. Folds stay as the user set them. */
static void page_rewind(struct page *p, const struct turn *t)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		struct page_text *text = &p->texts[i];

		flow_text_reset(&p->flows[i]);
		if (text->markdown)
			markdown_reset(text->markdown);
		if (text->source)
			markdown_reset(text->source);
		text->is_pretty = false;
		text->brief_of = text->whole = text->laid = text->cited = 0;
		buf_clear(&text->joined);
	}
	p->live_words_ms = -1;
	p->rewinds = t->rewinds;
}

void page_update(struct page *p, const struct turn *t, bool live, unsigned width)
{
	bool same_margins = (p->width >= WIDE_COLUMNS) == (width >= WIDE_COLUMNS) &&
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

/* --- folds --- */

static bool page_has_text(const struct page *p, size_t part)
{
	return part != PAGE_NO_PART && SENTENCES_MAX + part < p->flow_count;
}

bool page_is_open(const struct page *p, size_t part)
{
	if (!page_has_text(p, part))
		return false;
	return page_text_of(p, part)->fold == FOLD_OPEN || (page_text_of(p, part)->fold == FOLD_AS_ALL && (p->unfolded || page_text_of(p, part)->opens));
}

void page_fold(struct page *p, size_t part, bool open)
{
	if (!page_has_text(p, part))
		return;
	page_text_of(p, part)->fold = open ? FOLD_OPEN : FOLD_SHUT;
	p->laid_out = false;
}

void page_fold_all(struct page *p, bool open)
{
	p->unfolded = open;
	for (size_t i = SENTENCES_MAX; i < p->flow_count; i++)
		p->texts[i].fold = FOLD_AS_ALL;
	p->laid_out = false;
}

bool page_has_folds(const struct page *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].kind == ITEM_FOLD)
			return true;
	return false;
}

bool page_has_open_folds(const struct page *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].kind == ITEM_FOLD && page_is_open(p, p->items[i].fold))
			return true;
	return false;
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

struct markdown_options page_options(enum page_form form, const struct look *look, unsigned code_column)
{
	bool by_look = form == PAGE_ON_SCREEN;

	return (struct markdown_options){
		.raw = form == PAGE_BARE || (by_look && look->raw), .clip_code = by_look && look->clip_code, .code_column = code_column,
		.code_band = by_look && look->code_band, .strikes = by_look && look->strikes,
	};
}

void page_set_options(struct page *p, const struct markdown_options *options)
{
	bool same_text = p->options.raw == options->raw;

	if (same_text && p->options.clip_code == options->clip_code && p->options.code_column == options->code_column &&
	    p->options.code_band == options->code_band && p->options.strikes == options->strikes)
		return;
	if (!same_text)
		page_release_layout(p);
	p->laid_out = p->laid_out && same_text;
	p->options = *options;
	for (size_t i = 0; i < p->flow_count; i++) {
		page_set_document_options(p->texts[i].markdown, options, false);
		page_set_document_options(p->texts[i].source, options, true);
	}
}
