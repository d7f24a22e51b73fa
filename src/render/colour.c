#include "render/theme.h"

#include <math.h>

struct rgb { int r, g, b; };

static struct rgb rgb_of(int32_t colour)
{
	/* xterm's; users may change the first sixteen, but these match their names */
	static const struct rgb first[16] = {
		{ 0, 0, 0 }, { 205, 0, 0 }, { 0, 205, 0 }, { 205, 205, 0 }, { 0, 0, 238 }, { 205, 0, 205 }, { 0, 205, 205 }, { 229, 229, 229 },
		{ 127, 127, 127 }, { 255, 0, 0 }, { 0, 255, 0 }, { 255, 255, 0 }, { 92, 92, 255 }, { 255, 0, 255 }, { 0, 255, 255 },
		{ 255, 255, 255 },
	};
	static const int levels[6] = { 0, 95, 135, 175, 215, 255 };
	int cube = colour - 16, grey = 8 + 10 * (colour - 232);

	if (colour >= 0x1000000)
		return (struct rgb){ colour >> 16 & 255, colour >> 8 & 255, colour & 255 };
	if (colour < 16)
		return first[colour];
	if (colour >= 232)
		return (struct rgb){ grey, grey, grey };
	return (struct rgb){ levels[cube / 36], levels[cube / 6 % 6], levels[cube % 6] };
}

/* Approximates perceived difference ("redmean"). */
static long distance(struct rgb a, struct rgb b)
{
	long mean = (a.r + b.r) / 2, r = a.r - b.r, g = a.g - b.g, blue = a.b - b.b;

	return ((512 + mean) * r * r >> 8) + 4 * g * g + ((767 - mean) * blue * blue >> 8);
}

static int32_t lightest_of(int a, int b, int c)
{
	return a > b ? (a > c ? a : c) : (b > c ? b : c);
}

/* The chroma of a colour: 0 for grey. */
static int chroma(struct rgb c)
{
	return lightest_of(c.r, c.g, c.b) - 255 + lightest_of(255 - c.r, 255 - c.g, 255 - c.b);
}

static double linear(int value)
{
	double v = value / 255.0;

	return v <= 0.04045 ? v / 12.92 : pow((v + 0.055) / 1.055, 2.4);
}

static double luminance(int32_t colour)
{
	struct rgb c = rgb_of(colour);

	return 0.2126 * linear(c.r) + 0.7152 * linear(c.g) + 0.0722 * linear(c.b);
}

double colour_contrast(int32_t a, int32_t b)
{
	double x = luminance(a), y = luminance(b);

	return (fmax(x, y) + 0.05) / (fmin(x, y) + 0.05);
}

/*
 * The nearest of the palette's 16 to 255 with at least this contrast to `on`; -1 if there is none. A coloured one never becomes grey, even
 * if a grey is nearer: its hue carries the meaning. A grey stays grey, and so does paper: all pale colours of the cube are louder than the
 * tint of a page.
 */
static int32_t nearest(int32_t colour, int32_t on, double least)
{
	struct rgb wanted = rgb_of(colour);
	int lightest = lightest_of(wanted.r, wanted.g, wanted.b);
	bool coloured = lightest >= 90 && chroma(wanted) * 3 >= lightest, grey = chroma(wanted) * (lightest >= 230 ? 4 : 6) < lightest;
	long best = -1;
	int32_t found = -1;

	for (int32_t i = 16; i < 256; i++) {
		long d = distance(wanted, rgb_of(i));

		if (chroma(rgb_of(i)) == 0 ? coloured : grey)
			continue;
		if ((best < 0 || d < best) && (least <= 1 || colour_contrast(i, on) >= least)) {
			best = d;
			found = i;
		}
	}
	return found;
}

/* Maps by hue rather than by distance: a pale teal is nearer to grey than to cyan, but its hue is cyan. */
static int32_t reduce_to_sixteen(int32_t colour)
{
	struct rgb c = rgb_of(colour);
	int max = lightest_of(c.r, c.g, c.b), half = max - chroma(c) / 2;

	if (max < 64 || (max < 112 && chroma(c) < 48)) /* a dark background, whatever its tint */
		return 0;
	if (chroma(c) * 4 < max)
		return max < 80 ? 0 : max < 170 ? 8 : max < 240 ? 7 : 15;
	return (c.r > half) | (c.g > half) << 1 | (c.b > half) << 2 | (max > 215 ? 8 : 0);
}

int32_t colour_reduce(int32_t colour, int colours)
{
	if (colour == COLOUR_DEFAULT || colours < 8)
		return COLOUR_DEFAULT;
	if (colours >= 256)
		return colour >= 0x1000000 ? nearest(colour, COLOUR_DEFAULT, 1) : colour;
	if (colour >= 16)
		colour = reduce_to_sixteen(colour);
	if (colours >= 16 || colour < 8)
		return colour;
	return colour == 8 ? 7 : colour - 8; /* bright black must not become black */
}

#define LEAST_CONTRAST 3.0 /* with 16 colours, of which few have more on a given background */

/* The contrast that a reduced colour must have, by what the theme has: AAA or AA of WCAG 2, enough for lines, or any. */
static double contrast_to_keep(double contrast)
{
	return contrast >= 8 ? 7 : contrast >= 4.5 ? 4.5 : contrast >= 3 ? 3 : 1;
}

/* The nearest of 256 colours that can still be read. */
static int32_t reduce_to_256_on(int32_t fg, int32_t bg)
{
	int32_t on = colour_reduce(bg, 256), found = nearest(fg, on, contrast_to_keep(colour_contrast(fg, bg)));

	if (found >= 0 && found != on)
		return found;
	return colour_contrast(0, on) > colour_contrast(15, on) ? 0 : 15;
}

int32_t colour_reduce_on(int32_t fg, int32_t bg, int colours)
{
	int32_t reduced = colour_reduce(fg, colours), on = colour_reduce(bg, colours);
	bool grey = reduced == 0 || reduced == 7 || reduced == 8 || reduced == 15;
	const int32_t candidates[] = { reduced, reduced ^ 8, grey ? 8 : reduced };
	size_t count = colours >= 16 && reduced < 16 ? 3 : 1;
	int32_t white = colours >= 16 ? 15 : 7;

	if (reduced == COLOUR_DEFAULT || on == COLOUR_DEFAULT || fg == bg)
		return reduced;
	if (colours >= 256)
		return fg >= 0x1000000 ? reduce_to_256_on(fg, bg) : reduced;
	for (size_t i = 0; i < count; i++)
		if (colour_contrast(candidates[i], on) >= LEAST_CONTRAST)
			return candidates[i];
	return colour_contrast(0, on) > colour_contrast(white, on) ? 0 : white;
}
