#include "render/markdown_rows.h"

#include <locale.h>

#include "support/check.h"

struct markdown *rows_new(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	return markdown_new();
}

static void add_styled(struct buf *out, const struct markdown_layout *layout, const struct span *span)
{
	buf_printf(out, "<%d,%d", span->role, span->attributes);
	if (span->link) {
		buf_add_byte(out, ' ');
		buf_add(out, layout->links[span->link - 1]);
	}
	buf_add_byte(out, '>');
	buf_add(out, span->text);
}

static void add_read(struct buf *out, const struct span *span)
{
	static const struct { uint8_t role, attribute; char sign; } signs[] = {
		{ ROLE_HEADING, 0, '#' }, { ROLE_CODE, 0, '`' }, { ROLE_CODE_WORD, 0, '`' }, { ROLE_LINK, 0, '@' }, { ROLE_MATH, 0, '$' }, { ROLE_CODE_LABEL, 0, '%' }, { ROLE_ACCENT, 0, '^' },
		{ ROLE_COUNT, STYLE_BOLD, 'b' }, { ROLE_COUNT, STYLE_ITALIC, 'i' }, { ROLE_COUNT, STYLE_STRIKE, 's' },
	};
	bool marked = false;

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
		if (span->role != signs[i].role && !(span->attributes & signs[i].attribute))
			continue;
		if (!marked)
			buf_add_byte(out, '<');
		marked = true;
		buf_add_byte(out, signs[i].sign);
	}
	buf_add_z(out, marked ? ":" : "");
	buf_add(out, span->text);
	buf_add_z(out, marked ? ">" : "");
}

void rows_of(struct markdown *m, unsigned width, bool styled, struct buf *out)
{
	buf_clear(out);
	for (size_t block = 0; block < markdown_count(m); block++) {
		const struct markdown_layout *layout = markdown_lay_out(m, block, width);

		for (size_t i = 0; i < layout->count; i++) {
			const struct markdown_row *row = &layout->rows[i];

			for (size_t j = 0; j < row->count; j++) {
				if (styled)
					add_styled(out, layout, &row->spans[j]);
				else
					add_read(out, &row->spans[j]);
			}
			if (styled)
				buf_printf(out, " %zu%s", row->source, row->wraps ? " wraps" : "");
			buf_add_byte(out, '\n');
		}
	}
}

static const char *const pieces[] = {
	"word ", "a", " ", "\n", "\n", "\n\n", "\r\n", "\t", "**", "*", "_", "`", "``", "```\n", "```c\n", "~~", "[", "](", ")", "](http://e.org/x) ", "![",
	"# ", "## ", "#", "- ", "* ", "+ ", "1. ", "2) ", "10. ", "  ", "    ", "   ", "> ", ">", "| ", " | ", "|-|-|\n", "| a | b |\n|---|---|\n",
	"| a | b |\n", "|:-:|--:|\n", "---\n", "===\n", "***\n", "- [ ] ", "- [x] ", "$", "$x^2$ ", "$5 and $10 ", "$$", "$$\n", "\\[", "\\]", "\\(", "\\)",
	"\\", "\\*", "&amp;", "&#65; ", "<br>", "<b>", "https://example.org/a_b ", "www.a.org", "\xE4\xB8\xAD\xE6\x96\x87", "\xEF\xBC\x9A", "\xE3\x80\x82",
	"e\xCC\x81", "\xCC\x81", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\xF0\x9F\x87\xA9", "\x1B[31m", "\xE2\x80\xAE", "long-hyphenated-word ",
	"[a]: http://e.org/a\n", "\n[b c]: <x y> 't'\n", "[t][a] ", "[t][B  c]", "[a]", "[b c][] ", "[^1]", "\n[^1]: ", "[^no-te]", "\n[^no-te]:\n    ",
	"int x = 1; // note\n", "\"string", "/*", "*/", "\\frac{a}{b}", "x_{i}^2", "me@example.org ", "~", "1", ".", "!", "\r", "x\n", "y\n",
};

void rows_document(unsigned seed, unsigned count, struct buf *out)
{
	unsigned state = seed;

	buf_clear(out);
	while (count--) {
		const char *piece = pieces[check_random(&state) % (sizeof pieces / sizeof *pieces)];
		unsigned times = check_random(&state) % 40 == 0 ? check_random(&state) % 60 : 1;

		while (times--)
			buf_add_z(out, piece);
	}
}
