#include "base/emoji.h"

#include <string.h>
#include <wchar.h>

#include "base/array.h"
#include "base/search.h"

#define ZWJ 0x200Du
#define VS16 0xFE0Fu

struct range {
	uint32_t first, last;
};

/* Characters one cell wide whose picture is two cells wide (Emoji without Emoji_Presentation). Digits are left out: terminals differ. */
static const struct range narrow[] = {
	{ 0x00A9, 0x00A9 }, { 0x00AE, 0x00AE }, { 0x203C, 0x203C }, { 0x2049, 0x2049 }, { 0x2122, 0x2122 },
	{ 0x2139, 0x2139 }, { 0x2194, 0x2199 }, { 0x21A9, 0x21AA }, { 0x2328, 0x2328 }, { 0x23CF, 0x23CF },
	{ 0x23ED, 0x23EF }, { 0x23F1, 0x23F2 }, { 0x23F8, 0x23FA }, { 0x24C2, 0x24C2 }, { 0x25AA, 0x25AB },
	{ 0x25B6, 0x25B6 }, { 0x25C0, 0x25C0 }, { 0x25FB, 0x25FC }, { 0x2600, 0x2604 }, { 0x260E, 0x260E },
	{ 0x2611, 0x2611 }, { 0x2618, 0x2618 }, { 0x261D, 0x261D }, { 0x2620, 0x2620 }, { 0x2622, 0x2623 },
	{ 0x2626, 0x2626 }, { 0x262A, 0x262A }, { 0x262E, 0x262F }, { 0x2638, 0x263A }, { 0x2640, 0x2640 },
	{ 0x2642, 0x2642 }, { 0x265F, 0x2660 }, { 0x2663, 0x2663 }, { 0x2665, 0x2666 }, { 0x2668, 0x2668 },
	{ 0x267B, 0x267B }, { 0x267E, 0x267E }, { 0x2692, 0x2692 }, { 0x2694, 0x2697 }, { 0x2699, 0x2699 },
	{ 0x269B, 0x269C }, { 0x26A0, 0x26A0 }, { 0x26A7, 0x26A7 }, { 0x26B0, 0x26B1 }, { 0x26C8, 0x26C8 },
	{ 0x26CF, 0x26CF }, { 0x26D1, 0x26D1 }, { 0x26D3, 0x26D3 }, { 0x26E9, 0x26E9 }, { 0x26F0, 0x26F1 },
	{ 0x26F4, 0x26F4 }, { 0x26F7, 0x26F9 }, { 0x2702, 0x2702 }, { 0x2708, 0x2709 }, { 0x270C, 0x270D },
	{ 0x270F, 0x270F }, { 0x2712, 0x2712 }, { 0x2714, 0x2714 }, { 0x2716, 0x2716 }, { 0x271D, 0x271D },
	{ 0x2721, 0x2721 }, { 0x2733, 0x2734 }, { 0x2744, 0x2744 }, { 0x2747, 0x2747 }, { 0x2763, 0x2764 },
	{ 0x27A1, 0x27A1 }, { 0x2934, 0x2935 }, { 0x2B05, 0x2B07 }, { 0x1F170, 0x1F171 }, { 0x1F17E, 0x1F17F },
	{ 0x1F321, 0x1F321 }, { 0x1F324, 0x1F32C }, { 0x1F336, 0x1F336 }, { 0x1F37D, 0x1F37D }, { 0x1F396, 0x1F397 },
	{ 0x1F399, 0x1F39B }, { 0x1F39E, 0x1F39F }, { 0x1F3CB, 0x1F3CE }, { 0x1F3D4, 0x1F3DF }, { 0x1F3F3, 0x1F3F3 },
	{ 0x1F3F5, 0x1F3F5 }, { 0x1F3F7, 0x1F3F7 }, { 0x1F43F, 0x1F43F }, { 0x1F441, 0x1F441 }, { 0x1F4FD, 0x1F4FD },
	{ 0x1F549, 0x1F54A }, { 0x1F56F, 0x1F570 }, { 0x1F573, 0x1F579 }, { 0x1F587, 0x1F587 }, { 0x1F58A, 0x1F58D },
	{ 0x1F590, 0x1F590 }, { 0x1F5A5, 0x1F5A5 }, { 0x1F5A8, 0x1F5A8 }, { 0x1F5B1, 0x1F5B2 }, { 0x1F5BC, 0x1F5BC },
	{ 0x1F5C2, 0x1F5C4 }, { 0x1F5D1, 0x1F5D3 }, { 0x1F5DC, 0x1F5DE }, { 0x1F5E1, 0x1F5E1 }, { 0x1F5E3, 0x1F5E3 },
	{ 0x1F5E8, 0x1F5E8 }, { 0x1F5EF, 0x1F5EF }, { 0x1F5F3, 0x1F5F3 }, { 0x1F5FA, 0x1F5FA }, { 0x1F6CB, 0x1F6CB },
	{ 0x1F6CD, 0x1F6CF }, { 0x1F6E0, 0x1F6E5 }, { 0x1F6E9, 0x1F6E9 }, { 0x1F6F0, 0x1F6F0 }, { 0x1F6F3, 0x1F6F3 },
};

/* Emoji of Unicode 15, which the C library may not know yet. */
static const struct range recent[] = {
	{ 0x1F6DC, 0x1F6DC }, { 0x1FA75, 0x1FA77 }, { 0x1FA87, 0x1FA88 }, { 0x1FAAD, 0x1FAAF }, { 0x1FABB, 0x1FABD }, { 0x1FABF, 0x1FABF },
	{ 0x1FACE, 0x1FACF }, { 0x1FADA, 0x1FADB }, { 0x1FAE8, 0x1FAE8 }, { 0x1FAF7, 0x1FAF8 },
};

static bool emoji_is_in(const struct range *ranges, size_t count, uint32_t code)
{
	struct search s = search_in(0, count);

	while (search_next(&s))
		search_take(&s, ranges[s.middle].last < code);
	return s.low < count && ranges[s.low].first <= code;
}
#define IS_IN(ranges, code) emoji_is_in((ranges), ARRAY_LEN(ranges), (code))

bool emoji_is_recent(uint32_t code)
{
	return IS_IN(recent, code);
}

static bool is_flag_half(uint32_t code)
{
	return code >= 0x1F1E6 && code <= 0x1F1FF;
}

static bool is_tone(uint32_t code)
{
	return code >= 0x1F3FB && code <= 0x1F3FF;
}

static bool is_wide(uint32_t code)
{
	bool pictured = (code >= 0x231A && code <= 0x2B55) || (code >= 0x1F004 && code <= 0x1FAFF);

	return pictured && !is_tone(code) && (emoji_is_recent(code) || wcwidth((wchar_t)code) == 2);
}

static bool emoji_take_code(struct str *rest, uint32_t code)
{
	struct str next = *rest;

	if (!rest->len || utf8_next(&next) != code)
		return false;
	*rest = next;
	return true;
}

static bool take_tone(struct str *rest)
{
	struct str next = *rest;

	if (!rest->len || !is_tone(utf8_next(&next)))
		return false;
	*rest = next;
	return true;
}

/* Adds what the sequence requires of the terminal to `needs`; false when it is not a picture. */
static bool emoji_take_picture(struct str *rest, bool joined, struct utf8_profile *needs)
{
	uint32_t code = rest->len ? utf8_next(rest) : 0;
	bool is_narrow = IS_IN(narrow, code), variant = emoji_take_code(rest, VS16);

	if (!is_narrow && !is_wide(code))
		return false;
	needs->recent |= emoji_is_recent(code);
	/* The first picture determines the width; pictures joined to it add none. */
	needs->variants |= is_narrow && !joined;
	needs->tones |= take_tone(rest);
	return !is_narrow || joined || variant;
}

static bool fits(const struct utf8_profile *needs, const struct utf8_profile *can)
{
	return (!needs->joins || can->joins) && (!needs->tones || can->tones) && (!needs->variants || can->variants) &&
	       (!needs->flags || can->flags) && (!needs->recent || can->recent);
}

size_t emoji_whole(struct str s, const struct utf8_profile *can)
{
	struct utf8_profile needs = { 0 };
	struct str rest = s;

	/* Shortcut: most text has none of the lead bytes of a picture. */
	if (!s.len || !memchr("\xC2\xE2\xF0", s.ptr[0], 3))
		return 0;
	needs.flags = is_flag_half(utf8_next(&rest)) && rest.len && is_flag_half(utf8_next(&rest));
	if (!needs.flags) {
		rest = s;
		if (!emoji_take_picture(&rest, false, &needs))
			return 0;
		while (emoji_take_code(&rest, ZWJ)) {
			needs.joins = true;
			if (!emoji_take_picture(&rest, true, &needs))
				return 0;
		}
	}
	if (!needs.joins && !needs.tones && !needs.variants && !needs.flags && !needs.recent)
		return 0;
	return fits(&needs, can) ? s.len - rest.len : 0;
}
