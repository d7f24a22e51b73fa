#include "chat/provider/parameters.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/json.h"
#include "base/json_patch.h"
#include "base/json_scan.h"
#include "base/json_write.h"
#include "base/names.h"

#define TEMPERATURE_MOST 2
#define MAX_TOKENS_MOST 10000000
#define MILLION 1000000

const struct parameters parameters_unset = { .temperature = NAN, .max_tokens = -1 };

/* --- each one --- */

static int temperature_most(const struct protocol *protocol)
{
	return protocol && protocol->temperature_most ? protocol->temperature_most : TEMPERATURE_MOST;
}

static bool temperature_is_set(const struct parameters *p)
{
	return !isnan(p->temperature);
}

static void temperature_copy(struct parameters *to, const struct parameters *from)
{
	to->temperature = from->temperature;
}

static bool temperature_set(struct parameters *p, struct str value, const struct protocol *protocol)
{
	long long millionths;

	if (!str_to_millionths(value, &millionths) || millionths > (long long)temperature_most(protocol) * MILLION)
		return false;
	p->temperature = (double)millionths / MILLION;
	return true;
}

static void temperature_range(const struct protocol *protocol, struct buf *out)
{
	buf_printf(out, "a number from 0 to %d", temperature_most(protocol));
	if (protocol && protocol->temperature_most)
		buf_printf(out, " (%s)", protocol->name);
}

static void temperature_write_value(const struct parameters *p, struct buf *out)
{
	buf_printf(out, "%g", p->temperature);
}

static bool max_tokens_is_set(const struct parameters *p)
{
	return p->max_tokens >= 0;
}

static void max_tokens_copy(struct parameters *to, const struct parameters *from)
{
	to->max_tokens = from->max_tokens;
}

static bool max_tokens_set(struct parameters *p, struct str value, const struct protocol *protocol)
{
	long long tokens;

	(void)protocol;
	if (!str_to_int(value, &tokens) || tokens > MAX_TOKENS_MOST)
		return false;
	p->max_tokens = tokens;
	return true;
}

static void max_tokens_range(const struct protocol *protocol, struct buf *out)
{
	(void)protocol;
	buf_printf(out, "a whole number from 0 (no maximum, if the protocol allows it) to %d", MAX_TOKENS_MOST);
}

static void max_tokens_write_value(const struct parameters *p, struct buf *out)
{
	buf_printf(out, "%lld", p->max_tokens);
}

static bool reasoning_is_set(const struct parameters *p)
{
	return p->reasoning != REASONING_LEVEL_UNSET;
}

static void reasoning_copy(struct parameters *to, const struct parameters *from)
{
	to->reasoning = from->reasoning;
}

static bool reasoning_set(struct parameters *p, struct str value, const struct protocol *protocol)
{
	(void)protocol;
	return reasoning_level_find(value, &p->reasoning);
}

static const char *level_name_at(const void *unused, size_t index)
{
	(void)unused;
	index += REASONING_LEVEL_OFF;
	return index < REASONING_LEVEL_COUNT ? reasoning_level_name((enum reasoning_level)index) : NULL;
}

static void reasoning_range(const struct protocol *protocol, struct buf *out)
{
	(void)protocol;
	names_write_choice(level_name_at, NULL, out);
}

static void reasoning_write_value(const struct parameters *p, struct buf *out)
{
	buf_add_z(out, reasoning_level_name(p->reasoning));
}

static bool top_p_is_set(const struct parameters *p)
{
	return p->top_p > 0;
}

static void top_p_copy(struct parameters *to, const struct parameters *from)
{
	to->top_p = from->top_p;
}

static bool top_p_set(struct parameters *p, struct str value, const struct protocol *protocol)
{
	long long millionths;

	(void)protocol;
	if (!str_to_millionths(value, &millionths) || !millionths || millionths > MILLION)
		return false;
	p->top_p = (double)millionths / MILLION;
	return true;
}

static void top_p_range(const struct protocol *protocol, struct buf *out)
{
	(void)protocol;
	buf_add_z(out, "a number above 0, up to 1");
}

static void top_p_write_value(const struct parameters *p, struct buf *out)
{
	buf_printf(out, "%g", p->top_p);
}

static bool server_tools_is_set(const struct parameters *p)
{
	return p->server_tools != 0;
}

static void server_tools_copy(struct parameters *to, const struct parameters *from)
{
	to->server_tools = from->server_tools;
}

/* Whether they can be asked for depends on the provider: chat/provider/server_tools.h. */
static bool server_tools_set(struct parameters *p, struct str value, const struct protocol *protocol)
{
	(void)protocol;
	return server_tools_find(value, &p->server_tools);
}

static void server_tools_range(const struct protocol *protocol, struct buf *out)
{
	(void)protocol;
	names_write(server_tool_name_at, NULL, out);
	buf_add_z(out, ", separated by commas, or off");
}

static void server_tools_write_value(const struct parameters *p, struct buf *out)
{
	server_tools_write(p->server_tools, ",", out);
}

/* --- those that are texts --- */

/* A whole number, or one with a point, from least to most, in millionths; it may be negative. */
static bool text_is_number(struct str value, long long least, long long most, bool whole)
{
	bool negative = str_starts(value, "-");
	long long number;

	if (!str_to_millionths(str_skip(value, negative), &number) || (whole && str_find(value, STR(".")) < value.len))
		return false;
	number = negative ? -number : number;
	return number >= least * MILLION && number <= most * MILLION;
}

static bool text_is_level(struct str value)
{
	return str_is(value, "low") || str_is(value, "medium") || str_is(value, "high");
}

static bool text_is_array_of_texts(struct str value)
{
	struct json_spans spans;
	struct str key, item;
	bool good = str_starts(value, "[") && json_scan_is_whole(value);

	for (spans = json_spans_of(value); good && json_spans_next(&spans, &key, &item);)
		good = str_starts(item, "\"");
	return good;
}

/* The members that weir writes from the conversation and the target. */
static const char *const own_members[] = {
	"model", "messages", "input", "contents", "system", "instructions", "systemInstruction", "system_instruction", "stream",
};

static bool text_is_extra(struct str value)
{
	struct json_spans spans;
	struct str key, item;
	bool good = str_starts(value, "{") && json_scan_is_whole(value);

	for (spans = json_spans_of(value); good && json_spans_next(&spans, &key, &item);)
		for (size_t i = 0; i < ARRAY_LEN(own_members); i++)
			good = good && !str_is(key, own_members[i]) && str_find(key, STR("\\")) == key.len;
	return good;
}

/* --- the table --- */

#define PLACES_MOST 4
enum text_kind { TEXT_NUMBER, TEXT_LEVEL, TEXT_STOP, TEXT_EXTRA };

static const struct {
	const char *name;
	bool (*is_set)(const struct parameters *p); /* NULL, and the next four: it is a text */
	void (*copy)(struct parameters *to, const struct parameters *from);
	bool (*set)(struct parameters *p, struct str value, const struct protocol *protocol);
	void (*range)(const struct protocol *protocol, struct buf *out);
	void (*write)(const struct parameters *p, struct buf *out);
	bool samples; /* Anthropic takes it without thinking only */
	bool is_words, has_off;
	/* of a text */
	size_t offset, size;
	const char *words; /* its range */
	enum text_kind kind;
	long long least, most;
	bool whole;
	struct text_place { const struct protocol *protocol; const char *path; } places[PLACES_MOST]; /* in the body; protocols without have none */
} table[PARAMETER_COUNT] = {
#define FUNCTIONS(parameter) .name = #parameter, .is_set = parameter##_is_set, .copy = parameter##_copy, .set = parameter##_set, \
	.range = parameter##_range, .write = parameter##_write_value
#define TEXT(parameter) .name = #parameter, .offset = offsetof(struct parameters, parameter), .size = sizeof parameters_unset.parameter
	[PARAMETER_TEMPERATURE] = { FUNCTIONS(temperature), .samples = true },
	[PARAMETER_MAX_TOKENS] = { FUNCTIONS(max_tokens) },
	[PARAMETER_REASONING] = { FUNCTIONS(reasoning), .is_words = true, .has_off = true },
	[PARAMETER_TOP_P] = { FUNCTIONS(top_p), .samples = true },
	[PARAMETER_SERVER_TOOLS] = { FUNCTIONS(server_tools), .is_words = true, .has_off = true },
	[PARAMETER_THINKING_BUDGET] = { TEXT(thinking_budget), .words = "a whole number of tokens from 1 to 1000000", .least = 1, .most = MILLION,
		.whole = true, .places = { { &protocol_anthropic, NULL }, { &protocol_gemini, NULL } } },
	[PARAMETER_TOP_K] = { TEXT(top_k), .words = "a whole number from 1 to 1000000", .samples = true, .least = 1, .most = MILLION,
		.whole = true,
		.places = { { &protocol_openai_chat, "top_k" }, { &protocol_anthropic, "top_k" }, { &protocol_gemini, "generationConfig.topK" },
		            { &protocol_ollama, "options.top_k" } } },
	[PARAMETER_SEED] = { TEXT(seed), .words = "a whole number from 0 to 1000000000", .most = 1000000000, .whole = true,
		.places = { { &protocol_openai_chat, "seed" }, { &protocol_gemini, "generationConfig.seed" },
		            { &protocol_ollama, "options.seed" } } },
	[PARAMETER_PRESENCE_PENALTY] = { TEXT(presence_penalty), .words = "a number from -2 to 2", .least = -2, .most = 2,
		.places = { { &protocol_openai_chat, "presence_penalty" }, { &protocol_gemini, "generationConfig.presencePenalty" },
		            { &protocol_ollama, "options.presence_penalty" } } },
	[PARAMETER_FREQUENCY_PENALTY] = { TEXT(frequency_penalty), .words = "a number from -2 to 2", .least = -2, .most = 2,
		.places = { { &protocol_openai_chat, "frequency_penalty" }, { &protocol_gemini, "generationConfig.frequencyPenalty" },
		            { &protocol_ollama, "options.frequency_penalty" } } },
	[PARAMETER_VERBOSITY] = { TEXT(verbosity), .words = "low, medium or high", .kind = TEXT_LEVEL, .is_words = true,
		.places = { { &protocol_openai_chat, "verbosity" }, { &protocol_openai_responses, "text.verbosity" } } },
	[PARAMETER_STOP] = { TEXT(stop), .words = "a text that ends the answer, or a JSON array of such texts, up to 200 bytes", .kind = TEXT_STOP,
		.is_words = true, .places = { { &protocol_openai_chat, "stop" }, { &protocol_anthropic, "stop_sequences" },
		                              { &protocol_gemini, "generationConfig.stopSequences" }, { &protocol_ollama, "options.stop" } } },
	[PARAMETER_EXTRA] = { TEXT(extra), .words = "a JSON object of up to 2000 bytes without the members of the conversation, the model and stream",
		.kind = TEXT_EXTRA, .is_words = true },
#undef FUNCTIONS
#undef TEXT
};

static char *text_of(struct parameters *p, enum parameter which)
{
	return (char *)p + table[which].offset;
}

static const char *text_read(const struct parameters *p, enum parameter which)
{
	return (const char *)p + table[which].offset;
}

static bool text_set(struct parameters *p, enum parameter which, struct str value)
{
	bool good = value.len && value.len < table[which].size && !memchr(value.ptr, 0, value.len);

	switch (table[which].kind) {
	case TEXT_NUMBER: good = good && text_is_number(value, table[which].least, table[which].most, table[which].whole); break;
	case TEXT_LEVEL: good = good && text_is_level(value); break;
	case TEXT_STOP: break;
	case TEXT_EXTRA: good = good && text_is_extra(value); break;
	}
	if (good)
		snprintf(text_of(p, which), table[which].size, "%.*s", STR_ARG(value));
	return good;
}

static const struct text_place *text_place(enum parameter which, const struct protocol *protocol)
{
	for (size_t i = 0; i < PLACES_MOST && table[which].places[i].protocol; i++)
		if (table[which].places[i].protocol == protocol)
			return &table[which].places[i];
	return NULL;
}

const char *parameter_name(enum parameter which)
{
	return table[which].name;
}

const char *parameter_name_at(const void *unused, size_t index)
{
	(void)unused;
	return index < PARAMETER_COUNT ? table[index].name : NULL;
}

bool parameter_has_off(enum parameter which)
{
	return table[which].has_off;
}

bool parameter_find(struct str name, enum parameter *which)
{
	for (int i = 0; i < PARAMETER_COUNT; i++)
		if (str_is(name, table[i].name)) {
			*which = (enum parameter)i;
			return true;
		}
	return false;
}

bool parameter_is_set(const struct parameters *p, enum parameter which)
{
	return table[which].is_set ? table[which].is_set(p) : *text_read(p, which) != 0;
}

void parameter_copy(struct parameters *to, const struct parameters *from, enum parameter which)
{
	if (table[which].copy)
		table[which].copy(to, from);
	else
		memmove(text_of(to, which), text_read(from, which), table[which].size);
}

bool parameter_set(struct parameters *p, enum parameter which, struct str value, const struct protocol *protocol, struct error *err)
{
	struct buf range = { 0 };
	bool good = table[which].set ? table[which].set(p, value, protocol) : text_set(p, which, str_trim(value));

	parameter_write_range(which, protocol, &range);
	if (!good)
		error_set(err, "%s = %.*s: it must be %s", table[which].name, STR_ARG(str_head(value, 40)), buf_z(&range));
	buf_fini(&range);
	return good;
}

void parameter_write_range(enum parameter which, const struct protocol *protocol, struct buf *out)
{
	if (table[which].range)
		table[which].range(protocol, out);
	else
		buf_add_z(out, table[which].words);
}

void parameter_write(const struct parameters *p, enum parameter which, struct buf *out)
{
	if (table[which].write && table[which].is_set(p))
		table[which].write(p, out);
	else if (!table[which].write)
		buf_add_z(out, text_read(p, which));
}

const char *parameter_why_not_sent(const struct parameters *all, enum parameter which, const struct protocol *protocol)
{
	bool thinks = protocol == &protocol_anthropic && (all->reasoning > REASONING_LEVEL_OFF || *all->thinking_budget);

	if (!parameter_is_set(all, which))
		return NULL;
	if (!table[which].is_set && which != PARAMETER_EXTRA && !text_place(which, protocol))
		return "this protocol has none: not sent";
	return thinks && table[which].samples ? "anthropic takes none with reasoning: not sent" : NULL;
}

long long parameters_thinking_budget(const struct parameters *p, const struct protocol *protocol)
{
	long long tokens = 0;

	(void)(text_place(PARAMETER_THINKING_BUDGET, protocol) && str_to_int(str_from(p->thinking_budget), &tokens));
	return tokens;
}

/* --- the body --- */

/* {"generationConfig":{"topK":40}} of "generationConfig.topK" and 40. */
static void text_write_member(struct str path, struct str value, struct buf *out)
{
	struct json_writer w;
	struct str key;
	unsigned depth = 0;

	json_writer_init(&w, out);
	for (; str_split(&path, '.', &key); depth++) {
		json_open_object(&w);
		json_key_str(&w, key);
	}
	json_verbatim(&w, value);
	while (depth--)
		json_close_object(&w);
}

static void text_write_value(const struct parameters *p, enum parameter which, struct buf *out)
{
	struct str text = str_from(text_read(p, which));
	bool is_list = table[which].kind == TEXT_STOP && !text_is_array_of_texts(text);

	buf_add_z(out, is_list ? "[" : "");
	if (is_list || table[which].kind == TEXT_LEVEL)
		json_escape(out, text);
	else
		buf_add(out, text);
	buf_add_z(out, is_list ? "]" : "");
}

void parameters_write_extra(const struct parameters *p, const struct protocol *protocol, struct buf *out)
{
	struct buf all = { 0 }, value = { 0 }, member = { 0 }, sum = { 0 };

	buf_add_z(&all, "{}");
	for (enum parameter which = PARAMETER_TOP_K; which < PARAMETER_COUNT; which++) {
		const struct text_place *place = text_place(which, protocol);

		if (!parameter_is_set(p, which) || parameter_why_not_sent(p, which, protocol))
			continue;
		buf_clear(&value), buf_clear(&member), buf_clear(&sum);
		text_write_value(p, which, &value);
		if (place)
			text_write_member(str_from(place->path), buf_str(&value), &member);
		json_patch(buf_str(&all), place ? buf_str(&member) : buf_str(&value), &sum);
		buf_clear(&all);
		buf_add(&all, buf_str(&sum));
	}
	if (all.len > 2)
		buf_add(out, buf_str(&all));
	buf_fini(&all), buf_fini(&value), buf_fini(&member), buf_fini(&sum);
}

/* --- JSON --- */

void parameters_write_json(const struct parameters *p, struct buf *out)
{
	struct json_writer w;

	json_writer_init(&w, out);
	json_open_object(&w);
	for (enum parameter which = 0; which < PARAMETER_COUNT; which++) {
		struct buf value = { 0 };

		if (!parameter_is_set(p, which))
			continue;
		parameter_write(p, which, &value);
		if (table[which].is_words)
			json_member_string(&w, parameter_name(which), buf_str(&value));
		else
			json_member_verbatim(&w, parameter_name(which), buf_str(&value));
		buf_fini(&value);
	}
	json_close_object(&w);
}

