#include <string.h>

#include "render/language.h"

/* Values of the low four bits of the state besides the numbers of regions. */
enum { IN_TAG = 15, IN_DOUBLE_QUOTES = 14, IN_SINGLE_QUOTES = 13 };

/* State of lexing one line of markup. */
struct markup {
	const struct language *language;
	struct str line;
	highlight_sink *sink;
	void *ctx;
	size_t at;
	unsigned place;      /* IN_TAG and so on, a region's number, or 0 */
	unsigned embedded;   /* index of the embedded language, or of the one after this tag, plus 1; 0: none */
	highlight_state inner;
};

static void give_markup(struct markup *m, size_t end, uint8_t role)
{
	struct span span = { .text = str_of(m->line.ptr + m->at, end - m->at), .role = role };

	if (end == m->at)
		return;
	m->at = end;
	m->sink(m->ctx, &span);
}

static size_t find_markup(const struct markup *m, size_t from, const char *text)
{
	return from + str_find(str_skip(m->line, from), str_from(text));
}

static bool is_name(const struct markup *m, size_t at)
{
	return at < m->line.len && ((m->language->classes[(unsigned char)m->line.ptr[at]] & CLASS_WORD) || memchr(":.-@", m->line.ptr[at], 4));
}

static size_t name_end(const struct markup *m, size_t at)
{
	while (is_name(m, at))
		at++;
	return at;
}

/* --- in a tag --- */

static unsigned embedded_in(const struct language *language, struct str tag)
{
	for (unsigned i = 0; language->embeds[i].tag; i++)
		if (str_is_nocase(tag, language->embeds[i].tag))
			return i + 1;
	return 0;
}

static void lex_tag_open(struct markup *m)
{
	bool closes = m->at + 1 < m->line.len && m->line.ptr[m->at + 1] == '/';
	size_t begin = m->at + (closes ? 2 : 1), end = name_end(m, begin);

	m->embedded = closes ? 0 : embedded_in(m->language, str_of(m->line.ptr + begin, end - begin));
	m->place = IN_TAG;
	give_markup(m, end, ROLE_KEYWORD);
}

static void lex_quoted(struct markup *m, size_t from)
{
	bool twice = m->place == IN_DOUBLE_QUOTES;
	size_t end = find_markup(m, from, twice ? "\"" : "'");

	if (end < m->line.len) {
		end++;
		m->place = IN_TAG;
	}
	give_markup(m, end, ROLE_STRING);
}

static void lex_in_tag(struct markup *m)
{
	char byte = m->line.ptr[m->at];
	size_t end = m->at;

	if (byte == '"' || byte == '\'') {
		m->place = byte == '"' ? IN_DOUBLE_QUOTES : IN_SINGLE_QUOTES;
		lex_quoted(m, m->at + 1);
		return;
	}
	if (byte == '>' || byte == '/') {
		bool empty = byte == '/' && m->at + 1 < m->line.len && m->line.ptr[m->at + 1] == '>';

		m->place = byte == '>' ? 0 : IN_TAG;
		m->embedded = empty ? 0 : m->embedded;
		give_markup(m, m->at + 1, ROLE_KEYWORD);
		return;
	}
	if (is_name(m, end)) {
		give_markup(m, name_end(m, end), m->at && m->line.ptr[m->at - 1] == '=' ? ROLE_STRING : ROLE_TYPE);
		return;
	}
	while (end < m->line.len && !is_name(m, end) && !memchr("\"'>/", m->line.ptr[end], 4))
		end++;
	give_markup(m, end, ROLE_CODE);
}

/* --- between tags --- */

static void lex_region_rest(struct markup *m, size_t from)
{
	const struct region *region = &m->language->regions[m->language->carried[m->place]];
	size_t end = find_markup(m, from, region->close);

	if (end < m->line.len) {
		end += region->close_len;
		m->place = 0;
	}
	give_markup(m, end, region->role);
}

static bool lex_markup_region(struct markup *m)
{
	for (const struct region *region = m->language->regions; region->open; region++) {
		if (!str_starts(str_skip(m->line, m->at), region->open))
			continue;
		m->place = region->carried;
		lex_region_rest(m, m->at + region->open_len);
		return true;
	}
	return false;
}

static size_t entity_end(const struct markup *m, size_t at)
{
	size_t end = at + 1;

	while (end < m->line.len && end < at + 32 && (m->line.ptr[end] == '#' || is_name(m, end)))
		end++;
	return end > at + 1 && end < m->line.len && m->line.ptr[end] == ';' ? end + 1 : at;
}

static bool is_markup_tag(const struct markup *m, size_t at)
{
	char next = at + 1 < m->line.len ? m->line.ptr[at + 1] : ' ';

	return m->line.ptr[at] == '<' && (next == '/' || (m->language->classes[(unsigned char)next] & CLASS_LETTER));
}

static void lex_text(struct markup *m)
{
	size_t end = m->at, entity;

	while (end < m->line.len && m->line.ptr[end] != '<' && m->line.ptr[end] != '&')
		end++;
	give_markup(m, end, ROLE_CODE);
	if (end >= m->line.len || lex_markup_region(m))
		return;
	if (is_markup_tag(m, end)) {
		lex_tag_open(m);
		return;
	}
	entity = m->line.ptr[end] == '&' ? entity_end(m, end) : end;
	give_markup(m, entity > end ? entity : end + 1, entity > end ? ROLE_NUMBER : ROLE_CODE);
}

/* Lexes embedded text up to the closing tag or the end of the line. */
static void lex_embedded(struct markup *m)
{
	const struct embed *embed = &m->language->embeds[m->embedded - 1];
	size_t tag_len = strlen(embed->tag), end = find_markup(m, m->at, "</");

	while (end < m->line.len && !str_is_nocase(str_head(str_skip(m->line, end + 2), tag_len), embed->tag))
		end = find_markup(m, end + 2, "</");
	m->inner = highlight_line(language_find(str_from(embed->language)), m->inner, str_of(m->line.ptr + m->at, end - m->at), m->sink, m->ctx) & 15;
	m->at = end;
	if (end < m->line.len) {
		m->embedded = 0;
		m->inner = 0;
	}
}

/* --- the state at a line end --- */

static void take_state(struct markup *m, highlight_state state)
{
	unsigned low = state & 15, embedded = state >> 4, count = 0;

	while (m->language->embeds[count].tag)
		count++;
	m->embedded = embedded <= count ? embedded : 0;
	if (low >= IN_SINGLE_QUOTES)
		m->place = low;
	else if (m->embedded)
		m->inner = (highlight_state)low;
	else if (low && m->language->regions[m->language->carried[low]].carried == low)
		m->place = low;
}

highlight_state markup_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx)
{
	struct markup m = { .language = language, .line = line, .sink = sink, .ctx = ctx };

	take_state(&m, state);
	while (m.at < line.len) {
		if (m.place == IN_TAG)
			lex_in_tag(&m);
		else if (m.place >= IN_SINGLE_QUOTES)
			lex_quoted(&m, m.at);
		else if (m.place)
			lex_region_rest(&m, m.at);
		else if (m.embedded)
			lex_embedded(&m);
		else
			lex_text(&m);
	}
	return (highlight_state)((m.place ? m.place : m.inner) | m.embedded << 4);
}
