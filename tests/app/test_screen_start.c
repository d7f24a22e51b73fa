/* Start and end of the full screen: a first start, every way to quit, and the state of the terminal afterwards. */
#include <pty.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stage.h"
#include "support/check.h"
#include "support/environment.h"
#include "support/home.h"

static struct pty *start(unsigned rows, unsigned columns, const char *const *arguments, const char *const *environment)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = rows, .columns = columns, .arguments = arguments, .environment = environment });

	PTY_SEES(p, "A live view of what models say.");
	PTY_WAIT(p, stage_has_state, "ready");
	return p;
}

static void quit(struct pty *p)
{
	pty_send(p, K_CTRL('d'));
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

static void a_newcomer_sees_the_demo(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	PTY_SEES(p, "demo \u00b7 demo-1 \u00b7 openai-chat");
	PTY_SEES(p, "show me reasoning");
	PTY_SEES(p, "? help");
	PTY_SEES(p, "demo-1 \u00b7 demo ");
	CU_ASSERT_TRUE(pty_is_alternate(p));
	CU_ASSERT_TRUE(pty_takes_paste(p));
	CU_ASSERT_TRUE(pty_cursor_is_shown(p));
	CU_ASSERT_EQUAL(pty_cursor_row(p), 22);
	CU_ASSERT_EQUAL(pty_cursor_column(p), 3);
	CHECK_STR(str_from(pty_row(p, 22)), " >");
	quit(p);
}

static void a_newcomer_chats_with_the_demo(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	pty_send(p, "hello");
	PTY_SEES(p, " > hello");
	CU_ASSERT_EQUAL(pty_cursor_column(p), 8);
	pty_send(p, "\r");
	PTY_WAIT(p, stage_has_state, "streaming");
	PTY_SEES(p, "Hello! I am the built-in demo.");
	PTY_SEES(p, "Esc stop");
	PTY_SEES(p, "out");
	CHECK(pty_find_row(p, "\u258C hello") == 0, "the prompt stands at the top: %s", pty_dump(p));
	CHECK_STR(str_from(pty_row(p, 22)), " >");
	pty_send(p, K_ESC);
	PTY_SEES(p, "You stopped the answer after");
	PTY_WAIT(p, stage_has_state, "ready");
	PTY_REDRAWS(p);
	quit(p);
}

/* A home without settings, and a key of the provider sansa, whose server the test is. */
static struct pty *start_keyed(const struct hand *server)
{
	char base[100];

	snprintf(base, sizeof base, "SANSA_BASE_URL=http://127.0.0.1:%u/v1", hand_port(server));
	struct pty *p = pty_start(&(struct pty_options){ .environment = LIST("SANSA_API_KEY=sk-test", base) });
	PTY_WAIT(p, stage_has_state, "ready");
	return p;
}

/* A prompt has been sent: it and this model are in the request, and its answer is seen. */
static void check_answer(struct hand *server, struct pty *p, const char *model)
{
	hand_accept(server);
	CHECK(strstr(hand_body(server), model) && strstr(hand_body(server), "hello"), "%s", hand_body(server));
	hand_whole(server, "Good day.", "stop");
	PTY_SEES(p, "Good day.");
	PTY_WAIT(p, stage_has_state, "ready");
	quit(p);
	hand_free(server);
}

/* Start, type, Enter: the preset names the model. */
static void a_key_in_the_environment_is_enough_for_an_answer(void)
{
	struct hand *server = hand_new();
	struct pty *p = start_keyed(server);

	PTY_SEES(p, "sansa-auto");
	pty_send(p, "hello\r");
	check_answer(server, p, "\"sansa-auto\"");
}

/* A name that has gone out of use leads to the list; the prompt is in the input again. */
static void a_preset_model_that_the_server_does_not_know_opens_the_list(void)
{
	struct hand *server = hand_new();
	struct pty *p = start_keyed(server);

	pty_send(p, "hello\r");
	hand_accept(server);
	hand_reply(server, 404, "application/json", "{\"error\":{\"message\":\"no such model\",\"code\":\"model_not_found\"}}");
	hand_accept(server);
	hand_reply(server, 200, "application/json", "{\"data\":[{\"id\":\"m-1\"},{\"id\":\"m-2\"}]}");
	PTY_SEES(p, "m-2");
	pty_press(p, "m-2");
	PTY_SEES(p, "> m-2");
	pty_press(p, "\r");
	PTY_SEES(p, "model m-2 from the next turn on");
	pty_send(p, "\r");
	check_answer(server, p, "\"m-2\"");
}

/* At another URL the preset's model means nothing: Enter lists the models, Enter again takes the first one and sends the prompt. */
static void at_another_url_the_first_model_of_the_list_is_offered(void)
{
	struct hand *server = hand_new();
	char base[100];

	snprintf(base, sizeof base, "OPENAI_BASE_URL=http://127.0.0.1:%u/v1", hand_port(server));
	struct pty *p = pty_start(&(struct pty_options){ .environment = LIST("OPENAI_API_KEY=sk-test", base) });
	PTY_WAIT(p, stage_has_state, "ready");
	pty_send(p, "hello");
	PTY_SEES(p, "> hello");
	pty_press(p, "\r");
	hand_accept(server);
	hand_reply(server, 200, "application/json", "{\"data\":[{\"id\":\"m-1\"},{\"id\":\"m-2\"}]}");
	PTY_SEES(p, "> m-1");
	pty_press(p, "\r");
	check_answer(server, p, "\"m-1\"");
}

static void ctrl_d_types_nothing_and_quits_only_on_an_empty_line(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	pty_send(p, "abc" K_LEFT K_LEFT "\x04");
	PTY_SEES(p, " > ac");
	pty_send(p, "\x7F\x04");
	PTY_LOSES(p, " > a");
	quit(p);
}

static void ctrl_c_clears_hints_and_quits(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	pty_send(p, "abc");
	PTY_SEES(p, " > abc");
	pty_send(p, "\x03");
	PTY_LOSES(p, " > abc");
	PTY_WAIT(p, stage_has_state, "ready"); /* cleared, no hint */
	pty_send(p, "\x03\x03"); /* both at once: a Ctrl-C after the terminal is restored is a signal */
	PTY_ENDS(p, 0);
	PTY_RESTORED(p);
	pty_free(p);
}

static void ctrl_c_on_an_empty_line_says_how_to_quit(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	pty_send(p, "\x03");
	PTY_SEES(p, "Ctrl-C again quits");
	pty_send(p, "\x04");
	PTY_ENDS(p, 0);
	pty_free(p);
}

/* --- ends --- */

static void signals_leave_the_terminal_as_it_was(void)
{
	static const struct { int number, status; } cases[] = {
		{ SIGTERM, 128 + SIGTERM }, { SIGHUP, 128 + SIGHUP }, { SIGQUIT, 128 + SIGQUIT }, { SIGSEGV, 128 + SIGSEGV }, { SIGABRT, 128 + SIGABRT }, { SIGFPE, 128 + SIGFPE },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = start(0, 0, NULL, NULL);

		pty_send(p, "half a prompt");
		PTY_SEES(p, "half a prompt");
		pty_signal(p, cases[i].number);
		PTY_ENDS(p, cases[i].status);
		PTY_RESTORED(p);
		pty_free(p);
	}
}

static void a_crash_while_streaming_leaves_the_terminal_as_it_was(void)
{
	struct pty *p = start(0, 0, LIST("--theme", "dark"), NULL);

	pty_send(p, "hello\r");
	PTY_SEES(p, "Hello! I am");
	pty_signal(p, SIGSEGV);
	PTY_ENDS(p, 128 + SIGSEGV);
	PTY_RESTORED(p);
	pty_free(p);
}

static void the_terminal_may_go_away(void)
{
	struct pty *p = start(0, 0, NULL, NULL);

	pty_hang_up(p);
	PTY_ENDS(p, 128 + SIGHUP);
	pty_free(p);
}

/* --- terminals --- */

/* Runs the program in a script, with or without a controlling terminal, in a home of its own. */
static void check_in_script(bool has_terminal)
{
	char text[512] = "", *home = home_new();
	int ends[2], master = -1, status = -1;

	CU_ASSERT_EQUAL_FATAL(pipe(ends), 0);
	pid_t pid = has_terminal ? forkpty(&master, NULL, NULL, NULL) : fork();
	if (pid == 0) {
		const char *program = getenv("WEIR") ? getenv("WEIR") : "build/weir";

		setsid();
		environment_of_child(home, NULL);
		for (int fd = 0; fd < 3; fd++)
			dup2(ends[1], fd);
		close(ends[0]);
		execl(program, "weir", (char *)NULL);
		_exit(126);
	}
	close(ends[1]);
	ssize_t n = read(ends[0], text, sizeof text - 1);
	close(ends[0]);
	waitpid(pid, &status, 0);
	CU_ASSERT_TRUE(n > 0 && WIFEXITED(status));
	CU_ASSERT_EQUAL(WEXITSTATUS(status), 2);
	CHECK(strstr(text, "ask") != NULL, "it said: %s", text);
	CHECK(strchr(text, '\n') == text + strlen(text) - 1, "one line: %s", text);
	if (master >= 0)
		close(master);
	home_free(home);
}

static void without_a_terminal_it_names_ask(void)
{
	check_in_script(false);
	check_in_script(true);
}

static bool has_set_colour(struct pty *p)
{
	char colour[16];

	for (unsigned i = 0; i < 8; i++) {
		snprintf(colour, sizeof colour, "\x1B[3%um", i);
		if (pty_has_written(p, colour))
			return true;
	}
	return pty_has_written(p, "\x1B[38;") || pty_has_written(p, ";38;5;");
}

static void plain_terminals_are_driven_without_colour(void)
{
	const char *const *const cases[] = { LIST("TERM=vt100"), LIST("NO_COLOR=1"), LIST("TERM=vt220") };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = start(0, 0, NULL, cases[i]);

		pty_send(p, "hello\r");
		PTY_SEES(p, "Hello! I am the built-in demo.");
		CHECK(!pty_is_coloured(p), "case %zu", i);
		CHECK(!has_set_colour(p), "case %zu: no colour is ever set", i);
		pty_send(p, K_ESC);
		PTY_SEES(p, "You stopped the answer");
		quit(p);
	}
}

static void other_terminals_are_driven_too(void)
{
	const char *const *const cases[] = {
		LIST("TERM=linux"), LIST("TERM=screen"), LIST("TERM=tmux-256color"), LIST("TERM=xterm"),
		LIST("TERM=no-such-terminal", "ASAN_OPTIONS=detect_leaks=0"), /* ncurses keeps a little of a terminal that it could not */
		LIST("TERM=xterm-direct", "ASAN_OPTIONS=detect_leaks=0"),     /* start, or that is started as another one */
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = start(0, 0, NULL, cases[i]);

		CHECK(pty_is_coloured(p), "case %zu (%s) is coloured", i, cases[i][0]);
		pty_send(p, "abc");
		PTY_SEES(p, " > abc");
		pty_send(p, "\x03");
		PTY_LOSES(p, " > abc");
		quit(p);
	}
}

/* Its last column wraps immediately, unlike libvterm's; the test checks only what does not depend on that. */
static void a_terminal_of_type_ansi_is_coloured_and_left_in_order(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .environment = LIST("TERM=ansi") });

	PTY_SEES(p, "A live view of what models say.");
	CU_ASSERT_TRUE(pty_is_coloured(p));
	quit(p);
}

static unsigned colours_seen(struct pty *p, int least, int most)
{
	unsigned seen = 0;

	for (unsigned row = 0; row < pty_rows(p); row++) {
		for (unsigned column = 0; column < pty_columns(p); column++) {
			struct pty_cell cell = pty_cell(p, row, column);

			seen += (cell.foreground >= least && cell.foreground <= most) || (cell.background >= least && cell.background <= most);
		}
	}
	return seen;
}

static void the_option_color_is_heeded(void)
{
	struct pty *p = start(0, 0, LIST("--color", "never"), NULL);

	CHECK(!pty_is_coloured(p), "never");
	quit(p);
	p = start(0, 0, LIST("--color", "16", "--theme", "dark"), NULL);
	CHECK(colours_seen(p, 0, 15) > 0 && !colours_seen(p, 16, 255) && !colours_seen(p, -2, -2), "16");
	quit(p);
	p = start(0, 0, LIST("--color", "256", "--theme", "dark"), NULL);
	CHECK(colours_seen(p, 16, 255) > 0 && !colours_seen(p, -2, -2), "256");
	quit(p);
	p = start(0, 0, LIST("--color", "truecolor", "--theme", "dark"), NULL);
	CHECK(colours_seen(p, -2, -2) > 0, "truecolor");
	quit(p);
	p = start(0, 0, LIST("--color", "16"), LIST("NO_COLOR=1"));
	CHECK(pty_is_coloured(p), "an explicit wish beats NO_COLOR");
	quit(p);
	p = start(0, 0, LIST("--theme", "dark"), LIST("COLORTERM=truecolor"));
	CHECK(colours_seen(p, -2, -2) > 0, "COLORTERM");
	quit(p);
}

/* --- sizes --- */

static void small_windows_show_what_fits(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 6, .columns = 20 });

	PTY_WAIT(p, stage_has_state, "ready");
	pty_send(p, "hello\r");
	PTY_WAIT(p, stage_has_state, "streaming");
	pty_send(p, K_ESC);
	PTY_SEES(p, "details");
	PTY_REDRAWS(p);
	pty_resize(p, 5, 19);
	PTY_SEES(p, "weir needs 20 x 6");
	CHECK(pty_find_row(p, "Hello") < 0, "one line is all");
	pty_resize(p, 1, 1);
	pty_resize(p, 2, 300);
	PTY_SEES(p, "weir needs 20 x 6");
	pty_resize(p, 24, 80);
	PTY_SEES(p, "You stopped the answer");
	PTY_REDRAWS(p);
	quit(p);
}

static void a_window_may_be_too_small_from_the_start(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 5, .columns = 19 });

	PTY_SEES(p, "weir needs 20 x 6");
	quit(p);
}

/* The peak memory of the program in KB. */
static unsigned long peak_kb(const struct pty *p)
{
	char path[64], line[256];
	unsigned long peak = 0;

	snprintf(path, sizeof path, "/proc/%d/status", pty_pid(p));
	FILE *status = fopen(path, "r");
	while (status && fgets(line, sizeof line, status))
		sscanf(line, "VmHWM: %lu", &peak);
	if (status)
		fclose(status);
	return peak;
}

#define PEAK_KB (1ul << 20)

/* What it says at the start, while it runs, and in variables; the terminal itself stays as it is. */
/* The demo says that it is one, and what leads to a real answer. */
static void the_demo_says_what_to_do_next(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 24 });

	PTY_SEES(p, "The demo answers for now. F4 sets up a provider of yours;");
	PTY_SEES(p, "OPENAI_API_KEY and ");
	quit(p);
}

/* Prompts to try stand below the keys where there is no room beside them; the smallest window names the palette. */
static void a_small_first_page_names_keys(void)
{
	struct pty *p = pty_start(&(struct pty_options){ .rows = 20, .columns = 60 });

	PTY_SEES(p, "Try   show me reasoning");
	PTY_SEES(p, "      fail in the middle");
	PTY_SEES(p, "The demo answers for now.");
	CHECK(pty_find_row(p, "Try ") > pty_find_row(p, "/       commands") + 1, "%s", pty_dump(p));
	pty_resize(p, 12, 40);
	PTY_LOSES(p, "fail in the middle");
	PTY_SEES(p, "Try   show me reasoning");
	PTY_SEES(p, "/       commands");
	pty_resize(p, 6, 20);
	PTY_LOSES(p, "Try");
	PTY_SEES(p, "Enter   send");
	PTY_SEES(p, "/       commands");
	PTY_REDRAWS(p);
	pty_resize(p, 24, 80);
	PTY_SEES(p, "Try   show me reasoning");
	CHECK(pty_find_row(p, "Try ") == pty_find_row(p, "Enter   send"), "%s", pty_dump(p));
	quit(p);
}

static bool has_taken_the_screen(struct pty *p, const void *ctx)
{
	(void)ctx;
	return pty_is_alternate(p);
}

static void a_window_may_claim_any_size(void)
{
	static const struct { unsigned rows, columns; } sizes[] = { { 65535, 65535 }, { 65535, 20 }, { 6, 65535 }, { 65535, 1 }, { 1000, 1000 } };
	struct pty *p = pty_start(&(struct pty_options){
		.script = "stty rows 65535 cols 65535; exec \"$0\" \"$@\"", .environment = LIST("LINES=99999", "COLUMNS=99999") });

	PTY_WAIT(p, has_taken_the_screen, NULL);
	pty_settle(p);
	CHECK(peak_kb(p) < PEAK_KB, "%lu KB", peak_kb(p));
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		pty_claim_size(p, sizes[i].rows, sizes[i].columns);
		pty_settle(p);
		CHECK(peak_kb(p) < PEAK_KB, "%u x %u: %lu KB", sizes[i].rows, sizes[i].columns, peak_kb(p));
	}
	pty_resize(p, 24, 80);
	PTY_SEES(p, "A live view of what models say.");
	pty_send(p, "hello\r");
	PTY_SEES(p, "Hello! I am the built-in demo.");
	pty_send(p, K_ESC);
	PTY_SEES(p, "You stopped the answer"); /* else it goes on between the two screens that are compared */
	PTY_REDRAWS(p);
	quit(p);
}

/* Usage errors end the program before it touches the terminal. */
static void usage_errors_leave_the_screen_alone(void)
{
	const char *const *const cases[] = { LIST("-p", "nobody"), LIST("--theme"), LIST("--color", "pink"), LIST("replay"), LIST("replay", "/nowhere") };

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct pty *p = pty_start(&(struct pty_options){ .arguments = cases[i] });

		PTY_ENDS(p, 2);
		CHECK(!pty_has_written(p, "\x1B"), "case %zu", i);
		pty_free(p);
	}
}

const struct suite suite_screen_start = { "screen_start", (const struct test[]){
	TEST(a_newcomer_sees_the_demo),
	TEST(a_newcomer_chats_with_the_demo),
	TEST(a_key_in_the_environment_is_enough_for_an_answer), TEST(a_preset_model_that_the_server_does_not_know_opens_the_list),
	TEST(at_another_url_the_first_model_of_the_list_is_offered),
	TEST(ctrl_d_types_nothing_and_quits_only_on_an_empty_line),
	TEST(ctrl_c_clears_hints_and_quits),
	TEST(ctrl_c_on_an_empty_line_says_how_to_quit),
	TEST(signals_leave_the_terminal_as_it_was),
	TEST(a_crash_while_streaming_leaves_the_terminal_as_it_was),
	TEST(the_terminal_may_go_away),
	TEST(without_a_terminal_it_names_ask),
	TEST(plain_terminals_are_driven_without_colour),
	TEST(other_terminals_are_driven_too),
	TEST(a_terminal_of_type_ansi_is_coloured_and_left_in_order),
	TEST(the_option_color_is_heeded),
	TEST(small_windows_show_what_fits),
	TEST(a_window_may_be_too_small_from_the_start),
	TEST(the_demo_says_what_to_do_next),
	TEST(a_small_first_page_names_keys),
	TEST(a_window_may_claim_any_size),
	TEST(usage_errors_leave_the_screen_alone),
	{ 0 },
} };
