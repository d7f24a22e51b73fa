/* Looking words up in the index. */
#include "store/history/index_inside.h"

#include <string.h>

#include "base/least.h"
#include "store/history/index_leaf.h"

bool index_next_block(struct database *db, int64_t *block, size_t *span)
{
	struct rows *r = database_rows(db, "SELECT id, span FROM block WHERE id < ? AND id >= (SELECT backlog FROM form) "
	                               "ORDER BY id DESC LIMIT 1", VALUES(INTEGER(*block)));
	bool found = rows_next(r);

	if (found) {
		int64_t length = row_integer(r, 1);

		*block = row_integer(r, 0);
		*span = length > 0 && length <= BLOCK_SPAN_MOST ? (size_t)length : 0;
	}
	rows_end(r);
	return found;
}

/* --- words --- */

static int compare(struct str a, struct str b)
{
	int order = memcmp(a.ptr ? a.ptr : "", b.ptr ? b.ptr : "", least_size(a.len, b.len));

	return order ? order : a.len < b.len ? -1 : a.len > b.len;
}

/* False: words behind this leaf do not fit. */
static bool find_in_leaf(struct database *db, struct str bytes, const struct index_key *key, struct number_set *set)
{
	struct leaf_reader leaf = { .rest = bytes };

	while (leaf_next(&leaf)) {
		struct str word = leaf_word(&leaf);

		if (key->is_beginning ? word.len >= key->word.len && !memcmp(word.ptr, key->word.ptr, key->word.len) : str_equal(word, key->word))
			for (uint32_t number = UINT32_MAX; numbers_next(&leaf.numbers, &number);)
				number_set_add(set, number);
		else if (compare(word, key->word) > 0)
			return false;
	}
	if (leaf.is_damaged)
		database_fail(db, DATABASE_DAMAGED, INDEX_DAMAGED);
	return key->is_beginning;
}

/* The first leaf may have words before the key, and a beginning may go on in the leaves behind it. */
static void find_key(struct database *db, int64_t block, const struct index_key *key, struct number_set *set)
{
	struct rows *r = database_rows(db, "SELECT words FROM leaf WHERE block = ? AND first <= ? ORDER BY first DESC LIMIT 1",
	                               VALUES(INTEGER(block), TEXT(key->word)));
	bool has_more = rows_next(r) ? find_in_leaf(db, row_text(r, 0), key, set) : key->is_beginning;

	rows_end(r);
	if (!has_more)
		return;
	r = database_rows(db, "SELECT words FROM leaf WHERE block = ? AND first > ? ORDER BY first", VALUES(INTEGER(block), TEXT(key->word)));
	while (has_more && rows_next(r))
		has_more = find_in_leaf(db, row_text(r, 0), key, set);
	rows_end(r);
}

/* Keeps what both have. False: nothing. */
static bool set_keep(struct number_set *set, const struct number_set *other)
{
	uint64_t any = 0;

	for (size_t i = 0; i * 64 < set->span; i++)
		any |= set->bits[i] &= other->bits[i];
	return any != 0;
}

void index_find(struct database *db, int64_t block, size_t span, const struct index_key *keys, size_t count, struct number_set *found)
{
	struct number_set one = { .span = 0 };
	bool any = true;

	number_set_clear(found, span);
	for (size_t i = 0; i < count && any; i++) {
		number_set_clear(&one, span);
		find_key(db, block, &keys[i], i ? &one : found);
		if (i)
			any = set_keep(found, &one);
	}
	if (!any)
		number_set_clear(found, 0);
	number_set_fini(&one);
}

/* --- texts --- */

void index_walk(struct database *db, int64_t block, const struct number_set *found, index_visit *visit, void *ctx)
{
	struct block_texts texts = { .count = 0 };
	uint64_t any = 0;

	for (size_t i = 0; i * 64 < found->span; i++)
		any |= found->bits[i];
	if (!any)
		return;
	struct rows *r = database_rows(db, "SELECT texts FROM block WHERE id = ?", VALUES(INTEGER(block)));
	if (rows_next(r))
		block_texts_read(db, row_text(r, 0), &texts);
	rows_end(r);
	for (size_t i = texts.count; i-- > 0;)
		if (number_set_has(found, texts.at[i].number))
			visit(ctx, block + texts.at[i].number, texts.at[i].conversation);
	block_texts_fini(&texts);
}
