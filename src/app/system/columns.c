#include "app/system/columns.h"

#include <assert.h>

#include "app/system/output.h"
#include "base/utf8.h"

#define COLUMNS_GAP 2u

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

void columns_write(const struct columns *c, bool for_people, struct buf *out)
{
	size_t widest[COLUMNS_MOST] = { 0 }, gap = 0;
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
		gap = field.len ? 0 : gap;
		buf_add(out, field);
		if (is_last || !for_people)
			buf_add_byte(out, is_last ? '\n' : '\t');
		else
			gap += COLUMNS_GAP + (widest[column] > utf8_width(field) ? widest[column] - utf8_width(field) : 0);
		gap = is_last ? 0 : gap;
	}
}
