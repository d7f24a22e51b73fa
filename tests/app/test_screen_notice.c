/* Signals to a user who is elsewhere: the title names the state, and the end of a long answer causes a notice. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "stage.h"
#include "support/check.h"

#define FOCUS_OUT "\x1B[O"
#define FOCUS_IN "\x1B[I"
#define BELL "\a"

static void the_title_names_the_state(void)
{
	struct stage s;

	stage_open(&s, &(struct stage_options){ .arguments = LIST("-m", "m\x07\x1B]2;evil\x9C\xC2\x9C") });
	PTY_WAIT(s.pty, pty_has_written, "\x1B]2;weir: ready, m??]2;evil???\x1B\\");
	stage_begin(&s, "go");
	hand_text(s.server, "Something.");
	PTY_WAIT(s.pty, pty_has_written, "\x1B]2;weir: streaming, m");
	hand_finish(s.server, "stop");
	STAGE_STATE(&s, "ready");
	CHECK(pty_times_written(s.pty, "\x1B[22;2t") == 1 && !pty_times_written(s.pty, "\x1B[23;2t"), "it is set aside once");
	stage_close(&s);
	stage_open(&s, NULL);
	PTY_WAIT(s.pty, pty_has_written, "\x1B[22;2t");
	pty_send(s.pty, "\x03\x03");
	PTY_ENDS(s.pty, 0);
	CHECK(pty_times_written(s.pty, "\x1B[22;2t") == 1 && pty_times_written(s.pty, "\x1B[23;2t") == 1, "the one before it comes back");
	stage_drop(&s);
	stage_open(&s, NULL);
	PTY_WAIT(s.pty, pty_has_written, "\x1B[22;2t");
	pty_signal(s.pty, 11);
	PTY_ENDS(s.pty, 128 + 11);
	CHECK(pty_times_written(s.pty, "\x1B[23;2t") == 1, "after a crash, too");
	stage_drop(&s);
}

static void the_title_can_be_left_alone(void)
{
	const struct stage_options options[] = { { .top = "title = no\n" }, { .environment = LIST("TERM=linux") } };

	for (size_t i = 0; i < 2; i++) {
		struct stage s;

		stage_open(&s, &options[i]);
		pty_send(s.pty, "\x03\x03");
		PTY_ENDS(s.pty, 0);
		CHECK(!pty_times_written(s.pty, "\x1B]2;") && !pty_times_written(s.pty, ";2t"), "case %zu", i);
		stage_drop(&s);
	}
}

/* Shown from 11 s on; a busy machine may skip a second. */
static bool took_long(struct pty *p, const void *ctx)
{
	const char *row = pty_row(p, pty_rows(p) - 1), *at;
	bool is_long = false;

	(void)ctx;
	for (at = strstr(row, " s"); at && !is_long; at = strstr(at + 1, " s")) {
		const char *start = at;

		while (start > row && strchr("0123456789.", start[-1]))
			start--;
		is_long = atof(start) >= 11;
	}
	return is_long;
}

static bool has_said(struct pty *p, const void *sentence)
{
	struct error err = { "" };
	struct buf text = { 0 };
	bool said = buf_read_file(&text, home_path(pty_home(p), "said"), &err) && str_starts(buf_str(&text), sentence);

	buf_fini(&text);
	return said;
}

#define COMMAND "command sh -c \"echo $1 > $HOME/said\" sh"
#define LONG_MS 11000

static void a_long_answer_is_noticed_where_one_is_elsewhere(void)
{
	static const struct { const char *notify, *variable, *says; bool away; } ways[] = {
		{ "bell", "A=b", BELL, true },
		{ "bell", "A=b", BELL, false },
		{ "osc", "TERM_PROGRAM=iTerm.app", "\x1B]9;The answer has ended after 1", true },
		{ "osc", "TERM_PROGRAM=WezTerm", "\x1B]777;notify;weir;The answer has ended after 1", true },
		{ "no", "A=b", BELL, true },
		{ COMMAND, "A=b", BELL, true },
	};
	char top[100];

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		bool runs = !strcmp(ways[i].notify, COMMAND), wanted = ways[i].away && !runs && strcmp(ways[i].notify, "no");
		struct stage s;

		snprintf(top, sizeof top, "notify = %s\n", ways[i].notify);
		stage_open(&s, &(struct stage_options){ .top = top, .environment = LIST(ways[i].variable), .columns = 120, .turns = true });
		pty_send(s.pty, FOCUS_OUT);
		stage_turn(&s, "short", "Answer.");
		CHECK(!pty_times_written(s.pty, ways[i].says), "way %zu: a short answer", i);
		stage_begin(&s, "long");
		hand_text(s.server, "Something.");
		PTY_SEES(s.pty, "Something.");
		if (!ways[i].away)
			pty_send(s.pty, FOCUS_IN);
		pty_turn(s.pty, LONG_MS);
		PTY_WAIT(s.pty, took_long, NULL);
		hand_finish(s.server, "stop");
		STAGE_OVER(&s);
		STAGE_STATE(&s, "ready");
		pty_settle(s.pty);
		if (runs)
			PTY_WAIT(s.pty, has_said, "The answer has ended after 1");
		CHECK(pty_times_written(s.pty, ways[i].says) == (wanted ? 1 : 0), "way %zu: %u times", i, pty_times_written(s.pty, ways[i].says));
		stage_close(&s);
	}
}

/* And who has typed during the answer is not elsewhere. */
static void the_linear_mode_rings_where_nobody_typed(void)
{
	static const struct { const char *notify; bool typed, rings; } ways[] = { { "bell", false, true }, { "no", false, false }, { "bell", true, false } };

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		struct lines l;

		lines_open(&l, "", LIST("--plain"), NULL);
		SAYS(&l, "You: ");
		if (!strcmp(ways[i].notify, "no"))
			DIALOGUE(&l, "> /settings notify no", "notify: no", "You: ");
		lines_stream(&l, "long", "Something. ");
		pty_turn(l.pty, LONG_MS);
		CHECK(!pty_times_written(l.pty, BELL), "way %zu: too early", i);
		if (ways[i].typed)
			DIALOGUE(&l, "> /details", "outcome");
		hand_finish(l.server, "stop");
		SAYS(&l, "You: ");
		CHECK(pty_times_written(l.pty, BELL) == ways[i].rings, "way %zu: %u times", i, pty_times_written(l.pty, BELL));
		if (ways[i].rings)
			lines_drop(&l); /* the bell is no text */
		else
			lines_close(&l);
	}
}

const struct suite suite_screen_notice = { "screen_notice", (const struct test[]){
	TEST(the_title_names_the_state),
	TEST(the_title_can_be_left_alone),
	TEST(a_long_answer_is_noticed_where_one_is_elsewhere),
	TEST(the_linear_mode_rings_where_nobody_typed),
	{ 0 },
} };
