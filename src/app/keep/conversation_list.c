#include "app/keep/conversation_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/keep/tree_rows.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "base/words.h"
#include "chat/conversation/figure.h"
#include "render/markdown/markdown_words.h"

#define TITLE_MOST ((size_t)200)
#define MODEL_MOST ((size_t)60)
#define SNIPPET_MOST ((size_t)1000)
#define LEAD_COLUMNS 24u /* before the first word that was found */
#define PINNED_MOST ((size_t)1000)
#define SEARCH_LEAST 2u /* bytes: a single letter begins a word in nearly every text */

/* --- rows --- */

static void add_line(struct str text, size_t most, bool marks, struct buf *out)
{
	struct buf line = { 0 };
	bool blank = true; /* none at the beginning, and one for several */

	buf_init(&line, most * 4 + 64);
	utf8_repair(utf8_head(text, most), &line);
	for (size_t i = 0; i < line.len; i++) {
		unsigned char c = (unsigned char)line.ptr[i];
		bool mark = marks && (c == HISTORY_HIT_BEGIN[0] || c == HISTORY_HIT_END[0]);
		bool space = !mark && (c <= ' ' || c == 0x7F);

		if (!space || !blank)
			buf_add_byte(out, space ? ' ' : (char)c);
		blank = mark ? blank : space;
	}
	buf_fini(&line);
}

void listed_line(struct str text, size_t most, struct buf *out)
{
	add_line(text, most, false, out);
}

/* Where a text begins whose part from there to `end` has a few columns: behind a blank if there is one. */
static size_t lead_of(struct str text, size_t end)
{
	size_t from = end;

	for (size_t at = end; at > 0; from = at) {
		while (utf8_is_inside(text.ptr[--at]))
			;
		if (utf8_width(str_of(text.ptr + at, end - at)) > LEAD_COLUMNS)
			break;
	}
	size_t blank = str_find(str_of(text.ptr + from, end - from), STR(" "));
	from += from && blank < end - from ? blank + 1 : 0;
	return from + (from && str_starts(str_skip(text, from), "\u00B7 ") ? sizeof "\u00B7 " - 1 : 0); /* between cells of a table */
}

void listed_excerpt(struct str snippet, struct buf *out)
{
	struct buf line = { 0 };

	add_line(snippet, SNIPPET_MOST, true, &line);
	size_t first = str_find(buf_str(&line), STR(HISTORY_HIT_BEGIN)), from = lead_of(buf_str(&line), first);
	buf_printf(out, "%s%.*s", from ? "..." : "", STR_ARG(str_skip(buf_str(&line), from)));
	buf_fini(&line);
}

static char *clean(const char *text, size_t most, const char *otherwise)
{
	struct buf out = { 0 };

	listed_line(str_from(text), most, &out);
	char *copy = str_dup(str_is_blank(buf_str(&out)) ? str_from(otherwise) : str_trim(buf_str(&out)));
	buf_fini(&out);
	return copy;
}

static char *folded(const char *title)
{
	struct buf out = { 0 };

	words_fold(str_from(title), &out);
	char *copy = str_dup(buf_str(&out));
	buf_fini(&out);
	return copy;
}

static struct listed listed_new(const struct history_conversation *c)
{
	const char *slash = c->model ? strrchr(c->model, '/') : NULL;
	struct listed row = {
		.id = c->id, .updated_ms = c->updated_ms, .turns = c->turns, .cost = c->cost, .pinned = c->pinned,
		.tokens = count_sum(c->usage.of[USAGE_PROMPT], c->usage.of[USAGE_COMPLETION]),
		.title = clean(c->title, TITLE_MOST, "(no title)"), .model = clean(slash ? slash + 1 : c->model, MODEL_MOST, ""),
	};

	row.folded = folded(row.title);
	snprintf(row.currency, sizeof row.currency, "%s", c->cost.currency ? c->cost.currency : "");
	row.cost.currency = NULL;
	return row;
}

static void listed_fini(struct listed *row)
{
	mem_free(row->title);
	mem_free(row->model);
	mem_free(row->folded);
	mem_free(row->snippet);
}

static void free_rows(struct listed *rows, size_t *count)
{
	for (size_t i = 0; i < *count; i++)
		listed_fini(&rows[i]);
	*count = 0;
}

void conversation_list_init(struct conversation_list *l, const struct keep *keep)
{
	*l = (struct conversation_list){ .keep = keep };
}

void conversation_list_fini(struct conversation_list *l)
{
	free_rows(l->rows, &l->row_count);
	free_rows(l->hits, &l->hit_count);
	history_search_free(l->search);
	query_free(l->query);
	mem_free(l->rows);
	mem_free(l->hits);
	mem_free(l->matches);
	buf_fini(&l->filter);
	conversation_list_init(l, l->keep);
}

/* --- the filter --- */

/* Appends the row, if its title passes. */
static void list_match(struct conversation_list *l, size_t row)
{
	if (l->query && !query_is_in_folded(l->query, str_from(l->rows[row].folded)))
		return;
	mem_reserve(&l->matches, &l->match_capacity, l->match_count + 1, sizeof *l->matches);
	l->matches[l->match_count++] = row;
}

static void list_match_all(struct conversation_list *l)
{
	l->match_count = 0;
	for (size_t i = 0; i < l->row_count; i++)
		list_match(l, i);
}

static void list_forget_search(struct conversation_list *l)
{
	history_search_free(l->search);
	l->search = NULL;
	l->searched = false;
	l->hits_are_old = true;
}

static void drop_old_hits(struct conversation_list *l)
{
	if (l->hits_are_old)
		free_rows(l->hits, &l->hit_count);
	l->hits_are_old = false;
}

static bool is_searched(const struct conversation_list *l)
{
	return l->query && l->filter.len >= SEARCH_LEAST;
}

void conversation_list_filter(struct conversation_list *l, struct str filter)
{
	if (str_equal(buf_str(&l->filter), str_trim(filter)))
		return;
	buf_clear(&l->filter);
	buf_add(&l->filter, str_trim(filter));
	query_free(l->query);
	l->query = l->filter.len ? query_new(buf_str(&l->filter)) : NULL;
	list_forget_search(l);
	list_match_all(l);
	if (!is_searched(l))
		drop_old_hits(l);
}

bool conversation_list_mark(const struct conversation_list *l, const struct listed *row, bool *matched, size_t count)
{
	struct str title = str_from(row->folded), term;
	bool marks = false;

	for (size_t i = 0; l->query && (term = query_term(l->query, i)).len; i++) {
		size_t at = str_find(title, term);

		if (title.len != strlen(row->title) || at + term.len > title.len || at + term.len > count) /* bytes that differ from those shown */
			continue;
		memset(matched + at, true, term.len);
		marks = true;
	}
	return marks;
}

/* --- reading --- */

static bool visit_pinned(void *ctx, const struct history_conversation *c)
{
	struct conversation_list *l = ctx;

	mem_reserve(&l->rows, &l->row_capacity, l->row_count + 1, sizeof *l->rows);
	l->rows[l->row_count++] = listed_new(c);
	return true;
}

struct page { struct conversation_list *list; size_t visited; };

static bool visit_page(void *ctx, const struct history_conversation *c)
{
	struct page *page = ctx;
	struct conversation_list *l = page->list;

	page->visited++;
	l->after_updated_ms = c->updated_ms;
	l->after_id = c->id;
	return c->pinned || visit_pinned(l, c);
}

bool conversation_list_go_on(struct conversation_list *l, struct error *err)
{
	struct history_conversation after = { .updated_ms = l->after_updated_ms, .id = l->after_id };
	struct history *h = keep_history(l->keep, err);
	struct page page = { l, 0 };
	size_t from = l->row_count;

	if (!h || !keep_good(l->keep, history_list(h, l->after_id ? &after : NULL, LIST_PAGE, visit_page, &page, err), err))
		return false;
	l->is_read = page.visited < LIST_PAGE;
	for (size_t i = from; i < l->row_count; i++)
		list_match(l, i);
	return true;
}

bool conversation_list_begin(struct conversation_list *l, struct error *err)
{
	struct history *h = keep_history(l->keep, err);

	free_rows(l->rows, &l->row_count);
	l->match_count = 0;
	l->after_id = l->after_updated_ms = 0;
	l->is_read = false;
	list_forget_search(l);
	if (!h || !keep_good(l->keep, history_list_pinned(h, PINNED_MOST, visit_pinned, l, err), err))
		return false;
	list_match_all(l);
	return conversation_list_go_on(l, err);
}

bool conversation_list_read_all(struct conversation_list *l, struct error *err)
{
	while (!l->is_read)
		if (!conversation_list_go_on(l, err))
			return false;
	return true;
}

/* --- searching --- */

bool conversation_list_wants_search(const struct conversation_list *l)
{
	return is_searched(l) && !l->searched && l->is_read;
}

static bool visit_hit(void *ctx, const struct history_hit *hit)
{
	struct conversation_list *l = ctx;

	drop_old_hits(l);
	mem_reserve(&l->hits, &l->hit_capacity, l->hit_count + 1, sizeof *l->hits);
	struct listed *row = &l->hits[l->hit_count++];
	*row = listed_new(&hit->conversation);
	row->text = hit->text;
	return true;
}

/* Inside of quotes, or behind them, words are meant as they are. */
static bool ends_in_word(struct str words)
{
	char last = words.len ? words.ptr[words.len - 1] : ' ';
	size_t quotes = 0;

	for (size_t i = 0; i < words.len; i++)
		quotes += words.ptr[i] == '"';
	return quotes % 2 == 0 && last != '"' && last != '*';
}

/* The bytes behind the last blank or quote. */
static size_t last_word_length(struct str words)
{
	size_t length = 0;

	while (length < words.len && !char_is_blank(words.ptr[words.len - 1 - length]) && words.ptr[words.len - 1 - length] != '"')
		length++;
	return length;
}

static void write_query(const struct conversation_list *l, struct buf *query)
{
	struct str words = buf_str(&l->filter);
	size_t last = last_word_length(words);

	if (!ends_in_word(words))
		buf_add(query, words);
	else if (last < SEARCH_LEAST && last < words.len)
		buf_add(query, str_head(words, words.len - last));
	else
		buf_printf(query, "%.*s*", STR_ARG(words));
}

static void list_begin_search(struct conversation_list *l)
{
	struct buf query = { 0 };

	write_query(l, &query);
	l->search = history_search_new(buf_str(&query), LIST_HITS);
	history_search_skip_titles(l->search);
	for (size_t i = 0; i < l->match_count; i++)
		history_search_leave_out(l->search, l->rows[l->matches[i]].id);
	buf_fini(&query);
}

void conversation_list_end_search(struct conversation_list *l)
{
	l->searched = true;
	drop_old_hits(l);
	history_search_free(l->search);
	l->search = NULL;
}

bool conversation_list_search(struct conversation_list *l, struct error *err)
{
	struct history *h = keep_history(l->keep, err);
	bool more = false;

	if (!l->search)
		list_begin_search(l);
	bool good = h && keep_good(l->keep, history_search_step(h, l->search, visit_hit, l, &more, err), err);
	if (!good || !more)
		conversation_list_end_search(l);
	return good;
}

/* --- rows that pass --- */

size_t conversation_list_titles(const struct conversation_list *l)
{
	return l->match_count;
}

size_t conversation_list_count(const struct conversation_list *l)
{
	return l->match_count + l->hit_count;
}

const struct listed *conversation_list_at(const struct conversation_list *l, size_t index)
{
	if (index >= conversation_list_count(l))
		return NULL;
	return index < l->match_count ? &l->rows[l->matches[index]] : &l->hits[index - l->match_count];
}

const char *conversation_list_snippet(struct conversation_list *l, size_t index)
{
	struct listed *row = index >= l->match_count && index < conversation_list_count(l) ? &l->hits[index - l->match_count] : NULL;
	struct buf query = { 0 }, line = { 0 };
	struct error err;
	struct history *h;

	if (!row)
		return NULL;
	if (!row->snippet && (h = keep_history(l->keep, &err))) {
		write_query(l, &query);
		char *snippet = history_snippet(h, buf_str(&query), row->text, markdown_words);
		listed_excerpt(str_from(snippet), &line);
		row->snippet = str_dup(buf_str(&line));
		mem_free(snippet);
	}
	buf_fini(&query);
	buf_fini(&line);
	return row->snippet ? row->snippet : "";
}

bool conversation_list_locate(const struct conversation_list *l, size_t index, struct history_place *place, struct buf *found)
{
	const struct listed *row = conversation_list_at(l, index);
	struct buf query = { 0 };
	struct error err;
	struct history *h = row && row->text ? keep_history(l->keep, &err) : NULL;

	if (!h)
		return false;
	write_query(l, &query);
	bool good = history_locate(h, buf_str(&query), row->text, place, found);
	buf_fini(&query);
	return good;
}

size_t conversation_list_find(const struct conversation_list *l, int64_t id)
{
	for (size_t i = 0; i < conversation_list_count(l); i++)
		if (conversation_list_at(l, i)->id == id)
			return i;
	return 0;
}

/* --- changes --- */

static struct listed *row_of(struct listed *rows, size_t count, int64_t id)
{
	for (size_t i = 0; i < count; i++)
		if (rows[i].id == id)
			return &rows[i];
	return NULL;
}

static void row_rename(struct listed *row, const char *title)
{
	if (!row)
		return;
	mem_free(row->title);
	mem_free(row->folded);
	row->title = clean(title, TITLE_MOST, "(no title)");
	row->folded = folded(row->title);
}

void conversation_list_rename(struct conversation_list *l, int64_t id, struct str title)
{
	char *copy = str_dup(title);

	row_rename(row_of(l->rows, l->row_count, id), copy);
	row_rename(row_of(l->hits, l->hit_count, id), copy);
	mem_free(copy);
	list_match_all(l);
}

static int compare_rows(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;

	if (x->pinned != y->pinned)
		return x->pinned ? -1 : 1;
	if (x->updated_ms != y->updated_ms)
		return x->updated_ms > y->updated_ms ? -1 : 1;
	return x->id > y->id ? -1 : x->id < y->id;
}

void conversation_list_pin(struct conversation_list *l, int64_t id, bool pinned)
{
	struct listed *row = row_of(l->rows, l->row_count, id), *hit = row_of(l->hits, l->hit_count, id);

	if (row)
		row->pinned = pinned;
	if (hit)
		hit->pinned = pinned;
	if (l->row_count)
		qsort(l->rows, l->row_count, sizeof *l->rows, compare_rows);
	list_match_all(l);
}

static void drop_row(struct listed *rows, size_t *count, int64_t id)
{
	struct listed *row = row_of(rows, *count, id);

	if (!row)
		return;
	listed_fini(row);
	memmove(row, row + 1, (size_t)(rows + *count - row - 1) * sizeof *row);
	(*count)--;
}

void conversation_list_drop(struct conversation_list *l, int64_t id)
{
	drop_row(l->rows, &l->row_count, id);
	drop_row(l->hits, &l->hit_count, id);
	list_match_all(l);
}

/* --- words --- */

void listed_tokens(const struct listed *c, struct buf *out)
{
	char figure[FIGURE_SIZE];

	if (c->tokens.sent)
		buf_add_z(out, figure_short(figure, c->tokens.number, 1000, 99950));
}

void listed_cost(const struct listed *c, struct buf *out)
{
	char figure[FIGURE_SIZE];
	bool dollars = !*c->currency || !strcmp(c->currency, "USD");

	if (!c->cost.known)
		return;
	if (dollars)
		buf_add_z(out, figure_cost(figure, (struct cost){ .usd = c->cost.amount, .is_estimated = !c->cost.exact }));
	else
		buf_printf(out, "%s%.2f %s", c->cost.exact ? "" : "~", c->cost.amount, c->currency);
}

void listed_age(const struct listed *c, time_t now, struct buf *out)
{
	age_write((time_t)(c->updated_ms / 1000), now, out);
}
