#include "app/plain/plain_menu.h"

#include <string.h>

#include "app/plain/plain.h"
#include "base/mem.h"

#define PAGE 20 /* items at once: more are tedious to hear */

static void clear(struct plain_menu *m)
{
	for (size_t i = 0; i < m->count; i++) {
		mem_free(m->items[i].name);
		mem_free(m->items[i].fact);
	}
	m->count = m->told = 0;
}

void plain_menu_fini(struct plain_menu *m)
{
	clear(m);
	mem_free(m->items);
}

static void add(struct plain_menu *m, const char *name, const char *fact, bool current)
{
	mem_reserve(&m->items, &m->capacity, m->count + 1, sizeof *m->items);
	m->items[m->count++] = (struct plain_item){ mem_dup_z(name), mem_dup_z(fact), current };
}

/* --- what they list --- */

/* Facts are parted by three blanks, which nobody hears. */
static void add_model(struct plain *p, const struct model *model)
{
	struct buf facts, spoken;
	struct str rest;

	buf_init(&facts, BUF_LIMIT_DEFAULT);
	buf_init(&spoken, BUF_LIMIT_DEFAULT);
	model_facts_text(model, &facts);
	for (rest = buf_str(&facts); rest.len;) {
		size_t gap = str_find(rest, STR("   "));

		buf_printf(&spoken, "%s%.*s", spoken.len ? ", " : "", STR_ARG(str_head(rest, gap)));
		rest = str_trim_start(str_skip(rest, gap));
	}
	add(&p->menu, model->id, buf_z(&spoken), !strcmp(model->id, p->setup.target.model));
	buf_fini(&facts);
	buf_fini(&spoken);
}

static void fill_models(struct plain *p)
{
	struct error err = { "" };
	struct buf words;

	if (!model_list_open(&p->models, &p->setup, &err))
		plain_say(p, err.text);
	const struct models *models = p->models.models;
	p->menu.waits = models_state(models) == MODELS_FETCHING;
	if (p->menu.waits) {
		plain_tell_line(&p->tell, "The models of %s are being fetched.", p->setup.target.provider->name);
		return;
	}
	buf_init(&words, BUF_LIMIT_DEFAULT);
	model_list_words(&p->models, &words);
	plain_tell_line(&p->tell, "Models: %s", buf_z(&words));
	buf_fini(&words);
	for (size_t i = 0; i < models_count(models); i++)
		add_model(p, models_at(models, i));
}

static void fill_protocols(struct plain *p)
{
	const struct provider *provider = p->setup.target.provider;

	plain_tell_line(&p->tell, "Protocols of %s:", provider->name);
	for (size_t i = 0; provider->protocols[i]; i++)
		add(&p->menu, provider->protocols[i]->name, i ? "" : "its default", provider->protocols[i] == p->setup.target.protocol);
}

static void fill_providers(struct plain *p)
{
	plain_tell_line(&p->tell, "Providers:");
	for (size_t i = 0; i < providers_count(p->setup.providers); i++) {
		const struct provider *provider = providers_at(p->setup.providers, i);

		add(&p->menu, provider->name, provider_state_words(provider), provider == p->setup.target.provider);
	}
}

static const struct {
	void (*fill)(struct plain *p); /* says the title too */
	void (*choose)(const struct actor *a, struct str name);
	bool takes_any;                /* also a name that is not listed */
} lists[] = {
	[PLAIN_MODELS] = { fill_models, act_model, true },
	[PLAIN_PROTOCOLS] = { fill_protocols, act_protocol, false },
	[PLAIN_PROVIDERS] = { fill_providers, act_provider, false },
};

/* --- telling --- */

static void tell_item(struct plain *p, size_t index)
{
	const struct plain_item *item = &p->menu.items[index];

	plain_tell_line(&p->tell, "%zu. %s%s%s%s", index + 1, item->name, *item->fact ? ", " : "", item->fact,
	                item->current ? ", the present one" : "");
}

static void tell_page(struct plain *p)
{
	struct plain_menu *m = &p->menu;
	size_t end = m->told + PAGE < m->count ? m->told + PAGE : m->count;

	for (; m->told < end; m->told++)
		tell_item(p, m->told);
	if (m->told < m->count)
		plain_tell_line(&p->tell, "%zu of %zu. Type a number or a name, a part of a name to find it, more for the next, or an empty line to leave.",
		                m->told, m->count);
	else
		plain_tell_line(&p->tell, "Type a %s, or an empty line to leave.", m->count ? "number or a name" : "name");
}

void plain_open_menu(struct plain *p, enum plain_list list)
{
	clear(&p->menu);
	p->menu.list = list;
	p->menu.waits = false;
	p->asking = PLAIN_CHOICE;
	lists[list].fill(p);
	if (!p->menu.waits)
		tell_page(p);
}

void plain_models_came(struct plain *p)
{
	if (p->asking == PLAIN_CHOICE && p->menu.waits && models_state(p->models.models) != MODELS_FETCHING)
		plain_open_menu(p, PLAIN_MODELS);
}

/* --- choosing --- */

/* A name as it stands, else a number; -1: neither. */
static long index_of(const struct plain_menu *m, struct str line)
{
	long long number;

	for (size_t i = 0; i < m->count; i++)
		if (str_is(line, m->items[i].name))
			return (long)i;
	if (str_to_int(line, &number) && number >= 1 && (size_t)number <= m->count)
		return (long)number - 1;
	return -1;
}

static size_t tell_matches(struct plain *p, struct str part)
{
	size_t found = 0;

	for (size_t i = 0; i < p->menu.count; i++) {
		if (!str_has_nocase(str_from(p->menu.items[i].name), part))
			continue;
		if (++found <= PAGE)
			tell_item(p, i);
	}
	if (found > PAGE)
		plain_tell_line(&p->tell, "And %zu more.", found - PAGE);
	return found;
}

static void choose(struct plain *p, struct str name)
{
	struct actor actor = plain_actor(p);
	char *chosen = str_dup(name);
	enum plain_list list = p->menu.list;

	p->asking = PLAIN_PROMPT;
	lists[list].choose(&actor, str_from(chosen));
	mem_free(chosen);
	if (list == PLAIN_PROVIDERS && !*p->setup.target.model)
		plain_open_menu(p, PLAIN_MODELS);
}

void plain_take_choice(struct plain *p, struct str line)
{
	struct plain_menu *m = &p->menu;

	line = str_trim(line);
	long index = index_of(m, line);
	if (!line.len) {
		p->asking = PLAIN_PROMPT;
		plain_tell_line(&p->tell, "Nothing was changed.");
	} else if (index >= 0) {
		choose(p, str_from(m->items[index].name));
	} else if (str_starts(line, "/")) {
		p->asking = PLAIN_PROMPT;
		if (!plain_run(p, line))
			plain_tell_line(&p->tell, "Nothing was changed.");
	} else if (str_is(line, "more") && m->told < m->count) {
		tell_page(p);
	} else if (!tell_matches(p, line)) {
		if (lists[m->list].takes_any)
			choose(p, line);
		else
			plain_tell_line(&p->tell, "There is none of that name or number.");
	}
}
