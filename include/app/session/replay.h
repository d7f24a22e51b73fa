/*
 * A replay: the tapes of the command line, of which one is played, and how. The full screen walks from one to the next.
 */
#ifndef WEIR_APP_REPLAY_H
#define WEIR_APP_REPLAY_H

#include "app/system/loop.h"

struct replay {
	const struct options *options;
	size_t at, count;              /* which of the files of `options` */
	bool rounds;                   /* they are rounds of one turn: each is played below the one before, and the next one when it has ended */
	struct tape *tape;             /* of that file; owned; NULL with --follow */
	struct tape_tail *tail;        /* the same while it is being written; owned; NULL without --follow, and for rounds before the last one */
	struct session *session;       /* that plays it; borrowed */
	void (*tell)(void *ctx, const char *sentence); /* why it is not followed any more; NULL: nobody */
	void (*walked)(void *ctx, bool gone); /* another file is played; `gone`: the turns so far are gone. NULL: nobody */
	void *ctx;
	int64_t read_ms;               /* when the tail was last read */
	struct stream_options stream;
	const char *name;              /* of the file, without its folder; borrowed */
};

/* Opens the first file. Errors are for EXIT_USAGE. */
MUST_USE bool replay_open(struct replay *r, const struct options *o, struct error *err);
void replay_close(struct replay *r); /* after the session that plays it was freed */

void replay_start(struct replay *r, struct session *s); /* plays it, as the options say */
/* With --follow, reads what is added to the tape; with --round, goes on to the next one. */
struct loop_member replay_member(struct replay *r);
/* Opens the next file (1) or the one before (-1) and plays it. False: there is none, or it cannot be opened; the other one is played on. */
MUST_USE bool replay_walk(struct replay *r, struct session *s, int step, struct error *err);

#endif
