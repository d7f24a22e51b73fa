#include "ui/edit/edit_chips.h"

#include <string.h>

#include "chat/conversation/figure.h"

#define OPENING "\xEF\xBF\xB9"
#define CLOSING "\xEF\xBF\xBB"
#define NUMBER "\xF3\xA0\x84" /* followed by a byte 0x80 to 0xBF: U+E0100 to U+E013F */
#define NUMBER_AT (sizeof OPENING - 1 + sizeof NUMBER - 1)

void chips_init(struct chips *chips)
{
	*chips = (struct chips){ 0 };
	for (size_t i = 0; i < CHIPS_MOST; i++)
		buf_init(&chips->pastes[i], CHIPS_LIMIT);
}

void chips_fini(struct chips *chips)
{
	for (size_t i = 0; i < CHIPS_MOST; i++)
		buf_fini(&chips->pastes[i]);
	chips->bytes = 0;
}

static size_t chip_count_lines(struct str text)
{
	size_t lines = text.len && text.ptr[text.len - 1] != '\n';

	for (size_t i = 0; i < text.len; i++)
		lines += text.ptr[i] == '\n';
	return lines;
}

static void chip_add_mark(size_t number, struct str paste, struct buf *out)
{
	size_t lines = chip_count_lines(paste), kilobytes = (paste.len + 512) / 1024;
	char size[FIGURE_SIZE], rows[FIGURE_SIZE];

	figure_count(size, (int64_t)(kilobytes ? kilobytes : paste.len));
	figure_count(rows, (int64_t)lines);
	buf_printf(out, OPENING NUMBER "%c[pasted %s %s, %s line%s]" CLOSING, (int)(0x80 + number), size, kilobytes ? "KB" : "B",
		rows, lines == 1 ? "" : "s");
}

bool chips_add(struct chips *chips, struct str paste, struct buf *mark)
{
	size_t i = 0;

	while (i < CHIPS_MOST && chips->pastes[i].len)
		i++;
	if (i == CHIPS_MOST || !paste.len || paste.len > CHIPS_LIMIT - chips->bytes)
		return false;
	buf_add(&chips->pastes[i], paste);
	chips->bytes += paste.len;
	chip_add_mark(i, paste, mark);
	return true;
}

/* The number of a mark's paste; CHIPS_MOST if `mark` does not begin with a mark. */
static size_t chip_number(struct str mark)
{
	return chip_length(mark) ? (unsigned char)mark.ptr[NUMBER_AT] - 0x80u : CHIPS_MOST;
}

struct str chips_find(const struct chips *chips, struct str mark)
{
	size_t number = chip_number(mark);

	return number < CHIPS_MOST ? buf_str(&chips->pastes[number]) : STR_NONE;
}

void chips_expand(const struct chips *chips, struct str text, struct buf *out)
{
	while (text.len) {
		size_t next = chip_next(text, 0);

		buf_add(out, str_head(text, next));
		text = str_skip(text, next);
		buf_add(out, chips_find(chips, text));
		text = str_skip(text, chip_length(text));
	}
}

uint64_t chips_in(struct str text)
{
	uint64_t found = 0;

	for (size_t at = chip_next(text, 0); at < text.len; at = chip_next(text, at + 1)) {
		size_t number = chip_number(str_skip(text, at));

		if (number < CHIPS_MOST)
			found |= (uint64_t)1 << number;
	}
	return found;
}

void chips_keep(struct chips *chips, uint64_t used)
{
	for (size_t i = 0; i < CHIPS_MOST; i++) {
		if (used >> i & 1)
			continue;
		chips->bytes -= chips->pastes[i].len;
		buf_fini(&chips->pastes[i]);
	}
}

size_t chip_length(struct str text)
{
	struct str rest = str_skip(text, NUMBER_AT);
	size_t end;

	if (!str_starts(text, OPENING NUMBER) || !rest.len || (unsigned char)rest.ptr[0] < 0x80 ||
	    (unsigned char)rest.ptr[0] >= 0x80 + CHIPS_MOST)
		return 0;
	rest = str_head(rest, CHIP_MARK_BYTES - NUMBER_AT);
	end = str_find(rest, STR(CLOSING));
	return end < rest.len ? NUMBER_AT + end + sizeof CLOSING - 1 : 0;
}

size_t chip_around(struct str text, size_t at)
{
	size_t least = at > CHIP_MARK_BYTES ? at - CHIP_MARK_BYTES : 0;

	for (size_t i = at; i-- > least;)
		if (text.ptr[i] == OPENING[0] && chip_length(str_skip(text, i)))
			return i + chip_length(str_skip(text, i)) > at ? i : at;
	return at;
}

size_t chip_before(struct str text, size_t at)
{
	if (!str_ends(str_head(text, at), CLOSING))
		return at;
	return chip_around(text, at - 1) < at - 1 ? chip_around(text, at - 1) : at;
}

size_t chip_next(struct str text, size_t at)
{
	while (at < text.len) {
		at += str_find(str_skip(text, at), STR(OPENING));
		if (at >= text.len || chip_length(str_skip(text, at)))
			return at;
		at++;
	}
	return text.len;
}

void chips_refuse_marks(char *text, size_t len)
{
	size_t mark = sizeof OPENING - 1;

	for (size_t at = 0; at + mark <= len; at++) {
		const char *found = memchr(text + at, (unsigned char)OPENING[0], len - at);

		if (!found)
			return;
		at = (size_t)(found - text);
		if (at + mark <= len && (memcmp(found, OPENING, mark) == 0 || memcmp(found, CLOSING, mark) == 0))
			text[at + 2] = '\xBD'; /* U+FFFD */
	}
}
