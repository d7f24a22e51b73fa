/*
 * The inside of the full-screen program, for its own files: chat.c (start, loop, painting, end), chat_keys.c (where keys go), chat_draw.c
 * (what stands where), chat_prompt.c (the pane of the input) and chat_commands.c (what commands do).
 *
 * The parts that it is composed of have headers of their own, own their state and do not know it: what one of them may ask of the rest
 * is app/chat/host.h.
 */
#ifndef WEIR_APP_CHAT_INSIDE_H
#define WEIR_APP_CHAT_INSIDE_H

#include "app/chat/bare.h"
#include "app/chat/chat.h"
#include "app/chat/find_bar.h"
#include "app/chat/line_select.h"
#include "app/chat/menus.h"
#include "app/chat/notice.h"
#include "app/chat/settings_card.h"
#include "app/chat/setup_form.h"
#include "app/chat/sheets.h"
#include "app/command.h"

struct chat {
	struct host host;                /* of this one */
	struct setup setup;
	struct session *session;

	struct terminal terminal;
	struct theme_choice theme;
	struct clipboard clipboard;
	struct notice notice;
	struct external external;
	struct model_list models;        /* of the target, once something wanted them */
	struct composer composer;
	struct find_bar find_bar;
	struct line_select line_select;
	struct bare bare;
	struct menus menus;
	struct sheets sheets;
	struct setup_form setup_form;
	struct settings_card settings_card;

	struct stack stack;              /* the panes of the screen; owns them */
	struct transcript *transcript;   /* two of them: the conversation, */
	struct pane *prompt;             /* and the input, the search or a replay's timeline */
	struct look look;

	char message[sizeof(struct error)]; /* a passing word above the input */
	int64_t message_until_ms;
	int64_t last_paint_ms;
	int64_t paint_interval_ms;       /* 8, or 33 over ssh */
	int64_t last_interrupt_ms;       /* Ctrl-C twice within a second quits */
	bool dirty, quit;
	int ended_by;                    /* the signal that made it quit; 0 */

	const struct tape *tape;         /* a replay; NULL: requests */
	const char *tape_name;
};

void chat_fill_view(const struct chat *c, struct view *view);
void chat_close_cards(struct chat *c);                       /* what lies over the page */
void chat_open_menu(struct chat *c, enum menu_kind kind);    /* in place of what lies over the page */
void chat_end_by(struct chat *c, int signal);                /* quits as if that signal had come */

/* --- chat_keys.c --- */

void chat_key(void *chat, const struct key *key);            /* a key_sink */
void chat_interrupt_from_outside(struct chat *c);            /* SIGINT: as Ctrl-C, but it clears nothing away */
void chat_input_key(struct chat *c, const struct key *key);  /* while the input has the focus */

/* --- chat_draw.c, chat_prompt.c --- */

void chat_draw(struct chat *c);                              /* fills the canvas */
/* A passing word, over the rows above the row `below`. */
void chat_draw_message(const struct view *view, struct canvas *canvas, unsigned below);
bool chat_is_covered(const struct chat *c);                  /* a menu or a sheet lies over the panes */
bool chat_input_is_empty(const struct chat *c);              /* and has the keys */
struct pane *chat_prompt_new(struct chat *c);                /* the pane of input, search and timeline */

/* --- chat_commands.c --- */

void chat_run(struct chat *c, const struct command *command, struct str words);
bool chat_run_line(struct chat *c, struct str line);         /* "model gpt-x" (no slash). False: its first word is no command */

#endif
