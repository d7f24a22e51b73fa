/*
 * How `weir ask` tells an answer: a consumer of deltas.
 *
 *   standard output   the text as it arrives, byte for byte; with --summary or --events JSON only
 *   standard error    reasoning, refusals, finished tool calls (a JSON line each), notes, and at most one line that says what went wrong
 *
 * With --summary and --events standard error has only notes and that line. To a terminal the text gets a LF behind its end if
 * it has none; a pipe gets the text and nothing else, as from curl.
 */
#ifndef WEIR_APP_ASK_OUTPUT_H
#define WEIR_APP_ASK_OUTPUT_H

#include "app/options.h"
#include "chat/exchange.h"

struct ask_output; /* heap */

struct ask_output *ask_output_new(const struct options *o, const char *protocol, const char *dialect);
void ask_output_free(struct ask_output *t);
void ask_output_delta(void *output, const struct delta *delta); /* a delta_sink */

/* The request waits to be sent again: a line on standard error. */
void ask_output_retry(struct ask_output *t, const struct exchange_retry *retry);

/* Nobody reads standard output any more; noticed without a write. */
void ask_output_reader_left(struct ask_output *t);
bool ask_output_is_unheard(const struct ask_output *t);

/*
 * After the end: the summary, the last LF, what went wrong, with the server's request id where it sent one. Returns the exit status: the
 * outcome's, 0 when nobody reads any more.
 */
int ask_output_finish(struct ask_output *t, struct str request_id);

/* After that: a note whether a complete answer follows the schema that was sent; nothing for STR_NONE. */
void ask_output_schema(struct ask_output *t, struct str schema);

#endif
