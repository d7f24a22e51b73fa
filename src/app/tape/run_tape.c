#include "app/subcommand.h"

#include <string.h>

#include "app/tape/tape_inside.h"
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

static const struct tape_verb {
	const char *name, *arguments;
	size_t least, most; /* number of files */
	int (*run)(struct tape_call *call);
} verbs[] = {
	{ "info", "FILE", 1, 1, tape_info_run },
	{ "cut", "FILE --from MS --to MS -o OUT", 1, 1, tape_cut_run },
	{ "join", "FILE FILE... -o OUT", 2, SIZE_MAX, tape_join_run },
	{ "scrub", "FILE -o OUT", 1, 1, tape_scrub_run },
	{ "convert", "FILE --to tape|body|events|har|cast -o OUT", 1, 1, tape_convert_run },
	{ "diff", "FILE FILE", 2, 2, tape_diff_run },
	{ "stats", "FILE...", 1, SIZE_MAX, tape_stats_run },
};

static int verb_refuse(const char *name)
{
	struct buf known = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(verbs); i++)
		buf_add_choice(&known, verbs[i].name, i + 1 == ARRAY_LEN(verbs));
	int status = name ? usage_error("tape has no '%s'; it has %s", name, buf_z(&known)) : usage_error("tape needs one of %s", buf_z(&known));
	buf_fini(&known);
	return status;
}

int run_tape(const struct options *o)
{
	const char *name = o->argument_count ? o->arguments[0] : NULL;
	struct tape_call call = { .o = o, .arguments = o->arguments + 1, .count = name ? o->argument_count - 1 : 0 };

	for (size_t i = 0; name && i < ARRAY_LEN(verbs); i++) {
		if (strcmp(name, verbs[i].name) != 0)
			continue;
		if (call.count < verbs[i].least || call.count > verbs[i].most)
			return usage_error("usage: weir tape %s %s", name, verbs[i].arguments);
		return verbs[i].run(&call);
	}
	return verb_refuse(name);
}
