#include "store/history/query_inside.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/history/index_leaf.h"

#define WORDS_LIMIT ((size_t)1000) /* bytes of a query */

/* --- reading --- */

/* The next term: a phrase in quotes, which may lack its end, or what stands between blanks. */
static struct str next_term(struct str *rest, bool *is_beginning)
{
	struct str term;
	bool quoted = rest->ptr[0] == '"';
	size_t length = quoted;

	while (length < rest->len && (quoted ? rest->ptr[length] != '"' : !char_is_blank(rest->ptr[length]) && rest->ptr[length] != '"'))
		length++;
	term = str_skip(str_head(*rest, length), quoted);
	*rest = str_skip(*rest, length + quoted);
	*is_beginning = quoted ? str_starts(*rest, "*") : str_ends(term, "*");
	while (!quoted && str_ends(term, "*"))
		term.len--;
	return term;
}

static void query_add_term(struct query *q, struct str text, bool is_beginning)
{
	struct term term = { .from = q->word_count, .is_beginning = is_beginning };
	struct words words = words_of(text);
	struct word word;

	words_fold(text, &term.folded);
	while (words_next(&words, &word)) {
		*ARRAY_ADD(q->words, q->word_count, q->word_capacity) = word;
	}
	term.count = q->word_count - term.from;
	q->terms[q->term_count++] = term;
}

/* --- keys --- */

static void query_add_key(struct query *q, struct str first, struct str second, bool is_beginning)
{
	struct index_key *key = &q->keys[q->key_count++];
	size_t at = q->key_bytes.len;

	buf_add(&q->key_bytes, first);
	buf_add(&q->key_bytes, second);
	key->word = utf8_head(str_skip(buf_str(&q->key_bytes), at), INDEX_WORD_BYTES);
	q->keys_are_enough &= key->word.len == first.len + second.len;
	key->is_beginning = is_beginning;
}

/* Signs are indexed by pairs; a sign alone begins one. */
static void query_add_keys(struct query *q, const struct term *term)
{
	const struct word *words = term->count ? q->words + term->from : NULL;

	for (size_t i = 0; i < term->count; i++) {
		bool is_last = i + 1 == term->count, is_inside = i && words[i].is_joined;

		if (!words[i].is_sign)
			query_add_key(q, word_str(&words[i]), STR_NONE, term->is_beginning && is_last);
		else if (!is_last && words[i + 1].is_joined)
			query_add_key(q, word_str(&words[i]), word_str(&words[i + 1]), false);
		else if (!is_inside)
			query_add_key(q, word_str(&words[i]), STR_NONE, true);
	}
	q->keys_are_enough &= term->count <= 1 || (term->count == 2 && words[0].is_sign && words[1].is_joined);
}

/* Keys borrow from a buffer that does not grow any more. */
static void query_make_keys(struct query *q)
{
	q->keys = mem_new((q->word_count + 1) * sizeof *q->keys);
	mem_reserve(&q->key_bytes.ptr, &q->key_bytes.capacity, (2 * q->word_count + 1) * WORD_BYTES, 1);
	q->keys_are_enough = true;
	for (size_t i = 0; i < q->term_count; i++)
		query_add_keys(q, &q->terms[i]);
}

struct query *query_new(struct str words)
{
	struct query *q = mem_new(sizeof *q);
	struct str rest = str_trim(str_head(words, WORDS_LIMIT));

	while (rest.len && q->term_count < TERMS_MOST) {
		bool is_beginning;
		struct str term = next_term(&rest, &is_beginning);

		if (!str_is_blank(term))
			query_add_term(q, term, is_beginning);
		rest = str_trim_start(rest);
	}
	query_make_keys(q);
	return q;
}

void query_free(struct query *q)
{
	if (!q)
		return;
	for (size_t i = 0; i < q->term_count; i++)
		buf_fini(&q->terms[i].folded);
	mem_free(q->words);
	mem_free(q->keys);
	buf_fini(&q->key_bytes);
	mem_free(q);
}

bool query_is_empty(const struct query *q)
{
	return !q->term_count;
}

struct str query_term(const struct query *q, size_t index)
{
	return index < q->term_count ? buf_str(&q->terms[index].folded) : STR_NONE;
}

bool query_has_words(const struct query *q)
{
	return q->word_count > 0;
}

const struct index_key *query_keys(const struct query *q, size_t *count, bool *is_enough)
{
	*count = q->key_count;
	*is_enough = q->keys_are_enough;
	return q->keys;
}

/* --- matching --- */

static bool word_fits(const struct query *q, const struct term *term, size_t i, const struct word *word)
{
	const struct word *wanted = &q->words[term->from + i];
	bool is_beginning = term->is_beginning && i + 1 == term->count;

	return word->folded[0] == wanted->folded[0] && (is_beginning ? word->len >= wanted->len : word->len == wanted->len) &&
	       (!i || !wanted->is_joined || word->is_joined) && !memcmp(word->folded, wanted->folded, wanted->len);
}

bool query_term_is_at(const struct query *q, const struct term *term, const struct word *first, struct words behind, struct word *last)
{
	struct word word;

	if (!term->count || !word_fits(q, term, 0, first))
		return false;
	if (term->count == 1)
		*last = *first;
	for (size_t i = 1; i < term->count; i++) {
		if (!words_next(&behind, &word) || !word_fits(q, term, i, &word))
			return false;
		*last = word;
	}
	return true;
}

/* A term of other characters than letters and digits does not count. */
bool query_is_in(const struct query *q, struct str text)
{
	struct words words = words_of(text);
	bool found[TERMS_MOST] = { false };
	size_t missing = 0;
	struct word word, last;

	for (size_t i = 0; i < q->term_count; i++)
		missing += !(found[i] = !q->terms[i].count);
	if (!query_has_words(q))
		return false;
	while (missing && words_next(&words, &word))
		for (size_t i = 0; i < q->term_count; i++)
			if (!found[i] && query_term_is_at(q, &q->terms[i], &word, words, &last)) {
				found[i] = true;
				missing--;
			}
	return !missing;
}

bool query_is_in_folded(const struct query *q, struct str title)
{
	bool is_in = q->term_count > 0;

	for (size_t i = 0; i < q->term_count && is_in; i++)
		is_in = str_find(title, buf_str(&q->terms[i].folded)) < title.len;
	return is_in;
}

bool query_is_in_title(const struct query *q, struct str title)
{
	struct buf folded = { 0 };

	words_fold(title, &folded);
	bool is_in = query_is_in_folded(q, buf_str(&folded));
	buf_fini(&folded);
	return is_in;
}
