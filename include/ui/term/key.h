/*
 * Keys: what comes from the terminal, as bytes, and what people call it. Pure.
 */
#ifndef WEIR_UI_KEY_H
#define WEIR_UI_KEY_H

#include <stdint.h>

#include "base/text.h"
#include "ui/term/key_protocol.h"

enum key_code {
	KEY_TEXT,      /* one character in `text`, no modifiers but shift */
	KEY_PASTE,     /* a paste in `text`, in brackets or all at once: LF line ends, no other control bytes but tab */
	KEY_ENTER, KEY_TAB, KEY_BACKTAB, KEY_ESCAPE, KEY_BACKSPACE, KEY_DELETE, KEY_INSERT,
	KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PAGE_UP, KEY_PAGE_DOWN,
	KEY_F1, KEY_F2, KEY_F3, KEY_F4, KEY_F5, KEY_F6, KEY_F7, KEY_F8, KEY_F9, KEY_F10, KEY_F11, KEY_F12,
	KEY_CONTROL,   /* Ctrl and the lower-case letter (or other ASCII) in `letter`; Ctrl-J is this, Enter is not */
	KEY_ALT,       /* Alt and the character in `text` */
	KEY_FOCUS_IN, KEY_FOCUS_OUT,
	KEY_REPLY,     /* no key: an answer of the terminal, printable ASCII in `text` without its ESC and ST: "[?62c", "]11;rgb:0/0/0" */
	KEY_WHEEL_UP, KEY_WHEEL_DOWN, /* of the mouse, over screen row `row` */
	KEY_WHEEL_LEFT, KEY_WHEEL_RIGHT, /* of one that can, or with Shift held */
	KEY_MOUSE_DOWN, KEY_MOUSE_DRAG, KEY_MOUSE_UP, /* its left button, at `row`; other buttons are swallowed */
};
enum key_modifier { KEY_SHIFT = 1, KEY_ALT_HELD = 2, KEY_CTRL_HELD = 4 };

struct key {
	enum key_code code;
	unsigned modifiers;   /* of special keys: Alt-Enter is KEY_ENTER with KEY_ALT_HELD */
	char letter;          /* KEY_CONTROL */
	unsigned row;         /* of the wheel and the mouse, from 0; no part of key_equal() */
	struct str text;      /* KEY_TEXT, KEY_PASTE, KEY_ALT, KEY_REPLY; borrowed for the call */
	bool at_once;         /* one of a line of text that came in one read: typed ahead, or pasted without brackets; no part of key_equal() */
};

typedef void key_sink(void *ctx, const struct key *key);

/*
 * Bytes in, keys out. Resumes at any byte; swallows what it does not know.
 *
 * A paste is known by its brackets, or by a line end between text in one read, which nobody types. One line that comes in one read,
 * KEY_AT_ONCE characters of it or more and not all the same, is given as keys that are marked (`at_once`): it may have been typed
 * ahead. What follows the end of a paste in the same read is the paste's too, which held that end itself: its text is pasted, keys are
 * swallowed.
 */
#define KEY_AT_ONCE 4
struct key_decoder; /* heap */
struct key_decoder *key_decoder_new(void);
void key_decoder_free(struct key_decoder *d);
void key_decoder_feed(struct key_decoder *d, struct str bytes, int64_t now_ms, key_sink *sink, void *ctx);
/* The protocol that the terminal has said it speaks; KEYS_PLAIN until it answers. */
enum key_protocol key_decoder_protocol(const struct key_decoder *d);
/* A lone ESC becomes KEY_ESCAPE 25 ms after it came (50 ms over ssh): when, and doing it. An unended
 * paste is given after 2 s, one without brackets after 0.1 s. */
int64_t key_decoder_deadline(const struct key_decoder *d);   /* INT64_MAX: nothing waits */
void key_decoder_tick(struct key_decoder *d, int64_t now_ms, key_sink *sink, void *ctx);

/* How a key is written for people: "Ctrl-T", "Alt-Enter", "F2", "PgUp". */
void key_name(const struct key *key, struct buf *out);
/* The key that such a name means; false for no known name. `text` of the result borrows from `name`. */
bool key_from_name(struct str name, struct key *key);
bool key_equal(const struct key *a, const struct key *b);
bool key_is_wheel(const struct key *key);
bool key_is_control(const struct key *key, char letter); /* Ctrl and that letter */
bool key_is_mouse(const struct key *key); /* a button */

#endif
