/*
 * The terminal of the full-screen chat: its modes, its screen, its keys, and its owner (weir, another program or the shell). terminal.c
 * opens, lends and suspends it; terminal_answers.c reads its replies to queries.
 */
#ifndef WEIR_APP_TERMINAL_H
#define WEIR_APP_TERMINAL_H

#include <poll.h>

#include "app/screen/services/host.h"
#include "ui/term/key.h"
#include "ui/term/term.h"

/* Events that the terminal reports to its owner. */
struct terminal_events {
	key_sink *key;
	void (*redraw)(void *ctx);              /* the screen must be redrawn */
	void (*background)(void *ctx);          /* the background colour became known */
	void (*gone)(void *ctx, int signal);    /* the terminal hung up, or a signal arrived while it was being taken back */
	void *ctx;
};

struct terminal {
	struct terminal_events events;
	struct term *term;
	struct screen *screen;     /* NULL: not open */
	struct canvas *canvas;     /* has the size of the screen */
	struct key_decoder *keys;
	int64_t opened_ms;
	bool resized;              /* the size is read again before the next frame */
	bool lent;                 /* another program has the terminal */
	bool resuming;             /* set while a SIGCONT of our own is expected, after terminal_suspend() */
	bool key_pressed;          /* a key was pressed since the last frame: the next frame is drawn without delay */
};

void terminal_init(struct terminal *t, const struct terminal_events *events);
void terminal_fini(struct terminal *t);

MUST_USE bool terminal_open(struct terminal *t, enum colour_mode colour, struct error *err);
/* Restores the terminal. Returns its number of colours; 0 if it was not open. The canvas is kept until terminal_fini(). */
int terminal_close(struct terminal *t);

void terminal_fit(struct terminal *t);       /* fits canvas and screen to the terminal's size if it has changed */
void terminal_lend(struct terminal *t);      /* restores the terminal for another program */
void terminal_take_back(struct terminal *t); /* ends lending; everything is redrawn */
/* Stops weir until the shell continues it. False: weir has no parent shell with job control, and was not stopped. */
bool terminal_suspend(struct terminal *t);
void terminal_resumed(struct terminal *t);   /* call on SIGCONT */

/* The built-in theme for the terminal's background, dark or light; the default theme until the background is known. */
const char *terminal_theme(const struct terminal *t);

size_t terminal_fds(void *terminal, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t terminal_deadline(void *terminal);
void terminal_run(void *terminal, const struct pollfd *fds, size_t count, int64_t now_ms);

/* --- terminal_answers.c --- */

void terminal_feed(struct terminal *t, struct str bytes, int64_t now_ms); /* input bytes: keys and replies */
void terminal_await_answers(struct terminal *t); /* waits for pending replies, which another program would read as typed keys */

#endif
