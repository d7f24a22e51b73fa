#include "app/cli/man.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/cli/man_page.h"
#include "app/command/command.h"
#include "app/options/subcommand.h"
#include "app/program.h"
#include "base/array.h"
#include "chat/provider/presets.h"
#include "support/check.h"
#include "wire/delta.h"
#include "wire/outcome.h"

#define PAGE_LIMIT ((size_t)1 << 20)
#define COLUMNS 80

/* The page of the project's folder, from which make runs the tests; the program may hold an earlier one. */
static void read_page(const struct man_page *page, struct buf *text)
{
	struct error err = { "" };
	char path[64];

	snprintf(path, sizeof path, "src/man/%s.%s", page->name, page->section);
	buf_init(text, PAGE_LIMIT);
	CHECK(buf_read_file(text, path, &err), "%s", err.text);
}

static void the_tables_of_the_pages_are_the_programs_own(void)
{
	for (size_t i = 0; man_page_at(i); i++) {
		const struct man_page *page = man_page_at(i);
		struct error err = { "" };
		struct buf text, rendered;

		read_page(page, &text);
		buf_init(&rendered, PAGE_LIMIT);
		CHECK(man_render(buf_str(&text), &rendered, &err), "%s: %s", page->name, err.text);
		CHECK(str_equal(buf_str(&text), buf_str(&rendered)), "src/man/%s.%s is stale: make man", page->name, page->section);
		CHECK(!strstr(buf_z(&rendered), ".TP\n,"), "%s: an entry has no key", page->name);
		buf_fini(&text);
		buf_fini(&rendered);
	}
}

/* A new subcommand needs a place in a page. */
static void each_subcommand_has_its_options_in_its_page(void)
{
	for (enum subcommand_id id = 0; id < SUBCOMMAND_COUNT; id++) {
		const struct man_page *page = man_page_find(subcommand_row(id)->name);
		struct buf text;
		char block[64];

		CHECK(page != NULL, "the page %s of weir %s is missing", subcommand_row(id)->page, subcommand_row(id)->name);
		if (!page)
			continue;
		read_page(page, &text);
		snprintf(block, sizeof block, "\n.\\\" begin options %s\n", subcommand_row(id)->name);
		CHECK(id == SUBCOMMAND_HELP || strstr(buf_z(&text), block), "%s has no options of weir %s", page->name, subcommand_row(id)->name);
		buf_fini(&text);
	}
}

static void each_page_is_readable_as_plain_text(void)
{
	for (size_t i = 0; man_page_at(i); i++) {
		const struct man_page *page = man_page_at(i);
		struct error err = { "" };
		struct buf source, text;
		struct str rest, line;

		read_page(page, &source);
		buf_init(&text, PAGE_LIMIT);
		CHECK(man_page_write(buf_str(&source), COLUMNS, &text, &err), "%s: %s", page->name, err.text);
		rest = buf_str(&text);
		while (str_split(&rest, '\n', &line)) {
			CHECK(line.len <= COLUMNS || str_find(str_trim(line), STR(" ")) == str_trim(line).len, "%s: %.*s", page->name, STR_ARG(line));
			for (size_t at = 0; at < line.len; at++)
				CHECK(line.ptr[at] >= ' ' && line.ptr[at] <= '~', "%s: %.*s", page->name, STR_ARG(line));
		}
		CHECK(!strstr(buf_z(&text), "\\f") && !strstr(buf_z(&text), "\n\n\n"), "%s", page->name);
		buf_fini(&source);
		buf_fini(&text);
	}
}

static void requests_and_escapes_become_text(void)
{
	static const struct { const char *roff, *text; } cases[] = {
		{ ".\\\" a comment\n.TH WEIR-X 1 \"\" \"weir\" \"User Commands\"\n.SH \"A NAME\"\nweir\\-x \\- \\fBwords\\fR\n",
		  "WEIR-X(1)\n\nA NAME\n       weir-x - words\n" },
		{ ".SH A\n.TP\n.BI \\-\\-xyz \" N\"\none two\nthree\n.TP\n.B 0\nOne.\n.PP\nfour\n.B five six\n.BR seven ,\n",
		  "A\n       --xyz N\n              one two\n              three\n\n       0      One.\n\n       four five six\n       seven,\n" },
		{ ".SH A\n.nf\n.RS\nx  =  1\n.RE\n.fi\n.SS B\n\\(dqq\\(dq \\e\n", "A\n              x  =  1\n\n   B\n       \"q\" \\\n" },
	};
	static const char *const wrong[] = { ".IP x 4\n", "\\(bu\n" };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct error err = { "" };
		struct buf text = { 0 };

		CHECK(man_page_write(str_from(cases[i].roff), 21, &text, &err), "case %zu: %s", i, err.text);
		CHECK(!strcmp(buf_z(&text), cases[i].text), "case %zu:\n%s", i, buf_z(&text));
		buf_fini(&text);
	}
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err;
		struct buf text = { 0 };

		CHECK(!man_page_write(str_from(wrong[i]), 80, &text, &err), "%s", wrong[i]);
		buf_fini(&text);
	}
}

static void a_table_that_is_unknown_or_open_is_told(void)
{
	static const char *const wrong[] = { ".\\\" begin bogus\n.\\\" end bogus\n", ".\\\" begin options\n", ".\\\" begin options\n.\\\" end keys\n" };

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		struct error err;
		struct buf rendered;

		buf_init(&rendered, 1 << 20);
		CHECK(!man_render(str_from(wrong[i]), &rendered, &err), "case %zu", i);
		buf_fini(&rendered);
	}
}

/* Whether the text has "/new" as a whole word. */
static bool text_names(const char *text, const char *before, const char *name)
{
	char word[64];

	snprintf(word, sizeof word, "%s%s", before, name);
	for (const char *at = text; (at = strstr(at, word)); at += strlen(word))
		if (!char_is_word(at[strlen(word)]) && at[strlen(word)] != '-')
			return true;
	return false;
}

static void the_page_names_all_slash_commands_and_presets(void)
{
	struct error err = { "" };
	struct buf page, text = { 0 };

	read_page(man_page_find("weir"), &page);
	CU_ASSERT(man_page_write(buf_str(&page), COLUMNS, &text, &err));
	for (enum command_mode mode = COMMAND_SCREEN; mode <= COMMAND_PLAIN; mode++)
		for (size_t i = 0; command_at(mode, i); i++) {
			const char *name = command_at(mode, i)->name;

			CHECK(!name || text_names(buf_z(&text), "/", name), "weir(1) lacks /%s", name);
		}
	for (size_t i = 0; preset_at(i); i++)
		CHECK(text_names(buf_z(&text), " ", preset_at(i)->name), "weir(1) lacks the preset %s", preset_at(i)->name);
	buf_fini(&page);
	buf_fini(&text);
}

static void the_page_of_ask_names_all_events_and_outcomes(void)
{
	struct buf page;

	read_page(man_page_find("ask"), &page);
	for (unsigned kind = 0; kind < DELTA_KIND_COUNT; kind++)
		CHECK(text_names(buf_z(&page), " ", delta_kind_name((enum delta_kind)kind)), "weir-ask(1) lacks %s", delta_kind_name((enum delta_kind)kind));
	for (unsigned i = OUTCOME_COMPLETE; i <= OUTCOME_CANCELLED; i++)
		CHECK(text_names(buf_z(&page), " ", outcome_name((enum outcome)i)), "weir-ask(1) lacks %s", outcome_name((enum outcome)i));
	buf_fini(&page);
}

/* --- README.md --- */

#define README_WORDS_MOST 1100
#define README_CELL_MOST 100 /* bytes: two lines of a table on a page */

static void the_readme_is_short(void)
{
	struct error err = { "" };
	struct str rest, line, cell;
	struct buf readme;
	size_t words = 0;

	buf_init(&readme, PAGE_LIMIT);
	CU_ASSERT(buf_read_file(&readme, "README.md", &err));
	rest = buf_str(&readme);
	for (size_t i = 0; i < rest.len; i++)
		words += !char_is_blank(rest.ptr[i]) && (i == 0 || char_is_blank(rest.ptr[i - 1]));
	CHECK(words && words <= README_WORDS_MOST, "README.md has %zu words; the man pages (src/man) have room", words);
	while (str_split(&rest, '\n', &line))
		while (str_starts(line, "|") && str_split(&line, '|', &cell))
			CHECK(cell.len <= README_CELL_MOST, "README.md: %.*s", STR_ARG(cell));
	buf_fini(&readme);
}

static void the_readme_names_no_other_slash_commands(void)
{
	struct error err = { "" };
	struct buf readme;

	buf_init(&readme, 1 << 20);
	CU_ASSERT(buf_read_file(&readme, "README.md", &err));
	for (const char *at = buf_z(&readme); (at = strstr(at, "`/")); at += 2) {
		struct str word = { at + 2, strcspn(at + 2, "` ") };

		CHECK(word.len == 0 || command_by_name(COMMAND_SCREEN, word) || command_by_name(COMMAND_PLAIN, word),
		      "README.md names /%.*s", STR_ARG(word));
	}
	buf_fini(&readme);
}

/* --- weir help --- */

static void help_prints_the_page_of_a_command(void)
{
	static const struct { const char *topic, *begins, *has; } cases[] = {
		{ "ask", "WEIR-ASK(1)\n", "\n       -m, --model NAME\n" },   { "decode", "WEIR-TAPE(1)\n", "\n       --frames\n" },
		{ "weir.conf", "WEIR.CONF(5)\n", "\n       theme (" },      { "weir-lint", "WEIR-LINT(1)\n", "--baseline FILE" },
		{ "chat", "WEIR(1)\n", "weir-proxy(1)" },                    { "keys", "Commands by their names in [keys]", "Ctrl-T" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct program p;

		CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("help", cases[i].topic), NULL), 0);
		CHECK(str_starts(buf_str(&p.output), cases[i].begins), "%s: %.60s", cases[i].topic, buf_z(&p.output));
		CHECK(strstr(buf_z(&p.output), cases[i].has) != NULL, "%s lacks %s", cases[i].topic, cases[i].has);
		program_free(&p);
	}
}

static void help_alone_says_what_the_option_says(void)
{
	struct program p, q;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("help"), NULL), 0);
	CU_ASSERT_EQUAL(program_run(&q, STR_NONE, ARGS("--help"), NULL), 0);
	CHECK(p.output.len && str_equal(buf_str(&p.output), buf_str(&q.output)), "%s", buf_z(&p.output));
	program_free(&p);
	program_free(&q);
}

static void help_about_what_is_not_there_lists_what_there_is(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("help", "bogus"), NULL), 2);
	CU_ASSERT_EQUAL(p.output.len, 0);
	CHECK(str_starts(buf_str(&p.errors), "weir: there is no help about 'bogus'; there is help about chat, ask, "), "%s", buf_z(&p.errors));
	CHECK(strstr(buf_z(&p.errors), "weir.conf") != NULL, "%s", buf_z(&p.errors));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("help", "ask", "tape"), NULL), 2);
	program_free(&p);
}

/* A stand-in for man at the front of PATH. */
static void help_on_a_terminal(const char *man, const char *seen)
{
	const char *path = folder_file("man", man);
	struct program p;
	char variable[256];

	CU_ASSERT_EQUAL(chmod(path, 0700), 0);
	snprintf(variable, sizeof variable, "PATH=%s:/usr/bin:/bin", folder_path());
	program_start_on_terminal(&p, ARGS("help", "ask"), ARGS(variable, "PAGER=cat"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(strstr(buf_z(&p.output), seen) != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	folder_remove();
}

static void help_on_a_terminal_runs_man_with_the_programs_own_page(void)
{
	help_on_a_terminal("#!/bin/sh\necho \"man is asked for $1 ${2##*/}: $(grep -c '^.SH OPTIONS' \"$2\")\"\n", "man is asked for -l weir-ask.1: 1");
}

static void help_on_a_terminal_is_text_where_man_fails(void)
{
	help_on_a_terminal("#!/bin/sh\nexit 3\n", "WEIR-ASK(1)");
}

const struct suite suite_man = { "man", (const struct test[]){
	TEST(the_tables_of_the_pages_are_the_programs_own), TEST(each_subcommand_has_its_options_in_its_page),
	TEST(each_page_is_readable_as_plain_text), TEST(requests_and_escapes_become_text), TEST(a_table_that_is_unknown_or_open_is_told),
	TEST(the_page_names_all_slash_commands_and_presets), TEST(the_page_of_ask_names_all_events_and_outcomes), TEST(the_readme_is_short), TEST(the_readme_names_no_other_slash_commands),
	TEST(help_prints_the_page_of_a_command), TEST(help_alone_says_what_the_option_says),
	TEST(help_about_what_is_not_there_lists_what_there_is), TEST(help_on_a_terminal_runs_man_with_the_programs_own_page),
	TEST(help_on_a_terminal_is_text_where_man_fails), { 0 } } };
