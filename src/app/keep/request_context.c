#include "app/keep/request_context.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "base/json.h"
#include "base/json_write.h"
#include "chat/provider/parameters.h"
#include "chat/provider/provider.h"
#include "store/config/roles.h"
#include "wire/protocol/protocol.h"

#define ROLE_MEMBER "role"

void request_context_fini(struct request_context *f)
{
	buf_fini(&f->system);
	buf_fini(&f->parameters);
	buf_fini(&f->tools);
	buf_fini(&f->schema);
}

/* --- taking --- */

/* Those that somebody set; the provider's are its own matter. The role's name is the first member. */
static void request_context_write_parameters(const struct setup *s, struct buf *out)
{
	struct parameters set = parameters_unset, value;
	struct buf members = { 0 };

	for (enum parameter which = 0; which < PARAMETER_COUNT; which++)
		if (setup_parameter(s, which, &value) > PARAMETER_FROM_PROVIDER)
			parameter_copy(&set, &value, which);
	parameters_write_json(&set, s->role.role ? &members : out);
	if (s->role.role) {
		buf_add_z(out, "{\"" ROLE_MEMBER "\":");
		json_escape(out, str_from(s->role.role->name));
		buf_add_z(out, members.len > 2 ? "," : "");
		buf_add(out, str_skip(buf_str(&members), 1));
	}
	buf_fini(&members);
}

void request_context_take(const struct setup *s, struct request_context *f)
{
	request_context_fini(f);
	buf_add(&f->system, setup_system(s));
	request_context_write_parameters(s, &f->parameters);
	buf_add(&f->tools, buf_str(&s->tools));
	buf_add(&f->schema, buf_str(&s->schema));
}

void request_context_lend(const struct request_context *f, bool begins, struct history_conversation *c)
{
	c->system_prompt = buf_z(&f->system);
	c->parameters = buf_z(&f->parameters);
	c->tools = f->tools.len || !begins ? buf_z(&f->tools) : NULL;
	c->schema = f->schema.len || !begins ? buf_z(&f->schema) : NULL;
}

/* --- using --- */

struct using {
	struct setup *setup;
	const struct history_conversation *stored;
	bool options_first;
	request_context_tell *tell;
	void *ctx;
};

static void PRINTF_LIKE(2, 3) request_context_say(const struct using *u, const char *format, ...)
{
	struct error sentence;
	va_list args;

	va_start(args, format);
	vsnprintf(sentence.text, sizeof sentence.text, format, args);
	va_end(args);
	u->tell(u->ctx, sentence.text);
}

static bool request_context_keep_option(const struct using *u, bool option_is_given)
{
	return u->options_first && option_is_given;
}

static void request_context_use_role(const struct using *u, struct str name)
{
	struct setup *s = u->setup;
	const struct role *role = name.len ? roles_find(&s->settings.roles, name) : NULL;
	struct error err;

	if (request_context_keep_option(u, s->options->role != NULL) || (s->role.role && str_is(name, s->role.role->name)) ||
	    (!s->role.role && !name.len))
		return;
	if (name.len && !role)
		request_context_say(u, "there is no role %.*s any more; what it set is stored with the conversation", STR_ARG(str_head(name, 60)));
	if (!setup_use_role(s, role, &err))
		request_context_say(u, "%s", err.text);
}

/* Another provider, or another place, than the conversation was held with. Its protocol and model are not meant for that. */
static bool request_context_names_another(const struct using *u)
{
	const struct options *o = u->setup->options;

	return o->base_url || (o->provider && strcmp(o->provider, u->stored->provider) != 0);
}

static void request_context_use_target(const struct using *u)
{
	struct setup *s = u->setup;
	const struct options *o = s->options;
	struct provider *provider = u->stored->provider ? providers_find(s->providers, str_from(u->stored->provider)) : NULL;
	const struct protocol *protocol = u->stored->protocol ? protocol_find(str_from(u->stored->protocol)) : NULL;

	if (!u->stored->provider || request_context_keep_option(u, request_context_names_another(u)))
		return;
	if (!provider) {
		request_context_say(u, "the provider %.60s of this conversation is not set up here: %s answers", u->stored->provider,
		                    s->target.provider->name);
		return;
	}
	if (provider != s->target.provider)
		setup_use_provider(s, provider);
	if (protocol && provider_offers(provider, protocol) && !request_context_keep_option(u, o->protocol))
		setup_use_protocol(s, protocol);
	if (u->stored->model && !request_context_keep_option(u, o->model))
		setup_use_model(s, str_from(u->stored->model));
}

static bool request_context_has_option(const struct options *o, enum parameter which)
{
	const struct parameters given = setup_option_parameters(o);

	return parameter_is_set(&given, which);
}

/* A value that is in force anyway is not set: the status bar shows what was set. */
static void request_context_use_parameter(const struct using *u, enum parameter which, const struct json *member)
{
	struct parameters own = u->setup->parameters, now;
	struct buf scratch = { 0 }, words = { 0 };
	struct str value = STR_NONE;
	struct error err;

	if (request_context_keep_option(u, request_context_has_option(u->setup->options, which)))
		return;
	parameter_copy(&own, &parameters_unset, which);
	setup_use_parameters(u->setup, &own);
	(void)setup_parameter(u->setup, which, &now);
	parameter_write(&now, which, &words);
	if (member && json_scalar(member, &scratch, &value) && !str_equal(value, buf_str(&words)) && parameter_set(&own, which, value, NULL, &err))
		setup_use_parameters(u->setup, &own);
	buf_fini(&scratch);
	buf_fini(&words);
}

/* No text: none are used. */
static bool request_context_use_json(const struct using *u, struct str json, bool tools, struct error *err)
{
	struct setup *s = u->setup;

	if (str_equal(json, buf_str(tools ? &s->tools : &s->schema)))
		return true;
	if (!json.len)
		return tools ? setup_read_tools(s, NULL, err) : setup_read_schema(s, NULL, err);
	return tools ? setup_use_tools(s, json, "the tools of the conversation", err)
	             : setup_use_schema(s, json, "the schema of the conversation", err);
}

/* A conversation whose system prompt is not known, as an imported one, was never asked about these. */
static bool request_context_use_texts(const struct using *u, struct error *err)
{
	const struct history_conversation *c = u->stored;
	struct setup *s = u->setup;

	if (!c->system_prompt)
		return true;
	if (!request_context_keep_option(u, s->options->system) && !str_is(setup_system(s), c->system_prompt))
		setup_use_system(s, str_from(c->system_prompt));
	return (request_context_keep_option(u, s->options->tools) || request_context_use_json(u, str_from(c->tools), true, err)) &&
	       (request_context_keep_option(u, s->options->schema) || request_context_use_json(u, str_from(c->schema), false, err));
}

void request_context_use(struct setup *s, const struct history_conversation *c, bool options_first, request_context_tell *tell, void *ctx)
{
	const struct using u = { .setup = s, .stored = c, .options_first = options_first, .tell = tell, .ctx = ctx };
	struct json_parser *parser = json_parser_new();
	const struct json *parameters;
	struct error err = { "" };
	size_t used;

	if (!setup_read_files(s, &err)) { /* so that options and roles are not read later, in place of what is stored */
		tell(ctx, err.text);
		s->files_read = true;
	}
	parameters = c->parameters ? json_parse(parser, str_from(c->parameters), &used) : NULL;
	if (options_first && s->options->role)
		parameters = NULL; /* it brings its own */
	if (parameters)
		request_context_use_role(&u, json_get_text(parameters, ROLE_MEMBER));
	if (!options_first || !s->options->role)
		request_context_use_target(&u);
	if (options_first && !setup_take_options(s, &err))
		tell(ctx, err.text);
	for (int i = 0; parameters && i < PARAMETER_COUNT; i++)
		request_context_use_parameter(&u, (enum parameter)i, json_get(parameters, parameter_name((enum parameter)i)));
	if ((!options_first || !s->options->role) && !request_context_use_texts(&u, &err))
		tell(ctx, err.text);
	json_parser_free(parser);
}
