#include "render/markdown_page.h"

#include <string.h>

#include "base/mem.h"

#define CHUNK_FIRST 512
#define CHUNK_MOST 16384
#define BACK_BYTES 256
#define LOOK_COLUMNS 512 /* beyond the edge: how far code can be scrolled */

/* --- strips --- */

void strip_init(struct strip *strip)
{
	*strip = (struct strip){ 0 };
	buf_init(&strip->text, BUF_LIMIT_DEFAULT);
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

/* A run never begins within a cell of the one before (a cluster, or hidden characters in a row): drawn apart they would take more. */
static size_t joined_bytes(const struct strip *strip, size_t before)
{
	struct str text = buf_str(&strip->text);
	struct utf8_cell cell;
	size_t at = before;

	if (!before || !((unsigned char)text.ptr[before] & 0x80))
		return 0;
	/* Back to where a cell begins for sure: at ASCII, or far away. */
	while (at > 0 && before - at < BACK_BYTES && (unsigned char)text.ptr[at] & 0x80)
		at--;
	while (at > 0 && utf8_is_inside(text.ptr[at]))
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
	mem_reserve(&strip->runs, &strip->capacity, strip->count + 1, sizeof *strip->runs);
	strip->runs[strip->count++] = (struct strip_run){
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
		add_run(strip, text.ptr[i] == '\r' ? STR("\xE2\x90\x8D") : STR(" "), style, exact ? source + i : source, false);
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
	size_t low = 0, high = strip->count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (strip->runs[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
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

void strip_wrap(struct strip *strip, unsigned width)
{
	flow_reset(&strip->flow);
	flow_update(&strip->flow, buf_str(&strip->text), width);
}

/* --- memory --- */

struct md_page_chunk {
	struct md_page_chunk *before;
	size_t size, used;
	max_align_t bytes[];
};

void md_page_init(struct markdown_page *page)
{
	*page = (struct markdown_page){ 0 };
}

void md_page_fini(struct markdown_page *page)
{
	md_page_return(page, (struct md_page_mark){ 0 });
	mem_free(page->rows);
	mem_free(page->links);
	mem_free(page->spans);
	md_page_init(page);
}

struct md_page_mark md_page_mark_of(const struct markdown_page *page)
{
	return (struct md_page_mark){ .rows = page->layout.count, .links = page->layout.link_count, .chunk = page->chunk,
		.used = page->chunk ? page->chunk->used : 0 };
}

void md_page_return(struct markdown_page *page, struct md_page_mark mark)
{
	while (page->chunk != mark.chunk) {
		struct md_page_chunk *before = page->chunk->before;

		page->bytes -= page->chunk->size;
		mem_free(page->chunk);
		page->chunk = before;
	}
	if (page->chunk)
		page->chunk->used = mark.used;
	page->layout.count = mark.rows;
	page->layout.link_count = mark.links;
	page->layout.beyond = mark.rows ? page->layout.beyond : 0;
	page->span_count = 0;
}

void *md_page_room(struct markdown_page *page, size_t size)
{
	struct md_page_chunk *chunk = page->chunk;

	void *room;

	size = (size + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
	if (!chunk || chunk->size - chunk->used < size) {
		size_t grown = chunk ? chunk->size * 2 : CHUNK_FIRST;

		if (grown > CHUNK_MOST)
			grown = CHUNK_MOST;
		if (grown < size)
			grown = size;
		chunk = mem_new(sizeof *chunk + grown);
		chunk->before = page->chunk;
		chunk->size = grown;
		page->chunk = chunk;
		page->bytes += grown;
	}
	room = (char *)chunk->bytes + chunk->used;
	chunk->used += size;
	return room;
}

struct str md_page_text(struct markdown_page *page, struct str text)
{
	char *copy = md_page_room(page, text.len);

	if (text.len)
		memcpy(copy, text.ptr, text.len);
	return str_of(copy, text.len);
}

uint16_t md_page_link(struct markdown_page *page, struct str destination)
{
	if (page->layout.link_count >= UINT16_MAX)
		return 0;
	mem_reserve(&page->links, &page->link_capacity, page->layout.link_count + 1, sizeof *page->links);
	page->links[page->layout.link_count++] = md_page_text(page, destination);
	return (uint16_t)page->layout.link_count;
}

/* --- rows --- */

void md_page_add(struct markdown_page *page, struct span span)
{
	mem_reserve(&page->spans, &page->span_capacity, page->span_count + 1, sizeof *page->spans);
	page->spans[page->span_count++] = span;
}

void md_page_add_blanks(struct markdown_page *page, unsigned columns)
{
	static const char blanks[] = "                                                                ";

	while (columns) {
		unsigned some = columns < sizeof blanks - 1 ? columns : (unsigned)sizeof blanks - 1;

		md_page_add(page, (struct span){ .text = str_of(blanks, some) });
		columns -= some;
	}
}

void md_page_cut(struct markdown_page *page, const struct strip *strip, size_t start, size_t end)
{
	struct str copy;

	if (end <= start)
		return;
	copy = md_page_text(page, str_of(strip->text.ptr + start, end - start));
	for (size_t i = run_of(strip, start); i < strip->count && strip->runs[i].at < end; i++) {
		const struct strip_run *run = &strip->runs[i];
		size_t from = run->at > start ? run->at : start;
		size_t to = i + 1 < strip->count && strip->runs[i + 1].at < end ? strip->runs[i + 1].at : end;

		if (from < to)
			md_page_add(page, (struct span){ .text = str_of(copy.ptr + (from - start), to - from), .role = run->style.role,
				.attributes = run->style.attributes, .link = run->style.link });
	}
}

void md_page_end_row(struct markdown_page *page, size_t source, bool wraps)
{
	size_t size = page->span_count * sizeof *page->spans;
	struct span *kept = md_page_room(page, size);
	const struct markdown_row *before = page->layout.count ? &page->rows[page->layout.count - 1] : NULL;

	if (size)
		memcpy(kept, page->spans, size);
	if (before && source < before->source) /* md4c may tell signs out of their order; rows are looked up by their source */
		source = before->source;
	mem_reserve(&page->rows, &page->row_capacity, page->layout.count + 1, sizeof *page->rows);
	page->rows[page->layout.count++] = (struct markdown_row){ .spans = kept, .count = page->span_count, .source = source,
		.shown = source, .wraps = wraps };
	page->span_count = 0;
}

static void add_margin(struct markdown_page *page, const struct margin *margin, bool first, bool goes_on)
{
	const struct span *spans = first ? margin->first : margin->rest;
	unsigned count = first ? margin->first_count : margin->rest_count;
	bool marked = goes_on && margin->continued && count;

	for (unsigned i = 0; i < count; i++)
		md_page_add(page, marked && i + 1 == count ? *margin->continued : spans[i]);
}

void md_page_add_rows(struct markdown_page *page, const struct strip *strip, const struct margin *margin, bool *first, size_t from, size_t to)
{
	const struct flow *flow = &strip->flow;
	struct str text = buf_str(&strip->text);

	for (size_t i = from; i < to; i++) {
		struct str row = flow_row(flow, text, i);
		size_t start = flow->starts[i], next = i + 1 < flow->count ? flow->starts[i + 1] : 0;

		add_margin(page, margin, *first, start && text.ptr[start - 1] != '\n');
		*first = false;
		md_page_cut(page, strip, start, start + row.len);
		md_page_end_row(page, strip_source(strip, start), next && text.ptr[next - 1] != '\n');
	}
}

void md_page_wrap(struct markdown_page *page, struct strip *strip, const struct margin *margin, bool *first, unsigned width)
{
	strip_wrap(strip, width);
	md_page_add_rows(page, strip, margin, first, 0, strip->flow.count);
}

/* The bytes of a line that show in the columns [from, to); columns that half a wide character leaves are `*lost`. */
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

void md_page_clip(struct markdown_page *page, struct strip *strip, const struct margin *margin, bool first, unsigned from, unsigned width)
{
	static const struct span left = { .text = { "\xE2\x80\xB9", 3 }, .role = ROLE_MUTED };
	static const struct span right = { .text = { "\xE2\x80\xBA", 3 }, .role = ROLE_MUTED };
	struct str line = buf_str(&strip->text), part;
	unsigned lost, begin = from ? 1 : 0;
	unsigned edge = from + width, all = flow_columns(line, edge + LOOK_COLUMNS);
	size_t shown = 0;
	bool more = all > edge;

	add_margin(page, margin, first, false);
	page->layout.beyond = all > page->layout.beyond + edge ? all - edge : page->layout.beyond;
	if (begin && line.len)
		md_page_add(page, left);
	if (width > begin + more) {
		part = visible_part(line, from + begin, from + width - more, &lost);
		shown = (size_t)(part.ptr - line.ptr);
		if (part.len) {
			md_page_add_blanks(page, lost);
			md_page_cut(page, strip, shown, shown + part.len);
		}
		if (more) {
			unsigned used = 0;

			for (size_t i = 0; i < page->span_count; i++)
				used += flow_columns(page->spans[i].text, width + margin->columns);
			if (used + 1 < width + margin->columns)
				md_page_add_blanks(page, width + margin->columns - used - 1);
			md_page_add(page, right);
		}
	}
	md_page_end_row(page, strip_source(strip, 0), false);
	page->rows[page->layout.count - 1].shown = strip_source(strip, shown);
}

void md_page_finish(struct markdown_page *page)
{
	page->layout.rows = page->rows;
	page->layout.links = page->links;
}
