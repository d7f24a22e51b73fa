/*
 * The view: all that panes may read. Filled by the program before each frame; panes draw it and change nothing.
 */
#ifndef WEIR_UI_VIEW_H
#define WEIR_UI_VIEW_H

#include "chat/conversation.h"
#include "ui/canvas.h"

/* What the status bar calls the program's state. */
enum view_state { VIEW_READY, VIEW_KEY, VIEW_CONNECTING, VIEW_WAITING, VIEW_STREAMING, VIEW_PAUSED, VIEW_REPLAYING };

struct view {
	const struct conversation *conversation;
	const struct turn *live;      /* the turn that deltas go to, NULL when none runs */
	enum view_state state;
	double at_ms;                 /* the stream's clock, now */
	int64_t quiet_ms;             /* since the last byte, while something runs; else 0 */
	int64_t quiet_limit_ms;       /* after which it counts as stalled; 0: none */
	struct str provider, model, protocol; /* of the next turn */
	const char *message;          /* a passing word for the status bar ("copied the id"), NULL for none */
	bool replay;                  /* no input; the transcript has the focus */
	bool is_demo;                 /* the welcome offers what the demo knows */
	unsigned text_width;          /* most columns of text; 0: all */
	unsigned queued;              /* prompts that wait for the answer to end */
};

#endif
