/* The guard's tools that the server ran: name, input, output, state. */
#include "base/mem.h"
#include "wire/guard_inside.h"

static struct guard_server_tool *server_tool_at(const struct guard *g, unsigned index)
{
	return index < g->server_tool_count && g->server_tools[index].open && guard_takes(g) ? &g->server_tools[index] : NULL;
}

static void emit_server_tool(struct guard *g, enum delta_kind kind, const struct guard_server_tool *tool, struct str text)
{
	bool tells = kind == DELTA_SERVER_TOOL_END || (kind == DELTA_SERVER_TOOL_INPUT && !text.len);

	guard_give(g, &(struct delta){
		.kind = kind, .text = text,
		.server_tool = {
			.index = (unsigned)(tool - g->server_tools), .id = guard_known(&tool->id), .name = buf_str(&tool->name),
			.state = tool->state, .output = !tells || !tool->has_output ? STR_NONE : tool->output.len ? buf_str(&tool->output) : STR(""),
		},
	});
}

unsigned guard_server_tool_begin(struct guard *g, struct str id, struct str name)
{
	if (guard_takes(g) && g->server_tool_count == GUARD_PARTS_MOST)
		guard_error(g, &(struct error_report){ .message = STR("The answer has too many calls of the server's tools.") });
	if (!guard_takes(g))
		return GUARD_NEW_PART;
	mem_reserve(&g->server_tools, &g->server_tool_capacity, g->server_tool_count + 1, sizeof *g->server_tools);
	struct guard_server_tool *tool = &g->server_tools[g->server_tool_count++];
	*tool = (struct guard_server_tool){ .open = true };
	buf_add(&tool->id, id);
	buf_add(&tool->name, name);
	g->latest = g->legible = GUARD_NEW_PART;
	emit_server_tool(g, DELTA_SERVER_TOOL_BEGIN, tool, STR_NONE);
	return (unsigned)(tool - g->server_tools);
}

void guard_server_tool_name(struct guard *g, unsigned index, struct str id, struct str name)
{
	struct guard_server_tool *tool = server_tool_at(g, index);

	if (tool && !tool->id.len)
		buf_add(&tool->id, id);
	if (tool && !tool->name.len)
		buf_add(&tool->name, name);
}

static void add_input(struct guard *g, struct guard_server_tool *tool, struct str text)
{
	if (text.len && buf_add(&tool->input, text))
		emit_server_tool(g, DELTA_SERVER_TOOL_INPUT, tool, text);
}

void guard_server_tool_input(struct guard *g, unsigned index, struct str raw)
{
	struct guard_server_tool *tool = server_tool_at(g, index);

	if (!tool)
		return;
	struct str text = surrogate_join(&tool->surrogate, raw, &g->scratch);
	add_input(g, tool, text);
	guard_count_bytes(g, text.len);
}

void guard_server_tool_whole_input(struct guard *g, unsigned index, struct str raw)
{
	struct guard_server_tool *tool = server_tool_at(g, index);
	struct surrogate surrogate = { 0 };
	struct buf whole = { 0 }, joined = { 0 };

	if (!tool || !raw.len)
		return;
	buf_add(&whole, surrogate_join(&surrogate, raw, &joined));
	buf_add(&whole, surrogate_flush(&surrogate));
	size_t had = tool->input.len;
	tool->surrogate = (struct surrogate){ 0 };
	bool goes_on = str_equal(str_head(buf_str(&whole), had), buf_str(&tool->input));
	if (goes_on)
		add_input(g, tool, str_skip(buf_str(&whole), had));
	else
		guard_replace(&tool->input, buf_str(&whole));
	guard_count_bytes(g, whole.len - (goes_on ? had : 0));
	buf_fini(&whole);
	buf_fini(&joined);
}

void guard_server_tool_output(struct guard *g, unsigned index, struct str output)
{
	struct guard_server_tool *tool = server_tool_at(g, index);

	if (!tool || !output.ptr)
		return;
	tool->has_output = true;
	buf_clear(&tool->output);
	buf_add(&tool->output, output);
	guard_count_bytes(g, output.len);
}

void guard_server_tool_state(struct guard *g, unsigned index, enum server_tool_state state)
{
	struct guard_server_tool *tool = server_tool_at(g, index);

	if (tool)
		tool->state = state;
}

void guard_server_tool_tell(struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_at(g, index);

	if (tool)
		emit_server_tool(g, DELTA_SERVER_TOOL_INPUT, tool, STR_NONE);
}

static void close_server_tool(struct guard *g, struct guard_server_tool *tool)
{
	add_input(g, tool, surrogate_flush(&tool->surrogate));
	tool->open = false;
	emit_server_tool(g, DELTA_SERVER_TOOL_END, tool, buf_str(&tool->input));
}

void guard_server_tool_end(struct guard *g, unsigned index)
{
	struct guard_server_tool *tool = server_tool_at(g, index);

	if (tool)
		close_server_tool(g, tool);
}

void guard_end_server_tools(struct guard *g)
{
	for (size_t i = 0; i < g->server_tool_count; i++)
		if (g->server_tools[i].open)
			close_server_tool(g, &g->server_tools[i]);
}

void guard_drop_server_tools(struct guard *g)
{
	for (size_t i = 0; i < g->server_tool_count; i++) {
		struct guard_server_tool *tool = &g->server_tools[i];
		struct buf *const bufs[] = { &tool->id, &tool->name, &tool->input, &tool->output };

		for (size_t b = 0; b < ARRAY_LEN(bufs); b++)
			buf_fini(bufs[b]);
	}
	g->server_tool_count = 0;
}

/* --- asking --- */

static const struct guard_server_tool *server_tool_seen(const struct guard *g, unsigned index)
{
	return index < g->server_tool_count ? &g->server_tools[index] : NULL;
}

size_t guard_server_tool_count(const struct guard *g)
{
	return g->server_tool_count;
}

bool guard_server_tool_open(const struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_seen(g, index);

	return tool && tool->open;
}

bool guard_server_tool_has_output(const struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_seen(g, index);

	return tool && tool->has_output;
}

struct str guard_server_tool_id(const struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_seen(g, index);

	return tool ? guard_known(&tool->id) : STR_NONE;
}

struct str guard_server_tool_name_of(const struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_seen(g, index);

	return tool ? buf_str(&tool->name) : STR_NONE;
}

struct str guard_server_tool_text(const struct guard *g, unsigned index)
{
	const struct guard_server_tool *tool = server_tool_seen(g, index);

	return tool ? buf_str(&tool->input) : STR_NONE;
}
