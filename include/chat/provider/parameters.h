/*
 * Parameters of a request that a user sets for a role or a conversation: one table of names, ranges and values.
 *
 * A parameter that is not set is decided elsewhere: by an option, a role or the provider (app/setup/setup.h).
 */
#ifndef WEIR_CHAT_PARAMETERS_H
#define WEIR_CHAT_PARAMETERS_H

#include "wire/protocol/protocol.h"
#include "wire/request.h"

enum parameter {
	PARAMETER_TEMPERATURE, PARAMETER_MAX_TOKENS, PARAMETER_REASONING, PARAMETER_TOP_P, PARAMETER_SERVER_TOOLS,
	/* these are texts, and added to the body by parameters_write_extra() */
	PARAMETER_THINKING_BUDGET, PARAMETER_TOP_K, PARAMETER_SEED, PARAMETER_PRESENCE_PENALTY, PARAMETER_FREQUENCY_PENALTY, PARAMETER_VERBOSITY,
	PARAMETER_STOP, PARAMETER_EXTRA, PARAMETER_COUNT
};

#define PARAMETER_NUMBER_SIZE 24
#define PARAMETER_STOP_SIZE 201
#define PARAMETER_EXTRA_SIZE 2001

struct parameters {
	double temperature;             /* NAN: not set */
	long long max_tokens;           /* -1: not set; 0: no maximum */
	enum reasoning_level reasoning; /* REASONING_LEVEL_UNSET: not set */
	double top_p;                   /* 0: not set */
	unsigned server_tools;          /* bits of enum server_tool, or SERVER_TOOLS_OFF; 0: not set */
	/* As they are written; "": not set. `stop`: one text, or a JSON array of texts; `extra`: a JSON object. */
	char thinking_budget[PARAMETER_NUMBER_SIZE], top_k[PARAMETER_NUMBER_SIZE], seed[PARAMETER_NUMBER_SIZE];
	char presence_penalty[PARAMETER_NUMBER_SIZE], frequency_penalty[PARAMETER_NUMBER_SIZE], verbosity[PARAMETER_NUMBER_SIZE];
	char stop[PARAMETER_STOP_SIZE], extra[PARAMETER_EXTRA_SIZE];
};

extern const struct parameters parameters_unset;

const char *parameter_name(enum parameter which);   /* as in weir.conf: "max_tokens" */
bool parameter_find(struct str name, enum parameter *which); /* false, with `*which` unchanged: there is none of that name */
bool parameter_is_set(const struct parameters *p, enum parameter which);
void parameter_copy(struct parameters *to, const struct parameters *from, enum parameter which);

/* Sets a value that is in the range of the protocol; NULL: of any. On false nothing changed, and `err` names the range. */
MUST_USE bool parameter_set(struct parameters *p, enum parameter which, struct str value, const struct protocol *protocol, struct error *err);
/* Appends the range, as in "a number from 0 to 1 (anthropic)". */
void parameter_write_range(enum parameter which, const struct protocol *protocol, struct buf *out);
void parameter_write(const struct parameters *p, enum parameter which, struct buf *out); /* appends the value; nothing if it is not set */

bool parameter_has_off(enum parameter which); /* "off" is one of its values */
const char *parameter_name_at(const void *unused, size_t index); /* as base/names.h wants it */

/* Appends those that are set, as a JSON object. */
void parameters_write_json(const struct parameters *p, struct buf *out);

/*
 * Appends the members that the parameters below PARAMETER_TOP_K and `extra` add to a body of the protocol, as one JSON object, for
 * struct request's `extra`; nothing if there are none.
 */
void parameters_write_extra(const struct parameters *p, const struct protocol *protocol, struct buf *out);

long long parameters_thinking_budget(const struct parameters *p, const struct protocol *protocol); /* 0: none that it takes */

/* Why a request would not carry the parameter although it is set; NULL: it does. `all`: the parameters of that request. */
const char *parameter_why_not_sent(const struct parameters *all, enum parameter which, const struct protocol *protocol);

#endif
