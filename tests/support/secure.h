/*
 * Servers behind TLS, with certificates made for the test: nghttpd, which speaks HTTP/2 and nothing else, and openssl's, which
 * sends a file as it is, HTTP/1.1 head included. The latter also sends the frames of HTTP/2, or any bytes, that a test writes, and offers
 * what is too old. Both come with Debian's nghttp2-server and openssl; without them a test is skipped.
 */
#ifndef WEIR_TESTS_SECURE_H
#define WEIR_TESTS_SECURE_H

#include "base/text.h"

enum secure_kind {
	SECURE_H2,
	SECURE_H1,
	SECURE_FRAMES,
	SECURE_EITHER,   /* the same, and HTTP/1.1; it prefers HTTP/2 */
	SECURE_BYTES,
	SECURE_TLS_1_0, /* the same, but no newer version is offered */
	SECURE_TLS_1_1,
};
enum secure_certificate {
	SECURE_OURS,    /* 127.0.0.1, ::1 and weir.invalid, signed by itself */
	SECURE_EXPIRED, /* the same, until yesterday */
	SECURE_FOREIGN, /* of elsewhere.invalid */
	SECURE_NAMED,   /* without a host: its subject is what libcurl complains of */
};

#define SECURE_SUBJECT "weir test subject"

#define SECURE_NAME "weir.invalid"

struct secure; /* heap; its folder and its process are its own */

/* Listens when it returns. NULL, and the running test is skipped, where a program is missing. */
struct secure *secure_new(enum secure_kind kind, enum secure_certificate certificate);
void secure_free(struct secure *s);
void secure_end(struct secure *s);                 /* kills the server now */
unsigned secure_port(const struct secure *s);
const char *secure_ca_file(const struct secure *s); /* its certificate */
/* FRAMES and below: these bytes go to the client as soon as there is one; the first ones of FRAMES and EITHER are to be SECURE_SETTINGS. */
void secure_send(struct secure *s, struct str bytes);
#define SECURE_SETTINGS STR("\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0")
/* FRAMES and below: what clients have sent so far; heap. */
char *secure_received(const struct secure *s);
bool secure_await(const struct secure *s, const char *text); /* until they have sent that; false when they do not */
/* A file that it serves at "/name"; its type comes from the end of the name. H2: .sse, .json, .ndjson, .txt. */
void secure_serve(struct secure *s, const char *name, struct str content);

#endif
