/* Characters, names, and values without JSON. */
#include <string.h>

#include "base/array.h"
#include "base/base64.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "wire/media.h"
#include "wire/scrub_inside.h"

struct scrub *scrub_new(uint64_t seed)
{
	struct scrub *s = mem_new(sizeof *s);

	*s = (struct scrub){ scrub_words_new(), seed };
	return s;
}

void scrub_free(struct scrub *s)
{
	scrub_words_free(s->words);
	mem_free(s);
}

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

/* Marks and punctuation say nothing of a text; letters and digits among them do. */
static bool code_stays(uint32_t code)
{
	static const uint32_t telling[] = { 0xAA, 0xB2, 0xB3, 0xB5, 0xB9, 0xBA, 0xBC, 0xBD, 0xBE, 0x3005, 0x3006, 0x3007 };

	for (size_t i = 0; i < ARRAY_LEN(telling); i++)
		if (code == telling[i])
			return false;
	return is_between(code, 0x80, 0xBF) || is_between(code, 0x300, 0x36F) || is_between(code, 0x2000, 0x206F) ||
	       is_between(code, 0x2190, 0x23FF) ||
	       is_between(code, 0x2500, 0x2775) || is_between(code, 0x2794, 0x27BF) || is_between(code, 0x3000, 0x3020) ||
	       is_between(code, 0xFE00, 0xFE0F) || code == 0xFEFF || code == 0xFFFD;
}

uint32_t scrub_code(uint32_t code)
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

/* A byte that is no character becomes another of its kind: one that begins a sequence, continues one, or is in none. */
static char byte_replace(unsigned char byte)
{
	if (byte < 0xC0)
		return '\x9F';
	return byte >= 0xE0 && byte < 0xF0 ? '\xE2' : byte >= 0xF0 && byte < 0xF5 ? '\xF0' : '\xFF';
}

void scrub_bytes(struct buf *out, struct str bytes, uint32_t code, uint32_t replaced)
{
	char character[4];

	if (code != 0xFFFD || str_is(bytes, "\xEF\xBF\xBD"))
		buf_add(out, str_of(character, utf8_put(character, replaced)));
	else
		for (size_t i = 0; i < bytes.len; i++)
			buf_add_byte(out, byte_replace((unsigned char)bytes.ptr[i]));
}

/* Replaces the character at the front of `*rest`. */
static void replace_next(struct str *rest, struct buf *out)
{
	struct str before = *rest;
	uint32_t code = utf8_next(rest);

	scrub_bytes(out, str_head(before, before.len - rest->len), code, scrub_code(code));
}

size_t scrub_tag(struct str text)
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
		size_t tag = *text.ptr == '<' ? scrub_tag(text) : 0;

		buf_add(out, str_head(text, tag));
		text = str_skip(text, tag);
		if (!tag)
			replace_next(&text, out);
	}
}

/* --- names --- */

static uint64_t mix(uint64_t x) /* the finalizer of SplitMix64 */
{
	x += 0x9E3779B97F4A7C15u;
	x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
	x = (x ^ x >> 27) * 0x94D049BB133111EBu;
	return x ^ x >> 31;
}

/* Moves a letter or digit within its class; others stay. */
static char char_shift(char c, uint64_t by)
{
	if (char_is_digit(c))
		return (char)('0' + (unsigned)(c - '0' + (int)(by % 10)) % 10);
	if (!char_is_word(c))
		return c;
	char first = c >= 'a' ? 'a' : 'A';
	return (char)(first + (c - first + (int)(by % 26)) % 26);
}

/*
 * Each character moves by what the ones before it were, from the front and then from the back, so that the result depends on all of them.
 * Both ways can be undone by who knows the seed: two names never become the same.
 */
static void name_cipher(char *name, size_t len, uint64_t seed)
{
	for (unsigned pass = 0; pass < 2; pass++) {
		uint64_t state = mix(seed + pass) ^ len;

		for (size_t i = 0; i < len; i++) {
			char *at = &name[pass ? len - 1 - i : i], was = *at;

			state = mix(state);
			*at = char_shift(was, state);
			state ^= (unsigned char)was;
		}
	}
}

void scrub_name(const struct scrub *s, struct str name, struct buf *out)
{
	size_t start = out->len;

	while (name.len)
		if (char_is_word(*name.ptr)) {
			buf_add_byte(out, *name.ptr);
			name = str_skip(name, 1);
		} else {
			replace_next(&name, out);
		}
	if (out->len > start)
		name_cipher(out->ptr + start, out->len - start, s->seed);
}

void scrub_id(const struct scrub *s, struct str id, struct buf *out)
{
	size_t front = scrub_id_front(s->words, id);

	buf_add(out, str_head(id, front));
	scrub_name(s, str_skip(id, front), out);
}

void scrub_model(const struct scrub *s, struct str model, struct buf *out)
{
	if (scrub_is_model(s->words, model))
		buf_add(out, model);
	else
		scrub_name(s, model, out);
}

/* Names of members as in arguments; numbers of elements stay. */
void scrub_path(const struct scrub *s, struct str path, struct buf *out)
{
	while (path.len) {
		size_t len = 0;

		while (len < path.len && !strchr("$.[]'\"", path.ptr[len]))
			len++;
		struct str name = str_head(path, len ? len : 1);
		long long number;
		if (!len || str_to_int(name, &number))
			buf_add(out, name);
		else
			scrub_name(s, name, out);
		path = str_skip(path, name.len);
	}
}

/* --- values --- */

static bool is_made_of(struct str value, const char *letters)
{
	for (size_t i = 0; i < value.len; i++)
		if (!char_is_digit(value.ptr[i]) && (!value.ptr[i] || !strchr(letters, value.ptr[i])))
			return false;
	return value.len && value.len <= 40;
}

/* "60000", "1.5", "6m0s", "2026-01-02T03:04:05Z". */
static bool is_figure_or_time(struct str value)
{
	return is_made_of(value, ".-+:smhduTZ ") && (char_is_digit(*value.ptr) || *value.ptr == '-');
}

void scrub_figure(struct str value, struct buf *out)
{
	if (is_figure_or_time(value))
		buf_add(out, value);
	else
		scrub_text(value, out);
}

void scrub_word(const struct scrub *s, struct str value, struct buf *out)
{
	if (scrub_is_word(s->words, value))
		buf_add(out, value);
	else
		scrub_text(value, out);
}

/* Digits become 1, which every number may begin with; zeros at its end say how long it is when it is written again. */
void scrub_number(struct str number, struct buf *out)
{
	size_t point = str_find(number, STR(".")), end = point;

	for (size_t i = point; i < number.len && (char_is_digit(number.ptr[i]) || i == point); i++)
		end = number.ptr[i] != '0' ? i : end;
	for (size_t i = 0; i < number.len; i++)
		buf_add_byte(out, char_is_digit(number.ptr[i]) && !(i > end && end < number.len && number.ptr[i] == '0') ? '1' : number.ptr[i]);
}

/* --- addresses --- */

static bool is_public_scheme(struct str scheme)
{
	return str_is(scheme, "http") || str_is(scheme, "https") || str_is(scheme, "file") || str_is(scheme, "gs") || str_is(scheme, "wss");
}

/* "completions", "gpt-4o:streamGenerateContent", "acme". */
static void add_segment(const struct scrub *s, struct str segment, struct buf *out)
{
	struct str method = str_skip(segment, str_find(segment, STR(":")));
	struct str name = str_head(segment, segment.len - method.len);

	if (scrub_is_path(s->words, str_skip(method, 1))) {
		if (scrub_is_path(s->words, name))
			buf_add(out, name);
		else
			scrub_model(s, name, out);
		buf_add(out, method);
	} else {
		scrub_model(s, segment, out);
	}
}

static void add_parameter(const struct scrub *s, struct str pair, struct buf *out)
{
	struct str value = str_skip(pair, str_find(pair, STR("=")));
	struct str name = str_head(pair, pair.len - value.len);
	bool is_known = str_is(name, "alt") || str_is(name, "api-version") || str_is(name, "limit");

	if (is_known)
		buf_add(out, name);
	else
		scrub_name(s, name, out);
	if (is_known && is_figure_or_time(str_skip(value, 1)))
		buf_add(out, value);
	else
		scrub_word(s, value, out);
}

/* Each item between two separators by `add`. */
static void add_split(const struct scrub *s, struct str text, const char *separators,
                      void (*add)(const struct scrub *s, struct str item, struct buf *out), struct buf *out)
{
	while (text.len) {
		size_t len = 0;

		while (len < text.len && !strchr(separators, text.ptr[len]))
			len++;
		add(s, str_head(text, len), out);
		buf_add(out, str_head(str_skip(text, len), 1));
		text = str_skip(text, len + 1);
	}
}

/* "data:image/png;base64,..." up to the comma. */
static size_t data_head(const struct scrub *s, struct str url)
{
	size_t comma = str_find(url, STR(","));

	return str_is_nocase(str_head(url, 5), "data:") && comma < url.len && scrub_is_word(s->words, str_head(url, comma)) ? comma + 1 : 0;
}

/* Length of the base64 at the front that tells the type: of MEDIA_HEAD bytes. */
static size_t type_length(struct str base64)
{
	struct str head = str_head(base64, (MEDIA_HEAD + 2) / 3 * 4);
	struct base64_reader reader = { 0 };
	struct buf bytes = { 0 };
	bool tells = base64_read(&reader, head, &bytes) && media_sniff(buf_str(&bytes)).len;

	buf_fini(&bytes);
	return tells ? head.len : 0;
}

void scrub_media(const struct scrub *s, struct str data, struct buf *out)
{
	if (str_find(data, STR("://")) < data.len) {
		scrub_url(s, data, false, out);
		return;
	}
	size_t head = data_head(s, data);
	head += type_length(str_skip(data, head));
	buf_add(out, str_head(data, head));
	scrub_name(s, str_skip(data, head), out);
}

void scrub_url(const struct scrub *s, struct str url, bool host_stays, struct buf *out)
{
	size_t scheme = str_find(url, STR("://"));

	if (data_head(s, url)) {
		scrub_media(s, str_head(url, scheme), out);
		scrub_text(str_skip(url, scheme), out);
		return;
	}

	if (scheme == url.len || !is_public_scheme(str_head(url, scheme))) {
		scrub_text(url, out);
		return;
	}
	buf_add(out, str_head(url, scheme + 3));
	url = str_skip(url, scheme + 3);
	struct str path = str_head(url, str_find(url, STR("?"))), host = str_head(path, str_find(path, STR("/")));
	if (host_stays)
		buf_add(out, host);
	else
		scrub_name(s, host, out);
	add_split(s, str_skip(path, host.len), "/", add_segment, out);
	add_split(s, str_skip(url, path.len), "?&", add_parameter, out);
}
