#include "wire/protocol/dialect.h"

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

const struct dialect *dialect_at(size_t index)
{
	return index < ARRAY_LEN(dialects) ? &dialects[index] : NULL;
}

const struct dialect *dialect_find(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(dialects); i++)
		if (str_is(name, dialects[i].name))
			return &dialects[i];
	return NULL;
}
