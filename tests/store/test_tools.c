#include "store/config/tools.h"

#include <string.h>

#include "base/child.h"
#include "base/mem.h"
#include "support/check.h"

static bool set(struct tool_sections *all, const char *name, const char *setting, const char *value, struct error *err)
{
	struct ini_entry entry = { .file = "/etc/w.conf", .section = "tool t", .name = setting, .value = value, .line = 7 };

	*err = (struct error){ "" };
	return tool_sections_set(all, str_from(name), &entry, err);
}

static const struct { const char *name, *setting, *value, *error; } cases[] = {
	{ "t", "command", "git log -- {path}", NULL },
	{ "t", "command", "  ", "command =   : it must be a command in words, and it is empty" },
	{ "t", "command", "a 'b", "command = a 'b: it must be a command in words, and a quote is not closed" },
	{ "t", "approve", "Always", NULL },
	{ "t", "approve", "yes", "approve = yes: it must be ask, once, always or never" },
	{ "t", "input", "json", NULL },
	{ "t", "input", "stdin", "input = stdin: it must be arguments or json" },
	{ "t", "timeout", "0", "timeout = 0: it must be a number from 1 to 86400" },
	{ "t", "timeout", "86400", NULL },
	{ "t", "output_limit", "16777217", "output_limit = 16777217: it must be a number from 1 to 16777216" },
	{ "t", "schema", "{\"type\":\"object\"}", NULL },
	{ "t", "schema", "[1]", "schema: it must be a JSON Schema, an object" },
	{ "t", "schema", "{", "schema: it must be a JSON Schema, an object" },
	{ "t", "env", "LANG, EDITOR", NULL },
	{ "t", "env", "A=1", "env: 'A=1' is no name of a variable; values are those that weir was started with" },
	{ "t", "folder", "", "folder needs a path" },
	{ "t", "shell", "yes", "shell: there is no such setting of a tool" },
	{ "a b", "command", "x", "[tool t]: a tool's name has 1 to 64 letters, digits, _ and -" },
	{ "a.b", "command", "x", "[tool t]: a tool's name has 1 to 64 letters, digits, _ and -" },
	{ "", "command", "x", "[tool t]: a tool's name has 1 to 64 letters, digits, _ and -" },
};

static void each_setting_is_checked(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct tool_sections all = { 0 };
		struct error err;
		bool good = set(&all, cases[i].name, cases[i].setting, cases[i].value, &err);

		CHECK(good == !cases[i].error, "%s = %s: %s", cases[i].setting, cases[i].value, err.text);
		if (cases[i].error)
			CHECK_STR(str_from(err.text), cases[i].error);
		tool_sections_fini(&all);
	}
}

/* What is written is what was set; what is missing is told with its file and line. */
static void a_tool_has_a_command_and_one_schema(void)
{
	struct tool_sections all = { 0 };
	struct error err;
	struct buf out = { 0 };

	CHECK(set(&all, "t", "schema", "{}", &err), "%s", err.text);
	CU_ASSERT_FALSE(tool_sections_check(&all, &err));
	CHECK_STR(str_from(err.text), "/etc/w.conf:7: tool t: it has no command");
	CU_ASSERT_FALSE(set(&all, "t", "schema_file", "s.json", &err));
	CHECK_STR(str_from(err.text), "a tool has schema or schema_file, not both");
	tool_sections_fini(&all);
	CHECK(set(&all, "t", "command", "x y", &err) && set(&all, "t", "folder", "sub", &err) && set(&all, "t", "timeout", "5", &err) &&
	      set(&all, "t", "approve", "once", &err), "%s", err.text);
	CHECK(tool_sections_check(&all, &err), "%s", err.text);
	for (size_t i = 0; tool_setting_at(i).name; i++) {
		tool_section_write(&all.items[0], i, &out);
		buf_add_byte(&out, '|');
	}
	CHECK_STR(buf_str(&out), "x y||||arguments|5||/etc/sub||once|");
	buf_fini(&out);
	tool_sections_fini(&all);
}

static const struct { const char *command, *words; } commands[] = {
	{ "a b  c", "a|b|c|" }, { "a 'b c' \"d e\"", "a|b c|d e|" }, { "a b\\ c", "a|b c|" }, { "'a\\b' \"a\\b\" \"a\\\"b\"", "a\\b|a\\b|a\"b|" },
	{ "a '' \"\" b", "a|||b|" }, { "a'b'c", "abc|" }, { "a \"'\" '\"'", "a|'|\"|" }, { "a $HOME `x` *; b", "a|$HOME|`x`|*;|b|" },
	{ "a \\", "a|\\|" },
};

static void words_are_those_of_a_shell(void)
{
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		char **words = child_shell_words(str_from(commands[i].command), NULL);
		struct buf out = { 0 };

		for (size_t w = 0; words && words[w]; w++)
			buf_printf(&out, "%s|", words[w]);
		CHECK_STR(buf_str(&out), commands[i].words);
		buf_fini(&out);
		mem_free(words);
	}
}

const struct suite suite_tools = { "tools", (const struct test[]){
	TEST(each_setting_is_checked), TEST(a_tool_has_a_command_and_one_schema), TEST(words_are_those_of_a_shell), { 0 } } };
