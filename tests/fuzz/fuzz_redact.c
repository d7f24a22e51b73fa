/*
 * Redacts up to three secrets of any length, also of '*' and of one repeated character, in any bytes. Rules: every occurrence of a secret
 * that is searched for becomes '*', also one that the end cuts, all other bytes are unchanged and in place, and splitting the input changes
 * nothing.
 *
 * input: seed of the splits, number of secrets; length and letters of each; then the text, in which small bytes stand for a secret or
 * its beginning
 */
#include "base/redact.h"
#include "fuzz.h"

#define SECRETS 3

/* A small alphabet, so that beginnings of secrets are frequent. */
static char letter(unsigned byte)
{
	return "*aab"[byte % 4];
}

static void make_secret(struct fuzz_input *in, struct buf *secret)
{
	unsigned len = fuzz_byte(in) % 32;
	bool repeats = fuzz_byte(in) % 4 == 0;
	char first = letter(fuzz_byte(in));

	for (unsigned i = 0; i < len; i++)
		buf_add_byte(secret, i && !repeats ? letter(fuzz_byte(in)) : first);
}

static void make_text(struct fuzz_input *in, const struct buf secrets[SECRETS], struct buf *text)
{
	while (in->rest.len) {
		unsigned byte = fuzz_byte(in);
		struct str secret = buf_str(&secrets[byte % SECRETS]);

		if (byte < 24)
			buf_add(text, secret);
		else if (byte < 96)
			buf_add(text, str_head(secret, byte / SECRETS));
		else
			buf_add_byte(text, letter(byte));
	}
}

static void redact(const struct redact_set *set, struct str text, unsigned seed, struct buf *out)
{
	struct redactor redactor;

	redactor_init(&redactor, set);
	while (text.len) {
		struct str piece = str_head(text, seed ? fuzz_cut(&seed) : text.len);

		buf_add(out, redactor_feed(&redactor, piece));
		text = str_skip(text, piece.len);
	}
	buf_add(out, redactor_end(&redactor));
	redactor_fini(&redactor);
}

/* --- the oracle --- */

static bool is_searched(struct str secret)
{
	size_t same = 0;

	while (same < secret.len && secret.ptr[same] == secret.ptr[0])
		same++;
	return secret.len >= REDACT_LEN_MIN && same < secret.len;
}

static void mask(struct str text, struct str secret, struct buf *out)
{
	for (size_t at = 0; at < text.len; at++)
		if (str_has_at(text, at, secret))
			memset(out->ptr + at, '*', secret.len);
}

/* The longest beginning of a secret that the text ends with, if it is long enough. */
static void mask_the_cut(struct str text, struct str secret, struct buf *out)
{
	for (size_t len = secret.len - 1; len >= REDACT_LEN_MIN; len--)
		if (len <= text.len && str_equal(str_skip(text, text.len - len), str_head(secret, len)))
			memset(out->ptr + text.len - len, '*', len);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1, count = 1 + fuzz_byte(&in) % SECRETS;
	struct buf secrets[SECRETS] = { 0 }, text = { 0 }, expected = { 0 }, whole = { 0 }, cut = { 0 };
	struct redact_set set = { 0 };

	for (size_t i = 0; i < count; i++) {
		make_secret(&in, &secrets[i]);
		redact_set_add(&set, buf_str(&secrets[i]));
	}
	make_text(&in, secrets, &text);
	buf_add(&expected, buf_str(&text));
	for (size_t i = 0; i < count; i++)
		if (is_searched(buf_str(&secrets[i]))) {
			mask(buf_str(&text), buf_str(&secrets[i]), &expected);
			mask_the_cut(buf_str(&text), buf_str(&secrets[i]), &expected);
		}
	redact(&set, buf_str(&text), 0, &whole);
	redact(&set, buf_str(&text), seed, &cut);
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&expected)), "secrets are masked, and nothing else");
	FUZZ_CHECK(str_equal(buf_str(&cut), buf_str(&expected)), "cuts change nothing");
	redact_set_fini(&set);
	for (size_t i = 0; i < SECRETS; i++)
		buf_fini(&secrets[i]);
	buf_fini(&text);
	buf_fini(&expected);
	buf_fini(&whole);
	buf_fini(&cut);
	return 0;
}
