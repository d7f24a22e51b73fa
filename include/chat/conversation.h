/*
 * The conversation: turns made of parts. Deltas go in, a turn's revision tells that it changed; requests are projected from it.
 *
 * It owns all text. A part's text only grows while it is open and is immutable afterwards; pointers into closed parts stay
 * valid until the conversation is freed, which is why a request may borrow them. Turns are never removed: one that was
 * retried stays readable and is marked superseded, and is not sent again.
 *
 *   conversation = { user turn | assistant turn }       user turn: tool results, text, attachments
 *                                                       assistant turn: parts in order of appearance
 */
#ifndef WEIR_CHAT_CONVERSATION_H
#define WEIR_CHAT_CONVERSATION_H

#include <time.h>

#include "chat/meter.h"
#include "wire/request.h"

struct part {
	enum part_kind kind;
	unsigned number;       /* delta's part number (text, reasoning, refusal, opaque) */
	int call;              /* tool calls: index in the turn; tool results and opaque of a call: that of the call; else -1 */
	struct buf text;       /* text, reasoning, arguments, result, opaque data, attachment bytes */
	char *id;              /* tool call, tool result: "" when the server sent none */
	char *name;            /* tool name, opaque format, file name */
	char *media;           /* attachment */
	bool open;             /* it may still grow */
	bool valid;            /* tool call: its arguments are whole */
	bool is_error;         /* tool result */
	struct estimate size;  /* text, reasoning, refusal: in estimated tokens */
	double begun_ms, ended_ms; /* at_ms */
};

/* Where a turn came from or went to: opaque parts go back only to the same. */
struct scope {
	char *provider, *model; /* model as asked */
	const struct protocol *protocol;
	const char *protocol_name; /* "" while unknown (a replay that has not detected it) */
};

/* Where an answer that had broken off goes on with another request. What had come stays. */
struct joint {
	size_t part;           /* the first one behind it */
	bool by_words;         /* the model was asked to, in CONTINUE_WORDS; else what had come was sent as the beginning of its answer */
	enum outcome outcome;  /* how it had ended */
};

#define CONTINUE_WORDS "Your last message broke off. Go on from exactly where it ended: repeat nothing of it and comment on nothing. " \
	"Where it ended inside a block of code, open that block again first."

struct note { char *rule, *text; }; /* a notice of the wire, or one of ours (rule "weir") */

struct turn {
	enum turn_role role;
	struct part *parts;
	size_t part_count, part_capacity;
	time_t wall;            /* when it was sent or began */

	/* assistant turns */
	struct scope scope;
	char *id, *model;       /* as the server said; NULL while unknown */
	bool routed_known;      /* the routing object came */
	struct route route;     /* routed_model points to `routed_model` */
	char *routed_model;
	struct usage usage;
	struct meter meter;
	char *finish_reason;
	bool has_error;
	char *error_message, *error_type, *error_code;
	int error_status;
	struct joint *joints;
	size_t joint_count;
	size_t open_from;       /* the first part that deltas may still belong to */
	char *earlier;          /* details of the requests before the last joint; NULL */
	struct note *notes;
	size_t note_count;
	char *waiting;          /* why nothing comes for now, and until when; NULL */
	bool ended;
	enum outcome outcome;
	double ended_ms;        /* at_ms of the end */
	bool superseded;        /* retried: not sent again */
	bool edited;            /* superseded, because the prompt was edited */
	size_t restarted_at;    /* parts before this one were taken back by the server (restart); they stay readable */
	bool model_unknown;     /* the server does not know the model: the menu is offered */
	char *tape;             /* path of the file that it is recorded in; NULL: none */
	char *details;          /* status line, headers, request id, raw error: for the details sheet; NULL */
	uint64_t revision;      /* rises with every change: panes cache by it */
};

struct conversation {
	struct turn **turns;
	size_t count, capacity;
};

struct conversation *conversation_new(void);
void conversation_free(struct conversation *c);
struct turn *conversation_last(const struct conversation *c);        /* NULL when empty */
struct turn *conversation_last_answer(const struct conversation *c); /* the newest one, under way or not; NULL when there is none */

/* A new user turn; add to it with turn_add(). */
struct turn *conversation_ask(struct conversation *c);
/* A new assistant turn that deltas go to. */
struct turn *conversation_answer(struct conversation *c, struct str provider, const struct protocol *protocol, struct str model);

void turn_set_protocol(struct turn *t, const struct protocol *protocol);

/* It ended without being whole, and holds text that can be gone on from: no calls, not retried. */
bool turn_can_go_on(const struct turn *t);
/* It goes on: deltas of another request make parts of their own behind a joint. Figures, ids and finish are those of the new one. */
void turn_go_on(struct turn *t);
const struct joint *turn_joint_at(const struct turn *t, size_t part); /* before that part; NULL: none */

/* A closed part at the end of a turn; text is copied. */
struct part *turn_add(struct turn *t, enum part_kind kind, struct str text, struct str id, struct str name);
void turn_wait(struct turn *t, struct str why); /* STR_NONE: it goes on */
void turn_note(struct turn *t, struct str rule, struct str text);
struct part *turn_call(const struct turn *t, unsigned call_index); /* NULL when there is none */
size_t turn_call_count(const struct turn *t);
bool turn_is_empty(const struct turn *t); /* no text, reasoning, refusal or call */

/*
 * A delta_sink whose ctx is the assistant turn. The meter is not touched: it is fed before the render queue, which
 * coalesces text and so would blur its times.
 */
void turn_delta(void *turn, const struct delta *delta);

/*
 * Projects the conversation up to (not including) turn `end` for a scope. Superseded and empty turns are left out, opaque
 * and reasoning parts are kept only where the turn's scope is the same, every call gets a result (calls without one go back
 * as not run; calls with invalid arguments go back with `{}` and say so), neighbours of one role become one message.
 * The projection borrows the conversation's text and must be freed before it.
 */
struct projection {
	struct request_message *messages;
	size_t count;
	struct projection_memory *memory; /* private */
};
void conversation_project(const struct conversation *c, size_t end, const struct scope *scope, struct projection *out);
void projection_fini(struct projection *p);

#endif
