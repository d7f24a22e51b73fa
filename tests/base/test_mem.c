#include "base/mem.h"

#include <string.h>

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

		mem_reserve(&numbers, &capacity, i + 1, sizeof *numbers);
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

const struct suite suite_mem = { "mem", (const struct test[]){
	TEST(new_is_zero),
	TEST(reserve_keeps_and_grows),
	TEST(dup_ends_with_nul),
	{ 0 },
} };
