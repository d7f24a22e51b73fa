#include "ui/term/links.h"

#include "base/array.h"
#include "base/mem.h"

#define DESTINATION_BYTES_MOST ((size_t)2000) /* terminals drop longer ones */

void links_forget(struct links *links)
{
	while (links->count)
		mem_free(links->destinations[--links->count]);
}

static bool link_is_allowed(struct str destination)
{
	static const char *const schemes[] = { "http://", "https://", "mailto:" };

	for (size_t i = 0; i < ARRAY_LEN(schemes); i++) {
		struct str scheme = str_from(schemes[i]);

		if (destination.len > scheme.len && str_is_nocase(str_head(destination, scheme.len), schemes[i]))
			return true;
	}
	return false;
}

static bool link_encode(struct str destination, struct buf *out)
{
	static const char digits[] = "0123456789ABCDEF";

	for (size_t i = 0; i < destination.len; i++) {
		unsigned char c = (unsigned char)destination.ptr[i];
		bool is_c1 = c == 0xC2 && i + 1 < destination.len && (unsigned char)destination.ptr[i + 1] < 0xA0;
		const char escaped[] = { '%', digits[c >> 4], digits[c & 15] };

		if (c < ' ' || c == 0x7F || is_c1 || !(c > ' ' && c < 0x7F ? buf_add_byte(out, (char)c) : buf_add(out, str_of(escaped, 3))))
			return false;
	}
	return true;
}

unsigned links_number(struct links *links, struct str destination)
{
	unsigned number = 0;
	struct buf text;

	buf_init(&text, DESTINATION_BYTES_MOST);
	if (!link_is_allowed(destination) || !link_encode(destination, &text))
		goto out;
	while (number < links->count && !str_is(buf_str(&text), links->destinations[number]))
		number++;
	if (number == links->count && number < LINKS_MOST)
		links->destinations[links->count++] = mem_dup_z(buf_z(&text));
	number = number < links->count ? number + 1 : 0;
out:
	buf_fini(&text);
	return number;
}

const char *links_at(const struct links *links, unsigned number)
{
	return number && number <= links->count ? links->destinations[number - 1] : NULL;
}
