#include "chat/provider/parameters.h"

#include <math.h>

#include "base/json.h"
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

/* --- the table --- */

static const struct {
	const char *name;
	bool (*is_set)(const struct parameters *p);
	void (*copy)(struct parameters *to, const struct parameters *from);
	bool (*set)(struct parameters *p, struct str value, const struct protocol *protocol);
	void (*range)(const struct protocol *protocol, struct buf *out);
	void (*write)(const struct parameters *p, struct buf *out);
	bool samples; /* Anthropic takes it without thinking only */
	bool is_words, has_off;
} table[PARAMETER_COUNT] = {
#define FUNCTIONS(parameter) .name = #parameter, .is_set = parameter##_is_set, .copy = parameter##_copy, .set = parameter##_set, \
	.range = parameter##_range, .write = parameter##_write_value
	[PARAMETER_TEMPERATURE] = { FUNCTIONS(temperature), .samples = true },
	[PARAMETER_MAX_TOKENS] = { FUNCTIONS(max_tokens) },
	[PARAMETER_REASONING] = { FUNCTIONS(reasoning), .is_words = true, .has_off = true },
	[PARAMETER_TOP_P] = { FUNCTIONS(top_p), .samples = true },
	[PARAMETER_SERVER_TOOLS] = { FUNCTIONS(server_tools), .is_words = true, .has_off = true },
#undef FUNCTIONS
};

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
	return table[which].is_set(p);
}

void parameter_copy(struct parameters *to, const struct parameters *from, enum parameter which)
{
	table[which].copy(to, from);
}

bool parameter_set(struct parameters *p, enum parameter which, struct str value, const struct protocol *protocol, struct error *err)
{
	struct buf range = { 0 };
	bool good = table[which].set(p, value, protocol);

	table[which].range(protocol, &range);
	if (!good)
		error_set(err, "%s = %.*s: it must be %s", table[which].name, STR_ARG(str_head(value, 40)), buf_z(&range));
	buf_fini(&range);
	return good;
}

void parameter_write_range(enum parameter which, const struct protocol *protocol, struct buf *out)
{
	table[which].range(protocol, out);
}

void parameter_write(const struct parameters *p, enum parameter which, struct buf *out)
{
	if (table[which].is_set(p))
		table[which].write(p, out);
}

const char *parameter_why_not_sent(const struct parameters *all, enum parameter which, const struct protocol *protocol)
{
	bool thinks = protocol == &protocol_anthropic && all->reasoning > REASONING_LEVEL_OFF;

	return thinks && table[which].samples && table[which].is_set(all) ? "anthropic takes none with reasoning: not sent" : NULL;
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

