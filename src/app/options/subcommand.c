#include "app/options/subcommand.h"

#include <stdio.h>
#include <string.h>

#include "app/cli/completion.h"
#include "app/cli/man.h"
#include "app/command/bindings.h"
#include "app/command/command.h"
#include "app/options/options.h"
#include "app/system/columns.h"
#include "app/system/environment.h"
#include "app/system/output.h"
#include "app/tape/tape_verbs.h"
#include "base/array.h"
#include "base/libraries.h"
#include "base/names.h"
#include "base/os/process.h"
#include "base/os/sandbox.h"
#include "net/http.h"
#include "net/unpack.h"
#include "store/config/settings.h"
#include "store/history/database.h"
#include "ui/term/capability.h"

#define SUBCOMMAND_ROW(id, name, group, page, synopsis, help) [SUBCOMMAND_##id] = { #name, group, page, synopsis, help, run_##name },
static const struct subcommand subcommands[] = { SUBCOMMANDS(SUBCOMMAND_ROW) };
#undef SUBCOMMAND_ROW

#define SUBCOMMAND_DEFAULT ((enum subcommand_id)0)

const struct subcommand *subcommand_row(enum subcommand_id id)
{
	return &subcommands[id];
}

static void (*const libraries[])(struct buf *out) = {
	http_write_libraries, digest_write_libraries, capability_write_libraries, database_write_libraries, json_write_libraries,
	unpack_write_libraries, utf8_write_libraries, image_pixels_write_libraries,
};

/* The program in the first line, for programs that read it; then the libraries, for reports of bugs. */
static int print_version(void)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < ARRAY_LEN(libraries); i++)
		libraries[i](&text);
	printf("weir " WEIR_VERSION "\n%s", buf_z(&text));
	if (!sandbox_is_whole)
		puts("not here: a filter of system calls for the decoder of images (see SECURITY.md)");
	if (!process_adopts)
		puts("not here: the end of what a tool's program leaves behind outside its group (see SECURITY.md)");
	buf_fini(&text);
	return EXIT_DONE;
}

/* --- help: in a pipe no line is broken --- */

static void print_words(const char *words, size_t indent)
{
	struct buf text = { 0 };

	columns_wrap(str_from(words), 0, indent, output_width(), &text);
	puts(buf_z(&text));
	buf_fini(&text);
}

static struct columns help_rows(void)
{
	return (struct columns){ .count = 2, .width = output_width(), .wraps = true };
}

/* The name is indented. */
static void help_rows_add(struct columns *rows, const char *name, struct str help)
{
	char text[64];

	snprintf(text, sizeof text, "  %s", name);
	columns_add(rows, str_from(text));
	columns_add(rows, help);
}

static void help_rows_print(struct columns *rows)
{
	struct buf text = { 0 };

	columns_write(rows, true, &text);
	fputs(buf_z(&text), stdout);
	buf_fini(&text);
	columns_fini(rows);
}

static void print_group(enum subcommand_group group)
{
	struct columns rows = help_rows();
	struct buf help = { 0 };

	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		char name[32];

		snprintf(name, sizeof name, "%-9s", subcommands[id].name); /* the groups are aligned */
		buf_clear(&help);
		buf_printf(&help, "%s%s", subcommands[id].help, id == SUBCOMMAND_DEFAULT ? " (the default)" : "");
		if (subcommands[id].group == group)
			help_rows_add(&rows, name, buf_str(&help));
	}
	help_rows_print(&rows);
	buf_fini(&help);
}

int subcommand_print_all(void)
{
	puts("weir shows a model's answer as it streams.\n\n"
	     "Usage: weir [COMMAND] [OPTION]... [ARGUMENT]...\n\nCommands:");
	print_group(GROUP_CHAT);
	puts("\nCommands for streams, live and saved:");
	print_group(GROUP_STREAMS);
	puts("");
	print_words("`weir COMMAND --help` lists the options of a command, `weir help COMMAND` opens its manual, `weir --help keys` lists the keys.",
	            0);
	return EXIT_DONE;
}

/* The verb that stands in a command line before or behind --help; false if there is none. */
static bool find_tape_verb(int argc, char **argv, struct tape_verb_help *verb)
{
	for (int at = 1; at < argc; at++)
		for (size_t i = 0; tape_verb_at(i, verb); i++)
			if (!strcmp(verb->name, argv[at]))
				return true;
	return false;
}

static void print_usage(const char *name, const char *arguments, const char *help)
{
	struct buf text = { 0 };

	buf_printf(&text, "Usage: weir %s %s", name, arguments);
	print_words(buf_z(&text), 7);
	buf_clear(&text);
	buf_printf(&text, "%c%s.", help[0] - 32 * (help[0] >= 'a'), help + 1);
	print_words(buf_z(&text), 0);
	buf_fini(&text);
}

/* Each with its arguments below. */
static void print_verbs(enum subcommand_id id)
{
	struct columns rows = help_rows();
	struct completion_verb verb;
	struct buf usage = { 0 };

	for (size_t i = 0; completion_verb_at(id, i, &verb); i++) {
		if (!i)
			puts("");
		help_rows_add(&rows, verb.name, str_from(verb.help));
		buf_clear(&usage);
		buf_printf(&usage, "weir %s %s%s%s", subcommands[id].name, verb.name, *verb.arguments ? " " : "", verb.arguments);
		help_rows_add(&rows, "", buf_str(&usage));
	}
	help_rows_print(&rows);
	buf_fini(&usage);
}

/* `verb` of weir tape, or NULL. */
static void print_option_rows(enum subcommand_id id, const char *verb)
{
	struct columns rows = help_rows();
	struct option_help help;
	struct buf words = { 0 };

	puts("\nOptions:");
	for (size_t i = 0; options_help_at(i, &help); i++) {
		char text[60];

		if (!(help.subcommands >> id & 1) || (verb && !tape_verb_takes(verb, help.name)))
			continue;
		snprintf(text, sizeof text, "%c%c%s--%s%s%s", help.letter ? '-' : ' ', help.letter ? help.letter : ' ',
		         help.letter ? ", " : "  ", help.name, help.argument ? " " : "", help.argument ? help.argument : "");
		buf_clear(&words);
		option_help_write(&help, &words);
		help_rows_add(&rows, text, buf_str(&words));
	}
	help_rows_print(&rows);
	buf_fini(&words);
}

static int print_options(enum subcommand_id id, int argc, char **argv)
{
	const struct subcommand *c = &subcommands[id];
	struct tape_verb_help verb;

	if (id == SUBCOMMAND_TAPE && find_tape_verb(argc, argv, &verb)) {
		char name[64];

		snprintf(name, sizeof name, "%s %s", c->name, verb.name);
		print_usage(name, verb.arguments, verb.help);
		print_words(verb.more, 0);
		print_option_rows(id, verb.name);
		return EXIT_DONE;
	}
	print_usage(c->name, c->synopsis, c->help);
	print_verbs(id);
	print_option_rows(id, NULL);
	return EXIT_DONE;
}

static void print_command_keys(const struct bindings *bindings)
{
	struct columns rows = { .count = 3, .width = output_width(), .wraps = true };
	const struct command *command;
	struct buf keys = { 0 };

	for (size_t i = 0; (command = command_at(COMMAND_SCREEN, i)); i++) {
		char name[64];

		snprintf(name, sizeof name, "  %s", command_key_name(command));
		columns_add(&rows, str_from(name));
		buf_clear(&keys);
		bindings_write_all(bindings, command, &keys);
		columns_add(&rows, keys.len ? buf_str(&keys) : STR("-"));
		columns_add(&rows, str_from(command->help));
	}
	help_rows_print(&rows);
	buf_fini(&keys);
}

/* Prints the keys with the bindings of the settings. */
int subcommand_print_keys(const struct options *o)
{
	struct providers *providers = providers_new(process_environment);
	struct bindings *bindings = bindings_new();
	struct settings settings;
	struct error note = { "" }, err;

	settings_init(&settings);
	bool good = settings_read(&settings, providers, o->config, &err) && bindings_take(bindings, &settings, &note, &err);
	if (*note.text)
		complain("%s", note.text);
	if (good) {
		print_words("Commands by their names in [keys] of weir.conf, and their keys. Letters alone are for panes other than the input; "
		            "other letters go to the input there.", 0);
		puts("");
		print_command_keys(bindings);
	}
	bindings_free(bindings);
	settings_fini(&settings);
	providers_free(providers);
	return good ? EXIT_DONE : usage_error("%s", err.text);
}

enum subcommand_id subcommand_named(const char *name)
{
	enum subcommand_id id = 0;

	while (id < SUBCOMMAND_COUNT && strcmp(subcommands[id].name, name) != 0)
		id++;
	return id;
}

/* Whether the command line is `weir --help keys`, which documents the full screen and not a subcommand. */
static bool asks_for_keys(int argc, char **argv, int at)
{
	struct options options;
	struct error err;

	options_init(&options);
	bool asks = !strcmp(argv[at], "keys") && options_parse(&options, SUBCOMMAND_DEFAULT, argc, argv, &err) && options.help;
	options_fini(&options);
	return asks;
}

/* The topic of --help. */
enum topic { TOPIC_PROGRAM, TOPIC_SUBCOMMAND, TOPIC_KEYS };

static int print_help(enum topic topic, enum subcommand_id id, const struct options *o, int argc, char **argv)
{
	if (topic == TOPIC_KEYS)
		return subcommand_print_keys(o);
	return topic == TOPIC_SUBCOMMAND ? print_options(id, argc, argv) : subcommand_print_all();
}

static int subcommand_run(enum subcommand_id id, enum topic topic, int argc, char **argv)
{
	struct options options;
	struct error err;
	int status;

	options_init(&options);
	if (!options_parse(&options, id, argc, argv, &err))
		status = usage_error("%s", err.text);
	else if (options.version)
		status = print_version();
	else if (options.help)
		status = print_help(topic, id, &options, argc, argv);
	else
		status = subcommands[id].run(&options);
	options_fini(&options);
	return status;
}

/* What the program writes of its own tables, for make and for shells. */
static const struct {
	const char *option;
	int (*write)(const char *argument);
} writers[] = { { "--man", man_write }, { "--completion", completion_print }, { "--complete", completion_print_names } };

static int subcommand_refuse(const char *word)
{
	struct nearest nearest = nearest_to(str_from(word));

	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++)
		nearest_try(&nearest, subcommands[id].name);
	if (nearest.name)
		return usage_error("there is no command '%s'; the nearest is weir %s; weir --help lists them", word, nearest.name);
	return usage_error("there is no command '%s'; weir --help lists them (to ask one question: weir ask PROMPT)", word);
}

int subcommand_main(int argc, char **argv)
{
	int at = options_find_subcommand(argc, argv);

	for (size_t i = 0; argc == 3 && i < ARRAY_LEN(writers); i++)
		if (!strcmp(argv[1], writers[i].option))
			return writers[i].write(argv[2]);
	if (at >= argc)
		return subcommand_run(SUBCOMMAND_DEFAULT, TOPIC_PROGRAM, argc, argv);
	enum subcommand_id id = subcommand_named(argv[at]);
	if (id == SUBCOMMAND_COUNT && asks_for_keys(argc, argv, at))
		return subcommand_run(SUBCOMMAND_DEFAULT, TOPIC_KEYS, argc, argv);
	if (id == SUBCOMMAND_COUNT)
		return subcommand_refuse(argv[at]);
	memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof *argv);
	return subcommand_run(id, TOPIC_SUBCOMMAND, argc - 1, argv);
}
