/*
 * Decodes any bytes from a terminal. Rules: the text of keys is valid UTF-8 without control bytes (a paste may contain LF and tab);
 * no byte waits without a deadline; while no time passes, splitting the input changes nothing, except that a line end between text in
 * one read is a paste, and that bytes in one read with the end of a paste belong to it.
 *
 * input: seed of the splits; then the bytes
 */
#include "base/utf8.h"
#include "fuzz.h"
#include "ui/term/key.h"

#define LONG_MS 100000

static void check_key_text(const struct key *key)
{
	bool paste = key->code == KEY_PASTE;

	FUZZ_CHECK(utf8_is_valid(key->text), "text of keys is valid UTF-8");
	for (struct str rest = key->text; rest.len;) {
		uint32_t code = utf8_next(&rest);
		bool control = code < 0x20 || (code >= 0x7F && code < 0xA0);

		FUZZ_CHECK(!control || (paste && (code == '\n' || code == '\t')), "no control bytes in the text of keys");
	}
	if (key->code == KEY_TEXT)
		FUZZ_CHECK(key->text.len, "text has a character");
}

static void log_key(void *ctx, const struct key *key)
{
	struct buf *out = ctx;

	check_key_text(key);
	buf_printf(out, "%d %u %d %.*s\n", (int)key->code, key->modifiers, key->letter, STR_ARG(key->text));
}

#define PASTE_END "\x1B[201~"

/* Ends a read at the end of a paste. */
static size_t up_to_paste_end(struct str all, size_t at, size_t size)
{
	size_t from = at > sizeof PASTE_END - 2 ? at - (sizeof PASTE_END - 2) : 0;
	size_t end = from + str_find(str_skip(all, from), STR(PASTE_END)) + sizeof PASTE_END - 1;

	return end > at && end < at + size ? end - at : size;
}

/* Feeds reads of at most `most` bytes. A paste without brackets needs three. */
static void decode(struct str bytes, size_t most, unsigned seed, bool ticks, struct buf *out)
{
	struct key_decoder *d = key_decoder_new();
	struct str all = bytes;
	int64_t now = 0;

	while (bytes.len) {
		seed = seed * 1664525u + 1013904223u;
		size_t size = up_to_paste_end(all, all.len - bytes.len, 1 + (seed >> 20) % most);
		key_decoder_feed(d, str_head(bytes, size), now, log_key, out);
		bytes = str_skip(bytes, size);
		if (ticks && seed & 0x10000)
			key_decoder_tick(d, now += seed >> 24, log_key, out);
	}
	for (int i = 0; i < 4; i++)
		key_decoder_tick(d, now += LONG_MS, log_key, out);
	FUZZ_CHECK(key_decoder_deadline(d) == INT64_MAX, "nothing waits for ever");
	key_decoder_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1;
	struct buf single = { 0 }, cut = { 0 }, timed = { 0 };

	decode(in.rest, 1, seed, false, &single);
	decode(in.rest, 2, seed, false, &cut);
	decode(in.rest, 9, seed, true, &timed);
	decode(in.rest, in.rest.len + 1, seed, false, &timed);
	if (!str_equal(buf_str(&single), buf_str(&cut)))
		fprintf(stderr, "single:\n%s\ncut:\n%s\n", buf_z(&single), buf_z(&cut));
	FUZZ_CHECK(str_equal(buf_str(&single), buf_str(&cut)), "cuts change nothing");
	buf_fini(&single);
	buf_fini(&cut);
	buf_fini(&timed);
	return 0;
}
