#include <string.h>
#include <sys/stat.h>

#include "app/session.h"
#include "base/mem.h"
#include "base/utf8.h"
#include "store/paths.h"

#define MENTIONS_MOST 64 /* words of a prompt that are looked for as files */

/* Contents that say what they are: bytes at an offset. */
struct magic { size_t at; struct str bytes; const char *media; };

static const char *media_of_content(struct str bytes)
{
	const struct magic magics[] = {
		{ 0, STR("\x89PNG\r\n\x1a\n"), "image/png" },
		{ 0, STR("\xff\xd8\xff"), "image/jpeg" },
		{ 0, STR("GIF87a"), "image/gif" },
		{ 0, STR("GIF89a"), "image/gif" },
		{ 8, STR("WEBP"), "image/webp" },
		{ 0, STR("%PDF-"), "application/pdf" },
		{ 0, STR("ID3"), "audio/mpeg" },
		{ 8, STR("WAVE"), "audio/wav" },
	};

	for (size_t i = 0; i < sizeof magics / sizeof magics[0]; i++)
		if (str_equal(str_head(str_skip(bytes, magics[i].at), magics[i].bytes.len), magics[i].bytes))
			return magics[i].media;
	return NULL;
}

/* What a text is; all the others are plain. */
static const char *media_of_text(struct str path)
{
	static const struct { const char *suffix, *media; } suffixes[] = {
		{ ".md", "text/markdown" },   { ".csv", "text/csv" },         { ".html", "text/html" }, { ".css", "text/css" },
		{ ".xml", "text/xml" },       { ".json", "application/json" },
	};

	for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
		if (str_ends(path, suffixes[i].suffix))
			return suffixes[i].media;
	return "text/plain";
}

bool attachment_read(const char *path, struct buf *bytes, const char **media, struct error *err)
{
	if (!buf_read_file(bytes, path, err))
		return false;
	if (!bytes->len)
		return error_set(err, "%s is empty", path);
	*media = media_of_content(buf_str(bytes));
	if (!*media && utf8_is_valid(buf_str(bytes)) && !memchr(bytes->ptr, '\0', bytes->len))
		*media = media_of_text(str_from(path));
	if (!*media)
		*media = "application/octet-stream";
	return true;
}

bool session_attach_mentioned(struct session *s, struct str prompt, struct error *err)
{
	bool good = true;

	for (size_t i = 0, looked = 0; good && i < prompt.len && looked < MENTIONS_MOST; i++) {
		size_t len = 0;
		struct stat facts;
		char *path;

		if (prompt.ptr[i] != '@' || (i && !char_is_blank(prompt.ptr[i - 1])))
			continue;
		while (i + 1 + len < prompt.len && !char_is_blank(prompt.ptr[i + 1 + len]))
			len++;
		path = path_expand(str_of(prompt.ptr + i + 1, len));
		if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
			good = session_attach(s, path, err);
		mem_free(path);
		looked++;
	}
	return good;
}
