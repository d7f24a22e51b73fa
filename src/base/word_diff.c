#include "base/word_diff.h"

#include "base/mem.h"

#define NOWHERE (-2) /* a diagonal that no path has reached */

struct word { struct str whole; size_t bare; }; /* with the blanks behind it; its length without them */

struct words {
	struct word *of;
	bool *changed;
	long count;
};

/* Two ranges of words that are compared, and the furthest places of paths from both ends, by diagonals. */
struct comparison { struct words a, b; long *forth, *back; long middle; };
struct box { long a, a_end, b, b_end; };

static bool is_blank_byte(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static void words_split(struct words *w, struct str text)
{
	size_t capacity = 0, at = 0;

	while (at < text.len && w->count < WORD_DIFF_WORDS_MOST) {
		size_t start = at;

		while (at < text.len && !is_blank_byte(text.ptr[at]))
			at++;
		size_t end = at;
		while (at < text.len && is_blank_byte(text.ptr[at]))
			at++;
		mem_reserve(&w->of, &capacity, (size_t)w->count + 1, sizeof *w->of);
		w->of[w->count++] = (struct word){ { text.ptr + start, at - start }, end - start };
	}
	w->changed = mem_new((size_t)w->count + 1);
}

static void words_fini(struct words *w)
{
	mem_free(w->of);
	mem_free(w->changed);
}

static bool same_word(const struct comparison *c, long a, long b)
{
	const struct word *first = &c->a.of[a], *second = &c->b.of[b];

	return str_equal(str_head(first->whole, first->bare), str_head(second->whole, second->bare));
}

static void box_trim(const struct comparison *c, struct box *box)
{
	while (box->a < box->a_end && box->b < box->b_end && same_word(c, box->a, box->b)) {
		box->a++;
		box->b++;
	}
	while (box->a < box->a_end && box->b < box->b_end && same_word(c, box->a_end - 1, box->b_end - 1)) {
		box->a_end--;
		box->b_end--;
	}
}

/*
 * One step of the paths on a diagonal: from the neighbour that is further, then along equal words. `back`: from the ends. Returns the
 * place on `a`, counted from where the paths began; NOWHERE: there is none.
 */
static long path_step(const struct comparison *c, const struct box *box, long *reached, long diagonal, bool back)
{
	long width = box->a_end - box->a, height = box->b_end - box->b;
	long down = reached[c->middle + diagonal + 1], right = reached[c->middle + diagonal - 1];
	long x = right >= 0 && right + 1 > down ? right + 1 : down, y = x - diagonal;

	if (x < 0 || y < 0 || x > width || y > height)
		return NOWHERE;
	while (x < width && y < height &&
	       (back ? same_word(c, box->a_end - 1 - x, box->b_end - 1 - y) : same_word(c, box->a + x, box->b + y))) {
		x++;
		y++;
	}
	return x;
}

/* Where the shortest path is halfway, counted from the start of the box. False: it is too long. */
static bool box_halve(struct comparison *c, const struct box *box, long *at_a, long *at_b)
{
	long width = box->a_end - box->a, height = box->b_end - box->b, delta = width - height;

	for (long i = -height - 1; i <= width + 1; i++)
		c->forth[c->middle + i] = c->back[c->middle + i] = NOWHERE;
	c->forth[c->middle + 1] = c->back[c->middle + 1] = 0; /* the first step is down to the start */
	for (long edits = 0; edits <= WORD_DIFF_EDITS_MOST / 2; edits++)
		for (int back = 0; back < 2; back++) {
			long *own = back ? c->back : c->forth;
			const long *other = back ? c->forth : c->back;

			for (long k = -edits; k <= edits; k += 2) {
				long mirror = delta - k, reach = back ? edits : edits - 1;

				if (k < -height || k > width)
					continue;
				long x = own[c->middle + k] = path_step(c, box, own, k, back);
				if (x < 0 || (delta % 2 != 0) == (back == 1)) /* paths meet in the pass of this parity */
					continue;
				if (mirror < -reach || mirror > reach || other[c->middle + mirror] < 0 || x + other[c->middle + mirror] < width)
					continue;
				*at_a = back ? width - x : x;
				*at_b = back ? height - (x - k) : x - k;
				return true;
			}
		}
	return false;
}

static void box_compare(struct comparison *c, struct box box)
{
	long a = 0, b = 0;

	box_trim(c, &box);
	bool is_whole = box.a == box.a_end || box.b == box.b_end || !box_halve(c, &box, &a, &b);
	if (is_whole || (!a && !b) || (a == box.a_end - box.a && b == box.b_end - box.b)) {
		for (long i = box.a; i < box.a_end; i++)
			c->a.changed[i] = true;
		for (long i = box.b; i < box.b_end; i++)
			c->b.changed[i] = true;
		return;
	}
	box_compare(c, (struct box){ box.a, box.a + a, box.b, box.b + b });
	box_compare(c, (struct box){ box.a + a, box.a_end, box.b + b, box.b_end });
}

/* --- the runs --- */

static void add_word(struct word_diff *d, enum word_kind kind, struct str word)
{
	struct word_run *last = d->count ? &d->runs[d->count - 1] : NULL;

	if (last && last->kind == kind && last->text.ptr + last->text.len == word.ptr) {
		last->text.len += word.len;
		return;
	}
	*ARRAY_ADD(d->runs, d->count, d->capacity) = (struct word_run){ kind, word };
}

static void add_runs(struct word_diff *d, const struct comparison *c)
{
	long a = 0, b = 0;

	while (a < c->a.count || b < c->b.count) {
		while (a < c->a.count && c->a.changed[a])
			add_word(d, WORDS_REMOVED, c->a.of[a++].whole);
		while (b < c->b.count && c->b.changed[b])
			add_word(d, WORDS_ADDED, c->b.of[b++].whole);
		for (; a < c->a.count && b < c->b.count && !c->a.changed[a] && !c->b.changed[b]; a++)
			add_word(d, WORDS_SAME, c->b.of[b++].whole);
	}
}

void word_diff_make(struct word_diff *d, struct str before, struct str after)
{
	struct comparison c = { 0 };

	d->count = 0;
	words_split(&c.a, before);
	words_split(&c.b, after);
	c.middle = c.b.count + 2;
	c.forth = mem_new((size_t)(c.a.count + c.b.count + 5) * sizeof *c.forth);
	c.back = mem_new((size_t)(c.a.count + c.b.count + 5) * sizeof *c.back);
	box_compare(&c, (struct box){ 0, c.a.count, 0, c.b.count });
	add_runs(d, &c);
	mem_free(c.forth);
	mem_free(c.back);
	words_fini(&c.a);
	words_fini(&c.b);
}

void word_diff_fini(struct word_diff *d)
{
	mem_free(d->runs);
	*d = (struct word_diff){ 0 };
}
