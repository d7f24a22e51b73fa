/*
 * TLS servers with certificates made for the test: nghttpd, which supports HTTP/2 only, and openssl's, which sends a file unchanged,
 * including its HTTP/1.1 head. The latter also sends HTTP/2 frames or any bytes from a test, and can offer obsolete versions. They come
 * with Debian's nghttp2-server and openssl; without them a test is skipped.
 */
#ifndef WEIR_TESTS_SECURE_H
#define WEIR_TESTS_SECURE_H

#include "base/text.h"

enum secure_kind {
	SECURE_H2,
	SECURE_H1,
	SECURE_FRAMES,
	SECURE_EITHER,   /* the same, or HTTP/1.1; prefers HTTP/2 */
	SECURE_BYTES,
	SECURE_TLS_1_0, /* the same, with this as the newest version */
	SECURE_TLS_1_1,
};
enum secure_certificate {
	SECURE_OURS,    /* 127.0.0.1, ::1 and weir.invalid, self-signed */
	SECURE_EXPIRED, /* the same, expired yesterday */
	SECURE_FOREIGN, /* for elsewhere.invalid */
	SECURE_NAMED,   /* without a host: libcurl's error quotes its subject */
};

#define SECURE_SUBJECT "weir test subject"

#define SECURE_NAME "weir.invalid"

struct secure; /* heap; owns its folder and process */

/* Returns a listening server. NULL if a program is missing; the running test is skipped then. */
struct secure *secure_new(enum secure_kind kind, enum secure_certificate certificate);
void secure_free(struct secure *s);
void secure_end(struct secure *s);                 /* kills the server at once */
unsigned secure_port(const struct secure *s);
const char *secure_ca_file(const struct secure *s); /* the server's certificate */
/*
 * SECURE_FRAMES and later kinds: sends these bytes to each client at once. With SECURE_FRAMES and SECURE_EITHER they must begin with
 * SECURE_SETTINGS.
 */
void secure_send(struct secure *s, struct str bytes);
#define SECURE_SETTINGS STR("\0\0\0\4\0\0\0\0\0" "\0\0\0\4\1\0\0\0\0")
/* SECURE_FRAMES and later kinds: everything received from clients; heap. */
char *secure_received(const struct secure *s);
bool secure_has(const struct secure *s, struct str bytes);   /* clients have sent that */
bool secure_await(const struct secure *s, const char *text); /* waits until clients have sent that; false: they did not */
/* Serves a file at "/name". The suffix determines its type. SECURE_H2: .sse, .json, .ndjson, .txt. */
void secure_serve(struct secure *s, const char *name, struct str content);

#endif
