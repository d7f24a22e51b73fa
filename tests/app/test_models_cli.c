#include <stdio.h>

#include "app/lines.h"
#include "app/program.h"
#include "app/stage.h"
#include "base/json.h"
#include "chat/exchange/models.h"
#include "support/check.h"

#define TWO_MODELS "{\"object\":\"list\",\"data\":[{\"id\":\"a/one\",\"context_length\":400000," \
	"\"pricing\":{\"prompt\":\"0.00000025\",\"completion\":\"0.000002\"}},{\"id\":\"two\\u001b[31m\\tx\"}]}"

static void list(struct program *p, const char *body, const char *more)
{
	struct program server;
	char url[64];

	program_serve(&server, url, ARGS(folder_file("models.json", body)));
	program_run(p, STR_NONE, ARGS("models", "--base-url", url, more), NULL);
	program_free(&server);
}

static void a_line_is_an_id_a_tab_and_its_facts(void)
{
	struct program p;
	struct str rest, line = STR_NONE, id = STR_NONE;

	list(&p, TWO_MODELS, NULL);
	CU_ASSERT_EQUAL(p.status, 0);
	CHECK_STR(buf_str(&p.errors), "");
	rest = buf_str(&p.output);
	CU_ASSERT(str_split(&rest, '\n', &line) && str_split(&line, '\t', &id));
	CHECK_STR(id, "a/one");
	CHECK(str_find(line, STR("400 k")) < line.len, "%s", buf_z(&p.output));
	/* Control bytes in an id would break the line. */
	CU_ASSERT(str_split(&rest, '\n', &line) && str_split(&line, '\t', &id));
	CU_ASSERT(str_starts(id, "two") && str_ends(id, "x"));
	CU_ASSERT_EQUAL(line.len, 0);
	CU_ASSERT_EQUAL(rest.len, 0);
	CU_ASSERT_EQUAL(str_find(buf_str(&p.output), STR("\033")), p.output.len);
	program_free(&p);
	folder_remove();
}

static void a_terminal_gets_columns(void)
{
	struct program server;
	char url[64];

	program_serve(&server, url, ARGS(folder_file("models.json", "{\"data\":[{\"id\":\"a/one\",\"context_length\":8000},"
	                                             "{\"id\":\"somebody/a-longer-id\",\"context_length\":400000},{\"id\":\"none\"}]}")));
	struct pty *p = pty_start(&(struct pty_options){ .arguments = LIST("models", "--base-url", url) });
	PTY_WAIT(p, pty_is_over, NULL);
	CHECK_STR(str_from(pty_row(p, 0)), "a/one                 8 k context");
	CHECK_STR(str_from(pty_row(p, 1)), "somebody/a-longer-id  400 k context");
	CHECK_STR(str_from(pty_row(p, 2)), "none");
	pty_free(p);
	program_free(&server);
	folder_remove();
}

static void the_list_is_kept_for_the_chat(void)
{
	struct program server, p;
	struct buf text = { 0 };
	struct error err = { "" };
	char url[64], cache[300], file[400];

	program_serve(&server, url, ARGS(folder_file("models.json", TWO_MODELS)));
	snprintf(cache, sizeof cache, "XDG_CACHE_HOME=%s/cache", folder_path());
	snprintf(file, sizeof file, "%s/cache/weir/models/openai.openai-chat", folder_path());
	program_run(&p, STR_NONE, ARGS("models", "-p", "openai", "--protocol", "openai-chat", "--base-url", url), ARGS(cache, "OPENAI_API_KEY=sk-test-1234567890"));
	CHECK(p.status == 0, "%s", buf_z(&p.errors));
	CHECK(buf_read_file(&text, file, &err), "%s", err.text);
	CHECK(str_find(buf_str(&text), STR("{\"id\":\"a/one\",\"context\":400000,\"input\":0.25,\"output\":2")) < text.len, "%s", buf_z(&text));
	CU_ASSERT_EQUAL(str_find(buf_str(&text), STR("sk-test")), text.len);
	buf_fini(&text);
	program_free(&p);
	program_free(&server);
	folder_remove();
}

/* What is known of models, and what the user wrote, against a list with prices. */
static void prices_are_checked_against_the_list(void)
{
	static const char *const lists[] = {
		"{\"data\":[{\"id\":\"openai/gpt-5.4\",\"context_length\":1050000,\"pricing\":{\"prompt\":\"0.0000025\",\"completion\":\"0.000015\","
		"\"input_cache_read\":\"0.00000025\"}},{\"id\":\"anthropic/claude-sonnet-4.6\",\"context_length\":200000,"
		"\"pricing\":{\"prompt\":\"0.000004\",\"completion\":\"0.000015\"}},{\"id\":\"mine\",\"pricing\":{\"prompt\":\"0.000001\","
		"\"completion\":\"0.000002\"}},{\"id\":\"who\",\"pricing\":{\"prompt\":\"0.000001\",\"completion\":\"0.000002\"}}]}",
		"{\"data\":[{\"id\":\"openai/gpt-5.4\"}]}",
	};
	static const struct { int status; const char *output, *errors; } said[] = {
		{ 1, "anthropic/claude-sonnet-4.6\tinput\t3 in weir's table, 4 in the list\n"
		     "anthropic/claude-sonnet-4.6\tcontext\t1000000 in weir's table, 200000 in the list\nmine\toutput\t5 in weir.conf, 2 in the list\n",
		  "weir: 3 of the 4 models of openai have prices to compare; 3 figures differ\n" },
		{ 0, "", "weir: the list of openai has no prices of models that weir knows: there is nothing to compare\n" },
	};

	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		struct program server, p;
		char url[64];

		program_serve(&server, url, ARGS(folder_file("models.json", lists[i])));
		program_run(&p, STR_NONE, ARGS("models", "--config", folder_file("weir.conf", "[price mine]\ninput = 1\noutput = 5\n"), "-p", "openai",
		            "--protocol", "openai-chat", "--base-url", url, "--check-prices"), ARGS("OPENAI_API_KEY=sk-test-1234567890"));
		CU_ASSERT_EQUAL(p.status, said[i].status);
		CHECK_STR(buf_str(&p.output), said[i].output);
		CHECK_STR(buf_str(&p.errors), said[i].errors);
		program_free(&p);
		program_free(&server);
		folder_remove();
	}
}

static void json_has_every_fact(void)
{
	struct json_parser *parser = json_parser_new();
	const struct json *value, *first;
	struct program p;
	int64_t context;
	size_t used;
	double price;

	list(&p, TWO_MODELS, "--json");
	CU_ASSERT_EQUAL(p.status, 0);
	value = json_parse(parser, buf_str(&p.output), &used);
	CU_ASSERT_EQUAL(json_length(value), 2);
	first = json_at(value, 0);
	CHECK_STR(json_get_text(first, "id"), "a/one");
	CU_ASSERT(json_count(json_get(first, "context_tokens"), &context) && context == 400000);
	CU_ASSERT(json_number(json_get(first, "prompt_price"), &price) && price > 0.2499 && price < 0.2501);
	CU_ASSERT_PTR_NULL(json_get(json_at(value, 1), "context_tokens"));
	program_free(&p);
	json_parser_free(parser);
	folder_remove();
}

static void what_is_no_list_is_an_error(void)
{
	struct program p;

	list(&p, "{\"error\":{\"message\":\"not today\"}}", NULL);
	CU_ASSERT_EQUAL(p.status, 4);
	CU_ASSERT_EQUAL(p.output.len, 0);
	CU_ASSERT(str_starts(buf_str(&p.errors), "weir: custom sent no model list"));
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "--base-url", "http://127.0.0.1:1"), NULL), 4);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "-p", "nobody"), NULL), 2);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "sansa"), NULL), 2);
	program_free(&p);
	folder_remove();
}

static void the_demo_lists_its_models(void)
{
	struct program p;

	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("models", "-p", "demo"), NULL), 0);
	CU_ASSERT(str_starts(buf_str(&p.output), "demo-1\t"));
	program_free(&p);
	folder_remove();
}

/* A list with one model more than is kept. */
static void write_long_list(struct buf *list)
{
	*list = (struct buf){ 0 };
	buf_add_z(list, "{\"data\":[");
	for (size_t i = 0; i <= MODELS_MOST; i++)
		buf_printf(list, "%s{\"id\":\"m-%zu\"}", i ? "," : "", i);
	buf_add_z(list, "]}");
}

static void a_list_that_is_cut_says_so(void)
{
	struct program p;
	struct stage s;
	struct lines l;
	struct buf text;

	write_long_list(&text);
	list(&p, buf_z(&text), NULL);
	CU_ASSERT_EQUAL(p.status, 0);
	CHECK_STR(buf_str(&p.errors), "weir: note: custom has more models: these are the first 20000\n");
	CU_ASSERT_TRUE(str_ends(buf_str(&p.output), "m-19999\t\n"));
	program_free(&p);
	folder_remove();
	stage_open(&s, NULL);
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_reply(s.server, 200, "application/json", buf_z(&text));
	PTY_SEES(s.pty, "hand, only the first 20000 models, fetched just now");
	pty_send(s.pty, K_ESC);
	stage_close(&s);
	lines_begin(&l);
	pty_send(l.pty, "/model\n");
	hand_accept(l.server);
	hand_reply(l.server, 200, "application/json", buf_z(&text));
	SAYS(&l, "Models: hand, only the first 20000 models");
	SAYS(&l, "Choice: ");
	pty_send(l.pty, "\n");
	SAYS(&l, "You: ");
	lines_close(&l);
	buf_fini(&text);
}

const struct suite suite_models_cli = { "models_cli", (const struct test[]){
	TEST(a_line_is_an_id_a_tab_and_its_facts), TEST(json_has_every_fact), TEST(prices_are_checked_against_the_list),
	TEST(a_terminal_gets_columns), TEST(the_list_is_kept_for_the_chat), TEST(what_is_no_list_is_an_error), TEST(the_demo_lists_its_models),
	TEST(a_list_that_is_cut_says_so),
	{ 0 } } };
