/*
 * Standard output and standard error of the subcommands.
 *
 * Pipes and files get the bytes unchanged. For a terminal, untrusted text passes through utf8_cell(), so that no control byte reaches
 * it; LF and tab are kept. Output is unbuffered: all bytes are written when a call returns.
 */
#ifndef WEIR_APP_OUTPUT_H
#define WEIR_APP_OUTPUT_H

#include "app/system/loop.h"
#include "base/exit_status.h"
#include "base/text.h"

struct output {
	int fd;
	bool terminal;
	bool patient;     /* an interrupt does not abort a blocked write; only a terminating signal does */
	bool closed;      /* nothing more is written: the reader is gone, or one of the next two members says why */
	bool broken_off;  /* closed because a signal arrived while a write was blocked */
	int failure;      /* closed because of this errno, which the reader did not cause; 0: no failure */
	bool mid_line;    /* the last byte written was not LF */
};

void output_init(struct output *out, int fd);

void output_text(struct output *out, struct str text);  /* untrusted */
void output_printf(struct output *out, const char *format, ...) PRINTF_LIKE(2, 3); /* the result is treated as untrusted */
void output_safe(struct output *out, struct str bytes); /* bytes that are known to be safe, possibly with colours; written unchanged */
void output_break(struct output *out);                  /* writes LF, except at the start of a line */
void output_flush_json(struct output *out, struct buf *json); /* writes and clears `json`; DEL and C1 are made safe for a terminal */

/* Sets `gone` when the reader of standard output has left, without a write. */
struct loop_member output_reader_member(bool *gone);

unsigned output_columns(void); /* of the terminal that standard output is; 80 if it is none */
unsigned output_width(void);   /* the same; 0 if it is none: there no line is broken */

/* Returns `status`; but EXIT_DONE if the reader is gone, and EXIT_LOCAL, after a line on standard error, if writing failed. */
int output_status(const struct output *out, int status);
/* Writes the text, which is untrusted, and frees it. Returns the same. */
int output_print(int fd, struct buf *text, int status);

/* One line on standard error, "weir: ...", whatever the names and the words of servers in it are; a terminal gets it broken between words. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same, and EXIT_USAGE. */
int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);

/* Writes the question and " [y/N] " to standard error, and reads a line of standard input. Only "y" and "yes" mean yes. */
bool confirm(const char *format, ...) PRINTF_LIKE(1, 2);

/* One line when the program ends: a terminal that is stopped does not hear it, instead of keeping the program. */
void complain_leaving(const char *format, ...) PRINTF_LIKE(1, 2);

/* A line of text with its tabs, made safe for a terminal as output_text() does it. */
void output_line(struct buf *out, struct str line);

/* Text as a field of a table: every control character, including tab and LF, as utf8_cell() shows it. */
void output_field(struct buf *line, struct str text);

#endif
