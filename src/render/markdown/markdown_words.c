#include "render/markdown/markdown_words.h"

#include "base/utf8.h"
#include "render/markdown/markdown.h"

#define WIDTH 4000u /* columns: longer rows wrap */

static void add_words(struct str text, struct buf *out, size_t start)
{
	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];
		bool blank = c <= ' ' || c == 0x7F;

		if (!blank || (out->len > start && out->ptr[out->len - 1] != ' '))
			buf_add_byte(out, blank ? ' ' : (char)c);
	}
}

/* Edges of a table are bars between cells, or lines that have no words. */
static bool is_line(const struct markdown_row *row)
{
	for (size_t i = 0; i < row->count; i++)
		if (row->spans[i].role != ROLE_TABLE_EDGE)
			return false;
	return true;
}

static void add_row(const struct markdown_row *row, struct buf *out, size_t start)
{
	for (size_t i = 0; i < row->count; i++)
		add_words(row->spans[i].role == ROLE_TABLE_EDGE ? STR(" \u00B7 ") : row->spans[i].text, out, start);
	if (!row->wraps)
		add_words(STR(" "), out, start);
}

static void add_block(struct markdown *m, size_t block, struct buf *out, size_t start)
{
	const struct markdown_block *b = markdown_block_at(m, block);
	const struct markdown_layout *layout = markdown_lay_out(m, block, WIDTH);
	bool begun = b->continues;

	for (size_t i = 0; i < layout->count && b->kind != MARKDOWN_RULE; i++) {
		if (is_line(&layout->rows[i]))
			continue;
		if (b->kind == MARKDOWN_TABLE && begun && out->len > start && out->ptr[out->len - 1] == ' ') {
			out->ptr[out->len - 1] = ';';
			buf_add_byte(out, ' ');
		}
		add_row(&layout->rows[i], out, start);
		begun = true;
	}
}

void markdown_words(struct str source, struct buf *out)
{
	struct markdown *m = markdown_new();
	struct buf text = { 0 };
	size_t start = out->len;

	utf8_repair(source, &text);
	markdown_set_options(m, &(struct markdown_options){ .code_band = true, .strikes = true });
	markdown_update(m, buf_str(&text));
	markdown_finish(m);
	for (size_t i = 0; i < markdown_count(m); i++)
		add_block(m, i, out, start);
	if (out->len > start && out->ptr[out->len - 1] == ' ')
		buf_remove(out, out->len - 1, 1);
	markdown_free(m);
	buf_fini(&text);
}
