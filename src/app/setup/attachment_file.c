#include "app/setup/attachment_file.h"

#include <string.h>

#include "base/array.h"
#include "base/regular_file.h"
#include "base/utf8.h"
#include "wire/attachment.h"

/* The media type of a text, by its suffix; text/plain for unknown ones. */
static const char *attachment_media_of_text(struct str path)
{
	static const struct { const char *suffix, *media; } suffixes[] = {
		{ ".md", "text/markdown" },   { ".csv", "text/csv" },         { ".html", "text/html" }, { ".css", "text/css" },
		{ ".xml", "text/xml" },       { ".json", "application/json" },
	};

	for (size_t i = 0; i < ARRAY_LEN(suffixes); i++)
		if (str_ends(path, suffixes[i].suffix))
			return suffixes[i].media;
	return "text/plain";
}

bool attachment_read(const char *path, struct buf *bytes, const char **media, struct error *err)
{
	if (!regular_file_read(bytes, path, err))
		return false;
	if (!bytes->len)
		return error_set(err, "%s is empty", path);
	*media = attachment_media(buf_str(bytes));
	if (!*media && utf8_is_valid(buf_str(bytes)) && !memchr(bytes->ptr, '\0', bytes->len))
		*media = attachment_media_of_text(str_from(path));
	if (!*media)
		*media = "application/octet-stream";
	return true;
}
