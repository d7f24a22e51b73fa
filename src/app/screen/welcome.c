#include "app/screen/welcome.h"

#include <stdio.h>
#include <time.h>

#include "app/keep/tree_rows.h"
#include "app/setup/provider_setup.h"
#include "app/setup/setup.h"
#include "base/array.h"
#include "base/least.h"
#include "chat/provider/presets.h"
#include "render/flow.h"

#define SECOND_COLUMN 22u /* offset of the second column of keys */
#define TRIES_COLUMN 40u
#define TRY_INDENT 6u
#define BESIDE_COLUMNS 73u /* from this width on, prompts for the demo stand beside the keys */
#define TEXT_COLUMNS 64u
#define TITLE_LEAST 8u     /* columns of the newest conversation's title beside its age */
#define HEAD_ROWS 2u       /* the sentence, and a blank row */
#define STREAMS_ROWS 2u    /* a blank row, and what is seen of streams */
#define STREAMS_COLUMNS 68u

struct welcome_line { const char *key, *does; };

/* A line with the key of a command, or with its slash word if it has no key. */
static struct welcome_line welcome_line(const struct host *h, const char *command, const char *slash_word, const char *does)
{
	const char *key = host_key(h, command);

	return (struct welcome_line){ *key ? key : slash_word, does };
}

static void welcome_draw_line(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, unsigned indent,
                              const struct welcome_line *line)
{
	unsigned used = canvas_put(canvas, row, column, columns, ROLE_ACCENT, str_from(line->key)) + 1;

	indent = used > indent ? used : indent;
	canvas_put(canvas, row, column + indent, columns > indent ? columns - indent : 0, ROLE_MUTED, str_from(line->does));
}

#define KEY_ROWS 4u

/* In fewer rows, the keys that are named last are dropped first: the palette leads to all commands. */
static void welcome_draw_keys(struct canvas *canvas, struct area area, const struct host *h)
{
	static const unsigned order[KEY_ROWS] = { 2, 0, 1, 3 };
	const struct welcome_line keys[KEY_ROWS][2] = {
		{ { "Enter", "send" },      welcome_line(h, "model", "/model", "model") },
		{ welcome_line(h, "new-line", "Alt-Enter", "new line"), welcome_line(h, "protocol", "/protocol", "protocol") },
		{ { "/", "commands" }, welcome_line(h, "provider", "/provider", "provider") },
		{ { "?", "help" }, welcome_line(h, "settings", "/settings", "settings") },
	};
	bool both = area.columns >= 40, shown[KEY_ROWS] = { false };
	unsigned row = area.row;

	for (unsigned i = 0; i < KEY_ROWS && i < area.rows; i++)
		shown[order[i]] = true;
	for (unsigned i = 0; i < KEY_ROWS; i++) {
		if (!shown[i])
			continue;
		welcome_draw_line(canvas, row, area.column, both ? SECOND_COLUMN - 1 : area.columns, 8, &keys[i][0]);
		if (both)
			welcome_draw_line(canvas, row, area.column + SECOND_COLUMN,
			                  (area.columns < TRIES_COLUMN ? area.columns : TRIES_COLUMN) - SECOND_COLUMN, 4, &keys[i][1]);
		row++;
	}
}

static const char *const tries[] = { "show me reasoning", "call two tools at once", "draw a boat", "fail in the middle" };

/* What weir shows of streams, on one row. */
static void welcome_draw_streams(struct canvas *canvas, unsigned row, unsigned column, unsigned columns, const struct host *h)
{
	const struct welcome_line lines[] = {
		welcome_line(h, "inspect", "/inspect", "the wire itself"), { "/replay", "any answer" }, { "/compare", "up to six models" },
	};

	for (unsigned i = 0, used = 0; i < ARRAY_LEN(lines) && used < columns; i++) {
		used += canvas_put(canvas, row, column + used, columns - used, ROLE_ACCENT, str_from(lines[i].key)) + 1;
		used += canvas_put(canvas, row, column + used, columns > used ? columns - used : 0, ROLE_MUTED, str_from(lines[i].does)) + 3;
	}
}

/* As many of the prompts as there are rows. */
static void welcome_draw_tries(struct canvas *canvas, struct area area)
{
	if (area.rows)
		canvas_put(canvas, area.row, area.column, area.columns, ROLE_ACCENT, STR("Try"));
	for (unsigned i = 0; i < ARRAY_LEN(tries) && i < area.rows && area.columns > TRY_INDENT; i++)
		canvas_put(canvas, area.row + i, area.column + TRY_INDENT, area.columns - TRY_INDENT, ROLE_MUTED, str_from(tries[i]));
}

/* Variables that were searched for a key: those of presets that do not work without one. */
static unsigned welcome_count_variables(void)
{
	unsigned count = 0;

	for (size_t i = 0; preset_at(i); i++)
		count += preset_at(i)->key_env && !preset_at(i)->key_optional;
	return count;
}

/* Why the demo answers, or what a chosen provider lacks, and what to do about it; "": nothing is missing. */
static void welcome_next_step(const struct host *h, char *words, size_t size)
{
	const struct setup *setup = h->setup;
	struct welcome_line key = welcome_line(h, "provider", "/provider", "");

	*words = 0;
	if (provider_is_demo(setup->target.provider))
		snprintf(words, size, "The demo answers for now. %s sets up a provider of yours; %s and %u other variables are searched for a key.",
		         key.key, "OPENAI_API_KEY", welcome_count_variables() - 1);
	else if (!setup->rebased && provider_wants_setup(setup->target.provider))
		snprintf(words, size, "%.40s lacks its key or its base URL. %s sets it up, or another provider.", setup->target.provider->name,
		         key.key);
}

static void welcome_draw_text(struct canvas *canvas, struct area area, const struct flow *flow, struct str words)
{
	for (unsigned r = 0; r < area.rows && r < flow->count; r++)
		canvas_put(canvas, area.row + r, area.column, area.columns, ROLE_MUTED, flow_row(flow, words, r));
}

/* Below the keys: `count` prompts for the demo, and the next step. Where both have no room, the next step stays. */
static void welcome_draw_below(struct canvas *canvas, struct area area, unsigned count, const struct flow *flow, struct str words)
{
	unsigned text = flow->count < area.rows ? (unsigned)flow->count + 1 : 0, left = area.rows - text;
	unsigned prompts = left < 2 ? 0 : least(count, left - 1);

	if (prompts)
		welcome_draw_tries(canvas, (struct area){ area.row + 1, area.column, prompts, area.columns });
	unsigned row = area.row + (prompts ? prompts + 1 : 0);
	if (text)
		welcome_draw_text(canvas, (struct area){ row + 1, area.column, text - 1, least(area.columns, TEXT_COLUMNS) }, flow, words);
}

/* F6 goes on with  "Title"  2 h ago, 12 turns. A long title is cut, so that the rest stays. */
static void welcome_draw_newest(struct canvas *canvas, struct area line, const struct latest_conversation *n)
{
	struct buf age = { 0 }, facts = { 0 };
	const char *key = host_key(n->host, "resume");

	age_write((time_t)(n->updated_ms / 1000), time(NULL), &age);
	buf_printf(&facts, "\"  %s%s, %lld turn%s", buf_z(&age), str_is(buf_str(&age), "now") || !age.len ? "" : " ago", (long long)n->turns,
	           n->turns == 1 ? "" : "s");
	unsigned used = canvas_put(canvas, line.row, line.column, line.columns, ROLE_ACCENT, str_from(*key ? key : "/resume"));
	used += canvas_put(canvas, line.row, line.column + used, line.columns - used, ROLE_MUTED, STR(" goes on with  \""));
	unsigned left = line.columns - used, wanted = flow_columns(buf_str(&facts), left);
	unsigned title = left > wanted + TITLE_LEAST ? left - wanted : left;
	bool cut = flow_columns(str_from(n->title), title + 1) > title;
	used += canvas_put(canvas, line.row, line.column + used, cut ? title - 1 : title, ROLE_TEXT, str_from(n->title));
	if (cut)
		used += canvas_put(canvas, line.row, line.column + used, 1, ROLE_MUTED, STR("\u2026"));
	canvas_put(canvas, line.row, line.column + used, line.columns - used, ROLE_MUTED, buf_str(&facts));
	buf_fini(&age);
	buf_fini(&facts);
}

static void welcome_draw_title(struct canvas *canvas, struct area title, const struct view *view, const struct host *h)
{
	char target[200], none[80];
	struct welcome_line model = welcome_line(h, "model", "/model", "");

	canvas_put(canvas, title.row, title.column, title.columns, ROLE_ACCENT, STR("weir"));
	snprintf(none, sizeof none, "no model: %s", model.key);
	snprintf(target, sizeof target, "%.*s \u00b7 %.*s \u00b7 %.*s", STR_ARG(str_head(view->provider, 40)),
	         STR_ARG(view->model.len ? str_head(view->model, 80) : str_from(none)), STR_ARG(view->protocol));
	if (utf8_width(str_from(target)) + 6 <= title.columns)
		canvas_put_right(canvas, title.row, title.column, title.columns, ROLE_MUTED, str_from(target));
}

/* The sentence and the keys, a third of the way down if all below has room too. */
static void welcome_draw_page(struct canvas *canvas, struct area page, const struct view *view, const struct latest_conversation *newest)
{
	const struct host *h = newest->host;
	bool beside = page.columns >= BESIDE_COLUMNS;
	char words[200];
	struct flow flow;

	welcome_next_step(h, words, sizeof words);
	flow_init(&flow);
	flow_update(&flow, str_from(words), least(page.columns, TEXT_COLUMNS));
	unsigned count = view->is_demo && !beside ? ARRAY_LEN(tries) : 0;
	unsigned text = *words ? (unsigned)flow.count + 1 + count + (count > 0) : 0, last = newest->title ? 1 + !text : 0;
	unsigned rows = page.rows > 12 ? KEY_ROWS : KEY_ROWS - 1;
	unsigned wanted = HEAD_ROWS + rows + text + last, spare = page.rows > wanted ? page.rows - wanted : 0;
	unsigned streams = page.columns >= STREAMS_COLUMNS && spare > STREAMS_ROWS + 2 ? STREAMS_ROWS : 0;
	unsigned start = least(page.rows > 10 ? page.rows / 2 - 3 : 2, spare > 2 + streams ? spare - streams : 2);
	unsigned keys = page.row + start + HEAD_ROWS, below = keys + rows + streams;
	canvas_put(canvas, page.row + start, page.column, page.columns, ROLE_TEXT, STR("A live view of what models say."));
	welcome_draw_keys(canvas, (struct area){ keys, page.column, rows, page.columns }, h);
	if (view->is_demo && beside)
		welcome_draw_tries(canvas, (struct area){ keys, page.column + TRIES_COLUMN, rows, page.columns - TRIES_COLUMN });
	if (streams)
		welcome_draw_streams(canvas, below - 1, page.column, page.columns, h);
	if (text)
		welcome_draw_below(canvas, (struct area){ below, page.column, page.row + page.rows - below - last, page.columns }, count, &flow,
		                   str_from(words));
	if (last && below + text + last <= page.row + page.rows)
		welcome_draw_newest(canvas, (struct area){ below + text + last - 1, page.column, 1, page.columns }, newest);
	flow_fini(&flow);
}

void welcome_draw(struct canvas *canvas, struct area area, const struct view *view, const struct latest_conversation *newest)
{
	const struct host *h = newest->host;
	unsigned gutter = 1, columns = area.columns - 2 * gutter, inset = columns >= 60 ? 6 : 1;
	struct area page = { area.row, area.column + inset, area.rows, area.columns - inset - gutter };
	unsigned keys = least(KEY_ROWS - 1, area.rows - 1);

	if (area.rows < 3)
		return;
	welcome_draw_title(canvas, (struct area){ area.row, area.column + gutter, 1, columns }, view, h);
	if (area.rows >= HEAD_ROWS + KEY_ROWS + 1)
		welcome_draw_page(canvas, page, view, newest);
	else
		welcome_draw_keys(canvas, (struct area){ area.row + area.rows - keys, page.column, keys, page.columns }, h);
}
