#include "ui/term/palette.h"

#include <string.h>

static bool palette_is_used(const struct palette *palette, const struct theme *theme, int32_t index)
{
	for (size_t role = 0; role < ROLE_COUNT; role++)
		if (theme->styles[role].fg == index || theme->styles[role].bg == index)
			return true;
	return palette->rgb[index] != 0;
}

/* The placeholder of an RGB colour. There are more free indexes than a theme has colours. */
static int32_t palette_placeholder(struct palette *palette, const struct theme *theme, int32_t colour)
{
	int32_t index = 255;

	while (index > 16 && palette->rgb[index] != colour && palette_is_used(palette, theme, index))
		index--;
	palette->rgb[index] = colour;
	return index;
}

static bool palette_is_placed(int32_t colour, int colours)
{
	return colours == COLOURS_TRUE && colour >= 0x1000000;
}

void palette_make(struct palette *palette, const struct theme *theme, int colours)
{
	struct theme mono;

	memset(palette, 0, sizeof *palette);
	if (colours == 0 && theme_load(&mono, STR("mono"), NULL, NULL, NULL))
		theme = &mono;
	for (size_t role = 0; role < ROLE_COUNT; role++) {
		const struct style *wanted = &theme_styles(theme, colours)[role];
		struct style *style = &palette->styles[role];

		style->attributes = wanted->attributes;
		style->fg = palette_is_placed(wanted->fg, colours) ? palette_placeholder(palette, theme, wanted->fg) :
		                                                     colour_reduce_on(wanted->fg, wanted->bg, colours);
		style->bg = palette_is_placed(wanted->bg, colours) ? palette_placeholder(palette, theme, wanted->bg) :
		                                                     colour_reduce(wanted->bg, colours);
	}
}
