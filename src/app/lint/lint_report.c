#include "app/lint/lint_report.h"

#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "app/system/columns.h"
#include "app/system/output.h"
#include "base/json_write.h"
#include "base/mem.h"

#define TABLE_FINDINGS_MOST 5 /* of a rule and a file */

/* --- reports --- */

void lint_report_take(void *report, const struct lint_finding *finding)
{
	struct lint_report *r = report;

	mem_reserve(&r->findings, &r->capacity, r->count + 1, sizeof *r->findings);
	r->findings[r->count++] = (struct lint_kept){ .rule = finding->rule, .place = finding->place, .message = str_dup(finding->message) };
}

static int compare_findings(const void *one, const void *other)
{
	const struct lint_kept *a = one, *b = other;
	int severity = (int)lint_rule_severity(a->rule) - (int)lint_rule_severity(b->rule);
	size_t rule_a = lint_rule_index(a->rule), rule_b = lint_rule_index(b->rule);

	if (severity)
		return severity;
	if (rule_a != rule_b)
		return rule_a < rule_b ? -1 : 1;
	return (a->place.frame > b->place.frame) - (a->place.frame < b->place.frame);
}

void lint_report_close(struct lint_report *r)
{
	size_t kept = 0;

	r->dialect = lint_fit(r->lint);
	for (size_t i = 0; i < r->count; i++) {
		r->findings[i].of_rule = lint_count(r->lint, r->findings[i].rule);
		if (lint_rule_holds(r->findings[i].rule, r->dialect))
			r->findings[kept++] = r->findings[i];
		else
			mem_free(r->findings[i].message);
	}
	r->count = kept;
	if (kept)
		qsort(r->findings, kept, sizeof *r->findings, compare_findings);
}

size_t lint_report_total(const struct lint_report *r)
{
	size_t total = 0;

	for (size_t i = 0; i < r->count; i++)
		if (!i || r->findings[i].rule != r->findings[i - 1].rule)
			total += r->findings[i].of_rule;
	return total;
}

void lint_report_fini(struct lint_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		mem_free(r->findings[i].message);
	mem_free(r->findings);
}

/* --- the table --- */

static void table_add_place(const struct frame_place *place, struct buf *out)
{
	const char *comma = "";

	if (place->frame)
		buf_printf(out, "frame %zu, ", place->frame);
	if (place->in_body) {
		buf_printf(out, "byte %zu", place->offset);
		comma = ", ";
	}
	if (place->at_ms >= 0)
		buf_printf(out, "%s%.1f ms", comma, place->at_ms);
	else if (!place->in_body)
		buf_add_z(out, "the stream");
}

/* Whether some dialect lacks the rule: then a finding of it tells dialects apart. */
static bool rule_is_special(const struct lint_rule *rule)
{
	for (size_t i = 0; dialect_at(i); i++)
		if (!lint_rule_holds(rule, dialect_at(i)))
			return true;
	return false;
}

static void table_add_against(const struct lint_report *r, struct buf *out)
{
	const char *comma = "; against it: ";
	const struct lint_rule *rule;

	if (r->dialect == dialect_find(STR("generic")))
		return;
	for (size_t i = 0; (rule = lint_rule_at(i)); i++) {
		if (!lint_count(r->lint, rule) || !lint_rule_holds(rule, r->dialect) || !rule_is_special(rule))
			continue;
		buf_printf(out, "%s%s", comma, lint_rule_id(rule));
		comma = ", ";
	}
	if (*comma == ';')
		buf_add_z(out, "; nothing against it");
}

static void table_add_fit(const struct lint_report *r, struct buf *out)
{
	const char *comma = ". Rules against the others: ";
	const struct dialect *dialect;

	buf_printf(out, "  best fit %s", r->dialect->name);
	table_add_against(r, out);
	for (size_t i = 0; (dialect = dialect_at(i)); i++) {
		if (dialect == r->dialect || dialect->like)
			continue;
		buf_printf(out, "%s%s %zu", comma, dialect->name, lint_score(r->lint, dialect).against);
		comma = ", ";
	}
	buf_add_byte(out, '\n');
}

/* The findings of one rule, which begin at `at`. Returns how many there are. */
static size_t table_add_findings(const struct lint_report *r, size_t at, struct buf *out)
{
	const struct lint_rule *rule = r->findings[at].rule;
	size_t total = r->findings[at].of_rule, shown = 0, i = at;

	for (; i < r->count && r->findings[i].rule == rule; i++) {
		if (shown == TABLE_FINDINGS_MOST)
			continue;
		shown++;
		buf_add_z(out, "      ");
		table_add_place(&r->findings[i].place, out);
		buf_printf(out, ": %s\n", r->findings[i].message);
	}
	if (shown < total)
		buf_printf(out, "      and %zu more\n", total - shown);
	return i - at;
}

static void table_add_left_out(const struct lint_report *r, struct buf *out)
{
	const char *comma = " (";

	if (r->known)
		buf_printf(out, "%s%zu known", comma, r->known);
	comma = r->known ? ", " : comma;
	if (r->ignored)
		buf_printf(out, "%s%zu ignored", comma, r->ignored);
	buf_add_z(out, r->known || r->ignored ? ")\n" : "\n");
}

static void table_add_file(const struct lint_report *r, struct buf *out)
{
	const struct protocol *protocol = lint_protocol(r->lint);
	const struct lint_rule *before = NULL;
	size_t total = lint_report_total(r);

	buf_printf(out, "%s: %s", strcmp(r->path, "-") ? r->path : "standard input", protocol ? protocol->name : "no protocol");
	if (!r->guessed)
		buf_printf(out, ", %s", r->dialect->name);
	buf_printf(out, total == 1 ? ": %zu finding" : total ? ": %zu findings" : ": no findings", total);
	table_add_left_out(r, out);
	if (r->guessed && protocol == &protocol_openai_chat)
		table_add_fit(r, out);
	for (size_t i = 0; i < r->count;) {
		const struct lint_rule *rule = r->findings[i].rule;

		if (!before || lint_rule_severity(rule) != lint_rule_severity(before))
			buf_printf(out, "  %s\n", lint_severity_words(lint_rule_severity(rule)));
		buf_printf(out, "    %s: %s (%s)\n", lint_rule_id(rule), lint_rule_promise(rule), lint_rule_source(rule));
		if (lint_rule_breaks(rule))
			buf_printf(out, "      breaks %s\n", lint_rule_breaks(rule));
		i += table_add_findings(r, i, out);
		before = rule;
	}
}

/* On a terminal, lines go on below themselves, one step farther to the right. */
static void table_file(const struct lint_report *r, bool first, struct buf *out)
{
	struct buf text = { 0 };
	struct str rest, line;

	(void)first;
	table_add_file(r, &text);
	rest = buf_str(&text);
	while (str_split(&rest, '\n', &line)) {
		columns_wrap(line, 0, line.len - str_trim_start(line).len + 2, output_width(), out);
		buf_add_byte(out, '\n');
	}
	buf_fini(&text);
}

static void table_begin(struct buf *out)
{
	(void)out;
}

static void table_end(size_t files, size_t files_with, size_t findings, struct buf *out)
{
	if (files > 1)
		buf_printf(out, "%zu finding%s in %zu of %zu files\n", findings, findings == 1 ? "" : "s", files_with, files);
}

const struct lint_form lint_table = { .begin = table_begin, .file = table_file, .end = table_end };

/* --- JSON --- */

void lint_write_place(struct json_writer *w, const struct frame_place *place)
{
	json_member_count_or_null(w, "frame", place->frame ? (int64_t)place->frame : -1);
	json_member_milliseconds_or_null(w, "t", place->at_ms);
	json_member_count_or_null(w, "offset", place->in_body ? (int64_t)place->offset : -1);
}

void lint_write_promise(struct json_writer *w, const struct lint_rule *rule)
{
	json_member_string(w, "promise", str_from(lint_rule_promise(rule)));
	json_member_string(w, "source", str_from(lint_rule_source(rule)));
	json_member_string_or_null(w, "breaks", str_from(lint_rule_breaks(rule)));
}

static void json_file(const struct lint_report *r, bool first, struct buf *out)
{
	struct json_writer w;

	(void)first;
	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; i < r->count; i++) {
		const struct lint_kept *f = &r->findings[i];

		json_open_object(&w);
		json_member_string(&w, "file", str_from(r->path));
		json_member_string(&w, "rule", str_from(lint_rule_id(f->rule)));
		json_member_string(&w, "severity", str_from(lint_severity_id(lint_rule_severity(f->rule))));
		lint_write_place(&w, &f->place);
		json_member_string(&w, "message", str_from(f->message));
		lint_write_promise(&w, f->rule);
		json_close_object(&w);
	}
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

static void json_end(size_t files, size_t files_with, size_t findings, struct buf *out)
{
	(void)files, (void)files_with, (void)findings, (void)out;
}

const struct lint_form lint_json = { .begin = table_begin, .file = json_file, .end = json_end };

/* --- rules --- */

static void rules_write_json(struct buf *out)
{
	const struct lint_rule *rule;
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_array(&w);
	for (size_t i = 0; (rule = lint_rule_at(i)); i++) {
		json_open_object(&w);
		json_member_string(&w, "rule", str_from(lint_rule_id(rule)));
		json_member_string(&w, "severity", str_from(lint_severity_id(lint_rule_severity(rule))));
		lint_write_promise(&w, rule);
		json_close_object(&w);
	}
	json_close_array(&w);
	buf_add_byte(out, '\n');
}

void lint_write_rules(bool json, struct buf *out)
{
	const struct lint_rule *rule;

	if (json) {
		rules_write_json(out);
		return;
	}
	struct columns rows = { .count = 3, .width = output_width(), .wraps = true };

	for (size_t i = 0; (rule = lint_rule_at(i)); i++) {
		columns_add(&rows, str_from(lint_rule_id(rule)));
		columns_add(&rows, str_from(lint_severity_words(lint_rule_severity(rule))));
		columns_add(&rows, str_from(lint_rule_promise(rule)));
	}
	columns_write(&rows, true, out);
	columns_fini(&rows);
}

static void rule_add_name(const char *label, const char *name, struct buf *out, bool *first)
{
	buf_printf(out, "%s%s", *first ? label : ", ", name);
	*first = false;
}

static void rule_add_protocols(const struct lint_rule *rule, struct buf *out)
{
	bool first = true, every = true;

	for (size_t i = 0; protocol_at(i); i++)
		every &= lint_rule_is_of(rule, protocol_at(i));
	for (size_t i = 0; !every && protocol_at(i); i++)
		if (lint_rule_is_of(rule, protocol_at(i)))
			rule_add_name("\nof: ", protocol_at(i)->name, out, &first);
	if (every)
		buf_add_z(out, "\nof: every protocol");
}

static void rule_add_dialects(const struct lint_rule *rule, struct buf *out)
{
	bool first = true;

	for (size_t i = 0; rule_is_special(rule) && dialect_at(i); i++)
		if (lint_rule_holds(rule, dialect_at(i)))
			rule_add_name("\npromised by: ", dialect_at(i)->name, out, &first);
	if (first)
		buf_add_z(out, "\npromised by: every dialect");
}

void lint_write_rule(const struct lint_rule *rule, struct buf *out)
{
	buf_printf(out, "%s: %s\n\n%s.\n\nsource: %s", lint_rule_id(rule), lint_severity_words(lint_rule_severity(rule)),
	           lint_rule_promise(rule), lint_rule_source(rule));
	if (lint_rule_breaks(rule))
		buf_printf(out, "\nbreaks: %s", lint_rule_breaks(rule));
	rule_add_protocols(rule, out);
	rule_add_dialects(rule, out);
	buf_add_byte(out, '\n');
}
