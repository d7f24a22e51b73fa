/*
 * A turn: a user's or a model's, made of parts. Deltas change an assistant turn and its revision.
 *
 * A turn owns its text. A part's text grows only while the part is open and is immutable afterwards. Pointers into closed parts stay valid
 * until the turn is freed, so a request may borrow them.
 *
 * A user turn consists of tool results, media that came with them, text and attachments. An assistant turn consists of parts in order of
 * appearance. How turns hang together is told in conversation.h, which owns them.
 */
#ifndef WEIR_CHAT_TURN_H
#define WEIR_CHAT_TURN_H

#include <time.h>

#include "chat/conversation/citations.h"
#include "chat/conversation/cost.h"
#include "chat/conversation/meter.h"
#include "wire/media.h"
#include "wire/request.h"

/*
 * What became of a call that runs here (app/tools/tool_calls.h), in this run of the program. Those before CALL_RUN_ASKS are the user's to answer:
 * CALL_RUN_UNKNOWN is of a tool that nobody has, CALL_RUN_UNOFFERED of one that was not offered.
 */
enum call_run {
	CALL_RUN_NONE, CALL_RUN_UNKNOWN, CALL_RUN_UNOFFERED, CALL_RUN_ASKS, CALL_RUN_WAITS, CALL_RUN_RUNS, CALL_RUN_RAN, CALL_RUN_FAILED,
	CALL_RUN_REFUSED, CALL_RUN_LATE, CALL_RUN_STOPPED,
};

struct part {
	enum part_kind kind;
	unsigned number;       /* part number of the delta (text, reasoning, refusal, opaque) */
	int call;              /* index of the call in the turn, also for its result and its opaque data; of the server's tool, also for its
	                          result; -1: no call */
	struct buf text;       /* text, reasoning, arguments, input, result, opaque data, attachment bytes; media: what is said in it or of it */
	struct blob *data;     /* media: the decoded bytes, NULL if there are none, of the last partial picture while no final one came */
	char *id;              /* tool call, tool result: "" if the server sent none; media, server's tool */
	char *name;            /* tool name, opaque format, file name; media: the URL */
	char *media;           /* attachment, media: MIME type; NULL: unknown */
	enum media_kind media_kind;
	unsigned partials;     /* media: partial pictures that came before the final one */
	bool thought;          /* media: a picture of the model's thinking */
	bool open;             /* may still grow */
	bool valid;            /* tool call: its arguments are complete JSON; media: all of it came whole; server's tool: it completed */
	bool is_error;         /* tool result; server's tool and its result: it failed */
	enum call_run run;     /* tool call */
	double run_ms;         /* how long it has run */
	struct estimate size;  /* text, reasoning, refusal: estimated tokens */
	double begun_ms, ended_ms; /* at_ms */
};

/*
 * The text of the result of a call that the user skipped; words to the model may follow. Any other result with `is_error` is that of a tool that
 * ran and failed.
 */
#define RESULT_SKIPPED "The user chose not to run this tool."
bool part_is_skipped(const struct part *p);
#define RESULT_UNKNOWN RESULT_SKIPPED " There is no tool of this name here." /* the same of a CALL_RUN_UNKNOWN */

/* Origin or destination of a turn. Opaque parts are sent back only to the same scope. */
struct scope {
	char *provider, *model; /* model as requested */
	const struct protocol *protocol;
	const char *protocol_name; /* "" while a replay has not detected it */
};

/* The point at which another request continues a broken answer. Earlier parts stay. */
struct joint {
	size_t part;           /* the first part after the joint */
	bool by_words;         /* the model was asked with CONTINUE_WORDS; false: the text so far was sent as the beginning of its answer */
	enum outcome outcome;  /* of the broken answer */
};

#define CONTINUE_WORDS "Your last message broke off. Go on from exactly where it ended: repeat nothing of it and comment on nothing. " \
	"Where it ended inside a block of code, open that block again first."

/* A notice of the wire layer, or our own (rule "weir"), and the number of parts when it came. */
struct note { char *rule, *text; size_t part; };
#define NOTE_OF_RUN "run" /* the rule of our own that are about this run of the program: shown, but neither stored nor exported */
bool note_is_of_run(const struct note *n);

struct turn {
	enum turn_role role;
	struct turn *parent;    /* NULL: a first turn */
	struct turn *child;     /* the oldest turn below it, removed or not; NULL: none */
	struct turn *next;      /* the next newer sibling, removed or not; NULL: none */
	struct turn *chosen;    /* the turn below it through which the path last went; NULL: none yet */
	size_t depth;           /* number of turns above it, its index in a path */
	size_t number;          /* its index in the conversation's nodes */
	size_t removed;         /* number of the removal that took it; 0: it is in the tree */
	long long stored;       /* its row in the store; 0: it is not stored */
	bool is_unread;         /* its parts are in the store only: what there is of it here must not be stored */
	char *label;            /* the user's word for it; NULL: none */
	struct part *parts;
	size_t part_count, part_capacity;
	time_t wall;            /* when it was sent or began */

	/* assistant turns */
	struct scope scope;
	char *id, *model;       /* as reported by the server; NULL: unknown */
	bool routed_known;      /* a routing object has arrived */
	struct route route;     /* routed_model points to `routed_model` */
	char *routed_model;
	struct usage usage;
	struct usage spent;     /* by the requests before the last joint */
	bool spent_roughly;     /* some of it is estimated or unknown */
	struct money reported;  /* what the server says the request cost */
	struct prices prices;   /* of the model that answered */
	const char *prices_from; /* who says so: "the model list"; static. NULL: nobody */
	struct cost spent_cost; /* of the requests before the last joint */
	bool copied;            /* a copy: what it took counts at the original */
	int64_t context;        /* tokens of the context behind it, where its usage does not say so; 0: unknown */
	bool context_is_rough;  /* `context` is an estimate */
	struct meter meter;
	char *finish_reason;
	bool has_error;
	char *error_message, *error_type, *error_code;
	int error_status;
	struct joint *joints;
	size_t joint_count;
	size_t open_from;       /* the first part to which deltas may still belong */
	char *earlier;          /* details of the requests before the last joint; NULL: none */
	struct citations citations;
	struct note *notes;
	size_t note_count;
	char *waiting;          /* why the turn waits, and until when; NULL: it does not */
	bool is_held;           /* that is no trouble: the request has not begun */
	bool ended;
	enum outcome outcome;
	double ended_ms;        /* at_ms of the end */
	size_t restarted_at;    /* parts before this one were withdrawn by the server (restart); they stay readable */
	bool model_unknown;     /* the server does not know the model: the model menu is offered */
	char *tape;             /* path of its recording; NULL: none */
	char *details;          /* status line, headers, request id and raw error, for the details sheet; NULL: none */
	uint64_t revision;      /* increases with every change; panes use it as cache key */
	uint64_t rewinds;       /* increases when deltas were taken back: a layout of longer texts is of no use then */
};

/* Its place among the turns with the same parent; `at` counts from 0. */
struct siblings { size_t at, count; };

/* Only the conversation makes and frees turns. */
void turn_free(struct turn *t);
/* A turn without a parent, the parts of `from` and all that is known about it; heap. Only for copies of a tree. */
void turn_copy(const struct turn *from, struct turn *to);

/*
 * Pieces of a copy. part_copy() copies all of a part but its text into `to`, a part or a zeroed one. turn_copy_notes() does not free the notes
 * that `to` has.
 */
void part_fini(struct part *p);
void part_copy(const struct part *from, struct part *to);
void turn_drop_notes(struct turn *t);
void turn_copy_notes(const struct turn *from, struct turn *to);

/* Where an assistant turn comes from, or goes to. */
void turn_set_origin(struct turn *t, struct str provider, const struct protocol *protocol, struct str model);

/*
 * An aside: the answer to a request beside the conversation, which wrote its title. It is a first turn without a question, labelled
 * TURN_TITLE. No path leads through it and no branch shows it; it counts in sums and is stored as every turn.
 */
#define TURN_TITLE "title"
bool turn_is_aside(const struct turn *t);

#define TURN_LABEL_MAX 40u
/* Sets the user's word for it, at most TURN_LABEL_MAX bytes without control characters; blank: none. */
void turn_label(struct turn *t, struct str label);
/*
 * The usage of the last request, with an estimate of the completion if the server sent none, and of the prompt once something came and the
 * turn ended; and its cost. The cost of an imported answer (which has no protocol) without counted tokens is unknown.
 */
struct usage turn_usage(const struct turn *t);
struct cost turn_cost(const struct turn *t);
void turn_set_prices(struct turn *t, const struct prices *prices, const char *from);

void turn_set_protocol(struct turn *t, const struct protocol *protocol);

/* The turn ended incomplete and holds text that can be continued: no calls. */
bool turn_can_continue(const struct turn *t);
/*
 * Continues the turn: the deltas of another request make new parts after a joint. Figures, ids and finish reason are those of the new
 * request.
 */
void turn_continue(struct turn *t);
/* Drops the parts, joints, notes and citations. */
void turn_clear(struct turn *t);
/* Drops all that the deltas of an answer with one request made: they come again, from a tape. Our own notes stay. */
void turn_receive_again(struct turn *t);
const struct joint *turn_joint_at(const struct turn *t, size_t part); /* the joint before that part; NULL: none */

/* Adds a closed part at the end of a turn. The text is copied. */
struct part *turn_add(struct turn *t, enum part_kind kind, struct str text, struct str id, struct str name);
/* To a user turn: what came with the result of a call. Holds `data`; `type` is what its sender says of it. */
struct part *turn_add_media(struct turn *t, int call, struct blob *data, struct str type);
void turn_wait(struct turn *t, struct str why); /* STR_NONE: the wait is over */
void turn_hold(struct turn *t, struct str why); /* the same before the request begins */
void turn_note(struct turn *t, struct str rule, struct str text);
/*
 * The text of its first note of a rule; NULL: there is none. Rules of the wire layer: "hint" is an error before the stream as one line
 * (provider, status, request id, advice), "broken" says why decoding stopped, "stalled" how long no byte arrived.
 */
const char *turn_noted(const struct turn *t, const char *rule);
struct part *turn_call(const struct turn *t, unsigned call_index); /* NULL if there is none */
size_t turn_call_count(const struct turn *t);
void turn_write_text(const struct turn *t, struct buf *out); /* appends its text since the last restart: no reasoning, no refusal */
bool turn_is_empty(const struct turn *t); /* no text, reasoning, refusal or call */

/*
 * A delta_sink with the assistant turn as ctx. It does not feed the meter: that happens before the render queue, which coalesces text and
 * would lose its times.
 */
void turn_delta(void *turn, const struct delta *delta);

#endif
