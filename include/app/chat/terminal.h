/*
 * The terminal of the full-screen chat: its modes, the screen on it, the keys from it, and who has it - weir, another program, the
 * shell. terminal.c opens, lends and suspends it, terminal_answers.c takes what it says of itself.
 */
#ifndef WEIR_APP_TERMINAL_H
#define WEIR_APP_TERMINAL_H

#include "app/chat/host.h"
#include "ui/term/key.h"
#include "ui/term/term.h"

/* What the terminal tells its owner. */
struct terminal_events {
	key_sink *key;
	void (*redraw)(void *ctx);              /* what is shown is no longer what is there */
	void (*background)(void *ctx);          /* its background became known */
	void (*gone)(void *ctx, int signal);    /* it hung up, or a signal came while it was taken back */
	void *ctx;
};

struct terminal {
	struct terminal_events events;
	struct term *term;
	struct screen *screen;     /* NULL: not open */
	struct canvas *canvas;     /* of its size */
	struct key_decoder *keys;
	int64_t opened_ms;
	bool resized;              /* the size is asked for before the next frame */
	bool lent;                 /* another program has it */
	bool resuming;             /* a stop of its own ended: the SIGCONT that is still to be told needs no answer */
	bool key_pressed;          /* since the last frame: the next one waits for no interval */
};

void terminal_init(struct terminal *t, const struct terminal_events *events);
void terminal_fini(struct terminal *t);

MUST_USE bool terminal_open(struct terminal *t, enum colour_mode colour, struct error *err);
/* As it was found. Returns how many colours it had; 0 where it was not open. The canvas stays until terminal_fini(). */
int terminal_close(struct terminal *t);

void terminal_fit(struct terminal *t);       /* canvas and screen take its size, if it has changed */
void terminal_lend(struct terminal *t);      /* as it was found, for another program */
void terminal_take_back(struct terminal *t); /* everything is drawn anew */
/* Stops weir until the shell lets it go on. False: no shell started it, nothing was done. */
bool terminal_suspend(struct terminal *t);
void terminal_resumed(struct terminal *t);   /* SIGCONT came */

/* dark or light: the built-in theme for its background, the default one until that is known */
const char *terminal_theme(const struct terminal *t);

size_t terminal_fds(void *terminal, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t terminal_deadline(void *terminal);
void terminal_run(void *terminal, const struct pollfd *fds, size_t count, int64_t now_ms);

/* --- terminal_answers.c --- */

void terminal_feed(struct terminal *t, struct str bytes, int64_t now_ms); /* keys, and its answers */
void terminal_await_answers(struct terminal *t); /* before it goes to others, to whom they would be typed */

#endif
