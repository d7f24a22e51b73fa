#include "render/markdown/markdown_line.h"

#include <string.h>

#define TAB_COLUMNS 4
#define NUMBER_DIGITS 9
#define LABEL_MOST 1000
#define NOTE_MOST 64

static bool is_gap(char c)
{
	return c == ' ' || c == '\t';
}

unsigned line_indent(const struct line_cursor *cursor, unsigned most)
{
	unsigned columns = cursor->spare, column = cursor->column + cursor->spare;

	for (size_t i = 0; i < cursor->rest.len && columns < most && is_gap(cursor->rest.ptr[i]); i++) {
		unsigned step = cursor->rest.ptr[i] == '\t' ? TAB_COLUMNS - column % TAB_COLUMNS : 1;

		columns += step;
		column += step;
	}
	return columns < most ? columns : most;
}

void line_skip_blanks(struct line_cursor *cursor, unsigned columns)
{
	while (columns > 0) {
		unsigned step = cursor->spare;

		if (!step) {
			if (!cursor->rest.len || !is_gap(cursor->rest.ptr[0]))
				return;
			step = cursor->rest.ptr[0] == '\t' ? TAB_COLUMNS - cursor->column % TAB_COLUMNS : 1;
			cursor->rest = str_skip(cursor->rest, 1);
		}
		cursor->spare = step > columns ? step - columns : 0;
		cursor->column += step - cursor->spare;
		columns -= step - cursor->spare;
	}
}

void line_skip_bytes(struct line_cursor *cursor, size_t count)
{
	cursor->rest = str_skip(cursor->rest, count);
	cursor->column += (unsigned)count;
}

bool line_take_quote(struct line_cursor *cursor)
{
	struct line_cursor ahead = *cursor;

	line_skip_blanks(&ahead, 3);
	if (ahead.spare || !str_starts(ahead.rest, ">"))
		return false;
	line_skip_bytes(&ahead, 1);
	line_skip_blanks(&ahead, 1);
	*cursor = ahead;
	return true;
}

bool line_is_marker(struct str rest, struct line_marker *marker)
{
	size_t digits = 0;

	*marker = (struct line_marker){ 0 };
	while (digits < rest.len && digits <= NUMBER_DIGITS && char_is_digit(rest.ptr[digits]))
		digits++;
	if (digits > NUMBER_DIGITS || digits == rest.len)
		return false;
	if (digits ? rest.ptr[digits] != '.' && rest.ptr[digits] != ')' : !strchr("-+*", rest.ptr[0]) || !rest.ptr[0])
		return false;
	marker->length = digits + 1;
	marker->ordered = digits > 0;
	marker->is_one = digits == 1 && rest.ptr[0] == '1';
	marker->empty = str_is_blank(str_skip(rest, digits + 1));
	return marker->length == rest.len || is_gap(rest.ptr[marker->length]);
}

static size_t run_length(struct str rest, char sign)
{
	size_t length = 0;

	while (length < rest.len && rest.ptr[length] == sign)
		length++;
	return length;
}

bool line_is_fence(struct str rest, struct line_fence *fence)
{
	fence->sign = rest.len ? rest.ptr[0] : '\0';
	if (fence->sign != '`' && fence->sign != '~')
		return false;
	fence->length = run_length(rest, fence->sign);
	fence->info = str_trim(str_skip(rest, fence->length));
	return fence->length >= 3 && (fence->sign == '~' || !fence->info.len || !memchr(fence->info.ptr, '`', fence->info.len));
}

bool line_closes_fence(struct str rest, char sign, size_t length)
{
	size_t run = run_length(rest, sign);

	return run >= length && str_is_blank(str_skip(rest, run));
}

unsigned line_is_heading(struct str rest, struct str *text)
{
	size_t level = run_length(rest, '#'), end;

	if (level < 1 || level > 6 || (level < rest.len && !is_gap(rest.ptr[level])))
		return 0;
	*text = str_trim(str_skip(rest, level));
	end = text->len;
	while (end && text->ptr[end - 1] == '#')
		end--;
	if (end == 0 || is_gap(text->ptr[end - 1]))
		*text = str_trim(str_head(*text, end));
	return (unsigned)level;
}

bool line_is_rule(struct str rest)
{
	char sign = rest.len ? rest.ptr[0] : '\0';
	size_t count = 0;

	if (sign != '-' && sign != '*' && sign != '_')
		return false;
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.ptr[i] == sign)
			count++;
		else if (!char_is_blank(rest.ptr[i]))
			return false;
	}
	return count >= 3;
}

unsigned line_is_underline(struct str rest)
{
	char sign = rest.len ? rest.ptr[0] : '\0';

	if ((sign != '=' && sign != '-') || !str_is_blank(str_skip(rest, run_length(rest, sign))))
		return 0;
	return sign == '=' ? 1 : 2;
}

const char *line_opens_math(struct str rest)
{
	if (str_starts(rest, "$$"))
		return "$$";
	return str_starts(rest, "\\[") ? "\\]" : NULL;
}

/* The offset of the next unescaped `|`, or the length. */
static size_t next_bar(struct str rest)
{
	for (size_t i = 0; i < rest.len; i++) {
		if (rest.ptr[i] == '\\')
			i++;
		else if (rest.ptr[i] == '|')
			return i;
	}
	return rest.len;
}

struct str line_row(struct str rest)
{
	rest = str_trim(rest);
	if (str_starts(rest, "|"))
		rest = str_skip(rest, 1);
	if (str_ends(rest, "|") && !str_ends(rest, "\\|"))
		rest.len--;
	return rest;
}

size_t line_columns(struct str rest)
{
	size_t columns = 1;

	if (next_bar(rest) == rest.len)
		return 0;
	rest = line_row(rest);
	for (size_t at = next_bar(rest); at < rest.len; at = next_bar(rest)) {
		rest = str_skip(rest, at + 1);
		columns++;
	}
	return columns;
}

bool line_take_cell(struct str *rest, size_t left, struct str *cell)
{
	size_t at;

	if (!rest->len)
		return false;
	at = left > 1 ? next_bar(*rest) : rest->len;
	*cell = str_trim(str_head(*rest, at));
	*rest = str_skip(*rest, at + 1);
	return true;
}

static bool is_delimiter_cell(struct str cell)
{
	if (str_starts(cell, ":"))
		cell = str_skip(cell, 1);
	if (str_ends(cell, ":"))
		cell.len--;
	return cell.len > 0 && run_length(cell, '-') == cell.len;
}

size_t line_is_delimiter(struct str rest)
{
	size_t columns = 0;
	struct str cell;

	if (next_bar(rest) == rest.len && !str_starts(str_trim(rest), ":"))
		return 0;
	rest = line_row(rest);
	while (line_take_cell(&rest, 2, &cell)) {
		if (!is_delimiter_cell(cell))
			return 0;
		columns++;
	}
	return columns;
}

/* Length of `[label]` at the start, with its brackets; 0: none. */
static size_t label_length(struct str rest, size_t most)
{
	size_t i = 1;

	if (!str_starts(rest, "["))
		return 0;
	for (; i < rest.len && i < most && rest.ptr[i] != ']'; i++) {
		if (rest.ptr[i] == '[')
			return 0;
		if (rest.ptr[i] == '\\')
			i++;
	}
	return i < rest.len && rest.ptr[i] == ']' ? i + 1 : 0;
}

/* A word without any of these characters is text, as in `[note]: see below`. */
static bool is_destination(struct str word, bool partial)
{
	if (partial && word.len < 6 && (!word.len || memcmp("https:", word.ptr, word.len) == 0))
		return true;
	for (size_t i = 0; i < word.len; i++)
		if (word.ptr[i] && strchr("/.#@:", word.ptr[i]))
			return true;
	return false;
}

static bool is_title(struct str title, bool partial)
{
	char close = title.len ? title.ptr[0] == '(' ? ')' : title.ptr[0] : '\0';

	if (partial && close && strchr("\"')", close))
		return true;
	return title.len > 1 && strchr("\"')", close) && title.ptr[title.len - 1] == close;
}

bool line_is_definition(struct str rest, bool partial, struct line_definition *definition)
{
	size_t label = label_length(rest, LABEL_MOST), length = 0;
	struct str behind = str_skip(rest, label);
	bool pointed;

	if (label < 3 || rest.ptr[1] == '^' || !str_starts(behind, ":") || str_is_blank(str_of(rest.ptr + 1, label - 2)))
		return false;
	behind = str_trim(str_skip(behind, 1));
	pointed = str_starts(behind, "<");
	while (length < behind.len && (pointed ? behind.ptr[length] != '>' : !char_is_blank(behind.ptr[length])))
		length++;
	if (pointed && (length == behind.len || length == 1))
		return false;
	definition->label = str_of(rest.ptr + 1, label - 2);
	definition->destination = str_of(behind.ptr + pointed, length - pointed);
	definition->title = str_trim(str_skip(behind, length + pointed));
	return (pointed || is_destination(definition->destination, partial && !definition->title.len)) &&
		(!definition->title.len || is_title(definition->title, partial));
}

size_t line_is_footnote(struct str rest)
{
	size_t label = str_starts(rest, "[^") ? label_length(rest, NOTE_MOST) : 0;

	for (size_t i = 2; i + 1 < label; i++)
		if (rest.ptr[i] <= ' ' || rest.ptr[i] >= 0x7F)
			return 0;
	return label > 3 && str_starts(str_skip(rest, label), ":") ? label + 1 : 0;
}

size_t line_note_digits(struct str label)
{
	size_t digits = 0;

	if (!str_starts(label, "[^"))
		return 0;
	label = str_skip(label, 2);
	while (digits < label.len && char_is_digit(label.ptr[digits]))
		digits++;
	return digits && digits < label.len && label.ptr[digits] == ']' ? digits : 0;
}

static bool is_partial_footnote(struct str rest)
{
	size_t i = 2;

	while (i < rest.len && rest.ptr[i] > ' ' && rest.ptr[i] < 0x7F && rest.ptr[i] != ']')
		i++;
	return i + 1 >= rest.len && i < NOTE_MOST;
}

bool line_is_undecided(struct str rest, bool may_number)
{
	size_t digits = 0;

	rest = str_trim(rest);
	if (!rest.len)
		return true;
	if (strchr("-=*+_#~$", rest.ptr[0]) && rest.ptr[0])
		return run_length(rest, rest.ptr[0]) == rest.len;
	if (rest.ptr[0] == '`')
		return run_length(rest, '`') == rest.len && rest.len < 3;
	if (str_is(rest, "\\") || str_is(rest, "["))
		return true;
	if (str_starts(rest, "[^"))
		return is_partial_footnote(rest);
	while (digits < rest.len && char_is_digit(rest.ptr[digits]))
		digits++;
	if (!may_number || !digits || digits > NUMBER_DIGITS)
		return false;
	return digits == rest.len || (digits + 1 == rest.len && (rest.ptr[digits] == '.' || rest.ptr[digits] == ')'));
}
