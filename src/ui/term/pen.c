#include "ui/term/pen.h"

#include "base/array.h"

static int32_t pen_colour_of(int32_t colour, int base)
{
	if (colour == COLOUR_DEFAULT)
		return 0;
	if (colour >= 0x1000000)
		return colour;
	return colour < 8 ? base + colour : colour < 16 ? base + 60 + colour - 8 : PEN_INDEXED + colour;
}

struct pen pen_of(const struct style *style, uint8_t attributes)
{
	static const struct { uint8_t bit; unsigned sgr; } table[] = {
		{ STYLE_BOLD, 1 }, { STYLE_DIM, 2 }, { STYLE_ITALIC, 3 }, { STYLE_UNDERLINE, 4 }, { STYLE_REVERSE, 7 }, { STYLE_STRIKE, 9 },
	};
	struct pen pen = { .fg = pen_colour_of(style->fg, 30), .bg = pen_colour_of(style->bg, 40) };

	for (size_t i = 0; i < ARRAY_LEN(table); i++)
		if ((style->attributes | attributes) & table[i].bit)
			pen.attributes |= 1u << table[i].sgr;
	return pen;
}

static int pen_next_number(struct str *parameters)
{
	struct str item;
	long long number;

	if (!str_split(parameters, ';', &item) || !str_to_int(item, &number) || number > 255)
		return 0;
	return (int)number;
}

/* Reads the parameters after 38 or 48. */
static int32_t pen_read_colour(struct str *parameters, const struct palette *palette)
{
	int form = pen_next_number(parameters), r, g;
	int32_t index;

	if (form == 2) {
		r = pen_next_number(parameters);
		g = pen_next_number(parameters);
		return COLOUR_RGB(r, g, pen_next_number(parameters));
	}
	index = pen_next_number(parameters);
	return palette->rgb[index] ? palette->rgb[index] : PEN_INDEXED + index;
}

void pen_note(struct pen *pen, struct str parameters, const struct palette *palette)
{
	if (!parameters.len)
		*pen = (struct pen){ 0 };
	while (parameters.len) {
		int code = pen_next_number(&parameters);

		if (code == 0)
			*pen = (struct pen){ 0 };
		else if (code < 10)
			pen->attributes |= 1u << code;
		else if (code == 22)
			pen->attributes &= ~(1u << 1 | 1u << 2);
		else if (code >= 23 && code <= 29)
			pen->attributes &= ~(1u << (code - 20));
		else if (code == 38)
			pen->fg = pen_read_colour(&parameters, palette);
		else if (code == 48)
			pen->bg = pen_read_colour(&parameters, palette);
		else if (code == 39 || (code >= 30 && code < 38) || (code >= 90 && code < 98))
			pen->fg = code == 39 ? 0 : code;
		else if (code == 49 || (code >= 40 && code < 48) || (code >= 100 && code < 108))
			pen->bg = code == 49 ? 0 : code;
	}
}

static void pen_add_parameter(struct buf *out, size_t start, int code)
{
	buf_printf(out, out->len > start ? ";%d" : "%d", code);
}

static void pen_add_colour(struct buf *out, size_t start, int32_t colour, int base)
{
	if (colour >= 0x1000000) {
		pen_add_parameter(out, start, base + 8);
		buf_printf(out, ";2;%d;%d;%d", colour >> 16 & 255, colour >> 8 & 255, colour & 255);
	} else if (colour >= PEN_INDEXED) {
		pen_add_parameter(out, start, base + 8);
		buf_printf(out, ";5;%d", colour - PEN_INDEXED);
	} else {
		pen_add_parameter(out, start, colour ? colour : base + 9);
	}
}

void pen_change(struct pen *have, const struct pen *want, struct buf *out)
{
	bool plain = !want->attributes && !want->fg && !want->bg;
	struct pen from = *have;
	size_t start;

	if (!from.unknown && from.attributes == want->attributes && from.fg == want->fg && from.bg == want->bg)
		return;
	buf_add(out, STR("\x1B["));
	start = out->len;
	/* Terminals do not agree on the codes that turn single attributes off. Turning all off is portable, and shorter. */
	if (from.unknown || (from.attributes & ~want->attributes) || plain) {
		from = (struct pen){ 0 };
		if (!plain)
			pen_add_parameter(out, start, 0);
	}
	for (int code = 1; code < 10; code++)
		if (want->attributes & ~from.attributes & 1u << code)
			pen_add_parameter(out, start, code);
	if (want->fg != from.fg)
		pen_add_colour(out, start, want->fg, 30);
	if (want->bg != from.bg)
		pen_add_colour(out, start, want->bg, 40);
	buf_add_byte(out, 'm');
	*have = *want;
	have->unknown = false;
}
