/*
 * Targets of a comparison: `provider/model[:protocol][:level]`, separated by commas. A model may have colons of its own ("qwen3:4b"): only
 * the names of protocols and of reasoning levels behind it are taken as such. Without a model, it is the provider's default model.
 */
#ifndef WEIR_APP_COMPARE_TARGETS_H
#define WEIR_APP_COMPARE_TARGETS_H

#include "base/error.h"
#include "base/text.h"
#include "wire/request.h"

struct dialect;
struct protocol;
struct provider;
struct setup;
struct target;
struct target;

#define COMPARE_MOST 6
#define COMPARE_TARGET_FORM "provider/model[:protocol][:level]"

struct compare_target {
	struct provider *provider;
	const struct protocol *protocol;
	const struct dialect *dialect;
	enum reasoning_level reasoning; /* unset: that of the setup */
	char *model, *base_url;         /* base_url: as in struct target */
	char *label;                    /* "openai/gpt-5:openai-responses:high"; the protocol only if it is not the provider's first one */
};

struct compare_targets {
	struct compare_target of[COMPARE_MOST]; /* all zero: none */
	size_t count;
	char *list;                     /* as it was given; NULL: none */
};

/* Reads a list in place of the one before. The setup's target stays. On false nothing changed; `err` has no prefix. */
MUST_USE bool compare_targets_read(struct compare_targets *t, struct setup *s, struct str list, struct error *err);
void compare_targets_fini(struct compare_targets *t);

/* Appends the label of a target without a level. */
void compare_write_label(const struct provider *p, const struct protocol *protocol, const char *model, struct buf *out);

/* Whether a word reads as a list: its first target begins with the name of a provider and a slash, or there is a comma. */
bool compare_is_list(const struct setup *s, struct str word);

/*
 * compare_target_enter() makes it the setup's target, so that functions of the setup concern it; `before` gets the setup's own target.
 * compare_target_leave() restores that.
 */
void compare_target_enter(struct compare_target *t, struct setup *s, struct target *before);
void compare_target_leave(struct compare_target *t, struct setup *s, const struct target *before);
/* Makes it the setup's target for the rest of the conversation. */
void compare_target_choose(const struct compare_target *t, struct setup *s);

#endif
