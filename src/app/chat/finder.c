#include "app/chat/finder.h"

#include <stdio.h>

#include "ui/figure.h"

void finder_init(struct finder *f, const struct host *host)
{
	*f = (struct finder){ .host = host };
	edit_init(&f->needle, true);
}

void finder_fini(struct finder *f)
{
	edit_fini(&f->needle);
}

static void finder_find(struct finder *f)
{
	struct view view;

	host_view(f->host, &view);
	f->searched = f->needle.version;
	transcript_search(f->host->transcript, &view, buf_str(&f->needle.text));
}

void finder_open(struct finder *f, struct str needle)
{
	struct view view;

	host_view(f->host, &view);
	if (!f->open)
		transcript_search_begin(f->host->transcript, &view);
	f->open = true;
	edit_set(&f->needle, needle);
	finder_find(f);
}

bool finder_leave(struct finder *f)
{
	struct transcript *transcript = f->host->transcript;

	if (!f->open && !transcript_hits(transcript).searching)
		return false;
	if (f->open)
		transcript_search_leave(transcript);
	else
		transcript_search_forget(transcript);
	f->open = false;
	return true;
}

static void finder_keep(struct finder *f)
{
	struct transcript *transcript = f->host->transcript;

	if (!transcript_hits(transcript).count) {
		finder_leave(f);
		host_say(f->host, "nothing was found");
		return;
	}
	transcript_search_keep(transcript);
	f->open = false;
	stack_focus(f->host->stack, transcript_pane(f->host->transcript));
}

static bool is_control(const struct key *key, char letter)
{
	return key->code == KEY_CONTROL && key->letter == letter;
}

static bool finder_is_open(const void *part)
{
	return ((const struct finder *)part)->open;
}

static bool finder_takes(void *part, const struct key *key)
{
	struct finder *f = part;

	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	if (key->code == KEY_ESCAPE)
		finder_leave(f);
	else if (key->code == KEY_ENTER)
		finder_keep(f);
	else if (key->code == KEY_UP || is_control(key, 'f'))
		finder_step(f, -1);
	else if (key->code == KEY_DOWN)
		finder_step(f, 1);
	else if (edit_key(&f->needle, key) && f->searched != f->needle.version)
		finder_find(f);
	return true;
}

static bool finder_interrupted(void *part)
{
	return finder_leave(part);
}

const struct mode finder_mode = { finder_is_open, finder_takes, finder_interrupted };

/* Hits stay marked: Esc ends that, all other keys are others'. */
static bool finder_has_marks(const void *part)
{
	return transcript_hits(((const struct finder *)part)->host->transcript).searching;
}

static bool finder_takes_escape(void *part, const struct key *key)
{
	return key->code == KEY_ESCAPE && finder_leave(part);
}

const struct mode finder_marks_mode = { finder_has_marks, finder_takes_escape, NULL };

void finder_step(struct finder *f, int step)
{
	struct view view;
	struct transcript *transcript = f->host->transcript;

	host_view(f->host, &view);
	if (transcript_search_step(transcript, &view, step))
		return;
	if (!transcript_hits(transcript).searching)
		host_say(f->host, "nothing is searched: Ctrl-F");
	else
		host_say(f->host, step < 0 ? "there is no older hit" : "there is no newer hit");
}

void finder_figures(const struct finder *f, char *words, size_t size)
{
	char at[FIGURE_SIZE], count[FIGURE_SIZE];
	struct transcript_hits hits = transcript_hits(f->host->transcript);

	*words = 0;
	if (hits.searching && hits.count)
		snprintf(words, size, "%s of %s", figure_count(at, (int64_t)hits.at), figure_count(count, (int64_t)hits.count));
	else if (hits.searching)
		snprintf(words, size, "not found");
}

void finder_draw(const struct finder *f, struct canvas *canvas, struct area area, bool focused)
{
	char figures[2 * FIGURE_SIZE], words[160];

	finder_figures(f, figures, sizeof figures);
	snprintf(words, sizeof words, "%s%sEnter stay   Up Down other hits   Esc back", figures, *figures ? "   " : "");
	if (flow_columns(str_from(words), area.columns) + 20 > area.columns)
		snprintf(words, sizeof words, "%s", figures);
	canvas_hairline(canvas, area, ROLE_ACCENT, STR("search"), str_from(words));
	canvas_put(canvas, area.row + 1, area.column + 1, 1, ROLE_ACCENT, STR("/"));
	struct area text = { area.row + 1, area.column + 3, 1, area.columns > 4 ? area.columns - 4 : 1 };
	edit_draw(&f->needle, canvas, text, ROLE_INPUT, focused);
}
