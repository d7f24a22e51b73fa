/* The motions of vi's keys. */
#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "ui/edit/edit_vi_inside.h"

static size_t vi_left(const struct edit *e, size_t at, const struct vi_command *c)
{
	(void)c;
	return at > edit_line_start(e, at) ? edit_before(e, at) : VI_NOWHERE;
}

static size_t vi_right(const struct edit *e, size_t at, const struct vi_command *c)
{
	(void)c;
	return at < edit_line_end(e, at) ? edit_after(e, at) : VI_NOWHERE;
}

static size_t vi_line_start(const struct edit *e, size_t at, const struct vi_command *c)
{
	(void)c;
	return edit_line_start(e, at);
}

static size_t vi_line_end(const struct edit *e, size_t at, const struct vi_command *c)
{
	(void)c;
	return edit_line_end(e, at);
}

size_t vi_first_word(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t end = edit_line_end(e, at);

	(void)c;
	for (at = edit_line_start(e, at); at < end && edit_word_kind(e, at, true) == WORD_BLANK;)
		at = edit_after(e, at);
	return at;
}

static size_t vi_column(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t end = edit_line_end(e, at);

	at = edit_line_start(e, at);
	for (unsigned i = 1; i < c->times && at < end; i++)
		at = edit_after(e, at);
	return at;
}

enum word_kind vi_word_kind(const struct edit *e, size_t at, bool blanks)
{
	enum word_kind kind = edit_word_kind(e, at, blanks);

	return kind == WORD_SIGNS && e->text.ptr[at] == '_' ? WORD_LETTERS : kind;
}

/* W, B and E have words between blanks only. */
static enum word_kind vi_kind(const struct edit *e, size_t at, const struct vi_command *c)
{
	return vi_word_kind(e, at, isupper((unsigned char)c->motion->letter) != 0);
}

/* The end of the word at `at`. */
static size_t vi_word_end(const struct edit *e, size_t at, const struct vi_command *c)
{
	enum word_kind kind = vi_kind(e, at, c);

	do
		at = edit_after(e, at);
	while (kind != WORD_OF_ITS_OWN && at < e->text.len && vi_kind(e, at, c) == kind);
	return at;
}

static size_t vi_next_word(const struct edit *e, size_t at, const struct vi_command *c)
{
	if (at == e->text.len)
		return VI_NOWHERE;
	if (vi_kind(e, at, c) != WORD_BLANK)
		at = vi_word_end(e, at, c);
	while (at < e->text.len && vi_kind(e, at, c) == WORD_BLANK)
		at = edit_after(e, at);
	return at;
}

static size_t vi_word_before(const struct edit *e, size_t at, const struct vi_command *c)
{
	enum word_kind kind;

	while (at > 0 && vi_kind(e, edit_before(e, at), c) == WORD_BLANK)
		at = edit_before(e, at);
	if (!at)
		return VI_NOWHERE;
	kind = vi_kind(e, edit_before(e, at), c);
	do
		at = edit_before(e, at);
	while (kind != WORD_OF_ITS_OWN && at > 0 && vi_kind(e, edit_before(e, at), c) == kind);
	return at;
}

/* The last character of a word. */
static size_t vi_end_of_word(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t next = at < e->text.len ? edit_after(e, at) : at;

	while (next < e->text.len && vi_kind(e, next, c) == WORD_BLANK)
		next = edit_after(e, next);
	if (next < e->text.len)
		next = vi_word_end(e, next, c);
	return next > 0 ? edit_before(e, next) : VI_NOWHERE;
}

/* In the line: onto the character, with t and T next to it. */
static size_t vi_seek(const struct edit *e, size_t at, char how, struct str character, unsigned times)
{
	size_t start = edit_line_start(e, at), end = edit_line_end(e, at);

	while (times--)
		do {
			if (islower((unsigned char)how) ? at == end : at == start)
				return VI_NOWHERE;
			at = islower((unsigned char)how) ? edit_after(e, at) : edit_before(e, at);
		} while (at == end || !str_has_at(buf_str(&e->text), at, character));
	return how == 't' ? edit_before(e, at) : how == 'T' ? edit_after(e, at) : at;
}

static size_t vi_find(const struct edit *e, size_t at, const struct vi_command *c)
{
	struct buf *found = &e->parts->vi.found;

	buf_clear(found);
	buf_add_byte(found, c->motion->letter);
	buf_add(found, c->character);
	size_t to = vi_seek(e, at, c->motion->letter, c->character, c->times);
	return to == at && c->motion->letter == 'T' ? VI_NOWHERE : to;
}

/* t and T are next to their character already. */
static size_t vi_find_again(const struct edit *e, size_t at, const struct vi_command *c)
{
	struct str found = buf_str(&e->parts->vi.found), character = str_skip(found, 1);

	if (!found.len)
		return VI_NOWHERE;
	char how = c->motion->letter == ';' ? *found.ptr : (char)(*found.ptr ^ 0x20);
	size_t to = vi_seek(e, at, how, character, c->times);
	return to == at ? vi_seek(e, at, how, character, c->times + 1) : to;
}

/* From the first bracket at or behind the cursor in its line to its partner. */
static size_t vi_pair(const struct edit *e, size_t at, const struct vi_command *c)
{
	static const char pairs[] = "()[]{}";
	size_t end = edit_line_end(e, at), depth = 0;
	const char *open = NULL;

	(void)c;
	while (at < end && !(open = memchr(pairs, e->text.ptr[at], sizeof pairs - 1)))
		at = edit_after(e, at);
	if (at == end)
		return VI_NOWHERE;
	bool ahead = (open - pairs) % 2 == 0;
	char same = *open, other = open[ahead ? 1 : -1];
	for (;; at = ahead ? edit_after(e, at) : edit_before(e, at)) {
		if (at == e->text.len)
			return VI_NOWHERE;
		depth += e->text.ptr[at] == same;
		if (e->text.ptr[at] == other && --depth == 0)
			return at;
		if (!ahead && !at)
			return VI_NOWHERE;
	}
}

static size_t vi_line_below(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t end = edit_line_end(e, at);

	(void)c;
	return end < e->text.len ? end + 1 : VI_NOWHERE;
}

static size_t vi_line_above(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t start = edit_line_start(e, at);

	(void)c;
	return start ? edit_line_start(e, start - 1) : VI_NOWHERE;
}

/* Down by one line less than the count: dd. */
static size_t vi_lines(const struct edit *e, size_t at, const struct vi_command *c)
{
	size_t below;

	for (unsigned i = 1; i < c->times && (below = vi_line_below(e, at, c)) != VI_NOWHERE; i++)
		at = below;
	return at;
}

/* The line of that number; without one the last, or the first for gg. */
static size_t vi_go_to_line(const struct edit *e, size_t at, const struct vi_command *c)
{
	bool last = c->motion->letter == 'G';

	(void)at;
	if (!last && !str_is(c->character, "g"))
		return VI_NOWHERE;
	return last && !c->is_counted ? e->text.len : vi_lines(e, 0, c);
}

static const struct vi_motion vi_motions[] = {
	{ 'h', VI_BETWEEN, false, false, vi_left }, { 'l', VI_BETWEEN, false, false, vi_right }, { ' ', VI_BETWEEN, false, false, vi_right },
	{ 'w', VI_WORDS, false, false, vi_next_word }, { 'W', VI_WORDS, false, false, vi_next_word },
	{ 'b', VI_BETWEEN, false, false, vi_word_before }, { 'B', VI_BETWEEN, false, false, vi_word_before },
	{ 'e', VI_ONTO, false, false, vi_end_of_word }, { 'E', VI_ONTO, false, false, vi_end_of_word },
	{ '0', VI_BETWEEN, false, true, vi_line_start }, { '^', VI_BETWEEN, false, true, vi_first_word },
	{ '$', VI_BETWEEN, false, true, vi_line_end }, { '|', VI_BETWEEN, false, true, vi_column },
	{ 'f', VI_ONTO_AHEAD, true, true, vi_find }, { 'F', VI_ONTO_AHEAD, true, true, vi_find },
	{ 't', VI_ONTO_AHEAD, true, true, vi_find }, { 'T', VI_ONTO_AHEAD, true, true, vi_find },
	{ ';', VI_ONTO_AHEAD, false, true, vi_find_again }, { ',', VI_ONTO_AHEAD, false, true, vi_find_again },
	{ '%', VI_ONTO, false, true, vi_pair },
	{ 'j', VI_LINES, false, false, vi_line_below }, { 'k', VI_LINES, false, false, vi_line_above },
	{ '_', VI_LINES, false, true, vi_lines }, { 'G', VI_LINES, false, true, vi_go_to_line }, { 'g', VI_LINES, true, true, vi_go_to_line },
	{ 'i', VI_OBJECT, true, true, NULL }, { 'a', VI_OBJECT, true, true, NULL },
};

const struct vi_motion *vi_motion_of(char letter)
{
	for (size_t i = 0; i < ARRAY_LEN(vi_motions); i++)
		if (vi_motions[i].letter == letter)
			return &vi_motions[i];
	return NULL;
}
