/* The menus: palette, providers, models, protocols and themes. A choice takes effect from the next turn on, a theme at once. */
#include <stdio.h>
#include <string.h>

#include "app/chat.h"
#include "app/command.h"

void chat_close_menu(struct chat *c)
{
	if (c->menu_kind == MENU_THEMES)
		chat_end_trial(c);
	menu_free(c->menu);
	c->menu = NULL;
	c->menu_kind = MENU_NONE;
}

/* --- what they list --- */

static void fill_palette(struct chat *c)
{
	char word[48], text[160];

	if (!c->tape)
		menu_set_keys(c->menu, "Tab write it   Enter choose   Esc back");
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

		menu_add(c->menu, &(struct menu_item){ .text = str_from(p->name), .fact = str_from(provider_state_words(p)),
		                                       .current = p == c->setup.target.provider,
		                                       .dimmed = !provider_is_ready(p, process_environment) });
	}
}

static void fill_protocols(struct chat *c)
{
	const struct provider *p = c->setup.target.provider;

	for (size_t i = 0; p->protocols[i]; i++)
		menu_add(c->menu, &(struct menu_item){ .text = str_from(p->protocols[i]->name), .fact = i ? STR_NONE : STR("its default"),
		                                       .current = p->protocols[i] == c->setup.target.protocol });
}

static void open_themes(struct chat *c)
{
	chat_begin_trial(c);
	for (size_t i = 0; chat_theme_at(i); i++) {
		const char *name = chat_theme_at(i);
		bool by_background = !strcmp(name, THEME_BY_BACKGROUND);
		char fact[80];

		snprintf(fact, sizeof fact, "as the terminal is: now %s", chat_theme_for_background(c));
		menu_add(c->menu, &(struct menu_item){ .text = str_from(name), .fact = by_background ? str_from(fact) : STR_NONE,
		                                       .current = c->theme_by_background ? by_background : !strcmp(name, c->theme.name) });
	}
}

void chat_fill_models(struct chat *c)
{
	const struct models *models = c->models.models;
	struct buf fact;

	buf_init(&fact, 4096);
	menu_clear(c->menu);
	for (size_t i = 0; i < models_count(models); i++) {
		const struct model *model = models_at(models, i);

		buf_clear(&fact);
		model_facts_text(model, &fact);
		menu_add(c->menu, &(struct menu_item){ .text = str_from(model->id), .fact = buf_str(&fact),
		                                       .current = !strcmp(model->id, c->setup.target.model) });
	}
	buf_clear(&fact);
	model_list_words(&c->models, &fact);
	menu_set_figures(c->menu, buf_str(&fact));
	c->models_shown = models_state(models);
	buf_fini(&fact);
	chat_touch(c);
}

/* The list of the present target: the one that was fetched is kept until the target changes. */
static void open_models(struct chat *c)
{
	struct error err = { "" };

	if (!model_list_open(&c->models, &c->setup, &err))
		chat_say(c, "%s", err.text);
	menu_set_keys(c->menu, "Enter choose   Ctrl-R refresh   Esc back");
	chat_fill_models(c);
}

/* --- opening and choosing --- */

void chat_open_menu(struct chat *c, enum chat_menu kind)
{
	static const struct { const char *title, *typed; void (*fill)(struct chat *c); } menus[] = {
		[MENU_NONE] = { "", NULL, NULL },
		[MENU_PALETTE] = { "Commands", "run \"/%s\"", fill_palette },
		[MENU_PROVIDERS] = { "Provider", NULL, fill_providers },
		[MENU_MODELS] = { "Model", "use \"%s\" as typed", open_models },
		[MENU_PROTOCOLS] = { "Protocol", NULL, fill_protocols },
		[MENU_THEMES] = { "Theme", NULL, open_themes },
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

/* A slip in the first word must not cost the others: they go where they can be corrected, unless something stands there. */
static void keep_typed(struct chat *c, struct str typed)
{
	struct buf line;

	if (!edit_is_empty(&c->input))
		return;
	buf_init(&line, BUF_LIMIT_DEFAULT);
	buf_add_z(&line, "/");
	buf_add(&line, typed);
	edit_set(&c->input, buf_str(&line));
	buf_fini(&line);
}

/* Into the input, with the list of what it is followed by. */
static void write_command(struct chat *c, const struct command *command)
{
	char text[64];

	snprintf(text, sizeof text, "/%s%s", command->name, command->argument ? " " : "");
	composer_write(c, str_from(text));
}

static void choose_command(struct chat *c, long index, struct str typed)
{
	const struct command *command = index >= 0 && !is_command_with_words(typed) ? palette_command(index) : NULL;
	struct str name = str_starts(typed, "/") ? str_skip(typed, 1) : typed;

	if (command && command->argument && *command->argument != '[' && !c->tape) {
		write_command(c, command);
	} else if (command) {
		command_run(c, command, STR(""));
	} else if (!command_run_line(c, name)) {
		chat_say(c, "there is no command /%.*s", STR_ARG(str_head(name, 60)));
		keep_typed(c, name);
	}
}

static void choose_provider(struct chat *c, const struct actor *actor, long index)
{
	act_provider(actor, str_from(providers_at(c->setup.providers, (size_t)index)->name));
	if (!*c->setup.target.model)
		chat_open_menu(c, MENU_MODELS);
}

static void choose(struct chat *c)
{
	struct str typed = STR_NONE;
	long index = menu_choice(c->menu, &typed);
	struct menu *menu = c->menu;
	struct actor actor = chat_actor(c);
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
		choose_provider(c, &actor, index);
		break;
	case MENU_MODELS:
		act_model(&actor, index < 0 ? typed : str_from(models_at(c->models.models, (size_t)index)->id));
		break;
	case MENU_PROTOCOLS:
		act_protocol(&actor, str_from(c->setup.target.provider->protocols[index]->name));
		break;
	case MENU_THEMES:
		chat_end_trial(c);
		chat_use_theme(c, str_from(chat_theme_at((size_t)index)));
		break;
	}
	menu_free(menu);
}

/* One sees what one would choose; where nothing matches, what there was before. */
static void try_theme(struct chat *c)
{
	struct str typed;
	long index = menu_choice(c->menu, &typed);

	if (index < 0)
		chat_end_trial(c);
	else
		chat_use_theme(c, str_from(chat_theme_at((size_t)index)));
}

/* False: it has no meaning of its own here. */
static bool palette_tab(struct chat *c)
{
	struct str typed;
	const struct command *command = c->menu_kind == MENU_PALETTE && !c->tape ? palette_command(menu_choice(c->menu, &typed)) : NULL;

	if (!command)
		return false;
	chat_close_menu(c);
	write_command(c, command);
	return true;
}

void chat_menu_key(struct chat *c, const struct key *key)
{
	if (key->code == KEY_TAB && palette_tab(c))
		return;
	switch (menu_key(c->menu, key)) {
	case MENU_OPEN:
		if (c->menu_kind == MENU_THEMES)
			try_theme(c);
		break;
	case MENU_CHOSEN:
		choose(c);
		break;
	case MENU_LEFT:
		chat_close_menu(c);
		break;
	case MENU_NOT_MINE:
		if (c->menu_kind == MENU_MODELS && key->code == KEY_CONTROL && key->letter == 'r') {
			models_fetch(c->models.models, clock_now_ms());
			chat_fill_models(c);
		}
		break;
	}
}
