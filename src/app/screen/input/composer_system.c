/* The system prompt in the input, in place of the draft. */
#include "app/screen/input/composer.h"
#include "app/setup/setup.h"

#define OPEN_WORDS "the system prompt is still open: Enter keeps it, Esc leaves it unchanged"

bool composer_writes_system(const struct composer *w)
{
	return w->writes_system;
}

bool composer_refuses_other(struct composer *w)
{
	if (w->writes_system)
		host_say(w->host, OPEN_WORDS);
	return w->writes_system;
}

void composer_edit_system(struct composer *w)
{
	struct str text = setup_system(w->host->setup);

	if (w->host->replay || w->writes_system)
		return;
	composer_set_aside(w);
	w->writes_system = true;
	edit_set(&w->input, text.len ? text : STR(""));
	composer_take_focus(w);
	host_redraw(w->host);
}

bool composer_leave_system(struct composer *w)
{
	if (!w->writes_system)
		return false;
	w->writes_system = false;
	edit_reset(&w->input); /* the text is no draft, and nothing brings it back as one */
	edit_unstash(&w->input, COMPOSER_DRAFT);
	composer_return_focus(w);
	return true;
}

static void system_keep(struct composer *w)
{
	struct buf text = { 0 };

	edit_expand(&w->input, &text);
	setup_use_system(w->host->setup, str_is_blank(buf_str(&text)) ? STR("") : buf_str(&text));
	host_say(w->host, str_is_blank(buf_str(&text)) ? "no system prompt, from the next turn on" : "system prompt set, from the next turn on");
	buf_fini(&text);
	composer_leave_system(w);
}

/* --- keys --- */

static bool system_is_open(const void *part)
{
	const struct composer *w = part;

	return w->writes_system && w->host->stack->focus == w->host->stack->home;
}

/* All that writes is the editor's; commands stay, such as $EDITOR's. */
static bool system_takes(void *part, const struct key *key)
{
	struct composer *w = part;

	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	bool enter = key->code == KEY_ENTER && !key->modifiers;

	if (enter && host_runs_line(w->host, &w->input, false, key, &composer_system_mode, w))
		return true;
	if (enter && !key->at_once) {
		system_keep(w);
	} else if (key->code == KEY_ENTER) { /* a line's end of a text that came all at once */
		edit_insert(&w->input, STR("\n"));
	} else if (key->code == KEY_ESCAPE && edit_escape(&w->input)) {
		;
	} else if (key->code == KEY_ESCAPE) {
		composer_leave_system(w);
		host_say(w->host, "the system prompt is unchanged");
	} else {
		return edit_key(&w->input, key) || key->code == KEY_UP || key->code == KEY_DOWN || key->code == KEY_TEXT;
	}
	return true;
}

static bool system_leave(void *part)
{
	return composer_leave_system(part);
}

const struct mode composer_system_mode = { .is_open = system_is_open, .takes = system_takes, .leave = system_leave };
