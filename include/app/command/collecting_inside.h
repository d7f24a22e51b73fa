/* What the files of collecting share: collecting.c, collecting_server.c, collecting_prompt.c. */
#ifndef WEIR_APP_COLLECTING_INSIDE_H
#define WEIR_APP_COLLECTING_INSIDE_H

#include "app/command/collecting.h"

#define COLLECTING_BYTES ((size_t)16 << 20)
#define COLLECTING_TEXT_BYTES ((size_t)1 << 20) /* of what is attached as text */

/* Takes the name; `limit` and `ms` are for what it writes. */
void collecting_begin(struct collecting *c, const struct actor *actor, char *name, size_t limit, int64_t ms);
void collecting_fail(struct collecting *c, const char *format, ...) PRINTF_LIKE(2, 3); /* ends it with a sentence */

/* --- collecting_server.c --- */

/* What came of a result. */
struct collected { size_t count, bytes, left_out; bool cut; };

/* Attaches a text, repaired; or data in base64, which false refuses: it is none, too large or empty. */
void collected_attach_text(struct collecting *c, struct collected *got, struct str text, struct str type, const char *name);
MUST_USE bool collected_attach_data(struct collecting *c, struct collected *got, struct str data, const char *name);
/* The name of one of several: the URI that the server gives it. Heap. */
char *collected_name(const struct collecting *c, struct str uri);
/* Asks the server. */
void collecting_ask(struct collecting *c, const char *method, struct str about, struct str params,
                    void (*ended)(void *ctx, const struct mcp_answer *answer));
struct str collecting_server_words(const struct mcp_answer *answer); /* why it did not work: a sentence without its stop */

/* --- collecting_prompt.c --- */

void collecting_look_for_prompt(struct collecting *c); /* goes on when the list of prompts has come */

#endif
