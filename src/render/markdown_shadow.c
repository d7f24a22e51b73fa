#include "render/markdown_shadow.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "render/markdown_tail.h"

#define SHADOW_LIMIT (1 << 16)
#define OPEN_LIMIT 512      /* signs that are closed behind an open text */
#define MATH_LIMIT 1024     /* bytes of `$...$` */
#define ADDRESS_LIMIT 256   /* bytes of a word before and behind a sign in which an address is looked for */
#define LINK_TEXT_LIMIT 256 /* bytes of a link's text that is taken for one before its end was seen */

void shadow_init(struct shadow *shadow)
{
	*shadow = (struct shadow){ 0 };
	buf_init(&shadow->text, SHADOW_LIMIT);
}

void shadow_fini(struct shadow *shadow)
{
	buf_fini(&shadow->text);
	mem_free(shadow->lines);
	mem_free(shadow->ranges);
	mem_free(shadow->references);
	shadow_init(shadow);
}

void shadow_begin(struct shadow *shadow, struct str prefix)
{
	buf_clear(&shadow->text);
	buf_add(&shadow->text, prefix);
	shadow->line_count = shadow->range_count = shadow->reference_count = 0;
}

void shadow_add_line(struct shadow *shadow, struct str line, size_t source)
{
	struct str trimmed = str_trim(line);

	if (shadow->line_count)
		buf_add_byte(&shadow->text, ' ');
	mem_reserve(&shadow->lines, &shadow->line_capacity, shadow->line_count + 1, sizeof *shadow->lines);
	shadow->lines[shadow->line_count++] = (struct shadow_line){
		.at = shadow->text.len, .text = trimmed, .source = source + (size_t)(trimmed.len ? trimmed.ptr - line.ptr : 0) };
	if (!buf_add(&shadow->text, trimmed))
		shadow->lines[shadow->line_count - 1].text.len = 0;
}

size_t shadow_line_of(const struct shadow *shadow, size_t at)
{
	size_t low = 0, high = shadow->line_count;

	while (high - low > 1) {
		size_t middle = (low + high) / 2;

		if (shadow->lines[middle].at <= at)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* --- characters --- */

static bool is_ascii_punctuation(char c)
{
	return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

static bool is_punctuation(uint32_t code)
{
	if (code < 0x80)
		return is_ascii_punctuation((char)code);
	return code == 0xA1 || code == 0xA7 || code == 0xAB || code == 0xB6 || code == 0xB7 || code == 0xBB || code == 0xBF ||
		(code >= 0x2010 && code <= 0x2027) || (code >= 0x2030 && code <= 0x205E) || (code >= 0x3001 && code <= 0x3003) ||
		(code >= 0x3008 && code <= 0x3011) || (code >= 0x3014 && code <= 0x301F) || code == 0x30FB || (code >= 0xFF01 && code <= 0xFF0F) ||
		(code >= 0xFF1A && code <= 0xFF20) || (code >= 0xFF3B && code <= 0xFF3D) || (code >= 0xFF5B && code <= 0xFF65);
}

/* The bytes of the character that ends at `at`; 0 at the start. */
static size_t length_before(const struct shadow *shadow, size_t start, size_t at)
{
	size_t length = 0;

	while (at - length > start && length < 4) {
		length++;
		if (!utf8_is_inside(shadow->text.ptr[at - length]))
			break;
	}
	return length;
}

struct neighbour {
	size_t at, length;
	bool blank, punctuation, wide;
};

static struct neighbour neighbour_of(const struct shadow *shadow, size_t at, size_t length)
{
	struct str text = str_of(shadow->text.ptr + at, length), rest = text;
	struct neighbour neighbour = { .at = at, .length = length, .blank = !length || char_is_blank(text.ptr[0]) };

	if (!length)
		return neighbour;
	neighbour.punctuation = is_punctuation(utf8_next(&rest));
	neighbour.length = length - rest.len;
	neighbour.wide = neighbour.length > 1 && utf8_width(str_head(text, neighbour.length)) == 2;
	return neighbour;
}

/* --- the pass over the text --- */

struct delimiter {
	char sign;
	uint8_t count;
};

struct pass {
	struct shadow *shadow;
	size_t at, start, end;
	bool open;
	struct delimiter stack[OPEN_LIMIT];
	unsigned depth;
	size_t bracket;         /* of a link that may be under way; 0: none */
	unsigned bracket_depth; /* delimiters that were open then */
	size_t code;            /* backticks of code that nobody closed */
	bool destination;       /* the text ends within a link's destination, */
	char title;             /* and in its title, which this would close; or NUL */
	bool pointed;           /* it ends within <https://... */
	bool doubt;             /* what may yet mean something else was seen */
};

static char *bytes(const struct pass *pass)
{
	return pass->shadow->text.ptr;
}

static size_t run_at(const struct pass *pass, size_t at)
{
	size_t length = 1;

	while (at + length < pass->end && bytes(pass)[at + length] == bytes(pass)[at])
		length++;
	return length;
}

static void add_range(struct pass *pass, size_t at, size_t length, enum shadow_kind kind, unsigned sign)
{
	struct shadow *shadow = pass->shadow;

	mem_reserve(&shadow->ranges, &shadow->range_capacity, shadow->range_count + 1, sizeof *shadow->ranges);
	shadow->ranges[shadow->range_count++] = (struct shadow_range){ .at = at, .length = length, .kind = kind, .sign = sign };
	memset(bytes(pass) + at, kind == SHADOW_BREAK ? ' ' : 'x', length);
	pass->at = at + length;
}

/* The end of the line that `at` is in. */
static size_t line_end(const struct pass *pass, size_t at)
{
	const struct shadow_line *line = &pass->shadow->lines[shadow_line_of(pass->shadow, at)];
	size_t end = line->at + line->text.len;

	return end < pass->end ? end : pass->end;
}

/* `\(...\)`, `\[...\]` and `$$...$$` of one line. */
static bool take_math(struct pass *pass, const char *closer)
{
	size_t at = pass->at, end = line_end(pass, at);
	struct str inside = str_of(bytes(pass) + at + 2, end - at - 2);
	size_t length = str_find(inside, str_from(closer));

	if (length == 0 || (length == inside.len && !pass->open) || (length == inside.len && end < pass->end))
		return false;
	if (length < inside.len)
		add_range(pass, at, length + 4, SHADOW_MATH, 2);
	else
		add_range(pass, at, end - at, SHADOW_MATH, 2);
	return true;
}

static bool is_surely_math(struct str inside)
{
	return memchr(inside.ptr, '\\', inside.len) || memchr(inside.ptr, '^', inside.len) || memchr(inside.ptr, '_', inside.len);
}

/* A sum of money with words behind it is no math. */
static bool is_money(struct str inside)
{
	if (!char_is_digit(inside.ptr[0]))
		return false;
	return memchr(inside.ptr, ' ', inside.len) && !memchr(inside.ptr, '=', inside.len) && !is_surely_math(inside);
}

/* `$...$`: no blanks inside its signs, no digit behind, on one line. */
static bool take_dollar(struct pass *pass)
{
	size_t at = pass->at, end = line_end(pass, at), i = at + 1;
	const char *text = bytes(pass);

	if (i >= end || char_is_blank(text[i]) || (at > pass->start && char_is_word(text[at - 1])))
		return false;
	for (; i < end && i - at < MATH_LIMIT; i++) {
		if (text[i] == '\\')
			i++;
		else if (text[i] == '$')
			break;
	}
	if (i >= end && pass->open && end == pass->end && is_surely_math(str_of(text + at + 1, end - at - 1))) {
		add_range(pass, at, end - at, SHADOW_MATH, 1);
		return true;
	}
	if (i >= end || text[i] != '$' || char_is_blank(text[i - 1]) || (i + 1 < pass->end && char_is_word(text[i + 1])) ||
	    is_money(str_of(text + at + 1, i - at - 1)))
		return false;
	add_range(pass, at, i + 1 - at, SHADOW_MATH, 1);
	return true;
}

static void pass_dollar(struct pass *pass)
{
	if (run_at(pass, pass->at) >= 2 ? take_math(pass, "$$") : take_dollar(pass))
		return;
	pass->at += run_at(pass, pass->at);
}

static void pass_backslash(struct pass *pass)
{
	char next = pass->at + 1 < pass->end ? bytes(pass)[pass->at + 1] : '\0';

	if ((next == '(' && take_math(pass, "\\)")) || (next == '[' && take_math(pass, "\\]")))
		return;
	pass->at += next ? 2 : 1;
}

static void pass_backtick(struct pass *pass)
{
	size_t length = run_at(pass, pass->at), at = pass->at + length;

	while (at < pass->end) {
		const char *tick = memchr(bytes(pass) + at, '`', pass->end - at);
		size_t run;

		if (!tick)
			break;
		at = (size_t)(tick - bytes(pass));
		run = run_at(pass, at);
		at += run;
		if (run == length) {
			pass->at = at;
			return;
		}
	}
	if (pass->open) {
		pass->code = length;
		pass->at = pass->end;
		return;
	}
	pass->at += length;
}

static void pass_less(struct pass *pass)
{
	static const char *const breaks[] = { "<br>", "<br/>", "<br />" };
	struct str rest = str_of(bytes(pass) + pass->at, pass->end - pass->at);

	for (size_t i = 0; i < sizeof breaks / sizeof *breaks; i++) {
		size_t length = strlen(breaks[i]);

		if (str_is_nocase(str_head(rest, length), breaks[i])) {
			add_range(pass, pass->at, length, SHADOW_BREAK, 0);
			return;
		}
	}
	pass->pointed = pass->open && pass->shadow->address == pass->at + 1;
	pass->at++;
}

/* Makes punctuation of a wide character beside a delimiter; its other end stays a letter. */
static void soften(struct pass *pass, const struct neighbour *wide, bool first)
{
	char *text = bytes(pass) + wide->at;

	for (size_t i = 0; i < wide->length; i++)
		if (text[i] != ',')
			text[i] = 'x';
	text[first ? 0 : wide->length - 1] = ',';
}

static void close_delimiters(struct pass *pass, char sign, size_t *count)
{
	while (*count) {
		unsigned i = pass->depth;

		while (i && pass->stack[i - 1].sign != sign)
			i--;
		if (!i)
			return;
		if (pass->stack[i - 1].count > *count) {
			pass->stack[i - 1].count = (uint8_t)(pass->stack[i - 1].count - *count);
			pass->depth = i;
			*count = 0;
			return;
		}
		*count -= pass->stack[i - 1].count;
		pass->depth = i - 1;
	}
}

static bool has_open(const struct pass *pass, char sign)
{
	for (unsigned i = pass->depth; i; i--)
		if (pass->stack[i - 1].sign == sign)
			return true;
	return pass->depth == OPEN_LIMIT;
}

/* Keeps the signs that are open, so that an unfinished text is styled as if they were closed. */
static void follow_delimiter(struct pass *pass, size_t count, const struct neighbour *before, const struct neighbour *after)
{
	char sign = bytes(pass)[pass->at];
	bool left = !after->blank && (!after->punctuation || before->blank || before->punctuation);
	bool right = !before->blank && (!before->punctuation || after->blank || after->punctuation);
	bool within = before->length && after->length && char_is_word(bytes(pass)[before->at]) && char_is_word(bytes(pass)[after->at]);

	if (within && (sign == '_' || !has_open(pass, sign))) {
		if (sign == '*')
			memset(bytes(pass) + pass->at, 'x', count); /* 2*3*4 is a product */
		return;
	}
	pass->doubt |= left && (right || count > 3 || pass->depth == OPEN_LIMIT);
	if (right && pass->depth)
		pass->doubt |= pass->stack[pass->depth - 1].sign != sign || pass->stack[pass->depth - 1].count != count;
	if (right)
		close_delimiters(pass, sign, &count);
	if (left && count && count <= 3 && !within && pass->depth < OPEN_LIMIT)
		pass->stack[pass->depth++] = (struct delimiter){ .sign = sign, .count = (uint8_t)count };
}

static bool is_emphasis(char c)
{
	return c == '*' || c == '_';
}

/* Signs that strike nothing. Beside other delimiters they stay punctuation; elsewhere they may be of an address, where that ends it. */
static void drop_tildes(struct pass *pass, size_t count, const struct neighbour *before, const struct neighbour *after)
{
	char *text = bytes(pass);
	bool beside = (before->length && is_emphasis(text[before->at])) || (after->length && is_emphasis(text[after->at]));

	if (before->length != 1 || text[before->at] != '/') /* of an address */
		memset(text + pass->at, beside ? ',' : 'x', count);
}

/* Whether the word around `at` may be an address, in which md4c takes signs for text or not, as it comes. */
static bool is_in_address(const struct pass *pass, size_t at)
{
	const char *text = bytes(pass);
	size_t from = at, to = at;
	struct str word;

	while (from > pass->start && at - from < ADDRESS_LIMIT && !char_is_blank(text[from - 1]))
		from--;
	while (to < pass->end && to - at < ADDRESS_LIMIT && !char_is_blank(text[to]))
		to++;
	word = str_of(text + from, to - from);
	return str_has_nocase(word, STR("www.")) || str_has_nocase(word, STR(":/")) || str_has_nocase(word, STR("@"));
}

static void pass_delimiter(struct pass *pass)
{
	size_t count = run_at(pass, pass->at), next = pass->at + count, before_length = length_before(pass->shadow, pass->start, pass->at);
	struct neighbour before = neighbour_of(pass->shadow, pass->at - before_length, before_length);
	struct neighbour after = neighbour_of(pass->shadow, next, pass->end - next < 4 ? pass->end - next : 4);

	if (bytes(pass)[pass->at] == '~' && count != 2) {
		drop_tildes(pass, count, &before, &after);
		pass->at = next;
		return;
	}
	pass->doubt = pass->doubt || bytes(pass)[pass->at] == '~' || before.wide || after.wide || is_in_address(pass, pass->at);
	if (before.punctuation && after.wide && !after.punctuation) {
		soften(pass, &after, true);
		after.punctuation = true;
	} else if (after.punctuation && before.wide && !before.punctuation) {
		soften(pass, &before, false);
		before.punctuation = true;
	}
	follow_delimiter(pass, count, &before, &after);
	pass->at = next;
}

/* `[^label]`, the mark of a footnote. */
static bool take_note(struct pass *pass)
{
	size_t at = pass->at + 2;
	const char *text = bytes(pass);

	if (at >= pass->end || text[at - 1] != '^')
		return false;
	while (at < pass->end && (char_is_word(text[at]) || text[at] == '-' || text[at] == '_'))
		at++;
	if (at == pass->at + 2 || (at < pass->end ? text[at] != ']' : !pass->open))
		return false;
	add_range(pass, pass->at, at - pass->at + (at < pass->end), SHADOW_NOTE, 0);
	return true;
}

static void pass_bracket(struct pass *pass)
{
	char before = pass->at > pass->start ? bytes(pass)[pass->at - 1] : ' ';
	char after = pass->at + 1 < pass->end ? bytes(pass)[pass->at + 1] : ' ';

	if (take_note(pass))
		return;
	pass->bracket = 0;
	if (!char_is_blank(after) && after != ']' && after != '^' && !char_is_word(before) && before != ']' && before != ')') {
		pass->bracket = pass->at;
		pass->bracket_depth = pass->depth;
	}
	pass->at++;
}

/* Behind the `]` of a text that no destination follows. */
static void take_reference(struct pass *pass, size_t line_end)
{
	struct shadow *shadow = pass->shadow;
	struct shadow_reference reference = { .at = pass->bracket, .close = pass->at - 1, .end = pass->at, .label = pass->bracket + 1 };
	const char *text = bytes(pass);

	reference.label_length = reference.close - reference.label;
	if (reference.end < line_end && text[reference.end] == '[') {
		size_t label = reference.end + 1, length = str_find(str_of(text + label, line_end - label), STR("]"));

		if (label + length == line_end)
			return;
		reference.end = label + length + 1;
		if (length) {
			reference.label = label;
			reference.label_length = length;
		}
	}
	mem_reserve(&shadow->references, &shadow->reference_capacity, shadow->reference_count + 1, sizeof *shadow->references);
	shadow->references[shadow->reference_count++] = reference;
	pass->at = reference.end;
}

static void pass_bracket_end(struct pass *pass)
{
	size_t at = pass->at + 1, end = line_end(pass, pass->at), depth = 0;
	const char *text = bytes(pass);

	if (pass->bracket && (at < pass->end ? text[at] != '(' : !pass->open)) {
		pass->at = at;
		take_reference(pass, end);
		pass->bracket = 0;
		return;
	}
	pass->at = at;
	if (at >= pass->end)
		return;
	if (text[at] == '(') {
		for (; at < end; at++) {
			if (text[at] == '(')
				depth++;
			else if (text[at] == ')' && --depth == 0)
				break;
		}
		pass->destination = pass->open && at == pass->end && pass->bracket;
		if (pass->destination)
			pass->title = tail_title(str_of(text + pass->at + 1, pass->end - pass->at - 1));
		if (at < end || pass->destination)
			pass->at = at;
	}
	if (!pass->destination)
		pass->bracket = 0;
}

static void pass_over(struct pass *pass)
{
	while (pass->at < pass->end) {
		char sign = bytes(pass)[pass->at];

		pass->doubt |= sign && strchr("\\$<[]", sign);
		switch (sign) {
		case '\\': pass_backslash(pass); break;
		case '`': pass_backtick(pass); break;
		case '$': pass_dollar(pass); break;
		case '<': pass_less(pass); break;
		case '*': case '_': case '~': pass_delimiter(pass); break;
		case '[': pass_bracket(pass); break;
		case ']': pass_bracket_end(pass); break;
		default: pass->at++;
		}
		if (char_is_blank(sign) && pass->open && !pass->doubt && !pass->depth)
			pass->shadow->settled = pass->at;
	}
}

/* --- ends --- */

static void close_delimiters_from(struct pass *pass, unsigned depth)
{
	while (pass->depth > depth) {
		const struct delimiter *delimiter = &pass->stack[--pass->depth];

		for (unsigned i = 0; i < delimiter->count; i++)
			buf_add_byte(&pass->shadow->text, delimiter->sign);
	}
}

static void close_open(struct pass *pass)
{
	struct buf *text = &pass->shadow->text;
	bool link = pass->bracket && (pass->destination || pass->end - pass->bracket < LINK_TEXT_LIMIT);

	for (size_t i = 0; i < pass->code; i++)
		buf_add_byte(text, '`');
	if (pass->pointed)
		buf_add_byte(text, '>');
	if (link && pass->destination) {
		if (pass->title)
			buf_add_byte(text, pass->title);
		buf_add(text, STR(")"));
	} else if (link) {
		if (pass->depth > pass->bracket_depth)
			close_delimiters_from(pass, pass->bracket_depth);
		buf_add(text, str_ends(str_head(buf_str(text), pass->end), "]") && !pass->code ? STR("(#)") : STR("](#)"));
	}
	close_delimiters_from(pass, 0);
}

static bool is_plain(struct str text)
{
	static const bool special[256] = { ['*'] = true, ['_'] = true, ['`'] = true, ['['] = true, [']'] = true, ['<'] = true, ['&'] = true,
		['\\'] = true, ['~'] = true, ['$'] = true, ['@'] = true };

	for (size_t i = 0; i < text.len; i++) {
		unsigned char c = (unsigned char)text.ptr[i];

		if (special[c] || (c == ':' && i + 2 < text.len && text.ptr[i + 1] == '/') ||
		    (c == '.' && i >= 3 && (text.ptr[i - 1] | 0x20) == 'w' && (text.ptr[i - 2] | 0x20) == 'w'))
			return false;
	}
	return true;
}

void shadow_end(struct shadow *shadow, bool open)
{
	struct pass pass = { .shadow = shadow, .open = open };
	char *text = shadow->text.ptr;

	shadow->end = shadow->text.len;
	pass.start = shadow->line_count ? shadow->lines[0].at : shadow->end;
	if (open)
		shadow->end -= tail_undecided(str_of(text + pass.start, shadow->end - pass.start));
	shadow->text.len = shadow->end;
	shadow->address = open ? pass.start + tail_address(str_of(text + pass.start, shadow->end - pass.start)) : shadow->end;
	shadow->plain = is_plain(str_of(text + pass.start, shadow->end - pass.start));
	shadow->settled = shadow->plain ? shadow->end : pass.start;
	if (shadow->plain)
		return;
	for (size_t i = pass.start; i < shadow->end; i++)
		if ((unsigned char)text[i] < ' ' && text[i] != '\t')
			text[i] = 'x';
	pass.at = pass.start;
	pass.end = shadow->end;
	pass_over(&pass);
	if (open)
		close_open(&pass);
	buf_add(&shadow->text, STR("\v\n"));
}
