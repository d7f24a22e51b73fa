/* The pane at the foot of the screen: the input with its hints, the search in its place, or the timeline of a replay. */
#include <stdio.h>

#include "app/chat/chat_inside.h"
#include "base/mem.h"
#include "ui/figure.h"
#include "ui/rows.h"

/* The key that leads to the end of the transcript from where the focus is; "": none does. */
static const char *end_key(const struct chat *c)
{
	bool reads = c->stack.focus == transcript_pane(c->transcript), writes = c->stack.focus == c->prompt;

	if (reads || (writes && edit_is_empty(&c->composer.input)))
		return "End";
	return writes ? "Ctrl-End" : "";
}

/* What has come below what is read, and the key that leads there. */
static void latest_words(const struct chat *c, char *words, size_t size)
{
	char figure[FIGURE_SIZE];
	const struct transcript *transcript = c->transcript;
	size_t lines = transcript_new_lines(transcript);
	const char *key = end_key(c);
	struct buf hints = { 0 };

	if (lines)
		buf_printf(&hints, "%s new line%s", figure_count(figure, (int64_t)lines), lines == 1 ? "" : "s");
	if (lines || !transcript_at_end(transcript))
		hints_add(&hints, 0, key, "for the latest");
	snprintf(words, size, "%s", buf_z(&hints));
	buf_fini(&hints);
}

/* What is selected, or what a search found, once it has left the input's place; "" while neither is. Letters are written in the input. */
static void mode_words(const struct chat *c, char *words, size_t size)
{
	char figures[2 * FIGURE_SIZE];

	line_select_words(&c->line_select, c->terminal.canvas->columns, words, size);
	if (*words)
		return;
	find_bar_figures(&c->find_bar, figures, sizeof figures);
	const char *letters = c->stack.focus == c->prompt ? "" : "   n older   N newer";
	snprintf(words, size, "%s%s%s", figures, *figures ? letters : "", *figures ? "   Esc done" : "");
}

/* Prompts that wait come back into an empty input, once nothing runs. */
static void queued_words(const struct chat *c, const struct view *view, char *words, size_t size)
{
	const char *escape = view->live ? "   Esc stop" : edit_is_empty(&c->composer.input) ? "   Esc take back" : "";

	snprintf(words, size, "%u queued%s", view->queued, escape);
}

/* While it is quiet, how long that may last. */
static void live_words(const struct view *view, const char *latest, char *words, size_t size)
{
	char limit[64] = "";

	if (view->quiet_ms >= VIEW_QUIET_MS && view->quiet_limit_ms && view->state != VIEW_RETRYING)
		snprintf(limit, sizeof limit, "stalled at %lld s   ", (long long)view->quiet_limit_ms / 1000);
	snprintf(words, size, "%s%s%sEsc stop", latest, *latest ? "   " : "", limit);
}

static void search_words(const struct chat *c, char *words, size_t size)
{
	struct buf hints = { 0 };

	if (composer_has_matches(&c->composer)) {
		hints_add(&hints, 0, "Enter", "take");
		hints_add(&hints, 0, host_key(&c->host, "history"), "older");
	}
	hints_add(&hints, 0, "Esc", "back");
	snprintf(words, size, "%s", buf_z(&hints));
	buf_fini(&hints);
}

static void put_before(char *words, size_t size, const char *hint)
{
	char rest[200];

	snprintf(rest, sizeof rest, "%s", words);
	snprintf(words, size, "%s%s%s", hint, *rest ? "   " : "", rest);
}

static void draw_hints(struct chat *c, const struct view *view, struct canvas *canvas, struct area hairline)
{
	char words[400] = "", latest[80], hits[120], hint[200] = "";

	latest_words(c, latest, sizeof latest);
	mode_words(c, hits, sizeof hits);
	struct str title = composer_title(&c->composer);
	if (title.len)
		search_words(c, words, sizeof words);
	else if (*hits)
		snprintf(words, sizeof words, "%s", hits);
	else if (composer_offers(&c->composer) && c->stack.focus == c->prompt)
		snprintf(words, sizeof words, "Tab take   Esc close");
	else if (session_is_editing(c->session))
		snprintf(words, sizeof words, "Enter sends it in place of the old one   Esc leave");
	else if (view->queued)
		queued_words(c, view, words, sizeof words);
	else if (view->live)
		live_words(view, latest, words, sizeof words);
	else if (c->stack.focus != c->prompt && view->conversation->count)
		snprintf(words, sizeof words, "%s%sr retry   d details   t unfold   v select   Esc back", latest, *latest ? "   " : "");
	else
		snprintf(words, sizeof words, "%s", latest);
	if (!title.len && c->stack.focus == c->prompt)
		composer_hint(&c->composer, hint, sizeof hint);
	if (*hint)
		put_before(words, sizeof words, hint);
	char files[40] = "";
	size_t attached = session_attached(c->session);
	if (attached)
		snprintf(files, sizeof files, "%zu file%s attached", attached, attached == 1 ? "" : "s");
	if (!title.len && session_is_editing(c->session))
		title = STR("the last prompt");
	struct str name = title.len ? title : str_from(files);
	unsigned room = hairline.columns, taken = 8 + (name.len ? (unsigned)utf8_width(name) + 2 : 0); /* as a hairline parts them */
	canvas_hairline(canvas, hairline, ROLE_MUTED, name, hints_fitting(str_from(words), room > taken ? room - taken : 0));
}

static void prompt_draw_input(struct chat *c, const struct view *view, struct canvas *canvas, struct area area, bool has_focus)
{
	draw_hints(c, view, canvas, (struct area){ area.row, area.column, 1, area.columns });
	bool focused = has_focus && !chat_is_covered(c);
	if (focused)
		composer_draw_list(&c->composer, canvas, (struct area){ 0, area.column, area.row, area.columns });
	struct str sign = composer_title(&c->composer).len ? STR("?") : STR(">");
	canvas_put(canvas, area.row + 1, area.column + 1, 1, focused ? ROLE_ACCENT : ROLE_MUTED, sign);
	struct area text = { area.row + 1, area.column + 3, area.rows - 1, area.columns > 4 ? area.columns - 4 : 1 };
	edit_draw(&c->composer.input, canvas, text, ROLE_INPUT, focused);
}

#define TIMELINE_MARGIN 16 /* "replay", and what parts it from the edges and the figures */

static void draw_timeline(const struct chat *c, struct canvas *canvas, struct area area)
{
	char name[200], figures[160];
	const struct exchange *x = session_exchange(c->session);
	struct source *player = x ? exchange_player(x) : NULL;

	if (!player)
		return;
	size_t length = tape_length(c->tape), at = tape_player_index(player);
	double end_ms = length ? tape_at(c->tape, length - 1).at_ms : 0;
	const char *state = exchange_is_over(x) ? "at the end" : tape_player_paused(player) ? "paused" : "playing";
	snprintf(figures, sizeof figures, "frame %zu of %zu \u2500\u2500 %.2f s of %.2f s \u2500\u2500 %s", at, length,
	         tape_player_position_ms(player, clock_now_ms()) / 1000, end_ms / 1000, state);
	if (utf8_width(str_from(figures)) + TIMELINE_MARGIN > area.columns)
		snprintf(figures, sizeof figures, "%zu of %zu \u2500\u2500 %s", at, length, state);
	size_t taken = utf8_width(str_from(figures)) + utf8_width(str_from(c->tape_name)) + TIMELINE_MARGIN;
	bool fits = taken + utf8_width(STR(" \u2500\u2500 ")) <= area.columns; /* where the figures are is worth more than the name */
	snprintf(name, sizeof name, fits ? "replay \u2500\u2500 %s" : "replay", c->tape_name);
	canvas_hairline(canvas, (struct area){ area.row, area.column, 1, area.columns }, ROLE_ACCENT, str_from(name), str_from(figures));
	char hits[120], latest[80], words[400];
	mode_words(c, hits, sizeof hits);
	latest_words(c, latest, sizeof latest);
	const char *play = exchange_is_over(x) ? "" : tape_player_paused(player) ? "space go on   . step   " : "space pause   . step   ";
	struct buf keys = { 0 };
	hints_add(&keys, 0, c->look.keys.details, "details");
	hints_add(&keys, 0, c->look.keys.fold, "unfold");
	snprintf(words, sizeof words, "%s%s%s%s%sq leave", buf_z(&keys), keys.len ? "   " : "", latest, *latest ? "   " : "", play);
	buf_fini(&keys);
	struct str hints = hints_fitting(str_from(*hits ? hits : words), area.columns > 2 ? area.columns - 2 : 0);
	canvas_put(canvas, area.row + 1, area.column + 1, area.columns, ROLE_MUTED, hints);
}

/* --- the pane of the input --- */

struct prompt_pane {
	struct pane pane;
	struct chat *chat;
};

static struct chat *chat_of(struct pane *pane)
{
	return ((struct prompt_pane *)pane)->chat;
}

static unsigned prompt_rows(struct pane *pane, const struct view *view, unsigned columns, unsigned most)
{
	struct chat *c = chat_of(pane);
	unsigned third = c->terminal.canvas->rows / 3;
	unsigned lines = c->tape || c->find_bar.open ? 1 : edit_rows(&c->composer.input, columns > 4 ? columns - 4 : 1);

	(void)view;
	lines = lines < third ? lines : third;
	return lines < most ? lines + 1 : most;
}

static void prompt_draw(struct pane *pane, const struct view *view, struct canvas *canvas, struct area area, bool focused)
{
	struct chat *c = chat_of(pane);

	if (c->find_bar.open)
		find_bar_draw(&c->find_bar, canvas, area, !chat_is_covered(c));
	else if (c->tape)
		draw_timeline(c, canvas, area);
	else
		prompt_draw_input(c, view, canvas, area, focused);
}

/* Takes every key; the input does not scroll. */
static bool prompt_key(struct pane *pane, const struct view *view, const struct key *key)
{
	(void)view;
	if (key_is_wheel(key))
		return false;
	chat_input_key(chat_of(pane), key);
	return true;
}

static void prompt_free(struct pane *pane)
{
	mem_free(pane);
}

struct pane *chat_prompt_new(struct chat *c)
{
	static const struct pane_ops ops = { .rows = prompt_rows, .draw = prompt_draw, .key = prompt_key, .free = prompt_free };
	struct prompt_pane *p = mem_new(sizeof *p);

	*p = (struct prompt_pane){ { &ops }, c };
	return &p->pane;
}
