/* The client of MCP as a pure machine: what it sends and tells for what a server says. */
#include "wire/mcp/client.h"

#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "support/check.h"

/* Everything that the client does, a line each; "> " is sent. */
struct talk {
	struct mcp_client *client;
	struct buf log;
	bool elicits, replies;
	int64_t wanted;
};

static void log_send(void *ctx, const struct mcp_outgoing *m)
{
	struct talk *t = ctx;

	CU_ASSERT(!memchr(m->text.ptr, '\n', m->text.len));
	buf_printf(&t->log, "> %.*s\n", STR_ARG(m->text));
}

static void log_ready(void *ctx)
{
	struct talk *t = ctx;

	buf_printf(&t->log, "ready %s\n", mcp_revision_name(mcp_client_facts(t->client)->revision));
}

static const char *ending_name(enum mcp_ending ending)
{
	static const char *const names[] = { [MCP_PAGE] = "page", [MCP_COMPLETE] = "complete", [MCP_ERROR] = "error", [MCP_VIOLATION] = "violation",
		[MCP_CUT] = "cut", [MCP_STALLED] = "stalled" };

	return names[ending];
}

static void log_failed(void *ctx, enum mcp_ending ending, struct str words)
{
	buf_printf(&((struct talk *)ctx)->log, "failed %s %.*s\n", ending_name(ending), STR_ARG(words));
}

static void log_answer(void *ctx, int64_t ticket, const struct mcp_answer *answer)
{
	struct talk *t = ctx;

	buf_printf(&t->log, "answer %lld %s ", (long long)ticket, ending_name(answer->ending));
	if (answer->result)
		json_dump(answer->result, &t->log);
	if (answer->ending == MCP_ERROR)
		buf_printf(&t->log, "%lld ", (long long)answer->code);
	buf_printf(&t->log, "%.*s\n", STR_ARG(answer->words));
}

static void log_dropped(void *ctx, int64_t id)
{
	buf_printf(&((struct talk *)ctx)->log, "dropped %lld\n", (long long)id);
}

static void log_progress(void *ctx, int64_t ticket, const struct mcp_progress *p)
{
	buf_printf(&((struct talk *)ctx)->log, "progress %lld %g/%g %.*s\n", (long long)ticket, p->done, p->total, STR_ARG(p->words));
}

static void log_changed(void *ctx, enum mcp_list list)
{
	buf_printf(&((struct talk *)ctx)->log, "changed %s\n", mcp_list_member(list));
}

static void log_want(void *ctx, const struct mcp_want *want)
{
	struct talk *t = ctx;

	buf_printf(&t->log, "want %.*s of %lld\n", STR_ARG(want->method), (long long)want->ticket);
	t->wanted = want->number;
	if (t->replies)
		mcp_client_reply(t->client, want->number, STR("{\"action\":\"decline\"}"));
}

static void log_unwanted(void *ctx, int64_t number)
{
	struct talk *t = ctx;

	buf_printf(&t->log, "unwanted %s\n", number == t->wanted ? "it" : "another");
}

static void log_notice(void *ctx, struct str words)
{
	buf_printf(&((struct talk *)ctx)->log, "notice %.*s\n", STR_ARG(words));
}

static void talk_start(struct talk *t, enum mcp_revision revision, bool elicits)
{
	struct mcp_client_sink sink = {
		.ctx = t, .send = log_send, .ready = log_ready, .failed = log_failed, .answer = log_answer, .dropped = log_dropped, .progress = log_progress,
		.changed = log_changed, .want = elicits ? log_want : NULL, .unwanted = log_unwanted, .notice = log_notice,
	};

	*t = (struct talk){ .client = mcp_client_new(&(struct mcp_client_options){ .version = "1", .revision = revision, .tells_cancelled = true }, &sink) };
	mcp_client_start(t->client);
}

static void talk_end(struct talk *t)
{
	mcp_client_free(t->client);
	buf_fini(&t->log);
}

#define TAKE(t, json) mcp_client_take((t)->client, STR(json), 0)
#define CHECK_LOG(t, expected) (CHECK_STR(buf_str(&(t)->log), expected), buf_clear(&(t)->log))

#define META "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":" \
	"{\"name\":\"weir\",\"version\":\"1\"},\"io.modelcontextprotocol/clientCapabilities\":{}}"
#define DISCOVER "> {\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"server/discover\",\"params\":{" META "}}\n"
#define INITIALIZE(id, version) "> {\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"" version \
	"\",\"capabilities\":{},\"clientInfo\":{\"name\":\"weir\",\"version\":\"1\"}}}\n"
#define INITIALIZED "> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\",\"params\":{}}\n"

/* --- how it begins --- */

static void a_modern_server_is_discovered(void)
{
	struct talk t;

	talk_start(&t, MCP_REVISION_COUNT, false);
	CHECK_LOG(&t, DISCOVER);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"resultType\":\"complete\",\"supportedVersions\":[\"2026-07-28\",\"2025-11-25\",\"2099-01-01\"],"
	         "\"capabilities\":{\"tools\":{}},\"_meta\":{\"io.modelcontextprotocol/serverInfo\":{\"name\":\"s\",\"version\":\"2\"}}}}");
	CHECK_LOG(&t, "ready 2026-07-28\n");
	const struct mcp_facts *facts = mcp_client_facts(t.client);
	CU_ASSERT_STRING_EQUAL(facts->name, "s");
	CU_ASSERT_STRING_EQUAL(facts->version, "2");
	CU_ASSERT(facts->offers[MCP_TOOLS] && !facts->offers[MCP_RESOURCES] && !facts->offers[MCP_PROMPTS]);
	talk_end(&t);
}

/* "The fallback must not be keyed to one specific error code." */
static void any_other_error_means_an_older_server(void)
{
	static const char *const errors[] = {
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32000,\"message\":\"Bad Request: Server not initialized\"}}",
		"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}",
	};
	for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
		struct talk t;

		talk_start(&t, MCP_REVISION_COUNT, false);
		mcp_client_take(t.client, str_from(errors[i]), 0);
		CHECK_LOG(&t, DISCOVER INITIALIZE(2, "2025-11-25"));
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{\"prompts\":{}},\"serverInfo\":{\"name\":\"old\"}}}");
		CHECK_LOG(&t, INITIALIZED "ready 2025-06-18\n");
		CU_ASSERT(mcp_client_facts(t.client)->offers[MCP_PROMPTS] && !mcp_client_facts(t.client)->offers[MCP_TOOLS]);
		talk_end(&t);
	}
}

static void a_named_revision_is_taken(void)
{
	struct talk t;

	talk_start(&t, MCP_REVISION_COUNT, false);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2025-06-18\",\"x\"]}}}");
	CHECK_LOG(&t, INITIALIZE(2, "2025-06-18"));
	talk_end(&t);
	talk_start(&t, MCP_REVISION_COUNT, false);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}}");
	CU_ASSERT(str_starts(buf_str(&t.log), "> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"server/discover\""));
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32022,\"message\":\"no\",\"data\":{\"supported\":[\"2026-07-28\"]}}}");
	CHECK_LOG(&t, "failed violation the server refuses the revision 2026-07-28, which it names as its own\n");
	talk_end(&t);
}

static void no_common_revision_is_a_sentence(void)
{
	struct talk t;

	talk_start(&t, MCP_REVISION_COUNT, false);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2031-01-01\"],\"capabilities\":{}}}");
	CHECK_LOG(&t, "failed violation no revision of the protocol is common: the server speaks [\"2031-01-01\"]\n");
	talk_end(&t);
	talk_start(&t, MCP_2025_11_25, false);
	CHECK_LOG(&t, INITIALIZE(1, "2025-11-25"));
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2024-11-05\",\"capabilities\":{}}}");
	CHECK_LOG(&t, "failed violation the server does not speak 2025-11-25: it answers with 2024-11-05\n");
	talk_end(&t);
	talk_start(&t, MCP_2026_07_28, false);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
	CHECK_LOG(&t, "failed error the server does not speak 2026-07-28: Method not found\n");
	talk_end(&t);
	talk_start(&t, MCP_2025_11_25, false);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"Unsupported\"}}");
	CHECK_LOG(&t, "failed error the server refuses initialize: Unsupported (-32602)\n");
	talk_end(&t);
}

/* A named one, or the next; each once. */
static void a_refused_revision_is_followed_by_an_older_one(void)
{
	struct talk t;

	talk_start(&t, MCP_REVISION_COUNT, false);
	mcp_client_skip_discovery(t.client);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"Unsupported\"}}");
	CHECK_LOG(&t, INITIALIZE(3, "2025-06-18"));
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"error\":{\"code\":-32602,\"message\":\"Unsupported\",\"data\":{\"supported\":[\"2024-11-05\"]}}}");
	CHECK_LOG(&t, INITIALIZE(4, "2024-11-05"));
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"error\":{\"code\":-32602,\"message\":\"Unsupported\",\"data\":{\"supported\":[\"2024-11-05\"]}}}");
	CHECK_LOG(&t, "failed error the server refuses initialize: Unsupported (-32602)\n");
	talk_end(&t);
	/* Another error is about something else. */
	talk_start(&t, MCP_REVISION_COUNT, false);
	mcp_client_skip_discovery(t.client);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32603,\"message\":\"broken\"}}");
	CHECK_LOG(&t, "failed error the server refuses initialize: broken (-32603)\n");
	talk_end(&t);
}

/* A server that was slow to start: what it says of itself counts before it has seen initialize. */
static void a_late_discovery_counts(void)
{
	struct talk t;

	talk_start(&t, MCP_REVISION_COUNT, false);
	mcp_client_skip_discovery(t.client);
	CHECK_LOG(&t, DISCOVER INITIALIZE(2, "2025-11-25") "dropped 1\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}}");
	CHECK_LOG(&t, "ready 2026-07-28\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
	CHECK_LOG(&t, "");
	talk_end(&t);
	/* An error is what an older one says. */
	talk_start(&t, MCP_REVISION_COUNT, false);
	mcp_client_skip_discovery(t.client);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32601,\"message\":\"Method not found\"}}");
	CHECK_LOG(&t, "");
	talk_end(&t);
}

/* --- questions --- */

/* With an older server that has been asked nothing yet: the next id is 2. */
static void talk_old(struct talk *t, bool elicits)
{
	talk_start(t, MCP_2025_11_25, elicits);
	TAKE(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}}}}");
	buf_clear(&t->log);
}

static void talk_modern(struct talk *t, bool elicits)
{
	talk_start(t, MCP_REVISION_COUNT, elicits);
	TAKE(t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{\"tools\":{}}}}");
	buf_clear(&t->log);
}

static int64_t ask(struct talk *t, const char *method, const char *params)
{
	return mcp_client_ask(t->client, &(struct mcp_question){ .method = method, .params = str_from(params), .progress = true });
}

static void answers_are_matched(void)
{
	struct talk t;

	talk_old(&t, false);
	CU_ASSERT_EQUAL(ask(&t, "tools/call", "{\"name\":\"a\"}"), 2);
	CU_ASSERT_EQUAL(ask(&t, "ping", NULL), 3);
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"_meta\":{\"progressToken\":2}}}\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"ping\",\"params\":{\"_meta\":{\"progressToken\":3}}}\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32602,\"message\":\"no such tool\"}}");
	CHECK_LOG(&t, "answer 3 complete {}\nanswer 2 error -32602 no such tool\n");
	talk_end(&t);
}

static void what_was_not_asked_is_told_once_and_dropped(void)
{
	struct talk t;

	talk_old(&t, false);
	ask(&t, "ping", NULL);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	for (int i = 0; i < 3; i++)
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	CHECK_LOG(&t, "answer 2 complete {}\nnotice the server answered request 2 a second time; that is ignored\n");
	for (int i = 0; i < 3; i++) {
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":77,\"result\":{}}");
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"2\",\"result\":{}}");
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":1,\"message\":\"\"}}");
	}
	CHECK_LOG(&t, "notice the server answered what was not asked, request 77; that is ignored\n");
	talk_end(&t);
}

static void what_is_no_message_is_told_and_ignored(void)
{
	static const char *const wrong[] = { "{\"jsonrpc\":\"1.0\",\"id\":2,\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":2}", "[]", "3",
		"{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":3}", "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{},\"error\":{\"code\":1}}",
		"{\"jsonrpc\":\"2.0\",\"id\":{},\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"message\":\"\"}}",
		"{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[]}", "{\"jsonrpc\":\"2.0\",\"result\":{}}", "{\"jsonrpc\":\"2.0\",\"method\":\"\"}" };
	struct talk t;

	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		talk_old(&t, false);
		ask(&t, "ping", NULL);
		buf_clear(&t.log);
		mcp_client_take(t.client, str_from(wrong[i]), 0);
		CHECK(str_starts(buf_str(&t.log), "notice what the server sent is no message of JSON-RPC: "), "%s: %s", wrong[i], buf_z(&t.log));
		buf_clear(&t.log);
		/* In the response to a request it is that one's answer. */
		mcp_client_take(t.client, str_from(wrong[i]), 2);
		CHECK(str_starts(buf_str(&t.log), "answer 2 violation what the server sent is no message of JSON-RPC: "), "%s: %s", wrong[i], buf_z(&t.log));
		talk_end(&t);
	}
	talk_old(&t, false);
	TAKE(&t, "Listening on stdin ...");
	TAKE(&t, "more of that");
	CHECK_LOG(&t, "notice what the server sent is no JSON: \"Listening on stdin ...\"; it is ignored\n");
	talk_end(&t);
}

/* The one revision with batches. */
/* Its request need not wait until its time is over. */
static void an_answer_that_is_nested_too_deeply_ends_its_request(void)
{
	struct buf text = { 0 };
	struct talk t;

	for (int is_request = 1; is_request >= 0; is_request--) {
		buf_clear(&text);
		buf_printf(&text, "{\"jsonrpc\":\"2.0\",%s\"params\":", is_request ? "\"method\":\"x\"," : "");
		for (int i = 0; i < 300; i++)
			buf_add_byte(&text, '[');
		for (int i = 0; i < 300; i++)
			buf_add_byte(&text, ']');
		buf_add_z(&text, ",\"id\":2}");
		talk_old(&t, false);
		ask(&t, "ping", NULL);
		buf_clear(&t.log);
		mcp_client_take(t.client, buf_str(&text), 0);
		CHECK_LOG(&t, is_request ? "notice what the server sent is too large, or nested too deeply; it is ignored\n"
		                         : "answer 2 violation what the server sent is too large, or nested too deeply\n");
		talk_end(&t);
	}
	buf_fini(&text);
}

static void a_batch_is_taken_where_there_are_batches(void)
{
	struct talk t;

	talk_start(&t, MCP_2025_03_26, false);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"protocolVersion\":\"2025-03-26\",\"capabilities\":{}}}");
	ask(&t, "ping", NULL);
	ask(&t, "ping", NULL);
	buf_clear(&t.log);
	TAKE(&t, "[{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]");
	CHECK_LOG(&t, "answer 3 complete {}\nanswer 2 complete {}\n");
	talk_end(&t);
}

static void a_list_is_fetched_page_by_page(void)
{
	struct talk t;

	talk_old(&t, false);
	ask(&t, "tools/list", NULL);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"p2\"}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[]}}");
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\",\"params\":{\"_meta\":{\"progressToken\":2}}}\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/list\",\"params\":{\"cursor\":\"p2\",\"_meta\":{\"progressToken\":3}}}\n"
	              "answer 2 page {\"tools\":[{\"name\":\"a\"}],\"nextCursor\":\"p2\"}\nanswer 2 complete {\"tools\":[]}\n");
	ask(&t, "tools/list", NULL);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}");
	CHECK_LOG(&t, "answer 4 violation the answer to tools/list has no list \"tools\"\n");
	talk_end(&t);
}

static void a_list_without_an_end_has_one(void)
{
	struct talk t;
	char text[200];

	talk_old(&t, false);
	ask(&t, "tools/list", NULL);
	for (int id = 2; id < 2000; id++) {
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"tools\":[],\"nextCursor\":\"p%d\"}}", id, id);
		mcp_client_take(t.client, str_from(text), 0);
	}
	CHECK(str_find(buf_str(&t.log), STR("notice tools/list: the list has more than 1000 pages; these are the first\nanswer 2 complete ")) < t.log.len,
	      "%zu", t.log.len);
	CU_ASSERT_EQUAL(str_find(buf_str(&t.log), STR("\"id\":1003")), t.log.len);
	talk_end(&t);
	talk_old(&t, false);
	ask(&t, "tools/list", NULL);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"tools\":[],\"nextCursor\":\"p\"}}");
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"tools\":[],\"nextCursor\":\"p\"}}");
	CHECK(str_starts(buf_str(&t.log), "notice tools/list: the server names the page that it has just given as the next one"), "%s", buf_z(&t.log));
	talk_end(&t);
}

static void progress_and_notifications(void)
{
	struct talk t;

	talk_old(&t, false);
	ask(&t, "tools/call", NULL);
	buf_clear(&t.log);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":2,\"progress\":1.5,\"total\":4,\"message\":\"on\"}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":2,\"progress\":2}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":9,\"progress\":2}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{\"progressToken\":2}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/prompts/list_changed\",\"params\":{}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/message\",\"params\":{\"level\":\"info\",\"data\":[1]}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/unheard\"}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"unheard\"}");
	CHECK_LOG(&t, "progress 2 1.5/4 on\nprogress 2 2/-1 \nchanged tools\nchanged prompts\n");
	talk_end(&t);
}

static void what_is_cancelled_is_not_answered(void)
{
	struct talk t;

	talk_old(&t, false);
	ask(&t, "tools/call", NULL);
	buf_clear(&t.log);
	mcp_client_cancel(t.client, 2, STR("timeout"));
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2,\"reason\":\"timeout\"}}\ndropped 2\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}");
	mcp_client_cancel(t.client, 2, STR("again"));
	CHECK_LOG(&t, "");
	CU_ASSERT(!mcp_client_waits_for(t.client, 2));
	talk_end(&t);
}

static void too_many_questions_are_refused(void)
{
	struct talk t;
	unsigned asked = 0;

	talk_old(&t, false);
	while (asked < 1000 && ask(&t, "ping", NULL))
		asked++;
	CU_ASSERT_EQUAL(asked, MCP_QUESTIONS_MOST);
	buf_clear(&t.log);
	mcp_client_end_all(t.client, MCP_CUT, STR("gone"));
	CU_ASSERT(str_starts(buf_str(&t.log), "answer 2 cut gone\nanswer "));
	CU_ASSERT(ask(&t, "ping", NULL) != 0);
	talk_end(&t);
}

static void a_forgotten_session_is_begun_anew(void)
{
	struct talk t;

	talk_old(&t, false);
	ask(&t, "tools/call", "{\"name\":\"a\"}");
	buf_clear(&t.log);
	mcp_client_begin_anew(t.client);
	CHECK_LOG(&t, INITIALIZE(3, "2025-11-25"));
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":3,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}");
	CHECK_LOG(&t, INITIALIZED "ready 2025-11-25\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"_meta\":{\"progressToken\":4}}}\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":4,\"result\":{}}");
	CHECK_LOG(&t, "answer 2 complete {}\n");
	talk_end(&t);
}

/* --- what a server asks of us --- */

static void requests_of_a_server_are_answered(void)
{
	struct talk t;

	talk_old(&t, false);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":\"p\\\"1\",\"method\":\"ping\"}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"sampling/createMessage\",\"params\":{}}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":8,\"method\":\"roots/list\"}");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"elicitation/create\",\"params\":{}}");
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":\"p\\\"1\",\"result\":{}}\n"
	              "notice the server asked for \"sampling/createMessage\", which weir does not offer; that was refused\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":7,\"error\":{\"code\":-32601,\"message\":\"this client does not offer it\"}}\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{\"code\":-32601,\"message\":\"this client does not offer it\"}}\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":9,\"error\":{\"code\":-32601,\"message\":\"this client does not offer it\"}}\n");
	talk_end(&t);
	/* "Clients must not write responses." */
	talk_modern(&t, false);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"ping\"}");
	CHECK_LOG(&t, "notice the server sent a request, \"ping\", which revision 2026-07-28 does not have; it is ignored\n");
	talk_end(&t);
}

static void a_form_is_replied_to_later_or_at_once(void)
{
	struct talk t;

	talk_old(&t, true);
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"elicitation/create\",\"params\":{}}");
	CHECK_LOG(&t, "want elicitation/create of 0\n");
	mcp_client_reply(t.client, t.wanted, STR("{\"action\":\"cancel\"}"));
	mcp_client_reply(t.client, t.wanted, STR("{\"action\":\"accept\"}"));
	mcp_client_reply(t.client, 0, STR("{}"));
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{\"action\":\"cancel\"}}\n");
	t.replies = true;
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":10,\"method\":\"elicitation/create\",\"params\":{}}");
	CHECK_LOG(&t, "want elicitation/create of 0\n> {\"jsonrpc\":\"2.0\",\"id\":10,\"result\":{\"action\":\"decline\"}}\n");
	t.replies = false;
	for (int i = 0; i < 40; i++)
		TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":11,\"method\":\"elicitation/create\",\"params\":{}}");
	CHECK(str_find(buf_str(&t.log), STR("too many requests wait for an answer")) < t.log.len, "%s", buf_z(&t.log));
	talk_end(&t);
}

#define ELICITS(id, more) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"elicitation/create\",\"params\":{" more "}}"

/* The question that it belongs to is that of the response it came in, or the only one. When that is over, the server gets an answer all the same. */
static void a_form_belongs_to_a_question(void)
{
	struct talk t;

	talk_old(&t, true);
	int64_t first = ask(&t, "tools/call", "{\"name\":\"a\"}"), second;
	buf_clear(&t.log);
	TAKE(&t, ELICITS("\"x\"", ""));
	CHECK_LOG(&t, "want elicitation/create of 2\n");
	CU_ASSERT_TRUE(mcp_client_is_asked(t.client));
	mcp_client_cancel(t.client, first, STR("w"));
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{\"action\":\"cancel\"}}\nunwanted it\n"
	              "> {\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2,\"reason\":\"w\"}}\ndropped 2\n");
	CU_ASSERT_FALSE(mcp_client_is_asked(t.client));
	first = ask(&t, "tools/call", "{\"name\":\"a\"}");
	second = ask(&t, "tools/call", "{\"name\":\"b\"}");
	buf_clear(&t.log);
	TAKE(&t, ELICITS("1", ""));
	CHECK_LOG(&t, "want elicitation/create of 0\n");
	mcp_client_take(t.client, STR(ELICITS("2", "")), second);
	CHECK_LOG(&t, "want elicitation/create of 4\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":2}}");
	CHECK_LOG(&t, "unwanted it\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":3}}");
	CHECK_LOG(&t, "");
	CU_ASSERT_TRUE(mcp_client_is_asked(t.client));
	talk_end(&t);
	(void)first;
}

static void a_mode_that_is_not_offered_is_refused(void)
{
	struct talk t;

	talk_old(&t, true);
	TAKE(&t, ELICITS("1", "\"mode\":\"url\""));
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32602,\"message\":\"this client does not offer that mode\"}}\n");
	TAKE(&t, ELICITS("1", "\"mode\":\"form\""));
	CHECK_LOG(&t, "want elicitation/create of 0\n");
	talk_end(&t);
}

#define ASKS(id, more) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"result\":{\"resultType\":\"input_required\"" more "}}"
#define FORM "{\"method\":\"elicitation/create\",\"params\":{}}"
#define META_FORM "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientInfo\":" \
	"{\"name\":\"weir\",\"version\":\"1\"},\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{}}},\"progressToken\":"

static void a_question_is_asked_again_with_its_inputs(void)
{
	struct talk t;

	talk_modern(&t, true);
	ask(&t, "tools/call", "{\"name\":\"a\"}");
	buf_clear(&t.log);
	t.replies = true;
	TAKE(&t, ASKS(2, ",\"inputRequests\":{\"x\":" FORM ",\"y\":" FORM "},\"requestState\":\"s 1\""));
	CHECK_LOG(&t, "want elicitation/create of 2\nwant elicitation/create of 2\n"
	              "> {\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"inputResponses\":{\"x\":{\"action\":\"decline\"},"
	              "\"y\":{\"action\":\"decline\"}},\"requestState\":\"s 1\"," META_FORM "3}}}\n");
	/* Neither goes with any other request, nor with the next round. */
	TAKE(&t, ASKS(3, ",\"requestState\":\"s 2\""));
	CHECK_LOG(&t, "> {\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"tools/call\",\"params\":{\"name\":\"a\",\"requestState\":\"s 2\"," META_FORM "4}}}\n");
	TAKE(&t, ASKS(4, ",\"inputRequests\":{\"z\":" FORM "}"));
	CHECK_LOG(&t, "want elicitation/create of 2\n> {\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\",\"params\":{\"name\":\"a\","
	              "\"inputResponses\":{\"z\":{\"action\":\"decline\"}}," META_FORM "5}}}\n");
	TAKE(&t, "{\"jsonrpc\":\"2.0\",\"id\":5,\"result\":{\"resultType\":\"complete\",\"content\":[]}}");
	CHECK_LOG(&t, "answer 2 complete {\"resultType\":\"complete\",\"content\":[]}\n");
	talk_end(&t);
}

static void inputs_that_cannot_be_given_end_a_question(void)
{
	static const struct { const char *asks, *words; } cases[] = {
		{ ASKS(2, ",\"inputRequests\":{\"x\":{\"method\":\"sampling/createMessage\"}}"),
		  "answer 2 violation to answer tools/call, the server asks for \"sampling/createMessage\", which weir does not offer\n" },
		{ ASKS(2, ""), "answer 2 violation the answer to tools/call says that input is required, but not which\n" },
		{ "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"task\"}}",
		  "answer 2 violation the answer to tools/call is of a type that is not known: \"task\"\n" },
	};
	struct talk t;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		talk_modern(&t, true);
		ask(&t, "tools/call", NULL);
		buf_clear(&t.log);
		mcp_client_take(t.client, str_from(cases[i].asks), 0);
		CHECK_LOG(&t, cases[i].words);
		talk_end(&t);
	}
	/* Without an end. */
	talk_modern(&t, true);
	ask(&t, "tools/call", NULL);
	for (int id = 2; id < 100; id++) {
		char text[200];

		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"result\":{\"resultType\":\"input_required\",\"requestState\":\"%d\"}}", id, id);
		mcp_client_take(t.client, str_from(text), 0);
	}
	CHECK(str_find(buf_str(&t.log), STR("answer 2 violation the server asked for more input 16 times without an answer to tools/call\n")) < t.log.len, "%s",
	      buf_z(&t.log));
	talk_end(&t);
	/* More than are kept. */
	talk_modern(&t, true);
	ask(&t, "tools/call", NULL);
	buf_clear(&t.log);
	struct buf text = { 0 };
	buf_add_z(&text, "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{\"resultType\":\"input_required\",\"inputRequests\":{");
	for (int i = 0; i < 50; i++)
		buf_printf(&text, "%s\"k%d\":" FORM, i ? "," : "", i);
	buf_add_z(&text, "}}}");
	mcp_client_take(t.client, buf_str(&text), 0);
	CHECK(str_find(buf_str(&t.log), STR("answer 2 violation the server asks for more than 16 inputs at once\n")) < t.log.len, "%s", buf_z(&t.log));
	mcp_client_reply(t.client, t.wanted, STR("{}"));
	buf_fini(&text);
	talk_end(&t);
}

const struct suite suite_mcp_client = { "mcp_client", (const struct test[]){
	TEST(a_modern_server_is_discovered), TEST(any_other_error_means_an_older_server), TEST(a_named_revision_is_taken),
	TEST(no_common_revision_is_a_sentence), TEST(a_refused_revision_is_followed_by_an_older_one), TEST(a_late_discovery_counts), TEST(answers_are_matched),
	TEST(what_was_not_asked_is_told_once_and_dropped), TEST(what_is_no_message_is_told_and_ignored), TEST(an_answer_that_is_nested_too_deeply_ends_its_request),
	TEST(a_batch_is_taken_where_there_are_batches),
	TEST(a_list_is_fetched_page_by_page), TEST(a_list_without_an_end_has_one), TEST(progress_and_notifications),
	TEST(what_is_cancelled_is_not_answered), TEST(too_many_questions_are_refused), TEST(a_forgotten_session_is_begun_anew),
	TEST(requests_of_a_server_are_answered), TEST(a_form_is_replied_to_later_or_at_once), TEST(a_form_belongs_to_a_question),
	TEST(a_mode_that_is_not_offered_is_refused), TEST(a_question_is_asked_again_with_its_inputs),
	TEST(inputs_that_cannot_be_given_end_a_question), { 0 } } };
