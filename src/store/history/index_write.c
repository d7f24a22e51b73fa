/* Bringing the index up to date: texts by block, and the words of a block merged into its leaves. */
#include "store/history/index_inside.h"

#include <string.h>
#include <time.h>

#include "base/mem.h"
#include "base/search.h"
#include "store/history/history_inside.h"
#include "store/history/index_batch.h"
#include "store/history/index_leaf.h"

#define BATCH_BYTES ((int64_t)4 << 20) /* of texts, in one transaction */
#define BATCH_PIECES ((size_t)20000)
#define BLOCK_BYTES ((int64_t)8 << 20)  /* of texts; then another block begins */
#define GROWS_AT_MOST_S (24 * 3600)    /* its writer may have been interrupted */
#define BLOCKS_DROPPED 4

void index_note(struct database *db, int64_t piece)
{
	database_do(db, "INSERT OR IGNORE INTO stale (piece) VALUES (?)", VALUES(INTEGER(piece)));
}

/* --- a change of one block --- */

struct change {
	struct database *db;
	int64_t block, next_block; /* INT64_MAX: it is the last */
	int64_t bytes;             /* of its texts */
	struct block_texts texts;  /* as they are behind the change */
	struct number_set removed;
	bool removes, is_open;
	struct index_batch *batch;
	const struct batch_word *words; /* of the batch: those from `word_at` on are not merged yet */
	size_t word_count, word_at;
	struct leaf_writer writer;
	struct ids { int64_t *at; size_t count, capacity; } free_leaves; /* rows that were read and deleted: their places are taken again */
	struct buf numbers;
	uint32_t *merged;          /* numbers of one word */
	size_t merged_capacity;
};

static void ids_add(struct ids *ids, int64_t id)
{
	*ARRAY_ADD(ids->at, ids->count, ids->capacity) = id;
}

static void change_put_leaf(void *ctx, struct str first, struct str bytes)
{
	struct change *c = ctx;
	struct value id = c->free_leaves.count ? INTEGER(c->free_leaves.at[--c->free_leaves.count]) : NOTHING;

	database_do(c->db, "INSERT INTO leaf (id, block, first, words) VALUES (?, ?, ?, ?)",
	            VALUES(id, INTEGER(c->block), TEXT(first), BYTES(bytes)));
}

static struct str batch_word(const struct change *c)
{
	return c->word_at < c->word_count ? c->words[c->word_at].word : STR_NONE;
}

static int compare(struct str a, struct str b)
{
	size_t shorter = a.len < b.len ? a.len : b.len;
	int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;

	return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

/* Writes a word with its numbers: those of the leaf that stay, and those of the batch. Both ascend. */
static void change_put_word(struct change *c, struct str word, struct str numbers, const struct batch_word *added)
{
	uint32_t number = UINT32_MAX;
	size_t count = 0, next = 0, added_count = added ? added->count : 0;
	bool more = numbers_next(&numbers, &number);

	while (more || next < added_count) {
		bool takes_old = more && (next == added_count || number <= added->numbers[next]);
		uint32_t taken = takes_old ? number : added->numbers[next++];
		bool stays = !takes_old || !c->removes || !number_set_has(&c->removed, number);

		if (takes_old)
			more = numbers_next(&numbers, &number);
		if (!stays || (count && c->merged[count - 1] == taken))
			continue;
		*ARRAY_ADD(c->merged, count, c->merged_capacity) = taken;
	}
	if (!count)
		return;
	buf_clear(&c->numbers);
	numbers_write(c->merged, count, &c->numbers);
	leaf_add(&c->writer, word, buf_str(&c->numbers));
}

/* Merges the words of the batch up to `end` (NULL: all) that stand before a word, or before the end. */
static void change_put_batch(struct change *c, const struct str *before)
{
	while (c->word_at < c->word_count && (!before || compare(batch_word(c), *before) < 0)) {
		change_put_word(c, batch_word(c), STR_NONE, &c->words[c->word_at]);
		c->word_at++;
	}
}

static void change_merge_leaf(struct change *c, struct str bytes, const struct str *end)
{
	struct leaf_reader leaf = { .rest = bytes };

	while (leaf_next(&leaf)) {
		struct str word = leaf_word(&leaf);

		change_put_batch(c, &word);
		bool both = c->word_at < c->word_count && str_equal(batch_word(c), word);
		if (!both && !c->removes)
			leaf_add(&c->writer, word, leaf.numbers);
		else
			change_put_word(c, word, leaf.numbers, both ? &c->words[c->word_at] : NULL);
		c->word_at += both;
	}
	if (leaf.is_damaged)
		database_fail(c->db, DATABASE_DAMAGED, INDEX_DAMAGED);
	change_put_batch(c, end);
}

static bool leaf_has_removed(const struct change *c, struct str bytes)
{
	struct leaf_reader leaf = { .rest = bytes };

	while (leaf_next(&leaf)) {
		uint32_t number = UINT32_MAX;

		while (numbers_next(&leaf.numbers, &number))
			if (number_set_has(&c->removed, number))
				return true;
	}
	return leaf.is_damaged;
}

/* --- the leaves that a change concerns --- */

struct found_leaf { int64_t id; struct buf first, bytes, end; bool is_last; };

static bool take_leaf(struct rows *r, struct found_leaf *leaf)
{
	bool found = rows_next(r);

	if (found) {
		leaf->id = row_integer(r, 0);
		buf_clear(&leaf->first);
		buf_clear(&leaf->bytes);
		buf_add(&leaf->first, row_text(r, 1));
		buf_add(&leaf->bytes, row_text(r, 2));
	}
	rows_end(r);
	return found;
}

#define LEAF "SELECT id, first, words FROM leaf WHERE block = ? "

static bool leaf_behind(struct change *c, struct str first, struct found_leaf *leaf)
{
	return take_leaf(database_rows(c->db, LEAF "AND first > ? ORDER BY first LIMIT 1", VALUES(INTEGER(c->block), TEXT(first))), leaf);
}

/* The first leaf also takes the words before it. */
static bool leaf_of_word(struct change *c, struct str word, struct found_leaf *leaf)
{
	return take_leaf(database_rows(c->db, LEAF "AND first <= ? ORDER BY first DESC LIMIT 1", VALUES(INTEGER(c->block), TEXT(word))), leaf) ||
	       leaf_behind(c, STR_NONE, leaf);
}

static void find_end(struct change *c, struct found_leaf *leaf)
{
	struct rows *r = database_rows(c->db, "SELECT first FROM leaf WHERE block = ? AND first > ? ORDER BY first LIMIT 1",
	                               VALUES(INTEGER(c->block), TEXT(buf_str(&leaf->first))));

	leaf->is_last = !rows_next(r);
	buf_clear(&leaf->end);
	if (!leaf->is_last)
		buf_add(&leaf->end, row_text(r, 0));
	rows_end(r);
}

/*
 * Leaves that stand side by side are written as one sequence of words, so that they are full. Where a leaf between them does not change, the
 * sequence ends.
 */
static void change_take_leaf(struct change *c, struct found_leaf *leaf, struct buf *expected)
{
	struct str end = buf_str(&leaf->end);
	bool adds = c->word_at < c->word_count && (leaf->is_last || compare(batch_word(c), end) < 0);

	if (!str_equal(buf_str(expected), buf_str(&leaf->first)))
		leaf_end(&c->writer);
	buf_clear(expected);
	if (!adds && !(c->removes && leaf_has_removed(c, buf_str(&leaf->bytes)))) {
		leaf_end(&c->writer);
		return;
	}
	buf_add(expected, end);
	database_do(c->db, "DELETE FROM leaf WHERE id = ?", VALUES(INTEGER(leaf->id)));
	ids_add(&c->free_leaves, leaf->id);
	change_merge_leaf(c, buf_str(&leaf->bytes), leaf->is_last ? NULL : &end);
}

/* A change that removes texts looks at all leaves, since nobody knows their words: the texts are gone. */
static void change_merge(struct change *c)
{
	struct found_leaf leaf = { .id = 0 };
	struct buf expected = { 0 }, behind = { 0 };
	bool has_more = true;

	while (has_more && database_status(c->db) == DATABASE_OK) {
		has_more = c->removes ? leaf_behind(c, buf_str(&behind), &leaf) : c->word_at < c->word_count && leaf_of_word(c, batch_word(c), &leaf);
		if (!has_more)
			break;
		find_end(c, &leaf);
		change_take_leaf(c, &leaf, &expected);
		buf_clear(&behind);
		buf_add(&behind, buf_str(&leaf.first));
	}
	change_put_batch(c, NULL);
	leaf_end(&c->writer);
	buf_fini(&leaf.first);
	buf_fini(&leaf.bytes);
	buf_fini(&leaf.end);
	buf_fini(&expected);
	buf_fini(&behind);
}

/* --- beginning and ending a change --- */

static void change_write_block(struct change *c)
{
	struct buf texts = { 0 };

	block_texts_write(&c->texts, &texts);
	if (c->texts.count)
		database_do(c->db, "INSERT INTO block (id, bytes, span, texts) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET "
		            "bytes = excluded.bytes, span = excluded.span, texts = excluded.texts",
		            VALUES(INTEGER(c->block), INTEGER(c->bytes), INTEGER((int64_t)c->texts.at[c->texts.count - 1].number + 1),
		                   BYTES(buf_str(&texts))));
	else
		database_do(c->db, "DELETE FROM block WHERE id = ?", VALUES(INTEGER(c->block)));
	buf_fini(&texts);
}

/* The block stands before its leaves, which refer to it; one without texts goes behind them. */
static void change_end(struct change *c)
{
	if (!c->is_open)
		return;
	c->words = index_batch_words(c->batch, &c->word_count);
	if (c->texts.count)
		change_write_block(c);
	change_merge(c);
	if (!c->texts.count)
		change_write_block(c);
	index_batch_free(c->batch);
	c->batch = NULL;
	c->words = NULL;
	c->word_count = c->word_at = c->free_leaves.count = 0;
	c->is_open = c->removes = false;
}

static void change_fini(struct change *c)
{
	change_end(c);
	block_texts_fini(&c->texts);
	number_set_fini(&c->removed);
	leaf_writer_fini(&c->writer);
	mem_free(c->free_leaves.at);
	buf_fini(&c->numbers);
	mem_free(c->merged);
}

static void change_begin(struct change *c, int64_t block)
{
	struct rows *r = database_rows(c->db, "SELECT bytes, texts FROM block WHERE id = ?", VALUES(INTEGER(block)));

	c->is_open = true;
	c->block = block;
	c->bytes = 0;
	c->texts.count = 0;
	c->batch = index_batch_new();
	if (rows_next(r)) {
		c->bytes = row_integer(r, 0);
		block_texts_read(c->db, row_text(r, 1), &c->texts);
	}
	rows_end(r);
	c->next_block = database_integer(c->db, "SELECT min(id) FROM block WHERE id > ?", VALUES(INTEGER(block)), INT64_MAX);
	number_set_clear(&c->removed, c->texts.count ? (size_t)c->texts.at[c->texts.count - 1].number + 1 : 0);
}

/* The last block takes what comes behind it until it is full. */
static bool change_takes(const struct change *c, int64_t piece)
{
	return c->is_open && piece >= c->block && piece < c->next_block && piece - c->block < BLOCK_SPAN_MOST &&
	       (c->next_block < INT64_MAX || c->bytes < BLOCK_BYTES);
}

/* Begins the change of the block that a piece belongs to, or that begins with it. */
static void change_go_to(struct change *c, int64_t piece)
{
	int64_t block;

	if (change_takes(c, piece))
		return;
	change_end(c);
	block = database_integer(c->db, "SELECT max(id) FROM block WHERE id <= ? AND id >= (SELECT backlog FROM form)", VALUES(INTEGER(piece)),
	                         piece);
	change_begin(c, block);
	if (!change_takes(c, piece)) {
		change_end(c);
		change_begin(c, piece);
	}
}

/* --- texts --- */

static size_t place_of(const struct block_texts *texts, uint32_t number)
{
	struct search s = search_in(0, texts->count);

	while (search_next(&s))
		search_take(&s, texts->at[s.middle].number < number);
	return s.low;
}

static void change_remove(struct change *c, uint32_t number)
{
	struct block_texts *texts = &c->texts;
	size_t at = place_of(texts, number);

	if (at == texts->count || texts->at[at].number != number)
		return;
	memmove(&texts->at[at], &texts->at[at + 1], (texts->count - at - 1) * sizeof *texts->at);
	texts->count--;
	number_set_add(&c->removed, number);
	c->removes = true;
}

static void change_add(struct change *c, uint32_t number, int64_t conversation, struct str text)
{
	struct block_texts *texts = &c->texts;
	size_t at = place_of(texts, number);

	mem_reserve(&texts->at, &texts->capacity, texts->count + 1, sizeof *texts->at);
	memmove(&texts->at[at + 1], &texts->at[at], (texts->count - at) * sizeof *texts->at);
	texts->at[at] = (struct block_text){ number, conversation };
	texts->count++;
	c->bytes += (int64_t)text.len;
	index_batch_add(c->batch, number, text);
}

/* Pieces come in the order of their ids. `text` is absent if the piece is gone, or is not searched. */
static void change_take(struct change *c, int64_t piece, int64_t conversation, struct str text)
{
	uint32_t number;

	change_go_to(c, piece);
	number = (uint32_t)(piece - c->block);
	change_remove(c, number);
	if (text.ptr)
		change_add(c, number, conversation, text);
}

/* --- what is to be done --- */

static int64_t backlog_end(struct database *db)
{
	return database_integer(db, "SELECT backlog FROM form", NO_VALUES, 0);
}

#define STALE "SELECT stale.piece, CASE WHEN " SEARCHED " THEN content END, node.conversation FROM stale " \
	"LEFT JOIN piece ON piece.id = stale.piece LEFT JOIN part ON part.id = piece.part LEFT JOIN node ON node.id = part.node " \
	"WHERE stale.piece >= ?1 AND "

static bool index_stale(struct database *db, struct change *c, enum index_what what)
{
	struct values since = VALUES(INTEGER(backlog_end(db)), INTEGER(history_now_ms() / 1000 - GROWS_AT_MOST_S));
	struct rows *r = database_rows(db, what == INDEX_GONE ? STALE "node.id IS NULL AND ?2 ORDER BY stale.piece" :
	                               STALE "(node.id IS NULL OR part.open = 0 OR node.started < ?2) ORDER BY stale.piece", since);
	struct ids done = { .count = 0 };
	int64_t bytes = 0;
	bool more = true;

	while (bytes < BATCH_BYTES && done.count < BATCH_PIECES && (more = rows_next(r))) {
		ids_add(&done, row_integer(r, 0));
		bytes += (int64_t)row_text(r, 1).len;
		change_take(c, row_integer(r, 0), row_integer(r, 2), row_text(r, 1));
	}
	rows_end(r);
	for (size_t i = 0; i < done.count; i++)
		database_do(db, "DELETE FROM stale WHERE piece = ?", VALUES(INTEGER(done.at[i])));
	mem_free(done.at);
	return more;
}

/* The first piece of the next texts below `end`; `end` if there are none. */
static int64_t backlog_begin(struct database *db, int64_t end)
{
	struct rows *r = database_rows(db, "SELECT piece.id, min(part.bytes, ?) FROM piece CROSS JOIN part ON part.id = piece.part "
	                               "WHERE piece.id < ? AND " SEARCHED " ORDER BY piece.id DESC",
	                               VALUES(INTEGER(PIECE_BYTES), INTEGER(end)));
	int64_t bytes = 0, begin = end;

	for (size_t count = 0; bytes < BATCH_BYTES && count < BATCH_PIECES && rows_next(r); count++) {
		int64_t piece = row_integer(r, 0);

		if (end - piece >= BLOCK_SPAN_MOST && begin < end)
			break;
		begin = piece;
		bytes += row_integer(r, 1);
	}
	rows_end(r);
	return begin;
}

/* The texts from `begin` on become a block of their own. */
static bool index_backlog(struct database *db, struct change *c)
{
	int64_t end = backlog_end(db), begin = end > 0 ? backlog_begin(db, end) : end;
	struct rows *r;

	if (end <= 0)
		return false;
	r = begin == end ? NULL : database_rows(db, "SELECT piece.id, content, node.conversation FROM piece CROSS JOIN part ON part.id = piece.part "
	                  "CROSS JOIN node ON node.id = part.node WHERE piece.id >= ? AND piece.id < ? AND " SEARCHED " "
	                  "ORDER BY piece.id", VALUES(INTEGER(begin), INTEGER(end)));
	while (rows_next(r))
		change_take(c, row_integer(r, 0), row_integer(r, 2), row_text(r, 1));
	rows_end(r);
	database_do(db, "DELETE FROM stale WHERE piece >= ? AND piece < ?", VALUES(INTEGER(begin < end ? begin : INT64_MIN), INTEGER(end)));
	database_do(db, "UPDATE form SET backlog = ?", VALUES(INTEGER(begin < end ? begin : 0)));
	return true;
}

/* What is left of an index that was begun anew. */
static bool index_drop_old(struct database *db)
{
	int64_t last = database_integer(db, "SELECT max(id) FROM (SELECT id FROM block WHERE id < (SELECT backlog FROM form) ORDER BY id LIMIT ?)",
	                                VALUES(INTEGER(BLOCKS_DROPPED)), -1);

	if (last < 0)
		return false;
	database_do(db, "DELETE FROM block WHERE id <= ?", VALUES(INTEGER(last)));
	return true;
}

bool index_some(struct database *db, enum index_what what)
{
	struct change c = { .db = db, .next_block = 0 };
	bool more;

	c.writer = (struct leaf_writer){ .visit = change_put_leaf, .ctx = &c };
	more = index_stale(db, &c, what);
	if (!more && what == INDEX_ALL)
		more = index_drop_old(db) || index_backlog(db, &c);
	change_fini(&c);
	return more && database_status(db) == DATABASE_OK;
}

void index_begin_anew(struct database *db)
{
	database_do(db, "DELETE FROM stale", NO_VALUES);
	database_do(db, "UPDATE form SET backlog = (SELECT ifnull(max(id), 0) + 1 FROM piece)", NO_VALUES);
}
