/*
 * A server below HTTP that produces faults: it executes a script byte by byte.
 *
 * A script is text. Its bytes are sent unchanged, except for the words below, which are written between them:
 *
 *   "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort" FAULTY_RESET
 *
 * The first request of a connection is read completely before the script begins, unless it begins with FAULTY_AT_ONCE. After the last word
 * the connection is closed in good order. The server's thread handles one connection at a time.
 */
#ifndef WEIR_TESTS_FAULTY_H
#define WEIR_TESTS_FAULTY_H

#include "base/text.h"

#define FAULTY_AT_ONCE "\001a"  /* first word: does not read the request */
#define FAULTY_REQUEST "\001q"  /* reads the next request on the same connection */
#define FAULTY_BYTES "\001b"    /* sends every byte from here on as a separate packet */
#define FAULTY_TOGETHER "\001t" /* ends FAULTY_BYTES */
#define FAULTY_REST "\001p"     /* waits until the client has read everything sent so far */
#define FAULTY_NUL "\0010"      /* a byte 0 */
#define FAULTY_ONE_BYTE "\0011" /* a byte 1, which introduces these words */
#define FAULTY_FILL(count) "\001f" #count ";" /* sends `count` bytes "x" */
#define FAULTY_REPEAT(count, text) "\001n" #count ";" text "\001e" /* repeats `text`, which may contain words for single bytes only */
#define FAULTY_FLOOD(text) FAULTY_REPEAT(0, text) /* repeats until the client closes */
#define FAULTY_RESET "\001r"    /* resets the connection */
#define FAULTY_HALF "\001w"     /* ends the sending side only; waits for the client to close */
#define FAULTY_HANG "\001h"     /* sends nothing until the client closes */
#define FAULTY_TUNNEL "\001u"   /* relays between the client and the port of faulty_tunnel_to() */

struct faulty; /* heap */

/*
 * Starts a server on 127.0.0.1 at any port. Connections use the scripts in order, and the last script from then on. `scripts` ends with
 * NULL.
 */
struct faulty *faulty_new(const char *const *scripts);
/* The same on ::1; NULL if this machine has no IPv6. */
struct faulty *faulty_new_ipv6(const char *const *scripts);
void faulty_free(struct faulty *f); /* ends a running connection */
void faulty_tunnel_to(struct faulty *f, unsigned port); /* call before the first connection */

/* Returns a script (heap) that sends a head and these bytes. */
char *faulty_script(const char *head, struct str bytes);

unsigned faulty_port(const struct faulty *f);
unsigned faulty_accepted(struct faulty *f);
size_t faulty_sent(struct faulty *f); /* bytes sent to all clients */
/* All requests so far, heads and bodies; heap. */
char *faulty_requests(struct faulty *f);

/* A port that refuses connections. It is reserved until this process ends; a server may listen there with SO_REUSEADDR. */
unsigned faulty_free_port(void);

#define FAULTY_ONE(script) faulty_new((const char *const[]){ script, NULL })

#endif
