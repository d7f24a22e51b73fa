/*
 * Any bytes with a secret among them. Rules: the secret is never in what comes out, the rest is as it was and in its place, and cuts
 * change nothing.
 *
 * input: seed of the cuts, length of the secret; the secret; then the text, in which small bytes stand for the secret or its beginning
 */
#include "base/redact.h"
#include "fuzz.h"

/* Few letters, so that beginnings of the secret are everywhere. */
static char letter(unsigned byte)
{
	return (char)('a' + byte % 3);
}

static void make_text(struct fuzz_input *in, struct str secret, struct buf *text)
{
	while (in->rest.len) {
		unsigned byte = fuzz_byte(in);

		if (byte < 16)
			buf_add(text, secret);
		else if (byte < 64)
			buf_add(text, str_head(secret, byte - 15));
		else
			buf_add_byte(text, letter(byte));
	}
}

static void redact(struct str secret, struct str text, unsigned seed, struct buf *out)
{
	struct redactor redactor;

	redactor_init(&redactor, secret);
	while (text.len) {
		struct str piece = str_head(text, seed ? fuzz_cut(&seed) : text.len);

		buf_add(out, redactor_feed(&redactor, piece));
		text = str_skip(text, piece.len);
	}
	buf_add(out, redactor_end(&redactor));
	redactor_fini(&redactor);
}

static void check_places(struct str text, struct str out)
{
	FUZZ_CHECK(text.len == out.len, "as long as before");
	for (size_t i = 0; i < out.len; i++)
		FUZZ_CHECK(out.ptr[i] == '*' || out.ptr[i] == text.ptr[i], "the rest is as it was");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1;
	size_t len = REDACT_LEN_MIN + fuzz_byte(&in) % 24;
	struct buf secret, text, whole, cut;

	buf_init(&secret, BUF_LIMIT_DEFAULT);
	buf_init(&text, BUF_LIMIT_DEFAULT);
	buf_init(&whole, BUF_LIMIT_DEFAULT);
	buf_init(&cut, BUF_LIMIT_DEFAULT);
	for (size_t i = 0; i < len; i++)
		buf_add_byte(&secret, letter(fuzz_byte(&in)));
	make_text(&in, buf_str(&secret), &text);
	redact(buf_str(&secret), buf_str(&text), 0, &whole);
	redact(buf_str(&secret), buf_str(&text), seed, &cut);
	FUZZ_CHECK(str_find(buf_str(&whole), buf_str(&secret)) == whole.len, "the secret is not in what comes out");
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&cut)), "cuts change nothing");
	check_places(buf_str(&text), buf_str(&whole));
	buf_fini(&secret);
	buf_fini(&text);
	buf_fini(&whole);
	buf_fini(&cut);
	return 0;
}
