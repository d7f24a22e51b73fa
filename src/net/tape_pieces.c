#include "net/tape_pieces.h"

#include "base/json_scan.h"

/* Length of a line with its end: LF, CRLF or CR. `*content` is its length without. */
static size_t line_length(struct str text, size_t *content)
{
	size_t end = 0;

	while (end < text.len && text.ptr[end] != '\n' && text.ptr[end] != '\r')
		end++;
	*content = end;
	if (end == text.len)
		return end;
	return end + 1 + (text.ptr[end] == '\r' && end + 1 < text.len && text.ptr[end + 1] == '\n');
}

/* Length of an event with the blank line that ends it, and any further blank lines. */
static size_t event_length(struct str text)
{
	size_t end = 0, content;
	bool begun = false, blank = false;

	while (end < text.len) {
		size_t line = line_length(str_skip(text, end), &content);

		if (blank && content)
			break;
		begun = begun || content;
		blank = begun && !content;
		end += line;
	}
	return end;
}

static size_t text_line_length(struct str text)
{
	size_t content;

	return line_length(text, &content);
}

static size_t whole_length(struct str text)
{
	return text.len;
}

struct tape_pieces tape_pieces_of(struct str body)
{
	struct str seen = str_trim(str_starts(body, "\xef\xbb\xbf") ? str_skip(body, 3) : body);

	if (str_starts(seen, "{"))
		return (struct tape_pieces){ .rest = body,
		                             .length = json_scan_is_whole(str_head(seen, text_line_length(seen))) ? text_line_length : whole_length };
	return (struct tape_pieces){ .rest = body, .length = str_starts(seen, "[") || str_starts(seen, "<") ? whole_length : event_length };
}

bool tape_pieces_next(struct tape_pieces *pieces, struct str *piece)
{
	if (!pieces->rest.len)
		return false;
	*piece = str_head(pieces->rest, pieces->length(pieces->rest));
	pieces->rest = str_skip(pieces->rest, piece->len);
	return true;
}
