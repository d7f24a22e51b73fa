/* What requests carry besides turns: tools, schema, system prompt and parameters (setup.h). */
#include "app/options/options.h"
#include "app/setup/setup.h"

#include "app/system/signals.h"
#include "base/array.h"
#include "base/json_scan.h"
#include "base/mem.h"
#include "base/regular_file.h"
#include "chat/provider/server_tools.h"
#include "chat/provider/tool_definitions.h"
#include "wire/media.h"

#define FILE_LIMIT ((size_t)4 << 20)

/* --- tools and schema --- */

/* Checks a value, and may replace its text and the number of its elements. */
typedef bool json_check(const struct json *value, const char *path, struct buf *text, size_t *length, struct error *err);

static bool tools_are_nested(const struct json *value)
{
	bool nested = json_kind(value) == JSON_ARRAY;

	for (size_t i = 0; nested && i < json_length(value); i++)
		nested = json_get_text(json_get(json_at(value, i), "function"), "name").len > 0;
	return nested;
}

/* A text in OpenAI's shape stays as it is, with members that only its server knows. */
static bool check_tools(const struct json *value, const char *path, struct buf *text, size_t *length, struct error *err)
{
	struct buf read;

	if (tools_are_nested(value))
		return true;
	buf_init(&read, FILE_LIMIT);
	if (!tool_definitions_read(value, path, &read, length, err)) {
		buf_fini(&read);
		return false;
	}
	buf_fini(text);
	*text = read;
	return true;
}

static bool check_schema(const struct json *value, const char *path, struct buf *text, size_t *length, struct error *err)
{
	(void)text, (void)length;
	if (json_kind(value) != JSON_OBJECT)
		return error_set(err, "%s: a JSON Schema is a JSON object", path);
	return true;
}

/* Replaces what is in `out` by a text that is valid JSON and passes `check`; on false nothing changed. Takes the text in both cases. */
static bool take_json(struct buf *out, size_t *length, struct buf *text, const char *name, json_check *check, struct error *err)
{
	struct json_parser *parser = json_parser_new();
	size_t used, count = 0;
	bool good = json_scan_is_whole(buf_str(text)) || error_set(err, "%s is not valid JSON", name);

	if (good) {
		const struct json *value = json_parse(parser, buf_str(text), &used);

		count = json_length(value);
		good = check(value, name, text, &count, err);
	}
	if (good) {
		*length = count;
		buf_fini(out);
		*out = *text;
	} else {
		buf_fini(text);
	}
	json_parser_free(parser);
	return good;
}

/* The same with the content of a file. */
static bool read_json_file(struct buf *out, size_t *length, const char *path, json_check *check, struct error *err)
{
	struct buf text;
	bool good;

	buf_init(&text, FILE_LIMIT);
	good = regular_file_read(&text, path, err);
	if (good)
		good = take_json(out, length, &text, path, check, err);
	else
		buf_fini(&text);
	return good;
}

static bool take_file(struct setup *s, struct buf *out, char **from, size_t *length, const char *path, json_check *check, struct error *err)
{
	if (path && !read_json_file(out, length, path, check, err))
		return false;
	if (!path) {
		buf_clear(out);
		*length = 0;
	}
	str_replace(from, str_from(path));
	s->changes++;
	return true;
}

bool setup_read_tools(struct setup *s, const char *path, struct error *err)
{
	return take_file(s, &s->tools, &s->tools_from, &s->tool_count, path, check_tools, err);
}

bool setup_read_schema(struct setup *s, const char *path, struct error *err)
{
	size_t members;

	return take_file(s, &s->schema, &s->schema_from, &members, path, check_schema, err);
}

static bool use_json(struct setup *s, struct buf *out, char **from, size_t *length, struct str json, const char *name, json_check *check,
                     struct error *err)
{
	struct buf text;

	buf_init(&text, FILE_LIMIT);
	if (!buf_add(&text, json))
		return error_set(err, "%s: at most %zu MB are read", name, FILE_LIMIT >> 20);
	if (!take_json(out, length, &text, name, check, err))
		return false;
	str_replace(from, str_from(name));
	s->changes++;
	return true;
}

bool setup_use_tools(struct setup *s, struct str json, const char *name, struct error *err)
{
	return use_json(s, &s->tools, &s->tools_from, &s->tool_count, json, name, check_tools, err);
}

bool setup_use_schema(struct setup *s, struct str json, const char *name, struct error *err)
{
	size_t members;

	return use_json(s, &s->schema, &s->schema_from, &members, json, name, check_schema, err);
}

bool setup_check_files(const char *tools, const char *schema, struct error *err)
{
	struct buf text = { 0 };
	size_t length;
	bool good = (!tools || read_json_file(&text, &length, tools, check_tools, err)) &&
	            (!schema || read_json_file(&text, &length, schema, check_schema, err));

	buf_fini(&text);
	return good;
}

/* The file that counts: of the role, unless an option goes before it. */
static const char *file_of(const struct setup *s, const char *option, const char *role)
{
	return (s->role.chosen && role) || !option ? role : option;
}

static const char *tools_of(const struct setup *s)
{
	return file_of(s, s->options->tools, s->role.role ? s->role.role->tools : NULL);
}

static const char *schema_of(const struct setup *s)
{
	return file_of(s, s->options->schema, s->role.role ? s->role.role->schema : NULL);
}

bool setup_read_files(struct setup *s, struct error *err)
{
	const char *tools = tools_of(s), *schema = schema_of(s);

	if (s->files_read)
		return true;
	s->files_read = (!tools || setup_read_tools(s, tools, err)) && (!schema || setup_read_schema(s, schema, err));
	return s->files_read;
}

/* --- system prompt and parameters --- */

void setup_use_system(struct setup *s, struct str text)
{
	str_replace(&s->system, text.len ? text : STR(""));
	s->changes++;
}

void setup_use_parameters(struct setup *s, const struct parameters *parameters)
{
	s->parameters = *parameters;
	s->changes++;
}

/* A role is asked before options if it was chosen in the program, else after them. */
struct str setup_system(const struct setup *s)
{
	const char *role = s->role.role ? s->role.system : NULL;
	const char *const texts[] = {
		s->system, s->role.chosen ? role : NULL, s->options->system, role, s->target.provider->system, s->settings.system,
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (texts[i])
			return str_from(texts[i]);
	return STR_NONE;
}

struct parameters setup_option_parameters(const struct options *o)
{
	struct parameters given = o->parameters;

	given.temperature = o->temperature;
	given.max_tokens = o->max_tokens;
	given.reasoning = o->reasoning;
	given.server_tools = o->server_tools;
	return given;
}

enum parameter_from setup_parameter(const struct setup *s, enum parameter which, struct parameters *value)
{
	const struct options *o = s->options;
	const struct provider *p = s->target.provider;
	const struct parameters option = setup_option_parameters(o),
	                        provider = { .temperature = p->temperature, .max_tokens = p->max_tokens, .reasoning = p->reasoning };
	const struct parameters *role = s->role.role ? &s->role.role->parameters : &parameters_unset;
	const struct { const struct parameters *values; enum parameter_from from; } order[] = {
		{ &s->parameters, PARAMETER_FROM_USER }, { s->role.chosen ? role : &parameters_unset, PARAMETER_FROM_ROLE },
		{ &option, PARAMETER_FROM_OPTION }, { role, PARAMETER_FROM_ROLE }, { &provider, PARAMETER_FROM_PROVIDER },
	};

	for (size_t i = 0; i < ARRAY_LEN(order); i++) {
		if (!parameter_is_set(order[i].values, which))
			continue;
		parameter_copy(value, order[i].values, which);
		return order[i].from;
	}
	parameter_copy(value, &parameters_unset, which);
	return PARAMETER_FROM_NOWHERE;
}

void setup_all_parameters(const struct setup *s, struct parameters *all)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		(void)setup_parameter(s, (enum parameter)i, all);
}

enum reasoning_level setup_reasoning(const struct setup *s)
{
	struct parameters value;

	(void)setup_parameter(s, PARAMETER_REASONING, &value);
	return value.reasoning;
}

void setup_want_servers(struct setup *s)
{
	struct mcp_hub_server server;

	for (size_t i = 0; !s->tool_set.closed && (server = mcp_hub_at(s->servers, i)).server; i++)
		if (server.server->approve != TOOL_NEVER && tool_set_may_have(&s->tool_set, server.server->name))
			mcp_hub_want(s->servers, i, false);
}

bool setup_find_server(const struct setup *s, struct str word, size_t *index, struct str *rest)
{
	const struct mcp_servers *servers = &s->settings.mcp_servers;
	struct str name = str_head(word, str_find(word, STR(":")));

	*rest = str_skip(word, name.len + 1);
	for (*index = 0; name.len < word.len && *index < servers->count; ++*index)
		if (str_is(name, servers->items[*index]->name))
			return true;
	return false;
}

bool setup_servers_hold(const struct setup *s, struct buf *names)
{
	return mcp_hub_holds(s->servers, names);
}

bool setup_settle_servers(struct setup *s, struct error *err)
{
	bool stopped = false;
	struct signals_listener listener = { .take = signals_take_end, .ctx = &stopped };
	struct loop_member signals = signals_member(&listener);

	loop_add(s->loop, &signals);
	while (mcp_hub_waits(s->servers) && !stopped)
		loop_turn(s->loop);
	loop_remove(s->loop, &listener);
	(void)setup_tool_set(s);
	return !stopped || error_set(err, "stopped while MCP servers were asked for their tools");
}

bool setup_tell_servers(struct setup *s, struct error *sentence)
{
	return mcp_hub_tell(s->servers, sentence);
}

struct str setup_tools(struct setup *s)
{
	buf_clear(&s->own_tools);
	tool_set_merge(setup_tool_set(s), s->tools.len ? buf_str(&s->tools) : STR_NONE, &s->own_tools);
	return s->own_tools.len ? buf_str(&s->own_tools) : STR_NONE;
}

struct tool_set *setup_tool_set(struct setup *s)
{
	if (s->servers_seen != mcp_hub_changes(s->servers)) {
		s->servers_seen = mcp_hub_changes(s->servers);
		tool_set_take_servers(&s->tool_set, s->servers);
		s->changes++;
	}
	s->tool_set.is_demo = provider_is_demo(s->target.provider);
	s->tool_set.media_bytes = s->settings.media_mb ? (size_t)s->settings.media_mb << 20 : MEDIA_BYTES_DEFAULT;
	return &s->tool_set;
}

/* One of a file, whose calls the user answers. */
static bool setup_defines_tool(const struct setup *s, struct str name)
{
	struct str key, item;

	for (struct json_spans spans = json_spans_of(buf_str(&s->tools)); s->tools.len && json_spans_next(&spans, &key, &item);) {
		struct str has = json_scan_find(item, (const char *const[]){ "function", "name", NULL });

		if (has.len > 2 && str_equal(str_head(str_skip(has, 1), has.len - 2), name))
			return true;
	}
	return false;
}

bool setup_offers_tool(struct setup *s, struct str name)
{
	const struct tool *own = tool_set_find(setup_tool_set(s), name);

	return (own && tool_is_offered(&s->tool_set, own)) || setup_defines_tool(s, name);
}

unsigned setup_tool_count(const struct setup *s)
{
	return (unsigned)(s->tool_count + tool_set_offered(&s->tool_set));
}

bool setup_has_tools(const struct setup *s)
{
	return s->tools.len || (!s->files_read && tools_of(s)) || tool_set_has_own(&s->tool_set);
}

bool setup_is_key_variable(const struct setup *s, struct str name)
{
	return providers_have_key_variable(s->providers, name) || str_is(name, CUSTOM_KEY) || environment_has_taken(name);
}

bool setup_check_server_variables(const struct setup *s, const struct mcp_servers *servers, struct error *err)
{
	for (size_t i = 0; i < servers->count; i++) {
		const struct mcp_server *server = servers->items[i];

		for (size_t k = 0; server->env && server->env[k]; k++)
			if (setup_is_key_variable(s, str_from(server->env[k])))
				return error_set(err, "%s:%d: [mcp %s]: env names %s, which holds a key: no program gets it", server->file,
				                 server->line, server->name, server->env[k]);
	}
	return true;
}

bool setup_check_variables(const struct setup *s, const struct tool_sections *tools, struct error *err)
{
	for (size_t i = 0; i < tools->count; i++) {
		struct str names = str_from(tools->items[i].env), name;

		while (tool_section_next_variable(&names, &name))
			if (setup_is_key_variable(s, name))
				return tool_section_refuse(&tools->items[i], "env", "it names a variable that holds the key of a provider", err);
	}
	return true;
}

bool setup_has_schema(const struct setup *s)
{
	return s->schema.len || (!s->files_read && schema_of(s));
}

/* --- server tools --- */

static struct server_place place_of(const struct setup *s)
{
	const struct target *target = &s->target;

	return (struct server_place){
		.provider = target->provider, .protocol = target->protocol, .dialect = target->dialect, .model = str_from(target->model),
	};
}

unsigned setup_server_tools(const struct setup *s)
{
	struct parameters value;

	(void)setup_parameter(s, PARAMETER_SERVER_TOOLS, &value);
	return value.server_tools & ~SERVER_TOOLS_OFF;
}

bool setup_check_server_tools(const struct setup *s, unsigned tools, struct error *err)
{
	const struct server_place place = place_of(s);
	struct buf added = { 0 };
	bool good = server_tools_ask(&place, tools, &added, err);

	buf_fini(&added);
	return good;
}

unsigned setup_offered_server_tools(const struct setup *s)
{
	const struct server_place place = place_of(s);

	return server_tools_at(&place);
}

static bool setup_ask_server_tools(struct setup *s, struct request *request, struct error *err)
{
	const struct server_place place = place_of(s);

	buf_clear(&s->added);
	request->server_tools = setup_server_tools(s);
	if (!server_tools_ask(&place, request->server_tools, &s->added, err))
		return false;
	request->added = s->added.len ? buf_str(&s->added) : STR_NONE;
	return true;
}

/* --- the request --- */

bool setup_request(struct setup *s, struct request *request, struct error *err)
{
	struct parameters all;

	if (!setup_read_files(s, err) || !setup_ask_server_tools(s, request, err))
		return false;
	setup_all_parameters(s, &all);
	buf_clear(&s->extra);
	parameters_write_extra(&all, s->target.protocol, &s->extra);
	request->extra = s->extra.len ? buf_str(&s->extra) : STR_NONE;
	request->thinking_budget = parameters_thinking_budget(&all, s->target.protocol);
	request->model = str_from(s->target.model);
	request->system = setup_system(s);
	setup_want_servers(s);
	request->tools = setup_tools(s);
	request->schema = s->schema.len ? buf_str(&s->schema) : STR_NONE;
	request->max_tokens = all.max_tokens;
	request->temperature = all.temperature;
	request->top_p = all.top_p;
	request->reasoning = all.reasoning;
	request->stream = !s->options->no_stream;
	return true;
}

long long setup_max_tokens(const struct setup *s)
{
	struct parameters value;

	(void)setup_parameter(s, PARAMETER_MAX_TOKENS, &value);
	return value.max_tokens;
}

unsigned setup_retries(const struct setup *s)
{
	return (unsigned)(s->options->retries >= 0 ? s->options->retries : s->target.provider->retries);
}
