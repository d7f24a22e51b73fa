/* What `weir ask` keeps, and how it goes on: the conversation, --code, --save. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/keep/writer.h"
#include "app/node_text.h"
#include "app/program.h"
#include "base/mem.h"
#include "store/history/history_inside.h"
#include "support/check.h"
#include "support/hand.h"

#define LOOK_US 20000

static struct hand *server;
static const char *config;
static char data[128];
static struct error err;

/* Lines at the top of weir.conf, and after those of the provider. */
static void begin_with(const char *settings, const char *more)
{
	char *text;

	server = hand_new();
	text = mem_dup_z(hand_settings(server, more));
	struct buf whole = { 0 };
	buf_printf(&whole, "%s%s", settings, text);
	config = folder_file("weir.conf", buf_z(&whole));
	buf_fini(&whole);
	mem_free(text);
	snprintf(data, sizeof data, "%s/data", folder_path());
	setenv("XDG_DATA_HOME", data, 1);
	snprintf(data, sizeof data, "XDG_DATA_HOME=%s/data", folder_path());
}

static void begin(const char *settings)
{
	begin_with(settings, "");
}

static void end(void)
{
	hand_free(server);
	unsetenv("XDG_DATA_HOME");
	folder_remove();
}

static void start(struct program *p, const char *const *more)
{
	const char *args[24] = { "ask", "--config", config, "-p", "hand" };
	size_t count = 5;

	for (; *more; more++)
		args[count++] = *more;
	program_start(p, args, ARGS(data));
	program_end_input(p);
}

/* Asks, and the server answers. The request stays in the server. */
static int ask(struct program *p, const char *answer, const char *const *more)
{
	start(p, more);
	hand_say(server, answer);
	return program_wait(p);
}

#define CHECK_ASK(answer, ...)                                                                                                \
	do {                                                                                                                  \
		struct program p_;                                                                                            \
		CHECK(ask(&p_, (answer), ARGS(__VA_ARGS__)) == 0 && !p_.errors.len, "%d: %s", p_.status, buf_z(&p_.errors)); \
		program_free(&p_);                                                                                            \
	} while (0)

static bool sent(const char *text)
{
	return strstr(hand_body(server), text) != NULL;
}

/* --- what is stored --- */

struct reading { struct history *h; struct buf *text; };

static bool add_node(void *ctx, const struct history_node *node)
{
	struct reading *r = ctx;

	buf_printf(r->text, "%s:%s:", node->role == TURN_USER ? "user" : "model", node->ended ? outcome_name(node->outcome) : "open");
	node_text_add(r->h, node, r->text);
	buf_add_z(r->text, "|");
	return true;
}

/* The turns of the last conversation; "" if nothing is stored. */
static const char *stored(void)
{
	static struct buf text;
	enum history_status status;
	struct history *h = history_open(1000, &status, &err);
	int64_t row;

	buf_fini(&text);
	if (h && history_find(h, STR("last"), &row, &err) == HISTORY_OK)
		history_nodes(h, row, add_node, &(struct reading){ h, &text }, &err);
	history_close(h);
	return buf_z(&text);
}

static bool has_tapes(void)
{
	char command[200];

	snprintf(command, sizeof command, "ls %s/.local/state/weir/tapes/*.tape >/dev/null 2>&1", folder_path());
	return system(command) == 0;
}

static void an_answer_is_stored(void)
{
	begin("");
	CHECK_ASK("four", "two and two?");
	CHECK_STR(str_from(stored()), "user:complete:two and two?|model:complete:four|");
	CU_ASSERT(has_tapes());
	end();
}

/* Nobody is asked: it is refused, and the sentence says what sends it. */
static void a_budget_without_a_price_says_so(void)
{
	struct program p;

	begin_with("budget = 0.05 a day\n", "");
	CU_ASSERT_EQUAL(ask(&p, "Four.", ARGS("two and two?")), 0);
	CHECK_STR(buf_str(&p.errors), "weir: note: the price of m-1 is unknown, so the budget does not count its answers; [price m-1] in weir.conf sets one\n");
	program_free(&p);
	program_start_script(&p, "exec \"$0\" \"$@\" 2>&1", ARGS("ask", "--config", config, "-p", "hand", "--no-stdin", "and three?"), ARGS(data));
	hand_say(server, "Five.");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	CHECK(str_starts(buf_str(&p.output), "Five.\nweir: note: the price of m-1"), "%s", buf_z(&p.output));
	program_free(&p);
	end();
}

static void a_budget_that_is_spent_refuses(void)
{
	struct program p;

	begin_with("budget = 0.05 a day\n", "[price m-*]\ninput = 1000\noutput = 2000\n");
	CHECK_ASK("four", "two and two?");
	start(&p, ARGS("two and three?"));
	CU_ASSERT_NOT_EQUAL(program_wait(&p), 0);
	CHECK(strstr(buf_z(&p.errors), "the budget is spent: today ~$0.080 of $0.05; --yes sends it"), "%s", buf_z(&p.errors));
	program_free(&p);
	CHECK_ASK("five", "--yes", "two and three?");
	CU_ASSERT_TRUE(sent("two and three?"));
	end();
}

static void what_is_kept_is_what_was_said(void)
{
	static const struct { const char *settings, *option; bool stored, tapes; } cases[] = {
		{ "history = no\n", NULL, false, false }, { "history = no\n", "--no-history", false, false }, { "history = no\ntapes = 0\n", NULL, false, false },
		{ "history = chat\n", NULL, false, false }, { "history = chat\n", "--no-history", false, false }, { "history = chat\ntapes = 0\n", NULL, false, false },
		{ "history = yes\n", NULL, true, true }, { "", "--no-history", false, false }, { "tapes = 0\n", NULL, true, false },
		{ "tapes = 0\n", "--no-history", false, false }, { "history = chat\n", "--tape", false, false }, { "history = no\n", "--tape", false, false },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool own = cases[i].option && !strcmp(cases[i].option, "--tape");
		char tape[200];

		begin(cases[i].settings);
		snprintf(tape, sizeof tape, "--tape=%s/own", folder_path());
		CHECK_ASK("four", "two and two?", own ? tape : cases[i].option);
		CHECK(!strcmp(stored(), cases[i].stored ? "user:complete:two and two?|model:complete:four|" : ""), "case %zu: %s", i, stored());
		CHECK((access(strchr(data, '/'), F_OK) == 0) == cases[i].stored, "case %zu", i);
		CHECK(has_tapes() == cases[i].tapes, "case %zu", i);
		CHECK((access(strchr(tape, '/'), F_OK) == 0) == own, "case %zu: a tape that was asked for is written", i);
		end();
	}
}

/* The same where several models are asked. */
static void a_comparison_is_kept_as_an_answer_is(void)
{
	static const struct { const char *settings; bool kept; } cases[] = { { "history = chat\n", false }, { "history = yes\n", true } };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct program p;

		begin(cases[i].settings);
		CHECK(ask(&p, "four", ARGS("--compare", "hand/a", "two and two?")) == 0, "%s", buf_z(&p.errors));
		program_free(&p);
		CHECK((*stored() != '\0') == cases[i].kept && has_tapes() == cases[i].kept, "case %zu: %s", i, stored());
		end();
	}
}

/* --- going on --- */

static void continue_sends_the_whole_conversation(void)
{
	begin("");
	CHECK_ASK("four", "two and two?");
	CHECK_ASK("eight", "-c", "twice that?");
	CU_ASSERT(sent("\"messages\":[{\"role\":\"user\",\"content\":\"two and two?\"},{\"role\":\"assistant\",\"content\":\"four\"},"
	               "{\"role\":\"user\",\"content\":\"twice that?\"}]"));
	CHECK_STR(str_from(stored()), "user:complete:two and two?|model:complete:four|user:complete:twice that?|model:complete:eight|");
	CHECK_ASK("other", "a new one");
	CU_ASSERT(!sent("two and two?"));
	CHECK_ASK("sixteen", "--conversation", "2", "and that?");
	CU_ASSERT(sent("twice that?"));
	end();
}

static void there_may_be_none_to_go_on_with(void)
{
	struct program p;

	begin("");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "-c", "hello"), ARGS(data)), 1);
	CU_ASSERT(strstr(buf_z(&p.errors), "nothing is stored yet") != NULL);
	program_free(&p);
	CHECK_ASK("four", "two and two?");
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--config", config, "--conversation", "zz", "hello"), ARGS(data)), 1);
	CU_ASSERT(strstr(buf_z(&p.errors), "there is no conversation zz") != NULL);
	program_free(&p);
	end();
}

/* The system prompt, parameters, tools and the schema go on, unless given anew; so does the model. */
static void what_it_was_held_with_goes_on(void)
{
	begin("");
	const char *tools = folder_file("tools.json", "[{\"type\":\"function\",\"function\":{\"name\":\"look\",\"parameters\":{}}}]");
	CHECK_ASK("a", "--system", "be brief", "--temperature", "0.25", "--max-tokens", "77", "--tools", tools, "-m", "other-model", "one");
	struct program p;
	program_start(&p, ARGS("ask", "--config", config, "-c", "two"), ARGS(data));
	program_end_input(&p);
	hand_say(server, "b");
	CU_ASSERT_EQUAL(program_wait(&p), 0);
	program_free(&p);
	CU_ASSERT(sent("be brief") && sent("\"temperature\":0.25") && sent("\"max_tokens\":77") && sent("\"look\"") && sent("\"other-model\""));
	CHECK_ASK("c", "-c", "--system", "be long", "--temperature", "0.5", "three");
	CU_ASSERT(!sent("be brief") && sent("be long") && sent("\"temperature\":0.5") && sent("\"max_tokens\":77") && sent("\"other-model\""));
	CHECK_ASK("d", "-c", "four");
	CU_ASSERT(sent("be long") && sent("\"temperature\":0.5"));
	end();
}

/* A question that was refused is not sent again. */
static void a_refused_question_is_set_aside(void)
{
	struct program p;

	begin("");
	CHECK_ASK("four", "two and two?");
	start(&p, ARGS("-c", "bad words"));
	CU_ASSERT(hand_accept(server));
	hand_reply(server, 400, "application/json", "{\"error\":{\"message\":\"no\"}}");
	CU_ASSERT_EQUAL(program_wait(&p), 4);
	program_free(&p);
	CHECK_ASK("eight", "-c", "twice that?");
	CU_ASSERT(sent("two and two?") && sent("twice that?") && !sent("bad words"));
	end();
}

/* --- interruptions --- */

/* Waits until the text is in the file, which takes at most a second: far less than the patience of tests. */
static bool await_stored(const char *text)
{
	int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS;

	while (check_now_ms() < end_ms) {
		if (strstr(stored(), text))
			return true;
		usleep(LOOK_US);
	}
	return false;
}

static void a_killed_answer_is_there_and_goes_on(void)
{
	struct program p;

	begin("");
	start(&p, ARGS("count"));
	CU_ASSERT(hand_accept(server));
	CU_ASSERT(await_stored("user:complete:count|")); /* before it is sent */
	hand_begin(server);
	hand_text(server, "one two ");
	CU_ASSERT(program_await_output(&p, "one two "));
	CU_ASSERT(await_stored("model:open:one two "));
	kill(p.pid, SIGKILL);
	program_wait(&p);
	program_free(&p);
	hand_close(server);
	CHECK_ASK("three", "-c", "go on");
	CU_ASSERT(sent("\"content\":\"one two \"") && sent("go on"));
	end();
}

static bool names_a_tape(struct history *h)
{
	return database_integer(h->db, "SELECT EXISTS (SELECT 1 FROM node WHERE tape IS NOT NULL)", NO_VALUES, 0);
}

/* Another program has the history locked, so that what comes last is on the tape only. */
static void what_is_on_the_tape_is_sent(void)
{
	enum history_status status;
	struct program p;

	begin("");
	start(&p, ARGS("count"));
	CU_ASSERT(hand_accept(server));
	hand_begin(server);
	hand_text(server, "one two ");
	CU_ASSERT(await_stored("model:open:one two "));
	struct history *h = history_open(1000, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	for (int64_t end_ms = check_now_ms() + CHECK_PATIENCE_MS; !names_a_tape(h) && check_now_ms() < end_ms;)
		usleep(LOOK_US);
	database_begin(h->db);
	hand_text(server, "three ");
	CU_ASSERT(program_await_output(&p, "three "));
	kill(p.pid, SIGKILL);
	program_wait(&p);
	program_free(&p);
	database_end(h->db);
	history_close(h);
	hand_close(server);
	CHECK(strstr(stored(), "model:open:one two |") != NULL, "the history has more: %s", stored());
	CHECK_ASK("four", "-c", "go on");
	CU_ASSERT(sent("\"content\":\"one two three \"") && sent("go on"));
	end();
}

/* The answer is shown whatever happens to the history; one note says that it is not kept. */
static void trouble_is_one_note(void)
{
	struct program p;

	begin("");
	folder_file("data", "not a folder");
	CU_ASSERT_EQUAL(ask(&p, "four", ARGS("two and two?")), 0);
	CHECK_STR(buf_str(&p.output), "four\n");
	CHECK(str_starts(buf_str(&p.errors), "weir: note: this conversation is not saved: the history cannot be opened: ") && str_find(buf_str(&p.errors), STR("\n")) + 1 == p.errors.len, "%s", buf_z(&p.errors));
	program_free(&p);
	end();
}

static void two_at_once_are_both_stored(void)
{
	struct program p[2];
	enum history_status status;
	int64_t row;

	begin("");
	for (int i = 0; i < 2; i++)
		start(&p[i], ARGS("at once"));
	for (int i = 0; i < 2; i++)
		hand_say(server, "yes");
	for (int i = 0; i < 2; i++) {
		CHECK(program_wait(&p[i]) == 0 && !p[i].errors.len, "%s", buf_z(&p[i].errors));
		program_free(&p[i]);
	}
	struct history *h = history_open(1000, &status, &err);
	CU_ASSERT_PTR_NOT_NULL_FATAL(h);
	CU_ASSERT(history_find(h, STR("2"), &row, &err) == HISTORY_OK);
	history_close(h);
	end();
}

/* People copy one file, and leave its WAL. */
static void the_file_alone_has_all(void)
{
	char command[400];

	begin("");
	CHECK_ASK("four", "two and two?");
	CHECK_ASK("six", "--conversation", "last", "three and three?");
	snprintf(command, sizeof command, "mkdir -m 700 -p '%s/copy/weir' && cp '%s/data/weir/history.db' '%s/copy/weir'", folder_path(), folder_path(),
	         folder_path());
	CU_ASSERT_EQUAL(system(command), 0);
	snprintf(command, sizeof command, "%s/copy", folder_path());
	setenv("XDG_DATA_HOME", command, 1);
	CHECK_STR(str_from(stored()), "user:complete:two and two?|model:complete:four|user:complete:three and three?|model:complete:six|");
	end();
}

/* --- --code and --save --- */

#define CODE "Text.\n\n```sh\nls -l\n\n# done\n```\n\n- item\n\n  ~~~\n  indented\n  ~~~\n"

static void code_prints_the_blocks_only(void)
{
	struct program p;

	begin("");
	CU_ASSERT_EQUAL(ask(&p, CODE, ARGS("--code", "code")), 0);
	CHECK_STR(buf_str(&p.output), "ls -l\n\n# done\nindented\n");
	CHECK_STR(buf_str(&p.errors), "");
	program_free(&p);
	CU_ASSERT_EQUAL(ask(&p, "no code", ARGS("--code", "code")), 0);
	CHECK_STR(buf_str(&p.output), "");
	CU_ASSERT(strstr(buf_z(&p.errors), "no block of code") != NULL);
	program_free(&p);
	CU_ASSERT_EQUAL(program_run(&p, STR_NONE, ARGS("ask", "--code", "--summary", "x"), ARGS(data)), 2);
	program_free(&p);
	end();
}

static void check_file(const char *path, const char *text)
{
	struct buf content = { 0 };

	CHECK(buf_read_file(&content, path, &err), "%s", err.text);
	CHECK_STR(buf_str(&content), text);
	buf_fini(&content);
}

static void save_never_overwrites_unasked(void)
{
	const char *path;
	struct program p;
	struct stat facts;

	begin("");
	path = folder_file("answer.md", NULL);
	CHECK_ASK("# One", "--save", path, "one");
	check_file(path, "# One");
	start(&p, ARGS("--save", path, "two"));
	CU_ASSERT_EQUAL(program_wait(&p), 2);
	CU_ASSERT(strstr(buf_z(&p.errors), "exists already: --force overwrites it") != NULL);
	program_free(&p);
	check_file(path, "# One");
	CHECK_ASK("three", "--save", path, "--force", "three");
	check_file(path, "three");
	/* An answer that is an error leaves the old file alone. */
	start(&p, ARGS("--save", path, "--force", "four"));
	CU_ASSERT(hand_accept(server));
	hand_reply(server, 400, "application/json", "{\"error\":{\"message\":\"no\"}}");
	CU_ASSERT_EQUAL(program_wait(&p), 4);
	program_free(&p);
	check_file(path, "three");
	path = folder_file("pipe", NULL);
	CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
	start(&p, ARGS("--save", path, "--force", "to a pipe"));
	CU_ASSERT_EQUAL(program_wait(&p), 2);
	program_free(&p);
	CU_ASSERT(stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode));
	start(&p, ARGS("--save", "/proc/nonexistent/x", "five"));
	CU_ASSERT_EQUAL(program_wait(&p), 2);
	program_free(&p);
	end();
}

const struct suite suite_ask_history = { "ask_history", (const struct test[]){
	TEST(an_answer_is_stored),
	TEST(a_budget_without_a_price_says_so), TEST(a_budget_that_is_spent_refuses),
	TEST(what_is_kept_is_what_was_said), TEST(a_comparison_is_kept_as_an_answer_is),
	TEST(continue_sends_the_whole_conversation),
	TEST(there_may_be_none_to_go_on_with),
	TEST(what_it_was_held_with_goes_on),
	TEST(a_refused_question_is_set_aside),
	TEST(a_killed_answer_is_there_and_goes_on), TEST(what_is_on_the_tape_is_sent),
	TEST(trouble_is_one_note),
	TEST(two_at_once_are_both_stored),
	TEST(the_file_alone_has_all),
	TEST(code_prints_the_blocks_only),
	TEST(save_never_overwrites_unasked),
	{ 0 },
} };
