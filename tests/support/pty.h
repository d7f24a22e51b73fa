/*
 * Runs the real program on a pty, with libvterm as the terminal.
 *
 * Nothing sleeps: a test sends keys and waits for a condition on the screen, with a deadline far beyond the needs of a slow machine. A
 * failed wait prints the screen and fails the running test. The program starts with an empty home and only the variables named here. It is
 * killed by its process id if a test leaves it running.
 */
#ifndef WEIR_TESTS_PTY_H
#define WEIR_TESTS_PTY_H

#include <stdint.h>
#include <termios.h>

#include "base/text.h"

#define K_ESC "\x1B"
#define K_UP "\x1B[A"
#define K_DOWN "\x1B[B"
#define K_RIGHT "\x1B[C"
#define K_LEFT "\x1B[D"
#define K_HOME "\x1B[H"
#define K_END "\x1B[F"
#define K_PGUP "\x1B[5~"
#define K_PGDN "\x1B[6~"
#define K_SHIFT_TAB "\x1B[Z"
#define K_F1 "\x1BOP"
#define K_F2 "\x1BOQ"
#define K_F3 "\x1BOR"
#define K_F4 "\x1BOS"
#define K_F5 "\x1B[15~"
#define K_F6 "\x1B[17~"
#define K_ALT(letter) "\x1B" letter
#define K_CTRL(letter) ((const char[]){ (letter) & 0x1F, 0 })

/* A NULL-terminated list of strings. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct pty; /* heap */

#define PTY_WIDE 1000u /* columns with which no line of the linear mode is wrapped */

struct pty_options {
	const char *const *arguments;   /* after the program's name, NULL-terminated; NULL: none */
	const char *const *environment; /* "NAME=value", NULL-terminated, added to HOME TERM LANG PATH; NULL: none */
	const char *script;             /* an sh script that runs the program: "ulimit -n 12; exec \"$0\" \"$@\""; NULL: no shell */
	const char *home;               /* a folder that outlives the program; NULL: an empty one */
	unsigned rows, columns;         /* 0: 24 and 80 */
	const char *draws_images;       /* it knows kitty's graphics, and this is its name and version, "kitty(0.35.2)"; NULL: no such terminal */
	bool turns;                     /* the test turns the program's clock: pty_turn() */
	bool draws_sixels;              /* it says so in its attributes; a cell has 10 x 20 pixels */
	bool tells_cell;                /* then its window has no pixels, but it answers the question for those of a cell */
};

/* Starts $WEIR, else build/weir. If that fails, the test fails, and every wait on the returned pty fails at once. */
struct pty *pty_start(const struct pty_options *options);
void pty_free(struct pty *p); /* kills the program if it is still running; NULL is allowed */

void pty_send(struct pty *p, const char *bytes);
void pty_press(struct pty *p, const char *bytes); /* the same, then waits until the program has read them: later bytes are another read */
void pty_type(struct pty *p, const char *text);   /* presses character by character */
void pty_enter(struct pty *p, const char *line);  /* presses a line at once, then Enter */
void pty_paste(struct pty *p, const char *text); /* with bracketed paste */
void pty_resize(struct pty *p, unsigned rows, unsigned columns);
void pty_claim_size(struct pty *p, unsigned rows, unsigned columns); /* reports that size without changing anything */
void pty_signal(struct pty *p, int number);
void pty_hold(struct pty *p, bool held); /* true: Ctrl-S, the terminal accepts no output; false: Ctrl-Q */
void pty_turn(struct pty *p, int64_t ms); /* advances its clock (support/turned.h); only with the option for it */
void pty_hang_up(struct pty *p); /* closes the terminal; nothing can be read afterwards */

/* --- waiting: true if the condition holds before the deadline; else prints the screen and fails the test --- */

typedef bool pty_predicate(struct pty *p, const void *ctx);
bool pty_wait(struct pty *p, pty_predicate *predicate, const void *ctx, const char *what, const char *file, int line);
#define PTY_SEES(p, text) pty_wait((p), pty_shows, (text), (text), __FILE__, __LINE__)
#define PTY_LOSES(p, text) pty_wait((p), pty_hides, (text), "no \"" text "\"", __FILE__, __LINE__)
#define PTY_WAIT(p, predicate, ctx) pty_wait((p), (predicate), (ctx), #predicate, __FILE__, __LINE__)
/* The same for what comes with time: while the test waits, the program's clock (pty_turn()) runs faster, until it is 20 s ahead of where it was. */
bool pty_wait_turning(struct pty *p, pty_predicate *predicate, const void *ctx, const char *what, const char *file, int line);
#define PTY_SEES_LATER(p, text) pty_wait_turning((p), pty_tells, (text), (text), __FILE__, __LINE__)
#define PTY_LOSES_LATER(p, text) pty_wait_turning((p), pty_hides, (text), "no \"" text "\"", __FILE__, __LINE__)
#define PTY_WAIT_LATER(p, predicate, ctx) pty_wait_turning((p), (predicate), (ctx), #predicate, __FILE__, __LINE__)
#define PTY_ENDS(p, status) pty_wait_end((p), (status), __FILE__, __LINE__)

bool pty_shows(struct pty *p, const void *text);
bool pty_hides(struct pty *p, const void *text);
/* Finds a sentence however it is wrapped: line ends, the sides of a card and blanks count as one blank. For text with a path of unknown length. */
bool pty_tells(struct pty *p, const void *text);
bool pty_is_over(struct pty *p, const void *ctx); /* the program has ended, and all its output has been read */
/* Waits for the exit status, or 128 plus a signal's number. */
bool pty_wait_end(struct pty *p, int status, const char *file, int line);
/* Reads what is available, without waiting. */
void pty_pump(struct pty *p);
/* Calls `look` after every frame shown while a test waits; NULL: no calls. */
typedef void pty_look(struct pty *p, void *ctx);
void pty_watch(struct pty *p, pty_look *look, void *ctx);
/* Waits until the program has handled all input: asks it to redraw. */
bool pty_settle(struct pty *p);
/* Fails the test unless a complete redraw shows the same screen. */
void pty_check_redraw(struct pty *p, const char *file, int line);
#define PTY_REDRAWS(p) pty_check_redraw((p), __FILE__, __LINE__)

/* --- the screen --- */

struct pty_cell {
	char text[25];
	unsigned width;       /* 2: a wide character */
	int foreground, background; /* palette index; -1: the default; -2: RGB */
	bool bold, underline, reverse, italic;
};

unsigned pty_rows(const struct pty *p);
unsigned pty_columns(const struct pty *p);
struct pty_cell pty_cell(const struct pty *p, unsigned row, unsigned column);
const char *pty_row(struct pty *p, unsigned row); /* right-trimmed; valid until the next call */
const char *pty_dump(struct pty *p);              /* all rows; valid until the next call */
int pty_find_row(struct pty *p, const char *text); /* the first row that contains the text; -1: none */
bool pty_find(struct pty *p, const char *text, unsigned *row, unsigned *column);
unsigned pty_cursor_row(const struct pty *p);
unsigned pty_cursor_column(const struct pty *p);
bool pty_cursor_is_shown(const struct pty *p);
bool pty_is_alternate(const struct pty *p);
bool pty_takes_paste(const struct pty *p); /* bracketed paste is enabled */
bool pty_takes_mouse(const struct pty *p); /* mouse reporting is enabled */
bool pty_is_coloured(const struct pty *p);  /* whether any cell has a colour other than the default */

/* --- output and modes --- */

struct str pty_output(const struct pty *p); /* every byte since the start */
bool pty_has_written(struct pty *p, const void *bytes); /* a string; a predicate, too */
unsigned pty_times_written(const struct pty *p, const char *bytes);
const char *pty_home(const struct pty *p);
int pty_pid(const struct pty *p);
size_t pty_unread(const struct pty *p);   /* input that the program has not read */
bool pty_has_failed(const struct pty *p); /* a wait has failed */

/* Fails the test unless the terminal is in its original state: modes, screen, paste, cursor, colours. */
void pty_check_restored(struct pty *p, const char *file, int line);
#define PTY_RESTORED(p) pty_check_restored((p), __FILE__, __LINE__)

#endif
