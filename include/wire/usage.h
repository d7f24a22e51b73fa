/*
 * Usage: the tokens used by an answer. The row of a figure defines all its names: the member in summary and events, the label in the
 * details, the word in the status bar, in the setting `status` and in the man page.
 *
 * A figure is unknown (null in JSON) until the server has sent it. A zeroed `struct usage` has no known figures.
 */
#ifndef WEIR_WIRE_USAGE_H
#define WEIR_WIRE_USAGE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A figure that is part of another one is shown after it; a total is "part of" itself. Ranks are for the status bar: the field with the
 * lowest rank is dropped first; a field with rank 0 is shown only if the setting `status` names it.
 *
 *        figure       member in JSON        part of     label          word of `status =`  rank
 */
#define USAGE_FIGURES(X)                                                                           \
	X(PROMPT,      "prompt_tokens",      PROMPT,     "prompt",      "in",               50)    \
	X(COMPLETION,  "completion_tokens",  COMPLETION, "completion",  "out",              90)    \
	X(TOTAL,       "total_tokens",       TOTAL,      "total",       "total",            0)     \
	X(CACHED,      "cached_tokens",      PROMPT,     "cached",      "cached",           8)     \
	X(CACHE_WRITE, "cache_write_tokens", PROMPT,     "cache write", "cache-write",      0)     \
	X(REASONING,   "reasoning_tokens",   COMPLETION, "reasoning",   "reasoning",        12)    \
	X(IMAGE,       "image_tokens",       COMPLETION, "images",      "image",            0)     \
	X(AUDIO,       "audio_tokens",       COMPLETION, "audio",       "audio",            0)     \
	X(SEARCHES,    "web_searches",       SEARCHES,   "searches",    "searches",         0)

/*
 * The figures that have a price: its name in `[price PATTERN]`, in the files of model lists and, behind price_, in the history; its help in
 * the man page.
 */
#define USAGE_PRICES(X)                                                                                                 \
	X(PROMPT,      "input",       "USD per million tokens of prompts")                                              \
	X(COMPLETION,  "output",      "USD per million tokens of answers")                                              \
	X(CACHED,      "cached",      "USD per million tokens read from the provider's cache; if unset, that of input") \
	X(CACHE_WRITE, "cache_write", "USD per million tokens written to the cache; if unset, that of input")           \
	X(REASONING,   "reasoning",   "USD per million tokens of reasoning; if unset, that of output")

enum usage_figure {
#define X(upper, member, part_of, label, word, rank) USAGE_##upper,
	USAGE_FIGURES(X)
#undef X
	USAGE_FIGURE_COUNT,
	USAGE_SUMMARY_COUNT = USAGE_REASONING + 1 /* those before it are the members of the summary and of events, which are fixed */
};

struct count { /* all zero: not sent */
	int64_t number; /* >= 0; 0 if not sent */
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

struct usage_price { const char *name, *help; }; /* as in USAGE_PRICES; both NULL: the figure has no price */
const struct usage_price *usage_price(enum usage_figure figure);

/* The figure at a position in display order: each total, then its parts. `place` must be below USAGE_FIGURE_COUNT. */
enum usage_figure usage_in_order(unsigned place);

bool usage_is_known(const struct usage *usage);    /* any figure was sent */
bool usage_is_positive(const struct usage *usage); /* any figure is greater than zero */
bool usage_equal(const struct usage *a, const struct usage *b);

/* The sum, at most INT64_MAX. It counts as sent if either of them was. */
struct count count_sum(struct count a, struct count b);

/*
 * The location of the figures in a protocol's usage object. A table ends with a NULL path. A figure is the first of its rows without
 * `adds` that was sent, plus the sum of its rows with `adds`. Decoders and encoders use the same table.
 *
 * A figure may be in an element of an array, which has a member that says which element it is:
 * { "promptTokensDetails", .element = { "modality", "AUDIO", "tokenCount" } } is 7 in
 * {"promptTokensDetails":[{"modality":"TEXT","tokenCount":5},{"modality":"AUDIO","tokenCount":7}]}.
 */
struct usage_member {
	const char *path; /* "input_tokens_details.cached_tokens": a dot separates nested members */
	struct {
		const char *key, *value; /* the first element of the array whose member `key` is the text `value` */
		const char *member;      /* its member with the count */
	} element;                   /* all NULL: the path leads to the count; else to the array, and has no dot */
	enum usage_figure figure;
	bool adds;
};
#define USAGE_MEMBERS_MOST 16
bool usage_member_is_at(const struct usage_member *a, const struct usage_member *b); /* both are the same place */

/* `counts` is parallel to the table. Computes the total from prompt and completion if it was not sent. */
struct usage usage_from_counts(const struct usage_member *table, const struct count *counts);

#endif
