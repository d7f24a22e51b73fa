#include "store/config/price_table.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/names.h"

#define CONTEXT "context"
#define CONTEXT_MOST 1000000000
#define PRICE_BYTES 20 /* "123456.123456789" */

struct ini_help price_table_help_at(size_t index)
{
	for (unsigned place = 0; place < USAGE_FIGURE_COUNT; place++) {
		enum usage_figure figure = usage_in_order(place);

		if (usage_price(figure)->name && index-- == 0)
			return (struct ini_help){ usage_price(figure)->name, NULL, usage_price(figure)->help };
	}
	return index == 0 ? (struct ini_help){ CONTEXT, NULL, "the model's context window in tokens" } : (struct ini_help){ 0 };
}

void price_table_fini(struct price_table *t)
{
	for (size_t i = 0; i < t->count; i++)
		mem_free(t->rows[i].pattern);
	mem_free(t->rows);
	*t = (struct price_table){ NULL, 0, 0 };
}

/* Digits, at most one point between them. */
static bool price_read(struct str text, double *usd)
{
	char digits[PRICE_BYTES + 1];
	bool fraction = false, good = text.len && text.len <= PRICE_BYTES;

	for (size_t i = 0; good && i < text.len; i++) {
		bool point = text.ptr[i] == '.' && !fraction && i && i + 1 < text.len;

		good = point || (text.ptr[i] >= '0' && text.ptr[i] <= '9');
		fraction |= point;
	}
	if (!good)
		return false;
	snprintf(digits, sizeof digits, "%.*s", STR_ARG(text));
	*usd = strtod(digits, NULL); /* the locale of numbers is C */
	return true;
}

static struct price_row *price_row_add(struct price_table *t, struct str pattern)
{
	for (size_t i = 0; i < t->count; i++)
		if (str_is(pattern, t->rows[i].pattern))
			return &t->rows[i];
	struct price_row *row = ARRAY_ADD(t->rows, t->count, t->capacity);
	*row = (struct price_row){ .pattern = str_dup(pattern) };
	return row;
}

static const char *price_name_at(const void *unused, size_t index)
{
	(void)unused;
	return price_table_help_at(index).name;
}

static bool price_set_context(struct price_table *t, struct str pattern, struct str value, struct error *err)
{
	long long tokens;

	if (!str_to_int(value, &tokens) || tokens < 1 || tokens > CONTEXT_MOST)
		return error_set(err, CONTEXT " = %.*s: it must be a number of tokens", STR_ARG(value));
	price_row_add(t, pattern)->context_tokens = tokens;
	return true;
}

bool price_table_set(struct price_table *t, struct str pattern, struct str name, struct str value, struct error *err)
{
	enum usage_figure figure = 0;
	double usd;

	if (!pattern.len)
		return error_set(err, "[price PATTERN]: the pattern is missing, * stands for all models");
	if (str_is(name, CONTEXT))
		return price_set_context(t, pattern, value, err);
	while (figure < USAGE_FIGURE_COUNT && !(usage_price(figure)->name && str_is(name, usage_price(figure)->name)))
		figure++;
	if (figure == USAGE_FIGURE_COUNT)
		return names_refuse("price", name, price_name_at, NULL, err);
	if (!price_read(value, &usd))
		return error_set(err, "%.*s = %.*s: it must be a number of dollars per million tokens, such as 0.25", STR_ARG(name), STR_ARG(value));
	price_row_add(t, pattern)->prices.of[figure] = MONEY(usd);
	return true;
}

static const struct price_row *price_row_of(const struct price_table *t, struct str model, bool context)
{
	char *name = str_dup(model);
	const struct price_row *found = NULL;

	for (size_t i = 0; !found && i < t->count; i++)
		if ((context ? t->rows[i].context_tokens > 0 : t->rows[i].prices.of[USAGE_PROMPT].known ||
		     t->rows[i].prices.of[USAGE_COMPLETION].known) && !fnmatch(t->rows[i].pattern, name, 0))
			found = &t->rows[i];
	mem_free(name);
	return found;
}

bool price_table_prices(const struct price_table *t, struct str model, struct prices *prices)
{
	const struct price_row *row = price_row_of(t, model, false);

	if (row)
		*prices = row->prices;
	return row != NULL;
}

int64_t price_table_context(const struct price_table *t, struct str model)
{
	const struct price_row *row = price_row_of(t, model, true);

	return row ? row->context_tokens : 0;
}
