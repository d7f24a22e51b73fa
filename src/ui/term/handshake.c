#include "ui/term/handshake.h"

#include <string.h>
#include <wchar.h>

#include "base/array.h"
#include "base/sixel.h"
#include "ui/term/cell_substitute.h"
#include "ui/term/kitty_graphics.h"

#define FIRST_ROW 2u          /* row of the first probe; a position report for row 1 could be Shift-F3 */
#define COLUMNS_LEAST 12u     /* width of the longest probe on a terminal that joins nothing */

#define CONCEAL "\x1B[8m"
#define PLAIN "\x1B[m"
#define REPORT_CURSOR "\x1B[6n"
/* Synchronized output, background colour, kitty's keyboard protocol. The last query, DA1, is answered by every terminal. */
#define QUESTIONS "\x1B[?2026$p\x1B]11;?\x1B\\\x1B[?u"
#define NAME_QUESTION "\x1B[>q"
#define LAST_QUESTION "\x1B[c"
#define CELL_QUESTION "\x1B[16t"
#define COLOURS_QUESTION "\x1B[?1;1;0S"

static const char *const probes[PROBES] = {
	[PROBE_JOINED] = "\U0001F468\u200D\U0001F469\u200D\U0001F467\u200D\U0001F466",
	[PROBE_TONE] = "\U0001F44D\U0001F3FD",
	[PROBE_VARIANT] = "\u2764\uFE0F",
	[PROBE_FLAG] = "\U0001F1E9\U0001F1EA",
	[PROBE_RECENT] = "\U0001FAE8",
};

bool handshake_may_ask(const char *type)
{
	static const char *const simple[] = { "linux", "vt1", "vt2", "vt3", "vt5", "ansi", "cons", "sun", "eterm", "cygwin", "dumb" };

	for (size_t i = 0; i < ARRAY_LEN(simple); i++)
		if (str_starts(str_from(type), simple[i]))
			return false;
	return true;
}

void handshake_ask(struct handshake *h, unsigned rows, unsigned columns, struct buf *out)
{
	bool room = rows >= FIRST_ROW + PROBES && columns >= COLUMNS_LEAST;

	h->asked = true;
	if (h->asks_images) /* before the screen is cleared: a terminal that does not know such strings may print it */
		buf_add(out, STR("\x1B[H" CONCEAL KITTY_QUERY NAME_QUESTION));
	if (room)
		buf_add(out, STR("\x1B[H" CONCEAL));
	for (unsigned i = 0; room && i < PROBES; i++)
		buf_printf(out, "\r\n%s" REPORT_CURSOR, probes[i]);
	buf_add(out, STR(PLAIN "\x1B[H\x1B[J" QUESTIONS LAST_QUESTION));
}

/* --- answers --- */

static bool handshake_take_literal(struct str *rest, const char *literal)
{
	if (!str_starts(*rest, literal))
		return false;
	*rest = str_skip(*rest, strlen(literal));
	return true;
}

/* "[4;3R": the row identifies the probe. */
static bool handshake_take_position(struct handshake *h, struct str reply)
{
	struct str row, column;
	long long r, c;

	if (!handshake_take_literal(&reply, "[") || !str_ends(reply, "R"))
		return false;
	reply.len--;
	if (!str_split(&reply, ';', &row) || !str_split(&reply, ';', &column) || !str_to_int(row, &r) || !str_to_int(column, &c))
		return false;
	if (r < FIRST_ROW || r >= FIRST_ROW + PROBES || c < 1 || c > COLUMNS_LEAST)
		return false;
	h->columns[r - FIRST_ROW] = (unsigned)c - 1;
	return true;
}

/* "[?2026;2$y": 0 means not recognized, 4 permanently reset. */
static bool handshake_take_mode(struct handshake *h, struct str reply)
{
	if (!str_is(reply, "[?2026;0$y") && !str_is(reply, "[?2026;4$y"))
		return false;
	h->no_sync = true;
	return true;
}

/* One to four hexadecimal digits, scaled to 0 to 255: "f" and "ffff" both mean 255. */
static bool handshake_take_shade(struct str digits, int *shade)
{
	unsigned value = 0, most = 0;

	if (!digits.len || digits.len > 4)
		return false;
	for (size_t i = 0; i < digits.len; i++) {
		static const char known[] = "0123456789abcdef";
		const char *digit = digits.ptr[i] ? strchr(known, digits.ptr[i] >= 'A' ? digits.ptr[i] | 32 : digits.ptr[i]) : NULL;

		if (!digit)
			return false;
		value = value << 4 | (unsigned)(digit - known);
		most = most << 4 | 15;
	}
	*shade = (int)((value * 255 + most / 2) / most);
	return true;
}

/* "]11;rgb:ffff/ffff/ffff" */
static bool handshake_take_background(struct handshake *h, struct str reply)
{
	int shades[3];

	if (!handshake_take_literal(&reply, "]11;rgb:") && !handshake_take_literal(&reply, "]11;rgba:"))
		return false;
	for (size_t i = 0; i < 3; i++) {
		struct str digits;

		if (!str_split(&reply, '/', &digits) || !handshake_take_shade(digits, &shades[i]))
			return false;
	}
	h->has_background = true;
	h->r = shades[0];
	h->g = shades[1];
	h->b = shades[2];
	return true;
}

/* "P>|kitty(0.35.2)": terminals that know placeholders. Others know the protocol without them, among them kitty before 0.28. */
static bool handshake_take_name(struct handshake *h, struct str reply)
{
	static const struct { const char *name; long long major, minor; } known[] = { { "kitty(", 0, 28 }, { "ghostty ", 1, 0 } };

	if (!handshake_take_literal(&reply, "P>|"))
		return false;
	for (size_t i = 0; i < ARRAY_LEN(known); i++) {
		struct str rest = reply, major, minor;
		long long a, b;

		if (handshake_take_literal(&rest, known[i].name) && str_split(&rest, '.', &major) && str_split(&rest, '.', &minor) &&
			str_to_int(major, &a) && str_to_int(minor, &b))
			h->knows_placeholders |= a > known[i].major || (a == known[i].major && b >= known[i].minor);
	}
	return true;
}

static bool handshake_take_graphics(struct handshake *h, struct str reply)
{
	bool good = h->asks_images && str_is(reply, KITTY_REPLY);

	h->knows_graphics |= good;
	return good;
}

bool handshake_draws_images(const struct handshake *h)
{
	return h->knows_graphics && h->knows_placeholders;
}

/* "[?62;4;22c": what comes after the first attribute are extensions; 4 is sixel. */
static bool handshake_take_last(struct handshake *h, struct str reply)
{
	struct str rest = reply, attribute;

	if (!handshake_take_literal(&rest, "[?") || !str_ends(rest, "c"))
		return false;
	rest.len--;
	for (bool first = true; str_split(&rest, ';', &attribute); first = false)
		h->knows_sixels |= !first && str_is(attribute, "4");
	h->answered = !h->knows_sixels || h->asked_more;
	return true;
}

void handshake_ask_more(struct handshake *h, struct buf *out)
{
	if (!h->knows_sixels || h->asked_more)
		return;
	h->asked_more = true;
	buf_add(out, STR(CELL_QUESTION COLOURS_QUESTION LAST_QUESTION));
}

/* Two numbers, "20;10". */
static bool handshake_read_pair(struct str text, long long *first, long long *second)
{
	struct str one;

	return str_split(&text, ';', &one) && str_to_int(one, first) && str_to_int(text, second);
}

/* "[6;20;10t": the height and width of a cell */
static bool handshake_take_cell(struct handshake *h, struct str reply)
{
	long long height, width;

	if (!h->asked_more || !handshake_take_literal(&reply, "[6;") || !str_ends(reply, "t"))
		return false;
	reply.len--;
	if (!handshake_read_pair(reply, &height, &width) || height < 1 || height > CELL_EDGE_MOST || width < 1 || width > CELL_EDGE_MOST)
		return false;
	h->cell_width = (uint32_t)width;
	h->cell_height = (uint32_t)height;
	return true;
}

/* "[?1;0;256S": the number of colours; 0: no failure */
static bool handshake_take_colours(struct handshake *h, struct str reply)
{
	long long status, colours;

	if (!h->asked_more || !handshake_take_literal(&reply, "[?1;") || !str_ends(reply, "S"))
		return false;
	reply.len--;
	if (!handshake_read_pair(reply, &status, &colours) || status != 0 || colours < (int)SIXEL_COLOURS_LEAST)
		return false;
	h->sixel_colours = colours < (int)SIXEL_COLOURS_MOST ? (unsigned)colours : SIXEL_COLOURS_MOST;
	return true;
}

bool handshake_take(struct handshake *h, struct str reply)
{
	return h->asked && (handshake_take_position(h, reply) || handshake_take_mode(h, reply) || handshake_take_background(h, reply) ||
	                    handshake_take_name(h, reply) || handshake_take_graphics(h, reply) || handshake_take_last(h, reply) ||
	                    handshake_take_cell(h, reply) || handshake_take_colours(h, reply));
}

struct utf8_profile handshake_profile(const struct handshake *h)
{
	unsigned recent = h->columns[PROBE_RECENT];
	struct utf8_profile profile = { .not_recent = recent && recent != 2 };

	/* A cluster whose width differs from wcwidth()'s can only be drawn with a substitute. */
	if (wcwidth((wchar_t)CELL_SUBSTITUTE_FIRST) != 2)
		return profile;
	profile.joins = h->columns[PROBE_JOINED] == 2;
	profile.tones = h->columns[PROBE_TONE] == 2;
	profile.variants = h->columns[PROBE_VARIANT] == 2;
	/* On a terminal that joins nothing, the two halves of a flag may also occupy two cells in total. */
	profile.flags = profile.joins && h->columns[PROBE_FLAG] == 2;
	profile.recent = recent == 2;
	return profile;
}
