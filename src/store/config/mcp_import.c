#include "store/config/mcp_import.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <strings.h>

#include "base/array.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/redact.h"
#include "base/utf8.h"
#include "store/config/settings_edit.h"

#define SHOWN_MOST ((size_t)1 << 20) /* as much as weir.conf holds */
#define WORDS_MOST 500u              /* of a command */
#define SAID_MOST 60                 /* bytes of a foreign name in a sentence */
#define KEY_RUN 20u                  /* letters and digits of what looks like a key, with that many changes between them */
#define KEY_CHANGES 3u

static const char *const known_members[] = {
	"command", "args", "env", "url", "serverUrl", "httpUrl", "headers", "type", "transport", "disabled", "enabled", "description", "name",
};

/* --- the result --- */

static void entries_cut(struct mcp_import *im, size_t count)
{
	while (im->count > count) {
		struct mcp_import_entry *e = &im->entries[--im->count];

		mem_free(e->section);
		mem_free(e->name);
		mem_free(e->value);
	}
}

static void import_add(struct mcp_import *im, const char *name, const char *setting, struct str value)
{
	struct mcp_import_entry *e = ARRAY_ADD(im->entries, im->count, im->capacity);
	struct buf section = { 0 };

	buf_printf(&section, "mcp %s", name);
	*e = (struct mcp_import_entry){ buf_take(&section), mem_dup_z(setting), str_dup(value) };
}

void mcp_import_fini(struct mcp_import *im)
{
	entries_cut(im, 0);
	mem_free(im->entries);
	buf_fini(&im->shown);
}

static void PRINTF_LIKE(2, 3) import_tell(const struct mcp_import *im, const char *format, ...)
{
	struct error sentence = { "" };
	va_list args;

	va_start(args, format);
	vsnprintf(sentence.text, sizeof sentence.text, format, args);
	va_end(args);
	im->tell(sentence.text);
}

/* --- words --- */

static bool is_plain(struct str word)
{
	for (size_t i = 0; i < word.len; i++)
		if (!char_is_word(word.ptr[i]) && (!word.ptr[i] || !strchr("_./:=@,+-%", word.ptr[i])))
			return false;
	return word.len > 0;
}

/*
 * In single quotes, parted behind a blank before what could be taken for a comment: a long value goes on in a new line at any blank, and none
 * stands at both sides of such a place.
 */
void mcp_import_quote(struct str word, struct buf *out)
{
	if (is_plain(word)) {
		buf_add(out, word);
		return;
	}
	buf_add_byte(out, '\'');
	for (size_t i = 0; i < word.len; i++) {
		if (i && word.ptr[i - 1] == ' ' && strchr(" ;#", word.ptr[i]))
			buf_add_z(out, "''");
		if (word.ptr[i] == '\'')
			buf_add_z(out, "'\\''");
		else
			buf_add_byte(out, word.ptr[i]);
	}
	buf_add_byte(out, '\'');
}

static bool has_control(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < ' ' || text.ptr[i] == 0x7F)
			return true;
	return false;
}

/* "${env:NAME}" or "${NAME}"; else empty. */
static struct str variable_named(struct str text)
{
	struct str name = str_starts(text, "${env:") ? str_skip(text, 6) : str_skip(text, 2);

	if (!str_starts(text, "${") || !str_ends(text, "}"))
		return STR_NONE;
	name = str_head(name, name.len - 1);
	return str_is_variable(name) ? name : STR_NONE;
}

/* --- keys --- */

/* A long run in which letters and digits take turns, as no word does. */
static bool looks_random(struct str text)
{
	size_t run = 0, changes = 0;

	for (size_t i = 0; i < text.len; i++) {
		if (!char_is_word(text.ptr[i])) {
			run = changes = 0;
			continue;
		}
		changes += run && char_is_digit(text.ptr[i]) != char_is_digit(text.ptr[i - 1]);
		if (++run >= KEY_RUN && changes >= KEY_CHANGES)
			return true;
	}
	return false;
}

static bool has_key_prefix(struct str text)
{
	static const char *const prefixes[] = {
		"sk-", "sk_", "pk_", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "hf_", "AKIA", "Bearer ",
	};

	for (size_t i = 0; i < ARRAY_LEN(prefixes); i++)
		if (str_starts(text, prefixes[i]))
			return true;
	return false;
}

static bool looks_like_key(struct str text)
{
	return has_key_prefix(text) || (!str_starts(text, "/") && looks_random(text)); /* a path may have a digest in it */
}

/* "--api-key=x", "TOKEN=x", "Authorization: x"; or `before` is "--token". */
static bool argument_is_key(struct str before, struct str word)
{
	size_t at = 0;

	while (at < word.len && (char_is_word(word.ptr[at]) || word.ptr[at] == '-' || word.ptr[at] == '_'))
		at++;
	struct str name = str_head(word, at), value = str_trim(str_skip(word, at + 1));
	bool has_value = value.len && (word.ptr[at] == '=' || word.ptr[at] == ':') && !str_starts(value, "/");

	if (has_value && (redact_is_telling(name) || looks_like_key(value)))
		return true;
	if (str_starts(before, "-") && str_find(before, STR("=")) == before.len && redact_is_telling(before) && !str_starts(word, "-"))
		return true;
	return looks_like_key(word);
}

static bool url_has_key(struct str url)
{
	struct buf shown = { 0 };

	redact_url(url, &shown);
	bool has = !str_equal(buf_str(&shown), url) || looks_random(url);
	buf_fini(&shown);
	return has;
}

/* --- names --- */

static bool name_is_taken(const struct mcp_import *im, const char *name)
{
	for (size_t i = 0; i < im->count; i++)
		if (!strcmp(im->entries[i].section + strlen("mcp "), name))
			return true;
	return false;
}

/* Letters, digits, ". _ -" and what is no ASCII; not blanks, controls and what cannot be seen. */
static bool stays_in_name(uint32_t c)
{
	if (c < 0x80)
		return char_is_word((char)c) || c == '.' || c == '_' || c == '-';
	return c >= 0xC0 && (c < 0x2000 || c > 0x206F) && c != 0x3000 && (c < 0xD800 || c > 0xF8FF) && c != 0xFEFF && (c < 0xFFF0 || c > 0xFFFF) &&
	       c < 0xE0000;
}

/* Others become "-", once. */
static void name_clean(struct str foreign, struct buf *out)
{
	while (foreign.len) {
		struct str rest = foreign;
		bool stays = stays_in_name(utf8_next(&rest));
		struct str piece = stays ? str_head(foreign, foreign.len - rest.len) : STR("-");

		if (out->len + piece.len > PROVIDER_NAME_MOST)
			break;
		if (stays || (out->len && !str_ends(buf_str(out), "-")))
			buf_add(out, piece);
		foreign = rest;
	}
	while (str_starts(buf_str(out), "-"))
		buf_drop(out, 1);
	while (str_ends(buf_str(out), "-"))
		buf_remove(out, out->len - 1, 1);
	if (!out->len)
		buf_add_z(out, "server");
}

/* Two names of the file that have become one are numbered. */
static void name_number(const struct mcp_import *im, struct buf *name)
{
	size_t most = utf8_head(buf_str(name), PROVIDER_NAME_MOST - 4).len, number = 1;
	char *first = str_dup(str_head(buf_str(name), most));

	while (name_is_taken(im, buf_z(name))) {
		buf_clear(name);
		buf_printf(name, "%s-%zu", first, ++number);
	}
	mem_free(first);
}

/* --- a program --- */

static bool import_word(struct str before, struct str word, size_t number, struct buf *command, struct error *err)
{
	const char *what = number ? "an argument" : "its command";

	if (has_control(word))
		return error_set(err, "%s holds a control character", what);
	if (str_find(word, STR("${")) < word.len)
		return error_set(err, "%s holds ${...}, which weir does not replace", what);
	if (number && argument_is_key(before, word))
		return error_set(err, "argument %zu looks like a key: a program gets keys from variables that env names", number);
	if (number)
		buf_add_byte(command, ' ');
	mcp_import_quote(word, command);
	return true;
}

static bool import_command(struct mcp_import *im, const char *name, const struct json *server, struct error *err)
{
	const struct json *args = json_get(server, "args");
	struct str word = json_get_text(server, "command"), before;
	struct buf command = { 0 }, number = { 0 };
	bool good = json_length(args) <= WORDS_MOST || error_set(err, "it has more than %u arguments", WORDS_MOST);

	if (args && json_kind(args) != JSON_ARRAY)
		good = error_set(err, "args is no list");
	good = good && import_word(STR_NONE, word, 0, &command, err);
	for (size_t i = 0; good && i < json_length(args); i++) {
		before = i ? json_text(json_at(args, i - 1)) : STR_NONE;
		good = json_scalar(json_at(args, i), &number, &word) ? import_word(before, word, i + 1, &command, err)
		                                                     : error_set(err, "argument %zu is no text", i + 1);
	}
	if (good)
		import_add(im, name, "command", buf_str(&command));
	buf_fini(&command);
	buf_fini(&number);
	return good;
}

static bool is_key_of_server(const struct mcp_import *im, struct str variable)
{
	for (size_t i = 0; i < im->settings->mcp_servers.count; i++)
		if (str_is(variable, im->settings->mcp_servers.items[i]->sending->key_env))
			return true;
	for (size_t i = 0; i < im->count; i++)
		if (!strcmp(im->entries[i].name, "key_env") && str_is(variable, im->entries[i].value))
			return true;
	return im->is_key(im->ctx, variable);
}

/* The names only: whether a value is a secret cannot be seen. */
static bool import_env(struct mcp_import *im, const char *name, const struct json *env, struct error *err)
{
	struct json_member m = { 0 };
	struct buf names = { 0 };
	bool good = true;

	while (good && json_next(env, &m)) {
		if (!str_is_variable(m.key))
			good = error_set(err, "env has a name that is none of a variable");
		else if (is_key_of_server(im, m.key))
			good = error_set(err, "env names %.*s, which holds a key of weir's: no program gets it", STR_ARG(str_head(m.key, SAID_MOST)));
		else
			buf_printf(&names, "%s%.*s", names.len ? ", " : "", STR_ARG(m.key));
	}
	if (good && names.len) {
		import_add(im, name, "env", buf_str(&names));
		import_tell(im, "%s: no value of env is taken over; weir must be started with %s set", name, buf_z(&names));
	}
	buf_fini(&names);
	return good;
}

/* --- an address --- */

/* A program gets it: it cannot become the variable of a key. */
static bool is_passed(const struct mcp_import *im, struct str variable)
{
	for (size_t i = 0; i < im->settings->mcp_servers.count; i++)
		for (char **v = im->settings->mcp_servers.items[i]->env; v && *v; v++)
			if (str_is(variable, *v))
				return true;
	for (size_t i = 0; i < im->settings->tools.count + im->count; i++) {
		bool is_tool = i < im->settings->tools.count;
		const struct mcp_import_entry *e = is_tool ? NULL : &im->entries[i - im->settings->tools.count];
		const char *env = is_tool ? im->settings->tools.items[i].env : !strcmp(e->name, "env") ? e->value : NULL;
		struct str names = str_from(env), one;

		while (str_split(&names, ',', &one))
			if (str_equal(str_trim(one), variable))
				return true;
	}
	return false;
}

static void import_key(struct mcp_import *im, const char *name, const char *auth, struct str header, struct str value)
{
	struct str named = variable_named(value);
	struct buf variable = { 0 };

	if (named.len && !im->is_key(im->ctx, named) && !is_passed(im, named)) {
		buf_add(&variable, named);
	} else {
		buf_printf(&variable, "MCP_%s_KEY", name);
		for (size_t i = 0; i < variable.len; i++) {
			char c = variable.ptr[i];

			variable.ptr[i] = c >= 'a' && c <= 'z' ? (char)(c - 32) : char_is_word(c) ? c : '_';
		}
		import_tell(im, "%s: the key in the header %.*s is not taken over: weir reads it from the variable %s, or from key_file or "
		            "key_command", name, STR_ARG(str_head(header, SAID_MOST)), buf_z(&variable));
	}
	if (strcmp(auth, "bearer") != 0)
		import_add(im, name, "auth", str_from(auth));
	import_add(im, name, "key_env", buf_str(&variable));
	buf_fini(&variable);
}

/* The word of `auth` that sends a key in this header, and the key. NULL: none does. */
static const char *auth_of(struct str header, struct str value, struct str *key)
{
	static const struct { const char *word, *before; } auths[] = {
#define X(upper, word, header) { word, header },
		AUTHS(X)
#undef X
	};

	for (size_t i = 0; i < ARRAY_LEN(auths) && auths[i].before; i++) {
		size_t colon = strcspn(auths[i].before, ":"), scheme = strlen(auths[i].before) - colon - 2;

		if (header.len != colon || strncasecmp(header.ptr, auths[i].before, colon) != 0)
			continue;
		if (value.len <= scheme || strncasecmp(value.ptr, auths[i].before + colon + 2, scheme) != 0)
			continue;
		*key = str_trim(str_skip(value, scheme));
		return auths[i].word;
	}
	return NULL;
}

static bool import_header(struct mcp_import *im, const char *name, struct str header, struct str value, bool *has_key, struct error *err)
{
	struct str key;
	const char *auth = auth_of(header, value, &key);
	struct buf setting = { 0 };

	if (auth && !*has_key) {
		*has_key = true;
		import_key(im, name, auth, header, key);
		return true;
	}
	if (redact_is_telling(header) || looks_like_key(value))
		return error_set(err, "the header %.*s may hold a key, and weir sends %s", STR_ARG(str_head(header, SAID_MOST)),
		                 *has_key ? "one key only" : "a key as authorization: Bearer, x-api-key, x-goog-api-key or api-key");
	if (str_find(value, STR("${")) < value.len)
		return error_set(err, "the header %.*s holds ${...}, which weir does not replace", STR_ARG(str_head(header, SAID_MOST)));
	buf_printf(&setting, "header.%.*s", STR_ARG(header));
	import_add(im, name, buf_z(&setting), value);
	buf_fini(&setting);
	return true;
}

static bool import_address(struct mcp_import *im, const char *name, struct str url, const struct json *headers, struct error *err)
{
	struct json_member m = { 0 };
	bool good = true, has_key = false;

	if (str_find(url, STR("${")) < url.len)
		return error_set(err, "its address holds ${...}, which weir does not replace");
	if (url_has_key(url))
		return error_set(err, "its address looks as if it held a key");
	import_add(im, name, "url", url);
	while (good && json_next(headers, &m))
		good = import_header(im, name, m.key, str_trim(json_text(m.value)), &has_key, err);
	return good;
}

/* --- a server --- */

/* Takes the entries as the reader of weir.conf would. */
static bool entries_hold(struct mcp_import *im, const char *name, size_t from, struct error *err)
{
	struct settings_change *changes = mem_resize(NULL, im->count - from + 1, sizeof *changes);
	struct mcp_servers scratch = { 0 };
	struct buf text = { 0 };
	struct error why;
	bool good = true;

	for (size_t i = from; good && i < im->count; i++) {
		const struct mcp_import_entry *e = &im->entries[i];
		const struct ini_entry entry = { .file = "weir.conf", .section = e->section, .name = e->name, .value = e->value };

		good = mcp_servers_set(&scratch, str_from(name), &entry, err);
		changes[i - from] = (struct settings_change){ e->section, e->name, str_from(e->value) };
	}
	if (good && !settings_edit_text(STR(""), changes, im->count - from, &text, &why))
		good = error_set(err, "weir.conf cannot hold it: a value there has no \" ;\", and no word longer than 180 bytes");
	if (good && im->shown.len)
		buf_add_byte(&im->shown, '\n');
	if (good && !buf_add(&im->shown, buf_str(&text)))
		good = error_set(err, "weir.conf would become too long");
	mcp_servers_fini(&scratch);
	mem_free(changes);
	buf_fini(&text);
	return good;
}

static bool import_parts(struct mcp_import *im, const char *name, const struct json *server, struct error *err)
{
	static const char *const remote[] = { "http", "sse", "streamable-http", "streamableHttp", "streamable_http" };
	static const char *const addresses[] = { "url", "serverUrl", "httpUrl" };
	struct str url = STR_NONE, type = json_get_text(server, json_get(server, "type") ? "type" : "transport");
	bool is_remote = str_is_among(type, remote, ARRAY_LEN(remote)), has_command = json_has_text(json_get(server, "command"));

	for (size_t i = 0; !url.len && i < ARRAY_LEN(addresses); i++)
		url = json_get_text(server, addresses[i]);
	if (type.len && !is_remote && !str_is(type, "stdio"))
		return error_set(err, "weir does not know its type \"%.*s\"", STR_ARG(str_head(type, SAID_MOST)));
	if (url.len && has_command && !type.len)
		return error_set(err, "it has a command and an address, and no type");
	if (url.len && (is_remote || !has_command))
		return import_address(im, name, url, json_get(server, "headers"), err);
	if (!has_command || is_remote)
		return error_set(err, "it has no %s", is_remote ? "address" : "command and no address");
	return import_command(im, name, server, err) && import_env(im, name, json_get(server, "env"), err);
}

static void tell_left(const struct mcp_import *im, const char *name, const struct json *server)
{
	struct json_member m = { 0 };
	struct buf left = { 0 };

	while (left.len < 200 && json_next(server, &m))
		if (!str_is_among(m.key, known_members, ARRAY_LEN(known_members)))
			buf_printf(&left, "%s%.*s", left.len ? ", " : "", STR_ARG(str_head(m.key, SAID_MOST)));
	if (left.len)
		import_tell(im, "%s: left out: %s", name, buf_z(&left));
	buf_fini(&left);
}

static bool is_off(const struct json *server)
{
	bool off = false, on = true;

	json_flag(json_get(server, "disabled"), &off);
	json_flag(json_get(server, "enabled"), &on);
	return off || !on;
}

static void import_server(struct mcp_import *im, struct str foreign, const struct json *server)
{
	size_t from = im->count;
	struct error err = { "" };
	struct buf name = { 0 };

	name_clean(foreign, &name);
	name_number(im, &name);
	if (mcp_servers_find(&im->settings->mcp_servers, buf_str(&name))) {
		import_tell(im, "%s: weir.conf has [mcp %s] already; it stays as it is", buf_z(&name), buf_z(&name));
	} else if (is_off(server)) {
		import_tell(im, "%s is switched off there; it is left out", buf_z(&name));
	} else if (import_parts(im, buf_z(&name), server, &err) && entries_hold(im, buf_z(&name), from, &err)) {
		im->servers++;
		if (!str_equal(buf_str(&name), foreign))
			import_tell(im, "\"%.*s\" is named %s: weir.conf cannot hold that name, or has another of it",
			            STR_ARG(utf8_head(foreign, SAID_MOST)), buf_z(&name));
		tell_left(im, buf_z(&name), server);
	} else {
		im->refused++;
		entries_cut(im, from);
		import_tell(im, "%s is not taken over: %s", buf_z(&name), err.text);
	}
	buf_fini(&name);
}

/* --- the file --- */

static size_t comment_length(struct str rest)
{
	size_t end = str_starts(rest, "//") ? str_find(rest, STR("\n")) : str_starts(rest, "/*") ? str_find(rest, STR("*/")) + 2 : 0;

	return end < rest.len ? end : rest.len;
}

/* Blanks comments, and a comma before a bracket. */
static void import_blank(struct buf *json)
{
	char *comma = NULL;

	for (size_t i = 0; i < json->len; i++) {
		char *c = json->ptr + i;
		size_t length = comment_length(str_skip(buf_str(json), i));

		if (length) {
			memset(c, ' ', length);
			i += length - 1;
		} else if (*c == '"') {
			for (i++; i < json->len && json->ptr[i] != '"'; i++)
				i += json->ptr[i] == '\\';
			comma = NULL;
		} else if (comma && (*c == '}' || *c == ']')) {
			*comma = ' ';
			comma = NULL;
		} else if (!char_is_blank(*c)) {
			comma = *c == ',' ? c : NULL;
		}
	}
}

bool mcp_import_read(struct mcp_import *im, struct buf *json, struct error *err)
{
	static const char *const places[] = { "mcpServers", "servers", "mcp.servers" };
	struct json_parser *parser = json_parser_new();
	const struct json *all, *servers = NULL;
	struct json_member m = { 0 };
	size_t used = 0, count = 0;
	bool good = true;

	if (str_starts(buf_str(json), "\xEF\xBB\xBF"))
		buf_drop(json, 3);
	import_blank(json);
	buf_init(&im->shown, SHOWN_MOST);
	all = json_parse(parser, buf_str(json), &used);
	for (size_t i = 0; !servers && i < ARRAY_LEN(places); i++)
		servers = json_kind(json_find(all, places[i])) == JSON_OBJECT ? json_find(all, places[i]) : NULL;
	if (!all || used < json->len)
		good = error_set(err, "it is no JSON, at byte %zu", used);
	else if (!servers)
		good = error_set(err, "it has no servers: neither mcpServers nor servers");
	while (good && json_next(servers, &m))
		if (++count > MCP_IMPORT_SERVERS)
			good = error_set(err, "it has more than %u servers", MCP_IMPORT_SERVERS);
		else
			import_server(im, m.key, m.value);
	json_parser_free(parser);
	return good;
}
