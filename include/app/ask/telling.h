/*
 * How `weir ask` tells an answer: a consumer of deltas.
 *
 *   standard output   the text as it arrives, byte for byte; with --summary or --events JSON only
 *   standard error    reasoning, refusals, finished tool calls (a JSON line each), notes, and at most one line that says what went wrong
 *
 * With --summary and --events standard error has only notes and that line. To a terminal the text gets a LF behind its end if
 * it has none; a pipe gets the text and nothing else, as from curl.
 */
#ifndef WEIR_APP_TELLING_H
#define WEIR_APP_TELLING_H

#include "app/options.h"
#include "chat/exchange.h"

struct telling; /* heap */

struct telling *telling_new(const struct options *o, const char *protocol, const char *dialect);
void telling_free(struct telling *t);
void telling_delta(void *telling, const struct delta *delta); /* a delta_sink */

/* The request waits to be sent again: a line on standard error. */
void telling_retry(struct telling *t, const struct exchange_retry *retry);

/* Nobody reads standard output any more; noticed without a write. */
void telling_reader_left(struct telling *t);
bool telling_is_unheard(const struct telling *t);

/*
 * After the end: the summary, the last LF, what went wrong, with the server's request id where it sent one. Returns the exit status: the
 * outcome's, 0 when nobody reads any more.
 */
int telling_finish(struct telling *t, struct str request_id);

/* After that: a note whether a complete answer follows the schema that was sent; nothing for STR_NONE. */
void telling_schema(struct telling *t, struct str schema);

#endif
