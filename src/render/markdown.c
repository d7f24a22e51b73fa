#include "render/markdown.h"

#include <string.h>

#include "base/mem.h"
#include "render/markdown_layout.h"

#define CACHE_BYTES ((size_t)8 << 20)

/* What is known of a block beside its source: outlives its page, but for what an update may have changed. */
struct slot {
	struct markdown_page *page;
	uint32_t rows, rows_width;   /* rows at that width; width 0: not known */
	uint32_t older, newer;       /* block + 1, among those with a page; 0: none */
	uint32_t width;              /* of the page */
	highlight_state state;       /* at its start, if `knows_state` */
	bool knows_state;
	bool stale;                  /* the page may only be gone on with */
	enum markdown_kind kind;     /* when it was laid out */
	size_t start;
	uint32_t container;
};

struct markdown {
	struct markdown_scan scan;
	struct markdown_options options;
	struct slot *slots;
	size_t slot_count, slot_capacity;
	struct layout_measure **measures; /* of each table */
	size_t measure_count, measure_capacity;
	struct layouter layouter;
	size_t cached_bytes;
	uint32_t oldest, newest;     /* block + 1 */
	bool whole;
};

struct markdown *markdown_new(void)
{
	struct markdown *m = mem_new(sizeof *m);

	scan_init(&m->scan);
	layouter_init(&m->layouter);
	return m;
}

/* --- pages */

static size_t md_page_cost(const struct markdown_page *page)
{
	return sizeof *page + page->bytes + page->row_capacity * sizeof *page->rows + page->link_capacity * sizeof *page->links +
		page->span_capacity * sizeof *page->spans;
}

static void unlink_slot(struct markdown *m, size_t block)
{
	struct slot *slot = &m->slots[block];

	*(slot->older ? &m->slots[slot->older - 1].newer : &m->oldest) = slot->newer;
	*(slot->newer ? &m->slots[slot->newer - 1].older : &m->newest) = slot->older;
	slot->older = slot->newer = 0;
}

static void link_newest(struct markdown *m, size_t block)
{
	struct slot *slot = &m->slots[block];

	slot->older = m->newest;
	*(m->newest ? &m->slots[m->newest - 1].newer : &m->oldest) = (uint32_t)block + 1;
	m->newest = (uint32_t)block + 1;
}

static void drop_page(struct markdown *m, size_t block)
{
	struct slot *slot = &m->slots[block];

	if (!slot->page)
		return;
	m->cached_bytes -= md_page_cost(slot->page);
	unlink_slot(m, block);
	md_page_fini(slot->page);
	mem_free(slot->page);
	slot->page = NULL;
}

static void drop_pages(struct markdown *m)
{
	for (size_t i = 0; i < m->slot_count; i++) {
		drop_page(m, i);
		m->slots[i].rows_width = 0;
	}
}

static void drop_measures(struct markdown *m, size_t from)
{
	for (size_t i = from; i < m->measure_count; i++)
		mem_free(m->measures[i]);
	m->measure_count = from < m->measure_count ? from : m->measure_count;
}

void markdown_free(struct markdown *m)
{
	if (!m)
		return;
	markdown_reset(m);
	scan_fini(&m->scan);
	layouter_fini(&m->layouter);
	mem_free(m->slots);
	mem_free(m->measures);
	mem_free(m);
}

/* --- text */

static void fit_slots(struct markdown *m, size_t changed)
{
	size_t count = m->scan.state.record_count;

	for (size_t i = count; i < m->slot_count; i++)
		drop_page(m, i);
	mem_reserve(&m->slots, &m->slot_capacity, count, sizeof *m->slots);
	for (size_t i = m->slot_count; i < count; i++)
		m->slots[i] = (struct slot){ 0 };
	m->slot_count = count;
	for (size_t i = changed; i < count; i++) {
		m->slots[i].rows_width = 0;
		m->slots[i].stale = true;
		if (i > changed)
			m->slots[i].knows_state = false;
	}
	drop_measures(m, m->scan.state.table_count);
	mem_reserve(&m->measures, &m->measure_capacity, m->scan.state.table_count, sizeof *m->measures);
	for (; m->measure_count < m->scan.state.table_count; m->measure_count++)
		m->measures[m->measure_count] = NULL;
}

static void update(struct markdown *m, struct str text, bool whole)
{
	m->whole = whole;
	fit_slots(m, scan_update(&m->scan, text, whole, m->options.raw));
}

void markdown_update(struct markdown *m, struct str text)
{
	update(m, text, false);
}

void markdown_finish(struct markdown *m)
{
	update(m, m->scan.text, true);
}

void markdown_reset(struct markdown *m)
{
	drop_pages(m);
	drop_measures(m, 0);
	m->slot_count = 0;
	m->whole = false;
	scan_reset(&m->scan);
}

void markdown_set_options(struct markdown *m, const struct markdown_options *options)
{
	struct str text = m->scan.text;
	bool whole = m->whole, again = options->raw != m->options.raw;

	m->options = *options;
	drop_pages(m);
	if (!again)
		return;
	markdown_reset(m);
	update(m, text, whole);
}

/* --- blocks */

size_t markdown_count(const struct markdown *m)
{
	return m->scan.state.record_count;
}

const struct markdown_block *markdown_block_at(const struct markdown *m, size_t block)
{
	struct markdown_record *record = &m->scan.records[block];

	/* The text may lie elsewhere by now. */
	record->block.language.ptr = record->block.language.len ? m->scan.text.ptr + record->language : NULL;
	return &record->block;
}

size_t markdown_block_of(const struct markdown *m, size_t offset)
{
	size_t low = 0, high = m->scan.state.record_count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (m->scan.records[middle].block.start <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* --- layouts */

/* The state of highlighting at the start of a chunk: that behind the chunks before it. */
static highlight_state state_of(struct markdown *m, size_t block)
{
	size_t at = block;

	while (m->scan.records[at].block.continues && !m->slots[at].knows_state)
		at--;
	if (!m->scan.records[at].block.continues) {
		m->slots[at].state = 0;
		m->slots[at].knows_state = true;
	}
	for (; at < block; at++) {
		m->slots[at + 1].state = layout_code_state(&m->layouter, &m->scan, &m->scan.records[at], m->slots[at].state);
		m->slots[at + 1].knows_state = true;
	}
	return m->slots[block].state;
}

static struct layout_measure *measure_of(struct markdown *m, size_t table)
{
	if (!m->measures[table])
		m->measures[table] = mem_new(sizeof *m->measures[table]);
	return m->measures[table];
}

/* Whether the block's page is of the same block at that width, when it may have been shorter. */
static bool can_go_on(const struct markdown *m, const struct slot *slot, const struct markdown_record *record, unsigned width)
{
	return slot->page && slot->width == width && slot->kind == record->block.kind && slot->start == record->block.start &&
		slot->container == record->container && slot->page->resume && slot->page->resume <= m->scan.text.len;
}

static void lay_out(struct markdown *m, size_t block, unsigned width)
{
	struct slot *slot = &m->slots[block];
	const struct markdown_record *record = &m->scan.records[block];
	bool is_code = record->block.kind == MARKDOWN_CODE && !m->options.raw;
	struct layout_job job = {
		.scan = &m->scan, .block = block, .width = width, .options = &m->options,
		.state = is_code ? state_of(m, block) : 0,
		.measure = record->table ? measure_of(m, record->table - 1) : NULL,
		.edge = block == 0 || block + 1 == m->scan.state.record_count,
	};

	if (slot->page) {
		m->cached_bytes -= md_page_cost(slot->page);
		if (!can_go_on(m, slot, record, width))
			slot->page->resume = 0;
	} else {
		slot->page = mem_new(sizeof *slot->page);
		md_page_init(slot->page);
		link_newest(m, block);
	}
	job.page = slot->page;
	layout_block(&m->layouter, &job);
	m->cached_bytes += md_page_cost(slot->page);
	slot->width = slot->rows_width = width;
	slot->rows = (uint32_t)slot->page->layout.count;
	slot->stale = false;
	slot->kind = record->block.kind;
	slot->start = record->block.start;
	slot->container = record->container;
}

const struct markdown_layout *markdown_lay_out(struct markdown *m, size_t block, unsigned width)
{
	struct slot *slot = &m->slots[block];

	if (!slot->page || slot->stale || slot->width != width)
		lay_out(m, block, width);
	unlink_slot(m, block);
	link_newest(m, block);
	while (m->cached_bytes > CACHE_BYTES && m->oldest && m->oldest - 1 != block)
		drop_page(m, m->oldest - 1);
	return &slot->page->layout;
}

size_t markdown_rows(struct markdown *m, size_t block, unsigned width)
{
	if (m->slots[block].rows_width == width)
		return m->slots[block].rows;
	return markdown_lay_out(m, block, width)->count;
}

size_t markdown_row_of(struct markdown *m, size_t block, unsigned width, size_t offset)
{
	const struct markdown_layout *layout = markdown_lay_out(m, block, width);
	size_t low = 0, high = layout->count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (layout->rows[middle].source <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}
