/*
 * Collecting: what takes a while before it goes with the next prompt. One at a time: an address, which is fetched, a command, which is run,
 * or a resource or a prompt of an MCP server.
 *
 * An address is fetched as a request is (net/http.h): certificates verified, proxies of the environment, no redirect followed, plain http
 * to this machine only unless --allow-http is given. A page of HTML becomes text (render/markdown/html_text.h).
 *
 * A command runs with sh in a session of its own, without input and without the terminal. Who calls collecting_run() has seen the user type
 * the command and confirm it. What both write is bounded in bytes and in time.
 *
 * A resource keeps the name NAME:URI. A prompt goes into the input: its texts as the user's, its files as attachments; nothing is sent. What a
 * server says is untrusted: a type is found by its content, texts have a limit, and in those of prompts what hides or acts is made visible.
 */
#ifndef WEIR_APP_COLLECTING_H
#define WEIR_APP_COLLECTING_H

#include "app/command/actions.h"
#include "app/mcp/mcp_hub.h"
#include "app/system/loop.h"
#include "base/child.h"

struct source;

struct collecting {
	struct actor actor;      /* gets the text and the sentence */
	struct child child;
	int fd;                  /* the command's output; -1: closed */
	struct source *transfer; /* NULL: none */
	struct mcp_call call;    /* to an MCP server */
	char *server;            /* its name; NULL: it is none */
	char *line;              /* "NAME:PROMPT words" */
	char *name;              /* the address, "!command", NAME:URI or NAME:PROMPT; NULL: nothing is collected */
	char *type, *location;   /* of the response */
	int status;
	bool over, cut;          /* the transfer has ended; there was more than the limit */
	char failure[200];
	struct buf bytes;
	int64_t deadline_ms;
};

void collecting_init(struct collecting *c);
void collecting_fini(struct collecting *c);

void collecting_fetch(struct collecting *c, const struct actor *actor, struct str address);
void collecting_run(struct collecting *c, const struct actor *actor, struct str command);
/* Reads "NAME:URI", a resource of the server with that index (app/mcp/mcp_hub.h). */
void collecting_read(struct collecting *c, const struct actor *actor, size_t server, struct str word);
/* Fills "NAME:PROMPT words", a prompt of that server. */
void collecting_ask_prompt(struct collecting *c, const struct actor *actor, size_t server, struct str line);
const char *collecting_name(const struct collecting *c); /* what is under way; NULL: nothing */
bool collecting_stop(struct collecting *c);              /* false: nothing was under way */

struct loop_member collecting_member(struct collecting *c);

#endif
