/*
 * Renders any text as markdown. Rules: the rows equal those of the whole text, however it was split and whatever was laid out in between;
 * returning to a width gives the same rows; no row is wider than the screen; blocks are contiguous; each byte of the source has a row;
 * the source view shows the complete source.
 *
 * input: widths, seed of the splits, options; then the text
 */
#include <locale.h>

#include "base/utf8.h"
#include "fuzz.h"
#include "render/flow.h"
#include "render/markdown/markdown.h"

#define ROWS_LIMIT ((size_t)64 << 20)
#define COLUMNS_MOST 140

struct setting {
	unsigned width, other, seed;
	struct markdown_options options;
};

static unsigned next_random(unsigned *seed)
{
	*seed = *seed * 1664525u + 1013904223u;
	return *seed >> 16;
}

static struct markdown *begin(const struct setting *s)
{
	struct markdown *m = markdown_new();

	markdown_set_options(m, &s->options);
	return m;
}

/* Writes the content of all rows, and checks their width. */
static void write_rows(struct markdown *m, unsigned width, struct buf *out)
{
	buf_clear(out);
	for (size_t block = 0; block < markdown_count(m); block++) {
		const struct markdown_layout *layout = markdown_lay_out(m, block, width);

		for (size_t i = 0; i < layout->count; i++) {
			unsigned columns = 0;

			for (size_t j = 0; j < layout->rows[i].count; j++) {
				const struct span *span = &layout->rows[i].spans[j];

				FUZZ_CHECK(span->link <= layout->link_count, "links have a destination");
				buf_printf(out, "<%d %d %.*s>", span->role, span->attributes, STR_ARG(span->link ? layout->links[span->link - 1] : STR_NONE));
				buf_add(out, span->text);
				columns += flow_columns(span->text, 2 * COLUMNS_MOST);
			}
			FUZZ_CHECK(columns <= (width > 2 ? width : 2), "no row is wider than the screen");
			FUZZ_CHECK(!i || layout->rows[i].source >= layout->rows[i - 1].source, "rows follow each other as their source does");
			buf_printf(out, " %zu %d\n", layout->rows[i].source, layout->rows[i].wraps);
		}
		FUZZ_CHECK(markdown_rows(m, block, width) == layout->count, "as many rows as are counted");
	}
}

static void check_same(const struct buf *a, const struct buf *b, const char *rule)
{
	if (!str_equal(buf_str(a), buf_str(b))) {
		fwrite(buf_str(a).ptr, 1, a->len, stderr); /* may contain NUL */
		fputs("\n-- not --\n", stderr);
		fwrite(buf_str(b).ptr, 1, b->len, stderr);
	}
	FUZZ_CHECK(str_equal(buf_str(a), buf_str(b)), rule);
}

/* The end of an incomplete text may not have a block yet. */
static void check_blocks(struct markdown *m, struct str text, unsigned width, bool finished)
{
	size_t end = 0;

	for (size_t block = 0; block < markdown_count(m); block++) {
		const struct markdown_block *b = markdown_block_at(m, block);

		FUZZ_CHECK(b->start == end && b->end >= b->start, "blocks follow each other");
		end = b->end;
	}
	FUZZ_CHECK(end == text.len || !finished, "blocks reach to the end");
	for (size_t at = 0; at < end; at += 1 + end / 50) {
		size_t block = markdown_block_of(m, at), rows = markdown_rows(m, block, width);

		FUZZ_CHECK(markdown_block_at(m, block)->start <= at && at < markdown_block_at(m, block)->end, "a byte is in its block");
		FUZZ_CHECK(!rows || markdown_row_of(m, block, width, at) < rows, "a byte has a row");
	}
}

static void grow(struct markdown *m, const struct setting *s, struct str text, struct buf *rows)
{
	unsigned seed = s->seed;

	for (size_t at = 0; at < text.len;) {
		struct buf copy = { 0 };

		at += 1 + next_random(&seed) % (1 + text.len / 8);
		while (at < text.len && utf8_is_inside(text.ptr[at]))
			at++;
		buf_add(&copy, str_head(text, at));
		markdown_update(m, buf_str(&copy)); /* at another address each time */
		if (next_random(&seed) % 2)
			write_rows(m, next_random(&seed) % 3 ? s->width : s->other, rows);
		if (next_random(&seed) % 8 == 0)
			markdown_rest(m);
		if (at >= text.len)
			markdown_update(m, text);
		buf_fini(&copy);
	}
}

static void check(const struct setting *s, struct str text)
{
	struct buf grown, once, other;
	struct markdown *m = begin(s), *whole = begin(s);

	buf_init(&grown, ROWS_LIMIT);
	buf_init(&once, ROWS_LIMIT);
	buf_init(&other, ROWS_LIMIT);
	grow(m, s, text, &grown);
	markdown_update(whole, text);
	for (int finished = 0; finished < 2; finished++) {
		write_rows(whole, s->width, &once);
		write_rows(m, s->width, &grown);
		check_same(&grown, &once, "cuts change nothing");
		write_rows(m, s->other, &other);
		write_rows(m, s->width, &grown);
		check_same(&grown, &once, "another width leaves no trace");
		check_blocks(m, text, s->width, finished);
		markdown_finish(m);
		markdown_finish(whole);
	}
	markdown_free(m);
	markdown_free(whole);
	buf_fini(&grown);
	buf_fini(&once);
	buf_fini(&other);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static bool ready;
	struct fuzz_input in = { str_of((const char *)data, size) };
	struct buf text = { 0 };

	if (!ready)
		ready = setlocale(LC_CTYPE, "C.UTF-8") != NULL;
	struct setting s = { .width = 1 + fuzz_byte(&in) % COLUMNS_MOST, .other = 1 + fuzz_byte(&in) % COLUMNS_MOST, .seed = fuzz_byte(&in) };
	unsigned options = fuzz_byte(&in);
	s.options = (struct markdown_options){ .raw = options % 8 == 7, .clip_code = options & 8, .code_band = options & 16, .strikes = options & 16, .scroll_tables = options & 8, .sideways = options >> 5 };
	utf8_repair(in.rest, &text); /* the guard passes valid UTF-8 only */
	check(&s, buf_str(&text));
	buf_fini(&text);
	return 0;
}
