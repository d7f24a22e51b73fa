/*
 * HTTP Archives (HAR 1.2) as input, as browsers and proxies export them: one exchange out of an archive of many, as the lines of a tape.
 *
 * An archive has no times of single reads, so each frame of its body is a read at 0, unless `weir tape convert` wrote it: then the member
 * `_weir` of the entry has the lines of the tape around the body, and the time and length of each read. Headers of requests and cookies
 * are not looked at; of the rest only what a tape may hold is kept (net/tape_lines.h).
 */
#ifndef WEIR_NET_HAR_H
#define WEIR_NET_HAR_H

#include "net/tape.h"

/* Whether a file is to be read as an archive: an object whose first member is `log`, an object too. */
bool har_begins(struct str text);

struct har_exchange { /* owns its buffers */
	struct buf lines;          /* the tape */
	struct buf body;           /* of the response */
	bool timed;                /* the lines have times */
	struct tape_archive where; /* where it was found */
};

/*
 * Reads entry number `entry`; 0 is the first that holds a model's answer, or the only one. Fails with a sentence. In both cases the
 * caller frees `e`.
 */
MUST_USE bool har_read(struct har_exchange *e, struct str text, size_t entry, struct error *err);
void har_exchange_fini(struct har_exchange *e);

#endif
