/* What the files of lint share: rows of the table, and the state that rules look at. */
#ifndef WEIR_WIRE_LINT_INSIDE_H
#define WEIR_WIRE_LINT_INSIDE_H

#include "base/array.h"
#include "wire/lint/lint.h"
#include "wire/lint/lint_chat.h"
#include "wire/lint/lint_shape.h"
#include "wire/lint/lint_typed.h"

/* --- rows --- */

/* The protocols, as bits. */
#define LINT_PROTOCOL_BIT(name) LINT_##name = 1u << PROTOCOL_ID_##name,
enum { PROTOCOLS(LINT_PROTOCOL_BIT) LINT_ANY = (1u << PROTOCOL_COUNT) - 1 };
#undef LINT_PROTOCOL_BIT

/* What a rule looks at. */
enum lint_phase {
	LINT_ON_HEAD,    /* the head of the response */
	LINT_ON_READ,    /* a read, when the next one or the end arrives */
	LINT_ON_ODDITY,  /* something unusual about the bytes of an event stream */
	LINT_ON_FRAME,   /* a frame */
	LINT_ON_BROKEN,  /* text in a frame that is not JSON */
	LINT_ON_VALUE,   /* a JSON value of a frame */
	LINT_ON_LATE,    /* a JSON value behind the end mark or an error */
	LINT_ON_STRANGE, /* a JSON value that is none of the protocol */
	LINT_ON_EVENT,   /* a JSON value of the answer, not an error: a chunk, an event, a line */
	LINT_ON_CHOICE,  /* openai-chat: an element of `choices` */
	LINT_ON_CALL,    /* openai-chat: an element of `tool_calls` */
	LINT_ON_USAGE,   /* a usage object of any protocol */
	LINT_ON_ERROR,   /* an error, in the stream or as an error body */
	LINT_ON_TOOL,    /* a call that the client is to run, when it is complete */
	LINT_ON_NOTICE,  /* a deviation that the guard tells */
	LINT_ON_DONE,    /* data: [DONE] */
	LINT_ON_END,     /* the end of the stream */
	LINT_PHASES
};

/* Which word of a dialect about [DONE] the rule depends on. */
enum lint_end_mark { LINT_END_MARK_ANY, LINT_END_MARK_SENT, LINT_END_MARK_NONE };

typedef void lint_check(struct lint *l);

struct lint_rule {
	const char *id;
	enum lint_severity severity;
	unsigned protocols, dialects;
	enum lint_phase phase;
	enum lint_end_mark end_mark;
	lint_check *check;      /* calls lint_report() */
	const char *promise, *source, *breaks;
};

/* The rows of a subject, in its file. The order of groups is that of lint_rule_at(). */
struct lint_group { const struct lint_rule *rows; size_t count; };
#define LINT_GROUPS(X) X(framing) X(stream) X(chunks) X(calls) X(gateways) X(anthropic) X(responses) X(gemini) X(ollama) X(media)
#define LINT_GROUP_EXTERN(name) extern const struct lint_group lint_group_##name;
LINT_GROUPS(LINT_GROUP_EXTERN)
#undef LINT_GROUP_EXTERN

#define LINT_RULES_MOST 512

/* --- state --- */

/* What is known about the request. */
struct lint_request {
	bool known;
	bool stream;        /* it asks for a stream */
	bool usage;         /* stream_options.include_usage */
	bool many;          /* it asks for more than one answer */
	bool routed;        /* its model is sansa-auto */
};

/* The usage of an answer: what was sent last. -1: absent. */
struct lint_usage {
	const struct json *object;
	int64_t prompt, completion, total, cached, reasoning;
	const char *not_a_count;  /* name of a member that is not a count; NULL: none */
	bool zero;
};

/* Choices of openai-chat, candidates of Gemini. */
struct lint_choices {
	int64_t index;           /* of the choice; that of the answer if none was sent */
	bool is_shown;           /* it is of the answer that is shown, as the decoders choose it (decode_is_of_answer()) */
	/* so far, without the choice */
	bool begun;              /* a choice has come */
	int64_t shown;           /* the index of the answer that is shown */
	struct lint_set seen, finished; /* indices that have come; those with a finish word */
	bool mixed;              /* one frame had two indices, or an index came back after another one */
	int64_t last;            /* index of the last choice ... */
	size_t last_frame;       /* ... and its frame */
	struct frame_place other; /* of the first choice that is not shown; frame 0: none */
};

struct lint_error {
	const struct json *value;  /* the whole value */
	const struct json *error;  /* its `error`, or the value itself */
	struct str event;          /* the event's name */
	bool in_body;              /* an error body: the status is not 2xx */
};

struct lint {
	lint_sink *sink;
	void *ctx;
	struct stream_tap tap;
	const struct dialect *dialect;
	bool stops_early;              /* the client stops reading at the end mark or an error */
	struct lint_request request;
	const struct protocol *protocol; /* NULL: unknown */
	const struct lint_rule *active[LINT_PHASES][LINT_RULES_MOST]; /* rules of the protocol and dialect, by phase, NULL at the end */
	size_t counts[LINT_RULES_MOST];

	size_t bytes, frames;          /* received, of all bodies */

	/* the place of findings, and the rule that is checked; from here on the state is of one body, see lint_begin_body() */
	struct frame_place place;
	const struct lint_rule *rule;

	/* the head */
	const struct response_head *head; /* in phase HEAD */
	char content_type[64];            /* without parameters; "": none */
	int status;

	/* bytes */
	enum framer_oddity oddity;        /* in phase ODDITY */
	const struct frame *frame;        /* in phase FRAME */
	bool frame_is_utf8;
	struct str broken;                /* in phase BROKEN */
	struct frame_place frame_place;   /* of the last frame; frame 0: none */
	size_t values_in_frame;
	size_t body_at;                   /* the bytes before this body */
	size_t bom;                       /* bytes of a byte order mark that the body begins with */
	bool begun;                       /* something else than that and blanks has come */
	char first;                       /* the first of it; 0: none yet, or a NUL */

	/* values */
	const struct message *message;    /* in phases VALUE to ERROR */
	size_t values;
	struct lint_error error;          /* in phase ERROR */
	struct lint_usage usage;          /* in phase USAGE; else the last one */
	size_t usages;
	struct frame_place usage_place;
	size_t errors;
	bool done;                        /* [DONE] has come */

	struct lint_choices choices;
	struct lint_chat chat;
	struct lint_anthropic anthropic;
	struct lint_responses responses;
	struct lint_gemini gemini;
	struct lint_ollama ollama;

	/* deltas */
	const struct delta *tool;         /* in phase TOOL: the delta that ends a call */
	const struct delta *notice;       /* in phase NOTICE */
	struct lint_prints tool_ids;      /* of the calls that have ended */
	struct frame_place tool_places[LINT_CALLS_MOST]; /* where a call began, by its number */
	bool content;                     /* text, reasoning, a refusal or a call has come */
	struct frame_place content_place;
	size_t calls;
	bool free_arguments;              /* a call of a custom tool has come: its arguments are free text */
	struct frame_place bad_arguments;       /* of the first call whose arguments are not JSON; frame 0: none */
	bool finished;                    /* a finish word has come */
	enum outcome finish_outcome;      /* what it means */
	enum outcome outcome;             /* in phase END */
	enum end_how how;                 /* in phase END; only END_CLOSED says something about the server */
	bool over;                        /* the end has come */

	/* time */
	bool timed;
	double head_ms, read_ms;          /* of the head and of the last read; negative: none */
	double pause_ms;                  /* before the last read */
	size_t read_frames, read_content; /* frames of the last read, and those with content */
	size_t reads;
};

/* Reports a finding of the rule that is checked, at l->place. */
void lint_report(struct lint *l, const char *format, ...) PRINTF_LIKE(2, 3);
/* The same at another place. */
void lint_report_at(struct lint *l, const struct frame_place *place, const char *format, ...) PRINTF_LIKE(3, 4);
void lint_run(struct lint *l, enum lint_phase phase); /* checks the rules of the phase */
/* For typed events: reports an event without a type, and one whose name is not its type. */
void lint_report_untyped(struct lint *l, struct str type);
void lint_report_misnamed(struct lint *l, struct str type);

/* Takes a usage object: sets l->usage and checks the rules. */
void lint_take_usage(struct lint *l, const struct json *object);
void lint_take_error(struct lint *l, const struct json *error, bool in_body);
/* A choice or candidate: sets l->choices before its rules are checked, and keeps it when they were. */
void lint_take_choice(struct lint *l, const struct json *index);
void lint_keep_choice(struct lint *l, struct str finish);

/* --- protocols --- */

void lint_chat_value(struct lint *l);
void lint_anthropic_value(struct lint *l);
void lint_responses_value(struct lint *l);
void lint_gemini_value(struct lint *l);
void lint_ollama_value(struct lint *l);
void lint_chat_call(struct lint *l, const struct json *call, int64_t place); /* a fragment of a call; place: of one without an index; -1: none */
void lint_chat_marks(struct lint *l);                          /* what of the chunk only one gateway sends */
void lint_chat_error_marks(struct lint *l);

/* --- OpenAI Responses --- */

bool lint_is_of_tool(struct str type); /* the type of an event of a tool that the server runs: response.web_search_call.searching */
/* Report members that are absent or of another kind: of the event, of a whole response. `item` is what a report calls an element of `output`. */
void lint_responses_event_shape(struct lint *l, enum lint_fault fault);
void lint_response_shape(struct lint *l, enum lint_fault fault, const char *item, const struct json *response);

#endif
