/*
 * The inside of the key decoder, for its own files: key.c (bytes and states), key_sequence.c (what sequences mean),
 * key_paste.c (pastes, with and without brackets).
 */
#ifndef WEIR_UI_KEY_INSIDE_H
#define WEIR_UI_KEY_INSIDE_H

#include "ui/term/key.h"

#define ESCAPE 0x1B
#define PASTE_LIMIT ((size_t)16 << 20)
#define OLD_MOUSE_BYTES 3

enum key_state { GROUND, AFTER_ESCAPE, CSI, CSI_LINUX, SS3, STRING, STRING_ESCAPE, PASTE, BURST, OLD_MOUSE };

struct key_decoder {
	enum key_state state;
	bool doubled;          /* ESC ESC: rxvt's Alt before a sequence, or the key twice */
	char introducer;       /* what followed ESC */
	char seq[48];          /* the parameters of a sequence; what is longer is no key */
	size_t seq_len;
	char utf8[4];          /* a character that is not complete yet */
	unsigned utf8_len, utf8_need;
	bool utf8_alt;
	struct buf paste;
	unsigned paste_matched; /* bytes of the end of a paste that were seen */
	bool at_once;          /* the byte under way is of a line that came in one read */
	bool behind_paste;     /* it came in one read with the end of a paste */
	int64_t deadline;
	int escape_ms;
	enum key_protocol protocol; /* the best that the terminal said it speaks */
	key_sink *sink;        /* of the call under way */
	void *ctx;
};

/* --- key.c: giving keys to the sink --- */

void key_give(struct key_decoder *d, enum key_code code, unsigned modifiers);
void key_give_control(struct key_decoder *d, char letter, unsigned modifiers); /* Ctrl with `letter` */
void key_give_text(struct key_decoder *d, struct str text, bool alt);
/* The terminal's answer: the introducer, what was collected, and what ended it (0: nothing that belongs to it). */
void key_give_reply(struct key_decoder *d, char introducer, char final);

/* --- key_sequence.c: a sequence has come to its end; back in GROUND, or in what it opens --- */

void key_end_csi(struct key_decoder *d, char final);
void key_end_linux(struct key_decoder *d, char final);    /* CSI [ and a letter */
void key_end_ss3(struct key_decoder *d, char final);
void key_end_old_mouse(struct key_decoder *d);            /* CSI M and three bytes */

/* --- key_paste.c --- */

void key_paste_feed(struct key_decoder *d, struct str *bytes); /* takes bytes of a paste, up to its end if that is there */
void key_paste_end(struct key_decoder *d);                     /* gives what has come */
/* What the text at the start of a read is taken for; `*length`: how far it goes, line ends and tabs included. */
enum key_run { RUN_KEYS, RUN_AT_ONCE, RUN_PASTE };
enum key_run key_run_of(struct str bytes, size_t *length);

/* A paste without brackets: its line ends may not send a prompt. */
void key_burst_feed(struct key_decoder *d, struct str *bytes); /* takes its bytes, and gives it when others follow */

#endif
