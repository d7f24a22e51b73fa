/* Folds: reasoning, calls with their results, attachments. */
#include "ui/page/page_inside.h"

#include "base/json_scan.h"
#include "chat/conversation/turn.h"
#include "chat/conversation/figure.h"

#define TAIL_ROWS 4
#define RESULT_SIGN "\u2514 "

static bool page_has_text(const struct page *p, size_t part)
{
	return part != PAGE_NO_PART && page_slot(part) < p->flow_count;
}

bool page_is_open(const struct page *p, size_t part)
{
	if (!page_has_text(p, part))
		return false;
	return page_text_of(p, part)->fold == FOLD_OPEN ||
	       (page_text_of(p, part)->fold == FOLD_AS_ALL && (p->unfolded || page_text_of(p, part)->opens));
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
	for (size_t i = page_slot(PAGE_SOURCES); i < p->flow_count; i++)
		p->texts[i].fold = FOLD_AS_ALL;
	p->laid_out = false;
}

bool page_unfolds(const struct page *p, size_t part)
{
	return page_has_text(p, part) && !page_text_of(p, part)->is_bare;
}

bool page_has_folds(const struct page *p)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].kind == ITEM_FOLD && page_unfolds(p, p->items[i].fold))
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

/* --- adding them --- */

static void page_begin_members(struct page *p, size_t index)
{
	struct page_text *text = page_text_of(p, index);

	text->members = (struct members){ .written = 0 };
	text->marks.count = text->marks.columns = 0;
	text->lines_of = 0;
	buf_clear(&text->lines);
	flow_text_reset(page_flow_of(p, index));
}

/* Sets the text of an item: the lines of the members of a part, written once, as they do not change. */
static void page_add_members(struct page *p, const struct part *part, struct item *item)
{
	struct page_text *text = page_text_of(p, item->part);
	unsigned columns = text->marks.columns;

	if (!text->lines_of || text->lines_of > part->text.len)
		page_begin_members(p, item->part);
	members_add(&text->members, str_skip(buf_str(&part->text), text->lines_of), &text->lines, &text->marks);
	text->lines_of = part->text.len;
	if (!text->shows_lines || columns != text->marks.columns)
		flow_text_reset(page_flow_of(p, item->part));
	text->shows_lines = true;
	item->members = &text->marks;
	item->text = buf_str(&text->lines);
	item->source = buf_str(&part->text);
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

/* What is below the line of an item that is no image: the words of a sound, or all of the address of what did not come. */
static struct str page_media_text(const struct part *part)
{
	if (part->media_kind == MEDIA_AUDIO && part->text.len)
		return buf_str(&part->text);
	return blob_str(part->data).len || part->open ? STR_NONE : str_from(part->name);
}

/* Adds the text that an open fold shows below its line. */
static void page_add_fold_text(struct page *p, const struct turn *t, struct item *item)
{
	const struct part *part = page_part(p, t, item->part);

	item->indent = item->line_indent + PAGE_FOLD_INDENT;
	item->flow = page_flow_of(p, item->part);
	if ((part->kind == PART_TOOL_CALL || part->kind == PART_SERVER_TOOL) && !p->options.raw) {
		page_add_members(p, part, item);
		return;
	}
	item->text = page_without_end(part->kind == PART_MEDIA ? page_media_text(part) : buf_str(&part->text));
	if (page_text_of(p, item->part)->shows_lines)
		flow_text_reset(item->flow);
	page_text_of(p, item->part)->shows_lines = false;
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

/* Adds the arguments of a call, or what a tool of the server found, as one line. Closed ones do not change: their line is made once. */
static void page_add_brief(struct page *p, const struct part *part, size_t index)
{
	struct page_text *text = page_text_of(p, index);

	if (part->open || !text->brief_whole || text->brief_of != part->text.len) {
		buf_clear(&text->brief);
		(part->kind == PART_SERVER_RESULT ? part_words_server_result_line : part_words_arguments)(part, &text->brief);
	}
	text->brief_whole = !part->open;
	text->brief_of = part->text.len;
	buf_add(&p->words, buf_str(&text->brief));
}

/* What can be unfolded has a plus. A tool of the server has a sign of its own; an image of the answer that is shown has none. */
static const char *page_fold_sign(const struct part *part, bool folds, bool open)
{
	if (part->kind == PART_MEDIA)
		return folds && !open ? "+ " : "";
	return open ? "- " : part->kind == PART_SERVER_TOOL ? "~ " : "+ ";
}

/* Adds the line of a fold. Returns the length of its lead: what the fold is. */
static size_t page_add_fold_words(struct page *p, const struct turn *t, size_t index, bool live, bool open)
{
	const struct part *part = page_part(p, t, index);
	size_t start = p->words.len, lead;
	bool is_tool = part->kind == PART_TOOL_CALL || part->kind == PART_SERVER_TOOL;
	if (is_tool)
		buf_add_z(&p->words, part->name && *part->name ? part->name : "(no name)");
	else if (live)
		page_add_live_words(p, part, index);
	else if (part->kind == PART_REASONING && !open)
		page_words_reasoned(part, &p->words);
	else
		page_words_fold(t, part, &p->words);
	lead = p->words.len - start;
	if (is_tool && !open) {
		buf_add_z(&p->words, "  ");
		page_add_brief(p, part, index);
	}
	return lead;
}

/* How many pages or files a tool of the server found. They are counted once they have all come. */
static size_t page_found(struct page *p, const struct turn *t, size_t result)
{
	struct page_text *text = result == PAGE_NO_PART ? NULL : page_text_of(p, result);
	const struct part *part = text ? page_part(p, t, result) : NULL;

	if (!part || part->open)
		return PAGE_NO_PART;
	if (!text->found_of || text->found_of != part->text.len)
		text->found = part_words_found(buf_str(&part->text));
	text->found_of = part->text.len;
	return text->found;
}

/* Adds the result of a call: its first line, or all of it if the call is unfolded. */
static void page_add_result(struct page *p, const struct turn *t, size_t call, size_t result)
{
	const struct part *part = page_part(p, t, result);
	bool open = page_is_open(p, call);
	char bytes[FIGURE_SIZE];
	size_t start = p->words.len;

	if (part_is_skipped(part) && str_is(buf_str(&part->text), RESULT_SKIPPED) && !open) /* the state of the call says so */
		return;
	struct item *item = page_add_item(p, ITEM_FOLD, result, ROLE_TOOL);
	item->fold = call;
	item->line_indent = PAGE_FOLD_INDENT;
	buf_add_z(&p->words, RESULT_SIGN);
	if (open)
		buf_printf(&p->words, "%s  %s", part->is_error ? "sent back" : "result", figure_bytes(bytes, part->text.len));
	else if (part->kind == PART_SERVER_RESULT)
		page_add_brief(p, part, result);
	else
		part_words_first_line(buf_str(&part->text), &p->words);
	page_end_words(p, start, &item->words_at, &item->words);
	if (open && call < t->part_count && page_has_output(p, &t->parts[call], part, result))
		page_add_code(p, result, call, PAGE_CODE_INDENT);
	else if (open && !page_add_found(p, part, item))
		page_add_fold_text(p, t, item);
}

static struct str page_bytes(const struct part *part)
{
	return part->kind == PART_MEDIA ? blob_str(part->data) : part->kind == PART_ATTACHMENT ? buf_str(&part->text) : STR_NONE;
}

/* True for an image that can be unfolded; sets its size. */
static bool page_is_image(const struct page *p, const struct part *part, struct image_size *size)
{
	return p->form == PAGE_ON_SCREEN && p->images != IMAGES_NO && p->pictures && image_size_read(page_bytes(part), size);
}

/*
 * Whether a fold has something to show, and shows it unless it is folded: what the model drew or said is the answer. A picture that it made
 * while it thought is not.
 */
static void page_set_opening(struct page *p, const struct part *part, struct page_text *text, bool is_image)
{
	bool is_heard = part->kind == PART_MEDIA && part->media_kind == MEDIA_AUDIO && part->text.len;

	text->opens = is_heard || (is_image && (p->images == IMAGES_YES || (part->kind == PART_MEDIA && !part->thought)));
	text->is_bare = !is_image && (part->kind == PART_ATTACHMENT || (part->kind == PART_MEDIA && !page_media_text(part).len));
}

/* The number on this page of the part that has a call's result. */
static size_t page_result_number(const struct page *p, const struct turn *t, const struct part *part)
{
	if (part->kind == PART_SERVER_TOOL)
		return part_words_server_result(t, part);
	size_t result = part->kind == PART_TOOL_CALL ? part_words_result(part, p->after) : PAGE_NO_PART;
	return result == PAGE_NO_PART ? PAGE_NO_PART : t->part_count + result;
}

/* Partial pictures and the final one stand in the rows of the first: what is below does not move. */
static struct image_size page_image_room(struct page *p, const struct part *part, size_t index, struct image_size image)
{
	struct page_text *text = page_text_of(p, index);

	if (part->partials && !text->room.width)
		text->room = image;
	return text->room.width ? text->room : image;
}

void page_add_fold(struct page *p, const struct turn *t, size_t index, bool live)
{
	static const enum role_name roles[] = {
		[PART_REASONING] = ROLE_REASONING, [PART_TOOL_CALL] = ROLE_TOOL, [PART_TOOL_RESULT] = ROLE_TOOL,
		[PART_SERVER_TOOL] = ROLE_TOOL, [PART_SERVER_RESULT] = ROLE_TOOL, [PART_MEDIA] = ROLE_TEXT,
		[PART_ATTACHMENT] = ROLE_MUTED, [PART_TEXT] = ROLE_TEXT, [PART_REFUSAL] = ROLE_TEXT, [PART_OPAQUE] = ROLE_MUTED,
	};
	const struct part *part = &t->parts[index];
	struct image_size image = { 0 };
	bool is_image = page_is_image(p, part, &image);
	page_set_opening(p, part, page_text_of(p, index), is_image);
	bool folds = page_unfolds(p, index), open = folds && page_is_open(p, index);
	size_t result = page_result_number(p, t, part);
	struct item *item = page_add_item(p, ITEM_FOLD, index, roles[part->kind]);
	size_t start = p->words.len;

	item->fold = folds || part->kind == PART_MEDIA ? index : PAGE_NO_PART;
	item->image = is_image && open ? page_bytes(part) : STR_NONE;
	item->image_blob = part->data;
	item->image_size = image;
	item->room = page_image_room(p, part, index, image);
	item->result = result;
	buf_add_z(&p->words, page_fold_sign(part, folds, open));
	size_t sign = p->words.len - start, lead = page_add_fold_words(p, t, index, live, open);
	item->lead = part->kind == PART_MEDIA ? 0 : sign + lead;
	page_end_words(p, start, &item->words_at, &item->words);
	start = p->words.len;
	if (part->kind == PART_TOOL_CALL)
		part_words_call(t, part, p->after, &p->words);
	else if (part->kind == PART_SERVER_TOOL)
		part_words_server_tool(t, part, page_found(p, t, result), &p->words);
	page_end_words(p, start, &item->figures_at, &item->figures);
	item->tail = live && !open && page_text_of(p, index)->fold != FOLD_SHUT && p->reasoning == REASONING_VIEW_TAIL ? TAIL_ROWS : 0;
	if (item->image.len)
		item->indent = item->line_indent + PAGE_FOLD_INDENT;
	else if (open && page_has_code(p, t, index))
		page_add_code(p, index, index, PAGE_FOLD_INDENT);
	else if (open || item->tail)
		page_add_fold_text(p, t, item);
	if (part->kind == PART_MEDIA)
		item->indent = item->line_indent;
	if (result != PAGE_NO_PART)
		page_add_result(p, t, index, result);
}

size_t page_add_folded_text(struct page *p, const struct turn *t, size_t first, const char *what)
{
	bool open = page_is_open(p, first);
	struct item *item = page_add_item(p, ITEM_FOLD, first, t->role == TURN_USER ? ROLE_PROMPT : ROLE_LABEL);
	size_t start = p->words.len;

	item->fold = first;
	buf_printf(&p->words, "%c %s", open ? '-' : '+', what);
	item->lead = p->words.len - start;
	if (!open) {
		buf_add_z(&p->words, "  ");
		page_words_first(buf_str(&t->parts[first].text), &p->words);
	}
	page_end_words(p, start, &item->words_at, &item->words);
	if (!open)
		return page_last_of_text(t, first);
	size_t last = page_add_text(p, t, first);
	item = &p->items[p->count - 1];
	item->fold = first;
	item->body = true;
	return last;
}
