#include "app/setup/setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/demo/demo.h"
#include "app/options/options.h"
#include "app/setup/server.h"
#include "app/system/output.h"
#include "base/array.h"
#include "base/descriptors.h"
#include "base/mem.h"
#include "base/names.h"
#include "net/tape.h"

#define URL_LIMIT ((size_t)16 << 10)
#define DEMO_DESCRIPTORS 12 /* descriptors of its server and of a request to it */
#define CUSTOM_NAME "custom"

/* --- names --- */

static const char *provider_name_at(const void *setup, size_t index)
{
	const struct setup *s = setup;

	return index < providers_count(s->providers) ? providers_at(s->providers, index)->name : NULL;
}

static struct provider *provider_named(struct setup *s, const char *name, struct error *err)
{
	struct provider *p = providers_find(s->providers, str_from(name));

	if (!p)
		names_refuse("provider", str_from(name), provider_name_at, s, err);
	return p;
}

bool setup_allows_http(const struct setup *s)
{
	return s->options->allow_http;
}

bool setup_keeps(const struct setup *s)
{
	return !s->private && s->settings.history >= s->kept_from;
}

/* --- the target --- */

static const char *const target_names[] = { "provider", "model", "protocol", NULL };

static bool setup_is_target_choice(const char *name)
{
	size_t i = 0;

	while (target_names[i] && strcmp(target_names[i], name))
		i++;
	return target_names[i] != NULL;
}

/*
 * A choice is valid only for the provider it was made for, and in a script only where no option names the provider. STR_NONE: there is no
 * choice for `p`.
 */
static struct str chosen_for(const struct setup *s, const struct provider *p, const char *name)
{
	bool counts = !s->options->base_url && (s->is_chat || !s->options->provider);
	bool is_its = counts && str_is(str_from(choices_get(&s->choices, "provider")), p->name);

	return is_its ? str_from(choices_get(&s->choices, name)) : STR_NONE;
}

static const struct protocol *first_protocol(const struct setup *s, const struct provider *p)
{
	const struct protocol *chosen = protocol_find(chosen_for(s, p, "protocol"));

	return chosen && provider_offers(p, chosen) ? chosen : p->protocols[0];
}

/* "": the user chooses one. A script gets no preset model: its name may change with the next version. */
static const char *preset_model(const struct setup *s, const struct provider *p)
{
	const char *model = s->is_chat && p != s->rebased ? provider_preset_model(p) : NULL;

	return provider_is_demo(p) ? DEMO_MODEL : model ? model : "";
}

/* The top-level model of the settings belongs to their provider. What was chosen goes first, unless an option names the provider. */
static const char *first_model(const struct setup *s, const struct provider *p)
{
	struct str chosen = chosen_for(s, p, "model");
	const char *wanted = s->settings.provider;
	bool is_settings_choice = wanted ? str_is(str_from(wanted), p->name) : !s->options->provider && !s->rebased && !provider_is_demo(p);

	if (chosen.len && !s->options->provider)
		return chosen.ptr;
	if (s->settings.model && is_settings_choice)
		return s->settings.model;
	if (p->model)
		return p->model;
	if (chosen.len)
		return chosen.ptr;
	return preset_model(s, p);
}

void setup_use_provider(struct setup *s, struct provider *p)
{
	s->target.provider = p;
	s->target.protocol = first_protocol(s, p);
	s->target.dialect = p->dialect;
	setup_use_model(s, str_from(first_model(s, p)));
	str_replace(&s->target.base_url, p == s->rebased ? str_from(s->options->base_url) : STR(""));
}

void setup_use_protocol(struct setup *s, const struct protocol *protocol)
{
	s->target.protocol = protocol;
}

void setup_use_model(struct setup *s, struct str model)
{
	str_replace(&s->target.model, model.ptr ? model : STR(""));
}

/* Adds the ad-hoc provider of --base-url: any protocol, and the key from one variable. */
static struct provider *add_custom(struct providers *ps, struct str base_url)
{
	struct provider *p = providers_add(ps, STR(CUSTOM_NAME));

	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		p->protocols[i] = protocol_at(i);
	str_replace(&p->key_env, STR(CUSTOM_KEY));
	p->key_optional = true;
	provider_set_base_url(p, base_url);
	return p;
}

static struct provider *settings_provider(struct setup *s, struct error *err)
{
	struct provider *p = provider_named(s, s->settings.provider, err);

	if (!p)
		error_set(err, "the settings' provider: %s", err->text);
	return p;
}

/* The demo stands in where nothing else was ever chosen: it does not count as a choice. */
static struct provider *remembered_provider(const struct setup *s)
{
	struct provider *p = providers_find(s->providers, str_from(choices_get(&s->choices, "provider")));

	return p && !provider_is_demo(p) ? p : NULL;
}

static struct provider *choose_provider(struct setup *s, struct error *err)
{
	const struct options *o = s->options;
	struct provider *p = remembered_provider(s), *of_settings = NULL;

	if (o->provider)
		return provider_named(s, o->provider, err);
	if (o->base_url)
		return add_custom(s->providers, str_from(o->base_url));
	if (s->settings.provider && !(of_settings = settings_provider(s, err)))
		return NULL;
	if (p)
		settings_note_origin(&s->settings, "provider", SETTING_CHOSEN);
	if (p || of_settings)
		return p ? p : of_settings;
	p = providers_default(s->providers, STR_NONE, process_environment);
	s->unnamed = provider_is_demo(p);
	if (!s->unnamed) /* a provider whose key is in a variable */
		settings_note_origin(&s->settings, "provider", SETTING_ENVIRONMENT);
	return p;
}

bool setup_has_provider(const struct setup *s, struct error *err)
{
	const struct role *role = s->role.role;

	if (!s->unnamed || !provider_is_demo(s->target.provider) || (role && role->provider))
		return true;
	return error_set(err, "no provider is chosen: set one up in `weir` with F4, name one with -p (`weir providers` lists them), or set the "
	                 "variable of its key, such as OPENAI_API_KEY; -p demo answers without a network");
}

static const char *offered_name_at(const void *provider, size_t index)
{
	const struct protocol *protocol = ((const struct provider *)provider)->protocols[index];

	return protocol ? protocol->name : NULL;
}

static bool choose_protocol(struct setup *s, struct error *err)
{
	const struct provider *p = s->target.provider;
	const struct protocol *protocol = protocol_named(s->options->protocol, err);
	struct buf names = { 0 };

	if (!protocol)
		return false;
	setup_use_protocol(s, protocol);
	if (provider_offers(p, protocol))
		return true;
	names_write(offered_name_at, p, &names);
	error_set(err, "%s does not offer %s, only %s", p->name, protocol->name, buf_z(&names));
	buf_fini(&names);
	return false;
}

static bool setup_check_base_url(const struct setup *s, struct error *err)
{
	struct error reason;
	struct buf url;
	bool good;

	buf_init(&url, URL_LIMIT);
	good = protocol_url(s->target.protocol, str_from(s->options->base_url), STR_NONE, STR("m"), true, &url, &reason) ||
	       error_set(err, "--base-url: %s", reason.text);
	buf_fini(&url);
	return good;
}

bool setup_take_options(struct setup *s, struct error *err)
{
	const struct options *o = s->options;

	if (o->protocol && !choose_protocol(s, err))
		return false;
	if (o->dialect && !(s->target.dialect = settings_dialect_named(o->config, o->dialect, err)))
		return false;
	if (o->model)
		setup_use_model(s, str_from(o->model));
	return true;
}

static bool choose_target(struct setup *s, struct error *err)
{
	const struct options *o = s->options;
	struct provider *p = choose_provider(s, err);

	if (!p)
		return false;
	s->rebased = o->base_url ? p : NULL;
	setup_use_provider(s, p);
	return setup_take_options(s, err) && (!o->base_url || setup_check_base_url(s, err));
}

/* Records the origin of values that do not come from the settings file. */
static void note_origins(struct setup *s)
{
	const struct options *o = s->options;
	const struct { const char *name, *value; } options[] = {
		{ "provider", o->provider ? o->provider : o->base_url }, { "model", o->model }, { "theme", o->theme }, { "system", o->system },
	};
	struct str chosen = chosen_for(s, s->target.provider, "model");
	bool is_first = !o->provider || (settings_origin(&s->settings, "model").from == SETTING_DEFAULT && !s->target.provider->model);

	if (is_first && chosen.len && str_is(chosen, s->target.model))
		settings_note_origin(&s->settings, "model", SETTING_CHOSEN);
	for (size_t i = 0; i < ARRAY_LEN(options); i++)
		if (options[i].value)
			settings_note_origin(&s->settings, options[i].name, SETTING_OPTION);
}

/* --- choices --- */

/*
 * Applies the choices that are settings, unless something overrides them. Choices that are no longer valid are ignored. In a script only
 * the target counts.
 */
static void take_choices(struct setup *s)
{
	struct error err;

	choices_read(&s->choices);
	for (size_t i = 0; s->is_chat && choices_name_at(i); i++) {
		const char *name = choices_name_at(i), *value = choices_get(&s->choices, name);

		if (value && !setup_is_target_choice(name) && settings_origin(&s->settings, name).from == SETTING_DEFAULT &&
		    !settings_set(&s->settings, name, str_from(value), SETTING_CHOSEN, &err))
			choices_set(&s->choices, name, STR_NONE);
	}
}

static bool keep_choices(struct setup *s, const char *const *names, struct error *err)
{
	if (!s->remembers || s->told_unkept || choices_keep(&s->choices, names, err))
		return true;
	s->told_unkept = true;
	return false;
}

bool setup_choose(struct setup *s, const char *name, struct str value, struct error *err)
{
	if (!settings_set(&s->settings, name, value, SETTING_CHOSEN, err))
		return false;
	choices_set(&s->choices, name, value);
	return keep_choices(s, (const char *const[]){ name, NULL }, err);
}

bool setup_choose_target(struct setup *s, struct error *err)
{
	settings_note_origin(&s->settings, "provider", SETTING_CHOSEN);
	settings_note_origin(&s->settings, "model", SETTING_CHOSEN);
	if (s->options->base_url) /* this provider exists only with the option */
		return true;
	if (provider_is_demo(s->target.provider) && remembered_provider(s)) /* that one stays for the next start, and for scripts */
		return true;
	choices_set(&s->choices, "provider", str_from(s->target.provider->name));
	choices_set(&s->choices, "model", str_from(s->target.model));
	choices_set(&s->choices, "protocol", str_from(s->target.protocol->name));
	return keep_choices(s, target_names, err);
}

/* Opens the --debug log. TLS session keys are logged for tools if SSLKEYLOGFILE is set. */
static bool open_log(struct setup *s, struct error *err)
{
	const char *keys = getenv("SSLKEYLOGFILE");
	struct error why;

	if (!wire_log_open(&s->log, s->options->debug, err))
		return false;
	return !keys || !*keys || wire_log_keys(s->log, keys, &why) || error_set(err, "SSLKEYLOGFILE: %s", why.text);
}

static bool setup_begin(struct setup *s, const struct options *o, bool is_chat, struct error *err)
{
	bool good;

	*s = (struct setup){ .options = o, .is_chat = is_chat, .kept_from = KEEP_CHAT, .parameters = parameters_unset };
	settings_init(&s->settings);
	s->providers = providers_new(process_environment);
	s->bindings = bindings_new();
	s->http = http_new();
	s->loop = loop_new(s->http);
	setup_note_read(s);
	good = settings_read(&s->settings, s->providers, o->config, err) && bindings_take(s->bindings, &s->settings, &s->note, err) &&
	       (!o->no_history || settings_set(&s->settings, "history", STR("no"), SETTING_OPTION, err));
	if (s->settings.gone.len && !*s->note.text)
		error_set(&s->note, "settings that are gone and have no effect in %s: %s", settings_file(&s->settings), buf_z(&s->settings.gone));
	s->remembers = good && s->settings.remember;
	if (s->remembers)
		take_choices(s);
	good = good && choose_target(s, err);
	if (good)
		note_origins(s);
	good = good && setup_take_role(s, err) && (!o->template || setup_template_named(s, str_from(o->template), err));
	providers_each_key_variable(s->providers, environment_take);
	mcp_servers_each_key_variable(&s->settings.mcp_servers, environment_take);
	environment_take(CUSTOM_KEY);
	s->tool_set.closed = !is_chat;
	s->approvals.keeps = s->remembers;
	tool_set_read(&s->tool_set, &s->settings.tools);
	s->servers = mcp_hub_new(&(struct mcp_hub_options){
		.http = s->http, .loop = s->loop, .env = process_environment, .allow_http = setup_allows_http(s),
	});
	mcp_hub_read(s->servers, &s->settings.mcp_servers);
	good = good && setup_check_variables(s, &s->settings.tools, err) && setup_check_server_variables(s, &s->settings.mcp_servers, err);
	if (good && o->debug)
		good = open_log(s, err);
	http_log_to(s->http, s->log);
	return good;
}

bool setup_init(struct setup *s, const struct options *o, struct error *err)
{
	return setup_begin(s, o, false, err);
}

bool setup_init_chat(struct setup *s, const struct options *o, struct error *err)
{
	return setup_begin(s, o, true, err);
}

void setup_fini(struct setup *s)
{
	struct error err;

	mcp_hub_free(s->servers);
	serve_free(s->demo_server);
	demo_free(s->demo);
	loop_free(s->loop);
	http_free(s->http);
	if (!wire_log_close(s->log, &err))
		complain_leaving("%s", err.text);
	providers_free(s->providers);
	bindings_free(s->bindings);
	settings_fini(&s->settings);
	choices_fini(&s->choices);
	tool_set_fini(&s->tool_set);
	approvals_fini(&s->approvals);
	buf_fini(&s->own_tools);
	buf_fini(&s->tools);
	buf_fini(&s->added);
	buf_fini(&s->extra);
	buf_fini(&s->schema);
	mem_free(s->tools_from);
	mem_free(s->schema_from);
	mem_free(s->system);
	setup_drop_role(s);
	roles_fini(&s->tried);
	mem_free(s->target.model);
	mem_free(s->target.base_url);
	environment_forget();
}

/* --- the demo's server --- */

static bool start_demo(struct setup *s, struct error *err)
{
	if (!s->demo)
		s->demo = demo_new();
	if (!descriptors_ensure(DEMO_DESCRIPTORS, err) ||
	    !serve_open(&s->demo_server, 0, s->demo_speed > 0 ? s->demo_speed : 1.0, demo_choose, s->demo, err))
		return false;
	struct loop_member server = server_member(s->demo_server);
	loop_add(s->loop, &server);
	return true;
}

bool setup_base_url(struct setup *s, struct str *base_url, struct error *err)
{
	if (!*s->target.base_url && provider_is_demo(s->target.provider)) {
		struct buf url;

		if (!s->demo_server && !start_demo(s, err))
			return false;
		buf_init(&url, URL_LIMIT);
		buf_printf(&url, "http://127.0.0.1:%u", serve_port(s->demo_server));
		str_replace(&s->target.base_url, buf_str(&url));
		buf_fini(&url);
	}
	*base_url = str_from(s->target.base_url);
	return true;
}

/* --- the tape --- */

char *setup_tape_path(const struct setup *s, unsigned n)
{
	struct str path = str_from(s->options->tape);
	const char *slash, *dot;
	struct buf out;
	size_t stem = path.len;

	if (!path.ptr || n < 2)
		return mem_dup_z(path.ptr);
	slash = strrchr(path.ptr, '/');
	dot = strrchr(slash ? slash + 1 : path.ptr, '.');
	if (dot && dot != path.ptr && dot[-1] != '/')
		stem = (size_t)(dot - path.ptr);
	buf_init(&out, path.len + 16);
	buf_printf(&out, "%.*s-%u%s", (int)stem, path.ptr, n, path.ptr + stem);
	return buf_take(&out);
}

bool setup_check_tape(const struct setup *s, struct error *err)
{
	const char *path = s->options->tape;
	struct tape_writer *writer;

	if (!path)
		return true;
	if (!tape_writer_open(&writer, path, err))
		return false;
	/* The exchange creates it again, so that an answer that never began leaves no tape. */
	(void)tape_writer_close(writer, NULL);
	return unlink(path) == 0 || error_set(err, "cannot record in %s: %s", path, strerror(errno));
}
