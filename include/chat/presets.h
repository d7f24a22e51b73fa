/*
 * Presets: the gateways and servers that weir knows, one row each. Data, not code: base URLs, variables and
 * departures from the dialect as the gateways' documents and wire.md give them. A model is never preset.
 */
#ifndef WEIR_CHAT_PRESETS_H
#define WEIR_CHAT_PRESETS_H

#include "chat/provider.h"

/* The base URL of one protocol: "/v1" is put behind whatever the base URL is; a whole URL stands beside the preset's own only. */
struct preset_base {
	const struct protocol *protocol;
	const char *url;
};

struct preset {
	const char *name;
	const struct protocol *protocols[PROVIDER_PROTOCOLS + 1];
	const char *dialect;         /* NULL: generic */
	const char *base_url;        /* NULL: the document names none */
	struct preset_base bases[2]; /* where protocols differ */
	const char *key_env;         /* NULL: no key at all */
	const char *key_env_too;     /* looked at when the first is not set */
	enum auth auth;
	bool key_optional;
	struct { const char *name, *value; } settings[2]; /* as in weir.conf */
};

const struct preset *preset_at(size_t index); /* NULL beyond the last, which is "demo" */

#endif
