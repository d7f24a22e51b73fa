/* What the files of store/tend share. */
#ifndef WEIR_STORE_TEND_INSIDE_H
#define WEIR_STORE_TEND_INSIDE_H

#include "store/history_inside.h"
#include "store/private_folder.h"
#include "store/tend.h"

struct tending {
	const struct tend_options *options;
	struct tend_result *result;
	struct private_folder folder;
	char *real;             /* its path without links */
	int lock;
	struct database *db;
	struct error *err;
};

char *tend_path(const struct tending *t, const char *name); /* heap */

/*
 * Recovers a damaged file that nobody in this process has open: what can be read goes to a new file, the damaged one is moved aside with its
 * WAL, and the new one takes its place. A failure leaves the damaged one where it is.
 */
enum history_status tend_rescue(struct tending *t);
/* Completes that where it was interrupted after the damaged file had been moved. */
enum history_status tend_finish_rescue(struct tending *t);

#endif
