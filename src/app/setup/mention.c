#include "app/setup/mention.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/percent.h"
#include "store/files/paths.h"

#define PATH_BYTES 4096 /* longer paths cannot be opened */

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

/* --- a path that was pasted --- */

/* Appends a word of a shell; false where a blank ends it: there are more. */
static bool mention_add_word(struct str word, struct buf *path)
{
	for (size_t i = 0; i < word.len; i++) {
		if (char_is_blank(word.ptr[i]))
			return false;
		i += word.ptr[i] == '\\' && i + 1 < word.len;
		buf_add_byte(path, word.ptr[i]);
	}
	return true;
}

static bool mention_is_quoted(struct str text)
{
	char quote = text.len > 2 ? *text.ptr : 0;

	return (quote == '\'' || quote == '"') && text.ptr[text.len - 1] == quote && !memchr(text.ptr + 1, quote, text.len - 2);
}

struct str mention_unquoted(struct str typed)
{
	struct str text = str_trim(typed);

	return mention_is_quoted(text) ? str_of(text.ptr + 1, text.len - 2) : typed;
}

/* False where it is anything else than one path. */
static bool mention_read_path(struct str text, struct buf *path)
{
	bool good = text.len < PATH_BYTES;

	buf_clear(path);
	if (good && mention_is_quoted(text))
		buf_add(path, mention_unquoted(text));
	else if (good && str_starts(text, "file:///"))
		percent_decode(str_skip(text, sizeof "file://" - 1), path);
	else
		good = good && mention_add_word(text, path);
	for (size_t i = 0; i < path->len; i++)
		good = good && (unsigned char)path->ptr[i] >= ' ' && path->ptr[i] != 0x7F;
	return good;
}

bool mention_of_paste(struct str pasted, struct buf *path)
{
	bool good = mention_read_path(str_trim(pasted), path);

	return good && path->len > 1 && (str_starts(buf_str(path), "/") || (str_starts(buf_str(path), "~/") && path->len > 2));
}

char *mention_argument(struct str typed)
{
	char *name = path_expand(typed);
	struct buf path = { 0 };
	struct stat facts;

	if (name && stat(name, &facts) != 0 && mention_read_path(str_trim(typed), &path)) {
		mem_free(name);
		name = path_expand(buf_str(&path));
	}
	buf_fini(&path);
	return name;
}

bool mention_is_file(struct str path)
{
	char *name = path_expand(path);
	struct stat facts;
	bool is = name && stat(name, &facts) == 0 && S_ISREG(facts.st_mode);

	mem_free(name);
	return is;
}
