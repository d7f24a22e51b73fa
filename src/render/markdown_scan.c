#include "render/markdown_scan.h"

#include <string.h>

#include "base/mem.h"

#define LENIENT_COLUMNS 2 /* bullets below a number are often indented by less than the number is wide */

struct scan_line {
	size_t start, end, next;
	bool partial;             /* more of it may come */
	bool cut;                 /* it goes on, and is text whatever follows */
	struct line_cursor cursor;
};

void scan_init(struct markdown_scan *scan)
{
	*scan = (struct markdown_scan){ 0 };
}

void scan_fini(struct markdown_scan *scan)
{
	mem_free(scan->records);
	mem_free(scan->containers);
	mem_free(scan->tables);
	scan_init(scan);
}

void scan_reset(struct markdown_scan *scan)
{
	scan->state = scan->complete = (struct scan_state){ 0 };
	scan->text = STR_NONE;
}

static struct markdown_record *last_record(struct markdown_scan *scan)
{
	return scan->state.record_count ? &scan->records[scan->state.record_count - 1] : NULL;
}

/* An offset as the last block counts: from its start. */
static uint32_t within(const struct markdown_record *record, size_t offset)
{
	return (uint32_t)(offset - record->block.start);
}

static size_t offset_of(const struct markdown_scan *scan, const char *ptr)
{
	return (size_t)(ptr - scan->text.ptr);
}

/* Begins a block with the line at hand; the containers that the line began belong to it. */
static struct markdown_record *add_record(struct markdown_scan *scan, enum markdown_kind kind, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record;

	mem_reserve(&scan->records, &scan->record_capacity, state->record_count + 1, sizeof *scan->records);
	record = &scan->records[state->record_count++];
	*record = (struct markdown_record){
		.block = { .kind = kind, .start = line->start, .end = line->next },
		.body = (uint32_t)(offset_of(scan, line->cursor.rest.ptr) - line->start),
		.body_end = (uint32_t)(line->next - line->start),
		.container = state->depth ? state->stack[state->depth - 1] + 1 : 0,
		.opened = (uint8_t)scan->opened,
	};
	scan->opened = 0;
	state->lines = 1;
	return record;
}

/* A further chunk of the last block. */
static struct markdown_record *add_chunk(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record before = *last_record(scan);
	struct markdown_record *record = add_record(scan, before.block.kind, line);

	record->block.language.len = before.block.language.len;
	record->block.continues = true;
	record->body = 0;
	record->language = before.language;
	record->table = before.table;
	record->container = before.container;
	record->level = before.level;
	return record;
}

static void extend(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = last_record(scan);

	record->block.end = line->next;
	record->body_end = within(record, line->next);
	scan->state.lines++;
}

static bool chunk_is_full(struct markdown_scan *scan)
{
	const struct markdown_record *record = last_record(scan);

	return scan->state.lines >= MARKDOWN_CHUNK_LINES || record->block.end - record->block.start >= MARKDOWN_CHUNK_BYTES;
}

static void extend_or_chunk(struct markdown_scan *scan, const struct scan_line *line)
{
	if (chunk_is_full(scan))
		add_chunk(scan, line);
	else
		extend(scan, line);
}

/* --- containers */

static bool item_holds(const struct markdown_container *item, struct line_cursor *cursor)
{
	unsigned indent = line_indent(cursor, item->content);
	struct line_cursor ahead = *cursor;
	struct line_marker marker;

	if (str_is_blank(cursor->rest))
		return true;
	line_skip_blanks(&ahead, indent);
	if (indent < item->content &&
	    !(item->ordered && indent >= LENIENT_COLUMNS && line_is_marker(ahead.rest, &marker) && !marker.ordered))
		return false;
	*cursor = ahead;
	return true;
}

/* How many of the open containers the line goes on with. */
static unsigned match_containers(const struct markdown_scan *scan, struct scan_line *line)
{
	for (unsigned i = 0; i < scan->state.depth; i++) {
		const struct markdown_container *container = &scan->containers[scan->state.stack[i]];

		if (container->quote ? !line_take_quote(&line->cursor) : !item_holds(container, &line->cursor))
			return i;
	}
	return scan->state.depth;
}

static void push_container(struct markdown_scan *scan, const struct markdown_container *container)
{
	struct scan_state *state = &scan->state;

	mem_reserve(&scan->containers, &scan->container_capacity, state->container_count + 1, sizeof *scan->containers);
	scan->containers[state->container_count] = *container;
	scan->containers[state->container_count].parent = state->depth ? state->stack[state->depth - 1] + 1 : 0;
	state->stack[state->depth++] = (uint32_t)state->container_count++;
	scan->opened++;
}

static bool is_task(struct str rest, char *mark)
{
	if (rest.len < 3 || rest.ptr[0] != '[' || rest.ptr[2] != ']' || (rest.len > 3 && !char_is_blank(rest.ptr[3])))
		return false;
	*mark = rest.ptr[1] == 'X' ? 'x' : rest.ptr[1];
	return *mark == ' ' || *mark == 'x';
}

/* Goes over a list sign, the blanks behind it and a task's box. */
static void take_item(struct markdown_scan *scan, struct scan_line *line, const struct line_marker *marker, unsigned indent)
{
	struct line_cursor *cursor = &line->cursor;
	struct markdown_container item = { .ordered = marker->ordered, .marker_length = (uint8_t)marker->length };
	unsigned gap;

	item.marker = offset_of(scan, cursor->rest.ptr);
	line_skip_bytes(cursor, marker->length);
	gap = line_indent(cursor, 5);
	if (marker->empty || gap > 4)
		gap = 1;
	line_skip_blanks(cursor, gap);
	item.content = (uint16_t)(indent + marker->length + gap);
	if (is_task(cursor->rest, &item.task))
		line_skip_bytes(cursor, cursor->rest.len > 3 ? 4 : 3);
	else
		item.task = '\0';
	push_container(scan, &item);
}

/* Whether a list may begin here: a paragraph is only interrupted by what is surely one. */
static bool may_begin_item(const struct line_marker *marker, bool interrupts, const struct scan_line *line)
{
	if (marker->empty && line->partial)
		return false;
	return !interrupts || (!marker->empty && (!marker->ordered || marker->is_one));
}

/* Opens one more container at the cursor; false when there is none. */
static bool open_container(struct markdown_scan *scan, struct scan_line *line, unsigned matched)
{
	struct scan_state *state = &scan->state;
	struct line_cursor ahead = line->cursor;
	unsigned depth = scan->opened ? state->depth : matched, indent = line_indent(&ahead, UINT16_MAX / 2);
	bool interrupts = state->leaf == SCAN_PARAGRAPH && !scan->opened && matched == state->depth;
	bool quote = line_take_quote(&ahead);
	struct line_marker marker;

	if (depth == MARKDOWN_DEPTH && scan->opened)
		return false;
	if (depth == MARKDOWN_DEPTH)
		depth--;
	if (!quote) {
		line_skip_blanks(&ahead, indent);
		if ((interrupts && indent > 3) || line_is_rule(ahead.rest) || !line_is_marker(ahead.rest, &marker) ||
		    !may_begin_item(&marker, interrupts, line))
			return false;
	}
	state->depth = depth;
	state->leaf = SCAN_NONE;
	if (quote)
		push_container(scan, &(struct markdown_container){ .quote = true, .marker = offset_of(scan, ahead.rest.ptr) });
	line->cursor = ahead;
	if (!quote)
		take_item(scan, line, &marker, indent);
	return true;
}

/* --- leaves */

static void scan_blank(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = last_record(scan);
	struct scan_state *state = &scan->state;
	uint32_t container = state->depth ? state->stack[state->depth - 1] + 1 : 0;

	state->leaf = SCAN_NONE;
	if (scan->opened)
		add_record(scan, scan->containers[container - 1].quote ? MARKDOWN_QUOTE : MARKDOWN_LIST_ITEM, line);
	else if (record && record->block.kind == MARKDOWN_BLANK && record->container == container)
		extend(scan, line);
	else
		add_record(scan, MARKDOWN_BLANK, line);
}

static void begin_fence(struct markdown_scan *scan, const struct scan_line *line, const struct line_fence *fence, unsigned indent)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = add_record(scan, MARKDOWN_CODE, line);
	struct str info = fence->info;
	size_t word = 0;

	while (word < info.len && !char_is_blank(info.ptr[word]))
		word++;
	record->language = word ? (uint32_t)offset_of(scan, info.ptr) : 0;
	record->block.language.len = word;
	record->body = record->body_end;
	record->level = state->fence_indent = (uint8_t)indent;
	state->leaf = SCAN_FENCE;
	state->fence_sign = fence->sign;
	state->fence_length = fence->length;
}

static void scan_fence_line(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct str rest = str_trim_start(line->cursor.rest);

	if (!line->cut && line_indent(&line->cursor, 4) < 4 && line_closes_fence(rest, state->fence_sign, state->fence_length)) {
		last_record(scan)->block.end = line->next;
		state->leaf = SCAN_NONE;
	} else if (!line->partial || (rest.len && !line_closes_fence(rest, state->fence_sign, 1))) {
		extend_or_chunk(scan, line);
	}
}

/* Display math on the line that opens it; false when text follows on its end: that is a paragraph. */
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
	record = add_record(scan, MARKDOWN_MATH, line);
	record->body = within(record, offset_of(scan, inside.ptr));
	record->closed = end < inside.len;
	if (record->closed)
		record->body_end = record->body + (uint32_t)end;
	scan->state.leaf = record->closed ? SCAN_NONE : SCAN_MATH;
	scan->state.math_end = closer;
	return true;
}

static void scan_math_line(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = last_record(scan);
	struct str rest = str_trim(line->cursor.rest);

	if (!line->cut && str_ends(rest, scan->state.math_end)) {
		record->block.end = line->next;
		record->body_end = within(record, offset_of(scan, rest.ptr) + rest.len - 2);
		record->closed = true;
		scan->state.leaf = SCAN_NONE;
		return;
	}
	if (!line->partial || rest.len != 1 || rest.ptr[0] != scan->state.math_end[0])
		extend_or_chunk(scan, line);
}

/* The last line of the open paragraph is the head of a table. */
static void begin_table(struct markdown_scan *scan, size_t rule, size_t rule_end)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = last_record(scan);
	struct markdown_table *table;
	struct scan_line head = { .start = state->line.start, .end = state->line.end, .next = record->block.end };

	head.cursor.rest = str_of(scan->text.ptr + state->line.body, state->line.end - state->line.body);
	if (head.start > record->block.start) {
		record->block.end = head.start;
		record->body_end = within(record, head.start);
		record = add_record(scan, MARKDOWN_TABLE, &head);
	}
	record->block.kind = MARKDOWN_TABLE;
	record->body = within(record, state->line.body);
	mem_reserve(&scan->tables, &scan->table_capacity, state->table_count + 1, sizeof *scan->tables);
	table = &scan->tables[state->table_count++];
	*table = (struct markdown_table){ .head = state->line.body, .head_end = state->line.end, .rule = rule, .rule_end = rule_end };
	table->columns = (unsigned)line_columns(head.cursor.rest);
	if (table->columns > MARKDOWN_COLUMNS)
		table->columns = MARKDOWN_COLUMNS;
	table->block = state->record_count - 1;
	record->table = (uint32_t)state->table_count;
	state->leaf = SCAN_TABLE;
	state->lines = 1;
}

static bool is_rule_under_way(struct str rest)
{
	for (size_t i = 0; i < rest.len; i++)
		if (!strchr("|:- \t", rest.ptr[i]) || !rest.ptr[i])
			return false;
	return true;
}

/* The line below the head of a table. */
static bool scan_table_rule(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct str head = str_of(scan->text.ptr + state->line.body, state->line.end - state->line.body);
	size_t columns = line_columns(head), rule = offset_of(scan, line->cursor.rest.ptr);

	if (!columns || line->cut || last_record(scan)->cut)
		return false;
	if (!(line->partial && head.ptr[0] == '|' && is_rule_under_way(line->cursor.rest)) && line_is_delimiter(line->cursor.rest) != columns)
		return false;
	begin_table(scan, rule, line->end);
	extend(scan, line);
	return true;
}

/* An underline makes a heading of the open paragraph. */
static bool scan_underline(struct markdown_scan *scan, const struct scan_line *line)
{
	struct markdown_record *record = last_record(scan);
	unsigned level = line->cut ? 0 : line_is_underline(line->cursor.rest);

	if (!level || record->cut)
		return false;
	record->block.kind = MARKDOWN_HEADING;
	record->block.end = line->next;
	record->level = (uint8_t)level;
	scan->state.leaf = SCAN_NONE;
	return true;
}

/* Blocks that one line tells: headings, rules, fences, math. */
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
	record = add_record(scan, level ? MARKDOWN_HEADING : MARKDOWN_RULE, line);
	scan->state.leaf = SCAN_NONE;
	if (level) {
		record->level = (uint8_t)level;
		record->body = within(record, offset_of(scan, text.ptr));
		record->body_end = record->body + (uint32_t)text.len;
	}
	return true;
}

static void scan_paragraph(struct markdown_scan *scan, const struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	struct markdown_record *record = last_record(scan);
	enum markdown_kind kind = MARKDOWN_PARAGRAPH;

	if (state->leaf == SCAN_PARAGRAPH && record->block.end - record->block.start < MARKDOWN_PARAGRAPH_BYTES) {
		extend(scan, line);
	} else if (state->leaf == SCAN_PARAGRAPH) {
		record = add_chunk(scan, line);
		record->body = within(record, offset_of(scan, line->cursor.rest.ptr));
	} else {
		if (state->depth && scan->containers[state->stack[state->depth - 1]].quote)
			kind = MARKDOWN_QUOTE;
		else if (scan->opened)
			kind = MARKDOWN_LIST_ITEM;
		add_record(scan, kind, line);
	}
	state->leaf = SCAN_PARAGRAPH;
	state->line.start = line->start;
	state->line.body = offset_of(scan, line->cursor.rest.ptr);
	state->line.end = line->end;
}

/* The beginning of a task's box, or signs that may become anything yet. */
static bool is_undecided(const struct markdown_scan *scan, struct str rest)
{
	static const char *const boxes[] = { "[", "[ ", "[x", "[X", "[ ]", "[x]", "[X]" };

	for (size_t i = 0; scan->opened && i < sizeof boxes / sizeof *boxes; i++)
		if (str_is(rest, boxes[i]))
			return true;
	return line_is_undecided(rest, scan->state.depth > 0);
}

/* --- lines */

/* A line that is no body of a fence or of math, behind its containers. */
static void scan_leaf(struct markdown_scan *scan, struct scan_line *line, unsigned matched)
{
	struct scan_state *state = &scan->state;
	unsigned indent = line_indent(&line->cursor, UINT8_MAX), depth = state->depth;
	bool lacks = !scan->opened && matched < depth, follows = !scan->opened && !lacks;

	line_skip_blanks(&line->cursor, UINT16_MAX);
	if (state->leaf == SCAN_PARAGRAPH && follows && (scan_table_rule(scan, line) || scan_underline(scan, line)))
		return;
	if (state->leaf == SCAN_TABLE && follows && !line->cut && line_columns(line->cursor.rest)) {
		extend_or_chunk(scan, line);
		return;
	}
	if (lacks)
		state->depth = matched;
	if (scan_block_start(scan, line, indent))
		return;
	/* A paragraph goes on although its containers' signs are missing. */
	if (lacks && state->leaf == SCAN_PARAGRAPH)
		state->depth = depth;
	else if (lacks || state->leaf != SCAN_PARAGRAPH)
		state->leaf = SCAN_NONE;
	scan_paragraph(scan, line);
}

static void scan_one_line(struct markdown_scan *scan, struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	unsigned matched = match_containers(scan, line);
	bool body = state->leaf == SCAN_FENCE || state->leaf == SCAN_MATH;

	if (body && matched == state->depth && state->leaf == SCAN_FENCE) {
		scan_fence_line(scan, line);
		return;
	}
	if (body && matched == state->depth && !str_is_blank(line->cursor.rest)) {
		scan_math_line(scan, line);
		return;
	}
	if (line->partial && str_is_blank(line->cursor.rest))
		return;
	if (body)
		state->leaf = SCAN_NONE;
	while (open_container(scan, line, matched))
		continue;
	if (line->partial && is_undecided(scan, line->cursor.rest)) {
		if (scan->opened) {
			scan_blank(scan, line);
			last_record(scan)->body = last_record(scan)->body_end;
		}
	} else if (str_is_blank(line->cursor.rest)) {
		if (!scan->opened)
			state->depth = matched;
		scan_blank(scan, line);
	} else {
		scan_leaf(scan, line, matched);
	}
}

/* A piece of a line that was cut: its block is of the kind of the one before, whatever it says. */
static void scan_within(struct markdown_scan *scan, struct scan_line *line)
{
	struct markdown_record *record = add_chunk(scan, line);

	if (record->block.kind == MARKDOWN_BLANK && !str_is_blank(line->cursor.rest)) {
		record->block.kind = MARKDOWN_PARAGRAPH;
		scan->state.leaf = SCAN_PARAGRAPH;
	}
	scan->state.line.start = scan->state.line.body = line->start;
	scan->state.line.end = line->end;
}

static void scan_raw_line(struct markdown_scan *scan, struct scan_line *line)
{
	if (scan->state.leaf == SCAN_TEXT) {
		extend_or_chunk(scan, line);
		return;
	}
	scan->state.depth = 0;
	scan->state.leaf = SCAN_TEXT;
	add_record(scan, MARKDOWN_PARAGRAPH, line);
}

static void scan_piece(struct markdown_scan *scan, struct scan_line *line, bool raw)
{
	line->cursor = (struct line_cursor){ .rest = str_of(scan->text.ptr + line->start, line->end - line->start) };
	scan->opened = 0;
	if (scan->state.within)
		scan_within(scan, line);
	else if (raw || scan->state.record_count >= MARKDOWN_BLOCKS)
		scan_raw_line(scan, line);
	else
		scan_one_line(scan, line);
	scan->state.within = line->cut;
	if (scan->state.record_count)
		last_record(scan)->cut = line->cut;
	scan->state.at = line->next;
}

/* Where a line is cut that is too long: behind a blank, if there is one. */
static size_t cut_of(struct str line)
{
	size_t at = MARKDOWN_LINE_BYTES;

	while (at > MARKDOWN_LINE_BYTES / 2 && !char_is_blank(line.ptr[at - 1]))
		at--;
	if (at > MARKDOWN_LINE_BYTES / 2)
		return at;
	for (at = MARKDOWN_LINE_BYTES; ((unsigned char)line.ptr[at] & 0xC0) == 0x80 && at > MARKDOWN_LINE_BYTES - 4;)
		at--;
	return at;
}

/* The next line, or piece of one, that nothing behind it can change; false when the rest is unfinished. */
static bool take_line(const struct markdown_scan *scan, struct scan_line *line)
{
	size_t at = scan->state.at;
	struct str rest = str_skip(scan->text, at), look = str_head(rest, MARKDOWN_LINE_BYTES + 1);
	const char *feed = look.len ? memchr(look.ptr, '\n', look.len) : NULL;

	*line = (struct scan_line){ .start = at };
	if (!feed && rest.len <= MARKDOWN_LINE_BYTES)
		return false;
	line->cut = !feed;
	line->next = at + (feed ? (size_t)(feed - rest.ptr) + 1 : cut_of(rest));
	line->end = feed ? line->next - 1 : line->next;
	if (feed && line->end > at && scan->text.ptr[line->end - 1] == '\r')
		line->end--;
	return true;
}

/* What is not settled: the last line, and a line that looks like the head of a table. */
static void scan_tail(struct markdown_scan *scan, bool whole, bool raw)
{
	struct scan_state *state = &scan->state;
	struct scan_line line = { .start = state->at, .end = scan->text.len, .next = scan->text.len, .partial = !whole };

	if (line.end > line.start && scan->text.ptr[line.end - 1] == '\r')
		line.end--;
	if (line.next > line.start)
		scan_piece(scan, &line, raw);
	if (!whole && state->leaf == SCAN_PARAGRAPH && !last_record(scan)->cut && scan->text.ptr[state->line.body] == '|')
		begin_table(scan, 0, 0);
}

size_t scan_update(struct markdown_scan *scan, struct str text, bool whole, bool raw)
{
	size_t changed;
	struct scan_line line;

	scan->text = text;
	scan->state = scan->complete;
	if (scan->state.record_count)
		*last_record(scan) = scan->last;
	changed = scan->state.record_count ? scan->state.record_count - 1 : 0;
	while (take_line(scan, &line))
		scan_piece(scan, &line, raw);
	scan->complete = scan->state;
	if (scan->state.record_count)
		scan->last = *last_record(scan);
	scan_tail(scan, whole, raw);
	if (scan->state.record_count)
		last_record(scan)->block.open = !whole;
	return changed;
}
