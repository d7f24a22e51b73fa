#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/mem.h"
#include "net/unpack.h"
#include "support/check.h"

#define HELLO "hello hello hello hello\n"
#define GZIP STR("\037\213\010\0\0\0\0\0\002\003\313\110\315\311\311\127\310\100\047\271\0\0\210\131\013\030\0\0\0")
#define ZLIB STR("\170\234\313\110\315\311\311\127\310\100\047\271\0\160\276\010\273")
#define RAW STR("\313\110\315\311\311\127\310\100\047\271\0")
#define BROTLI STR("\037\027\0\370\215\224\156\336\104\125\206\326\012\040\154\157\112\021\171\342\200\256\026")
#define ZSTD STR("\050\265\057\375\0\130\155\0\0\070hello \012\001\0\231\113\021")

/* 64 MB of zeros. */
#define BROTLI_BOMB STR("\313\377\377\077\0\044\0\342\261\100\162\357\377\370\377\377\007\200\004\100\034\026\200\356\375\037\377\377\377\0\220\0" \
	"\210\303\002\320\275\377\343\377\377\037\0\022\0\161\130\0\272\367\177\374\377\377\003\100\002\040\016\013\100\367\376\217" \
	"\377\377\177\0\110\0\304\141\001\350\336\377\361\377\377\017\0\011\200\070\054\0\335\373\077\376\377\377\001\040\001\020" \
	"\207\005\240\173\377\067")
#define BOMB_BYTES ((size_t)64 << 20)

/* --- running --- */

static struct unpack *unpack_for(const char *content, const char *transfer)
{
	struct response_header headers[] = { { STR("content-encoding"), str_from(content) }, { STR("transfer-encoding"), str_from(transfer) } };
	struct response_head head = { .status = 200, .headers = headers, .header_count = 2 };

	return unpack_new(&head);
}

/* Runs until more input is needed or an error occurs; appends all output to `out`. */
static enum unpack_result drain(struct unpack *u, struct buf *out, struct error *err)
{
	enum unpack_result result;
	struct str piece;
	size_t cost;

	while ((result = unpack_step(u, &piece, &cost, err)) == UNPACK_STEP)
		buf_add(out, piece);
	return result;
}

/* Feeds pieces of `size` bytes, each freed once it is fed. */
static enum unpack_result unpack_all(struct unpack *u, struct str packed, size_t size, struct buf *out, struct error *err)
{
	enum unpack_result result = UNPACK_HUNGRY;

	while (packed.len && result == UNPACK_HUNGRY) {
		struct str piece = str_head(packed, size);
		char *copy = mem_dup(piece.ptr, piece.len);

		unpack_feed(u, str_of(copy, piece.len));
		unpack_keep(u);
		memset(copy, 'x', piece.len);
		mem_free(copy);
		packed = str_skip(packed, piece.len);
		result = drain(u, out, err);
	}
	return result;
}

static void check_unpacks(const char *content, const char *transfer, struct str packed, size_t size, enum unpack_result expected, const char *text)
{
	struct unpack *u = unpack_for(content, transfer);
	struct error err = { "" };
	struct buf out = { 0 };
	enum unpack_result result;

	result = unpack_all(u, packed, size, &out, &err);
	CHECK(result == expected, "%s %s by %zu: %d %s", content, transfer, size, (int)result, err.text);
	CHECK(str_is(buf_str(&out), text), "%s %s by %zu: %s", content, transfer, size, buf_z(&out));
	CHECK((result == UNPACK_HUNGRY) == !err.text[0], "%s %s by %zu: %s", content, transfer, size, err.text);
	buf_fini(&out);
	unpack_free(u);
}

/* --- tests --- */

static void unpacks_every_coding_however_it_is_cut(void)
{
	const struct { const char *content, *transfer; struct str packed; } cases[] = {
		{ "gzip", "", GZIP }, { "X-GZip", "", GZIP }, { "gzip", "", ZLIB }, { "deflate", "", ZLIB }, { "deflate", "", RAW },
		{ "br", "", BROTLI }, { "zstd", "", ZSTD }, { "", "gzip, chunked", GZIP }, { "identity, br", "chunked", BROTLI },
		{ "identity", "", STR(HELLO) }, { "", "", STR(HELLO) }, { " , none,", "chunked", STR(HELLO) },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		for (size_t size = 1; size <= cases[i].packed.len; size++)
			check_unpacks(cases[i].content, cases[i].transfer, cases[i].packed, size, UNPACK_HUNGRY, HELLO);
}

static struct str gzip(struct str text, struct buf *out)
{
	z_stream z = { 0 };

	CU_ASSERT_FATAL(deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_out = (Bytef *)buf_extend(out, deflateBound(&z, text.len));
	z.avail_out = (uInt)out->len;
	z.next_in = (Bytef *)(uintptr_t)text.ptr;
	z.avail_in = (uInt)text.len;
	CU_ASSERT_FATAL(deflate(&z, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&z);
	return str_of(out->ptr, z.total_out);
}

/* The last coding in the list was applied last; those of the transfer were applied after all others. */
static void unpacks_what_is_packed_several_times(void)
{
	struct buf outer = { 0 }, outermost = { 0 };
	struct str twice;

	twice = gzip(BROTLI, &outer);
	check_unpacks("br, gzip", "chunked", twice, 3, UNPACK_HUNGRY, HELLO);
	check_unpacks("br", "gzip, chunked", twice, 3, UNPACK_HUNGRY, HELLO);
	check_unpacks("br,gzip", "gzip", gzip(twice, &outermost), 3, UNPACK_HUNGRY, HELLO);
	check_unpacks("gzip, br", "", twice, 3, UNPACK_BROKEN, "");
	buf_fini(&outer);
	buf_fini(&outermost);
}

static void says_what_it_cannot_unpack(void)
{
	static const struct { const char *content, *bytes, *words; enum unpack_result result; } cases[] = {
		{ "rot13", "text", "its encoding rot13 is not gzip", UNPACK_BROKEN },
		{ "gzip, rot13", "text", "rot13", UNPACK_BROKEN },
		{ "gzip,gzip,gzip,gzip,gzip,gzip", "text", "more than 5 encodings", UNPACK_BROKEN },
		{ "gzip", "text", "gzip: incorrect header check", UNPACK_BROKEN },
		{ "deflate", "text that is none", "deflate: ", UNPACK_BROKEN },
		{ "br", "text that is none", "br: ", UNPACK_BROKEN },
		{ "zstd", "text that is none", "zstd: ", UNPACK_BROKEN },
		{ "deflate", "\170\273", "a dictionary is missing", UNPACK_HUNGRY }, /* no error yet: its name follows */
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct unpack *u = unpack_for(cases[i].content, "");
		struct error err = { "" };
		struct buf out = { 0 };

		CHECK(drain(u, &out, &err) == UNPACK_HUNGRY, "%s: nothing was fed", cases[i].content);
		unpack_feed(u, str_from(cases[i].bytes));
		CHECK(drain(u, &out, &err) == cases[i].result, "%s: %s", cases[i].content, err.text);
		CHECK(cases[i].result == UNPACK_HUNGRY || strstr(err.text, cases[i].words), "%s: %s", cases[i].content, err.text);
		buf_fini(&out);
		unpack_free(u);
	}
}

static void reports_what_follows_the_end(void)
{
	const struct { const char *content; struct str packed; enum unpack_result result; } cases[] = {
		{ "gzip", GZIP, UNPACK_EXCESS }, { "deflate", ZLIB, UNPACK_EXCESS }, { "br", BROTLI, UNPACK_EXCESS },
		{ "zstd", ZSTD, UNPACK_BROKEN }, /* another frame may begin, but not with these bytes */
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct buf packed = { 0 };

		buf_add(&packed, cases[i].packed);
		buf_add(&packed, STR("and more"));
		check_unpacks(cases[i].content, "", buf_str(&packed), packed.len, cases[i].result, HELLO);
		check_unpacks(cases[i].content, "", buf_str(&packed), 1, cases[i].result, HELLO);
		buf_fini(&packed);
	}
}

static void gives_what_a_cut_left(void)
{
	check_unpacks("gzip", "", str_head(GZIP, GZIP.len - 9), 5, UNPACK_HUNGRY, "hello hello hello hello");
	check_unpacks("gzip", "", str_head(GZIP, 5), 5, UNPACK_HUNGRY, "");
	check_unpacks("zstd", "", str_head(ZSTD, 12), 5, UNPACK_HUNGRY, "");
}

/* What is fed while bytes wait is behind them, and copied: at each number of steps in between. */
static void what_is_fed_early_waits(void)
{
	char text[3 * UNPACK_PIECE_BYTES];
	const size_t cuts[] = { 0, UNPACK_PIECE_BYTES + 1, 2 * UNPACK_PIECE_BYTES, 2 * UNPACK_PIECE_BYTES + 7, sizeof text };

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = (char)('a' + i % 23);
	for (unsigned steps = 0; steps < 3; steps++) {
		struct unpack *u = unpack_for("", "");
		struct buf all = { 0 };
		struct error err;
		struct str piece;
		size_t cost;

		for (size_t i = 0; i + 1 < sizeof cuts / sizeof *cuts; i++) {
			char *lent = mem_dup(text + cuts[i], cuts[i + 1] - cuts[i]);

			unpack_feed(u, str_of(lent, cuts[i + 1] - cuts[i]));
			for (unsigned n = 0; n < steps && unpack_left(u); n++)
				if (unpack_step(u, &piece, &cost, &err) == UNPACK_STEP)
					buf_add(&all, piece);
			unpack_keep(u);
			mem_free(lent);
		}
		while (unpack_step(u, &piece, &cost, &err) == UNPACK_STEP)
			buf_add(&all, piece);
		CHECK(str_equal(buf_str(&all), str_of(text, sizeof text)), "%u steps: %zu bytes", steps, all.len);
		buf_fini(&all);
		unpack_free(u);
	}
}

/* --- bombs --- */

static void check_bomb(const char *content, struct str packed, size_t bytes)
{
	struct unpack *u = unpack_for(content, "");
	enum unpack_result result;
	size_t cost, sum = 0, most = 0;
	struct error err = { "" };
	struct str piece;

	unpack_feed(u, packed);
	while ((result = unpack_step(u, &piece, &cost, &err)) == UNPACK_STEP) {
		CU_ASSERT(piece.len <= UNPACK_PIECE_BYTES && cost >= piece.len);
		sum += piece.len;
		most = cost > most ? cost : most;
	}
	CHECK(result == UNPACK_HUNGRY && sum == bytes, "%s: %d, %zu bytes %s", content, (int)result, sum, err.text);
	CHECK(most <= packed.len + UNPACK_PIECE_BYTES, "%s: a step of %zu bytes", content, most);
	unpack_free(u);
}

/* Blocks of 128 KB of one repeated byte, in a frame with an equally large window. */
static struct str zstd_bomb(struct buf *out, size_t blocks)
{
	buf_add(out, STR("\050\265\057\375\0\070"));
	for (size_t i = 1; i <= blocks; i++)
		buf_add(out, i < blocks ? STR("\002\0\020x") : STR("\003\0\020x"));
	return buf_str(out);
}

static void no_step_is_large(void)
{
	char *zeros = mem_new(BOMB_BYTES);
	struct buf packed = { 0 };

	check_bomb("br", BROTLI_BOMB, BOMB_BYTES);
	check_bomb("gzip", gzip(str_of(zeros, BOMB_BYTES), &packed), BOMB_BYTES);
	buf_clear(&packed);
	check_bomb("zstd", zstd_bomb(&packed, 512), BOMB_BYTES);
	buf_fini(&packed);
	mem_free(zeros);
}

static enum unpack_result unpack_count(struct unpack *u, size_t *sum, struct error *err)
{
	enum unpack_result result;
	struct str piece;
	size_t cost;

	while ((result = unpack_step(u, &piece, &cost, err)) == UNPACK_STEP)
		*sum += piece.len;
	return result;
}

/* What grows beyond any use ends, and says how much it was; what is long because it was sent does not. */
static void a_bomb_has_an_end(void)
{
	struct unpack *bomb = unpack_for("zstd", ""), *body = unpack_for("zstd", "");
	struct buf packed = { 0 }, block = { 0 };
	struct error err = { "" };
	size_t sum = 0;

	unpack_feed(bomb, zstd_bomb(&packed, 700));
	CU_ASSERT_EQUAL(unpack_count(bomb, &sum, &err), UNPACK_BROKEN);
	CHECK(sum > UNPACK_FREE_BYTES && sum <= UNPACK_FREE_BYTES + UNPACK_PIECE_BYTES, "%zu", sum);
	CHECK(strstr(err.text, "bytes became more than 64 MB, and beyond 64 MB at most 100 times as many are read"), "%s", err.text);
	buf_add(&block, STR("\0\0\020")); /* a block of 128 KB as it is */
	memset(buf_extend(&block, (size_t)128 << 10), 'x', (size_t)128 << 10);
	unpack_feed(body, STR("\050\265\057\375\0\070"));
	enum unpack_result result = unpack_count(body, &sum, &err);
	sum = 0;
	for (int i = 0; i < 700 && result == UNPACK_HUNGRY; i++) {
		unpack_feed(body, buf_str(&block));
		result = unpack_count(body, &sum, &err);
	}
	CHECK(result == UNPACK_HUNGRY && sum == 700 * ((size_t)128 << 10), "%zu %s", sum, err.text);
	buf_fini(&packed);
	buf_fini(&block);
	unpack_free(bomb);
	unpack_free(body);
}

/* An inner coding may produce gigabytes of which the outer one produces nothing. */
static void output_of_inner_codings_counts_too(void)
{
	struct buf empty_blocks = { 0 }, packed = { 0 };
	struct unpack *u = unpack_for("deflate, gzip", "");
	size_t cost, sum = 0;
	struct error err = { "" };
	struct str piece;

	while (empty_blocks.len < (size_t)8 << 20)
		buf_add(&empty_blocks, STR("\0\0\0\377\377"));
	unpack_feed(u, gzip(buf_str(&empty_blocks), &packed));
	while (unpack_step(u, &piece, &cost, &err) == UNPACK_STEP) {
		CU_ASSERT(!piece.len);
		sum += cost;
	}
	CHECK(sum >= 2 * empty_blocks.len, "%zu", sum);
	buf_fini(&empty_blocks);
	buf_fini(&packed);
	unpack_free(u);
}

/* A frame may require a window of gigabytes. */
static void a_window_has_a_ceiling(void)
{
	check_unpacks("zstd", "", STR("\050\265\057\375\0\150\053\0\0x"), 100, UNPACK_HUNGRY, "xxxxx");
	check_unpacks("zstd", "", STR("\050\265\057\375\0\160\053\0\0x"), 100, UNPACK_BROKEN, "");
}

const struct suite suite_unpack = { "unpack", (const struct test[]){
	TEST(unpacks_every_coding_however_it_is_cut), TEST(unpacks_what_is_packed_several_times), TEST(says_what_it_cannot_unpack),
	TEST(reports_what_follows_the_end), TEST(gives_what_a_cut_left), TEST(what_is_fed_early_waits), TEST(no_step_is_large), TEST(a_bomb_has_an_end), TEST(output_of_inner_codings_counts_too),
	TEST(a_window_has_a_ceiling), { 0 } } };
