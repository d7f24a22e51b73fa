#include "app/compare/compare_candidates.h"

#include <string.h>

#include "app/setup/provider_setup.h"
#include "app/setup/setup.h"
#include "base/mem.h"

static void candidate_fini(struct compare_candidate *one)
{
	mem_free(one->label);
	mem_free(one->fact);
}

void candidates_fini(struct compare_candidates *c)
{
	for (size_t i = 0; i < c->count; i++)
		candidate_fini(&c->of[i]);
	mem_free(c->of);
	*c = (struct compare_candidates){ 0 };
}

size_t candidates_marked(const struct compare_candidates *c)
{
	size_t marked = 0;

	for (size_t i = 0; i < c->count; i++)
		marked += c->of[i].marked;
	return marked;
}

/* --- rows --- */

/* Looks at the first `among` rows only, because a model list has each model once. */
static struct compare_candidate *candidate_of(struct compare_candidates *c, size_t among, const char *label)
{
	for (size_t i = 0; i < among; i++)
		if (!strcmp(c->of[i].label, label))
			return &c->of[i];
	mem_reserve(&c->of, &c->capacity, c->count + 1, sizeof *c->of);
	c->of[c->count] = (struct compare_candidate){ .label = mem_dup_z(label) };
	return &c->of[c->count++];
}

static void add_row(struct compare_candidates *c, size_t among, const struct provider *p, const struct protocol *protocol, const char *model,
                    struct str fact)
{
	struct buf label = { 0 };

	compare_write_label(p, protocol, model, &label);
	if (!strpbrk(buf_z(&label), ", \t")) {
		struct compare_candidate *one = candidate_of(c, among, buf_z(&label));

		if (!one->fact && fact.len)
			one->fact = str_dup(fact);
	}
	buf_fini(&label);
}

static void drop_unmarked(struct compare_candidates *c)
{
	size_t kept = 0;

	for (size_t i = 0; i < c->count; i++) {
		if (c->of[i].marked)
			c->of[kept++] = c->of[i];
		else
			candidate_fini(&c->of[i]);
	}
	c->count = kept;
}

static void add_other_providers(struct compare_candidates *c, const struct setup *s)
{
	for (size_t i = 0; i < providers_count(s->providers); i++) {
		const struct provider *p = providers_at(s->providers, i);

		if (p != s->target.provider && p->model && *p->model && p->protocols[0] && !provider_wants_setup(p))
			add_row(c, c->count, p, p->protocols[0], p->model, STR_NONE);
	}
}

static void add_models(struct compare_candidates *c, const struct target *t, const struct models *models)
{
	size_t among = c->count;
	struct buf fact = { 0 };

	for (size_t i = 0; i < models_count(models); i++) {
		buf_clear(&fact);
		model_facts_row(models_at(models, i), &fact);
		add_row(c, among, t->provider, t->protocol, models_at(models, i)->id, buf_str(&fact));
	}
	buf_fini(&fact);
}

void candidates_collect(struct compare_candidates *c, const struct setup *s, const struct models *models)
{
	const struct target *t = &s->target;

	drop_unmarked(c);
	if (*t->model)
		add_row(c, c->count, t->provider, t->protocol, t->model, STR_NONE);
	for (size_t i = 0; *t->model && t->provider->protocols[i]; i++)
		add_row(c, c->count, t->provider, t->provider->protocols[i], t->model, STR_NONE);
	add_other_providers(c, s);
	add_models(c, t, models);
}

void candidates_begin(struct compare_candidates *c, const struct compare_targets *earlier, const struct setup *s, const struct models *models)
{
	candidates_fini(c);
	for (size_t i = 0; i < earlier->count; i++)
		candidate_of(c, c->count, earlier->of[i].label)->marked = true;
	candidates_collect(c, s, models);
	if (!earlier->count && *s->target.model && c->count)
		c->of[0].marked = true;
}

/* --- marks --- */

static bool candidate_mark(struct compare_candidates *c, struct compare_candidate *one, struct error *err)
{
	if (!one->marked && candidates_marked(c) == COMPARE_MOST)
		return error_set(err, "at most %d models are compared", COMPARE_MOST);
	one->marked = true;
	return true;
}

bool candidates_toggle(struct compare_candidates *c, size_t index, struct error *err)
{
	struct compare_candidate *one = &c->of[index];

	if (!one->marked)
		return candidate_mark(c, one, err);
	one->marked = false;
	return true;
}

bool candidates_mark_typed(struct compare_candidates *c, struct setup *s, struct str typed, struct error *err)
{
	struct compare_targets read = { 0 };
	struct buf words = { 0 };

	if (!compare_is_list(s, typed))
		buf_printf(&words, "%s/", s->target.provider->name);
	buf_add(&words, typed);
	bool good = compare_targets_read(&read, s, buf_str(&words), err);
	for (size_t i = 0; good && i < read.count; i++)
		good = candidate_mark(c, candidate_of(c, c->count, read.of[i].label), err);
	compare_targets_fini(&read);
	buf_fini(&words);
	return good;
}

void candidates_write_list(const struct compare_candidates *c, struct buf *out)
{
	for (size_t i = 0; i < c->count; i++)
		if (c->of[i].marked)
			buf_printf(out, "%s%s", out->len ? "," : "", c->of[i].label);
}
