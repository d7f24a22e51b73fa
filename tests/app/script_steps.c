#include "app/script_steps.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/program.h"
#include "app/setup/settings_watch.h"
#include "app/stored.h"
#include "app/typing.h"
#include "base/array.h"
#include "base/os/folder_watch.h"
#include "base/utf8.h"
#include "support/check.h"
#include "support/golden.h"
#include "ui/term/key.h"

#define HERE p->file, (int)p->line
#define STORED_MOST 16

/* --- before the start --- */

static struct stored stored[STORED_MOST]; /* of the play under way */
static size_t stored_count;

static void furnish(const char *home)
{
	stored_write(home, stored, stored_count);
}

static void take_stored(struct play *p, const char *const *texts)
{
	const char *how = texts[6] ? texts[6] : "";

	CU_ASSERT_FATAL(stored_count < STORED_MOST);
	stored[stored_count++] = (struct stored){ texts[0], texts[1], texts[2], texts[3], (unsigned)atoi(texts[4]), atoi(texts[5]),
	                                          strstr(how, "pinned") != NULL, strstr(how, "asked") != NULL };
	p->options.furnish = furnish;
}

static void take_top(struct play *p, const char *const *texts)
{
	buf_printf(&p->top, "%s\n", texts[0]);
}

static void take_provider(struct play *p, const char *const *texts)
{
	buf_printf(&p->settings, "%s\n", texts[0]);
}

static void take_mcp(struct play *p, const char *const *texts)
{
	buf_printf(&p->settings, "[mcp fake]\ncommand = %s\n %s\n", mcp_server_path(), texts[0] ? texts[0] : "");
}

static void take_two(struct play *p, const char *const *texts)
{
	(void)texts;
	p->hands[1] = hand_new();
	buf_printf(&p->settings, "[provider two]\nbase_url = http://127.0.0.1:%u/v1\nauth = none\nretries = 0\nmodel = m-2\n", hand_port(p->hands[1]));
}

static void add(const char *list[SCRIPT_LIST], const char *text)
{
	size_t count = 0;

	while (list[count])
		count++;
	CU_ASSERT_FATAL(count + 1 < SCRIPT_LIST);
	list[count] = text;
}

static void take_argument(struct play *p, const char *const *texts) { add(p->arguments, texts[0]); }
static void take_environment(struct play *p, const char *const *texts) { add(p->variables, texts[0]); }
static void take_shell(struct play *p, const char *const *texts) { (void)texts, p->options.script = STAGE_SHELL; }
static void take_no_history(struct play *p, const char *const *texts) { (void)texts, p->options.has_no_history = true; }

static const char *size_fault(const char *text)
{
	unsigned columns, rows;
	int end = 0;

	return sscanf(text, "%ux%u%n", &columns, &rows, &end) == 2 && !text[end] ? NULL : "it is no size, as 80x24";
}

static void read_size(const char *text, unsigned *rows, unsigned *columns)
{
	(void)sscanf(text, "%ux%u", columns, rows);
}

static void take_screen(struct play *p, const char *const *texts)
{
	read_size(texts[0], &p->options.rows, &p->options.columns);
}

/* --- keys --- */

static const char *keys_fault(const char *text)
{
	struct str rest = str_from(text), word;
	struct key key;

	while (str_split(&rest, ' ', &word))
		if (!key_from_name(word, &key))
			return "not all of its words are keys";
	return NULL;
}

static void take_keys(struct play *p, const char *const *texts)
{
	struct str rest = str_from(texts[0]), word;
	char name[64], bytes[TYPING_BYTES];

	while (str_split(&rest, ' ', &word)) {
		snprintf(name, sizeof name, "%.*s", STR_ARG(word));
		pty_press(p->stage.pty, typing(name, bytes));
	}
}

static void take_type(struct play *p, const char *const *texts) { pty_press(p->stage.pty, texts[0]); }
static void take_letters(struct play *p, const char *const *texts) { pty_type(p->stage.pty, texts[0]); }
static void take_enter(struct play *p, const char *const *texts) { pty_enter(p->stage.pty, texts[0] ? texts[0] : ""); }
static void take_paste(struct play *p, const char *const *texts) { pty_paste(p->stage.pty, texts[0]); }

/* The place of a text on the screen, as the mouse reports it: from 1; false: it is not there. */
static bool find_text(struct play *p, const char *step, const char *text, unsigned *row, unsigned *column)
{
	bool found = pty_find(p->stage.pty, text, row, column);

	if (!found)
		check_that(false, step, HERE, "%s is not on the screen\n%s", text, pty_dump(p->stage.pty));
	++*row;
	++*column;
	return found;
}

/* Clicks in one write, which follow each other at once. */
static void click_times(struct play *p, const char *step, const char *const *texts, unsigned times)
{
	unsigned row, column, aside = texts[1] ? (unsigned)atoi(texts[1]) : 0;
	struct buf bytes = { 0 };

	if (!find_text(p, step, texts[0], &row, &column))
		return;
	for (unsigned i = 0; i < times; i++)
		buf_printf(&bytes, "\x1B[<0;%u;%uM\x1B[<0;%u;%um", column + aside, row, column + aside, row);
	pty_press(p->stage.pty, buf_z(&bytes));
	buf_fini(&bytes);
}

static void take_click(struct play *p, const char *const *texts) { click_times(p, "click", texts, 1); }
static void take_double(struct play *p, const char *const *texts) { click_times(p, "double-click", texts, 2); }
static void take_triple(struct play *p, const char *const *texts) { click_times(p, "triple-click", texts, 3); }

static void take_drag(struct play *p, const char *const *texts)
{
	unsigned row, column, to_row, to_column;
	char bytes[96];

	if (!find_text(p, "drag", texts[0], &row, &column) || !find_text(p, "drag", texts[1], &to_row, &to_column))
		return;
	to_column += (unsigned)utf8_width(str_from(texts[1])) - 1;
	snprintf(bytes, sizeof bytes, "\x1B[<0;%u;%uM\x1B[<32;%u;%uM\x1B[<0;%u;%um", column, row, to_column, to_row, to_column, to_row);
	pty_press(p->stage.pty, bytes);
}

/* --- the terminal and the program --- */

static void take_resize(struct play *p, const char *const *texts)
{
	unsigned rows = 0, columns = 0;

	read_size(texts[0], &rows, &columns);
	pty_resize(p->stage.pty, rows, columns);
}

static void take_clock(struct play *p, const char *const *texts) { pty_turn(p->stage.pty, atoi(texts[0])); }
static void take_signal(struct play *p, const char *const *texts) { pty_signal(p->stage.pty, atoi(texts[0])); }
static void take_continues(struct play *p, const char *const *texts) { (void)texts, STAGE_GOES_ON(&p->stage); }
static void take_restart(struct play *p, const char *const *texts) { (void)texts, stage_restart(&p->stage); }
static void take_drop(struct play *p, const char *const *texts) { (void)texts, p->is_over = true; }

static void take_stops(struct play *p, const char *const *texts)
{
	(void)texts;
	pty_wait(p->stage.pty, pty_shows, "STOPPED", "that it stops", HERE);
}

static void take_ends(struct play *p, const char *const *texts)
{
	pty_wait_end(p->stage.pty, atoi(texts[0]), HERE);
	p->is_over = true;
}

static void take_restored(struct play *p, const char *const *texts)
{
	(void)texts;
	pty_check_restored(p->stage.pty, HERE);
}

static void take_file(struct play *p, const char *const *texts)
{
	home_write(p->stage.home, texts[0], texts[1] ? texts[1] : "");
	if (!folder_watch_is_there)
		pty_turn(p->stage.pty, SETTINGS_LOOK_MS);
}

/* --- waiting --- */

static void take_see(struct play *p, const char *const *texts) { pty_wait(p->stage.pty, pty_shows, texts[0], texts[0], HERE); }
static void take_lose(struct play *p, const char *const *texts) { pty_wait(p->stage.pty, pty_hides, texts[0], texts[0], HERE); }
static void take_tell(struct play *p, const char *const *texts) { pty_wait(p->stage.pty, pty_tells, texts[0], texts[0], HERE); }
static void take_state(struct play *p, const char *const *texts) { pty_wait(p->stage.pty, stage_has_state, texts[0], texts[0], HERE); }
static void take_see_later(struct play *p, const char *const *texts) { pty_wait_turning(p->stage.pty, pty_shows, texts[0], texts[0], HERE); }
static void take_tell_later(struct play *p, const char *const *texts) { pty_wait_turning(p->stage.pty, pty_tells, texts[0], texts[0], HERE); }
static void take_lose_later(struct play *p, const char *const *texts) { pty_wait_turning(p->stage.pty, pty_hides, texts[0], texts[0], HERE); }
static void take_settle(struct play *p, const char *const *texts) { (void)texts, pty_settle(p->stage.pty); }
static void take_redraws(struct play *p, const char *const *texts) { (void)texts, pty_check_redraw(p->stage.pty, HERE); }

static void take_over(struct play *p, const char *const *texts)
{
	(void)texts;
	pty_wait(p->stage.pty, pty_hides, "Esc stop", "the end of the answer", HERE);
}

static bool row_of_input_is(struct pty *p, const void *text)
{
	return !strcmp(pty_row(p, pty_rows(p) - 2), text);
}

static void take_input(struct play *p, const char *const *texts)
{
	pty_wait(p->stage.pty, row_of_input_is, texts[0], texts[0], HERE);
}

static void take_writes(struct play *p, const char *const *texts) { pty_wait(p->stage.pty, pty_has_written, texts[0], texts[0], HERE); }

static void take_golden(struct play *p, const char *const *texts)
{
	char name[80];

	snprintf(name, sizeof name, "%s-%ux%u", texts[0], pty_columns(p->stage.pty), pty_rows(p->stage.pty));
	golden_check(name, str_from(pty_dump(p->stage.pty)));
}

/* --- looking --- */

static void look(struct play *p, bool good, const char *step, const char *text)
{
	check_that(good, step, HERE, "%s\n%s", text, pty_dump(p->stage.pty));
}

static void take_shows(struct play *p, const char *const *texts) { look(p, pty_shows(p->stage.pty, texts[0]), "shows", texts[0]); }
static void take_hides(struct play *p, const char *const *texts) { look(p, pty_hides(p->stage.pty, texts[0]), "hides", texts[0]); }
static void take_wrote(struct play *p, const char *const *texts) { look(p, pty_has_written(p->stage.pty, texts[0]), "wrote", texts[0]); }
static void take_not_wrote(struct play *p, const char *const *texts) { look(p, !pty_has_written(p->stage.pty, texts[0]), "not-wrote", texts[0]); }
static void take_has_file(struct play *p, const char *const *texts) { look(p, home_has(p->stage.home, texts[0]), "has-file", texts[0]); }
static void take_no_file(struct play *p, const char *const *texts) { look(p, !home_has(p->stage.home, texts[0]), "no-file", texts[0]); }

static void take_above(struct play *p, const char *const *texts)
{
	int row = pty_find_row(p->stage.pty, texts[0]);

	look(p, row >= 0 && row < pty_find_row(p->stage.pty, texts[1]), "above", texts[1]);
}

static void take_beside(struct play *p, const char *const *texts)
{
	int row = pty_find_row(p->stage.pty, texts[0]);

	look(p, row >= 0 && strstr(pty_row(p->stage.pty, (unsigned)row), texts[1]), "beside", texts[1]);
}

/* --- the server --- */

static void has(struct play *p, const char *where, bool wanted, const char *step, const char *text)
{
	check_that((strstr(where, text) != NULL) == wanted, step, HERE, "%s\n%s", text, where);
}

static void take_sent(struct play *p, const char *const *texts) { has(p, hand_body(p->hand), true, "sent", texts[0]); }
static void take_not_sent(struct play *p, const char *const *texts) { has(p, hand_body(p->hand), false, "not-sent", texts[0]); }
static void take_head(struct play *p, const char *const *texts) { has(p, hand_head(p->hand), true, "head", texts[0]); }
static void take_not_head(struct play *p, const char *const *texts) { has(p, hand_head(p->hand), false, "not-head", texts[0]); }
static void take_ask(struct play *p, const char *const *texts) { stage_ask(&p->stage, texts[0]); }
static void take_begin(struct play *p, const char *const *texts) { stage_begin(&p->stage, texts[0]); }
static void take_turn(struct play *p, const char *const *texts) { stage_turn(&p->stage, texts[0], texts[1]); }
static void take_accept(struct play *p, const char *const *texts) { (void)texts, hand_accept(p->hand); }
static void take_stream(struct play *p, const char *const *texts) { (void)texts, hand_begin(p->hand); }
static void take_text(struct play *p, const char *const *texts) { hand_text(p->hand, texts[0]); }
static void take_reasoning(struct play *p, const char *const *texts) { hand_reasoning(p->hand, texts[0]); }
static void take_delta(struct play *p, const char *const *texts) { hand_delta(p->hand, texts[0]); }
static void take_finish(struct play *p, const char *const *texts) { hand_finish(p->hand, texts[0] ? texts[0] : "stop"); }
static void take_whole(struct play *p, const char *const *texts) { hand_whole(p->hand, texts[0], "stop"); }
static void take_say(struct play *p, const char *const *texts) { hand_say(p->hand, texts[0]); }
static void take_send(struct play *p, const char *const *texts) { hand_send(p->hand, texts[0]); }
static void take_hold(struct play *p, const char *const *texts) { (void)texts, hand_hold(p->hand); }
static void take_release(struct play *p, const char *const *texts) { (void)texts, hand_release(p->hand); }
static void take_close(struct play *p, const char *const *texts) { (void)texts, hand_close(p->hand); }
static void take_left(struct play *p, const char *const *texts) { (void)texts, check_that(hand_is_left(p->hand), "left", HERE, "the connection is open"); }

/* "200 application/json" */
static const char *head_fault(const char *text)
{
	return atoi(text) > 99 && strchr(text, ' ') ? NULL : "it is no status and content type";
}

static void take_reply(struct play *p, const char *const *texts) { hand_reply(p->hand, atoi(texts[0]), strchr(texts[0], ' ') + 1, texts[1]); }
static void take_answer(struct play *p, const char *const *texts) { hand_answer(p->hand, atoi(texts[0]), strchr(texts[0], ' ') + 1); }

static const char *server_fault(const char *text)
{
	return !strcmp(text, "hand") || !strcmp(text, "two") ? NULL : "the servers are hand and two";
}

static void take_at(struct play *p, const char *const *texts)
{
	p->hand = p->hands[!strcmp(texts[0], "two")];
	check_that(p->hand != NULL, "at", HERE, "the step \"server-two\" is missing");
}

static const char *rows_fault(const char *text)
{
	unsigned first, count;
	int end = 0;

	return sscanf(text, "%u %u%n", &first, &count, &end) == 2 && !text[end] ? NULL : "it is no number of the first row and of rows";
}

static void take_rows(struct play *p, const char *const *texts)
{
	unsigned first = 0, count = 0;

	(void)sscanf(texts[0], "%u %u", &first, &count);
	stage_rows(&p->stage, first, count);
}

/* --- the table --- */

static const struct script_step steps[] = {
	{ "top", take_top, 1, 1, true, NULL }, { "provider", take_provider, 1, 1, true, NULL }, { "mcp", take_mcp, 0, 1, true, NULL },
	{ "server-two", take_two, 0, 0, true, NULL },
	{ "argument", take_argument, 1, 1, true, NULL }, { "environment", take_environment, 1, 1, true, NULL }, { "shell", take_shell, 0, 0, true, NULL },
	{ "no-history", take_no_history, 0, 0, true, NULL }, { "stored", take_stored, 6, 7, true, NULL }, { "screen", take_screen, 1, 1, true, size_fault },
	{ "keys", take_keys, 1, 1, false, keys_fault }, { "type", take_type, 1, 1, false, NULL }, { "letters", take_letters, 1, 1, false, NULL },
	{ "enter", take_enter, 0, 1, false, NULL }, { "paste", take_paste, 1, 1, false, NULL }, { "click", take_click, 1, 2, false, NULL },
	{ "double-click", take_double, 1, 2, false, NULL }, { "triple-click", take_triple, 1, 2, false, NULL },
	{ "drag", take_drag, 2, 2, false, NULL },
	{ "resize", take_resize, 1, 1, false, size_fault }, { "clock", take_clock, 1, 1, false, NULL }, { "signal", take_signal, 1, 1, false, NULL },
	{ "stops", take_stops, 0, 0, false, NULL }, { "continues", take_continues, 0, 0, false, NULL }, { "restart", take_restart, 0, 0, false, NULL },
	{ "drop", take_drop, 0, 0, false, NULL }, { "ends", take_ends, 1, 1, false, NULL }, { "restored", take_restored, 0, 0, false, NULL },
	{ "file", take_file, 1, 2, false, NULL },
	{ "see", take_see, 1, 1, false, NULL }, { "lose", take_lose, 1, 1, false, NULL }, { "tell", take_tell, 1, 1, false, NULL },
	{ "state", take_state, 1, 1, false, NULL }, { "tell-later", take_tell_later, 1, 1, false, NULL },
	{ "see-later", take_see_later, 1, 1, false, NULL }, { "lose-later", take_lose_later, 1, 1, false, NULL },
	{ "settle", take_settle, 0, 0, false, NULL }, { "redraws", take_redraws, 0, 0, false, NULL }, { "over", take_over, 0, 0, false, NULL },
	{ "input", take_input, 1, 1, false, NULL }, { "writes", take_writes, 1, 1, false, NULL },
	{ "golden", take_golden, 1, 1, false, NULL },
	{ "shows", take_shows, 1, 1, false, NULL }, { "hides", take_hides, 1, 1, false, NULL }, { "wrote", take_wrote, 1, 1, false, NULL },
	{ "not-wrote", take_not_wrote, 1, 1, false, NULL }, { "has-file", take_has_file, 1, 1, false, NULL },
	{ "no-file", take_no_file, 1, 1, false, NULL }, { "above", take_above, 2, 2, false, NULL }, { "beside", take_beside, 2, 2, false, NULL },
	{ "sent", take_sent, 1, 1, false, NULL }, { "not-sent", take_not_sent, 1, 1, false, NULL }, { "head", take_head, 1, 1, false, NULL },
	{ "not-head", take_not_head, 1, 1, false, NULL },
	{ "ask", take_ask, 1, 1, false, NULL }, { "begin", take_begin, 1, 1, false, NULL }, { "turn", take_turn, 2, 2, false, NULL },
	{ "accept", take_accept, 0, 0, false, NULL }, { "stream", take_stream, 0, 0, false, NULL }, { "text", take_text, 1, 1, false, NULL },
	{ "reasoning", take_reasoning, 1, 1, false, NULL }, { "delta", take_delta, 1, 1, false, NULL }, { "finish", take_finish, 0, 1, false, NULL },
	{ "whole", take_whole, 1, 1, false, NULL }, { "say", take_say, 1, 1, false, NULL }, { "reply", take_reply, 2, 2, false, head_fault },
	{ "answer", take_answer, 1, 1, false, head_fault }, { "send", take_send, 1, 1, false, NULL }, { "hold", take_hold, 0, 0, false, NULL },
	{ "release", take_release, 0, 0, false, NULL }, { "close", take_close, 0, 0, false, NULL }, { "left", take_left, 0, 0, false, NULL },
	{ "at", take_at, 1, 1, false, server_fault }, { "rows", take_rows, 1, 1, false, rows_fault },
};

const struct script_step *script_step(struct str name)
{
	for (size_t i = 0; i < ARRAY_LEN(steps); i++)
		if (str_is(name, steps[i].name))
			return &steps[i];
	return NULL;
}

/* --- the program --- */

void play_open(struct play *p)
{
	if (p->is_open)
		return;
	p->is_open = true;
	p->options.top = buf_z(&p->top);
	p->options.settings = buf_z(&p->settings);
	p->options.arguments = p->arguments;
	p->options.environment = p->variables;
	p->options.turns = true;
	stage_open(&p->stage, &p->options);
	p->hand = p->hands[0] = p->stage.server;
}

void play_close(struct play *p)
{
	if (p->is_open && !p->is_over)
		stage_close(&p->stage);
	else if (p->is_open)
		stage_drop(&p->stage);
	hand_free(p->hands[1]);
	buf_fini(&p->top);
	buf_fini(&p->settings);
	stored_count = 0;
}
