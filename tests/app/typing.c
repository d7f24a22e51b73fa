#include "typing.h"

#include <stdio.h>

#include "ui/term/key.h"

/* The encodings of xterm: a letter after CSI, or a number and a tilde. */
static const struct { enum key_code code; const char *plain; unsigned number; char final; } specials[] = {
	{ KEY_ENTER, "\r", 13, 'u' }, { KEY_TAB, "\t", 9, 'u' }, { KEY_BACKTAB, "\x1B[Z", 9, 'u' }, { KEY_ESCAPE, "\x1B", 27, 'u' },
	{ KEY_BACKSPACE, "\x7F", 127, 'u' }, { KEY_DELETE, "\x1B[3~", 3, '~' }, { KEY_INSERT, "\x1B[2~", 2, '~' },
	{ KEY_UP, "\x1B[A", 1, 'A' }, { KEY_DOWN, "\x1B[B", 1, 'B' }, { KEY_RIGHT, "\x1B[C", 1, 'C' }, { KEY_LEFT, "\x1B[D", 1, 'D' },
	{ KEY_HOME, "\x1B[H", 1, 'H' }, { KEY_END, "\x1B[F", 1, 'F' }, { KEY_PAGE_UP, "\x1B[5~", 5, '~' }, { KEY_PAGE_DOWN, "\x1B[6~", 6, '~' },
	{ KEY_F1, "\x1BOP", 1, 'P' }, { KEY_F2, "\x1BOQ", 1, 'Q' }, { KEY_F3, "\x1BOR", 1, 'R' }, { KEY_F4, "\x1BOS", 1, 'S' },
	{ KEY_F5, "\x1B[15~", 15, '~' }, { KEY_F6, "\x1B[17~", 17, '~' }, { KEY_F7, "\x1B[18~", 18, '~' }, { KEY_F8, "\x1B[19~", 19, '~' },
	{ KEY_F9, "\x1B[20~", 20, '~' }, { KEY_F10, "\x1B[21~", 21, '~' }, { KEY_F11, "\x1B[23~", 23, '~' }, { KEY_F12, "\x1B[24~", 24, '~' },
};

static void add_special(const struct key *key, struct buf *out)
{
	for (size_t i = 0; i < sizeof specials / sizeof *specials; i++) {
		if (specials[i].code != key->code)
			continue;
		if (!key->modifiers)
			buf_add_z(out, specials[i].plain);
		else if (specials[i].final == 'u' && key->modifiers == KEY_ALT_HELD)
			buf_printf(out, "\x1B%s", specials[i].plain); /* the traditional encoding */
		else
			buf_printf(out, "\x1B[%u;%u%c", specials[i].number, 1 + key->modifiers, specials[i].final);
	}
}

static void add_key(const struct key *key, struct buf *out)
{
	if (key->code == KEY_TEXT)
		buf_add(out, key->text);
	else if (key->code == KEY_ALT)
		buf_printf(out, "\x1B%.*s", STR_ARG(key->text));
	else if (key->code == KEY_CONTROL && key->letter == '/')
		buf_add_byte(out, '_' & 0x1F); /* the same byte */
	else if (key->code == KEY_CONTROL)
		buf_add_byte(out, key->letter & 0x1F);
	else
		add_special(key, out);
}

const char *typing(const char *keys, char *out)
{
	struct str rest = str_from(keys), word;
	struct buf bytes;

	buf_init(&bytes, TYPING_BYTES - 1);
	while (str_split(&rest, ' ', &word)) {
		struct key key;

		if (key_from_name(word, &key))
			add_key(&key, &bytes);
		else
			buf_add(&bytes, word);
	}
	snprintf(out, TYPING_BYTES, "%s", buf_z(&bytes));
	buf_fini(&bytes);
	return out;
}
