/* The words around what was looked for. */
#include "store/history/query_inside.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "store/history/history.h"

#define SNIPPET_WEIGHT 72u   /* 24 words */
#define WORD_WEIGHT 3u
#define SIGN_WEIGHT 1u
#define SNIPPET_BYTES ((size_t)1000)
#define LEAD_BYTES ((size_t)40) /* of what stands before the first word */
#define HITS_MOST 1000u      /* that are looked at */

struct place { size_t from, to; unsigned weight; };               /* of a word, in bytes */
struct hit { size_t first, last; uint32_t term; };                /* words; a bit */
struct window { size_t first, last; };                            /* words */

struct snippet {
	struct str text;
	struct place *places;
	size_t place_count, place_capacity;
	struct hit *hits;       /* in the order of their first words */
	size_t hit_count, hit_capacity;
};

/* --- where the terms are --- */

/* False: a term is missing. */
static bool snippet_read(struct snippet *s, const struct query *q)
{
	struct words words = words_of(s->text);
	struct word word, last;
	uint32_t missing = 0;

	for (size_t i = 0; i < q->term_count; i++)
		missing |= q->terms[i].count ? (uint32_t)1 << i : 0;
	while (words_next(&words, &word)) {
		for (unsigned i = 0; i < q->term_count && (missing || s->hit_count < HITS_MOST); i++)
			if (query_term_is_at(q, &q->terms[i], &word, words, &last)) {
				*ARRAY_ADD(s->hits, s->hit_count, s->hit_capacity) =
					(struct hit){ s->place_count, s->place_count + q->terms[i].count - 1, (uint32_t)1 << i };
				missing &= ~((uint32_t)1 << i);
			}
		*ARRAY_ADD(s->places, s->place_count, s->place_capacity) =
			(struct place){ word.from, word.to, word.is_sign ? SIGN_WEIGHT : WORD_WEIGHT };
	}
	return !missing && s->hit_count;
}

static void snippet_fini(struct snippet *s)
{
	mem_free(s->places);
	mem_free(s->hits);
}

/* --- which words are shown --- */

static unsigned count_bits(uint32_t bits)
{
	unsigned count = 0;

	for (; bits; bits &= bits - 1)
		count++;
	return count;
}

static bool takes(unsigned *left, unsigned weight)
{
	bool fits = *left >= weight;

	*left -= fits ? weight : 0;
	return fits;
}

/* From the first word of a hit as far as there is room, and how many terms are there. */
static unsigned window_at(const struct snippet *s, size_t hit, struct window *window)
{
	unsigned left = SNIPPET_WEIGHT;
	uint32_t terms = s->hits[hit].term;
	size_t reach = s->hits[hit].first;

	while (reach < s->place_count && takes(&left, s->places[reach].weight))
		reach++;
	*window = (struct window){ s->hits[hit].first, s->hits[hit].last };
	for (size_t i = hit; i < s->hit_count && s->hits[i].first < reach; i++)
		if (s->hits[i].last < reach) {
			terms |= s->hits[i].term;
			window->last = s->hits[i].last > window->last ? s->hits[i].last : window->last;
		}
	return count_bits(terms);
}

/* What room is left is divided between the words before and behind. */
static struct window widen(const struct snippet *s, struct window w)
{
	unsigned left = SNIPPET_WEIGHT, before;

	for (size_t i = w.first; i <= w.last && takes(&left, s->places[i].weight); i++)
		;
	before = left / 2;
	left -= before;
	while (w.first && takes(&before, s->places[w.first - 1].weight))
		w.first--;
	left += before;
	while (w.last + 1 < s->place_count && takes(&left, s->places[w.last + 1].weight))
		w.last++;
	while (w.first && takes(&left, s->places[w.first - 1].weight))
		w.first--;
	return w;
}

static struct window choose_window(const struct snippet *s)
{
	struct window best = { 0 };
	unsigned most = 0;

	for (size_t i = 0; i < s->hit_count; i++) {
		struct window window;
		unsigned terms = window_at(s, i, &window);

		if (terms > most) {
			most = terms;
			best = window;
		}
	}
	return widen(s, best);
}

/* --- writing --- */

static size_t hit_end(const struct snippet *s, size_t *hit, size_t word)
{
	size_t end = SIZE_MAX;

	while (*hit < s->hit_count && s->hits[*hit].first < word)
		++*hit;
	for (; *hit < s->hit_count && s->hits[*hit].first == word; ++*hit)
		end = end == SIZE_MAX || s->hits[*hit].last > end ? s->hits[*hit].last : end;
	return end;
}

static size_t window_begin(const struct snippet *s, size_t first)
{
	size_t at = s->places[first].from, lead = first ? 0 : at < LEAD_BYTES ? at : LEAD_BYTES;

	while (lead && utf8_is_inside(s->text.ptr[at - lead]))
		lead--;
	return at - lead;
}

static void write_window(const struct snippet *s, struct window w, struct buf *out)
{
	size_t at = window_begin(s, w.first), hit = 0;

	if (at)
		buf_add_z(out, "...");
	for (size_t i = w.first; i <= w.last; i++) {
		size_t end = hit_end(s, &hit, i);

		if (end > w.last)
			continue;
		buf_add(out, str_of(s->text.ptr + at, s->places[i].from - at));
		buf_add_z(out, HISTORY_HIT_BEGIN);
		buf_add(out, str_of(s->text.ptr + s->places[i].from, s->places[end].to - s->places[i].from));
		buf_add_z(out, HISTORY_HIT_END);
		at = s->places[end].to;
		i = end;
	}
	if (w.last + 1 == s->place_count) {
		buf_add(out, str_skip(s->text, at));
	} else {
		buf_add(out, str_of(s->text.ptr + at, s->places[w.last].to - at));
		buf_add_z(out, "...");
	}
}

char *query_snippet(const struct query *q, struct str text)
{
	struct snippet s = { .text = text };
	struct buf out = { 0 };
	char *snippet = NULL;

	if (snippet_read(&s, q)) {
		write_window(&s, choose_window(&s), &out);
		snippet = str_dup(utf8_head(buf_str(&out), SNIPPET_BYTES));
	}
	buf_fini(&out);
	snippet_fini(&s);
	return snippet;
}

bool query_place(const struct query *q, struct str text, size_t *from, size_t *to)
{
	struct snippet s = { .text = text };
	bool found = snippet_read(&s, q);
	size_t first = found ? choose_window(&s).first : 0, hit = 0;

	while (found && hit + 1 < s.hit_count && s.hits[hit].first < first)
		hit++;
	if (found) {
		*from = s.places[s.hits[hit].first].from;
		*to = s.places[s.hits[hit].last].to;
	}
	snippet_fini(&s);
	return found;
}
