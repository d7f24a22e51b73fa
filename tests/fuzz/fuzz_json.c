/*
 * Parses any bytes as JSON. Rules: the lexer and the parser accept the same texts, a dumped tree equals the lexer's compact form,
 * splitting the input changes nothing, text is valid UTF-8, offsets stay within the input, and a parser keeps no state between texts.
 *
 * input: seed of the splits; then the text
 */
#include "base/json.h"
#include "base/json_scan.h"
#include "base/utf8.h"
#include "fuzz.h"

static void check_value(const struct json *value, struct buf *scratch)
{
	struct json_member m = { 0 };
	struct str text = json_text(value);
	double number = 0;
	int64_t count = 0;

	FUZZ_CHECK(utf8_is_valid(text), "text is valid UTF-8");
	FUZZ_CHECK(!json_count(value, &count) || (json_number(value, &number) && count >= 0), "a count is a number");
	if (json_scalar(value, scratch, &text))
		FUZZ_CHECK(utf8_is_valid(text), "a scalar is valid UTF-8");
	for (size_t i = 0; i < json_length(value); i++)
		check_value(json_at(value, i), scratch);
	while (json_next(value, &m)) {
		FUZZ_CHECK(utf8_is_valid(m.key), "a key is valid UTF-8");
		check_value(m.value, scratch);
	}
}

/* The spans must handle everything that the parser accepts, which is more than valid JSON (control bytes in strings). */
static void check_spans(struct str text)
{
	static const char *const paths[][3] = { { "a", "#0", NULL }, { "request", NULL, NULL }, { "#1", "a", NULL } };
	struct buf flat = { 0 };

	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		struct str found = json_scan_find(text, paths[i]);

		FUZZ_CHECK(!found.len || (found.ptr >= text.ptr && found.ptr + found.len <= text.ptr + text.len), "what is found lies inside");
	}
	json_scan_compact(text, &flat);
	buf_fini(&flat);
}

static void check_parsed(struct json_parser *parser, struct str text)
{
	struct buf tree = { 0 }, flat = { 0 };
	size_t used = 0;
	const struct json *value = json_parse(parser, text, &used);
	bool whole = json_scan_is_whole(text) && utf8_is_valid(text);

	FUZZ_CHECK(used <= text.len, "no more is used than there is");
	FUZZ_CHECK(value || !whole, "the parser takes what the lexer takes");
	if (!value)
		return;
	check_spans(str_head(text, used));
	check_value(value, &tree);
	buf_clear(&tree);
	json_dump(value, &tree);
	FUZZ_CHECK(json_scan_is_whole(buf_str(&tree)), "what is written is JSON");
	FUZZ_CHECK(utf8_is_valid(buf_str(&tree)), "and valid UTF-8");
	value = json_parse(parser, buf_str(&tree), &used);
	FUZZ_CHECK(value && used == tree.len, "and can be read again");
	json_dump(value, &flat);
	FUZZ_CHECK(str_equal(buf_str(&tree), buf_str(&flat)), "and stays the same");
	buf_fini(&tree);
	buf_fini(&flat);
}

/* An incomplete text leaves no state in the parser. */
static void check_forgotten(struct json_parser *parser)
{
	size_t used = 0;
	const struct json *value = json_parse(parser, STR("\"\\u0014\""), &used);

	FUZZ_CHECK(value && json_text(value).len == 1, "a parser remembers nothing");
}

static void check_cuts(struct str text, unsigned seed)
{
	struct json_scan scan;
	struct json_pretty pretty = { .pending = false };
	struct buf whole = { 0 }, pieces = { 0 };
	struct str rest = text;

	json_scan_init(&scan);
	json_scan_pretty(text, &whole);
	while (rest.len) {
		struct str piece = str_head(rest, fuzz_cut(&seed));

		json_scan_feed(&scan, piece);
		json_pretty_add(&pretty, piece, &pieces);
		rest = str_skip(rest, piece.len);
	}
	FUZZ_CHECK(json_scan_whole(&scan) == json_scan_is_whole(text), "cuts change nothing");
	FUZZ_CHECK(!json_scan_whole(&scan) || !json_scan_failed(&scan), "whole is not failed");
	FUZZ_CHECK(str_equal(buf_str(&whole), buf_str(&pieces)), "cuts change nothing of what is pretty");
	if (json_scan_whole(&scan)) {
		FUZZ_CHECK(json_scan_is_whole(buf_str(&whole)), "pretty is JSON");
		buf_clear(&pieces);
		json_scan_compact(text, &pieces);
		FUZZ_CHECK(json_scan_is_whole(buf_str(&pieces)), "compact is JSON");
	}
	buf_fini(&whole);
	buf_fini(&pieces);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct json_parser *parser;
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned seed = fuzz_byte(&in) + 1;

	if (!parser)
		parser = json_parser_new();
	check_parsed(parser, in.rest);
	check_forgotten(parser);
	check_cuts(in.rest, seed);
	return 0;
}
