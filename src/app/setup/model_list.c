#include "app/setup/model_list.h"

#include <string.h>
#include <time.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "app/system/loop.h"
#include "base/array.h"
#include "base/mem.h"
#include "chat/conversation/conversation.h"
#include "store/config/price_table.h"
#include "store/files/model_cache.h"

void model_list_fini(struct model_list *l)
{
	models_free(l->models);
	mem_free(l->known.base_url);
	mem_free(l->known.model);
	*l = (struct model_list){ 0 };
}

const struct models *model_list_of_target(const struct model_list *l, const struct setup *s)
{
	return l->provider == s->target.provider && l->protocol == s->target.protocol ? l->models : NULL;
}

static const struct model *list_find(const struct models *models, struct str id)
{
	for (size_t i = 0; models && i < models_count(models); i++)
		if (str_is(id, models_at(models, i)->id))
			return models_at(models, i);
	return NULL;
}

/* --- the model cache --- */

/* False: lists of that provider are not kept, or it has no base URL. The key borrows from the setup. */
static bool list_cache_key(const struct setup *s, const struct provider *p, const struct protocol *protocol, struct model_cache_key *key)
{
	struct str given = p == s->target.provider ? str_from(s->target.base_url) : STR_NONE;
	struct error err;

	*key = (struct model_cache_key){ .provider = p->name, .protocol = protocol };
	return !provider_is_demo(p) && provider_find_base_url(p, protocol, given, &key->base_url, &err);
}

void model_list_keep(const struct setup *s, const struct provider *p, const struct protocol *protocol, const struct models *models)
{
	struct model_cache_key key;
	struct error err;

	if (list_cache_key(s, p, protocol, &key))
		(void)!model_cache_keep(&key, models_at(models, 0), models_count(models), time(NULL), &err);
}

/* --- terms --- */

#define FROM_SETTINGS "weir.conf"
#define FROM_LIST "the provider's model list"

struct list_search { struct str id; struct model_terms *terms; };

static void list_take_terms(struct model_terms *terms, long long context_tokens, const struct prices *prices)
{
	if (!terms->context_from && context_tokens > 0) {
		terms->context_tokens = context_tokens;
		terms->context_from = FROM_LIST;
	}
	if (!terms->prices_from && prices_are_known(prices)) {
		terms->prices = *prices;
		terms->prices_from = FROM_LIST;
	}
}

static void list_visit_cached(void *ctx, const struct model_facts *facts)
{
	struct list_search *search = ctx;

	if (str_equal(facts->id, search->id))
		list_take_terms(search->terms, facts->context_tokens, &facts->prices);
}

static void list_take_known(struct model_terms *terms, const struct known_model *known, const char *from)
{
	if (!terms->context_from) {
		terms->context_tokens = known->context_tokens;
		terms->context_from = from;
		terms->context_is_rough = true;
	}
	if (!terms->prices_from) {
		terms->prices = known_model_prices(known, 0);
		terms->prices_from = from;
		terms->known = known;
	}
}

/*
 * What the user wrote counts before what a list says, a list that was fetched in this run before one of an earlier run, and any of these before
 * what is known of the model anyway.
 */
static struct model_terms list_find_terms(const struct model_list *l, const struct provider *p, const struct protocol *protocol, struct str id)
{
	const struct setup *s = l->setup;
	bool fetched = l->provider == p && l->protocol == protocol && l->models && models_fetched_ms(l->models);
	const struct model *model = fetched ? list_find(l->models, id) : NULL;
	struct model_terms terms = { .context_tokens = price_table_context(&s->settings.prices, id) };
	struct list_search search = { id, &terms };
	const struct known_model *known;
	struct model_cache_key key;
	const char *from;

	terms.context_from = terms.context_tokens ? FROM_SETTINGS : NULL;
	terms.prices_from = price_table_prices(&s->settings.prices, id, &terms.prices) ? FROM_SETTINGS : NULL;
	if (model)
		list_take_terms(&terms, model->context_tokens, &model->prices);
	if (!(terms.context_from && terms.prices_from) && list_cache_key(s, p, protocol, &key)) {
		if (!fetched)
			(void)model_cache_read(&key, time(NULL), list_visit_cached, &search);
		known = known_model_find(p, process_environment, key.base_url, id, &from);
		if (known)
			list_take_known(&terms, known, from);
	}
	return terms;
}

const struct model_terms *model_list_terms(struct model_list *l)
{
	const struct setup *s = l->setup;
	struct model_terms_known *known = &l->known;
	const struct target *t = &s->target;
	struct str model = str_from(t->model), base_url = str_from(t->base_url);
	int64_t fetched_ms = model_list_of_target(l, s) ? models_fetched_ms(l->models) : 0;

	if (known->provider == t->provider && known->protocol == t->protocol && known->fetched_ms == fetched_ms && known->model &&
	    str_is(model, known->model) && str_is(base_url, known->base_url))
		return &known->terms;
	known->provider = t->provider;
	known->protocol = t->protocol;
	known->fetched_ms = fetched_ms;
	str_replace(&known->model, model);
	str_replace(&known->base_url, base_url);
	known->terms = list_find_terms(l, t->provider, t->protocol, model);
	return &known->terms;
}

/* What was found last, for answers of the same model one behind the other: a search may read and parse a file. The id is a turn's. */
struct list_found { const struct provider *provider; const struct protocol *protocol; const char *id; struct model_terms terms; };

static const struct model_terms *list_find_again(const struct model_list *l, const struct provider *p, const struct protocol *protocol,
                                                 const char *id, struct list_found *found)
{
	if (found->provider != p || found->protocol != protocol || strcmp(found->id, id) != 0)
		*found = (struct list_found){ p, protocol, id, list_find_terms(l, p, protocol, str_from(id)) };
	return &found->terms;
}

/* `found`: for either name of the model. What the user or the list says of either counts before what is known of either. */
static void list_price(const struct model_list *l, struct turn *t, struct list_found found[2])
{
	const struct provider *p = providers_find(l->setup->providers, str_from(t->scope.provider));
	const char *const ids[] = { t->routed_model, t->scope.model };
	const struct usage usage = turn_usage(t);
	bool wants = p && t->scope.protocol && t->ended && !t->reported.known && usage_is_positive(&usage);
	const struct model_terms *terms, *chosen = NULL;

	for (size_t i = 0; wants && !t->prices_from && i < ARRAY_LEN(ids); i++) {
		terms = ids[i] && *ids[i] ? list_find_again(l, p, t->scope.protocol, ids[i], &found[i]) : NULL;
		if (terms && terms->prices_from && (!chosen || (chosen->known && !terms->known)))
			chosen = terms;
	}
	if (!chosen)
		return;
	struct prices prices = chosen->known ? known_model_prices(chosen->known, usage.of[USAGE_PROMPT].number) : chosen->prices;
	turn_set_prices(t, &prices, chosen->prices_from);
}

void model_list_price(const struct model_list *l, struct turn *t)
{
	list_price(l, t, (struct list_found[2]){ 0 });
}

void model_list_price_all(const struct model_list *l, struct conversation *c)
{
	struct list_found found[2] = { 0 };

	for (size_t i = 0; i < c->node_count; i++)
		if (c->nodes[i]->role == TURN_ASSISTANT)
			list_price(l, c->nodes[i], found);
}

bool model_list_open(struct model_list *l, struct setup *s, struct error *err)
{
	const struct target *target = &s->target;
	struct str base_url = STR("");
	bool good = setup_base_url(s, &base_url, err);

	if (model_list_of_target(l, s))
		return good;
	models_free(l->models);
	l->models = models_new(s->http, target->provider, target->protocol, base_url, process_environment, s->options->allow_http);
	l->provider = target->provider;
	l->protocol = target->protocol;
	models_fetch(l->models, clock_now_ms());
	return good;
}

bool model_list_has(const struct models *models, const char *id)
{
	for (size_t i = 0; i < models_count(models); i++)
		if (!strcmp(models_at(models, i)->id, id))
			return true;
	return false;
}

void model_list_adopt(struct model_list *l, const struct setup *s, struct models *models)
{
	models_free(l->models);
	l->models = models;
	l->provider = s->target.provider;
	l->protocol = s->target.protocol;
	models_move(models, s->target.provider);
}

void model_list_words(const struct model_list *l, struct buf *out)
{
	const struct models *m = l->models;

	if (models_state(m) == MODELS_FAILED && !models_count(m)) {
		buf_printf(out, "%s. A name can be typed.", models_error(m)->text);
		return;
	}
	buf_printf(out, "%s", l->provider->name);
	if (models_count(m))
		buf_printf(out, ", %s%zu model%s", models_are_cut(m) ? "only the first " : "", models_count(m), models_count(m) == 1 ? "" : "s");
	if (models_state(m) == MODELS_FETCHING) {
		buf_add_z(out, ", fetching ...");
	} else if (models_state(m) == MODELS_FAILED) {
		buf_printf(out, ": %s", models_error(m)->text);
	} else if (models_fetched_ms(m)) {
		int64_t minutes = (clock_now_ms() - models_fetched_ms(m)) / 60000;

		if (minutes)
			buf_printf(out, ", fetched %lld min ago", (long long)minutes);
		else
			buf_add_z(out, ", fetched just now");
	}
}

const char *provider_state_words(const struct provider *p)
{
	if (provider_is_ready(p, process_environment))
		return "ready";
	return provider_base_url(p, p->protocols[0]).len ? "needs a key" : "needs a base URL";
}

static size_t model_list_fds(void *list, struct pollfd *fds, size_t room)
{
	const struct model_list *l = list;

	return l->models && room ? models_fds(l->models, fds) : 0;
}

static int64_t model_list_deadline(void *list)
{
	const struct model_list *l = list;

	return l->models ? models_deadline(l->models) : NO_DEADLINE;
}

static void model_list_run(void *list, const struct pollfd *fds, size_t count, int64_t now_ms)
{
	struct model_list *l = list;

	(void)fds, (void)count;
	if (!l->models)
		return;
	models_run(l->models, now_ms);
	if (models_fetched_ms(l->models) && models_fetched_ms(l->models) != l->kept_ms) {
		l->kept_ms = models_fetched_ms(l->models);
		model_list_keep(l->setup, l->provider, l->protocol, l->models);
		l->fetched(l->ctx);
	}
	l->ran(l->ctx);
}

struct loop_member model_list_member(struct model_list *l)
{
	return (struct loop_member){ .ctx = l, .fds = model_list_fds, .deadline = model_list_deadline, .run = model_list_run };
}
