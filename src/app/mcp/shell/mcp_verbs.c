/* The verbs of `weir mcp`: what each asks, and what it does with the answer. */
#include "app/mcp/shell/mcp_verbs.h"

#include <stdio.h>
#include <string.h>

#include "app/lint/lint_session.h"
#include "app/mcp/shell/mcp_shell.h"
#include "app/options/options.h"
#include "base/array.h"
#include "base/json_write.h"
#include "chat/provider/schema.h"
#include "wire/mcp/content.h"

#define LIST_MOST ((size_t)64 << 20)

/* --- lists --- */

/* A tool that must not be called over HTTP: "clients must exclude it". */
static bool is_excluded(struct mcp_shell *m, const struct json *item)
{
	struct error why = { "" }, words;

	if (m->list != MCP_TOOLS || !m->server->url || !mcp_is_modern(mcp_session_facts(m->session)->revision))
		return false;
	if (mcp_tool_headers_check(json_get(item, "inputSchema"), &why))
		return false;
	error_set(&words, "the tool \"%.*s\" is left out: %s", STR_ARG(str_head(json_get_text(item, "name"), 100)), why.text);
	mcp_shell_complain(m, str_from(words.text));
	return true;
}

static void lists_keep(struct mcp_shell *m, const struct json *result)
{
	const struct json *items = json_get(result, mcp_list_member(m->list));
	struct buf *kept = &m->lists[m->list];

	for (size_t i = 0; i < json_length(items) && !m->list_is_full; i++) {
		struct buf item = { 0 };

		if (is_excluded(m, json_at(items, i)))
			continue;
		if (kept->len)
			buf_add_byte(&item, ',');
		json_dump(json_at(items, i), &item);
		m->list_is_full = item.len > LIST_MOST - kept->len || !buf_add(kept, buf_str(&item));
		if (m->list_is_full)
			mcp_shell_complain(m, STR("the lists are longer than 64 MB; the rest is left out"));
		buf_fini(&item);
	}
}

static void lists_next(struct mcp_shell *m)
{
	while (m->list < MCP_LIST_COUNT && !mcp_session_facts(m->session)->offers[m->list])
		m->list++;
	if (m->list < MCP_LIST_COUNT) {
		mcp_shell_ask(m, mcp_list_method(m->list), STR_NONE, STR_NONE, STR_NONE);
		return;
	}
	mcp_print_lists(m);
	mcp_shell_end(m, m->status);
}

static void list_begin(struct mcp_shell *m)
{
	m->list = 0;
	lists_next(m);
}

static void list_answer(struct mcp_shell *m, const struct mcp_answer *answer)
{
	/* Many servers with resources have no templates, and say so only when they are asked. */
	bool lacks = answer->ending == MCP_ERROR && m->list == MCP_TEMPLATES && answer->code == RPC_METHOD_NOT_FOUND;

	if (answer->result)
		lists_keep(m, answer->result);
	else if (!lacks)
		mcp_shell_fail(m, answer);
	m->over = answer->ending == MCP_CUT || answer->ending == MCP_STALLED; /* else the other lists are still of use */
	if (!m->over && answer->ending != MCP_PAGE) {
		m->list++;
		lists_next(m);
	}
}

/* --- call --- */

static void call_now(struct mcp_shell *m)
{
	struct str arguments = m->argument_count > 1 ? str_from(m->arguments[1]) : STR("{}");
	struct buf params = { 0 };

	mcp_write_call(str_from(m->arguments[0]), arguments, &params);
	m->knows_tool = true;
	mcp_shell_ask(m, "tools/call", buf_str(&params), str_from(m->arguments[0]), buf_str(&m->headers));
	buf_fini(&params);
}

/* What the tool's description says about the call: headers that repeat arguments, the schema of what is structured. */
static void call_know(struct mcp_shell *m, const struct json *result)
{
	const struct json *tools = json_get(result, "tools"), *arguments;
	struct json_parser *parser = json_parser_new();
	size_t used;

	for (size_t i = 0; i < json_length(tools); i++) {
		const struct json *tool = json_at(tools, i);

		if (!str_is(json_get_text(tool, "name"), m->arguments[0]))
			continue;
		if (json_get(tool, "outputSchema"))
			json_dump(json_get(tool, "outputSchema"), &m->output_schema);
		arguments = json_parse(parser, m->argument_count > 1 ? str_from(m->arguments[1]) : STR("{}"), &used);
		if (m->server->url && !is_excluded(m, tool))
			mcp_tool_headers_write(json_get(tool, "inputSchema"), arguments, &m->headers);
	}
	json_parser_free(parser);
}

/* The tools are listed first: a call may need what their descriptions say. */
static void call_begin(struct mcp_shell *m)
{
	m->list = MCP_TOOLS;
	if (mcp_session_facts(m->session)->offers[MCP_TOOLS])
		mcp_shell_ask(m, mcp_list_method(MCP_TOOLS), STR_NONE, STR_NONE, STR_NONE);
	else
		call_now(m);
}

/* What is structured must follow the tool's schema. */
static bool call_is_sound(struct mcp_shell *m, const struct json *result)
{
	const struct json *structured = json_get(result, "structuredContent");
	struct error why = { "" }, words;
	struct buf text = { 0 };
	bool sound = true;

	if (structured && m->output_schema.len) {
		json_dump(structured, &text);
		sound = schema_check(buf_str(&m->output_schema), buf_str(&text), &why);
		if (!sound) {
			error_set(&words, "the structured content breaks the tool's own schema: %.900s", why.text);
			mcp_shell_complain(m, str_from(words.text));
		}
	}
	buf_fini(&text);
	return sound;
}

static void call_answer(struct mcp_shell *m, const struct mcp_answer *answer)
{
	bool is_error = false;

	if (!m->knows_tool) {
		if (answer->result)
			call_know(m, answer->result);
		if (answer->ending == MCP_COMPLETE || answer->ending == MCP_ERROR)
			call_now(m); /* without its description too */
		else if (answer->ending != MCP_PAGE)
			mcp_shell_fail(m, answer);
		return;
	}
	if (answer->ending != MCP_COMPLETE) {
		mcp_shell_fail(m, answer);
		return;
	}
	json_flag(json_get(answer->result, "isError"), &is_error);
	if (!is_error && !call_is_sound(m, answer->result)) {
		mcp_shell_end(m, EXIT_ERROR);
		return;
	}
	if (m->o->json)
		mcp_print_json(m, answer->result);
	else
		mcp_print_tool_result(m, answer->result);
	mcp_shell_end(m, is_error ? EXIT_LOCAL : EXIT_DONE);
}

/* --- read, prompt, ping --- */

static void read_begin(struct mcp_shell *m)
{
	struct buf params = { 0 };
	struct json_writer w;

	json_writer_init(&w, &params);
	json_open_object(&w);
	json_member_string(&w, "uri", str_from(m->arguments[0]));
	json_close_object(&w);
	mcp_shell_ask(m, "resources/read", buf_str(&params), str_from(m->arguments[0]), STR_NONE);
	buf_fini(&params);
}

static void print_answer(struct mcp_shell *m, const struct mcp_answer *answer, void (*print)(struct mcp_shell *m, const struct json *result))
{
	if (answer->ending != MCP_COMPLETE) {
		mcp_shell_fail(m, answer);
		return;
	}
	(m->o->json ? mcp_print_json : print)(m, answer->result);
	mcp_shell_end(m, EXIT_DONE);
}

static void read_answer(struct mcp_shell *m, const struct mcp_answer *answer)
{
	print_answer(m, answer, mcp_print_contents);
}

static void prompt_begin(struct mcp_shell *m)
{
	struct buf params = { 0 };

	mcp_write_call(str_from(m->arguments[0]), m->argument_count > 1 ? str_from(m->arguments[1]) : STR_NONE, &params);
	mcp_shell_ask(m, "prompts/get", buf_str(&params), str_from(m->arguments[0]), STR_NONE);
	buf_fini(&params);
}

static void prompt_answer(struct mcp_shell *m, const struct mcp_answer *answer)
{
	print_answer(m, answer, mcp_print_prompt);
}

/* A stateless server has no ping: what it can do is asked again. */
static void ping_begin(struct mcp_shell *m)
{
	bool modern = mcp_is_modern(mcp_session_facts(m->session)->revision);

	mcp_shell_ask(m, modern ? "server/discover" : "ping", STR_NONE, STR_NONE, STR_NONE);
}

static void ping_answer(struct mcp_shell *m, const struct mcp_answer *answer)
{
	if (answer->ending != MCP_COMPLETE) {
		mcp_shell_fail(m, answer);
		return;
	}
	mcp_print_ping(m, clock_now_ms() - m->asked_ms);
	mcp_shell_end(m, EXIT_DONE);
}

static const struct mcp_verb verbs[] = {
	{ "list", "TARGET", "list what a server (its name, its address, or -- and its program) offers: tools, resources, templates, prompts",
	  0, 0, list_begin, list_answer, NULL },
	{ "call", "TARGET TOOL [JSON]", "call a tool, with its arguments as a JSON object", 1, 2, call_begin, call_answer, NULL },
	{ "read", "TARGET URI", "read a resource", 1, 1, read_begin, read_answer, NULL },
	{ "prompt", "TARGET NAME [JSON]", "get a prompt, with its arguments as a JSON object", 1, 2, prompt_begin, prompt_answer, NULL },
	{ "ping", "TARGET", "see whether a server answers, and how fast", 0, 0, ping_begin, ping_answer, NULL },
	{ "login", "TARGET", "get a token for a server that wants authorization: agree in the browser ($BROWSER, else the setting opener)", 0, 0,
	  NULL, NULL, mcp_login_run },
	{ "logout", "TARGET", "delete the token that is kept for a server", 0, 0, NULL, NULL, mcp_logout_run },
	{ "lint", "TAPE", "report where a server breaks the specification in a tape; exit status 1 if it does", 0, 0, NULL, NULL, lint_session_run },
	{ "import", "FILE", "write the servers of another client's JSON (mcpServers) into weir.conf, without keys; --dry-run only shows them", 0, 0,
	  NULL, NULL, mcp_import_run },
};

const struct mcp_verb *mcp_verb_at(size_t index)
{
	return index < ARRAY_LEN(verbs) ? &verbs[index] : NULL;
}
