#include "ui/term/links.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "ui/term/cell_substitute.h"

static void refuses_harmful_destinations(void)
{
	static const struct { const char *destination, *told; } cases[] = {
		{ "https://example.org/a?b=c&d#e", "https://example.org/a?b=c&d#e" },
		{ "HTTP://example.org", "HTTP://example.org" },
		{ "mailto:a@example.org", "mailto:a@example.org" },
		{ "https://example.org/a b;\u00E4", "https://example.org/a%20b;%C3%A4" },
		{ "https://example.org/\u202Egro", "https://example.org/%E2%80%AEgro" },
		{ "file:///etc/passwd", NULL }, { "javascript:alert(1)", NULL }, { "ssh://host", NULL }, { "example.org", NULL }, { "", NULL },
		{ "https://", NULL }, { "mailto:", NULL }, { "http:/example.org", NULL }, { " https://example.org", NULL },
		{ "https://a\x1B]8;;\x07", NULL }, { "https://a\nb", NULL }, { "https://a\x7F", NULL }, { "https://a\xC2\x9C" "b", NULL },
	};
	struct links links = { .count = 0 };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		unsigned number = links_number(&links, str_from(cases[i].destination));

		CHECK((number != 0) == (cases[i].told != NULL), "case %zu: number %u", i, number);
		if (cases[i].told && number)
			CHECK_STR(str_from(links_at(&links, number)), cases[i].told);
	}
	links_forget(&links);
}

static void gives_equal_destinations_one_number(void)
{
	struct links links = { .count = 0 };
	char long_one[3000] = "https://";
	char url[64];

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 1; i <= LINKS_MOST; i++) {
			snprintf(url, sizeof url, "https://example.org/%u", i);
			CHECK(links_number(&links, str_from(url)) == i, "round %u: %u", round, i);
		}
	CU_ASSERT_EQUAL(links_number(&links, STR("https://example.org/one-more")), 0);
	CU_ASSERT_PTR_NULL(links_at(&links, 0));
	links_forget(&links);
	CU_ASSERT_PTR_NULL(links_at(&links, 1));
	memset(long_one + 8, 'x', sizeof long_one - 8);
	CU_ASSERT_EQUAL(links_number(&links, str_of(long_one, sizeof long_one)), 0);
	CU_ASSERT_EQUAL(links_number(&links, str_of(long_one, 1000)), 1);
	links_forget(&links);
}

static void assigns_stand_ins(void)
{
	static struct cell_substitutes s;
	char cluster[16];

	for (unsigned round = 0; round < 2; round++)
		for (unsigned i = 0; i < CELL_SUBSTITUTES; i++) {
			uint32_t code;

			snprintf(cluster, sizeof cluster, "cluster %u", i);
			code = cell_substitute_for(&s, str_from(cluster));
			CHECK_STR(cell_substitute_cluster(&s, code), cluster);
		}
	CU_ASSERT_EQUAL(s.used, CELL_SUBSTITUTES);
	CU_ASSERT_EQUAL(cell_substitute_for(&s, STR("one more")), 0);
	CU_ASSERT_EQUAL(cell_substitute_cluster(&s, CELL_SUBSTITUTE_FIRST - 1).len, 0);
	CU_ASSERT_EQUAL(cell_substitute_cluster(&s, CELL_SUBSTITUTE_FIRST + CELL_SUBSTITUTES).len, 0);
	cell_substitutes_forget(&s);
	CU_ASSERT_EQUAL(cell_substitute_cluster(&s, CELL_SUBSTITUTE_FIRST).len, 0);
	CU_ASSERT_NOT_EQUAL(cell_substitute_for(&s, STR("one more")), 0);
}

const struct suite suite_links = { "links", (const struct test[]){
	TEST(refuses_harmful_destinations), TEST(gives_equal_destinations_one_number), TEST(assigns_stand_ins), { 0 } } };
