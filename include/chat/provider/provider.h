/*
 * Providers: where requests go, with which protocols, URL, key and limits.
 *
 * The table of presets (chat/provider/presets.h) is merged with the environment (NAME_BASE_URL, the key's variable) and the user's settings. Each
 * member is a row of a settings table, so `[provider NAME]` in weir.conf can replace it. Base URLs come from documentation or are missing;
 * none is guessed. A base URL from the environment or the settings replaces the preset's for all protocols, so that the key is not sent to
 * an unexpected host. The key itself is not stored here.
 */
#ifndef WEIR_CHAT_PROVIDER_H
#define WEIR_CHAT_PROVIDER_H

#include "base/ini.h"
#include "wire/protocol/protocol.h"

struct preset;

#define PROVIDER_RETRIES_MOST 10
#define PROVIDER_NAME_MOST 40

/* How a key is sent: X(ID, the word of the setting, what stands before the key in its header; NULL: no key is sent). */
#define AUTHS(X)                                                     \
	X(BEARER, "bearer", "authorization: Bearer ")                \
	X(X_API_KEY, "x-api-key", "x-api-key: ")                     \
	X(X_GOOG_API_KEY, "x-goog-api-key", "x-goog-api-key: ")      \
	X(API_KEY, "api-key", "api-key: ")                           \
	X(NONE, "none", NULL)

enum auth {
	AUTH_PROTOCOL, /* the protocol's own: bearer, x-api-key, x-goog-api-key */
#define X(upper, word, header) AUTH_##upper,
	AUTHS(X)
#undef X
};

/* Limits of one request in milliseconds; 0: no limit. The defaults are 10 s, 120 s, 600 s, 300 s and 5 s. */
struct limits {
	int64_t connect_ms;
	int64_t first_byte_ms;
	int64_t first_byte_whole_ms; /* if not streaming */
	int64_t idle_ms;
	int64_t finish_ms;           /* silence after a finish reason that completes the answer */
};

struct provider {
	char *name;
	const char *section;                           /* how its section of weir.conf begins: "provider", "mcp" */
	const struct protocol *protocols[PROTOCOL_COUNT + 1]; /* NULL-terminated; the first is the default */
	char *base_url;                                /* NULL: unknown */
	char *protocol_base_url[PROTOCOL_COUNT];   /* base_url.PROTOCOL, indexed as protocols[]; NULL: base_url */
	char *path;                                    /* replaces the protocol's path; may contain "{model}"; NULL: not replaced */
	const struct dialect *dialect;
	enum auth auth;
	char *key_env, *key_command, *key_file;        /* precedence: command, file, variable */
	bool key_optional;                             /* for local servers: a missing key is not an error */
	char *model;                                   /* NULL: chosen by the user */
	char **headers;                                /* "Name: value" */
	size_t header_count;
	struct limits limits;
	long long retries;                             /* maximum for temporary failures; default 2 */
	struct sending sending;                        /* the dialect's row, changed by the settings */
	long long max_tokens;
	double temperature;                            /* NAN: not sent */
	enum reasoning_level reasoning;
	char *system;                                  /* NULL: none */
	char *server_tools[SERVER_CAN_COUNT];         /* server_tool.NAME: a JSON object; NULL: as chat/provider/server_tools.h has it */
	char *ca_file;
	bool http2;                                    /* use HTTP/2 if TLS negotiates it */
	bool allow_http;                               /* a key may be sent over plain http to hosts other than loopback */
	bool is_preset;

	const struct preset *preset;                   /* NULL: defined by the user */
	unsigned derived_base_urls;                    /* bits of protocol_base_url[] that the preset derives from base_url */
	bool base_url_is_fixed;                        /* set by NAME_BASE_URL, which overrides the settings */

	/* Parameters that the server refused by name during this run. */
	bool refuses_usage_opt_in, refuses_temperature, refuses_max_tokens_field, refuses_reasoning;
	bool refuses_beginning; /* giving the beginning of an answer */
};

struct providers; /* heap: in order, presets first, "demo" last */

/* Reads an environment variable: getenv(), or a test's replacement. */
typedef const char *environment(const char *name);

struct providers *providers_new(environment *env);  /* the presets, merged with NAME_BASE_URL and NAME_API_KEY */
void providers_free(struct providers *ps);
size_t providers_count(const struct providers *ps);
struct provider *providers_at(struct providers *ps, size_t index);
struct provider *providers_find(struct providers *ps, struct str name); /* NULL if there is none */
/*
 * Adds a provider before "demo" in the list: generic, openai-chat, with NAME_BASE_URL and NAME_API_KEY if set. Returns an existing one of
 * that name instead.
 */
struct provider *providers_add(struct providers *ps, struct str name);

/* One that belongs to no list, without a URL and a key: what it takes to send requests elsewhere. Heap. `section`: static. */
struct provider *provider_new(struct str name, const char *section);
/* A copy to try settings on, which belongs to no list. Heap. */
struct provider *provider_copy(const struct provider *p);
void provider_free(struct provider *p);
/* Takes all settings of the same provider in a list that was read anew; what the server refused is forgotten. `fresh` has the old ones then. */
void provider_renew(struct provider *p, struct provider *fresh);

/* 1 to PROVIDER_NAME_MOST bytes and no blank, control character, slash or closing bracket. */
bool provider_name_is_good(struct str name);

/* Sets a member by its name in weir.conf ("base_url.anthropic", "idle"). False with an error that names the value. */
MUST_USE bool provider_set(struct provider *p, struct str name, struct str value, struct error *err);

struct ini_help provider_setting_at(size_t index);

bool provider_offers(const struct provider *p, const struct protocol *protocol);
bool provider_is_demo(const struct provider *p);
/* The preset's model. NULL: it has none, or the base URL is that of another server. Borrowed for the program's life. */
const char *provider_preset_model(const struct provider *p);
/*
 * Sets the base URL for all protocols, including those that the preset derives from it. Used for the environment, the settings and the
 * demo.
 */
void provider_set_base_url(struct provider *p, struct str url);
/* The base URL for a protocol; STR_NONE if unknown. */
struct str provider_base_url(const struct provider *p, const struct protocol *protocol);
/* The base URL to use: `given` (--base-url) unless it is "", else provider_base_url(). False with an error if there is none. */
MUST_USE bool provider_find_base_url(const struct provider *p, const struct protocol *protocol, struct str given,
                                     struct str *base, struct error *err);
/* Whether a key is available: the variable is set or the file is readable. A command is not run and counts as available. */
bool provider_has_key(const struct provider *p, environment *env);
/* Appends the name of the variable for the base URL: "CHUIZI_BASE_URL". */
void provider_base_url_variable(const struct provider *p, struct buf *out);
/* Appends the place of the key, for messages: "the variable CHUIZI_API_KEY", "the file ~/k", "the command pass". */
void provider_key_source(const struct provider *p, struct buf *out);
/* Whether requests can be sent: there is a base URL, and a key unless none is needed. */
bool provider_is_ready(const struct provider *p, environment *env);

/* Calls back with each variable that may hold a provider's key: those of all presets and those named in the settings. */
void providers_each_key_variable(const struct providers *ps, void (*call)(const char *name));
bool providers_have_key_variable(const struct providers *ps, struct str name); /* it may hold the key of one */

/*
 * The default provider: `wanted` unless it is "" (NULL if unknown), else the first preset whose key is in the environment (those with a
 * base URL first), else demo.
 */
struct provider *providers_default(struct providers *ps, struct str wanted, environment *env);

#endif
