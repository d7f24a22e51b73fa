#include "ui/hits.h"

#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "ui/page.h"

#define NEEDLE_LIMIT ((size_t)64 << 10)

void hits_init(struct hits *h)
{
	*h = (struct hits){ 0 };
	buf_init(&h->needle, NEEDLE_LIMIT);
	buf_init(&h->scratch, BUF_LIMIT_DEFAULT);
}

void hits_fini(struct hits *h)
{
	buf_fini(&h->needle);
	buf_fini(&h->scratch);
	mem_free(h->list);
	mem_free(h->revisions);
	mem_free(h->marked);
}

void hits_forget(struct hits *h)
{
	hits_search(h, STR_NONE);
}

/* All is searched again. */
static void begin_anew(struct hits *h)
{
	h->turns = 0;
	h->tail = (struct hits_tail){ 0 };
}

void hits_skip_reasoning(struct hits *h, bool skip)
{
	if (h->without_reasoning != skip)
		begin_anew(h);
	h->without_reasoning = skip;
}

void hits_search(struct hits *h, struct str needle)
{
	h->count = 0;
	begin_anew(h);
	h->any_case = true;
	buf_clear(&h->needle);
	buf_add(&h->needle, needle);
	for (size_t i = 0; i < h->needle.len; i++)
		h->any_case &= !(needle.ptr[i] >= 'A' && needle.ptr[i] <= 'Z');
}

/* --- finding ------------------------------------------------------------------------------------------------------ */

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c;
}

static bool is_there(const char *text, struct str needle)
{
	for (size_t i = 0; i < needle.len; i++)
		if (lower(text[i]) != needle.ptr[i])
			return false;
	return true;
}

/* Where the needle is next, from `from` on; text.len when it is not. */
static size_t find_next(const struct hits *h, struct str text, size_t from)
{
	struct str needle = buf_str(&h->needle);
	if (!h->any_case)
		return from + str_find(str_skip(text, from), needle);
	for (size_t i = from; i + needle.len <= text.len; i++)
		if (lower(text.ptr[i]) == *needle.ptr && is_there(text.ptr + i, needle))
			return i;
	return text.len;
}

/* What is shown of the text that begins with part `first` and ends with `*last`. */
static struct str text_of(struct hits *h, const struct turn *t, size_t first, size_t *last)
{
	const struct part *part = &t->parts[first];
	*last = first;
	switch (part->kind) {
	case PART_TEXT:
		*last = page_last_of_text(t, first);
		break;
	case PART_TOOL_CALL:
		buf_clear(&h->scratch);
		json_scan_pretty(buf_str(&part->text), &h->scratch);
		return buf_str(&h->scratch);
	case PART_REASONING:
		if (h->without_reasoning)
			return STR_NONE;
		break;
	case PART_REFUSAL:
	case PART_TOOL_RESULT:
		break;
	case PART_ATTACHMENT:
	case PART_OPAQUE:
		return STR_NONE;
	}
	if (*last == first)
		return buf_str(&part->text);
	buf_clear(&h->scratch);
	for (size_t i = first; i <= *last; i++)
		buf_add(&h->scratch, buf_str(&t->parts[i].text));
	return buf_str(&h->scratch);
}

static void search_text(struct hits *h, struct hit at, struct str text)
{
	for (at.offset = find_next(h, text, at.offset); at.offset < text.len && h->count < HITS_MAX;
	     at.offset = find_next(h, text, at.offset + h->needle.len)) {
		mem_reserve(&h->list, &h->capacity, h->count + 1, sizeof *h->list);
		h->list[h->count++] = at;
	}
}

/* A number that changes when anything before a part does. */
static size_t state_before(const struct turn *t, size_t part)
{
	size_t state = t->restarted_at;
	for (size_t i = 0; i < part; i++)
		state = state * 1000003 + 2 * t->parts[i].text.len + t->parts[i].open;
	return state;
}

/* From a byte of the text that begins with a part on. */
static void search_turn(struct hits *h, const struct turn *t, struct hit from)
{
	h->tail = (struct hits_tail){ 0 };
	for (size_t last; from.part < t->part_count; from = (struct hit){ from.turn, last + 1, 0 }) {
		struct str text = text_of(h, t, from.part, &last);
		search_text(h, from, text);
		if (text.ptr == t->parts[from.part].text.ptr && text.len)
			h->tail = (struct hits_tail){ t, from.part, text.len, state_before(t, from.part) };
	}
}

/* Whether a turn that changed is as it was, but for what came behind the tail. */
static bool only_grew(const struct hits *h, const struct turn *t)
{
	size_t part = h->tail.part;
	if (h->tail.turn != t || part >= t->part_count || t->parts[part].text.len < h->tail.length || state_before(t, part) != h->tail.state_before)
		return false;
	return t->parts[part].kind != PART_TEXT || page_last_of_text(t, part) == part;
}

/* Where searching goes on in the first turn that changed; hits behind it are gone. */
static struct hit go_on(struct hits *h, const struct turn *t, size_t turn)
{
	struct hit from = { turn, 0, 0 };
	size_t reach = h->needle.len - 1;
	if (only_grew(h, t))
		from = (struct hit){ turn, h->tail.part, h->tail.length > reach ? h->tail.length - reach : 0 };
	while (h->count && (h->list[h->count - 1].turn > turn || (h->list[h->count - 1].turn == turn && h->list[h->count - 1].part > from.part)))
		h->count--;
	if (!from.offset)
		while (h->count && h->list[h->count - 1].turn == turn && h->list[h->count - 1].part == from.part)
			h->count--;
	const struct hit *last = h->count ? &h->list[h->count - 1] : NULL;
	if (last && last->turn == turn && last->part == from.part && from.offset < last->offset + h->needle.len)
		from.offset = last->offset + h->needle.len;
	return from;
}

void hits_update(struct hits *h, const struct conversation *c)
{
	if (!h->needle.len)
		return;
	size_t same = 0;
	while (same < h->turns && same < c->count && h->revisions[same] == c->turns[same]->revision)
		same++;
	mem_reserve(&h->revisions, &h->turn_capacity, c->count, sizeof *h->revisions);
	for (size_t i = same; i < c->count; i++) {
		search_turn(h, c->turns[i], i == same ? go_on(h, c->turns[i], i) : (struct hit){ i, 0, 0 });
		h->revisions[i] = c->turns[i]->revision;
	}
	h->turns = c->count;
}

/* --- marking ------------------------------------------------------------------------------------------------------ */

static void add_span(struct hits *h, size_t *count, const struct span *like, struct str text, bool hit)
{
	if (!text.len)
		return;
	mem_reserve(&h->marked, &h->marked_capacity, *count + 1, sizeof *h->marked);
	h->marked[*count] = *like;
	h->marked[*count].text = text;
	if (hit)
		h->marked[*count].role = ROLE_HIT;
	++*count;
}

/* Cuts the span that begins at byte `start` of the row, on clusters; `*hit` is the hit that ends behind it, or begins there. */
static void mark_span(struct hits *h, const struct span *span, size_t start, struct str row, size_t *hit, size_t *count)
{
	size_t run = 0;
	bool marking = false;
	for (size_t at = 0; at < span->text.len;) {
		size_t cluster = utf8_cluster(str_skip(span->text, at));
		while (*hit < row.len && *hit + h->needle.len <= start + at)
			*hit = find_next(h, row, *hit + h->needle.len);
		bool inside = *hit < row.len && *hit < start + at + cluster;
		if (inside != marking) {
			add_span(h, count, span, str_of(span->text.ptr + run, at - run), marking);
			run = at;
			marking = inside;
		}
		at += cluster;
	}
	add_span(h, count, span, str_skip(span->text, run), marking);
}

const struct span *hits_mark(struct hits *h, struct str before, const struct span *spans, size_t *count, struct str after)
{
	size_t marked = 0, margin = 0, reach = h->needle.len - 1;
	while (before.len && margin < *count && str_is_blank(spans[margin].text)) /* no part of what goes on here */
		margin++;
	buf_clear(&h->scratch);
	before = str_skip(before, before.len > reach ? before.len - reach : 0);
	buf_add(&h->scratch, before);
	for (size_t i = margin; i < *count; i++)
		buf_add(&h->scratch, spans[i].text);
	buf_add(&h->scratch, str_head(after, reach));
	struct str row = buf_str(&h->scratch);
	size_t start = before.len, hit = find_next(h, row, 0);
	if (hit >= row.len)
		return spans;
	for (size_t i = 0; i < margin; i++)
		add_span(h, &marked, &spans[i], spans[i].text, false);
	for (size_t i = margin; i < *count; start += spans[i++].text.len)
		mark_span(h, &spans[i], start, row, &hit, &marked);
	*count = marked;
	return h->marked;
}
