#include "app/screen/services/theme_choice.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/setup/setup.h"
#include "base/mem.h"
#include "store/files/paths.h"

#define PATH_LIMIT ((size_t)64 << 10)

void theme_choice_init(struct theme_choice *t, const struct host *host, const struct terminal *terminal)
{
	*t = (struct theme_choice){ .host = host, .terminal = terminal };
}

/* The theme of which a name, such as "ember-light", is one form; STR_NONE: it is none. */
static struct str theme_of_form(struct str name)
{
	size_t dash = name.len;

	while (dash && name.ptr[dash - 1] != '-')
		dash--;
	struct str theme = str_head(name, dash ? dash - 1 : 0), form = str_skip(name, dash);
	bool is_form = theme_light_form(theme) && (str_is(form, "dark") || str_is(form, "light"));
	return is_form ? theme : STR_NONE;
}

const char *theme_choice_at(size_t index)
{
	if (index == 1)
		return THEME_BY_BACKGROUND;
	index -= index > 1;
	for (size_t i = 0; theme_name_at(i); i++)
		if (!theme_of_form(str_from(theme_name_at(i))).len && index-- == 0)
			return theme_name_at(i);
	return NULL;
}

bool theme_choice_has_forms(const char *name)
{
	return !strcmp(name, THEME_BY_BACKGROUND) || theme_light_form(str_from(name));
}

bool theme_choice_is_current(const struct theme_choice *t, const char *name)
{
	return !strcmp(name, t->chosen) || str_is(theme_of_form(str_from(t->chosen)), name);
}

/* A theme of the user's own has the form that it has. */
static bool theme_choice_is_own(const char *folder, struct str name)
{
	struct buf path;

	buf_init(&path, PATH_LIMIT);
	buf_printf(&path, "%s/%.*s.ini", folder ? folder : "", STR_ARG(name));
	bool is_own = folder && access(buf_z(&path), F_OK) == 0;
	buf_fini(&path);
	return is_own;
}

/* What a name means on the terminal's background. */
static struct str theme_choice_form(const struct theme_choice *t, struct str name, const char *folder)
{
	const char *background = terminal_theme(t->terminal), *light = theme_light_form(name);

	if (str_is(name, THEME_BY_BACKGROUND))
		return str_from(background);
	return light && !strcmp(background, "light") && !theme_choice_is_own(folder, name) ? str_from(light) : name;
}

bool theme_choice_load(struct theme_choice *t, struct str name, struct error *err)
{
	struct error warn = { "" };
	struct theme theme;
	char *folder = path_of(PATH_CONFIG, "themes");
	bool good = theme_load(&theme, theme_choice_form(t, name, folder), folder, &warn, err);

	mem_free(folder);
	if (!good)
		return false;
	t->theme = theme;
	if (name.ptr != t->chosen)
		snprintf(t->chosen, sizeof t->chosen, "%.*s", STR_ARG(name));
	if (*warn.text)
		host_say(t->host, "%s", warn.text);
	return true;
}

void theme_choice_use(struct theme_choice *t, struct str name)
{
	struct error err = { "" };

	if (!theme_choice_load(t, name, &err))
		host_fail(t->host, "%s", err.text);
	host_redraw(t->host);
}

void theme_choice_choose(struct theme_choice *t, struct str name)
{
	struct error err = { "" };

	if (!theme_choice_load(t, name, &err) || !setup_choose(t->host->setup, "theme", name, &err))
		host_fail(t->host, "%s", err.text);
	host_redraw(t->host);
}

void theme_choice_background(struct theme_choice *t)
{
	if (theme_choice_has_forms(t->chosen))
		theme_choice_use(t, str_from(t->chosen));
}

void theme_choice_begin_trial(struct theme_choice *t)
{
	t->before = t->theme;
	memcpy(t->before_chosen, t->chosen, sizeof t->chosen);
}

/* The terminal's background may have become known during the trial. */
void theme_choice_end_trial(struct theme_choice *t)
{
	t->theme = t->before;
	memcpy(t->chosen, t->before_chosen, sizeof t->chosen);
	theme_choice_background(t);
	host_redraw(t->host);
}
