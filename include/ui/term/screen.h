/*
 * The screen: puts canvases on the terminal. ncurses is the diff engine, writing into memory (terminal.md 0).
 *
 * One write(2) a frame, inside synchronized output when more than one row changed; nothing when nothing changed. The
 * terminal never blocks the loop: an unsent tail is kept, and no new frame is made until it is out.
 */
#ifndef WEIR_UI_SCREEN_H
#define WEIR_UI_SCREEN_H

#include "ui/canvas.h"
#include "ui/term/capability.h"
#include "ui/term/handshake.h"
#include "ui/term/key_protocol.h"

struct screen; /* heap; one a process */

/*
 * Starts ncurses for $TERM (unknown names: again as xterm-256color) on a descriptor of a raw terminal. NO_COLOR non-empty and
 * COLOUR_AUTO is no colour. False when the terminal cannot address its cursor: `err` says so.
 */
MUST_USE bool screen_open(struct screen **screen, int fd, unsigned rows, unsigned columns, enum colour_mode mode, struct error *err);
void screen_close(struct screen *screen);       /* leaves the alternate screen and every mode it set; NULL is legal */
void screen_suspend(struct screen *screen);     /* the same for a while */
void screen_resume(struct screen *screen, unsigned rows, unsigned columns);
void screen_resize(struct screen *screen, unsigned rows, unsigned columns);
void screen_redraw(struct screen *screen);      /* the next frame repaints everything (Ctrl-L) */

/*
 * Shows a canvas of the screen's size, always the same one. False when the last frame is not out yet: nothing was done, show it
 * again when it is.
 */
bool screen_show(struct screen *screen, const struct canvas *canvas, const struct theme *theme);
bool screen_has_unsent(const struct screen *screen); /* wants POLLOUT */
void screen_send(struct screen *screen);             /* writes what fits */

int screen_colours(const struct screen *screen);     /* 0, 8, 16, 256 or 1 << 24 */

/* What the terminal was asked with the first frame, and has answered: for whoever gets its replies. */
struct handshake *screen_handshake(struct screen *screen);

/* Links of the canvas are told to the terminal (OSC 8), but for types that cannot take them. At the start they are. */
void screen_use_links(struct screen *screen, bool wanted);

/* Has the terminal report modified keys; asked for with the first frame, to be called when it has answered. Lasts over suspends. */
void screen_use_keys(struct screen *screen, enum key_protocol protocol);

/* Has the terminal report the mouse; then it selects text only with Shift held. Off until asked for. Lasts over suspends. */
void screen_use_mouse(struct screen *screen, bool on);
bool screen_has_mouse(const struct screen *screen);

/* Sends text to the terminal's clipboard (ui/term/osc52.h); false when it is too long. Goes out with the next write. */
bool screen_copy(struct screen *screen, struct str text);

#endif
