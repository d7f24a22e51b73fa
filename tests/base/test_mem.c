#include "base/mem.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

static void new_is_zero(void)
{
	char *p = mem_new(100);
	void *none = mem_new(0);

	for (int i = 0; i < 100; i++)
		CU_ASSERT_EQUAL(p[i], 0);
	CU_ASSERT_PTR_NOT_NULL(none);
	mem_free(p);
	mem_free(none);
	mem_free(NULL);
}

static void reserve_keeps_and_grows(void)
{
	int *numbers = NULL;
	size_t capacity = 0, calls = 0;

	for (size_t i = 0; i < 1000; i++) {
		size_t before = capacity;

		mem_reserve(&numbers, &capacity, i + 1, sizeof(*numbers));
		calls += capacity != before;
		numbers[i] = (int)i;
	}
	for (int i = 0; i < 1000; i++)
		CU_ASSERT_EQUAL(numbers[i], i);
	CHECK(calls < 20, "%zu times grown", calls);
	mem_free(numbers);
}

static void dup_ends_with_nul(void)
{
	char *copy = mem_dup("a\0b", 3), *empty = mem_dup(NULL, 0);

	CU_ASSERT(memcmp(copy, "a\0b", 4) == 0);
	CU_ASSERT_STRING_EQUAL(empty, "");
	CU_ASSERT_PTR_NULL(mem_dup_z(NULL));
	mem_free(copy);
	mem_free(empty);
}

static void too_many_items(void)
{
	mem_resize(NULL, SIZE_MAX / 2, 4);
}

static void fail_assertion(void)
{
	abort();
}

static int said_to;

static void say(void)
{
	ssize_t put = write(said_to, "x", 1);

	(void)put;
}

/* Runs `end` in a child that dies of it and returns how often the hook ran. */
static long last_words_of(void (*end)(void), int *status)
{
	int ends[2];
	char words[8];
	long count;
	pid_t child;

	if (pipe(ends))
		return -1;
	child = fork();
	if (child == 0) {
		close(STDERR_FILENO);
		said_to = ends[1];
		mem_set_last_words(say);
		end();
		_exit(0);
	}
	close(ends[1]);
	count = read(ends[0], words, sizeof(words));
	close(ends[0]);
	waitpid(child, status, 0);
	return count;
}

static void hook_runs_once_before_death(void)
{
	int status = 0;

	CU_ASSERT_EQUAL(last_words_of(too_many_items, &status), 1);
	CU_ASSERT(WIFEXITED(status) && WEXITSTATUS(status) == 1);
	CU_ASSERT_EQUAL(last_words_of(fail_assertion, &status), 1);
	CU_ASSERT(WIFSIGNALED(status));
}

const struct suite suite_mem = { "mem", (const struct test[]){
	TEST(new_is_zero),
	TEST(reserve_keeps_and_grows),
	TEST(dup_ends_with_nul),
	TEST(hook_runs_once_before_death),
	{ 0 },
} };
