#include "net/tape_frames.h"

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

struct tape_frames tape_frames_of(struct str body)
{
	struct str seen = str_trim(str_starts(body, "\xef\xbb\xbf") ? str_skip(body, 3) : body);

	if (str_starts(seen, "{"))
		return (struct tape_frames){ body, json_scan_is_whole(str_head(seen, text_line_length(seen))) ? text_line_length : whole_length };
	return (struct tape_frames){ body, str_starts(seen, "[") || str_starts(seen, "<") ? whole_length : event_length };
}

bool tape_frames_next(struct tape_frames *frames, struct str *frame)
{
	if (!frames->rest.len)
		return false;
	*frame = str_head(frames->rest, frames->length(frames->rest));
	frames->rest = str_skip(frames->rest, frame->len);
	return true;
}
