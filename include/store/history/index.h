/*
 * The index of words in the history's file, for store/history/history_search.c.
 *
 * Texts are pieces in the order of their ids, and blocks are ranges of them: a block holds some megabytes of text. So a search begins with the
 * newest texts and can end early; a new text changes the newest block only; and a text that is deleted leaves the index with a rewrite of the
 * block that has it, whatever the size of the file. Rows that are changed are overwritten (PRAGMA secure_delete), so no word stays behind.
 *
 * Nothing here indexes at once: a piece that is added, changed or deleted is noted as stale, and index_some() brings the index up to date. A
 * search leaves stale pieces out and reads them itself. The same holds for all pieces below the backlog: after a migration and after damage
 * the texts are indexed from the newest to the oldest.
 */
#ifndef WEIR_STORE_INDEX_H
#define WEIR_STORE_INDEX_H

#include "store/history/database.h"

/* --- writing: in the caller's transaction --- */

void index_note(struct database *db, int64_t piece); /* it is stale */
void index_begin_anew(struct database *db);          /* makes all texts the backlog */

enum index_what {
	INDEX_GONE,  /* stale pieces that are gone leave the index */
	INDEX_STALE, /* all stale pieces, but those that still grow */
	INDEX_ALL,   /* the same; then the backlog */
};
/* Brings some texts up to date, some 100 ms of work. False: there is nothing more to do. */
bool index_some(struct database *db, enum index_what what);

/* --- reading --- */

/* Numbers of texts in a block. Initialise to zero. */
struct number_set { uint64_t *bits; size_t span, capacity; };
void number_set_fini(struct number_set *set);

struct index_key { struct str word; bool is_beginning; }; /* at most INDEX_WORD_BYTES */

/* The next older block; `*block` is INT64_MAX at first. False: there is none. */
bool index_next_block(struct database *db, int64_t *block, size_t *span);
/* The texts of a block that have all keys. */
void index_find(struct database *db, int64_t block, size_t span, const struct index_key *keys, size_t count, struct number_set *found);
/* Visits the texts of a set, the newest first. */
typedef void index_visit(void *ctx, int64_t piece, int64_t conversation);
void index_walk(struct database *db, int64_t block, const struct number_set *found, index_visit *visit, void *ctx);

#endif
