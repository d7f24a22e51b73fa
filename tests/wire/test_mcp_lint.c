/* Rules of `weir mcp lint`: each has messages that break it, and a session without a finding. */
#include "wire/mcp/mcp_lint.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"

static void add_finding(void *ctx, const struct mcp_rule *rule, size_t message, struct str words)
{
	CU_ASSERT(words.len && !memchr(words.ptr, '\n', words.len) && message > 0);
	buf_printf(ctx, "%s@%zu ", rule->id, message);
}

/* Lines that begin with > were sent, those with < came. */
static void lint_session(const char *session, bool closed, struct buf *found)
{
	struct mcp_lint *lint = mcp_lint_new(true, add_finding, found);
	struct str rest = str_from(session), line;

	while (str_split(&rest, '\n', &line))
		if (line.len)
			mcp_lint_message(lint, *line.ptr == '>', str_skip(line, 1));
	mcp_lint_end(lint, closed);
	mcp_lint_free(lint);
}

#define OLD ">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}}}}\n" \
	"<{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{\"listChanged\":true}}," \
	"\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\n>{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}\n"
#define META "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"progressToken\":2}"
#define NEW ">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}\n<{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{" \
	"\"resultType\":\"complete\",\"ttlMs\":0,\"cacheScope\":\"private\",\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}," \
	"\"serverInfo\":{\"name\":\"s\",\"version\":\"1\"}}}\n"
#define ASK(method, more) ">{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"" method "\",\"params\":{" more "}}\n"
#define SAY(result) "<{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{" result "}}\n"
#define LIST(tool) ASK("tools/list", "") SAY("\"tools\":[" tool "]")
#define TOOL "{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"}}"
#define TOKEN "\"_meta\":{\"progressToken\":2}"
#define PROGRESS(token, progress) "<{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":" token ",\"progress\":" progress "}}\n"

static const struct { const char *session, *found; } cases[] = {
	{ OLD LIST(TOOL), "" },
	{ NEW ASK("tools/call", META) SAY("\"resultType\":\"complete\",\"content\":[]"), "" },
	{ OLD "<Listening\n", "no-json@4 " },
	{ OLD "<{\"jsonrpc\":\"1.0\",\"method\":\"x\"}\n", "no-message@4 " },
	{ OLD "<[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]\n", "batch@4 " },
	{ OLD "<{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}\n", "answer-unknown@4 " },
	{ OLD ASK("ping", "") SAY("") SAY(""), "answer-twice@6 " },
	{ OLD ASK("ping", ""), "answer-missing@4 " },
	{ OLD ASK("ping", "") ">{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n", "" },
	{ OLD ASK("ping", "") ">{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}\n" SAY(""), "answer-cancelled@6 " },
	{ ">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n<{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n",
	  "begin-members@2 begin-members@2 begin-members@2 " },
	{ NEW ASK("prompts/get", META) SAY(""), "result-type@4 " },
	{ NEW ASK("tools/list", META) SAY("\"resultType\":\"complete\",\"tools\":[]"), "cache-hints@4 cache-hints@4 " },
	{ OLD ASK("tools/list", "") SAY(""), "list-member@5 " },
	{ OLD LIST("{\"name\":\"a\"}"), "tool-schema@5 " },
	{ OLD LIST("{\"name\":\"a b\",\"inputSchema\":{\"type\":\"object\"}}"), "tool-name@5 " },
	{ OLD LIST(TOOL "," TOOL), "tool-twice@5 " },
	{ OLD LIST(TOOL) ">{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\"}\n<{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[" TOOL "]}}\n", "" },
	{ OLD LIST("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\",\"x-mcp-header\":\"A\"}}"), "tool-headers@5 " },
	{ OLD ASK("tools/call", "") SAY("\"content\":[{\"type\":\"text\"}]"), "content@5 " },
	{ OLD ASK("tools/call", "") SAY(""), "content@5 " },
	{ OLD ASK("resources/read", "") SAY("\"contents\":[{\"uri\":\"u\"}]"), "content@5 " },
	{ OLD LIST("{\"name\":\"a\",\"inputSchema\":{\"type\":\"object\"},\"outputSchema\":{}}") ">{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\","
	  "\"params\":{\"name\":\"a\"}}\n<{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"content\":[]}}\n", "structured@7 " },
	{ OLD ASK("tools/call", TOKEN) PROGRESS("2", "1") PROGRESS("2", "2") PROGRESS("7", "1") SAY("\"content\":[]") PROGRESS("2", "3"),
	  "progress-token@7 progress-token@9 " },
	{ OLD ASK("tools/call", TOKEN) PROGRESS("2", "2") PROGRESS("2", "2") SAY("\"content\":[]"), "progress-rises@6 " },
	{ NEW "<{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\n", "request-modern@3 " },
	{ ">{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{\"capabilities\":{\"roots\":{}}}}\n<{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"ping\"}\n"
	  "<{\"jsonrpc\":\"2.0\",\"id\":\"y\",\"method\":\"roots/list\"}\n<{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":1,\"message\":\"\"}}\n", "request-early@3 " },
	{ OLD "<{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"elicitation/create\"}\n<{\"jsonrpc\":\"2.0\",\"id\":\"y\",\"method\":\"sampling/createMessage\"}\n",
	  "request-unoffered@5 " },
	{ OLD ASK("ping", "") "<{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32050,\"message\":\"\"}}\n", "error-code@5 " },
	{ NEW ASK("resources/read", META) "<{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32002,\"message\":\"\"}}\n", "error-code@4 " },
	{ NEW "<{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{}}\n", "log-unasked@3 " },
	{ OLD "<{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n<{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\"}\n",
	  "change-undeclared@5 " },
};

static void each_rule_finds_what_breaks_it(void)
{
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct buf found = { 0 };

		lint_session(cases[i].session, true, &found);
		CHECK(str_is(buf_str(&found), cases[i].found), "\"%s\", not \"%s\", in %s", buf_z(&found), cases[i].found, cases[i].session);
		buf_fini(&found);
	}
	for (size_t rule = 0; mcp_rule_at(rule); rule++) {
		bool is_found = false;

		for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
			is_found |= strstr(cases[i].found, mcp_rule_at(rule)->id) != NULL;
		CHECK(is_found, "no messages here break %s", mcp_rule_at(rule)->id);
		CHECK(*mcp_rule_at(rule)->promise && *mcp_rule_at(rule)->source, "%s", mcp_rule_at(rule)->id);
	}
}

/* A session that broke off says nothing about answers that were still to come. */
static void a_session_that_broke_off_lacks_no_answer(void)
{
	struct buf found = { 0 };

	lint_session(OLD ASK("ping", ""), false, &found);
	CHECK_STR(buf_str(&found), "");
	buf_fini(&found);
}

const struct suite suite_mcp_lint = { "mcp_lint", (const struct test[]){
	TEST(each_rule_finds_what_breaks_it), TEST(a_session_that_broke_off_lacks_no_answer), { 0 } } };
