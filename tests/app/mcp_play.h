/*
 * An MCP server "web" with its authorization server, which the test plays, `weir mcp` that uses them, and the browser.
 */
#ifndef WEIR_TESTS_MCP_PLAY_H
#define WEIR_TESTS_MCP_PLAY_H

#include <glob.h>

#include "app/program.h"
#include "support/hand.h"

#define TOKEN "a-token-of-this-test"
#define SECOND "another-token-of-this-test"
#define REFRESH "a-refresh-token-of-this-test"

struct play {
	struct program p;
	struct hand *h;
	char origin[64];
	const char *config;
	char page[3000];      /* the address that the browser is to open */
	struct buf told;      /* all that the program wrote so far */
};

void play_begin(struct play *play, const char *more); /* `more` of the server's section */
void play_end(struct play *play);
void play_start(struct play *play, const char *const *words);         /* starts `weir mcp` */
void play_stop(struct play *play, int status, const char *words);     /* waits for its end, with these words on standard error */
/* Sends a response in whose texts @ is the origin of the server. */
void play_reply(struct play *play, int status, const char *header, const char *body);

/* --- a login --- */

struct step { const char *request; int status; const char *header, *body; };

enum { PROBE, RESOURCE, ISSUER, REGISTER, TOKENS, STEPS };
extern const struct step play_good[STEPS];

bool play_step(struct play *play, const struct step *step);
void play_steps(struct play *play, int end); /* those of a good login, from the first one to the one before `end` */
bool play_await_page(struct play *play);
/* A parameter of the page's address, decoded, into `value`. */
const char *play_page_value(const struct play *play, const char *name, char value[300]);
/* Sends the browser back with this query, in which $ is the right state and @ the issuer; returns the status of the response. */
int play_browse(struct play *play, const char *query);
void play_agree(struct play *play, const struct step *tokens);        /* the user agrees, and this is the answer about the token */
void play_login(struct play *play);
glob_t play_tokens(void);                                             /* the files of kept tokens */

/* --- the token in use --- */

#define PONG "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"supportedVersions\":[\"2026-07-28\"],\"capabilities\":{}}}"
#define PONG_AGAIN "{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}"

/* The next request has this token, and gets this response. */
void play_is_asked_with(struct play *play, const char *token, int status, const char *header, const char *body);
void play_ping(struct play *play, const char *token);

#endif
