/* Positions in the text: clusters, words, lines. */
#include <string.h>
#include <wctype.h>

#include "base/array.h"
#include "ui/edit/edit_parts.h"

struct str edit_between(const struct edit *e, size_t from, size_t to)
{
	return str_head(str_skip(buf_str(&e->text), from), to - from);
}

size_t edit_before(const struct edit *e, size_t at)
{
	size_t chip = at ? chip_before(buf_str(&e->text), at) : 0;

	return chip < at ? chip : at ? utf8_cluster_before(buf_str(&e->text), at) : 0;
}

size_t edit_after(const struct edit *e, size_t at)
{
	struct str rest = str_skip(buf_str(&e->text), at);
	size_t chip = chip_length(rest);

	return at + (chip ? chip : utf8_cluster(rest));
}

size_t edit_line_start(const struct edit *e, size_t at)
{
	return str_behind_last(str_head(buf_str(&e->text), at), '\n');
}

size_t edit_line_end(const struct edit *e, size_t at)
{
	const char *end = at < e->text.len ? memchr(e->text.ptr + at, '\n', e->text.len - at) : NULL;

	return end ? (size_t)(end - e->text.ptr) : e->text.len;
}

/* True for scripts without blanks between words: each character is a word. */
static bool is_word_by_itself(uint32_t code)
{
	static const struct { uint32_t first, last; } ranges[] = {
		{ 0x3040, 0x30FF }, { 0x31F0, 0x31FF }, { 0x3400, 0x4DBF }, { 0x4E00, 0x9FFF }, { 0xF900, 0xFAFF }, { 0x20000, 0x3FFFF },
	};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (code >= ranges[i].first && code <= ranges[i].last)
			return code != 0x30FB; /* the katakana middle dot separates words */
	return false;
}

enum word_kind edit_word_kind(const struct edit *e, size_t at, bool blanks)
{
	struct str rest = str_skip(buf_str(&e->text), at);
	uint32_t code;

	if (chip_length(rest))
		return WORD_OF_ITS_OWN;
	code = utf8_next(&rest);
	if (code == ' ' || code == '\n' || code == '\t' || code == 0x3000)
		return WORD_BLANK;
	if (!blanks && is_word_by_itself(code))
		return WORD_OF_ITS_OWN;
	return blanks || iswalnum((wint_t)code) ? WORD_LETTERS : WORD_SIGNS;
}

size_t edit_word_before(const struct edit *e, bool blanks)
{
	size_t at = e->cursor;

	while (at > 0 && edit_word_kind(e, edit_before(e, at), blanks) <= WORD_SIGNS)
		at = edit_before(e, at);
	if (at > 0 && edit_word_kind(e, edit_before(e, at), blanks) == WORD_OF_ITS_OWN)
		return edit_before(e, at);
	while (at > 0 && edit_word_kind(e, edit_before(e, at), blanks) == WORD_LETTERS)
		at = edit_before(e, at);
	return at;
}

size_t edit_word_after(const struct edit *e)
{
	size_t at = e->cursor;

	while (at < e->text.len && edit_word_kind(e, at, false) <= WORD_SIGNS)
		at = edit_after(e, at);
	if (at < e->text.len && edit_word_kind(e, at, false) == WORD_OF_ITS_OWN)
		return edit_after(e, at);
	while (at < e->text.len && edit_word_kind(e, at, false) == WORD_LETTERS)
		at = edit_after(e, at);
	return at;
}
