/*
 * The real program on a terminal of its own: a pty, with libvterm as what a user looks at.
 *
 * Nothing sleeps: a test sends keys and waits for what a user would see, with a deadline far beyond any slow machine's need. A wait
 * that fails prints the screen and fails the running test. The program starts with an empty home and only the variables
 * named here; it is ended by its process id when a test leaves it running.
 */
#ifndef WEIR_TESTS_PTY_H
#define WEIR_TESTS_PTY_H

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
#define K_ALT(letter) "\x1B" letter
#define K_CTRL(letter) ((const char[]){ (letter) & 0x1F, 0 })

/* A list of texts, ended by NULL. */
#define LIST(...) ((const char *const[]){ __VA_ARGS__, NULL })

struct pty; /* heap */

struct pty_options {
	const char *const *arguments;   /* after the program's name, up to NULL; NULL: none */
	const char *const *environment; /* "NAME=value" up to NULL, on top of HOME TERM LANG PATH; NULL: none */
	const char *script;             /* of sh, that runs the program itself: "ulimit -n 12; exec \"$0\" \"$@\""; NULL: no shell */
	const char *home;               /* a folder that outlives the program; NULL: an empty one of its own */
	unsigned rows, columns;         /* 0: 24 and 80 */
};

/* $WEIR, else build/weir. A harness that cannot start fails the test and returns a pty on which every wait fails at once. */
struct pty *pty_start(const struct pty_options *options);
void pty_free(struct pty *p); /* kills the program if it still runs; NULL is legal */

void pty_send(struct pty *p, const char *bytes);
void pty_press(struct pty *p, const char *bytes); /* the same, and waits until the program has read them: what is sent next comes in a later read */
void pty_type(struct pty *p, const char *text);   /* presses character by character */
void pty_enter(struct pty *p, const char *line);  /* presses a line at once, then Enter */
void pty_paste(struct pty *p, const char *text); /* in the brackets of a paste */
void pty_resize(struct pty *p, unsigned rows, unsigned columns);
void pty_claim_size(struct pty *p, unsigned rows, unsigned columns); /* only says that it has that size */
void pty_signal(struct pty *p, int number);
void pty_hold(struct pty *p, bool held); /* Ctrl-S on the terminal: it takes no output; and Ctrl-Q */
void pty_hang_up(struct pty *p); /* the terminal goes away; nothing can be read any more */

/* --- waiting: true when it came to be within the deadline; else the screen is printed and the test fails --- */

typedef bool pty_predicate(struct pty *p, const void *ctx);
bool pty_wait(struct pty *p, pty_predicate *predicate, const void *ctx, const char *what, const char *file, int line);
#define PTY_SEES(p, text) pty_wait((p), pty_shows, (text), (text), __FILE__, __LINE__)
#define PTY_LOSES(p, text) pty_wait((p), pty_hides, (text), "no \"" text "\"", __FILE__, __LINE__)
#define PTY_WAIT(p, predicate, ctx) pty_wait((p), (predicate), (ctx), #predicate, __FILE__, __LINE__)
#define PTY_ENDS(p, status) pty_wait_end((p), (status), __FILE__, __LINE__)

bool pty_shows(struct pty *p, const void *text);
bool pty_hides(struct pty *p, const void *text);
/* A sentence, wherever it was wrapped: line ends and blanks are as one blank. For those with a path of unknown length in them. */
bool pty_tells(struct pty *p, const void *text);
bool pty_is_over(struct pty *p, const void *ctx); /* the program has ended, and all that it wrote has come */
/* The exit status, or 128 and a signal's number. */
bool pty_wait_end(struct pty *p, int status, const char *file, int line);
/* Reads what is there now, without waiting. */
void pty_pump(struct pty *p);
/* `look` is called after every frame that the terminal shows, while tests wait; NULL: no longer. */
typedef void pty_look(struct pty *p, void *ctx);
void pty_watch(struct pty *p, pty_look *look, void *ctx);
/* Waits until the program has answered all that was sent to it: asks it to redraw. */
bool pty_settle(struct pty *p);
/* Fails the test unless what is seen stays the same when the program draws everything again. */
void pty_check_redraw(struct pty *p, const char *file, int line);
#define PTY_REDRAWS(p) pty_check_redraw((p), __FILE__, __LINE__)

/* --- what a user sees --- */

struct pty_cell {
	char text[25];
	unsigned width;       /* 2: a wide one */
	int foreground, background; /* palette index; -1: the terminal's own; -2: red, green and blue */
	bool bold, underline, reverse, italic;
};

unsigned pty_rows(const struct pty *p);
unsigned pty_columns(const struct pty *p);
struct pty_cell pty_cell(const struct pty *p, unsigned row, unsigned column);
const char *pty_row(struct pty *p, unsigned row); /* right-trimmed; valid until the next call */
const char *pty_dump(struct pty *p);              /* all rows; valid until the next call */
int pty_find_row(struct pty *p, const char *text); /* the first row that holds it; -1: none */
bool pty_find(struct pty *p, const char *text, unsigned *row, unsigned *column);
unsigned pty_cursor_row(const struct pty *p);
unsigned pty_cursor_column(const struct pty *p);
bool pty_cursor_is_shown(const struct pty *p);
bool pty_is_alternate(const struct pty *p);
bool pty_takes_paste(const struct pty *p); /* bracketed paste is on */
bool pty_takes_mouse(const struct pty *p); /* the wheel is reported */
bool pty_is_coloured(const struct pty *p);  /* any cell has a colour of its own */

/* --- what went over the wire --- */

struct str pty_output(const struct pty *p); /* every byte since the start */
bool pty_has_written(const struct pty *p, const char *bytes);
const char *pty_home(const struct pty *p);
int pty_pid(const struct pty *p);
size_t pty_unread(const struct pty *p);   /* bytes from the terminal that the program has not read */
bool pty_has_failed(const struct pty *p); /* a wait was in vain */

/* Fails the test unless the terminal is as the program found it: modes, screen, paste, cursor, colours. */
void pty_check_restored(struct pty *p, const char *file, int line);
#define PTY_RESTORED(p) pty_check_restored((p), __FILE__, __LINE__)

#endif
