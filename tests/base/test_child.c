#include "base/child.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

static struct child_end run(const char *const *argv, const struct child_options *options)
{
	struct child child;
	struct child_end end = { -1, -1 };
	int failure = child_start(&child, argv, options);

	CHECK(!failure, "%s: %s", argv[0], strerror(failure));
	while (!failure && !child_has_ended(&child, &end)) {
		struct pollfd fd;

		poll(&fd, child_fds(&child, &fd), 1000);
	}
	CU_ASSERT_EQUAL(child.pid, 0);
	return end;
}

#define SHELL(script) ((const char *const[]){ "sh", "-c", script, NULL })

static void reports_how_it_ended(void)
{
	struct child_options apart = { .place = CHILD_APART };
	struct child child;

	CU_ASSERT(run(SHELL("exit 3"), &apart).status == 3);
	CU_ASSERT(run(SHELL("kill -15 $$"), &apart).signal == SIGTERM);
	CU_ASSERT_EQUAL(child_start(&child, (const char *const[]){ "no-such-program-here", NULL }, &apart), ENOENT);
	CU_ASSERT_EQUAL(child.pid, 0);
	child_kill(&child);
}

static void is_kept_apart(void)
{
	signal(SIGUSR1, SIG_IGN);
	CU_ASSERT(run(SHELL("read a && exit 1; echo lost; [ \"$(cut -d ' ' -f 5 /proc/$$/stat)\" = $$ ]"), &(struct child_options){ 0 }).status == 0);
	CU_ASSERT(run(SHELL("kill -USR1 $$"), &(struct child_options){ 0 }).signal == SIGUSR1);
	signal(SIGUSR1, SIG_DFL);
}

/* A descriptor that a library opened without FD_CLOEXEC: the other end sees end of file as soon as we close it. */
static void gets_no_descriptor_of_ours(void)
{
	char variable[32];
	int ends[2];

	CU_ASSERT_FATAL(pipe(ends) == 0);
	snprintf(variable, sizeof variable, "OURS=%d", ends[1]);
	CU_ASSERT(run(SHELL("[ -e /proc/self/fd/0 ] && [ ! -e /proc/self/fd/$OURS ]"), &(struct child_options){ .variable = variable }).status == 0);
	close(ends[0]);
	close(ends[1]);
}

static void gets_its_files_and_variables(void)
{
	char text[32] = "";
	int in[2], back[2];

	CU_ASSERT_FATAL(pipe(in) == 0 && pipe(back) == 0);
	setenv("WORD", "own", 1);
	CU_ASSERT(write(in[1], "line\n", 5) == 5);
	close(in[1]);
	run(SHELL("read a; echo $a $WORD; env | grep -c ^WORD="), &(struct child_options){ .input = in[0], .output = back[1], .variable = "WORD=said" });
	close(back[1]);
	for (ssize_t n, len = 0; (n = read(back[0], text + len, sizeof text - 1 - (size_t)len)) > 0; len += n)
		;
	CHECK_STR(str_from(text), "line said\n1\n");
	close(in[0]);
	close(back[0]);
}

static void is_killed_with_its_descendants(void)
{
	struct child child;
	int ends[2];
	char byte;

	CU_ASSERT_FATAL(pipe(ends) == 0);
	CU_ASSERT(child_start(&child, SHELL("sleep 1000 & sleep 1000"), &(struct child_options){ .output = ends[1] }) == 0);
	close(ends[1]);
	child_kill(&child);
	CU_ASSERT(read(ends[0], &byte, 1) == 0); /* no process has it open any more */
	close(ends[0]);
}

static void cuts_words(void)
{
	static const struct { const char *command, *words; } cases[] = {
		{ "one", "one|" }, { "  one\ttwo ", "one|two|" }, { "a \"b c\" d", "a|b c|d|" }, { "a \"\" b", "a||b|" }, { "x\"y z\"w", "xy zw|" },
		{ "$(touch x) ; `y`", "$(touch|x)|;|`y`|" },
	};
	struct error err = { "" };
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char **words = child_words(str_from(cases[i].command), &err), joined[80] = "";

		for (size_t w = 0; words && words[w]; w++) {
			strcat(joined, words[w]);
			strcat(joined, "|");
		}
		CHECK_STR(str_from(joined), cases[i].words);
		mem_free(words);
	}
	CU_ASSERT_PTR_NULL(child_words(STR("a \"b"), &err));
	CHECK_STR(str_from(err.text), "a double quote is not closed");
	CU_ASSERT_PTR_NULL(child_words(STR("  "), &err));
	CHECK_STR(str_from(err.text), "it is empty");
}

const struct suite suite_child = { "child", (const struct test[]){
	TEST(reports_how_it_ended),
	TEST(is_kept_apart),
	TEST(gets_no_descriptor_of_ours),
	TEST(gets_its_files_and_variables),
	TEST(is_killed_with_its_descendants),
	TEST(cuts_words),
	{ 0 } } };
