/*
 * Tending the history: the work on its file that may take long or waits for the disk. The program runs it as another process, never in the
 * event loop, and not while it has the file open itself: closing a descriptor of the file releases all locks that a process has on it.
 *
 * In this order, each where there is something to do: creates the file; recovers a damaged one; brings one of an earlier version to this one,
 * and leaves the old one beside it (`history.db.before-DATE`, which goes with the next deletion); indexes text for the search; deletes for good
 * what was hidden, and its prompts from the list of sent ones (store/files/prompts.h); moves the WAL into the file.
 *
 * Damage that nobody may hear of is left as it is (HISTORY_DAMAGED). Several programs may tend one file: the second does nothing. Others can write meanwhile: it works in short transactions, of some 100 ms, and
 * leaves TEND_GAP_MS between them. Who tries again more often than that has to wait for one of them at most.
 */
#ifndef WEIR_STORE_TEND_H
#define WEIR_STORE_TEND_H

#include "store/history/history.h"

#define TEND_GAP_MS 15

typedef void tend_tape(void *ctx, const char *path);
typedef void tend_recovered(void *ctx, const char *damaged, int64_t turns);

struct tend_options {
	bool purge;         /* delete for good what is hidden */
	bool briefly;       /* leave to a later call what may take minutes: filling the index, and rewriting a file of which much is free */
	bool check;         /* read the whole file, recover it if it contradicts itself, else make its search anew */
	tend_tape *tape;    /* told each tape whose last turn is deleted for good, before it is, to unlink it; NULL: nobody is */
	bool (*may_recover)(void *ctx); /* asked before a damaged file is recovered: somebody has to hear of it. NULL: it may */
	tend_recovered *recovered; /* told as soon as it was, because the work goes on: where the damaged file is, and how many turns were taken over */
	void *ctx;
};

struct tend_result {
	bool created, migrated;
	char *damaged;      /* heap: where the damaged file is now; NULL: it was not damaged */
	int64_t recovered;  /* turns taken over from it */
	bool left;          /* more to delete: other programs are reading what was deleted; tend again later */
};

/*
 * HISTORY_BUSY: another program tends it now. While a new file is made, a handler (base/crash_handler.h) removes it: a signal that ends the
 * process runs the handlers, and leaves nothing behind. What is left by a process that was killed goes with the next call.
 */
enum history_status history_tend(const struct tend_options *options, struct tend_result *result, struct error *err);
void tend_result_fini(struct tend_result *result);

#endif
