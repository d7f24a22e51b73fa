/*
 * The price table: what the user wrote about models in the sections [price PATTERN] of weir.conf: prices in USD per million tokens, and
 * context windows.
 */
#ifndef WEIR_STORE_PRICE_TABLE_H
#define WEIR_STORE_PRICE_TABLE_H

#include "base/ini.h"
#include "base/text.h"
#include "chat/conversation/cost.h"

struct price_row { char *pattern; struct prices prices; int64_t context_tokens; }; /* context_tokens: 0: not said */
struct price_table { struct price_row *rows; size_t count, capacity; }; /* embedded; zero it */

void price_table_fini(struct price_table *t);

/* Sets a value of the section with that pattern: a price (wire/usage.h), or `context`. False with an error that names the value. */
MUST_USE bool price_table_set(struct price_table *t, struct str pattern, struct str name, struct str value, struct error *err);

/*
 * What the first section says whose pattern matches the model's name and that says it. A pattern is a shell pattern; `*` stands for
 * slashes too.
 */
bool price_table_prices(const struct price_table *t, struct str model, struct prices *prices); /* false: nothing */
int64_t price_table_context(const struct price_table *t, struct str model);                    /* 0: nothing */

struct ini_help price_table_help_at(size_t index);

#endif
