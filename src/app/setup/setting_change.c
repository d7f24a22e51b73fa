#include "app/setup/setting_change.h"

#include <string.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/mem.h"
#include "store/config/settings_edit.h"
#include "ui/view.h"

/* --- what is shown --- */

void setting_value(const struct setup *s, const char *name, struct buf *out)
{
	if (!strcmp(name, "provider"))
		buf_add_z(out, s->target.provider->name);
	else if (!strcmp(name, "model"))
		buf_add_z(out, s->target.model);
	else if (!strcmp(name, "role"))
		buf_add_z(out, s->role.role ? s->role.role->name : "");
	else if (!strcmp(name, "system"))
		buf_add(out, setup_system(s));
	else if (!strcmp(name, "theme") && settings_origin(&s->settings, name).from == SETTING_OPTION && s->options->theme)
		buf_add_z(out, s->options->theme);
	else
		settings_value(&s->settings, name, out);
}

/* A provider's model and system prompt go before those of the top. */
static bool is_providers_own(const struct setup *s, const char *name)
{
	const struct provider *p = s->target.provider;

	return (!strcmp(name, "model") && p->model && !strcmp(p->model, s->target.model)) || (!strcmp(name, "system") && p->system && !s->system);
}

/* The role sets it, and nothing else was chosen since. */
static bool is_roles_own(const struct setup *s, const char *name)
{
	const struct role *role = s->role.role;

	if (!role)
		return false;
	if (!strcmp(name, "provider"))
		return role->provider && !strcmp(role->provider, s->target.provider->name);
	if (!strcmp(name, "model"))
		return role->model && !strcmp(role->model, s->target.model);
	return !strcmp(name, "system") && s->role.system && !s->system && (s->role.chosen || !s->options->system);
}

void setting_origin_words(const struct setup *s, const char *name, struct buf *out)
{
	static const char *const words[] = {
		[SETTING_DEFAULT] = "default", [SETTING_FILE] = "weir.conf", [SETTING_OPTION] = "option", [SETTING_ENVIRONMENT] = "environment",
		[SETTING_CHOSEN] = "chosen here",
	};
	struct setting_origin origin = settings_origin(&s->settings, name);
	const char *file = settings_file(&s->settings), *slash = file ? strrchr(file, '/') : NULL;

	if (is_roles_own(s, name))
		buf_printf(out, "[role %s]", s->role.role->name);
	else if (origin.from == SETTING_DEFAULT && is_providers_own(s, name))
		buf_printf(out, "[provider %s]", s->target.provider->name);
	else if (origin.from == SETTING_FILE)
		buf_printf(out, "%s:%d", slash ? slash + 1 : file ? file : words[SETTING_FILE], origin.line);
	else
		buf_add_z(out, words[origin.from]);
}

bool setting_differs(const struct setup *s, const struct setting_help *row)
{
	bool is_default = settings_origin(&s->settings, row->name).from == SETTING_DEFAULT;
	struct buf value = { 0 };

	setting_value(s, row->name, &value);
	bool differs = (!is_default || is_roles_own(s, row->name) || is_providers_own(s, row->name)) &&
	               !str_equal(buf_str(&value), str_from(row->fallback));
	buf_fini(&value);
	return differs;
}

struct str setting_brief(const struct setting_help *row)
{
	static const char *const ends[] = { ": ", "; ", ". ", " (" };
	struct str brief = str_from(row->help);

	for (size_t i = 0; i < ARRAY_LEN(ends); i++)
		brief = str_head(brief, str_find(brief, str_from(ends[i])));
	return brief;
}

/* Of settings that take others, too. */
static const struct { const char *name, *words[4]; } often[] = { { "copy", { COPY_AUTO, COPY_TERMINAL } }, { "notify", { "bell", "osc", "no" } },
	{ "title_model", { "", "same" } } };

bool setting_takes_others(const char *name)
{
	return !settings_words(name) && strcmp(name, "thoughts") != 0;
}

const char *setting_word_at(const char *name, size_t index)
{
	const char *const *words = settings_words(name);

	if (!strcmp(name, "thoughts"))
		return index < REASONING_VIEW_COUNT ? reasoning_view_name((enum reasoning_view)index) : NULL;
	for (size_t i = 0; i < ARRAY_LEN(often); i++)
		if (!strcmp(name, often[i].name))
			words = often[i].words;
	for (size_t i = 0; words && words[i]; i++)
		if (i == index)
			return words[i];
	return NULL;
}

bool setting_is_model(const char *name)
{
	return !strcmp(name, "title_model");
}

const char *setting_command(const char *name)
{
	static const char *const commands[] = { "provider", "model", "role", "theme", "system" };

	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
		if (!strcmp(name, commands[i]))
			return commands[i];
	return NULL;
}

/* --- changing --- */

static bool is_choice(const char *name)
{
	for (size_t i = 0; choices_name_at(i); i++)
		if (!strcmp(name, choices_name_at(i)))
			return true;
	return false;
}

/* What the table takes as any text, and others read later. */
static bool check_value(const char *name, struct str value, struct error *err)
{
	enum reasoning_view view;

	return strcmp(name, "thoughts") != 0 || reasoning_view_find(value, &view, err);
}

bool setting_change(struct setup *s, const char *name, struct str value, struct error *err)
{
	if (!check_value(name, value, err))
		return false;
	if (is_choice(name))
		return setup_choose(s, name, value, err);
	if (!settings_set(&s->settings, name, value, SETTING_CHOSEN, err))
		return false;
	if (!strcmp(name, "remember"))
		s->remembers = s->settings.remember;
	return true;
}

bool setting_write(struct setup *s, const char *name, struct error *err)
{
	struct buf value = { 0 };
	int line;
	bool good, as_read = setup_is_as_read(s);

	setting_value(s, name, &value);
	good = settings_edit_top(s->options->config, name, buf_str(&value).len ? buf_str(&value) : STR(""), &line, err);
	if (good)
		settings_note_line(&s->settings, name, line);
	if (good && as_read)
		setup_note_read(s);
	buf_fini(&value);
	return good;
}
