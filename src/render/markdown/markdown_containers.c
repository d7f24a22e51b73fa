#include "render/markdown/markdown_scan_inside.h"

#include "base/mem.h"

#define NOTE_COLUMNS 4
#define LENIENT_COLUMNS 2 /* bullets below a number are often indented by less than its width */

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

/* How many of the open containers the line continues. */
unsigned scan_match_containers(const struct markdown_scan *scan, struct scan_line *line)
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

/* Takes a list marker, the blanks after it, and a task box. */
static void take_list_item(struct markdown_scan *scan, struct scan_line *line, const struct line_marker *marker, unsigned indent)
{
	struct line_cursor *cursor = &line->cursor;
	struct markdown_container item = { .ordered = marker->ordered, .marker_length = (uint8_t)marker->length };
	unsigned gap;

	item.marker = scan_offset(scan, cursor->rest.ptr);
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

/* Takes `[^label]:`. The content of a footnote is indented by four. */
static void take_footnote(struct markdown_scan *scan, struct scan_line *line, size_t length)
{
	struct line_cursor *cursor = &line->cursor;
	struct markdown_container note = { .footnote = true, .marker_length = (uint8_t)length, .content = NOTE_COLUMNS };

	note.marker = scan_offset(scan, cursor->rest.ptr);
	line_skip_bytes(cursor, length);
	line_skip_blanks(cursor, line_indent(cursor, UINT16_MAX / 2));
	push_container(scan, &note);
}

/* Whether a list item begins here. A paragraph can only be interrupted by an item that is not empty and, if numbered, begins at 1. */
static bool is_list_item(struct str rest, bool interrupts, const struct scan_line *line, struct line_marker *marker)
{
	if (line_is_rule(rest) || !line_is_marker(rest, marker) || (marker->empty && line->partial))
		return false;
	return !interrupts || (!marker->empty && (!marker->ordered || marker->is_one));
}

/* Opens another container at the cursor; false if there is none. */
bool scan_open_container(struct markdown_scan *scan, struct scan_line *line, unsigned matched)
{
	struct scan_state *state = &scan->state;
	struct line_cursor ahead = line->cursor;
	unsigned depth = scan->opened ? state->depth : matched, indent = line_indent(&ahead, UINT16_MAX / 2);
	bool interrupts = state->leaf == SCAN_PARAGRAPH && !scan->opened && matched == state->depth;
	bool quote = line_take_quote(&ahead);
	struct line_marker marker;
	size_t note = 0;

	if (depth == MARKDOWN_DEPTH && scan->opened)
		return false;
	if (depth == MARKDOWN_DEPTH)
		depth--;
	if (!quote) {
		line_skip_blanks(&ahead, indent);
		note = indent < NOTE_COLUMNS ? line_is_footnote(ahead.rest) : 0;
		if ((interrupts && indent > 3) || (!note && !is_list_item(ahead.rest, interrupts, line, &marker)))
			return false;
	}
	state->depth = depth;
	state->leaf = SCAN_NONE;
	if (quote)
		push_container(scan, &(struct markdown_container){ .quote = true, .marker = scan_offset(scan, ahead.rest.ptr) });
	line->cursor = ahead;
	if (note)
		take_footnote(scan, line, note);
	else if (!quote)
		take_list_item(scan, line, &marker, indent);
	return true;
}
