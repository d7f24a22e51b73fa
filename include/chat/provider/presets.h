/*
 * Presets: the gateways and servers that weir knows, one row each. They hold data only: base URLs, variables and departures from the
 * dialect, as documented by the providers. A preset has a model only if its name is an alias that lasts, or documented by the
 * gateway; names go out of use, so nothing may depend on one.
 */
#ifndef WEIR_CHAT_PRESETS_H
#define WEIR_CHAT_PRESETS_H

#include "chat/provider/provider.h"

/* The base URL of one protocol. "/v1" is appended to any base URL; a complete URL applies only with the preset's own base URL. */
struct preset_base {
	const struct protocol *protocol;
	const char *url;
};

struct preset {
	const char *name;
	const struct protocol *protocols[PROTOCOL_COUNT + 1];
	const char *dialect;         /* NULL: generic */
	const char *base_url;        /* NULL: not documented */
	struct preset_base bases[2]; /* for protocols with a different one */
	const char *key_env;         /* NULL: no key is used */
	const char *key_env_too;     /* used if key_env is not set */
	const char *model;           /* a chat model to start with, at the preset's base URL; NULL: none */
	enum auth auth;
	bool key_optional;
	struct { const char *name, *value; } settings[2]; /* as in weir.conf */
};

const struct preset *preset_at(size_t index); /* NULL after the last, which is "demo" */

#endif
