#include "app/lint/lint_filter.h"

#include <stdlib.h>
#include <string.h>

#include "app/options/options.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/search.h"

#define BASELINE_LIMIT ((size_t)256 << 20)

/* A finding of the baseline, or, with an empty message, a rule that has findings in a file there. */
struct known {
	char *key;    /* file, rule and message, separated by LF. Owned */
	size_t times;
};

struct lint_filter {
	enum lint_severity fail_on;
	const char *const *ignored; /* lists of rules */
	size_t ignored_count;
	struct known *known; /* sorted by key, each once */
	size_t count, capacity;
};

/* --- what is known --- */

/* "./x", ".//x" and "x" are one file. */
static struct str plain_path(struct str path)
{
	while (str_starts(path, "./") && path.len > 2) {
		path = str_skip(path, 2);
		while (str_starts(path, "/"))
			path = str_skip(path, 1);
	}
	return path;
}

static void known_key(struct buf *key, struct str file, struct str rule, struct str message)
{
	buf_clear(key);
	buf_add(key, plain_path(file));
	buf_add_byte(key, '\n');
	buf_add(key, rule);
	buf_add_byte(key, '\n');
	buf_add(key, message);
}

static void known_add(struct lint_filter *f, const struct buf *key)
{
	mem_reserve(&f->known, &f->capacity, f->count + 1, sizeof *f->known);
	f->known[f->count++] = (struct known){ str_dup(buf_str(key)), 1 };
}

static int known_compare(const void *one, const void *other)
{
	return strcmp(((const struct known *)one)->key, ((const struct known *)other)->key);
}

static void known_sort(struct lint_filter *f)
{
	size_t kept = 0;

	if (f->count)
		qsort(f->known, f->count, sizeof *f->known, known_compare);
	for (size_t i = 0; i < f->count; i++) {
		if (kept && !strcmp(f->known[kept - 1].key, f->known[i].key)) {
			f->known[kept - 1].times++;
			mem_free(f->known[i].key);
		} else {
			f->known[kept++] = f->known[i];
		}
	}
	f->count = kept;
}

static struct known *known_find(const struct lint_filter *f, const struct buf *key)
{
	struct search s = search_in(0, f->count);

	while (search_next(&s))
		search_take(&s, strcmp(f->known[s.middle].key, buf_z(key)) < 0);
	return s.low < f->count && !strcmp(f->known[s.low].key, buf_z(key)) ? &f->known[s.low] : NULL;
}

/* --- the baseline --- */

static bool baseline_finding(struct lint_filter *f, const struct json *finding)
{
	struct str file = json_get_text(finding, "file"), rule = json_get_text(finding, "rule"), message = json_get_text(finding, "message");
	struct buf key = { 0 };

	if (!file.len || !rule.len)
		return false;
	known_key(&key, file, rule, message);
	known_add(f, &key);
	known_key(&key, file, rule, STR_NONE);
	known_add(f, &key);
	buf_fini(&key);
	return true;
}

/* An array of findings a file, as --json prints them, or one array of all. */
static bool baseline_take(struct lint_filter *f, const char *path, struct str text, struct error *err)
{
	struct json_parser *parser = json_parser_new();
	size_t used;
	bool good = true;

	while (good && !str_is_blank(text)) {
		const struct json *findings = json_parse(parser, text, &used);

		good = findings && json_kind(findings) == JSON_ARRAY;
		for (size_t i = 0; good && i < json_length(findings); i++)
			good = baseline_finding(f, json_at(findings, i));
		text = str_skip(text, used);
	}
	json_parser_free(parser);
	return good || error_set(err, "%s is not what weir lint --json prints, which --baseline takes", path);
}

static bool baseline_read(struct lint_filter *f, const char *path, struct error *err)
{
	struct buf text;
	bool good;

	buf_init(&text, BASELINE_LIMIT);
	good = buf_read_file(&text, path, err) && baseline_take(f, path, buf_str(&text), err);
	buf_fini(&text);
	known_sort(f);
	return good;
}

/* --- options --- */

static bool ignored_are_rules(const struct lint_filter *f, struct error *err)
{
	for (size_t i = 0; i < f->ignored_count; i++) {
		struct str rest = str_from(f->ignored[i]), rule;

		while (str_split(&rest, ',', &rule))
			if (!lint_rule_find(str_trim(rule)))
				return error_set(err, "there is no rule '%.*s'; weir lint --rules lists them", STR_ARG(rule));
	}
	return true;
}

static bool is_ignored(const struct lint_filter *f, const struct lint_rule *wanted)
{
	for (size_t i = 0; i < f->ignored_count; i++) {
		struct str rest = str_from(f->ignored[i]), rule;

		while (str_split(&rest, ',', &rule))
			if (str_is(str_trim(rule), lint_rule_id(wanted)))
				return true;
	}
	return false;
}

bool lint_filter_open(struct lint_filter **filter, const struct options *o, struct error *err)
{
	struct lint_filter *f = mem_new(sizeof *f);

	*f = (struct lint_filter){ .fail_on = LINT_SEVERITIES - 1, .ignored = o->ignored, .ignored_count = o->ignored_count };
	while (o->fail_on && strcmp(o->fail_on, lint_severity_id(f->fail_on)) && f->fail_on)
		f->fail_on--;
	if (ignored_are_rules(f, err) && (!o->baseline || baseline_read(f, o->baseline, err))) {
		*filter = f;
		return true;
	}
	lint_filter_free(f);
	return false;
}

void lint_filter_free(struct lint_filter *f)
{
	if (!f)
		return;
	for (size_t i = 0; i < f->count; i++)
		mem_free(f->known[i].key);
	mem_free(f->known);
	mem_free(f);
}

/* --- a report --- */

/* How many findings of a rule are left, of which `count` were given and `kept` of these are not known. */
static size_t left_of_rule(struct lint_filter *f, const struct lint_report *r, const struct lint_kept *first, size_t count, size_t kept,
                           struct buf *key)
{
	size_t others = first->of_rule - count;
	const struct known *rule;

	known_key(key, str_from(r->path), str_from(lint_rule_id(first->rule)), STR_NONE);
	rule = known_find(f, key);
	return rule && rule->times >= LINT_FINDINGS_MOST ? kept : kept + others;
}

static void filter_rule(struct lint_filter *f, struct lint_report *r, size_t from, size_t to, size_t *kept, struct buf *key)
{
	const struct lint_kept first = r->findings[from];
	size_t begin = *kept, left;
	bool ignored = is_ignored(f, first.rule);

	for (size_t i = from; i < to; i++) {
		known_key(key, str_from(r->path), str_from(lint_rule_id(first.rule)), str_from(r->findings[i].message));
		struct known *known = ignored ? NULL : known_find(f, key);
		bool is_known = known && known->times;
		if (is_known)
			known->times--;
		if (ignored || is_known)
			mem_free(r->findings[i].message);
		else
			r->findings[(*kept)++] = r->findings[i];
	}
	left = ignored ? 0 : left_of_rule(f, r, &first, to - from, *kept - begin, key);
	for (size_t i = begin; i < *kept; i++)
		r->findings[i].of_rule = left;
	if (ignored)
		r->ignored += first.of_rule;
	else
		r->known += first.of_rule - (*kept > begin ? left : 0);
}

void lint_filter_apply(struct lint_filter *f, struct lint_report *r)
{
	struct buf key = { 0 };
	size_t kept = 0;

	for (size_t from = 0, to; from < r->count; from = to) {
		for (to = from + 1; to < r->count && r->findings[to].rule == r->findings[from].rule;)
			to++;
		filter_rule(f, r, from, to, &kept, &key);
	}
	r->count = kept;
	buf_fini(&key);
}

bool lint_filter_heeds(const struct lint_filter *f, enum lint_severity severity)
{
	return severity <= f->fail_on;
}

bool lint_filter_fails(const struct lint_filter *f, const struct lint_report *r)
{
	for (size_t i = 0; i < r->count; i++)
		if (lint_filter_heeds(f, lint_rule_severity(r->findings[i].rule)))
			return true;
	return false;
}
