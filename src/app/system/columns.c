#include "app/system/columns.h"

#include <assert.h>

#include "app/system/output.h"
#include "base/utf8.h"

#define COLUMNS_GAP 2u
#define COLUMNS_CUT 3u /* cells of "..." */
#define WRAP_LEAST 20u /* where less is left behind the other fields, it goes on farther to the left */
#define WRAP_INDENT 8u

void columns_fini(struct columns *c)
{
	buf_fini(&c->text);
}

void columns_add(struct columns *c, struct str field)
{
	output_field(&c->text, field); /* a NUL in it becomes a picture of one */
	buf_add_byte(&c->text, '\0');
	c->fields++;
}

void columns_wrap(struct str words, size_t at, size_t indent, unsigned width, struct buf *out)
{
	struct str word;
	bool first = true;

	for (; str_split(&words, ' ', &word); first = false) {
		size_t cells = utf8_width(word);

		if (!first && width && at + 1 + cells > width) {
			buf_printf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			buf_add_byte(out, ' ');
			at++;
		}
		buf_add(out, word);
		at += cells;
	}
}

/* As much of the last field as fits behind the others, which take `at` cells; or all of it. */
static void columns_write_last(const struct columns *c, struct str field, size_t at, struct buf *out)
{
	size_t cells = 0, room = c->width > at ? c->width - at : 0;

	if (c->wraps) {
		columns_wrap(field, at, room < WRAP_LEAST ? WRAP_INDENT : at, c->width, out);
		return;
	}
	if (room <= COLUMNS_CUT || utf8_width(field) <= room) {
		buf_add(out, field);
		return;
	}
	while (field.len) {
		struct utf8_cell cell;
		size_t len = utf8_cell(field, &cell);

		cells += cell.width;
		if (cells > room - COLUMNS_CUT)
			break;
		buf_add(out, str_head(field, len));
		field = str_skip(field, len);
	}
	buf_add_z(out, "...");
}

void columns_write(const struct columns *c, bool for_people, struct buf *out)
{
	size_t widest[COLUMNS_MOST] = { 0 }, gap = 0, at = 0;
	struct str rest = buf_str(&c->text), field;

	assert(c->count <= COLUMNS_MOST && c->fields % c->count == 0);
	for (size_t i = 0; for_people && i < c->fields; i++) {
		size_t width = str_split(&rest, '\0', &field) ? utf8_width(field) : 0, *most = &widest[i % c->count];

		*most = width > *most && (!c->most || width <= c->most) ? width : *most;
	}
	rest = buf_str(&c->text);
	for (size_t i = 0; i < c->fields; i++) {
		size_t column = i % c->count;
		bool is_last = column + 1 == c->count;

		str_split(&rest, '\0', &field);
		if (field.len && gap) /* no blanks at the end of a line */
			buf_printf(out, "%*s", (int)gap, "");
		at += field.len ? gap : 0;
		gap = field.len ? 0 : gap;
		if (is_last && for_people && c->width)
			columns_write_last(c, field, at, out);
		else
			buf_add(out, field);
		at = is_last ? 0 : at + utf8_width(field);
		if (is_last || !for_people)
			buf_add_byte(out, is_last ? '\n' : '\t');
		else
			gap += COLUMNS_GAP + (widest[column] > utf8_width(field) ? widest[column] - utf8_width(field) : 0);
		gap = is_last ? 0 : gap;
	}
}
