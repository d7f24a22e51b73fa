/* What MCP servers ask the user for during a call, and whose messages are whose. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/mcp_life.h"
#include "app/program.h"
#include "app/session/session_inside.h"
#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "support/clock.h"

#define WHO "elicit '{\"message\":\"Who?\",\"requestedSchema\":{\"properties\":{\"n\":{\"type\":\"string\"}}}}'"

/* A call that is approved. */
static void begin_call(struct life *l, const char *does, const char *more, bool asks)
{
	mcp_life_begin(l, does, more);
	mcp_hub_take_asks(l->setup.servers, asks);
	life_answer_with(l, CALL("fake__first", "{}"));
	life_answer_with(l, ANSWER("so be it"));
	life_answer_with(l, ANSWER("again"));
	life_send(l, "go");
	CU_ASSERT_PTR_NOT_NULL_FATAL(session_asking(l->session));
	session_approve(l->session, session_asking(l->session)->shown);
}

static const struct mcp_ask *await_ask(struct life *l)
{
	while (!mcp_hub_ask(l->setup.servers, 0) && session_runs_tools(l->session))
		loop_turn(l->setup.loop);
	return mcp_hub_ask(l->setup.servers, 0);
}

/* Without a person nothing is filled in, and the next request says so. */
static void nobody_is_there_to_be_asked(void)
{
	struct life l;

	begin_call(&l, WHO, "", false);
	mcp_life_settle(&l);
	CU_ASSERT_TRUE(life_asked(&l, "{\\\"action\\\":\\\"decline\\\"}"));
	CHECK_STR(str_from(life_note(conversation_last(session_conversation(l.session)), "weir")),
	          "The MCP server fake asked for input, which was declined: nobody is there to answer.");
	life_end(&l);
}

static void what_was_declined_is_not_told_in_another_conversation(void)
{
	struct life l;

	begin_call(&l, WHO, "", false);
	while (session_runs(l.session)->items[0].state != TOOL_CALL_DONE)
		loop_turn(l.setup.loop);
	session_forget(l.session);
	life_send(&l, "anew");
	CHECK_STR(str_from(life_note(conversation_last(session_conversation(l.session)), "weir")), "");
	life_end(&l);
}

/* The time of a call stands still while its server waits for the user; before and after it counts. */
static void the_time_of_the_user_is_not_that_of_the_call(void)
{
	static const char *const eras[] = { "", "modern " };

	for (size_t i = 0; i < 2; i++) {
		const struct mcp_ask *ask;
		struct life l;
		char does[300];

		snprintf(does, sizeof does, "%s" WHO, eras[i]);
		begin_call(&l, does, "timeout = 5\n", true);
		ask = await_ask(&l);
		CU_ASSERT_PTR_NOT_NULL_FATAL(ask);
		CHECK_STR(str_from(ask->tool), "first");
		for (int turns = 0; turns < 4; turns++) {
			clock_turn(20000);
			mcp_hub_want(l.setup.servers, 0, false); /* it runs at once */
			loop_turn(l.setup.loop);
		}
		CU_ASSERT_TRUE(session_runs_tools(l.session));
		mcp_hub_reply(l.setup.servers, mcp_hub_ask(l.setup.servers, 0)->id, STR("{\"action\":\"accept\",\"content\":{\"n\":\"me\"}}"));
		mcp_life_settle(&l);
		CHECK(life_asked(&l, "{\\\"n\\\":\\\"me\\\"}"), "%s", buf_z(&l.bodies) + l.body_at);
		life_end(&l);
	}
}

/* The tape has the messages, but not what was filled in: it may be a secret. */
static void what_is_filled_in_is_not_on_the_tape(void)
{
	static const char *const eras[] = { "", "modern " };

	for (size_t i = 0; i < 2; i++) {
		char does[300], path[300];
		struct buf tape = { 0 };
		struct error err;
		struct life l;

		snprintf(does, sizeof does, "%s" WHO, eras[i]);
		mcp_life_begin(&l, does, "");
		snprintf(path, sizeof path, "%s/t.tape", folder_path());
		l.options.tape = path;
		mcp_hub_take_asks(l.setup.servers, true);
		life_answer_with(&l, CALL("fake__first", "{}"));
		life_answer_with(&l, ANSWER("so be it"));
		life_send(&l, "go");
		CU_ASSERT_PTR_NOT_NULL_FATAL(session_asking(l.session));
		session_approve(l.session, session_asking(l.session)->shown);
		CU_ASSERT_PTR_NOT_NULL_FATAL(await_ask(&l));
		mcp_hub_reply(l.setup.servers, mcp_hub_ask(l.setup.servers, 0)->id, STR("{\"action\":\"accept\",\"content\":{\"n\":\"geheim\"}}"));
		mcp_life_settle(&l);
		CU_ASSERT_TRUE(life_asked(&l, "geheim")); /* the server got it, and has repeated it in its result */
		CHECK(buf_read_file(&tape, path, &err), "%s", err.text);
		CHECK(strstr(buf_z(&tape), "\\\"left out\\\"") && strstr(buf_z(&tape), "elicitation/create"), "%s", buf_z(&tape));
		for (struct str rest = buf_str(&tape), line; str_split(&rest, '\n', &line);)
			CHECK(str_find(line, STR("\"out\":")) == line.len || str_find(line, STR("geheim")) == line.len, "%.*s", STR_ARG(line));
		buf_fini(&tape);
		life_end(&l);
	}
}

/* However often it asks, the user is asked MCP_ASKS_MOST times, and told once. */
static void a_server_that_asks_without_end_is_bounded(void)
{
	unsigned asked = 0;
	struct life l;

	begin_call(&l, "times 1000 " WHO, "", true);
	for (const struct mcp_ask *ask; (ask = await_ask(&l)); asked++)
		mcp_hub_reply(l.setup.servers, ask->id, STR("{\"action\":\"cancel\"}"));
	session_drain(l.session);
	mcp_life_settle(&l);
	CU_ASSERT_EQUAL(asked, MCP_ASKS_MOST);
	CHECK_STR(str_from(life_note(conversation_last(session_conversation(l.session)), "weir")),
	          "The MCP server fake asked for input, which was declined: it has asked 16 times already.");
	CU_ASSERT_TRUE(life_asked(&l, "{\\\"action\\\":\\\"decline\\\"}"));
	life_end(&l);
}

/* A call that is stopped takes its questions with it. */
static void a_call_that_is_stopped_asks_no_more(void)
{
	static const char *const does[] = { WHO, "first elicit '{\"mode\":\"url\",\"url\":\"https://a.example/\",\"elicitationId\":\"1\"}'" };

	for (size_t i = 0; i < 2; i++) {
		struct life l;

		begin_call(&l, does[i], "", true);
		const struct mcp_ask *ask = await_ask(&l);
		CU_ASSERT_PTR_NOT_NULL_FATAL(ask);
		uint64_t id = ask->id;
		session_stop(l.session);
		CU_ASSERT_PTR_NULL(mcp_hub_ask(l.setup.servers, 0));
		mcp_hub_reply(l.setup.servers, id, STR("{\"action\":\"accept\"}"));
		mcp_life_settle(&l);
		life_end(&l);
	}
}

/* --- whose messages are whose --- */

struct watched { const struct mcp_call *calls; unsigned sent[2], came[2], others; struct buf words; };

static void watch_message(void *ctx, const char *server, const struct mcp_call *call, bool sent, struct str text)
{
	struct watched *w = ctx;

	CHECK_STR(str_from(server), "fake");
	if (call != &w->calls[0] && call != &w->calls[1])
		w->others++;
	else if (sent)
		w->sent[call - w->calls]++;
	else
		w->came[call - w->calls]++;
	buf_printf(&w->words, "%.*s\n", STR_ARG(text));
}

static void watch_ended(void *ctx, const struct mcp_answer *answer)
{
	(void)answer;
	++*(unsigned *)ctx;
}

/* As the tapes of a comparison see them: two calls are under way. A server that asks over its pipe does not say for which. */
static void messages_are_told_with_their_call(void)
{
	static const struct { const char *does; unsigned sent, came, others; bool is_cancelled; } rows[] = {
		{ "", 1, 1, 0, false }, { "modern", 1, 1, 0, false }, { WHO, 1, 1, 4, false }, { "modern " WHO, 2, 2, 0, false }, { "half", 2, 0, 0, true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct mcp_call calls[2] = { { 0 }, { 0 } };
		struct watched w = { .calls = calls };
		struct mcp_watch watch = { .ctx = &w, .message = watch_message };
		unsigned ended = 0;
		const struct mcp_call_sink sink = { .ctx = &ended, .ended = watch_ended };
		struct error err;
		struct life l;

		mcp_life_begin(&l, rows[i].does, "");
		life_answer_with(&l, ANSWER("so"));
		life_send(&l, "go"); /* the tools are known */
		struct mcp_hub_server server = mcp_hub_at(l.setup.servers, 0);
		CU_ASSERT_FATAL(server.count > 0);
		mcp_watch_begin(&watch, l.setup.servers);
		for (size_t k = 0; k < 2; k++)
			CU_ASSERT(mcp_call_start(&calls[k], l.setup.servers, "fake", server.tools[0].name, server.tools[0].digest, "{}", &sink, &err));
		while (rows[i].is_cancelled ? w.came[0] + w.came[1] == 0 : ended < 2)
			loop_turn(l.setup.loop);
		for (size_t k = 0; k < 2 && rows[i].is_cancelled; k++)
			mcp_call_cancel(&calls[k], STR("enough"));
		for (size_t k = 0; k < 2; k++)
			CHECK(w.sent[k] == rows[i].sent && (rows[i].is_cancelled || w.came[k] == rows[i].came), "%s: call %zu: %u sent, %u came\n%s", rows[i].does,
			      k, w.sent[k], w.came[k], buf_z(&w.words));
		CHECK(w.others == rows[i].others, "%s: %u others\n%s", rows[i].does, w.others, buf_z(&w.words));
		mcp_watch_end(&watch);
		buf_fini(&w.words);
		life_end(&l);
	}
}

const struct suite suite_mcp_asks = { "mcp_asks", (const struct test[]){
	TEST(nobody_is_there_to_be_asked), TEST(what_was_declined_is_not_told_in_another_conversation), TEST(what_is_filled_in_is_not_on_the_tape),
	TEST(the_time_of_the_user_is_not_that_of_the_call), TEST(a_server_that_asks_without_end_is_bounded), TEST(a_call_that_is_stopped_asks_no_more),
	TEST(messages_are_told_with_their_call), { 0 } } };
