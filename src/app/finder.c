#include "app/finder.h"

#include <stdio.h>

#include "ui/figure.h"

void finder_init(struct finder *f)
{
	edit_init(&f->needle, true);
}

void finder_fini(struct finder *f)
{
	edit_fini(&f->needle);
}

static void find(struct chat *c)
{
	struct view view;

	chat_fill_view(c, &view);
	c->finder.searched = c->finder.needle.version;
	transcript_search(c->panes[CHAT_TRANSCRIPT], &view, buf_str(&c->finder.needle.text));
}

void finder_open(struct chat *c, struct str needle)
{
	struct view view;

	chat_fill_view(c, &view);
	if (!c->finder.open)
		transcript_search_begin(c->panes[CHAT_TRANSCRIPT], &view);
	c->finder.open = true;
	edit_set(&c->finder.needle, needle);
	find(c);
}

bool finder_leave(struct chat *c)
{
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];

	if (!c->finder.open && !transcript_hits(transcript).searching)
		return false;
	if (c->finder.open)
		transcript_search_leave(transcript);
	else
		transcript_search_forget(transcript);
	c->finder.open = false;
	return true;
}

static void keep(struct chat *c)
{
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];

	if (!transcript_hits(transcript).count) {
		finder_leave(c);
		chat_say(c, "nothing was found");
		return;
	}
	transcript_search_keep(transcript);
	c->finder.open = false;
	c->focus = FOCUS_TRANSCRIPT;
}

static bool is_control(const struct key *key, char letter)
{
	return key->code == KEY_CONTROL && key->letter == letter;
}

bool finder_takes(struct chat *c, const struct key *key)
{
	if (key->code == KEY_ESCAPE)
		return finder_leave(c);
	if (!c->finder.open)
		return false;
	if (key->code == KEY_ENTER)
		keep(c);
	else if (key->code == KEY_UP || is_control(key, 'f'))
		finder_step(c, -1);
	else if (key->code == KEY_DOWN)
		finder_step(c, 1);
	else if (edit_key(&c->finder.needle, key) && c->finder.searched != c->finder.needle.version)
		find(c);
	return true;
}

void finder_step(struct chat *c, int step)
{
	struct view view;
	struct pane *transcript = c->panes[CHAT_TRANSCRIPT];

	chat_fill_view(c, &view);
	if (transcript_search_step(transcript, &view, step))
		return;
	if (!transcript_hits(transcript).searching)
		chat_say(c, "nothing is searched: Ctrl-F");
	else
		chat_say(c, step < 0 ? "there is no older hit" : "there is no newer hit");
}

void finder_figures(const struct chat *c, char *words, size_t size)
{
	char at[FIGURE_SIZE], count[FIGURE_SIZE];
	struct transcript_hits hits = transcript_hits(c->panes[CHAT_TRANSCRIPT]);

	*words = 0;
	if (hits.searching && hits.count)
		snprintf(words, size, "%s of %s", figure_count(at, (int64_t)hits.at), figure_count(count, (int64_t)hits.count));
	else if (hits.searching)
		snprintf(words, size, "not found");
}

void finder_draw(const struct chat *c, struct area area)
{
	char figures[2 * FIGURE_SIZE], words[160];

	finder_figures(c, figures, sizeof figures);
	snprintf(words, sizeof words, "%s%sEnter stay   Up Down other hits   Esc back", figures, *figures ? "   " : "");
	if (flow_columns(str_from(words), area.columns) + 20 > area.columns)
		snprintf(words, sizeof words, "%s", figures);
	canvas_hairline(c->canvas, area, ROLE_ACCENT, STR("search"), str_from(words));
	canvas_put(c->canvas, area.row + 1, area.column + 1, 1, ROLE_ACCENT, STR("/"));
	struct area text = { area.row + 1, area.column + 3, 1, area.columns > 4 ? area.columns - 4 : 1 };
	edit_draw(&c->finder.needle, c->canvas, text, ROLE_INPUT, !c->menu && !c->sheet);
}
