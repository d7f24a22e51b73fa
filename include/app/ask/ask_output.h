/*
 * The output of `weir ask`: a consumer of deltas.
 *
 *   standard output   the text as it arrives, byte for byte; a terminal gets it as a page (app/ask/ask_page.h) unless --raw is given; with
 *                     --summary or --events JSON only. The file of -o takes its place
 *   standard error    reasoning, refusals, finished tool calls (a JSON line each), notes, and at most one error line
 *
 * With --summary and --events standard error has only notes and the error line. A LF is added if the text does not end with one, and where both
 * streams go to one place, as behind 2>&1, before each line of standard error. With --code standard output gets only what is in the blocks of
 * code, in the end.
 */
#ifndef WEIR_APP_ASK_OUTPUT_H
#define WEIR_APP_ASK_OUTPUT_H

#include "chat/exchange/exchange.h"

struct loop;
struct part;
struct setup;
struct tool_call;

struct ask_output; /* heap */

struct ask_output *ask_output_new(const struct setup *s); /* borrows its options */
void ask_output_free(struct ask_output *t);
/* Creates the files of --save and -o, if there are any. On false: EXIT_USAGE. */
MUST_USE bool ask_output_open_files(struct ask_output *t, struct error *err);
void ask_output_delta(void *output, const struct delta *delta); /* a delta_sink */

/* A call of --tools-allow runs, writes, and has run: events, the member tool_runs of the summary, a note. */
void ask_output_run_begins(struct ask_output *t, const struct part *call);
void ask_output_run_writes(struct ask_output *t, const struct tool_call *call, struct str text);
void ask_output_run_ended(struct ask_output *t, const struct tool_call *call);
/* The results are sent: another answer begins, and the summary is that of it. */
void ask_output_goes_on(struct ask_output *t);

/* A note on standard error: it begins a line, and rows of the page above it stay. */
void ask_output_note(struct ask_output *t, struct str sentence);
/* Reports on standard error that the request will be sent again. */
void ask_output_retry(struct ask_output *t, const struct exchange_retry *retry);

/* In the loop: draws the page, and notices when the reader of standard output has closed it; then the output is unheard. */
void ask_output_listen(struct ask_output *t, struct loop *loop);
void ask_output_leave(struct ask_output *t, struct loop *loop);
bool ask_output_is_unheard(const struct ask_output *t);

/*
 * Call after the last delta. Writes the summary, the last LF and the error line, with the server's request id if it sent one. Returns
 * the exit status of the outcome; 0 if the reader has closed standard output.
 */
int ask_output_finish(struct ask_output *t, struct str request_id);

/* Call after ask_output_finish(). Notes whether a complete answer conforms to the schema that was sent; STR_NONE does nothing. */
void ask_output_schema(struct ask_output *t, struct str schema);

#endif
