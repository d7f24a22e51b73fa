#include "ui/scroll.h"

#include "base/array.h"

static const struct { enum key_code code; char letter; unsigned keys; long rows; } rows[] = {
	{ KEY_UP, 0, 0, -1 }, { KEY_DOWN, 0, 0, 1 },
	{ KEY_BACKTAB, 0, SCROLL_TABS, -1 }, { KEY_TAB, 0, SCROLL_TABS, 1 },
	{ KEY_CONTROL, 'p', SCROLL_CONTROLS, -1 }, { KEY_CONTROL, 'n', SCROLL_CONTROLS, 1 },
	{ KEY_HOME, 0, SCROLL_ENDS, -SCROLL_ALL }, { KEY_END, 0, SCROLL_ENDS, SCROLL_ALL },
	{ KEY_WHEEL_UP, 0, SCROLL_STEPS, -1 }, { KEY_WHEEL_DOWN, 0, SCROLL_STEPS, 1 },
	{ KEY_WHEEL_UP, 0, SCROLL_WHEEL, -WHEEL_ROWS }, { KEY_WHEEL_DOWN, 0, SCROLL_WHEEL, WHEEL_ROWS },
};

struct key scroll_key(const struct key *key)
{
	static const struct { const char *letter; enum key_code code; } letters[] = {
		{ "j", KEY_DOWN }, { "k", KEY_UP }, { "g", KEY_HOME }, { "G", KEY_END }, { " ", KEY_PAGE_DOWN },
	};

	for (size_t i = 0; key->code == KEY_TEXT && i < ARRAY_LEN(letters); i++)
		if (str_is(key->text, letters[i].letter))
			return (struct key){ .code = letters[i].code };
	return *key;
}

long scroll_rows(const struct key *key, unsigned keys, unsigned page)
{
	struct key own = scroll_key(key);
	bool is_step = own.code == KEY_UP || own.code == KEY_DOWN;

	if (!(keys & (is_step ? SCROLL_LETTERS : SCROLL_JUMPS)))
		own = *key;
	if (own.code == KEY_PAGE_UP || own.code == KEY_PAGE_DOWN)
		return own.code == KEY_PAGE_UP ? -(long)page : (long)page;
	if (is_step && keys & SCROLL_HALVES && key->modifiers & KEY_ALT_HELD)
		return (own.code == KEY_UP ? -1 : 1) * ((long)page + 1) / 2;
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].code == own.code && rows[i].letter == own.letter && (!rows[i].keys || rows[i].keys & keys))
			return rows[i].rows;
	return 0;
}

size_t scroll_to(size_t at, long by, size_t last)
{
	if (by < 0)
		return (size_t)-by < at ? at - (size_t)-by : 0;
	return at < last && (size_t)by < last - at ? at + (size_t)by : last;
}

size_t scroll_into_view(size_t top, size_t count, size_t from, size_t to, unsigned height)
{
	if (top + height > count)
		top = count > height ? count - height : 0;
	if (from < top)
		top = from;
	return height && to >= top + height ? to - height + 1 : top;
}
