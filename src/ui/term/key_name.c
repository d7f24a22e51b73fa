/* Names of keys. */
#include "base/array.h"
#include "ui/term/key.h"

#include <string.h>

#include "base/utf8.h"

/* The first name of a key is the one that is displayed. */
static const struct { enum key_code code; const char *name; } key_names[] = {
	{ KEY_PASTE, "Paste" }, { KEY_ENTER, "Enter" }, { KEY_ENTER, "Return" }, { KEY_TAB, "Tab" }, { KEY_BACKTAB, "Shift-Tab" },
	{ KEY_ESCAPE, "Esc" }, { KEY_ESCAPE, "Escape" }, { KEY_BACKSPACE, "Backspace" }, { KEY_DELETE, "Del" }, { KEY_DELETE, "Delete" },
	{ KEY_INSERT, "Ins" }, { KEY_INSERT, "Insert" }, { KEY_UP, "Up" }, { KEY_DOWN, "Down" }, { KEY_LEFT, "Left" }, { KEY_RIGHT, "Right" },
	{ KEY_HOME, "Home" }, { KEY_END, "End" }, { KEY_PAGE_UP, "PgUp" }, { KEY_PAGE_UP, "PageUp" }, { KEY_PAGE_DOWN, "PgDn" },
	{ KEY_PAGE_DOWN, "PageDown" }, { KEY_F1, "F1" }, { KEY_F2, "F2" }, { KEY_F3, "F3" }, { KEY_F4, "F4" }, { KEY_F5, "F5" },
	{ KEY_F6, "F6" }, { KEY_F7, "F7" }, { KEY_F8, "F8" }, { KEY_F9, "F9" }, { KEY_F10, "F10" }, { KEY_F11, "F11" }, { KEY_F12, "F12" },
	{ KEY_WHEEL_UP, "WheelUp" }, { KEY_WHEEL_DOWN, "WheelDown" }, { KEY_WHEEL_LEFT, "WheelLeft" }, { KEY_WHEEL_RIGHT, "WheelRight" },
	{ KEY_MOUSE_DOWN, "MouseDown" }, { KEY_MOUSE_DRAG, "MouseDrag" }, { KEY_MOUSE_UP, "MouseUp" },
};

static const struct { unsigned bit; const char *prefix; } modifier_prefixes[] = {
	{ KEY_CTRL_HELD, "Ctrl-" }, { KEY_ALT_HELD, "Alt-" }, { KEY_SHIFT, "Shift-" },
};

static void key_add_character(struct buf *out, struct str text)
{
	buf_add(out, str_is(text, " ") ? STR("Space") : text);
}

void key_name(const struct key *key, struct buf *out)
{
	unsigned modifiers = key->modifiers;
	char upper = key->letter;

	if (key->code == KEY_CONTROL)
		modifiers |= KEY_CTRL_HELD;
	if (key->code == KEY_ALT)
		modifiers |= KEY_ALT_HELD;
	for (size_t i = 0; i < ARRAY_LEN(modifier_prefixes); i++)
		if (modifiers & modifier_prefixes[i].bit)
			buf_add_z(out, modifier_prefixes[i].prefix);
	if (upper >= 'a' && upper <= 'z')
		upper = (char)(upper - 32);
	if (key->code == KEY_CONTROL)
		key_add_character(out, str_of(&upper, 1));
	else if (key->code == KEY_TEXT || key->code == KEY_ALT)
		key_add_character(out, key->text);
	for (size_t i = 0; i < ARRAY_LEN(key_names); i++)
		if (key_names[i].code == key->code) {
			buf_add_z(out, key_names[i].name);
			return;
		}
}

static unsigned key_take_modifiers(struct str *name)
{
	unsigned modifiers = 0;

	for (size_t i = 0; i < ARRAY_LEN(modifier_prefixes); i++) {
		size_t len = strlen(modifier_prefixes[i].prefix);

		if (name->len <= len || !str_is_nocase(str_head(*name, len), modifier_prefixes[i].prefix))
			continue;
		modifiers |= modifier_prefixes[i].bit;
		*name = str_skip(*name, len);
		i = (size_t)-1; /* start over: modifiers may be in any order */
	}
	return modifiers;
}

static bool key_named_special(struct str name, struct key *key)
{
	for (size_t i = 0; i < ARRAY_LEN(key_names); i++)
		if (str_is_nocase(name, key_names[i].name)) {
			key->code = key_names[i].code;
			return true;
		}
	return false;
}

bool key_from_name(struct str name, struct key *key)
{
	struct str rest;

	*key = (struct key){ 0 };
	if (key_named_special(name, key))
		return true;
	key->modifiers = key_take_modifiers(&name);
	if (key_named_special(name, key))
		return true;
	if (str_is_nocase(name, "Space"))
		name = STR(" ");
	rest = name;
	if (!name.len || (utf8_next(&rest), rest.len))
		return false;
	if (key->modifiers & KEY_CTRL_HELD) {
		char c = name.ptr[0];

		if (name.len > 1)
			return false;
		key->code = KEY_CONTROL;
		key->letter = (char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
		key->modifiers &= ~(unsigned)KEY_CTRL_HELD;
		return true;
	}
	key->code = key->modifiers & KEY_ALT_HELD ? KEY_ALT : KEY_TEXT;
	key->text = name;
	key->modifiers = 0;
	return true;
}

/* What terminals send for Ctrl with a sign: the same byte as for another key, or nothing. */
static const char *key_control_why_not(char letter)
{
	static const struct { char letter; const char *why; } taken[] = {
		{ 'i', "arrives as Tab" }, { 'm', "arrives as Enter" }, { 'h', "arrives as Backspace" }, { '[', "arrives as Esc" },
		{ 'j', "arrives as the end of a line" }, { '@', "arrives as Ctrl-Space" }, { '/', "arrives as Ctrl-_" },
		{ '?', "arrives as Backspace" },
	};

	for (size_t i = 0; i < ARRAY_LEN(taken); i++)
		if (taken[i].letter == letter)
			return taken[i].why;
	return (letter >= 'a' && letter <= 'z') || (letter && strchr(" \\]^_", letter)) ? NULL : "does not arrive: terminals have no code for it";
}

const char *key_why_not(struct str name, const struct key *key)
{
	unsigned modifiers = key_take_modifiers(&name);

	if (key->code == KEY_TEXT)
		return "is text";
	if (key->code == KEY_PASTE || key_is_wheel(key) || key_is_mouse(key))
		return "is not a key";
	if (key->code == KEY_ALT && modifiers & KEY_SHIFT)
		return "does not arrive: with Shift it is another letter, as Alt-R is";
	if (key->code == KEY_ALT)
		/* Alt is an ESC before the character: these begin a sequence then. */
		return key->text.len == 1 && strchr("[O]P_", *key->text.ptr) ? "arrives as the beginning of other keys" : NULL;
	return key->code == KEY_CONTROL ? key_control_why_not(key->letter) : NULL;
}

bool key_equal(const struct key *a, const struct key *b)
{
	return a->code == b->code && a->modifiers == b->modifiers && a->letter == b->letter && str_equal(a->text, b->text);
}

bool key_is_wheel(const struct key *key)
{
	return key->code >= KEY_WHEEL_UP && key->code <= KEY_WHEEL_RIGHT;
}

bool key_is_control(const struct key *key, char letter)
{
	return key->code == KEY_CONTROL && key->letter == letter;
}

bool key_is_named(const struct key *key, const char *name)
{
	struct key own;

	return name && key_from_name(str_from(name), &own) && key_equal(&own, key);
}

char key_letter(const struct key *key)
{
	return key->code == KEY_TEXT && !key->at_once && key->text.len == 1 ? *key->text.ptr : 0;
}

bool key_is_mouse(const struct key *key)
{
	return key->code == KEY_MOUSE_DOWN || key->code == KEY_MOUSE_DRAG || key->code == KEY_MOUSE_UP;
}
