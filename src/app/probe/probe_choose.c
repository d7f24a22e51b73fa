/* Which columns and cases a probe has. */
#include "app/options/options.h"
#include "app/probe/probe_inside.h"

#include "app/setup/model_list.h"
#include "app/setup/setup.h"
#include "app/system/environment.h"
#include "base/mem.h"
#include "base/names.h"
#include "chat/conversation/conversation.h"

#define DEMO_SPEED 10.0
#define CONNECT_MOST_MS 10000
#define FIRST_BYTE_MOST_MS 60000
#define IDLE_MOST_MS 30000

void probe_init(struct probe *p, struct setup *setup)
{
	*p = (struct probe){ .setup = setup, .folder.fd = -1 };
}

static void probe_cell_fini(struct probe_cell *cell)
{
	buf_fini(&cell->words);
	for (size_t i = 0; i < cell->finding_count; i++)
		mem_free(cell->findings[i].message);
	mem_free(cell->findings);
	for (size_t i = 0; i < PROBE_REQUESTS_MOST; i++)
		mem_free(cell->tapes[i]);
}

void probe_fini(struct probe *p)
{
	for (size_t i = 0; i < p->count; i++) {
		struct probe_column *c = &p->columns[i];

		for (size_t k = 0; k < PROBE_CASES_MOST; k++)
			probe_cell_fini(&c->cells[k]);
		conversation_free(c->called);
		provider_free(c->provider);
		mem_free(c->model);
		mem_free(c->base_url);
		mem_free(c->label);
	}
	private_folder_close(&p->folder);
}

/* --- columns --- */

static void probe_limit(int64_t *limit_ms, int64_t most_ms)
{
	if (*limit_ms <= 0 || *limit_ms > most_ms)
		*limit_ms = most_ms;
}

/* Adds the setup's target with one of its protocols. */
static bool probe_add_column(struct probe *p, const struct protocol *protocol, struct error *err)
{
	struct setup *s = p->setup;
	struct probe_column *column = &p->columns[p->count];
	struct model_list list = { .setup = s };
	struct buf label = { 0 };
	struct str base_url;

	setup_use_protocol(s, protocol);
	if (!setup_base_url(s, &base_url, err) || !provider_find_base_url(s->target.provider, protocol, base_url, &(struct str){ 0 }, err))
		return false;
	*column = (struct probe_column){ .provider = provider_copy(s->target.provider), .protocol = protocol, .dialect = s->target.dialect };
	if (column->provider->dialect != column->dialect) { /* --dialect */
		column->provider->dialect = column->dialect;
		column->provider->sending = column->dialect->sending;
	}
	column->model = mem_dup_z(s->target.model);
	column->base_url = str_dup(base_url);
	buf_printf(&label, "%s/%s:%s", s->target.provider->name, column->model, protocol->name);
	column->label = buf_take(&label);
	probe_limit(&column->provider->limits.connect_ms, CONNECT_MOST_MS);
	probe_limit(&column->provider->limits.first_byte_ms, FIRST_BYTE_MOST_MS);
	probe_limit(&column->provider->limits.idle_ms, IDLE_MOST_MS);
	column->prices = model_list_terms(&list)->prices;
	model_list_fini(&list);
	p->count++;
	return true;
}

/* Whether requests could be sent to the target. */
static bool probe_check_target(const struct setup *s, struct error *err)
{
	const struct provider *provider = s->target.provider;

	if (!*s->target.model)
		return error_set(err, "name a model of %s, as in -m MODEL; weir models -p %s lists them", provider->name, provider->name);
	if (!provider->key_optional && provider->auth != AUTH_NONE && !provider_has_key(provider, process_environment)) {
		struct buf source = { 0 };

		provider_key_source(provider, &source);
		error_set(err, "no key for %s: it is expected in %s", provider->name, buf_z(&source));
		buf_fini(&source);
		return false;
	}
	return true;
}

/* "PROVIDER[/MODEL][:PROTOCOL]": what stands behind the last colon, if it is a protocol, because models have colons too. */
static bool probe_take_against(struct setup *s, struct str wanted, struct error *err)
{
	const struct provider *before = s->target.provider;
	const struct protocol *protocol = s->target.protocol;
	struct str model = wanted, name;
	char *same = mem_dup_z(s->target.model);
	bool has_protocol = false;

	for (size_t i = model.len; i-- > 0 && !has_protocol;) {
		if (model.ptr[i] != ':' || !protocol_find(str_skip(model, i + 1)))
			continue;
		protocol = protocol_find(str_skip(model, i + 1));
		model.len = i;
		has_protocol = true;
	}
	str_split(&model, '/', &name);
	struct provider *provider = providers_find(s->providers, name);
	if (!provider) {
		mem_free(same);
		return error_set(err, "--against: there is no provider '%.*s'; weir providers lists them", STR_ARG(name));
	}
	setup_use_provider(s, provider);
	if (model.len || provider == before)
		setup_use_model(s, model.len ? model : str_from(same));
	mem_free(same);
	if (has_protocol && !provider_offers(provider, protocol))
		return error_set(err, "--against: %s does not offer %s", provider->name, protocol->name);
	if (provider_offers(provider, protocol))
		setup_use_protocol(s, protocol);
	return true;
}

static bool probe_add_columns(struct probe *p, struct error *err)
{
	struct setup *s = p->setup;
	const struct options *o = s->options;
	const struct protocol *const *offered = s->target.provider->protocols;

	if (!probe_check_target(s, err))
		return false;
	if (o->protocol || o->against)
		return probe_add_column(p, s->target.protocol, err);
	for (size_t i = 0; offered[i]; i++)
		if (!probe_add_column(p, offered[i], err))
			return false;
	return true;
}

/* --- cases --- */

static const char *case_name_at(const void *unused, size_t index)
{
	(void)unused;
	return probe_case_at(index) ? probe_case_at(index)->name : NULL;
}

static bool probe_choose_case(struct probe *p, struct str name, struct error *err)
{
	for (size_t i = 0; probe_case_at(i); i++)
		if (str_is(name, probe_case_at(i)->name)) {
			p->chosen[i] = true;
			return true;
		}
	return names_refuse("case", name, case_name_at, NULL, err);
}

static bool probe_choose_cases(struct probe *p, const char *wanted, struct error *err)
{
	struct str rest = str_from(wanted), name;

	for (size_t i = 0; !wanted && probe_case_at(i); i++)
		p->chosen[i] = true;
	while (str_split(&rest, ',', &name))
		if (!probe_choose_case(p, str_trim(name), err))
			return false;
	return true;
}

bool probe_choose(struct probe *p, struct error *err)
{
	const struct options *o = p->setup->options;

	p->setup->demo_speed = DEMO_SPEED;
	p->compares = o->against != NULL;
	return probe_choose_cases(p, o->cases, err) && probe_add_columns(p, err) &&
	       (!p->compares || (probe_take_against(p->setup, str_from(o->against), err) && probe_check_target(p->setup, err) &&
	                         probe_add_column(p, p->setup->target.protocol, err)));
}
