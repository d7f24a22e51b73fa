/*
 * The model list of the current target, fetched in the background and kept until the target changes; and texts about providers and
 * models for menus.
 */
#ifndef WEIR_APP_MODEL_LIST_H
#define WEIR_APP_MODEL_LIST_H

#include "app/setup.h"
#include "chat/conversation.h"
#include "chat/models.h"

struct model_list {
	void (*ran)(void *ctx);          /* called after each run of the loop's member; set by the owner */
	void *ctx;
	struct models *models;           /* NULL until the first model_list_open(). The owner zeroes this and all following members */
	const struct provider *provider; /* provider of `models` */
	const struct protocol *protocol; /* protocol of `models` */
};

void model_list_fini(struct model_list *l);

/* Makes it the list of the target and starts to fetch it if necessary. False, with a sentence: the target has no list to fetch. */
MUST_USE bool model_list_open(struct model_list *l, struct setup *s, struct error *err);

/* Makes a list the target's that was fetched elsewhere; owns it from now on. */
void model_list_adopt(struct model_list *l, const struct setup *s, struct models *models);

/* The list, if it is the target's; else NULL. */
const struct models *model_list_of_target(const struct model_list *l, const struct setup *s);

bool model_list_has(const struct models *models, const char *id);
/* The entry of a model in the target's list; NULL: there is none. Valid until the list runs. */
const struct model *model_list_find(const struct model_list *l, const struct setup *s, struct str id);
/* Sets the price of answers of the list's provider that have none yet. */
void model_list_price(const struct model_list *l, struct conversation *c);

/* Appends "sansa, 12 models, fetched 3 min ago", or why there are none. */
void model_list_words(const struct model_list *l, struct buf *out);

/* "ready", "needs a key", "needs a base URL" */
const char *provider_state_words(const struct provider *p);

/* The loop's member that drives the list; `l` must outlive it. */
struct loop_member model_list_member(struct model_list *l);

#endif
