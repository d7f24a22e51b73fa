#include "render/markdown/markdown_spans.h"

#include <string.h>

#include "base/mem.h"
#include "base/search.h"

#define CHUNK_FIRST 512
#define CHUNK_MOST 16384
#define BACK_BYTES 256
#define LOOK_COLUMNS 512 /* beyond the edge: how far code can be scrolled */

/* --- strips --- */

void strip_init(struct strip *strip)
{
	*strip = (struct strip){ 0 };
	flow_init(&strip->flow);
}

void strip_fini(struct strip *strip)
{
	buf_fini(&strip->text);
	flow_fini(&strip->flow);
	mem_free(strip->runs);
	strip_init(strip);
}

void strip_clear(struct strip *strip)
{
	buf_clear(&strip->text);
	strip->count = 0;
}

/*
 * Number of leading bytes that belong to the last cell of the previous run. A cell (a cluster, hidden characters) is not split, because
 * its parts would be wider.
 */
static size_t joined_bytes(const struct strip *strip, size_t before)
{
	struct str text = buf_str(&strip->text);
	struct utf8_cell cell;
	size_t at = before, from = strip->count ? strip->runs[strip->count - 1].at : 0;

	if (!before || !((unsigned char)text.ptr[before] & 0x80))
		return 0;
	/* Goes back to a certain cell boundary: ASCII, the last run, or the limit. */
	while (at > from && before - at < BACK_BYTES && (unsigned char)text.ptr[at] & 0x80)
		at--;
	while (at > from && utf8_is_inside(text.ptr[at]))
		at--;
	while (at < before)
		at += utf8_cell(str_skip(text, at), &cell);
	return at - before;
}

static bool same_style(struct strip_style a, struct strip_style b)
{
	return a.role == b.role && a.attributes == b.attributes && a.link == b.link;
}

static void add_run(struct strip *strip, struct str text, struct strip_style style, size_t source, bool exact)
{
	struct strip_run *last = strip->count ? &strip->runs[strip->count - 1] : NULL;
	size_t before = strip->text.len, joined;

	if (!text.len || !buf_add(&strip->text, text))
		return;
	if (last && last->exact == exact && last->source + (exact ? before - last->at : 0) == source && same_style(last->style, style))
		return;
	joined = joined_bytes(strip, before);
	if (joined >= text.len)
		return;
	*ARRAY_ADD(strip->runs, strip->count, strip->capacity) = (struct strip_run){
		.at = before + joined, .source = exact ? source + joined : source, .style = style, .exact = exact };
}

void strip_add(struct strip *strip, struct str text, struct strip_style style, size_t source, bool exact)
{
	size_t i, start = 0;

	if (!text.len)
		return;
	for (i = 0; i < text.len; i++) {
		if (text.ptr[i] != '\t' && text.ptr[i] != '\r' && text.ptr[i] != '\n')
			continue;
		add_run(strip, str_of(text.ptr + start, i - start), style, exact ? source + start : source, exact);
		add_run(strip, text.ptr[i] == '\r' ? STR("\u240D") : STR(" "), style, exact ? source + i : source, false);
		start = i + 1;
	}
	add_run(strip, str_of(text.ptr + start, i - start), style, exact ? source + start : source, exact);
}

void strip_end_line(struct strip *strip, size_t source)
{
	add_run(strip, STR("\n"), (struct strip_style){ 0 }, source, true);
}

/* The last run that begins at or before `at`. */
static size_t run_of(const struct strip *strip, size_t at)
{
	struct search s = search_in(1, strip->count);

	while (search_next(&s))
		search_take(&s, strip->runs[s.middle].at <= at);
	return s.low - 1;
}

size_t strip_source(const struct strip *strip, size_t at)
{
	const struct strip_run *run;

	if (!strip->count)
		return 0;
	run = &strip->runs[run_of(strip, at)];
	return run->exact && at > run->at ? run->source + (at - run->at) : run->source;
}

bool strip_is_styled(const struct strip *strip, size_t at, struct strip_style style)
{
	return strip->count && same_style(strip->runs[run_of(strip, at)].style, style);
}

/* Code within text is not broken at its hyphens. */
static bool strip_holds(const void *ctx, size_t offset)
{
	const struct strip *strip = ctx;

	return strip->runs[run_of(strip, offset)].style.role == ROLE_CODE_WORD && strip->runs[run_of(strip, offset - 1)].style.role == ROLE_CODE_WORD;
}

void strip_wrap(struct strip *strip, unsigned width)
{
	strip->flow.holds = strip_holds;
	strip->flow.ctx = strip;
	flow_reset(&strip->flow);
	flow_update(&strip->flow, buf_str(&strip->text), width);
}

/* --- memory --- */

struct layout_chunk {
	struct layout_chunk *before;
	size_t size, used;
	max_align_t bytes[];
};

void layout_init(struct layout *layout)
{
	*layout = (struct layout){ 0 };
}

void layout_fini(struct layout *layout)
{
	layout_return(layout, (struct layout_mark){ 0 });
	mem_free(layout->rows);
	mem_free(layout->links);
	mem_free(layout->spans);
	layout_init(layout);
}

struct layout_mark layout_mark_of(const struct layout *layout)
{
	return (struct layout_mark){ .rows = layout->view.count, .links = layout->view.link_count, .chunk = layout->chunk,
		.used = layout->chunk ? layout->chunk->used : 0 };
}

void layout_return(struct layout *layout, struct layout_mark mark)
{
	while (layout->chunk != mark.chunk) {
		struct layout_chunk *before = layout->chunk->before;

		layout->bytes -= layout->chunk->size;
		mem_free(layout->chunk);
		layout->chunk = before;
	}
	if (layout->chunk)
		layout->chunk->used = mark.used;
	layout->view.count = mark.rows;
	layout->view.link_count = mark.links;
	layout->view.beyond = mark.rows ? layout->view.beyond : 0;
	layout->view.before = layout->view.next = 0;
	layout->view.band_end = mark.rows ? layout->view.band_end : 0;
	layout->span_count = 0;
}

void *layout_room(struct layout *layout, size_t size)
{
	struct layout_chunk *chunk = layout->chunk;

	void *room;

	size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!chunk || chunk->size - chunk->used < size) {
		size_t grown = chunk ? chunk->size * 2 : CHUNK_FIRST;

		if (grown > CHUNK_MOST)
			grown = CHUNK_MOST;
		if (grown < size)
			grown = size;
		chunk = mem_new(sizeof *chunk + grown);
		chunk->before = layout->chunk;
		chunk->size = grown;
		layout->chunk = chunk;
		layout->bytes += grown;
	}
	room = (char *)chunk->bytes + chunk->used;
	chunk->used += size;
	return room;
}

struct str layout_copy(struct layout *layout, struct str text)
{
	char *copy = layout_room(layout, text.len);

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return str_of(copy, text.len);
}

uint16_t layout_link(struct layout *layout, struct str destination)
{
	if (layout->view.link_count >= UINT16_MAX)
		return 0;
	*ARRAY_ADD(layout->links, layout->view.link_count, layout->link_capacity) = layout_copy(layout, destination);
	return (uint16_t)layout->view.link_count;
}

/* --- rows --- */

void layout_add(struct layout *layout, struct span span)
{
	*ARRAY_ADD(layout->spans, layout->span_count, layout->span_capacity) = span;
}

void layout_add_blanks(struct layout *layout, unsigned columns)
{
	static const char blanks[] = "                                                                ";

	while (columns) {
		unsigned some = columns < sizeof blanks - 1 ? columns : (unsigned)sizeof blanks - 1;

		layout_add(layout, (struct span){ .text = str_of(blanks, some) });
		columns -= some;
	}
}

void layout_add_part(struct layout *layout, const struct strip *strip, size_t start, size_t end)
{
	struct str copy;

	if (end <= start)
		return;
	copy = layout_copy(layout, str_of(strip->text.ptr + start, end - start));
	for (size_t i = run_of(strip, start); i < strip->count && strip->runs[i].at < end; i++) {
		const struct strip_run *run = &strip->runs[i];
		size_t from = run->at > start ? run->at : start;
		size_t to = i + 1 < strip->count && strip->runs[i + 1].at < end ? strip->runs[i + 1].at : end;

		if (from < to)
			layout_add(layout, (struct span){ .text = str_of(copy.ptr + (from - start), to - from), .role = run->style.role,
				.attributes = run->style.attributes, .link = run->style.link });
	}
}

void layout_end_row(struct layout *layout, size_t source, bool wraps)
{
	size_t size = layout->span_count * sizeof *layout->spans;
	struct span *kept = layout_room(layout, size);
	const struct markdown_row *before = layout->view.count ? &layout->rows[layout->view.count - 1] : NULL;

	if (size)
		memcpy(kept, layout->spans, size);
	if (before && source < before->source) /* an empty line has no source offset of its own; row lookup needs ascending ones */
		source = before->source;
	*ARRAY_ADD(layout->rows, layout->view.count, layout->row_capacity) = (struct markdown_row){
		.spans = kept, .count = layout->span_count, .source = source, .shown = source, .wraps = wraps };
	layout->span_count = 0;
}

static void add_layout_margin(struct layout *layout, const struct margin *margin, bool first, bool wrapped)
{
	const struct span *spans = first ? margin->first : margin->rest;
	unsigned count = first ? margin->first_count : margin->rest_count;
	bool marked = wrapped && margin->continued && count;

	for (unsigned i = 0; i < count; i++)
		layout_add(layout, marked && i + 1 == count ? *margin->continued : spans[i]);
}

void layout_add_rows(struct layout *layout, const struct strip *strip, const struct margin *margin, bool *first, size_t from, size_t to)
{
	const struct flow *flow = &strip->flow;
	struct str text = buf_str(&strip->text);

	for (size_t i = from; i < to; i++) {
		struct str row = flow_row(flow, text, i);
		size_t start = flow->starts[i], next = i + 1 < flow->count ? flow->starts[i + 1] : 0;

		add_layout_margin(layout, margin, *first, start && text.ptr[start - 1] != '\n');
		*first = false;
		layout_add_part(layout, strip, start, start + row.len);
		layout_end_row(layout, strip_source(strip, start), next && text.ptr[next - 1] != '\n');
		layout->rows[layout->view.count - 1].blanks = (uint16_t)((next ? next : text.len) - start - row.len);
	}
}

void layout_wrap(struct layout *layout, struct strip *strip, const struct margin *margin, bool *first, unsigned width)
{
	strip_wrap(strip, width);
	layout_add_rows(layout, strip, margin, first, 0, strip->flow.count);
}

/* The bytes of a line in the columns [from, to). `*lost`: columns of a wide character cut in half. */
static struct str visible_part(struct str line, unsigned from, unsigned to, unsigned *lost)
{
	struct str rest = line;
	struct flow_cell next;
	size_t start = line.len, end = line.len;
	unsigned column = 0;

	*lost = 0;
	while (rest.len) {
		size_t at = line.len - rest.len;

		flow_next(&rest, column, &next);
		if (start == line.len && column >= from && next.columns) {
			start = at;
			*lost = column - from;
		}
		if (column + next.columns > to) {
			end = at;
			break;
		}
		column += next.columns;
	}
	return start < end ? str_of(line.ptr + start, end - start) : str_of(line.ptr + line.len, 0);
}

static const struct span cut_left = { .text = { "\u2039", 3 }, .role = ROLE_CODE_LABEL };

/* Ends a row of `width` columns with a sign. */
static void add_cut_right(struct layout *layout, unsigned width)
{
	static const struct span right = { .text = { "\u203A", 3 }, .role = ROLE_CODE_LABEL };
	unsigned used = 0;

	for (size_t i = 0; i < layout->span_count; i++)
		used += flow_columns(layout->spans[i].text, width);
	if (used + 1 < width)
		layout_add_blanks(layout, width - used - 1);
	layout_add(layout, right);
}

void layout_clip(struct layout *layout, struct strip *strip, const struct margin *margin, bool first, unsigned from, unsigned width)
{
	struct str line = buf_str(&strip->text), part;
	unsigned lost, begin = from ? 1 : 0;
	unsigned edge = from + width, all = flow_columns(line, edge + LOOK_COLUMNS);
	size_t shown = 0;
	bool more = all > edge;

	add_layout_margin(layout, margin, first, false);
	layout->view.beyond = all > layout->view.beyond + edge ? all - edge : layout->view.beyond;
	if (begin && line.len)
		layout_add(layout, cut_left);
	if (width > begin + more) {
		part = visible_part(line, from + begin, from + width - more, &lost);
		shown = (size_t)(part.ptr - line.ptr);
		if (part.len) {
			layout_add_blanks(layout, lost);
			layout_add_part(layout, strip, shown, shown + part.len);
		}
		if (more)
			add_cut_right(layout, width + margin->columns);
	}
	layout_end_row(layout, strip_source(strip, 0), false);
	layout->rows[layout->view.count - 1].shown = strip_source(strip, shown);
}

/* Adds the columns [from, to) of spans. */
static void add_columns(struct layout *layout, const struct span *spans, size_t count, unsigned from, unsigned to)
{
	unsigned column = 0, lost;

	for (size_t i = 0; i < count && column < to; i++) {
		struct span part = spans[i];
		unsigned width = flow_columns(part.text, to - column);

		if (column + width > from) {
			part.text = visible_part(part.text, from > column ? from - column : 0, to - column, &lost);
			layout_add_blanks(layout, lost);
			layout_add(layout, part);
		}
		column += width;
	}
}

void layout_cut_row(struct layout *layout, unsigned kept, unsigned from, unsigned to, bool signs, bool more)
{
	size_t count = layout->span_count;
	struct span *all = layout_room(layout, count * sizeof *all);

	if (count)
		memcpy(all, layout->spans, count * sizeof *all);
	layout->span_count = 0;
	add_columns(layout, all, count, 0, kept);
	if (signs && from)
		layout_add(layout, cut_left);
	add_columns(layout, all, count, kept + from + (signs && from), to + from - (signs && more));
	if (signs && more)
		add_cut_right(layout, to);
}

void layout_finish(struct layout *layout)
{
	layout->view.rows = layout->rows;
	layout->view.links = layout->links;
}
