#include "net/chunk_reader.h"

#include <string.h>

#include "support/check.h"

#define TEXT(literal) { literal, sizeof(literal) - 1 }

/* Reads in pieces of `piece` bytes. Returns the last result; `rest` is what follows the body. */
static enum chunk_result read_all(struct str text, size_t piece, struct buf *body, struct buf *trailers, struct str *rest)
{
	struct chunk_reader reader = { 0 };
	enum chunk_result result = CHUNK_HUNGRY;

	while (text.len && result == CHUNK_HUNGRY) {
		struct str in = str_head(text, piece), part;
		size_t given = in.len;

		while ((result = chunk_reader_step(&reader, &in, &part)) == CHUNK_BYTES)
			buf_add(body, part);
		text = str_skip(text, given - in.len);
	}
	*rest = text;
	buf_add(trailers, buf_str(&reader.trailers));
	chunk_reader_fini(&reader);
	return result;
}

static const struct { struct str text; enum chunk_result result; const char *body, *trailers, *rest; } cases[] = {
	{ TEXT("0\r\n\r\n"), CHUNK_OVER, "", "", "" },
	{ TEXT("3\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\nGET"), CHUNK_OVER, "abc0123456789", "", "GET" },
	{ TEXT("1;a=b;c=\"d;e\"\r\nx\r\n1 \t;q\r\ny\r\n0;z\r\n\r\n"), CHUNK_OVER, "xy", "", "" },
	{ TEXT("1\r\nx\r\n0\r\nX-A: 1\r\nX-B:2\r\n\r\nmore"), CHUNK_OVER, "x", "X-A: 1\r\nX-B:2\r\n", "more" },
	{ TEXT("5\r\nabc"), CHUNK_HUNGRY, "abc", "", "" },
	{ TEXT("\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("g\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("0x1\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("+1\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("-1\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT(" 1\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1 \r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1 2\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1_0\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1\nx\n0\n\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1\rx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1;a\nb\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1;a\0\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("1\r\nxy\r\n"), CHUNK_BROKEN, "x", "", NULL },
	{ TEXT("1\r\nx\n0\r\n\r\n"), CHUNK_BROKEN, "x", "", NULL },
	{ TEXT("fffffffffffffffff\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("00000000000000001\r\nx\r\n"), CHUNK_BROKEN, "", "", NULL },
	{ TEXT("0\r\nX : 1\r\n\r\n"), CHUNK_BROKEN, "", "X : 1", NULL },
	{ TEXT("0\r\nX: 1\r\n fold\r\n\r\n"), CHUNK_BROKEN, "", "X: 1\r\n fold", NULL },
	{ TEXT("0\r\nGET / HTTP/1.1\r\n\r\n"), CHUNK_BROKEN, "", "GET / HTTP/1.1", NULL },
	{ TEXT("0\r\n\n"), CHUNK_BROKEN, "", NULL, NULL },
};

static void chunks_are_read_strictly(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		for (size_t piece = 1; piece <= cases[i].text.len; piece++) {
			struct buf body = { 0 }, trailers = { 0 };
			struct str rest;

			CHECK(read_all(cases[i].text, piece, &body, &trailers, &rest) == cases[i].result, "%s, in pieces of %zu", cases[i].text.ptr, piece);
			CHECK_STR(buf_str(&body), cases[i].body);
			if (cases[i].trailers)
				CHECK_STR(buf_str(&trailers), cases[i].trailers);
			if (cases[i].rest)
				CHECK_STR(rest, cases[i].rest);
			buf_fini(&body);
			buf_fini(&trailers);
		}
}

/* Beside the body nothing grows without bound. */
static void extensions_and_trailers_have_a_limit(void)
{
	static const struct { const char *begin, *piece, *end; } floods[] = { { "1;", "a", "" }, { "", "1;aaaaaaaaa\r\nx\r\n", "" }, { "0\r\n", "X: aaaaaaaaa\r\n", "" } };

	for (size_t i = 0; i < sizeof floods / sizeof *floods; i++) {
		struct buf text = { 0 }, body = { 0 }, trailers = { 0 };
		struct str rest;

		buf_add_z(&text, floods[i].begin);
		while (text.len < 4 * CHUNK_EXTENSION_BYTES_MOST)
			buf_add_z(&text, floods[i].piece);
		CHECK(read_all(buf_str(&text), 1000, &body, &trailers, &rest) == CHUNK_BROKEN, "%zu", i);
		buf_fini(&text);
		buf_fini(&body);
		buf_fini(&trailers);
	}
}

static void only_harmless_trailers_are_given(void)
{
	struct str trailers = STR("Content-Length: 4\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\nAuthorization: x\r\nHost: x\r\nX-B: 2\r\n");
	struct response_header field;

	CU_ASSERT_TRUE(chunk_next_trailer(&trailers, &field) && str_is(field.name, "X-A") && str_is(field.value, "1"));
	CU_ASSERT_TRUE(chunk_next_trailer(&trailers, &field) && str_is(field.name, "X-B") && str_is(field.value, "2"));
	CU_ASSERT_FALSE(chunk_next_trailer(&trailers, &field));
}

const struct suite suite_chunk_reader = { "chunk_reader", (const struct test[]){
	TEST(chunks_are_read_strictly), TEST(extensions_and_trailers_have_a_limit), TEST(only_harmless_trailers_are_given), { 0 } } };
