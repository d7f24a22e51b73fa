#include "render/markdown_tail.h"

#include <string.h>

#define SIGN_MOST 12   /* bytes of a sign that takes several */
#define WORD_MOST 2048 /* bytes of an address */

/* Whether the tail is the beginning of one of these, but not all of it. */
static bool begins(struct str tail, const char *const *words)
{
	for (; *words; words++)
		if (tail.len < strlen(*words) && memcmp(*words, tail.ptr, tail.len) == 0)
			return true;
	return false;
}

static bool is_all(struct str text, bool (*is)(char c))
{
	for (size_t i = 0; i < text.len; i++)
		if (!is(text.ptr[i]))
			return false;
	return true;
}

static bool is_of_entity(char c)
{
	return char_is_word(c) || c == '#';
}

/* A sign of several bytes that is not complete. */
static bool is_under_way(struct str tail, bool after_word)
{
	static const char *const schemes[] = { "http://", "https://", NULL };
	static const char *const pointed[] = { "<http://", "<https://", "<mailto:", "<br>", "<br/>", "<br />", NULL };

	switch (tail.ptr[0]) {
	case '<': return begins(tail, pointed);
	case '&': return is_all(str_skip(tail, 1), is_of_entity);
	case '[': return str_starts(tail, "[^") && is_all(str_skip(tail, 2), char_is_digit);
	case '\\': return str_is(tail, "\\(") || str_is(tail, "\\[");
	case 'h': return !after_word && begins(tail, schemes);
	default: return false;
	}
}

size_t tail_undecided(struct str text)
{
	size_t end = text.len, at = end > SIGN_MOST ? end - SIGN_MOST : 0;
	const char *signs = "*_`~[\\$!";

	while (at < end && !is_under_way(str_skip(text, at), at > 0 && char_is_word(text.ptr[at - 1])))
		at++;
	end = at;
	if (tail_address(str_head(text, end)) < end)
		signs = "*_`~[\\$!.,:;?')";
	while (end && text.ptr[end - 1] && strchr(signs, text.ptr[end - 1]))
		end--;
	while (end && char_is_blank(text.ptr[end - 1]))
		end--;
	return text.len - end;
}

size_t tail_address(struct str text)
{
	size_t at = text.len;

	while (at && text.len - at < WORD_MOST && !char_is_blank(text.ptr[at - 1]) && !strchr("<>([|\"", text.ptr[at - 1]))
		at--;
	return str_starts(str_skip(text, at), "http://") || str_starts(str_skip(text, at), "https://") ? at : text.len;
}

char tail_title(struct str destination)
{
	size_t at = 0;
	char sign;

	while (at < destination.len && !char_is_blank(destination.ptr[at]))
		at++;
	destination = str_trim_start(str_skip(destination, at));
	sign = destination.len ? destination.ptr[0] : '\0';
	if (sign != '"' && sign != '\'')
		return '\0';
	return memchr(destination.ptr + 1, sign, destination.len - 1) ? '\0' : sign;
}
