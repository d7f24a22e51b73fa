#include "base/json_scan.h"

#include <string.h>

#include "base/array.h"

enum state {
	VALUE,          /* a value is expected; the initial state */
	FIRST_ITEM,     /* a value or the end of an empty array */
	FIRST_KEY,      /* a key or the end of an empty object */
	KEY,
	COLON,
	AFTER,          /* after a value: a comma, a closing bracket, or at depth 0 nothing */
	STRING,
	ESCAPE,
	HEX,
	KEY_STRING,     /* the same three states for a key */
	KEY_ESCAPE,
	KEY_HEX,
	LITERAL,
	MINUS,
	ZERO,
	WHOLE,
	POINT,
	FRACTION,
	EXPONENT,
	EXPONENT_SIGN,
	EXPONENT_DIGITS,
};

static const char *const literals[] = { "true", "false", "null" };

void json_scan_init(struct json_scan *scan)
{
	*scan = (struct json_scan){ .state = VALUE };
}

size_t json_scan_plain(struct str s)
{
	size_t i = 0;

	while (i + 8 <= s.len && json_scan_plain_block(s.ptr + i))
		i += 8;
	while (i < s.len && (unsigned char)s.ptr[i] >= 0x20 && s.ptr[i] != '"' && s.ptr[i] != '\\')
		i++;
	return i;
}

/* Number of bytes before the next significant byte of a string; 0 outside of strings and in escapes. */
static size_t scan_plain_length(const struct json_scan *scan, struct str s)
{
	return scan->state == STRING || scan->state == KEY_STRING ? json_scan_plain(s) : 0;
}

static bool is_number_end(uint8_t state)
{
	return state == ZERO || state == WHOLE || state == FRACTION || state == EXPONENT_DIGITS;
}

static bool scan_in_object(const struct json_scan *scan)
{
	unsigned level = scan->depth - 1u;

	return scan->depth && (scan->stack[level / 8] >> level % 8 & 1);
}

static bool scan_open_level(struct json_scan *scan, bool object)
{
	uint8_t bit = (uint8_t)(1u << scan->depth % 8);

	scan->too_deep = scan->depth == JSON_SCAN_DEPTH;
	if (scan->too_deep)
		return false;
	if (object)
		scan->stack[scan->depth / 8] |= bit;
	else
		scan->stack[scan->depth / 8] &= (uint8_t)~bit;
	scan->depth++;
	scan->state = object ? FIRST_KEY : FIRST_ITEM;
	return true;
}

static bool scan_close_level(struct json_scan *scan, char c)
{
	if (scan->depth == 0 || c != (scan_in_object(scan) ? '}' : ']'))
		return false;
	scan->depth--;
	scan->state = AFTER;
	return true;
}

static bool begin_literal(struct json_scan *scan, char c)
{
	for (uint8_t i = 0; i < ARRAY_LEN(literals); i++) {
		if (literals[i][0] != c)
			continue;
		scan->state = LITERAL;
		scan->literal = i;
		scan->literal_at = 1;
		return true;
	}
	return false;
}

static bool scan_begin_value(struct json_scan *scan, char c)
{
	if (c == '{' || c == '[')
		return scan_open_level(scan, c == '{');
	if (c == '"')
		scan->state = STRING;
	else if (c == '-')
		scan->state = MINUS;
	else if (char_is_digit(c))
		scan->state = c == '0' ? ZERO : WHOLE;
	else
		return begin_literal(scan, c);
	return true;
}

static bool after_value(struct json_scan *scan, char c)
{
	if (c != ',')
		return scan_close_level(scan, c);
	scan->state = scan_in_object(scan) ? KEY : VALUE;
	return scan->depth != 0;
}

/* `first` is STRING or KEY_STRING; the escape states follow each in the same order. */
static bool in_string(struct json_scan *scan, char c, uint8_t first)
{
	if (scan->state == first) {
		if (c == '"')
			scan->state = first == STRING ? AFTER : COLON;
		else if (c == '\\')
			scan->state++;
		return (unsigned char)c >= 0x20;
	}
	if (scan->state == first + 1) {
		scan->state = c == 'u' ? first + 2 : first;
		scan->hex_left = 4;
		return c == 'u' || (c && strchr("\"\\/bfnrt", c));
	}
	if (--scan->hex_left == 0)
		scan->state = first;
	return char_hex(c) >= 0;
}

/* The next state in a number after `c`; AFTER when `c` is not part of the number. */
static uint8_t next_number_state(uint8_t state, char c)
{
	bool digit = char_is_digit(c);

	if (digit && state == MINUS)
		return c == '0' ? ZERO : WHOLE;
	if (digit && state != ZERO)
		return state == POINT ? FRACTION : state == EXPONENT || state == EXPONENT_SIGN ? EXPONENT_DIGITS : state;
	if (c == '.' && (state == ZERO || state == WHOLE))
		return POINT;
	if ((c == 'e' || c == 'E') && is_number_end(state) && state != EXPONENT_DIGITS)
		return EXPONENT;
	if ((c == '+' || c == '-') && state == EXPONENT)
		return EXPONENT_SIGN;
	return AFTER;
}

static bool in_literal(struct json_scan *scan, char c)
{
	const char *word = literals[scan->literal];

	if (word[scan->literal_at++] != c)
		return false;
	if (!word[scan->literal_at])
		scan->state = AFTER;
	return true;
}

/* Handles a non-blank byte outside of strings, literals and numbers. */
static bool structural(struct json_scan *scan, char c)
{
	if (scan->state == AFTER)
		return after_value(scan, c);
	if (scan->state == COLON) {
		scan->state = VALUE;
		return c == ':';
	}
	if ((scan->state == FIRST_ITEM && c == ']') || (scan->state == FIRST_KEY && c == '}'))
		return scan_close_level(scan, c);
	if (scan->state == VALUE || scan->state == FIRST_ITEM)
		return scan_begin_value(scan, c);
	scan->state = KEY_STRING;
	return c == '"';
}

static bool in_any_string(uint8_t state)
{
	return state >= STRING && state <= KEY_HEX;
}

static bool scan_step(struct json_scan *scan, char c)
{
	if (in_any_string(scan->state))
		return in_string(scan, c, scan->state < KEY_STRING ? STRING : KEY_STRING);
	if (scan->state == LITERAL)
		return in_literal(scan, c);
	if (scan->state >= MINUS) {
		bool whole = is_number_end(scan->state);

		scan->state = next_number_state(scan->state, c);
		if (scan->state != AFTER)
			return true;
		if (!whole)
			return false;
	}
	return char_is_blank(c) || structural(scan, c);
}

void json_scan_feed(struct json_scan *scan, struct str text)
{
	for (size_t i = 0; i < text.len && !scan->failed; i++) {
		i += scan_plain_length(scan, str_of(text.ptr + i, text.len - i));
		if (i < text.len)
			scan->failed = !scan_step(scan, text.ptr[i]);
	}
}

bool json_scan_whole(const struct json_scan *scan)
{
	return !scan->failed && scan->depth == 0 && (scan->state == AFTER || is_number_end(scan->state));
}

bool json_scan_failed(const struct json_scan *scan)
{
	return scan->failed;
}

enum json_scan_place json_scan_place(const struct json_scan *scan)
{
	return !in_any_string(scan->state) ? JSON_SCAN_OUTSIDE : scan->state < KEY_STRING ? JSON_SCAN_IN_STRING : JSON_SCAN_IN_KEY;
}

bool json_scan_is_too_deep(struct str text)
{
	struct json_scan scan;

	json_scan_init(&scan);
	json_scan_feed(&scan, text);
	return scan.too_deep;
}

bool json_scan_is_whole(struct str text)
{
	struct json_scan scan;

	json_scan_init(&scan);
	json_scan_feed(&scan, text);
	return json_scan_whole(&scan);
}

#define INDENTED_DEPTH 32 /* deeper levels are indented as this one, which bounds the output per input byte */

/* Collects small pieces for a buffer. */
struct pretty_block { struct buf *out; size_t len; char bytes[1024]; };

static void block_flush(struct pretty_block *block)
{
	buf_add(block->out, str_of(block->bytes, block->len));
	block->len = 0;
}

static void block_add(struct pretty_block *block, struct str text)
{
	if (text.len > sizeof block->bytes - block->len)
		block_flush(block);
	if (text.len > sizeof block->bytes) {
		buf_add(block->out, text);
		return;
	}
	memcpy(block->bytes + block->len, text.ptr, text.len);
	block->len += text.len;
}

static void block_add_byte(struct pretty_block *block, char c)
{
	if (block->len == sizeof block->bytes)
		block_flush(block);
	block->bytes[block->len++] = c;
}

/* Begins a line with the indentation of `depth`. */
static void scan_new_line(struct pretty_block *block, unsigned depth)
{
	static const char line[] = "\n                                                                ";

	_Static_assert(sizeof line == 2 + 2 * INDENTED_DEPTH, "blanks for the deepest line");

	block_add(block, str_of(line, 1 + 2 * (depth < INDENTED_DEPTH ? depth : INDENTED_DEPTH)));
}

/* Writes a non-blank byte outside of strings. `*pending`: a line break is due before it, unless it closes an empty container. */
static void pretty_byte(struct pretty_block *block, char c, unsigned depth, bool *pending)
{
	bool opens = c == '{' || c == '[';
	bool closes = c == '}' || c == ']';

	if (*pending != closes)
		scan_new_line(block, opens ? depth - 1 : depth);
	block_add_byte(block, c);
	if (c == ':')
		block_add_byte(block, ' ');
	*pending = opens || c == ',';
}

void json_pretty_add(struct json_pretty *pretty, struct str piece, struct buf *out)
{
	struct json_scan *scan = &pretty->scan;
	struct pretty_block block;
	size_t at = 0;

	block.out = out;
	block.len = 0;
	while (at < piece.len && !scan->failed) {
		bool inside = in_any_string(scan->state);
		size_t plain = scan_plain_length(scan, str_of(piece.ptr + at, piece.len - at));

		if (plain)
			block_add(&block, str_of(piece.ptr + at, plain));
		at += plain;
		if (at == piece.len)
			break;
		scan->failed = !scan_step(scan, piece.ptr[at]);
		if (scan->failed)
			break;
		if (inside)
			block_add_byte(&block, piece.ptr[at]);
		else if (!char_is_blank(piece.ptr[at]))
			pretty_byte(&block, piece.ptr[at], scan->depth, &pretty->pending);
		at++;
	}
	block_flush(&block);
	buf_add(out, str_skip(piece, at));
}

void json_scan_pretty(struct str partial, struct buf *out)
{
	struct json_pretty pretty = { 0 };

	json_pretty_add(&pretty, partial, out);
}
