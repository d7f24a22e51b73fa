/*
 * Keys: decodes the bytes from the terminal into keys, and converts keys to and from names. Pure.
 */
#ifndef WEIR_UI_KEY_H
#define WEIR_UI_KEY_H

#include <stdint.h>

#include "base/text.h"
#include "ui/term/key_protocol.h"

enum key_code {
	KEY_TEXT,      /* one character in `text`, without modifiers other than Shift */
	KEY_PASTE,     /* a paste in `text`, bracketed or not; LF line ends, no other control bytes than tab */
	KEY_ENTER, KEY_TAB, KEY_BACKTAB, KEY_ESCAPE, KEY_BACKSPACE, KEY_DELETE, KEY_INSERT,
	KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PAGE_UP, KEY_PAGE_DOWN,
	KEY_F1, KEY_F2, KEY_F3, KEY_F4, KEY_F5, KEY_F6, KEY_F7, KEY_F8, KEY_F9, KEY_F10, KEY_F11, KEY_F12,
	KEY_CONTROL,   /* Ctrl and the lower-case letter (or other ASCII) in `letter`; Ctrl-J is KEY_CONTROL, Enter is KEY_ENTER */
	KEY_ALT,       /* Alt and the character in `text` */
	KEY_FOCUS_IN, KEY_FOCUS_OUT,
	KEY_REPLY,     /* not a key: a reply of the terminal, printable ASCII in `text` without ESC and ST: "[?62c", "]11;rgb:0/0/0", "_Gi=31;OK" */
	KEY_WHEEL_UP, KEY_WHEEL_DOWN, /* mouse wheel over screen row `row` */
	KEY_WHEEL_LEFT, KEY_WHEEL_RIGHT, /* horizontal wheel, or the wheel with Shift held */
	KEY_MOUSE_DOWN, KEY_MOUSE_DRAG, KEY_MOUSE_UP, /* left mouse button at `row` and `column`; other buttons are ignored */
};
enum key_modifier { KEY_SHIFT = 1, KEY_ALT_HELD = 2, KEY_CTRL_HELD = 4 };

struct key {
	enum key_code code;
	unsigned modifiers;   /* modifiers of special keys: Alt-Enter is KEY_ENTER with KEY_ALT_HELD */
	char letter;          /* KEY_CONTROL */
	unsigned row, column; /* place of mouse and wheel, from 0; ignored by key_equal() */
	struct str text;      /* KEY_TEXT, KEY_PASTE, KEY_ALT, KEY_REPLY; borrowed for the call */
	bool by_escape;       /* KEY_ALT: Escape and the character came in one read, as of a fast typist or tmux; ignored by key_equal() */
	bool at_once;         /* part of a line that arrived in one read: typed ahead, or pasted; ignored by key_equal() */
};

typedef void key_sink(void *ctx, const struct key *key);

/*
 * Bytes in, keys out. Decoding resumes at any byte. Unknown sequences are ignored.
 *
 * A paste is recognized by its brackets, or by a line end between text in one read, which nobody types. A single line that arrives in
 * one read may have been typed ahead: if it has at least KEY_AT_ONCE characters, not all the same, its keys have `at_once` set.
 * Bytes after the end bracket in the same read also belong to the paste, because pasted text may contain the end bracket: text is
 * reported as KEY_PASTE, other keys are ignored.
 */
#define KEY_AT_ONCE 4
struct key_decoder; /* heap */
struct key_decoder *key_decoder_new(void);
void key_decoder_free(struct key_decoder *d);
void key_decoder_feed(struct key_decoder *d, struct str bytes, int64_t now_ms, key_sink *sink, void *ctx);
/* The protocol that the terminal has reported; KEYS_PLAIN until it replies. */
enum key_protocol key_decoder_protocol(const struct key_decoder *d);
/*
 * Timeouts. A lone ESC becomes KEY_ESCAPE after 25 ms (50 ms over ssh). An unterminated paste is reported after 2 s, one without
 * brackets after 0.1 s. key_decoder_tick() reports what is due at `now_ms`.
 */
int64_t key_decoder_deadline(const struct key_decoder *d);   /* time of the next timeout; INT64_MAX: none */
void key_decoder_tick(struct key_decoder *d, int64_t now_ms, key_sink *sink, void *ctx);

/* Appends the display name of a key: "Ctrl-T", "Alt-Enter", "F2", "PgUp". */
void key_name(const struct key *key, struct buf *out);
/* Parses such a name. False if it is unknown. key->text borrows from `name`. */
bool key_from_name(struct str name, struct key *key);
/* Why the key of that name cannot be bound to a command, as "is text"; NULL: it can. */
const char *key_why_not(struct str name, const struct key *key);
bool key_equal(const struct key *a, const struct key *b);
bool key_is_wheel(const struct key *key);
bool key_is_control(const struct key *key, char letter); /* Ctrl and that letter */
bool key_is_named(const struct key *key, const char *name); /* by its display name; NULL: no key is */
char key_letter(const struct key *key); /* the ASCII character that was typed alone; 0: another key, or it arrived at once with others */
bool key_is_mouse(const struct key *key); /* a mouse button, not the wheel */

#endif
