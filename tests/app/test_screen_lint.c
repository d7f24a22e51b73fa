/* Lint of the running turn: its count in the status bar, its rules below the answer; nothing without the setting. */
#include <stdio.h>
#include <string.h>

#include "app/program.h"
#include "base/utf8.h"
#include "stage.h"
#include "support/check.h"

#define CHUNK(delta, finish) \
	"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m-1\"," \
	"\"choices\":[{\"index\":0,\"delta\":" delta ",\"finish_reason\":" finish "}]}\n\n"
#define CLEAN CHUNK("{\"role\":\"assistant\",\"content\":\"One\"}", "null")
#define BREAKS CHUNK("{\"content\":\" two\"}", "\"\"")
#define UNUSUAL CHUNK("{\"content\":\" three\",\"tool_calls\":[]}", "null")
#define USAGE \
	"data: {\"id\":\"c1\",\"object\":\"chat.completion.chunk\",\"created\":1700000000,\"model\":\"m-1\"," \
	"\"choices\":[],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":3,\"total_tokens\":4}}\n\n"
#define END CHUNK("{}", "\"stop\"") USAGE "data: [DONE]\n\n"

static void open_and_ask(struct stage *s, const char *setting)
{
	stage_open(s, &(struct stage_options){ .top = setting });
	stage_ask(s, "go");
	hand_answer(s->server, 200, "text/event-stream");
	hand_send(s->server, CLEAN);
	PTY_SEES(s->pty, " One");
	CHECK(!strstr(pty_row(s->pty, 23), "lint"), "%s", pty_row(s->pty, 23));
	hand_send(s->server, BREAKS);
	PTY_SEES(s->pty, "One two");
	hand_send(s->server, UNUSUAL);
	PTY_SEES(s->pty, "One two three");
}

static void finish(struct stage *s)
{
	hand_send(s->server, END);
	hand_close(s->server);
	STAGE_STATE(s, "ready");
}

static void findings_are_counted_while_the_turn_runs(void)
{
	struct stage s;

	open_and_ask(&s, "lint = strict\n");
	PTY_SEES(s.pty, "lint 2");
	finish(&s);
	PTY_SEES(s.pty, "lint: 2 findings: finish-empty, tool-calls-empty");
	PTY_LOSES(s.pty, "lint 2");
	stage_close(&s);
}

static void what_is_unusual_counts_only_if_strict(void)
{
	struct stage s;

	open_and_ask(&s, "lint = dialect\n");
	PTY_SEES(s.pty, "lint 1");
	finish(&s);
	PTY_SEES(s.pty, "lint: 1 finding: finish-empty");
	stage_close(&s);
}

static void nothing_is_checked_without_the_setting(void)
{
	struct stage s;

	open_and_ask(&s, NULL);
	CHECK(!strstr(pty_row(s.pty, 23), "lint"), "%s", pty_row(s.pty, 23));
	finish(&s);
	CHECK(pty_find_row(s.pty, "lint") < 0, "%s", "lint is on the screen");
	stage_close(&s);
}

/* --- in the inspector --- */

/* Where "lint" stands in the status bar is clicked, as a terminal reports it. */
static void click_lint(struct pty *p, unsigned row)
{
	const char *at = strstr(pty_row(p, row), "lint ");
	char press[60];

	CHECK(at != NULL, "%s", pty_row(p, row));
	unsigned column = at ? (unsigned)utf8_width(str_of(pty_row(p, row), (size_t)(at - pty_row(p, row)))) + 2 : 1;
	snprintf(press, sizeof press, "\x1b[<0;%u;%uM\x1b[<0;%u;%um", column, row + 1, column, row + 1);
	pty_send(p, press);
}

/* While it runs, by a click on the figure; each further step goes to the next one, and round. */
static void findings_open_in_the_inspector(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .top = "lint = strict\n", .columns = 140, .rows = 40 });
	stage_ask(&s, "go");
	hand_answer(s.server, 200, "text/event-stream");
	hand_send(s.server, CLEAN);
	PTY_SEES(s.pty, " One");
	hand_send(s.server, BREAKS);
	PTY_SEES(s.pty, "One two");
	hand_send(s.server, UNUSUAL);
	PTY_SEES(s.pty, "lint 2");
	click_lint(s.pty, 39);
	PTY_SEES(s.pty, "! breaks clients: finish_reason is empty");
	PTY_SEES(s.pty, "finish-empty: finish_reason is null until the end");
	PTY_SEES(s.pty, "2 of 3");
	pty_send(s.pty, "l");
	PTY_SEES(s.pty, "! unusual: tool_calls is empty");
	PTY_SEES(s.pty, "3 of 3");
	pty_send(s.pty, "l");
	PTY_SEES(s.pty, "2 of 3");
	hand_send(s.server, END);
	hand_close(s.server);
	PTY_SEES(s.pty, "lint: 2 findings: finish-empty, tool-calls-empty");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "breaks clients");
	pty_enter(s.pty, "/findings"); /* of a past answer */
	PTY_SEES(s.pty, "! breaks clients: finish_reason is empty");
	stage_close(&s);
}

/* --- a replay --- */

#define STEP(t, body) "{\"t\":" #t ",\"body\":\"" body "\"}\n"
#define QUOTED(delta, finish) \
	"data: {\\\"id\\\":\\\"c1\\\",\\\"object\\\":\\\"chat.completion.chunk\\\",\\\"created\\\":1700000000,\\\"model\\\":\\\"m-1\\\"," \
	"\\\"choices\\\":[{\\\"index\\\":0,\\\"delta\\\":{\\\"content\\\":\\\"" delta "\\\"},\\\"finish_reason\\\":" finish "}]}\\n\\n"
#define TAPE \
	"{\"weir_tape\":1,\"protocol\":\"openai-chat\",\"model\":\"m-1\"}\n{\"t\":1,\"head\":{\"status\":200,\"content_type\":\"text/event-stream\"}}\n" \
	STEP(2, QUOTED("one", "\\\"\\\"")) STEP(90000, QUOTED(" two", "\\\"\\\"")) STEP(90001, QUOTED(" three", "\\\"stop\\\"") "data: [DONE]\\n\\n") \
	"{\"t\":90002,\"end\":\"closed\"}\n"

/* As the answer was counted when it came; going back takes findings back, too. */
static void a_replay_counts_up_to_its_position(void)
{
	char *home = home_new();
	struct pty *p;

	home_write(home, ".config/weir/weir.conf", "lint = dialect\n");
	p = pty_start(&(struct pty_options){ .home = home, .columns = 100, .arguments = LIST("replay", folder_file("a.tape", TAPE)) });
	PTY_SEES(p, "one");
	PTY_SEES(p, "lint 1");
	pty_send(p, " .");
	PTY_SEES(p, "one two");
	PTY_SEES(p, "lint 2");
	pty_send(p, ",");
	PTY_LOSES(p, "two");
	PTY_SEES(p, "lint 1");
	pty_send(p, ",");
	PTY_SEES(p, "frame 0 of 4");
	PTY_LOSES(p, "lint");
	pty_send(p, ".....");
	PTY_SEES(p, "at the end");
	PTY_SEES(p, "lint: 2 findings: finish-empty");
	pty_send(p, ",,,,");
	PTY_SEES(p, "lint 1");
	PTY_LOSES(p, "lint: ");
	pty_send(p, "q");
	PTY_ENDS(p, 0);
	pty_free(p);
	home_free(home);
	folder_remove();
}

const struct suite suite_screen_lint = { "screen_lint", (const struct test[]){
	TEST(findings_are_counted_while_the_turn_runs), TEST(what_is_unusual_counts_only_if_strict), TEST(nothing_is_checked_without_the_setting),
 TEST(a_replay_counts_up_to_its_position),
	TEST(findings_open_in_the_inspector), { 0 } } };
