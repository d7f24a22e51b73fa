/* The menus: palette, providers, models, protocols and themes. A choice takes effect from the next turn on. */
#include <stdio.h>
#include <string.h>

#include "app/chat.h"
#include "app/command.h"
#include "base/mem.h"

void chat_close_menu(struct chat *c)
{
	menu_free(c->menu);
	c->menu = NULL;
	c->menu_kind = MENU_NONE;
}

/* --- what they list ----------------------------------------------------------------------------------------------- */

static void fill_palette(struct chat *c)
{
	char word[48], text[160];
	for (size_t i = 0; command_at(i); i++) {
		const struct command *command = command_at(i);
		if (!command->name)
			continue;
		snprintf(word, sizeof word, "/%s %s", command->name, command->argument ? command->argument : "");
		snprintf(text, sizeof text, "%-17s %s", word, command->help);
		menu_add(c->menu, &(struct menu_item){ .text = str_from(text), .fact = str_from(command->key) });
	}
}

/* Rows that are left out of the palette have no slash word; a menu's index counts those that are in. */
static const struct command *palette_command(long index)
{
	for (size_t i = 0; command_at(i); i++)
		if (command_at(i)->name && index-- == 0)
			return command_at(i);
	return NULL;
}

static void fill_providers(struct chat *c)
{
	for (size_t i = 0; i < providers_count(c->setup.providers); i++) {
		const struct provider *p = providers_at(c->setup.providers, i);
		bool has_url = provider_base_url(p, p->protocols[0]).len || str_is(str_from(p->name), "demo");
		const char *fact = !has_url ? "needs a base URL" : provider_is_ready(p, process_environment) || str_is(str_from(p->name), "demo") ? "ready" : "needs a key";
		menu_add(c->menu, &(struct menu_item){ .text = str_from(p->name), .fact = str_from(fact), .current = p == c->setup.target.provider,
		                                       .dimmed = strcmp(fact, "ready") != 0 });
	}
}

static void fill_protocols(struct chat *c)
{
	const struct provider *p = c->setup.target.provider;
	for (size_t i = 0; p->protocols[i]; i++)
		menu_add(c->menu, &(struct menu_item){ .text = str_from(p->protocols[i]->name), .fact = i ? STR_NONE : STR("its default"),
		                                       .current = p->protocols[i] == c->setup.target.protocol });
}

static void fill_themes(struct chat *c)
{
	for (size_t i = 0; theme_name_at(i); i++)
		menu_add(c->menu, &(struct menu_item){ .text = str_from(theme_name_at(i)), .current = !strcmp(theme_name_at(i), c->theme.name) });
}

static void model_figures(struct chat *c, struct buf *out)
{
	const struct models *m = c->models;
	if (models_state(m) == MODELS_FAILED && !models_count(m)) {
		buf_printf(out, "%s. A name can be typed.", models_error(m)->text);
		return;
	}
	buf_printf(out, "%s", c->setup.target.provider->name);
	if (models_count(m))
		buf_printf(out, ", %zu models", models_count(m));
	if (models_state(m) == MODELS_FETCHING) {
		buf_add_z(out, ", fetching ...");
	} else if (models_state(m) == MODELS_FAILED) {
		buf_printf(out, ": %s", models_error(m)->text);
	} else if (models_fetched_at(m)) {
		long minutes = (long)(time(NULL) - models_fetched_at(m)) / 60;
		if (minutes)
			buf_printf(out, ", fetched %ld min ago", minutes);
		else
			buf_add_z(out, ", fetched just now");
	}
}

void chat_fill_models(struct chat *c)
{
	struct buf fact;
	buf_init(&fact, 4096);
	menu_clear(c->menu);
	for (size_t i = 0; i < models_count(c->models); i++) {
		const struct model *model = models_at(c->models, i);
		buf_clear(&fact);
		model_facts_text(model, &fact);
		menu_add(c->menu, &(struct menu_item){ .text = str_from(model->id), .fact = buf_str(&fact),
		                                       .current = !strcmp(model->id, c->setup.target.model) });
	}
	buf_clear(&fact);
	model_figures(c, &fact);
	menu_set_figures(c->menu, buf_str(&fact));
	c->models_shown = models_state(c->models);
	buf_fini(&fact);
	chat_touch(c);
}

/* The list of the present target: the one that was fetched is kept until the target changes. */
static void open_models(struct chat *c)
{
	struct error err = { "" };
	struct str base_url;
	struct target *target = &c->setup.target;
	if (!setup_base_url(&c->setup, &base_url, &err)) {
		chat_say(c, "%s", err.text);
		base_url = STR("");
	}
	if (!c->models || c->models_provider != target->provider || c->models_protocol != target->protocol) {
		models_free(c->models);
		c->models = models_new(c->setup.http, target->provider, target->protocol, base_url, process_environment, c->setup.options->allow_http);
		c->models_provider = target->provider;
		c->models_protocol = target->protocol;
		models_fetch(c->models, clock_now_ms());
	}
	menu_set_keys(c->menu, "Enter choose   Ctrl-R refresh   Esc back");
	chat_fill_models(c);
}

/* --- opening and choosing ----------------------------------------------------------------------------------------- */

void chat_open_menu(struct chat *c, enum chat_menu kind)
{
	static const struct { const char *title, *typed; void (*fill)(struct chat *c); } menus[] = {
		[MENU_NONE] = { "", NULL, NULL },
		[MENU_PALETTE] = { "Commands", "run \"/%s\"", fill_palette },
		[MENU_PROVIDERS] = { "Provider", NULL, fill_providers },
		[MENU_MODELS] = { "Model", "use \"%s\" as typed", open_models },
		[MENU_PROTOCOLS] = { "Protocol", NULL, fill_protocols },
		[MENU_THEMES] = { "Theme", NULL, fill_themes },
	};
	chat_close_menu(c);
	chat_close_sheet(c);
	c->menu_kind = kind;
	c->menu = menu_new(menus[kind].title, menus[kind].typed);
	menus[kind].fill(c);
	chat_touch(c);
}

/* "reasoning high": a command that was typed with its words is meant as it stands, whatever row its letters also match. */
static bool is_command_with_words(struct str typed)
{
	struct str line = str_starts(typed, "/") ? str_skip(typed, 1) : typed;
	size_t blank = str_find(line, STR(" "));
	return blank < line.len && command_by_name(str_head(line, blank));
}

static void choose_command(struct chat *c, long index, struct str typed)
{
	const struct command *command = index >= 0 && !is_command_with_words(typed) ? palette_command(index) : NULL;
	if (command && command->argument && *command->argument != '[') {
		char text[64];
		snprintf(text, sizeof text, "/%s ", command->name);
		edit_set(&c->input, str_from(text));
	} else if (command) {
		command->run(c, STR(""));
	} else if (!command_run_line(c, str_starts(typed, "/") ? str_skip(typed, 1) : typed)) {
		chat_say(c, "there is no command /%.*s", STR_ARG(str_head(typed, 60)));
	}
}

static void choose_provider(struct chat *c, long index)
{
	struct provider *p = providers_at(c->setup.providers, (size_t)index);
	setup_use_provider(&c->setup, p);
	if (!*c->setup.target.model)
		chat_open_menu(c, MENU_MODELS);
	else
		chat_say(c, "provider %s from the next turn on", p->name);
}

static void choose(struct chat *c)
{
	struct str typed = STR_NONE;
	long index = menu_choice(c->menu, &typed);
	struct menu *menu = c->menu;
	enum chat_menu kind = c->menu_kind;
	c->menu = NULL;
	c->menu_kind = MENU_NONE;
	switch (kind) {
	case MENU_NONE:
		break;
	case MENU_PALETTE:
		choose_command(c, index, menu_filter(menu));
		break;
	case MENU_PROVIDERS:
		choose_provider(c, index);
		break;
	case MENU_MODELS:
		setup_use_model(&c->setup, index < 0 ? typed : str_from(models_at(c->models, (size_t)index)->id));
		chat_say(c, "model %s from the next turn on", c->setup.target.model);
		break;
	case MENU_PROTOCOLS:
		setup_use_protocol(&c->setup, c->setup.target.provider->protocols[index]);
		chat_say(c, "protocol %s from the next turn on", c->setup.target.protocol->name);
		break;
	case MENU_THEMES:
		chat_use_theme(c, str_from(theme_name_at((size_t)index)));
		break;
	}
	menu_free(menu);
}

void chat_menu_key(struct chat *c, const struct key *key)
{
	switch (menu_key(c->menu, key)) {
	case MENU_OPEN:
		break;
	case MENU_CHOSEN:
		choose(c);
		break;
	case MENU_LEFT:
		chat_close_menu(c);
		break;
	case MENU_NOT_MINE:
		if (c->menu_kind == MENU_MODELS && key->code == KEY_CONTROL && key->letter == 'r') {
			models_fetch(c->models, clock_now_ms());
			chat_fill_models(c);
		}
		break;
	}
}
