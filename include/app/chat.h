/*
 * The full-screen program: terminal, screen and panes around a session. `weir` runs it on requests, `weir replay` on a tape.
 *
 * chat.c is its life (start, loop, painting, end), composer.h the writing of prompts, finder.h the search, selecting.h a range of
 * lines, bare.h the text alone, copying.h what is taken out and clipboard.h where that goes, lending.h editor and pager,
 * leaving.h what stays in the terminal, chat_keys.c where keys go, chat_menus.c the menus, chat_sheets.c help, details and the answering of
 * calls, chat_draw.c what stands where, chat_answers.c what the terminal says of itself. What a user can do is a row in the
 * table of commands (app/command.h).
 */
#ifndef WEIR_APP_CHAT_H
#define WEIR_APP_CHAT_H

#include "app/actions.h"
#include "app/clipboard.h"
#include "app/composer.h"
#include "app/lending.h"
#include "app/model_list.h"
#include "app/signals.h"
#include "ui/edit.h"
#include "ui/menu.h"
#include "ui/pane.h"
#include "ui/screen.h"
#include "ui/sheet.h"

enum chat_pane { CHAT_TRANSCRIPT, CHAT_REASONING, CHAT_TOOLS, CHAT_STATUS, CHAT_PANES };
enum chat_focus { FOCUS_INPUT, FOCUS_TRANSCRIPT, FOCUS_REASONING, FOCUS_TOOLS, FOCUS_COUNT };
enum chat_menu { MENU_NONE, MENU_PALETTE, MENU_PROVIDERS, MENU_MODELS, MENU_PROTOCOLS, MENU_THEMES };
enum chat_sheet { SHEET_NONE, SHEET_HELP, SHEET_DETAILS, SHEET_CALL };

/* The search in the transcript (app/finder.h). */
struct finder {
	struct edit needle;
	unsigned searched;               /* version of the needle that hits are shown of */
	bool open;                       /* it stands in the input's place */
};

/* A range of lines that is being selected (app/selecting.h). */
struct selecting {
	bool open;                       /* its keys go before all others */
	bool by_mouse;                   /* any key ends it */
	bool pressed;                    /* the button is held, */
	unsigned pressed_row;            /* since it was pressed over this row of the screen */
	enum chat_focus before;          /* had the focus */
	size_t lines, characters;        /* of the source */
};

/* What the list of themes shows while one moves in it; it is what was there before that leaving it brings back. */
struct theme_trial {
	struct theme before;
	bool by_background;
};

struct chat {
	struct setup setup;
	struct session *session;
	struct term *term;
	struct screen *screen;
	struct canvas *canvas;
	struct theme theme;
	bool theme_by_background;        /* THEME_BY_BACKGROUND was chosen */
	struct theme_trial trial;        /* while MENU_THEMES is open */
	struct key_decoder *keys;
	struct edit input;
	struct composer *composer;
	struct finder finder;
	struct selecting selecting;
	struct pane *bare;               /* the bare view (app/bare.h); NULL: it is not open */
	struct clipboard clipboard;
	struct lending lending;
	struct pane *panes[CHAT_PANES];
	unsigned pane_rows[CHAT_PANES];  /* as last drawn; 0: not there */
	enum chat_focus focus;

	struct menu *menu;
	enum chat_menu menu_kind;
	struct model_list models;        /* of the target, once the menu was opened */
	enum models_state models_shown;  /* what the menu was filled from */
	struct sheet *sheet;
	enum chat_sheet sheet_kind;
	unsigned call;                   /* the call that the sheet answers */
	bool empty_asked;                /* whether an empty result is meant: Enter again gives it */

	char message[160];               /* a passing word in the status bar */
	int64_t message_until_ms;
	int64_t opened_ms;               /* the screen */
	int64_t last_paint_ms;
	int64_t paint_interval_ms;       /* 8, or 33 over ssh */
	int64_t last_interrupt_ms;       /* Ctrl-C twice within a second quits */
	enum reasoning_view reasoning_view;
	struct status_choice status;     /* what the status bar shows */
	bool ascii;                      /* the terminal's font has no block elements, or the user says so */
	bool mouse;                      /* it scrolls and selects */
	int colours;                     /* of the terminal, once the screen was there */
	bool raw;                        /* answers as their source */
	bool clips;                      /* long lines of code are cut and scrolled sideways */
	bool dirty, resized, quit;
	int ended_by;                    /* the signal that made it quit; 0 */
	bool is_back;                    /* from a stop of its own: the SIGCONT that is told next is known */
	bool at_once;                    /* the next frame waits for no interval: a key was pressed */

	const struct tape *tape;         /* a replay; NULL: requests */
	const char *tape_name;
};

/* The whole program; `tape` NULL for the chat. Returns the exit status. */
int chat_main(const struct options *o, const struct tape *tape, const struct stream_options *stream, const char *tape_name);

/* --- for the files of the chat --- */

void chat_say(struct chat *c, const char *format, ...) PRINTF_LIKE(2, 3); /* in the status bar, for 3 s */
void chat_say_for(struct chat *c, int64_t ms, const char *sentence);            /* what is true no longer than that */
void chat_touch(struct chat *c);                                          /* the next frame is due */
void chat_draw(struct chat *c);                                           /* fills the canvas */
void chat_fill_view(const struct chat *c, struct view *view);
void chat_key(void *chat, const struct key *key);                         /* a key_sink */
void chat_try_answer(struct chat *c, bool done, const struct error *err); /* says the error of a failed action */

void chat_open_menu(struct chat *c, enum chat_menu kind);
void chat_menu_key(struct chat *c, const struct key *key);
void chat_fill_models(struct chat *c);                                    /* again: the list has changed */
void chat_close_menu(struct chat *c);

void chat_open_help(struct chat *c);
void chat_open_details(struct chat *c);
bool chat_open_call(struct chat *c, unsigned call);                       /* false: there is no such call to answer */
void chat_sheet_key(struct chat *c, const struct key *key);
void chat_close_sheet(struct chat *c);

#define THEME_BY_BACKGROUND "auto"                                        /* dark or light, as the terminal is */
const char *chat_theme_at(size_t index);                                  /* what can be chosen, that one too; NULL beyond */
void chat_use_theme(struct chat *c, struct str name);
void chat_begin_trial(struct chat *c);                                    /* of themes that are used; */
void chat_end_trial(struct chat *c);                                      /* the one before is used again */
const char *chat_theme_for_background(const struct chat *c);              /* the default one until the terminal has told it */
void chat_feed_keys(struct chat *c, struct str bytes, int64_t now_ms);    /* from the terminal: keys, and its answers */
void chat_await_answers(struct chat *c);                                  /* before another program gets the terminal */
void chat_suspend(struct chat *c);                                        /* for the shell */
void chat_take_signals(void *chat, struct signals came);
void chat_end_by(struct chat *c, int number);                             /* quits as if that signal had come */
void chat_lend_terminal(struct chat *c);                                  /* as it was found, for another program */
void chat_take_terminal(struct chat *c);                                  /* back; everything is drawn anew */
struct actor chat_actor(struct chat *c);                                  /* says it in the status bar */

#endif
