/* The role in use: what it sets, and how it is dropped. */
#include <string.h>

#include "app/options/options.h"
#include "app/setup/setup.h"
#include "app/tools/tool_built_in.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/utf8.h"

/* --- names --- */

static void role_refuse_name(const char *what, struct str name, name_at *at, const void *list, struct error *err)
{
	if (at(list, 0))
		names_refuse(what, name, at, list, err);
	else
		error_set(err, "there is no %s '%.*s'; /%s new in the chat makes one, or [%s NAME] in weir.conf", what,
		          STR_ARG(str_head(name, 60)), what, what);
}

const struct role *setup_role_named(const struct setup *s, struct str name, struct error *err)
{
	const struct role *role = roles_find(&s->settings.roles, name);

	if (!role)
		role_refuse_name("role", name, role_name_at, &s->settings.roles, err);
	return role;
}

const struct template *setup_template_named(const struct setup *s, struct str name, struct error *err)
{
	const struct template *template = templates_find(&s->settings.templates, name);

	if (!template)
		role_refuse_name("template", name, template_name_at, &s->settings.templates, err);
	return template;
}

/* --- the target --- */

/* Whether the target is the one that the role in use made, with a state to go back to. */
static bool role_target_stands(const struct setup *s)
{
	const struct target *after = &s->role.after;

	return s->role.has_target && s->target.provider == after->provider && s->target.protocol == after->protocol &&
	       !strcmp(s->target.model, after->model);
}

/* The part of a role's target that counts: all of it, or what no option says. */
struct role_target {
	struct provider *provider;  /* the one that the requests go to */
	const struct protocol *protocol;
	const char *model;
};

/* A role's model and protocol belong to its provider, if it names one. */
static bool role_find_target(const struct setup *s, const struct role *role, bool chosen, struct role_target *target, struct error *err)
{
	const struct options *o = s->options;
	struct error why;

	*target = (struct role_target){ .provider = role_target_stands(s) ? s->role.before.provider : s->target.provider };
	if (role->provider && (chosen || (!o->provider && !o->base_url))) {
		target->provider = providers_find(s->providers, str_from(role->provider));
		if (!target->provider) {
			error_set(&why, "there is no provider '%.60s'; weir providers lists them", role->provider);
			return role_refuse(role, "provider", why.text, err);
		}
	}
	if (role->provider && strcmp(role->provider, target->provider->name) != 0)
		return true;
	target->model = chosen || !o->model ? role->model : NULL;
	target->protocol = chosen || !o->protocol ? role->protocol : NULL;
	if (!target->protocol || provider_offers(target->provider, target->protocol))
		return true;
	error_set(&why, "%s does not offer %s", target->provider->name, target->protocol->name);
	return role_refuse(role, "protocol", why.text, err);
}

static void target_keep(struct target *to, const struct target *from)
{
	char *model = mem_dup_z(from->model);

	mem_free(to->model);
	*to = *from;
	to->model = model;
	to->base_url = NULL;
}

static bool role_set_target(struct setup *s, const struct role_target *target, bool chosen, struct error *err)
{
	bool is_other = target->provider != s->target.provider;

	s->role.has_target = is_other || target->protocol || target->model;
	if (!s->role.has_target)
		return true;
	target_keep(&s->role.before, &s->target);
	if (is_other)
		setup_use_provider(s, target->provider);
	if (target->protocol)
		setup_use_protocol(s, target->protocol);
	if (target->model)
		setup_use_model(s, str_from(target->model));
	if (!chosen && is_other && !setup_take_options(s, err))
		return false;
	target_keep(&s->role.after, &s->target);
	return true;
}

/* Brings back the target from before the role, unless the user has chosen another one since. */
static void role_leave_target(struct setup *s)
{
	const struct target *before = &s->role.before;

	if (!role_target_stands(s))
		return;
	setup_use_provider(s, before->provider);
	setup_use_protocol(s, before->protocol);
	s->target.dialect = before->dialect;
	setup_use_model(s, str_from(before->model));
}

/* --- using one --- */

void setup_drop_role(struct setup *s)
{
	mem_free(s->role.system);
	mem_free(s->role.before.model);
	mem_free(s->role.after.model);
	s->role = (struct role_use){ 0 };
}

/* The role's files are read when the next request needs them, as those of options are; the old role's go with it. */
static bool role_leave_files(struct setup *s, const struct role *old, struct error *err)
{
	tool_set_name(&s->tool_set, NULL);
	bool tools = old->tools && s->tools_from && !strcmp(old->tools, s->tools_from);
	bool schema = old->schema && s->schema_from && !strcmp(old->schema, s->schema_from);

	return (!tools || setup_read_tools(s, s->options->tools, err)) && (!schema || setup_read_schema(s, s->options->schema, err));
}

static void role_leave(struct setup *s)
{
	const struct role *old = s->role.role;
	struct error err;

	role_leave_target(s);
	setup_drop_role(s);
	if (old && !role_leave_files(s, old, &err)) /* the option's file is gone: without it */
		(void)(setup_read_tools(s, NULL, &err) && setup_read_schema(s, NULL, &err));
}

/* What was set in the program goes where the role sets the same. */
static void role_clear_own(struct setup *s, const struct role *role)
{
	if (s->role.system) {
		mem_free(s->system);
		s->system = NULL;
	}
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (parameter_is_set(&role->parameters, (enum parameter)i))
			parameter_copy(&s->parameters, &parameters_unset, (enum parameter)i);
	if (role->tool_names)
		tool_set_forget(&s->tool_set);
}

static const char *known_tool_at(const void *setup, size_t index)
{
	const struct setup *s = setup;
	size_t own = s->settings.tools.count;

	return index < own ? s->settings.tools.items[index].name : tool_built_in_at(index - own) ? tool_built_in_at(index - own)->name : NULL;
}

/* What an MCP server offers is not known yet. */
static bool role_knows_tool(const struct setup *s, struct str name)
{
	bool knows = memchr(name.ptr, '*', name.len);

	for (size_t i = 0; !knows && known_tool_at(s, i); i++)
		knows = str_is(name, known_tool_at(s, i));
	for (size_t i = 0; !knows && i < s->settings.mcp_servers.count; i++)
		knows = tool_is_of_server(name, s->settings.mcp_servers.items[i]->name);
	return knows;
}

/* A name of a tool that is not there would be a tool that is silently missing. */
static bool role_check_names(const struct setup *s, const struct role *role, struct error *err)
{
	struct str names = str_from(role->tool_names), name;
	struct error why;

	while (names.len && str_split(&names, ',', &name))
		if (!role_knows_tool(s, str_trim(name))) {
			names_refuse("tool", str_trim(name), known_tool_at, s, &why);
			return role_refuse(role, "tools", why.text, err);
		}
	return true;
}

static bool role_check_files(const struct setup *s, const struct role *role, bool chosen, struct error *err)
{
	const char *tools = chosen || !s->options->tools ? role->tools : NULL, *schema = chosen || !s->options->schema ? role->schema : NULL;
	struct error why;

	if (!setup_check_files(tools, NULL, &why))
		return role_refuse(role, "tools", why.text, err);
	return setup_check_files(NULL, schema, &why) || role_refuse(role, "schema", why.text, err);
}

static bool role_use(struct setup *s, const struct role *role, bool chosen, struct error *err)
{
	struct role_target target;
	struct buf system;
	bool good;

	buf_init(&system, SETTINGS_TEXT_LIMIT);
	good = role_find_target(s, role, chosen, &target, err) && role_read_system(role, &system, err) &&
	       role_check_files(s, role, chosen, err) && role_check_names(s, role, err);
	if (good) {
		role_leave(s);
		s->role.role = role;
		s->role.chosen = chosen;
		tool_set_name(&s->tool_set, role->tool_names);
		if (role->system || role->system_file)
			s->role.system = str_dup(buf_str(&system));
		good = role_set_target(s, &target, chosen, err);
	}
	buf_fini(&system);
	return good;
}

bool setup_use_role(struct setup *s, const struct role *role, struct error *err)
{
	s->changes++;
	if (!role) {
		role_leave(s);
		return true;
	}
	if (!setup_read_files(s, err) || !role_use(s, role, true, err))
		return false;
	settings_note_origin(&s->settings, "role", SETTING_CHOSEN);
	role_clear_own(s, role);
	bool tools = role->tools || role->tool_names;
	return (!tools || setup_read_tools(s, role->tools, err)) && (!role->schema || setup_read_schema(s, role->schema, err));
}

bool setup_tries_role(const struct setup *s)
{
	return s->role.role && s->role.role == s->tried.items;
}

bool setup_try_role(struct setup *s, struct roles *tried, struct error *err)
{
	struct roles old = s->tried;

	if (!setup_use_role(s, tried->items, err))
		return false;
	s->tried = *tried;
	*tried = (struct roles){ 0 };
	roles_fini(&old);
	return true;
}

bool setup_take_role(struct setup *s, struct error *err)
{
	const char *option = s->options->role, *name = option ? option : s->settings.role;
	struct error why;

	if (!name || !*name || !strcmp(name, ROLE_OFF))
		return true;
	const struct role *role = setup_role_named(s, str_from(name), &why);
	if (!role && option)
		return error_set(err, "%s", why.text);
	if (!role)
		return error_set(err, "%s:%d: role: %s", settings_file(&s->settings), settings_origin(&s->settings, "role").line, why.text);
	if (option)
		settings_note_origin(&s->settings, "role", SETTING_OPTION);
	return role_use(s, role, false, err);
}

bool setup_refresh_role(struct setup *s, struct roles *roles, struct error *err)
{
	const struct role *old = s->role.role, *role = !old ? NULL : setup_tries_role(s) ? old : roles_find(roles, str_from(old->name));
	struct buf system;
	struct roles gone = s->settings.roles;

	buf_init(&system, SETTINGS_TEXT_LIMIT);
	bool good = !role || role_read_system(role, &system, err);
	if (good && role) {
		mem_free(s->role.system);
		s->role.system = role->system || role->system_file ? str_dup(buf_str(&system)) : NULL;
		s->role.role = role;
		tool_set_name(&s->tool_set, role->tool_names);
	} else if (good && old) {
		role_leave(s);
	}
	if (good) {
		s->settings.roles = *roles;
		*roles = gone;
	}
	buf_fini(&system);
	return good;
}

/* --- templates --- */

const struct template *setup_take_template(struct setup *s, struct error *err)
{
	const struct template *t = setup_template_named(s, str_from(s->options->template), err);
	struct error why;

	if (!t)
		return NULL;
	if (t->role && !s->options->role) {
		const struct role *role = setup_role_named(s, str_from(t->role), &why);

		if (!role)
			error_set(err, "%s:%d: template %s: %s", t->file, t->line, t->name, why.text);
		if (!role || !role_use(s, role, false, err))
			return NULL;
	}
	if (t->model && !s->options->model)
		setup_use_model(s, str_from(t->model));
	return t;
}

/* A word with blanks is quoted, so that it stays one. */
void setup_write_template_line(const struct setup *s, struct buf *out)
{
	const struct options *o = s->options;

	buf_printf(out, "template %s", o->template);
	for (size_t i = 0; i < o->argument_count; i++) {
		bool quotes = strchr(o->arguments[i], ' ') && !strchr(o->arguments[i], '"');

		buf_add_z(out, quotes ? " \"" : " ");
		(void)utf8_repair(str_from(o->arguments[i]), out);
		buf_add_z(out, quotes ? "\"" : "");
	}
}
