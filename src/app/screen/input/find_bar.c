#include "app/screen/input/find_bar.h"

#include <stdio.h>

#include "app/command/command.h"
#include "render/flow.h"
#include "chat/conversation/figure.h"

void find_bar_init(struct find_bar *f, const struct host *host)
{
	*f = (struct find_bar){ .host = host };
	edit_init(&f->needle, true);
}

void find_bar_fini(struct find_bar *f)
{
	edit_fini(&f->needle);
}

/* What is, or may become, a command is not searched. */
static bool find_bar_commands(const struct find_bar *f)
{
	const struct command *command;

	return command_line(&f->needle, f->slashed, &command) != LINE_TEXT;
}

static void find_bar_find(struct find_bar *f)
{
	struct view view;

	host_view(f->host, &view);
	f->searched = f->needle.version;
	transcript_search(f->host->transcript, &view, find_bar_commands(f) ? STR("") : buf_str(&f->needle.text));
}

void find_bar_open(struct find_bar *f, struct str needle, bool slashed)
{
	struct view view;

	host_view(f->host, &view);
	if (!f->open)
		transcript_search_begin(f->host->transcript, &view);
	f->open = true;
	f->slashed = slashed;
	edit_set(&f->needle, needle);
	find_bar_find(f);
}

/* As Esc. False: it was closed and nothing was marked. */
static bool find_bar_leave(struct find_bar *f)
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

/* False: there is nothing to keep. */
static bool find_bar_keep(struct find_bar *f)
{
	bool found = transcript_hits(f->host->transcript).count > 0;

	if (found) {
		transcript_search_keep(f->host->transcript);
		f->open = false;
	} else {
		find_bar_leave(f);
		host_say(f->host, "nothing was found");
	}
	return found;
}

/* The key of the search: what began like a command is searched, else it goes to the next hit. */
static void find_bar_search(struct find_bar *f)
{
	if (!find_bar_commands(f) || !f->slashed) {
		find_bar_step(f, -1);
		return;
	}
	f->slashed = false;
	find_bar_find(f);
}

static bool find_bar_is_open(const void *part)
{
	return ((const struct find_bar *)part)->open;
}

static bool find_bar_takes(void *part, const struct key *key)
{
	struct find_bar *f = part;

	if (key_is_wheel(key) || key_is_mouse(key))
		return false;
	if (key->code == KEY_ESCAPE)
		find_bar_leave(f);
	else if (key->code == KEY_ENTER)
		(void)(host_runs_line(f->host, &f->needle, f->slashed, key, &find_bar_mode, f) || find_bar_keep(f));
	else if (host_key_is(f->host, key, "search"))
		find_bar_search(f);
	else if (key->code == KEY_UP)
		find_bar_step(f, -1);
	else if (key->code == KEY_DOWN)
		find_bar_step(f, 1);
	else if (edit_key(&f->needle, key) && f->searched != f->needle.version)
		find_bar_find(f);
	return true;
}

static bool find_bar_interrupted(void *part)
{
	return find_bar_leave(part);
}

const struct mode find_bar_mode = {
	.is_open = find_bar_is_open, .takes = find_bar_takes, .leave = find_bar_interrupted, .paste = mode_takes_paste,
};

/* Whether hits stay marked after the search. Esc removes the marks; other keys are not handled. */
static bool find_bar_has_marks(const void *part)
{
	return transcript_hits(((const struct find_bar *)part)->host->transcript).searching;
}

static bool find_bar_takes_escape(void *part, const struct key *key)
{
	return key->code == KEY_ESCAPE && find_bar_leave(part);
}

const struct mode find_bar_marks_mode = { .is_open = find_bar_has_marks, .takes = find_bar_takes_escape };

void find_bar_step(struct find_bar *f, int step)
{
	struct view view;
	struct transcript *transcript = f->host->transcript;

	host_view(f->host, &view);
	if (transcript_search_step(transcript, &view, step))
		return;
	if (!transcript_hits(transcript).searching)
		host_say(f->host, "nothing is searched: %s", *host_key(f->host, "search") ? host_key(f->host, "search") : "/search");
	else
		host_say(f->host, step < 0 ? "there is no older hit" : "there is no newer hit");
}

void find_bar_figures(const struct find_bar *f, char *words, size_t size)
{
	char at[FIGURE_SIZE], count[FIGURE_SIZE];
	struct transcript_hits hits = transcript_hits(f->host->transcript);

	*words = 0;
	if (hits.searching && hits.count)
		snprintf(words, size, "%s of %s", figure_count(at, (int64_t)hits.at), figure_count(count, (int64_t)hits.count));
	else if (hits.searching)
		snprintf(words, size, "not found");
}

/* "Enter runs /private   Ctrl-F search", of a command; of the beginning of a name the nearest. */
static void find_bar_command_words(const struct find_bar *f, char *words, size_t size)
{
	const struct command *command;
	const char *key = host_key(f->host, "search");

	(void)command_line(&f->needle, f->slashed, &command);
	snprintf(words, size, "%s%s%s%s%sEsc back", command ? "Enter runs /" : "", command ? command->name : "", command ? "   " : "",
	         f->slashed ? key : "", f->slashed && *key ? " search   " : "");
}

void find_bar_draw(const struct find_bar *f, struct canvas *canvas, struct area area, bool focused)
{
	char figures[2 * FIGURE_SIZE], words[160];
	bool commands = find_bar_commands(f);

	find_bar_figures(f, figures, sizeof figures);
	if (commands)
		find_bar_command_words(f, words, sizeof words);
	else
		snprintf(words, sizeof words, "%s%sEnter stay   Up Down other hits   Esc back", figures, *figures ? "   " : "");
	if (!commands && flow_columns(str_from(words), area.columns) + 20 > area.columns)
		snprintf(words, sizeof words, "%s", figures);
	canvas_hairline(canvas, area, ROLE_ACCENT, commands ? STR("command") : STR("search"), str_from(words));
	canvas_put(canvas, area.row + 1, area.column + 1, 1, ROLE_ACCENT, STR("/"));
	struct area text = { area.row + 1, area.column + 3, 1, area.columns > 4 ? area.columns - 4 : 1 };
	edit_draw(&f->needle, canvas, text, ROLE_INPUT, focused);
}
