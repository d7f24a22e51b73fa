/* The line of bars: the tokens of all answers beside one another (compare_view_inside.h). */
#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"
#include "chat/conversation/figure.h"

#define BAR_WORD_COLUMNS 40u    /* of a bar with its cost and a word beside it */
#define BAR_FIGURES_COLUMNS 14u /* with tokens; less: the number and the bar */

static enum role_name bar_role(const struct compared_answer *a)
{
	if (awaited_runs(&a->awaited))
		return ROLE_ACCENT;
	if (a->awaited.turn->outcome == OUTCOME_CANCELLED)
		return ROLE_MUTED;
	return outcome_is_trouble(a->awaited.turn->outcome) ? ROLE_TROUBLE : ROLE_SUCCESS;
}

/* What stands for the state where a word has no room. */
static const char *bar_sign(const struct compared_answer *a)
{
	if (awaited_runs(&a->awaited))
		return a->awaited.turn->meter.begun ? ">" : ".";
	if (a->awaited.turn->outcome == OUTCOME_CANCELLED)
		return "x";
	return outcome_is_trouble(a->awaited.turn->outcome) ? "!" : "=";
}

static int64_t most_tokens(const struct compare_view *v)
{
	int64_t most = 1;

	for (size_t i = 0; i < v->compare->count; i++)
		most = v->figures[i].tokens > most ? v->figures[i].tokens : most;
	return most;
}

/* The words at the right end of a bar. Their width does not change while it grows. */
static void bar_words(const struct compare_view *v, size_t index, unsigned columns, bool fastest, struct buf *out)
{
	const struct compare_figures *f = &v->figures[index];
	struct buf tokens = { 0 };
	char cost[FIGURE_SIZE];

	compare_write_tokens(f, &tokens);
	figure_cost(cost, f->cost);
	if (columns >= BAR_FIGURES_COLUMNS)
		buf_printf(out, " %7s", buf_z(&tokens));
	if (columns >= BAR_WORD_COLUMNS)
		buf_printf(out, " %8s  %-8s", cost, fastest ? "fastest" : "");
	buf_fini(&tokens);
}

/* How much of its room a bar fills; a server may report any number of tokens. */
static unsigned bar_filled(int64_t tokens, int64_t most, unsigned room)
{
	unsigned filled = (unsigned)((double)tokens * room / (double)most);

	return tokens && !filled && room ? 1 : filled;
}

static void bar_draw(const struct compare_view *v, const struct look *look, size_t index, struct canvas *canvas, struct area area, bool fastest)
{
	const struct compared_answer *a = &v->compare->answers[index];
	struct buf head = { 0 }, words = { 0 };

	buf_printf(&head, "%zu%s%s", index + 1, bar_sign(a), fastest && area.columns < BAR_WORD_COLUMNS && area.columns > 4 ? "*" : " ");
	bar_words(v, index, area.columns, fastest, &words);
	unsigned at = canvas_put(canvas, area.row, area.column, area.columns, index == v->focus ? ROLE_STATUS_STRONG : ROLE_STATUS, buf_str(&head));
	unsigned tail = (unsigned)words.len, room = area.columns > at + tail + 1 ? area.columns - at - tail - 1 : 0;
	unsigned filled = bar_filled(v->figures[index].tokens, most_tokens(v), room);
	for (unsigned i = 0; i < filled; i++)
		canvas_put(canvas, area.row, area.column + at + i, 1, bar_role(a), look->ascii ? STR("#") : STR("\u2586"));
	if (tail < area.columns - at)
		canvas_put(canvas, area.row, area.column + at + room, tail, ROLE_STATUS, buf_str(&words));
	buf_fini(&head);
	buf_fini(&words);
}

void compare_bars_draw(const struct compare_view *v, const struct look *look, struct canvas *canvas, unsigned row)
{
	unsigned count = (unsigned)v->compare->count, share = canvas->columns / count;
	size_t fastest = compare_fastest(v->figures, count);

	canvas_fill(canvas, (struct area){ row, 0, 1, canvas->columns }, ROLE_STATUS);
	for (unsigned i = 0; i < count; i++)
		bar_draw(v, look, i, canvas, (struct area){ row, i * share, 1, share }, i == fastest);
}
