#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "app/compare/compare.h"
#include "app/compare/compare_figures.h"
#include "app/program.h"
#include "app/screen/compare/compare_view_inside.h"
#include "base/json.h"
#include "support/check.h"
#include "support/hand.h"

#define ANSWER(text) "data: {\"id\":\"c\",\"model\":\"served\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"" text "\"},\"finish_reason\":\"stop\"}]," \
	"\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":5,\"total_tokens\":6}}\n\ndata: [DONE]\n\n"
#define ERROR "data: {\"error\":{\"message\":\"out of order\"}}\n\n"

/* Two providers, "one" and "two", each with its own server. */
struct pair { struct program servers[2]; const char *settings; };

static void begin(struct pair *p, const char *one, const char *two)
{
	char url[2][64], text[600];

	program_serve(&p->servers[0], url[0], ARGS(folder_file("one", one)));
	program_serve(&p->servers[1], url[1], ARGS(folder_file("two", two)));
	snprintf(text, sizeof text, "[provider one]\nbase_url = %s\nauth = none\nmodel = m-1\nretries = 0\n"
	         "[provider two]\nbase_url = %s\nauth = none\nprotocols = openai-chat, anthropic\nretries = 0\n", url[0], url[1]);
	p->settings = folder_file("weir.conf", text);
}

static void end(struct pair *p)
{
	program_free(&p->servers[0]);
	program_free(&p->servers[1]);
	folder_remove();
}

static void answers_are_printed_with_a_table(void)
{
	struct pair pair;
	struct program p;

	begin(&pair, ANSWER("first answer"), ANSWER("second answer"));
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--compare", "one,two/qwen3:4b", "hi"), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "--- one/m-1 ---\nfirst answer\n\n") && strstr(buf_z(&p.output), "--- two/qwen3:4b ---\nsecond answer\n\n"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "\none/m-1       complete ") && strstr(buf_z(&p.output), "\ntwo/qwen3:4b  complete "), "%s", buf_z(&p.output));
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	end(&pair);
}

/* Texts as pages, and figures in lines that fit; --raw and a pipe get them as they came. */
static void a_terminal_gets_pages(void)
{
	struct pair pair;
	struct program p;

	begin(&pair, ANSWER("Some **bold** one\\n\\n|a|b|\\n|-|-|\\n|1|2|"), ANSWER("Some **bold** two"));
	program_start_on_terminal(&p, ARGS("ask", "--config", pair.settings, "--compare", "one,two/a-model-with-a-name-that-is-long", "hi"), ARGS("TERM=xterm-256color"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(strstr(buf_z(&p.output), "--- one/m-1 ---") && strstr(buf_z(&p.output), "Some \033[1mbold\033[m one"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "Some \033[1mbold\033[m two") && strstr(buf_z(&p.output), "\u2500\u253c\u2500"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), "-is-long\r\n  state        complete\r\n") != NULL, "%s", buf_z(&p.output));
	CHECK(!strstr(buf_z(&p.output), "**"), "%s", buf_z(&p.output));
	program_free(&p);
	program_start_on_terminal(&p, ARGS("ask", "--config", pair.settings, "--raw", "--compare", "one,two/m", "hi"), ARGS("TERM=xterm-256color"));
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(strstr(buf_z(&p.output), "\r\nSome **bold** two\r\n") != NULL, "%s", buf_z(&p.output));
	program_free(&p);
	end(&pair);
}

static void json_is_an_array_in_the_order_asked(void)
{
	static const char *const models[] = { "m-2", "m-1" }, *const texts[] = { "second", "first" };
	struct json_parser *parser = json_parser_new();
	struct pair pair;
	struct program p;
	size_t used;
	double ms;

	begin(&pair, ANSWER("first"), ANSWER("second"));
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--json", "--compare", "two/m-2,one", "hi"), NULL), 0);
	const struct json *value = json_parse(parser, buf_str(&p.output), &used);
	CHECK(json_length(value) == 2, "%s", buf_z(&p.output));
	for (size_t i = 0; i < 2; i++) {
		const struct json *item = json_at(value, i);

		CHECK_STR(json_get_text(item, "asked_model"), models[i]);
		CHECK_STR(json_get_text(item, "provider"), i ? "one" : "two");
		CHECK_STR(json_get_text(item, "text"), texts[i]);
		CHECK_STR(json_get_text(item, "outcome"), "complete");
		CHECK(json_number(json_get(item, "first_ms"), &ms) && json_number(json_get(item, "total_ms"), &ms), "%s", buf_z(&p.output));
	}
	program_free(&p);
	json_parser_free(parser);
	end(&pair);
}

/* 0 if one ended well, else the status of the first. */
static void the_status_is_the_best_one(void)
{
	struct pair pair;
	struct program p;

	begin(&pair, ERROR, ANSWER("fine"));
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--compare", "one,two/m", "hi"), NULL), 0);
	CHECK(strstr(buf_z(&p.errors), "one/m-1: out of order"), "%s", buf_z(&p.errors));
	program_free(&p);
	end(&pair);
	begin(&pair, ERROR, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"half\"}}]}\n\n");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--compare", "one,two/m", "hi"), NULL), 4);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--compare", "two/m,one", "hi"), NULL), 3);
	program_free(&p);
	end(&pair);
}

/* The answers stand beside each other below the question; the first one goes on. */
static void answers_are_kept_as_branches(void)
{
	struct json_parser *parser = json_parser_new();
	struct pair pair;
	struct program p;
	char home[300];
	size_t used;

	begin(&pair, ANSWER("first"), ANSWER("second"));
	snprintf(home, sizeof home, "XDG_DATA_HOME=%s", folder_path());
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", pair.settings, "--compare", "one,two/m", "hi"), ARGS(home)), 0);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("history", "export", "last", "--format", "json"), ARGS(home)), 0);
	const struct json *nodes = json_get(json_at(json_get(json_parse(parser, buf_str(&p.output), &used), "conversations"), 0), "nodes");
	CHECK(json_length(nodes) == 3, "%s", buf_z(&p.output));
	for (size_t i = 1; i < 3; i++) {
		int64_t parent = -1, question = -2;

		CHECK_STR(json_get_text(json_at(nodes, i), "role"), "assistant");
		CHECK(json_count(json_get(json_at(nodes, i), "parent"), &parent) && json_count(json_get(json_at(nodes, 0), "id"), &question) && parent == question,
		      "%s", buf_z(&p.output));
	}
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("history", "export", "last"), ARGS(home)), 0);
	CHECK(strstr(buf_z(&p.output), "first") && !strstr(buf_z(&p.output), "second"), "%s", buf_z(&p.output));
	program_free(&p);
	json_parser_free(parser);
	end(&pair);
}

static void an_interrupt_stops_all(void)
{
	struct hand *hand = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(hand, ""));
	struct program p;

	program_start(&p, ARGS("ask", "--config", settings, "--compare", "hand/a,hand/b", "--no-stdin", "hi"), NULL);
	CU_ASSERT(hand_accept(hand));
	hand_begin(hand);
	hand_text(hand, "begun");
	kill(p.pid, SIGINT);
	CU_ASSERT_EQUAL(program_wait(&p), 130);
	CHECK(strstr(buf_z(&p.output), "hand/a    cancelled") && strstr(buf_z(&p.output), "hand/b    cancelled"), "%s%s", buf_z(&p.output), buf_z(&p.errors));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* Behind a model stand a protocol and a level of reasoning, in any order; other words with colons are the model's. */
static void a_target_names_protocol_and_level(void)
{
	static const struct { const char *target, *label, *sent, *level; } cases[] = {
		{ "hand/a:high", "hand/a:high", "\"model\":\"a\"", "\"reasoning_effort\":\"high\"" },
		{ "hand/a:low:openai-chat", "hand/a:low", "\"model\":\"a\"", "\"reasoning_effort\":\"low\"" },
		{ "hand/qwen:4b:openai-chat:off", "hand/qwen:4b:off", "\"model\":\"qwen:4b\"", NULL },
		{ "hand/high:4b", "hand/high:4b", "\"model\":\"high:4b\"", NULL },
	};
	struct hand *hand = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(hand, ""));

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program p;
		char row[64];

		program_start(&p, ARGS("ask", "--config", settings, "--compare", cases[i].target, "--no-stdin", "hi"), NULL);
		CU_ASSERT(hand_accept(hand));
		CHECK(strstr(hand_body(hand), cases[i].sent), "%s: %s", cases[i].target, hand_body(hand));
		CHECK(!cases[i].level || strstr(hand_body(hand), cases[i].level), "%s: %s", cases[i].target, hand_body(hand));
		hand_whole(hand, "fine", "stop");
		CU_ASSERT_EQUAL(program_wait(&p), 0);
		snprintf(row, sizeof row, "--- %s ---", cases[i].label);
		CHECK(strstr(buf_z(&p.output), row), "%s: %s", row, buf_z(&p.output));
		program_free(&p);
	}
	hand_free(hand);
	folder_remove();
}

/* The figures of the table: the server's tokens, and money by the prices of weir.conf. */
static void the_table_has_tokens_and_money(void)
{
	struct hand *hand = hand_new();
	const char *settings = folder_file("weir.conf", hand_settings(hand, "[price a]\ninput = 1000\noutput = 2000\n"));
	struct program p;

	program_start(&p, ARGS("ask", "--config", settings, "--compare", "hand/a", "--no-stdin", "hi"), NULL);
	CU_ASSERT(hand_accept(hand));
	hand_whole(hand, "fine", "stop");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(strstr(buf_z(&p.output), "state       first token      whole   tokens  tokens/s      money  lint\n"), "%s", buf_z(&p.output));
	CHECK(strstr(buf_z(&p.output), " 34 ") && strstr(buf_z(&p.output), "~$0.08"), "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(hand);
	folder_remove();
}

/* In the linear mode too: the answers as they end, the table, and a number that goes on with one of them. */
static void the_linear_mode_prints_one_after_another(void)
{
	struct pair pair;
	struct program p;
	const char *text, *second;

	begin(&pair, ANSWER("first answer"), ANSWER("second answer"));
	CU_ASSERT_EQUAL(program_run(&p, STR("/compare one,two/m hello\n/compare 2\nmore\n/compare 7\n"), ARGS("--plain", "--config", pair.settings), NULL), 0);
	text = buf_z(&p.output);
	CHECK(strstr(text, "You: hello\nAsked at once: 1 one/m-1, 2 two/m. /stop ends them.\n"), "%s", text);
	CHECK(strstr(text, "Answer 1 of 2, of one/m-1.\n") && strstr(text, "Answer 2 of 2, of two/m.\n"), "%s", text);
	CHECK(strstr(text, "\none/m-1   complete ") && strstr(text, "\ntwo/m     complete "), "%s", text);
	CHECK(strstr(text, "The conversation goes on behind answer 1."), "%s", text);
	second = strstr(text, "Going on with answer 2, of two/m.\n");
	CHECK(second && strstr(second, "You: more\n") && strstr(second, "m -> served: second answer"), "%s", text);
	CHECK(strstr(text, "There are 2 answers."), "%s", text);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR("hello\n/compare off\nalone\n"), ARGS("--plain", "--config", pair.settings, "--compare", "two/m,one"), NULL), 0);
	text = buf_z(&p.output);
	CHECK(strstr(text, "Each prompt goes to all 2 of two/m,one.") && strstr(text, "Asked at once: 1 two/m, 2 one/m-1."), "%s", text);
	CHECK(strstr(text, "prompts go to one model.\n"), "%s", text);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR("/compare\n"), ARGS("--plain", "--config", pair.settings), NULL), 0);
	CHECK(strstr(buf_z(&p.output), "ame what to compare"), "%s", buf_z(&p.output));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR(""), ARGS("--plain", "--config", pair.settings, "--compare", "nobody/m"), NULL), 2);
	CHECK(strstr(buf_z(&p.errors), "--compare: there is no provider 'nobody'"), "%s", buf_z(&p.errors));
	program_free(&p);
	end(&pair);
}

/* The first one ends last: it is printed first all the same. */
static void answers_are_printed_in_the_order_asked(void)
{
	struct hand *slow = hand_new(), *quick = hand_new();
	struct program p;
	char text[500];

	snprintf(text, sizeof text, "[provider slow]\nbase_url = http://127.0.0.1:%u/v1\nauth = none\n[provider quick]\nbase_url = http://127.0.0.1:%u/v1\n"
	         "auth = none\n", hand_port(slow), hand_port(quick));
	program_start(&p, ARGS("ask", "--config", folder_file("weir.conf", text), "--compare", "slow/a,quick/b", "--no-stdin", "hi"), NULL);
	CU_ASSERT(hand_accept(slow) && hand_accept(quick));
	hand_whole(quick, "at once", "stop");
	hand_whole(slow, "later", "stop");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	const char *first = strstr(buf_z(&p.output), "--- slow/a ---\nlater\n"), *second = strstr(buf_z(&p.output), "--- quick/b ---\nat once\n");
	CHECK(first && second && first < second, "%s", buf_z(&p.output));
	program_free(&p);
	hand_free(slow);
	hand_free(quick);
	folder_remove();
}

static void mistakes_are_usage_errors(void)
{
	static const struct { const char *targets, *said; } cases[] = {
		{ "nobody/m", "no provider 'nobody'" }, { "demo,anthropic/m:ollama", "does not speak ollama" }, { "vllm", "name a model" },
		{ "demo,demo,demo,demo,demo,demo,demo", "at most 6" },
	};
	struct program p;

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		CHECK(program_run(&p, STR_NONE, ARGS("ask", "--compare", cases[i].targets, "hi"), NULL) == 2, "%s: %d", cases[i].targets, p.status);
		CHECK(strstr(buf_z(&p.errors), cases[i].said), "%s: %s", cases[i].targets, buf_z(&p.errors));
		program_free(&p);
	}
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--json", "hi"), NULL), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--compare", "demo", "--summary", "hi"), NULL), 2);
	program_free(&p);
	folder_remove();
}

static void names_show_what_differs(void)
{
	static const struct { unsigned columns; const char *names[3]; } rows[] = {
		{ 20, { "openai-gpt-4.1", "openai-gpt-5.4-mini", "other" } },
		{ 12, { "\u2026gpt-4.1", "\u20265.4-mini", "other" } },
		{ 8, { "\u2026gpt-4.1", "\u20265.4-mi\u2026", "other" } },
		{ 5, { "\u20264.1", "\u20265.4\u2026", "other" } },
		{ 1, { "\u2026", "\u2026", "\u2026" } },
	};
	struct provider provider = { .name = "p" };
	char labels[3][32] = { "p/openai-gpt-4.1", "p/openai-gpt-5.4-mini", "p/other" };
	struct compare_target targets[3];
	struct compare c = { .count = 3 };

	for (size_t i = 0; i < 3; i++) {
		targets[i] = (struct compare_target){ .provider = &provider, .label = labels[i] };
		c.answers[i].target = &targets[i];
	}
	for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
		for (size_t i = 0; i < 3; i++) {
			struct buf name = { 0 };

			compare_name(&c, i, rows[row].columns, &name);
			CHECK_STR(buf_str(&name), rows[row].names[i]);
			buf_fini(&name);
		}
}

const struct suite suite_compare = { "compare", (const struct test[]){
	TEST(answers_are_printed_with_a_table), TEST(a_terminal_gets_pages), TEST(json_is_an_array_in_the_order_asked), TEST(the_status_is_the_best_one),
	TEST(answers_are_kept_as_branches), TEST(an_interrupt_stops_all),
	TEST(a_target_names_protocol_and_level), TEST(the_table_has_tokens_and_money), TEST(the_linear_mode_prints_one_after_another), TEST(mistakes_are_usage_errors),
	TEST(answers_are_printed_in_the_order_asked), TEST(names_show_what_differs), { 0 },
} };
