#include "base/xml.h"

#include "base/utf8.h"

static void xml_add_cell(struct buf *out, struct str cell)
{
	while (cell.len) {
		struct str before = cell;
		uint32_t code = utf8_next(&cell);

		if (code < 0x20 || code == 0xFFFE || code == 0xFFFF) /* section 2.2: what is no Char, of what utf8_cell() leaves */
			buf_add_z(out, "\uFFFD");
		else if (code == '<' || code == '>')
			buf_add_z(out, code == '<' ? "&lt;" : "&gt;");
		else if (code == '&' || code == '"' || code == '\'')
			buf_add_z(out, code == '&' ? "&amp;" : code == '"' ? "&quot;" : "&apos;");
		else
			buf_add(out, str_head(before, before.len - cell.len));
	}
}

void xml_add_text(struct buf *out, struct str text, unsigned cells)
{
	for (unsigned used = 0; text.len && used < cells;) {
		struct utf8_cell cell;

		text = str_skip(text, utf8_cell(text, &cell));
		used += cell.width;
		xml_add_cell(out, str_of(cell.text, cell.len));
	}
}
