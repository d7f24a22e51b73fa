#include "base/utf8.h"

#include <string.h>
#include <unigbrk.h>
#include <unistring/version.h>
#include <wchar.h>

#include "base/emoji.h"
#include "base/libraries.h"

#define CLUSTER_LIMIT 65536 /* bytes examined for one cluster */
#define BACK_LIMIT 4096     /* bytes examined for the cluster before an offset */
#define CELL_LOOK 64       /* bytes examined for one cell: those after a spacing mark are examined again */
#define CELL_MARKS 4        /* combining characters that ncurses accepts besides the base */

#define ZWJ 0x200D

/*
 * Length of the valid sequence at `s`, or 0. If invalid, `*bad` is the length of its maximal subpart, which one U+FFFD replaces. The range
 * of the second byte excludes overlong forms, surrogates and code points above U+10FFFF.
 */
static size_t sequence_length(struct str s, size_t *bad)
{
	const unsigned char *p = (const unsigned char *)s.ptr;
	unsigned char low = 0x80, high = 0xBF;
	size_t len;

	*bad = 1;
	if (p[0] < 0x80)
		return 1;
	if (p[0] < 0xC2 || p[0] > 0xF4)
		return 0;
	len = p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
	if (p[0] == 0xE0)
		low = 0xA0;
	if (p[0] == 0xED)
		high = 0x9F;
	if (p[0] == 0xF0)
		low = 0x90;
	if (p[0] == 0xF4)
		high = 0x8F;
	for (size_t i = 1; i < len; i++) {
		if (i >= s.len || p[i] < low || p[i] > high)
			return 0;
		*bad = i + 1;
		low = 0x80;
		high = 0xBF;
	}
	return len;
}

/* Number of leading ASCII bytes, eight at a time. */
static size_t ascii_length(struct str s)
{
	size_t i = 0;

	for (; i + 8 <= s.len; i += 8) {
		uint64_t block;

		memcpy(&block, s.ptr + i, 8);
		if (block & 0x8080808080808080u)
			break;
	}
	while (i < s.len && !(s.ptr[i] & 0x80))
		i++;
	return i;
}

size_t utf8_valid_length(struct str s, size_t *bad)
{
	size_t i = 0;

	for (;;) {
		size_t len;

		i += ascii_length(str_skip(s, i));
		if (i == s.len)
			return i;
		len = sequence_length(str_skip(s, i), bad);
		if (len == 0)
			return i;
		i += len;
	}
}

bool utf8_is_valid(struct str s)
{
	size_t bad;

	return utf8_valid_length(s, &bad) == s.len;
}

bool utf8_repair(struct str s, struct buf *out)
{
	while (s.len) {
		size_t bad = 0;
		size_t good = utf8_valid_length(s, &bad);

		if (!buf_add(out, str_head(s, good)))
			return false;
		s = str_skip(s, good);
		if (s.len && !buf_add(out, STR("\xEF\xBF\xBD")))
			return false;
		s = str_skip(s, bad);
	}
	return true;
}

struct str utf8_arrived(struct str s)
{
	size_t back = 1;

	while (back < 4 && back < s.len && utf8_is_inside(s.ptr[s.len - back]))
		back++;
	unsigned char lead = s.len ? (unsigned char)s.ptr[s.len - back] : 0;
	size_t wanted = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 0;
	return wanted > back ? str_head(s, s.len - back) : s;
}

uint32_t utf8_next(struct str *rest)
{
	static const unsigned char lead_bits[] = { 0, 0x7F, 0x1F, 0x0F, 0x07 };
	const unsigned char *p = (const unsigned char *)rest->ptr;
	uint32_t code = p[0];
	size_t bad, len;

	if (code < 0x80) {
		*rest = str_skip(*rest, 1);
		return code;
	}
	len = sequence_length(*rest, &bad);
	if (len == 0) {
		*rest = str_skip(*rest, 1);
		return UTF8_REPLACEMENT;
	}
	code &= lead_bits[len];
	for (size_t i = 1; i < len; i++)
		code = code << 6 | (p[i] & 0x3F);
	*rest = str_skip(*rest, len);
	return code;
}

static char tail(uint32_t code, unsigned shift)
{
	return (char)(0x80 | (code >> shift & 0x3F));
}

size_t utf8_put(char out[4], uint32_t code)
{
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xC0 | code >> 6);
		out[1] = tail(code, 0);
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xE0 | code >> 12);
		out[1] = tail(code, 6);
		out[2] = tail(code, 0);
		return 3;
	}
	out[0] = (char)(0xF0 | (code >> 18 & 7));
	out[1] = tail(code, 12);
	out[2] = tail(code, 6);
	out[3] = tail(code, 0);
	return 4;
}

struct range {
	uint32_t first, last;
};

static bool in_ranges(uint32_t code, const struct range *ranges)
{
	for (; ranges->last; ranges++)
		if (code >= ranges->first && code <= ranges->last)
			return true;
	return false;
}

/* Characters of common scripts that always begin a cluster, whatever precedes them. */
static bool is_simple(uint32_t code)
{
	static const struct range simple[] = {
		{ 0x4E00, 0x9FFF }, /* CJK ideographs */
		{ 0x00C0, 0x02FF }, /* Latin */
		{ 0x0370, 0x0482 }, /* Greek, Cyrillic */
		{ 0x3041, 0x3096 }, /* Hiragana */
		{ 0x30A0, 0x30FF }, /* Katakana */
		{ 0x3001, 0x3029 }, /* CJK punctuation */
		{ 0xFF01, 0xFF9D }, /* full and half width forms */
		{ 0x2010, 0x2027 }, /* dashes, quotes, ellipsis */
		{ 0x048A, 0x0556 }, /* Cyrillic, Armenian */
		{ 0x2500, 0x259F }, /* boxes */
		{ 0 },
	};

	return code < 0x80 ? code >= 0x20 && code < 0x7F : in_ranges(code, simple);
}

/* Length of the first code point if that alone is a cluster; 0: not known without segmentation. */
static size_t simple_cluster(struct str s)
{
	struct str rest = s;
	uint32_t first = utf8_next(&rest);

	if (!is_simple(first) || (rest.len && !is_simple(utf8_next(&(struct str){ rest.ptr, rest.len }))))
		return 0;
	return s.len - rest.len;
}

size_t utf8_count(struct str s)
{
	size_t count = 0;

	for (size_t i = 0; i < s.len; i++)
		count += !utf8_is_inside(s.ptr[i]);
	return count;
}

struct str utf8_head(struct str s, size_t most)
{
	if (s.len <= most)
		return s;
	while (most && utf8_is_inside(s.ptr[most]))
		most--;
	return str_head(s, most);
}

/* `len`, reduced so that `s` is not cut inside a character. */
static size_t whole_characters(struct str s, size_t len)
{
	size_t cut = len < s.len ? len : s.len;

	while (cut < s.len && cut > 0 && len - cut < 3 && utf8_is_inside(s.ptr[cut]))
		cut--;
	return cut;
}

size_t utf8_cluster(struct str s)
{
	char breaks[CLUSTER_LIMIT];
	size_t simple, window = 32, bad;

	if (s.len == 0)
		return 0;
	if (s.len > 1 && is_simple((unsigned char)s.ptr[0]) && !(s.ptr[1] & 0x80))
		return 1;
	simple = simple_cluster(s);
	if (simple)
		return simple;
	if (sequence_length(s, &bad) == 0)
		return 1;
	/* Most clusters end within the first window. u8_grapheme_next() does not know emoji sequences and flags. */
	for (;; window *= 2) {
		size_t len = whole_characters(s, window);

		u8_grapheme_breaks((const uint8_t *)s.ptr, len, breaks);
		for (size_t i = 1; i < len; i++)
			if (breaks[i])
				return i;
		if (len == s.len || window == CLUSTER_LIMIT)
			return len;
	}
}

/* Start of the character before `at`, which is not 0. */
static size_t character_before(struct str s, size_t at)
{
	size_t start = at - 1;

	while (start > 0 && at - start < 4 && utf8_is_inside(s.ptr[start]))
		start--;
	return start;
}

size_t utf8_cluster_before(struct str s, size_t at)
{
	size_t start = at < s.len ? at : s.len;
	size_t end = start, next;
	bool simple = false;

	/* Goes back to a certain cluster boundary: between two simple characters, or at the limit. */
	while (start > 0 && end - start < BACK_LIMIT) {
		size_t before = character_before(s, start);
		bool is = is_simple(utf8_next(&(struct str){ s.ptr + before, start - before }));

		if (is && simple)
			break;
		simple = is;
		start = before;
	}
	next = start;
	while (next < end) {
		start = next;
		next += utf8_cluster(str_skip(s, next));
	}
	return start;
}

#define UNSEEN_MOST 3 /* in a row: as many as between two chips of the input */

/*
 * Invisible characters that are legitimate one at a time: soft hyphen, joiners, break opportunities, variation selectors, annotation
 * marks. A longer run hides something.
 */
static bool is_invisible(uint32_t code)
{
	static const struct range invisible[] = {
		{ 0x00AD, 0x00AD }, { 0x034F, 0x034F }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180D }, { 0x180F, 0x180F }, { 0x200B, 0x200D },
		{ 0x2060, 0x2060 }, { 0xFE00, 0xFE0F }, { 0xFFF9, 0xFFF9 }, { 0xFFFB, 0xFFFB }, { 0xE0100, 0xE01EF }, { 0 },
	};

	return code >= 0xAD && in_ranges(code, invisible);
}

/* Length of a run of invisible characters at the start, if it is too long; else 0. */
static size_t invisible_run(struct str s)
{
	struct str rest = s;
	unsigned count = 0;

	for (struct str next = s; next.len && is_invisible(utf8_next(&next)); count++)
		rest = next;
	return count > UNSEEN_MOST ? s.len - rest.len : 0;
}

static bool is_tag(uint32_t code)
{
	return code >= 0xE0000 && code <= 0xE007F;
}

static struct utf8_profile profile;
static unsigned profile_number;

void utf8_set_profile(const struct utf8_profile *now)
{
	if (memcmp(&profile, now, sizeof profile) == 0)
		return;
	profile = *now;
	profile_number++;
}

unsigned utf8_profile_number(void)
{
	return profile_number;
}

/* Hidden and reordering characters. */
static const struct range refused[] = {
	{ 0x0080, 0x009F },   /* C1 controls */
	{ 0x061C, 0x061C },   /* Arabic letter mark */
	{ 0x115F, 0x1160 },   /* Hangul fillers, outside of a syllable */
	{ 0x180E, 0x180E },   /* Mongolian vowel separator */
	{ 0x200E, 0x200F },   /* directional marks */
	{ 0x2028, 0x202E },   /* line and paragraph separators, bidi embeddings */
	{ 0x2061, 0x206F },   /* invisible operators, bidi isolates, deprecated controls */
	{ 0x3164, 0x3164 },   /* Hangul filler */
	{ 0xFEFF, 0xFEFF },   /* byte order mark */
	{ 0xFFA0, 0xFFA0 },   /* halfwidth Hangul filler */
	{ 0xFFF0, 0xFFF8 },   /* unassigned, and invisible */
	{ 0xFFFA, 0xFFFA },   /* interlinear annotation separator */
	{ 0x13430, 0x1343F }, /* hieroglyph format controls */
	{ 0x18800, 0x18AFF }, /* Tangut components: used by the screen as placeholders */
	{ 0x1BCA0, 0x1BCA3 }, /* shorthand format controls */
	{ 0x1D173, 0x1D17A }, /* musical format controls */
	{ 0xE0000, 0xE0FFF }, /* tags; variation selectors are handled before */
	{ 0x10EEEE, 0x10EEEE }, /* a part of an image, to some terminals (ui/term/kitty_graphics.h) */
	{ 0 },
};

/* A control, or a character that hides or reorders text: utf8_cell() shows another one in its place. */
static bool utf8_is_hidden(uint32_t code)
{
	return code < 0x20 || code == 0x7F || in_ranges(code, refused);
}

/* The code point to show for one that begins a cell. What is hidden becomes visible, so that it cannot deceive. */
static uint32_t shown_code(uint32_t code)
{
	if (code < 0x20)
		return 0x2400 + code;
	if (code == 0x7F)
		return 0x2421;
	if (in_ranges(code, refused) || wcwidth((wchar_t)code) < 0 || (profile.not_recent && emoji_is_recent(code)))
		return UTF8_REPLACEMENT;
	return code;
}

/* Variation selectors: terminals differ in whether one changes the width. */
static bool is_variant(uint32_t code)
{
	static const struct range variants[] = { { 0xFE00, 0xFE0F }, { 0xE0100, 0xE01EF }, { 0x1F3FB, 0x1F3FF }, { 0 } };

	return in_ranges(code, variants);
}

static void cell_add(struct utf8_cell *cell, uint32_t code)
{
	char encoded[4];
	size_t size = utf8_put(encoded, code);

	memcpy(cell->text + cell->len, encoded, size);
	cell->len = (uint8_t)(cell->len + size);
}

/* Adds the marks of a cell to its base. Returns the number of bytes of `marks` that belong to the cell, shown or not. */
static size_t cell_add_marks(struct utf8_cell *cell, struct str marks)
{
	struct str rest = marks;
	unsigned count = 0;
	bool joined = false;
	uint32_t before = 0;

	while (rest.len) {
		struct str next = rest;
		uint32_t code = utf8_next(&next);
		bool hidden = joined || code == ZWJ || is_variant(code);

		/* The second half of a flag or a spacing vowel is a cell of its own. */
		if (is_tag(code) || (!hidden && wcwidth((wchar_t)code) != 0))
			break;
		if (is_invisible(code) && is_invisible(before) && !(is_variant(before) && code == ZWJ))
			break;
		if (!hidden && cell->width && count++ < CELL_MARKS)
			cell_add(cell, code);
		joined = code == ZWJ;
		before = code;
		rest = next;
	}
	return marks.len - rest.len;
}

static size_t tags_length(struct str s)
{
	struct str rest = s;

	for (struct str next = s; next.len && is_tag(utf8_next(&next));)
		rest = next;
	return s.len - rest.len;
}

/* Length of the complete picture that the terminal can draw, or 0. */
static size_t utf8_take_picture(struct str s, struct utf8_cell *cell)
{
	size_t len = emoji_whole(s, &profile);

	if (!len || len > sizeof cell->text || utf8_cluster(str_head(s, whole_characters(s, CELL_LOOK))) != len)
		return 0;
	memcpy(cell->text, s.ptr, len);
	cell->len = (uint8_t)len;
	cell->width = 2;
	return len;
}

size_t utf8_cell(struct str s, struct utf8_cell *cell)
{
	struct str rest = s;
	uint32_t first, shown;
	size_t taken;
	int width;

	cell->len = 0;
	cell->width = 0;
	if (s.len == 0)
		return 0;
	if (s.ptr[0] >= 0x20 && s.ptr[0] < 0x7F && (s.len == 1 || !(s.ptr[1] & 0x80))) {
		*cell = (struct utf8_cell){ .text = { s.ptr[0] }, .len = 1, .width = 1 };
		return 1;
	}
	taken = simple_cluster(s);
	if (!taken && profile_number && (taken = utf8_take_picture(s, cell)) != 0)
		return taken;
	if (!taken && (taken = invisible_run(s)) != 0) {
		cell->width = 1;
		cell_add(cell, UTF8_REPLACEMENT);
		return taken;
	}
	first = utf8_next(&rest);
	shown = taken ? first : shown_code(first);
	if (is_invisible(first))
		return s.len - rest.len;
	width = wcwidth((wchar_t)shown);
	if (width > 0) {
		cell->width = (uint8_t)width;
		cell_add(cell, shown);
	}
	if (taken)
		return taken;
	taken = s.len - rest.len;
	if (shown != first)
		return is_tag(first) ? tags_length(s) : taken;
	/* The next call shows nothing of a longer cluster either. */
	s = str_head(s, whole_characters(s, CELL_LOOK));
	return taken + cell_add_marks(cell, str_skip(str_head(s, utf8_cluster(s)), taken));
}

size_t utf8_width(struct str s)
{
	struct utf8_cell cell;
	size_t width = 0;

	for (;;) {
		size_t ascii = ascii_length(s);

		/* Each ASCII byte is one cell, except that the last may be followed by marks. */
		if (ascii == s.len)
			return width + ascii;
		if (ascii) {
			width += ascii - 1;
			s = str_skip(s, ascii - 1);
		}
		s = str_skip(s, utf8_cell(s, &cell));
		width += cell.width;
	}
}

void utf8_write_libraries(struct buf *out)
{
	buf_printf(out, "libunistring %d.%d.%d\n", _libunistring_version >> 16, _libunistring_version >> 8 & 0xff, _libunistring_version & 0xff);
}

bool utf8_show(struct str text, struct buf *out)
{
	bool good = true;

	while (good && text.len) {
		struct str before = text;
		uint32_t code = utf8_next(&text);
		char shown[4];

		if (code == '\n' || code == '\t' || !utf8_is_hidden(code))
			good = utf8_is_valid(str_head(before, before.len - text.len)) ? buf_add(out, str_head(before, before.len - text.len))
			                                                              : buf_add_z(out, "\uFFFD");
		else
			good = buf_add(out, str_of(shown, utf8_put(shown, shown_code(code))));
	}
	return good;
}
