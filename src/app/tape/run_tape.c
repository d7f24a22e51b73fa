#include "app/options/options.h"
#include "app/options/subcommand.h"

#include <stddef.h>
#include <string.h>

#include "app/tape/tape_inside.h"
#include "app/tape/tape_verbs.h"
#include "base/array.h"
#include "base/names.h"

/* --- documents --- */

#define DOCUMENT_PIECE ((size_t)64 << 10)

bool tape_document_open(struct tape_document *doc, const struct options *o, int *status)
{
	*doc = (struct tape_document){ .failed = false };
	buf_init(&doc->text, 2 * TAPE_LIMIT);
	if (output_file_open(&doc->destination, o->output, o->force, false, &doc->err))
		return true;
	*status = usage_error("%s", doc->err.text);
	return false;
}

static void document_flush(struct tape_document *doc)
{
	if (!doc->failed)
		doc->failed = !output_file_take(&doc->destination, buf_str(&doc->text), &doc->err);
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
	return output_file_close(&doc->destination, !doc->failed, &doc->err);
}

int tape_document_refuse(struct tape_document *doc, const struct error *err)
{
	buf_fini(&doc->text);
	(void)output_file_close(&doc->destination, false, err);
	return EXIT_USAGE;
}

/* --- the verbs --- */

enum { INFO = 1, CUT = 2, JOIN = 4, SCRUB = 8, CONVERT = 16, DIFF = 32, STATS = 64, FIGURES = INFO | DIFF | STATS };

static const struct tape_verb {
	unsigned bit;
	const char *name, *arguments, *help, *more;
	size_t least, most; /* number of files */
	int (*run)(struct tape_call *call);
} verbs[] = {
	{ INFO, "info", "FILE", "say what a file holds: frames, deltas, times, outcome",
	  "Tells the protocol, the model, how many frames and which deltas there are, when the first "
	  "content came, the gaps, and how it ended. On a terminal charts stand below.", 1, 1, tape_info_run },
	{ CUT, "cut", "FILE --from MS --to MS -o OUT", "keep the frames of a range of time",
	  "Keeps the head and the frames whose last byte came from MS on up to MS, both in milliseconds of "
	  "the tape; one of them may be missing. Times stay as they were.",
	  1, 1, tape_cut_run },
	{ JOIN, "join", "FILE FILE... -o OUT", "put files one behind the other",
	  "Makes one tape of tapes, in which each is later by the length of those before it, and one body of bodies. The first gives the head.",
	  2, SIZE_MAX, tape_join_run },
	{ SCRUB, "scrub", "FILE -o OUT", "replace all but the words and figures of the protocols, for a bug report",
	  "Reads, frames, kinds of deltas, times and the outcome stay; what was said, ids and names become something of the same length. "
	  "Read the result before you give it away.", 1, 1, tape_scrub_run },
	{ CONVERT, "convert", "FILE --to FORM -o OUT",
	  "write it as tape, body, events, har or cast (an asciicast), or its request, or that as a curl command",
	  "FILE may be a tape, a body, a HAR or lines of weir decode --events; of these --protocol says which stream is made of them.",
	  1, 1, tape_convert_run },
	{ DIFF, "diff", "FILE FILE", "compare deltas and times; exit status 0: the same deltas",
	  "Text of one part is one line, however it was cut into pieces, and so is a call with its arguments. "
	  "Lines of the first file begin with -, those of the second with +. Exit status 1: they differ.", 2, 2, tape_diff_run },
	{ STATS, "stats", "FILE...", "sum up first content, gaps and rate of many tapes; folders too",
	  "Prints the median, 90 % and 99 % of each over all tapes, then of each model. Files that are no tapes are skipped and counted.",
	  1, SIZE_MAX, tape_stats_run },
};

bool tape_verb_at(size_t index, struct tape_verb_help *help)
{
	if (index >= ARRAY_LEN(verbs))
		return false;
	*help = (struct tape_verb_help){ verbs[index].name, verbs[index].arguments, verbs[index].help, verbs[index].more };
	return true;
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
	int status = name ? usage_error("tape has no '%s'; it has %s", name, buf_z(&known))
	                  : usage_error("tape needs one of %s; weir tape --help says what they do", buf_z(&known));
	buf_fini(&known);
	return status;
}

/* Options that not every verb takes. */
#define OF(member) offsetof(struct options, member), sizeof ((struct options *)NULL)->member
static const struct { const char *name; unsigned of; size_t offset, size; } verb_options[] = {
	{ "from", CUT, OF(from) }, { "to", CUT | CONVERT, OF(to) }, { "json", FIGURES, OF(json) }, { "svg", FIGURES, OF(svg) },
	{ "chart", FIGURES, OF(chart) }, { "ascii", FIGURES, OF(ascii) }, { "ignore", DIFF, OF(ignored_count) },
};
#undef OF

static bool is_given(const struct options *o, size_t offset, size_t size)
{
	const char *bytes = (const char *)o + offset;

	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return true;
	return false;
}

bool tape_verb_takes(const char *verb, const char *option)
{
	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		for (size_t j = 0; j < ARRAY_LEN(verb_options) && !strcmp(verbs[i].name, verb); j++)
			if (!strcmp(verb_options[j].name, option))
				return verb_options[j].of & verbs[i].bit;
	return true;
}

/* An option of other verbs that was given, or NULL. */
static const char *verb_foreign_option(const struct tape_verb *verb, const struct options *o)
{
	for (size_t i = 0; i < ARRAY_LEN(verb_options); i++)
		if (is_given(o, verb_options[i].offset, verb_options[i].size) && !(verb_options[i].of & verb->bit))
			return verb_options[i].name;
	return NULL;
}

static int verb_run(const struct tape_verb *verb, struct tape_call *call)
{
	const char *foreign = verb_foreign_option(verb, call->o);

	if (call->count < verb->least || call->count > verb->most)
		return usage_error("usage: weir tape %s %s", verb->name, verb->arguments);
	if (foreign)
		return usage_error("tape %s does not take --%s; usage: weir tape %s %s", verb->name, foreign, verb->name, verb->arguments);
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
