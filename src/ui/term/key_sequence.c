/* The meaning of escape sequences: keys, mouse events, replies. */
#include <string.h>

#include "base/array.h"
#include "base/utf8.h"
#include "ui/term/key_inside.h"

#define PARAMETERS 4
#define WHEEL 64           /* button number of wheel up; 65 is down */
#define OLD_MOUSE_BASE 32  /* offset of all values in the old mouse protocol */
#define MOUSE_SHIFT 4      /* bit of a button number: Shift is held */
#define MOUSE_HELD 28      /* bits of a button number: Shift, Alt, Ctrl */
#define MOUSE_MOVED 32     /* bit of a button number: the mouse moved while the button was held */
#define MOUSE_NONE 3       /* button number of a release in the old mouse protocol */

struct mapping { unsigned from; enum key_code code; unsigned modifiers; };

/* Final bytes of CSI and SS3 sequences. */
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
/* CSI-u codes that are not characters. Codes from 57344 on are kitty's. */
static const struct mapping named_codes[] = {
	{ 8, KEY_BACKSPACE, 0 }, { 9, KEY_TAB, 0 }, { 13, KEY_ENTER, 0 }, { 27, KEY_ESCAPE, 0 }, { 127, KEY_BACKSPACE, 0 },
	{ 57414, KEY_ENTER, 0 }, { 57417, KEY_LEFT, 0 }, { 57418, KEY_RIGHT, 0 }, { 57419, KEY_UP, 0 }, { 57420, KEY_DOWN, 0 },
	{ 57421, KEY_PAGE_UP, 0 }, { 57422, KEY_PAGE_DOWN, 0 }, { 57423, KEY_HOME, 0 }, { 57424, KEY_END, 0 },
	{ 57425, KEY_INSERT, 0 }, { 57426, KEY_DELETE, 0 },
};

static const struct mapping *key_find(const struct mapping *table, size_t count, unsigned from)
{
	for (size_t i = 0; i < count; i++)
		if (table[i].from == from)
			return &table[i];
	return NULL;
}
#define FIND(table, from) key_find((table), ARRAY_LEN(table), (from))

/* Ctrl with a character. With a letter, Shift stays a modifier; with any other character, Shift selects the shifted character. */
static void key_give_ctrl_code(struct key_decoder *d, unsigned code, unsigned shifted, unsigned modifiers)
{
	modifiers &= ~(unsigned)KEY_CTRL_HELD;
	if (code >= 'A' && code <= 'Z')
		code |= 32;
	if (modifiers & KEY_SHIFT && shifted > ' ' && shifted < 0x7F && !(code >= 'a' && code <= 'z')) {
		code = shifted;
		modifiers &= ~(unsigned)KEY_SHIFT;
	}
	if (code < 0x80)
		key_give_control(d, (char)code, modifiers);
}

/*
 * A key of the CSI-u or modifyOtherKeys protocol: a character code with modifiers. `base` is the character of the same key on a Latin
 * keyboard (0: unknown). Ctrl and Alt use `base` on keyboards with other letters.
 */
static void key_give_code(struct key_decoder *d, unsigned code, unsigned shifted, unsigned base, unsigned modifiers)
{
	static const char keypad[] = "0123456789./*-+"; /* 57399 to 57413 */
	const struct mapping *named = FIND(named_codes, code);
	char text[4];

	if (named) {
		key_give(d, named->code, modifiers);
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
		key_give_ctrl_code(d, code, shifted, modifiers);
		return;
	}
	if (modifiers & KEY_SHIFT && shifted > ' ')
		code = shifted;
	else if (modifiers & KEY_SHIFT && code >= 'a' && code <= 'z')
		code -= 32;
	key_give_text(d, str_of(text, utf8_put(text, code)), modifiers & KEY_ALT_HELD ? ALT_HELD : ALT_NOT);
}

/* --- parameters --- */

struct parameters { unsigned value[PARAMETERS], sub[PARAMETERS], third[PARAMETERS]; };

/* "97:65:97;5:3": numbers, each with sub-parameters after colons. False if there is anything else, as in a reply. */
static bool key_read_parameters(struct str text, struct parameters *p)
{
	unsigned ignored = 0, *number = p->value;
	size_t at = 0;

	*p = (struct parameters){ 0 };
	for (size_t i = 0; i < text.len; i++) {
		char c = text.ptr[i];

		if (char_is_digit(c) && *number < 10000000)
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

static unsigned key_held(const struct key_decoder *d, unsigned parameter)
{
	unsigned bits = parameter ? parameter - 1 : 0;
	unsigned modifiers = bits & (KEY_SHIFT | KEY_ALT_HELD | KEY_CTRL_HELD);

	if (bits & 32 || d->doubled) /* meta */
		modifiers |= KEY_ALT_HELD;
	return modifiers;
}

static void key_run_tilde(struct key_decoder *d, const struct parameters *p, char final)
{
	const struct mapping *key = FIND(tildes, p->value[0]);
	unsigned modifiers = key_held(d, p->value[1]);

	if (final == '^' || final == '@') /* rxvt */
		modifiers |= KEY_CTRL_HELD;
	if (final == '$' || final == '@')
		modifiers |= KEY_SHIFT;
	if (key)
		key_give(d, key->code, modifiers);
	else if (p->value[0] == 27)
		key_give_code(d, p->value[2], 0, 0, modifiers);
	else if (p->value[0] == 200) {
		d->state = PASTE;
		d->paste_matched = 0;
	}
}

/* "CSI ? flags u" and "CSI > 4 ; level m": the terminal reports the keyboard protocol that it supports. */
static void key_take_reply(struct key_decoder *d, struct str parameters, char final)
{
	if (final == 'u' && str_starts(parameters, "?"))
		d->protocol = KEYS_KITTY;
	else if (final == 'm' && str_starts(parameters, ">4;") && d->protocol == KEYS_PLAIN)
		d->protocol = KEYS_XTERM;
}

/* Rows and columns are counted from 1. There are no release events for the wheel. */
static void key_give_mouse(struct key_decoder *d, unsigned button, unsigned column, unsigned row, bool released)
{
	static const struct mapping buttons[] = {
		{ WHEEL, KEY_WHEEL_UP, 0 }, { WHEEL + 1, KEY_WHEEL_DOWN, 0 }, { WHEEL + 2, KEY_WHEEL_LEFT, 0 }, { WHEEL + 3, KEY_WHEEL_RIGHT, 0 },
		{ 0, KEY_MOUSE_DOWN, 0 }, { MOUSE_MOVED, KEY_MOUSE_DRAG, 0 }, { MOUSE_NONE, KEY_MOUSE_UP, 0 },
	};
	static const struct mapping releases[] = { { 0, KEY_MOUSE_UP, 0 } };
	bool sideways = button & MOUSE_SHIFT;
	const struct mapping *mapping;

	button &= ~(unsigned)MOUSE_HELD;
	if (sideways && (button == WHEEL || button == WHEEL + 1))
		button += 2;
	mapping = released ? FIND(releases, button) : FIND(buttons, button);
	if (mapping && row)
		d->sink(d->ctx, &(struct key){ .code = mapping->code, .row = row - 1, .column = column ? column - 1 : 0 });
}

/* The old mouse protocol: button, column and row in one byte each. */
void key_end_old_mouse(struct key_decoder *d)
{
	unsigned char button = (unsigned char)d->seq[0], column = (unsigned char)d->seq[1], row = (unsigned char)d->seq[2];

	d->state = GROUND;
	if (button >= OLD_MOUSE_BASE && row >= OLD_MOUSE_BASE)
		key_give_mouse(d, button - OLD_MOUSE_BASE, column < OLD_MOUSE_BASE ? 0u : (unsigned)(column - OLD_MOUSE_BASE), row - OLD_MOUSE_BASE,
		               false);
}

/* "CSI < button ; column ; row M"; the final byte of a release is "m" */
static void key_run_mouse(struct key_decoder *d, struct str parameters, bool released)
{
	struct parameters p;

	if (key_read_parameters(parameters, &p))
		key_give_mouse(d, p.value[0], p.value[1], p.value[2], released);
}

void key_end_csi(struct key_decoder *d, char final)
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
		key_run_mouse(d, str_of(d->seq + 1, d->seq_len - 1), final == 'm');
		return;
	}
	if (!key_read_parameters(str_of(d->seq, d->seq_len), &p)) {
		key_take_reply(d, str_of(d->seq, d->seq_len), final);
		key_give_reply(d, '[', final);
		return;
	}
	if (p.sub[1] == 3) /* kitty: a key was released */
		return;
	if (final == 'M') { /* rxvt's mouse protocol */
		if (p.value[0] >= OLD_MOUSE_BASE)
			key_give_mouse(d, p.value[0] - OLD_MOUSE_BASE, p.value[1], p.value[2], false);
		return;
	}
	if (!key)
		key = FIND(csi_finals, (unsigned char)final);
	if (key && p.value[0] <= 1)
		key_give(d, key->code, key->modifiers | key_held(d, p.value[1]));
	else if (final == 'u')
		key_give_code(d, p.value[0], p.sub[0], p.third[0], key_held(d, p.value[1]));
	else if (strchr("~^@$", final))
		key_run_tilde(d, &p, final);
	else if (final == 'R' || final == 't') /* cursor position report (for row 1 it is read as F3), size of a cell */
		key_give_reply(d, '[', final);
}

void key_end_ss3(struct key_decoder *d, char final)
{
	const struct mapping *key = FIND(finals, (unsigned char)final);
	struct parameters p;

	d->state = GROUND;
	if (!key_read_parameters(str_of(d->seq, d->seq_len), &p))
		return;
	if (!key)
		key = FIND(ss3_finals, (unsigned char)final);
	if (key)
		key_give(d, key->code, key->modifiers | key_held(d, p.value[1] ? p.value[1] : p.value[0]));
	else if (final >= 'j' && final <= 'y') /* keypad: * + , - . / and digits */
		key_give_code(d, (unsigned)(final - 0x40), 0, 0, key_held(d, p.value[0]));
	else if (final == 'X')
		key_give_code(d, '=', 0, 0, key_held(d, p.value[0]));
}

void key_end_linux(struct key_decoder *d, char final)
{
	d->state = GROUND;
	if (final >= 'A' && final <= 'E')
		key_give(d, KEY_F1 + (unsigned)(final - 'A'), key_held(d, 0));
}
