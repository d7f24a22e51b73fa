/*
 * The view: everything that panes may read. The program fills it in before each frame. Panes only read it.
 */
#ifndef WEIR_UI_VIEW_H
#define WEIR_UI_VIEW_H

#include "base/text.h"
#include "chat/conversation/meter.h"
#include "ui/canvas.h"
#include "ui/picture.h"
#include "wire/outcome.h"
#include "wire/request.h"

/* The program's state, as the status bar shows it. While a tool of the server runs, it is what that tool does. */
enum view_state {
	VIEW_READY, VIEW_KEY, VIEW_CONNECTING, VIEW_WAITING, VIEW_STREAMING, VIEW_SEARCHING, VIEW_RUNNING_CODE, VIEW_DRAWING, VIEW_RETRYING,
	VIEW_PAUSED, VIEW_REPLAYING, VIEW_RUNNING_TOOLS,
};

const char *view_state_name(enum view_state state);

/*
 * The fields of the status bar (ui/pane/status.h): names, usage figures (wire/usage.h), pace. When the bar is too narrow, the field
 * with the lowest rank is dropped first; one with rank 0 is not shown. Gap: blanks before the field. Faces: those of the bar that show it.
 *
 *        field    rank gap faces
 */
#define STATUS_NAMES(X)                                  \
	X(STATE,     100, 0, STATUS_OF_BOTH)             \
	X(MODEL,     60,  1, STATUS_OF_BOTH)             \
	X(PROVIDER,  5,   1, STATUS_OF_CONVERSATION)     \
	X(KEPT,      59,  2, STATUS_OF_BOTH)             \
	X(TURNS,     6,   2, STATUS_OF_CONVERSATION)     \
	X(TOKENS,    1,   2, STATUS_OF_BOTH)
#define STATUS_PACE(X)                                   \
	X(RATE,      9,   1, STATUS_OF_TURN)             \
	X(SPARKLINE, 2,   1, STATUS_OF_TURN)             \
	X(FIRST,     4,   2, STATUS_OF_TURN)             \
	X(ELAPSED,   3,   1, STATUS_OF_TURN)             \
	X(LINT,      12,  2, STATUS_OF_TURN)             \
	X(MONEY,     10,  2, STATUS_OF_CONVERSATION)     \
	X(CONTEXT,   11,  2, STATUS_OF_CONVERSATION)     \
	X(SET,       2,   3, STATUS_OF_CONVERSATION)     \
	X(KEYS,      55,  2, STATUS_OF_BOTH)

/* The bar has two faces: one for the running turn (also for a replay), one for the conversation while no request runs. */
enum status_face { STATUS_OF_TURN = 1, STATUS_OF_CONVERSATION = 2, STATUS_OF_BOTH = 3 };

enum status_field {
#define X(upper, ...) STATUS_##upper,
	STATUS_NAMES(X) USAGE_FIGURES(X) STATUS_PACE(X)
#undef X
	STATUS_COUNT
};

/* Where reasoning is shown while it streams. Finished reasoning is a fold, unless it is hidden. */
enum reasoning_view {
	REASONING_VIEW_PANE,    /* in a pane of its own */
	REASONING_VIEW_TAIL,    /* its last lines, in the page */
	REASONING_VIEW_FOLDED,  /* one line with its duration and size */
	REASONING_VIEW_HIDDEN,  /* not shown, but counted; the source of answers and the details still show it */
	REASONING_VIEW_COUNT,
};
const char *reasoning_view_name(enum reasoning_view view);
MUST_USE bool reasoning_view_find(struct str name, enum reasoning_view *view, struct error *err); /* errors list the names */

#define VIEW_QUIET_MS 5000 /* a shorter silence is not shown */

/* Keys of commands as they are bound, for hints: the first of each; NULL or "": none is. */
struct view_keys { const char *palette, *fold, *details, *retry, *edit, *proceed, *answer; };

/*
 * The look: the current value of every setting that affects drawing. The program owns it; panes borrow it through the view.
 */
struct look {
	unsigned text_width;          /* maximum width of text in columns; 0: no limit */
	enum reasoning_view reasoning;
	bool raw;                     /* show the source of answers instead of rendered markdown */
	bool clip_code;               /* clip long lines of code and scroll them horizontally instead of wrapping them */
	bool code_band;               /* the theme has a background for code, and the terminal shows it */
	bool strikes;                 /* the terminal can strike text through */
	enum images images;           /* which images are drawn */
	unsigned picture_rows;        /* a picture has no more, so that words are beside it; 0: no limit but its own */
	bool ascii;                   /* draw sparkline and bars in ASCII: the font has no block elements */
	struct view_keys keys;
};

/* What the next request carries besides the conversation. */
struct view_set {
	const char *role;             /* NULL: none */
	bool system, tools, schema;
	unsigned tool_count;          /* 0: the file has not been read yet */
	const char *reasoning;        /* name of the level; NULL: unset */
	unsigned server_tools;        /* bits of enum server_tool (wire/request.h) */
	bool parameters;              /* some were set in the program, besides reasoning and server tools */
};

struct hits;

#define VIEW_QUEUED_SHOWN 3
struct view_queued { unsigned number; struct str prompt; size_t files; }; /* number: its place in the line, from 1 */

/* A call that runs here. */
#define VIEW_RUNS_SHOWN 4
struct view_run {
	unsigned call;
	const char *name, *state;     /* "running", "stopping"; in a replay how it ended, too */
	struct str output;            /* what it has written, any bytes */
	const char *share;            /* how far it is, in place of the size: "30 %"; "": not known; NULL: it says so by what it writes */
	double ms;                    /* how long it has run */
};

struct view {
	const struct conversation *conversation;
	const struct turn *live;      /* the turn that receives deltas; NULL when no request runs */
	enum view_state state;
	double at_ms;                 /* current time of the stream's clock */
	bool side_by_side;            /* the siblings of its answer stand beside it: they are not counted */
	bool exact;                   /* the player stands still: figures are those of this very place, not of the last quarter second */
	int64_t quiet_ms;             /* time since the last byte while a request runs, else 0 */
	int64_t quiet_limit_ms;       /* silence after which the stream counts as stalled; 0: no limit */
	size_t findings;              /* of lint in the running turn, or up to the position of a replay */
	int64_t retry_ms;             /* time until the request is sent again (VIEW_RETRYING) */
	struct str provider, model, protocol; /* used for the next request */
	struct view_set set;          /* not filled in while a request runs */
	int64_t context_tokens;       /* context length of the next request's model; 0: unknown */
	bool context_is_rough;        /* it is neither the user's nor the provider's word */
	const char *message;          /* temporary message ("copied the id"); NULL: none */
	bool message_is_error;
	const char *budget;           /* "today $1.70 of $2.00"; NULL: it is not near */
	const char *unkept;           /* "private", "not kept": the conversation is not stored; NULL: it is */
	bool of_messages;             /* a replay of a session with an MCP server: no model answers, and there are no tokens */
	bool replay;                  /* a replay: there is no input, and the transcript has the focus */
	bool is_demo;                 /* the welcome text suggests the demo's prompts */
	const struct look *look;      /* never NULL */
	const struct pictures *pictures; /* decodes images; NULL: none are drawn */
	struct hits *hits;            /* search hits to mark; NULL: none */
	const char *help_key;         /* the key that opens the help now; NULL or "": none */
	unsigned help_key_columns;    /* the width of the widest key that opens the help at some time */
	unsigned queued;              /* prompts that will be sent after the current answer */
	struct view_queued queue[VIEW_QUEUED_SHOWN]; /* those of them that are shown, in their order */
	unsigned run_count;           /* calls that run here, as many as are shown */
	struct view_run runs[VIEW_RUNS_SHOWN];
	const char *queued_keys;      /* keys that work on them now ("Up edit"); NULL: none */
};

#endif
