#include "app/screen/bare.h"

#include "app/command/command.h"

void bare_init(struct bare *b, const struct host *host)
{
	*b = (struct bare){ .host = host };
}

void bare_fini(struct bare *b)
{
	transcript_free(b->transcript);
}

void bare_open(struct bare *b, unsigned columns)
{
	struct view view;

	host_view(b->host, &view);
	if (!view.conversation->count) {
		host_say(b->host, "the conversation is empty");
		return;
	}
	b->transcript = transcript_new();
	transcript_set_form(b->transcript, PAGE_BARE);
	transcript_set_width(b->transcript, &view, columns);
	transcript_show_as(b->transcript, &view, b->host->transcript);
	b->mouse = screen_has_mouse(b->host->screen);
	screen_use_mouse(b->host->screen, false);
	host_say(b->host, "Esc goes back; the mouse selects");
}

static bool bare_leave(void *part)
{
	struct bare *b = part;

	transcript_free(b->transcript);
	b->transcript = NULL;
	screen_use_mouse(b->host->screen, b->mouse);
	host_say_for(b->host, 0, ""); /* removes the message that explains the bare view */
	screen_redraw(b->host->screen);
	return true;
}

static bool bare_is_open(const void *part)
{
	return ((const struct bare *)part)->transcript != NULL;
}

static bool bare_takes(void *part, const struct key *key)
{
	struct bare *b = part;
	struct view view;
	char letter = key->code == KEY_TEXT && key->text.len == 1 ? *key->text.ptr : 0;

	struct jump jump = command_jump(letter);
	host_view(b->host, &view);
	if (key->code == KEY_ESCAPE || letter == 'q' || letter == 'x' || (key->code == KEY_ALT && str_is(key->text, "x")))
		bare_leave(b);
	else if (jump.step)
		transcript_jump(b->transcript, &view, jump.to, jump.step);
	else if (!pane_key(transcript_pane(b->transcript), &view, key) && host_types(b->host, key))
		return !bare_leave(b);
	return true;
}

static enum mode_paste bare_paste(const void *part)
{
	(void)part;
	return PASTE_LOST;
}

const struct mode bare_mode = { .is_open = bare_is_open, .takes = bare_takes, .leave = bare_leave, .paste = bare_paste };

/* The last row is weir's: it shows a message at first and then stays empty. */
void bare_draw(struct bare *b, const struct view *view, struct canvas *canvas)
{
	unsigned rows = canvas->rows - 1;

	pane_draw(transcript_pane(b->transcript), view, canvas, (struct area){ 0, 0, rows, canvas->columns }, false);
	if (view->message)
		canvas_put(canvas, rows, 0, canvas->columns, ROLE_MUTED, str_from(view->message));
}
