/*
 * Internals of the full-screen program, for its own files: chat.c (start, events, end), chat_host.c (what parts ask of it), chat_look.c
 * (settings for drawing), chat_view.c (what panes read), chat_painter.c (when frames are made), chat_draw.c (layout of the screen),
 * chat_keys.c (key dispatch), chat_prompt.c (the input pane), chat_dock.c (the pane docked above it), chat_item.c (the item of media that the
 * page is on) and chat_commands.c (effects of commands).
 *
 * Its parts have their own headers, own their state and do not include this one. They reach the rest of the program only through
 * app/screen/services/host.h.
 */
#ifndef WEIR_APP_CHAT_INSIDE_H
#define WEIR_APP_CHAT_INSIDE_H

#include "app/command/collecting.h"
#include "app/command/command.h"
#include "app/command/opening.h"
#include "app/command/pasting.h"
#include "app/compare/compare.h"
#include "app/screen/cards/cards.h"
#include "app/screen/cards/request_editor.h"
#include "app/screen/chat.h"
#include "app/screen/compare/compare_view.h"
#include "app/screen/input/find_bar.h"
#include "app/screen/input/line_select.h"
#include "app/screen/latest_conversation.h"
#include "app/screen/page_images.h"
#include "app/screen/replay/inspect.h"
#include "app/screen/replay/player_keys.h"
#include "app/session/notice.h"
#include "app/session/titling.h"
#include "app/setup/elicit_form.h"
#include "app/setup/provider_form.h"
#include "app/setup/section_form.h"
#include "app/setup/settings_watch.h"

struct setup;

struct chat {
	struct host host;                /* what the parts borrow */
	struct setup *setup;             /* of chat_main() */
	struct settings_watch watch;
	struct session *session;

	struct terminal terminal;
	struct theme_choice theme;
	struct clipboard clipboard;
	struct titling titling;
	struct notice notice;
	struct pasting pasting;
	struct opening opening;
	struct collecting collecting;
	struct page_images pictures;
	struct external external;
	struct model_list models;        /* of the target; fetched on first use */
	char budget[64];                 /* what is shown of it; "": nothing */
	int64_t budget_due_ms;           /* when it is read next; NO_DEADLINE: after the next answer */
	struct provider_form provider_form;
	struct section_form section_form;
	struct elicit_form elicit;       /* what an MCP server asks for */
	struct composer composer;
	struct find_bar find_bar;
	struct line_select line_select;
	struct player_keys player_keys;
	struct inspect inspect;
	struct cards cards;
	struct request_editor request_editor;
	struct latest_conversation newest;
	struct compare compare;
	struct compare_view compare_view;

	struct stack stack;              /* the panes of the screen; owns them */
	struct transcript *transcript;   /* the pane of the conversation; owned by `stack` */
	struct inspector *inspector;     /* the pane of the frames; owned by `stack` */
	struct pane *dock;               /* the pane of a docked sheet; owned by `stack` */
	struct pane *status;             /* owned by `stack` */
	struct pane *prompt;             /* the pane of the input, the search or a replay's timeline; owned by `stack` */
	struct look look;

	char message[sizeof(struct error)]; /* a temporary message above the input */
	enum severity message_severity;
	struct messages messages;        /* those before it, too */
	int64_t message_since_ms, message_until_ms;
	int64_t kept_until_ms;           /* message_until_ms of the last message about the history */
	int64_t last_paint_ms;
	int64_t paint_interval_ms;       /* 8, or 33 over ssh */
	int64_t last_interrupt_ms;       /* time of the last Ctrl-C: a second one within 1 s quits */
	bool dirty, quit;
	bool held;                       /* it was asked whether rounds of calls go on */
	bool told_loss;                  /* that quitting would lose a conversation */
	int ended_by;                    /* the signal that made it quit; 0: none */

	struct replay *replay;           /* NULL in a chat */
};

/* --- chat_host.c --- */

void chat_host_init(struct chat *c);
void chat_host_redraw(void *chat);                           /* requests a frame */
bool chat_takes_settings_file(void *chat);                   /* it was written; false: it is not the time to read it */
void chat_keep(struct chat *c);                              /* begins to keep the conversation; not in a replay */
void chat_tell_kept(void *chat, const char *sentence);       /* a message about the history or the tapes of a replay */

/* --- chat_look.c --- */

MUST_USE bool chat_take_settings(struct chat *c, const struct options *o, struct error *err); /* those for drawing, and the theme */
void chat_use_setting(struct chat *c, const char *name);     /* it has changed */

/* --- chat_view.c, chat_painter.c --- */

#define CHAT_FIGURES_MS 250                                  /* status figures change at most four times a second */
void chat_read_budget(struct chat *c, int64_t now_ms); /* for the next views; it may read the history */
void chat_fill_view(const struct chat *c, struct view *view);
void chat_painter_init(struct chat *c);
void chat_paint(struct chat *c, int64_t now_ms);             /* a frame, unless the terminal still takes the one before */
struct loop_member chat_painter(struct chat *c);             /* paints when it is time */

/* --- chat.c --- */

void chat_ask_to_go_on(struct chat *c);                      /* when rounds of calls are held, once for each time */
bool chat_has_asks(const struct chat *c);                    /* what MCP servers ask for has changed */
void chat_follow_asks(struct chat *c);                       /* shows it */

/* --- chat_keys.c --- */

void chat_key(void *chat, const struct key *key);            /* a key_sink */
void chat_interrupt_from_outside(struct chat *c);            /* SIGINT: like Ctrl-C, but closes and clears nothing */
void chat_input_key(struct chat *c, const struct key *key);  /* while the input has the focus */

/* --- chat_draw.c, chat_prompt.c, chat_dock.c --- */

void chat_draw(struct chat *c, const struct view *view);     /* fills the canvas */
const struct part *chat_item(struct chat *c, const struct view *view); /* the item of media that the page is on; NULL: none */
enum transcript_block chat_block(struct chat *c); /* the block that the page is on, if that has the focus */
struct actor chat_item_actor(struct chat *c); /* whose command is about it */
unsigned chat_message_rows(const struct view *view, struct area of); /* of the temporary message; 0: there is none */
/* Draws it over the rows above row `below`. */
void chat_draw_message(const struct view *view, struct canvas *canvas, struct area of, unsigned below);
bool chat_input_is_empty(const struct chat *c);              /* the input is empty and receives keys */
bool chat_escapes_twice(const struct chat *c);               /* the first Esc only leaves vi's insert state */
struct pane *chat_prompt_new(struct chat *c);                /* the pane of the input, the search and the timeline */
struct pane *chat_dock_new(struct chat *c);                  /* the pane of the sheet that answers a call */

/* --- chat_commands.c --- */

void chat_run(struct chat *c, const struct command *command, struct str words);
bool chat_goes_to(struct chat *c, struct jump jump);         /* false: there is no such place */
bool chat_run_line(struct chat *c, struct str line);         /* "model gpt-x" (no slash). False: the first word is not a command */

#endif
