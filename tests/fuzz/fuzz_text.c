/*
 * Handles any bytes as untrusted text. Rules: repaired text is valid, and repairing it again changes nothing; all functions agree on
 * validity; no cell contains a byte or character that controls the terminal.
 *
 * input: the terminal's profile of widths; then the text
 */
#include "base/utf8.h"
#include "fuzz.h"

/* Characters that move the cursor, change the writing direction or are invisible. A joiner is allowed between emoji. */
static bool is_harmful(uint32_t code)
{
	return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x061C || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
	       (code >= 0x2066 && code <= 0x2069) || code == 0x2028 || code == 0x2029 || code == 0x00AD || code == 0x3164 || code == 0xFEFF ||
	       (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE0FFF && !(code >= 0xE0100 && code <= 0xE01EF));
}

static void check_cell(const struct utf8_cell *cell)
{
	struct str text = str_of(cell->text, cell->len);

	FUZZ_CHECK(cell->len <= sizeof cell->text && cell->width <= 2, "a cell has its bounds");
	FUZZ_CHECK(utf8_is_valid(text), "a cell is valid UTF-8");
	while (text.len)
		FUZZ_CHECK(!is_harmful(utf8_next(&text)), "no control, bidi or hidden sign in a cell");
}

static size_t check_cells(struct str text)
{
	size_t width = 0;

	while (text.len) {
		struct utf8_cell cell;
		size_t len = utf8_cell(text, &cell);

		FUZZ_CHECK(len > 0 && len <= text.len, "every cell takes some of the text");
		check_cell(&cell);
		width += cell.width;
		text = str_skip(text, len);
	}
	return width;
}

#define STEPS_BACK 16 /* each step scans far */

static void check_clusters(struct str text)
{
	struct str rest = text;

	while (rest.len) {
		size_t len = utf8_cluster(rest);

		FUZZ_CHECK(len > 0 && len <= rest.len, "every cluster takes some of the text");
		rest = str_skip(rest, len);
	}
	for (size_t at = text.len, steps = 0; at > 0 && steps < STEPS_BACK; steps++) {
		size_t before = utf8_cluster_before(text, at);

		FUZZ_CHECK(before < at, "going back goes back");
		at = before;
	}
}

static void check_repair(struct str bytes, struct buf *out)
{
	struct buf again = { 0 };
	size_t bad = 0, valid = utf8_valid_length(bytes, &bad);

	FUZZ_CHECK(utf8_repair(bytes, out), "there is room");
	FUZZ_CHECK(utf8_is_valid(buf_str(out)), "what is repaired is valid");
	FUZZ_CHECK(utf8_is_valid(bytes) == (valid == bytes.len), "validity is told alike");
	FUZZ_CHECK(utf8_is_valid(bytes) == str_equal(bytes, buf_str(out)), "what is valid is not repaired");
	FUZZ_CHECK(valid == bytes.len || (bad > 0 && bad <= bytes.len - valid), "what is bad has a length");
	FUZZ_CHECK(utf8_repair(buf_str(out), &again) && str_equal(buf_str(out), buf_str(&again)), "what is repaired stays");
	buf_fini(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned bits = fuzz_byte(&in);
	struct buf text = { 0 };

	fuzz_locale();
	utf8_set_profile(&(struct utf8_profile){ bits & 1, bits & 2, bits & 4, bits & 8, bits & 16, bits & 32 });
	check_cells(in.rest);
	check_repair(in.rest, &text);
	FUZZ_CHECK(check_cells(buf_str(&text)) == utf8_width(buf_str(&text)), "widths are the sum of cells");
	check_clusters(buf_str(&text));
	buf_fini(&text);
	return 0;
}
