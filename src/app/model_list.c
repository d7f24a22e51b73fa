#include "app/model_list.h"

#include <string.h>

void model_list_fini(struct model_list *l)
{
	models_free(l->models);
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

const struct model *model_list_find(const struct model_list *l, const struct setup *s, struct str id)
{
	return list_find(model_list_of_target(l, s), id);
}

/* The price of the model to which the request was routed, else of the one that was asked. */
static void list_price_turn(const struct models *models, struct turn *t)
{
	const struct model *model = t->routed_model ? list_find(models, str_from(t->routed_model)) : NULL;

	if (!model)
		model = list_find(models, str_from(t->scope.model));
	if (model && model->prompt_price >= 0 && model->completion_price >= 0)
		t->price = (struct price){ true, model->prompt_price, model->completion_price };
	t->revision += t->price.known;
}

void model_list_price(const struct model_list *l, struct conversation *c)
{
	for (size_t i = 0; l->models && i < c->node_count; i++) {
		struct turn *t = c->nodes[i];
		bool is_ours = t->role == TURN_ASSISTANT && t->scope.protocol == l->protocol && str_is(str_from(t->scope.provider), l->provider->name);

		if (is_ours && t->ended && !t->price.known)
			list_price_turn(l->models, t);
	}
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
		buf_printf(out, models_are_cut(m) ? ", only the first %zu models" : ", %zu models", models_count(m));
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
	l->ran(l->ctx);
}

struct loop_member model_list_member(struct model_list *l)
{
	return (struct loop_member){ l, model_list_fds, model_list_deadline, model_list_run };
}
