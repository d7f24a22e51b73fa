/*
 * The lines of the linear mode: standard input, read in the loop.
 *
 * A terminal's line discipline does not show what was pasted. So an @PATH in a line attaches no file (app/setup/mention.h), and slash words
 * that read a file are accepted only from a terminal, in a line that arrives alone. Other slash words are commands in every line, also
 * from a pipe.
 */
#ifndef WEIR_APP_PLAIN_LINES_H
#define WEIR_APP_PLAIN_LINES_H

#include <poll.h>

#include "app/plain/plain_host.h"
#include "app/plain/plain_input.h"

struct plain_lines {
	const struct plain_host *host;
	struct plain_input input;
	bool over;           /* standard input has ended */
	bool holds;          /* a line is held until it is clear whether other lines arrive with it */
	struct buf held;     /* the held line */
	unsigned held_reads; /* value of `reads` when the line was held */
	int64_t read_ms;     /* time of the last read */
	int64_t gap_ms;      /* time between the last two reads */
	unsigned reads;      /* number of reads */
};

void plain_lines_init(struct plain_lines *l, const struct plain_host *host);
void plain_lines_fini(struct plain_lines *l);

/* The next line; it lives until the next call. `alone`: it came from a terminal and no other line with it. False: none yet. */
bool plain_lines_next(struct plain_lines *l, int64_t now_ms, struct str *line, bool *alone);
void plain_lines_drop(struct plain_lines *l);      /* what was not taken yet */
void plain_lines_wipe(struct plain_lines *l);      /* the memory of lines that were taken: one was a key */
void plain_lines_tell_loss(struct plain_lines *l); /* once: bytes were left out */

size_t plain_lines_fds(const struct plain_lines *l, struct pollfd *fds, size_t room);
int64_t plain_lines_deadline(const struct plain_lines *l);
void plain_lines_run(struct plain_lines *l, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
