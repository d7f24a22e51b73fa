/*
 * Full text search. First the titles. Then what the index and the newest of the stale texts know is collected, and shown in the order of the
 * list: the head of it while the index is still read, from the newest texts to the oldest. What is left are texts that nobody has indexed yet, after
 * an import or a migration: they are read, the newest first.
 */
#include "store/history/history_inside.h"

#include "base/mem.h"
#include "store/history/found.h"
#include "store/history/index.h"
#include "store/history/query.h"

/* Of one step, some 10 ms: */
#define TITLES_AT_ONCE 5000
#define CONVERSATIONS_AT_ONCE 20000
#define BLOCKS_AT_ONCE 16
#define HITS_AT_ONCE 50
#define SETTLED_AT_ONCE 500
#define BYTES_AT_ONCE ((size_t)512 << 10)

#define EARLY ((size_t)100)           /* where so many conversations are found, the head of the list is shown before all of the index is read */
#define FRESH_BYTES ((size_t)8 << 20) /* of stale texts that are read before hits are shown */
#define PIECE_WORK ((size_t)256)      /* bytes that take as long as what each piece takes beside its text */
#define NOT_SEARCHED "the history cannot be searched"

enum phase { PHASE_TITLES, PHASE_FRESH, PHASE_INDEX, PHASE_LIST, PHASE_STALE, PHASE_BACKLOG, PHASE_OVER };

struct history_search {
	struct query *query;
	size_t limit, hit_count;
	bool with_snippets;
	history_rendered *rendered;
	enum phase phase;
	struct found found;
	int64_t updated_ms, conversation; /* the conversations before this one are next, in the order of the list */
	size_t place;                     /* of the piece in `found` that is next, in a conversation that is half looked at; 0: none is */
	int64_t stale;                    /* the stale pieces before this one are next */
	size_t fresh_bytes;
	int64_t block;
	int64_t backlog;                  /* the pieces before this one are next */
};

static void search_enter(struct history_search *s, enum phase phase)
{
	s->phase = phase;
	s->updated_ms = s->conversation = INT64_MAX;
	s->place = 0;
}

struct history_search *history_search_new(struct str words, size_t limit)
{
	struct history_search *s = mem_new(sizeof *s);

	*s = (struct history_search){ .query = query_new(words), .limit = limit, .stale = INT64_MAX, .block = INT64_MAX };
	search_enter(s, limit && !query_is_empty(s->query) ? PHASE_TITLES : PHASE_OVER);
	return s;
}

void history_search_skip_titles(struct history_search *s)
{
	if (s->phase == PHASE_TITLES)
		search_enter(s, query_has_words(s->query) ? PHASE_FRESH : PHASE_OVER);
}

void history_search_leave_out(struct history_search *s, int64_t conversation)
{
	(void)found_visit(&s->found, conversation);
}

void history_search_free(struct history_search *s)
{
	if (!s)
		return;
	query_free(s->query);
	found_fini(&s->found);
	mem_free(s);
}

/* --- a text --- */

/* Its content, and whether it is read as markdown. */
static struct rows *piece_rows(struct history *h, int64_t piece)
{
	return database_rows(h->db, "SELECT content, node.role = 'assistant' AND kind IN ('text', 'refusal'), node.id, part.position, part.id, "
	                     "piece.position FROM piece CROSS JOIN part ON part.id = piece.part CROSS JOIN node ON node.id = part.node "
	                     "WHERE piece.id = ?", VALUES(INTEGER(piece)));
}

static char *piece_snippet(struct history *h, const struct query *q, int64_t piece, history_rendered *rendered)
{
	struct rows *r = piece_rows(h, piece);
	struct buf seen = { 0 };
	char *snippet = NULL;

	if (rows_next(r)) {
		if (rendered && row_integer(r, 1))
			rendered(row_text(r, 0), &seen);
		if (!(snippet = query_snippet(q, buf_str(&seen))))
			snippet = query_snippet(q, row_text(r, 0));
	}
	rows_end(r);
	buf_fini(&seen);
	return snippet;
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
	struct history_search *s = step->search;

	step->hit.conversation = *conversation;
	if (!step->visit(step->ctx, &step->hit) || ++s->hit_count == s->limit)
		s->phase = PHASE_OVER;
	return false;
}

/* It was found in a text of a node; else in the title. */
static void step_show(struct step *step, int64_t conversation, int64_t node, int64_t piece)
{
	struct history_search *s = step->search;
	char *snippet;

	if (!found_visit(&s->found, conversation))
		return;
	snippet = node && s->with_snippets ? piece_snippet(step->h, s->query, piece, s->rendered) : NULL;
	step->hit = (struct history_hit){ .node = node, .text = piece, .snippet = snippet };
	history_list_one(step->h, conversation, visit_hit, step);
	mem_free(snippet);
}

static void step_titles(struct step *step)
{
	struct history_search *s = step->search;
	struct rows *r = database_rows(step->h->db, "SELECT id, updated, title FROM conversation WHERE deleted IS NULL AND (updated, id) < (?, ?) "
	                               "ORDER BY updated DESC, id DESC", VALUES(INTEGER(s->updated_ms), INTEGER(s->conversation)));
	bool has_more = true;

	for (int i = 0; i < TITLES_AT_ONCE && s->phase == PHASE_TITLES && (has_more = rows_next(r)); i++) {
		s->conversation = row_integer(r, 0);
		s->updated_ms = row_integer(r, 1);
		if (query_is_in_title(s->query, row_text(r, 2)))
			step_show(step, s->conversation, 0, 0);
	}
	rows_end(r);
	if (!has_more)
		search_enter(s, query_has_words(s->query) ? PHASE_FRESH : PHASE_OVER);
}

/* --- what is not in the index --- */

#define TEXTS "CROSS JOIN part ON part.id = piece.part CROSS JOIN node ON node.id = part.node " \
	"WHERE " SEARCHED " AND node.deleted IS NULL AND "

static struct rows *stale_rows(struct step *step)
{
	return database_rows(step->h->db, "SELECT piece.id, node.conversation, node.id, content FROM stale CROSS JOIN piece ON piece.id = "
	                                  "stale.piece " TEXTS
	                     "stale.piece < ? AND stale.piece >= (SELECT backlog FROM form) ORDER BY stale.piece DESC",
	                     VALUES(INTEGER(step->search->stale)));
}

/* Reads texts up to `most` bytes. False: there are no more. */
static bool read_texts(struct step *step, struct rows *r, int64_t *last, size_t most, bool collects)
{
	struct history_search *s = step->search;
	enum phase phase = s->phase;
	bool has_more = true;

	for (size_t bytes = 0; bytes < most && s->phase == phase && (has_more = rows_next(r)); bytes += row_text(r, 3).len + PIECE_WORK) {
		int64_t piece = *last = row_integer(r, 0), conversation = row_integer(r, 1);

		s->fresh_bytes += row_text(r, 3).len + PIECE_WORK;
		if (!query_is_in(s->query, row_text(r, 3)))
			continue;
		if (collects)
			found_add(&s->found, conversation, piece, true);
		else
			step_show(step, conversation, row_integer(r, 2), piece);
	}
	rows_end(r);
	return has_more;
}

static void step_fresh(struct step *step)
{
	struct history_search *s = step->search;

	if (read_texts(step, stale_rows(step), &s->stale, BYTES_AT_ONCE, true) && s->fresh_bytes < FRESH_BYTES)
		return;
	s->backlog = database_integer(step->h->db, "SELECT backlog FROM form", NO_VALUES, 0);
	search_enter(s, PHASE_INDEX);
}

static void step_stale(struct step *step)
{
	if (!read_texts(step, stale_rows(step), &step->search->stale, BYTES_AT_ONCE, false))
		search_enter(step->search, PHASE_BACKLOG);
}

static void step_backlog(struct step *step)
{
	struct rows *r = database_rows(step->h->db, "SELECT piece.id, node.conversation, node.id, content FROM piece " TEXTS "piece.id < ? "
	                               "ORDER BY piece.id DESC", VALUES(INTEGER(step->search->backlog)));

	if (!read_texts(step, r, &step->search->backlog, BYTES_AT_ONCE, false))
		search_enter(step->search, PHASE_OVER);
}

/* --- what was found, in the order of the list --- */

/* A piece that is stale, hidden or gone does not count, nor one whose text turns out not to have the words. Returns the bytes that were read. */
static size_t step_piece(struct step *step, int64_t conversation, const struct found_piece *piece)
{
	struct history_search *s = step->search;
	struct rows *r = database_rows(step->h->db, "SELECT node.id, content, EXISTS (SELECT 1 FROM stale WHERE piece = piece.id) FROM piece " TEXTS
	                               "piece.id = ? AND node.conversation = ?", VALUES(INTEGER(piece->piece), INTEGER(conversation)));
	size_t count, bytes = PIECE_WORK;
	bool is_enough;

	(void)query_keys(s->query, &count, &is_enough);
	if (rows_next(r)) {
		struct str text = row_text(r, 1);

		bytes += text.len;
		if (piece->is_sure || (!row_integer(r, 2) && (is_enough || query_is_in(s->query, text))))
			step_show(step, conversation, row_integer(r, 0), piece->piece);
	}
	rows_end(r);
	return bytes;
}

/* Goes on with a conversation, up to its first hit. False: there is no room in this step for all of it. */
static bool step_conversation(struct step *step, int64_t id, size_t *bytes)
{
	struct history_search *s = step->search;
	const struct found_conversation *c = found_in(&s->found, id);

	if (!c)
		return true;
	for (size_t place = s->place ? s->place : c->first; place && !c->is_visited; place = found_at(&s->found, place)->next) {
		s->place = place;
		if (*bytes >= BYTES_AT_ONCE)
			return false;
		*bytes += step_piece(step, id, found_at(&s->found, place));
	}
	s->place = 0;
	return true;
}

/* No text of it is in an older block: texts are stored in the order of the turns. Where they are not, the order of hits differs, no more. */
static bool is_settled(struct step *step, int64_t conversation)
{
	const struct found_conversation *c = found_in(&step->search->found, conversation);

	return (c && c->is_visited) ||
	       database_integer(step->h->db, "SELECT piece.id FROM node CROSS JOIN part ON part.node = node.id CROSS JOIN piece ON piece.part = "
	                        "part.id WHERE node.conversation = ? ORDER BY node.id LIMIT 1", VALUES(INTEGER(conversation)),
	                        INT64_MAX) >= step->search->block;
}

/* False: nothing more will come. While the index is read, the list ends at the first conversation that may be found in an older block. */
static bool list_next(struct step *step)
{
	struct history_search *s = step->search;
	enum phase phase = s->phase;
	struct rows *r = database_rows(step->h->db, "SELECT id, updated FROM conversation WHERE deleted IS NULL AND (updated, id) < (?, ?) "
	                               "ORDER BY updated DESC, id DESC", VALUES(INTEGER(s->updated_ms), INTEGER(s->conversation)));
	size_t bytes = 0, last_hit = s->hit_count + HITS_AT_ONCE;
	bool has_more = s->found.piece_count > 0;

	for (int i = 0; i < CONVERSATIONS_AT_ONCE && s->phase == phase && s->hit_count < last_hit && has_more; i++) {
		if (!(has_more = rows_next(r)) || !step_conversation(step, row_integer(r, 0), &bytes))
			break;
		if (phase == PHASE_INDEX && (i == SETTLED_AT_ONCE || !is_settled(step, row_integer(r, 0))))
			break;
		s->conversation = row_integer(r, 0);
		s->updated_ms = row_integer(r, 1);
	}
	rows_end(r);
	return has_more;
}

static void step_list(struct step *step)
{
	if (!list_next(step) && step->search->phase == PHASE_LIST)
		search_enter(step->search, PHASE_STALE);
}

/* --- the index --- */

static void note_text(void *ctx, int64_t piece, int64_t conversation)
{
	struct history_search *s = ctx;

	found_add(&s->found, conversation, piece, false);
}

static void step_index(struct step *step)
{
	struct history_search *s = step->search;
	struct number_set set = { .span = 0 };
	bool is_enough, has_more = true;
	size_t count, span;
	const struct index_key *keys = query_keys(s->query, &count, &is_enough);

	for (int i = 0; i < BLOCKS_AT_ONCE && (has_more = index_next_block(step->h->db, &s->block, &span)); i++) {
		index_find(step->h->db, s->block, span, keys, count, &set);
		index_walk(step->h->db, s->block, &set, note_text, s);
	}
	number_set_fini(&set);
	if (!has_more)
		search_enter(s, PHASE_LIST);
	else if (is_enough && s->found.count >= EARLY)
		list_next(step);
}

/* --- all of it --- */

enum history_status history_search_step(struct history *h, struct history_search *s, history_visit_hit *visit, void *ctx, bool *more,
                                        struct error *err)
{
	static void (*const steps[PHASE_OVER])(struct step *) = {
		[PHASE_TITLES] = step_titles, [PHASE_FRESH] = step_fresh, [PHASE_INDEX] = step_index,
		[PHASE_LIST] = step_list, [PHASE_STALE] = step_stale, [PHASE_BACKLOG] = step_backlog,
	};
	struct step step = { .h = h, .search = s, .visit = visit, .ctx = ctx };

	if (s->phase != PHASE_OVER)
		steps[s->phase](&step);
	*more = s->phase != PHASE_OVER && database_status(h->db) == DATABASE_OK;
	return history_end_reading(h, NOT_SEARCHED, err);
}

enum history_status history_search(struct history *h, struct str words, size_t limit, history_rendered *rendered, history_visit_hit *visit,
                                   void *ctx, struct error *err)
{
	struct history_search *s = history_search_new(words, limit);
	enum history_status status = HISTORY_OK;
	bool more = true;

	s->with_snippets = true;
	s->rendered = rendered;
	while (more && status == HISTORY_OK)
		status = history_search_step(h, s, visit, ctx, &more, err);
	history_search_free(s);
	return status;
}

char *history_snippet(struct history *h, struct str words, int64_t text, history_rendered *rendered)
{
	struct query *query = query_new(words);
	char *snippet = piece_snippet(h, query, text, rendered);
	struct error err;

	query_free(query);
	(void)history_end_reading(h, NOT_SEARCHED, &err);
	return snippet;
}

bool history_locate(struct history *h, struct str words, int64_t text, struct history_place *place, struct buf *found)
{
	struct query *query = query_new(words);
	struct rows *r = piece_rows(h, text);
	size_t from, to;
	bool good = rows_next(r) && query_place(query, row_text(r, 0), &from, &to);
	struct error err;

	if (good) {
		buf_add(found, str_of(row_text(r, 0).ptr + from, to - from));
		*place = (struct history_place){ row_integer(r, 2), row_integer(r, 3), (int64_t)from + database_integer(h->db, "SELECT "
			"sum(length(CAST(content AS BLOB))) FROM piece WHERE part = ? AND position < ?",
			VALUES(INTEGER(row_integer(r, 4)), INTEGER(row_integer(r, 5))), 0) };
	}
	rows_end(r);
	query_free(query);
	(void)history_end_reading(h, NOT_SEARCHED, &err);
	return good;
}
