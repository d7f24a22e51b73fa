/*
 * Reads any text as base64, in one piece and in pieces. Rules: pieces cut anywhere outside of padding give what the whole gives; what is read
 * encodes to the same characters again; nothing is appended if it fails; what the strict reader takes is read alike.
 *
 * input: seed of the splits; then the text
 */
#include "base/base64.h"
#include "fuzz.h"

static bool read(struct str text, unsigned seed, struct buf *out)
{
	struct base64_reader reader = { 0 };
	bool good = true;

	while (text.len && good) {
		struct str piece = str_head(text, seed ? fuzz_cut(&seed) % 5 + 1 : text.len);
		size_t before = out->len;

		good = base64_read(&reader, piece, out);
		FUZZ_CHECK(good || out->len == before, "what fails appends nothing");
		text = str_skip(text, piece.len);
	}
	return base64_read_end(&reader) && good;
}

static bool is_sign(char c)
{
	return char_is_word(c) || c == '+' || c == '/' || c == '-' || c == '_';
}

/* The characters that stand for bits are those of the encoded bytes, but for bits that are left over. */
static void check_encoded(struct str text, struct str bytes)
{
	struct buf coded = { 0 };
	size_t at = 0, signs = 0;

	base64_encode(bytes, &coded);
	for (size_t i = 0; i < text.len; i++)
		signs += is_sign(text.ptr[i]);
	FUZZ_CHECK(signs % 4 != 1 && bytes.len == signs * 3 / 4, "as many bytes as there are whole ones");
	for (size_t i = 0; i < text.len && at + 1 < signs; i++) {
		char c = text.ptr[i] == '-' ? '+' : text.ptr[i] == '_' ? '/' : text.ptr[i];

		if (is_sign(c))
			FUZZ_CHECK(coded.ptr[at++] == c, "the bytes encode to the same characters");
	}
	buf_fini(&coded);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { { (const char *)data, size } };
	unsigned seed = fuzz_byte(&in) + 1;
	struct buf whole = { 0 }, pieces = { 0 }, strict = { 0 };
	bool good = read(in.rest, 0, &whole), cut = read(in.rest, seed, &pieces);

	FUZZ_CHECK(!good || (cut && str_equal(buf_str(&whole), buf_str(&pieces))), "pieces give what the whole gives");
	if (good)
		check_encoded(in.rest, buf_str(&whole));
	if (base64_decode(in.rest, &strict))
		FUZZ_CHECK(good && str_equal(buf_str(&whole), buf_str(&strict)), "the strict reader reads alike");
	buf_fini(&whole);
	buf_fini(&pieces);
	buf_fini(&strict);
	return 0;
}
