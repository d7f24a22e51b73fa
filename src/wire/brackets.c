#include "wire/brackets.h"

#include "base/json_scan.h"

bool brackets_close(struct brackets *b, struct str text, size_t *used)
{
	for (size_t i = 0; i < text.len; i++) {
		if (b->in_string && !b->escaped)
			i += json_scan_plain(str_skip(text, i));
		if (i == text.len)
			break;
		char c = text.ptr[i];

		if (b->in_string) {
			if (b->escaped)
				b->escaped = false;
			else if (c == '\\')
				b->escaped = true;
			else if (c == '"')
				b->in_string = false;
		} else if (c == '"') {
			b->in_string = true;
		} else if (c == '{' || c == '[') {
			b->depth++;
		} else if ((c == '}' || c == ']') && b->depth && !--b->depth) {
			*used = i + 1;
			return true;
		}
	}
	return false;
}
