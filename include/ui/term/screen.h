/*
 * The screen: shows canvases on the terminal. ncurses is the diff engine; it writes into memory.
 *
 * There is one write(2) per frame, in synchronized output if more than one row changed; none if nothing changed. The terminal never
 * blocks the loop: unsent bytes are kept, and the next frame is made only after they are sent.
 */
#ifndef WEIR_UI_SCREEN_H
#define WEIR_UI_SCREEN_H

#include "ui/canvas.h"
#include "ui/picture.h"
#include "ui/term/capability.h"
#include "ui/term/handshake.h"
#include "ui/term/key_protocol.h"

struct screen; /* heap; one per process */

/*
 * Starts ncurses for $TERM (if unknown, for xterm-256color). `fd` is a terminal in raw mode; borrowed. With COLOUR_AUTO, a non-empty
 * NO_COLOR means no colours. False with `err` set, for instance if the terminal cannot position its cursor.
 */
MUST_USE bool screen_open(struct screen **screen, int fd, unsigned rows, unsigned columns, enum colour_mode mode, struct error *err);
void screen_close(struct screen *screen);       /* leaves the alternate screen, resets all modes it set; NULL is allowed */
void screen_suspend(struct screen *screen);     /* leaves the terminal like screen_close(), until screen_resume() */
void screen_resume(struct screen *screen, unsigned rows, unsigned columns);
void screen_resize(struct screen *screen, unsigned rows, unsigned columns);
void screen_redraw(struct screen *screen);      /* the next frame repaints everything (Ctrl-L) */

/*
 * Shows a canvas, which must have the screen's size and be the same object in every call. False if the last frame is not completely
 * sent: nothing was done; call again after screen_send() has sent it.
 */
bool screen_show(struct screen *screen, const struct canvas *canvas, const struct theme *theme);
bool screen_has_unsent(const struct screen *screen);
bool screen_wants_to_send(const struct screen *screen); /* true: poll the descriptor for POLLOUT */
/* Writes as much as the terminal accepts: the last frame, then a part of an image. True: an image is complete, and can be drawn. */
bool screen_send(struct screen *screen);

/*
 * Images that the terminal draws itself, known by numbers from 1 to KITTY_IMAGES (ui/term/kitty_graphics.h). They are sent between
 * frames, one after the other, and deleted when the screen is closed or suspended.
 */
bool screen_draws_images(const struct screen *screen);  /* the terminal has said that it can */
/* True: the terminal has the image. False: it does not; sends it, unless another one is on its way. Then ask again. */
bool screen_has_image(struct screen *screen, const struct picture *picture);
void screen_drop_image(struct screen *screen, unsigned number); /* nothing shows it any more */

/*
 * Pictures drawn over half blocks that stand still (ui/term/sixel_graphics.h). The size of a cell in pixels; 0 x 0: the terminal draws
 * none. screen_set_cell() takes what the terminal's device reports; if it reports none, the terminal's answer counts.
 */
struct image_size screen_sixel_cell(const struct screen *screen);
void screen_set_cell(struct screen *screen, struct image_size cell);
void screen_ask_more(struct screen *screen); /* call after replies to the handshake: what has been answered may lead to more queries */
/* Draws one that is still. Call after screen_show(), with the same canvas, and when it is due: screen_still_due(), INT64_MAX for never. */
void screen_draw_still(struct screen *screen, const struct canvas *canvas, int64_t now_ms);
int64_t screen_still_due(const struct screen *screen);

int screen_colours(const struct screen *screen);     /* 0, 8, 16, 256 or 1 << 24 */
bool screen_strikes(const struct screen *screen);    /* it can strike text through */

/* The handshake started with the first frame. The caller passes KEY_REPLY keys to handshake_take(). Borrowed. */
struct handshake *screen_handshake(struct screen *screen);

/* Makes the terminal report modified keys. Call when it has replied to the handshake. Stays set across suspends. */
void screen_use_keys(struct screen *screen, enum key_protocol protocol);

/* Turns mouse reports on or off; with them, the terminal selects text only with Shift held. Initially off. Stays set across suspends. */
void screen_use_mouse(struct screen *screen, bool on);
bool screen_has_mouse(const struct screen *screen);

/*
 * Sets the terminal's title with the next frame. The previous title is restored when the screen is closed or suspended. Bytes other than
 * printable ASCII become "?".
 */
#define SCREEN_TITLE 120
void screen_set_title(struct screen *screen, struct str title);
bool screen_has_title(const struct screen *screen); /* a title of ours is set, or the next frame sets it */

/* Rings the bell or, for the other ways, shows a desktop notification, with the next write. */
void screen_notify(struct screen *screen, enum notify_way way, struct str sentence);

/* Copies text to the terminal's clipboard (ui/term/osc52.h) with the next write. False if it is too long. */
bool screen_copy(struct screen *screen, struct str text);

#endif
