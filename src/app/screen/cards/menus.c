#include "app/screen/cards/menus_inside.h"

#include <stdio.h>
#include <string.h>

#include "app/command/actions.h"
#include "app/compare/compare.h"
#include "app/setup/provider_setup.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/mem.h"
#include "store/config/roles.h"
#include "store/config/templates.h"

static void servers_ran(void *menus);

static void menus_init(void *menus, const struct card_tools *tools)
{
	struct menus *m = menus;

	*m = (struct menus){ .host = tools->host, .themes = tools->themes, .models = tools->models, .composer = tools->composer };
	m->servers = (struct local_servers){ .ran = servers_ran, .ctx = m };
}

static void menus_fini(void *menus)
{
	struct menus *m = menus;

	candidates_fini(&m->candidates);
	help_left(m);
	mem_free(m->providers);
	local_servers_fini(&m->servers);
}

static struct loop_member menus_member(void *menus)
{
	return local_servers_member(&((struct menus *)menus)->servers);
}

/* --- providers and protocols --- */

/* Headings of those that wait for something, by the words of local_servers_words(), in their order. All others are ready. */
static const struct { const char *words, *heading; } provider_groups[] = {
	{ "needs a key", "Need a key" }, { "needs a base URL", "Need a base URL" }, { "not running", "Not running" },
};

static size_t provider_group(const struct menus *m, const struct provider *p)
{
	const char *words = local_servers_words(&m->servers, p);

	for (size_t i = 0; i < ARRAY_LEN(provider_groups); i++)
		if (str_is(str_from(words), provider_groups[i].words))
			return i + 1;
	return 0;
}

/* Those that are ready are first, and the others by name. */
static bool provider_is_before(const struct menus *m, const struct provider *a, const struct provider *b)
{
	size_t group = provider_group(m, a), other = provider_group(m, b);

	return group != other ? group < other : group && strcmp(a->name, b->name) < 0;
}

static void providers_order(struct menus *m)
{
	struct providers *all = m->host->setup->providers;
	size_t count = providers_count(all);

	mem_free(m->providers);
	m->providers = mem_new((count + 1) * sizeof *m->providers);
	for (size_t i = 0, at; i < count; i++) {
		const struct provider *p = providers_at(all, i);

		for (at = i; at && provider_is_before(m, p, m->providers[at - 1]); at--)
			m->providers[at] = m->providers[at - 1];
		m->providers[at] = p;
	}
}

static void providers_refill(struct menus *m)
{
	menu_clear(m->menu);
	providers_order(m);
	for (size_t i = 0; m->providers[i]; i++) {
		const struct provider *p = m->providers[i];
		size_t group = provider_group(m, p);

		menu_add(m->menu, &(struct menu_item){ .text = str_from(p->name), .fact = str_from(local_servers_words(&m->servers, p)),
		                                       .fact_is_group = true, .group = group ? provider_groups[group - 1].heading : "Ready",
		                                       .current = p == m->host->setup->target.provider, .muted = group > 0 });
	}
	menu_add(m->menu, &(struct menu_item){ .text = STR("add another"), .fact = STR("name, URL, key"), .group = "Other", .muted = true });
	host_redraw(m->host);
}

static void providers_fill(struct menus *m)
{
	menu_set_keys(m->menu, "Ctrl-E set up   Enter choose   Esc back");
	local_servers_ask(&m->servers, m->host->setup->providers);
	providers_refill(m);
}

static void servers_ran(void *menus)
{
	struct menus *m = menus;

	if (m->menu && m->kind == MENU_PROVIDERS)
		providers_refill(m);
}

/* The menu is closed by what it runs. */
static void run_provider(struct menus *m, const char *verb, const char *name)
{
	struct buf line = { 0 };

	buf_printf(&line, "provider %s%s", verb, name);
	host_run(m->host, buf_str(&line));
	buf_fini(&line);
}

static void providers_choose(struct menus *m, const struct chosen *chosen)
{
	const struct provider *p = m->providers[chosen->index];

	run_provider(m, "", p ? p->name : "add");
	if (p && p == m->host->setup->target.provider && !*m->host->setup->target.model)
		menus_open(m, MENU_MODELS);
}

/* The form, for one that is ready too. */
static bool providers_key(struct menus *m, const struct key *key)
{
	struct str typed;
	long index = menu_choice(m->menu, &typed);
	const struct provider *p = index < 0 ? NULL : m->providers[index];

	if (key->code != KEY_CONTROL || key->letter != 'e')
		return false;
	if (p)
		run_provider(m, "setup ", p->name);
	return true;
}

static void protocols_fill(struct menus *m)
{
	const struct provider *p = m->host->setup->target.provider;

	for (size_t i = 0; p->protocols[i]; i++)
		menu_add(m->menu, &(struct menu_item){ .text = str_from(p->protocols[i]->name), .fact = i ? STR_NONE : STR("its default"),
		                                       .current = p->protocols[i] == m->host->setup->target.protocol });
}

static void protocols_choose(struct menus *m, const struct chosen *chosen)
{
	struct actor actor = host_actor(m->host);

	act_protocol(&actor, str_from(m->host->setup->target.provider->protocols[chosen->index]->name));
}

/* --- models --- */

static void models_refill(struct menus *m)
{
	const struct models *models = m->models->models;
	const char *current = m->host->setup->target.model;
	struct buf fact;

	buf_init(&fact, 4096);
	menu_clear(m->menu);
	m->current_is_extra = *current && !model_list_has(models, current);
	if (m->current_is_extra)
		menu_add(m->menu, &(struct menu_item){ .text = str_from(current), .current = true,
		                                       .fact = models_count(models) ? STR("not in the list") : STR_NONE });
	for (size_t i = 0; i < models_count(models); i++) {
		const struct model *model = models_at(models, i);

		buf_clear(&fact);
		model_facts_row(model, &fact);
		menu_add(m->menu, &(struct menu_item){ .text = str_from(model->id), .fact = buf_str(&fact),
		                                       .current = str_is(str_from(model->id), current) });
	}
	buf_clear(&fact);
	model_list_words(m->models, &fact);
	menu_set_figures(m->menu, buf_str(&fact));
	m->shown = models_state(models);
	buf_fini(&fact);
	host_redraw(m->host);
}

/* Fills the menu from the model list of the target, which is kept until the target changes. */
static void models_fill(struct menus *m)
{
	struct error err = { "" };

	if (!model_list_open(m->models, m->host->setup, &err))
		host_fail(m->host, "%s", err.text);
	menu_set_keys(m->menu, "Enter choose   Ctrl-R refresh   Esc back");
	models_refill(m);
}

static void models_choose(struct menus *m, const struct chosen *chosen)
{
	struct actor actor = host_actor(m->host);
	long index = chosen->index - m->current_is_extra;

	if (chosen->index < 0)
		act_model(&actor, chosen->typed);
	else if (index < 0)
		host_say(m->host, "model %s stays", m->host->setup->target.model);
	else
		act_model(&actor, str_from(models_at(m->models->models, (size_t)index)->id));
	composer_take_model(m->composer, chosen->enter);
}

static void models_left(struct menus *m)
{
	m->composer->lacks_model = 0;
}

static bool models_key(struct menus *m, const struct key *key)
{
	if (key->code != KEY_CONTROL || key->letter != 'r')
		return false;
	models_fetch(m->models->models, clock_now_ms());
	models_refill(m);
	return true;
}

/* --- what is compared --- */

#define MARK_FEWEST 2u

static void candidates_show(struct menus *m)
{
	const struct compare_candidates *c = &m->candidates;
	char marked[48];

	menu_clear(m->menu);
	for (size_t i = 0; i < c->count; i++) {
		struct str label = str_from(c->of[i].label);
		size_t provider = str_find(label, STR("/")) + 1;

		menu_add(m->menu, &(struct menu_item){ .text = label, .name_at = provider, .name_len = label.len - provider,
		                                       .fact = str_from(c->of[i].fact), .current = c->of[i].marked });
	}
	snprintf(marked, sizeof marked, "%zu of %d marked", candidates_marked(c), COMPARE_MOST);
	menu_set_figures(m->menu, str_from(marked));
	m->shown = models_state(m->models->models);
	host_redraw(m->host);
}

static void candidates_fill(struct menus *m)
{
	struct error err = { "" };

	if (!model_list_open(m->models, m->host->setup, &err))
		host_fail(m->host, "%s", err.text);
	menu_set_keys(m->menu, "Space mark   Enter compare   Esc back");
	candidates_begin(&m->candidates, &m->host->compare->targets, m->host->setup, m->models->models);
	candidates_show(m);
}

static void candidates_mark_chosen(struct menus *m)
{
	struct error err = { "" };
	struct str typed;
	long index = menu_choice(m->menu, &typed);

	if (index < 0 && !typed.len)
		return;
	if (index < 0 ? !candidates_mark_typed(&m->candidates, m->host->setup, typed, &err) : !candidates_toggle(&m->candidates, (size_t)index, &err))
		host_fail(m->host, "%s", err.text);
	candidates_show(m);
}

/* Enter marks the chosen row too, where only one is missing. */
static bool candidates_lack_marks(struct menus *m)
{
	struct str typed;
	long index = menu_choice(m->menu, &typed);

	if (candidates_marked(&m->candidates) < MARK_FEWEST && (index < 0 || !m->candidates.of[index].marked))
		candidates_mark_chosen(m);
	return candidates_marked(&m->candidates) < MARK_FEWEST;
}

static bool candidates_key(struct menus *m, const struct key *key)
{
	bool marks = key->code == KEY_TEXT && str_is(key->text, " ");
	bool lacks = key->code == KEY_ENTER && candidates_lack_marks(m);

	if (marks)
		candidates_mark_chosen(m);
	if (lacks)
		host_say(m->host, "Space marks what is compared: at least two");
	return marks || lacks;
}

static void candidates_left(struct menus *m)
{
	candidates_fini(&m->candidates);
}

static void candidates_choose(struct menus *m, const struct chosen *chosen)
{
	struct buf line = { 0 }, list = { 0 };

	(void)chosen;
	candidates_write_list(&m->candidates, &list);
	buf_printf(&line, "compare %s", buf_z(&list));
	candidates_fini(&m->candidates);
	host_run(m->host, buf_str(&line));
	buf_fini(&list);
	buf_fini(&line);
}

void menus_models_ran(struct menus *m)
{
	if (!m->menu || (m->kind != MENU_MODELS && m->kind != MENU_COMPARE) || m->shown == models_state(m->models->models))
		return;
	if (m->kind == MENU_MODELS) {
		models_refill(m);
	} else {
		candidates_collect(&m->candidates, m->host->setup, m->models->models);
		candidates_show(m);
	}
}

/* --- themes --- */

static void themes_fill(struct menus *m)
{
	char fact[80];

	theme_choice_begin_trial(m->themes);
	snprintf(fact, sizeof fact, "as the terminal is: now %s", terminal_theme(m->themes->terminal));
	for (size_t i = 0; theme_choice_at(i); i++) {
		struct str name = str_from(theme_choice_at(i));

		menu_add(m->menu, &(struct menu_item){
			.text = name, .current = theme_choice_is_current(m->themes, name.ptr),
			.fact = str_is(name, THEME_BY_BACKGROUND) ? str_from(fact)
			                                          : theme_choice_has_forms(name.ptr) ? STR("dark or light") : STR_NONE,
		});
	}
}

static void themes_choose(struct menus *m, const struct chosen *chosen)
{
	theme_choice_end_trial(m->themes);
	theme_choice_choose(m->themes, str_from(theme_choice_at((size_t)chosen->index)));
}

/* Previews the marked theme; if nothing matches, shows the previous one. */
static void themes_moved(struct menus *m)
{
	struct str typed;
	long index = menu_choice(m->menu, &typed);

	if (index < 0)
		theme_choice_end_trial(m->themes);
	else
		theme_choice_use(m->themes, str_from(theme_choice_at((size_t)index)));
}

static void themes_left(struct menus *m)
{
	theme_choice_end_trial(m->themes);
}

/* --- roles and templates --- */

#define SECTION_KEYS "Ctrl-N new   Ctrl-E edit   Ctrl-D delete   Enter choose   Esc back"

/* Deleting is written into the input: Enter does it. */
static bool sections_key(struct menus *m, const struct key *key)
{
	const struct settings *settings = &m->host->setup->settings;
	bool roles = m->kind == MENU_ROLES;
	struct str typed;
	long index = menu_choice(m->menu, &typed);
	const char *name = index < 0 ? NULL : roles ? role_name_at(&settings->roles, (size_t)index)
	                                            : template_name_at(&settings->templates, (size_t)index);
	struct buf line = { 0 };

	if (key->code != KEY_CONTROL || !key->letter || !strchr("ned", key->letter))
		return false;
	if (key->letter == 'n')
		buf_printf(&line, "%s new", roles ? "role" : "template");
	else if (name)
		buf_printf(&line, "%s %s %s", roles ? "role" : "template", key->letter == 'e' ? "edit" : "delete", name);
	if (line.len)
		host_close_cards(m->host);
	if (line.len && key->letter == 'd') {
		buf_insert(&line, 0, STR("/"));
		composer_write(m->composer, buf_str(&line));
		host_say(m->host, "Enter deletes it from weir.conf");
	} else if (line.len) {
		host_run(m->host, buf_str(&line));
	}
	buf_fini(&line);
	return true;
}

static void roles_fill(struct menus *m)
{
	const struct roles *roles = &m->host->setup->settings.roles;
	const struct role *current = m->host->setup->role.role;
	struct buf facts = { 0 };

	menu_set_keys(m->menu, SECTION_KEYS);
	for (size_t i = 0; i < roles->count; i++) {
		buf_clear(&facts);
		role_write_facts(&roles->items[i], &facts);
		menu_add(m->menu, &(struct menu_item){ .text = str_from(roles->items[i].name), .fact = buf_str(&facts),
		                                       .current = &roles->items[i] == current });
	}
	if (current)
		menu_add(m->menu, &(struct menu_item){ .text = STR(ROLE_OFF), .fact = STR("no role"), .muted = true });
	buf_fini(&facts);
}

static void roles_choose(struct menus *m, const struct chosen *chosen)
{
	const struct roles *roles = &m->host->setup->settings.roles;
	struct actor actor = host_actor(m->host);

	act_role(&actor, (size_t)chosen->index < roles->count ? str_from(roles->items[chosen->index].name) : STR(ROLE_OFF));
}

static void templates_fill(struct menus *m)
{
	const struct templates *templates = &m->host->setup->settings.templates;
	struct buf places = { 0 };

	menu_set_keys(m->menu, SECTION_KEYS);
	for (size_t i = 0; i < templates->count; i++) {
		buf_clear(&places);
		template_write_places(&templates->items[i], &places);
		menu_add(m->menu, &(struct menu_item){ .text = str_from(templates->items[i].name), .fact = buf_str(&places) });
	}
	buf_fini(&places);
}

/* One that takes words is written into the input, to go on with them. */
static void templates_choose(struct menus *m, const struct chosen *chosen)
{
	const struct template *template = &m->host->setup->settings.templates.items[chosen->index];
	struct buf places = { 0 }, line = { 0 };

	template_write_places(template, &places);
	buf_printf(&line, "%stemplate %s%s", places.len ? "/" : "", template->name, places.len ? " " : "");
	if (places.len)
		composer_write(m->composer, buf_str(&line));
	else
		host_run(m->host, buf_str(&line));
	buf_fini(&places);
	buf_fini(&line);
}

/* --- the table --- */

static const struct {
	const char *title, *typed;       /* arguments of menu_new() */
	void (*fill)(struct menus *m);
	void (*choose)(struct menus *m, const struct chosen *chosen); /* called after the menu was closed */
	bool (*key)(struct menus *m, const struct key *key); /* handles keys of this menu; NULL: none */
	void (*moved)(struct menus *m);  /* called when another row is marked; NULL: does nothing */
	void (*left)(struct menus *m);   /* called when nothing was chosen; NULL: does nothing */
	bool runs;                       /* rows run commands: without a filter, none is chosen until the user moves to it */
} kinds[] = {
	[MENU_PALETTE] = { "Commands", "run \"/%s\"", palette_fill, palette_choose, palette_key, palette_filtered, NULL, true },
	[MENU_HELP] = { "Help", NULL, help_fill, help_choose, help_key, NULL, help_left, true },
	[MENU_PROVIDERS] = { "Provider", NULL, providers_fill, providers_choose, providers_key, NULL, NULL, false },
	[MENU_MODELS] = { "Model", "use \"%s\" as typed", models_fill, models_choose, models_key, NULL, models_left, false },
	[MENU_PROTOCOLS] = { "Protocol", NULL, protocols_fill, protocols_choose, NULL, NULL, NULL, false },
	[MENU_ROLES] = { "Role", NULL, roles_fill, roles_choose, sections_key, NULL, NULL, false },
	[MENU_TEMPLATES] = { "Template", NULL, templates_fill, templates_choose, sections_key, NULL, NULL, false },
	[MENU_THEMES] = { "Theme", NULL, themes_fill, themes_choose, NULL, themes_moved, themes_left, false },
	[MENU_COMPARE] = { "Compare", "mark \"%s\" with Space", candidates_fill, candidates_choose, candidates_key, NULL, candidates_left, false },
};

void menus_open(struct menus *m, enum menu_kind kind)
{
	host_close_cards(m->host);
	m->kind = kind;
	m->menu = menu_new(kinds[kind].title, kinds[kind].typed);
	if (kinds[kind].runs)
		menu_wait(m->menu);
	kinds[kind].fill(m);
	host_redraw(m->host);
}

void menus_close(void *menus)
{
	struct menus *m = menus;

	if (m->menu && kinds[m->kind].left)
		kinds[m->kind].left(m);
	menu_free(m->menu);
	m->menu = NULL;
}

static void menus_choose(struct menus *m, const struct key *enter)
{
	struct menu *menu = m->menu;
	struct chosen chosen = { .line = menu_line(menu), .enter = enter, .meant = menu_is_meant(menu), .moved = menu_has_moved(menu) };

	chosen.index = menu_choice(menu, &chosen.typed);
	m->menu = NULL; /* the choice may open another menu */
	kinds[m->kind].choose(m, &chosen);
	menu_free(menu);
}

static bool menus_are_open(const void *part)
{
	return ((const struct menus *)part)->menu != NULL;
}

static bool menus_take(void *part, const struct key *key)
{
	struct menus *m = part;

	if (key->code == KEY_ENTER && !kinds[m->kind].runs && host_runs_line(m->host, menu_line(m->menu), false, key, &menus_kind.mode, m))
		return true;
	if (kinds[m->kind].key && kinds[m->kind].key(m, key))
		return true;
	switch (menu_key(m->menu, key)) {
	case MENU_OPEN:
		if (kinds[m->kind].moved)
			kinds[m->kind].moved(m);
		break;
	case MENU_CHOSEN:
		menus_choose(m, key);
		break;
	case MENU_LEFT:
		menus_close(m);
		break;
	case MENU_NOT_MINE:
		break;
	}
	return true;
}

static void menus_draw(void *menus, struct canvas *canvas)
{
	menu_draw(((struct menus *)menus)->menu, canvas);
}

const struct card_kind menus_kind = {
	.mode = { .is_open = menus_are_open, .takes = menus_take, .close = menus_close, .paste = mode_takes_paste },
	.init = menus_init, .draw = menus_draw, .member = menus_member, .fini = menus_fini,
};
