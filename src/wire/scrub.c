#include "wire/scrub.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/json_scan.h"
#include "base/utf8.h"

/* --- characters --- */

#define LETTER_2 0xE4u     /* stands for characters of two bytes in UTF-8 */
#define LETTER_3 0x2135u   /* of three bytes */
#define WIDE_3 0x5B57u     /* of three bytes, two cells wide */
#define LETTER_4 0x1D465u  /* of four bytes */
#define EMOJI_4 0x1F600u   /* the same, an emoji */

static bool is_between(uint32_t code, uint32_t first, uint32_t last)
{
	return code >= first && code <= last;
}

/* Marks and punctuation say nothing of a text. */
static bool code_stays(uint32_t code)
{
	return is_between(code, 0x80, 0xBF) || is_between(code, 0x300, 0x36F) || is_between(code, 0x2000, 0x206F) || is_between(code, 0x2190, 0x23FF) ||
	       is_between(code, 0x2500, 0x27BF) || is_between(code, 0x3000, 0x303F) || is_between(code, 0xFE00, 0xFE0F) || code == 0xFEFF ||
	       code == 0xFFFD;
}

/* The character that stands for another; never of another length. */
static uint32_t code_replace(uint32_t code)
{
	if (code < 0x80)
		return char_is_digit((char)code) ? '7' : code >= 'a' && code <= 'z' ? 'x' : code >= 'A' && code <= 'Z' ? 'X' : code;
	if (code_stays(code))
		return code;
	if (code < 0x800)
		return LETTER_2;
	if (code < 0x10000)
		return is_between(code, 0x2E80, 0xA4CF) || is_between(code, 0xAC00, 0xD7A3) || is_between(code, 0xF900, 0xFAFF) ||
		       is_between(code, 0xFF00, 0xFFE6) ? WIDE_3 : LETTER_3;
	return code >= 0x1F000 && code < 0x20000 ? EMOJI_4 : LETTER_4;
}

static void add_code(struct buf *out, uint32_t code)
{
	char bytes[4];
	size_t len = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;

	for (size_t i = len; i-- > 1; code >>= 6)
		bytes[i] = (char)(0x80 | (code & 0x3F));
	bytes[0] = (char)(len == 1 ? code : (0xF00u >> len & 0xFF) | code);
	buf_add(out, str_of(bytes, len));
}

/* A byte that is no character becomes another of its kind: one that begins a sequence, continues one, or is in none. */
static char byte_replace(unsigned char byte)
{
	if (byte < 0xC0)
		return '\x9F';
	return byte >= 0xE0 && byte < 0xF0 ? '\xE2' : byte >= 0xF0 && byte < 0xF5 ? '\xF0' : '\xFF';
}

/* What stands for `bytes`, which are the character `code`, or none. */
static void add_replaced(struct buf *out, struct str bytes, uint32_t code, uint32_t replaced)
{
	if (code != 0xFFFD || str_is(bytes, "\xEF\xBF\xBD"))
		add_code(out, replaced);
	else
		for (size_t i = 0; i < bytes.len; i++)
			buf_add_byte(out, byte_replace((unsigned char)bytes.ptr[i]));
}

/* Replaces the character at the front of `*rest`. */
static void replace_next(struct str *rest, struct buf *out)
{
	struct str before = *rest;
	uint32_t code = utf8_next(rest);

	add_replaced(out, str_head(before, before.len - rest->len), code, code_replace(code));
}

/* The length of a tag at the front, which stays; also as it stands in JSON. */
static size_t tag_length(struct str text)
{
	static const char *const tags[] = { "<think>", "</think>", "\\u003cthink\\u003e", "\\u003c/think\\u003e" };

	for (size_t i = 0; i < ARRAY_LEN(tags); i++)
		if (str_starts(text, tags[i]))
			return strlen(tags[i]);
	return 0;
}

void scrub_text(struct str text, struct buf *out)
{
	while (text.len) {
		size_t tag = *text.ptr == '<' ? tag_length(text) : 0;

		buf_add(out, str_head(text, tag));
		text = str_skip(text, tag);
		if (!tag)
			replace_next(&text, out);
	}
}

/* --- ids --- */

static uint64_t mix(uint64_t x) /* the finalizer of SplitMix64 */
{
	x += 0x9E3779B97F4A7C15u;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return x ^ x >> 31;
}

/* What stays at the front of an id. */
static size_t id_prefix(struct str id)
{
	size_t at = 0;

	for (size_t i = 0; i < id.len; i++)
		if (id.ptr[i] == ':')
			at = i + 1;
	for (size_t i = 0; !at && i < id.len && char_is_word(id.ptr[i]) && !char_is_digit(id.ptr[i]); i++)
		if (i + 1 < id.len && (id.ptr[i + 1] == '_' || id.ptr[i + 1] == '-'))
			return i + 2;
	return at;
}

static void add_name(struct str name, uint64_t seed, struct buf *out)
{
	uint64_t state = seed;

	for (size_t i = 0; i < name.len; i++)
		state = mix(state ^ (unsigned char)name.ptr[i]);
	while (name.len) {
		char c = *name.ptr;

		state = mix(state);
		if (!char_is_word(c)) {
			replace_next(&name, out);
			continue;
		}
		buf_add_byte(out, char_is_digit(c) ? (char)('0' + state % 10) : (char)((c & 0x20 ? 'a' : 'A') + state % 26));
		name = str_skip(name, 1);
	}
}

void scrub_id(struct str id, uint64_t seed, struct buf *out)
{
	size_t prefix = id_prefix(id);

	buf_add(out, str_head(id, prefix));
	add_name(str_skip(id, prefix), seed, out);
}

/* --- JSON --- */

#define DEPTH_MOST 64
#define CALLS_MOST 64
#define KEY_MOST 32
#define WORD_MOST 128

/* What a string is, by the key that it stands behind; the key of an array is that of its elements. */
enum string_kind { STRING_TEXT, STRING_WORD, STRING_ID, STRING_NAME, STRING_ARGUMENTS };

static const struct { const char *key; enum string_kind kind; } keys[] = {
	{ "type", STRING_WORD }, { "object", STRING_WORD }, { "role", STRING_WORD }, { "event", STRING_WORD }, { "status", STRING_WORD },
	{ "code", STRING_WORD }, { "reason", STRING_WORD }, { "model", STRING_WORD }, { "routed_model", STRING_WORD },
	{ "modelVersion", STRING_WORD }, { "finish_reason", STRING_WORD }, { "native_finish_reason", STRING_WORD },
	{ "finishReason", STRING_WORD }, { "stop_reason", STRING_WORD }, { "done_reason", STRING_WORD }, { "blockReason", STRING_WORD },
	{ "category", STRING_WORD }, { "probability", STRING_WORD }, { "service_tier", STRING_WORD }, { "format", STRING_WORD },
	{ "created_at", STRING_WORD }, { "mime_type", STRING_WORD }, { "mimeType", STRING_WORD }, { "media_type", STRING_WORD },
	{ "effort", STRING_WORD }, { "tool_choice", STRING_WORD }, { "encoding_format", STRING_WORD }, { "currency", STRING_WORD },
	{ "required", STRING_WORD }, { "jsonPath", STRING_WORD }, { "include", STRING_WORD }, { "modality", STRING_WORD },
	{ "id", STRING_ID }, { "call_id", STRING_ID }, { "item_id", STRING_ID }, { "tool_call_id", STRING_ID }, { "tool_use_id", STRING_ID },
	{ "response_id", STRING_ID }, { "responseId", STRING_ID }, { "previous_response_id", STRING_ID }, { "request_id", STRING_ID },
	{ "system_fingerprint", STRING_ID }, { "user", STRING_ID },
	{ "name", STRING_NAME }, { "arguments", STRING_ARGUMENTS }, { "partial_json", STRING_ARGUMENTS },
};

/* JSON within strings: the arguments of a call, in pieces. */
struct inner {
	int64_t index;
	struct json_scan scan;
	bool escaped;       /* behind a backslash */
	unsigned hex_left;  /* of \uXXXX */
};

struct level {
	bool is_object, at_key;
	char key[KEY_MOST];
	int64_t index;      /* the member index or output_index; -1: none so far */
};

struct scrubber {
	uint64_t seed;
	struct buf *out;
	struct level levels[DEPTH_MOST];
	unsigned depth;     /* may exceed DEPTH_MOST: what is deeper counts to the last level */
	bool broken;        /* not JSON: the rest is text */
	bool delta_is_arguments; /* of an event whose type says so */
	struct inner inner[CALLS_MOST];
	size_t inner_count;
};

static struct level *level_of(struct scrubber *s)
{
	return s->depth && s->depth <= DEPTH_MOST ? &s->levels[s->depth - 1] : NULL;
}

static enum string_kind kind_of(const struct scrubber *s, const char *key)
{
	if (s->delta_is_arguments && !strcmp(key, "delta"))
		return STRING_ARGUMENTS;
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (!strcmp(keys[i].key, key))
			return keys[i].kind;
	return STRING_TEXT;
}

/* Length of the content of a string that begins at `text`; text.len if it does not end. */
static size_t content_length(struct str text)
{
	size_t at = 0;

	while (at < text.len && text.ptr[at] != '"')
		at += text.ptr[at] == '\\' && at + 1 < text.len ? 2 : 1;
	return at;
}

static bool is_index(const char *key)
{
	return !strcmp(key, "index") || !strcmp(key, "output_index");
}

/* The index that stands behind the arguments, in their object or the one around it; -1: none. */
static int64_t index_behind(struct str text)
{
	long long index;

	for (int depth = 0; text.len && depth >= -1; text = str_skip(text, 1)) {
		depth += *text.ptr == '{' || *text.ptr == '[' ? 1 : *text.ptr == '}' || *text.ptr == ']' ? -1 : 0;
		if (*text.ptr != '"')
			continue;
		struct str content = str_head(str_skip(text, 1), content_length(str_skip(text, 1))), value = str_skip(text, content.len + 2);
		size_t digits = 0;

		value = str_trim_start(str_skip(value, str_starts(value, ":")));
		while (digits < value.len && char_is_digit(value.ptr[digits]))
			digits++;
		if (depth <= 0 && (str_is(content, "index") || str_is(content, "output_index")) && str_to_int(str_head(value, digits), &index))
			return index;
		text = str_skip(text, content.len + 1);
	}
	return -1;
}

/* The call that the arguments belong to; `behind`: what follows them. */
static struct inner *inner_of(struct scrubber *s, struct str behind)
{
	unsigned top = s->depth < DEPTH_MOST ? s->depth : DEPTH_MOST;
	int64_t index = -1;

	for (unsigned i = top; index < 0 && i-- > 0;) {
		if (top - i == 3)
			index = index_behind(behind);
		if (index < 0)
			index = s->levels[i].index;
	}
	for (size_t i = 0; i < s->inner_count; i++)
		if (s->inner[i].index == index)
			return &s->inner[i];
	if (s->inner_count == CALLS_MOST)
		s->inner_count = 0;
	struct inner *inner = &s->inner[s->inner_count++];
	*inner = (struct inner){ .index = index };
	json_scan_init(&inner->scan);
	return inner;
}

/* What stands for a character of arguments: those of strings and numbers are replaced, keys, escapes and literals stay. */
static uint32_t inner_replace(struct inner *inner, uint32_t code, struct str bytes)
{
	enum json_scan_place place;
	bool within;

	if (json_scan_whole(&inner->scan) && code == '{')
		json_scan_init(&inner->scan); /* another call under the same index */
	place = json_scan_place(&inner->scan);
	json_scan_feed(&inner->scan, bytes);
	if (json_scan_failed(&inner->scan))
		return code_replace(code);
	if (place == JSON_SCAN_OUTSIDE)
		return code < 0x80 && char_is_digit((char)code) ? '7' : code;
	if (inner->hex_left) {
		inner->hex_left--;
		return place == JSON_SCAN_IN_KEY ? code : inner->hex_left > 1 ? '0' : inner->hex_left ? '7' : '8'; /* \u0078 is x */
	}
	within = inner->escaped;
	inner->escaped = !within && code == '\\';
	inner->hex_left = within && code == 'u' ? 4 : 0;
	return within || inner->escaped || place == JSON_SCAN_IN_KEY ? code : code_replace(code);
}

static void add_hex(struct buf *out, uint32_t code)
{
	buf_printf(out, "\\u%04x", code);
}

/* What an escape stands for, replaced. Halves of pairs stay halves. */
static void replace_escape(struct str escape, uint32_t code, struct inner *inner, struct buf *out)
{
	char byte = code < 0x80 ? (char)code : '?';
	uint32_t replaced = inner ? inner_replace(inner, code, str_of(&byte, 1)) : code_replace(code);

	if (escape.len == 12 || is_between(code, 0xD800, 0xDFFF)) {
		if (escape.len == 12 || code < 0xDC00)
			add_hex(out, 0xD83D);
		if (escape.len == 12 || code >= 0xDC00)
			add_hex(out, 0xDE00);
	} else if (escape.len == 6) {
		add_hex(out, replaced);
	} else {
		buf_add(out, escape);
	}
}

/* The content of a string, between its quotes. */
static void scrub_content(struct str content, struct inner *inner, struct buf *out)
{
	while (content.len) {
		struct str before = content;
		size_t tag = inner ? 0 : tag_length(content);
		uint32_t code;

		if (tag) {
			buf_add(out, str_head(content, tag));
			content = str_skip(content, tag);
		} else if (*content.ptr == '\\') {
			struct str escape = str_head(content, json_scan_escape(content, &code));

			replace_escape(escape, code, inner, out);
			content = str_skip(content, escape.len);
		} else if (!inner) {
			size_t plain = str_find(content, STR("\\"));

			scrub_text(str_head(content, plain), out);
			content = str_skip(content, plain);
		} else {
			code = utf8_next(&content);
			struct str bytes = str_head(before, before.len - content.len);

			add_replaced(out, bytes, code, inner_replace(inner, code, bytes));
		}
	}
}

bool scrub_model_is_own(struct str model)
{
	return str_starts(model, "ft:");
}

/* A word of a protocol; a sentence under such a key is not one, nor is the model of an organization. */
static bool is_word(struct str content)
{
	if (scrub_model_is_own(content))
		return false;
	for (size_t i = 0; i < content.len; i++)
		if (!char_is_word(content.ptr[i]) && !strchr("_-.:/$[]", content.ptr[i]))
			return false;
	return content.len <= WORD_MOST;
}

/* The kind of a string here. Within the arguments of a call, as an object, all is text. */
static enum string_kind string_kind_here(const struct scrubber *s)
{
	static const char *const of_calls[] = { "args", "input", "arguments" };
	const char *key = NULL;

	for (unsigned i = s->depth < DEPTH_MOST ? s->depth : DEPTH_MOST; i-- > 0;) {
		if (!s->levels[i].is_object)
			continue;
		for (size_t n = 0; key && n < ARRAY_LEN(of_calls); n++)
			if (!strcmp(s->levels[i].key, of_calls[n]))
				return STRING_TEXT;
		key = key ? key : s->levels[i].key;
	}
	return key ? kind_of(s, key) : STRING_TEXT;
}

/* `behind`: what follows the string. */
static void scrub_value_string(struct scrubber *s, struct str content, struct str behind)
{
	enum string_kind kind = string_kind_here(s);

	if (kind == STRING_WORD && is_word(content))
		buf_add(s->out, content);
	else if (kind == STRING_ID)
		scrub_id(content, s->seed, s->out);
	else if (kind == STRING_NAME)
		add_name(content, s->seed, s->out);
	else
		scrub_content(content, kind == STRING_ARGUMENTS ? inner_of(s, behind) : NULL, s->out);
}

/* A string at the front of `text`, behind its quote; returns what follows it. */
static struct str scrub_string(struct scrubber *s, struct str text)
{
	struct level *level = level_of(s);
	size_t len = content_length(text);
	struct str content = str_head(text, len);
	bool is_key = level && level->is_object && level->at_key;

	if (len == text.len) { /* broken off: of a key too, it may be a text whose quote was taken for its begin */
		scrub_content(content, NULL, s->out);
		return str_skip(text, len);
	}
	if (is_key) {
		buf_add(s->out, content);
		snprintf(level->key, sizeof level->key, "%.*s", (int)(len < KEY_MOST ? len : 0), content.ptr);
	} else {
		scrub_value_string(s, content, str_skip(text, len + 1));
	}
	buf_add_byte(s->out, '"');
	return str_skip(text, len + 1);
}

static void scrub_open(struct scrubber *s, bool is_object)
{
	if (s->depth++ < DEPTH_MOST)
		s->levels[s->depth - 1] = (struct level){ .is_object = is_object, .at_key = is_object, .index = -1 };
}

/* A number says which call arguments belong to. Letters outside of strings are literals, or no JSON. */
static struct str scrub_outside(struct scrubber *s, struct str text)
{
	static const char *const literals[] = { "true", "false", "null" };
	struct level *level = level_of(s);
	size_t len = 1;
	long long number;

	for (size_t i = 0; i < ARRAY_LEN(literals); i++)
		if (str_starts(text, literals[i]))
			len = strlen(literals[i]);
	while (char_is_digit(*text.ptr) && len < text.len && char_is_digit(text.ptr[len]))
		len++;
	if (level && is_index(level->key) && str_to_int(str_head(text, len), &number))
		level->index = number;
	s->broken |= len == 1 && char_is_word(*text.ptr) && !char_is_digit(*text.ptr) && *text.ptr != 'e' && *text.ptr != 'E';
	if (s->broken)
		scrub_text(str_head(text, len), s->out);
	else
		buf_add(s->out, str_head(text, len));
	return str_skip(text, len);
}

/* A line, or all, of a JSON text. What stands behind a mistake is treated as text. */
static void scrub_piece(struct scrubber *s, struct str text)
{
	while (text.len && !s->broken) {
		struct level *level = level_of(s);
		char c = *text.ptr;

		if (c == '"') {
			buf_add_byte(s->out, c);
			text = scrub_string(s, str_skip(text, 1));
			continue;
		}
		if (!strchr("{}[],:", c)) {
			text = scrub_outside(s, text);
			continue;
		}
		if (c == '{' || c == '[')
			scrub_open(s, c == '{');
		else if (c == '}' || c == ']')
			s->depth -= s->depth > 0;
		else if (level)
			level->at_key = c == ',' && level->is_object;
		buf_add_byte(s->out, c);
		text = str_skip(text, 1);
	}
	scrub_text(text, s->out);
}

static void scrubber_begin(struct scrubber *s, struct str json)
{
	struct str type = json_scan_is_whole(json) ? json_scan_find(json, (const char *const[]){ "type", NULL }) : STR_NONE;

	s->depth = 0;
	s->broken = false;
	s->delta_is_arguments = str_find(type, STR("arguments")) < type.len || str_find(type, STR("tool_call_input")) < type.len;
}

void scrub_json(struct str json, uint64_t seed, struct buf *out)
{
	struct scrubber s = { .seed = seed, .out = out };

	scrubber_begin(&s, json);
	scrub_piece(&s, json);
}

/* --- bodies --- */

/* The value of a field `data`; several lines of an event are one JSON text. */
static void scrub_data(struct scrubber *s, struct str value, bool begins)
{
	struct str seen = str_trim(value);

	if (str_is(seen, "[DONE]")) {
		buf_add(s->out, value);
		return;
	}
	if (begins)
		scrubber_begin(s, seen);
	if (begins && !str_starts(seen, "{") && !str_starts(seen, "[") && !json_scan_is_whole(seen))
		s->broken = true;
	scrub_piece(s, value);
}

/* Where a line of an event stream stands. */
struct place {
	bool data;  /* the event has a line of data already */
	bool raw;   /* in JSON that is no field, over several lines */
};

/* A line without its end. */
static void scrub_line(struct scrubber *s, struct str line, struct place *place)
{
	size_t colon = str_find(line, STR(":"));
	struct str field = str_head(line, colon), value = str_skip(line, colon);

	if (place->raw) {
		scrub_piece(s, line);
	} else if (str_starts(line, "{") || str_starts(line, "[")) {
		scrub_data(s, line, true);
		place->raw = true;
	} else if ((str_is(field, "data") || str_is(field, "error")) && value.len) {
		buf_add(s->out, str_head(line, colon + 1));
		scrub_data(s, str_skip(value, 1), !place->data);
		place->data = true;
	} else if (str_is(field, "event") || str_is(field, "retry")) {
		buf_add(s->out, line);
	} else if (str_is(field, "id")) {
		buf_add(s->out, field);
		scrub_id(value, s->seed, s->out);
	} else {
		scrub_text(line, s->out);
	}
	place->raw = place->raw && s->depth && !s->broken;
}

static void scrub_event_stream(struct scrubber *s, struct str body)
{
	struct place place = { false, false };

	while (body.len) {
		size_t end = 0;

		while (end < body.len && body.ptr[end] != '\n' && body.ptr[end] != '\r')
			end++;
		if (end)
			scrub_line(s, str_head(body, end), &place);
		place.data = place.data && end;
		buf_add(s->out, str_head(str_skip(body, end), 1));
		if (end + 1 < body.len && body.ptr[end] == '\r' && body.ptr[end + 1] == '\n')
			buf_add_byte(s->out, '\n'), end++;
		body = str_skip(body, end + 1);
	}
}

void scrub_body(struct str body, uint64_t seed, struct buf *out)
{
	struct scrubber s = { .seed = seed, .out = out };
	struct str seen = str_trim_start(str_starts(body, "\xef\xbb\xbf") ? str_skip(body, 3) : body), line;

	buf_add(out, str_head(body, body.len - seen.len));
	if (!str_starts(seen, "{") && !str_starts(seen, "[")) {
		scrub_event_stream(&s, seen);
		return;
	}
	while (str_split(&seen, '\n', &line)) { /* one value, or one a line */
		if (!s.depth)
			scrubber_begin(&s, line);
		scrub_piece(&s, line);
		if (line.ptr + line.len < body.ptr + body.len)
			buf_add_byte(out, '\n');
	}
}
