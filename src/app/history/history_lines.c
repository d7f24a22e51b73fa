/* Conversations as lines for people, as fields for other programs, and as JSON. */
#include "app/history/history_inside.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app/system/environment.h"
#include "base/array.h"
#include "base/timestamp.h"
#include "base/utf8.h"
#include "store/history/history.h"
#include "ui/term/terminfo.h"
#include "wire/delta_write.h"

#define TITLE_COLUMNS_LEAST 20u
#define MODEL_COLUMNS_MOST 24u
#define KEY_BYTES 8
#define SNIPPET_INDENT 6u
#define BOLD "\x1b[1m"
#define BOLD_END "\x1b[22m"
#define CELL_LIMIT ((size_t)64 << 10)

void history_lines_open(struct history_lines *l, bool json)
{
	*l = (struct history_lines){ .json = json };
	pager_open(&l->pager);
	l->columns = l->pager.out.terminal ? output_columns() : 0;
	l->bold = l->columns && pager_takes_styles(&l->pager) && terminfo_places_cursor(process_environment("TERM"));
	json_writer_init(&l->writer, &l->text);
	if (json)
		json_open_array(&l->writer);
}

int history_lines_close(struct history_lines *l, int status)
{
	if (l->json) {
		json_close_array(&l->writer);
		buf_add_byte(&l->text, '\n');
		output_flush_json(&l->pager.out, &l->text);
	}
	buf_fini(&l->text);
	return pager_close(&l->pager, status);
}

/* --- JSON --- */

void history_write_cost(struct json_writer *w, const struct history_cost *cost)
{
	json_key(w, "cost");
	if (!cost->known) {
		json_null(w);
		return;
	}
	json_open_object(w);
	json_key(w, "amount");
	json_real(w, cost->amount);
	json_member_string(w, "currency", str_from(cost->currency));
	json_member_boolean(w, "exact", cost->exact);
	json_close_object(w);
}

static void write_time(struct json_writer *w, const char *name, int64_t ms)
{
	char text[TIMESTAMP_BYTES];

	json_member_string_or_null(w, name, timestamp_write(ms, text) ? str_from(text) : STR_NONE);
}

/* A snippet without the marks around what was searched for. */
static void add_unmarked(struct buf *words, const char *snippet)
{
	for (; *snippet; snippet++)
		if (*snippet != *HISTORY_HIT_BEGIN && *snippet != *HISTORY_HIT_END)
			buf_add_byte(words, *snippet);
}

static void write_snippet(struct json_writer *w, const char *snippet)
{
	struct buf words = { 0 };

	add_unmarked(&words, snippet);
	json_member_string(w, "snippet", buf_str(&words));
	buf_fini(&words);
}

static void write_object(struct json_writer *w, const struct history_conversation *c, const char *snippet)
{
	json_open_object(w);
	json_member_string(w, "id", str_from(c->key));
	json_member_string_or_null(w, "title", str_from(c->title));
	write_time(w, "created", c->created_ms);
	write_time(w, "updated", c->updated_ms);
	json_member_integer(w, "turns", c->turns);
	json_member_string_or_null(w, "provider", str_from(c->provider));
	json_member_string_or_null(w, "model", str_from(c->model));
	delta_write_usage_or_null(w, &c->usage);
	history_write_cost(w, &c->cost);
	json_member_boolean(w, "pinned", c->pinned);
	if (snippet)
		write_snippet(w, snippet);
	json_close_object(w);
}

/* --- lines --- */

unsigned history_add_cells(struct buf *line, struct str text, unsigned columns)
{
	struct buf safe;
	struct str rest;
	unsigned used = 0;

	buf_init(&safe, CELL_LIMIT);
	output_field(&safe, str_head(text, CELL_LIMIT / 8));
	rest = buf_str(&safe);
	while (rest.len) {
		struct utf8_cell cell;
		size_t bytes = utf8_cell(rest, &cell);

		if (used + cell.width > columns - (bytes < rest.len)) {
			buf_add_z(line, "…");
			used++;
			break;
		}
		buf_add(line, str_of(cell.text, cell.len));
		used += cell.width;
		rest = str_skip(rest, bytes);
	}
	buf_fini(&safe);
	return used;
}

/* The time of today, the day of this year, else the date: at most ten cells. */
static void add_when(struct buf *line, int64_t ms)
{
	time_t then = (time_t)(ms / 1000), now = time(NULL);
	struct tm of_then, of_now;
	char text[32] = "";

	if (localtime_r(&then, &of_then) && localtime_r(&now, &of_now)) {
		bool year = of_then.tm_year == of_now.tm_year, day = year && of_then.tm_yday == of_now.tm_yday;

		strftime(text, sizeof text, day ? "%H:%M" : year ? "%b %e" : "%Y-%m-%d", &of_then);
	}
	buf_printf(line, "%-10s", text);
}

/* What was searched for is bold where that is understood, else in brackets. */
static void add_snippet(struct history_lines *l, const char *snippet)
{
	const char *const begin = l->bold ? BOLD : "[", *const end = l->bold ? BOLD_END : "]";
	unsigned room = l->columns > 2 * SNIPPET_INDENT ? l->columns - SNIPPET_INDENT : SNIPPET_INDENT, used = 0;
	struct str rest = str_from(snippet);
	struct utf8_cell cell;

	buf_printf(&l->text, "%*s", (int)SNIPPET_INDENT, "");
	while (rest.len) {
		bool mark = *rest.ptr == *HISTORY_HIT_BEGIN || *rest.ptr == *HISTORY_HIT_END;
		size_t bytes = mark ? 1 : utf8_cell(rest, &cell);
		unsigned width = mark ? !l->bold : cell.width;

		if (used + width > room - (bytes < rest.len))
			break;
		buf_add(&l->text, !mark ? str_of(cell.text, cell.len) : str_from(*rest.ptr == *HISTORY_HIT_BEGIN ? begin : end));
		used += width;
		rest = str_skip(rest, bytes);
	}
	buf_printf(&l->text, "%s%s\n", rest.len ? "\u2026" : "", l->bold ? BOLD_END : "");
}

static void add_line(struct history_lines *l, const struct history_conversation *c, const char *snippet)
{
	struct buf head = { 0 };
	struct str model = str_from(c->model);
	unsigned used, room;

	buf_printf(&head, "%4zu%c %.*s  ", l->count, c->pinned ? '*' : ' ', KEY_BYTES, c->key);
	add_when(&head, c->updated_ms);
	buf_printf(&head, " %4lld  ", (long long)c->turns);
	used = (unsigned)utf8_width(buf_str(&head));
	output_field(&l->text, buf_str(&head));
	room = l->columns > used + TITLE_COLUMNS_LEAST ? l->columns - used : TITLE_COLUMNS_LEAST;
	if (model.len && room >= 2 * TITLE_COLUMNS_LEAST + MODEL_COLUMNS_MOST) {
		unsigned title = room - MODEL_COLUMNS_MOST - 2, cells = history_add_cells(&l->text, str_from(c->title), title);

		buf_printf(&l->text, "%*s", (int)(title - cells + 2), "");
		history_add_cells(&l->text, model, MODEL_COLUMNS_MOST);
	} else {
		history_add_cells(&l->text, str_from(c->title), room);
	}
	buf_add_byte(&l->text, '\n');
	if (snippet)
		add_snippet(l, snippet);
	buf_fini(&head);
}

static void add_fields(struct history_lines *l, const struct history_conversation *c, const char *snippet)
{
	const char *texts[] = { c->provider, c->model, c->title };
	char when[TIMESTAMP_BYTES];
	struct buf words = { 0 };

	timestamp_write(c->updated_ms, when);
	buf_printf(&l->text, "%s\t%s\t%lld", c->key, when, (long long)c->turns);
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		buf_add_byte(&l->text, '\t');
		output_field(&l->text, str_from(texts[i]));
	}
	if (snippet) {
		buf_add_byte(&l->text, '\t');
		add_unmarked(&words, snippet);
		output_field(&l->text, buf_str(&words));
	}
	buf_add_byte(&l->text, '\n');
	buf_fini(&words);
}

bool history_lines_add(struct history_lines *l, const struct history_conversation *c, const char *snippet)
{
	l->count++;
	if (l->json)
		write_object(&l->writer, c, snippet);
	else if (l->columns)
		add_line(l, c, snippet);
	else
		add_fields(l, c, snippet);
	(l->columns ? output_safe : output_text)(&l->pager.out, buf_str(&l->text));
	buf_clear(&l->text);
	return !l->pager.out.closed;
}
