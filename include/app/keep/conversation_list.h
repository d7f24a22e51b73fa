/*
 * The list of stored conversations, for the card of the full screen and the linear mode: pinned ones first, then the newest.
 *
 * It is read in pages, so that the first rows are there at once. A filter matches letters of titles (ui/fuzzy.h); it looks at titles that
 * passed the one before, as long as it only grows. A filter that begins with a slash searches the whole text instead: it takes effect with
 * conversation_list_search(). Titles and models are cleaned: one line, valid UTF-8, no control characters.
 */
#ifndef WEIR_APP_CONVERSATION_LIST_H
#define WEIR_APP_CONVERSATION_LIST_H

#include <time.h>

#include "app/keep/keep.h"

#define LIST_PAGE ((size_t)500)
#define LIST_HITS ((size_t)100) /* conversations that a search finds at most */

struct listed {
	int64_t id, updated_ms, turns;
	struct count tokens;
	struct history_cost cost;  /* without the currency's name */
	char currency[8];
	bool pinned;
	char *title, *model;       /* never NULL */
	int64_t text;              /* what a search found; 0: the title, or nothing was searched */
	char *snippet;             /* of that text; NULL: not made yet */
};

struct listed_match { size_t row; int score; };

struct conversation_list {
	const struct keep *keep;
	struct listed *rows;       /* in order, as far as they were read */
	size_t row_count, row_capacity;
	struct listed *hits;       /* of the search */
	size_t hit_count, hit_capacity;
	struct listed_match *matches; /* rows that pass the filter, the best first */
	size_t match_count, match_capacity;
	struct buf filter;
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
bool conversation_list_searches(const struct conversation_list *l);       /* the filter begins with a slash */
bool conversation_list_wants_search(const struct conversation_list *l);   /* ... and its words were not searched to the end yet */
/*
 * Searches on, some 10 ms, at most some 100 ms: the first call forgets the hits of the filter before. The last word is the beginning of a
 * word, unless it is in quotes; a single letter behind other words counts from its second one on.
 */
MUST_USE bool conversation_list_search(struct conversation_list *l, struct error *err);
void conversation_list_end_search(struct conversation_list *l); /* what was found stays */
struct str conversation_list_needle(const struct conversation_list *l);   /* the letters that titles are matched with; borrowed */

size_t conversation_list_count(const struct conversation_list *l);        /* rows that pass the filter */
const struct listed *conversation_list_at(const struct conversation_list *l, size_t index); /* NULL behind the last */
/* What the search found there: clean, but with the marks of store/history/history.h; NULL: the title. Borrowed until the filter changes. */
const char *conversation_list_snippet(struct conversation_list *l, size_t index);
size_t conversation_list_find(const struct conversation_list *l, int64_t id);               /* its index; else 0 */

/* --- what has changed in the history is changed here too --- */

void conversation_list_rename(struct conversation_list *l, int64_t id, struct str title);
void conversation_list_pin(struct conversation_list *l, int64_t id, bool pinned); /* the list must be read */
void conversation_list_drop(struct conversation_list *l, int64_t id);

/* --- words --- */

void listed_tokens(const struct listed *c, struct buf *out); /* "31.2k"; nothing if unknown */
void listed_cost(const struct listed *c, struct buf *out);   /* "$0.041", "~$0.041"; nothing if unknown */
void listed_age(const struct listed *c, time_t now, struct buf *out);
/* Untrusted text as one clean line of at most `most` bytes; HISTORY_HIT_BEGIN and _END stay if `marks`. */
void listed_line(struct str text, size_t most, bool marks, struct buf *out);

#endif
