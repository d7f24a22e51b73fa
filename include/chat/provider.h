/*
 * Providers: who is asked, in which protocols, at which URL, with whose key and within which limits.
 *
 * A table of presets (chat/presets.h), merged with the environment (NAME_BASE_URL, the key's variable) and the user's
 * settings (each member is one row of a settings table, so `[provider NAME]` in weir.conf can replace any of them). Base
 * URLs are those of the documents, else they are missing: they are never invented. A base URL from the environment
 * or the settings replaces the preset's for all protocols, so that no key goes where nobody expects it.
 * The key itself is never kept here.
 */
#ifndef WEIR_CHAT_PROVIDER_H
#define WEIR_CHAT_PROVIDER_H

#include "wire/protocol/protocol.h"

struct preset;

#define PROVIDER_PROTOCOLS 5
#define PROVIDER_RETRIES_MOST 10

enum auth {
	AUTH_PROTOCOL, /* as the protocol has it: bearer, x-api-key, x-goog-api-key */
	AUTH_BEARER,
	AUTH_X_API_KEY,
	AUTH_X_GOOG_API_KEY,
	AUTH_API_KEY,
	AUTH_NONE,
};

/* Limits of one request, milliseconds; 0: none. Without a setting 10 s, 120 s, 600 s, 300 s and 5 s. */
struct limits {
	int64_t connect_ms;
	int64_t first_byte_ms;
	int64_t first_byte_whole_ms; /* without streaming */
	int64_t idle_ms;
	int64_t finish_ms;           /* quiet after a finish reason, then the answer is complete */
};

struct provider {
	char *name;
	const struct protocol *protocols[PROVIDER_PROTOCOLS + 1]; /* ends with NULL; the first is the default */
	char *base_url;                                /* NULL: none known */
	char *protocol_base_url[PROVIDER_PROTOCOLS];   /* base_url.PROTOCOL, by protocols[]' index in protocol_at(); NULL: base_url */
	char *path;                                    /* replaces the protocol's tail, "{model}" in it; NULL */
	const struct dialect *dialect;
	enum auth auth;
	char *key_env, *key_command, *key_file;        /* the first that is set counts: command, file, variable */
	bool key_optional;                             /* local servers: no key is no error */
	char *model;                                   /* NULL: the user chooses */
	char **headers;                                /* "Name: value" */
	size_t header_count;
	struct limits limits;
	long long retries;                             /* of a request whose failure may pass; 2 */
	struct sending sending;                        /* the dialect's row, with what the settings change */
	long long max_tokens;
	double temperature;                            /* NAN: not sent */
	enum reasoning_level reasoning;
	char *system;                                  /* NULL: none */
	char *ca_file;
	bool http2;                                    /* HTTP/2 where TLS agrees on it */
	bool allow_http;                               /* a key may go over plain http elsewhere than loopback */
	bool is_preset;

	const struct preset *preset;                   /* NULL: the user's own */
	unsigned derived_base_urls;                    /* bits: protocol_base_url[] that follow from base_url by the preset's rows */
	bool base_url_is_fixed;                        /* NAME_BASE_URL is set: the settings do not change it */

	/* Learnt from refusals, for this run: parameters that the server refused by name. */
	bool refuses_usage_opt_in, refuses_temperature, refuses_max_tokens_field, refuses_reasoning;
	bool refuses_beginning; /* an answer whose beginning is given */
};

struct providers; /* heap: the list in order, presets first, "demo" last */

/* Reads a variable of the environment: getenv, or a test's own. */
typedef const char *environment(const char *name);

struct providers *providers_new(environment *env);  /* the presets, with NAME_BASE_URL and NAME_API_KEY looked at */
void providers_free(struct providers *ps);
size_t providers_count(const struct providers *ps);
struct provider *providers_at(struct providers *ps, size_t index);
struct provider *providers_find(struct providers *ps, struct str name); /* NULL when there is none */
/*
 * A new one, before "demo" in the list: generic, openai-chat, with NAME_BASE_URL and, if it is set, NAME_API_KEY; or the one
 * of that name.
 */
struct provider *providers_add(struct providers *ps, struct str name);

/* Sets a member by its name in weir.conf ("base_url.anthropic", "idle"). False with a sentence that names the value. */
MUST_USE bool provider_set(struct provider *p, struct str name, struct str value, struct error *err);

/* The rows of that table, for the man page; NULL name beyond the last. */
struct provider_setting { const char *name, *fallback, *help; };
struct provider_setting provider_setting_at(size_t index);

bool provider_offers(const struct provider *p, const struct protocol *protocol);
bool provider_is_demo(const struct provider *p);
/* A base URL for all protocols; those that the preset derives from it follow. For the environment, the settings, the demo. */
void provider_set_base_url(struct provider *p, struct str url);
/* The base URL for a protocol; STR_NONE when none is known. */
struct str provider_base_url(const struct provider *p, const struct protocol *protocol);
/* The one to ask: `given` (--base-url) if it is not "", else that; false with a sentence when there is none. */
MUST_USE bool provider_find_base_url(const struct provider *p, const struct protocol *protocol, struct str given,
                                     struct str *base, struct error *err);
/* Whether a key can be had without running anything: the variable is set, the file is readable; a command counts as yes. */
bool provider_has_key(const struct provider *p, environment *env);
/* The variable that gives a base URL: "CHUIZI_BASE_URL". */
void provider_base_url_variable(const struct provider *p, struct buf *out);
/* Where the key is looked for, for people: "the variable CHUIZI_API_KEY", "the file ~/k", "the command pass". */
void provider_key_source(const struct provider *p, struct buf *out);
/* Ready to be asked: a base URL and a key, or none needed. */
bool provider_is_ready(const struct provider *p, environment *env);

/* Calls back with each variable that may hold a key of theirs: those of all presets, and those that the settings name. */
void providers_each_key_variable(const struct providers *ps, void (*call)(const char *name));

/*
 * The one without a choice: `wanted` if not "" (NULL when there is none), else the first preset whose key is in the
 * environment (one that has a base URL before one that lacks it), else demo.
 */
struct provider *providers_default(struct providers *ps, struct str wanted, environment *env);

#endif
