/* The index beside a model: texts that come, change and go, in any order, and what searches find. */
#include "store/history/index.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/history/index_inside.h"
#include "store/history/index_leaf.h"
#include "store/history/query.h"
#include "store/shelf.h"
#include "support/check.h"

#define TEXTS 60
#define PLACES 4000000 /* of ids of pieces: some blocks */

static struct error err;

struct model_text { int64_t piece, conversation; char words[200]; bool is_hidden; };
struct model { struct history *h; struct model_text texts[TEXTS]; size_t count; unsigned seed; };

/* --- the model --- */

static unsigned draw(struct model *m, unsigned below)
{
	return check_random(&m->seed) % below;
}

static void write_words(struct model *m, char words[200])
{
	static const char *const parts[] = { "red ", "Red, ", "house ", "housing ", "h\u00f4use ", "x ", "\u5317", "\u4eac", "\u5927\u5b66", "\u3002", " ", "blue " };

	*words = '\0';
	for (unsigned n = draw(m, 12); n--;)
		strcat(words, parts[draw(m, sizeof parts / sizeof *parts)]);
	if (!draw(m, 3))
		sprintf(words + strlen(words), " word%u", draw(m, 300));
}

static bool is_taken(const struct model *m, int64_t piece)
{
	for (size_t i = 0; i < m->count; i++)
		if (m->texts[i].piece == piece)
			return true;
	return false;
}

/* Near others, or far from all. */
static int64_t free_piece(struct model *m)
{
	int64_t piece;

	do
		piece = m->count && draw(m, 3) ? m->texts[draw(m, (unsigned)m->count)].piece + 1 + draw(m, 5) : 1 + (int64_t)draw(m, 4000) * (PLACES / 4000);
	while (is_taken(m, piece));
	return piece;
}

static void model_add(struct model *m)
{
	struct model_text *t = &m->texts[m->count];
	struct database *db = m->h->db;

	if (m->count == TEXTS)
		return;
	*t = (struct model_text){ .piece = free_piece(m) };
	write_words(m, t->words);
	t->conversation = shelf_conversation(m->h, "t");
	database_begin(db);
	database_do(db, "INSERT INTO node (conversation, role, started) VALUES (?, 'user', 1)", VALUES(INTEGER(t->conversation)));
	database_do(db, "INSERT INTO part (node, position, kind, number, call, bytes, open, valid, is_error) VALUES (?, 0, 'text', 0, -1, ?, 0, 0, 0)",
	            VALUES(INTEGER(database_last_row(db)), INTEGER(strlen(t->words))));
	database_do(db, "INSERT INTO piece (id, part, position, content) VALUES (?, ?, 0, ?)",
	            VALUES(INTEGER(t->piece), INTEGER(database_last_row(db)), TEXT(str_from(t->words))));
	index_note(db, t->piece);
	CHECK(database_end(db) == DATABASE_OK, "%s", database_message(db));
	m->count++;
}

static void model_change(struct model *m)
{
	struct model_text *t = &m->texts[draw(m, (unsigned)m->count)];
	struct database *db = m->h->db;

	write_words(m, t->words);
	database_begin(db);
	database_do(db, "UPDATE piece SET content = ? WHERE id = ?", VALUES(TEXT(str_from(t->words)), INTEGER(t->piece)));
	index_note(db, t->piece);
	CHECK(database_end(db) == DATABASE_OK, "%s", database_message(db));
}

static void model_drop(struct model *m)
{
	size_t at = draw(m, (unsigned)m->count);
	struct database *db = m->h->db;

	database_begin(db);
	database_do(db, "DELETE FROM piece WHERE id = ?", VALUES(INTEGER(m->texts[at].piece)));
	index_note(db, m->texts[at].piece);
	CHECK(database_end(db) == DATABASE_OK, "%s", database_message(db));
	m->texts[at] = m->texts[--m->count];
}

static void model_index(struct model *m, enum index_what what)
{
	struct database *db = m->h->db;

	database_begin(db);
	index_some(db, what);
	CHECK(database_end(db) == DATABASE_OK, "%s", database_message(db));
}

static void model_begin_anew(struct model *m)
{
	database_begin(m->h->db);
	index_begin_anew(m->h->db);
	CHECK(database_end(m->h->db) == DATABASE_OK, "%s", database_message(m->h->db));
}

/* --- what is found --- */

static bool count_hit(void *ctx, const struct history_hit *hit)
{
	struct buf *found = ctx;

	buf_printf(found, "%lld ", (long long)hit->conversation.id);
	CHECK(hit->snippet && strstr(hit->snippet, HISTORY_HIT_BEGIN), "%s", hit->snippet ? hit->snippet : "no snippet");
	return true;
}

static void check_words(struct model *m, const char *words)
{
	struct query *q = query_new(str_from(words));
	struct buf found = { 0 };
	size_t expected = 0, count = 0;

	CHECK(history_search(m->h, str_from(words), 1000, NULL, count_hit, &found, &err) == HISTORY_OK, "%s", err.text);
	for (size_t i = 0; i < m->count; i++) {
		char id[30];

		if (!query_is_in(q, str_from(m->texts[i].words)))
			continue;
		sprintf(id, "%lld ", (long long)m->texts[i].conversation);
		expected++;
		CHECK(strstr(buf_z(&found), id), "%s: conversation %sis not among %s", words, id, buf_z(&found));
	}
	for (size_t i = 0; i < found.len; i++)
		count += found.ptr[i] == ' ';
	CHECK(count == expected, "%s: %zu found in place of %zu", words, count, expected);
	buf_fini(&found);
	query_free(q);
}

static void check_all_words(struct model *m)
{
	static const char *const words[] = {
		"red", "house", "hous*", "red house", "\"red house\"", "x", "\u5317", "\u4eac", "\u5317\u4eac", "\u5317\u4eac\u5927\u5b66", "\u5b66 blue", "h*",
		"absent", "word1", "word2*", "word12* red", "\"house blue\"", "\u5317\u5317\u4eac",
	};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		check_words(m, words[i]);
}

/* The words of the index are those of texts that are there. */
static void check_nothing_is_left(struct model *m)
{
	struct rows *r = database_rows(m->h->db, "SELECT block, words, first FROM leaf", NO_VALUES);
	bool is_first;

	while (rows_next(r)) {
		struct leaf_reader leaf = { .rest = row_text(r, 1) };

		for (is_first = true; leaf_next(&leaf); is_first = false) {
			uint32_t number = UINT32_MAX;

			CHECK(!is_first || str_equal(leaf_word(&leaf), row_text(r, 2)), "a leaf begins with %.*s", STR_ARG(leaf_word(&leaf)));
			while (numbers_next(&leaf.numbers, &number))
				CHECK(is_taken(m, row_integer(r, 0) + number), "%.*s of piece %lld", STR_ARG(leaf_word(&leaf)), (long long)(row_integer(r, 0) + number));
		}
		CHECK(!leaf.is_damaged && !is_first, "leaf");
	}
	rows_end(r);
	CU_ASSERT_EQUAL(database_integer(m->h->db, "SELECT count(*) FROM block WHERE id NOT IN (SELECT block FROM leaf)", NO_VALUES, -1), 0);
}

static void texts_come_and_go(void)
{
	unsigned rounds = 1500;
	struct model *m = mem_new(sizeof *m);

	shelf_begin();
	shelf_maintain();
	m->h = shelf_open();
	m->seed = 11;
	for (unsigned i = 0; i < rounds; i++) {
		unsigned what = draw(m, 100);

		if (what < 45 || !m->count)
			model_add(m);
		else if (what < 60)
			model_change(m);
		else if (what < 75)
			model_drop(m);
		else if (what < 98)
			model_index(m, what < 80 ? INDEX_GONE : what < 90 ? INDEX_STALE : INDEX_ALL);
		else
			model_begin_anew(m);
		if (i % 10 == 0)
			check_all_words(m);
		if (i % 100 == 0) {
			for (int step = 0; step < 50; step++)
				model_index(m, INDEX_ALL);
			CU_ASSERT_EQUAL(database_integer(m->h->db, "SELECT backlog + (SELECT count(*) FROM stale) FROM form", NO_VALUES, -1), 0);
			check_all_words(m);
			check_nothing_is_left(m);
		}
	}
	while (m->count)
		model_drop(m);
	for (int step = 0; step < 50; step++)
		model_index(m, INDEX_ALL);
	CU_ASSERT_EQUAL(database_integer(m->h->db, "SELECT (SELECT count(*) FROM block) + (SELECT count(*) FROM leaf)", NO_VALUES, -1), 0);
	history_close(m->h);
	mem_free(m);
	shelf_end();
}

/* More words than one leaf has, in blocks that are full; some of their texts go. */
static void large_blocks_are_written_and_thinned_out(void)
{
	struct buf text = { 0 };
	int64_t last = 0;
	struct history *h;

	shelf_begin();
	shelf_maintain();
	h = shelf_open();
	for (int i = 0; i < 30; i++) {
		buf_clear(&text);
		for (unsigned j = 0; text.len < 700000; j++)
			buf_printf(&text, "all w%u r%u\n", j * 31 % 60000, (unsigned)i * 1000 + j % 997);
		buf_printf(&text, "only%d", i);
		last = shelf_conversation(h, "t");
		shelf_exchange(h, last, 0, "x", buf_z(&text));
	}
	history_close(h);
	shelf_maintain();
	h = shelf_open();
	CU_ASSERT(database_integer(h->db, "SELECT count(*) FROM block", NO_VALUES, 0) > 1);
	CU_ASSERT(database_integer(h->db, "SELECT count(*) FROM leaf", NO_VALUES, 0) > 20);
	for (int i = 0; i < 30; i++) {
		struct buf found = { 0 };
		char words[40];

		sprintf(words, "only%d", i);
		CHECK(history_search(h, str_from(words), 10, NULL, count_hit, &found, &err) == HISTORY_OK && found.len, "%s", words);
		sprintf(words, "r%d w31", i * 1000 + 1);
		buf_clear(&found);
		CHECK(history_search(h, str_from(words), 10, NULL, count_hit, &found, &err) == HISTORY_OK && found.len, "%s", words);
		buf_fini(&found);
	}
	for (int64_t id = 1; id < last; id += 2) {
		int64_t mark;

		CU_ASSERT(history_delete(h, id, 0, &mark, &err) == HISTORY_OK);
	}
	history_close(h);
	struct maintain_result result = shelf_purge(NULL);
	maintain_result_fini(&result);
	h = shelf_open();
	struct buf found = { 0 };
	CU_ASSERT(history_search(h, STR("all"), 100, NULL, count_hit, &found, &err) == HISTORY_OK);
	CHECK_STR(buf_str(&found), "30 28 26 24 22 20 18 16 14 12 10 8 6 4 2 ");
	buf_clear(&found);
	CU_ASSERT(history_search(h, STR("only2"), 100, NULL, count_hit, &found, &err) == HISTORY_OK);
	CHECK_STR(buf_str(&found), "");
	buf_fini(&found);
	history_close(h);
	buf_fini(&text);
	shelf_end();
}

/* Whatever the rows of the index hold: a search ends, and says that the file is damaged or finds something. */
static void a_damaged_index_is_made_anew(void)
{
	unsigned seed = 5;

	shelf_begin();
	shelf_maintain();
	struct history *h = shelf_open();
	for (int i = 0; i < 20; i++)
		shelf_exchange(h, shelf_conversation(h, "t"), 0, "red house", "blue \u5317\u4eac and many other words of a text");
	history_close(h);
	shelf_maintain();
	for (int i = 0; i < 300; i++) {
		struct buf found = { 0 };
		bool is_leaf = i % 2;

		h = shelf_open();
		struct rows *r = database_rows(h->db, is_leaf ? "SELECT words FROM leaf" : "SELECT texts FROM block", NO_VALUES);
		char *bytes = rows_next(r) ? mem_dup(row_text(r, 0).ptr, row_text(r, 0).len) : mem_dup("", 0);
		size_t length = row_text(r, 0).len;
		rows_end(r);
		if (i % 10 == 9)
			length = length ? check_random(&seed) % length : 0;
		for (int n = 0; length && n < 2; n++)
			bytes[check_random(&seed) % length] = (char)check_random(&seed);
		database_begin(h->db);
		database_do(h->db, is_leaf ? "UPDATE leaf SET words = ?" : "UPDATE block SET texts = ?", VALUES(BYTES(str_of(bytes, length))));
		CU_ASSERT(database_end(h->db) == DATABASE_OK);
		enum history_status status = history_search(h, STR("red house"), 10, NULL, count_hit, &found, &err);
		CHECK(status == HISTORY_OK || status == HISTORY_DAMAGED, "%s", err.text);
		buf_fini(&found);
		mem_free(bytes);
		history_close(h);
	}
	struct maintain_result result;
	CHECK(history_maintain(&(struct maintain_options){ .check = true }, &result, &err) == HISTORY_OK, "%s", err.text);
	CU_ASSERT_PTR_NULL(result.damaged);
	maintain_result_fini(&result);
	h = shelf_open();
	struct buf found = { 0 };
	CU_ASSERT(history_search(h, STR("\u5317\u4eac"), 100, NULL, count_hit, &found, &err) == HISTORY_OK);
	CHECK_STR(buf_str(&found), "20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 ");
	buf_fini(&found);
	history_close(h);
	shelf_end();
}

const struct suite suite_index = { "index", (const struct test[]){
	TEST(texts_come_and_go),
	TEST(large_blocks_are_written_and_thinned_out),
	TEST(a_damaged_index_is_made_anew),
	{ 0 },
} };
