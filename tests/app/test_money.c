/* Money and context from the first turn on: prices and windows of weir.conf and of the model cache, costs that a provider reports. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "lines.h"
#include "program.h"
#include "stage.h"
#include "stored.h"
#include "support/check.h"

#define PRICES "[price m-*]\ninput = 1000\noutput = 2000\ncontext = 1000\n" /* a cent for ten tokens in, two for ten out */

static void the_first_turn_has_its_price_and_its_share_of_the_window(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = PRICES });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ""));
	PTY_SEES(s.pty, "~$0.14");
	PTY_SEES(s.pty, "ctx 12 %");
	pty_send(s.pty, "/cost\r");
	PTY_SEES(s.pty, "computed from the prices of weir.conf");
	PTY_SEES(s.pty, "1,000 tokens, from weir.conf");
	PTY_SEES(s.pty, "120 tokens, 12.0 %");
	pty_send(s.pty, "\x1B");
	PTY_LOSES(s.pty, "Esc back");
	stage_turn_counted(&s, "again", "And a night.", HAND_USAGE(200, 20, ",\"cost\":0.25"));
	PTY_SEES(s.pty, "$0.25");
	PTY_SEES(s.pty, "~$0.39");
	PTY_SEES(s.pty, "ctx 22 %");
	stage_close(&s);
}

static void a_known_model_needs_no_price(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "auth = bearer\nkey_env = HAND_KEY\n", .environment = LIST("HAND_KEY=k-12345678") });
	pty_send(s.pty, "/model openai/gpt-5.4\r");
	PTY_SEES(s.pty, "gpt-5.4 \xC2\xB7 hand");
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100000, 20000, "")); /* 100,000 x 2.5 + 20,000 x 15 */
	PTY_SEES(s.pty, "~$0.55");
	PTY_SEES(s.pty, "ctx ~11 %");
	pty_send(s.pty, "/cost\r");
	PTY_SEES(s.pty, "computed from the prices of the model's maker");
	PTY_SEES(s.pty, "~1,050,000 tokens, from the model's maker");
	stage_drop(&s);
}

/* Both the user's word and the list's, also if it is about the name that was asked. */
static void what_is_known_of_a_model_counts_last(void)
{
	struct stage s;
	char text[400];

	stage_open(&s, &(struct stage_options){ .environment = LIST("HAND_KEY=k-12345678"),
	           .settings = "auth = bearer\nkey_env = HAND_KEY\n[price *gpt-5.5]\ninput = 1000\noutput = 2000\n" });
	snprintf(text, sizeof text, "{\"weir_models\":1,\"fetched\":%lld,\"base_url\":\"http://127.0.0.1:%u/v1\",\"models\":["
	         "{\"id\":\"m-1\",\"context\":2000,\"input\":2000,\"output\":2000}]}", (long long)time(NULL), hand_port(s.server));
	home_write(s.home, ".cache/weir/models/hand.openai-chat", text);
	if (stage_ask(&s, "hello")) {
		hand_begin(s.server);
		hand_send(s.server, "data: {\"model\":\"gpt-5.4\",\"choices\":[{\"delta\":{\"content\":\"Good day.\"},\"finish_reason\":\"stop\"}]}\n\n");
		hand_send(s.server, HAND_USAGE(100, 20, ""));
		hand_close(s.server);
	}
	PTY_SEES(s.pty, "~$0.24");
	pty_send(s.pty, "/model openai/gpt-5.5\r");
	PTY_SEES(s.pty, "ready      openai/gpt-5.5");
	stage_turn_counted(&s, "again", "And a night.", HAND_USAGE(100, 20, ""));
	PTY_SEES(s.pty, "~$0.38"); /* 0.14 more */
	stage_drop(&s);
}

static void what_a_provider_reports_has_no_sign(void)
{
	struct lines l;

	lines_begin(&l);
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(100, 20, ",\"cost\":0.0021"));
	SAYS(&l, "Status: done, 100 tokens in, 20 tokens out");
	SAYS(&l, ", $0.0021.");
	lines_ask(&l, "again");
	hand_counted(l.server, "And a night.", HAND_USAGE(100, 1, ""));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> /cost",
	         "Last answer", "prompt: 100 tokens", "completion: 1 token\r\n", "money: price unknown", "from: the provider reported none",
	         "Conversation", "turns: 2", "prompt: 200 tokens", "money: >$0.0021", "from: at least: the cost of some answers is unknown",
	         "Context", "window: unknown", "not fetched yet", "in use: 101 tokens");
	lines_close(&l);
}

/* By our own estimate, which was on the screen while it came. It holds when the conversation is opened again. */
static void what_the_server_did_not_count_has_an_estimate(void)
{
	struct lines l;

	lines_open(&l, PRICES, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", "data: [DONE]\n\n");
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> /cost", "prompt: ~2 tokens", "completion: ~3 tokens", "money: ~$0.0080", "from: computed from estimated tokens and the prices of",
	         "window: 1,000 tokens", "in use: unknown: the server did not count the last answer");
	lines_close(&l);
}

static void costs_are_told_by_model(void)
{
	struct lines l;

	lines_open(&l, PRICES, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(100, 20, ",\"prompt_tokens_details\":{\"cached_tokens\":60}"));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> /model other", "model other");
	lines_ask(&l, "again");
	hand_counted(l.server, "And a night.", HAND_USAGE(10, 2, ",\"cost\":1"));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> /cost", "reported by the provider", "prompt: 110 tokens  (60 cached)", "money: ~$1.14", "partly reported, partly computed",
	         "By model", "m-1 \xC2\xB7 hand: 1 answer  in 100  out 20  ~$0.14", "other \xC2\xB7 hand: 1 answer  in 10  out 2  $1.00");
	lines_close(&l);
}

/* --- the cache --- */

static void keep_list(const struct stage *s, time_t fetched)
{
	char text[400];

	snprintf(text, sizeof text, "{\"weir_models\":1,\"fetched\":%lld,\"base_url\":\"http://127.0.0.1:%u/v1\",\"models\":["
	         "{\"id\":\"m-7\",\"context\":2000,\"input\":1000,\"output\":2000}]}", (long long)fetched, hand_port(s->server));
	home_write(s->home, ".cache/weir/models/hand.openai-chat", text);
}

static void the_last_list_is_remembered(void)
{
	struct stage s;

	stage_open(&s, NULL);
	keep_list(&s, time(NULL) - 60);
	pty_send(s.pty, "/model m-7\r");
	PTY_SEES(s.pty, "m-7 \xC2\xB7 hand");
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ""));
	PTY_SEES(s.pty, "~$0.14");
	PTY_SEES(s.pty, "ctx 6 %");
	stage_close(&s);
}

static void an_old_list_is_not(void)
{
	struct stage s;

	stage_open(&s, NULL);
	keep_list(&s, time(NULL) - 31 * 86400);
	pty_send(s.pty, "/model m-7\r");
	PTY_SEES(s.pty, "m-7 \xC2\xB7 hand");
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ""));
	PTY_SEES(s.pty, "in 100");
	CU_ASSERT_FALSE(pty_shows(s.pty, "$0"));
	CU_ASSERT_FALSE(pty_shows(s.pty, "ctx"));
	stage_close(&s);
}

static void a_list_that_is_fetched_is_kept(void)
{
	struct stage s;
	struct buf text = { 0 };
	struct error err = { "" };

	stage_open(&s, NULL);
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, ""));
	pty_send(s.pty, "\x1BOQ");
	if (hand_accept(s.server))
		hand_reply(s.server, 200, "application/json", "{\"data\":[{\"id\":\"m-1\",\"context_length\":1000,"
		           "\"pricing\":{\"prompt\":\"0.001\",\"completion\":\"0.002\"}}]}");
	PTY_SEES(s.pty, "1 k context");
	pty_send(s.pty, "\x1B");
	PTY_SEES(s.pty, "~$0.14"); /* what was answered before has its price now */
	PTY_SEES(s.pty, "ctx 12 %");
	CHECK(buf_read_file(&text, home_path(s.home, ".cache/weir/models/hand.openai-chat"), &err), "%s", err.text);
	CHECK(str_find(buf_str(&text), STR("\"id\":\"m-1\",\"context\":1000")) < text.len, "%s", buf_z(&text));
	buf_fini(&text);
	stage_close(&s);
}

static void a_list_on_its_way_is_not_kept(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "\x1BOQ");
	if (hand_accept(s.server))
		hand_reply(s.server, 200, "application/json", "{\"data\":[{\"id\":\"m-1\",\"context_length\":1000}]}");
	PTY_SEES(s.pty, "1 k context");
	pty_send(s.pty, "\x1B");
	PTY_LOSES(s.pty, "1 k context");
	pty_send(s.pty, "/protocol anthropic\r");
	PTY_SEES(s.pty, "protocol anthropic");
	pty_send(s.pty, "\x1BOQ");
	PTY_SEES(s.pty, "hand, fetching ...");
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_FALSE(home_has(s.home, ".cache/weir/models/hand.anthropic"));
	CU_ASSERT_TRUE(home_has(s.home, ".cache/weir/models/hand.openai-chat"));
	stage_drop(&s);
}

/* --- the window --- */

static void a_prompt_that_may_not_fit_is_asked_about_once(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "max_tokens = 100\n" PRICES });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(820, 90, ""));
	pty_send(s.pty, "and now\r");
	PTY_SEES(s.pty, "This may not fit: it needs about 912 tokens and 100 for the answer, and the");
	PTY_SEES(s.pty, "window of m-1 holds 1,000.");
	PTY_SEES(s.pty, "Enter sends it.");
	PTY_SEES(s.pty, "> and now");
	CU_ASSERT_TRUE(stage_ask(&s, ""));
	CU_ASSERT_TRUE(stage_sent(&s, "and now"));
	hand_counted(s.server, "And a night.", HAND_USAGE(850, 10, ""));
	PTY_SEES(s.pty, "And a night.");
	STAGE_OVER(&s);
	stage_turn_counted(&s, "short", "Again.", HAND_USAGE(860, 10, "")); /* 861 + 100 fit */
	stage_close(&s);
}

static void files_count_too(void)
{
	struct stage s;
	char line[300], text[3601];

	memset(text, 'x', sizeof text - 1); /* 900 tokens */
	text[sizeof text - 1] = 0;
	stage_open(&s, &(struct stage_options){ .settings = "max_tokens = 10\n" PRICES });
	home_write(s.home, "long.txt", text);
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(90, 10, ""));
	snprintf(line, sizeof line, "/attach %s", home_path(s.home, "long.txt"));
	pty_send(s.pty, line);
	PTY_SEES(s.pty, "long.txt");
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "goes with the next prompt");
	pty_send(s.pty, "read it\r");
	PTY_SEES(s.pty, "This may not fit: it needs about 1,002 tokens and 10 for the answer");
	stage_drop(&s);
}

/* It answered although prompt and maximum were more than its window. */
static void a_server_that_counts_no_maximum_is_known_by_its_answer(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = PRICES });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(800, 90, ""));
	stage_turn_counted(&s, "and now", "And a night.", HAND_USAGE(950, 10, ""));
	pty_send(s.pty, "a prompt of about sixty tokens, which is long enough to be too long for the window: it holds a thousand of them, and this "
	         "conversation has nearly as many already, so that a question with many words cannot be asked any more. What is to be done?\r");
	PTY_SEES(s.pty, "This may not fit");
	stage_drop(&s);
}

/* --- compacting --- */

static void room_is_offered_and_made(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = "max_tokens = 10\n" PRICES, .columns = 110 });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(790, 30, ""));
	CU_ASSERT_FALSE(pty_shows(s.pty, "makes room")); /* one exchange cannot be compacted */
	stage_turn_counted(&s, "and now", "And a night.", HAND_USAGE(820, 30, ""));
	PTY_SEES(s.pty, "/compact makes room");
	pty_send(s.pty, "/compact the hour\r");
	CU_ASSERT_TRUE(hand_accept(s.server));
	CU_ASSERT_TRUE(stage_sent(&s, "Above all keep: the hour") && stage_sent(&s, "hello") && !strstr(hand_body(s.server), "and now"));
	PTY_SEES(s.pty, "m-1 summarizes ~4 tokens of earlier turns; /stop leaves all as it was");
	hand_begin(s.server);
	hand_text(s.server, "They greet.");
	PTY_SEES(s.pty, "They greet.");
	CU_ASSERT_FALSE(pty_shows(s.pty, "And a night."));
	hand_send(s.server, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
	hand_send(s.server, HAND_USAGE(850, 10, ""));
	hand_close(s.server);
	PTY_SEES(s.pty, "And a night.");
	PTY_SEES(s.pty, "tokens now, and was ~");
	PTY_SEES(s.pty, "ctx ~8 %"); /* nobody has counted it yet */
	PTY_LOSES(s.pty, "/compact makes room");
	if (stage_ask(&s, "and then")) {
		CU_ASSERT_TRUE(stage_sent(&s, "They greet.") && stage_sent(&s, "And a night.") && !strstr(hand_body(s.server), "Good day."));
		hand_counted(s.server, "Sleep.", HAND_USAGE(60, 10, ""));
	}
	PTY_SEES(s.pty, "ctx 7 %");
	stage_close(&s);
}

static void a_summary_that_is_stopped_leaves_all_as_it_was(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .settings = PRICES, .columns = 110 });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(10, 3, ""));
	stage_turn_counted(&s, "and now", "And a night.", HAND_USAGE(20, 3, ""));
	pty_send(s.pty, "/compact\r");
	CU_ASSERT_TRUE(hand_accept(s.server));
	hand_begin(s.server);
	hand_text(s.server, "They gr");
	PTY_SEES(s.pty, "They gr");
	pty_send(s.pty, "\x1B");
	PTY_SEES(s.pty, "Nothing was compacted: it was stopped.");
	PTY_SEES(s.pty, "And a night.");
	PTY_SEES(s.pty, "Good day.");
	CU_ASSERT_FALSE(pty_shows(s.pty, "They gr"));
	pty_send(s.pty, "/tree\r");
	PTY_SEES(s.pty, "They gr");
	stage_drop(&s);
}

static void the_linear_mode_compacts_too(void)
{
	struct lines l;

	lines_open(&l, "max_tokens = 10\n" PRICES, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(10, 3, ""));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> /compact", "there is one exchange only, and the last one is kept as it is.");
	lines_ask(&l, "and now");
	hand_counted(l.server, "And a night.", HAND_USAGE(850, 30, ""));
	DIALOGUE(&l, "Status: done", "The context window is 88 percent full. /compact replaces older turns by a summary.");
	lines_ask(&l, "/compact");
	DIALOGUE(&l, "m-1 summarizes ~4 tokens of earlier turns; /stop leaves all as it was.", "You: Summarize our conversation so far.");
	hand_counted(l.server, "They greet.", HAND_USAGE(880, 10, ""));
	DIALOGUE(&l, "m-1: They greet.", "Note: The context is ~", "Status: done, 880 tokens in, 10 tokens out");
	lines_ask(&l, "and then");
	CU_ASSERT_TRUE(lines_sent(&l, "They greet.") && lines_sent(&l, "And a night.") && !lines_sent(&l, "Good day."));
	hand_counted(l.server, "Sleep.", HAND_USAGE(60, 10, ""));
	SAYS(&l, "m-1: Sleep.");
	struct str rest = pty_output(l.pty);
	rest = str_skip(rest, str_find(rest, STR("And a night.")) + 1);
	CU_ASSERT_EQUAL(str_find(rest, STR("And a night.")), rest.len); /* the last exchange is not printed again */
	lines_close(&l);
}

static void the_linear_mode_goes_back_when_it_fails(void)
{
	struct lines l;

	lines_begin(&l);
	lines_stream(&l, "hello", "Good day.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Status: done");
	lines_stream(&l, "and now", "And a night.");
	hand_finish(l.server, "stop");
	SAYS(&l, "Status: done");
	lines_ask(&l, "/compact");
	hand_begin(l.server);
	hand_text(l.server, "They gr");
	hand_close(l.server);
	DIALOGUE(&l, "They gr", "Nothing was compacted: the connection ended too early.");
	lines_ask(&l, "and then");
	CU_ASSERT_TRUE(lines_sent(&l, "Good day.") && !lines_sent(&l, "Summarize"));
	lines_drop(&l);
}

static void the_linear_mode_sends_it_with_an_empty_line(void)
{
	struct lines l;

	lines_open(&l, "max_tokens = 100\n" PRICES, LIST("--plain"), NULL);
	SAYS(&l, "You: ");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(800, 120, ""));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> dropped", "This may not fit", "An empty line sends it.", "> /id", "Response id", "> kept", "An empty line sends it.");
	lines_ask(&l, "");
	CU_ASSERT_TRUE(lines_sent(&l, "kept"));
	CU_ASSERT_FALSE(strstr(hand_body(l.server), "dropped") != NULL);
	hand_counted(l.server, "And a night.", HAND_USAGE(100, 2, ""));
	SAYS(&l, "Status: done");
	lines_close(&l);
}

/* --- the budget --- */

static void a_budget_is_shown_when_near_and_asked_about_when_spent(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "budget = 0.20 a day\n", .settings = PRICES });
	stage_turn_counted(&s, "hello", "Good day.", HAND_USAGE(100, 20, "")); /* 0.14: 70 % */
	PTY_SEES(s.pty, "~$0.14");
	CU_ASSERT_FALSE(pty_shows(s.pty, "today"));
	stage_turn_counted(&s, "again", "And a night.", HAND_USAGE(10, 10, "")); /* 0.03: 85 % */
	PTY_SEES(s.pty, "today ~$0.17 of $0.20");
	stage_turn_counted(&s, "more", "Sleep.", HAND_USAGE(10, 10, "")); /* 0.03: exactly all */
	PTY_SEES(s.pty, "today ~$0.20 of $0.20");
	pty_send(s.pty, "and now\r");
	PTY_SEES(s.pty, "The budget is spent: today ~$0.20 of $0.20. Enter sends it.");
	CU_ASSERT_TRUE(stage_ask(&s, ""));
	CU_ASSERT_TRUE(stage_sent(&s, "and now"));
	hand_counted(s.server, "Wake.", HAND_USAGE(10, 0, ""));
	PTY_SEES(s.pty, "today ~$0.21 of $0.20");
	stage_close(&s);
}

static void the_linear_mode_asks_too(void)
{
	struct lines l = { .server = hand_new(), .home = home_new() };
	struct buf conf = { 0 };

	buf_printf(&conf, "budget = 0.17 a day\n%s", hand_settings(l.server, PRICES));
	home_write(l.home, ".config/weir/weir.conf", buf_z(&conf));
	buf_fini(&conf);
	stored_prepare(l.home);
	l.pty = pty_start(&(struct pty_options){ .columns = PTY_WIDE, .home = l.home, .arguments = LIST("--plain"), .turns = true });
	SAYS(&l, "You: ");
	lines_ask(&l, "hello");
	hand_counted(l.server, "Good day.", HAND_USAGE(100, 20, ""));
	SAYS(&l, "Status: done");
	lines_ask(&l, "again");
	SAYS(&l, "The budget is nearly spent: today ~$0.14 of $0.17.");
	hand_counted(l.server, "And a night.", HAND_USAGE(10, 10, ""));
	SAYS(&l, "Status: done");
	DIALOGUE(&l, "> and now", "The budget is spent: today ~$0.17 of $0.17. An empty line sends it.");
	lines_ask(&l, "");
	CU_ASSERT_TRUE(lines_sent(&l, "and now"));
	hand_counted(l.server, "And a night.", HAND_USAGE(10, 2, ""));
	SAYS(&l, "Status: done");
	/* so does what asks again */
	DIALOGUE(&l, "> /retry", "The budget is spent: today ~$0.18 of $0.17. Once more sends it.");
	DIALOGUE(&l, "> /edit and then", "The budget is spent: today ~$0.18 of $0.17. Once more sends it.");
	lines_ask(&l, "/edit and then");
	CU_ASSERT_TRUE(lines_sent(&l, "and then"));
	hand_counted(l.server, "A day.", HAND_USAGE(10, 2, ""));
	SAYS(&l, "Status: done");
	lines_close(&l);
}

const struct suite suite_money = { "money", (const struct test[]){
	TEST(the_first_turn_has_its_price_and_its_share_of_the_window),
	TEST(a_known_model_needs_no_price),
	TEST(what_is_known_of_a_model_counts_last),
	TEST(what_a_provider_reports_has_no_sign),
	TEST(what_the_server_did_not_count_has_an_estimate),
	TEST(costs_are_told_by_model),
	TEST(the_last_list_is_remembered),
	TEST(an_old_list_is_not),
	TEST(a_list_that_is_fetched_is_kept),
	TEST(a_list_on_its_way_is_not_kept),
	TEST(a_prompt_that_may_not_fit_is_asked_about_once),
	TEST(files_count_too),
	TEST(a_server_that_counts_no_maximum_is_known_by_its_answer),
	TEST(the_linear_mode_sends_it_with_an_empty_line),
	TEST(room_is_offered_and_made),
	TEST(a_summary_that_is_stopped_leaves_all_as_it_was),
	TEST(the_linear_mode_compacts_too),
	TEST(the_linear_mode_goes_back_when_it_fails),
	TEST(a_budget_is_shown_when_near_and_asked_about_when_spent),
	TEST(the_linear_mode_asks_too),
	{ 0 },
} };
