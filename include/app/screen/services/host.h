/*
 * The host: what a part of the full-screen chat may ask of the rest. app/screen/chat_host.c fills it in; parts borrow it for their lifetime.
 */
#ifndef WEIR_APP_HOST_H
#define WEIR_APP_HOST_H

#include "app/system/messages.h"
#include "ui/pane/stack.h"
#include "ui/pane/transcript.h"
#include "ui/term/screen.h"

struct collecting;
struct command;
struct edit;
struct mode;

struct host_ops {
	void (*say)(void *ctx, enum severity severity, int64_t ms, const char *sentence);
	void (*redraw)(void *ctx);
	void (*view)(void *ctx, struct view *view);
	struct turn *(*turn)(void *ctx);
	bool (*run)(void *ctx, struct str line);
	void (*settings_changed)(void *ctx, const char *name);
	void (*close_cards)(void *ctx);
	void (*mark)(void *ctx, const char *folder);
	void (*fill)(void *ctx, struct str text, bool is_line); /* the input (struct actor) */
	void (*write)(void *ctx, struct str text);
	void (*reread)(void *ctx);
};

struct host {
	struct setup *setup;
	struct session *session;
	struct stack *stack;     /* the panes and the focus */
	struct transcript *transcript;
	struct keep *keep;       /* stored conversations; NULL in a replay */
	struct collecting *collecting; /* NULL in a replay */
	struct compare *compare;  /* several models at once; NULL in a replay */
	struct screen *screen;   /* NULL until the terminal is open */
	bool replay;             /* a replay: there is no provider to ask */
	const struct host_ops *ops;
	void *ctx;
};

void host_say(const struct host *h, const char *format, ...) PRINTF_LIKE(2, 3); /* shows a temporary message for 3 s, or until a key after 1 s */
void host_fail(const struct host *h, const char *format, ...) PRINTF_LIKE(2, 3); /* an error: 3 s, and until a key (app/system/messages.h) */
void host_say_for(const struct host *h, int64_t ms, const char *sentence);      /* shows one for `ms`; 0 removes the message */
void host_redraw(const struct host *h);                                         /* requests a frame */
void host_view(const struct host *h, struct view *view);
/*
 * The turn that keys act on: that of the open details, else, while the page has the focus, the one that it is on; NULL: the last one.
 * host_answer() is that turn if it is an answer, or the answer to it, else the last answer; NULL: there is none.
 */
struct turn *host_turn(const struct host *h);
struct turn *host_answer(const struct host *h);
bool host_run(const struct host *h, struct str line);      /* "model gpt-x", without the slash; false: there is no such command */
/* False, with a message, if the command reads a file and Enter arrived in one burst with the line. */
bool host_may_run(const struct host *h, const struct command *command, const struct key *enter);
/*
 * Enter in a line that is for something else (command_line()). Runs the command that the line names, after the mode that
 * shows the line was left; for the beginning of a name, says which commands begin so. False: the line is text.
 */
bool host_runs_line(const struct host *h, const struct edit *line, bool slashed, const struct key *enter, const struct mode *mode, void *part);
/* Whether `key` is bound to a command, given by its name in [keys]. */
bool host_key_is(const struct host *h, const struct key *key, const char *command);
/* The first key of a command, as text; "" if none is bound. */
const char *host_key(const struct host *h, const char *command);
/* For a key that a part has no use for. True: it is text, and the input has the focus now: the caller passes the key on. False in a replay. */
bool host_types(const struct host *h, const struct key *key);
void host_write(const struct host *h, struct str text); /* into the input, at its cursor */
bool host_is_over_budget(const struct host *h, struct buf *sentence); /* appends what was spent */
void host_settings_changed(const struct host *h, const char *name); /* a setting has changed; its new value takes effect now */
void host_reread(const struct host *h);                    /* weir.conf, if it has changed: before a prompt is sent or a command runs */
void host_close_cards(const struct host *h);               /* what opens a card calls this first */
struct actor host_actor(const struct host *h);             /* its sentences are passing words */

#endif
