#include "app/screen/input/line_select.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "app/command/command.h"
#include "app/screen/services/branches.h"
#include "base/array.h"
#include "chat/conversation/conversation.h"
#include "chat/conversation/figure.h"
#include "net/source.h"

#define NARROW 64u
#define CLICK_MS 400 /* between the clicks of a double click */

void line_select_init(struct line_select *s, const struct host *host, struct clipboard *clipboard)
{
	*s = (struct line_select){ .host = host, .clipboard = clipboard };
}

static void line_select_count(struct line_select *s, const struct view *view)
{
	struct buf text = { 0 };

	transcript_selected(s->host->transcript, view, &text);
	s->lines = text.len > 0;
	s->characters = utf8_count(buf_str(&text));
	for (size_t i = 0; i < text.len; i++)
		s->lines += text.ptr[i] == '\n';
	buf_fini(&text);
}

static bool line_select_leave(void *part)
{
	struct line_select *s = part;
	struct view view;

	host_view(s->host, &view);
	transcript_select_leave(s->host->transcript, &view);
	if (!s->by_mouse)
		stack_focus(s->host->stack, s->before);
	line_select_init(s, s->host, s->clipboard);
	return true;
}

/* False: the selection contains no text. */
static bool line_select_copy(struct line_select *s)
{
	struct view view;
	struct buf text = { 0 };
	char lines[FIGURE_SIZE];
	bool any;

	host_view(s->host, &view);
	line_select_count(s, &view);
	transcript_selected(s->host->transcript, &view, &text);
	any = text.len > 0;
	figure_of(lines, (int64_t)s->lines, "line");
	if (any)
		clipboard_send(s->clipboard, s->by_mouse && s->lines == 1 ? NULL : lines, buf_str(&text), false);
	else if (s->by_mouse && s->clicks < 2)
		host_say(s->host, "nothing was copied: there is no text");
	else if (!s->by_mouse)
		host_say(s->host, "nothing was copied: these lines do not belong to the conversation");
	buf_fini(&text);
	return any;
}

void line_select_open(struct line_select *s)
{
	struct view view;

	host_view(s->host, &view);
	if (!transcript_select(s->host->transcript, &view)) {
		host_say(s->host, "the conversation is empty");
		return;
	}
	s->open = true;
	s->before = s->host->stack->focus;
	stack_focus(s->host->stack, transcript_pane(s->host->transcript));
	line_select_count(s, &view);
}

/* --- keys --- */

static void line_select_jump(struct line_select *s, const struct view *view, struct jump jump)
{
	if (jump.step && !transcript_select_jump(s->host->transcript, view, jump.to, jump.step))
		host_say(s->host, "there is none %s", jump.step < 0 ? "above" : "below");
}

/* The key as a letter of vi; 0 if it has no meaning here. */
static char letter_of(const struct host *host, const struct key *key)
{
	static const struct { enum key_code code; char letter; } codes[] = {
		{ KEY_UP, 'k' }, { KEY_DOWN, 'j' }, { KEY_PAGE_UP, 'b' }, { KEY_PAGE_DOWN, 'f' }, { KEY_HOME, 'g' }, { KEY_END, 'G' },
		{ KEY_ENTER, 'y' }, { KEY_ESCAPE, 'q' },
	};
	if (key->code == KEY_TEXT && key->text.len == 1)
		return *key->text.ptr;
	if (host_key_is(host, key, "copy"))
		return 'y';
	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (codes[i].code == key->code)
			return codes[i].letter;
	return 0;
}

static void line_select_act(struct line_select *s, const struct view *view, char letter)
{
	struct transcript *transcript = s->host->transcript;
	unsigned height = stack_area(s->host->stack, transcript_pane(transcript)).rows;
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
	default: line_select_jump(s, view, command_jump(letter)); break;
	}
	line_select_count(s, view);
}

/* All other text is for the input. */
static bool line_select_knows(char letter)
{
	return letter && (strchr("kjbfgGo qvy", letter) || command_jump(letter).step);
}

static bool line_select_is_open(const void *part)
{
	return ((const struct line_select *)part)->open;
}

static bool line_select_takes(void *part, const struct key *key)
{
	struct line_select *s = part;
	struct view view;
	char letter = letter_of(s->host, key);

	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	if (s->by_mouse) {
		line_select_leave(s);
		return key->code == KEY_ESCAPE;
	}
	host_view(s->host, &view);
	if (key->code == KEY_TEXT && !line_select_knows(letter) && host_types(s->host, key)) {
		s->before = s->host->stack->focus;
		return !line_select_leave(s);
	}
	if (letter == 'q' || letter == 'v')
		line_select_leave(s);
	else if (letter == 'y' && line_select_copy(s))
		line_select_leave(s);
	else if (letter && letter != 'y')
		line_select_act(s, &view, letter);
	return true;
}

static enum mode_paste line_select_paste(const void *part)
{
	return ((const struct line_select *)part)->by_mouse ? PASTE_PASSES : PASTE_LOST;
}

const struct mode line_select_mode = {
	.is_open = line_select_is_open, .takes = line_select_takes, .leave = line_select_leave, .paste = line_select_paste,
};

/* --- the mouse --- */

/* A click on a turn's place among its siblings goes to another of them. */
static bool line_select_sibling(const struct line_select *s, const struct view *view, const struct key *key)
{
	struct turn *to = transcript_sibling_at(s->host->transcript, view, s->pressed_row, key->column);

	return to && branches_select(s->host, to);
}

/* A click on the first row of a turn puts the page on it; keys then act on that turn. */
static void line_select_click(struct line_select *s, const struct view *view, const struct key *key)
{
	struct transcript *transcript = s->host->transcript;

	if (line_select_sibling(s, view, key) || transcript_fold_row(transcript, view, s->pressed_row))
		s->clicks = 0;
	else if (transcript_go_to_row(transcript, view, s->pressed_row))
		stack_focus(s->host->stack, transcript_pane(transcript));
}

/* The number of this click among those that follow each other at one place: a third one is followed by a first one. */
static unsigned line_select_clicks(const struct line_select *s, const struct key *key, int64_t now_ms)
{
	bool follows = key->row == s->pressed_row && key->column == s->pressed_column && now_ms - s->pressed_ms <= CLICK_MS;

	return follows ? s->clicks % 3 + 1 : 1;
}

static void line_select_press(struct line_select *s, const struct key *key)
{
	static const enum transcript_unit units[] = { 0, TRANSCRIPT_CELL, TRANSCRIPT_WORD, TRANSCRIPT_LINE };
	struct transcript *transcript = s->host->transcript;
	int64_t now_ms = clock_now_ms();
	unsigned clicks = line_select_clicks(s, key, now_ms);
	struct view view;

	if (s->open)
		line_select_leave(s);
	host_view(s->host, &view);
	s->pressed = stack_pane_at(s->host->stack, key->row, key->column) == transcript_pane(transcript) &&
	             transcript_press(transcript, &view, key->row, key->column, units[clicks]);
	s->pressed_row = key->row;
	s->pressed_column = key->column;
	s->pressed_ms = now_ms;
	s->left_row = false;
	s->clicks = clicks;
	s->open = s->by_mouse = s->pressed && clicks > 1;
	if (s->open)
		line_select_count(s, &view);
}

static void line_select_drag(struct line_select *s, const struct view *view, const struct key *key)
{
	s->left_row |= key->row != s->pressed_row;
	if (key->row != s->pressed_row || key->column != s->pressed_column)
		s->clicks = 0;
	if (!transcript_drag(s->host->transcript, view, key->row, key->column, s->left_row))
		return;
	s->open = s->by_mouse = true;
	line_select_count(s, view);
}

static void line_select_release(struct line_select *s, const struct view *view, const struct key *key)
{
	if (!s->open)
		line_select_click(s, view, key);
	else if (!line_select_copy(s))
		line_select_leave(s);
	s->pressed = false;
}

void line_select_mouse(struct line_select *s, const struct key *key)
{
	struct view view;

	host_view(s->host, &view);
	if (key->code == KEY_MOUSE_DOWN)
		line_select_press(s, key);
	else if (key->code == KEY_MOUSE_DRAG && s->pressed)
		line_select_drag(s, &view, key);
	else if (key->code == KEY_MOUSE_UP && s->pressed)
		line_select_release(s, &view, key);
}

void line_select_words(const struct line_select *s, unsigned columns, char *words, size_t size)
{
	char lines[FIGURE_SIZE], characters[FIGURE_SIZE];

	*words = 0;
	if (!s->open)
		return;
	figure_of(lines, (int64_t)s->lines, "line");
	figure_of(characters, (int64_t)s->characters, "character");
	if (s->by_mouse && s->lines < 2)
		snprintf(words, size, "%s   %s", characters, s->pressed ? "release to copy" : "Esc done");
	else if (s->by_mouse)
		snprintf(words, size, "%s   %s", lines, s->pressed ? "release to copy" : "Esc done");
	else if (columns < NARROW)
		snprintf(words, size, "%s   y copy   Esc back", lines);
	else
		snprintf(words, size, "%s, %s   y copy   o other end   Esc back", lines, characters);
}
