#include "app/options/subcommand.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli/man_page.h"
#include "app/options/options.h"
#include "app/system/pager.h"
#include "app/system/signals.h"
#include "app/system/temp_file.h"
#include "base/least.h"
#include "base/names.h"

#define KEYS "keys" /* as in `weir --help keys` */
#define COLUMNS_MOST 80
#define END_LOOK_MS 1000

/* The subcommands, the pages that are about none of them, and KEYS. */
static const char *help_topic_at(const void *unused, size_t index)
{
	const struct man_page *page;

	(void)unused;
	if (index < SUBCOMMAND_COUNT)
		return subcommand_row((enum subcommand_id)index)->name;
	index -= SUBCOMMAND_COUNT;
	for (size_t i = 0; (page = man_page_at(i)); i++)
		if (!strchr(page->name, '-') && !index--)
			return page->name;
	return index ? NULL : KEYS;
}

static int help_refuse(const char *topic)
{
	struct buf known = { 0 };

	names_write_choice(help_topic_at, NULL, &known);
	usage_error("there is no help about '%s'; there is help about %s", topic, buf_z(&known));
	buf_fini(&known);
	return EXIT_USAGE;
}

/* Runs man with the program's own page: one that is installed may be of another version. False if man is missing or fails. */
static bool help_run_man(const struct man_page *page)
{
	struct child_end end = { .status = EXIT_LOCAL };
	struct child child = { 0, -1 };
	struct temp_file file;
	struct pollfd fd;
	struct error err;
	char name[64];

	snprintf(name, sizeof name, "%s.%s", page->name, page->section);
	if (temp_file_write(&file, name, str_from(page->text), &err) &&
	    child_start(&child, (const char *const[]){ "man", "-l", file.path, NULL }, &(struct child_options){ .place = CHILD_AS_PAGER }) == 0)
		while (!child_has_ended(&child, &end))
			poll(&fd, child_fds(&child, &fd), END_LOOK_MS);
	temp_file_drop(&file);
	return !end.status && !end.signal;
}

static int help_print(const struct man_page *page)
{
	struct pager pager;
	struct buf text = { 0 };
	struct error err;
	int status = EXIT_DONE;

	if (!man_page_write(str_from(page->text), least(output_columns(), COLUMNS_MOST), &text, &err)) {
		complain("%s", err.text);
		status = EXIT_LOCAL;
	}
	pager_open(&pager);
	output_text(&pager.out, buf_str(&text));
	buf_fini(&text);
	return pager_close(&pager, status);
}

int run_help(const struct options *o)
{
	const char *topic = o->argument_count ? o->arguments[0] : NULL;
	const struct man_page *page = topic ? man_page_find(topic) : NULL;
	int status = EXIT_DONE;

	if (o->argument_count > 1)
		return usage_error("weir help takes one command");
	if (!topic)
		return subcommand_print_all();
	if (!page)
		return strcmp(topic, KEYS) ? help_refuse(topic) : subcommand_print_keys(o);
	signals_open();
	if (!isatty(STDOUT_FILENO) || !help_run_man(page))
		status = help_print(page);
	signals_close();
	return status;
}
