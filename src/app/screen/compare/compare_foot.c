/* The foot: a line for each answer, with its state, a bar of its rate, and its figures (compare_view_inside.h). */
#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"

#include <math.h>

#include "base/array.h"
#include "base/least.h"
#include "render/flow.h"

#define SIGN_COLUMNS 4u   /* the sign of the focus and the number */
#define NAME_MOST 32u
#define NAMED_COLUMNS 32u /* of a line with a name */
#define RATE_COLUMNS 7u   /* of the number behind a bar */
#define BAR_LEAST 8u
#define BAR_MOST 40u
#define BAR_NAME "tokens a second"
#define GAP 2u
#define HEIGHT_SHARE 3u   /* a line for each answer if these are at most 1/3 of the height; else that of the answer with the focus */

/* The figures beside the bar, as they are given up where room is short: the last ones first. */
static const enum compared_fact facts_by_need[] = {
	COMPARED_FIRST, COMPARED_STATE, COMPARED_MONEY, COMPARED_WHOLE, COMPARED_TOKENS, COMPARED_FINDINGS,
};

/* Where things stand in a line. */
struct foot {
	unsigned name, bar;                  /* columns of each, with the gap behind the name */
	bool has[COMPARED_FACT_COUNT];
};

static unsigned foot_name_columns(const struct compare_view *v, unsigned most)
{
	unsigned widest = 0;

	for (size_t i = 0; i < v->compare->count; i++) {
		struct buf name = { 0 };

		compare_name(v->compare, i, most, &name);
		unsigned columns = flow_columns(buf_str(&name), most);
		widest = columns > widest ? columns : widest;
		buf_fini(&name);
	}
	return widest;
}

static void foot_lay_out(struct foot *f, const struct compare_view *v, unsigned columns)
{
	unsigned left = columns;

	*f = (struct foot){ .name = columns >= NAMED_COLUMNS ? foot_name_columns(v, least(columns / 4, NAME_MOST)) + GAP : 0 };
	unsigned taken = SIGN_COLUMNS + f->name + BAR_LEAST + RATE_COLUMNS + 1;
	left -= least(left, taken);
	for (size_t i = 0; i < ARRAY_LEN(facts_by_need); i++) {
		unsigned more = GAP + compared_facts[facts_by_need[i]].columns;

		if (more > left)
			break;
		f->has[facts_by_need[i]] = true;
		left -= more;
	}
	f->bar = least(BAR_LEAST + left, BAR_MOST);
}

unsigned compare_foot_rows(const struct compare_view *v, unsigned height)
{
	unsigned rows = (unsigned)v->compare->count + 1;

	return rows <= height / HEIGHT_SHARE ? rows : 1;
}

static enum role_name foot_role(const struct compared_answer *a)
{
	if (compared_answer_runs(a))
		return ROLE_ACCENT;
	if (a->awaited.turn->outcome == OUTCOME_CANCELLED)
		return ROLE_MUTED;
	return outcome_is_trouble(a->awaited.turn->outcome) ? ROLE_TROUBLE : ROLE_SUCCESS;
}

/* As the number behind the bar is rounded, so that equal numbers have equal bars. */
static double shown_rate(double rate)
{
	return round(rate * 10) / 10;
}

static double highest_rate(const struct compare_view *v)
{
	double most = 0;

	for (size_t i = 0; i < v->compare->count; i++)
		most = v->figures[i].rate > most ? v->figures[i].rate : most;
	return most;
}

static void put_bar(const struct compare_view *v, const struct foot *f, const struct look *look, size_t index, struct canvas *canvas, struct area at)
{
	double rate = shown_rate(v->figures[index].rate);
	unsigned filled = rate > 0 ? (unsigned)(rate / shown_rate(highest_rate(v)) * f->bar) : 0;
	struct buf number = { 0 };

	for (unsigned i = 0; i < (rate > 0 && !filled ? 1 : filled); i++)
		canvas_put(canvas, at.row, at.column + i, 1, foot_role(&v->compare->answers[index]), look->ascii ? STR("#") : STR("\u2586"));
	compare_write_fact(&v->figures[index], COMPARED_RATE, &number);
	canvas_put_right(canvas, at.row, at.column + f->bar, RATE_COLUMNS, ROLE_STATUS_STRONG, buf_str(&number));
	buf_fini(&number);
}

static void put_fact(const struct compare_view *v, enum compared_fact fact, size_t index, struct canvas *canvas, struct area at)
{
	struct buf text = { 0 };

	if (fact != COMPARED_STATE) {
		compare_write_fact(&v->figures[index], fact, &text);
		canvas_put_right(canvas, at.row, at.column, at.columns, ROLE_STATUS, buf_str(&text));
	} else {
		compare_write_state(&v->compare->answers[index], &text);
		canvas_put(canvas, at.row, at.column, at.columns, foot_role(&v->compare->answers[index]), buf_str(&text));
	}
	buf_fini(&text);
}

/* The head of the lines is a hairline. */
static void put_word(struct canvas *canvas, struct area at, bool right, struct str word)
{
	unsigned column = right ? at.column + at.columns - flow_columns(word, at.columns) : at.column;

	canvas_put(canvas, at.row, column - 1, 1, ROLE_HAIRLINE, STR(" "));
	column += canvas_put(canvas, at.row, column, at.columns, ROLE_MUTED, word);
	canvas_put(canvas, at.row, column, 1, ROLE_HAIRLINE, STR(" "));
}

/* Draws the line of an answer, or the head. Both walk the same columns. */
static void foot_draw_line(const struct compare_view *v, const struct foot *f, const struct look *look, long index, struct canvas *canvas,
                           struct area line)
{
	struct area at = { line.row, line.column + SIGN_COLUMNS, 1, f->name > GAP ? f->name - GAP : 0 };
	bool is_head = index < 0, focused = index == (long)v->focus;
	struct buf sign = { 0 }, name = { 0 };

	if (is_head) {
		canvas_hairline(canvas, line, ROLE_MUTED, STR_NONE, STR_NONE);
		put_word(canvas, at, false, STR("answer"));
	} else {
		buf_printf(&sign, "%s %ld", focused ? ">" : " ", index + 1);
		compare_name(v->compare, (size_t)index, at.columns, &name);
		canvas_put(canvas, at.row, line.column, SIGN_COLUMNS, focused ? ROLE_ACCENT : ROLE_STATUS, buf_str(&sign));
		canvas_put(canvas, at.row, at.column, at.columns, focused ? ROLE_STATUS_STRONG : ROLE_STATUS, buf_str(&name));
	}
	at.column += f->name;
	for (size_t fact = 0; fact < COMPARED_FACT_COUNT; fact++) {
		at.columns = compared_facts[fact].columns;
		if (f->has[fact] && is_head)
			put_word(canvas, at, fact != COMPARED_STATE, str_from(compared_facts[fact].name));
		else if (f->has[fact])
			put_fact(v, (enum compared_fact)fact, (size_t)index, canvas, at);
		at.column += f->has[fact] ? at.columns + GAP : 0;
		if (fact != COMPARED_STATE)
			continue;
		at.columns = f->bar + RATE_COLUMNS; /* the bar stands behind the state */
		if (is_head)
			put_word(canvas, at, true, STR(BAR_NAME));
		else
			put_bar(v, f, look, (size_t)index, canvas, at);
		at.column += at.columns + GAP;
	}
	buf_fini(&sign);
	buf_fini(&name);
}

void compare_foot_draw(const struct compare_view *v, const struct look *look, struct canvas *canvas, struct area area)
{
	struct area line = { area.row, area.column, 1, area.columns };
	struct foot f;

	foot_lay_out(&f, v, area.columns);
	canvas_fill(canvas, area, ROLE_STATUS);
	if (area.rows == 1) {
		foot_draw_line(v, &f, look, (long)v->focus, canvas, line);
		return;
	}
	for (long i = -1; i < (long)v->compare->count; i++, line.row++)
		foot_draw_line(v, &f, look, i, canvas, line);
}
