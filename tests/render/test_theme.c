#include "render/theme.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

static struct theme read_theme(const char *text, const char *warning)
{
	struct error warn = { "" }, err = { "" };
	struct theme theme = { 0 };
	bool read = theme_read(&theme, str_from(text), "t", &warn, &err);

	CHECK(read, "%s", err.text);
	CHECK_STR(str_from(warn.text), warning);
	return theme;
}

static void reads_styles(void)
{
	struct theme t = read_theme("[roles]\ntext = white on #102030\naccent = bright-blue bold underline\ntrouble = #Ff0010 on 244\nmuted = dim\n", "");

	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, 7);
	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].bg, COLOUR_RGB(0x10, 0x20, 0x30));
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].fg, 12);
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].bg, COLOUR_RGB(0x10, 0x20, 0x30));
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].attributes, STYLE_BOLD | STYLE_UNDERLINE);
	CU_ASSERT_EQUAL(t.styles[ROLE_TROUBLE].fg, COLOUR_RGB(255, 0, 16));
	CU_ASSERT_EQUAL(t.styles[ROLE_TROUBLE].bg, 244);
	CU_ASSERT_EQUAL(t.styles[ROLE_MUTED].fg, 7);
	CU_ASSERT_EQUAL(t.styles[ROLE_MUTED].attributes, STYLE_DIM);
	CU_ASSERT_EQUAL(t.styles[ROLE_TOOL].fg, 7);
}

static void inherits(void)
{
	struct theme t = read_theme("base = dark\n[roles]\nsheet = red on blue\naccent = default\n", "");
	struct theme dark;
	struct error err;

	CU_ASSERT_FATAL(theme_load(&dark, STR("dark"), NULL, NULL, &err));
	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, dark.styles[ROLE_TEXT].fg);
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].fg, COLOUR_DEFAULT);
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].bg, dark.styles[ROLE_TEXT].bg);
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_TITLE].bg, 4);
	t = read_theme("[roles]\nsheet = red on blue\n", "");
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_MUTED].fg, 1);
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_MUTED].bg, 4);
	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, COLOUR_DEFAULT);
}

static void warns(void)
{
	read_theme("[roles]\ntext = red\nheadline = blue\n", "t:3: unknown role \"headline\"");
	read_theme("[roles]\ntext = red bolder\nfoo = x\n", "t:2: unknown colour or attribute \"bolder\"");
	read_theme("[roles]\ntext = #12345\n", "t:2: unknown colour or attribute \"#12345\"");
	read_theme("[roles]\ntext = 256\n", "t:2: unknown colour or attribute \"256\"");
	read_theme("colour = red\n", "t:1: unknown setting \"colour\"");
}

static void refuses_unknown_and_circular_bases(void)
{
	struct error warn, err = { "" };
	struct theme theme;

	CU_ASSERT_FALSE(theme_load(&theme, STR("nonesuch"), NULL, &warn, &err));
	CU_ASSERT(str_starts(str_from(err.text), "no theme \"nonesuch\""));
	CU_ASSERT_FALSE(theme_load(&theme, STR("../../etc/passwd"), "/tmp", &warn, &err));
	CU_ASSERT_FALSE(theme_read(&theme, STR("base = nonesuch\n"), "t", &warn, &err));
}

static void write_file(const char *folder, const char *name, const char *text)
{
	char path[300];
	FILE *file;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	file = fopen(path, "w");
	CU_ASSERT_FATAL(file != NULL);
	fputs(text, file);
	fclose(file);
}

static void remove_file(const char *folder, const char *name)
{
	char path[300];

	snprintf(path, sizeof path, "%s/%s", folder, name);
	unlink(path);
}

static void loads_files_of_the_user(void)
{
	char folder[] = "/tmp/weir-theme-XXXXXX";
	struct error warn, err = { "" };
	struct theme theme;

	CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
	write_file(folder, "dark.ini", "base = dark\n[roles]\naccent = 99\n");
	write_file(folder, "a.ini", "base = b\n");
	write_file(folder, "b.ini", "base = a\n");
	CU_ASSERT(theme_load(&theme, STR("dark"), folder, &warn, &err));
	CU_ASSERT_EQUAL(theme.styles[ROLE_ACCENT].fg, 99);
	CU_ASSERT_EQUAL(theme.styles[ROLE_TEXT].bg, COLOUR_RGB(0x15, 0x18, 0x1d));
	CHECK_STR(str_from(theme.name), "dark");
	CU_ASSERT(theme_load(&theme, STR("light"), folder, &warn, &err));
	CU_ASSERT_FALSE(theme_load(&theme, STR("a"), folder, &warn, &err));
	CHECK(strstr(err.text, "inherit from each other") != NULL, "%s", err.text);
	remove_file(folder, "dark.ini");
	remove_file(folder, "a.ini");
	remove_file(folder, "b.ini");
	rmdir(folder);
}

/* --- the themes of the project --- */

static double channel(int value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(int32_t colour)
{
	return 0.2126 * channel(colour >> 16 & 255) + 0.7152 * channel(colour >> 8 & 255) + 0.0722 * channel(colour & 255);
}

static double contrast(const struct style *style)
{
	double a = luminance(style->fg), b = luminance(style->bg);

	return (fmax(a, b) + 0.05) / (fmin(a, b) + 0.05);
}

static void come_with_the_program(void)
{
	static const char *const expected[] = { "default", "dark", "high-contrast", "light", "mono" };
	size_t count = 0;

	for (; theme_name_at(count); count++) {
		struct error warn, err = { "" };
		struct theme theme;

		CHECK(theme_load(&theme, str_from(theme_name_at(count)), NULL, &warn, &err), "%s", err.text);
		CHECK_STR(str_from(warn.text), "");
		CHECK_STR(str_from(theme.name), count < 5 ? expected[count] : theme_name_at(count));
	}
	CU_ASSERT(count >= 5);
}

static void can_be_read(void)
{
	static const struct { const char *name; double least; } themes[] = { { "dark", 4.5 }, { "light", 4.5 }, { "high-contrast", 7 } };

	for (size_t i = 0; i < sizeof themes / sizeof *themes; i++) {
		struct theme theme;
		struct error err;

		CU_ASSERT_FATAL(theme_load(&theme, str_from(themes[i].name), NULL, NULL, &err));
		for (size_t role = 0; role < ROLE_COUNT; role++) {
			bool decoration = role == ROLE_SHEET_EDGE || role == ROLE_HAIRLINE;
			double found = contrast(&theme.styles[role]);

			CHECK(found >= (decoration ? 1 : themes[i].least), "%s, role %zu: %.2f", themes[i].name, role, found);
		}
	}
}

static void stay_within_their_means(void)
{
	struct theme theme;
	struct error err;

	CU_ASSERT_FATAL(theme_load(&theme, STR("mono"), NULL, NULL, &err));
	for (size_t role = 0; role < ROLE_COUNT; role++)
		CU_ASSERT(theme.styles[role].fg == COLOUR_DEFAULT && theme.styles[role].bg == COLOUR_DEFAULT);
	CU_ASSERT_FATAL(theme_load(&theme, STR("default"), NULL, NULL, &err));
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		int32_t fg = theme.styles[role].fg;
		bool grey = fg >= 240 && fg <= 246; /* can be read on white and on black */

		CHECK((fg < 16 || grey) && theme.styles[role].bg == COLOUR_DEFAULT, "role %zu: %d", role, fg);
	}
}

static void reduces_colours(void)
{
	static const struct { int32_t colour; int colours; int32_t expected; } cases[] = {
		{ COLOUR_DEFAULT, 256, COLOUR_DEFAULT }, { 3, 256, 3 }, { 200, 256, 200 }, { 3, 0, COLOUR_DEFAULT },
		{ COLOUR_RGB(255, 0, 0), 256, 196 }, { COLOUR_RGB(8, 8, 8), 256, 232 }, { COLOUR_RGB(95, 135, 175), 256, 67 },
		{ COLOUR_RGB(255, 255, 255), 16, 15 }, { COLOUR_RGB(200, 200, 205), 16, 7 }, { COLOUR_RGB(120, 120, 120), 16, 8 },
		{ COLOUR_RGB(0, 0, 0), 16, 0 }, { COLOUR_RGB(0x0e, 0x6b, 0x66), 16, 6 }, { COLOUR_RGB(0xf2, 0x87, 0x7e), 16, 9 },
		{ COLOUR_RGB(0xe2, 0xbb, 0x77), 16, 11 }, { COLOUR_RGB(0x77, 0x40, 0x9b), 16, 5 }, { 196, 16, 9 }, { 244, 16, 8 },
		{ 9, 16, 9 }, { 9, 8, 1 }, { 8, 8, 7 }, { 15, 8, 7 }, { 2, 8, 2 }, { COLOUR_RGB(255, 0, 0), 8, 1 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		int32_t found = colour_reduce(cases[i].colour, cases[i].colours);

		CHECK(found == cases[i].expected, "%x with %d colours: %d, not %d", (unsigned)cases[i].colour, cases[i].colours, found, cases[i].expected);
	}
}

const struct suite suite_theme = { "theme", (const struct test[]){
	TEST(reads_styles), TEST(inherits), TEST(warns), TEST(refuses_unknown_and_circular_bases), TEST(loads_files_of_the_user),
	TEST(come_with_the_program), TEST(can_be_read), TEST(stay_within_their_means), TEST(reduces_colours), { 0 } } };
