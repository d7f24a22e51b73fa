/*
 * The model list of the current target, fetched in the background and kept until the target changes; what is known about a model, from
 * the settings, that list, the model cache (store/files/model_cache.h) and the known models (chat/provider/known_model.h); and texts about
 * providers and models for menus.
 */
#ifndef WEIR_APP_MODEL_LIST_H
#define WEIR_APP_MODEL_LIST_H

#include "chat/exchange/models.h"

struct conversation;
struct turn;

/* Context window and prices of a model. All zero: nothing is known. The words for where they come from are static. */
struct model_terms {
	int64_t context_tokens;
	struct prices prices;
	const char *context_from, *prices_from;
	const struct known_model *known; /* whose context or prices these are; NULL: the user's or the list's */
	bool context_is_rough;           /* it is the known model's */
};

/* The terms of a model, and what they were looked up for. */
struct model_terms_known {
	const struct provider *provider;
	const struct protocol *protocol;
	char *base_url, *model;
	int64_t fetched_ms;
	struct model_terms terms;
};

struct model_list {
	const struct setup *setup;       /* this and the next three are set by the owner */
	void (*fetched)(void *ctx);      /* called after a list has been fetched */
	void (*ran)(void *ctx);          /* called after each run of the loop's member */
	void *ctx;
	struct models *models;           /* NULL until the first model_list_open(). The owner zeroes this and all following members */
	const struct provider *provider; /* provider of `models` */
	const struct protocol *protocol; /* protocol of `models` */
	int64_t kept_ms;                 /* models_fetched_ms() of the list that is in the cache */
	struct model_terms_known known;  /* terms of the target's model */
};

void model_list_fini(struct model_list *l);

/* Makes it the list of the target and starts to fetch it if necessary. False, with a sentence: the target has no list to fetch. */
MUST_USE bool model_list_open(struct model_list *l, struct setup *s, struct error *err);

/* Makes a list the target's that was fetched elsewhere; owns it from now on. */
void model_list_adopt(struct model_list *l, const struct setup *s, struct models *models);

/* The list, if it is the target's; else NULL. */
const struct models *model_list_of_target(const struct model_list *l, const struct setup *s);

bool model_list_has(const struct models *models, const char *id);
/* What is known about the target's model. The first call after the target has changed may read a file. */
const struct model_terms *model_list_terms(struct model_list *l);
/* Sets the prices of an ended answer that has none yet: of the model that it was routed to, else of the one that was asked. */
void model_list_price(const struct model_list *l, struct turn *t);
void model_list_price_all(const struct model_list *l, struct conversation *c); /* the same for all its answers */
/* Keeps a list in the model cache. One that cannot be kept is not; that of the demo never is. */
void model_list_keep(const struct setup *s, const struct provider *p, const struct protocol *protocol, const struct models *models);

/* Appends "sansa, 12 models, fetched 3 min ago", or why there are none. */
void model_list_words(const struct model_list *l, struct buf *out);

/* "ready", "needs a key", "needs a base URL" */
const char *provider_state_words(const struct provider *p);

/* The loop's member that drives the list; `l` must outlive it. */
struct loop_member model_list_member(struct model_list *l);

#endif
