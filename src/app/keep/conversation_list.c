#include "app/keep/conversation_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/keep/tree_rows.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/figure.h"
#include "ui/fuzzy.h"

#define TITLE_MOST ((size_t)200)
#define MODEL_MOST ((size_t)60)
#define SNIPPET_MOST ((size_t)400)
#define PINNED_MOST ((size_t)1000)
#define SEARCH_LEAST 2u /* bytes: a single letter begins a word in nearly every text */

/* --- rows --- */

void listed_line(struct str text, size_t most, bool marks, struct buf *out)
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

static char *clean(const char *text, size_t most, const char *otherwise)
{
	struct buf out = { 0 };

	listed_line(str_from(text), most, false, &out);
	char *copy = str_dup(str_is_blank(buf_str(&out)) ? str_from(otherwise) : str_trim(buf_str(&out)));
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

	snprintf(row.currency, sizeof row.currency, "%s", c->cost.currency ? c->cost.currency : "");
	row.cost.currency = NULL;
	return row;
}

static void listed_fini(struct listed *row)
{
	mem_free(row->title);
	mem_free(row->model);
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
	mem_free(l->rows);
	mem_free(l->hits);
	mem_free(l->matches);
	buf_fini(&l->filter);
	conversation_list_init(l, l->keep);
}

/* --- the filter --- */

bool conversation_list_searches(const struct conversation_list *l)
{
	return l->filter.len && l->filter.ptr[0] == '/';
}

struct str conversation_list_needle(const struct conversation_list *l)
{
	return conversation_list_searches(l) ? STR_NONE : buf_str(&l->filter);
}

/* Whether the letters are there in order: much cheaper than a score, and most titles lack one. */
static bool has_letters(struct str needle, const char *text)
{
	for (size_t i = 0; i < needle.len; i++) {
		if (needle.ptr[i] == ' ')
			continue;
		while (*text && char_lower(*text) != char_lower(needle.ptr[i]))
			text++;
		if (!*text++)
			return false;
	}
	return true;
}

/* Appends the row, if it passes the filter. */
static void list_match(struct conversation_list *l, size_t row)
{
	struct str needle = conversation_list_needle(l);
	const char *title = l->rows[row].title;
	int score = !has_letters(needle, title) ? -1 : fuzzy_score(needle, str_from(title));

	if (score < 0)
		return;
	mem_reserve(&l->matches, &l->match_capacity, l->match_count + 1, sizeof *l->matches);
	l->matches[l->match_count++] = (struct listed_match){ row, score };
}

static int compare_matches(const void *a, const void *b)
{
	const struct listed_match *x = a, *y = b;

	if (x->score != y->score)
		return x->score > y->score ? -1 : 1;
	return x->row < y->row ? -1 : x->row > y->row;
}

static void list_sort_matches(struct conversation_list *l)
{
	if (l->match_count && conversation_list_needle(l).len)
		qsort(l->matches, l->match_count, sizeof *l->matches, compare_matches);
}

static void list_match_all(struct conversation_list *l)
{
	l->match_count = 0;
	for (size_t i = 0; i < l->row_count; i++)
		list_match(l, i);
	list_sort_matches(l);
}

/* A filter that grew lets through fewer of the same rows. */
static void list_narrow(struct conversation_list *l)
{
	size_t count = l->match_count;

	l->match_count = 0;
	for (size_t i = 0; i < count; i++)
		list_match(l, l->matches[i].row);
	list_sort_matches(l);
}

static void list_forget_search(struct conversation_list *l)
{
	history_search_free(l->search);
	l->search = NULL;
	l->searched = false;
}

void conversation_list_filter(struct conversation_list *l, struct str filter)
{
	struct str old = conversation_list_needle(l);
	bool grows, same = str_equal(buf_str(&l->filter), filter);

	if (same)
		return;
	grows = !conversation_list_searches(l) && filter.len && filter.ptr[0] != '/' && str_equal(str_head(filter, old.len), old);
	buf_clear(&l->filter);
	buf_add(&l->filter, filter);
	list_forget_search(l);
	if (conversation_list_searches(l))
		return;
	free_rows(l->hits, &l->hit_count);
	if (grows)
		list_narrow(l);
	else
		list_match_all(l);
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
	if (conversation_list_searches(l))
		return true;
	for (size_t i = from; i < l->row_count; i++)
		list_match(l, i);
	list_sort_matches(l);
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
	if (!conversation_list_searches(l))
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

static struct str search_words(const struct conversation_list *l)
{
	return str_trim(str_skip(buf_str(&l->filter), 1));
}

bool conversation_list_wants_search(const struct conversation_list *l)
{
	return conversation_list_searches(l) && !l->searched;
}

static bool visit_hit(void *ctx, const struct history_hit *hit)
{
	struct conversation_list *l = ctx;

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
	struct str words = search_words(l);
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

	free_rows(l->hits, &l->hit_count);
	write_query(l, &query);
	l->search = history_search_new(buf_str(&query), search_words(l).len < SEARCH_LEAST ? 0 : LIST_HITS);
	buf_fini(&query);
}

void conversation_list_end_search(struct conversation_list *l)
{
	l->searched = true;
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

size_t conversation_list_count(const struct conversation_list *l)
{
	return conversation_list_searches(l) ? l->hit_count : l->match_count;
}

const struct listed *conversation_list_at(const struct conversation_list *l, size_t index)
{
	if (index >= conversation_list_count(l))
		return NULL;
	return conversation_list_searches(l) ? &l->hits[index] : &l->rows[l->matches[index].row];
}

const char *conversation_list_snippet(struct conversation_list *l, size_t index)
{
	struct listed *row = conversation_list_searches(l) && index < l->hit_count ? &l->hits[index] : NULL;
	struct buf query = { 0 }, line = { 0 };
	struct error err;
	struct history *h;

	if (!row || !row->text)
		return NULL;
	if (!row->snippet && (h = keep_history(l->keep, &err))) {
		write_query(l, &query);
		char *snippet = history_snippet(h, buf_str(&query), row->text);
		listed_line(str_from(snippet), SNIPPET_MOST, true, &line);
		row->snippet = str_dup(buf_str(&line));
		mem_free(snippet);
	}
	buf_fini(&query);
	buf_fini(&line);
	return row->snippet ? row->snippet : "";
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
	row->title = clean(title, TITLE_MOST, "(no title)");
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
