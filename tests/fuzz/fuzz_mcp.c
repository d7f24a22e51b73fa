/*
 * Any bytes as what an MCP server writes. Rules: what is sent is JSON in one line, each question is answered once and only if it was asked, all are
 * answered when the connection ends, no id is used twice, a pass of the reader remembers nothing, headers have no line break.
 *
 * input: revision and whether forms are taken; seed of the reads; lines of the server, of which some are given as responses to a request
 */
#include "base/json_scan.h"
#include "base/utf8.h"
#include "fuzz.h"
#include "wire/mcp/client.h"
#include "wire/mcp/content.h"
#include "wire/mcp/rpc_lines.h"

#define TICKETS 256

struct talk {
	struct mcp_client *client;
	int64_t last_id;
	bool open[TICKETS];
	unsigned asked, sent;
	bool replies, failed;
};

static void on_send(void *ctx, const struct mcp_outgoing *m)
{
	struct talk *t = ctx;

	t->sent++;
	FUZZ_CHECK(json_scan_is_whole(m->text) && utf8_is_valid(m->text), "what is sent is JSON");
	FUZZ_CHECK(!memchr(m->text.ptr, '\n', m->text.len), "it is one line");
	FUZZ_CHECK(!m->id || m->id > t->last_id, "ids grow");
	t->last_id = m->id ? m->id : t->last_id;
}

static void ask(struct talk *t, const char *method)
{
	int64_t ticket = t->asked++ < 20 ? mcp_client_ask(t->client, &(struct mcp_question){ .method = method, .params = STR("{\"a\":1}"), .progress = true }) : 0;

	if (ticket > 0 && ticket < TICKETS)
		t->open[ticket] = true;
}

static void on_ready(void *ctx)
{
	ask(ctx, "tools/list");
	ask(ctx, "tools/call");
	ask(ctx, "resources/read");
}

static void on_failed(void *ctx, enum mcp_ending ending, struct str words)
{
	struct talk *t = ctx;

	FUZZ_CHECK(!t->failed && words.len && ending >= MCP_ERROR, "a session fails once, with a sentence");
	t->failed = true;
}

static void read_schema(const struct json *schema, const struct json *arguments)
{
	struct error err = { "" };
	struct buf lines = { 0 };
	struct str rest, line;

	if (mcp_tool_headers_check(schema, &err)) {
		mcp_tool_headers_write(schema, arguments, &lines);
		rest = buf_str(&lines);
		while (str_split(&rest, '\n', &line))
			for (size_t i = 0; i < line.len; i++)
				FUZZ_CHECK((unsigned char)line.ptr[i] >= 0x20 && (unsigned char)line.ptr[i] < 0x7F, "a header is plain");
		FUZZ_CHECK(!lines.len || str_starts(buf_str(&lines), "Mcp-Param-"), "and begins with its name");
	} else {
		FUZZ_CHECK(*err.text, "a refusal has a sentence");
	}
	buf_fini(&lines);
}

static void read_items(const struct json *list)
{
	for (size_t i = 0; i < json_length(list); i++) {
		struct mcp_content content;
		struct mcp_item item;

		(void)!mcp_content_read(json_at(list, i), &content);
		(void)!mcp_contents_read(json_at(list, i), &content);
		(void)!mcp_item_read(json_at(list, i), &item);
		read_schema(item.input, json_at(list, i));
	}
}

static void on_answer(void *ctx, int64_t ticket, const struct mcp_answer *answer)
{
	struct talk *t = ctx;
	struct json_member member = { 0 };

	FUZZ_CHECK(ticket > 0 && (ticket >= TICKETS || t->open[ticket]), "an answer is to what was asked");
	FUZZ_CHECK((answer->ending <= MCP_COMPLETE) == (json_kind(answer->result) == JSON_OBJECT), "a result is an object");
	if (ticket < TICKETS && answer->ending != MCP_PAGE)
		t->open[ticket] = false;
	while (json_next(answer->result, &member))
		read_items(member.value);
	if (answer->ending == MCP_COMPLETE)
		ask(t, "prompts/get");
}

static void on_dropped(void *ctx, int64_t id) { (void)ctx, (void)id; }

static void on_progress(void *ctx, int64_t ticket, const struct mcp_progress *p)
{
	struct talk *t = ctx;

	(void)p;
	FUZZ_CHECK(ticket >= TICKETS || t->open[ticket], "progress is of what is under way");
	if (t->asked > 10)
		mcp_client_cancel(t->client, ticket, STR("enough"));
	if (t->asked > 10 && ticket < TICKETS)
		t->open[ticket] = false;
}

static void on_changed(void *ctx, enum mcp_list list) { (void)ctx, (void)list; }
static void on_notice(void *ctx, struct str words) { (void)ctx; FUZZ_CHECK(words.len, "a notice is a sentence"); }

static void on_want(void *ctx, const struct mcp_want *want)
{
	struct talk *t = ctx;

	t->replies = !t->replies; /* every other one is answered at once, the others never */
	if (t->replies)
		mcp_client_reply(t->client, want->number, STR("{\"action\":\"decline\"}"));
}

static void on_line(void *ctx, struct str line)
{
	struct talk *t = ctx;
	bool about = str_starts(line, "\001");

	if (str_starts(line, "\002"))
		mcp_client_skip_discovery(t->client);
	else if (str_starts(line, "\003") && t->sent < 100)
		mcp_client_begin_anew(t->client);
	else if (!t->failed)
		mcp_client_take(t->client, str_skip(line, about), about ? t->last_id : 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_input in = { str_of((const char *)data, size) };
	unsigned how = fuzz_byte(&in), seed = fuzz_byte(&in);
	struct talk t = { 0 };
	struct rpc_lines lines = { 0 };
	struct mcp_client_options options = { .version = "1", .tells_cancelled = how & 0x40,
	                                      .revision = how % 8 < MCP_REVISION_COUNT ? (enum mcp_revision)(how % 8) : MCP_REVISION_COUNT };

	t.client = mcp_client_new(&options, &(struct mcp_client_sink){
		.ctx = &t, .send = on_send, .ready = on_ready, .failed = on_failed, .answer = on_answer, .dropped = on_dropped, .progress = on_progress,
		.changed = on_changed, .want = how & 0x80 ? on_want : NULL, .notice = on_notice,
	});
	mcp_client_start(t.client);
	while (in.rest.len)
		FUZZ_CHECK(rpc_lines_take(&lines, fuzz_bytes(&in, fuzz_cut(&seed)), on_line, &t), "no line is too long");
	t.asked = 1000;
	if (!t.failed)
		mcp_client_end_all(t.client, MCP_CUT, STR("gone"));
	for (size_t i = 0; i < TICKETS && !t.failed; i++)
		FUZZ_CHECK(!t.open[i], "all are answered at the end");
	mcp_client_free(t.client);
	rpc_lines_fini(&lines);
	return 0;
}
