/*
 * Parses texts to trees of json-c. The grammar is read here: versions of json-c differ in what their own parser refuses.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/json_inside.h"
#include "base/json_scan.h"
#include "base/libraries.h"
#include "base/mem.h"
#include "base/utf8.h"

/* Upper bounds of the memory that json-c allocates for a tree: an object starts with room for 16 members, and its table doubles. */
#define CONTAINER_BYTES 800
#define VALUE_BYTES 72
#define MEMBER_BYTES 200

struct json_parser {
	struct json_object *root;
	struct buf key;
	struct buf repaired, decoded; /* of the string or number that is read */
	bool too_large;
};

const char json_inside_null;

struct json_parser *json_parser_new(void)
{
	struct json_parser *parser = mem_new(sizeof *parser);

	/* In the worst case each byte becomes U+FFFD. */
	buf_init(&parser->key, 3 * JSON_TEXT_MOST);
	buf_init(&parser->repaired, 3 * JSON_TEXT_MOST);
	return parser;
}

static void json_parser_clear(struct json_parser *parser)
{
	json_object_put(parser->root);
	parser->root = NULL;
	parser->too_large = false;
}

void json_parser_free(struct json_parser *parser)
{
	if (!parser)
		return;
	json_parser_clear(parser);
	buf_fini(&parser->key);
	buf_fini(&parser->repaired);
	buf_fini(&parser->decoded);
	mem_free(parser);
}

/* A text while it is parsed. The functions that read it stop at the first byte that does not belong there and return false. */
struct json_reader {
	struct json_parser *parser;
	const char *start, *at, *end;
	const struct json_pack *packs; /* those that were not met yet */
	size_t pack_count;
	bool is_shallow; /* what is too deep is skipped */
	unsigned depth;
	size_t tree_bytes;
};

static struct str reader_rest(const struct json_reader *r)
{
	return str_of(r->at, (size_t)(r->end - r->at));
}

static bool reader_sees(const struct json_reader *r, char c)
{
	return r->at < r->end && *r->at == c;
}

static bool reader_takes(struct json_reader *r, char c)
{
	bool sees = reader_sees(r, c);

	r->at += sees;
	return sees;
}

static void reader_skip_blanks(struct json_reader *r)
{
	while (r->at < r->end && char_is_blank(*r->at))
		r->at++;
}

/* --- the tree --- */

static bool tree_has_room(struct json_reader *r, size_t bytes)
{
	r->tree_bytes += bytes;
	r->parser->too_large |= r->tree_bytes > JSON_TREE_MOST;
	return !r->parser->too_large;
}

/* json-c returns NULL when an allocation fails. */
static struct json_object *tree_made(struct json_object *value)
{
	if (!value)
		mem_die(VALUE_BYTES);
	return value;
}

/* Adds a value, NULL for null, to its container, which owns it from here on. Of a duplicate key the last value is kept. */
static void tree_add(struct json_parser *parser, struct json_object *container, struct json_object *value)
{
	int failed = 0;

	if (!container)
		parser->root = value;
	else if (json_object_is_type(container, json_type_array))
		failed = json_object_array_add(container, value);
	else
		failed = json_object_object_add(container, buf_z(&parser->key), value);
	if (failed)
		mem_die(MEMBER_BYTES);
}

static void free_sent(struct json_object *value, void *sent)
{
	struct json_sent *of = sent;

	(void)value;
	blob_drop(of->packed);
	buf_fini(&of->whole);
	mem_free(of);
}

/* Padding behind a pack becomes part of it. Its bytes have no other holder but the framer yet. */
static bool take_padding(struct blob *packed, struct str after)
{
	struct buf again = { 0 };
	size_t before = packed->bytes.len;
	bool good = after.len == 4 && base64_decode(after, &packed->bytes);

	base64_encode(str_skip(blob_str(packed), before), &again);
	good = good && str_equal(buf_str(&again), after);
	buf_fini(&again);
	if (!good)
		buf_remove(&packed->bytes, before, packed->bytes.len);
	return good;
}

static struct json_object *tree_keep_sent(struct json_object *value, struct str text)
{
	struct json_sent *sent = mem_new(sizeof *sent + text.len + 1);

	sent->len = text.len;
	memcpy(sent->text, text.ptr, text.len);
	json_object_set_userdata(value, sent, free_sent);
	return value;
}

/* --- strings --- */

/* Reads up to the closing quote. `*content` is what stands between the quotes. Control bytes are accepted. */
static bool read_quoted(struct json_reader *r, struct str *content, bool *has_escapes)
{
	const char *first = ++r->at;
	uint32_t code;

	*has_escapes = false;
	for (;;) {
		r->at += json_scan_plain(reader_rest(r));
		if (r->at == r->end)
			return false;
		if (*r->at == '"')
			break;
		size_t len = *r->at == '\\' ? json_scan_escape(reader_rest(r), &code) : 0;
		r->at += len ? len : 1;
		if (len == 1)
			return false;
		*has_escapes |= len > 0;
	}
	*content = str_of(first, (size_t)(r->at++ - first));
	return true;
}

/* The characters of a string. With `keep_halves` a lone surrogate is three bytes (WTF-8), else U+FFFD. Valid until the next call. */
static struct str decoded(struct json_parser *parser, struct str content, bool has_escapes, bool keep_halves)
{
	if (!utf8_is_valid(content)) {
		buf_clear(&parser->repaired);
		utf8_repair(content, &parser->repaired);
		content = buf_str(&parser->repaired);
	}
	if (!has_escapes)
		return content;
	buf_clear(&parser->decoded);
	json_scan_unescape(content, keep_halves, &parser->decoded);
	return buf_str(&parser->decoded);
}

/* A string in which the next pack stands, and nothing else that changes its text. */
static bool read_packed(struct json_reader *r, struct json_object *container, struct str content)
{
	struct json_pack pack = *r->packs++;
	size_t first = (size_t)(content.ptr - r->start);

	r->pack_count--;
	if (pack.at < first || (r->pack_count && r->packs->at <= first + content.len))
		return false;
	struct json_sent *sent = mem_new(sizeof *sent + 1);
	*sent = (struct json_sent){ .packed = blob_hold(pack.bytes), .at = pack.at - first };
	if (take_padding(pack.bytes, str_skip(content, sent->at)))
		content = str_head(content, sent->at);
	struct json_object *value = tree_made(json_object_new_string_len(content.ptr, (int)content.len));
	json_object_set_userdata(value, sent, free_sent);
	tree_add(r->parser, container, value);
	return true;
}

static bool read_string(struct json_reader *r, struct json_object *container)
{
	struct json_object *value;
	struct str content, text;
	bool has_escapes;

	if (!read_quoted(r, &content, &has_escapes))
		return false;
	if (r->pack_count && r->packs->at < (size_t)(r->at - r->start))
		return !has_escapes && read_packed(r, container, content);
	text = decoded(r->parser, content, has_escapes, false);
	value = tree_made(json_object_new_string_len(text.ptr, (int)text.len));
	if (has_escapes) {
		text = decoded(r->parser, content, true, true);
		if (!utf8_is_valid(text))
			tree_keep_sent(value, text);
	}
	tree_add(r->parser, container, value);
	return true;
}

/* Keys of json-c end at a NUL, and "error\u0000" is not "error": a NUL becomes U+FFFD. */
static bool read_key(struct json_reader *r)
{
	struct buf *key = &r->parser->key;
	struct str content, text;
	bool has_escapes;

	if (!reader_sees(r, '"') || !read_quoted(r, &content, &has_escapes))
		return false;
	text = decoded(r->parser, content, has_escapes, false);
	buf_clear(key);
	for (size_t nul; (nul = str_find(text, STR("\0"))) < text.len; text = str_skip(text, nul + 1)) {
		buf_add(key, str_head(text, nul));
		buf_add(key, STR("\xEF\xBF\xBD"));
	}
	buf_add(key, text);
	return true;
}

/* --- numbers and words --- */

static bool read_digits(struct json_reader *r)
{
	const char *first = r->at;

	while (r->at < r->end && char_is_digit(*r->at))
		r->at++;
	return r->at > first;
}

/* A number beyond 64 bits, with a fraction or an exponent, or -0: its text is kept. */
static struct json_object *new_real(struct json_parser *parser, struct str text)
{
	buf_clear(&parser->decoded);
	buf_add(&parser->decoded, text);
	return tree_keep_sent(tree_made(json_object_new_double(strtod(buf_z(&parser->decoded), NULL))), text);
}

/* Zeros in front and a point without digits behind it are accepted. */
static bool read_number(struct json_reader *r, struct json_object *container)
{
	const char *first = r->at;
	bool negative = reader_takes(r, '-'), is_integer = true;
	struct str digits = reader_rest(r);
	long long number;

	if (!read_digits(r))
		return false;
	digits.len -= (size_t)(r->end - r->at);
	if (reader_takes(r, '.')) {
		read_digits(r);
		is_integer = false;
	}
	if (reader_takes(r, 'e') || reader_takes(r, 'E')) {
		if (!reader_takes(r, '-'))
			reader_takes(r, '+');
		if (!read_digits(r))
			return false;
		is_integer = false;
	}
	is_integer = is_integer && str_to_int(digits, &number) && !(negative && str_is(digits, "0"));
	tree_add(r->parser, container, is_integer ? tree_made(json_object_new_int64(negative ? -number : number))
	                                          : new_real(r->parser, str_of(first, (size_t)(r->at - first))));
	return true;
}

/* Python writes the last three; they are null. */
static bool read_word(struct json_reader *r, struct json_object *container)
{
	static const char *const words[] = { "true", "false", "null", "NaN", "Infinity", "-Infinity" };
	const char *word = NULL;

	for (size_t i = 0; i < ARRAY_LEN(words) && !word; i++)
		if (reader_sees(r, words[i][0]))
			word = words[i];
	if (!word)
		return false;
	for (const char *c = word; *c; c++)
		if (!reader_takes(r, *c))
			return false;
	tree_add(r->parser, container, word[0] == 't' || word[0] == 'f' ? tree_made(json_object_new_boolean(word[0] == 't')) : NULL);
	return true;
}

/* --- values --- */

static bool read_value(struct json_reader *r, struct json_object *container);

static bool read_member(struct json_reader *r, struct json_object *object)
{
	reader_skip_blanks(r);
	if (!tree_has_room(r, MEMBER_BYTES) || !read_key(r))
		return false;
	reader_skip_blanks(r);
	return reader_takes(r, ':') && read_value(r, object);
}

/* By brackets and strings only. */
static bool skip_container(struct json_reader *r)
{
	struct str content;
	bool has_escapes;
	size_t open = 0;

	do {
		if (reader_sees(r, '"')) {
			if (!read_quoted(r, &content, &has_escapes))
				return false;
			continue;
		}
		if (r->at == r->end)
			return false;
		open += *r->at == '{' || *r->at == '[';
		open -= *r->at == '}' || *r->at == ']';
		r->at++;
	} while (open);
	return true;
}

/* A container is added before it is filled, so that the root owns all that was read. */
static bool read_container(struct json_reader *r, struct json_object *container, bool is_object)
{
	struct json_object *value;
	char close = is_object ? '}' : ']';

	if (r->depth == JSON_SCAN_DEPTH && r->is_shallow) {
		tree_add(r->parser, container, NULL);
		return skip_container(r);
	}
	if (++r->depth > JSON_SCAN_DEPTH || !tree_has_room(r, CONTAINER_BYTES))
		return false;
	value = tree_made(is_object ? json_object_new_object() : json_object_new_array());
	tree_add(r->parser, container, value);
	r->at++;
	reader_skip_blanks(r);
	if (!reader_sees(r, close)) {
		do {
			if (!(is_object ? read_member(r, value) : read_value(r, value)))
				return false;
		} while (reader_takes(r, ','));
	}
	r->depth--;
	return reader_takes(r, close);
}

/* Reads a value and the blanks around it. */
static bool read_value(struct json_reader *r, struct json_object *container)
{
	bool good;

	reader_skip_blanks(r);
	if (r->at == r->end || !tree_has_room(r, VALUE_BYTES))
		return false;
	if (*r->at == '{' || *r->at == '[')
		good = read_container(r, container, *r->at == '{');
	else if (*r->at == '"')
		good = read_string(r, container);
	else if (char_is_digit(*r->at) || (*r->at == '-' && !str_starts(reader_rest(r), "-I")))
		good = read_number(r, container);
	else
		good = read_word(r, container);
	if (good)
		reader_skip_blanks(r);
	return good;
}

static const struct json *parse(struct json_reader r, struct str text, size_t *used)
{
	struct json_parser *parser = r.parser;

	r.start = r.at = text.ptr;
	r.end = text.len ? text.ptr + text.len : text.ptr;
	json_parser_clear(parser);
	parser->too_large = text.len > JSON_TEXT_MOST;
	bool good = !parser->too_large && read_value(&r, NULL) && !r.pack_count;
	*used = parser->too_large || !text.len ? 0 : (size_t)(r.at - text.ptr);
	if (!good) {
		json_object_put(parser->root);
		parser->root = NULL;
		return NULL;
	}
	return parser->root ? json_inside_value(parser->root) : (const struct json *)&json_inside_null;
}

const struct json *json_parse(struct json_parser *parser, struct str text, size_t *used)
{
	return parse((struct json_reader){ .parser = parser }, text, used);
}

const struct json *json_parse_shallow(struct json_parser *parser, struct str text, size_t *used)
{
	return parse((struct json_reader){ .parser = parser, .is_shallow = true }, text, used);
}

const struct json *json_parse_packed(struct json_parser *parser, struct str text, const struct json_pack *packs, size_t count, size_t *used)
{
	return parse((struct json_reader){ .parser = parser, .packs = packs, .pack_count = count }, text, used);
}

struct str json_unpack(struct str text, const struct json_pack *packs, size_t count, struct buf *out)
{
	size_t done = 0;

	buf_clear(out);
	for (size_t i = 0; i < count; i++) {
		buf_add(out, str_head(str_skip(text, done), packs[i].at - done));
		base64_encode(str_head(blob_str(packs[i].bytes), packs[i].len), out);
		done = packs[i].at;
	}
	buf_add(out, str_skip(text, done));
	return buf_str(out);
}

bool json_was_too_large(const struct json_parser *parser)
{
	return parser->too_large;
}

void json_write_libraries(struct buf *out)
{
	buf_printf(out, "json-c %s\n", json_c_version());
}
