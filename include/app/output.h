/*
 * Standard output and standard error of the subcommands.
 *
 * To a pipe or a file bytes go as they are. To a terminal text from outside goes through utf8_cell(), so that no control
 * byte gets there; LF and tab stay. Nothing is kept back: what was given is written when the call returns.
 */
#ifndef WEIR_APP_OUTPUT_H
#define WEIR_APP_OUTPUT_H

#include "base/exit_status.h"
#include "base/text.h"

struct output {
	int fd;
	bool terminal;
	bool patient;     /* an interrupt does not break off a blocked write, only the program's end does */
	bool closed;      /* the reader went away: nothing more is written */
	bool broken_off;  /* and that because a signal came while a write was blocked */
	int failure;      /* or because of this errno, which is no reader's doing; 0 */
	bool mid_line;    /* the last byte was no LF */
};

void output_init(struct output *out, int fd);

void output_text(struct output *out, struct str text);  /* untrusted */
void output_printf(struct output *out, const char *format, ...) PRINTF_LIKE(2, 3); /* untrusted parts are made safe too */
void output_safe(struct output *out, struct str bytes); /* as they are: they are known to be safe, and may hold colours */
void output_break(struct output *out);                  /* LF, unless a line has just begun */
void output_flush_json(struct output *out, struct buf *json); /* `json` is cleared; DEL and C1 in it are made safe for a terminal */

/* `status`, but EXIT_DONE when the reader went away, and EXIT_LOCAL after a line on standard error when writing failed otherwise. */
int output_status(const struct output *out, int status);

/* One line on standard error, "weir: ...", whatever the names and the words of servers in it are. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/* The same, and EXIT_USAGE. */
int usage_error(const char *format, ...) PRINTF_LIKE(1, 2);

/* One line when the program ends: a terminal that is stopped does not hear it, instead of keeping the program. */
void complain_leaving(const char *format, ...) PRINTF_LIKE(1, 2);

/* A line of text with its tabs, made safe for a terminal as output_text() does it. */
void output_line(struct buf *out, struct str line);

/* Text as one line of a table: every control sign (tab and LF too) as utf8_cell() shows it. */
void output_field(struct buf *line, struct str text);

#endif
