/*
 * Actions: the effects of slash words on setup and session, shared by the full screen and the linear mode. Each reports one sentence.
 */
#ifndef WEIR_APP_ACTIONS_H
#define WEIR_APP_ACTIONS_H

#include "app/keep/keep.h"
#include "app/system/messages.h"

struct collecting;
struct provider;
struct tool;

struct actor { /* borrows all members */
	struct setup *setup;
	struct session *session;
	struct keep *keep; /* NULL in a replay */
	struct turn *turn; /* the turn that is meant; NULL: the last one */
	const struct part *media; /* the item of media that is meant, with bytes or without; NULL: the last one with bytes */
	struct collecting *collecting; /* for addresses and commands; NULL in a replay */
	void (*mark)(void *ctx, const char *folder); /* has the user mark files of a folder */
	/* Puts a text into the input, to be looked at. `is_line`: a line that was typed and did not work, where nothing else stands. */
	void (*fill)(void *ctx, struct str text, bool is_line);
	bool unattended; /* nobody can be asked: lines come from a pipe */
	bool replay; /* a replay has no provider: actions that would send a request are refused */
	void (*say)(void *ctx, enum severity severity, const char *sentence);
	void *ctx;
};

/* `argument`: the words after the slash word, trimmed; "" if there are none. */
typedef void action(const struct actor *a, struct str argument);

/* These take a name. Without one the caller opens a menu instead. */
void act_model(const struct actor *a, struct str name);
void act_protocol(const struct actor *a, struct str name);
/*
 * "NAME", "setup NAME" or "add". True: the mode opens its form, of `p`, or of a new provider if that is NULL; one that lacks something is set
 * up first.
 */
bool act_provider(const struct actor *a, struct str words, const struct provider **p);

/* The item of media that is meant, with its bytes; NULL, with a sentence: there is none, or its bytes are not here. */
const struct part *act_media(const struct actor *a);
void act_media_name(const struct part *media, struct buf *out); /* appends "image.png" */
void act_attach(const struct actor *a, struct str path); /* last: what the model gave last */
void act_save(const struct actor *a, struct str path);   /* the conversation into a file; with a suffix that no form of it has, the item of media */
void act_tools(const struct actor *a, struct str path);
/* What can stand behind the name of a tool in /tools; NULL after the last. */
struct act_tool_word { const char *name, *help; };
const struct act_tool_word *act_tool_word_at(size_t index);
bool act_names_tool(struct setup *s, struct str name);       /* or an MCP server */
bool act_names_tool_word(struct str line);                   /* "NAME ask" */
const char *act_tool_words(struct setup *s, const struct tool *tool); /* what holds for it here: "off", "always in this conversation" */
void act_schema(const struct actor *a, struct str path);
void act_system(const struct actor *a, struct str text);
void act_role(const struct actor *a, struct str name);        /* off: none */
void act_parameters(const struct actor *a, struct str words); /* "temperature 0.5", "temperature off", "off" */
/*
 * Fills "NAME words" and appends the prompt to `out`; the template's role and model are used from then on. False, with a sentence: nothing
 * was changed.
 */
bool act_fill_template(const struct actor *a, struct str line, struct buf *out);
/*
 * "NAME:PROMPT words": the prompt of an MCP server is filled, and put into the input when it has come. False: NAME is no server of the settings, or
 * what follows is no prompt's name.
 */
bool act_server_prompt(const struct actor *a, struct str line);
void act_server_tools(const struct actor *a, struct str names);
void act_reasoning(const struct actor *a, struct str level);

bool act_asks(const struct actor *a);     /* whether requests are possible; false, with a sentence, in a replay */
/* False, with a sentence, if the budget is spent: the same `what`, a literal, passes the next time (app/keep/budget.h). */
bool act_may_spend(const struct actor *a, const char *what);
bool act_may_send_queued(const struct actor *a); /* the same for the prompts in line */
void act_tell_left(const struct actor *a); /* in the linear mode, after a request was sent: tells session_left() and the command that goes there */
bool act_retry(const struct actor *a);    /* false: no request was started */
bool act_continue(const struct actor *a); /* false: no request was started */
bool act_compact(const struct actor *a, struct str words); /* false: no request was started */
bool act_new(const struct actor *a);
void act_rename(const struct actor *a, struct str title); /* of the conversation; "": tells it */
void act_private(const struct actor *a, struct str argument); /* begins or ends a private time */
void act_pause(const struct actor *a, struct str argument); /* of a replay */
void act_step(const struct actor *a, struct str argument);  /* of a replay */
void act_speed(const struct actor *a, struct str words);    /* of a replay */
/* Goes to a place of a replay: "12.5" (seconds), "+5", "-5", "50%", "#118" (a frame). `on`: only forward. */
void act_seek(const struct actor *a, struct str place, bool on);

#endif
