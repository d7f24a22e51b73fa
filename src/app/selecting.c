#include "app/selecting.h"

#include <limits.h>
#include <stdio.h>

#include "app/command.h"
#include "ui/figure.h"

#define NARROW 64u

static void count(struct chat *c, const struct view *view)
{
	struct selecting *s = &c->selecting;
	struct buf text;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	transcript_selected(c->panes[CHAT_TRANSCRIPT], view, &text);
	s->lines = text.len > 0;
	s->characters = utf8_count(buf_str(&text));
	for (size_t i = 0; i < text.len; i++)
		s->lines += text.ptr[i] == '\n';
	buf_fini(&text);
}

static void leave(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	transcript_select_leave(c->panes[CHAT_TRANSCRIPT], &view);
	if (!c->selecting.by_mouse)
		c->focus = c->selecting.before;
	c->selecting = (struct selecting){ 0 };
}

/* False: what is selected is no text of anybody's. */
static bool copy(struct chat *c)
{
	struct view view;
	struct buf text;
	bool any;

	buf_init(&text, BUF_LIMIT_DEFAULT);
	chat_fill_view(c, &view);
	transcript_selected(c->panes[CHAT_TRANSCRIPT], &view, &text);
	any = text.len > 0;
	if (any)
		clipboard_send(c, buf_str(&text), false);
	else
		chat_say(c, "nothing was copied: these lines are weir's own");
	buf_fini(&text);
	return any;
}

void selecting_open(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	if (!transcript_select(c->panes[CHAT_TRANSCRIPT], &view)) {
		chat_say(c, "there is nothing to select yet");
		return;
	}
	c->selecting = (struct selecting){ .open = true, .before = c->focus };
	c->focus = FOCUS_TRANSCRIPT;
	count(c, &view);
}

/* --- keys --- */

static void jump(struct chat *c, const struct view *view, struct jump jump)
{
	if (jump.step && !transcript_select_jump(c->panes[CHAT_TRANSCRIPT], view, jump.to, jump.step))
		chat_say(c, "there is none %s", jump.step < 0 ? "above" : "below");
}

/* The key as a letter of vi; 0: it is none here. */
static char letter_of(const struct key *key)
{
	static const struct { enum key_code code; char letter; } codes[] = {
		{ KEY_UP, 'k' }, { KEY_DOWN, 'j' }, { KEY_PAGE_UP, 'b' }, { KEY_PAGE_DOWN, 'f' }, { KEY_HOME, 'g' }, { KEY_END, 'G' },
		{ KEY_ENTER, 'y' }, { KEY_ESCAPE, 'q' },
	};
	if (key->code == KEY_TEXT && key->text.len == 1)
		return *key->text.ptr;
	if (key->code == KEY_CONTROL)
		return key->letter == 'c' ? 'q' : key->letter == 'y' ? 'y' : 0;
	for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
		if (codes[i].code == key->code)
			return codes[i].letter;
	return 0;
}

static void act(struct chat *c, const struct view *view, char letter)
{
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];
	unsigned height = c->pane_rows[CHAT_TRANSCRIPT];
	long page = height > 2 ? (long)height - 2 : 1;

	switch (letter) {
	case 'k': transcript_select_move(transcript, view, -1); break;
	case 'j': transcript_select_move(transcript, view, 1); break;
	case 'b': transcript_select_move(transcript, view, -page); break;
	case 'f': transcript_select_move(transcript, view, page); break;
	case 'g': transcript_select_move(transcript, view, -LONG_MAX); break;
	case 'G': transcript_select_move(transcript, view, LONG_MAX); break;
	case 'o': transcript_select_swap(transcript, view); break;
	case ' ': transcript_select_anew(transcript); break;
	default: jump(c, view, command_jump(letter)); break;
	}
	count(c, view);
}

bool selecting_takes(struct chat *c, const struct key *key)
{
	struct view view;
	char letter = letter_of(key);

	if (!c->selecting.open)
		return false;
	if (c->selecting.by_mouse) {
		leave(c);
		return key->code == KEY_ESCAPE;
	}
	chat_fill_view(c, &view);
	if (letter == 'q' || letter == 'v')
		leave(c);
	else if (letter == 'y' && copy(c))
		leave(c);
	else if (letter && letter != 'y')
		act(c, &view, letter);
	return true;
}

/* --- the mouse --- */

void selecting_mouse(struct chat *c, const struct key *key)
{
	struct selecting *s = &c->selecting;
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];
	struct view view;

	chat_fill_view(c, &view);
	if (key->code == KEY_MOUSE_DOWN) {
		if (s->open)
			leave(c);
		s->pressed = key->row < c->pane_rows[CHAT_TRANSCRIPT] && view.conversation->count;
		s->pressed_row = key->row;
		return;
	}
	if (key->code == KEY_MOUSE_DRAG && s->pressed) {
		if (!s->open)
			transcript_select_row(transcript, &view, s->pressed_row, false);
		s->open = s->by_mouse = true;
		transcript_select_row(transcript, &view, key->row, true);
		count(c, &view);
	}
	if (key->code == KEY_MOUSE_UP) {
		if (s->pressed && s->open && !copy(c))
			leave(c);
		s->pressed = false;
	}
}

void selecting_words(const struct chat *c, char *words, size_t size)
{
	const struct selecting *s = &c->selecting;
	char lines[FIGURE_SIZE], characters[FIGURE_SIZE];

	*words = 0;
	if (!s->open)
		return;
	figure_count(lines, (int64_t)s->lines);
	figure_count(characters, (int64_t)s->characters);
	const char *plural = s->lines == 1 ? "" : "s";
	if (s->by_mouse)
		snprintf(words, size, "%s line%s   %s", lines, plural, s->pressed ? "release to copy" : "Esc done");
	else if (c->canvas->columns < NARROW)
		snprintf(words, size, "%s line%s   y copy   Esc back", lines, plural);
	else
		snprintf(words, size, "%s line%s, %s characters   y copy   o other end   Esc back", lines, plural, characters);
}
