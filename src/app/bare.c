#include "app/bare.h"

#include "app/command.h"

void bare_open(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	if (!view.conversation->count) {
		chat_say(c, "there is nothing to show yet");
		return;
	}
	c->bare = pane_transcript.new();
	transcript_set_form(c->bare, PAGE_BARE);
	transcript_set_raw(c->bare, true);
	transcript_set_width(c->bare, &view, c->canvas->columns);
	transcript_show_as(c->bare, &view, c->panes[CHAT_TRANSCRIPT]);
	screen_use_mouse(c->screen, false);
	chat_say(c, "Esc goes back; the mouse selects");
}

static void leave(struct chat *c)
{
	pane_transcript.free(c->bare);
	c->bare = NULL;
	screen_use_mouse(c->screen, c->mouse);
	c->message_until_ms = 0; /* it spoke of here */
	screen_redraw(c->screen);
}

bool bare_takes(struct chat *c, const struct key *key)
{
	struct view view;
	bool is_control = key->code == KEY_CONTROL;
	char letter = key->code == KEY_TEXT && key->text.len == 1 ? *key->text.ptr : 0;

	if (!c->bare)
		return false;
	struct jump jump = command_jump(letter);
	chat_fill_view(c, &view);
	if (key->code == KEY_ESCAPE || letter == 'q' || letter == 'x' || (is_control && key->letter == 'c') ||
	    (key->code == KEY_ALT && str_is(key->text, "x")))
		leave(c);
	else if (!pane_transcript.key(c->bare, &view, key) && jump.step)
		transcript_jump(c->bare, &view, jump.to, jump.step);
	return true;
}

/* The last row is the program's: a passing word at first, then nothing. */
void bare_draw(struct chat *c, const struct view *view)
{
	struct canvas *canvas = c->canvas;
	unsigned rows = canvas->rows - 1;

	pane_transcript.draw(c->bare, view, canvas, (struct area){ 0, 0, rows, canvas->columns }, false);
	if (view->message)
		canvas_put(canvas, rows, 0, canvas->columns, ROLE_MUTED, str_from(view->message));
}
