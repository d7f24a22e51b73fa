#include "app/lint/lint_session.h"

#include <string.h>
#include <unistd.h>

#include "app/options/options.h"
#include "app/setup/saved_stream.h"
#include "app/system/output.h"
#include "base/json_write.h"
#include "base/mem.h"
#include "wire/mcp/mcp_lint.h"

#define KEPT_MOST 20u  /* findings of a rule; more are counted */
#define SHOWN_MOST 5u  /* of them in the table */

struct kept_finding { size_t message; double at_ms; char *words; };

struct session_lint {
	struct kept_finding *kept; /* KEPT_MOST for each rule */
	size_t *counts;            /* of each rule */
	size_t rules, total;
	double *times;             /* of each message */
	size_t messages, capacity;
	struct buf text;
};

static void session_take(void *ctx, const struct mcp_rule *rule, size_t message, struct str words)
{
	struct session_lint *r = ctx;
	size_t index = 0;

	while (mcp_rule_at(index) != rule)
		index++;
	r->total++;
	if (r->counts[index]++ < KEPT_MOST)
		r->kept[index * KEPT_MOST + r->counts[index] - 1] =
			(struct kept_finding){ message, message && message <= r->messages ? r->times[message - 1] : -1, str_dup(words) };
}

static void session_init(struct session_lint *r)
{
	*r = (struct session_lint){ .rules = 0 };
	while (mcp_rule_at(r->rules))
		r->rules++;
	r->kept = mem_new(r->rules * KEPT_MOST * sizeof *r->kept);
	r->counts = mem_new(r->rules * sizeof *r->counts);
}

static void session_fini(struct session_lint *r)
{
	for (size_t i = 0; i < r->rules * KEPT_MOST; i++)
		mem_free(r->kept[i].words);
	mem_free(r->kept);
	mem_free(r->counts);
	mem_free(r->times);
	buf_fini(&r->text);
}

/* --- forms --- */

static void write_place(const struct kept_finding *f, struct buf *out)
{
	buf_printf(out, "message %zu", f->message);
	if (f->at_ms >= 0)
		buf_printf(out, ", %.1f ms", f->at_ms);
}

static void write_rule(const struct session_lint *r, size_t index, struct buf *out)
{
	const struct mcp_rule *rule = mcp_rule_at(index);
	size_t shown = r->counts[index] < SHOWN_MOST ? r->counts[index] : SHOWN_MOST;

	buf_printf(out, "    %s: %s (%s)\n", rule->id, rule->promise, rule->source);
	for (size_t i = 0; i < shown; i++) {
		buf_add_z(out, "      ");
		write_place(&r->kept[index * KEPT_MOST + i], out);
		buf_printf(out, ": %s\n", r->kept[index * KEPT_MOST + i].words);
	}
	if (shown < r->counts[index])
		buf_printf(out, "      and %zu more\n", r->counts[index] - shown);
}

static void write_table(struct session_lint *r, const char *path, struct str transport)
{
	buf_printf(&r->text, "%s: mcp over %.*s, %zu message%s: ", path, STR_ARG(transport), r->messages, r->messages == 1 ? "" : "s");
	if (r->total)
		buf_printf(&r->text, "%zu finding%s\n", r->total, r->total == 1 ? "" : "s");
	else
		buf_add_z(&r->text, "no findings\n");
	for (enum lint_severity severity = 0; severity < LINT_SEVERITIES; severity++) {
		bool any = false;

		for (size_t i = 0; i < r->rules; i++) {
			if (!r->counts[i] || mcp_rule_at(i)->severity != severity)
				continue;
			if (!any)
				buf_printf(&r->text, "  %s\n", lint_severity_words(severity));
			any = true;
			write_rule(r, i, &r->text);
		}
	}
}

static void write_json(struct session_lint *r, const char *path)
{
	struct json_writer w;

	json_writer_init(&w, &r->text);
	json_open_array(&w);
	for (size_t i = 0; i < r->rules; i++)
		for (size_t n = 0; n < r->counts[i] && n < KEPT_MOST; n++) {
			const struct kept_finding *f = &r->kept[i * KEPT_MOST + n];

			json_open_object(&w);
			json_member_string(&w, "file", str_from(path));
			json_member_string(&w, "rule", str_from(mcp_rule_at(i)->id));
			json_member_string(&w, "severity", str_from(lint_severity_id(mcp_rule_at(i)->severity)));
			json_member_integer(&w, "frame", (int64_t)f->message);
			json_member_milliseconds_or_null(&w, "t", f->at_ms);
			json_key(&w, "offset");
			json_null(&w);
			json_member_string(&w, "message", str_from(f->words));
			json_member_string(&w, "promise", str_from(mcp_rule_at(i)->promise));
			json_member_string(&w, "source", str_from(mcp_rule_at(i)->source));
			json_key(&w, "breaks");
			json_null(&w);
			json_close_object(&w);
		}
	json_close_array(&w);
	buf_add_byte(&r->text, '\n');
}

/* --- the run --- */

static void session_feed(struct session_lint *r, const struct tape *tape)
{
	struct mcp_lint *lint = mcp_lint_new(str_is(tape_facts(tape)->transport, "stdio"), session_take, r);
	bool closed = false;

	for (size_t i = 0; i < tape_length(tape); i++) {
		struct tape_step step = tape_at(tape, i);

		closed |= step.kind == TAPE_END && step.how == END_CLOSED;
		if (step.kind != TAPE_SENT && step.kind != TAPE_CAME)
			continue;
		mem_reserve(&r->times, &r->capacity, r->messages + 1, sizeof *r->times);
		r->times[r->messages++] = step.at_ms;
		mcp_lint_message(lint, step.kind == TAPE_SENT, step.bytes);
	}
	mcp_lint_end(lint, closed);
	mcp_lint_free(lint);
}

struct lint_session lint_session_check(const struct tape *tape, const char *path, bool json, struct buf *out)
{
	struct lint_session found = { 0 };
	struct session_lint run;

	session_init(&run);
	session_feed(&run, tape);
	if (json)
		write_json(&run, path);
	else
		write_table(&run, path, tape_facts(tape)->transport);
	buf_add(out, buf_str(&run.text));
	for (size_t i = 0; i < run.rules; i++)
		found.of[mcp_rule_at(i)->severity] += run.counts[i];
	found.total = run.total;
	session_fini(&run);
	return found;
}

int lint_session_run(const struct options *o, const char *path)
{
	struct tape *tape;
	struct error err = { "" };
	struct buf text = { 0 };

	if (!tape_open(&tape, path, &err))
		return usage_error("%s", err.text);
	if (!saved_is_session(tape)) {
		tape_free(tape);
		return usage_error("%s is no tape of an MCP session: weir mcp records one with --tape", path);
	}
	size_t total = lint_session_check(tape, path, o->json, &text).total;
	tape_free(tape);
	return output_print(STDOUT_FILENO, &text, total ? EXIT_LOCAL : EXIT_DONE);
}
