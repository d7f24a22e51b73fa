#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/utf8.h"
#include "ui/term.h"

#define ESCAPE 0x1B
#define ESCAPE_MS 25
#define ESCAPE_SSH_MS 50
#define SEQUENCE_MS 500    /* a sequence that stops in the middle is dropped after that */
#define PASTE_MS 2000
#define PASTE_LIMIT ((size_t)16 << 20)
#define PASTE_END "\x1B[201~"
#define PARAMETERS 4
#define WHEEL 64           /* the button that xterm made of it: up, one more: down */
#define MOUSE_HELD 28      /* Shift, Alt and Ctrl in the number of a button */

#define COUNT(table) (sizeof(table) / sizeof *(table))

enum state { GROUND, AFTER_ESCAPE, CSI, CSI_LINUX, SS3, STRING, STRING_ESCAPE, PASTE, OLD_MOUSE };

struct key_decoder {
	enum state state;
	bool doubled;          /* ESC ESC: rxvt's Alt before a sequence, or the key twice */
	char introducer;       /* what followed ESC */
	char seq[48];          /* the parameters of a sequence; what is longer is no key */
	size_t seq_len;
	char utf8[4];          /* a character that is not complete yet */
	unsigned utf8_len, utf8_need;
	bool utf8_alt;
	struct buf paste;
	unsigned paste_matched; /* bytes of PASTE_END seen */
	int64_t deadline;
	int escape_ms;
	enum key_protocol protocol; /* the best that the terminal said it speaks */
	key_sink *sink;        /* of the call under way */
	void *ctx;
};

struct mapping { unsigned from; enum key_code code; unsigned modifiers; };

/* Final bytes of CSI, and of SS3 but for the lower-case ones. */
static const struct mapping finals[] = {
	{ 'A', KEY_UP, 0 }, { 'B', KEY_DOWN, 0 }, { 'C', KEY_RIGHT, 0 }, { 'D', KEY_LEFT, 0 }, { 'F', KEY_END, 0 }, { 'H', KEY_HOME, 0 },
	{ 'P', KEY_F1, 0 }, { 'Q', KEY_F2, 0 }, { 'R', KEY_F3, 0 }, { 'S', KEY_F4, 0 },
};
static const struct mapping csi_finals[] = {
	{ 'Z', KEY_BACKTAB, 0 }, { 'I', KEY_FOCUS_IN, 0 }, { 'O', KEY_FOCUS_OUT, 0 },
	{ 'a', KEY_UP, KEY_SHIFT }, { 'b', KEY_DOWN, KEY_SHIFT }, { 'c', KEY_RIGHT, KEY_SHIFT }, { 'd', KEY_LEFT, KEY_SHIFT },
};
static const struct mapping ss3_finals[] = {
	{ 'M', KEY_ENTER, 0 }, { 'I', KEY_TAB, 0 },
	{ 'a', KEY_UP, KEY_CTRL_HELD }, { 'b', KEY_DOWN, KEY_CTRL_HELD }, { 'c', KEY_RIGHT, KEY_CTRL_HELD }, { 'd', KEY_LEFT, KEY_CTRL_HELD },
};
static const struct mapping tildes[] = {
	{ 1, KEY_HOME, 0 }, { 2, KEY_INSERT, 0 }, { 3, KEY_DELETE, 0 }, { 4, KEY_END, 0 }, { 5, KEY_PAGE_UP, 0 }, { 6, KEY_PAGE_DOWN, 0 },
	{ 7, KEY_HOME, 0 }, { 8, KEY_END, 0 }, { 11, KEY_F1, 0 }, { 12, KEY_F2, 0 }, { 13, KEY_F3, 0 }, { 14, KEY_F4, 0 }, { 15, KEY_F5, 0 },
	{ 17, KEY_F6, 0 }, { 18, KEY_F7, 0 }, { 19, KEY_F8, 0 }, { 20, KEY_F9, 0 }, { 21, KEY_F10, 0 }, { 23, KEY_F11, 0 }, { 24, KEY_F12, 0 },
};
/* CSI-u codes that are no characters; from 57344 on kitty's. */
static const struct mapping named_codes[] = {
	{ 8, KEY_BACKSPACE, 0 }, { 9, KEY_TAB, 0 }, { 13, KEY_ENTER, 0 }, { 27, KEY_ESCAPE, 0 }, { 127, KEY_BACKSPACE, 0 },
	{ 57414, KEY_ENTER, 0 }, { 57417, KEY_LEFT, 0 }, { 57418, KEY_RIGHT, 0 }, { 57419, KEY_UP, 0 }, { 57420, KEY_DOWN, 0 },
	{ 57421, KEY_PAGE_UP, 0 }, { 57422, KEY_PAGE_DOWN, 0 }, { 57423, KEY_HOME, 0 }, { 57424, KEY_END, 0 },
	{ 57425, KEY_INSERT, 0 }, { 57426, KEY_DELETE, 0 },
};

static const struct mapping *find(const struct mapping *table, size_t count, unsigned from)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].from == from)
			return &table[i];
	return NULL;
}
#define FIND(table, from) find((table), COUNT(table), (from))

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

/* --- giving keys --- */

static void give(struct key_decoder *d, enum key_code code, unsigned modifiers)
{
	if (code == KEY_TAB && modifiers & KEY_SHIFT) {
		code = KEY_BACKTAB;
		modifiers &= ~(unsigned)KEY_SHIFT;
	}
	d->sink(d->ctx, &(struct key){ .code = code, .modifiers = modifiers });
}

static void give_control_letter(struct key_decoder *d, char letter, unsigned modifiers)
{
	d->sink(d->ctx, &(struct key){ .code = KEY_CONTROL, .letter = letter, .modifiers = modifiers });
}

/* The terminal's answer: the introducer, what was collected, and what ended it (0: nothing that belongs to it). */
static void give_reply(struct key_decoder *d, char introducer, char final)
{
	char text[sizeof d->seq + 2] = { introducer };

	memcpy(text + 1, d->seq, d->seq_len);
	text[1 + d->seq_len] = final;
	d->sink(d->ctx, &(struct key){ .code = KEY_REPLY, .text = str_of(text, 1 + d->seq_len + (final != 0)) });
}

static void give_text(struct key_decoder *d, struct str text, bool alt)
{
	d->sink(d->ctx, &(struct key){ .code = alt ? KEY_ALT : KEY_TEXT, .text = text });
}

/* A control byte as terminals have always sent it. */
static void give_control(struct key_decoder *d, char byte, unsigned modifiers)
{
	if (byte == '\r')
		give(d, KEY_ENTER, modifiers);
	else if (byte == '\t')
		give(d, KEY_TAB, modifiers);
	else if (byte == '\b' || byte == 0x7F)
		give(d, KEY_BACKSPACE, modifiers);
	else if (byte == 0)
		give_control_letter(d, ' ', modifiers);
	else
		give_control_letter(d, (char)(byte <= 26 ? 'a' + byte - 1 : byte + 0x40), modifiers);
}

/* Ctrl with a character: letters keep Shift beside them, of signs it is part. */
static void give_ctrl_code(struct key_decoder *d, unsigned code, unsigned shifted, unsigned modifiers)
{
	modifiers &= ~(unsigned)KEY_CTRL_HELD;
	if (code >= 'A' && code <= 'Z')
		code |= 32;
	if (modifiers & KEY_SHIFT && shifted > ' ' && shifted < 0x7F && !(code >= 'a' && code <= 'z')) {
		code = shifted;
		modifiers &= ~(unsigned)KEY_SHIFT;
	}
	if (code < 0x80)
		give_control_letter(d, (char)code, modifiers);
}

/*
 * A key of the CSI-u and modifyOtherKeys protocols: a character's code with what was held. `base` is where the key is on a
 * Latin keyboard (0: not told): Ctrl and Alt go by that where the letters are others.
 */
static void give_code(struct key_decoder *d, unsigned code, unsigned shifted, unsigned base, unsigned modifiers)
{
	static const char keypad[] = "0123456789./*-+"; /* 57399 to 57413 */
	const struct mapping *named = FIND(named_codes, code);
	char text[4];

	if (named) {
		give(d, named->code, modifiers);
		return;
	}
	if (code >= 57399 && code < 57399 + sizeof keypad - 1)
		code = (unsigned char)keypad[code - 57399];
	if (code < ' ' || (code >= 0x80 && code < 0xA0) || (code >= 0xD800 && code < 0xF900) || code > 0x10FFFF)
		return;
	if (code >= 0x80 && modifiers & (KEY_CTRL_HELD | KEY_ALT_HELD) && base > ' ' && base < 0x7F) {
		code = base;
		shifted = 0;
	}
	if (modifiers & KEY_CTRL_HELD) {
		give_ctrl_code(d, code, shifted, modifiers);
		return;
	}
	if (modifiers & KEY_SHIFT && shifted > ' ')
		code = shifted;
	else if (modifiers & KEY_SHIFT && code >= 'a' && code <= 'z')
		code -= 32;
	give_text(d, str_of(text, utf8_put(text, code)), modifiers & KEY_ALT_HELD);
}

/* --- paste --- */

/* One kind of line end, no control bytes, in place. */
static void clean_paste(struct buf *text)
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

static void give_paste(struct key_decoder *d)
{
	struct buf text;

	buf_init(&text, 3 * PASTE_LIMIT);
	utf8_repair(buf_str(&d->paste), &text);
	clean_paste(&text);
	buf_fini(&d->paste);
	buf_init(&d->paste, PASTE_LIMIT);
	d->state = GROUND;
	d->sink(d->ctx, &(struct key){ .code = KEY_PASTE, .text = buf_str(&text) });
	buf_fini(&text);
}

static void add_pasted(struct key_decoder *d, struct str text)
{
	buf_add(&d->paste, str_head(text, PASTE_LIMIT - d->paste.len));
}

/* Takes bytes of a paste, up to its end if that is there. */
static void feed_paste(struct key_decoder *d, struct str *bytes)
{
	if (d->paste_matched == 0) {
		const char *escape = memchr(bytes->ptr, ESCAPE, bytes->len);
		size_t len = escape ? (size_t)(escape - bytes->ptr) : bytes->len;

		add_pasted(d, str_head(*bytes, len));
		*bytes = str_skip(*bytes, len);
	}
	while (bytes->len && bytes->ptr[0] == PASTE_END[d->paste_matched]) {
		*bytes = str_skip(*bytes, 1);
		if (++d->paste_matched < sizeof PASTE_END - 1)
			continue;
		give_paste(d);
		return;
	}
	if (bytes->len && d->paste_matched) {
		add_pasted(d, str_of(PASTE_END, d->paste_matched));
		d->paste_matched = 0;
	}
}

/* --- sequences --- */

struct parameters { unsigned value[PARAMETERS], sub[PARAMETERS], third[PARAMETERS]; };

/* "97:65:97;5:3" - numbers, each with alternatives behind colons. False when there is anything else, as in a reply. */
static bool read_parameters(struct str text, struct parameters *p)
{
	unsigned ignored = 0, *number = p->value;
	size_t at = 0;

	*p = (struct parameters){ 0 };
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (c >= '0' && c <= '9' && *number < 10000000)
			*number = *number * 10 + (unsigned)(c - '0');
		else if (c == ':')
			number = number == &p->value[at] ? &p->sub[at] : number == &p->sub[at] ? &p->third[at] : &ignored;
		else if (c == ';' && at + 1 < PARAMETERS)
			number = &p->value[++at];
		else
			return false;
	}
	return true;
}

static unsigned held(const struct key_decoder *d, unsigned parameter)
{
	unsigned bits = parameter ? parameter - 1 : 0;
	unsigned modifiers = bits & (KEY_SHIFT | KEY_ALT_HELD | KEY_CTRL_HELD);

	if (bits & 32 || d->doubled) /* meta */
		modifiers |= KEY_ALT_HELD;
	return modifiers;
}

static void run_tilde(struct key_decoder *d, const struct parameters *p, char final)
{
	const struct mapping *key = FIND(tildes, p->value[0]);
	unsigned modifiers = held(d, p->value[1]);

	if (final == '^' || final == '@') /* rxvt */
		modifiers |= KEY_CTRL_HELD;
	if (final == '$' || final == '@')
		modifiers |= KEY_SHIFT;
	if (key)
		give(d, key->code, modifiers);
	else if (p->value[0] == 27)
		give_code(d, p->value[2], 0, 0, modifiers);
	else if (p->value[0] == 200) {
		d->state = PASTE;
		d->paste_matched = 0;
	}
}

/* "CSI ? flags u" and "CSI > 4 ; level m": the terminal tells which keys it can report. */
static void take_reply(struct key_decoder *d, struct str parameters, char final)
{
	if (final == 'u' && str_starts(parameters, "?"))
		d->protocol = KEYS_KITTY;
	else if (final == 'm' && str_starts(parameters, ">4;") && d->protocol == KEYS_PLAIN)
		d->protocol = KEYS_XTERM;
}

/* "CSI < button ; column ; row M" */
static void run_mouse(struct key_decoder *d, struct str parameters)
{
	struct parameters p;
	unsigned button;

	if (!read_parameters(parameters, &p) || !p.value[2])
		return;
	button = p.value[0] & ~(unsigned)MOUSE_HELD;
	if (button == WHEEL || button == WHEEL + 1)
		d->sink(d->ctx, &(struct key){ .code = button == WHEEL ? KEY_WHEEL_UP : KEY_WHEEL_DOWN, .row = p.value[2] - 1 });
}

static void run_csi(struct key_decoder *d, char final)
{
	const struct mapping *key = FIND(finals, (unsigned char)final);
	struct parameters p;

	d->state = GROUND;
	if (d->seq_len == sizeof d->seq)
		return;
	if (final == 'M' && d->seq_len == 0) {
		d->state = OLD_MOUSE;
		return;
	}
	if ((final == 'M' || final == 'm') && d->seq_len && d->seq[0] == '<') {
		if (final == 'M') /* the wheel is never released */
			run_mouse(d, str_of(d->seq + 1, d->seq_len - 1));
		return;
	}
	if (!read_parameters(str_of(d->seq, d->seq_len), &p)) {
		take_reply(d, str_of(d->seq, d->seq_len), final);
		give_reply(d, '[', final);
		return;
	}
	if (p.sub[1] == 3) /* kitty: a key was released */
		return;
	if (!key)
		key = FIND(csi_finals, (unsigned char)final);
	if (key && p.value[0] <= 1)
		give(d, key->code, key->modifiers | held(d, p.value[1]));
	else if (final == 'u')
		give_code(d, p.value[0], p.sub[0], p.third[0], held(d, p.value[1]));
	else if (strchr("~^@$", final))
		run_tilde(d, &p, final);
	else if (final == 'R') /* where the cursor is; in the first row it would be F3 */
		give_reply(d, '[', final);
}

static void run_ss3(struct key_decoder *d, char final)
{
	const struct mapping *key = FIND(finals, (unsigned char)final);
	struct parameters p;

	d->state = GROUND;
	if (!read_parameters(str_of(d->seq, d->seq_len), &p))
		return;
	if (!key)
		key = FIND(ss3_finals, (unsigned char)final);
	if (key)
		give(d, key->code, key->modifiers | held(d, p.value[1] ? p.value[1] : p.value[0]));
	else if (final >= 'j' && final <= 'y') /* the keypad: * + , - . / and the digits */
		give_code(d, (unsigned)(final - 0x40), 0, 0, held(d, p.value[0]));
	else if (final == 'X')
		give_code(d, '=', 0, 0, held(d, p.value[0]));
}

/* --- bytes --- */

static void feed_byte(struct key_decoder *d, char byte);

static void begin_character(struct key_decoder *d, char byte, bool alt)
{
	unsigned char c = (unsigned char)byte;

	d->utf8[0] = byte;
	d->utf8_len = 1;
	d->utf8_need = c < 0x80 ? 1 : c >= 0xC2 && c <= 0xDF ? 2 : (c & 0xF0) == 0xE0 ? 3 : c >= 0xF0 && c <= 0xF4 ? 4 : 0;
	d->utf8_alt = alt;
	if (d->utf8_need >= 2)
		return;
	give_text(d, d->utf8_need ? str_of(d->utf8, 1) : STR("\uFFFD"), alt);
	d->utf8_need = 0;
}

static void end_character(struct key_decoder *d)
{
	struct str text = str_of(d->utf8, d->utf8_len), rest = text;
	uint32_t code = utf8_next(&rest);

	d->utf8_need = 0;
	if (!utf8_is_valid(text))
		give_text(d, STR("\uFFFD"), d->utf8_alt);
	else if (code >= 0xA0)
		give_text(d, text, d->utf8_alt);
}

static void feed_ground(struct key_decoder *d, char byte)
{
	unsigned char c = (unsigned char)byte;

	if (d->utf8_need && (c & 0xC0) == 0x80) {
		d->utf8[d->utf8_len++] = byte;
		if (d->utf8_len == d->utf8_need)
			end_character(d);
		return;
	}
	if (d->utf8_need)
		end_character(d);
	if (c == ESCAPE) {
		d->state = AFTER_ESCAPE;
		d->doubled = false;
		d->seq_len = 0;
	} else if (c < ' ' || c == 0x7F) {
		give_control(d, byte, 0);
	} else {
		begin_character(d, byte, false);
	}
}

static void feed_after_escape(struct key_decoder *d, char byte)
{
	unsigned char c = (unsigned char)byte;

	d->introducer = byte;
	if (c == ESCAPE) {
		if (d->doubled)
			give(d, KEY_ESCAPE, 0);
		d->doubled = true;
		return;
	}
	d->state = c == '[' ? CSI : c == 'O' ? SS3 : c == ']' || c == 'P' || c == '_' ? STRING : GROUND;
	if (d->state != GROUND)
		return;
	if (d->doubled)
		give(d, KEY_ESCAPE, 0);
	if (c < ' ' || c == 0x7F)
		give_control(d, byte, KEY_ALT_HELD);
	else
		begin_character(d, byte, true);
}

/* What began like a sequence was a key: Alt with the introducer, or Escape. */
static void give_unfinished(struct key_decoder *d)
{
	enum state state = d->state;

	d->state = GROUND;
	if (state == AFTER_ESCAPE || d->doubled)
		give(d, KEY_ESCAPE, 0);
	if (state == AFTER_ESCAPE && d->doubled)
		give(d, KEY_ESCAPE, 0);
	if (state != AFTER_ESCAPE && state != OLD_MOUSE && d->seq_len == 0)
		give_text(d, str_of(&d->introducer, 1), true);
}

static void feed_sequence(struct key_decoder *d, char byte)
{
	long long number;

	if (d->state == CSI && byte == '[' && d->seq_len == 0) {
		d->state = CSI_LINUX;
	} else if (byte >= 0x40 && byte < 0x7F) {
		(d->state == CSI ? run_csi : run_ss3)(d, byte);
	} else if (byte == '$' && d->state == CSI && str_to_int(str_of(d->seq, d->seq_len), &number)) {
		run_csi(d, byte); /* rxvt's Shift; in replies a second number or a '?' stands before it */
	} else if (byte >= ' ' && byte < 0x40) {
		if (d->seq_len < sizeof d->seq)
			d->seq[d->seq_len++] = byte;
	} else {
		give_unfinished(d);
		feed_byte(d, byte);
	}
}

static void end_string(struct key_decoder *d)
{
	d->state = GROUND;
	if (d->introducer == ']' && d->seq_len < sizeof d->seq)
		give_reply(d, ']', 0);
}

static void feed_string(struct key_decoder *d, char byte)
{
	if (d->state == STRING_ESCAPE) {
		if (byte == '\\') {
			end_string(d);
			return;
		}
		d->state = AFTER_ESCAPE;
		d->doubled = false;
		d->seq_len = 0;
		feed_byte(d, byte);
	} else if (byte == ESCAPE) {
		d->state = STRING_ESCAPE;
	} else if (byte == '\a') {
		end_string(d);
	} else if (byte == 0x18 || byte == 0x1A) {
		d->state = GROUND;
	} else if (byte < ' ' || byte >= 0x7F) {
		d->seq_len = sizeof d->seq; /* no answer that is understood here */
	} else if (d->seq_len < sizeof d->seq) {
		d->seq[d->seq_len++] = byte;
	}
}

static void feed_byte(struct key_decoder *d, char byte)
{
	switch (d->state) {
	case GROUND:
		feed_ground(d, byte);
		break;
	case AFTER_ESCAPE:
		feed_after_escape(d, byte);
		break;
	case CSI:
	case SS3:
		feed_sequence(d, byte);
		break;
	case CSI_LINUX:
		d->state = GROUND;
		if (byte >= 'A' && byte <= 'E')
			give(d, KEY_F1 + (unsigned)(byte - 'A'), held(d, 0));
		break;
	case STRING:
	case STRING_ESCAPE:
		feed_string(d, byte);
		break;
	case OLD_MOUSE: /* a terminal that knows no better says button, column and row in a byte each */
		if (++d->seq_len == 3)
			d->state = GROUND;
		break;
	case PASTE: /* feed_paste() */
		break;
	}
}

static int64_t wait_ms(const struct key_decoder *d)
{
	if (d->state == PASTE)
		return PASTE_MS;
	if (d->state == AFTER_ESCAPE || d->seq_len == 0)
		return d->escape_ms;
	return SEQUENCE_MS;
}

void key_decoder_feed(struct key_decoder *d, struct str bytes, int64_t now_ms, key_sink *sink, void *ctx)
{
	d->sink = sink;
	d->ctx = ctx;
	while (bytes.len) {
		if (d->state == PASTE) {
			feed_paste(d, &bytes);
			continue;
		}
		feed_byte(d, bytes.ptr[0]);
		bytes = str_skip(bytes, 1);
	}
	d->deadline = d->state == GROUND ? INT64_MAX : now_ms + wait_ms(d);
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
	if (d->state == PASTE)
		give_paste(d);
	else
		give_unfinished(d);
}
