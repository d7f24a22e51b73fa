#include "chat/conversation/citations.h"

#include <string.h>

#include "base/array.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "chat/conversation/turn.h"

void citations_fini(struct citations *c)
{
	for (size_t i = 0; i < c->source_count; i++) {
		mem_free(c->sources[i].url);
		mem_free(c->sources[i].title);
		mem_free(c->sources[i].text);
	}
	mem_free(c->sources);
	mem_free(c->places);
	*c = (struct citations){ 0 };
}

void citations_copy(const struct citations *from, struct citations *to)
{
	*to = (struct citations){ 0 };
	mem_reserve(&to->sources, &to->source_capacity, from->source_count, sizeof *to->sources);
	mem_reserve(&to->places, &to->place_capacity, from->place_count, sizeof *to->places);
	for (; to->source_count < from->source_count; to->source_count++) {
		const struct citation_source *source = &from->sources[to->source_count];

		to->sources[to->source_count] = (struct citation_source){ mem_dup_z(source->url), mem_dup_z(source->title), mem_dup_z(source->text) };
	}
	for (; to->place_count < from->place_count; to->place_count++)
		to->places[to->place_count] = from->places[to->place_count];
}

/* --- adding --- */

static struct str citation_text(struct str text)
{
	struct str head = utf8_head(text, CITATION_TEXT_MAX);

	return head.len ? head : STR("");
}

static bool source_is(const struct citation_source *s, struct str url, struct str title)
{
	if (url.len || *s->url)
		return str_is(url, s->url);
	return str_is(title, s->title);
}

/* The index of the source, added if it is new; CITATION_SOURCES_MAX if it is dropped. */
static size_t citations_take_source(struct citations *c, const struct citation *citation)
{
	struct str url = citation->url.len <= CITATION_TEXT_MAX ? citation_text(citation->url) : STR(""), title = citation_text(citation->title);
	struct str text = citation_text(citation->text);
	size_t i = 0;

	if (!url.len && !title.len && !text.len)
		return CITATION_SOURCES_MAX;
	while (i < c->source_count && !source_is(&c->sources[i], url, title))
		i++;
	if (i == CITATION_SOURCES_MAX)
		return i;
	if (i == c->source_count) {
		*ARRAY_ADD(c->sources, c->source_count, c->source_capacity) = (struct citation_source){ str_dup(url), str_dup(title), str_dup(text) };
	} else if (!*c->sources[i].title && title.len) {
		str_replace(&c->sources[i].title, title);
	}
	return i;
}

void citations_add(struct citations *c, const struct citation *citation, unsigned part, size_t from)
{
	size_t source = citations_take_source(c, citation);

	if (source == CITATION_SOURCES_MAX || citation->unit == CITATION_NO_PLACE || c->place_count == CITATION_PLACES_MAX)
		return;
	*ARRAY_ADD(c->places, c->place_count, c->place_capacity) = (struct citation_place){ source, part, from, citation->unit, citation->end };
}

/* --- places --- */

/* Takes the units that a text has from `*left`. Returns the bytes up to the place, or the whole length if it is further on. */
static size_t citation_offset(struct str text, enum citation_unit unit, int64_t *left)
{
	size_t at = 0;

	if (unit == CITATION_PART_END)
		return text.len;
	for (; at < text.len; at++) {
		bool begins = !utf8_is_inside(text.ptr[at]);

		if (begins && *left <= 0)
			break;
		*left -= begins || unit == CITATION_BYTES;
	}
	return at;
}

bool citations_find(const struct turn *t, const struct citation_place *place, size_t *part, size_t *offset)
{
	int64_t left = place->end;
	bool found = false;

	if (place->unit != CITATION_PART_END && left > CITATION_REACH)
		return false;
	for (size_t i = place->from; i < t->part_count && !(i > place->from && turn_joint_at(t, i)); i++) {
		const struct part *p = &t->parts[i];

		if (p->kind != PART_TEXT || (place->part != DELTA_NO_PART && p->number != place->part))
			continue;
		*part = i;
		*offset = citation_offset(buf_str(&p->text), place->unit, &left);
		found = true;
		if (left <= 0)
			break;
	}
	return found;
}

/* --- addresses --- */

struct str citations_host(struct str url)
{
	static const char *const schemes[] = { "https://", "http://" };
	struct str host = STR_NONE;
	size_t end = 0;

	for (size_t i = 0; i < ARRAY_LEN(schemes) && !host.len; i++)
		if (str_is_nocase(str_head(url, strlen(schemes[i])), schemes[i]))
			host = str_skip(url, strlen(schemes[i]));
	while (end < host.len && !strchr("/?#", host.ptr[end]))
		end++;
	host = str_head(host, end);
	for (end = 0; end < host.len && !strchr("@\\", host.ptr[end]);)
		end++;
	if (end < host.len)
		return host;
	for (end = 0; end < host.len && (host.ptr[end] != ':' || host.ptr[0] == '[');)
		end++;
	host = str_head(host, end);
	return str_starts(host, "www.") && host.len > 4 ? str_skip(host, 4) : host;
}

static void citations_add_line(struct buf *out, const char *text)
{
	for (const char *c = text; *c; c++)
		buf_add_byte(out, (unsigned char)*c < ' ' ? ' ' : *c);
}

void citations_list(const struct citations *c, struct buf *out)
{
	for (size_t i = 0; i < c->source_count; i++) {
		const struct citation_source *s = &c->sources[i];

		buf_printf(out, "%zu. ", i + 1);
		citations_add_line(out, *s->title || *s->url ? s->title : s->text);
		buf_add_z(out, *s->title && *s->url ? " " : "");
		citations_add_line(out, s->url);
		buf_add_byte(out, '\n');
	}
}
