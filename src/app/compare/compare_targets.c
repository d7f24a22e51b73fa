#include "app/compare/compare_targets.h"

#include "app/setup/setup.h"
#include "base/mem.h"
#include "chat/provider/parameters.h"
#include "chat/provider/provider.h"
#include "wire/protocol/protocol.h"

static void target_fini(struct compare_target *t)
{
	mem_free(t->model);
	mem_free(t->base_url);
	mem_free(t->label);
	*t = (struct compare_target){ 0 };
}

void compare_targets_fini(struct compare_targets *t)
{
	for (size_t i = 0; i < t->count; i++)
		target_fini(&t->of[i]);
	mem_free(t->list);
	*t = (struct compare_targets){ 0 };
}

/* Removes what stands behind the last colon. False: there is no colon. */
static bool split_last(struct str *text, struct str *word)
{
	for (size_t i = text->len; i-- > 0;) {
		if (text->ptr[i] != ':')
			continue;
		*word = str_skip(*text, i + 1);
		text->len = i;
		return true;
	}
	return false;
}

/* Takes protocol and level from the end, in any order, each once. */
static void split_model(struct str *model, const struct protocol **protocol, enum reasoning_level *level)
{
	struct str rest = *model, word;

	while (split_last(&rest, &word)) {
		const struct protocol *found = *protocol ? NULL : protocol_find(word);

		if (found)
			*protocol = found;
		else if (*level != REASONING_LEVEL_UNSET || !reasoning_level_find(word, level))
			return;
		*model = rest;
	}
}

void compare_write_label(const struct provider *p, const struct protocol *protocol, const char *model, struct buf *out)
{
	buf_printf(out, "%s/%s", p->name, model);
	if (protocol != p->protocols[0])
		buf_printf(out, ":%s", protocol->name);
}

static void target_label(struct compare_target *t)
{
	struct buf label = { 0 };

	compare_write_label(t->provider, t->protocol, t->model, &label);
	if (t->reasoning != REASONING_LEVEL_UNSET)
		buf_printf(&label, ":%s", reasoning_level_name(t->reasoning));
	t->label = buf_take(&label);
}

/* Changes the setup's target, which the caller restores. */
static bool read_target(struct compare_target *t, struct setup *s, struct str words, struct error *err)
{
	struct str model = words, name;
	const struct protocol *protocol = NULL;
	enum reasoning_level level = REASONING_LEVEL_UNSET;

	split_model(&model, &protocol, &level);
	str_split(&model, '/', &name);
	struct provider *provider = providers_find(s->providers, name);
	if (!provider)
		return error_set(err, "there is no provider '%.*s'; weir providers lists them", STR_ARG(name));
	if (protocol && !provider_offers(provider, protocol))
		return error_set(err, "%s does not speak %s", provider->name, protocol->name);
	setup_use_provider(s, provider);
	if (protocol)
		setup_use_protocol(s, protocol);
	if (model.len)
		setup_use_model(s, model);
	if (!*s->target.model)
		return error_set(err, "name a model, as in %s/MODEL; weir models -p %s lists them", provider->name, provider->name);
	*t = (struct compare_target){ .provider = provider, .protocol = s->target.protocol, .dialect = s->target.dialect, .reasoning = level,
	                              .model = mem_dup_z(s->target.model), .base_url = mem_dup_z(s->target.base_url) };
	target_label(t);
	return true;
}

bool compare_targets_read(struct compare_targets *all, struct setup *s, struct str list, struct error *err)
{
	struct target before = s->target;
	struct compare_targets read = { 0 };
	struct str rest = list, words;
	bool good = true;

	s->target.model = mem_dup_z(before.model); /* each that is read becomes the target for a moment */
	s->target.base_url = mem_dup_z(before.base_url);
	while (good && str_split(&rest, ',', &words)) {
		if (read.count == COMPARE_MOST)
			good = error_set(err, "at most %d models are compared", COMPARE_MOST);
		else if ((good = read_target(&read.of[read.count], s, str_trim(words), err)))
			read.count++;
	}
	mem_free(s->target.model);
	mem_free(s->target.base_url);
	s->target = before;
	if (good && !read.count)
		good = error_set(err, "name what to compare, as " COMPARE_TARGET_FORM ", separated by commas");
	if (!good) {
		compare_targets_fini(&read);
		return false;
	}
	read.list = str_dup(list);
	compare_targets_fini(all);
	*all = read;
	return true;
}

bool compare_is_list(const struct setup *s, struct str word)
{
	struct str rest = word, first, name;

	if (!str_split(&rest, ',', &first) || !str_split(&first, '/', &name))
		return false;
	return providers_find(s->providers, str_trim(name)) != NULL;
}

void compare_target_enter(struct compare_target *t, struct setup *s, struct target *before)
{
	*before = s->target;
	s->target = (struct target){ t->provider, t->protocol, t->dialect, t->model, t->base_url };
}

/* The demo's server may have been started meanwhile: the target keeps its URL. */
void compare_target_leave(struct compare_target *t, struct setup *s, const struct target *before)
{
	t->base_url = s->target.base_url;
	s->target = *before;
}

void compare_target_choose(const struct compare_target *t, struct setup *s)
{
	setup_use_provider(s, t->provider);
	setup_use_protocol(s, t->protocol);
	setup_use_model(s, str_from(t->model));
	if (t->reasoning != REASONING_LEVEL_UNSET) {
		struct parameters own = s->parameters;

		own.reasoning = t->reasoning;
		setup_use_parameters(s, &own);
	}
}
