#include "render/markdown/markdown.h"

#include <assert.h>

#include "base/mem.h"
#include "base/search.h"
#include "render/markdown/markdown_body.h"
#include "render/markdown/markdown_layout.h"

#define CACHE_BYTES ((size_t)8 << 20)
#define FRESH_CHUNKS 64 /* highlighting restarts after this number of chunks, which bounds the cost of a jump into long code */

/* State of a block that is kept when its layout is evicted. */
struct slot {
	struct entry *entry;         /* NULL: no layout is cached */
	uint32_t rows, rows_width;   /* number of rows at that width; width 0: unknown */
	highlight_state state;       /* at the start of the block, if `knows_state` */
	bool knows_state;
};

/* A layout in the cache, and the block and width it was made for. */
struct entry {
	struct layout layout;
	size_t block;
	struct entry *older, *newer;
	unsigned width;
	bool stale;                  /* the block has changed: only resuming is possible */
	enum markdown_kind kind;
	size_t start;
	uint32_t container;
};

struct markdown {
	struct markdown_scan scan;
	struct markdown_options options;
	struct slot *slots;
	size_t slot_count, slot_capacity;
	struct layout_measure **measures; /* one per table */
	size_t measure_count, measure_capacity;
	struct layouter *layouter;   /* NULL while no layout is being made */
	size_t cached_bytes;
	struct entry *oldest, *newest;
	size_t definition_count;     /* number known when references were last resolved */
	unsigned profile;            /* utf8_profile_number() at the last layout */
	bool whole;
};

struct markdown *markdown_new(void)
{
	struct markdown *m = mem_new(sizeof *m);

	scan_init(&m->scan);
	return m;
}

/* --- layouts --- */

static size_t cost_of(const struct entry *entry)
{
	const struct layout *layout = &entry->layout;

	return sizeof *entry + layout->bytes + layout->row_capacity * sizeof *layout->rows + layout->link_capacity * sizeof *layout->links +
		layout->span_capacity * sizeof *layout->spans;
}

static void unlink_entry(struct markdown *m, struct entry *entry)
{
	assert(entry);
	*(entry->older ? &entry->older->newer : &m->oldest) = entry->newer;
	*(entry->newer ? &entry->newer->older : &m->newest) = entry->older;
	entry->older = entry->newer = NULL;
}

static void link_newest(struct markdown *m, struct entry *entry)
{
	entry->older = m->newest;
	*(m->newest ? &m->newest->newer : &m->oldest) = entry;
	m->newest = entry;
}

static void drop_layout(struct markdown *m, size_t block)
{
	struct entry *entry = m->slots[block].entry;

	if (!entry)
		return;
	m->cached_bytes -= cost_of(entry);
	unlink_entry(m, entry);
	layout_fini(&entry->layout);
	mem_free(entry);
	m->slots[block].entry = NULL;
}

static void drop_layouts(struct markdown *m)
{
	while (m->oldest)
		drop_layout(m, m->oldest->block);
}

/* Drops layouts and row counts. */
static void forget_layouts(struct markdown *m)
{
	drop_layouts(m);
	for (size_t i = 0; i < m->slot_count; i++)
		m->slots[i].rows_width = 0;
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
	mem_free(m->slots);
	mem_free(m->measures);
	mem_free(m);
}

/* --- text --- */

/* The label above a block of code shows its number of lines once the block is complete. */
static void mark_first(struct markdown *m, size_t first)
{
	if (m->slots[first].entry && m->scan.records[first].block.kind == MARKDOWN_CODE)
		m->slots[first].entry->stale = true;
}

static bool is_without_text(const struct markdown_record *record)
{
	return record->block.kind == MARKDOWN_BLANK || scan_shows_nothing(record);
}

/* The first block whose rows depend on a block that has changed: blank rows depend on what stands below them. */
static size_t first_dependent(const struct markdown_scan *scan, size_t changed)
{
	while (changed && is_without_text(&scan->records[changed - 1]))
		changed--;
	return changed;
}

static void fit_slots(struct markdown *m, size_t changed)
{
	size_t count = m->scan.state.record_count;

	for (size_t i = count; i < m->slot_count; i++)
		drop_layout(m, i);
	mem_reserve(&m->slots, &m->slot_capacity, count, sizeof *m->slots);
	for (size_t i = m->slot_count; i < count; i++)
		m->slots[i] = (struct slot){ 0 };
	m->slot_count = count;
	changed = first_dependent(&m->scan, changed < count ? changed : count);
	for (size_t i = changed; i < count; i++) {
		m->slots[i].rows_width = 0;
		if (m->slots[i].entry)
			m->slots[i].entry->stale = true;
		if (i > changed)
			m->slots[i].knows_state = false;
		mark_first(m, m->scan.records[i].first);
	}
	drop_measures(m, m->scan.state.table_count);
	mem_reserve(&m->measures, &m->measure_capacity, m->scan.state.table_count, sizeof *m->measures);
	for (; m->measure_count < m->scan.state.table_count; m->measure_count++)
		m->measures[m->measure_count] = NULL;
}

/* A new definition restyles the blocks that contain references. */
static void follow_definitions(struct markdown *m)
{
	if (m->definition_count == m->scan.state.definition_count)
		return;
	m->definition_count = m->scan.state.definition_count;
	for (struct entry *entry = m->oldest; entry; entry = entry->newer) {
		if (!entry->layout.refers)
			continue;
		entry->stale = true;
		entry->layout.resume = 0;
	}
}

static void update(struct markdown *m, struct str text, bool whole)
{
	m->whole = whole;
	fit_slots(m, scan_update(&m->scan, text, whole, m->options.raw));
	follow_definitions(m);
}

void markdown_update(struct markdown *m, struct str text)
{
	update(m, text, false);
}

void markdown_finish(struct markdown *m)
{
	update(m, m->scan.text, true);
}

void markdown_rest(struct markdown *m)
{
	drop_layouts(m);
	if (m->layouter)
		layouter_fini(m->layouter);
	mem_free(m->layouter);
	m->layouter = NULL;
}

void markdown_reset(struct markdown *m)
{
	markdown_rest(m);
	drop_measures(m, 0);
	m->slot_count = 0;
	m->whole = false;
	scan_reset(&m->scan);
}

void markdown_set_options(struct markdown *m, const struct markdown_options *options)
{
	struct str text = m->scan.text;
	bool whole = m->whole, again = options->raw != m->options.raw;
	bool as_many = options->clip_code == m->options.clip_code && options->code_band == m->options.code_band &&
	               options->strikes == m->options.strikes && options->scroll_tables == m->options.scroll_tables &&
	               options->wide == m->options.wide;

	m->options = *options;
	if (!again && as_many)
		drop_layouts(m);
	else
		forget_layouts(m);
	if (!again)
		return;
	markdown_reset(m);
	update(m, text, whole);
}

void markdown_hold_tables(struct markdown *m, unsigned reading)
{
	m->options.hold_tables = reading;
	for (size_t i = 0; i < m->scan.state.record_count; i++) {
		size_t table = m->scan.records[i].table;
		struct layout_measure *measure = table ? m->measures[table - 1] : NULL;

		if (measure && m->scan.records[i].block.open)
			measure->holds = reading;
		if (!measure || !measure->holds || measure->holds == reading)
			continue;
		drop_layout(m, i);
		m->slots[i].rows_width = 0;
	}
}

/* --- blocks --- */

size_t markdown_count(const struct markdown *m)
{
	return m->scan.state.record_count;
}

const struct markdown_block *markdown_block_at(const struct markdown *m, size_t block)
{
	struct markdown_record *record = &m->scan.records[block];

	/* The text may have moved. */
	record->block.language.ptr = record->block.language.len ? m->scan.text.ptr + record->language : NULL;
	return &record->block;
}

size_t markdown_block_of(const struct markdown *m, size_t offset)
{
	struct search s = search_in(1, m->scan.state.record_count);

	while (search_next(&s))
		search_take(&s, m->scan.records[s.middle].block.start <= offset);
	return s.low - 1;
}

static void add_chunks(const struct markdown *m, size_t block, enum markdown_kind kind,
                       void (*add)(const struct markdown_scan *, const struct markdown_record *, struct buf *), struct buf *out)
{
	size_t count = m->scan.state.record_count;

	if (block >= count || m->scan.records[block].block.kind != kind)
		return;
	while (block && m->scan.records[block].block.continues)
		block--;
	do
		add(&m->scan, &m->scan.records[block], out);
	while (++block < count && m->scan.records[block].block.continues);
}

void markdown_code(const struct markdown *m, size_t block, struct buf *out)
{
	add_chunks(m, block, MARKDOWN_CODE, body_code, out);
}

void markdown_table(const struct markdown *m, size_t block, struct buf *out)
{
	add_chunks(m, block, MARKDOWN_TABLE, body_lines, out);
}

/* --- layouts --- */

/* The state of highlighting at the start of a chunk, which is the state at the end of the chunk before it. */
static highlight_state state_of_block(struct markdown *m, size_t block)
{
	size_t at = block, fresh = block - (block - m->scan.records[block].first) % FRESH_CHUNKS;

	while (at > fresh && !m->slots[at].knows_state)
		at--;
	if (at == fresh) {
		m->slots[at].state = 0;
		m->slots[at].knows_state = true;
	}
	for (; at < block; at++) {
		m->slots[at + 1].state = layout_code_state(m->layouter, &m->scan, &m->scan.records[at], m->slots[at].state);
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

/* Whether the layout was made at this width from the same block, or from a shorter version of it. */
static bool can_resume(const struct entry *entry, const struct markdown_record *record, unsigned width)
{
	return entry->width == width && entry->kind == record->block.kind && entry->start == record->block.start &&
		entry->container == record->container && entry->layout.resume && entry->layout.resume <= record_body_end(record);
}

static struct entry *new_entry(struct markdown *m, size_t block)
{
	struct entry *entry = mem_new(sizeof *entry);

	layout_init(&entry->layout);
	entry->block = block;
	m->slots[block].entry = entry;
	link_newest(m, entry);
	m->cached_bytes += cost_of(entry);
	return entry;
}

/* Discards all widths when the terminal reports how it draws emoji. */
static void follow_terminal(struct markdown *m)
{
	if (m->profile == utf8_profile_number())
		return;
	m->profile = utf8_profile_number();
	forget_layouts(m);
	for (size_t i = 0; i < m->measure_count; i++) {
		mem_free(m->measures[i]);
		m->measures[i] = NULL;
	}
}

/* Whether a blank row would stand above the first row, below the last one, or beside another blank row. */
static bool is_blank_spare(const struct markdown_scan *scan, size_t block)
{
	size_t behind = block + 1, above = scan_above(scan, block);

	while (behind < scan->state.record_count && is_without_text(&scan->records[behind]))
		behind++;
	return above == block || scan->records[above].block.kind == MARKDOWN_BLANK || behind == scan->state.record_count;
}

static void lay_out_block(struct markdown *m, size_t block, unsigned width)
{
	struct slot *slot = &m->slots[block];
	struct entry *entry = slot->entry ? slot->entry : new_entry(m, block);
	const struct markdown_record *record = &m->scan.records[block];
	struct layout_job job = {
		.scan = &m->scan, .block = block, .layout = &entry->layout, .width = width, .options = &m->options,
		.measure = record->table ? measure_of(m, record->table - 1) : NULL,
		.spare = record->block.kind == MARKDOWN_BLANK && is_blank_spare(&m->scan, block),
	};

	if (!m->layouter) {
		m->layouter = mem_new(sizeof *m->layouter);
		layouter_init(m->layouter);
	}
	if (record->block.kind == MARKDOWN_CODE && !m->options.raw)
		job.state = state_of_block(m, block);
	if (!can_resume(entry, record, width))
		entry->layout.resume = 0;
	m->cached_bytes -= cost_of(entry);
	layout_block(m->layouter, &job);
	m->cached_bytes += cost_of(entry);
	slot->rows = (uint32_t)entry->layout.view.count;
	slot->rows_width = entry->width = width;
	entry->stale = false;
	entry->kind = record->block.kind;
	entry->start = record->block.start;
	entry->container = record->container;
}

const struct markdown_layout *markdown_lay_out(struct markdown *m, size_t block, unsigned width)
{
	struct slot *slot = &m->slots[block];

	follow_terminal(m);
	if (!slot->entry || slot->entry->stale || slot->entry->width != width)
		lay_out_block(m, block, width);
	unlink_entry(m, slot->entry);
	link_newest(m, slot->entry);
	while (m->cached_bytes > CACHE_BYTES && m->oldest != slot->entry)
		drop_layout(m, m->oldest->block);
	return &slot->entry->layout.view;
}

size_t markdown_rows(struct markdown *m, size_t block, unsigned width)
{
	follow_terminal(m);
	if (m->slots[block].rows_width == width)
		return m->slots[block].rows;
	return markdown_lay_out(m, block, width)->count;
}

size_t markdown_row_of(struct markdown *m, size_t block, unsigned width, size_t offset)
{
	const struct markdown_layout *layout = markdown_lay_out(m, block, width);
	struct search s = search_in(1, layout->count);

	while (search_next(&s))
		search_take(&s, layout->rows[s.middle].source <= offset);
	return s.low - 1;
}

unsigned markdown_aligns(const struct markdown *m, size_t block, enum markdown_align aligns[MARKDOWN_COLUMNS])
{
	const struct markdown_record *record = &m->scan.records[block];
	const struct markdown_table *table = record->table ? &m->scan.tables[record->table - 1] : NULL;

	if (table)
		layout_aligns(&m->scan, table, aligns);
	return table ? table->columns : 0;
}

bool markdown_cell_columns(struct markdown *m, size_t block, unsigned width, size_t offset, unsigned *first, unsigned *last)
{
	if (m->options.raw || m->scan.records[block].block.kind != MARKDOWN_TABLE)
		return false;
	markdown_lay_out(m, block, width);
	return layout_cell_columns(&m->scan, &m->scan.records[block], &m->slots[block].entry->layout, offset, first, last);
}

unsigned markdown_code_column(const struct markdown *m, size_t block, size_t offset)
{
	return layout_code_column(&m->scan, &m->scan.records[block], offset);
}
