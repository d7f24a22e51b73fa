#include "render/flow_text.h"

#include <locale.h>
#include <stdio.h>

#include "support/check.h"

#define WIDTH 40
#define BLOCK ((size_t)FLOW_BLOCK_BYTES) /* the sanitizers run with blocks that are shorter than a line */
#define IS_SMALL (BLOCK < 1000)

static void setup(struct flow_text *t)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	flow_text_init(t);
}

static void add_lines(struct buf *text, size_t bytes)
{
	for (unsigned i = 0; text->len < bytes; i++)
		buf_printf(text, i % 50 == 7 ? "\n" : "line %u of a text that is longer than the width of a row\ttab\n", i);
}

/* The offsets of all rows are those of one flow. */
static void check_rows(struct flow_text *t, struct str text)
{
	struct flow all;
	size_t row = 0;

	flow_init(&all);
	flow_update(&all, text, WIDTH);
	for (size_t b = 0; b < t->count; b++) {
		const struct flow *flow = flow_text_lay_out(t, text, b, WIDTH);

		for (size_t i = 0; i < flow->count; i++, row++)
			if (row >= all.count || all.starts[row] != t->blocks[b].start + flow->starts[i]) {
				CHECK(false, "row %zu of block %zu", i, b);
				row = all.count;
				b = t->count - 1;
				break;
			}
	}
	CU_ASSERT_EQUAL(row, all.count);
	flow_fini(&all);
}

static void has_the_rows_of_a_flow(void)
{
	struct flow_text t;
	struct buf text = { 0 };

	setup(&t);
	flow_text_update(&t, STR_NONE, false);
	CU_ASSERT_EQUAL(t.count, 1);
	CU_ASSERT_EQUAL(flow_text_lay_out(&t, STR_NONE, 0, WIDTH)->count, 0);
	add_lines(&text, 10 * FLOW_BLOCK_BYTES);
	flow_text_update(&t, buf_str(&text), false);
	CHECK(IS_SMALL ? t.count > 1 : t.count == 10 || t.count == 9, "%zu blocks", t.count);
	check_rows(&t, buf_str(&text));
	for (size_t b = 0; b < t.count; b++) {
		CU_ASSERT_EQUAL(flow_text_block(&t, t.blocks[b].start), b);
		CU_ASSERT(!b || flow_text_block(&t, t.blocks[b].start - 1) == b - 1);
	}
	CU_ASSERT_EQUAL(flow_text_block(&t, text.len + 5), t.count - 1);
	flow_text_fini(&t);
	buf_fini(&text);
}

/* The end of a piece may be anywhere, also behind a line end. */
static void grows(void)
{
	struct flow_text t;
	struct buf text = { 0 };

	setup(&t);
	add_lines(&text, 3 * BLOCK + 300);
	for (size_t len = IS_SMALL ? 0 : BLOCK - 300; len < BLOCK + 300; len++) {
		flow_text_update(&t, str_head(buf_str(&text), len), false);
		flow_text_lay_out(&t, str_head(buf_str(&text), len), t.count - 1, WIDTH);
	}
	CU_ASSERT(IS_SMALL ? t.count >= 2 : t.count == 2);
	CU_ASSERT(t.blocks[1].start < BLOCK + 100);
	flow_text_update(&t, buf_str(&text), false);
	check_rows(&t, buf_str(&text));
	flow_text_fini(&t);
	buf_fini(&text);
}

static void is_whole_when_it_should(void)
{
	struct flow_text t;
	struct buf text = { 0 };

	setup(&t);
	add_lines(&text, 3 * FLOW_BLOCK_BYTES);
	flow_text_update(&t, buf_str(&text), true);
	CU_ASSERT_EQUAL(t.count, 1);
	check_rows(&t, buf_str(&text));
	flow_text_update(&t, buf_str(&text), false);
	CU_ASSERT(t.count > 1);
	check_rows(&t, buf_str(&text));
	flow_text_reset(&t);
	flow_text_update(&t, STR("another"), false);
	CU_ASSERT_EQUAL(t.count, 1);
	check_rows(&t, STR("another"));
	flow_text_fini(&t);
	buf_fini(&text);
}

/* A line without an end stays in its block. */
static void a_line_is_not_cut(void)
{
	struct flow_text t;
	struct buf text = { 0 };

	setup(&t);
	while (text.len < 3 * FLOW_BLOCK_BYTES)
		buf_add_z(&text, "no-end/");
	buf_add_z(&text, "\nnext");
	flow_text_update(&t, buf_str(&text), false);
	CU_ASSERT_EQUAL(t.count, 2);
	CHECK_STR(flow_text_of(&t, buf_str(&text), 1), "next");
	check_rows(&t, buf_str(&text));
	flow_text_fini(&t);
	buf_fini(&text);
}

const struct suite suite_flow_text = { "flow_text", (const struct test[]){
	TEST(has_the_rows_of_a_flow),
	TEST(grows),
	TEST(is_whole_when_it_should),
	TEST(a_line_is_not_cut),
	{ 0 },
} };
