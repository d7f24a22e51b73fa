#include "ui/page/page_sources.h"

#include <stdlib.h>
#include <string.h>

#include "base/json_scan.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/citations.h"
#include "chat/conversation/part_words.h"
#include "chat/conversation/turn.h"

#define BETWEEN "   "
#define NO_BREAK "\u00a0"            /* no row ends between an address and its title; drawn as a blank */
#define SHOWN_BYTES ((size_t)90) /* of a host or a title */
#define WORD_MOST ((size_t)2048) /* bytes before and behind a place that are looked at for an address */
#define LINE_MOST ((size_t)8192) /* bytes of a line; in a longer one no number stands further on */

/* --- numbers in the text --- */

void page_cites_fini(struct page_cites *c)
{
	buf_fini(&c->text);
	mem_free(c->inserts);
	*c = (struct page_cites){ 0 };
}

/* A number and the offset at which it stands. */
struct page_cite { size_t at, source; };

static int page_cite_order(const void *left, const void *right)
{
	const struct page_cite *a = left, *b = right;

	return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : (a->source > b->source) - (a->source < b->source);
}

static bool cite_is_fence(struct str line)
{
	line = str_trim(line);
	return str_starts(line, "```") || str_starts(line, "~~~");
}

/* The lines up to a place, read once for ascending places. */
struct cite_lines { size_t start; bool fenced; };

/* True in a fenced block of code, in a line of signs such as a fence or a rule, and between backticks: a number would change what it is. */
static bool cite_is_in_code(struct cite_lines *lines, struct str text, size_t at)
{
	bool has_words = false;
	size_t ticks = 0, end;

	while ((end = lines->start + str_find(str_head(str_skip(text, lines->start), at - lines->start), STR("\n"))) < at) {
		lines->fenced ^= cite_is_fence(str_head(str_skip(text, lines->start), end - lines->start));
		lines->start = end + 1;
	}
	for (size_t i = lines->start; i < at && at - lines->start <= LINE_MOST; i++) {
		ticks += text.ptr[i] == '`';
		has_words |= !strchr(" \t-=_*~`|:+#>.", text.ptr[i]);
	}
	return lines->fenced || !has_words || ticks % 2;
}

/* A number follows words, not blanks, and does not divide an address. */
static size_t cite_settle(struct str text, size_t at)
{
	size_t start, end = at;

	while (at && char_is_blank(text.ptr[at - 1]))
		at--;
	for (start = at; start && at - start < WORD_MOST && !char_is_blank(text.ptr[start - 1]);)
		start--;
	for (end = at; end < text.len && end - at < WORD_MOST && !char_is_blank(text.ptr[end]);)
		end++;
	struct str word = str_head(str_skip(text, start), end - start);
	return end > at && str_find(word, STR("://")) < word.len ? end : at;
}

static size_t cites_collect(const struct turn *t, size_t first, size_t last, struct str text, struct page_cite *found)
{
	struct cite_lines lines = { 0 };
	size_t count = 0, kept = 0;

	for (size_t i = 0; i < t->citations.place_count; i++) {
		size_t part, at;

		if (!citations_find(t, &t->citations.places[i], &part, &at) || part < first || part > last)
			continue;
		for (size_t k = first; k < part; k++)
			at += t->parts[k].text.len;
		at = at <= text.len && at <= CITATION_REACH ? cite_settle(text, at) : 0;
		if (at)
			found[count++] = (struct page_cite){ at, t->citations.places[i].source };
	}
	qsort(found, count, sizeof *found, page_cite_order);
	for (size_t i = 0; i < count; i++)
		if (!cite_is_in_code(&lines, text, found[i].at))
			found[kept++] = found[i];
	return kept;
}

/* A bracket before or after a number could make it a link. */
static void cites_add(struct page_cites *c, struct str text, size_t at, size_t source)
{
	size_t start = c->text.len;
	bool first = !c->count || c->inserts[c->count - 1].at != at;

	if (first && strchr("]!\\", text.ptr[at - 1]))
		buf_add_byte(&c->text, ' ');
	buf_printf(&c->text, "[%zu]", source + 1);
	if (first) {
		*ARRAY_ADD(c->inserts, c->count, c->capacity) = (struct page_insert){ at, 0 };
	}
	c->inserts[c->count - 1].length += c->text.len - start;
}

static void cites_close(struct page_cites *c, struct str text)
{
	size_t at = c->inserts[c->count - 1].at;

	if (at < text.len && strchr("([", text.ptr[at])) {
		buf_add_byte(&c->text, ' ');
		c->inserts[c->count - 1].length++;
	}
}

bool page_cites_update(struct page_cites *c, const struct turn *t, size_t first, size_t last, struct str text)
{
	struct page_cite found[CITATION_PLACES_MAX];
	size_t done = 0;

	if (c->received == text.len && c->places == t->citations.place_count)
		return c->count > 0;
	c->received = text.len;
	c->places = t->citations.place_count;
	c->count = 0;
	buf_clear(&c->text);
	size_t count = cites_collect(t, first, last, text, found);
	for (size_t i = 0; i < count; i++) {
		if (i && !page_cite_order(&found[i - 1], &found[i]))
			continue;
		buf_add(&c->text, str_head(str_skip(text, done), found[i].at - done));
		done = found[i].at;
		cites_add(c, text, done, found[i].source);
		if (i + 1 == count || found[i + 1].at != done)
			cites_close(c, text);
	}
	buf_add(&c->text, str_skip(text, done));
	return c->count > 0;
}

size_t page_cites_shown(const struct page_cites *c, size_t received)
{
	size_t shown = received;

	for (size_t i = 0; i < c->count && c->inserts[i].at < received; i++)
		shown += c->inserts[i].length;
	return shown;
}

size_t page_cites_received(const struct page_cites *c, size_t shown)
{
	size_t before = 0;

	for (size_t i = 0; i < c->count; i++) {
		size_t from = c->inserts[i].at + before;

		if (shown <= from)
			break;
		if (shown < from + c->inserts[i].length)
			return c->inserts[i].at;
		before += c->inserts[i].length;
	}
	return shown - before;
}

/* --- the row of sources --- */

void page_sources_fini(struct page_sources *s)
{
	mem_free(s->links);
	mem_free(s->destinations);
	*s = (struct page_sources){ 0 };
}

/* Blanks and line breaks become one blank each; a long text loses its end. */
static void source_add_text(struct str text, size_t limit, struct buf *out)
{
	size_t length = utf8_head(text, limit).len;

	for (size_t i = 0; i < length; i++) {
		bool blank = char_is_blank(text.ptr[i]) || (unsigned char)text.ptr[i] < ' ';

		if (!blank || (i && !char_is_blank(text.ptr[i - 1])))
			buf_add_byte(out, blank ? ' ' : text.ptr[i]);
	}
	buf_add_z(out, length < text.len ? "\u2026" : "");
}

static void sources_add_link(struct page_sources *s, size_t start, size_t from, size_t to, struct str url, bool linked)
{
	mem_reserve(&s->links, &s->capacity, s->count + 1, sizeof *s->links);
	mem_reserve(&s->destinations, &s->room, s->count + 1, sizeof *s->destinations);
	s->destinations[s->count] = url;
	s->links[s->count] = (struct page_link){ start, from, to, linked ? (uint16_t)(s->count + 1) : 0 };
	s->count++;
}

static void sources_add(struct page_sources *s, struct page_source source, bool whole, struct buf *out, size_t start)
{
	struct str host = citations_host(source.url);
	size_t begin = out->len - start;

	buf_printf(out, "%zu ", s->count + 1);
	size_t from = out->len - start;
	source_add_text(whole || !host.len ? source.url : host, whole ? CITATION_TEXT_MAX : SHOWN_BYTES, out);
	sources_add_link(s, begin, from, out->len - start, source.url, host.len && source.url.len <= CITATION_TEXT_MAX && !whole);
	if (source.title.len) {
		buf_add_z(out, source.url.len ? NO_BREAK " " : "");
		source_add_text(source.title, SHOWN_BYTES, out);
	}
}

void page_sources_write(struct page_sources *s, const struct turn *t, size_t count, bool apart, bool whole, struct buf *out, size_t start)
{
	s->count = 0;
	for (size_t i = 0; i < count; i++) {
		const struct citation_source *source = &t->citations.sources[i];
		struct str url = str_from(source->url), title = str_from(*source->title || url.len ? source->title : source->text);

		buf_add_z(out, !i ? "" : apart ? "\n" : BETWEEN);
		sources_add(s, (struct page_source){ url, title }, whole, out, start);
	}
}

/* Appends a member that is a text, decoded, and its end. Returns its length. */
static size_t found_add(struct str item, const char *key, struct buf *strings)
{
	struct str value = json_scan_find(item, (const char *[]){ key, NULL });
	size_t start = strings->len;

	if (str_starts(value, "\""))
		json_scan_unescape(str_head(str_skip(value, 1), value.len - 2), false, strings);
	return strings->len - start;
}

bool page_sources_write_found(struct page_sources *s, struct str result, struct buf *strings, struct buf *out)
{
	size_t found = part_words_found(result), shown = found < CITATION_SOURCES_MAX ? found : CITATION_SOURCES_MAX, start = out->len;
	struct json_spans items = json_spans_of(str_trim(result));
	struct str key, item;

	if (found == PART_NONE || !found)
		return false;
	buf_clear(strings);
	if (!buf_extend(strings, result.len)) /* no decoded text is longer: what is borrowed does not move */
		return false;
	buf_clear(strings);
	s->count = 0;
	for (size_t i = 0; i < shown && json_spans_next(&items, &key, &item); i++) {
		size_t at = strings->len, url = found_add(item, "url", strings), title = found_add(item, "title", strings);

		title += title ? 0 : found_add(item, "filename", strings);
		buf_add_z(out, i ? "\n" : "");
		sources_add(s, (struct page_source){ str_of(buf_z(strings) + at, url), str_of(buf_z(strings) + at + url, title) }, false, out, start);
	}
	if (found > shown)
		buf_printf(out, "\n  and %zu more", found - shown);
	return true;
}

void page_sources_draw(const struct page_sources *s, struct canvas *canvas, struct area at, struct str text, struct rows_part part,
                       struct hits *hits, struct hits_place of)
{
	struct span parts[3 * CITATION_SOURCES_MAX + 1];
	const struct span *spans = parts;
	struct str row = str_head(str_skip(text, part.start), part.len);
	size_t count = 0, done = 0, from = part.start;

	canvas_use_links(canvas, s->destinations, s->count);
	for (size_t i = 0; i < s->count; i++) {
		const struct page_link *link = &s->links[i];

		if (link->start == from && at.column >= PAGE_SOURCES_HANG) {
			at.column -= PAGE_SOURCES_HANG;
			at.columns += PAGE_SOURCES_HANG;
		}
		size_t begin = link->from > from ? link->from - from : 0, end = link->to > from ? link->to - from : 0;

		end = end < row.len ? end : row.len;
		if (begin >= end)
			continue;
		parts[count++] = (struct span){ .text = str_head(str_skip(row, done), begin - done), .role = ROLE_MUTED };
		parts[count++] = (struct span){ .text = str_head(str_skip(row, begin), end - begin), .role = link->number ? ROLE_LINK : ROLE_MUTED,
		                                .link = link->number };
		done = end;
		if (str_starts(str_skip(row, end), NO_BREAK)) {
			parts[count++] = (struct span){ .text = STR(" "), .role = ROLE_MUTED };
			done += strlen(NO_BREAK);
		}
	}
	parts[count++] = (struct span){ .text = str_skip(row, done), .role = ROLE_MUTED };
	if (hits)
		spans = hits_mark(hits, str_head(text, from), parts, &count, str_skip(text, from + row.len),
		                  hits_current_in(hits, (struct hits_row){ of.turn, of.part, from, part.end }));
	canvas_put_spans(canvas, at.row, at.column, at.columns, spans, count);
}
