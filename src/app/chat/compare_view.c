#include "app/chat/compare_view.h"

#include <stdio.h>
#include <string.h>

#include "base/least.h"
#include "ui/figure.h"
#include "ui/rows.h"

#define COLUMN_LEAST 36u      /* of an answer that is readable beside others */
#define QUESTION_ROWS 16u     /* screen rows from which on the question is shown */
#define FIGURES_ROWS 5u       /* rows of a column from which on its figures are shown */
#define FIGURES_MS 250
#define KEY_LEAST 10u          /* of a key hint */
#define NAME_LEAST 8u          /* of a name beside a state */
#define HAIRLINE_COLUMNS 16u   /* of a column's hairline that are neither its name nor its state */
#define BAR_WORD_COLUMNS 40u  /* of a bar with its cost and a word beside it */
#define BAR_FIGURES_COLUMNS 14u /* with tokens; less: the number and the bar */
#define TABLE_COLUMNS 96u     /* of a screen for the table with a line for each */

static const char keys_running[] = "d diff   t table   r retry   Tab column   ? help   Esc stop";
static const char keys_ended[] = "d diff   t table   r retry   Tab column   ? help   Enter go on   Esc back";
static const char keys_diff[] = "Up Down scroll   1 2 ... with another   Esc back";

void compare_view_init(struct compare_view *v, const struct host *host, struct compare *compare)
{
	*v = (struct compare_view){ .host = host, .compare = compare };
}

static void view_drop(struct compare_view *v)
{
	for (size_t i = 0; i < COMPARE_MOST; i++) {
		transcript_free(v->columns[i].transcript);
		v->columns[i] = (struct compare_column){ 0 };
	}
	sheet_free(v->sheet);
	v->sheet = NULL;
	compare_diff_close(&v->diff);
	v->chosen = NULL;
	v->open = false;
}

void compare_view_fini(struct compare_view *v)
{
	view_drop(v);
}

void compare_view_open(struct compare_view *v)
{
	view_drop(v);
	for (size_t i = 0; i < v->compare->count; i++)
		v->columns[i].transcript = transcript_new();
	v->open = true;
	v->warned = false;
	v->focus = v->first = 0;
	v->second = v->compare->count > 1;
	v->figures_ms = 0;
	host_say_for(v->host, 0, "");
	host_redraw(v->host);
}

void compare_view_close(struct compare_view *v)
{
	if (!v->open)
		return;
	if (compare_is_current(v->compare))
		compare_leave(v->compare);
	if (v->compare->asks_all)
		host_say(v->host, "the next prompt goes to all %zu, too; /compare off ends that", v->compare->targets.count);
	view_drop(v);
	transcript_to_end(v->host->transcript);
	host_redraw(v->host);
}

/* --- the figures --- */

static void view_take_figures(struct compare_view *v)
{
	int64_t now_ms = clock_now_ms();
	size_t running = compare_running(v->compare);

	if (v->figures_ms && now_ms < v->figures_ms + FIGURES_MS && running == v->running)
		return;
	for (size_t i = 0; i < v->compare->count; i++) {
		const struct compare_lane *l = &v->compare->lanes[i];
		size_t findings = lane_runs(l) ? findings_count(exchange_findings(l->exchange)) : l->findings;

		compare_figures_take(&v->figures[i], l->target->label, l->turn, findings);
	}
	v->figures_ms = now_ms;
	v->running = running;
}

int64_t compare_view_deadline(const struct compare_view *v)
{
	return compare_view_is_open(v) && compare_runs(v->compare) ? v->figures_ms + FIGURES_MS : NO_DEADLINE;
}

static const char *lane_word(const struct compare_lane *l)
{
	static const char *const states[] = {
		[EXCHANGE_KEY] = "key", [EXCHANGE_CONNECTING] = "connecting", [EXCHANGE_WAITING] = "waiting",
		[EXCHANGE_STREAMING] = "streaming", [EXCHANGE_RETRYING] = "retrying", [EXCHANGE_OVER] = "streaming",
	};

	return lane_runs(l) ? states[exchange_state(l->exchange)] : l->turn->ended ? outcome_name(l->turn->outcome) : "";
}

/* "streaming", or "quiet 7 s" while nothing comes. */
static void lane_state(const struct compare_lane *l, int64_t now_ms, struct buf *out)
{
	int64_t quiet_ms = lane_runs(l) && exchange_state(l->exchange) != EXCHANGE_RETRYING ? exchange_quiet_ms(l->exchange, now_ms) : 0;

	if (quiet_ms > VIEW_QUIET_MS)
		buf_printf(out, "quiet %lld s", (long long)quiet_ms / 1000);
	else
		buf_add_z(out, lane_word(l));
}

/* --- a column --- */

/* What its page may read: the answer alone, without keys that do not work here. */
static void column_view(struct compare_view *v, size_t index, const struct view *view, struct view *own)
{
	struct compare_column *c = &v->columns[index];
	const struct compare_lane *l = &v->compare->lanes[index];
	int64_t now_ms = clock_now_ms();

	c->shown = *view->conversation;
	c->path[0] = l->turn;
	c->shown.turns = c->path;
	c->shown.count = 1;
	c->look = *view->look;
	c->look.keys = (struct view_keys){ .fold = view->look->keys.fold };
	if (c->look.reasoning == REASONING_VIEW_PANE)
		c->look.reasoning = REASONING_VIEW_TAIL; /* there is no such pane here */
	*own = (struct view){
		.conversation = &c->shown, .live = lane_runs(l) ? l->turn : NULL, .look = &c->look, .pictures = view->pictures,
		.state = lane_runs(l) ? VIEW_STREAMING : VIEW_READY, .side_by_side = true,
	};
	if (lane_runs(l)) {
		double elapsed_ms = exchange_elapsed_ms(l->exchange, now_ms);

		own->at_ms = (double)((int64_t)(elapsed_ms / FIGURES_MS) * FIGURES_MS);
	}
}

/* What of the label has room: all of it, without the provider, or its beginning. */
static void column_name(const struct compare_target *t, unsigned columns, struct buf *out)
{
	struct str label = str_from(t->label), model = str_skip(label, strlen(t->provider->name) + 1);

	if (utf8_width(label) <= columns)
		buf_add(out, label);
	else if (utf8_width(model) <= columns)
		buf_add(out, model);
	else
		buf_add(out, utf8_head(model, columns));
}

static void column_draw_head(const struct compare_view *v, size_t index, struct canvas *canvas, struct area area)
{
	const struct compare_lane *l = &v->compare->lanes[index];
	struct buf name = { 0 }, state = { 0 };
	struct area line = { area.row, area.column, 1, area.columns };
	bool focused = index == v->focus && !v->sheet;

	lane_state(l, clock_now_ms(), &state);
	buf_printf(&name, "%s%zu  ", focused ? "> " : "", index + 1); /* also seen without colours */
	unsigned room = area.columns > HAIRLINE_COLUMNS ? area.columns - HAIRLINE_COLUMNS : 0;
	if (room >= (unsigned)state.len + NAME_LEAST)
		room -= (unsigned)state.len;
	else
		buf_clear(&state);
	column_name(l->target, room, &name);
	if (focused)
		canvas_hairline_focused(canvas, line, buf_str(&name), buf_str(&state));
	else
		canvas_hairline(canvas, line, ROLE_LABEL, buf_str(&name), buf_str(&state));
	buf_fini(&name);
	buf_fini(&state);
}

/* As many of the figures as there is room for; two blanks separate them. ASCII. */
static struct str whole_figures(struct str words, unsigned columns)
{
	size_t end = 0;

	for (size_t i = 0; i <= words.len; i++)
		if (i <= columns && (i == words.len || (words.ptr[i] == ' ' && words.ptr[i + 1] == ' ')))
			end = i;
	return str_head(words, end);
}

static void column_draw(struct compare_view *v, size_t index, const struct view *view, struct canvas *canvas, struct area area)
{
	struct compare_column *c = &v->columns[index];
	bool has_figures = area.rows >= FIGURES_ROWS;
	struct view own;

	column_view(v, index, view, &own);
	column_draw_head(v, index, canvas, area);
	c->area = (struct area){ area.row + 1, area.column, area.rows - 1 - has_figures, area.columns };
	pane_draw(transcript_pane(c->transcript), &own, canvas, c->area, index == v->focus && !v->sheet);
	if (!has_figures)
		return;
	struct buf words = { 0 };
	size_t news = transcript_at_end(c->transcript) ? 0 : transcript_new_lines(c->transcript);
	if (news)
		buf_printf(&words, "%zu new line%s", news, news == 1 ? "" : "s");
	compare_write_figures(&v->figures[index], &words);
	struct str shown = whole_figures(buf_str(&words), area.columns > 1 ? area.columns - 1 : 0);
	canvas_put(canvas, area.row + area.rows - 1, area.column + 1, (unsigned)shown.len, ROLE_MUTED, shown);
	buf_fini(&words);
}

/* --- the line of bars --- */

static enum role_name bar_role(const struct compare_lane *l)
{
	if (lane_runs(l))
		return ROLE_ACCENT;
	if (l->turn->outcome == OUTCOME_CANCELLED)
		return ROLE_MUTED;
	return outcome_is_trouble(l->turn->outcome) ? ROLE_TROUBLE : ROLE_SUCCESS;
}

/* What stands for the state where a word has no room. */
static const char *bar_sign(const struct compare_lane *l)
{
	if (lane_runs(l))
		return l->turn->meter.begun ? ">" : ".";
	if (l->turn->outcome == OUTCOME_CANCELLED)
		return "x";
	return outcome_is_trouble(l->turn->outcome) ? "!" : "=";
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

static void bar_draw(const struct compare_view *v, size_t index, struct canvas *canvas, struct area area, bool fastest)
{
	const struct compare_lane *l = &v->compare->lanes[index];
	struct buf head = { 0 }, words = { 0 };

	buf_printf(&head, "%zu%s%s", index + 1, bar_sign(l), fastest && area.columns < BAR_WORD_COLUMNS && area.columns > 4 ? "*" : " ");
	bar_words(v, index, area.columns, fastest, &words);
	unsigned at = canvas_put(canvas, area.row, area.column, area.columns, index == v->focus ? ROLE_STATUS_STRONG : ROLE_STATUS, buf_str(&head));
	unsigned tail = (unsigned)words.len, room = area.columns > at + tail + 1 ? area.columns - at - tail - 1 : 0;
	int64_t tokens = v->figures[index].tokens;
	unsigned filled = tokens ? (unsigned)(tokens * room / most_tokens(v)) : 0;
	filled += tokens && !filled && room;
	for (unsigned i = 0; i < filled; i++)
		canvas_put(canvas, area.row, area.column + at + i, 1, bar_role(l), v->host->setup->settings.sparkline == SPARKLINE_ASCII ? STR("#") : STR("\u2586"));
	if (tail < area.columns - at)
		canvas_put(canvas, area.row, area.column + at + room, tail, ROLE_STATUS, buf_str(&words));
	buf_fini(&head);
	buf_fini(&words);
}

static void bars_draw(const struct compare_view *v, struct canvas *canvas, unsigned row)
{
	unsigned count = (unsigned)v->compare->count, share = canvas->columns / count;
	size_t fastest = compare_fastest(v->figures, count);

	canvas_fill(canvas, (struct area){ row, 0, 1, canvas->columns }, ROLE_STATUS);
	for (unsigned i = 0; i < count; i++)
		bar_draw(v, i, canvas, (struct area){ row, i * share, 1, share }, i == fastest);
}

/* --- the whole --- */

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

static void columns_draw(struct compare_view *v, const struct view *view, struct canvas *canvas, struct area area)
{
	unsigned shown = columns_shown(v, area.columns), each = (area.columns + 1) / shown;

	view_scroll(v, shown);
	for (size_t i = 0; i < v->compare->count; i++)
		v->columns[i].area.rows = 0;
	for (unsigned i = 0; i < shown; i++) {
		unsigned column = area.column + i * each, width = i + 1 == shown ? area.columns - column : each - 1;

		column_draw(v, v->first + i, view, canvas, (struct area){ area.row, column, area.rows, width });
		for (unsigned r = 1; i && r < area.rows; r++)
			canvas_put(canvas, area.row + r, column - 1, 1, ROLE_HAIRLINE, STR("\u2502"));
	}
}

static struct str first_line(struct str text)
{
	struct str line = text;

	(void)str_split(&text, '\n', &line);
	return line;
}

static void question_draw(const struct compare_view *v, struct canvas *canvas)
{
	const struct turn *question = v->compare->lanes[0].turn->parent;
	struct str text = STR("");

	for (size_t i = 0; i < question->part_count && !text.len; i++)
		if (question->parts[i].kind == PART_TEXT)
			text = str_trim(buf_str(&question->parts[i].text));
	canvas_fill(canvas, (struct area){ 0, 0, 1, canvas->columns }, ROLE_PROMPT);
	canvas_put(canvas, 0, 1, 1, ROLE_PROMPT_BAR, STR("\u258c"));
	canvas_put(canvas, 0, 3, canvas->columns - 4, ROLE_PROMPT, first_line(text));
}

/* "comparing  2 of 3 under way", a message instead of it, and the keys. */
static void foot_draw(const struct compare_view *v, const struct view *view, struct canvas *canvas, unsigned row)
{
	struct buf words = { 0 };
	size_t running = compare_running(v->compare);

	canvas_fill(canvas, (struct area){ row, 0, 1, canvas->columns }, ROLE_STATUS);
	if (view->message)
		buf_add_z(&words, view->message);
	else if (running)
		buf_printf(&words, "%zu of %zu under way", running, v->compare->count);
	else
		buf_printf(&words, "%zu answers", v->compare->count);
	unsigned taken = canvas_put(canvas, row, 1, canvas->columns - 2, view->message ? ROLE_STATUS_STRONG : ROLE_STATUS, buf_str(&words)) + 4;
	const char *all = v->diff.open ? keys_diff : running ? keys_running : keys_ended;
	if (!view->message && canvas->columns > taken + KEY_LEAST)
		canvas_put_right(canvas, row, taken, canvas->columns - taken - 1, ROLE_STATUS, hints_fitting(str_from(all), canvas->columns - taken - 1));
	buf_fini(&words);
}

void compare_view_draw(struct compare_view *v, const struct view *view, struct canvas *canvas)
{
	unsigned top = canvas->rows >= QUESTION_ROWS, foot = canvas->rows - 1;

	v->width = canvas->columns;
	view_take_figures(v);
	if (top)
		question_draw(v, canvas);
	const struct area body = { top, 0, foot - 1 - top, canvas->columns };
	if (v->diff.open)
		compare_diff_draw(&v->diff, canvas, body);
	else
		columns_draw(v, view, canvas, body);
	bars_draw(v, canvas, foot - 1);
	foot_draw(v, view, canvas, foot);
	if (v->sheet)
		sheet_draw(v->sheet, canvas);
}

/* --- the table and the help --- */

static void add_fact(struct sheet *sheet, const char *label, struct buf *value)
{
	sheet_add_fact(sheet, str_from(label), buf_str(value));
	buf_clear(value);
}

/* Where lines have no room. */
static void table_as_facts(const struct compare_view *v, struct sheet *sheet)
{
	struct buf text = { 0 };

	for (size_t i = 0; i < v->compare->count; i++) {
		sheet_add_heading(sheet, str_from(v->figures[i].label));
		buf_add_z(&text, *v->figures[i].outcome ? v->figures[i].outcome : "under way");
		add_fact(sheet, "outcome", &text);
		compare_write_figures(&v->figures[i], &text);
		add_fact(sheet, "figures", &text);
	}
	buf_fini(&text);
}

static void table_open(struct compare_view *v)
{
	struct buf text = { 0 };

	v->figures_ms = 0;
	view_take_figures(v);
	v->sheet = sheet_new(STR("Compared"), "Esc back", NULL);
	if (v->width >= TABLE_COLUMNS) {
		compare_write_table(v->figures, v->compare->count, &text);
		sheet_add_text(v->sheet, buf_str(&text));
	} else {
		table_as_facts(v, v->sheet);
	}
	buf_fini(&text);
}

static void diff_open(struct compare_view *v)
{
	const struct compare_lane *first = &v->compare->lanes[v->focus], *second = &v->compare->lanes[v->second];
	struct buf title = { 0 };

	if (v->second == v->focus) {
		host_say(v->host, "there is no other answer");
		return;
	}
	buf_printf(&title, "%zu  %s  and  %zu  %s", v->focus + 1, first->target->label, v->second + 1, second->target->label);
	compare_diff_open(&v->diff, buf_z(&title), first->turn, second->turn);
	buf_fini(&title);
}

static void help_open(struct compare_view *v)
{
	static const char *const keys[][2] = {
		{ "Tab, Shift-Tab", "next, previous column; also Left, Right and 1 to 6" },
		{ "Up, Down, PgUp, PgDn", "scroll the column; Home and End go to its ends" },
		{ "s, Esc", "stop the answer of the column" },
		{ "r", "ask its model again" },
		{ "Enter", "go on with this answer; the others are stopped and stay beside it" },
		{ "f", "fold or unfold reasoning and tool calls" },
		{ "d", "differences by words to the column before; there 1 to 6 choose another" },
		{ "t", "the table of all figures" },
		{ "Esc", "with nothing under way: back, with the first good answer" },
		{ "Ctrl-C", "stop all answers" },
	};

	v->sheet = sheet_new(STR("Comparing"), "Esc back", NULL);
	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		sheet_add_fact(v->sheet, str_from(keys[i][0]), str_from(keys[i][1]));
}

/* --- keys --- */

static void view_focus(struct compare_view *v, size_t index)
{
	if (index != v->focus)
		v->second = v->focus;
	v->focus = index;
	v->warned = false;
}

static void view_step(struct compare_view *v, int step)
{
	size_t count = v->compare->count;

	view_focus(v, (v->focus + (step < 0 ? count - 1 : 1)) % count);
}

static struct compare_lane *lane_focused(const struct compare_view *v)
{
	return &v->compare->lanes[v->focus];
}

/* Stops the answer; else leaves, but not at once while others are under way. */
static void view_escape(struct compare_view *v)
{
	size_t running = compare_running(v->compare);

	if (lane_runs(lane_focused(v))) {
		lane_stop(lane_focused(v));
	} else if (running && !v->warned) {
		v->warned = true;
		host_say(v->host, "%zu answer%s under way: Esc again stops %s and goes back", running, running == 1 ? " is" : "s are", running == 1 ? "it" : "them");
	} else {
		compare_view_close(v);
	}
}

static void view_retry(struct compare_view *v)
{
	struct error err = { "" };

	v->chosen = NULL;
	if (compare_retry(v->compare, lane_focused(v), &err))
		transcript_to_end(v->columns[v->focus].transcript);
	else
		host_say(v->host, "%s", err.text);
}

static void view_go_on(struct compare_view *v, struct compare_lane *l)
{
	struct error err = { "" };

	if (!compare_choose(v->compare, l, &err)) {
		host_say(v->host, "%s", err.text);
		return;
	}
	host_say(v->host, "%s goes on; the other answers are beside it", l->target->label);
	view_drop(v);
	transcript_to_end(v->host->transcript);
}

/* An answer that is under way goes on until its end; the others are stopped. */
static void view_choose(struct compare_view *v)
{
	struct compare_lane *l = lane_focused(v);

	if (!lane_runs(l)) {
		view_go_on(v, l);
		return;
	}
	v->chosen = l;
	compare_stop_others(v->compare, l);
	host_say(v->host, "%s goes on when its answer ends", l->target->label);
}

void compare_view_ended(struct compare_view *v)
{
	struct compare_lane *l = v->chosen;

	v->chosen = NULL;
	if (l && compare_view_is_open(v) && !outcome_is_trouble(l->turn->outcome))
		view_go_on(v, l);
}

static void view_fold(struct compare_view *v)
{
	struct view view, own;

	host_view(v->host, &view);
	column_view(v, v->focus, &view, &own);
	if (!transcript_toggle_fold(v->columns[v->focus].transcript, &own))
		host_say(v->host, "there is no reasoning and no tool call to unfold");
}

static bool view_letter(struct compare_view *v, char letter)
{
	if (letter >= '1' && letter < '1' + (int)v->compare->count)
		view_focus(v, (size_t)(letter - '1'));
	else if (letter == 's')
		lane_stop(lane_focused(v));
	else if (letter == 'r')
		view_retry(v);
	else if (letter == 't')
		table_open(v);
	else if (letter == 'd')
		diff_open(v);
	else if (letter == 'f')
		view_fold(v);
	else if (letter == '?')
		help_open(v);
	else
		return false;
	return true;
}

/* The rest scrolls the column; the wheel that below the pointer. */
static void view_scroll_key(struct compare_view *v, const struct key *key)
{
	size_t index = v->focus;
	struct view view, own;

	for (size_t i = 0; key_is_wheel(key) && i < v->compare->count; i++) {
		const struct area *a = &v->columns[i].area;

		if (a->rows && key->column >= a->column && key->column < a->column + a->columns)
			index = i;
	}
	host_view(v->host, &view);
	column_view(v, index, &view, &own);
	pane_key(transcript_pane(v->columns[index].transcript), &own, key);
}

static void view_click(struct compare_view *v, const struct key *key)
{
	for (size_t i = 0; i < v->compare->count; i++) {
		const struct area *a = &v->columns[i].area;

		if (a->rows && key->column >= a->column && key->column < a->column + a->columns)
			view_focus(v, i);
	}
}

static void sheet_take(struct compare_view *v, const struct key *key)
{
	if (sheet_key(v->sheet, key))
		return;
	sheet_free(v->sheet);
	v->sheet = NULL;
}

/* A digit: with that answer. All other keys that it does not use close it. */
static void diff_take(struct compare_view *v, const struct key *key, char letter)
{
	size_t index = (size_t)(letter - '1');

	if (compare_diff_key(&v->diff, key) || key_is_mouse(key) || key_is_wheel(key))
		return;
	if (letter >= '1' && index < v->compare->count && index != v->focus) {
		v->second = index;
		diff_open(v);
		return;
	}
	compare_diff_close(&v->diff);
}

static bool compare_view_take(void *part, const struct key *key)
{
	struct compare_view *v = part;
	char letter = key->code == KEY_TEXT && !key->at_once && key->text.len == 1 ? *key->text.ptr : 0;

	if (v->sheet)
		sheet_take(v, key);
	else if (v->diff.open)
		diff_take(v, key, letter);
	else if (key->code == KEY_TAB || key->code == KEY_RIGHT)
		view_step(v, 1);
	else if (key->code == KEY_BACKTAB || key->code == KEY_LEFT)
		view_step(v, -1);
	else if (key->code == KEY_ESCAPE)
		view_escape(v);
	else if (key->code == KEY_ENTER)
		view_choose(v);
	else if (key_is_mouse(key))
		view_click(v, key);
	else if (host_key_is(v->host, key, "fold"))
		view_fold(v);
	else if (!letter || !view_letter(v, letter))
		view_scroll_key(v, key);
	return true;
}

/* Whoever replaces the conversation closes the view of its answers. */
bool compare_view_is_open(const void *view)
{
	const struct compare_view *v = view;

	return v->open && compare_is_current(v->compare);
}

/* Ctrl-C stops all answers, else goes back. */
static bool compare_view_leave(void *part)
{
	struct compare_view *v = part;

	if (v->sheet) {
		sheet_free(v->sheet);
		v->sheet = NULL;
	} else if (v->diff.open) {
		compare_diff_close(&v->diff);
	} else if (compare_runs(v->compare)) {
		compare_stop(v->compare);
	} else {
		compare_view_close(v);
	}
	return true;
}

/* Letters are commands here. */
static enum mode_paste compare_view_paste(const void *part)
{
	(void)part;
	return PASTE_LOST;
}

const struct mode compare_view_mode = { compare_view_is_open, compare_view_take, compare_view_leave, compare_view_paste };
