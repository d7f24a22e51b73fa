#include "base/timestamp.h"

#include "support/check.h"

static const struct { const char *text; int64_t ms; } times[] = {
	{ "1970-01-01T00:00:00Z", 0 },
	{ "2026-01-31T12:00:00.123456Z", 1769860800123 },
	{ "2026-01-31 12:00:00", 1769860800000 },
	{ "2026-01-31T13:30:00.5+01:30", 1769860800500 },
	{ "2026-01-31T04:00:00-0800", 1769860800000 },
	{ "2026-01-31", 1769817600000 },
	{ " 2024-02-29t00:00:00z ", 1709164800000 },
	{ "9999-12-31T23:59:59.999Z", 253402300799999 },
};

static void times_are_read(void)
{
	for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
		int64_t ms = -1;

		CHECK(timestamp_read(str_from(times[i].text), &ms) && ms == times[i].ms, "%s: %lld", times[i].text, (long long)ms);
	}
}

static void other_texts_are_refused(void)
{
	static const char *const bad[] = { "", "now", "2026", "2026-13-01", "2026-00-01", "2026-01-32", "2026-01-01T", "2026-01-01T24:00:00Z",
	                                   "2026-01-01T00:00:00X", "2026-01-01T00:00:00Z ago", "1969-12-31T23:59:59Z", "2026-1-1", "+026-01-01",
	                                   "2026-01-01T00:00:00+", "12345678901234567890" };
	int64_t ms = 7;

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK(!timestamp_read(str_from(bad[i]), &ms) && ms == 7, "%s", bad[i]);
}

static void what_is_written_is_read(void)
{
	char text[TIMESTAMP_BYTES];
	unsigned seed = 5;
	int64_t back;

	for (int i = 0; i < 2000; i++) {
		int64_t ms = (int64_t)(((uint64_t)check_random(&seed) << 20 ^ check_random(&seed)) % 253402300800000u);

		CHECK(timestamp_write(ms, text) && timestamp_read(str_from(text), &back) && back == ms, "%lld: %s", (long long)ms, text);
	}
	CU_ASSERT(timestamp_write(1769860800000, text));
	CHECK_STR(str_from(text), "2026-01-31T12:00:00Z");
	CU_ASSERT(timestamp_write(1769860800007, text));
	CHECK_STR(str_from(text), "2026-01-31T12:00:00.007Z");
	CU_ASSERT_FALSE(timestamp_write(-1, text));
	CU_ASSERT_FALSE(timestamp_write(INT64_MAX, text));
}

const struct suite suite_timestamp = {
	"timestamp",
	(const struct test[]){ TEST(times_are_read), TEST(other_texts_are_refused), TEST(what_is_written_is_read), { 0 } },
};
