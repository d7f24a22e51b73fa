#include "render/highlight.h"

#include <string.h>

#include "base/utf8.h"
#include "render/language.h"

/* State of lexing one line. Text between tokens is code, emitted together with the next token. */
struct lexer {
	const struct language *language;
	struct str line;
	highlight_sink *sink;
	void *ctx;
	size_t at;           /* start of the next token */
	size_t given;        /* number of bytes emitted */
	size_t indent;       /* offset of the first non-blank byte */
	size_t keyword_end;  /* end of the last keyword; a regular expression may follow it */
};

static bool is_class(const struct lexer *lexer, size_t at, unsigned classes)
{
	return at < lexer->line.len && (lexer->language->classes[(unsigned char)lexer->line.ptr[at]] & classes);
}

static bool is_string_at(const struct lexer *lexer, size_t at, const char *text, size_t len)
{
	return len <= lexer->line.len - at && !memcmp(lexer->line.ptr + at, text, len);
}

static void give_span(struct lexer *lexer, size_t end, uint8_t role)
{
	struct span span = { .text = str_of(lexer->line.ptr + lexer->given, end - lexer->given), .role = role };

	if (end == lexer->given)
		return;
	lexer->given = end;
	lexer->sink(lexer->ctx, &span);
}

static void give_token(struct lexer *lexer, size_t begin, size_t end, uint8_t role)
{
	if (role == ROLE_CODE)
		return;
	give_span(lexer, begin, ROLE_CODE);
	give_span(lexer, end, role);
}

static size_t skip_line_blanks(const struct lexer *lexer, size_t at)
{
	while (at < lexer->line.len && char_is_blank(lexer->line.ptr[at]))
		at++;
	return at;
}

static size_t word_end(const struct lexer *lexer, size_t at)
{
	while (is_class(lexer, at, CLASS_WORD))
		at++;
	return at;
}

/* --- keys --- */

/* The key that ends at `end`, if its sign follows; else NULL. */
static const struct key *key_before(const struct lexer *lexer, size_t end, unsigned flag)
{
	size_t at = skip_line_blanks(lexer, end);

	if (!(lexer->language->key_flags & flag) || at >= lexer->line.len)
		return NULL;
	for (const struct key *key = lexer->language->keys; key->byte; key++)
		if ((key->flags & flag) && key->byte == lexer->line.ptr[at])
			return !(key->flags & KEY_BLANK) || skip_line_blanks(lexer, at + 1) > at + 1 || at + 1 == lexer->line.len ? key : NULL;
	return NULL;
}

/* Recognises "key: ..." or "- key: ..." at the start of a line. */
static void lex_line_key(struct lexer *lexer)
{
	size_t begin = lexer->indent, end;

	while (begin + 1 < lexer->line.len && lexer->line.ptr[begin] == '-' && lexer->line.ptr[begin + 1] == ' ')
		begin = skip_line_blanks(lexer, begin + 1);
	end = begin;
	for (size_t at = begin; is_class(lexer, at, CLASS_WORD) || (at < lexer->line.len && memchr(" -./", lexer->line.ptr[at], 4)); at++)
		if (lexer->line.ptr[at] != ' ')
			end = at + 1;
	const struct key *key = key_before(lexer, end, KEY_LINE);
	if (!key || end == begin || ((key->flags & KEY_COLUMN) && begin))
		return;
	give_token(lexer, begin, end, key->role);
	lexer->at = end;
}

/* --- regions --- */

static bool is_apart(const struct lexer *lexer)
{
	return lexer->at == 0 || memchr(" \t([{,;|&=:", lexer->line.ptr[lexer->at - 1], 11);
}

/* Whether the region holds one character or one escape before its closing sign. */
static bool is_short(const struct lexer *lexer, const struct region *region)
{
	size_t at = lexer->at + region->open_len, escape_most = 10;

	if (at >= lexer->line.len)
		return false;
	if (region->escape && lexer->line.ptr[at] == region->escape) {
		at += 2;
		while (escape_most-- && at < lexer->line.len && lexer->line.ptr[at] != region->close[0])
			at++;
	} else if (lexer->line.ptr[at] != region->close[0]) {
		at++;
		while (at < lexer->line.len && utf8_is_inside(lexer->line.ptr[at]))
			at++;
	}
	return at < lexer->line.len && is_string_at(lexer, at, region->close, region->close_len);
}

/* Whether a value may begin here, so that a slash is not a division. */
static bool is_value_place(const struct lexer *lexer)
{
	size_t at = lexer->at;

	if (at + 1 < lexer->line.len && char_is_blank(lexer->line.ptr[at + 1]))
		return false;
	while (at > 0 && char_is_blank(lexer->line.ptr[at - 1]))
		at--;
	return at == 0 || at == lexer->keyword_end || memchr("(,=:[!&|?{};+*~^%-", lexer->line.ptr[at - 1], 18);
}

static bool may_open(const struct lexer *lexer, const struct region *region)
{
	unsigned flags = region->flags;

	return is_string_at(lexer, lexer->at, region->open, region->open_len) && (!(flags & REGION_COLUMN) || lexer->at == 0) &&
	       (!(flags & REGION_START) || lexer->at == lexer->indent) && (!(flags & REGION_APART) || is_apart(lexer)) &&
	       (!(flags & REGION_SHORT) || is_short(lexer, region)) && (!(flags & REGION_REGEX) || is_value_place(lexer));
}

static const struct region *region_here(const struct lexer *lexer)
{
	char byte = lexer->line.ptr[lexer->at];
	const struct region *region = &lexer->language->regions[lexer->language->first[(unsigned char)byte & 127]];

	for (; region->open && region->open[0] == byte; region++)
		if (may_open(lexer, region))
			return region;
	return NULL;
}

/* End of the $name or ${...} at `at`; `at` if there is none. */
static size_t expansion_end(const struct lexer *lexer, size_t at)
{
	size_t end = at + 1, depth = 0;

	if (lexer->language->expand_words && is_class(lexer, end, CLASS_LETTER))
		return word_end(lexer, end);
	if (end >= lexer->line.len || lexer->line.ptr[end] != '{')
		return at;
	for (; end < lexer->line.len; end++) {
		if (lexer->line.ptr[end] == '{')
			depth++;
		else if (lexer->line.ptr[end] == '}' && --depth == 0)
			return end + 1;
	}
	return end;
}

/* The bytes at which a scan within a region stops. */
struct stops { char close, escape, other; };

static struct stops stops_of(const struct lexer *lexer, const struct region *region)
{
	struct stops stops = { region->close[0], region->escape ? region->escape : region->close[0], region->close[0] };

	if (region->flags & REGION_NESTED)
		stops.other = region->open[0];
	else if (region->flags & REGION_EXPAND)
		stops.other = lexer->language->expand;
	return stops;
}

static size_t next_stop(struct str line, size_t at, struct stops stops)
{
	while (at < line.len && line.ptr[at] != stops.close && line.ptr[at] != stops.escape && line.ptr[at] != stops.other)
		at++;
	return at;
}

/*
 * The state at the end of the line for an open region. An escaped line end continues a region that otherwise ends with its line. The depth
 * counts up to 16; deeper nesting closes early.
 */
static highlight_state carried_state(const struct region *region, size_t depth, bool escaped)
{
	if (!region->carried || !((region->flags & REGION_LINES) || escaped))
		return 0;
	return (highlight_state)(region->carried | (depth > 16 ? 15 : depth - 1) << 4);
}

/* Lexes from within a region, nested `depth` deep, to its end or the line's. */
static highlight_state lex_within(struct lexer *lexer, const struct region *region, size_t begin, size_t depth)
{
	struct stops stops = stops_of(lexer, region);
	size_t at = lexer->at, end;

	while (depth && (at = next_stop(lexer->line, at, stops)) < lexer->line.len) {
		if (region->escape && lexer->line.ptr[at] == region->escape) {
			at += 2;
		} else if (is_string_at(lexer, at, region->close, region->close_len)) {
			at += region->close_len;
			depth--;
		} else if ((region->flags & REGION_NESTED) && is_string_at(lexer, at, region->open, region->open_len)) {
			at += region->open_len;
			depth++;
		} else if ((region->flags & REGION_EXPAND) && (end = expansion_end(lexer, at)) > at) {
			give_token(lexer, begin, at, region->role);
			give_token(lexer, at, end, lexer->language->expand_role);
			begin = at = end;
		} else {
			at++;
		}
	}
	end = at < lexer->line.len ? at : lexer->line.len;
	const struct key *key = depth == 0 && region->role == ROLE_STRING ? key_before(lexer, end, KEY_STRING) : NULL;
	give_token(lexer, begin, end, key ? key->role : region->role);
	lexer->at = end;
	return depth ? carried_state(region, depth, at > end) : 0;
}

static highlight_state lex_line_region(struct lexer *lexer, const struct region *region)
{
	size_t begin = lexer->at;

	lexer->at += region->open_len;
	if (region->flags & REGION_EOL)
		lexer->at = lexer->line.len;
	if (!(region->flags & (REGION_EOL | REGION_ONLY)))
		return lex_within(lexer, region, begin, 1);
	give_token(lexer, begin, lexer->at, region->role);
	return 0;
}

/* --- words and numbers --- */

static bool begins_with_capital(struct str word)
{
	if (word.ptr[0] < 'A' || word.ptr[0] > 'Z')
		return false;
	for (size_t i = 1; i < word.len; i++)
		if (word.ptr[i] >= 'a' && word.ptr[i] <= 'z')
			return true;
	return word.len == 1;
}

static void lex_word(struct lexer *lexer)
{
	size_t begin = lexer->at, end = word_end(lexer, begin);
	struct str word = str_of(lexer->line.ptr + begin, end - begin);
	uint8_t role = language_word_role(lexer->language, word);
	const struct key *key = key_before(lexer, end, KEY_WORD);
	bool member = begin && word.ptr[-1] == '.' && !(begin > 1 && word.ptr[-2] == '.');

	lexer->at = end;
	if (key)
		role = key->role;
	else if (member && role == ROLE_KEYWORD)
		role = ROLE_CODE;
	else if (role == ROLE_CODE && lexer->language->capitals && begins_with_capital(word))
		role = lexer->language->capitals;
	if (role == ROLE_KEYWORD)
		lexer->keyword_end = end;
	give_token(lexer, begin, end, role);
}

static void lex_number(struct lexer *lexer)
{
	const char *text = lexer->line.ptr;
	size_t begin = lexer->at, at = begin + 1;
	bool hex = text[begin] == '0' && at < lexer->line.len && (text[at] | 0x20) == 'x';

	for (;; at++) {
		if (is_class(lexer, at, CLASS_DIGIT) || (is_class(lexer, at, CLASS_LETTER) && (unsigned char)text[at] < 0x80))
			continue;
		if (!is_class(lexer, at + 1, CLASS_DIGIT | (hex ? CLASS_LETTER : 0)))
			break;
		if (text[at] == '.' || (lexer->language->separator && text[at] == lexer->language->separator))
			continue;
		char before = (char)(text[at - 1] | 0x20);
		if ((text[at] != '+' && text[at] != '-') || before != (hex ? 'p' : 'e'))
			break;
	}
	give_token(lexer, begin, at, ROLE_NUMBER);
	lexer->at = at;
}

static bool lex_sigil(struct lexer *lexer)
{
	size_t begin = lexer->at, end = word_end(lexer, begin + 1);

	for (const struct sigil *sigil = lexer->language->sigils; end > begin + 1 && sigil->byte; sigil++) {
		if (sigil->byte != lexer->line.ptr[begin] || (sigil->start && begin != lexer->indent))
			continue;
		give_token(lexer, begin, end, sigil->role);
		lexer->at = end;
		return true;
	}
	return false;
}

/* --- lines --- */

static highlight_state lex_token(struct lexer *lexer)
{
	unsigned classes = lexer->language->classes[(unsigned char)lexer->line.ptr[lexer->at]];
	const struct region *region = classes & CLASS_REGION ? region_here(lexer) : NULL;

	if (region)
		return lex_line_region(lexer, region);
	if ((classes & CLASS_SIGIL) && lex_sigil(lexer))
		return 0;
	if (classes & CLASS_LETTER)
		lex_word(lexer);
	else if (classes & CLASS_DIGIT)
		lex_number(lexer);
	else
		lexer->at += classes & CLASS_ESCAPE && lexer->at + 1 < lexer->line.len ? 2 : 1;
	return 0;
}

/* Treats a state that this language cannot have produced as 0. */
static const struct region *region_of_state(const struct language *language, highlight_state state)
{
	unsigned number = state & 15;
	const struct region *region = number <= REGIONS_CARRIED_MOST ? &language->regions[language->carried[number]] : NULL;

	return number && region && region->carried == number ? region : NULL;
}

highlight_state highlight_line(const struct language *language, highlight_state state, struct str line, highlight_sink *sink, void *ctx)
{
	struct lexer lexer = { .language = language, .line = line, .sink = sink, .ctx = ctx, .keyword_end = SIZE_MAX };
	const struct region *region = region_of_state(language, state);
	size_t depth = 1 + (size_t)(state >> 4);

	if (language->tags)
		return markup_line(language, state, line, sink, ctx);
	lexer.indent = skip_line_blanks(&lexer, 0);
	state = 0;
	if (region)
		state = lex_within(&lexer, region, 0, depth);
	else if (language->key_flags & KEY_LINE)
		lex_line_key(&lexer);
	while (lexer.at < line.len && !state)
		state = lex_token(&lexer);
	give_span(&lexer, line.len, ROLE_CODE);
	return state;
}
