/*
 * What the files of keep.h share: keep.c (the current conversation), keep_open.c (opening another one) and keep_change.c (listing and changing
 * stored ones).
 */
#ifndef WEIR_APP_KEEP_INSIDE_H
#define WEIR_APP_KEEP_INSIDE_H

#include "app/keep/keep.h"
#include "app/keep/request_context.h"
#include "app/keep/writer.h"

struct keep {
	struct keep_ways ways;
	struct setup *setup;
	struct session *session;
	struct writer *writer;
	struct request_context context; /* as last described to the writer */
	bool context_known;
	bool is_new;                 /* the conversation was entered, and not looked at since */
	uint64_t changes;            /* those of the session that the writer knows */
	uint64_t setup_changes;      /* those of the setup that were looked at */
	size_t private_from;         /* number of turns when the conversation became private */
	bool is_kept;                /* the writer has the conversation */
	bool live;                   /* an answer ran when it looked last */
	bool maintains;              /* something was written since the history was maintained */
	bool purges;                 /* something was deleted */
	bool leaves;                 /* the program ends: pages are not seen any more */
	const char *spends;          /* what was refused last because the budget is spent (budget_lets()); NULL: nothing was, or it went on */
	char *unpriced;              /* the model that the budget does not count, as was told last; NULL: none */
	struct buf untold;           /* notes that wait for a turn in whose page they can stand, a line each */
	bool foreign_announced;      /* that another program goes on with the conversation */
	int64_t foreign_ms;          /* when to look next for turns of another program */
	int64_t idle_ms;             /* when the conversation changed last */

	struct {
		char *wanted;        /* the name of the conversation that waits for the history; NULL: none does */
		size_t path_left;    /* turns of the path from its start that are not read */
		size_t next;         /* the nodes from here on may not be read */
		int64_t due_ms;
	} opening;

	struct keep_deletion { int64_t mark; size_t removals; } *deletions; /* the last one at the end */
	size_t deletion_count, deletion_capacity;
};

void keep_stop_waiting(struct keep *k); /* the conversation that waits is not opened */
int64_t keep_opening_deadline(const struct keep *k);
void keep_opening_run(struct keep *k, int64_t now_ms);

#endif
