/* Esc, Ctrl-C and the mouse in every state. */
#include <stdio.h>

#include "stage.h"
#include "support/check.h"

#define CALL_BEGIN "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{\\\"a\\\":\"}}]}"

/* --- states of an answer --- */

static void wait_for_bytes(struct stage *s) { STAGE_STATE(s, "waiting"); }
static void begin(struct stage *s) { hand_begin(s->server); STAGE_STATE(s, "streaming"); }

static void reason(struct stage *s)
{
	hand_begin(s->server);
	hand_reasoning(s->server, "Hm.");
	PTY_SEES(s->pty, "\u2500\u2500 reasoning");
}

static void answer(struct stage *s)
{
	hand_begin(s->server);
	hand_text(s->server, "So be it.");
	PTY_SEES(s->pty, "So be it.");
}

static void call(struct stage *s)
{
	hand_begin(s->server);
	hand_delta(s->server, CALL_BEGIN);
	PTY_SEES(s->pty, "\u2500\u2500 call 1");
}

static void queue(struct stage *s)
{
	answer(s);
	pty_send(s->pty, "next\r");
	PTY_SEES(s->pty, "1 queued");
}

static void focus_a_pane(struct stage *s)
{
	reason(s);
	pty_send(s->pty, "\t");
	pty_settle(s->pty);
}

static void type(struct stage *s)
{
	answer(s);
	pty_send(s->pty, "kept");
	PTY_SEES(s->pty, "> kept");
}

static void scroll_up(struct stage *s)
{
	hand_begin(s->server);
	stage_rows(s, 1, 60);
	PTY_SEES(s->pty, "row 60");
	pty_send(s->pty, K_PGUP);
	PTY_LOSES(s->pty, "row 60");
}

typedef void state(struct stage *s);
static state *const states[] = { wait_for_bytes, begin, reason, answer, call, queue, focus_a_pane, type, scroll_up };
#define STATES (sizeof states / sizeof *states)

/* One key ends the request in every state. What was received is kept, and the next prompt can be sent. */
static void check_stop(const char *key)
{
	for (size_t i = 0; i < STATES; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_ask(&s, "go");
		states[i](&s);
		pty_send(s.pty, key);
		hand_is_left(s.server);
		STAGE_STATE(&s, "ready");
		if (states[i] == type)
			PTY_SEES(s.pty, "> kept");
		pty_send(s.pty, K_END);
		PTY_SEES(s.pty, "You stopped the answer");
		PTY_REDRAWS(s.pty);
		if (pty_has_failed(s.pty))
			printf("(state %zu)\n", i);
		stage_drop(&s);
	}
}

static void esc_stops_in_every_state(void) { check_stop(K_ESC); }
static void ctrl_c_stops_in_every_state(void) { check_stop("\x03"); }

/* --- open cards close first --- */

static const struct { const char *opens, *sees; } covers[] = {
	{ K_F1, "Help" }, { "\x10", "Commands" }, { K_F3, "Protocol" }, { K_F4, "Provider" }, { K_F5, "Theme" }, { "\x0F", "Details of" },
	{ "\x06", "Esc back" }, { "\x06more", "not found" }, { "\x12", "earlier prompts" }, { "x" K_HOME "/the", "> theme" }, { "\x10" "filter", "> filter" },
};

static void esc_closes_what_is_open_and_then_stops(void)
{
	for (size_t i = 0; i < sizeof covers / sizeof *covers; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_turn(&s, "before", "Yes.");
		stage_ask(&s, "go");
		answer(&s);
		pty_send(s.pty, covers[i].opens);
		PTY_WAIT(s.pty, pty_shows, covers[i].sees);
		pty_send(s.pty, K_ESC);
		PTY_WAIT(s.pty, pty_hides, covers[i].sees);
		hand_text(s.server, " It goes on.");
		PTY_SEES(s.pty, "It goes on.");
		pty_send(s.pty, K_ESC);
		hand_is_left(s.server);
		PTY_SEES(s.pty, "You stopped the answer");
		stage_drop(&s);
	}
}

/* Ctrl-C stops a running answer immediately, whatever covers it. */
static void ctrl_c_reaches_through_what_is_open(void)
{
	for (size_t i = 0; i < 6; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_ask(&s, "go");
		answer(&s);
		pty_send(s.pty, covers[i].opens);
		PTY_WAIT(s.pty, pty_shows, covers[i].sees);
		pty_send(s.pty, "\x03");
		hand_is_left(s.server);
		PTY_WAIT(s.pty, pty_hides, covers[i].sees);
		PTY_SEES(s.pty, "You stopped the answer");
		stage_drop(&s);
	}
}

/* --- the mouse --- */

/* Press, drag, release and more at a position, in the encodings of SGR, X10 and rxvt. */
static void click(struct pty *p, unsigned row, unsigned column)
{
	static const unsigned buttons[] = { 0, 32, 1, 2, 35, 4, 16, 66, 67, 128 };
	char bytes[64];

	for (size_t i = 0; i < sizeof buttons / sizeof *buttons; i++) {
		snprintf(bytes, sizeof bytes, "\x1B[<%u;%u;%uM\x1B[<%u;%u;%um", buttons[i], column, row, buttons[i], column, row);
		pty_send(p, bytes);
		snprintf(bytes, sizeof bytes, "\x1B[M%c%c%c\x1B[M#%c%c\x1B[%u;%u;%uM", (char)(32 + buttons[i]), (char)(32 + column), (char)(32 + row),
		         (char)(32 + column), (char)(32 + row), 32 + buttons[i], column, row);
		pty_send(p, bytes);
	}
}

static void clicks_type_nothing_anywhere(void)
{
	static state *const panes[] = { reason, call, answer, scroll_up };
	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_ask(&s, "go");
		panes[i](&s);
		for (unsigned row = 1; row <= 24; row++)
			click(s.pty, row, 1 + 7 * row % 80);
		pty_send(s.pty, K_ESC);
		hand_is_left(s.server);
		pty_send(s.pty, "typed");
		PTY_SEES(s.pty, "> typed");
		PTY_REDRAWS(s.pty);
		stage_drop(&s);
	}
}

/* Turns the wheel over the first row of the pane with this text, in one of three encodings. */
static void wheel(struct pty *p, const char *over, bool up, unsigned kind)
{
	unsigned row = (unsigned)pty_find_row(p, over) + 1, button = up ? 64 : 65;
	char bytes[64];

	if (kind == 0)
		snprintf(bytes, sizeof bytes, "\x1B[<%u;3;%uM", button, row);
	else if (kind == 1)
		snprintf(bytes, sizeof bytes, "\x1B[M%c#%c", (char)(32 + button), (char)(32 + row));
	else
		snprintf(bytes, sizeof bytes, "\x1B[%u;3;%uM", 32 + button, row);
	pty_send(p, bytes);
}

static void the_wheel_works_in_every_pane_of_every_terminal(void)
{
	for (unsigned kind = 0; kind < 3; kind++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_begin(&s, "go");
		for (unsigned i = 1; i <= 40; i++) {
			char line[32];

			snprintf(line, sizeof line, "thought %u\n", i);
			hand_reasoning(s.server, line);
		}
		PTY_SEES(s.pty, "thought 40");
		wheel(s.pty, "thought 40", true, kind);
		PTY_LOSES(s.pty, "thought 38");
		wheel(s.pty, "thought 37", false, kind);
		PTY_SEES(s.pty, "thought 40");
		stage_rows(&s, 1, 60);
		PTY_SEES(s.pty, "row 60");
		wheel(s.pty, "row 60", true, kind);
		PTY_LOSES(s.pty, "row 58");
		PTY_SEES(s.pty, "row 57");
		wheel(s.pty, "row 57", false, kind);
		PTY_SEES(s.pty, "row 60");
		stage_drop(&s);
	}
}

const struct suite suite_screen_escape = { "screen_escape", (const struct test[]){
	TEST(esc_stops_in_every_state),
	TEST(ctrl_c_stops_in_every_state),
	TEST(esc_closes_what_is_open_and_then_stops),
	TEST(ctrl_c_reaches_through_what_is_open),
	TEST(clicks_type_nothing_anywhere),
	TEST(the_wheel_works_in_every_pane_of_every_terminal),
	{ 0 },
} };
