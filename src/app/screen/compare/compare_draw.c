/* The view of a comparison on the canvas: the question, the columns, and the foot (compare_view.h). */
#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/rows.h"

#define COLUMN_LEAST 36u     /* of an answer that is readable beside others */
#define QUESTION_ROWS 16u    /* screen rows from which on the question is shown */
#define PAGE_ROWS_LEAST 4u   /* of the columns above a card: the least screen has 6 rows */
#define KEY_LEAST 10u        /* of a key hint */
#define NAME_LEAST 8u        /* of a name beside a state */
#define HAIRLINE_COLUMNS 11u   /* of a column's hairline that are not its name */
#define STATE_COLUMNS 5u       /* and around its state */

static const char keys_running[] = "v differences   t table   Tab column   ? help   Esc stop";
static const char keys_ended[] = "v differences   t table   Tab column   ? help   Enter go on   Esc back";
static const char keys_diff[] = "Up Down scroll   1 2 ... with another   Esc back";

/* --- a column --- */

static const char *compared_answer_word(const struct compared_answer *a)
{
	static const char *const states[] = {
		[EXCHANGE_HELD] = "tools", [EXCHANGE_KEY] = "key", [EXCHANGE_CONNECTING] = "connecting", [EXCHANGE_WAITING] = "waiting",
		[EXCHANGE_STREAMING] = "streaming", [EXCHANGE_RETRYING] = "retrying", [EXCHANGE_OVER] = "streaming",
	};

	if (awaited_runs(&a->awaited))
		return states[exchange_state(a->awaited.exchange)];
	if (a->rounds.answer)
		return tool_calls_run(&a->rounds.calls) ? "running" : a->rounds.holds ? "waits" : "asks";
	return a->awaited.turn->ended ? outcome_name(a->awaited.turn->outcome) : "";
}

void compare_write_state(const struct compared_answer *a, struct buf *out)
{
	int64_t now_ms = clock_now_ms();
	int64_t quiet_ms = awaited_runs(&a->awaited) &&
	                   exchange_state(a->awaited.exchange) != EXCHANGE_RETRYING ? exchange_quiet_ms(a->awaited.exchange, now_ms) : 0;

	if (quiet_ms > VIEW_QUIET_MS)
		buf_printf(out, "quiet %lld s", (long long)quiet_ms / 1000);
	else
		buf_add_z(out, compared_answer_word(a));
}

/* From the answer to the question to the last one: between them are the results of calls. */
static void column_find_path(struct compare_column *c, const struct compared_answer *a)
{
	size_t count = 1;

	for (const struct turn *t = a->awaited.turn; t != a->first; t = t->parent)
		count++;
	mem_reserve(&c->path, &c->path_capacity, count, sizeof *c->path);
	c->shown.turns = c->path;
	c->shown.count = count;
	for (struct turn *t = a->awaited.turn; count > 0; t = t->parent)
		c->path[--count] = t;
}

/* What its page may read: the answer alone, without keys that do not work here. */
void compare_column_view(struct compare_view *v, size_t index, const struct view *view, struct view *own)
{
	struct compare_column *c = &v->columns[index];
	const struct compared_answer *a = &v->compare->answers[index];
	int64_t now_ms = clock_now_ms();

	c->shown = *view->conversation;
	column_find_path(c, a);
	c->look = *view->look;
	c->look.keys = (struct view_keys){ .fold = view->look->keys.fold };
	if (c->look.reasoning == REASONING_VIEW_PANE)
		c->look.reasoning = REASONING_VIEW_TAIL; /* there is no such pane here */
	*own = (struct view){
		.conversation = &c->shown, .live = awaited_runs(&a->awaited) ? a->awaited.turn : NULL, .look = &c->look, .pictures = view->pictures,
		.state = awaited_runs(&a->awaited) ? VIEW_STREAMING : VIEW_READY, .side_by_side = true,
	};
	if (awaited_runs(&a->awaited)) {
		double elapsed_ms = exchange_elapsed_ms(a->awaited.exchange, now_ms);

		own->at_ms = (double)((int64_t)(elapsed_ms / FIGURES_MS) * FIGURES_MS);
	}
}

/* --- names --- */

static struct str name_of(const struct compare *c, size_t index)
{
	const struct compare_target *t = c->answers[index].target;
	bool one_provider = true;

	for (size_t i = 0; i < c->count; i++)
		one_provider = one_provider && c->answers[i].target->provider == t->provider;
	return str_skip(str_from(t->label), one_provider ? strlen(t->provider->name) + 1 : 0);
}

/* How much of a name is left out: whole words that it shares with the name that is most like it, as few as make it fit. */
static size_t name_cut(const struct compare *c, size_t index, unsigned columns)
{
	struct str name = name_of(c, index);
	size_t shared = 0, cut = 0;

	for (size_t i = 0; i < c->count; i++) {
		struct str other = name_of(c, i);

		for (size_t at = 0; i != index && at < name.len && at < other.len && name.ptr[at] == other.ptr[at]; at++)
			if (at >= shared && strchr("/:-_.", name.ptr[at]))
				shared = at + 1;
	}
	while (cut < shared && utf8_width(str_skip(name, cut)) + (cut > 0) > columns)
		do
			cut++;
		while (cut < shared && !strchr("/:-_.", name.ptr[cut - 1]));
	return cut;
}

void compare_name(const struct compare *c, size_t index, unsigned columns, struct buf *out)
{
	size_t cut = columns > 1 ? name_cut(c, index, columns) : 0;
	struct str name = str_skip(name_of(c, index), cut);

	buf_add_z(out, cut ? "\u2026" : "");
	columns -= cut > 0;
	if (utf8_width(name) <= columns)
		buf_add(out, name);
	else if (columns)
		buf_printf(out, "%.*s\u2026", STR_ARG(utf8_head(name, columns - 1)));
}

/* --- a column's head --- */

static void column_draw_head(const struct compare_view *v, size_t index, struct canvas *canvas, struct area area)
{
	const struct compared_answer *a = &v->compare->answers[index];
	const struct compare_column *c = &v->columns[index];
	struct buf name = { 0 }, state = { 0 };
	struct area line = { area.row, area.column, 1, area.columns };
	bool focused = index == v->focus && !v->sheet;

	size_t news = transcript_at_end(c->transcript) ? 0 : transcript_new_lines(c->transcript);
	if (news)
		buf_printf(&state, "%zu new line%s", news, news == 1 ? "" : "s");
	else
		compare_write_state(a, &state);
	buf_printf(&name, "%s%zu  ", focused ? "> " : "", index + 1); /* also seen without colours */
	unsigned room = area.columns > HAIRLINE_COLUMNS ? area.columns - HAIRLINE_COLUMNS : 0;
	if (room >= (unsigned)state.len + STATE_COLUMNS + NAME_LEAST)
		room -= (unsigned)state.len + STATE_COLUMNS;
	else
		buf_clear(&state);
	compare_name(v->compare, index, room, &name);
	if (focused)
		canvas_hairline_focused(canvas, line, buf_str(&name), buf_str(&state));
	else
		canvas_hairline(canvas, line, ROLE_LABEL, buf_str(&name), buf_str(&state));
	buf_fini(&name);
	buf_fini(&state);
}

/* `columns` of the area are for its page. */
static void column_draw(struct compare_view *v, size_t index, const struct view *view, struct canvas *canvas, struct area area, unsigned columns)
{
	struct compare_column *c = &v->columns[index];
	struct view own;

	compare_column_view(v, index, view, &own);
	column_draw_head(v, index, canvas, area);
	c->area = (struct area){ area.row + 1, area.column, area.rows - 1, columns };
	pane_draw(transcript_pane(c->transcript), &own, canvas, c->area, index == v->focus && !v->sheet);
}

/* --- the columns that are shown --- */

/* How many columns are shown at once. */
static unsigned columns_shown(const struct compare_view *v, unsigned columns)
{
	unsigned fit = (columns + 1) / (COLUMN_LEAST + 1);

	return fit < 1 ? 1 : fit < v->compare->count ? fit : (unsigned)v->compare->count;
}

/* The column with the focus is shown, and the others stay where they are as far as that goes. */
static void view_scroll(struct compare_view *v, unsigned shown)
{
	if (v->focus < v->first)
		v->first = v->focus;
	if (v->focus >= v->first + shown)
		v->first = v->focus + 1 - shown;
	if (v->first + shown > v->compare->count)
		v->first = v->compare->count - shown;
}

/* All are of one width, so that the same words wrap in the same place; what that leaves over is blank. */
static void columns_draw(struct compare_view *v, const struct view *view, struct canvas *canvas, struct area area)
{
	unsigned shown = columns_shown(v, area.columns), each = (area.columns + 1) / shown;

	view_scroll(v, shown);
	for (size_t i = 0; i < v->compare->count; i++)
		v->columns[i].area.rows = 0;
	for (unsigned i = 0; i < shown; i++) {
		unsigned column = area.column + i * each, width = i + 1 == shown ? area.columns - column : each - 1;

		column_draw(v, v->first + i, view, canvas, (struct area){ area.row, column, area.rows, width }, each - 1);
		for (unsigned r = 1; i && r < area.rows; r++)
			canvas_put(canvas, area.row + r, column - 1, 1, ROLE_HAIRLINE, STR("\u2502"));
	}
}

/* --- the whole --- */

static struct str first_line(struct str text)
{
	struct str line = text;

	(void)str_split(&text, '\n', &line);
	return line;
}

static void question_draw(const struct compare_view *v, struct canvas *canvas)
{
	const struct turn *question = v->compare->answers[0].first->parent;
	struct str text = STR("");

	for (size_t i = 0; i < question->part_count && !text.len; i++)
		if (question->parts[i].kind == PART_TEXT)
			text = str_trim(buf_str(&question->parts[i].text));
	canvas_fill(canvas, (struct area){ 0, 0, 1, canvas->columns }, ROLE_PROMPT);
	canvas_put(canvas, 0, 0, 1, ROLE_PROMPT_BAR, STR("\u258c"));
	canvas_put(canvas, 0, 2, canvas->columns - 3, ROLE_PROMPT, first_line(text));
}

/* "comparing  2 of 3 under way", a message instead of it, and the keys. */
static void foot_draw(const struct compare_view *v, const struct view *view, struct canvas *canvas, unsigned row)
{
	struct buf words = { 0 };
	size_t running = compare_running(v->compare);
	bool asks = compare_asks(v->compare);

	enum role_name role = !view->message ? ROLE_STATUS : view->message_is_error ? ROLE_TROUBLE : ROLE_STATUS_STRONG;

	canvas_fill(canvas, (struct area){ row, 0, 1, canvas->columns }, ROLE_STATUS);
	if (view->message)
		buf_add_z(&words, view->message);
	else if (asks)
		buf_printf(&words, "%zu of %zu under way, a call asks: %s", running, v->compare->count, host_key(v->host, "answer"));
	else if (running)
		buf_printf(&words, "%zu of %zu under way", running, v->compare->count);
	else
		buf_printf(&words, "%zu answers", v->compare->count);
	unsigned taken = canvas_put(canvas, row, 1, canvas->columns - 2, role, buf_str(&words)) + 4;
	buf_clear(&words);
	if (v->diff.open) {
		buf_add_z(&words, keys_diff);
	} else {
		hints_add(&words, 0, host_key(v->host, "retry"), "retry");
		buf_printf(&words, "%s%s", words.len ? "   " : "", running ? keys_running : keys_ended);
	}
	if (!view->message && canvas->columns > taken + KEY_LEAST)
		canvas_put_right(canvas, row, taken, canvas->columns - taken - 1, ROLE_STATUS,
		                 hints_fitting(buf_str(&words), canvas->columns - taken - 1));
	buf_fini(&words);
}

void compare_view_draw(struct compare_view *v, const struct view *view, struct sheet *docked, struct canvas *canvas)
{
	unsigned top = canvas->rows >= QUESTION_ROWS && !docked, foot = canvas->rows - 1;

	v->width = canvas->columns;
	compare_take_figures(v);
	if (top)
		question_draw(v, canvas);
	unsigned rows = docked ? 0 : compare_foot_rows(v, canvas->rows);
	unsigned asks = docked ? sheet_dock_rows(docked, canvas->columns, foot - PAGE_ROWS_LEAST) : 0;
	const struct area body = { top, 0, foot - rows - asks - top, canvas->columns };
	if (v->diff.open)
		compare_diff_draw(&v->diff, canvas, body);
	else
		columns_draw(v, view, canvas, body);
	if (docked) {
		sheet_draw_docked(docked, canvas, (struct area){ foot - asks, 0, asks, canvas->columns });
		sheet_draw_keys(docked, canvas, (struct area){ foot, 0, 1, canvas->columns }, str_from(view->message));
	} else {
		compare_foot_draw(v, view->look, canvas, (struct area){ foot - rows, 0, rows, canvas->columns });
		foot_draw(v, view, canvas, foot);
	}
	if (v->sheet)
		sheet_draw(v->sheet, canvas);
}
