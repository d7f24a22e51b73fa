#include "base/words.h"

#include <stdint.h>
#include <string.h>
#include <unicase.h>
#include <unictype.h>
#include <uninorm.h>

#include "base/array.h"
#include "base/search.h"
#include "base/utf8.h"

#define LETTERS_AND_DIGITS (UC_CATEGORY_MASK_L | UC_CATEGORY_MASK_N | UC_CATEGORY_MASK_M | UC_CATEGORY_MASK_Co)
#define NOT_SHOWN (UC_CATEGORY_MASK_Cf | UC_CATEGORY_MASK_Me)

/* --- characters --- */

/* Scripts without blanks, and Korean. What decomposes to one of these (half-width forms, compatibility ideographs) is not listed. */
static const struct range { uint32_t from, to; } signs[] = {
	{ 0x0E01, 0x0EDF }, { 0x1000, 0x109F }, { 0x1100, 0x11FF }, { 0x1780, 0x17F9 }, { 0x1950, 0x19DF }, { 0x1A20, 0x1AAD },
	{ 0x3005, 0x3007 }, { 0x3021, 0x3029 }, { 0x3031, 0x3035 }, { 0x303B, 0x303C }, { 0x3041, 0x309A }, { 0x309D, 0x309F },
	{ 0x30A1, 0x30FA }, { 0x30FC, 0x30FF }, { 0x3105, 0x312F }, { 0x31A0, 0x31BF }, { 0x31F0, 0x31FF }, { 0x3400, 0x4DBF },
	{ 0x4E00, 0xA4CF }, { 0xA960, 0xA97F }, { 0xA9E0, 0xA9FE }, { 0xAA60, 0xAADF }, { 0xAC00, 0xD7FF }, { 0x1B000, 0x1B16F },
	{ 0x20000, 0x2F7FF }, { 0x30000, 0x3FFFF },
};

static bool is_sign(uint32_t c)
{
	struct search s = search_in(0, ARRAY_LEN(signs));

	if (c < signs[0].from)
		return false;
	while (search_next(&s))
		search_take(&s, signs[s.middle].to < c);
	return s.low < ARRAY_LEN(signs) && c >= signs[s.low].from;
}

/* What neither decomposes nor has a lower case, but is typed otherwise. */
static uint32_t fold_letter(uint32_t c, uint32_t *second)
{
	static const struct { uint16_t from, first, second; } letters[] = {
		{ 0x00DF, 's', 's' }, { 0x00E6, 'a', 'e' }, { 0x00F0, 'd', 0 }, { 0x00F8, 'o', 0 }, { 0x00FE, 't', 'h' }, { 0x0111, 'd', 0 },
		{ 0x0127, 'h', 0 }, { 0x0131, 'i', 0 }, { 0x0142, 'l', 0 }, { 0x0153, 'o', 'e' }, { 0x0167, 't', 0 }, { 0x03C2, 0x03C3, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(letters); i++)
		if (letters[i].from == c) {
			*second = letters[i].second;
			return letters[i].first;
		}
	return c;
}

static bool is_accent(uint32_t c)
{
	int class = uc_combining_class(c);

	return class >= 200 || (class >= 10 && class <= 35);
}

static bool is_variation_selector(uint32_t c)
{
	return (c >= 0xFE00 && c <= 0xFE0F) || (c >= 0xE0100 && c <= 0xE01EF);
}

/* --- folding --- */

/* One character, folded. */
enum fold_kind { FOLD_SEPARATOR, FOLD_NOTHING, FOLD_LETTER, FOLD_SIGN };
struct fold {
	enum fold_kind kind;
	size_t bytes;                            /* of the text */
	uint32_t codes[2 * UC_DECOMPOSITION_MAX_LENGTH];
	size_t count;
};

static void fold_add(struct fold *f, uint32_t c)
{
	uint32_t second = 0;

	if (is_accent(c) || !uc_is_general_category_withtable(c, LETTERS_AND_DIGITS))
		return;
	f->codes[f->count++] = fold_letter(uc_tolower(c), &second);
	if (second)
		f->codes[f->count++] = second;
}

/* Each step replaces the first code that decomposes; the longest result has 18. */
static void fold_decompose(struct fold *f, uint32_t c)
{
	uint32_t codes[2 * UC_DECOMPOSITION_MAX_LENGTH] = { c }, parts[UC_DECOMPOSITION_MAX_LENGTH];
	size_t count = 1;

	for (size_t i = 0; i < count;) {
		int tag, n = is_sign(codes[i]) ? -1 : uc_decomposition(codes[i], &tag, parts);

		if (n > 0 && count + (size_t)n <= ARRAY_LEN(parts)) {
			memmove(codes + i + n, codes + i + 1, (count - i - 1) * sizeof *codes);
			memcpy(codes + i, parts, (size_t)n * sizeof *codes);
			count += (size_t)n - 1;
		} else {
			fold_add(f, codes[i++]);
		}
	}
}

static void fold_next(struct str text, struct fold *f)
{
	struct str rest = text;
	uint32_t c = utf8_next(&rest);

	f->kind = FOLD_SEPARATOR;
	f->bytes = text.len - rest.len;
	f->count = 0;
	if (is_sign(c)) {
		f->kind = FOLD_SIGN;
		f->codes[f->count++] = c;
	} else if (uc_is_general_category_withtable(c, NOT_SHOWN) || is_variation_selector(c)) {
		f->kind = FOLD_NOTHING;
	} else if (uc_is_general_category_withtable(c, LETTERS_AND_DIGITS)) {
		fold_decompose(f, c);
		f->kind = !f->count ? FOLD_NOTHING : is_sign(f->codes[0]) ? FOLD_SIGN : FOLD_LETTER;
	}
}

/* Whether a voicing mark or the rest of a Korean syllable may begin here. */
static bool may_compose(struct str rest)
{
	return rest.len > 2 && (str_starts(rest, "\xE1") || str_starts(rest, "\xE3\x82\x99") || str_starts(rest, "\xE3\x82\x9A") ||
	                        str_starts(rest, "\xEF"));
}

/* Takes what composes with the sign before, and what is not shown. Returns its bytes. */
static size_t fold_compose(struct str rest, uint32_t *sign)
{
	const size_t all = rest.len;
	struct fold next;
	uint32_t composed;

	for (; may_compose(rest); rest = str_skip(rest, next.bytes)) {
		fold_next(rest, &next);
		composed = next.kind == FOLD_SIGN && next.count == 1 ? uc_composition(*sign, next.codes[0]) : 0;
		if (!composed)
			break;
		*sign = composed;
	}
	while (rest.len && (unsigned char)*rest.ptr >= 0x80) {
		fold_next(rest, &next);
		if (next.kind != FOLD_NOTHING)
			break;
		rest = str_skip(rest, next.bytes);
	}
	return all - rest.len;
}

/* --- words --- */

struct words words_of(struct str text)
{
	return (struct words){ .text = text };
}

static void word_add(struct word *word, uint32_t c)
{
	char bytes[4];
	size_t length = utf8_put(bytes, c);

	if (word->len + length > WORD_BYTES)
		return;
	memcpy(word->folded + word->len, bytes, length);
	word->len += length;
}

static void word_take_sign(struct words *w, struct word *word, struct fold *f)
{
	word->is_sign = true;
	word->is_joined = w->sign_end && w->sign_end == w->at;
	word->from = w->at;
	w->at += f->bytes;
	w->at += fold_compose(str_skip(w->text, w->at), &f->codes[f->count - 1]);
	w->sign_end = word->to = w->at;
	for (size_t i = 0; i < f->count; i++)
		word_add(word, f->codes[i]);
}

/* Takes a character that is not ASCII. False: the word ends before it. */
static bool word_take(struct words *w, struct word *word)
{
	struct fold f;

	fold_next(str_skip(w->text, w->at), &f);
	if (word->len && (f.kind == FOLD_SEPARATOR || f.kind == FOLD_SIGN))
		return false;
	if (f.kind == FOLD_SIGN) {
		word_take_sign(w, word, &f);
		return false;
	}
	if (f.kind == FOLD_LETTER && !word->len)
		word->from = w->at;
	w->at += f.bytes;
	for (size_t i = 0; i < f.count; i++)
		word_add(word, f.codes[i]);
	word->to = w->at;
	return true;
}

/* The letters and digits of ASCII, folded, by their bytes. Most texts are made of them: a table is twice as fast as comparing. */
#define NONE_16 "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
static const char ascii[256] = NONE_16 NONE_16 NONE_16 "0123456789\0\0\0\0\0\0\0abcdefghijklmnopqrstuvwxyz\0\0\0\0\0\0abcdefghijklmnopqrstuvwxyz";

static void word_take_ascii(struct words *w, struct word *word)
{
	size_t at = w->at, len = word->len;

	if (!len)
		word->from = at;
	for (char c; at < w->text.len && (c = ascii[(unsigned char)w->text.ptr[at]]); at++)
		if (len < WORD_BYTES)
			word->folded[len++] = c;
	word->len = len;
	word->to = w->at = at;
}

/* Skips what is of ASCII and no word. */
static size_t word_begin(struct str text, size_t at)
{
	while (at < text.len && (unsigned char)text.ptr[at] < 0x80 && !ascii[(unsigned char)text.ptr[at]])
		at++;
	return at;
}

bool words_next(struct words *w, struct word *word)
{
	word->len = 0;
	word->is_sign = word->is_joined = false;
	w->at = word_begin(w->text, w->at);
	while (w->at < w->text.len) {
		if (ascii[(unsigned char)w->text.ptr[w->at]])
			word_take_ascii(w, word);
		else if ((unsigned char)w->text.ptr[w->at] >= 0x80 ? !word_take(w, word) : word->len > 0)
			break;
		else if (!word->len)
			w->at = word_begin(w->text, w->at);
	}
	return word->len > 0;
}

/* --- parts of words --- */

void words_fold(struct str text, struct buf *out)
{
	struct fold f;
	char bytes[4];

	while (text.len) {
		for (; text.len && (unsigned char)*text.ptr < 0x80; text = str_skip(text, 1))
			buf_add_byte(out, char_lower(*text.ptr));
		if (!text.len)
			return;
		fold_next(text, &f);
		if (f.kind == FOLD_SIGN)
			f.bytes += fold_compose(str_skip(text, f.bytes), &f.codes[f.count - 1]);
		if (f.kind == FOLD_SEPARATOR)
			buf_add(out, str_head(text, f.bytes));
		for (size_t i = 0; i < f.count; i++)
			buf_add(out, str_of(bytes, utf8_put(bytes, f.codes[i])));
		text = str_skip(text, f.bytes);
	}
}
