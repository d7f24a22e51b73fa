/* The forms of a probe's result: lines for people, Markdown, JSON. */
#include "app/probe/probe_inside.h"

#include <string.h>

#include "app/system/columns.h"
#include "app/system/output.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "chat/provider/provider.h"
#include "chat/conversation/figure.h"

#define CELL_WIDTH 11
#define LINE_MOST 100u /* cells of a line of words on a wide terminal */

static const struct { const char *id, *words; } verdicts[PROBE_VERDICTS] = {
	[PROBE_NOT_RUN] = { "not-run", "not run" },
	[PROBE_PROMISED] = { "as-promised", "as promised" },
	[PROBE_NOT_OFFERED] = { "not-offered", "not offered" },
	[PROBE_FINDINGS] = { "findings", "findings" },
	[PROBE_FAILED] = { "failed", "failed" },
	[PROBE_ABSENT] = { "absent", "absent" },
};

size_t probe_count(const struct probe *p, enum probe_verdict verdict)
{
	size_t count = 0;

	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; probe_case_at(k); k++)
			count += p->chosen[k] && p->columns[i].cells[k].verdict == verdict;
	return count;
}

/* --- lines --- */

#define INDENT 4u

static void table_add_wrapped(struct str words, size_t at, unsigned width, struct buf *out)
{
	columns_wrap(words, at, INDENT, width, out);
	buf_add_byte(out, '\n');
}

static void cell_words(const struct probe_cell *cell, struct buf *out)
{
	buf_clear(out);
	if (cell->verdict == PROBE_FINDINGS && cell->finding_count)
		buf_printf(out, "%zu finding%s", cell->finding_count, cell->finding_count == 1 ? "" : "s");
	else
		buf_add_z(out, verdicts[cell->verdict].words);
}

/* Whether there is more to say about it than its verdict. */
static bool cell_has_reasons(const struct probe_cell *cell)
{
	return cell->words.len || cell->finding_count;
}

/* Whether the two columns of --against differ: in the verdict, or in the rules that were broken. */
static bool cells_differ(const struct probe *p, size_t index)
{
	const struct probe_cell *a = &p->columns[0].cells[index], *b = &p->columns[1].cells[index];
	bool differ = a->verdict != b->verdict || a->finding_count != b->finding_count;

	for (size_t i = 0; i < a->finding_count && !differ; i++) {
		size_t k = 0;

		while (k < b->finding_count && b->findings[k].rule != a->findings[i].rule)
			k++;
		differ = k == b->finding_count;
	}
	return differ;
}

/* The part of a protocol's name before its last '-', or behind it. */
static struct str header_part(const char *name, bool first)
{
	const char *dash = strrchr(name, '-');
	size_t length = dash ? (size_t)(dash - name) + 1 : 0;

	return first ? str_of(name, length) : str_from(name + length);
}

static void table_add_line(struct str line, struct buf *out)
{
	size_t length = line.len;

	while (length && line.ptr[length - 1] == ' ')
		length--;
	buf_add(out, str_head(line, length));
	buf_add_byte(out, '\n');
}

/* Columns from `first` to before `end`, which fit beside each other. */
static void table_add_header(const struct probe *p, size_t first, size_t end, struct buf *out)
{
	struct buf line = { 0 };

	for (int part = p->compares; part < 2; part++) {
		buf_clear(&line);
		buf_printf(&line, "%-*s", PROBE_NAME_WIDTH, "");
		for (size_t i = first; i < end; i++) {
			char letter = (char)('a' + i);
			struct str name = p->compares ? str_of(&letter, 1) : header_part(p->columns[i].protocol->name, part == 0);

			buf_printf(&line, "  %-*.*s", CELL_WIDTH, STR_ARG(name));
		}
		if (!str_is_blank(buf_str(&line)))
			table_add_line(buf_str(&line), out);
	}
	buf_fini(&line);
}

static void table_add_rows(const struct probe *p, size_t first, size_t end, struct buf *out)
{
	struct buf line = { 0 }, words = { 0 };

	for (size_t k = 0; probe_case_at(k); k++) {
		if (!p->chosen[k])
			continue;
		buf_clear(&line);
		buf_printf(&line, "%-*s", PROBE_NAME_WIDTH, probe_case_at(k)->name);
		for (size_t i = first; i < end; i++) {
			cell_words(&p->columns[i].cells[k], &words);
			buf_printf(&line, "  %-*s", CELL_WIDTH, buf_z(&words));
		}
		if (p->compares && end == p->count && cells_differ(p, k))
			buf_add_z(&line, "  differs");
		table_add_line(buf_str(&line), out);
	}
	buf_fini(&line);
	buf_fini(&words);
}

static void table_add_finding(const struct probe_finding *f, unsigned width, struct buf *out)
{
	struct buf words = { 0 };

	buf_printf(&words, "%s (%s", lint_rule_id(f->rule), lint_severity_words(lint_rule_severity(f->rule)));
	if (f->count > 1)
		buf_printf(&words, ", %zu times", f->count);
	buf_printf(&words, "): %s", f->message);
	buf_add_z(out, "    ");
	table_add_wrapped(buf_str(&words), 4, width, out);
	buf_fini(&words);
}

/* For each cell that is not as promised, the reasons. */
static void table_add_reasons(const struct probe *p, size_t index, unsigned width, struct buf *out)
{
	const struct probe_column *column = &p->columns[index];
	struct buf words = { 0 };
	bool first = true;

	for (size_t k = 0; probe_case_at(k); k++) {
		const struct probe_cell *cell = &column->cells[k];

		if (!cell_has_reasons(cell))
			continue;
		if (first)
			buf_printf(out, "\n%s%s\n", !p->compares ? "" : index ? "b: " : "a: ", column->label);
		first = false;
		cell_words(cell, &words);
		if (cell->words.len)
			buf_printf(&words, ": %s", buf_z(&cell->words));
		buf_printf(out, "  %s: ", probe_case_at(k)->name);
		table_add_wrapped(buf_str(&words), 4 + strlen(probe_case_at(k)->name), width, out);
		for (size_t i = 0; i < cell->finding_count; i++)
			table_add_finding(&cell->findings[i], width, out);
	}
	buf_fini(&words);
}

static void table_add_sums(const struct probe *p, const char *mark, struct buf *out)
{
	static const enum probe_verdict order[] = { PROBE_PROMISED, PROBE_FINDINGS, PROBE_FAILED, PROBE_ABSENT, PROBE_NOT_OFFERED, PROBE_NOT_RUN };
	struct cost cost = { 0 };
	char in[FIGURE_SIZE], answer[FIGURE_SIZE], money[FIGURE_SIZE];
	struct count prompt = { 0 }, completion = { 0 };
	const char *comma = "";

	for (size_t i = 0; i < sizeof order / sizeof *order; i++)
		if (probe_count(p, order[i])) {
			buf_printf(out, "%s%zu %s", comma, probe_count(p, order[i]),
			           order[i] == PROBE_FINDINGS ? "with findings" : verdicts[order[i]].words);
			comma = ", ";
		}
	for (size_t i = 0; i < p->count; i++) {
		prompt = count_sum(prompt, p->columns[i].spent.of[USAGE_PROMPT]);
		completion = count_sum(completion, p->columns[i].spent.of[USAGE_COMPLETION]);
		cost = cost_sum(cost, p->columns[i].cost);
	}
	buf_printf(out, "\n%sReported: %s in, %s out", mark, figure_of(in, prompt.number, "token"), figure_count(answer, completion.number));
	if (*figure_cost(money, cost))
		buf_printf(out, ", %s", money);
	buf_printf(out, "\n%sTapes: %s (weir lint and weir replay read them)\n", mark, p->folder.path);
}

void probe_write_table(const struct probe *p, unsigned width_cells, struct buf *out)
{
	unsigned width = width_cells > LINE_MOST ? LINE_MOST : width_cells;
	size_t fit = width_cells ? (width_cells > PROBE_NAME_WIDTH ? width_cells - PROBE_NAME_WIDTH : 0) / (CELL_WIDTH + 2) : PROBE_COLUMNS_MOST;
	size_t end;

	for (size_t i = 0; p->compares && i < p->count; i++)
		buf_printf(out, "%c: %s\n", 'a' + (int)i, p->columns[i].label);
	for (size_t first = 0; first < p->count; first = end) {
		end = first + (fit ? fit : 1) < p->count ? first + (fit ? fit : 1) : p->count;
		if (first)
			buf_add_byte(out, '\n');
		table_add_header(p, first, end, out);
		table_add_rows(p, first, end, out);
	}
	for (size_t i = 0; i < p->count; i++)
		table_add_reasons(p, i, width, out);
	buf_add_byte(out, '\n');
	table_add_sums(p, "", out);
}

/* --- Markdown --- */

/* A line of text that comes from outside, with nothing in it that Markdown acts on. */
static void markdown_add(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char byte = (unsigned char)text.ptr[i];

		if (byte < 0x20 || byte == 0x7F)
			buf_add_byte(out, ' ');
		else if (strchr("\\`*_{}[]<>()#+!|~$&", byte))
			buf_printf(out, "\\%c", byte);
		else
			buf_add_byte(out, (char)byte);
	}
}

static void markdown_add_table(const struct probe *p, struct buf *out)
{
	struct buf words = { 0 };

	buf_add_z(out, "| case |");
	for (size_t i = 0; i < p->count; i++) {
		buf_add_byte(out, ' ');
		markdown_add(str_from(p->columns[i].label), out);
		buf_add_z(out, " |");
	}
	buf_add_z(out, p->compares ? " |\n|---|" : "\n|---|");
	for (size_t i = 0; i < p->count + p->compares; i++)
		buf_add_z(out, "---|");
	for (size_t k = 0; probe_case_at(k); k++) {
		if (!p->chosen[k])
			continue;
		buf_printf(out, "\n| %s |", probe_case_at(k)->name);
		for (size_t i = 0; i < p->count; i++) {
			cell_words(&p->columns[i].cells[k], &words);
			buf_printf(out, " %s |", buf_z(&words));
		}
		if (p->compares)
			buf_add_z(out, cells_differ(p, k) ? " differs |" : " |");
	}
	buf_add_z(out, "\n\n");
	buf_fini(&words);
}

static void markdown_add_cell(const struct probe_column *column, size_t k, struct buf *out)
{
	const struct probe_cell *cell = &column->cells[k];
	struct buf words = { 0 };

	cell_words(cell, &words);
	buf_add_z(out, "- ");
	markdown_add(str_from(column->label), out);
	buf_printf(out, ", %s: %s", probe_case_at(k)->name, buf_z(&words));
	if (cell->words.len)
		buf_add_z(out, ": ");
	markdown_add(buf_str(&cell->words), out);
	buf_add_byte(out, '\n');
	for (size_t i = 0; i < cell->finding_count; i++) {
		const struct probe_finding *f = &cell->findings[i];

		buf_printf(out, "  - `%s` (%s): ", lint_rule_id(f->rule), lint_severity_words(lint_rule_severity(f->rule)));
		markdown_add(str_from(f->message), out);
		buf_add_byte(out, '\n');
	}
	buf_fini(&words);
}

void probe_write_markdown(const struct probe *p, struct buf *out)
{
	size_t before;

	markdown_add_table(p, out);
	before = out->len;
	for (size_t i = 0; i < p->count; i++)
		for (size_t k = 0; probe_case_at(k); k++) {
			const struct probe_cell *cell = &p->columns[i].cells[k];

			if (cell_has_reasons(cell))
				markdown_add_cell(&p->columns[i], k, out);
		}
	if (out->len > before)
		buf_add_byte(out, '\n');
	table_add_sums(p, "\n", out);
}

/* --- JSON --- */

static void json_add_cell(const struct probe_column *column, size_t k, struct json_writer *w)
{
	const struct probe_cell *cell = &column->cells[k];

	json_open_object(w);
	json_member_string(w, "case", str_from(probe_case_at(k)->name));
	json_member_string(w, "verdict", str_from(verdicts[cell->verdict].id));
	json_member_string_or_null(w, "words", cell->words.len ? buf_str(&cell->words) : STR_NONE);
	json_key(w, "findings");
	json_open_array(w);
	for (size_t i = 0; i < cell->finding_count; i++) {
		const struct probe_finding *f = &cell->findings[i];

		json_open_object(w);
		json_member_string(w, "rule", str_from(lint_rule_id(f->rule)));
		json_member_string(w, "severity", str_from(lint_severity_id(lint_rule_severity(f->rule))));
		json_member_integer(w, "count", (int64_t)f->count);
		json_member_string(w, "message", str_from(f->message));
		json_close_object(w);
	}
	json_close_array(w);
	json_key(w, "tapes");
	json_open_array(w);
	for (size_t i = 0; i < PROBE_REQUESTS_MOST && cell->tapes[i]; i++)
		json_string(w, str_from(cell->tapes[i]));
	json_close_array(w);
	json_member_milliseconds_or_null(w, "total_ms", cell->tapes[0] ? cell->total_ms : -1);
	json_close_object(w);
}

static void json_add_column(const struct probe *p, const struct probe_column *column, struct json_writer *w)
{
	json_open_object(w);
	json_member_string(w, "provider", str_from(column->provider->name));
	json_member_string(w, "model", str_from(column->model));
	json_member_string(w, "protocol", str_from(column->protocol->name));
	json_member_string(w, "dialect", str_from(column->dialect->name));
	json_key(w, "cases");
	json_open_array(w);
	for (size_t k = 0; probe_case_at(k); k++)
		if (p->chosen[k])
			json_add_cell(column, k, w);
	json_close_array(w);
	for (int i = 0; i <= USAGE_COMPLETION; i++)
		json_member_count_or_null(w, usage_row((enum usage_figure)i)->member, column->spent.of[i].sent ? column->spent.of[i].number : -1);
	json_close_object(w);
}

void probe_write_json(const struct probe *p, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	json_member_boolean(&w, "whole", !p->stopped);
	json_key(&w, "columns");
	json_open_array(&w);
	for (size_t i = 0; i < p->count; i++)
		json_add_column(p, &p->columns[i], &w);
	json_close_array(&w);
	if (p->compares) {
		json_key(&w, "differs");
		json_open_array(&w);
		for (size_t k = 0; probe_case_at(k); k++)
			if (p->chosen[k] && cells_differ(p, k))
				json_string(&w, str_from(probe_case_at(k)->name));
		json_close_array(&w);
	}
	json_member_string(&w, "tapes", str_from(p->folder.path));
	json_close_object(&w);
	buf_add_byte(out, '\n');
}
