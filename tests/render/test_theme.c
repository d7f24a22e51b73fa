#include "render/theme.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
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
	struct theme t = read_theme("[roles]\ntext = white on #102030\naccent = bright-blue bold underline\ntrouble = #Ff0010 on 244\nmuted = dim strike\n", "");

	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, 7);
	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].bg, COLOUR_RGB(0x10, 0x20, 0x30));
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].fg, 12);
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].bg, COLOUR_RGB(0x10, 0x20, 0x30));
	CU_ASSERT_EQUAL(t.styles[ROLE_ACCENT].attributes, STYLE_BOLD | STYLE_UNDERLINE);
	CU_ASSERT_EQUAL(t.styles[ROLE_TROUBLE].fg, COLOUR_RGB(255, 0, 16));
	CU_ASSERT_EQUAL(t.styles[ROLE_TROUBLE].bg, 244);
	CU_ASSERT_EQUAL(t.styles[ROLE_MUTED].fg, 7);
	CU_ASSERT_EQUAL(t.styles[ROLE_MUTED].attributes, STYLE_DIM | STYLE_STRIKE);
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
	t = read_theme("[roles]\ncode = cyan on blue\nstring = green\n", "");
	CU_ASSERT_EQUAL(t.styles[ROLE_KEYWORD].fg, 6);
	CU_ASSERT_EQUAL(t.styles[ROLE_STRING].bg, 4);
	t = read_theme("[roles]\nsheet = red on blue\n", "");
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_MUTED].fg, 1);
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_MUTED].bg, 4);
	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, COLOUR_DEFAULT);
	t = read_theme("[roles]\nsheet = red on blue\ntrouble = yellow\n", "");
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_TROUBLE].fg, 3);
	CU_ASSERT_EQUAL(t.styles[ROLE_SHEET_TROUBLE].bg, 4);
	t = read_theme("[roles]\nstring = red\nkeyword =\n", ""); /* nothing is what stands above, and not what was read before */
	CU_ASSERT_EQUAL(t.styles[ROLE_KEYWORD].fg, t.styles[ROLE_CODE].fg);
	CU_ASSERT_EQUAL(t.styles[ROLE_KEYWORD].bg, t.styles[ROLE_CODE].bg);
}

static void reads_looks_for_sixteen_colours(void)
{
	struct theme t = read_theme("base = dark\n[roles]\ntext = #c0c0c0 on #102030 | white on black\ncode = #808080 on #203040 | bold\n"
		"accent = #ff0000 on #000000\n", "");

	CU_ASSERT_EQUAL(t.styles[ROLE_TEXT].fg, COLOUR_RGB(0xc0, 0xc0, 0xc0));
	CU_ASSERT_EQUAL(t.sixteen[ROLE_TEXT].fg, 7);
	CU_ASSERT_EQUAL(t.sixteen[ROLE_TEXT].bg, 0);
	CU_ASSERT_EQUAL(t.styles[ROLE_CODE].attributes, 0);
	CU_ASSERT_EQUAL(t.sixteen[ROLE_CODE].attributes, STYLE_BOLD);
	CU_ASSERT_EQUAL(t.sixteen[ROLE_CODE].fg, 7);
	CU_ASSERT_EQUAL(t.sixteen[ROLE_CODE].bg, 0);
	CU_ASSERT_EQUAL(t.sixteen[ROLE_ACCENT].fg, COLOUR_RGB(255, 0, 0));
	CU_ASSERT(theme_styles(&t, 256) == t.styles && theme_styles(&t, 16) == t.sixteen && theme_styles(&t, 8) == t.sixteen);
	CU_ASSERT(theme_has_band(&t, ROLE_CODE, 256));
	CU_ASSERT_FALSE(theme_has_band(&t, ROLE_CODE, 16));
	t = read_theme("[roles]\ntext = red | green on teal\n", "t:2: unknown colour or attribute \"teal\"");
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
	CU_ASSERT(str_starts(str_from(err.text), "there is no theme 'nonesuch'; known are"));
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

static const char *const role_names[ROLE_COUNT] = {
#define X(upper, name) [ROLE_##upper] = name,
	ROLES(X)
#undef X
};

#define BLACK COLOUR_RGB(0, 0, 0)
#define WHITE COLOUR_RGB(255, 255, 255)

static void load(struct theme *theme, const char *name)
{
	struct error err = { "" };

	CHECK(theme_load(theme, str_from(name), NULL, NULL, &err), "%s", err.text);
}

static void measures_contrast(void)
{
	CU_ASSERT_DOUBLE_EQUAL(colour_contrast(BLACK, WHITE), 21, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(colour_contrast(WHITE, BLACK), 21, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(colour_contrast(WHITE, WHITE), 1, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(colour_contrast(COLOUR_RGB(119, 119, 119), WHITE), 4.478, 0.001);
	CU_ASSERT_DOUBLE_EQUAL(colour_contrast(9, COLOUR_RGB(255, 0, 0)), 1, 0.001);
	CHECK_STR(str_from(theme_for_background(0, 0, 0)), "dark");
	CHECK_STR(str_from(theme_for_background(0, 43, 54)), "dark");
	CHECK_STR(str_from(theme_for_background(40, 40, 250)), "dark");
	CHECK_STR(str_from(theme_for_background(253, 246, 227)), "light");
	CHECK_STR(str_from(theme_for_background(255, 255, 0)), "light");
}

static void come_with_the_program(void)
{
	size_t count = 0;

	CHECK_STR(str_from(theme_name_at(0)), "default");
	for (; theme_name_at(count); count++) {
		struct error warn, err = { "" };
		struct theme theme;

		CHECK(theme_load(&theme, str_from(theme_name_at(count)), NULL, &warn, &err), "%s", err.text);
		CHECK_STR(str_from(warn.text), "");
		CHECK_STR(str_from(theme.name), theme_name_at(count));
	}
	CU_ASSERT(count >= 10);
}

static void dark_and_light_forms_have_names(void)
{
	struct error err = { "" };
	struct theme named, plain;

	CHECK_STR(str_from(theme_light_form(STR("ember"))), "ember-light");
	CU_ASSERT_PTR_NULL(theme_light_form(STR("fjord")));
	CU_ASSERT_PTR_NULL(theme_light_form(STR("")));
	CHECK(theme_load(&named, STR("ember-dark"), NULL, NULL, &err), "%s", err.text);
	load(&plain, "ember");
	CU_ASSERT(named.styles[ROLE_TEXT].fg == plain.styles[ROLE_TEXT].fg);
	CU_ASSERT_FALSE(theme_load(&named, STR("fjord-dark"), NULL, NULL, &err));
}

static bool is_surface_edge(size_t role)
{
	return role == ROLE_SHEET_EDGE || role == ROLE_HAIRLINE;
}

/* Themes with a background of their own; others use the terminal's. */
static bool has_background(const struct theme *theme)
{
	return theme->styles[ROLE_TEXT].bg != COLOUR_DEFAULT;
}

/* The depths of colour that terminals have. */
static const int depths[] = { 1 << 24, 256, 16, 8 };

struct look { int32_t fg, bg; uint8_t attributes; };

/* What a terminal with `colours` shows of a role. */
static struct look look_of(const struct theme *theme, size_t role, int colours)
{
	const struct style *style = &theme_styles(theme, colours)[role];

	if (colours > 256)
		return (struct look){ style->fg, style->bg, style->attributes };
	return (struct look){ colour_reduce_on(style->fg, style->bg, colours), colour_reduce(style->bg, colours), style->attributes };
}

/* The least contrast of a role: lines may be quiet, of what one reads the least is higher than of what one looks up. */
static double least_contrast(const struct theme *theme, size_t role, int colours)
{
	bool high = strncmp(theme->name, "high-contrast", 13) == 0;
	bool looked_up = role == ROLE_MUTED || role == ROLE_STATUS || role == ROLE_COMMENT || role == ROLE_PROMPT_MUTED || role == ROLE_SHEET_MUTED ||
	                 role == ROLE_CODE_LABEL;

	if (is_surface_edge(role))
		return 1;
	if (role == ROLE_TABLE_EDGE)
		return 3;
	if (colours <= 16)
		return looked_up ? 3 : colours == 16 ? 4.4 : 3.4;
	if (high)
		return 7;
	return 4.5;
}

static void can_be_read(void)
{
	size_t count = 0;

	for (size_t i = 0; theme_name_at(i); i++) {
		struct theme theme;

		load(&theme, theme_name_at(i));
		count += has_background(&theme);
		for (size_t d = 0; has_background(&theme) && d < ARRAY_LEN(depths); d++)
			for (size_t role = 0; role < ROLE_COUNT; role++) {
				struct look look = look_of(&theme, role, depths[d]);
				double found = colour_contrast(look.fg, look.bg), least = least_contrast(&theme, role, depths[d]);

				CHECK(found >= least, "%s, %d colours, role %s: %.2f, not %.1f", theme.name, depths[d], role_names[role], found, least);
			}
	}
	CU_ASSERT(count >= 10);
}

/* What means different things looks different, even where the words beside it say what is meant. High contrast comes before quiet. */
static void tell_meanings_apart(void)
{
	static const enum role_name pairs[][2] = {
		{ ROLE_TEXT, ROLE_MUTED }, { ROLE_TEXT, ROLE_REASONING }, { ROLE_TEXT, ROLE_TOOL }, { ROLE_TEXT, ROLE_TROUBLE },
		{ ROLE_TEXT, ROLE_NOTICE }, { ROLE_TEXT, ROLE_LINK }, { ROLE_TEXT, ROLE_ACCENT }, { ROLE_TEXT, ROLE_HEADING },
		{ ROLE_TEXT, ROLE_LABEL }, { ROLE_TEXT, ROLE_CODE_WORD }, { ROLE_TROUBLE, ROLE_NOTICE }, { ROLE_TROUBLE, ROLE_SUCCESS }, { ROLE_TROUBLE, ROLE_TOOL },
		{ ROLE_TROUBLE, ROLE_ACCENT }, { ROLE_TROUBLE, ROLE_LABEL }, { ROLE_TROUBLE, ROLE_MUTED }, { ROLE_NOTICE, ROLE_ACCENT },
		{ ROLE_NOTICE, ROLE_LABEL }, { ROLE_NOTICE, ROLE_TOOL }, { ROLE_NOTICE, ROLE_MUTED }, { ROLE_TOOL, ROLE_LABEL },
		{ ROLE_TOOL, ROLE_MUTED }, { ROLE_TOOL, ROLE_ACCENT }, { ROLE_ADDED, ROLE_REMOVED }, { ROLE_ADDED, ROLE_CODE },
		{ ROLE_REMOVED, ROLE_CODE }, { ROLE_CODE, ROLE_COMMENT }, { ROLE_CODE, ROLE_KEYWORD }, { ROLE_CODE, ROLE_STRING },
		{ ROLE_KEYWORD, ROLE_STRING }, { ROLE_SHEET, ROLE_SHEET_CHOSEN }, { ROLE_SHEET, ROLE_SHEET_MUTED },
		{ ROLE_SHEET, ROLE_SHEET_MATCH }, { ROLE_STATUS, ROLE_STATUS_STRONG },
	};

	for (size_t i = 0; theme_name_at(i); i++)
		for (size_t d = 0; d < ARRAY_LEN(depths) - 1; d++) {
			struct theme theme;

			load(&theme, theme_name_at(i));
			for (size_t p = 0; has_background(&theme) && p < ARRAY_LEN(pairs); p++) {
				bool contrast_first = strncmp(theme.name, "high-contrast", 13) == 0 && depths[d] == 16;
				struct look a = look_of(&theme, pairs[p][0], depths[d]), b = look_of(&theme, pairs[p][1], depths[d]);

				CHECK(a.fg != b.fg || a.bg != b.bg || a.attributes != b.attributes ||
				      (contrast_first && (pairs[p][1] == ROLE_MUTED || pairs[p][1] == ROLE_SHEET_MUTED)), "%s, %d colours: %s looks like %s", theme.name,
					depths[d], role_names[pairs[p][0]], role_names[pairs[p][1]]);
			}
		}
}

/* A band is seen but quiet; with few colours there is a white one on bright white, or none. */
static void bands_are_quiet(void)
{
	static const enum role_name bands[] = { ROLE_PROMPT, ROLE_CODE, ROLE_SHEET };

	for (size_t i = 0; theme_name_at(i); i++)
		for (size_t d = 0; d < ARRAY_LEN(depths); d++)
			for (size_t b = 0; b < ARRAY_LEN(bands); b++) {
				struct theme theme;

				load(&theme, theme_name_at(i));
				if (!theme_has_band(&theme, bands[b], depths[d]))
					continue;
				double found = colour_contrast(look_of(&theme, bands[b], depths[d]).bg, look_of(&theme, ROLE_TEXT, depths[d]).bg);

				CHECK(found >= 1.05 && found <= 1.45, "%s, %d colours: the band of %s has %.2f", theme.name, depths[d], role_names[bands[b]], found);
			}
}

/* Marks that are backgrounds must differ from the page, from bands and from each other. */
static void mark_with_few_colours(void)
{
	static const enum role_name marks[] = { ROLE_HIT, ROLE_HIT_CURRENT, ROLE_SELECTED };
	static const enum role_name others[] = { ROLE_TEXT, ROLE_PROMPT, ROLE_CODE, ROLE_HIT, ROLE_HIT_CURRENT, ROLE_SELECTED };

	for (size_t i = 0; theme_name_at(i); i++)
		for (size_t d = 0; d < ARRAY_LEN(depths) - 1; d++) {
			struct theme theme;

			load(&theme, theme_name_at(i));
			for (size_t m = 0; has_background(&theme) && m < ARRAY_LEN(marks); m++)
				for (size_t o = 0; o < ARRAY_LEN(others); o++)
					CHECK(marks[m] == others[o] || look_of(&theme, marks[m], depths[d]).bg != look_of(&theme, others[o], depths[d]).bg,
						"%s, %d colours: %s on %s", theme.name, depths[d], role_names[marks[m]], role_names[others[o]]);
		}
}

/* Prompts and code are bands wherever the theme has a background of its own and the terminal enough colours. */
static void have_bands(void)
{
	for (size_t i = 0; theme_name_at(i); i++) {
		struct theme theme;

		load(&theme, theme_name_at(i));
		for (size_t m = 0; m < 2; m++) {
			int colours = m ? 1 << 24 : 256;

			CHECK(theme_has_band(&theme, ROLE_CODE, colours) == has_background(&theme), "%s: code, %d colours", theme_name_at(i), colours);
			CHECK(theme_has_band(&theme, ROLE_PROMPT, colours) == has_background(&theme), "%s: prompts, %d colours", theme_name_at(i), colours);
			CHECK(!theme_has_band(&theme, ROLE_CODE_WORD, colours), "%s: inline code is on the page", theme_name_at(i));
		}
		for (size_t role = ROLE_KEYWORD; role <= ROLE_REMOVED; role++)
			CHECK(theme.styles[role].bg == theme.styles[ROLE_CODE].bg, "%s: role %zu is on the band", theme_name_at(i), role);
		CHECK(theme.styles[ROLE_CODE_LABEL].bg == theme.styles[ROLE_CODE].bg, "%s: the label too", theme_name_at(i));
		CU_ASSERT_FALSE(theme_has_band(&theme, ROLE_CODE, 0));
	}
}

/* Roles that must not be confused differ in lightness, for people who do not see the hues. */
static void can_be_told_apart_without_hues(void)
{
	static const char *const names[] = { "colour-blind", "colour-blind-light" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct theme theme;

		load(&theme, names[i]);
		CU_ASSERT(colour_contrast(theme.styles[ROLE_ADDED].fg, theme.styles[ROLE_REMOVED].fg) >= 1.75);
		CU_ASSERT(colour_contrast(theme.styles[ROLE_SUCCESS].fg, theme.styles[ROLE_TROUBLE].fg) >= 1.75);
	}
}

static void stay_within_the_terminals_palette(void)
{
	struct theme theme;

	load(&theme, "mono");
	for (size_t role = 0; role < ROLE_COUNT; role++)
		CU_ASSERT(theme.styles[role].fg == COLOUR_DEFAULT && theme.styles[role].bg == COLOUR_DEFAULT);
	load(&theme, "default");
	for (size_t role = 0; role < ROLE_COUNT; role++)
		/* palettes have black, bright black or a white that cannot be seen on their background */
		CHECK(theme.sixteen[role].fg < 7 && theme.sixteen[role].fg != 0 && theme.sixteen[role].bg == COLOUR_DEFAULT, "role %s", role_names[role]);
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		int32_t fg = theme.styles[role].fg;
		bool grey = fg >= 240 && fg <= 246; /* readable on white and on black */

		CHECK((fg < 16 || grey) && theme.styles[role].bg == COLOUR_DEFAULT, "role %zu: %d", role, fg);
	}
}

static void reduces_colours(void)
{
	static const struct { int32_t colour; int colours; int32_t expected; } cases[] = {
		{ COLOUR_DEFAULT, 256, COLOUR_DEFAULT }, { 3, 256, 3 }, { 200, 256, 200 }, { 3, 0, COLOUR_DEFAULT },
		{ COLOUR_RGB(255, 0, 0), 256, 196 }, { COLOUR_RGB(8, 8, 8), 256, 232 }, { COLOUR_RGB(95, 135, 175), 256, 67 },
		{ COLOUR_RGB(0x2c, 0x6a, 0x2e), 256, 22 }, { COLOUR_RGB(0x06, 0x26, 0x2f), 256, 235 },
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

static void reduces_colours_on_their_background(void)
{
	static const int32_t green = COLOUR_RGB(0x2c, 0x6a, 0x2e), paper = COLOUR_RGB(0xfa, 0xf9, 0xf5);

	CU_ASSERT_EQUAL(colour_reduce_on(green, COLOUR_DEFAULT, 16), 2);
	CU_ASSERT_EQUAL(colour_reduce_on(green, BLACK, 16), 2);
	CU_ASSERT_EQUAL(colour_reduce_on(green, paper, 16), 0);                               /* green on white is too light */
	CU_ASSERT_EQUAL(colour_reduce_on(COLOUR_RGB(0x50, 0x50, 0xd0), BLACK, 16), 12);       /* blue on black is too dark */
	CU_ASSERT_EQUAL(colour_reduce_on(COLOUR_RGB(0x3a, 0x41, 0x4c), BLACK, 16), 8);
	CU_ASSERT_EQUAL(colour_reduce_on(paper, paper, 16), 15);
	CU_ASSERT_EQUAL(colour_reduce_on(COLOUR_RGB(10, 10, 10), COLOUR_RGB(9, 9, 9), 256), 15);
	CU_ASSERT_EQUAL(colour_reduce_on(green, paper, 0), COLOUR_DEFAULT);
}

const struct suite suite_theme = { "theme", (const struct test[]){
	TEST(reads_styles), TEST(reads_looks_for_sixteen_colours), TEST(inherits), TEST(warns), TEST(refuses_unknown_and_circular_bases), TEST(loads_files_of_the_user),
	TEST(measures_contrast), TEST(come_with_the_program), TEST(dark_and_light_forms_have_names), TEST(can_be_read), TEST(tell_meanings_apart), TEST(bands_are_quiet), TEST(have_bands),
	TEST(mark_with_few_colours), TEST(can_be_told_apart_without_hues), TEST(stay_within_the_terminals_palette), TEST(reduces_colours), TEST(reduces_colours_on_their_background), { 0 } } };
