/*
 * A replay: the tapes of the command line, of which one is played, and how. The full screen walks from one to the next.
 */
#ifndef WEIR_APP_REPLAY_H
#define WEIR_APP_REPLAY_H

#include "app/options.h"
#include "app/session.h"

struct replay {
	const struct options *options;
	size_t at, count;              /* which of the files of `options` */
	struct tape *tape;             /* of that file; owned */
	struct stream_options stream;
	const char *name;              /* of the file, without its folder; borrowed */
};

/* Opens the first file. Errors are for EXIT_USAGE. */
MUST_USE bool replay_open(struct replay *r, const struct options *o, struct error *err);
void replay_close(struct replay *r); /* after the session that plays it was freed */

void replay_start(const struct replay *r, struct session *s); /* plays it, as the options say */
/* Opens the next file (1) or the one before (-1) and plays it. False: there is none, or it cannot be opened; the other one is played on. */
MUST_USE bool replay_walk(struct replay *r, struct session *s, int step, struct error *err);

#endif
