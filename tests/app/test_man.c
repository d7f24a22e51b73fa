#include "app/cli/man.h"

#include <string.h>

#include "app/command/command.h"
#include "chat/provider/presets.h"
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
	CU_ASSERT_PTR_NULL(strstr(buf_z(&rendered), ".TP\n,")); /* an entry without a key */
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

/* --- README.md --- */

/* "`/new`" and "`/system TEXT`" name commands. */
static bool readme_names(const char *readme, const char *before, const char *name)
{
	size_t length = strlen(before), rest = strlen(name);

	for (const char *at = readme; (at = strstr(at, before)); at += length)
		if (strncmp(at + length, name, rest) == 0 && (at[length + rest] == '`' || at[length + rest] == ' '))
			return true;
	return false;
}

static void the_readme_names_all_slash_commands_and_presets(void)
{
	struct error err = { "" };
	struct buf readme;

	buf_init(&readme, 1 << 20);
	CU_ASSERT(buf_read_file(&readme, "README.md", &err));
	for (enum command_mode mode = COMMAND_SCREEN; mode <= COMMAND_PLAIN; mode++)
		for (size_t i = 0; command_at(mode, i); i++) {
			const char *name = command_at(mode, i)->name;

			CHECK(!name || readme_names(buf_z(&readme), "`/", name), "README.md lacks /%s", name);
		}
	for (size_t i = 0; preset_at(i); i++)
		CHECK(readme_names(buf_z(&readme), "`", preset_at(i)->name), "README.md lacks the preset %s", preset_at(i)->name);
	buf_fini(&readme);
}

static void the_readme_names_no_other_slash_commands(void)
{
	struct error err = { "" };
	struct buf readme;

	buf_init(&readme, 1 << 20);
	CU_ASSERT(buf_read_file(&readme, "README.md", &err));
	for (const char *at = buf_z(&readme); (at = strstr(at, "`/")); at += 2) {
		struct str word = { at + 2, strcspn(at + 2, "` ") };

		CHECK(word.len == 0 || command_by_name(COMMAND_SCREEN, word) || command_by_name(COMMAND_PLAIN, word),
		      "README.md names /%.*s", STR_ARG(word));
	}
	buf_fini(&readme);
}

const struct suite suite_man = { "man", (const struct test[]){
	TEST(the_tables_of_the_page_are_the_programs_own), TEST(a_table_that_is_unknown_or_open_is_told),
	TEST(the_readme_names_all_slash_commands_and_presets), TEST(the_readme_names_no_other_slash_commands), { 0 } } };
