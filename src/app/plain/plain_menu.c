#include "app/plain/plain_menu.h"

#include <string.h>

#include "app/command/actions.h"
#include "app/setup/setup.h"
#include "base/mem.h"
#include "store/config/roles.h"

#define PAGE 20 /* items per page: more are tedious with a screen reader */

static void menu_servers_ran(void *menu);

void plain_menu_init(struct plain_menu *m, struct plain_host *host, struct model_list *models)
{
	*m = (struct plain_menu){ .host = host, .models = models, .servers = { .ran = menu_servers_ran, .ctx = m } };
}

static void menu_clear(struct plain_menu *m)
{
	for (size_t i = 0; i < m->count; i++) {
		mem_free(m->items[i].name);
		mem_free(m->items[i].fact);
	}
	m->count = m->told = 0;
}

void plain_menu_fini(struct plain_menu *m)
{
	menu_clear(m);
	mem_free(m->items);
	local_servers_fini(&m->servers);
}

static void menu_add(struct plain_menu *m, const char *name, const char *fact, bool current)
{
	mem_reserve(&m->items, &m->capacity, m->count + 1, sizeof *m->items);
	m->items[m->count++] = (struct plain_item){ mem_dup_z(name), mem_dup_z(fact), current };
}

/* --- the lists --- */

/* Replaces the three spaces between facts, which a screen reader does not read, by a comma. */
static void menu_add_model(struct plain_menu *m, const struct model *model)
{
	struct buf facts = { 0 }, spoken = { 0 };
	struct str rest;

	model_facts_text(model, &facts);
	for (rest = buf_str(&facts); rest.len;) {
		size_t gap = str_find(rest, STR("   "));

		buf_printf(&spoken, "%s%.*s", spoken.len ? ", " : "", STR_ARG(str_head(rest, gap)));
		rest = str_trim_start(str_skip(rest, gap));
	}
	menu_add(m, model->id, buf_z(&spoken), !strcmp(model->id, m->host->setup->target.model));
	buf_fini(&facts);
	buf_fini(&spoken);
}

static void menu_fill_models(struct plain_menu *m)
{
	struct error err = { "" };
	struct buf words = { 0 };

	if (!model_list_open(m->models, m->host->setup, &err))
		plain_fail(m->host, err.text);
	const struct models *models = m->models->models;
	m->waits = models_state(models) == MODELS_FETCHING;
	if (m->waits) {
		plain_tell_line(m->host->tell, "The models of %s are being fetched.", m->host->setup->target.provider->name);
		return;
	}
	model_list_words(m->models, &words);
	plain_tell_line(m->host->tell, "Models: %s", buf_z(&words));
	buf_fini(&words);
	if (*m->host->setup->target.model && !model_list_has(models, m->host->setup->target.model))
		plain_tell_line(m->host->tell, "The current one is %s, which is not in the list.", m->host->setup->target.model);
	for (size_t i = 0; i < models_count(models); i++)
		menu_add_model(m, models_at(models, i));
}

static void menu_fill_protocols(struct plain_menu *m)
{
	const struct provider *provider = m->host->setup->target.provider;

	plain_tell_line(m->host->tell, "Protocols of %s:", provider->name);
	for (size_t i = 0; provider->protocols[i]; i++)
		menu_add(m, provider->protocols[i]->name, i ? "" : "its default", provider->protocols[i] == m->host->setup->target.protocol);
}

/* Once it is known which servers on this machine are there. */
static void menu_fill_providers(struct plain_menu *m)
{
	if (!m->waits)
		local_servers_ask(&m->servers, m->host->setup->providers);
	m->waits = local_servers_wait(&m->servers);
	if (m->waits)
		return;
	plain_tell_line(m->host->tell, "Providers:");
	for (size_t i = 0; i < providers_count(m->host->setup->providers); i++) {
		const struct provider *provider = providers_at(m->host->setup->providers, i);

		menu_add(m, provider->name, local_servers_words(&m->servers, provider), provider == m->host->setup->target.provider);
	}
	menu_add(m, "add", "another one", false);
}

static void menu_fill_roles(struct plain_menu *m)
{
	const struct roles *roles = &m->host->setup->settings.roles;
	const struct role *current = m->host->setup->role.role;
	struct buf facts = { 0 };

	plain_tell_line(m->host->tell, "Roles:");
	for (size_t i = 0; i < roles->count; i++) {
		buf_clear(&facts);
		role_write_facts(&roles->items[i], &facts);
		menu_add(m, roles->items[i].name, buf_z(&facts), &roles->items[i] == current);
	}
	if (current)
		menu_add(m, ROLE_OFF, "no role", false);
	buf_fini(&facts);
}

static const struct plain_question menu_question;

static const struct {
	void (*fill)(struct plain_menu *m); /* says the title too */
	void (*choose)(const struct actor *a, struct str name); /* NULL: its command does */
	bool takes_any;                /* also a name that is not listed */
} lists[] = {
	[PLAIN_MODELS] = { menu_fill_models, act_model, true },
	[PLAIN_PROTOCOLS] = { menu_fill_protocols, act_protocol, false },
	[PLAIN_ROLES] = { menu_fill_roles, act_role, false },
	[PLAIN_PROVIDERS] = { menu_fill_providers, NULL, false },
};

/* --- printing --- */

static void menu_tell_item(struct plain_menu *m, size_t index)
{
	const struct plain_item *item = &m->items[index];

	plain_tell_line(m->host->tell, "%zu. %s%s%s%s", index + 1, item->name, *item->fact ? ", " : "", item->fact,
	                item->current ? ", the current one" : "");
}

static void menu_tell_page(struct plain_menu *m)
{
	size_t end = m->told + PAGE < m->count ? m->told + PAGE : m->count;

	for (; m->told < end; m->told++)
		menu_tell_item(m, m->told);
	if (m->told < m->count)
		plain_tell_line(m->host->tell, "%zu of %zu. Type a number or a name, a part of a name to find it, more for the next, or an empty "
		                               "line to leave.",
		                m->told, m->count);
	else
		plain_tell_line(m->host->tell, "Type a %s, or an empty line to leave.", m->count ? "number or a name" : "name");
}

static void menu_fill(struct plain_menu *m)
{
	menu_clear(m);
	lists[m->list].fill(m);
	if (!m->waits)
		menu_tell_page(m);
}

void plain_menu_open(struct plain_menu *m, enum plain_list list)
{
	m->list = list;
	m->waits = false;
	plain_ask(m->host, &menu_question, m);
	menu_fill(m);
}

bool plain_menu_waits(const struct plain_menu *m)
{
	return m->host->asks == m && m->waits;
}

void plain_menu_models_ran(struct plain_menu *m)
{
	if (plain_menu_waits(m) && m->list == PLAIN_MODELS && models_state(m->models->models) != MODELS_FETCHING)
		plain_menu_open(m, PLAIN_MODELS);
}

static void menu_servers_ran(void *menu)
{
	struct plain_menu *m = menu;

	if (plain_menu_waits(m) && m->list == PLAIN_PROVIDERS)
		menu_fill(m);
}

struct loop_member plain_menu_servers_member(struct plain_menu *m)
{
	return local_servers_member(&m->servers);
}

/* --- choosing --- */

/* The index of the item with this name, else with this number; -1: neither. */
static long menu_index_of(const struct plain_menu *m, struct str line)
{
	long long number;

	for (size_t i = 0; i < m->count; i++)
		if (str_is(line, m->items[i].name))
			return (long)i;
	if (str_to_int(line, &number) && number >= 1 && (size_t)number <= m->count)
		return (long)number - 1;
	return -1;
}

static size_t menu_tell_matches(struct plain_menu *m, struct str part)
{
	size_t found = 0;

	for (size_t i = 0; i < m->count; i++) {
		if (!str_has_nocase(str_from(m->items[i].name), part))
			continue;
		if (++found <= PAGE)
			menu_tell_item(m, i);
	}
	if (found > PAGE)
		plain_tell_line(m->host->tell, "And %zu more.", found - PAGE);
	return found;
}

/* It may have to be set up first, and asks then. */
static void menu_choose_provider(struct plain_menu *m, struct str name)
{
	struct buf line = { 0 };

	buf_printf(&line, "/provider %.*s", STR_ARG(name));
	m->host->run(m->host->ctx, buf_str(&line));
	buf_fini(&line);
	if (!m->host->question && !*m->host->setup->target.model)
		plain_menu_open(m, PLAIN_MODELS);
}

static void menu_take_name(struct plain_menu *m, struct str name)
{
	struct actor actor = plain_actor(m->host);
	char *chosen = str_dup(name);
	enum plain_list list = m->list;

	plain_ask_prompt(m->host);
	if (lists[list].choose)
		lists[list].choose(&actor, str_from(chosen));
	else
		menu_choose_provider(m, str_from(chosen));
	mem_free(chosen);
}

static void menu_take(void *menu, struct str line)
{
	struct plain_menu *m = menu;
	line = str_trim(line);
	long index = menu_index_of(m, line);
	if (!line.len) {
		plain_ask_prompt(m->host);
		plain_tell_line(m->host->tell, "Nothing was changed.");
	} else if (index >= 0) {
		menu_take_name(m, str_from(m->items[index].name));
	} else if (str_starts(line, "/")) {
		plain_ask_prompt(m->host);
		if (!m->host->run(m->host->ctx, line))
			plain_tell_line(m->host->tell, "Nothing was changed.");
	} else if (str_is(line, "more") && m->told < m->count) {
		menu_tell_page(m);
	} else if (!menu_tell_matches(m, line)) {
		if (lists[m->list].takes_any)
			menu_take_name(m, line);
		else
			plain_tell_line(m->host->tell, "No item has that name or number.");
	}
}

static const struct plain_question menu_question = { .label = "Choice: ", .take = menu_take };
