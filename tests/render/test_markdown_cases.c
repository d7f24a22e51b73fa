#include "render/markdown/markdown_math.h"
#include "render/flow.h"
#include "render/markdown_rows.h"
#include "support/check.h"

struct one {
	const char *text, *rows;
};

static void check_case(const struct one *one, unsigned width, bool whole)
{
	struct markdown *m = rows_new();
	struct buf rows;

	buf_init(&rows, 1 << 20);
	markdown_update(m, str_from(one->text));
	if (whole)
		markdown_finish(m);
	rows_of(m, width, false, &rows);
	CHECK(str_is(buf_str(&rows), one->rows), "\"%s\":\n%s-- not --\n%s", one->text, buf_z(&rows), one->rows);
	buf_fini(&rows);
	markdown_free(m);
}

static void check_cases(const struct one *cases, unsigned width, bool whole)
{
	for (; cases->text; cases++)
		check_case(cases, width, whole);
}

static void shows_inline_text(void)
{
	static const struct one cases[] = {
		{ "plain", "plain\n" },
		{ "a **b** *c* ***d*** e", "a <b:b> <i:c> <bi:d> e\n" },
		{ "snake_case_name 5 * 3 * 2", "snake_case_name 5 * 3 * 2\n" },
		{ "`a **b**` ``c ` d``", "<`:a **b**> <`:c ` d>\n" },
		{ "~~old~~ ~5", "<s:~~old~~> ~5\n" }, { "a ~~ b~~", "a ~~ b~~\n" }, { "a~~b~~c", "a<s:~~b~~>c\n" },
		{ "a*~ ~ b* **~c~**", "a*~ ~ b* <b:~c~>\n" },
		{ "\\*no\\* &amp; &#65;&unknown;", "*no* & A&unknown;\n" },
		{ "[text](https://e.org) <https://e.org>", "<@:text> <@:https://e.org>\n" },
		{ "https://e.org/a_b_c, www.e.org", "<@:https://e.org/a_b_c>, <@:www.e.org>\n" },
		{ "www.a.b/_c d_ and www.a.b/**c d** then *e*", "<@:www.a.b/_c> d_ and <@:www.a.b/**c> d** then <i:e>\n" },
		{ "[e.org](https://evil.org/e.org)", "<@:e.org> (https://evil.org/e.org)\n" },
		{ "[e.org](https://e.org:443/a)", "<@:e.org>\n" },
		{ "[e.org](https://e.org:x@evil.org/)", "<@:e.org> (https://e.org:x@evil.org/)\n" },
		{ "[e.org](https://e.org@evil.org/)", "<@:e.org> (https://e.org@evil.org/)\n" },
		{ "[a@e.org](mailto:a@e.org)", "<@:a@e.org>\n" },
		{ "[here](notes.md) ![pic](http://e.org/p.png)", "<@:here> (notes.md) <@:pic>\n" },
		{ "a<br>b <b>c</b>", "a\nb <b>c</b>\n" },
		{ "one\ntwo  \nthree\\\nfour", "one\ntwo\nthree\nfour\n" },
		{ "C #", "C #\n" },
		{ "costs $5 and $10, $x$y$", "costs $5 and $10, $x$y$\n" },
		{ "$x^2$ and \\(\\alpha\\) and \\[a\\]", "<$:x\xC2\xB2> and <$:\xCE\xB1> and <$:a>\n" },
		{ "$\\unknown{x}$", "<$:$\\unknown{x}$>\n" },
		{ "**\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x9A**\xE4\xB8\x96", "<b:\xE4\xBD\xA0\xE5\xA5\xBD\xEF\xBC\x9A>\xE4\xB8\x96\n" },
		{ "\xE4\xB8\x96**`x`**\xE4\xB8\x96", "\xE4\xB8\x96<`b:x>\xE4\xB8\x96\n" },
		{ "**never closed", "**never closed\n" },
		{ "*`**__*", "<i:`**__>\n" },
		{ "(**a *b!*!* c", "(*<i:a ><i:b!><i:!> c\n" },
		{ "one \\ \ntwo\\\\\nthree", "one \\\ntwo\\\nthree\n" },
		{ "\"http://localhost:80/a\", (https://e.org/a(b))", "\"<@:http://localhost:80/a>\", (<@:https://e.org/a(b)>)\n" },
		{ "https://e.org\uFF0C\u4E16 a_b@e.org.", "<@:https://e.org>\uFF0C\u4E16 <@:a_b@e.org>.\n" },
		{ "![![![![![a](b)](c)](d)](e)](f)", "<@:a> (b) (c) (d) (e) (f)\n" },
		{ "[[a](http://e.org)](http://f.org)", "[<@:a>](<@:http://f.org>)\n" },
		{ "<br>a", "\na\n" },
		{ "a[0] and [1]", "a[0] and [1]\n" },
		{ 0 },
	};

	check_cases(cases, 60, true);
}

static void shows_blocks(void)
{
	static const struct one cases[] = {
		{ "# One\n## Two #\ntext", "<#b:One>\n<#b:Two>\ntext\n" },
		{ "Title\n===\nmore\n---\n", "<#b:Title>\n<#b:more>\n" },
		{ "a\n\n\n\nb\n\n", "a\n\nb\n" },
		{ "- a\n  b\n- c\n  - d\n    - e\n", "\xE2\x80\xA2 a\n  b\n\xE2\x80\xA2 c\n  \xE2\x97\xA6 d\n    \xE2\x96\xAA e\n" },
		{ "1. a\n  - b\n10) c\n", "1. a\n   \xE2\x80\xA2 b\n10) c\n" },
		{ "- [ ] a\n- [x] b\n", "\xE2\x98\x90 a\n\xE2\x98\x91 b\n" },
		{ "> a\nb\n>\n> - c\n", "\xE2\x94\x82 a\n\xE2\x94\x82 b\n\xE2\x94\x82 \n\xE2\x94\x82 \xE2\x80\xA2 c\n" },
		{ "```py\n\tx\n\n y\n```\nafter", "<%:py>\n<`:  ><`:    x>\n<`:  >\n<`:  ><`: y>\n\nafter\n" },
		{ "text\n# One\n## Two\ntext\n***\n- a\n# Three", "text\n\n<#b:One>\n<#b:Two>\ntext\n\n\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500"
			"\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
			"\n\u2022 a\n\n<#b:Three>\n" },
		{ "```\nx\n```\n- ```\n  y\n  ```\n", "<`:  ><`:x>\n\n\u2022 <`:  ><`:y>\n" },
		{ "- a\n  ```\n  x\n   y\n  ```\n", "\xE2\x80\xA2 a\n  <`:  ><`:x>\n  <`:  ><`: y>\n" },
		{ "~~~\n```\n~~~\n", "<`:  ><`:```>\n" },
		{ "    not code", "not code\n" },
		{ "$$\nx^2\n$$\n", "<$:x\xC2\xB2>\n" },
		{ "$$x$$\n\\[ y\n\\]\n", "<$:x>\n\n<$:y>\n" },
		{ "$$\nnever closed\n\nafter", "<$:$$>\n<$:never closed>\n\nafter\n" },
		{ "<div>\n", "<div>\n" },
		{ "text\n2. no list\n", "text\n2. no list\n" },
		{ 0 },
	};

	check_cases(cases, 60, true);
}

static void shows_tables(void)
{
	static const struct one wide[] = {
		{ "| a | bb |\n|-|-:|\n| ccc | **d** |\n", "<b:a>   \xE2\x94\x82 <b:bb>\n\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\xE2\x94\xBC\xE2\x94\x80\xE2\x94\x80\xE2\x94\x80\n"
			"ccc \xE2\x94\x82  <b:d>\n" },
		{ 0 },
	};
	static const struct one narrow[] = {
		{ "|key|a long value|third|\n|-|-|-|\n|k|v|t|\n|l|w|u|\n", "<b:key>: k\n<b:a long value>:\nv\n<b:third>: t\n\n<b:key>: l\n<b:a long value>:\nw\n<b:third>: u\n" },
		{ 0 },
	};

	static const struct one words[] = { /* words stay whole as long as all columns have room for theirs */
		{ "|Algorithms|b|\n|-|-|\n|x|one two three four five six\n", "<b:Algorithms> \u2502 <b:b>\n"
			"\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
			"x          \u2502 one two\n           \u2502 three\n           \u2502 four five\n           \u2502 six\n" },
		{ 0 },
	};

	static const struct one dates[] = { /* figures are aligned to the right, dates are not */
		{ "|Due on a day|Until|Change|\n|-|-|-|\n|2026-11-28|28.1.2026|-5 %\n|2026-12|1/2/2026|1.234.567\n",
			"<b:Due on a day> \u2502 <b:Until>     \u2502    <b:Change>\n"
			"\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
			"2026-11-28   \u2502 28.1.2026 \u2502      -5 %\n2026-12      \u2502 1/2/2026  \u2502 1.234.567\n" },
		{ "|Due on a day|Size|\n|-|-|\n|28 Nov 2026|12 MiB|\n|1 Dec 2026|5 MiB|\n", "<b:Due on a day> \u2502   <b:Size>\n"
			"\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u253c\u2500\u2500\u2500\u2500\u2500\u2500\u2500\n"
			"28 Nov 2026  \u2502 12 MiB\n1 Dec 2026   \u2502  5 MiB\n" },
		{ 0 },
	};

	check_case(&wide[0], 60, true);
	check_cases(dates, 60, true);
	check_cases(words, 22, true);
	check_cases(narrow, 14, true);
}

/* Open constructs look as they will when closed; unsettled signs are not shown. */
static void styles_open_text(void)
{
	static const struct one cases[] = {
		{ "**bo", "<b:bo>\n" },
		{ "**bold*", "<b:bold>\n" },
		{ "**bold**", "<b:bold>\n" },
		{ "*it", "<i:it>\n" },
		{ "**a *b", "<b:a ><bi:b>\n" },
		{ "`co", "<`:co>\n" },
		{ "a `` `b", "a <`:`b>\n" },
		{ "see www.", "see\n" },
		{ "$a\\\nb", "$a\nb\n" },
		{ "*a \\*", "<i:a ><i:*>\n" },
		{ "~~ol", "<s:~~ol>\n" },
		{ "~~ol~~", "<s:~~ol>\n" },
		{ "~~ol~~ d", "<s:~~ol~~> d\n" },
		{ "2*3*4 x**2 + y**2 a*b", "2*3*4 x**2 + y**2 a*b\n" },
		{ "[a](http://e.org \"t", "<@:a>\n" },
		{ "<https://e", "<@:https://e>\n" },
		{ "see https://e.org.", "see <@:https://e.org>\n" },
		{ "so &am", "so\n" },
		{ "see [te", "see <@:te>\n" },
		{ "see [te]", "see <@:te>\n" },
		{ "see [te](http", "see <@:te>\n" },
		{ "see [te](http://e.org", "see <@:te>\n" },
		{ "a **", "a\n" },
		{ "5 * 3", "5 * 3\n" },
		{ "2*3", "2*3\n" },
		{ "- a\n-", "\xE2\x80\xA2 a\n" },
		{ "- a\n- ", "\xE2\x80\xA2 a\n" },
		{ "1. a\n2", "1. a\n" },
		{ "Some text:\n-", "Some text:\n" },
		{ "#", "" },
		{ "``", "" },
		{ "text[^", "text\n" },
		{ "text[^1", "text\n" },
		{ "text[^1]", "text<^:\u00B9>\n" },
		{ "[^1]:", "<^:\u00B9 >\n" },
		{ "text[^cr", "text<^:[^cr>\n" },
		{ "[a]: http://e.or", "[a]: <@:http://e.or>\n" },
		{ "```py", "<%:py>\n" },
		{ "```py\nx\n``", "<%:py>\n<`:  ><`:x>\n" },
		{ "- a\n- [x", "\xE2\x80\xA2 a\n" },
		{ "\\(x", "<$:x>\n" },
		{ "$x^2 + \\alp", "<$:x\xC2\xB2 +>\n" },
		{ "$$\nx\n$", "<$:x>\n" },
		{ "$5 and", "$5 and\n" },
		{ "$$\n\\frac{a}{b", "<$:a/b>\n" },
		{ "- a\n  ```\n  x\n  ", "\xE2\x80\xA2 a\n  <`:  ><`:x>\n" },
		{ 0 },
	};

	check_cases(cases, 60, false);
}

/* The widths of columns, from the line below the head, which has one row. */
static size_t widths_of(const struct markdown_layout *layout, unsigned *widths, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < layout->rows[1].count; i++) {
		struct str rest = layout->rows[1].spans[i].text, dashes;

		while (rest.len && count < most) {
			size_t cross = str_find(rest, STR("\u253C"));

			dashes = str_head(rest, cross);
			widths[count++] = flow_columns(dashes, 1000);
			rest = str_skip(rest, cross + strlen("\u253C"));
		}
	}
	return count;
}

/* A column of a table that arrives byte by byte is never narrower than before, at its end either, and rows are never fewer. */
static void check_table_grows(const char *text, size_t head, size_t end)
{
	struct markdown *m = markdown_new();
	unsigned widths[8] = { 0 };
	size_t rows = 0;

	markdown_set_options(m, &(struct markdown_options){ .scroll_tables = true });
	for (size_t length = head; text[length - 1]; length++) {
		markdown_update(m, str_of(text, length));
		const struct markdown_layout *layout = markdown_lay_out(m, 0, 76);
		unsigned now[8] = { 0 };

		CHECK(widths_of(layout, now, 8) == 4 && !layout->beyond, "%zu", length);
		for (size_t i = 0; i < 4; i++)
			CHECK(now[i] >= widths[i], "%zu: column %zu has %u after %u", length, i, now[i], widths[i]);
		CHECK(layout->count >= rows || length > end, "%zu: %zu rows after %zu", length, layout->count, rows);
		memcpy(widths, now, sizeof now);
		rows = layout->count;
	}
	markdown_free(m);
}

static void tables_only_grow(void)
{
	static const char *const tables[][2] = {
		{ "| Model | What it is for | In | Notes |\n|---|---|---|---|\n",
		  "| tiny | short answers, and titles of conversations that one wants at once | 0.10 | cheap |\n"
		  "| a-much-longer-name | everything that needs thought, tools, pictures and patience | 12.50 | slow, dear, and now and then wrong |\n"
		  "| mid | the rest | 1.25 | - |\n" },
		{ "| Who | How long it takes until the first token is there | In | Out |\n|---|---|---|---|\n",
		  "| a | 1 | 2 | 3 |\n| a longer name | 10 | 20 | 30 |\n" },
		{ "| A | B | C | D |\n|---|---|---|---|\n",
		  "| one two three four five six seven eight nine ten | one two three four five six seven eight nine ten | c | d |\n| a | b | 1234 | d |\n" },
	};

	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		struct buf text = { 0 };

		buf_printf(&text, "%s%s\nEnd.\n", tables[i][0], tables[i][1]);
		check_table_grows(buf_z(&text), strlen(tables[i][0]), strlen(tables[i][0]) + strlen(tables[i][1]));
		buf_fini(&text);
	}
}

/* While somebody reads above, the end of a table moves nothing; else its columns take the room that was kept for others. */
static void a_whole_table_keeps_its_widths_for_a_reader(void)
{
	static const char table[] = "| A | B | C | D |\n|---|---|---|---|\n"
		"| one two three four five six seven eight nine ten | one two three four five six seven eight nine ten | c | d |\n| a | b | 1234 | d |\n\nEnd.\n";
	size_t end = strlen(table) - strlen("\nEnd.\n");

	for (unsigned holds = 0; holds < 2; holds++) {
		struct markdown *m = markdown_new();
		unsigned before[8], after[8], wider[8];

		markdown_set_options(m, &(struct markdown_options){ .scroll_tables = true });
		markdown_hold_tables(m, holds);
		for (size_t length = 60; length <= end; length++) {
			markdown_update(m, str_of(table, length));
			(void)markdown_lay_out(m, 0, 76);
		}
		(void)widths_of(markdown_lay_out(m, 0, 76), before, 8);
		markdown_update(m, str_from(table));
		(void)widths_of(markdown_lay_out(m, 0, 76), after, 8);
		CHECK((memcmp(before, after, 4 * sizeof *after) == 0) == (holds == 1), "%u %u, then %u %u", before[0], before[1], after[0], after[1]);
		(void)widths_of(markdown_lay_out(m, 0, 77), wider, 8);
		CHECK(wider[0] + wider[1] > before[0] + before[1], "another width is laid out anew: %u %u", wider[0], wider[1]);
		markdown_free(m);
	}
}

/* An address is in one piece where the words of the others leave the room for it: in a table that scrolls, none gives up what it had for that. */
static void an_address_is_kept_whole_where_there_is_room(void)
{
	static const char table[] = "| Name | E-mail |\n|---|---|\n"
		"| Alexandra, who is the head of everything that there is | alexandra.featherstone@infrastructure.example.org |\n\nEnd.\n";
	static const struct { bool scrolls; unsigned room; bool whole; } cases[] = {
		{ false, 76, true }, { false, 60, false }, { true, 106, true }, { true, 76, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct markdown *m = markdown_new();
		unsigned widths[8];

		markdown_set_options(m, &(struct markdown_options){ .scroll_tables = cases[i].scrolls });
		markdown_update(m, str_from(table));
		CU_ASSERT_EQUAL(widths_of(markdown_lay_out(m, 0, cases[i].room), widths, 8), 2);
		CHECK((widths[1] == 50) == cases[i].whole, "%zu: %u", i, widths[1]); /* 49, and the blank beside the bar */
		markdown_free(m);
	}
}

/* A table too narrow for columns: each row of a record has the source offset of its cell. */
static void cells_of_records_have_their_source(void)
{
	static const size_t wanted[] = { 27, 28, 40, 40, 53, 53, 54, 61, 61 };
	struct markdown *m = rows_new();
	const struct markdown_layout *layout;

	markdown_update(m, STR("|abcdefgh|ijklmnop| \n|- |-\n|qrstuv wxyz|nnnnn 12345|\n|xxxxxx|yyyyyyyyyyyyy|\n"));
	layout = markdown_lay_out(m, 0, 13);
	CU_ASSERT_EQUAL_FATAL(layout->count, sizeof wanted / sizeof *wanted);
	for (size_t row = 0; row < layout->count; row++)
		CHECK(layout->rows[row].source == wanted[row], "row %zu is of byte %zu, not %zu", row, layout->rows[row].source, wanted[row]);
	CU_ASSERT_EQUAL(markdown_row_of(m, 0, 13, 45), 3);
	markdown_free(m);
}

/* The layout of a grown text resumes at one of its rows, but never at one that parses differently by itself. */
static void resumes_only_where_safe(void)
{
	static const struct {
		const char *text;
		unsigned width;
		const char *rows;
	} cases[] = {
		{ "\xEF\xBF\xBD\r*| \x14", 2, "\xEF\xBF\xBD\xE2\x90\x8D/*|/\x14/" }, /* a lone CR is shown: `*` does not open after it */
		{ "ab &unknown; cd", 4, "ab/&unk/nown/; cd/" },                           /* the entity has one source offset */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct markdown *m = rows_new();
		struct buf rows;

		buf_init(&rows, 1 << 10);
		for (unsigned time = 0; time < 3; time++) {
			const struct markdown_layout *layout;

			if (time < 2)
				markdown_update(m, str_from(cases[i].text));
			else
				markdown_finish(m);
			layout = markdown_lay_out(m, 0, cases[i].width);
			buf_clear(&rows);
			for (size_t row = 0; row < layout->count; row++) {
				for (size_t j = 0; j < layout->rows[row].count; j++)
					buf_add(&rows, layout->rows[row].spans[j].text);
				buf_add_byte(&rows, '/');
			}
			CHECK_STR(buf_str(&rows), cases[i].rows);
		}
		buf_fini(&rows);
		markdown_free(m);
	}
}

static void shows_code_clipped(void)
{
	static const struct markdown_options options[] = { { .clip_code = true }, { .clip_code = true, .sideways = 4 }, { .raw = true } };
	static const char *const wanted[] = { "  abcdefg\xE2\x80\xBA\n  ab\n", ("  \xE2\x80\xB9" "fghij\n  \xE2\x80\xB9\n"), "```\nabcdefghij\nab\n```\n" };

	for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
		struct markdown *m = rows_new();
		struct buf rows;

		buf_init(&rows, 1 << 16);
		markdown_set_options(m, &options[i]);
		markdown_update(m, STR("```\nabcdefghij\nab\n```\n"));
		for (size_t block = 0; block < markdown_count(m); block++) {
			const struct markdown_layout *layout = markdown_lay_out(m, block, 10);

			for (size_t row = 0; row < layout->count; row++) {
				for (size_t j = 0; j < layout->rows[row].count; j++)
					buf_add(&rows, layout->rows[row].spans[j].text);
				buf_add_byte(&rows, '\n');
			}
		}
		CHECK_STR(buf_str(&rows), wanted[i]);
		buf_fini(&rows);
		markdown_free(m);
	}
}

struct banded { const char *text, *rows; uint32_t lines; unsigned code_at; };

/* "|" before a row on the band, which holds nothing but the code. */
static void check_band(const struct banded *wanted, unsigned width)
{
	struct markdown *m = rows_new();
	const struct markdown_layout *layout = NULL;
	struct buf rows;

	buf_init(&rows, 1 << 16);
	markdown_set_options(m, &(struct markdown_options){ .code_band = true, .strikes = true });
	for (size_t cut = 1; cut <= strlen(wanted->text); cut++) {
		markdown_update(m, str_of(wanted->text, cut));
		for (size_t block = 0; block < markdown_count(m); block++)
			layout = markdown_lay_out(m, block, width);
	}
	for (size_t block = 0; block < markdown_count(m); block++) {
		layout = markdown_lay_out(m, block, width);
		for (size_t row = 0; row < layout->count; row++) {
			buf_add_z(&rows, layout->rows[row].band ? "|" : "");
			for (size_t j = 0; j < layout->rows[row].count; j++)
				buf_add(&rows, layout->rows[row].spans[j].text);
			buf_add_byte(&rows, '\n');
		}
		if (markdown_block_at(m, block)->kind == MARKDOWN_CODE) {
			CU_ASSERT_EQUAL(layout->lines, wanted->lines);
			CU_ASSERT_EQUAL(layout->code_at, wanted->code_at);
		}
	}
	CHECK_STR(buf_str(&rows), wanted->rows);
	buf_fini(&rows);
	markdown_free(m);
}

static void puts_code_on_a_band(void)
{
	static const struct banded cases[] = {
		{ "a\n```c\nint a;\n\n  b\n```\nz", "a\n\n|int a;\n|\n|  b\n\nz\n", 0, 0 },
		{ "```c", "|\n", 0, 0 },
		{ "```c\n```\n", "|\n", 0, 0 },
		{ "```\n0123456789ab cd\n```\n", "|0123456789\n|  ab cd\n", 0, 0 },
		{ "- x\n\n  ```\n  ab\n  ```\n", "\u2022 x\n  \n|  ab\n", 0, 2 },
		{ "```\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n```\n", "|1\n|2\n|3\n|4\n|5\n|6\n|7\n|8\n|9\n|10\n", 10, 0 },
		{ "~~gone~~ here", "gone here\n", 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_band(&cases[i], 12);
}

/* An empty block of code without a label has no row, and the blank rows around it are one. */
static void shows_no_row_of_empty_code(void)
{
	static const struct banded cases[] = {
		{ "a\n\n```", "a\n", 0, 0 },
		{ "a\n```", "a\n", 0, 0 },
		{ "a\n\n```\n```\n\n", "a\n", 0, 0 },
		{ "a\n\n```\n```\n\nb", "a\n\nb\n", 0, 0 },
		{ "a\n\n```\n```\nb", "a\n\nb\n", 0, 0 },
		{ "a\n```\n```\nb", "a\n\nb\n", 0, 0 },
		{ "```\n```\n\nb", "b\n", 0, 0 },
		{ "a\n\n```\n\n```\nb", "a\n\n|\n\nb\n", 0, 0 },
		{ "a\n\n```\nb", "a\n\n|b\n", 0, 0 },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_band(&cases[i], 12);
}

/* Also after an empty line, tabs and quote markers. */
static void finds_offsets_in_clipped_code(void)
{
	static const char text[] = "> ```\n> \tab cd\n>\n> xyz\n> ```\n";

	static const struct { const char *at; unsigned column; } places[] = { { "ab", 4 }, { "cd", 7 }, { "xyz", 0 }, { "yz", 1 } };
	struct markdown *m = rows_new();
	const struct markdown_layout *layout;

	markdown_set_options(m, &(struct markdown_options){ .clip_code = true, .sideways = 2 });
	markdown_update(m, str_from(text));
	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		size_t offset = (size_t)(strstr(text, places[i].at) - text);

		CHECK(markdown_code_column(m, 0, offset) == places[i].column, "%s: %u", places[i].at, markdown_code_column(m, 0, offset));
		CHECK(markdown_row_of(m, 0, 40, offset) == (places[i].at[0] < 'x' ? 0 : 2), "%s", places[i].at);
	}
	layout = markdown_lay_out(m, 0, 40);
	for (size_t row = 0; row < layout->count; row++)
		CHECK(layout->rows[row].source <= layout->rows[row].shown && (!row || layout->rows[row - 1].source < layout->rows[row].source), "row %zu", row);
	CU_ASSERT_EQUAL(layout->rows[2].shown, layout->rows[2].source + 3); /* the sign at the edge hides one more */
	markdown_free(m);
}

/* A reference takes the same cells before and after its definition arrives. */
static void shows_references(void)
{
	static const struct one cases[] = {
		{ "[one][a] [a] [a][] [A ][]\n\n[a]: http://e.org 'T'", "[<@:one>][a] [<@:a>] [<@:a>][] [<@:A >][]\n\n[a]: <@:http://e.org> 'T'\n" },
		{ "[**one** two][a b]\n\n[A  B]: <x y>\n", "[<@b:one><@: two>][a b]\n\n[A  B]: <<@:x y>>\n" },
		{ "[x] a[0] [y][z] [x]: b\n", "[x] a[0] [y][z] [x]: b\n" },
		{ "[e.org][a]\n\n[a]: http://evil.org\n", "[e.org][a]\n\n[a]: <@:http://evil.org>\n" },
		{ "[a]: http://e.org\n[a]: http://f.org\n\n[b]: c\n", "[a]: <@:http://e.org>\n[a]: <@:http://f.org>\n\n[b]: c\n" },
		{ "[a](b c) [a]*x*\n\n[a]: http://e.org\n", "[<@:a>](b c) [<@:a>]<i:x>\n\n[a]: <@:http://e.org>\n" },
		{ "`[a]` [a](b)\n\n[a]: http://e.org\n", "<`:[a]> <@:a> (b)\n\n[a]: <@:http://e.org>\n" },
		{ "text[^1], [^a-b]\n\n[^1]: one\n    more\n[^a-b]: two\nafter", "text<^:\u00B9>, <^:[^a-b]>\n\n<^:\u00B9 >one\n  more\n"
			"<^:[^a-b]: >two\n        after\n" },
		{ "[^12]:\n\n    late\n\nout", "<^:\u00B9\u00B2 >\n   \n   late\n   \nout\n" },
		{ 0 },
	};

	check_cases(cases, 60, true);
}

/* The label shows the number of lines of a long block once it is closed, however it was laid out before. */
static void labels_code(void)
{
	struct markdown *m = rows_new();
	struct buf text, rows;

	buf_init(&text, 1 << 20);
	buf_init(&rows, 1 << 20);
	buf_add_z(&text, "```py\n");
	for (unsigned line = 0; line < 3 * MARKDOWN_CHUNK_LINES; line++) {
		buf_add_z(&text, "x\n");
		markdown_update(m, buf_str(&text));
		rows_of(m, 60, false, &rows);
		CHECK(str_starts(buf_str(&rows), "<%:py>\n"), "%u lines: %.40s", line, buf_z(&rows));
	}
	buf_add_z(&text, "```\n");
	markdown_update(m, buf_str(&text));
	rows_of(m, 60, false, &rows);
	CHECK(str_starts(buf_str(&rows), "<%:py \u00B7 384 lines>\n"), "%.40s", buf_z(&rows));
	buf_add_z(&text, "\nmore\n");
	markdown_update(m, buf_str(&text));
	rows_of(m, 10, false, &rows);
	CHECK(str_starts(buf_str(&rows), "<%:py>\n"), "a label takes one row: %.40s", buf_z(&rows));
	markdown_free(m);
	buf_fini(&text);
	buf_fini(&rows);
}

/* Rows that continue the line above are marked beside the code. */
static void marks_wrapped_code(void)
{
	static const struct one cases[] = {
		{ "```\nint a = 1; int b = 2;\nc\n```\n", "<`:  ><`:int a = 1; int b>\n<%:\u21B3 ><`:= 2;>\n<`:  ><`:c>\n" },
		{ "- ```\n  int a = 1; int b = 2;\n  ```\n", "\u2022 <`:  ><`:int a = 1; int>\n  <%:\u21B3 ><`:b = 2;>\n" },
		{ 0 },
	};

	check_cases(cases, 18, true);
}

static void reads_math(void)
{
	static const struct one cases[] = {
		{ "\\alpha + \\beta_i^2", "\xCE\xB1 + \xCE\xB2\xE1\xB5\xA2\xC2\xB2" },
		{ "\\frac{a+b}{2}", "(a+b)/2" },
		{ "\\sqrt{x} \\sqrt[3]{x+1}", "\xE2\x88\x9Ax \xC2\xB3\xE2\x88\x9A(x+1)" },
		{ "\\mathbb{R}^n \\text{ if } x \\leq 1", "\xE2\x84\x9D\xE2\x81\xBF  if x \xE2\x89\xA4 1" },
		{ "x^{a,b}", "x^(a,b)" },
		{ "\\left( x \\right.", "( x " },
		{ "\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}", "( 1 2 )\n( 3 4 )" },
		{ "a - b'", "a \xE2\x88\x92 b\xE2\x80\xB2" },
		{ 0 },
	};
	static const char *const unknown[] = { "\\foo", "{", "}", "\\frac{a}", "x^", "\\begin{foo}x\\end{foo}", "\\mathbb{a}", "\\", "_", "" };
	struct buf out;

	buf_init(&out, 1 << 16);
	for (const struct one *one = cases; one->text; one++) {
		buf_clear(&out);
		CHECK(math_to_text(str_from(one->text), false, &out) && str_is(buf_str(&out), one->rows), "%s: %s", one->text, buf_z(&out));
	}
	for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
		CHECK(!math_to_text(str_from(unknown[i]), false, &out), "%s", unknown[i]);
	for (int i = 0; i <= MATH_BLACKBOARD; i++)
		CU_ASSERT_PTR_NULL(math_letter((enum math_alphabet)i, 0x4E00));
	buf_fini(&out);
}

/* Blocks are bounded in size, whatever the text consists of. */
static void bounds_blocks(void)
{
	static const char *const fills[] = { "a", "**a ", "[a ", "> ", "- ", "|a", "a\n", "|a|b|\n|-|-|\n", "```c\nx\n", "`", "$$\nx\n", "# a\n", "\xCC\x81", "\xE4\xB8\xAD" };

	for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
		struct markdown *m = rows_new();
		struct buf text;

		buf_init(&text, 1 << 20);
		while (text.len < 200000)
			buf_add_z(&text, fills[i]);
		markdown_update(m, buf_str(&text));
		for (size_t block = 0; block < markdown_count(m); block++) {
			const struct markdown_block *at = markdown_block_at(m, block);

			CHECK(at->end - at->start <= 32768, "\"%s\": block %zu has %zu bytes", fills[i], block, at->end - at->start);
		}
		markdown_free(m);
		buf_fini(&text);
	}
}

const struct suite suite_markdown_cases = { "markdown_cases", (const struct test[]){
	TEST(shows_inline_text), TEST(shows_blocks), TEST(shows_tables), TEST(styles_open_text), TEST(shows_code_clipped), TEST(puts_code_on_a_band), TEST(shows_no_row_of_empty_code), TEST(finds_offsets_in_clipped_code),
	TEST(tables_only_grow), TEST(an_address_is_kept_whole_where_there_is_room), TEST(a_whole_table_keeps_its_widths_for_a_reader), TEST(cells_of_records_have_their_source), TEST(resumes_only_where_safe), TEST(shows_references), TEST(labels_code), TEST(marks_wrapped_code),
	 TEST(reads_math),
	TEST(bounds_blocks), { 0 } } };
