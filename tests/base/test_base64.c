#include "base/array.h"
#include "base/base64.h"
#include "support/check.h"

static void encodes_and_decodes_every_remainder(void)
{
	static const struct { const char *plain, *coded; } cases[] = {
		{ "", "" }, { "f", "Zg==" }, { "fo", "Zm8=" }, { "foo", "Zm9v" }, { "foob", "Zm9vYg==" }, { "\xff\xfe\x80", "//6A" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf coded, plain;

		buf_init(&coded, 100);
		buf_init(&plain, 100);
		CU_ASSERT(base64_encode(str_from(cases[i].plain), &coded));
		CHECK_STR(buf_str(&coded), cases[i].coded);
		CU_ASSERT(base64_decode(str_from(cases[i].coded), &plain));
		CHECK_STR(buf_str(&plain), cases[i].plain);
		buf_fini(&coded);
		buf_fini(&plain);
	}
}

static void refuses_invalid_base64(void)
{
	static const char *const wrong[] = { "Zg", "Zg=", "Z===", "Zg==Zg==", "Zm9v!mFy", "====", "Zm9vZ\n==", "Zm9v\xff\xff\xff\xff" };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct buf out;

		buf_init(&out, 100);
		buf_add_z(&out, "kept");
		CHECK(!base64_decode(str_from(wrong[i]), &out), "%s", wrong[i]);
		CHECK_STR(buf_str(&out), "kept");
		buf_fini(&out);
	}
}

static void stops_at_the_ceiling(void)
{
	struct buf out;

	buf_init(&out, 5);
	CU_ASSERT_FALSE(base64_encode(STR("foob"), &out));
	CU_ASSERT_FALSE(base64_decode(STR("Zm9vYmFy"), &out));
	CU_ASSERT_EQUAL(out.len, 0);
	buf_fini(&out);
}

/* --- pieces --- */

/* Reads a text in pieces of `size` bytes. False if a piece or the end is not base64. */
static bool read_in_pieces(struct str text, size_t size, struct buf *out)
{
	struct base64_reader reader = { 0 };

	for (; text.len; text = str_skip(text, size))
		if (!base64_read(&reader, str_head(text, size), out))
			return false;
	return base64_read_end(&reader);
}

static void reads_pieces_cut_anywhere(void)
{
	static const struct { const char *coded, *plain; } cases[] = {
		{ "", "" }, { "Zg==", "f" }, { "Zg", "f" }, { "Zg=", "f" }, { "Zh", "f" }, { "Zm8", "fo" }, { "Zm9v", "foo" }, { "Zm9vYmFyCg", "foobar\n" },
		{ "Zm9v\r\nYm Fy\t", "foobar" }, { "_-6A", "\xff\xee\x80" }, { "/-6A", "\xff\xee\x80" }, { "Zm9v\nYg=\n=\n", "foob" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t size = 1; size < 12; size++) {
			struct buf out = { 0 };

			CHECK(read_in_pieces(str_from(cases[i].coded), size, &out), "%s in pieces of %zu", cases[i].coded, size);
			CHECK_STR(buf_str(&out), cases[i].plain);
			buf_fini(&out);
		}
}

/* A piece that is whole in itself ends a group, whether the next one begins another text or goes on. */
static void padding_ends_a_group(void)
{
	static const char *const pieces[] = { "Zm9vYg==", "Zg==", "", "Zm8=", "Zm9v" };
	struct base64_reader reader = { 0 };
	struct buf out = { 0 };

	for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
		CHECK(base64_read(&reader, str_from(pieces[i]), &out), "%s", pieces[i]);
	CU_ASSERT(base64_read_end(&reader));
	CHECK_STR(buf_str(&out), "foobffofoo");
	buf_fini(&out);
}

static void refuses_pieces_that_are_none(void)
{
	static const char *const wrong[] = { "Zg==Zg==", "Zm9v!mFy", "Zm9v\xff", "Z=", "Zm9vZ==", "Zm9v.", "*" };

	for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct base64_reader reader = { 0 };
		struct buf out = { 0 };

		CU_ASSERT(base64_read(&reader, STR("a2VwdG"), &out));
		reader = (struct base64_reader){ 0 };
		CHECK(!base64_read(&reader, str_from(wrong[i]), &out), "%s", wrong[i]);
		CHECK_STR(buf_str(&out), "kept");
		buf_fini(&out);
	}
	for (size_t size = 1; size < 7; size++) {
		struct buf out = { 0 };

		CHECK(!read_in_pieces(STR("Zm9vZ"), size, &out), "one character too many, in pieces of %zu", size);
		buf_fini(&out);
	}
}

static void takes_whole_groups(void)
{
	static const struct { const char *text, *bytes; size_t taken, tail; } cases[] = {
		{ "Zm9vYmFy", "foobar", 8, 8 }, { "Zm9vYmF", "foo", 4, 7 }, { "Zm9vYg==", "foo", 4, 0 }, { "Zm9v\nZm9v", "foo", 4, 4 },
		{ "Zm9-Zm9v", "", 0, 4 }, { "Zm9_", "", 0, 0 }, { "Zm", "", 0, 2 }, { "\"Zm9v", "", 0, 4 }, { "", "", 0, 0 }, { "+/+/", "\xfb\xff\xbf", 4, 4 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct buf bytes = { 0 };

		CU_ASSERT_EQUAL(base64_take(str_from(cases[i].text), &bytes), cases[i].taken);
		CHECK_STR(buf_str(&bytes), cases[i].bytes);
		CHECK(base64_tail(str_from(cases[i].text)) == cases[i].tail, "%s", cases[i].text);
		buf_fini(&bytes);
	}
}

const struct suite suite_base64 = { "base64", (const struct test[]){
	TEST(encodes_and_decodes_every_remainder), TEST(refuses_invalid_base64), TEST(stops_at_the_ceiling),
	TEST(takes_whole_groups), TEST(reads_pieces_cut_anywhere), TEST(padding_ends_a_group), TEST(refuses_pieces_that_are_none), { 0 } } };
