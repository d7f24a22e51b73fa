/*
 * Binary search: the first index that is not before what is looked for. `before` is true for the first items and false for all behind them.
 *
 *	struct search s = search_in(0, count);
 *
 *	while (search_next(&s))
 *		search_take(&s, items[s.middle].start < start);
 *	return s.low;
 *
 * The last item that is not behind it: search from 1 on with `<=`; then it is `low - 1`, and the first item where there is none.
 */
#ifndef WEIR_BASE_SEARCH_H
#define WEIR_BASE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

struct search {
	size_t low, high; /* the range that is left; at the end `low` is the result, the first `high` if all items are before */
	size_t middle;    /* the index to look at */
};

/* From `low` up to `high` (exclusive). */
static inline struct search search_in(size_t low, size_t high)
{
	return (struct search){ .low = low, .high = high };
}

/* Sets `middle`. False: the search is over; at once if `low` is not below `high`. */
static inline bool search_next(struct search *s)
{
	s->middle = s->low + (s->high - s->low) / 2;
	return s->low < s->high;
}

/* Takes in whether the item at `middle` is before. */
static inline void search_take(struct search *s, bool before)
{
	if (before)
		s->low = s->middle + 1;
	else
		s->high = s->middle;
}

#endif
