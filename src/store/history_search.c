/* Full text search: the user's words as a query of FTS5, and the conversations that its rows belong to. */
#include "store/history_inside.h"

#include <string.h>

#include "base/mem.h"

#define WORDS_LIMIT ((size_t)1000) /* bytes of a query */
#define TERMS_MOST 32
#define ROWS_MOST 20000            /* texts that are looked at: the newest */
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

struct search {
	struct history *h;
	struct terms terms;
	struct buf query;
	int64_t *found;         /* conversations that were visited */
	size_t found_count, limit;
	bool goes_on;
	history_visit_hit *visit;
	void *ctx;
	int64_t node;           /* of the hit that is visited */
	int64_t text;
	char *snippet;
	bool with_snippets;
};

static bool was_found(const struct search *s, int64_t conversation)
{
	for (size_t i = 0; i < s->found_count; i++)
		if (s->found[i] == conversation)
			return true;
	return false;
}

static bool visit_hit(void *ctx, const struct history_conversation *conversation)
{
	struct search *s = ctx;

	s->goes_on = s->visit(s->ctx, &(struct history_hit){ *conversation, s->node, s->text, s->snippet });
	return false;
}

static void search_found(struct search *s, int64_t conversation, int64_t node, int64_t text, char *snippet)
{
	s->node = node;
	s->text = text;
	s->snippet = snippet;
	s->found[s->found_count++] = conversation;
	history_list_one(s->h, conversation, visit_hit, s);
	s->goes_on = s->goes_on && s->found_count < s->limit;
}

static bool title_has(struct str title, const struct terms *terms)
{
	for (size_t i = 0; i < terms->count; i++)
		if (!str_has_nocase(title, terms->at[i].words))
			return false;
	return terms->count > 0;
}

static void search_titles(struct search *s)
{
	struct rows *r = database_rows(s->h->db, "SELECT id, title FROM conversation WHERE deleted IS NULL AND title IS NOT NULL "
	                               "ORDER BY updated DESC, id DESC", NO_VALUES);

	while (s->goes_on && rows_next(r))
		if (title_has(row_text(r, 1), &s->terms))
			search_found(s, row_integer(r, 0), 0, 0, NULL);
	rows_end(r);
}

static char *search_snippet(struct history *h, const struct buf *query, int64_t piece)
{
	struct rows *r = database_rows(h->db, "SELECT snippet(search, 0, '" HISTORY_HIT_BEGIN "', '" HISTORY_HIT_END "', '...', 24) FROM search "
	                               "WHERE search MATCH ? AND rowid = ?", VALUES(TEXT(buf_str(query)), INTEGER(piece)));
	char *snippet = rows_next(r) ? row_copy(r, 0) : NULL;

	rows_end(r);
	return snippet;
}

static void search_texts(struct search *s)
{
	struct rows *r = database_rows(s->h->db, "SELECT hit.rowid, node.conversation, node.id "
	                               "FROM (SELECT rowid FROM search WHERE search MATCH ? ORDER BY rowid DESC LIMIT ?) AS hit "
	                               "CROSS JOIN piece ON piece.id = hit.rowid CROSS JOIN part ON part.id = piece.part "
	                               "CROSS JOIN node ON node.id = part.node CROSS JOIN conversation ON conversation.id = node.conversation "
	                               "WHERE node.deleted IS NULL AND conversation.deleted IS NULL",
	                               VALUES(TEXT(buf_str(&s->query)), INTEGER(ROWS_MOST)));

	while (s->goes_on && rows_next(r)) {
		int64_t conversation = row_integer(r, 1);
		char *snippet;

		if (was_found(s, conversation))
			continue;
		snippet = s->with_snippets ? search_snippet(s->h, &s->query, row_integer(r, 0)) : NULL;
		search_found(s, conversation, row_integer(r, 2), row_integer(r, 0), snippet);
		mem_free(snippet);
	}
	rows_end(r);
}

static enum history_status search_run(struct history *h, struct str words, size_t limit, bool with_snippets, history_visit_hit *visit, void *ctx,
                                      struct error *err)
{
	struct search s = { .h = h, .terms = read_terms(words), .limit = limit, .goes_on = limit > 0, .visit = visit, .ctx = ctx,
	                    .with_snippets = with_snippets };

	s.found = mem_new(limit * sizeof *s.found + 1);
	write_query(&s.terms, &s.query);
	search_titles(&s);
	if (s.goes_on && s.terms.count)
		search_texts(&s);
	mem_free(s.found);
	buf_fini(&s.query);
	return history_end_reading(h, NOT_SEARCHED, err);
}

enum history_status history_search(struct history *h, struct str words, size_t limit, history_visit_hit *visit, void *ctx, struct error *err)
{
	return search_run(h, words, limit, true, visit, ctx, err);
}

enum history_status history_search_places(struct history *h, struct str words, size_t limit, history_visit_hit *visit, void *ctx, struct error *err)
{
	return search_run(h, words, limit, false, visit, ctx, err);
}

char *history_snippet(struct history *h, struct str words, int64_t text)
{
	struct terms terms = read_terms(words);
	struct buf query = { 0 };
	struct error err;

	write_query(&terms, &query);
	char *snippet = terms.count ? search_snippet(h, &query, text) : NULL;
	buf_fini(&query);
	(void)history_end_reading(h, NOT_SEARCHED, &err);
	return snippet;
}
