#include "ui/palette.h"

#include <string.h>

static bool is_used(const struct palette *palette, const struct theme *theme, int32_t index)
{
	for (size_t role = 0; role < ROLE_COUNT; role++)
		if (theme->styles[role].fg == index || theme->styles[role].bg == index)
			return true;
	return palette->rgb[index] != 0;
}

/* The placeholder of an RGB colour; there are more free indexes than a theme has colours. */
static int32_t placeholder(struct palette *palette, const struct theme *theme, int32_t colour)
{
	int32_t index = 255;

	while (index > 16 && palette->rgb[index] != colour && is_used(palette, theme, index))
		index--;
	palette->rgb[index] = colour;
	return index;
}

static int32_t shown_colour(struct palette *palette, const struct theme *theme, int32_t colour, int colours)
{
	if (colours == COLOURS_TRUE && colour >= 0x1000000)
		return placeholder(palette, theme, colour);
	return colour_reduce(colour, colours);
}

void palette_make(struct palette *palette, const struct theme *theme, int colours)
{
	struct theme mono;

	memset(palette, 0, sizeof *palette);
	if (colours == 0 && theme_load(&mono, STR("mono"), NULL, NULL, NULL))
		theme = &mono;
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		const struct style *wanted = &theme->styles[role];
		struct style *style = &palette->styles[role];

		style->attributes = wanted->attributes;
		style->fg = shown_colour(palette, theme, wanted->fg, colours);
		style->bg = shown_colour(palette, theme, wanted->bg, colours);
		if (style->fg != style->bg || wanted->fg == wanted->bg)
			continue;
		/* Too few colours to tell them apart. */
		style->fg = palette->styles[ROLE_TEXT].fg;
		if (style->fg == style->bg)
			style->fg = style->bg = COLOUR_DEFAULT;
	}
}
