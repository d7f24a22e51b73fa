#include "app/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/man.h"
#include "app/output.h"

const struct command_line command_lines[] = {
	{ "chat", "[OPTION]...", "full-screen chat; without any configuration it opens on the built-in demo", run_chat },
	{ "ask", "[OPTION]... [PROMPT]...", "one turn without the full screen, its text on standard output as it arrives", run_ask },
	{ "replay", "[OPTION]... FILE", "full-screen replay of a saved stream", run_replay },
	{ "decode", "[OPTION]... FILE", "a saved stream (- is standard input) as JSON", run_decode },
	{ "serve", "[OPTION]... FILE...", "serves saved streams over HTTP on loopback, with their own timing", run_serve },
	{ "models", "[OPTION]...", "the provider's model list: one id a line, then a tab and its facts", run_models },
	{ "providers", "[OPTION]...", "the providers: whether a key was found, protocols, dialect, base URL", run_providers },
	{ 0 },
};

int usage_error(const char *format, ...)
{
	struct error line;
	va_list args;

	va_start(args, format);
	vsnprintf(line.text, sizeof line.text, format, args);
	va_end(args);
	complain("%s", line.text);
	return EXIT_USAGE;
}

static int print_version(void)
{
	puts("weir " WEIR_VERSION);
	return EXIT_DONE;
}

static int print_commands(void)
{
	puts("weir shows a model's answer live, as it streams.\n\n"
	     "Usage: weir [COMMAND] [OPTION]... [ARGUMENT]...\n\nCommands:");
	for (const struct command_line *c = command_lines; c->name; c++)
		printf("  %-11s %s%s\n", c->name, c->help, c == command_lines ? " (the default)" : "");
	puts("\n`weir COMMAND --help` lists the options of a command, `man weir` says it all.");
	return EXIT_DONE;
}

static int print_options(const struct command_line *command)
{
	struct option_help help;

	printf("Usage: weir %s %s\n%c%s.\n\nOptions:\n", command->name, command->synopsis, command->help[0] - 32 * (command->help[0] >= 'a'),
	       command->help + 1);
	for (size_t i = 0; options_help_at(i, &help); i++) {
		char text[64];

		if (!(help.commands >> (command - command_lines) & 1))
			continue;
		snprintf(text, sizeof text, "%c%c%s--%s%s%s", help.letter ? '-' : ' ', help.letter ? help.letter : ' ',
		         help.letter ? ", " : "  ", help.name, help.argument ? " " : "", help.argument ? help.argument : "");
		printf("  %-24s  %s\n", text, help.help);
	}
	return EXIT_DONE;
}

static const struct command_line *command_of(const char *name)
{
	for (const struct command_line *c = command_lines; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

static int run(const struct command_line *command, bool named, int argc, char **argv)
{
	struct options options;
	struct error err;
	int status;

	options_init(&options);
	if (!options_parse(&options, command, argc, argv, &err))
		status = usage_error("%s", err.text);
	else if (options.version)
		status = print_version();
	else if (options.help)
		status = named ? print_options(command) : print_commands();
	else
		status = command->run(&options);
	options_fini(&options);
	return status;
}

int options_main(int argc, char **argv)
{
	const struct command_line *command = command_lines;
	int at = options_find_command(argc, argv);

	if (argc == 3 && !strcmp(argv[1], "--man"))
		return man_write(argv[2]);
	if (at >= argc)
		return run(command, false, argc, argv);
	command = command_of(argv[at]);
	if (!command)
		return usage_error("there is no command '%s'; weir --help lists them (to ask one question: weir ask PROMPT)", argv[at]);
	memmove(argv + at, argv + at + 1, (size_t)(argc - at) * sizeof *argv);
	return run(command, true, argc - 1, argv);
}
