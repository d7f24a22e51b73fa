#include "app/subcommand.h"

#include <string.h>

#include "app/tape/tape_inside.h"
#include "app/tape/tape_verbs.h"
#include "base/array.h"

/* --- documents --- */

#define DOCUMENT_PIECE ((size_t)64 << 10)

bool tape_document_open(struct tape_document *doc, const struct options *o, int *status)
{
	*doc = (struct tape_document){ .failed = false };
	buf_init(&doc->text, 2 * TAPE_LIMIT);
	if (destination_open(&doc->destination, o->output, o->force, false, &doc->err))
		return true;
	*status = usage_error("%s", doc->err.text);
	return false;
}

static void document_flush(struct tape_document *doc)
{
	if (!doc->failed)
		doc->failed = !destination_take(&doc->destination, buf_str(&doc->text), &doc->err);
	buf_clear(&doc->text);
}

void tape_document_add(struct tape_document *doc)
{
	if (doc->text.len >= DOCUMENT_PIECE)
		document_flush(doc);
}

int tape_document_close(struct tape_document *doc)
{
	document_flush(doc);
	buf_fini(&doc->text);
	return destination_close(&doc->destination, !doc->failed, &doc->err);
}

int tape_document_refuse(struct tape_document *doc, const struct error *err)
{
	buf_fini(&doc->text);
	(void)destination_close(&doc->destination, false, err);
	return EXIT_USAGE;
}

/* --- the verbs --- */

enum { INFO = 1, CUT = 2, JOIN = 4, SCRUB = 8, CONVERT = 16, DIFF = 32, STATS = 64, FIGURES = INFO | DIFF | STATS };

static const struct tape_verb {
	unsigned bit;
	const char *name, *arguments, *help;
	size_t least, most; /* number of files */
	int (*run)(struct tape_call *call);
} verbs[] = {
	{ INFO, "info", "FILE", "say what a file holds: frames, deltas, times, outcome", 1, 1, tape_info_run },
	{ CUT, "cut", "FILE --from MS --to MS -o OUT", "keep the frames of a range of time", 1, 1, tape_cut_run },
	{ JOIN, "join", "FILE FILE... -o OUT", "put files one behind the other", 2, SIZE_MAX, tape_join_run },
	{ SCRUB, "scrub", "FILE -o OUT", "replace all but the words and figures of the protocols, for a bug report", 1, 1, tape_scrub_run },
	{ CONVERT, "convert", "FILE --to FORM -o OUT", "write it as tape, body, events, har or cast (an asciicast), or its request, or that as a curl command", 1, 1, tape_convert_run },
	{ DIFF, "diff", "FILE FILE", "compare deltas and times; exit status 0: the same deltas", 2, 2, tape_diff_run },
	{ STATS, "stats", "FILE...", "sum up first content, gaps and rate of many tapes; folders too", 1, SIZE_MAX, tape_stats_run },
};

bool tape_verb_at(size_t index, struct tape_verb_help *help)
{
	if (index >= ARRAY_LEN(verbs))
		return false;
	*help = (struct tape_verb_help){ verbs[index].name, verbs[index].arguments, verbs[index].help };
	return true;
}

static int verb_refuse(const char *name)
{
	struct buf known = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		buf_add_choice(&known, verbs[i].name, i + 1 == ARRAY_LEN(verbs));
	int status = name ? usage_error("tape has no '%s'; it has %s", name, buf_z(&known))
	                  : usage_error("tape needs one of %s; weir tape --help says what they do", buf_z(&known));
	buf_fini(&known);
	return status;
}

/* An option of other verbs that was given, or NULL. */
static const char *verb_foreign_option(const struct tape_verb *verb, const struct options *o)
{
	const struct { const char *name; bool given; unsigned of; } options[] = {
		{ "--from", o->from != NULL, CUT }, { "--to", o->to != NULL, CUT | CONVERT }, { "--json", o->json, FIGURES },
		{ "--svg", o->svg != NULL, FIGURES }, { "--chart", o->chart, FIGURES }, { "--ascii", o->ascii, FIGURES },
	};

	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (options[i].given && !(options[i].of & verb->bit))
			return options[i].name;
	return NULL;
}

static int verb_run(const struct tape_verb *verb, struct tape_call *call)
{
	const char *foreign = verb_foreign_option(verb, call->o);

	if (call->count < verb->least || call->count > verb->most)
		return usage_error("usage: weir tape %s %s", verb->name, verb->arguments);
	if (foreign)
		return usage_error("tape %s does not take %s; usage: weir tape %s %s", verb->name, foreign, verb->name, verb->arguments);
	return verb->run(call);
}

int run_tape(const struct options *o)
{
	const char *name = o->argument_count ? o->arguments[0] : NULL;
	struct tape_call call = { .o = o, .arguments = o->arguments + 1, .count = name ? o->argument_count - 1 : 0 };

	for (size_t i = 0; name && i < ARRAY_LEN(verbs); i++)
		if (!strcmp(name, verbs[i].name))
			return verb_run(&verbs[i], &call);
	return verb_refuse(name);
}
