/*
 * The lines of the linear mode: standard input, read in the loop.
 *
 * The line discipline of a terminal does not tell what was pasted. So no @PATH in a line attaches a file (app/mention.h), and slash words
 * that read one are taken only from a terminal, in a line that no other comes with; the others are commands in every line, a pipe's too.
 */
#ifndef WEIR_APP_PLAIN_LINES_H
#define WEIR_APP_PLAIN_LINES_H

#include <poll.h>

#include "app/plain/plain_host.h"
#include "app/plain/plain_input.h"

struct plain_lines {
	const struct plain_host *host;
	struct plain_input input;
	bool over;           /* nothing follows */
	bool holds;          /* a line waits until it is clear whether others come with it: */
	struct buf held;
	unsigned held_reads; /* `reads` as it was then */
	int64_t read_ms;     /* when bytes were read last, */
	int64_t gap_ms;      /* how long after those before them, */
	unsigned reads;      /* and how often that was */
};

void plain_lines_init(struct plain_lines *l, const struct plain_host *host);
void plain_lines_fini(struct plain_lines *l);

/* The next one, until the next call; `alone`: from a terminal, and no other came with it. False when there is none yet. */
bool plain_lines_next(struct plain_lines *l, int64_t now_ms, struct str *line, bool *alone);
void plain_lines_drop(struct plain_lines *l);      /* what was not taken yet */
void plain_lines_wipe(struct plain_lines *l);      /* the memory of lines that were taken: one was a key */
void plain_lines_tell_loss(struct plain_lines *l); /* once: bytes were left out */

size_t plain_lines_fds(const struct plain_lines *l, struct pollfd *fds, size_t room);
int64_t plain_lines_deadline(const struct plain_lines *l);
void plain_lines_run(struct plain_lines *l, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
