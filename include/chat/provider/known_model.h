/*
 * Known models: prices and context windows of well-known models, for providers whose own model list does not name them. What comes from
 * here is an estimate, and is shown with "~"; the user's [price PATTERN] and a provider's list win over it.
 *
 * A row stands for the model of its name and for dated snapshots of it, up to the day of the table: "gpt-5.4" for "gpt-5.4-2026-03-05",
 * never for "gpt-5.4-mini" or a snapshot of the next year. Dots and hyphens are the same, as gateways write "claude-sonnet-4.6". At
 * another service than its maker's, an id may begin with the maker's name ("anthropic/claude-sonnet-4-6"), and only models that nobody
 * else runs are known; a server that needs no key and gets none asks nothing, so no model of it is.
 */
#ifndef WEIR_CHAT_KNOWN_MODEL_H
#define WEIR_CHAT_KNOWN_MODEL_H

#include "chat/provider/provider.h"

struct known_model {
	const char *name;
	double input, output, cached, cache_write; /* USD per million tokens; cached, cache_write: 0: that of input */
	int64_t context_tokens, output_tokens;     /* the window, and the most that an answer may have */
	int64_t short_most;                        /* tokens of the longest prompt at these prices; 0: of all */
	double long_input, long_output, long_cached; /* of longer prompts */
};

bool known_model_may_fit(const struct provider *p, environment *env); /* false: its server needs no key and gets none */

/* NULL: no row fits. `*from`, unless NULL, is set to who asks these prices, as in "from ...", static. */
const struct known_model *known_model_find(const struct provider *p, environment *env, struct str base_url, struct str id, const char **from);

/* The models of the maker whose own service has that base URL; NULL behind the last, and at other services. */
const struct known_model *known_model_at(struct str base_url, size_t index);

/* The prices of an answer to a prompt of so many tokens; 0: of short prompts, with the length up to which they hold. */
struct prices known_model_prices(const struct known_model *m, int64_t prompt_tokens);

#endif
