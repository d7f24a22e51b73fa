#include "ui/pane/stack.h"

#include <assert.h>

#include "base/mem.h"

#define PAGE_COLUMNS 102u /* of the `rest` pane beside another one, where there is room */
#define BESIDE_COLUMNS 72u /* at least, of a pane beside it */
#define MARGIN_COLUMNS 36u /* at least, of panes in the margin; a column parts them from the text */
#define LEFT_LEAST 3u /* with fewer rows left, only the `rest` pane gets rows */

void stack_init(struct stack *s, const struct stack_row *rows, size_t count, struct pane *home)
{
	*s = (struct stack){ .places = mem_resize(NULL, count, sizeof *s->places), .count = count, .focus = home, .home = home };
	for (size_t i = 0; i < count; i++) {
		assert(rows[i].share != STACK_REST || !s->rest);
		s->places[i] = (struct stack_place){ .row = rows[i] };
		if (rows[i].share == STACK_REST)
			s->rest = rows[i].pane;
	}
	assert(s->rest);
}

void stack_fini(struct stack *s)
{
	for (size_t i = 0; i < s->count; i++)
		pane_free(s->places[i].row.pane);
	mem_free(s->places);
	*s = (struct stack){ 0 };
}

static struct stack_place *stack_place_of(const struct stack *s, const struct pane *pane)
{
	size_t at = 0;

	while (at < s->count && s->places[at].row.pane != pane)
		at++;
	assert(at < s->count);
	return &s->places[at];
}

/* --- layout --- */

static unsigned stack_most(const struct stack_row *row, unsigned height, unsigned left)
{
	if (row->share == STACK_REST || left < LEFT_LEAST)
		return 0;
	return height / row->share < left - 1 ? height / row->share : left - 1;
}

/* Gives the pane beside the `rest` pane, of which there is one, its columns; a column parts them. */
static void stack_put_beside(struct stack *s, struct stack_place *place)
{
	struct area *rest = &stack_place_of(s, s->rest)->area;
	unsigned columns = rest->columns > PAGE_COLUMNS + BESIDE_COLUMNS ? rest->columns - PAGE_COLUMNS : BESIDE_COLUMNS;

	place->area = (struct area){ rest->row, rest->columns - columns, rest->rows, columns };
	rest->columns -= columns + 1;
}

/* Whether a pane is shown that may stand beside the `rest` pane: it needs the columns of the screen. */
static bool stack_is_wide(const struct stack *s, const struct view *view, unsigned rows, unsigned columns)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct stack_row *row = &s->places[i].row;

		if (row->beside && pane_rows(row->pane, view, columns, stack_most(row, rows, rows)))
			return true;
	}
	return false;
}

static bool stack_has_margin(const struct stack *s, unsigned columns)
{
	for (size_t i = 0; i < s->count; i++)
		if (s->places[i].row.margin && columns >= s->places[i].row.margin)
			return true;
	return false;
}

/* Where text that leaves `spare` columns begins: in the middle, or further to the right where panes in the margin need that. */
static unsigned stack_begin(const struct stack *s, unsigned columns, unsigned spare, unsigned *margin)
{
	unsigned begin = spare / 2;

	*margin = 0;
	if (spare <= MARGIN_COLUMNS || !stack_has_margin(s, columns))
		return begin;
	begin = begin > MARGIN_COLUMNS ? begin : MARGIN_COLUMNS + 1;
	*margin = begin - 1 < BESIDE_COLUMNS ? begin - 1 : BESIDE_COLUMNS;
	return begin;
}

/* Gives the panes in the margin their rows beside the last ones of the `rest` pane. */
static void stack_put_in_margin(struct stack *s, const struct view *view, unsigned rows, unsigned columns)
{
	struct area rest = stack_area(s, s->rest);
	unsigned left = rest.rows;

	for (size_t i = s->count; i-- > 0;) {
		struct stack_place *place = &s->places[i];

		if (!place->row.margin)
			continue;
		unsigned own = pane_rows(place->row.pane, view, columns, stack_most(&place->row, rows, left));
		left -= own;
		place->area = (struct area){ rest.row + left, rest.column - 1 - columns, own, columns };
		place->beside = true;
	}
}

void stack_layout(struct stack *s, const struct view *view, unsigned rows, unsigned columns)
{
	unsigned left = rows, row = 0, text = view->look ? view->look->text_width : 0, begin = 0, margin = 0;

	s->columns = columns;
	if (text && columns > text + 2 && !stack_is_wide(s, view, rows, columns)) {
		begin = stack_begin(s, columns, columns - text - 2, &margin);
		columns = text + 2;
	}

	for (size_t i = s->count; i-- > 0;) {
		struct stack_place *place = &s->places[i];
		unsigned most = place->row.margin && margin ? 0 : stack_most(&place->row, rows, left);

		place->area.rows = place->row.pane == s->rest ? 0 : pane_rows(place->row.pane, view, columns, most);
		assert(place->area.rows <= most);
		place->beside = place->row.beside && columns >= place->row.beside && place->area.rows;
		place->area.rows = place->beside ? 0 : place->area.rows;
		left -= place->area.rows;
	}
	for (size_t i = 0; i < s->count; i++) {
		struct stack_place *place = &s->places[i];

		place->area = (struct area){ row, begin, place->row.pane == s->rest ? left : place->area.rows, columns };
		row += place->area.rows;
	}
	for (size_t i = 0; i < s->count; i++)
		if (s->places[i].beside)
			stack_put_beside(s, &s->places[i]);
	if (margin)
		stack_put_in_margin(s, view, rows, margin);
	if (!stack_area(s, s->focus).rows) /* now, because the next key may arrive before the next frame */
		s->focus = s->home;
}

void stack_draw(const struct stack *s, const struct view *view, struct canvas *canvas)
{
	for (size_t i = 0; i < s->count; i++) {
		struct stack_place *place = &s->places[i];

		if (place->area.rows)
			pane_draw(place->row.pane, view, canvas, place->area, place->row.pane == s->focus);
	}
}

struct area stack_area(const struct stack *s, const struct pane *pane)
{
	return stack_place_of(s, pane)->area;
}

struct pane *stack_pane_at(const struct stack *s, unsigned row, unsigned column)
{
	struct pane *at = NULL;

	for (size_t i = 0; i < s->count; i++) {
		struct area area = s->places[i].area;

		if (row - area.row < area.rows && (!s->places[i].beside || column - area.column < area.columns))
			at = s->places[i].row.pane; /* the panes beside the page come after it */
	}
	return at;
}

/* --- focus and keys --- */

void stack_focus(struct stack *s, struct pane *pane)
{
	s->focus = stack_place_of(s, pane)->row.takes_focus ? pane : s->home;
}

void stack_move_focus(struct stack *s, int step)
{
	size_t at = (size_t)(stack_place_of(s, s->focus) - s->places);

	for (size_t i = 0; i < s->count; i++) {
		at = (step > 0 ? at + 1 : at + s->count - 1) % s->count;
		if (s->places[at].row.takes_focus && s->places[at].area.rows) {
			s->focus = s->places[at].row.pane;
			return;
		}
	}
}

bool stack_key(struct stack *s, const struct view *view, const struct key *key)
{
	return pane_key(s->focus, view, key);
}

void stack_wheel(struct stack *s, const struct view *view, const struct key *key)
{
	struct pane *over = stack_pane_at(s, key->row, key->column);

	if (!over || over == s->rest || !pane_key(over, view, key))
		pane_key(s->rest, view, key);
}
