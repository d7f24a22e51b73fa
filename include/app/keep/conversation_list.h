/*
 * The list of stored conversations, for the card of the full screen and the linear mode: pinned ones first, then the newest.
 *
 * It is read in pages, so that the first rows are there at once. A filter is words: first come the conversations whose titles have them, in the
 * order of the list, then those whose texts do, as the history finds them, each conversation once. Texts are searched with
 * conversation_list_search() when all of the list was read. So rows are only added behind others. Titles and models are cleaned: one line, valid
 * UTF-8, no control characters.
 */
#ifndef WEIR_APP_CONVERSATION_LIST_H
#define WEIR_APP_CONVERSATION_LIST_H

#include <time.h>

#include "app/keep/keep.h"
#include "store/history/query.h"

#define LIST_PAGE ((size_t)500)
#define LIST_HITS ((size_t)100) /* conversations that are found by their texts at most */

struct listed {
	int64_t id, updated_ms, turns;
	struct count tokens;
	struct history_cost cost;  /* without the currency's name */
	char currency[8];
	bool pinned;
	char *title, *model;       /* never NULL */
	char *folded;              /* the title as words_fold() makes it */
	int64_t text;              /* that was found; 0: the title was, or nothing was looked for */
	char *snippet;             /* of that text; NULL: not made yet */
};

struct conversation_list {
	const struct keep *keep;
	struct listed *rows;       /* in order, as far as they were read */
	size_t row_count, row_capacity;
	size_t *matches;           /* rows whose titles pass the filter */
	size_t match_count, match_capacity;
	struct listed *hits;       /* found by their texts */
	size_t hit_count, hit_capacity;
	bool hits_are_old;         /* they are those of the filter before, until one of this one is found or none is */
	struct buf filter;
	struct query *query;       /* of the filter, for titles; NULL: there is no filter */
	int64_t after_updated_ms, after_id; /* where the next page begins */
	bool is_read;              /* all pages were read */
	struct history_search *search; /* under way; NULL: none */
	bool searched;             /* `hits` are those of the filter, all of them */
};

void conversation_list_init(struct conversation_list *l, const struct keep *keep); /* borrows it */
void conversation_list_fini(struct conversation_list *l);

/* Reads the list again from its beginning: its first page. The filter stays. */
MUST_USE bool conversation_list_begin(struct conversation_list *l, struct error *err);
/* Reads the next page of it. */
MUST_USE bool conversation_list_go_on(struct conversation_list *l, struct error *err);
MUST_USE bool conversation_list_read_all(struct conversation_list *l, struct error *err);

void conversation_list_filter(struct conversation_list *l, struct str filter);
bool conversation_list_wants_search(const struct conversation_list *l);   /* the texts were not searched to the end yet */
/*
 * Searches texts, some 10 ms, at most some 100 ms: the first call forgets the hits of the filter before. The last word is the beginning of a
 * word, unless it is in quotes; a single letter behind other words counts from its second one on.
 */
MUST_USE bool conversation_list_search(struct conversation_list *l, struct error *err);
void conversation_list_end_search(struct conversation_list *l); /* what was found stays */
/* Marks the bytes of the title in which the filter was found. False: there are none. */
bool conversation_list_mark(const struct conversation_list *l, const struct listed *row, bool *matched, size_t count);

size_t conversation_list_count(const struct conversation_list *l);        /* rows that pass the filter */
size_t conversation_list_titles(const struct conversation_list *l);       /* those of them that do by their titles: the first ones */
const struct listed *conversation_list_at(const struct conversation_list *l, size_t index); /* NULL behind the last */
/* The words of the text that was found there, as listed_excerpt(); NULL: it was the title. Borrowed until the filter changes. */
const char *conversation_list_snippet(struct conversation_list *l, size_t index);
/* Where that is, and appends the first of the words there. False: it was the title, or it is gone. */
bool conversation_list_locate(const struct conversation_list *l, size_t index, struct history_place *place, struct buf *found);
size_t conversation_list_find(const struct conversation_list *l, int64_t id);               /* its index; else 0 */

/* --- what has changed in the history is changed here too --- */

void conversation_list_rename(struct conversation_list *l, int64_t id, struct str title);
void conversation_list_pin(struct conversation_list *l, int64_t id, bool pinned); /* the list must be read */
void conversation_list_drop(struct conversation_list *l, int64_t id);

/* --- words --- */

void listed_tokens(const struct listed *c, struct buf *out); /* "31.2k"; nothing if unknown */
void listed_cost(const struct listed *c, struct buf *out);   /* "$0.041", "~$0.041"; nothing if unknown */
void listed_age(const struct listed *c, time_t now, struct buf *out);
void listed_line(struct str text, size_t most, struct buf *out); /* untrusted text as one clean line of at most `most` bytes */
/* The same of a snippet of the history, whose marks stay. It begins a few words before the first of them. */
void listed_excerpt(struct str snippet, struct buf *out);

#endif
