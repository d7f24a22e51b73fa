#include "base/crash_handler.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "support/check.h"

static int said_to;

static void say(void *word)
{
	ssize_t put = write(said_to, word, strlen(word));

	(void)put;
}

static void say_and_fail(void *word)
{
	say(word);
	raise(SIGSEGV);
}

static void ask_for_too_much(void)
{
	mem_resize(NULL, SIZE_MAX / 2, 4);
}

static void crash(void)
{
	raise(SIGSEGV);
}

static void reach_a_limit(void)
{
	raise(SIGXCPU);
}

static void take_a_signal_from_outside(void)
{
	raise(SIGUSR1);
}

/* The handlers could not run without their own stack. */
static int overflow(volatile int depth)
{
	volatile char room[4096];

	room[0] = (char)depth;
	return depth ? overflow(depth + 1) + room[0] : 0;
}

static void overflow_the_stack(void)
{
	struct rlimit small = { 256 << 10, 256 << 10 };

	setrlimit(RLIMIT_STACK, &small);
	(void)overflow(1);
}

/* Runs `end` in a child process that it kills. Returns what the crash handlers wrote. */
static const char *words_of(void (*end)(void), void (*second_says)(void *), int *status)
{
	static char heard[64];
	struct crash_handler handlers[] = { { say, "one ", NULL }, { second_says, "two ", NULL }, { say, "gone ", NULL }, { say, "three", NULL } };
	int ends[2];
	pid_t child;
	ssize_t count;

	if (pipe(ends))
		return "";
	child = fork();
	if (child == 0) {
		close(STDERR_FILENO);
		said_to = ends[1];
		for (size_t i = 0; i < 4; i++)
			crash_handler_add(&handlers[i]);
		crash_handler_remove(&handlers[2]);
		crash_handler_remove(&handlers[2]);
		crash_handlers_install();
		end();
		_exit(0);
	}
	close(ends[1]);
	waitpid(child, status, 0);
	count = read(ends[0], heard, sizeof heard - 1);
	heard[count > 0 ? count : 0] = '\0';
	close(ends[0]);
	return heard;
}

static void run_in_order_on_every_crash(void)
{
	int status = 0;

	CU_ASSERT_STRING_EQUAL(words_of(ask_for_too_much, say, &status), "one two three");
	CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	CU_ASSERT_STRING_EQUAL(words_of(abort, say, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
	CU_ASSERT_STRING_EQUAL(words_of(crash, say, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
	CU_ASSERT_STRING_EQUAL(words_of(overflow_the_stack, say, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
}

static void run_on_every_fatal_signal(void)
{
	int status = 0;

	CU_ASSERT_STRING_EQUAL(words_of(reach_a_limit, say, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU);
	CU_ASSERT_STRING_EQUAL(words_of(take_a_signal_from_outside, say, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status) && WTERMSIG(status) == SIGUSR1);
	signal(SIGUSR1, SIG_IGN);
	CU_ASSERT_STRING_EQUAL(words_of(take_a_signal_from_outside, say, &status), "");
	CU_ASSERT(WIFEXITED(status));
	signal(SIGUSR1, SIG_DFL);
}

static void each_runs_once_even_if_it_crashes(void)
{
	int status = 0;

	CU_ASSERT_STRING_EQUAL(words_of(crash, say_and_fail, &status), "one two three");
	CU_ASSERT(WIFSIGNALED(status));
}

const struct suite suite_crash_handler = { "crash_handler", (const struct test[]){
	TEST(run_in_order_on_every_crash),
	TEST(run_on_every_fatal_signal),
	TEST(each_runs_once_even_if_it_crashes),
	{ 0 },
} };
