/*
 * Providers: who is asked, in which protocols, at which URL, with whose key and within which limits.
 *
 * A table of presets, merged with the environment (NAME_BASE_URL, the key's variable) and the user's settings (each
 * member is one row of a settings table, so `[provider NAME]` in weir.conf can replace any of them). Base URLs are
 * those of the documents, else they are missing: they are never invented. The key itself is never kept here.
 */
#ifndef WEIR_CHAT_PROVIDER_H
#define WEIR_CHAT_PROVIDER_H

#include "wire/protocol.h"

#define PROVIDER_PROTOCOLS 5

enum auth { AUTH_PROTOCOL /* as the protocol has it: bearer, x-api-key, x-goog-api-key */, AUTH_BEARER, AUTH_X_API_KEY, AUTH_X_GOOG_API_KEY, AUTH_API_KEY, AUTH_NONE };

/* Limits of one request, milliseconds; 0: none. CONTRACT of issue: connect 10 s, first byte 120 s (600 s without streaming), idle 300 s, finish 5 s. */
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
	struct sending sending;                        /* the dialect's row, with what the settings change */
	long long max_tokens;
	double temperature;                            /* NAN: not sent */
	enum reasoning_level reasoning;
	char *system;                                  /* NULL: none */
	char *ca_file;
	bool allow_http;                               /* a key may go over plain http elsewhere than loopback */
	bool is_preset;
	bool needs_base_url_note;                      /* a preset whose document names no URL */

	/* Learnt from refusals, for this run: parameters that the server refused by name. */
	bool refuses_usage_opt_in, refuses_temperature, refuses_max_tokens_field;
};

struct providers; /* heap: the list in order, presets first, "demo" last */

/* Reads a variable of the environment: getenv, or a test's own. */
typedef const char *environment(const char *name);

struct providers *providers_new(environment *env);  /* the presets, with NAME_BASE_URL and NAME_API_KEY looked at */
void providers_free(struct providers *ps);
size_t providers_count(const struct providers *ps);
struct provider *providers_at(struct providers *ps, size_t index);
struct provider *providers_find(struct providers *ps, struct str name); /* NULL when there is none */
struct provider *providers_add(struct providers *ps, struct str name);  /* a new one, generic, openai-chat; or the one of that name */

/* Sets a member by its settings name ("base_url.anthropic", "header.X-Title", "idle"): for weir.conf. False with a sentence that names the value. */
MUST_USE bool provider_set(struct provider *p, struct str name, struct str value, struct error *err);

bool provider_offers(const struct provider *p, const struct protocol *protocol);
/* The base URL for a protocol; STR_NONE when none is known. */
struct str provider_base_url(const struct provider *p, const struct protocol *protocol);
/* Whether a key can be had without running anything: the variable is set, the file is readable; a command counts as yes. */
bool provider_has_key(const struct provider *p, environment *env);
/* Where the key is looked for, for people: "the variable CHUIZI_API_KEY", "the file ~/k", "the command pass". */
void provider_key_source(const struct provider *p, struct buf *out);
/* Ready to be asked: a base URL and a key, or none needed. */
bool provider_is_ready(const struct provider *p, environment *env);

/* The one without a choice: `wanted` if not "", else the first preset whose key is in the environment, else demo. */
struct provider *providers_default(struct providers *ps, struct str wanted, environment *env);

/* A heap-owned member replaced by a copy of `value` (STR_NONE: NULL). */
void provider_replace(char **member, struct str value);

#endif
