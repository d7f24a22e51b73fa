#include "render/markdown/markdown_scan_inside.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/search.h"
#include "base/utf8.h"

void scan_init(struct markdown_scan *scan)
{
	*scan = (struct markdown_scan){ 0 };
	definitions_init(&scan->definitions);
}

void scan_fini(struct markdown_scan *scan)
{
	mem_free(scan->records);
	mem_free(scan->containers);
	mem_free(scan->tables);
	definitions_fini(&scan->definitions);
	scan_init(scan);
}

void scan_reset(struct markdown_scan *scan)
{
	scan->state = scan->complete = (struct scan_state){ 0 };
	scan->text = STR_NONE;
}
/* Whether the rest may be the beginning of a task box or of a marker. */
static bool is_undecided(const struct markdown_scan *scan, struct str rest)
{
	static const char *const boxes[] = { "[", "[ ", "[x", "[X", "[ ]", "[x]", "[X]" };

	if (scan->opened && str_is_among(rest, boxes, ARRAY_LEN(boxes)))
		return true;
	return line_is_undecided(rest, scan->opened || scan->state.depth || scan->state.leaf != SCAN_PARAGRAPH);
}

static void scan_one_line(struct markdown_scan *scan, struct scan_line *line)
{
	struct scan_state *state = &scan->state;
	unsigned matched = scan_match_containers(scan, line);
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
	while (scan_open_container(scan, line, matched))
		continue;
	if (line->partial && is_undecided(scan, line->cursor.rest)) {
		if (scan->opened && !str_starts(line->cursor.rest, "[")) { /* a bullet, or a task box in its place */
			scan_blank(scan, line);
			scan_current(scan)->body = scan_current(scan)->body_end;
		}
	} else if (str_is_blank(line->cursor.rest)) {
		if (!scan->opened)
			state->depth = matched;
		scan_blank(scan, line);
	} else {
		scan_leaf(scan, line, matched);
	}
}

/* Adds another part of a split line. It continues the block before it, whatever it contains. */
static void scan_within(struct markdown_scan *scan, struct scan_line *line)
{
	struct markdown_record *record = scan_add_chunk(scan, line);

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
		scan_extend(scan, line);
		return;
	}
	scan->state.depth = 0;
	scan->state.leaf = SCAN_TEXT;
	scan_add(scan, MARKDOWN_PARAGRAPH, line);
}

static void scan_part(struct markdown_scan *scan, struct scan_line *line, bool raw)
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
		scan_last(scan)->cut = line->cut;
	scan->state.at = line->next;
}

/* Where to split a line that is too long: after a blank if there is one. */
static size_t split_point(struct str line)
{
	size_t at = MARKDOWN_LINE_BYTES;

	while (at > MARKDOWN_LINE_BYTES / 2 && !char_is_blank(line.ptr[at - 1]))
		at--;
	if (at > MARKDOWN_LINE_BYTES / 2)
		return at;
	for (at = MARKDOWN_LINE_BYTES; utf8_is_inside(line.ptr[at]) && at > MARKDOWN_LINE_BYTES - 4;)
		at--;
	return at;
}

/* Takes the next complete line or part of one; false when only an unfinished line remains. */
static bool take_scan_line(const struct markdown_scan *scan, struct scan_line *line)
{
	size_t at = scan->state.at;
	struct str rest = str_skip(scan->text, at), look = str_head(rest, MARKDOWN_LINE_BYTES + 1);
	const char *feed = look.len ? memchr(look.ptr, '\n', look.len) : NULL;

	*line = (struct scan_line){ .start = at };
	if (!feed && rest.len <= MARKDOWN_LINE_BYTES)
		return false;
	line->cut = !feed;
	line->next = at + (feed ? (size_t)(feed - rest.ptr) + 1 : split_point(rest));
	line->end = feed ? line->next - 1 : line->next;
	if (feed && line->end > at && scan->text.ptr[line->end - 1] == '\r')
		line->end--;
	return true;
}

/* Scans provisionally: the last line, and a line that may be the head of a table. */
static void scan_tail(struct markdown_scan *scan, bool whole, bool raw)
{
	struct scan_state *state = &scan->state;
	struct scan_line line = { .start = state->at, .end = scan->text.len, .next = scan->text.len, .partial = !whole };

	if (line.end > line.start && scan->text.ptr[line.end - 1] == '\r')
		line.end--;
	if (line.next > line.start)
		scan_part(scan, &line, raw);
	if (!whole && state->leaf == SCAN_PARAGRAPH && !scan_current(scan)->cut && scan->text.ptr[state->line.body] == '|')
		scan_begin_table(scan, 0, 0);
}

bool scan_shows_nothing(const struct markdown_record *record)
{
	return record->block.kind == MARKDOWN_CODE && !record->block.language.len && !record->container && !record->block.continues &&
	       record->body == record->body_end;
}

size_t scan_above(const struct markdown_scan *scan, size_t block)
{
	size_t above = block;

	while (above && scan_shows_nothing(&scan->records[above - 1]))
		above--;
	return above ? above - 1 : block;
}

size_t scan_last_chunk(const struct markdown_scan *scan, size_t first)
{
	struct search s = search_in(first + 1, scan->state.record_count);

	while (search_next(&s))
		search_take(&s, scan->records[s.middle].first <= first);
	return s.low - 1;
}

size_t scan_update(struct markdown_scan *scan, struct str text, bool whole, bool raw)
{
	size_t changed;
	struct scan_line line;

	scan->text = text;
	scan->state = scan->complete;
	if (scan->state.record_count)
		*scan_last(scan) = scan->last;
	changed = scan->state.record_count ? scan->state.record_count - 1 : 0;
	while (take_scan_line(scan, &line))
		scan_part(scan, &line, raw);
	scan->complete = scan->state;
	if (scan->state.record_count)
		scan->last = *scan_last(scan);
	scan_tail(scan, whole, raw);
	if (scan->state.record_count)
		scan_last(scan)->block.open = !whole;
	return changed;
}
