/*
 * `weir proxy` between a client, which the test is, and a server of the test: a hand (support/hand.h) or a script (support/faulty.h).
 */
#ifndef WEIR_TESTS_BETWEEN_H
#define WEIR_TESTS_BETWEEN_H

#include "app/program.h"
#include "support/faulty.h"
#include "support/hand.h"

struct between {
	struct hand *hand;      /* the provider "hand"; one of the two is NULL */
	struct faulty *faulty;
	struct program proxy;
	const char *tapes;      /* the folder of the tapes */
	int client;             /* a connection to the proxy; -1: closed */
	struct buf seen;        /* what the client has received */
};

/* Starts the proxy with a hand, and connects. Tapes go to a folder of their own. `arguments`: more of them, or NULL. */
void between_begin(struct between *b, const char *const *arguments);
/* The same with scripts for the connections, which end with NULL. */
void between_begin_faulty(struct between *b, const char *const *scripts, const char *const *arguments);
/* The same with these settings and arguments only, and no server. */
void between_begin_with(struct between *b, const char *settings, const char *const *arguments, const char *const *environment);
/* Stops the proxy, which must end well, and removes the folder. */
void between_end(struct between *b);

void between_connect(struct between *b); /* on a new connection */
void between_ask(struct between *b, const char *request);
void between_ask_bytes(struct between *b, struct str request);
/* Reads until the client has seen `text`; NULL: until the connection is closed. */
bool between_sees(struct between *b, const char *text);
/* Asks on a connection of its own, which it closes; returns what came until the server closed it. Borrowed until the next call. */
const char *between_asked(struct between *b, struct str request);

size_t between_tape_count(const struct between *b);
/* The only tape in the folder, once `told` is on standard error. */
void between_read_tape(struct between *b, const char *told, struct buf *text);

#endif
