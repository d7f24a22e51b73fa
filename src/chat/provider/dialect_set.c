#include "chat/provider/dialect_set.h"

#include <stddef.h>
#include <string.h>

#include "base/array.h"
#include "base/names.h"
#include "chat/provider/provider.h"

struct promise {
	const char *name;
	bool (*set)(struct dialect *dialect, const struct promise *promise, struct str value, struct error *err);
	size_t offset;
	const char *fallback, *help; /* help: NULL: that of the provider's setting */
};

static const char *builtin_name_at(const void *unused, size_t index)
{
	const struct dialect *dialect = dialect_at(index); /* those of the user's own come last */

	(void)unused;
	return dialect && !dialect->like ? dialect->name : NULL;
}

static bool promise_set_like(struct dialect *dialect, const struct promise *promise, struct str value, struct error *err)
{
	const struct dialect *like = dialect_find(value);
	const char *name = dialect->name;

	if (!like || like->like)
		return names_refuse_value(str_from(promise->name), value, builtin_name_at, NULL, err);
	*dialect = *like;
	dialect->name = name;
	dialect->like = like;
	return true;
}

static bool promise_set_truth(struct dialect *dialect, const struct promise *promise, struct str value, struct error *err)
{
	return str_to_bool(value, (bool *)((char *)dialect + promise->offset)) ||
	       error_set(err, "%s = %.*s: it must be yes or no", promise->name, STR_ARG(value));
}

static bool promise_set_sending(struct dialect *dialect, const struct promise *promise, struct str value, struct error *err)
{
	struct provider provider = { .sending = dialect->sending };
	bool good = provider_set(&provider, str_from(promise->name), value, err);

	dialect->sending = provider.sending;
	return good;
}

static const struct promise promises[] = {
	{ "like", promise_set_like, 0, "generic", "the built-in dialect whose promises it begins with; it must be the first setting. The settings "
	                                          "behind it replace single promises, and lint checks the rules of the others" },
	{ "sends_done", promise_set_truth, offsetof(struct dialect, sends_done), NULL,
	  "openai-chat: data: [DONE] ends a stream; a notice says if it is missing" },
	{ "close_is_end", promise_set_truth, offsetof(struct dialect, close_is_end), NULL,
	  "openai-chat: a connection that is closed properly after some content ends the answer, also without a finish reason" },
	{ "max_tokens_field", promise_set_sending, 0, NULL, NULL },
	{ "usage_opt_in", promise_set_sending, 0, NULL, NULL },
	{ "reasoning_field", promise_set_sending, 0, NULL, NULL },
	{ "thinking", promise_set_sending, 0, NULL, NULL },
	{ "reasoning_back", promise_set_sending, 0, NULL, NULL },
};

struct ini_help dialect_setting_at(size_t index)
{
	const struct promise *promise = index < ARRAY_LEN(promises) ? &promises[index] : NULL;
	const char *help = promise ? promise->help : NULL;

	if (!promise)
		return (struct ini_help){ 0 };
	for (size_t i = 0; !help; i++)
		if (!strcmp(provider_setting_at(i).name, promise->name))
			help = provider_setting_at(i).help;
	return (struct ini_help){ promise->name, promise->fallback, help };
}

bool dialect_set(struct str dialect, struct str name, struct str value, struct error *err)
{
	const struct dialect *known = dialect_find(dialect);
	bool built_in = known && !known->like;
	const struct promise *promise = promises;

	if (!provider_name_is_good(dialect) || built_in)
		return error_set(err, "[dialect %.*s]: %s", STR_ARG(dialect),
		                 built_in ? "a built-in dialect cannot be changed; another one may be like it"
		                          : "a dialect's name has 1 to 40 characters and no blank or slash");
	while (promise < promises + ARRAY_LEN(promises) && !str_is(name, promise->name))
		promise++;
	if (promise == promises + ARRAY_LEN(promises))
		return error_set(err, "%.*s: there is no such setting of a dialect", STR_ARG(name));
	if (known && promise->set == promise_set_like)
		return error_set(err, "like = %.*s: it must be the first setting of a dialect", STR_ARG(value));
	struct dialect *own = dialect_own(dialect);
	return own ? promise->set(own, promise, str_trim(value), err) : error_set(err, "there are more than %d dialects", DIALECT_OWN_MOST);
}
