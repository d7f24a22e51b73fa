/*
 * Refusals: what the body of a status that is not 2xx says, and what can be done about it. Pure: texts in, answers out.
 *
 * A server that names a parameter of ours as one that it does not know gets the request once more without it (or with its
 * other name); one that speaks of signatures or thinking gets it without opaque parts (wire.md 3 and 7).
 */
#ifndef WEIR_CHAT_REFUSAL_H
#define WEIR_CHAT_REFUSAL_H

#include "chat/provider.h"

#define REFUSAL_BODY_LIMIT ((size_t)64 << 10) /* what comes beyond is not read */

/* A response that refused, and what was sent. */
struct refusal {
	int status;
	struct str body;
	struct str request_id;             /* "" when none came */
	struct str retry_after;            /* the header's text */
	struct str location;
	struct str url;                    /* for people: no key in it */
	bool had_key;
	const struct provider *provider;
	const struct protocol *protocol;
	const struct request *request;     /* as sent */
};

enum repair { REPAIR_NONE, REPAIR_USAGE, REPAIR_MAX_TOKENS, REPAIR_TEMPERATURE, REPAIR_REASONING, REPAIR_BEGINNING, REPAIR_OPAQUE };

/* What to change; REPAIR_NONE also when that was changed before. */
enum repair refusal_repair(const struct refusal *r);
/* Makes the provider remember it (REPAIR_OPAQUE: nothing to remember). */
void refusal_remember(struct provider *p, enum repair repair);
/* What the user is told: "the server refused stream_options: sent again without it". */
const char *refusal_notice(enum repair repair);

/* Messages of a request without their opaque parts; those that had nothing else are left out, no protocol takes empty ones. */
struct stripped { /* zeroed at birth */
	struct request_message *messages;
	struct request_part *parts;
};
void stripped_init(struct stripped *s, struct request *request); /* gives it its messages, which borrow the old ones' text */
void stripped_fini(struct stripped *s);

/* Fills in the cells of what is sent: the dialect's or the provider's, without what the server has refused. */
void refusal_apply(const struct provider *p, const struct dialect *dialect, struct request *request);

/* Status and the server's words, in a line. */
void refusal_words(const struct refusal *r, struct buf *out);

/* The same with the request id, and what to look at. */
void refusal_hint(const struct refusal *r, struct buf *out);

/* The server does not know the model. */
bool refusal_is_of_model(const struct refusal *r);

#endif
