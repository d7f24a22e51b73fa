#include "ui/page.h"

#include "base/json_scan.h"
#include "base/mem.h"
#include "ui/page_words.h"

#define NO_WORDS ((size_t)-1)
#define TAIL_ROWS 4
#define SENTENCE_MARGIN 2
#define SENTENCES_MAX 24 /* flows kept for sentences before those of the parts */

/* What is kept of a part between two layouts. */
struct page_text {
	struct markdown *markdown; /* both are kept, each is as far as the text was when it was shown last */
	struct markdown *source;
	struct buf joined;       /* the texts of this part and those behind it that touch it, */
	size_t joined_last;      /* up to this one */
	struct buf pretty;       /* a call's arguments with line breaks; */
	bool is_pretty;          /* of all of them */
	size_t whole;            /* bytes when nothing more was to come: an answer that goes on is laid out anew; 0: it is under way */
	size_t laid;             /* bytes of the part when it was laid out last */
	enum { FOLD_AS_ALL, FOLD_OPEN, FOLD_SHUT } fold;
};

void page_init(struct page *p)
{
	*p = (struct page){ .live_words_ms = -1 };
	buf_init(&p->words, BUF_LIMIT_DEFAULT);
}

void page_fini(struct page *p)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		flow_fini(&p->flows[i]);
		markdown_free(p->texts[i].markdown);
		markdown_free(p->texts[i].source);
		buf_fini(&p->texts[i].joined);
		buf_fini(&p->texts[i].pretty);
	}
	mem_free(p->flows);
	mem_free(p->texts);
	mem_free(p->items);
	buf_fini(&p->words);
}

/* Kept by the part's place, so that a growing text is continued. */
static void reserve_texts(struct page *p, size_t count)
{
	if (count <= p->flow_count)
		return;
	p->flows = mem_resize(p->flows, count, sizeof *p->flows);
	p->texts = mem_resize(p->texts, count, sizeof *p->texts);
	for (; p->flow_count < count; p->flow_count++) {
		flow_init(&p->flows[p->flow_count]);
		p->texts[p->flow_count] = (struct page_text){ 0 };
		buf_init(&p->texts[p->flow_count].joined, BUF_LIMIT_DEFAULT);
		buf_init(&p->texts[p->flow_count].pretty, BUF_LIMIT_DEFAULT);
	}
}

static struct page_text *text_of(const struct page *p, size_t part)
{
	return &p->texts[SENTENCES_MAX + part];
}

static struct item *add_item(struct page *p, enum item_kind kind, size_t part, enum role_name role)
{
	mem_reserve(&p->items, &p->capacity, p->count + 1, sizeof *p->items);
	struct item *b = &p->items[p->count++];
	*b = (struct item){ .kind = kind, .part = part, .role = role, .words_at = NO_WORDS, .figures_at = NO_WORDS, .text_at = NO_WORDS };
	return b;
}

/* Generated words are offsets until all are made, because the buffer moves while it grows. */
static void end_words(struct page *p, size_t start, size_t *at, struct str *view)
{
	*at = start;
	view->len = p->words.len - start;
}

static void add_header(struct page *p, const struct turn *t)
{
	struct item *b = add_item(p, ITEM_HEADER, PAGE_NO_PART, ROLE_LABEL);
	size_t start = p->words.len;

	page_words_header(t, &p->words);
	end_words(p, start, &b->words_at, &b->words);
	start = p->words.len;
	page_words_time(t, &p->words);
	end_words(p, start, &b->figures_at, &b->figures);
}

/* A joint that can be seen: the text behind it is one of its own. */
static bool parts_texts(const struct turn *t, size_t part)
{
	const struct joint *joint = turn_joint_at(t, part);

	return joint && joint->by_words;
}

size_t page_last_of_text(const struct turn *t, size_t first)
{
	size_t behind = first + 1;

	while (t->parts[first].kind == PART_TEXT && behind < t->part_count && t->parts[behind].kind == PART_TEXT &&
	       behind != t->restarted_at && !parts_texts(t, behind))
		behind++;
	return behind - 1;
}

/* Parts may overlap: what grew in the middle moves what stands behind it, and the text is no continuation any more. */
static bool only_the_end_grew(const struct page *p, const struct turn *t, size_t first, size_t last)
{
	for (size_t i = first; i < last; i++)
		if (text_of(p, i)->laid != t->parts[i].text.len)
			return false;
	return true;
}

static struct str join_text(struct page *p, const struct turn *t, size_t first, size_t last, bool *continues)
{
	struct page_text *text = text_of(p, first);

	*continues = true;
	if (first == last)
		return buf_str(&t->parts[first].text);
	*continues = only_the_end_grew(p, t, first, last);
	size_t known = text->joined_last == last && *continues ? text_of(p, last)->laid : 0;
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

static void look_at(struct markdown *m, const struct markdown_options *look, bool raw)
{
	struct markdown_options own = *look;

	own.raw = raw;
	if (m)
		markdown_set_options(m, &own);
}

static struct markdown *document_of(const struct page *p, struct page_text *text, bool continues)
{
	struct markdown **m = p->look.raw ? &text->source : &text->markdown;

	if (!continues && text->markdown)
		markdown_reset(text->markdown);
	if (!continues && text->source)
		markdown_reset(text->source);
	if (!*m) {
		*m = markdown_new();
		look_at(*m, &p->look, p->look.raw);
	}
	return *m;
}

static size_t add_text(struct page *p, const struct turn *t, size_t first)
{
	size_t last = page_last_of_text(t, first);
	bool continues, is_answer = t->role == ROLE_ASSISTANT;
	struct item *b = add_item(p, ITEM_TEXT, first, is_answer ? ROLE_TEXT : ROLE_USER_TEXT);
	struct page_text *text = text_of(p, first);

	b->text = join_text(p, t, first, last, &continues);
	if (!is_answer) {
		b->flow = &p->flows[SENTENCES_MAX + first];
		return last;
	}
	b->markdown = document_of(p, text, continues && (!text->whole || text->whole == b->text.len));
	markdown_update(b->markdown, b->text);
	text->whole = t->ended || last < t->open_from ? b->text.len : 0;
	if (text->whole)
		markdown_finish(b->markdown);
	return last;
}

/* Complete arguments do not change any more. */
static struct str pretty_arguments(struct page *p, const struct part *part, size_t index)
{
	struct page_text *text = text_of(p, index);

	if (!text->is_pretty) {
		buf_clear(&text->pretty);
		json_scan_pretty(buf_str(&part->text), &text->pretty);
		flow_reset(&p->flows[SENTENCES_MAX + index]);
		text->is_pretty = !part->open;
	}
	return buf_str(&text->pretty);
}

/* The key is named once a page. */
static bool is_first_fold(const struct page *p)
{
	size_t folds = 0;

	for (size_t i = 0; i < p->count; i++)
		folds += p->items[i].kind == ITEM_FOLD;
	return folds == 1;
}

/* What goes before the text when it is unfolded. */
static void add_fold_text(struct page *p, struct item *b, const struct part *part)
{
	b->indent = 2;
	b->flow = &p->flows[SENTENCES_MAX + b->part];
	b->text = part->kind == PART_TOOL_CALL ? pretty_arguments(p, part, b->part) : buf_str(&part->text);
	b->source = part->kind == PART_TOOL_CALL ? buf_str(&part->text) : STR_NONE;
}

static void add_live_words(struct page *p, const struct part *part, size_t index)
{
	if (p->live_words_ms != p->at_ms || p->live_words_part != index)
		page_words_live(part, p->at_ms, p->live_words, sizeof p->live_words);
	p->live_words_ms = p->at_ms;
	p->live_words_part = index;
	p->tells_time = true;
	buf_printf(&p->words, "reasoning  %s", p->live_words);
}

/* Reasoning, calls, results and attachments: one line, and below it the text when unfolded. */
static void add_fold(struct page *p, const struct turn *t, size_t index, bool live)
{
	static const enum role_name roles[] = {
		[PART_REASONING] = ROLE_REASONING, [PART_TOOL_CALL] = ROLE_TOOL, [PART_TOOL_RESULT] = ROLE_TOOL,
		[PART_ATTACHMENT] = ROLE_MUTED, [PART_TEXT] = ROLE_TEXT, [PART_REFUSAL] = ROLE_TEXT, [PART_OPAQUE] = ROLE_MUTED,
	};
	const struct part *part = &t->parts[index];
	bool foldable = part->kind != PART_ATTACHMENT, open = foldable && page_is_open(p, index);
	struct item *b = add_item(p, ITEM_FOLD, index, roles[part->kind]);
	size_t start = p->words.len;

	buf_add_z(&p->words, open ? "- " : "+ ");
	if (live)
		add_live_words(p, part, index);
	else
		page_words_fold(t, part, &p->words);
	end_words(p, start, &b->words_at, &b->words);
	start = p->words.len;
	buf_add_z(&p->words, foldable && !open && p->form == PAGE_ON_SCREEN && is_first_fold(p) ? "Ctrl-T unfold" : "");
	end_words(p, start, &b->figures_at, &b->figures);
	b->tail = live && !open && text_of(p, index)->fold != FOLD_SHUT && p->reasoning == REASONING_TAIL ? TAIL_ROWS : 0;
	if (open || b->tail)
		add_fold_text(p, b, part);
}

/* Whether a part has no line of its own in the page. */
static bool is_elsewhere(const struct page *p, const struct turn *t, size_t index, bool live)
{
	if (t->parts[index].kind != PART_REASONING)
		return live;
	if (p->reasoning == REASONING_HIDDEN)
		return !p->look.raw;
	return live && p->reasoning == REASONING_IN_PANE;
}

/* Returns the last part that was taken. */
static size_t add_part(struct page *p, const struct turn *t, size_t index, bool live)
{
	live = live && page_part_is_live(t, index);
	switch (t->parts[index].kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		return add_text(p, t, index);
	case PART_REASONING:
	case PART_TOOL_CALL:
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
		if (p->form != PAGE_BARE && !is_elsewhere(p, t, index, live))
			add_fold(p, t, index, live);
		break;
	case PART_OPAQUE:
		break;
	}
	return index;
}

static void add_sentence(void *ctx, enum role_name role, struct str text)
{
	struct page *p = ctx;
	size_t sentences = 0;

	for (size_t i = 0; i < p->count; i++)
		sentences += p->items[i].kind == ITEM_WORDS;
	if (sentences == SENTENCES_MAX)
		return;
	struct item *b = add_item(p, ITEM_WORDS, PAGE_NO_PART, role);
	b->sign = page_words_sign(text);
	b->indent = b->sign.len || str_starts(text, "  ") ? SENTENCE_MARGIN : 0;
	text = str_skip(text, b->sign.len ? b->sign.len + 1 : b->indent);
	b->text_at = p->words.len;
	b->text.len = text.len;
	buf_add(&p->words, text);
	b->flow = &p->flows[sentences];
	b->flow->by_gaps = true;
	flow_reset(b->flow);
}

static struct str settle(const struct page *p, size_t at, struct str view)
{
	return at == NO_WORDS ? view : str_of(buf_z(&p->words) + at, view.len);
}

/* What was unfolded does not run into what is read. */
static bool is_parted(const struct item *b, const struct item *next)
{
	return b->kind == ITEM_FOLD && b->flow && (next->kind == ITEM_WORDS || (next->kind == ITEM_TEXT && next->piece_count));
}

/* Views into the generated words, now that they do not move any more; and where each item's pieces begin. */
static void settle_items(struct page *p)
{
	p->pieces = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct item *b = &p->items[i];

		b->words = settle(p, b->words_at, b->words);
		b->figures = settle(p, b->figures_at, b->figures);
		b->text = settle(p, b->text_at, b->text);
		b->first_piece = p->pieces;
		b->piece_count = b->markdown ? markdown_count(b->markdown) : 1;
		p->pieces += b->piece_count;
	}
	for (size_t i = 0; i + 1 < p->count; i++)
		p->items[i].parted = is_parted(&p->items[i], &p->items[i + 1]);
	p->pieces++; /* the blank row between turns */
}

static void add_joint(struct page *p, const struct turn *t, size_t part)
{
	struct buf words;

	buf_init(&words, 1024);
	if (page_words_joint(t, part, &words))
		add_sentence(p, ROLE_NOTICE, buf_str(&words));
	buf_fini(&words);
}

static void lay_out(struct page *p, const struct turn *t, bool live)
{
	p->count = 0;
	p->tells_time = false;
	buf_clear(&p->words);
	reserve_texts(p, SENTENCES_MAX + t->part_count);
	bool bare = p->form == PAGE_BARE;
	if (!bare)
		add_header(p, t);
	for (size_t i = 0; i < t->part_count; i++) {
		if (i == t->restarted_at && i && !bare)
			add_sentence(p, ROLE_NOTICE, STR("! The server began its answer again here; what stands above does not count."));
		add_joint(p, t, i);
		i = add_part(p, t, i, live);
	}
	if (!bare)
		page_words_ending(t, p->offer, add_sentence, p);
	settle_items(p);
	for (size_t i = 0; i < t->part_count; i++)
		text_of(p, i)->laid = t->parts[i].text.len;
}

void page_set_offer(struct page *p, enum page_offer offer)
{
	p->laid_out = p->laid_out && p->offer == offer;
	p->offer = offer;
}

void page_set_reasoning(struct page *p, enum reasoning_view reasoning, double at_ms)
{
	p->laid_out = p->laid_out && p->reasoning == reasoning && (!p->tells_time || p->at_ms == at_ms);
	p->reasoning = reasoning;
	p->at_ms = at_ms;
}

void page_update(struct page *p, const struct turn *t, bool live, unsigned width)
{
	p->width = width; /* rows are made anew when they are looked at */
	if (p->laid_out && p->revision == t->revision && p->live == live)
		return;
	p->laid_out = true;
	p->revision = t->revision;
	p->live = live;
	lay_out(p, t, live);
}

/* --- folds --- */

static bool has_text(const struct page *p, size_t part)
{
	return part != PAGE_NO_PART && SENTENCES_MAX + part < p->flow_count;
}

bool page_is_open(const struct page *p, size_t part)
{
	return has_text(p, part) && (text_of(p, part)->fold == FOLD_OPEN || (text_of(p, part)->fold == FOLD_AS_ALL && p->unfolded));
}

void page_fold(struct page *p, size_t part, bool open)
{
	if (!has_text(p, part))
		return;
	text_of(p, part)->fold = open ? FOLD_OPEN : FOLD_SHUT;
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
		if (p->items[i].kind == ITEM_FOLD && page_is_open(p, p->items[i].part))
			return true;
	return false;
}

void page_rest(struct page *p)
{
	for (size_t i = 0; i < p->flow_count; i++) {
		if (p->texts[i].markdown)
			markdown_rest(p->texts[i].markdown);
		if (p->texts[i].source)
			markdown_rest(p->texts[i].source);
	}
}

void page_set_look(struct page *p, const struct markdown_options *look)
{
	if (p->look.raw != look->raw)
		page_rest(p);
	p->laid_out = p->laid_out && p->look.raw == look->raw;
	p->look = *look;
	for (size_t i = 0; i < p->flow_count; i++) {
		look_at(p->texts[i].markdown, look, false);
		look_at(p->texts[i].source, look, true);
	}
}
