#include "base/json_draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"

#define LARGE (3 * JSON_DRAFT_LEAST)

/* Letters with a quote and a line break every now and then. */
static struct str large_text(void)
{
	char *text = mem_new(LARGE);

	for (size_t i = 0; i < LARGE; i++)
		text[i] = i % 97 == 5 ? '"' : i % 89 == 3 ? '\n' : (char)('a' + i % 26);
	return str_of(text, LARGE);
}

static void write_both(struct json_writer *w, struct str large)
{
	json_open_object(w);
	json_member_borrowed(w, "small", STR("a\"b"));
	json_member_borrowed(w, "large", large);
	json_key(w, "joined");
	json_open_string(w);
	json_add_text(w, STR("data:"));
	json_add_borrowed(w, large);
	json_add_base64(w, str_head(large, LARGE - 1));
	json_close_string(w);
	json_member_borrowed(w, "none", STR_NONE);
	json_member_integer(w, "last", 1);
	json_close_object(w);
}

/* In steps of every size, the text is the one that is written at once. */
static void writes_the_same(void)
{
	static const size_t steps[] = { 1, 100, JSON_DRAFT_LEAST, 1 << 20 };
	struct str large = large_text();
	struct buf whole = { 0 };
	struct json_writer w;

	json_writer_init(&w, &whole);
	write_both(&w, large);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		struct buf out = { 0 };
		struct json_draft d;

		json_draft_init(&d);
		write_both(&d.writer, large);
		CU_ASSERT(d.frame.len < JSON_DRAFT_LEAST);
		while (json_draft_write(&d, &out, steps[i]) == JSON_DRAFT_MORE)
			;
		CU_ASSERT_EQUAL(json_draft_write(&d, &out, steps[i]), JSON_DRAFT_DONE);
		CU_ASSERT(str_equal(buf_str(&out), buf_str(&whole)));
		json_draft_fini(&d);
		buf_fini(&out);
	}
	CU_ASSERT(whole.len > 3 * LARGE);
	buf_fini(&whole);
	free((void *)(uintptr_t)large.ptr);
}

/* A step is bounded, whatever the size of the text. */
static void a_step_is_bounded(void)
{
	const size_t step = 1 << 16, size = 64 * step;
	char *bytes = mem_new(size);
	struct buf out = { 0 };
	struct json_draft d;
	size_t steps = 1;

	memset(bytes, '\n', size);
	json_draft_init(&d);
	json_open_array(&d.writer);
	json_open_string(&d.writer);
	json_add_borrowed(&d.writer, str_of(bytes, size));
	json_close_string(&d.writer);
	json_close_array(&d.writer);
	for (size_t before = 0; json_draft_write(&d, &out, step) == JSON_DRAFT_MORE; before = out.len, steps++)
		CU_ASSERT(out.len - before < 2 * step);
	CHECK(steps > 64, "%zu steps", steps);
	CU_ASSERT_EQUAL(out.len, 2 * size + 4);
	json_draft_fini(&d);
	buf_fini(&out);
	free(bytes);
}

static void says_when_it_does_not_fit(void)
{
	struct str large = large_text();
	struct buf out;
	struct json_draft d;

	buf_init(&out, LARGE);
	json_draft_init(&d);
	write_both(&d.writer, large);
	CU_ASSERT_EQUAL(json_draft_write(&d, &out, SIZE_MAX), JSON_DRAFT_FULL);
	json_draft_fini(&d);
	buf_fini(&out);
	free((void *)(uintptr_t)large.ptr);
}

const struct suite suite_json_draft = { "json_draft", (const struct test[]){
	TEST(writes_the_same),
	TEST(a_step_is_bounded),
	TEST(says_when_it_does_not_fit),
	{ 0 },
} };
