/*
 * The view: all that panes may read. Filled by the program before each frame; panes draw it and change nothing.
 */
#ifndef WEIR_UI_VIEW_H
#define WEIR_UI_VIEW_H

#include "chat/conversation.h"
#include "ui/canvas.h"

/* What the status bar calls the program's state. */
enum view_state { VIEW_READY, VIEW_KEY, VIEW_CONNECTING, VIEW_WAITING, VIEW_STREAMING, VIEW_RETRYING, VIEW_PAUSED, VIEW_REPLAYING };

/*
 * What the status bar can tell (ui/pane/status.h): who answers, the figures of usage (wire/usage.h), the pace. The field of the
 * lowest rank is dropped first; one of rank 0 is shown only where it is asked for by name. Gap: blanks before the field.
 *
 *        field      word         rank gap
 */
#define STATUS_NAMES(X)                        \
	X(STATE,     "state",     100, 0)      \
	X(PROVIDER,  "provider",  6,   1)      \
	X(MODEL,     "model",     60,  1)      \
	X(ROUTED,    "routed",    7,   1)      \
	X(PROTOCOL,  "protocol",  5,   2)
#define STATUS_PACE(X)                         \
	X(RATE,      "rate",      10,  2)      \
	X(SPARKLINE, "sparkline", 2,   1)      \
	X(FIRST,     "first",     4,   2)      \
	X(ELAPSED,   "elapsed",   3,   2)      \
	X(KEYS,      "keys",      1,   3)

enum status_field {
#define X(upper, ...) STATUS_##upper,
	STATUS_NAMES(X) USAGE_FIGURES(X) STATUS_PACE(X)
#undef X
	STATUS_COUNT
};

/* The fields that are wanted, in the order of the screen. */
struct status_choice { uint8_t fields[STATUS_COUNT], count; };

/* Where reasoning is shown while it comes. Over, it is one line that unfolds, unless it is hidden. */
enum reasoning_view {
	REASONING_IN_PANE, /* in a pane of its own */
	REASONING_TAIL,    /* its last lines, at its place in the page */
	REASONING_FOLDED,  /* one line with time and size */
	REASONING_HIDDEN,  /* nowhere: it is counted, and shown with the source of answers and in the details */
	REASONING_VIEWS,
};
const char *reasoning_view_name(enum reasoning_view view);
MUST_USE bool reasoning_view_find(struct str name, enum reasoning_view *view, struct error *err); /* errors list the names */

#define VIEW_QUIET_MS 5000 /* of silence, before it is counted */

/*
 * The look: the present value of every setting that concerns drawing. The program owns it; what draws borrows it through the view.
 */
struct look {
	unsigned text_width;          /* most columns of text; 0: all */
	enum reasoning_view reasoning;
	bool raw;                     /* answers are shown as their source instead of as markdown */
	bool clip_code;               /* long lines of code are cut and scrolled sideways instead of wrapped */
	bool links;                   /* the terminal is told where links lead */
	bool ascii;                   /* the sparkline consists of letters: the font has no block elements */
	struct status_choice status;  /* fields of the status bar */
};

struct hits;

struct view {
	const struct conversation *conversation;
	const struct turn *live;      /* the turn that deltas go to, NULL when none runs */
	enum view_state state;
	double at_ms;                 /* the stream's clock, now */
	int64_t quiet_ms;             /* since the last byte, while something runs; else 0 */
	int64_t quiet_limit_ms;       /* after which it counts as stalled; 0: none */
	int64_t retry_ms;             /* until the request is sent again (VIEW_RETRYING) */
	struct str provider, model, protocol; /* of the next turn */
	const char *message;          /* a passing word for the status bar ("copied the id"), NULL for none */
	bool replay;                  /* no input; the transcript has the focus */
	bool is_demo;                 /* the welcome offers what the demo knows */
	const struct look *look;      /* never NULL */
	struct hits *hits;            /* of the search, to be marked; NULL: none */
	unsigned queued;              /* prompts that wait for the answer to end */
};

#endif
