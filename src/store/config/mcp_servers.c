#include "store/config/mcp_servers.h"

#include <string.h>

#include "base/array.h"
#include "base/child.h"
#include "base/mem.h"
#include "base/names.h"

#define TIMEOUT_MOST_S 86400

/* --- the table --- */

static bool server_set_command(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	struct error why = { "" };
	char **words = child_shell_words(str_from(entry->value), &why);

	mem_free(words);
	if (!words)
		return error_set(err, "command = %s: it must be a command in words, and %s", entry->value, why.text);
	if (s->url)
		return error_set(err, "an MCP server has command or url, not both");
	str_replace(&s->command, str_from(entry->value));
	return true;
}

bool mcp_url_check(struct str url, struct error *err)
{
	bool secure = str_is_nocase(str_head(url, 8), "https://"), plain = str_is_nocase(str_head(url, 7), "http://");
	struct str rest = str_skip(url, secure ? 8 : 7);
	size_t host = 0;

	if (!secure && !plain)
		return error_set(err, "it must begin with https:// or http://");
	for (size_t i = 0; i < rest.len; i++)
		if ((unsigned char)rest.ptr[i] <= ' ' || rest.ptr[i] == 0x7F)
			return error_set(err, "it has a blank or a control character");
	while (host < rest.len && !strchr("/?#", rest.ptr[host]))
		host++;
	if (str_find(str_head(rest, host), STR("@")) < host)
		return error_set(err, "a user or a password cannot stand in it: use header.NAME or key_env");
	return host || error_set(err, "it names no host");
}

static bool server_set_url(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	struct error why = { "" };

	if (!mcp_url_check(str_from(entry->value), &why))
		return error_set(err, "url: %s", why.text); /* which is not shown: it may hold a key */
	if (s->command)
		return error_set(err, "an MCP server has command or url, not both");
	str_replace(&s->url, str_from(entry->value));
	return true;
}

static bool server_set_timeout(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	long long millionths;

	if (!str_to_millionths(str_from(entry->value), &millionths) || millionths <= 0 || millionths > TIMEOUT_MOST_S * 1000000LL)
		return error_set(err, "timeout = %s: it must be a number of seconds above 0, up to %d", entry->value, TIMEOUT_MOST_S);
	s->timeout_ms = (millionths + 999) / 1000;
	return true;
}

static void names_free(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		mem_free(names[i]);
	mem_free(names);
}

static bool server_set_env(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	struct str rest = str_from(entry->value), name;
	char **names = mem_new((rest.len / 2 + 2) * sizeof *names);
	size_t count = 0;

	while (str_split(&rest, ',', &name)) {
		name = str_trim(name);
		if (!str_is_variable(name)) {
			names_free(names);
			return error_set(err, "env: it must be names of variables, separated by commas, not their values");
		}
		names[count++] = str_dup(name);
	}
	names_free(s->env);
	s->env = names;
	return true;
}

static bool server_set_tools(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	if (str_is_blank(str_from(entry->value)))
		return error_set(err, "tools: it must be patterns of names, separated by commas (* stands for any characters)");
	str_replace(&s->tools, str_from(entry->value));
	return true;
}

static bool server_set_client_id(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	struct str id = str_from(entry->value);

	for (size_t i = 0; i < id.len; i++)
		if ((unsigned char)id.ptr[i] <= ' ' || (unsigned char)id.ptr[i] >= 0x7F)
			return error_set(err, "client_id: it has a blank or a character that is not ASCII");
	str_replace(&s->client_id, id.len ? id : STR_NONE);
	return true;
}

static bool server_set_client_secret(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	if (!str_is_variable(str_from(entry->value)))
		return error_set(err, "client_secret_env: it must be the name of a variable, not the secret");
	str_replace(&s->client_secret_env, str_from(entry->value));
	return true;
}

static const char *approve_at(const void *unused, size_t index)
{
	(void)unused;
	return index <= TOOL_NEVER ? tool_approve_name((enum tool_approve)index) : NULL;
}

static bool server_set_approve(struct mcp_server *s, const struct ini_entry *entry, struct error *err)
{
	for (enum tool_approve approve = TOOL_ASK; approve <= TOOL_NEVER; approve++)
		if (str_is_nocase(str_from(entry->value), tool_approve_name(approve))) {
			s->approve = approve;
			return true;
		}
	return names_refuse_value(STR("approve"), str_from(entry->value), approve_at, NULL, err);
}

bool mcp_server_has_tool(const struct mcp_server *server, const char *tool)
{
	return !server->tools || names_fit(str_from(server->tools), tool);
}

static const struct {
	const char *name;
	bool (*set)(struct mcp_server *s, const struct ini_entry *entry, struct error *err);
	const char *fallback, *help;
} rows[] = {
	{ "command", server_set_command, NULL, "the program that is the server, with its arguments, split as a shell does; no shell runs it" },
	{ "url", server_set_url, NULL, "the address of a server (streamable HTTP), in place of a program" },
	{ "timeout", server_set_timeout, "30",
	  "seconds until a request without an answer has failed; progress extends it to at most ten times that" },
	{ "env", server_set_env, NULL, "names of variables that the program gets, separated by commas, beside a short list (HOME, PATH, LANG ...)" },
	{ "tools", server_set_tools, NULL,
	  "patterns of the names of the tools that a model may call, separated by commas: read_*, list_*; unset, all" },
	{ "approve", server_set_approve, "ask",
	  "whether a call of its tools is asked for: ask, once, always, never, as in [tool NAME]; with never the chat does not start it" },
	{ "client_id", server_set_client_id, NULL,
	  "what the authorization server of a url calls weir (weir mcp login), or the https address of its metadata; unset, weir registers itself" },
	{ "client_secret_env", server_set_client_secret, NULL, "the variable that holds the secret of this client_id, if it has one" },
};

static const char *const shared[] = { "header.", "auth", "key_env", "key_file", "key_command", "connect", "ca_file", "http2", "allow_http" };

struct ini_help mcp_server_setting_at(size_t index)
{
	return index < ARRAY_LEN(rows) ? (struct ini_help){ rows[index].name, rows[index].fallback, rows[index].help }
	                               : (struct ini_help){ 0 };
}

bool mcp_server_shares(const char *name)
{
	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		if (!strcmp(name, shared[i]))
			return true;
	return false;
}

/* --- the list --- */

static void server_init(struct mcp_server *s, struct str name)
{
	*s = (struct mcp_server){ .name = str_dup(name), .timeout_ms = MCP_TIMEOUT_MS, .sending = provider_new(name, "mcp") };
	s->sending->key_optional = true;
}

static void server_fini(struct mcp_server *s)
{
	mem_free(s->name);
	mem_free(s->file);
	mem_free(s->command);
	mem_free(s->url);
	mem_free(s->tools);
	mem_free(s->client_id);
	mem_free(s->client_secret_env);
	names_free(s->env);
	provider_free(s->sending);
	buf_fini(&s->as_written);
}

struct mcp_server *mcp_server_new(struct str name)
{
	struct mcp_server *s = mem_new(sizeof *s);

	server_init(s, name);
	return s;
}

void mcp_server_free(struct mcp_server *s)
{
	if (!s)
		return;
	server_fini(s);
	mem_free(s);
}

void mcp_servers_fini(struct mcp_servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		mcp_server_free(servers->items[i]);
	mem_free(servers->items);
	*servers = (struct mcp_servers){ 0 };
}

static struct mcp_server **server_place(const struct mcp_servers *servers, struct str name)
{
	for (size_t i = 0; i < servers->count; i++)
		if (str_is(name, servers->items[i]->name))
			return &servers->items[i];
	return NULL;
}

const struct mcp_server *mcp_servers_find(const struct mcp_servers *servers, struct str name)
{
	struct mcp_server **place = server_place(servers, name);

	return place ? *place : NULL;
}

void mcp_servers_keep(struct mcp_servers *fresh, struct mcp_servers *old)
{
	for (size_t i = 0; i < fresh->count; i++) {
		struct mcp_server *now = fresh->items[i], **before = server_place(old, str_from(now->name));

		if (!before || !str_equal(buf_str(&now->as_written), buf_str(&(*before)->as_written)))
			continue;
		str_replace(&(*before)->file, str_from(now->file));
		(*before)->line = now->line;
		fresh->items[i] = *before;
		*before = now;
	}
}

const char *mcp_server_name_at(const void *servers, size_t index)
{
	const struct mcp_servers *all = servers;

	return index < all->count ? all->items[index]->name : NULL;
}

void mcp_servers_each_key_variable(const struct mcp_servers *servers, void (*call)(const char *name))
{
	for (size_t i = 0; i < servers->count; i++) {
		if (servers->items[i]->sending->key_env)
			call(servers->items[i]->sending->key_env);
		if (servers->items[i]->client_secret_env)
			call(servers->items[i]->client_secret_env);
	}
}

static struct mcp_server *server_of(struct mcp_servers *servers, struct str name, const struct ini_entry *entry)
{
	struct mcp_server **known = server_place(servers, name);

	if (known)
		return *known;
	struct mcp_server *s = *ARRAY_ADD(servers->items, servers->count, servers->capacity) = mcp_server_new(name);
	s->file = mem_dup_z(entry->file);
	s->line = entry->line;
	return s;
}

static bool is_shared(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(shared); i++)
		if (str_ends(str_from(shared[i]), ".") ? str_starts(name, shared[i]) : str_is(name, shared[i]))
			return true;
	return false;
}

bool mcp_servers_set(struct mcp_servers *servers, struct str name, const struct ini_entry *entry, struct error *err)
{
	if (!provider_name_is_good(name))
		return error_set(err, "[%s]: a server's name has 1 to %d characters and no blank or slash", entry->section, PROVIDER_NAME_MOST);
	struct mcp_server *s = server_of(servers, name, entry);
	buf_printf(&s->as_written, "%s = %s\n", entry->name, entry->value);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (!strcmp(rows[i].name, entry->name))
			return rows[i].set(s, entry, err);
	if (is_shared(str_from(entry->name)))
		return provider_set(s->sending, str_from(entry->name), str_from(entry->value), err);
	return error_set(err, "%s: there is no such setting of an MCP server", entry->name);
}
