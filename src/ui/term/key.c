#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/term/key_inside.h"

#define ESCAPE_MS 25
#define ESCAPE_SSH_MS 50
#define SEQUENCE_MS 500    /* an incomplete sequence is dropped after this time */
#define PASTE_MS 2000
#define BURST_MS 100       /* bytes that arrive later belong to another paste */

struct key_decoder *key_decoder_new(void)
{
	struct key_decoder *d = mem_new(sizeof *d);

	buf_init(&d->paste, PASTE_LIMIT);
	d->deadline = INT64_MAX;
	d->escape_ms = getenv("SSH_CONNECTION") ? ESCAPE_SSH_MS : ESCAPE_MS;
	return d;
}

void key_decoder_free(struct key_decoder *d)
{
	if (!d)
		return;
	buf_fini(&d->paste);
	mem_free(d);
}

/* --- reporting keys --- */

void key_give(struct key_decoder *d, enum key_code code, unsigned modifiers)
{
	if (d->behind_paste && code != KEY_FOCUS_IN && code != KEY_FOCUS_OUT)
		return;
	if (code == KEY_TAB && modifiers & KEY_SHIFT) {
		code = KEY_BACKTAB;
		modifiers &= ~(unsigned)KEY_SHIFT;
	}
	d->sink(d->ctx, &(struct key){ .code = code, .modifiers = modifiers, .at_once = d->at_once });
}

void key_give_control(struct key_decoder *d, char letter, unsigned modifiers)
{
	if (!d->behind_paste)
		d->sink(d->ctx, &(struct key){ .code = KEY_CONTROL, .letter = letter, .modifiers = modifiers, .at_once = d->at_once });
}

void key_give_reply(struct key_decoder *d, char introducer, char final)
{
	char text[sizeof d->seq + 2] = { introducer };

	memcpy(text + 1, d->seq, d->seq_len);
	text[1 + d->seq_len] = final;
	d->sink(d->ctx, &(struct key){ .code = KEY_REPLY, .text = str_of(text, 1 + d->seq_len + (final != 0)) });
}

void key_give_text(struct key_decoder *d, struct str text, enum key_alt alt)
{
	struct key key = { .code = alt ? KEY_ALT : d->behind_paste ? KEY_PASTE : KEY_TEXT, .text = text, .at_once = d->at_once };

	if (d->behind_paste && alt)
		return;
	key.by_escape = alt == ALT_BY_ESCAPE;
	d->sink(d->ctx, &key);
}

/* Reports a C0 control byte or DEL. */
static void key_give_control_byte(struct key_decoder *d, char byte, unsigned modifiers)
{
	if (byte == '\r')
		key_give(d, KEY_ENTER, modifiers);
	else if (byte == '\t')
		key_give(d, KEY_TAB, modifiers);
	else if (byte == '\b' || byte == 0x7F)
		key_give(d, KEY_BACKSPACE, modifiers);
	else if (byte == 0)
		key_give_control(d, ' ', modifiers);
	else
		key_give_control(d, (char)(byte <= 26 ? 'a' + byte - 1 : byte + 0x40), modifiers);
}

/* --- bytes --- */

static void key_feed_byte(struct key_decoder *d, char byte);

static void key_begin_character(struct key_decoder *d, char byte, enum key_alt alt)
{
	unsigned char c = (unsigned char)byte;

	d->utf8[0] = byte;
	d->utf8_len = 1;
	d->utf8_need = c < 0x80 ? 1 : c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
	d->utf8_alt = alt;
	if (d->utf8_need >= 2)
		return;
	key_give_text(d, d->utf8_need ? str_of(d->utf8, 1) : STR("\uFFFD"), alt);
	d->utf8_need = 0;
}

static void key_end_character(struct key_decoder *d)
{
	struct str text = str_of(d->utf8, d->utf8_len), rest = text;
	uint32_t code = utf8_next(&rest);

	d->utf8_need = 0;
	if (!utf8_is_valid(text))
		key_give_text(d, STR("\uFFFD"), d->utf8_alt);
	else if (code >= 0xA0)
		key_give_text(d, text, d->utf8_alt);
}

static void key_feed_ground(struct key_decoder *d, char byte)
{
	unsigned char c = (unsigned char)byte;

	if (d->utf8_need && utf8_is_inside(byte)) {
		d->utf8[d->utf8_len++] = byte;
		if (d->utf8_len == d->utf8_need)
			key_end_character(d);
		return;
	}
	if (d->utf8_need)
		key_end_character(d);
	if (c == ESCAPE) {
		d->state = AFTER_ESCAPE;
		d->doubled = false;
		d->seq_len = 0;
	} else if (c < ' ' || c == 0x7F) {
		key_give_control_byte(d, byte, 0);
	} else {
		key_begin_character(d, byte, ALT_NOT);
	}
}

static void key_feed_after_escape(struct key_decoder *d, char byte)
{
	unsigned char c = (unsigned char)byte;

	d->introducer = byte;
	if (c == ESCAPE) {
		if (d->doubled)
			key_give(d, KEY_ESCAPE, 0);
		d->doubled = true;
		return;
	}
	d->state = c == '[' ? CSI : c == 'O' ? SS3 : c == ']' || c == 'P' || c == '_' ? STRING : GROUND;
	if (d->state != GROUND)
		return;
	if (d->doubled)
		key_give(d, KEY_ESCAPE, 0);
	if (c == '\t') /* Shift-Tab of the Linux console */
		key_give(d, KEY_BACKTAB, 0);
	else if (c < ' ' || c == 0x7F)
		key_give_control_byte(d, byte, KEY_ALT_HELD);
	else
		key_begin_character(d, byte, ALT_BY_ESCAPE);
}

/* The bytes so far were not a sequence: reports Escape, or Alt with the introducer. */
static void key_give_unfinished(struct key_decoder *d)
{
	enum key_state state = d->state;

	d->state = GROUND;
	if (state == AFTER_ESCAPE || d->doubled)
		key_give(d, KEY_ESCAPE, 0);
	if (state == AFTER_ESCAPE && d->doubled)
		key_give(d, KEY_ESCAPE, 0);
	if (state != AFTER_ESCAPE && state != OLD_MOUSE && d->seq_len == 0)
		key_give_text(d, str_of(&d->introducer, 1), ALT_BY_ESCAPE);
}

static void key_feed_sequence(struct key_decoder *d, char byte)
{
	long long number;

	if (d->state == CSI && byte == '[' && d->seq_len == 0) {
		d->state = CSI_LINUX;
	} else if (byte >= 0x40 && byte < 0x7F) {
		(d->state == CSI ? key_end_csi : key_end_ss3)(d, byte);
	} else if (byte == '$' && d->state == CSI && str_to_int(str_of(d->seq, d->seq_len), &number)) {
		key_end_csi(d, byte); /* rxvt's Shift; in a reply, '?' or a second number precedes the '$' */
	} else if (byte >= ' ' && byte < 0x40) {
		if (d->seq_len < sizeof d->seq)
			d->seq[d->seq_len++] = byte;
	} else {
		key_give_unfinished(d);
		key_feed_byte(d, byte);
	}
}

static void key_end_string(struct key_decoder *d)
{
	d->state = GROUND;
	if (d->seq_len < sizeof d->seq)
		key_give_reply(d, d->introducer, 0);
}

static void key_feed_string(struct key_decoder *d, char byte)
{
	if (d->state == STRING_ESCAPE) {
		if (byte == '\\') {
			key_end_string(d);
			return;
		}
		d->state = AFTER_ESCAPE;
		d->doubled = false;
		d->seq_len = 0;
		key_feed_byte(d, byte);
	} else if (byte == ESCAPE) {
		d->state = STRING_ESCAPE;
	} else if (byte == '\a') {
		key_end_string(d);
	} else if (byte == 0x18 || byte == 0x1A) {
		d->state = GROUND;
	} else if (byte < ' ' || byte >= 0x7F) {
		d->seq_len = sizeof d->seq; /* not a reply that we understand: ignore it */
	} else if (d->seq_len < sizeof d->seq) {
		d->seq[d->seq_len++] = byte;
	}
}

static void key_feed_byte(struct key_decoder *d, char byte)
{
	switch (d->state) {
	case GROUND:
		key_feed_ground(d, byte);
		break;
	case AFTER_ESCAPE:
		key_feed_after_escape(d, byte);
		break;
	case CSI:
	case SS3:
		key_feed_sequence(d, byte);
		break;
	case CSI_LINUX:
		key_end_linux(d, byte);
		break;
	case STRING:
	case STRING_ESCAPE:
		key_feed_string(d, byte);
		break;
	case OLD_MOUSE:
		d->seq[d->seq_len++] = byte;
		if (d->seq_len == OLD_MOUSE_BYTES)
			key_end_old_mouse(d);
		break;
	case PASTE: /* handled by key_decoder_feed() */
	case BURST:
		break;
	}
}

static int64_t key_wait_ms(const struct key_decoder *d)
{
	if (d->state == PASTE)
		return PASTE_MS;
	if (d->state == BURST)
		return BURST_MS;
	if (d->state == AFTER_ESCAPE || d->seq_len == 0)
		return d->escape_ms;
	return SEQUENCE_MS;
}

void key_decoder_feed(struct key_decoder *d, struct str bytes, int64_t now_ms, key_sink *sink, void *ctx)
{
	size_t known = 0; /* remaining bytes of the run that was classified last */
	enum key_run run = RUN_KEYS;

	d->sink = sink;
	d->ctx = ctx;
	d->behind_paste &= d->state != GROUND || d->utf8_need; /* a key that began after the paste may end in this read */
	while (bytes.len) {
		if (d->state == GROUND && !d->utf8_need && !known)
			run = key_run_of(bytes, &known);
		if (d->state == PASTE) {
			key_paste_feed(d, &bytes);
			d->behind_paste = d->state == GROUND;
		} else if (d->state == BURST || (known && run == RUN_PASTE)) {
			known = 0;
			key_burst_feed(d, &bytes);
		} else {
			d->at_once = known && run == RUN_AT_ONCE;
			key_feed_byte(d, bytes.ptr[0]);
			bytes = str_skip(bytes, 1);
			known -= known > 0;
		}
	}
	d->deadline = d->state == GROUND ? INT64_MAX : now_ms + key_wait_ms(d);
}

enum key_protocol key_decoder_protocol(const struct key_decoder *d)
{
	return d->protocol;
}

int64_t key_decoder_deadline(const struct key_decoder *d)
{
	return d->deadline;
}

void key_decoder_tick(struct key_decoder *d, int64_t now_ms, key_sink *sink, void *ctx)
{
	if (now_ms < d->deadline)
		return;
	d->sink = sink;
	d->ctx = ctx;
	d->deadline = INT64_MAX;
	d->at_once = false;
	if (d->state == PASTE || d->state == BURST)
		key_paste_end(d);
	else
		key_give_unfinished(d);
}
