/*
 * Invariants of every transcript: growing it step by step draws the same as drawing it at once, earlier widths have no effect, and the
 * first visible line does not move.
 */
#include <locale.h>
#include <stdio.h>
#include <string.h>

#include "chat/conversation/conversation.h"
#include "support/check.h"
#include "ui/page/page.h"
#include "ui/pane/transcript.h"

#define ROWS 12
#define STEPS 120

struct stage {
	struct conversation *conversation;
	struct turn *turn;
	struct look look;
	struct view view;
	unsigned seed, calls;
};

static unsigned any(struct stage *s, unsigned count)
{
	return check_random(&s->seed) % count;
}

static void begin(struct stage *s, unsigned seed)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	*s = (struct stage){ .conversation = conversation_new(), .seed = seed, .look.reasoning = (enum reasoning_view)(seed % REASONING_VIEW_COUNT) };
	s->look.code_band = s->look.strikes = seed % 2;
	s->view = (struct view){ .conversation = s->conversation, .look = &s->look };
}

/* --- input --- */

static const char *const pieces[] = {
	"word ", "another one ", "**bold", "**", "\n", "\n\n", "- item\n", "  - deeper\n", "1. one\n", "> quoted\n", "```c\nint x;\n", "```\n", "\tif (a)\n",
	"| a | b |\n|---|---|\n", "| cell | `x` |\n", "| a cell of some words |", "# Head\n", "`code` ", "[link](http://a.org) ", "$x^2$ ", "\xE4\xB8\xAD\xE6\x96\x87 ", "e\xCC\x81",
	"\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\x1B[6666m", ("\xC2\x9B" "6666m"), "\a\b\x7F", "\xE2\x80\xAE", "a-very-long-word-without-any-blank-in-it",
	"\\[ a_1 \\]", "{\"a\":[1,2,{\"b\":\"c\"}]}", "~~gone~~ ", "---\n", "<br>",
};

static struct str piece(struct stage *s)
{
	return str_from(pieces[any(s, sizeof pieces / sizeof *pieces)]);
}

/* Results of the calls before, in any order, some of them of none. */
static void answer_calls(struct stage *s, struct turn *question)
{
	for (unsigned i = 0; s->calls && i < any(s, 4); i++) {
		struct part *result = turn_add(question, PART_TOOL_RESULT, piece(s), STR("id"), STR("name"));

		result->call = (int)any(s, s->calls + 1);
		result->is_error = any(s, 3) == 0;
	}
}

static void begin_turn(struct stage *s)
{
	struct turn *question = conversation_ask(s->conversation);

	answer_calls(s, question);
	if (!question->part_count || any(s, 2))
		turn_add(question, PART_TEXT, piece(s), STR_NONE, STR_NONE);
	s->turn = conversation_answer(s->conversation, STR("p"), NULL, STR("m"));
	s->view.live = s->turn;
	s->calls = 0;
}

static void end_turn(struct stage *s)
{
	turn_delta(s->turn, &(struct delta){ .kind = DELTA_END, .end = { any(s, 2) ? OUTCOME_COMPLETE : OUTCOME_CUT } });
	s->view.live = NULL;
}

static void call(struct stage *s)
{
	struct delta d = { .kind = DELTA_TOOL_ARGUMENTS, .text = piece(s), .tool = { s->calls, STR("id"), STR("name"), false } };

	if (!s->calls || any(s, 3) == 0) {
		d = (struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { s->calls++, STR("id"), piece(s), false } };
	} else if (d.tool.index--, !turn_call(s->turn, d.tool.index)->open) {
		return;
	} else if (any(s, 3) == 0) {
		d.kind = DELTA_TOOL_END;
	}
	turn_delta(s->turn, &d);
}

/* Adds a random delta. The seed determines how text is split. */
static void add_any(struct stage *s)
{
	static const enum delta_kind kinds[] = { DELTA_TEXT, DELTA_TEXT, DELTA_TEXT, DELTA_REASONING, DELTA_REFUSAL };
	unsigned what = any(s, 40);

	if (!s->view.live)
		begin_turn(s);
	if (what == 0)
		end_turn(s);
	else if (what == 1)
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_NOTICE, .notice = { any(s, 2) ? STR("weir") : STR("retried"), piece(s) } });
	else if (what < 8)
		call(s);
	else
		turn_delta(s->turn, &(struct delta){ .kind = kinds[what % 5], .part = what < 12 ? 2 : 1, .text = piece(s) });
	s->view.at_ms += 40;
}

/* --- output --- */

/* Some widths are those of a text in the middle of the screen: tables and code may go beyond it. */
static struct canvas *draw(struct transcript *pane, const struct view *view, unsigned width)
{
	unsigned beside = width % 3 == 1 ? 15 : 0;
	struct canvas *canvas = canvas_new(ROWS, width + 2 * beside);

	canvas_clear(canvas);
	pane_draw(transcript_pane(pane), view, canvas, (struct area){ 0, beside, ROWS, width }, false);
	return canvas;
}

static void look(struct transcript *pane, const struct view *view, unsigned width)
{
	canvas_free(draw(pane, view, width));
}

static void press(struct transcript *pane, const struct view *view, enum key_code code)
{
	pane_key(transcript_pane(pane), view, &(struct key){ .code = code });
}

static bool same(const struct canvas *a, const struct canvas *b)
{
	for (unsigned row = 0; row < a->rows; row++)
		if (!canvas_row_equal(a, b, row))
			return false;
	return true;
}

static void check_same(struct transcript *a, struct transcript *b, const struct view *view, unsigned width, const char *what, unsigned seed)
{
	struct canvas *x = draw(a, view, width), *y = draw(b, view, width);

	CHECK(same(x, y), "seed %u: %s", seed, what);
	canvas_free(x);
	canvas_free(y);
}

/* Compares every screen, from the first row to the last, with a newly created transcript. */
static void check_all_of_it(struct transcript *grown, const struct view *view, unsigned width, unsigned seed)
{
	struct transcript *fresh = transcript_new();

	look(fresh, view, width);
	transcript_to_end(grown);
	check_same(grown, fresh, view, width, "at the end", seed);
	press(grown, view, KEY_HOME);
	press(fresh, view, KEY_HOME);
	for (unsigned page = 0; page < 400 && !transcript_at_end(fresh); page++) {
		check_same(grown, fresh, view, width, "on the way", seed);
		press(grown, view, KEY_PAGE_DOWN);
		press(fresh, view, KEY_PAGE_DOWN);
	}
	CHECK(transcript_at_end(grown) && transcript_at_end(fresh), "seed %u: both come to the end", seed);
	transcript_free(fresh);
}

static void move_about(struct stage *s, struct transcript *pane)
{
	static const enum key_code keys[] = { KEY_UP, KEY_DOWN, KEY_PAGE_UP, KEY_PAGE_DOWN, KEY_HOME, KEY_END, KEY_WHEEL_UP, KEY_WHEEL_DOWN };

	press(pane, &s->view, keys[any(s, 8)]);
}

static void growing_draws_the_same_as_all_at_once(void)
{
	for (unsigned seed = 1; seed <= 120; seed++) {
		struct stage s;
		struct transcript *grown = transcript_new();
		unsigned width = 20 + seed % 70;

		begin(&s, seed);
		for (unsigned step = 0; step < STEPS; step++) {
			add_any(&s);
			if (any(&s, 3) == 0)
				look(grown, &s.view, any(&s, 4) ? width : 8 + any(&s, 100));
			if (any(&s, 6) == 0)
				move_about(&s, grown);
		}
		check_all_of_it(grown, &s.view, width, seed);
		end_turn(&s);
		check_all_of_it(grown, &s.view, width, seed);
		transcript_free(grown);
		conversation_free(s.conversation);
	}
}

/* Another path, at random: a branch is selected, left, removed or restored. */
static void change_path(struct stage *s)
{
	struct conversation *c = s->conversation;
	struct turn *t = c->node_count ? c->nodes[any(s, (unsigned)c->node_count)] : NULL;

	if (!t || t->removed || s->view.live)
		return;
	switch (any(s, 5)) {
	case 0:
		conversation_remove(c, t);
		break;
	case 1:
		conversation_restore(c);
		break;
	case 2:
		conversation_branch(c, t->role == TURN_ASSISTANT ? t : t->parent);
		break;
	default:
		conversation_select(c, t);
	}
	s->calls = 0;
}

/* What a user may have under way while the path changes. */
static void do_something(struct stage *s, struct transcript *pane)
{
	static const enum page_landmark landmarks[] = { PAGE_TURN, PAGE_BLOCK, PAGE_TROUBLE, PAGE_FOLD };
	const struct view *view = &s->view;
	struct buf out = { 0 };
	bool some = s->conversation->count > 0;

	switch (any(s, 8)) {
	case 0:
		transcript_search_leave(pane);
		transcript_search_begin(pane, view);
		transcript_search(pane, view, STR("o"));
		break;
	case 1:
		transcript_search_step(pane, view, any(s, 2) ? 1 : -1);
		break;
	case 2:
		transcript_select(pane, view);
		break;
	case 3:
		transcript_selected(pane, view, &out);
		break;
	case 4:
		if (some)
			transcript_select_move(pane, view, (long)any(s, 9) - 4);
		break;
	case 5:
		transcript_jump(pane, view, landmarks[any(s, 3)], any(s, 2) ? 1 : -1);
		break;
	case 6:
		transcript_search_leave(pane);
		transcript_select_leave(pane, view);
		break;
	default:
		CHECK(!some || conversation_shows(s->conversation, transcript_turn(pane, view)), "the turn it is on is not shown");
		transcript_branching(pane, view);
	}
	buf_fini(&out);
}

static void another_branch_draws_the_same_as_all_at_once(void)
{
	for (unsigned seed = 1; seed <= 120; seed++) {
		struct stage s;
		struct transcript *grown = transcript_new();
		unsigned width = 20 + seed % 70;

		begin(&s, seed);
		for (unsigned step = 0; step < 2 * STEPS; step++) {
			if (any(&s, 10) == 0 && s.view.live)
				end_turn(&s);
			if (any(&s, 6) == 0)
				change_path(&s);
			else
				add_any(&s);
			if (any(&s, 2) == 0)
				look(grown, &s.view, any(&s, 4) ? width : 8 + any(&s, 100));
			if (any(&s, 3) == 0)
				do_something(&s, grown);
		}
		transcript_search_leave(grown);
		transcript_select_leave(grown, &s.view);
		if (s.conversation->count)
			check_all_of_it(grown, &s.view, width, seed);
		transcript_free(grown);
		conversation_free(s.conversation);
	}
}

/* Rows of text: "1", "2" and so on. */
static struct turn *answer_rows(struct stage *s, unsigned from, unsigned count)
{
	char row[32];

	s->turn = conversation_answer(s->conversation, STR("p"), NULL, STR("m"));
	for (unsigned i = from; i < from + count; i++) {
		snprintf(row, sizeof row, "row %u\n\n", i);
		turn_delta(s->turn, &(struct delta){ .kind = DELTA_TEXT, .part = 1, .text = str_from(row) });
	}
	turn_delta(s->turn, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	return s->turn;
}

static void go_to(struct stage *s, struct transcript *pane, struct turn *t)
{
	transcript_hold(pane, &s->view);
	conversation_select(s->conversation, t);
	transcript_show_turn(pane, &s->view, t);
}

/* A sibling below the first visible row leaves it where it is; one that fills the screen is where it was left. */
static void the_first_visible_line_stays_in_another_branch(void)
{
	struct stage s;
	struct transcript *pane = transcript_new();

	begin(&s, 0);
	turn_add(conversation_ask(s.conversation), PART_TEXT, STR("first"), STR_NONE, STR_NONE);
	answer_rows(&s, 1, 10);
	struct turn *question = conversation_ask(s.conversation), *one, *two;
	turn_add(question, PART_TEXT, STR("second"), STR_NONE, STR_NONE);
	one = answer_rows(&s, 100, 40);
	conversation_branch(s.conversation, question);
	two = answer_rows(&s, 200, 30);
	look(pane, &s.view, 40);
	press(pane, &s.view, KEY_HOME);
	for (unsigned i = 0; i < 17; i++)
		press(pane, &s.view, KEY_DOWN);
	struct canvas *before = draw(pane, &s.view, 40);
	go_to(&s, pane, one);
	struct canvas *after = draw(pane, &s.view, 40);
	CHECK(canvas_row_equal(before, after, 0) && canvas_row_equal(before, after, 1), "the rows above the branch moved");
	CU_ASSERT_FALSE(same(before, after));
	CU_ASSERT_PTR_EQUAL(transcript_turn(pane, &s.view), one);
	canvas_free(before);
	canvas_free(after);

	for (unsigned i = 0; i < 30; i++)
		press(pane, &s.view, KEY_DOWN);
	before = draw(pane, &s.view, 40);
	go_to(&s, pane, two);
	look(pane, &s.view, 40);
	go_to(&s, pane, one);
	after = draw(pane, &s.view, 40);
	CHECK(same(before, after), "it is not where it was left");
	canvas_free(before);
	canvas_free(after);
	transcript_free(pane);
	conversation_free(s.conversation);
}

/* The number in a row "entry 17"; 0: none. */
static unsigned entry_in(const struct canvas *canvas, unsigned row)
{
	char text[200] = "";
	unsigned number = 0;
	const char *at;

	for (unsigned c = 0, len = 0; c < canvas->columns && len + 30 < sizeof text; c++) {
		const struct cell *cell = canvas_cell(canvas, row, c);

		memcpy(text + len, cell->text, cell->len);
		text[len += cell->len] = '\0';
	}
	at = strstr(text, "entry ");
	return at && sscanf(at, "entry %u", &number) == 1 ? number : 0;
}

static unsigned first_entry(struct transcript *pane, const struct view *view, unsigned width)
{
	struct canvas *canvas = draw(pane, view, width);
	unsigned first = 0;

	for (unsigned row = 0; row < canvas->rows && !first; row++)
		first = entry_in(canvas, row);
	canvas_free(canvas);
	return first;
}

/* Checks that the entries on the screen follow one another. Returns the last one. */
static unsigned last_entry(struct transcript *pane, const struct view *view, unsigned width)
{
	struct canvas *canvas = draw(pane, view, width);
	unsigned last = 0;

	for (unsigned row = 0; row < canvas->rows; row++) {
		unsigned entry = entry_in(canvas, row);

		CHECK(!entry || !last || entry == last + 1, "entry %u follows %u", entry, last);
		last = entry ? entry : last;
	}
	canvas_free(canvas);
	return last;
}

#define ENTRIES 9000

static struct canvas *draw_page(struct page *page, const struct turn *t)
{
	struct canvas *canvas = canvas_new(ROWS, 40);
	unsigned row = 0;

	canvas_clear(canvas);
	page_update(page, t, false, 40);
	for (size_t piece = 0; piece < page_pieces(page); piece++)
		for (size_t inside = 0; inside < page_piece_rows(page, piece) && row < ROWS; inside++)
			page_draw_row(page, piece, inside, canvas, row++, 0, 40);
	return canvas;
}

/* The end of a call may replace its arguments. What was drawn of them leaves no trace: folded, unfolded, or as they were sent. */
static void the_end_of_a_call_replaces_its_arguments(void)
{
	static const struct { const char *piece, *whole; } cases[] = {
		{ "x", "" }, { "{\"first\":1,", "{\"other\":\"and longer\",\"b\":2}" }, { "{\"first\":\"a value\"", "{\"n\":1}" },
		{ "{\"a\":\"v\",\"key\":\"", "{\"a\":\"v\",\"key\":\"words that are longer than one row of the page, which has forty columns\"}" },
	};

	for (unsigned i = 0; i < 4 * sizeof cases / sizeof *cases; i++) {
		struct stage s;
		struct page grown, fresh;
		struct delta d = { .kind = DELTA_TOOL_BEGIN, .tool = { 0, STR("id"), STR("name"), true } };

		begin(&s, 0);
		begin_turn(&s);
		turn_delta(s.turn, &d);
		d.kind = DELTA_TOOL_ARGUMENTS;
		d.text = str_from(cases[i / 4].piece);
		turn_delta(s.turn, &d);
		page_init(&grown);
		page_init(&fresh);
		page_fold_all(&grown, i & 1);
		page_fold_all(&fresh, i & 1);
		canvas_free(draw_page(&grown, s.turn));
		d.kind = DELTA_TOOL_END;
		d.text = str_from(cases[i / 4].whole);
		turn_delta(s.turn, &d);
		page_set_options(&grown, &(struct markdown_options){ .raw = i & 2 });
		page_set_options(&fresh, &(struct markdown_options){ .raw = i & 2 });
		struct canvas *x = draw_page(&grown, s.turn), *y = draw_page(&fresh, s.turn);
		CHECK(same(x, y), "case %u", i);
		canvas_free(x);
		canvas_free(y);
		page_fini(&grown);
		page_fini(&fresh);
		conversation_free(s.conversation);
	}
}

/* An unfolded call that is laid out in several blocks is one text: for scrolling, for other widths, for the search, for folding. */
static void a_long_call_is_one_text(void)
{
	struct stage s;
	struct transcript *pane = transcript_new();
	struct buf arguments = { 0 };
	unsigned last = 0;

	begin(&s, 0);
	turn_add(conversation_ask(s.conversation), PART_TEXT, STR("q"), STR_NONE, STR_NONE);
	s.turn = conversation_answer(s.conversation, STR("p"), NULL, STR("m"));
	turn_delta(s.turn, &(struct delta){ .kind = DELTA_TOOL_BEGIN, .tool = { 0, STR("id"), STR("name"), false } });
	for (unsigned i = 1; i <= ENTRIES; i++)
		buf_printf(&arguments, "%s\"k\":\"entry %u\"", i > 1 ? "," : "{", i);
	buf_add_z(&arguments, "}");
	turn_delta(s.turn, &(struct delta){ .kind = DELTA_TOOL_END, .text = buf_str(&arguments), .tool = { 0, STR("id"), STR("name"), true } });
	turn_delta(s.turn, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_TOOL_CALLS } });
	look(pane, &s.view, 40);
	transcript_toggle_fold(pane, &s.view);
	press(pane, &s.view, KEY_HOME);
	for (unsigned page = 0; page < 2 * ENTRIES && !transcript_at_end(pane); page++) {
		unsigned first = first_entry(pane, &s.view, 40);

		CHECK(first <= last + 1, "entry %u follows %u", first, last);
		last = last_entry(pane, &s.view, 40);
		press(pane, &s.view, KEY_PAGE_DOWN);
	}
	CU_ASSERT_EQUAL(last_entry(pane, &s.view, 40), ENTRIES);
	for (unsigned page = 0; page < 200; page++)
		press(pane, &s.view, KEY_PAGE_UP);
	unsigned first = first_entry(pane, &s.view, 40);
	CU_ASSERT(first > ENTRIES / 2 && first < ENTRIES - 1000);
	look(pane, &s.view, 70);
	look(pane, &s.view, 23);
	CU_ASSERT_EQUAL(first_entry(pane, &s.view, 40), first);
	transcript_search_begin(pane, &s.view);
	transcript_search(pane, &s.view, STR("entry 4321"));
	first = first_entry(pane, &s.view, 40);
	CHECK(first <= 4321 && last_entry(pane, &s.view, 40) >= 4321, "from entry %u on", first);
	CU_ASSERT_EQUAL(transcript_hits(pane).count, 1);
	transcript_search_forget(pane);
	transcript_toggle_fold(pane, &s.view);
	CU_ASSERT_EQUAL(first_entry(pane, &s.view, 40), 1); /* its line */
	buf_fini(&arguments);
	transcript_free(pane);
	conversation_free(s.conversation);
}

/* The first visible line stays, whatever is added below and at whatever widths it is drawn in between. */
static void the_first_visible_line_stays(void)
{
	unsigned held = 0;

	for (unsigned seed = 1; seed <= 120; seed++) {
		struct stage s;
		struct transcript *pane = transcript_new();
		unsigned width = 20 + seed % 70;

		begin(&s, seed);
		for (unsigned step = 0; step < STEPS; step++)
			add_any(&s);
		while (s.view.live)
			add_any(&s); /* the first turns have ended, so their text does not change */
		look(pane, &s.view, width);
		if (seed % 2)
			transcript_toggle_fold(pane, &s.view);
		press(pane, &s.view, KEY_HOME);
		for (unsigned i = any(&s, 20); i; i--)
			press(pane, &s.view, KEY_DOWN);
		struct canvas *before = draw(pane, &s.view, width);
		for (unsigned step = 0; step < STEPS && !transcript_at_end(pane); step++) {
			add_any(&s);
			look(pane, &s.view, any(&s, 2) ? width : 8 + any(&s, 100));
		}
		struct canvas *after = draw(pane, &s.view, width);
		held += !transcript_at_end(pane);
		CHECK(transcript_at_end(pane) || canvas_row_equal(before, after, 0), "seed %u: the first row moved", seed);
		canvas_free(before);
		canvas_free(after);
		transcript_free(pane);
		conversation_free(s.conversation);
	}
	CHECK(held > 60, "only %u readers were not at the end", held);
}

static void shows_the_same_after_another_width(void)
{
	for (unsigned seed = 1; seed <= 120; seed++) {
		struct stage s;
		struct transcript *pane = transcript_new();
		unsigned width = 20 + seed % 70;

		begin(&s, seed);
		for (unsigned step = 0; step < STEPS; step++)
			add_any(&s);
		for (unsigned move = 0; move < 12; move++) {
			look(pane, &s.view, width);
			move_about(&s, pane);
			struct canvas *before = draw(pane, &s.view, width);
			look(pane, &s.view, 4 + any(&s, 150));
			struct canvas *after = draw(pane, &s.view, width);
			CHECK(same(before, after), "seed %u: move %u", seed, move);
			canvas_free(before);
			canvas_free(after);
		}
		transcript_free(pane);
		conversation_free(s.conversation);
	}
}

/* Switching the view resets the horizontal scroll of code. */
static void the_look_is_borrowed(void)
{
	struct stage s;

	begin(&s, 0);
	s.look.clip_code = true;
	begin_turn(&s);
	turn_delta(s.turn, &(struct delta){ .kind = DELTA_TEXT, .part = 1, .text = STR("```\n0123456789 123456789 123456789 123456789\n```\n") });
	end_turn(&s);
	struct transcript *pane = transcript_new();
	struct canvas *clipped = draw(pane, &s.view, 30);
	press(pane, &s.view, KEY_RIGHT);
	struct canvas *scrolled = draw(pane, &s.view, 30);
	s.look.raw = true;
	struct canvas *raw = draw(pane, &s.view, 30);
	s.look.raw = false;
	struct canvas *again = draw(pane, &s.view, 30);
	CU_ASSERT_FALSE(same(clipped, scrolled));
	CU_ASSERT_FALSE(same(clipped, raw));
	CU_ASSERT_TRUE(same(clipped, again));
	canvas_free(clipped);
	canvas_free(scrolled);
	canvas_free(raw);
	canvas_free(again);
	transcript_free(pane);
	conversation_free(s.conversation);
}

/* It is drawn more often. */
static void a_growing_table_is_known(void)
{
	static const struct { const char *text; bool grows; } steps[] = {
		{ "Text:\n\n", false }, { "| a | b |\n", true }, { "|---|---|\n| c", true }, { " | d |\n", true }, { "\nText", false },
	};
	struct transcript *pane = transcript_new();
	struct stage s;

	begin(&s, 0);
	begin_turn(&s);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		turn_delta(s.turn, &(struct delta){ .kind = DELTA_TEXT, .part = 1, .text = str_from(steps[i].text) });
		look(pane, &s.view, 40);
		CHECK(transcript_grows_table(pane) == steps[i].grows, "step %zu", i);
	}
	transcript_free(pane);
	conversation_free(s.conversation);
}

/* A line with a blank row below it, before a heading or behind reasoning: the mark of that row leads to the line. */
static void marks_lead_back_to_their_rows(void)
{
	struct conversation *c = conversation_new();
	struct turn *t = conversation_answer(c, STR("p"), NULL, STR("m"));
	struct page page;

	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .text = STR("# Ships\n\nText.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_REASONING, .part = 1, .text = STR("A thought.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_TEXT, .part = 2, .text = STR("More.") });
	turn_delta(t, &(struct delta){ .kind = DELTA_END, .end = { OUTCOME_COMPLETE } });
	page_init(&page);
	page_update(&page, t, false, 40);
	for (size_t piece = 0; piece < page_pieces(&page); piece++)
		for (size_t row = 0; row < page_piece_rows(&page, piece); row++) {
			struct page_mark mark = page_mark_of(&page, piece, row), back;
			size_t found_piece, found_row;

			page_find(&page, mark, &found_piece, &found_row);
			back = page_mark_of(&page, found_piece, found_row);
			CHECK(found_piece == piece && back.part == mark.part && back.offset == mark.offset && back.on_line == mark.on_line,
			      "row %zu of piece %zu is found in row %zu of %zu", row, piece, found_row, found_piece);
		}
	page_fini(&page);
	conversation_free(c);
}

const struct suite suite_transcript = { "transcript", (const struct test[]){
	TEST(growing_draws_the_same_as_all_at_once),
	TEST(another_branch_draws_the_same_as_all_at_once),
	TEST(the_first_visible_line_stays_in_another_branch),
	TEST(a_growing_table_is_known), TEST(the_look_is_borrowed),
	TEST(the_first_visible_line_stays), TEST(a_long_call_is_one_text), TEST(the_end_of_a_call_replaces_its_arguments),
	TEST(shows_the_same_after_another_width),
	TEST(marks_lead_back_to_their_rows),
	{ 0 },
} };
