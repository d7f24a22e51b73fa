#include "chat/conversation/title.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"
#include "wire/part.h"

#define TITLE_CELLS 72
#define TITLE_BYTES_MOST ((size_t)1 << 10)

/* Appends the text as one line: controls and blanks in a row become one space. */
static void title_add(struct str text, struct buf *title)
{
	size_t cells = 0;

	while (text.len && cells < TITLE_CELLS) {
		struct utf8_cell cell;
		size_t used = utf8_cell(text, &cell);
		bool blank = char_is_blank(*text.ptr) || (unsigned char)*text.ptr < ' ';

		if (!blank)
			buf_add(title, str_of(cell.text, cell.len));
		else if (title->len && title->ptr[title->len - 1] != ' ')
			buf_add_byte(title, ' ');
		cells += cell.width;
		text = str_skip(text, used);
	}
	if (text.len)
		buf_add_z(title, "…");
}

char *title_of(struct str words)
{
	struct buf title;

	buf_init(&title, TITLE_BYTES_MOST);
	title_add(str_trim(words), &title);
	while (title.len && title.ptr[title.len - 1] == ' ')
		buf_remove(&title, title.len - 1, 1);
	return title.len ? buf_take(&title) : mem_dup_z("");
}

char *title_of_prompt(const struct turn *prompt)
{
	struct str words = STR_NONE;

	for (size_t i = 0; i < prompt->part_count && !words.len; i++)
		if (prompt->parts[i].kind == PART_TEXT)
			words = str_trim(buf_str(&prompt->parts[i].text));
	for (size_t i = 0; i < prompt->part_count && !words.len; i++)
		if (prompt->parts[i].kind == PART_ATTACHMENT)
			words = str_from(prompt->parts[i].name);
	return title_of(words);
}
