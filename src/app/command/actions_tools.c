/* Tools that run: the list, which are on, and what was allowed. */
#include "app/command/actions_inside.h"

#include <string.h>

#include "app/setup/setup.h"

#define LIST_BYTES ((size_t)400) /* of tools in a message; weir tools lists all */
#define NAME_SAID 60u            /* bytes of a name in a sentence */

const char *act_tool_words(struct setup *s, const struct tool *tool)
{
	bool is_off = !tool->trouble && tool->approve != TOOL_NEVER && !tool_is_offered(&s->tool_set, tool);

	return is_off ? "off" : approval_words(&s->approvals, tool);
}

/* Those that run here, and the file. */
void act_list_tools(const struct actor *a)
{
	struct mcp_hub_server server;
	size_t left = 0;
	struct buf all;

	setup_want_servers(a->setup);
	const struct tool_set *set = setup_tool_set(a->setup);
	buf_init(&all, LIST_BYTES);
	for (size_t i = 0; i < set->count; i++)
		if (tool_set_find(set, str_from(set->items[i].name)) == &set->items[i])
			left += !buf_printf(&all, "%s%s (%s)", all.len ? ", " : "", set->items[i].name, act_tool_words(a->setup, &set->items[i]));
	for (size_t i = 0; (server = mcp_hub_at(a->setup->servers, i)).server; i++)
		if (server.server->approve != TOOL_NEVER && server.state != MCP_HUB_KNOWN)
			buf_printf(&all, "%sMCP server %s (%s)", all.len ? ", " : "", server.server->name,
			           server.state == MCP_HUB_FAILED ? server.trouble : "being asked: /tools again lists its tools");
	if (a->setup->tools_from)
		buf_printf(&all, "; %zu from %s, which /tools off removes", a->setup->tool_count, a->setup->tools_from);
	if (left)
		act_say(a, "tools: %s; and %zu more, which `weir tools` lists", buf_z(&all), left);
	else
		act_say(a, "tools: %s", buf_z(&all));
	buf_fini(&all);
}

/* --- one of them --- */

static void tool_turn(const struct actor *a, struct tool *tool, bool on)
{
	if (on && (tool->trouble || tool->approve == TOOL_NEVER)) {
		act_fail(a, "%s", tool->trouble ? tool->trouble : "its setting says that it never runs");
		return;
	}
	tool_set_wish(setup_tool_set(a->setup), tool, on ? TOOL_ON : TOOL_OFF);
	a->setup->changes++;
	act_say(a, "%s is %s in this conversation, from the next turn on", tool->name, on ? "on" : "off");
}

static void tool_turn_on(const struct actor *a, struct tool *tool)
{
	tool_turn(a, tool, true);
}

static void tool_turn_off(const struct actor *a, struct tool *tool)
{
	tool_turn(a, tool, false);
}

static void tool_take_back(const struct actor *a, struct tool *tool)
{
	struct approvals *approvals = &a->setup->approvals;
	struct error err = { "" };

	if (tool->trouble || tool->approve == TOOL_NEVER)
		act_say(a, "%s does not run: nothing was allowed", tool->name);
	else if (!approval_is_given(approvals, tool))
		act_say(a, "%s asks already", tool->name);
	else if (!approval_take_back(approvals, tool, &err))
		act_fail(a, "%s asks again in this conversation; that it does in others could not be kept: %s", tool->name, err.text);
	else
		act_say(a, "%s asks again before it runs%s", tool->name, tool->approve == TOOL_ONCE ? "" : ", in this conversation");
}

static void tool_tell(const struct actor *a, const struct tool *tool)
{
	bool is_on = tool_is_offered(setup_tool_set(a->setup), tool);
	const char *words = act_tool_words(a->setup, tool);

	if (is_on && approval_is_given(&a->setup->approvals, tool))
		act_say(a, "tool %s (%s): /tools %s ask takes that back; off turns it off here", tool->name, words, tool->name);
	else
		act_say(a, "tool %s (%s): /tools %s %s changes that here", tool->name, words, tool->name, is_on ? "off" : "on");
}

/* --- those of an MCP server --- */

static bool tool_is_of(const struct tool *tool, const struct mcp_server *server)
{
	return tool->source == TOOL_OF_SERVER && !strcmp(tool->server, server->name);
}

/* With "on" one that has failed is asked again. */
static void server_turn(const struct actor *a, size_t index, bool on)
{
	struct tool_set *set = setup_tool_set(a->setup);
	const struct mcp_server *server = mcp_hub_at(a->setup->servers, index).server;
	size_t count = 0;

	for (size_t i = 0; i < set->count; i++)
		if (tool_is_of(&set->items[i], server)) {
			tool_set_wish(set, &set->items[i], !on ? TOOL_OFF : set->named ? TOOL_ON : TOOL_UNSET); /* a role may name others */
			count++;
		}
	if (on && server->approve != TOOL_NEVER)
		mcp_hub_want(a->setup->servers, index, true);
	a->setup->changes++;
	if (on && !count && server->approve != TOOL_NEVER)
		act_say(a, "the MCP server %s is asked for its tools", server->name);
	else
		act_say(a, "%zu tool%s of %s %s %s in this conversation, from the next turn on", count, count == 1 ? "" : "s", server->name,
		        count == 1 ? "is" : "are", on ? "on" : "off");
}

static void server_turn_on(const struct actor *a, size_t index)
{
	server_turn(a, index, true);
}

static void server_turn_off(const struct actor *a, size_t index)
{
	server_turn(a, index, false);
}

static void server_take_back(const struct actor *a, size_t index)
{
	struct tool_set *set = setup_tool_set(a->setup);
	const struct mcp_server *server = mcp_hub_at(a->setup->servers, index).server;
	struct error err = { "" };
	size_t count = 0;

	for (size_t i = 0; i < set->count && !*err.text; i++)
		if (tool_is_of(&set->items[i], server) && approval_is_given(&a->setup->approvals, &set->items[i])) {
			count++;
			(void)!approval_take_back(&a->setup->approvals, &set->items[i], &err);
		}
	if (*err.text)
		act_fail(a, "%s", err.text);
	else
		act_say(a, count == 1 ? "%zu tool of %s that was allowed asks again" : "%zu tools of %s that were allowed ask again",
		        count, server->name);
}

/* --- words --- */

static const struct {
	struct act_tool_word word;
	void (*tool)(const struct actor *a, struct tool *tool);
	void (*server)(const struct actor *a, size_t index);
} words[] = {
	{ { "on", "offer it in this conversation" }, tool_turn_on, server_turn_on },
	{ { "off", "do not offer it in this conversation" }, tool_turn_off, server_turn_off },
	{ { "ask", "take back that it runs without a question" }, tool_take_back, server_take_back },
};

const struct act_tool_word *act_tool_word_at(size_t index)
{
	return index < sizeof words / sizeof *words ? &words[index].word : NULL;
}

bool act_names_tool_word(struct str line)
{
	struct str word;

	(void)str_first_word(line, &word);
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_is(word, words[i].word.name))
			return true;
	return false;
}

/* False: there is no such MCP server. */
static bool server_find(const struct setup *s, struct str name, size_t *index)
{
	struct mcp_hub_server server;

	for (*index = 0; (server = mcp_hub_at(s->servers, *index)).server && !str_is(name, server.server->name); ++*index)
		;
	return server.server;
}

bool act_names_tool(struct setup *s, struct str name)
{
	size_t index;

	return tool_set_find(setup_tool_set(s), name) || server_find(s, name, &index);
}

bool act_set_tool(const struct actor *a, struct str line)
{
	struct str rest, name = str_first_word(line, &rest);
	struct tool *tool = tool_set_find(setup_tool_set(a->setup), name);
	size_t word = 0, server;

	if (tool && !rest.len && !act_is_off(line)) {
		tool_tell(a, tool);
		return true;
	}
	while (word < sizeof words / sizeof *words && !str_is(rest, words[word].word.name))
		word++;
	if (word == sizeof words / sizeof *words)
		return false;
	if (tool)
		words[word].tool(a, tool);
	else if (server_find(a->setup, name, &server))
		words[word].server(a, server);
	else
		act_fail(a, "there is no tool and no MCP server '%.*s'; /tools lists them", STR_ARG(str_head(name, NAME_SAID)));
	return true;
}
