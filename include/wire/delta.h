/*
 * Deltas: what a frame means, whoever sent it. Bytes become deltas in one place (wire/stream.h), and deltas are consumed in many.
 *
 * The grammar of deltas, enforced by the guard (wire/guard.h), so that consumers need no defensive code:
 *
 *   turn    = begin { content | meta | usage | route | notice | restart } [ finish ] [ error ] end
 *   content = text | reasoning | refusal | tool | opaque | citation
 *   tool    = tool_begin { tool_name | tool_arguments } tool_end      (tools may interleave; each is ended before end)
 *
 * Exactly one begin first, exactly one end last, at most one error, and nothing but end after it.
 * All text in a delta is a borrowed view of valid UTF-8, valid during the call; only queue and conversation copy.
 */
#ifndef WEIR_WIRE_DELTA_H
#define WEIR_WIRE_DELTA_H

#include <stdint.h>

#include "base/text.h"
#include "wire/outcome.h"
#include "wire/usage.h"

#define DELTA_KINDS(X)                                                                                 \
	X(BEGIN, begin)                   /* id, model */                                              \
	X(META, meta)                     /* id or model that became known after begin */              \
	X(TEXT, text)                                                                                  \
	X(REASONING, reasoning)                                                                        \
	X(REFUSAL, refusal)                                                                            \
	X(TOOL_BEGIN, tool_begin)         /* tool: index, id, name ("" while unknown) */               \
	X(TOOL_NAME, tool_name)           /* tool: an id or name that came later; both as they are now */ \
	X(TOOL_ARGUMENTS, tool_arguments) /* tool: a fragment of the arguments, as received */         \
	X(TOOL_END, tool_end)             /* tool: all arguments in their final form, and whether they are valid */ \
	X(OPAQUE, opaque)                 /* what must go back to the server byte for byte */          \
	X(CITATION, citation)                                                                          \
	X(USAGE, usage)                   /* the whole usage so far, replaces the one before */        \
	X(ROUTE, route)                                                                                \
	X(NOTICE, notice)                 /* a deviation, with the rule's name */                      \
	X(RESTART, restart)               /* the server began the message again: nothing before counts */ \
	X(FINISH, finish)                 /* the server's word; given once, with the one that counts */ \
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

/* sansa's routing object; absent members: routed -1, model STR_NONE, latency -1. */
struct route {
	int routed; /* 1, 0, or -1 for null */
	struct str routed_model;
	double routing_latency_ms;
};

/* An error as the server told it. STR_NONE for members that are null; status 0 when it was 2xx or is unknown. */
struct error_report {
	struct str message;
	struct str type;
	struct str code;
	int status;
};

struct delta {
	enum delta_kind kind;
	double at_ms;   /* since the request was sent; negative when a plain file has no timing */
	unsigned part;  /* text, reasoning, refusal: counts from 0; a new number is a new part, neighbours of one are one text */
	struct str text; /* text, reasoning, refusal, tool_arguments (fragment), tool_end (all arguments) */
	union {
		struct { struct str id, model; } meta;                       /* begin, meta; STR_NONE while unknown */
		struct { unsigned index; struct str id, name; bool valid; } tool; /* id STR_NONE if never sent; valid: tool_end */
		struct { struct str format, data; int tool_index; } opaque; /* of the part (or call, if >= 0) before it: wire/part.h */
		struct { struct str url, title, text; } citation;
		struct usage usage;
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

#endif
