#include <string.h>

#include "render/markdown/markdown_layout.h"

#define GAP 3          /* columns between cells */
#define WORD 24        /* columns fit their longest word up to this width */
#define LONG 64        /* the same where there is room, as for an address; longer ones are broken anyway */
#define SHORT 14       /* cells up to this width are not broken, and others have at least as much */
#define TIGHT 8        /* what stands for both where a table cannot scroll */
#define WIDEST 32      /* of a column of a table that scrolls, unless a word needs more */
#define SPARE 4        /* columns that a growing table keeps for cells that come */
#define UNIT 3         /* letters that may follow the digits of a figure */
#define MONTH 3        /* letters of its short name */

struct table {
	struct layouter *layouter;
	struct layout_job *job;
	const struct markdown_table *facts;
	unsigned columns;
	enum markdown_align aligns[MARKDOWN_COLUMNS];
	uint16_t widths[MARKDOWN_COLUMNS];
	uint64_t rights;       /* columns aligned to the right, bit by bit */
	unsigned room;         /* columns that it may take */
	unsigned kept, from;   /* where its rows are clipped: they show `kept` columns, and others from `from` columns behind these on */
	unsigned beyond;       /* columns right of the edge */
	unsigned before, next; /* the same as `from`, one column of the table back or on */
	uint8_t above;         /* enum above: the row laid out last */
	bool records;          /* shown as records, because it is too narrow for columns */
};

enum above { ABOVE_NONE, ABOVE_ROW, ABOVE_WRAPPED };

static bool is_rule(const struct table *table, size_t start, size_t end)
{
	return table->facts->rule && table->facts->rule >= start && table->facts->rule < end;
}

/* Whether the line that ends at `end` may still change. Lines before it are complete even if their table is open. */
static bool is_open(const struct table *table, const struct markdown_record *record, size_t end)
{
	return record->block.open && end > table->job->scan->complete.at;
}

/* --- measuring --- */

static void read_cell(struct table *table, struct strip *strip, struct str cell, bool head, bool open)
{
	struct strip_style style = { .role = ROLE_TEXT, .attributes = head ? STYLE_BOLD : 0 };

	strip_clear(strip);
	layout_inline(table->layouter, table->job, strip, cell, style, open);
}

/* Whether a cell begins with a date: three numbers with one sign between them, as 2026-11-28 and 28.11.2026, or a year and a month. */
static bool is_date(struct str text)
{
	size_t digits[3] = { 0 }, at = 0, n = 0;

	for (; at < text.len && n < 3; at++)
		if (char_is_digit(text.ptr[at]))
			digits[n]++;
		else if (n == 2 || !strchr("-/.", text.ptr[at]) || (n && text.ptr[at] != text.ptr[digits[0]]))
			break;
		else
			n++;
	return n == 2 ? (digits[0] == 4 || digits[2] == 4) && digits[1] && digits[1] < 3
	              : n && text.ptr[digits[0]] == '-' && digits[0] == 4 && digits[1] == 2;
}

/* The same for one with the name of a month, as 28 Nov 2026: the cell ends with a year. */
static bool is_date_in_words(struct str text, size_t letters)
{
	size_t digits = 0;

	while (digits < text.len && char_is_digit(text.ptr[text.len - 1 - digits]))
		digits++;
	return letters == MONTH && digits == 4 && char_is_digit(*text.ptr);
}

/* Whether a cell is a figure: digits and their signs, and a short unit. Not an empty one, and no date. */
static bool is_figure(struct str text)
{
	size_t digits = 0, letters = 0;

	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		digits += c >= '0' && c <= '9';
		letters += (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
	}
	return digits && letters <= UNIT && !is_date(text) && !is_date_in_words(text, letters);
}

/* Columns of a text's widest line, and of its longest word. */
static void measure_text(struct str text, unsigned *natural, unsigned *word)
{
	struct flow_cell next;
	unsigned column = 0, run = 0;

	*natural = *word = 0;
	while (flow_next(&text, column, &next)) {
		bool line_end = next.blank, gap = line_end || next.cell.text[0] == ' ';

		column = line_end ? 0 : column + next.columns;
		run = gap ? 0 : run + next.columns;
		if (column > *natural)
			*natural = column;
		if (run > *word)
			*word = run;
	}
}

/* The least width of column `i`: of its longest word, and of its short cells. */
static unsigned least_width(const struct layout_measure *measure, unsigned i, unsigned longest, unsigned brief)
{
	unsigned natural = measure->natural[i] > 0 ? measure->natural[i] : 1;
	unsigned least = measure->word[i] <= longest && measure->word[i] > brief ? measure->word[i] : brief;

	return least < natural ? least : natural;
}

/* Whether the table scrolls, whatever comes: not even the least widths fit. */
static bool is_beyond(const struct table *table, const struct layout_measure *measure)
{
	unsigned must = (table->columns - 1) * GAP;

	for (unsigned i = 0; i < table->columns; i++)
		must += least_width(measure, i, WORD, SHORT);
	return must > table->room;
}

/* Columns of the first one, `width` wide, that stay when the table scrolls; 0: it is too wide for that. */
static unsigned kept_columns(const struct table *table, unsigned width)
{
	return (width + GAP) * 3u <= table->room ? width + GAP : 0;
}

/* Sets widths of a table that scrolls: none becomes less. Each column has room beside the first one. */
static void widen_beyond(const struct table *table, const struct layout_measure *measure, uint16_t *widths)
{
	unsigned most = table->room;

	for (unsigned i = 0; i < table->columns; i++) {
		unsigned word = measure->word[i] <= WORD ? measure->word[i] : WORD;
		unsigned width = most < WIDEST ? most : word > WIDEST ? word : WIDEST;

		width = measure->natural[i] < width ? measure->natural[i] : width;
		if (width > widths[i])
			widths[i] = (uint16_t)width;
		unsigned kept = kept_columns(table, widths[0]);
		most = table->room - kept > 2 ? table->room - kept - 2 : 1; /* and the signs at its edges */
	}
}

/*
 * Widens column `i` of a growing table: to the width of its cells, until the room is needed for others, and then for words and short cells
 * alone. A column that wraps is not unwrapped again. So widths only grow, and rows above stay.
 */
static void grow_column(const struct table *table, struct layout_measure *measure, unsigned i)
{
	unsigned columns = table->columns, room = table->room, fair = room / columns > GAP ? room / columns - GAP : 1;
	unsigned natural = measure->natural[i], word = measure->word[i] < WORD ? measure->word[i] : WORD, others = (columns - 1) * GAP;
	unsigned least = natural <= SHORT || word < SHORT ? (natural < SHORT ? natural : SHORT) : word;

	for (unsigned k = 0; k < columns; k++) {
		unsigned width = measure->widths[k], spare = measure->seen >> k & 1 && width + SPARE < fair ? width + SPARE : fair;

		others += k == i ? 0 : width > spare ? width : spare;
	}
	if (natural > measure->widths[i] && !(measure->wraps >> i & 1) && room > others && room - others > measure->widths[i])
		measure->widths[i] = (uint16_t)(natural < room - others ? natural : room - others);
	if (least > measure->widths[i])
		measure->widths[i] = (uint16_t)least;
	if (natural > measure->widths[i])
		measure->wraps |= (uint64_t)1 << i;
}

/* Heads are not wrapped for columns whose cells are not known yet, if all heads fit. */
static void grow_head(const struct table *table, struct layout_measure *measure)
{
	unsigned all = (table->columns - 1) * GAP;

	for (unsigned i = 0; i < table->columns; i++)
		all += measure->natural[i];
	for (unsigned i = 0; i < table->columns; i++)
		if (all <= table->room)
			measure->widths[i] = measure->natural[i];
		else
			grow_column(table, measure, i);
}

static void measure_row(struct table *table, struct layout_measure *measure, struct str row, bool head, bool open)
{
	struct str rest = line_row(row), cell;
	struct strip *strip = &table->layouter->strip;
	struct layout_mark mark = layout_mark_of(table->job->layout);

	for (unsigned i = 0; i < table->columns && line_take_cell(&rest, table->columns - i, &cell); i++) {
		unsigned natural, word;

		read_cell(table, strip, cell, head, open && !rest.len);
		measure_text(buf_str(&strip->text), &natural, &word);
		if (natural > UINT16_MAX)
			natural = UINT16_MAX;
		if (natural > measure->natural[i])
			measure->natural[i] = (uint16_t)natural;
		if (word > measure->word[i])
			measure->word[i] = (uint16_t)(word < natural ? word : natural);
		if (!head)
			grow_column(table, measure, i);
		if (head || (open && !rest.len) || !strip->text.len)
			continue;
		measure->seen |= (uint64_t)1 << i;
		measure->words |= (uint64_t)!is_figure(buf_str(&strip->text)) << i;
	}
	if (head)
		grow_head(table, measure);
	if (table->job->options->scroll_tables && is_beyond(table, measure)) /* nothing is gained then by columns that wrap */
		widen_beyond(table, measure, measure->widths);
	layout_return(table->job->layout, mark);
}

/* Measures the lines of the first chunk; keeps the result for complete lines. */
static struct layout_measure measure_table(struct table *table)
{
	const struct markdown_scan *scan = table->job->scan;
	const struct markdown_record *record = &scan->records[table->facts->block];
	struct layout_measure *known = table->job->measure, measure;
	struct markdown_body body;
	struct str line;

	if (!known->known || known->head != table->facts->head || known->room != table->room)
		*known = (struct layout_measure){ .known = true, .head = table->facts->head, .room = table->room };
	measure = *known;
	body_open(&body, scan, record);
	body_resume(&body, measure.upto);
	for (;;) {
		size_t start = body.at;

		if (start <= scan->complete.at && start > measure.upto && start > table->facts->rule_end && table->facts->rule) {
			measure.upto = start;
			*known = measure;
		}
		if (!body_line(&body, &line))
			return measure;
		if (!is_rule(table, start, body.at))
			measure_row(table, &measure, line, start == record_body(record), is_open(table, record, body.at));
	}
}

/*
 * Sets widths that fit: longest words and short cells first, then what is left in proportion. `grown`: none is less than it was while the table
 * grew. False if not even these fit.
 */
static bool set_widths_for(struct table *table, const struct layout_measure *measure, unsigned longest, unsigned brief, bool grown)
{
	unsigned least[MARKDOWN_COLUMNS], wish = 0, must = 0, gaps = (table->columns - 1) * GAP, room = table->room;

	for (unsigned i = 0; i < table->columns; i++) {
		unsigned natural = measure->natural[i] > 0 ? measure->natural[i] : 1;

		least[i] = least_width(measure, i, longest, brief);
		if (grown && least[i] < measure->widths[i])
			least[i] = measure->widths[i] < natural ? measure->widths[i] : natural;
		table->widths[i] = (uint16_t)natural;
		wish += natural;
		must += least[i];
	}
	if (wish + gaps <= room)
		return true;
	if (must + gaps > room)
		return false;
	room -= must + gaps;
	wish -= must;
	for (unsigned i = 0; i < table->columns; i++) {
		unsigned more = table->widths[i] - least[i];
		unsigned part = wish ? (unsigned)((uint64_t)room * more / wish) : 0;

		table->widths[i] = (uint16_t)(least[i] + part);
		room -= part;
		wish -= more;
	}
	return true;
}

/* Whether all of it is in its first chunk and may change. */
static bool is_growing(const struct table *table)
{
	return table->job->scan->records[table->facts->block].block.open;
}

/* Rows begin with a whole column behind the sign: with the first one that leaves out `wanted` columns, or with all that is beyond the edge. */
static void table_scroll(struct table *table, unsigned wanted)
{
	unsigned i = table->kept ? 1 : 0, at = 0;

	wanted = wanted < table->beyond ? wanted : table->beyond;
	for (; i + 1 < table->columns; i++) {
		unsigned end = at + table->widths[i] + GAP;

		table->next = end - 1;
		if (table->from >= wanted)
			break;
		table->before = table->from;
		table->from = table->next;
		at = end;
	}
	table->next = table->from < table->beyond ? table->next : table->from;
	table->beyond -= table->from < table->beyond ? table->from : table->beyond;
}

static void set_widths(struct table *table)
{
	bool scrolls = table->job->options->scroll_tables;
	struct layout_measure measure = measure_table(table);
	unsigned total = (table->columns - 1) * GAP;

	if (is_growing(table))
		measure.holds = table->job->measure->holds = table->job->options->hold_tables;
	if (scrolls && (is_growing(table) || (measure.holds && measure.holds == table->job->options->hold_tables)))
		memcpy(table->widths, measure.widths, sizeof table->widths);
	else if (!set_widths_for(table, &measure, LONG, SHORT, scrolls) && !(scrolls && set_widths_for(table, &measure, WORD, SHORT, true)) &&
	         !set_widths_for(table, &measure, WORD, SHORT, false) &&
	         !(!scrolls && set_widths_for(table, &measure, SHORT, TIGHT, false))) {
		table->records = !scrolls;
		if (scrolls)
			memcpy(table->widths, measure.widths, sizeof table->widths);
	}
	for (unsigned i = 0; i < table->columns; i++) {
		if (table->aligns[i] == MARKDOWN_LEFT && measure.seen >> i & 1 && !(measure.words >> i & 1))
			table->aligns[i] = MARKDOWN_RIGHT;
		table->rights |= (uint64_t)(table->aligns[i] == MARKDOWN_RIGHT) << i;
		total += table->widths[i];
	}
	if (table->records || total <= table->room)
		return;
	table->kept = kept_columns(table, table->widths[0]);
	table->beyond = total - table->room;
	table_scroll(table, table->job->options->sideways);
}

void layout_aligns(const struct markdown_scan *scan, const struct markdown_table *table, enum markdown_align *aligns)
{
	struct str rest = line_row(str_of(scan->text.ptr + table->rule, table->rule_end - table->rule)), cell;

	memset(aligns, 0, table->columns * sizeof *aligns);
	for (unsigned i = 0; table->rule && i < table->columns && line_take_cell(&rest, table->columns - i, &cell); i++)
		if (str_ends(cell, ":"))
			aligns[i] = str_starts(cell, ":") ? MARKDOWN_CENTRE : MARKDOWN_RIGHT;
}

/* --- rows with columns --- */

static const struct span bar = { .text = { " \u2502 ", 5 }, .role = ROLE_TABLE_EDGE };

static void add_table_margin(struct table *table, bool *first)
{
	struct margin *margin = &table->job->margin;

	for (unsigned i = 0; i < (*first ? margin->first_count : margin->rest_count); i++)
		layout_add(table->job->layout, *first ? margin->first[i] : margin->rest[i]);
	*first = false;
}

/* Adds one row of a cell, padded to its column; nothing pads the last column. */
static void add_cell(struct table *table, unsigned column, size_t row)
{
	struct layout *layout = table->job->layout;
	struct strip *strip = &table->layouter->cells[column];
	struct str text = flow_row(&strip->flow, buf_str(&strip->text), row);
	unsigned used = flow_columns(text, table->widths[column]), blanks = table->widths[column] - used, before = 0;

	if (table->aligns[column] == MARKDOWN_RIGHT)
		before = blanks;
	else if (table->aligns[column] == MARKDOWN_CENTRE)
		before = blanks / 2;
	layout_add_blanks(layout, before);
	if (text.len)
		layout_add_part(layout, strip, strip->flow.starts[row], strip->flow.starts[row] + text.len);
	if (column + 1 < table->columns) {
		layout_add_blanks(layout, blanks - before);
		layout_add(layout, bar);
	}
}

static void end_table_row(struct table *table, size_t source, bool words)
{
	unsigned margin = table->job->margin.columns;

	if (table->from || table->beyond)
		layout_cut_row(table->job->layout, margin + table->kept, table->from, margin + table->room, words, table->beyond > 0);
	layout_end_row(table->job->layout, source, false);
}

/* A line of `dash` below the head, or above a row. */
static void lay_edge(struct table *table, const char *dash, const char *cross, size_t source)
{
	struct strip *strip = &table->layouter->strip;
	struct strip_style style = { .role = ROLE_TABLE_EDGE };
	bool first = false;

	strip_clear(strip);
	for (unsigned column = 0; column < table->columns; column++) {
		for (unsigned i = 0; i < table->widths[column]; i++)
			strip_add(strip, str_from(dash), style, source, false);
		if (column + 1 < table->columns)
			strip_add(strip, str_from(cross), style, source, false);
	}
	add_table_margin(table, &first);
	layout_add_part(table->job->layout, strip, 0, strip->text.len);
	end_table_row(table, source, false);
}

/* A line parts rows of which one wraps. */
static void lay_columns(struct table *table, struct str row, bool head, bool open, bool *first)
{
	struct str rest = line_row(row), cell = STR_NONE;
	size_t height = 1, source = layout_offset(table->job, row.ptr);

	for (unsigned i = 0; i < table->columns; i++) {
		struct strip *strip = &table->layouter->cells[i];

		if (!line_take_cell(&rest, table->columns - i, &cell))
			cell = STR_NONE;
		read_cell(table, strip, cell, head, open && !rest.len);
		strip_wrap(strip, table->widths[i]);
		if (strip->flow.count > height)
			height = strip->flow.count;
	}
	if (table->above == ABOVE_WRAPPED || (table->above && height > 1))
		lay_edge(table, "\u254C", "\u254C\u253C\u254C", source);
	table->above = head ? ABOVE_NONE : height > 1 ? ABOVE_WRAPPED : ABOVE_ROW;
	for (size_t i = 0; i < height; i++) {
		add_table_margin(table, first);
		for (unsigned column = 0; column < table->columns; column++)
			add_cell(table, column, i);
		end_table_row(table, source, true);
	}
	if (head) /* what is found in the head is not found in its edge */
		lay_edge(table, "\u2500", "\u2500\u253C\u2500", source + row.len);
}

/* --- records --- */

/* Lays out a row as lines `header: value`, when columns do not fit. The source of each is its cell, so that rows are ordered by source. */
static void lay_record(struct table *table, struct str row, bool open, bool *first)
{
	struct str all = table->job->scan->text, head = STR_NONE;
	struct str heads = line_row(str_of(all.ptr + table->facts->head, table->facts->head_end - table->facts->head));
	struct str rest = line_row(row), cell = STR_NONE;
	struct strip *strip = &table->layouter->strip;
	struct layout_job *job = table->job;
	size_t source;

	if (job->layout->view.count > job->gap || job->record->block.continues) {
		add_table_margin(table, first);
		layout_end_row(job->layout, layout_offset(job, row.ptr), false);
	}
	for (unsigned i = 0; i < table->columns; i++) {
		if (!line_take_cell(&heads, table->columns - i, &head))
			head = STR_NONE;
		if (!line_take_cell(&rest, table->columns - i, &cell))
			cell = str_skip(row, row.len);
		source = i ? layout_offset(job, cell.ptr) : layout_offset(job, row.ptr);
		read_cell(table, strip, head, true, false);
		if (strip->text.len)
			strip_add(strip, STR(": "), (struct strip_style){ .role = ROLE_MUTED }, source, false);
		for (size_t run = 0; run < strip->count; run++)
			strip->runs[run] = (struct strip_run){ .at = strip->runs[run].at, .style = strip->runs[run].style, .source = source };
		layout_inline(table->layouter, job, strip, cell, (struct strip_style){ .role = ROLE_TEXT }, open && !rest.len);
		layout_wrap(job->layout, strip, &job->margin, first, job->content);
	}
}

/* --- a chunk of a table --- */

static void lay_table_row(struct table *table, struct str line, size_t start, bool open, bool *first)
{
	const struct markdown_table *facts = table->facts;
	bool head = start == facts->head;

	if (table->records) {
		bool alone = record_body_end(table->job->record) <= facts->rule_end + 2 || !facts->rule;

		if (head && alone) {
			struct strip *strip = &table->layouter->strip;

			/* The head stands alone until a record shows it. */
			read_cell(table, strip, line_row(line), true, false);
			layout_wrap(table->job->layout, strip, &table->job->margin, first, table->job->content);
		} else if (!head) {
			lay_record(table, line, open, first);
		}
		return;
	}
	lay_columns(table, line, head, open, first);
}

/* Resumes the layout of the table when it was shorter, unless its widths have changed. */
static void check_resume(struct table *table)
{
	struct layout *layout = table->job->layout;
	size_t size = table->columns * sizeof *table->widths;

	if (layout->resume && (table->records || !layout->widths || layout->rights != table->rights ||
	                       memcmp(layout->widths, table->widths, size) != 0)) {
		layout->resume = 0;
		layout_restart(table->layouter, table->job);
	}
	if (layout->resume)
		return;
	layout->widths = layout_room(layout, sizeof table->widths);
	memcpy(layout->widths, table->widths, sizeof table->widths);
	layout->rights = table->rights;
}

bool layout_cell_columns(const struct markdown_scan *scan, const struct markdown_record *record, const struct layout *layout, size_t offset,
                         unsigned *first, unsigned *last)
{
	unsigned columns = scan->tables[record->table - 1].columns, at = 0, i = 0;
	const char *byte = scan->text.ptr + offset;
	struct markdown_body body;
	struct str line = STR_NONE, cell;

	body_open(&body, scan, record);
	while (body_line(&body, &line) && byte > line.ptr + line.len)
		continue;
	for (struct str rest = line_row(line); i + 1 < columns && line_take_cell(&rest, columns - i, &cell) && byte > cell.ptr + cell.len; i++)
		at += layout->widths[i] + GAP;
	*first = at > layout->kept ? at - layout->kept : 0;
	*last = at + layout->widths[i];
	return layout->scrolls && (i || !layout->kept);
}

void layout_table(struct layouter *layouter, struct layout_job *job)
{
	struct table table = { .layouter = layouter, .job = job, .facts = &job->scan->tables[job->record->table - 1] };
	struct layout *layout = job->layout;
	struct markdown_body body;
	struct str line;
	bool first;

	table.columns = table.facts->columns;
	table.room = job->content + layout_spare(job);
	layout_aligns(job->scan, table.facts, table.aligns);
	set_widths(&table);
	check_resume(&table);
	layout->view.beyond = table.beyond;
	layout->view.before = table.before;
	layout->view.next = table.next;
	layout->scrolls = table.from || table.beyond;
	layout->kept = table.kept;
	table.above = layout->resume ? layout->state : job->record->block.continues ? ABOVE_ROW : ABOVE_NONE;
	first = layout->view.count <= job->gap;
	body_open(&body, job->scan, job->record);
	body_resume(&body, layout->resume);
	for (;;) {
		size_t start = body.at;

		if (!table.records && start <= job->scan->complete.at && table.facts->rule && start > table.facts->rule_end &&
		    start != layout->resume) {
			layout->mark = layout_mark_of(layout);
			layout->resume = start;
			layout->state = table.above;
		}
		if (!body_line(&body, &line))
			return;
		if (!is_rule(&table, start, body.at))
			lay_table_row(&table, line, start, is_open(&table, job->record, body.at), &first);
	}
}
