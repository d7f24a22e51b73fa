#include "render/markdown/markdown_inline.h"

#include <string.h>

#include "base/mem.h"
#include "base/search.h"
#include "render/markdown/markdown_entity.h"
#include "render/markdown/markdown_link.h"

#define TEXT_LIMIT (1 << 16)
#define MATH_LIMIT 1024     /* bytes of `$...$` */
#define SIGN_MOST 12        /* bytes of an incomplete construct that are held back */
#define LABEL_MOST 1000     /* bytes of a reference's label */
#define LINK_TEXT_LIMIT 256 /* bytes after `[` shown as a link before its `]` */

void inline_init(struct markdown_inline *p)
{
	*p = (struct markdown_inline){ 0 };
	buf_init(&p->text, TEXT_LIMIT);
}

void inline_fini(struct markdown_inline *p)
{
	buf_fini(&p->text);
	mem_free(p->lines);
	mem_free(p->tokens);
	mem_free(p->delimiters);
	mem_free(p->brackets);
	inline_init(p);
}

/* --- text --- */

void inline_begin(struct markdown_inline *p)
{
	buf_clear(&p->text);
	p->line_count = 0;
}

void inline_add_line(struct markdown_inline *p, struct str line, size_t source)
{
	struct str trimmed = str_trim(line);

	if (p->line_count)
		buf_add_byte(&p->text, '\n');
	mem_reserve(&p->lines, &p->line_capacity, p->line_count + 1, sizeof *p->lines);
	p->lines[p->line_count] = (struct inline_line){ .at = p->text.len, .source = source + (size_t)(trimmed.len ? trimmed.ptr - line.ptr : 0),
		.breaks = str_ends(line, "\\") };
	if (buf_add(&p->text, trimmed))
		p->lines[p->line_count].length = trimmed.len;
	p->line_count++;
}

static const struct inline_line *line_of(const struct markdown_inline *p, size_t at)
{
	struct search s = search_in(1, p->line_count);

	while (search_next(&s))
		search_take(&s, p->lines[s.middle].at <= at);
	return &p->lines[s.low - 1];
}

size_t inline_source(const struct markdown_inline *p, size_t at)
{
	const struct inline_line *line = p->line_count ? line_of(p, at) : NULL;

	return line ? line->source + (at - line->at) : 0;
}

struct str inline_text(const struct markdown_inline *p, size_t at, size_t end)
{
	return str_head(str_skip(buf_str(&p->text), at), end - at);
}

struct str inline_inside(const struct markdown_inline *p, const struct inline_token *token)
{
	return inline_text(p, token->inside.at, token->inside.end);
}

static size_t inline_line_end(const struct markdown_inline *p)
{
	const struct inline_line *line = line_of(p, p->at);
	size_t end = line->at + line->length;

	return end < p->end ? end : p->end;
}

/* The text from `p->at` on. */
static struct str rest_of(const struct markdown_inline *p)
{
	return inline_text(p, p->at, p->end);
}

static char byte_at(const struct markdown_inline *p, size_t at)
{
	return at < p->end ? p->text.ptr[at] : ' ';
}

static size_t run_at(const struct markdown_inline *p, size_t at)
{
	size_t length = 1;

	while (at + length < p->end && p->text.ptr[at + length] == p->text.ptr[at])
		length++;
	return length;
}

/* --- tokens --- */

struct inline_token *inline_add(struct markdown_inline *p, enum inline_kind kind, size_t at, size_t end)
{
	struct inline_token *token;

	token = ARRAY_ADD(p->tokens, p->token_count, p->token_capacity);
	*token = (struct inline_token){ .kind = kind, .at = at, .end = end };
	if (kind != INLINE_DELIMITERS)
		p->floor = end;
	return token;
}

void inline_unsettle(struct markdown_inline *p, size_t at)
{
	if (at < p->settled)
		p->settled = at;
}

/* Takes the next `length` bytes as a token; `before` and `after` bytes of it surround its content. */
static bool take_token(struct markdown_inline *p, enum inline_kind kind, size_t length, size_t before, size_t after)
{
	struct inline_token *token = inline_add(p, kind, p->at, p->at + length);

	token->inside = (struct inline_range){ p->at + before, p->at + length - after };
	p->at += length;
	if (p->open && p->at == p->end)
		inline_unsettle(p, token->at);
	return true;
}

/* --- the end of an open text --- */

/* Whether the rest is the beginning of a construct that the next byte may change. */
static bool is_incomplete(const struct markdown_inline *p)
{
	static const char *const words[] = { "http://", "https://", "ftp://", "www.?", "<http://", "<https://", "<mailto:", "<br>", "<br/>", "<br />",
		"\\(?", "\\[?", "![?", "[?" }; /* ? is any byte */
	struct str rest = rest_of(p);
	char sign = rest.ptr[0];
	size_t name = str_starts(rest, "[^") ? 2 : sign == '&' ? 1 : 0;

	if (sign && strchr("*_`~$", sign))
		return run_at(p, p->at) == rest.len;
	if (rest.len > SIGN_MOST || (p->at && char_is_word(sign) && char_is_word(p->text.ptr[p->at - 1])))
		return false;
	while (name && name < rest.len && (sign == '&' ? char_is_word(rest.ptr[name]) || rest.ptr[name] == '#' : char_is_digit(rest.ptr[name])))
		name++;
	if (name == rest.len)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (rest.len < strlen(words[i]) && memcmp(words[i], rest.ptr, rest.len) == 0)
			return true;
	return false;
}

/* Holds back the text from `at` on, and the blanks before it. */
static void hold_back(struct markdown_inline *p, size_t at)
{
	while (at > p->floor && char_is_blank(p->text.ptr[at - 1]))
		at--;
	p->end = p->at = at;
	inline_unsettle(p, at);
}

/* --- math --- */

static const char *const math_closers[] = { "\\)", "\\]", "$$" };

/* Takes `\(...\)`, `\[...\]` or `$$...$$` on one line. */
static bool take_math(struct markdown_inline *p, unsigned kind)
{
	size_t end = inline_line_end(p), length;
	struct str inside = inline_text(p, p->at + 2, end);

	if (p->no_math[kind] == end)
		return false;
	length = str_find(inside, str_from(math_closers[kind]));
	if (length == inside.len && p->open && end == p->end) {
		p->end -= length > 1 && inside.ptr[length - 1] == math_closers[kind][0];
		return take_token(p, INLINE_MATH, p->end - p->at, 2, 0);
	}
	p->no_math[kind] = length == inside.len ? end : 0;
	return length && length < inside.len && take_token(p, INLINE_MATH, length + 4, 2, 2);
}

static bool is_surely_math(struct str inside)
{
	return memchr(inside.ptr, '\\', inside.len) || memchr(inside.ptr, '^', inside.len) || memchr(inside.ptr, '_', inside.len);
}

/* An amount of money followed by words is not math. */
static bool is_money(struct str inside)
{
	if (!char_is_digit(inside.ptr[0]))
		return false;
	return memchr(inside.ptr, ' ', inside.len) && !memchr(inside.ptr, '=', inside.len) && !is_surely_math(inside);
}

/* Takes `$...$` on one line, without blanks inside the signs or a digit after them. */
static bool take_dollar(struct markdown_inline *p)
{
	size_t end = inline_line_end(p), i = p->at + 1;
	const char *text = p->text.ptr;

	if (i >= end || char_is_blank(text[i]) || (p->at && char_is_word(text[p->at - 1])))
		return false;
	while (i < end && i - p->at < MATH_LIMIT && text[i] != '$')
		i += text[i] == '\\' ? 2 : 1;
	if (p->open && end == p->end && i + 1 >= end) { /* a last `$` is held back */
		inline_unsettle(p, p->at);
		if (!is_surely_math(inline_text(p, p->at + 1, end)))
			return false;
		p->end -= text[p->end - 1] == '$';
		return take_token(p, INLINE_MATH, p->end - p->at, 1, 0);
	}
	if (i >= end || text[i] != '$' || char_is_blank(text[i - 1]) || char_is_word(byte_at(p, i + 1)) ||
	    is_money(inline_text(p, p->at + 1, i)))
		return false;
	return take_token(p, INLINE_MATH, i + 1 - p->at, 1, 1);
}

static bool scan_dollar(struct markdown_inline *p)
{
	size_t run = run_at(p, p->at);

	if (!(run >= 2 ? take_math(p, 2) : take_dollar(p)))
		p->at += run;
	return true;
}

/* --- backslashes, code, addresses, entities --- */

static bool scan_backslash(struct markdown_inline *p)
{
	char next = byte_at(p, p->at + 1);

	if ((next == '(' && take_math(p, 0)) || (next == '[' && take_math(p, 1)))
		return true;
	if (p->at + 1 == p->end || (next == '\n' ? !line_of(p, p->at)->breaks : next <= ' ' || next >= 0x7F || char_is_word(next)))
		return false;
	take_token(p, INLINE_ESCAPE, 1, 0, 0);
	p->floor = ++p->at;
	return true;
}

/* Offset of the next run of `wanted` backticks, or of the end. */
static size_t find_ticks(const struct markdown_inline *p, size_t at, size_t wanted)
{
	const char *tick;

	while ((tick = memchr(p->text.ptr + at, '`', p->end - at))) {
		size_t begin = (size_t)(tick - p->text.ptr), length = run_at(p, begin);

		if (length == wanted)
			return begin;
		at = begin + length;
	}
	return p->end;
}

static bool is_code_space(char c)
{
	return c == ' ' || c == '\n';
}

/* Takes a code span. A space at both ends is not shown. In an open text, a leading space followed by a backtick implies a trailing one. */
static bool scan_backtick(struct markdown_inline *p)
{
	size_t ticks = run_at(p, p->at), inside = p->at + ticks, end = p->end;
	uint64_t length = ticks < 64 ? (uint64_t)1 << ticks : 0;
	bool closed, space;

	if (!(p->no_ticks & length))
		end = find_ticks(p, inside, ticks);
	closed = end + (p->open ? ticks : 0) < p->end;
	if (!closed && !p->open) {
		p->no_ticks |= length;
		p->at = inside;
		return true;
	}
	if (!closed) {
		for (end = p->end; end > inside && (p->text.ptr[end - 1] == '`' || char_is_blank(p->text.ptr[end - 1])); )
			end--;
		p->end = end;
	}
	space = is_code_space(byte_at(p, inside)) && (closed ? is_code_space(p->text.ptr[end - 1]) : byte_at(p, inside + 1) == '`') &&
		!str_is_blank(inline_text(p, inside, end));
	return take_token(p, INLINE_CODE, end + (closed ? ticks : 0) - p->at, ticks + space, closed ? ticks + space : 0);
}

static bool scan_less(struct markdown_inline *p)
{
	static const char *const breaks[] = { "<br>", "<br/>", "<br />" };
	struct str rest = rest_of(p), address;
	size_t length = link_pointed(rest, p->open, &address);

	for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++)
		if (str_is_nocase(str_head(rest, strlen(breaks[i])), breaks[i]))
			return take_token(p, INLINE_BREAK, strlen(breaks[i]), 0, 0);
	return length && take_token(p, INLINE_ADDRESS, length, 1, length - address.len - 1);
}

static bool scan_ampersand(struct markdown_inline *p)
{
	size_t length = entity_read(rest_of(p), NULL);

	return length && take_token(p, INLINE_ENTITY, length, 0, 0);
}

/* Takes a bare address. Runs found within it are part of it. */
static bool scan_address(struct markdown_inline *p)
{
	struct str text = str_head(buf_str(&p->text), p->end), address = link_bare(text, p->floor, p->at, p->open);

	if (!address.len)
		return false;
	p->at = (size_t)(address.ptr - p->text.ptr);
	while (p->token_count && p->tokens[p->token_count - 1].at >= p->at)
		p->token_count--;
	while (p->delimiter_count && p->delimiters[p->delimiter_count - 1].at >= p->at)
		p->delimiter_count--;
	take_token(p, INLINE_ADDRESS, address.len, 0, 0);
	if (p->open && link_may_continue(rest_of(p)))
		hold_back(p, p->at);
	return true;
}

/* --- brackets --- */

/* The length of a footnote mark `[^label]`; 0: none. */
static size_t note_length(const struct markdown_inline *p, size_t at)
{
	size_t end = at + 2;

	if (byte_at(p, at + 1) != '^')
		return 0;
	while (end < p->end && (char_is_word(p->text.ptr[end]) || p->text.ptr[end] == '-' || p->text.ptr[end] == '_'))
		end++;
	if (end == at + 2 || (end < p->end ? p->text.ptr[end] != ']' : !p->open))
		return 0;
	return end - at + (end < p->end);
}

/* A link does not follow a letter, since that is an index, nor a control character. */
static bool may_precede_link(char c)
{
	return char_is_blank(c) || (unsigned char)c >= 0x80 || (c > ' ' && !char_is_word(c) && c != ']' && c != ')');
}

static bool open_bracket(struct markdown_inline *p, bool image)
{
	size_t sign = p->at + image;
	char before = sign ? p->text.ptr[sign - 1] : ' ', after = byte_at(p, sign + 1);

	mem_reserve(&p->brackets, &p->bracket_capacity, p->bracket_count + 1, sizeof *p->brackets);
	if (p->inactive > p->bracket_count)
		p->inactive = p->bracket_count;
	p->brackets[p->bracket_count++] = (struct inline_bracket){
		.token = p->token_count, .delimiters = p->delimiter_count, .image = image,
		.likely = may_precede_link(before) && !char_is_blank(after) && after != ']' && after != '^',
	};
	return take_token(p, INLINE_BRACKET, 1u + image, 0, 0);
}

static bool scan_bracket(struct markdown_inline *p)
{
	size_t note = note_length(p, p->at);

	return note ? take_token(p, INLINE_NOTE, note, 0, 0) : open_bracket(p, false);
}

static bool scan_exclamation(struct markdown_inline *p)
{
	return byte_at(p, p->at + 1) == '[' && !note_length(p, p->at + 1) && open_bracket(p, true);
}

static bool is_active(const struct markdown_inline *p, const struct inline_bracket *bracket)
{
	return bracket->image || (size_t)(bracket - p->brackets) >= p->inactive;
}

/* Takes `](destination)`. While the destination is incomplete, nothing after the `]` is shown. */
static bool take_link(struct markdown_inline *p, struct inline_bracket *bracket)
{
	struct str behind = str_skip(rest_of(p), 1), destination;
	struct inline_token *token = &p->tokens[bracket->token];
	bool partial = !behind.len;
	size_t length = str_starts(behind, "(") ? link_destination(behind, &destination, &partial) : 0;

	if (partial && p->open) {
		inline_unsettle(p, token->at);
		if (!bracket->likely || (!behind.len && p->at - token->at >= LINK_TEXT_LIMIT))
			return false;
		p->end = p->at;
		p->bracket_count++;
		return bracket->ended = true;
	}
	if (!length)
		return false;
	token->kind = INLINE_LINK;
	token->inside.at = (size_t)(destination.ptr - p->text.ptr);
	token->inside.end = token->inside.at + destination.len;
	delimiters_resolve(p, bracket->delimiters, false);
	if (!bracket->image)
		p->inactive = p->bracket_count;
	return take_token(p, INLINE_LINK_END, length + 1, 0, 0);
}

/* Takes `][label]`, `][]` or a lone `]`. */
static bool take_reference(struct markdown_inline *p, const struct inline_bracket *bracket)
{
	struct inline_token *token = &p->tokens[bracket->token];
	struct inline_range text = { token->end, p->at }, label = { p->at + 1, p->at + 1 };
	size_t end = inline_line_end(p);

	if (!bracket->likely)
		return false;
	if (byte_at(p, label.at) == '[') {
		struct str rest = inline_text(p, label.at, end);
		size_t length = str_find(str_head(rest, LABEL_MOST), STR("]")) + 1;

		if (length > rest.len && p->open)
			inline_unsettle(p, token->at);
		if (length > rest.len || length > LABEL_MOST || byte_at(p, label.at + length) == '(')
			return false;
		label.end += length;
	}
	token->kind = INLINE_REFERENCE;
	token->inside = label.end - label.at > 2 ? (struct inline_range){ label.at + 1, label.end - 1 } : text;
	take_token(p, INLINE_REFERENCE_END, 1, 0, 0);
	p->tokens[p->token_count - 1].inside = label;
	return true;
}

static bool scan_bracket_end(struct markdown_inline *p)
{
	struct inline_bracket *bracket = p->bracket_count ? &p->brackets[--p->bracket_count] : NULL;
	bool active = bracket && is_active(p, bracket), taken = active && take_link(p, bracket);

	if (taken)
		return true;
	if (p->bracket_count)
		p->brackets[p->bracket_count - 1].likely = false;
	return active && take_reference(p, bracket);
}

/* --- the main loop --- */

/* Each scanner takes the construct at `p->at`; false: its first byte is text. */
static bool (*const scanners[256])(struct markdown_inline *p) = {
	['\\'] = scan_backslash, ['`'] = scan_backtick, ['$'] = scan_dollar, ['<'] = scan_less, ['&'] = scan_ampersand,
	['*'] = delimiters_scan, ['_'] = delimiters_scan, ['~'] = delimiters_scan,
	['['] = scan_bracket, ['!'] = scan_exclamation, [']'] = scan_bracket_end,
	[':'] = scan_address, ['.'] = scan_address, ['@'] = scan_address,
};

/* Shows the last bracket of an open text as a link if it may be one. */
static void finish_link(struct markdown_inline *p)
{
	const struct inline_bracket *bracket = &p->brackets[p->bracket_count - 1];
	struct inline_token *token = &p->tokens[bracket->token];

	inline_unsettle(p, p->tokens[p->brackets[0].token].at);
	if (!bracket->likely || !is_active(p, bracket) || (!bracket->ended && p->end - token->at >= LINK_TEXT_LIMIT))
		return;
	token->kind = INLINE_LINK;
	token->inside = (struct inline_range){ 0, 0 };
	delimiters_resolve(p, bracket->delimiters, !bracket->ended);
}

void inline_parse(struct markdown_inline *p, bool open)
{
	p->open = open;
	p->end = p->text.len;
	p->settled = open ? p->end : 0;
	p->token_count = p->delimiter_count = p->bracket_count = p->inactive = p->at = p->floor = 0;
	p->no_ticks = 0;
	memset(p->no_math, 0, sizeof p->no_math);
	while (p->at < p->end) {
		bool (*scan)(struct markdown_inline *p) = scanners[(unsigned char)p->text.ptr[p->at]];

		if (open && (scan || p->end - p->at <= SIGN_MOST) && is_incomplete(p))
			hold_back(p, p->at);
		else if (!scan || !scan(p))
			p->at++;
	}
	if (open && p->bracket_count)
		finish_link(p);
	delimiters_resolve(p, 0, open);
}
