/*
 * A server below HTTP, for all that can go wrong there: it does what its script says, byte for byte.
 *
 * A script is text. Its bytes are sent as they are, except for the words below, which are put between them:
 *
 *   "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nshort" FAULTY_RESET
 *
 * The first request of a connection is read whole before the script begins, unless that begins with FAULTY_AT_ONCE; behind its last
 * word the connection is closed in good order. A thread of its own serves one connection after another.
 */
#ifndef WEIR_TESTS_FAULTY_H
#define WEIR_TESTS_FAULTY_H

#include "base/text.h"

#define FAULTY_AT_ONCE "\001a"  /* first: the request is not read */
#define FAULTY_REQUEST "\001q"  /* the next request on the same connection is read */
#define FAULTY_BYTES "\001b"    /* from here on every byte is a packet of its own */
#define FAULTY_TOGETHER "\001t" /* no more */
#define FAULTY_REST "\001p"     /* silence until the client has read what came before */
#define FAULTY_NUL "\0010"      /* a byte of 0 */
#define FAULTY_ONE_BYTE "\0011" /* a byte of 1, which begins these words */
#define FAULTY_FILL(count) "\001f" #count ";" /* so many bytes "x" */
#define FAULTY_REPEAT(count, text) "\001n" #count ";" text "\001e" /* so many times; of the words, only those for a byte in it */
#define FAULTY_FLOOD(text) FAULTY_REPEAT(0, text) /* the same until the client leaves */
#define FAULTY_RESET "\001r"    /* the connection is reset */
#define FAULTY_HALF "\001w"     /* nothing more comes, but the connection stays open until the client leaves */
#define FAULTY_HANG "\001h"     /* silence until the client leaves */
#define FAULTY_TUNNEL "\001u"   /* everything goes to and fro between the client and faulty_tunnel_to()'s port */

struct faulty; /* heap */

/* On 127.0.0.1, any port. The scripts in turn, one a connection, the last one for all further; NULL behind the last. */
struct faulty *faulty_new(const char *const *scripts);
/* The same on ::1; NULL when this machine has no IPv6. */
struct faulty *faulty_new_ipv6(const char *const *scripts);
void faulty_free(struct faulty *f); /* ends the connection that is under way */
void faulty_tunnel_to(struct faulty *f, unsigned port); /* before the first connection */

/* The script, heap, that sends a head and these bytes. */
char *faulty_script(const char *head, struct str bytes);

unsigned faulty_port(const struct faulty *f);
unsigned faulty_accepted(struct faulty *f);
size_t faulty_sent(struct faulty *f); /* bytes, to all */
/* Every request so far, head and body; heap. */
char *faulty_requests(struct faulty *f);

/* A port on which nobody listens. It is this process's until it ends; a server with SO_REUSEADDR may listen there, which only one who knows of it does. */
unsigned faulty_free_port(void);

#define FAULTY_ONE(script) faulty_new((const char *const[]){ script, NULL })

#endif
