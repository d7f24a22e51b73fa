/*
 * The guard enforces the grammar of deltas (wire/delta.h) and decides the outcome. Protocols emit deltas only through it.
 *
 * It numbers the parts, joins surrogate pairs and <think> tags that are split across deltas, collects the arguments of calls, keeps the
 * relevant finish word and usage, and emits exactly one end, also if the connection breaks or the user cancels. After an error or an
 * end mark it ignores everything except guard_end(). It asserts its own grammar, so it is the oracle of tests and fuzzers.
 */
#ifndef WEIR_WIRE_GUARD_H
#define WEIR_WIRE_GUARD_H

#include "wire/delta.h"

#define GUARD_ANSWER_LIMIT ((size_t)256 << 20)   /* maximum bytes of text and reasoning in an answer */
#define GUARD_ARGUMENTS_LIMIT ((size_t)8 << 20)  /* maximum bytes of a call's arguments */
#define GUARD_NEW_PART (~0u)
#define GUARD_UNNUMBERED (~0u - 2)               /* key for text of a protocol that does not number parts */

struct guard;

struct guard *guard_new(delta_sink *sink, void *ctx);
void guard_free(struct guard *g);

/* Sets the time of the following deltas. */
void guard_set_time(struct guard *g, double at_ms);

/* Sets id and model; the first non-empty ones are kept. Emits the begin, or a meta after the begin. */
void guard_identity(struct guard *g, struct str id, struct str model);

/*
 * Text of the part with this key. Keys are chosen by the protocol (block or item numbers) and are separate for each kind of text.
 * Raw text may contain WTF-8 surrogates (base/json.h). Empty text emits nothing.
 * With GUARD_UNNUMBERED a part ends at the next call or the next text of another kind; later text begins a new part.
 */
void guard_text(struct guard *g, unsigned key, struct str raw);
void guard_reasoning(struct guard *g, unsigned key, struct str raw);
void guard_refusal(struct guard *g, unsigned key, struct str raw);
bool guard_has_text(const struct guard *g); /* any text, reasoning or refusal since the last restart */

/* The part number of (kind, key); GUARD_NEW_PART if there is none. `kind` is DELTA_TEXT, _REASONING or _REFUSAL. */
unsigned guard_part(const struct guard *g, enum delta_kind kind, unsigned key);

/* Tool calls to be run by the client. guard_tool_begin() returns the call's index. */
unsigned guard_tool_begin(struct guard *g, struct str id, struct str name);
void guard_tool_name(struct guard *g, unsigned index, struct str id, struct str name); /* replaces id and name; empty ones are ignored */
void guard_tool_arguments(struct guard *g, unsigned index, struct str raw);
void guard_tool_end(struct guard *g, unsigned index); /* guard_end() ends calls that are still open */
size_t guard_tool_count(const struct guard *g);
struct str guard_tool_id(const struct guard *g, unsigned index);
struct str guard_tool_name_of(const struct guard *g, unsigned index);
struct str guard_tool_text(const struct guard *g, unsigned index); /* the arguments so far; borrowed until the next call */
bool guard_tool_whole(const struct guard *g, unsigned index);      /* the arguments so far are one complete JSON value */
bool guard_tool_open(const struct guard *g, unsigned index);

/*
 * Media. guard_media_begin() takes of the facts: the kind that the place says, id, type, url (with which the item is complete), thought.
 * It returns the item's index. An item is whole if its end came, nothing of it failed, and there is something of it.
 */
void guard_limit_media(struct guard *g, size_t bytes); /* of decoded data that is kept; MEDIA_BYTES_DEFAULT unless it was called */
unsigned guard_media_begin(struct guard *g, const struct media_facts *facts);
unsigned guard_media_part(const struct guard *g, unsigned index); /* its part number, for guard_opaque(); GUARD_NEW_PART: no such item */
void guard_media_named(struct guard *g, struct str id, struct str name); /* a file that is only named: begin to end. Name may be absent */
void guard_media_learn(struct guard *g, unsigned index, const struct media_facts *facts); /* id, if it had none; type and url, if sent */
/*
 * A partial picture with its number, -1: none; the final picture, with which the item is complete. Decoded. `blob` has these bytes, for
 * consumers that keep them; NULL: none has.
 */
void guard_media_partial(struct guard *g, unsigned index, int64_t number, struct str bytes, struct blob *blob);
void guard_media_picture(struct guard *g, unsigned index, struct str bytes, struct blob *blob);
/* The next decoded bytes of data that comes in pieces. */
void guard_media_piece(struct guard *g, unsigned index, struct str bytes, struct blob *blob);
void guard_media_unreadable(struct guard *g, unsigned index, bool fails);  /* data that is no base64 came; the item fails, or goes on */
void guard_media_text(struct guard *g, unsigned index, struct str raw);    /* a fragment of its text */
void guard_media_complete(struct guard *g, unsigned index); /* its end came */
void guard_media_fail(struct guard *g, unsigned index);     /* the server says that it failed */
/* Ends an item with facts that are known otherwise, such as from an event: its data does not come. */
void guard_media_recall(struct guard *g, unsigned index, const struct media_facts *facts, struct str text);
void guard_media_end(struct guard *g, unsigned index);      /* guard_end() ends items that are still open */
size_t guard_media_count(const struct guard *g);
bool guard_media_has(const struct guard *g, enum media_kind place, struct str id); /* an item of that place and id has begun */

/* Tools that the server ran. guard_server_tool_begin() returns the index of the call. */
unsigned guard_server_tool_begin(struct guard *g, struct str id, struct str name);
void guard_server_tool_name(struct guard *g, unsigned index, struct str id, struct str name); /* those that were not known yet */
void guard_server_tool_input(struct guard *g, unsigned index, struct str raw); /* a fragment */
/* All of the input. The rest of it is emitted; if it does not begin with what came, only the end has it. Empty: nothing. */
void guard_server_tool_whole_input(struct guard *g, unsigned index, struct str raw);
void guard_server_tool_output(struct guard *g, unsigned index, struct str output); /* replaces what it has; absent: nothing */
void guard_server_tool_state(struct guard *g, unsigned index, enum server_tool_state state); /* incomplete until it is set */
void guard_server_tool_tell(struct guard *g, unsigned index); /* output and state, which may still be replaced */
void guard_server_tool_end(struct guard *g, unsigned index); /* guard_end() ends those that are still open */
size_t guard_server_tool_count(const struct guard *g);
bool guard_server_tool_open(const struct guard *g, unsigned index);
bool guard_server_tool_has_output(const struct guard *g, unsigned index);
struct str guard_server_tool_id(const struct guard *g, unsigned index);
struct str guard_server_tool_name_of(const struct guard *g, unsigned index);
struct str guard_server_tool_text(const struct guard *g, unsigned index); /* the input so far; borrowed until the next call */

/* Opaque data of a call (`tool_index`, else -1), of a part (number from guard_part()), or on its own (GUARD_NEW_PART). */
void guard_opaque(struct guard *g, unsigned part, int tool_index, const char *format, struct str data);
void guard_citation(struct guard *g, struct str url, struct str title, struct str text); /* it has no place in the text */
/* A citation with its place. The offset counts in the text part with this key; with GUARD_UNNUMBERED, in all text of the answer. */
void guard_cite(struct guard *g, unsigned key, const struct citation *citation);

/*
 * The usage so far. Ignored if it contains no figure, or if it is all zero after a non-zero one. `cost`: what the server says the answer
 * costs; if it is unknown, the one reported before stays.
 */
void guard_usage(struct guard *g, const struct usage *usage, struct money cost);
void guard_route(struct guard *g, const struct route *route);

/* Reports a deviation from the protocol. Each rule is reported once per turn. `rule` must be a static string. */
void guard_notice(struct guard *g, const char *rule, const char *format, ...) PRINTF_LIKE(3, 4);

/*
 * What decoders accept although the protocol does not say so, and mend without a notice: there are gateways that always send it so. For who
 * observes the stream; `watch` is called while the value is decoded that is mended, once or more often.
 */
enum guard_mended {
	MENDED_CALL_INDEX,  /* a fragment of a call has no index, or that of another call: it was placed by its id, its name or its order */
	MENDED_CALL_NAME,   /* the name of a call came in pieces */
	MENDED_REASONING,   /* reasoning came in several fields: one was taken */
	MENDED_THINK,       /* reasoning came as text between <think> and </think> */
	MENDED_COUNT
};
typedef void guard_watch(void *ctx, enum guard_mended repair);
void guard_watch_repairs(struct guard *g, guard_watch *watch, void *ctx);
void guard_repair(struct guard *g, enum guard_mended repair);

/* The server restarts the message: discards text, calls, usage, id and model. */
void guard_restart(struct guard *g);

/* Sets the finish word. The last non-empty one is kept, but a plain stop does not replace a more specific word. */
void guard_finish(struct guard *g, struct str word);
void guard_finish_message(struct guard *g, struct str message); /* error message for a finish word that means an error */
/* The prompt was blocked: the outcome is filtered. `reason` becomes the finish word unless another one is set. */
void guard_blocked(struct guard *g, struct str reason);
bool guard_finish_seen(const struct guard *g); /* there was a finish word or a blocked prompt */

/* Emits an error. Later errors are ignored. An empty message is replaced by a sentence of our own. */
void guard_error(struct guard *g, const struct error_report *report);
bool guard_failed(const struct guard *g);

/* A frame could not be read: text may be missing, so an end that is proper becomes an error. A restart forgets it. */
void guard_unread(struct guard *g);

/* The protocol's end mark: everything after it is ignored. */
void guard_done(struct guard *g);
bool guard_is_done(const struct guard *g); /* there was an end mark or an error */

/* How guard_end() interprets an end without an end mark. */
struct guard_ending {
	bool finish_is_end;        /* a clean close after a finish word is a proper end (openai-chat, Gemini) */
	bool finish_outlives_break;/* a broken or stalled connection after a finish word is a proper end (openai-chat) */
	bool close_is_end;         /* a clean close after content is a proper end, with notice no-finish (dialect runtime) */
	bool understood;           /* the body contained at least one value of the protocol */
	struct str strange;        /* the first bytes of the body, for the error message if !understood; empty: the body was empty */
	bool inside_frame;         /* the body ended inside a frame, of which nothing was used */
};

/* Flushes held text, ends open calls, emits the finish word, an error if the outcome requires one, and the end. Later calls do nothing. */
void guard_end(struct guard *g, enum end_how how, const struct guard_ending *ending);

#endif
