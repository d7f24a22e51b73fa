/*
 * The probe: real requests to a provider, and whether what came is what was promised.
 *
 * A case (probe_cases.h) is a row, a protocol of a provider and a model is a column, and a cell is what a case gave in a column. Requests
 * are sent one after another, as far as a case does not want two at once. Each has a tape, from which its findings of lint are taken, so
 * that `weir lint` finds the same in it.
 */
#ifndef WEIR_APP_PROBE_H
#define WEIR_APP_PROBE_H

#include "chat/conversation/cost.h"
#include "store/files/private_folder.h"
#include "wire/lint/lint.h"

#define PROBE_CASES_MOST 24
#define PROBE_COLUMNS_MOST PROTOCOL_COUNT
#define PROBE_REQUESTS_MOST 2 /* of a case */

#define PROBE_WRONG_KEY "weir-probe-wrong-key"
#define PROBE_WRONG_MODEL "weir-probe-no-such-model"

enum probe_verdict {
	PROBE_NOT_RUN,      /* it was not chosen, or the probe ended before it */
	PROBE_PROMISED,
	PROBE_NOT_OFFERED,  /* neither the protocol nor the provider promises it, or the model need not be able to */
	PROBE_FINDINGS,     /* it works, but lint has findings, or something is unusual */
	PROBE_FAILED,
	PROBE_ABSENT,       /* the first request of the column got 404: its endpoint or its model is not there, and no more is sent */
	PROBE_VERDICTS
};

/* The findings of a rule in the answers of a cell. */
struct probe_finding {
	const struct lint_rule *rule;
	size_t count;
	char *message;              /* the first one */
};

struct probe_cell {
	enum probe_verdict verdict;
	struct buf words;           /* why it is not as promised; may hold words of the server, in one line */
	struct probe_finding *findings;
	size_t finding_count, capacity;
	char *tapes[PROBE_REQUESTS_MOST]; /* names in the folder; NULL: none */
	double total_ms;            /* of the slowest of its answers; negative: none ended */
};

struct conversation;

struct probe_column {
	struct provider *provider;  /* a copy, which records what refusals reveal; owned */
	const struct protocol *protocol;
	const struct dialect *dialect;
	char *model, *base_url;
	char *label;                /* "demo/demo-1:openai-chat" */
	struct prices prices;       /* of the model; unknown: all zero */
	struct probe_cell cells[PROBE_CASES_MOST];
	struct conversation *called; /* its last answer has calls, to which the next case sends the results; NULL: none */
	struct usage spent;         /* of all its answers */
	struct cost cost;
	bool found;                 /* its endpoint is there: a request got something else than 404 */
	bool given_up;              /* the server was not reached, or the endpoint is not there */
};

struct probe {
	struct setup *setup;
	struct probe_column columns[PROBE_COLUMNS_MOST];
	size_t count;
	bool compares;              /* --against: there are two columns, and their differences are marked */
	bool chosen[PROBE_CASES_MOST];
	struct private_folder folder; /* of the tapes */
	bool stopped;               /* by the user */
};

void probe_init(struct probe *p, struct setup *setup);
void probe_fini(struct probe *p);

/*
 * Takes columns and cases from the options. Columns are the protocols that the target's provider offers, or that of --protocol; with --against
 * they are the target and the other one. Changes the setup's target. Errors are usage errors.
 */
MUST_USE bool probe_choose(struct probe *p, struct error *err);
/* Opens the folder of the tapes: `path`, which must be empty or not exist yet, or, if it is NULL, a new one in the state folder. */
MUST_USE bool probe_open_folder(struct probe *p, const char *path, struct error *err);
/* Sends all requests, and judges the answers. */
void probe_run(struct probe *p);

/* Appends what will be sent: requests, tokens and money. */
void probe_write_plan(const struct probe *p, struct buf *out);

/* The forms of the result. `width_cells`: of the terminal; 0: long lines are not wrapped. Untrusted text is in them. */
void probe_write_table(const struct probe *p, unsigned width_cells, struct buf *out);
void probe_write_markdown(const struct probe *p, struct buf *out);
void probe_write_json(const struct probe *p, struct buf *out);
/* Cells with that verdict. */
size_t probe_count(const struct probe *p, enum probe_verdict verdict);

#endif
