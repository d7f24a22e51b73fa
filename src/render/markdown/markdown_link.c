#include "render/markdown/markdown_link.h"

#include <string.h>

#include "base/utf8.h"
#include "render/markdown/markdown_entity.h"

#define PARENTHESES_MOST 32
#define SCHEME_MOST 32
#define SENTENCE_SIGNS "?!.,:;*_~'"

static bool is_punctuation(char c)
{
	return c > ' ' && c < 0x7F && !char_is_word(c);
}

static bool is_one_of(char c, const char *signs)
{
	return c && strchr(signs, c);
}

static bool is_link_control(char c)
{
	return (unsigned char)c < ' ' || c == 0x7F;
}

/* --- after a bracket --- */

static size_t blanks_at(struct str text, size_t at)
{
	while (at < text.len && char_is_blank(text.ptr[at]))
		at++;
	return at;
}

/* Offset after the next byte or escape. */
static size_t skip_one(struct str text, size_t at)
{
	return at + (text.ptr[at] == '\\' && at + 1 < text.len && is_punctuation(text.ptr[at + 1]) ? 2 : 1);
}

/* Offset after the `close` that ends the construct at `at`. 0: a byte of `never` comes first, or the text is incomplete. */
static size_t skip_closed(struct str text, size_t at, char close, const char *never, bool *partial)
{
	for (at++; at < text.len; at = skip_one(text, at)) {
		if (text.ptr[at] == close)
			return at + 1;
		if (is_one_of(text.ptr[at], never))
			return 0;
	}
	*partial = true;
	return 0;
}

/* Offset after a word with balanced parentheses; 0: unbalanced. */
static size_t skip_word(struct str text, size_t at, bool *partial)
{
	unsigned depth = 0;

	for (; at < text.len && !char_is_blank(text.ptr[at]); at = skip_one(text, at)) {
		if (is_link_control(text.ptr[at]) || (text.ptr[at] == '(' && ++depth > PARENTHESES_MOST))
			return 0;
		if (text.ptr[at] == ')' && !depth--)
			return at;
	}
	*partial = at >= text.len;
	return depth ? 0 : at;
}

static size_t skip_title(struct str text, size_t at, bool *partial)
{
	if (!is_one_of(text.ptr[at], "\"'("))
		return 0;
	return text.ptr[at] == '(' ? skip_closed(text, at, ')', "(", partial) : skip_closed(text, at, text.ptr[at], "", partial);
}

size_t link_destination(struct str rest, struct str *destination, bool *partial)
{
	size_t start = blanks_at(rest, 1), at = start, end;
	bool pointed = at < rest.len && rest.ptr[at] == '<';

	*partial = false;
	if (at < rest.len)
		at = pointed ? skip_closed(rest, at, '>', "<\n", partial) : skip_word(rest, at, partial);
	if (!at || *partial)
		return 0;
	*destination = str_of(rest.ptr + start + pointed, at - start - 2 * pointed);
	end = blanks_at(rest, at);
	if (end > at && end < rest.len && rest.ptr[end] != ')') {
		end = skip_title(rest, end, partial);
		if (!end)
			return 0;
		end = blanks_at(rest, end);
	}
	*partial = end >= rest.len;
	return !*partial && rest.ptr[end] == ')' ? end + 1 : 0;
}

/* --- addresses --- */

/* Length of `scheme:` at the start; 0: none. */
static size_t link_scheme_length(struct str text)
{
	size_t at = 0;

	while (at < text.len && at <= SCHEME_MOST && (char_is_word(text.ptr[at]) || (at && is_one_of(text.ptr[at], "+.-"))))
		at++;
	return at >= 2 && at <= SCHEME_MOST && !char_is_digit(text.ptr[0]) && str_starts(str_skip(text, at), ":") ? at + 1 : 0;
}

static bool is_of(char c, const char *signs)
{
	return char_is_word(c) || is_one_of(c, signs);
}

/* Whether the text is `name@host`. */
static bool is_mail(struct str text)
{
	size_t at = str_find(text, STR("@"));

	if (!at || at + 1 >= text.len || !char_is_word(text.ptr[at + 1]) || !char_is_word(text.ptr[text.len - 1]))
		return false;
	for (size_t i = 0; i < text.len; i++)
		if (i != at && !is_of(text.ptr[i], i < at ? ".!#$%&'*+/=?^_`{|}~-" : ".-"))
			return false;
	return true;
}

size_t link_pointed(struct str rest, bool open, struct str *address)
{
	static const char *const begun[] = { "http://", "https://", "mailto:" };
	size_t length = 1;

	while (length < rest.len && !char_is_blank(rest.ptr[length]) && !is_link_control(rest.ptr[length]) && !is_one_of(rest.ptr[length], "<>"))
		length++;
	*address = str_of(rest.ptr + 1, length - 1);
	if (length < rest.len)
		return rest.ptr[length] == '>' && (link_scheme_length(*address) || is_mail(*address)) ? length + 1 : 0;
	for (size_t i = 0; open && i < sizeof begun / sizeof *begun; i++)
		if (str_starts(*address, begun[i]))
			return length;
	return 0;
}

static bool may_precede_address(char c)
{
	return char_is_blank(c) || is_one_of(c, "*_~([<>|\"'") || (unsigned char)c >= 0x80;
}

/* Whether the text begins with a valid first byte of a host. */
static bool begins_host(struct str text)
{
	return text.len && (char_is_word(text.ptr[0]) || (unsigned char)text.ptr[0] >= 0x80);
}

/* Includes the punctuation of scripts without blanks between words. */
static bool ends_address(struct str rest)
{
	unsigned char c = (unsigned char)rest.ptr[0];
	uint32_t code;

	if (c < 0x80)
		return c <= ' ' || c == 0x7F || strchr("<>\"`\\", c);
	if (c != 0xE3 && c != 0xEF)
		return false;
	code = utf8_next(&rest);
	return (code >= 0x3000 && code <= 0x303F) || (code >= 0xFF00 && code <= 0xFFEF);
}

/* Length of a bare address. It ends before an unbalanced `]`, and excludes trailing punctuation and an unbalanced trailing `)`. */
static size_t address_length(struct str rest)
{
	size_t at = 0;
	int round = 0, square = 0;

	for (; at < rest.len && !ends_address(str_skip(rest, at)); at++) {
		round += (rest.ptr[at] == '(') - (rest.ptr[at] == ')');
		square += (rest.ptr[at] == '[') - (rest.ptr[at] == ']');
		if (square < 0)
			break;
	}
	while (at && (is_one_of(rest.ptr[at - 1], SENTENCE_SIGNS) || (rest.ptr[at - 1] == ')' && round < 0)))
		round += rest.ptr[--at] == ')';
	return at;
}

/* Finds the address that begins with `word` before `at` and has `signs` at `at`. */
static struct str find_address(struct str text, size_t floor, size_t at, const char *word, const char *signs, bool open)
{
	size_t length = strlen(word), host = at + strlen(signs), start = at - length, end;

	if (at < floor + length || memcmp(text.ptr + start, word, length) != 0 || !str_starts(str_skip(text, at), signs) ||
	    (start && !may_precede_address(text.ptr[start - 1])))
		return STR_NONE;
	end = host + address_length(str_skip(text, host));
	return begins_host(str_skip(str_head(text, end), host)) || (open && host == text.len) ? str_of(text.ptr + start, end - start) : STR_NONE;
}

static struct str find_mail(struct str text, size_t floor, size_t at)
{
	size_t start = at, end = at + 1;
	bool has_dot = false;

	while (start > floor && is_of(text.ptr[start - 1], ".+-_"))
		start--;
	while (start < at && !char_is_word(text.ptr[start]))
		start++;
	while (end < text.len && (is_of(text.ptr[end], "-_") || (text.ptr[end] == '.' && end + 1 < text.len && char_is_word(text.ptr[end + 1])))) {
		has_dot |= text.ptr[end] == '.';
		end++;
	}
	return start < at && has_dot && char_is_word(text.ptr[at + 1]) && char_is_word(text.ptr[end - 1]) ?
		str_of(text.ptr + start, end - start) : STR_NONE;
}

struct str link_bare(struct str text, size_t floor, size_t at, bool open)
{
	static const char *const schemes[] = { "https", "http", "ftp" };
	struct str address = STR_NONE;

	if (text.ptr[at] == '@')
		return find_mail(text, floor, at);
	if (text.ptr[at] == '.')
		return find_address(text, floor, at, "www", ".", open);
	for (size_t i = 0; !address.len && i < sizeof schemes / sizeof *schemes; i++)
		address = find_address(text, floor, at, schemes[i], "://", open);
	return address;
}

bool link_may_continue(struct str behind)
{
	size_t at = 0;

	while (at < behind.len && is_one_of(behind.ptr[at], SENTENCE_SIGNS ")"))
		at++;
	return at == behind.len;
}

/* --- destinations --- */

const char *link_prefix(struct str address)
{
	if (str_starts(address, "www."))
		return "http://";
	return link_scheme_length(address) ? "" : "mailto:";
}

void link_decode(struct str raw, struct buf *out)
{
	for (size_t at = 0; at < raw.len; ) {
		size_t entity = entity_read(str_skip(raw, at), out), next = skip_one(raw, at);

		if (!entity)
			buf_add_byte(out, raw.ptr[next - 1]);
		at = entity ? at + entity : next;
	}
}

bool link_is_address(struct str destination)
{
	static const char *const schemes[] = { "http://", "https://", "mailto:", "file://" };

	for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++)
		if (str_is_nocase(str_head(destination, strlen(schemes[i])), schemes[i]))
			return true;
	return false;
}

static struct str up_to(struct str text, const char *signs)
{
	size_t length = 0;

	while (length < text.len && !is_one_of(text.ptr[length], signs))
		length++;
	return str_head(text, length);
}

/*
 * The host of an address, as far as programs agree. With a user name or a backslash before it (https://e.org:x@evil.org) they differ, so
 * all of it counts.
 */
static struct str host_of(struct str address)
{
	size_t at = str_find(address, STR("://"));

	if (at < address.len)
		address = str_skip(address, at + 3);
	else if (str_starts(address, "mailto:"))
		address = str_skip(address, 7);
	address = up_to(address, "/?# ");
	if (up_to(address, "@\\").len == address.len)
		address = up_to(address, ":");
	return str_starts(address, "www.") ? str_skip(address, 4) : address;
}

bool link_deceives(struct str text, struct str destination)
{
	struct str host = host_of(text), real = host_of(destination);
	size_t dot = str_find(host, STR("."));

	if (str_find(text, STR(" ")) < text.len || dot == 0 || dot + 2 >= host.len)
		return false;
	return host.len != real.len || !str_has_nocase(host, real);
}
