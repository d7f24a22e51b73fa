#include "app/man.h"
#include "support/check.h"

/* Run from the project's folder, as make does. */
static void the_tables_of_the_page_are_the_programs_own(void)
{
	struct error err = { "" };
	struct buf page, rendered;

	buf_init(&page, 1 << 20);
	buf_init(&rendered, 1 << 20);
	CU_ASSERT(buf_read_file(&page, "src/weir.1", &err));
	CU_ASSERT(man_render(buf_str(&page), &rendered, &err));
	CHECK(str_equal(buf_str(&page), buf_str(&rendered)), "src/weir.1 is stale: make man");
	buf_fini(&page);
	buf_fini(&rendered);
}

static void a_table_that_is_unknown_or_open_is_told(void)
{
	static const char *const wrong[] = { ".\\\" begin bogus\n.\\\" end bogus\n", ".\\\" begin options\n", ".\\\" begin options\n.\\\" end keys\n" };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct error err;
		struct buf rendered;

		buf_init(&rendered, 1 << 20);
		CHECK(!man_render(str_from(wrong[i]), &rendered, &err), "case %zu", i);
		buf_fini(&rendered);
	}
}

const struct suite suite_man = { "man", (const struct test[]){
	TEST(the_tables_of_the_page_are_the_programs_own), TEST(a_table_that_is_unknown_or_open_is_told), { 0 } } };
