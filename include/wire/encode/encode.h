/*
 * The inverse of the decoders: deltas to the bytes that a server of a protocol would send, as a stream (server-sent events, or
 * one JSON object a line) or as one JSON body.
 *
 *   deltas --> blocks (what the answer is made of) --> struct encode_form (one a protocol: frames) --> bytes
 *
 * Decoding the bytes gives the same deltas, except for what a protocol cannot carry (ENCODE_FEATURES) and for these rules:
 *
 * - Times, notices and `reasoning_details` are not encoded.
 * - Adjacent text of one part may be joined or split. A part that continues after another one becomes a new part.
 * - Of several usages and routes the last one counts.
 * - JSON that travels as a value (arguments, opaque data) loses its blanks. Arguments that are no object travel as a string there.
 * - Of two equal pictures Chat Completions has one. A picture keeps no signature, its id and its text in Responses alone. A sound has an id and a
 *   text in Chat Completions alone; a body there has one sound, and two that follow one another are one in Gemini.
 * - Where deltas are of this protocol (`words`), Anthropic's and Gemini's server tools are what their opaque data say. Where their input comes in
 *   one piece, it is written when it is whole, at the latest at their end. An unknown name is that of a remote server's tool.
 * - Opaque data of another protocol, or of a part that is not the latest, are left out.
 * - A body does not keep the order among text, reasoning, refusal and calls. Of a reasoning item it has what the item says.
 *
 * Pure: no descriptor, no clock. The encoder trusts the grammar of deltas (wire/delta.h). It keeps a copy of the answer, because the
 * last event of some protocols repeats it. Closing the connection is up to the caller: an end delta that says cut, stalled or
 * cancelled writes no end mark.
 */
#ifndef WEIR_WIRE_ENCODE_H
#define WEIR_WIRE_ENCODE_H

#include "wire/delta.h"
#include "wire/protocol/protocol.h"

/*
 * What a protocol can carry. Of usage it carries the figures of encode_usage_members(), of opaque data what
 * encode_carries_opaque() says.
 *
 *        feature        chat responses anthropic gemini ollama   meaning; what happens without
 */
#define ENCODE_FEATURES(X)                                                                                    \
	X(ID,            1, 1, 1, 1, 0) /* the answer's id */                                                 \
	X(LATE_ID,       1, 1, 0, 1, 1) /* an id or model after the first content */                         \
	X(PARTS,         0, 1, 1, 0, 0) /* two adjacent parts of one kind; they become one */                 \
	X(REFUSAL,       1, 1, 0, 0, 0) /* refusals; they become text */                                      \
	X(PIECES,        1, 1, 1, 0, 0) /* a call in pieces; it is written at its end, in the order of calls */ \
	X(LATE_NAME,     1, 0, 0, 1, 1) /* a call's id or name after other deltas */                         \
	X(NO_CALL_ID,    1, 0, 1, 1, 1) /* a call without an id; it becomes call_N */                         \
	X(CITATION,      1, 1, 1, 1, 0) /* citations */                                                       \
	X(CITED_TEXT,    1, 0, 1, 0, 0) /* the text of a citation */                                          \
	X(PICTURE,       1, 1, 0, 1, 1) /* a picture with its data (Gemini: and a type); left out */          \
	X(PARTIAL,       0, 1, 0, 0, 0) /* partial pictures; left out */                                      \
	X(SOUND,         1, 0, 0, 1, 0) /* sounds (Gemini: with a type, unsigned; Chat: for an hour); left out */ \
	X(OTHER_MEDIA,   0, 0, 0, 0, 0) /* videos, files, URLs; left out */                                   \
	X(SERVER_TOOL,   1, 1, 1, 1, 0) /* tools that the server ran; left out */                             \
	X(SERVER_PIECES, 0, 1, 1, 0, 0) /* their input in pieces; it is written when it is whole */           \
	X(SERVER_CODE,   0, 1, 0, 1, 0) /* an input that is no object; it becomes {"code":...} */             \
	X(SERVER_FAILED, 0, 1, 1, 0, 0) /* that one failed (Gemini: that code did); it is completed */        \
	X(ROUTE,         1, 0, 0, 0, 0) /* the routing object */                                              \
	X(RESTART,       0, 0, 1, 0, 0) /* a restart; what arrived before stays */                               \
	X(FILTERED,      1, 1, 1, 1, 0) /* that an answer without a refusal was filtered; it is complete */   \
	X(PAUSED,        0, 0, 1, 0, 0) /* that an answer paused; it is complete */                           \
	X(NO_FINISH,     1, 0, 1, 0, 1) /* a proper end of a stream without a finish word; one is made */     \
	X(FAILED_FINISH, 1, 0, 1, 1, 0) /* the finish word of an answer that failed */                        \
	X(BROKEN_FINISH, 0, 0, 1, 1, 0) /* the finish word of an answer that broke off */                     \
	X(BROKEN_USAGE,  1, 0, 1, 1, 0) /* the usage of an answer that failed or broke off */                 \
	X(ERROR_TYPE,    1, 0, 1, 0, 0) /* the type of an error */                                            \
	X(ERROR_CODE,    1, 1, 0, 0, 0) /* its code; replaces the type if there is one */

enum encode_feature {
#define X(upper, ...) ENCODE_##upper,
	ENCODE_FEATURES(X)
#undef X
};

bool encode_carries(const struct protocol *protocol, enum encode_feature feature);
bool encode_carries_opaque(const struct protocol *protocol, struct str format);
const struct usage_member *encode_usage_members(const struct protocol *protocol);

struct encode_options {
	const struct protocol *protocol;
	/* The protocol of the deltas' finish words. Words of another protocol, and all words if NULL, are translated by the outcome. */
	const struct protocol *words;
	int64_t created; /* Unix time of the answer, if the protocol has it */
	bool whole;      /* one JSON body, written at the end delta; an error delta writes an error body instead */
};

struct encoder; /* heap */

/* Appends to `out`, which outlives the encoder and may be emptied between any two calls. */
struct encoder *encoder_new(const struct encode_options *options, struct buf *out);
void encoder_free(struct encoder *e);

/* A delta_sink. A frame may need more than one delta: its bytes are then written with the next one, or by encoder_flush(). */
void encoder_delta(void *encoder, const struct delta *delta);
void encoder_flush(struct encoder *e); /* writes what is held for another delta */

const char *encode_content_type(const struct protocol *protocol); /* of a stream; a body is application/json */

#endif
