/*
 * Refusals: what the body of a response other than 2xx says, and how the request can be repaired. Pure functions.
 *
 * If the server rejects one of our parameters by name, the request is sent again without it, or with its other name. If it rejects
 * signatures or thinking, the request is sent again without opaque parts.
 */
#ifndef WEIR_CHAT_REFUSAL_H
#define WEIR_CHAT_REFUSAL_H

#include "chat/provider/provider.h"

#define REFUSAL_BODY_LIMIT ((size_t)64 << 10) /* further bytes are not read */

/* A refusal and the request that was refused. */
struct refusal {
	int status;
	struct str body;
	struct str request_id;             /* "" if none */
	struct str retry_after;            /* value of the header */
	struct str location;
	struct str url;                    /* for display: contains no key */
	bool had_key;
	bool key_was_typed; /* into a form: it is kept nowhere yet */
	const struct provider *provider;
	const struct protocol *protocol;
	const struct request *request;     /* as sent */
};

enum repair { REPAIR_NONE, REPAIR_USAGE, REPAIR_MAX_TOKENS, REPAIR_TEMPERATURE, REPAIR_REASONING, REPAIR_BEGINNING, REPAIR_OPAQUE };

/* The change to make. REPAIR_NONE also if that change was made before. */
enum repair refusal_repair(const struct refusal *r);
/* Records the refusal in the provider. REPAIR_OPAQUE is not recorded. */
void refusal_remember(struct provider *p, enum repair repair);
/* The message for the user: "the server refused stream_options: sent again without it". */
const char *refusal_notice(enum repair repair);

/* Messages of a request without their opaque parts. Messages that become empty are left out, because no protocol accepts them. */
struct stripped { /* initialise to zero */
	struct request_message *messages;
	struct request_part *parts;
};
void stripped_init(struct stripped *s, struct request *request); /* replaces the request's messages; the new ones borrow their text */
void stripped_fini(struct stripped *s);

/* Fills in `sending` from the dialect or the provider, without what the server has refused. */
void refusal_apply(const struct provider *p, const struct dialect *dialect, struct request *request);

/* Appends status and the server's message, in one line. */
void refusal_words(const struct refusal *r, struct buf *out);

/* The same with the request id and what to check. */
void refusal_hint(const struct refusal *r, struct buf *out);

/* Whether the server does not know the model. */
bool refusal_is_of_model(const struct refusal *r);

#endif
