#include "store/config/settings_edit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/regular_file.h"
#include "store/config/settings.h"
#include "store/config/settings_file.h"
#include "support/check.h"
#include "support/home.h"

#define KEPT "# mine\n\nmouse = no\n\n; the box\n[provider box]\nbase_url = https://box\n# key below\nkey_env = BOX\n\n[provider far]\nretries = 1\n"

static const struct row {
	const char *before, *section, *name, *value, *after; /* value NULL: removed; after NULL: refused */
} rows[] = {
	{ "", "", "theme", "dark", "theme = dark\n" },
	{ "", "provider box", "base_url", "https://b", "[provider box]\nbase_url = https://b\n" },
	{ "mouse = no", "", "theme", "dark", "mouse = no\ntheme = dark\n" },
	{ "mouse = no", "provider box", "retries", "1", "mouse = no\n\n[provider box]\nretries = 1\n" },
	{ "# only words\n\n[provider box]\nretries = 1\n", "", "theme", "dark", "# only words\n\ntheme = dark\n\n[provider box]\nretries = 1\n" },
	{ "# of the box\n[provider box]\nretries = 1\n", "", "theme", "dark", "theme = dark\n# of the box\n[provider box]\nretries = 1\n" },
	{ KEPT, "", "mouse", "yes", "# mine\n\nmouse = yes\n\n; the box\n[provider box]\nbase_url = https://box\n# key below\nkey_env = BOX\n\n[provider far]\nretries = 1\n" },
	{ KEPT, "provider box", "key_file", "~/k", "# mine\n\nmouse = no\n\n; the box\n[provider box]\nbase_url = https://box\n# key below\nkey_env = BOX\nkey_file = ~/k\n\n[provider far]\nretries = 1\n" },
	{ KEPT, "provider box", "key_env", NULL, "# mine\n\nmouse = no\n\n; the box\n[provider box]\nbase_url = https://box\n# key below\n\n[provider far]\nretries = 1\n" },
	{ KEPT, "provider box", "key_file", NULL, KEPT },
	{ KEPT, "", "mouse", "no", KEPT },
	{ "mouse = no\nmouse = yes\n", "", "mouse", "no", "mouse = no\nmouse = no\n" },
	{ "mouse = no\nmouse = yes\n", "", "mouse", NULL, "" },
	{ "system = one\n two\n  three\n# end\nmouse = no\n", "", "system", "four", "system = four\n# end\nmouse = no\n" },
	{ "mouse = no\r\n[provider box]\r\nretries = 1\r\n", "provider box", "retries", "2", "mouse = no\r\n[provider box]\r\nretries = 2\r\n" },
	{ "\xEF\xBB\xBF[provider box]\n", "", "mouse", "no", "\xEF\xBB\xBFmouse = no\n\n[provider box]\n" },
	{ "[provider  box ]", "provider box", "retries", "2", "[provider  box ]\nretries = 2\n" },
	{ "[provider box]\nretries = 1\n[provider far]\n[provider box]\nidle = 3\n", "provider box", "connect", "2",
	  "[provider box]\nretries = 1\n[provider far]\n[provider box]\nidle = 3\nconnect = 2\n" },
	{ "mouse = no\n", "", "mouse", "two\nlines", NULL },
	{ "mouse = no\n", "", "system", "two\n\n lines", "mouse = no\nsystem = |\n  |two\n  |\n  | lines\n" },
	{ "system = |\n  |a\n  |\n  |b\nmouse = no\n", "", "system", "c", "system = c\nmouse = no\n" },
	{ "mouse = no\n", "", "mouse", "a ; b", NULL },
	{ "mouse = no\n", "", "system", "a ; b", "mouse = no\nsystem = |\n  |a \\\n  |; b\n" },
	{ "mouse = no\n", "", "system", "a [provider x] b", "mouse = no\nsystem = a [provider x] b\n" },
	{ "mouse\n", "", "theme", "dark", NULL },
};

static void entries_are_set_in_their_place(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		const struct row *r = &rows[i];
		const struct settings_change change = { r->section, r->name, str_from(r->value) };
		struct error err = { "" };
		struct buf out = { 0 };
		bool good = settings_edit_text(str_from(r->before), &change, 1, &out, &err);

		CHECK(good == (r->after != NULL), "row %zu: %s", i, err.text);
		if (good)
			CHECK_STR(buf_str(&out), r->after);
		else
			CHECK(*err.text, "row %zu: no word", i);
		buf_fini(&out);
	}
}

static bool take_value(void *ctx, const struct ini_entry *entry, struct error *err)
{
	(void)err;
	buf_clear(ctx);
	return buf_add_z(ctx, entry->value);
}

static void long_values_go_on_in_further_lines(void)
{
	struct buf value = { 0 }, out = { 0 }, read = { 0 };
	struct error err = { "" };

	for (int i = 0; i < 300; i++)
		buf_printf(&value, "%sword%d", i ? " " : "", i);
	const struct settings_change change = { "", "system", buf_str(&value) };
	CHECK(settings_edit_text(STR("# a\n"), &change, 1, &out, &err), "%s", err.text);
	CHECK(settings_file_visit(buf_str(&out), "x", take_value, &read, &err), "%s", err.text);
	CHECK_STR(buf_str(&read), buf_z(&value));
	buf_fini(&value);
	buf_fini(&out);
	buf_fini(&read);
}

static void check_text(struct str before, struct str value)
{
	const struct settings_change change = { "role r", "system", value };
	struct buf out = { 0 }, read = { 0 };
	struct error err = { "" };

	CHECK(settings_edit_text(before, &change, 1, &out, &err), "%s", err.text);
	CHECK(settings_file_visit(buf_str(&out), "x", take_value, &read, &err), "%s: %s", err.text, buf_z(&out));
	CHECK(str_equal(buf_str(&read), value), "%s", buf_z(&out));
	buf_fini(&out);
	buf_fini(&read);
}

static void texts_come_back_as_they_were(void)
{
	static const char *const parts[] = { "", " ", "\n", "\r\n", "\t", ";", "#", "[x]", "|", "\\", "\"", "a = b", " ; c", "\xC3\xA4" };
	const size_t count = sizeof parts / sizeof *parts;
	struct buf text = { 0 };

	for (size_t i = 0; i < count * count * count; i++) {
		buf_clear(&text);
		buf_printf(&text, "%s%s%s", parts[i % count], parts[i / count % count], parts[i / count / count]);
		check_text(STR("[role r]\n"), buf_str(&text));
		check_text(STR("[role r]\r\nsystem = |\r\n  x\r\n"), buf_str(&text));
	}
	buf_clear(&text);
	for (int i = 0; i < 300; i++)
		buf_add_z(&text, "\xC3\xA4");
	check_text(STR(""), buf_str(&text));
	buf_add_z(&text, "\nx");
	check_text(STR(""), buf_str(&text));
	buf_fini(&text);
}

/* --- files --- */

#define CONF "weir/weir.conf"
static char *home;

static void begin(void) { home = home_begin("XDG_CONFIG_HOME"); }
static void end(void) { home_end(home); }

static bool set_theme(const char *path, struct error *err)
{
	const struct settings_change change = { "", "theme", STR("dark") };

	return settings_edit(path, &change, 1, err);
}

static void check_file(const char *name, const char *expected, mode_t mode)
{
	struct buf text = { 0 };
	struct error err = { "" };
	struct stat facts;

	CHECK(regular_file_read(&text, home_path(home, name), &err), "%s", err.text);
	CHECK_STR(buf_str(&text), expected);
	CU_ASSERT_EQUAL(stat(home_path(home, name), &facts), 0);
	CU_ASSERT_EQUAL(facts.st_mode & 0777, mode);
	buf_fini(&text);
}

static void a_missing_file_is_made(void)
{
	struct error err = { "" };

	begin();
	CHECK(set_theme(NULL, &err), "%s", err.text);
	check_file(CONF, "theme = dark\n", 0600);
	end();
}

static void mode_and_link_stay(void)
{
	struct error err = { "" };
	struct stat facts;
	char target[300];

	begin();
	home_write(home, "weir/other", "");
	home_write(home, "dots/conf", "# mine\n");
	CU_ASSERT_EQUAL(chmod(home_path(home, "dots/conf"), 0640), 0);
	snprintf(target, sizeof target, "%s", home_path(home, "dots/conf"));
	CU_ASSERT_EQUAL(symlink(target, home_path(home, CONF)), 0);
	CHECK(set_theme(NULL, &err), "%s", err.text);
	check_file("dots/conf", "theme = dark\n# mine\n", 0640);
	CU_ASSERT_EQUAL(lstat(home_path(home, CONF), &facts), 0);
	CU_ASSERT_TRUE(S_ISLNK(facts.st_mode));
	end();
}

static void what_is_not_read_is_not_written(void)
{
	struct error err = { "" };

	begin();
	home_write(home, CONF, "mouse = no\n");
	CU_ASSERT_EQUAL(chmod(home_path(home, CONF), 0666), 0);
	CU_ASSERT_FALSE(set_theme(NULL, &err));
	CHECK(strstr(err.text, "others may write"), "%s", err.text);
	check_file(CONF, "mouse = no\n", 0666);
	CU_ASSERT_EQUAL(chmod(home_path(home, CONF), 0644), 0);
	CU_ASSERT_EQUAL(chmod(home_path(home, "weir"), 0777), 0);
	CU_ASSERT_FALSE(set_theme(NULL, &err));
	check_file(CONF, "mouse = no\n", 0644);
	CHECK(set_theme(home_path(home, CONF), &err), "named by --config: %s", err.text);
	end();
	begin();
	home_write(home, "weir/other", "");
	CU_ASSERT_EQUAL(symlink("/nowhere/at/all", home_path(home, CONF)), 0);
	CU_ASSERT_FALSE(set_theme(NULL, &err));
	end();
}

static void an_entry_knows_its_line(void)
{
	struct error err = { "" };
	int line = 0;

	begin();
	home_write(home, CONF, "# mine\n\nmouse = no\n[provider box]\nretries = 1\n");
	CHECK(settings_edit_top(NULL, "theme", STR("dark"), &line, &err), "%s", err.text);
	CU_ASSERT_EQUAL(line, 4);
	CHECK(settings_edit_top(home_path(home, CONF), "mouse", STR("yes"), &line, &err), "%s", err.text);
	CU_ASSERT_EQUAL(line, 3);
	check_file(CONF, "# mine\n\nmouse = yes\ntheme = dark\n[provider box]\nretries = 1\n", 0644);
	end();
}

const struct suite suite_settings_edit = { "settings_edit", (const struct test[]){
	TEST(entries_are_set_in_their_place), TEST(long_values_go_on_in_further_lines), TEST(texts_come_back_as_they_were), TEST(a_missing_file_is_made), TEST(mode_and_link_stay),
	TEST(what_is_not_read_is_not_written), TEST(an_entry_knows_its_line), { 0 } } };
