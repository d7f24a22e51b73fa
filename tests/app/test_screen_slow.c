/*
 * Terminals that are slow, stopped or not read: the program keeps running, and the final screen is correct. Nothing is written without
 * need.
 */
#include <stdio.h>

#include "stage.h"
#include "support/check.h"
#include "support/preload.h"

/* Streams more than all buffers between server, program and terminal hold. */
static void stream_much(struct stage *s)
{
	struct buf rows;

	buf_init(&rows, 1 << 20);
	for (unsigned i = 0; i < 400; i++)
		buf_add_z(&rows, "a row that is long enough to be a burden to a terminal when many of its kind come\n");
	for (unsigned i = 0; i < 150; i++)
		hand_text(s->server, buf_z(&rows));
	buf_fini(&rows);
}

static void begin(struct stage *s)
{
	stage_open(s, NULL);
	stage_begin(s, "go");
	hand_text(s->server, "Begun.\n\n");
	PTY_SEES(s->pty, "Begun.");
}

/* The terminal is not read, so nothing is drawn: the answer is received and keys work. */
static void a_terminal_that_nobody_reads_holds_nothing_up(void)
{
	struct stage s;

	begin(&s);
	stream_much(&s); /* 5 MB: returns only because the program reads */
	pty_send(s.pty, K_ESC);
	hand_is_left(s.server);
	PTY_SEES(s.pty, "You stopped the answer after");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

static void a_stopped_terminal_catches_up(void)
{
	struct stage s;

	begin(&s);
	pty_settle(s.pty);
	pty_hold(s.pty, true);
	stream_much(&s);
	hand_text(s.server, "\nThe end.");
	hand_finish(s.server, "stop");
	pty_send(s.pty, "typed meanwhile");
	pty_pump(s.pty);
	CHECK(!pty_shows(s.pty, "The end."), "it is stopped");
	pty_hold(s.pty, false);
	PTY_SEES(s.pty, "The end.");
	PTY_SEES(s.pty, "> typed meanwhile");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	pty_send(s.pty, "\x15");
	stage_close(&s);
}

static void a_stopped_terminal_can_be_left(void)
{
	struct stage s;

	begin(&s);
	pty_settle(s.pty);
	pty_hold(s.pty, true);
	stream_much(&s);
	pty_send(s.pty, "\x03\x03");
	hand_is_left(s.server);
	pty_hold(s.pty, false);
	PTY_ENDS(s.pty, 0);
	PTY_RESTORED(s.pty);
	stage_drop(&s);
}

/* The terminal is stopped and continued repeatedly while rows arrive and the window changes. */
static void a_halting_terminal_is_never_stale(void)
{
	struct stage s;

	begin(&s);
	for (unsigned i = 0; i < 60; i++) {
		pty_hold(s.pty, i % 2);
		stage_rows(&s, 10 * i, 10);
		if (i % 15 == 7)
			pty_resize(s.pty, 24 + i % 4, 80 - i % 7);
		pty_pump(s.pty);
	}
	pty_hold(s.pty, false);
	hand_finish(s.server, "stop");
	PTY_SEES(s.pty, "row 599");
	STAGE_STATE(&s, "ready");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* Keys without a meaning, moves without an effect and the window's focus cause no output. */
static void nothing_is_written_for_nothing(void)
{
	static const char *const idle[] = { "\x1B[24~", "\x1B[I", "\x1B[O", K_LEFT, K_HOME, K_DOWN, "\x1B[99~", "\x1B[<0;3;3M", "\x1B[<0;3;3m", "\x01" };
	struct stage s;

	stage_open(&s, NULL);
	pty_send(s.pty, "x");
	PTY_SEES(s.pty, "> x");
	pty_send(s.pty, K_CTRL('a'));
	pty_settle(s.pty);
	for (size_t i = 0; i < sizeof idle / sizeof *idle; i++) {
		size_t before = pty_output(s.pty).len, bytes;

		pty_settle(s.pty); /* redraws everything */
		bytes = pty_output(s.pty).len - before;
		before += bytes;
		pty_send(s.pty, idle[i]);
		pty_settle(s.pty);
		CHECK(pty_output(s.pty).len - before == bytes, "key %zu: %zu bytes more", i, pty_output(s.pty).len - before - bytes);
	}
	stage_close(&s);
}

static long resident_kb(const struct stage *s)
{
	char path[64], line[128];
	long kb = 0;

	snprintf(path, sizeof path, "/proc/%d/status", pty_pid(s->pty));
	FILE *file = fopen(path, "r");
	while (file && fgets(line, sizeof line, file))
		if (sscanf(line, "VmRSS: %ld kB", &kb) == 1)
			break;
	if (file)
		fclose(file);
	return kb;
}

/* Frames that are not drawn take no memory: only the text grows. The program notices when the terminal continues. */
static void a_stopped_terminal_costs_no_memory(void)
{
	struct stage s;

	if (!preload_variable("jumping")) {
		check_skip("a sanitizer keeps what was freed");
		return;
	}
	begin(&s);
	stream_much(&s);
	pty_settle(s.pty);
	long before_kb = resident_kb(&s);
	pty_hold(s.pty, true);
	stream_much(&s);
	pty_send(s.pty, K_ESC);
	hand_is_left(s.server);
	long stopped_kb = resident_kb(&s) - before_kb;
	CHECK(before_kb > 0 && stopped_kb < 48 * 1024, "%ld KB more than %ld", stopped_kb, before_kb);
	pty_hold(s.pty, false);
	PTY_SEES(s.pty, "You stopped the answer after");
	PTY_REDRAWS(s.pty);
	stage_close(&s);
}

/* Limits, figures and frames use the monotonic clock. */
static void jumps_of_the_clock_are_not_seen(void)
{
	const char *preload = preload_variable("jumping");
	struct stage s;

	if (!preload) {
		check_skip("a sanitizer does not allow it, or tests/jumping.so was not built");
		return;
	}
	stage_open(&s, &(struct stage_options){ .settings = "idle = 600\nfirst_byte = 600\n", .environment = LIST(preload) });
	stage_ask(&s, "go");
	hand_begin(s.server);
	stage_rows(&s, 0, 50);
	PTY_SEES(s.pty, "row 49");
	STAGE_STATE(&s, "streaming");
	CHECK(pty_find_row(s.pty, "quiet") < 0, "%s", pty_dump(s.pty));
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	CHECK(pty_find_row(s.pty, "row 49") >= 0 && pty_find_row(s.pty, "-0.") < 0 && pty_find_row(s.pty, " s -") < 0, "%s", pty_dump(s.pty));
	pty_send(s.pty, K_F2);
	hand_accept(s.server);
	hand_answer(s.server, 200, "application/json");
	hand_send(s.server, "{\"data\":[{\"id\":\"m-1\"}]}");
	hand_close(s.server);
	PTY_SEES(s.pty, "1 model, fetched just now");
	pty_send(s.pty, K_ESC);
	PTY_LOSES(s.pty, "fetched");
	stage_close(&s);
}

const struct suite suite_screen_slow = { "screen_slow", (const struct test[]){
	TEST(a_terminal_that_nobody_reads_holds_nothing_up),
	TEST(a_stopped_terminal_catches_up),
	TEST(a_stopped_terminal_can_be_left),
	TEST(a_halting_terminal_is_never_stale),
	TEST(a_stopped_terminal_costs_no_memory),
	TEST(jumps_of_the_clock_are_not_seen),
	TEST(nothing_is_written_for_nothing),
	{ 0 },
} };
