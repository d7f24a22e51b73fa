/*
 * A protocol is one vtable: build a request, decode a frame into deltas, read the model list. It never sees a partial
 * frame. It is tolerant of everything in wire.md, whoever the gateway is.
 */
#ifndef WEIR_WIRE_PROTOCOL_H
#define WEIR_WIRE_PROTOCOL_H

#include "base/json.h"
#include "wire/guard.h"
#include "wire/protocol/dialect.h"

/* What a protocol decodes with; one for each stream. */
struct decoder {
	const struct protocol *protocol;
	const struct dialect *dialect;
	struct guard *guard;
	void *state;          /* protocol->state_bytes, zeroed at birth */
	bool single_choice;   /* the request is known and asked for one answer: the first element of choices counts */
	bool understood;      /* set by decode when the value was of this protocol */
	bool proper;          /* set before finish: an end mark or a finish word came, the answer did not break off */
};

/* One JSON value of a frame. */
struct message {
	const struct json *value; /* an object, or what came instead */
	struct str raw;           /* its bytes, repaired UTF-8; for json_scan_find() where numbers and order must stay as sent */
	struct str event;         /* SSE event type, "" when none */
};

/* One row of a model list; -1 and STR_NONE for what the server did not tell. Borrowed. */
struct model_facts {
	struct str id;
	struct str name;               /* display name */
	long long context_tokens;
	long long output_tokens;
	double prompt_price;           /* USD per million tokens */
	double completion_price;
	struct str note;               /* size, quantisation or owner: one short fact more */
};
typedef void model_visit(void *ctx, const struct model_facts *facts);

struct protocol {
	const char *name;         /* "openai-chat" */
	size_t state_bytes;
	void (*fini)(void *state);                    /* NULL: nothing to free */
	void (*decode)(struct decoder *d, const struct message *m);
	void (*finish)(struct decoder *d);            /* the body ended: give what was gathered (NULL: nothing) */
	bool finish_is_end;       /* see struct guard_ending */
	bool finish_outlives_break;
	bool goes_on_with_text;   /* an assistant's text as last message is the beginning of the answer */
	bool done_is_end;         /* data: [DONE] is this protocol's end mark (others tolerate it) */

	const char *path;         /* behind the base URL, "{model}" in it is replaced: "/v1/messages" */
	const char *path_no_stream; /* where it differs, else NULL */
	const char *version_segment; /* "/v1": a base that ends in it is not given it twice; NULL: the path is joined as it is */
	const char *models_path;  /* "/v1/models?limit=1000" */
	const char *models_next;  /* query parameter that takes the next page's token: "after_id"; NULL: one page */
	const char *headers;      /* "anthropic-version: 2023-06-01", or NULL */

	bool (*build)(const struct request *request, struct buf *out); /* appends the JSON body; false: it is larger than `out` may be */
	/* Visits every model; `next` gets the token of the next page or stays empty. False when it is no model list. */
	bool (*read_models)(const struct json *value, model_visit *visit, void *ctx, struct buf *next);
};

extern const struct protocol protocol_openai_chat;
extern const struct protocol protocol_openai_responses;
extern const struct protocol protocol_anthropic;
extern const struct protocol protocol_gemini;
extern const struct protocol protocol_ollama;

const struct protocol *protocol_find(struct str name); /* NULL when there is none */
const struct protocol *protocol_at(size_t index);      /* NULL beyond the last; openai-chat is 0 */

/* The protocol that a first value belongs to; NULL when it does not tell (a ping, a bare error). `event` may be "". */
const struct protocol *protocol_detect(const struct json *value, struct str event);

/*
 * The URL of a request as CONTRACT.md joins it. `path_override` (a provider's `path`) replaces the protocol's tail; "" for none.
 * Refuses user:password and anything that is not http or https. `model` is percent-encoded except '/'.
 */
MUST_USE bool protocol_url(const struct protocol *protocol, struct str base, struct str path_override, struct str model,
                           bool stream, struct buf *out, struct error *err);
/* The URL of the model list for the same base; `page` "" for the first. */
MUST_USE bool protocol_models_url(const struct protocol *protocol, struct str base, struct str page, struct buf *out,
                                  struct error *err);

#endif
