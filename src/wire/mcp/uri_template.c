#include "wire/mcp/uri_template.h"

#include <string.h>

#include "base/percent.h"

#define UNRESERVED "-._~"                          /* beside letters and digits, which are never encoded */
#define RESERVED UNRESERVED ":/?#[]@!$&'()*+,;="

static bool place_is_simple(struct str name)
{
	for (size_t i = 0; i < name.len; i++)
		if (!char_is_word(name.ptr[i]) && !strchr("_.-", name.ptr[i]))
			return false;
	return name.len;
}

/* Takes "{name}" from the pattern. */
static bool place_take(struct str *pattern, struct uri_place *place)
{
	size_t end = str_find(*pattern, STR("}"));
	bool is_closed = end < pattern->len;
	struct str name = str_skip(str_head(*pattern, end), 1);

	place->is_reserved = str_starts(name, "+");
	place->name = str_skip(name, place->is_reserved);
	*pattern = str_skip(*pattern, end + 1);
	return is_closed && place_is_simple(place->name);
}

bool uri_template_match(struct str pattern, struct str typed, struct uri_match *m)
{
	for (m->count = 0; m->count < URI_PLACES_MOST;) {
		struct uri_place *place = &m->places[m->count];
		struct str literal = str_head(pattern, str_find(pattern, STR("{")));

		if (!str_equal(str_head(typed, literal.len), literal) || literal.len == pattern.len)
			return false;
		typed = str_skip(typed, literal.len);
		pattern = str_skip(pattern, literal.len);
		if (!place_take(&pattern, place))
			return false;
		literal = str_head(pattern, str_find(pattern, STR("{")));
		place->value = literal.len ? str_head(typed, str_find(typed, literal)) : typed;
		if (!place->is_reserved && str_find(place->value, STR("/")) < place->value.len)
			return false;
		m->count++;
		typed = str_skip(typed, place->value.len);
		m->rest = pattern;
		if (!typed.len)
			return true;
	}
	return false;
}

void uri_template_write(const struct uri_match *m, struct str typed, struct str value, struct buf *out)
{
	const struct uri_place *place = &m->places[m->count - 1];

	buf_add(out, str_head(typed, typed.len - place->value.len));
	percent_encode(value, place->is_reserved ? RESERVED : UNRESERVED, out);
	buf_add(out, m->rest);
}
