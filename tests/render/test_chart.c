#include "render/chart.h"

#include <math.h>
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "support/check.h"

static const struct chart_point hill[] = { { 0, 0 }, { 500, 10 }, { 1000, 40 }, { 1500, 25 }, { 2000, 0 }, { 2500, 5 }, { 3000, 0 } };
static const struct chart_point fast[] = { { 0, 0 }, { 1000, 100 }, { 2000, 200 }, { 3000, 300 }, { 4000, 0 } };
static const struct chart_point slow[] = { { 0, 0 }, { 2000, 100 }, { 4000, 200 }, { 6000, 0 } };

static const struct chart area = { .title = { "tokens", 6 }, .shape = CHART_AREA, .x_unit = CHART_MS, .series = { { .at = hill, .count = ARRAY_LEN(hill) } }, .series_count = 1 };
static const struct chart lines = {
	.title = { "text", 4 }, .shape = CHART_LINE, .x_unit = CHART_MS,
	.series = { { { "first", 5 }, fast, ARRAY_LEN(fast) }, { { "second", 6 }, slow, ARRAY_LEN(slow) } }, .series_count = 2,
};

static void check_chart(const struct chart *c, unsigned columns, unsigned rows, enum chart_signs signs, const char *expected)
{
	struct buf out = { 0 };

	chart_text(c, columns, rows, signs, &out);
	CHECK(str_is(buf_str(&out), expected), "\n%s", buf_z(&out));
	buf_fini(&out);
}

static void an_area_has_axes_with_units(void)
{
	check_chart(&area, 40, 4, CHART_BLOCKS,
		"tokens\n"
		"40 ┤            ██████\n"
		"   │            ██████▄▄▄▄▄▄\n"
		"20 ┤            ████████████\n"
		"   │      ██████████████████      ▄▄▄▄▄▄\n"
		" 0 └┬───────────┬───────────┬──────────┬\n"
		"   0 s         1 s         2 s       3 s\n");
	check_chart(&area, 40, 4, CHART_BRAILLE,
		"tokens\n"
		"40 ┤            ⣿⣿⣿⣿⣿⣿\n"
		"   │            ⣿⣿⣿⣿⣿⣿⣤⣤⣤⣤⣤⣤\n"
		"20 ┤            ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿\n"
		"   │      ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿      ⣤⣤⣤⣤⣤⣤\n"
		" 0 └┬───────────┬───────────┬──────────┬\n"
		"   0 s         1 s         2 s       3 s\n");
	check_chart(&area, 40, 4, CHART_ASCII,
		"tokens\n"
		"40 +            ######\n"
		"   |            ######::::::\n"
		"20 +            ############\n"
		"   |      ##################      ::::::\n"
		" 0 ++-----------+-----------+----------+\n"
		"   0 s         1 s         2 s       3 s\n");
}

/* Solid and dotted, shaded, or by letter. */
static void two_series_are_told_apart_without_colour(void)
{
	check_chart(&lines, 40, 4, CHART_BRAILLE,
		"text   ⠒⠒ first   ⠂⠂ second\n"
		"400 ┤\n"
		"    │           ⢀⣀⣀⣀⣀⣀⣸⠉⠉⠉⠉⠉⡁⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀\n"
		"200 ┤     ⢀⣀⣀⣀⣀⣀⣸⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡀⡂\n"
		"    │⣀⣀⣀⣀⣀⣸⡀⡀⡀⡀⡀⣐\n"
		"  0 └┬──────────┬───────────┬──────────┬\n"
		"    0 s        2 s         4 s       6 s\n");
	check_chart(&lines, 40, 4, CHART_BLOCKS,
		"text   ▄▄ first   ░░ second\n"
		"400 ┤\n"
		"    │           ▄▄▄▄▄▄█▀▀▀▀▀▀░░░░░░░░░░░\n"
		"200 ┤     ▄▄▄▄▄▄█░░░░░░░░░░░░\n"
		"    │▄▄▄▄▄█░░░░░░\n"
		"  0 └┬──────────┬───────────┬──────────┬\n"
		"    0 s        2 s         4 s       6 s\n");
	check_chart(&lines, 40, 4, CHART_ASCII,
		"text   a: first   b: second\n"
		"400 +\n"
		"    |           aaaaaaaaaaaa*bbbbbbbbbbb\n"
		"200 +     aaaaaa*bbbbbbbbbbbb\n"
		"    |******bbbbbb\n"
		"  0 ++----------+-----------+----------+\n"
		"    0 s        2 s         4 s       6 s\n");
}

static void a_logarithmic_axis_has_decades(void)
{
	static const struct chart_point gaps[] = { { 1, 3 }, { 10, 8 }, { 100, 1 }, { 1000, 2 }, { 5000, 0 } };
	struct chart c = area;

	c.x_log = true;
	c.series[0] = (struct chart_series){ .at = gaps, .count = ARRAY_LEN(gaps) };
	check_chart(&c, 50, 2, CHART_ASCII,
		"tokens\n"
		"8 +            ##############\n"
		"4 +::::::::::::##############............:::::::::\n"
		"0 ++-----------+------------+------------+--------\n"
		" 1 ms        10 ms       100 ms         1 s\n");
}

static void bars_show_two_values(void)
{
	const struct chart_bar bars[] = { { STR("acme m-1"), 200, 400 }, { STR("a provider with a very long name"), 1500, 3000 }, { STR("other"), NAN, NAN } };
	const struct chart c = { .title = STR("first content"), .shape = CHART_BARS, .y_unit = CHART_MS, .bars = bars, .bar_count = 3, .inner = "p50", .outer = "p99" };

	check_chart(&c, 60, 0, CHART_BLOCKS,
		"first content             p50      p99\n"
		"acme m-1               200 ms   400 ms █░░\n"
		"a provider with a v…    1.5 s      3 s ███████████░░░░░░░░░░\n"
		"other                       -        -\n");
	check_chart(&c, 60, 0, CHART_ASCII,
		"first content             p50      p99\n"
		"acme m-1               200 ms   400 ms #==\n"
		"a provider with a v~    1.5 s      3 s ###########==========\n"
		"other                       -        -\n");
}

static void nothing_is_drawn_of_nothing(void)
{
	struct chart c = area;

	c.series[0].count = 1;
	check_chart(&c, 40, 4, CHART_BLOCKS, "");
	check_chart(&(const struct chart){ .shape = CHART_BARS, .inner = "p50", .outer = "p99" }, 40, 4, CHART_BLOCKS, "");
}

/* Whatever the numbers and the size, no line is wider than asked, and no byte is a control byte but LF. */
static void lines_keep_within_the_width(void)
{
	static const struct chart_point wild[] = { { 0, NAN }, { 0, INFINITY }, { 1e-9, 1e300 }, { 5, -7 }, { 5, 1e12 }, { 1e12, 3 }, { 1e13, 0 } };
	struct chart c = lines;

	c.series[0] = (struct chart_series){ STR("a\x1b[2J\nlong name of a file that says nothing"), wild, ARRAY_LEN(wild) };
	for (unsigned kind = 0; kind < 2 * 2 * 3; kind++)
		for (unsigned columns = 1; columns <= 130; columns += 3) {
			struct buf out = { 0 };
			struct str rest, line;

			c.shape = kind % 2 ? CHART_AREA : CHART_LINE;
			c.x_log = kind / 2 % 2;
			chart_text(&c, columns, columns % 9, (enum chart_signs)(kind / 4), &out);
			for (rest = buf_str(&out); str_split(&rest, '\n', &line);) {
				CHECK(utf8_width(line) <= (columns < CHART_COLUMNS_LEAST ? CHART_COLUMNS_LEAST : columns), "%u: %.*s", columns, STR_ARG(line));
				CHECK(!memchr(line.ptr ? line.ptr : "", 0x1b, line.len), "%u: %.*s", columns, STR_ARG(line));
			}
			CHECK(out.len > 0, "%u", columns);
			buf_fini(&out);
		}
}

static void ascii_is_ascii(void)
{
	const struct chart *const all[] = { &area, &lines };

	for (size_t i = 0; i < ARRAY_LEN(all); i++) {
		struct buf out = { 0 };

		chart_text(all[i], 60, 6, CHART_ASCII, &out);
		for (size_t at = 0; at < out.len; at++)
			CHECK(out.ptr[at] == '\n' || (out.ptr[at] >= ' ' && out.ptr[at] <= '~'), "%zu: %zu", i, at);
		buf_fini(&out);
	}
}

static void svg_has_axes_and_escapes_names(void)
{
	static const char *const parts[] = {
		"<svg xmlns=\"http://www.w3.org/2000/svg\"", "<title>a &amp; b</title>", "prefers-color-scheme:dark", "tokens</text>", ">3 s</text>", ">40</text>",
		"class=\"a0\"", "class=\"l0\"", "class=\"l1\"", "&lt;b&gt;", "</svg>\n",
	};
	struct chart charts[2] = { area, lines };
	struct buf out = { 0 };

	charts[1].series[1].name = STR("<b>\x1b");
	chart_svg(charts, 2, STR("a & b"), &out);
	for (size_t i = 0; i < ARRAY_LEN(parts); i++)
		CHECK(strstr(buf_z(&out), parts[i]) != NULL, "%s: %s", parts[i], buf_z(&out));
	CHECK(!strstr(buf_z(&out), "<b>") && !strchr(buf_z(&out), 0x1b) && !strstr(buf_z(&out), "nan") && !strstr(buf_z(&out), "inf"), "%s", buf_z(&out));
	buf_fini(&out);
}

const struct suite suite_chart = { "chart", (const struct test[]){
	TEST(an_area_has_axes_with_units), TEST(two_series_are_told_apart_without_colour), TEST(a_logarithmic_axis_has_decades), TEST(bars_show_two_values),
	TEST(nothing_is_drawn_of_nothing), TEST(lines_keep_within_the_width), TEST(ascii_is_ascii), TEST(svg_has_axes_and_escapes_names), { 0 },
} };
