/*
 * The budget: `budget = 2.00 a day` of weir.conf against what the answers of today took, by the history. From 80 % on it is shown, from 100 % on the
 * user is asked before a prompt is sent. Answers whose price nobody knows, or that are not kept, do not count.
 */
#ifndef WEIR_APP_BUDGET_H
#define WEIR_APP_BUDGET_H

#include "store/history/history.h"

struct keep;
struct setup;
struct turn;

struct budget { double most_usd, spent_usd; bool rough; }; /* most_usd: 0: there is none; rough: a part of it was computed from prices */

/* What there is today; `h` may be NULL. What cannot be read counts as nothing. */
struct budget budget_today(const struct setup *s, struct history *h);
struct budget budget_of_chat(const struct setup *s, struct keep *k); /* of the chat's history, with what is said so far. `k` may be NULL */
bool budget_is_near(const struct budget *b);
bool budget_is_spent(const struct budget *b);
/* Appends "today ~$1.70 of $2.00"; and the same as a sentence. */
void budget_write(const struct budget *b, struct buf *out);
void budget_write_spent(const struct budget *b, struct buf *out);

/*
 * If there is a budget and nobody knows what the ended answer cost: appends that the budget does not count it, and what helps. Once in a row for
 * a model: `*told` is the last one that it was said of, owned by the caller.
 */
void budget_write_missed(const struct setup *s, const struct turn *answer, char **told, struct buf *sentence);
void budget_tell_missed(struct keep *k, const struct turn *answer); /* in the chat; `k` may be NULL */

/*
 * The gate of what asks a model without a new prompt: `what` is a literal; NULL: nobody can be asked. False: the budget is spent, and the
 * sentence says so; the same `what` passes the next time, unless something else asked meanwhile. `k` may be NULL.
 */
bool budget_lets(const struct setup *s, struct keep *k, const char *what, struct buf *sentence);
#define BUDGET_QUEUE "queue"
bool budget_lets_go_on(void *keep, bool queued); /* session_watch.go_on() */

#endif
