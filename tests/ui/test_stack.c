/*
 * The stack of panes, with a table that has one more pane than the program: layout, focus, keys, wheel.
 */
#include "ui/pane/stack.h"

#include "base/mem.h"
#include "support/check.h"

#define ROWS 24
#define COLUMNS 80

/* A pane that wants some rows, uses one key, and counts its calls. */
struct probe {
	struct pane pane;
	unsigned wants;
	enum key_code takes;     /* the key that it uses */
	unsigned drawn, focused; /* number of draw calls; of those, with the focus */
	unsigned keys;           /* number of keys it used */
	struct area area;        /* as last drawn */
	bool *freed;
};

static struct probe *probe_of(struct pane *pane)
{
	return (struct probe *)pane;
}

static unsigned probe_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	(void)view, (void)columns;
	return probe_of(pane)->wants < most ? probe_of(pane)->wants : most;
}

static void probe_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	(void)view, (void)canvas;
	probe_of(pane)->drawn++;
	probe_of(pane)->focused += focused;
	probe_of(pane)->area = area;
}

static bool probe_key(struct pane *pane, const struct view *view, const struct key *key)
{
	bool takes = key->code == probe_of(pane)->takes;

	(void)view;
	probe_of(pane)->keys += takes;
	return takes;
}

static void probe_free(struct pane *pane)
{
	if (probe_of(pane)->freed)
		*probe_of(pane)->freed = true;
	mem_free(pane);
}

static struct pane *probe_new(unsigned wants, enum key_code takes)
{
	static const struct pane_ops ops = { .rows = probe_rows, .draw = probe_draw, .key = probe_key, .free = probe_free };
	struct probe *p = mem_new(sizeof *p);

	*p = (struct probe){ .pane = { &ops }, .wants = wants, .takes = takes };
	return &p->pane;
}

/* The program's panes and one more above the input. The status bar uses no key. */
enum { PAGE, THOUGHTS, CALLS, ONE_MORE, INPUT, BAR, PANES };

struct stage {
	struct stack stack;
	struct probe *panes[PANES];
	struct view view;
};

static void begin(struct stage *s)
{
	static const struct pane_ops bar_ops = { .rows = probe_rows, .draw = probe_draw, .free = probe_free };
	const struct stack_row rows[PANES] = {
		[PAGE] = { probe_new(0, KEY_WHEEL_UP), .takes_focus = true, .share = STACK_REST },
		[THOUGHTS] = { probe_new(20, KEY_WHEEL_UP), .takes_focus = true, .share = 3 },
		[CALLS] = { probe_new(0, KEY_WHEEL_UP), .takes_focus = true, .share = 3 },
		[ONE_MORE] = { probe_new(4, KEY_WHEEL_UP), .takes_focus = true, .share = 4 },
		[INPUT] = { probe_new(2, KEY_TEXT), .takes_focus = true, .share = 1 },
		[BAR] = { probe_new(1, KEY_TEXT), .share = 1 },
	};

	for (int i = 0; i < PANES; i++)
		s->panes[i] = probe_of(rows[i].pane);
	s->panes[BAR]->pane.ops = &bar_ops;
	s->view = (struct view){ 0 };
	stack_init(&s->stack, rows, PANES, rows[INPUT].pane);
	stack_layout(&s->stack, &s->view, ROWS, COLUMNS);
}

static void end(struct stage *s)
{
	stack_fini(&s->stack);
}

static void the_lowest_gets_its_rows_first_and_one_gets_the_rest(void)
{
	static const struct { unsigned rows, of[PANES]; } screens[] = {
		{ 24, { 9, 8, 0, 4, 2, 1 } }, { 12, { 2, 4, 0, 3, 2, 1 } }, { 6, { 2, 0, 0, 1, 2, 1 } }, { 4, { 1, 0, 0, 0, 2, 1 } }, { 1, { 1 } },
	};
	struct stage s;

	begin(&s);
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		unsigned row = 0;

		stack_layout(&s.stack, &s.view, screens[i].rows, COLUMNS);
		for (int p = 0; p < PANES; p++) {
			struct area area = stack_area(&s.stack, &s.panes[p]->pane);

			CHECK(area.rows == screens[i].of[p], "%u rows: pane %d has %u", screens[i].rows, p, area.rows);
			CHECK(area.row == row && area.columns == COLUMNS && !area.column, "pane %d at row %u", p, area.row);
			row += area.rows;
		}
		CU_ASSERT_EQUAL(row, screens[i].rows);
	}
	end(&s);
}

static void each_pane_with_rows_is_drawn_in_its_area(void)
{
	struct stage s;

	begin(&s);
	stack_draw(&s.stack, &s.view, NULL);
	for (int p = 0; p < PANES; p++) {
		struct area area = stack_area(&s.stack, &s.panes[p]->pane), drawn = s.panes[p]->area;

		CU_ASSERT_EQUAL(s.panes[p]->drawn, area.rows > 0);
		CU_ASSERT_EQUAL(s.panes[p]->focused, p == INPUT);
		CHECK(!area.rows || (drawn.row == area.row && drawn.rows == area.rows), "pane %d at row %u", p, drawn.row);
	}
	end(&s);
}

static void the_focus_cycles_through_visible_panes(void)
{
	static const int below[] = { PAGE, THOUGHTS, ONE_MORE, INPUT, PAGE }, above[] = { INPUT, ONE_MORE, THOUGHTS, PAGE, INPUT };
	struct stage s;

	begin(&s);
	for (size_t i = 0; i < sizeof below / sizeof *below; i++) {
		stack_move_focus(&s.stack, 1);
		CHECK(s.stack.focus == &s.panes[below[i]]->pane, "step %zu down", i);
	}
	for (size_t i = 0; i < sizeof above / sizeof *above; i++) {
		stack_move_focus(&s.stack, -1);
		CHECK(s.stack.focus == &s.panes[above[i]]->pane, "step %zu up", i);
	}
	end(&s);
}

static void the_focus_returns_home_from_hidden_panes(void)
{
	struct stage s;

	begin(&s);
	stack_focus(&s.stack, &s.panes[THOUGHTS]->pane);
	stack_layout(&s.stack, &s.view, ROWS, COLUMNS);
	CU_ASSERT_PTR_EQUAL(s.stack.focus, &s.panes[THOUGHTS]->pane);
	s.panes[THOUGHTS]->wants = 0;
	stack_layout(&s.stack, &s.view, ROWS, COLUMNS);
	CU_ASSERT_PTR_EQUAL(s.stack.focus, &s.panes[INPUT]->pane);
	stack_focus(&s.stack, &s.panes[PAGE]->pane);
	stack_focus(&s.stack, &s.panes[BAR]->pane);
	CU_ASSERT_PTR_EQUAL(s.stack.focus, &s.panes[INPUT]->pane);
	end(&s);
}

static void keys_go_to_the_pane_with_the_focus(void)
{
	struct stage s;

	begin(&s);
	for (int p = 0; p < PANES; p++)
		s.panes[p]->takes = KEY_DOWN;
	for (int i = 0; i < PANES; i++) {
		struct probe *focused = probe_of(s.stack.focus);
		unsigned before = focused->keys;

		CU_ASSERT_TRUE(stack_key(&s.stack, &s.view, &(struct key){ .code = KEY_DOWN }));
		CU_ASSERT_FALSE(stack_key(&s.stack, &s.view, &(struct key){ .code = KEY_UP }));
		CU_ASSERT_EQUAL(focused->keys, before + 1);
		stack_move_focus(&s.stack, 1);
	}
	CU_ASSERT_EQUAL(s.panes[BAR]->keys, 0);
	end(&s);
}

static void the_wheel_goes_to_the_pane_below_the_pointer(void)
{
	struct stage s;

	begin(&s);
	for (unsigned row = 0; row < ROWS + 2; row++) {
		struct pane *over = stack_pane_at(&s.stack, row, 3);
		bool scrolls = over && probe_of(over)->takes == KEY_WHEEL_UP;
		struct probe *expected = scrolls ? probe_of(over) : s.panes[PAGE];
		unsigned before = expected->keys;

		CU_ASSERT_EQUAL(over != NULL, row < ROWS);
		stack_wheel(&s.stack, &s.view, &(struct key){ .code = KEY_WHEEL_UP, .row = row });
		CHECK(expected->keys == before + 1, "row %u", row);
	}
	CU_ASSERT_EQUAL(s.panes[PAGE]->keys, 9 + 2 + 1 + 2); /* over its own rows, the input's, the status bar's, and outside the screen */
	CU_ASSERT_EQUAL(s.panes[ONE_MORE]->keys, 4);
	end(&s);
}

static void check_area(struct area area, struct area expected, const char *what)
{
	CHECK(area.row == expected.row && area.column == expected.column && area.rows == expected.rows && area.columns == expected.columns,
	      "%s: %u,%u %ux%u", what, area.row, area.column, area.columns, area.rows);
}

/* Where the screen is wide, a pane stands at the right of the one that gets the rest; the others have the full width. */
static void a_wide_screen_has_a_pane_beside_the_page(void)
{
	const struct stack_row rows[] = {
		{ probe_new(0, KEY_WHEEL_UP), .takes_focus = true, .share = STACK_REST }, { probe_new(9, KEY_WHEEL_UP), .takes_focus = true, .share = 1, .beside = 150 },
		{ probe_new(2, KEY_TEXT), .takes_focus = true, .share = 1 },
	};
	struct view view = { 0 };
	struct stack s;

	stack_init(&s, rows, 3, rows[2].pane);
	stack_layout(&s, &view, 24, 149);
	check_area(stack_area(&s, rows[0].pane), (struct area){ 0, 0, 13, 149 }, "the page above it");
	check_area(stack_area(&s, rows[1].pane), (struct area){ 13, 0, 9, 149 }, "below");
	stack_layout(&s, &view, 24, 150);
	check_area(stack_area(&s, rows[0].pane), (struct area){ 0, 0, 22, 77 }, "the page beside it");
	check_area(stack_area(&s, rows[1].pane), (struct area){ 0, 78, 22, 72 }, "beside");
	check_area(stack_area(&s, rows[2].pane), (struct area){ 22, 0, 2, 150 }, "the input");
	CU_ASSERT_PTR_EQUAL(stack_pane_at(&s, 4, 77), rows[0].pane);
	CU_ASSERT_PTR_EQUAL(stack_pane_at(&s, 4, 78), rows[1].pane);
	stack_layout(&s, &view, 24, 220);
	check_area(stack_area(&s, rows[1].pane), (struct area){ 0, 102, 22, 118 }, "beside a page of its width");
	probe_of(rows[1].pane)->wants = 0;
	stack_layout(&s, &view, 24, 220);
	check_area(stack_area(&s, rows[0].pane), (struct area){ 0, 0, 22, 220 }, "the page alone");
	stack_fini(&s);
}

/* The text stands in the middle, and in the same place whether a pane is in the margin or not; those below it keep their columns. */
static void panes_in_the_margin_do_not_move_the_text(void)
{
	static const struct { unsigned columns; struct area text, margin; } screens[] = {
		{ 149, { 0, 23, 18, 102 }, { 18, 23, 4, 102 } }, { 150, { 0, 37, 22, 102 }, { 18, 0, 4, 36 } },
		{ 200, { 0, 49, 22, 102 }, { 18, 0, 4, 48 } }, { 300, { 0, 99, 22, 102 }, { 18, 26, 4, 72 } },
	};
	const struct stack_row rows[] = {
		{ probe_new(0, KEY_WHEEL_UP), .takes_focus = true, .share = STACK_REST },
		{ probe_new(4, KEY_WHEEL_UP), .takes_focus = true, .share = 3, .margin = 150 }, { probe_new(2, KEY_TEXT), .takes_focus = true, .share = 1 },
	};
	struct look look = { .text_width = 100 };
	struct view view = { .look = &look };
	struct stack s;

	stack_init(&s, rows, 3, rows[2].pane);
	for (size_t i = 0; i < sizeof screens / sizeof *screens; i++) {
		probe_of(rows[1].pane)->wants = 4;
		stack_layout(&s, &view, 24, screens[i].columns);
		check_area(stack_area(&s, rows[0].pane), screens[i].text, "the text");
		check_area(stack_area(&s, rows[1].pane), screens[i].margin, "the margin");
		CU_ASSERT_PTR_EQUAL(stack_pane_at(&s, 21, screens[i].margin.column), rows[1].pane);
		CU_ASSERT_PTR_EQUAL(stack_pane_at(&s, 17, screens[i].margin.column), rows[0].pane);
		CU_ASSERT_PTR_EQUAL(stack_pane_at(&s, 21, screens[i].margin.column + screens[i].margin.columns), rows[screens[i].columns < 150].pane);
		stack_move_focus(&s, -1);
		CU_ASSERT_PTR_EQUAL(s.focus, rows[1].pane);
		probe_of(rows[1].pane)->wants = 0;
		stack_layout(&s, &view, 24, screens[i].columns);
		CU_ASSERT_PTR_EQUAL(s.focus, rows[2].pane);
		if (screens[i].columns >= 150)
			check_area(stack_area(&s, rows[0].pane), screens[i].text, "the text alone");
	}
	look.text_width = 120;
	probe_of(rows[1].pane)->wants = 4;
	stack_layout(&s, &view, 24, 150);
	check_area(stack_area(&s, rows[1].pane), (struct area){ 18, 14, 4, 122 }, "no margin: below the text");
	stack_fini(&s);
}

/* Otherwise a horizontal step of the wheel would scroll the transcript. */
static void a_tail_uses_the_horizontal_wheel(void)
{
	struct pane *pane = pane_reasoning_new();

	for (enum key_code code = KEY_WHEEL_UP; code <= KEY_WHEEL_RIGHT; code++)
		CHECK(pane_key(pane, &(struct view){ 0 }, &(struct key){ .code = code }), "code %d", (int)code);
	pane_free(pane);
}

static void the_stack_frees_its_panes(void)
{
	struct stage s;
	bool freed[PANES] = { false };

	begin(&s);
	for (int p = 0; p < PANES; p++)
		s.panes[p]->freed = &freed[p];
	end(&s);
	for (int p = 0; p < PANES; p++)
		CU_ASSERT_TRUE(freed[p]);
}

const struct suite suite_stack = { "stack", (const struct test[]){
	TEST(the_lowest_gets_its_rows_first_and_one_gets_the_rest),
	TEST(each_pane_with_rows_is_drawn_in_its_area),
	TEST(the_focus_cycles_through_visible_panes),
	TEST(the_focus_returns_home_from_hidden_panes),
	TEST(keys_go_to_the_pane_with_the_focus),
	TEST(the_wheel_goes_to_the_pane_below_the_pointer),
	TEST(a_wide_screen_has_a_pane_beside_the_page),
	TEST(panes_in_the_margin_do_not_move_the_text),
	TEST(a_tail_uses_the_horizontal_wheel),
	TEST(the_stack_frees_its_panes),
	{ 0 },
} };
