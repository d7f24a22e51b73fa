#include "app/options/subcommand.h"

#include <string.h>
#include <unistd.h>

#include "app/history/history_inside.h"
#include "app/history/history_verbs.h"
#include "app/keep/conversation_list.h"
#include "app/keep/writer.h"
#include "app/options/options.h"
#include "app/system/signals.h"
#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "render/markdown/markdown_words.h"
#include "store/export/export.h"

#define PATIENCE_MS 5000
#define LIMIT_MOST ((size_t)1 << 30)

/* --- opening --- */

int history_call_failed(const struct error *err)
{
	if (signals_want_stop())
		return EXIT_CANCELLED;
	complain("%s", err->text);
	return EXIT_LOCAL;
}

bool history_call_open(struct history **h, enum exit_status *exit_status)
{
	enum history_status status;
	struct error err;

	*h = history_open(PATIENCE_MS, &status, &err);
	if ((status == HISTORY_OLDER || status == HISTORY_DAMAGED) && writer_maintain_here(WRITER_PREPARE, NULL, &err) == HISTORY_OK)
		*h = history_open(PATIENCE_MS, &status, &err);
	if (*h)
		history_stop_when(*h, signals_want_stop);
	if (*h || status == HISTORY_ABSENT)
		return true;
	*exit_status = EXIT_LOCAL;
	history_call_failed(&err);
	return false;
}

/* The command is not run again: some of its output may have been printed. */
void history_call_close(struct history *h)
{
	bool damaged = h && history_was_damaged(h);
	struct error err;

	history_finish(h);
	if (!damaged)
		return;
	if (writer_maintain_here(WRITER_REPAIR, NULL, &err) == HISTORY_OK)
		complain("the history can be read now: run this again");
	else
		complain("%s", err.text);
}

bool history_call_find(const struct history_call *call, const char *name, int64_t *conversation)
{
	struct error err;

	if (!call->h) {
		complain("there is no conversation %s: nothing is stored yet", name);
		return false;
	}
	if (history_find(call->h, str_from(name), conversation, &err) == HISTORY_OK)
		return true;
	history_call_failed(&err);
	return false;
}

/* --- list and search --- */

static size_t limit_of(const struct options *o)
{
	return o->limit > 0 && (unsigned long long)o->limit < LIMIT_MOST ? (size_t)o->limit : LIMIT_MOST;
}

static bool add_listed(void *ctx, const struct history_conversation *c)
{
	return history_lines_add(ctx, c, NULL);
}

/* Other programs get the text as it is. */
static bool add_found(void *ctx, const struct history_hit *hit)
{
	struct history_lines *lines = ctx;
	struct buf line = { 0 };

	if (!hit->snippet || lines->json)
		return history_lines_add(lines, &hit->conversation, hit->snippet);
	listed_excerpt(str_from(hit->snippet), &line);
	bool more = history_lines_add(lines, &hit->conversation, buf_z(&line));
	buf_fini(&line);
	return more;
}

static int history_list_run(struct history_call *call)
{
	enum history_status status = HISTORY_OK;
	struct history_lines lines;
	struct error err;

	if (!call->h && !call->o->json)
		return EXIT_DONE;
	history_lines_open(&lines, call->o->json);
	if (call->h)
		status = history_list(call->h, NULL, limit_of(call->o), add_listed, &lines, &err);
	return history_lines_close(&lines, status == HISTORY_OK ? EXIT_DONE : history_call_failed(&err));
}

static int search_for(struct history_call *call, struct str words)
{
	enum history_status status = HISTORY_OK;
	struct history_lines lines;
	struct error err;
	int exit_status;

	history_lines_open(&lines, call->o->json);
	if (call->h)
		status = history_search(call->h, words, limit_of(call->o), lines.json ? NULL : markdown_words, add_found, &lines, &err);
	exit_status = status != HISTORY_OK ? history_call_failed(&err) : lines.count ? EXIT_DONE : EXIT_LOCAL;
	return history_lines_close(&lines, exit_status);
}

static int history_search_run(struct history_call *call)
{
	struct buf words = { 0 };
	int found;

	for (size_t i = 0; i < call->count; i++)
		buf_printf(&words, "%s%s", i ? " " : "", call->arguments[i]);
	found = search_for(call, buf_str(&words));
	buf_fini(&words);
	return found;
}

/* --- the verbs --- */

static const struct history_verb {
	const char *name, *arguments, *help;
	size_t least, most;        /* number of arguments */
	int (*run)(struct history_call *call); /* NULL: print the path */
} verbs[] = {
	{ "list", "", "list the conversations, the newest first", 0, 0, history_list_run },
	{ "search", "WORDS", "list those that have these words or beginnings of words; quotes make a phrase of several", 1, SIZE_MAX,
	  history_search_run },
	{ "show", "ID", "print one (last, a number of the list, or the beginning of an id), through $PAGER on a terminal", 1, 1, history_show_run },
	{ "export", "ID...|all", "write some of them, or all, as one document", 1, SIZE_MAX, history_export_run },
	{ "import", "FILE", "add the conversations of a file that ChatGPT, Claude, llm or weir exported", 1, 1, history_import_run },
	{ "delete", "ID...", "delete some of them, with their tapes", 1, SIZE_MAX, history_delete_run },
	{ "backup", "FILE", "write a complete copy of the database to FILE, which must not exist", 1, 1, history_backup_run },
	{ "path", "", "print where the database is", 0, 0, NULL },
};

bool history_verb_at(size_t index, struct history_verb_help *help)
{
	if (index >= ARRAY_LEN(verbs))
		return false;
	*help = (struct history_verb_help){ verbs[index].name, verbs[index].arguments, verbs[index].help };
	return true;
}

static int print_text(const char *text)
{
	struct pager pager;

	pager_open(&pager);
	output_text(&pager.out, str_from(text));
	return pager_close(&pager, EXIT_DONE);
}

static int print_path(void)
{
	char *path = history_path();
	struct output out;

	if (!path) {
		complain("there is no home folder: set HOME or XDG_DATA_HOME");
		return EXIT_LOCAL;
	}
	output_init(&out, STDOUT_FILENO);
	output_printf(&out, "%s\n", path);
	mem_free(path);
	return output_status(&out, EXIT_DONE);
}

static const char *verb_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < ARRAY_LEN(verbs) ? verbs[index].name : NULL;
}

static int verb_refuse(const char *name)
{
	struct buf known = { 0 };

	names_write_choice(verb_name_at, NULL, &known);
	usage_error("history has no '%s'; it has %s", name, buf_z(&known));
	buf_fini(&known);
	return EXIT_USAGE;
}

static int verb_run(const struct history_verb *verb, struct history_call *call)
{
	enum exit_status failed = EXIT_DONE;
	int status;

	if (call->count < verb->least || call->count > verb->most)
		return usage_error("weir history %s%s%s", verb->name, verb->most ? " " : ", without arguments", verb->arguments);
	if (!verb->run)
		return print_path();
	if (!history_call_open(&call->h, &failed))
		return (int)failed;
	status = verb->run(call);
	history_call_close(call->h);
	return status;
}

static int history_run(const struct options *o)
{
	const char *name = o->argument_count ? o->arguments[0] : verbs[0].name;
	struct history_call call = { .o = o, .arguments = o->arguments + 1, .count = o->argument_count ? o->argument_count - 1 : 0 };

	if (o->history_schema)
		return print_text(o->json || (o->format && !strcmp(o->format, "json")) ? export_json_schema() : history_schema());
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return verb_run(&verbs[i], &call);
	return verb_refuse(name);
}

int run_history(const struct options *o)
{
	int status;

	signals_open();
	status = history_run(o);
	signals_close();
	return status;
}
