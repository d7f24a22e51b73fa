/*
 * The model list of the present target, fetched in the background and kept until the target changes; and what menus say of
 * providers and models.
 */
#ifndef WEIR_APP_MODEL_LIST_H
#define WEIR_APP_MODEL_LIST_H

#include "app/setup.h"
#include "chat/conversation.h"
#include "chat/models.h"

struct model_list {
	void (*ran)(void *ctx);          /* set by the owner: the member of the loop has run the list */
	void *ctx;
	struct models *models;           /* NULL until the first call; zeroed at birth like what follows */
	const struct provider *provider; /* whose they are */
	const struct protocol *protocol;
};

void model_list_fini(struct model_list *l);

/* Makes it the list of the target; one that is fetched anew is on its way then. False, with a sentence: there is nobody to ask. */
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

/* "sansa, 12 models, fetched 3 min ago", or why there are none. Appended. */
void model_list_words(const struct model_list *l, struct buf *out);

/* "ready", "needs a key", "needs a base URL" */
const char *provider_state_words(const struct provider *p);

/* Drives it; `l` outlives the member. */
struct loop_member model_list_member(struct model_list *l);

#endif
