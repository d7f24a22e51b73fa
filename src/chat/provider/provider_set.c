#include <stddef.h>
#include <string.h>
#include <strings.h>
#include <strings.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/names.h"
#include "base/redact.h"
#include "chat/provider/server_tools.h"

#define SECONDS_MAX 86400
#define HEADERS_MAX 64

struct word {
	const char *word;
	int value;
};

struct member {
	const char *name;       /* a name that ends in '.' is a prefix: "header.NAME" */
	bool (*set)(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err);
	size_t offset;
	const struct word *words;
	const char *fallback, *help;
};

static const struct word auth_words[] = {
#define X(upper, word, header) { word, AUTH_##upper },
	AUTHS(X) { 0 },
#undef X
};
static const struct word reasoning_words[] = {
#define X(upper, word) { word, REASONING_LEVEL_##upper },
	REASONING_LEVELS(X) { 0 },
#undef X
};
static const struct word max_tokens_words[] = {
	{ "max_tokens", MAX_TOKENS_OLD }, { "max_completion_tokens", MAX_TOKENS_COMPLETION }, { 0 },
};
static const struct word reasoning_field_words[] = {
	{ "reasoning_effort", REASONING_FIELD_EFFORT }, { "reasoning", REASONING_FIELD_OBJECT }, { 0 },
};
static const struct word thinking_words[] = { { "enabled", THINKING_ENABLED }, { "adaptive", THINKING_ADAPTIVE }, { 0 } };

static void *place(struct provider *p, const struct member *m)
{
	return (char *)p + m->offset;
}

/* A value as errors repeat it. Values of key settings are hidden: a user may have written the key itself there. */
static struct str provider_shown(struct str name, struct str value)
{
	return redact_is_telling(name) && !str_starts(name, "max_tokens") ? STR("...") : value;
}

static bool provider_refuse(struct error *err, struct str name, struct str value, const char *wanted)
{
	value = provider_shown(name, value);
	return error_set(err, "%.*s = %.*s: it must be %s", STR_ARG(name), STR_ARG(value), wanted);
}

static bool has_control(struct str text)
{
	for (size_t i = 0; i < text.len; i++)
		if ((unsigned char)text.ptr[i] < 0x20 || text.ptr[i] == 0x7F)
			return true;
	return false;
}

/* --- values --- */

static bool find_word(const struct word *words, struct str value, int *result)
{
	for (; words->word; words++) {
		if (str_is_nocase(value, words->word)) {
			*result = words->value;
			return true;
		}
	}
	return false;
}

static const char *word_at(const void *words, size_t index)
{
	return ((const struct word *)words)[index].word;
}

/* --- setters --- */

static bool provider_set_text(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	(void)name;
	(void)err;
	str_replace(place(p, m), value.len ? value : STR_NONE);
	return true;
}

/* Sets a place of the key, which must not be empty. */
static bool set_key(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	if (value.len)
		p->key_optional = false;
	return provider_set_text(p, m, name, value, err);
}

/* Rejects a key written in place of its variable's name: messages about the variable would show it. */
static bool set_key_env(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	bool is_name = !value.len || !char_is_digit(*value.ptr);

	for (size_t i = 0; i < value.len; i++)
		is_name = is_name && (char_is_word(value.ptr[i]) || value.ptr[i] == '_');
	return is_name ? set_key(p, m, name, value, err)
	               : provider_refuse(err, name, value, "the name of a variable, such as MY_API_KEY, not the key itself");
}

static bool set_word(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	int number;

	if (!find_word(m->words, value, &number))
		return names_refuse_value(name, provider_shown(name, value), word_at, m->words, err);
	memcpy(place(p, m), &number, sizeof number); /* all enums in the table have the size of int */
	return true;
}

static bool set_truth(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	return str_to_bool(value, place(p, m)) || provider_refuse(err, name, value, "yes or no");
}

static bool set_seconds(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	long long millionths;

	if (!str_to_millionths(value, &millionths) || millionths > SECONDS_MAX * 1000000LL)
		return provider_refuse(err, name, value, "a number of seconds from 0 (no limit) to 86400");
	*(int64_t *)place(p, m) = (millionths + 999) / 1000;
	return true;
}

static bool set_count(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	if (!str_to_int(value, place(p, m)))
		return provider_refuse(err, name, value, "a whole number");
	return true;
}

static bool provider_set_retries(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	long long retries;

	(void)m;
	if (!str_to_int(value, &retries) || retries > PROVIDER_RETRIES_MOST)
		return provider_refuse(err, name, value, "a whole number from 0 to 10");
	p->retries = retries;
	return true;
}

static bool provider_set_temperature(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	long long millionths;

	if (!str_to_millionths(value, &millionths))
		return provider_refuse(err, name, value, "a number such as 0.7");
	*(double *)place(p, m) = (double)millionths / 1000000;
	return true;
}

static bool set_protocols(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	const struct protocol *list[PROTOCOL_COUNT + 1] = { NULL };
	size_t count = 0;
	struct str rest = value, item;

	(void)m;
	while (str_split(&rest, ',', &item)) {
		const struct protocol *protocol = protocol_find(str_trim(item));

		if (!protocol)
			return names_refuse("protocol", str_trim(item), protocol_name_at, NULL, err);
		for (size_t i = 0; i < count; i++)
			if (list[i] == protocol)
				return error_set(err, "%.*s = %.*s: %s is named twice", STR_ARG(name), STR_ARG(value), protocol->name);
		list[count++] = protocol;
	}
	if (!count)
		return provider_refuse(err, name, value, "a list of protocols, such as openai-chat, anthropic");
	memcpy(p->protocols, list, sizeof list);
	return true;
}

static bool set_dialect(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	const struct dialect *dialect = dialect_find(value);

	(void)m;
	if (!dialect)
		return names_refuse_value(name, value, dialect_name_at, NULL, err);
	p->dialect = dialect;
	p->sending = dialect->sending;
	return true;
}

/* The message does not repeat the URL, which may contain a password. */
static bool provider_check_base_url(struct str name, struct str value, struct error *err)
{
	struct buf url;
	struct error reason;
	bool good;

	buf_init(&url, (size_t)64 << 10);
	good = protocol_url(&protocol_openai_chat, value, STR_NONE, STR("m"), true, &url, &reason) ||
	       error_set(err, "%.*s: %s", STR_ARG(name), reason.text);
	buf_fini(&url);
	return good;
}

static bool set_base_url(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	(void)m;
	if (!provider_check_base_url(name, value, err))
		return false;
	if (!p->base_url_is_fixed)
		provider_set_base_url(p, value);
	return true;
}

static bool set_protocol_base_url(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	struct str protocol = str_skip(name, strlen(m->name));

	for (size_t i = 0; protocol_at(i); i++) {
		if (!str_is(protocol, protocol_at(i)->name))
			continue;
		if (!provider_check_base_url(name, value, err))
			return false;
		if (p->base_url_is_fixed)
			return true;
		str_replace(&p->protocol_base_url[i], value);
		p->derived_base_urls &= ~(1u << i);
		return true;
	}
	return error_set(err, "%.*s: there is no protocol \"%.*s\"", STR_ARG(name), STR_ARG(protocol));
}

/* --- headers --- */

/* Reserved headers: those of keys, which have settings that keep them out of configuration files, and those set by the transfer. */
static bool is_reserved(struct str header)
{
	static const char *const keys[] = {
#define X(upper, word, header) header,
		AUTHS(X)
#undef X
	};
	static const char *const reserved[] = {
		"proxy-authorization", "cookie",
		"content-length", "content-type", "accept", "accept-encoding", "transfer-encoding", "connection", "host", "expect", "te",
	};

	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i] && header.len && !strncasecmp(keys[i], header.ptr, header.len) && keys[i][header.len] == ':')
			return true;
	return str_is_among_nocase(header, reserved, ARRAY_LEN(reserved));
}

/* The index of a header with this name, or of a new one. */
static size_t find_header(const struct provider *p, struct str header)
{
	size_t at = 0;

	while (at < p->header_count) {
		struct str rest = str_from(p->headers[at]), name;

		str_split(&rest, ':', &name);
		if (name.len == header.len && str_has_nocase(name, header))
			break;
		at++;
	}
	return at;
}

static bool set_header(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	struct str header = str_skip(name, strlen(m->name));
	size_t at = find_header(p, header);
	struct buf line;

	if (!str_is_token(header))
		return error_set(err, "%.*s: that is not a valid header name", STR_ARG(name));
	if (is_reserved(header))
		return error_set(err, "%.*s: this header cannot be set here (for keys: key_env, key_file, key_command and auth)", STR_ARG(name));
	if (has_control(value))
		return error_set(err, "%.*s: the value holds a control character", STR_ARG(name));
	if (at == HEADERS_MAX)
		return error_set(err, "%.*s: more than %d headers", STR_ARG(name), HEADERS_MAX);
	if (at == p->header_count) {
		p->headers = mem_resize(p->headers, at + 1, sizeof *p->headers);
		p->headers[p->header_count++] = NULL;
	}
	buf_init(&line, (size_t)64 << 10);
	buf_printf(&line, "%.*s: %.*s", STR_ARG(header), STR_ARG(value));
	str_replace(&p->headers[at], buf_str(&line));
	buf_fini(&line);
	return true;
}

/* --- server tools --- */

static bool set_server_tool(struct provider *p, const struct member *m, struct str name, struct str value, struct error *err)
{
	struct str tool = str_skip(name, strlen(m->name));

	for (size_t i = 0; i < SERVER_CAN_COUNT; i++) {
		if (!str_is(tool, server_tool_name((enum server_tool)i)))
			continue;
		if (value.len && !server_tool_check(name, value, err))
			return false;
		str_replace(&p->server_tools[i], value.len ? value : STR_NONE);
		return true;
	}
	return names_refuse("server tool", tool, server_tool_name_at, NULL, err);
}

/* --- the table --- */

#define AT(member) .offset = offsetof(struct provider, member)
#define AUTH_LISTED(upper, word, header) word ", "

static const struct member members[] = {
	{ "protocols", set_protocols, .fallback = "openai-chat", .help = "protocols it supports, separated by commas; the first is the default" },
	{ "dialect", set_dialect, .fallback = "generic",
	  .help = "dialect of its protocols; sets the defaults of max_tokens_field to reasoning_back, which may follow" },
	{ "base_url", set_base_url, .help = "base URL, with https://; the variable NAME_BASE_URL overrides it" },
	{ "base_url.", set_protocol_base_url, .help = "base_url.PROTOCOL: a different base URL for one of its protocols" },
	{ "path", provider_set_text, AT(path), .help = "replaces the path that the protocol appends to the base URL; {model} stands for the model" },
	{ "auth", set_word, AT(auth), auth_words, .help = "how the key is sent: " AUTHS(AUTH_LISTED) "or as the protocol does" },
	{ "key_command", set_key, AT(key_command), .help = "a command whose first line of output is the key; no shell, 10 s at most" },
	{ "key_file", set_key, AT(key_file), .help = "a file whose first line is the key; it is refused when others may read it" },
	{ "key_env", set_key_env, AT(key_env), .fallback = "NAME_API_KEY", .help = "the variable that holds the key" },
	{ "model", provider_set_text, AT(model), .help = "the model to use when none is chosen" },
	{ "system", provider_set_text, AT(system), .help = "system prompt" },
	{ "max_tokens", set_count, AT(max_tokens), .fallback = "8192",
	  .help = "maximum tokens of an answer; 0 sends no limit if the protocol allows it" },
	{ "temperature", provider_set_temperature, AT(temperature), .help = "temperature; not sent unless set" },
	{ "reasoning", set_word, AT(reasoning), reasoning_words, .help = "off, low, medium or high; not sent unless set" },
	{ "server_tool.", set_server_tool, .help = "server_tool.NAME: what asks for a server tool, in place of what is listed below: a JSON object, "
	                                           "which is a tool if it has a type, else members of the request" },
	{ "header.", set_header, .help = "header.NAME: a header to send with every request" },
	{ "connect", set_seconds, AT(limits.connect_ms), .fallback = "10", .help = "seconds to connect" },
	{ "first_byte", set_seconds, AT(limits.first_byte_ms), .fallback = "120", .help = "seconds until the first byte of an answer; 0: no limit" },
	{ "first_byte_no_stream", set_seconds, AT(limits.first_byte_whole_ms), .fallback = "600", .help = "the same without streaming" },
	{ "idle", set_seconds, AT(limits.idle_ms), .fallback = "300",
	  .help = "seconds without a byte until an answer counts as stalled; 0: no limit" },
	{ "finish_quiet", set_seconds, AT(limits.finish_ms), .fallback = "5",
	  .help = "seconds of silence after a finish reason, or in a refusal, after which the answer ends; comments count as silence" },
	{ "retries", provider_set_retries, .fallback = "2",
	  .help = "how often to retry a request after a temporary refusal (429, 503 ...) or a failed connection; 0: never" },
	{ "ca_file", provider_set_text, AT(ca_file), .help = "file of certificates to trust instead of SSL_CERT_FILE or the system's; a proxy is "
	                                                     "verified with the latter two only" },
	{ "http2", set_truth, AT(http2), .fallback = "no",
	  .help = "use HTTP/2 if the server supports it; libcurl 7.88 loses the last bytes of an answer whose stream is reset" },
	{ "allow_http", set_truth, AT(allow_http), .fallback = "no", .help = "allow sending the key over plain http to hosts other than loopback" },
	{ "max_tokens_field", set_word, AT(sending.max_tokens_field), max_tokens_words, .help = "openai-chat: max_tokens or max_completion_tokens" },
	{ "usage_opt_in", set_truth, AT(sending.usage_opt_in), .help = "openai-chat: ask for usage with stream_options" },
	{ "reasoning_field", set_word, AT(sending.reasoning_field), reasoning_field_words, .help = "openai-chat: reasoning_effort or reasoning" },
	{ "thinking", set_word, AT(sending.thinking), thinking_words, .fallback = "enabled", .help = "anthropic: enabled or adaptive" },
	{ "reasoning_back", set_truth, AT(sending.reasoning_back), .fallback = "no",
	  .help = "openai-chat: send reasoning_content of earlier turns back" },
};

struct ini_help provider_setting_at(size_t index)
{
	return index < ARRAY_LEN(members) ? (struct ini_help){ members[index].name, members[index].fallback, members[index].help }
	                                  : (struct ini_help){ 0 };
}

bool provider_set(struct provider *p, struct str name, struct str value, struct error *err)
{
	for (size_t i = 0; i < ARRAY_LEN(members); i++) {
		const struct member *m = &members[i];
		bool takes_more = str_ends(str_from(m->name), ".");

		if (takes_more ? str_starts(name, m->name) : str_is(name, m->name))
			return m->set(p, m, name, str_trim(value), err);
	}
	return error_set(err, "%.*s: there is no such setting of a provider", STR_ARG(name));
}
