#include "ui/page/hits.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/conversation.h"
#include "ui/page/page.h"

#define NEEDLE_LIMIT ((size_t)64 << 10)

void hits_init(struct hits *h)
{
	*h = (struct hits){ 0 };
	buf_init(&h->needle, NEEDLE_LIMIT);
}

void hits_fini(struct hits *h)
{
	buf_fini(&h->needle);
	buf_fini(&h->scratch);
	for (size_t i = 0; i < h->text_count; i++)
		buf_fini(&h->texts[i].tail);
	mem_free(h->texts);
	mem_free(h->list);
	mem_free(h->searched);
	mem_free(h->marked);
}

void hits_forget(struct hits *h)
{
	hits_search(h, STR_NONE);
}

void hits_skip_reasoning(struct hits *h, bool skip)
{
	if (h->without_reasoning != skip)
		h->turns = 0; /* search everything again */
	h->without_reasoning = skip;
}

void hits_read_source(struct hits *h, bool as_sent)
{
	if (h->as_sent != as_sent)
		h->turns = 0;
	h->as_sent = as_sent;
}

void hits_search(struct hits *h, struct str needle)
{
	h->count = h->current = 0;
	h->turns = 0;
	h->any_case = true;
	buf_clear(&h->needle);
	buf_add(&h->needle, needle);
	for (size_t i = 0; i < h->needle.len; i++)
		h->any_case &= !(h->needle.ptr[i] >= 'A' && h->needle.ptr[i] <= 'Z');
}

/* --- finding --- */

static bool hits_match_at(const char *text, struct str needle)
{
	for (size_t i = 0; i < needle.len; i++)
		if (char_lower(text[i]) != needle.ptr[i])
			return false;
	return true;
}

#define BLOCK sizeof(uint64_t)
#define EVERY_BYTE(byte) (UINT64_MAX / 255 * (byte))

/* The highest bit of each of the next eight bytes that is `first`, in either case if that is a letter. The first byte is the lowest. */
static uint64_t hits_begin_at(const char *bytes, char first)
{
	uint64_t block = 0;

	for (size_t i = 0; i < BLOCK; i++) /* compilers make one load of it */
		block |= (uint64_t)(unsigned char)bytes[i] << 8 * i;
	if (first >= 'a' && first <= 'z')
		block |= EVERY_BYTE(0x20);
	block ^= EVERY_BYTE((unsigned char)first); /* a byte that is `first` becomes 0 */
	return ~(((block & EVERY_BYTE(0x7F)) + EVERY_BYTE(0x7F)) | block) & EVERY_BYTE(0x80);
}

/* The offset of the next match at or after `from`; text.len if there is none. Looks at eight bytes at a time. */
static size_t hits_find_next(const struct hits *h, struct str text, size_t from)
{
	struct str needle = buf_str(&h->needle);
	size_t i = from;

	if (!h->any_case)
		return from + str_find(str_skip(text, from), needle);
	for (; i + needle.len + BLOCK <= text.len; i += BLOCK)
		for (uint64_t at = hits_begin_at(text.ptr + i, *needle.ptr); at; at &= at - 1) {
			size_t offset = i + (size_t)__builtin_ctzll(at) / 8;

			if (hits_match_at(text.ptr + offset, needle))
				return offset;
		}
	for (; i + needle.len <= text.len; i++)
		if (hits_match_at(text.ptr + i, needle))
			return i;
	return text.len;
}

static bool hits_is_searched(const struct hits *h, enum part_kind kind)
{
	switch (kind) {
	case PART_TEXT:
	case PART_REFUSAL:
	case PART_TOOL_CALL:
	case PART_TOOL_RESULT:
	case PART_SERVER_TOOL:
	case PART_SERVER_RESULT:
	case PART_MEDIA:
		return true;
	case PART_REASONING:
		return !h->without_reasoning;
	case PART_ATTACHMENT:
	case PART_OPAQUE:
		return false;
	}
	return false;
}

/* The index after the last hit of a text. `turn` must be the last turn with hits. */
static size_t hits_end_of_text(const struct hits *h, size_t turn, size_t part)
{
	size_t at = h->count;

	while (at && h->list[at - 1].turn == turn && h->list[at - 1].part > part)
		at--;
	return at;
}

static void hits_add(struct hits *h, struct hit hit)
{
	size_t at = hits_end_of_text(h, hit.turn, hit.part);

	if (h->count == HITS_MAX)
		return;
	mem_reserve(&h->list, &h->capacity, h->count + 1, sizeof *h->list);
	memmove(h->list + at + 1, h->list + at, (h->count - at) * sizeof *h->list);
	h->list[at] = hit;
	h->current += h->count && at <= h->current;
	h->count++;
}

static void hits_drop_text(struct hits *h, size_t turn, size_t part)
{
	size_t end = hits_end_of_text(h, turn, part), start = end;

	while (start && h->list[start - 1].turn == turn && h->list[start - 1].part == part)
		start--;
	if (start == end)
		return;
	memmove(h->list + start, h->list + end, (h->count - end) * sizeof *h->list);
	h->count -= end - start;
	h->current -= h->current >= end ? end - start : h->current >= start ? h->current - start : 0;
}

/* Where a text stands: index of its turn and its first part. */
struct hits_at { size_t turn, part; };

/* Adds the hits that begin in the first `most` bytes of `bytes`, which stand at `base` in a text. */
static void hits_search_bytes(struct hits *h, struct hits_text *text, struct str bytes, size_t base, size_t most, struct hits_at of)
{
	size_t at = hits_find_next(h, bytes, text->behind > base ? text->behind - base : 0);

	for (; at < most; at = hits_find_next(h, bytes, at + h->needle.len)) {
		hits_add(h, (struct hit){ of.turn, of.part, base + at });
		text->behind = base + at + h->needle.len;
	}
}

/* Searches the bytes that are shown behind those before. A hit may begin in the last ones of these, the tail. */
static void hits_search_shown(struct hits *h, struct hits_text *text, struct str more, struct hits_at of)
{
	size_t reach = h->needle.len - 1, tail = text->tail.len;

	buf_add(&text->tail, str_head(more, reach));
	if (tail)
		hits_search_bytes(h, text, buf_str(&text->tail), text->shown - tail, tail, of);
	hits_search_bytes(h, text, more, text->shown, more.len, of);
	text->shown += more.len;
	if (more.len >= reach) {
		buf_clear(&text->tail);
		buf_add(&text->tail, str_skip(more, more.len - reach));
	} else if (text->tail.len > reach) {
		buf_drop(&text->tail, text->tail.len - reach);
	}
}

#define CHUNK ((size_t)64 << 10) /* bytes of a call that are searched at a time */

/* Searches the bytes added to a text. */
static void hits_search_more(struct hits *h, struct hits_text *text, struct str more, bool is_call, struct hits_at of)
{
	if (!is_call || h->as_sent) {
		hits_search_shown(h, text, more, of);
		return;
	}
	for (; more.len; more = str_skip(more, CHUNK)) {
		buf_clear(&h->scratch);
		members_add(&text->members, str_head(more, CHUNK), &h->scratch, NULL);
		hits_search_shown(h, text, buf_str(&h->scratch), of);
	}
}

static void hits_begin_text(struct hits_text *text, size_t first)
{
	struct buf tail = text->tail;

	buf_clear(&tail);
	*text = (struct hits_text){ .last = first, .tail = tail };
}

static size_t hits_bytes_between(const struct turn *t, size_t first, size_t last)
{
	size_t bytes = 0;

	for (size_t i = first; i < last; i++)
		bytes += t->parts[i].text.len;
	return bytes;
}

/* Searches a list of found pages or files as it is shown. False if a result is none. It comes whole. */
static bool hits_search_found(struct hits *h, struct hits_text *text, const struct part *result, struct hits_at of)
{
	struct page_sources list = { 0 };
	struct buf strings = { 0 };

	if (result->kind != PART_SERVER_RESULT || result->open || h->as_sent || text->bytes)
		return false;
	buf_clear(&h->scratch);
	bool is_list = page_sources_write_found(&list, buf_str(&result->text), &strings, &h->scratch);
	if (is_list)
		hits_search_shown(h, text, buf_str(&h->scratch), of);
	page_sources_fini(&list);
	buf_fini(&strings);
	return is_list;
}

/* Resumes the search in the text that begins with part `first`. Returns the text's last part. */
static size_t hits_search_text(struct hits *h, const struct turn *t, size_t turn, size_t first)
{
	struct hits_text *text = &h->texts[first];
	enum part_kind kind = t->parts[first].kind;
	size_t last = kind == PART_TEXT ? page_last_of_text(t, first) : first;

	if (hits_bytes_between(t, first, text->last) != text->before) { /* bytes were added to an earlier part */
		hits_drop_text(h, turn, first);
		hits_begin_text(text, first);
	}
	for (; hits_is_searched(h, kind); text->last++) {
		struct str more = str_skip(buf_str(&t->parts[text->last].text), text->bytes);

		if (more.len && hits_search_found(h, text, &t->parts[text->last], (struct hits_at){ turn, first }))
			text->bytes = t->parts[text->last].text.len;
		more = str_skip(buf_str(&t->parts[text->last].text), text->bytes);
		text->bytes += more.len;
		hits_search_more(h, text, more, kind == PART_TOOL_CALL || kind == PART_SERVER_TOOL, (struct hits_at){ turn, first });
		if (text->last == last)
			break;
		text->before += text->bytes;
		text->bytes = 0;
	}
	return last;
}

static void hits_search_turn(struct hits *h, const struct turn *t, size_t turn)
{
	if (h->text_count < t->part_count) {
		mem_reserve(&h->texts, &h->text_capacity, t->part_count, sizeof *h->texts);
		for (; h->text_count < t->part_count; h->text_count++) {
			buf_init(&h->texts[h->text_count].tail, 2 * NEEDLE_LIMIT);
			hits_begin_text(&h->texts[h->text_count], h->text_count);
		}
	}
	for (size_t first = 0; first < t->part_count; first++)
		first = hits_search_text(h, t, turn, first);
}

/* Another branch may have another turn there, and a turn may have been taken back. */
static bool hits_knows(const struct hits_turn *searched, const struct turn *t)
{
	return searched->number == t->number && searched->rewinds == t->rewinds;
}

void hits_update(struct hits *h, const struct conversation *c)
{
	if (!h->needle.len)
		return;
	size_t same = 0;
	while (same < h->turns && same < c->count && hits_knows(&h->searched[same], c->turns[same]) &&
	       h->searched[same].revision == c->turns[same]->revision)
		same++;
	bool goes_on = same + 1 == h->turns && same < c->count && hits_knows(&h->searched[same], c->turns[same]) &&
	               h->restarted_at == c->turns[same]->restarted_at; /* only the newest turn grew */
	while (!goes_on && h->count && h->list[h->count - 1].turn >= same)
		h->count--;
	mem_reserve(&h->searched, &h->turn_capacity, c->count, sizeof *h->searched);
	for (size_t i = same; i < c->count; i++) {
		for (size_t text = 0; text < h->text_count && (i > same || !goes_on); text++)
			hits_begin_text(&h->texts[text], text);
		hits_search_turn(h, c->turns[i], i);
		h->searched[i] = (struct hits_turn){ c->turns[i]->number, c->turns[i]->revision, c->turns[i]->rewinds };
		h->restarted_at = c->turns[i]->restarted_at;
	}
	h->turns = c->count;
	h->current = h->current < h->count ? h->current : h->count ? h->count - 1 : 0;
}

int hits_current_in(const struct hits *h, struct hits_row row)
{
	const struct hit *hit = h->count ? &h->list[h->current] : NULL;
	int nth = 0;

	if (!hit || hit->turn != row.turn || hit->part != row.part || hit->offset >= row.end)
		return HITS_NO_CURRENT;
	if (hit->offset < row.start)
		return hit->offset + h->needle.len > row.start ? -1 : HITS_NO_CURRENT;
	for (const struct hit *before = hit; before > h->list && before[-1].turn == row.turn && before[-1].part == row.part; before--)
		if (before[-1].offset >= row.start)
			nth++;
		else
			break;
	return nth;
}

/* --- marking --- */

/* State of hits_mark() while it walks over a row. */
struct marking {
	struct str row;
	size_t hit;            /* offset of the first hit that ends after the current position */
	int nth;               /* index of that hit in the row, as counted by hits_current_in() */
	int current;           /* index of the current hit */
	size_t count;          /* spans written so far */
};

static void hits_add_span(struct hits *h, size_t *count, const struct span *like, struct str text, enum role_name role)
{
	if (!text.len)
		return;
	mem_reserve(&h->marked, &h->marked_capacity, *count + 1, sizeof *h->marked);
	h->marked[*count] = *like;
	h->marked[*count].text = text;
	h->marked[*count].role = (uint8_t)role;
	++*count;
}

/* Splits the span that begins at byte `start` of the row, at cluster boundaries. */
static void hits_mark_span(struct hits *h, const struct span *span, size_t start, struct marking *m)
{
	size_t run = 0;
	enum role_name role = (enum role_name)span->role;

	for (size_t at = 0; at < span->text.len;) {
		size_t cluster = utf8_cluster(str_skip(span->text, at));

		for (; m->hit < m->row.len && m->hit + h->needle.len <= start + at; m->nth++)
			m->hit = hits_find_next(h, m->row, m->hit + h->needle.len);
		bool inside = m->hit < m->row.len && m->hit < start + at + cluster;
		enum role_name wanted = !inside ? (enum role_name)span->role : m->nth == m->current ? ROLE_HIT_CURRENT : ROLE_HIT;
		if (wanted != role) {
			hits_add_span(h, &m->count, span, str_of(span->text.ptr + run, at - run), role);
			run = at;
			role = wanted;
		}
		at += cluster;
	}
	hits_add_span(h, &m->count, span, str_skip(span->text, run), role);
}

/* Rendered markup may hide hits of the source. If the current hit is hidden, the last visible one is marked as current. */
static void hits_number(const struct hits *h, size_t before, struct marking *m)
{
	int last = -1;

	m->nth = m->hit < before ? -1 : 0;
	for (size_t at = m->hit; at < m->row.len; at = hits_find_next(h, m->row, at + h->needle.len))
		last += at >= before;
	if (m->current > last)
		m->current = last >= 0 ? last : HITS_NO_CURRENT;
}

const struct span *hits_mark(struct hits *h, struct str before, const struct span *spans, size_t *count, struct str after, int current)
{
	size_t margin = 0, reach = h->needle.len - 1;

	while (before.len && margin < *count && str_is_blank(spans[margin].text)) /* the margin of a continued line is not part of the text */
		margin++;
	buf_clear(&h->scratch);
	before = str_skip(before, before.len > reach ? before.len - reach : 0);
	buf_add(&h->scratch, before);
	for (size_t i = margin; i < *count; i++)
		buf_add(&h->scratch, spans[i].text);
	buf_add(&h->scratch, str_head(after, reach));
	struct marking m = { .row = buf_str(&h->scratch), .current = current };
	m.hit = hits_find_next(h, m.row, 0);
	if (m.hit >= m.row.len)
		return spans;
	hits_number(h, before.len, &m);
	for (size_t i = 0; i < margin; i++)
		hits_add_span(h, &m.count, &spans[i], spans[i].text, (enum role_name)spans[i].role);
	for (size_t i = margin, start = before.len; i < *count; start += spans[i++].text.len)
		hits_mark_span(h, &spans[i], start, &m);
	*count = m.count;
	return h->marked;
}
