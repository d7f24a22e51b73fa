#include "app/tools/tool_shown.h"

#include "base/array.h"
#include "base/utf8.h"

/* Signs of control characters are among them: a value that holds one would look like the control. */
static const struct { uint32_t first, last; } unseen[] = {
	{ 0x80, 0xA0 }, { 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x115F, 0x1160 }, { 0x1680, 0x1680 }, { 0x17B4, 0x17B5 },
	{ 0x180B, 0x180F }, { 0x2000, 0x200F }, { 0x2028, 0x202F }, { 0x205F, 0x206F }, { 0x2400, 0x2426 }, { 0x2800, 0x2800 }, { 0x3000, 0x3000 },
	{ 0x3164, 0x3164 }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF }, { 0xFFA0, 0xFFA0 }, { 0xFFF0, 0xFFFB }, { 0x1D173, 0x1D17A },
	{ 0xE0000, 0xE0FFF },
};

static bool shown_is_seen(uint32_t code)
{
	for (size_t i = 0; i < ARRAY_LEN(unseen); i++)
		if (code >= unseen[i].first && code <= unseen[i].last)
			return false;
	return true;
}

static void shown_add_code(uint32_t code, bool is_seen, struct buf *out)
{
	char bytes[4];

	if (code < ' ')
		buf_add(out, str_of(bytes, utf8_put(bytes, 0x2400 + code)));
	else if (is_seen)
		buf_add(out, str_of(bytes, utf8_put(bytes, code)));
	else
		buf_printf(out, "<U+%04X>", (unsigned)code);
	buf_add_z(out, code == '\n' ? "\n" : "");
}

/* Returns the length of what one cell shows. What the cell leaves out is written behind it. */
static size_t shown_add_cell(struct str value, struct buf *out)
{
	struct utf8_cell cell;
	size_t len = utf8_cell(value, &cell);
	struct str rest = str_head(value, len);
	bool is_first = true;

	while (rest.len) {
		uint32_t code = utf8_next(&rest);

		shown_add_code(code, shown_is_seen(code) && code != 0x7F && cell.width && (cell.len == len || is_first), out);
		is_first = false;
	}
	return len;
}

static bool shown_is_edge(struct str value, size_t at)
{
	return at >= value.len || value.ptr[at] == ' ' || value.ptr[at] == '\n';
}

void tool_shown_write(struct str value, struct buf *out)
{
	for (size_t at = 0; at < value.len;) {
		bool is_blank = value.ptr[at] == ' ' && (shown_is_edge(value, at + 1) || !at || shown_is_edge(value, at - 1));

		if (is_blank)
			buf_add_z(out, "\u2420");
		at += is_blank ? 1 : shown_add_cell(str_skip(value, at), out);
	}
}

void tool_shown_write_line(struct str value, size_t most, struct buf *out)
{
	struct buf shown = { 0 };
	struct str rest, line;

	tool_shown_write(utf8_head(value, most), &shown);
	for (rest = buf_str(&shown); rest.len && str_split(&rest, '\n', &line);)
		buf_add(out, line);
	buf_add_z(out, value.len > most ? "\u2026" : "");
	buf_fini(&shown);
}
