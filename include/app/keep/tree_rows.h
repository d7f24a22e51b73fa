/*
 * The tree of a conversation as rows, for the card of the full screen and the list of the linear mode: each turn, then what is below it,
 * in the order of creation. Only where branches part does what follows stand one step further in.
 */
#ifndef WEIR_APP_TREE_ROWS_H
#define WEIR_APP_TREE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

struct buf;
struct conversation;
struct turn;

struct tree_row {
	struct turn *turn;
	unsigned indent;       /* in steps */
	size_t branch;         /* if there are any: the row where the branch begins that it belongs to, maybe this one, */
	size_t outer;          /* ... and, where one begins, that of the branch around it */
	bool folded;           /* what is below it has no rows */
	bool has_below;
};

struct tree_rows {
	struct tree_row *rows;
	size_t count, capacity;
	bool *folded;          /* by the turns' numbers */
	size_t known;          /* turns that `folded` has room for */
};

void tree_rows_fini(struct tree_rows *t);
void tree_rows_fill(struct tree_rows *t, const struct conversation *c); /* what is folded stays folded */
/* Folds or unfolds a turn; tree_rows_fill() shows it. */
void tree_rows_fold(struct tree_rows *t, const struct turn *turn, bool folded);
size_t tree_rows_find(const struct tree_rows *t, const struct turn *turn); /* its row, or that of the folded one above it; else 0 */

size_t tree_below(const struct conversation *c, const struct turn *turn); /* number of rows below it, without folds */
/* "prompt, its answer and the 4 turns below it", of what goes when it is deleted. Prompts count as turns, as in conversation_totals(). */
void tree_write_whole(const struct conversation *c, const struct turn *turn, struct buf *out);
/* The lines before a row that tell its branch from those beside it, two columns for each of the innermost `most` steps. */
void tree_lines(const struct tree_rows *t, size_t row, unsigned most, struct buf *out);
bool tree_row_is_current(const struct tree_row *row, const struct conversation *c); /* the conversation goes on there, or in what is folded */
void tree_first_words(const struct turn *turn, size_t most, struct buf *out); /* what a reader sees of it, as one line of at most `most` bytes */
void tree_when(const struct turn *turn, time_t now, struct buf *out);        /* "now", "5 min ago", "3 h ago", else the date; nothing if unknown */
void age_write(time_t then, time_t now, struct buf *out);                    /* "now", "5 min", "3 h", "2 d"; nothing if it is 0 or to come */
const char *tree_model(const struct turn *turn);  /* that answered, without the words before the last slash; "" for a question */
const char *tree_outcome(const struct turn *turn); /* "" for a question; "under way" before the end */

#endif
