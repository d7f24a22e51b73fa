#include "app/options/options.h"

#include <assert.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/options/option_rows.h"
#include "base/mem.h"
#include "base/names.h"

void options_init(struct options *o)
{
	*o = (struct options){ .max_tokens = -1, .retries = -1, .temperature = NAN, .speed = 1.0, .limit = -1, .fault_rate = 100, .frame = -1 };
}

void options_fini(struct options *o)
{
	mem_free(o->files);
	mem_free(o->targets);
	mem_free(o->ignored);
	mem_free(o->arguments);
}

static bool option_refuse_value(const struct option_row *row, const char *value, struct error *err)
{
	struct buf takes = { 0 };

	option_write_words(str_from(row->takes), &takes);
	error_set(err, "--%s takes %s, not '%s'", row->name, buf_z(&takes), value);
	buf_fini(&takes);
	return false;
}

#define FIRST_ROW 256 /* getopt's value of the first row, above all letters */

struct parser {
	struct option longs[OPTION_ROWS_MOST + 1];
	char letters[2 * OPTION_ROWS_MOST + 4];
};

static void option_parser_init(struct parser *parser, unsigned subcommands, const char *mode)
{
	struct option *next = parser->longs;
	char *letter = stpcpy(parser->letters, mode);
	const struct option_row *row;

	for (size_t i = 0; (row = option_row_at(i)); i++) {
		if (!row->common && !(row->subcommands & subcommands))
			continue;
		*next++ = (struct option){ row->name, row->argument ? required_argument : no_argument, NULL, FIRST_ROW + (int)i };
		if (row->letter) {
			*letter++ = row->letter;
			if (row->argument)
				*letter++ = ':';
		}
	}
	*next = (struct option){ 0 };
	*letter = '\0';
}

/* Makes getopt begin again at argv[1], with the mode that the next letters set. */
static void getopt_restart(void)
{
	opterr = 0;
#ifdef __linux__
	optind = 0;
#else
	optind = 1;
	optreset = 1;
#endif
}

static const struct option_row *option_row_of(int value)
{
	const struct option_row *row = NULL;

	if (value >= FIRST_ROW)
		return option_row_at((size_t)(value - FIRST_ROW));
	for (size_t i = 0; (row = option_row_at(i)) && (!row->letter || row->letter != value); i++)
		;
	return row;
}

/* How many options begin as `typed` does. */
static size_t option_count_beginning(const struct option *longs, const char *typed)
{
	size_t len = strcspn(typed, "="), count = 0;

	for (; longs->name; longs++)
		count += strncmp(longs->name, typed, len) == 0;
	return count;
}

/* What a name that none begins with was meant to be. NULL: it is like none. */
static const char *option_nearest(const struct option *longs, const char *typed)
{
	struct nearest nearest = nearest_to(str_head(str_from(typed), strcspn(typed, "=")));

	for (; longs->name; longs++)
		nearest_try(&nearest, longs->name);
	return nearest.name;
}

static bool option_parse_failed(int value, enum subcommand_id id, const struct option *longs, char **argv, struct error *err)
{
	const struct option_row *row = option_row_of(optopt);
	char program[40] = "weir";

	if (id != SUBCOMMAND_CHAT)
		snprintf(program, sizeof program, "weir %s", subcommand_row(id)->name);

	if (value == ':' && row)
		return error_set(err, "--%s needs a value: --%s %s", row->name, row->name, row->argument);
	if (row && optopt >= FIRST_ROW)
		return error_set(err, "--%s takes no value", row->name);
	if (optopt && optopt < FIRST_ROW)
		return error_set(err, "%s has no option -%c; %s --help lists what it has", program, optopt, program);
	const char *given = argv[optind - 1];
	if (option_count_beginning(longs, given + strlen("--")) > 1)
		return error_set(err, "%s has several options that begin with %s; %s --help lists them", program, given, program);
	const char *nearest = option_nearest(longs, given + strlen("--"));
	if (nearest)
		return error_set(err, "%s has no option %s; the nearest is --%s; %s --help lists what it has", program, given, nearest, program);
	return error_set(err, "%s has no option %s; %s --help lists what it has", program, given, program);
}

bool options_parse(struct options *o, enum subcommand_id id, int argc, char **argv, struct error *err)
{
	struct parser parser;
	int value, dashes = 1;

	while (dashes < argc && strcmp(argv[dashes], "--") != 0) /* before getopt puts what is no option behind it */
		dashes++;
	option_parser_init(&parser, 1u << id, ":");
	getopt_restart();
	while (!o->help && !o->version && (value = getopt_long(argc, argv, parser.letters, parser.longs, NULL)) != -1) {
		const struct option_row *row = option_row_of(value);

		if (value == '?' || value == ':')
			return option_parse_failed(value, id, parser.longs, argv, err);
		assert(row); /* getopt returns known options only */
		if (!row->set(o, row, row->argument ? optarg : ""))
			return option_refuse_value(row, optarg, err);
	}
	if (id == SUBCOMMAND_CHAT && option_is_continue(o))
		o->conversation = HISTORY_LAST_CHAT;
	o->argument_count = (size_t)(argc - optind);
	o->arguments = mem_resize(NULL, o->argument_count + 1, sizeof *o->arguments);
	memcpy(o->arguments, argv + optind, (o->argument_count + 1) * sizeof *o->arguments);
	if (dashes < argc && !strcmp(argv[optind - 1], "--"))
		o->behind_dashes = (size_t)(argc - dashes - 1);
	if (o->summary && o->events)
		return error_set(err, "--summary and --events exclude each other");
	if (o->frames && (o->summary || o->events))
		return error_set(err, "--frames and --%s exclude each other", o->summary ? "summary" : "events");
	if (o->frames && o->media)
		return error_set(err, "--frames and --media exclude each other");
	if (o->compare && (o->summary || o->events || o->code || o->save || o->output || o->media))
		return error_set(err, "--compare prints its answers or, with --json, an array: leave out --summary, --events, --code, --save, "
		                      "-o and --media");
	if (id == SUBCOMMAND_ASK && o->json && !o->compare)
		return error_set(err, "--json belongs to --compare; --summary prints one answer as JSON");
	if (o->code && (o->summary || o->events))
		return error_set(err, "--code and --%s exclude each other", o->summary ? "summary" : "events");
	return true;
}

int options_find_subcommand(int argc, char **argv)
{
	struct parser parser;

	option_parser_init(&parser, ~0u, "+:");
	getopt_restart();
	while (getopt_long(argc, argv, parser.letters, parser.longs, NULL) != -1)
		;
	return optind;
}
