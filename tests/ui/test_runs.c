/* The pane of calls that run here (ui/pane/pane_runs.c). */
#include <locale.h>

#include "support/check.h"
#include "ui/dump.h"
#include "ui/pane/pane.h"

#define ROWS 6u
#define COLUMNS 60u

static void check_pane(struct pane *pane, const struct view *view, const char *words)
{
	struct canvas *c = canvas_new(ROWS, COLUMNS);
	struct buf out = { 0 };
	unsigned rows = pane_rows(pane, view, COLUMNS, ROWS);

	pane_draw(pane, view, c, (struct area){ 0, 0, rows, COLUMNS }, false);
	dump_canvas(c, false, &out);
	CHECK(str_find(buf_str(&out), str_from(words)) < out.len, "%s\n%s", words, buf_z(&out));
	buf_fini(&out);
	canvas_free(c);
}

/* Also if it has written as many bytes, and if bytes replace those of its errors. */
static void a_run_has_its_own_output(void)
{
	const struct view_run first = { .call = 0, .name = "f", .state = "running", .output = STR("first\n"), .ms = 1000 };
	const struct view_run other = { .call = 1, .name = "g", .state = "running", .output = STR("other\n"), .ms = 1000 };
	struct view view = { .run_count = 2, .runs = { first, other } };
	struct pane *pane = pane_runs_new();

	setlocale(LC_CTYPE, "C.UTF-8");
	check_pane(pane, &view, "call 1  f");
	check_pane(pane, &view, "\n first");
	check_pane(pane, &view, "\n other");
	view = (struct view){ .run_count = 1, .runs = { other } };
	check_pane(pane, &view, "call 2  g");
	check_pane(pane, &view, "\n other");
	view.runs[0].output = STR("other\n\xFF\x1B[2J");
	check_pane(pane, &view, "\n other\n \uFFFD");
	pane_free(pane);
}

const struct suite suite_runs = { "runs", (const struct test[]){ TEST(a_run_has_its_own_output), { 0 } } };
