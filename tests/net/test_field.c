#include "net/field.h"

#include "support/check.h"

static void lists_have_members(void)
{
	struct str list = STR(" a,, B ,c;q=1\t,"), member;

	CU_ASSERT_TRUE(field_next_member(&list, &member) && str_is(member, "a"));
	CU_ASSERT_TRUE(field_next_member(&list, &member) && str_is(member, "B"));
	CU_ASSERT_TRUE(field_next_member(&list, &member) && str_is(member, "c;q=1"));
	CU_ASSERT_FALSE(field_next_member(&list, &member));
	CU_ASSERT_TRUE(field_has_member(STR("x, CLOSE"), "close"));
	CU_ASSERT_FALSE(field_has_member(STR("closed, x close"), "close"));
}

static void what_connection_lists_stays_here(void)
{
	const struct response_header fields[] = { { STR("connection"), STR("x-one, X-Two") }, { STR("X-Other"), STR("x-three") }, { STR("Connection"), STR("x-four") } };

	CU_ASSERT_TRUE(field_stays_here(STR("X-ONE"), fields, 3));
	CU_ASSERT_TRUE(field_stays_here(STR("x-two"), fields, 3));
	CU_ASSERT_FALSE(field_stays_here(STR("x-three"), fields, 3));
	CU_ASSERT_TRUE(field_stays_here(STR("x-four"), fields, 3));
	CU_ASSERT_FALSE(field_stays_here(STR("x-fourth"), fields, 3));
	CU_ASSERT_TRUE(field_stays_here(STR("Transfer-Encoding"), fields, 3));
	CU_ASSERT_FALSE(field_stays_here(STR("retry-after"), fields, 3));
}

static void lines_of_servers_are_mended(void)
{
	static const char *const lines[] = { "A : 1", "B:\t2  ", "  folded", "(): 3", "no colon", "C: a\001b\x1B[2J", "D:" };
	static const char *const names[] = { "A", "B", "C", "D" }, *const values[] = { "1", "2 folded", "a b [2J", "" };
	struct field_list list = { 0 };

	field_list_add_line(&list, STR(" nothing to fold to"));
	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
		field_list_add_line(&list, str_from(lines[i]));
	CU_ASSERT_EQUAL_FATAL(list.count, 4);
	for (size_t i = 0; i < 4; i++) {
		CHECK_STR(list.fields[i].name, names[i]);
		CHECK_STR(list.fields[i].value, values[i]);
	}
	field_list_clear(&list);
}

const struct suite suite_field = { "field", (const struct test[]){
	TEST(lists_have_members), TEST(what_connection_lists_stays_here), TEST(lines_of_servers_are_mended), { 0 } } };
