/* What a frame wrote, marked on the page: the rows of its bytes, or the words in a row that has more. */
#include "base/least.h"
#include "ui/page/page.h"

#define NEEDLE_BYTES 256 /* longer texts fill rows */

/* The bytes of the source that a row shows, and the text that it shows of them. */
struct written_row { size_t from, to; struct buf text; };

static void written_add_markdown(const struct page *p, const struct item *item, size_t block, size_t row, struct written_row *out)
{
	const struct markdown_layout *layout = markdown_lay_out(item->markdown, block, page_item_width(p, item));

	if (row >= layout->count)
		return;
	size_t end = row + 1 < layout->count ? layout->rows[row + 1].source : markdown_block_at(item->markdown, block)->end;
	out->from = page_received_offset(item, layout->rows[row].shown);
	out->to = page_received_offset(item, end);
	for (size_t i = 0; i < layout->rows[row].count; i++)
		buf_add(&out->text, layout->rows[row].spans[i].text);
}

static void written_add_flow(const struct page *p, const struct item *item, size_t piece, size_t row, struct written_row *out)
{
	struct str text;
	const struct flow *flow = page_flow(p, item, piece, &text);
	size_t at = page_rows_before(p, item, piece) + row, start = item->flow->blocks[piece - item->first_piece].start;

	if (at >= flow->count)
		return;
	out->from = start + flow->starts[at];
	out->to = start + (at + 1 < flow->count ? flow->starts[at + 1] : text.len);
	buf_add(&out->text, flow_row(flow, text, at));
}

/* Counts how often a needle begins in a text, at most up to `before`. */
static size_t written_count(struct str text, struct str needle, size_t before)
{
	size_t count = 0;

	for (size_t at = str_find(text, needle); at < before && at < text.len; at += needle.len + str_find(str_skip(text, at + needle.len), needle))
		count++;
	return count;
}

/* Where the nth occurrence is; text.len: there is none, such as where markup is not shown. */
static size_t written_nth(struct str text, struct str needle, size_t nth)
{
	size_t at = str_find(text, needle);

	for (; nth && at < text.len; nth--)
		at += needle.len + str_find(str_skip(text, at + needle.len), needle);
	return at;
}

/* The columns of the words in a row; the whole row where they are not found, or are all of it. */
static struct area written_columns(const struct page *p, const struct item *item, const struct written_row *row, struct area line)
{
	size_t from = p->written.from > row->from ? p->written.from : row->from, to = least_size(p->written.to, row->to);
	struct str source = item->cites ? item->received : item->text, shown = buf_str(&row->text);
	struct str needle = str_trim(str_head(str_skip(source, from), to - from));
	unsigned width = flow_columns(shown, line.columns);

	if (needle.len && needle.len <= NEEDLE_BYTES && needle.len < shown.len) {
		struct str begin = str_skip(str_head(source, row->to), row->from);
		size_t at = written_nth(shown, needle, written_count(begin, needle, (size_t)(needle.ptr - begin.ptr)));

		if (at < shown.len) {
			unsigned column = flow_columns(str_head(shown, at), line.columns);

			return (struct area){ line.row, line.column + column, 1,
			                      flow_columns(str_head(shown, at + needle.len), line.columns) - column };
		}
	}
	return (struct area){ line.row, line.column, 1, width };
}

void page_draw_written(struct page *p, size_t piece, size_t row, struct canvas *canvas, struct area line)
{
	const struct item *item = page_item(p, piece);
	struct written_row bytes = { 0 };

	if (!p->has_written || !item || item->part != p->written.part)
		return;
	if (page_has_line(item, piece) && !row && !item->spaced) { /* a fold: its text may be elsewhere */
		canvas_restyle(canvas, line, ROLE_SELECTED);
		return;
	}
	buf_init(&bytes.text, FLOW_ROW_BYTES * 2);
	if (item->markdown)
		written_add_markdown(p, item, piece - item->first_piece, row, &bytes);
	else if (item->flow && !item->source.len && row >= page_has_line(item, piece))
		written_add_flow(p, item, piece, row - page_has_line(item, piece), &bytes);
	unsigned indent = item->markdown ? 0 : item->indent;
	if (bytes.to > p->written.from && bytes.from < p->written.to && line.columns > indent)
		canvas_restyle(canvas, written_columns(p, item, &bytes, (struct area){ line.row, line.column + indent, 1, line.columns - indent }),
		               ROLE_SELECTED);
	buf_fini(&bytes.text);
}
