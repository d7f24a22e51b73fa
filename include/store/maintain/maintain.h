/*
 * Maintenance of the history: the work on its file that may take long or waits for the disk. The program runs it in another process, never in
 * the event loop, and never while it has the file open itself: closing a descriptor of a file releases all locks that the process has on it.
 *
 * In this order, each where there is something to do:
 *   - creates the file
 *   - recovers a damaged one
 *   - brings a file of an earlier version to this one, and leaves the old one beside it (`history.db.before-DATE`, which goes with the next
 *     deletion)
 *   - indexes text for the search
 *   - deletes for good what was hidden, and its prompts from the list of sent ones (store/files/prompts.h)
 *   - moves the WAL into the file
 *
 * A damaged file is left as it is (HISTORY_DAMAGED) if nobody can be told of it. Of several programs that maintain one file, the second does
 * nothing. Other programs can write meanwhile: transactions take about 100 ms, with a pause of MAINTAIN_GAP_MS after each. A writer that
 * retries that often waits for at most one transaction.
 */
#ifndef WEIR_STORE_MAINTAIN_H
#define WEIR_STORE_MAINTAIN_H

#include "store/history/history.h"

#define MAINTAIN_GAP_MS 15

typedef void maintain_tape(void *ctx, const char *path);
typedef void maintain_recovered(void *ctx, const char *damaged, int64_t turns);

struct maintain_options {
	bool purge;         /* delete for good what is hidden */
	bool briefly;       /* leave to a later call what may take minutes: filling the index, and rewriting a file of which much is free */
	bool only_there;    /* a file that is not there is not created: HISTORY_ABSENT. Somebody may have removed it on purpose */
	bool check;         /* read the whole file, recover it if it contradicts itself, else make its search anew */
	maintain_tape *tape; /* unlinks a tape; called before its last turn is deleted for good. NULL: tapes stay */
	bool (*may_recover)(void *ctx); /* whether a user can be told of a damaged file, which is recovered only then. NULL: it is recovered */
	/* Called after a recovery, before the other work: the path of the damaged file, and the number of turns taken over. */
	maintain_recovered *recovered;
	void *ctx;
};

struct maintain_result {
	bool created, migrated;
	char *damaged;      /* heap: where the damaged file is now; NULL: it was not damaged */
	int64_t recovered;  /* turns taken over from it */
	bool left;          /* other programs still read what was deleted; call again later */
};

/*
 * HISTORY_BUSY: another program maintains it now. A signal that ends the process removes an unfinished new file (base/crash_handler.h). After
 * SIGKILL it stays until the next call.
 */
enum history_status history_maintain(const struct maintain_options *options, struct maintain_result *result, struct error *err);
void maintain_result_fini(struct maintain_result *result);

#endif
