/*
 * A protocol is a vtable: build a request, decode a frame into deltas, read the model list. It never gets a partial frame. It tolerates
 * every deviation that src/wire/README.md lists, whatever the gateway.
 */
#ifndef WEIR_WIRE_PROTOCOL_H
#define WEIR_WIRE_PROTOCOL_H

#include "base/json.h"
#include "base/json_write.h"
#include "wire/guard.h"
#include "wire/protocol/dialect.h"

/* What is known of the request that is answered. Zeroed: nothing. */
struct asked_for {
	bool single_choice;    /* it asks for one answer: n and candidateCount (Gemini) are absent or at most 1 */
	struct str audio_type; /* of the audio that it asks for; static. STR_NONE: none, or an unknown format */
};

/* The decoder of a stream. */
struct decoder {
	const struct protocol *protocol;
	const struct dialect *dialect;
	struct guard *guard;
	void *state;          /* protocol->state_bytes, initially zero */
	struct asked_for asked;
	bool choosing;        /* a choice has come: `choice` is the index of the answer (decode_is_of_answer()) */
	int64_t choice;
	bool understood;      /* set by decode if a value belonged to this protocol */
	bool proper;          /* set before finish: the answer ended with an end mark or a finish word and is complete */
};

/* Where and when a frame arrived (wire/framer.h says what a frame is). */
struct frame_place {
	size_t frame;             /* its number, from 1 to the end of all that was received, also if a second head begins a new body */
	size_t offset;            /* of its first byte in all that was received */
	double at_ms;             /* of the read that completed it; negative if the source has no timing */
	bool in_body;             /* there is an offset; with frame 0: of what is no frame. False: the head, or all of the stream */
};

/* One JSON value of a frame. */
struct message {
	const struct json *value; /* usually an object */
	struct str raw;           /* its text as valid UTF-8, for json_scan_find() where numbers and order must be kept as sent */
	struct str event;         /* SSE event type; "": none */
	struct frame_place place;
	const struct json_pack *packs; /* what `raw` lacks: ask message_raw() */
	size_t pack_count;
};
struct str message_raw(const struct message *m, struct buf *scratch); /* `raw` as it was sent; it may be made in `scratch` */

/* A row of a model list. -1 and STR_NONE mean that the server did not send the value. Borrowed. */
struct model_facts {
	struct str id;
	struct str name;               /* display name */
	long long context_tokens;
	long long output_tokens;
	struct prices prices;
	struct str note;               /* another short fact: size, quantization or owner */
};
typedef void model_visit(void *ctx, const struct model_facts *facts);

#define PROTOCOL_HOLDS_NAMED (1u << 31) /* in answers_hold: only media that have an id */

struct protocol {
	const char *name;         /* "openai-chat" */
	size_t state_bytes;
	void (*fini)(void *state);                    /* NULL: nothing to free */
	void (*decode)(struct decoder *d, const struct message *m);
	void (*finish)(struct decoder *d);            /* the body has ended: emit what was collected; NULL: nothing */
	bool finish_is_end;       /* see struct guard_ending */
	bool finish_outlives_break;
	bool results_hold_files;  /* a tool result may hold files; else they follow all results as the user's */
	unsigned answers_hold;    /* media that an assistant's message may hold: bits 1 << enum media_kind; others go back as the user's files */
	int temperature_most;     /* the highest temperature it takes; 0: 2 */
	bool continues_text;   /* the server continues an assistant's text if it is the last message */
	bool window_holds_maximum; /* servers refuse a request whose prompt and maximum of tokens exceed the context window */
	bool done_is_end;         /* data: [DONE] is this protocol's end mark (others tolerate it), or a clean close where the dialect says so */

	const char *path;         /* appended to the base URL: "/v1/messages"; "{model}" is replaced */
	const char *path_no_stream; /* path of requests without streaming; NULL: same as `path` */
	const char *version_segment; /* "/v1": not appended if the base URL already ends in it; NULL: none */
	const char *models_path;  /* "/v1/models?limit=1000" */
	const char *models_next;  /* query parameter for the next page's token: "after_id"; NULL: there is one page only */
	const char *headers;      /* "anthropic-version: 2023-06-01", or NULL */

	/* Writes the JSON body. Large texts of the request are borrowed (base/json_draft.h). */
	void (*build)(const struct request *request, struct json_writer *w);
	/* Calls `visit` for every model. Sets `next` to the token of the next page, if any. False if `value` is not a model list. */
	bool (*read_models)(const struct json *value, model_visit *visit, void *ctx, struct buf *next);
};

/* The protocols: X(NAME) is protocol_NAME, which has files of its own. The first is the default. */
#define PROTOCOLS(X) X(openai_chat) X(openai_responses) X(anthropic) X(gemini) X(ollama)

#define PROTOCOL_EXTERN(name) extern const struct protocol protocol_##name;
PROTOCOLS(PROTOCOL_EXTERN)
#undef PROTOCOL_EXTERN

#define PROTOCOL_ID(name) PROTOCOL_ID_##name,
enum { PROTOCOLS(PROTOCOL_ID) PROTOCOL_COUNT };
#undef PROTOCOL_ID

const struct protocol *protocol_find(struct str name); /* NULL if there is none */
const struct protocol *protocol_named(const char *name, struct error *err); /* the same; a sentence then lists the known ones */
const struct protocol *protocol_at(size_t index);      /* NULL after the last; openai-chat is 0 */
const char *protocol_name_at(const void *unused, size_t index); /* as base/names.h wants it */

/* Appends the JSON body of a request. False if it exceeds the limit of `out`. */
void protocol_write(const struct protocol *protocol, const struct request *request, struct json_writer *w); /* build(), with its `extra` */
bool protocol_build(const struct protocol *protocol, const struct request *request, struct buf *out);

struct asked_for asked_for_by(const struct json *request); /* by the body of a request; nothing if that is no object */

/* Detects the protocol from the first value; NULL if it is ambiguous (a ping, a bare error). `event` may be "". */
const struct protocol *protocol_detect(const struct json *value, struct str event);

/*
 * Builds the URL of a request: the base, then the path of the protocol. What the base already ends in, that path or its version segment, is
 * not added twice. A slash at the end of the base is dropped; its query stays behind the joined path. `path_override` (a provider's
 * `path`) replaces the protocol's path; "": none. Refuses user:password and schemes other than http and https. `model` is percent-encoded except '/'.
 */
MUST_USE bool protocol_url(const struct protocol *protocol, struct str base, struct str path_override, struct str model,
                           bool stream, struct buf *out, struct error *err);
/* The protocol whose requests have such a path, with any query and anything before it; NULL: none, as for the list of models. */
const struct protocol *protocol_of_path(struct str path);
/* Builds the URL of the model list. `page`: token of the page; "": the first. */
MUST_USE bool protocol_models_url(const struct protocol *protocol, struct str base, struct str page, struct buf *out,
                                  struct error *err);

/* --- requests of other clients, for `weir proxy` --- */

/*
 * Appends the URL for a path with its query: the path of the base, unless the request has it already, and the parameters of both; of two with
 * the same name, the client's is used.
 */
MUST_USE bool protocol_pass_url(struct str base, struct str path, struct buf *out, struct error *err);
/* Whether a server may read the path as one outside of its folder: "/../x", "/%2e%2e/x", "/..;/x", "/..%5Cx". */
bool protocol_path_leaves(struct str path);

#endif
