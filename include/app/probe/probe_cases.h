/* The cases of the probe: what is sent, and what must be true of the answer. */
#ifndef WEIR_APP_PROBE_CASES_H
#define WEIR_APP_PROBE_CASES_H

#include "app/probe/probe.h"

struct turn;

struct probe_case {
	const char *name;            /* in the table, in --cases and in the names of tapes: letters and '-' */
	const char *help;            /* what is promised */
	const char *prompt, *system, *tools, *schema, *stop; /* NULL: none but the prompt */
	size_t filler_lines;         /* in the prompt, between its first line and the rest */
	long long max_tokens;
	enum reasoning_level reasoning;
	bool asks_no_usage;          /* where usage comes only when it is asked for */
	bool model_may_not;          /* not every model can: a refusal says so */
	bool keeps_calls;            /* the next case sends the results of its calls */
	bool sends_result;           /* of the calls that were kept, else of one that could have come */
	unsigned server_tools;       /* bits of enum server_tool (wire/request.h); sent where they can be asked for */
	bool wrong_key, wrong_model;
	bool cancels;                /* stopped at its first content; another request follows */
	bool at_once;                /* two requests at the same time */
	const struct protocol *lacks; /* the protocol that has no such thing; NULL: all have it */
	/* Judges an answer without an error, or with wants_refusal any answer. Appends why it is not as promised. */
	bool wants_refusal;
	enum probe_verdict (*judge)(const struct probe_case *c, const struct probe_column *column, const struct turn *answer, struct buf *words);
};

const struct probe_case *probe_case_at(size_t index);           /* NULL after the last; at most PROBE_CASES_MOST. The first is a mere text */
size_t probe_case_requests(const struct probe_case *c);
/* Whether it is sent in that column; if not, appends why. */
bool probe_case_applies(const struct probe_case *c, const struct probe_column *column, struct buf *why);
void probe_case_write_prompt(const struct probe_case *c, struct buf *out);
/* Appends what its server tools add to the body; nothing if it has none, or they cannot be asked for. */
void probe_case_write_added(const struct probe_case *c, const struct probe_column *column, struct buf *out);
/* Estimates for one request. */
int64_t probe_case_tokens(const struct probe_case *c);

/* Whether the first answer of a column says that the endpoint or the model does not exist; then it appends the server's words. */
bool probe_case_finds_nothing(const struct probe_case *c, const struct turn *answer, struct buf *words);

/* The verdict on one of its answers. `second`: the request after one that was cancelled. */
enum probe_verdict probe_case_judge(const struct probe_case *c, const struct probe_column *column, const struct turn *answer, bool second,
                                    struct buf *words);

#endif
