#include "app/compare/compare.h"
#include "app/screen/compare/compare_view_inside.h"

#include "base/array.h"
#include "base/mem.h"

void compare_view_init(struct compare_view *v, const struct host *host, struct compare *compare)
{
	*v = (struct compare_view){ .host = host, .compare = compare, .columns = mem_new(COMPARE_MOST * sizeof *v->columns) };
}

static void view_drop(struct compare_view *v)
{
	for (size_t i = 0; i < COMPARE_MOST; i++) {
		transcript_free(v->columns[i].transcript);
		mem_free(v->columns[i].path);
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
	mem_free(v->columns);
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

/* Without a choice. */
static void compare_view_close(struct compare_view *v)
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

void compare_take_figures(struct compare_view *v)
{
	int64_t now_ms = clock_now_ms();
	size_t running = compare_running(v->compare);

	if (v->figures_ms && now_ms < v->figures_ms + FIGURES_MS && running == v->running)
		return;
	for (size_t i = 0; i < v->compare->count; i++) {
		const struct compared_answer *a = &v->compare->answers[i];

		compare_figures_take(&v->figures[i], a);
	}
	v->figures_ms = now_ms;
	v->running = running;
}

int64_t compare_view_deadline(const struct compare_view *v)
{
	return compare_view_is_open(v) && compare_runs(v->compare) ? v->figures_ms + FIGURES_MS : NO_DEADLINE;
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

static struct compared_answer *compared_answer_focused(const struct compare_view *v)
{
	return &v->compare->answers[v->focus];
}

static void diff_open(struct compare_view *v)
{
	const struct compared_answer *first = &v->compare->answers[v->focus], *second = &v->compare->answers[v->second];
	struct buf title = { 0 };

	if (v->second == v->focus) {
		host_say(v->host, "there is no other answer");
		return;
	}
	buf_printf(&title, "%zu  %s  and  %zu  %s", v->focus + 1, first->target->label, v->second + 1, second->target->label);
	compare_diff_open(&v->diff, buf_z(&title), first->awaited.turn, second->awaited.turn);
	buf_fini(&title);
}

/* Stops the answer; else leaves, but not at once while others are under way. */
static void view_escape(struct compare_view *v)
{
	size_t running = compare_running(v->compare);

	if (compared_answer_runs(compared_answer_focused(v))) {
		compared_answer_stop(compared_answer_focused(v));
	} else if (running && !v->warned) {
		v->warned = true;
		host_say(v->host, "%zu answer%s under way: Esc again stops %s and goes back", running, running == 1 ? " is" : "s are",
		         running == 1 ? "it" : "them");
	} else {
		compare_view_close(v);
	}
}

static void view_retry(struct compare_view *v)
{
	struct error err = { "" };

	v->chosen = NULL;
	if (compare_retry(v->compare, compared_answer_focused(v), &err))
		transcript_to_end(v->columns[v->focus].transcript);
	else
		host_fail(v->host, "%s", err.text);
}

static void view_go_on(struct compare_view *v, struct compared_answer *a)
{
	struct error err = { "" };

	if (!compare_choose(v->compare, a, &err)) {
		host_fail(v->host, "%s", err.text);
		return;
	}
	host_say(v->host, "%s goes on; the other answers are beside it", a->target->label);
	view_drop(v);
	transcript_to_end(v->host->transcript);
}

/* An answer that is under way goes on until its end; the others are stopped. */
static void view_choose(struct compare_view *v)
{
	struct compared_answer *a = compared_answer_focused(v);

	if (!compared_answer_runs(a)) {
		view_go_on(v, a);
		return;
	}
	v->chosen = a;
	compare_stop_others(v->compare, a);
	host_say(v->host, "%s goes on when its answer ends", a->target->label);
}

void compare_view_ended(struct compare_view *v)
{
	struct compared_answer *a = v->chosen;

	v->chosen = NULL;
	if (a && compare_view_is_open(v) && !outcome_is_trouble(a->awaited.turn->outcome))
		view_go_on(v, a);
}

static void view_fold(struct compare_view *v)
{
	struct view view, own;

	host_view(v->host, &view);
	compare_column_view(v, v->focus, &view, &own);
	if (!transcript_toggle_fold(v->columns[v->focus].transcript, &own))
		host_say(v->host, "there is no reasoning and no tool call to unfold");
}

static void view_answer(struct compare_view *v)
{
	if (!compare_asks(v->compare) || !host_run(v->host, STR("answer")))
		host_say(v->host, "no call waits for your word");
}

static const struct compare_key keys[] = {
	{ .keys = "Tab, Shift-Tab", .help = "next, previous column; also Left, Right and 1 to 6" },
	{ .keys = "Up, Down, PgUp, PgDn", .help = "scroll the column; Home and End go to its ends" },
	{ .keys = "Esc", .help = "stop the answer of the column; with nothing under way: back, with the first good answer" },
	{ .act = view_retry, .command = "retry", .help = "ask its model again" },
	{ .keys = "Enter", .help = "go on with this answer; the others are stopped and stay beside it" },
	{ 'f', view_fold, "fold", "f", "fold or unfold reasoning and tool calls" },
	{ 'v', diff_open, NULL, "v", "differences by words to the column before; there 1 to 6 choose another" },
	{ 't', compare_table_open, NULL, "t", "the table of all figures" },
	{ .act = view_answer, .command = "answer", .help = "the call that waits for your word" },
	{ .keys = "Ctrl-C", .help = "stop all answers" },
};

const struct compare_key *compare_key_at(size_t index)
{
	return index < ARRAY_LEN(keys) ? &keys[index] : NULL;
}

static bool view_letter(struct compare_view *v, char letter)
{
	if (letter >= '1' && letter < '1' + (int)v->compare->count) {
		view_focus(v, (size_t)(letter - '1'));
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].letter && keys[i].letter == letter) {
			keys[i].act(v);
			return true;
		}
	return false;
}

static bool view_command(struct compare_view *v, const struct key *key)
{
	if (key_letter(key) == '?' || host_key_is(v->host, key, "help")) {
		compare_help_open(v);
		return true;
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		if (keys[i].command && host_key_is(v->host, key, keys[i].command)) {
			keys[i].act(v);
			return true;
		}
	return false;
}

/* Scrolls the column; the wheel that below the pointer. */
static bool view_scroll_key(struct compare_view *v, const struct key *key)
{
	size_t index = v->focus;
	struct view view, own;

	for (size_t i = 0; key_is_wheel(key) && i < v->compare->count; i++) {
		const struct area *a = &v->columns[i].area;

		if (a->rows && key->column >= a->column && key->column < a->column + a->columns)
			index = i;
	}
	host_view(v->host, &view);
	compare_column_view(v, index, &view, &own);
	return pane_key(transcript_pane(v->columns[index].transcript), &own, key);
}

/*
 * Other text is for the input: closes the view, unless answers are under way. Then the text is lost, and an Enter right behind it chooses no
 * answer. False: the input gets the key.
 */
static bool view_text(struct compare_view *v, const struct key *key)
{
	bool writes = host_types(v->host, key);

	v->wrote = writes && compare_runs(v->compare);
	if (v->wrote)
		host_say(v->host, "nothing is written here while answers are under way");
	else if (writes)
		compare_view_close(v);
	return v->wrote || !writes;
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
	char letter = key_letter(key);
	bool ends_text = v->wrote && key->code == KEY_ENTER;

	v->wrote = false;
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
	else if (key->code == KEY_ENTER && !ends_text)
		view_choose(v);
	else if (key_is_mouse(key))
		view_click(v, key);
	else if (!view_command(v, key) && (!letter || !view_letter(v, letter)) && !view_scroll_key(v, key))
		return view_text(v, key);
	return true;
}

/* Whoever replaces the conversation closes the view of its answers. */
bool compare_view_is_open(const void *view)
{
	const struct compare_view *v = view;

	return v->open && compare_is_current(v->compare);
}

bool compare_view_shows_columns(const struct compare_view *v)
{
	return compare_view_is_open(v) && !v->sheet && !v->diff.open;
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

static enum mode_paste compare_view_paste(const void *part)
{
	const struct compare_view *v = part;

	return v->sheet || v->diff.open || compare_runs(v->compare) ? PASTE_LOST : PASTE_PASSES;
}

const struct mode compare_view_mode = {
	.is_open = compare_view_is_open, .takes = compare_view_take, .leave = compare_view_leave, .paste = compare_view_paste,
};
