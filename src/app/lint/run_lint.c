#include "app/options/subcommand.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/lint/lint_filter.h"
#include "app/lint/lint_session.h"
#include "app/options/options.h"
#include "app/setup/saved_stream.h"
#include "app/system/signals.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "net/tape.h"
#include "store/config/settings.h"

#define FOLDER_DEPTH_MOST 16
#define FILES_MOST 100000

struct linting {
	const struct options *o;
	const struct protocol *protocol; /* NULL: the tape's, or detected */
	const struct dialect *dialect;   /* NULL: the tape's, or the one that fits best */
	const struct lint_form *form;
	struct lint_filter *filter;
	struct output out;
	struct buf text;
	size_t files, files_with, findings;
	bool any; /* a finding was told */
	bool fails;
	size_t failures; /* of lint itself */
	bool cut;
};

/* --- a file --- */

static void discard_delta(void *ctx, const struct delta *delta)
{
	(void)ctx, (void)delta;
}

static bool lint_is_stopped(void *linting)
{
	const struct linting *l = linting;

	return l->out.closed || signals_want_stop();
}

/* NULL for a tape with the dialect "generic", which says nothing about its gateway. */
static const struct dialect *tape_gateway(const struct linting *l, const struct tape *tape)
{
	struct str name = tape_facts(tape)->dialect;
	struct error ignored;

	return str_is(name, "generic") ? NULL : settings_dialect(l->o->config, name, &ignored);
}

static void lint_print(struct linting *l)
{
	if (l->o->quiet)
		buf_clear(&l->text);
	else
		output_flush_json(&l->out, &l->text);
}

static void lint_print_report(struct linting *l, struct lint_report *report)
{
	lint_report_close(report);
	lint_filter_apply(l->filter, report);
	l->form->file(report, !l->any, &l->text);
	l->any |= report->count > 0;
	l->files_with += report->count > 0;
	l->findings += lint_report_total(report);
	l->fails |= lint_filter_fails(l->filter, report);
	lint_print(l);
}

static void lint_tape(struct linting *l, const char *path, const struct tape *tape)
{
	const struct dialect *dialect = l->dialect ? l->dialect : tape_gateway(l, tape);
	struct lint_report report = { .path = path, .tape = tape, .guessed = !dialect };
	struct lint_options lint_options = { .dialect = dialect, .request = tape_facts(tape)->request };
	struct lint *lint = lint_new(&lint_options, lint_report_take, &report);
	struct stream_options options = {
		.protocol = l->protocol ? l->protocol : protocol_find(tape_facts(tape)->protocol),
		.dialect = dialect,
		.asked = tape_asked(tape),
		.untimed = tape_is_plain(tape),
		.tap = lint_tap(lint),
	};
	struct stream *stream = stream_new(&options, discard_delta, NULL);

	report.lint = lint;
	if (tape_feed(tape, stream, l->o->status, lint_is_stopped, l))
		lint_print_report(l, &report);
	stream_free(stream);
	lint_report_fini(&report);
	lint_free(lint);
}

/* A session with an MCP server has rules of its own. */
static void lint_mcp(struct linting *l, const char *path, const struct tape *tape)
{
	if (l->o->sarif || l->o->ignored_count || l->o->baseline || l->protocol || l->dialect) {
		complain("%s holds a session with an MCP server, which --sarif, --ignore, --baseline, --protocol and --dialect are not for", path);
		l->failures++;
		return;
	}
	struct lint_session found = lint_session_check(tape, path, l->o->json, &l->text);
	for (enum lint_severity severity = 0; severity < LINT_SEVERITIES; severity++)
		l->fails |= found.of[severity] && lint_filter_heeds(l->filter, severity);
	l->files_with += found.total > 0;
	l->findings += found.total;
	lint_print(l);
}

static void lint_file(struct linting *l, const char *path)
{
	struct tape *tape;
	struct error err;

	if (l->files == FILES_MOST) {
		if (!l->cut)
			complain("more than %d files: the others are not checked", FILES_MOST);
		l->cut = true;
		l->failures++;
		return;
	}
	l->files++;
	if (!saved_any_open(&tape, l->o, path, &err)) {
		complain("%s", err.text);
		l->failures++;
		return;
	}
	saved_stream_tell_others(tape, l->o, path);
	if (saved_is_session(tape))
		lint_mcp(l, path, tape);
	else
		lint_tape(l, path, tape);
	tape_free(tape);
}

/* --- folders --- */

static void lint_folder(struct linting *l, const char *path, unsigned depth);

static const char *const suffixes[] = { ".tape", ".sse", ".ndjson", ".jsonl", ".json", ".txt", ".har", NULL };

static bool is_stream_name(struct str name)
{
	for (size_t i = 0; suffixes[i]; i++)
		if (str_ends(name, suffixes[i]))
			return true;
	return false;
}

/* In a folder, takes regular files with the name of a stream, and folders, but no links to folders. */
static void lint_entry(struct linting *l, const char *folder, const char *name, unsigned depth)
{
	struct buf path = { 0 };
	struct stat facts;

	buf_printf(&path, "%s%s%s", folder, str_ends(str_from(folder), "/") ? "" : "/", name);
	if (lstat(buf_z(&path), &facts) == 0 && S_ISDIR(facts.st_mode))
		lint_folder(l, buf_z(&path), depth + 1);
	else if (is_stream_name(str_from(name)) && stat(buf_z(&path), &facts) == 0 && S_ISREG(facts.st_mode))
		lint_file(l, buf_z(&path));
	buf_fini(&path);
}

static int is_shown(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static void lint_folder(struct linting *l, const char *path, unsigned depth)
{
	struct dirent **entries;
	int count = depth < FOLDER_DEPTH_MOST ? scandir(path, &entries, is_shown, alphasort) : -1;

	if (count < 0) {
		complain("the folder %s cannot be read%s", path, depth < FOLDER_DEPTH_MOST ? "" : ": too many folders inside one another");
		l->failures++;
		return;
	}
	for (int i = 0; i < count; i++) {
		if (!lint_is_stopped(l))
			lint_entry(l, path, entries[i]->d_name, depth);
		free(entries[i]);
	}
	free(entries);
}

static void lint_argument(struct linting *l, const char *path)
{
	struct stat facts;
	struct buf names = { 0 };
	size_t files = l->files, failures = l->failures;

	if (!strcmp(path, "-") || stat(path, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
		lint_file(l, path);
		return;
	}
	lint_folder(l, path, 0);
	if (l->files > files || l->failures > failures || lint_is_stopped(l))
		return;
	names_write_choice(name_in_words, suffixes, &names);
	complain("the folder %s has no streams: the names of such files end with %s", path, buf_z(&names));
	buf_fini(&names);
	l->failures++;
}

/* --- the command --- */

static bool lint_choose(struct linting *l, const struct options *o, struct error *err)
{
	*l = (struct linting){ .o = o, .form = o->sarif ? &lint_sarif : o->json ? &lint_json : &lint_table };
	output_init(&l->out, STDOUT_FILENO);
	if (o->json && o->sarif)
		return error_set(err, "--json and --sarif exclude each other");
	if (o->protocol && !(l->protocol = protocol_named(o->protocol, err)))
		return false;
	if (o->dialect && !(l->dialect = settings_dialect_named(o->config, o->dialect, err)))
		return false;
	return lint_filter_open(&l->filter, o, err);
}

static int lint_files(struct linting *l)
{
	const struct options *o = l->o;

	signals_open();
	l->form->begin(&l->text);
	for (size_t i = 0; i < o->argument_count && !lint_is_stopped(l); i++)
		lint_argument(l, o->arguments[i]);
	bool stopped = signals_want_stop();
	l->form->end(l->files, l->files_with, l->findings, &l->text);
	lint_print(l);
	signals_close();
	if (stopped)
		return output_status(&l->out, EXIT_CANCELLED);
	return output_status(&l->out, l->failures ? EXIT_USAGE : l->fails ? EXIT_LOCAL : EXIT_DONE);
}

static int lint_explain(struct linting *l)
{
	const struct lint_rule *rule = l->o->explain ? lint_rule_find(str_from(l->o->explain)) : NULL;

	if (l->o->explain && !rule)
		return usage_error("there is no rule '%s'; weir lint --rules lists them", l->o->explain);
	if (rule)
		lint_write_rule(rule, &l->text);
	else
		lint_write_rules(l->o->json, &l->text);
	output_flush_json(&l->out, &l->text);
	return output_status(&l->out, EXIT_DONE);
}

int run_lint(const struct options *o)
{
	struct linting l;
	struct error err;
	int status;

	if (!lint_choose(&l, o, &err))
		status = usage_error("%s", err.text);
	else if (o->list_rules || o->explain)
		status = lint_explain(&l);
	else if (!o->argument_count)
		status = usage_error("lint takes saved streams or folders of them (- is standard input)");
	else
		status = lint_files(&l);
	lint_filter_free(l.filter);
	buf_fini(&l.text);
	return status;
}
