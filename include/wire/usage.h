/*
 * Usage: what an answer took, in tokens. All that the program says of a figure comes from its row: the member of summary and
 * events, the details, the field of the status bar, the words of `status =` and the man page. Meanings: CONTRACT.md, "usage".
 *
 * A figure that nobody gave a number to was never sent (null in JSON): a zeroed `struct usage` knows nothing.
 */
#ifndef WEIR_WIRE_USAGE_H
#define WEIR_WIRE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Of a figure that is part of another one people read behind that one; whole ones are part of themselves. The rank is the
 * status bar's: a field of a lower rank is dropped first; one of rank 0 is shown only where `status =` names it.
 *
 *        figure       member in JSON        part of     label          word of `status =`  rank
 */
#define USAGE_FIGURES(X)                                                                         \
	X(PROMPT,      "prompt_tokens",      PROMPT,     "prompt",      "in",               50)  \
	X(COMPLETION,  "completion_tokens",  COMPLETION, "completion",  "out",              90)  \
	X(TOTAL,       "total_tokens",       TOTAL,      "total",       "total",            0)   \
	X(CACHED,      "cached_tokens",      PROMPT,     "cached",      "cached",           9)   \
	X(CACHE_WRITE, "cache_write_tokens", PROMPT,     "cache write", "cache-write",      0)   \
	X(REASONING,   "reasoning_tokens",   COMPLETION, "reasoning",   "reasoning",        8)

enum usage_figure {
#define X(upper, member, part_of, label, word, rank) USAGE_##upper,
	USAGE_FIGURES(X)
#undef X
	USAGE_FIGURE_COUNT
};

struct count { /* zeroed: never sent */
	int64_t number; /* >= 0; 0 while it was not sent */
	bool sent;
};
#define COUNT_SENT(n) { .number = (n), .sent = true }

struct usage { struct count of[USAGE_FIGURE_COUNT]; };

struct usage_row {
	const char *member, *label, *word;
	enum usage_figure part_of;
	int rank;
};
const struct usage_row *usage_row(enum usage_figure figure);

/* The figure at a place of the order for people: each whole one, then its parts. `place` is below USAGE_FIGURE_COUNT. */
enum usage_figure usage_in_order(unsigned place);

bool usage_is_known(const struct usage *usage);    /* any figure was sent */
bool usage_is_positive(const struct usage *usage); /* any figure is more than zero */
bool usage_equal(const struct usage *a, const struct usage *b);

/* The sum of what was sent, INT64_MAX at most. */
struct count count_sum(struct count a, struct count b);

/*
 * Where a protocol's usage object has its figures: rows to a NULL path. The figure is the first of its plain rows that was
 * sent, and the sum of all that add to it. Decoders read by such a table, encoders write by it.
 */
struct usage_member {
	const char *path; /* "input_tokens_details.cached_tokens": a dot leads into an object */
	enum usage_figure figure;
	bool adds;
};
#define USAGE_MEMBERS_MOST 16

/* `counts` has one a row of the table. Sets the total from prompt and completion where it was not sent. */
struct usage usage_from_counts(const struct usage_member *table, const struct count *counts);

#endif
