#include "ui/term/capability.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ui/term/palette.h"

static bool capability_wants_truecolour(void)
{
	const char *colorterm = getenv("COLORTERM");

	return colorterm && (strcmp(colorterm, "truecolor") == 0 || strcmp(colorterm, "24bit") == 0);
}

const char *capability_string(const char *name)
{
	const char *text = tigetstr(name);

	return text == (const char *)-1 ? NULL : text;
}

int capability_colours(void)
{
	int colours = tigetnum("colors");

	if (colours > 256)
		return COLOURS_TRUE;
	return colours >= 256 ? 256 : colours >= 16 ? 16 : colours >= 8 ? 8 : 0;
}

/* True if setaf uses the form "38;5;N", by which the palette's placeholders are recognized in the output of ncurses. */
static bool capability_has_indexed_form(void)
{
	const char *foreground = capability_string("setaf");

	return foreground && strstr(tiparm(foreground, 200), "38;5;200m") != NULL;
}

int capability_choose_colours(enum colour_mode mode, int offered)
{
	static const int most[] = { [COLOUR_AUTO] = 256, [COLOUR_NEVER] = 0, [COLOUR_16] = 16, [COLOUR_256] = 256, [COLOUR_TRUE] = 256 };
	const char *no_colour = getenv("NO_COLOR");

	if (mode == COLOUR_AUTO && no_colour && no_colour[0])
		return 0;
	if (offered >= 256 && capability_has_indexed_form() && (mode == COLOUR_TRUE || (mode == COLOUR_AUTO && capability_wants_truecolour())))
		return COLOURS_TRUE;
	return offered < most[mode] ? offered : most[mode];
}

bool capability_wants_other_type(enum colour_mode mode)
{
	int offered = capability_colours();

	return offered == COLOURS_TRUE || (offered < 256 && (mode == COLOUR_256 || mode == COLOUR_TRUE));
}

static bool capability_is_of(const char *type, const char *const *families, size_t count)
{
	for (size_t i = 0; type && i < count; i++)
		if (str_starts(str_from(type), families[i]))
			return true;
	return false;
}
#define IS_OF(type, families) capability_is_of((type), (families), ARRAY_LEN(families))

bool capability_links(const char *type)
{
	static const char *const without[] = { "linux", "screen", "vt1", "vt2", "vt3", "vt5", "ansi", "cons", "sun", "eterm", "cygwin" };

	return !IS_OF(type, without);
}

bool capability_asks_images(const char *type)
{
	static const char *const without[] = { "screen", "tmux" };

	return !IS_OF(type, without) && !getenv("TMUX") && !getenv("STY");
}

bool capability_blocks(const char *type)
{
	static const char *const without[] = { "linux", "vt1", "vt2", "vt3", "vt5", "ansi", "cons", "sun", "cygwin" };

	return !IS_OF(type, without);
}

/* Within a multiplexer the variables of the terminal around it may still be there. */
enum notify_way capability_notify(const char *(*variable)(const char *name))
{
	static const struct { const char *variable, *begins; enum notify_way way; } known[] = {
		{ "TERM", "tmux", NOTIFY_BELL }, { "TERM", "screen", NOTIFY_BELL }, { "TERM", "foot", NOTIFY_OSC_777 },
		{ "TERM", "rxvt", NOTIFY_OSC_777 }, { "TERM", "xterm-ghostty", NOTIFY_OSC_777 }, { "TERM", "xterm-kitty", NOTIFY_OSC_9 },
		{ "TERM_PROGRAM", "iTerm", NOTIFY_OSC_9 }, { "TERM_PROGRAM", "WezTerm", NOTIFY_OSC_777 },
		{ "TERM_PROGRAM", "ghostty", NOTIFY_OSC_777 },
	};

	for (size_t i = 0; i < ARRAY_LEN(known); i++)
		if (str_starts(str_from(variable(known[i].variable)), known[i].begins))
			return known[i].way;
	return NOTIFY_BELL;
}

void capability_write_libraries(struct buf *out)
{
	buf_printf(out, "%s\n", curses_version()); /* "ncurses 6.5.20240831" */
}
