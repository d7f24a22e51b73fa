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
	char subject[160];       /* what is copied, and how much it is: "the answer, 85 characters,"; or what it says: "the response id resp-1" */
	char type[64];           /* of an image: its MIME type; "": text */
	bool to_terminal;        /* the text was sent to the terminal */
};

void clipboard_init(struct clipboard *b, const struct host *host);
void clipboard_fini(struct clipboard *b); /* a running program gets 0.5 s to finish */

/*
 * Sends text. `what` names it in the message: "the answer"; NULL: it is so many characters. If `shown`, the message quotes the text instead of
 * giving its length. An unfinished earlier copy is abandoned.
 */
void clipboard_send(struct clipboard *b, const char *what, struct str text, bool shown);

/* Sends an image to the first program that takes images of that type; false: there is none, and nothing was sent. */
MUST_USE bool clipboard_send_image(struct clipboard *b, const char *what, struct str image, const char *type);

size_t clipboard_fds(void *clipboard, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t clipboard_deadline(void *clipboard);
void clipboard_run(void *clipboard, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
