#include "app/demo/demo_script.h"

#include <assert.h>

#include "base/array.h"
#include "base/mem.h"

static struct str script_word(struct str *rest)
{
	struct str item = STR_NONE;

	(void)str_split(rest, ' ', &item);
	return item;
}

static long long script_number(struct str *rest)
{
	long long value = 0;
	bool valid = str_to_int(script_word(rest), &value);

	assert(valid);
	(void)valid;
	return value;
}

static struct demo_step *script_add(struct demo_script *script, enum demo_step_kind kind)
{
	struct demo_step *step;

	mem_reserve(&script->steps, &script->capacity, script->count + 1, sizeof *script->steps);
	step = &script->steps[script->count++];
	*step = (struct demo_step){ .kind = kind };
	return step;
}

static void script_read_words(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	script_add(script, kind)->text = rest;
}

static void script_read_named(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	struct demo_step *step = script_add(script, kind);

	step->name = script_word(&rest);
	step->text = rest;
}

static void script_read_wait(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	script_add(script, kind)->wait_ms = script_number(&rest);
}

static void script_read_status(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	script->status = (int)script_number(&rest);
	script_read_named(script, rest, kind);
}

static void script_read_usage(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	static const enum usage_figure order[] = { USAGE_PROMPT, USAGE_COMPLETION, USAGE_CACHED, USAGE_REASONING };

	struct count *figures = script->usage.of;

	(void)kind;
	for (size_t i = 0; i < ARRAY_LEN(order); i++)
		figures[order[i]] = (struct count)COUNT_SENT(script_number(&rest));
	figures[USAGE_TOTAL] = count_sum(figures[USAGE_PROMPT], figures[USAGE_COMPLETION]);
}

static void script_read_finish(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	static const char *const names[] = { "stop", "length", "tool_calls", "refusal" };

	(void)kind;
	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (str_is(rest, names[i]))
			script->finish = (enum demo_finish)i;
}

static void script_read_route(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	(void)kind;
	script->routed_model = script_word(&rest);
	script->routing_ms = script_number(&rest);
}

static void script_read_pace(struct demo_script *script, struct str rest, enum demo_step_kind kind)
{
	(void)kind;
	script->pace = script_number(&rest);
}

static const struct directive {
	const char *name;
	void (*read)(struct demo_script *script, struct str rest, enum demo_step_kind kind);
	enum demo_step_kind kind;
} directives[] = {
	{ "text", script_read_words, DEMO_TEXT },
	{ "reasoning", script_read_words, DEMO_REASONING },
	{ "refusal", script_read_words, DEMO_REFUSAL },
	{ "call", script_read_named, DEMO_CALL },
	{ "wait", script_read_wait, DEMO_WAIT },
	{ "error", script_read_named, DEMO_ERROR },
	{ "status", script_read_status, DEMO_ERROR },
	{ "cut", script_read_words, DEMO_CUT },
	{ "stall", script_read_words, DEMO_STALL },
	{ "source", script_read_named, DEMO_SOURCE },
	{ "image", script_read_words, DEMO_IMAGE },
	{ "audio", script_read_words, DEMO_AUDIO },
	{ "partial", script_read_words, DEMO_PARTIAL },
	{ "data", script_read_words, DEMO_DATA },
	{ "caption", script_read_words, DEMO_CAPTION },
	{ "search", script_read_words, DEMO_SEARCH },
	{ "code", script_read_words, DEMO_CODE },
	{ "input", script_read_words, DEMO_INPUT },
	{ "output", script_read_words, DEMO_OUTPUT },
	{ .name = "usage", .read = script_read_usage },
	{ .name = "finish", .read = script_read_finish },
	{ .name = "route", .read = script_read_route },
	{ .name = "pace", .read = script_read_pace },
};

static void script_read_line(struct demo_script *script, struct str line)
{
	struct str rest = line;
	struct str name = script_word(&rest);

	const size_t count = ARRAY_LEN(directives);
	size_t i = 0;

	while (i < count && !str_is(name, directives[i].name))
		i++;
	assert(i < count);
	directives[i].read(script, rest, directives[i].kind);
}

void demo_script_read(struct demo_script *script, struct str source)
{
	struct str line;

	script->status = 200;
	script->pace = 60;
	while (str_split(&source, '\n', &line))
		if (line.len)
			script_read_line(script, line);
}

void demo_script_fini(struct demo_script *script)
{
	mem_free(script->steps);
	*script = (struct demo_script){ 0 };
}
