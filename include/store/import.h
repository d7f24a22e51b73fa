/*
 * Imports of conversations from files: weir's own JSON, the exports of ChatGPT and of Claude (`conversations.json`), the `logs.db` of llm.
 * What a file is, is judged by its content. Nothing in it is believed: sizes, depths and counts are bounded, and nothing of it acts.
 *
 * Every conversation has a stable key, made from the id that its source gave it. One that is stored already receives the turns that it does
 * not have yet, as branches where they belong, and shows the last of them; nothing else is changed or removed. So importing a file twice
 * adds nothing. A turn is the same if its role and the kinds, texts and names of its parts are.
 *
 * Each conversation is kept in one transaction. Memory is bounded by the largest one, and so is the WAL: it is moved into the file between
 * them, which waits for the disk. So imports are not for the event loop.
 */
#ifndef WEIR_STORE_IMPORT_H
#define WEIR_STORE_IMPORT_H

#include "store/history.h"

struct import_counts {
	size_t added;   /* conversations that are new */
	size_t grown;   /* were there, and received turns */
	size_t known;   /* were there, with all turns */
	size_t skipped; /* empty, damaged, too large, or not conversations */
};

struct import_options {
	/* Called after each conversation, when nothing is locked. False ends the import. NULL: nobody. */
	bool (*between)(void *ctx, const struct import_counts *counts);
	void *ctx;
};

enum import_status {
	IMPORT_DONE,
	IMPORT_OTHER_KIND, /* not a file that can be imported; the sentence says what it is */
	IMPORT_FAILED,     /* what was kept before stays: importing again goes on */
};

enum import_status import_file(struct history *h, const char *path, const struct import_options *options, struct import_counts *counts,
                               struct error *err);

#endif
