/* The scenarios of tests/app/screen, each file as a suite. */
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/script.h"
#include "base/mem.h"
#include "support/check.h"

#define FILES "tests/app/screen/*.script"
#define FILES_MOST 60

/* --- the files: they live until the runner ends --- */

static struct suite suites[FILES_MOST];
static const struct suite *listed[FILES_MOST + 1];
static struct script *scripts[FILES_MOST];

/* CUnit's functions have no argument. */
static void run_scenario(void)
{
	const char *suite = CU_get_current_suite()->pName, *test = CU_get_current_test()->pName;

	for (size_t i = 0; listed[i]; i++)
		for (size_t j = 0; !strcmp(suite, suites[i].name) && j < script_count(scripts[i]); j++)
			if (!strcmp(test, script_name(scripts[i], j)))
				script_run(scripts[i], j);
}

static void add_file(size_t at, const char *path)
{
	const char *base = strrchr(path, '/') + 1;
	struct buf text = { 0 }, name = { 0 };
	struct error err = { "" };

	buf_printf(&name, "screen_%.*s", (int)strcspn(base, "."), base);
	if (!buf_read_file(&text, path, &err))
		buf_printf(&text, "%s", err.text); /* a line that is wrong */
	scripts[at] = script_read(path, buf_str(&text));
	buf_fini(&text);
	struct test *tests = mem_new((script_count(scripts[at]) + 1) * sizeof *tests);
	for (size_t i = 0; i < script_count(scripts[at]); i++)
		tests[i] = (struct test){ script_name(scripts[at], i), run_scenario };
	suites[at] = (struct suite){ .name = buf_take(&name), .tests = tests };
	listed[at] = &suites[at];
}

const struct suite *const *check_more(void)
{
	glob_t found;

	if (glob(FILES, 0, NULL, &found) != 0)
		return listed;
	if (found.gl_pathc > FILES_MOST)
		abort();
	for (size_t i = 0; i < found.gl_pathc; i++)
		add_file(i, found.gl_pathv[i]);
	globfree(&found);
	return listed;
}

/* --- the reader --- */

static void wrong_lines_are_named(void)
{
	static const struct { const char *text, *fault; } cases[] = {
		{ "== a\nsee words\n\n# a comment\nfrobnicate x\n", "x.script:5: \"frobnicate\" is no step" },
		{ "== a\nsee\n", "x.script:2: \"see\" has another number of texts" },
		{ "== a\nturn one\n", "x.script:2: \"turn\" has another number of texts" },
		{ "== a\nsettle x\n", "x.script:2: \"settle\" has another number of texts" },
		{ "== a\nkeys Ctrl-P Nokey\n", "x.script:2: not all of its words are keys" },
		{ "== a\nscreen 80\n", "x.script:2: it is no size, as 80x24" },
		{ "== a\nat three\n", "x.script:2: the servers are hand and two" },
		{ "-- piece\nfrob\n== a\ndo piece\n", "x.script:2: \"frob\" is no step" },
		{ "== a\ndo piece\n", "x.script:2: \"do\" needs the name of a piece above it" },
		{ "== a\nsee words | enter a | frob | see\n", "x.script:2: \"frob\" is no step" },
		{ "see words\n== a\n", "x.script:1: no scenario has begun" },
		{ "-- piece\nsee words\n== a\nturn \"a => b\" => \" c\\x41\\n\"\ndo piece | enter | see \" | \"\n", "" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct script *script = script_read("x.script", str_from(cases[i].text));

		CHECK_STR(str_from(script_fault(script, 0)), cases[i].fault);
		script_free(script);
	}
}

static void there_are_scenarios(void)
{
	CHECK(listed[0], "no file is %s", FILES);
}

const struct suite suite_scripts = { "scripts", (const struct test[]){ TEST(wrong_lines_are_named), TEST(there_are_scenarios), { 0 } } };
