#include "chat/provider/known_model.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

/*
 * The figures are those of https://models.dev (its directory providers/MAKER) on the day below, except mistral-medium-latest, whose row
 * there was older than the snapshot that the name stands for. None of these makers asks another price for reasoning than for the rest of
 * an answer. Left out are names that move without a figure of their own (gemini-flash-latest: the answer names its model), and what
 * makes pictures, sound or vectors.
 *
 * Name, USD per million tokens of input, output, cached and cache write, window, most output; for longer prompts: from which length,
 * input, output, cached. weir models --check-prices compares them with a provider's list.
 */
#define AS_OF "2026-07-01"
#define PAGE "models.dev"

static const struct known_model openai[] = {
	{ "gpt-3.5-turbo", 0.5, 1.5, 0, 0, 16385, 4096, 0, 0, 0, 0 },
	{ "gpt-4", 30, 60, 0, 0, 8192, 8192, 0, 0, 0, 0 },
	{ "gpt-4-turbo", 10, 30, 0, 0, 128000, 4096, 0, 0, 0, 0 },
	{ "gpt-4.1", 2, 8, 0.5, 0, 1047576, 32768, 0, 0, 0, 0 },
	{ "gpt-4.1-mini", 0.4, 1.6, 0.1, 0, 1047576, 32768, 0, 0, 0, 0 },
	{ "gpt-4.1-nano", 0.1, 0.4, 0.025, 0, 1047576, 32768, 0, 0, 0, 0 },
	{ "gpt-4o", 2.5, 10, 1.25, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "gpt-4o-2024-05-13", 5, 15, 0, 0, 128000, 4096, 0, 0, 0, 0 },
	{ "gpt-4o-mini", 0.15, 0.6, 0.075, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "gpt-5", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5-chat-latest", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5-codex", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5-mini", 0.25, 2, 0.025, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5-nano", 0.05, 0.4, 0.005, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5-pro", 15, 120, 0, 0, 400000, 272000, 0, 0, 0, 0 },
	{ "gpt-5.1", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.1-chat-latest", 1.25, 10, 0.125, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "gpt-5.1-codex", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.1-codex-max", 1.25, 10, 0.125, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.1-codex-mini", 0.25, 2, 0.025, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.2", 1.75, 14, 0.175, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.2-chat-latest", 1.75, 14, 0.175, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "gpt-5.2-codex", 1.75, 14, 0.175, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.2-pro", 21, 168, 0, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.3-chat-latest", 1.75, 14, 0.175, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "gpt-5.3-codex", 1.75, 14, 0.175, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.3-codex-spark", 1.75, 14, 0.175, 0, 128000, 32000, 0, 0, 0, 0 },
	{ "gpt-5.4", 2.5, 15, 0.25, 0, 1050000, 128000, 272000, 5, 22.5, 0.5 },
	{ "gpt-5.4-mini", 0.75, 4.5, 0.075, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.4-nano", 0.2, 1.25, 0.02, 0, 400000, 128000, 0, 0, 0, 0 },
	{ "gpt-5.4-pro", 30, 180, 0, 0, 1050000, 128000, 272000, 60, 270, 0 },
	{ "gpt-5.5", 5, 30, 0.5, 0, 1050000, 128000, 272000, 10, 45, 1 },
	{ "gpt-5.5-pro", 30, 180, 0, 0, 1050000, 128000, 272000, 60, 270, 0 },
	{ "o1", 15, 60, 7.5, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o1-pro", 150, 600, 0, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o3", 2, 8, 0.5, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o3-deep-research", 10, 40, 2.5, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o3-mini", 1.1, 4.4, 0.55, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o3-pro", 20, 80, 0, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o4-mini", 1.1, 4.4, 0.275, 0, 200000, 100000, 0, 0, 0, 0 },
	{ "o4-mini-deep-research", 2, 8, 0.5, 0, 200000, 100000, 0, 0, 0, 0 },
};

static const struct known_model anthropic[] = {
	{ "claude-3-5-sonnet", 3, 15, 0.3, 3.75, 200000, 8192, 0, 0, 0, 0 },
	{ "claude-3-7-sonnet", 3, 15, 0.3, 3.75, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-3-haiku", 0.25, 1.25, 0.03, 0.3, 200000, 4096, 0, 0, 0, 0 },
	{ "claude-3-opus", 15, 75, 1.5, 18.75, 200000, 4096, 0, 0, 0, 0 },
	{ "claude-fable-5", 10, 50, 1, 12.5, 1000000, 128000, 0, 0, 0, 0 },
	{ "claude-haiku-4-5", 1, 5, 0.1, 1.25, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-opus-4", 15, 75, 1.5, 18.75, 200000, 32000, 0, 0, 0, 0 },
	{ "claude-opus-4-0", 15, 75, 1.5, 18.75, 200000, 32000, 0, 0, 0, 0 },
	{ "claude-opus-4-1", 15, 75, 1.5, 18.75, 200000, 32000, 0, 0, 0, 0 },
	{ "claude-opus-4-5", 5, 25, 0.5, 6.25, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-opus-4-6", 5, 25, 0.5, 6.25, 1000000, 128000, 0, 0, 0, 0 },
	{ "claude-opus-4-7", 5, 25, 0.5, 6.25, 1000000, 128000, 0, 0, 0, 0 },
	{ "claude-opus-4-8", 5, 25, 0.5, 6.25, 1000000, 128000, 0, 0, 0, 0 },
	{ "claude-sonnet-4", 3, 15, 0.3, 3.75, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-sonnet-4-0", 3, 15, 0.3, 3.75, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-sonnet-4-5", 3, 15, 0.3, 3.75, 200000, 64000, 0, 0, 0, 0 },
	{ "claude-sonnet-4-6", 3, 15, 0.3, 3.75, 1000000, 64000, 0, 0, 0, 0 },
	{ "claude-sonnet-5", 2, 10, 0.2, 2.5, 1000000, 128000, 0, 0, 0, 0 },
};

static const struct known_model google[] = {
	{ "gemini-2.0-flash", 0.1, 0.4, 0.025, 0, 1048576, 8192, 0, 0, 0, 0 },
	{ "gemini-2.0-flash-lite", 0.075, 0.3, 0, 0, 1048576, 8192, 0, 0, 0, 0 },
	{ "gemini-2.5-flash", 0.3, 2.5, 0.03, 0, 1048576, 65536, 0, 0, 0, 0 },
	{ "gemini-2.5-flash-lite", 0.1, 0.4, 0.01, 0, 1048576, 65536, 0, 0, 0, 0 },
	{ "gemini-2.5-pro", 1.25, 10, 0.125, 0, 1048576, 65536, 200000, 2.5, 15, 0.25 },
	{ "gemini-3-flash-preview", 0.5, 3, 0.05, 0, 1048576, 65536, 0, 0, 0, 0 },
	{ "gemini-3-pro-preview", 2, 12, 0.2, 0, 1048576, 65536, 200000, 4, 18, 0.4 },
	{ "gemini-3.1-flash-lite", 0.25, 1.5, 0.025, 0, 1048576, 65536, 0, 0, 0, 0 },
	{ "gemini-3.1-flash-lite-preview", 0.25, 1.5, 0.025, 0, 1048576, 65536, 0, 0, 0, 0 },
	{ "gemini-3.1-pro-preview", 2, 12, 0.2, 0, 1048576, 65536, 200000, 4, 18, 0.4 },
	{ "gemini-3.1-pro-preview-customtools", 2, 12, 0.2, 0, 1048576, 65536, 200000, 4, 18, 0.4 },
	{ "gemini-3.5-flash", 1.5, 9, 0.15, 0, 1048576, 65536, 0, 0, 0, 0 },
};

static const struct known_model deepseek[] = {
	{ "deepseek-chat", 0.14, 0.28, 0.0028, 0, 1000000, 384000, 0, 0, 0, 0 },
	{ "deepseek-reasoner", 0.14, 0.28, 0.0028, 0, 1000000, 384000, 0, 0, 0, 0 },
	{ "deepseek-v4-flash", 0.14, 0.28, 0.0028, 0, 1000000, 384000, 0, 0, 0, 0 },
	{ "deepseek-v4-pro", 0.435, 0.87, 0.003625, 0, 1000000, 384000, 0, 0, 0, 0 },
};

static const struct known_model mistral[] = {
	{ "codestral-latest", 0.3, 0.9, 0, 0, 256000, 4096, 0, 0, 0, 0 },
	{ "devstral-2512", 0.4, 2, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "devstral-latest", 0.4, 2, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "devstral-medium-2507", 0.4, 2, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "devstral-medium-latest", 0.4, 2, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "devstral-small-2505", 0.1, 0.3, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "devstral-small-2507", 0.1, 0.3, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "magistral-medium-latest", 2, 5, 0, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "magistral-small", 0.5, 1.5, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "ministral-3b-latest", 0.04, 0.04, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "ministral-8b-latest", 0.1, 0.1, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "mistral-large-2411", 2, 6, 0, 0, 131072, 16384, 0, 0, 0, 0 },
	{ "mistral-large-2512", 0.5, 1.5, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "mistral-large-latest", 0.5, 1.5, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "mistral-medium-2505", 0.4, 2, 0, 0, 131072, 131072, 0, 0, 0, 0 },
	{ "mistral-medium-2508", 0.4, 2, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "mistral-medium-2604", 1.5, 7.5, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "mistral-medium-latest", 1.5, 7.5, 0, 0, 262144, 262144, 0, 0, 0, 0 },
	{ "mistral-nemo", 0.15, 0.15, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "mistral-small-2506", 0.1, 0.3, 0, 0, 128000, 16384, 0, 0, 0, 0 },
	{ "mistral-small-2603", 0.15, 0.6, 0, 0, 256000, 256000, 0, 0, 0, 0 },
	{ "mistral-small-latest", 0.15, 0.6, 0, 0, 256000, 256000, 0, 0, 0, 0 },
	{ "open-mistral-7b", 0.25, 0.25, 0, 0, 8000, 8000, 0, 0, 0, 0 },
	{ "open-mistral-nemo", 0.15, 0.15, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "open-mixtral-8x22b", 2, 6, 0, 0, 64000, 64000, 0, 0, 0, 0 },
	{ "open-mixtral-8x7b", 0.7, 0.7, 0, 0, 32000, 32000, 0, 0, 0, 0 },
	{ "pixtral-12b", 0.15, 0.15, 0, 0, 128000, 128000, 0, 0, 0, 0 },
	{ "pixtral-large-latest", 2, 6, 0, 0, 128000, 128000, 0, 0, 0, 0 },
};

static const struct known_model xai[] = {
	{ "grok-4.20-0309-non-reasoning", 1.25, 2.5, 0.2, 0, 1000000, 30000, 200000, 2.5, 5, 0.4 },
	{ "grok-4.20-0309-reasoning", 1.25, 2.5, 0.2, 0, 1000000, 30000, 200000, 2.5, 5, 0.4 },
	{ "grok-4.20-multi-agent-0309", 1.25, 2.5, 0.2, 0, 1000000, 30000, 200000, 2.5, 5, 0.4 },
	{ "grok-4.3", 1.25, 2.5, 0.2, 0, 1000000, 30000, 200000, 2.5, 5, 0.4 },
	{ "grok-build-0.1", 1, 2, 0.2, 0, 256000, 256000, 200000, 2, 4, 0.4 },
};

static const struct known_model groq[] = {
	{ "llama-3.1-8b-instant", 0.05, 0.08, 0, 0, 131072, 131072, 0, 0, 0, 0 },
	{ "llama-3.3-70b-versatile", 0.59, 0.79, 0, 0, 131072, 32768, 0, 0, 0, 0 },
	{ "meta-llama/llama-4-scout-17b-16e-instruct", 0.11, 0.34, 0, 0, 131072, 8192, 0, 0, 0, 0 },
	{ "openai/gpt-oss-120b", 0.15, 0.6, 0.075, 0, 131072, 65536, 0, 0, 0, 0 },
	{ "openai/gpt-oss-20b", 0.075, 0.3, 0.0375, 0, 131072, 65536, 0, 0, 0, 0 },
	{ "qwen/qwen3-32b", 0.29, 0.59, 0, 0, 131072, 40960, 0, 0, 0, 0 },
};

static const struct maker {
	const char *origin; /* of the base URL of its own service */
	const char *prefixes; /* of its ids at gateways; "": its models are run by others too, at prices of their own */
	const struct known_model *models;
	size_t count;
} makers[] = {
	{ "https://api.openai.com", "openai", openai, ARRAY_LEN(openai) },
	{ "https://api.anthropic.com", "anthropic", anthropic, ARRAY_LEN(anthropic) },
	{ "https://generativelanguage.googleapis.com", "google gemini", google, ARRAY_LEN(google) },
	{ "https://api.x.ai", "x-ai xai", xai, ARRAY_LEN(xai) },
	{ "https://api.deepseek.com", "", deepseek, ARRAY_LEN(deepseek) },
	{ "https://api.mistral.ai", "", mistral, ARRAY_LEN(mistral) },
	{ "https://api.groq.com", "", groq, ARRAY_LEN(groq) },
};

static char known_model_plain(char c)
{
	return c == '.' ? '-' : (char)tolower((unsigned char)c);
}

/* "-2026-03-05", "-20260305" or "@20260305", not after the day of the table. */
static bool known_model_is_snapshot(struct str rest)
{
	char day[sizeof AS_OF] = "";

	if (rest.len == sizeof AS_OF - 2 && (*rest.ptr == '-' || *rest.ptr == '@'))
		snprintf(day, sizeof day, "%.4s-%.2s-%.2s", rest.ptr + 1, rest.ptr + 5, rest.ptr + 7);
	else if (rest.len == sizeof AS_OF && *rest.ptr == '-')
		snprintf(day, sizeof day, "%.10s", rest.ptr + 1);
	for (size_t i = 0; i < sizeof AS_OF - 1; i++)
		if (i == 4 || i == 7 ? day[i] != '-' : day[i] < '0' || day[i] > '9')
			return false;
	return strcmp(day, AS_OF) <= 0;
}

/* The row of that very name, else the one whose snapshot it is. */
static const struct known_model *known_model_of(const struct maker *maker, struct str id)
{
	const struct known_model *found = NULL;

	for (size_t i = 0; i < maker->count; i++) {
		size_t length = strlen(maker->models[i].name), at = 0;

		while (at < length && at < id.len && known_model_plain(id.ptr[at]) == known_model_plain(maker->models[i].name[at]))
			at++;
		if (at == length && at == id.len)
			return &maker->models[i];
		if (at == length && known_model_is_snapshot(str_skip(id, at)))
			found = &maker->models[i];
	}
	return found;
}

static bool known_model_is_at(const struct maker *maker, struct str base_url)
{
	size_t length = strlen(maker->origin);

	return str_starts(base_url, maker->origin) && (base_url.len == length || base_url.ptr[length] == '/');
}

/* The id without the maker's name; STR_NONE: it is another's. */
static struct str known_model_without_prefix(const struct maker *maker, struct str id)
{
	struct str names = str_from(maker->prefixes), name, rest = id;
	size_t slash = str_find(id, STR("/"));

	if (slash == id.len)
		return *maker->prefixes ? id : STR_NONE;
	while (str_split(&names, ' ', &name))
		if (str_equal(str_head(rest, slash), name))
			return str_skip(id, slash + 1);
	return STR_NONE;
}

bool known_model_may_fit(const struct provider *p, environment *env)
{
	return !p->key_optional || provider_has_key(p, env);
}

const struct known_model *known_model_find(const struct provider *p, environment *env, struct str base_url, struct str id, const char **from)
{
	const struct known_model *found = NULL;
	const char *source = "weir's table (" PAGE ", " AS_OF ")";

	if (!known_model_may_fit(p, env))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		if (known_model_is_at(&makers[i], base_url)) {
			found = known_model_of(&makers[i], id);
			goto done;
		}
	source = "the model's maker (" PAGE ", " AS_OF "), and this provider may differ";
	for (size_t i = 0; i < ARRAY_LEN(makers) && !found; i++)
		found = known_model_of(&makers[i], known_model_without_prefix(&makers[i], id));
done:
	if (from)
		*from = source;
	return found;
}

const struct known_model *known_model_at(struct str base_url, size_t index)
{
	for (size_t i = 0; i < ARRAY_LEN(makers); i++)
		if (known_model_is_at(&makers[i], base_url))
			return index < makers[i].count ? &makers[i].models[index] : NULL;
	return NULL;
}

static struct money known_model_price(double usd)
{
	return usd > 0 ? MONEY(usd) : MONEY_UNKNOWN;
}

struct prices known_model_prices(const struct known_model *m, int64_t prompt_tokens)
{
	if (m->short_most && prompt_tokens > m->short_most)
		return (struct prices){ .of = {
			[USAGE_PROMPT] = MONEY(m->long_input),
			[USAGE_COMPLETION] = MONEY(m->long_output),
			[USAGE_CACHED] = known_model_price(m->long_cached),
		} };
	return (struct prices){
		.of = {
			[USAGE_PROMPT] = MONEY(m->input),
			[USAGE_COMPLETION] = MONEY(m->output),
			[USAGE_CACHED] = known_model_price(m->cached),
			[USAGE_CACHE_WRITE] = known_model_price(m->cache_write),
		},
		.prompt_below = m->short_most && !prompt_tokens ? m->short_most + 1 : 0,
	};
}
