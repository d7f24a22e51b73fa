/*
 * Deltas: the meaning of a frame, independent of the protocol. Bytes become deltas in one place (wire/stream.h); deltas have many
 * consumers.
 *
 * The guard (wire/guard.h) enforces the grammar of deltas, so consumers need no defensive code:
 *
 *   turn    = begin { content | meta | usage | route | notice | restart } [ finish ] [ error ] end
 *   content = text | reasoning | refusal | tool | media | server   | opaque | citation
 *   tool    = tool_begin { tool_name | tool_arguments } tool_end      (tools may interleave; each is ended before end)
 *   media   = media_begin { media | media_text } media_end            (the same; also for what the server ran itself)
 *   server  = server_tool_begin { server_tool_input } server_tool_end
 *
 * Calls, media and server tools count from 0 each, in the order in which they begin.
 *
 * There is exactly one begin, first; exactly one end, last; at most one error, directly before the end.
 * All text in a delta is valid UTF-8, borrowed for the call. The queue and the conversation copy it.
 */
#ifndef WEIR_WIRE_DELTA_H
#define WEIR_WIRE_DELTA_H

#include <stdint.h>

#include "base/text.h"
#include "wire/media.h"
#include "wire/outcome.h"
#include "wire/price.h"

#define DELTA_KINDS(X)                                                                                 \
	X(BEGIN, begin)                   /* id, model */                                              \
	X(META, meta)                     /* id or model, if it became known after begin */            \
	X(TEXT, text)                                                                                  \
	X(REASONING, reasoning)                                                                        \
	X(REFUSAL, refusal)                                                                            \
	X(TOOL_BEGIN, tool_begin)         /* tool: index, id, name ("" while unknown) */               \
	X(TOOL_NAME, tool_name)           /* tool: the id or name has changed; both current values */  \
	X(TOOL_ARGUMENTS, tool_arguments) /* tool: a fragment of the arguments, as received */         \
	X(TOOL_END, tool_end)             /* tool: the complete arguments, and whether they are valid */ \
	X(MEDIA_BEGIN, media_begin)       /* media: an item, with what is known of it */               \
	X(MEDIA, media)                   /* media: a whole picture, or the next piece of other data, decoded */ \
	X(MEDIA_TEXT, media_text)         /* media: a fragment of its text */                          \
	X(MEDIA_END, media_end)           /* media: all facts, and the whole text; STR_NONE if there is none */ \
	X(SERVER_TOOL_BEGIN, server_tool_begin) /* server_tool: id, name */                            \
	X(SERVER_TOOL_INPUT, server_tool_input) /* server_tool: a fragment of the input */             \
	X(SERVER_TOOL_END, server_tool_end)     /* server_tool: the whole input, state, output */      \
	X(OPAQUE, opaque)                 /* data that must be returned to the server byte for byte */ \
	X(CITATION, citation)                                                                          \
	X(USAGE, usage)                   /* the usage and the cost so far; replaces earlier ones */   \
	X(ROUTE, route)                                                                                \
	X(NOTICE, notice)                 /* a deviation from the protocol, with the rule's name */    \
	X(RESTART, restart)               /* the server restarted the message: discard everything before */ \
	X(FINISH, finish)                 /* the server's finish word; once */                         \
	X(ERROR, error)                                                                                \
	X(END, end)

enum delta_kind {
#define X(upper, lower) DELTA_##upper,
	DELTA_KINDS(X)
#undef X
};
#define X(upper, lower) +1
enum { DELTA_KIND_COUNT = 0 DELTA_KINDS(X) };
#undef X

/* sansa's routing object. Absent members: routed -1, model STR_NONE, latency -1. */
struct route {
	int routed; /* 1, 0, or -1 for null */
	struct str routed_model;
	double routing_latency_ms;
};

/* An error reported by the server. Members that are null are STR_NONE. `status` is 0 if it was 2xx or is unknown. */
struct error_report {
	struct str message;
	struct str type;
	struct str code;
	int status;
};

/*
 * A source that the answer cites, and where the text that it supports ends: with the delta's part, or at an offset in that part. With
 * DELTA_NO_PART the offset counts in all text of the request's answer.
 */
enum citation_unit { CITATION_NO_PLACE, CITATION_PART_END, CITATION_BYTES, CITATION_CHARACTERS };
struct citation { struct str url, title, text; enum citation_unit unit; int64_t end; };
#define DELTA_NO_PART (~0u)

/* How a tool ended that the server ran. Incomplete: no result came. */
#define SERVER_TOOL_STATES(X) X(INCOMPLETE, "incomplete") X(COMPLETED, "completed") X(FAILED, "failed")
enum server_tool_state {
#define X(upper, word) SERVER_TOOL_##upper,
	SERVER_TOOL_STATES(X)
#undef X
};
const char *server_tool_state_name(enum server_tool_state state); /* "completed" */
bool server_tool_state_find(struct str name, enum server_tool_state *state);

/*
 * Of an item of media. `data` is only in DELTA_MEDIA: a whole picture replaces what came before it, `is_partial` if a better one may follow;
 * pieces of audio are joined. The facts are those known so far. `blob` has the same bytes, to be held by who keeps them; NULL: copy them.
 */
struct delta_media { unsigned index; bool is_partial; struct str data; struct blob *blob; struct media_facts facts; };
void delta_media_collect(const struct delta_media *media, struct blob **data); /* what the item consists of now */
/*
 * Of a tool that the server ran. `state` and `output` (STR_NONE: none came) are in DELTA_SERVER_TOOL_END, and in a DELTA_SERVER_TOOL_INPUT
 * without text, which tells them before they are final; it is no event.
 */
struct delta_server_tool { unsigned index; struct str id, name; enum server_tool_state state; struct str output; };

struct delta {
	enum delta_kind kind;
	double at_ms;   /* time since the request was sent; negative if the source has no timing */
	unsigned part;  /* text, reasoning, refusal, media: part number, from 0; adjacent deltas with the same number continue one text */
	/* text, reasoning, refusal; tool_arguments, media_text, server_tool_input: a fragment; tool_end, media_end, server_tool_end: all of it */
	struct str text;
	union {
		struct { struct str id, model; } meta;                       /* begin, meta; STR_NONE while unknown */
		struct { unsigned index; struct str id, name; bool valid; } tool; /* id: STR_NONE if none was sent; valid: only in tool_end */
		struct delta_media media;
		struct delta_server_tool server_tool;
		struct { struct str format, data; int tool_index; } opaque; /* of call tool_index if >= 0, else of `part`: wire/part.h */
		struct citation citation;
		struct { struct usage usage; struct money cost; };           /* cost: only if the server reports it */
		struct route route;
		struct { struct str rule, text; } notice;
		struct { struct str reason; } finish;
		struct error_report error;
		struct { enum outcome outcome; } end;
	};
};

/* A consumer of deltas. */
typedef void delta_sink(void *ctx, const struct delta *delta);

const char *delta_kind_name(enum delta_kind kind); /* "tool_begin" */

/* Lists the strings of a delta, so that copying one is the same for every kind. Returns how many. The blob of media is forgotten. */
#define DELTA_STRINGS_MAX 6
size_t delta_strings(struct delta *d, struct str *out[DELTA_STRINGS_MAX]);

#endif
