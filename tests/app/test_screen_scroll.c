/* Every key that scrolls, in every pane, sheet and menu: the number of rows that it scrolls by. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stage.h"
#include "support/check.h"
#include "typing.h"

/* --- panes with numbered rows --- */

struct seen { unsigned row, rows; long number; }; /* first numbered row on the screen, number of rows, and its number */

static long number_of(const char *row, const char *mark)
{
	const char *at = strstr(row, mark);

	return at ? strtol(at + strlen(mark), NULL, 10) : 0;
}

static struct seen look(struct pty *p, const char *mark)
{
	struct seen seen = { 0 };

	for (unsigned row = 0; row < pty_rows(p); row++) {
		long number = number_of(pty_row(p, row), mark);

		if (!number)
			continue;
		if (!seen.rows++) {
			seen.row = row;
			seen.number = number;
		}
	}
	return seen;
}

static void show_rows(struct stage *s)
{
	hand_begin(s->server);
	stage_rows(s, 1, 100);
	hand_finish(s->server, "stop");
	PTY_SEES(s->pty, "row 100");
	STAGE_OVER(s);
}

static void show_reasoning(struct stage *s)
{
	char line[32];

	hand_begin(s->server);
	for (unsigned i = 1; i <= 100; i++) {
		snprintf(line, sizeof line, "thought %u\n", i);
		hand_reasoning(s->server, line);
	}
	PTY_SEES(s->pty, "thought 100");
}

static void show_call(struct stage *s)
{
	char json[4096] = "{\"tool_calls\":[{\"index\":0,\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"look\",\"arguments\":\"{", *end = json + strlen(json);

	for (unsigned i = 1; i <= 100; i++)
		end += sprintf(end, "\\\"k\\\":\\\"item %u\\\",", i);
	strcpy(end, "\"}}]}");
	hand_begin(s->server);
	hand_delta(s->server, json);
	PTY_SEES(s->pty, "item 100");
}

/* Scrolling by a page keeps some of the rows in view. */
static const struct numbered { const char *mark, *focus; void (*show)(struct stage *s); long left; } panes[] = {
	{ "row ", "\t", show_rows, 2 }, { "thought ", K_SHIFT_TAB, show_reasoning, 1 }, { "item ", K_SHIFT_TAB, show_call, 1 },
};

enum by { ROWS, PAGES, HALVES, TO_START, TO_END };
static const struct { const char *key; enum by by; long count; } keys[] = {
	{ "Up", ROWS, -1 }, { "Down", ROWS, 1 }, { "PgUp", PAGES, -1 }, { "PgDn", PAGES, 1 }, { "Alt-Up", HALVES, -1 }, { "Alt-Down", HALVES, 1 },
	{ "wheel up", ROWS, -3 }, { "wheel down", ROWS, 3 }, { "Home", TO_START, 0 }, { "End", TO_END, 0 },
};

struct expected { const char *mark; long first, last; }; /* 0: any */

static bool stands(struct pty *p, const void *ctx)
{
	const struct expected *e = ctx;
	struct seen seen = look(p, e->mark);

	return (!e->first || seen.number == e->first) && (!e->last || seen.number + (long)seen.rows - 1 == e->last);
}

static struct expected expect(const struct numbered *pane, struct seen before, size_t key)
{
	long page = (long)before.rows - pane->left, half = (page + 1) / 2;
	long by[] = { [ROWS] = 1, [PAGES] = page, [HALVES] = half, [TO_START] = 0, [TO_END] = 0 };
	struct expected e = { .mark = pane->mark };

	if (keys[key].by == TO_END)
		e.last = 100;
	else
		e.first = keys[key].by == TO_START ? 1 : before.number + keys[key].count * by[keys[key].by];
	return e;
}

static void press(struct pty *p, const char *key, struct seen seen)
{
	char bytes[TYPING_BYTES];

	if (str_starts(str_from(key), "wheel"))
		snprintf(bytes, sizeof bytes, "\x1B[<%d;5;%uM", strstr(key, "up") ? 64 : 65, seen.row + 1);
	else
		typing(key, bytes);
	pty_send(p, bytes);
}

static void panes_scroll_by_every_key(void)
{
	for (size_t i = 0; i < sizeof panes / sizeof *panes; i++) {
		struct stage s;

		stage_open(&s, NULL);
		stage_ask(&s, "go");
		panes[i].show(&s);
		pty_send(s.pty, panes[i].focus);
		for (size_t k = 0; k < sizeof keys / sizeof *keys && !pty_has_failed(s.pty); k++) {
			pty_send(s.pty, K_END K_PGUP K_PGUP);
			pty_settle(s.pty);
			struct seen before = look(s.pty, panes[i].mark);
			struct expected e = expect(&panes[i], before, k);
			CHECK(before.rows > 4 && before.number > 30 && before.number < 97, "\"%s\": in the middle, at %ld", panes[i].mark, before.number);
			press(s.pty, keys[k].key, before);
			pty_wait(s.pty, stands, &e, keys[k].key, __FILE__, __LINE__);
		}
		stage_drop(&s);
	}
}

/* In the input, keys that write nothing scroll the transcript. */
static void the_transcript_scrolls_from_the_input(void)
{
	static const char *const from_input[] = { "PgUp", "PgDn", "Alt-Up", "Alt-Down", "wheel up", "wheel down", "Ctrl-Home", "Ctrl-End", "Home", "End" };
	static const size_t same[] = { 2, 3, 4, 5, 6, 7, 8, 9, 8, 9 }; /* indices in `keys` */
	struct stage s;

	stage_open(&s, NULL);
	stage_ask(&s, "go");
	show_rows(&s);
	for (size_t k = 0; k < sizeof same / sizeof *same && !pty_has_failed(s.pty); k++) {
		pty_send(s.pty, "\x1B[1;5F" K_PGUP K_PGUP);
		pty_settle(s.pty);
		struct seen before = look(s.pty, "row ");
		struct expected e = expect(&panes[0], before, same[k]);
		press(s.pty, from_input[k], before);
		pty_wait(s.pty, stands, &e, from_input[k], __FILE__, __LINE__);
	}
	stage_close(&s);
}

/* --- sheets and menus --- */

#define FIRST 4 /* a row that is certainly within the text of the sheet */
#define LAST 12

struct shifted { char *rows[24]; int by; };

static bool has_shifted(struct pty *p, const void *ctx)
{
	const struct shifted *was = ctx;

	for (int row = FIRST; row <= LAST; row++)
		if (row + was->by >= FIRST && row + was->by <= LAST && strcmp(pty_row(p, (unsigned)row), was->rows[row + was->by]))
			return false;
	return true;
}

static void check_shift(struct pty *p, const char *key, int by)
{
	struct shifted was = { .by = by };
	char bytes[TYPING_BYTES];

	pty_settle(p);
	for (unsigned row = 0; row < 24; row++)
		was.rows[row] = mem_dup_z(row < pty_rows(p) ? pty_row(p, row) : "");
	pty_send(p, typing(key, bytes));
	pty_wait(p, has_shifted, &was, key, __FILE__, __LINE__);
	for (unsigned row = 0; row < 24; row++)
		mem_free(was.rows[row]);
}

static void a_sheet_scrolls_by_every_key(void)
{
	struct stage s;

	stage_open_answered(&s);
	pty_resize(s.pty, 18, 60);
	pty_send(s.pty, "\x0F");
	PTY_SEES(s.pty, "outcome");
	check_shift(s.pty, "Down", 1);
	check_shift(s.pty, "Down Down", 2);
	check_shift(s.pty, "Up", -1);
	check_shift(s.pty, "Home", -2);
	PTY_SEES(s.pty, "outcome");
	pty_send(s.pty, K_PGDN);
	PTY_LOSES(s.pty, "outcome");
	pty_send(s.pty, K_PGUP);
	PTY_SEES(s.pty, "outcome");
	pty_send(s.pty, K_END);
	PTY_LOSES(s.pty, "outcome");
	PTY_LOSES(s.pty, "PgDn more");
	pty_send(s.pty, K_HOME);
	PTY_SEES(s.pty, "outcome");
	pty_send(s.pty, "q");
	PTY_LOSES(s.pty, "Details");
	stage_close(&s);
}

/* Whether `name` follows the sign of the marked row. */
static bool is_chosen(struct pty *p, const void *name)
{
	for (unsigned row = 0; row < pty_rows(p); row++) {
		const char *text = pty_row(p, row);

		if (strstr(text, "> ") && strstr(text, name))
			return true;
	}
	return false;
}

static void a_menu_is_walked_by_every_key(void)
{
	static const struct { const char *keys, *chosen; } steps[] = {
		{ "Down", "anthropic" }, { "Up", "openai-chat" }, { "Tab", "anthropic" }, { "Shift-Tab", "openai-chat" }, { "Ctrl-N", "anthropic" },
		{ "Ctrl-P", "openai-chat" }, { "Up", "openai-chat" }, { "PgDn", "anthropic" }, { "Down", "anthropic" }, { "PgUp", "openai-chat" },
		{ "anthr", "anthropic" }, { "Ctrl-U", "openai-chat" }, { "anthrox Backspace", "anthropic" },
	};
	struct stage s;
	char bytes[TYPING_BYTES];
	stage_open(&s, NULL);
	pty_send(s.pty, K_F3);
	PTY_WAIT(s.pty, is_chosen, "openai-chat");
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		pty_send(s.pty, typing(steps[i].keys, bytes));
		pty_wait(s.pty, is_chosen, steps[i].chosen, steps[i].keys, __FILE__, __LINE__);
	}
	pty_send(s.pty, "\r");
	PTY_SEES(s.pty, "protocol anthropic from the next turn on");
	PTY_LOSES(s.pty, "Esc back");
	stage_close(&s);
}

static void no_end_is_offered_where_all_is_in_view(void)
{
	struct stage s;
	char bytes[TYPING_BYTES];

	stage_open(&s, NULL);
	pty_send(s.pty, typing("Ctrl-Home x", bytes));
	PTY_SEES(s.pty, " > x");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, "End for"), -1);
	pty_send(s.pty, "\x15");
	stage_turn(&s, "hello", "Ahoy.");
	pty_send(s.pty, typing("Ctrl-Home y", bytes));
	PTY_SEES(s.pty, " > y");
	CU_ASSERT_EQUAL(pty_find_row(s.pty, "End for"), -1);
	stage_close(&s);
}

const struct suite suite_screen_scroll = { "screen_scroll", (const struct test[]){
	TEST(panes_scroll_by_every_key),
	TEST(the_transcript_scrolls_from_the_input),
	TEST(no_end_is_offered_where_all_is_in_view),
	TEST(a_sheet_scrolls_by_every_key),
	TEST(a_menu_is_walked_by_every_key),
	{ 0 },
} };
