/*
 * Signals from outside in every state of the program: the terminal is restored, conversation and draft are kept, and the exit status
 * names the signal. After a stop the program continues as before.
 */
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stage.h"
#include "support/check.h"

/* --- states of the program --- */

static void streams(struct stage *s)
{
	stage_ask(s, "go");
	hand_begin(s->server);
	hand_text(s->server, "Half an answer");
	PTY_SEES(s->pty, "Half an answer");
}

static void types(struct stage *s)
{
	pty_send(s->pty, "a draft");
	PTY_SEES(s->pty, "> a draft");
}

static void streams_and_types(struct stage *s)
{
	streams(s);
	types(s);
}

static void waits_with_prompts_in_line(struct stage *s)
{
	streams(s);
	pty_send(s->pty, "the next\r");
	PTY_SEES(s->pty, "1 queued");
	types(s);
}

static void has_a_menu_open(struct stage *s)
{
	streams_and_types(s);
	pty_send(s->pty, K_F4 "filter");
	PTY_SEES(s->pty, "> filter");
}

static void has_help_open(struct stage *s)
{
	streams_and_types(s);
	pty_send(s->pty, K_F1);
	PTY_SEES(s->pty, "Help");
}

static void searches(struct stage *s)
{
	streams_and_types(s);
	pty_send(s->pty, K_CTRL('f'));
	pty_send(s->pty, "answer");
	PTY_SEES(s->pty, "1 of 1");
}

static void lends_the_terminal(struct stage *s)
{
	streams_and_types(s);
	pty_send(s->pty, K_CTRL('g'));
	PTY_SEES(s->pty, "EDITOR HERE");
}

#define EDITOR "VISUAL=trap '' TERM; printf '\\033[?1049h\\033[?25lEDITOR HERE'; read line; :" /* ignores SIGTERM */

static const struct state { const char *name; void (*reach)(struct stage *s); bool streams, drafts; } states[] = {
	{ "idle", types, false, true },
	{ "streaming", streams_and_types, true, true },
	{ "nothing typed", streams, true, false },
	{ "prompts in line", waits_with_prompts_in_line, true, true },
	{ "a menu", has_a_menu_open, true, true },
	{ "help", has_help_open, true, true },
	{ "a search", searches, true, true },
	{ "an editor", lends_the_terminal, true, true },
};
#define STATES (sizeof states / sizeof *states)

static bool file_has(const char *path, const char *text)
{
	struct error err;
	struct buf content;

	buf_init(&content, 1 << 20);
	bool has = buf_read_file(&content, path, &err) && str_find(buf_str(&content), str_from(text)) < content.len;
	buf_fini(&content);
	return has;
}

static bool tape_has(const char *home, const char *text)
{
	char folder[600], path[1000];
	const struct dirent *entry;
	bool has = false;

	snprintf(folder, sizeof folder, "%s", home_path(home, ".local/state/weir/tapes"));
	DIR *ring = opendir(folder);
	while (ring && (entry = readdir(ring))) {
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		has = has || (strstr(entry->d_name, ".tape") && file_has(path, text));
	}
	if (ring)
		closedir(ring);
	return has;
}

static void check_kept(const struct stage *s, const struct state *state)
{
	const char *draft = home_path(s->home, ".local/state/weir/draft");

	CHECK(file_has(draft, "a draft") == state->drafts, "%s: the draft", state->name);
	if (state->reach == waits_with_prompts_in_line)
		CHECK(file_has(home_path(s->home, ".local/state/weir/draft"), "the next"), "%s: what was in line", state->name);
	CHECK(tape_has(s->home, "Half an answer") == state->streams, "%s: the tape", state->name);
}

/* --- the end --- */

static void every_state_is_left_in_order(void)
{
	static const int signals[] = { SIGTERM, SIGHUP, SIGQUIT };

	for (size_t i = 0; i < STATES * 3; i++) {
		const struct state *state = &states[i / 3];
		int number = signals[i % 3];
		struct stage s;

		if (number == SIGQUIT && state->reach == lends_the_terminal)
			continue; /* the signal is for the editor */
		stage_open(&s, &(struct stage_options){ .environment = LIST(EDITOR) });
		state->reach(&s);
		pty_signal(s.pty, number);
		PTY_ENDS(s.pty, 128 + number);
		PTY_RESTORED(s.pty);
		CHECK(pty_has_written(s.pty, "what had arrived is in") == state->streams, "%s, signal %d: it names the tape", state->name, number);
		check_kept(&s, state);
		stage_drop(&s);
	}
}

static void a_terminal_that_vanishes_takes_nothing_along(void)
{
	for (size_t i = 0; i < STATES; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .environment = LIST(EDITOR) });
		states[i].reach(&s);
		pty_hang_up(s.pty);
		PTY_ENDS(s.pty, 128 + SIGHUP);
		check_kept(&s, &states[i]);
		stage_drop(&s);
	}
}

/* Under nohup SIGHUP is ignored, but the terminal is gone. */
static void it_does_not_outlive_its_terminal_under_nohup(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .script = "trap '' HUP; exec \"$0\" \"$@\"" });
	streams_and_types(&s);
	pty_hang_up(s.pty);
	PTY_ENDS(s.pty, 128 + SIGHUP);
	check_kept(&s, &states[1]);
	stage_drop(&s);
}

static void a_crash_names_the_tape_in_every_state(void)
{
	for (size_t i = 1; i < STATES; i++) {
		struct stage s;
		int number = i % 2 ? SIGSEGV : SIGUSR1;

		if (states[i].reach == lends_the_terminal)
			continue; /* the program does not have the terminal in this state */
		stage_open(&s, NULL);
		states[i].reach(&s);
		pty_signal(s.pty, number);
		PTY_ENDS(s.pty, 128 + number);
		PTY_RESTORED(s.pty);
		CHECK(pty_has_written(s.pty, "what had arrived is in"), "%s", states[i].name);
		CHECK(tape_has(s.home, "Half an answer"), "%s", states[i].name);
		stage_drop(&s);
	}
}

/* Repeated signals do not prevent the terminal from being restored. */
static void many_signals_are_as_one(void)
{
	struct stage s;

	stage_open(&s, NULL);
	streams_and_types(&s);
	for (int i = 0; i < 50; i++)
		pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	PTY_RESTORED(s.pty);
	check_kept(&s, &states[1]);
	stage_drop(&s);
}

/* The text saved in the editor becomes the draft. */
static void what_an_editor_saved_is_the_draft(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .environment = LIST("VISUAL=sh -c 'echo saved in it > \"$1\"; echo EDITOR HERE; read line' sh") });
	types(&s);
	pty_send(s.pty, K_CTRL('g'));
	PTY_SEES(s.pty, "EDITOR HERE");
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	PTY_RESTORED(s.pty);
	CHECK(file_has(home_path(s.home, ".local/state/weir/draft"), "saved in it"), "the draft is what was saved");
	stage_drop(&s);
}

static void a_stopped_terminal_does_not_hold_up_the_end(void)
{
	struct buf rows;
	struct stage s;

	stage_open(&s, NULL);
	streams_and_types(&s);
	pty_settle(s.pty);
	pty_hold(s.pty, true);
	buf_init(&rows, 1 << 20);
	for (unsigned i = 0; i < 4000; i++)
		buf_add_z(&rows, "a row that is long enough to be a burden to a terminal when many of its kind come\n");
	hand_text(s.server, buf_z(&rows));
	buf_fini(&rows);
	pty_signal(s.pty, SIGTERM);
	PTY_ENDS(s.pty, 128 + SIGTERM);
	check_kept(&s, &states[1]);
	pty_hold(s.pty, false);
	stage_drop(&s);
}

/* --- continuing --- */

/* Like two Ctrl-C, but the draft is kept. Interrupts more than a second apart both count as a first one. */
static void two_interrupts_within_a_second_quit(void)
{
	struct stage s;

	stage_open(&s, NULL);
	types(&s);
	pty_signal(s.pty, SIGINT);
	PTY_SEES(s.pty, "Ctrl-C again quits");
	PTY_LOSES(s.pty, "Ctrl-C again quits"); /* after that second */
	pty_signal(s.pty, SIGINT);
	PTY_SEES(s.pty, "Ctrl-C again quits");
	PTY_SEES(s.pty, "> a draft");
	pty_signal(s.pty, SIGINT);
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	check_kept(&s, &states[0]);
	stage_drop(&s);
	stage_open(&s, NULL);
	streams(&s);
	pty_signal(s.pty, SIGINT);
	PTY_SEES(s.pty, "You stopped the answer after");
	pty_signal(s.pty, SIGINT);
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* Signals of the shell or of others: TSTP is Ctrl-Z; STOP cannot be handled. */
static void it_stops_and_comes_back(void)
{
	static const int signals[] = { 0, SIGTSTP, SIGSTOP };

	for (size_t i = 0; i < 3; i++) {
		struct stage s;

		stage_open(&s, &(struct stage_options){ .script = "set -m; \"$0\" \"$@\" & echo $! > \"$HOME/pid\"; fg >/dev/null; "
		                                                  "echo \"LEFT $?\"; read line; fg >/dev/null; echo \"OVER $?\"" });
		streams_and_types(&s);
		struct buf pid;
		struct error err;
		buf_init(&pid, 64);
		CU_ASSERT_TRUE(buf_read_file(&pid, home_path(s.home, "pid"), &err));
		if (signals[i])
			kill(atoi(buf_z(&pid)), signals[i]);
		else
			pty_send(s.pty, K_CTRL('z'));
		buf_fini(&pid);
		PTY_WAIT(s.pty, pty_shows, "LEFT 1");
		if (signals[i] != SIGSTOP)
			PTY_RESTORED(s.pty);
		hand_text(s.server, ", and then the rest.");
		pty_resize(s.pty, 30, 100);
		pty_send(s.pty, "\n");
		PTY_SEES(s.pty, "Half an answer, and then the rest.");
		STAGE_STATE(&s, "streaming");
		CU_ASSERT_TRUE(pty_is_alternate(s.pty));
		CU_ASSERT_TRUE(pty_takes_paste(s.pty));
		PTY_LOSES(s.pty, "LEFT");
		pty_send(s.pty, " goes on");
		PTY_SEES(s.pty, "> a draft goes on");
		PTY_REDRAWS(s.pty);
		hand_finish(s.server, "stop");
		STAGE_OVER(&s);
		pty_send(s.pty, "\x03\x03\x03");
		PTY_SEES(s.pty, "OVER 0");
		PTY_ENDS(s.pty, 0);
		PTY_RESTORED(s.pty);
		stage_drop(&s);
	}
}

/* The shell has the terminal: the program does not touch it or wait for it. */
static void it_ends_while_it_is_stopped(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .script = "set -m; \"$0\" \"$@\"; stty -echo -icanon; kill %1; kill -CONT %1; S=148; while [ $S = 147 ] || [ $S = 148 ]; do wait %1; S=$?; done; echo \"OVER $S\"; stty -a; exit 0" });
	streams_and_types(&s);
	pty_send(s.pty, K_CTRL('z'));
	PTY_SEES(s.pty, "OVER 143");
	PTY_SEES(s.pty, "-icanon"); /* the shell's own modes */
	PTY_ENDS(s.pty, 0);
	CU_ASSERT_FALSE(pty_is_alternate(s.pty));
	CU_ASSERT_FALSE(pty_takes_paste(s.pty));
	check_kept(&s, &states[1]);
	stage_drop(&s);
}

static void without_a_shell_it_is_not_stopped(void)
{
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, K_CTRL('z'));
	PTY_SEES(s.pty, "no shell started it");
	pty_signal(s.pty, SIGTSTP);
	pty_settle(s.pty);
	pty_signal(s.pty, SIGCONT);
	pty_send(s.pty, "goes on");
	PTY_SEES(s.pty, "> goes on");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\x15");
	stage_close(&s);
}

/* Hundreds of WINCH signals, with and without a new size, during an answer. */
static void a_storm_of_sizes_is_weathered(void)
{
	struct stage s;
	char row[40];

	stage_open(&s, NULL);
	streams_and_types(&s);
	for (unsigned i = 0; i < 600; i++) {
		if (i % 2)
			pty_signal(s.pty, SIGWINCH);
		else
			pty_resize(s.pty, 1 + (i * 7) % 50, 1 + (i * 13) % 160);
		if (i % 10 == 0) {
			snprintf(row, sizeof row, "row %u\n\n", i);
			hand_text(s.server, row);
		}
		pty_pump(s.pty);
	}
	pty_resize(s.pty, 24, 80);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 590");
	PTY_SEES(s.pty, "> a draft");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\x15");
	stage_close(&s);
}

const struct suite suite_screen_signals = { "screen_signals", (const struct test[]){
	TEST(every_state_is_left_in_order),
	TEST(a_terminal_that_vanishes_takes_nothing_along),
	TEST(it_does_not_outlive_its_terminal_under_nohup),
	TEST(a_crash_names_the_tape_in_every_state),
	TEST(many_signals_are_as_one),
	TEST(what_an_editor_saved_is_the_draft),
	TEST(a_stopped_terminal_does_not_hold_up_the_end),
	TEST(two_interrupts_within_a_second_quit),
	TEST(it_stops_and_comes_back),
	TEST(it_ends_while_it_is_stopped),
	TEST(without_a_shell_it_is_not_stopped),
	TEST(a_storm_of_sizes_is_weathered),
	{ 0 },
} };
