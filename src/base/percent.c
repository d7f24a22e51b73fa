#include "base/percent.h"

#include <string.h>

void percent_encode(struct str text, const char *kept, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (char_is_word(c) || (c && strchr(kept, c)))
			buf_add_byte(out, c);
		else
			buf_printf(out, "%%%02X", (unsigned char)c);
	}
}

void percent_decode(struct str text, struct buf *out)
{
	for (size_t i = 0; i < text.len; i++) {
		bool coded = text.ptr[i] == '%' && i + 2 < text.len && char_hex(text.ptr[i + 1]) >= 0 && char_hex(text.ptr[i + 2]) >= 0;

		buf_add_byte(out, coded ? (char)(char_hex(text.ptr[i + 1]) * 16 + char_hex(text.ptr[i + 2])) : text.ptr[i]);
		i += coded ? 2 : 0;
	}
}
