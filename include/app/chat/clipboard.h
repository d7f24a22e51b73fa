/*
 * The clipboard: ways for text out of the program - the terminal (OSC 52) and a program that owns a clipboard.
 *
 * The setting `copy` says which: auto is the terminal and, where there is one, wl-copy, xclip, xsel, pbcopy or tmux; in tmux, which has
 * a command for it, the terminal only when none of them works. osc52 is the terminal alone, anything else a command in words, run
 * without a shell, that reads the text. Programs are fed while the loop goes on, and are ended when they hang. What was done is said
 * in the status bar when it is known, and no more than that.
 */
#ifndef WEIR_APP_CLIPBOARD_H
#define WEIR_APP_CLIPBOARD_H

#include "app/chat/host.h"
#include "base/child.h"

struct clipboard {
	const struct host *host;
	struct child child;      /* the program that reads the text */
	struct buf text;
	size_t written;
	int fd;                  /* to it; -1: closed */
	int64_t deadline_ms;
	size_t next;             /* the program to be tried after this one */
	char **words;            /* the command of the setting; NULL: none */
	char name[40];           /* of the program that runs, or the last one that failed */
	char failure[80];        /* how that failed; "" */
	char subject[80];        /* "85 characters" */
	bool to_terminal;        /* it was sent there */
};

void clipboard_init(struct clipboard *b, const struct host *host);
void clipboard_fini(struct clipboard *b); /* what is under way has half a second to end */

/* Sends text, `shown` in the words about it instead of its length. What is still under way for an earlier text is given up. */
void clipboard_send(struct clipboard *b, struct str text, bool shown);

size_t clipboard_fds(void *clipboard, struct pollfd *fds, size_t room); /* a member of the loop */
int64_t clipboard_deadline(void *clipboard);
void clipboard_run(void *clipboard, const struct pollfd *fds, size_t count, int64_t now_ms);

#endif
