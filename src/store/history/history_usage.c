/* What answers took, summed up. */
#include "store/history/history_inside.h"

#include "base/mem.h"

#define X_SUMS(upper, member, part_of, label, word, rank) ", " HISTORY_SUM_OF("node." member, "spent_" member)

#define SUMS "count(*), sum(node.cost), max(node.currency), min(node.currency), min(node.cost_source), max(node.cost_source), count(node.cost)" \
	USAGE_FIGURES(X_SUMS)
enum { AT_ANSWERS = 2, AT_COST, AT_CURRENCY, AT_OTHER_CURRENCY, AT_SOURCE, AT_OTHER_SOURCE, AT_PRICED, AT_FIGURES };

#define FROM " FROM node JOIN conversation ON conversation.id = node.conversation WHERE role = 'assistant' AND NOT copied AND node.started >= ? " \
	"AND node.deleted IS NULL AND conversation.deleted IS NULL GROUP BY 1 ORDER BY "
#define LARGEST "sum(0.0 + ifnull(node.total_tokens, ifnull(node.prompt_tokens, 0) + ifnull(node.completion_tokens, 0))) DESC, 1"

static const char *const queries[] = {
	[HISTORY_BY_DAY] = "SELECT date(node.started, 'unixepoch', 'localtime'), NULL, " SUMS FROM "1",
	[HISTORY_BY_MODEL] = "SELECT node.model, NULL, " SUMS FROM LARGEST,
	[HISTORY_BY_PROVIDER] = "SELECT node.provider, NULL, " SUMS FROM LARGEST,
	[HISTORY_BY_CONVERSATION] = "SELECT conversation.key, max(conversation.title), " SUMS FROM LARGEST,
};

/* Sums in two currencies are not added. */
static struct history_cost read_cost(const struct rows *r, const char *currency)
{
	bool one_currency = currency && str_equal(row_text(r, AT_CURRENCY), row_text(r, AT_OTHER_CURRENCY));

	return (struct history_cost){
		.known = row_integer(r, AT_PRICED) > 0 && one_currency, .amount = row_real(r, AT_COST), .currency = currency,
		.exact = str_is(row_text(r, AT_SOURCE), "exact") && str_is(row_text(r, AT_OTHER_SOURCE), "exact"),
	};
}

enum history_status history_usage(struct history *h, enum history_by by, time_t since, history_visit_sum *visit, void *ctx, struct error *err)
{
	struct rows *r = database_rows(h->db, queries[by], VALUES(INTEGER(since)));

	while (rows_next(r)) {
		char *key = str_dup(row_text(r, 0)), *title = row_copy(r, 1), *currency = row_copy(r, AT_CURRENCY);
		struct history_sum sum = { .key = key, .title = title, .answers = row_integer(r, AT_ANSWERS), .cost = read_cost(r, currency) };

		sum.unpriced = sum.answers - (sum.cost.known ? row_integer(r, AT_PRICED) : 0);
		history_read_usage(r, AT_FIGURES, &sum.usage);
		visit(ctx, &sum);
		mem_free(key);
		mem_free(title);
		mem_free(currency);
	}
	rows_end(r);
	return history_end_reading(h, "the history cannot be read", err);
}
