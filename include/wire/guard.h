/*
 * The guard enforces the grammar of deltas (wire/delta.h) and decides the outcome. Protocols speak through it only.
 *
 * It gives parts their numbers, keeps surrogate pairs and <think> tags together that deltas cut apart, holds the
 * arguments of calls until they are whole, remembers the finish word that counts and the usage that counts, and
 * makes exactly one end, also when the connection breaks or the user cancels. After an error or an end mark it
 * ignores everything but guard_end(). It is the oracle of tests and fuzzers: it asserts its own grammar.
 */
#ifndef WEIR_WIRE_GUARD_H
#define WEIR_WIRE_GUARD_H

#include "wire/delta.h"

#define GUARD_ANSWER_LIMIT ((size_t)256 << 20)   /* bytes of text and reasoning of one answer */
#define GUARD_ARGUMENTS_LIMIT ((size_t)8 << 20)  /* bytes of one call's arguments */
#define GUARD_NEW_PART (~0u)
#define GUARD_UNNUMBERED (~0u - 2)               /* the key of all text where a protocol numbers no parts */

struct guard;

struct guard *guard_new(delta_sink *sink, void *ctx);
void guard_free(struct guard *g);

/* The time that the following deltas carry. */
void guard_set_time(struct guard *g, double at_ms);

/* Id and model as sent; the first non-empty ones count. Makes the begin, or a meta when that was before. */
void guard_identity(struct guard *g, struct str id, struct str model);

/*
 * Text of the part that `key` names among those of its kind (a block or item number of the protocol; any number will do).
 * Raw text may hold WTF-8 surrogates (base/json.h). Empty text makes nothing.
 * Of GUARD_UNNUMBERED a part goes on until another kind of text, or a call, comes: what follows that is a part of its own.
 */
void guard_text(struct guard *g, unsigned key, struct str raw);
void guard_reasoning(struct guard *g, unsigned key, struct str raw);
void guard_refusal(struct guard *g, unsigned key, struct str raw);
bool guard_has_text(const struct guard *g); /* any text, reasoning or refusal, since the last restart */

/* The part number of (kind, key), GUARD_NEW_PART when there is none. `kind` is DELTA_TEXT, _REASONING or _REFUSAL. */
unsigned guard_part(const struct guard *g, enum delta_kind kind, unsigned key);

/* Client tool calls. begin returns the call's index; later ids and names go to guard_tool_name (empty ones change nothing). */
unsigned guard_tool_begin(struct guard *g, struct str id, struct str name);
void guard_tool_name(struct guard *g, unsigned index, struct str id, struct str name); /* replaces what is not empty */
void guard_tool_arguments(struct guard *g, unsigned index, struct str raw);
void guard_tool_end(struct guard *g, unsigned index); /* open calls are ended by guard_end() */
size_t guard_tool_count(const struct guard *g);
struct str guard_tool_id(const struct guard *g, unsigned index);
struct str guard_tool_name_of(const struct guard *g, unsigned index);
struct str guard_tool_text(const struct guard *g, unsigned index); /* arguments so far */
bool guard_tool_whole(const struct guard *g, unsigned index);      /* arguments so far are one complete JSON value */
bool guard_tool_open(const struct guard *g, unsigned index);

/* Opaque data of a part (number from guard_part(), or GUARD_NEW_PART for an item of its own) or of a call (index, else -1). */
void guard_opaque(struct guard *g, unsigned part, int tool_index, const char *format, struct str data);
void guard_citation(struct guard *g, struct str url, struct str title, struct str text);

/* Usage so far; an object without any count is skipped, an all-zero one never replaces real numbers. */
void guard_usage(struct guard *g, const struct usage *usage);
void guard_route(struct guard *g, const struct route *route);

/* A deviation, once a rule and turn (later ones of the same rule are dropped). */
void guard_notice(struct guard *g, const char *rule, const char *format, ...) PRINTF_LIKE(3, 4);

/* The message starts over; usage and calls too. Id and model are taken anew. */
void guard_restart(struct guard *g);

/* A finish word; the last non-empty one counts, but a plain stop never replaces a more specific one. */
void guard_finish(struct guard *g, struct str word);
void guard_finish_message(struct guard *g, struct str message); /* words for a finish that is an error */
/* A blocked prompt: the outcome is filtered whatever the reason; the reason is the finish word unless another one comes. */
void guard_blocked(struct guard *g, struct str reason);
bool guard_finish_seen(const struct guard *g); /* a finish word or a blocked prompt */

/* The first error counts; a message of STR_NONE becomes the program's own sentence. */
void guard_error(struct guard *g, const struct error_report *report);
bool guard_failed(const struct guard *g);

/* The protocol's end mark: nothing after it counts. */
void guard_done(struct guard *g);
bool guard_is_done(const struct guard *g); /* after an end mark or an error */

/* What a broken or missing end means; set by the stream before guard_end(). */
struct guard_ending {
	bool finish_is_end;        /* a clean close after a finish word is proper (openai-chat, Gemini) */
	bool finish_outlives_break;/* a broken or stalled connection too (openai-chat) */
	bool close_is_end;         /* a clean close after content is proper (dialect runtime); notice no-finish */
	bool understood;           /* anything of the protocol came */
	struct str strange;        /* the body's first bytes when nothing was understood; "" for an empty body */
};

/* Ends open calls, flushes what was held, gives the finish word, an error if the outcome needs one, and the end. Exactly once. */
void guard_end(struct guard *g, enum end_how how, const struct guard_ending *ending);

#endif
