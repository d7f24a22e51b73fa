/*
 * The clipboard: sends text to the terminal (OSC 52) and to programs that set the system clipboard.
 *
 * The setting `copy` chooses: `auto` is the terminal and the first of wl-copy, xclip, xsel, pbcopy and tmux that is available; inside
 * tmux, the terminal is used only if none of these works. `osc52` is the terminal alone. Any other value is a command that reads the
 * text, run without a shell. Programs are written to from the loop and are killed when they hang. A message says what is known to
 * have been done, and nothing more.
 */
#ifndef WEIR_APP_CLIPBOARD_H
#define WEIR_APP_CLIPBOARD_H

#include "app/screen/services/host.h"
#include "base/child.h"

struct clipboard {
	const struct host *host;
	struct child child;      /* the program that reads the text */
	struct buf text;
	size_t written;
	int fd;                  /* its standard input; -1: closed */
	int64_t deadline_ms;
	size_t next;             /* index of the program to try next */
	char **words;            /* the command of the setting; NULL: none */
	char name[40];           /* name of the running program, or of the last one that failed */
	char failure[80];        /* how `name` failed; "": it did not */
	char subject[80];        /* what was sent, in words: "85 characters" */
	char type[64];           /* of an image: its MIME type; "": text */
	bool to_terminal;        /* the text was sent to the terminal */
};

void clipboard_init(struct clipboard *b, const struct host *host);
void clipboard_fini(struct clipboard *b); /* a running program gets 0.5 s to finish */

/* Sends text. If `shown`, the message quotes it instead of giving its length. An unfinished earlier copy is abandoned. */
void clipboard_send(struct clipboard *b, struct str text, bool shown);

/* Sends an image to the first program that takes images of that type; without one, the text `else_text` as above. */
void clipboard_send_image(struct clipboard *b, struct str image, const char *type, struct str else_text);

size_t clipboard_fds(void *clipboard, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t clipboard_deadline(void *clipboard);
void clipboard_run(void *clipboard, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
