#include "render/markdown/markdown_scan_inside.h"

#include <string.h>

#include "base/mem.h"

/* --- records --- */

/* An offset relative to the start of the block. */
static uint32_t within(const struct markdown_record *record, size_t offset)
{
	return (uint32_t)(offset - record->block.start);
}

struct markdown_record *scan_add(struct markdown_scan *scan, enum markdown_kind kind, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record;

	record = ARRAY_ADD(scan->records, state->record_count, scan->record_capacity);
	*record = (struct markdown_record){
		.block = { .kind = kind, .start = line->start, .end = line->next },
		.body = (uint32_t)(scan_offset(scan, line->cursor.rest.ptr) - line->start),
		.body_end = (uint32_t)(line->next - line->start),
		.container = state->depth ? state->stack[state->depth - 1] + 1 : 0,
		.opened = (uint8_t)scan->opened,
		.first = (uint32_t)state->record_count - 1,
	};
	scan->opened = 0;
	state->lines = 1;
	return record;
}

struct markdown_record *scan_add_chunk(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record before = *scan_current(scan);
	struct markdown_record *record = scan_add(scan, before.block.kind, line);

	record->block.language.len = before.block.language.len;
	record->block.continues = true;
	record->body = 0;
	record->language = before.language;
	record->table = before.table;
	record->container = before.container;
	record->level = before.level;
	record->first = before.first;
	record->lines = before.lines + !scan->state.within;
	return record;
}

static void extend(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = scan_current(scan);

	record->block.end = line->next;
	record->body_end = within(record, line->next);
	record->lines++;
	scan->state.lines++;
}

static bool chunk_is_full(struct markdown_scan *scan)
{
	const struct markdown_record *record = scan_current(scan);

	return scan->state.lines >= MARKDOWN_CHUNK_LINES || record->block.end - record->block.start >= MARKDOWN_CHUNK_BYTES;
}

void scan_extend(struct markdown_scan *scan, const struct scan_line *line)
{
	if (chunk_is_full(scan))
		scan_add_chunk(scan, line);
	else
		extend(scan, line);
}

/* --- leaves --- */

void scan_blank(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = scan_last(scan);
	struct scan_state *state = &scan->state;
	uint32_t container = state->depth ? state->stack[state->depth - 1] + 1 : 0;

	state->leaf = SCAN_NONE;
	if (scan->opened)
		scan_add(scan, scan->containers[container - 1].quote ? MARKDOWN_QUOTE : MARKDOWN_LIST_ITEM, line);
	else if (record && record->block.kind == MARKDOWN_BLANK && record->container == container)
		extend(scan, line);
	else
		scan_add(scan, MARKDOWN_BLANK, line);
}

static void begin_fence(struct markdown_scan *scan, const struct scan_line *line, const struct line_fence *fence, unsigned indent)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = scan_add(scan, MARKDOWN_CODE, line);
	struct str info = fence->info;
	size_t word = 0;

	while (word < info.len && !char_is_blank(info.ptr[word]))
		word++;
	record->language = word ? (uint32_t)scan_offset(scan, info.ptr) : 0;
	record->block.language.len = word;
	record->body = record->body_end;
	record->level = state->fence_indent = (uint8_t)indent;
	state->leaf = SCAN_FENCE;
	state->fence_sign = fence->sign;
	state->fence_length = fence->length;
}

void scan_fence_line(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct str rest = str_trim_start(line->cursor.rest);

	if (!line->cut && line_indent(&line->cursor, 4) < 4 && line_closes_fence(rest, state->fence_sign, state->fence_length)) {
		scan_current(scan)->block.end = line->next;
		scan_current(scan)->closed = true;
		state->leaf = SCAN_NONE;
	} else if (!line->partial || (rest.len && !line_closes_fence(rest, state->fence_sign, 1))) {
		scan_extend(scan, line);
	}
}

/* Begins display math. False when text follows its end on the same line: then it is a paragraph. */
static bool begin_math(struct markdown_scan *scan, const struct scan_line *line)
{
	struct str rest = str_trim(line->cursor.rest);
	const char *closer = line_opens_math(rest);
	struct markdown_record *record;
	struct str inside;
	size_t end;

	if (!closer || line->cut)
		return false;
	inside = str_skip(rest, 2);
	end = str_find(inside, str_from(closer));
	if (end + 2 < inside.len)
		return false;
	record = scan_add(scan, MARKDOWN_MATH, line);
	record->body = within(record, scan_offset(scan, inside.ptr));
	record->closed = end < inside.len;
	if (record->closed)
		record->body_end = record->body + (uint32_t)end;
	scan->state.leaf = record->closed ? SCAN_NONE : SCAN_MATH;
	scan->state.math_end = closer;
	return true;
}

void scan_math_line(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = scan_current(scan);
	struct str rest = str_trim(line->cursor.rest);

	if (!line->cut && str_ends(rest, scan->state.math_end)) {
		record->block.end = line->next;
		record->body_end = within(record, scan_offset(scan, rest.ptr) + rest.len - 2);
		record->closed = true;
		scan->state.leaf = SCAN_NONE;
		return;
	}
	if (!line->partial || rest.len != 1 || rest.ptr[0] != scan->state.math_end[0])
		scan_extend(scan, line);
}

/* Turns the last line of the open paragraph into the head of a table. */
void scan_begin_table(struct markdown_scan *scan, size_t rule, size_t rule_end)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = scan_current(scan);
	struct markdown_table *table;
	struct scan_line head = { .start = state->line.start, .end = state->line.end, .next = record->block.end };

	head.cursor.rest = str_of(scan->text.ptr + state->line.body, state->line.end - state->line.body);
	if (head.start > record->block.start) {
		record->block.end = head.start;
		record->body_end = within(record, head.start);
		record = scan_add(scan, MARKDOWN_TABLE, &head);
	}
	record->block.kind = MARKDOWN_TABLE;
	record->body = within(record, state->line.body);
	table = ARRAY_ADD(scan->tables, state->table_count, scan->table_capacity);
	*table = (struct markdown_table){ .head = state->line.body, .head_end = state->line.end, .rule = rule, .rule_end = rule_end };
	table->columns = (unsigned)line_columns(head.cursor.rest);
	if (table->columns > MARKDOWN_COLUMNS)
		table->columns = MARKDOWN_COLUMNS;
	table->block = state->record_count - 1;
	record->table = (uint32_t)state->table_count;
	state->leaf = SCAN_TABLE;
	state->lines = 1;
}

static bool is_partial_rule(struct str rest)
{
	for (size_t i = 0; i < rest.len; i++)
		if (!strchr("|:- \t", rest.ptr[i]) || !rest.ptr[i])
			return false;
	return true;
}

/* Handles the line below the head of a table. */
static bool scan_table_rule(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct str head = str_of(scan->text.ptr + state->line.body, state->line.end - state->line.body);
	size_t columns = line_columns(head), rule = scan_offset(scan, line->cursor.rest.ptr);

	if (!columns || line->cut || scan_current(scan)->cut)
		return false;
	if (!(line->partial && head.ptr[0] == '|' && is_partial_rule(line->cursor.rest)) && line_is_delimiter(line->cursor.rest) != columns)
		return false;
	scan_begin_table(scan, rule, line->end);
	extend(scan, line);
	return true;
}

/* Turns the open paragraph into a heading if the line underlines it. */
static bool scan_underline(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = scan_current(scan);
	unsigned level = line->cut ? 0 : line_is_underline(line->cursor.rest);

	if (!level || record->cut)
		return false;
	record->block.kind = MARKDOWN_HEADING;
	record->block.end = line->next;
	record->level = (uint8_t)level;
	scan->state.leaf = SCAN_NONE;
	return true;
}

/* Begins a block that one line identifies: heading, rule, fence, math. */
static bool scan_block_start(struct markdown_scan *scan, const struct scan_line *line, unsigned indent)
{
	struct str rest = line->cursor.rest, text;
	unsigned level = line_is_heading(rest, &text);
	struct markdown_record *record;
	struct line_fence fence;

	if (line->cut || (indent > 3 && scan->state.leaf == SCAN_PARAGRAPH))
		return false;
	if (line_is_fence(rest, &fence)) {
		begin_fence(scan, line, &fence, indent);
		return true;
	}
	if (!level && !line_is_rule(rest))
		return begin_math(scan, line);
	record = scan_add(scan, level ? MARKDOWN_HEADING : MARKDOWN_RULE, line);
	scan->state.leaf = SCAN_NONE;
	if (level) {
		record->level = (uint8_t)level;
		record->body = within(record, scan_offset(scan, text.ptr));
		record->body_end = record->body + (uint32_t)text.len;
	}
	return true;
}

/* Adds a definition of a reference. Within a paragraph it is text. */
static bool scan_definition(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct line_definition definition;

	if (line->cut || state->leaf == SCAN_PARAGRAPH || !line_is_definition(str_trim(line->cursor.rest), line->partial, &definition))
		return false;
	scan_add(scan, MARKDOWN_DEFINITION, line);
	state->leaf = SCAN_NONE;
	if (!line->partial && definitions_add(&scan->definitions, state->definition_count, scan->text, &definition))
		state->definition_count++;
	return true;
}

static void scan_paragraph(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = scan_last(scan);
	enum markdown_kind kind = MARKDOWN_PARAGRAPH;

	if (state->leaf == SCAN_PARAGRAPH && record->block.end - record->block.start < MARKDOWN_PARAGRAPH_BYTES) {
		extend(scan, line);
	} else if (state->leaf == SCAN_PARAGRAPH) {
		record = scan_add_chunk(scan, line);
		record->body = within(record, scan_offset(scan, line->cursor.rest.ptr));
	} else {
		if (state->depth && scan->containers[state->stack[state->depth - 1]].quote)
			kind = MARKDOWN_QUOTE;
		else if (scan->opened)
			kind = MARKDOWN_LIST_ITEM;
		scan_add(scan, kind, line);
	}
	state->leaf = SCAN_PARAGRAPH;
	state->line.start = line->start;
	state->line.body = scan_offset(scan, line->cursor.rest.ptr);
	state->line.end = line->end;
}

/* Scans the content of a line that is not the body of a fence or of math. */
void scan_leaf(struct markdown_scan *scan, struct scan_line *line, unsigned matched)
{
	struct scan_state *state = &scan->state;
	unsigned indent = line_indent(&line->cursor, UINT8_MAX), depth = state->depth;
	bool lacks = !scan->opened && matched < depth, follows = !scan->opened && !lacks;

	line_skip_blanks(&line->cursor, UINT16_MAX);
	if (state->leaf == SCAN_PARAGRAPH && follows && (scan_table_rule(scan, line) || scan_underline(scan, line)))
		return;
	if (state->leaf == SCAN_TABLE && follows && !line->cut && line_columns(line->cursor.rest)) {
		scan_extend(scan, line);
		return;
	}
	if (lacks)
		state->depth = matched;
	if (scan_block_start(scan, line, indent) || scan_definition(scan, line))
		return;
	/* lazy continuation: a paragraph continues without the markers of its containers */
	if (lacks && state->leaf == SCAN_PARAGRAPH)
		state->depth = depth;
	else if (lacks || state->leaf != SCAN_PARAGRAPH)
		state->leaf = SCAN_NONE;
	scan_paragraph(scan, line);
}
