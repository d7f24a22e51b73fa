#include "ui/page.h"

#include <stdio.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "ui/page_words.h"
#include "ui/rows.h"

#define NO_WORDS ((size_t)-1)
#define SENTENCES_MAX 24 /* flows kept for sentences behind those of the parts */

void page_init(struct page *p)
{
	*p = (struct page){ 0 };
	buf_init(&p->words, BUF_LIMIT_DEFAULT);
}

void page_fini(struct page *p)
{
	for (size_t i = 0; i < p->flow_count; i++)
		flow_fini(&p->flows[i]);
	mem_free(p->flows);
	mem_free(p->laid);
	mem_free(p->blocks);
	buf_fini(&p->words);
}

/* One flow a part, kept by the part's place, so that a growing text is continued; those of sentences come first. */
static void reserve_flows(struct page *p, size_t count)
{
	if (count <= p->flow_count)
		return;
	p->flows = mem_resize(p->flows, count, sizeof *p->flows);
	p->laid = mem_resize(p->laid, count, sizeof *p->laid);
	for (; p->flow_count < count; p->flow_count++) {
		flow_init(&p->flows[p->flow_count]);
		p->laid[p->flow_count] = 0;
	}
}

static struct block *add_block(struct page *p, enum block_kind kind, size_t part, enum role_name role)
{
	mem_reserve(&p->blocks, &p->capacity, p->count + 1, sizeof *p->blocks);
	struct block *b = &p->blocks[p->count++];
	*b = (struct block){ .kind = kind, .part = part, .role = role, .words_at = NO_WORDS, .figures_at = NO_WORDS, .text_at = NO_WORDS };
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
	struct block *b = add_block(p, BLOCK_HEADER, PAGE_NO_PART, ROLE_LABEL);
	size_t start = p->words.len;
	page_words_header(t, &p->words);
	end_words(p, start, &b->words_at, &b->words);
	start = p->words.len;
	page_words_time(t, &p->words);
	end_words(p, start, &b->figures_at, &b->figures);
	b->rows = 1;
}

/* A server that cites cuts a sentence into blocks: those that touch are one text. */
static bool join_text(struct page *p, const struct turn *t, size_t index)
{
	struct block *b = p->count ? &p->blocks[p->count - 1] : NULL;
	if (!b || b->kind != BLOCK_TEXT || b->part == PAGE_NO_PART || index == t->restarted_at ||
	    t->parts[index].kind != PART_TEXT || t->parts[index - 1].kind != PART_TEXT)
		return false;
	if (b->text_at == NO_WORDS) {
		b->text_at = p->words.len;
		buf_add(&p->words, b->text);
	}
	/* Blocks may overlap: what grew in the middle moves what stands behind it. */
	if (p->laid[index - 1] != t->parts[index - 1].text.len)
		flow_reset(b->flow);
	buf_add(&p->words, buf_str(&t->parts[index].text));
	b->text.len = p->words.len - b->text_at;
	return true;
}

static void add_text(struct page *p, const struct turn *t, size_t index)
{
	if (join_text(p, t, index))
		return;
	struct block *b = add_block(p, BLOCK_TEXT, index, t->role == ROLE_USER ? ROLE_USER_TEXT : ROLE_TEXT);
	b->text = buf_str(&t->parts[index].text);
	b->flow = &p->flows[SENTENCES_MAX + index];
}

/* The key is named once a page. */
static bool is_first_fold(const struct page *p)
{
	size_t folds = 0;
	for (size_t i = 0; i < p->count; i++)
		folds += p->blocks[i].kind == BLOCK_FOLD;
	return folds == 1;
}

/* Reasoning, calls, results and attachments: one line, and below it the text when unfolded. */
static void add_fold(struct page *p, const struct turn *t, size_t index)
{
	static const enum role_name roles[] = {
		[PART_REASONING] = ROLE_REASONING, [PART_TOOL_CALL] = ROLE_TOOL, [PART_TOOL_RESULT] = ROLE_TOOL,
		[PART_ATTACHMENT] = ROLE_MUTED, [PART_TEXT] = ROLE_TEXT, [PART_REFUSAL] = ROLE_TEXT, [PART_OPAQUE] = ROLE_MUTED,
	};
	const struct part *part = &t->parts[index];
	struct block *b = add_block(p, BLOCK_FOLD, index, roles[part->kind]);
	size_t start = p->words.len;
	buf_add_z(&p->words, p->unfolded ? "- " : "+ ");
	page_words_fold(t, part, &p->words);
	end_words(p, start, &b->words_at, &b->words);
	if (!p->unfolded || part->kind == PART_ATTACHMENT) {
		start = p->words.len;
		buf_add_z(&p->words, is_first_fold(p) && part->kind != PART_ATTACHMENT ? "Ctrl-T unfold" : "");
		end_words(p, start, &b->figures_at, &b->figures);
		return;
	}
	b->indent = 2;
	b->flow = &p->flows[SENTENCES_MAX + index];
	if (part->kind == PART_TOOL_CALL) {
		start = p->words.len;
		json_scan_pretty(buf_str(&part->text), &p->words);
		end_words(p, start, &b->text_at, &b->text);
		flow_reset(b->flow);
	} else {
		b->text = buf_str(&part->text);
	}
}

static void add_part(struct page *p, const struct turn *t, size_t index, bool live)
{
	const struct part *part = &t->parts[index];
	bool in_pane = live && page_part_is_live(t, index);
	switch (part->kind) {
	case PART_TEXT:
	case PART_REFUSAL:
		add_text(p, t, index);
		break;
	case PART_REASONING:
	case PART_TOOL_CALL:
		if (!in_pane)
			add_fold(p, t, index);
		break;
	case PART_TOOL_RESULT:
	case PART_ATTACHMENT:
		add_fold(p, t, index);
		break;
	case PART_OPAQUE:
		break;
	}
}

static void add_sentence(void *ctx, enum role_name role, struct str text)
{
	struct page *p = ctx;
	size_t sentences = 0;
	for (size_t i = 0; i < p->count; i++)
		sentences += p->blocks[i].kind == BLOCK_WORDS;
	if (sentences == SENTENCES_MAX)
		return;
	struct block *b = add_block(p, BLOCK_WORDS, PAGE_NO_PART, role);
	bool has_margin = text.len > 2 && (text.ptr[0] == '!' || text.ptr[0] == ' ') && text.ptr[1] == ' ';
	b->sign = has_margin && text.ptr[0] == '!' ? STR("!") : STR_NONE;
	b->indent = has_margin ? 2 : 0;
	text = str_skip(text, b->indent);
	b->text_at = p->words.len;
	b->text.len = text.len;
	buf_add(&p->words, text);
	b->flow = &p->flows[sentences];
	flow_reset(b->flow);
}

static struct str settle(const struct page *p, size_t at, struct str view)
{
	return at == NO_WORDS ? view : str_of(buf_z(&p->words) + at, view.len);
}

static void measure(struct page *p)
{
	p->rows = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct block *b = &p->blocks[i];
		b->words = settle(p, b->words_at, b->words);
		b->figures = settle(p, b->figures_at, b->figures);
		b->text = settle(p, b->text_at, b->text);
		b->rows = b->kind == BLOCK_HEADER || b->kind == BLOCK_FOLD;
		if (b->flow) {
			unsigned width = p->width > b->indent + 1 ? p->width - b->indent : 1;
			flow_update(b->flow, b->text, width);
			b->rows += b->flow->count;
		}
		p->rows += b->rows;
	}
	p->rows++; /* the blank row between turns */
}

void page_set_offer(struct page *p, enum page_offer offer)
{
	p->laid_out = p->laid_out && p->offer == offer;
	p->offer = offer;
}

void page_update(struct page *p, const struct turn *t, bool live, unsigned width)
{
	if (p->laid_out && p->revision == t->revision && p->width == width && p->live == live && p->was_unfolded == p->unfolded)
		return;
	if (p->was_unfolded != p->unfolded)
		for (size_t i = 0; i < p->flow_count; i++)
			flow_reset(&p->flows[i]);
	p->laid_out = true;
	p->revision = t->revision;
	p->width = width;
	p->live = live;
	p->was_unfolded = p->unfolded;
	p->count = 0;
	buf_clear(&p->words);
	reserve_flows(p, SENTENCES_MAX + t->part_count);
	add_header(p, t);
	for (size_t i = 0; i < t->part_count; i++) {
		if (i == t->restarted_at && i)
			add_sentence(p, ROLE_NOTICE, STR("! The server began its answer again here; what stands above does not count."));
		add_part(p, t, i, live);
	}
	page_words_ending(t, p->offer, add_sentence, p);
	measure(p);
	for (size_t i = 0; i < t->part_count; i++)
		p->laid[i] = t->parts[i].text.len;
}

static const struct block *block_at(const struct page *p, size_t row, size_t *inside)
{
	for (size_t i = 0; i < p->count; i++) {
		if (row < p->blocks[i].rows) {
			*inside = row;
			return &p->blocks[i];
		}
		row -= p->blocks[i].rows;
	}
	return NULL; /* the blank row */
}

static void draw_line(const struct block *b, const struct page *p, struct canvas *canvas, unsigned row, unsigned column, unsigned columns)
{
	unsigned used = canvas_put(canvas, row, column, columns, b->role, b->words);
	unsigned width = p->width < columns ? p->width : columns;
	unsigned needed = (unsigned)utf8_width(b->figures) + 2;
	if (b->figures.len && used + needed <= width)
		canvas_put_right(canvas, row, column, width, ROLE_MUTED, b->figures);
}

void page_draw_row(const struct page *p, size_t row, struct canvas *canvas, unsigned canvas_row, unsigned column, unsigned columns)
{
	size_t inside = 0;
	const struct block *b = block_at(p, row, &inside);
	if (!b)
		return;
	bool has_line = b->kind == BLOCK_HEADER || b->kind == BLOCK_FOLD;
	if (has_line && !inside) {
		draw_line(b, p, canvas, canvas_row, column, columns);
		return;
	}
	if (!inside && b->sign.len)
		canvas_put(canvas, canvas_row, column, columns, b->role, b->sign);
	if (columns > b->indent)
		rows_put(canvas, canvas_row, column + b->indent, columns - b->indent, b->role, b->flow, b->text, inside - has_line);
}

struct page_mark page_mark_of(const struct page *p, size_t row)
{
	struct page_mark mark = { PAGE_NO_PART, 0, 0, false };
	for (size_t i = 0; i < p->count; i++) {
		const struct block *b = &p->blocks[i];
		if (row >= b->rows) {
			row -= b->rows;
			mark.ordinal += b->part == PAGE_NO_PART;
			continue;
		}
		bool has_line = b->kind == BLOCK_HEADER || b->kind == BLOCK_FOLD;
		mark.part = b->part;
		mark.on_fold_line = has_line && !row;
		mark.offset = mark.on_fold_line ? 0 : b->flow->starts[row - has_line];
		return mark;
	}
	mark.offset = 1; /* the blank row at the end */
	return mark;
}

size_t page_row_of(const struct page *p, struct page_mark mark)
{
	size_t row = 0, ordinal = 0;
	for (size_t i = 0; i < p->count; i++) {
		const struct block *b = &p->blocks[i];
		bool mine = b->part == mark.part && (b->part != PAGE_NO_PART || ordinal == mark.ordinal);
		bool has_line = b->kind == BLOCK_HEADER || b->kind == BLOCK_FOLD;
		if (mine)
			return row + (mark.on_fold_line || !b->flow ? 0 : has_line + flow_row_of(b->flow, mark.offset));
		ordinal += b->part == PAGE_NO_PART;
		row += b->rows;
	}
	return p->rows ? p->rows - 1 : 0;
}

bool page_has_folds(const struct page *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->blocks[i].kind == BLOCK_FOLD)
			return true;
	return false;
}
