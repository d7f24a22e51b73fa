#include "chat/provider/provider.h"

#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/mem.h"
#include "chat/provider/presets.h"

#define PROVIDER_TEXT_LIMIT ((size_t)64 << 10)
#define MAX_TOKENS_DEFAULT 8192
#define RETRIES_DEFAULT 2

struct providers {
	environment *env;
	struct provider **items;
	size_t count, capacity;
};

/* --- variables --- */

/* Appends a variable's name: "my-box" and "_API_KEY" give MY_BOX_API_KEY. */
static void add_variable(struct buf *out, struct str name, const char *ending)
{
	for (size_t i = 0; i < name.len; i++) {
		char c = name.ptr[i];
		bool is_lower = c >= 'a' && c <= 'z';
		bool is_fit = (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');

		buf_add_byte(out, (char)(is_lower ? c - 'a' + 'A' : is_fit ? c : '_'));
	}
	buf_add_z(out, ending);
}

void provider_base_url_variable(const struct provider *p, struct buf *out)
{
	add_variable(out, str_from(p->name), "_BASE_URL");
}

/* The value of a variable; STR_NONE if unset or blank. */
static struct str look_up(environment *env, const char *name)
{
	struct str value = name ? str_trim(str_from(env(name))) : STR_NONE;

	return value.len ? value : STR_NONE;
}

/* --- base URLs --- */

static size_t protocol_number(const struct protocol *protocol)
{
	size_t i = 0;

	while (protocol_at(i) && protocol_at(i) != protocol)
		i++;
	return i;
}

static char *derive_base_url(const struct provider *p, const struct preset_base *row)
{
	struct str base = str_from(p->base_url);
	struct buf url;

	if (row->url[0] != '/')
		return str_equal(base, str_from(p->preset->base_url)) ? mem_dup_z(row->url) : NULL;
	while (str_ends(base, "/"))
		base.len--;
	if (str_ends(base, row->url))
		return str_dup(base);
	buf_init(&url, PROVIDER_TEXT_LIMIT);
	buf_add(&url, base);
	buf_add_z(&url, row->url);
	return buf_take(&url);
}

void provider_set_base_url(struct provider *p, struct str url)
{
	const struct preset_base *rows = p->preset ? p->preset->bases : NULL;

	str_replace(&p->base_url, url);
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		if (p->derived_base_urls & 1u << i)
			str_replace(&p->protocol_base_url[i], STR_NONE);
	p->derived_base_urls = 0;
	for (size_t i = 0; rows && i < ARRAY_LEN(p->preset->bases) && rows[i].protocol; i++) {
		size_t number = protocol_number(rows[i].protocol);

		if (p->protocol_base_url[number])
			continue;
		p->protocol_base_url[number] = derive_base_url(p, &rows[i]);
		p->derived_base_urls |= 1u << number;
	}
}

struct str provider_base_url(const struct provider *p, const struct protocol *protocol)
{
	size_t number = protocol_number(protocol);

	if (number < PROTOCOL_COUNT && p->protocol_base_url[number])
		return str_from(p->protocol_base_url[number]);
	return str_from(p->base_url);
}

bool provider_find_base_url(const struct provider *p, const struct protocol *protocol, struct str given, struct str *base,
                            struct error *err)
{
	struct buf variable;

	*base = given.len ? given : provider_base_url(p, protocol);
	if (base->len)
		return true;
	buf_init(&variable, PROVIDER_TEXT_LIMIT);
	provider_base_url_variable(p, &variable);
	error_set(err, "%s has no base URL: set the variable %s, base_url in [provider %s], or --base-url", p->name,
	          buf_z(&variable), p->name);
	buf_fini(&variable);
	return false;
}

static void read_base_url(struct provider *p, environment *env)
{
	struct buf variable;
	struct str url;

	buf_init(&variable, PROVIDER_TEXT_LIMIT);
	provider_base_url_variable(p, &variable);
	url = look_up(env, buf_z(&variable));
	if (!url.ptr && p->key_env && str_ends(str_from(p->key_env), "_API_KEY")) {
		/* AZURE_OPENAI_API_KEY applies only with AZURE_OPENAI_BASE_URL. */
		buf_clear(&variable);
		buf_add(&variable, str_head(str_from(p->key_env), str_from(p->key_env).len - STR("_API_KEY").len));
		buf_add_z(&variable, "_BASE_URL");
		url = look_up(env, buf_z(&variable));
	}
	if (url.ptr) {
		provider_set_base_url(p, url);
		p->base_url_is_fixed = true;
	}
	buf_fini(&variable);
}

/* --- creation --- */

struct provider *provider_new(struct str name, const char *section)
{
	struct provider *p = mem_new(sizeof *p);

	p->name = str_dup(name);
	p->section = section;
	p->dialect = dialect_find(STR("generic"));
	p->sending = p->dialect->sending;
	p->limits = (struct limits){
		.connect_ms = 10000,
		.first_byte_ms = 120000,
		.first_byte_whole_ms = 600000,
		.idle_ms = 300000,
		.finish_ms = 5000,
	};
	p->max_tokens = MAX_TOKENS_DEFAULT;
	p->retries = RETRIES_DEFAULT;
	p->temperature = NAN;
	return p;
}

static struct provider *new_from_preset(const struct preset *preset, environment *env)
{
	struct provider *p = provider_new(str_from(preset->name), "provider");
	bool use_other = preset->key_env_too && !look_up(env, preset->key_env).ptr && look_up(env, preset->key_env_too).ptr;
	struct error err;

	p->preset = preset;
	p->is_preset = true;
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		p->protocols[i] = preset->protocols[i];
	if (preset->dialect)
		p->dialect = dialect_find(str_from(preset->dialect));
	p->sending = p->dialect->sending;
	p->auth = preset->auth;
	for (size_t i = 0; i < ARRAY_LEN(preset->settings) && preset->settings[i].name; i++) {
		bool known = provider_set(p, str_from(preset->settings[i].name), str_from(preset->settings[i].value), &err);

		assert(known); /* preset settings are valid */
		(void)known;
	}
	p->key_env = mem_dup_z(use_other ? preset->key_env_too : preset->key_env);
	p->key_optional = preset->key_optional;
	provider_set_base_url(p, str_from(preset->base_url));
	read_base_url(p, env);
	return p;
}

/* The texts that a provider owns, protocols' base URLs and headers aside. */
static const size_t owned[] = {
	offsetof(struct provider, name), offsetof(struct provider, base_url), offsetof(struct provider, path),
	offsetof(struct provider, key_env), offsetof(struct provider, key_command), offsetof(struct provider, key_file),
	offsetof(struct provider, model), offsetof(struct provider, system), offsetof(struct provider, ca_file),
};

static char **owned_text(struct provider *p, size_t index)
{
	return (char **)((char *)p + owned[index]);
}

struct provider *provider_copy(const struct provider *p)
{
	struct provider *copy = mem_new(sizeof *copy);

	*copy = *p;
	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		*owned_text(copy, i) = mem_dup_z(*owned_text(copy, i));
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		copy->protocol_base_url[i] = mem_dup_z(p->protocol_base_url[i]);
	for (size_t i = 0; i < SERVER_CAN_COUNT; i++)
		copy->server_tools[i] = mem_dup_z(p->server_tools[i]);
	copy->headers = p->header_count ? mem_resize(NULL, p->header_count, sizeof *p->headers) : NULL;
	for (size_t i = 0; i < p->header_count; i++)
		copy->headers[i] = mem_dup_z(p->headers[i]);
	return copy;
}

void provider_renew(struct provider *p, struct provider *fresh)
{
	struct provider old = *p;
	char *name = fresh->name;

	*p = *fresh;
	*fresh = old;
	p->name = old.name; /* others may borrow it */
	fresh->name = name;
}

void provider_free(struct provider *p)
{
	if (!p)
		return;
	for (size_t i = 0; i < ARRAY_LEN(owned); i++)
		mem_free(*owned_text(p, i));
	for (size_t i = 0; i < PROTOCOL_COUNT; i++)
		mem_free(p->protocol_base_url[i]);
	for (size_t i = 0; i < SERVER_CAN_COUNT; i++)
		mem_free(p->server_tools[i]);
	for (size_t i = 0; i < p->header_count; i++)
		mem_free(p->headers[i]);
	mem_free(p->headers);
	mem_free(p);
}

static void insert(struct providers *ps, size_t at, struct provider *p)
{
	mem_reserve(&ps->items, &ps->capacity, ps->count + 1, sizeof *ps->items);
	for (size_t i = ps->count++; i > at; i--)
		ps->items[i] = ps->items[i - 1];
	ps->items[at] = p;
}

struct providers *providers_new(environment *env)
{
	struct providers *ps = mem_new(sizeof *ps);

	ps->env = env;
	for (size_t i = 0; preset_at(i); i++)
		insert(ps, ps->count, new_from_preset(preset_at(i), env));
	return ps;
}

void providers_free(struct providers *ps)
{
	if (!ps)
		return;
	for (size_t i = 0; i < ps->count; i++)
		provider_free(ps->items[i]);
	mem_free(ps->items);
	mem_free(ps);
}

/* --- the list --- */

size_t providers_count(const struct providers *ps)
{
	return ps->count;
}

struct provider *providers_at(struct providers *ps, size_t index)
{
	return index < ps->count ? ps->items[index] : NULL;
}

struct provider *providers_find(struct providers *ps, struct str name)
{
	for (size_t i = 0; i < ps->count; i++)
		if (str_is(name, ps->items[i]->name))
			return ps->items[i];
	return NULL;
}

struct provider *providers_add(struct providers *ps, struct str name)
{
	struct provider *p = providers_find(ps, name);
	struct buf variable;

	if (p)
		return p;
	p = provider_new(name, "provider");
	p->protocols[0] = &protocol_openai_chat;
	buf_init(&variable, PROVIDER_TEXT_LIMIT);
	add_variable(&variable, name, "_API_KEY");
	p->key_env = buf_take(&variable);
	p->key_optional = true;
	read_base_url(p, ps->env);
	insert(ps, ps->count - 1, p);
	return p;
}

#define KEY_VARIABLES 3 /* of a provider */

static void key_variables_of(const struct provider *p, const char *names[KEY_VARIABLES])
{
	names[0] = p->key_env;
	names[1] = p->preset ? p->preset->key_env : NULL;
	names[2] = p->preset ? p->preset->key_env_too : NULL;
}

void providers_each_key_variable(const struct providers *ps, void (*call)(const char *name))
{
	for (size_t i = 0; i < ps->count; i++) {
		const char *names[KEY_VARIABLES];

		key_variables_of(ps->items[i], names);
		for (size_t k = 0; k < KEY_VARIABLES; k++)
			if (names[k])
				call(names[k]);
	}
}

bool providers_have_key_variable(const struct providers *ps, struct str name)
{
	for (size_t i = 0; i < ps->count; i++) {
		const char *names[KEY_VARIABLES];

		key_variables_of(ps->items[i], names);
		for (size_t k = 0; k < KEY_VARIABLES; k++)
			if (names[k] && str_is(name, names[k]))
				return true;
	}
	return false;
}

struct provider *providers_default(struct providers *ps, struct str wanted, environment *env)
{
	struct provider *without_url = NULL;

	if (wanted.len)
		return providers_find(ps, wanted);
	for (size_t i = 0; i < ps->count; i++) {
		struct provider *p = ps->items[i];

		if (!p->is_preset || !look_up(env, p->key_env).ptr)
			continue;
		if (provider_base_url(p, p->protocols[0]).ptr)
			return p;
		if (!without_url)
			without_url = p;
	}
	return without_url ? without_url : ps->items[ps->count - 1];
}

/* --- reads --- */

bool provider_name_is_good(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if ((unsigned char)name.ptr[i] <= ' ' || name.ptr[i] == 0x7F || name.ptr[i] == '/' || name.ptr[i] == ']')
			return false;
	return name.len > 0 && name.len <= PROVIDER_NAME_MOST;
}

bool provider_is_demo(const struct provider *p)
{
	return str_is(str_from(p->name), "demo");
}

const char *provider_preset_model(const struct provider *p)
{
	bool is_elsewhere = p->preset && p->preset->base_url && (!p->base_url || strcmp(p->base_url, p->preset->base_url));

	return p->preset && !is_elsewhere ? p->preset->model : NULL;
}

bool provider_offers(const struct provider *p, const struct protocol *protocol)
{
	for (size_t i = 0; p->protocols[i]; i++)
		if (p->protocols[i] == protocol)
			return true;
	return false;
}

bool provider_has_key(const struct provider *p, environment *env)
{
	char *file;
	bool readable;

	if (p->auth == AUTH_NONE)
		return false;
	if (p->key_command)
		return true;
	if (!p->key_file)
		return look_up(env, p->key_env).ptr != NULL;
	file = str_expand_home(str_from(p->key_file), env("HOME"));
	readable = access(file, R_OK) == 0;
	mem_free(file);
	return readable;
}

/* Of a command only the program is shown: its arguments may be private. */
void provider_key_source(const struct provider *p, struct buf *out)
{
	struct str program = str_trim(str_from(p->key_command));
	struct str rest = program;

	if (p->auth == AUTH_NONE) {
		buf_add_z(out, "nowhere (auth = none)");
	} else if (p->key_command) {
		str_split(&rest, ' ', &program);
		buf_printf(out, "the command %.*s", STR_ARG(program));
	} else if (p->key_file) {
		buf_printf(out, "the file %s", p->key_file);
	} else if (p->key_env) {
		buf_printf(out, "the variable %s", p->key_env);
	} else {
		buf_add_z(out, "nowhere (no key_env, key_file or key_command)");
	}
}

bool provider_is_ready(const struct provider *p, environment *env)
{
	bool needs_key = p->auth != AUTH_NONE && !p->key_optional;

	return provider_base_url(p, p->protocols[0]).ptr && (!needs_key || provider_has_key(p, env));
}
