#include "app/plain/plain_input.h"

#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"

#define INPUT_LIMIT ((size_t)16 << 20)

void plain_input_init(struct plain_input *in)
{
	*in = (struct plain_input){ 0 };
	buf_init(&in->bytes, INPUT_LIMIT);
	buf_init(&in->text, 3 * INPUT_LIMIT);
}

void plain_input_fini(struct plain_input *in)
{
	buf_fini(&in->bytes);
	buf_fini(&in->text);
}

void plain_input_add(struct plain_input *in, struct str bytes)
{
	in->too_long |= !buf_add(&in->bytes, bytes);
}

static void wipe_behind(struct buf *buf)
{
	if (buf->ptr)
		mem_wipe(buf->ptr + buf->len, buf->capacity - buf->len);
}

void plain_input_wipe(struct plain_input *in)
{
	if (!in->goes_on)
		buf_clear(&in->text);
	wipe_behind(&in->text);
	wipe_behind(&in->bytes);
}

void plain_input_drop(struct plain_input *in)
{
	buf_clear(&in->bytes);
	buf_clear(&in->text);
	in->goes_on = false;
}

/* Removes NUL, which would truncate the text wherever it is kept as a C string. */
static void input_add_clean(struct buf *out, struct str line)
{
	struct str piece;

	while (str_split(&line, '\0', &piece))
		utf8_repair(piece, out);
}

/* Moves one line from the bytes to the text. */
static void input_take_line(struct plain_input *in, size_t len, bool ended)
{
	struct str line = str_head(buf_str(&in->bytes), len);

	if (str_ends(line, "\r"))
		line.len--;
	bool doubled = str_ends(line, "\\\\");
	in->lines++;
	in->goes_on = ended && !doubled && str_ends(line, "\\");
	line.len -= doubled || in->goes_on;
	input_add_clean(&in->text, line);
	if (in->goes_on)
		buf_add_byte(&in->text, '\n');
	buf_drop(&in->bytes, len + ended);
}

bool plain_input_take(struct plain_input *in, bool last, struct str *text)
{
	if (!in->goes_on)
		buf_clear(&in->text);
	for (;;) {
		struct str bytes = buf_str(&in->bytes);
		size_t len = str_find(bytes, STR("\n"));
		bool ended = len < bytes.len;

		if (!ended && !(last && (bytes.len || in->goes_on)))
			return false;
		input_take_line(in, len, ended);
		if (!in->goes_on)
			break;
	}
	*text = buf_str(&in->text);
	return true;
}
