#include "app/mention.h"

#include <string.h>

#define PATH_BYTES 4096 /* a longer one opens nothing */

bool mention_next(struct str text, size_t *at, struct str *mention)
{
	const char *sign;

	while (*at < text.len && (sign = memchr(text.ptr + *at, '@', text.len - *at))) {
		size_t start = (size_t)(sign - text.ptr), end = start + 1;

		*at = end;
		if (start && !char_is_blank(text.ptr[start - 1]))
			continue;
		while (end < text.len && !char_is_blank(text.ptr[end]))
			end++;
		*at = end;
		*mention = str_of(sign, end - start);
		if (mention->len > 1)
			return true;
	}
	return false;
}

struct str mention_path(struct str mention)
{
	return str_skip(mention, 1);
}

struct str mention_likely_path(struct str mention)
{
	struct str path = mention_path(mention);

	while (path.len && strchr(".,;:!?)]}>\"'", path.ptr[path.len - 1]))
		path.len--;
	for (size_t i = 0; i < path.len && path.len < PATH_BYTES; i++)
		if (path.ptr[i] == '/' || path.ptr[i] == '.')
			return path;
	return STR_NONE;
}
