/* The guard's tool calls: id, name, collected arguments, their maximum size. */
#include "base/mem.h"
#include "wire/error_body.h"
#include "wire/guard_inside.h"

static struct guard_tool *guard_tool_at(const struct guard *g, unsigned index)
{
	return index < g->tool_count ? &g->tools[index] : NULL;
}

static void guard_emit_tool(struct guard *g, enum delta_kind kind, unsigned index, struct str text, bool valid)
{
	const struct guard_tool *tool = &g->tools[index];

	guard_give(g, &(struct delta){
		.kind = kind,
		.text = text,
		.tool = { index, guard_known(&tool->id), buf_str(&tool->name), valid },
	});
}

unsigned guard_tool_begin(struct guard *g, struct str id, struct str name)
{
	if (guard_takes(g) && g->tool_count == GUARD_PARTS_MOST)
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many tool calls.") });
	if (!guard_takes(g))
		return GUARD_NEW_PART;
	mem_reserve(&g->tools, &g->tool_capacity, g->tool_count + 1, sizeof *g->tools);
	unsigned index = (unsigned)g->tool_count++;
	struct guard_tool *tool = &g->tools[index];
	*tool = (struct guard_tool){ .open = true };
	buf_init(&tool->arguments, GUARD_ARGUMENTS_LIMIT);
	json_scan_init(&tool->scan);
	buf_add(&tool->id, id);
	buf_add(&tool->name, name);
	g->latest = g->legible = GUARD_NEW_PART;
	guard_emit_tool(g, DELTA_TOOL_BEGIN, index, STR_NONE, false);
	return index;
}

void guard_tool_name(struct guard *g, unsigned index, struct str id, struct str name)
{
	struct guard_tool *tool = guard_tool_at(g, index);

	if (!tool || !tool->open || !guard_takes(g))
		return;
	bool new_id = guard_replace(&tool->id, id), new_name = guard_replace(&tool->name, name);
	if (new_id || new_name)
		guard_emit_tool(g, DELTA_TOOL_NAME, index, STR_NONE, false);
}

static void add_arguments(struct guard *g, unsigned index, struct str text)
{
	if (!text.len)
		return;
	json_scan_feed(&g->tools[index].scan, text);
	guard_emit_tool(g, DELTA_TOOL_ARGUMENTS, index, text, false);
}

static void refuse_arguments(struct guard *g, const struct guard_tool *tool)
{
	struct buf name = { 0 }, message = { 0 };

	struct str shown = error_text(buf_str(&tool->name), &name);
	buf_printf(&message, "The arguments of the tool call '%.*s' are larger than %zu MB; the rest was not read.",
	           STR_ARG(shown), GUARD_ARGUMENTS_LIMIT >> 20);
	guard_error(g, &(struct error_report){ .message = buf_str(&message) });
	buf_fini(&name);
	buf_fini(&message);
}

void guard_tool_arguments(struct guard *g, unsigned index, struct str raw)
{
	struct guard_tool *tool = guard_tool_at(g, index);

	if (!tool || !raw.len || !guard_takes(g))
		return;
	if (!tool->open) {
		guard_notice(g, "late-arguments", "Arguments arrived for a tool call that had ended; they were ignored.");
		return;
	}
	struct str text = surrogate_join(&tool->surrogate, raw, &g->scratch);
	if (buf_add(&tool->arguments, text))
		add_arguments(g, index, text);
	else
		refuse_arguments(g, tool);
}

static void guard_close_tool(struct guard *g, unsigned index)
{
	struct guard_tool *tool = &g->tools[index];
	struct str held = surrogate_flush(&tool->surrogate);

	if (buf_add(&tool->arguments, held))
		add_arguments(g, index, held);
	struct str arguments = buf_str(&tool->arguments), trimmed = str_trim(arguments);
	bool none = !trimmed.len || str_is(trimmed, "null");
	bool valid = none || json_scan_whole(&tool->scan);
	tool->open = false;
	guard_emit_tool(g, DELTA_TOOL_END, index, none ? STR("{}") : arguments, valid);
}

void guard_tool_end(struct guard *g, unsigned index)
{
	struct guard_tool *tool = guard_tool_at(g, index);

	if (tool && tool->open && guard_takes(g))
		guard_close_tool(g, index);
}

size_t guard_tool_count(const struct guard *g)
{
	return g->tool_count;
}

struct str guard_tool_id(const struct guard *g, unsigned index)
{
	const struct guard_tool *tool = guard_tool_at(g, index);

	return tool ? guard_known(&tool->id) : STR_NONE;
}

struct str guard_tool_name_of(const struct guard *g, unsigned index)
{
	const struct guard_tool *tool = guard_tool_at(g, index);

	return tool ? buf_str(&tool->name) : STR_NONE;
}

struct str guard_tool_text(const struct guard *g, unsigned index)
{
	const struct guard_tool *tool = guard_tool_at(g, index);

	return tool ? buf_str(&tool->arguments) : STR_NONE;
}

bool guard_tool_whole(const struct guard *g, unsigned index)
{
	const struct guard_tool *tool = guard_tool_at(g, index);

	return tool && json_scan_whole(&tool->scan);
}

bool guard_tool_open(const struct guard *g, unsigned index)
{
	const struct guard_tool *tool = guard_tool_at(g, index);

	return tool && tool->open;
}

void guard_end_tools(struct guard *g)
{
	for (size_t i = 0; i < g->tool_count; i++)
		if (g->tools[i].open)
			guard_close_tool(g, (unsigned)i);
}

void guard_drop_tools(struct guard *g)
{
	for (size_t i = 0; i < g->tool_count; i++) {
		buf_fini(&g->tools[i].id);
		buf_fini(&g->tools[i].name);
		buf_fini(&g->tools[i].arguments);
	}
	g->tool_count = 0;
}
