#include "render/markdown/markdown.h"

#include <string.h>

#include "render/flow.h"
#include "render/markdown_rows.h"
#include "support/check.h"

#define ROOM ((size_t)64 << 20)

/* The rows of a text that is set at once. */
static void lay_at_once(struct str text, unsigned width, bool whole, struct buf *rows)
{
	struct markdown *m = rows_new();

	markdown_update(m, text);
	if (whole)
		markdown_finish(m);
	rows_of(m, width, true, rows);
	markdown_free(m);
}

static void check_equal(const struct buf *grown, const struct buf *once, unsigned seed, struct str text)
{
	size_t at = 0;

	if (str_equal(buf_str(grown), buf_str(once)))
		return;
	while (at < grown->len && at < once->len && grown->ptr[at] == once->ptr[at])
		at++;
	CHECK(false, "seed %u: at byte %zu of the rows of \"%.*s\":\n%.200s\n-- not --\n%.200s", seed, at, STR_ARG(text),
		buf_z(grown) + (at < grown->len ? at : grown->len), buf_z(once) + (at < once->len ? at : once->len));
}

/* However the text arrives, and whatever is laid out in between, its rows are those of the whole text. */
static void check_growing(struct str text, unsigned seed, unsigned most)
{
	unsigned state = seed * 7919 + 1, width = 2 + check_random(&state) % 70;
	struct markdown *m = rows_new();
	struct buf copy, rows, once;

	buf_init(&copy, ROOM);
	buf_init(&rows, ROOM);
	buf_init(&once, ROOM);
	for (size_t at = 0; at < text.len;) {
		at += 1 + check_random(&state) % most;
		if (at > text.len)
			at = text.len;
		/* At another address each time: only the borrowed text may be referenced. */
		buf_fini(&copy);
		buf_add(&copy, str_head(text, at));
		markdown_update(m, buf_str(&copy));
		if (check_random(&state) % 2)
			rows_of(m, check_random(&state) % 4 ? width : width + 5, true, &rows);
	}
	rows_of(m, width, true, &rows);
	lay_at_once(text, width, false, &once);
	check_equal(&rows, &once, seed, text);
	markdown_finish(m);
	rows_of(m, width, true, &rows);
	lay_at_once(text, width, true, &once);
	check_equal(&rows, &once, seed, text);
	markdown_free(m);
	buf_fini(&copy);
	buf_fini(&rows);
	buf_fini(&once);
}

static void grows_as_laid_out_at_once(void)
{
	struct buf text;

	buf_init(&text, ROOM);
	for (unsigned seed = 1; seed <= 400; seed++) {
		rows_document(seed, 60, &text);
		check_growing(buf_str(&text), seed, 12);
	}
	for (unsigned seed = 1; seed <= 12; seed++) {
		rows_document(seed, 2500, &text);
		check_growing(buf_str(&text), seed, 700);
	}
	buf_fini(&text);
}

/* Long paragraphs, whose layout resumes at a row without open constructs: signs that close late, or never, or were misread. */
static void grows_paragraphs(void)
{
	static const char *const words[] = {
		"word ", "two ", "**bold** ", "*it* ", "`code x` ", "_under_ ", "some thing ", "(see) ", "a_b ", "**bo ld ", "** ", "* ", "` ", "\n", "x",
		"[l](u) ", "**\n", "$5 ", "&amp; ", "http://a.b/c ", "www.x.org ", "\xE4\xB8\xAD** ", "**\xE4\xB8\xAD", "\n- ", "\n> ", "\n\n", "== ",
		"3 * 4 ", "``a`b`` ", "***x*** ", "~~y~~ ", "\t", "  ", "\xCC\x81", "longlonglonglonglonglonglong ", "\\* ", "<br>", "![",
	};
	struct buf text;

	buf_init(&text, ROOM);
	for (unsigned seed = 1; seed <= 600; seed++) {
		unsigned state = seed, some = 4 + check_random(&state) % (sizeof words / sizeof *words - 3);

		buf_clear(&text);
		for (unsigned i = 0; i < 40; i++)
			buf_add_z(&text, words[check_random(&state) % some]);
		check_growing(buf_str(&text), seed, 1 + seed % 20);
	}
	buf_fini(&text);
}

/* A line taken for the end of a paragraph, code over several rows, an entity that grows at the end of a row. */
static void resumes_paragraphs(void)
{
	static const char *const texts[] = {
		"**bo ld **bold** and **bold** two **\n(see) ** \n** *it*",
		"``- [ ] ---\n*/   ```\n\"string_ 2) x\nx *``.in",
		"xa_b == == # &amp; == xword x",
	};

	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		for (unsigned seed = 1; seed <= 200; seed++)
			check_growing(str_from(texts[i]), seed, 1 + seed % 3);
}

/* Rows that end in a construct which the next byte completes, and columns that grow. */
static void grows_tables(void)
{
	for (unsigned seed = 1; seed <= 100; seed++) {
		static const char *const cells[] = { "a", "**b", "c*", "a longer one", "`d", "[e](http://e.org)", "$f", "\\|", "", "<br>", "\xE4\xB8\xAD" };
		unsigned state = seed;
		struct buf text;

		buf_init(&text, ROOM);
		buf_add(&text, STR("|a|b|c|\n|-|:-:|-:|\n"));
		for (unsigned i = 0; i < 150; i++) {
			buf_printf(&text, "|%s", cells[check_random(&state) % (sizeof cells / sizeof *cells)]);
			if (check_random(&state) % 3 == 0)
				buf_add_z(&text, check_random(&state) % 2 ? "|\n" : "\n");
		}
		check_growing(buf_str(&text), seed, 1 + seed % 40);
		buf_fini(&text);
	}
}

static void shows_the_same_after_another_width(void)
{
	struct buf text, before, between, after;

	buf_init(&text, ROOM);
	buf_init(&before, ROOM);
	buf_init(&between, ROOM);
	buf_init(&after, ROOM);
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct markdown *m = rows_new();
		size_t counted = 0, laid = 0;

		rows_document(seed, 100, &text);
		markdown_update(m, buf_str(&text));
		rows_of(m, 40, true, &before);
		rows_of(m, 7 + seed % 60, true, &between);
		for (size_t i = 0; i < markdown_count(m); i++)
			counted += markdown_rows(m, i, 40);
		rows_of(m, 40, true, &after);
		for (size_t i = 0; i < markdown_count(m); i++)
			laid += markdown_lay_out(m, i, 40)->count;
		check_equal(&after, &before, seed, buf_str(&text));
		CHECK(counted == laid, "seed %u: %zu rows, not %zu", seed, counted, laid);
		markdown_free(m);
	}
	buf_fini(&text);
	buf_fini(&before);
	buf_fini(&between);
	buf_fini(&after);
}

static unsigned columns_of(const struct markdown_row *row)
{
	unsigned columns = 0;

	for (size_t i = 0; i < row->count; i++)
		columns += flow_columns(row->spans[i].text, 100000);
	return columns;
}

static void check_fits(unsigned seed, const struct markdown_options *options)
{
	struct markdown *m = rows_new();
	unsigned state = seed;
	struct buf text;

	buf_init(&text, ROOM);
	rows_document(seed, 150, &text);
	markdown_set_options(m, options);
	markdown_update(m, buf_str(&text));
	for (unsigned i = 0; i < 4; i++) {
		unsigned width = 2 + check_random(&state) % 50;

		for (size_t block = 0; block < markdown_count(m); block++) {
			const struct markdown_layout *layout = markdown_lay_out(m, block, width);

			for (size_t row = 0; row < layout->count; row++) {
				CHECK(columns_of(&layout->rows[row]) <= width, "seed %u, block %zu (kind %d), row %zu: %u columns in %u", seed, block,
					markdown_block_at(m, block)->kind, row, columns_of(&layout->rows[row]), width);
				CHECK(!row || layout->rows[row].source >= layout->rows[row - 1].source, "seed %u, block %zu, row %zu: out of order", seed, block, row);
			}
		}
	}
	markdown_free(m);
	buf_fini(&text);
}

static void fits_its_width(void)
{
	static const struct markdown_options options[] = { { 0 }, { .clip_code = true }, { .clip_code = true, .scroll_tables = true, .sideways = 3 }, { .raw = true },
	                                                   { .code_band = true, .strikes = true }, { .code_band = true, .clip_code = true } };

	for (unsigned seed = 1; seed <= 200; seed++)
		for (size_t i = 0; i < sizeof options / sizeof *options; i++)
			check_fits(seed, &options[i]);
}

/* A cell on the screen stays one cell where its style changes: tags, invisible spaces, marks. */
static void no_style_splits_a_cell(void)
{
	static const char *const texts[] = {
		"\U000E0034**\U000E0001b** c",
		"a\u200B\u200B\u200B\u200B**\u200B\u200B\u200B\u200Bb** c",
		"e**\u0301b** c",
		"\u4E2D\u6587\u4E2D\u6587\U000E0034`\U000E0034\u4E2D` c",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		for (unsigned width = 2; width <= 12; width++) {
			struct markdown *m = rows_new();
			const struct markdown_layout *layout;

			markdown_update(m, str_from(texts[i]));
			markdown_finish(m);
			layout = markdown_lay_out(m, 0, width);
			for (size_t row = 0; row < layout->count; row++)
				CHECK(columns_of(&layout->rows[row]) <= width, "text %zu, row %zu: %u columns in %u", i, row, columns_of(&layout->rows[row]), width);
			markdown_free(m);
		}
}

/* A unique word: `w`, letters for a number, `w`. */
static void add_word(struct buf *text, unsigned number)
{
	buf_printf(text, "w%c%c%cw", 'a' + number % 26, 'a' + number / 26 % 26, 'a' + number / 676 % 26);
}

/* All words are shown, in order. */
static void shows_every_word(void)
{
	for (unsigned seed = 1; seed <= 300; seed++) {
		static const char *const between[] = { " ", "\n", "\n\n", " **", "** ", "\n- ", "\n  - ", "\n> ", "\n\n1. ", " `", "` ", "\n# ", " | ", "\n| ",
			"\n\n|a|b|\n|-|-|\n| ", "\n```\n", "\n```\n", "\n\n", " *", "* ", "\n---\n", "\n\n    ", " ~~", "~~ ", " [", "] ", " $", "$ ", "_", "__" };
		unsigned state = seed, width = 70 + check_random(&state) % 60; /* a wrapped word would not be found */
		struct markdown *m = rows_new();
		struct buf text, shown;

		buf_init(&text, ROOM);
		buf_init(&shown, ROOM);
		for (unsigned word = 0; word < 60; word++) {
			add_word(&text, word);
			buf_add_z(&text, between[check_random(&state) % (sizeof between / sizeof *between)]);
		}
		markdown_update(m, buf_str(&text));
		markdown_finish(m);
		for (size_t block = 0; block < markdown_count(m); block++) {
			const struct markdown_layout *layout = markdown_lay_out(m, block, width);

			for (size_t row = 0; row < layout->count; row++)
				for (size_t i = 0; i < layout->rows[row].count; i++)
					buf_add(&shown, layout->rows[row].spans[i].text);
		}
		for (unsigned word = 0; word < 60; word++) {
			struct buf wanted;
			size_t found;

			buf_init(&wanted, 64);
			add_word(&wanted, word);
			found = str_find(buf_str(&shown), buf_str(&wanted));
			CHECK(found < shown.len, "seed %u, width %u: %s is lost of \"%s\"", seed, width, buf_z(&wanted), buf_z(&text));
			buf_fini(&wanted);
		}
		markdown_free(m);
		buf_fini(&text);
		buf_fini(&shown);
	}
}

/* Blocks are adjacent, and every byte is in one. */
static void covers_the_text(void)
{
	for (unsigned seed = 1; seed <= 200; seed++) {
		struct markdown *m = rows_new();
		struct buf text;
		size_t at = 0;

		buf_init(&text, ROOM);
		rows_document(seed, 120, &text);
		markdown_update(m, buf_str(&text));
		markdown_finish(m);
		for (size_t i = 0; i < markdown_count(m); i++) {
			const struct markdown_block *block = markdown_block_at(m, i);

			CHECK(block->start == at && block->end > at, "seed %u: block %zu is %zu to %zu, not from %zu", seed, i, block->start, block->end, at);
			CHECK(markdown_block_of(m, block->start) == i, "seed %u: block %zu", seed, i);
			at = block->end;
		}
		CHECK(at == text.len, "seed %u: blocks end at %zu of %zu", seed, at, text.len);
		markdown_free(m);
		buf_fini(&text);
	}
}

/* A row is found by its first byte. */
static void finds_rows(void)
{
	for (unsigned seed = 1; seed <= 100; seed++) {
		struct markdown *m = rows_new();
		struct buf text;

		buf_init(&text, ROOM);
		rows_document(seed, 120, &text);
		markdown_update(m, buf_str(&text));
		for (size_t block = 0; block < markdown_count(m); block++) {
			const struct markdown_layout *layout = markdown_lay_out(m, block, 30);

			for (size_t row = 0; row < layout->count; row++) {
				size_t source = layout->rows[row].source, found = markdown_row_of(m, block, 30, source);

				CHECK(row == 0 || source >= layout->rows[row - 1].source, "seed %u: block %zu, row %zu goes back", seed, block, row);
				CHECK(layout->rows[found].source == source, "seed %u: block %zu, row %zu", seed, block, row);
			}
		}
		markdown_free(m);
		buf_fini(&text);
	}
}

static void check_code(struct str text, size_t offset, struct str expected, const char *what)
{
	struct markdown *m = markdown_new();
	struct buf code;

	buf_init(&code, ROOM);
	markdown_update(m, text);
	markdown_finish(m);
	markdown_code(m, markdown_block_of(m, offset), &code);
	CHECK(str_equal(buf_str(&code), expected), "%s: \"%.300s\", not \"%.300s\"", what, buf_z(&code), expected.ptr);
	buf_fini(&code);
	markdown_free(m);
}

/* All of a table, which is laid out in chunks, and nothing of what is around it. */
static void copies_tables_as_written(void)
{
	struct markdown *m = markdown_new();
	struct buf table = { 0 }, text = { 0 }, copy = { 0 };

	buf_add_z(&table, "| a | b |\n|---|--:|\n");
	for (unsigned i = 0; i < 3000; i++)
		buf_printf(&table, "| row %u | %u |\n", i, i);
	buf_printf(&text, "before\n\n%s\nbehind\n\n- x\n  | c |\n  |---|\n  | d |\n", buf_z(&table));
	markdown_update(m, buf_str(&text));
	markdown_finish(m);
	for (size_t block = 0; block < markdown_count(m); block++) {
		bool listed = markdown_block_at(m, block)->start > table.len + 10;

		buf_clear(&copy);
		markdown_table(m, block, &copy);
		if (markdown_block_at(m, block)->kind != MARKDOWN_TABLE)
			CHECK(!copy.len, "block %zu is no table: %.80s", block, buf_z(&copy));
		else
			CHECK(str_equal(buf_str(&copy), listed ? STR("| c |\n|---|\n| d |\n") : buf_str(&table)), "block %zu: %.80s", block,
			      buf_z(&copy));
	}
	buf_fini(&table);
	buf_fini(&text);
	buf_fini(&copy);
	markdown_free(m);
}

static void copies_code_as_written(void)
{
	static const struct { const char *text; size_t offset; const char *code; } cases[] = {
		{ "text\n\n```c\nint a;\n\n\treturn;\n```\nmore", 12, "int a;\n\n\treturn;\n" },
		{ "text\n\n```c\nint a;\n```\nmore", 0, "" },
		{ "> ```\n> a\n>  b\n> ```\n", 8, "a\n b\n" },
		{ "1. x\n   ~~~\n   a\n     b\n   ~~~\n", 14, "a\n  b\n" },
		{ "```\nopen\nend", 5, "open\nend\n" },
	};
	struct buf text, code;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check_code(str_from(cases[i].text), cases[i].offset, str_from(cases[i].code), cases[i].text);
	buf_init(&text, ROOM);
	buf_init(&code, ROOM);
	for (unsigned i = 0; i < 5 * MARKDOWN_CHUNK_LINES; i++) /* several chunks, and a split line with blanks at the splits */
		buf_printf(&code, "line %u\n", i);
	for (unsigned i = 0; i < 9000; i++)
		buf_add_z(&code, "x    ");
	buf_add_z(&code, "\nlast\n");
	buf_add_z(&text, "  ```\n");
	buf_add(&text, buf_str(&code));
	buf_add_z(&text, "  ```\n");
	check_code(buf_str(&text), text.len / 2, buf_str(&code), "chunks");
	buf_fini(&text);
	buf_fini(&code);
}

/* When the terminal reports that it joins emoji, all rows become those of a terminal known to from the start. */
static void follows_the_terminal(void)
{
	static const char text[] = "| a | \U0001F469\u200D\U0001F4BB |\n|---|---|\n| \u2764\uFE0F\u2764\uFE0F | b |\n\n"
		"\u2764\uFE0F\u2764\uFE0F\u2764\uFE0F \u2764\uFE0F\u2764\uFE0F\u2764\uFE0F \u2764\uFE0F\u2764\uFE0F\u2764\uFE0F\n";
	struct markdown *m = rows_new();
	struct buf before, now, once;

	buf_init(&before, ROOM);
	buf_init(&now, ROOM);
	buf_init(&once, ROOM);
	markdown_update(m, str_from(text));
	rows_of(m, 12, true, &before);
	utf8_set_profile(&(struct utf8_profile){ .joins = true, .variants = true });
	rows_of(m, 12, true, &now);
	lay_at_once(str_from(text), 12, false, &once);
	check_equal(&now, &once, 0, str_from(text));
	CU_ASSERT_FALSE(str_equal(buf_str(&before), buf_str(&now)));
	utf8_set_profile(&(struct utf8_profile){ 0 });
	rows_of(m, 12, true, &now);
	check_equal(&now, &before, 0, str_from(text));
	markdown_free(m);
	buf_fini(&before);
	buf_fini(&now);
	buf_fini(&once);
}

/* Columns beyond the edge of a growing table are as wide as they are at its end: none wraps meanwhile, and nothing moves then. */
static void a_growing_table_that_scrolls_ends_as_it_is(void)
{
	struct markdown *m = rows_new();
	struct buf text = { 0 }, growing, whole;

	buf_init(&growing, ROOM);
	buf_init(&whole, ROOM);
	markdown_set_options(m, &(struct markdown_options){ .scroll_tables = true });
	buf_add_z(&text, "| Port | Country | Ships | Depth | Master | Share | Opened | Remark |\n|---|---|---:|---:|---|---:|---:|---|\n");
	for (unsigned i = 0; i < 5; i++)
		buf_printf(&text, "| Oslo %u | Norway | %u | 12.5 | E. Lindqvist | 5 %% | 1850 | closed in winter, but not always |\n", i, i * 31);
	markdown_update(m, buf_str(&text));
	CU_ASSERT_EQUAL(markdown_lay_out(m, 0, 60)->count, 7);
	rows_of(m, 60, false, &growing);
	markdown_finish(m);
	rows_of(m, 60, false, &whole);
	CHECK(str_equal(buf_str(&growing), buf_str(&whole)), "%s-- and at the end --\n%s", buf_z(&growing), buf_z(&whole));
	markdown_free(m);
	buf_fini(&text);
	buf_fini(&growing);
	buf_fini(&whole);
}

/* The rows of the head have bytes of their own, so that the current hit in them is known. */
static void the_edge_of_a_head_has_none_of_its_bytes(void)
{
	struct markdown *m = rows_new();
	const struct markdown_layout *layout;

	markdown_update(m, STR("| Port | Depth |\n|---|---|\n| Oslo | 12 |\n"));
	markdown_finish(m);
	layout = markdown_lay_out(m, 0, 40);
	CU_ASSERT_EQUAL_FATAL(layout->count, 3);
	CU_ASSERT(layout->rows[1].source >= strlen("| Port | Depth |"));
	CU_ASSERT(layout->rows[2].source > layout->rows[1].source);
	markdown_free(m);
}

const struct suite suite_markdown = { "markdown", (const struct test[]){
	TEST(grows_as_laid_out_at_once), TEST(grows_paragraphs), TEST(resumes_paragraphs), TEST(grows_tables),
	TEST(shows_the_same_after_another_width), TEST(fits_its_width), TEST(no_style_splits_a_cell), TEST(shows_every_word),
	TEST(covers_the_text), TEST(finds_rows), TEST(copies_tables_as_written), TEST(copies_code_as_written), TEST(follows_the_terminal),
	TEST(the_edge_of_a_head_has_none_of_its_bytes), TEST(a_growing_table_that_scrolls_ends_as_it_is), { 0 } } };
