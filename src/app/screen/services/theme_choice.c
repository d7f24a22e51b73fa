#include "app/screen/services/theme_choice.h"

#include <string.h>

#include "base/mem.h"
#include "store/files/paths.h"

void theme_choice_init(struct theme_choice *t, const struct host *host, const struct terminal *terminal)
{
	*t = (struct theme_choice){ .host = host, .terminal = terminal };
}

const char *theme_choice_at(size_t index)
{
	return index == 1 ? THEME_BY_BACKGROUND : theme_name_at(index ? index - 1 : 0);
}

bool theme_choice_is_current(const struct theme_choice *t, const char *name)
{
	return !strcmp(name, t->by_background ? THEME_BY_BACKGROUND : t->theme.name);
}

bool theme_choice_load(struct theme_choice *t, struct str name, struct error *err)
{
	struct error warn = { "" };
	struct theme theme;
	char *folder = path_of(PATH_CONFIG, "themes");
	bool by_background = str_is(name, THEME_BY_BACKGROUND);
	bool good = theme_load(&theme, by_background ? str_from(terminal_theme(t->terminal)) : name, folder, &warn, err);

	mem_free(folder);
	if (!good)
		return false;
	t->theme = theme;
	t->by_background = by_background;
	if (*warn.text)
		host_say(t->host, "%s", warn.text);
	return true;
}

void theme_choice_use(struct theme_choice *t, struct str name)
{
	struct error err = { "" };

	if (!theme_choice_load(t, name, &err))
		host_say(t->host, "%s", err.text);
	host_redraw(t->host);
}

void theme_choice_choose(struct theme_choice *t, struct str name)
{
	struct error err = { "" };

	if (!theme_choice_load(t, name, &err) || !setup_choose(t->host->setup, "theme", name, &err))
		host_say(t->host, "%s", err.text);
	host_redraw(t->host);
}

void theme_choice_background(struct theme_choice *t)
{
	if (t->by_background)
		theme_choice_use(t, STR(THEME_BY_BACKGROUND));
}

void theme_choice_begin_trial(struct theme_choice *t)
{
	t->before = t->theme;
	t->before_by_background = t->by_background;
}

/* The terminal's background may have become known during the trial. */
void theme_choice_end_trial(struct theme_choice *t)
{
	t->theme = t->before;
	t->by_background = t->before_by_background;
	theme_choice_background(t);
	host_redraw(t->host);
}
