/* Full text search: the user's words as a query of FTS5, and the conversations that its rows belong to. */
#include "store/history_inside.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define WORDS_LIMIT ((size_t)1000) /* bytes of a query */
#define TERMS_MOST 32
#define ROWS_AT_ONCE 1000          /* texts, in one step: 2 to 20 ms */
#define ROWS_BEHIND_MERGING 3000   /* where each step begins with work for the index */
#define STEPS_OF_MERGING 500
#define UNINDEXED_AT_ONCE ((size_t)256 << 10) /* bytes of texts that are not indexed, in one step: some 10 ms */
#define UNINDEXED_MOST ((size_t)16 << 20)     /* of a search in steps; only a migration or an import leaves more */
#define UNINDEXED_WORK ((size_t)256)          /* bytes that take as long as what each piece takes beside its text */
/* Of work until the next text is found: some 100 ms each. The index merges all words that begin so, which is much more work for each step. */
#define STEPS_MOST_OF_BEGINNINGS 3000
#define STEPS_MOST_OF_WORDS 30000
#define BEGINNING_BYTES ((size_t)2 << 10) /* of a text, where a snippet is looked for first */
#define NOT_SEARCHED "the history cannot be searched"

struct term { struct str words; bool is_beginning; };
struct terms { struct term at[TERMS_MOST]; size_t count; };

/* The next term: a phrase in quotes, which may lack its end, or what stands between blanks. */
static struct term next_term(struct str *rest)
{
	struct term term = { *rest, false };
	bool quoted = rest->ptr[0] == '"';
	size_t length = quoted;

	while (length < rest->len && (quoted ? rest->ptr[length] != '"' : !char_is_blank(rest->ptr[length]) && rest->ptr[length] != '"'))
		length++;
	term.words = str_skip(str_head(*rest, length), quoted);
	*rest = str_skip(*rest, length + quoted);
	if (quoted && rest->len && rest->ptr[0] == '*')
		term.is_beginning = true;
	if (!quoted && str_ends(term.words, "*")) {
		term.is_beginning = true;
		while (str_ends(term.words, "*"))
			term.words.len--;
	}
	return term;
}

static struct terms read_terms(struct str words)
{
	struct terms terms = { .count = 0 };
	struct str rest = str_trim(str_head(words, WORDS_LIMIT));

	while (rest.len && terms.count < TERMS_MOST) {
		struct term term = next_term(&rest);

		if (!str_is_blank(term.words))
			terms.at[terms.count++] = term;
		rest = str_trim_start(rest);
	}
	return terms;
}

/* Each term as a string of FTS5, in which only the quote has a meaning. */
static void write_query(const struct terms *terms, struct buf *query)
{
	for (size_t i = 0; i < terms->count; i++) {
		struct str words = terms->at[i].words;

		buf_add_z(query, i ? " \"" : "\"");
		for (size_t j = 0; j < words.len; j++)
			if (words.ptr[j])
				buf_add(query, words.ptr[j] == '"' ? STR("\"\"") : str_of(words.ptr + j, 1));
		buf_add_z(query, terms->at[i].is_beginning ? "\" *" : "\"");
	}
}

/* --- results --- */

struct history_search {
	struct terms terms;
	struct buf words;       /* the terms point into it */
	struct buf query;
	int64_t *found;         /* conversations that were visited */
	size_t found_count, limit;
	int64_t before_unindexed, before; /* the texts before these are next */
	size_t unindexed;       /* bytes that were read of those */
	int64_t part;           /* of the text that was found last */
	bool titles_are_done, unindexed_are_done, is_bounded, is_narrowed, is_over;
	bool with_snippets;
};

struct history_search *history_search_new(struct str words, size_t limit)
{
	struct history_search *s = mem_new(sizeof *s);

	*s = (struct history_search){ .limit = limit, .before_unindexed = INT64_MAX, .before = INT64_MAX, .is_bounded = true, .is_over = !limit };
	buf_add(&s->words, str_head(words, WORDS_LIMIT));
	s->terms = read_terms(buf_str(&s->words));
	s->found = mem_new(limit * sizeof *s->found + 1);
	write_query(&s->terms, &s->query);
	return s;
}

void history_search_free(struct history_search *s)
{
	if (!s)
		return;
	buf_fini(&s->words);
	mem_free(s->found);
	buf_fini(&s->query);
	mem_free(s);
}

bool history_search_is_narrowed(const struct history_search *s)
{
	return s->is_narrowed;
}

static bool was_found(const struct history_search *s, int64_t conversation)
{
	for (size_t i = 0; i < s->found_count; i++)
		if (s->found[i] == conversation)
			return true;
	return false;
}

/* --- a step --- */

struct step {
	struct history *h;
	struct history_search *search;
	history_visit_hit *visit;
	void *ctx;
	struct history_hit hit; /* that is visited */
};

static bool visit_hit(void *ctx, const struct history_conversation *conversation)
{
	struct step *step = ctx;

	step->hit.conversation = *conversation;
	step->search->is_over |= !step->visit(step->ctx, &step->hit);
	return false;
}

static void step_found(struct step *step, int64_t conversation, int64_t node, int64_t text, const char *snippet)
{
	struct history_search *s = step->search;

	step->hit = (struct history_hit){ .node = node, .text = text, .snippet = snippet };
	s->found[s->found_count++] = conversation;
	history_list_one(step->h, conversation, visit_hit, step);
	s->is_over |= s->found_count == s->limit;
}

static bool title_has(struct str title, const struct terms *terms)
{
	for (size_t i = 0; i < terms->count; i++)
		if (!utf8_has_nocase(title, terms->at[i].words))
			return false;
	return terms->count > 0;
}

static void step_titles(struct step *step)
{
	struct history_search *s = step->search;
	struct rows *r = database_rows(step->h->db, "SELECT id, title FROM conversation WHERE deleted IS NULL AND title IS NOT NULL "
	                               "ORDER BY updated DESC, id DESC", NO_VALUES);

	s->titles_are_done = true;
	while (!s->is_over && rows_next(r))
		if (title_has(row_text(r, 1), &s->terms))
			step_found(step, row_integer(r, 0), 0, 0, NULL);
	rows_end(r);
	s->is_over |= !s->terms.count;
}

/* --- snippets --- */

/*
 * A table with this text alone gives the same snippet as the search. There, the beginning of a word would be looked up among all words again,
 * for each text.
 */
static char *snippet_in(struct database *db, const struct buf *query, struct str text)
{
	char *snippet = NULL;

	database_script(db, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.shown USING fts5 (content, tokenize = '" HISTORY_TOKENIZER "')");
	database_do(db, "INSERT INTO temp.shown (content) VALUES (?)", VALUES(TEXT(text)));
	struct rows *r = database_rows(db, "SELECT snippet(shown, 0, '" HISTORY_HIT_BEGIN "', '" HISTORY_HIT_END "', '...', 24) FROM temp.shown "
	                               "WHERE shown MATCH ?", VALUES(TEXT(buf_str(query))));
	if (rows_next(r))
		snippet = row_copy(r, 0);
	rows_end(r);
	database_do(db, "DELETE FROM temp.shown", NO_VALUES);
	return snippet;
}

/* Up to a blank; all of a text without one. */
static struct str beginning_of(struct str text)
{
	size_t length = text.len < BEGINNING_BYTES ? 0 : BEGINNING_BYTES;

	while (length && !char_is_blank(text.ptr[length - 1]))
		length--;
	return str_head(text, length ? length : text.len);
}

/* The time that it takes grows by the square of the hits, so the beginning of the text is tried first. */
static char *snippet_of(struct database *db, const struct buf *query, int64_t piece)
{
	struct rows *r = database_rows(db, "SELECT content FROM piece WHERE id = ? AND typeof(content) = 'text'", VALUES(INTEGER(piece)));
	struct str text = rows_next(r) ? row_text(r, 0) : STR_NONE, beginning = beginning_of(text);
	char *snippet = text.len ? snippet_in(db, query, beginning) : NULL;

	if (!snippet && beginning.len < text.len)
		snippet = snippet_in(db, query, text);
	rows_end(r);
	return snippet;
}

/* --- texts --- */

static void step_part(struct step *step, int64_t part, int64_t text)
{
	struct history_search *s = step->search;
	struct rows *r = database_rows(step->h->db, "SELECT node.conversation, node.id FROM part CROSS JOIN node ON node.id = part.node "
	                               "CROSS JOIN conversation ON conversation.id = node.conversation "
	                               "WHERE part.id = ? AND node.deleted IS NULL AND conversation.deleted IS NULL", VALUES(INTEGER(part)));
	bool is_there = rows_next(r);
	int64_t conversation = is_there ? row_integer(r, 0) : 0, node = is_there ? row_integer(r, 1) : 0;

	rows_end(r);
	if (!is_there || was_found(s, conversation))
		return;
	char *snippet = s->with_snippets ? snippet_of(step->h->db, &s->query, text) : NULL;
	step_found(step, conversation, node, text, snippet);
	mem_free(snippet);
}

/* A text that has the words: its piece and its part. A part that has them in several pieces is one hit. */
static void step_row(struct step *step, const struct rows *r)
{
	struct history_search *s = step->search;
	int64_t text = row_integer(r, 0), part = row_integer(r, 1);

	if (part != s->part)
		step_part(step, part, text);
	s->part = part;
}

/*
 * Fills the table of a step with the next of them, the newest first. It is in memory, and holds no texts, only what finds them. False at their
 * end.
 */
static bool index_some(struct database *db, struct history_search *s)
{
	size_t bytes = 0;
	bool goes_on = true;

	database_script(db, "CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh USING fts5 (content, content = '', tokenize = '" HISTORY_TOKENIZER "')");
	database_hold(db);
	database_do(db, "INSERT INTO temp.fresh (fresh) VALUES ('delete-all')", NO_VALUES);
	struct rows *r = database_rows(db, "SELECT piece.id, piece.content FROM unindexed CROSS JOIN piece ON piece.id = unindexed.piece "
	                               "WHERE unindexed.piece < ? AND typeof(piece.content) = 'text' ORDER BY unindexed.piece DESC",
	                               VALUES(INTEGER(s->before_unindexed)));
	while (bytes < UNINDEXED_AT_ONCE && (goes_on = rows_next(r))) {
		s->before_unindexed = row_integer(r, 0);
		database_do(db, "INSERT INTO temp.fresh (rowid, content) VALUES (?, ?)", VALUES(INTEGER(s->before_unindexed), TEXT(row_text(r, 1))));
		bytes += row_text(r, 1).len + UNINDEXED_WORK;
	}
	rows_end(r);
	database_release(db);
	s->unindexed += bytes;
	return goes_on;
}

/*
 * Texts wait for history_tend() before they are in the index. A table of some of them finds what the index will find: words mean the same
 * there.
 */
static void step_unindexed(struct step *step)
{
	struct history_search *s = step->search;
	struct database *db = step->h->db;

	s->unindexed_are_done = !index_some(db, s) || (s->is_bounded && s->unindexed >= UNINDEXED_MOST);
	struct rows *r = database_rows(db, "SELECT fresh.rowid, piece.part FROM temp.fresh CROSS JOIN piece ON piece.id = fresh.rowid "
	                               "WHERE fresh MATCH ? ORDER BY fresh.rowid DESC", VALUES(TEXT(buf_str(&s->query))));
	while (!s->is_over && rows_next(r))
		step_row(step, r);
	rows_end(r);
}

static void step_texts(struct step *step)
{
	struct history_search *s = step->search;
	struct rows *r = database_rows(step->h->db, "SELECT search.rowid, piece.part FROM search CROSS JOIN piece ON piece.id = search.rowid "
	                               "WHERE search MATCH ? AND search.rowid < ? ORDER BY search.rowid DESC",
	                               VALUES(TEXT(buf_str(&s->query)), INTEGER(s->before)));
	size_t rows = 0, most = s->is_bounded ? ROWS_AT_ONCE : SIZE_MAX;
	bool goes_on = true;

	while (!s->is_over && rows < most && (goes_on = rows_next(r))) {
		if (!rows++ && database_steps(step->h->db) > STEPS_OF_MERGING)
			most = ROWS_BEHIND_MERGING;
		s->before = row_integer(r, 0);
		step_row(step, r);
	}
	rows_end(r);
	s->is_over |= !goes_on && database_status(step->h->db) != DATABASE_INTERRUPTED;
}

static bool has_beginnings(const struct terms *terms)
{
	for (size_t i = 0; i < terms->count; i++)
		if (terms->at[i].is_beginning)
			return true;
	return false;
}

/* Beginnings that are too frequent become words. */
static void step_narrow(struct history_search *s)
{
	for (size_t i = 0; i < s->terms.count; i++)
		s->terms.at[i].is_beginning = false;
	s->is_narrowed = true;
	buf_clear(&s->query);
	write_query(&s->terms, &s->query);
}

/* A search for words that takes too long ends. */
static void step_bounded(struct step *step)
{
	struct history_search *s = step->search;
	struct database *db = step->h->db;
	bool narrows = has_beginnings(&s->terms);

	database_bound(db, narrows ? STEPS_MOST_OF_BEGINNINGS : STEPS_MOST_OF_WORDS);
	step_texts(step);
	database_bound(db, 0);
	if (database_status(db) != DATABASE_INTERRUPTED)
		return;
	database_clear(db);
	s->is_over |= !narrows;
	if (narrows)
		step_narrow(s);
}

static void step_run(struct step *step)
{
	struct history_search *s = step->search;

	if (s->is_over)
		return;
	if (!s->titles_are_done)
		step_titles(step);
	else if (!s->unindexed_are_done)
		step_unindexed(step);
	else if (s->is_bounded)
		step_bounded(step);
	else
		step_texts(step);
}

enum history_status history_search_step(struct history *h, struct history_search *s, history_visit_hit *visit, void *ctx, bool *more, struct error *err)
{
	struct step step = { .h = h, .search = s, .visit = visit, .ctx = ctx };

	step_run(&step);
	*more = !s->is_over && database_status(h->db) == DATABASE_OK;
	return history_end_reading(h, NOT_SEARCHED, err);
}

enum history_status history_search(struct history *h, struct str words, size_t limit, history_visit_hit *visit, void *ctx, struct error *err)
{
	struct history_search *s = history_search_new(words, limit);
	enum history_status status = HISTORY_OK;
	bool more = true;

	s->with_snippets = true;
	s->is_bounded = false;
	while (more && status == HISTORY_OK)
		status = history_search_step(h, s, visit, ctx, &more, err);
	history_search_free(s);
	return status;
}

char *history_snippet(struct history *h, struct str words, int64_t text)
{
	struct terms terms = read_terms(words);
	struct buf query = { 0 };
	struct error err;

	write_query(&terms, &query);
	char *snippet = terms.count ? snippet_of(h->db, &query, text) : NULL;
	buf_fini(&query);
	(void)history_end_reading(h, NOT_SEARCHED, &err);
	return snippet;
}
