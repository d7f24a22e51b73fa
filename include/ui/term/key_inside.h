/*
 * Internals of the key decoder, shared by its files: key.c (states and bytes), key_sequence.c (meaning of sequences), key_paste.c
 * (pastes, bracketed or not).
 */
#ifndef WEIR_UI_KEY_INSIDE_H
#define WEIR_UI_KEY_INSIDE_H

#include "ui/term/key.h"

#define ESCAPE 0x1B
#define PASTE_LIMIT ((size_t)16 << 20)
#define OLD_MOUSE_BYTES 3

enum key_state { GROUND, AFTER_ESCAPE, CSI, CSI_LINUX, SS3, STRING, STRING_ESCAPE, PASTE, BURST, OLD_MOUSE };

enum key_alt { ALT_NOT, ALT_HELD, ALT_BY_ESCAPE };

struct key_decoder {
	enum key_state state;
	bool doubled;          /* ESC ESC was received: rxvt's Alt before a sequence, or the Escape key twice */
	char introducer;       /* the byte after ESC */
	char seq[48];          /* parameters of the sequence; a longer sequence is ignored */
	size_t seq_len;
	char utf8[4];          /* incomplete character */
	unsigned utf8_len, utf8_need;
	enum key_alt utf8_alt;
	struct buf paste;
	unsigned paste_matched; /* bytes of the end bracket matched so far */
	bool at_once;          /* the current byte belongs to a line that arrived in one read */
	bool behind_paste;     /* the current byte arrived in one read with the end of a paste, after it */
	int64_t deadline;
	int escape_ms;
	enum key_protocol protocol; /* best protocol that the terminal has reported */
	key_sink *sink;        /* callback of the current call */
	void *ctx;
};

/* --- key.c: report keys to the sink --- */

void key_give(struct key_decoder *d, enum key_code code, unsigned modifiers);
void key_give_control(struct key_decoder *d, char letter, unsigned modifiers); /* Ctrl with `letter` */
void key_give_text(struct key_decoder *d, struct str text, enum key_alt alt);
/* Reports a reply: the introducer, the collected bytes, and the final byte (0: none). */
void key_give_reply(struct key_decoder *d, char introducer, char final);

/* --- key_sequence.c: handle a complete sequence; the next state is GROUND or the state that the sequence starts --- */

void key_end_csi(struct key_decoder *d, char final);
void key_end_linux(struct key_decoder *d, char final);    /* CSI [ followed by a letter */
void key_end_ss3(struct key_decoder *d, char final);
void key_end_old_mouse(struct key_decoder *d);            /* CSI M followed by three bytes */

/* --- key_paste.c --- */

void key_paste_feed(struct key_decoder *d, struct str *bytes); /* consumes bytes of a paste, up to its end bracket */
void key_paste_end(struct key_decoder *d);                     /* reports the collected paste */
/* Classifies the text at the start of a read. `*length`: its length, including line ends and tabs. */
enum key_run { RUN_KEYS, RUN_AT_ONCE, RUN_PASTE };
enum key_run key_run_of(struct str bytes, size_t *length);

/* A paste without brackets: its line ends must not send the prompt. */
void key_burst_feed(struct key_decoder *d, struct str *bytes); /* consumes its bytes; reports it when other bytes follow */

#endif
