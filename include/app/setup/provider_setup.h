/*
 * Setting up a provider: what the user gave for it is tested by fetching its model list, and kept when that came.
 *
 * The test works on a copy of the provider. Until it is good nothing is changed: no file, no setting, no variable. The key is never
 * written but into a file of its own (store/config/keys.h). The form of both modes uses it (app/setup/provider_form.h).
 */
#ifndef WEIR_APP_PROVIDER_SETUP_H
#define WEIR_APP_PROVIDER_SETUP_H

#include "app/setup/model_list.h"

/* How a key is kept. */
enum key_keeping { KEY_IN_FILE, KEY_IN_SESSION, KEY_FROM_COMMAND, KEY_FROM_VARIABLE };
#define KEY_KEEPINGS 4
const char *key_keeping_name(enum key_keeping keeping); /* "in a file", "not at all" */
/* A sentence's worth: "in a file that only you can read (~/.config/weir/keys/openai)". Appended. */
void key_keeping_words(enum key_keeping keeping, struct str provider, struct buf *out);

/* What the user gave. Empty texts: as it is. */
struct provider_wish {
	struct str name;                 /* the provider's */
	bool is_new;                     /* it is added, with these two: */
	const struct protocol *protocol;
	const char *auth;                /* a word of the setting; NULL: the protocol's */
	enum key_keeping keep;
	const char *key;                 /* or the command, or the name of the variable; NULL: as it is */
	struct str base_url;
};

struct provider_setup { /* embedded by the part that asks */
	struct setup *setup;
	void (*ended)(void *ctx);        /* the test is over: provider_setup_keep() says how */
	void *ctx;
	struct provider_wish wish;       /* while a test runs */
	struct { const char *name; char *value; } entries[8]; /* of the provider's settings; value NULL: removed */
	size_t entry_count;
	struct provider *trial;
	struct models *models;           /* NULL: no test runs */
	int64_t began_ms;
};

void provider_setup_init(struct provider_setup *p, struct setup *setup, void (*ended)(void *ctx), void *ctx);
void provider_setup_cancel(struct provider_setup *p); /* forgets what was given; legal at any time */

/* Whether a provider of this name can be added. */
MUST_USE bool provider_setup_takes_name(const struct setup *s, struct str name, struct error *err);
/* Begins a test. Borrows the texts of `wish` until it is kept or cancelled. False with a sentence: what was given cannot work. */
MUST_USE bool provider_setup_begin(struct provider_setup *p, const struct provider_wish *wish, struct error *err);
bool provider_setup_runs(const struct provider_setup *p);

/*
 * After a test: keeps what was given, makes the provider the target and gives its list to `list`. Appends what came ("200, 41 models, 0.3 s").
 * False with a sentence: the test failed, or a file could not be written, and nothing was kept.
 */
MUST_USE bool provider_setup_keep(struct provider_setup *p, struct model_list *list, struct buf *words, struct error *err);

struct loop_member provider_setup_member(struct provider_setup *p);

/* Choosing it opens the form: something is missing that requests need. */
bool provider_wants_setup(const struct provider *p);
/* "from OPENAI_API_KEY: not set". Appended. */
void provider_key_words(const struct provider *p, struct buf *out);

#endif
