/* Pastes, bracketed or not. */
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/term/key_inside.h"

#define PASTE_END "\x1B[201~"

/* Converts line ends to LF and removes other control bytes than tab, in place. */
static void key_clean_paste(struct buf *text)
{
	size_t to = 0;

	for (size_t i = 0; i < text->len; i++) {
		unsigned char c = (unsigned char)text->ptr[i];
		unsigned char next = i + 1 < text->len ? (unsigned char)text->ptr[i + 1] : 0;

		if (c == '\r' && next == '\n')
			continue;
		if (c == 0xC2 && next < 0xA0) { /* C1 */
			i++;
			continue;
		}
		if (c == '\r')
			c = '\n';
		if ((c < ' ' && c != '\n' && c != '\t') || c == 0x7F)
			continue;
		text->ptr[to++] = (char)c;
	}
	buf_remove(text, to, text->len - to);
}

/* It may have been the key of a provider. */
static void key_wipe(struct buf *text)
{
	if (text->ptr)
		mem_wipe(text->ptr, text->capacity);
}

void key_paste_end(struct key_decoder *d)
{
	struct buf text;

	buf_init(&text, 3 * PASTE_LIMIT);
	utf8_repair(buf_str(&d->paste), &text);
	key_clean_paste(&text);
	key_wipe(&d->paste);
	buf_fini(&d->paste);
	buf_init(&d->paste, PASTE_LIMIT);
	d->state = GROUND;
	d->sink(d->ctx, &(struct key){ .code = KEY_PASTE, .text = buf_str(&text) });
	key_wipe(&text);
	buf_fini(&text);
}

static void key_add_pasted(struct key_decoder *d, struct str text)
{
	buf_add(&d->paste, str_head(text, PASTE_LIMIT - d->paste.len));
}

void key_paste_feed(struct key_decoder *d, struct str *bytes)
{
	if (d->paste_matched == 0) {
		const char *escape = memchr(bytes->ptr, ESCAPE, bytes->len);
		size_t len = escape ? (size_t)(escape - bytes->ptr) : bytes->len;

		key_add_pasted(d, str_head(*bytes, len));
		*bytes = str_skip(*bytes, len);
	}
	while (bytes->len && bytes->ptr[0] == PASTE_END[d->paste_matched]) {
		*bytes = str_skip(*bytes, 1);
		if (++d->paste_matched < sizeof PASTE_END - 1)
			continue;
		key_paste_end(d);
		return;
	}
	if (bytes->len && d->paste_matched) {
		key_add_pasted(d, str_of(PASTE_END, d->paste_matched));
		d->paste_matched = 0;
	}
}

/* --- without brackets --- */

static bool key_is_text_byte(char c)
{
	return (unsigned char)c >= ' ' && c != 0x7F;
}

/* A key held down can also arrive as several characters in one read: those are all the same. */
enum key_run key_run_of(struct str bytes, size_t *length)
{
	bool has_end = false, is_paste = false, differ = false;
	size_t characters = 0, i = 0;
	char first = 0;

	for (; i < bytes.len && (key_is_text_byte(bytes.ptr[i]) || bytes.ptr[i] == '\r' || bytes.ptr[i] == '\n' || bytes.ptr[i] == '\t'); i++) {
		char c = bytes.ptr[i];

		has_end |= characters && c == '\r';
		if (!key_is_text_byte(c))
			continue;
		is_paste |= has_end;
		first = characters ? first : c;
		differ |= c != first;
		characters += !utf8_is_inside(c);
	}
	*length = i;
	return is_paste ? RUN_PASTE : differ && characters >= KEY_AT_ONCE ? RUN_AT_ONCE : RUN_KEYS;
}

void key_burst_feed(struct key_decoder *d, struct str *bytes)
{
	size_t run;

	(void)key_run_of(*bytes, &run);
	d->state = BURST;
	key_add_pasted(d, str_head(*bytes, run));
	*bytes = str_skip(*bytes, run);
	if (bytes->len)
		key_paste_end(d);
}
