#include "wire/protocol/dialect.h"

#include <string.h>

#include "base/array.h"

static const struct dialect dialects[] = {
	{
		.name = "sansa",
		.sends_done = true,
		.sending = { .max_tokens_field = MAX_TOKENS_OLD, .usage_opt_in = false, .reasoning_field = REASONING_FIELD_OBJECT },
	},
	{
		.name = "chuizi",
		.sends_done = true,
		.sending = { .max_tokens_field = MAX_TOKENS_OLD, .usage_opt_in = true, .reasoning_field = REASONING_FIELD_EFFORT },
	},
	{
		.name = "aivene",
		.sends_done = true,
		.sending = {
			.max_tokens_field = MAX_TOKENS_COMPLETION,
			.usage_opt_in = true,
			.reasoning_field = REASONING_FIELD_EFFORT,
		},
	},
	{
		.name = "runtime",
		.close_is_end = true,
		.sending = { .max_tokens_field = MAX_TOKENS_OLD, .usage_opt_in = true, .reasoning_field = REASONING_FIELD_EFFORT },
	},
	{
		.name = "opentoken",
		.sends_done = true,
		.sending = { .max_tokens_field = MAX_TOKENS_OLD, .usage_opt_in = false, .reasoning_field = REASONING_FIELD_EFFORT },
	},
	{
		.name = "generic",
		.sends_done = true,
		.sending = { .max_tokens_field = MAX_TOKENS_OLD, .usage_opt_in = true, .reasoning_field = REASONING_FIELD_EFFORT },
	},
};

static struct { char name[DIALECT_NAME_MOST + 1]; struct dialect row; } own[DIALECT_OWN_MOST];
static size_t own_count;

const struct dialect *dialect_at(size_t index)
{
	if (index < ARRAY_LEN(dialects))
		return &dialects[index];
	index -= ARRAY_LEN(dialects);
	return index < own_count ? &own[index].row : NULL;
}

const char *dialect_name_at(const void *unused, size_t index)
{
	(void)unused;
	return dialect_at(index) ? dialect_at(index)->name : NULL;
}

const struct dialect *dialect_find(struct str name)
{
	const struct dialect *dialect;

	for (size_t i = 0; (dialect = dialect_at(i)); i++)
		if (str_is(name, dialect->name))
			return dialect;
	return NULL;
}

struct dialect *dialect_own(struct str name)
{
	const struct dialect *generic = dialect_find(STR("generic")), *known = dialect_find(name);

	for (size_t i = 0; i < own_count; i++)
		if (known == &own[i].row)
			return &own[i].row;
	if (known || !name.len || name.len > DIALECT_NAME_MOST || own_count == DIALECT_OWN_MOST)
		return NULL;
	memcpy(own[own_count].name, name.ptr, name.len);
	own[own_count].name[name.len] = '\0';
	own[own_count].row = *generic;
	own[own_count].row.name = own[own_count].name;
	own[own_count].row.like = generic;
	return &own[own_count++].row;
}

void dialect_forget_own(void)
{
	own_count = 0;
}
