#include "base/search.h"

#include "support/check.h"

#define ITEMS 9u

/* The items are 0, 2, 4 ... */
static size_t first_not_before(size_t count, size_t item)
{
	struct search s = search_in(0, count);

	while (search_next(&s)) {
		CU_ASSERT_FATAL(s.middle < count);
		search_take(&s, 2 * s.middle < item);
	}
	return s.low;
}

static size_t last_not_behind(size_t count, size_t item)
{
	struct search s = search_in(1, count);

	while (search_next(&s)) {
		CU_ASSERT_FATAL(s.middle >= 1 && s.middle < count);
		search_take(&s, 2 * s.middle <= item);
	}
	return s.low - 1;
}

static void finds_the_first(void)
{
	for (size_t count = 0; count <= ITEMS; count++)
		for (size_t item = 0; item <= 2 * ITEMS; item++) {
			size_t wanted = (item + 1) / 2;

			CHECK(first_not_before(count, item) == (wanted < count ? wanted : count), "%zu of %zu", item, count);
		}
}

static void finds_the_last(void)
{
	for (size_t count = 0; count <= ITEMS; count++)
		for (size_t item = 0; item <= 2 * ITEMS; item++) {
			size_t wanted = item / 2;

			CHECK(last_not_behind(count, item) == (wanted < count ? wanted : count ? count - 1 : 0), "%zu of %zu", item, count);
		}
}

/* The middle of a range at the end of the numbers is computed without overflow. */
static void does_not_overflow(void)
{
	struct search s = search_in(SIZE_MAX - 4, SIZE_MAX);

	while (search_next(&s))
		search_take(&s, s.middle < SIZE_MAX - 1);
	CU_ASSERT_EQUAL(s.low, SIZE_MAX - 1);
}

const struct suite suite_search = { "search", (const struct test[]){ TEST(finds_the_first), TEST(finds_the_last), TEST(does_not_overflow), { 0 } } };
